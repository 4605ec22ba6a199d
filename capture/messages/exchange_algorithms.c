// SPDX-License-Identifier: GPL-3.0-or-later
// The algorithms. A new one is a row of the table: the program that writes it (collectives/), how
// places are found, and what its sizes say.
#include "messages/exchanges.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/order.h"

enum exchange_sizes {
	SIZES_ANY,
	SIZES_EQUAL,
	SIZES_BLOCKS, // each block has a size, wherever it goes
};

struct exchange_algorithm {
	const char *name;
	// Of fewer the messages are also those of other algorithms; of more likewise.
	uint32_t places_min, places_max;
	const char *program; // where it ends with "=", each divisor of the places is tried
	exchange_finder find;
	enum exchange_sizes sizes;
	const char *operation, *equal; // the latter, if not NULL, where all sizes are equal
};

#define SENDS exchange_find_by_sends
#define DOWN exchange_find_down
#define UP exchange_find_up
#define ANY UINT32_MAX // places
#define ALL "all-to-all, all-gather or reduce-scatter"

static const struct exchange_algorithm algorithms[] = {
	{"ring", 3, ANY, "allreduce:by=ring", SENDS, SIZES_BLOCKS, "all-reduce",
	 "all-reduce, or two of all-gather, reduce-scatter or shifts"},
	{"ring", 3, ANY, "allgather:by=ring", SENDS, SIZES_BLOCKS,
	 "all-gather, reduce-scatter or shifts", NULL},
	{"pairwise or dissemination", 3, 3, "reduce-scatter:by=pairwise", SENDS, SIZES_ANY, ALL,
	 "all-to-all, all-gather, reduce-scatter or barrier"},
	{"pairwise", 4, ANY, "reduce-scatter:by=pairwise", SENDS, SIZES_ANY, ALL, NULL},
	{"pairwise", 4, ANY, "alltoall:by=pairwise", SENDS, SIZES_ANY, ALL, NULL},
	{"halving-doubling", 3, ANY, "allreduce:by=rabenseifner", SENDS, SIZES_BLOCKS, "all-reduce",
	 NULL},
	{"halving-doubling", 5, ANY, "allreduce:by=rabenseifner-near", SENDS, SIZES_BLOCKS,
	 "all-reduce", NULL},
	{"hierarchical", 6, ANY, "allreduce:by=hierarchical,node=", SENDS, SIZES_BLOCKS,
	 "all-reduce", NULL},
	{"halving-doubling", 4, ANY, "reduce:by=rabenseifner", SENDS, SIZES_BLOCKS, "reduce", NULL},
	{"recursive", 4, ANY, "allreduce:by=recursive-doubling", SENDS, SIZES_EQUAL,
	 "all-reduce, barrier or butterfly", NULL},
	{"recursive", 4, ANY, "allgather:by=recursive-doubling", SENDS, SIZES_BLOCKS, "all-gather",
	 NULL},
	{"recursive", 4, ANY, "reduce-scatter:by=recursive-halving", SENDS, SIZES_BLOCKS,
	 "reduce-scatter", NULL},
	{"dissemination", 4, ANY, "alltoall:by=bruck", SENDS, SIZES_BLOCKS, "all-to-all",
	 "barrier or all-to-all"},
	{"dissemination", 4, ANY, "barrier:by=dissemination", SENDS, SIZES_EQUAL, "barrier", NULL},
	{"dissemination", 4, ANY, "allgather:by=bruck", SENDS, SIZES_BLOCKS, "all-gather", NULL},
	{"linear", 4, ANY, "alltoall:by=linear", exchange_find_all, SIZES_ANY, ALL, NULL},
	{"binomial", 4, ANY, "scatter:by=binomial", DOWN, SIZES_EQUAL, "broadcast", NULL},
	{"binomial", 4, ANY, "scatter:by=binomial", DOWN, SIZES_BLOCKS, "scatter", NULL},
	{"binomial", 4, ANY, "gather:by=binomial", UP, SIZES_EQUAL, "reduce", NULL},
	{"binomial", 4, ANY, "gather:by=binomial", UP, SIZES_BLOCKS, "gather", NULL},
	{"binomial", 6, ANY, "broadcast:by=binomial", DOWN, SIZES_EQUAL, "broadcast", NULL},
	{"binomial", 6, ANY, "reduce:by=binomial", UP, SIZES_EQUAL, "reduce", NULL},
	{"linear", 4, ANY, "scatter:by=linear", DOWN, SIZES_BLOCKS, "scatter",
	 "broadcast or scatter"},
	{"linear", 4, ANY, "gather:by=linear", UP, SIZES_BLOCKS, "gather", "reduce or gather"},
	{"chain", 4, ANY, "broadcast:by=ring", DOWN, SIZES_EQUAL, "broadcast or pipeline", NULL},
};

const size_t exchange_algorithm_count = sizeof(algorithms) / sizeof(*algorithms);

// ---- schedules

void exchange_schedules_clear(struct exchange_schedules *schedules)
{
	for (size_t i = 0; i < schedules->count; i++) {
		schedule_clear(&schedules->list[i].of);
		free(schedules->list[i].by_src);
		free(schedules->list[i].firsts);
		free(schedules->list[i].points);
	}
	free(schedules->list);
	*schedules = (struct exchange_schedules){.list = NULL};
}

// By sender, in the order of its messages.
static bool schedule_index(struct exchange_schedule *schedule, uint32_t places)
{
	const struct schedule *of = &schedule->of;
	size_t *firsts = calloc((size_t)places + 2, sizeof(*firsts));

	free(schedule->firsts);
	free(schedule->by_src);
	free(schedule->points);
	schedule->firsts = firsts;
	schedule->by_src = calloc(of->count + 1, sizeof(*schedule->by_src));
	schedule->points = calloc((size_t)of->parts + 1, sizeof(*schedule->points));
	if (!firsts || !schedule->by_src || !schedule->points)
		return false;
	for (size_t i = 0; i < of->count; i++)
		firsts[of->list[i].src + 2]++;
	schedule->alike = true;
	for (uint32_t p = 0; p < places; p++) {
		schedule->alike = schedule->alike && firsts[p + 2] == firsts[2];
		firsts[p + 2] += firsts[p + 1];
	}
	for (size_t i = 0; i < of->count; i++)
		schedule->by_src[firsts[of->list[i].src + 1]++] = i;
	return true;
}

static enum tr_status schedule_open(struct exchange_schedule *schedule, uint32_t places,
				    size_t most)
{
	char text[64];
	struct tr_error err;
	struct schedule *of = &schedule->of;
	enum tr_status status;

	(void)snprintf(text, sizeof(text), "%s%.0u", algorithms[schedule->algorithm].program,
		       schedule->number);
	status = schedule_make(of, text, places, 1, most, &err); // a byte a block
	if (status == TR_OK && of->count == places - 1 && of->list[places - 2].src == 0) {
		for (size_t i = 0; i < of->count; i++) // a star, which sends at once
			of->list[i].turn = 0;
		of->turns = 1;
	}
	return status == TR_OK && !schedule_index(schedule, places) ? TR_ERROR : status;
}

// The messages of the algorithm with this number; NULL: more than are left, or group->failed. They
// are kept until another number of places comes.
static struct exchange_schedule *schedule_of(struct exchange_group *group, size_t algorithm,
					     uint32_t number)
{
	struct exchange_schedules *schedules = group->schedules;
	struct exchange_schedule *schedule;
	enum tr_status status;
	size_t at = 0;

	if (schedules->places != group->count)
		exchange_schedules_clear(schedules);
	schedules->places = group->count;
	while (at < schedules->count &&
	       (schedules->list[at].algorithm != algorithm || schedules->list[at].number != number))
		at++;
	if (at == schedules->count) {
		group->failed |= !GROW_ZEROED(schedules->list, schedules->capacity, at);
		if (group->failed)
			return NULL;
		schedules->list[schedules->count++] = (struct exchange_schedule){
			.algorithm = algorithm, .number = number};
	}
	schedule = &schedules->list[at];
	if (!schedule->of.list && schedule->too_many < group->left) {
		status = schedule_open(schedule, group->count, group->left);
		group->failed |= status == TR_ERROR;
		schedule->too_many = status == TR_END ? group->left : 0;
	}
	return !group->failed && schedule->of.list && schedule->of.count <= group->left ? schedule
											: NULL;
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

static enum exchange_doubt exchange_identify_as(struct exchange_group *group, size_t index,
						uint32_t number, struct exchange *out)
{
	const struct exchange_algorithm *algorithm = &algorithms[index];
	struct exchange_schedule *schedule = schedule_of(group, index, number);
	bool equal;

	if (!schedule || !GROW_TO(group->parts, group->part_capacity, schedule->of.count)) {
		group->failed |= schedule != NULL;
		return EXCHANGE_PEERS;
	}
	if (!algorithm->find(group, schedule)) {
		if (2 * schedule->of.count > group->left) // it does not come twice
			schedule_clear(&schedule->of);
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

enum exchange_doubt exchange_identify(struct exchange_group *group, size_t index,
				      struct exchange *out, bool *tree)
{
	const struct exchange_algorithm *algorithm = &algorithms[index];
	const bool numbered = algorithm->program[strlen(algorithm->program) - 1] == '=';
	enum exchange_doubt doubt = EXCHANGE_PEERS;

	*tree = algorithm->find == DOWN || algorithm->find == UP;
	if (group->count < algorithm->places_min || group->count > algorithm->places_max ||
	    (*tree && !group->trees))
		return EXCHANGE_PEERS;
	if (!numbered)
		return exchange_identify_as(group, index, 0, out);
	for (uint32_t number = 2; number <= group->count / 2 && doubt != EXCHANGE_FOUND; number++)
		if (group->count % number == 0) {
			const enum exchange_doubt of_this = exchange_identify_as(group, index,
										 number, out);

			doubt = of_this == EXCHANGE_FOUND || of_this > doubt ? of_this : doubt;
		}
	return doubt;
}
