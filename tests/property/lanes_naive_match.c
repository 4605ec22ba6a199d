// SPDX-License-Identifier: GPL-3.0-or-later
// Links in the second engine of networks with lanes: who is first in which queue by output, and
// the matching of inputs and outputs, as a plain loop over all packets.
#include "lanes_naive.h"

#include "net/routes/choices.h"

void naive_drop(struct spot *spot, int packet)
{
	int at = spot->first;

	while (spot->queue[at] != packet)
		at++;
	for (spot->end--; at < spot->end; at++)
		spot->queue[at] = spot->queue[at + 1];
}

// The lanes of a link are shared out to the inputs of the crossbar in runs, as if there were a
// power of two of them.
static int naive_input(const struct world *w, const struct spot *lane)
{
	const int speedup = w->params->is.from_lane ? 4 : (int)w->params->input_speedup;
	int run = 1;

	while (run * speedup < w->lanes)
		run *= 2;
	return lane->link * 4 + (int)(lane - w->spots) % w->lanes / run;
}

static int spot_number(const struct packet *p, const struct spot *spot)
{
	int k = p->head;

	while (p->at[k] != spot)
		k--;
	return k;
}

int naive_queue(struct world *w, const struct packet *p)
{
	const struct net_peer *end = net_graph_peer(&w->graph, p->worm.destination, 0);
	const struct spot *spot = p->at[p->head];
	const struct net_option *options;
	uint32_t count;

	if (!w->divided || p->head == 0 || spot->at_host)
		return 0;
	if (w->params->is.inside && spot->node == end->node &&
	    (!p->worm.route || (uint32_t)p->hops + 1 == p->worm.route_count))
		return (int)net_graph_ports(&w->graph, spot->node);
	if (!w->setup->routes->choices)
		return (int)net_step_port(p->ports[p->hops]);
	if (spot->node == end->node)
		return (int)end->port;
	options = net_choices_get(w->setup->routes->choices, spot->input,
				  end->node - w->graph.hosts, &count);
	return (int)options[0].port;
}

struct packet *naive_first(struct world *w, struct packet *p)
{
	const struct spot *spot = p->at[p->head];

	for (int i = spot->first; i < spot->end; i++) {
		struct packet *q = &w->packets[spot->queue[i]];

		if (q == p || !w->divided || q->queue[spot_number(q, spot)] == p->queue[p->head])
			return q;
	}
	return NULL;
}

struct packet *naive_any_front(struct world *w, const struct spot *spot)
{
	struct packet *best = NULL;

	if (!w->divided || spot->at_host)
		return naive_front(w, spot);
	for (int queue = 0; queue < 64; queue++)
		for (int i = spot->first; i < spot->end; i++) {
			struct packet *q = &w->packets[spot->queue[i]];

			if (q->queue[spot_number(q, spot)] != queue)
				continue;
			if (!q->stuck)
				return q;
			best = best ? best : q;
			break;
		}
	return best;
}

// A request for a link: of a packet that has a lane, or asks for one.
struct request {
	struct packet *packet;
	struct spot *lane; // NULL: it asks
	struct spot *free; // for that
	int input;	   // NONE: its own
	int number;	   // in the cyclic order of inputs
	int64_t asked;
};

static bool make_request(struct world *w, struct packet *p, struct spot *lane, int link,
			 struct request *request)
{
	const int k = lane ? lane->k : p->head;
	const struct spot *at = p->at[k];

	if (lane ? !naive_can_send(w, lane)
		 : p->group == NONE || p->link != link || !naive_asks(w, p) ||
			    !naive_free_lane(w, p, link, p->group))
		return false;
	*request = (struct request){
		.packet = p,
		.lane = lane,
		.free = lane ? NULL : naive_free_lane(w, p, link, p->group),
		.input = k == 0 || w->params->queues == LANES_OUTPUT ? NONE : naive_input(w, at),
		.number = k == 0 ? at->turn : at->turn * 64 + p->queue[k],
		.asked = lane ? lane->asked : p->asked};
	return request->input == NONE || w->taken[request->input] != w->cycle;
}

static int64_t request_rank(const struct world *w, const struct request *r, int number, int last)
{
	return naive_rank(w, w->params->link_order, r->packet, r->asked, number, last);
}

// The request that a link grants; no packet: none.
static struct request grant(struct world *w, int link)
{
	struct request best = {0}, r;

	for (int i = 0; i < w->lanes; i++) {
		struct spot *lane = &w->spots[link * w->lanes + i];

		if (lane->holder && make_request(w, lane->holder, lane, link, &r) &&
		    (!best.packet || request_rank(w, &r, r.number, w->last[link]) <
					     request_rank(w, &best, best.number, w->last[link])))
			best = r;
	}
	for (struct packet *p = w->packets; p < w->end; p++)
		if (p->state == ASKS && make_request(w, p, NULL, link, &r) &&
		    (!best.packet || request_rank(w, &r, r.number, w->last[link]) <
					     request_rank(w, &best, best.number, w->last[link])))
			best = r;
	return best;
}

static void go(struct world *w, const struct request *r)
{
	struct spot *lane = r->lane;

	if (!lane) {
		lane = r->free;
		naive_give(w, r->packet, lane, r->packet->group);
		r->packet->group = NONE;
	}
	naive_send(w, lane);
}

static bool round_of(struct world *w, bool first)
{
	const bool slips = w->params->link_order == LANES_ISLIP;
	struct request granted[CASE_LINKS];
	int winner[INPUTS]; // a link
	bool any = false;

	for (uint32_t i = 0; i < INPUTS; i++)
		winner[i] = NONE;
	for (uint32_t i = 0; i < w->graph.links; i++) {
		const int port = w->spots[(int)i * w->lanes].port;
		int in;

		granted[i] = (struct request){0};
		if (w->clear[i] <= w->cycle)
			granted[i] = grant(w, (int)i);
		in = granted[i].packet ? granted[i].input : NONE;
		if (in != NONE &&
		    (winner[in] == NONE ||
		     request_rank(w, &granted[i], port, w->accepted[in]) <
			     request_rank(w, &granted[winner[in]],
					  w->spots[winner[in] * w->lanes].port, w->accepted[in])))
			winner[in] = (int)i;
	}
	for (uint32_t i = 0; i < w->graph.links; i++) {
		const struct request *r = &granted[i];
		const bool goes = r->packet && (r->input == NONE || winner[r->input] == (int)i);

		if (r->packet && (!slips || (goes && first)))
			w->last[i] = r->number;
		if (!goes)
			continue;
		if (r->input != NONE) {
			w->taken[r->input] = w->cycle;
			if (!slips || first)
				w->accepted[r->input] = w->spots[(int)i * w->lanes].port;
		}
		any = true;
		go(w, r);
	}
	return any;
}

void naive_match(struct world *w)
{
	const uint64_t most = w->params->iterations == 0 ? UINT64_MAX : w->params->iterations;

	for (uint64_t round = 1; round <= most && round_of(w, round == 1); round++)
		continue;
	for (struct packet *p = w->packets; p < w->end; p++)
		p->group = NONE;
}

// ---- without queues by output

#define SPEEDUP 4 // flits that an output takes in a cycle at most

// The crossbar's input of the holder of a lane; NONE where its input is its own.
static int input_of(const struct world *w, const struct spot *lane)
{
	return lane->k == 0 ? NONE : naive_input(w, lane->holder->at[lane->k]);
}

static int64_t link_rank(const struct world *w, const struct spot *lane, int number, int last)
{
	return naive_rank(w, w->params->link_order, lane->holder, lane->asked, number, last);
}

// In turns of inputs: that of the holder of a lane.
static int input_number(const struct world *w, const struct spot *lane)
{
	const struct spot *at = lane->holder->at[lane->k];

	return lane->k == 0 ? at->turn : at->turn / w->lanes * 4 + naive_input(w, at) % 4;
}

// Among those of one link.
static int64_t choice_rank(const struct world *w, const struct spot *lane, int number, int last)
{
	const int lanes = w->lanes;
	int behind = 0;

	if (w->params->link_order != LANES_INPUTS)
		return link_rank(w, lane, number, last);
	if (lane->k > 0)
		behind = lane->holder->at[lane->k]->turn + lanes - 1 -
			 w->turn[naive_input(w, lane->holder->at[lane->k])];
	return link_rank(w, lane, input_number(w, lane), last) * lanes + behind % lanes;
}

// Whether the output of an arbiter that has chosen so many flits takes another in this cycle.
static bool naive_takes(const struct world *w, int arbiter, int width, int chosen)
{
	const int most = w->spots[arbiter * width].from_host ? 1 : (int)w->params->output_speedup;

	const int64_t waiting = w->clear[arbiter] > w->cycle ? w->clear[arbiter] - w->cycle : 0;

	return waiting + chosen < most;
}

// The lane that an arbiter of so many chooses, after others.
static struct spot *choose(struct world *w, int arbiter, int width, struct spot *const *others)
{
	struct spot *best = NULL;
	int64_t least = INT64_MAX;

	for (int i = 0; i < width; i++) {
		struct spot *lane = &w->spots[arbiter * width + i];

		if (!naive_can_send(w, lane) || lane->went == w->cycle || lane == others[0] ||
		    lane == others[1] || lane == others[2] ||
		    choice_rank(w, lane, i, w->last[arbiter]) >= least ||
		    (input_of(w, lane) != NONE && w->taken[input_of(w, lane)] == w->cycle))
			continue;
		best = lane;
		least = choice_rank(w, lane, i, w->last[arbiter]);
	}
	return best;
}

// One round of the links' choices; false if nothing moved.
bool naive_move(struct world *w, bool first)
{
	const int width = w->each * w->lanes, count = w->lane_count / width;
	struct spot *chosen[CASE_LINKS][SPEEDUP] = {{NULL}}, *winner[INPUTS] = {NULL};
	bool any = false;

	for (int n = 0; n < count * SPEEDUP; n++) {
		const int i = n / SPEEDUP, k = n % SPEEDUP;
		struct spot *lane = chosen[i][k] = naive_takes(w, i, width, k)
							   ? choose(w, i, width, chosen[i])
							   : NULL;
		const int input = lane ? input_of(w, lane) : NONE;

		if (input != NONE &&
		    (!winner[input] ||
		     link_rank(w, lane, lane->port, w->accepted[input]) <
			     link_rank(w, winner[input], winner[input]->port, w->accepted[input])))
			winner[input] = lane;
	}
	for (int n = 0; n < count * SPEEDUP; n++) {
		const int i = n / SPEEDUP;
		struct spot *lane = chosen[i][n % SPEEDUP];
		const int input = lane ? input_of(w, lane) : NONE;
		const bool goes = lane && (input == NONE || winner[input] == lane);

		if (lane && (w->params->link_order < LANES_ISLIP || (goes && first)))
			w->last[i] = w->params->link_order == LANES_INPUTS
					     ? input_number(w, lane)
					     : (int)(lane - w->spots) % width;
		if (!goes)
			continue;
		if (input != NONE) {
			w->taken[input] = w->cycle;
			w->turn[input] = lane->holder->at[lane->k]->turn % w->lanes;
			w->accepted[input] = lane->port;
		}
		any = true;
		naive_send(w, lane);
	}
	return any;
}
