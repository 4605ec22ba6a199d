// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stream/record.h"
#include "value/grow.h"
#include "value/little_endian.h"
#include "value/num.h"

#define LINKS_DEFAULT 33554432u
#define COUNTERS_MAX 256u

// The item of an id, made if it is not there; NULL if it is beyond the limit or memory runs out.
static void *names_make(struct tr_id_pages *items, uint32_t id, uint32_t limit, size_t item_bytes,
			const char *what, struct tr_error *err)
{
	void *item = id < limit ? tr_id_pages_make(items, id, item_bytes) : NULL;

	if (id >= limit)
		(void)tr_fail(err, "%s id %u exceeds the limit of %u", what, id, limit);
	else if (!item)
		(void)tr_no_memory(err, "%s names", what);
	return item;
}

static enum tr_status set_text(char **at, const struct tr_name *name, struct tr_error *err)
{
	char *copy = strndup(name->text, name->text_bytes);

	if (!copy)
		return tr_no_memory(err, "names");
	free(*at);
	*at = copy;
	return TR_OK;
}

static enum tr_status names_set_node(struct tr_names *names, const struct tr_name *name,
				     struct tr_error *err)
{
	uint32_t limit = names->limits.nodes ? names->limits.nodes : TR_NODES_MAX;
	struct tr_node *node = names_make(&names->nodes, name->id, limit, sizeof(*node), "node",
					  err);

	if (!node || set_text(&node->address, name, err) != TR_OK)
		return TR_ERROR;
	node->role = name->role;
	if (name->id >= names->node_count)
		names->node_count = name->id + 1;
	return TR_OK;
}

static bool node_known(const struct tr_names *names, uint32_t node)
{
	return node == TR_NODE_OTHER || tr_names_find_node(names, node);
}

static enum tr_status set_flow(struct tr_names *names, const struct tr_name *name,
			       struct tr_error *err)
{
	uint32_t limit = names->limits.flows ? names->limits.flows : TR_FLOWS_MAX;
	struct tr_flow *flow;

	if (!node_known(names, name->src) || !node_known(names, name->dst))
		return tr_fail(err, "flow %u joins nodes %u and %u, which have no names", name->id,
			       name->src, name->dst);
	flow = names_make(&names->flows, name->id, limit, sizeof(*flow), "flow", err);
	if (!flow)
		return TR_ERROR;
	*flow = (struct tr_flow){
		.src = name->src,
		.dst = name->dst,
		.src_port = name->src_port,
		.dst_port = name->dst_port,
		.protocol = name->protocol,
		.named = true,
	};
	if (name->id >= names->flow_count)
		names->flow_count = name->id + 1;
	return TR_OK;
}

enum tr_status tr_names_pass_flow(struct tr_names *names, const struct tr_name *name,
				  struct tr_error *err)
{
	const uint32_t limit = names->limits.flows ? names->limits.flows : TR_FLOWS_MAX;

	if (!node_known(names, name->src) || !node_known(names, name->dst))
		return tr_fail(err, "flow %u joins nodes %u and %u, which have no names", name->id,
			       name->src, name->dst);
	if (name->id < names->flow_count || name->id >= limit)
		return tr_fail(err, "flow %u is named after flow %u, of at most %u", name->id,
			       names->flow_count - 1, limit);
	names->flow_count = name->id + 1;
	return TR_OK;
}

static enum tr_status set_link(struct tr_names *names, const struct tr_name *name,
			       struct tr_error *err)
{
	uint32_t limit = names->limits.links ? names->limits.links : LINKS_DEFAULT;
	char **link = names_make(&names->links, name->id, limit, sizeof(*link), "link", err);

	if (!link || set_text(link, name, err) != TR_OK)
		return TR_ERROR;
	if (name->id >= names->link_count)
		names->link_count = name->id + 1;
	return TR_OK;
}

static struct tr_counter *names_find_counter(const struct tr_names *names, const char *key,
					     size_t key_bytes)
{
	for (uint32_t i = 0; i < names->counter_count; i++)
		if (strlen(names->counters[i].key) == key_bytes &&
		    memcmp(names->counters[i].key, key, key_bytes) == 0)
			return &names->counters[i];
	return NULL;
}

static enum tr_status set_counter(struct tr_names *names, const struct tr_name *name,
				  struct tr_error *err)
{
	struct tr_counter *counter = names_find_counter(names, name->text, name->text_bytes);

	if (!counter && names->counter_count == COUNTERS_MAX)
		return tr_fail(err, "more than %u counters", COUNTERS_MAX);
	if (!counter) {
		if (!GROW_BY_COUNT(names->counters, names->counter_count))
			return tr_no_memory(err, "counters");
		counter = &names->counters[names->counter_count];
		*counter = (struct tr_counter){.key = NULL};
		if (set_text(&counter->key, name, err) != TR_OK)
			return TR_ERROR;
		names->counter_count++;
	}
	counter->value = name->value;
	return TR_OK;
}

enum tr_status tr_names_set(struct tr_names *names, const struct tr_name *name,
			    struct tr_error *err)
{
	switch (name->kind) {
	case TR_NAME_NODE: return names_set_node(names, name, err);
	case TR_NAME_FLOW: return set_flow(names, name, err);
	case TR_NAME_LINK: return set_link(names, name, err);
	case TR_NAME_COUNTER: return set_counter(names, name, err);
	case TR_NAME_NOTE: return TR_OK;
	}
	return tr_fail(err, "name of unknown kind %u", (unsigned)name->kind);
}

bool tr_name_number(const char *name, size_t *word_bytes, uint32_t *number)
{
	static const char *const words[] = {"host", "node", "rank", ""};
	uint64_t value;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *digits = name + strlen(words[i]);

		if (strncmp(name, words[i], strlen(words[i])) != 0 || *digits == '\0' ||
		    digits[strspn(digits, "0123456789")] != '\0')
			continue;
		*word_bytes = strlen(words[i]);
		*number = num_parse_count(digits, 0, UINT32_MAX, &value, NULL) == TR_OK
				  ? (uint32_t)value
				  : UINT32_MAX;
		return true;
	}
	return false;
}

const char *tr_names_node(const struct tr_names *names, uint32_t node)
{
	const struct tr_node *found = tr_names_find_node(names, node);

	if (node == TR_NODE_OTHER)
		return "other";
	return found ? found->address : "?";
}

enum tr_role tr_names_role(const struct tr_names *names, uint32_t node)
{
	const struct tr_node *found = tr_names_find_node(names, node);

	return found ? (enum tr_role)found->role : TR_ROLE_UNKNOWN;
}

const struct tr_flow *tr_names_flow(const struct tr_names *names, uint32_t id)
{
	static const struct tr_flow nobody = {.src = TR_NODE_OTHER, .dst = TR_NODE_OTHER};
	const struct tr_flow *flow = tr_names_find_flow(names, id);

	return flow ? flow : &nobody;
}

uint64_t tr_names_counter(const struct tr_names *names, const char *key)
{
	const struct tr_counter *counter = names_find_counter(names, key, strlen(key));

	return counter ? counter->value : 0;
}

const char *tr_role_name(enum tr_role role)
{
	static const char *const words[] = {"unknown", "controller", "worker"};

	return role <= TR_ROLE_WORKER ? words[role] : words[TR_ROLE_UNKNOWN];
}

// Frees the texts, each of which an item begins with.
static void free_texts(struct tr_id_pages *items, size_t item_bytes)
{
	for (uint32_t id = 0; (id = tr_id_pages_next(items, id)) != UINT32_MAX; id++)
		free(*(char **)tr_id_pages_at(items, id, item_bytes));
	tr_id_pages_clear(items);
}

void tr_names_clear(struct tr_names *names)
{
	free_texts(&names->nodes, sizeof(struct tr_node));
	free_texts(&names->links, sizeof(char *));
	tr_id_pages_clear(&names->flows);
	for (uint32_t i = 0; i < names->counter_count; i++)
		free(names->counters[i].key);
	free(names->counters);
	*names = (struct tr_names){.limits = names->limits};
}

static bool names_same_text(const char *held, const struct tr_name *name)
{
	return held && strlen(held) == name->text_bytes &&
	       memcmp(held, name->text, name->text_bytes) == 0;
}

bool tr_names_has(const struct tr_names *names, const struct tr_name *name)
{
	const struct tr_node *node;
	const struct tr_flow *flow;

	switch (name->kind) {
	case TR_NAME_NODE:
		node = tr_names_find_node(names, name->id);
		return node && node->role == name->role && names_same_text(node->address, name);
	case TR_NAME_FLOW:
		if (name->id >= names->flow_count)
			return false;
		flow = tr_names_flow(names, name->id);
		return flow->src == name->src && flow->dst == name->dst &&
		       flow->protocol == name->protocol && flow->src_port == name->src_port &&
		       flow->dst_port == name->dst_port;
	case TR_NAME_LINK: return names_same_text(tr_names_link(names, name->id), name);
	case TR_NAME_COUNTER:
		for (uint32_t i = 0; i < names->counter_count; i++)
			if (names_same_text(names->counters[i].key, name))
				return names->counters[i].value == name->value;
		return false;
	case TR_NAME_NOTE: return false;
	}
	return false;
}

// ---- the bytes of an entry

size_t tr_name_encode(const struct tr_name *name, uint8_t *out)
{
	size_t size_bytes = TR_NAME_ENTRY_BYTES + tr_padded(name->text_bytes);

	memset(out, 0, size_bytes);
	out[0] = (uint8_t)name->kind;
	out[1] = name->kind == TR_NAME_FLOW ? name->protocol : name->role;
	tr_set_u16(out + 2, (uint16_t)name->text_bytes);
	tr_set_u32(out + 4, name->id);
	tr_set_u32(out + 8, name->src);
	tr_set_u32(out + 12, name->dst);
	tr_set_u16(out + 16, (uint16_t)name->src_port);
	tr_set_u16(out + 18, (uint16_t)name->dst_port);
	tr_set_u16(out + 20, (uint16_t)(name->src_port >> 16));
	tr_set_u16(out + 22, (uint16_t)(name->dst_port >> 16));
	tr_set_u64(out + 24, name->value);
	if (name->text_bytes)
		memcpy(out + TR_NAME_ENTRY_BYTES, name->text, name->text_bytes);
	return size_bytes;
}

enum tr_status tr_name_check(const struct tr_name *name, struct tr_error *err)
{
	bool is_note = name->kind == TR_NAME_NOTE;
	size_t limit = is_note ? TR_NOTE_TEXT_MAX : TR_NAME_TEXT_MAX;

	if (name->kind < TR_NAME_NODE || name->kind > TR_NAME_NOTE)
		return tr_fail(err, "name of unknown kind %u", (unsigned)name->kind);
	if (name->text_bytes > limit)
		return tr_fail(err, "name of %zu bytes; expected at most %zu", name->text_bytes,
			       limit);
	for (size_t i = 0; i < name->text_bytes; i++) {
		unsigned char c = (unsigned char)name->text[i];

		if ((c < 0x20 && !(is_note && c == '\n')) || c == 0x7f)
			return tr_fail(err, "name with control character 0x%02x", c);
	}
	return TR_OK;
}

enum tr_status tr_name_decode(const uint8_t *in, size_t got_bytes, struct tr_name *name,
			      size_t *used_bytes, struct tr_error *err)
{
	if (got_bytes < TR_NAME_ENTRY_BYTES)
		return tr_fail(err, "name entry cut after %zu of %u bytes", got_bytes,
			       TR_NAME_ENTRY_BYTES);
	*name = (struct tr_name){
		.kind = in[0],
		.text_bytes = tr_get_u16(in + 2),
		.id = tr_get_u32(in + 4),
		.src = tr_get_u32(in + 8),
		.dst = tr_get_u32(in + 12),
		.src_port = tr_get_u16(in + 16) | (uint32_t)tr_get_u16(in + 20) << 16,
		.dst_port = tr_get_u16(in + 18) | (uint32_t)tr_get_u16(in + 22) << 16,
		.value = tr_get_u64(in + 24),
		.text = (const char *)in + TR_NAME_ENTRY_BYTES,
	};
	*(name->kind == TR_NAME_FLOW ? &name->protocol : &name->role) = in[1];
	*used_bytes = TR_NAME_ENTRY_BYTES + tr_padded(name->text_bytes);
	if (*used_bytes > got_bytes)
		return tr_fail(err, "name entry of %zu bytes, but only %zu are left", *used_bytes,
			       got_bytes);
	return tr_name_check(name, err);
}
