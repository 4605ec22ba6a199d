// SPDX-License-Identifier: GPL-3.0-or-later
// A packet is reordered if one that its source sent later to the same destination has come before
// it (RFC 4737, 2006, section 3.3).
#include <stdlib.h>

#include "measurement.h"
#include "table/table_rows.h"

// Whether the source sent the worm before the one that it sent last, of those that have come. What
// it sends at one time, such as the segments of a packet, leaves it in order.
static bool order_is_late(const struct order_pair *pair, const struct net_worm *worm)
{
	return worm->created_ticks < pair->created_ticks ||
	       (worm->created_ticks == pair->created_ticks &&
		worm->injected_ticks < pair->injected_ticks);
}

static struct order_pair *find_order_pair(struct order *order, const struct net_worm *worm)
{
	const uint64_t key = (uint64_t)worm->source << 32 | worm->destination;
	uint64_t value;
	uint32_t at, place;

	if (!tr_hash_reserve(&order->index) || !GROW(order->pairs, order->room, order->count))
		return NULL;
	value = tr_hash_words(&order->index, &key, 1);
	at = tr_hash_first(value);
	while ((place = tr_hash_next(&order->index, value, &at)) != TR_HASH_NONE)
		if (order->pairs[place].key == key)
			return &order->pairs[place];
	tr_hash_add(&order->index, value, order->count);
	order->pairs[order->count] = (struct order_pair){.key = key, .created_ticks = INT64_MIN};
	return &order->pairs[order->count++];
}

enum tr_status order_add(struct order *order, const struct net_worm *worm, struct tr_error *err)
{
	struct order_pair *pair = order->wanted ? find_order_pair(order, worm) : NULL;

	if (!order->wanted)
		return TR_OK;
	if (!pair)
		return tr_no_memory(err, "the order of packets");
	order->sums.delivered++;
	if (!order_is_late(pair, worm)) {
		pair->created_ticks = worm->created_ticks;
		pair->injected_ticks = worm->injected_ticks;
		return TR_OK;
	}
	order->sums.overtaken++;
	order->sums.pairs_overtaken += !pair->overtaken;
	pair->overtaken = true;
	return TR_OK;
}

void order_repeat(struct order *order, uint64_t times, int64_t period_ticks)
{
	const struct order_sums since = order->marked;

	if (times == 0) {
		order->marked = order->sums;
		return;
	}
	order->sums.delivered += times * (order->sums.delivered - since.delivered);
	order->sums.overtaken += times * (order->sums.overtaken - since.overtaken);
	for (uint32_t i = 0; i < order->count; i++) {
		order->pairs[i].created_ticks += (int64_t)times * period_ticks;
		order->pairs[i].injected_ticks += (int64_t)times * period_ticks;
	}
}

TABLE_ROW(order, (count, pairs), (count, pairs_overtaken), (count, delivered), (count, overtaken),
	  (real, overtaken_percent, 6));

struct table *order_table(const struct order *order)
{
	struct table *table;

	if (!order->wanted)
		return NULL;
	table = table_of("order", "Packets that one of their pair of hosts overtook", order_fields);
	TABLE_PUT(table, order, .pairs = order->count,
		  .pairs_overtaken = order->sums.pairs_overtaken,
		  .delivered = order->sums.delivered, .overtaken = order->sums.overtaken,
		  .overtaken_percent = 100.0 * (double)order->sums.overtaken /
				       (double)order->sums.delivered);
	return table;
}

void order_close(struct order *order)
{
	tr_hash_clear(&order->index);
	free(order->pairs);
}
