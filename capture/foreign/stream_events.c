// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/stream_events.h"
#include "value/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gathered {
	struct tr_message *messages;
	size_t count, capacity;
	uint32_t nodes, ranks; // most, plus 1
	bool ranked;	       // all have ranks
};

static uint32_t stream_events_more(uint32_t most, uint32_t number)
{
	return number >= most ? number + 1 : most;
}

static enum tr_status stream_events_gather(struct gathered *gathered,
					   const struct tr_message *message, struct tr_error *err)
{
	if (message->src >= EVENTS_RANKS_MAX || message->dst >= EVENTS_RANKS_MAX)
		return tr_fail(err, "a message of a node beyond the table of names");
	if (!GROW(gathered->messages, gathered->capacity, gathered->count))
		return tr_no_memory(err, "%zu messages", gathered->count);
	gathered->nodes = stream_events_more(stream_events_more(gathered->nodes, message->src),
					     message->dst);
	gathered->ranked &= message->src_rank < EVENTS_RANKS_MAX &&
			    message->dst_rank < EVENTS_RANKS_MAX;
	if (gathered->ranked)
		gathered->ranks = stream_events_more(
			stream_events_more(gathered->ranks, message->src_rank), message->dst_rank);
	gathered->messages[gathered->count] = *message;
	gathered->messages[gathered->count].id =
		gathered->count; // streams need not be in order of time
	gathered->count++;
	return TR_OK;
}

static int stream_events_in_time(const void *a, const void *b)
{
	const struct tr_message *x = a, *y = b;

	if (x->begin_ticks != y->begin_ticks)
		return x->begin_ticks < y->begin_ticks ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static enum tr_status stream_events_add(struct events *events, const struct tr_message *message,
					bool ranked, struct tr_error *err)
{
	const struct event event = {.kind = EVENT_MESSAGE,
				    .begin_ticks = message->begin_ticks,
				    .end_ticks = message->end_ticks,
				    .bytes = message->size_bytes,
				    .peer = ranked ? message->dst_rank : message->dst,
				    .tag = message->tag};

	return events_add(events, ranked ? message->src_rank : message->src, &event, 0, err);
}

static enum tr_status stream_events_make(struct events *events, const struct gathered *gathered,
					 const struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	enum tr_status status = events_open(events,
					    gathered->ranked ? gathered->ranks : gathered->nodes,
					    header->ticks_per_s, err);

	events->origin_s = header->origin_s;
	for (uint32_t node = 0; status == TR_OK && !gathered->ranked && node < gathered->nodes;
	     node++) {
		const char *name = tr_names_node(tr_reader_names(in), node);

		if (name && *name)
			status = events_name(events, node, name, err);
	}
	for (size_t i = 0; status == TR_OK && i < gathered->count; i++)
		status = stream_events_add(events, &gathered->messages[i], gathered->ranked, err);
	return status == TR_OK ? events_finish(events, err) : status;
}

enum tr_status stream_events(struct tr_reader *in, struct events *events, uint64_t *left_out,
			     struct tr_error *err)
{
	struct gathered gathered = {.ranked = true};
	const union tr_record *record;
	enum tr_status status;

	memset(events, 0, sizeof(*events));
	*left_out = 0;
	if (tr_reader_header(in)->kind != TR_MESSAGE)
		return tr_fail(err, "%s: expected a stream of messages, found one of %s records",
			       tr_reader_name(in), tr_kind_find(tr_reader_header(in)->kind)->name);
	while ((status = tr_next(in, &record)) == TR_OK) {
		struct tr_error why;

		if (tr_operation_is_collective(record->message.operation)) {
			++*left_out;
		} else if (stream_events_gather(&gathered, &record->message, &why) != TR_OK) {
			status = tr_fail_for(err, &why, "%s: record %" PRIu64 ": %s",
					     tr_reader_name(in), tr_reader_records(in), why.text);
			break;
		}
	}
	if (status == TR_ERROR && *tr_reader_error(in))
		err->text[0] = '\0';
	if (status == TR_END) {
		if (gathered.count > 0)
			qsort(gathered.messages, gathered.count, sizeof(*gathered.messages),
			      stream_events_in_time);
		status = stream_events_make(events, &gathered, in, err);
	}
	free(gathered.messages);
	return status;
}
