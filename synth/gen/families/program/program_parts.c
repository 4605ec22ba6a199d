// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_parts.h"
#include "value/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPREAD_MIN 2.0 // a silence that separates iterations is as many times the longest other one
#define SIZE_PART 0.02 // sizes within this part, or
#define SIZE_BYTES 100.0 // within these bytes, are equal: a protocol adds to them
#define LOOSE 2		 // sizes within this factor may be of the same message where sizes vary
#define OTHERS_PART 0.02 // of the bytes of the usual messages: as many may be of others
#define REFERENCES 32u	 // iterations that are tried as the usual one
#define KINDS 64u	 // kinds of messages that are tried to begin an iteration
#define CUTS 16u	 // lengths of silences that are tried

bool program_sizes_equal(double a_B, double b_B)
{
	return fabs(a_B - b_B) <= fmax(SIZE_BYTES, SIZE_PART * fmin(a_B, b_B)) &&
	       fmax(a_B, b_B) <= 4 * fmin(a_B, b_B);
}

bool program_found_alike(const struct program_found *a, const struct program_found *b)
{
	return a->operation == b->operation && a->root == b->root &&
	       program_sizes_equal((double)a->bytes, (double)b->bytes);
}

bool program_parts_alike(const struct folding *folding, const struct program_found *a,
			 const struct program_found *b)
{
	if (!folding->loose)
		return program_found_alike(a, b);
	return a->operation == b->operation && a->root == b->root && a->bytes <= LOOSE * b->bytes &&
	       b->bytes <= LOOSE * a->bytes;
}

static int program_parts_by_begin(const void *a, const void *b)
{
	const struct program_found *x = *(const struct program_found *const *)a,
				   *y = *(const struct program_found *const *)b;

	return ORDER(x, y); // as the trace has them
}

int program_found_by_pair(const void *a, const void *b)
{
	const struct program_found *x = *(const struct program_found *const *)a,
				   *y = *(const struct program_found *const *)b;

	ORDER_BY(x->src, y->src);
	ORDER_BY(x->dst, y->dst);
	return program_parts_by_begin(a, b);
}

int program_longer_first(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

// All messages, except small ones if together they are negligible.
enum tr_status program_parts_choose(struct folding *folding, struct tr_error *err)
{
	const struct program_trace *trace = folding->trace;
	double small_B = 0, all_B = 0;

	folding->found = calloc(trace->count + 1, sizeof(*folding->found));
	if (!folding->found)
		return tr_no_memory(err, "%zu messages", trace->count);
	for (size_t i = 0; i < trace->count; i++) {
		all_B += (double)trace->found[i].bytes;
		small_B += trace->found[i].small ? (double)trace->found[i].bytes : 0;
	}
	for (size_t i = 0; i < trace->count; i++) {
		if (!trace->found[i].small || folding->whole ||
		    small_B > PROGRAM_SMALL_PART * all_B)
			folding->found[folding->count++] = &trace->found[i];
		else
			folding->out->small_left_out++;
	}
	return TR_OK;
}

static bool same_message(const struct folding *folding, const struct program_found *a,
			 const struct program_found *b)
{
	return a->src == b->src && a->dst == b->dst && program_parts_alike(folding, a, b);
}

static bool program_parts_same(const struct folding *folding, const struct part *a,
			       const struct part *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!same_message(folding, folding->found[a->first + i],
				  folding->found[b->first + i]))
			return false;
	}
	return true;
}

// Whether the part has the messages of the usual one, in their order by pair, and others of few
// bytes, as those of a library that starts or ends; the others are put behind and left out then.
static bool has_usual(struct folding *folding, const struct part *usual, struct part *part)
{
	const struct program_found **found = folding->found + part->first, *const *like =
										   folding->found +
										   usual->first;
	double usual_B = 0, others_B = 0;
	size_t kept = 0;

	for (size_t i = 0; i < part->count; i++) {
		const bool next = kept < usual->count &&
				  same_message(folding, found[i], like[kept]);

		kept += next;
		*(next ? &usual_B : &others_B) += (double)found[i]->bytes;
	}
	if (kept < usual->count || others_B > OTHERS_PART * usual_B)
		return false;
	kept = 0;
	for (size_t i = 0; kept < usual->count; i++)
		if (same_message(folding, found[i], like[kept])) {
			const struct program_found *other = found[kept];

			found[kept++] = found[i];
			found[i] = other;
		}
	part->count = kept;
	return true;
}

bool program_parts_compare(struct folding *folding)
{
	const size_t step = folding->part_count / REFERENCES + 1;

	folding->usual_count = 0;
	for (size_t p = 0; p < folding->part_count; p++)
		qsort(folding->found + folding->parts[p].first, folding->parts[p].count,
		      sizeof(*folding->found), program_found_by_pair);
	for (size_t p = 0; p < folding->part_count; p += step) {
		size_t count = 0;

		for (size_t q = 0; q < folding->part_count; q++)
			count += program_parts_same(folding, &folding->parts[p],
						    &folding->parts[q]);
		if (count > folding->usual_count) {
			folding->usual = p;
			folding->usual_count = count;
		}
	}
	for (size_t p = 0; p < folding->part_count; p++)
		folding->parts[p].usual = p == folding->usual ||
					  has_usual(folding, &folding->parts[folding->usual],
						    &folding->parts[p]);
	folding->usual_count = 0;
	for (size_t p = 0; p < folding->part_count; p++)
		folding->usual_count += folding->parts[p].usual;
	return folding->usual_count >= PROGRAM_ITERATIONS_MIN &&
	       (double)folding->usual_count >= PROGRAM_CONSISTENT * (double)folding->part_count;
}

// Parts separated by silences longer than ticks.
static void program_parts_cut(struct folding *folding, double ticks)
{
	int64_t end = 0;

	qsort(folding->found, folding->count, sizeof(*folding->found), program_parts_by_begin);
	folding->part_count = 0;
	for (size_t i = 0; i < folding->count; i++) {
		const struct program_found *found = folding->found[i];

		if (i == 0 || (double)(found->begin_ticks - end) > ticks)
			folding->parts[folding->part_count++] = (struct part){.first = i};
		folding->parts[folding->part_count - 1].count++;
		end = i == 0 || found->end_ticks > end ? found->end_ticks : end;
	}
}

void program_parts_drop_ends(struct folding *folding)
{
	size_t first = 0, last = folding->part_count;

	while (first < last && !folding->parts[first].usual)
		first++;
	while (last > first && !folding->parts[last - 1].usual)
		last--;
	folding->out->left_out += (uint32_t)(folding->part_count - (last - first));
	memmove(folding->parts, folding->parts + first, (last - first) * sizeof(*folding->parts));
	folding->part_count = last - first;
	folding->usual -= folding->usual >= first ? first : 0;
}

static void trim(struct folding *folding)
{
	(void)program_parts_compare(folding);
	program_parts_drop_ends(folding);
}

// Whether the parts are iterations: enough of them with the usual messages, and not much is left
// out.
static bool are_iterations(struct folding *folding)
{
	size_t count = 0;

	for (size_t p = 0; p < folding->part_count; p++)
		count += folding->parts[p].count;
	return folding->part_count >= PROGRAM_ITERATIONS_MIN &&
	       (double)count >= PROGRAM_CONSISTENT * (double)folding->count &&
	       program_parts_compare(folding);
}

// Tries to cut at silences, the longest ones first. False: none make parts of the same messages.
bool program_parts_at_silences(struct folding *folding, double *gaps)
{
	size_t count = 0, cuts = 0;
	int64_t end = 0;

	for (size_t i = 0; i < folding->count; i++) {
		const struct program_found *found = folding->found[i];

		if (i > 0 && found->begin_ticks > end)
			gaps[count++] = (double)(found->begin_ticks - end);
		end = i == 0 || found->end_ticks > end ? found->end_ticks : end;
	}
	qsort(gaps, count, sizeof(*gaps), program_longer_first);
	for (size_t i = PROGRAM_ITERATIONS_MIN - 1; i <= count && cuts < CUTS; i++) {
		const double shorter = i < count ? fmax(gaps[i], 1)
						 : 1; // iterations may have no silence inside

		if (gaps[i - 1] < SPREAD_MIN * shorter)
			continue;
		cuts++;
		folding->out->left_out = 0;
		program_parts_cut(folding, sqrt(gaps[i - 1] * shorter));
		trim(folding);
		if (are_iterations(folding))
			return true;
	}
	folding->out->left_out = 0;
	return false;
}

// ---- Where silences vary more than that: an iteration begins with the same message.

// Parts that begin with a message of this kind.
static void cut_before(struct folding *folding, const struct program_found *kind)
{
	qsort(folding->found, folding->count, sizeof(*folding->found), program_parts_by_begin);
	folding->part_count = 0;
	folding->out->left_out = 0;
	for (size_t i = 0; i < folding->count; i++) {
		if (i == 0 || same_message(folding, folding->found[i], kind))
			folding->parts[folding->part_count++] = (struct part){.first = i};
		folding->parts[folding->part_count - 1].count++;
	}
	trim(folding);
}

int64_t program_part_begin(const struct folding *folding, const struct part *part)
{
	int64_t begin = folding->found[part->first]->begin_ticks;

	for (size_t i = 1; i < part->count; i++)
		if (folding->found[part->first + i]->begin_ticks < begin)
			begin = folding->found[part->first + i]->begin_ticks;
	return begin;
}

int64_t program_part_end(const struct folding *folding, const struct part *part)
{
	int64_t end = folding->found[part->first]->end_ticks;

	for (size_t i = 1; i < part->count; i++)
		if (folding->found[part->first + i]->end_ticks > end)
			end = folding->found[part->first + i]->end_ticks;
	return end;
}

// Mean silence before a part; 0 if most parts have none.
static double mean_silence(const struct folding *folding)
{
	double sum = 0;
	size_t silent = 0;

	for (size_t p = 1; p < folding->part_count; p++) {
		const int64_t silence = program_part_begin(folding, &folding->parts[p]) -
					program_part_end(folding, &folding->parts[p - 1]);

		silent += silence > 0;
		sum += (double)silence;
	}
	return (double)silent >= PROGRAM_CONSISTENT * (double)(folding->part_count - 1)
		       ? sum / (double)silent
		       : 0;
}

// Tries the first kinds of messages; the best begins parts of the same messages after the longest
// silences. False: none does.
bool program_parts_at_kinds(struct folding *folding)
{
	const struct program_found *kinds[KINDS], *best = NULL;
	double longest = 0;
	size_t count = 0;

	qsort(folding->found, folding->count, sizeof(*folding->found), program_parts_by_begin);
	for (size_t i = 0; i < folding->count && count < KINDS; i++) {
		size_t k = 0;

		while (k < count && !same_message(folding, kinds[k], folding->found[i]))
			k++;
		if (k == count)
			kinds[count++] = folding->found[i];
	}
	for (size_t k = 0; k < count; k++) {
		double silence;

		cut_before(folding, kinds[k]);
		silence = are_iterations(folding) ? mean_silence(folding) : 0;
		if (silence > longest) {
			longest = silence;
			best = kinds[k];
		}
	}
	folding->out->left_out = 0;
	if (!best)
		return false;
	cut_before(folding, best);
	return program_parts_compare(folding);
}
