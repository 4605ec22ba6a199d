// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/shared.h"
#include "value/order.h"

#include <stdlib.h>
#include <string.h>

#define SHARED_MAX 4u // more points than this: a multicast, which says nothing of a pair
#define APART_MAX_NS (INT64_C(1) << 59)

static bool is_kept(const struct pt_sample *sample, uint64_t identity)
{
	return !(identity & ((UINT64_C(1) << sample->level) - 1));
}

static void shared_keep(struct pt_sample *sample)
{
	size_t kept = 0;

	for (size_t i = 0; i < sample->count; i++)
		if (is_kept(sample, sample->sightings[i].identity))
			sample->sightings[kept++] = sample->sightings[i];
	sample->count = kept;
}

static bool shared_make_room(struct pt_sample *sample)
{
	size_t more = sample->capacity ? sample->capacity * 2 : 1024;
	struct pt_sighting *larger;

	more = more < sample->max ? more : sample->max;
	if (sample->count < sample->capacity)
		return true;
	if (sample->capacity == sample->max) {
		for (; sample->count == sample->max && sample->level < 63; shared_keep(sample))
			sample->level++;
		return true;
	}
	larger = realloc(sample->sightings, more * sizeof(*larger));
	if (!larger)
		return false;
	sample->sightings = larger;
	sample->capacity = more;
	return true;
}

bool pt_sample_add(struct pt_sample *sample, const struct pt_sighting *sighting)
{
	if (!is_kept(sample, sighting->identity))
		return true;
	if (!shared_make_room(sample))
		return false;
	if (is_kept(sample, sighting->identity) && sample->count < sample->capacity)
		sample->sightings[sample->count++] = *sighting;
	return true;
}

static int by_pair(const void *a, const void *b)
{
	const struct pt_shared *x = a, *y = b;

	ORDER_BY(x->first, y->first);
	ORDER_BY(x->second, y->second);
	return ORDER(x->number[0], y->number[0]);
}

// Sightings of one packet, each by another point. Returns the number of pairs, which go to out.
static size_t shared_pairs_of(const struct pt_sighting *group, size_t count, struct pt_shared *out)
{
	size_t pairs = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++) {
			const int64_t apart_ns = group[j].time_ns - group[i].time_ns;

			if (apart_ns > APART_MAX_NS || apart_ns < -APART_MAX_NS)
				continue;
			out[pairs++] = (struct pt_shared){group[i].point,
							  group[j].point,
							  group[i].src,
							  group[i].dst,
							  group[i].wire_bytes,
							  group[i].time_ns,
							  apart_ns,
							  {group[i].number, group[j].number}};
		}
	return pairs;
}

// ---- the sightings of a packet, without sorting all: chains by the upper bits of the identity

#define AHEAD 16u // sightings for which what they need is fetched
#define NOBODY UINT32_MAX
#define FIRST_OF_GROUP (UINT32_C(1) << 31) // beside the next one of the group

struct shared_chains {
	struct pt_sample *sample;
	unsigned shift;
	uint32_t *first; // by the identity's upper bits; in a chain numbers rise
	uint32_t *next;	 // by sighting: of the chain; then of the group, by points
};

static uint32_t *shared_chain_of(const struct shared_chains *chains, uint64_t identity)
{
	return &chains->first[identity >> chains->shift];
}

static bool make_chains(struct shared_chains *chains)
{
	const struct pt_sample *sample = chains->sample;
	unsigned bits = 1;

	while ((size_t)1 << bits <= sample->count)
		bits++;
	chains->shift = 64 - bits;
	chains->first = malloc(sizeof(*chains->first) << bits);
	chains->next = malloc((sample->count + 1) * sizeof(*chains->next));
	if (!chains->first || !chains->next)
		return false;
	memset(chains->first, 0xff, sizeof(*chains->first) << bits);
	for (size_t i = sample->count; i-- > 0;) {
		uint32_t *first = shared_chain_of(chains, sample->sightings[i].identity);

		__builtin_prefetch(shared_chain_of(
			chains, sample->sightings[i < AHEAD ? 0 : i - AHEAD].identity));
		chains->next[i] = *first;
		*first = (uint32_t)i;
	}
	return true;
}

// Takes the sightings of the packet with which a chain begins out of it, and their numbers into
// group, by points. Returns how many; 0 if they say nothing.
static size_t take_group(const struct shared_chains *chains, uint32_t *link,
			 uint32_t group[SHARED_MAX])
{
	const struct pt_sighting *sightings = chains->sample->sightings;
	const uint64_t identity = sightings[*link].identity;
	size_t count = 0;
	bool says = true;

	while (*link != NOBODY) {
		const uint32_t at = *link;
		size_t place = count;

		if (sightings[at].identity != identity) {
			link = &chains->next[at];
			continue;
		}
		*link = chains->next[at];
		chains->next[at] = NOBODY;
		if (!(says = says && count < SHARED_MAX))
			continue;
		for (; place > 0 && sightings[group[place - 1]].point >= sightings[at].point;
		     place--) {
			says = says && sightings[group[place - 1]].point != sightings[at].point;
			group[place] = group[place - 1];
		}
		group[place] = at;
		count++;
	}
	return says ? count : 0;
}

// The sighting so many further on, or the last.
static uint32_t ahead_of(const struct shared_chains *chains, size_t i, size_t further)
{
	const size_t last = chains->sample->count - 1;

	return (uint32_t)(i + further < last ? i + further : last);
}

// What follows a sighting that is as many further on, or itself.
static uint32_t next_ahead(const struct shared_chains *chains, size_t i)
{
	const uint32_t at = ahead_of(chains, i, AHEAD), next = chains->next[at];

	return next == NOBODY ? at : next & ~FIRST_OF_GROUP;
}

// Chains the groups instead. Returns the number of pairs.
static size_t find_groups(const struct shared_chains *chains)
{
	const struct pt_sighting *sightings = chains->sample->sightings;
	size_t pairs = 0;

	for (uint32_t i = 0; i < chains->sample->count; i++) {
		const uint32_t next = next_ahead(chains, i);

		__builtin_prefetch(shared_chain_of(
			chains, sightings[ahead_of(chains, i, 2 * AHEAD)].identity));
		__builtin_prefetch(&sightings[next]);
		__builtin_prefetch(&chains->next[next]);
		uint32_t *first = shared_chain_of(chains, sightings[i].identity);
		uint32_t group[SHARED_MAX];
		size_t count;

		if (*first != i) // its group was taken with an earlier one
			continue;
		count = take_group(chains, first, group);
		for (size_t k = 0; k + 1 < count; k++)
			chains->next[group[k]] = group[k + 1] | (k ? 0 : FIRST_OF_GROUP);
		pairs += count * (count > 0 ? count - 1 : 0) / 2;
	}
	return pairs;
}

// Returns the number of pairs, which go to out.
static size_t each_group(const struct shared_chains *chains, struct pt_shared *out)
{
	size_t pairs = 0;

	for (uint32_t i = 0; i < chains->sample->count; i++) {
		struct pt_sighting group[SHARED_MAX];
		size_t count = 0;

		__builtin_prefetch(&chains->sample->sightings[next_ahead(chains, i)]);
		if (chains->next[i] == NOBODY || !(chains->next[i] & FIRST_OF_GROUP))
			continue;
		for (uint32_t at = i; at != NOBODY; count++) {
			group[count] = chains->sample->sightings[at];
			at = chains->next[at] == NOBODY ? NOBODY
							: chains->next[at] & ~FIRST_OF_GROUP;
		}
		pairs += shared_pairs_of(group, count, out + pairs);
	}
	return pairs;
}

static bool shared_in_order(const struct pt_shared *shared, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (by_pair(&shared[i - 1], &shared[i]) > 0)
			return false;
	return true;
}

bool pt_sample_share(struct pt_sample *sample, struct pt_shared **shared, size_t *count)
{
	struct shared_chains chains = {.sample = sample};
	bool made;

	shared_keep(sample);
	*shared = NULL;
	made = make_chains(&chains);
	if (made)
		*shared = calloc(find_groups(&chains) + 1, sizeof(**shared));
	if (*shared)
		*count = each_group(&chains, *shared);
	free(chains.first);
	free(chains.next);
	if (!*shared)
		return false;
	pt_sample_clear(sample);
	if (!shared_in_order(*shared, *count)) // points that are read in turn are
		qsort(*shared, *count, sizeof(**shared), by_pair);
	return true;
}

size_t pt_shared_end(const struct pt_shared *shared, size_t count, size_t first)
{
	size_t next = first;

	while (next < count && shared[next].first == shared[first].first &&
	       shared[next].second == shared[first].second)
		next++;
	return next;
}

void pt_sample_clear(struct pt_sample *sample)
{
	free(sample->sightings);
	*sample = (struct pt_sample){.max = sample->max};
}
