// SPDX-License-Identifier: GPL-3.0-or-later
// What a run did over time: the steps of its tracks, the messages and packets between them, and how
// busy the links were. A track is a processor of a rank or, without a program, one direction of a
// host. Times in ticks of the simulation.
#ifndef REPLAY_TIMELINE_RUN_OVER_TIME_H
#define REPLAY_TIMELINE_RUN_OVER_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "net/engine.h"
#include "net/topology/topology.h"
#include "stream/record.h"
#include "value/status.h"

#define TIMELINE_RECORD_BYTES 80u // of a step, message or packet, at most
#define TIMELINE_BINS 512u	  // of a link
#define TIMELINE_NONE UINT32_MAX
#define TIMELINE_NAME_MAX 160u // room for a track's name with its terminating zero

// Posting a receive takes no time.
enum timeline_does {
	TIMELINE_COMPUTES,
	TIMELINE_SENDS,
	TIMELINE_RECEIVES,
	TIMELINE_POSTS,
	TIMELINE_DOES
};

// "computes", "sends", "receives", "posts"; static.
const char *timeline_does_name(enum timeline_does does);

// The interval [begin, end) of a track.
struct timeline_span {
	int64_t begin_ticks;
	int64_t end_ticks;
	uint32_t track;
	uint32_t line; // of the program's text; 0: none
	uint8_t does;  // enum timeline_does
	bool critical; // on the critical path
};

// A message of a program, or a packet. Times not reached are -1.
struct timeline_message {
	int64_t created_ticks; // a packet entered its queue; a message's send began
	int64_t begin_ticks;   // a packet's first character left; likewise
	int64_t head_ticks;    // a packet's first character arrived; -1 of a message
	int64_t end_ticks;     // received; lost, or the end of the run
	uint64_t id;
	uint64_t size_bytes;
	uint32_t from; // ranks of a message, hosts of a packet
	uint32_t to;
	uint32_t tag;
	uint32_t from_span; // the spans that sent and received it, TIMELINE_NONE if there is none
	uint32_t to_span;
	uint32_t first_port; // of a packet's route: index in ports
	uint16_t port_count;
	bool lost;
};

struct timeline_messages {
	struct timeline_message *items;
	size_t count;
	size_t capacity;
};

// The critical path passes the track from begin to left; before, from since, it was on its way from
// the leg before.
struct timeline_leg {
	int64_t since_ticks;
	int64_t begin_ticks;
	int64_t left_ticks;
	uint32_t track;
};

// Busy time of each link in intervals of one width. They begin at the first activity; where they
// would be too many, pairs are joined, so the width is the samples' times a power of two.
struct timeline_links {
	uint32_t count;
	uint32_t bins; // in use
	int64_t start_ticks;
	int64_t width_ticks; // 0: no samples yet
	int64_t *busy_ticks; // by link, TIMELINE_BINS each
};

// What is wanted: steps, messages and samples that overlap [from, to), and these links (NULL: all).
struct timeline_window {
	int64_t from_ticks;
	int64_t to_ticks;
	const bool *links;
};

// Zero is a valid empty one. Arrays belong to the timeline.
struct timeline {
	const struct net_topology *topology; // lent
	uint64_t ticks_per_s;
	uint64_t records_max; // steps, messages and packets; 0: no bound
	struct timeline_window window;
	bool program; // places are ranks, with a track for each processor; else hosts, with one to
		      // send and one to receive
	uint32_t places; // ranks or hosts
	uint32_t tracks_per_place;
	struct {
		struct timeline_span *items; // after settling: by track, in order of time
		size_t count;
		size_t capacity;
		uint32_t *first; // of each track, and one more
	} spans;
	struct timeline_messages messages;
	struct timeline_messages packets;
	struct {
		uint16_t *items;
		size_t count;
		size_t capacity;
	} ports;
	struct {
		struct timeline_leg *items; // in order of time
		size_t count;
		size_t capacity;
	} legs;
	struct timeline_links links;
	struct {
		int64_t begin_ticks;
		int64_t end_ticks; // where the next one begins
		size_t number;	   // from 1
		size_t count;
		bool repeats; // else it is the part with the most messages
	} iteration;	      // a typical one (messages/iterations.h), after settling
	int64_t begin_ticks;  // what is shown, likewise
	int64_t end_ticks;
	uint64_t parts_per_us; // of times as text, likewise
};

// Prepares an empty timeline. topology and what window points to are lent until the timeline is
// closed. TR_ERROR where memory runs out. Memory: 32 B a step, 80 B a message or packet, 2 B a
// switch on a packet's route, 4 KiB a link.
enum tr_status timeline_open(struct timeline *timeline, const struct timeline *form,
			     struct tr_error *err);

// Each adds one record if it overlaps the window. TR_ERROR where there are too many, or memory runs
// out.
enum tr_status timeline_add_span(struct timeline *timeline, const struct timeline_span *span,
				 struct tr_error *err);
enum tr_status timeline_add_message(struct timeline *timeline, const struct tr_message *message,
				    struct tr_error *err);
enum tr_status timeline_add_leg(struct timeline *timeline, const struct timeline_leg *leg,
				struct tr_error *err);

// A packet that was delivered or dropped, or is under way at the end. Without a program it also
// becomes a step of its source and one of its destination.
enum tr_status timeline_add_packet(struct timeline *timeline, const struct net_worm *worm,
				   const struct tr_delivery *delivery, struct tr_error *err);

// A sample of a link, in order of time.
void timeline_add_sample(struct timeline *timeline, const struct tr_link *sample);

// After the last record: puts the steps in order, finds those of each message, the time shown, and
// a typical iteration. Without a program steps of a track can overlap; then each is cut where the
// next begins, and lasts until the latest end so far. TR_ERROR where memory runs out.
enum tr_status timeline_settle(struct timeline *timeline, struct tr_error *err);

// Its last part: the typical iteration of messages that are in order of time. TR_ERROR where memory
// runs out.
enum tr_status timeline_find_iteration(struct timeline *timeline, struct tr_error *err);

// Frees what it holds; it is empty then.
void timeline_close(struct timeline *timeline);

// Tracks of all places.
static inline uint32_t timeline_tracks(const struct timeline *timeline)
{
	return timeline->places * timeline->tracks_per_place;
}

// The messages of a program; otherwise the packets.
static inline const struct timeline_messages *timeline_arrows(const struct timeline *timeline)
{
	return timeline->program ? &timeline->messages : &timeline->packets;
}

// Names of a place ("rank3", "host3") and a track ("rank3 cpu1", "host3 out"). Returns out (>=
// TIMELINE_NAME_MAX bytes).
const char *timeline_place_name(const struct timeline *timeline, uint32_t place, char *out,
				size_t out_bytes);
const char *timeline_track_name(const struct timeline *timeline, uint32_t track, char *out,
				size_t out_bytes);

// A time in microseconds, to the picosecond (nanosecond beyond 50 days), without a unit: every time
// is rounded down, so what does not overlap in ticks does not in text. Returns out (>= 48 bytes).
const char *timeline_us(const struct timeline *timeline, int64_t ticks, char *out,
			size_t out_bytes);

// The same for the time from one to another, whose texts it is the exact difference of.
const char *timeline_us_between(const struct timeline *timeline, int64_t from_ticks,
				int64_t to_ticks, char *out, size_t out_bytes);

// The first step of the track that ends after ticks, or the end of the track's steps.
uint32_t timeline_step_after(const struct timeline *timeline, uint32_t track, int64_t ticks);

// Busy time of a link in a bin as a fraction of the bin's width, 0 to 1.
double timeline_busy(const struct timeline *timeline, uint32_t link, uint32_t bin);

// Whether the link is wanted and was ever busy.
bool timeline_shows_link(const struct timeline *timeline, uint32_t link);

// --- svg.c

// Writes a picture for light and dark pages: a row for each place, messages as arrows, the critical
// path, and the busiest links. Below, a typical iteration by itself where the messages of the whole
// are too many for arrows, or its path is. Steps narrower than a pixel are merged, messages left
// out where there are too many. title and comments (lines) as text. For write failures check
// ferror(out).
void timeline_svg(const struct timeline *timeline, const char *title, const char *comments,
		  FILE *out);

// --- trace_events.c

// Writes JSON in the Trace Event Format, for Perfetto and chrome://tracing. For write failures
// check ferror(out). TR_ERROR where memory runs out; the text is then not whole.
enum tr_status timeline_trace_events(const struct timeline *timeline, const char *title,
				     const char *comments, FILE *out, struct tr_error *err);

// --- moment.c

// One moment of a timeline as a screen of text.

struct timeline_view {
	int64_t now_ticks;
	int64_t step_ticks; // 0: from event to event
	uint32_t top;	    // first track shown
	uint32_t rows;	    // of the screen, at least TIMELINE_ROWS_MIN
	uint32_t columns;
};

#define TIMELINE_ROWS_MIN 12u
#define TIMELINE_COLUMNS_MIN 60u
#define TIMELINE_COLUMNS_MAX 400u
#define TIMELINE_STATE_COLUMN 13u // of a track's row

// What a track does at a time: its step, or none: it waits if one is still to come, else it has
// finished.
enum timeline_state { TIMELINE_BUSY, TIMELINE_WAITS, TIMELINE_FINISHED };
enum timeline_state timeline_state_at(const struct timeline *timeline, uint32_t track,
				      int64_t ticks, uint32_t *span);

// The next and the previous time at which a step, message or packet begins or ends; ticks if there
// is none.
int64_t timeline_next_event(const struct timeline *timeline, int64_t ticks);
int64_t timeline_previous_event(const struct timeline *timeline, int64_t ticks);

// Tracks that fit on the screen.
uint32_t timeline_view_tracks(const struct timeline_view *view);

// Writes row (0 ..) of the screen into out, at most view->columns bytes of printable ASCII and a
// zero. Returns out.
const char *timeline_view_row(const struct timeline *timeline, const struct timeline_view *view,
			      uint32_t row, char out[TIMELINE_COLUMNS_MAX + 1]);

// --- screen.c

// Browses the settled timeline on the terminal until the user quits. TR_ERROR where there is no
// terminal, or the program was built without ncurses.
enum tr_status timeline_browse(const struct timeline *timeline, const char *title,
			       struct tr_error *err);

#endif
