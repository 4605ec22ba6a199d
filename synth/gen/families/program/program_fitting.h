// SPDX-License-Identifier: GPL-3.0-or-later
// A parallel program's model while it is fitted (program_fit.c).
#ifndef GEN_FAMILIES_PROGRAM_FITTING_H
#define GEN_FAMILIES_PROGRAM_FITTING_H

#include "gen/families/program/program_fit.h"
#include "gen/families/program/program_phases.h"

#define PROGRAM_NOTE_BYTES 200

// One capture, folded.
struct folded {
	struct program_capture *capture;
	struct program_fold fold;
	struct program_phases phases;
};

struct fitting {
	struct folded *each;
	size_t count;
	double *log_nodes, *log_problems; // by capture
	struct program_model model;
	double envelope_B[2]; // of eager messages, of granted ones
	char **notes;	      // by phase
};

// The last capture: the one with most nodes.
static inline const struct folded *program_last(const struct fitting *fitting)
{
	return &fitting->each[fitting->count - 1];
}

// The patterns that each capture may show in a phase, as program_seen's; none where one has fewer
// phases.
uint32_t program_common_patterns(const struct fitting *fitting, uint32_t phase);

// A comment in the text where all captures may show the messages of other patterns, which differ on
// more nodes.
void program_describe_doubt(const struct fitting *fitting, uint32_t phase, struct model *text);

// Whether the phase would be other messages of other ranks by another pattern with these options
// (as program_seen's) on so many nodes.
bool program_settle_differ(const struct program_phase *phase, uint32_t pattern, unsigned options,
			   uint32_t nodes);

// ---- program_others.c

// Adds the models that the captures do not tell from the fitted one. TR_ERROR: no memory.
enum tr_status program_others_find(struct fitting *fitting, struct program_others *others,
				   struct tr_error *err);

// ---- program_describe.c

// Adds comments to the text: what was folded, what was left out, and what hosts take; and sets what
// each capture kept and its iterations.
void program_describe(const struct fitting *fitting, struct model *text);

// ---- program_settle.c

// Of so many messages the data of a capture's phase are one: of a sweep whose bytes are of a side.
uint32_t program_settle_parts(const struct fitting *fitting, uint32_t phase, size_t capture);

// The phases that all captures have, without sizes and times. TR_END: they differ; err says where.
enum tr_status program_settle_shapes(struct fitting *fitting, struct tr_error *err);

// Sets pace, burst and stalls of the flow to those that the captures show.
void program_settle_pace(const struct fitting *fitting, struct program_flow *flow);

// Sets the model's look.
enum tr_status program_settle_looks(struct fitting *fitting, struct tr_error *err);

// Sets the model's take and lag, and collects the times of the captures' phases from its end on.
enum tr_status program_settle_lag(struct fitting *fitting, struct tr_error *err);

#endif
