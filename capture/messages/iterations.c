// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/iterations.h"
#include "value/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS_MIN 5u
#define SPREAD_MIN 1.25 // between a silence that separates and the next one that does not
#define CANDIDATES_MAX 64u
#define MORE_ALIKE 0.02 // longer silences are preferred unless shorter ones are so much better
#define BLOCKS 20u

static uint64_t iterations_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

// The silence before each message; 0 before the first and where another one is under way.
static void find_silences(const struct iteration_message *messages, size_t count, int64_t *out)
{
	int64_t end_ticks = messages[0].end_ticks;

	out[0] = 0;
	for (size_t i = 1; i < count; i++) {
		out[i] = messages[i].begin_ticks > end_ticks ? messages[i].begin_ticks - end_ticks
							     : 0;
		end_ticks = messages[i].end_ticks > end_ticks ? messages[i].end_ticks : end_ticks;
	}
}

static int longer_first(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a < b) - (a > b);
}

// The sum of kinds of each part, cut at silences above least_ticks. Returns how many there are.
static size_t sum_parts(const struct iteration_message *messages, const int64_t *silences,
			size_t count, double least_ticks, uint64_t *sums)
{
	size_t parts = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || (double)silences[i] > least_ticks)
			sums[parts++] = 0;
		sums[parts - 1] += messages[i].kind ? iterations_mix(messages[i].kind) : 0;
	}
	return parts;
}

// Share of the parts that have the most frequent sum, which goes to *usual. Sorts the sums.
static double likeness(uint64_t *sums, size_t parts, uint64_t *usual)
{
	size_t most = 0, run = 0;

	qsort(sums, parts, sizeof(*sums), order_u64);
	for (size_t i = 0; i < parts; i++) {
		run = i > 0 && sums[i] == sums[i - 1] ? run + 1 : 1;
		if (sums[i] != 0 && run > most) {
			most = run;
			*usual = sums[i];
		}
	}
	return (double)most / (double)parts;
}

// The silence that separates iterations; 0 where none does.
static double iterations_choose(const struct iteration_message *messages, const int64_t *silences,
				size_t count, int64_t least_ticks, int64_t *sorted, uint64_t *sums)
{
	unsigned candidates = 0;
	double best = 0, alike = -1;

	memcpy(sorted, silences, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), longer_first);
	for (size_t i = ITERATIONS_MIN - 2;
	     i + 1 < count && sorted[i] > least_ticks && candidates < CANDIDATES_MAX; i++) {
		const double longer = (double)sorted[i];
		const double shorter = fmax(fmax((double)sorted[i + 1], (double)least_ticks), 1);
		uint64_t usual = 0;
		double share;

		if (longer < SPREAD_MIN * shorter)
			continue;
		candidates++;
		share = likeness(sums,
				 sum_parts(messages, silences, count, sqrt(longer * shorter), sums),
				 &usual);
		if (share > alike + MORE_ALIKE) {
			alike = share;
			best = sqrt(longer * shorter);
		}
	}
	return best;
}

static void cut_at_silences(const struct iteration_message *messages, const int64_t *silences,
			    size_t count, double least_ticks, uint64_t *sums,
			    struct iterations *out)
{
	const size_t parts = sum_parts(messages, silences, count, least_ticks, sums);
	uint64_t usual = 0;

	out->alike = likeness(sums, parts, &usual);
	(void)sum_parts(messages, silences, count, least_ticks, sums);
	out->within = parts > 1 && sums[0] + sums[parts - 1] == usual;
	for (size_t part = 0; part < parts; part++)
		out->usual[part] = out->alike >= ITERATIONS_ALIKE_MIN && sums[part] == usual;
	while (out->alike >= ITERATIONS_ALIKE_MIN && !out->usual[out->first_alike])
		out->first_alike++;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || (double)silences[i] > least_ticks)
			out->begins[out->count++] = i;
}

// Blocks of about equal time, without those that are empty: of each, the first message is the one
// after its longest silence.
static void cut_in_blocks(const struct iteration_message *messages, const int64_t *silences,
			  size_t count, struct iterations *out)
{
	const int64_t first_ticks = messages[0].begin_ticks;
	const int64_t block_ticks = (messages[count - 1].begin_ticks - first_ticks) / BLOCKS + 1;
	int64_t block = -1;

	for (size_t i = 0; i < count; i++) {
		if ((messages[i].begin_ticks - first_ticks) / block_ticks != block) {
			block = (messages[i].begin_ticks - first_ticks) / block_ticks;
			out->begins[out->count++] = i;
		} else if (block > 0 && silences[i] > silences[out->begins[out->count - 1]])
			out->begins[out->count - 1] = i;
	}
}

int64_t iterations_end(const struct iterations *iterations,
		       const struct iteration_message *messages, size_t iteration)
{
	int64_t end_ticks = INT64_MIN;

	for (size_t i = iterations->begins[iteration]; i < iterations->begins[iteration + 1]; i++)
		if (messages[i].end_ticks > end_ticks)
			end_ticks = messages[i].end_ticks;
	return end_ticks;
}

struct iteration_length {
	int64_t ticks;
	size_t iteration;
};

static int shorter_first(const void *left, const void *right)
{
	const struct iteration_length *a = left, *b = right;

	ORDER_BY(a->ticks, b->ticks);
	return ORDER(a->iteration, b->iteration);
}

// Where few are alike it is the one with the most messages, as one of median length may have a
// single one.
static enum tr_status choose_typical(struct iterations *iterations,
				     const struct iteration_message *messages, struct tr_error *err)
{
	struct iteration_length *lengths = calloc(iterations->count, sizeof(*lengths));
	size_t usual = 0, most = 0;

	if (!lengths)
		return tr_no_memory(err, "%zu iterations", iterations->count);
	for (size_t i = 0; i < iterations->count; i++) {
		const size_t begin = iterations->begins[i];
		size_t counting = 0;

		for (size_t k = begin; k < iterations->begins[i + 1]; k++)
			counting += messages[k].kind != 0;
		if (iterations->usual[i])
			lengths[usual++] = (struct iteration_length){
				iterations_end(iterations, messages, i) -
					messages[begin].begin_ticks,
				i};
		if (counting > most) {
			most = counting;
			iterations->typical = i;
		}
	}
	qsort(lengths, usual, sizeof(*lengths), shorter_first);
	if (usual > 0)
		iterations->typical = lengths[usual / 2].iteration;
	free(lengths);
	return TR_OK;
}

enum tr_status iterations_find(const struct iteration_message *messages, size_t count,
			       int64_t least_ticks, struct iterations *out, struct tr_error *err)
{
	int64_t *silences = calloc(2 * count + 1, sizeof(*silences));
	uint64_t *sums = calloc(count + 1, sizeof(*sums));
	double at;

	*out = (struct iterations){.begins = calloc(count + 1, sizeof(*out->begins)),
				   .usual = calloc(count + 1, sizeof(*out->usual))};
	if (!silences || !sums || !out->begins || !out->usual || count == 0) {
		free(silences);
		free(sums);
		return count == 0 ? tr_fail(err, "there is no message")
				  : tr_no_memory(err, "%zu messages", count);
	}
	find_silences(messages, count, silences);
	at = iterations_choose(messages, silences, count, least_ticks, silences + count, sums);
	out->silences = at > 0;
	if (out->silences)
		cut_at_silences(messages, silences, count, at, sums, out);
	else
		cut_in_blocks(messages, silences, count, out);
	out->begins[out->count] = count;
	free(silences);
	free(sums);
	return choose_typical(out, messages, err);
}

void iterations_clear(struct iterations *iterations)
{
	free(iterations->begins);
	free(iterations->usual);
	*iterations = (struct iterations){.begins = NULL};
}
