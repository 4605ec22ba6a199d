// SPDX-License-Identifier: GPL-3.0-or-later
// Runs gnuplot over all figures of a page at once.
#ifndef REPORT_GNUPLOT_RUN_H
#define REPORT_GNUPLOT_RUN_H

#include "report/page.h"
#include "trace/status.h"

// Draws every panel of the page: *pictures (zero-terminated, to be freed by the caller) are gnuplot's SVG documents
// in the page's order. Script and pictures are kept in memory: nothing is left on a disk whatever happens.
// TR_ERROR where gnuplot is absent or fails, or memory ends; *pictures is NULL then.
enum tr_status gnuplot_run(const struct page *page, char **pictures, struct tr_error *err);

#endif
