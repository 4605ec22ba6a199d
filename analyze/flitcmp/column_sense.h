// SPDX-License-Identifier: GPL-3.0-or-later
// What a column's name says of its values, for the columns that the programs print.
#ifndef ANALYZE_COLUMN_SENSE_H
#define ANALYZE_COLUMN_SENSE_H

#include <stdbool.h>

enum column_better { COLUMN_NEITHER, COLUMN_LOWER_BETTER, COLUMN_HIGHER_BETTER };

struct column_sense {
	enum column_better better;
	bool not_negative; // a time, a rate or a number of things
};

// The sense of the column called name: by a word of it that names a quantity (latency, wait, dropped, carried, MBps), else
// by its unit, which only says that it is not negative. Of other names nothing is known.
struct column_sense column_sense(const char *name);

#endif
