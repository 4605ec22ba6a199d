// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder's files on any slots: one to four ranks, whose files have right headers (or, if the
// first byte says so, any bytes). They are refused with a reason, or become events that can be
// matched and written.
#include <stdbool.h>

#include "../unit/mpi_record_bed.h"
#include "foreign/event_goal.h"
#include "foreign/event_messages.h"
#include "foreign/foreign.h"
#include "foreign/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

struct files {
	const uint8_t *data;
	size_t each_bytes;
	unsigned ranks;
	bool bare;
};

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status open_file(void *context, const char *beside, const char *path,
				struct tr_source **out, struct tr_error *err)
{
	const struct files *files = context;
	const unsigned rank = (unsigned)strtoul(strchr(path, '.') + 1, NULL, 10);
	const size_t header_bytes = files->bare ? 0 : REC_HEADER_BYTES;
	char *bytes = malloc(header_bytes + files->each_bytes + 1);
	enum tr_status status;

	(void)beside;
	promise(bytes);
	if (rank >= files->ranks) {
		free(bytes);
		return tr_fail(err, "no rank %u", rank);
	}
	if (!files->bare)
		mpi_record_header(bytes, rank, files->ranks);
	memcpy(bytes + header_bytes, files->data + rank * files->each_bytes, files->each_bytes);
	status = tr_source_open_memory(out, bytes, header_bytes + files->each_bytes, path, err);
	free(bytes);
	return status;
}

static enum tr_status take_message(void *context, const struct tr_message *message,
				   struct tr_error *err)
{
	int64_t *last = context;

	(void)err;
	promise(message->end_ticks >= message->begin_ticks || message->operation != TR_OP_BARRIER);
	promise(message->begin_ticks >= *last);
	*last = message->begin_ticks;
	return TR_OK;
}

static void write_all(struct events *events)
{
	int64_t last = INT64_MIN;
	uint64_t early;
	const struct message_sink sink = {take_message, &last};
	struct event_goal_ways ways = {0};
	struct event_goal_counts counts;
	struct match_counts matched;
	struct tr_error err = {""};
	FILE *out = fopen("/dev/null", "w");

	promise(out);
	promise(events_match(events, &matched, &err) == TR_OK);
	promise(events_messages(events, &sink, &early, &err) == TR_OK || *err.text);
	promise(event_goal_write(events, &ways, out, &counts, &err) == TR_OK || *err.text);
	(void)fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct files files = {.data = data + 1};
	const char *path = "run.0";
	const struct foreign_input input = {
		.paths = &path, .count = 1, .open = open_file, .context = &files};
	struct tr_error err = {""};
	struct events events;

	if (size_bytes == 0)
		return 0;
	files.ranks = 1 + data[0] % 4;
	files.bare = data[0] & 0x80;
	files.each_bytes = (size_bytes - 1) / files.ranks;
	if (foreign_mpi.read(&input, &events, &err) == TR_OK)
		write_all(&events);
	else
		promise(*err.text);
	events_clear(&events);
	return 0;
}
