// SPDX-License-Identifier: GPL-3.0-or-later
// What changed from one trace to another: hosts and pairs of hosts by their rates and by their
// shares of the payload.
#ifndef STAT_TALKER_CHANGES_H
#define STAT_TALKER_CHANGES_H

#include "stat/intervals/compare.h"
#include "stat/nodes/joint_nodes.h"
#include "stat/nodes/talkers.h"

#define TALKERS_CHANGED 10u // hosts, and pairs
#define TALKER_FACTS 4u
#define TALKER_HOST UINT32_MAX // as dst: all that src sends or receives

struct talker_difference {
	double values[2];	  // before and after; NaN: not known
	struct interval interval; // of after less before, for this alone; NaN bounds: not known
	// 0 is outside of an interval that is for all hosts and pairs together (Bonferroni); of a
	// rate without one that a trace lacks: the other has too many packets for chance, had they
	// been independent.
	bool jointly;
};

struct talker_change {
	uint32_t src, dst;		// numbers in nodes
	struct talker_difference rate;	// bytes of payload per second of the whole trace
	struct talker_difference share; // of the payload
	double present[2]; // share of the trace's time from the first of its packets to the last,
			   // to a bin
	bool repeats; // what another host or pair says: a pair of a vanished host, a host moved by
		      // one pair
};

struct talker_changes {
	struct joint_nodes nodes;
	enum node_basis basis;
	struct talker_change hosts[TALKERS_CHANGED], pairs[TALKERS_CHANGED];
	size_t host_count, pair_count;
};

// Those that changed most between two finished ones: vanished ones, then those that appeared, then
// those that moved. The intervals are at level, of rates over time and of ratios of sums over time
// (time_rows.h); what a trace lacks has 0. The interval of a rate or share is at least one packet
// of each pair wide on either side, since it is random whether a packet falls inside the trace at
// its ends.
enum tr_status talkers_compare(const struct talkers *before, const struct talkers *after,
			       double level, struct talker_changes *out, struct tr_error *err);

// "vanished", "appeared", "moved" if the interval of the rate or of the share excludes 0, "same" if
// it does not, NULL without one.
const char *talker_change_word(const struct talker_change *change);

// Whose interval excludes 0: "rate", "share", "rate, share"; NULL: neither.
const char *talker_change_by(const struct talker_change *change);

// The changes that hold for all hosts and pairs together, each once, largest first; returns their
// number, and in *more that of those beyond.
size_t talker_facts(const struct talker_changes *changes,
		    const struct talker_change *facts[TALKER_FACTS], size_t *more);

// Frees what it holds; it is empty then.
void talker_changes_clear(struct talker_changes *changes);

#endif
