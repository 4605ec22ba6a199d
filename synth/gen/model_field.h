// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a section as a table: drives reading into a struct, writing from it and the rejection
// of unknown keys. The control plane of every generator.
#ifndef GEN_MODEL_FIELD_H
#define GEN_MODEL_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/opt.h"
#include "text/model.h"

enum model_type {
	MODEL_END,	// ends a table
	MODEL_REPEATED, // read by the generator itself; may occur several times
	MODEL_COUNT,	// uint64_t, whole
	MODEL_REAL,	// double
	MODEL_TIME,	// double, s
	MODEL_SIZE,	// double, B
	MODEL_VARIANCE, // double, B^2
	MODEL_SHARE,	// double, 0..1, written in %
	MODEL_RATE,	// double, b/s
	MODEL_WORD,	// int, one of words
};

struct model_field {
	const char *key;
	enum model_type type;
	size_t offset; // of the value in the struct
	bool required;
	double min, max; // of numbers, in the base unit
	const struct opt_choice *words;
};

#define MODEL_NUMBER_BYTES 64u // text of any one value, with its end

// Reads the section's keys ("" for those before the first section) into the struct at out. Omitted
// keys keep their values. TR_ERROR with file and line: an unknown or repeated key, a value that is
// malformed, without its unit or outside min..max, a required key that is absent.
enum tr_status model_get(const struct model *model, const char *section,
			 const struct model_field *fields, void *out, struct tr_error *err);

// Adds the struct's values as lines in the table's order. comments, in the same order, may be NULL,
// as may each of them. MODEL_REPEATED rows are left to the caller.
void model_put(struct model *model, const struct model_field *fields, const void *in,
	       const char *const *comments);

// The text of a value in a suitable unit. model_value reads back the same value if it came from
// model_settle or a text of at most 15 digits; others are rounded to nine digits and 15 decimals of
// the unit. Returns out.
const char *model_format(enum model_type type, double value, char out[MODEL_NUMBER_BYTES]);

// Reads one value with its unit. TR_ERROR: err says what was expected.
enum tr_status model_value(enum model_type type, const char *text, double *out,
			   struct tr_error *err);

// The word of a value; "?" if it has none.
const char *model_word_of(const struct opt_choice *words, int value);

// Rounds value to digits (1..12) significant digits of its unit, for fits and rules, so that text
// and number agree. A value that is not finite is unchanged.
double model_settle(enum model_type type, double value, int digits);

#define MODEL_INTERVAL_BYTES (3 * MODEL_NUMBER_BYTES)

// "1.9 ms .. 2.1 ms": the range between two values, to four digits; "" where one of them is not
// finite. Returns out.
const char *model_range(enum model_type type, double low, double high,
			char out[MODEL_INTERVAL_BYTES]);

// "1.9 ms .. 2.1 ms at 99 %": a confidence interval with its level (0 .. 1); else as model_range.
const char *model_interval(enum model_type type, double low, double high, double level,
			   char out[MODEL_INTERVAL_BYTES]);

#endif
