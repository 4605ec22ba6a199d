// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/pair_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_MAX 2048u	 // packets before and after a contradiction among which the step is looked for
#define PASSED_WEIGHT 8	 // of what a packet is beyond an offset that none can pass
#define NEAR_UNSURE 128u // packets in the gap in which a step is
#define WITNESSES 64u	 // packets before and after that another pair is asked for

// A packet between nodes at the two points, less the steps found so far.
struct stamped {
	struct pt_shared *packet;
	bool forward;
};

// A search through one pair.
struct search {
	struct pt_steps *steps;
	struct pt_shared *pair; // all of its packets
	size_t pair_count;
	struct stamped *all; // in order of the first point's numbers
	size_t count;
	double room_ns; // by which differences may be wrong
	const bool *taken;
	const struct pt_pairs *pairs;
};

// What packets say of an offset.
struct bounds {
	double lo, hi;
};

static const struct bounds nothing = {-INFINITY, INFINITY};

static void bounds_age(struct bounds *bounds, double time_ns)
{
	const double drift_ns = PT_DRIFT_MAX * fabs(time_ns);

	bounds->lo -= drift_ns;
	bounds->hi += drift_ns;
}

static void bounds_take(struct bounds *bounds, const struct stamped *stamped, double base_ns, double drift_ns)
{
	const double apart_ns = (double)stamped->packet->apart_ns - base_ns;

	if (stamped->forward)
		bounds->hi = fmin(bounds->hi, apart_ns + drift_ns);
	else
		bounds->lo = fmax(bounds->lo, apart_ns - drift_ns);
}

// The time between two packets by the point whose clock shows less of it, as a step back would.
static double time_between(const struct stamped *a, const struct stamped *b)
{
	const double first_ns = fabs((double)(b->packet->at_ns - a->packet->at_ns));
	const double second_ns = fabs((double)(b->packet->at_ns - a->packet->at_ns) +
				      (double)(b->packet->apart_ns - a->packet->apart_ns));

	return fmin(first_ns, second_ns);
}

// The first packet from start on that contradicts those before; count if none does. *bounds: what these say.
static size_t contradiction(const struct search *search, size_t start, double base_ns, struct bounds *bounds)
{
	*bounds = nothing;
	for (size_t i = start; i < search->count; i++) {
		struct bounds now = *bounds;

		if (i > start)
			bounds_age(&now, time_between(&search->all[i - 1], &search->all[i]));
		*bounds = now;
		bounds_take(&now, &search->all[i], base_ns, 0);
		if (now.lo > now.hi + search->room_ns)
			return i;
		*bounds = now;
	}
	return search->count;
}

// What packets from one on say of the offset then, up to *end, where they are many or contradict each other.
static struct bounds bounds_after(const struct search *search, size_t from, double base_ns, size_t *end)
{
	struct bounds bounds = nothing;
	double passed_ns = 0;

	for (*end = from; *end < search->count && *end < from + NEAR_MAX; ++*end) {
		struct bounds more = bounds;

		if (*end > from)
			passed_ns += time_between(&search->all[*end - 1], &search->all[*end]);
		bounds_take(&more, &search->all[*end], base_ns, PT_DRIFT_MAX * passed_ns);
		if (more.lo > more.hi + search->room_ns)
			break;
		bounds = more;
	}
	return bounds;
}

// How the offset changed, from what both directions say, or one.
static double change_of(const struct bounds *before, const struct bounds *after)
{
	const bool lo = isfinite(before->lo) && isfinite(after->lo), hi = isfinite(before->hi) && isfinite(after->hi);

	if (lo && hi)
		return (after->lo - before->lo + after->hi - before->hi) / 2;
	if (lo || hi)
		return hi ? after->hi - before->hi : after->lo - before->lo;
	return isfinite(after->lo) ? after->lo - before->hi : after->hi - before->lo; // at least
}

// Fills in what packets of one direction do not say, by the change.
static void bounds_complete(struct bounds around[2], double change_ns)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct bounds *other = &around[!i];
		const double by_ns = i ? change_ns : -change_ns;

		if (!isfinite(around[i].lo))
			around[i].lo = isfinite(other->lo) ? other->lo + by_ns : around[i].hi;
		if (!isfinite(around[i].hi))
			around[i].hi = isfinite(other->hi) ? other->hi + by_ns : around[i].lo;
	}
}

// ---- where, and of which clock

static uint64_t number_of(const struct stamped *stamped, unsigned side)
{
	return stamped->packet->number[side];
}

static int by_first(const void *a, const void *b)
{
	const struct stamped *x = a, *y = b;

	return (number_of(x, 0) > number_of(y, 0)) - (number_of(x, 0) < number_of(y, 0));
}

static int by_second(const void *a, const void *b)
{
	const struct stamped *x = a, *y = b;

	return (number_of(x, 1) > number_of(y, 1)) - (number_of(x, 1) < number_of(y, 1));
}

static int64_t stamp_of(const struct stamped *stamped, unsigned side)
{
	return stamped->packet->at_ns + (side ? stamped->packet->apart_ns : 0);
}

// Where in the packets near it the step may be: at the earliest before the packet first, at the latest before the packet last.
struct place {
	size_t first, last;
	double cost_ns; // how far packets are off, at the least
	bool back;	// the stamps of this point go back there
};

// How far a packet is from the offset that others give, which none can pass.
static double far_from(const struct stamped *stamped, const struct bounds *bounds, double base_ns)
{
	const double apart_ns = (double)stamped->packet->apart_ns - base_ns;
	const double waited_ns = stamped->forward ? apart_ns - bounds->hi : bounds->lo - apart_ns;

	return waited_ns > 0 ? waited_ns : -PASSED_WEIGHT * waited_ns;
}

static double change_between(const struct bounds around[2])
{
	return (around[1].lo - around[0].lo + around[1].hi - around[0].hi) / 2;
}

// The places in packets in the order of a point that leave them about least far from the offsets before and after.
static struct place find_place(const struct stamped *near, size_t count, unsigned side, const struct bounds around[2],
			       double base_ns)
{
	const double margin_ns = fabs(change_between(around)) / 2;
	struct place place = {.cost_ns = INFINITY};

	for (unsigned look = 0; look < 2; look++) {
		double cost_ns = 0;

		for (size_t i = 0; i + 1 < count; i++) {
			cost_ns += far_from(&near[i], &around[0], base_ns) - far_from(&near[i], &around[1], base_ns);
			if (look == 0) {
				place.cost_ns = fmin(place.cost_ns, cost_ns);
			} else if (cost_ns <= place.cost_ns + margin_ns) {
				place.first = place.first ? place.first : i + 1;
				place.last = i + 1;
			}
		}
	}
	for (size_t i = 0; i < count; i++)
		place.cost_ns += far_from(&near[i], &around[1], base_ns);
	for (size_t i = place.first; i <= place.last; i++)
		place.back |= stamp_of(&near[i], side) < stamp_of(&near[i - 1], side);
	return place;
}

// The packets around one, up to *end, that are near enough in time for constant offsets.
static void near_of(const struct search *search, size_t start, size_t at, double change_ns, size_t *first, size_t *end)
{
	const size_t last = *end;

	const double reach_ns = fabs(change_ns) / (4 * PT_DRIFT_MAX);
	double passed_ns = 0;

	for (*first = at; *first > start && at - *first < NEAR_MAX; --*first) {
		passed_ns += time_between(&search->all[*first - 1], &search->all[*first]);
		if (passed_ns > reach_ns && at - *first > 1)
			break;
	}
	passed_ns = 0;
	for (*end = at + 1; *end < last; ++*end) {
		passed_ns += time_between(&search->all[*end - 1], &search->all[*end]);
		if (passed_ns > reach_ns)
			break;
	}
}

// A look at a pair across a frame of one of its points: what the packets before it and after it say, and those packets, less the
// steps known; the pair is of raw stamps.
struct look {
	struct bounds around[2];
	struct pt_shared packets[2 * WITNESSES + 2 * NEAR_UNSURE];
	size_t count;
	double base_ns;
};

static bool is_between(const struct search *search, const struct pt_shared *packet)
{
	const uint32_t from = search->pairs->at[packet->src], to = search->pairs->at[packet->dst];

	return from != to && (from == packet->first || from == packet->second) && (to == packet->first || to == packet->second);
}

// skipped: a step of the point that is left in the stamps; NULL: none.
static struct pt_shared level_of(const struct search *search, const struct pt_shared *packet, const struct pt_step *skipped)
{
	int64_t first_ns = pt_steps_before(search->steps, packet->first, packet->number[0]);
	int64_t second_ns = pt_steps_before(search->steps, packet->second, packet->number[1]);
	struct pt_shared level = *packet;

	if (skipped && skipped->point == packet->first && packet->number[0] >= skipped->next)
		first_ns -= skipped->ahead_ns;
	if (skipped && skipped->point == packet->second && packet->number[1] >= skipped->next)
		second_ns -= skipped->ahead_ns;
	level.at_ns -= first_ns;
	level.apart_ns -= second_ns - first_ns;
	return level;
}

// The packets near a frame of the point, in or beside the gap between two numbers, which is open.
static void look_across(const struct search *search, const struct pt_shared *pair, size_t count, uint32_t point,
			const uint64_t gap[2], int64_t stamp_ns, const struct pt_step *skipped, struct look *look)
{
	const unsigned side = pair->second == point;
	size_t middle = 0, first, end;

	look->count = 0;
	look->base_ns = (double)pair->apart_ns;
	look->around[0] = look->around[1] = nothing;
	while (middle < count && pair[middle].number[side] <= gap[0])
		middle++;
	first = middle < WITNESSES ? 0 : middle - WITNESSES;
	for (end = middle; end < count && end < middle + NEAR_UNSURE && pair[end].number[side] < gap[1]; end++)
		;
	for (size_t i = first; i < count && i < end + WITNESSES; i++) {
		const bool open = pair[i].number[side] > gap[0] && pair[i].number[side] < gap[1];
		const bool unsure[2] = {pt_steps_unsure(search->steps, pair->first, pair[i].number[0]),
					pt_steps_unsure(search->steps, pair->second, pair[i].number[1])};
		struct pt_shared *level = &look->packets[look->count];
		const struct pt_shared timed = level_of(search, &pair[i], NULL);

		if (!is_between(search, &pair[i]) || unsure[!side] || (unsure[side] && !open))
			continue;
		*level = level_of(search, &pair[i], skipped);
		look->count++;
		if (!open)
			bounds_take(&look->around[level->number[side] >= gap[1]],
				    &(struct stamped){level, search->pairs->at[level->src] == pair->first}, look->base_ns,
				    PT_DRIFT_MAX * fabs((double)(timed.at_ns + (side ? timed.apart_ns : 0) - stamp_ns)));
	}
}

static bool is_known(const struct bounds *bounds)
{
	return isfinite(bounds->lo) && isfinite(bounds->hi);
}

// Whether the packets that a point shares with a third one contradict each other across one of its frames: 1 if they do, -1 if
// not, 0 if they do not say.
static int changes_across(const struct search *search, const struct pt_shared *pair, size_t count, uint32_t point,
			  uint64_t number, int64_t stamp_ns)
{
	const uint64_t gap[2] = {number - 1, number};
	struct look look;

	look_across(search, pair, count, point, gap, stamp_ns, NULL, &look);
	if (look.around[0].lo > look.around[1].hi + search->room_ns || look.around[1].lo > look.around[0].hi + search->room_ns)
		return 1;
	return is_known(&look.around[0]) && is_known(&look.around[1]) ? -1 : 0;
}

// How many third points say that this one stepped, less those that say that it did not.
static int votes_for(const struct search *search, const struct stamped *to, unsigned side)
{
	const struct pt_pairs *pairs = search->pairs;
	const uint32_t point = side ? to->packet->second : to->packet->first,
		       other = side ? to->packet->first : to->packet->second;
	int votes = 0;

	for (size_t first = 0, end; first < pairs->count; first = end) {
		const struct pt_shared *pair = &pairs->shared[first];

		end = pt_shared_end(pairs->shared, pairs->count, first);
		if ((pair->first == point && pair->second != other) || (pair->second == point && pair->first != other))
			votes += changes_across(search, pair, end - first, point, number_of(to, side), stamp_of(to, side));
	}
	return votes;
}

// Which of the two places is the step's: the packets at them are to.
static unsigned choose_side(const struct search *search, const struct place places[2], const struct stamped *const to[2],
			    double change_ns, bool *certain)
{
	const struct pt_shared *any = search->all->packet;
	int votes;
	const double margin_ns = fabs(change_ns) / 2;
	const bool back[2] = {places[0].back && change_ns > 0, places[1].back && change_ns < 0};

	*certain = true;
	votes = votes_for(search, to[0], 0) - votes_for(search, to[1], 1);
	if (votes)
		return votes < 0;
	if (fabs(places[0].cost_ns - places[1].cost_ns) > margin_ns)
		return places[1].cost_ns < places[0].cost_ns;
	if (back[0] != back[1])
		return back[1];
	*certain = false;
	if (search->taken[any->first] != search->taken[any->second])
		return search->taken[any->first];
	return change_ns > 0;
}

// Takes a step out of the stamps. Returns the first packet after it.
static size_t take_out(const struct search *search, const struct pt_step *step, unsigned side)
{
	size_t first = 0;

	for (size_t i = 0; i < search->pair_count; i++) {
		struct pt_shared *packet = &search->pair[i];

		if (packet->number[side] < step->next)
			continue;
		packet->apart_ns -= side ? step->ahead_ns : -step->ahead_ns;
		packet->at_ns -= side ? 0 : step->ahead_ns;
	}
	while (first < search->count && number_of(&search->all[first], side) < step->next)
		first++;
	return first ? first : 1;
}

// Locates the step at or before a contradiction and takes it out. Returns the first packet after it, 0 if memory or room ends.
static size_t take_step(const struct search *search, size_t start, size_t at, double base_ns, const struct bounds *before)
{
	size_t first, end, next = 0;
	const struct bounds after = bounds_after(search, at, base_ns, &end);
	const double change_ns = change_of(before, &after);
	struct bounds around[2] = {*before, after};
	struct place places[2];
	struct stamped *near[2];
	struct pt_step step;
	unsigned side;

	bounds_complete(around, change_ns);
	near_of(search, start, at, change_ns, &first, &end);
	for (side = 0; side < 2; side++) {
		near[side] = calloc(end - first, sizeof(**near));
		if (!near[side])
			break;
		memcpy(near[side], search->all + first, (end - first) * sizeof(**near));
		qsort(near[side], end - first, sizeof(**near), side ? by_second : by_first);
		places[side] = find_place(near[side], end - first, side, around, base_ns);
	}
	if (side == 2) {
		const struct stamped *const places_to[2] = {&near[0][places[0].last], &near[1][places[1].last]};

		side = choose_side(search, places, places_to, change_ns, &step.certain);
		const struct stamped *to = places_to[side];

		step.point = side ? to->packet->second : to->packet->first;
		step.other = side ? to->packet->first : to->packet->second;
		step.last = number_of(&near[side][places[side].first - 1], side);
		step.next = number_of(to, side);
		step.ahead_ns = llround(side ? change_ns : -change_ns);
		step.at_ns = stamp_of(to, side) + pt_steps_before(search->steps, step.point, step.next);
		if (pt_steps_insert(search->steps, &step))
			next = take_out(search, &step, side);
		free(near[1]);
	}
	free(near[0]);
	return next;
}

void pt_pair_steps_narrow(struct pt_steps *steps, const struct pt_pairs *pairs, const struct pt_shared *pair, size_t count,
			  struct pt_step *step)
{
	const struct search own = {.steps = steps, .pairs = pairs}, *search = &own;
	const unsigned side = pair->second == step->point;
	const uint64_t gap[2] = {step->last, step->next};
	const int64_t stamp_ns = step->at_ns - pt_steps_before(search->steps, step->point, step->next);
	struct stamped near[2 * WITNESSES + 2 * NEAR_UNSURE];
	struct place place;
	struct look look;

	look_across(search, pair, count, step->point, gap, stamp_ns, step, &look);
	if (look.count < 2 || !is_known(&look.around[0]) || !is_known(&look.around[1]))
		return;
	for (size_t i = 0; i < look.count; i++)
		near[i] = (struct stamped){&look.packets[i], search->pairs->at[look.packets[i].src] == pair->first};
	qsort(near, look.count, sizeof(*near), side ? by_second : by_first);
	place = find_place(near, look.count, side, look.around, look.base_ns);
	if (number_of(&near[place.first - 1], side) > step->last)
		step->last = number_of(&near[place.first - 1], side);
	if (number_of(&near[place.last], side) < step->next)
		step->next = number_of(&near[place.last], side);
}

int pt_pair_steps_find(struct pt_steps *steps, struct pt_shared *shared, size_t count, const struct pt_pairs *pairs,
		       const bool *taken, const int64_t *unit_ns)
{
	const uint32_t *at = pairs->at;
	struct search search = {.steps = steps,
				.pair = shared,
				.pair_count = count,
				.all = calloc(count + 1, sizeof(*search.all)),
				.taken = taken,
				.pairs = pairs};
	const uint32_t p = shared->first, q = shared->second;
	struct bounds bounds;
	size_t start = 0, found;
	int steps_found = 0;

	if (!search.all)
		return -1;
	search.room_ns = (double)(unit_ns[p] + unit_ns[q]);
	for (size_t i = 0; i < count; i++) {
		const uint32_t from = at[shared[i].src], to = at[shared[i].dst];

		if (pt_steps_unsure(steps, p, shared[i].number[0]) || pt_steps_unsure(steps, q, shared[i].number[1]))
			continue;
		if ((from == p && to == q) || (from == q && to == p))
			search.all[search.count++] = (struct stamped){&shared[i], from == p};
	}
	for (;;) {
		const double base_ns = start < search.count ? (double)search.all[start].packet->apart_ns : 0;

		found = contradiction(&search, start, base_ns, &bounds);
		if (found == search.count)
			break;
		start = take_step(&search, start, found, base_ns, &bounds);
		if (!start)
			break;
		steps_found++;
	}
	free(search.all);
	if (found < search.count)
		return steps->count == PT_STEPS_MAX ? -2 : -1;
	return steps_found;
}
