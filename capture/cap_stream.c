// SPDX-License-Identifier: GPL-3.0-or-later
// The streams that are written, and what is said at their end.
#include "flitcap.h"

#include <stdio.h>
#include <string.h>

// The pattern is the user's: strftime reads no more than it is given, whatever it says.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int format_time(const char *pattern, int64_t time_s, char *out, size_t out_bytes)
{
	const time_t time = time_s;
	struct tm parts;

	return gmtime_r(&time, &parts) ? (int)strftime(out, out_bytes, pattern, &parts) : 0;
}
#pragma GCC diagnostic pop

int cap_period_name(const char *pattern, uint64_t period, int64_t time_s, char *name, size_t name_bytes)
{
	const int bytes = strchr(pattern, '%') ? format_time(pattern, time_s, name, name_bytes)
					       : snprintf(name, name_bytes, "%s.%05llu", pattern, (unsigned long long)period);

	return bytes > 0 && (size_t)bytes < name_bytes ? bytes : 0;
}

// The name of the stream of a period: the pattern with the time of its begin (UTC), or a number
// after the name. false where it would be that of the period before, or is too long.
static bool name_period(struct cap *cap, int64_t period_s)
{
	char name[CAP_NAME_BYTES] = "";
	const int bytes = cap_period_name(cap->options->write, cap->periods, period_s, name, sizeof(name));

	cap->periods++;
	if (!bytes || strcmp(name, cap->name) == 0)
		return false;
	memcpy(cap->name, name, sizeof(name));
	return true;
}

struct tr_writer *cap_open_stream(void *context, const struct tr_header *header, int64_t period_s)
{
	struct cap *cap = context;
	const struct tr_writer_options options = {
		.file = cap->opened,
		.compress = cap->options->compress,
		.flush_each = cap->options->flush_each,
		.sync = true, // a capture cannot be made again
		.keep = cap->waits,
	};

	cap->opened = NULL;
	if (!cap->options->period_s.num)
		return tool_output(cap->tool, cap->print && !cap->options->write ? "/dev/null" : cap->options->write, header,
				   &options);
	if (name_period(cap, period_s))
		return tool_output(cap->tool, cap->name, header, &options);
	tool_error(cap->tool, "%s: the pattern gives two periods of -G the same name, or none", cap->options->write);
	return NULL;
}

static enum tr_status put_counter(void *context, const char *key, uint64_t value)
{
	return tr_put_counter(context, key, value);
}

// What is said here is of this stream: the counts are begun anew for the next.
static void put_counters(struct cap *cap, struct tr_writer *writer)
{
	const struct pk_order *order = &cap->feed.order;

	// What fails here stays in the writer, and is reported when it is closed.
	(void)pk_counts_each(&cap->feed.counts, put_counter, writer);
	if (order->late > cap->late) {
		(void)tr_put_counter(writer, "late", order->late - cap->late);
		(void)tr_put_counter(writer, "late_max_ns", (uint64_t)order->step_max_ns);
	}
	if (order->clamped > cap->clamped)
		(void)tr_put_counter(writer, "late_clamped", order->clamped - cap->clamped);
	if (cap->interface.downs)
		(void)tr_put_counter(writer, "interface_down", cap->interface.downs);
	if (cap->interface.state == PK_LIVE_GONE)
		(void)tr_put_counter(writer, "interface_gone", 1);
	cap->interface.downs = 0;
	cap->late = order->late;
	cap->clamped = order->clamped;
	pk_feed_next_counts(&cap->feed, &cap->total);
}

static void tell_lost(struct cap *cap)
{
	uint64_t lost;

	if (!cap->from.state || !cap->from.lost(cap->from.state, &lost))
		return;
	tool_set_lost(cap->tool, lost - cap->lost);
	cap->lost = lost;
}

void cap_close_frames(struct cap *cap)
{
	if (!cap->from.state)
		return;
	tell_lost(cap);
	cap->from.close(cap->from.state);
	cap->from.state = NULL;
}

void cap_close_stream(void *context, struct tr_writer *writer)
{
	struct cap *cap = context;

	put_counters(cap, writer);
	tell_lost(cap);
	tool_end_output(cap->tool);
}
