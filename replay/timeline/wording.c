// SPDX-License-Identifier: GPL-3.0-or-later
// Names and times of a timeline as text.
#include "timeline/run_over_time.h"

#include <stdio.h>

#include "value/ticks.h"

#define US_PER_S UINT64_C(1000000)

const char *timeline_does_name(enum timeline_does does)
{
	static const char *const names[TIMELINE_DOES] = {"computes", "sends", "receives", "posts"};

	return names[does];
}

const char *timeline_place_name(const struct timeline *timeline, uint32_t place, char *out,
				size_t out_bytes)
{
	if (!timeline->program)
		return net_topology_name(timeline->topology, place, out, out_bytes);
	snprintf(out, out_bytes, "rank%u", place);
	return out;
}

const char *timeline_track_name(const struct timeline *timeline, uint32_t track, char *out,
				size_t out_bytes)
{
	const uint32_t part = track % timeline->tracks_per_place;
	char place[TIMELINE_NAME_MAX];

	timeline_place_name(timeline, track / timeline->tracks_per_place, place, sizeof(place));
	if (!timeline->program)
		snprintf(out, out_bytes, "%s %s", place, part == 0 ? "out" : "in");
	else if (timeline->tracks_per_place > 1)
		snprintf(out, out_bytes, "%s cpu%u", place, part);
	else
		snprintf(out, out_bytes, "%s", place);
	return out;
}

static int64_t parts(const struct timeline *timeline, int64_t ticks)
{
	return tr_mul_div_floor(ticks, timeline->parts_per_us * US_PER_S, timeline->ticks_per_s);
}

// Parts of a microsecond are to microseconds as ticks are to seconds.
const char *timeline_us(const struct timeline *timeline, int64_t ticks, char *out, size_t out_bytes)
{
	return tr_ticks_format(parts(timeline, ticks), timeline->parts_per_us, out, out_bytes);
}

const char *timeline_us_between(const struct timeline *timeline, int64_t from_ticks,
				int64_t to_ticks, char *out, size_t out_bytes)
{
	return tr_ticks_format(parts(timeline, to_ticks) - parts(timeline, from_ticks),
			       timeline->parts_per_us, out, out_bytes);
}
