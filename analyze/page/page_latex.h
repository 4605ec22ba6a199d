// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a page for LaTeX.
#ifndef REPORT_PAGE_LATEX_H
#define REPORT_PAGE_LATEX_H

#include <stdio.h>

#include "page/page.h"
#include "trace/status.h"

// Writes each table that has a caption as a table environment (package booktabs, UTF-8 input), labelled tab:N, with the
// sections as comments. footer is a comment at the end. TR_ERROR where memory ended; writing errors are left in out.
enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

#endif
