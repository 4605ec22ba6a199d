// SPDX-License-Identifier: GPL-3.0-or-later
// All packets through one server, first come first served, that takes a packet's bytes on the wire
// at a fixed rate; at three rates, those at which the data keep it busy 30, 60 and 90 % of the
// time. The same server serves the model's packets, so a model that sends too much waits for it.
// Mean and 99th percentile of the waits (Lindley's recursion: w' = max(0, w + s - gap)), in units
// of the mean time of service; the distance is the root mean square of their log2 ratios.
//
// The same with a server for each receiver, all at the rate at which the busiest one of the data is
// busy so long.
//
// Known value: equal packets at equal gaps never wait; Poisson arrivals of equal packets at
// utilisation r wait r/(2 (1 - r)) times of service on average (Pollaczek and Khinchine).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/intervals/quantile.h"
#include "stat/judge/criterion.h"

#define UTILISATIONS 3u
#define UNITS 1000.0 // of the histogram, in a time of service
#define FLOOR 0.05   // times of service

static const double utilisation[UTILISATIONS] = {0.3, 0.6, 0.9};

static size_t queue_length(const struct judge_scales *scales)
{
	(void)scales;
	return 2 * UTILISATIONS;
}

// What is left to do after a packet, and its time.
struct server {
	double wait_s;
	int64_t ticks;
};

// The waits at servers of this rate, one or, with nodes, one for each and one more: curve[0] the
// mean, curve[1] the 99th percentile.
static void serve(const struct judge_view *view, double rate, size_t nodes, struct server *servers,
		  struct quantile *waits, double *curve)
{
	const struct packet_sample *packets = view->packets;
	const double service_s = view->scales->wire_B / rate;
	double sum = 0;

	*waits = (struct quantile){.n = 0};
	for (size_t n = 0; n <= nodes; n++)
		servers[n] = (struct server){.ticks = packets->begin_ticks};
	for (size_t i = 0; i < packets->count; i++) {
		struct server *server = &servers[nodes ? judge_node(packets->dst[i], nodes) : 0];

		server->wait_s -= (double)(packets->ticks[i] - server->ticks) /
				  packets->ticks_per_s;
		server->wait_s = fmax(server->wait_s, 0);
		server->ticks = packets->ticks[i];
		sum += server->wait_s / service_s;
		quantile_add(waits, (uint64_t)(server->wait_s / service_s * UNITS));
		server->wait_s += packets->wire_B[i] / rate;
	}
	curve[0] = packets->count ? sum / (double)packets->count : 0;
	curve[1] = (double)quantile_get(waits, 0.99) / UNITS;
}

static enum tr_status measure_servers(const struct judge_view *view, double load_Bps, size_t nodes,
				      double *curve, struct tr_error *err)
{
	struct quantile *waits = malloc(sizeof(*waits));
	struct server *servers = calloc(nodes + 1, sizeof(*servers));
	const bool made = waits && servers;

	for (unsigned i = 0; made && i < UTILISATIONS; i++)
		serve(view, load_Bps / utilisation[i], nodes, servers, waits,
		      curve + 2 * (size_t)i);
	free(waits);
	free(servers);
	return made ? TR_OK : tr_no_memory(err, "the waits");
}

static enum tr_status queue_measure(const struct judge_view *view, double *curve,
				    struct tr_error *err)
{
	return measure_servers(view, view->scales->wire_Bps, 0, curve, err);
}

static enum tr_status measure_receivers(const struct judge_view *view, double *curve,
					struct tr_error *err)
{
	return measure_servers(view, view->scales->receiver_Bps, judge_nodes(view->packets), curve,
			       err);
}

static struct judge_distance queue_distance(const struct judge_scales *scales,
					    const double *of_data, const double *of_model)
{
	struct judge_distance out = judge_octaves_apart(of_data, of_model, queue_length(scales),
							FLOOR);

	out.at = utilisation[(unsigned)out.at / 2];
	return out;
}

static void queue_tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	(void)snprintf(out, JUDGE_WORDS_BYTES, "waits are too %s at a utilisation of %.1f",
		       distance->above ? "long" : "short", distance->at);
}

static void tell_receivers(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	(void)snprintf(out, JUDGE_WORDS_BYTES,
		       "waits at receivers are too %s at a utilisation of %.1f",
		       distance->above ? "long" : "short", distance->at);
}

static bool draw_waits(const double *curve, unsigned number, const char *where,
		       struct judge_plot *out)
{
	if (number > 1)
		return false;
	*out = (struct judge_plot){
		.x_label = "utilisation", .y_label = "wait (mean service times)", .y_log = true};
	(void)snprintf(out->title, sizeof(out->title), "%s %s",
		       number ? "99th percentile of waits" : "Mean wait", where);
	for (unsigned i = 0; i < UTILISATIONS; i++)
		judge_plot_add(out, utilisation[i], curve[2 * i + number]);
	return true;
}

static bool queue_draw(const struct judge_scales *scales, const double *curve, unsigned number,
		       struct judge_plot *out)
{
	(void)scales;
	return draw_waits(curve, number, "in a queue", out);
}

static bool draw_receivers(const struct judge_scales *scales, const double *curve, unsigned number,
			   struct judge_plot *out)
{
	(void)scales;
	return draw_waits(curve, number, "at receivers", out);
}

const struct judge_criterion judge_queue = {
	.name = "queue_oct",
	.title = "waits in a queue",
	.least = 0.1,
	.length = queue_length,
	.measure = queue_measure,
	.distance = queue_distance,
	.tell = queue_tell,
	.draw = queue_draw,
};

const struct judge_criterion judge_receivers = {
	.name = "receivers_oct",
	.title = "waits at receivers",
	.least = 0.1,
	.length = queue_length,
	.measure = measure_receivers,
	.distance = queue_distance,
	.tell = tell_receivers,
	.draw = draw_receivers,
};
