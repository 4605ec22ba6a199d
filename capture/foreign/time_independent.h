// SPDX-License-Identifier: GPL-3.0-or-later
// The words and actions of a line of a time-independent trace: time_independent_words.c,
// time_independent_actions.c and time_independent_collectives.c, for time_independent.c.
#ifndef FOREIGN_TIME_INDEPENDENT_H
#define FOREIGN_TIME_INDEPENDENT_H

#include "foreign/foreign.h"
#include "stream/lines.h"

#define TI_TICKS_PER_S UINT64_C(1000000000)
#define TI_WORDS_MAX (TR_LINE_MAX / 2 + 1)
#define TI_AMOUNT_MAX 0x1p62 // bytes, or ticks
#define TI_DOUBLE 0u	     // numbers of types
#define TI_BYTE 6u

struct ti_pending {
	uint32_t from, to;
	int32_t tag;
	bool joined; // a send and a receive: request, and the number after it
	uint64_t request;
};

struct ti_clock {
	int64_t ticks;
	uint64_t requests; // numbers given so far
	struct ti_pending *pending;
	uint32_t count, capacity;
	unsigned type; // of sizes without one
};

struct ti_reading {
	const struct foreign_input *input;
	struct events *events;
	struct tr_lines lines;
	char **words;
	size_t count; // words of the line
	char zero[2]; // a word that was left out
	struct ti_clock *clocks;
	uint32_t rank; // of the line
};

// Splits a line at blanks into reading->words, in place. False if it has none.
bool ti_split(struct ti_reading *reading, char *line);

// Each reads the word with this number. TR_ERROR: err names the line, what was expected and what
// was found.

// Checks that at least this many words follow the action.
enum tr_status ti_need(struct ti_reading *reading, size_t words, struct tr_error *err);

// A number of 0 or more; a rank; a rank, any source (EVENT_ANY) or MPI_PROC_NULL (EVENT_NOBODY); a
// tag or any (EVENT_ANY_TAG).
enum tr_status ti_real(struct ti_reading *reading, size_t word, double *out, struct tr_error *err);
enum tr_status ti_rank(struct ti_reading *reading, size_t word, uint32_t *out,
		       struct tr_error *err);
enum tr_status ti_peer(struct ti_reading *reading, size_t word, uint32_t *out,
		       struct tr_error *err);
enum tr_status ti_tag(struct ti_reading *reading, size_t word, int32_t *out, struct tr_error *err);

// The bytes of a count whose type has this word, if there is one; otherwise the rank's usual type.
enum tr_status ti_bytes(struct ti_reading *reading, size_t word, size_t type_word, uint64_t *out,
			struct tr_error *err);

// The actions of the rank, at its time. Of a pending one, request is its number, to be remembered
// until a wait ends it.
enum tr_status ti_put(struct ti_reading *reading, struct event event, uint64_t request,
		      struct tr_error *err);
enum tr_status ti_remember(struct ti_reading *reading, const struct ti_pending *made,
			   struct tr_error *err);

// Moves the rank's clock by the amount of the word, of so many ticks each.
enum tr_status ti_advance(struct ti_reading *reading, size_t word, double ticks_each,
			  struct tr_error *err);
double ti_ticks_per_flop(const struct ti_reading *reading);

// The action of the line, and whether a word is one; collective operations are none.
enum tr_status ti_act(struct ti_reading *reading, struct tr_error *err);
bool ti_is_action(const char *word);

// A collective operation, and whether a word is one.
enum tr_status ti_collective(struct ti_reading *reading, struct tr_error *err);
bool ti_is_collective(const char *word);

// "expected WHAT, found WORD". Returns TR_ERROR.
enum tr_status ti_fail(struct ti_reading *reading, struct tr_error *err, const char *what,
		       const char *word);

#endif
