// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitburst.h"
#include "value/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- roles

static bool is_named(const struct tr_names *names, uint32_t node, const char *word, size_t length)
{
	const char *name = tr_names_node(names, node);

	return strlen(name) == length && memcmp(name, word, length) == 0;
}

static enum tr_status role_named(const char *word, const char *name, uint8_t *role,
				 struct tr_error *err)
{
	for (int i = TR_ROLE_UNKNOWN; i <= TR_ROLE_WORKER; i++)
		if (strcmp(name, tr_role_name((enum tr_role)i)) == 0) {
			*role = (uint8_t)i;
			return TR_OK;
		}
	return tr_fail(err,
		       "--set-role %s: expected NODE=ROLE with a node of the trace and controller, "
		       "worker or unknown",
		       word);
}

static enum tr_status find_role(const struct burst_keys *keys, const struct tr_names *names,
				uint32_t node, uint8_t *role, struct tr_error *err)
{
	*role = (uint8_t)tr_names_role(names, node);
	for (size_t i = 0; keys->roles && i < keys->roles->count; i++) {
		const char *word = keys->roles->words[i], *equals = strrchr(word, '=');

		if (equals && is_named(names, node, word, (size_t)(equals - word)) &&
		    role_named(word, equals + 1, role, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Checks that every word names a node of the trace and a role.
enum tr_status burst_keys_check(const struct burst_keys *keys, const struct tr_names *names,
				struct tr_error *err)
{
	for (size_t i = 0; keys->roles && i < keys->roles->count; i++) {
		const char *word = keys->roles->words[i], *equals = strrchr(word, '=');
		const size_t length = equals ? (size_t)(equals - word) : 0;
		uint32_t node = 0;
		uint8_t role;

		while (equals && node < names->node_count && !is_named(names, node, word, length))
			node++;
		if (role_named(word, equals && node < names->node_count ? equals + 1 : "", &role,
			       err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Role of a node, cached.
static enum tr_status role_of(struct burst_keys *keys, const struct tr_names *names, uint32_t node,
			      uint64_t *key, struct tr_error *err)
{
	uint8_t role = TR_ROLE_UNKNOWN;

	*key = TR_ROLE_UNKNOWN;
	if (node == TR_NODE_OTHER)
		return TR_OK;
	if (!GROW_ZEROED(keys->node_roles, keys->node_count, node))
		return tr_no_memory(err, "%u nodes", node + 1);
	if (keys->node_roles[node] == 0) {
		if (find_role(keys, names, node, &role, err) != TR_OK)
			return TR_ERROR;
		keys->node_roles[node] = (uint8_t)(role + 1);
	}
	*key = keys->node_roles[node] - 1u;
	return TR_OK;
}

// ---- keys

static enum tr_status key_of(struct burst_keys *keys, const struct tr_names *names,
			     const struct tr_packet *packet, uint64_t *key, struct tr_error *err)
{
	switch (keys->kind) {
	case KEY_ALL: *key = 0; return TR_OK;
	case KEY_NODE: *key = packet->src; return TR_OK;
	case KEY_PAIR: *key = (uint64_t)packet->src << 32 | packet->dst; return TR_OK;
	case KEY_CLASS:
		*key = packet->class <= TR_CLASS_OVERHEAD ? packet->class : TR_CLASS_NONE;
		return TR_OK;
	case KEY_ROLE: break;
	}
	return role_of(keys, names, packet->src, key, err);
}

// Makes room for one more key.
static bool burst_keys_reserve(struct burst_keys *keys)
{
	return GROW(keys->keys, keys->capacity, keys->count) && tr_hash_reserve(&keys->places);
}

static enum tr_status make_key(struct burst_keys *keys, uint64_t key, struct tr_error *err)
{
	struct burst_key *made;

	if (keys->count >= keys->max_keys)
		return tr_fail(err, "more than %llu keys of %u KiB (--memory)",
			       (unsigned long long)keys->max_keys, BURST_KEY_BYTES >> 10);
	made = burst_keys_reserve(keys) ? calloc(1, sizeof(*made)) : NULL;
	if (!made)
		return tr_no_memory(err, "%zu keys", keys->count + 1);
	made->key = key;
	if (burstiness_open(&made->burstiness, keys->settings, err) != TR_OK) {
		burstiness_close(&made->burstiness);
		free(made);
		return TR_ERROR;
	}
	tr_hash_add(&keys->places, tr_hash_words(&keys->places, &key, 1), (uint32_t)keys->count);
	keys->keys[keys->count++] = made;
	keys->recent = made;
	keys->all = keys->kind == KEY_ALL ? &made->burstiness : NULL;
	return TR_OK;
}

struct burstiness *burst_keys_all(struct burst_keys *keys, struct tr_error *err)
{
	return keys->all || make_key(keys, 0, err) == TR_OK ? keys->all : NULL;
}

static enum tr_status find_key(struct burst_keys *keys, uint64_t key, struct tr_error *err)
{
	const uint64_t value = tr_hash_words(&keys->places, &key, 1);
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&keys->places, value, &at)) != TR_HASH_NONE)
		if (keys->keys[place]->key == key) {
			keys->recent = keys->keys[place];
			return TR_OK;
		}
	return make_key(keys, key, err);
}

enum tr_status burst_keys_find_and_add(struct burst_keys *keys, const struct tr_names *names,
				       const struct tr_packet *packet, uint32_t size_bytes,
				       struct tr_error *err)
{
	uint64_t key;

	if (key_of(keys, names, packet, &key, err) != TR_OK)
		return TR_ERROR;
	if ((!keys->recent || keys->recent->key != key) && find_key(keys, key, err) != TR_OK)
		return TR_ERROR;
	return burstiness_add(&keys->recent->burstiness, packet->time_ticks, size_bytes, err);
}

static int compare(const void *a, const void *b)
{
	const struct burst_key *const *x = a, *const *y = b;

	return ((*x)->key > (*y)->key) - ((*x)->key < (*y)->key);
}

static enum tr_status read_one(const struct burst_key *key, burst_keys_visit *visit, void *context,
			       struct tr_error *err)
{
	struct burstiness *copy = malloc(sizeof(*copy));
	enum tr_status status = TR_ERROR;

	if (!copy)
		return tr_no_memory(err, "a copy");
	if (burstiness_copy(copy, &key->burstiness, err) == TR_OK &&
	    burstiness_finish(copy, err) == TR_OK)
		status = visit(context, key, copy, err);
	burstiness_close(copy);
	free(copy);
	return status;
}

enum tr_status burst_keys_read(struct burst_keys *keys, burst_keys_visit *visit, void *context,
			       struct tr_error *err)
{
	struct burst_key **sorted = calloc(keys->count + 1, sizeof(struct burst_key *));
	enum tr_status status = TR_OK;

	if (!sorted)
		return tr_no_memory(err, "%zu keys", keys->count);
	if (keys->count > 0)
		memcpy(sorted, keys->keys, keys->count * sizeof(struct burst_key *));
	qsort(sorted, keys->count, sizeof(struct burst_key *), compare);
	for (size_t i = 0; i < keys->count && status == TR_OK; i++)
		status = read_one(sorted[i], visit, context, err);
	free(sorted);
	return status;
}

const char *burst_key_name(const struct burst_keys *keys, const struct burst_key *key,
			   const struct tr_names *names, char *out, size_t out_bytes)
{
	static const char *const classes[] = {"none", "data", "overhead"};

	switch (keys->kind) {
	case KEY_ALL: (void)snprintf(out, out_bytes, "all"); break;
	case KEY_NODE:
		(void)snprintf(out, out_bytes, "%s", tr_names_node(names, (uint32_t)key->key));
		break;
	case KEY_PAIR:
		(void)snprintf(out, out_bytes, "%s>%s",
			       tr_names_node(names, (uint32_t)(key->key >> 32)),
			       tr_names_node(names, (uint32_t)key->key));
		break;
	case KEY_CLASS: (void)snprintf(out, out_bytes, "%s", classes[key->key]); break;
	case KEY_ROLE:
		(void)snprintf(out, out_bytes, "%s", tr_role_name((enum tr_role)key->key));
		break;
	}
	return out;
}

void burst_keys_close(struct burst_keys *keys)
{
	for (size_t i = 0; i < keys->count; i++) {
		burstiness_close(&keys->keys[i]->burstiness);
		free(keys->keys[i]);
	}
	free(keys->keys);
	tr_hash_clear(&keys->places);
	free(keys->node_roles);
	memset(keys, 0, sizeof(*keys));
}
