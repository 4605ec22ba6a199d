// SPDX-License-Identifier: GPL-3.0-or-later
// Captures of several points (--join), read twice: for their clocks, then joined.
#include "points.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "packet/capture.h"
#include "packet/decode.h"
#include "packet/identity.h"
#include "packet/quick.h"
#include "points/clocks.h"
#include "points/join.h"
#include "value/ticks.h"

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

// A frame as it was decoded.
struct points_frame {
	struct pk_packet packet;
	struct pk_ids ids;
	uint64_t identity;
	uint32_t why; // PK_DECODED, or why there is no packet
};

static void points_decode(const struct cap_points *points, const struct pk_frame *frame,
			  struct points_frame *decoded)
{
	struct pk_flows *flows = points->cap->feed.flows;
	struct pk_packet *packet = &decoded->packet;
	struct pk_quick quick;

	decoded->why = PK_DECODED;
	if (!is_timed(frame)) {
		decoded->why = pk_why(PK_TIME, 0);
	} else if (frame->link->number == PK_LINK_ETHERNET && pk_quick_decode(frame, &quick)) {
		const struct pk_ipv4_key key = pk_ipv4_key_of(frame->data + PK_QUICK_IP);

		pk_quick_packet(frame, &quick, packet);
		decoded->ids = pk_flows_find_ipv4(flows, &key, pk_flows_expect_ipv4(flows, &key));
	} else {
		decoded->why = pk_decode(frame, points->cap->options->outer, packet);
		// It is of its link and arrives nowhere else.
		if (decoded->why == PK_DECODED && packet->flow.protocol == TR_PROTOCOL_PAUSE)
			decoded->why = pk_why(PK_CONTROL, packet->opcode ? 0x0101 : 0x0001);
		if (decoded->why == PK_DECODED)
			decoded->ids = pk_flows_find(flows, &packet->flow);
	}
	if (decoded->why == PK_DECODED)
		decoded->identity = pk_identity(packet);
}

static void points_look_at(struct cap_points *points, uint32_t point, const struct pk_frame *frame)
{
	const uint64_t number = points->frames[point]++;
	struct points_frame decoded;

	points_decode(points, frame, &decoded);
	if (decoded.why == PK_DECODED)
		pt_clocks_add(points->clocks, &(struct pt_sighting){
						      .identity = decoded.identity,
						      .time_ns = frame->time_ns,
						      .src = decoded.ids.src,
						      .dst = decoded.ids.dst,
						      .wire_bytes = decoded.packet.wire_bytes,
						      .point = point,
						      .number = number,
					      });
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
				 const struct points_frame *decoded, struct tr_error *err)
{
	const struct pk_packet *packet = decoded->why == PK_DECODED ? &decoded->packet : NULL;
	struct pk_feed *feed = &points->cap->feed;
	struct tr_packet record;

	feed->frames++;
	pk_counts_add(&feed->counts, frame);
	pk_counts_length(&feed->counts, frame, packet);
	if (feed->seen)
		feed->seen(feed->seen_context, frame, packet, decoded->why,
			   packet ? packet->flags : 0);
	if (!packet) {
		pk_counts_undecoded(&feed->counts, decoded->why);
		return TR_OK;
	}
	pk_counts_opaque(&feed->counts, packet->flow.protocol);
	pk_feed_record(feed, frame, packet, decoded->ids, &record);
	if (pk_nodes_failed(feed->nodes) || pk_flows_failed(feed->flows))
		return tr_no_memory(err, "the names of nodes or flows");
	return pt_join_add(points->join, points->point_of[frame->input], packet, decoded->identity,
			   &record, err);
}

enum tr_status cap_points_take(struct cap *cap, const struct pk_frame *frames, size_t count,
			       struct tr_error *err)
{
	struct points_frame decoded[PK_FRAMES_MAX];
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < count; i++) {
		points_decode(cap->points, &frames[i], &decoded[i]);
		if (decoded[i].why == PK_DECODED)
			pt_join_expect(cap->points->join, decoded[i].identity);
	}
	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = take_frame(cap->points, &frames[i], &decoded[i], err);
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
