// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of a traffic matrix. A node sends at the sum of its pairs' rates, each packet to one of them by their rates: with
// exponential gaps each pair is then a Poisson process of its own (Kingman, Poisson processes, 1993, section 5.1). Streams:
// "node3/gap", "node3/to", "node3/size". Times keep the part of a tick that rounding leaves.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "gen/agenda.h"
#include "gen/alias.h"
#include "gen/families/family.h"
#include "gen/source.h"
#include "gen/traffic_matrix_model.h"

struct matrix_node {
	struct alias choice; // of a pair
	size_t first;	     // of its pairs
	double gap_ticks;    // mean; 0: it sends nothing
	double part;	     // of a tick, that the time given is too early
	struct tr_random gap, to, size;
};

static_assert(sizeof(struct matrix_node) + AGENDA_SOURCE_BYTES <= TRAFFIC_MATRIX_NODE_BYTES, "what a node takes");

struct matrix_train {
	struct draw_tables tables;
	struct traffic_matrix matrix;
	struct sizes sizes;
	struct matrix_node *each;
	struct agenda agenda;
	int64_t end_ticks;
	uint64_t packets; // given so far: the next id
	uint32_t header_B;
	bool constant;
};

static double draw_gap(const struct matrix_train *train, struct matrix_node *node)
{
	return train->constant ? node->gap_ticks : node->gap_ticks * draw_exponential(&train->tables, &node->gap);
}

static void fill_packet(struct matrix_train *train, uint32_t self, int64_t ticks, struct tr_packet *packet)
{
	struct matrix_node *node = &train->each[self];
	const uint32_t size_B = sizes_draw(&train->sizes, &train->tables, &node->size);

	*packet = (struct tr_packet){
		.time_ticks = ticks,
		.id = train->packets++,
		.flow = TR_FLOW_NONE,
		.src = self,
		.dst = train->matrix.pairs[node->first + alias_draw(&node->choice, &node->to)].dst,
		.payload_bytes = size_B,
		.wire_bytes = source_wire_B(size_B, train->header_B),
		.class = TR_CLASS_DATA,
	};
}

static enum tr_status train_next(void *state, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err)
{
	struct matrix_train *train = state;
	size_t n = 0;

	(void)err;
	while (n < max && train->agenda.next_ticks < train->end_ticks) {
		const int64_t ticks = train->agenda.next_ticks;
		const uint32_t self = (uint32_t)train->agenda.next;
		struct matrix_node *node = &train->each[self];

		fill_packet(train, self, ticks, &packets[n++]);
		agenda_postpone(&train->agenda, source_later(&node->part, ticks, draw_gap(train, node)));
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t train_nodes(const void *state)
{
	return (uint32_t)((const struct matrix_train *)state)->matrix.nodes;
}

static void train_close(void *state)
{
	struct matrix_train *train = state;

	for (uint64_t i = 0; train->each && i < train->matrix.nodes; i++)
		alias_clear(&train->each[i].choice);
	traffic_matrix_clear(&train->matrix);
	sizes_clear(&train->sizes);
	free(train->each);
	agenda_close(&train->agenda);
}

static void open_streams(struct matrix_node *node, uint32_t number, uint64_t seed)
{
	const struct source_stream streams[] = {{&node->gap, "gap"}, {&node->to, "to"}, {&node->size, "size"}};

	source_streams_open(streams, sizeof(streams) / sizeof(*streams), seed, "node%u", number);
}

// The row of the matrix whose pairs begin with first.
static enum tr_status plan_row(struct matrix_train *train, size_t first, double ticks_per_s, struct tr_error *err)
{
	const size_t last = traffic_matrix_row_end(&train->matrix, first);
	struct matrix_node *node = &train->each[train->matrix.pairs[first].src];
	double *weights = calloc(last - first, sizeof(*weights));
	enum tr_status status;

	if (!weights)
		return tr_no_memory(err, "%zu pairs", last - first);
	for (size_t i = first; i < last; i++)
		weights[i - first] = train->matrix.pairs[i].rate_bps;
	node->first = first;
	node->gap_ticks = ticks_per_s / traffic_matrix_rate(&train->matrix, first, last);
	status = alias_make(&node->choice, weights, last - first, err);
	free(weights);
	return status;
}

static enum tr_status start_nodes(struct matrix_train *train, uint64_t seed, struct tr_error *err)
{
	const uint32_t nodes = (uint32_t)train->matrix.nodes;
	int64_t *first = calloc(nodes, sizeof(*first));
	bool made;

	for (uint32_t i = 0; first && i < nodes; i++) {
		struct matrix_node *node = &train->each[i];

		open_streams(node, i, seed);
		first[i] = SOURCE_NEVER;
		if (node->gap_ticks > 0)
			first[i] = source_later(&node->part, 0,
						train->constant ? node->gap_ticks * tr_random_unit(&node->gap)
								: draw_gap(train, node));
	}
	made = first && agenda_open(&train->agenda, first, nodes);
	free(first);
	return made ? TR_OK : tr_no_memory(err, "%u nodes", nodes);
}

static enum tr_status set_up(struct matrix_train *train, const struct generator_settings *settings, struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;
	enum tr_status status = TR_OK;

	if (settings->nodes && settings->nodes != train->matrix.nodes)
		return tr_fail(err, "a traffic matrix of %llu nodes is not one of %u", (unsigned long long)train->matrix.nodes,
			       settings->nodes);
	train->constant = train->matrix.arrivals == TRAFFIC_CONSTANT;
	train->header_B = (uint32_t)(train->matrix.header_B + 0.5);
	train->end_ticks = source_end_ticks(settings, train->matrix.duration_s);
	train->each = calloc(train->matrix.nodes, sizeof(*train->each));
	if (!train->each)
		return tr_no_memory(err, "%llu nodes", (unsigned long long)train->matrix.nodes);
	draw_tables_make(&train->tables);
	for (size_t i = 0; status == TR_OK && i < train->matrix.pair_count; i = traffic_matrix_row_end(&train->matrix, i))
		status = plan_row(train, i, ticks_per_s, err);
	if (status == TR_OK)
		status = sizes_empirical(&train->sizes, train->matrix.bins, train->matrix.bin_count, err);
	return status == TR_OK ? start_nodes(train, settings->seed, err) : status;
}

static enum tr_status train_open(void *state, const struct model *text, const struct generator_settings *settings,
				 struct tr_error *err)
{
	struct matrix_train *train = state;

	if (traffic_matrix_get(text, &train->matrix, err) != TR_OK)
		return TR_ERROR;
	return set_up(train, settings, err);
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct matrix_train),
	.open = train_open,
	.next = train_next,
	.nodes = train_nodes,
	.node = source_worker,
	.explain = traffic_matrix_explain,
	.forecast = traffic_matrix_forecast,
	.close = train_close,
};

const struct family traffic_matrix_family = {
	.name = "traffic-matrix",
	.summary = "how much each node sends to each other one",
	.generator = &generator,
};
