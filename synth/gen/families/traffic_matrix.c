// SPDX-License-Identifier: GPL-3.0-or-later
// A traffic matrix: how much each node sends to every other, independently of the network. Family
// "traffic-matrix" (man/flit-model.5).
//
// A node sends at the total rate of its pairs, each packet to one of them with probability
// proportional to its rate: with exponential gaps each pair is then a Poisson process (Kingman,
// Poisson processes, 1993). Streams: "node3/gap", "node3/to", "node3/size". Rounding remainders of
// times are carried over.
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/alias.h"
#include "gen/families/family.h"
#include "gen/forecast.h"
#include "gen/loser_tree.h"
#include "gen/model_field.h"
#include "gen/packet_source.h"
#include "gen/size_bins.h"
#include "text/model.h"
#include "value/num.h"

// The traffic from src to dst, in bits of payload.
struct traffic_pair {
	uint32_t src, dst;
	double rate_bps;
};

// Zero is empty; traffic_matrix_clear frees it.
struct traffic_matrix {
	uint64_t nodes;
	double duration_s;
	double header_B;	    // bytes on the wire beside the payload
	int arrivals;		    // enum traffic_arrivals
	struct traffic_pair *pairs; // owned, sorted by src, then dst; rates above 0
	size_t pair_count;
	struct size_bin *bins; // owned
	size_t bin_count;
	double size_mean_B;
};

enum traffic_arrivals {
	TRAFFIC_EXPONENTIAL, // gaps between packets of a node: Poisson, also for each pair
	TRAFFIC_CONSTANT,    // the first packet at a uniform time within the gap
};

#define TRAFFIC_MATRIX_NODE_BYTES 400u // of memory for each node
#define TRAFFIC_MATRIX_PAIR_BYTES 32u  // and for each pair

static void traffic_matrix_clear(struct traffic_matrix *matrix)
{
	free(matrix->pairs);
	free(matrix->bins);
	*matrix = (struct traffic_matrix){.nodes = 0};
}

// Keys of the text besides the pairs.
struct keys {
	uint64_t nodes;
	double duration_s, header_B, over_s, factor;
	int arrivals;
};

static const struct opt_choice arrival_words[] = {{"exponential", TRAFFIC_EXPONENTIAL},
						  {"constant", TRAFFIC_CONSTANT},
						  {NULL, 0}};

#define AT(member) offsetof(struct keys, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, MODEL_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"over", MODEL_TIME, AT(over_s), false, 1e-9, 1e9, NULL},
	{"factor", MODEL_REAL, AT(factor), false, 1e-9, 1e9, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"arrivals", MODEL_WORD, AT(arrivals), false, 0, 0, arrival_words},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"pair", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "0 3 1.5 Mb/s", or "0 3 1500 B" per duration of "over".
static enum tr_status get_pair(const char *value, const struct keys *keys,
			       struct traffic_pair *pair, struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *rest = text;
	uint64_t src, dst;

	(void)snprintf(text, sizeof(text), "%s", value);
	const char *from = strsep(&rest, " "), *to = strsep(&rest, " ");

	if (!to || !rest)
		return tr_fail(err, "expected two nodes and a rate, such as 0 3 1.5 Mb/s");
	if (num_parse_count(from, 0, keys->nodes - 1, &src, err) != TR_OK ||
	    num_parse_count(to, 0, keys->nodes - 1, &dst, err) != TR_OK)
		return TR_ERROR;
	if (src == dst)
		return tr_fail(err, "node %llu cannot send to itself", (unsigned long long)src);
	*pair = (struct traffic_pair){.src = (uint32_t)src, .dst = (uint32_t)dst};
	if (strchr(rest, '/') ? model_value(MODEL_RATE, rest, &pair->rate_bps, err) != TR_OK
			      : model_value(MODEL_SIZE, rest, &pair->rate_bps, err) != TR_OK)
		return TR_ERROR;
	if (!(pair->rate_bps >= 0 && pair->rate_bps <= 1e18))
		return tr_fail(err, "expected a rate or a size, found \"%.30s\"", rest);
	if (!strchr(rest, '/') && keys->over_s == 0)
		return tr_fail(err, "a size needs the key over, the time in which it is sent");
	if (!strchr(rest, '/'))
		pair->rate_bps *= 8 / keys->over_s;
	pair->rate_bps *= keys->factor;
	return TR_OK;
}

static int traffic_matrix_by_nodes(const void *left, const void *right)
{
	const struct traffic_pair *a = left, *b = right;

	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	return (a->dst > b->dst) - (a->dst < b->dst);
}

static enum tr_status traffic_matrix_get_pairs(const struct model *model, const struct keys *keys,
					       struct traffic_matrix *out, struct tr_error *err)
{
	const size_t room = model_count(model, "", "pair");
	const struct model_entry *entry = NULL;

	out->pairs = calloc(room + 1, sizeof(*out->pairs));
	if (!out->pairs)
		return model_no_memory(model, err);
	while ((entry = model_next(model, "", "pair", entry))) {
		struct traffic_pair *pair = &out->pairs[out->pair_count];
		struct tr_error why = {""};

		if (get_pair(entry->value, keys, pair, &why) != TR_OK)
			return model_fail(model, entry, err, "pair: %s", why.text);
		out->pair_count += pair->rate_bps > 0;
	}
	qsort(out->pairs, out->pair_count, sizeof(*out->pairs), traffic_matrix_by_nodes);
	for (size_t i = 1; i < out->pair_count; i++)
		if (traffic_matrix_by_nodes(&out->pairs[i - 1], &out->pairs[i]) == 0)
			return model_fail(model, NULL, err, "the pair %u %u is given twice",
					  out->pairs[i].src, out->pairs[i].dst);
	return TR_OK;
}

static enum tr_status traffic_matrix_get(const struct model *model, struct traffic_matrix *out,
					 struct tr_error *err)
{
	struct keys keys = {.duration_s = 1, .factor = 1};
	enum tr_status status = model_get(model, "", fields, &keys, err);

	*out = (struct traffic_matrix){.nodes = keys.nodes,
				       .duration_s = keys.duration_s,
				       .header_B = keys.header_B,
				       .arrivals = keys.arrivals};
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family traffic-matrix has no sections");
	if (status == TR_OK)
		status = traffic_matrix_get_pairs(model, &keys, out, err);
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	out->size_mean_B = size_bins_mean_B(out->bins, out->bin_count);
	if (status == TR_OK && !(out->size_mean_B > 0))
		status = model_fail(model, NULL, err, "the sizes have no packets or are all 0");
	if (status != TR_OK)
		traffic_matrix_clear(out);
	return status;
}

// Packets per second of the pairs first .. last - 1.
static double traffic_matrix_rate(const struct traffic_matrix *matrix, size_t first, size_t last)
{
	double bps = 0;

	for (size_t i = first; i < last; i++)
		bps += matrix->pairs[i].rate_bps;
	return bps / (8 * matrix->size_mean_B);
}

// The end of the pairs with the same source as first.
static size_t traffic_matrix_row_end(const struct traffic_matrix *matrix, size_t first)
{
	size_t last = first;

	while (last < matrix->pair_count && matrix->pairs[last].src == matrix->pairs[first].src)
		last++;
	return last;
}

static enum tr_status traffic_matrix_explain(const struct model *text, FILE *out,
					     struct tr_error *err)
{
	double least = INFINITY, most = 0;
	struct traffic_matrix matrix;
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	if (traffic_matrix_get(text, &matrix, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < matrix.pair_count; i++) {
		least = fmin(least, matrix.pairs[i].rate_bps);
		most = fmax(most, matrix.pairs[i].rate_bps);
	}
	fprintf(out, "A traffic matrix of %llu nodes: %zu pairs send.\n",
		(unsigned long long)matrix.nodes, matrix.pair_count);
	if (matrix.pair_count > 0)
		fprintf(out, "  Each has its rate, %s to %s of payload.\n",
			model_format(MODEL_RATE, least, a), model_format(MODEL_RATE, most, b));
	fprintf(out, "  Arrivals: %s.\n",
		matrix.arrivals == TRAFFIC_EXPONENTIAL
			? "exponentially distributed gaps"
			: "constant gaps; each packet goes to a pair in proportion to its rate");
	traffic_matrix_clear(&matrix);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

static enum tr_status forecast_rows(const struct traffic_matrix *matrix, struct forecast *out,
				    struct tr_error *err)
{
	struct forecast_sender sender = {.who = "Each node that sends, on average",
					 .what = "data",
					 .payload_B = matrix->size_mean_B,
					 .wire_B = matrix->size_mean_B + matrix->header_B,
					 .burst_packets_per_s = NAN,
					 .dispersion = matrix->arrivals == TRAFFIC_EXPONENTIAL};

	for (size_t i = 0; i < matrix->pair_count; i = traffic_matrix_row_end(matrix, i))
		sender.senders++;
	if (sender.senders == 0)
		return TR_OK;
	sender.packets_per_s = traffic_matrix_rate(matrix, 0, matrix->pair_count) / sender.senders;
	return forecast_add(out, &sender, err);
}

static enum tr_status traffic_matrix_forecast(const struct model *text, struct forecast *out,
					      struct tr_error *err)
{
	struct traffic_matrix matrix;
	enum tr_status status;

	if (traffic_matrix_get(text, &matrix, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){
		.nodes = matrix.nodes, .duration_s = matrix.duration_s, .hurst = 0.5};
	out->memory_B = (double)(TRAFFIC_MATRIX_NODE_BYTES * matrix.nodes +
				 TRAFFIC_MATRIX_PAIR_BYTES * matrix.pair_count);
	status = forecast_rows(&matrix, out, err);
	traffic_matrix_clear(&matrix);
	return status;
}

static enum tr_status traffic_matrix_pairs(const struct model *text, struct pairs *out,
					   struct tr_error *err)
{
	struct traffic_matrix matrix;
	enum tr_status status;

	*out = (struct pairs){.nodes = 0};
	if (traffic_matrix_get(text, &matrix, err) != TR_OK)
		return TR_ERROR;
	status = pairs_open(out, matrix.nodes, err);
	for (size_t i = 0; status == TR_OK && i < matrix.pair_count; i++) {
		const struct traffic_pair *pair = &matrix.pairs[i];

		out->wire_Bps[(size_t)pair->src * out->nodes + pair->dst] =
			pair->rate_bps / 8 * (1 + matrix.header_B / matrix.size_mean_B);
	}
	traffic_matrix_clear(&matrix);
	return status;
}

struct matrix_node {
	struct alias choice; // of a pair
	size_t first;	     // of its pairs
	double gap_ticks;    // mean; 0: it sends nothing
	double part;	     // rounding remainder, in ticks
	struct tr_random gap, to, size;
};

static_assert(sizeof(struct matrix_node) + AGENDA_SOURCE_BYTES <= TRAFFIC_MATRIX_NODE_BYTES,
	      "what a node takes");

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
	return train->constant ? node->gap_ticks
			       : node->gap_ticks * draw_exponential(&train->tables, &node->gap);
}

static void traffic_matrix_fill_packet(struct matrix_train *train, uint32_t self, int64_t ticks,
				       struct tr_packet *packet)
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

static enum tr_status traffic_matrix_train_next(void *state, struct tr_packet *packets, size_t max,
						size_t *count, struct tr_error *err)
{
	struct matrix_train *train = state;
	size_t n = 0;

	(void)err;
	while (n < max && train->agenda.next_ticks < train->end_ticks) {
		const int64_t ticks = train->agenda.next_ticks;
		const uint32_t self = (uint32_t)train->agenda.next;
		struct matrix_node *node = &train->each[self];

		traffic_matrix_fill_packet(train, self, ticks, &packets[n++]);
		agenda_postpone(&train->agenda,
				source_later(&node->part, ticks, draw_gap(train, node)));
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t traffic_matrix_train_nodes(const void *state)
{
	return (uint32_t)((const struct matrix_train *)state)->matrix.nodes;
}

static void traffic_matrix_train_close(void *state)
{
	struct matrix_train *train = state;

	for (uint64_t i = 0; train->each && i < train->matrix.nodes; i++)
		alias_clear(&train->each[i].choice);
	traffic_matrix_clear(&train->matrix);
	sizes_clear(&train->sizes);
	free(train->each);
	agenda_close(&train->agenda);
}

static void traffic_matrix_open_streams(struct matrix_node *node, uint32_t number, uint64_t seed)
{
	const struct source_stream streams[] = {
		{&node->gap, "gap"}, {&node->to, "to"}, {&node->size, "size"}};

	source_streams_open(streams, sizeof(streams) / sizeof(*streams), seed, "node%u", number);
}

// The row of the matrix that begins with pair first.
static enum tr_status plan_row(struct matrix_train *train, size_t first, double ticks_per_s,
			       struct tr_error *err)
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

static enum tr_status traffic_matrix_start_nodes(struct matrix_train *train, uint64_t seed,
						 struct tr_error *err)
{
	const uint32_t nodes = (uint32_t)train->matrix.nodes;
	int64_t *first = calloc(nodes, sizeof(*first));
	bool made;

	for (uint32_t i = 0; first && i < nodes; i++) {
		struct matrix_node *node = &train->each[i];

		traffic_matrix_open_streams(node, i, seed);
		first[i] = SOURCE_NEVER;
		if (node->gap_ticks > 0)
			first[i] = source_later(&node->part, 0,
						train->constant ? node->gap_ticks *
									  tr_random_unit(&node->gap)
								: draw_gap(train, node));
	}
	made = first && agenda_open(&train->agenda, first, nodes);
	free(first);
	return made ? TR_OK : tr_no_memory(err, "%u nodes", nodes);
}

static enum tr_status traffic_matrix_set_up(struct matrix_train *train,
					    const struct generator_settings *settings,
					    struct tr_error *err)
{
	const double ticks_per_s = (double)settings->ticks_per_s;
	enum tr_status status = TR_OK;

	if (settings->nodes && settings->nodes != train->matrix.nodes)
		return tr_fail(err, "a traffic matrix of %llu nodes cannot have %u nodes",
			       (unsigned long long)train->matrix.nodes, settings->nodes);
	train->constant = train->matrix.arrivals == TRAFFIC_CONSTANT;
	train->header_B = (uint32_t)(train->matrix.header_B + 0.5);
	train->end_ticks = source_end_ticks(settings, train->matrix.duration_s);
	train->each = calloc(train->matrix.nodes, sizeof(*train->each));
	if (!train->each)
		return tr_no_memory(err, "%llu nodes", (unsigned long long)train->matrix.nodes);
	draw_tables_make(&train->tables);
	for (size_t i = 0; status == TR_OK && i < train->matrix.pair_count;
	     i = traffic_matrix_row_end(&train->matrix, i))
		status = plan_row(train, i, ticks_per_s, err);
	if (status == TR_OK)
		status = sizes_empirical(&train->sizes, train->matrix.bins, train->matrix.bin_count,
					 err);
	return status == TR_OK ? traffic_matrix_start_nodes(train, settings->seed, err) : status;
}

static enum tr_status traffic_matrix_train_open(void *state, const struct model *text,
						const struct generator_settings *settings,
						struct tr_error *err)
{
	struct matrix_train *train = state;

	if (traffic_matrix_get(text, &train->matrix, err) != TR_OK)
		return TR_ERROR;
	return traffic_matrix_set_up(train, settings, err);
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct matrix_train),
	.open = traffic_matrix_train_open,
	.next = traffic_matrix_train_next,
	.nodes = traffic_matrix_train_nodes,
	.node = source_worker,
	.explain = traffic_matrix_explain,
	.forecast = traffic_matrix_forecast,
	.pairs = traffic_matrix_pairs,
	.close = traffic_matrix_train_close,
};

const struct family traffic_matrix_family = {
	.name = "traffic-matrix",
	.summary = "traffic matrix: a rate for each pair of nodes",
	.generator = &generator,
};
