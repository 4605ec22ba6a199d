// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fit/counted_sample.h"

#include <math.h>

// The least of left uniform numbers in (at, 1): an order statistic, at the cost of one power.
static double next_share(double at, uint64_t left, struct tr_random *random)
{
	return 1 - (1 - at) * pow(1 - tr_random_unit(random), 1 / (double)left);
}

static int64_t tick_in(int64_t start, int64_t width, double share)
{
	int64_t ticks = (int64_t)(share * (double)width);

	return start + (ticks < width ? ticks : width - 1);
}

// The i-th of n integer parts of whole, which differ by at most one.
static uint32_t counted_sample_part_of(uint64_t whole, uint64_t n, uint64_t i)
{
	uint64_t part = whole / n + (i < whole % n);

	return part < UINT32_MAX ? (uint32_t)part : UINT32_MAX;
}

static enum tr_status counted_sample_check(const struct packet_sample *sample,
					   const struct tr_series *bin, struct tr_error *err)
{
	if (bin->width_ticks <= 0 || (sample->bin_ticks && bin->width_ticks != sample->bin_ticks))
		return tr_fail(err, "the bins have several widths; expected one series");
	if (sample->bin_ticks && bin->start_ticks < sample->end_ticks)
		return tr_fail(err, "the bins overlap; expected one series");
	return TR_OK;
}

enum tr_status counted_sample_add(struct packet_sample *sample, const struct tr_series *bin,
				  struct tr_random *random, struct tr_error *err)
{
	const int64_t begin = sample->bin_ticks ? sample->begin_ticks : bin->start_ticks;
	double share = 0;

	if (counted_sample_check(sample, bin, err) != TR_OK)
		return TR_ERROR;
	for (uint64_t i = 0; i < bin->count; i++) {
		const uint32_t bytes = counted_sample_part_of(bin->size_bytes, bin->count, i),
			       from = (uint32_t)(sample->count % 2);
		struct tr_packet packet = {.src = from,
					   .dst = 1 - from,
					   .payload_bytes = bytes,
					   .wire_bytes = bytes,
					   .class = bin->class == TR_CLASS_OVERHEAD
							    ? TR_CLASS_OVERHEAD
							    : TR_CLASS_DATA};

		share = next_share(share, bin->count - i, random);
		packet.time_ticks = tick_in(bin->start_ticks, bin->width_ticks, share);
		if (packet_sample_add(sample, &packet, err) != TR_OK)
			return TR_ERROR;
	}
	sample->bin_ticks = bin->width_ticks;
	sample->begin_ticks = begin;
	sample->end_ticks = bin->start_ticks + bin->width_ticks;
	return TR_OK;
}

// One bin's packets, from .. end.
static void blur(struct packet_sample *sample, size_t from, size_t end, int64_t start,
		 int64_t width, struct tr_random *random)
{
	uint64_t payload_B = 0, wire_B = 0, n = end - from;
	double share = 0;

	for (size_t i = from; i < end; i++) {
		payload_B += sample->payload_B[i];
		wire_B += sample->wire_B[i];
	}
	for (size_t i = from; i < end; i++) {
		share = next_share(share, end - i, random);
		sample->ticks[i] = tick_in(start, width, share);
		sample->payload_B[i] = counted_sample_part_of(payload_B, n, i - from);
		sample->wire_B[i] = counted_sample_part_of(wire_B, n, i - from);
	}
}

void counted_sample_blur(struct packet_sample *sample, int64_t bin_ticks, uint64_t seed)
{
	struct tr_random random;

	tr_random_open(&random, seed, "blur");
	for (size_t from = 0, end; from < sample->count; from = end) {
		const int64_t bin = (sample->ticks[from] - sample->begin_ticks) / bin_ticks;
		const int64_t start = sample->begin_ticks + bin * bin_ticks;

		for (end = from; end < sample->count && sample->ticks[end] - start < bin_ticks;
		     end++)
			;
		blur(sample, from, end, start, bin_ticks, &random);
	}
}
