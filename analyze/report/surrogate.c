// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/spawn.h"
#include "stream/provenance.h"
#include "value/num.h"

#define GENERATOR "flitgen"
#define TICKS_PER_S 1000000000u // the generator's default

// The generator's operand: the model's file, so that files named in it are found beside it; or "-"
// if the model came through a pipe. It follows "--", so it is never an option.
static const char *operand(const struct input *input)
{
	return input->piped ? "-" : input->model.name;
}

// The model's text, for the generator's standard input.
static enum tr_status put_text(const struct model *model, struct tr_scratch *text,
			       struct tr_error *err)
{
	if (tr_scratch_open(text, "a model's text", err) != TR_OK ||
	    model_write(model, text->file, err) != TR_OK)
		return TR_ERROR;
	return tr_scratch_flush(text, "a model's text", err);
}

// Why the generator ended: its message on the model, with the model's name instead of standard
// input's.
static enum tr_status blame(const struct model *model, const struct tr_error *why,
			    struct tr_error *err)
{
	static const char before[] = ": " GENERATOR ": ";
	const char *said = strstr(why->text, before);

	said = said ? said + sizeof(before) - 1 : "";
	if (strncmp(said, "-:", 2) == 0)
		return tr_fail_for(err, why, "%s%s", model->name, said + 1);
	if (strncmp(said, model->name, strlen(model->name)) == 0)
		return tr_fail_for(err, why, "%s", said);
	return tr_fail_for(err, why, "%s: %s", model->name, why->text);
}

// Gets the generator's explanation of the model, without its forecast, which is measured here.
static enum tr_status explain(struct input *input, struct tr_error *err)
{
	char path[PATH_MAX];
	const char *const argv[] = {
		tr_spawn_beside(GENERATOR, path), "-q", "--explain", "--", operand(input), NULL};
	struct tr_scratch text = {.file = NULL}, words = {.file = NULL};
	struct tr_error why = {""};
	enum tr_status status = put_text(&input->model, &text, err);
	char *forecast;

	if (status == TR_OK)
		status = tr_scratch_open(&words, "a model's explanation", err);
	if (status == TR_OK && (status = tr_spawn(argv, text.path, words.path, &why)) == TR_ERROR)
		(void)blame(&input->model, &why, err);
	if (status == TR_END)
		(void)tr_fail(err, "%s: " GENERATOR " is neither beside this program nor on PATH",
			      input->model.name);
	if (status == TR_OK)
		status = tr_scratch_take(&words, "a model's explanation", &input->explanation, err);
	if (status == TR_OK && (forecast = strstr(input->explanation, "\nRates of ")))
		forecast[1] = '\0';
	tr_scratch_close(&text);
	tr_scratch_close(&words);
	return status;
}

enum tr_status surrogate_read(struct input *input, struct tr_source *source, struct tr_error *err)
{
	enum tr_status status;

	input->kind = INPUT_MODEL;
	(void)text_shorten(tr_provenance_base(tr_source_name(source)), 60, input->name);
	if (model_read(&input->model, source, err) != TR_OK)
		return TR_ERROR;
	input->whole = true;
	input->piped = tr_source_size(source) == 0;
	status = explain(input, err);
	input->no_generator = status == TR_END;
	return status;
}

static uint64_t most_packets(const struct stream *trace)
{
	uint64_t most = trace ? SURROGATE_FACTOR * stream_packets(trace)
			      : SURROGATE_PACKETS_MIN * 10;

	if (most < SURROGATE_PACKETS_MIN)
		return SURROGATE_PACKETS_MIN;
	return most > SURROGATE_PACKETS_MAX ? SURROGATE_PACKETS_MAX : most;
}

// Takes the packets that the generator writes, at most left of them. TR_END: the stream is broken,
// err says where.
static enum tr_status take_packets(struct input *input, struct tr_reader *in, uint64_t left,
				   struct tr_error *err)
{
	const size_t stride_bytes = tr_reader_stride(in);
	enum tr_status status;
	const void *packets;
	size_t count;

	while ((status = tr_next_block(in, &packets, &count)) == TR_OK) {
		input->generated.cut = count > left;
		count = count > left ? (size_t)left : count;
		if (stream_add(input->stream, packets, stride_bytes, count, err) != TR_OK ||
		    (input->likeness &&
		     likeness_add(input->likeness, packets, stride_bytes, count, err) != TR_OK))
			return TR_ERROR;
		left -= count;
		if (input->generated.cut)
			return TR_OK;
	}
	if (status == TR_END)
		return TR_OK;
	(void)tr_fail(err, "%s", tr_reader_error(in));
	return TR_END;
}

static enum tr_status take_stream(struct input *input, struct tr_reader *in,
				  const struct stream *trace, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	enum tr_status status;

	if (header->kind != TR_PACKET || header->unsorted || header->ticks_per_s != TICKS_PER_S)
		return tr_fail(err, "%s: expected packets in order of time, in ns",
			       tr_reader_name(in));
	if (stream_open(&input->stream, input->generated.label, header, &input->bursts.rule, err) !=
	    TR_OK)
		return TR_ERROR;
	input->stream->generated = true;
	if (trace && (likeness_new(&input->likeness, header, err) != TR_OK ||
		      (trace->search && stream_search_messages(input->stream, err) != TR_OK)))
		return TR_ERROR;
	status = take_packets(input, in, most_packets(trace), err);
	if (status != TR_OK)
		return status;
	return stream_finish(input->stream, tr_reader_names(in), input->level, err);
}

// Takes the generator's output, and closes it. TR_END as take_packets.
static enum tr_status take_output(struct input *input, int output, const struct stream *trace,
				  struct tr_error *err)
{
	struct tr_source *source;
	struct tr_reader *in;
	enum tr_status status;

	if (tr_source_open_fd(&source, output, input->generated.label, err) != TR_OK ||
	    tr_reader_open(&in, source, NULL, NULL, err) != TR_OK)
		return err->breakdown ? TR_ERROR : TR_END;
	status = take_stream(input, in, trace, err);
	tr_reader_close(in);
	return status;
}

// Runs the generator for packets before end_ticks (0: for the model's own duration). If its stream
// is broken, its exit tells why; if we fail, or have enough, it ends because nobody reads.
static enum tr_status generate(struct input *input, const struct stream *trace, int64_t end_ticks,
			       struct tr_error *err)
{
	char path[PATH_MAX], seed[40], time[40], nodes[40];
	const char *argv[8] = {tr_spawn_beside(GENERATOR, path), "-q", seed};
	size_t count = 3;
	struct tr_scratch text = {.file = NULL};
	enum tr_status status, ended;
	struct tr_error why = {""};
	struct tr_child child;
	int output;

	(void)snprintf(seed, sizeof(seed), "--seed=%" PRIu64, input->generated.seed);
	(void)snprintf(time, sizeof(time), "--time=%" PRId64 "ns", end_ticks);
	(void)snprintf(nodes, sizeof(nodes), "--nodes=%" PRIu32, input->generated.nodes);
	if (end_ticks > 0)
		argv[count++] = time;
	if (input->generated.nodes > 0)
		argv[count++] = nodes;
	argv[count++] = "--";
	argv[count] = operand(input);
	status = put_text(&input->model, &text, err);
	if (status == TR_OK) {
		ended = tr_spawn_read(&child, argv, text.path, &output, &why);
		if (ended == TR_OK) {
			status = take_output(input, output, trace, err);
			ended = tr_spawn_end(&child, &why);
		}
		if (ended != TR_OK && !input->generated.cut && status != TR_ERROR)
			status = blame(&input->model, &why, err);
	}
	tr_scratch_close(&text);
	return status == TR_OK ? TR_OK : TR_ERROR;
}

// The nodes that send in the trace, if the model is of another number; else 0. All nodes of the
// trace may be meant by the model.
static uint32_t other_nodes(const struct input *input, const struct stream *trace)
{
	const struct model_entry *entry = model_find(&input->model, "", "nodes");
	const uint32_t senders = trace ? stream_senders(trace) : 0;
	struct tr_error ignored;
	uint64_t nodes;

	if (!entry || senders < 2 ||
	    num_parse_count(entry->value, 1, UINT32_MAX, &nodes, &ignored) != TR_OK)
		return 0;
	return nodes == senders || nodes == trace->traffic.node_count ? 0 : senders;
}

enum tr_status surrogate_generate(struct input *input, const struct stream *trace, uint64_t seed,
				  struct likeness_measure *measure, struct tr_error *err)
{
	const double duration_s = trace ? stream_duration(trace) : 0;
	const int64_t end_ticks = duration_s > 0 ? (int64_t)(duration_s * TICKS_PER_S) : 0;
	enum tr_status status;

	input->generated.seed = seed;
	if (asprintf(&input->generated.label, "%s (generated)", input->name) < 0) {
		input->generated.label = NULL;
		return tr_no_memory(err, "%s", input->name);
	}
	input->generated.nodes = other_nodes(input, trace);
	status = generate(input, trace, end_ticks, err);
	if (status != TR_OK && input->generated.nodes > 0 && !input->stream &&
	    !err->breakdown) { // a model of one number of nodes
		input->generated.nodes = 0;
		status = generate(input, trace, end_ticks, err);
	}
	if (status != TR_OK)
		return TR_ERROR;
	if (!input->likeness)
		return TR_OK;
	input->likeness->too_many = input->likeness->too_many || input->generated.cut;
	return likeness_mark(measure, input->likeness, end_ticks, err);
}
