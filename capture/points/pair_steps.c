// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/pair_steps.h"

#include <math.h>
#include <stdlib.h>

#include "points/step_place.h"

#define NEAR_MAX \
	2048u // packets before the gap in which a step is, and after it, that are looked at

// What is searched: one pair, among all.
struct pair_steps_search {
	struct pt_steps *steps; // that are known
	const struct pt_pairs *pairs;
	const struct pt_shared *pair;
	size_t count;
	double room_ns; // by which differences may be wrong
	const bool *taken;
	const int64_t *unit_ns;
};

static struct pair_steps_search pair_search_make(const struct pt_pairs *pairs, size_t first,
						 size_t end, const int64_t *unit_ns)
{
	const struct pt_shared *pair = &pairs->shared[first];

	return (struct pair_steps_search){
		.pairs = pairs,
		.pair = pair,
		.count = end - first,
		.room_ns = (double)(unit_ns[pair->first] + unit_ns[pair->second]),
		.unit_ns = unit_ns};
}

// ---- packets less the steps known

// What steps of the two points a packet has passed.
struct era {
	size_t passed[2];
};

// Fills in a packet of the pair, by the number at a side; false if it is not between nodes at the
// two points, or it is open which steps it has passed, but for the one skipped, which is left in.
static bool packet_of(const struct pair_steps_search *search, size_t i, unsigned side,
		      const struct pt_step *skipped, struct step_packet *packet, struct era *era)
{
	const struct pt_shared *shared = &search->pair[i];
	const uint32_t from = search->pairs->at[shared->src], to = search->pairs->at[shared->dst];
	struct pt_steps_passed first, second;

	if (!(from == shared->first && to == shared->second) &&
	    !(from == shared->second && to == shared->first))
		return false;
	first = pt_steps_passed(search->steps, shared->first, shared->number[0], skipped);
	second = pt_steps_passed(search->steps, shared->second, shared->number[1], skipped);
	*packet = (struct step_packet){.number = shared->number[side],
				       .at_ns = shared->at_ns - first.sum_ns,
				       .apart_ns = shared->apart_ns - second.sum_ns + first.sum_ns,
				       .forward = from == shared->first};
	*era = (struct era){{first.count, second.count}};
	return !first.unsure && !second.unsure;
}

static bool era_is_same(const struct era *a, const struct era *b)
{
	return a->passed[0] == b->passed[0] && a->passed[1] == b->passed[1];
}

// Reads on from a packet, or back, up to one that contradicts those read, at which it returns;
// count if none does. On, it begins anew after steps known, at *begin; back, only packets of the
// first one's time between steps are read.
static size_t pair_search_read(const struct pair_steps_search *search, size_t from, bool back,
			       size_t *begin)
{
	struct step_bounds bounds = step_bounds_any();
	struct step_packet packet, before = {.at_ns = 0};
	struct era era, now = {{0, 0}};
	bool any = false;
	int64_t base_ns = 0;

	for (size_t i = from; i < search->count; i = back ? i - 1 : i + 1) {
		if (!packet_of(search, i, 0, NULL, &packet, &era) ||
		    (any && !era_is_same(&era, &now) &&
		     (back || era.passed[0] < now.passed[0] || era.passed[1] < now.passed[1])))
			continue;
		if (!any || !era_is_same(&era, &now)) {
			bounds = step_bounds_any();
			base_ns = packet.apart_ns;
			*begin = i;
		} else {
			const double drift_ns = PT_DRIFT_MAX * step_time_between(&before, &packet);

			bounds.lo -= drift_ns;
			bounds.hi += drift_ns;
		}
		step_bounds_take(&bounds, packet.forward, (double)(packet.apart_ns - base_ns), 0);
		if (step_bounds_contradict(&bounds, search->room_ns))
			return i;
		any = true;
		now = era;
		before = packet;
	}
	return search->count;
}

// ---- the packets around a gap

// Takes packets of an era from begin on that are not before the packet first - NEAR_MAX of it, nor
// after the packet last + NEAR_MAX, in the order of the point at a side. The caller frees them.
// False if memory ran out.
static bool pair_search_gather(const struct pair_steps_search *search, size_t begin, size_t first,
			       size_t last, unsigned side, const struct pt_step *skipped,
			       const struct era *era, struct step_packets *packets)
{
	const size_t from = first > begin + NEAR_MAX ? first - NEAR_MAX : begin;
	const size_t end = search->count - last > NEAR_MAX ? last + NEAR_MAX : search->count;

	*packets = (struct step_packets){
		.packets = calloc(end - from + 1, sizeof(*packets->packets)),
		.side = side,
		.room_ns = search->room_ns};
	if (!packets->packets)
		return false;
	for (size_t i = from; i < end; i++) {
		struct era own;

		if (packet_of(search, i, side, skipped, &packets->packets[packets->count], &own) &&
		    era_is_same(&own, era))
			packets->count++;
	}
	step_packets_sort(packets);
	return true;
}

// Those around a gap between two frames of a point, with their places: last is not after the gap,
// next is not before it. *known: there are packets on both sides. False if memory ran out.
static bool gather_around(const struct pair_steps_search *search, uint32_t point,
			  const uint64_t gap[2], const struct pt_step *skipped,
			  struct step_packets *packets, struct step_place *place, bool *known)
{
	const unsigned side = search->pair->second == point;
	size_t first = 0, last;
	struct step_packet packet;
	struct era era;

	*known = false;
	*packets = (struct step_packets){.count = 0};
	while (first < search->count && search->pair[first].number[side] <= gap[0])
		first++;
	for (last = first; last < search->count && search->pair[last].number[side] < gap[1];)
		last++;
	while (last < search->count && !packet_of(search, last, side, skipped, &packet, &era))
		last++;
	if (last == search->count)
		return true;
	if (!pair_search_gather(search, 0, first, last, side, skipped, &era, packets))
		return false;
	place->next = 0;
	while (place->next < packets->count && packets->packets[place->next].number < gap[1])
		place->next++;
	for (place->last = place->next;
	     place->last > 0 && packets->packets[place->last - 1].number > gap[0];)
		place->last--;
	*known = place->last > 0 && place->next < packets->count;
	place->last -= *known;
	return true;
}

// ---- of which clock

// What a step is if it is of the point at a side.
struct hypothesis {
	struct step_packets packets;
	struct step_place place;
	struct pt_step step;
	bool possible, back;
	double cost_ns;
};

// Counts whether the offset of a third point changed with a step (1), or did not (-1); 0 if it is
// open. False if memory ran out.
static bool vote_of(const struct pair_steps_search *search, const struct pt_step *step, int *votes)
{
	const uint64_t gap[2] = {step->last, step->next};
	struct step_packets packets;
	struct step_place place;
	bool known, done = gather_around(search, step->point, gap, NULL, &packets, &place, &known);

	if (done && known)
		done = step_place_measure(&packets, &place);
	if (done && known && isfinite(place.change_ns)) {
		const double ahead_ns = (double)step->ahead_ns;
		const double share = (packets.side ? place.change_ns : -place.change_ns) / ahead_ns;

		*votes += (share > 0.75) - (share < 0.25);
	}
	free(packets.packets);
	return done;
}

// How many third points say that this one stepped, less those that say that it did not.
static bool votes_for(const struct pair_steps_search *search, const struct pt_step *step,
		      int *votes)
{
	const struct pt_pairs *pairs = search->pairs;

	*votes = 0;
	for (size_t first = 0, end; first < pairs->count; first = end) {
		const struct pt_shared *pair = &pairs->shared[first];
		struct pair_steps_search third;

		end = pt_shared_end(pairs->shared, pairs->count, first);
		if (!(pair->first == step->point && pair->second != step->other) &&
		    !(pair->second == step->point && pair->first != step->other))
			continue;
		third = pair_search_make(pairs, first, end, search->unit_ns);
		third.steps = search->steps;
		if (!vote_of(&third, step, votes))
			return false;
	}
	return true;
}

// Which of the two is the step; false if memory ran out.
static bool choose_side(const struct pair_steps_search *search, struct hypothesis of[2],
			unsigned *side)
{
	const double change_ns = of[0].place.change_ns;
	const bool back[2] = {of[0].back && change_ns > 0, of[1].back && change_ns < 0};
	const uint32_t first = search->pair->first, second = search->pair->second;
	int votes[2];

	of[0].step.certain = of[1].step.certain = of[0].possible || of[1].possible;
	*side = of[1].possible;
	if (!of[0].possible || !of[1].possible)
		return true;
	if (!votes_for(search, &of[0].step, &votes[0]) ||
	    !votes_for(search, &of[1].step, &votes[1]))
		return false;
	if (votes[0] != votes[1]) {
		*side = votes[0] < votes[1];
	} else if (fabs(of[0].cost_ns - of[1].cost_ns) > fabs(change_ns) / 2) {
		*side = of[1].cost_ns < of[0].cost_ns;
	} else if (back[0] != back[1]) {
		*side = back[1];
	} else {
		of[0].step.certain = of[1].step.certain = false;
		*side = search->taken[first] != search->taken[second] ? search->taken[first]
								      : change_ns > 0;
	}
	return true;
}

static int64_t stamp_of(const struct step_packets *packets, size_t i)
{
	return packets->packets[i].at_ns + (packets->side ? packets->packets[i].apart_ns : 0);
}

// The step before the packet at that contradicts others, if it is of the point at a side. If no one
// step of this point explains that, it is just before that packet.
static bool suppose(const struct pair_steps_search *search, size_t begin, size_t open, size_t at,
		    unsigned side, struct hypothesis *of)
{
	struct step_packets *packets = &of->packets;
	struct step_place *place = &of->place;
	const uint64_t number = search->pair[at].number[side];
	struct step_packet packet;
	size_t first, end;
	struct era era;

	(void)packet_of(search, at, side, NULL, &packet, &era);
	if (!pair_search_gather(search, begin, open, at, side, NULL, &era, packets))
		return false;
	of->possible = step_place_search(packets, place) &&
		       packets->packets[place->last].number < number &&
		       packets->packets[place->next].number > search->pair[open].number[side];
	if (!of->possible) {
		for (place->next = 1; place->next + 1 < packets->count &&
				      packets->packets[place->next].number < number;)
			place->next++;
		place->last = place->next - 1;
	}
	if (!step_place_measure(packets, place))
		return false;
	of->cost_ns = step_place_likely(packets, place, &first, &end);
	for (size_t i = first; i < end; i++)
		of->back |= stamp_of(packets, i) < stamp_of(packets, i - 1);
	of->step = (struct pt_step){
		.point = side ? search->pair->second : search->pair->first,
		.other = side ? search->pair->first : search->pair->second,
		.last = packets->packets[place->last].number,
		.next = packets->packets[place->next].number,
		.at_ns = stamp_of(packets, place->next),
		.ahead_ns = llround(side ? place->change_ns : -place->change_ns)};
	of->step.at_ns +=
		pt_steps_passed(search->steps, of->step.point, of->step.next, NULL).sum_ns;
	return true;
}

// Inserts the step at or before a contradiction. Returns 1; -1: out of memory, -2: there is no
// room.
static int take_step(const struct pair_steps_search *search, size_t begin, size_t at)
{
	struct hypothesis of[2] = {{.back = false}, {.back = false}};
	size_t open, back;
	unsigned side = 0;
	int taken = -1;

	open = pair_search_read(search, at, true, &back);
	open = open < at ? open : begin;
	if (suppose(search, begin, open, at, 0, &of[0]) &&
	    suppose(search, begin, open, at, 1, &of[1]) && choose_side(search, of, &side))
		taken = pt_steps_insert(search->steps, &of[side].step) ? 1 : -2;
	free(of[0].packets.packets);
	free(of[1].packets.packets);
	return taken;
}

int pt_pair_steps_find(struct pt_steps *steps, const struct pt_pairs *pairs, size_t first,
		       size_t end, const bool *taken, const int64_t *unit_ns)
{
	struct pair_steps_search search = pair_search_make(pairs, first, end, unit_ns);
	size_t begin = 0, at;
	int found = 0, now;

	search.steps = steps;
	search.taken = taken;
	while ((at = pair_search_read(&search, begin, false, &begin)) < search.count) {
		now = take_step(&search, begin, at);
		if (now < 0)
			return now;
		found += now;
	}
	return found;
}

// ---- narrower gaps

// The point's own stamp of a packet; its step is left in.
static int64_t raw_stamp_of(const struct pair_steps_search *search,
			    const struct step_packets *packets, size_t i,
			    const struct pt_step *step)
{
	return stamp_of(packets, i) +
	       pt_steps_passed(search->steps, step->point, packets->packets[i].number, step).sum_ns;
}

static void narrow_sure(const struct pair_steps_search *search, const struct step_packets *packets,
			const struct step_place *known, struct pt_step *step)
{
	struct step_place sure;

	if (!step_place_search(packets, &sure))
		return;
	if (sure.next > known->last && sure.next < known->next) {
		step->next = packets->packets[sure.next].number;
		step->at_ns = raw_stamp_of(search, packets, sure.next, step);
	}
	if (sure.last > known->last && sure.last < known->next)
		step->last = packets->packets[sure.last].number;
}

static void narrow_likely(const struct pair_steps_search *search,
			  const struct step_packets *packets, struct step_place *place,
			  struct pt_step *step)
{
	const double ahead_ns = packets->side ? place->change_ns : -place->change_ns;
	size_t first, end;

	if (!(fabs(ahead_ns - (double)step->ahead_ns) <
	      fabs((double)step->ahead_ns) / 2)) // it does not show this step
		return;
	while (place->last + 1 < place->next &&
	       packets->packets[place->last + 1].number <= step->likely_last)
		place->last++;
	while (place->next > place->last + 1 &&
	       packets->packets[place->next - 1].number >= step->likely_next)
		place->next--;
	(void)step_place_likely(packets, place, &first, &end);
	if (packets->packets[first - 1].number > step->likely_last)
		step->likely_last = packets->packets[first - 1].number;
	if (packets->packets[end - 1].number < step->likely_next) {
		step->likely_next = packets->packets[end - 1].number;
		step->at_ns = raw_stamp_of(search, packets, end - 1, step);
	}
}

bool pt_pair_steps_narrow(struct pt_steps *steps, const struct pt_pairs *pairs, size_t first,
			  size_t end, struct pt_step *step, const int64_t *unit_ns, bool likely)
{
	struct pair_steps_search search = pair_search_make(pairs, first, end, unit_ns);
	const uint64_t gap[2] = {step->last, step->next};
	struct step_packets packets;
	struct step_place place;
	bool known, done;

	search.steps = steps;
	done = gather_around(&search, step->point, gap, step, &packets, &place, &known);
	if (done && known && !likely)
		narrow_sure(&search, &packets, &place, step);
	if (done && known && likely && step_place_measure(&packets, &place))
		narrow_likely(&search, &packets, &place, step);
	else
		done &= !known || !likely;
	free(packets.packets);
	return done;
}
