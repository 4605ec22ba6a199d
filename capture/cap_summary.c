// SPDX-License-Identifier: GPL-3.0-or-later
// What was counted, in words on standard error.
#include "flitcap.h"
#include "packet/why.h"
#include "trace/ticks.h"
#include "trace/words.h"

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

	if (strncmp(key, prefix, sizeof(prefix) - 1) == 0)
		(void)fprintf(stderr, "%s%s %llu", (*printed)++ ? ", " : ": ", key + sizeof(prefix) - 1,
			      (unsigned long long)value);
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

// Begins or goes on with a list of what is more than one frame in a hundred.
static void print_share(const struct cap *cap, const char *list, const char *name, uint64_t frames, unsigned *printed)
{
	if (frames <= cap->total.frames / 100)
		return;
	(void)fprintf(stderr, "%s%s %.1f %%", *printed ? ", " : list, name, 100 * (double)frames / (double)cap->total.frames);
	++*printed;
}

// What is much of the capture and no part of the trace, or only in part, by name.
static void print_notable(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	unsigned whys = 0, protocols = 0;
	char key[PK_WHY_KEY_BYTES];

	for (uint32_t i = 0; i < counts->why_count; i++) {
		const char *name = pk_why_name(counts->whys[i].why);

		print_share(cap, "flitcap: of all frames not decoded: ", name ? name : pk_why_key(counts->whys[i].why, key),
			    counts->whys[i].frames, &whys);
	}
	if (whys)
		(void)fputc('\n', stderr);
	for (uint32_t i = 0; i < counts->opaque_count; i++)
		print_share(cap, "flitcap: of all frames decoded no further than IP: ",
			    tr_protocol_format(counts->opaque[i].protocol, key, sizeof(key)), counts->opaque[i].packets,
			    &protocols);
	if (protocols)
		(void)fputc('\n', stderr);
}

static void print_order(const struct pk_order *order)
{
	char step[TEXT_BYTES];

	if (order->late)
		(void)fprintf(stderr, "flitcap: %llu out of order by up to %s s%s\n", (unsigned long long)order->late,
			      seconds(order->step_max_ns, step), order->straggler == PK_STRAGGLER_KEEP ? "" : ", put in order");
	if (order->clamped)
		(void)fprintf(stderr,
			      "flitcap: of these %llu too late, which got the time of the "
			      "packet before them\n",
			      (unsigned long long)order->clamped);
}

struct links {
	uint64_t frames;
	char keys[3 * PK_WHY_KEY_BYTES]; // the first of them
};

// One reason; context sums up those that are link types.
static enum tr_status add_link(void *context, const char *key, uint64_t value)
{
	static const char prefix[] = "undecoded.link_";
	struct links *links = context;
	const size_t used = strlen(links->keys);

	if (strncmp(key, prefix, sizeof(prefix) - 1) != 0)
		return TR_OK;
	links->frames += value;
	(void)snprintf(links->keys + used, sizeof(links->keys) - used, "%s%s", used ? ", " : "", key + sizeof(prefix) - 1);
	return TR_OK;
}

void cap_end_undecoded(struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;
	struct links links = {.frames = 0};

	if (!counts->frames || counts->undecoded < counts->frames)
		return;
	(void)pk_counts_each(counts, add_link, &links);
	if (links.frames)
		tool_error(cap->tool, "%s%snone of the %llu frames could be decoded: link type %s",
			   cap->from.name ? cap->from.name : "", cap->from.name ? ": " : "", (unsigned long long)counts->frames,
			   links.keys);
}

void cap_summary(const struct cap *cap)
{
	const struct pk_counts *counts = &cap->total;

	if (tool_quiet(cap->tool))
		return;
	(void)fprintf(stderr, "flitcap: %llu frames, %llu bytes on the wire\n", (unsigned long long)counts->frames,
		      (unsigned long long)counts->wire_bytes);
	print_times(counts);
	if (counts->rejected)
		(void)fprintf(stderr, "flitcap: %llu rejected by the filter\n", (unsigned long long)counts->rejected);
	if (counts->untimed)
		(void)fprintf(stderr, "flitcap: %llu without a time\n", (unsigned long long)counts->untimed);
	print_undecoded(counts);
	print_notable(cap);
	print_order(&cap->feed.order);
	if (counts->flow_other)
		(void)fprintf(stderr,
			      "flitcap: %llu packets without a flow, beyond the bounds of the "
			      "tables\n",
			      (unsigned long long)counts->flow_other);
	if (cap->lost)
		(void)fprintf(stderr, "flitcap: %llu lost by the capture\n", (unsigned long long)cap->lost);
}
