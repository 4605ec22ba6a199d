// SPDX-License-Identifier: GPL-3.0-or-later
// From frames to the trace.
#include "flitcap.h"
#include "packet/nodefile.h"

#include "trace/ticks.h"

#include <stdlib.h>
#include <string.h>

// ---- setting up

static bool open_tables(struct cap *cap)
{
	const struct cap_options *o = cap->options;
	struct tr_source *source;
	struct tr_error err = {"out of memory"};
	bool done;

	cap->feed.nodes = pk_nodes_new((uint32_t)o->max_nodes);
	if (cap->feed.nodes)
		cap->feed.flows = pk_flows_new((uint32_t)o->max_flows, cap->feed.nodes);
	done = cap->feed.flows != NULL;
	if (done && o->nodes) {
		source = tool_open_source(cap->tool, o->nodes);
		if (!source)
			return false;
		done = pk_nodefile_read(source, cap->feed.nodes, &err) == TR_OK;
		tr_source_close(source);
	}
	if (!done)
		tool_error(cap->tool, "%s", err.text);
	return done;
}

static bool open_anonymizer(struct cap *cap)
{
	uint8_t secret[PK_SECRET_BYTES];
	struct tr_error err;

	if (!cap->options->anonymize)
		return true;
	if (pk_secret_of(cap->options->anonymize, secret, &err) != TR_OK) {
		tool_error(cap->tool, "--anonymize: %s", err.text);
		return false;
	}
	cap->anonymizer = pk_anonymizer_new(secret);
	explicit_bzero(secret, sizeof secret);
	if (!cap->anonymizer)
		tool_error(cap->tool, "out of memory");
	return cap->anonymizer != NULL;
}

static bool open_feed(struct cap *cap)
{
	const struct cap_options *o = cap->options;
	struct tr_error err;
	int64_t window_ns;

	if (tr_ticks_round(o->reorder_s, PK_TICKS_PER_S, &window_ns, &err) != TR_OK ||
	    window_ns < 0 || o->period_s.num < 0 || o->period_s.den != 1) {
		tool_error(cap->tool, "--reorder is a time from 0 to 292 years, -G a whole number of "
			   "seconds");
		return false;
	}
	cap->feed.threshold_bytes = o->threshold_bytes > UINT32_MAX ? UINT32_MAX
								    : (uint32_t)o->threshold_bytes;
	cap->feed.unsorted = o->unsorted;
	cap->feed.output.period_s = o->period_s.num;
	cap->feed.output.anonymizer = cap->anonymizer;
	cap->feed.output.hooks = (struct pk_stream_hooks){cap_open_stream, cap_close_stream, cap};
	if (pk_feed_open(&cap->feed, window_ns,
			 o->clamp ? PK_STRAGGLER_CLAMP : PK_STRAGGLER_REFUSE, &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

static bool open_dump(struct cap *cap)
{
	struct tr_error err;

	if (!cap->options->pcap ||
	    pk_dump_open(&cap->dump, cap->options->pcap, PK_FRAME_BYTES_MAX, &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

bool cap_open(struct cap *cap)
{
	return cap_read_filter(cap) && open_tables(cap) && open_anonymizer(cap) &&
	       open_feed(cap) && open_dump(cap);
}

// ---- running

static bool second_passed(struct cap *cap)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec - cap->released.tv_sec - (now.tv_nsec < cap->released.tv_nsec) < 1)
		return false;
	cap->released = now;
	return true;
}

static void fail(struct cap *cap, const struct tr_error *err)
{
	if (err->text[0]) // else it is the output, which tells when it is closed
		tool_error(cap->tool, "%s", err->text);
	cap->failed = true;
}

void cap_idle(void *context)
{
	struct cap *cap = context;
	struct tr_error err = {""};

	tool_progress(cap->tool, "%llu frames", (unsigned long long)cap->feed.counts.frames);
	if (!second_passed(cap))
		return;
	if (cap->waits && pk_feed_flush(&cap->feed, &err) != TR_OK)
		fail(cap, &err);
}

// Whether the filter lets the frame pass.
static bool passes(struct cap *cap, const struct pk_frame *frame, struct tr_error *err)
{
	bool pass = true;

	if (cap->filter && pk_filter_match(cap->filter, frame, &pass, err) != TR_OK) {
		fail(cap, err);
		return false;
	}
	cap->feed.counts.rejected += !pass;
	return pass;
}

static bool keep_frame(struct cap *cap, const struct pk_frame *frame, struct tr_error *err)
{
	return (!cap->dump || pk_dump_frame(cap->dump, frame, err) == TR_OK) &&
	       pk_feed_frame(&cap->feed, frame, err) == TR_OK;
}

// Takes one frame; false where no more is wanted.
static bool take_frame(struct cap *cap)
{
	struct tr_error err = {""};
	struct pk_frame frame;
	const enum tr_status status = cap->from.next(cap->from.state, &frame, &err);

	if (status == TR_END)
		return false;
	if (status == TR_ERROR) {
		tool_input_damaged(cap->tool, err.text);
		return tool_ok(cap->tool);
	}
	if (passes(cap, &frame, &err) && !keep_frame(cap, &frame, &err))
		fail(cap, &err);
	return !cap->failed;
}

void cap_run(struct cap *cap)
{
	const uint64_t count = cap->options->count ? cap->options->count : UINT64_MAX;
	struct tr_error err = {""};

	(void)second_passed(cap);
	while (cap->feed.counts.frames < count && take_frame(cap))
		;
	if (cap->failed || !tool_ok(cap->tool))
		return;
	if (pk_feed_finish(&cap->feed, &err) != TR_OK)
		fail(cap, &err);
	else if (pk_output_finish(&cap->feed.output) == TR_OK)
		cap_summary(cap);
}

void cap_close(struct cap *cap)
{
	struct tr_error err;

	if (pk_dump_close(cap->dump, &err) != TR_OK)
		tool_error(cap->tool, "%s", err.text);
	if (cap->from.close && cap->from.state)
		cap->from.close(cap->from.state);
	pk_feed_close(&cap->feed);
	pk_flows_free(cap->feed.flows);
	pk_nodes_free(cap->feed.nodes);
	pk_anonymizer_free(cap->anonymizer);
	pk_filter_close(cap->filter);
	free(cap->filter_text);
}
