// SPDX-License-Identifier: GPL-3.0-or-later
// What late nodes and slow links cost collective operations, and each operation at each node.
#include "stat_collectives.h"

#include <math.h>
#include <stdlib.h>

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

// A node, or a link if dst is a place, and what it costs the operations of a kind.
struct exchange_delay {
	int64_t sum_ticks; // above 0
	uint32_t src, dst;
	struct moments beyond; // an operation's, above the mean of those that are listed after it
	struct moments cost;
};

static int by_link(const void *left, const void *right)
{
	const struct exchange_delay *a = left, *b = right;

	ORDER_BY(a->src, b->src);
	return ORDER(a->dst, b->dst);
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
			.src = links ? exchange->parts[i].src : (uint32_t)i,
			.dst = links ? exchange->parts[i].dst : EXCHANGE_NONE,
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
		if (list[i].dst == EXCHANGE_NONE && costs->usual_begin_ticks != INT64_MIN &&
		    costs->begins[list[i].src] != INT64_MIN)
			list[i].sum_ticks += costs->begins[list[i].src] - costs->usual_begin_ticks;
	for (size_t i = 0; i < exchange->count && list[0].dst != EXCHANGE_NONE; i++) {
		const struct exchange_delay key = {.src = costs->parts[i].src,
						   .dst = costs->parts[i].dst};
		struct exchange_delay *delay = bsearch(&key, list, count, sizeof(*list), by_link);

		if (costs->times[i].usual_ticks != INT64_MAX)
			delay->sum_ticks += costs->times[i].own_ticks - costs->times[i].usual_ticks;
	}
}

// Times that are compared: their sum and number, and of these what is each listed one's.
struct exchange_mean {
	int64_t sum_ticks, of_ticks[TRIED];
	size_t count, of[TRIED];
};

// How far a time of list[index] is above the mean of those that are not list[0] to list[index];
// false: there are none, or one.
static bool mean_beyond(const struct exchange_mean *mean, size_t index, int64_t ticks,
			int64_t *beyond_ticks)
{
	int64_t sum_ticks = mean->sum_ticks;
	size_t count = mean->count;

	for (size_t i = 0; i <= index; i++) {
		sum_ticks -= mean->of_ticks[i];
		count -= mean->of[i];
	}
	if (count < 2)
		return false;
	*beyond_ticks = ticks - sum_ticks / (int64_t)count;
	return true;
}

static void mean_add(struct exchange_mean *mean, const struct exchange_delay *list, size_t count,
		     uint32_t src, uint32_t dst, int64_t ticks)
{
	mean->sum_ticks += ticks;
	mean->count++;
	for (size_t i = 0; i < count; i++)
		if (list[i].src == src && list[i].dst == dst) {
			mean->of_ticks[i] += ticks;
			mean->of[i]++;
		}
}

// Adds the begins of the operation that costs was opened for.
static void nodes_beyond(const struct exchange_costs *costs, struct exchange_delay *list,
			 size_t count)
{
	struct exchange_mean mean = {0};
	int64_t beyond_ticks;

	for (uint32_t p = 0; p < costs->exchange->places; p++)
		if (costs->begins[p] != INT64_MIN)
			mean_add(&mean, list, count, p, EXCHANGE_NONE, costs->begins[p]);
	for (size_t i = 0; i < count; i++)
		if (mean.of[i] > 0 && mean_beyond(&mean, i, mean.of_ticks[i], &beyond_ticks))
			moments_add(&list[i].beyond, beyond_ticks);
}

// Adds the own times of its messages, each beside those of its size in its step.
static void links_beyond(const struct exchange_costs *costs, struct exchange_delay *list,
			 size_t count)
{
	const struct exchange_part *parts = costs->parts;
	const size_t all = costs->exchange->count;
	struct exchange_mean mean = {0};
	int64_t sums_ticks[TRIED] = {0}, beyond_ticks;
	bool compared[TRIED] = {false};
	size_t step = 0; // where its first part is

	for (size_t m = 0; m < all; m++) {
		size_t i = 0;

		if (parts[m].step != parts[step].step)
			step = m;
		if (m == step || parts[m].of->size_bytes != parts[m - 1].of->size_bytes) {
			mean = (struct exchange_mean){0};
			for (size_t k = step; k < all && parts[k].step == parts[m].step; k++)
				if (parts[k].of->size_bytes == parts[m].of->size_bytes)
					mean_add(&mean, list, count, parts[k].src, parts[k].dst,
						 costs->times[k].own_ticks);
		}
		while (i < count && (list[i].src != parts[m].src || list[i].dst != parts[m].dst))
			i++;
		if (i < count && mean_beyond(&mean, i, costs->times[m].own_ticks, &beyond_ticks)) {
			sums_ticks[i] += beyond_ticks;
			compared[i] = true;
		}
	}
	for (size_t i = 0; i < count; i++)
		if (compared[i])
			moments_add(&list[i].beyond, sums_ticks[i]);
}

// What each costs in the operation that costs was opened for.
static void delays_cost(struct exchange_costs *costs, struct exchange_delay *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const bool link = list[i].dst != EXCHANGE_NONE;

		moments_add(&list[i].cost,
			    exchange_end(costs->exchange) -
				    exchange_end_without(costs, link ? EXCHANGE_NONE : list[i].src,
							 link ? list[i].src : EXCHANGE_NONE,
							 list[i].dst));
	}
}

static void delay_put(struct table *table, const struct exchange_run *run, size_t index,
		      const struct exchange_delay *delay)
{
	const struct exchange_kind *kind = &run->kinds[index];
	const uint32_t *nodes = kind->of[0]->nodes;
	const bool link = delay->dst != EXCHANGE_NONE;
	const struct moments times = exchange_times(kind);
	const struct table_interval cost_s = exchange_seconds(run, &delay->cost, run->level);
	char from[32], to[32];

	if (moments_mean(&delay->cost) < COST_SHARE_MIN * moments_mean(&times))
		return;
	TABLE_PUT(table, exchange_delay, .collective = index + 1,
		  .delay = link ? "slow link" : "late node",
		  .node = exchange_label(run, nodes[delay->src], from),
		  .to = link ? exchange_label(run, nodes[delay->dst], to) : NULL,
		  .delay_s = (double)delay->sum_ticks / (double)kind->count /
			     (double)run->ticks_per_s,
		  .cost_s = cost_s.value, .cost_lo_s = cost_s.lo, .cost_hi_s = cost_s.hi,
		  .cost_percent = 100 * moments_mean(&delay->cost) / moments_mean(&times));
}

// Lists what is latest, or slowest, in sum over the operations of a kind, and then costs most.
static enum tr_status exchange_delays(struct table *table, const struct exchange_run *run,
				      size_t index, bool links, struct tr_error *err)
{
	const struct exchange_kind *kind = &run->kinds[index];
	const struct exchange *first = kind->of[0];
	struct exchange_delay *list = calloc(first->count + first->places, sizeof(*list));
	enum tr_status status = list ? TR_OK : tr_no_memory(err, "%zu links", first->count);
	const size_t all = list ? delays_list(first, links, list) : 0;
	const double level = 1 - (1 - run->level) / (double)all; // Bonferroni
	size_t count = all;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < kind->count && status == TR_OK; i++) {
			struct exchange_costs costs;

			status = exchange_costs_open(&costs, kind->of[i], err);
			if (status == TR_OK && pass == 0)
				delays_add(&costs, list, count);
			else if (status == TR_OK) {
				(links ? links_beyond : nodes_beyond)(&costs, list, count);
				delays_cost(&costs, list, count);
			}
			exchange_costs_close(&costs);
		}
		if (status == TR_OK && pass == 0)
			qsort(list, count, sizeof(*list), latest_first);
		while (count > 0 && (count > TRIED || list[count - 1].sum_ticks <= 0))
			count--;
	}
	// Own times and begins are skew: each is above the median on average.
	for (size_t i = 0; i < count && status == TR_OK; i++)
		if (exchange_seconds(run, &list[i].beyond, level).lo > 0)
			delay_put(table, run, index, &list[i]);
		else
			count = i;
	free(list);
	return status;
}

enum tr_status exchange_delays_table(const struct exchange_run *run, struct table **out,
				     struct tr_error *err)
{
	struct table *table = table_of("delays", "Late nodes and slow links",
				       exchange_delay_fields);
	size_t single = 0;

	*out = table;
	for (size_t i = 0; i < run->kind_count; i++) {
		single += run->kinds[i].count < 2;
		for (int links = 0; links < 2; links++)
			if (exchange_delays(table, run, i, links, err) != TR_OK)
				return TR_ERROR;
	}
	if (single > 0)
		table_note(table,
			   "%zu of the collectives came once: no delay of theirs can be "
			   "told from chance",
			   single);
	return TR_OK;
}

// ---- each operation at each node

// Adds the rows of an operation. room: a word for each of two times, and a part, of each place.
static void moments_put(struct table *table, const struct exchange_run *run,
			const struct exchange_costs *costs, struct exchange_moment_row row,
			int64_t *room)
{
	const struct exchange *exchange = costs->exchange;
	const double second = (double)run->ticks_per_s;
	int64_t *begins = room, *ends = begins + exchange->places, *slow = ends + exchange->places;
	char text[32], to[32];

	for (uint32_t p = 0; p < exchange->places; p++) {
		begins[p] = INT64_MAX;
		ends[p] = INT64_MIN;
		slow[p] = -1;
	}
	for (size_t i = 0; i < exchange->count; i++) {
		const struct exchange_part *part = &costs->parts[i];
		const uint32_t of[] = {part->src, part->dst};
		const struct exchange_time *time = &costs->times[i];
		const struct exchange_time *least = slow[part->src] < 0
							    ? NULL
							    : &costs->times[slow[part->src]];

		for (int end = 0; end < 2; end++) {
			if (part->of->begin_ticks < begins[of[end]])
				begins[of[end]] = part->of->begin_ticks;
			if (part->of->end_ticks > ends[of[end]])
				ends[of[end]] = part->of->end_ticks;
		}
		if (time->usual_ticks < time->own_ticks &&
		    (!least ||
		     time->own_ticks - time->usual_ticks > least->own_ticks - least->usual_ticks))
			slow[part->src] = (int64_t)i;
	}
	for (uint32_t p = 0; p < exchange->places; p++) {
		const struct exchange_time *time = slow[p] < 0 ? NULL : &costs->times[slow[p]];
		const bool begins_alone = costs->begins[p] != INT64_MIN &&
					  costs->usual_begin_ticks != INT64_MIN;

		row.node = exchange_label(run, exchange->nodes[p], text);
		row.begin_s = (double)begins[p] / second;
		row.end_s = (double)ends[p] / second;
		row.late_s = begins_alone ? (double)(costs->begins[p] - costs->usual_begin_ticks) /
						    second
					  : NAN;
		row.slowest_to = time ? exchange_label(
						run, exchange->nodes[costs->parts[slow[p]].dst], to)
				      : NULL;
		row.slow_s = time ? (double)(time->own_ticks - time->usual_ticks) / second : NAN;
		table_row(table, exchange_moment_fields, &row);
	}
}

enum tr_status exchange_moments_table(const struct exchange_run *run, struct table **out,
				      struct tr_error *err)
{
	struct table *table = table_of("timeline", "Each operation at each node",
				       exchange_moment_fields);
	enum tr_status status = TR_OK;

	*out = table;
	for (size_t k = 0; k < run->kind_count; k++)
		for (size_t i = 0; i < run->kinds[k].count && status == TR_OK; i++) {
			const struct exchange *exchange = run->kinds[k].of[i];
			int64_t *room = calloc(3 * (size_t)exchange->places, sizeof(*room));
			struct exchange_costs costs;

			status = exchange_costs_open(&costs, exchange, err);
			if (status == TR_OK && !room)
				status = tr_no_memory(err, "%u nodes", exchange->places);
			if (status == TR_OK)
				moments_put(table, run, &costs,
					    (struct exchange_moment_row){.collective = k + 1,
									 .operation = i + 1},
					    room);
			exchange_costs_close(&costs);
			free(room);
		}
	return status;
}
