// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles broken one by one, each where the routes get least longer.
#include "net/routings/smart.h"

#include <stdlib.h>
#include <string.h>

struct breaking {
	struct net_smart smart; // of the turns that are left
	uint8_t *left;		// of a turn
	const uint8_t *tree;	// of a turn: 1 if it must stay
	uint32_t *before;	// of a channel: the one that the search came from
	uint32_t *queue;
	uint32_t *cycle; // channels
};

// A shortest cycle through a channel; returns its length, 0 for none.
static uint32_t smart_cycles_find_cycle(struct breaking *breaking, uint32_t start)
{
	const struct net_channels *channels = breaking->smart.channels;
	uint32_t tail = 0;
	uint32_t length = 0;

	memset(breaking->before, 0xff, channels->count * sizeof(*breaking->before));
	breaking->queue[tail++] = start;
	for (uint32_t head = 0; head < tail && breaking->before[start] == NET_NOBODY; head++) {
		const uint32_t c = breaking->queue[head];
		const uint32_t first = channels->first[channels->all[c].to];

		for (uint32_t next = first; next < channels->first[channels->all[c].to + 1];
		     next++) {
			if (breaking->left[channels->turn[c] + (next - first)] == 0 ||
			    breaking->before[next] != NET_NOBODY)
				continue;
			breaking->before[next] = c;
			if (next != start)
				breaking->queue[tail++] = next;
		}
	}
	if (breaking->before[start] == NET_NOBODY)
		return 0;
	for (uint32_t c = breaking->before[start];; c = breaking->before[c]) {
		breaking->cycle[length++] = c;
		if (c == start)
			return length;
	}
}

// Takes a turn out of a cycle, whose channels stand last first: that without which the routes are
// shortest, of equals the one that costs least, then the lowest.
static void smart_cycles_break_cycle(struct breaking *breaking, uint32_t length,
				     const uint64_t *costs)
{
	const struct net_channels *channels = breaking->smart.channels;
	uint64_t least = UINT64_MAX;
	size_t best = SIZE_MAX;

	for (uint32_t i = 0; i < length; i++) {
		const size_t turn = net_channels_turn(channels, breaking->cycle[i],
						      breaking->cycle[(i + length - 1) % length]);
		uint64_t total;

		if (breaking->tree[turn] != 0)
			continue;
		breaking->left[turn] = 0;
		total = net_smart_measure(&breaking->smart);
		breaking->left[turn] = 1;
		if (best != SIZE_MAX &&
		    (total > least ||
		     (total == least &&
		      (costs[turn] > costs[best] || (costs[turn] == costs[best] && turn > best)))))
			continue;
		least = total;
		best = turn;
	}
	breaking->left[best] = 0;
}

enum tr_status net_smart_break(uint8_t *left, const struct net_channels *channels,
			       const uint8_t *tree, const uint64_t *costs, struct tr_error *err)
{
	struct breaking breaking = {.left = left, .tree = tree};
	const size_t room = (size_t)channels->count + 1;
	enum tr_status status = net_smart_open(&breaking.smart, channels, left, err);

	breaking.before = calloc(room, sizeof(*breaking.before));
	breaking.queue = calloc(room, sizeof(*breaking.queue));
	breaking.cycle = calloc(room, sizeof(*breaking.cycle));
	if (status == TR_OK && (!breaking.before || !breaking.queue || !breaking.cycle))
		status = tr_no_memory(err, "the dependencies of channels");
	for (uint32_t c = 0; c < channels->count && status == TR_OK; c++) {
		uint32_t length;

		while ((length = smart_cycles_find_cycle(&breaking, c)) > 0)
			smart_cycles_break_cycle(&breaking, length, costs);
	}
	net_smart_close(&breaking.smart);
	free(breaking.before);
	free(breaking.queue);
	free(breaking.cycle);
	return status;
}
