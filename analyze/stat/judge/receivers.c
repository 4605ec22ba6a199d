// SPDX-License-Identifier: GPL-3.0-or-later
// Destinations of packets, independent of the nodes' names. How destinations follow each other: the
// share of packets that go where the packet of their sender 1, 2, 4, 8 and 16 before went. How they
// meet: of any two packets in one bin, the share that go to one node, at every width. Distance: the
// root mean square of the differences, both halves alike.
//
// Known values: 1 where each sender has one destination; 1/(n - 1) at all lags where each packet
// has its own of n nodes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/judge/criterion.h"

#define LAGS 5u
#define LAG_MOST (1u << (LAGS - 1))

static size_t receiver_widths(const struct judge_scales *scales)
{
	return scales->levels - JUDGE_COARSEST + 1;
}

static size_t receivers_length(const struct judge_scales *scales)
{
	return LAGS + receiver_widths(scales);
}

// last: for each sender the destinations of its last LAG_MOST packets, in a ring; sent: how many it
// sent.
static void follow_destinations(const struct packet_sample *packets, size_t nodes, uint32_t *last,
				uint32_t *sent, double *curve)
{
	double all[LAGS] = {0}, same[LAGS] = {0};

	for (size_t i = 0; i < packets->count; i++) {
		const size_t from = judge_node(packets->src[i], nodes);
		const uint32_t to = packets->dst[i];

		for (unsigned k = 0; k < LAGS && sent[from] >= 1u << k; k++) {
			same[k] += to ==
				   last[from * LAG_MOST + (sent[from] - (1u << k)) % LAG_MOST];
			all[k]++;
		}
		last[from * LAG_MOST + sent[from]++ % LAG_MOST] = to;
	}
	for (unsigned k = 0; k < LAGS; k++)
		curve[k] = all[k] > 0 ? same[k] / all[k] : 0;
}

// The share of pairs of one bin with the same destination, at the level; one pair with this share
// is added, as narrow bins may have none. seen: packets to each node in its last bin, at.
static double meet_receivers(const struct judge_view *view, size_t nodes, unsigned level,
			     double added, uint32_t *seen, uint32_t *at)
{
	const struct packet_sample *packets = view->packets;
	const double scale = ldexp(1 / (double)(packets->end_ticks - packets->begin_ticks),
				   (int)level);
	double all = 1, same = added;
	uint32_t bin = 0;
	size_t here = 0;

	for (size_t n = 0; n <= nodes; n++)
		at[n] = UINT32_MAX;
	for (size_t i = 0; i < packets->count; i++) {
		const uint32_t now = (uint32_t)((double)(packets->ticks[i] - packets->begin_ticks) *
						scale);
		const size_t to = judge_node(packets->dst[i], nodes);

		here = now == bin ? here : 0;
		bin = now;
		seen[to] = at[to] == now ? seen[to] : 0;
		at[to] = now;
		all += (double)here++;
		same += seen[to]++;
	}
	return same / all;
}

static enum tr_status receivers_measure(const struct judge_view *view, double *curve,
					struct tr_error *err)
{
	const size_t nodes = judge_nodes(view->packets), widths = receiver_widths(view->scales);
	uint32_t *last = calloc((nodes + 1) * (LAG_MOST + 3), sizeof(*last));

	if (!last)
		return tr_no_memory(err, "%zu nodes", nodes);
	uint32_t *sent = last + (nodes + 1) * LAG_MOST, *seen = sent + nodes + 1,
		 *at = seen + nodes + 1;

	follow_destinations(view->packets, nodes, last, sent, curve);
	curve[LAGS] = meet_receivers(view, nodes, JUDGE_COARSEST, 0, seen, at);
	for (size_t i = 1; i < widths; i++)
		curve[LAGS + i] = meet_receivers(view, nodes, JUDGE_COARSEST + (unsigned)i,
						 curve[LAGS], seen, at);
	free(last);
	return TR_OK;
}

// at: the lag below 0, or the width.
static struct judge_distance receivers_distance(const struct judge_scales *scales,
						const double *of_data, const double *of_model)
{
	const size_t count = receivers_length(scales);
	struct judge_distance out = judge_same();

	for (size_t i = 0; i < count; i++) {
		const double apart = of_model[i] - of_data[i];
		const double at = i < LAGS ? -(double)(1u << i)
					   : judge_width(scales,
							 JUDGE_COARSEST + (unsigned)(i - LAGS));

		out.value += apart * apart / (i < LAGS ? 2 * LAGS : 2 * (double)(count - LAGS));
		judge_keep_most(&out, at, apart);
	}
	out.value = sqrt(out.value);
	return out;
}

static void receivers_tell(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES])
{
	const char *often = distance->above ? "often" : "rarely";
	char width[24];

	if (distance->at < 0)
		(void)snprintf(out, JUDGE_WORDS_BYTES,
			       "a sender's packets %.0f apart go to one node too %s", -distance->at,
			       often);
	else
		(void)snprintf(out, JUDGE_WORDS_BYTES, "packets within %s go to one node too %s",
			       judge_time(distance->at, width), often);
}

static bool receivers_draw(const struct judge_scales *scales, const double *curve, unsigned number,
			   struct judge_plot *out)
{
	*out = (struct judge_plot){.y_label = "share to one node", .x_log = true};
	if (number == 0) {
		(void)snprintf(out->title, sizeof(out->title),
			       "Destinations of a sender's packets");
		out->x_label = "packets apart";
		for (unsigned k = 0; k < LAGS; k++)
			judge_plot_add(out, 1u << k, curve[k]);
	} else {
		(void)snprintf(out->title, sizeof(out->title), "Destinations in one bin");
		out->x_label = "bin width";
		out->x_times = true;
		for (size_t i = receiver_widths(scales); i-- > 0;)
			judge_plot_add(out, judge_width(scales, JUDGE_COARSEST + (unsigned)i),
				       curve[LAGS + i]);
	}
	return number < 2;
}

const struct judge_criterion judge_destinations = {
	.name = "destinations",
	.title = "destinations",
	.least = 0.02,
	.length = receivers_length,
	.measure = receivers_measure,
	.distance = receivers_distance,
	.tell = receivers_tell,
	.draw = receivers_draw,
};
