// SPDX-License-Identifier: GPL-3.0-or-later
// The binary form, of versions 0.0.0 on, big-endian. A file is: the magic number; the calls; a
// header; a footer with counts of calls; and an index of 4 to 7 offsets, which ends the file and
// begins with the magic number again. A call has no length, so all functions must be known. Times
// are seconds, 16 bits from a base of the file, and nanoseconds.
//
// Memory: the largest file, and DUMPI_NUMBERS_MAX numbers of a call at most.
#include "foreign/dumpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC \
	"\xff\xaa\xdd" \
	"DUMPI"
#define MAGIC_BYTES 8u
#define OFFSET_BYTES 8u
#define INDEX_MIN 4u // offsets of the oldest versions
#define INDEX_MAX 7u
#define HAS_STATUS 3u // bits of a call's mask
#define HAS_CPU 4u
#define HAS_WALL 8u
#define HAS_THREAD 64u
#define HAS_COUNTERS 128u

struct file {
	const char *name;
	uint8_t *data;
	size_t bytes;
	size_t at;
	size_t end; // of what is read now
	uint32_t version;
	uint32_t cpu_base_s, wall_base_s;
	bool finalized;
};

// Numbers of the version: 0.6.9 is 609.
#define VERSION(major, minor, least) (((major)*100u + (minor)) * 100u + (least))

static enum tr_status dumpi_binary_fail_at(const struct file *file, size_t at, struct tr_error *err,
					   const char *expected, const char *found)
{
	return tr_fail(err, "%s: offset %zu: expected %s, found %s", file->name, at, expected,
		       found);
}

// The next bytes as an unsigned number. TR_ERROR at the end.
static enum tr_status dumpi_binary_take(struct file *file, unsigned bytes, uint64_t *out,
					struct tr_error *err)
{
	uint64_t value = 0;

	*out = 0;
	if (file->end - file->at < bytes)
		return dumpi_binary_fail_at(file, file->at, err, "a number", "the end");
	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | file->data[file->at++];
	*out = value;
	return TR_OK;
}

static enum tr_status dumpi_binary_skip(struct file *file, uint64_t bytes, struct tr_error *err)
{
	if (file->end - file->at < bytes)
		return dumpi_binary_fail_at(file, file->at, err, "more bytes", "the end");
	file->at += bytes;
	return TR_OK;
}

// How many follow, each of at least each_bytes.
static enum tr_status take_count(struct file *file, unsigned each_bytes, uint32_t *out,
				 struct tr_error *err)
{
	size_t at = file->at;
	uint64_t count;
	char found[64];

	*out = 0;
	if (dumpi_binary_take(file, 4, &count, err) != TR_OK)
		return TR_ERROR;
	if (count > INT32_MAX) // none, in some versions
		count = 0;
	if (each_bytes * count > file->end - file->at) {
		(void)snprintf(found, sizeof(found), "%" PRIu64 " of them in %zu bytes", count,
			       file->end - file->at);
		return dumpi_binary_fail_at(file, at, err, "a count", found);
	}
	*out = (uint32_t)count;
	return TR_OK;
}

// ---- arguments

static unsigned number_bytes(char type)
{
	switch (type) {
	case 'b':
	case 'B': return 1;
	case 'h':
	case 'H': return 2;
	case 'q': return 8;
	default: return 4;
	}
}

static int32_t signed_of(uint64_t value, unsigned bytes)
{
	return bytes == 1 ? (int8_t)value : bytes == 2 ? (int16_t)value : (int32_t)value;
}

static enum tr_status take_one(struct file *file, char type, struct dumpi_argument *argument,
			       struct tr_error *err)
{
	uint64_t value;

	if (dumpi_binary_take(file, number_bytes(type), &value, err) != TR_OK)
		return TR_ERROR;
	argument->given = true;
	argument->value = type == 'q' ? (int64_t)value : signed_of(value, number_bytes(type));
	return TR_OK;
}

static enum tr_status take_many(struct file *file, struct dumpi_call *call, char type,
				struct dumpi_argument *argument, struct tr_error *err)
{
	unsigned bytes = number_bytes(type);
	uint32_t count;
	uint64_t value;

	if (take_count(file, bytes, &count, err) != TR_OK)
		return TR_ERROR;
	argument->given = argument->many = true;
	argument->first = call->number_count;
	for (uint32_t i = 0; i < count; i++)
		if (dumpi_binary_take(file, bytes, &value, err) != TR_OK ||
		    dumpi_call_add(call, argument, signed_of(value, bytes), err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Lists of numbers, one after the other.
static enum tr_status take_lists(struct file *file, struct dumpi_call *call,
				 struct dumpi_argument *argument, struct tr_error *err)
{
	const uint32_t first = call->number_count;
	uint32_t count, all = 0;

	if (take_count(file, 4, &count, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < count; i++) {
		argument->count = 0;
		if (take_many(file, call, 'I', argument, err) != TR_OK)
			return TR_ERROR;
		all += argument->count;
	}
	argument->given = argument->many = true;
	argument->first = first;
	argument->count = all;
	return TR_OK;
}

// Statuses: bytes, source, whether cancelled, error, and since 0.6.3 the tag.
static enum tr_status dumpi_binary_take_statuses(struct file *file, struct dumpi_call *call,
						 uint8_t mask, struct dumpi_argument *argument,
						 struct tr_error *err)
{
	bool tags = file->version >= VERSION(0, 6, 3);
	uint64_t size, source, cancelled, tag = UINT32_MAX;
	uint32_t count;

	if (!(mask & HAS_STATUS))
		return TR_OK;
	if (take_count(file, tags ? 14 : 10, &count, err) != TR_OK)
		return TR_ERROR;
	argument->given = argument->many = count > 0;
	argument->first = call->number_count;
	for (uint32_t i = 0; i < count; i++) {
		if (dumpi_binary_take(file, 4, &size, err) != TR_OK ||
		    dumpi_binary_take(file, 4, &source, err) != TR_OK ||
		    dumpi_binary_take(file, 1, &cancelled, err) != TR_OK ||
		    dumpi_binary_skip(file, 1, err) != TR_OK ||
		    (tags && dumpi_binary_take(file, 4, &tag, err) != TR_OK))
			return TR_ERROR;
		if (dumpi_call_add(call, argument, (int32_t)size, err) != TR_OK ||
		    dumpi_call_add(call, argument, (int32_t)source, err) != TR_OK ||
		    dumpi_call_add(call, argument, (int32_t)tag, err) != TR_OK ||
		    dumpi_call_add(call, argument, (int32_t)cancelled, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Skips lists of lists of characters or numbers: depth 0 is one list.
static enum tr_status skip_lists(struct file *file, unsigned depth, unsigned each_bytes,
				 struct tr_error *err)
{
	uint32_t count;

	if (take_count(file, depth ? 4 : each_bytes, &count, err) != TR_OK)
		return TR_ERROR;
	if (depth == 0)
		return dumpi_binary_skip(file, (uint64_t)count * each_bytes, err);
	for (uint32_t i = 0; i < count; i++)
		if (skip_lists(file, depth - 1, each_bytes, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A count twice, by mistake, and as many texts.
static enum tr_status skip_old_arguments(struct file *file, struct tr_error *err)
{
	uint32_t count;

	if (take_count(file, 4, &count, err) != TR_OK || dumpi_binary_skip(file, 4, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < count; i++)
		if (skip_lists(file, 0, 1, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status dumpi_binary_take_argument(struct file *file, struct dumpi_call *call,
						 const char *letters, uint8_t mask,
						 struct tr_error *err)
{
	struct dumpi_argument unused;
	struct dumpi_argument *argument = letters[1] == '.' ? &unused
							    : dumpi_argument(call, letters[1]);

	switch (letters[0]) {
	case 'b':
	case 'h':
	case 'i':
	case 'q': return take_one(file, letters[0], argument, err);
	case 'V':
	case 'W':
		if (file->version < (letters[0] == 'V' ? VERSION(0, 6, 9) : VERSION(0, 6, 8)))
			return dumpi_binary_skip(file, 4, err);
		return skip_lists(file, 0, 4, err);
	case 'B':
	case 'H':
	case 'I':
		if (argument == &unused)
			return skip_lists(file, 0, number_bytes(letters[0]), err);
		return take_many(file, call, letters[0], argument, err);
	case 'S':
		if (argument == &unused)
			unused = (struct dumpi_argument){0};
		return dumpi_binary_take_statuses(file, call, mask, argument, err);
	case 'J':
		if (argument == &unused)
			return skip_lists(file, 1, 4, err);
		return take_lists(file, call, argument, err);
	case 'A':
		if (file->version < VERSION(0, 6, 2))
			return skip_old_arguments(file, err);
		return skip_lists(file, 1, 1, err);
	default: return skip_lists(file, letters[0] == 'C' ? 0 : letters[0] == 'D' ? 1 : 2, 1, err);
	}
}

static enum tr_status take_arguments(struct file *file, struct dumpi_call *call, uint8_t mask,
				     struct tr_error *err)
{
	bool left_out = false;

	for (const char *letters = call->function->arguments; *letters;) {
		if (*letters == '(') {
			left_out = dumpi_given(call, 'R')->value != dumpi_given(call, 'o')->value;
		} else if (*letters == ')') {
			left_out = false;
		} else if (*letters != ' ') {
			if (!left_out &&
			    dumpi_binary_take_argument(file, call, letters, mask, err) != TR_OK)
				return TR_ERROR;
			letters++; // of two
		}
		letters++;
	}
	return TR_OK;
}

// ---- calls

static enum tr_status dumpi_binary_take_time(struct file *file, uint32_t base_s, int64_t *ns,
					     struct tr_error *err)
{
	uint64_t s, part_ns;

	if (dumpi_binary_take(file, 2, &s, err) != TR_OK ||
	    dumpi_binary_take(file, 4, &part_ns, err) != TR_OK)
		return TR_ERROR;
	*ns = ((int64_t)base_s + (int64_t)s) * 1000000000 + (int64_t)(part_ns & INT32_MAX);
	return TR_OK;
}

// The time on the wall clock, or, where the file has none, of the processor.
static enum tr_status take_times(struct file *file, struct dumpi_call *call, uint8_t mask,
				 struct tr_error *err)
{
	uint64_t counters;

	if ((mask & HAS_THREAD) && dumpi_binary_skip(file, 2, err) != TR_OK)
		return TR_ERROR;
	if ((mask & HAS_CPU) &&
	    (dumpi_binary_take_time(file, file->cpu_base_s, &call->enter_ns, err) != TR_OK ||
	     dumpi_binary_take_time(file, file->cpu_base_s, &call->leave_ns, err) != TR_OK))
		return TR_ERROR;
	if ((mask & HAS_WALL) &&
	    (dumpi_binary_take_time(file, file->wall_base_s, &call->enter_ns, err) != TR_OK ||
	     dumpi_binary_take_time(file, file->wall_base_s, &call->leave_ns, err) != TR_OK))
		return TR_ERROR;
	if (!(mask & HAS_COUNTERS))
		return TR_OK;
	return dumpi_binary_take(file, 1, &counters, err) == TR_OK
		       ? dumpi_binary_skip(file, counters * 16, err)
		       : TR_ERROR;
}

// The next call; TR_END after the last. Versions before functions were traced end with the number
// after the last function's, or after MPI_Finalize.
static enum tr_status next_call(struct file *file, struct dumpi_call *call, struct tr_error *err)
{
	size_t at = file->at;
	uint64_t number, mask, address;
	char found[32];

	if (file->at >= file->end)
		return TR_END;
	if (dumpi_binary_take(file, 2, &number, err) != TR_OK)
		return TR_ERROR;
	if (number == DUMPI_FUNCTIONS || number == DUMPI_FUNCTIONS + 3 ||
	    (file->finalized && number == 0))
		return TR_END;
	if (number > DUMPI_FUNCTIONS + 3) {
		(void)snprintf(found, sizeof(found), "%" PRIu64, number);
		return dumpi_binary_fail_at(file, at, err, "the number of a function", found);
	}
	dumpi_call_start(call, number < DUMPI_FUNCTIONS ? &dumpi_functions[number] : NULL);
	if (dumpi_binary_take(file, 1, &mask, err) != TR_OK ||
	    take_times(file, call, (uint8_t)mask, err) != TR_OK)
		return TR_ERROR;
	if (!call->function)
		return dumpi_binary_take(file, 8, &address, err);
	file->finalized |= strcmp(call->function->name, "Finalize") == 0;
	return take_arguments(file, call, (uint8_t)mask, err);
}

// ---- the file

static enum tr_status dumpi_binary_load(struct file *file, struct tr_source *source,
					struct tr_error *err)
{
	file->name = tr_source_name(source);
	if (tr_source_rest(source, SIZE_MAX, &file->data, &file->bytes, err) != TR_OK)
		return TR_ERROR;
	file->end = file->bytes;
	return TR_OK;
}

static bool is_magic(const struct file *file, size_t at)
{
	return at + MAGIC_BYTES <= file->bytes && memcmp(file->data + at, MAGIC, MAGIC_BYTES) == 0;
}

// The offsets of the index: [0] the last of them, that of the keys, [1] footer, [2] body, [3]
// header, and since 0.6.6 [6] the sizes of types.
static enum tr_status take_index(struct file *file, uint64_t index[INDEX_MAX], unsigned *count,
				 struct tr_error *err)
{
	for (*count = INDEX_MIN; *count <= INDEX_MAX; (*count)++)
		if (file->bytes >= (*count + 1) * OFFSET_BYTES &&
		    is_magic(file, file->bytes - (*count + 1) * OFFSET_BYTES))
			break;
	if (*count > INDEX_MAX)
		return dumpi_binary_fail_at(file, file->bytes, err,
					    "the index of a DUMPI file before it",
					    "none: the file is truncated");
	file->at = file->bytes - *count * OFFSET_BYTES;
	for (unsigned i = *count; i > 0; i--) {
		size_t at = file->at;

		if (dumpi_binary_take(file, OFFSET_BYTES, &index[i - 1], err) != TR_OK)
			return TR_ERROR;
		if (index[i - 1] > file->bytes)
			return dumpi_binary_fail_at(file, at, err, "an offset in the file",
						    "one after its end");
	}
	return TR_OK;
}

static enum tr_status take_version(struct file *file, uint64_t header, struct tr_error *err)
{
	uint64_t part[3];

	file->version = 0;
	if (header == 0)
		return TR_OK;
	file->at = header;
	for (unsigned i = 0; i < 3; i++)
		if (dumpi_binary_take(file, 1, &part[i], err) != TR_OK)
			return TR_ERROR;
	file->version = VERSION((uint32_t)part[0], (uint32_t)part[1], (uint32_t)part[2]);
	return TR_OK;
}

static enum tr_status take_types(struct file *file, uint64_t sizes, struct dumpi_rank *rank,
				 struct tr_error *err)
{
	uint32_t count;
	uint64_t bytes;

	if (sizes == 0)
		return TR_OK;
	file->at = sizes;
	if (take_count(file, 4, &count, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t type = 0; type < count && type < UINT16_MAX; type++) {
		if (dumpi_binary_take(file, 4, &bytes, err) != TR_OK)
			return TR_ERROR;
		if (bytes > 0 && bytes <= INT32_MAX)
			dumpi_rank_type(rank, (uint16_t)type, bytes);
	}
	return TR_OK;
}

static enum tr_status read_calls(struct file *file, struct dumpi_rank *rank, struct tr_error *err)
{
	struct dumpi_call call = {0};
	enum tr_status status;
	uint64_t base;
	size_t at = file->at;

	if (dumpi_binary_take(file, 4, &base, err) != TR_OK)
		return TR_ERROR;
	file->cpu_base_s = (uint32_t)base;
	if (dumpi_binary_take(file, 4, &base, err) != TR_OK)
		return TR_ERROR;
	file->wall_base_s = (uint32_t)base;
	for (at = file->at; (status = next_call(file, &call, err)) == TR_OK; at = file->at)
		if (call.function && dumpi_rank_call(rank, &call, err) != TR_OK) {
			status = tr_fail_in(err, "%s: offset %zu: MPI_%s", file->name, at,
					    call.function->name);
			break;
		}
	dumpi_call_clear(&call);
	return status == TR_END ? TR_OK : status;
}

bool dumpi_is_binary(struct tr_source *source)
{
	return tr_source_begins(source, MAGIC, MAGIC_BYTES);
}

static enum tr_status dumpi_binary_read_file(struct file *file, struct dumpi_rank *rank,
					     struct tr_error *err)
{
	uint64_t index[INDEX_MAX] = {0};
	unsigned count;

	if (take_index(file, index, &count, err) != TR_OK ||
	    take_version(file, index[3], err) != TR_OK ||
	    (count == INDEX_MAX && take_types(file, index[6], rank, err) != TR_OK))
		return TR_ERROR;
	file->at = index[2];
	if (index[1] > index[2])
		file->end = index[1];
	if (index[3] > index[2] && index[3] < file->end)
		file->end = index[3];
	return read_calls(file, rank, err);
}

enum tr_status dumpi_read_binary(struct tr_source *source, struct dumpi_rank *rank,
				 struct tr_error *err)
{
	struct file file = {0};
	enum tr_status status = dumpi_binary_load(&file, source, err);

	if (status == TR_OK)
		status = dumpi_binary_read_file(&file, rank, err);
	free(file.data);
	return status;
}
