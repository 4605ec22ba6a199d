// SPDX-License-Identifier: GPL-3.0-or-later
// bench_stream write N FILE        puts N packet records into a stream, 1.3 us apart
// bench_stream sparse N FILE       the same, 16 ms apart
// bench_stream compress N FILE     the same, compressed
// bench_stream read FILE           reads each record and adds up its bytes
// bench_stream blocks FILE         the same by whole blocks
// bench_stream hash FILE           only reads and hashes the bytes: the cost of the checksums
#include <stdio.h>
#include <string.h>

#include "stream/reader.h"
#include "stream/writer.h"
#include "value/num.h"
#include "value/xxh3.h"

#define NODES 8u

#define GAP_TICKS 1024
#define GAP_TICKS_SPARSE 12800000

static enum tr_status put_all(struct tr_writer *writer, uint64_t count, uint64_t gap_ticks)
{
	struct tr_packet packet = {.flow = TR_FLOW_NONE, .class = TR_CLASS_DATA};
	char address[16];

	for (uint32_t i = 0; i < NODES; i++) {
		(void)snprintf(address, sizeof(address), "node%u", i);
		(void)tr_put_node(writer, i, address, TR_ROLE_UNKNOWN);
	}
	for (uint64_t i = 0; i < count; i++) {
		packet.time_ticks += (int64_t)(gap_ticks * 25 / 32 + i * 2654435761u % gap_ticks);
		packet.id = i;
		packet.src = (uint32_t)(i % NODES);
		packet.dst = (uint32_t)((i + 1 + i / NODES % (NODES - 1)) % NODES);
		packet.payload_bytes = (uint32_t)(i * 40503u % 1448);
		packet.wire_bytes = packet.payload_bytes + 66;
		if (tr_put(writer, &packet) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static bool write_stream(const char *path, uint64_t count, const char *how, struct tr_error *err)
{
	const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000000};
	const struct tr_writer_options options = {.compress = strcmp(how, "compress") == 0};
	const struct tr_trailer trailer = {.lost = 0};
	struct tr_writer *writer;

	if (tr_writer_open(&writer, path, &header, "bench_stream\n", &options, err) != TR_OK)
		return false;
	(void)put_all(writer, count, strcmp(how, "sparse") == 0 ? GAP_TICKS_SPARSE : GAP_TICKS);
	return tr_writer_close(writer, &trailer, err) == TR_OK;
}

static uint64_t add_records(struct tr_reader *in)
{
	const union tr_record *record;
	uint64_t sum = 0;

	while (tr_next(in, &record) == TR_OK)
		sum += record->packet.wire_bytes;
	return sum;
}

static uint64_t add_blocks(struct tr_reader *in)
{
	const void *records;
	uint64_t sum = 0;
	size_t count;

	while (tr_next_block(in, &records, &count) == TR_OK) {
		const uint8_t *at = records;

		for (size_t i = 0; i < count; i++, at += tr_reader_stride(in))
			sum += ((const struct tr_packet *)(const void *)at)->wire_bytes;
	}
	return sum;
}

static bool read_stream(const char *path, uint64_t (*add)(struct tr_reader *in),
			struct tr_error *err)
{
	struct tr_source *source;
	struct tr_reader *in;
	bool ok;

	if (tr_source_open(&source, path, err) != TR_OK ||
	    tr_reader_open(&in, source, NULL, NULL, err) != TR_OK)
		return false;
	(void)printf("%llu wire bytes\n", (unsigned long long)add(in));
	ok = tr_reader_error(in)[0] == '\0';
	(void)tr_fail(err, "%s", tr_reader_error(in));
	tr_reader_close(in);
	return ok;
}

static bool hash_bytes(const char *path, struct tr_error *err)
{
	struct tr_source *source;
	const uint8_t *data;
	uint64_t sum = 0;
	size_t got;

	if (tr_source_open(&source, path, err) != TR_OK)
		return false;
	while (tr_source_peek(source, TR_BLOCK_MAX, &data, &got, err) == TR_OK) {
		sum ^= XXH3_64bits(data, TR_BLOCK_MAX);
		tr_source_skip(source, TR_BLOCK_MAX);
	}
	(void)printf("%016llx\n", (unsigned long long)sum);
	tr_source_close(source);
	return true;
}

static bool run(int argc, char **argv, struct tr_error *err)
{
	uint64_t count;

	(void)tr_fail(err, "write|sparse|compress N FILE, read|blocks|hash FILE");
	if (argc == 4 && num_parse_count(argv[2], 0, UINT64_MAX, &count, err) == TR_OK)
		return write_stream(argv[3], count, argv[1], err);
	if (argc != 3)
		return false;
	if (strcmp(argv[1], "hash") == 0)
		return hash_bytes(argv[2], err);
	return read_stream(argv[2], strcmp(argv[1], "blocks") == 0 ? add_blocks : add_records, err);
}

int main(int argc, char **argv)
{
	struct tr_error err;

	if (run(argc, argv, &err))
		return 0;
	(void)fprintf(stderr, "bench_stream: %s\n", err.text);
	return 2;
}
