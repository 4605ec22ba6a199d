// SPDX-License-Identifier: GPL-3.0-or-later
// Clients and servers in words, and their forecast.
#include <math.h>

#include "gen/families/client_server/client_server.h"
#include "gen/model_field.h"

#define NODE_BYTES 480.0 // of memory for each node, with a reply in progress

static void explain_pace(const struct client_class *class, FILE *out)
{
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	if (class->load == 0)
		fputs("only answers", out);
	else if (!isnan(class->load))
		fprintf(out, "offers %.6g %% of %s, as a Poisson process", 100 * class->load,
			model_format(MODEL_RATE, class->rate_bps, a));
	else
		fprintf(out,
			"thinks for an exponential time of mean %s after its last message was "
			"answered or, without an answer, has left at %s",
			model_format(MODEL_TIME, class->think_s, a),
			model_format(MODEL_RATE, class->rate_bps, b));
}

static void explain_targets(const struct client_server *model, const struct client_class *class,
			    FILE *out)
{
	for (size_t i = 0; i < class->target_count; i++) {
		const struct client_target *target = &class->targets[i];

		fprintf(out, "%s%.6g %% to ",
			i ? ", " : "  Destinations of its packets: ", 100 * target->share);
		if (target->class == CLIENT_SERVER_ALL)
			fputs("any other node", out);
		else if (target->class == (uint32_t)(class - model->classes))
			fputs("other nodes of its class", out);
		else
			fprintf(out, "[%s]", model->classes[target->class].name);
	}
	if (class->target_count)
		fputs(".\n", out);
}

static void explain_replies(const struct client_class *class, FILE *out)
{
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES];

	if (class->reply_bins)
		fprintf(out,
			"  It answers each packet with one of %s on average, after a mean service "
			"time of %s, one at a time.\n",
			model_format(MODEL_SIZE,
				     size_bins_mean_B(class->reply_bins, class->reply_bin_count),
				     a),
			model_format(MODEL_TIME, class->service_s, b));
}

enum tr_status client_server_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char duration[MODEL_NUMBER_BYTES];
	struct client_server model;

	if (client_server_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out, "Clients and servers: %llu nodes in %u classes; default duration %s.\n",
		(unsigned long long)model.nodes, model.class_count,
		model_format(MODEL_TIME, model.duration_s, duration));
	for (uint32_t c = 0; c < model.class_count; c++) {
		const struct client_class *class = &model.classes[c];

		fprintf(out, "[%s], %llu node%s: each ", class->name,
			(unsigned long long)class->nodes, class->nodes == 1 ? "" : "s");
		explain_pace(class, out);
		fputs(".\n", out);
		explain_targets(&model, class, out);
		explain_replies(class, out);
	}
	client_server_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

// Variance over mean of a node's packets in long times: 1 for a Poisson process; with think times,
// if it does not wait for replies, that of a renewal process (Cox, Renewal theory, 1962).
static double client_server_model_dispersion(const struct client_server *model,
					     const struct client_class *class)
{
	const double rate = class->packets_per_s;
	const double byte_s = 8 / class->rate_bps;

	if (!isnan(class->load))
		return 1;
	for (size_t i = 0; i < class->target_count; i++) {
		const uint32_t target = class->targets[i].class;

		for (uint32_t c = 0; c < model->class_count; c++)
			if (model->classes[c].reply_bins &&
			    (target == c || target == CLIENT_SERVER_ALL))
				return NAN;
	}
	return rate * rate *
	       (class->think_s * class->think_s +
		byte_s * byte_s * size_bins_variance_B2(class->bins, class->bin_count));
}

static enum tr_status forecast_class(const struct client_server *model, uint32_t number,
				     struct forecast *out, struct tr_error *err)
{
	const struct client_class *class = &model->classes[number];
	struct forecast_sender sender = {
		.what = "data",
		.senders = (double)class->nodes,
		.packets_per_s = class->packets_per_s,
		.payload_B = size_bins_mean_B(class->bins, class->bin_count),
		.burst_packets_per_s = NAN,
		.dispersion = client_server_model_dispersion(model, class),
	};

	sender.wire_B = sender.payload_B + model->header_B;
	(void)snprintf(sender.who, sizeof(sender.who), "Each of [%.60s]", class->name);
	if (class->load != 0 && forecast_add(out, &sender, err) != TR_OK)
		return TR_ERROR;
	if (!class->reply_bins)
		return TR_OK;
	sender.what = "answers";
	sender.packets_per_s = client_server_asked(model, number);
	sender.payload_B = size_bins_mean_B(class->reply_bins, class->reply_bin_count);
	sender.wire_B = sender.payload_B + model->header_B;
	sender.dispersion = NAN;
	return forecast_add(out, &sender, err);
}

enum tr_status client_server_forecast(const struct model *text, struct forecast *out,
				      struct tr_error *err)
{
	struct client_server model;
	enum tr_status status;

	if (client_server_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = model.nodes,
				 .duration_s = model.duration_s,
				 .hurst = 0.5,
				 .memory_B = NODE_BYTES * (double)model.nodes};
	client_server_solve(&model);
	status = client_server_check(&model, err);
	for (uint32_t c = 0; status == TR_OK && c < model.class_count; c++)
		status = forecast_class(&model, c, out, err);
	client_server_clear(&model);
	return status;
}
