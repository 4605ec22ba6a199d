// SPDX-License-Identifier: GPL-3.0-or-later
// What a program generator is asked for: "name:key=value,key=value".
#ifndef GEN_PROGRAMS_ARGUMENTS_H
#define GEN_PROGRAMS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/num.h"
#include "trace/status.h"

#define PROGRAM_ARGS_MAX 16u
#define PROGRAM_ARGS_BYTES 512u
#define PROGRAM_SIDES_MAX 3u

// Sides of a grid of ranks or cells, 1 to 3 of them; those that there are not are 1.
struct program_grid {
	uint32_t sides[PROGRAM_SIDES_MAX];
	unsigned count;
};

// Each value that is asked for is also written down, so that used says all that the program was made from.
struct program_args {
	char text[PROGRAM_ARGS_BYTES]; // cut into words
	const char *name;
	const char *usual; // "key=value,key=value|other word": what holds where nothing is said; lent
	struct program_arg {
		const char *key;
		const char *value;
		bool known; // it was asked for
	} items[PROGRAM_ARGS_MAX];
	size_t count;
	char used[PROGRAM_ARGS_BYTES];
	bool failed; // err says why; from then on a value is the least that there is
	struct tr_error *err;
};

// Cuts text. TR_ERROR where it is not of that form, too long, or says a key twice.
enum tr_status program_args_parse(struct program_args *args, const char *text, struct tr_error *err);

// A whole number min .. max.
uint64_t program_args_count(struct program_args *args, const char *key, uint64_t min, uint64_t max);

// A quantity of 0 or more: s, B ... by the dimension.
struct num_ratio program_args_quantity(struct program_args *args, const char *key, enum num_dimension dimension);

// A whole number of bytes, min .. max.
uint64_t program_args_bytes(struct program_args *args, const char *key, uint64_t min, uint64_t max);

// One of the words of the usual text, the first being 0.
unsigned program_args_word(struct program_args *args, const char *key);

// The sides of a grid: "4x4x2"; each is at least 1, their product at most max.
struct program_grid program_args_grid(struct program_args *args, const char *key, uint64_t max);

// TR_ERROR where a value was wrong or a key was not asked for.
enum tr_status program_args_end(struct program_args *args);

#endif
