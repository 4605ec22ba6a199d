// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a fitted model can be trusted to generate about as many packets as the trace it was
// fitted to. It cannot
// - if a parameter is at the bound of its search, so that the trace does not determine its value;
// - if the number of packets forecast for the trace's duration misses the trace's by more than its
//   interval and a tenth;
// - if more than a tenth of its runs have no packet at all;
// - a parallel program, instead of the last two, if it misses what rerun.c compares.
//
// The forecast: FIT_DOUBT_RUNS runs of the generator, whose range a further run leaves with
// probability 2/(runs + 1). It assumes no law of the counts, which matters for families with long
// memory or heavy tails. If these runs would exceed FIT_DOUBT_PACKETS packets, a family whose
// counts have a finite dispersion D over long times gets the normal interval n +- z sqrt(D n), any
// other one fewer runs, at least 9, and Student's prediction interval.
#ifndef GEN_FIT_DOUBT_H
#define GEN_FIT_DOUBT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/families/family.h"
#include "gen/model_field.h"
#include "stat/nodes/packet_sample.h"
#include "text/model.h"
#include "value/status.h"

// ---- rerun.c
// A parallel program's model beside its trace: it runs again for the iterations that were found,
// and its packets, their bytes, the iterations and their length are compared with those of the
// trace, and by the caller the latency over a network. A model that misses one of them by more than
// a tenth does not match the trace.
//
// The runs end by themselves, so that what a trace has before and after its iterations counts by
// its packets, but not by its time.

#define FIT_RERUNS 5u		   // of a model
#define FIT_RERUNS_MAX 20u	   // beside what was held out; their latency is that of the first 5
#define FIT_RERUN_PACKETS 1000000u // of all of them, where one has fewer
#define FIT_COMPARISON_BYTES 760u

// What a trace has beside its model.
struct fit_traced {
	struct fit_iterations iterations;
	double packets, wire_B; // 0: not known
	double outside;		// packets before and after the iterations
	uint64_t ticks_per_s;
};

// By run.
struct fit_reruns {
	unsigned count;
	double packets[FIT_RERUNS_MAX], wire_B[FIT_RERUNS_MAX],
		seconds[FIT_RERUNS_MAX]; // from a run's first packet to its last one
};

// One quantity of a trace and of its model, the mean of its runs; low, high: their interval, NAN of
// one number.
#define FIT_COMPARED_MAX 8u
struct fit_compared {
	const char *what; // lent
	enum model_type type;
	double trace, model, low, high;
	bool counts; // the model is not the trace's if it is off
};

// Quantities of a trace and of its model, also in words.
struct fit_comparison {
	// The trace was held out of the fit: a quantity misses if it is off by more than a tenth
	// and also outside the interval in which one lies that was made by the model and compared
	// with a fit of as much.
	bool held_out;
	bool tails; // of what was held out, the 99th percentile of the latency counts
	char text[FIT_COMPARISON_BYTES]; // "packets 240 in the trace, 200 in the model (-16.7 %);
					 // bytes ...", with intervals of what is held out
	struct fit_compared each[FIT_COMPARED_MAX];
	unsigned count;
	bool misses;  // one by more than a tenth
	bool unshown; // so, but inside the interval
};

// Packets and bytes of the sample, without those of an iteration that its end has cut.
struct fit_traced fit_traced_of(const struct packet_sample *sample,
				const struct fit_iterations *iterations);

// Student's prediction interval (95 %, kept above 0) from so many runs: of one more run (further:
// 1), or one that differs from them by as much again (2). Without an interval the mean for both.
struct fit_prediction {
	double mean, low, high;
};
struct fit_prediction fit_predict(const double *runs, unsigned count, double further);

// How many runs to make beside a trace with so many packets.
unsigned fit_rerun_count(double packets);

// Runs the model with this seed and adds what it sends. A run stops at a multiple of the trace's
// packets. first (NULL: none) gets the first packets, as many as its most; packet_sample_clear
// frees it. TR_ERROR: the text is not a model, or memory runs out.
enum tr_status fit_rerun_add(struct fit_reruns *out, const struct model *text,
			     const struct fit_traced *traced, uint64_t seed,
			     struct packet_sample *first, struct tr_error *err);

// Adds one quantity; counts: the model is not the trace's where it misses.
void fit_compare(struct fit_comparison *out, const char *what, enum model_type type, double trace,
		 double model, bool counts);

// Adds the mean of a quantity over the runs, divided by over.
void fit_compare_runs(struct fit_comparison *out, const char *what, enum model_type type,
		      double trace, const double *runs, unsigned count, double over, bool counts);

// Adds packets and bytes where they are known, the iterations and their length.
void fit_compare_reruns(struct fit_comparison *out, const struct fit_reruns *reruns,
			const struct fit_traced *traced);

// If the model misses, adds how many packets are outside the iterations, such as those of a
// program's launcher, and how to leave them out.
void fit_compare_outside(struct fit_comparison *out, const struct fit_traced *traced);

// ---- doubt.c

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
	bool held_out;		  // of the fit: as in struct fit_comparison
};

// Of a fit to the sample; text and notes are lent.
struct fit_doubt fit_doubt_of(const struct model *text, const struct fit_notes *notes,
			      const struct packet_sample *sample);

// Reports where the generator rejects the text because a value is outside its range, e.g. for a
// trace of zero length.
enum tr_status fit_doubt_try(const struct fit_doubt *doubt, struct tr_error *err);

// Writes to reason why the model is not to be trusted, "" if it is. TR_ERROR: a generator rejects
// the text, or cannot run it.
enum tr_status fit_doubt_find(const struct fit_doubt *doubt, char reason[FIT_DOUBT_BYTES],
			      struct tr_error *err);

#endif
