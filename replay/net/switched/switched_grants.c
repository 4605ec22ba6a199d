// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_run.h"

static uint32_t head_size(const struct switched_run *run, const struct switched_input *in)
{
	return in->count > 1 ? run->net.pool.worms[switched_head(in)].size_bytes : in->last_size;
}

uint32_t switched_need(const struct switched_run *run, const struct switched_input *in)
{
	const uint32_t size_bytes = head_size(run, in);

	if (run->params->switching == SWITCHED_STORE || in->stored ||
	    size_bytes < run->params->header_B)
		return size_bytes;
	return (uint32_t)run->params->header_B;
}

// The port that the worm's own list says for the switch.
static bool switched_grants_follow_list(struct switched_run *run, const struct net_worm *worm,
					struct switched_life *life, uint32_t at)
{
	if (life->hops >= worm->route_count) {
		net_drive_fail(&run->net, "the route from host %u to host %u ends at switch %u",
			       worm->source, worm->destination, at);
		return false;
	}
	life->own = (struct net_option){.port = worm->route[life->hops]};
	return true;
}

// Finds what the head of an input may ask for.
static bool switched_grants_find_options(struct switched_run *run, const struct switched_input *in,
					 uint32_t number)
{
	const struct net_worm *worm = &run->net.pool.worms[number];
	const uint32_t home = run->cables.home[worm->destination];
	struct switched_life *life = &run->lives[number];

	life->options = &life->own;
	life->option_count = 1;
	if (worm->route) {
		if (!switched_grants_follow_list(run, worm, life, in->at))
			return false;
	} else if (home == in->at) {
		life->own = (struct net_option){
			.port = (uint16_t)net_graph_peer(&run->net.graph, worm->destination, 0)
					->port};
	} else {
		life->options = net_choices_get(run->net.faults.routes->choices, in->choice, home,
						&life->option_count);
	}
	life->hops++;
	for (uint32_t i = 0; i < life->option_count; i++)
		if (life->options[i].port * run->lanes >= run->switches[in->at].slots ||
		    run->cables.out_of[run->switches[in->at].first_port + life->options[i].port] ==
			    NET_NOBODY)
			net_drive_fail(&run->net,
				       "the route from host %u to host %u takes port %u of switch "
				       "%u, which has no cable",
				       worm->source, worm->destination, life->options[i].port,
				       in->at);
	if (life->option_count == 0 && !net_drive_strands(&run->net, switched_head(in)))
		net_drive_fail(&run->net,
			       "the routes have no option at switch %u for a packet from host %u "
			       "to host %u",
			       in->at, worm->source, worm->destination);
	return run->net.status == TR_OK;
}

static void switched_grants_ask(struct switched_run *run, uint32_t input)
{
	struct switched_input *in = &run->inputs[input];
	struct switched_switch *at = &run->switches[in->at];
	const uint32_t worm = switched_head(in);
	struct switched_life *life = &run->lives[worm];

	if (!in->stored) {
		if (!switched_grants_find_options(run, in, worm))
			return;
		if (life->option_count > 0)
			net_drive_asks(&run->net,
				       run->cables.out_of[at->first_port + life->options[0].port],
				       worm, run->net.now_ticks);
		life->asked = run->clock.cycle;
		life->input = input;
		life->turn = in->asks++;
	}
	in->state = SWITCHED_ASKS;
	switched_mark(run, input / run->lanes);
	life->place = at->asking_count;
	at->asking[at->asking_count++] = worm;
	switched_touch(run, in->at);
	if (run->params->pool_B > 0)
		switched_fill(run, in->at);
	if (switched_is_barred(run, worm))
		switched_lose(run, worm);
}

static void look_all(struct switched_run *run)
{
	switched_shuffle(run, &run->todo.looks);
	for (uint32_t i = 0; i < run->todo.looks.count; i++) {
		struct switched_input *in = &run->inputs[run->todo.looks.items[i]];

		in->looks = false;
		if (in->state != SWITCHED_WAITS || in->count == 0)
			continue;
		if (run->medium->head_in(run, run->todo.looks.items[i], head_size(run, in)) >=
		    switched_need(run, in))
			switched_grants_ask(run, run->todo.looks.items[i]);
	}
	run->todo.looks.count = 0;
}

// The pool takes in the heads that ask and fit, the inputs by turns. They ask on from there.
static void switched_grants_fill(struct switched_run *run, uint32_t number)
{
	struct switched_switch *at = &run->switches[number];
	const uint32_t begin = at->pool_turn;

	at->fills = false;
	for (uint32_t i = 0; i < at->slots; i++) {
		const uint32_t slot = (begin + i) % at->slots;
		const uint32_t input = run->cables.in_of[at->first_slot + slot];
		struct switched_input *in = &run->inputs[input == NET_NOBODY ? 0 : input];
		uint32_t worm;
		uint32_t size;

		if (input == NET_NOBODY || in->state != SWITCHED_ASKS)
			continue;
		worm = switched_head(in);
		size = run->net.pool.worms[worm].size_bytes;
		if (at->pool_used + size > run->params->pool_B)
			continue;
		at->pool_used += size;
		at->pool_turn = (slot + 1) % at->slots;
		run->lives[worm].pooled = true;
		switched_pop(run, input);
		switched_leave(run, input, size);
	}
}

void switched_look_all(struct switched_run *run)
{
	while (run->net.status == TR_OK &&
	       (run->todo.looks.count > 0 || run->todo.fills.count > 0)) {
		look_all(run);
		switched_lose_all(run);
		switched_shuffle(run, &run->todo.fills);
		for (uint32_t i = 0; i < run->todo.fills.count; i++)
			switched_grants_fill(run, run->todo.fills.items[i]);
		run->todo.fills.count = 0;
	}
}

// How far the worm's input is behind the one that was served last.
static uint32_t switched_grants_distance(const struct switched_run *run,
					 const struct switched_output *out, uint32_t worm)
{
	const struct switched_input *in = &run->inputs[run->lives[worm].input];
	const uint32_t slots = run->switches[in->at].slots;

	return (in->slot + slots - out->turn - 1) % slots;
}

// Whether an output takes worm a rather than worm b.
static bool switched_grants_goes_before(const struct switched_run *run,
					const struct switched_output *out, uint32_t a, uint32_t b)
{
	const struct switched_life *one = &run->lives[a], *other = &run->lives[b];
	const uint32_t from_one = switched_grants_distance(run, out, a),
		       from_other = switched_grants_distance(run, out, b);

	if (run->params->first_come && one->asked != other->asked)
		return one->asked < other->asked;
	return from_one != from_other ? from_one < from_other : one->turn < other->turn;
}

// Whether the worm can be given the output; where only room is missing, it is wanted.
static bool can_have(struct switched_run *run, uint32_t channel, uint32_t size_bytes)
{
	struct switched_input *in = &run->inputs[channel];
	uint32_t bytes;

	if (run->outputs[channel].worm != NET_NO_WORM ||
	    net_drive_link_is_dead(&run->net, channel / run->lanes))
		return false;
	if (switched_grantable(run, channel, size_bytes))
		return true;
	bytes = switched_grant_bytes(run, size_bytes);
	if (bytes < in->wanted) {
		in->wanted = bytes;
		if (run->medium->wanted)
			run->medium->wanted(run, channel);
	}
	return false;
}

// The best option of the worm that can be given; NET_NOBODY.
static uint32_t switched_grants_choose(struct switched_run *run, const struct switched_switch *at,
				       uint32_t worm)
{
	const struct switched_life *life = &run->lives[worm];

	for (uint32_t i = 0; i < life->option_count; i++) {
		const uint32_t link = run->cables.out_of[at->first_port + life->options[i].port];
		const uint32_t channel = link * run->lanes + life->options[i].lane;

		if (can_have(run, channel, run->net.pool.worms[worm].size_bytes))
			return channel;
	}
	return NET_NOBODY;
}

void switched_ask_no_more(struct switched_run *run, uint32_t worm)
{
	struct switched_switch *at = &run->switches[run->inputs[run->lives[worm].input].at];
	const uint32_t last = at->asking[--at->asking_count];

	at->asking[run->lives[worm].place] = last;
	run->lives[last].place = run->lives[worm].place;
}

static void connect(struct switched_run *run, uint32_t channel)
{
	struct switched_output *out = &run->outputs[channel];
	struct switched_life *life = &run->lives[out->nominee];
	struct switched_input *in = &run->inputs[life->input];

	out->worm = out->nominee;
	out->nominee = NET_NO_WORM;
	out->size = run->net.pool.worms[out->worm].size_bytes;
	out->sent = 0;
	out->turn = in->slot;
	life->channel = channel;
	run->inputs[channel].wanted = UINT32_MAX;
	out->feed = life->pooled ? SWITCHED_FROM_POOL : life->input;
	if (!life->pooled) {
		in->state = SWITCHED_GOES;
		in->out = channel / run->lanes;
		switched_mark(run, life->input / run->lanes);
	}
	switched_ask_no_more(run, out->worm);
	net_drive_begins(&run->net, channel / run->lanes, out->worm);
	net_drive_passes(&run->net, channel / run->lanes, out->worm);
	switched_try(run, channel / run->lanes);
}

// Packets that were refused are stored: they ask again when they are whole.
static void store_refused(struct switched_run *run, struct switched_switch *at)
{
	for (uint32_t i = at->asking_count; i-- > 0;) {
		const uint32_t worm = at->asking[i];
		struct switched_input *in = &run->inputs[run->lives[worm].input];

		in->stored = true;
		if (run->medium->head_in(run, run->lives[worm].input, head_size(run, in)) ==
		    head_size(run, in))
			continue;
		in->state = SWITCHED_WAITS;
		switched_ask_no_more(run, worm);
		if (run->medium->refused)
			run->medium->refused(run, run->lives[worm].input);
	}
}

static void switched_grants_grant(struct switched_run *run, uint32_t number)
{
	struct switched_switch *at = &run->switches[number];
	bool again = false;

	at->touched = false;
	run->todo.nominated.count = 0;
	for (uint32_t i = 0; i < at->asking_count; i++) {
		const uint32_t worm = at->asking[i];
		const uint32_t channel = switched_grants_choose(run, at, worm);
		struct switched_output *out;

		if (channel == NET_NOBODY)
			continue;
		out = &run->outputs[channel];
		if (out->nominee == NET_NO_WORM)
			switched_add(&run->todo.nominated, channel);
		else
			again = true;
		if (out->nominee == NET_NO_WORM ||
		    switched_grants_goes_before(run, out, worm, out->nominee))
			out->nominee = worm;
	}
	for (uint32_t i = 0; i < run->todo.nominated.count; i++)
		connect(run, run->todo.nominated.items[i]);
	if (run->params->switching == SWITCHED_CUT_THROUGH)
		store_refused(run, at);
	if (again && run->net.setup->routes->choices && at->asking_count > 0)
		switched_add(&run->todo.retouched, number);
}

void switched_grant_all(struct switched_run *run)
{
	struct switched_list done;

	switched_shuffle(run, &run->todo.touched);
	for (uint32_t i = 0; i < run->todo.touched.count; i++)
		switched_grants_grant(run, run->todo.touched.items[i]);
	done = run->todo.touched;
	done.count = 0;
	run->todo.touched = run->todo.retouched;
	run->todo.retouched = done;
	for (uint32_t i = 0; i < run->todo.touched.count; i++)
		run->switches[run->todo.touched.items[i]].touched = true;
}
