// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that the files of this folder offer one another and the media: traffic entry,
// hosts, and lost and ended worms.
#ifndef NET_MYRINET_HOSTS_HOSTS_H
#define NET_MYRINET_HOSTS_HOSTS_H

#include "net/myrinet/hosts/run.h"

// --- entry.c

// Rules of the drive: a packet enters its source's queue, or waits outside, or where it is copied.
// Whether a queue is full is judged at the end of the previous tick.
bool myr_entry_fits(void *run, struct net_offer *offer);
void myr_entry(void *run, uint32_t worm);

// --- hosts.c

// Hosts: queues in main memory, adapter memory, transfers between the two. Memory or a queue place
// released in a tick can be used from the next tick on.

// Calls from the medium. The head of a worm has arrived at the host; it waits until medium->admit.
void myr_host_asks(struct myr_run *run, uint32_t host, uint32_t worm);
// All of a worm, except a GAP after it, was taken.
void myr_host_whole(struct myr_run *run, uint32_t host, uint32_t worm);
// That GAP was taken, or removed.
void myr_host_tail(struct myr_run *run, uint32_t worm);
// The last character of the host's current worm has started; the next worm follows.
void myr_host_sent(struct myr_run *run, uint32_t host);

// The host's state changes in this tick, before hosts receive and send.
void myr_host_wake(struct myr_run *run, uint32_t host);

// A component of the calendar that is no medium's is due: a host wakes; timers of links come later.
static inline void myr_host_due(struct myr_run *run, uint32_t component)
{
	if (component < run->clock.first_timer &&
	    sim_calendar_is_due(&run->clock.calendar, component))
		myr_host_wake(run, component - run->clock.first_host);
}

// The phases, for all awake hosts: transfers out of adapters end, and worms are delivered; then
// worms that have room enter their queues; then transfers into adapters.
void myr_hosts_receive(struct myr_run *run);
void myr_hosts_fill(struct myr_run *run);
void myr_hosts_send(struct myr_run *run);

// The list of its source in which the worm waits, in main memory, to be fetched.
struct net_worm_list *myr_host_list(struct myr_run *run, uint32_t worm);

// Appends the worm to it.
void myr_host_queue(struct myr_run *run, uint32_t worm);

// Whether a worm of this size can ever fit.
bool myr_host_fits(const struct myr_run *run, uint32_t size_bytes);

// Releases the memory of a worm.
void myr_host_give_back(struct myr_run *run, uint32_t host, uint32_t size_bytes);

// --- layer.c

// The messaging layer: credits, and the worms that return, request and grant them.

// Arrays of the arena, if there are credits.
void myr_layer_layout(struct myr_run *run);

// Upper bound of its worms.
uint64_t myr_layer_worms(const struct myr_run *run);

// Whether the worm has a credit, can have one now, or needs none. The second takes it.
bool myr_layer_permits(const struct myr_run *run, uint32_t worm);
void myr_layer_spend(struct myr_run *run, uint32_t worm);

// Asks the manager for a credit, once, if the first worm of the host's queue lacks one.
void myr_layer_ask(struct myr_run *run, uint32_t host);

// A worm of the traffic is in main memory: replies. A worm of the layer is: does what it says.
void myr_layer_delivered(struct myr_run *run, uint32_t worm);
void myr_layer_arrived(struct myr_run *run, uint32_t worm);

// At the end of a run, gives back the layer's worms, which are no packets that are in flight.
void myr_layer_end(struct myr_run *run);

// --- copies.c

// Multicast by adapters or switches.

// Memory for a group, if there is multicast.
void myr_multicast_layout(struct myr_run *run);

// Whether the offer that enters is a copy that another host than its source makes, or a switch.
bool myr_multicast_has_parent(struct myr_run *run);

// The worm of which it is made; NET_NO_WORM: there is none, or it was dropped.
uint32_t myr_multicast_parent(const struct myr_run *run);

// The offer has become this worm; NET_NO_WORM: it was dropped.
void myr_multicast_add(struct myr_run *run, uint32_t worm);

// The copy waits to be made of this worm, or of its copies. If switches copy, the worm keeps the
// longest route: the two may exchange packets.
void myr_multicast_attach(struct myr_run *run, uint32_t worm, uint32_t copy);

// At a switch, hop number hop (from 0) of the worm's route, the routes of its copies part from its
// own. Returns the first of the worms that leave by the other ports, one for each, with its own
// copies; the next ones are siblings.
uint32_t myr_multicast_split(struct myr_run *run, uint32_t worm, uint32_t hop);

// Drops a copy, and the copies that it would have become.
void myr_multicast_drop(struct myr_run *run, uint32_t worm);

// --- loss.c, fault.c, removal.c

// Loss of worms: timeouts, faults, missing BEATs, wrong routes, damage. Whoever detects a loss
// reports it; the worm is removed completely, once per tick, after characters have moved and hosts
// have sent; losses found later, in the next tick.

// A livelock: worms were resent this many times per host without a delivery, and no worm has been
// in the network for as long.
#define MYR_LIVELOCK_RESENDS 1000u

// Marks the worm for removal. Of several reasons the last in this list counts: timeout, route,
// error, dead.
void myr_lose(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason);

// Its route is wrong: it is dropped, or the run fails.
void myr_lose_misrouted(struct myr_run *run, uint32_t worm);

// The worm's age counts from now, or no longer counts.
void myr_timeout_born(struct myr_run *run, uint32_t worm);
void myr_timeout_safe(struct myr_run *run, uint32_t worm);

// A worm begins to wait, now, at the link's far end (MYR_TIMEOUT_BLOCKED) or at its near end
// (MYR_TIMEOUT_SILENT). No effect for another kind of timeout.
void myr_timeout_watch_now(struct myr_run *run, uint32_t link);

// Starts the timer of a link if it is one that starts here.
static inline void myr_timeout_watch(struct myr_run *run, uint32_t link, enum myr_timeout_from from)
{
	if (run->times.timeout_ticks > 0 && run->params->loss.timeout_from == from)
		myr_timeout_watch_now(run, link);
}

// When the oldest worm times out; SIM_NEVER: none.
static inline int64_t myr_timeout_next(const struct myr_run *run)
{
	return run->ages.oldest == NET_NO_WORM
		       ? SIM_NEVER
		       : run->lives[run->ages.oldest].born_ticks + run->times.timeout_ticks;
}

// The phases. BEATs of this tick, before anything moves; then, after hosts, the age timeouts, and
// those of links whose timers are due; then, behind the drive's faults, removals.
void myr_beats(struct myr_run *run);
void myr_timeouts(struct myr_run *run);
void myr_timer(struct myr_run *run, uint32_t link);
void myr_removals(struct myr_run *run);

// A rule of the drive.
void myr_fault(void *run, uint32_t cable);
void myr_die(void *run, uint32_t at);

// The BEAT that was due goes out at this tick.
void myr_beat_goes(struct myr_run *run, uint32_t link, int64_t ticks);

// Whether the link's near end considers its cable lost now.
bool myr_is_lost_now(const struct myr_run *run, uint32_t link);

// Whether what is on the link is lost, since it missed its beats.
static inline bool myr_is_lost(const struct myr_run *run, uint32_t link)
{
	return run->times.beat_ticks > 0 && myr_is_lost_now(run, link);
}

// --- run_regions.c

extern const struct net_region_rules myr_regions;

// --- noise.c

// Bit errors: each bit of a route, final, type, data or CRC character is inverted on its way over a
// link with one probability, independently; the gaps between errors are geometric, drawn from the
// stream "bits LINK" of the seed. The bits of a link are those of all worms that begin on it, for
// each as many as it has to send there, even if it does not send them all.

// Starts the random bit errors of a link, from a stream of its own.
void myr_noise_open(struct myr_run *run, uint32_t link);

// A worm begins on the link, with this number of characters that can be damaged.
void myr_noise_begin(struct myr_run *run, uint32_t link, uint32_t characters);

// The inverted bits of the worm's character number (from 0) among these; numbers must ascend, but
// may be skipped.
uint8_t myr_noise_flip(struct myr_run *run, uint32_t link, uint32_t number);

// The number of the next character that is damaged; UINT32_MAX: none.
uint32_t myr_noise_next(const struct myr_run *run, uint32_t link);

// The CRC error when behind characters follow the damaged one, not counting the CRC.
uint8_t myr_noise_residue(uint8_t flip, uint32_t behind);

// --- outcome.c

// For finite sources: all of the packet has left its source, or will have at a tick, or it is lost.
// Only the first time counts, as a worm may be sent again; worms of the messaging layer are none
// of the source's.
void myr_has_left(struct myr_run *run, uint32_t worm, int64_t ticks);

// The worm is delivered, or dropped, now; its number is used again when a GAP after it was taken,
// too.
void myr_outcome_delivered(struct myr_run *run, uint32_t worm);
void myr_outcome_dropped(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason);

// --- wait_cycle.c

// Tells the setup's cycles of one after a deadlock; the run cannot go on.
void myr_find_cycle(struct myr_run *run);

#endif
