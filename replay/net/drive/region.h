// SPDX-License-Identifier: GPL-3.0-or-later
// The regions of a run, for the files regions*.c.
#ifndef NET_REGION_H
#define NET_REGION_H

#include <pthread.h>

#include "net/drive/drive.h"
#include "sim/crew.h"

// The rules of a tick, in their order; a place is a rule and a number.
#define PLACE_ENTER ((uint64_t)1 << 62)
#define PLACE_MOVE ((uint64_t)2 << 62)

enum net_reported { NET_ENTERED, NET_ENDED, NET_KEPT, NET_FREED, NET_REFUSED };

// What is to be reported of a worm: one that has ended may keep its number until it is freed.
struct net_report {
	int64_t ticks;
	uint64_t place;
	uint32_t worm;
	uint8_t what;	// enum net_reported
	uint8_t status; // enum tr_delivery_status and enum tr_drop_reason, of its end
	uint8_t reason;
};

struct net_reports {
	struct net_report *items;
	uint32_t count;
	uint32_t room;
	uint32_t given; // those before it are reported
};

struct net_crossings {
	struct net_crossing *items;
	uint32_t count;
	uint32_t room;
};

struct net_offers {
	struct net_offer *items;
	uint32_t count;
	uint32_t room;
	uint32_t first; // those before it are gone
};

struct net_region {
	_Alignas(64) struct net_drive *drive; // of its run
	struct net_totals totals;
	struct net_worm_list coming;   // to enter, by time
	struct net_worm_list read;     // the same behind them, the caller's until the next window
	struct net_reports reports[2]; // of this window, and of the one before
	struct net_crossings *sent[2]; // by the region that they go to; likewise
	int64_t next_ticks;	       // when something happens in it, but for entries
	int64_t sent_ticks;	       // when the first of what it sent in a window comes
	uint64_t sent_to;	       // to which regions, by their numbers modulo 64, in a window
	uint64_t place;
	uint32_t links;		    // to its nodes
	struct net_traffic traffic; // of its hosts, if that reacts
	struct net_worm_list freed; // numbers for what it sends, the caller's until the next window
	bool stopped;		    // before a packet enters for which there may be no room
	bool exact;		    // it knows whether there is
	uint32_t looked;	    // at so many of its reports for that
	struct tr_error err;
};

struct net_sparse {
	uint32_t windows;
	uint64_t events; // in them
	bool sparse;	 // too little happens in windows: one loop is faster
};

// Numbers of packets in a rank above 0, and those that rank 0 gives anew.
struct net_ranks_numbers {
	uint32_t *here;	 // by rank 0's: one more than the number here; 0: none. NULL: the same
	uint32_t *there; // by that here: rank 0's; of one that is free: the next
	uint32_t used;
	uint32_t spare;	 // the first that is free; NET_NO_WORM
	uint32_t *ended; // in rank 0: since the last window began
	uint32_t count;
	uint32_t room;
};

// The regions that this process moves: all, but with ranks.
struct net_regions_share {
	uint32_t begin, end;
	uint32_t *ends; // of each rank: the region behind its last; NULL: no ranks
	uint64_t *here; // of ranks above 0: bits of the worms that this one has
	struct net_ranks_numbers numbers;
};

// A packet that was taken, of which the traffic is not told.
struct net_owed {
	struct net_report report;
	bool owes;
};

// Traffic that reacts, in regions.
struct net_loops {
	const struct net_division *division; // NULL: the traffic does not react
	struct net_worm_pool *numbers;	     // of worms, that no region has,
	pthread_mutex_t lock;		     // while regions are moved
	uint32_t *gone; // the hosts that have sent what was reported of a window
	uint32_t gone_count;
	uint32_t gone_room;
};

struct net_regions {
	struct net_region *all;
	struct sim_crew *crew;
	uint16_t *of_nodes;
	uint32_t count;
	uint64_t alive; // worms under way, by what is reported
	unsigned turn;
	int64_t ahead_ticks;
	int64_t past_ticks;	    // the end of the one before
	int64_t end_ticks;	    // of the window
	int64_t unread_ticks;	    // the traffic failed behind what it had at this tick; INT64_MAX
	struct net_reports refused; // by the traffic
	struct net_offers ahead;    // read, and not entered
	struct net_traffic traffic; // which gives these again
	uint32_t *under_way; // of each host: packets read that have not ended; NULL: none matter
	struct net_loops loops;
	bool over; // the packet that is offered may have no room
	struct net_owed owed;
	bool unasked;	  // the traffic, as its next packet is to be waited for
	uint64_t sent_to; // by all in the last window
	uint64_t events;  // of all windows
	bool busy;	  // much happened in the last one
	bool cut;
	struct net_sparse windows; // of those that are counted now
	struct net_regions_share own;
};

// The region in which a node lies.
static inline uint32_t net_region_of(const struct net_regions *regions, uint32_t node)
{
	return regions->of_nodes[node];
}

// Takes in what was said to a region in the last window.
void net_region_take_in(struct net_regions *regions, uint32_t number);

// The same for all regions, before the next window.
void net_regions_take_in(struct net_regions *regions);

// Takes the samples of links up to a tick, before which all has happened.
void net_regions_sample_until(struct net_drive *drive, int64_t ticks);

// Whether a run goes on, or ends, as a whole after its regions.
static inline bool net_regions_end_whole(const struct net_drive *drive)
{
	return !drive->rules->regions->ends_apart;
}

// Counts the events of a window, and notes whether windows are sparse.
void net_regions_note_sparse(struct net_drive *drive, uint64_t events);

// In a region: notes what is to be reported, now.
void net_region_report(struct net_drive *drive, struct net_report report);

// In the order of ticks, then of places.
bool net_report_is_before(const struct net_report *a, const struct net_report *b);

// Reports to the traffic and the results.
void net_regions_give(struct net_drive *drive, const struct net_report *report);

// ---- regions_loops.c: traffic that reacts
// Whether it may be divided; does so, before the first window; and undoes it.
bool net_loops_allowed(const struct net_drive *drive);
enum tr_status net_loops_open(struct net_drive *drive);
void net_loops_close(struct net_drive *drive, bool goes_on);

// A number of a worm is not in use any more; between windows those go to whom they may serve.
void net_loops_reuse(struct net_drive *drive, uint32_t worm);
void net_loops_hand_out(struct net_loops *loops, struct net_region *region);

// In a region: packets enter; when the next does; a worm has come.
void net_loops_enter(struct net_region *region);
int64_t net_loops_next_ticks(const struct net_drive *drive);
void net_loops_come(struct net_drive *drive, uint32_t worm);

// A worm has ended, by what is reported; what has is no longer under way, as of the last window.
void net_loops_end(struct net_drive *drive, uint32_t worm);
void net_loops_forget(struct net_drive *drive);

// Whether a region has stopped; all come to the end of the window, and the network is to be moved
// as a whole from there on.
void net_loops_catch_up(struct net_drive *drive);

// Reports what happened in a window, up to *last.
void net_loops_report(struct net_drive *drive, unsigned turn, const struct net_report *last);

// The crew that moves those of this process; NULL, and the run has failed, if out of memory.
struct sim_crew *net_regions_crew(struct net_drive *drive);

// Moves those of this process; tasks of a crew, counted from its first one.
void net_region_run_own(void *regions, uint32_t task);

// Adds the kind's own of some totals to those of the run.
void net_regions_join(struct net_drive *drive, const struct net_totals *totals);

// Makes the regions one network, in which the run goes on: what was read and has not entered is
// offered again.
void net_regions_unite(struct net_drive *drive);

// A tick of a region: what arrives, then what enters and moves; when the next one is.
void net_region_arrive(struct net_region *region, int64_t ticks);
void net_region_go_on(struct net_region *region);
int64_t net_region_next_ticks(const struct net_region *region);

// Moves a region up to the end of the window; the task of a crew.
void net_region_run(void *regions, uint32_t number);

#endif
