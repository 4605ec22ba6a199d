// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/capture.h"

#include <stdlib.h>

#include "value/heap.h"

// Frames read and not yet returned: [at, count).
struct capture_merge_input {
	struct pk_capture *capture;
	struct pk_frame frames[PK_FRAMES_MAX];
	size_t at;
	size_t count;
	size_t number;
};

// heap: a binary heap of the inputs that have frames, by the next of each. If the first one is
// empty, it must be read before anything else.
struct pk_merge {
	struct capture_merge_input *inputs;
	size_t input_count;
	size_t started; // inputs read from so far
	bool ended;	// the only input has
	struct capture_merge_input **heap;
	size_t heap_count;
	void (*stamp)(void *context, struct pk_frame *frame);
	void *context;
};

struct pk_merge *pk_merge_new(struct pk_capture *const *captures, size_t count)
{
	struct pk_merge *merge = calloc(1, sizeof(*merge));

	if (merge) {
		merge->inputs = calloc(count, sizeof(*merge->inputs));
		merge->heap = calloc(count, sizeof(struct capture_merge_input *));
	}
	if (!merge || !merge->inputs || !merge->heap) {
		for (size_t i = 0; i < count; i++)
			pk_capture_close(captures[i]);
		pk_merge_close(merge);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		merge->inputs[i] = (struct capture_merge_input){.capture = captures[i],
								.number = i};
	merge->input_count = count;
	return merge;
}

static bool capture_merge_before(struct capture_merge_input *const *a,
				 struct capture_merge_input *const *b)
{
	const int64_t a_ns = (*a)->frames[(*a)->at].time_ns, b_ns = (*b)->frames[(*b)->at].time_ns;

	return a_ns != b_ns ? a_ns < b_ns : (*a)->number < (*b)->number;
}

HEAP(capture, struct capture_merge_input *, capture_merge_before);

void pk_merge_set_stamp(struct pk_merge *merge,
			void (*stamp)(void *context, struct pk_frame *frame), void *context)
{
	merge->stamp = stamp;
	merge->context = context;
}

static enum tr_status capture_merge_read_input(const struct pk_merge *merge,
					       struct capture_merge_input *input,
					       struct tr_error *err)
{
	const enum tr_status status = pk_capture_read(input->capture, input->frames, PK_FRAMES_MAX,
						      &input->count, err);

	input->at = 0;
	for (size_t i = 0; i < input->count; i++) {
		input->frames[i].input = (uint32_t)input->number;
		if (merge->stamp)
			merge->stamp(merge->context, &input->frames[i]);
	}
	return status;
}

// Reads from every input for the first time, in turn.
static enum tr_status capture_merge_start(struct pk_merge *merge, struct tr_error *err)
{
	while (merge->started < merge->input_count) {
		struct capture_merge_input *input = &merge->inputs[merge->started++];
		const enum tr_status status = capture_merge_read_input(merge, input, err);

		if (status == TR_ERROR)
			return TR_ERROR;
		if (status == TR_END)
			continue;
		capture_put(merge->heap, merge->heap_count++, input);
	}
	return TR_OK;
}

// Reads again from the first of the heap if it is empty.
static enum tr_status capture_merge_refill(struct pk_merge *merge, struct tr_error *err)
{
	struct capture_merge_input *input = merge->heap_count ? merge->heap[0] : NULL;
	enum tr_status status;

	if (!input || input->at < input->count)
		return TR_OK;
	status = capture_merge_read_input(merge, input, err);
	if (status != TR_OK)
		merge->heap[0] = merge->heap[--merge->heap_count];
	if (merge->heap_count > 1)
		capture_sink(merge->heap, merge->heap_count);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

// A single input needs no merging: its frames go straight to the caller. At its end it repeats its
// status.
static enum tr_status read_only(struct pk_merge *merge, struct pk_frame *frames, size_t max,
				size_t *count, struct tr_error *err)
{
	enum tr_status status;

	if (merge->ended)
		return TR_END;
	status = pk_capture_read(merge->inputs[0].capture, frames, max, count, err);
	merge->ended = status != TR_OK;
	for (size_t i = 0; i < *count; i++)
		frames[i].input = 0;
	return status;
}

enum tr_status pk_merge_read(struct pk_merge *merge, struct pk_frame *frames, size_t max,
			     size_t *count, struct tr_error *err)
{
	*count = 0;
	if (merge->input_count == 1)
		return read_only(merge, frames, max, count, err);
	if (merge->started < merge->input_count && capture_merge_start(merge, err) != TR_OK)
		return TR_ERROR;
	if (capture_merge_refill(merge, err) != TR_OK)
		return TR_ERROR;
	while (merge->heap_count && *count < max) {
		struct capture_merge_input *input = merge->heap[0];

		frames[(*count)++] = input->frames[input->at++];
		if (input->at == input->count)
			break; // reading on would invalidate the frames that it has lent
		capture_sink(merge->heap, merge->heap_count);
	}
	return *count ? TR_OK : TR_END;
}

bool pk_merge_lost(const struct pk_merge *merge, uint64_t *frames)
{
	bool known = false;

	*frames = 0;
	for (size_t i = 0; i < merge->input_count; i++) {
		uint64_t lost;

		if (!pk_capture_lost(merge->inputs[i].capture, &lost))
			continue;
		*frames += lost;
		known = true;
	}
	return known;
}

double pk_merge_part(const struct pk_merge *merge)
{
	double taken = 0, size = 0;

	for (size_t i = 0; i < merge->input_count; i++) {
		uint64_t of_taken, of_size;

		if (!pk_capture_taken(merge->inputs[i].capture, &of_taken, &of_size))
			return -1;
		taken += (double)of_taken;
		size += (double)of_size;
	}
	return taken / size;
}

void pk_merge_close(struct pk_merge *merge)
{
	if (!merge)
		return;
	for (size_t i = 0; i < merge->input_count; i++)
		pk_capture_close(merge->inputs[i].capture);
	free(merge->inputs);
	free(merge->heap);
	free(merge);
}
