// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/unify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/name_index.h"
#include "stream/provenance.h"
#include "value/grow.h"
#include "value/id_map.h"

#define KINDS 3 // nodes, flows, links
#define SHARED (UINT32_MAX - 1)
#define NOTE_DEPTH 2 // a note is indented below "input NAME" of the output's lines

// The output's ids of one kind: who made each (the input's number, SHARED, or nobody).
struct output_ids {
	struct tr_id_array makers;
	uint32_t free_id; // all ids below are used
};

// A file of links that flows of pauses name; its place is its number in the output.
struct output_file {
	uint32_t input, number;
};

struct tr_unify {
	struct tr_header header;
	struct tr_names names;
	struct tr_name_index index;
	struct output_ids ids[KINDS];
	struct tr_name_sink sink;
	struct tr_unify_input *inputs; // the last added first
	uint32_t input_count;
	struct output_file *files; // NULL: numbers stay
	uint32_t file_count, file_capacity;
	bool apart;
};

struct tr_unify_input {
	struct tr_unify *unify;
	struct tr_unify_input *next;
	uint32_t number;
	struct tr_id_map maps[KINDS];
	struct tr_names counters; // this input's latest values; the other tables stay empty
	struct tr_id_pages flows; // of struct tr_flow, in this input's ids
	struct tr_rebase rebase;
	union tr_record record;
};

static unsigned kind_index(enum tr_name_kind kind)
{
	return (unsigned)kind - TR_NAME_NODE;
}

enum tr_status tr_unify_open(struct tr_unify **out, const struct tr_header *header,
			     struct tr_name_sink sink, struct tr_error *err)
{
	struct tr_unify *unify = calloc(1, sizeof(*unify));

	*out = unify;
	if (!unify)
		return tr_no_memory(err, "the names of nodes");
	unify->header = *header;
	unify->index.names = &unify->names;
	unify->sink = sink;
	return TR_OK;
}

enum tr_status tr_unify_add(struct tr_unify *unify, const struct tr_header *header, bool round,
			    struct tr_unify_input **input, struct tr_error *err)
{
	struct tr_unify_input *added = calloc(1, sizeof(*added));

	*input = NULL;
	if (!added)
		return tr_no_memory(err, "the names of nodes");
	if (tr_rebase_make(&added->rebase, header, &unify->header, round, err) != TR_OK) {
		free(added);
		return TR_ERROR;
	}
	added->unify = unify;
	added->number = unify->input_count++;
	added->next = unify->inputs;
	unify->inputs = added;
	*input = added;
	return TR_OK;
}

void tr_unify_keep_links_apart(struct tr_unify *unify)
{
	unify->apart = true;
}

// The output's number of an input's link whose pauses it has (TR_PROTOCOL_PAUSE).
static enum tr_status map_paused_link(const struct tr_unify_input *input, uint32_t *link,
				      struct tr_error *err)
{
	struct tr_unify *unify = input->unify;
	const struct output_file own = {input->number, *link >> 16};
	uint32_t at = 0;

	if (!unify->apart)
		return TR_OK;
	while (at < unify->file_count &&
	       (unify->files[at].input != own.input || unify->files[at].number != own.number))
		at++;
	if (at > UINT16_MAX)
		return tr_fail(err, "pauses of links from more than 65536 files");
	if (!GROW(unify->files, unify->file_capacity, at))
		return tr_no_memory(err, "the links");
	unify->files[at] = own;
	unify->file_count += at == unify->file_count;
	*link = at << 16 | (*link & UINT16_MAX);
	return TR_OK;
}

// A free id: wanted if that is free.
static uint32_t free_id(struct output_ids *ids, uint32_t wanted)
{
	if (tr_id_get(&ids->makers, wanted) == UINT32_MAX)
		return wanted;
	while (tr_id_get(&ids->makers, ids->free_id) != UINT32_MAX)
		ids->free_id++;
	return ids->free_id;
}

// The output's id for a name new in this input: one with the same meaning, or a new one.
static enum tr_status unify_choose(struct tr_unify_input *input, const struct tr_name *name,
				   uint32_t *id, struct tr_error *err)
{
	unsigned kind = kind_index(name->kind);
	struct output_ids *ids = &input->unify->ids[kind];
	uint32_t found = tr_name_index_find(&input->unify->index, name);

	if (found != TR_ID_NONE && tr_id_get(&input->maps[kind].back, found) == UINT32_MAX) {
		*id = found;
		if (tr_id_get(&ids->makers, found) == input->number)
			return TR_OK;
		return tr_id_set(&ids->makers, found, SHARED, err);
	}
	*id = free_id(ids, name->id);
	return tr_id_set(&ids->makers, *id, input->number, err);
}

static bool means_the_same(const struct tr_unify *unify, const struct tr_name *name, uint32_t id)
{
	struct tr_name held;

	if (!tr_name_of(&unify->names, name->kind, id, &held))
		return false;
	if (name->kind == TR_NAME_FLOW)
		return held.src == name->src && held.dst == name->dst &&
		       held.protocol == name->protocol && held.src_port == name->src_port &&
		       held.dst_port == name->dst_port;
	return held.text_bytes == name->text_bytes &&
	       !memcmp(held.text, name->text, name->text_bytes);
}

// Finds or makes the output's id for an input's name and remembers it.
static enum tr_status map_name(struct tr_unify_input *input, const struct tr_name *name,
			       uint32_t *id, struct tr_error *err)
{
	unsigned kind = kind_index(name->kind);
	uint32_t before = tr_id_get(&input->maps[kind].to, name->id);

	*id = before;
	if (before != UINT32_MAX &&
	    (tr_id_get(&input->unify->ids[kind].makers, before) == input->number ||
	     means_the_same(input->unify, name, before)))
		return TR_OK;
	if (unify_choose(input, name, id, err) != TR_OK)
		return TR_ERROR;
	return tr_id_map_set(&input->maps[kind], name->id, *id, err);
}

// Remembers a flow in the input's own ids.
static enum tr_status keep_flow(struct tr_unify_input *input, const struct tr_name *name,
				struct tr_error *err)
{
	struct tr_flow *flow = tr_id_pages_make(&input->flows, name->id, sizeof(*flow));

	if (!flow)
		return tr_no_memory(err, "flows");
	*flow = (struct tr_flow){name->src,	 name->dst,	 name->src_port,
				 name->dst_port, name->protocol, true};
	return TR_OK;
}

// Takes a name with all ids mapped except its own: enters it, passes it on.
static enum tr_status unify_enter(struct tr_unify_input *input, struct tr_name *mapped,
				  struct tr_error *err)
{
	struct tr_unify *unify = input->unify;
	uint32_t id;

	if (map_name(input, mapped, &id, err) != TR_OK)
		return TR_ERROR;
	mapped->id = id;
	if (mapped->kind == TR_NAME_NODE && mapped->role == TR_ROLE_UNKNOWN &&
	    tr_id_get(&unify->ids[kind_index(TR_NAME_NODE)].makers, id) == SHARED)
		mapped->role = (uint8_t)tr_names_role(&unify->names, id);
	if (tr_names_set(&unify->names, mapped, err) != TR_OK ||
	    tr_name_index_add(&unify->index, mapped, err) != TR_OK)
		return TR_ERROR;
	return unify->sink.put(unify->sink.context, mapped, err);
}

// Enters a flow of the input.
static enum tr_status enter_flow(struct tr_unify_input *input, uint32_t id, struct tr_error *err)
{
	const struct tr_id_array *nodes = &input->maps[kind_index(TR_NAME_NODE)].to;
	const struct tr_flow *flow = tr_id_pages_at(&input->flows, id, sizeof(*flow));
	struct tr_name mapped = {
		.kind = TR_NAME_FLOW,
		.id = id,
		.text = "",
		.protocol = flow->protocol,
		.src_port = flow->src_port,
		.dst_port = flow->dst_port,
		.src = tr_id_get(nodes, flow->src), // nobody stays UINT32_MAX
		.dst = tr_id_get(nodes, flow->dst),
	};

	if (flow->protocol == TR_PROTOCOL_PAUSE &&
	    map_paused_link(input, &mapped.src_port, err) != TR_OK)
		return TR_ERROR;
	return unify_enter(input, &mapped, err);
}

static enum tr_status unify_take_flow(struct tr_unify_input *input, const struct tr_name *name,
				      struct tr_error *err)
{
	if (keep_flow(input, name, err) != TR_OK)
		return TR_ERROR;
	return enter_flow(input, name->id, err);
}

// If a node becomes another one of the output, its flows change with it.
static enum tr_status unify_take_node(struct tr_unify_input *input, const struct tr_name *name,
				      struct tr_error *err)
{
	const struct tr_id_map *nodes = &input->maps[kind_index(TR_NAME_NODE)];
	const struct tr_id_map *flows = &input->maps[kind_index(TR_NAME_FLOW)];
	uint32_t before = tr_id_get(&nodes->to, name->id);
	struct tr_name mapped = *name;
	enum tr_status status = unify_enter(input, &mapped, err);

	if (before == UINT32_MAX || before == mapped.id)
		return status;
	for (uint32_t id = 0;
	     (id = tr_id_pages_next(&input->flows, id)) != UINT32_MAX && status == TR_OK; id++) {
		const struct tr_flow *flow = tr_id_pages_at(&input->flows, id, sizeof(*flow));

		if (flow->named && (flow->src == name->id || flow->dst == name->id) &&
		    tr_id_get(&flows->to, id) != UINT32_MAX)
			status = enter_flow(input, id, err);
	}
	return status;
}

static enum tr_status unify_take_link(struct tr_unify_input *input, const struct tr_name *name,
				      struct tr_error *err)
{
	struct tr_name mapped = *name;

	return unify_enter(input, &mapped, err);
}

static const struct tr_counter *unify_find_counter(const struct tr_names *names,
						   const struct tr_name *name)
{
	for (uint32_t i = 0; i < names->counter_count; i++)
		if (strlen(names->counters[i].key) == name->text_bytes &&
		    !memcmp(names->counters[i].key, name->text, name->text_bytes))
			return &names->counters[i];
	return NULL;
}

static bool begins(const struct tr_name *name, const char *word)
{
	return name->text_bytes >= strlen(word) && !memcmp(name->text, word, strlen(word));
}

// Combines the inputs' latest values of a counter.
static uint64_t join_counter(const struct tr_unify *unify, const struct tr_name *name)
{
	bool any = false;
	uint64_t joined = 0;

	for (const struct tr_unify_input *input = unify->inputs; input; input = input->next) {
		const struct tr_counter *counter = unify_find_counter(&input->counters, name);

		if (!counter)
			continue;
		if (begins(name, "first_"))
			joined = any && joined < counter->value ? joined : counter->value;
		else if (begins(name, "last_"))
			joined = joined > counter->value ? joined : counter->value;
		else
			joined += counter->value;
		any = true;
	}
	return joined;
}

// Gives the counter of a link's rate the output's number of the link; key has its text then.
static enum tr_status rename_rate(const struct tr_unify_input *input, struct tr_name *name,
				  char key[TR_NAME_TEXT_MAX + 1], struct tr_error *err)
{
	size_t at = strlen(TR_LINK_RATE);
	uint32_t link = 0;

	for (; at < name->text_bytes && name->text[at] >= '0' && name->text[at] <= '9'; at++)
		link = link * 10 + (uint32_t)(name->text[at] - '0');
	if (map_paused_link(input, &link, err) != TR_OK)
		return TR_ERROR;
	(void)snprintf(key, TR_NAME_TEXT_MAX + 1, TR_LINK_RATE "%u%.*s", link,
		       (int)(name->text_bytes - at), name->text + at);
	name->text = key;
	name->text_bytes = strlen(key);
	return TR_OK;
}

static enum tr_status unify_take_counter(struct tr_unify_input *input, const struct tr_name *name,
					 struct tr_error *err)
{
	struct tr_unify *unify = input->unify;
	struct tr_name joined = *name;
	char key[TR_NAME_TEXT_MAX + 1];

	if (begins(name, TR_LINK_RATE) && rename_rate(input, &joined, key, err) != TR_OK)
		return TR_ERROR;
	if (tr_names_set(&input->counters, &joined, err) != TR_OK)
		return TR_ERROR;
	joined.value = join_counter(unify, &joined);
	if (tr_names_set(&unify->names, &joined, err) != TR_OK)
		return TR_ERROR;
	return unify->sink.put(unify->sink.context, &joined, err);
}

static enum tr_status unify_take_note(struct tr_unify *unify, const struct tr_name *name,
				      struct tr_error *err)
{
	struct tr_provenance deeper = {.text = NULL};
	char *lines = strndup(name->text, name->text_bytes);
	enum tr_status status = TR_OK;

	if (!lines)
		return tr_no_memory(err, "the provenance");
	tr_provenance_nest(&deeper, NOTE_DEPTH, lines);
	if (deeper.failed)
		status = tr_no_memory(err, "the provenance");
	for (size_t at = 0; at < deeper.bytes && status == TR_OK; at += TR_NOTE_TEXT_MAX) {
		size_t left = deeper.bytes - at;
		struct tr_name part = {
			.kind = TR_NAME_NOTE,
			.text = deeper.text + at,
			.text_bytes = left < TR_NOTE_TEXT_MAX ? left : TR_NOTE_TEXT_MAX,
		};

		status = unify->sink.put(unify->sink.context, &part, err);
	}
	tr_provenance_clear(&deeper);
	free(lines);
	return status;
}

enum tr_status tr_unify_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	struct tr_unify_input *input = context;

	switch (name->kind) {
	case TR_NAME_NODE: return unify_take_node(input, name, err);
	case TR_NAME_FLOW: return unify_take_flow(input, name, err);
	case TR_NAME_LINK: return unify_take_link(input, name, err);
	case TR_NAME_COUNTER: return unify_take_counter(input, name, err);
	case TR_NAME_NOTE: return unify_take_note(input->unify, name, err);
	}
	return tr_fail(err, "name of unknown kind %u", (unsigned)name->kind);
}

static void map_ids(const struct tr_unify_input *input, union tr_record *record)
{
	const struct tr_id_array *nodes = &input->maps[kind_index(TR_NAME_NODE)].to;

	switch (input->rebase.kind->kind) {
	case TR_PACKET:
	case TR_DELIVERY:
		record->packet.src = tr_id_get(nodes, record->packet.src);
		record->packet.dst = tr_id_get(nodes, record->packet.dst);
		record->packet.flow = tr_id_get(&input->maps[kind_index(TR_NAME_FLOW)].to,
						record->packet.flow);
		break;
	case TR_MESSAGE:
		record->message.src = tr_id_get(nodes, record->message.src);
		record->message.dst = tr_id_get(nodes, record->message.dst);
		break;
	case TR_SERIES: record->series.node = tr_id_get(nodes, record->series.node); break;
	case TR_LINK:
		record->link.link = tr_id_get(&input->maps[kind_index(TR_NAME_LINK)].to,
					      record->link.link);
		break;
	}
}

enum tr_status tr_unify_record(struct tr_unify_input *input, const union tr_record *record,
			       const union tr_record **out, struct tr_error *err)
{
	bool changed = input->maps[0].changed || input->maps[1].changed || input->maps[2].changed;

	*out = record;
	if (input->rebase.same && !changed)
		return TR_OK;
	memcpy(&input->record, record, input->rebase.kind->size_bytes);
	*out = &input->record;
	if (changed)
		map_ids(input, &input->record);
	return tr_rebase_record(&input->rebase, &input->record, err);
}

int64_t tr_unify_time(const struct tr_unify_input *input, int64_t ticks)
{
	const struct tr_rebase *rebase = &input->rebase;
	__int128 scaled = (__int128)ticks * (__int128)rebase->to;

	if (rebase->same || ticks == INT64_MIN)
		return ticks;
	scaled = scaled / (__int128)rebase->from - (scaled % (__int128)rebase->from < 0);
	scaled += rebase->offset_ticks;
	return scaled > INT64_MAX ? INT64_MAX : scaled < INT64_MIN ? INT64_MIN : (int64_t)scaled;
}

bool tr_unify_same_clock(const struct tr_unify_input *input)
{
	return input->rebase.same;
}

const struct tr_name_index *tr_unify_index(const struct tr_unify *unify)
{
	return &unify->index;
}

void tr_unify_close(struct tr_unify *unify)
{
	if (!unify)
		return;
	while (unify->inputs) {
		struct tr_unify_input *input = unify->inputs;

		unify->inputs = input->next;
		for (unsigned kind = 0; kind < KINDS; kind++)
			tr_id_map_clear(&input->maps[kind]);
		tr_names_clear(&input->counters);
		tr_id_pages_clear(&input->flows);
		free(input);
	}
	for (unsigned kind = 0; kind < KINDS; kind++)
		tr_id_array_clear(&unify->ids[kind].makers);
	tr_name_index_clear(&unify->index);
	tr_names_clear(&unify->names);
	free(unify->files);
	free(unify);
}
