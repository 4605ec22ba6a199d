// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/nodes.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/record.h"
#include "value/grow.h"
#include "value/hash.h"
#include "value/num.h"

// ---- addresses as text

#define MAC_BYTES 6u

static bool nodes_parse_number(const char *text, uint16_t *number)
{
	uint64_t value;

	if (num_parse_count(text, 0, UINT16_MAX, &value, NULL) != TR_OK)
		return false;
	*number = (uint16_t)value;
	return true;
}

// Six bytes of two digits, separated by colons.
static bool parse_mac(const char *text, uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";

	if (strlen(text) != MAC_BYTES * 3 - 1)
		return false;
	for (size_t i = 0; i < MAC_BYTES; i++, text += 3) {
		const char *high = memchr(digits, text[0] | 0x20, 16);
		const char *low = memchr(digits, text[1] | 0x20, 16);

		if (!high || !low || (i < MAC_BYTES - 1 && text[2] != ':'))
			return false;
		bytes[i] = (uint8_t)((high - digits) << 4 | (low - digits));
	}
	return true;
}

// An IPv4 or IPv6 address of length characters.
static bool parse_ip(const char *text, size_t length, struct pk_address *address)
{
	char part[INET6_ADDRSTRLEN];

	if (length >= sizeof(part))
		return false;
	memcpy(part, text, length);
	part[length] = '\0';
	address->family = PK_IPV4;
	if (inet_pton(AF_INET, part, address->bytes) == 1)
		return true;
	address->family = PK_IPV6;
	return inet_pton(AF_INET6, part, address->bytes) == 1;
}

// "10.0.0.1:5001", "[fe80::1]:5001"
static bool parse_with_port(const char *text, struct pk_address *address)
{
	const char *colon = strrchr(text, ':');
	const bool bracketed = *text == '[';

	if (!colon || !nodes_parse_number(colon + 1, &address->port) || !address->port)
		return false;
	if (!bracketed)
		return parse_ip(text, (size_t)(colon - text), address) &&
		       address->family == PK_IPV4;
	return colon - text > 2 && colon[-1] == ']' &&
	       parse_ip(text + 1, (size_t)(colon - text) - 2, address) &&
	       address->family == PK_IPV6;
}

bool pk_address_parse(const char *text, struct pk_address *address)
{
	uint16_t lid;

	memset(address, 0, sizeof(*address));
	if (parse_ip(text, strlen(text), address))
		return true;
	if (strncmp(text, "lid:", 4) == 0 && nodes_parse_number(text + 4, &lid)) {
		address->family = PK_LID;
		address->bytes[0] = (uint8_t)(lid >> 8);
		address->bytes[1] = (uint8_t)lid;
		return true;
	}
	address->family = PK_MAC;
	if (parse_mac(text, address->bytes))
		return true;
	memset(address, 0, sizeof(*address));
	return parse_with_port(text, address);
}

static void format_ip(const struct pk_address *address, char *out)
{
	const bool bracketed = address->port && address->family == PK_IPV6;
	size_t used;

	if (bracketed)
		*out++ = '[';
	// Cannot fail: both families are known and the room is enough.
	(void)inet_ntop(address->family == PK_IPV4 ? AF_INET : AF_INET6, address->bytes, out,
			INET6_ADDRSTRLEN);
	used = strlen(out);
	if (address->port)
		(void)snprintf(out + used, 8, "%s:%u", bracketed ? "]" : "", address->port);
}

const char *pk_address_format(const struct pk_address *address, char *out)
{
	const uint8_t *at = address->bytes;

	if (address->family == PK_MAC)
		(void)snprintf(out, PK_ADDRESS_TEXT_BYTES, "%02x:%02x:%02x:%02x:%02x:%02x", at[0],
			       at[1], at[2], at[3], at[4], at[5]);
	else if (address->family == PK_LID)
		(void)snprintf(out, PK_ADDRESS_TEXT_BYTES, "lid:%u", pk_be16(at));
	else
		format_ip(address, out);
	return out;
}

// ---- the table

struct nodes_entry {
	struct pk_address address;
	uint32_t node;
};

struct nodes_node {
	char *name;	// NULL: the address
	uint32_t entry; // its first address
	enum tr_role role;
};

struct pk_nodes {
	uint32_t max_nodes;
	enum pk_nodes_by by;
	struct tr_hash hash; // of addresses, to entries
	struct nodes_entry *entries;
	uint32_t entry_count, entry_capacity;
	uint32_t named_count; // entries that pk_nodes_name made, which come first
	struct nodes_node *nodes;
	uint32_t node_count, node_capacity;
	bool failed;
};

struct pk_nodes *pk_nodes_new(uint32_t max_nodes, enum pk_nodes_by by)
{
	struct pk_nodes *nodes = calloc(1, sizeof(*nodes));

	if (nodes) {
		nodes->max_nodes = max_nodes;
		nodes->by = by;
	}
	if (nodes && tr_hash_reserve(&nodes->hash))
		return nodes;
	free(nodes);
	return NULL;
}

enum pk_nodes_by pk_nodes_by(const struct pk_nodes *nodes)
{
	return nodes->by;
}

static uint64_t nodes_hash_of(const struct pk_nodes *nodes, const struct pk_address *address)
{
	return tr_hash_fold(tr_hash_words(&nodes->hash, address->bytes, 2) ^ address->family ^
				    (uint64_t)address->port << 8,
			    0x9e3779b97f4a7c15u);
}

static bool nodes_same(const struct pk_address *a, const struct pk_address *b)
{
	return a->family == b->family && a->port == b->port &&
	       memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static struct nodes_entry *find_entry(const struct pk_nodes *nodes,
				      const struct pk_address *address, uint64_t value)
{
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&nodes->hash, value, &at)) != TR_HASH_NONE)
		if (nodes_same(&nodes->entries[place].address, address))
			return &nodes->entries[place];
	return NULL;
}

// Room for one more address and one more node.
static bool nodes_reserve(struct pk_nodes *nodes)
{
	if (!GROW(nodes->entries, nodes->entry_capacity, nodes->entry_count))
		return false;
	if (!GROW(nodes->nodes, nodes->node_capacity, nodes->node_count))
		return false;
	return tr_hash_reserve(&nodes->hash);
}

static void nodes_add_entry(struct pk_nodes *nodes, const struct pk_address *address,
			    uint64_t value, uint32_t node)
{
	tr_hash_add(&nodes->hash, value, nodes->entry_count);
	nodes->entries[nodes->entry_count++] = (struct nodes_entry){*address, node};
}

static uint32_t add_node(struct pk_nodes *nodes, char *name, enum tr_role role)
{
	nodes->nodes[nodes->node_count] = (struct nodes_node){name, nodes->entry_count, role};
	return nodes->node_count++;
}

// The entry for the address without its port; NULL if none.
static const struct nodes_entry *find_portless(const struct pk_nodes *nodes,
					       const struct pk_address *address)
{
	struct pk_address bare = *address;
	const struct nodes_entry *entry;

	bare.port = 0;
	entry = address->port ? find_entry(nodes, &bare, nodes_hash_of(nodes, &bare)) : NULL;
	return entry && entry < nodes->entries + nodes->named_count ? entry : NULL;
}

uint32_t pk_nodes_find(struct pk_nodes *nodes, const struct pk_address *address)
{
	const uint64_t value = nodes_hash_of(nodes, address);
	const struct nodes_entry *entry = find_entry(nodes, address, value);
	uint32_t node;

	if (!entry)
		entry = find_portless(nodes, address);
	if (entry)
		return entry->node;
	if (nodes->node_count == nodes->max_nodes)
		return TR_NODE_OTHER;
	if (!nodes_reserve(nodes)) {
		nodes->failed = true;
		return TR_NODE_OTHER;
	}
	node = add_node(nodes, NULL, TR_ROLE_UNKNOWN);
	nodes_add_entry(nodes, address, value, node);
	return node;
}

static uint32_t find_name(const struct pk_nodes *nodes, const char *name)
{
	for (uint32_t i = 0; i < nodes->node_count; i++)
		if (nodes->nodes[i].name && strcmp(nodes->nodes[i].name, name) == 0)
			return i;
	return TR_NODE_OTHER;
}

enum tr_status pk_nodes_name(struct pk_nodes *nodes, const struct pk_address *address,
			     const char *name, enum tr_role role, struct tr_error *err)
{
	const uint64_t value = nodes_hash_of(nodes, address);
	uint32_t node = *name ? find_name(nodes, name) : TR_NODE_OTHER;
	char *copy = NULL;

	if (find_entry(nodes, address, value))
		return tr_fail(err, "the address is named twice");
	if (node == TR_NODE_OTHER && nodes->node_count == nodes->max_nodes)
		return tr_fail(err, "more than %u nodes", nodes->max_nodes);
	if (node != TR_NODE_OTHER && nodes->nodes[node].role != role)
		return tr_fail(err, "%s has two roles", name);
	if (node == TR_NODE_OTHER && *name)
		copy = strdup(name);
	if (!nodes_reserve(nodes) || (node == TR_NODE_OTHER && *name && !copy)) {
		free(copy);
		return tr_no_memory(err, "the names of nodes");
	}
	if (node == TR_NODE_OTHER)
		node = add_node(nodes, copy, role);
	nodes_add_entry(nodes, address, value, node);
	nodes->named_count++;
	return TR_OK;
}

uint32_t pk_nodes_count(const struct pk_nodes *nodes)
{
	return nodes->node_count;
}

const char *pk_nodes_given_name(const struct pk_nodes *nodes, uint32_t node)
{
	return nodes->nodes[node].name;
}

const struct pk_address *pk_nodes_address(const struct pk_nodes *nodes, uint32_t node)
{
	return &nodes->entries[nodes->nodes[node].entry].address;
}

enum tr_role pk_nodes_role(const struct pk_nodes *nodes, uint32_t node)
{
	return nodes->nodes[node].role;
}

bool pk_nodes_failed(const struct pk_nodes *nodes)
{
	return nodes->failed;
}

void pk_nodes_free(struct pk_nodes *nodes)
{
	if (!nodes)
		return;
	for (uint32_t i = 0; i < nodes->node_count; i++)
		free(nodes->nodes[i].name);
	tr_hash_clear(&nodes->hash);
	free(nodes->entries);
	free(nodes->nodes);
	free(nodes);
}
