// SPDX-License-Identifier: GPL-3.0-or-later
// A section of a model of streams as the data path wants it.
#ifndef GEN_STREAMS_PLAN_H
#define GEN_STREAMS_PLAN_H

#include "gen/alias.h"
#include "gen/sizes.h"
#include "gen/streams_model.h"

// Made by stream_plan_make, read only after; freed by stream_plan_clear. Zero is empty.
struct stream_plan {
	const struct streams_section *section; // lent
	struct sizes sizes;
	struct alias from;    // over the senders; empty: all nodes alike
	uint32_t *senders;    // of a network whose nodes are not all alike; owned
	struct alias to;      // over the section's shares
	double to_controller; // < 0: by the model's pattern
	uint32_t header_B;
	bool silent; // a network of which no node sends
};

// For the nodes that the pattern of destinations was opened with. The model and the section outlive it. TR_ERROR without
// memory; the plan is to be cleared all the same.
enum tr_status stream_plan_make(struct stream_plan *plan, const struct streams_model *model,
				const struct streams_section *section, const struct destinations *destinations,
				struct tr_error *err);

void stream_plan_clear(struct stream_plan *plan);

#endif
