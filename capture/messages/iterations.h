// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations of a program in its messages: parts separated by long silences of the whole network.
// Of all thresholds between lengths of silences it takes the one whose parts are most alike, that
// is, most have the same messages between the same nodes.
#ifndef MESSAGES_ITERATIONS_H
#define MESSAGES_ITERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

#define ITERATIONS_ALIKE_MIN \
	0.5 // share of iterations with the same messages, below which none is usual

// A message for this purpose. kind: a number that messages alike share (the same nodes); 0: it does
// not count in the likeness.
struct iteration_message {
	int64_t begin_ticks, end_ticks;
	uint64_t kind;
};

struct iterations {
	size_t *begins; // of each iteration its first message; begins[count] is the number of
			// messages
	bool *usual; // of each: whether it has the most frequent messages; none has where few are
		     // alike
	size_t count;
	bool silences; // false: there are no such silences, and the time is cut into equal blocks
	size_t first_alike; // the first that has the most frequent messages; 0 where few are alike
	bool within;  // the first and the last together have the most frequent messages: where the
		      // trace has all, the silences are within what a program repeats
	double alike; // share of the iterations that have the most frequent messages
	size_t typical; // one of median length of the usual ones; where few are alike, that with
			// the most messages
};

// Whether silences separate iterations and most have the same messages.
static inline bool iterations_repeat(const struct iterations *iterations)
{
	return iterations->silences && iterations->alike >= ITERATIONS_ALIKE_MIN;
}

// The last end of an iteration's messages, which are the ones that iterations_find was given.
int64_t iterations_end(const struct iterations *iterations,
		       const struct iteration_message *messages, size_t iteration);

// Cuts count messages, sorted by their begins, at silences longer than least_ticks (0 or more).
// TR_ERROR: out of memory, or no message. iterations_clear frees it in any case.
enum tr_status iterations_find(const struct iteration_message *messages, size_t count,
			       int64_t least_ticks, struct iterations *out, struct tr_error *err);

// Frees what it holds; it is empty then.
void iterations_clear(struct iterations *iterations);

#endif
