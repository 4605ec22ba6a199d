// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/surrogate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/generator.h"
#include "trace/provenance.h"
#include "trace/memstream.h"

#define BATCH 512
#define TICKS_PER_S 1000000000u

static enum tr_status explain(struct input *input, struct tr_error *err)
{
	const struct generator_kind *kind;
	enum tr_status status;
	size_t bytes;
	FILE *out;

	if (generator_find(&input->model, &kind, err) != TR_OK)
		return TR_ERROR;
	if (!kind->explain)
		return TR_OK;
	out = tr_memstream_open(&input->explanation, &bytes);
	if (!out)
		return tr_no_memory(err, "the explanation of %s", input->name);
	status = kind->explain(&input->model, out, err);
	if (!tr_memstream_close(out) && status == TR_OK)
		return tr_no_memory(err, "the explanation of %s", input->name);
	return status;
}

enum tr_status surrogate_read(struct input *input, struct tr_source *source, struct tr_error *err)
{
	input->kind = INPUT_MODEL;
	(void)text_shorten(tr_provenance_base(tr_source_name(source)), 60, input->name);
	if (model_read(&input->model, source, err) != TR_OK || explain(input, err) != TR_OK)
		return TR_ERROR;
	input->whole = true;
	return TR_OK;
}

static uint64_t most_packets(const struct stream *trace)
{
	uint64_t most = trace ? SURROGATE_FACTOR * stream_packets(trace) : SURROGATE_PACKETS_MIN * 10;

	if (most < SURROGATE_PACKETS_MIN)
		return SURROGATE_PACKETS_MIN;
	return most > SURROGATE_PACKETS_MAX ? SURROGATE_PACKETS_MAX : most;
}

static enum tr_status generate(struct input *input, struct generator *generator, uint64_t left,
			       struct tr_error *err)
{
	struct tr_packet packets[BATCH];
	enum tr_status status;
	size_t count;

	while ((status = generator_next(generator, packets, BATCH, &count, err)) == TR_OK) {
		input->generated_cut = count > left;
		count = count > left ? (size_t)left : count;
		if (stream_add(input->stream, packets, sizeof *packets, count, err) != TR_OK ||
		    (input->likeness && likeness_add(input->likeness, packets, sizeof *packets, count, err) != TR_OK))
			return TR_ERROR;
		left -= count;
		if (input->generated_cut)
			return TR_OK;
	}
	return status == TR_END ? TR_OK : TR_ERROR;
}

// The roles that the generator gave, where a trace has those of its names.
static enum tr_status take_roles(const struct generator *generator, struct tr_names *names,
				 struct tr_error *err)
{
	char address[GENERATOR_NAME_BYTES];

	for (uint32_t id = 0; id < generator->kind->nodes(generator->state); id++) {
		enum tr_role role = generator->kind->node(generator->state, id, address);
		struct tr_name name = {.kind = TR_NAME_NODE, .role = (uint8_t)role, .id = id,
				       .text = address, .text_bytes = strlen(address)};

		if (tr_names_set(names, &name, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status run(struct input *input, struct generator *generator, const struct stream *trace,
			  const struct tr_header *header, struct tr_error *err)
{
	struct tr_names names = {.nodes = NULL};
	enum tr_status status = stream_open(&input->stream, input->generated_label, header, err);

	if (status != TR_OK)
		return status;
	input->stream->generated = true;
	if (trace && likeness_new(&input->likeness, header, err) != TR_OK)
		return TR_ERROR;
	status = generate(input, generator, most_packets(trace), err);
	if (status == TR_OK)
		status = take_roles(generator, &names, err);
	if (status == TR_OK)
		status = stream_finish(input->stream, &names, input->level, err);
	tr_names_clear(&names);
	return status;
}

enum tr_status surrogate_generate(struct input *input, const struct stream *trace, uint64_t seed,
				  struct likeness_measure *measure, struct tr_error *err)
{
	const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = TICKS_PER_S};
	struct generator_settings settings = {.seed = seed, .ticks_per_s = TICKS_PER_S};
	struct generator generator = {NULL, NULL};
	enum tr_status status;

	if (trace && stream_duration(trace) > 0)
		settings.end_ticks = (int64_t)(stream_duration(trace) * TICKS_PER_S);
	input->generated_seed = seed;
	if (asprintf(&input->generated_label, "%s (generated)", input->name) < 0) {
		input->generated_label = NULL;
		return tr_no_memory(err, "%s", input->name);
	}
	if (generator_open(&generator, &input->model, &settings, err) != TR_OK)
		return TR_ERROR;
	status = run(input, &generator, trace, &header, err);
	generator_close(&generator);
	if (status != TR_OK || !input->likeness)
		return status;
	input->likeness->too_many = input->likeness->too_many || input->generated_cut;
	return likeness_mark(measure, input->likeness, settings.end_ticks, err);
}
