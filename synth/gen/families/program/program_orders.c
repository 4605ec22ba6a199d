// SPDX-License-Identifier: GPL-3.0-or-later
// In which order ranks send and receive: what tells a loop from the repetitions inside of it. The
// sizes of each pair's messages may all be one size, and periods of pairs as short as one message;
// the program repeats what its ranks do in order.
#include <math.h>
#include <stdlib.h>

#include "gen/families/program/program_parts.h"
#include "gen/families/program/program_phases.h"
#include "value/order.h"

#define IN_ORDER 0.9 // of all cases
#define FAR_LESS \
	0.25 // a period leaves so much of what is out of order from each iteration to the
	     // next

// A rank sends, or has received.
struct orders_event {
	uint32_t rank, src, dst;
	int64_t ticks;
};

static int orders_by_rank(const void *a, const void *b)
{
	const struct orders_event *x = a, *y = b;

	ORDER_BY(x->rank, y->rank);
	ORDER_BY(x->ticks, y->ticks);
	ORDER_BY(x->src, y->src);
	return ORDER(x->dst, y->dst);
}

// Which part of the events does not repeat after those of the rank in so many iterations.
static double orders_differ(const struct orders_event *events, size_t count, size_t iterations,
			    size_t period)
{
	size_t same = 0, compared = 0;

	for (size_t first = 0, end; first < count; first = end) {
		size_t far;

		for (end = first; end < count && events[end].rank == events[first].rank;)
			end++;
		far = (end - first) / iterations * period;
		for (size_t i = first; i + far < end; i++, compared++)
			same += events[i].src == events[i + far].src &&
				events[i].dst == events[i + far].dst;
	}
	return 1 - (double)same / (double)compared;
}

enum tr_status program_parts_join_orders(struct folding *folding, struct tr_error *err)
{
	const size_t iterations = folding->part_count, each = folding->parts[0].count;
	const size_t count = 2 * iterations * each;
	struct orders_event *events = calloc(count + 1, sizeof(*events));
	size_t period = 1;
	double most;

	if (!events)
		return tr_no_memory(err, "%zu messages", iterations * each);
	for (size_t i = 0; i < count; i++) {
		const struct program_found *found = folding->found[i / 2];
		const bool sends = i % 2 == 0;

		events[i] = (struct orders_event){sends ? found->src : found->dst, found->src,
						  found->dst,
						  sends ? found->begin_ticks : found->end_ticks};
	}
	qsort(events, count, sizeof(*events), orders_by_rank);
	most = orders_differ(events, count, iterations, 1);
	most = most > 1 - IN_ORDER ? fmin(1 - IN_ORDER, FAR_LESS * most) : 1;
	while (iterations / period >= PROGRAM_ITERATIONS_MIN &&
	       orders_differ(events, count, iterations, period) > most)
		period++;
	free(events);
	if (iterations / period < PROGRAM_ITERATIONS_MIN)
		period = 1;
	period <<= folding->doublings;
	if (period == 1 || iterations / period < PROGRAM_ITERATIONS_MIN)
		return TR_OK;
	folding->part_count = folding->usual_count = iterations / period;
	folding->count = folding->part_count * period * each;
	folding->out->iterations = (uint32_t)folding->part_count;
	for (size_t p = 0; p < folding->part_count; p++)
		folding->parts[p] = (struct part){
			.first = p * period * each, .count = period * each, .usual = true};
	return TR_OK;
}

bool program_slots_depend(const struct program_fold *fold, uint32_t before, uint32_t after)
{
	uint32_t cases = 0;

	for (uint32_t i = 0; i < fold->iterations; i++)
		cases += fold->at[(size_t)i * fold->slot_count + after]->begin_ticks >=
			 fold->at[(size_t)i * fold->slot_count + before]->end_ticks;
	return (double)cases >= IN_ORDER * fold->iterations;
}

bool program_slots_follow(const struct program_fold *fold, const struct program_list *list,
			  const uint32_t *slots)
{
	uint32_t follow = 0;

	for (uint32_t m = 0; m < list->count; m++)
		for (uint32_t n = 0; n < list->count; n++) {
			if (list->messages[n].dst != list->messages[m].src)
				continue;
			if (!program_slots_depend(fold, slots[n], slots[m]))
				return false;
			follow++;
		}
	return follow > 0;
}
