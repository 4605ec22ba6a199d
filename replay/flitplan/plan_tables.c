// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "flitplan.h"
#include "table/table_rows.h"

#define DIGITS 6

struct plan_stage plan_stage_of(const struct plan *plan, const char *name, double delta)
{
	struct plan_stage stage = {.name = name,
				   .score = plan_score(plan),
				   .local = plan->local,
				   .hops = plan->hops,
				   .moves = plan->move_count,
				   .measured = NAN};

	(void)plan_channel_name(plan, stage.score.busiest, stage.busiest, sizeof(stage.busiest));
	for (uint32_t k = 0; k < plan_channels(plan); k++)
		stage.above += plan_utilisation(plan, k) > delta;
	return stage;
}

TABLE_ROW(plan_step, (text, step), (whole, moves), (text, busiest), (real, max_utilisation, DIGITS),
	  (real, mean_utilisation, DIGITS), (count, above_delta), (real, offered_MBps, DIGITS),
	  (real, local_MBps, DIGITS), (real, hops_MBps, DIGITS), (real, locality, DIGITS),
	  (real, mean_route, DIGITS), (real, bound_MBps, DIGITS));
TABLE_ROW(plan_measured, (real, measured_max, DIGITS));

struct table *plan_steps_table(const struct plan *plan, const struct plan_stage *stages,
			       size_t count)
{
	struct table *table = table_of("steps", "Network and traffic, step by step",
				       plan_step_fields);
	const double MBps = plan->unit_Bps / 1e6, offered = (double)plan->offered;
	bool measured = false;
	double rates_Bps = 0;

	for (uint32_t c = 0; c < plan->cable_count; c++)
		rates_Bps += 2 * plan->cables[c].rate_Bps;
	for (size_t i = 0; i < count; i++)
		measured = measured || !isnan(stages[i].measured);
	if (measured)
		table_heads(table, plan_measured_fields);
	for (size_t i = 0; i < count; i++) {
		const struct plan_stage *stage = &stages[i];
		const double local = (double)stage->local, hops = (double)stage->hops;

		TABLE_PUT(table, plan_step, .step = stage->name,
			  .moves = (int64_t)stage->moves -
				   (i > 0 ? (int64_t)stages[i - 1].moves : 0),
			  .busiest = stage->busiest, .max_utilisation = stage->score.most,
			  .mean_utilisation = stage->score.mean, .above_delta = stage->above,
			  .offered_MBps = offered * MBps, .local_MBps = local * MBps,
			  .hops_MBps = hops * MBps, .locality = local / offered,
			  .mean_route = hops / offered,
			  .bound_MBps = rates_Bps * offered / hops / 1e6); // infinite: none
		if (measured)
			TABLE_PUT(table, plan_measured, .measured_max = stage->measured);
	}
	return table;
}

TABLE_ROW(plan_busy, (text, channel), (text, from), (text, to), (real, utilisation, DIGITS),
	  (real, share, DIGITS));

struct table *plan_busiest_table(const struct plan *plan)
{
	struct table *table = table_of("busiest", "Pairs of switches on the busiest channel",
				       plan_busy_fields);
	const uint32_t busiest = plan_score(plan).busiest;
	char names[3][PLAN_CHANNEL_NAME_BYTES];

	for (uint32_t i = 0; busiest != NET_NOBODY && i < plan->switches; i++)
		for (uint32_t j = 0; j < plan->switches; j++) {
			const uint64_t amount = plan->between[(size_t)i * plan->switches + j];

			if (amount > 0 && plan_uses(plan, i, j, busiest))
				TABLE_PUT(
					table, plan_busy,
					.channel = plan_channel_name(plan, busiest, names[0],
								     sizeof(names[0])),
					.from = plan_switch_name(plan, i, names[1],
								 sizeof(names[1])),
					.to = plan_switch_name(plan, j, names[2], sizeof(names[2])),
					.utilisation = (double)amount * plan->weight[busiest],
					.share = (double)amount / (double)plan->flow[busiest]);
		}
	return table;
}

TABLE_ROW(plan_moves, (count, number), (count, step), (text, change), (text, reason),
	  (real, max_before, DIGITS), (real, max_after, DIGITS), (real, hops_MBps, DIGITS),
	  (real, local_MBps, DIGITS));

struct table *plan_moves_table(const struct plan *plan)
{
	struct table *table = table_of("moves", "Changes in their order", plan_moves_fields);
	const double MBps = plan->unit_Bps / 1e6;

	for (size_t i = 0; i < plan->move_count; i++) {
		const struct plan_move *move = &plan->moves[i];

		TABLE_PUT(table, plan_moves, .number = i + 1, .step = move->step,
			  .change = move->what, .reason = move->why,
			  .max_before = move->most_before, .max_after = move->most,
			  .hops_MBps = (double)move->hops * MBps,
			  .local_MBps = (double)move->local * MBps);
	}
	return table;
}

TABLE_ROW(plan_channel, (text, channel), (real, rate_MBps, DIGITS), (real, before, DIGITS),
	  (real, after, DIGITS));

// The switch where a channel began, or begins: before the steps its cable joined what it joined in
// the given network.
static uint32_t plan_tables_from(const struct plan *plan, uint32_t channel, bool before)
{
	const struct plan_cable *cable = &plan->cables[channel / 2];

	return before ? plan->given->cables[cable->given].ends[channel % 2].node - plan->nodes
		      : plan_channel_from(plan, channel);
}

// Whether a channel leads there as another one does then, at the same rate.
static bool plan_tables_alike(const struct plan *plan, uint32_t a, bool a_before, uint32_t b,
			      bool b_before)
{
	return plan->cables[a / 2].rate_Bps == plan->cables[b / 2].rate_Bps &&
	       plan_tables_from(plan, a, a_before) == plan_tables_from(plan, b, b_before) &&
	       plan_tables_from(plan, a ^ 1, a_before) == plan_tables_from(plan, b ^ 1, b_before);
}

static bool plan_tables_moved(const struct plan *plan, uint32_t channel)
{
	return !plan_tables_alike(plan, channel, true, channel, false);
}

// The channel that led as this one does, or leads as it did (before): itself, or of those that
// moved there the one of its place among them. NET_NOBODY: none.
static uint32_t plan_tables_counterpart(const struct plan *plan, uint32_t channel, bool before)
{
	uint32_t place = 0;

	if (!plan_tables_moved(plan, channel))
		return channel;
	for (uint32_t k = 0; k < channel; k++)
		place += plan_tables_moved(plan, k) &&
			 plan_tables_alike(plan, k, before, channel, before);
	for (uint32_t k = 0; k < plan_channels(plan); k++)
		if (plan_tables_moved(plan, k) &&
		    plan_tables_alike(plan, k, !before, channel, before) && place-- == 0)
			return k;
	return NET_NOBODY;
}

// Those of the plan, then those that there are no more.
struct table *plan_channels_table(const struct plan *plan, const double *before)
{
	struct table *table = table_of("channels", "Utilisation of the channels",
				       plan_channel_fields);
	char name[PLAN_CHANNEL_NAME_BYTES];

	for (uint32_t k = 0; k < plan_channels(plan); k++) {
		const uint32_t was = plan_tables_counterpart(plan, k, false);

		TABLE_PUT(table, plan_channel,
			  .channel = plan_channel_name(plan, k, name, sizeof(name)),
			  .rate_MBps = plan->cables[k / 2].rate_Bps / 1e6,
			  .before = was == NET_NOBODY ? NAN : before[was],
			  .after = plan_utilisation(plan, k));
	}
	for (uint32_t k = 0; k < plan_channels(plan); k++)
		if (plan_tables_counterpart(plan, k, true) == NET_NOBODY)
			TABLE_PUT(table, plan_channel,
				  .channel = plan_hop_name(plan, plan_tables_from(plan, k, true),
							   plan_tables_from(plan, k ^ 1, true),
							   name, sizeof(name)),
				  .rate_MBps = plan->cables[k / 2].rate_Bps / 1e6,
				  .before = before[k], .after = NAN);
	return table;
}

TABLE_ROW(plan_node, (text, node), (text, from), (text, to));

struct table *plan_nodes_table(const struct plan *plan, const uint32_t *before)
{
	struct table *table = table_of("nodes", "Nodes that change their switch", plan_node_fields);
	char names[3][NET_NAME_MAX + 16];

	for (uint32_t i = 0; i < plan->nodes; i++)
		if (plan->at[i] != before[i])
			TABLE_PUT(table, plan_node,
				  .node = net_topology_name(plan->given, i, names[0],
							    sizeof(names[0])),
				  .from = plan_switch_name(plan, before[i], names[1],
							   sizeof(names[1])),
				  .to = plan_switch_name(plan, plan->at[i], names[2],
							 sizeof(names[2])));
	return table;
}
