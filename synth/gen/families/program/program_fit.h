// SPDX-License-Identifier: GPL-3.0-or-later
// Fits a parallel program's model to one or more captures of it.
#ifndef GEN_FAMILIES_PROGRAM_FIT_H
#define GEN_FAMILIES_PROGRAM_FIT_H

#include "gen/families/program/program_trace.h"
#include "text/model.h"

#define PROGRAM_FIT_NODES_MAX 256u // of a capture

// A capture, and the size of the problem that it ran; 0: not known.
struct program_capture {
	struct program_trace trace;
	struct packet_sample *packets; // for the caller; NULL: none
	uint32_t *ranks;	       // by id of their nodes; for the caller
	double problem;
	uint32_t doublings; // of its iterations, so often at least; after program_fit: in all
	struct program_counts
		kept; // of the trace, in the model: after program_fit, as the iterations
	struct fit_iterations iterations;
	int64_t middle_ticks; // the begin of the iteration that begins their second half
};

#define PROGRAM_OTHERS_MAX 24u
#define PROGRAM_OTHER_BYTES 120u

// Models that the captures do not tell from the fitted one, each for the nodes alone. The first is
// the fitted one. None for captures of one number of nodes. Zero is empty; program_others_clear
// frees it.
struct program_others {
	struct program_other {
		struct model text;
		char what[PROGRAM_OTHER_BYTES]; // "phase 2 as halo"
		bool scattered; // by its times alone, which the captures do not show so
	} each[PROGRAM_OTHERS_MAX];
	size_t count, beyond; // beyond: more than fit
	uint32_t nodes;	      // twice those of the last capture
};
void program_others_clear(struct program_others *others);

// Adds the model to the text. Captures are put in order of their nodes; sizes and times are a p^b
// N^c where captures differ in nodes or problem, else constants. others (NULL: not wanted) gets
// what the captures leave open. TR_END: they are not a program of phases; err says at which pair of
// ranks, or phase, and why. TR_ERROR: no memory.
enum tr_status program_fit(struct program_capture *captures, size_t count, struct model *text,
			   struct program_others *others, struct tr_error *err);

#endif
