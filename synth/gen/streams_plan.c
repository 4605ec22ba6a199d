// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/streams_plan.h"

#include <stdlib.h>

static enum tr_status share_out(const struct node_shares *shares, struct alias *out, struct tr_error *err)
{
	double *weights;
	enum tr_status status;

	if (shares->count == 0)
		return TR_OK;
	weights = calloc(shares->count, sizeof(*weights));
	for (size_t i = 0; weights && i < shares->count; i++)
		weights[i] = shares->each[i].share;
	status = weights ? alias_make(out, weights, shares->count, err) : tr_no_memory(err, "the shares");
	free(weights);
	return status;
}

// The nodes that a network's packets come from, with their weights: those with a share, or all, that the pattern leads to
// another. Returns how many; 0 also where their weights are.
static size_t list_senders(const struct destinations *destinations, const struct streams_section *section, uint32_t *senders,
			   double *weights)
{
	const struct node_shares *shares = &section->from_nodes;
	const size_t all = shares->count ? shares->count : destinations->nodes;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < all; i++) {
		const uint32_t node = shares->count ? shares->each[i].node : (uint32_t)i;

		if (!streams_leads(section, destinations, node))
			continue;
		senders[n] = node;
		weights[n] = shares->count ? shares->each[i].share : 1;
		sum += weights[n++];
	}
	return sum > 0 ? n : 0;
}

static enum tr_status plan_senders(const struct destinations *destinations, struct stream_plan *plan, struct tr_error *err)
{
	const struct streams_section *section = plan->section;
	const size_t all = section->from_nodes.count ? section->from_nodes.count : destinations->nodes;
	double *weights = calloc(all, sizeof(*weights));
	enum tr_status status = TR_OK;
	size_t count;

	plan->senders = calloc(all, sizeof(*plan->senders));
	if (!weights || !plan->senders) {
		free(weights);
		return tr_no_memory(err, "%zu nodes", all);
	}
	count = list_senders(destinations, section, plan->senders, weights);
	plan->silent = count == 0;
	if (count > 0 && (section->from_nodes.count || count < all)) {
		status = alias_make(&plan->from, weights, count, err);
	} else {
		free(plan->senders);
		plan->senders = NULL;
	}
	free(weights);
	return status;
}

enum tr_status stream_plan_make(struct stream_plan *plan, const struct streams_model *model,
				const struct streams_section *section, const struct destinations *destinations,
				struct tr_error *err)
{
	const bool by_role = model->destinations.by_role && streams_has_controller(model);

	*plan = (struct stream_plan){.section = section,
				     .header_B = (uint32_t)(section->header_B + 0.5),
				     .to_controller = by_role ? section->to_controller : -1};
	if (sizes_empirical(&plan->sizes, section->bins, section->bin_count, err) != TR_OK ||
	    (section->who == STREAMS_NETWORK && plan_senders(destinations, plan, err) != TR_OK))
		return TR_ERROR;
	return share_out(&section->to_nodes, &plan->to, err);
}

void stream_plan_clear(struct stream_plan *plan)
{
	sizes_clear(&plan->sizes);
	alias_clear(&plan->from);
	alias_clear(&plan->to);
	free(plan->senders);
	*plan = (struct stream_plan){.section = NULL};
}
