// SPDX-License-Identifier: GPL-3.0-or-later
// What was counted, in words on standard error.
#include "flitcap.h"
#include "trace/ticks.h"

#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 64u

static const char *seconds(int64_t time_ns, char text[TEXT_BYTES])
{
	return tr_ticks_format(time_ns, PK_TICKS_PER_S, text, TEXT_BYTES);
}

static void print_times(const struct pk_counts *counts)
{
	char first[TEXT_BYTES], last[TEXT_BYTES], span[TEXT_BYTES];
	int64_t span_ns;

	if (!counts->timed || __builtin_sub_overflow(counts->last_ns, counts->first_ns, &span_ns))
		return;
	(void)fprintf(stderr, "flitcap: from %s to %s s, %s s\n", seconds(counts->first_ns, first),
		      seconds(counts->last_ns, last), seconds(span_ns, span));
}

// One reason of those that pk_counts_each visits; context counts them.
static enum tr_status print_reason(void *context, const char *key, uint64_t value)
{
	static const char prefix[] = "undecoded.";
	unsigned *printed = context;

	if (strncmp(key, prefix, sizeof prefix - 1) == 0)
		(void)fprintf(stderr, "%s%s %llu", (*printed)++ ? ", " : ": ",
			      key + sizeof prefix - 1, (unsigned long long)value);
	return TR_OK;
}

static void print_undecoded(const struct pk_counts *counts)
{
	unsigned printed = 0;

	if (!counts->undecoded)
		return;
	(void)fprintf(stderr, "flitcap: %llu not decoded", (unsigned long long)counts->undecoded);
	(void)pk_counts_each(counts, print_reason, &printed);
	(void)fputc('\n', stderr);
}

static void print_order(const struct pk_order *order)
{
	char step[TEXT_BYTES];

	if (order->late)
		(void)fprintf(stderr, "flitcap: %llu out of order by up to %s s%s\n",
			      (unsigned long long)order->late, seconds(order->step_max_ns, step),
			      order->straggler == PK_STRAGGLER_KEEP ? "" : ", put in order");
	if (order->clamped)
		(void)fprintf(stderr, "flitcap: of these %llu too late, which got the time of the "
			      "packet before them\n", (unsigned long long)order->clamped);
}

void cap_summary(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;

	if (tool_quiet(cap->tool))
		return;
	(void)fprintf(stderr, "flitcap: %llu frames, %llu bytes on the wire\n",
		      (unsigned long long)counts->frames, (unsigned long long)counts->wire_bytes);
	print_times(counts);
	if (counts->rejected)
		(void)fprintf(stderr, "flitcap: %llu rejected by the filter\n",
			      (unsigned long long)counts->rejected);
	if (counts->untimed)
		(void)fprintf(stderr, "flitcap: %llu without a time\n",
			      (unsigned long long)counts->untimed);
	print_undecoded(counts);
	print_order(&cap->feed.order);
	if (counts->flow_other)
		(void)fprintf(stderr, "flitcap: %llu packets without a flow, beyond the bounds of the "
			      "tables\n", (unsigned long long)counts->flow_other);
	if (cap->lost)
		(void)fprintf(stderr, "flitcap: %llu lost by the capture\n",
			      (unsigned long long)cap->lost);
}
