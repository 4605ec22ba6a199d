// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --explain: what a model will do, in words or as tables.
#include "flitgen.h"

#include <math.h>

#include "trace/table.h"

static struct table *senders_table(const struct forecast *forecast)
{
	struct table *table = table_new("senders", "Who sends how much");
	static const char *const columns[] = {"who", "what", "senders", "packets_per_s", "payload_b_per_s",
					      "wire_b_per_s", "payload_B", "wire_B", "burst_packets_per_s", "dispersion"};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		table_column(table, columns[i]);
	for (size_t i = 0; i < forecast->count; i++) {
		const struct forecast_sender *sender = &forecast->senders[i];

		table_text(table, sender->who);
		table_text(table, sender->what);
		table_real(table, sender->senders, 10);
		table_real(table, sender->packets_per_s, 6);
		table_real(table, 8 * sender->packets_per_s * sender->payload_B, 6);
		table_real(table, 8 * sender->packets_per_s * sender->wire_B, 6);
		table_real(table, sender->payload_B, 6);
		table_real(table, sender->wire_B, 6);
		table_real(table, sender->burst_packets_per_s, 6);
		table_real(table, sender->dispersion, 6);
	}
	return table;
}

static struct table *total_table(const struct forecast *forecast, double packets_max)
{
	const struct forecast_total total = forecast_total(forecast);
	const struct forecast_volume volume = forecast_volume(forecast, packets_max);
	struct table *table = table_new("forecast", NULL);
	const struct {
		const char *column;
		double value;
	} cells[] = {
		{"nodes", (double)forecast->nodes},
		{"packets_per_s", total.packets_per_s},
		{"payload_b_per_s", total.payload_bps},
		{"wire_b_per_s", total.wire_bps},
		{"dispersion", total.dispersion},
		{"hurst", forecast->hurst > 0 ? forecast->hurst : NAN},
		{"duration_s", volume.duration_s},
		{"packets", volume.packets},
		{"payload_B", volume.payload_B},
		{"stream_B", volume.stream_B},
		{"memory_B", forecast->memory_B > 0 ? forecast->memory_B : NAN},
	};

	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		table_column(table, cells[i].column);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		table_real(table, cells[i].value, 6);
	return table;
}

static enum tr_status print_tables(const struct forecast *forecast, double packets_max, struct table_style style,
				   FILE *out, struct tr_error *err)
{
	struct table *tables[] = {total_table(forecast, packets_max), senders_table(forecast)};
	enum tr_status status = tables_print(tables, 2, style, "flitgen", out, err);

	table_free(tables[0]);
	table_free(tables[1]);
	return status;
}

// As long as the options say; the packets that they allow at most, 0 for any number.
static double limit(const struct gen_request *request, struct forecast *forecast)
{
	const struct forecast_total total = forecast_total(forecast);
	double packets = request->count ? (double)request->count : INFINITY;

	if (request->time.num > 0)
		forecast->duration_s = num_value(request->time);
	else if (request->count || request->until.num > 0)
		forecast->duration_s = INFINITY;
	if (request->until.num > 0)
		packets = fmin(packets, num_value(request->until) / (total.payload_bps / 8 / total.packets_per_s));
	return isinf(packets) ? 0 : packets;
}

static enum tr_status tell(const struct generator_kind *kind, const struct gen_request *request,
			   const struct model *model, FILE *out, struct tr_error *err)
{
	const bool words = !request->style.json && request->style.format == TABLE_AUTO;
	const struct generator_settings settings = {.seed = request->seed, .ticks_per_s = request->ticks_per_s};
	struct forecast forecast = {.senders = NULL};
	enum tr_status status = words ? kind->explain(model, out, err) : TR_OK;

	if (status == TR_OK)
		status = kind->forecast ? kind->forecast(model, &forecast, err) :
					  generator_try(model, &settings, &forecast, err);
	if (status == TR_OK) {
		const double packets_max = limit(request, &forecast);

		if (words)
			forecast_explain(&forecast, packets_max, out);
		else
			status = print_tables(&forecast, packets_max, request->style, out, err);
	}
	forecast_clear(&forecast);
	return status;
}

void gen_explain(struct tool *tool, const struct gen_request *request, struct model *model)
{
	FILE *out = tool_text_output(tool, NULL);
	const struct generator_kind *kind;
	struct tr_error err;
	char nodes[32];

	(void)snprintf(nodes, sizeof nodes, "%llu", (unsigned long long)request->nodes);
	if (request->nodes)
		model_set(model, "nodes", nodes);
	if (generator_find(model, &kind, &err) != TR_OK || tell(kind, request, model, out, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}
