// SPDX-License-Identifier: GPL-3.0-or-later
#include "cppe_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "net/routes/route_path.h"
#include "net/topology/graph.h"

#define LENGTH_MAX 64u
#define PACKETS_MAX 1024u
#define BOOKINGS_MAX 4096u

struct way {
	uint32_t links[LENGTH_MAX]; // between switches
	uint32_t nodes[LENGTH_MAX]; // at their far ends
	uint32_t hops;
};

struct packet {
	int64_t arrival;
	uint32_t message, index, hop, node;
	int64_t until; // being sent until then; 0: not
	int64_t round; // rounds: in which it came
};

struct naive {
	const struct cppe_case *c;
	struct cppe_times times;
	struct net_graph graph;
	struct way ways[CPPE_MESSAGES_MAX];
	int64_t packet_ticks;
	struct packet packets[PACKETS_MAX];
	uint32_t count;
	int64_t free[2 * PACKETS_MAX]; // by cable or link
	int64_t *delivered;
	int64_t last[CPPE_MESSAGES_MAX]; // arrival of its last packet so far
	uint32_t left[CPPE_MESSAGES_MAX];
};

static void find_way(struct naive *n, const struct cppe_message_case *message, struct way *way)
{
	uint16_t ports[LENGTH_MAX];
	const uint32_t count = net_routes_get(&n->c->routes, message->source, message->destination,
					      ports);
	uint32_t node = net_graph_peer(&n->graph, message->source, 0)->node;

	assert_true(count <= LENGTH_MAX);
	for (way->hops = 0; way->hops + 1 < count; way->hops++) {
		const struct net_peer *peer = net_graph_peer(&n->graph, node, ports[way->hops]);

		way->links[way->hops] = peer->link;
		node = way->nodes[way->hops] = peer->node;
	}
}

static void book(struct naive *n, int64_t *delivered)
{
	struct {
		uint32_t node;
		int64_t start;
	} *bookings = calloc(BOOKINGS_MAX, sizeof(*bookings));
	const int64_t hop = n->times.hop_ticks;
	uint32_t count = 0;

	assert_non_null(bookings);
	for (uint32_t m = 0; m < n->c->count; m++) {
		int64_t ready = n->c->messages[m].time_ticks;

		if (n->c->messages[m].source == n->c->messages[m].destination)
			ready += n->times.local_ticks;
		for (uint32_t h = 0; h < n->ways[m].hops; h++) {
			for (uint32_t i = 0; n->c->params.technique == CPPE_PACKET && i < count;
			     i++)
				if (bookings[i].node == n->ways[m].nodes[h] &&
				    bookings[i].start < ready + hop &&
				    ready < bookings[i].start + hop) {
					ready++;
					i = UINT32_MAX; // from the beginning
				}
			assert_true(count < BOOKINGS_MAX);
			bookings[count].node = n->ways[m].nodes[h];
			bookings[count++].start = ready;
			ready += hop;
		}
		delivered[m] = ready;
	}
	free(bookings);
}

// Packets of all messages, in the order of messages.
static void cut(struct naive *n)
{
	for (uint32_t m = 0; m < n->c->count; m++) {
		const struct cppe_message_case *message = &n->c->messages[m];
		const uint32_t packets = (message->size_bytes + n->times.data_B - 1) /
					 n->times.data_B;
		const int64_t ready = message->time_ticks + n->times.message_ticks +
				      packets * n->times.startup_packet_ticks;

		if (message->source == message->destination)
			n->delivered[m] = message->time_ticks + n->times.local_ticks;
		else if (n->ways[m].hops == 0)
			n->delivered[m] = ready;
		else
			n->left[m] = packets;
		for (uint32_t i = 0; i < n->left[m]; i++) {
			assert_true(n->count < PACKETS_MAX);
			n->packets[n->count++] = (struct packet){
				.arrival = ready,
				.message = m,
				.index = i,
				.node = net_graph_peer(&n->graph, message->source, 0)->node,
				.round = -1};
		}
	}
}

static bool is_done(const struct naive *n, const struct packet *p)
{
	return p->hop == n->ways[p->message].hops;
}

static int64_t *link_free(struct naive *n, const struct packet *p)
{
	const uint32_t link = n->ways[p->message].links[p->hop];

	return &n->free[n->c->params.each ? link : link / 2];
}

static bool goes_first(const struct packet *a, const struct packet *b)
{
	if (a->arrival != b->arrival)
		return a->arrival < b->arrival;
	return a->message != b->message ? a->message < b->message : a->index < b->index;
}

// The packet has come to its next node by its arrival; now: when that is known.
static void move(struct naive *n, struct packet *p, int64_t now)
{
	p->node = n->ways[p->message].nodes[p->hop++];
	p->until = 0;
	if (!is_done(n, p))
		return;
	if (p->arrival > n->last[p->message])
		n->last[p->message] = p->arrival;
	if (--n->left[p->message] == 0)
		n->delivered[p->message] = n->last[p->message] > now ? n->last[p->message] : now;
}

// One tick: packets arrive, then every free link takes the first that waits for it.
static void step(struct naive *n, int64_t now)
{
	for (uint32_t i = 0; i < n->count; i++)
		if (n->packets[i].until != 0 && n->packets[i].until == now) {
			n->packets[i].arrival = now;
			move(n, &n->packets[i], now);
		}
	for (uint32_t i = 0; i < n->count; i++) {
		struct packet *first = NULL;

		if (is_done(n, &n->packets[i]) || n->packets[i].until != 0 ||
		    *link_free(n, &n->packets[i]) > now)
			continue;
		for (uint32_t k = 0; k < n->count; k++) {
			struct packet *p = &n->packets[k];

			if (!is_done(n, p) && p->until == 0 && p->arrival <= now &&
			    link_free(n, p) == link_free(n, &n->packets[i]) &&
			    (!first || goes_first(p, first)))
				first = p;
		}
		if (first)
			*link_free(n, first) = first->until = now + n->packet_ticks;
	}
}

static struct packet *choose(struct naive *n, uint32_t node, int64_t now, bool printed)
{
	struct packet *first = NULL;

	for (uint32_t i = 0; i < n->count; i++) {
		struct packet *p = &n->packets[i];

		if (is_done(n, p) || p->node != node || p->arrival > now || p->round == now)
			continue;
		if (printed ? p->arrival < *link_free(n, p) : *link_free(n, p) > now)
			continue;
		if (!first || goes_first(p, first))
			first = p;
	}
	return first;
}

static void run_round(struct naive *n, int64_t now, bool printed)
{
	for (uint32_t node = n->graph.hosts; node < n->graph.nodes; node++) {
		struct packet *p = choose(n, node, now, printed);
		int64_t *available;

		if (!p)
			continue;
		available = link_free(n, p);
		if (printed) { // "the packet transmission time is added to both"
			*available += n->packet_ticks;
			p->arrival += n->packet_ticks;
		} else {
			if (*available > p->arrival)
				p->arrival = *available;
			*available = p->arrival += n->packet_ticks;
		}
		move(n, p, now);
		p->round = now;
	}
}

static bool all_done(const struct naive *n)
{
	for (uint32_t i = 0; i < n->count; i++)
		if (!is_done(n, &n->packets[i]))
			return false;
	return true;
}

void cppe_naive(const struct cppe_case *c, bool printed, int64_t limit_ticks,
		int64_t delivered[CPPE_MESSAGES_MAX])
{
	struct naive *n = calloc(1, sizeof(*n));
	struct tr_error err;

	assert_non_null(n);
	n->c = c;
	n->delivered = delivered;
	assert_int_equal(net_graph_open(&n->graph, &c->topology, &err), TR_OK);
	assert_true(n->graph.links <= 2 * PACKETS_MAX);
	assert_int_equal(cppe_times_find(&n->times, &c->params, c->ticks_per_s, &err), TR_OK);
	for (uint32_t m = 0; m < c->count; m++) {
		delivered[m] = CPPE_NEVER;
		if (c->messages[m].source != c->messages[m].destination)
			find_way(n, &c->messages[m], &n->ways[m]);
	}
	if (c->params.technique != CPPE_STORE) {
		book(n, delivered);
	} else {
		assert_int_equal(cppe_packet_ticks(&c->params, &c->topology.cables[0],
						   c->ticks_per_s, &n->packet_ticks, &err),
				 TR_OK);
		cut(n);
		for (int64_t now = 0; now <= limit_ticks && !all_done(n); now++)
			if (!c->params.rounds)
				step(n, now);
			else if (now % n->times.quantum_ticks == 0)
				run_round(n, now, printed);
	}
	net_graph_close(&n->graph);
	free(n);
}
