// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --read: replays the packets of a trace.
#include <stdlib.h>
#include <string.h>

#include "flitgen.h"
#include "gen/arbitrary.h"
#include "stream/provenance.h"
#include "value/ticks.h"

#define PAIRS_MAX 4096
#define NAME_BYTES 32u // longer names say no number
#define NOTE_DEPTH 2   // below "input NAME"

struct replay {
	struct tool *tool;
	const struct gen_request *request;
	struct arbitrary_settings settings;
	struct arbitrary_pair pairs[PAIRS_MAX];
	struct tr_writer *out; // NULL until the header went out
	struct gen_progress progress;
};

// A note tells how the trace was made: in the first loop it goes on, below the line that names the
// trace.
static enum tr_status on_note(struct replay *replay, const struct tr_name *name)
{
	struct tr_provenance deeper = {.text = NULL};
	char *lines = replay->settings.first_id == 0 ? strndup(name->text, name->text_bytes) : NULL;

	if (!lines)
		return TR_OK;
	tr_provenance_nest(&deeper, NOTE_DEPTH, lines);
	free(lines);
	enum tr_status status = deeper.text ? tr_put_note(replay->out, deeper.text) : TR_OK;

	tr_provenance_clear(&deeper);
	return status;
}

// The number in a node's name goes with the node's.
static enum tr_status renumber_name(struct replay *replay, struct tr_name *name, char *text,
				    size_t text_bytes, struct tr_error *err)
{
	const uint32_t id = arbitrary_node(&replay->settings, name->id);
	uint32_t number;
	size_t word_bytes;

	(void)snprintf(text, text_bytes, "%.*s", (int)name->text_bytes, name->text);
	if (replay->settings.pair_count == 0 || name->text_bytes >= text_bytes ||
	    !tr_name_number(text, &word_bytes, &number))
		return TR_OK;
	if (number != name->id)
		return tr_fail(err,
			       "--relabel uses the nodes' numbers, but %s has the number %u in %s; "
			       "flitsim --map takes a file",
			       text, name->id, replay->request->replay);
	(void)snprintf(text + word_bytes, text_bytes - word_bytes, "%u", id);
	name->text = text;
	name->text_bytes = strlen(text);
	return TR_OK;
}

// Passes the trace's names on, renumbered.
static enum tr_status replay_trace_on_name(void *context, const struct tr_name *name,
					   struct tr_error *err)
{
	struct replay *replay = context;
	struct tr_name own = *name;
	char text[NAME_BYTES];

	if (!replay->out)
		return TR_OK;
	if (name->kind == TR_NAME_NOTE)
		return on_note(replay, name) == TR_OK
			       ? TR_OK
			       : tr_fail(err, "%s", tr_writer_error(replay->out));
	if (name->kind == TR_NAME_NODE) {
		if (renumber_name(replay, &own, text, sizeof(text), err) != TR_OK)
			return TR_ERROR;
		own.id = arbitrary_node(&replay->settings, name->id);
	}
	own.src = arbitrary_node(&replay->settings, name->src);
	own.dst = arbitrary_node(&replay->settings, name->dst);
	if (tr_put_name(replay->out, &own) != TR_OK)
		return tr_fail(err, "%s", tr_writer_error(replay->out));
	return TR_OK;
}

static enum tr_status time_option(struct num_ratio time, uint64_t ticks_per_s, int64_t absent,
				  int64_t *out, struct tr_error *err)
{
	*out = absent;
	return time.den ? tr_ticks_round(time, ticks_per_s, out, err) : TR_OK;
}

static enum tr_status replay_trace_settle(struct replay *replay, const struct tr_header *header,
					  struct tr_error *err)
{
	const struct gen_request *request = replay->request;
	struct arbitrary_settings *settings = &replay->settings;
	uint64_t hz = header->ticks_per_s;

	if (header->kind != TR_DELIVERY && (header->kind != TR_PACKET || header->unsorted))
		return tr_fail(err, "%s: expected packets in time order, or deliveries",
			       request->replay);
	settings->stretch = request->stretch;
	settings->pairs = replay->pairs;
	settings->renumber = request->loops > 1;
	if (settings->stretch.num <= 0)
		return tr_fail(err, "--stretch: expected more than 0");
	if (time_option(request->from, hz, INT64_MIN, &settings->from_ticks, err) != TR_OK ||
	    time_option(request->to, hz, INT64_MAX, &settings->to_ticks, err) != TR_OK ||
	    time_option(request->shift, hz, 0, &settings->shift_ticks, err) != TR_OK)
		return TR_ERROR;
	return request->map ? arbitrary_parse_map(request->map, replay->pairs, PAIRS_MAX,
						  &settings->pair_count, err)
			    : TR_OK;
}

// From loop to loop: as asked, else the time that was cut out, else what keeps the rate of packets.
static enum tr_status replay_trace_find_period(const struct replay *replay, uint64_t ticks_per_s,
					       int64_t *out, struct tr_error *err)
{
	const struct gen_progress *progress = &replay->progress;
	const struct arbitrary_settings *settings = &replay->settings;
	int64_t span_ticks = progress->last_ticks - progress->first_ticks;

	if (replay->request->period.den) {
		if (tr_ticks_round(replay->request->period, ticks_per_s, out, err) != TR_OK)
			return TR_ERROR;
	} else if (settings->from_ticks != INT64_MIN && settings->to_ticks != INT64_MAX) {
		*out = tr_mul_div_floor(settings->to_ticks - settings->from_ticks,
					(uint64_t)settings->stretch.num,
					(uint64_t)settings->stretch.den);
	} else {
		if (progress->written < 2)
			return tr_fail(err, "a single packet has no rate: give --period");
		*out = span_ticks + span_ticks / (int64_t)(progress->written - 1);
	}
	if (*out < span_ticks)
		return tr_fail(err,
			       "--period: shorter than the %g s from the first packet to the last",
			       tr_ticks_seconds(span_ticks, ticks_per_s));
	return TR_OK;
}

static enum tr_status write_loop(struct replay *replay, struct tr_reader *in)
{
	struct generator generator;
	struct tr_error err;
	enum tr_status status = arbitrary_open(&generator, in, &replay->settings, &err);

	if (status != TR_OK)
		tool_error(replay->tool, "%s", err.text);
	else
		status = gen_write(replay->tool, &generator, &replay->progress,
				   &(struct gen_output){.writer = replay->out});
	generator_close(&generator);
	return status;
}

static struct tr_reader *open_again(struct replay *replay)
{
	struct tr_reader_hooks hooks = {.name = replay_trace_on_name, .context = replay};
	struct tr_source *source;
	struct tr_reader *in = NULL;
	struct tr_error err;

	if (tr_source_open(&source, replay->request->replay, &err) != TR_OK ||
	    tr_reader_open(&in, source, NULL, &hooks, &err) != TR_OK)
		tool_error(replay->tool, "%s", err.text);
	return in;
}

// The loops after the first, each a period later.
static void write_more(struct replay *replay, uint64_t ticks_per_s)
{
	enum tr_status status = TR_END;
	int64_t period_ticks;
	struct tr_error err;

	if (replay_trace_find_period(replay, ticks_per_s, &period_ticks, &err) != TR_OK) {
		tool_error(replay->tool, "%s", err.text);
		return;
	}
	for (uint64_t loop = 1; loop < replay->request->loops && status == TR_END &&
				replay->progress.packets_left && replay->progress.data_bytes_left;
	     loop++) {
		struct tr_reader *in;

		if (__builtin_add_overflow(replay->settings.shift_ticks, period_ticks,
					   &replay->settings.shift_ticks)) {
			tool_error(replay->tool,
				   "--loops: the times exceed the range of the clock");
			return;
		}
		replay->settings.first_id = replay->progress.written;
		if (!(in = open_again(replay)))
			return;
		status = write_loop(replay, in);
		if (*tr_reader_error(in))
			tool_error(replay->tool, "%s", tr_reader_error(in));
		tr_reader_close(in);
	}
}

static void write_trace(struct replay *replay, struct tr_reader *in)
{
	const struct gen_request *request = replay->request;
	struct tr_header header = *tr_reader_header(in);
	struct tr_writer_options options = {.compress = request->compress};
	struct tr_error err;

	if (replay_trace_settle(replay, &header, &err) != TR_OK) {
		tool_error(replay->tool, "%s", err.text);
		return;
	}
	header.record_bytes = 0;
	header.kind = TR_PACKET;
	header.unsorted = false;
	replay->out = tool_output(replay->tool, request->output, &header, &options);
	if (replay->out && write_loop(replay, in) == TR_END && request->loops > 1 &&
	    replay->progress.written > 0 && !*tr_reader_error(in))
		write_more(replay, header.ticks_per_s);
}

void gen_replay(struct tool *tool, const struct gen_request *request)
{
	struct replay replay = {
		.tool = tool, .request = request, .progress = gen_progress_make(request)};
	struct tr_reader *in;

	if (tool_operand_count(tool) > 0)
		tool_error(tool, "--read cannot be combined with a model");
	if (request->loops > 1 && strcmp(request->replay, "-") == 0)
		tool_error(tool, "--loops: the standard input cannot be read twice");
	if (!tool_ok(tool))
		return;
	tool_on_name(tool, replay_trace_on_name, &replay);
	in = tool_open_input(tool, request->replay);
	if (in)
		write_trace(&replay, in);
	tool_close_input(tool, in);
	gen_tell_empty(tool, &replay.progress);
}
