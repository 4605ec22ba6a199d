// SPDX-License-Identifier: GPL-3.0-or-later
// One table per program: it drives parsing, --help, the completion scripts and the record of options in
// the provenance. The value that a row's variable has before parsing is its default.
#ifndef TRACE_OPT_H
#define TRACE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/num.h"

enum opt_type {
	OPT_TYPE_END, OPT_TYPE_FLAG, OPT_TYPE_COUNT, OPT_TYPE_REAL, OPT_TYPE_STRING,
	OPT_TYPE_QUANTITY, OPT_TYPE_CHOICE, OPT_TYPE_LIST,
};

// A word and what it stands for; a table ends with a NULL word.
struct opt_choice {
	const char *word;
	int value;
};

// Values of an option that may be given several times, in order. words are lent from argv.
struct opt_list {
	const char **words;
	size_t count;
};

#define OPT_SILENT 1u // does not affect the result: not recorded in the provenance

struct opt {
	enum opt_type type;
	int letter; // 0 for none
	const char *name;
	const char *metavar;
	const char *help;
	void *value;
	enum num_dimension dimension;
	const struct opt_choice *choices;
	unsigned flags;
	uint64_t max; // of a count; 0 for no bound
};

#define OPT_FLAG(l, n, v, h) {OPT_TYPE_FLAG, l, n, NULL, h, (bool *){v}, NUM_PLAIN, NULL, 0, 0}
#define OPT_COUNT(l, n, v, h) {OPT_TYPE_COUNT, l, n, "N", h, (uint64_t *){v}, NUM_PLAIN, NULL, 0, 0}
#define OPT_REAL(l, n, v, h) {OPT_TYPE_REAL, l, n, "X", h, (double *){v}, NUM_PLAIN, NULL, 0, 0}
#define OPT_STRING(l, n, m, v, h) {OPT_TYPE_STRING, l, n, m, h, (const char **){v}, NUM_PLAIN, NULL, 0, 0}
// Exact quantities: the variable is a struct num_ratio in s, B, b/s, m or m/s.
#define OPT_QUANTITY(l, n, m, d, v, h) {OPT_TYPE_QUANTITY, l, n, m, h, (struct num_ratio *){v}, d, NULL, 0, 0}
#define OPT_TIME(l, n, v, h) OPT_QUANTITY(l, n, "TIME", NUM_TIME, v, h)
#define OPT_SIZE(l, n, v, h) OPT_QUANTITY(l, n, "SIZE", NUM_SIZE, v, h)
#define OPT_RATE(l, n, v, h) OPT_QUANTITY(l, n, "RATE", NUM_RATE, v, h)
#define OPT_CHOICE(l, n, v, c, h) {OPT_TYPE_CHOICE, l, n, NULL, h, (int *){v}, NUM_PLAIN, c, 0, 0}
#define OPT_LIST(l, n, m, v, h) {OPT_TYPE_LIST, l, n, m, h, (struct opt_list *){v}, NUM_PLAIN, NULL, 0, 0}
#define OPT_SILENT_FLAG(l, n, v, h) {OPT_TYPE_FLAG, l, n, NULL, h, (bool *){v}, NUM_PLAIN, NULL, OPT_SILENT, 0}
#define OPT_SILENT_STRING(l, n, m, v, h) {OPT_TYPE_STRING, l, n, m, h, (const char **){v}, NUM_PLAIN, NULL, OPT_SILENT, 0}
#define OPT_END {OPT_TYPE_END, 0, NULL, NULL, NULL, NULL, NUM_PLAIN, NULL, 0, 0}

#endif
