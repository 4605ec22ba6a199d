// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a fitted model may be trusted to make about as many packets as the trace it was fitted to. It may not
// - where a parameter stands at the bound of its search, so that the trace has not decided its value;
// - where the model's forecast of the packets in the trace's time misses those of the trace by more than its interval and
//   a tenth;
// - where more than a tenth of its runs have no packet at all.
//
// The forecast: FIT_DOUBT_RUNS runs of the generator, whose range a further run leaves with probability 2/(runs + 1). No law of
// the counts is assumed, which matters for families with long memory or heavy tails. Where so many runs would make more than
// FIT_DOUBT_PACKETS packets, a family whose counts have a finite dispersion D over long times gets the normal interval
// n +- z sqrt(D n), and another one fewer runs, 9 at least, and Student's prediction interval.
#ifndef GEN_FIT_DOUBT_H
#define GEN_FIT_DOUBT_H

#include <stdint.h>

#include "trace/model.h"
#include "trace/status.h"

#define FIT_DOUBT_RUNS 39u // a range of 95 %
#define FIT_DOUBT_PACKETS 2e6
#define FIT_DOUBT_BYTES 200u

// A model, and what it was fitted to.
struct fit_doubt {
	const struct model *text;
	const char *bound;    // the parameter at its bound, in words; "": none
	uint64_t packets;     // of the trace
	int64_t length_ticks; // time that they took, above 0
	uint64_t ticks_per_s;
};

// Writes to reason why the model is not to be trusted, "" where nothing speaks against it. TR_ERROR: a
// generator refuses the text, or cannot run it.
enum tr_status fit_doubt_find(const struct fit_doubt *doubt, char reason[FIT_DOUBT_BYTES], struct tr_error *err);

#endif
