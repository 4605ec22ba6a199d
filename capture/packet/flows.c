// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/flows.h"
#include "packet/hash.h"
#include "trace/record.h"

#include <stdlib.h>

#define KEY_WORDS (sizeof(struct pk_flow_key) / 8)
#define FIRST_CAPACITY 256u
#define RECENT 1024u // a power of two

_Static_assert(sizeof(struct pk_flow_key) % 8 == 0, "compared as bytes, so without holes");

struct flow {
	struct pk_flow_key key;
	uint32_t src;
	uint32_t dst;
};

// A flow of IPv4 as its headers have it. family 0: free.
struct recent {
	uint64_t addresses;
	uint32_t ports;
	uint16_t protocol;
	uint16_t family;
	struct pk_ids ids;
};

struct pk_flows {
	uint32_t max_flows;
	struct pk_hash hash;
	struct flow *flows;
	uint32_t count, capacity;
	struct pk_nodes *nodes;
	bool failed;
	struct recent recent[RECENT];
};

struct pk_flows *pk_flows_new(uint32_t max_flows, struct pk_nodes *nodes)
{
	struct pk_flows *flows = calloc(1, sizeof *flows);

	if (flows && pk_hash_reserve(&flows->hash)) {
		flows->max_flows = max_flows;
		flows->nodes = nodes;
		return flows;
	}
	free(flows);
	return NULL;
}

static bool reserve(struct pk_flows *flows)
{
	const uint32_t more = flows->capacity ? flows->capacity * 2 : FIRST_CAPACITY;
	struct flow *larger;

	if (flows->count < flows->capacity)
		return pk_hash_reserve(&flows->hash);
	larger = realloc(flows->flows, more * sizeof *larger);
	if (!larger)
		return false;
	flows->flows = larger;
	flows->capacity = more;
	return pk_hash_reserve(&flows->hash);
}

// Queue pairs make no nodes: of most packets only that of the destination is known.
static uint32_t node_of(struct pk_flows *flows, const struct pk_flow_key *key,
			const uint8_t *bytes, uint32_t port)
{
	struct pk_address address = {.family = key->family};

	if (pk_nodes_by(flows->nodes) == PK_NODES_BY_PORT && key->protocol != TR_PROTOCOL_IB)
		address.port = (uint16_t)port;
	memcpy(address.bytes, bytes, sizeof address.bytes);
	return pk_nodes_find(flows->nodes, &address);
}

// A key that was not seen before, or that has no place in the table.
static struct pk_ids add(struct pk_flows *flows, const struct pk_flow_key *key, uint64_t value)
{
	const uint32_t src = node_of(flows, key, key->src, key->src_port);
	const uint32_t dst = node_of(flows, key, key->dst, key->dst_port);
	struct pk_ids ids = {TR_FLOW_NONE, src, dst};

	if (src == TR_NODE_OTHER || dst == TR_NODE_OTHER || flows->count == flows->max_flows)
		return ids;
	if (!reserve(flows)) {
		flows->failed = true;
		return ids;
	}
	pk_hash_add(&flows->hash, value, flows->count);
	flows->flows[flows->count] = (struct flow){*key, src, dst};
	ids.flow = flows->count++;
	return ids;
}

struct pk_ids pk_flows_find(struct pk_flows *flows, const struct pk_flow_key *key)
{
	const uint64_t value = pk_hash_words(&flows->hash, key, KEY_WORDS);
	const uint32_t tag = (uint32_t)(value >> 32);
	const struct pk_slot *slots = flows->hash.slots;

	for (size_t at = tag;; at++) {
		const struct pk_slot slot = slots[at & flows->hash.mask];
		const struct flow *flow;

		if (!slot.place)
			return add(flows, key, value);
		if (slot.tag != tag)
			continue;
		flow = &flows->flows[slot.place - 1];
		if (memcmp(&flow->key, key, sizeof *key) == 0)
			return (struct pk_ids){slot.place - 1, flow->src, flow->dst};
	}
}

// A flow that is not among the recent ones.
static struct pk_ids find_ipv4(struct pk_flows *flows, const uint8_t *header)
{
	struct pk_flow_key key = {.protocol = header[9], .family = 4};

	memcpy(key.src, header + 12, 4);
	memcpy(key.dst, header + 16, 4);
	key.src_port = pk_be16(header + 20);
	key.dst_port = pk_be16(header + 22);
	return pk_flows_find(flows, &key);
}

struct pk_ids pk_flows_find_ipv4(struct pk_flows *flows, const uint8_t *header)
{
	struct recent *recent;
	uint64_t addresses;
	uint32_t ports;

	memcpy(&addresses, header + 12, sizeof addresses);
	memcpy(&ports, header + 20, sizeof ports);
	recent = &flows->recent[pk_hash_fold(addresses ^ flows->hash.seed,
					     (uint64_t)ports << 16 | 0x9e37) % RECENT];
	if (recent->addresses != addresses || recent->ports != ports ||
	    recent->protocol != header[9] || recent->family != 4)
		*recent = (struct recent){addresses, ports, header[9], 4, find_ipv4(flows, header)};
	return recent->ids;
}

uint32_t pk_flows_count(const struct pk_flows *flows)
{
	return flows->count;
}

const struct pk_flow_key *pk_flows_key(const struct pk_flows *flows, uint32_t flow)
{
	return &flows->flows[flow].key;
}

struct pk_ids pk_flows_ids(const struct pk_flows *flows, uint32_t flow)
{
	return (struct pk_ids){flow, flows->flows[flow].src, flows->flows[flow].dst};
}

bool pk_flows_failed(const struct pk_flows *flows)
{
	return flows->failed;
}

void pk_flows_free(struct pk_flows *flows)
{
	if (!flows)
		return;
	pk_hash_clear(&flows->hash);
	free(flows->flows);
	free(flows);
}
