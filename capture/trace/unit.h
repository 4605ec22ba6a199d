// SPDX-License-Identifier: GPL-3.0-or-later
// The units that numbers from people may carry.
#ifndef TRACE_UNIT_H
#define TRACE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/num.h"

struct num_unit {
	enum num_dimension dimension;
	const char *word;
	int64_t num; // one of it is num/den of the dimension's base unit
	int64_t den;
	bool shown; // num_format may choose it
};

// All of them, each dimension's shown ones from small to large; ends with a NULL word.
extern const struct num_unit num_units[];

// The row of a word, NULL where the dimension has no such unit.
const struct num_unit *num_unit_find(enum num_dimension dimension, const char *word);

#endif
