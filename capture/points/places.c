// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/number.h"

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

// The last packet of each conversation, as far as that is remembered.
struct talks {
	const struct pt_shared *last[TALKS];
};

// The packet before this one in its conversation if this one answers it, else NULL.
static const struct pt_shared *answered_by(struct talks *talks, const struct pt_shared *now)
{
	const struct pt_shared **last = &talks->last[(now->src ^ now->dst) % TALKS];
	const struct pt_shared *before = *last;

	*last = now;
	return before && before->src == now->dst && before->dst == now->src ? before : NULL;
}

// By how much the times of a packet there and one back, which add up to more than 0, may be wrong.
static int64_t drifted_ns(const struct pt_shared *there, const struct pt_shared *back)
{
	return (int64_t)(PT_DRIFT_MAX * fabs((double)(back->at_ns - there->at_ns)));
}

static int64_t units_ns(const struct pt_shared *packet, const int64_t *unit_ns)
{
	return unit_ns[packet->first] + unit_ns[packet->second];
}

static bool places_is_unsure(const struct pt_steps *steps, const struct pt_shared *packet)
{
	return steps && (pt_steps_passed(steps, packet->first, packet->number[0], NULL).unsure ||
			 pt_steps_passed(steps, packet->second, packet->number[1], NULL).unsure);
}

static void vote_pair(struct pt_places *places, const struct pt_shared *shared, size_t count,
		      const int64_t *unit_ns, const struct pt_steps *steps)
{
	struct talks talks = {{NULL}};

	for (size_t i = 0; i < count; i++) {
		if (places_is_unsure(steps, &shared[i]))
			continue;
		const struct pt_shared *there = answered_by(&talks, &shared[i]);
		const int64_t sum_ns = there ? there->apart_ns - shared[i].apart_ns : 0;

		if (there &&
		    llabs(sum_ns) > drifted_ns(there, &shared[i]) + units_ns(there, unit_ns))
			pt_places_vote(places, there, sum_ns > 0);
	}
}

// Packets that are answered, and those of them that vote for no point.
struct answered {
	uint64_t packets, coarse, late;
};

static struct answered count_answered(const struct pt_shared *pair, size_t count,
				      const int64_t *unit_ns, const struct pt_steps *steps)
{
	struct answered answered = {.packets = 0};
	struct talks talks = {{NULL}};

	for (size_t i = 0; i < count; i++) {
		const struct pt_shared *there = places_is_unsure(steps, &pair[i])
							? NULL
							: answered_by(&talks, &pair[i]);
		const int64_t beyond_ns = there ? llabs(there->apart_ns - pair[i].apart_ns) -
							  units_ns(there, unit_ns)
						: 0;

		answered.packets += there != NULL;
		answered.coarse += there && beyond_ns <= 0;
		answered.late += there && beyond_ns > 0 && beyond_ns <= drifted_ns(there, &pair[i]);
	}
	return answered;
}

bool pt_places_explain(const struct pt_shared *pair, size_t count, const int64_t *unit_ns,
		       const struct pt_steps *steps, struct tr_error *why)
{
	const struct answered answered = count_answered(pair, count, unit_ns, steps);

	if (!answered.packets || answered.coarse + answered.late < answered.packets)
		return false;
	if (answered.coarse >= answered.late)
		(void)tr_fail(why,
			      "their stamps are whole multiples of %s and %s, and packets with "
			      "their answers take less than both together, so nothing says at "
			      "which of the two a node is: finer stamps are needed",
			      number_time((double)unit_ns[pair->first] * 1e-9, 1).text,
			      number_time((double)unit_ns[pair->second] * 1e-9, 1).text);
	else
		(void)tr_fail(why,
			      "packets with their answers take less than the clocks may drift "
			      "until the answer (%g ppm), so nothing says at which of the two a "
			      "node is: packets that are answered sooner are needed",
			      PT_DRIFT_MAX * 1e6);
	return true;
}

void pt_places_vote_two_way(struct pt_places *places, const struct pt_shared *shared, size_t count,
			    const int64_t *unit_ns, const struct pt_steps *steps)
{
	for (size_t first = 0, end; first < count; first = end) {
		end = pt_shared_end(shared, count, first);
		vote_pair(places, shared + first, end - first, unit_ns, steps);
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

void pt_places_forget_unsaid(struct pt_places *places, const struct pt_places *said)
{
	for (uint32_t node = 0; node < places->nodes; node++)
		if (said->at[node] == PT_NOWHERE)
			places->at[node] = PT_NOWHERE;
}

void pt_places_clear(struct pt_places *places)
{
	free(places->votes);
	free(places->at);
	*places = (struct pt_places){.at = NULL};
}
