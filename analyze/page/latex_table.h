// SPDX-License-Identifier: GPL-3.0-or-later
// A table of a report for LaTeX, that fits the text of the class article at 10 points, on either paper.
#ifndef PAGE_LATEX_TABLE_H
#define PAGE_LATEX_TABLE_H

#include <stdio.h>

#include "trace/status.h"
#include "trace/table.h"

// Writes it as table environments, labelled tab:name: at most as wide as the text, with columns of words folded if they must be; or
// turned, in a sidewaystable; or in several parts, by columns and by rows. Adds their number to floats. TR_ERROR if out of memory.
enum tr_status latex_table_write(const struct table *table, const char *caption, const char *name, unsigned *floats, FILE *out,
				 struct tr_error *err);

#endif
