// SPDX-License-Identifier: GPL-3.0-or-later
// A page as one HTML file that needs nothing else: style and pictures are in it, it has no script and may load
// nothing (its own content security policy says so), and it is well-formed XML as well.
#ifndef REPORT_PAGE_HTML_H
#define REPORT_PAGE_HTML_H

#include <stdio.h>

#include "page/page.h"
#include "trace/status.h"

// Writes the page. footer is the line at its end. gnuplot draws the figures, where there are any.
// TR_ERROR where it cannot, or memory ended; writing errors are left in out.
enum tr_status page_html_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err);

#endif
