// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as it was before steps 3 and 4, to go back to.
#include <stdlib.h>
#include <string.h>

#include "plan.h"

enum tr_status plan_kept_open(struct plan_kept *kept, const struct plan *plan, struct tr_error *err)
{
	*kept = (struct plan_kept){
		.at = calloc((size_t)plan->nodes + 1, sizeof(*kept->at)),
		.room = calloc((size_t)plan->switches + 1, sizeof(*kept->room)),
		.measured = calloc((size_t)plan_channels(plan) + 1, sizeof(*kept->measured)),
	};
	if (!kept->at || !kept->room || !kept->measured)
		return tr_no_memory(err, "the plan before steps 3 and 4");
	return plan_routes_open(&kept->routes, plan->switches, err);
}

void plan_kept_close(struct plan_kept *kept)
{
	free(kept->at);
	free(kept->room);
	free(kept->measured);
	plan_routes_close(&kept->routes);
	*kept = (struct plan_kept){.at = NULL};
}

static void copy_routes(struct plan_routes *to, const struct plan_routes *from, size_t switches)
{
	memcpy(to->counts, from->counts, switches * switches * sizeof(*to->counts));
	memcpy(to->steps, from->steps, switches * switches * PLAN_STEPS_MAX * sizeof(*to->steps));
}

void plan_keep(const struct plan *plan, struct plan_kept *kept)
{
	memcpy(kept->at, plan->at, plan->nodes * sizeof(*kept->at));
	memcpy(kept->room, plan->room, plan->switches * sizeof(*kept->room));
	memcpy(kept->measured, plan->measured, plan_channels(plan) * sizeof(*kept->measured));
	copy_routes(&kept->routes, &plan->routes, plan->switches);
	kept->moves = plan->move_count;
}

void plan_take_back(struct plan *plan, const struct plan_kept *kept)
{
	memcpy(plan->room, kept->room, plan->switches * sizeof(*kept->room));
	memcpy(plan->measured, kept->measured, plan_channels(plan) * sizeof(*kept->measured));
	copy_routes(&plan->routes, &kept->routes, plan->switches);
	plan_forget_moves(plan, kept->moves);
	plan_place_at(plan, kept->at);
}
