// SPDX-License-Identifier: GPL-3.0-or-later
// A page as plain text: its words and tables, without its figures.
#ifndef REPORT_PAGE_TEXT_H
#define REPORT_PAGE_TEXT_H

#include <stdio.h>

#include "report/page.h"
#include "trace/status.h"

// Writes the page in lines of 80 columns (tables may be wider). footer is the line at its end.
// TR_ERROR where memory ended; writing errors are left in out.
enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out,
			       struct tr_error *err);

#endif
