// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --explain: describes a model in words or as tables.
#include "flitgen.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "stat/intervals/workload.h"
#include "table/table_rows.h"

TABLE_ROW(sender, (text, who), (text, what), (real, senders, 10), (real, packets_per_s, 6),
	  (real, payload_b_per_s, 6), (real, wire_b_per_s, 6), (real, payload_B, 6),
	  (real, wire_B, 6), (real, burst_packets_per_s, 6), (real, dispersion, 6));

static struct table *senders_table(const struct forecast *forecast)
{
	struct table *table = table_of("senders", "Forecast by sender", sender_fields);

	for (size_t i = 0; i < forecast->count; i++) {
		const struct forecast_sender *sender = &forecast->senders[i];

		TABLE_PUT(table, sender, .who = sender->who, .what = sender->what,
			  .senders = sender->senders, .packets_per_s = sender->packets_per_s,
			  .payload_b_per_s = 8 * sender->packets_per_s * sender->payload_B,
			  .wire_b_per_s = 8 * sender->packets_per_s * sender->wire_B,
			  .payload_B = sender->payload_B, .wire_B = sender->wire_B,
			  .burst_packets_per_s = sender->burst_packets_per_s,
			  .dispersion = sender->dispersion);
	}
	return table;
}

TABLE_ROW(forecast, (real, nodes, 6), (real, packets_per_s, 6), (real, payload_b_per_s, 6),
	  (real, wire_b_per_s, 6), (real, dispersion, 6), (real, hurst, 6), (real, duration_s, 6),
	  (real, packets, 6), (real, payload_B, 6), (real, stream_B, 6), (real, memory_B, 6));

static struct table *total_table(const struct forecast *forecast, double packets_max)
{
	const struct forecast_total total = forecast_total(forecast);
	const struct forecast_volume volume = forecast_volume(forecast, packets_max);
	struct table *table = table_of("forecast", NULL, forecast_fields);

	TABLE_PUT(table, forecast, .nodes = (double)forecast->nodes,
		  .packets_per_s = total.packets_per_s, .payload_b_per_s = total.payload_bps,
		  .wire_b_per_s = total.wire_bps, .dispersion = total.dispersion,
		  .hurst = forecast->hurst > 0 ? forecast->hurst : NAN,
		  .duration_s = volume.duration_s, .packets = volume.packets,
		  .payload_B = volume.payload_B, .stream_B = volume.stream_B,
		  .memory_B = forecast->memory_B > 0 ? forecast->memory_B : NAN);
	return table;
}

static enum tr_status print_tables(const struct forecast *forecast, double packets_max,
				   struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[] = {total_table(forecast, packets_max), senders_table(forecast)};

	return tables_finish(tables, 2, style, "flitgen", out, err);
}

// Packets of all senders until the payload of data reaches data_B.
static double packets_until(const struct forecast *forecast, double data_B)
{
	double data_B_per_s = 0;

	for (size_t i = 0; i < forecast->count; i++) {
		const struct forecast_sender *sender = &forecast->senders[i];

		if (strcmp(sender->what, "overhead") != 0)
			data_B_per_s += sender->senders * sender->packets_per_s * sender->payload_B;
	}
	return data_B / data_B_per_s * forecast_total(forecast).packets_per_s;
}

// Limits the duration as the options say; the largest number of packets that they allow, 0 for any.
static enum tr_status gen_explain_limit(const struct gen_request *request,
					struct forecast *forecast, double *packets_max,
					struct tr_error *err)
{
	double packets = request->count ? (double)request->count : INFINITY;
	uint64_t bytes;

	if (request->time.num > 0)
		forecast->duration_s = num_value(request->time);
	else if (request->count || request->until.num > 0 || request->workload)
		forecast->duration_s = INFINITY;
	if (request->until.num > 0)
		packets = fmin(packets, packets_until(forecast, num_value(request->until)));
	if (request->workload) {
		if (workload_bytes(request->workload, (uint32_t)forecast->nodes, &bytes, err) !=
		    TR_OK)
			return TR_ERROR;
		packets = fmin(packets, packets_until(forecast, (double)bytes));
	}
	*packets_max = isinf(packets) ? 0 : packets;
	return TR_OK;
}

static enum tr_status gen_explain_tell(const struct family *family,
				       const struct gen_request *request, const struct model *model,
				       bool words, FILE *out, struct tr_error *err)
{
	struct forecast forecast = {.senders = NULL};
	double packets_max = 0;
	enum tr_status status = family->generator->forecast(model, &forecast, err);

	forecast_stretch(&forecast, request->stretched);

	// Nothing is printed about a model that cannot be generated.
	if (status == TR_OK && words)
		status = family->generator->explain(model, out, err);
	if (status == TR_OK && words && request->stretched != 1)
		fprintf(out, "To offer the load requested, %s are multiplied by %.4g.\n",
			family == &messages_family ? "the times from message to message"
						   : "all these times",
			request->stretched);
	if (status == TR_OK)
		status = gen_explain_limit(request, &forecast, &packets_max, err);
	if (status == TR_OK && words)
		forecast_explain(&forecast, packets_max, out);
	else if (status == TR_OK)
		status = print_tables(&forecast, packets_max, request->style, out, err);
	forecast_clear(&forecast);
	return status;
}

void gen_explain(struct tool *tool, const struct gen_request *request, struct model *model)
{
	const bool words = !request->pairs && !request->style.json &&
			   request->style.format == TABLE_AUTO;
	FILE *out = words ? tool_printable_output(tool, NULL) : tool_text_output(tool, NULL);
	const struct family *family;
	struct tr_error err;
	char nodes[32];

	(void)snprintf(nodes, sizeof(nodes), "%llu", (unsigned long long)request->nodes);
	if (request->nodes)
		model_set(model, "nodes", nodes);
	if (!out)
		return;
	if (family_of(model, &family, &err) == TR_OK && request->pairs) {
		if (gen_pairs(request, model, family, out, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		return;
	}
	if (family_of(model, &family, &err) != TR_OK ||
	    (gen_explain_tell(family, request, model, words, out, &err) != TR_OK &&
	     !ferror(out))) // a failed output is reported at its close
		tool_error(tool, "%s", err.text);
}

void gen_refuse_model(struct tool *tool, const struct gen_request *request,
		      const struct tr_error *err)
{
	char beside[PATH_MAX] = "";

	if (request->nodes && tool_operand_count(tool) > 0)
		family_scalable_path(tool_operand(tool, 0), beside);
	if (*beside && access(beside, R_OK) == 0)
		tool_error(tool, "%s; %s is for any number of nodes", err->text, beside);
	else
		tool_error(tool, "%s", err->text);
}
