// SPDX-License-Identifier: GPL-3.0-or-later
// All packets through one server, first come first served, that takes a packet's bytes on the wire at a fixed rate; at three
// rates, those at which the data keep it busy 30, 60 and 90 % of the time. The same server serves the model's packets, so a
// model that sends too much waits for it. Mean and 99th percentile of the waits (Lindley's recursion: w' = max(0, w + s - gap)),
// in units of the mean time of service; the distance is the root mean square of their log2 ratios.
//
// Known value: equal packets at equal gaps never wait; Poisson arrivals of equal packets at utilisation r wait r/(2 (1 - r))
// times of service on average (Pollaczek and Khinchine).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/judge/criterion.h"
#include "stat/quantile.h"

#define UTILISATIONS 3u
#define UNITS 1000.0 // of the histogram, in a time of service
#define FLOOR 0.05   // times of service

static const double utilisation[UTILISATIONS] = {0.3, 0.6, 0.9};

static size_t length(const struct judge_scales *scales)
{
	(void)scales;
	return 2 * UTILISATIONS;
}

// The waits at the utilisation: curve[0] the mean, curve[1] the 99th percentile.
static void serve(const struct judge_view *view, double busy, struct quantile *waits, double *curve)
{
	const struct packet_sample *packets = view->packets;
	double rate = view->scales->wire_Bps / busy, service_s = view->scales->wire_B / rate, wait_s = 0, sum = 0;

	*waits = (struct quantile){.n = 0};
	for (size_t i = 0; i < packets->count; i++) {
		if (i > 0)
			wait_s -= (double)(packets->ticks[i] - packets->ticks[i - 1]) / packets->ticks_per_s;
		wait_s = fmax(wait_s, 0);
		sum += wait_s / service_s;
		quantile_add(waits, (uint64_t)(wait_s / service_s * UNITS));
		wait_s += packets->wire_B[i] / rate;
	}
	curve[0] = packets->count ? sum / (double)packets->count : 0;
	curve[1] = (double)quantile_get(waits, 0.99) / UNITS;
}

static enum tr_status measure(const struct judge_view *view, double *curve, struct tr_error *err)
{
	struct quantile *waits = malloc(sizeof(*waits));

	if (!waits)
		return tr_no_memory(err, "the waits");
	for (unsigned i = 0; i < UTILISATIONS; i++)
		serve(view, utilisation[i], waits, curve + 2 * (size_t)i);
	free(waits);
	return TR_OK;
}

static struct judge_distance distance(const struct judge_scales *scales, const double *of_data, const double *of_model)
{
	struct judge_distance out = judge_octaves_apart(of_data, of_model, length(scales), FLOOR);

	out.at = utilisation[(unsigned)out.at / 2];
	return out;
}

static void tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	(void)snprintf(out, JUDGE_WORDS_BYTES, "waits are too %s at a utilisation of %.1f", distance->above ? "long" : "short",
		       distance->at);
}

static bool draw(const struct judge_scales *scales, const double *curve, unsigned number, struct judge_plot *out)
{
	(void)scales;
	if (number > 1)
		return false;
	*out = (struct judge_plot){.x_label = "utilisation", .y_label = "wait (mean service times)", .y_log = true};
	(void)snprintf(out->title, sizeof(out->title), "%s",
		       number ? "99th percentile of waits in a queue" : "Mean wait in a queue");
	for (unsigned i = 0; i < UTILISATIONS; i++)
		judge_plot_add(out, utilisation[i], curve[2 * i + number]);
	return true;
}

const struct judge_criterion judge_queue = {
	.name = "queue_oct",
	.title = "waits in a queue",
	.least = 0.1,
	.length = length,
	.measure = measure,
	.distance = distance,
	.tell = tell,
	.draw = draw,
};
