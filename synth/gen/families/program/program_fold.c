// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_parts.h"
#include "gen/families/program/program_phases.h"

#define MANY 0.2	// of all messages
#define MOST 0.8	// of all messages: silences that leave out fewer cut well
#define NEARLY_ALL 0.98 // likewise, but for those at both ends: a cut that keeps these is better

// ---- Without silences: each pair's messages repeat.

// The longest run of a pair's messages, first .. end - 1, that repeats with this period.
static void longest_run(const struct folding *folding, size_t first, size_t end, size_t period,
			size_t *from, size_t *count)
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

// The least period of a pair's messages, with the run that has it; 0 if there is none. What starts
// and ends a program may be outside of the run.
static size_t period_of(const struct folding *folding, size_t first, size_t end, size_t *from,
			size_t *count)
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

static double program_fold_bytes_of(const struct folding *folding, size_t first, size_t end)
{
	double bytes = 0;

	for (size_t i = first; i < end; i++)
		bytes += (double)folding->found[i]->bytes;
	return bytes;
}

// What a pair's messages repeat: count messages from one on, a multiple of the period. Of no
// account: it may be left out.
struct repeated {
	size_t from, count, period;
	bool of_account;
};

static enum tr_status find_repeated(const struct folding *folding, size_t first, double least_B,
				    struct repeated *out, struct tr_error *err)
{
	const size_t end = pair_end(folding, first);
	const struct program_found *found = folding->found[first];

	out->period = period_of(folding, first, end, &out->from, &out->count);
	out->of_account = program_fold_bytes_of(folding, first, end) >= least_B;
	if (out->period || !out->of_account)
		return TR_OK;
	(void)tr_fail(err,
		      "no silences separate iterations of the same messages, and the sizes of the "
		      "%zu messages from rank %u to rank %u have no period",
		      end - first, found->src, found->dst);
	return TR_END;
}

static enum tr_status refuse_count(const struct program_found *found, size_t count,
				   size_t iterations, struct tr_error *err)
{
	(void)tr_fail(err,
		      "from rank %u to rank %u the same messages come %zu times, which does not "
		      "fit the %zu iterations of others",
		      found->src, found->dst, count, iterations);
	return TR_END;
}

// The number of iterations that all pairs of account agree on.
static enum tr_status common_iterations(const struct folding *folding, double least_B,
					size_t *iterations, struct tr_error *err)
{
	*iterations = 0;
	for (size_t first = 0; first < folding->count; first = pair_end(folding, first)) {
		struct repeated repeated;
		size_t all;

		if (find_repeated(folding, first, least_B, &repeated, err) != TR_OK)
			return TR_END;
		if (!repeated.of_account)
			continue;
		all = common(*iterations, repeated.count / repeated.period);
		if (all < PROGRAM_ITERATIONS_MIN) {
			const size_t count = repeated.count / repeated.period;

			return refuse_count(folding->found[first], count,
					    *iterations ? *iterations : count, err);
		}
		*iterations = all;
	}
	if (*iterations > 0)
		return TR_OK;
	(void)tr_fail(err, "no rank sends another one messages that repeat");
	return TR_END;
}

// Keeps the messages of the periods, by pair. Negligible pairs with far fewer messages than
// iterations are left out.
static enum tr_status cut_at_periods(struct folding *folding, struct tr_error *err)
{
	const double least_B = PROGRAM_SMALL_PART *
			       program_fold_bytes_of(folding, 0, folding->count);
	size_t iterations, kept = 0, end;

	qsort(folding->found, folding->count, sizeof(*folding->found), program_found_by_pair);
	if (common_iterations(folding, least_B, &iterations, err) != TR_OK)
		return TR_END;
	for (size_t first = 0; first < folding->count; first = end) {
		struct repeated repeated;

		end = pair_end(folding, first);
		if (find_repeated(folding, first, least_B, &repeated, err) != TR_OK)
			return TR_END;
		if (!repeated.period || repeated.count / repeated.period % iterations != 0) {
			if ((double)(end - first) < PROGRAM_CONSISTENT * (double)iterations)
				continue;
			return refuse_count(folding->found[first], end - first, iterations, err);
		}
		memmove(folding->found + kept, folding->found + repeated.from,
			repeated.count * sizeof(*folding->found));
		kept += repeated.count;
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
			dealt[(i - first) / own * each + column + (i - first) % own] =
				folding->found[i];
		column += own;
	}
	memcpy(folding->found, dealt, folding->count * sizeof(*dealt));
	free(dealt);
	folding->dealt = true;
	folding->part_count = iterations;
	folding->usual = 0; // not that of beats that were tried
	folding->usual_count = iterations;
	for (size_t p = 0; p < iterations; p++)
		folding->parts[p] = (struct part){.first = p * each, .count = each, .usual = true};
	return program_parts_join_orders(folding, err);
}

// ---- The result

static int by_offset(const void *a, const void *b)
{
	const struct program_slot *x = a, *y = b;

	if (x->offset_ticks != y->offset_ticks)
		return x->offset_ticks < y->offset_ticks ? -1 : 1;
	return x->src != y->src ? (x->src < y->src ? -1 : 1)
				: (x->dst > y->dst) - (x->dst < y->dst);
}

// The slot that the messages at this place of all usual parts are.
static void program_fold_describe(const struct folding *folding, size_t place, double *values,
				  struct program_slot *slot)
{
	size_t n = 0, granted = 0;
	struct program_values sizes = {.ticks = values};
	struct program_moments moments;

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
			values[n++] =
				(double)folding->found[folding->parts[p].first + place]->bytes;
	qsort(values, n, sizeof(*values), program_longer_first);
	slot->bytes = values[n / 2];
	sizes.count = n;
	moments = program_values_moments(&sizes);
	folding->out->variation += moments.variation;
	if (moments.variation > PROGRAM_VARIES * PROGRAM_VARIES)
		slot->bytes = moments.mean;
}

// How many iterations the parts with other messages may be, by their bytes: messages of one may
// have gone into two.
static uint32_t count_between(const struct folding *folding)
{
	const struct part *usual = &folding->parts[folding->usual];
	const double usual_B = program_fold_bytes_of(folding, usual->first,
						     usual->first + usual->count);
	double left_B = 0, parts = 0;

	for (size_t p = 0; p < folding->part_count; p++)
		if (!folding->parts[p].usual) {
			left_B += program_fold_bytes_of(folding, folding->parts[p].first,
							folding->parts[p].first +
								folding->parts[p].count);
			parts++;
		}
	return usual_B > 0 ? (uint32_t)fmin(parts, round(left_B / usual_B)) : 0;
}

static enum tr_status program_fold_collect(struct folding *folding, double *scratch,
					   struct tr_error *err)
{
	struct program_fold *out = folding->out;
	const size_t each = folding->parts[folding->usual].count;
	uint32_t iteration = 0;

	program_parts_drop_ends(folding);
	out->slots = calloc(each, sizeof(*out->slots));
	out->at = calloc(each * folding->usual_count, sizeof(*out->at));
	out->silence_ticks = calloc(folding->part_count, sizeof(*out->silence_ticks));
	if (!out->slots || !out->at || !out->silence_ticks)
		return tr_no_memory(err, "%zu messages", folding->count);
	out->slot_count = (uint32_t)each;
	out->iterations = (uint32_t)folding->usual_count;
	out->others = (uint32_t)(folding->part_count - folding->usual_count);
	out->others_whole = count_between(folding);
	out->left_out += out->others;
	for (size_t i = 0; i < each; i++)
		program_fold_describe(folding, i, scratch, &out->slots[i]);
	out->variation = sqrt(out->variation / (double)each);
	qsort(out->slots, each, sizeof(*out->slots), by_offset);
	for (size_t p = 0; p < folding->part_count; p++) {
		const struct part *part = &folding->parts[p];

		if (!part->usual)
			continue;
		for (size_t i = 0; i < each; i++)
			out->at[iteration * each + i] =
				folding->found[part->first + out->slots[i].turn];
		iteration++;
		if (out->silent && p + 1 < folding->part_count)
			out->silence_ticks[out->silence_count++] =
				(double)(program_part_begin(folding, part + 1) -
					 program_part_end(folding, part));
	}
	return TR_OK;
}

static size_t count_usual(const struct folding *folding)
{
	return folding->usual_count * folding->parts[folding->usual].count;
}

static bool fold_at_silences(struct folding *folding, const struct program_found *const *all,
			     size_t count, double *scratch)
{
	memcpy(folding->found, all, count * sizeof(*folding->found));
	folding->count = count;
	folding->dealt = folding->loose = folding->out->by_beats = false;
	folding->out->left_out = 0;
	folding->out->silent = program_parts_at_silences(folding, scratch) ||
			       program_parts_at_kinds(folding);
	return folding->out->silent;
}

// Without periods cuts at silences between messages whose sizes vary; or at beats where these make
// more iterations than periods, else at periods; err says why there
// are no periods if there are no beats either. Where messages are missed, the common divisor of
// their numbers may be much less than the iterations.
static enum tr_status cut_without_silences(struct folding *folding,
					   const struct program_found *const *all, double *scratch,
					   struct tr_error *err)
{
	const size_t count = folding->count;
	const enum tr_status periods = cut_at_periods(folding, err);
	enum tr_status status;

	memcpy(folding->found, all, count * sizeof(*folding->found));
	folding->count = count;
	folding->loose = periods != TR_OK;
	folding->out->left_out = 0;
	folding->out->silent = folding->loose && program_parts_at_silences(folding, scratch);
	if (folding->out->silent)
		return TR_OK;
	memcpy(folding->found, all, count * sizeof(*folding->found));
	folding->count = count;
	folding->loose = false;
	status = program_parts_at_beats(folding, scratch, err);
	if (status != TR_OK ||
	    (folding->dealt &&
	     (periods != TR_OK || 2 * folding->usual_count > 3 * folding->out->iterations)))
		return status;
	folding->dealt = folding->loose = folding->out->by_beats = false;
	if (periods != TR_OK)
		return TR_END;
	memcpy(folding->found, all, count * sizeof(*folding->found));
	folding->count = count;
	status = cut_at_periods(folding, err);
	return status == TR_OK ? deal(folding, err) : status;
}

// Whether a cut leaves out nothing, or hardly anything where silences, of which so many were kept,
// leave out many.
static bool keeps_more(const struct folding *folding, size_t kept, size_t count)
{
	const double usual = (double)count_usual(folding),
		     ends = 2 * (double)folding->parts[folding->usual].count;

	return !folding->loose &&
	       (usual == (double)count || ((double)kept < MOST * (double)count &&
					   usual + ends >= NEARLY_ALL * (double)count));
}

// Where silences leave out some of recorded messages, which are all that there were, another cut
// may be better: what several ranks do at the same time comes in another order in each iteration.
static enum tr_status cut_iterations(struct folding *folding,
				     const struct program_found *const *all, double *scratch,
				     struct tr_error *err)
{
	const size_t count = folding->count;
	const size_t kept = fold_at_silences(folding, all, count, scratch) ? count_usual(folding)
									   : 0;
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (kept == 0 || (!folding->trace->shows_packets && kept < count)) {
		status = cut_without_silences(folding, all, scratch, kept > 0 ? &why : err);
		if (kept > 0 && status != TR_ERROR &&
		    (status == TR_END || !keeps_more(folding, kept, count))) {
			(void)fold_at_silences(folding, all, count, scratch);
			status = TR_OK;
		}
	}
	return status == TR_OK ? program_fold_collect(folding, scratch, err) : status;
}

static enum tr_status fold(struct folding *folding, struct tr_error *err)
{
	const struct program_found **all;
	double *scratch;
	enum tr_status status = program_parts_choose(folding, err);

	if (status != TR_OK)
		return status;
	folding->parts = calloc(folding->count + 1, sizeof(*folding->parts));
	all = calloc(folding->count + 1, sizeof(*all));
	scratch = calloc(folding->count + 1, sizeof(*scratch));
	if (!folding->parts || !all || !scratch) {
		status = tr_no_memory(err, "%zu messages", folding->count);
	} else {
		memcpy(all, folding->found, folding->count * sizeof(*all));
		status = cut_iterations(folding, all, scratch, err);
	}
	free(all);
	free(scratch);
	return status;
}

static enum tr_status fold_with(struct program_fold *out, const struct program_trace *trace,
				bool whole, uint32_t doublings, struct tr_error *err)
{
	struct folding folding = {
		.trace = trace, .out = out, .whole = whole, .doublings = doublings};
	enum tr_status status;

	*out = (struct program_fold){.slots = NULL};
	status = fold(&folding, err);
	free(folding.found);
	free(folding.parts);
	if (status != TR_OK)
		program_fold_clear(out);
	return status;
}

// Whether the iterations hold most bytes, and most of so many small messages.
static bool holds_most(const struct program_fold *fold, const struct program_trace *trace,
		       size_t small)
{
	double kept_B = 0, all_B = 0;
	size_t kept = 0;

	for (size_t i = 0; i < (size_t)fold->iterations * fold->slot_count; i++) {
		kept_B += (double)fold->at[i]->bytes;
		kept += fold->at[i]->small;
	}
	for (size_t i = 0; i < trace->count; i++)
		all_B += (double)trace->found[i].bytes;
	return kept_B >= PROGRAM_CONSISTENT * all_B &&
	       (double)kept >= PROGRAM_CONSISTENT * (double)small;
}

// Small messages of few bytes are of the program where they are many and come in each iteration, as
// those of sums over all ranks do.
enum tr_status program_fold_make(struct program_fold *out, const struct program_trace *trace,
				 uint32_t doublings, struct tr_error *err)
{
	enum tr_status status = TR_END;
	size_t small = 0;

	for (size_t i = 0; i < trace->count; i++)
		small += trace->found[i].small;
	if ((double)small >= MANY * (double)trace->count)
		status = fold_with(out, trace, true, doublings, err);
	if (status == TR_OK && !holds_most(out, trace, small)) {
		program_fold_clear(out);
		status = TR_END;
	}
	return status == TR_END ? fold_with(out, trace, false, doublings, err) : status;
}

void program_fold_clear(struct program_fold *fold)
{
	free(fold->slots);
	free(fold->at);
	free(fold->silence_ticks);
	*fold = (struct program_fold){.slots = NULL};
}
