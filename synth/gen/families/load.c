// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic load: every node offers the same packet rate, with a law of arrivals, sizes and
// destinations. Family "load" (man/flit-model.5).
//
// Each node has its own random streams ("node3/gap", "node3/to", "node3/size"), so its times and
// sizes do not depend on the other nodes, and form the same sequence at every load. Rounding
// remainders of times are carried over: the mean gap is exact.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/ahead.h"
#include "gen/destinations.h"
#include "gen/families/family.h"
#include "gen/forecast.h"
#include "gen/model_field.h"
#include "gen/packet_source.h"
#include "gen/size_bins.h"
#include "text/model.h"

enum load_arrivals {
	LOAD_EXPONENTIAL, // gaps from packet to packet: Poisson
	LOAD_UNIFORM,	  // uniform on 0 to twice the mean
	LOAD_CONSTANT,	  // the first packet at a uniform time within the gap
	LOAD_SYNCHRONOUS, // as constant, and all nodes at the same times, from 0 on
	LOAD_SATURATED,	  // a packet follows as soon as the previous one could have left
};

// Zero is empty; load_model_clear frees it.
struct load_model {
	uint64_t nodes;
	double duration_s;
	double rate_bps; // of a node's link
	double load;	 // of it, in payload
	double header_B; // bytes on the wire beside the payload
	int arrivals;
	struct destinations_model destinations;
	struct size_bin *bins;
	size_t bin_count;
	double size_mean_B;
};

#define LOAD_NODE_BYTES 992u // of memory for each node

static void load_model_clear(struct load_model *load)
{
	free(load->bins);
	destinations_model_clear(&load->destinations);
	*load = (struct load_model){0};
}

static const struct opt_choice arrival_words[] = {
	{"exponential", LOAD_EXPONENTIAL}, {"uniform", LOAD_UNIFORM},
	{"constant", LOAD_CONSTANT},	   {"synchronous", LOAD_SYNCHRONOUS},
	{"saturated", LOAD_SATURATED},	   {NULL, 0}};

#define AT(member) offsetof(struct load_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, MODEL_NODES_MAX, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"rate", MODEL_RATE, AT(rate_bps), false, 1, 1e15, NULL},
	{"load", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"arrivals", MODEL_WORD, AT(arrivals), false, 0, 0, arrival_words},
	DESTINATIONS_FIELDS(AT(destinations)),
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "30 %" of the rate, "0.3" of it, or "384 Mb/s".
static enum tr_status load_get_load(const struct model *model, struct load_model *out,
				    struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "load");
	struct tr_error why = {""};
	enum tr_status status;

	if (!entry && out->arrivals == LOAD_SATURATED)
		return TR_OK;
	if (!entry)
		return model_fail(model, NULL, err, "the key load is missing");
	if (strchr(entry->value, '/')) {
		status = model_value(MODEL_RATE, entry->value, &out->load, &why);
		out->load /= out->rate_bps;
	} else {
		status = model_value(strchr(entry->value, '%') ? MODEL_SHARE : MODEL_REAL,
				     entry->value, &out->load, &why);
	}
	if (status != TR_OK)
		return model_fail(model, entry, err, "load: %s", why.text);
	if (!(out->load > 0 && out->load <= 1000))
		return model_fail(model, entry, err,
				  "load: expected above 0 and at most 1000 times the rate");
	return TR_OK;
}

static enum tr_status load_model_get(const struct model *model, struct load_model *out,
				     struct tr_error *err)
{
	enum tr_status status;

	*out = (struct load_model){.duration_s = 1,
				   .rate_bps = 1.28e9,
				   .load = 1,
				   .destinations = destinations_default()};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family load has no sections");
	if (status == TR_OK)
		status = destinations_get(model, false, &out->destinations, err);
	if (status == TR_OK)
		status = load_get_load(model, out, err);
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status == TR_OK)
		out->size_mean_B = size_bins_mean_B(out->bins, out->bin_count);
	if (status == TR_OK && !(out->size_mean_B > 0))
		status = model_fail(model, NULL, err, "the sizes have no packets or are all 0");
	if (status != TR_OK)
		load_model_clear(out);
	return status;
}

// Mean time between packets of a node in seconds; for saturated arrivals at a load of 1.
static double load_gap_s(const struct load_model *load)
{
	double share = load->arrivals == LOAD_SATURATED ? 1 : load->load;

	return 8 * load->size_mean_B / (share * load->rate_bps);
}

static enum tr_status load_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	static const char *const arrivals[] = {
		[LOAD_EXPONENTIAL] = "exponentially distributed gaps",
		[LOAD_UNIFORM] = "gaps uniform between 0 and twice the mean",
		[LOAD_CONSTANT] = "constant gaps",
		[LOAD_SYNCHRONOUS] = "constant gaps, all nodes at the same times",
		[LOAD_SATURATED] =
			"no gaps: a packet follows as soon as the previous one could have left"};
	char rate[MODEL_NUMBER_BYTES], gap[MODEL_NUMBER_BYTES], size[MODEL_NUMBER_BYTES];
	struct load_model load;

	if (load_model_get(text, &load, err) != TR_OK)
		return TR_ERROR;
	double share = load.arrivals == LOAD_SATURATED ? 1 : load.load;

	fprintf(out,
		"Synthetic load of %llu nodes. Each offers %.6g %% of %s in packets of %s on "
		"average, %s apart.\n  Arrivals: %s.\n  Destinations: ",
		(unsigned long long)load.nodes, 100 * share,
		model_format(MODEL_RATE, load.rate_bps, rate),
		model_format(MODEL_SIZE, model_settle(MODEL_SIZE, load.size_mean_B, 6), size),
		model_format(MODEL_TIME, load_gap_s(&load), gap), arrivals[load.arrivals]);
	destinations_explain(&load.destinations, out);
	fputs(".\n", out);
	load_model_clear(&load);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

// Counts the nodes that the pattern maps to another node.
static enum tr_status load_count_senders(const struct load_model *load, const struct model *text,
					 double *count, struct tr_error *err)
{
	struct destinations destinations;

	if (destinations_open(&destinations, &load->destinations, (uint32_t)load->nodes, 1, text,
			      err) != TR_OK)
		return TR_ERROR;
	*count = 0;
	for (uint32_t i = 0; i < load->nodes; i++)
		*count += destinations_lead(&destinations, i);
	destinations_clear(&destinations);
	return TR_OK;
}

// Squared coefficient of variation of the gaps: the dispersion of a renewal process (Cox, Renewal
// theory, 1962).
static double load_gap_variation(const struct load_model *load)
{
	switch ((enum load_arrivals)load->arrivals) {
	case LOAD_EXPONENTIAL: return 1;
	case LOAD_UNIFORM: return 1.0 / 3;
	case LOAD_SATURATED:
		return size_bins_variance_B2(load->bins, load->bin_count) /
		       (load->size_mean_B * load->size_mean_B);
	case LOAD_CONSTANT:
	case LOAD_SYNCHRONOUS: break;
	}
	return 0;
}

static enum tr_status load_forecast(const struct model *text, struct forecast *out,
				    struct tr_error *err)
{
	struct forecast_sender sender = {
		.who = "Each node that sends", .what = "data", .burst_packets_per_s = NAN};
	struct load_model load;
	enum tr_status status;

	if (load_model_get(text, &load, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = load.nodes,
				 .duration_s = load.duration_s,
				 .hurst = 0.5,
				 .memory_B = (double)(LOAD_NODE_BYTES * load.nodes)};
	sender.packets_per_s = 1 / load_gap_s(&load);
	sender.payload_B = load.size_mean_B;
	sender.wire_B = load.size_mean_B + load.header_B;
	sender.dispersion = load_gap_variation(&load);
	status = load_count_senders(&load, text, &sender.senders, err);
	if (status == TR_OK)
		status = forecast_add(out, &sender, err);
	load_model_clear(&load);
	return status;
}

struct load_node {
	int64_t next_ticks; // of the first packet not yet generated
	double part;	    // rounding remainder, in ticks
	struct tr_random gap, to, size;
};

static_assert(sizeof(struct load_node) + AHEAD_SOURCE_BYTES <= LOAD_NODE_BYTES,
	      "what a node takes");

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
				[LOAD_SYNCHRONOUS] = gap_constant,
				[LOAD_SATURATED] = gap_saturated};

// Sets the times of packets with known sizes.
static void load_make_times(const struct load_train *train, struct load_node *node,
			    const struct ahead_columns *out)
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
	node->next_ticks = source_later(&node->part, out->ticks[AHEAD_PACKETS - 1],
					units[AHEAD_PACKETS - 1]);
}

static void load_make_packets(void *state, size_t number, const struct ahead_columns *out)
{
	struct load_train *train = state;
	struct load_node *node = &train->each[number];

	sizes_draw_many(&train->sizes, &train->tables, &node->size, out->payload_B, AHEAD_PACKETS);
	load_make_times(train, node, out);
	destinations_draw_many(&train->destinations, (uint32_t)number, &node->to, out->dst,
			       AHEAD_PACKETS);
}

static enum tr_status load_train_next(void *state, struct tr_packet *packets, size_t max,
				      size_t *count, struct tr_error *err)
{
	struct load_train *train = state;

	(void)err;
	*count = ahead_take(&train->ahead, load_make_packets, train, train->end_ticks, packets,
			    max);
	return *count > 0 ? TR_OK : TR_END;
}

static uint32_t load_train_nodes(const void *state)
{
	return ((const struct load_train *)state)->nodes;
}

static void load_train_close(void *state)
{
	struct load_train *train = state;

	sizes_clear(&train->sizes);
	destinations_clear(&train->destinations);
	free(train->each);
	ahead_close(&train->ahead);
}

static void load_open_streams(struct load_node *node, uint32_t number, uint64_t seed)
{
	const struct source_stream streams[] = {
		{&node->gap, "gap"}, {&node->to, "to"}, {&node->size, "size"}};

	source_streams_open(streams, sizeof(streams) / sizeof(*streams), seed, "node%u", number);
}

static int64_t load_first_ticks(const struct load_train *train, uint32_t number, int arrivals)
{
	struct load_node *node = &train->each[number];

	if (!destinations_lead(&train->destinations, number))
		return SOURCE_NEVER;
	if (arrivals == LOAD_SATURATED || arrivals == LOAD_SYNCHRONOUS)
		return 0;
	if (arrivals == LOAD_CONSTANT)
		return source_later(&node->part, 0, train->gap_ticks * tr_random_unit(&node->gap));
	return source_later(&node->part, 0, train->gap(train, node, 0));
}

static enum tr_status load_start_nodes(struct load_train *train, int arrivals, uint64_t seed,
				       struct tr_error *err)
{
	train->each = calloc(train->nodes, sizeof(*train->each));
	if (!train->each || !ahead_open(&train->ahead, train->nodes, false))
		return tr_no_memory(err, "%u nodes", train->nodes);
	for (uint32_t i = 0; i < train->nodes; i++) {
		const struct ahead_columns out = ahead_of(&train->ahead, i);

		load_open_streams(&train->each[i], i, seed);
		ahead_set_sender(&train->ahead, i, i, train->header_B, TR_CLASS_DATA);
		out.ticks[0] = train->each[i].next_ticks = load_first_ticks(train, i, arrivals);
		if (out.ticks[0] < train->end_ticks)
			load_make_packets(train, i, &out);
	}
	return ahead_begin(&train->ahead, train->nodes)
		       ? TR_OK
		       : tr_no_memory(err, "%u nodes", train->nodes);
}

static enum tr_status load_set_up(struct load_train *train, const struct model *text,
				  const struct load_model *load,
				  const struct generator_settings *settings, struct tr_error *err)
{
	double ticks_per_s = (double)settings->ticks_per_s;

	train->nodes = settings->nodes ? settings->nodes : (uint32_t)load->nodes;
	if (train->nodes < 2 || train->nodes > MODEL_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", MODEL_NODES_MAX);
	train->end_ticks = source_end_ticks(settings, load->duration_s);
	train->gap_ticks = load_gap_s(load) * ticks_per_s;
	train->ticks_per_byte = 8 / load->rate_bps * ticks_per_s;
	train->header_B = (uint32_t)(load->header_B + 0.5);
	train->gap = gaps[load->arrivals];
	draw_tables_make(&train->tables);
	if (destinations_open(&train->destinations, &load->destinations, train->nodes,
			      settings->seed, text, err) != TR_OK)
		return TR_ERROR;
	return sizes_empirical(&train->sizes, load->bins, load->bin_count, err);
}

static enum tr_status load_train_open(void *state, const struct model *text,
				      const struct generator_settings *settings,
				      struct tr_error *err)
{
	struct load_model load;
	enum tr_status status;

	if (load_model_get(text, &load, err) != TR_OK)
		return TR_ERROR;
	status = load_set_up(state, text, &load, settings, err);
	if (status == TR_OK)
		status = load_start_nodes(state, load.arrivals, settings->seed, err);
	load_model_clear(&load);
	return status;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct load_train),
	.open = load_train_open,
	.next = load_train_next,
	.nodes = load_train_nodes,
	.node = source_worker,
	.explain = load_explain,
	.forecast = load_forecast,
	.close = load_train_close,
};

const struct family load_family = {
	.name = "load",
	.summary = "synthetic load: the same rate from every node",
	.generator = &generator,
};
