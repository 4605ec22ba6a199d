// SPDX-License-Identifier: GPL-3.0-or-later
// The streams that are written, and what is said at their end.
#include "flitcap.h"

#include <stdio.h>
#include <string.h>

struct tr_writer *cap_open_stream(void *context, const struct tr_header *header, int64_t period_s)
{
	struct cap *cap = context;
	const struct tr_writer_options options = {
		.compress = cap->options->compress,
		.flush_each = cap->options->flush_each,
	};

	(void)period_s;
	return tool_output(cap->tool, cap->options->write, header, &options);
}

static enum tr_status put_counter(void *context, const char *key, uint64_t value)
{
	return tr_put_counter(context, key, value);
}

static void put_counters(struct cap *cap, struct tr_writer *writer)
{
	const struct pk_order *order = &cap->feed.order;

	// What fails here stays in the writer, and is told when it is closed.
	(void)pk_counts_each(&cap->feed.counts, put_counter, writer);
	if (order->late) {
		(void)tr_put_counter(writer, "late", order->late);
		(void)tr_put_counter(writer, "late_max_ns", (uint64_t)order->step_max_ns);
	}
	if (order->clamped)
		(void)tr_put_counter(writer, "late_clamped", order->clamped);
}

void cap_close_stream(void *context, struct tr_writer *writer)
{
	struct cap *cap = context;
	uint64_t lost;

	put_counters(cap, writer);
	if (cap->from.lost(cap->from.state, &lost)) {
		tool_set_lost(cap->tool, lost - cap->lost);
		cap->lost = lost;
	}
	tool_end_output(cap->tool);
}

static enum tr_status print_undecoded(void *context, const char *key, uint64_t value)
{
	static const char prefix[] = "undecoded.";

	(void)context;
	if (strncmp(key, prefix, sizeof prefix - 1) == 0)
		(void)fprintf(stderr, "flitcap: not decoded: %s %llu\n", key + sizeof prefix - 1,
			      (unsigned long long)value);
	return TR_OK;
}

void cap_summary(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->feed.counts;
	const struct pk_order *order = &cap->feed.order;

	if (tool_quiet(cap->tool))
		return;
	(void)fprintf(stderr, "flitcap: %llu frames, %llu bytes on the wire\n",
		      (unsigned long long)counts->frames,
		      (unsigned long long)counts->wire_bytes);
	(void)pk_counts_each(counts, print_undecoded, NULL);
	if (order->late)
		(void)fprintf(stderr, "flitcap: %llu out of order, by up to %lld ns\n",
			      (unsigned long long)order->late, (long long)order->step_max_ns);
}
