// SPDX-License-Identifier: GPL-3.0-or-later
// What every program generator is: an algorithm written down as a GOAL text. A new one is a file that
// fills in a struct program_kind, and one line of the table in table.c.
#ifndef GEN_PROGRAMS_KIND_H
#define GEN_PROGRAMS_KIND_H

#include "gen/programs/arguments.h"
#include "trace/goal.h"

struct program_kind {
	const char *name;
	const char *keys;    // "N=64,ranks=8,..." with the usual values
	const char *summary; // one line
	// Takes its arguments and writes the text, of which it holds nothing. TR_ERROR: a wrong argument
	// (nothing was written then), or a time that does not fit. Failures of out show there.
	enum tr_status (*write)(struct program_args *args, FILE *out, struct tr_error *err);
};

// The kinds, ended by NULL.
extern const struct program_kind *const program_kinds[];

// Writes the program that text names to out: a comment that says what it is, then the text.
enum tr_status program_write(const char *text, FILE *out, struct tr_error *err);

extern const struct program_kind program_matmul;
extern const struct program_kind program_multicast;
extern const struct program_kind program_fft_rc;
extern const struct program_kind program_fft_vr;

#endif
