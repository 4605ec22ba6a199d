// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the second engine of networks with lanes.
#ifndef TEST_LANES_NAIVE_H
#define TEST_LANES_NAIVE_H

#include "lanes_case.h"

#define NONE (-1)
#define LANES (CASE_LINKS * CASE_LANES)
#define SPOTS (LANES + CASE_HOSTS * CASE_SENDS)
#define HOPS 40
#define INPUTS (CASE_LINKS * 4) // of crossbars
#define OPTIONS 64

// Of a packet's header.
enum state {
	WAITS,
	COMES,
	ASKS,
	HAS_LANE,
	HOME,
	OVER
}; // WAITS: outside; COMES: is under way or stands behind others

// The buffer behind a lane, or a place at a source.
struct spot {
	int queue[CASE_PACKETS], first,
		end; // packets, each from when its header was sent there until its tail leaves
	uint32_t node, input; // input: of the routes' choices
	int turn;	      // in the cyclic order of its node
	bool at_host;
	// Of a lane:
	struct packet *holder;
	int k; // the holder's spot from which its flits go
	int link, group, room, port, delay;
	bool from_host;
	int64_t asked, went;	// when the holder asked for it, and sent last
	int come[16], back[16]; // in cycles to come: packet x HOPS + its spot; room
};

struct packet {
	struct net_worm worm;
	uint16_t ports[2 * HOPS];
	enum state state;
	int priority, class;   // of its message
	int flits, hops, head; // head: of its spots, the one where its header is or will come
	struct spot *at[HOPS], *lane;
	int sent[HOPS + 1], came[HOPS]; // flits that were sent to a spot, and that have come
	int64_t asked, may, moved;
	int options, links[OPTIONS], groups[OPTIONS];
	int queue[HOPS];       // by output, in each spot; NONE before its header has come
	int link, group, turn; // of the best that is free: its group or NONE, and the place in its
			       // cyclic order
	bool stuck;
	int step;    // of a way through packets that wait, + 1
	bool turned; // it has taken a detour
};

struct world {
	const struct net_setup *setup;
	const struct lanes_params *params;
	struct net_totals *totals;
	struct net_graph graph;
	struct packet packets[CASE_PACKETS], *end; // end: of those that have entered
	struct spot spots[SPOTS];
	int count, lanes, lane_count, each, under_way; // each: links of an arbiter
	int served[LANES], given[LANES], last[CASE_LINKS], accepted[INPUTS], turn[INPUTS];
	int64_t clear[CASE_LINKS], taken[INPUTS], cycle, cycle_ticks, now;
	uint32_t sent[CASE_HOSTS]; // packets, by each host
	bool empty, circuits, divided;
};

static inline struct packet *naive_front(struct world *w, const struct spot *spot)
{
	return spot->first < spot->end ? &w->packets[spot->queue[spot->first]] : NULL;
}

static inline bool naive_asks(const struct world *w, const struct packet *p)
{
	return p->state == ASKS && p->asked <= w->cycle;
}

void naive_tell(struct world *w, struct packet *p, enum tr_delivery_status status,
		enum tr_drop_reason reason);
struct spot *naive_free_place(struct world *w, const struct packet *p);
struct spot *naive_other(struct world *w, struct spot *lane);
struct spot *naive_free_lane(struct world *w, const struct packet *p, int link, int group);
void naive_drop(struct spot *spot, int packet);

// The first packet of the queue in which a packet's header stands; itself before it has come.
struct packet *naive_first(struct world *w, struct packet *p);

// A packet at the front of a spot that is not stuck, if there is one; else of the first queue; NULL
// where it is empty.
struct packet *naive_any_front(struct world *w, const struct spot *spot);
bool naive_can_send(const struct world *w, const struct spot *lane);

// --- lanes_naive_match.c: queues by output

// The queue of a packet whose header has come to a switch.
int naive_queue(struct world *w, const struct packet *p);

// All rounds of a cycle with such queues; one without, false if nothing moved.
void naive_match(struct world *w);
bool naive_move(struct world *w, bool first);

// --- lanes_naive.c, for that

// A packet gets a lane; a flit goes over one; who goes first.
void naive_give(struct world *w, struct packet *p, struct spot *lane, int group);
void naive_send(struct world *w, struct spot *lane);
int64_t naive_rank(const struct world *w, enum lanes_order order, const struct packet *p,
		   int64_t asked, int number, int last);

// --- lanes_naive_choose.c

// How many lanes of a link the routes tell apart.
int naive_classes_of(const struct world *w);

// Finds the lanes that a packet may ask for where it stands.
void naive_find_options(struct world *w, struct packet *p);

// A packet that will ask in this cycle, or whose header comes to a queue by output in it, may take
// a detour.
void naive_detour(struct world *w, struct packet *p);
void naive_detour_header(struct world *w, const struct spot *lane);

// --- lanes_naive_waits.c

// At the end of a cycle. Returns whether the run goes on.
bool naive_break_deadlocks(struct world *w);

#endif
