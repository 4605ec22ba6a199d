// SPDX-License-Identifier: GPL-3.0-or-later
// A page as plain text: its words and tables, with or without its figures.
#ifndef REPORT_PAGE_TEXT_H
#define REPORT_PAGE_TEXT_H

#include <stdio.h>

#include "page/page.h"
#include "trace/status.h"

// Writes the page in lines of 80 columns (tables may be wider). footer is the line at its end.
// TR_ERROR where memory ended; writing errors are left in out.
enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

// The same with its figures drawn in characters by gnuplot, heat maps left out. TR_ERROR also where gnuplot is
// absent or fails.
enum tr_status page_terminal_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

#endif
