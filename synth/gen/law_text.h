// SPDX-License-Identifier: GPL-3.0-or-later
// A law as keys of a model beside that of its mean: "silence 70 ms", "silence-law lognormal 0.8", and for an empirical one
// "silence-bin 12 x 1 ms .. 2 ms".
#ifndef GEN_LAW_TEXT_H
#define GEN_LAW_TEXT_H

#include "gen/law.h"
#include "trace/model.h"
#include "gen/model_field.h"

// Rows of a table of fields, for the quantity called name.
#define LAW_FIELDS(name) \
	{name "-law", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
	{ \
		name "-bin", MODEL_REPEATED, 0, false, 0, 0, NULL \
	}

// Which laws a quantity may follow.
enum law_sort {
	LAW_TIMES,   // all but the geometric one; bins are times
	LAW_NUMBERS, // whole numbers from 1: also the geometric one; bins are numbers
};

// Reads the law of the quantity; the mean stays as it is, and the law where the text is silent. TR_ERROR with file and line: an
// unknown law, a shape that is malformed, missing, needless or out of range, bins without an empirical law or without a mean.
// law may own bins then.
enum tr_status law_get(const struct model *model, const char *section, const char *name, enum law_sort sort, struct law *law,
		       struct tr_error *err);

// Adds the law as lines, none where it is usual.
void law_put(struct model *model, const char *name, enum law_sort sort, const struct law *law, enum law_name usual);

// "lognormal of shape 0.8". Returns out.
#define LAW_DESCRIPTION_BYTES 64
const char *law_describe(const struct law *law, char out[LAW_DESCRIPTION_BYTES]);

#endif
