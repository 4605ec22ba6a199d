// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/trails/trail_plan.h"

#include <stdlib.h>
#include <string.h>

#include "net/routings/routing.h"
#include "net/studies/trails/distances.h"
#include "value/num.h"

#define BEST_MAX 10000u

static void close_strands(struct net_trail_plan *plan)
{
	for (uint32_t i = 0; i < NET_STRANDS_MAX; i++)
		net_strand_close(&plan->strands[i]);
	plan->strand_count = 0;
}

void net_trail_plan_close(struct net_trail_plan *plan)
{
	close_strands(plan);
	net_trail_clear(&plan->trail);
}

static enum tr_status make_strands(struct net_trail_plan *plan, const struct net_graph *graph,
				   struct net_trail_style style, struct tr_error *err)
{
	struct net_strand *strands = plan->strands;

	plan->strand_count = style.adaptive ? 2 : 1;
	if (!style.adaptive)
		return net_strand_open(strands, graph, &plan->trail, NET_STRAND_BOTH, err);
	for (uint32_t i = 0; i < 2; i++)
		if (net_strand_open(&strands[i], graph, &plan->trail,
				    i == 0 ? NET_STRAND_FORWARD : NET_STRAND_BACKWARD,
				    err) != TR_OK ||
		    net_strand_add_shortcuts(&strands[i], graph, err) != TR_OK ||
		    (!style.keep_free && net_strand_remove_free(&strands[i], graph, err) != TR_OK))
			return TR_ERROR;
	return style.keep_source ? TR_OK
				 : net_strands_remove_source(&strands[0], &strands[1], graph, err);
}

enum tr_status net_trail_detours(double *detours, const struct net_graph *graph,
				 const struct net_strand *strands, uint32_t count,
				 struct tr_error *err)
{
	const size_t switches = net_graph_switches(graph);
	uint16_t *distances = net_switch_distances(graph, err);
	uint16_t *lengths = distances ? net_trail_lengths(graph, strands, count, err) : NULL;
	uint64_t *excess = calloc(switches + 1, sizeof(*excess)); // by distance
	enum tr_status status = lengths ? TR_OK : TR_ERROR;

	if (status == TR_OK && !excess)
		status = tr_no_memory(err, "the detours");
	for (size_t i = 0; i < switches * switches && status == TR_OK; i++)
		excess[distances[i]] += lengths[i] - distances[i];
	*detours = 0;
	for (size_t distance = 1; distance < switches && status == TR_OK; distance++)
		*detours += (double)excess[distance] / (double)distance;
	free(distances);
	free(lengths);
	free(excess);
	return status;
}

static enum tr_status read_wish(struct net_trail_wish *wish, const struct net_trail_params *params,
				const struct net_graph *graph, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);
	struct tr_error why;
	uint64_t start;

	*wish = (struct net_trail_wish){.seed = params->seed, .start = NET_NOBODY};
	if (strcmp(params->trail, "random") == 0)
		wish->pick = NET_TRAIL_RANDOM;
	else if (strcmp(params->trail, "longest") == 0)
		wish->pick = NET_TRAIL_LONGEST;
	if (params->best < 1 || params->best > BEST_MAX)
		return tr_fail(err, "best: expected 1 to %u trails", BEST_MAX);
	if (strcmp(params->start, "any") == 0)
		return TR_OK;
	if (switches == 0 || num_parse_count(params->start, 0, switches - 1, &start, &why) != TR_OK)
		return tr_fail(err, "start=%.60s: expected any or a switch of the network",
			       params->start);
	wish->start = (uint32_t)start;
	return TR_OK;
}

static bool is_given(const struct net_trail_params *params)
{
	return strcmp(params->trail, "random") != 0 && strcmp(params->trail, "longest") != 0 &&
	       strcmp(params->trail, "lowest") != 0;
}

static enum tr_status trail_plan_open_given(struct net_trail_plan *plan,
					    const struct net_graph *graph,
					    const struct net_trail_params *params,
					    struct net_trail_style style, struct tr_error *err)
{
	if (params->best != 1 || strcmp(params->start, "any") != 0)
		return tr_fail(err, "%s has no effect on a trail that is given",
			       params->best != 1 ? "best" : "start");
	if (strspn(params->trail, "0123456789.-") != strlen(params->trail))
		return tr_fail(err,
			       "trail=%.60s: expected random, longest, lowest or a trail as 0-5-4",
			       params->trail);
	if (net_trail_parse(&plan->trail, graph, params->trail, err) != TR_OK)
		return TR_ERROR;
	return make_strands(plan, graph, style, err);
}

static enum tr_status open_found(struct net_trail_plan *plan, const struct net_graph *graph,
				 const struct net_trail_wish *wish, struct net_trail_style style,
				 struct tr_error *err)
{
	plan->number = wish->number;
	if (net_trail_find(&plan->trail, graph, wish, err) != TR_OK)
		return TR_ERROR;
	return make_strands(plan, graph, style, err);
}

// Makes trails one after the other; the best takes its place in *plan.
static enum tr_status open_best(struct net_trail_plan *plan, const struct net_graph *graph,
				struct net_trail_wish wish, uint64_t count,
				struct net_trail_style style, struct tr_error *err)
{
	for (; wish.number < count; wish.number++) {
		struct net_trail_plan other = {.number = 0};
		enum tr_status status = open_found(&other, graph, &wish, style, err);

		if (status == TR_OK)
			status = net_trail_detours(&other.detours, graph, other.strands,
						   other.strand_count, err);
		if (status == TR_OK && (plan->strand_count == 0 || other.detours < plan->detours)) {
			net_trail_plan_close(plan);
			*plan = other;
			continue;
		}
		net_trail_plan_close(&other);
		if (status != TR_OK)
			return status;
	}
	return TR_OK;
}

enum tr_status net_trail_plan_open(struct net_trail_plan *plan, const struct net_graph *graph,
				   const struct net_trail_params *params,
				   struct net_trail_style style, struct tr_error *err)
{
	struct net_trail_wish wish;

	*plan = (struct net_trail_plan){.number = 0};
	if (read_wish(&wish, params, graph, err) != TR_OK)
		return TR_ERROR;
	if (is_given(params))
		return trail_plan_open_given(plan, graph, params, style, err);
	if (params->best == 1)
		return open_found(plan, graph, &wish, style, err);
	return open_best(plan, graph, wish, params->best, style, err);
}

enum tr_status net_trail_plan_make(struct net_trail_plan *plan, const struct net_graph *graph,
				   const char *text, struct tr_error *err)
{
	void *memory = NULL;
	const struct net_routing *rule = net_routing_parse(text, &memory, err);
	const struct net_trail_params *params = memory;
	enum tr_status status = TR_ERROR;

	*plan = (struct net_trail_plan){.number = 0};
	if (rule && rule != &net_routing_etr && rule != &net_routing_atr)
		(void)tr_fail(err, "%s does not follow a trail", rule->name);
	else if (rule)
		status = net_trail_plan_open(plan, graph, params,
					     (struct net_trail_style){rule == &net_routing_atr,
								      !params->free_rule,
								      !params->source_rule},
					     err);
	free(memory);
	return status;
}
