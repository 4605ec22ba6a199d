// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/name_index.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

bool tr_name_of(const struct tr_names *names, enum tr_name_kind kind, uint32_t id, struct tr_name *out)
{
	const char *text = NULL;

	*out = (struct tr_name){.kind = kind, .id = id, .text = ""};
	if (kind == TR_NAME_FLOW) {
		const struct tr_flow *flow;

		if (id >= names->flow_count)
			return false;
		flow = &names->flows[id];
		out->src = flow->src;
		out->dst = flow->dst;
		out->protocol = flow->protocol;
		out->src_port = flow->src_port;
		out->dst_port = flow->dst_port;
		return true;
	}
	if (kind == TR_NAME_NODE && id < names->node_count) {
		text = names->nodes[id].address;
		out->role = names->nodes[id].role;
	} else if (kind == TR_NAME_LINK && id < names->link_count) {
		text = names->links[id];
	}
	if (!text)
		return false;
	out->text = text;
	out->text_bytes = strlen(text);
	return true;
}

static uint64_t hash_of(const struct tr_name *name)
{
	uint32_t tuple[5] = {name->src, name->dst, name->protocol, name->src_port, name->dst_port};

	if (name->kind == TR_NAME_FLOW)
		return XXH3_64bits(tuple, sizeof tuple);
	return XXH3_64bits(name->text, name->text_bytes);
}

static bool same_meaning(const struct tr_name *a, const struct tr_name *b)
{
	if (a->kind == TR_NAME_FLOW)
		return a->src == b->src && a->dst == b->dst && a->protocol == b->protocol &&
		       a->src_port == b->src_port && a->dst_port == b->dst_port;
	return a->text_bytes == b->text_bytes && !memcmp(a->text, b->text, a->text_bytes);
}

static struct tr_name_slots *slots_of(struct tr_name_index *index, enum tr_name_kind kind)
{
	return kind == TR_NAME_NODE ? &index->nodes : kind == TR_NAME_FLOW ? &index->flows : &index->links;
}

// Where name stands, or the empty slot where it would; the table has one.
static uint32_t *seek(const struct tr_names *names, const struct tr_name_slots *slots,
		      const struct tr_name *name)
{
	size_t at = hash_of(name) & (slots->capacity - 1);
	struct tr_name held;

	for (; slots->ids[at]; at = (at + 1) & (slots->capacity - 1))
		if (tr_name_of(names, name->kind, slots->ids[at] - 1, &held) && same_meaning(&held, name))
			break;
	return &slots->ids[at];
}

// Makes room for one more. Entries whose name has changed are found under the new one or dropped.
static enum tr_status grow(const struct tr_names *names, struct tr_name_slots *slots,
			   enum tr_name_kind kind, struct tr_error *err)
{
	struct tr_name_slots larger = {.capacity = slots->capacity ? slots->capacity * 2 : 64};
	struct tr_name held;

	if (slots->used * 2 < slots->capacity)
		return TR_OK;
	larger.ids = calloc(larger.capacity, sizeof *larger.ids);
	if (!larger.ids)
		return tr_no_memory(err, "names");
	for (size_t i = 0; i < slots->capacity; i++) {
		uint32_t *slot;

		if (!slots->ids[i] || !tr_name_of(names, kind, slots->ids[i] - 1, &held))
			continue;
		slot = seek(names, &larger, &held);
		if (*slot)
			continue;
		*slot = slots->ids[i];
		larger.used++;
	}
	free(slots->ids);
	*slots = larger;
	return TR_OK;
}

enum tr_status tr_name_index_add(struct tr_name_index *index, const struct tr_name *name,
				 struct tr_error *err)
{
	struct tr_name_slots *slots = slots_of(index, name->kind);
	uint32_t *slot;

	if (grow(index->names, slots, name->kind, err) != TR_OK)
		return TR_ERROR;
	slot = seek(index->names, slots, name);
	slots->used += !*slot;
	*slot = name->id + 1;
	return TR_OK;
}

uint32_t tr_name_index_find(const struct tr_name_index *index, const struct tr_name *name)
{
	const struct tr_name_slots *slots = slots_of((struct tr_name_index *)index, name->kind);

	// An empty slot gives 0 - 1, which is TR_ID_NONE.
	return slots->capacity ? *seek(index->names, slots, name) - 1 : TR_ID_NONE;
}

void tr_name_index_clear(struct tr_name_index *index)
{
	free(index->nodes.ids);
	free(index->flows.ids);
	free(index->links.ids);
	*index = (struct tr_name_index){.names = index->names};
}
