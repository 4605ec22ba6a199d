// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlock-free single-source shortest paths (Domke, Hoefler and Nagel, Deadlock-free oblivious routing for arbitrary topologies,
// 2011): a tree of shortest paths for each destination host, where earlier trees make channels dearer; then cycles of
// dependencies are broken on one lane after another, by moving the paths of the cycle's weakest dependency, that which fewest
// paths make, to the next lane. Differences: paths are those of switches with hosts to a host, whatever the number of hosts at
// their beginning; a lane that is not needed stays away instead of taking over paths.
#include <stdlib.h>
#include <string.h>

#include "net/routings/layers.h"
#include "net/routings/routing.h"

struct params {
	uint64_t lanes;
};

static const struct key keys[] = {
	{"lanes", KEY_COUNT, offsetof(struct params, lanes), NULL, NULL, "lanes that it may use, 1 to 64"},
	{.type = KEY_END},
};

static const struct params usual = {16};

enum color { WHITE, ON_THE_WAY, DONE };

// Everything at work.
struct work {
	struct net_layers layers;
	uint32_t lane;	 // the one whose cycles are broken
	uint16_t *trees; // layers.next by columns, where trees lie together
	uint32_t *paths; // of a turn: those on the lane that make it
	uint8_t *color;	 // of a channel, in the search
	uint32_t *way;	 // channels from the search's beginning to where it is
	uint32_t *slot;	 // of these: the next turn to follow
	uint32_t *path;	 // channels of a path, or switches of a subtree
	uint64_t *scratch;
	bool moved; // to the next lane
};

// The channel by which worms to a column leave a switch; NET_NOBODY for none.
static uint32_t follow(const struct work *work, uint32_t at, uint32_t column)
{
	const uint16_t slot = work->trees[(size_t)column * work->layers.channels.switches + at];

	return slot == NET_LAYERS_NONE ? NET_NOBODY : work->layers.channels.first[at] + slot;
}

static void copy_trees(struct work *work)
{
	const struct net_layers *layers = &work->layers;

	for (uint32_t column = 0; column < layers->columns; column++)
		for (uint32_t at = 0; at < layers->channels.switches; at++)
			work->trees[(size_t)column * layers->channels.switches + at] =
				layers->next[net_layers_entry(layers, at, column)];
}

// Adds the turns of the lane's paths up, tree by tree from the farthest switches; of all switches one is a source if it has
// hosts.
static void count_paths(struct work *work)
{
	const struct net_layers *layers = &work->layers;
	const struct net_channels *channels = &layers->channels;

	memset(work->paths, 0, net_channels_turns(channels) * sizeof(*work->paths));
	for (uint32_t column = 0; column < layers->columns; column++)
		for (uint32_t at = 0; at < channels->switches; at++) {
			uint32_t c = follow(work, at, column);

			if (channels->hosts_at[at] == 0 || layers->lane[net_layers_entry(layers, at, column)] != work->lane)
				continue;
			while (c != NET_NOBODY) {
				const uint32_t next = follow(work, channels->all[c].to, column);

				if (next != NET_NOBODY)
					work->paths[net_channels_turn(channels, c, next)]++;
				c = next;
			}
		}
}

// Moves the path from a switch to the next lane, if it is on this one.
static void move_path(struct work *work, uint32_t at, uint32_t column)
{
	const struct net_layers *layers = &work->layers;
	uint8_t *lane = &work->layers.lane[net_layers_entry(layers, at, column)];
	uint32_t c = follow(work, at, column);

	if (*lane != work->lane || layers->channels.hosts_at[at] == 0)
		return;
	*lane = (uint8_t)(work->lane + 1);
	work->moved = true;
	while (c != NET_NOBODY) {
		const uint32_t next = follow(work, layers->channels.all[c].to, column);

		if (next != NET_NOBODY)
			work->paths[net_channels_turn(&layers->channels, c, next)]--;
		c = next;
	}
}

// Moves all paths through a switch to a column.
static void move_subtree(struct work *work, uint32_t root, uint32_t column)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t top = 0;

	work->path[top++] = root;
	while (top > 0) {
		const uint32_t at = work->path[--top];

		move_path(work, at, column);
		for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++)
			if (follow(work, channels->all[out].to, column) == channels->all[out].back)
				work->path[top++] = channels->all[out].to;
	}
}

#define BLOCK 64u // columns that are compared without a branch

// Moves all paths that make a turn.
static void cut(struct work *work, uint32_t from, uint32_t to)
{
	const struct net_layers *layers = &work->layers;
	const struct net_channel *held = &layers->channels.all[from];
	const uint16_t *first = layers->next + net_layers_entry(layers, held->from, 0);
	const uint16_t *second = layers->next + net_layers_entry(layers, held->to, 0);
	const uint16_t first_slot = (uint16_t)(from - layers->channels.first[held->from]);
	const uint16_t second_slot = (uint16_t)(to - layers->channels.first[held->to]);
	const uint32_t *left = &work->paths[net_channels_turn(&layers->channels, from, to)];

	for (uint32_t begin = 0; *left > 0 && begin < layers->columns; begin += BLOCK) {
		const uint32_t end = begin + BLOCK < layers->columns ? begin + BLOCK : layers->columns;
		uint16_t any = 0;

		for (uint32_t column = begin; column < end; column++)
			any |= (uint16_t)((first[column] == first_slot) & (second[column] == second_slot));
		for (uint32_t column = begin; any != 0 && column < end; column++)
			if (first[column] == first_slot && second[column] == second_slot)
				move_subtree(work, held->from, column);
	}
}

// Breaks the cycle that a turn from the last channel of the way to one on it closes. Returns how much of the way is left: up
// to the channel whose turn was cut.
static uint32_t break_cycle(struct work *work, uint32_t length, uint32_t back_to)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t best = length - 1;
	uint32_t fewest = work->paths[net_channels_turn(channels, work->way[best], back_to)];

	for (uint32_t i = length - 1; work->way[i] != back_to; i--) {
		const uint32_t paths = work->paths[net_channels_turn(channels, work->way[i - 1], work->way[i])];

		if (paths >= fewest)
			continue;
		fewest = paths;
		best = i - 1;
	}
	if (fewest > 0)
		cut(work, work->way[best], best == length - 1 ? back_to : work->way[best + 1]);
	for (uint32_t i = best + 1; i < length; i++)
		work->color[work->way[i]] = WHITE;
	return best + 1;
}

// Searches from a channel in depth, and breaks each cycle that it meets. A turn only ever goes away, so that what is done
// stays free of cycles.
static void search(struct work *work, uint32_t start)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t length = 0;
	uint32_t next = start;

	for (;;) {
		if (next != NET_NOBODY) {
			work->color[next] = ON_THE_WAY;
			work->slot[length] = 0;
			work->way[length++] = next;
			next = NET_NOBODY;
		}
		const uint32_t c = work->way[length - 1];
		const uint32_t first = channels->first[channels->all[c].to];
		const uint32_t slot = work->slot[length - 1]++;

		if (first + slot == channels->first[channels->all[c].to + 1]) {
			work->color[c] = DONE;
			if (--length == 0)
				return;
		} else if (work->paths[channels->turn[c] + slot] > 0 && work->color[first + slot] == ON_THE_WAY) {
			length = break_cycle(work, length, first + slot);
		} else if (work->paths[channels->turn[c] + slot] > 0 && work->color[first + slot] == WHITE) {
			next = first + slot;
		}
	}
}

// Makes one lane after another acyclic; returns how many there are, 0 if the limit is too low.
static uint32_t break_all(struct work *work, uint32_t limit)
{
	for (work->lane = 0; work->lane < limit; work->lane++) {
		work->moved = false;
		count_paths(work);
		memset(work->color, WHITE, work->layers.channels.count);
		for (uint32_t c = 0; c < work->layers.channels.count; c++)
			if (work->color[c] == WHITE)
				search(work, c);
		if (!work->moved)
			return work->lane + 1;
	}
	return 0;
}

static enum tr_status open_work(struct work *work, const struct net_topology *topology, struct tr_error *err)
{
	const struct net_channels *channels = &work->layers.channels;
	size_t room;

	if (net_layers_open(&work->layers, topology, true, err) != TR_OK)
		return TR_ERROR;
	room = (size_t)channels->count + channels->switches + 1;
	work->trees = calloc((size_t)channels->switches * work->layers.columns + 1, sizeof(*work->trees));
	work->paths = calloc(net_channels_turns(channels) + 1, sizeof(*work->paths));
	work->color = calloc(room, sizeof(*work->color));
	work->way = calloc(room, sizeof(*work->way));
	work->slot = calloc(room, sizeof(*work->slot));
	work->path = calloc(room, sizeof(*work->path));
	work->scratch = calloc(room, sizeof(*work->scratch));
	if (!work->trees || !work->paths || !work->color || !work->way || !work->slot || !work->path || !work->scratch)
		return tr_no_memory(err, "the lanes of routes");
	return TR_OK;
}

static void close_work(struct work *work)
{
	net_layers_close(&work->layers);
	free(work->trees);
	free(work->paths);
	free(work->color);
	free(work->way);
	free(work->slot);
	free(work->path);
	free(work->scratch);
}

static enum tr_status make(struct net_routes *routes, const struct net_topology *topology, const void *params,
			   struct tr_error *err)
{
	const uint64_t limit = ((const struct params *)params)->lanes;
	struct work work = {0};
	uint32_t lanes = 0;
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (limit < 1 || limit > NET_LANES_MAX)
		return tr_fail(err, "lanes=%llu: expected 1 to %u", (unsigned long long)limit, NET_LANES_MAX);
	status = open_work(&work, topology, err);
	if (status == TR_OK) {
		net_layers_lay(&work.layers, true, work.scratch);
		copy_trees(&work);
		lanes = break_all(&work, (uint32_t)limit);
		if (lanes == 0)
			status = tr_fail(err, "lanes=%llu is too few: cycles are left on the last", (unsigned long long)limit);
	}
	if (status == TR_OK)
		status = net_layers_routes(routes, &work.layers, lanes, err);
	close_work(&work);
	return status;
}

const struct net_routing net_routing_dfsssp = {
	.name = "dfsssp",
	.summary = "balanced shortest routes, moved to more lanes until each is free of cycles",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = make,
};
