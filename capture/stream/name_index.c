// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/name_index.h"

#include <string.h>

#include <xxhash.h>

bool tr_name_of(const struct tr_names *names, enum tr_name_kind kind, uint32_t id,
		struct tr_name *out)
{
	const struct tr_node *node = NULL;
	const char *text = NULL;

	*out = (struct tr_name){.kind = kind, .id = id, .text = ""};
	if (kind == TR_NAME_FLOW) {
		const struct tr_flow *flow;

		if (id >= names->flow_count)
			return false;
		flow = tr_names_flow(names, id);
		out->src = flow->src;
		out->dst = flow->dst;
		out->protocol = flow->protocol;
		out->src_port = flow->src_port;
		out->dst_port = flow->dst_port;
		return true;
	}
	if (kind == TR_NAME_LINK)
		text = tr_names_link(names, id);
	else if (kind == TR_NAME_NODE && (node = tr_names_find_node(names, id)) != NULL)
		text = node->address;
	out->role = node ? node->role : 0;
	if (!text)
		return false;
	out->text = text;
	out->text_bytes = strlen(text);
	return true;
}

uint32_t tr_name_next(const struct tr_names *names, enum tr_name_kind kind, uint32_t id)
{
	if (kind == TR_NAME_FLOW) // those without a name have one from nobody to nobody
		return id;
	return tr_id_pages_next(kind == TR_NAME_NODE ? &names->nodes : &names->links, id);
}

static uint64_t name_index_hash_of(const struct tr_hash *hash, const struct tr_name *name)
{
	uint32_t tuple[5] = {name->src, name->dst, name->protocol, name->src_port, name->dst_port};

	if (name->kind == TR_NAME_FLOW)
		return XXH3_64bits_withSeed(tuple, sizeof(tuple), hash->seed);
	return XXH3_64bits_withSeed(name->text, name->text_bytes, hash->seed);
}

static bool same_meaning(const struct tr_name *a, const struct tr_name *b)
{
	if (a->kind == TR_NAME_FLOW)
		return a->src == b->src && a->dst == b->dst && a->protocol == b->protocol &&
		       a->src_port == b->src_port && a->dst_port == b->dst_port;
	return a->text_bytes == b->text_bytes && !memcmp(a->text, b->text, a->text_bytes);
}

static struct tr_hash *hash_for(struct tr_name_index *index, enum tr_name_kind kind)
{
	return kind == TR_NAME_NODE   ? &index->nodes
	       : kind == TR_NAME_FLOW ? &index->flows
				      : &index->links;
}

// The id that means the same, TR_ID_NONE for none; *at is where the search stopped.
static uint32_t name_index_seek(const struct tr_name_index *index, const struct tr_hash *hash,
				uint64_t value, const struct tr_name *name, uint32_t *at)
{
	struct tr_name held;
	uint32_t id;

	*at = tr_hash_first(value);
	while ((id = tr_hash_next(hash, value, at)) != TR_HASH_NONE)
		if (tr_name_of(index->names, name->kind, id, &held) && same_meaning(&held, name))
			return id;
	return TR_ID_NONE;
}

enum tr_status tr_name_index_add(struct tr_name_index *index, const struct tr_name *name,
				 struct tr_error *err)
{
	struct tr_hash *hash = hash_for(index, name->kind);
	uint64_t value;
	uint32_t at;

	if (!tr_hash_reserve(hash))
		return tr_no_memory(err, "names");
	value = name_index_hash_of(hash, name);
	if (name_index_seek(index, hash, value, name, &at) != TR_ID_NONE)
		tr_hash_move(hash, at, name->id);
	else
		tr_hash_add(hash, value, name->id);
	return TR_OK;
}

uint32_t tr_name_index_find(const struct tr_name_index *index, const struct tr_name *name)
{
	const struct tr_hash *hash = hash_for((struct tr_name_index *)index, name->kind);
	uint32_t at;

	return name_index_seek(index, hash, name_index_hash_of(hash, name), name, &at);
}

void tr_name_index_clear(struct tr_name_index *index)
{
	tr_hash_clear(&index->nodes);
	tr_hash_clear(&index->flows);
	tr_hash_clear(&index->links);
}
