// SPDX-License-Identifier: GPL-3.0-or-later
// The streams of tests/golden: one small stream of each kind, as records and as hand-made bytes.
#ifndef TESTS_GOLDEN_STREAMS_H
#define TESTS_GOLDEN_STREAMS_H

#include "hand_made.h"
#include "stream/record.h"

#define GOLDEN_RECORDS 3u
#define GOLDEN_TICKS_PER_S 1000000000u
#define GOLDEN_ORIGIN_S 866894400 // 1997-06-21 16:00:00 UTC
#define GOLDEN_ORIGIN_NS 250000000u
#define GOLDEN_UNTIL_TICKS 2000000000 // the stream is complete up to here
#define GOLDEN_LOST 7u
#define GOLDEN_PROVENANCE "golden 1\n  option --seed=1\n"
#define GOLDEN_NOTE "  digest second.pcap 0123456789abcdef\n"

struct golden {
	const char *file; // in tests/golden
	enum tr_kind kind;
	const void *records; // GOLDEN_RECORDS of them
	size_t record_bytes;
	void (*put)(struct hand_made *made, size_t index); // the hand-made bytes of one
};

extern const struct golden golden_streams[];
extern const size_t golden_count;

// Makes the whole stream by hand.
void golden_make(const struct golden *golden, struct hand_made *made);

#endif
