// SPDX-License-Identifier: GPL-3.0-or-later
// What makes the packets of a stream come in bursts: periods, trains, silences, memory.
#ifndef REPORT_BURST_CAUSES_H
#define REPORT_BURST_CAUSES_H

#include <stddef.h>
#include <stdint.h>

#include "report/stream.h"

// A gap is short below a tenth of the mean gap: a train goes on. It is a silence above ten mean gaps.
#define TRAIN_GAP 0.1
#define SILENCE_GAP 10.0

struct burst_causes {
	double trained; // share of the gaps that are short; 1 - exp(-TRAIN_GAP) in Poisson traffic
	double train;	// packets in a row, on average
	double silent;	// share of the time that lies in silences; (1 + SILENCE_GAP) exp(-SILENCE_GAP) in Poisson traffic
	uint64_t silences;
	double longest_s; // gap
};

// Of a finished stream; all 0 where it has fewer than 30 gaps or no duration. From the histogram of the gaps: silent is
// right to 1 %.
struct burst_causes burst_causes_find(const struct stream *stream);

// Writes them as sentences to text, those that are more than in Poisson traffic; returns the length. width_s: of the bins whose
// dispersion comes first, one of the 13.
size_t burst_causes_say(const struct stream *stream, double width_s, char *text, size_t bytes);

#endif
