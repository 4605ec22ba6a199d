// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of flitcap share.
#ifndef FLITCAP_H
#define FLITCAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "packet/anonymize.h"
#include "packet/capture.h"
#include "packet/feed.h"
#include "packet/frame.h"
#include "packet/libpcap.h"
#include "packet/live.h"
#include "table/opt.h"
#include "table/table.h"
#include "tool/tool.h"
#include "value/hash.h"

// How messages are found.
enum cap_messages_by { CAP_MESSAGES_BY_BOTH, CAP_MESSAGES_BY_HEADERS, CAP_MESSAGES_BY_RULE };

// Options: what to do with the frames.
struct cap_options {
	const char *write;
	const char *filter_file;
	const char *nodes;
	const char *anonymize;
	const char *pcap;
	const char *messages;
	struct num_ratio reorder_s;
	struct num_ratio period_s;
	struct num_ratio longest_s;
	struct num_ratio link_rate_bps; // 0: unknown where the capture does not say it
	struct opt_list dedup;		// its windows, at most one; none: copies stay in the trace
	uint64_t count;
	uint64_t threshold_bytes;
	struct num_ratio memory_B;
	int nodes_by;	 // enum pk_nodes_by
	int messages_by; // enum cap_messages_by
	bool joins;
	bool live; // from an interface
	bool outer;
	bool print;
	bool unsorted;
	bool clamp;
	bool compress;
	bool flush_each;
};

// Options of a capture from an interface.
struct cap_live_options {
	const char *interface; // NULL: files are read
	uint64_t snap_bytes;
	uint64_t buffer_kib;
	uint64_t rings;
	const char *user; // NULL: as cap_drop_privileges chooses
	bool not_promiscuous;
};

// Where frames come from: files, or an interface.
struct cap_frames {
	// As pk_merge_read.
	enum tr_status (*read)(void *state, struct pk_frame *frames, size_t max, size_t *count,
			       struct tr_error *err);
	// Frames that the capture lost so far; false if unknown.
	bool (*lost)(void *state, uint64_t *frames);
	double (*part)(
		const void *state); // read so far, 0 to 1, or negative; NULL: of an interface
	void (*stop)(void *state);  // no more are wanted: what was lost is final; NULL: of files
	void (*close)(void *state);
	void *state;
	const char *name; // of the only file; NULL: of several files, or an interface
};

// The state of the interface.
struct cap_interface {
	const char *name;
	enum pk_live_state state; // as it was last reported
	uint64_t downs;		  // how often it was set down since the stream began
	uint64_t told_late;	  // frames of a ring that came late, as they were last reported
	uint64_t put_late;	  // and as streams so far count them
	unsigned rings;		  // if there are several, with what each gave and lost
	struct pk_ring_count ring_counts[PK_RINGS_MAX];
};

#define CAP_NAME_BYTES 1024u

// How --memory is divided, in parts of CAP_PARTS. Captures of several points use clocks and packets
// on their way, other captures the rest.
#define CAP_PARTS 16u
#define CAP_PARTS_NODES 1u
#define CAP_PARTS_FLOWS 4u
#define CAP_PARTS_ORDER 2u
#define CAP_PARTS_COPIES 2u
#define CAP_PARTS_KEPT 2u // messages that have ended
#define CAP_PARTS_CONNECTIONS 4u
#define CAP_PARTS_QUEUE_PAIRS 1u
#define CAP_PARTS_CLOCKS 4u
#define CAP_PARTS_ON_THE_WAY 6u

// The streams of -G begun so far: their periods, which name them.
struct cap_periods {
	uint64_t count;
	int64_t *begins_s;
	size_t capacity;
	struct tr_hash names; // to begins_s
};

struct cap {
	struct tool *tool;
	const struct cap_options *options;
	struct cap_frames from;
	char *filter_text;	   // NULL: all frames
	struct pk_filter *filter;  // NULL: all frames, or the kernel filters
	struct pk_dump *dump;	   // NULL: none
	struct tr_outfile *opened; // the trace's file if opened before its first packet, else NULL
	FILE *print;		   // NULL: frames are not printed
	struct pk_anonymizer *anonymizer;
	struct cap_messages *messages; // NULL: not wanted
	struct cap_points *points;     // NULL: one sequence of frames
	struct pk_feed feed;
	struct cap_periods periods;
	struct pk_counts total; // of the streams that were ended
	uint64_t lost;		// reported to streams so far
	bool after_loss;	// since the last frame that passed the filter
	uint64_t late;		// likewise
	uint64_t clamped;
	uint64_t steps;
	uint64_t flows_given_up;
	uint64_t hurried;
	uint64_t forgotten;
	bool waits; // the input may pause: flush packets after a second
	bool live;  // an interface: frames arrive in real time
	struct cap_interface interface;
	bool damaged;	     // the input, of which the part before the damage is used
	bool failed;	     // in a call without a status
	int64_t passed_ns;   // when what is held was last passed on
	int64_t clock_ns;    // what the wall clock was ahead of the monotonic one then
	uint64_t told_steps; // of the clock, back, that were reported
};

// Bytes of so many parts of --memory.
size_t cap_part(const struct cap *cap, unsigned parts);

// Sets up the tables, the filter and the feed. Returns false after reporting an error.
bool cap_open(struct cap *cap);

// Fills cap->filter_text from -F or the operands that are not captures.
bool cap_read_filter(struct cap *cap);

// Adds the operands that are captures to the files to read; false after reporting an error.
bool cap_take_files(struct cap *cap, struct opt_list *reads);

// Takes frames until they end, the count is reached, or something fails. An output that fails is
// ended, the others go on.
void cap_run(struct cap *cap);

// Flushes packets that are a second old; an idle hook (context is a struct cap).
void cap_idle(void *context);

// Closes the source of the frames after reporting its losses; the output then knows the inputs'
// digests.
void cap_close_frames(struct cap *cap);

// Frees what cap_open made, and the frames' source.
void cap_close(struct cap *cap);

// Opens the capture files as one sequence of frames in time order; false after a failure.
bool cap_open_files(struct cap *cap, struct opt_list *paths);

// Starts capturing from an interface; false after a failure.
bool cap_open_live(struct cap *cap, const struct cap_live_options *options);

// Reports an error if no frame at all could be decoded because of the link types or times; call
// after ending all outputs.
void cap_end_undecoded(struct cap *cap);

// Notes and reports whether the interface is up, down or gone.
void cap_watch_interface(struct cap *cap);

// Whether frames of the interface come some tenths of a second after their time, and not later.
bool cap_interface_is_current(const struct cap *cap);

// Frames that a ring of the interface gave late; 0 of files.
uint64_t cap_ring_late(const struct cap *cap);

// Keeps what each ring gave and lost, when it is final.
void cap_count_rings(struct cap *cap);

// Reports that the interface was removed; call after ending all outputs, which are complete.
void cap_end_interface(struct cap *cap);

// Opens the outputs, drops the privileges that this and the interface needed, and confines the
// process to the remaining work. Returns false after an error, or if rotated outputs could no
// longer be written.
bool cap_drop_privileges(struct cap *cap, const char *user);

// Opens the capture file of --pcap, if one is wanted; in_place as in tr_outfile_options.
enum tr_status cap_create_dump(struct cap *cap, bool in_place, struct tr_error *err);

// The same, for files: false after reporting an error.
bool cap_open_dump(struct cap *cap);

// Expands the pattern of -w and -G for a period starting at time_s. Returns the length, 0 if empty
// or too long.
int cap_period_name(const char *pattern, uint64_t period, int64_t time_s, char *name,
		    size_t name_bytes);

// Refuses, or for files warns of, a pattern of -G that gives periods of different times the same
// name; false after reporting an error.
bool cap_check_pattern(struct cap *cap);

// Names the next stream of -G, whose period begins at period_s, in name[CAP_NAME_BYTES]; false
// after reporting that there is none or that it was used before.
bool cap_name_period(struct cap *cap, int64_t period_s, char *name);

// Frees what cap_name_period made.
void cap_close_periods(struct cap *cap);

// Prints the available interfaces, the words of the option for them.
enum tr_status cap_interface_words(struct table_style style, FILE *out, struct tr_error *err);

// The hooks by which the feed opens and ends streams; context is a struct cap.
struct tr_writer *cap_open_stream(void *context, const struct tr_header *header, int64_t period_s);
bool cap_close_stream(void *context, struct tr_writer *writer);
bool cap_stream_failed(void *context, struct tr_writer *writer);

// Opens the text of --print and prints its heading; from then on the feed's frames are printed.
// False after a failure.
bool cap_open_print(struct cap *cap);

// Sets up the search for messages if --messages was given; false after reporting an error.
bool cap_open_messages(struct cap *cap);

// Writes the messages found; call at the end of the frames, before the trace is ended. False after
// reporting an error.
bool cap_write_messages(struct cap *cap);

// Prints how many were found.
void cap_print_messages(const struct cap *cap);

// Frees what cap_open_messages made.
void cap_close_messages(struct cap *cap);

// ---- captures of several points (--join)

// The path in the name of a capture, which may be NAME=FILE.
const char *cap_point_path(const struct cap *cap, const char *word);

// Names the points, leaves the paths in the list, reads the captures for their clocks, and sets up
// the join. Returns false after reporting an error; cap_close_points frees what there is.
bool cap_open_points(struct cap *cap, struct opt_list *paths);
void cap_close_points(struct cap *cap);

// Has the merge set the frames' times by the clock of the first point.
void cap_points_stamp(struct cap *cap, struct pk_merge *merge);

// Takes frames; settles the last ones.
enum tr_status cap_points_take(struct cap *cap, const struct pk_frame *frames, size_t count,
			       struct tr_error *err);
enum tr_status cap_points_finish(struct cap *cap, struct tr_error *err);

// Writes counters; prints the clocks and what became of the packets.
void cap_points_counters(const struct cap *cap, struct tr_writer *writer);
void cap_print_points(const struct cap *cap);

// Prints the counts on standard error, unless -q.
void cap_summary(const struct cap *cap);

#endif
