// SPDX-License-Identifier: GPL-3.0-or-later
// The likeliest chain of a family for a sample, with as many states as the Bayesian information criterion asks for: few
// rounds of EM (chain_em.h) from each of some starts, on a part of the sample; the best further; one state more as long as
// the criterion gains by it; then the winner on all of it.
#ifndef GEN_ARRIVALS_CHAIN_SEEK_H
#define GEN_ARRIVALS_CHAIN_SEEK_H

#include "gen/arrivals/chain.h"
#include "gen/families/arrivals.h"

#define CHAIN_SOUGHT_PACKETS ((size_t)1 << 17) // at most; of more, stretches (stretches.h)

struct chain_family {
	unsigned states_max, starts;
	// Sets a chain of two states or more to one of the starts, for a mean gap. TR_END: this one cannot be.
	enum tr_status (*start)(struct chain *out, const struct arrival_sample *sample, double gap_ticks, unsigned which,
				struct tr_error *err);
};

// Makes *out; it is the caller's. TR_ERROR: too few packets, or no memory; *out is empty then.
enum tr_status chain_seek(const struct chain_family *family, const struct arrival_sample *sample, struct chain *out,
			  struct tr_error *err);

// Low and high ends of the rates (1/s, d1 behind d0 as in the chain; 0 and 0 where not known) and of the mean stays
// (s; NULL: not wanted), from the observed information and the normal law of logarithms. TR_ERROR without memory.
enum tr_status chain_intervals(const struct chain *chain, const struct arrival_sample *sample, double (*rates)[2],
			       double (*stays_s)[2], struct tr_error *err);

// Says in words how it was found.
void chain_seek_note(const struct chain *found, const struct arrival_sample *sample, char out[ARRIVAL_NOTE_BYTES]);

#endif
