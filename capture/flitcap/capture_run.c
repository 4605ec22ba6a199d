// SPDX-License-Identifier: GPL-3.0-or-later
// From frames to the trace: the streams written, and the messages at their end.
#include "flitcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/outfile.h"
#include "packet/nodes.h"
#include "value/ticks.h"

// Whether no one asked for the trace, but for the lines of --print or the messages.
static bool is_unwanted(const struct cap *cap)
{
	return !cap->options->write && (cap->print || (cap->messages && isatty(STDOUT_FILENO)));
}

// Whether there is an output besides the trace.
static bool has_others(const struct cap *cap)
{
	return cap->dump || cap->messages || cap->print;
}

struct tr_writer *cap_open_stream(void *context, const struct tr_header *header, int64_t period_s)
{
	struct cap *cap = context;
	const struct tr_writer_options options = {
		.file = cap->opened,
		.compress = cap->options->compress,
		.flush_each = cap->options->flush_each,
		.sync = true, // a capture cannot be repeated
		.keep = cap->waits,
		.another = cap->options->period_s.num != 0,
		.flows_rise = true,
	};
	const char *path = is_unwanted(cap) ? "/dev/null" : cap->options->write;
	char name[CAP_NAME_BYTES] = "";

	if (has_others(cap))
		tool_go_on(cap->tool);
	cap->opened = NULL;
	if (cap->options->period_s.num && !cap_name_period(cap, period_s, name))
		return NULL;
	return tool_output(cap->tool, *name ? name : path, header, &options);
}

static enum tr_status put_counter(void *context, const char *key, uint64_t value)
{
	return tr_put_counter(context, key, value);
}

// What was forgotten since the last stream to stay within the memory.
static void put_given_up(struct cap *cap, struct tr_writer *writer)
{
	const struct {
		const char *key;
		uint64_t *before, now;
	} rows[] = {
		{"flows_given_up", &cap->flows_given_up, pk_flows_given_up(cap->feed.flows)},
		{"put_in_order_early", &cap->hurried, cap->feed.order.hurried},
		{"copies_forgotten", &cap->forgotten,
		 cap->options->dedup.count ? pk_copies_forgotten(cap->feed.copies) : 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].now > *rows[i].before)
			(void)tr_put_counter(writer, rows[i].key, rows[i].now - *rows[i].before);
		*rows[i].before = rows[i].now;
	}
}

// The counters are those of this stream: counts restart for the next.
static void capture_run_put_counters(struct cap *cap, struct tr_writer *writer)
{
	const struct pk_order *order = &cap->feed.order;

	// The writer remembers a failure, which its close reports.
	(void)pk_counts_each(&cap->feed.counts, put_counter, writer);
	if (cap->feed.counts.copies)
		(void)tr_put_counter(writer,
				     cap->options->dedup.count ? "copies_left_out" : "copies",
				     cap->feed.counts.copies);
	if (order->late > cap->late) {
		(void)tr_put_counter(writer, "late", order->late - cap->late);
		(void)tr_put_counter(writer, "late_max_ns", (uint64_t)order->step_max_ns);
	}
	if (order->clamped > cap->clamped)
		(void)tr_put_counter(writer, "late_clamped", order->clamped - cap->clamped);
	if (order->steps > cap->steps)
		(void)tr_put_counter(writer, "late_steps", order->steps - cap->steps);
	put_given_up(cap, writer);
	if (cap_ring_late(cap) > cap->interface.put_late)
		(void)tr_put_counter(writer, "late_ring",
				     cap_ring_late(cap) - cap->interface.put_late);
	if (cap->interface.downs)
		(void)tr_put_counter(writer, "interface_down", cap->interface.downs);
	if (cap->interface.state == PK_LIVE_GONE)
		(void)tr_put_counter(writer, "interface_gone", 1);
	if (cap->points)
		cap_points_counters(cap, writer);
	cap->interface.downs = 0;
	cap->interface.put_late = cap_ring_late(cap);
	cap->late = order->late;
	cap->clamped = order->clamped;
	cap->steps = order->steps;
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
	if (cap->from.stop)
		cap->from.stop(cap->from.state);
	tell_lost(cap);
	cap_count_rings(cap);
	cap->from.close(cap->from.state);
	cap->from.state = NULL;
}

bool cap_close_stream(void *context, struct tr_writer *writer)
{
	struct cap *cap = context;

	capture_run_put_counters(cap, writer);
	tell_lost(cap);
	return tool_end_output(cap->tool);
}

bool cap_stream_failed(void *context, struct tr_writer *writer)
{
	struct cap *cap = context;

	if (!has_others(cap) || !tool_ok(cap->tool))
		return false;
	if (writer)
		(void)tool_end_output(cap->tool);
	tool_survived(cap->tool, "continuing without the trace");
	return true;
}

// ---- running

#define PASS_NS 1000000000
#define PASS_LIVE_NS 250000000 // of an interface, to a program that waits for it

static int64_t clock_now_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void capture_run_fail(struct cap *cap, const struct tr_error *err)
{
	if (cap->feed.order.refused)
		tool_error(cap->tool, "%s%s%s (see --reorder, --clamp and --unsorted)",
			   cap->from.name ? cap->from.name : "", cap->from.name ? ": " : "",
			   err->text);
	else if (err->text[0]) // else the output failed, and its close reports it
		tool_error(cap->tool, "%s", err->text);
	cap->failed = true;
}

// Whether it is time to pass on what is held.
static bool passes_on_now(struct cap *cap)
{
	const struct tr_writer *writer = cap->feed.output.writer;
	const int64_t now_ns = clock_now_ns(CLOCK_MONOTONIC);
	const bool waited_for = cap->live && writer && !tr_writer_is_file(writer);

	if (now_ns - cap->passed_ns < (waited_for ? PASS_LIVE_NS : PASS_NS))
		return false;
	cap->passed_ns = now_ns;
	return true;
}

// A time from before which no frames come any more: they come some tenths of a second after their
// time. Where the clock was set ahead within the last second they still have its old time.
static int64_t second_ago_ns(struct cap *cap)
{
	const int64_t steady_ns = clock_now_ns(CLOCK_MONOTONIC);
	const int64_t before_ns = cap->clock_ns;

	cap->clock_ns = clock_now_ns(CLOCK_REALTIME) - steady_ns;
	return steady_ns - 1000000000 + (cap->clock_ns < before_ns ? cap->clock_ns : before_ns);
}

// To a program that waits for them: the counters of the stream so far, which those at its end
// replace.
static void put_counters_so_far(struct cap *cap)
{
	struct tr_writer *writer = cap->feed.output.writer;
	uint64_t lost;

	if (!writer || tr_writer_is_file(writer))
		return;
	(void)pk_counts_each(&cap->feed.counts, put_counter, writer);
	if (cap->from.state && cap->from.lost(cap->from.state, &lost))
		(void)tr_put_counter(writer, "lost_so_far", lost);
}

// Reports a step back of the times of an interface: of its clock, or where a ring was late.
static void tell_step(struct cap *cap)
{
	const struct pk_order *order = &cap->feed.order;
	const uint64_t late = cap_ring_late(cap);
	char text[48];

	if (order->steps == cap->told_steps)
		return;
	cap->told_steps = order->steps;
	if (late > cap->interface.told_late) {
		cap->interface.told_late = late;
		tool_warn(cap->tool, "frames of a ring came after later ones of another: they get "
				     "the time of the previous one");
		return;
	}
	tool_warn(cap->tool,
		  "the clock went back by %s s: frames get the time of the previous one until it "
		  "has caught up",
		  tr_ticks_format(order->step_ns, PK_TICKS_PER_S, text, sizeof(text)));
}

void cap_idle(void *context)
{
	struct cap *cap = context;
	struct tr_error err = {""};

	tool_progress_part(cap->tool, cap->from.part ? cap->from.part(cap->from.state) : -1,
			   "%llu frames", (unsigned long long)cap->feed.frames);
	if (!passes_on_now(cap))
		return;
	if (cap->print)
		(void)fflush(cap->print);
	if (cap->live) {
		const int64_t ago_ns = second_ago_ns(cap);

		if (cap_interface_is_current(cap))
			pk_feed_pass(&cap->feed, ago_ns);
		tell_step(cap);
	}
	if (cap->live)
		put_counters_so_far(cap);
	if (cap->waits && pk_feed_flush(&cap->feed, &err) != TR_OK)
		capture_run_fail(cap, &err);
}

// Moves the frames that pass the filter to the front, and counts the others. What was lost before
// one of these was lost before the next.
static bool filter(struct cap *cap, struct pk_frame *frames, size_t *count, struct tr_error *err)
{
	size_t kept = 0;
	bool pass;

	for (size_t i = 0; i < *count; i++) {
		if (pk_filter_match(cap->filter, &frames[i], &pass, err) != TR_OK)
			return false;
		frames[i].after_loss |= cap->after_loss;
		cap->after_loss = frames[i].after_loss && !pass;
		if (pass)
			frames[kept++] = frames[i];
	}
	cap->feed.counts.rejected += *count - kept;
	*count = kept;
	return true;
}

static void close_dump(struct cap *cap, bool whole)
{
	struct pk_dump *dump = cap->dump;
	struct tr_error err;
	char *part;

	if (!dump)
		return;
	cap->dump = NULL;
	part = pk_dump_part(dump) ? strdup(pk_dump_part(dump)) : NULL;
	if (pk_dump_close(dump, whole, &err) != TR_OK)
		tool_survived(cap->tool, "%s", err.text);
	if (part && access(part, F_OK) == 0)
		tool_survived(cap->tool, "the frames written so far are %s", part);
	free(part);
}

static void dump(struct cap *cap, const struct pk_frame *frames, size_t count)
{
	struct tr_error err;

	for (size_t i = 0; i < count; i++) {
		if (pk_dump_frame(cap->dump, &frames[i], &err) == TR_OK)
			continue;
		tool_survived(cap->tool, "%s", err.text);
		close_dump(cap, false);
		cap->failed = cap->feed.output.ended && !has_others(cap);
		if (!cap->failed)
			tool_survived(cap->tool, "continuing without the capture file");
		return;
	}
}

// Takes some frames, at most max; false where no more are wanted.
static bool capture_run_take_frames(struct cap *cap, size_t max)
{
	struct pk_frame frames[PK_FRAMES_MAX];
	struct tr_error err = {""};
	size_t count;
	const enum tr_status status = cap->from.read(cap->from.state, frames, max, &count, &err);

	if (status == TR_END)
		return false;
	if (status == TR_ERROR) {
		tool_input_damaged(cap->tool, err.text);
		cap->damaged = true;
		return tool_ok(cap->tool);
	}
	if (cap->filter && !filter(cap, frames, &count, &err)) {
		capture_run_fail(cap, &err);
		return false;
	}
	if (cap->dump)
		dump(cap, frames, count);
	if ((cap->points ? cap_points_take(cap, frames, count, &err)
			 : pk_feed_frames(&cap->feed, frames, count, &err)) != TR_OK)
		capture_run_fail(cap, &err);
	return !cap->failed;
}

void cap_run(struct cap *cap)
{
	const uint64_t wanted = cap->options->count ? cap->options->count : UINT64_MAX;
	struct tr_error err = {""};
	uint64_t left;

	cap->passed_ns = clock_now_ns(CLOCK_MONOTONIC);
	(void)second_ago_ns(cap);
	do
		left = wanted - cap->feed.frames;
	while (left &&
	       capture_run_take_frames(cap, left < PK_FRAMES_MAX ? (size_t)left : PK_FRAMES_MAX));
	if (cap->failed || !tool_ok(cap->tool))
		return;
	if ((cap->points ? cap_points_finish(cap, &err) : pk_feed_finish(&cap->feed, &err)) !=
	    TR_OK) {
		capture_run_fail(cap, &err);
		return;
	}
	cap_watch_interface(cap);
	cap_close_frames(cap);
	if (!cap_write_messages(cap) || pk_output_finish(&cap->feed.output) != TR_OK)
		return;
	if (cap->feed.output.ended)
		pk_feed_next_counts(&cap->feed, &cap->total);
	cap_summary(cap);
}

void cap_close(struct cap *cap)
{
	close_dump(cap, !cap->failed && tool_ok(cap->tool));
	cap_end_interface(cap);
	cap_end_undecoded(cap);
	cap_close_frames(cap);
	(void)tr_outfile_close(cap->opened, false, NULL);
	cap_close_messages(cap);
	cap_close_points(cap);
	cap_close_periods(cap);
	pk_feed_close(&cap->feed);
	pk_copies_free(cap->feed.copies);
	pk_flows_free(cap->feed.flows);
	pk_nodes_free(cap->feed.nodes);
	pk_anonymizer_free(cap->anonymizer);
	pk_filter_close(cap->filter);
	free(cap->filter_text);
}
