// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/nodes.h"
#include "stream/record.h"
#include "value/hash.h"
#include "value/order.h"

#include <stdlib.h>

#define KEY_WORDS (sizeof(struct pk_flow_key) / 8)
#define FIRST_CAPACITY 256u
#define FIRST_SLOTS 4096u // a power of two

_Static_assert(sizeof(struct pk_flow_key) % 8 == 0, "compared as bytes, so without holes");

struct flow_table_flow {
	struct pk_flow_key key;
	struct pk_ids ids;
	uint32_t used; // numbers given when its last packet came
	uint32_t words[2];
	bool kept;
};

// rest 0: free. Two fill a cache line.
struct ipv4_slot {
	struct pk_ipv4_key key;
	struct pk_ids ids;
	uint32_t used; // of the flow, if later than there
};

_Static_assert(sizeof(struct ipv4_slot) == 32, "none lies across two cache lines");

// ipv4: a second index by header fields, open addressing, at most half full; it may lack flows.
struct pk_flows {
	uint32_t max_flows;
	struct tr_hash hash;
	struct flow_table_flow *flows; // by number
	uint32_t count, capacity;
	uint32_t numbers;
	uint64_t given_up;
	struct pk_nodes *nodes;
	bool failed;
	struct ipv4_slot *ipv4;
	size_t ipv4_mask; // slots - 1
	size_t ipv4_used;
};

static struct ipv4_slot *new_slots(size_t count)
{
	struct ipv4_slot *slots = aligned_alloc(64, count * sizeof(*slots));

	if (slots)
		memset(slots, 0, count * sizeof(*slots));
	return slots;
}

// Tables double, and while they grow the former ones exist as well; to give flows up takes another
// word for each.
uint32_t pk_flows_within(uint64_t memory_bytes)
{
	const uint64_t slot_bytes = sizeof(struct ipv4_slot) + sizeof(struct tr_slot);
	uint64_t most = 0;

	for (uint64_t flows = FIRST_SLOTS / 2; flows <= TR_FLOWS_MAX; flows *= 2) {
		const uint64_t slots_bytes = (flows == FIRST_SLOTS / 2 ? 2 : 3) * flows *
					     slot_bytes;
		const uint64_t fitting = memory_bytes > slots_bytes
						 ? (memory_bytes - slots_bytes) /
							   (sizeof(struct flow_table_flow) +
							    sizeof(uint32_t))
						 : 0;

		if ((fitting < flows ? fitting : flows) > most)
			most = fitting < flows ? fitting : flows;
	}
	return (uint32_t)most;
}

struct pk_flows *pk_flows_new(uint32_t max_flows, struct pk_nodes *nodes)
{
	struct pk_flows *flows = calloc(1, sizeof(*flows));

	if (!flows)
		return NULL;
	flows->max_flows = max_flows;
	flows->nodes = nodes;
	flows->ipv4 = new_slots(FIRST_SLOTS);
	flows->ipv4_mask = FIRST_SLOTS - 1;
	if (flows->ipv4 && tr_hash_reserve(&flows->hash))
		return flows;
	pk_flows_free(flows);
	return NULL;
}

static bool flow_table_reserve(struct pk_flows *flows)
{
	uint32_t more = flows->capacity ? flows->capacity * 2 : FIRST_CAPACITY;
	struct flow_table_flow *larger;

	if (more > flows->max_flows)
		more = flows->max_flows;
	if (flows->count < flows->capacity)
		return tr_hash_reserve(&flows->hash);
	larger = realloc(flows->flows, more * sizeof(*larger));
	if (!larger)
		return false;
	flows->flows = larger;
	flows->capacity = more;
	return tr_hash_reserve(&flows->hash);
}

// Queue pairs make no nodes: in most packets only the destination's is known.
static uint32_t node_of(struct pk_flows *flows, const struct pk_flow_key *key, const uint8_t *bytes,
			uint32_t port)
{
	struct pk_address address = {.family = key->family};

	if (pk_nodes_by(flows->nodes) == PK_NODES_BY_PORT && key->protocol != TR_PROTOCOL_IB &&
	    key->protocol != TR_PROTOCOL_PAUSE)
		address.port = (uint16_t)port;
	memcpy(address.bytes, bytes, sizeof(address.bytes));
	return pk_nodes_find(flows->nodes, &address);
}

// Adds a key not seen before, or without a place in the table.
static struct pk_ids flow_table_add(struct pk_flows *flows, const struct pk_flow_key *key,
				    uint64_t value)
{
	const uint32_t src = node_of(flows, key, key->src, key->src_port);
	const uint32_t dst = node_of(flows, key, key->dst, key->dst_port);
	struct pk_ids ids = {TR_FLOW_NONE, src, dst};

	if (src == TR_NODE_OTHER || dst == TR_NODE_OTHER || flows->count == flows->max_flows ||
	    flows->numbers == TR_FLOWS_MAX)
		return ids;
	if (!flow_table_reserve(flows)) {
		flows->failed = true;
		return ids;
	}
	tr_hash_add(&flows->hash, value, flows->count);
	ids.flow = flows->numbers++;
	flows->flows[flows->count++] = (struct flow_table_flow){
		.key = *key, .ids = ids, .used = flows->numbers};
	return ids;
}

struct pk_ids pk_flows_find(struct pk_flows *flows, const struct pk_flow_key *key)
{
	const uint64_t value = tr_hash_words(&flows->hash, key, KEY_WORDS);
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&flows->hash, value, &at)) != TR_HASH_NONE) {
		struct flow_table_flow *flow = &flows->flows[place];

		if (memcmp(&flow->key, key, sizeof(*key)) != 0)
			continue;
		flow->used = flows->numbers;
		return flow->ids;
	}
	return flow_table_add(flows, key, value);
}

// Finds a flow that is not in the IPv4 index.
static struct pk_ids find_ipv4(struct pk_flows *flows, const struct pk_ipv4_key *ipv4)
{
	struct pk_flow_key key = {.protocol = (uint8_t)(ipv4->rest >> 32), .family = 4};
	const uint32_t ports = (uint32_t)ipv4->rest;
	uint8_t addresses[8], numbers[4];

	memcpy(addresses, &ipv4->addresses, sizeof(addresses));
	memcpy(numbers, &ports, sizeof(numbers));
	memcpy(key.src, addresses, 4);
	memcpy(key.dst, addresses + 4, 4);
	key.src_port = pk_be16(numbers);
	key.dst_port = pk_be16(numbers + 2);
	return pk_flows_find(flows, &key);
}

// Modulo the number of slots, where the search for a flow begins.
static inline uint64_t ipv4_hash(const struct pk_flows *flows, const struct pk_ipv4_key *key)
{
	return tr_hash_fold(key->addresses ^ flows->hash.seed, key->rest << 16 | 0x9e37);
}

static void flow_table_put_ipv4(const struct pk_flows *flows, const struct ipv4_slot *slot)
{
	size_t at = ipv4_hash(flows, &slot->key);

	while (flows->ipv4[at & flows->ipv4_mask].key.rest)
		at++;
	flows->ipv4[at & flows->ipv4_mask] = *slot;
}

// Enters a flow into the IPv4 index. If out of memory it is left out and found in the main table.
static void remember_ipv4(struct pk_flows *flows, const struct ipv4_slot *slot)
{
	const size_t slots = flows->ipv4_mask + 1;
	struct ipv4_slot *before = flows->ipv4, *larger;

	if (flows->ipv4_used * 2 >= slots) {
		larger = new_slots(slots * 2);
		if (!larger)
			return;
		flows->ipv4 = larger;
		flows->ipv4_mask = slots * 2 - 1;
		for (size_t i = 0; i < slots; i++)
			if (before[i].key.rest)
				flow_table_put_ipv4(flows, &before[i]);
		free(before);
	}
	flow_table_put_ipv4(flows, slot);
	flows->ipv4_used++;
}

static __attribute__((noinline)) struct pk_ids add_ipv4(struct pk_flows *flows,
							const struct pk_ipv4_key *key)
{
	const struct pk_ids ids = find_ipv4(flows, key);

	if (ids.flow != TR_FLOW_NONE)
		remember_ipv4(flows,
			      &(struct ipv4_slot){.key = *key, .ids = ids, .used = flows->numbers});
	return ids;
}

uint64_t pk_flows_expect_ipv4(const struct pk_flows *flows, const struct pk_ipv4_key *key)
{
	const uint64_t hash = ipv4_hash(flows, key);

	__builtin_prefetch(&flows->ipv4[hash & flows->ipv4_mask]);
	return hash;
}

struct pk_ids pk_flows_find_ipv4(struct pk_flows *flows, const struct pk_ipv4_key *key,
				 uint64_t hash)
{
	for (size_t at = hash;; at++) {
		struct ipv4_slot *slot = &flows->ipv4[at & flows->ipv4_mask];

		if (((slot->key.addresses ^ key->addresses) | (slot->key.rest ^ key->rest)) == 0) {
			if (slot->used !=
			    flows->numbers) // seldom, so that the slot is hardly ever written
				slot->used = flows->numbers;
			return slot->ids;
		}
		if (!slot->key.rest)
			return add_ipv4(flows, key);
	}
}

const struct pk_nodes *pk_flows_nodes(const struct pk_flows *flows)
{
	return flows->nodes;
}

uint32_t pk_flows_numbers(const struct pk_flows *flows)
{
	return flows->numbers;
}

// The place of the first flow from this number on, the count if there is none. Until some were
// given up it is the number.
static uint32_t place_from(const struct pk_flows *flows, uint32_t number)
{
	uint32_t low = 0, high = flows->count;

	if (number < flows->count && flows->flows[number].ids.flow == number)
		return number;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (flows->flows[middle].ids.flow < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t pk_flows_next(const struct pk_flows *flows, uint32_t flow)
{
	const uint32_t place = place_from(flows, flow);

	return place < flows->count ? flows->flows[place].ids.flow : TR_FLOW_NONE;
}

// NULL if it was given up.
static struct flow_table_flow *flow_table_flow_of(const struct pk_flows *flows, uint32_t number)
{
	const uint32_t place = place_from(flows, number);

	return place < flows->count && flows->flows[place].ids.flow == number ? &flows->flows[place]
									      : NULL;
}

const struct pk_flow_key *pk_flows_key(const struct pk_flows *flows, uint32_t flow)
{
	return &flow_table_flow_of(flows, flow)->key;
}

struct pk_ids pk_flows_ids(const struct pk_flows *flows, uint32_t flow)
{
	return flow_table_flow_of(flows, flow)->ids;
}

uint32_t *pk_flows_words(struct pk_flows *flows, uint32_t flow)
{
	struct flow_table_flow *of = flow_table_flow_of(flows, flow);

	return of ? of->words : NULL;
}

// ---- giving up

bool pk_flows_are_due(const struct pk_flows *flows)
{
	return flows->count + PK_FLOWS_STEP > flows->max_flows;
}

void pk_flows_keep(struct pk_flows *flows, uint32_t flow)
{
	struct flow_table_flow *of = flow_table_flow_of(flows, flow);

	if (of)
		of->kept = true;
}

// Empties the IPv4 index, which flows enter again with their next packet.
static void forget_ipv4(struct pk_flows *flows)
{
	for (size_t i = 0; i <= flows->ipv4_mask; i++) {
		struct ipv4_slot *slot = &flows->ipv4[i];
		struct flow_table_flow *flow = slot->key.rest
						       ? flow_table_flow_of(flows, slot->ids.flow)
						       : NULL;

		if (flow && flow->used < slot->used)
			flow->used = slot->used;
		slot->key.rest = 0;
	}
	flows->ipv4_used = 0;
}

// Of the flows that are not kept, the time before which wanted of them, or all, were used last, and
// of those used just then how many are among them. False if out of memory.
static bool find_oldest(const struct pk_flows *flows, uint32_t wanted, uint32_t *before,
			uint32_t *just_then)
{
	uint32_t *used = malloc(((size_t)flows->count + 1) * sizeof(*used));
	uint32_t count = 0;

	if (!used)
		return false;
	for (uint32_t i = 0; i < flows->count; i++)
		if (!flows->flows[i].kept)
			used[count++] = flows->flows[i].used;
	qsort(used, count, sizeof(*used), order_u32);
	*before = wanted < count ? used[wanted] : UINT32_MAX;
	for (*just_then = 0;
	     wanted < count && *just_then < wanted && used[wanted - *just_then - 1] == *before;
	     ++*just_then)
		;
	free(used);
	return true;
}

bool pk_flows_give_up(struct pk_flows *flows)
{
	const uint32_t all = flows->count;
	uint32_t before, just_then;

	forget_ipv4(flows);
	if (!find_oldest(flows, flows->max_flows / 8 + 1, &before, &just_then)) {
		flows->failed = true;
		return true;
	}
	tr_hash_forget(&flows->hash);
	flows->count = 0;
	for (uint32_t i = 0; i < all; i++) {
		struct flow_table_flow flow = flows->flows[i];

		if (!flow.kept &&
		    (flow.used < before || (flow.used == before && just_then && just_then--)))
			continue;
		flow.kept = false;
		tr_hash_add(&flows->hash, tr_hash_words(&flows->hash, &flow.key, KEY_WORDS),
			    flows->count);
		flows->flows[flows->count++] = flow;
	}
	flows->given_up += all - flows->count;
	return !pk_flows_are_due(flows);
}

uint64_t pk_flows_given_up(const struct pk_flows *flows)
{
	return flows->given_up;
}

bool pk_flows_failed(const struct pk_flows *flows)
{
	return flows->failed;
}

void pk_flows_free(struct pk_flows *flows)
{
	if (!flows)
		return;
	tr_hash_clear(&flows->hash);
	free(flows->ipv4);
	free(flows->flows);
	free(flows);
}
