// SPDX-License-Identifier: GPL-3.0-or-later
#include "link_samples.h"

#include <stdlib.h>
#include <string.h>

enum tr_status link_samples_open(struct link_samples *samples, struct tr_writer *out, uint32_t links, int64_t width_ticks,
				 struct tr_error *err)
{
	*samples = (struct link_samples){.out = out, .links = links, .width_ticks = width_ticks};
	samples->held = calloc((size_t)links + 1, sizeof(*samples->held));
	samples->now = calloc((size_t)links + 1, sizeof(*samples->now));
	return samples->held && samples->now ? TR_OK : tr_no_memory(err, "the samples of %u links", links);
}

static bool are_equal(const struct tr_link *a, const struct tr_link *b)
{
	return a->busy_ticks == b->busy_ticks && a->blocked_stop_ticks == b->blocked_stop_ticks &&
	       a->blocked_port_ticks == b->blocked_port_ticks && a->blocked_memory_ticks == b->blocked_memory_ticks &&
	       a->characters == b->characters && a->occupancy_area == b->occupancy_area &&
	       a->occupancy_peak == b->occupancy_peak;
}

// The sums of count intervals; false where one of them is beyond its type.
static bool multiply(struct tr_link *sum, int64_t count)
{
	int64_t end_ticks;

	return !__builtin_mul_overflow(sum->width_ticks, count, &sum->width_ticks) &&
	       !__builtin_add_overflow(sum->start_ticks, sum->width_ticks, &end_ticks) &&
	       !__builtin_mul_overflow(sum->busy_ticks, count, &sum->busy_ticks) &&
	       !__builtin_mul_overflow(sum->blocked_stop_ticks, count, &sum->blocked_stop_ticks) &&
	       !__builtin_mul_overflow(sum->blocked_port_ticks, count, &sum->blocked_port_ticks) &&
	       !__builtin_mul_overflow(sum->blocked_memory_ticks, count, &sum->blocked_memory_ticks) &&
	       !__builtin_mul_overflow(sum->characters, (uint64_t)count, &sum->characters) &&
	       !__builtin_mul_overflow(sum->occupancy_area, (uint64_t)count, &sum->occupancy_area);
}

static enum tr_status write_held(struct link_samples *samples, struct tr_error *err)
{
	if (samples->count == 0)
		return TR_OK;
	samples->written += samples->links;
	if (samples->written > LINK_SAMPLES_MAX)
		return tr_fail(err, "--links: more than %llu samples of links; a longer --interval makes fewer",
			       (unsigned long long)LINK_SAMPLES_MAX);
	for (uint32_t i = 0; i < samples->links; i++) {
		struct tr_link sum = samples->held[i];

		(void)multiply(&sum, samples->count);
		if (tr_put(samples->out, &sum) != TR_OK)
			return tr_fail(err, "%s", tr_writer_error(samples->out));
	}
	samples->count = 0;
	return TR_OK;
}

// Whether count more intervals like the one that came in can be joined to those that are held.
static bool continues(const struct link_samples *samples, int64_t count)
{
	for (uint32_t i = 0; i < samples->links; i++) {
		struct tr_link sum = samples->held[i];

		if (!are_equal(&sum, &samples->now[i]) || !multiply(&sum, samples->count + count))
			return false;
	}
	return samples->count > 0;
}

// The interval that came in is whole. A stream's first interval is written by itself: its width is
// the one that the others are multiples of.
static enum tr_status take_interval(struct link_samples *samples, struct tr_error *err)
{
	const int64_t count = samples->now[0].width_ticks / samples->width_ticks;
	const bool first = samples->written == 0 && samples->count == 0;
	struct tr_link *emptied;

	samples->filled = 0;
	if (continues(samples, count)) {
		samples->count += count;
		return TR_OK;
	}
	if (write_held(samples, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < samples->links; i++)
		samples->now[i].width_ticks = samples->width_ticks;
	emptied = samples->held;
	samples->held = samples->now;
	samples->now = emptied;
	samples->count = count;
	return first ? write_held(samples, err) : TR_OK;
}

enum tr_status link_samples_add(struct link_samples *samples, const struct tr_link *sample, struct tr_error *err)
{
	samples->now[samples->filled++] = *sample;
	return samples->filled == samples->links ? take_interval(samples, err) : TR_OK;
}

enum tr_status link_samples_end(struct link_samples *samples, struct tr_error *err)
{
	return write_held(samples, err);
}

void link_samples_close(struct link_samples *samples)
{
	free(samples->held);
	free(samples->now);
	*samples = (struct link_samples){0};
}
