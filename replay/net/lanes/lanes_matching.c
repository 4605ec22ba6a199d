// SPDX-License-Identifier: GPL-3.0-or-later
// Matching of inputs and outputs where packets stand in queues by output (iSLIP: McKeown, The iSLIP
// scheduling algorithm for input-queued switches, IEEE/ACM Trans. Networking 7(2), 1999). In a
// round each queue requests its output, if its first packet has a flit that could go: over the lane
// it has, or over one that it could be given. Each output that has sent nothing in this cycle
// grants one request, each input that has sent nothing accepts one grant. What is accepted gets its
// lane, and a flit goes.
//
// Differences to the paper: the inputs of an output are its queues in the order of ports and lanes,
// and each place at a source in a switch is an input of its own; a packet of several flits requests
// for each of them, and holds its lane between them.
#include "net/lanes/lanes_inputs.h"

// Whether an output grants slot a rather than slot b, or LANES_NONE.
static bool lanes_matching_grants(const struct lanes_run *run, uint32_t link, uint32_t a,
				  uint32_t b)
{
	const uint32_t count = run->nodes[run->links[link].from].slots;
	const uint32_t behind = count - run->arbiters[link].last - 1;

	if (b == LANES_NONE)
		return true;
	if (lanes_is_cyclic(run->params->link_order))
		return (run->slots[a].turn + behind) % count <
		       (run->slots[b].turn + behind) % count;
	return lanes_rank(run, run->params->link_order, a) <
	       lanes_rank(run, run->params->link_order, b);
}

// The slot whose request a link grants; LANES_NONE without a request.
static uint32_t lanes_matching_choose(const struct lanes_run *run, uint32_t link)
{
	uint32_t best = LANES_NONE;

	for (uint64_t rest = run->arbiters[link].ready; rest != 0; rest &= rest - 1) {
		const uint32_t lane = lanes_lane(run, link, (uint32_t)__builtin_ctzll(rest));
		const uint32_t slot = run->slots[lane].holder;

		if (lanes_input_is_open(run, slot, true) &&
		    lanes_matching_grants(run, link, slot, best))
			best = slot;
	}
	for (uint32_t i = 0; i < run->sizes.groups; i++) {
		const uint32_t group = run->links[link].group + i;

		for (uint32_t slot = run->groups[group].first; slot != LANES_NONE;
		     slot = run->asks[slot].next)
			if (run->slots[slot].asks && lanes_input_is_open(run, slot, true) &&
			    lanes_usable(run, group, link,
					 run->lives[run->slots[slot].worm].flits) != 0 &&
			    lanes_matching_grants(run, link, slot, best))
				best = slot;
	}
	return best;
}

// The next lane of those that the front packet of a slot, which asks, may have.
static uint32_t lanes_matching_lane(const struct lanes_run *run, uint32_t slot, uint32_t link)
{
	const uint32_t group = run->asks[slot].group;
	const uint64_t lanes = lanes_usable(run, group, link,
					    run->lives[run->slots[slot].worm].flits);
	const uint64_t later = lanes & (UINT64_MAX << run->groups[group].given << 1);

	return (uint32_t)__builtin_ctzll(later != 0 ? later : lanes);
}

// Each link that has sent nothing in this cycle grants a request, and each input prefers one grant.
static void lanes_matching_grant(struct lanes_run *run)
{
	run->todo.picks.count = 0;
	for (uint32_t i = 0; i < run->todo.moves.count; i++) {
		const uint32_t number = run->todo.moves.items[i];
		uint32_t slot;

		if (run->arbiters[number].clear > run->clock.cycle)
			continue;
		slot = lanes_matching_choose(run, number);
		if (slot == LANES_NONE)
			continue;
		lanes_add(&run->todo.picks, slot);
		if (run->slots[slot].asks)
			run->asks[slot].lane = lanes_matching_lane(run, slot, number);
		lanes_input_offer(run, slot, true);
	}
}

// What is granted and accepted moves. Returns whether anything did.
static bool lanes_matching_move(struct lanes_run *run, bool first)
{
	const bool slips = lanes_orders[run->params->link_order].slips;
	uint32_t moved = 0;

	for (uint32_t i = 0; i < run->todo.picks.count; i++) {
		const uint32_t slot = run->todo.picks.items[i];
		const uint32_t link = lanes_wanted_link(run, slot, true);
		const bool goes = lanes_input_accept(run, slot, !slips || first, true);

		if (!slips || (goes && first))
			run->arbiters[link].last = run->slots[slot].turn;
		if (!goes)
			continue;
		if (run->slots[slot].asks) {
			run->groups[run->asks[slot].group].given = run->asks[slot].lane;
			lanes_give(run, slot, lanes_lane(run, link, run->asks[slot].lane));
		}
		run->kind.move(run, run->slots[slot].out);
		if (run->meters)
			lanes_meter_flit(run, link);
		moved++;
	}
	run->net.totals->own[LANES_FLIT_HOPS] += moved;
	return moved > 0;
}

// Links that are requested are looked at in this cycle.
static void lanes_matching_request(struct lanes_run *run)
{
	lanes_nominate_all(run);
	for (uint32_t i = 0; i < run->todo.nominated.count; i++) {
		const uint32_t link = run->todo.nominated.items[i] / run->sizes.groups;

		if (run->arbiters[link].moves)
			continue;
		run->arbiters[link].moves = true;
		lanes_add(&run->todo.moves, link);
	}
}

// At the end of a cycle: who was not served asks again, and links without a flit to send rest.
static void lanes_matching_end(struct lanes_run *run)
{
	struct lanes_list *moves = &run->todo.moves;

	for (uint32_t i = 0; i < run->todo.nominated.count; i++) {
		struct lanes_group *group = &run->groups[run->todo.nominated.items[i]];

		for (uint32_t slot = group->first; slot != LANES_NONE; slot = run->asks[slot].next)
			if (run->slots[slot].asks)
				lanes_touch(run, run->slots[slot].node);
		group->first = LANES_NONE;
	}
	run->todo.nominated.count = 0;
	for (uint32_t i = moves->count; i-- > 0;)
		if (run->arbiters[moves->items[i]].ready == 0) {
			run->arbiters[moves->items[i]].moves = false;
			moves->items[i] = moves->items[--moves->count];
		}
}

void lanes_match_all(struct lanes_run *run)
{
	const uint64_t iterations = run->params->iterations;

	lanes_matching_request(run);
	for (uint64_t round = 1; iterations == 0 || round <= iterations; round++) {
		lanes_shuffle(run, &run->todo.moves);
		lanes_matching_grant(run);
		if (!lanes_matching_move(run, round == 1))
			break;
	}
	lanes_matching_end(run);
}
