// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic load. Each node has random streams of its own ("node3/gap", "node3/to", "node3/size"),
// so its times and sizes are the same whatever other nodes there are, and the same sequence at
// every load. Times keep the part of a tick that rounding leaves: the mean gap is exact.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "gen/ahead.h"
#include "gen/families/family.h"
#include "gen/load_model.h"
#include "gen/source.h"

struct load_node {
	int64_t next_ticks; // of the first packet that is not made
	double part;	    // of a tick, that this is too early
	struct tr_random gap, to, size;
};

static_assert(sizeof(struct load_node) + AHEAD_SOURCE_BYTES <= LOAD_NODE_BYTES, "what a node takes");

struct load_train;

// The node's next gap in ticks, after a packet of size_B bytes.
typedef double (*draw_gap)(const struct load_train *train, struct load_node *node, uint32_t size_B);

struct load_train {
	struct draw_tables tables;
	struct sizes sizes;
	struct load_node *each;
	struct ahead ahead;
	draw_gap gap;
	struct destinations destinations;
	double gap_ticks;      // mean
	double ticks_per_byte; // at the rate
	int64_t end_ticks;
	uint32_t nodes;
	uint32_t header_B;
};

static double gap_exponential(const struct load_train *train, struct load_node *node, uint32_t size)
{
	(void)size;
	return train->gap_ticks * draw_exponential(&train->tables, &node->gap);
}

static double gap_uniform(const struct load_train *train, struct load_node *node, uint32_t size)
{
	(void)size;
	return 2 * train->gap_ticks * tr_random_unit(&node->gap);
}

static double gap_constant(const struct load_train *train, struct load_node *node, uint32_t size)
{
	(void)node;
	(void)size;
	return train->gap_ticks;
}

static double gap_saturated(const struct load_train *train, struct load_node *node, uint32_t size)
{
	(void)node;
	return train->ticks_per_byte * size;
}

static const draw_gap gaps[] = {[LOAD_EXPONENTIAL] = gap_exponential,
				[LOAD_UNIFORM] = gap_uniform,
				[LOAD_CONSTANT] = gap_constant,
				[LOAD_SATURATED] = gap_saturated};

// The times of the packets whose sizes are made.
static void make_times(const struct load_train *train, struct load_node *node, const struct ahead_columns *out)
{
	double units[AHEAD_PACKETS];

	if (train->gap == gap_exponential) {
		draw_exponentials(&train->tables, &node->gap, units, AHEAD_PACKETS);
		for (unsigned i = 0; i < AHEAD_PACKETS; i++)
			units[i] *= train->gap_ticks;
	} else {
		for (unsigned i = 0; i < AHEAD_PACKETS; i++)
			units[i] = train->gap(train, node, out->payload_B[i]);
	}
	out->ticks[0] = node->next_ticks;
	source_later_many(&node->part, node->next_ticks, units, out->ticks + 1, AHEAD_PACKETS - 1);
	node->next_ticks = source_later(&node->part, out->ticks[AHEAD_PACKETS - 1], units[AHEAD_PACKETS - 1]);
}

static void make_packets(void *state, size_t number, const struct ahead_columns *out)
{
	struct load_train *train = state;
	struct load_node *node = &train->each[number];

	sizes_draw_many(&train->sizes, &train->tables, &node->size, out->payload_B, AHEAD_PACKETS);
	make_times(train, node, out);
	destinations_draw_many(&train->destinations, (uint32_t)number, &node->to, out->dst, AHEAD_PACKETS);
}

static enum tr_status train_next(void *state, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err)
{
	struct load_train *train = state;

	(void)err;
	*count = ahead_take(&train->ahead, make_packets, train, train->end_ticks, packets, max);
	return *count > 0 ? TR_OK : TR_END;
}

static uint32_t train_nodes(const void *state)
{
	return ((const struct load_train *)state)->nodes;
}

static void train_close(void *state)
{
	struct load_train *train = state;

	sizes_clear(&train->sizes);
	destinations_clear(&train->destinations);
	free(train->each);
	ahead_close(&train->ahead);
}

static void open_streams(struct load_node *node, uint32_t number, uint64_t seed)
{
	const struct source_stream streams[] = {{&node->gap, "gap"}, {&node->to, "to"}, {&node->size, "size"}};

	source_streams_open(streams, sizeof(streams) / sizeof(*streams), seed, "node%u", number);
}

static int64_t first_ticks(const struct load_train *train, uint32_t number, int arrivals)
{
	struct load_node *node = &train->each[number];

	if (!destinations_lead(&train->destinations, number))
		return SOURCE_NEVER;
	if (arrivals == LOAD_SATURATED)
		return 0;
	if (arrivals == LOAD_CONSTANT)
		return source_later(&node->part, 0, train->gap_ticks * tr_random_unit(&node->gap));
	return source_later(&node->part, 0, train->gap(train, node, 0));
}

static enum tr_status start_nodes(struct load_train *train, int arrivals, uint64_t seed, struct tr_error *err)
{
	train->each = calloc(train->nodes, sizeof(*train->each));
	if (!train->each || !ahead_open(&train->ahead, train->nodes, false))
		return tr_no_memory(err, "%u nodes", train->nodes);
	for (uint32_t i = 0; i < train->nodes; i++) {
		const struct ahead_columns out = ahead_of(&train->ahead, i);

		open_streams(&train->each[i], i, seed);
		ahead_set_sender(&train->ahead, i, i, train->header_B, TR_CLASS_DATA);
		out.ticks[0] = train->each[i].next_ticks = first_ticks(train, i, arrivals);
		if (out.ticks[0] < train->end_ticks)
			make_packets(train, i, &out);
	}
	return ahead_begin(&train->ahead, train->nodes) ? TR_OK : tr_no_memory(err, "%u nodes", train->nodes);
}

static enum tr_status set_up(struct load_train *train, const struct model *text, const struct load_model *load,
			     const struct generator_settings *settings, struct tr_error *err)
{
	double ticks_per_s = (double)settings->ticks_per_s;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)load->nodes;
	if (train->nodes < 2 || train->nodes > LOAD_NODES_MAX)
		return tr_fail(err, "there must be 2 to %u nodes", LOAD_NODES_MAX);
	train->end_ticks = source_end_ticks(settings, load->duration_s);
	train->gap_ticks = load_gap_s(load) * ticks_per_s;
	train->ticks_per_byte = 8 / load->rate_bps * ticks_per_s;
	train->header_B = (uint32_t)(load->header_B + 0.5);
	train->gap = gaps[load->arrivals];
	draw_tables_make(&train->tables);
	if (destinations_open(&train->destinations, &load->destinations, train->nodes, settings->seed, text, err) != TR_OK)
		return TR_ERROR;
	return sizes_empirical(&train->sizes, load->bins, load->bin_count, err);
}

static enum tr_status train_open(void *state, const struct model *text, const struct generator_settings *settings,
				 struct tr_error *err)
{
	struct load_model load;
	enum tr_status status;

	if (load_model_get(text, &load, err) != TR_OK)
		return TR_ERROR;
	status = set_up(state, text, &load, settings, err);
	if (status == TR_OK)
		status = start_nodes(state, load.arrivals, settings->seed, err);
	load_model_clear(&load);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct load_train),
	.open = train_open,
	.next = train_next,
	.nodes = train_nodes,
	.node = source_worker,
	.explain = load_explain,
	.forecast = load_forecast,
	.close = train_close,
};

const struct family load_family = {
	.name = "load",
	.summary = "synthetic load: the same rate from every node",
	.generator = &generator,
};
