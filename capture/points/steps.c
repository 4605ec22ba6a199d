// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/pair_steps.h"
#include "value/order.h"

#include <stdlib.h>

#define ROUNDS_MAX 4u // of looking at all pairs

struct pt_steps_passed pt_steps_count(const struct pt_steps *steps, uint32_t point, uint64_t number,
				      const struct pt_step *skipped)
{
	struct pt_steps_passed passed = {.count = 0};

	for (size_t i = 0; i < steps->count; i++) {
		const struct pt_step *step = &steps->steps[i];

		if (step->point != point || step == skipped || number <= step->last)
			continue;
		passed.unsure |= number < step->next;
		passed.count += step->next <= number;
		passed.sum_ns += step->next <= number ? step->ahead_ns : 0;
	}
	return passed;
}

bool pt_steps_insert(struct pt_steps *steps, const struct pt_step *step)
{
	size_t at = steps->count;

	if (steps->count == PT_STEPS_MAX)
		return false;
	for (; at > 0 && (steps->steps[at - 1].point > step->point ||
			  (steps->steps[at - 1].point == step->point &&
			   steps->steps[at - 1].next > step->next));
	     at--)
		steps->steps[at] = steps->steps[at - 1];
	steps->steps[at] = *step;
	steps->count++;
	return true;
}

// ---- the search

// One look at all pairs. Returns how many steps were found, below 0 as pt_pair_steps_find.
static int look_at_pairs(struct pt_steps *steps, const struct pt_steps_input *input, bool *taken)
{
	const struct pt_pairs pairs = {input->shared, input->count, input->at};
	int sum = 0, found;

	for (size_t first = 0, end; first < input->count; first = end) {
		const struct pt_shared *pair = &input->shared[first];

		end = pt_shared_end(input->shared, input->count, first);
		if (input->left_out[pair->first] || input->left_out[pair->second])
			continue;
		found = pt_pair_steps_find(steps, &pairs, first, end, taken, input->unit_ns);
		taken[pair->first] = taken[pair->second] = true;
		if (found < 0)
			return found;
		sum += found;
	}
	return sum;
}

// Narrows the gaps between frames in which steps are for sure, or likely, by the packets of all
// pairs. False if memory ran out.
static bool narrow_gaps(struct pt_steps *steps, const struct pt_steps_input *input, bool likely)
{
	const struct pt_pairs pairs = {input->shared, input->count, input->at};

	for (size_t i = 0; i < steps->count; i++) {
		struct pt_step *step = &steps->steps[i];

		if (likely) {
			step->likely_last = step->last;
			step->likely_next = step->next;
		}
		for (size_t first = 0, end; first < pairs.count; first = end) {
			const struct pt_shared *pair = &pairs.shared[first];

			end = pt_shared_end(pairs.shared, pairs.count, first);
			if (input->left_out[pair->first] || input->left_out[pair->second] ||
			    (pair->first != step->point && pair->second != step->point))
				continue;
			if (!pt_pair_steps_narrow(steps, &pairs, first, end, step, input->unit_ns,
						  likely))
				return false;
		}
	}
	return true;
}

static void steps_take_out(const struct pt_steps *steps, struct pt_shared *packet)
{
	const int64_t first_ns =
		pt_steps_passed(steps, packet->first, packet->number[0], NULL).sum_ns;

	packet->at_ns -= first_ns;
	packet->apart_ns -= pt_steps_passed(steps, packet->second, packet->number[1], NULL).sum_ns -
			    first_ns;
}

enum tr_status pt_steps_search(struct pt_steps *steps, const struct pt_steps_input *input,
			       struct tr_error *err)
{
	bool *taken = calloc(input->points, sizeof(*taken));
	int found = taken ? 1 : -1;

	for (unsigned round = 0; round < ROUNDS_MAX && found > 0; round++)
		found = look_at_pairs(steps, input, taken);
	free(taken);
	if (found == -2)
		return tr_fail(err, "the clocks step more than %u times", PT_STEPS_MAX);
	if (found == -1 || !narrow_gaps(steps, input, false) || !narrow_gaps(steps, input, true))
		return tr_no_memory(err, "the packets of the points");
	for (size_t i = 0; steps->count && i < input->count; i++)
		steps_take_out(steps, &input->shared[i]);
	return TR_OK;
}

size_t pt_steps_cuts(const struct pt_steps *steps, const struct pt_shared *pair, size_t count,
		     int64_t cuts_ns[PT_STEPS_MAX])
{
	size_t cuts = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct pt_step *step = &steps->steps[i];
		const unsigned side = step->point == pair->second;
		int64_t cut_ns = INT64_MAX;

		if (step->point != pair->first && step->point != pair->second)
			continue;
		for (size_t at = 0; at < count; at++)
			if (pair[at].number[side] >= step->next && pair[at].at_ns < cut_ns)
				cut_ns = pair[at].at_ns;
		if (cut_ns != INT64_MAX)
			cuts_ns[cuts++] = cut_ns;
	}
	qsort(cuts_ns, cuts, sizeof(*cuts_ns), order_i64);
	return cuts;
}

// ---- a clock without its steps

// Between the two packets that the step is known to be between, it is where the time then goes on
// best.
int64_t pt_steps_follow(const struct pt_steps *steps, uint32_t point, uint64_t number,
			int64_t time_ns, struct pt_cursor *cursor)
{
	int64_t sum_ns = 0;
	size_t passed = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct pt_step *step = &steps->steps[i];
		const int64_t without_ns = time_ns - sum_ns, with_ns = without_ns - step->ahead_ns;

		if (step->point != point)
			continue;
		if (number <= step->likely_last ||
		    (number < step->likely_next && passed == cursor->passed &&
		     llabs(without_ns - cursor->last_ns) <= llabs(with_ns - cursor->last_ns)))
			break;
		sum_ns += step->ahead_ns;
		passed++;
	}
	cursor->passed = passed;
	cursor->last_ns = time_ns - sum_ns;
	return cursor->last_ns;
}
