// SPDX-License-Identifier: GPL-3.0-or-later
// How the HTML page looks: light and dark, on a phone, on a desk and on paper.
#ifndef REPORT_PAGE_STYLE_H
#define REPORT_PAGE_STYLE_H

#include <stdio.h>

// Writes the content of the style element.
void page_style_write(FILE *out);

#endif
