// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_stalls.h"

#include <math.h>

#define DRAWN_MAX \
	(UINT64_C(1) \
	 << 20)	     // packets of a message with stalls that are drawn; later ones have the mean
#define LIKELIER 3.0 // by so much in the logarithm a window must be likelier than none

struct program_stalls program_stalls_make(const struct program_flow *flow, double ticks_per_s)
{
	const double mean_ticks = fmin(flow->stall_s * ticks_per_s, 0x1p40);
	const double free = fmax(1, floor(flow->stall_after_B / flow->segment_B));

	return (struct program_stalls){
		.chance = (uint64_t)(flow->stalls * 0x1p64),
		.free_packets = (uint64_t)free,
		.mean_ticks = (int64_t)mean_ticks,
		.usual_ticks = flow->stalls > 0
				       ? (int64_t)(mean_ticks / (free - 1 + 1 / flow->stalls))
				       : 0,
	};
}

// The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, OOPSLA 2014).
static uint64_t program_stalls_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

// Stalls are uniform up to twice their mean: in captures their coefficient of variation is 0.4 to
// 0.58, and 0.58 is that law's.
int64_t program_late_at(struct program_late *late, const struct program_stalls *stalls,
			uint64_t packet)
{
	if (stalls->chance == 0)
		return 0;
	while (late->packet < packet) {
		const uint64_t gap = late->packet++;
		uint64_t bits;

		if (gap + 1 - late->stalled < stalls->free_packets)
			continue;
		if (gap >= DRAWN_MAX) {
			late->ticks += stalls->usual_ticks;
			continue;
		}
		bits = program_stalls_mix(late->seed + gap * UINT64_C(0x9e3779b97f4a7c15));
		if (bits >= stalls->chance)
			continue;
		late->stalled = gap + 1;
		late->ticks += (int64_t)((unsigned __int128)program_stalls_mix(bits) * 2 *
						 (uint64_t)stalls->mean_ticks >>
					 64);
	}
	return late->ticks;
}

void program_stall_note(struct program_stall_counts *counts, uint64_t packets_before, bool stall)
{
	const size_t place = packets_before < PROGRAM_PLACES ? packets_before : PROGRAM_PLACES - 1;

	counts->gaps[place]++;
	counts->stalls[place] += stall;
}

// The logarithm of the likelihood of so many stalls in so many gaps, at their share.
static double program_stalls_log_likelihood(double stalls, double gaps)
{
	const double smooth = gaps - stalls;

	return (stalls > 0 ? stalls * log(stalls / gaps) : 0) +
	       (smooth > 0 ? smooth * log(smooth / gaps) : 0);
}

// A change point: the share of gaps with a stall is one up to a place, and another one from there
// on.
void program_stalls_fit(struct program_flow *flow, const struct program_stall_counts *counts)
{
	double gaps = 0, stalls = 0, gaps_before = 0, stalls_before = 0, best;

	for (size_t i = 0; i < PROGRAM_PLACES; i++) {
		gaps += (double)counts->gaps[i];
		stalls += (double)counts->stalls[i];
	}
	flow->stalls = gaps > 0 ? stalls / gaps : 0;
	flow->stall_after_B = 0;
	best = program_stalls_log_likelihood(stalls, gaps) + LIKELIER;
	for (size_t i = 0; i + 2 < PROGRAM_PLACES; i++) {
		double here, share;

		gaps_before += (double)counts->gaps[i];
		stalls_before += (double)counts->stalls[i];
		if (!(gaps_before > 0) || !(gaps > gaps_before))
			continue;
		share = (stalls - stalls_before) / (gaps - gaps_before);
		here = program_stalls_log_likelihood(stalls_before, gaps_before) +
		       program_stalls_log_likelihood(stalls - stalls_before, gaps - gaps_before);
		if (here <= best || share * gaps_before <= stalls_before)
			continue;
		best = here;
		flow->stalls = share;
		flow->stall_after_B = (double)(i + 1) * flow->segment_B;
	}
}
