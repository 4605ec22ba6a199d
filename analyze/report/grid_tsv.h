// SPDX-License-Identifier: GPL-3.0-or-later
// A table as tab-separated values with all digits: headings, rows, and its caption and note as comments.
#ifndef REPORT_GRID_TSV_H
#define REPORT_GRID_TSV_H

#include <stdio.h>

#include "report/grid.h"

void grid_tsv_write(FILE *out, const struct grid *grid);

#endif
