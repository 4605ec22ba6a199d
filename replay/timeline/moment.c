// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_over_time.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define HEAD_ROWS 2u // the time, and headings
#define LINK_ROWS 6u // a heading and the busiest links
#define FOOT_ROWS 1u // the keys
#define BAR 6u
#define TIME_BAR 20u
#define LINE_COLUMN 23u
#define PROGRESS_COLUMN 30u
#define UNTIL_COLUMN (PROGRESS_COLUMN + BAR + 3)
#define SHARE_COLUMN 34u
#define TEXT_BYTES 48u

enum timeline_state timeline_state_at(const struct timeline *timeline, uint32_t track,
				      int64_t ticks, uint32_t *span)
{
	*span = timeline_step_after(timeline, track, ticks);
	if (*span == timeline->spans.first[track + 1])
		return TIMELINE_FINISHED;
	return timeline->spans.items[*span].begin_ticks <= ticks ? TIMELINE_BUSY : TIMELINE_WAITS;
}

// Times around ticks, found so far.
struct nearby {
	int64_t ticks;
	int64_t previous_ticks;
	int64_t next_ticks;
};

static void moment_look_at(struct nearby *nearby, int64_t ticks)
{
	if (ticks < 0)
		return; // not reached
	if (ticks > nearby->ticks &&
	    (nearby->next_ticks == nearby->ticks || ticks < nearby->next_ticks))
		nearby->next_ticks = ticks;
	if (ticks < nearby->ticks &&
	    (nearby->previous_ticks == nearby->ticks || ticks > nearby->previous_ticks))
		nearby->previous_ticks = ticks;
}

static void look_at_messages(struct nearby *nearby, const struct timeline_messages *list)
{
	for (size_t i = 0; i < list->count; i++) {
		moment_look_at(nearby, list->items[i].created_ticks);
		moment_look_at(nearby, list->items[i].begin_ticks);
		moment_look_at(nearby, list->items[i].head_ticks);
		moment_look_at(nearby, list->items[i].end_ticks);
	}
}

static struct nearby find_nearby(const struct timeline *timeline, int64_t ticks)
{
	struct nearby nearby = {ticks, ticks, ticks};

	for (size_t i = 0; i < timeline->spans.count; i++) {
		moment_look_at(&nearby, timeline->spans.items[i].begin_ticks);
		moment_look_at(&nearby, timeline->spans.items[i].end_ticks);
	}
	look_at_messages(&nearby, &timeline->messages);
	look_at_messages(&nearby, &timeline->packets);
	return nearby;
}

int64_t timeline_next_event(const struct timeline *timeline, int64_t ticks)
{
	return find_nearby(timeline, ticks).next_ticks;
}

int64_t timeline_previous_event(const struct timeline *timeline, int64_t ticks)
{
	return find_nearby(timeline, ticks).previous_ticks;
}

uint32_t timeline_view_tracks(const struct timeline_view *view)
{
	return view->rows - HEAD_ROWS - LINK_ROWS - FOOT_ROWS;
}

// A row of the screen that grows to the right.
struct moment_row {
	char *text;
	uint32_t columns; // of the screen
	uint32_t used;
};

static void moment_put(struct moment_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void moment_put(struct moment_row *row, const char *format, ...)
{
	char text[TIMELINE_COLUMNS_MAX + 1];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (const char *at = text; *at != '\0' && row->used < row->columns; at++)
		row->text[row->used++] = *at >= ' ' && *at <= '~' ? *at : '?';
	row->text[row->used] = '\0';
}

// Fills the row with blanks up to a column, or cuts it there.
static void moment_move_to(struct moment_row *row, uint32_t column)
{
	while (row->used < column && row->used < row->columns)
		row->text[row->used++] = ' ';
	if (row->used > column)
		row->used = column;
	row->text[row->used] = '\0';
}

// Tracks are to the left of this column, messages to the right.
static uint32_t moment_split(const struct moment_row *row)
{
	return row->columns * 5 / 8;
}

static void put_bar(struct moment_row *row, double share, uint32_t width)
{
	const double full = share < 0 ? 0 : share > 1 ? width : share * width;

	moment_put(row, "[");
	for (uint32_t i = 0; i < width; i++)
		moment_put(row, "%c", i + 0.5 <= full ? '#' : '.');
	moment_put(row, "]");
}

static double moment_share_of(int64_t from_ticks, int64_t to_ticks, int64_t ticks)
{
	return to_ticks > from_ticks
		       ? (double)(ticks - from_ticks) / (double)(to_ticks - from_ticks)
		       : 1;
}

static void write_time(const struct timeline *timeline, const struct timeline_view *view,
		       struct moment_row *row)
{
	char text[TEXT_BYTES];

	moment_put(row, "t = %s us", timeline_us(timeline, view->now_ticks, text, sizeof(text)));
	moment_put(row, " of %s us  step: ",
		   timeline_us(timeline, timeline->end_ticks, text, sizeof(text)));
	if (view->step_ticks > 0)
		moment_put(row, "%s us  ",
			   timeline_us_between(timeline, 0, view->step_ticks, text, sizeof(text)));
	else
		moment_put(row, "event  ");
	put_bar(row, moment_share_of(timeline->begin_ticks, timeline->end_ticks, view->now_ticks),
		TIME_BAR);
}

static bool is_under_way(const struct timeline_message *message, int64_t ticks)
{
	return message->created_ticks <= ticks && ticks < message->end_ticks;
}

static bool is_queued(const struct timeline_message *message, int64_t ticks)
{
	return is_under_way(message, ticks) &&
	       (message->begin_ticks < 0 || message->begin_ticks > ticks);
}

// The message of this number, from 0, among those under way; NULL if there are not so many. *count:
// those up to it.
static const struct timeline_message *find_under_way(const struct timeline_messages *list,
						     int64_t ticks, size_t number, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < list->count && list->items[i].created_ticks <= ticks; i++)
		if (is_under_way(&list->items[i], ticks) && (*count)++ == number)
			return &list->items[i];
	return NULL;
}

static void moment_write_headings(const struct timeline *timeline, const struct timeline_view *view,
				  struct moment_row *row)
{
	size_t count;

	(void)find_under_way(timeline_arrows(timeline), view->now_ticks, SIZE_MAX, &count);
	moment_put(row, "%s", timeline->program ? "rank" : "host");
	moment_move_to(row, TIMELINE_STATE_COLUMN);
	moment_put(row, "state%s", timeline->program ? "     line   " : "            ");
	moment_move_to(row, UNTIL_COLUMN);
	moment_put(row, "until us");
	moment_move_to(row, moment_split(row));
	moment_put(row, "| %zu %s%s under way", count, timeline->program ? "message" : "packet",
		   count == 1 ? "" : "s");
}

static void moment_write_track(const struct timeline *timeline, const struct timeline_view *view,
			       uint32_t track, struct moment_row *row)
{
	char text[TIMELINE_NAME_MAX];
	uint32_t number;
	const enum timeline_state state = timeline_state_at(timeline, track, view->now_ticks,
							    &number);
	const struct timeline_span *span = &timeline->spans.items[number];

	moment_put(row, "%s", timeline_track_name(timeline, track, text, sizeof(text)));
	moment_move_to(row, TIMELINE_STATE_COLUMN - 1);
	moment_put(row, " ");
	if (state == TIMELINE_FINISHED) {
		moment_put(row, "%s", timeline->program ? "finished" : "idle");
		return;
	}
	moment_put(row, "%s",
		   state == TIMELINE_BUSY ? timeline_does_name(span->does)
		   : timeline->program	  ? "waits"
					  : "idle");
	if (state == TIMELINE_BUSY && span->line > 0) {
		moment_move_to(row, LINE_COLUMN);
		moment_put(row, "%u%s", span->line, span->critical ? "*" : "");
	}
	if (state == TIMELINE_BUSY) {
		moment_move_to(row, PROGRESS_COLUMN);
		put_bar(row, moment_share_of(span->begin_ticks, span->end_ticks, view->now_ticks),
			BAR);
	}
	moment_move_to(row, UNTIL_COLUMN);
	moment_put(row, "%s",
		   timeline_us(timeline,
			       state == TIMELINE_BUSY ? span->end_ticks : span->begin_ticks, text,
			       sizeof(text)));
}

static void write_message(const struct timeline *timeline, const struct timeline_view *view,
			  size_t number, struct moment_row *row)
{
	const struct timeline_messages *list = timeline_arrows(timeline);
	char name[TIMELINE_NAME_MAX];
	size_t count;
	const struct timeline_message *message = find_under_way(list, view->now_ticks, number,
								&count);

	if (!message)
		return;
	moment_put(row, "%s>", timeline_place_name(timeline, message->from, name, sizeof(name)));
	moment_put(row, "%s", timeline_place_name(timeline, message->to, name, sizeof(name)));
	moment_put(row, " %" PRIu64 " B ", message->size_bytes);
	if (timeline->program)
		moment_put(row, "tag %" PRIu32 " ", message->tag);
	if (is_queued(message, view->now_ticks))
		moment_put(row, "queued");
	else
		put_bar(row,
			moment_share_of(message->begin_ticks, message->end_ticks, view->now_ticks),
			BAR);
}

// The link of this rank, from 0, among the busiest in a bin; TIMELINE_NONE if so many are not busy.
static uint32_t find_busiest(const struct timeline *timeline, uint32_t bin, uint32_t rank)
{
	uint32_t last = TIMELINE_NONE;

	for (uint32_t r = 0; r <= rank; r++) {
		const double limit = last == TIMELINE_NONE ? 2 : timeline_busy(timeline, last, bin);
		uint32_t best = TIMELINE_NONE;
		double most = 0;

		for (uint32_t link = 0; link < timeline->links.count; link++) {
			const double busy = timeline_busy(timeline, link, bin);

			if ((timeline->window.links && !timeline->window.links[link]) ||
			    busy <= most || busy > limit || (busy == limit && link <= last))
				continue;
			best = link;
			most = busy;
		}
		if (best == TIMELINE_NONE)
			return TIMELINE_NONE;
		last = best;
	}
	return last;
}

static void write_link(const struct timeline *timeline, const struct timeline_view *view,
		       uint32_t rank, struct moment_row *row)
{
	const struct timeline_links *links = &timeline->links;
	const int64_t since_ticks = view->now_ticks - links->start_ticks;
	char name[NET_LINK_NAME_MAX];
	uint32_t link;

	if (links->width_ticks == 0 || since_ticks < 0 ||
	    since_ticks / links->width_ticks >= links->bins)
		return;
	link = find_busiest(timeline, (uint32_t)(since_ticks / links->width_ticks), rank);
	if (link == TIMELINE_NONE)
		return;
	moment_put(row, "%s", net_link_name(timeline->topology, link, name, sizeof(name)));
	moment_move_to(row, SHARE_COLUMN);
	put_bar(row, timeline_busy(timeline, link, (uint32_t)(since_ticks / links->width_ticks)),
		TIME_BAR);
	moment_put(
		row, " %.1f %%",
		100 * timeline_busy(timeline, link, (uint32_t)(since_ticks / links->width_ticks)));
}

static void write_link_heading(const struct timeline *timeline, struct moment_row *row)
{
	char text[TEXT_BYTES];

	if (timeline->links.width_ticks == 0)
		moment_put(row, "no link was busy");
	else
		moment_put(row, "busiest links, in intervals of %s us",
			   timeline_us_between(timeline, 0, timeline->links.width_ticks, text,
					       sizeof(text)));
}

// A track, and a message.
static void write_middle(const struct timeline *timeline, const struct timeline_view *view,
			 uint32_t place, struct moment_row *row)
{
	if (view->top + place < timeline_tracks(timeline))
		moment_write_track(timeline, view, view->top + place, row);
	moment_move_to(row, moment_split(row));
	moment_put(row, "| ");
	write_message(timeline, view, place, row);
}

const char *timeline_view_row(const struct timeline *timeline, const struct timeline_view *view,
			      uint32_t number, char out[TIMELINE_COLUMNS_MAX + 1])
{
	const uint32_t tracks = timeline_view_tracks(view);
	struct moment_row row = {.text = out, .columns = view->columns};

	out[0] = '\0';
	if (row.columns > TIMELINE_COLUMNS_MAX)
		row.columns = TIMELINE_COLUMNS_MAX;
	if (number == 0)
		write_time(timeline, view, &row);
	else if (number == 1)
		moment_write_headings(timeline, view, &row);
	else if (number < HEAD_ROWS + tracks)
		write_middle(timeline, view, number - HEAD_ROWS, &row);
	else if (number == HEAD_ROWS + tracks)
		write_link_heading(timeline, &row);
	else if (number < HEAD_ROWS + tracks + LINK_ROWS)
		write_link(timeline, view, number - HEAD_ROWS - tracks - 1, &row);
	else
		moment_put(&row, "right left: step  + -: its size  e: by event  g: go to  up down: "
				 "scroll  q: quit");
	return out;
}
