// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/traffic_matrix_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"
#include "trace/num.h"

// What stands in the text beside the pairs.
struct keys {
	uint64_t nodes;
	double duration_s, header_B, over_s, factor;
	int arrivals;
};

static const struct opt_choice arrival_words[] = {{"exponential", TRAFFIC_EXPONENTIAL},
						  {"constant", TRAFFIC_CONSTANT},
						  {NULL, 0}};

#define AT(member) offsetof(struct keys, member)
static const struct model_field fields[] = {{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"nodes", MODEL_COUNT, AT(nodes), true, 2, TRAFFIC_MATRIX_NODES_MAX, NULL},
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

// "0 3 1.5 Mb/s", or "0 3 1500 B" of the time over.
static enum tr_status get_pair(const char *value, const struct keys *keys, struct traffic_pair *pair, struct tr_error *err)
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
		return tr_fail(err, "node %llu sends nothing to itself", (unsigned long long)src);
	*pair = (struct traffic_pair){.src = (uint32_t)src, .dst = (uint32_t)dst};
	if (strchr(rest, '/') ? model_value(MODEL_RATE, rest, &pair->rate_bps, err) != TR_OK
			      : model_value(MODEL_SIZE, rest, &pair->rate_bps, err) != TR_OK)
		return TR_ERROR;
	if (!(pair->rate_bps >= 0 && pair->rate_bps <= 1e18))
		return tr_fail(err, "\"%.30s\" cannot be sent", rest);
	if (!strchr(rest, '/') && keys->over_s == 0)
		return tr_fail(err, "bytes need the key over, the time in which they are sent");
	if (!strchr(rest, '/'))
		pair->rate_bps *= 8 / keys->over_s;
	pair->rate_bps *= keys->factor;
	return TR_OK;
}

static int by_nodes(const void *left, const void *right)
{
	const struct traffic_pair *a = left, *b = right;

	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	return (a->dst > b->dst) - (a->dst < b->dst);
}

static enum tr_status get_pairs(const struct model *model, const struct keys *keys, struct traffic_matrix *out,
				struct tr_error *err)
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
	qsort(out->pairs, out->pair_count, sizeof(*out->pairs), by_nodes);
	for (size_t i = 1; i < out->pair_count; i++)
		if (by_nodes(&out->pairs[i - 1], &out->pairs[i]) == 0)
			return model_fail(model, NULL, err, "the pair %u %u stands there a second time", out->pairs[i].src,
					  out->pairs[i].dst);
	return TR_OK;
}

enum tr_status traffic_matrix_get(const struct model *model, struct traffic_matrix *out, struct tr_error *err)
{
	struct keys keys = {.duration_s = 1, .factor = 1};
	enum tr_status status = model_get(model, "", fields, &keys, err);

	*out = (struct traffic_matrix){
		.nodes = keys.nodes, .duration_s = keys.duration_s, .header_B = keys.header_B, .arrivals = keys.arrivals};
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family traffic-matrix has no sections");
	if (status == TR_OK)
		status = get_pairs(model, &keys, out, err);
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	out->size_mean_B = size_bins_mean_B(out->bins, out->bin_count);
	if (status == TR_OK && !(out->size_mean_B > 0))
		status = model_fail(model, NULL, err, "the sizes have no packet, or no byte");
	if (status != TR_OK)
		traffic_matrix_clear(out);
	return status;
}

double traffic_matrix_rate(const struct traffic_matrix *matrix, size_t first, size_t last)
{
	double bps = 0;

	for (size_t i = first; i < last; i++)
		bps += matrix->pairs[i].rate_bps;
	return bps / (8 * matrix->size_mean_B);
}

size_t traffic_matrix_row_end(const struct traffic_matrix *matrix, size_t first)
{
	size_t last = first;

	while (last < matrix->pair_count && matrix->pairs[last].src == matrix->pairs[first].src)
		last++;
	return last;
}

enum tr_status traffic_matrix_explain(const struct model *text, FILE *out, struct tr_error *err)
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
	fprintf(out, "A traffic matrix of %llu nodes: %zu pairs send.\n", (unsigned long long)matrix.nodes, matrix.pair_count);
	if (matrix.pair_count > 0)
		fprintf(out, "  Each has its rate, %s to %s of payload.\n", model_format(MODEL_RATE, least, a),
			model_format(MODEL_RATE, most, b));
	fprintf(out, "  Arrivals: %s.\n",
		matrix.arrivals == TRAFFIC_EXPONENTIAL
			? "exponentially distributed gaps"
			: "constant gaps of a node, each packet to any of its pairs by their rates");
	traffic_matrix_clear(&matrix);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

static enum tr_status forecast_rows(const struct traffic_matrix *matrix, struct forecast *out, struct tr_error *err)
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

enum tr_status traffic_matrix_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	struct traffic_matrix matrix;
	enum tr_status status;

	if (traffic_matrix_get(text, &matrix, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = matrix.nodes, .duration_s = matrix.duration_s, .hurst = 0.5};
	out->memory_B = (double)(TRAFFIC_MATRIX_NODE_BYTES * matrix.nodes + TRAFFIC_MATRIX_PAIR_BYTES * matrix.pair_count);
	status = forecast_rows(&matrix, out, err);
	traffic_matrix_clear(&matrix);
	return status;
}

void traffic_matrix_clear(struct traffic_matrix *matrix)
{
	free(matrix->pairs);
	free(matrix->bins);
	*matrix = (struct traffic_matrix){.nodes = 0};
}
