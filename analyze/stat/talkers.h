// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks, and what changed from one trace to another: hosts and pairs of hosts by their shares of the payload.
#ifndef STAT_TALKERS_H
#define STAT_TALKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/compare.h"
#include "stat/joint_nodes.h"
#include "stat/matrix.h"
#include "stat/time_rows.h"
#include "trace/names.h"
#include "trace/record.h"
#include "trace/status.h"

#define TALKERS_PAIRS 4096u   // that have intervals: those that talk first
#define TALKERS_MOST 1048576u // pairs that are told apart

// Payload by pair, and over time. Memory: at most 80 bytes a pair of the first TALKERS_MOST, and 6 KiB for each of the first TALKERS_PAIRS.
struct talkers {
	struct matrix pairs;
	struct time_rows over_time; // row 0: pairs that have none; then the first TALKERS_PAIRS
	struct tr_names names;	    // of the nodes, once finished
	uint8_t *roles;		    // likewise
	size_t role_count;
};

// Starts in a zeroed struct. TR_ERROR if out of memory, as of those below.
enum tr_status talkers_open(struct talkers *talkers, struct tr_error *err);

// Adds a packet; the order of packets does not matter.
enum tr_status talkers_add(struct talkers *talkers, const struct tr_packet *packet, struct tr_error *err);

// The same for a caller that sums the pairs itself, and merges them into talkers->pairs before talkers_finish: pair is the place among
// them, SIZE_MAX for none.
enum tr_status talkers_add_over_time(struct talkers *talkers, size_t pair, const struct tr_packet *packet,
				     struct tr_error *err);

// After the last packet: copies what the nodes are called (NULL: nothing) and their roles (enum tr_role by node; NULL: those of
// the names).
enum tr_status talkers_finish(struct talkers *talkers, const struct tr_names *names, const uint8_t *roles, size_t role_count,
			      struct tr_error *err);

// The payload that a node sends or receives in each of talkers->over_time.used bins. False if some of it was not kept: that of pairs
// beyond TALKERS_PAIRS.
bool talkers_node_over_time(const struct talkers *talkers, uint32_t node, double bytes[TIME_BINS]);

// When a bin begins, in ticks.
int64_t talkers_bin_begin(const struct talkers *talkers, size_t bin);

void talkers_close(struct talkers *talkers);

// ---- changes

#define TALKERS_CHANGED 10u
#define TALKER_HOST UINT32_MAX // as dst: all that src sends or receives

struct talker_change {
	uint32_t src, dst;	    // numbers in nodes
	double shares[2];	    // of the payload, before and after
	struct interval difference; // after less before, at the level of the changes, for this change alone; NaN: not known
};

struct talker_changes {
	struct joint_nodes nodes;
	enum node_basis basis;
	struct talker_change hosts[TALKERS_CHANGED], pairs[TALKERS_CHANGED]; // that changed most first
	size_t host_count, pair_count;
};

// Finds them between two finished ones. The intervals are of ratios of sums over time (time_rows.h): what a trace lacks has 0.
enum tr_status talkers_compare(const struct talkers *before, const struct talkers *after, double level,
			       struct talker_changes *out, struct tr_error *err);

// "vanished", "appeared", "more" or "less" if the interval says so, "same" if it does not, NULL without one.
const char *talker_change_word(const struct talker_change *change);

void talker_changes_clear(struct talker_changes *changes);

#endif
