// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of sources that are on and off by turns. Each source has a random stream of its own ("node3/source1"), so what it
// does is the same whatever other sources there are. All begin in the middle of a time on or off, as they are found at a
// random time: the traffic is stationary from its first tick.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "gen/agenda.h"
#include "gen/families/family.h"
#include "gen/on_off_model.h"
#include "gen/source.h"

struct on_off_source {
	struct tr_random random;
	double next_ticks; // time of the next packet
	double end_ticks;  // of the time on that it belongs to
	uint32_t to;
};

static_assert(sizeof(struct on_off_source) + AGENDA_SOURCE_BYTES <= ON_OFF_SOURCE_BYTES, "what a source takes");

struct on_off_train {
	struct draw_tables tables;
	struct sizes sizes;
	struct on_off_source *each;
	struct agenda agenda;
	struct law_plan on, off;
	double gap_ticks;
	int64_t stop_ticks;
	uint64_t packets; // given so far: the next id
	uint32_t nodes;
	uint32_t sources; // of a node
	uint32_t header_B;
};

// A new time on, from begin on.
static void begin_on(const struct on_off_train *train, struct on_off_source *source, uint32_t node, double begin, double length)
{
	source->next_ticks = begin;
	source->end_ticks = begin + length;
	source->to = source_draw_other(&source->random, 0, train->nodes, node);
}

static void step(const struct on_off_train *train, struct on_off_source *source, uint32_t node)
{
	double begin;

	source->next_ticks += train->gap_ticks;
	if (source->next_ticks < source->end_ticks)
		return;
	begin = source->end_ticks + law_draw(&train->off, &train->tables, &source->random);
	begin_on(train, source, node, begin, law_draw(&train->on, &train->tables, &source->random));
}

// On with the share of time that is on; the first packet of what is left of it at any time within a gap.
static void start(const struct on_off_train *train, struct on_off_source *source, uint32_t node)
{
	struct tr_random *random = &source->random;
	double rest;

	if (tr_random_unit(random) * (train->on.mean + train->off.mean) < train->on.mean) {
		rest = law_rest(&train->on, &train->tables, random);
		begin_on(train, source, node, 0, rest);
		source->next_ticks = train->gap_ticks * tr_random_unit(random);
		if (source->next_ticks >= rest)
			step(train, source, node);
		return;
	}
	rest = law_rest(&train->off, &train->tables, random);
	begin_on(train, source, node, rest, law_draw(&train->on, &train->tables, random));
}

static void fill_packet(struct on_off_train *train, struct on_off_source *source, uint32_t node, int64_t ticks,
			struct tr_packet *packet)
{
	uint32_t size_B = sizes_draw(&train->sizes, &train->tables, &source->random);

	*packet = (struct tr_packet){
		.time_ticks = ticks,
		.id = train->packets++,
		.flow = TR_FLOW_NONE,
		.src = node,
		.dst = source->to,
		.payload_bytes = size_B,
		.wire_bytes = source_wire_B(size_B, train->header_B),
		.class = TR_CLASS_DATA,
	};
}

static enum tr_status train_next(void *state, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err)
{
	struct on_off_train *train = state;
	size_t n = 0;

	(void)err;
	while (n < max && train->agenda.next_ticks < train->stop_ticks) {
		const int64_t ticks = train->agenda.next_ticks;
		const uint32_t number = (uint32_t)train->agenda.next, node = number / train->sources;
		struct on_off_source *source = &train->each[number];

		fill_packet(train, source, node, ticks, &packets[n++]);
		step(train, source, node);
		agenda_postpone(&train->agenda, source_ticks(source->next_ticks));
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t train_nodes(const void *state)
{
	return ((const struct on_off_train *)state)->nodes;
}

static void train_close(void *state)
{
	struct on_off_train *train = state;

	sizes_clear(&train->sizes);
	law_plan_clear(&train->on);
	law_plan_clear(&train->off);
	free(train->each);
	agenda_close(&train->agenda);
}

static enum tr_status start_all(struct on_off_train *train, uint64_t seed, struct tr_error *err)
{
	const size_t all = (size_t)train->nodes * train->sources;
	int64_t *first = calloc(all, sizeof(*first));
	char name[64];
	bool made;

	train->each = calloc(all, sizeof(*train->each));
	for (size_t i = 0; first && train->each && i < all; i++) {
		const uint32_t node = (uint32_t)(i / train->sources);

		(void)snprintf(name, sizeof(name), "node%u/source%zu", node, i % train->sources);
		tr_random_open(&train->each[i].random, seed, name);
		start(train, &train->each[i], node);
		first[i] = source_ticks(train->each[i].next_ticks);
	}
	made = first && train->each && agenda_open(&train->agenda, first, all);
	free(first);
	return made ? TR_OK : tr_no_memory(err, "%zu sources", all);
}

static enum tr_status set_up(struct on_off_train *train, const struct on_off_model *model,
			     const struct generator_settings *settings, struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)model->nodes;
	train->sources = (uint32_t)model->sources;
	if (train->nodes < 2 || (uint64_t)train->nodes * train->sources > ON_OFF_SOURCES_MAX)
		return tr_fail(err, "there must be 2 nodes or more and at most %u sources in all", ON_OFF_SOURCES_MAX);
	train->gap_ticks = model->gap_s * ticks_per_s;
	train->stop_ticks = source_end_ticks(settings, model->duration_s);
	train->header_B = (uint32_t)(model->header_B + 0.5);
	draw_tables_make(&train->tables);
	if (law_plan_make(&train->on, &model->on_law, ticks_per_s, err) != TR_OK ||
	    law_plan_make(&train->off, &model->off_law, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (sizes_empirical(&train->sizes, model->bins, model->bin_count, err) != TR_OK)
		return TR_ERROR;
	return start_all(train, settings->seed, err);
}

static enum tr_status train_open(void *state, const struct model *text, const struct generator_settings *settings,
				 struct tr_error *err)
{
	struct on_off_model model;
	enum tr_status status;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	status = set_up(state, &model, settings, err);
	on_off_model_clear(&model);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct on_off_train),
	.open = train_open,
	.next = train_next,
	.nodes = train_nodes,
	.node = source_worker,
	.explain = on_off_explain,
	.forecast = on_off_forecast,
	.close = train_close,
};

const struct family on_off_family = {
	.name = "on-off",
	.summary = "sources of each node, on and off by turns",
	.generator = &generator,
	.fit = &on_off_fit_of_nodes,
};
