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
	double problem;
	struct program_counts
		kept; // of the trace, in the model: after program_fit, as the iterations
	struct fit_iterations iterations;
};

// Adds the model to the text. Captures are put in order of their nodes; sizes and times are a p^b
// N^c where captures differ in nodes or problem, else constants. TR_END: they are not a program of
// phases; err says at which pair of ranks, or phase, and why. TR_ERROR: no memory.
enum tr_status program_fit(struct program_capture *captures, size_t count, struct model *text,
			   struct tr_error *err);

#endif
