// SPDX-License-Identifier: GPL-3.0-or-later
// What flitcmp prints of its cells.
#ifndef ANALYZE_COMPARE_REPORT_H
#define ANALYZE_COMPARE_REPORT_H

#include "column_sense.h"
#include "compare_cells.h"
#include "compare_traces.h"
#include "trace/table.h"

struct compare_report {
	const struct compare_cells *cells;   // settled
	const struct compare_traces *traces; // whose distributions are compared, where there are several
	const struct compare_settings *settings;
	int level_percent;
	double accuracy_percent;   // of a mean, for the sample sizes
	enum column_better better; // of the values compared; scores take the higher one for better if neither
	bool scores;
	struct opt_list weights; // each a list of numbers with commas, one for each block
	bool differ;		 // set: a pair differs
	size_t pairs;		 // set: compared
};

// Prints the tables. TR_ERROR: weights that are none, scores of blocks in which an alternative is
// missing, no memory, or printing failed.
enum tr_status compare_report_print(struct compare_report *report, struct table_style style, FILE *out, struct tr_error *err);

#endif
