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

// Of a switch in a tree: layers.next and layers.lane, and which channel leads to a switch whose next channel leads here, and from
// the switch at the end to another such switch, side by side: a subtree is met without a look at what is not in it.
struct hop {
	uint16_t slot;
	uint16_t child;	  // NET_LAYERS_NONE for none
	uint16_t sibling; // the same
	uint8_t lane;
};

// Everything at work.
struct work {
	struct net_layers layers;
	uint32_t lane;	    // the one whose cycles are broken
	struct hop *hops;   // [column * switches + at]: a tree lies together
	size_t *users;	    // of a turn: its first tree in columns; turns + 2 of them
	uint32_t *columns;  // the trees that have each turn
	uint32_t *paths;    // of a turn: those on the lane that make it
	uint32_t *paths_up; // of a turn: those on the next lane
	uint8_t *color;	    // of a channel, in the search
	uint32_t *way;	    // channels from the search's beginning to where it is
	uint32_t *slot;	    // of these: the next turn to follow
	uint32_t *path;	    // channels of a path, or switches of a subtree
	uint64_t *scratch;
	bool moved; // to the next lane
};

static struct hop *hop_of(const struct work *work, uint32_t at, uint32_t column)
{
	return &work->hops[(size_t)column * work->layers.channels.switches + at];
}

// The channel by which worms to a column leave a switch; NET_NOBODY for none.
static uint32_t follow(const struct work *work, uint32_t at, uint32_t column)
{
	const uint16_t slot = hop_of(work, at, column)->slot;

	return slot == NET_LAYERS_NONE ? NET_NOBODY : work->layers.channels.first[at] + slot;
}

// The turn behind a channel on the way to a column, and its second channel in *next; false where the way ends.
static bool find_turn(const struct work *work, uint32_t channel, uint32_t column, uint32_t *next, size_t *turn)
{
	*next = follow(work, work->layers.channels.all[channel].to, column);
	if (*next == NET_NOBODY)
		return false;
	*turn = net_channels_turn(&work->layers.channels, channel, *next);
	return true;
}

static void copy_trees(struct work *work)
{
	const struct net_layers *layers = &work->layers;
	const struct net_channels *channels = &layers->channels;

	for (uint32_t column = 0; column < layers->columns; column++)
		for (uint32_t at = 0; at < channels->switches; at++)
			*hop_of(work, at, column) = (struct hop){layers->next[net_layers_entry(layers, at, column)],
								 NET_LAYERS_NONE, NET_LAYERS_NONE, 0};
	for (uint32_t column = 0; column < layers->columns; column++)
		for (uint32_t at = 0; at < channels->switches; at++) {
			const uint32_t c = follow(work, at, column);
			struct hop *end;

			if (c == NET_NOBODY)
				continue;
			end = hop_of(work, channels->all[c].to, column);
			hop_of(work, at, column)->sibling = end->child;
			end->child = (uint16_t)(channels->all[c].back - channels->first[channels->all[c].to]);
		}
}

static void copy_lanes(struct work *work)
{
	struct net_layers *layers = &work->layers;

	for (uint32_t at = 0; at < layers->channels.switches; at++)
		for (uint32_t column = 0; column < layers->columns; column++)
			layers->lane[net_layers_entry(layers, at, column)] = hop_of(work, at, column)->lane;
}

// Counts the trees that have each turn, two places ahead, or lists them; in the order of their columns.
static void visit_turns(struct work *work, bool list)
{
	const struct net_channels *channels = &work->layers.channels;

	for (uint32_t column = 0; column < work->layers.columns; column++)
		for (uint32_t at = 0; at < channels->switches; at++) {
			uint32_t c = follow(work, at, column);
			size_t turn;

			if (c == NET_NOBODY || !find_turn(work, c, column, &c, &turn))
				continue;
			if (list)
				work->columns[work->users[turn + 1]++] = column;
			else
				work->users[turn + 2]++;
		}
}

static enum tr_status list_users(struct work *work, struct tr_error *err)
{
	const size_t turns = net_channels_turns(&work->layers.channels);

	visit_turns(work, false);
	for (size_t turn = 0; turn < turns; turn++)
		work->users[turn + 2] += work->users[turn + 1];
	work->columns = calloc(work->users[turns + 1] + 1, sizeof(*work->columns));
	if (!work->columns)
		return tr_no_memory(err, "the lanes of routes");
	visit_turns(work, true);
	return TR_OK;
}

// Adds the turns of all paths up, which begin at switches with hosts.
static void count_paths(struct work *work)
{
	const struct net_channels *channels = &work->layers.channels;

	for (uint32_t column = 0; column < work->layers.columns; column++)
		for (uint32_t at = 0; at < channels->switches; at++) {
			uint32_t c = follow(work, at, column);
			size_t turn;

			if (channels->hosts_at[at] > 0 && c != NET_NOBODY)
				for (; find_turn(work, c, column, &c, &turn);)
					work->paths[turn]++;
		}
}

// Moves the path from a switch to the next lane, if it is on this one.
static void move_path(struct work *work, uint32_t at, uint32_t column)
{
	uint8_t *lane = &hop_of(work, at, column)->lane;
	uint32_t c;
	size_t turn;

	if (*lane != work->lane || work->layers.channels.hosts_at[at] == 0)
		return;
	*lane = (uint8_t)(work->lane + 1);
	work->moved = true;
	for (c = follow(work, at, column); find_turn(work, c, column, &c, &turn);) {
		work->paths[turn]--;
		work->paths_up[turn]++;
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
		uint16_t slot = hop_of(work, at, column)->child;

		move_path(work, at, column);
		while (slot != NET_LAYERS_NONE) {
			const uint32_t child = channels->all[channels->first[at] + slot].to;

			work->path[top++] = child;
			slot = hop_of(work, child, column)->sibling;
		}
	}
}

#define AHEAD 8u // trees that are on their way from memory while one is at work

// Moves all paths that make a turn.
static void cut(struct work *work, uint32_t from, uint32_t to)
{
	const struct net_channels *channels = &work->layers.channels;
	const size_t turn = net_channels_turn(channels, from, to);
	const size_t last = work->users[turn + 1] - 1;

	for (size_t i = work->users[turn]; work->paths[turn] > 0; i++) {
		const uint32_t soon = work->columns[i + AHEAD < last ? i + AHEAD : last];

		__builtin_prefetch(hop_of(work, channels->all[from].from, soon));
		__builtin_prefetch(hop_of(work, channels->all[from].to, soon));
		__builtin_prefetch(hop_of(work, channels->all[to].to, soon));
		move_subtree(work, channels->all[from].from, work->columns[i]);
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
		uint32_t *const paths = work->paths;

		work->moved = false;
		memset(work->color, WHITE, work->layers.channels.count);
		for (uint32_t c = 0; c < work->layers.channels.count; c++)
			if (work->color[c] == WHITE)
				search(work, c);
		if (!work->moved)
			return work->lane + 1;
		work->paths = work->paths_up;
		work->paths_up = paths;
		memset(paths, 0, net_channels_turns(&work->layers.channels) * sizeof(*paths));
	}
	return 0;
}

static enum tr_status open_work(struct work *work, const struct net_topology *topology, struct tr_error *err)
{
	const struct net_channels *channels = &work->layers.channels;
	size_t room;
	size_t entries;
	size_t turns;

	if (net_layers_open(&work->layers, topology, true, err) != TR_OK)
		return TR_ERROR;
	room = (size_t)channels->count + channels->switches + 1;
	entries = (size_t)channels->switches * work->layers.columns + 1;
	turns = net_channels_turns(channels);
	work->hops = calloc(entries, sizeof(*work->hops));
	work->users = calloc(turns + 2, sizeof(*work->users));
	work->paths = calloc(turns + 1, sizeof(*work->paths));
	work->paths_up = calloc(turns + 1, sizeof(*work->paths_up));
	work->color = calloc(room, sizeof(*work->color));
	work->way = calloc(room, sizeof(*work->way));
	work->slot = calloc(room, sizeof(*work->slot));
	work->path = calloc(room, sizeof(*work->path));
	work->scratch = calloc(room, sizeof(*work->scratch));
	if (!work->hops || !work->users || !work->paths || !work->paths_up || !work->color || !work->way || !work->slot ||
	    !work->path || !work->scratch)
		return tr_no_memory(err, "the lanes of routes");
	return TR_OK;
}

// Closes all but the layers.
static void close_work(struct work *work)
{
	free(work->hops);
	free(work->users);
	free(work->columns);
	free(work->paths);
	free(work->paths_up);
	free(work->color);
	free(work->way);
	free(work->slot);
	free(work->path);
	free(work->scratch);
}

static enum tr_status make_lanes(struct work *work, uint32_t limit, uint32_t *lanes, struct tr_error *err)
{
	net_layers_lay(&work->layers, true, work->scratch);
	copy_trees(work);
	if (list_users(work, err) != TR_OK)
		return TR_ERROR;
	count_paths(work);
	*lanes = break_all(work, limit);
	copy_lanes(work);
	return *lanes > 0 ? TR_OK : tr_fail(err, "lanes=%u is too few: cycles are left on the last", limit);
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
	if (status == TR_OK)
		status = make_lanes(&work, (uint32_t)limit, &lanes, err);
	close_work(&work);
	if (status == TR_OK)
		return net_layers_routes(routes, &work.layers, lanes, err);
	net_layers_close(&work.layers);
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
