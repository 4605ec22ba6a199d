// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/judge/criterion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/num.h"

size_t judge_nodes(const struct packet_sample *sample)
{
	size_t nodes = 0;

	for (size_t i = 0; i < sample->count; i++) {
		const uint32_t high = sample->src[i] > sample->dst[i] ? sample->src[i]
								      : sample->dst[i];

		nodes = high >= nodes && high != TR_NODE_OTHER ? (size_t)high + 1 : nodes;
	}
	return nodes;
}

// The bytes to the node that takes most; < 0: out of memory.
static double most_received_B(const struct packet_sample *sample)
{
	const size_t nodes = judge_nodes(sample);
	double *bytes = calloc(nodes + 1, sizeof(*bytes)), most = bytes ? 1 : -1;

	for (size_t i = 0; bytes && i < sample->count; i++) {
		const size_t to = judge_node(sample->dst[i], nodes);

		bytes[to] += sample->wire_B[i];
		most = bytes[to] > most ? bytes[to] : most;
	}
	free(bytes);
	return most;
}

enum tr_status judge_scales_of(const struct packet_sample *sample, struct judge_scales *out,
			       struct tr_error *err)
{
	double seconds = packet_sample_seconds(sample), wire_B = 0, received_B;
	int levels = sample->count ? ilogb((double)sample->count) : 0;

	if (sample->count < JUDGE_PACKETS_MIN || !(seconds > 0))
		return tr_fail(err,
			       "%zu packets in %g s are too few for a comparison; %u are needed in "
			       "each half",
			       sample->count, seconds, JUDGE_PACKETS_MIN);
	for (size_t i = 0; i < sample->count; i++)
		wire_B += sample->wire_B[i];
	wire_B = fmax(wire_B, 1);
	received_B = most_received_B(sample);
	if (received_B < 0)
		return tr_no_memory(err, "the nodes of %zu packets", sample->count);
	*out = (struct judge_scales){
		.levels = levels < (int)JUDGE_LEVELS_MIN   ? JUDGE_LEVELS_MIN
			  : levels > (int)JUDGE_LEVELS_MAX ? JUDGE_LEVELS_MAX
							   : (unsigned)levels,
		.seconds = seconds,
		.packets = (double)sample->count,
		.gap_s = seconds / (double)sample->count,
		.wire_Bps = wire_B / seconds,
		.wire_B = wire_B / (double)sample->count,
		.receiver_Bps = received_B / seconds,
	};
	return TR_OK;
}

double judge_width(const struct judge_scales *scales, unsigned level)
{
	return ldexp(scales->seconds, -(int)level);
}

void judge_count(const struct judge_scales *scales, const struct packet_sample *sample,
		 uint32_t *counts)
{
	size_t bins = (size_t)1 << scales->levels;
	double scale = (double)bins / (double)(sample->end_ticks - sample->begin_ticks);

	memset(counts, 0, bins * sizeof(*counts));
	for (size_t i = 0; i < sample->count; i++) {
		size_t bin = (size_t)((double)(sample->ticks[i] - sample->begin_ticks) * scale);

		counts[bin < bins ? bin : bins - 1]++;
	}
}

uint64_t judge_sum(const struct judge_scales *scales, const uint32_t *counts, unsigned level,
		   size_t bin)
{
	unsigned shift = scales->levels - level;
	uint64_t sum = 0;

	for (size_t i = bin << shift; i < (bin + 1) << shift; i++)
		sum += counts[i];
	return sum;
}

struct judge_distance judge_same(void)
{
	return (struct judge_distance){.most = -1};
}

void judge_keep_most(struct judge_distance *distance, double at, double apart)
{
	if (!(fabs(apart) > distance->most))
		return;
	distance->at = at;
	distance->above = apart > 0;
	distance->most = fabs(apart);
}

double judge_octaves(double of_data, double of_model, double floor)
{
	return log2((of_model + floor) / (of_data + floor));
}

struct judge_distance judge_octaves_apart(const double *of_data, const double *of_model,
					  size_t count, double floor)
{
	struct judge_distance out = judge_same();

	for (size_t i = 0; i < count; i++) {
		const double octaves = judge_octaves(of_data[i], of_model[i], floor);

		out.value += octaves * octaves / (double)count;
		judge_keep_most(&out, (double)i, octaves);
	}
	out.value = sqrt(out.value);
	return out;
}

void judge_plot_add(struct judge_plot *plot, double x, double y)
{
	if (plot->count == JUDGE_POINTS || !isfinite(x) || !isfinite(y) ||
	    (plot->x_log && !(x > 0)) || (plot->y_log && !(y > 0)))
		return;
	plot->x[plot->count] = x;
	plot->y[plot->count++] = y;
}

const char *judge_time(double seconds, char out[24])
{
	return num_show(seconds, NUM_TIME, 3, out, 24);
}
