// SPDX-License-Identifier: GPL-3.0-or-later
// A parallel program's model beside its trace: it runs again for the iterations that were found, and its packets, their bytes, the
// iterations and their length are compared with those of the trace, and by the caller the latency over a network. A model that
// misses one of them by more than a tenth is not the trace's.
//
// The runs end by themselves, so that what a trace has before and after its iterations counts by its packets, but not by its time.
#ifndef GEN_FIT_RERUN_H
#define GEN_FIT_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/families/family.h"
#include "gen/model_field.h"

#define FIT_RERUNS 5u		   // of a model
#define FIT_RERUN_PACKETS 1000000u // of all of them, where one has fewer
#define FIT_COMPARISON_BYTES 560u

// What a trace has beside its model.
struct fit_traced {
	struct fit_iterations iterations;
	double packets, wire_B; // 0: not known
	double outside;		// packets before and after the iterations
	uint64_t ticks_per_s;
};

// Sums over the runs.
struct fit_reruns {
	unsigned count;
	double packets, wire_B, seconds; // seconds: from a run's first packet to its last one
};

// Quantities of a trace and of its model, in words.
struct fit_comparison {
	char text[FIT_COMPARISON_BYTES]; // "packets 240 in the trace, 200 in the model (-16.7 %); bytes ..."
	bool misses;			 // one by more than a tenth
};

// Packets and bytes of the sample, without those of an iteration that its end has cut.
struct fit_traced fit_traced_of(const struct packet_sample *sample, const struct fit_iterations *iterations);

// How many runs to make beside a trace with so many packets.
unsigned fit_rerun_count(double packets);

// Runs the model with this seed and adds what it sends. A run stops at a multiple of the trace's packets. first (NULL: none) gets
// the first packets, as many as its most; packet_sample_clear frees it. TR_ERROR: the text is no model, or memory ends.
enum tr_status fit_rerun_add(struct fit_reruns *out, const struct model *text, const struct fit_traced *traced, uint64_t seed,
			     struct packet_sample *first, struct tr_error *err);

// Adds one quantity; counts: the model is not the trace's where it misses.
void fit_compare(struct fit_comparison *out, const char *what, enum model_type type, double trace, double model, bool counts);

// Adds packets and bytes where they are known, the iterations and their length.
void fit_compare_reruns(struct fit_comparison *out, const struct fit_reruns *reruns, const struct fit_traced *traced);

// Where the model misses, adds how many packets are outside of the iterations, as those of what starts a program, and how to leave
// them out.
void fit_compare_outside(struct fit_comparison *out, const struct fit_traced *traced);

#endif
