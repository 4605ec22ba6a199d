// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/tcp_messages.h"

#include <stdlib.h>
#include <string.h>

#include "packet/headers.h"
#include "packet/segments.h"
#include "trace/hash.h"
#include "trace/id_map.h"

#define TCP_HEADER_BYTES 14u // up to and with the flags
#define TCP_FIN 1u
#define TCP_SYN 2u
#define TCP_RST 4u
#define TCP_ACK 16u
#define KEY_WORDS (sizeof(struct pk_flow_key) / 8)
#define FIRST_CAPACITY 64u
#define RANKS_DIFFER (PK_NO_RANK - 1)

// One direction of a connection.
struct side {
	struct pk_segments segments;
	struct pk_reader reader;
	uint32_t node;
	uint32_t rank;
	uint32_t opened; // sequence number of its first byte, where opening
	bool opening;	 // its begin was captured
	bool closed;
};

// Side 0 sent the first segment of the connection that was captured.
struct connection {
	struct pk_messages *messages;
	struct pk_flow_key key;
	struct side sides[2];
	uint32_t number;
	bool recognised;
	bool ended;
};

// A message, and where it was found.
struct found {
	struct tr_message record;
	uint32_t connection;
	uint8_t direction;
};

struct pk_messages {
	bool headers;
	bool failed;
	bool unsorted; // some have been passed on
	const struct pk_flows *flows;
	struct pk_message_hooks hooks;
	struct tr_error err;
	struct tr_id_array of_flow; // connection * 2 + direction
	struct tr_hash hash;
	struct connection **connections;
	uint32_t count, capacity;
	struct pk_found found;
	struct found *kept;
	size_t kept_count, kept_capacity;
	uint64_t numbers; // messages passed on
	struct pk_message_counts counts;
};

// ---- messages found

// The rank of a node whose connections know of one rank only.
static uint32_t *ranks_of_nodes(const struct pk_messages *messages, uint32_t *count)
{
	uint32_t *ranks;

	*count = 0;
	for (uint32_t i = 0; i < messages->count; i++)
		for (unsigned side = 0; side < 2; side++)
			if (messages->connections[i]->sides[side].node >= *count)
				*count = messages->connections[i]->sides[side].node + 1;
	ranks = malloc((*count + 1) * sizeof(*ranks));
	for (uint32_t i = 0; ranks && i < *count; i++)
		ranks[i] = PK_NO_RANK;
	for (uint32_t i = 0; ranks && i < messages->count; i++) {
		for (unsigned side = 0; side < 2; side++) {
			const struct side *end = &messages->connections[i]->sides[side];

			if (end->rank != PK_NO_RANK)
				ranks[end->node] = ranks[end->node] == PK_NO_RANK || ranks[end->node] == end->rank
							   ? end->rank
							   : RANKS_DIFFER;
		}
	}
	return ranks;
}

static uint32_t rank_of(const struct side *side, const uint32_t *ranks)
{
	if (side->rank != PK_NO_RANK)
		return side->rank;
	return ranks[side->node] == RANKS_DIFFER ? PK_NO_RANK : ranks[side->node];
}

static void set_ranks(struct tr_message *record, const struct connection *connection, unsigned direction, const uint32_t *ranks)
{
	if (record->src_rank == PK_NO_RANK)
		record->src_rank = rank_of(&connection->sides[direction], ranks);
	record->dst_rank = rank_of(&connection->sides[!direction], ranks);
}

// In the order of begins, and of the bytes in a connection where these are equal.
static int by_begin(const void *a, const void *b)
{
	const struct tr_message *x = &((const struct found *)a)->record, *y = &((const struct found *)b)->record;

	if (x->begin_ticks != y->begin_ticks)
		return x->begin_ticks < y->begin_ticks ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

// Passes on what is kept.
static enum tr_status pass_on(struct pk_messages *messages, bool sorted, struct tr_error *err)
{
	uint32_t nodes;
	uint32_t *ranks = ranks_of_nodes(messages, &nodes);
	enum tr_status status = ranks ? TR_OK : tr_no_memory(err, "the ranks of nodes");

	if (sorted && messages->kept_count)
		qsort(messages->kept, messages->kept_count, sizeof(*messages->kept), by_begin);
	for (size_t i = 0; i < messages->kept_count && status == TR_OK; i++) {
		const struct found *found = &messages->kept[i];
		const struct connection *connection = messages->connections[found->connection];
		struct tr_message record = found->record;

		record.id = messages->numbers++;
		if (record.flags & TR_MESSAGE_RULE) // may be of a process that is no rank
			record.src_rank = record.dst_rank = PK_NO_RANK;
		else
			set_ranks(&record, connection, found->direction, ranks);
		status = messages->hooks.message(messages->hooks.context, &record, sorted, err);
	}
	free(ranks);
	messages->kept_count = 0;
	return status;
}

static void keep(struct pk_messages *messages, const struct found *found)
{
	if (messages->kept_count == PK_MESSAGES_KEPT) {
		messages->unsorted = true;
		messages->failed |= pass_on(messages, false, &messages->err) != TR_OK;
	}
	if (messages->kept_count == messages->kept_capacity) {
		const size_t more = messages->kept_capacity ? messages->kept_capacity * 2 : FIRST_CAPACITY;
		struct found *larger = realloc(messages->kept, more * sizeof(*larger));

		messages->failed |= !larger;
		if (!larger)
			return;
		messages->kept = larger;
		messages->kept_capacity = more;
	}
	messages->kept[messages->kept_count] = *found;
	messages->kept_count++;
}

void pk_messages_add(struct pk_messages *messages, uint32_t connection, unsigned direction, const struct tr_message *message)
{
	const struct connection *of = messages->connections[connection];
	struct found found = {*message, connection, (uint8_t)direction};

	found.record.src = of->sides[direction].node;
	found.record.dst = of->sides[!direction].node;
	found.record.operation = TR_OP_SEND;
	if (message->flags & TR_MESSAGE_RULE) {
		found.record.id = messages->found.begun++;
		messages->counts.by_rule++;
	} else {
		messages->counts.by_headers++;
	}
	keep(messages, &found);
}

static void take_found(void *context, const struct pk_reader *reader, const struct tr_message *message)
{
	struct connection *connection = context;

	pk_messages_add(connection->messages, connection->number, reader == &connection->sides[1].reader, message);
}

struct pk_messages *pk_messages_new(bool headers, const struct pk_flows *flows, const struct pk_message_hooks *hooks)
{
	struct pk_messages *messages = calloc(1, sizeof(*messages));

	if (!messages)
		return NULL;
	messages->headers = headers;
	messages->flows = flows;
	messages->hooks = *hooks;
	messages->found.message = take_found;
	return messages;
}

// ---- connections

static void set_side(struct connection *connection, unsigned direction, uint32_t node)
{
	struct side *side = &connection->sides[direction];

	side->node = node;
	side->rank = PK_NO_RANK;
}

// Sets the readers of a connection up.
static void set_readers(struct connection *connection)
{
	for (unsigned i = 0; i < 2; i++)
		connection->sides[i].reader = (struct pk_reader){
			.other = &connection->sides[!i].reader,
			.found = &connection->messages->found,
			.context = connection,
			.rank = &connection->sides[i].rank,
			.step = PK_SEEKING,
		};
	connection->recognised = false;
}

static struct connection *add_connection(struct pk_messages *messages, const struct pk_flow_key *key, struct pk_ids ids)
{
	const uint32_t more = messages->capacity ? messages->capacity * 2 : FIRST_CAPACITY;
	struct connection **larger = messages->connections;
	struct connection *connection = calloc(1, sizeof(*connection));

	if (messages->count == messages->capacity)
		larger = realloc(messages->connections, more * sizeof(struct connection *));
	if (larger)
		messages->connections = larger;
	if (!larger || !connection || !tr_hash_reserve(&messages->hash)) {
		free(connection);
		messages->failed = true;
		return NULL;
	}
	if (messages->count == messages->capacity)
		messages->capacity = more;
	connection->messages = messages;
	connection->key = *key;
	connection->number = messages->count;
	set_side(connection, 0, ids.src);
	set_side(connection, 1, ids.dst);
	set_readers(connection);
	tr_hash_add(&messages->hash, tr_hash_words(&messages->hash, key, KEY_WORDS), messages->count);
	messages->connections[messages->count++] = connection;
	return connection;
}

static struct connection *find_connection(const struct pk_messages *messages, const struct pk_flow_key *key)
{
	const uint64_t value = tr_hash_words(&messages->hash, key, KEY_WORDS);
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&messages->hash, value, &at)) != TR_HASH_NONE)
		if (memcmp(&messages->connections[place]->key, key, sizeof(*key)) == 0)
			return messages->connections[place];
	return NULL;
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

// The connection of a flow, and the flow's direction in it. NULL: out of memory.
static struct connection *connection_of(struct pk_messages *messages, struct pk_ids ids, unsigned *direction)
{
	const uint32_t known = tr_id_get(&messages->of_flow, ids.flow);
	struct connection *connection;
	struct pk_flow_key reverse;
	struct tr_error err;

	if (known != UINT32_MAX) {
		*direction = known & 1;
		return messages->connections[known / 2];
	}
	reverse = reverse_of(pk_flows_key(messages->flows, ids.flow));
	connection = find_connection(messages, &reverse);
	*direction = connection != NULL;
	if (!connection)
		connection = add_connection(messages, pk_flows_key(messages->flows, ids.flow), ids);
	if (!connection || tr_id_set(&messages->of_flow, ids.flow, connection->number * 2 + *direction, &err) != TR_OK) {
		messages->failed = true;
		return NULL;
	}
	return connection;
}

// ---- the bytes of a connection

static void end_hook(struct connection *connection, bool recognised)
{
	const struct pk_message_hooks *hooks = &connection->messages->hooks;

	if (hooks->end)
		hooks->end(hooks->context, connection->number, recognised);
}

static void take_piece(struct connection *connection, unsigned direction, const struct pk_piece *piece)
{
	struct pk_messages *messages = connection->messages;
	struct pk_reader *reader = &connection->sides[direction].reader;

	if (piece->missing)
		messages->counts.missing_bytes += piece->bytes;
	if (messages->headers) {
		const bool recognised = pk_reader_take(reader, piece);

		if (reader->transport && !connection->recognised) {
			connection->recognised = true;
			end_hook(connection, true);
		}
		if (recognised || connection->recognised)
			return;
	}
	if (messages->hooks.segment && !piece->missing)
		messages->hooks.segment(messages->hooks.context, connection->number, direction, piece->time_ns, piece->bytes);
}

static void take_first(void *context, const struct pk_piece *piece)
{
	take_piece(context, 0, piece);
}

static void take_second(void *context, const struct pk_piece *piece)
{
	take_piece(context, 1, piece);
}

static pk_piece_take *const takes[] = {take_first, take_second};

static void end_connection(struct connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		pk_segments_finish(&connection->sides[i].segments, takes[i], connection);
		connection->messages->failed |= connection->sides[i].segments.failed;
	}
	for (unsigned i = 0; i < 2; i++)
		pk_reader_finish(&connection->sides[i].reader);
	if (!connection->ended && !connection->recognised)
		end_hook(connection, false);
	connection->ended = true;
}

// Begins the connection, or begins it again.
static void open_direction(struct connection *connection, unsigned direction, uint32_t next, bool answers)
{
	struct side *side = &connection->sides[direction];

	if (side->opening && side->opened == next && !connection->ended)
		return; // repeated
	if (!answers) {
		end_connection(connection);
		set_readers(connection);
		connection->ended = false;
		for (unsigned i = 0; i < 2; i++)
			connection->sides[i].closed = connection->sides[i].opening = false;
	} else if (side->segments.begun || side->reader.transport) {
		return;
	}
	side->reader.step = PK_OPENING;
	side->opened = next;
	side->opening = true;
	pk_segments_begin(&side->segments, next, takes[direction], connection);
}

static void take_segment(struct connection *connection, unsigned direction, const struct pk_tcp *tcp)
{
	const uint8_t flags = tcp->header[13];
	const uint32_t header_bytes = (tcp->header[12] >> 4) * 4u;
	const uint32_t sequence = pk_be32(tcp->header + 4);
	uint32_t known_bytes = tcp->known_bytes > header_bytes ? tcp->known_bytes - header_bytes : 0;
	struct side *side = &connection->sides[direction];

	if (flags & TCP_SYN)
		open_direction(connection, direction, sequence + 1, flags & TCP_ACK);
	if (connection->ended)
		return;
	if (known_bytes > tcp->payload_bytes)
		known_bytes = tcp->payload_bytes;
	if (tcp->payload_bytes && !(flags & TCP_SYN))
		pk_segments_add(&side->segments, tcp->time_ns, sequence, known_bytes ? tcp->header + header_bytes : NULL,
				known_bytes, tcp->payload_bytes, takes[direction], connection);
	if (flags & TCP_ACK && !tcp->payload_bytes && !(flags & TCP_SYN) && !connection->recognised &&
	    connection->messages->hooks.segment)
		connection->messages->hooks.segment(connection->messages->hooks.context, connection->number, direction,
						    tcp->time_ns, 0);
	if (flags & TCP_ACK)
		pk_segments_acknowledged(&connection->sides[!direction].segments, tcp->time_ns, pk_be32(tcp->header + 8),
					 takes[!direction], connection);
	side->closed |= flags & TCP_FIN;
	if (flags & TCP_RST || (side->closed && connection->sides[!direction].closed && !side->segments.count &&
				!connection->sides[!direction].segments.count))
		end_connection(connection);
}

void pk_messages_take(struct pk_messages *messages, const struct pk_tcp *tcp)
{
	struct connection *connection;
	unsigned direction;

	if (tcp->fragment || tcp->ids.flow == TR_FLOW_NONE || tcp->known_bytes < TCP_HEADER_BYTES) {
		messages->counts.left_out += tcp->payload_bytes != 0;
		return;
	}
	connection = connection_of(messages, tcp->ids, &direction);
	if (connection)
		take_segment(connection, direction, tcp);
}

bool pk_messages_failed(const struct pk_messages *messages)
{
	return messages->failed || messages->found.failed;
}

void pk_messages_end(struct pk_messages *messages)
{
	for (uint32_t i = 0; i < messages->count; i++)
		end_connection(messages->connections[i]);
}

enum tr_status pk_messages_finish(struct pk_messages *messages, struct tr_error *err)
{
	pk_messages_end(messages);
	if (messages->err.text[0])
		return tr_fail(err, "%s", messages->err.text);
	if (pk_messages_failed(messages))
		return tr_no_memory(err, "the messages");
	return pass_on(messages, !messages->unsorted, err);
}

struct pk_message_counts pk_messages_counts(const struct pk_messages *messages)
{
	struct pk_message_counts counts = messages->counts;

	counts.unseen = messages->found.unseen;
	counts.losses = messages->found.losses;
	return counts;
}

void pk_messages_free(struct pk_messages *messages)
{
	for (uint32_t i = 0; messages && i < messages->count; i++) {
		struct connection *connection = messages->connections[i];

		for (unsigned side = 0; side < 2; side++) {
			pk_segments_clear(&connection->sides[side].segments);
			pk_reader_clear(&connection->sides[side].reader);
		}
		free(connection);
	}
	if (!messages)
		return;
	free(messages->connections);
	free(messages->kept);
	tr_hash_clear(&messages->hash);
	tr_id_array_clear(&messages->of_flow);
	free(messages);
}
