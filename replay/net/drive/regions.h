// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose network is cut into regions of switches, with their hosts, which threads move at the
// same time (net/drive/regions.c has the algorithm and why it is exact).
#ifndef NET_REGIONS_H
#define NET_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/worm.h"
#include "stream/record.h"
#include "value/status.h"

struct net_drive;
struct net_offer;
struct net_regions;
struct sim_arena;

// What a region says to the one at the far end of a link; what, number, end and more are the
// kind's.
struct net_crossing {
	int64_t ticks; // of the first effect there; INT64_MAX: none by itself
	uint32_t link;
	uint32_t worm;
	uint32_t what;
	uint32_t number;
	uint32_t end;
	uint32_t more;
};

// What a kind does besides so that ranks can move its regions, which have no memory in common. A
// packet goes with the first that is said of it, and comes back no more.
struct net_rank_rules {
	// What the kind has of a packet, in the run of its rank, goes along with it.
	void *(*worm)(void *run, uint32_t worm);
	size_t worm_bytes;
	// Whether the packet goes with this. NULL: always.
	bool (*carries)(const void *run, const struct net_crossing *crossing);
	// The packet leaves the rank of its source, of whose region, the run's, all up to a tick
	// has happened: what was left for later is settled. NULL: nothing was.
	void (*leaves)(void *run, uint32_t worm, int64_t ticks);
	// Where regions are united: gives what a region has of its own to the run of its rank, and
	// whether anything can still happen there at a tick or later, but for what is due; it may
	// set last_ticks. Then the rule close is called for that run. NULL: there is no rule unite.
	void (*unite)(void *run, void *region);
	bool (*goes_on)(void *run, int64_t ticks);
};

// What a kind does besides its net_rules so that its network can be cut. Each region has a run of
// the kind of its own, a copy of the whole one after the rule open: the arrays that its pointers
// lead to are those of all, and of these the rules of a region touch what belongs to its nodes
// alone.
struct net_region_rules {
	size_t run_bytes; // of the kind's run
	// By how many ticks at least all that anything does behind this cable between switches is
	// later; 0: it is not known. Asked before layout.
	int64_t (*ahead_ticks)(const void *run, uint32_t cable);
	// Takes what a region, with so many links to its nodes, has of its own. Called more than
	// once (sim/arena.h).
	void (*layout)(void *run, struct sim_arena *arena, uint32_t links);
	// Whether this run can be cut, besides what net_drive asks for. NULL: it can.
	bool (*allows)(const void *run);
	// Whether a packet surely has room as it enters where so many of its host have been read
	// and have not ended. False: the network is moved as a whole from then on, by the rule
	// unite. NULL: all have.
	bool (*takes)(const void *run, const struct net_offer *offer, uint32_t under_way);
	// That of net_rules for a region. NULL: the same.
	int64_t (*next_ticks)(void *run);
	// What net_drive_cross said elsewhere; each link's in the order in which it was said.
	void (*come)(void *run, const struct net_crossing *crossing);
	// Whether nothing goes on in a region without a packet. NULL: what the rule sample tells of
	// changes only at ticks at which something happens.
	bool (*rests)(const void *run);
	// Gives what a region has of its own back to the whole run, whose totals and times the
	// drive joins; then the run goes on, or ends, as a whole.
	void (*unite)(void *whole, void *region);
	bool ends_apart; // a run that was not united before ends in regions nevertheless
	// Gives back what the region has taken beside layout. NULL: nothing.
	void (*close)(void *run);
	// What crosses can act before its ticks, if not before the window in which it is said ends.
	bool acts_early;
	uint32_t busy_events; // in a window, from which on threads save more than they cost
	// How many packets a link traffic that reacts has at least where threads save more with it
	// than they cost; 0: it is never divided, as it may be only where worms are delivered by
	// the rule arrive alone.
	uint32_t loop_packets;
	unsigned peaks; // by bit: of net_totals.own of several regions the greatest counts, not
			// the sum
	const struct net_rank_rules *ranks; // NULL: one process moves all
};

// ---- for kinds, in the run of a region

// Whether the far end of a link lies in another region than its near end; false in a run that is
// not cut.
bool net_drive_crosses(const struct net_drive *drive, uint32_t link);

// Whether a node lies in the region; true in a run that is not cut.
bool net_drive_has(const struct net_drive *drive, uint32_t node);

// The run of the region in which the far end of a link lies: for the rule sample, in whose run the
// near end does, and to which all that was said has come.
void *net_drive_far(const struct net_drive *drive, uint32_t link);

// Whether this process moves the region in which a node lies. In a run of ranks the drive's graph
// has only the cables at such nodes: the rule open makes these.
bool net_drive_moves(const struct net_drive *drive, uint32_t node);

// Says something to the region at the far end of a link.
void net_drive_cross(struct net_drive *drive, const struct net_crossing *crossing);

// The last tick of which all has happened, as the rule come is called.
int64_t net_drive_past_ticks(const struct net_drive *drive);

// Where in the tick something happens: the order in which ends of a tick are reported, of those of
// the same rule (arrive, enter, move). The rule enter has the order of the traffic.
void net_drive_at(struct net_drive *drive, uint64_t place);

// ---- for net_drive

// Cuts the network, whose graph is open, where the setup has threads for it and the rules allow it;
// without any drive->cut.regions stays NULL. TR_ERROR if out of memory.
enum tr_status net_regions_open(struct net_drive *drive);

// Takes the regions' memory, after the kind's own.
void net_regions_layout(struct net_drive *drive);

// How many worms more than may be under way there is room for.
uint32_t net_regions_ahead(const struct net_drive *drive);

// Runs all regions, from the kind's run after the rule open, as the loop of net_drive does the
// whole. Returns whether the run was cut, before anything of its last tick has happened. By the
// rule unite drive->cut.regions becomes NULL, and the run goes on.
bool net_regions_run(struct net_drive *drive);

// The rules sample and close of all regions.
bool net_regions_sample(struct net_drive *drive, uint32_t link, int64_t ticks, struct tr_link *out);
void net_regions_finish(struct net_drive *drive, bool was_cut);

// In the run of a region: the worm has come to its end.
void net_regions_end(struct net_drive *drive, uint32_t worm, enum tr_delivery_status status,
		     enum tr_drop_reason reason);

// In the run of a region: the number of a worm that has ended is not in use any more.
void net_regions_free(struct net_drive *drive, uint32_t worm);

// Frees them.
void net_regions_close(struct net_drive *drive);

#endif
