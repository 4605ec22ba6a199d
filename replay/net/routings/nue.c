// SPDX-License-Identifier: GPL-3.0-or-later
// Routes inside the complete channel dependency graph, after Nue (Domke, Hoefler and Matsuoka,
// Routing on the dependency graph, 2016): each lane has its share of the destinations, and a set of
// dependencies without a cycle that begins with those of a spanning tree. The shortest-path search
// of a destination only takes a channel whose dependency can join that set, so that any number of
// lanes is enough; where it leaves a switch out, a neighbour's next channel is changed, and if that
// does not help, all routes to the destination follow the tree. Differences: destinations are
// shared out by their numbers, not by clusters of a partition; the tree's root is the switch with
// the smallest sum of distances to the destinations; hops count before loads; and a dependency that
// a search has taken stays, also if its channel is exchanged.
#include <stdlib.h>
#include <string.h>

#include "net/routings/acyclic.h"
#include "net/routings/layers.h"
#include "net/routings/routing.h"

struct nue_params {
	uint64_t lanes;
};

static const struct key keys[] = {
	{"lanes", KEY_COUNT, offsetof(struct nue_params, lanes), NULL, NULL,
	 "lanes among which it shares out the destinations, 1 to 64"},
	{.type = KEY_END},
};

static const struct nue_params usual = {1};

// Everything at work.
struct nue_work {
	struct net_layers layers;
	struct net_acyclic acyclic; // of the lane at work
	uint32_t *parent; // of a switch: the channel towards the root of the tree; NET_NOBODY for
			  // the root
	uint32_t *below;  // of a switch: destinations of the lane at it and below
	uint32_t *chosen; // of a switch: its next channel for the destination at work
	uint64_t *costs; // and the routes on its channels; of one that is not settled, the way that
			 // it tries next
	uint32_t *best;	 // of a switch that is not settled: the channel that it tries next;
			 // NET_NOBODY for none
	uint32_t *settled; // switches in the order in which they were
	uint32_t *place;   // of a switch that is settled: its place among them
	uint32_t count;	   // of them
	uint32_t target;
	uint32_t *heap; // of switches, that with the least costs first, of equal ones that with the
			// lowest channel
	uint32_t heaped;
	uint32_t *order;
	uint64_t *scratch;
};

static bool is_less(const struct nue_work *work, uint32_t a, uint32_t b)
{
	return work->costs[a] < work->costs[b] ||
	       (work->costs[a] == work->costs[b] && work->best[a] < work->best[b]);
}

// Puts a switch in its place at or below one in the heap.
static void nue_sift(struct nue_work *work, uint32_t at, uint32_t place)
{
	for (;;) {
		uint32_t child = 2 * place + 1;

		if (child + 1 < work->heaped &&
		    is_less(work, work->heap[child + 1], work->heap[child]))
			child++;
		if (child >= work->heaped || !is_less(work, work->heap[child], at))
			break;
		work->heap[place] = work->heap[child];
		place = child;
	}
	work->heap[place] = at;
}

// Whether columns of a switch are on a lane: destinations are shared out in the order of their
// switches.
static uint32_t lane_of(const struct net_layers *layers, uint32_t column, uint32_t lanes)
{
	return (uint32_t)((uint64_t)column * lanes / layers->columns);
}

// The escape tree of a lane.

// The switch with the smallest sum of distances to the destinations of a lane.
static uint32_t find_root(struct nue_work *work, uint32_t lane, uint32_t lanes)
{
	struct net_layers *layers = &work->layers;
	uint32_t root = 0;

	memset(work->scratch, 0, layers->channels.switches * sizeof(*work->scratch));
	for (uint32_t column = 0; column < layers->columns; column++) {
		if (lane_of(layers, column, lanes) != lane)
			continue;
		net_layers_look(layers, layers->target[column]);
		for (uint32_t at = 0; at < layers->channels.switches; at++)
			work->scratch[at] += layers->distance[at];
	}
	for (uint32_t at = 1; at < layers->channels.switches; at++)
		if (work->scratch[at] < work->scratch[root])
			root = at;
	return root;
}

// The turns of the ways in the tree to the lane's destinations: below a switch, or beyond the root.
static void take_tree(struct nue_work *work, uint32_t all)
{
	const struct net_channels *channels = &work->layers.channels;

	for (uint32_t in = 0; in < channels->count; in++) {
		const uint32_t at = channels->all[in].to;
		const bool up = work->parent[channels->all[in].from] == in;

		if (!up && work->parent[at] != channels->all[in].back)
			continue;
		for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++) {
			const uint32_t end = channels->all[out].to;
			const bool down = work->parent[end] == channels->all[out].back;
			const bool on = up && work->parent[at] == out;

			if (out != channels->all[in].back &&
			    ((down && work->below[end] > 0) || (on && work->below[at] < all)))
				(void)net_acyclic_add(&work->acyclic, in, out);
		}
	}
}

static void grow_tree(struct nue_work *work, uint32_t lane, uint32_t lanes)
{
	struct net_layers *layers = &work->layers;
	const struct net_channels *channels = &layers->channels;
	const uint32_t root = find_root(work, lane, lanes);
	uint32_t all = 0;

	memset(work->parent, 0xff, channels->switches * sizeof(*work->parent));
	memset(work->below, 0, channels->switches * sizeof(*work->below));
	for (uint32_t column = 0; column < layers->columns; column++)
		if (lane_of(layers, column, lanes) == lane) {
			work->below[layers->target[column]]++;
			all++;
		}
	net_layers_look(layers, root);
	for (uint32_t i = 1; i < layers->met; i++) {
		const uint32_t at = layers->order[i];

		for (uint32_t c = channels->first[at]; work->parent[at] == NET_NOBODY; c++)
			if (layers->distance[channels->all[c].to] < layers->distance[at])
				work->parent[at] = c;
	}
	for (uint32_t i = layers->met; i > 1; i--)
		work->below[channels->all[work->parent[layers->order[i - 1]]].to] +=
			work->below[layers->order[i - 1]];
	take_tree(work, all);
}

// All switches follow the tree to the target: up, but down where the target is below.
static void follow_tree(struct nue_work *work)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t head = 0;

	memset(work->chosen, 0xff, channels->switches * sizeof(*work->chosen));
	work->count = 0;
	work->settled[work->count++] = work->target;
	while (head < work->count) {
		const uint32_t at = work->settled[head++];

		for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++) {
			const uint32_t end = channels->all[out].to;
			const uint32_t back = channels->all[out].back;

			if ((work->parent[end] != back && work->parent[at] != out) ||
			    end == work->target || work->chosen[end] != NET_NOBODY)
				continue;
			work->chosen[end] = back;
			work->settled[work->count++] = end;
		}
	}
}

// The search of one destination.

// Whether it is known that a channel cannot go on as its end does.
static bool nue_is_barred(const struct nue_work *work, uint32_t channel)
{
	const uint32_t end = work->layers.channels.all[channel].to;

	return end != work->target &&
	       net_acyclic_is_barred(&work->acyclic, channel, work->chosen[end]);
}

// Whether a channel may go on as its end does.
static bool joins(struct nue_work *work, uint32_t channel)
{
	const uint32_t end = work->layers.channels.all[channel].to;

	return end == work->target || net_acyclic_add(&work->acyclic, channel, work->chosen[end]);
}

static void nue_settle(struct nue_work *work, uint32_t at, uint32_t channel, uint64_t cost)
{
	work->chosen[at] = channel;
	work->costs[at] = cost;
	work->place[at] = work->count;
	work->settled[work->count++] = at;
}

// Lists the switches that a single channel joins to those settled from first on, each with its best
// one.
static void list_next(struct nue_work *work, uint32_t first)
{
	const struct net_channels *channels = &work->layers.channels;

	for (uint32_t i = first; i < work->count; i++) {
		const uint32_t at = work->settled[i];

		for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++) {
			const uint32_t end = channels->all[out].to;
			const uint32_t back = channels->all[out].back;
			const uint64_t cost = work->costs[at] + work->layers.loads[back];

			if (work->chosen[end] != NET_NOBODY || end == work->target ||
			    (work->best[end] != NET_NOBODY &&
			     (cost > work->costs[end] ||
			      (cost == work->costs[end] && back > work->best[end]))) ||
			    nue_is_barred(work, back))
				continue;
			if (work->best[end] == NET_NOBODY)
				work->heap[work->heaped++] = end;
			work->best[end] = back;
			work->costs[end] = cost;
		}
	}
	for (uint32_t place = work->heaped / 2; place-- > 0;)
		nue_sift(work, work->heap[place], place);
}

// Whether a switch, whose best channel must not be taken, has another one to those settled from
// first to last, which is its best then.
static bool find_another(struct nue_work *work, uint32_t at, uint32_t first, uint32_t last)
{
	const struct net_channels *channels = &work->layers.channels;
	const uint64_t tried_cost = work->costs[at];
	const uint32_t tried = work->best[at];

	work->best[at] = NET_NOBODY;
	for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++) {
		const uint32_t end = channels->all[c].to;
		const uint64_t cost = work->costs[end] + work->layers.loads[c];

		if ((work->chosen[end] == NET_NOBODY && end != work->target) ||
		    work->place[end] < first || work->place[end] >= last || cost < tried_cost ||
		    (cost == tried_cost && c <= tried) ||
		    (work->best[at] != NET_NOBODY && cost >= work->costs[at]) ||
		    nue_is_barred(work, c))
			continue;
		work->best[at] = c;
		work->costs[at] = cost;
	}
	return work->best[at] != NET_NOBODY;
}

// Settles switches, hop by hop, from those settled from first on.
static void nue_spread(struct nue_work *work, uint32_t first)
{
	while (first < work->count) {
		const uint32_t last = work->count;

		list_next(work, first);
		while (work->heaped > 0) {
			const uint32_t at = work->heap[0];
			const bool joined = joins(work, work->best[at]);

			if (joined)
				nue_settle(work, at, work->best[at], work->costs[at]);
			if (joined || !find_another(work, at, first, last)) {
				work->best[at] = NET_NOBODY;
				work->heaped--;
			}
			nue_sift(work, work->best[at] == NET_NOBODY ? work->heap[work->heaped] : at,
				 0);
		}
		first = last;
	}
}

// Whether the way from a switch leads through another.
static bool leads_through(const struct nue_work *work, uint32_t at, uint32_t through)
{
	while (at != through && at != work->target)
		at = work->layers.channels.all[work->chosen[at]].to;
	return at == through;
}

// Tries turns from all channels that lead into a switch on to another next channel: those of
// settled switches whose way they are, and extra. Adds all or none.
static bool turn_over(struct nue_work *work, uint32_t at, uint32_t next, uint32_t extra)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t count = 0;
	bool fits = true;

	for (uint32_t out = channels->first[at]; fits && out < channels->first[at + 1]; out++) {
		const uint32_t in = channels->all[out].back;

		if ((work->chosen[channels->all[in].from] != in && in != extra) ||
		    net_acyclic_has(&work->acyclic, in, next))
			continue;
		fits = net_acyclic_try(&work->acyclic, in, next);
		if (fits)
			work->order[count++] = in;
	}
	while (!fits && count > 0)
		net_acyclic_remove(&work->acyclic, work->order[--count], next);
	return fits;
}

// Joins a switch that the search left out through a neighbour, by changing the neighbour's next
// channel.
static bool change_neighbour(struct nue_work *work, uint32_t at, uint32_t channel)
{
	const struct net_channels *channels = &work->layers.channels;
	const uint32_t through = channels->all[channel].to;

	if (through == work->target || work->chosen[through] == NET_NOBODY)
		return false;
	for (uint32_t next = channels->first[through]; next < channels->first[through + 1];
	     next++) {
		const uint32_t end = channels->all[next].to;

		if (next == work->chosen[through] || end == at ||
		    (end != work->target && work->chosen[end] == NET_NOBODY) ||
		    leads_through(work, end, through) || !joins(work, next) ||
		    !turn_over(work, through, next, channel))
			continue;
		work->chosen[through] = next;
		nue_settle(work, at, channel, work->costs[through]);
		return true;
	}
	return false;
}

// One switch more; false where none can be joined.
static bool join_another(struct nue_work *work)
{
	const struct net_channels *channels = &work->layers.channels;

	for (uint32_t at = 0; at < channels->switches; at++)
		for (uint32_t c = channels->first[at];
		     at != work->target && work->chosen[at] == NET_NOBODY &&
		     c < channels->first[at + 1];
		     c++)
			if (change_neighbour(work, at, c))
				return true;
	return false;
}

// Puts the settled switches in an order in which each is behind the next on its way.
static uint32_t sort_settled(struct nue_work *work)
{
	const struct net_channels *channels = &work->layers.channels;
	uint32_t count = 0;

	work->order[count++] = work->target;
	for (uint32_t head = 0; head < count; head++) {
		const uint32_t at = work->order[head];

		for (uint32_t out = channels->first[at]; out < channels->first[at + 1]; out++)
			if (work->chosen[channels->all[out].to] == channels->all[out].back)
				work->order[count++] = channels->all[out].to;
	}
	return count;
}

static void nue_route(struct nue_work *work, uint32_t column, uint32_t lane, uint32_t reachable)
{
	struct net_layers *layers = &work->layers;
	const struct net_channels *channels = &layers->channels;
	uint32_t first = 0;

	work->target = layers->target[column];
	work->count = 0;
	memset(work->chosen, 0xff, channels->switches * sizeof(*work->chosen));
	nue_settle(work, work->target, NET_NOBODY, 0);
	do {
		nue_spread(work, first);
		first = work->count;
	} while (work->count < reachable && join_another(work));
	if (work->count < reachable)
		follow_tree(work);
	for (uint32_t at = 0; at < channels->switches; at++) {
		layers->lane[net_layers_entry(layers, at, column)] = (uint8_t)lane;
		if (work->chosen[at] != NET_NOBODY)
			layers->next[net_layers_entry(layers, at, column)] =
				(uint16_t)(work->chosen[at] - channels->first[at]);
	}
	net_layers_load(layers, column, work->order, sort_settled(work), work->scratch);
}

static enum tr_status route_lane(struct nue_work *work, uint32_t lane, uint32_t lanes,
				 struct tr_error *err)
{
	enum tr_status status = net_acyclic_open(&work->acyclic, &work->layers.channels, err);

	if (status == TR_OK) {
		grow_tree(work, lane, lanes);
		for (uint32_t column = 0; column < work->layers.columns; column++)
			if (lane_of(&work->layers, column, lanes) == lane)
				nue_route(work, column, lane, work->layers.met);
	}
	net_acyclic_close(&work->acyclic);
	return status;
}

static enum tr_status nue_open_work(struct nue_work *work, const struct net_topology *topology,
				    struct tr_error *err)
{
	size_t room;

	if (net_layers_open(&work->layers, topology, true, err) != TR_OK)
		return TR_ERROR;
	room = (size_t)topology->switches + NET_PORTS_MAX;
	work->parent = calloc(room, sizeof(*work->parent));
	work->below = calloc(room, sizeof(*work->below));
	work->chosen = calloc(room, sizeof(*work->chosen));
	work->costs = calloc(room, sizeof(*work->costs));
	work->settled = calloc(room, sizeof(*work->settled));
	work->order = calloc(room, sizeof(*work->order));
	work->scratch = calloc(room, sizeof(*work->scratch));
	work->heap = calloc(room, sizeof(*work->heap));
	work->place = calloc(room, sizeof(*work->place));
	work->best = malloc(room * sizeof(*work->best));
	if (!work->parent || !work->below || !work->chosen || !work->costs || !work->settled ||
	    !work->order || !work->scratch || !work->heap || !work->place || !work->best)
		return tr_no_memory(err, "the routes of a destination");
	memset(work->best, 0xff, room * sizeof(*work->best));
	return TR_OK;
}

static void nue_close_work(struct nue_work *work)
{
	net_layers_close(&work->layers);
	free(work->parent);
	free(work->below);
	free(work->chosen);
	free(work->costs);
	free(work->settled);
	free(work->order);
	free(work->scratch);
	free(work->heap);
	free(work->place);
	free(work->best);
}

static enum tr_status nue_make(struct net_routes *routes, const struct net_topology *topology,
			       const void *params, struct tr_error *err)
{
	const uint64_t lanes = ((const struct nue_params *)params)->lanes;
	struct nue_work work = {0};
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (lanes < 1 || lanes > NET_LANES_MAX)
		return tr_fail(err, "lanes=%llu: expected 1 to %u", (unsigned long long)lanes,
			       NET_LANES_MAX);
	status = nue_open_work(&work, topology, err);
	for (uint32_t lane = 0; lane < lanes && status == TR_OK && work.layers.columns > 0; lane++)
		status = route_lane(&work, lane, (uint32_t)lanes, err);
	if (status == TR_OK)
		status = net_layers_routes(routes, &work.layers, (uint32_t)lanes, err);
	nue_close_work(&work);
	return status;
}

const struct net_routing net_routing_nue = {
	.name = "nue",
	.summary = "balanced routes without cycles on any number of lanes",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = nue_make,
};
