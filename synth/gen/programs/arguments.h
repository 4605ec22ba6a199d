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

// Each value that is asked for is also written down, so that used says all that the program was made from.
struct program_args {
	char text[PROGRAM_ARGS_BYTES]; // cut into words
	const char *name;
	struct program_arg {
		const char *key;
		const char *value;
		bool known; // it was asked for
	} items[PROGRAM_ARGS_MAX];
	size_t count;
	char used[PROGRAM_ARGS_BYTES];
	bool failed; // err says why; from then on defaults are given
	struct tr_error *err;
};

// Cuts text. TR_ERROR where it is not of that form, too long, or says a key twice.
enum tr_status program_args_parse(struct program_args *args, const char *text,
				  struct tr_error *err);

// A whole number min .. max.
uint64_t program_args_count(struct program_args *args, const char *key, uint64_t usual,
			    uint64_t min, uint64_t max);

// A quantity of 0 or more: s, B ... by the dimension. usual as it would stand in the text.
struct num_ratio program_args_quantity(struct program_args *args, const char *key,
				       const char *usual, enum num_dimension dimension);

// TR_ERROR where a value was wrong or a key was not asked for.
enum tr_status program_args_end(struct program_args *args);

#endif
