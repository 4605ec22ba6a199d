// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "points/steps.h"

#define TALKS 256u // conversations remembered at a time

bool pt_places_open(struct pt_places *places, uint32_t nodes, uint32_t points)
{
	places->nodes = nodes;
	places->points = points;
	places->votes = calloc((size_t)nodes * points + 1, sizeof(*places->votes));
	places->at = calloc((size_t)nodes + 1, sizeof(*places->at));
	if (!places->votes || !places->at)
		return false;
	memset(places->at, 0xff, ((size_t)nodes + 1) * sizeof(*places->at));
	return true;
}

static void places_vote(struct pt_places *places, uint32_t node, uint32_t here, uint32_t there)
{
	int32_t *votes = &places->votes[(size_t)node * places->points];

	if (votes[here] < INT32_MAX)
		votes[here]++;
	if (votes[there] > -INT32_MAX)
		votes[there]--;
}

void pt_places_vote(struct pt_places *places, const struct pt_shared *packet, bool ahead)
{
	const uint32_t from = ahead ? packet->first : packet->second,
		       to = ahead ? packet->second : packet->first;

	places_vote(places, packet->src, from, to);
	places_vote(places, packet->dst, to, from);
}

// A packet and one the other way: their times there and back add up to more than 0.
static void vote_two_way(struct pt_places *places, const struct pt_shared *there,
			 const struct pt_shared *back, const int64_t *unit_ns)
{
	const int64_t drifted_ns = (int64_t)(PT_DRIFT_MAX *
					     fabs((double)(back->at_ns - there->at_ns)));
	const int64_t allowed_ns = drifted_ns + unit_ns[there->first] + unit_ns[there->second];
	const int64_t sum_ns = there->apart_ns - back->apart_ns;

	if (sum_ns > allowed_ns || sum_ns < -allowed_ns)
		pt_places_vote(places, there, sum_ns > 0);
}

static void vote_pair(struct pt_places *places, const struct pt_shared *shared, size_t count,
		      const int64_t *unit_ns)
{
	const struct pt_shared *last[TALKS] = {NULL};

	for (size_t i = 0; i < count; i++) {
		const struct pt_shared *now = &shared[i];
		const struct pt_shared **before = &last[(now->src ^ now->dst) % TALKS];

		if (*before && (*before)->src == now->dst && (*before)->dst == now->src)
			vote_two_way(places, *before, now, unit_ns);
		*before = now;
	}
}

void pt_places_vote_two_way(struct pt_places *places, const struct pt_shared *shared, size_t count,
			    const int64_t *unit_ns)
{
	for (size_t first = 0, end; first < count; first = end) {
		end = pt_shared_end(shared, count, first);
		vote_pair(places, shared + first, end - first, unit_ns);
	}
}

void pt_places_settle(struct pt_places *places)
{
	for (uint32_t node = 0; node < places->nodes; node++) {
		const int32_t *votes = &places->votes[(size_t)node * places->points];
		int32_t most = 0;

		if (places->at[node] != PT_NOWHERE)
			continue;
		for (uint32_t point = 0; point < places->points; point++) {
			if (votes[point] <= most)
				continue;
			most = votes[point];
			places->at[node] = point;
		}
	}
}

void pt_places_clear(struct pt_places *places)
{
	free(places->votes);
	free(places->at);
	*places = (struct pt_places){.at = NULL};
}
