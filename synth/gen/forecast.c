// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "gen/model_field.h"
#include "stream/record.h"
#include "value/grow.h"
#include "value/num.h"

enum tr_status forecast_add(struct forecast *forecast, const struct forecast_sender *sender,
			    struct tr_error *err)
{
	if (!GROW_BY_COUNT(forecast->senders, forecast->count))
		return tr_no_memory(err, "the forecast");
	forecast->senders[forecast->count++] = *sender;
	return TR_OK;
}

void forecast_stretch(struct forecast *forecast, double times)
{
	forecast->duration_s *= times;
	for (size_t i = 0; i < forecast->count; i++) {
		forecast->senders[i].packets_per_s /= times;
		forecast->senders[i].burst_packets_per_s /= times;
	}
}

struct forecast_total forecast_total(const struct forecast *forecast)
{
	struct forecast_total total = {0};
	double variance_per_s = 0;

	for (size_t i = 0; i < forecast->count; i++) {
		const struct forecast_sender *sender = &forecast->senders[i];
		const double packets_per_s = sender->senders * sender->packets_per_s;

		total.packets_per_s += packets_per_s;
		total.payload_bps += 8 * packets_per_s * sender->payload_B;
		total.wire_bps += 8 * packets_per_s * sender->wire_B;
		if (packets_per_s > 0)
			variance_per_s += packets_per_s * sender->dispersion;
	}
	total.dispersion = total.packets_per_s > 0 ? variance_per_s / total.packets_per_s : NAN;
	return total;
}

struct forecast_volume forecast_volume(const struct forecast *forecast, double packets_max)
{
	const struct forecast_total total = forecast_total(forecast);
	struct forecast_volume volume = {.duration_s = forecast->duration_s};

	if (packets_max > 0 && packets_max < total.packets_per_s * volume.duration_s)
		volume.duration_s = packets_max / total.packets_per_s;
	volume.packets = total.packets_per_s * volume.duration_s;
	volume.payload_B = total.payload_bps / 8 * volume.duration_s;
	volume.stream_B = (double)sizeof(struct tr_packet) * volume.packets;
	return volume;
}

static const char *format_B(double bytes, char out[MODEL_NUMBER_BYTES])
{
	return num_show(bytes, NUM_SIZE, 4, out, MODEL_NUMBER_BYTES);
}

static const char *format_bps(double bps, char out[MODEL_NUMBER_BYTES])
{
	return num_show(bps, NUM_RATE, 4, out, MODEL_NUMBER_BYTES);
}

// A number of packets rounded to four digits; whole, unless below one.
static const char *format_about(double number, char out[MODEL_NUMBER_BYTES])
{
	const double unit = number >= 1000 ? pow(10, floor(log10(number)) - 3) : 1;

	if (number >= 0.95 && number < 1e18)
		(void)snprintf(out, MODEL_NUMBER_BYTES, "%.0f", round(number / unit) * unit);
	else
		(void)snprintf(out, MODEL_NUMBER_BYTES, "%.4g", number);
	return out;
}

static void explain_sender(const struct forecast_sender *sender, FILE *out)
{
	const double bps = 8 * sender->packets_per_s;
	char payload[MODEL_NUMBER_BYTES], wire[MODEL_NUMBER_BYTES];

	fprintf(out, "  %s: %.6g packets/s of %s, %s of payload, %s on the wire; %.6g B per packet",
		sender->who, sender->packets_per_s, sender->what,
		format_bps(bps * sender->payload_B, payload),
		format_bps(bps * sender->wire_B, wire), sender->payload_B);
	if (sender->senders != 1)
		fprintf(out, "; %.0f of these", sender->senders);
	fputs(".\n", out);
	if (sender->burst_packets_per_s > 0)
		fprintf(out, "    Peak rate in a burst: %.6g packets/s, %.4g times the mean.\n",
			sender->burst_packets_per_s,
			sender->burst_packets_per_s / sender->packets_per_s);
}

static void explain_burstiness(double dispersion, double hurst, FILE *out)
{
	fputs("Burstiness: ", out);
	if (hurst > 0.5 || isinf(dispersion))
		fputs("the variance-to-mean ratio of the packet count grows with time", out);
	else if (hurst > 0 && hurst < 0.5)
		fputs("the variance-to-mean ratio of the packet count falls with time", out);
	else if (isnan(dispersion))
		fputs("the variance of the packet count over long times is not known in advance",
		      out);
	else
		fprintf(out,
			"the variance-to-mean ratio of the packet count over long times is %.4g "
			"(Poisson: 1)",
			dispersion);
	if (hurst > 0)
		fprintf(out, "; H = %.4g: %s", hurst,
			hurst > 0.5   ? "long-range dependence"
			: hurst < 0.5 ? "negative dependence"
				      : "no long-range dependence");
	fputs(".\n", out);
}

void forecast_explain(const struct forecast *forecast, double packets_max, FILE *out)
{
	const struct forecast_total total = forecast_total(forecast);
	const struct forecast_volume volume = forecast_volume(forecast, packets_max);
	char a[MODEL_NUMBER_BYTES], b[MODEL_NUMBER_BYTES], c[MODEL_NUMBER_BYTES];

	fprintf(out, "Rates of %llu nodes:\n", (unsigned long long)forecast->nodes);
	for (size_t i = 0; i < forecast->count; i++)
		explain_sender(&forecast->senders[i], out);
	fprintf(out, "  Total: %.6g packets/s, %s of payload, %s on the wire.\n",
		total.packets_per_s, format_bps(total.payload_bps, a),
		format_bps(total.wire_bps, b));
	explain_burstiness(total.dispersion, forecast->hurst, out);
	if (isfinite(volume.duration_s))
		fprintf(out, "Output: about %s packets in %.6g s, %s of payload; a stream of %s.\n",
			format_about(volume.packets, c), volume.duration_s,
			format_B(volume.payload_B, a), format_B(volume.stream_B, b));
	if (forecast->memory_B > 0)
		fprintf(out, "Memory: about %s for the generator.\n",
			format_B(forecast->memory_B, a));
}

void forecast_clear(struct forecast *forecast)
{
	free(forecast->senders);
	*forecast = (struct forecast){.senders = NULL};
}
