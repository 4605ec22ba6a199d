// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/tcp_messages.h"

#include <stdlib.h>

#include "packet/headers.h"
#include "packet/segments.h"
#include "packet/tcp_connections.h"
#include "value/order.h"

#define TCP_HEADER_BYTES 14u // up to and with the flags
#define TCP_FIN 1u
#define TCP_SYN 2u
#define TCP_RST 4u
#define TCP_PSH 8u
#define TCP_ACK 16u
#define SMALL_BYTES 256u // messages of up to so many may be of a protocol
#define REPEATED_LEAST 3u
#define FIRST_CAPACITY 64u
#define NO_CONNECTION UINT32_MAX
#define COMPLETE (UINT32_MAX - 1) // of no connection, and without ranks

// A message, and where it was found; where its connection was given up it has the ranks that are
// known.
struct tcp_messages_found {
	struct tr_message record;
	uint32_t connection;
	uint8_t direction;
};

_Static_assert(sizeof(struct tcp_messages_found) == PK_MESSAGE_BYTES, "what a message kept takes");

struct pk_messages {
	bool headers;
	bool failed;
	bool unsorted; // some have been passed on
	struct pk_message_hooks hooks;
	struct tr_error err;
	struct pk_connections connections;
	uint64_t taken; // segments
	struct pk_found found;
	struct tcp_messages_found *kept;
	size_t kept_count, kept_capacity, most_kept;
	uint64_t numbers; // messages passed on
	struct pk_message_counts counts;
};

// ---- messages found

static struct pk_messages *messages_of(const struct pk_connection *connection)
{
	return connection->owner;
}

// Sets the ranks that the connection knows; those that messages have of themselves stay.
static void set_ranks(struct tr_message *record, const struct pk_connection *connection,
		      unsigned direction)
{
	if (record->src_rank == PK_NO_RANK)
		record->src_rank = connection->sides[direction].rank;
	record->dst_rank = connection->sides[!direction].rank;
}

// The same for those that the node's other connections know.
static uint32_t rank_or_nodes(uint32_t rank, uint32_t node, const uint32_t *ranks)
{
	return rank != PK_NO_RANK ? rank : ranks[node];
}

// In the order of begins, and where these are equal of the bytes in a connection, and of frames of
// RDMA.
static int tcp_messages_by_begin(const void *a, const void *b)
{
	const struct tcp_messages_found *x = a, *y = b;

	ORDER_BY(x->record.begin_ticks, y->record.begin_ticks);
	ORDER_BY(x->record.id, y->record.id);
	return ORDER(x->connection, y->connection);
}

// By sizes in each direction of two nodes.
static int tcp_messages_by_size(const void *a, const void *b)
{
	const struct tr_message *x = &((const struct tcp_messages_found *)a)->record,
				*y = &((const struct tcp_messages_found *)b)->record;

	ORDER_BY(x->src, y->src);
	ORDER_BY(x->dst, y->dst);
	return ORDER(x->size_bytes, y->size_bytes);
}

// Counts the messages by rule whose sizes repeat, as those of programs do; one that was cut or
// joined has another size than its like.
static void count_repeated(struct pk_messages *messages)
{
	struct tcp_messages_found *kept = messages->kept;
	size_t count = 0;

	for (size_t i = 0; i < messages->kept_count; i++) {
		const struct tcp_messages_found found = kept[i];

		if (!(found.record.flags & TR_MESSAGE_RULE))
			continue;
		kept[i] = kept[count];
		kept[count++] = found;
	}
	if (count)
		qsort(kept, count, sizeof(*kept), tcp_messages_by_size);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1;
		     end < count && tcp_messages_by_size(&kept[first], &kept[end]) == 0; end++)
			;
		if (kept[first].record.size_bytes <= SMALL_BYTES)
			continue;
		messages->counts.sized += end - first;
		messages->counts.repeated += end - first >= REPEATED_LEAST ? end - first : 0;
	}
}

// Passes on what is kept.
static enum tr_status tcp_messages_pass_on(struct pk_messages *messages, bool sorted,
					   struct tr_error *err)
{
	uint32_t *ranks = pk_connections_ranks(&messages->connections);
	enum tr_status status = ranks ? TR_OK : tr_no_memory(err, "the ranks of nodes");

	if (sorted && messages->kept_count)
		qsort(messages->kept, messages->kept_count, sizeof(*messages->kept),
		      tcp_messages_by_begin);
	for (size_t i = 0; i < messages->kept_count && status == TR_OK; i++) {
		const struct tcp_messages_found *found = &messages->kept[i];
		struct tr_message record = found->record;

		record.id = messages->numbers++;
		if (record.flags & TR_MESSAGE_RULE) { // may be of a process that is no rank
			record.src_rank = record.dst_rank = PK_NO_RANK;
		} else if (found->connection != COMPLETE) {
			if (found->connection != NO_CONNECTION)
				set_ranks(&record,
					  messages->connections.by_number[found->connection],
					  found->direction);
			record.src_rank = rank_or_nodes(record.src_rank, record.src, ranks);
			record.dst_rank = rank_or_nodes(record.dst_rank, record.dst, ranks);
		}
		status = messages->hooks.message(messages->hooks.context, &record, sorted, err);
	}
	free(ranks);
	messages->kept_count = 0;
	return status;
}

static void tcp_messages_keep(struct pk_messages *messages, const struct tcp_messages_found *found)
{
	if (messages->kept_count == messages->most_kept) {
		messages->unsorted = true;
		messages->failed |= tcp_messages_pass_on(messages, false, &messages->err) != TR_OK;
	}
	if (messages->kept_count == messages->kept_capacity) {
		size_t more = messages->kept_capacity ? messages->kept_capacity * 2
						      : FIRST_CAPACITY;
		struct tcp_messages_found *larger;

		if (more > messages->most_kept)
			more = messages->most_kept;
		larger = realloc(messages->kept, more * sizeof(*larger));
		messages->failed |= !larger;
		if (!larger)
			return;
		messages->kept = larger;
		messages->kept_capacity = more;
	}
	messages->kept[messages->kept_count] = *found;
	messages->kept_count++;
}

void pk_messages_add(struct pk_messages *messages, uint32_t connection, unsigned direction,
		     const struct tr_message *message)
{
	const struct pk_connection *of = messages->connections.by_number[connection];
	struct tcp_messages_found found = {*message, connection, (uint8_t)direction};

	found.record.src = of->sides[direction].node;
	found.record.dst = of->sides[!direction].node;
	found.record.operation = TR_OP_SEND;
	if (message->flags & TR_MESSAGE_RULE) {
		found.record.id = messages->found.begun++;
		messages->counts.by_rule++;
	} else {
		messages->counts.by_headers++;
	}
	tcp_messages_keep(messages, &found);
}

void pk_messages_add_complete(struct pk_messages *messages, const struct tr_message *message)
{
	const struct tcp_messages_found found = {*message, COMPLETE, 0};

	tcp_messages_keep(messages, &found);
}

static void take_found(void *context, const struct pk_reader *reader,
		       const struct tr_message *message)
{
	struct pk_connection *connection = context;

	pk_messages_add(messages_of(connection), connection->number,
			reader == &connection->sides[1].reader, message);
}

struct pk_messages *pk_messages_new(bool headers, struct pk_flows *flows,
				    const struct pk_message_hooks *hooks, size_t most_kept,
				    size_t connections_bytes)
{
	struct pk_messages *messages = calloc(1, sizeof(*messages));

	if (!messages)
		return NULL;
	messages->headers = headers;
	messages->hooks = *hooks;
	messages->most_kept = most_kept;
	messages->connections.flows = flows;
	messages->connections.most_bytes = connections_bytes;
	messages->found.message = take_found;
	return messages;
}

// ---- the bytes of a connection

// Sets the readers of a connection up.
static void set_readers(struct pk_connection *connection)
{
	for (unsigned i = 0; i < 2; i++)
		connection->sides[i].reader = (struct pk_reader){
			.other = &connection->sides[!i].reader,
			.found = &messages_of(connection)->found,
			.context = connection,
			.rank = &connection->sides[i].rank,
			.step = PK_SEEKING,
		};
	connection->recognised = false;
}

static void set_up(struct pk_messages *messages, struct pk_connection *connection)
{
	connection->owner = messages;
	connection->sides[0].rank = connection->sides[1].rank = PK_NO_RANK;
	set_readers(connection);
}

static void end_hook(struct pk_connection *connection, bool recognised)
{
	const struct pk_message_hooks *hooks = &messages_of(connection)->hooks;

	if (hooks->end)
		connection->beside_bytes = hooks->end(hooks->context, connection->number,
						      recognised);
}

static void take_piece(struct pk_connection *connection, unsigned direction,
		       const struct pk_piece *piece)
{
	struct pk_messages *messages = messages_of(connection);
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
		connection->beside_bytes = messages->hooks.segment(messages->hooks.context,
								   connection->number, direction,
								   piece->time_ns, piece->bytes);
}

static void tcp_messages_take_first(void *context, const struct pk_piece *piece)
{
	take_piece(context, 0, piece);
}

static void take_second(void *context, const struct pk_piece *piece)
{
	take_piece(context, 1, piece);
}

static pk_piece_take *const takes[] = {tcp_messages_take_first, take_second};

static void tcp_messages_end_connection(struct pk_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		pk_segments_finish(&connection->sides[i].segments, takes[i], connection);
		messages_of(connection)->failed |= connection->sides[i].segments.failed;
	}
	for (unsigned i = 0; i < 2; i++)
		pk_reader_finish(&connection->sides[i].reader);
	if (!connection->ended && !connection->recognised)
		end_hook(connection, false);
	connection->ended = true;
}

// Begins the connection, or begins it again.
static void open_direction(struct pk_connection *connection, unsigned direction, uint32_t next,
			   bool answers)
{
	struct pk_side *side = &connection->sides[direction];

	if (side->opening && side->opened == next && !connection->ended)
		return; // repeated
	if (!answers) {
		tcp_messages_end_connection(connection);
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

static void tcp_messages_take_segment(struct pk_connection *connection, unsigned direction,
				      const struct pk_tcp *tcp)
{
	const uint8_t flags = tcp->header[13];
	const uint32_t header_bytes = (tcp->header[12] >> 4) * 4u;
	const uint32_t sequence = pk_be32(tcp->header + 4);
	uint32_t known_bytes = tcp->known_bytes > header_bytes ? tcp->known_bytes - header_bytes
							       : 0;
	struct pk_side *side = &connection->sides[direction];
	const struct pk_message_hooks *hooks = &messages_of(connection)->hooks;

	if (flags & TCP_SYN)
		open_direction(connection, direction, sequence + 1, flags & TCP_ACK);
	if (connection->ended)
		return;
	if (known_bytes > tcp->payload_bytes)
		known_bytes = tcp->payload_bytes;
	if (tcp->payload_bytes && !connection->recognised && hooks->written &&
	    pk_connection_note_pushed(connection, tcp->payload_bytes, flags & TCP_PSH))
		hooks->written(hooks->context, connection->number, connection->written);
	if (tcp->payload_bytes && !(flags & TCP_SYN))
		pk_segments_add(&side->segments, tcp->time_ns, sequence,
				known_bytes ? tcp->header + header_bytes : NULL, known_bytes,
				tcp->payload_bytes, takes[direction], connection);
	if (flags & TCP_ACK && !tcp->payload_bytes && !(flags & TCP_SYN) &&
	    !connection->recognised && hooks->segment)
		connection->beside_bytes = hooks->segment(hooks->context, connection->number,
							  direction, tcp->time_ns, 0);
	if (flags & TCP_ACK && connection->sides[!direction].segments.count)
		pk_segments_acknowledged(&connection->sides[!direction].segments, tcp->time_ns,
					 pk_be32(tcp->header + 8), takes[!direction], connection);
	side->closed |= flags & TCP_FIN;
	if (flags & TCP_RST ||
	    (side->closed && connection->sides[!direction].closed && !side->segments.count &&
	     !connection->sides[!direction].segments.count))
		tcp_messages_end_connection(connection);
}

// ---- giving up

static void forget_hook(const struct pk_connection *connection)
{
	const struct pk_message_hooks *hooks = &messages_of(connection)->hooks;

	if (hooks->forget)
		hooks->forget(hooks->context, connection->number);
}

// Ends those that are leaving, and notes what messages kept may want to know of them.
static void end_leaving(struct pk_messages *messages)
{
	struct pk_connection *const *connections = messages->connections.by_number;

	for (uint32_t i = 0; i < messages->connections.count; i++) {
		struct pk_connection *connection = connections[i];

		if (!connection || !connection->leaving)
			continue;
		messages->counts.given_up += !connection->ended;
		if (!connection->ended)
			tcp_messages_end_connection(connection);
		forget_hook(connection);
	}
	for (size_t i = 0; i < messages->kept_count; i++) {
		struct tcp_messages_found *found = &messages->kept[i];

		if (found->connection >= COMPLETE || !connections[found->connection]->leaving)
			continue;
		set_ranks(&found->record, connections[found->connection], found->direction);
		found->connection = NO_CONNECTION;
	}
}

static void give_up(struct pk_messages *messages)
{
	if (!pk_connections_choose(&messages->connections)) {
		messages->failed = true;
		return;
	}
	end_leaving(messages);
	pk_connections_drop(&messages->connections);
}

void pk_messages_take(struct pk_messages *messages, const struct pk_tcp *tcp)
{
	struct pk_connection *connection;
	unsigned direction;
	bool made;

	if (tcp->fragment || tcp->ids.flow == TR_FLOW_NONE || tcp->known_bytes < TCP_HEADER_BYTES) {
		messages->counts.left_out += tcp->payload_bytes != 0;
		return;
	}
	connection = pk_connections_find(&messages->connections, tcp->ids, &direction, &made);
	if (!connection) {
		messages->failed = true;
		return;
	}
	if (made)
		set_up(messages, connection);
	connection->used = messages->taken++;
	tcp_messages_take_segment(connection, direction, tcp);
	if (pk_connections_count(&messages->connections, connection))
		give_up(messages);
}

bool pk_messages_failed(const struct pk_messages *messages)
{
	return messages->failed || messages->found.failed;
}

void pk_messages_end(struct pk_messages *messages)
{
	for (uint32_t i = 0; i < messages->connections.count; i++)
		if (messages->connections.by_number[i])
			tcp_messages_end_connection(messages->connections.by_number[i]);
}

enum tr_status pk_messages_finish(struct pk_messages *messages, struct tr_error *err)
{
	pk_messages_end(messages);
	if (messages->err.text[0])
		return tr_fail(err, "%s", messages->err.text);
	if (pk_messages_failed(messages))
		return tr_no_memory(err, "the messages");
	if (!messages->unsorted)
		count_repeated(messages);
	return tcp_messages_pass_on(messages, !messages->unsorted, err);
}

struct pk_message_counts pk_messages_counts(const struct pk_messages *messages)
{
	struct pk_message_counts counts = messages->counts;

	counts.unseen = messages->found.unseen;
	counts.losses = messages->found.losses;
	counts.unseen_likely = pk_found_unseen(&messages->found);
	return counts;
}

void pk_messages_free(struct pk_messages *messages)
{
	if (!messages)
		return;
	pk_connections_clear(&messages->connections);
	free(messages->kept);
	free(messages);
}
