// SPDX-License-Identifier: GPL-3.0-or-later
// Links over which packets move whole, one after the other, for kinds of networks that store and
// forward: queues, frames on their way, samples, traces, faults, timeouts and finite sources. What
// happens in a tick goes in this order, and within each by the number of the link:
//   packets have left their link's near end; packets are whole at its far end: hosts deliver,
//   switches store; packets enter; the kind's own rule move, which ends with net_links_move; links
//   start packets.
// A link stands for the output at its near end and for the input at its far end. A kind with
// priorities has a queue for each of them at each output (drive_links_priorities.c); without, an
// output has one queue.
#ifndef NET_DRIVE_LINKS_H
#define NET_DRIVE_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/drive/cables.h"
#include "net/drive/worm.h"
#include "net/topology/topology.h"
#include "sim/agenda.h"
#include "sim/timers.h"

#define NET_LINK_PRIORITIES 8u

struct net_drive;
struct net_rules;
struct net_setup;

// What a kind says of them (net_rules.links).
struct net_link_rules {
	size_t cables;		// offset of a struct net_cables in the kind's parameters
	uint32_t payload_min_B; // shorter packets are padded
	uint32_t around_B;	// header and trailer: part of a packet on links and in queues
	uint32_t lead_B;	// on a link before each packet: its preamble
	uint32_t gap_B;		// least, from the end of a packet to the next
	// Offset of a uint64_t in them: bytes of a packet, its header included, after which a
	// switch takes it in, if the link on which it goes on is no faster than the one on which it
	// comes (cut-through). 0, or there: when it is whole.
	size_t cut;
	// A packet, which is in no list, is whole (or, if it cuts through, begins to come) at the
	// switch to which the link in leads, and goes on by the link out: net_links_queue,
	// net_links_hold or net_links_drop.
	void (*store)(void *run, uint32_t worm, uint32_t in, uint32_t out);
	// A packet of so many bytes has left the switch at the near end of a link, or was lost in
	// its queue. NULL: nothing to do.
	void (*leave)(void *run, uint32_t link, uint32_t worm, uint32_t bytes);
	const struct net_link_priority_rules *priorities; // NULL: none
};

// What a kind with priorities says besides.
struct net_link_priority_rules {
	// Whether this run has them; asked before layout.
	bool (*used)(const void *run);
	// The priority of a packet that enters, below NET_LINK_PRIORITIES. It keeps it.
	uint8_t (*of)(const void *run, uint32_t worm);
	// Which of the priorities of a set, by bit, not empty, sends its first packet on a link
	// now.
	uint32_t (*choose)(void *run, uint32_t link, unsigned ready);
	// A frame of the kind's own may begin on a link now, before all packets: returns whether it
	// does. NULL: there are none.
	bool (*control)(void *run, uint32_t link);
	uint32_t control_B; // of such a frame, without lead and gap
};

struct net_link {
	struct net_cable_times times;
	struct net_end from;
	struct net_end to;
	struct net_worm_list queue;  // of the output; unused with priorities
	struct net_worm_list flying; // sent, and not whole at the far end
	uint64_t queue_B;	     // in the queue, held for it, and being sent
	uint32_t leaving_B;	     // the latter
	uint32_t leaving;	     // the worm that is being sent; NET_NO_WORM: it was lost
	uint32_t leaving_mark;	     // its mark on this link
	bool starts;		     // an event of its start is pending
	bool control;		     // a frame of the kind's own may be due
	int64_t free_ticks;	     // from when the next may start
};

enum net_link_place {
	NET_LINK_QUEUED,
	NET_LINK_FLYING,
	NET_LINK_HELD,
	NET_LINK_FORLORN, // held by a switch that has died since
};

// How a worm comes to the far end of its link: a set of these.
#define NET_LINK_CUTS 1u // the switch takes it in before it is whole
#define NET_LINK_TORN 2u // a cable died while it was on it: it is lost where it is whole

// What is kept of each worm.
struct net_link_life {
	int64_t at_ticks; // in a queue: it may start from then on; on a link: it is taken in
	uint32_t mark;	  // of the link that it is on (net_drive_link_mark)
	uint16_t hops;	  // switches that it has reached
	uint8_t priority;
	uint8_t place : 4;
	uint8_t comes : 4; // NET_LINK_CUTS, NET_LINK_TORN
};

// An output's queue of a priority.
struct net_link_queue {
	int64_t held_ticks;	      // no packet of it starts before
	uint64_t bytes;		      // in it, held for it, and being sent
	struct net_worm_list waiting; // in it
};

// What a link did since its sample was taken last, up to since_ticks. It is busy from a packet's
// preamble to the end of the gap behind it, and its occupancy is queue_B. It is stopped while a
// packet waits in a queue that is held.
struct net_link_meter {
	int64_t since_ticks;
	struct tr_link sample;
};

struct net_links {
	struct net_link *links;	       // NULL: the kind does not use them
	struct net_link_life *lives;   // by worm
	struct net_link_meter *meters; // NULL: no samples
	struct agenda agenda;
	uint32_t held;		       // packets
	struct net_link_queue *queues; // of each link, by priority; NULL: there are no priorities
	struct sim_timers starts;      // with priorities: of links
	uint64_t cut_B;		       // net_link_rules.cut; 0: none
};

// The queue of a link for a priority; there are priorities.
static inline struct net_link_queue *net_link_queue(const struct net_links *links, uint32_t link,
						    uint32_t priority)
{
	return &links->queues[link * NET_LINK_PRIORITIES + priority];
}

// The rule enter: the worm waits at its source, and may start at once. The run fails where it has
// 2 GiB or more.
void net_links_enter(void *run, uint32_t worm);

// What a switch does with a packet that it has stored: appends it to the output's queue, from which
// it may start at at_ticks, now or later; appends it to a list of its own, where it counts as
// occupancy of the output; or has no room for it.
void net_links_queue(struct net_drive *drive, uint32_t link, uint32_t worm, int64_t at_ticks);
void net_links_hold(struct net_drive *drive, uint32_t link, uint32_t worm,
		    struct net_worm_list *list);
void net_links_drop(struct net_drive *drive, uint32_t link, uint32_t worm);

// The first of a list of held packets goes into the output's queue, and may start at once. It is
// lost now where its time ended, or its switch died, while it was held.
void net_links_release(struct net_drive *drive, uint32_t link, struct net_worm_list *list);

// No packet of a priority starts on a link before a tick; one that is not later than now ends that.
void net_links_stop(struct net_drive *drive, uint32_t link, uint32_t priority, int64_t until_ticks);

// The kind's rule control is to be asked as soon as the link is free.
void net_links_control(struct net_drive *drive, uint32_t link);
// The link on which a worm goes on from a switch; UINT32_MAX: its route leads to no cable.
uint32_t net_links_onwards(const struct net_drive *drive, uint32_t worm, uint32_t node);

// The link before one of a packet's way that is not its first, and that it leaves now, or in whose
// queue it is lost: where it passes that more than once, before the last time that it came to this.
uint32_t net_links_before(const struct net_drive *drive, uint32_t worm, uint32_t link);

// The link of the output in whose queue a packet is.
uint32_t net_links_of_worm(const struct net_drive *drive, uint32_t worm);

// By how much earlier the switch at the far end takes in the worm that starts on a link now than
// when it is whole, if it goes on by the link out (UINT32_MAX: by none): if by any, it cuts
// through.
int64_t net_links_cut_ticks(struct net_drive *drive, uint32_t link, uint32_t worm, uint32_t out);

// The worm on a link has left its near end, or is lost.
void net_links_part(struct net_drive *drive, uint32_t link);

// A worm is lost, of which a part may not have left the links behind it.
void net_links_cease(struct net_drive *drive, uint32_t worm);

// Rules (net/drive/drive.h): net_drive gives these to a kind with net_rules.links for those that it
// leaves NULL, enter among them. Those of a kind's own call these.
void net_links_arrive(void *run);
void net_links_move(void *run);
int64_t net_links_next_ticks(void *run);
bool net_links_sample(void *run, uint32_t link, int64_t ticks, struct tr_link *out);
void net_links_fault(void *run, uint32_t cable);
void net_links_die(void *run, uint32_t at);
void net_links_expire(void *run, const uint32_t *worms, uint32_t count);

// ---- for net_drive

// Gives the kind the rules that it leaves NULL. TR_ERROR where the setup's routes have a choice or
// need lanes.
enum tr_status net_links_complete(struct net_rules *rules, const struct net_setup *setup,
				  struct tr_error *err);

// Takes the room for links and their worms from the arena.
void net_links_layout(struct net_drive *drive);

// Makes the links, all idle. TR_ERROR where a cable's times are out of range.
enum tr_status net_links_open(struct net_drive *drive);

// ---- drive_links_samples.c: for the files drive_links*.c, where there are samples

// Counts what a link did up to now, before something of it changes; the peak of its queue.
void net_links_settle(struct net_drive *drive, uint32_t link);
void net_links_peak(struct net_links *links, uint32_t link);

// ---- drive_links.c: for drive_links_priorities.c

// The first of a queue of a link starts now.
void net_links_send(struct net_drive *drive, uint32_t link, struct net_worm_list *queue);

// A link sends so many bytes from now on, and then the gap. Returns when the last has left.
int64_t net_links_occupy(struct net_drive *drive, uint32_t link, uint32_t bytes);

// ---- drive_links_priorities.c: for drive_links.c, where there are priorities

// Room for the queues, if the run has priorities.
void net_priorities_layout(struct net_drive *drive);

// Plans the next start on a link anew.
void net_priorities_plan(struct net_drive *drive, uint32_t link);

// The links that may start something in this tick do.
void net_priorities_start(struct net_drive *drive);

// When the next of them may, if before a tick; else that tick.
int64_t net_priorities_next(struct net_drive *drive, int64_t ticks);

// How long, from since_ticks to ticks, packets waited in queues of a link that are held.
int64_t net_priorities_stopped(const struct net_links *links, uint32_t link, int64_t since_ticks,
			       int64_t ticks);

#endif
