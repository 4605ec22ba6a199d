// SPDX-License-Identifier: GPL-3.0-or-later
// From frames to the trace: the streams written, and the messages at their end.
#include "flitcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packet/nodes.h"
#include "trace/outfile.h"
#include "trace/ticks.h"

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

// The counters are those of this stream: counts restart for the next.
static void put_counters(struct cap *cap, struct tr_writer *writer)
{
	const struct pk_order *order = &cap->feed.order;

	// The writer remembers a failure, which its close reports.
	(void)pk_counts_each(&cap->feed.counts, put_counter, writer);
	if (cap->feed.counts.copies)
		(void)tr_put_counter(writer, cap->options->dedup.count ? "copies_left_out" : "copies", cap->feed.counts.copies);
	if (order->late > cap->late) {
		(void)tr_put_counter(writer, "late", order->late - cap->late);
		(void)tr_put_counter(writer, "late_max_ns", (uint64_t)order->step_max_ns);
	}
	if (order->clamped > cap->clamped)
		(void)tr_put_counter(writer, "late_clamped", order->clamped - cap->clamped);
	if (order->steps > cap->steps)
		(void)tr_put_counter(writer, "late_steps", order->steps - cap->steps);
	if (cap->interface.downs)
		(void)tr_put_counter(writer, "interface_down", cap->interface.downs);
	if (cap->interface.state == PK_LIVE_GONE)
		(void)tr_put_counter(writer, "interface_gone", 1);
	if (cap->points)
		cap_points_counters(cap, writer);
	cap->interface.downs = 0;
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
	tell_lost(cap);
	cap->from.close(cap->from.state);
	cap->from.state = NULL;
}

bool cap_close_stream(void *context, struct tr_writer *writer)
{
	struct cap *cap = context;

	put_counters(cap, writer);
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
	tool_survived(cap->tool, "going on without the trace");
	return true;
}

// ---- setting up

static bool open_tables(struct cap *cap)
{
	const struct cap_options *o = cap->options;
	struct tr_source *source;
	struct tr_error err;
	bool done;

	cap->feed.nodes = pk_nodes_new((uint32_t)o->max_nodes, (enum pk_nodes_by)o->nodes_by);
	if (cap->feed.nodes)
		cap->feed.flows = pk_flows_new((uint32_t)o->max_flows, cap->feed.nodes);
	if (!cap->feed.flows) {
		tool_no_memory(cap->tool, "the names of nodes and flows");
		return false;
	}
	if (!o->nodes)
		return true;
	source = tool_open_source(cap->tool, o->nodes);
	if (!source)
		return false;
	done = pk_nodefile_read(source, cap->feed.nodes, &err) == TR_OK;
	tr_source_close(source);
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
	if (cap->options->anonymize[0] == '@' && !tool_reads(cap->tool, cap->options->anonymize + 1))
		return false;
	if (pk_secret_of(cap->options->anonymize, secret, &err) != TR_OK) {
		tool_error(cap->tool, "--anonymize: %s", err.text);
		return false;
	}
	cap->anonymizer = pk_anonymizer_new(secret);
	explicit_bzero(secret, sizeof(secret));
	if (!cap->anonymizer)
		tool_no_memory(cap->tool, "the anonymizer");
	return cap->anonymizer;
}

static enum pk_straggler straggler(const struct cap_options *o)
{
	return o->unsorted ? PK_STRAGGLER_KEEP : o->clamp ? PK_STRAGGLER_CLAMP : PK_STRAGGLER_REFUSE;
}

// Checks the window of --reorder and the period of -G; false after reporting an error.
static bool check_times(struct cap *cap, int64_t *window_ns)
{
	const struct cap_options *o = cap->options;
	const int64_t period_s = o->period_s.num;
	struct tr_error err;

	if (tr_ticks_round(o->reorder_s, PK_TICKS_PER_S, window_ns, &err) != TR_OK || *window_ns < 0)
		tool_error(cap->tool, "--reorder: expected a time from 0 to 292 years");
	else if (period_s < 0 || o->period_s.den != 1 || (period_s && period_s < *window_ns / PK_TICKS_PER_S + 1))
		tool_error(cap->tool, "-G: expected a whole number of seconds, at least the window of --reorder");
	else if (period_s && (!o->write || strcmp(o->write, "-") == 0))
		tool_error(cap->tool, "-G requires output files, -w NAME");
	else
		return cap_check_pattern(cap);
	return false;
}

static bool open_feed(struct cap *cap)
{
	const struct cap_options *o = cap->options;
	struct tr_error err;
	int64_t window_ns;

	if (!check_times(cap, &window_ns))
		return false;
	cap->feed.threshold_bytes = o->threshold_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)o->threshold_bytes;
	cap->feed.outer = o->outer;
	cap->feed.output.period_s = o->period_s.num;
	cap->feed.output.anonymizer = cap->anonymizer;
	cap->feed.output.hooks = (struct pk_stream_hooks){cap_open_stream, cap_close_stream, cap_stream_failed, cap};
	if (pk_feed_open(&cap->feed, window_ns, straggler(o), &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

// The search for packets seen twice, which is not needed where captures of several points are joined.
static bool open_copies(struct cap *cap)
{
	const struct opt_list *dedup = &cap->options->dedup;
	const char *text = dedup->count ? dedup->words[dedup->count - 1] : "";
	int64_t window_ns = PK_COPIES_WINDOW_NS;
	struct num_ratio window_s;
	struct tr_error err;

	if (cap->options->points)
		return true;
	if (dedup->count > 1 ||
	    (*text && (num_parse(text, NUM_TIME, &window_s, &err) != TR_OK ||
		       tr_ticks_round(window_s, PK_TICKS_PER_S, &window_ns, &err) != TR_OK || window_ns < 0))) {
		tool_error(cap->tool, "--dedup: expected one time from 0 to 292 years, such as 10ms");
		return false;
	}
	cap->feed.copies = pk_copies_new(window_ns, dedup->count);
	cap->feed.leave_out = dedup->count;
	if (!cap->feed.copies)
		tool_no_memory(cap->tool, "the search for copies");
	return cap->feed.copies;
}

enum tr_status cap_create_dump(struct cap *cap, bool in_place, struct tr_error *err)
{
	const struct tr_outfile_options options = {
		.files = tool_files(cap->tool),
		.in_place = in_place,
		.grows = cap->waits, // a cut capture is readable, and cannot be repeated
		.sync = true,
		.keep = cap->waits,
	};
	const char *path = cap->options->pcap;

	if (!path)
		return TR_OK;
	if (tr_out_name_check(path, TR_OUT_PCAP, err) != TR_OK ||
	    pk_dump_open(&cap->dump, path, PK_FRAME_BYTES_MAX, &options, err) != TR_OK)
		return TR_ERROR;
	tool_tell_exposed(cap->tool, path, pk_dump_is_exposed(cap->dump));
	return TR_OK;
}

bool cap_open_dump(struct cap *cap)
{
	struct tr_error err;

	if (cap_create_dump(cap, false, &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

bool cap_open(struct cap *cap)
{
	return cap_read_filter(cap) && open_tables(cap) && open_anonymizer(cap) && open_feed(cap) && open_copies(cap) &&
	       cap_open_messages(cap) && cap_open_print(cap);
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
	if (cap->feed.order.refused)
		tool_error(cap->tool, "%s%s%s (see --reorder, --clamp and --unsorted)", cap->from.name ? cap->from.name : "",
			   cap->from.name ? ": " : "", err->text);
	else if (err->text[0]) // else the output failed, and its close reports it
		tool_error(cap->tool, "%s", err->text);
	cap->failed = true;
}

static int64_t clock_now_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// A time from before which no frames come any more: they come some tenths of a second after their time. Where the clock was set
// ahead within the last second they still have its old time.
static int64_t second_ago_ns(struct cap *cap)
{
	const int64_t steady_ns = clock_now_ns(CLOCK_MONOTONIC);
	const int64_t before_ns = cap->clock_ns;

	cap->clock_ns = clock_now_ns(CLOCK_REALTIME) - steady_ns;
	return steady_ns - 1000000000 + (cap->clock_ns < before_ns ? cap->clock_ns : before_ns);
}

// Reports a step back of the clock of an interface.
static void tell_step(struct cap *cap)
{
	const struct pk_order *order = &cap->feed.order;
	char text[48];

	if (order->steps == cap->told_steps)
		return;
	cap->told_steps = order->steps;
	tool_warn(cap->tool, "the clock went back by %s s: frames get the time of the one before until it has caught up",
		  tr_ticks_format(order->step_ns, PK_TICKS_PER_S, text, sizeof(text)));
}

void cap_idle(void *context)
{
	struct cap *cap = context;
	struct tr_error err = {""};

	tool_progress_part(cap->tool, cap->from.part ? cap->from.part(cap->from.state) : -1, "%llu frames",
			   (unsigned long long)cap->feed.frames);
	if (!second_passed(cap))
		return;
	if (cap->print)
		(void)fflush(cap->print);
	if (cap->live) {
		pk_feed_pass(&cap->feed, second_ago_ns(cap));
		tell_step(cap);
	}
	if (cap->waits && pk_feed_flush(&cap->feed, &err) != TR_OK)
		fail(cap, &err);
}

// Moves the frames that pass the filter to the front, and counts the others.
static bool filter(struct cap *cap, struct pk_frame *frames, size_t *count, struct tr_error *err)
{
	size_t kept = 0;
	bool pass;

	for (size_t i = 0; i < *count; i++) {
		if (pk_filter_match(cap->filter, &frames[i], &pass, err) != TR_OK)
			return false;
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
			tool_survived(cap->tool, "going on without the capture file");
		return;
	}
}

// Takes some frames, at most max; false where no more are wanted.
static bool take_frames(struct cap *cap, size_t max)
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
		fail(cap, &err);
		return false;
	}
	if (cap->dump)
		dump(cap, frames, count);
	if ((cap->points ? cap_points_take(cap, frames, count, &err) : pk_feed_frames(&cap->feed, frames, count, &err)) !=
	    TR_OK)
		fail(cap, &err);
	return !cap->failed;
}

void cap_run(struct cap *cap)
{
	const uint64_t wanted = cap->options->count ? cap->options->count : UINT64_MAX;
	struct tr_error err = {""};
	uint64_t left;

	(void)second_passed(cap);
	(void)second_ago_ns(cap);
	do
		left = wanted - cap->feed.frames;
	while (left && take_frames(cap, left < PK_FRAMES_MAX ? (size_t)left : PK_FRAMES_MAX));
	if (cap->failed || !tool_ok(cap->tool))
		return;
	if ((cap->points ? cap_points_finish(cap, &err) : pk_feed_finish(&cap->feed, &err)) != TR_OK) {
		fail(cap, &err);
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
