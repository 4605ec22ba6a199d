// SPDX-License-Identifier: GPL-3.0-or-later
// The trace reader on any bytes: unchanged, and with corrected checksums to reach the code behind
// them. Whatever it returns must satisfy stream/reader.h.
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "stream/reader.h"
#include "value/little_endian.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static bool node_named(const struct tr_names *names, uint32_t node)
{
	return node == TR_NODE_OTHER || node < names->node_count;
}

static void look_at(const struct tr_header *header, const struct tr_names *names,
		    const union tr_record *record)
{
	const struct tr_kind_info *kind = tr_kind_find(header->kind);

	for (unsigned i = 0; i < kind->field_count; i++) {
		uint64_t value = (uint64_t)tr_field_get(record, &kind->fields[i]);

		if (kind->fields[i].meaning == TR_NODE_ID)
			promise(node_named(names, (uint32_t)value));
		if (kind->fields[i].meaning == TR_FLOW_ID)
			promise(value == TR_FLOW_NONE || value < names->flow_count);
		if (kind->fields[i].meaning == TR_LINK_ID)
			promise(value < names->link_count);
	}
}

static void read_stream(const uint8_t *data, size_t size_bytes)
{
	const struct tr_names_limits limits = {.nodes = 1000, .flows = 1000, .links = 1000};
	const union tr_record *record;
	int64_t before = INT64_MIN;
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error err;
	enum tr_status status;
	uint64_t records = 0;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) == TR_OK);
	if (tr_reader_open(&in, source, &limits, NULL, &err) != TR_OK) {
		promise(err.text[0] != '\0');
		return;
	}
	while ((status = tr_next(in, &record)) == TR_OK) {
		look_at(tr_reader_header(in), tr_reader_names(in), record);
		promise(tr_reader_header(in)->unsorted || record->time_ticks >= before);
		before = record->time_ticks;
		promise(tr_reader_records(in) == ++records);
	}
	promise((status == TR_ERROR) == (tr_reader_error(in)[0] != '\0'));
	promise(status != TR_END || tr_reader_trailer(in)->records == records);
	promise(strlen(tr_reader_provenance(in)) <= TR_PROVENANCE_MAX);
	tr_reader_close(in);
}

// The checksum field after head_bytes of a header whose payload is there in full.
static void seal(uint8_t *head, size_t head_bytes, const uint8_t *payload, size_t payload_bytes)
{
	tr_set_u64(head + head_bytes,
		   XXH3_64bits_withSeed(payload, payload_bytes, XXH3_64bits(head, head_bytes)));
}

static void reseal(uint8_t *data, size_t size_bytes)
{
	size_t payload_bytes, at = TR_HEADER_BYTES;

	if (size_bytes < at)
		return;
	payload_bytes = tr_get_u32(data + 40);
	if (payload_bytes > size_bytes - at)
		return;
	seal(data, 56, data + at, payload_bytes);
	at += tr_padded(payload_bytes);
	while (at < size_bytes && size_bytes - at >= TR_CHUNK_HEADER_BYTES) {
		payload_bytes = tr_get_u32(data + at + 4);
		if (payload_bytes > size_bytes - at - TR_CHUNK_HEADER_BYTES)
			return;
		seal(data + at, 24, data + at + TR_CHUNK_HEADER_BYTES, payload_bytes);
		at += TR_CHUNK_HEADER_BYTES + tr_padded(payload_bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	uint8_t *sealed = malloc(size_bytes ? size_bytes : 1);

	if (!sealed)
		return 0;
	read_stream(data, size_bytes);
	memcpy(sealed, data, size_bytes);
	reseal(sealed, size_bytes);
	read_stream(sealed, size_bytes);
	free(sealed);
	return 0;
}
