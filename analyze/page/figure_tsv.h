// SPDX-License-Identifier: GPL-3.0-or-later
// A panel's data for other programs: TSV, one block of rows a curve.
#ifndef REPORT_FIGURE_TSV_H
#define REPORT_FIGURE_TSV_H

#include <stdio.h>

#include "page/figure.h"

// Writes every curve of the panel that has rows, in order: a line of words behind a #, a line that names the
// columns, and the rows; blocks are parted by two empty lines, so that gnuplot's "index" counts them.
void figure_tsv_write(FILE *out, const struct panel *panel);

#endif
