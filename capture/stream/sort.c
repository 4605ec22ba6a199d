// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/sort.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value/grow.h"
#include "value/heap.h"

static bool goes_before(const struct tr_order_item *a, const struct tr_order_item *b)
{
	return a->time_ticks < b->time_ticks ||
	       (a->time_ticks == b->time_ticks && a->number < b->number);
}

HEAP(order, struct tr_order_item, goes_before);

void tr_order_sift(struct tr_order_item *items, size_t count)
{
	order_sink(items, count);
}

void tr_order_add(struct tr_order_item *items, size_t *count, struct tr_order_item item)
{
	order_put(items, (*count)++, item);
}

#define MEMORY_MIN ((size_t)64 << 10)

// A sorted run in the temporary file, and its window in memory.
struct sort_run {
	off_t next; // of the file: after the window
	off_t end;
	uint8_t *window;
	size_t at; // bytes of the window
	size_t filled;
};

struct tr_sort {
	size_t record_bytes;
	size_t memory_bytes;
	uint8_t *memory;
	uint8_t *records;	    // in memory: those of the current run, unsorted
	struct tr_order_item *keys; // and their keys
	struct tr_order_item *spare;
	size_t capacity; // records of a run
	size_t count;
	size_t given;
	const char *folder;
	int file; // -1: none yet
	off_t file_end;
	struct sort_run *runs;
	size_t run_count;
	size_t window_bytes;
	size_t order_count; // runs that have more; their keys are in order
	struct tr_order_item *order;
	bool merging;
};

enum tr_status tr_sort_open(struct tr_sort **out, size_t record_bytes, size_t memory_bytes,
			    const char *folder, struct tr_error *err)
{
	struct tr_sort *sort = calloc(1, sizeof(*sort));
	size_t each = record_bytes + 2 * sizeof(*sort->keys);

	*out = sort;
	if (!sort)
		return tr_no_memory(err, "the sort");
	sort->file = -1;
	sort->folder = folder ? folder : "/tmp";
	sort->record_bytes = record_bytes;
	sort->memory_bytes = memory_bytes > MEMORY_MIN ? memory_bytes : MEMORY_MIN;
	sort->capacity = sort->memory_bytes / each;
	sort->memory = malloc(sort->memory_bytes);
	if (!sort->memory) {
		*out = NULL;
		tr_sort_close(sort);
		return tr_no_memory(err, "sorting in %zu bytes", memory_bytes);
	}
	sort->keys = (struct tr_order_item *)(void *)sort->memory;
	sort->spare = sort->keys + sort->capacity;
	sort->records = (uint8_t *)(sort->spare + sort->capacity);
	return TR_OK;
}

// Merges the ordered a[0..middle) and a[middle..count) into out; equal times keep their order.
static void merge_halves(const struct tr_order_item *a, size_t middle, size_t count,
			 struct tr_order_item *out)
{
	size_t left = 0;
	size_t right = middle;

	if (middle >= count || a[middle - 1].time_ticks <= a[middle].time_ticks) {
		memcpy(out, a, count * sizeof(*a));
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (right == count || (left < middle && a[left].time_ticks <= a[right].time_ticks))
			out[i] = a[left++];
		else
			out[i] = a[right++];
}

// Sorts the keys by time, stably, by bottom-up merging; does nothing if they are in order.
static void sort_keys(struct tr_sort *sort)
{
	size_t ordered = 1;

	while (ordered < sort->count &&
	       sort->keys[ordered - 1].time_ticks <= sort->keys[ordered].time_ticks)
		ordered++;
	if (ordered >= sort->count)
		return;
	for (size_t width = 1; width < sort->count; width *= 2) {
		struct tr_order_item *swapped = sort->keys;

		for (size_t at = 0; at < sort->count; at += 2 * width) {
			size_t left = sort->count - at;
			size_t count = left < 2 * width ? left : 2 * width;

			merge_halves(sort->keys + at, left < width ? left : width, count,
				     sort->spare + at);
		}
		sort->keys = sort->spare;
		sort->spare = swapped;
	}
}

static enum tr_status file_error(const struct tr_sort *sort, const char *what, struct tr_error *err)
{
	return tr_fail(err, "temporary file in %s: %s: %s", sort->folder, what, strerror(errno));
}

static enum tr_status sort_write_all(struct tr_sort *sort, const uint8_t *data, size_t size_bytes,
				     struct tr_error *err)
{
	while (size_bytes) {
		ssize_t got = pwrite(sort->file, data, size_bytes, sort->file_end);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return file_error(sort, "write", err);
		data += got;
		size_bytes -= (size_t)got;
		sort->file_end += got;
	}
	return TR_OK;
}

static enum tr_status sort_open_file(struct tr_sort *sort, struct tr_error *err)
{
	char path[4096];

	if (sort->file >= 0)
		return TR_OK;
	sort->file = open(sort->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (sort->file >= 0)
		return TR_OK;
	// The file system has no nameless files.
	(void)snprintf(path, sizeof(path), "%s/flitline-sort-XXXXXX", sort->folder);
	sort->file = mkostemp(path, O_CLOEXEC);
	if (sort->file < 0)
		return file_error(sort, "open", err);
	(void)unlink(path);
	return TR_OK;
}

// Writes what is held to the file as a run.
static enum tr_status spill(struct tr_sort *sort, struct tr_error *err)
{
	size_t buffer_records = MEMORY_MIN / sort->record_bytes;
	uint8_t *buffer = malloc(MEMORY_MIN);
	enum tr_status status = sort_open_file(sort, err);
	off_t begin = sort->file_end;

	if (!GROW_BY_COUNT(sort->runs, sort->run_count) || !buffer)
		status = tr_no_memory(err, "the sort");
	sort_keys(sort);
	for (size_t i = 0; i < sort->count && status == TR_OK;) {
		size_t n = 0;

		for (; n < buffer_records && i < sort->count; n++, i++)
			memcpy(buffer + n * sort->record_bytes,
			       sort->records + sort->keys[i].number * sort->record_bytes,
			       sort->record_bytes);
		status = sort_write_all(sort, buffer, n * sort->record_bytes, err);
	}
	free(buffer);
	if (status == TR_OK)
		sort->runs[sort->run_count++] = (struct sort_run){.next = begin,
								  .end = sort->file_end};
	sort->count = 0;
	return status;
}

enum tr_status tr_sort_add(struct tr_sort *sort, const void *record, struct tr_error *err)
{
	if (sort->count == sort->capacity && spill(sort, err) != TR_OK)
		return TR_ERROR;
	memcpy(sort->records + sort->count * sort->record_bytes, record, sort->record_bytes);
	memcpy(&sort->keys[sort->count].time_ticks, record, sizeof(int64_t));
	sort->keys[sort->count].number = sort->count;
	sort->count++;
	return TR_OK;
}

// Fills the run's window. TR_END: nothing is left.
static enum tr_status sort_refill(struct tr_sort *sort, struct sort_run *run, struct tr_error *err)
{
	off_t left = run->end - run->next;
	size_t want = left < (off_t)sort->window_bytes ? (size_t)left : sort->window_bytes;

	run->at = 0;
	run->filled = 0;
	if (!want)
		return TR_END;
	while (run->filled < want) {
		ssize_t got = pread(sort->file, run->window + run->filled, want - run->filled,
				    run->next + (off_t)run->filled);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return file_error(sort, got ? "read" : "read past the end", err);
		run->filled += (size_t)got;
	}
	run->next += (off_t)want;
	return TR_OK;
}

static int64_t run_time(const struct sort_run *run)
{
	int64_t time_ticks;

	memcpy(&time_ticks, run->window + run->at, sizeof(time_ticks));
	return time_ticks;
}

// Ends the adding: sorts what is in memory, or divides the memory among the runs.
static enum tr_status begin_merge(struct tr_sort *sort, struct tr_error *err)
{
	sort->merging = true;
	if (!sort->run_count) {
		sort_keys(sort);
		return TR_OK;
	}
	if (spill(sort, err) != TR_OK)
		return TR_ERROR;
	sort->window_bytes = sort->memory_bytes / sort->run_count / sort->record_bytes *
			     sort->record_bytes;
	sort->order = calloc(sort->run_count, sizeof(*sort->order));
	if (!sort->order || !sort->window_bytes)
		return tr_no_memory(err, "the merge of %zu runs", sort->run_count);
	for (size_t i = 0; i < sort->run_count; i++) {
		struct sort_run *run = &sort->runs[i];

		run->window = sort->memory + i * sort->window_bytes;
		if (sort_refill(sort, run, err) != TR_OK)
			return TR_ERROR;
		tr_order_add(sort->order, &sort->order_count,
			     (struct tr_order_item){run_time(run), i});
	}
	return TR_OK;
}

// Skips the record returned last.
static enum tr_status sort_step(struct tr_sort *sort, struct tr_error *err)
{
	struct tr_order_item *first = &sort->order[0];
	struct sort_run *run = &sort->runs[first->number];
	enum tr_status status = TR_OK;

	run->at += sort->record_bytes;
	if (run->at == run->filled)
		status = sort_refill(sort, run, err);
	if (status == TR_ERROR)
		return TR_ERROR;
	if (status == TR_OK)
		first->time_ticks = run_time(run);
	else
		*first = sort->order[--sort->order_count];
	if (sort->order_count)
		tr_order_sift(sort->order, sort->order_count);
	return TR_OK;
}

enum tr_status tr_sort_next(struct tr_sort *sort, const void **record, struct tr_error *err)
{
	const struct sort_run *run;

	if (!sort->merging && begin_merge(sort, err) != TR_OK)
		return TR_ERROR;
	if (!sort->run_count) {
		if (sort->given == sort->count)
			return TR_END;
		*record = sort->records + sort->keys[sort->given++].number * sort->record_bytes;
		return TR_OK;
	}
	if (sort->given++ && sort_step(sort, err) != TR_OK)
		return TR_ERROR;
	if (!sort->order_count)
		return TR_END;
	run = &sort->runs[sort->order[0].number];
	*record = run->window + run->at;
	return TR_OK;
}

size_t tr_sort_runs(const struct tr_sort *sort)
{
	return sort->run_count;
}

void tr_sort_close(struct tr_sort *sort)
{
	if (!sort)
		return;
	if (sort->file >= 0)
		(void)close(sort->file);
	free(sort->memory);
	free(sort->runs);
	free(sort->order);
	free(sort);
}
