// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/intervals/saturation.h"

#include "stat/intervals/interval.h"

#define PARTS 8u
#define LEVEL .98  // two-sided, so that one side is 99 %
#define GROWTH .01 // of the time of the arrivals

// Keeps every second mark.
static void thin_marks(struct event_marks *marks)
{
	marks->count /= 2;
	marks->width *= 2;
	for (uint32_t i = 0; i < marks->count; i++)
		marks->times_ticks[i] = marks->times_ticks[2 * i + 1];
}

static void add_event(struct event_marks *marks, int64_t time_ticks)
{
	if (marks->width == 0)
		marks->width = 1;
	marks->last_ticks = time_ticks;
	if (++marks->n % marks->width != 0)
		return;
	marks->times_ticks[marks->count++] = time_ticks;
	if (marks->count == SATURATION_MARKS)
		thin_marks(marks);
}

void saturation_arrive(struct saturation *saturation, int64_t time_ticks)
{
	add_event(&saturation->arrivals, time_ticks);
}

void saturation_depart(struct saturation *saturation, int64_t time_ticks)
{
	add_event(&saturation->departures, time_ticks);
}

// Makes the marks of both stand for the same numbers; returns how many both have.
static uint32_t align_marks(struct event_marks *in, struct event_marks *out)
{
	while (in->width < out->width)
		thin_marks(in);
	while (out->width < in->width)
		thin_marks(out);
	return out->count < in->count ? out->count : in->count;
}

// By how much W grows from one mark to another.
static int64_t growth_between(const struct event_marks *in, const struct event_marks *out,
			      uint32_t from, uint32_t to)
{
	return (out->times_ticks[to] - in->times_ticks[to]) -
	       (out->times_ticks[from] - in->times_ticks[from]);
}

// Where nearly all departures follow the last arrival: W may also be long because packets are long
// under way.
static enum saturation_answer find_in_all(const struct saturation *saturation)
{
	struct event_marks in = saturation->arrivals, out = saturation->departures;
	const uint32_t count = align_marks(&in, &out);
	const int64_t span_ticks = count > 0 ? in.times_ticks[count - 1] - in.times_ticks[0] : 0;

	if (out.n < SATURATION_LEAST || span_ticks <= 0)
		return SATURATION_UNKNOWN;
	return growth_between(&in, &out, 0, count - 1) > span_ticks ? SATURATION_YES
								    : SATURATION_UNKNOWN;
}

enum saturation_answer saturation_find(const struct saturation *saturation)
{
	struct event_marks in = saturation->arrivals, out = saturation->departures;
	struct moments growth = {0};
	uint32_t count, part;
	double arrived_ticks;

	if (in.n == 0 || out.n == 0)
		return SATURATION_UNKNOWN;
	while (out.count > 0 && out.times_ticks[out.count - 1] > in.last_ticks)
		out.count--;
	count = align_marks(&in, &out);
	part = count / 2 / PARTS;
	if (part == 0 || count * in.width < SATURATION_LEAST)
		return find_in_all(saturation);
	for (uint32_t i = count - 1 - PARTS * part; i < count - 1; i += part)
		moments_add(&growth, growth_between(&in, &out, i, i + part));
	arrived_ticks = (double)(in.times_ticks[count - 1] -
				 in.times_ticks[count - 1 - PARTS * part]);
	return mean_interval(&growth, LEVEL).lo > 0 && (double)growth.sum > GROWTH * arrived_ticks
		       ? SATURATION_YES
		       : SATURATION_NO;
}

const char *saturation_word(enum saturation_answer answer)
{
	static const char *const words[] = {
		[SATURATION_UNKNOWN] = "-", [SATURATION_NO] = "no", [SATURATION_YES] = "yes"};

	return words[answer];
}
