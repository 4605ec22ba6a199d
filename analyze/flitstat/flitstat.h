// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitstat share: the traffic of a trace and the settings of its tables.
#ifndef FLITSTAT_FLITSTAT_H
#define FLITSTAT_FLITSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "stat/bursts/congestion.h"
#include "stat/bursts/traffic.h"
#include "stat/counts/parts.h"
#include "stream/header.h"
#include "stream/names.h"
#include "stream/reader.h"
#include "table/table.h"
#include "value/status.h"

struct traffic_view {
	const struct traffic *traffic;
	const struct tr_names *names;
	const struct congestion *congestion;
	uint64_t ticks_per_s;
	uint8_t *roles; // by node, for the nodes of traffic
	struct role_finding finding;
	struct burst_gap gap, stream_gap; // of all packets, and of those of each sender and class
	double level;			  // of the intervals
	double accuracy_percent;	  // for the number of samples needed
	bool points;			  // the bursts by each gap tried
	uint32_t joined;		  // nodes of the matrix, by discovery_join
};

// Prints the tables. TR_ERROR if out of memory.
enum tr_status traffic_report(const struct traffic_view *view, struct table_style style, FILE *out,
			      struct tr_error *err);

// For each named node whether it is an end of links that pause and of no packet. The caller frees
// it; NULL if out of memory.
bool *stat_pausing(const struct matrix *matrix, const struct tr_names *names);

// Prints the tables of the collective operations in a stream of messages, with intervals of this
// level. memory_B: bounds the messages that are held. points: each operation at each node, too.
// damaged: print those of a damaged stream, too. TR_ERROR: other records, too many messages, or out
// of memory.
enum tr_status collectives_report(struct tr_reader *in, double level, struct num_ratio memory_B,
				  bool points, bool damaged, struct table_style style, FILE *out,
				  struct tr_error *err);

// ---- parts of a trace: each a trace, or a partial of one

// The sums of a part.
struct stat_sums {
	struct tr_names names; // of nodes alone
	struct traffic traffic;
};

// Makes empty ones; the traffic is to be begun by traffic_open. NULL if out of memory.
struct stat_sums *stat_sums_new(void);

// Keeps the names of the nodes that are hosts.
enum tr_status stat_sums_name(struct stat_sums *sums, const struct tr_reader *in,
			      struct tr_error *err);

// Writes sums to a partial, or reads them.
void stat_sums_exchange(struct stat_sums *sums, struct partial *partial);

// Joins all parts, whose sums are struct stat_sums, in the order of their times into whole, an
// empty one whose traffic is open, on the clock of the first one, *clock. TR_ERROR: two overlap in
// time, or they are beyond the bounds of the settings.
enum tr_status stat_sums_join(struct stat_sums *whole, struct parts *parts, struct tr_header *clock,
			      struct tr_error *err);

// Makes them empty again.
void stat_sums_clear(struct stat_sums *sums);

// NULL is accepted.
void stat_sums_free(struct stat_sums *sums);

#endif
