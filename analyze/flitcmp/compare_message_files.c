// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "compare_messages.h"
#include "value/grow.h"
#include "value/order.h"

// ---- reading

enum tr_status compare_messages_read(struct compare_messages *messages, struct tr_reader *in,
				     const char *name, bool keep_going, struct tr_error *err)
{
	struct compare_message_file *file = &messages->files[messages->count];
	const union tr_record *record;
	enum tr_status status;

	if (messages->count == COMPARE_FILES)
		return tr_fail(err, "is the third stream of messages, expected two");
	messages->count++;
	file->name = strdup(name);
	file->ticks_per_s = tr_reader_header(in)->ticks_per_s;
	while ((status = tr_next(in, &record)) == TR_OK) {
		const struct tr_message *m = &record->message;

		if (!file->name || !GROW(file->list, file->room, file->count))
			return tr_no_memory(err, "%zu messages", file->count);
		file->list[file->count] = (struct compare_message){
			.source = m->src_rank == TR_RANK_NONE ? m->src : m->src_rank,
			.destination = m->dst_rank == TR_RANK_NONE ? m->dst : m->dst_rank,
			.tag = (uint32_t)m->tag,
			.communicator = m->communicator,
			.id = file->count,
			.size_bytes = m->size_bytes,
			.begin_ticks = m->begin_ticks,
			.end_ticks = m->end_ticks,
		};
		file->count++;
	}
	if (status == TR_ERROR && !keep_going)
		return tr_fail(err, "%s", tr_reader_error(in));
	return file->count > 0 ? TR_OK : tr_fail(err, "holds no message");
}

void compare_messages_clear(struct compare_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++) {
		free(messages->files[i].name);
		free(messages->files[i].list);
		free(messages->files[i].starts_ticks);
	}
	*messages = (struct compare_messages){.count = 0};
}

// ---- repetitions, and the numbers of messages

static int compare_channels(const struct compare_message *x, const struct compare_message *y)
{
	ORDER_BY(x->source, y->source);
	ORDER_BY(x->destination, y->destination);
	return ORDER(x->tag, y->tag);
}

static int compare_message_files_by_begin(const void *a, const void *b)
{
	const struct compare_message *x = a, *y = b;
	const int channels = compare_channels(x, y);

	ORDER_BY(x->communicator, y->communicator);
	if (channels != 0)
		return channels;
	ORDER_BY(x->begin_ticks, y->begin_ticks);
	return ORDER(x->id, y->id);
}

int compare_message_keys(const struct compare_message *x, const struct compare_message *y)
{
	const int channels = compare_channels(x, y);

	return channels != 0 ? channels : ORDER(x->number, y->number);
}

static int by_key(const void *a, const void *b)
{
	const struct compare_message *x = a, *y = b;
	const int keys = compare_message_keys(x, y);

	return keys != 0 ? keys : ORDER(x->repetition, y->repetition);
}

enum tr_status compare_messages_number(struct compare_message_file *file, struct tr_error *err)
{
	struct compare_message *list = file->list;

	qsort(list, file->count, sizeof(*list), compare_message_files_by_begin);
	for (size_t i = 1; i < file->count; i++) {
		const bool same = list[i].communicator == list[i - 1].communicator;

		list[i].repetition = list[i - 1].repetition + !same;
		list[i].number = same && compare_channels(&list[i], &list[i - 1]) == 0
					 ? list[i - 1].number + 1
					 : 0;
	}
	file->repetitions = list[file->count - 1].repetition + 1;
	file->starts_ticks = calloc(file->repetitions, sizeof(*file->starts_ticks));
	if (!file->starts_ticks)
		return tr_no_memory(err, "%u repetitions", file->repetitions);
	for (size_t i = 0; i < file->count; i++) {
		int64_t *start = &file->starts_ticks[list[i].repetition];

		if (i == 0 || list[i].repetition != list[i - 1].repetition ||
		    list[i].begin_ticks < *start)
			*start = list[i].begin_ticks;
	}
	qsort(list, file->count, sizeof(*list), by_key);
	return TR_OK;
}
