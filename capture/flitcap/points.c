// SPDX-License-Identifier: GPL-3.0-or-later
// Captures of several points (--join), read twice: for their clocks, then joined.
#include "flitcap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "packet/capture.h"
#include "packet/decode.h"
#include "packet/identity.h"
#include "points/clocks.h"
#include "points/join.h"
#include "value/number.h"
#include "value/ticks.h"

#define COUNTED_MAX 128u // points whose errors are counters of the trace
#define LISTED_MAX 16u	 // points and pairs in the summary

struct cap_points {
	struct cap *cap;
	char **names; // of the points
	size_t count;
	uint32_t *point_of;	   // of each input
	uint64_t *next;		   // by input: number of its next frame at its point
	uint64_t *frames;	   // by point: seen in the first reading
	struct pt_cursor *cursors; // by input
	struct pt_clocks *clocks;
	struct pt_join *join;
};

// ---- names

const char *cap_point_path(const struct cap *cap, const char *word)
{
	const char *equals = cap->options->joins ? strchr(word, '=') : NULL;
	struct stat info;

	return equals && stat(word, &info) != 0 ? equals + 1 : word;
}

// The name before the path, or the file's without its folder and what follows the first period. The
// caller frees it.
static char *name_of(const char *word, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const size_t bytes = strcspn(base, ".");

	if (path != word)
		return strndup(word, (size_t)(path - word) - 1);
	return strndup(base, bytes ? bytes : strlen(base));
}

// The point of an input: a new one, or one named so before. Only files named NAME=FILE may share
// it.
static bool points_add_input(struct cap_points *points, size_t input, const char *word)
{
	const char *path = cap_point_path(points->cap, word);
	char *name = name_of(word, path);
	size_t point = 0;

	if (!name) {
		tool_no_memory(points->cap->tool, "the names of points");
		return false;
	}
	while (point < points->count && strcmp(points->names[point], name) != 0)
		point++;
	points->point_of[input] = (uint32_t)point;
	if (point == points->count) {
		points->names[points->count++] = name;
		return true;
	}
	free(name);
	if (path == word)
		tool_error(points->cap->tool,
			   "%s: there is a point called %s already (name it: NAME=FILE)", path,
			   points->names[point]);
	return path != word;
}

// Names the points, and leaves the paths in words.
static bool points_take_names(struct cap_points *points, struct opt_list *paths)
{
	points->names = calloc(paths->count + 1, sizeof(*points->names));
	points->point_of = calloc(paths->count + 1, sizeof(*points->point_of));
	points->next = calloc(paths->count + 1, sizeof(*points->next));
	points->frames = calloc(paths->count + 1, sizeof(*points->frames));
	points->cursors = calloc(paths->count + 1, sizeof(*points->cursors));
	if (!points->names || !points->point_of || !points->next || !points->frames ||
	    !points->cursors) {
		tool_no_memory(points->cap->tool, "the names of points");
		return false;
	}
	for (size_t i = 0; i < paths->count; i++) {
		if (!points_add_input(points, i, paths->words[i]))
			return false;
		paths->words[i] = cap_point_path(points->cap, paths->words[i]);
		if (!tool_reads(points->cap->tool, paths->words[i]))
			return false;
	}
	if (points->count >= 2 && points->count <= PT_POINTS_MAX)
		return true;
	tool_error(points->cap->tool, "--join: expected captures of 2 to %u points, found %zu",
		   PT_POINTS_MAX, points->count);
	return false;
}

// ---- the first reading

static bool is_timed(const struct pk_frame *frame)
{
	return pk_frame_is_timed(frame) && frame->time_ns >= 0 && frame->time_ns < PT_TIME_END_NS;
}

static void points_look_at(struct cap_points *points, uint32_t point, const struct pk_frame *frame)
{
	struct pt_sighting sighting = {
		.time_ns = frame->time_ns, .point = point, .number = points->frames[point]++};
	struct pk_packet packet;
	struct pk_ids ids;

	if (!is_timed(frame) ||
	    pk_decode(frame, points->cap->options->outer, &packet) != PK_DECODED)
		return;
	ids = pk_flows_find(points->cap->feed.flows, &packet.flow);
	sighting.identity = pk_identity(&packet);
	sighting.src = ids.src;
	sighting.dst = ids.dst;
	sighting.wire_bytes = packet.wire_bytes;
	pt_clocks_add(points->clocks, &sighting);
}

// Of a damaged file what precedes the damage, if that is wanted; the second reading tells of it.
static bool look_through(struct cap_points *points, size_t input, const char *path)
{
	struct tool *tool = points->cap->tool;
	struct pk_frame frames[PK_FRAMES_MAX];
	struct pk_capture *capture;
	struct tr_source *source;
	enum tr_status status;
	struct tr_error err;
	struct stat info;
	size_t count;

	if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode))) {
		tool_error(tool, "%s: --join reads each capture twice: expected a regular file",
			   path);
		return false;
	}
	if (tr_source_open_raw(&source, path, &err) != TR_OK ||
	    pk_capture_open(&capture, source, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return false;
	}
	tool_stage(tool, "clocks: %s", path);
	points->next[input] = points->frames[points->point_of[input]];
	pt_clocks_next_file(points->clocks, points->point_of[input]);
	while ((status = pk_capture_read(capture, frames, PK_FRAMES_MAX, &count, &err)) == TR_OK)
		for (size_t i = 0; i < count; i++)
			points_look_at(points, points->point_of[input], &frames[i]);
	pk_capture_close(capture);
	if (status == TR_ERROR && !tool_keep_going(tool))
		tool_error(tool, "%s", err.text);
	return status != TR_ERROR || tool_keep_going(tool);
}

// ---- the second reading

static void stamp(void *context, struct pk_frame *frame)
{
	const struct cap_points *points = context;

	const uint32_t point = points->point_of[frame->input];
	const uint64_t number = points->next[frame->input]++;

	if (is_timed(frame))
		frame->time_ns = pt_clocks_correct(points->clocks, point,
						   pt_steps_follow(pt_clocks_steps(points->clocks),
								   point, number, frame->time_ns,
								   &points->cursors[frame->input]));
	else if (pk_frame_is_timed(frame))
		frame->time_state = PK_TIME_OUTSIDE;
}

static enum tr_status points_give(void *context, struct tr_delivery *delivery, struct tr_error *err)
{
	const struct cap_points *points = context;

	err->text[0] = '\0';
	return pk_output_delivery(&points->cap->feed.output, delivery, err);
}

static enum tr_status take_frame(struct cap_points *points, const struct pk_frame *frame,
				 struct tr_error *err)
{
	struct pk_feed *feed = &points->cap->feed;
	struct tr_packet record;
	struct pk_packet packet;
	uint32_t why;

	feed->frames++;
	pk_counts_add(&feed->counts, frame);
	why = is_timed(frame) ? pk_decode(frame, feed->outer, &packet) : pk_why(PK_TIME, 0);
	pk_counts_length(&feed->counts, frame, why == PK_DECODED ? &packet : NULL);
	if (feed->seen)
		feed->seen(feed->seen_context, frame, &packet, why,
			   why == PK_DECODED ? packet.flags : 0);
	if (why != PK_DECODED) {
		pk_counts_undecoded(&feed->counts, why);
		return TR_OK;
	}
	pk_counts_opaque(&feed->counts, packet.flow.protocol);
	pk_feed_record(feed, frame, &packet, &record);
	if (pk_nodes_failed(feed->nodes) || pk_flows_failed(feed->flows))
		return tr_no_memory(err, "the names of nodes or flows");
	return pt_join_add(points->join, points->point_of[frame->input], &packet, &record, err);
}

enum tr_status cap_points_take(struct cap *cap, const struct pk_frame *frames, size_t count,
			       struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = take_frame(cap->points, &frames[i], err);
	return status;
}

enum tr_status cap_points_finish(struct cap *cap, struct tr_error *err)
{
	return pt_join_finish(cap->points->join, err);
}

void cap_points_stamp(struct cap *cap, struct pk_merge *merge)
{
	pk_merge_set_stamp(merge, stamp, cap->points);
}

static bool open_join(struct cap_points *points)
{
	struct cap *cap = points->cap;
	const size_t waiting = cap_part(cap, CAP_PARTS_ON_THE_WAY) / PT_WAITING_BYTES;
	struct tr_error err;
	int64_t longest_ns;

	if (tr_ticks_round(cap->options->longest_s, PK_TICKS_PER_S, &longest_ns, &err) != TR_OK ||
	    longest_ns < 1 || longest_ns > 3600 * (int64_t)PK_TICKS_PER_S) {
		tool_error(cap->tool, "--longest-delay: expected a time from 1 ns to 1 h");
		return false;
	}
	if (cap->options->nodes_by == PK_NODES_BY_MAC) {
		tool_error(cap->tool, "--join needs nodes by address or port: Ethernet addresses "
				      "change on the way");
		return false;
	}
	cap->feed.output.kind = TR_DELIVERY;
	cap->feed.output.ahead_ns = longest_ns;
	points->join = pt_join_new(points->clocks, points->count, longest_ns,
				   waiting < PT_WAITING_MAX ? waiting : PT_WAITING_MAX, points_give,
				   points);
	if (!points->join)
		tool_no_memory(cap->tool, "the packets of the points");
	return points->join;
}

bool cap_open_points(struct cap *cap, struct opt_list *paths)
{
	const size_t samples = cap_part(cap, CAP_PARTS_CLOCKS) / PT_SAMPLE_BYTES;
	struct cap_points *points = calloc(1, sizeof(*points));
	struct tr_error err;

	if (!points) {
		tool_no_memory(cap->tool, "the points");
		return false;
	}
	cap->points = points;
	points->cap = cap;
	if (!points_take_names(points, paths))
		return false;
	points->clocks = pt_clocks_new(points->count,
				       samples < PT_SAMPLES_MAX ? samples : PT_SAMPLES_MAX);
	if (!points->clocks) {
		tool_no_memory(cap->tool, "the clocks of the points");
		return false;
	}
	for (size_t i = 0; i < paths->count; i++)
		if (!look_through(points, i, paths->words[i]))
			return false;
	if (pt_clocks_settle(points->clocks, (const char *const *)points->names, &err) == TR_OK)
		return open_join(points);
	tool_error(cap->tool, "--join: %s", err.text);
	return false;
}

void cap_close_points(struct cap *cap)
{
	struct cap_points *points = cap->points;

	if (!points)
		return;
	for (size_t i = 0; i < points->count; i++)
		free(points->names[i]);
	free(points->names);
	free(points->point_of);
	free(points->next);
	free(points->frames);
	free(points->cursors);
	pt_join_free(points->join);
	pt_clocks_free(points->clocks);
	free(points);
	cap->points = NULL;
}

// ---- what was found

// All ways together.
static struct pt_way sum_ways(const struct cap_points *points)
{
	struct pt_way sum = {.sent = 0};

	for (uint32_t from = 0; from < points->count; from++)
		for (uint32_t to = 0; to < points->count; to++) {
			const struct pt_way *way = pt_join_way(points->join, from, to);

			sum.sent += way->sent;
			sum.delivered += way->delivered;
			sum.lost += way->lost;
			sum.undecided += way->undecided;
			sum.duplicates += way->duplicates;
			sum.unsent += way->unsent;
			sum.resent += way->resent;
			sum.early += way->early;
		}
	return sum;
}

void cap_points_counters(const struct cap *cap, struct tr_writer *writer)
{
	const struct cap_points *points = cap->points;
	const struct pt_beside beside = pt_join_beside(points->join);
	const struct pt_way sum = sum_ways(points);
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{"joined", sum.delivered},
		{"lost_on_the_way", sum.lost},
		{"fate_unknown", sum.undecided},
		{"duplicates", sum.duplicates},
		{"unseen_at_sender", sum.unsent},
		{"resent", sum.resent},
		{"received_before_sent", sum.early},
		{"at_no_point", beside.elsewhere},
		{"at_one_point", beside.within},
		{"on_the_way", beside.between},
		{"joined_early", beside.hurried},
		{"late_clamped", beside.late},
		{"clock_steps", pt_clocks_steps(points->clocks)->count},
	};
	char key[CAP_NAME_BYTES];

	// The writer remembers a failure, which its close reports.
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value)
			(void)tr_put_counter(writer, rows[i].key, rows[i].value);
	for (uint32_t i = 1; i < points->count && i < COUNTED_MAX; i++) {
		const struct pt_clock clock = pt_clocks_of(points->clocks, i);

		(void)snprintf(key, sizeof(key), "clock_%s_ns.%.200s",
			       clock.claimed ? "error" : "bound", points->names[i]);
		(void)tr_put_counter(writer, key,
				     (uint64_t)(clock.claimed ? clock.error_ns : clock.bound_ns) +
					     1);
	}
}

static void print_clock(const struct cap_points *points, uint32_t point)
{
	const struct pt_clock clock = pt_clocks_of(points->clocks, point);
	char offset[64];

	(void)fprintf(stderr, "flitcap: clock of %s: %s s from that of %s, drift %.4f ppm, ",
		      points->names[point],
		      tr_ticks_format(clock.offset_ns, PK_TICKS_PER_S, offset, sizeof(offset)),
		      points->names[0], clock.drift_ppm);
	if (clock.claimed)
		(void)fprintf(stderr, "within %s if the minimum delays are equal, ",
			      number_time(clock.error_ns * 1e-9, 3).text);
	(void)fprintf(stderr, "within %s in any case", number_time(clock.bound_ns * 1e-9, 3).text);
	if (clock.via)
		(void)fprintf(stderr, " (via %s)", points->names[clock.via]);
	if (clock.lines > 1)
		(void)fprintf(stderr, "; it %s: %zu pieces",
			      pt_clocks_steps(points->clocks)->count ? "stepped or changed its rate"
								     : "changed its rate",
			      clock.lines);
	(void)fputc('\n', stderr);
}

static void print_steps(const struct cap_points *points)
{
	const struct pt_steps *steps = pt_clocks_steps(points->clocks);
	char at[64], by[64], back[64];

	for (size_t i = 0; i < steps->count && i < LISTED_MAX; i++) {
		const struct pt_step *step = &steps->steps[i];

		(void)fprintf(stderr, "flitcap: clock of %s: stepped by %s s at %s s",
			      points->names[step->point],
			      tr_ticks_format(step->ahead_ns, PK_TICKS_PER_S, by, sizeof(by)),
			      tr_ticks_format(step->at_ns, PK_TICKS_PER_S, at, sizeof(at)));
		if (!step->certain)
			(void)fprintf(stderr, ", or that of %s by %s s", points->names[step->other],
				      tr_ticks_format(-step->ahead_ns, PK_TICKS_PER_S, back,
						      sizeof(back)));
		(void)fputc('\n', stderr);
	}
	if (steps->count > LISTED_MAX)
		(void)fprintf(stderr, "flitcap: and %zu more steps\n", steps->count - LISTED_MAX);
}

static void print_fates(const struct pt_way *way)
{
	(void)fprintf(
		stderr,
		": %llu sent (%llu again), %llu lost, %llu unknown; %llu duplicates, %llu unsent",
		(unsigned long long)way->sent, (unsigned long long)way->resent,
		(unsigned long long)way->lost, (unsigned long long)way->undecided,
		(unsigned long long)way->duplicates, (unsigned long long)way->unsent);
}

static void print_way(const struct cap_points *points, uint32_t from, uint32_t to,
		      const struct pt_way *way)
{
	(void)fprintf(stderr, "flitcap: %s to %s", points->names[from], points->names[to]);
	print_fates(way);
	if (way->delivered)
		(void)fprintf(
			stderr, "; delay %s, mean %s, to %s",
			number_time((double)way->delay_min_ns * 1e-9, 4).text,
			number_time((double)way->delay_sum_ns / (double)way->delivered * 1e-9, 4)
				.text,
			number_time((double)way->delay_max_ns * 1e-9, 4).text);
	(void)fputc('\n', stderr);
}

void cap_print_points(const struct cap *cap)
{
	const struct cap_points *points = cap->points;
	size_t listed = 0, ways = 0;
	struct pt_way sum;

	if (!points)
		return;
	sum = sum_ways(points);
	if (sum.lost + sum.unsent > sum.delivered)
		tool_warn(cap->tool, "more packets are lost or unsent than joined: an adapter may "
				     "cut or join segments, or the "
				     "captures keep different numbers of bytes (see flitcap(1))");
	for (uint32_t i = 1; i < points->count && i < LISTED_MAX; i++)
		print_clock(points, i);
	print_steps(points);
	for (uint32_t from = 0; from < points->count; from++)
		for (uint32_t to = 0; to < points->count; to++) {
			const struct pt_way *way = pt_join_way(points->join, from, to);

			if (!way->sent && !way->unsent)
				continue;
			ways++;
			if (listed < LISTED_MAX && ++listed)
				print_way(points, from, to, way);
		}
	if (ways > listed)
		(void)fprintf(stderr, "flitcap: and %zu more pairs (see flitreport(1))\n",
			      ways - listed);
	if (ways > 1) {
		(void)fprintf(stderr, "flitcap: all %zu pairs", ways);
		print_fates(&sum);
		(void)fputc('\n', stderr);
	}
}
