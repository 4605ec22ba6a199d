// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a fitted model can be trusted to generate about as many packets as the trace it was fitted to. It cannot
// - if a parameter is at the bound of its search, so that the trace does not determine its value;
// - if the number of packets forecast for the trace's duration misses the trace's by more than its interval and a tenth;
// - if more than a tenth of its runs have no packet at all;
// - a parallel program, instead of the last two, if it misses what rerun.h compares.
//
// The forecast: FIT_DOUBT_RUNS runs of the generator, whose range a further run leaves with probability 2/(runs + 1). It
// assumes no law of the counts, which matters for families with long memory or heavy tails. If these runs would exceed
// FIT_DOUBT_PACKETS packets, a family whose counts have a finite dispersion D over long times gets the normal interval n +- z
// sqrt(D n), any other one fewer runs, at least 9, and Student's prediction interval.
#ifndef GEN_FIT_DOUBT_H
#define GEN_FIT_DOUBT_H

#include <stdint.h>

#include "gen/fit/rerun.h"
#include "stat/nodes/packet_sample.h"
#include "text/model.h"
#include "value/status.h"

#define FIT_DOUBT_RUNS 39u // a range of 95 %
#define FIT_DOUBT_PACKETS 2e6
#define FIT_DOUBT_BYTES FIT_COMPARISON_BYTES

// A model, and the data it was fitted to.
struct fit_doubt {
	const struct model *text;
	const char *bound;    // the parameter at its bound, in words; "": none
	uint64_t packets;     // of the trace
	int64_t length_ticks; // duration of the packets, above 0
	uint64_t ticks_per_s;
	struct fit_traced traced; // of a parallel program
};

// Of a fit to the sample; text and notes are lent.
struct fit_doubt fit_doubt_of(const struct model *text, const struct fit_notes *notes, const struct packet_sample *sample);

// Tells where the generator rejects the text: a value is outside its range, e.g. for a trace of zero length.
enum tr_status fit_doubt_try(const struct fit_doubt *doubt, struct tr_error *err);

// Writes to reason why the model is not to be trusted, "" if it is. TR_ERROR: a generator rejects the text, or cannot run it.
enum tr_status fit_doubt_find(const struct fit_doubt *doubt, char reason[FIT_DOUBT_BYTES], struct tr_error *err);

#endif
