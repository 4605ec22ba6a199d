// SPDX-License-Identifier: GPL-3.0-or-later
// The streams that are written, and what is said at their end.
#include "flitcap.h"

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
