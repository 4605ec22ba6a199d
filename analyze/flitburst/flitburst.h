// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitburst share: the burstiness of each key of a trace, and its tables.
#ifndef FLITBURST_FLITBURST_H
#define FLITBURST_FLITBURST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stat/bursts/burstiness.h"
#include "stat/bursts/microbursts.h"
#include "stat/counts/live_reports.h"
#include "stat/counts/parts.h"
#include "stream/names.h"
#include "stream/reader.h"
#include "stream/record.h"
#include "table/opt.h"
#include "table/table.h"
#include "tool/tool.h"
#include "value/hash.h"
#include "value/status.h"

// ---- burst_settings.c
// The options, and what they are in ticks of a trace.

struct burst_options {
	const char *partial;
	const char *burst_gap; // the option; NULL: found
	int by;		       // enum key_kind
	int size;	       // enum tr_size_of
	struct opt_list widths, gaps, lags, roles;
	struct num_ratio finest; // seconds; 0: a microsecond or so
	struct num_ratio every;	 // seconds; 0: one report at the end
	const char *origin;
	int level_percent;
	struct num_ratio memory_B;
	uint64_t max_keys; // of this memory
	uint64_t top;
	bool points;
	struct table_style style;
};

// Makes the settings for a trace with this header, which must outlive them. TR_ERROR: a bad list,
// or a time not in whole ticks.
enum tr_status burst_settings(const struct burst_options *o, const struct tr_header *header,
			      struct burstiness_settings *settings, struct tr_error *err);

// ---- burst_keys.c
// Splits the packets of a trace by key, and gathers the burstiness of each key.

enum key_kind { KEY_ALL, KEY_NODE, KEY_PAIR, KEY_CLASS, KEY_ROLE };

#define BURST_KEY_BYTES (181u << 10) // of a key with its series, at most

struct burst_key {
	uint64_t key;
	struct burstiness burstiness;
};

// Zero is a valid empty one, except for the settings.
struct burst_keys {
	enum key_kind kind;
	uint64_t max_keys;
	const struct burstiness_settings *settings; // lent
	const struct opt_list
		*roles;		 // NODE=ROLE words that override the trace's; lent, may be NULL
	struct burst_key **keys; // in order of appearance; a key keeps its place
	size_t count;
	size_t capacity;
	struct tr_hash places; // by key
	uint8_t *node_roles;   // by node, 0: not looked up yet, else 1 + role
	size_t node_count;
	struct burst_key *recent;
	struct burstiness *all; // of KEY_ALL, once there is a packet
};

// As burst_keys_add, after looking up the key.
enum tr_status burst_keys_find_and_add(struct burst_keys *keys, const struct tr_names *names,
				       const struct tr_packet *packet, uint32_t size_bytes,
				       struct tr_error *err);

// Adds a packet to its key. TR_ERROR beyond max_keys, if out of memory, for an unknown role, or as
// burstiness_add.
static inline enum tr_status burst_keys_add(struct burst_keys *keys, const struct tr_names *names,
					    const struct tr_packet *packet, uint32_t size_bytes,
					    struct tr_error *err)
{
	if (keys->all)
		return burstiness_add(keys->all, packet->time_ticks, size_bytes, err);
	return burst_keys_find_and_add(keys, names, packet, size_bytes, err);
}

// The burstiness of all packets, for KEY_ALL; made if there were none. NULL if out of memory.
struct burstiness *burst_keys_all(struct burst_keys *keys, struct tr_error *err);

// Calls visit for each key, in rising order of the key, with its burstiness so far finished; more
// packets may be added afterwards. TR_ERROR if out of memory, as burstiness_finish, or from visit.
typedef enum tr_status burst_keys_visit(void *context, const struct burst_key *key,
					const struct burstiness *finished, struct tr_error *err);
enum tr_status burst_keys_read(struct burst_keys *keys, burst_keys_visit *visit, void *context,
			       struct tr_error *err);

// Checks that every word of roles names a node of the trace: TR_ERROR if not.
enum tr_status burst_keys_check(const struct burst_keys *keys, const struct tr_names *names,
				struct tr_error *err);

// Words for a key: "all", a node, "a>b", a class, a role. Returns out.
const char *burst_key_name(const struct burst_keys *keys, const struct burst_key *key,
			   const struct tr_names *names, char *out, size_t out_bytes);

// Frees what it holds; it is empty then.
void burst_keys_close(struct burst_keys *keys);

// ---- burst_report.c
// The tables that flitburst prints: first the numbers to quote, then those that depend on the
// scale.

enum burstiness_table {
	TABLE_BURSTINESS,
	TABLE_BURSTS,
	TABLE_ON_OFF,
	TABLE_THRESHOLDS,
	TABLE_WINDOWS,
	TABLE_GAPS,
	TABLE_AUTOCORRELATION,
	TABLE_HISTOGRAM,
	TABLE_DISTRIBUTION,
	BURSTINESS_TABLES,
};

struct burstiness_report {
	struct table *tables[BURSTINESS_TABLES];
	uint64_t ticks_per_s;
	double level; // of the intervals
	bool scales;  // with the tables over scales
	bool points;  // all scales, and distributions
	bool wire;    // bytes are those of frames
};

// Makes the tables according to the fields from ticks_per_s on.
void burstiness_report_open(struct burstiness_report *report);

// A table whose rows sum up a finished stream in a line, at a time in seconds since the Unix epoch;
// wire: of the frames' bytes.
struct table *burstiness_line_table(bool wire);
void burstiness_line(struct table *table, const char *time_s, const char *name,
		     const struct burstiness *b, uint64_t ticks_per_s);

// Adds the rows of a finished stream under its name.
void burstiness_report_add(struct burstiness_report *report, const char *name,
			   const struct burstiness *b);

// Prints the tables. TR_ERROR if out of memory.
enum tr_status burstiness_report_print(const struct burstiness_report *report,
				       struct table_style style, FILE *out, struct tr_error *err);

// Frees the tables.
void burstiness_report_close(struct burstiness_report *report);

// ---- burst_top.c
// flitburst --top: the largest microbursts of a trace.

enum burst_sign { BURST_MARKED, BURST_NOTIFICATION, BURST_PAUSE, BURST_SIGNS };

// Zero is a valid empty one, without bursts. Memory: also 8 bytes a sign of congestion.
struct burst_top {
	struct microbursts *bursts;
	int64_t width_ticks, first_ticks, last_ticks;
	uint64_t packets, size_bytes;
	struct burst_signs {
		int64_t *times;
		size_t count, capacity;
	} signs[BURST_SIGNS]; // of congestion
};

// Adds a sign of congestion, not earlier than the one before. TR_ERROR if out of memory.
enum tr_status burst_top_sign(struct burst_top *top, enum burst_sign sign, int64_t time_ticks,
			      struct tr_error *err);

// Reports options that have no effect on it.
void burst_top_check(struct tool *tool);

// Begins for a trace with this header. TR_ERROR: a bad width, or out of memory.
enum tr_status burst_top_open(struct burst_top *top, const struct burst_options *o,
			      const struct tr_header *header, struct tr_error *err);

// Adds a packet, not earlier than the one before. TR_ERROR if out of memory.
enum tr_status burst_top_add(struct burst_top *top, const struct tr_packet *packet,
			     uint32_t size_bytes, struct tr_error *err);

// Prints the table after the last packet. TR_ERROR if out of memory.
enum tr_status burst_top_print(struct burst_top *top, const struct burst_options *o,
			       const struct tr_reader *in, FILE *out, struct tr_error *err);

// Frees what it holds; it is empty then.
void burst_top_close(struct burst_top *top);

// ---- flitburst.c
// One pass over a trace.

struct burst_run {
	struct tr_header clock; // of a part
	struct tool *tool;
	const struct burst_options *options;
	struct burstiness_settings settings;
	struct burst_keys keys;
	struct burst_top top; // instead of the keys
	uint64_t packets;
	int64_t last_ticks;
	struct live_reports reports;
	const struct tr_reader *in; // of the reports
	bool headed;		    // the headings of the lines of --every were printed
};

// Empties the keys of a run, with the settings for a trace with this header, which must outlive
// them. TR_ERROR as burst_settings.
enum tr_status burst_run_prepare(struct burst_run *run, const struct tr_header *header,
				 struct tr_error *err);

// Begins a run over a trace, lent until its end. TR_ERROR: not sorted packets, as burst_settings,
// or out of memory.
enum tr_status burst_run_start(struct burst_run *run, const struct tr_reader *in,
			       struct tr_error *err);

// Adds the next block of the trace. TR_END if the output of a report failed, which the tool
// reports; TR_ERROR as burst_keys_add.
enum tr_status burst_run_add_block(struct burst_run *run, struct tr_reader *in,
				   struct tr_error *err);

// A report that goes by the run's options, to be opened.
struct burstiness_report burst_run_report(const struct burst_run *run, uint64_t ticks_per_s);

// ---- burst_parts.c
// Parts of a trace: each a trace or a partial of one, with a run of its own.

// Whether the operands, of which source is the first, are parts to be joined: where there are
// several, or one that was summed up. Reports options that parts do not go by.
bool burst_parts_needed(struct tool *tool, const struct burst_options *o, struct tr_source *source);

// Joins source and the other operands, and prints the tables or writes a partial of all.
void burst_parts_analyse(struct tool *tool, const struct burst_options *o,
			 struct tr_source *source);

#endif
