// SPDX-License-Identifier: GPL-3.0-or-later
// What the two files of the second engine of networks with lanes share.
#ifndef TEST_LANES_NAIVE_H
#define TEST_LANES_NAIVE_H

#include <string.h>

#include "lanes_case.h"
#include "net/choices.h"

#define NONE (-1)
#define HOME (-2)
#define NEVER INT64_MIN
#define LANES (CASE_LINKS * CASE_LANES)
#define SPOTS (LANES + CASE_HOSTS * CASE_SENDS)
#define LATER 4096u // flits or credits on their way

// A packet in a buffer or at a source.
struct stay {
	int packet;
	uint32_t in, gone; // flits that stand here, and that went on
	int64_t lead;	   // the first cycle in which it was first, NEVER
	int64_t asks;	   // the cycle in which it asks, NEVER
	bool asking;
	int out; // lane, HOME, NONE
	int64_t may;
	const struct net_option *options;
	struct net_option own;
	uint32_t option_count;
	int link, group; // nominated
};

struct spot {
	struct stay stays[CASE_PACKETS];
	uint32_t count, node, turn;
};

struct lane {
	int holder; // spot
	bool begun;
	uint32_t room;
};

struct coming {
	int64_t due;
	uint32_t lane;
	int packet;
	bool header;
};

struct world {
	const struct lanes_case *c;
	struct lanes_fates *fates;
	struct spot spots[SPOTS];
	struct lane lanes[LANES];
	struct coming flits[LATER], credits[LATER];
	uint32_t flit_count, credit_count;
	uint32_t from[CASE_LINKS], to[CASE_LINKS], port[CASE_LINKS], accepted[CASE_LINKS];
	int64_t taken[CASE_LINKS], used[CASE_LINKS];
	uint32_t last[CASE_LINKS], turn[LANES], given[LANES], slots[CASE_HOSTS + 64];
	uint32_t lane_count, classes, links, hosts, spot_count, hops[CASE_PACKETS], entered;
	int queue[CASE_PACKETS]; // packets that wait at their sources, in order
	uint32_t waiting;
	int done[CASE_PACKETS];
	uint32_t done_count, turns, delivered;
	int64_t cycle, now;
	bool moved, empty;
};

static inline uint32_t flits_of(const struct world *w, int packet)
{
	return (uint32_t)((w->c->packets[packet].size_bytes + w->c->params.flit_B - 1) / w->c->params.flit_B);
}

static inline bool is_host(const struct world *w, uint32_t node)
{
	return node < w->hosts;
}

static inline bool is_source(const struct world *w, int spot)
{
	return (uint32_t)spot >= w->links * w->lane_count;
}

static inline uint32_t switch_of(const struct world *w, uint32_t host)
{
	return net_graph_peer(&w->c->graph, host, 0)->node;
}

static inline int arbiter_of(const struct world *w, int link)
{
	return w->c->params.is.shared ? link / 2 : link;
}

static inline void free_room(struct world *w, int spot)
{
	if (is_source(w, spot))
		return;
	if (w->c->params.is.direct)
		w->lanes[spot].room++;
	else
		w->credits[w->credit_count++] = (struct coming){.due = w->cycle + (int64_t)w->c->params.pipeline.credit,
								.lane = (uint32_t)spot};
}

// The first packet of a spot has wholly left.
static inline void drop_first(struct spot *spot)
{
	memmove(spot->stays, spot->stays + 1, --spot->count * sizeof(*spot->stays));
}

// --- lanes_naive_links.c

// Headers ask, and get lanes.
void naive_grant_all(struct world *w);

// One round of the links' choices; false if nothing moved.
bool naive_move_round(struct world *w, bool first);

#endif
