// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpi_streams.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define RANK_FIRST 3u
#define EAGER_MAX 4096u
#define TCP_BYTES 20u
#define ACK 16u

// ---- bytes

static void put_bytes(struct mpi_streams *streams, unsigned direction, const void *bytes,
		      size_t count)
{
	assert_true(streams->count[direction] + count <= STREAM_BYTES_MAX);
	memcpy(streams->bytes[direction] + streams->count[direction], bytes, count);
	streams->count[direction] += count;
}

static void put(struct mpi_streams *streams, unsigned direction, unsigned width, uint64_t value,
		bool big)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < width; i++)
		bytes[big ? width - 1 - i : i] = (uint8_t)(value >> 8 * i);
	put_bytes(streams, direction, bytes, width);
}

static void put_data(struct mpi_streams *streams, unsigned direction, uint64_t count,
		     struct tr_random *random)
{
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t byte = (uint8_t)tr_random_u32(random);

		put_bytes(streams, direction, &byte, 1);
	}
}

static void end_write(struct mpi_streams *streams, unsigned direction)
{
	size_t from = 0;

	for (size_t i = 0; i < streams->write_count; i++)
		if (streams->writes[i].direction == direction)
			from = streams->writes[i].until;
	assert_true(streams->write_count < STREAM_WRITES_MAX);
	streams->writes[streams->write_count++] = (struct stream_write){direction, from,
									streams->count[direction]};
}

// Some sizes, of those that programs use and of those at limits.
static uint64_t draw_size(struct tr_random *random)
{
	static const uint64_t sizes[] = {
		0, 1, 8, 1000, 1448, 2896, EAGER_MAX, EAGER_MAX + 1, 65536, 100000};

	if (tr_random_below(random, 2))
		return sizes[tr_random_below(random, sizeof(sizes) / sizeof(sizes[0]))];
	return tr_random_below(random, tr_random_below(random, 4) ? 3000 : 60000);
}

static struct stream_message draw_message(struct tr_random *random)
{
	struct stream_message message = {
		.direction = (unsigned)tr_random_below(random, 2),
		.size_bytes = draw_size(random),
		.tag = (int32_t)tr_random_below(random, 1000) - 20,
		.communicator = (uint32_t)tr_random_below(random, 3) * 2,
	};

	message.asks = message.size_bytes > EAGER_MAX;
	return message;
}

// ---- Open MPI: see capture/packet/openmpi.c

static void put_prefix(struct mpi_streams *streams, unsigned direction, uint8_t tag, uint32_t bytes,
		       bool big)
{
	put(streams, direction, 1, tag, big);
	put(streams, direction, 1, 1, big);
	put(streams, direction, 2, 0, big);
	put(streams, direction, 4, bytes, big);
}

static void put_match(struct mpi_streams *streams, const struct stream_message *message,
		      uint16_t sequence, uint32_t inside, bool big)
{
	const unsigned direction = message->direction;
	const uint8_t type = message->asks ? 0x42 : 0x41;

	put_prefix(streams, direction, type, inside + (message->asks ? 32 : 14), big);
	put(streams, direction, 1, type, big);
	put(streams, direction, 1, 0, big);
	put(streams, direction, 2, message->communicator, big);
	put(streams, direction, 4, RANK_FIRST + 2 * direction, big);
	put(streams, direction, 4, (uint32_t)message->tag, big);
	put(streams, direction, 2, sequence, big);
}

// ob1's control header of this type: 8-byte fields after 8 bytes.
static void put_control(struct mpi_streams *streams, unsigned direction, uint8_t type,
			const uint64_t *fields, size_t count, uint32_t data, bool big)
{
	put_prefix(streams, direction, type, (uint32_t)(8 + 8 * count) + data, big);
	put(streams, direction, 1, type, big);
	put(streams, direction, 1, 0, big);
	put(streams, direction, 6, 0, big);
	for (size_t i = 0; i < count; i++)
		put(streams, direction, 8, fields[i], big);
}

// A request's data: into memory, in one or two parts; or in fragments.
static void put_openmpi_data(struct mpi_streams *streams, const struct stream_message *message,
			     uint64_t request, uint64_t done, struct tr_random *random, bool big)
{
	const unsigned to = message->direction, from = !to;
	const uint64_t base = 0x7f0000000000 + tr_random_below(random, 1 << 30) * 64,
		       frag = base ^ 0x5555;
	const bool fragments = tr_random_below(random, 2);

	if (fragments)
		put_control(streams, from, 0x44, (uint64_t[]){request, 7, done, 0}, 4, 0, big);
	else
		put_control(streams, from, 0x48,
			    (uint64_t[]){request, frag, 9, done, base + done,
					 message->size_bytes - done},
			    6, 0, big);
	end_write(streams, from);
	while (done < message->size_bytes) {
		const uint64_t left = message->size_bytes - done;
		const uint64_t now = tr_random_below(random, 2) && left > 10 ? left / 2 : left;

		if (fragments) {
			put_control(streams, to, 0x46, (uint64_t[]){done, request, 7}, 3,
				    (uint32_t)now, big);
		} else {
			put(streams, to, 1, 0x20, big);
			put(streams, to, 1, 2, big);
			put(streams, to, 2, 1, big);
			put(streams, to, 4, now, big);
			put(streams, to, 8, base + done, big);
			put(streams, to, 8, now, big);
		}
		put_data(streams, to, now, random);
		done += now;
		end_write(streams, to);
	}
	if (!fragments) {
		put_control(streams, to, 0x49, (uint64_t[]){message->size_bytes, frag}, 2, 0, big);
		end_write(streams, to);
	}
}

static void put_openmpi(struct mpi_streams *streams, const struct stream_message *message,
			uint16_t sequence, struct tr_random *random, bool big)
{
	const uint64_t request = 0x550000000000 + tr_random_below(random, 1 << 20) * 64 +
				 streams->message_count * (1u << 28);
	const uint64_t inside = message->asks ? (tr_random_below(random, 2) ? 100 : 0)
					      : message->size_bytes;

	put_match(streams, message, sequence, (uint32_t)inside, big);
	if (message->asks) {
		put(streams, message->direction, 2, 0, big);
		put(streams, message->direction, 8, message->size_bytes, big);
		put(streams, message->direction, 8, request, big);
	}
	put_data(streams, message->direction, inside, random);
	end_write(streams, message->direction);
	if (message->asks)
		put_openmpi_data(streams, message, request, inside, random, big);
}

static void open_openmpi(struct mpi_streams *streams, unsigned direction, bool big)
{
	static const char magic[16] = "OPAL-TCP-BTL";

	put(streams, direction, 4, 0x78b70001, big);
	put(streams, direction, 4, RANK_FIRST + 2 * direction, big);
	put_bytes(streams, direction, magic, sizeof(magic));
	end_write(streams, direction);
}

// ---- UCX: see capture/packet/ucx.c

static void put_active(struct mpi_streams *streams, unsigned direction, uint8_t id,
		       const uint64_t *fields, size_t count, uint64_t more)
{
	put(streams, direction, 1, id, false);
	put(streams, direction, 4, 8 * count + more, false);
	for (size_t i = 0; i < count; i++)
		put(streams, direction, 8, fields[i], false);
}

static void put_ucx_eager(struct mpi_streams *streams, const struct stream_message *message,
			  uint64_t tag, struct tr_random *random)
{
	const unsigned to = message->direction;
	const uint64_t name = streams->message_count + 77, most = 1000;
	uint64_t done = message->size_bytes < most ? message->size_bytes : most;

	if (message->size_bytes == done)
		put_active(streams, to, 2, &tag, 1, done);
	else
		put_active(streams, to, 3, (uint64_t[]){tag, message->size_bytes, name}, 3, done);
	put_data(streams, to, done, random);
	end_write(streams, to);
	while (done < message->size_bytes) {
		const uint64_t now = message->size_bytes - done < most ? message->size_bytes - done
								       : most;

		put_active(streams, to, 4, (uint64_t[]){name, done}, 2, now);
		put_data(streams, to, now, random);
		done += now;
		end_write(streams, to);
	}
}

static void put_ucx_data(struct mpi_streams *streams, const struct stream_message *message,
			 uint64_t reply, uint64_t address, struct tr_random *random)
{
	const unsigned to = message->direction;
	const bool memory = tr_random_below(random, 2);

	for (uint64_t done = 0, now; done < message->size_bytes; done += now) {
		now = memory || message->size_bytes - done < 8000 ? message->size_bytes - done
								  : 8000;
		if (memory) {
			put_active(streams, to, 33, (uint64_t[]){address, now}, 2, 4);
			put(streams, to, 4, 0, false);
		} else {
			put_active(streams, to, 12, (uint64_t[]){reply, done}, 2, now);
		}
		put_data(streams, to, now, random);
		end_write(streams, to);
	}
	if (!memory)
		return;
	put_active(streams, !to, 34, NULL, 0, 4);
	put(streams, !to, 4, 0, false);
	end_write(streams, !to);
	put_active(streams, to, 16, &reply, 1, 9);
	put(streams, to, 1, 0, false);
	put(streams, to, 8, message->size_bytes, false);
	end_write(streams, to);
}

static void put_ucx(struct mpi_streams *streams, const struct stream_message *message,
		    struct tr_random *random)
{
	const unsigned to = message->direction;
	const uint64_t tag = (uint64_t)message->communicator << 48 |
			     (uint64_t)(RANK_FIRST + 2 * to) << 32 | (uint32_t)message->tag;
	const uint64_t name = 0x55a000000000 + streams->message_count * 4096, reply = name + 64;
	const uint64_t address = 0x7f3300000000 + streams->message_count * (1 << 24);

	if (!message->asks) {
		put_ucx_eager(streams, message, tag, random);
		return;
	}
	put_active(streams, to, 9, (uint64_t[]){tag, 42, name, address, message->size_bytes}, 5,
		   11);
	put_data(streams, to, 11, random);
	end_write(streams, to);
	put_active(streams, !to, 11, (uint64_t[]){name, reply, address, message->size_bytes, 0}, 5,
		   10);
	put_data(streams, !to, 10, random);
	end_write(streams, !to);
	put_ucx_data(streams, message, reply, address, random);
}

static void open_ucx(struct mpi_streams *streams, struct tr_random *random)
{
	put(streams, 0, 8, 0xcafebabe12345678, false);
	put_active(streams, 0, 32, NULL, 0, 29);
	put_data(streams, 0, 29, random);
	end_write(streams, 0);
	put_active(streams, 1, 32, NULL, 0, 4);
	put(streams, 1, 4, 3, false);
	end_write(streams, 1);
}

void mpi_streams_make(struct mpi_streams *streams, enum stream_kind kind, size_t messages,
		      struct tr_random *random)
{
	uint16_t sequences[2][8] = {{0}};
	const bool big = kind == STREAM_OPENMPI_BIG_ENDIAN;

	*streams = (struct mpi_streams){
		.bytes = {malloc(STREAM_BYTES_MAX), malloc(STREAM_BYTES_MAX)}};
	assert_true(streams->bytes[0] && streams->bytes[1] && messages <= STREAM_MESSAGES_MAX);
	if (kind == STREAM_UCX)
		open_ucx(streams, random);
	for (unsigned i = 0; i < 2 && kind != STREAM_UCX; i++)
		open_openmpi(streams, i, big);
	while (streams->message_count < messages) {
		const struct stream_message message = draw_message(random);

		streams->messages[streams->message_count++] = message;
		if (kind == STREAM_UCX)
			put_ucx(streams, &message, random);
		else
			put_openmpi(streams, &message,
				    ++sequences[message.direction][message.communicator], random,
				    big);
	}
}

void mpi_streams_free(struct mpi_streams *streams)
{
	free(streams->bytes[0]);
	free(streams->bytes[1]);
}

// ---- segments

static enum tr_status take_message(void *context, const struct tr_message *message, bool sorted,
				   struct tr_error *err)
{
	struct stream_results *results = context;

	(void)err;
	assert_true(sorted);
	assert_true(results->found_count < 4 * STREAM_MESSAGES_MAX);
	results->found[results->found_count++] = *message;
	return TR_OK;
}

static size_t take_segment(void *context, uint32_t connection, unsigned direction, int64_t time_ns,
			   uint32_t bytes)
{
	struct stream_results *results = context;

	assert_true(connection == 0 && direction < 2 && time_ns > 0);
	results->segments++;
	results->segment_bytes += bytes;
	return 0;
}

static void take_written(void *context, uint32_t connection, bool ends)
{
	struct stream_results *results = context;

	assert_true(connection == 0 && results->written != ends);
	results->written = ends;
}

void stream_results_open(struct stream_results *results, bool headers, size_t connections_bytes)
{
	const struct pk_message_hooks hooks = {.message = take_message,
					       .segment = take_segment,
					       .written = take_written,
					       .context = results};
	struct pk_flow_key keys[2] = {
		{.src = {10, 0, 0, 1},
		 .dst = {10, 0, 0, 2},
		 .src_port = 40000,
		 .dst_port = 20000,
		 .protocol = 6,
		 .family = 4},
		{.src = {10, 0, 0, 2},
		 .dst = {10, 0, 0, 1},
		 .src_port = 20000,
		 .dst_port = 40000,
		 .protocol = 6,
		 .family = 4},
	};

	*results = (struct stream_results){.nodes = pk_nodes_new(16, PK_NODES_BY_ADDRESS)};
	assert_non_null(results->nodes);
	results->flows = pk_flows_new(16, results->nodes);
	assert_non_null(results->flows);
	for (unsigned i = 0; i < 2; i++)
		results->ids[i] = pk_flows_find(results->flows, &keys[i]);
	results->messages = pk_messages_new(headers, results->flows, &hooks, PK_MESSAGES_KEPT,
					    connections_bytes);
	assert_non_null(results->messages);
}

void stream_results_close(struct stream_results *results)
{
	pk_messages_free(results->messages);
	pk_flows_free(results->flows);
	pk_nodes_free(results->nodes);
}

void stream_segment(struct stream_results *results, unsigned direction, uint32_t sequence,
		    uint32_t acknowledged, uint8_t flags, const uint8_t *data, uint32_t known_bytes,
		    uint32_t bytes)
{
	uint8_t *header = calloc(
		1, TCP_BYTES + known_bytes); // of its size, so that a sanitizer sees one too many
	struct pk_tcp tcp = {
		.header = header, .known_bytes = TCP_BYTES + known_bytes, .payload_bytes = bytes};

	assert_non_null(header);
	for (unsigned i = 0; i < 4; i++) {
		header[4 + i] = (uint8_t)(sequence >> (24 - 8 * i));
		header[8 + i] = (uint8_t)(acknowledged >> (24 - 8 * i));
	}
	header[12] = TCP_BYTES / 4 << 4;
	header[13] = flags;
	if (data)
		memcpy(header + TCP_BYTES, data, known_bytes);
	results->time_ns += 1000;
	tcp.time_ns = results->time_ns;
	tcp.ids = results->ids[direction];
	pk_messages_take(results->messages, &tcp);
	free(header);
}

// Gives bytes [from, until) of a direction as one segment.
static void give(struct stream_results *results, const struct mpi_streams *streams,
		 const struct stream_cuts *cuts, unsigned direction, size_t from, size_t until)
{
	const uint32_t bytes = (uint32_t)(until - from);
	const uint32_t known = cuts->known_bytes && cuts->known_bytes < bytes ? cuts->known_bytes
									      : bytes;

	stream_segment(results, direction, cuts->first[direction] + (uint32_t)from, 0, 0,
		       streams->bytes[direction] + from, known, bytes);
}

// Gives bytes [from, until) cut into segments; disturbed ones come in another order, twice, or with
// bytes of their neighbours.
static void give_run(struct stream_results *results, const struct mpi_streams *streams,
		     const struct stream_cuts *cuts, unsigned direction, size_t from, size_t until,
		     struct tr_random *random)
{
	const size_t begin = from;
	size_t held_from = 0, held_until = 0;

	while (from < until) {
		const size_t most = cuts->most_bytes && cuts->most_bytes < until - from
					    ? cuts->most_bytes
					    : until - from;
		const size_t now = cuts->random_sizes ? 1 + tr_random_below(random, most) : most;
		const uint64_t chance = cuts->disturbed ? tr_random_below(random, 10) : 10;

		if (chance == 0 && held_until == held_from) { // comes later
			held_from = from;
			held_until = from + now;
		} else {
			const size_t back = chance == 1 ? tr_random_below(random, from - begin + 1)
							: 0;

			give(results, streams, cuts, direction, from - back, from + now);
			if (chance == 2)
				give(results, streams, cuts, direction, from, from + now);
			if (held_until > held_from && chance > 5) {
				give(results, streams, cuts, direction, held_from, held_until);
				held_until = held_from;
			}
		}
		from += now;
	}
	if (held_until > held_from)
		give(results, streams, cuts, direction, held_from, held_until);
}

void stream_deliver(struct stream_results *results, const struct mpi_streams *streams,
		    const struct stream_cuts *cuts, struct tr_random *random)
{
	struct tr_error err;

	for (unsigned i = 0; i < 2 && !cuts->without_opening; i++)
		stream_segment(results, i, cuts->first[i] - 1, 0, i ? 2 | ACK : 2, NULL, 0, 0);
	for (size_t i = cuts->without_opening ? streams->write_count / 2 : 0;
	     i < streams->write_count; i++) {
		const struct stream_write *write = &streams->writes[i];
		size_t until = write->until;

		while (cuts->joined && i + 1 < streams->write_count &&
		       streams->writes[i + 1].direction == write->direction)
			until = streams->writes[++i].until;
		give_run(results, streams, cuts, write->direction, write->from, until, random);
	}
	assert_int_equal(pk_messages_finish(results->messages, &err), TR_OK);
}
