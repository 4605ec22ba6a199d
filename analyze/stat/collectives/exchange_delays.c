// SPDX-License-Identifier: GPL-3.0-or-later
// What late nodes and slow links cost collective operations, and each operation at each node.
#include <math.h>
#include <stdlib.h>

#include "stat/collectives/exchange_run.h"
#include "stat/intervals/interval.h"
#include "value/grow.h"
#include "value/order.h"

#define TRIED 8u	    // nodes and links that are latest and slowest on average
#define COST_SHARE_MIN 0.01 // of the mean time, below which a delay is not listed

TABLE_ROW(exchange_delay, (count, collective), (text, delay), (text, node), (text, to),
	  (real, delay_s, 5), (real, cost_s, 5), (real, cost_lo_s, 5), (real, cost_hi_s, 5),
	  (real, cost_percent, 3));
TABLE_ROW(exchange_moment, (count, collective), (count, operation), (text, node),
	  (real, begin_s, 10), (real, end_s, 10), (real, late_s, 5), (text, slowest_to),
	  (real, slow_s, 5));

// ---- delays

static int by_link(const void *left, const void *right)
{
	const struct exchange_delay *a = left, *b = right;

	ORDER_BY(a->of.src, b->of.src);
	return ORDER(a->of.dst, b->of.dst);
}

static int latest_first(const void *left, const void *right)
{
	const struct exchange_delay *a = left, *b = right;

	ORDER_BY(b->sum_ticks, a->sum_ticks);
	return by_link(left, right);
}

// Lists all nodes, or links, once; returns how many they are.
static size_t delays_list(const struct exchange *exchange, bool links, struct exchange_delay *list)
{
	const size_t count = links ? exchange->count : exchange->places;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct exchange_delay){
			.all = 1,
			.of = {links ? exchange->parts[i].src : (uint32_t)i,
			       links ? exchange->parts[i].dst : EXCHANGE_NONE},
		};
	qsort(list, count, sizeof(*list), by_link);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || by_link(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	return kept;
}

static void delays_add(const struct exchange_costs *costs, struct exchange_delay *list,
		       size_t count)
{
	const struct exchange *exchange = costs->exchange;

	for (size_t i = 0; i < count; i++)
		if (list[i].of.dst == EXCHANGE_NONE && costs->usual_begin_ticks != INT64_MIN &&
		    costs->begins[list[i].of.src] != INT64_MIN)
			list[i].sum_ticks += costs->begins[list[i].of.src] -
					     costs->usual_begin_ticks;
	for (size_t i = 0; i < exchange->count && list[0].of.dst != EXCHANGE_NONE; i++) {
		const struct exchange_delay key = {
			.of = {costs->parts[i].src, costs->parts[i].dst}};
		struct exchange_delay *delay = bsearch(&key, list, count, sizeof(*list), by_link);

		if (costs->times[i].usual_ticks != INT64_MAX)
			delay->sum_ticks += costs->times[i].own_ticks - costs->times[i].usual_ticks;
	}
}

// Adds how far the sum of the times of each is above what the mean of the others' would give, of
// those that are compared: others are neither it nor listed before it. index: of each of count
// times, which of the list it is.
static void delays_sum_beyond(const int64_t *ticks, const uint32_t *index, size_t count,
			      size_t list_count, int64_t sums_ticks[TRIED], bool compared[TRIED])
{
	int64_t all_ticks = 0, of_ticks[TRIED] = {0};
	size_t others = count, of[TRIED] = {0};

	for (size_t i = 0; i < count; i++) {
		all_ticks += ticks[i];
		if (index[i] < TRIED) {
			of_ticks[index[i]] += ticks[i];
			of[index[i]]++;
		}
	}
	for (size_t i = 0; i < list_count; i++) {
		all_ticks -= of_ticks[i];
		others -= of[i];
		if (of[i] > 0 && others >= 2) {
			sums_ticks[i] += of_ticks[i] -
					 (int64_t)of[i] * (all_ticks / (int64_t)others);
			compared[i] = true;
		}
	}
}

static uint32_t delay_index(const struct exchange_delay *list, size_t count, uint32_t src,
			    uint32_t dst)
{
	uint32_t i = 0;

	while (i < count && (list[i].of.src != src || list[i].of.dst != dst))
		i++;
	return i < count ? i : TRIED;
}

// Adds an operation: begins of nodes beside each other, or times since they were free.
static void nodes_compare(const struct exchange_costs *costs, const int64_t *free_ticks,
			  struct exchange_delay *list, size_t count)
{
	int64_t *ticks = costs->room;
	uint32_t *index = (uint32_t *)(ticks + costs->exchange->places + costs->exchange->count);
	int64_t sums_ticks[TRIED] = {0};
	bool compared[TRIED] = {false};
	size_t begins = 0;

	for (uint32_t p = 0; p < costs->exchange->places; p++)
		if (costs->begins[p] != INT64_MIN &&
		    (!free_ticks || free_ticks[p] <= costs->begins[p])) {
			ticks[begins] = costs->begins[p] - (free_ticks ? free_ticks[p] : 0);
			index[begins++] = delay_index(list, count, p, EXCHANGE_NONE);
		}
	delays_sum_beyond(ticks, index, begins, count, sums_ticks, compared);
	for (size_t i = 0; i < count; i++)
		if (compared[i])
			moments_add(free_ticks ? &list[i].pause : &list[i].beyond, sums_ticks[i]);
}

// Adds an operation: own times of messages beside those that are alike.
static void links_compare(const struct exchange_costs *costs, struct exchange_delay *list,
			  size_t count)
{
	int64_t *ticks = costs->room;
	uint32_t *index = (uint32_t *)(ticks + costs->exchange->places + costs->exchange->count);
	int64_t sums_ticks[TRIED] = {0};
	bool compared[TRIED] = {false};

	for (size_t at = 0, end; at < costs->exchange->count; at = end) {
		end = exchange_likes_end(costs, at);
		for (size_t k = at; k < end; k++) {
			const size_t part = costs->likes[k].part;

			ticks[k - at] = costs->times[part].own_ticks;
			index[k - at] = delay_index(list, count, costs->parts[part].src,
						    costs->parts[part].dst);
		}
		delays_sum_beyond(ticks, index, end - at, count, sums_ticks, compared);
	}
	for (size_t i = 0; i < count; i++)
		if (compared[i])
			moments_add(&list[i].beyond, sums_ticks[i]);
}

// What each costs in the operation that costs was opened for, without all others; and what all do.
static void delays_cost(struct exchange_costs *costs, struct exchange_delay *list, size_t count,
			struct exchange_delay *all)
{
	struct exchange_undone undone[TRIED];
	int64_t least_ticks;

	for (size_t i = 0; i < count; i++)
		undone[i] = list[i].of;
	least_ticks = exchange_end_without(costs, undone, count);
	moments_add(&all->cost, exchange_end(costs->exchange) - least_ticks);
	for (size_t i = 0; i < count; i++) {
		undone[i] = undone[count - 1]; // all but this one
		moments_add(&list[i].cost,
			    exchange_end_without(costs, undone, count - 1) - least_ticks);
		undone[i] = list[i].of;
	}
}

// Keeps those at the front that are beyond those after them: own times and begins are skew, each is
// above the median on average. Leaves out the nodes that are late because they were free late:
// those of whose lateness less than half came after that. Returns how many are kept.
static size_t delays_beyond(struct exchange_run *run, const struct exchange_kind *kind,
			    struct exchange_delay *list, size_t count, double level)
{
	const struct moments times = exchange_times(kind);
	size_t kept = 0;

	for (size_t i = 0; i < count && mean_interval(&list[i].beyond, level).lo > 0; i++)
		if (list[i].pause.n == 0 ||
		    2 * moments_mean(&list[i].pause) >= moments_mean(&list[i].beyond))
			list[kept++] = list[i];
		else
			run->late_by_others += moments_mean(&list[i].beyond) >=
					       COST_SHARE_MIN * moments_mean(&times);
	return kept;
}

// Keeps the delay if it costs enough, and no chance.
static enum tr_status delay_keep(struct exchange_run *run, struct exchange_delay delay,
				 struct tr_error *err)
{
	const struct exchange_kind *kind = &run->kinds[delay.kind];
	const struct moments times = exchange_times(kind);
	const uint32_t *nodes = kind->of[0]->nodes;

	delay.mean_ticks = moments_mean(&times);
	delay.nodes.src = nodes[delay.of.src];
	delay.nodes.dst = delay.of.dst == EXCHANGE_NONE ? EXCHANGE_NONE : nodes[delay.of.dst];
	if (moments_mean(&delay.cost) < COST_SHARE_MIN * delay.mean_ticks ||
	    !(mean_interval(&delay.cost, run->level).lo > 0))
		return TR_OK;
	if (!GROW(run->delays, run->delay_capacity, run->delay_count))
		return tr_no_memory(err, "%zu delays", run->delay_count);
	run->delays[run->delay_count++] = delay;
	return TR_OK;
}

// Lists what is latest, or slowest, in sum over the operations of a kind, and beyond the others.
static enum tr_status exchange_delays_of(struct exchange_run *run, size_t index, bool links,
					 struct tr_error *err)
{
	const struct exchange_kind *kind = &run->kinds[index];
	const struct exchange *first = kind->of[0];
	const size_t before = run->delay_count;
	struct exchange_delay all = {.kind = index};
	struct exchange_delay *list = calloc(first->count + first->places, sizeof(*list));
	enum tr_status status = list ? TR_OK : tr_no_memory(err, "%zu links", first->count);
	size_t count = list ? delays_list(first, links, list) : 0;
	const double tried = 2.0 * (double)count * (double)run->kind_count;
	const double level = 1 - (1 - run->level) / tried; // Bonferroni

	for (int pass = 0; pass < 3 && count > 0; pass++) {
		for (size_t i = 0; i < kind->count && status == TR_OK; i++) {
			struct exchange_costs costs;

			status = exchange_costs_open(&costs, kind->of[i], err);
			if (status == TR_OK && pass == 0)
				delays_add(&costs, list, count);
			else if (status == TR_OK && pass == 1 && links)
				links_compare(&costs, list, count);
			else if (status == TR_OK && pass == 1) {
				nodes_compare(&costs, NULL, list, count);
				nodes_compare(&costs, kind->free_ticks + i * first->places, list,
					      count);
			} else if (status == TR_OK)
				delays_cost(&costs, list, count, &all);
			exchange_costs_close(&costs);
		}
		if (pass == 0)
			qsort(list, count, sizeof(*list), latest_first);
		while (pass == 0 && count > 0 && (count > TRIED || list[count - 1].sum_ticks <= 0))
			count--;
		if (pass == 1)
			count = delays_beyond(run, kind, list, count, level);
	}
	for (size_t i = 0; i < count && status == TR_OK; i++) {
		list[i].kind = index;
		status = delay_keep(run, list[i], err);
	}
	all.all = run->delay_count - before;
	if (status == TR_OK && all.all > 1) {
		all.of = run->delays[run->delay_count - 1].of;
		status = delay_keep(run, all, err);
	}
	free(list);
	return status;
}

enum tr_status exchange_delays_find(struct exchange_run *run, struct tr_error *err)
{
	for (size_t i = 0; i < run->kind_count; i++)
		for (int links = 0; links < 2; links++)
			if (exchange_delays_of(run, i, links, err) != TR_OK)
				return TR_ERROR;
	return TR_OK;
}

void exchange_tabulate_delays(struct table *table, const struct exchange_run *run)
{
	size_t single = 0;

	table_heads(table, exchange_delay_fields);
	for (size_t i = 0; i < run->delay_count; i++) {
		const struct exchange_delay *delay = &run->delays[i];
		const bool link = delay->of.dst != EXCHANGE_NONE, one = delay->all == 1;
		const struct table_interval cost_s = exchange_seconds(run, &delay->cost);
		char from[32], to[32];

		TABLE_PUT(table, exchange_delay, .collective = delay->kind + 1,
			  .delay = link	 ? one ? "slow link" : "slow links"
				   : one ? "late node"
					 : "late nodes",
			  .node = one ? exchange_label(run, delay->nodes.src, from) : "these",
			  .to = link && one ? exchange_label(run, delay->nodes.dst, to) : NULL,
			  .delay_s = one ? (double)delay->sum_ticks / (double)delay->cost.n /
						     (double)run->ticks_per_s
					 : NAN,
			  .cost_s = cost_s.value, .cost_lo_s = cost_s.lo, .cost_hi_s = cost_s.hi,
			  .cost_percent = 100 * moments_mean(&delay->cost) / delay->mean_ticks);
	}
	for (size_t i = 0; i < run->kind_count; i++)
		single += run->kinds[i].count < 2;
	if (run->late_by_others > 0)
		table_note(
			table,
			"late because what came to them before was late: %zu nodes, each counted "
			"in each collective",
			run->late_by_others);
	if (single > 0)
		table_note(table,
			   "%zu of the collectives came once: no delay of theirs can be "
			   "told from chance",
			   single);
}

// ---- each operation at each node

enum tr_status exchange_shares(const struct exchange *exchange, struct exchange_share *shares,
			       struct tr_error *err)
{
	struct exchange_costs costs;
	const enum tr_status status = exchange_costs_open(&costs, exchange, err);

	for (uint32_t p = 0; p < exchange->places && status == TR_OK; p++)
		shares[p] = (struct exchange_share){
			.begin_ticks = INT64_MAX,
			.end_ticks = INT64_MIN,
			.late_ticks = costs.begins[p] != INT64_MIN &&
						      costs.usual_begin_ticks != INT64_MIN
					      ? costs.begins[p] - costs.usual_begin_ticks
					      : INT64_MIN,
			.slow_to = EXCHANGE_NONE};
	for (size_t i = 0; i < exchange->count && status == TR_OK; i++) {
		const struct exchange_part *part = &costs.parts[i];
		const struct exchange_time *time = &costs.times[i];
		const uint32_t of[] = {part->src, part->dst};

		for (int end = 0; end < 2; end++) {
			struct exchange_share *share = &shares[of[end]];

			if (part->of->begin_ticks < share->begin_ticks &&
			    (end == 0 || costs.begins[part->dst] == INT64_MIN))
				share->begin_ticks = part->of->begin_ticks;
			if (part->of->end_ticks > share->end_ticks)
				share->end_ticks = part->of->end_ticks;
		}
		if (time->usual_ticks != INT64_MAX &&
		    time->own_ticks - time->usual_ticks > shares[part->src].slow_ticks) {
			shares[part->src].slow_ticks = time->own_ticks - time->usual_ticks;
			shares[part->src].slow_to = part->dst;
		}
	}
	exchange_costs_close(&costs);
	return status;
}

static void shares_put(struct table *table, const struct exchange_run *run, size_t kind,
		       size_t operation, const struct exchange_share *shares)
{
	const struct exchange *exchange = run->kinds[kind].of[operation];
	const double second = (double)run->ticks_per_s;
	char text[32], to[32];

	for (uint32_t p = 0; p < exchange->places; p++) {
		const struct exchange_share *share = &shares[p];
		const bool slow = share->slow_to != EXCHANGE_NONE;

		TABLE_PUT(table, exchange_moment, .collective = kind + 1,
			  .operation = operation + 1,
			  .node = exchange_label(run, exchange->nodes[p], text),
			  .begin_s = (double)share->begin_ticks / second,
			  .end_s = (double)share->end_ticks / second,
			  .late_s = share->late_ticks != INT64_MIN
					    ? (double)share->late_ticks / second
					    : NAN,
			  .slowest_to = slow ? exchange_label(run, exchange->nodes[share->slow_to],
							      to)
					     : NULL,
			  .slow_s = slow ? (double)share->slow_ticks / second : NAN);
	}
}

void exchange_tabulate_shares(struct table *table, const struct exchange_run *run)
{
	struct tr_error err;

	table_heads(table, exchange_moment_fields);
	for (size_t k = 0; k < run->kind_count; k++) {
		const struct exchange_kind *kind = &run->kinds[k];
		struct exchange_share *shares = calloc(kind->of[0]->places, sizeof(*shares));
		bool whole = shares;

		for (size_t i = 0; i < kind->count && whole; i++) {
			whole = exchange_shares(kind->of[i], shares, &err) == TR_OK;
			if (whole)
				shares_put(table, run, k, i, shares);
		}
		if (!whole)
			table_fail(table);
		free(shares);
	}
}
