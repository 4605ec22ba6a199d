// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed point in time linear in states and options, as a count of what holds each state back.
//
// For each destination apart, states and options are a directed graph, of which the strongly
// connected components do not change. A component is blocked as long as a state of it is bad or an
// option of one leads to another component that is blocked; it counts both. A channel counts its
// states in blocked components, and is immune when there are none left. Then each bad state with an
// option to it becomes good, which its component counts off; a component that has counted to 0 is
// free, and its states count off in their channels and in the components before them. Each state
// becomes good once and free once.
#include "net/routes/immunity.h"

#include <stdlib.h>

#include "net/routes/immunity_point.h"

static void close_point(struct fixpoint *point)
{
	channel_places_close(&point->places);
	net_components_close(&point->components);
	free(point->waits);
	free(point->entry);
	free(point->root);
	free(point->member);
	free(point->left);
	free(point->flags);
	free(point->blocked);
	free(point->used);
	free(point->queue);
	free(point->stack);
}

static enum tr_status open_point(struct fixpoint *point, const struct net_choices *choices,
				 struct tr_error *err)
{
	size_t channels;
	size_t states;

	*point = (struct fixpoint){0};
	if (channel_places_open(&point->places, choices, err) != TR_OK ||
	    net_components_open(&point->components, point->places.count, err) != TR_OK)
		return TR_ERROR;
	channels = (size_t)point->places.count + 1;
	states = (size_t)point->places.count * point->places.switches + 1;
	point->waits = calloc(channels * point->places.words, sizeof(*point->waits));
	point->blocked = calloc(channels, sizeof(*point->blocked));
	point->used = calloc(channels, sizeof(*point->used));
	point->queue = calloc(channels, sizeof(*point->queue));
	point->stack = calloc(channels, sizeof(*point->stack));
	point->entry = malloc(states * sizeof(*point->entry));
	point->root = malloc(states * sizeof(*point->root));
	point->member = malloc(states * sizeof(*point->member));
	point->left = malloc(states * sizeof(*point->left));
	point->flags = calloc(states, sizeof(*point->flags));
	if (point->waits && point->blocked && point->used && point->queue && point->stack &&
	    point->entry && point->root && point->member && point->left && point->flags)
		return TR_OK;
	return tr_no_memory(err, "the states of routes with a choice");
}

uint32_t point_next(const void *context, uint32_t place, uint32_t *at)
{
	const struct point_options *of = context;
	const struct fixpoint *point = of->point;
	const struct net_option *options;
	uint32_t count;

	if (point->places.to[place] == of->destination)
		return NET_NOBODY;
	options = net_choices_options(point->places.choices,
				      point->entry[point_state(point, of->destination, place)],
				      &count);
	return *at < count ? channel_of_option(&point->places, point->places.to[place],
					       options[(*at)++])
			   : NET_NOBODY;
}

// Marks what worms to a destination can come to, with its components.
static void visit_states(struct fixpoint *point, uint32_t destination)
{
	const struct point_options here = {point, destination};
	const struct net_digraph graph = {point->places.count, point_next, &here};

	for (uint32_t place = 0; place < point->places.count; place++)
		point->entry[point_state(point, destination, place)] = net_choices_list(
			point->places.choices, point->places.input_of[place], destination);
	net_components_clear(&point->components, point->places.count);
	for (uint32_t at = 0; at < point->places.switches; at++) {
		const struct net_option *options;
		uint32_t count;

		if (!net_choices_has_hosts(point->places.choices, at) || at == destination)
			continue;
		options = net_choices_get(point->places.choices, net_choices_host_input(at),
					  destination, &count);
		for (uint32_t i = 0; i < count; i++)
			net_components_visit(&point->components, &graph,
					     channel_of_option(&point->places, at, options[i]));
	}
}

// Joins a place to the cycle of its component.
static void join_member(uint32_t *member, uint32_t root, uint32_t place)
{
	member[place] = member[root];
	member[root] = place;
}

// Counts what holds each component back, where no channel is immune: each state short of the
// destination is bad.
static void count_destination(struct fixpoint *point, uint32_t destination,
			      struct net_immunity *immunity)
{
	const struct point_options here = {point, destination};
	const struct net_components *components = &point->components;
	const size_t base = point_state(point, destination, 0);
	uint32_t *left = point->left + base;

	immunity->states += components->count;
	for (uint32_t i = 0; i < components->count; i++) {
		const uint32_t place = components->order[i];

		point->root[base + place] = components->root[place];
		point->member[base + place] = place;
		left[place] = 0;
		point->used[place] = true;
		if (point->places.to[place] != destination)
			point->flags[base + place] = BAD | BLOCKED | MET;
	}
	for (uint32_t i = 0; i < components->count; i++) {
		const uint32_t place = components->order[i];
		const uint32_t root = components->root[place];
		const uint64_t *mask = channel_mask(&point->places, point->entry[base + place]);
		uint32_t at = 0;
		uint32_t next;

		if ((point->flags[base + place] & BLOCKED) == 0)
			continue;
		if (place != root)
			join_member(point->member + base, root, place);
		point->blocked[place]++;
		for (uint32_t word = 0; word < point->places.words; word++)
			point->waits[(size_t)place * point->places.words + word] |= mask[word];
		left[root]++;
		while ((next = point_next(&here, place, &at)) != NET_NOBODY)
			left[root] += components->root[next] != root &&
				      (point->flags[base + next] & BLOCKED) != 0;
	}
}

// The fixed point.

static void become_immune(struct fixpoint *point, uint32_t place)
{
	point->queue[point->queue_tail++] = place;
}

// Frees the component with this root, and all that only it held back.
static void free_component(struct fixpoint *point, uint32_t destination, uint32_t start)
{
	const size_t base = point_state(point, destination, 0);
	uint32_t height = 0;

	point->stack[height++] = start;
	while (height > 0) {
		const uint32_t root = point->stack[--height];
		uint32_t place = root;

		do {
			const uint32_t from = point->places.from[place];

			point->flags[base + place] &= (uint8_t)~BLOCKED;
			if (--point->blocked[place] == 0)
				become_immune(point, place);
			for (uint32_t before = point->places.first[from];
			     before < point->places.first[from + 1]; before++) {
				const size_t state = base + before;

				if ((point->flags[state] & MET) == 0 ||
				    point->root[state] == root ||
				    !channel_in_mask(
					    channel_mask(&point->places, point->entry[state]),
					    point->places.bit[place]))
					continue;
				if (--point->left[base + point->root[state]] == 0)
					point->stack[height++] = point->root[state];
			}
			place = point->member[base + place];
		} while (place != root);
	}
}

// The states with an option to this channel are good from now on.
static void make_good(struct fixpoint *point, uint32_t place)
{
	const uint32_t from = point->places.from[place];

	for (uint32_t to = 0; to < point->places.switches; to++) {
		const size_t base = point_state(point, to, 0);

		for (uint32_t before = point->places.first[from];
		     before < point->places.first[from + 1]; before++) {
			if ((point->flags[base + before] & BAD) == 0 ||
			    !channel_in_mask(
				    channel_mask(&point->places, point->entry[base + before]),
				    point->places.bit[place]))
				continue;
			point->flags[base + before] &= (uint8_t)~BAD;
			if (--point->left[base + point->root[base + before]] == 0)
				free_component(point, to, point->root[base + before]);
		}
	}
}

static void run_fixpoint(struct fixpoint *point, struct net_immunity *immunity)
{
	for (uint32_t to = 0; to < point->places.switches; to++) {
		if (!net_choices_has_hosts(point->places.choices, to))
			continue;
		visit_states(point, to);
		count_destination(point, to, immunity);
	}
	for (uint32_t place = 0; place < point->places.count; place++) {
		immunity->channels += point->used[place];
		if (point->used[place] && point->blocked[place] == 0)
			become_immune(point, place);
	}
	for (uint32_t head = 0; head < point->queue_tail; head++)
		make_good(point, point->queue[head]);
	immunity->immune = point->queue_tail;
}

enum tr_status net_immunity_find(struct net_immunity *immunity, const struct net_choices *choices,
				 struct tr_error *err)
{
	struct fixpoint point;
	enum tr_status status = open_point(&point, choices, err);
	uint32_t start = NET_NOBODY;

	*immunity = (struct net_immunity){.channel = NET_NOBODY};
	if (status == TR_OK) {
		run_fixpoint(&point, immunity);
		status = point_find_cycle(&point, immunity, err);
	}
	if (status == TR_OK)
		start = point_find_channel(&point, &immunity->destination, &immunity->dead_end);
	if (start != NET_NOBODY) {
		immunity->channel = point.places.input_of[start];
		status = point_find_stuck(&point, start, immunity, err);
	}
	close_point(&point);
	return status;
}

bool net_immunity_deadlocks(const struct net_immunity *immunity, const struct net_choices *choices)
{
	return immunity->channel != NET_NOBODY ||
	       (immunity->cycle_count > 0 && !net_choices_empty_needed(choices));
}

void net_immunity_clear(struct net_immunity *immunity)
{
	free(immunity->stuck);
	free(immunity->cycle);
	*immunity = (struct net_immunity){.channel = NET_NOBODY};
}
