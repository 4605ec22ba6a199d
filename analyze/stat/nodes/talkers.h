// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks: hosts and pairs of hosts by their payload, in all and over time.
#ifndef STAT_TALKERS_H
#define STAT_TALKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/counts/time_rows.h"
#include "stat/nodes/matrix.h"
#include "stream/names.h"
#include "stream/record.h"
#include "value/status.h"

#define TALKERS_PAIRS 4096u   // that have intervals: those that talk first
#define TALKERS_MOST 1048576u // pairs that are told apart

// Payload by pair, and over time. Memory: at most 80 bytes a pair of the first TALKERS_MOST, and 6
// KiB for each of the first TALKERS_PAIRS.
struct talkers {
	uint64_t ticks_per_s;
	int64_t first_ticks, last_ticks; // the earliest and the latest packet
	struct matrix pairs;
	struct time_rows over_time; // row 0: pairs that have none; then the first TALKERS_PAIRS
	struct tr_names names;	    // of the nodes, once finished
	uint8_t *roles;		    // likewise
	size_t role_count;
};

// Starts in a zeroed struct. TR_ERROR if out of memory, as of those below.
enum tr_status talkers_open(struct talkers *talkers, uint64_t ticks_per_s, struct tr_error *err);

// Adds a packet; the order of packets does not matter.
enum tr_status talkers_add(struct talkers *talkers, const struct tr_packet *packet,
			   struct tr_error *err);

// The same for a caller that sums the pairs itself, and merges them into talkers->pairs before
// talkers_finish: pair is the place among them, SIZE_MAX for none.
enum tr_status talkers_add_over_time(struct talkers *talkers, size_t pair,
				     const struct tr_packet *packet, struct tr_error *err);

// After the last packet: copies what the nodes are called (NULL: nothing) and their roles (enum
// tr_role by node; NULL: those of the names).
enum tr_status talkers_finish(struct talkers *talkers, const struct tr_names *names,
			      const uint8_t *roles, size_t role_count, struct tr_error *err);

// From the first packet to the last.
double talkers_seconds(const struct talkers *talkers);

// Adds the payload of the pair at index pair in each bin; false if it was not kept.
bool talkers_pair_over_time(const struct talkers *talkers, size_t pair, double bytes[TIME_BINS]);

// The payload that a node sends or receives in each of talkers->over_time.used bins. False if some
// of it was not kept: that of pairs beyond TALKERS_PAIRS.
bool talkers_node_over_time(const struct talkers *talkers, uint32_t node, double bytes[TIME_BINS]);

// When a bin begins, in ticks.
int64_t talkers_bin_begin(const struct talkers *talkers, size_t bin);

// Frees what it holds; it is empty then.
void talkers_close(struct talkers *talkers);

#endif
