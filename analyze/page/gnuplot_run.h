// SPDX-License-Identifier: GPL-3.0-or-later
// Runs gnuplot over all figures of a page at once.
#ifndef REPORT_GNUPLOT_RUN_H
#define REPORT_GNUPLOT_RUN_H

#include <stdio.h>

#include "page/page.h"
#include "trace/status.h"

// Writes gnuplot's commands for a page.
typedef void gnuplot_commands(FILE *out, const struct page *page, const void *context);

// Every panel of the page as an SVG document, in the page's order; no context.
gnuplot_commands gnuplot_page;

// Every panel that can be drawn in characters, each plot of it behind a form feed; no context.
gnuplot_commands gnuplot_characters;

// Runs gnuplot over the commands: *drawn (zero-terminated, to be freed by the caller) is its output. Commands and output
// are kept in memory: of these nothing is left on a disk whatever happens. TR_ERROR where gnuplot is absent or
// fails, or memory ends; *drawn is NULL then.
enum tr_status gnuplot_run(const struct page *page, gnuplot_commands *write, const void *context, char **drawn,
			   struct tr_error *err);

#endif
