// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program_fold.h"

#include <stdlib.h>
#include <string.h>

#include "gen/families/program_parts.h"

// ---- Without silences: each pair's messages repeat.

// The longest run of a pair's messages, first .. end - 1, that repeats with this period.
static void longest_run(const struct folding *folding, size_t first, size_t end, size_t period, size_t *from, size_t *count)
{
	size_t begin = first;

	*count = 0;
	for (size_t i = first + period; i <= end; i++) {
		if (i < end && program_found_alike(folding->found[i], folding->found[i - period]))
			continue;
		if (i - begin >= 2 * period && i - begin > *count) {
			*count = (i - begin) / period * period;
			*from = begin;
		}
		begin = i - period + 1;
	}
}

// The least period of a pair's messages, with the run that has it; 0 if there is none. What starts and ends a program may be
// outside of the run.
static size_t period_of(const struct folding *folding, size_t first, size_t end, size_t *from, size_t *count)
{
	for (size_t period = 1; 2 * period <= end - first; period++) {
		longest_run(folding, first, end, period, from, count);
		if ((double)*count >= PROGRAM_CONSISTENT * (double)(end - first))
			return period;
	}
	return 0;
}

static size_t common(size_t a, size_t b)
{
	while (b > 0) {
		const size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static size_t pair_end(const struct folding *folding, size_t first)
{
	size_t end = first + 1;

	while (end < folding->count && folding->found[end]->src == folding->found[first]->src &&
	       folding->found[end]->dst == folding->found[first]->dst)
		end++;
	return end;
}

static double bytes_of(const struct folding *folding, size_t first, size_t end)
{
	double bytes = 0;

	for (size_t i = first; i < end; i++)
		bytes += (double)folding->found[i]->bytes;
	return bytes;
}

// The number of iterations that all pairs agree on; keeps the messages of their periods, by pair. Pairs of no account are left
// out.
static enum tr_status cut_at_periods(struct folding *folding, struct tr_error *err)
{
	const double least_B = PROGRAM_SMALL_PART * bytes_of(folding, 0, folding->count);
	size_t iterations = 0, kept = 0, end, from = 0, count = 0;

	qsort(folding->found, folding->count, sizeof(*folding->found), program_found_by_pair);
	for (size_t first = 0; first < folding->count; first = end) {
		const struct program_found *found = folding->found[first];
		size_t period, all;

		end = pair_end(folding, first);
		period = period_of(folding, first, end, &from, &count);
		if (!period && bytes_of(folding, first, end) < least_B)
			continue;
		if (!period) {
			(void)tr_fail(
				err,
				"no silences separate iterations of the same messages, and the sizes of the %zu messages from rank %u to rank %u have no period",
				end - first, found->src, found->dst);
			return TR_END;
		}
		all = common(iterations, count / period);
		if (all < PROGRAM_ITERATIONS_MIN) {
			(void)tr_fail(
				err,
				"from rank %u to rank %u a period of %zu messages comes %zu times, which does not fit the %zu iterations of the pairs before",
				found->src, found->dst, period, count / period, iterations ? iterations : count / period);
			return TR_END;
		}
		iterations = all;
		memmove(folding->found + kept, folding->found + from, count * sizeof(*folding->found));
		kept += count;
	}
	if (kept == 0) {
		(void)tr_fail(err, "no rank sends another one messages that repeat");
		return TR_END;
	}
	folding->count = kept;
	folding->out->iterations = (uint32_t)iterations;
	return TR_OK;
}

// Deals the messages of each pair to the iterations.
static enum tr_status deal(struct folding *folding, struct tr_error *err)
{
	const size_t iterations = folding->out->iterations, each = folding->count / iterations;
	const struct program_found **dealt = calloc(folding->count + 1, sizeof(*dealt));
	size_t column = 0;

	if (!dealt)
		return tr_no_memory(err, "%zu messages", folding->count);
	for (size_t first = 0, end; first < folding->count; first = end) {
		end = pair_end(folding, first);
		const size_t own = (end - first) / iterations;

		for (size_t i = first; i < end; i++)
			dealt[(i - first) / own * each + column + (i - first) % own] = folding->found[i];
		column += own;
	}
	free(folding->found);
	folding->dealt = true;
	folding->found = dealt;
	folding->part_count = iterations;
	folding->usual_count = iterations;
	for (size_t p = 0; p < iterations; p++)
		folding->parts[p] = (struct part){.first = p * each, .count = each, .usual = true};
	return TR_OK;
}

// ---- The result

static int by_offset(const void *a, const void *b)
{
	const struct program_slot *x = a, *y = b;

	if (x->offset_ticks != y->offset_ticks)
		return x->offset_ticks < y->offset_ticks ? -1 : 1;
	return x->src != y->src ? (x->src < y->src ? -1 : 1) : (x->dst > y->dst) - (x->dst < y->dst);
}

// The slot that the messages at this place of all usual parts are.
static void describe(const struct folding *folding, size_t place, double *values, struct program_slot *slot)
{
	size_t n = 0, granted = 0;

	*slot = (struct program_slot){.phase = UINT32_MAX, .turn = (uint32_t)place};
	for (size_t p = 0; p < folding->part_count; p++) {
		const struct part *part = &folding->parts[p];
		const struct program_found *found = folding->found[part->first + place];

		if (!part->usual)
			continue;
		slot->src = found->src;
		slot->dst = found->dst;
		slot->operation = found->operation;
		slot->root = found->root;
		granted += found->granted;
		values[n++] = (double)(found->begin_ticks - program_part_begin(folding, part));
	}
	qsort(values, n, sizeof(*values), program_longer_first);
	slot->granted = 2 * granted > n;
	slot->offset_ticks = (int64_t)values[n / 2];
	n = 0;
	for (size_t p = 0; p < folding->part_count; p++)
		if (folding->parts[p].usual)
			values[n++] = (double)folding->found[folding->parts[p].first + place]->bytes;
	qsort(values, n, sizeof(*values), program_longer_first);
	slot->bytes = values[n / 2];
}

static enum tr_status collect(struct folding *folding, double *scratch, struct tr_error *err)
{
	struct program_fold *out = folding->out;
	const size_t each = folding->parts[folding->usual].count;
	uint32_t iteration = 0;

	out->slots = calloc(each, sizeof(*out->slots));
	out->at = calloc(each * folding->usual_count, sizeof(*out->at));
	out->silence_ticks = calloc(folding->part_count, sizeof(*out->silence_ticks));
	if (!out->slots || !out->at || !out->silence_ticks)
		return tr_no_memory(err, "%zu messages", folding->count);
	out->slot_count = (uint32_t)each;
	out->iterations = (uint32_t)folding->usual_count;
	out->left_out += (uint32_t)(folding->part_count - folding->usual_count);
	for (size_t i = 0; i < each; i++)
		describe(folding, i, scratch, &out->slots[i]);
	qsort(out->slots, each, sizeof(*out->slots), by_offset);
	for (size_t p = 0; p < folding->part_count; p++) {
		const struct part *part = &folding->parts[p];

		if (!part->usual)
			continue;
		for (size_t i = 0; i < each; i++)
			out->at[iteration * each + i] = folding->found[part->first + out->slots[i].turn];
		iteration++;
		if (out->silent && p + 1 < folding->part_count)
			out->silence_ticks[out->silence_count++] = (double)(program_part_begin(folding, part + 1) -
									    program_part_end(folding, part));
	}
	return TR_OK;
}

// A trace with collective operations has all calls: its iterations are to hold them all.
static bool has_operations(const struct folding *folding)
{
	for (size_t i = 0; i < folding->count; i++)
		if (folding->found[i]->operation)
			return true;
	return false;
}

static bool leaves_out(const struct folding *folding)
{
	return folding->usual_count * folding->parts[folding->usual].count < folding->count;
}

// Cuts at periods if nothing is outside of them, else again at silences.
static enum tr_status prefer_periods(struct folding *folding, double *scratch, struct tr_error *err)
{
	const size_t count = folding->count;
	const struct program_found **kept = calloc(count + 1, sizeof(*kept));
	struct tr_error why;
	enum tr_status status;

	if (!kept)
		return tr_no_memory(err, "%zu messages", count);
	memcpy(kept, folding->found, count * sizeof(*kept));
	status = cut_at_periods(folding, &why);
	if (status == TR_OK && folding->count == count) {
		free(kept);
		folding->out->left_out = 0;
		folding->out->silent = false;
		return deal(folding, err);
	}
	free(folding->found);
	folding->found = kept;
	folding->count = count;
	folding->out->silent = program_parts_at_silences(folding, scratch) || program_parts_at_kinds(folding);
	return TR_OK;
}

static enum tr_status fold(struct folding *folding, struct tr_error *err)
{
	double *scratch;
	enum tr_status status = program_parts_choose(folding, err);

	if (status != TR_OK)
		return status;
	folding->parts = calloc(folding->count + 1, sizeof(*folding->parts));
	scratch = calloc(folding->count + 1, sizeof(*scratch));
	if (!folding->parts || !scratch) {
		free(scratch);
		return tr_no_memory(err, "%zu messages", folding->count);
	}
	folding->out->silent = program_parts_at_silences(folding, scratch) || program_parts_at_kinds(folding);
	if (folding->out->silent && has_operations(folding) && leaves_out(folding))
		status = prefer_periods(folding, scratch, err);
	if (status == TR_OK && !folding->out->silent && !folding->dealt) {
		status = cut_at_periods(folding, err);
		if (status == TR_OK)
			status = deal(folding, err);
	}
	if (status == TR_OK)
		status = collect(folding, scratch, err);
	free(scratch);
	return status;
}

enum tr_status program_fold_make(struct program_fold *out, const struct program_trace *trace, struct tr_error *err)
{
	struct folding folding = {.trace = trace, .out = out};
	enum tr_status status;

	*out = (struct program_fold){.slots = NULL};
	status = fold(&folding, err);
	free(folding.found);
	free(folding.parts);
	if (status != TR_OK)
		program_fold_clear(out);
	return status;
}

void program_fold_clear(struct program_fold *fold)
{
	free(fold->slots);
	free(fold->at);
	free(fold->silence_ticks);
	*fold = (struct program_fold){.slots = NULL};
}
