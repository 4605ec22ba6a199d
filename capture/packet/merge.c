// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/merge.h"

#include <stdlib.h>

struct input {
	struct pk_capture *capture;
	struct pk_frame frame; // the next of it
	size_t number;
};

// heap: a binary heap of the inputs whose next frame is known. The first of them was given out last where
// stale is set, and must move on before anything else.
struct pk_merge {
	struct input *inputs;
	size_t input_count;
	size_t started; // inputs read from so far
	struct input **heap;
	size_t heap_count;
	bool stale;
};

struct pk_merge *pk_merge_new(struct pk_capture *const *captures, size_t count)
{
	struct pk_merge *merge = calloc(1, sizeof *merge);

	if (merge) {
		merge->inputs = calloc(count, sizeof *merge->inputs);
		merge->heap = calloc(count, sizeof(struct input *));
	}
	if (!merge || !merge->inputs || !merge->heap) {
		for (size_t i = 0; i < count; i++)
			pk_capture_close(captures[i]);
		pk_merge_close(merge);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		merge->inputs[i] = (struct input){.capture = captures[i], .number = i};
	merge->input_count = count;
	return merge;
}

static bool before(const struct input *a, const struct input *b)
{
	if (a->frame.time_ns != b->frame.time_ns)
		return a->frame.time_ns < b->frame.time_ns;
	return a->number < b->number;
}

static void swap(struct input **heap, size_t a, size_t b)
{
	struct input *held = heap[a];

	heap[a] = heap[b];
	heap[b] = held;
}

static void sift_down(struct input **heap, size_t count)
{
	size_t at = 0;

	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
			if (before(heap[child], heap[least]))
				least = child;
		if (least == at)
			return;
		swap(heap, at, least);
		at = least;
	}
}

static void sift_up(struct input **heap, size_t at)
{
	for (; at > 0 && before(heap[at], heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(heap, at, (at - 1) / 2);
}

// Reads the first frame of every input, in turn.
static enum tr_status start(struct pk_merge *merge, struct tr_error *err)
{
	while (merge->started < merge->input_count) {
		struct input *input = &merge->inputs[merge->started++];
		const enum tr_status status = pk_capture_next(input->capture, &input->frame, err);

		if (status == TR_ERROR)
			return TR_ERROR;
		if (status == TR_END)
			continue;
		merge->heap[merge->heap_count] = input;
		sift_up(merge->heap, merge->heap_count++);
	}
	return TR_OK;
}

// Moves the input on whose frame was given out last.
static enum tr_status move_on(struct pk_merge *merge, struct tr_error *err)
{
	struct input *input = merge->heap[0];
	const enum tr_status status = pk_capture_next(input->capture, &input->frame, err);

	merge->stale = false;
	if (status != TR_OK)
		merge->heap[0] = merge->heap[--merge->heap_count];
	if (merge->heap_count > 1)
		sift_down(merge->heap, merge->heap_count);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

enum tr_status pk_merge_next(struct pk_merge *merge, struct pk_frame *frame, struct tr_error *err)
{
	if (merge->started < merge->input_count && start(merge, err) != TR_OK)
		return TR_ERROR;
	if (merge->stale && move_on(merge, err) != TR_OK)
		return TR_ERROR;
	if (!merge->heap_count)
		return TR_END;
	*frame = merge->heap[0]->frame;
	merge->stale = true;
	return TR_OK;
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
