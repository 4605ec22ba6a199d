// SPDX-License-Identifier: GPL-3.0-or-later
// A table of a report for LaTeX, that fits the text of the class article at 10 points, on either
// paper.
#ifndef PAGE_LATEX_TABLE_H
#define PAGE_LATEX_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "table/table.h"
#include "value/status.h"

struct latex_float {
	const char *caption, *name;
	bool whole; // all rows, on as many pages as they need; else those of a page, with a note of
		    // how many are left out
};

// Writes it as table environments, labelled tab:name: at most as wide as the text, with columns of
// words folded if they must be; or turned, in a sidewaystable; or in several parts, by columns,
// each with the first columns that tell the rows apart, and by rows. Adds their number to floats.
// TR_ERROR if out of memory.
enum tr_status latex_table_write(const struct table *table, const struct latex_float *as,
				 unsigned *floats, FILE *out, struct tr_error *err);

#endif
