// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of other people's traces on any bytes. The first byte chooses the format ("c":
// Chakra, "i": Inspector, "k": Kineto), the second in how many files the rest is cut: a reader must
// refuse with a reason, or give events of which all outputs can be made, and the program must be
// one that GOAL's reader takes. That of a Chakra trace, written as one and read again, is the same.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foreign/chakra_write.h"
#include "foreign/collective_tables.h"
#include "foreign/event_goal.h"
#include "foreign/event_messages.h"
#include "foreign/foreign.h"
#include "foreign/match.h"
#include "text/goal.h"
#include "value/memstream.h"

#define FILES_MAX 4u
#define RANKS_MAX 1024u // whose outputs are made

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

struct parts {
	const uint8_t *data;
	size_t bytes;
	size_t count;
};

static void promise(bool kept)
{
	if (!kept)
		abort();
}

// The files are called 0, 1, ...; there are no others.
static enum tr_status open_part(void *context, const char *beside, const char *path,
				struct tr_source **out, struct tr_error *err)
{
	const struct parts *parts = context;
	size_t number = (size_t)(*path - '0');
	size_t first, end;

	(void)beside;
	*out = NULL;
	if (strlen(path) != 1 || number >= parts->count)
		return tr_fail(err, "%.40s: no such file", path);
	first = parts->bytes * number / parts->count;
	end = parts->bytes * (number + 1) / parts->count;
	return tr_source_open_memory(out, parts->data + first, end - first, path, err);
}

static const struct foreign_format *const formats[] = {
	&foreign_csv,
	&foreign_dumpi,
	&foreign_nfdump,
	&foreign_ti,
};

static enum tr_status take(void *context, const struct tr_message *message, struct tr_error *err)
{
	int64_t *last_ticks = context;

	(void)err;
	promise(message->begin_ticks >= *last_ticks && message->end_ticks >= message->begin_ticks);
	*last_ticks = message->begin_ticks;
	return TR_OK;
}

static enum tr_status open_file(void *context, const char *beside, const char *path,
				struct tr_source **out, struct tr_error *err)
{
	(void)context, (void)beside;
	return tr_source_open(out, path, err);
}

static void ignore(void *context, const char *path, const char *text)
{
	(void)context;
	promise(*path && *text);
}

// Writes a program as a Chakra trace, which is read again: the same text.
static void go_round(const struct goal_program *program, const char *text, size_t bytes)
{
	char folder[] = "/tmp/foreign_fuzz_XXXXXX", into[40], names[FILES_MAX][60];
	const char *paths[FILES_MAX];
	const struct foreign_input input = {
		.paths = paths, .count = program->ranks, .open = open_file, .tell = ignore};
	const struct event_goal_ways ways = {0};
	struct tr_error err = {""};
	uint64_t rounded;
	char *again;
	size_t again_bytes;
	FILE *out = tr_memstream_open(&again, &again_bytes);

	promise(out && mkdtemp(folder));
	(void)snprintf(into, sizeof(into), "%s/t", folder);
	promise(chakra_write(program, into, "", &rounded, &err) == TR_OK);
	for (unsigned rank = 0; rank < program->ranks; rank++) {
		(void)snprintf(names[rank], sizeof(names[rank]), "%s/rank.%u.et", into, rank);
		paths[rank] = names[rank];
	}
	promise(foreign_chakra.write(&input, &ways, out, &err) == TR_OK);
	promise(tr_memstream_close(out) && again_bytes == bytes);
	promise(memcmp(again, text, bytes) == 0);
	for (unsigned rank = 0; rank < program->ranks; rank++)
		promise(unlink(names[rank]) == 0);
	promise(rmdir(into) == 0 && rmdir(folder) == 0);
	free(again);
}

// Writes the program of the events or, without any, that of the input; its operations are counted
// where they are known.
static void make_program(const struct events *events, const struct foreign_input *input)
{
	struct event_goal_ways ways = {0};
	struct event_goal_counts counts;
	struct tr_error err = {""};
	struct goal_program program;
	struct tr_source *source;
	char *text;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	enum tr_status status;

	promise(out);
	status = events ? event_goal_write(events, &ways, out, &counts, &err)
			: foreign_chakra.write(input, &ways, out, &err);
	promise(tr_memstream_close(out));
	promise(status == TR_OK || *err.text);
	if (status == TR_OK) {
		promise(tr_source_open_memory(&source, text, bytes, "goal", &err) == TR_OK);
		promise(goal_read(&program, source, NULL, &err) == TR_OK);
		promise(program.ranks == (events ? events->ranks : input->count));
		promise(!events || program.op_count == counts.operations);
		if (!events)
			go_round(&program, text, bytes);
		goal_clear(&program);
		tr_source_close(source);
	}
	free(text);
}

// Prints the tables of the events or, without any, those of the Inspector's input.
static void make_tables(const struct events *events, const struct foreign_input *input)
{
	const struct table_style style = {.format = TABLE_JSON};
	struct collective_parts parts = {0};
	struct tr_error err = {""};
	uint64_t ticks_per_s = 1;
	char *text;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	enum tr_status status = TR_END;

	promise(out);
	if (events)
		status = collective_parts_of(&parts, events, &ticks_per_s, &err);
	else
		status = foreign_inspector.measure(input, &parts, &ticks_per_s, &err);
	promise(status == TR_OK || *err.text);
	if (status == TR_OK)
		promise(collective_tables_print(&parts, ticks_per_s, style, out, &err) == TR_OK);
	collective_parts_clear(&parts);
	promise(tr_memstream_close(out));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	static const char *const paths[FILES_MAX] = {"0", "1", "2", "3"};
	struct parts parts;
	struct foreign_input input = {.paths = paths,
				      .open = open_part,
				      .tell = ignore,
				      .context = &parts,
				      .flops_per_s = {1000000, 1},
				      .columns = "time,src,dst,bytes,end,tag"};
	struct match_counts counts;
	struct tr_error err = {""};
	struct events events;
	int64_t last_ticks = INT64_MIN;
	uint64_t early;
	const struct message_sink sink = {take, &last_ticks};

	const struct foreign_format *format;

	if (size_bytes < 2)
		return 0;
	format = formats[data[0] % (sizeof(formats) / sizeof(*formats))];
	parts = (struct parts){data + 2, size_bytes - 2, (size_t)data[1] % FILES_MAX + 1};
	input.count = parts.count;
	if (data[0] == 'k')
		format = &foreign_kineto;
	if (data[0] == 'i') {
		make_tables(NULL, &input);
		return 0;
	}
	if (data[0] == 'c') {
		make_program(NULL, &input);
		return 0;
	}
	if (format->read(&input, &events, &err) != TR_OK) {
		promise(*err.text);
		events_clear(&events);
		return 0;
	}
	promise(events_match(&events, &counts, &err) == TR_OK);
	promise(events_messages(&events, &sink, &early, &err) == TR_OK);
	if (events.ranks > 0 && events.ranks <= RANKS_MAX)
		make_program(&events, NULL);
	make_tables(&events, NULL);
	events_clear(&events);
	return 0;
}
