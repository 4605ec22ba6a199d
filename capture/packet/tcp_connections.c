// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/tcp_connections.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

#define PUSHED_LEAST 16u // segments that tell, and
#define PUSHED_PERCENT 98u

#define KEY_WORDS (sizeof(struct pk_flow_key) / 8)
#define LEAVING_PART 8u // of the bound at once
#define RANKS_DIFFER (PK_NO_RANK - 1)

// ---- finding

static struct pk_connection *tcp_connections_find(const struct pk_connections *connections,
						  const struct pk_flow_key *key)
{
	const uint64_t value = tr_hash_words(&connections->hash, key, KEY_WORDS);
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&connections->hash, value, &at)) != TR_HASH_NONE)
		if (memcmp(&connections->by_number[place]->key, key, sizeof(*key)) == 0)
			return connections->by_number[place];
	return NULL;
}

// Makes room for one more, and finds the lowest number that is free; false if out of memory.
static bool tcp_connections_reserve(struct pk_connections *connections)
{
	while (connections->first_free < connections->count &&
	       connections->by_number[connections->first_free])
		connections->first_free++;
	if (!GROW(connections->by_number, connections->capacity, connections->first_free))
		return false;
	return tr_hash_reserve(&connections->hash);
}

static void tcp_connections_enter(struct pk_connections *connections,
				  const struct pk_connection *connection)
{
	tr_hash_add(&connections->hash,
		    tr_hash_words(&connections->hash, &connection->key, KEY_WORDS),
		    connection->number);
}

static struct pk_connection *tcp_connections_add(struct pk_connections *connections,
						 const struct pk_flow_key *key, struct pk_ids ids)
{
	struct pk_connection *connection = calloc(1, sizeof(*connection));

	if (!connection || !tcp_connections_reserve(connections)) {
		free(connection);
		return NULL;
	}
	connection->key = *key;
	connection->number = connections->first_free++;
	connection->sides[0].node = ids.src;
	connection->sides[1].node = ids.dst;
	connection->sides[0].flow = connection->sides[1].flow = TR_FLOW_NONE;
	connections->by_number[connection->number] = connection;
	if (connection->number == connections->count)
		connections->count++;
	tcp_connections_enter(connections, connection);
	return connection;
}

static struct pk_flow_key reverse_of(const struct pk_flow_key *key)
{
	struct pk_flow_key reverse = *key;

	memcpy(reverse.src, key->dst, sizeof(reverse.src));
	memcpy(reverse.dst, key->src, sizeof(reverse.dst));
	reverse.src_port = key->dst_port;
	reverse.dst_port = key->src_port;
	return reverse;
}

// The connection of a flow that is not known to have one.
static struct pk_connection *find_new(struct pk_connections *connections, struct pk_ids ids,
				      unsigned *direction, bool *made)
{
	const struct pk_flow_key *key = pk_flows_key(connections->flows, ids.flow);
	const struct pk_flow_key reverse = reverse_of(key);
	struct pk_connection *connection = tcp_connections_find(connections, &reverse);

	*direction = connection != NULL;
	if (!connection)
		connection = tcp_connections_find(
			connections, key); // where its flow was given up, and got another number
	*made = !connection;
	return connection ? connection : tcp_connections_add(connections, key, ids);
}

struct pk_connection *pk_connections_find(struct pk_connections *connections, struct pk_ids ids,
					  unsigned *direction, bool *made)
{
	uint32_t *known = pk_flows_words(connections->flows, ids.flow);
	struct pk_connection *connection;

	if (*known) {
		*made = false;
		*direction = (*known - 1) & 1;
		return connections->by_number[(*known - 1) / 2];
	}
	connection = find_new(connections, ids, direction, made);
	if (!connection)
		return NULL;
	*known = 1 + connection->number * 2 + *direction;
	connection->sides[*direction].flow = ids.flow;
	return connection;
}

// ---- ranks of nodes

static void note_rank(uint32_t *ranks, const struct pk_side *side)
{
	uint32_t *rank = &ranks[side->node];

	if (side->rank != PK_NO_RANK)
		*rank = *rank == PK_NO_RANK || *rank == side->rank ? side->rank : RANKS_DIFFER;
}

// Grows the ranks of connections that were dropped to all nodes; false if out of memory.
static bool grow_ranks(struct pk_connections *connections)
{
	const uint32_t count = pk_nodes_count(pk_flows_nodes(connections->flows));
	uint32_t *larger;

	if (count == connections->ranks_count)
		return true;
	larger = reallocarray(connections->ranks, count, sizeof(*larger));
	if (!larger)
		return false;
	while (connections->ranks_count < count)
		larger[connections->ranks_count++] = PK_NO_RANK;
	connections->ranks = larger;
	return true;
}

uint32_t *pk_connections_ranks(const struct pk_connections *connections)
{
	const uint32_t count = pk_nodes_count(pk_flows_nodes(connections->flows));
	uint32_t *ranks = malloc(((size_t)count + 1) * sizeof(*ranks));

	if (!ranks)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		ranks[i] = i < connections->ranks_count ? connections->ranks[i] : PK_NO_RANK;
	for (uint32_t i = 0; i < connections->count; i++)
		for (unsigned side = 0; side < 2 && connections->by_number[i]; side++)
			note_rank(ranks, &connections->by_number[i]->sides[side]);
	for (uint32_t i = 0; i < count; i++)
		if (ranks[i] == RANKS_DIFFER)
			ranks[i] = PK_NO_RANK;
	return ranks;
}

// ---- the bound

struct idle {
	uint64_t used;
	struct pk_connection *connection;
};

static int by_used(const void *a, const void *b)
{
	const struct idle *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

bool pk_connections_choose(struct pk_connections *connections)
{
	const size_t enough_bytes = connections->most_bytes -
				    connections->most_bytes / LEAVING_PART;
	struct idle *idle = malloc((connections->count + 1) * sizeof(*idle));
	size_t held_bytes = connections->held_bytes;
	uint32_t count = 0;

	if (!idle || !grow_ranks(connections)) {
		free(idle);
		return false;
	}
	for (uint32_t i = 0; i < connections->count; i++)
		if (connections->by_number[i])
			idle[count++] = (struct idle){connections->by_number[i]->used,
						      connections->by_number[i]};
	qsort(idle, count, sizeof(*idle), by_used);
	for (uint32_t i = 0; i < count && held_bytes > enough_bytes; i++) {
		held_bytes -= idle[i].connection->held_bytes;
		idle[i].connection->leaving = true;
	}
	free(idle);
	return true;
}

static void free_one(struct pk_connection *connection)
{
	for (unsigned side = 0; side < 2; side++) {
		pk_segments_clear(&connection->sides[side].segments);
		pk_reader_clear(&connection->sides[side].reader);
	}
	free(connection);
}

static void drop(struct pk_connections *connections, struct pk_connection *connection)
{
	for (unsigned side = 0; side < 2; side++) {
		uint32_t *known = pk_flows_words(connections->flows, connection->sides[side].flow);

		if (known)
			*known = 0;
		note_rank(connections->ranks, &connection->sides[side]);
	}
	connections->held_bytes -= connection->held_bytes;
	connections->by_number[connection->number] = NULL;
	free_one(connection);
}

void pk_connections_drop(struct pk_connections *connections)
{
	tr_hash_forget(&connections->hash);
	for (uint32_t i = 0; i < connections->count; i++) {
		struct pk_connection *connection = connections->by_number[i];

		if (connection && connection->leaving)
			drop(connections, connection);
		else if (connection)
			tcp_connections_enter(connections, connection);
	}
	connections->first_free = 0;
}

void pk_connections_clear(struct pk_connections *connections)
{
	for (uint32_t i = 0; i < connections->count; i++)
		if (connections->by_number[i])
			free_one(connections->by_number[i]);
	free(connections->by_number);
	free(connections->ranks);
	tr_hash_clear(&connections->hash);
	*connections = (struct pk_connections){.flows = connections->flows};
}

bool pk_connection_note_pushed(struct pk_connection *connection, uint32_t payload_bytes,
			       bool pushed)
{
	const bool before = payload_bytes <= connection->largest_B && connection->written;

	if (payload_bytes > connection->largest_B) {
		connection->largest_B = payload_bytes;
		connection->largest = connection->pushed = 0;
		connection->written = false;
	}
	if (payload_bytes < connection->largest_B)
		return false;
	connection->largest++;
	connection->pushed += pushed;
	connection->written = connection->largest >= PUSHED_LEAST &&
			      (uint64_t)connection->pushed * 100 >=
				      (uint64_t)connection->largest * PUSHED_PERCENT;
	return connection->written != before;
}
