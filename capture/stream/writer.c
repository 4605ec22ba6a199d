// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "file/outfile.h"
#include "file/packed.h"
#include "file/pipe.h"
#include "stream/block.h"
#include "stream/names.h"
#include "value/little_endian.h"

#define ZSTD_LEVEL 3

struct tr_writer {
	int fd;
	struct tr_outfile *file;  // NULL: standard output
	struct tr_packer *packer; // NULL: written as it is
	char *path;
	struct tr_header header;
	const struct tr_kind_info *kind;
	struct tr_writer_options options;
	struct tr_names names;
	struct tr_error error;
	bool failed;
	bool closed_pipe;
	bool regular; // a file: no reader waits, so blocks are cut by count alone
	uint8_t *block;
	size_t block_bytes;
	uint32_t block_count;
	uint8_t *entries;
	size_t entries_bytes;
	uint32_t entries_count;
	uint8_t *packed; // a chunk compressed
	ZSTD_CCtx *zstd;
	uint64_t records;
	int64_t time_ticks; // of the last chunk
	struct timespec sent;
};

static enum tr_status writer_refuse(struct tr_writer *writer, const char *why)
{
	struct tr_error inner;

	(void)tr_fail(&inner, "%s", why);
	writer->failed = true;
	return tr_fail(&writer->error, "%s: %.400s", writer->path, inner.text);
}

static enum tr_status pack(struct tr_writer *writer, const void *data, size_t bytes,
			   enum tr_packer_until until)
{
	if (tr_packer_put(writer->packer, data, bytes, until))
		return TR_OK;
	writer->closed_pipe = errno == EPIPE;
	return writer_refuse(writer, strerror(errno));
}

// Writes all of the parts, in as many writes as needed.
static enum tr_status writer_send(struct tr_writer *writer, struct iovec *part, int count)
{
	for (; writer->packer && count > 0; part++, count--)
		if (pack(writer, part->iov_base, part->iov_len, TR_PACKER_WHENEVER) != TR_OK)
			return TR_ERROR;
	while (count > 0) {
		ssize_t got = writev(writer->fd, part, count);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			writer->closed_pipe = errno == EPIPE;
			return writer_refuse(writer, strerror(errno));
		}
		for (; count > 0 && (size_t)got >= part->iov_len; part++, count--)
			got -= (ssize_t)part->iov_len;
		if (count > 0) {
			part->iov_base = (uint8_t *)part->iov_base + got;
			part->iov_len -= (size_t)got;
		}
	}
	return TR_OK;
}

static enum tr_status send_chunk(struct tr_writer *writer, enum tr_chunk_type type,
				 uint8_t *payload, size_t payload_bytes, uint32_t count)
{
	static const uint8_t zeros[8];
	uint8_t head[TR_CHUNK_HEADER_BYTES];
	struct tr_chunk chunk = {
		.type = (uint8_t)type,
		.raw_bytes = (uint32_t)payload_bytes,
		.stored_bytes = (uint32_t)payload_bytes,
		.count = count,
		.time_ticks = writer->time_ticks,
	};

	if (writer->zstd && payload_bytes) {
		size_t packed_bytes = ZSTD_compressCCtx(writer->zstd, writer->packed, TR_BLOCK_MAX,
							payload, payload_bytes, ZSTD_LEVEL);

		// An error here means that it would not shrink.
		if (!ZSTD_isError(packed_bytes) && packed_bytes < payload_bytes) {
			chunk.compressed = true;
			chunk.stored_bytes = (uint32_t)packed_bytes;
			payload = writer->packed;
		}
	}
	tr_chunk_encode(&chunk, payload, head);
	struct iovec parts[] = {
		{head, sizeof(head)},
		{payload, chunk.stored_bytes},
		{(void *)(uintptr_t)zeros, tr_padded(chunk.stored_bytes) - chunk.stored_bytes},
	};
	(void)clock_gettime(CLOCK_MONOTONIC, &writer->sent);
	return writer_send(writer, parts, 3);
}

static enum tr_status writer_send_names(struct tr_writer *writer)
{
	size_t bytes = writer->entries_bytes;
	uint32_t count = writer->entries_count;

	if (!bytes)
		return TR_OK;
	writer->entries_bytes = writer->entries_count = 0;
	return send_chunk(writer, TR_CHUNK_NAMES, writer->entries, bytes, count);
}

// Sends the names, then the block, which may be empty.
static enum tr_status send_block(struct tr_writer *writer, int64_t time_ticks)
{
	struct tr_error why;
	size_t bad, bytes = writer->block_bytes;
	uint32_t count = writer->block_count;
	int64_t last_ticks = writer->time_ticks;

	if (tr_block_check(writer->kind, writer->block, writer->kind->size_bytes, count,
			   writer->header.unsorted, &writer->names, &last_ticks, &bad,
			   &why) != TR_OK)
		return writer_refuse(writer, why.text);
	if (writer_send_names(writer) != TR_OK)
		return TR_ERROR;
	writer->time_ticks = last_ticks > time_ticks ? last_ticks : time_ticks;
	writer->records += count;
	writer->block_bytes = writer->block_count = 0;
	tr_records_swap(writer->kind, writer->block, writer->kind->size_bytes, count);
	if (send_chunk(writer, TR_CHUNK_RECORDS, writer->block, bytes, count) != TR_OK)
		return TR_ERROR;
	if (writer->packer && (writer->options.flush_each || !writer->regular))
		return pack(writer, NULL, 0, TR_PACKER_NOW);
	return TR_OK;
}

static bool is_packed(const char *path)
{
	const size_t bytes = strlen(path);

	return bytes >= 4 && strcmp(path + bytes - 4, ".zst") == 0;
}

static enum tr_status writer_open_path(struct tr_writer *writer, const char *path,
				       struct tr_error *err)
{
	const struct tr_outfile_options options = {
		.files = writer->options.files,
		.grows = true,
		.sync = writer->options.sync,
		.keep = writer->options.keep,
		.another = writer->options.another,
	};
	struct stat info;

	if (strcmp(path, "-") != 0 && !writer->file &&
	    tr_outfile_open(&writer->file, path, &options, err) != TR_OK)
		return TR_ERROR;
	writer->fd = writer->file ? tr_outfile_descriptor(writer->file) : STDOUT_FILENO;
	if (is_packed(path) && !(writer->packer = tr_packer_open(writer->fd)))
		return tr_no_memory(err, "%s", path);
	if (fstat(writer->fd, &info) != 0)
		return TR_OK;
	writer->regular = S_ISREG(info.st_mode);
	tr_pipe_widen(writer->fd, &info);
	return TR_OK;
}

// How much of the text fits the bound: all, or whole lines that leave room for the remark.
static size_t provenance_fit(const char *text, const char *remark)
{
	size_t length = strlen(text);

	if (length <= TR_PROVENANCE_MAX)
		return length;
	length = TR_PROVENANCE_MAX - strlen(remark);
	while (length > 0 && text[length - 1] != '\n')
		length--;
	return length;
}

static enum tr_status send_header(struct tr_writer *writer, const char *provenance)
{
	static const char remark[] = "(longer than the bound; the rest is left out)\n";
	uint8_t head[TR_HEADER_BYTES];
	size_t keep_bytes = provenance_fit(provenance, remark);
	bool cut = provenance[keep_bytes] != '\0';
	size_t bytes = keep_bytes + (cut ? sizeof(remark) - 1 : 0);
	char *text = calloc(1, tr_padded(bytes) + 1);
	enum tr_status status;

	if (!text)
		return writer_refuse(writer, TR_OUT_OF_MEMORY);
	(void)snprintf(text, bytes + 1, "%.*s%s", (int)keep_bytes, provenance, cut ? remark : "");
	tr_header_encode(&writer->header, text, bytes, head);
	status = writer_send(writer,
			     (struct iovec[]){{head, sizeof(head)}, {text, tr_padded(bytes)}}, 2);
	free(text);
	(void)clock_gettime(CLOCK_MONOTONIC, &writer->sent);
	return status;
}

static struct tr_writer *writer_new(const char *path, const struct tr_writer_options *options)
{
	struct tr_writer *writer = calloc(1, sizeof(*writer));

	if (!writer) {
		if (options)
			(void)tr_outfile_close(options->file, false, NULL);
		return NULL;
	}
	writer->fd = -1;
	writer->time_ticks = INT64_MIN;
	if (options)
		writer->options = *options;
	writer->file = writer->options.file;
	writer->options.compress = writer->options.compress && !is_packed(path);
	writer->path = strdup(path);
	writer->block = malloc(TR_BLOCK_MAX);
	writer->entries = malloc(TR_BLOCK_MAX);
	if (writer->options.compress) {
		writer->packed = malloc(TR_BLOCK_MAX);
		writer->zstd = ZSTD_createCCtx();
	}
	if (!writer->path || !writer->block || !writer->entries ||
	    (writer->options.compress && (!writer->packed || !writer->zstd))) {
		(void)tr_writer_close(writer, NULL, NULL);
		return NULL;
	}
	return writer;
}

enum tr_status tr_writer_open(struct tr_writer **out, const char *path,
			      const struct tr_header *header, const char *provenance,
			      const struct tr_writer_options *options, struct tr_error *err)
{
	struct tr_writer *writer = writer_new(path, options);
	struct tr_error why;

	*out = NULL;
	if (!writer)
		return tr_no_memory(err, "%s", path);
	writer->header = *header;
	writer->kind = tr_kind_find(header->kind);
	writer->header.record_bytes = writer->kind ? writer->kind->size_bytes : 8;
	if (tr_header_check(&writer->header, &why) != TR_OK || !writer->kind) {
		if (!writer->kind)
			(void)tr_fail(&why, "unknown record kind %u", header->kind);
		(void)tr_writer_close(writer, NULL, NULL);
		return tr_fail(err, "%s: cannot write such a stream: %.300s", path, why.text);
	}
	if (tr_out_name_check(path, TR_OUT_STREAM, err) != TR_OK ||
	    writer_open_path(writer, path, err) != TR_OK) {
		(void)tr_writer_close(writer, NULL, NULL);
		return TR_ERROR;
	}
	if (send_header(writer, provenance ? provenance : "") != TR_OK)
		return tr_writer_close(writer, NULL, err);
	*out = writer;
	return TR_OK;
}

enum tr_status tr_put(struct tr_writer *writer, const void *record)
{
	size_t record_bytes = writer->kind->size_bytes;

	if (writer->failed)
		return TR_ERROR;
	if (record_bytes == sizeof(struct tr_packet))
		memcpy(writer->block + writer->block_bytes, record, sizeof(struct tr_packet));
	else
		memcpy(writer->block + writer->block_bytes, record, record_bytes);
	writer->block_bytes += record_bytes;
	writer->block_count++;
	if (writer->block_bytes + record_bytes > TR_BLOCK_MAX || writer->options.flush_each)
		return send_block(writer, INT64_MIN);
	return TR_OK;
}

enum tr_status tr_put_many(struct tr_writer *writer, const void *records, size_t count)
{
	const size_t record_bytes = writer->kind->size_bytes;
	const uint8_t *from = records;
	enum tr_status status = writer->failed ? TR_ERROR : TR_OK;

	while (count > 0 && status == TR_OK) {
		const size_t room = (TR_BLOCK_MAX - writer->block_bytes) / record_bytes;
		const size_t take = writer->options.flush_each ? 1 : room < count ? room : count;

		memcpy(writer->block + writer->block_bytes, from, take * record_bytes);
		writer->block_bytes += take * record_bytes;
		writer->block_count += (uint32_t)take;
		from += take * record_bytes;
		count -= take;
		if (writer->block_bytes + record_bytes > TR_BLOCK_MAX || writer->options.flush_each)
			status = send_block(writer, INT64_MIN);
	}
	return status;
}

enum tr_status tr_put_name(struct tr_writer *writer, const struct tr_name *name)
{
	const bool rises = name->kind == TR_NAME_FLOW && writer->options.flows_rise;
	struct tr_error why;

	if (writer->failed)
		return TR_ERROR;
	if (!rises && tr_names_has(&writer->names, name))
		return TR_OK;
	if (tr_name_check(name, &why) != TR_OK ||
	    (rises ? tr_names_pass_flow(&writer->names, name, &why)
		   : tr_names_set(&writer->names, name, &why)) != TR_OK)
		return writer_refuse(writer, why.text);
	if (writer->entries_bytes + TR_NAME_ENTRY_BYTES + tr_padded(name->text_bytes) >
		    TR_BLOCK_MAX &&
	    writer_send_names(writer) != TR_OK)
		return TR_ERROR;
	writer->entries_bytes += tr_name_encode(name, writer->entries + writer->entries_bytes);
	writer->entries_count++;
	return TR_OK;
}

enum tr_status tr_put_node(struct tr_writer *writer, uint32_t id, const char *address,
			   enum tr_role role)
{
	return tr_put_name(writer, &(struct tr_name){
					   .kind = TR_NAME_NODE,
					   .id = id,
					   .role = (uint8_t)role,
					   .text = address,
					   .text_bytes = strlen(address),
				   });
}

enum tr_status tr_put_counter(struct tr_writer *writer, const char *key, uint64_t value)
{
	return tr_put_name(writer, &(struct tr_name){
					   .kind = TR_NAME_COUNTER,
					   .value = value,
					   .text = key,
					   .text_bytes = strlen(key),
				   });
}

enum tr_status tr_put_note(struct tr_writer *writer, const char *lines)
{
	size_t left = strlen(lines);
	enum tr_status status = TR_OK;

	for (; left > 0 && status == TR_OK;) {
		size_t take = left > TR_NOTE_TEXT_MAX ? TR_NOTE_TEXT_MAX : left;

		status = tr_put_name(writer, &(struct tr_name){
						     .kind = TR_NAME_NOTE,
						     .text = lines,
						     .text_bytes = take,
					     });
		lines += take;
		left -= take;
	}
	return status;
}

enum tr_status tr_writer_flush(struct tr_writer *writer, int64_t time_ticks)
{
	if (writer->failed)
		return TR_ERROR;
	if (!writer->block_count && !writer->entries_count && time_ticks <= writer->time_ticks)
		return TR_OK;
	return send_block(writer, time_ticks);
}

static bool second_passed_since(const struct timespec *then)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - then->tv_sec - (now.tv_nsec < then->tv_nsec) >= 1;
}

enum tr_status tr_writer_flush_when_due(struct tr_writer *writer, int64_t time_ticks, bool now)
{
	if (writer->regular || (!now && !second_passed_since(&writer->sent)))
		return writer->failed ? TR_ERROR : TR_OK;
	return tr_writer_flush(writer, time_ticks);
}

bool tr_writer_is_file(const struct tr_writer *writer)
{
	return writer->regular;
}

const struct tr_header *tr_writer_header(const struct tr_writer *writer)
{
	return &writer->header;
}

uint64_t tr_writer_records(const struct tr_writer *writer)
{
	return writer->records + writer->block_count;
}

const char *tr_writer_error(const struct tr_writer *writer)
{
	return writer->error.text;
}

bool tr_writer_is_exposed(const struct tr_writer *writer)
{
	return writer->file && tr_outfile_is_exposed(writer->file);
}

const char *tr_writer_part(const struct tr_writer *writer)
{
	return writer->file ? tr_outfile_part(writer->file) : NULL;
}

static enum tr_status send_trailer(struct tr_writer *writer, const struct tr_trailer *trailer)
{
	struct tr_trailer whole = *trailer;
	uint8_t bytes[TR_TRAILER_BYTES];

	if (tr_writer_flush(writer, INT64_MIN) != TR_OK)
		return TR_ERROR;
	whole.records = writer->records;
	tr_trailer_encode(&whole, bytes);
	if (send_chunk(writer, TR_CHUNK_TRAILER, bytes, sizeof(bytes), 0) != TR_OK)
		return TR_ERROR;
	return writer->packer ? pack(writer, NULL, 0, TR_PACKER_END) : TR_OK;
}

// Sends the rest, for readers of a stream without an end.
static enum tr_status send_rest(struct tr_writer *writer)
{
	if (tr_writer_flush(writer, INT64_MIN) != TR_OK || !writer->packer)
		return TR_ERROR;
	return pack(writer, NULL, 0, TR_PACKER_NOW);
}

enum tr_status tr_writer_close(struct tr_writer *writer, const struct tr_trailer *trailer,
			       struct tr_error *err)
{
	enum tr_status status;
	struct tr_error why;

	if (!writer)
		return TR_OK;
	if (writer->fd >= 0 && !writer->failed)
		(void)(trailer ? send_trailer(writer, trailer) : send_rest(writer));
	if (!writer->file && writer->fd >= 0 && close(writer->fd) != 0 && !writer->failed)
		(void)writer_refuse(writer, strerror(errno));
	if (tr_outfile_close(writer->file, trailer && !writer->failed, &why) != TR_OK &&
	    !writer->failed) {
		writer->failed = true;
		writer->error = why;
	}
	status = !writer->failed ? TR_OK : writer->closed_pipe ? TR_END : TR_ERROR;
	if (writer->failed && err)
		*err = writer->error;
	tr_names_clear(&writer->names);
	tr_packer_close(writer->packer);
	(void)ZSTD_freeCCtx(writer->zstd);
	free(writer->packed);
	free(writer->block);
	free(writer->entries);
	free(writer->path);
	free(writer);
	return status;
}
