// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/shared.h"

#include <stdlib.h>

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

static int by_identity(const void *a, const void *b)
{
	const struct pt_sighting *x = a, *y = b;

	if (x->identity != y->identity)
		return x->identity < y->identity ? -1 : 1;
	if (x->point != y->point)
		return x->point < y->point ? -1 : 1;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static int by_pair(const void *a, const void *b)
{
	const struct pt_shared *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	return (x->number[0] > y->number[0]) - (x->number[0] < y->number[0]);
}

// Sightings of one packet, each by another point. Returns the number of pairs, which go to out
// unless it is NULL.
static size_t shared_pairs_of(const struct pt_sighting *group, size_t count, struct pt_shared *out)
{
	size_t pairs = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++) {
			const int64_t apart_ns = group[j].time_ns - group[i].time_ns;

			if (apart_ns > APART_MAX_NS || apart_ns < -APART_MAX_NS)
				continue;
			if (out)
				out[pairs] = (struct pt_shared){group[i].point,
								group[j].point,
								group[i].src,
								group[i].dst,
								group[i].wire_bytes,
								group[i].time_ns,
								apart_ns,
								{group[i].number, group[j].number}};
			pairs++;
		}
	return pairs;
}

// Goes through the sorted sightings. Returns the number of pairs.
static size_t each_packet(const struct pt_sample *sample, struct pt_shared *out)
{
	const struct pt_sighting *sightings = sample->sightings;
	size_t pairs = 0;

	for (size_t first = 0, next; first < sample->count; first = next) {
		bool once = true;

		for (next = first + 1;
		     next < sample->count && sightings[next].identity == sightings[first].identity;
		     next++)
			once &= sightings[next].point != sightings[next - 1].point;
		if (once && next - first > 1 && next - first <= SHARED_MAX)
			pairs += shared_pairs_of(&sightings[first], next - first,
						 out ? out + pairs : NULL);
	}
	return pairs;
}

bool pt_sample_share(struct pt_sample *sample, struct pt_shared **shared, size_t *count)
{
	shared_keep(sample);
	if (sample->count)
		qsort(sample->sightings, sample->count, sizeof(*sample->sightings), by_identity);
	*count = each_packet(sample, NULL);
	*shared = calloc(*count + 1, sizeof(**shared));
	if (!*shared)
		return false;
	(void)each_packet(sample, *shared);
	pt_sample_clear(sample);
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
