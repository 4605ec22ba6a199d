// SPDX-License-Identifier: GPL-3.0-or-later
// The algorithms. A new one is a row of the table: the program that writes it (collectives/), how
// places are found, and what its sizes say.
#include "messages/exchanges.h"

#include <stdlib.h>

#include "value/grow.h"
#include "value/order.h"

enum exchange_sizes {
	SIZES_ANY,
	SIZES_EQUAL,
	SIZES_BLOCKS, // each block has a size, wherever it goes
};

struct exchange_algorithm {
	const char *name;
	uint32_t places_min; // of fewer the messages are also those of other algorithms
	const char *program;
	exchange_finder find;
	enum exchange_sizes sizes;
	const char *operation, *equal; // the latter, if not NULL, where all sizes are equal
};

#define ALL "all-to-all, all-gather or reduce-scatter"

static const struct exchange_algorithm algorithms[] = {
	{"ring", 3, "allreduce:by=ring", exchange_find_by_sends, SIZES_BLOCKS, "all-reduce",
	 "all-reduce, or two of all-gather, reduce-scatter or shifts"},
	{"ring", 3, "allgather:by=ring", exchange_find_by_sends, SIZES_BLOCKS,
	 "all-gather, reduce-scatter or shifts", NULL},
	{"pairwise", 4, "reduce-scatter:by=pairwise", exchange_find_by_sends, SIZES_ANY, ALL, NULL},
	{"pairwise", 4, "alltoall:by=pairwise", exchange_find_by_sends, SIZES_ANY, ALL, NULL},
	{"halving-doubling", 4, "allreduce:by=rabenseifner", exchange_find_by_sends, SIZES_BLOCKS,
	 "all-reduce", NULL},
	{"halving-doubling", 5, "allreduce:by=rabenseifner-near", exchange_find_by_sends,
	 SIZES_BLOCKS, "all-reduce", NULL},
	{"recursive", 4, "allreduce:by=recursive-doubling", exchange_find_by_sends, SIZES_EQUAL,
	 "all-reduce, barrier or butterfly", NULL},
	{"recursive", 4, "allgather:by=recursive-doubling", exchange_find_by_sends, SIZES_BLOCKS,
	 "all-gather", NULL},
	{"recursive", 4, "reduce-scatter:by=recursive-halving", exchange_find_by_sends,
	 SIZES_BLOCKS, "reduce-scatter", NULL},
	{"dissemination", 4, "alltoall:by=bruck", exchange_find_by_sends, SIZES_BLOCKS,
	 "all-to-all", "barrier or all-to-all"},
	{"dissemination", 4, "barrier:by=dissemination", exchange_find_by_sends, SIZES_EQUAL,
	 "barrier", NULL},
	{"dissemination", 4, "allgather:by=bruck", exchange_find_by_sends, SIZES_BLOCKS,
	 "all-gather", NULL},
	{"linear", 4, "alltoall:by=linear", exchange_find_all, SIZES_ANY, ALL, NULL},
	{"binomial", 4, "scatter:by=binomial", exchange_find_down, SIZES_EQUAL, "broadcast", NULL},
	{"binomial", 4, "scatter:by=binomial", exchange_find_down, SIZES_BLOCKS, "scatter", NULL},
	{"binomial", 4, "gather:by=binomial", exchange_find_up, SIZES_EQUAL, "reduce", NULL},
	{"binomial", 4, "gather:by=binomial", exchange_find_up, SIZES_BLOCKS, "gather", NULL},
	{"binomial", 6, "broadcast:by=binomial", exchange_find_down, SIZES_EQUAL, "broadcast",
	 NULL},
	{"binomial", 6, "reduce:by=binomial", exchange_find_up, SIZES_EQUAL, "reduce", NULL},
	{"linear", 4, "scatter:by=linear", exchange_find_down, SIZES_BLOCKS, "scatter",
	 "broadcast or scatter"},
	{"linear", 4, "gather:by=linear", exchange_find_up, SIZES_BLOCKS, "gather",
	 "reduce or gather"},
};

const size_t exchange_algorithm_count = sizeof(algorithms) / sizeof(*algorithms);

// ---- schedules

void exchange_schedules_clear(struct exchange_schedule *schedules)
{
	for (size_t i = 0; i < exchange_algorithm_count && schedules; i++) {
		schedule_clear(&schedules[i].of);
		free(schedules[i].by_src);
		free(schedules[i].firsts);
		free(schedules[i].points);
	}
	free(schedules);
}

// By sender, in the order of its messages.
static bool schedule_index(struct exchange_schedule *schedule)
{
	const struct schedule *of = &schedule->of;
	size_t *firsts = calloc((size_t)schedule->places + 2, sizeof(*firsts));

	schedule->firsts = firsts;
	schedule->by_src = calloc(of->count + 1, sizeof(*schedule->by_src));
	schedule->points = calloc((size_t)of->parts + 1, sizeof(*schedule->points));
	if (!firsts || !schedule->by_src || !schedule->points)
		return false;
	for (size_t i = 0; i < of->count; i++)
		firsts[of->list[i].src + 2]++;
	schedule->alike = true;
	for (uint32_t p = 0; p < schedule->places; p++) {
		schedule->alike = schedule->alike && firsts[p + 2] == firsts[2];
		firsts[p + 2] += firsts[p + 1];
	}
	for (size_t i = 0; i < of->count; i++)
		schedule->by_src[firsts[of->list[i].src + 1]++] = i;
	return true;
}

// The messages of the algorithm among so many places; NULL: more than most, or out of memory, which
// *failed tells. They are kept until it is asked for another number of places.
static struct exchange_schedule *schedule_of(struct exchange_schedule *schedules, size_t index,
					     uint32_t places, size_t most, bool *failed)
{
	struct exchange_schedule *schedule = &schedules[index];
	struct tr_error err;
	enum tr_status status;

	if (schedule->places == places && (schedule->of.list || schedule->too_many >= most))
		return schedule->of.count <= most && schedule->of.list ? schedule : NULL;
	schedule_clear(&schedule->of);
	free(schedule->by_src);
	free(schedule->firsts);
	free(schedule->points);
	*schedule = (struct exchange_schedule){.places = places, .too_many = most};
	// A byte a block.
	status = schedule_make(&schedule->of, algorithms[index].program, places, 1, most, &err);
	if (status == TR_OK && schedule->of.turns > 1 && schedule->of.count == places - 1 &&
	    schedule->of.list[places - 2].src == 0) { // a star, which sends at once
		for (size_t i = 0; i < schedule->of.count; i++)
			schedule->of.list[i].turn = 0;
		schedule->of.turns = 1;
	}
	if (status == TR_ERROR || (status == TR_OK && !schedule_index(schedule)))
		*failed = true;
	return status == TR_OK && !*failed ? schedule : NULL;
}

// ---- sizes

static bool sizes_are_equal(const struct exchange *exchange)
{
	for (size_t i = 1; i < exchange->count; i++)
		if (exchange->parts[i].of->size_bytes != exchange->parts[0].of->size_bytes)
			return false;
	return true;
}

// Blocks of the message; whether they are not in a row.
static uint64_t exchange_blocks_of(const struct schedule *schedule, size_t at, bool *apart)
{
	const struct blocks *blocks = &schedule->list[at].blocks;

	*apart = blocks->bit || blocks->first + (uint64_t)blocks->count > schedule->parts;
	return blocks->bit ? schedule->list[at].bytes : blocks->count;
}

// The bytes before a point, from those before the one that is returned.
static uint32_t exchange_bytes_before(struct exchange_point *points, uint32_t at, int64_t *bytes)
{
	for (*bytes = 0; points[at].from != at; at = points[at].from) {
		const struct exchange_point *from = &points[points[at].from];

		points[at].bytes += from->bytes;
		points[at].from = from->from;
		*bytes += points[at].bytes;
	}
	return at;
}

// Whether there are sizes of the blocks from which those of all messages follow. Where some have
// blocks that are not in a row, all must be of one size.
static bool sizes_are_of_blocks(struct exchange_schedule *schedule, const struct exchange *exchange)
{
	struct exchange_point *points = schedule->points;
	const uint32_t parts = schedule->of.parts;
	bool even = false, apart;
	int64_t begin, end;

	for (size_t i = 0; i < exchange->count && !even; i++)
		(void)exchange_blocks_of(&schedule->of, i, &even);
	for (size_t i = 0; i < exchange->count && even; i++)
		if (exchange->parts[i].of->size_bytes *
			    exchange_blocks_of(&schedule->of, 0, &apart) !=
		    exchange->parts[0].of->size_bytes *
			    exchange_blocks_of(&schedule->of, i, &apart))
			return false;
	for (uint32_t at = 0; at <= parts; at++)
		points[at] = (struct exchange_point){.from = at};
	for (size_t i = 0; i < exchange->count && !even; i++) {
		const struct blocks *blocks = &schedule->of.list[i].blocks;
		const int64_t size = (int64_t)exchange->parts[i].of->size_bytes;
		const uint32_t a = exchange_bytes_before(points, blocks->first, &begin),
			       b = exchange_bytes_before(points, blocks->first + blocks->count,
							 &end);

		if (a == b && end - begin != size)
			return false;
		if (a != b)
			points[b] = (struct exchange_point){a, begin + size - end, 0};
	}
	for (uint32_t at = 0; at <= parts; at++) { // no size is below zero
		struct exchange_point *from = &points[exchange_bytes_before(points, at, &end)];

		if (from->seen && end < from->last)
			return false;
		from->seen = true;
		from->last = end;
	}
	return true;
}

enum exchange_doubt exchange_identify(struct exchange_group *group, size_t index,
				      struct exchange *out, bool *tree)
{
	const struct exchange_algorithm *algorithm = &algorithms[index];
	struct exchange_schedule *schedule;
	bool equal;

	*tree = algorithm->find == exchange_find_down || algorithm->find == exchange_find_up;
	if (group->count < algorithm->places_min || (*tree && !group->trees))
		return EXCHANGE_PEERS;
	schedule = schedule_of(group->schedules, index, group->count, group->left, &group->failed);
	if (!schedule || !GROW_TO(group->parts, group->part_capacity, schedule->of.count)) {
		group->failed |= schedule != NULL;
		return EXCHANGE_PEERS;
	}
	if (!algorithm->find(group, schedule)) {
		if (2 * schedule->of.count > group->left) { // it does not come twice
			schedule_clear(&schedule->of);
			schedule->places = 0;
		}
		return EXCHANGE_PEERS;
	}
	*out = (struct exchange){.algorithm = algorithm->name,
				 .places = group->count,
				 .steps = schedule->of.turns,
				 .parts = group->parts,
				 .count = schedule->of.count};
	equal = sizes_are_equal(out);
	out->operation = equal && algorithm->equal ? algorithm->equal : algorithm->operation;
	return algorithm->sizes == SIZES_ANY || (algorithm->sizes == SIZES_EQUAL
							 ? equal
							 : sizes_are_of_blocks(schedule, out))
		       ? EXCHANGE_FOUND
		       : EXCHANGE_SIZES;
}
