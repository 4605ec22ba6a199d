// SPDX-License-Identifier: GPL-3.0-or-later
// The sums of parts of a trace: joined in the order of their times, written to partials and read.
#include "flitstat.h"

#include <stdlib.h>
#include <string.h>

#include "stat/counts/bins.h"
#include "stream/name_index.h"
#include "stream/pauses.h"
#include "stream/unify.h"

struct stat_sums *stat_sums_new(void)
{
	return calloc(1, sizeof(struct stat_sums));
}

void stat_sums_clear(struct stat_sums *sums)
{
	traffic_clear(&sums->traffic);
	tr_names_clear(&sums->names);
}

void stat_sums_free(struct stat_sums *sums)
{
	if (!sums)
		return;
	traffic_close(&sums->traffic);
	tr_names_clear(&sums->names);
	free(sums);
}

static enum tr_status keep_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	return name->kind == TR_NAME_NODE ? tr_names_set(context, name, err) : TR_OK;
}

// Passes on the nodes that have a name. but: not these; NULL: all.
static enum tr_status each_node(const struct tr_names *names, const bool *but,
				enum tr_status (*take)(void *context, const struct tr_name *name,
						       struct tr_error *err),
				void *context, struct tr_error *err)
{
	struct tr_name name;

	for (uint32_t i = 0; i < names->node_count; i++)
		if (!(but && but[i]) && tr_name_of(names, TR_NAME_NODE, i, &name) &&
		    take(context, &name, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

bool *stat_pausing(const struct matrix *matrix, const struct tr_names *names)
{
	bool *pausing = tr_pauses_ends(names);

	for (size_t i = 0; pausing && i < matrix->pairs; i++) {
		const uint32_t ends[] = {matrix->cells[i].src, matrix->cells[i].dst};

		for (int k = 0; k < 2; k++)
			if (ends[k] < names->node_count)
				pausing[ends[k]] = false;
	}
	return pausing;
}

enum tr_status stat_sums_name(struct stat_sums *sums, const struct tr_reader *in,
			      struct tr_error *err)
{
	bool *pausing = stat_pausing(&sums->traffic.matrix, tr_reader_names(in));
	enum tr_status status = pausing ? each_node(tr_reader_names(in), pausing, keep_name,
						    &sums->names, err)
					: tr_no_memory(err, "the names of nodes");

	free(pausing);
	return status;
}

static void exchange_names(struct tr_names *names, struct partial *partial)
{
	uint64_t count = names->node_count;

	partial_u64(partial, &count, TRAFFIC_PARTIAL_NODES);
	for (uint32_t i = 0; i < count && partial_ok(partial); i++) {
		char text[TR_NAME_TEXT_MAX + 1] = "";
		struct tr_name name;
		uint64_t named = tr_name_of(names, TR_NAME_NODE, i, &name),
			 role = named ? name.role : 0;
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
		name = (struct tr_name){.kind = TR_NAME_NODE,
					.id = i,
					.role = (uint8_t)role,
					.text = text,
					.text_bytes = strlen(text)};
		if (partial_reads(partial) && partial_ok(partial) &&
		    (tr_name_check(&name, &err) != TR_OK ||
		     tr_names_set(names, &name, &err) != TR_OK))
			partial_refuse(partial, "node %u: %s", i, err.text);
	}
}

void stat_sums_exchange(struct stat_sums *sums, struct partial *partial)
{
	exchange_names(&sums->names, partial);
	traffic_exchange(&sums->traffic, partial);
}

// ---- joining

// The node's id among those of all parts, which it gets now if it has no name.
static enum tr_status map_node(struct tr_unify_input *input, uint32_t node, uint32_t *id,
			       struct tr_error *err)
{
	const union tr_record record = {
		.packet = {.src = node, .dst = TR_NODE_OTHER, .flow = TR_FLOW_NONE}};
	const union tr_record *mapped;

	if (tr_unify_record(input, &record, &mapped, err) != TR_OK)
		return TR_ERROR;
	*id = mapped->packet.src;
	return TR_OK;
}

// The ids of the nodes with traffic: freed by the caller. NULL after a failure.
static uint32_t *map_nodes(struct tr_unify_input *input, const struct traffic *traffic,
			   struct tr_error *err)
{
	uint32_t *ids = malloc((traffic->node_count + 1) * sizeof(*ids));
	enum tr_status status = ids ? TR_OK : tr_no_memory(err, "%zu nodes", traffic->node_count);

	for (size_t i = 0; status == TR_OK && i < traffic->node_count; i++)
		ids[i] = TR_NODE_OTHER;
	for (size_t i = 0; status == TR_OK && i < traffic->matrix.pairs; i++) {
		const uint32_t ends[] = {traffic->matrix.cells[i].src,
					 traffic->matrix.cells[i].dst};

		for (int k = 0; k < 2 && status == TR_OK; k++)
			if (ends[k] < traffic->node_count && ids[ends[k]] == TR_NODE_OTHER)
				status = map_node(input, ends[k], &ids[ends[k]], err);
	}
	if (status == TR_OK)
		return ids;
	free(ids);
	return NULL;
}

static enum tr_status join_sums(struct stat_sums *whole, struct stat_sums *sums,
				struct tr_unify_input *input, struct tr_error *err)
{
	enum tr_status status;
	uint32_t *ids;

	if (each_node(&sums->names, NULL, tr_unify_name, input, err) != TR_OK)
		return TR_ERROR;
	ids = map_nodes(input, &sums->traffic, err);
	status = ids ? traffic_join(&whole->traffic, &sums->traffic, ids, err) : TR_ERROR;
	free(ids);
	return status;
}

// sums: empty ones, which the part's are read into.
static enum tr_status stat_parts_join_part(struct stat_sums *whole, const struct parts *parts,
					   const struct part *part, struct stat_sums *sums,
					   struct tr_unify *unify, const struct tr_header *clock,
					   struct tr_error *err)
{
	struct tr_unify_input *input;
	int64_t ticks;

	if (part_shift(part, clock, &ticks, err) != TR_OK ||
	    parts_get(parts, part, sums, err) != TR_OK)
		return TR_ERROR;
	traffic_shift(&sums->traffic, ticks);
	if (tr_unify_add(unify, &part->clock, false, &input, err) != TR_OK ||
	    join_sums(whole, sums, input, err) != TR_OK)
		return tr_fail_for(err, err, "%s: %.300s", part->name, err->text);
	return TR_OK;
}

enum tr_status stat_sums_join(struct stat_sums *whole, struct parts *parts, struct tr_header *clock,
			      struct tr_error *err)
{
	struct stat_sums *sums = stat_sums_new();
	struct tr_unify *unify = NULL;
	enum tr_status status = sums ? parts_order(parts, err)
				     : tr_no_memory(err, "the sums of a part");

	if (status == TR_OK) {
		*clock = parts->list[0].clock;
		whole->traffic.epoch_ticks = (uint64_t)epoch_ticks(clock, 0);
		status = tr_unify_open(&unify, clock,
				       (struct tr_name_sink){keep_name, &whole->names}, err);
	}
	for (size_t i = 0; status == TR_OK && i < parts->count; i++) {
		status = stat_parts_join_part(whole, parts, &parts->list[i], sums, unify, clock,
					      err);
		stat_sums_clear(sums);
	}
	tr_unify_close(unify);
	stat_sums_free(sums);
	return status;
}
