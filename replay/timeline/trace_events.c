// SPDX-License-Identifier: GPL-3.0-or-later
// Trace Event Format: objects with ph (their type), pid and tid (process and thread, here a group
// of tracks and a track), ts and dur (begin and length in microseconds) and args. "X" is a step;
// "s" and "f" are the ends of an arrow between steps; "b" and "e" those of something that may
// overlap others; "C" is a counter, "M" a name.
#include <inttypes.h>
#include <stdlib.h>

#include "net/routes/route_path.h"
#include "net/topology/graph.h"
#include "timeline/run_over_time.h"
#include "value/escape.h"

enum trace_events_group { GROUP_TRACKS = 1, GROUP_MESSAGES, GROUP_PACKETS, GROUP_LINKS };

struct trace_events {
	const struct timeline *timeline;
	FILE *out;
	bool any; // a comma is due
};

static void trace_events_begin(struct trace_events *events, const char *type,
			       enum trace_events_group group, uint32_t thread)
{
	fprintf(events->out, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%" PRIu32,
		events->any ? "," : "", type, (int)group, thread);
	events->any = true;
}

static void trace_events_put_time(const struct trace_events *events, const char *key, int64_t ticks)
{
	char text[48];

	fprintf(events->out, ",\"%s\":%s", key,
		timeline_us(events->timeline, ticks, text, sizeof(text)));
}

static void trace_events_put_name(struct trace_events *events, enum trace_events_group group,
				  uint32_t thread, const char *of, const char *name)
{
	trace_events_begin(events, "M", group, thread);
	fprintf(events->out, ",\"name\":\"%s\",\"args\":{\"name\":", of);
	json_write_text(events->out, name);
	fputs("}}", events->out);
}

static void put_order(struct trace_events *events, enum trace_events_group group, uint32_t thread,
		      const char *of, uint32_t order)
{
	trace_events_begin(events, "M", group, thread);
	fprintf(events->out, ",\"name\":\"%s\",\"args\":{\"sort_index\":%" PRIu32 "}}", of, order);
}

static void trace_events_put_names(struct trace_events *events)
{
	const struct timeline *timeline = events->timeline;
	const char *const names[] = {timeline->program ? "ranks" : "hosts", "messages", "packets",
				     "links"};
	char name[TIMELINE_NAME_MAX];

	for (enum trace_events_group group = GROUP_TRACKS; group <= GROUP_LINKS; group++) {
		trace_events_put_name(events, group, 0, "process_name",
				      names[group - GROUP_TRACKS]);
		put_order(events, group, 0, "process_sort_index", group);
	}
	for (uint32_t track = 0; track < timeline_tracks(timeline); track++) {
		trace_events_put_name(events, GROUP_TRACKS, track, "thread_name",
				      timeline_track_name(timeline, track, name, sizeof(name)));
		put_order(events, GROUP_TRACKS, track, "thread_sort_index", track);
	}
}

static void trace_events_put_step(struct trace_events *events, const struct timeline_span *span)
{
	char text[48];

	trace_events_begin(events, "X", GROUP_TRACKS, span->track);
	fprintf(events->out, ",\"name\":\"%s\"", timeline_does_name(span->does));
	trace_events_put_time(events, "ts", span->begin_ticks);
	fprintf(events->out, ",\"dur\":%s,\"args\":{",
		timeline_us_between(events->timeline, span->begin_ticks, span->end_ticks, text,
				    sizeof(text)));
	if (span->line > 0)
		fprintf(events->out, "\"line\":%" PRIu32 "%s", span->line,
			span->critical ? "," : "");
	fprintf(events->out, "%s}}", span->critical ? "\"critical\":true" : "");
}

// An end of the arrow of a message: at the begin of the step, which it is bound to.
static void put_arrow(struct trace_events *events, const char *type,
		      const struct timeline_message *message, const struct timeline_span *span)
{
	trace_events_begin(events, type, GROUP_TRACKS, span->track);
	fprintf(events->out, ",\"name\":\"%s\",\"cat\":\"arrow\",\"id\":%" PRIu64,
		events->timeline->program ? "message" : "packet", message->id);
	trace_events_put_time(events, "ts", span->begin_ticks);
	fputc('}', events->out);
}

// Ends of arrows by step: those of step i are at first[i] to first[i + 1] - 1 of messages.
struct ends {
	size_t *first;
	uint32_t *messages;
};

static bool trace_events_is_drawn(const struct timeline_message *message)
{
	return message->from_span != TIMELINE_NONE && message->to_span != TIMELINE_NONE;
}

// Returns false where memory runs out. Free it in any case.
static bool sort_ends(const struct timeline *timeline, bool from, struct ends *ends)
{
	const struct timeline_messages *list = timeline_arrows(timeline);

	*ends = (struct ends){calloc(timeline->spans.count + 2, sizeof(*ends->first)),
			      calloc(list->count + 1, sizeof(*ends->messages))};
	if (!ends->first || !ends->messages)
		return false;
	for (size_t i = 0; i < list->count; i++)
		if (trace_events_is_drawn(&list->items[i]))
			ends->first[(from ? list->items[i].from_span : list->items[i].to_span) +
				    2]++;
	for (size_t i = 2; i < timeline->spans.count + 2; i++)
		ends->first[i] += ends->first[i - 1];
	for (size_t i = 0; i < list->count; i++)
		if (trace_events_is_drawn(&list->items[i]))
			ends->messages[ends->first[(from ? list->items[i].from_span
							 : list->items[i].to_span) +
						   1]++] = (uint32_t)i;
	return true;
}

static void trace_events_free_ends(struct ends *ends)
{
	free(ends->first);
	free(ends->messages);
}

static void trace_events_put_ends(struct trace_events *events, const struct ends *ends, size_t span,
				  const char *type)
{
	const struct timeline *timeline = events->timeline;

	for (size_t i = ends->first[span]; i < ends->first[span + 1]; i++)
		put_arrow(events, type, &timeline_arrows(timeline)->items[ends->messages[i]],
			  &timeline->spans.items[span]);
}

// An arrow ends at the next step that begins, so its end stands before the step; it begins in the
// latest step, so behind it.
static enum tr_status put_steps(struct trace_events *events, struct tr_error *err)
{
	const struct timeline *timeline = events->timeline;
	struct ends from = {0};
	struct ends to = {0};
	const bool sorted = sort_ends(timeline, true, &from) && sort_ends(timeline, false, &to);

	for (size_t i = 0; sorted && i < timeline->spans.count; i++) {
		trace_events_put_ends(events, &to, i, "f");
		trace_events_put_step(events, &timeline->spans.items[i]);
		trace_events_put_ends(events, &from, i, "s");
	}
	trace_events_free_ends(&from);
	trace_events_free_ends(&to);
	return sorted ? TR_OK : tr_no_memory(err, "the arrows of the timeline");
}

// The begin or end of a message or packet.
static void begin_async(struct trace_events *events, const char *type,
			enum trace_events_group group, const struct timeline_message *message,
			int64_t ticks)
{
	char name[TIMELINE_NAME_MAX];

	trace_events_begin(events, type, group, message->from);
	fprintf(events->out, ",\"cat\":\"%s\",\"id\":\"%" PRIu64 "\",\"name\":",
		group == GROUP_PACKETS ? "packet" : "message", message->id);
	if (group == GROUP_PACKETS)
		net_topology_name(events->timeline->topology, message->from, name, sizeof(name));
	else
		timeline_place_name(events->timeline, message->from, name, sizeof(name));
	json_write_text(events->out, name);
	trace_events_put_time(events, "ts", ticks);
}

static void put_reached(const struct trace_events *events, const char *key, int64_t ticks)
{
	if (ticks >= 0)
		trace_events_put_time(events, key, ticks);
}

// The links of a packet's route; path has room for the longest.
static void put_route(const struct trace_events *events, const struct timeline_message *packet,
		      const struct net_graph *graph, struct net_path *path)
{
	const struct timeline *timeline = events->timeline;
	char name[NET_LINK_NAME_MAX];

	*path = (struct net_path){.links = path->links};
	if (packet->port_count == 0 ||
	    !net_path_follow(path, graph, packet->from, packet->to,
			     timeline->ports.items + packet->first_port, packet->port_count))
		return;
	fputs(",\"route\":[", events->out);
	for (uint32_t i = 0; i < path->count; i++) {
		fputs(i > 0 ? "," : "", events->out);
		json_write_text(events->out, net_link_name(timeline->topology, path->links[i], name,
							   sizeof(name)));
	}
	fputc(']', events->out);
}

static void trace_events_put_message(struct trace_events *events,
				     const struct timeline_message *message)
{
	begin_async(events, "b", GROUP_MESSAGES, message, message->begin_ticks);
	fprintf(events->out,
		",\"args\":{\"to\":\"rank%" PRIu32 "\",\"bytes\":%" PRIu64 ",\"tag\":%" PRIu32 "}}",
		message->to, message->size_bytes, message->tag);
	begin_async(events, "e", GROUP_MESSAGES, message, message->end_ticks);
	fputc('}', events->out);
}

static void trace_events_put_packet(struct trace_events *events,
				    const struct timeline_message *packet,
				    const struct net_graph *graph, struct net_path *path)
{
	char name[TIMELINE_NAME_MAX];

	begin_async(events, "b", GROUP_PACKETS, packet, packet->created_ticks);
	fputs(",\"args\":{\"to\":", events->out);
	json_write_text(events->out, net_topology_name(events->timeline->topology, packet->to, name,
						       sizeof(name)));
	fprintf(events->out, ",\"bytes\":%" PRIu64, packet->size_bytes);
	put_reached(events, "injected_us", packet->begin_ticks);
	put_reached(events, "head_us", packet->head_ticks);
	put_route(events, packet, graph, path);
	fprintf(events->out, "%s}}", packet->lost ? ",\"lost\":true" : "");
	begin_async(events, "e", GROUP_PACKETS, packet, packet->end_ticks);
	fputc('}', events->out);
}

static enum tr_status trace_events_put_packets(struct trace_events *events, struct tr_error *err)
{
	const struct timeline *timeline = events->timeline;
	struct net_graph graph = {0};
	struct net_path path = {.links = NULL};
	uint32_t longest = 0;
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < timeline->packets.count; i++)
		longest = timeline->packets.items[i].port_count > longest
				  ? timeline->packets.items[i].port_count
				  : longest;
	path.links = calloc((size_t)longest + 2, sizeof(*path.links));
	if (!path.links)
		status = tr_no_memory(err, "the routes of the timeline");
	else if (longest > 0)
		status = net_graph_open(&graph, timeline->topology, err);
	for (size_t i = 0; status == TR_OK && i < timeline->packets.count; i++)
		trace_events_put_packet(events, &timeline->packets.items[i], &graph, &path);
	net_graph_close(&graph);
	free(path.links);
	return status;
}

static void put_level(struct trace_events *events, const char *link, int64_t ticks, double busy)
{
	trace_events_begin(events, "C", GROUP_LINKS, 0);
	fputs(",\"name\":", events->out);
	json_write_text(events->out, link);
	trace_events_put_time(events, "ts", ticks);
	fputs(",\"args\":{\"busy_percent\":", events->out);
	json_write_real(events->out, 100 * busy);
	fputs("}}", events->out);
}

// A counter has an event where it changes, and one at its end.
static void trace_events_put_link(struct trace_events *events, uint32_t link)
{
	const struct timeline *timeline = events->timeline;
	const struct timeline_links *links = &timeline->links;
	char name[NET_LINK_NAME_MAX];
	double last = -1;

	net_link_name(timeline->topology, link, name, sizeof(name));
	for (uint32_t bin = 0; bin < links->bins; bin++) {
		const double busy = timeline_busy(timeline, link, bin);

		if (busy != last)
			put_level(events, name, links->start_ticks + links->width_ticks * bin,
				  busy);
		last = busy;
	}
	put_level(events, name, links->start_ticks + links->width_ticks * links->bins, 0);
}

enum tr_status timeline_trace_events(const struct timeline *timeline, const char *title,
				     const char *comments, FILE *out, struct tr_error *err)
{
	struct trace_events events = {.timeline = timeline, .out = out};
	enum tr_status status;

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":", out);
	json_write_text(out, title);
	fputs(",\"made_by\":", out);
	json_write_text(out, comments);
	fputs("},\"traceEvents\":[", out);
	trace_events_put_names(&events);
	status = put_steps(&events, err);
	for (size_t i = 0; i < timeline->messages.count; i++)
		trace_events_put_message(&events, &timeline->messages.items[i]);
	if (status == TR_OK)
		status = trace_events_put_packets(&events, err);
	for (uint32_t link = 0; link < timeline->links.count; link++)
		if (timeline_shows_link(timeline, link))
			trace_events_put_link(&events, link);
	fputs("\n]}\n", out);
	return status;
}
