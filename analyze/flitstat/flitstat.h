// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitstat share: the traffic of a trace and the settings of its tables.
#ifndef FLITSTAT_FLITSTAT_H
#define FLITSTAT_FLITSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stat/partial.h"
#include "stat/traffic.h"
#include "trace/header.h"
#include "trace/names.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/status.h"
#include "trace/table.h"

enum window_basis { WINDOW_GIVEN, WINDOW_FOUND, WINDOW_NO_PLATEAU };

struct traffic_view {
	const struct traffic *traffic;
	const struct tr_names *names;
	uint64_t ticks_per_s;
	uint8_t *roles; // by node, for the nodes of traffic
	struct role_finding finding;
	const struct window_curve *curve;
	size_t window; // number of the window of the tables
	enum window_basis window_basis;
	double level;		 // of the intervals
	double accuracy_percent; // for the number of samples needed
	bool show_curve;
};

// Prints the tables. TR_ERROR if out of memory.
enum tr_status traffic_report(const struct traffic_view *view, struct table_style style, FILE *out, struct tr_error *err);

// ---- parts of a trace: each a trace, or a partial of one

// Owned by its stat_parts.
struct stat_part {
	char *name; // of its file
	struct tr_header clock;
	struct tr_names names; // nodes alone
	struct traffic traffic;
};

// Zero is a valid empty one. Memory: about 200 KiB a part.
struct stat_parts {
	struct stat_part **list;
	size_t count, capacity;
	struct stat_part *whole; // after stat_parts_join
};

// Adds an empty part with the clock of a header; *part is lent until the join. Its traffic is to be begun by traffic_open.
// TR_ERROR: other ticks than those before it, or out of memory.
enum tr_status stat_part_add(struct stat_parts *parts, const char *name, const struct tr_header *clock, struct stat_part **part,
			     struct tr_error *err);

// Keeps the names of the nodes.
enum tr_status stat_part_name(struct stat_part *part, const struct tr_reader *in, struct tr_error *err);

// Adds the part that a partial begins with: its clock is known, and its traffic, to be begun by traffic_open, is read by
// stat_part_read. settings: what the sums depend on. TR_ERROR: as partial_open, or stat_part_add.
enum tr_status stat_part_open(struct stat_parts *parts, struct partial **partial, struct tr_source *source,
			      const char *settings, struct stat_part **part, struct tr_error *err);

// Reads the rest of a partial, and closes it.
enum tr_status stat_part_read(struct stat_part *part, struct partial *partial, struct tr_error *err);

// Joins all parts in the order of their times; *whole is lent until stat_parts_close. TR_ERROR: two overlap in time, or
// they are beyond the bounds of the settings.
enum tr_status stat_parts_join(struct stat_parts *parts, const struct traffic_settings *settings, struct stat_part **whole,
			       struct tr_error *err);

enum tr_status stat_part_write(struct stat_part *part, FILE *out, const char *settings, struct tr_error *err);

void stat_parts_close(struct stat_parts *parts);

#endif
