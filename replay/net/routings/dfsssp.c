// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlock-free single-source shortest paths (Domke, Hoefler and Nagel, Deadlock-free oblivious
// routing for arbitrary topologies, 2011): a tree of shortest paths for each destination host,
// where earlier trees make channels dearer; then cycles of dependencies are broken on one lane
// after another, by moving the paths of the cycle's weakest dependency, that which fewest paths
// make, to the next lane. Differences: paths are those of switches with hosts to a host, whatever
// the number of hosts at their beginning; a lane that is not needed stays away instead of taking
// over paths.
#include <stdlib.h>
#include <string.h>

#include "net/routings/layers.h"
#include "net/routings/routing.h"

struct dfsssp_params {
	uint64_t lanes;
};

static const struct key keys[] = {
	{"lanes", KEY_COUNT, offsetof(struct dfsssp_params, lanes), NULL, NULL,
	 "lanes that it may use, 1 to 64"},
	{.type = KEY_END},
};

static const struct dfsssp_params usual = {16};

enum color { WHITE, ON_THE_WAY, DONE };

#define NO_PATH UINT8_MAX // lane of switches where no path begins

// A switch in a tree. All behind a switch follow it: its subtree is what is deeper, up to the next
// that is not.
struct hop {
	uint32_t next;	// the channel by which it leaves; NET_NOBODY at the destination and where
			// there is no way
	uint32_t up;	// so many places before it is the switch at that channel's end
	uint16_t depth; // channels to the destination
	uint8_t lane;	// of the path that begins here
};

// Everything at work.
struct dfsssp_work {
	struct net_layers layers;
	uint32_t lane;	    // the one whose cycles are broken
	struct hop *hops;   // of each column its tree, as many as switches; and one more
	size_t *users;	    // of a turn: its first place in places; turns + 2 of them
	uint32_t *places;   // the hops that make each turn
	uint32_t *paths;    // of a turn: those on the lane that make it
	uint32_t *paths_up; // of a turn: those on the next lane
	uint32_t *below;    // of the hops of a subtree: paths that are moved
	uint8_t *color;	    // of a channel, in the search
	uint32_t *way;	    // channels from the search's beginning to where it is
	uint32_t *slot;	    // of these: the next turn to follow
	uint64_t *scratch;
	bool moved; // to the next lane
};

// The turn that a hop makes; false where the way ends with it.
static bool find_turn(const struct dfsssp_work *work, const struct hop *hop, size_t *turn)
{
	const struct hop *end = hop - hop->up;

	if (hop->next == NET_NOBODY || end->next == NET_NOBODY)
		return false;
	*turn = net_channels_turn(&work->layers.channels, hop->next, end->next);
	return true;
}

// Lays trees as hops.
struct laying {
	uint32_t child; // of a switch: the first whose way leads to it at once; NET_NOBODY for none
	uint32_t sibling; // the next of these
	uint32_t place;	  // among the hops
};

static void list_children(const struct net_layers *layers, uint32_t column, struct laying *laying)
{
	const struct net_channels *channels = &layers->channels;

	memset(laying, 0xff, channels->switches * sizeof(*laying));
	for (uint32_t at = 0; at < channels->switches; at++) {
		const uint32_t c = net_layers_next(layers, at, column);

		if (c == NET_NOBODY)
			continue;
		laying[at].sibling = laying[channels->all[c].to].child;
		laying[channels->all[c].to].child = at;
	}
}

// stack has room for all switches.
static void lay_tree(struct dfsssp_work *work, uint32_t column, struct laying *laying,
		     uint32_t *stack)
{
	const struct net_layers *layers = &work->layers;
	const struct net_channels *channels = &layers->channels;
	struct hop *hops = work->hops + (size_t)column * channels->switches;
	uint32_t count = 0;
	uint32_t top = 0;

	list_children(layers, column, laying);
	stack[top++] = layers->target[column];
	while (top > 0) {
		const uint32_t at = stack[--top];
		const uint32_t c = net_layers_next(layers, at, column);
		const uint32_t end = c == NET_NOBODY ? count : laying[channels->all[c].to].place;

		laying[at].place = count;
		hops[count] = (struct hop){
			c, count - end, c == NET_NOBODY ? 0 : (uint16_t)(hops[end].depth + 1),
			channels->hosts_at[at] > 0 && c != NET_NOBODY ? 0 : NO_PATH};
		count++;
		for (uint32_t child = laying[at].child; child != NET_NOBODY;
		     child = laying[child].sibling)
			stack[top++] = child;
	}
	for (; count < channels->switches; count++)
		hops[count] = (struct hop){NET_NOBODY, 0, 0, NO_PATH};
}

static enum tr_status lay_trees(struct dfsssp_work *work, struct tr_error *err)
{
	struct laying *laying = calloc((size_t)work->layers.channels.switches + 1, sizeof(*laying));

	for (uint32_t column = 0; laying && column < work->layers.columns; column++)
		lay_tree(work, column, laying, work->way);
	free(laying);
	return laying ? TR_OK : tr_no_memory(err, "the lanes of routes");
}

static size_t count_hops(const struct dfsssp_work *work)
{
	return (size_t)work->layers.columns * work->layers.channels.switches;
}

static void dfsssp_copy_lanes(struct dfsssp_work *work)
{
	struct net_layers *layers = &work->layers;
	const struct hop *hop = work->hops;

	for (uint32_t column = 0; column < layers->columns; column++)
		for (uint32_t i = 0; i < layers->channels.switches; i++, hop++)
			if (hop->lane != NO_PATH)
				layers->lane[net_layers_entry(
					layers, layers->channels.all[hop->next].from, column)] =
					hop->lane;
}

// Lists the hops of each turn, in the order of their columns.
static enum tr_status list_users(struct dfsssp_work *work, struct tr_error *err)
{
	const size_t turns = net_channels_turns(&work->layers.channels);
	const size_t hops = count_hops(work);
	size_t turn;

	for (size_t i = 0; i < hops; i++)
		if (find_turn(work, &work->hops[i], &turn))
			work->users[turn + 2]++;
	for (turn = 0; turn < turns; turn++)
		work->users[turn + 2] += work->users[turn + 1];
	work->places = calloc(work->users[turns + 1] + 1, sizeof(*work->places));
	if (!work->places)
		return tr_no_memory(err, "the lanes of routes");
	for (size_t i = 0; i < hops; i++)
		if (find_turn(work, &work->hops[i], &turn))
			work->places[work->users[turn + 1]++] = (uint32_t)i;
	return TR_OK;
}

// Adds the turns of all paths up, which begin at switches with hosts.
static void count_paths(struct dfsssp_work *work)
{
	const size_t hops = count_hops(work);
	size_t turn;

	for (size_t i = 0; i < hops; i++)
		for (const struct hop *hop = &work->hops[i];
		     work->hops[i].lane != NO_PATH && find_turn(work, hop, &turn); hop -= hop->up)
			work->paths[turn]++;
}

// Moves the paths of a subtree that are on the lane to the next one, and of each hop counts those
// that come to it. Returns how many hops the subtree has.
static uint32_t move_hops(struct dfsssp_work *work, struct hop *root)
{
	uint32_t count = 0;

	do {
		work->below[count] = root[count].lane == work->lane;
		root[count].lane += (uint8_t)work->below[count];
		count++;
	} while (root[count].depth > root->depth);
	for (uint32_t i = count; i > 1; i--)
		work->below[i - 1 - root[i - 1].up] += work->below[i - 1];
	return count;
}

// Moves all paths through a switch of a tree.
static void move_subtree(struct dfsssp_work *work, struct hop *root)
{
	const uint32_t count = move_hops(work, root);
	const uint32_t moved = work->below[0];
	size_t turn;

	if (moved == 0)
		return;
	work->moved = true;
	for (uint32_t i = 1; i < count; i++)
		if (work->below[i] > 0 && find_turn(work, root + i, &turn)) {
			work->paths[turn] -= work->below[i];
			work->paths_up[turn] += work->below[i];
		}
	for (const struct hop *hop = root; find_turn(work, hop, &turn); hop -= hop->up) {
		work->paths[turn] -= moved;
		work->paths_up[turn] += moved;
	}
}

#define AHEAD 8u // trees that are on their way from memory while one is at work

// Moves all paths that make a turn.
static void dfsssp_cut(struct dfsssp_work *work, uint32_t from, uint32_t to)
{
	const size_t turn = net_channels_turn(&work->layers.channels, from, to);
	const size_t last = work->users[turn + 1] - 1;

	for (size_t i = work->users[turn]; work->paths[turn] > 0; i++) {
		__builtin_prefetch(&work->hops[work->places[i + AHEAD < last ? i + AHEAD : last]]);
		move_subtree(work, &work->hops[work->places[i]]);
	}
}

// Breaks the cycle that a turn from the last channel of the way to one on it closes. Returns how
// much of the way is left: up to the channel whose turn was cut.
static uint32_t dfsssp_break_cycle(struct dfsssp_work *work, uint32_t length, uint32_t back_to)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t best = length - 1;
	uint32_t fewest = work->paths[net_channels_turn(channels, work->way[best], back_to)];

	for (uint32_t i = length - 1; work->way[i] != back_to; i--) {
		const uint32_t paths =
			work->paths[net_channels_turn(channels, work->way[i - 1], work->way[i])];

		if (paths >= fewest)
			continue;
		fewest = paths;
		best = i - 1;
	}
	if (fewest > 0)
		dfsssp_cut(work, work->way[best],
			   best == length - 1 ? back_to : work->way[best + 1]);
	for (uint32_t i = best + 1; i < length; i++)
		work->color[work->way[i]] = WHITE;
	return best + 1;
}

// Searches from a channel in depth, and breaks each cycle that it meets. A turn only ever goes
// away, so that what is done stays free of cycles.
static void dfsssp_search(struct dfsssp_work *work, uint32_t start)
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
		} else if (work->paths[channels->turn[c] + slot] > 0 &&
			   work->color[first + slot] == ON_THE_WAY) {
			length = dfsssp_break_cycle(work, length, first + slot);
		} else if (work->paths[channels->turn[c] + slot] > 0 &&
			   work->color[first + slot] == WHITE) {
			next = first + slot;
		}
	}
}

// Makes one lane after another acyclic; returns how many there are, 0 if the limit is too low.
static uint32_t break_all(struct dfsssp_work *work, uint32_t limit)
{
	for (work->lane = 0; work->lane < limit; work->lane++) {
		uint32_t *const paths = work->paths;

		work->moved = false;
		memset(work->color, WHITE, work->layers.channels.count);
		for (uint32_t c = 0; c < work->layers.channels.count; c++)
			if (work->color[c] == WHITE)
				dfsssp_search(work, c);
		if (!work->moved)
			return work->lane + 1;
		work->paths = work->paths_up;
		work->paths_up = paths;
		memset(paths, 0, net_channels_turns(&work->layers.channels) * sizeof(*paths));
	}
	return 0;
}

static enum tr_status dfsssp_open_work(struct dfsssp_work *work,
				       const struct net_topology *topology, struct tr_error *err)
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
	work->below = calloc(room, sizeof(*work->below));
	work->scratch = calloc(room, sizeof(*work->scratch));
	if (!work->hops || !work->users || !work->paths || !work->paths_up || !work->color ||
	    !work->way || !work->slot || !work->below || !work->scratch)
		return tr_no_memory(err, "the lanes of routes");
	return TR_OK;
}

// Closes all but the layers.
static void dfsssp_close_work(struct dfsssp_work *work)
{
	free(work->hops);
	free(work->users);
	free(work->places);
	free(work->paths);
	free(work->paths_up);
	free(work->color);
	free(work->way);
	free(work->slot);
	free(work->below);
	free(work->scratch);
}

static enum tr_status dfsssp_make_lanes(struct dfsssp_work *work, uint32_t limit, uint32_t *lanes,
					struct tr_error *err)
{
	net_layers_lay(&work->layers, true, work->scratch);
	if (lay_trees(work, err) != TR_OK || list_users(work, err) != TR_OK)
		return TR_ERROR;
	count_paths(work);
	*lanes = break_all(work, limit);
	dfsssp_copy_lanes(work);
	return *lanes > 0 ? TR_OK
			  : tr_fail(err, "lanes=%u is too few: cycles are left on the last", limit);
}

static enum tr_status dfsssp_make(struct net_routes *routes, const struct net_topology *topology,
				  const void *params, struct tr_error *err)
{
	const uint64_t limit = ((const struct dfsssp_params *)params)->lanes;
	struct dfsssp_work work = {0};
	uint32_t lanes = 0;
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (limit < 1 || limit > NET_LANES_MAX)
		return tr_fail(err, "lanes=%llu: expected 1 to %u", (unsigned long long)limit,
			       NET_LANES_MAX);
	status = dfsssp_open_work(&work, topology, err);
	if (status == TR_OK)
		status = dfsssp_make_lanes(&work, (uint32_t)limit, &lanes, err);
	dfsssp_close_work(&work);
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
	.make = dfsssp_make,
};
