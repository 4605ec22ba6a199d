// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/mpi_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "value/little_endian.h"
#include "value/num.h"

#define RANKS_MAX 1048576u
#define OFFSET_MAX_NS (INT64_MAX / 2)

bool mpi_record_claims(struct tr_source *source)
{
	return tr_source_begins(source, REC_MAGIC, strlen(REC_MAGIC));
}

// ---- the header: lines of a word and its value

// The value of a line, which ends at its newline; NULL: there is none.
static const char *mpi_record_value_of(const char *header, const char *word)
{
	const size_t length = strlen(word);

	for (const char *line = header; line; line = strchr(line, '\n')) {
		line += line != header;
		if (!strncmp(line, word, length) && line[length] == ' ')
			return line + length + 1;
	}
	return NULL;
}

static enum tr_status mpi_record_number_of(const struct mpi_record *record, const char *header,
					   const char *word, int base, uint64_t max, uint64_t *out,
					   struct tr_error *err)
{
	const char *value = mpi_record_value_of(header, word);
	char *end = NULL;

	if (value && *value != '-' && *value != ' ')
		*out = strtoull(value, &end, base);
	if (end && end != value && *end == '\n' && *out <= max)
		return TR_OK;
	return tr_fail(
		err, "%s: header: expected '%s' and a number of at most %" PRIu64 ", found '%.*s'",
		record->name, word, max, value ? (int)strcspn(value, "\n") : 0, value ? value : "");
}

static void text_of(const char *header, const char *word, char *out, size_t out_bytes)
{
	const char *value = mpi_record_value_of(header, word);
	const size_t length = value ? strcspn(value, "\n") : 0;

	if (length < out_bytes) {
		memcpy(out, value ? value : "", length);
		out[length] = '\0';
	}
}

static enum tr_status mpi_record_read_header(struct mpi_record *record, struct tr_source *source,
					     struct tr_error *err)
{
	char header[REC_HEADER_BYTES + 1] = "";
	uint64_t slot_bytes, rank, ranks, finalized = 0;
	const uint8_t *data;
	size_t got;
	enum tr_status status = tr_source_peek(source, REC_HEADER_BYTES, &data, &got, err);

	if (status == TR_ERROR)
		return TR_ERROR;
	if (status == TR_END || !mpi_record_claims(source))
		return tr_fail(err,
			       "%s: expected an MPI record, version 1, with a header of %d bytes; "
			       "found %s",
			       record->name, REC_HEADER_BYTES,
			       status == TR_END ? "fewer" : "something else");
	memcpy(header, data, REC_HEADER_BYTES);
	tr_source_skip(source, REC_HEADER_BYTES);
	if (mpi_record_number_of(record, header, "slot", 10, REC_SLOT_BYTES, &slot_bytes, err) !=
		    TR_OK ||
	    mpi_record_number_of(record, header, "run", 16, UINT64_MAX, &record->run, err) !=
		    TR_OK ||
	    mpi_record_number_of(record, header, "ranks", 10, RANKS_MAX, &ranks, err) != TR_OK ||
	    mpi_record_number_of(record, header, "rank", 10, RANKS_MAX - 1, &rank, err) != TR_OK)
		return TR_ERROR;
	if (slot_bytes != REC_SLOT_BYTES || rank >= ranks)
		return tr_fail(err,
			       "%s: header: expected slots of %d bytes and a rank below %" PRIu64
			       ", found %" PRIu64 " and %" PRIu64,
			       record->name, REC_SLOT_BYTES, ranks, slot_bytes, rank);
	record->rank = (uint32_t)rank;
	record->ranks = (uint32_t)ranks;
	record->ended = mpi_record_value_of(header, "end");
	if (record->ended &&
	    (mpi_record_number_of(record, header, "end", 10, 1, &finalized, err) != TR_OK ||
	     mpi_record_number_of(record, header, "lost", 10, UINT64_MAX, &record->lost, err) !=
		     TR_OK))
		return TR_ERROR;
	record->finalized = finalized;
	text_of(header, "host", record->host, sizeof(record->host));
	text_of(header, "library", record->library, sizeof(record->library));
	return TR_OK;
}

// ---- slots

static const uint8_t *mpi_record_place_of(const struct mpi_record *record, uint64_t number)
{
	return record->bytes + number * REC_SLOT_BYTES;
}

struct rec_slot mpi_record_slot(const struct mpi_record *record, uint64_t number)
{
	const uint8_t *at = mpi_record_place_of(record, number);

	return (struct rec_slot){
		.kind = at[0],
		.state = at[1],
		.thread = tr_get_u16(at + 2),
		.communicator = tr_get_u32(at + 4),
		.begin_ns = (int64_t)tr_get_u64(at + 8),
		.return_ns = (int64_t)tr_get_u64(at + 16),
		.ended_by = tr_get_u64(at + 24),
		.sent_bytes = tr_get_u64(at + 32),
		.received_bytes = tr_get_u64(at + 40),
		.peer = (int32_t)tr_get_u32(at + 48),
		.tag = (int32_t)tr_get_u32(at + 52),
		.other_ns = tr_get_u32(at + 56),
		.data = tr_get_u32(at + 60),
	};
}

uint64_t mpi_record_u64(const struct mpi_record *record, uint64_t number, uint64_t index)
{
	return tr_get_u64(mpi_record_place_of(record, number + 1 + index / REC_DATA_U64) + 8 +
			  index % REC_DATA_U64 * 8);
}

int32_t mpi_record_i32(const struct mpi_record *record, uint64_t number, uint64_t index)
{
	return (int32_t)tr_get_u32(mpi_record_place_of(record, number + 1 + index / REC_DATA_I32) +
				   8 + index % REC_DATA_I32 * 4);
}

enum tr_status mpi_record_fail(const struct mpi_record *record, uint64_t number, const char *what,
			       struct tr_error *err)
{
	return tr_fail(err, "%s: byte %" PRIu64 ": %s", record->name,
		       REC_HEADER_BYTES + number * REC_SLOT_BYTES, what);
}

// A file that was cut within a slot ends before it.
static enum tr_status read_slots(struct mpi_record *record, struct tr_source *source,
				 struct tr_error *err)
{
	size_t used;

	if (tr_source_rest(source, SIZE_MAX, &record->bytes, &used, err) != TR_OK)
		return TR_ERROR;
	record->slots = used / REC_SLOT_BYTES;
	return TR_OK;
}

static bool mpi_record_is_known(uint8_t kind)
{
	return kind <= REC_COMMUNICATOR || (kind >= REC_SEND && kind <= REC_WAIT) ||
	       (kind >= REC_BARRIER && kind <= REC_ALLTOALLV);
}

static void take_clock(struct mpi_record *record, const struct rec_slot *slot)
{
	if (slot->tag != 0 && slot->tag != 1)
		return;
	record->clock[slot->tag] = (struct mpi_record_clock){
		.known = true,
		.at_ns = slot->begin_ns,
		.offset_ns = (int64_t)slot->ended_by,
		.round_ns = slot->sent_bytes,
		.residual_ns = (int64_t)slot->received_bytes};
}

// Checks the slots, and counts. Those whose data the file's end cut off go.
static enum tr_status check_slots(struct mpi_record *record, struct tr_error *err)
{
	for (uint64_t i = 0; i < record->slots; i++) {
		const struct rec_slot slot = mpi_record_slot(record, i);

		if (!mpi_record_is_known(slot.kind))
			return mpi_record_fail(
				record, i,
				"expected a kind of slot as flit-mpi(5) has them, found another",
				err);
		if (slot.kind == REC_EMPTY || slot.kind == REC_DATA)
			continue;
		if (slot.begin_ns < 0 || slot.return_ns < 0)
			return mpi_record_fail(
				record, i, "expected times since the epoch, found a negative one",
				err);
		if (slot.kind == REC_CLOCK &&
		    slot.ended_by + OFFSET_MAX_NS > 2 * (uint64_t)OFFSET_MAX_NS)
			return mpi_record_fail(
				record, i,
				"expected clocks within 140 years, found a larger offset", err);
		if (slot.data >= record->slots - i) {
			record->slots = i;
			break;
		}
		for (uint64_t data = 1; data <= slot.data; data++)
			if (mpi_record_place_of(record, i + data)[0] != REC_DATA)
				return mpi_record_fail(
					record, i + data,
					"expected data of the slot before, found another slot",
					err);
		if (slot.kind == REC_CLOCK)
			take_clock(record, &slot);
		record->operations += slot.kind >= REC_SEND && slot.kind != REC_WAIT;
	}
	return TR_OK;
}

enum tr_status mpi_record_read(struct mpi_record *out, struct tr_source *source,
			       struct tr_error *err)
{
	*out = (struct mpi_record){.name = strdup(tr_source_name(source))};
	if (!out->name)
		return tr_no_memory(err, "the name of a record");
	if (mpi_record_read_header(out, source, err) != TR_OK ||
	    read_slots(out, source, err) != TR_OK)
		return TR_ERROR;
	return check_slots(out, err);
}

void mpi_record_clear(struct mpi_record *record)
{
	free(record->name);
	free(record->bytes);
	*record = (struct mpi_record){0};
}

// ---- clocks

// Between two comparisons the offset is taken to grow evenly (in 128 bits: the product of two
// times).
int64_t mpi_record_time(const struct mpi_record *record, int64_t time_ns)
{
	const struct mpi_record_clock *first = &record->clock[0], *last = &record->clock[1];
	__int128 offset = first->known ? first->offset_ns : 0;

	if (first->known && last->known && last->at_ns > first->at_ns)
		offset += ((__int128)last->offset_ns - first->offset_ns) *
			  ((__int128)time_ns - first->at_ns) /
			  ((__int128)last->at_ns - first->at_ns);
	offset += time_ns;
	return offset > INT64_MAX ? INT64_MAX : offset < 0 ? 0 : (int64_t)offset;
}
