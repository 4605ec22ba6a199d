// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "stat/counts/bins.h"
#include "stream/unify.h"
#include "value/grow.h"
#include "value/memstream.h"
#include "value/ticks.h"

#define SHIFT_MAX (INT64_C(1) << PARTIAL_I64_BITS)

// ---- sums as partials

static enum tr_status parts_exchange(const struct parts *parts, struct partial *partial,
				     struct tr_header *clock, void *sums, struct tr_error *err)
{
	enum tr_status status;

	part_exchange_clock(clock, partial);
	if (partial_ok(partial))
		parts->exchange(parts->context, sums, clock, partial);
	status = partial_finish(partial, err);
	partial_close(partial);
	return status;
}

enum tr_status parts_write(const struct parts *parts, FILE *out, struct tr_header *clock,
			   void *sums, struct tr_error *err)
{
	struct partial *partial;

	if (partial_create(&partial, out, parts->maker, parts->settings, err) != TR_OK)
		return TR_ERROR;
	return parts_exchange(parts, partial, clock, sums, err);
}

static enum tr_status read(const struct parts *parts, struct tr_source *source, FILE *copy,
			   struct tr_header *clock, void *sums, struct tr_error *err)
{
	struct partial *partial;

	if (partial_open(&partial, source, copy, parts->maker, parts->settings, err) != TR_OK)
		return TR_ERROR;
	return parts_exchange(parts, partial, clock, sums, err);
}

enum tr_status parts_get(const struct parts *parts, const struct part *part, void *sums,
			 struct tr_error *err)
{
	struct tr_header clock = part->clock;
	struct tr_source *source;
	enum tr_status status;

	if (tr_source_open_memory(&source, part->partial, part->size_bytes, part->name, err) !=
	    TR_OK)
		return TR_ERROR;
	status = read(parts, source, NULL, &clock, sums, err);
	tr_source_close(source);
	return status;
}

// ---- the list

// Adds a part with its partial, which is the list's unless this fails.
static enum tr_status add_parts(struct parts *parts, const char *name,
				const struct tr_header *clock, char *partial, size_t size_bytes,
				struct part **part, struct tr_error *err)
{
	const struct part *first = parts->list;
	char *copy;

	if (parts->count > 0 && first->clock.ticks_per_s != clock->ticks_per_s)
		return tr_fail(
			err,
			"%s: %llu ticks per second, and %s has %llu: flitcat joins such traces",
			name, (unsigned long long)clock->ticks_per_s, first->name,
			(unsigned long long)first->clock.ticks_per_s);
	if (!GROW(parts->list, parts->capacity, parts->count))
		return tr_no_memory(err, "%zu parts", parts->count);
	copy = strdup(name);
	if (!copy)
		return tr_no_memory(err, "%zu parts", parts->count + 1);
	*part = &parts->list[parts->count++];
	**part = (struct part){
		.name = copy, .clock = *clock, .partial = partial, .size_bytes = size_bytes};
	return TR_OK;
}

// Writes the sums to memory, or reads them from a source of which the bytes are kept.
static enum tr_status take(struct parts *parts, const char *name, struct tr_source *source,
			   struct tr_header *clock, void *sums, struct part **part,
			   struct tr_error *err)
{
	char *partial;
	size_t size_bytes;
	FILE *out = tr_memstream_open(&partial, &size_bytes);
	enum tr_status status;

	if (!out)
		return tr_no_memory(err, "%s", name);
	status = source ? read(parts, source, out, clock, sums, err)
			: parts_write(parts, out, clock, sums, err);
	if (!source && status != TR_OK)
		(void)tr_fail_for(err, err, "%s: %.300s", name, err->text);
	if (!tr_memstream_close(out) && status == TR_OK)
		status = tr_no_memory(err, "%s", name);
	if (status == TR_OK)
		status = add_parts(parts, name, clock, partial, size_bytes, part, err);
	if (status != TR_OK)
		free(partial);
	return status;
}

enum tr_status parts_add(struct parts *parts, const char *name, const struct tr_header *clock,
			 void *sums, struct part **part, struct tr_error *err)
{
	struct tr_header copy = *clock;

	return take(parts, name, NULL, &copy, sums, part, err);
}

enum tr_status parts_take(struct parts *parts, struct tr_source *source, void *sums,
			  struct part **part, struct tr_error *err)
{
	struct tr_header clock = {.kind = TR_PACKET};

	return take(parts, tr_source_name(source), source, &clock, sums, part, err);
}

static int parts_compare(__int128 a, __int128 b)
{
	return (a > b) - (a < b);
}

static int in_time(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	const int first = parts_compare(epoch_ticks(&a->clock, a->first_ticks),
					epoch_ticks(&b->clock, b->first_ticks));
	const int last = parts_compare(epoch_ticks(&a->clock, a->last_ticks),
				       epoch_ticks(&b->clock, b->last_ticks));

	if (a->packets == 0 || b->packets == 0)
		return parts_compare(a->packets > 0, b->packets > 0);
	return first ? first : last ? last : parts_compare(a->packets, b->packets);
}

enum tr_status parts_order(struct parts *parts, struct tr_error *err)
{
	const struct part *before = NULL;

	if (parts->count > 0)
		qsort(parts->list, parts->count, sizeof(*parts->list), in_time);
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->list[i];

		if (part->packets == 0)
			continue;
		if (before && epoch_ticks(&part->clock, part->first_ticks) <
				      epoch_ticks(&before->clock, before->last_ticks))
			return tr_fail(err, "%s and %s overlap in time: flitcat joins such traces",
				       before->name, part->name);
		before = part;
	}
	return TR_OK;
}

enum tr_status part_shift(const struct part *part, const struct tr_header *clock, int64_t *ticks,
			  struct tr_error *err)
{
	struct tr_rebase rebase;

	if (tr_rebase_make(&rebase, &part->clock, clock, false, err) != TR_OK ||
	    tr_rebase_time(&rebase, 0, ticks, err) != TR_OK)
		return tr_fail_for(err, err, "%s: %.300s", part->name, err->text);
	if (*ticks >= SHIFT_MAX || *ticks <= -SHIFT_MAX)
		return tr_fail(err, "%s: its times are too far from the others'", part->name);
	return TR_OK;
}

void part_exchange_clock(struct tr_header *clock, struct partial *partial)
{
	int64_t origin_ns = clock->origin_ns;

	partial_u64(partial, &clock->ticks_per_s, TR_TICKS_PER_S_MAX);
	partial_i64(partial, &clock->origin_s);
	partial_i64(partial, &origin_ns);
	clock->origin_ns = (uint32_t)origin_ns;
	if (origin_ns < 0 || origin_ns >= TR_NS_PER_S)
		partial_refuse(partial, "expected nanoseconds and not %lld", (long long)origin_ns);
}

void parts_close(struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		free(parts->list[i].partial);
		free(parts->list[i].name);
	}
	free(parts->list);
	parts->list = NULL;
	parts->count = parts->capacity = 0;
}
