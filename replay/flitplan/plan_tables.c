// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "flitplan.h"

#define DIGITS 6

struct plan_stage plan_stage_of(const struct plan *plan, const char *name, double delta)
{
	struct plan_stage stage = {.name = name,
				   .score = plan_score(plan),
				   .local = plan->local,
				   .hops = plan->hops,
				   .moves = plan->move_count,
				   .measured = NAN};

	for (uint32_t k = 0; k < plan_channels(plan); k++)
		stage.above += plan_utilisation(plan, k) > delta;
	return stage;
}

struct table *plan_steps_table(const struct plan *plan, const struct plan_stage *stages, size_t count)
{
	struct table *table = table_new("steps", "Network and traffic, step by step");
	const double MBps = plan->unit_Bps / 1e6, offered = (double)plan->offered;
	char name[2 * NET_NAME_MAX + 40];
	bool measured = false;
	double rates_Bps = 0;

	for (uint32_t c = 0; c < plan->cable_count; c++)
		rates_Bps += 2 * plan->cables[c].rate_Bps;
	for (size_t i = 0; i < count; i++)
		measured = measured || !isnan(stages[i].measured);
	table_columns(table,
		      "step moves busiest max_utilisation mean_utilisation above_delta offered_MBps local_MBps hops_MBps "
		      "locality mean_route bound_MBps");
	if (measured)
		table_columns(table, "measured_max");
	for (size_t i = 0; i < count; i++) {
		const struct plan_stage *stage = &stages[i];

		table_text(table, stage->name);
		table_signed(table, (int64_t)stage->moves - (i > 0 ? (int64_t)stages[i - 1].moves : 0));
		table_text(table, plan_channel_name(plan, stage->score.busiest, name, sizeof(name)));
		table_real(table, stage->score.most, DIGITS);
		table_real(table, stage->score.mean, DIGITS);
		table_count(table, stage->above);
		table_real(table, offered * MBps, DIGITS);
		table_real(table, (double)stage->local * MBps, DIGITS);
		table_real(table, (double)stage->hops * MBps, DIGITS);
		table_real(table, (double)stage->local / offered, DIGITS);
		table_real(table, (double)stage->hops / offered, DIGITS);
		table_real(table, rates_Bps * offered / (double)stage->hops / 1e6, DIGITS); // infinite: none
		if (measured)
			table_real(table, stage->measured, DIGITS);
	}
	return table;
}

struct table *plan_busiest_table(const struct plan *plan)
{
	struct table *table = table_new("busiest", "Pairs of switches on the busiest channel");
	const uint32_t busiest = plan_score(plan).busiest;
	char name[2 * NET_NAME_MAX + 40];

	table_columns(table, "channel from to utilisation share");
	for (uint32_t i = 0; busiest != NET_NOBODY && i < plan->switches; i++)
		for (uint32_t j = 0; j < plan->switches; j++) {
			const uint64_t amount = plan->between[(size_t)i * plan->switches + j];

			if (amount == 0 || !plan_uses(plan, i, j, busiest))
				continue;
			table_text(table, plan_channel_name(plan, busiest, name, sizeof(name)));
			table_text(table, plan_switch_name(plan, i, name, sizeof(name)));
			table_text(table, plan_switch_name(plan, j, name, sizeof(name)));
			table_real(table, (double)amount * plan->weight[busiest], DIGITS);
			table_real(table, (double)amount / (double)plan->flow[busiest], DIGITS);
		}
	return table;
}

struct table *plan_moves_table(const struct plan *plan)
{
	struct table *table = table_new("moves", "Changes in their order");
	const double MBps = plan->unit_Bps / 1e6;

	table_columns(table, "number step change reason max_before max_after hops_MBps local_MBps");
	for (size_t i = 0; i < plan->move_count; i++) {
		const struct plan_move *move = &plan->moves[i];

		table_count(table, i + 1);
		table_count(table, move->step);
		table_text(table, move->what);
		table_text(table, move->why);
		table_real(table, move->most_before, DIGITS);
		table_real(table, move->most, DIGITS);
		table_real(table, (double)move->hops * MBps, DIGITS);
		table_real(table, (double)move->local * MBps, DIGITS);
	}
	return table;
}

struct table *plan_channels_table(const struct plan *plan, const double *before)
{
	struct table *table = table_new("channels", "Utilisation of the channels");
	char name[2 * NET_NAME_MAX + 40];

	table_columns(table, "channel rate_MBps before after");
	for (uint32_t k = 0; k < plan_channels(plan); k++) {
		table_text(table, plan_channel_name(plan, k, name, sizeof(name)));
		table_real(table, plan->cables[k / 2].rate_Bps / 1e6, DIGITS);
		table_real(table, before[k], DIGITS);
		table_real(table, plan_utilisation(plan, k), DIGITS);
	}
	return table;
}

struct table *plan_nodes_table(const struct plan *plan, const uint32_t *before)
{
	struct table *table = table_new("nodes", "Nodes that change their switch");
	char name[NET_NAME_MAX + 16];

	table_columns(table, "node from to");
	for (uint32_t i = 0; i < plan->nodes; i++) {
		if (plan->at[i] == before[i])
			continue;
		table_text(table, net_topology_name(plan->given, i, name, sizeof(name)));
		table_text(table, plan_switch_name(plan, before[i], name, sizeof(name)));
		table_text(table, plan_switch_name(plan, plan->at[i], name, sizeof(name)));
	}
	return table;
}
