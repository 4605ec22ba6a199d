// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of switched networks (flit-fabric(5)), with everything gone through in each cycle.
#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "switched_case.h"

#define NONE (-1)
#define HOST (-2)
#define POOL (-3)
#define LINKS (2 * CASE_CABLES)

// A packet in an input or in a switch's pool.
struct stay {
	int packet;
	uint32_t in;   // bytes that have arrived
	uint32_t gone; // and have wholly left
	int input;
	int64_t asked;	// cycle; INT64_MIN: it has not
	uint32_t order; // among those of its input
	bool refused;
	bool goes; // has an output
};

struct queue {
	struct stay stays[CASE_PACKETS];
	uint32_t count;
};

struct channel {
	struct queue in;      // at the far end
	uint32_t used;	      // bytes of it
	uint32_t arrivals;    // packets
	int packet, feed;     // at the near end
	uint32_t sent, serve; // the port of the input served last
	int64_t left;	      // cycles until the byte under way arrives; 0: none is
	uint32_t from, to;
	uint32_t to_port;
	int64_t byte_cycles;
};

struct host {
	int64_t due; // of its next packet, finite
	int64_t left, given;
	bool out;
};

struct world {
	const struct switched_case *c;
	struct switched_fates *fates;
	struct channel links[LINKS];
	struct queue pools[CASE_SWITCHES];
	uint64_t pool_used[CASE_SWITCHES];
	uint32_t pool_turn[CASE_SWITCHES];
	struct host hosts[CASE_SWITCHES * CASE_PORTS];
	uint32_t hops[CASE_PACKETS];
	bool born[CASE_PACKETS], begun[CASE_PACKETS];
	uint32_t link_count;
	int64_t cycle_ticks, cycle;
	uint32_t turns;
	bool empties,
		whole; // a buffer is given when it is empty, or has room for all of the packet
};

static uint32_t size_of(const struct world *w, int packet)
{
	return w->c->packets[packet].size_bytes;
}

static bool is_host(const struct world *w, uint32_t node)
{
	return node < w->c->topology.hosts;
}

static void drop(struct queue *queue, uint32_t place)
{
	memmove(queue->stays + place, queue->stays + place + 1,
		(--queue->count - place) * sizeof(*queue->stays));
}

static bool has_room(const struct world *w, const struct channel *link, bool first, uint32_t size)
{
	if (is_host(w, link->to))
		return true;
	if (first && w->whole)
		return w->c->params.buffer_B - link->used >= size;
	return first && w->empties ? link->used == 0 : link->used < w->c->params.buffer_B;
}

static void byte_leaves(struct world *w, struct channel *link)
{
	const bool last = link->sent == size_of(w, link->packet);

	if (link->feed >= 0) {
		w->links[link->feed].used--;
		if (last)
			drop(&w->links[link->feed].in, 0);
	} else if (link->feed == POOL && last) {
		const uint32_t at = link->from - w->c->topology.hosts;

		for (uint32_t i = 0; i < w->pools[at].count; i++)
			if (w->pools[at].stays[i].packet == link->packet) {
				drop(&w->pools[at], i);
				break;
			}
		w->pool_used[at] -= size_of(w, link->packet);
	} else if (link->feed == HOST && last) {
		w->hosts[link->from].out = false;
		w->hosts[link->from].left = w->cycle * w->cycle_ticks;
	}
	if (last)
		link->packet = NONE;
}

static void byte_comes(struct world *w, struct channel *link, int packet)
{
	struct switched_fate *fate = &w->fates->packets[packet];

	if (!is_host(w, link->to)) {
		if (link->sent == 1)
			link->in.stays[link->in.count++] = (struct stay){
				.packet = packet,
				.input = (int)(link - w->links),
				.asked = INT64_MIN,
				.order = link->arrivals++};
		link->in.stays[link->in.count - 1].in++;
		return;
	}
	link->used = 0;
	if (link->sent == 1)
		fate->head_ticks = w->cycle * w->cycle_ticks;
	if (link->sent < size_of(w, packet))
		return;
	fate->received_ticks = w->cycle * w->cycle_ticks;
	fate->hops = w->hops[packet];
}

// Deliveries of one cycle are told in the order of hosts.
static void tell(struct world *w)
{
	for (uint32_t host = 0; host < w->c->topology.hosts; host++)
		for (uint32_t i = 0; i < w->c->count; i++) {
			struct switched_fate *fate = &w->fates->packets[i];

			if (w->c->packets[i].destination == host &&
			    fate->received_ticks == w->cycle * w->cycle_ticks && fate->hops > 0 &&
			    fate->turn == 0)
				fate->turn = ++w->turns;
		}
}

// Packets of a host one after the other, in their order.
static bool enter(struct world *w)
{
	bool more = false;

	for (uint32_t number = 0; number < w->c->topology.hosts; number++) {
		struct host *host = &w->hosts[number];
		struct channel *link = NULL;
		const int64_t now = w->cycle * w->cycle_ticks;

		for (uint32_t i = 0; i < w->link_count; i++)
			if (w->links[i].from == number)
				link = &w->links[i];
		for (uint32_t i = 0; i < w->c->count; i++) {
			const struct switched_packet *packet = &w->c->packets[i];
			int64_t due = packet->time_ticks;

			if (packet->source != number || w->begun[i])
				continue;
			if (w->c->params.finite && host->given != INT64_MIN)
				due += host->left - host->given;
			if (host->out || due > now) {
				more = more || !host->out || (!w->c->params.finite && due > now);
				if (w->c->params.finite || due > now)
					break;
				w->fates->packets[i].created_ticks = due;
				continue;
			}
			w->begun[i] = true;
			w->fates->packets[i].created_ticks = due;
			host->out = true;
			host->given = packet->time_ticks;
			link->packet = (int)i;
			link->feed = HOST;
			link->sent = 0;
		}
	}
	return more;
}

static bool is_ready(const struct world *w, const struct stay *stay)
{
	const uint32_t size = size_of(w, stay->packet);
	const uint64_t header = w->c->params.header_B;

	if (stay->goes)
		return false;
	if (w->c->params.switching == SWITCHED_STORE || size < header ||
	    (w->c->params.switching == SWITCHED_CUT_THROUGH && stay->refused))
		return stay->in == size;
	return stay->in >= header;
}

// Who wants an output at a switch, the pool's first.
static uint32_t list_ready(struct world *w, uint32_t at, struct stay **ready)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < w->pools[at].count; i++)
		if (!w->pools[at].stays[i].goes)
			ready[count++] = &w->pools[at].stays[i];
	for (uint32_t i = 0; i < w->link_count; i++)
		if (w->links[i].to == at + w->c->topology.hosts && w->links[i].in.count > 0 &&
		    is_ready(w, &w->links[i].in.stays[0]))
			ready[count++] = &w->links[i].in.stays[0];
	for (uint32_t i = 0; i < count; i++)
		if (ready[i]->asked == INT64_MIN) {
			ready[i]->asked = w->cycle;
			w->hops[ready[i]->packet]++;
		}
	return count;
}

// One round in which the heads that are whole move into the pool.
static bool fill(struct world *w, uint32_t at)
{
	const uint32_t begin = w->pool_turn[at];
	bool any = false;
	struct stay *ready[LINKS + CASE_PACKETS];
	bool asks[CASE_PORTS] = {false};
	const uint32_t count = list_ready(w, at, ready);
	const uint32_t in_pool = w->pools[at].count;

	for (uint32_t i = 0; i < count; i++)
		if (!(ready[i] >= w->pools[at].stays && ready[i] < w->pools[at].stays + in_pool))
			asks[w->links[ready[i]->input].to_port] = true;
	for (uint32_t n = 0; n < CASE_PORTS; n++) {
		const uint32_t port = (begin + n) % CASE_PORTS;

		for (uint32_t i = 0; asks[port] && i < w->link_count; i++) {
			struct channel *link = &w->links[i];
			uint32_t size;

			if (link->to != at + w->c->topology.hosts || link->to_port != port)
				continue;
			size = size_of(w, link->in.stays[0].packet);
			if (w->pool_used[at] + size > w->c->params.pool_B)
				continue;
			w->pools[at].stays[w->pools[at].count++] = link->in.stays[0];
			drop(&link->in, 0);
			link->used -= size;
			w->pool_used[at] += size;
			w->pool_turn[at] = (port + 1) % CASE_PORTS;
			any = true;
		}
	}
	return any;
}

// The link that a packet wants at a switch: the best that is free; NULL.
static struct channel *want(struct world *w, uint32_t at, const struct stay *stay)
{
	const struct switched_packet *packet = &w->c->packets[stay->packet];
	const struct net_choices *choices = w->c->routes.choices;
	const struct net_peer *home = net_graph_peer(&w->c->graph, packet->destination, 0);
	uint16_t list[CASE_SWITCHES + 2];
	struct net_option own = {0};
	const struct net_option *options = &own;
	uint32_t count = 1;

	if (!choices) {
		net_routes_get(&w->c->routes, packet->source, packet->destination, list);
		own.port = list[w->hops[stay->packet] - 1];
	} else if (home->node == at + w->c->topology.hosts) {
		own.port = (uint16_t)home->port;
	} else {
		const uint32_t input = is_host(w, w->links[stay->input].from)
					       ? net_choices_host_input(at)
					       : net_choices_input(choices, (uint32_t)stay->input,
								   0);

		options = net_choices_get(choices, input, home->node - w->c->topology.hosts,
					  &count);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct channel *link =
			&w->links[net_graph_peer(&w->c->graph, at + w->c->topology.hosts,
						 options[i].port)
					  ->link];

		if (link->packet == NONE && has_room(w, link, true, size_of(w, stay->packet)))
			return link;
	}
	return NULL;
}

static bool goes_before(const struct world *w, const struct channel *link, const struct stay *a,
			const struct stay *b)
{
	const uint32_t far_a = (w->links[a->input].to_port + 2 * CASE_PORTS - link->serve - 1) %
			       CASE_PORTS;
	const uint32_t far_b = (w->links[b->input].to_port + 2 * CASE_PORTS - link->serve - 1) %
			       CASE_PORTS;

	if (w->c->params.first_come && a->asked != b->asked)
		return a->asked < b->asked;
	return far_a != far_b ? far_a < far_b : a->order < b->order;
}

static void grant(struct world *w, uint32_t at)
{
	struct stay *ready[LINKS + CASE_PACKETS];
	struct stay *winner[LINKS] = {NULL};
	const uint32_t count = list_ready(w, at, ready);

	for (uint32_t i = 0; i < count; i++) {
		struct channel *link = want(w, at, ready[i]);

		if (link && (!winner[link - w->links] ||
			     goes_before(w, link, ready[i], winner[link - w->links])))
			winner[link - w->links] = ready[i];
		ready[i]->refused = true;
	}
	for (uint32_t i = 0; i < w->link_count; i++) {
		struct channel *link = &w->links[i];
		bool pooled = false;

		if (!winner[i])
			continue;
		pooled = winner[i] >= w->pools[at].stays &&
			 winner[i] < w->pools[at].stays + CASE_PACKETS;
		winner[i]->goes = true;
		link->packet = winner[i]->packet;
		link->feed = pooled ? POOL : winner[i]->input;
		link->sent = 0;
		link->serve = w->links[winner[i]->input].to_port;
	}
}

static bool start(struct world *w)
{
	bool any = false;

	for (uint32_t i = 0; i < w->link_count; i++) {
		struct channel *link = &w->links[i];

		if (link->packet == NONE || link->left > 0 ||
		    link->sent == size_of(w, link->packet) ||
		    (link->feed >= 0 && w->links[link->feed].in.stays[0].in <= link->sent) ||
		    !has_room(w, link, link->sent == 0, size_of(w, link->packet)))
			continue;
		if (link->feed == HOST && link->sent == 0)
			w->fates->packets[link->packet].injected_ticks = w->cycle * w->cycle_ticks;
		link->sent++;
		link->used++;
		link->left = link->byte_cycles;
		any = true;
	}
	return any;
}

static int64_t interval_of(const struct world *w, int64_t ticks)
{
	const int64_t past = ticks % w->c->width_ticks;

	return CASE_INTERVAL(ticks - past - (past < 0 ? w->c->width_ticks : 0), w->c->width_ticks);
}

// What each link does from this cycle to the next, some ticks of which may be in the next interval.
static void work(struct world *w)
{
	const int64_t now_ticks = w->cycle * w->cycle_ticks;
	int64_t weight = 0;

	for (int64_t ticks = now_ticks; ticks < now_ticks + w->cycle_ticks; ticks++)
		weight += interval_of(w, ticks);
	for (uint32_t i = 0; i < w->link_count; i++) {
		const struct channel *link = &w->links[i];
		const bool waits = link->packet != NONE && link->left == 0 &&
				   link->sent < size_of(w, link->packet) &&
				   (link->feed < 0 ||
				    w->links[link->feed].in.stays[0].in > link->sent);
		struct switched_work *sum = &w->fates->work[i];

		sum->busy += link->left > 0 ? weight : 0;
		sum->bytes += link->left == link->byte_cycles ? interval_of(w, now_ticks) : 0;
		sum->stopped += waits && !is_host(w, link->to) ? weight : 0;
		if (is_host(w, link->to))
			continue;
		sum->asks += link->in.count > 0 && !link->in.stays[0].goes &&
					     link->in.stays[0].asked != INT64_MIN
				     ? weight
				     : 0;
		sum->area += (link->used - (link->left > 0)) * weight;
	}
}

static bool step(struct world *w)
{
	bool started;
	bool any = false;

	for (uint32_t i = 0; i < w->link_count; i++)
		if (w->links[i].left > 0) {
			any = true;
			if (--w->links[i].left == 0) {
				byte_comes(w, &w->links[i], w->links[i].packet);
				byte_leaves(w, &w->links[i]);
			}
		}
	tell(w);
	any |= enter(w);
	for (uint32_t at = 0; w->c->params.pool_B > 0 && at < w->c->topology.switches; at++)
		while (fill(w, at))
			continue;
	for (uint32_t at = 0; at < w->c->topology.switches; at++)
		grant(w, at);
	started = start(w);
	work(w);
	return started || any;
}

static int64_t common(int64_t a, int64_t b)
{
	return b == 0 ? a : common(b, a % b);
}

void switched_naive(const struct switched_case *c, struct switched_fates *fates)
{
	struct world *w = calloc(1, sizeof(*w));

	memset(fates, 0, sizeof(*fates));
	w->c = c;
	w->fates = fates;
	w->link_count = (uint32_t)(2 * c->topology.cable_count);
	w->empties = c->params.grant == SWITCHED_GRANT_EMPTY;
	w->whole = c->params.grant == SWITCHED_GRANT_PACKET;
	if (c->params.grant == SWITCHED_GRANT_ROUTES && c->routes.choices &&
	    net_choices_empty_needed(c->routes.choices)) {
		w->empties = c->params.switching == SWITCHED_WORMHOLE;
		w->whole = !w->empties;
	}
	for (uint32_t i = 0; i < w->link_count; i++) {
		const struct net_cable *cable = &c->cables[i / 2];
		int64_t ticks = 0;

		switched_byte_ticks(&c->params, cable, c->ticks_per_s, &ticks, NULL);
		w->cycle_ticks = common(w->cycle_ticks, ticks);
		w->links[i] = (struct channel){.packet = NONE,
					       .serve = CASE_PORTS - 1,
					       .from = cable->ends[i % 2].node,
					       .to = cable->ends[1 - i % 2].node,
					       .to_port = cable->ends[1 - i % 2].port,
					       .byte_cycles = ticks};
	}
	for (uint32_t i = 0; i < w->link_count; i++)
		w->links[i].byte_cycles /= w->cycle_ticks;
	for (uint32_t i = 0; i < c->topology.hosts; i++)
		w->hosts[i].given = INT64_MIN;
	for (uint32_t i = 0; i < c->count; i++)
		fates->packets[i] = switched_no_fate;
	w->cycle = -60;
	while (step(w))
		w->cycle++;
	for (uint32_t i = 0; i < c->count; i++)
		fates->deadlocked |= fates->packets[i].turn == 0;
	if (fates->deadlocked)
		memset(fates->work, 0, sizeof(fates->work));
	free(w);
}
