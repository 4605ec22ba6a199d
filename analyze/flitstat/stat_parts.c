// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a trace and the files that keep them: read, joined in the order of their times, written.
#include "flitstat.h"

#include <stdlib.h>
#include <string.h>

#include "stat/bins.h"
#include "trace/name_index.h"
#include "trace/ticks.h"
#include "trace/unify.h"

#define MAKER "flitstat " FLIT_VERSION
#define SHIFT_MAX (INT64_C(1) << PARTIAL_I64_BITS)

static void free_part(struct stat_part *part)
{
	if (!part)
		return;
	traffic_close(&part->traffic);
	tr_names_clear(&part->names);
	free(part->name);
	free(part);
}

enum tr_status stat_part_add(struct stat_parts *parts, const char *name, const struct tr_header *clock, struct stat_part **part,
			     struct tr_error *err)
{
	const struct stat_part *first = parts->count > 0 ? parts->list[0] : NULL;
	struct stat_part *made;

	if (first && first->clock.ticks_per_s != clock->ticks_per_s)
		return tr_fail(err, "%s: %llu ticks per second, and %s has %llu: flitcat joins such traces", name,
			       (unsigned long long)clock->ticks_per_s, first->name,
			       (unsigned long long)first->clock.ticks_per_s);
	made = calloc(1, sizeof(*made));
	*part = made;
	if (made)
		made->name = strdup(name);
	if (made && made->name && parts->count == parts->capacity) {
		const size_t more = parts->capacity ? 2 * parts->capacity : 16;
		struct stat_part **list = reallocarray(parts->list, more, sizeof(struct stat_part *));

		parts->list = list ? list : parts->list;
		parts->capacity = list ? more : parts->capacity;
	}
	if (!made || !made->name || parts->count == parts->capacity) {
		free_part(made);
		return tr_no_memory(err, "%zu parts", parts->count + 1);
	}
	made->clock = *clock;
	parts->list[parts->count++] = made;
	return TR_OK;
}

static enum tr_status keep_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	return name->kind == TR_NAME_NODE ? tr_names_set(context, name, err) : TR_OK;
}

// Passes on the nodes that have a name.
static enum tr_status each_node(const struct tr_names *names,
				enum tr_status (*take)(void *context, const struct tr_name *name, struct tr_error *err),
				void *context, struct tr_error *err)
{
	struct tr_name name;

	for (uint32_t i = 0; i < names->node_count; i++)
		if (tr_name_of(names, TR_NAME_NODE, i, &name) && take(context, &name, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status stat_part_name(struct stat_part *part, const struct tr_reader *in, struct tr_error *err)
{
	return each_node(tr_reader_names(in), keep_name, &part->names, err);
}

// ---- files

static void exchange_clock(struct tr_header *clock, struct partial *partial)
{
	int64_t origin_ns = clock->origin_ns;

	partial_u64(partial, &clock->ticks_per_s, TR_TICKS_PER_S_MAX);
	partial_i64(partial, &clock->origin_s);
	partial_i64(partial, &origin_ns);
	clock->origin_ns = (uint32_t)origin_ns;
	if (clock->ticks_per_s == 0 || origin_ns < 0 || origin_ns >= TR_NS_PER_S)
		partial_refuse(partial, "expected ticks per second and the nanoseconds of an origin");
}

static void exchange_names(struct tr_names *names, struct partial *partial)
{
	uint64_t count = names->node_count;

	partial_u64(partial, &count, TRAFFIC_PARTIAL_NODES);
	for (uint32_t i = 0; i < count && partial_ok(partial); i++) {
		char text[TR_NAME_TEXT_MAX + 1] = "";
		struct tr_name name;
		uint64_t named = tr_name_of(names, TR_NAME_NODE, i, &name), role = named ? name.role : 0;
		struct tr_error err;

		if (!partial_reads(partial) && named) {
			memcpy(text, name.text, name.text_bytes);
			text[name.text_bytes] = '\0';
		}
		partial_u64(partial, &named, 1);
		if (!named)
			continue;
		partial_u64(partial, &role, TR_ROLE_WORKER);
		partial_text(partial, text, sizeof(text));
		name = (struct tr_name){
			.kind = TR_NAME_NODE, .id = i, .role = (uint8_t)role, .text = text, .text_bytes = strlen(text)};
		if (partial_reads(partial) && partial_ok(partial) &&
		    (tr_name_check(&name, &err) != TR_OK || tr_names_set(names, &name, &err) != TR_OK))
			partial_refuse(partial, "node %u: %s", i, err.text);
	}
}

static void exchange(struct stat_part *part, struct partial *partial)
{
	exchange_names(&part->names, partial);
	traffic_exchange(&part->traffic, partial);
}

enum tr_status stat_part_open(struct stat_parts *parts, struct partial **partial, struct tr_source *source,
			      const char *settings, struct stat_part **part, struct tr_error *err)
{
	struct tr_header clock = {.kind = TR_PACKET};
	enum tr_status status;

	if (partial_open(partial, source, MAKER, settings, err) != TR_OK)
		return TR_ERROR;
	exchange_clock(&clock, *partial);
	status = partial_ok(*partial) ? stat_part_add(parts, tr_source_name(source), &clock, part, err)
				      : partial_finish(*partial, err);
	if (status == TR_OK)
		return TR_OK;
	partial_close(*partial);
	return TR_ERROR;
}

enum tr_status stat_part_read(struct stat_part *part, struct partial *partial, struct tr_error *err)
{
	enum tr_status status;

	exchange(part, partial);
	status = partial_finish(partial, err);
	partial_close(partial);
	return status;
}

enum tr_status stat_part_write(struct stat_part *part, FILE *out, const char *settings, struct tr_error *err)
{
	struct partial *partial;
	enum tr_status status;

	if (partial_create(&partial, out, MAKER, settings, err) != TR_OK)
		return TR_ERROR;
	exchange_clock(&part->clock, partial);
	exchange(part, partial);
	status = partial_finish(partial, err);
	partial_close(partial);
	return status;
}

// ---- joining

static int compare(__int128 a, __int128 b)
{
	return (a > b) - (a < b);
}

// By the first and the last packet; parts without packets come first.
static int in_time(const void *left, const void *right)
{
	const struct stat_part *a = *(struct stat_part *const *)left, *b = *(struct stat_part *const *)right;
	const uint64_t packets = a->traffic.kinds[TRAFFIC_CLASSES].packets, others = b->traffic.kinds[TRAFFIC_CLASSES].packets;
	const int first = compare(epoch_ticks(&a->clock, a->traffic.first_ticks),
				  epoch_ticks(&b->clock, b->traffic.first_ticks));
	const int last = compare(epoch_ticks(&a->clock, a->traffic.last_ticks), epoch_ticks(&b->clock, b->traffic.last_ticks));

	if (packets == 0 || others == 0)
		return compare(packets > 0, others > 0);
	return first ? first : last ? last : compare(packets, others);
}

static enum tr_status check_order(const struct stat_parts *parts, struct tr_error *err)
{
	const struct stat_part *before = NULL;

	for (size_t i = 0; i < parts->count; i++) {
		const struct stat_part *part = parts->list[i];

		if (part->traffic.kinds[TRAFFIC_CLASSES].packets == 0)
			continue;
		if (before && epoch_ticks(&part->clock, part->traffic.first_ticks) <
				      epoch_ticks(&before->clock, before->traffic.last_ticks))
			return tr_fail(err, "%s and %s overlap in time: flitcat joins such traces", before->name, part->name);
		before = part;
	}
	return TR_OK;
}

// The node's id among those of all parts, which it gets now if it has no name.
static enum tr_status map_node(struct tr_unify_input *input, uint32_t node, uint32_t *id, struct tr_error *err)
{
	const union tr_record record = {.packet = {.src = node, .dst = TR_NODE_OTHER, .flow = TR_FLOW_NONE}};
	const union tr_record *mapped;

	if (tr_unify_record(input, &record, &mapped, err) != TR_OK)
		return TR_ERROR;
	*id = mapped->packet.src;
	return TR_OK;
}

// The ids of the nodes with traffic: freed by the caller. NULL after a failure.
static uint32_t *map_nodes(struct tr_unify_input *input, const struct traffic *traffic, struct tr_error *err)
{
	uint32_t *ids = malloc((traffic->node_count + 1) * sizeof(*ids));
	enum tr_status status = ids ? TR_OK : tr_no_memory(err, "%zu nodes", traffic->node_count);

	for (size_t i = 0; status == TR_OK && i < traffic->node_count; i++)
		ids[i] = TR_NODE_OTHER;
	for (size_t i = 0; status == TR_OK && i < traffic->matrix.pairs; i++) {
		const uint32_t ends[] = {traffic->matrix.cells[i].src, traffic->matrix.cells[i].dst};

		for (int k = 0; k < 2 && status == TR_OK; k++)
			if (ends[k] < traffic->node_count && ids[ends[k]] == TR_NODE_OTHER)
				status = map_node(input, ends[k], &ids[ends[k]], err);
	}
	if (status == TR_OK)
		return ids;
	free(ids);
	return NULL;
}

static enum tr_status join_part(struct stat_part *whole, struct stat_part *part, struct tr_unify *unify, struct tr_error *err)
{
	struct tr_unify_input *input;
	enum tr_status status;
	int64_t shift_ticks;
	uint32_t *ids;

	if (tr_unify_add(unify, &part->clock, false, &input, err) != TR_OK ||
	    each_node(&part->names, tr_unify_name, input, err) != TR_OK)
		return TR_ERROR;
	shift_ticks = tr_unify_time(input, 0);
	if (shift_ticks >= SHIFT_MAX || shift_ticks <= -SHIFT_MAX)
		return tr_fail(err, "its times are too far from the others'");
	traffic_shift(&part->traffic, shift_ticks);
	ids = map_nodes(input, &part->traffic, err);
	status = ids ? traffic_join(&whole->traffic, &part->traffic, ids, err) : TR_ERROR;
	free(ids);
	return status;
}

enum tr_status stat_parts_join(struct stat_parts *parts, const struct traffic_settings *settings, struct stat_part **whole,
			       struct tr_error *err)
{
	struct tr_unify *unify = NULL;
	enum tr_status status;

	qsort(parts->list, parts->count, sizeof(struct stat_part *), in_time);
	if (check_order(parts, err) != TR_OK)
		return TR_ERROR;
	parts->whole = calloc(1, sizeof(*parts->whole));
	if (!parts->whole)
		return tr_no_memory(err, "%zu parts", parts->count);
	parts->whole->clock = parts->list[0]->clock;
	traffic_open(&parts->whole->traffic, settings);
	status = tr_unify_open(&unify, &parts->whole->clock, (struct tr_name_sink){keep_name, &parts->whole->names}, err);
	for (size_t i = 0; status == TR_OK && i < parts->count; i++) {
		status = join_part(parts->whole, parts->list[i], unify, err);
		if (status != TR_OK)
			status = tr_fail_for(err, err, "%s: %.300s", parts->list[i]->name, err->text);
		free_part(parts->list[i]);
		parts->list[i] = NULL;
	}
	tr_unify_close(unify);
	*whole = parts->whole;
	return status;
}

void stat_parts_close(struct stat_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		free_part(parts->list[i]);
	free_part(parts->whole);
	free(parts->list);
	*parts = (struct stat_parts){.list = NULL};
}
