// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts of one stream of packets, such as those of one sender and class, for a list of burst gaps
// at once: a burst ends where the next packet comes more than the burst gap after the last
// (stat/bursts/burst_gap.h).
//
// A silence ends the bursts of all shorter burst gaps, and neighbouring ones end the same burst if
// their bursts began at the same silence. So the last bursts are kept as steps, one for each
// silence at which some of them began, and the sums as differences from one burst gap to the next:
// a packet adds at most one step, and each is removed once. Time per packet is amortised constant,
// except for a binary search of the list. Memory: about 154 bytes a listed gap.
#ifndef STAT_BURST_H
#define STAT_BURST_H

#include <stddef.h>
#include <stdint.h>

#include "stat/bursts/burst_gap.h"
#include "stat/counts/partial.h"
#include "stat/intervals/moments.h"
#include "value/status.h"

// The listed gaps from the end of the step below it up to end, and the last burst of each.
struct burst_step {
	size_t end;
	uint64_t first; // number of packets before the burst
	int64_t start;	// its first packet's time
};

// The first burst by one burst gap is kept apart, as is the last one, since packets before or after
// the trace may belong to them.
struct burst_head {
	uint64_t pulses;
	int64_t second_start; // time at which the second begins
};

// Bursts that are neither first nor last; differences from the listed gap before. The sums of a
// listed gap fit 64 bits, the differences are modulo 2^64.
struct burst_sums {
	uint64_t pulses;
	uint64_t starts; // from start to start, from the second burst on
	unsigned __int128 pulses_squares;
	unsigned __int128 starts_squares;
};

struct burst {
	const struct burst_gaps *list; // lent
	uint64_t packets;
	int64_t first_ticks;
	int64_t last_ticks;
	struct moments size_bytes;
	size_t split_count; // listed gaps shorter than some silence; sums and gaps end there: [0,
			    // split_count]
	struct burst_head *heads; // of these
	struct burst_step *steps; // the last is that of the shortest ones
	size_t step_count;
	struct burst_sums *sums;
	struct moments *gaps; // gaps[i]: longer than listed gap i - 1, up to listed gap i
};

// Bursts by one burst gap. Times are in ticks. The range of interarrival and pulses (min, max) is
// unknown and 0.
struct burst_statistics {
	struct moments interarrival; // from the start of a burst to the start of the next
	struct moments silence;	     // from the last packet of a burst to the first of the next
	struct moments pulses;	     // packets per burst
	struct moments delay;	     // between the packets within bursts
	struct moments size_bytes;
};

// Makes an empty one for a list of burst gaps, which must outlive it. TR_ERROR if out of memory;
// burst_close is then allowed.
enum tr_status burst_open(struct burst *burst, const struct burst_gaps *list, struct tr_error *err);

// Adds a packet; times must not step back.
void burst_add(struct burst *burst, int64_t time_ticks, uint64_t size_bytes);

// Number of silences longer than listed gap i.
uint64_t burst_splits(const struct burst *burst, size_t i);

// Adds the gaps of this stream to those of others with the same list.
void burst_count_gaps(const struct burst *burst, struct burst_gap_counts *gaps);

// Bursts by listed gap i, with the first and the last one.
struct burst_statistics burst_get(const struct burst *burst, size_t i);

// Adds the bursts of another stream.
void burst_statistics_merge(struct burst_statistics *into, const struct burst_statistics *from);

// Adds a later part of the stream, with the same list, as if its packets had been added one by one.
// Its first packet must not be earlier than the last one so far.
void burst_join(struct burst *burst, const struct burst *later);

// Makes all times so much later; they must fit.
void burst_shift(struct burst *burst, int64_t ticks);

// Writes one to a partial, or reads it into an empty one that burst_open has made.
void burst_exchange(struct burst *burst, struct partial *partial);

// Makes it empty again.
void burst_clear(struct burst *burst);

// Frees what it holds; it is empty then.
void burst_close(struct burst *burst);

#endif
