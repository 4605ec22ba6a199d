// SPDX-License-Identifier: GPL-3.0-or-later
// The search for objects whose differences are as many as possible. Differences d and s - d always
// come together, so the smaller stands for both. Known values: the objects that the heuristic finds
// for 7 and 3, 14 and 3, 14 and 4+2 are those of tables 5.2 to 5.4 of the thesis; the worst numbers
// of objects beyond the root of s in its table 5.8.
#include "net/studies/designs/base_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "value/random.h"

#define STEPS_MAX 100000000u // of the exhaustive search

struct base_search {
	uint32_t switches;
	struct net_base best;
	uint32_t best_yield; // of all differences
	struct net_base now;
	uint32_t yield;
	uint32_t *times; // that each difference up to s / 2 is there now
	uint32_t *stamp; // of a difference: the candidate that counted it last
	uint32_t stamps;
	uint32_t *ties; // candidates as good as the best
	struct tr_random random;
};

static uint32_t base_search_fold(const struct base_search *search, uint32_t one, uint32_t other)
{
	const uint32_t d = one > other ? one - other : other - one;

	return d < search->switches - d ? d : search->switches - d;
}

// Differences that a folded one stands for.
static uint32_t worth(const struct base_search *search, uint32_t folded)
{
	return 2 * folded == search->switches ? 1 : 2;
}

// New differences of a candidate to so many objects of its part; UINT32_MAX where it is one of
// them.
static uint32_t base_search_gain(struct base_search *search, const uint32_t *objects,
				 uint32_t count, uint32_t candidate)
{
	uint32_t gained = 0;

	search->stamps++;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t folded = base_search_fold(search, candidate, objects[i]);

		if (folded == 0)
			return UINT32_MAX;
		if (search->times[folded] > 0 || search->stamp[folded] == search->stamps)
			continue;
		search->stamp[folded] = search->stamps;
		gained += worth(search, folded);
	}
	return gained;
}

static void base_search_add(struct base_search *search, const uint32_t *objects, uint32_t count,
			    uint32_t object)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t folded = base_search_fold(search, object, objects[i]);

		if (search->times[folded]++ == 0)
			search->yield += worth(search, folded);
	}
}

static void base_search_take_back(struct base_search *search, const uint32_t *objects,
				  uint32_t count, uint32_t object)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t folded = base_search_fold(search, object, objects[i]);

		if (--search->times[folded] == 0)
			search->yield -= worth(search, folded);
	}
}

static void keep_better(struct base_search *search)
{
	if (search->yield <= search->best_yield)
		return;
	search->best_yield = search->yield;
	search->best = search->now;
}

// The object with the most new differences: of several the lowest, or a random one.
static uint32_t base_search_choose(struct base_search *search, const uint32_t *objects,
				   uint32_t count, bool lowest)
{
	uint32_t best = 0;
	uint32_t ties = 0;

	for (uint32_t candidate = 1; candidate < search->switches; candidate++) {
		const uint32_t gained = base_search_gain(search, objects, count, candidate);

		if (gained == UINT32_MAX || (ties > 0 && gained < best))
			continue;
		if (gained > best)
			ties = 0;
		best = gained;
		search->ties[ties++] = candidate;
	}
	return search->ties[lowest ? 0 : tr_random_below(&search->random, ties)];
}

static void base_search_pass(struct base_search *search, bool lowest)
{
	uint32_t *objects = search->now.objects;

	memset(search->times, 0, (search->switches / 2 + 1) * sizeof(*search->times));
	search->yield = 0;
	for (uint32_t part = 0; part < search->now.parts; objects += search->now.lengths[part++]) {
		objects[0] = 0;
		for (uint32_t i = 1; i < search->now.lengths[part]; i++) {
			objects[i] = base_search_choose(search, objects, i, lowest);
			base_search_add(search, objects, i, objects[i]);
		}
	}
	keep_better(search);
}

// The most differences that may still be added by the objects from index i of a part on: the i-th
// has 2 i at most.
static uint32_t hope(const struct base_search *search, uint32_t part, uint32_t i)
{
	uint64_t most = 0;

	for (; part < search->now.parts; part++, i = 1)
		for (; i < search->now.lengths[part]; i++)
			most += 2 * (uint64_t)i;
	return most < search->switches ? (uint32_t)most : search->switches;
}

// Where the search stands: index i of a part, whose objects begin at first.
struct base_search_place {
	uint32_t part;
	uint32_t first;
	uint32_t i;
	uint32_t widest; // gap between objects of the part
};

// Tries all objects from this place on, in ascending order; as a part may be shifted, the gap that
// closes its cycle is to be the widest. Returns false when the steps are used up.
static bool base_search_descend(struct base_search *search, struct base_search_place place,
				uint32_t *steps)
{
	const uint32_t length = search->now.lengths[place.part];
	uint32_t *objects = search->now.objects + place.first;

	if ((*steps)++ == STEPS_MAX)
		return false;
	if (place.i == length) {
		place = (struct base_search_place){place.part + 1, place.first + length, 1, 1};
		if (place.part == search->now.parts) {
			keep_better(search);
			return true;
		}
		search->now.objects[place.first] = 0;
		return base_search_descend(search, place, steps);
	}
	if (search->yield + hope(search, place.part, place.i) <= search->best_yield)
		return true;
	for (uint32_t object = objects[place.i - 1] + 1;
	     object + (length - place.i - 1) < search->switches; object++) {
		const uint32_t gap = object - objects[place.i - 1];
		const uint32_t widest = gap > place.widest ? gap : place.widest;
		bool going;

		if (object + (length - place.i - 1) + widest > search->switches ||
		    search->best_yield == search->switches - 1)
			break;
		objects[place.i] = object;
		base_search_add(search, objects, place.i, object);
		going = base_search_descend(
			search,
			(struct base_search_place){place.part, place.first, place.i + 1, widest},
			steps);
		base_search_take_back(search, objects, place.i, object);
		if (!going)
			return false;
	}
	return true;
}

static enum tr_status try_all(struct base_search *search, struct tr_error *err)
{
	uint32_t steps = 0;

	memset(search->times, 0, (search->switches / 2 + 1) * sizeof(*search->times));
	search->yield = 0;
	search->now.objects[0] = 0;
	if (search->best_yield == search->switches - 1 ||
	    base_search_descend(search, (struct base_search_place){0, 0, 1, 1}, &steps))
		return TR_OK;
	return tr_fail(err,
		       "the exhaustive search did not end within %u steps; the heuristic yields %u "
		       "of %u differences",
		       STEPS_MAX, search->best_yield, search->switches - 1);
}

static int base_search_ascend(const void *one, const void *other)
{
	const uint32_t a = *(const uint32_t *)one;
	const uint32_t b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

static enum tr_status base_search_check(const struct net_base *base, struct tr_error *err)
{
	uint64_t all = 0;

	if (base->switches < 2 || base->switches > NET_BASE_SWITCHES_MAX)
		return tr_fail(err, "a block design has 2 to %u switches", NET_BASE_SWITCHES_MAX);
	for (uint32_t part = 0; part < base->parts; part++) {
		all += base->lengths[part];
		if (base->lengths[part] < 2 || base->lengths[part] > base->switches)
			return tr_fail(err, "blocks of %u objects; expected 2 to %u",
				       base->lengths[part], base->switches);
	}
	if (all > NET_BASE_OBJECTS_MAX)
		return tr_fail(err, "base blocks of more than %u objects", NET_BASE_OBJECTS_MAX);
	return TR_OK;
}

enum tr_status net_base_find(struct net_base *base, const struct net_base_search *how,
			     struct tr_error *err)
{
	struct base_search search = {.switches = base->switches};
	enum tr_status status = base_search_check(base, err);
	uint32_t *objects = base->objects;

	if (status != TR_OK)
		return status;
	search.now = *base;
	search.times = calloc(base->switches / 2 + 1, sizeof(*search.times));
	search.stamp = calloc(base->switches / 2 + 1, sizeof(*search.stamp));
	search.ties = calloc(base->switches, sizeof(*search.ties));
	if (!search.times || !search.stamp || !search.ties)
		status = tr_no_memory(err, "the search for a base block");
	tr_random_open(&search.random, how->seed, "topology/base-block");
	for (uint32_t i = 0;
	     status == TR_OK && i <= how->restarts && search.best_yield < base->switches - 1; i++)
		base_search_pass(&search, i == 0);
	if (status == TR_OK && how->exhaustive)
		status = try_all(&search, err);
	if (status == TR_OK) {
		*base = search.best;
		for (uint32_t part = 0; part < base->parts; objects += base->lengths[part++])
			qsort(objects, base->lengths[part], sizeof(*objects), base_search_ascend);
	}
	free(search.times);
	free(search.stamp);
	free(search.ties);
	return status;
}
