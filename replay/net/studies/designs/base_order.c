// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the objects in a base block. Known values: (0 1 3 6) of 10 switches becomes (3 1 0
// 6), as in figure 5.6 of the thesis; (0 1 3 7) of 14 stays (table 5.4).
#include "net/studies/designs/base_blocks.h"

#include <string.h>

#define ALL_ORDERS_MAX 8u	      // objects of a part of which all orders are tried
#define LOOKS_MAX UINT64_C(200000000) // at differences, in exchanges

struct base_order_tally {
	uint16_t shortest[NET_BASE_SWITCHES_MAX / 2 +
			  1]; // way of a difference in the blocks; 0: none
	uint16_t neighbours[NET_BASE_SWITCHES_MAX / 2 + 1]; // that have it
};

static uint32_t base_order_fold(uint32_t switches, uint32_t one, uint32_t other)
{
	const uint32_t d = one > other ? one - other : other - one;

	return d < switches - d ? d : switches - d;
}

static void count_part(struct base_order_tally *tally, const struct net_base *base,
		       const uint32_t *objects, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		for (uint32_t j = i + 1; j < length; j++) {
			const uint32_t d = base_order_fold(base->switches, objects[i], objects[j]);

			if (tally->shortest[d] == 0 || j - i < tally->shortest[d])
				tally->shortest[d] = (uint16_t)(j - i);
			if (j == i + 1)
				tally->neighbours[d]++;
		}
}

struct net_base_order net_base_order_of(const struct net_base *base)
{
	const uint32_t half = base->switches / 2;
	const uint32_t *objects = base->objects;
	struct net_base_order order = {0};
	struct base_order_tally tally;

	memset(tally.shortest, 0, (half + 1) * sizeof(*tally.shortest));
	memset(tally.neighbours, 0, (half + 1) * sizeof(*tally.neighbours));
	for (uint32_t part = 0; part < base->parts; objects += base->lengths[part++])
		count_part(&tally, base, objects, base->lengths[part]);
	for (uint32_t d = 1; d <= half; d++) {
		const bool opposite = 2 * d == base->switches;

		if (tally.neighbours[d] > 0)
			order.doubled += tally.neighbours[d] - (opposite ? 0u : 1u);
		if (tally.shortest[d] > order.longest)
			order.longest = tally.shortest[d];
		order.all_cables += (opposite ? 1u : 2u) * tally.shortest[d];
	}
	return order;
}

static bool base_order_is_better(struct net_base_order one, struct net_base_order other)
{
	if (one.doubled != other.doubled)
		return one.doubled < other.doubled;
	if (one.longest != other.longest)
		return one.longest < other.longest;
	return one.all_cables < other.all_cables;
}

static void base_order_swap(uint32_t *objects, uint32_t i, uint32_t j)
{
	const uint32_t kept = objects[i];

	objects[i] = objects[j];
	objects[j] = kept;
}

// The next order of the objects, as in a dictionary; false after the last.
static bool next_order(uint32_t *objects, uint32_t length)
{
	uint32_t i = length - 1;
	uint32_t j = length - 1;

	while (i > 0 && objects[i - 1] >= objects[i])
		i--;
	if (i == 0)
		return false;
	while (objects[j] <= objects[i - 1])
		j--;
	base_order_swap(objects, i - 1, j);
	for (j = length - 1; i < j; i++, j--)
		base_order_swap(objects, i, j);
	return true;
}

static void base_order_ascend(uint32_t *objects, uint32_t length)
{
	for (uint32_t i = 1; i < length; i++)
		for (uint32_t j = i; j > 0 && objects[j - 1] > objects[j]; j--)
			base_order_swap(objects, j - 1, j);
}

// Tries all orders of the part whose objects begin at first.
static void base_order_try_orders(struct net_base *base, uint32_t first, uint32_t length)
{
	uint32_t best[ALL_ORDERS_MAX];
	uint32_t *objects = base->objects + first;
	struct net_base_order least;

	base_order_ascend(objects, length);
	memcpy(best, objects, length * sizeof(*best));
	least = net_base_order_of(base);
	while (next_order(objects, length)) {
		const struct net_base_order order = net_base_order_of(base);

		if (!base_order_is_better(order, least))
			continue;
		least = order;
		memcpy(best, objects, length * sizeof(*best));
	}
	memcpy(objects, best, length * sizeof(*best));
}

// Exchanges two objects of the part, pair after pair, as long as that makes the order better.
static void base_order_exchange(struct net_base *base, uint32_t first, uint32_t length,
				uint64_t *looks)
{
	const uint64_t look = (uint64_t)length * length + base->switches;
	uint32_t *objects = base->objects + first;
	struct net_base_order least;
	bool better = true;

	base_order_ascend(objects, length);
	least = net_base_order_of(base);
	while (better) {
		better = false;
		for (uint32_t i = 0; i < length; i++)
			for (uint32_t j = i + 1; j < length && *looks < LOOKS_MAX; j++) {
				struct net_base_order order;

				base_order_swap(objects, i, j);
				order = net_base_order_of(base);
				*looks += look;
				if (base_order_is_better(order, least)) {
					least = order;
					better = true;
				} else {
					base_order_swap(objects, i, j);
				}
			}
	}
}

void net_base_arrange(struct net_base *base)
{
	uint64_t looks = 0;
	uint32_t first = 0;

	for (uint32_t part = 0; part < base->parts; first += base->lengths[part++])
		if (base->lengths[part] <= ALL_ORDERS_MAX)
			base_order_try_orders(base, first, base->lengths[part]);
		else
			base_order_exchange(base, first, base->lengths[part], &looks);
}
