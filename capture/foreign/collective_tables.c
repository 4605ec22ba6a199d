// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/collective_tables.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/instances.h"
#include "foreign/match.h"
#include "table/table_rows.h"
#include "value/grow.h"
#include "value/order.h"

TABLE_ROW(collectives, (count, communicator), (text, name), (count, ranks), (text, operation),
	  (count, size_B), (text, kernel), (count, operations), (count, parts), (real, mean_us, 9),
	  (us, min_us, 9), (us, max_us, 9), (some, shortest_rank), (count, shortest));
TABLE_ROW(collective_ranks, (count, communicator), (text, name), (text, operation), (count, size_B),
	  (text, kernel), (count, rank), (count, parts), (real, mean_us, 9), (us, min_us, 9),
	  (us, max_us, 9), (count, shortest));

bool collective_parts_add(struct collective_parts *parts, const struct collective_part *part)
{
	if (!GROW(parts->items, parts->room, parts->count))
		return false;
	parts->items[parts->count++] = *part;
	return true;
}

const char *collective_text(struct collective_parts *parts, const char *text)
{
	for (size_t i = parts->text_count; i-- > 0;)
		if (strcmp(parts->texts[i], text) == 0)
			return parts->texts[i];
	if (!GROW(parts->texts, parts->text_room, parts->text_count))
		return NULL;
	parts->texts[parts->text_count] = strdup(text);
	return parts->texts[parts->text_count] ? parts->texts[parts->text_count++] : NULL;
}

void collective_parts_clear(struct collective_parts *parts)
{
	for (size_t i = 0; i < parts->text_count; i++)
		free(parts->texts[i]);
	free(parts->texts);
	free(parts->items);
	*parts = (struct collective_parts){0};
}

static const char *collective_word(const struct events *events, uint32_t number)
{
	return number < events->word_count ? events->words[number] : NULL;
}

// Bytes that the event's rank gives, or of a broadcast and scatter the root.
static uint64_t collective_tables_bytes(const struct events *events, uint32_t rank,
					const struct event *event)
{
	uint32_t members;

	(void)events_members(events, rank, event->communicator, &members);
	if (event->collective == COLLECTIVE_BCAST)
		return event->bytes;
	if (event->collective == COLLECTIVE_SCATTER && event->counts == 0)
		return event->bytes * members;
	return events_given(events, rank, event);
}

// The bytes of each operation are the most of its members.
static void collective_measure(struct instances *instances, const struct events *events)
{
	for (uint64_t i = 0; i < instances->count; i++)
		instances->items[i].bytes = 0;
	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++) {
			const struct event *event = &events->by_rank[rank].events[i];
			uint64_t bytes, *most;

			if (event->kind != EVENT_COLLECTIVE)
				continue;
			bytes = collective_tables_bytes(events, rank, event);
			most = &instances_of(instances, events, rank, event)->bytes;
			*most = bytes > *most ? bytes : *most;
		}
}

static bool collective_add_rank(struct collective_parts *parts, const struct events *events,
				const struct instances *instances, uint32_t rank, int64_t *ends)
{
	const struct event_rank *own = &events->by_rank[rank];
	bool good = true;

	events_ends(events, rank, ends);
	for (uint32_t i = 0; i < own->count && good; i++) {
		const struct event *event = &own->events[i];
		const struct event_communicator *communicator;
		struct collective_part part = {.rank = rank};

		if (event->kind != EVENT_COLLECTIVE)
			continue;
		communicator = event_communicator_of(events, rank, event);
		part.communicator = collective_word(events, communicator->name - 1);
		part.operation = event_collective_word(event->collective);
		part.kernel = collective_word(events, event->link);
		part.number = communicator->id;
		part.instance = (uint32_t)event->tag;
		part.bytes = instances_of(instances, events, rank, event)->bytes;
		part.ticks = ends[i] - event->begin_ticks;
		(void)events_members(events, rank, event->communicator, &part.ranks);
		good = collective_parts_add(parts, &part);
	}
	return good;
}

enum tr_status collective_parts_of(struct collective_parts *parts, const struct events *events,
				   uint64_t *ticks_per_s, struct tr_error *err)
{
	struct instances instances;
	int64_t *ends = events_ends_room(events);
	enum tr_status status = instances_make(&instances, events, err);
	bool good = ends;

	*ticks_per_s = events->ticks_per_s;
	if (status == TR_OK)
		collective_measure(&instances, events);
	for (uint32_t rank = 0; rank < events->ranks && good && status == TR_OK; rank++)
		good = collective_add_rank(parts, events, &instances, rank, ends);
	instances_clear(&instances);
	free(ends);
	return status == TR_OK && !good ? tr_no_memory(err, "collective operations") : status;
}

// ---- rows

static int collective_compare_texts(const char *x, const char *y)
{
	return strcmp(x ? x : "", y ? y : "");
}

static int collective_by_instance(const void *a, const void *b)
{
	const struct collective_part *x = a, *y = b;

	ORDER_BY(x->number, y->number);
	ORDER_BY(collective_compare_texts(x->operation, y->operation), 0);
	ORDER_BY(x->instance, y->instance);
	return ORDER(x->ticks, y->ticks);
}

static int collective_by_row(const void *a, const void *b)
{
	const struct collective_part *x = a, *y = b;

	ORDER_BY(x->number, y->number);
	ORDER_BY(collective_compare_texts(x->operation, y->operation), 0);
	ORDER_BY(x->bytes, y->bytes);
	ORDER_BY(collective_compare_texts(x->kernel, y->kernel), 0);
	ORDER_BY(x->rank, y->rank);
	return ORDER(x->instance, y->instance);
}

static bool collective_same_instance(const struct collective_part *x,
				     const struct collective_part *y)
{
	return x->number == y->number && x->instance == y->instance &&
	       strcmp(x->operation, y->operation) == 0;
}

// Marks the part of each operation that is shorter than all others.
static void collective_mark(struct collective_parts *parts)
{
	if (parts->count > 0)
		qsort(parts->items, parts->count, sizeof(*parts->items), collective_by_instance);
	for (size_t i = 0, end; i < parts->count; i = end) {
		for (end = i + 1; end < parts->count &&
				  collective_same_instance(&parts->items[i], &parts->items[end]);)
			end++;
		parts->items[i].shortest = end > i + 1 &&
					   parts->items[i].ticks < parts->items[i + 1].ticks;
	}
	if (parts->count > 0)
		qsort(parts->items, parts->count, sizeof(*parts->items), collective_by_row);
}

struct collective_sum {
	uint64_t parts, shortest, operations;
	__int128 ticks;
	int64_t min_ticks, max_ticks;
};

static void collective_sum_add(struct collective_sum *sum, const struct collective_sum *other)
{
	sum->min_ticks = sum->parts == 0 || other->min_ticks < sum->min_ticks ? other->min_ticks
									      : sum->min_ticks;
	sum->max_ticks = sum->parts == 0 || other->max_ticks > sum->max_ticks ? other->max_ticks
									      : sum->max_ticks;
	sum->parts += other->parts;
	sum->shortest += other->shortest;
	sum->ticks += other->ticks;
	// The most that a rank took part in.
	sum->operations = other->parts > sum->operations ? other->parts : sum->operations;
}

static double collective_mean_us(const struct collective_sum *sum, uint64_t ticks_per_s)
{
	return (double)sum->ticks / (double)sum->parts * 1e6 / (double)ticks_per_s;
}

static bool collective_same_row(const struct collective_part *x, const struct collective_part *y)
{
	return x->number == y->number && x->bytes == y->bytes &&
	       strcmp(x->operation, y->operation) == 0 &&
	       collective_compare_texts(x->kernel, y->kernel) == 0;
}

// The row of a rank, whose parts begin at first; the first that is no longer its own.
static size_t collective_put_rank(const struct collective_parts *parts, size_t first,
				  uint64_t ticks_per_s, struct table *table,
				  struct collective_sum *sum)
{
	const struct collective_part *part = &parts->items[first];
	size_t end = first;

	*sum = (struct collective_sum){0};
	for (; end < parts->count && parts->items[end].rank == part->rank &&
	       collective_same_row(part, &parts->items[end]);
	     end++) {
		const int64_t ticks = parts->items[end].ticks;
		const struct collective_sum one = {
			1, parts->items[end].shortest, 0, ticks, ticks, ticks};

		collective_sum_add(sum, &one);
	}
	TABLE_PUT(table, collective_ranks, .communicator = part->number, .name = part->communicator,
		  .operation = part->operation, .size_B = part->bytes, .kernel = part->kernel,
		  .rank = part->rank, .parts = sum->parts,
		  .mean_us = collective_mean_us(sum, ticks_per_s), .min_us = sum->min_ticks,
		  .max_us = sum->max_ticks, .shortest = sum->shortest);
	return end;
}

enum tr_status collective_tables_print(struct collective_parts *parts, uint64_t ticks_per_s,
				       struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[] = {
		table_of("collectives", "Collective operations", collectives_fields),
		table_of("ranks", "Collective operations by rank", collective_ranks_fields)};

	table_set_clock(tables[0], ticks_per_s);
	table_set_clock(tables[1], ticks_per_s);
	collective_mark(parts);
	for (size_t i = 0, end; i < parts->count; i = end) {
		const struct collective_part *part = &parts->items[i];
		struct collective_sum all = {0}, own;
		uint64_t most = 0;
		int64_t rank = -1;

		for (end = i;
		     end < parts->count && collective_same_row(part, &parts->items[end]);) {
			const uint32_t of = parts->items[end].rank;

			end = collective_put_rank(parts, end, ticks_per_s, tables[1], &own);
			rank = own.shortest > most ? of : rank;
			most = own.shortest > most ? own.shortest : most;
			collective_sum_add(&all, &own);
		}
		TABLE_PUT(tables[0], collectives, .communicator = part->number,
			  .name = part->communicator, .ranks = part->ranks,
			  .operation = part->operation, .size_B = part->bytes,
			  .kernel = part->kernel, .operations = all.operations, .parts = all.parts,
			  .mean_us = collective_mean_us(&all, ticks_per_s), .min_us = all.min_ticks,
			  .max_us = all.max_ticks, .shortest_rank = rank, .shortest = most);
	}
	return tables_finish(tables, 2, style, "flitread", out, err);
}
