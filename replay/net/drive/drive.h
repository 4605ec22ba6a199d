// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a network, the same for every kind: memory, traffic, the order of entry, time, samples
// of links, the fate of worms and the end. A kind's own run begins with a struct net_drive; its
// engine calls net_drive with the rules of the kind.
#ifndef NET_DRIVE_H
#define NET_DRIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive_links.h"
#include "net/drive/drive_loss.h"
#include "net/drive/intake.h"
#include "net/drive/regions.h"
#include "net/drive/worm.h"
#include "net/engine.h"
#include "net/topology/graph.h"
#include "net/view.h"
#include "sim/agenda.h"
#include "sim/arena.h"

struct net_drive;

// The rules of a kind. run is its own; a rule that is NULL has nothing to do. In a tick first worms
// arrive, then packets enter in the order of the traffic, then worms move, then faults begin and
// end; the order of places within each of these must not affect results. The drive sets a worm's
// created_ticks and, as it is delivered, received_ticks; the kind sets started_ticks,
// injected_ticks and head_ticks, and, before it drops one, route_count to the switches that it has
// reached. Where pool.alive is sources.unborn nothing is under way.
struct net_rules {
	const char *name; // of the kind, for errors
	bool linked;	  // the topology's cables count: the graph is open before layout
	bool routed; // each worm gets its route as it enters, or, with a choice, is known to have
		     // one
	bool to_itself; // but for one to its own host
	// Packets move whole over links: the drive supplies those of enter, arrive, move,
	// next_ticks, sample, fault and expire that are NULL (net/drive/drive_links.h). NULL: they
	// do not.
	const struct net_link_rules *links;
	const struct net_region_rules *regions; // NULL: the network is never cut
	void (*layout)(void *run); // takes its memory from the drive's arena, for pool.capacity
				   // worms; called more than once (sim/arena.h)
	enum tr_status (*open)(void *run); // makes the network, all idle
	// Whether the packet can become a worm now; false: it waits, and the traffic with it, until
	// net_drive_room. It may set the offer's refused, or its source, where another host sends
	// it. NULL: all can.
	bool (*fits)(void *run, struct net_offer *offer);
	void (*enter)(void *run, uint32_t worm);
	void (*arrive)(void *run);
	void (*move)(void *run);
	// When one of arrive and move has something to do, asked after each tick; one that is not
	// later repeats the tick. INT64_MAX: never.
	int64_t (*next_ticks)(void *run);
	// Writes into out, which is zero, what a link did since the rule was called for it last, up
	// to a tick. What it does may change only at ticks of the drive. False: this link has no
	// samples, as long as the run lasts. NULL: none has.
	bool (*sample)(void *run, uint32_t link, int64_t ticks, struct tr_link *out);
	void (*end)(void *run, uint32_t worm); // completes a worm before it is reported
	// The cable, or the host or switch at its end, has died or recovered; it may be told so
	// again.
	void (*fault)(void *run, uint32_t cable);
	// The switch, from 0, has died, and its cables before it: what it holds is lost. NULL: it
	// holds nothing that its cables do not lose.
	void (*die)(void *run, uint32_t at);
	// The time of these worms is over, in the order of entry: each leaves the network by
	// net_drive_lose, now or, where it is on its way whatever becomes of it, once it has come.
	// NULL: the kind has no timeouts, or its own.
	void (*expire)(void *run, const uint32_t *worms, uint32_t count);
	// Counts what is under way; was_cut: nothing of the last tick has happened. It may set
	// now_ticks to another end.
	void (*close)(void *run, bool was_cut);
	// Writes the kind's state into a view while packets enter: all that has an effect on what
	// follows. NULL: the kind cannot.
	void (*state)(void *run, struct net_view *view);
	bool state_at_rest; // only where nothing is under way, and then it may set the view's busy
	uint32_t peaks;	    // of the view
};

// Samples of links, of intervals of one width; those in which no link did anything are given as one
// where the one before is such.
struct net_samples {
	struct tr_link *links; // of the present interval; NULL: no samples
	int64_t begin_ticks;   // of the present interval
	int64_t silent_ticks;  // from then on no link did anything, and that was not given;
			       // INT64_MAX
};

#define NET_UNBORN UINT64_MAX

// A finite source (drive_sources.c).
struct net_source {
	struct net_worm_list coming; // read, and not generated
	int64_t given_ticks; // of the last one generated, its time in the traffic; INT64_MIN before
			     // one
	int64_t left_ticks;  // when that one had wholly left
	bool outstanding;    // it has not
};

struct net_sources {
	struct net_source *hosts; // NULL: sources are not finite
	struct agenda thinking;	  // hosts, by when they generate their next packet, then by number
	uint32_t needy;		  // hosts that could think if their next packet were read
	uint32_t unborn;	  // worms read, and not generated
};

// The begin or end of a fault.
struct net_fault_change {
	int64_t ticks;
	uint32_t fault; // index in the setup's faults
	bool begins;
};

struct net_faults {
	struct net_fault_change *changes; // by their ticks
	uint32_t *cables;   // of each the active faults; NULL: there are none in this run
	uint32_t *hosts;    // likewise; the cable of a dead host is dead
	uint32_t *switches; // likewise; so are all cables of a dead switch
	uint32_t *deaths;   // of each cable: how often it has died
	uint32_t count;
	uint32_t next;
	int64_t next_ticks; // its tick; INT64_MAX: there is none
	struct net_losses losses;
	uint8_t *dooms; // of each worm under way: enum tr_drop_reason, why it will be dropped
	const struct net_routes *routes; // in force
	uint16_t *steps;		 // room for a route
	uint32_t *ages;	  // of each worm of a kind with links: the reroute that its route is of
	const bool *cut;  // of each host: it has no route; NULL: none is so
	uint32_t reroute; // the next of the setup's
	int64_t reroute_ticks; // its tick; INT64_MAX: there is none
};

// A worm among those under way by their age.
struct net_age {
	uint32_t older; // NET_NO_WORM
	uint32_t younger;
	bool late; // its time is over: it is not among them any more
};

struct net_timeouts {
	struct net_age *ages; // by worm; NULL: there are no timeouts in this run
	uint32_t oldest;      // NET_NO_WORM
	uint32_t youngest;
	int64_t next_ticks; // when the time of the oldest is over; INT64_MAX
	int64_t loss_ticks; // the same, or when the next fault begins or ends, if that is before
};

// What is seen of a packet on a link: it begins there, its last character has left, or the rest of
// it is lost.
enum net_seen { NET_SEEN_END, NET_SEEN_BEGIN, NET_SEEN_LOST };

struct net_seen_packet {
	uint64_t id;
	uint32_t link;
	uint32_t size_bytes;
};

struct net_watching {
	struct agenda seen; // about: in packets
	struct net_seen_packet *packets;
	uint32_t *spare; // places in packets
	uint32_t spare_count;
	uint32_t used;
};

struct net_cut_run {
	struct net_regions *regions; // NULL: the network is not cut
	struct net_regions *united;  // those that it was cut into
	struct net_region *region;   // that this run is of; NULL: of the whole network
};

// The rules may read this; they set only the fields marked as theirs.
struct net_drive {
	const struct net_setup *setup;
	const struct net_rules *rules;
	struct net_totals *totals; // theirs: events, own, livelocked, full_hosts
	struct sim_arena arena;
	struct net_graph graph;
	struct net_worm_pool pool; // theirs: times, lists
	struct net_intake intake;
	struct net_samples samples;
	struct net_sources sources;
	struct net_faults faults;
	struct net_timeouts timeouts;
	struct net_watching watching;
	struct net_links links;
	struct net_cut_run cut;
	uint64_t *serials;   // of each worm: its place in the order of entry; NET_UNBORN: it is not
			     // generated
	int64_t start_ticks; // of the first packet; 0: there is none
	int64_t now_ticks; // INT64_MIN before the first tick; start_ticks - 1 for what is dead from
			   // the start
	int64_t last_ticks; // theirs, too: a packet last entered or ended, or a fault began or
			    // ended
	int64_t stop_ticks; // INT64_MAX: the run is not cut
	uint64_t entered;
	bool enough; // the results have said so; theirs, too: the run ends with the tick
	bool stands; // theirs: a deadlock was found, which ends the run
	enum tr_status status;
	struct tr_error *err;
};

// Runs until nothing is left to do, the results want no more, or setup.stop_ticks. run is zero but
// for what the kind has set behind its struct net_drive. TR_ERROR also where more than worms_max
// (above 0), or than the setup's memory has room for, are under way.
enum tr_status net_drive(void *run, const struct net_setup *setup, const struct net_rules *rules,
			 uint64_t worms_max, struct net_totals *totals, struct tr_error *err);

// Fails the run; only the first failure is kept.
void net_drive_fail(struct net_drive *drive, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The worm has come to its end now, which is reported; its number may be used again. One whose time
// is over, or that a cable has damaged, is dropped instead of delivered.
void net_drive_deliver(struct net_drive *drive, uint32_t worm);
void net_drive_drop(struct net_drive *drive, uint32_t worm, enum tr_drop_reason reason);

// Drops the worm as one whose time is over, or else for what dooms it, or else as lost to a fault.
void net_drive_lose(struct net_drive *drive, uint32_t worm);

// The same as the first two, but the number stays in use until net_drive_reuse.
void net_drive_end(struct net_drive *drive, uint32_t worm, enum tr_delivery_status status,
		   enum tr_drop_reason reason);
void net_drive_reuse(struct net_drive *drive, uint32_t worm);

// The way of a packet that gets its route now, once: where routes spread packets.
uint32_t net_drive_way(const struct net_drive *drive, uint32_t worm);

// A number for a worm that is no packet of the traffic: it has its place in the order of entry. The
// kind gives it back, in close at the latest. NET_NO_WORM: the pool is empty, and the run fails.
uint32_t net_drive_own_worm(struct net_drive *drive);

// The host has room: the offer that waits for it is tried in the next tick.
void net_drive_room(struct net_drive *drive, uint32_t host);

// Whether the traffic has something to do by itself: a packet enters at a known time, a finite
// source thinks, or the traffic is asked after a result.
bool net_drive_expects(const struct net_drive *drive);

// The host's last packet has wholly left it, or will have at a tick: for finite sources. A kind
// says so of each packet that has entered, lost or not.
void net_drive_left(struct net_drive *drive, uint32_t host, int64_t ticks);

// Something of a worm is seen on a link, now or later; nothing where it is not watched. At any time
// at most 72 of a link are ahead. Each begin is followed by an end, a loss, or an end and then a
// loss, where what has left is lost behind the link's near end.
void net_drive_see(struct net_drive *drive, int64_t ticks, enum net_seen kind, uint32_t link,
		   uint32_t worm);

// How many links the topology has; a rank's graph may have less.
static inline uint32_t net_drive_links(const struct net_drive *drive)
{
	return (uint32_t)(2 * drive->setup->topology->cable_count);
}

// A worm asks for a link from a tick on, now or later (net_setup.contest).
static inline void net_drive_asks(const struct net_drive *drive, uint32_t link, uint32_t worm,
				  int64_t ticks)
{
	const struct net_contest *contest = drive->setup->contest;

	if (contest)
		contest->ask(contest->context, link, &drive->pool.worms[worm], ticks);
}

// It is given another link than that for which it asks (net_setup.contest is there).
static inline void net_drive_asks_another(const struct net_drive *drive, uint32_t link,
					  uint32_t other, uint32_t worm)
{
	const struct net_contest *contest = drive->setup->contest;

	contest->leave(contest->context, link, &drive->pool.worms[worm], drive->now_ticks);
	contest->ask(contest->context, other, &drive->pool.worms[worm], drive->now_ticks);
}

// It begins on the link now.
static inline void net_drive_begins(const struct net_drive *drive, uint32_t link, uint32_t worm)
{
	const struct net_contest *contest = drive->setup->contest;

	if (contest)
		contest->begin(contest->context, link, &drive->pool.worms[worm], drive->now_ticks);
}

// A worm passes a link from now on, which may damage it. Every kind says so of each worm and link.
static inline void net_drive_passes(struct net_drive *drive, uint32_t link, uint32_t worm)
{
	if (drive->faults.losses.of_link)
		net_losses_begin(drive, link, worm);
}

// Why a worm under way will be dropped: TR_DROP_ERROR where a cable has damaged it; mostly
// TR_DROP_NONE.
static inline enum tr_drop_reason net_drive_doom(const struct net_drive *drive, uint32_t worm)
{
	return drive->faults.dooms ? (enum tr_drop_reason)drive->faults.dooms[worm] : TR_DROP_NONE;
}

// A worm enters, or one that was lost is sent once more: undamaged.
static inline void net_drive_renew(struct net_drive *drive, uint32_t worm)
{
	if (drive->faults.dooms)
		drive->faults.dooms[worm] = TR_DROP_NONE;
}

// The worm under way has no route any more, and is to be lost; false: such a thing is an error of
// the routes, for nothing reroutes in this run.
static inline bool net_drive_strands(struct net_drive *drive, uint32_t worm)
{
	if (drive->setup->reroute_count == 0)
		return false;
	drive->faults.dooms[worm] = TR_DROP_NO_ROUTE;
	return true;
}

// It ends there now.
static inline void net_drive_ends(const struct net_drive *drive, uint32_t link, uint32_t worm)
{
	const struct net_contest *contest = drive->setup->contest;

	if (contest)
		contest->end(contest->context, link, &drive->pool.worms[worm], drive->now_ticks);
}

// A worm that is on the same link waits that long for another (net_setup.contest is there).
static inline void net_drive_yields(const struct net_drive *drive, uint32_t worm, uint32_t other,
				    int64_t ticks)
{
	const struct net_contest *contest = drive->setup->contest;

	contest->yield(contest->context, &drive->pool.worms[worm], &drive->pool.worms[other],
		       ticks);
}

// Puts worms into the order of entry.
void net_drive_sort(const struct net_drive *drive, uint32_t *worms, uint32_t count);

// Whether a link carries nothing now, and whether a host holds nothing.
static inline bool net_drive_link_is_dead(const struct net_drive *drive, uint32_t link)
{
	return drive->faults.cables && drive->faults.cables[link / 2] > 0;
}

// Whether a host, or its cable, is dead now.
static inline bool net_drive_host_is_dead(const struct net_drive *drive, uint32_t host)
{
	return drive->faults.hosts && drive->faults.hosts[host] > 0;
}

// Whether the time of a worm under way is over.
static inline bool net_drive_is_late(const struct net_drive *drive, uint32_t worm)
{
	return drive->timeouts.ages && drive->timeouts.ages[worm].late;
}

// For kinds whose packets stay on a link even if it dies: the mark that a packet which starts now
// keeps and, once it has arrived, whether it was lost because the link was dead at some time in
// between.
static inline uint32_t net_drive_link_mark(const struct net_drive *drive, uint32_t link)
{
	if (!drive->faults.cables)
		return 0;
	return net_drive_link_is_dead(drive, link) ? UINT32_MAX : drive->faults.deaths[link / 2];
}

// Whether what got this mark is lost.
static inline bool net_drive_link_lost(const struct net_drive *drive, uint32_t link, uint32_t mark)
{
	return drive->faults.cables && mark != drive->faults.deaths[link / 2];
}

// ---- drive.c: for regions.c

// Asks the traffic for its next packet.
void net_drive_ask(struct net_drive *drive);

// Tells the results of a worm's end.
void net_drive_report(struct net_drive *drive, const struct net_worm *worm,
		      enum tr_delivery_status status, enum tr_drop_reason reason);

// More are under way than may be.
void net_drive_fail_full(struct net_drive *drive);

// ---- drive_routes.c: for net_drive

// Gives the worm of an offer the offer's own route, if it has one; gives a worm that has none its
// list of ports, or fails the run.
bool net_drive_take_route(struct net_drive *drive, uint32_t worm, const struct net_offer *offer);
bool net_drive_route(struct net_drive *drive, uint32_t worm);

// Whether faults have left the hosts of a packet that enters without a route, where something
// reroutes; false also where nothing does, for then it is an error.
bool net_drive_is_cut_off(const struct net_drive *drive, uint32_t source, uint32_t destination);
static inline bool net_drive_lacks_route(const struct net_drive *drive, uint32_t source,
					 uint32_t destination)
{
	return drive->setup->reroute_count > 0 && net_drive_is_cut_off(drive, source, destination);
}

// A worm that has passed so many switches is whole at a switch, which has tables by destination:
// where new routes are in force it takes theirs for the rest of its way, if any passes the switch.
// faults.ages are there.
void net_drive_redirect(struct net_drive *drive, uint32_t worm, uint32_t hops, uint32_t node);

// Takes into force the routes that were due before a tick.
void net_reroutes_until(struct net_drive *drive, int64_t ticks);

// Room for what ways of packets need, as in sim/arena.h.
void net_ways_layout(struct net_drive *drive);

// ---- drive_memory.c: for net_drive

// Takes the memory of a run for at most so many worms, as the setup bounds them, idle.
enum tr_status net_memory_open(struct net_drive *drive, uint32_t worms);

// ---- drive_faults.c: for net_drive

// Takes the room for the faults of the setup from the arena; none without any.
void net_faults_layout(struct net_drive *drive);

// The next fault, or timeout, is another one.
static inline void net_drive_note_loss(struct net_drive *drive)
{
	const int64_t fault = drive->faults.next_ticks, timeout = drive->timeouts.next_ticks;

	drive->timeouts.loss_ticks = fault < timeout ? fault : timeout;
}

// TR_ERROR if a fault has no target.
enum tr_status net_faults_open(struct net_drive *drive);

// What fails or recovers at or before a tick; also for a rule move that has to clear up behind the
// faults of a tick.
void net_faults_until(struct net_drive *drive, int64_t ticks);

// ---- drive_timeouts.c: for net_drive

// No worm has an age yet; takes the room for ages from the arena, if the setup has timeouts and the
// kind can.
void net_timeouts_layout(struct net_drive *drive);

// The worm was generated, and has come to its end; there are timeouts.
void net_timeouts_begin(struct net_drive *drive, uint32_t worm);
void net_timeouts_end(struct net_drive *drive, uint32_t worm);

// Worms whose time is over at or before a tick, which are some.
void net_timeouts_until(struct net_drive *drive, int64_t ticks);

// ---- drive_sources.c: for net_drive

// Takes the room for finite sources from the arena, if the setup has them; and starts them before
// their first packets.
void net_sources_layout(struct net_drive *drive);
void net_sources_open(struct net_drive *drive);

// The worm was read, and will be generated.
void net_sources_read(struct net_drive *drive, uint32_t worm);

// A worm that is generated now; NET_NO_WORM.
uint32_t net_sources_take(struct net_drive *drive);

// That worm is dropped at once, which has been reported.
void net_sources_drop(struct net_drive *drive, uint32_t worm);

// When the next one is generated; INT64_MAX: none that was read.
int64_t net_sources_next(const struct net_drive *drive);

// ---- drive_watch.c: for net_drive

// Takes the room for what is seen on links from the arena, if the setup watches.
void net_watch_layout(struct net_drive *drive);

// Gives what is seen at or before a tick.
void net_watch_until(struct net_drive *drive, int64_t ticks);

// ---- drive_view.c

// For net_drive: prepares the view of the traffic, which has one.
void net_view_open(struct net_drive *drive);

// Appends what a worm is and what has happened to it.
void net_view_worm(struct net_view *view, const struct net_drive *drive, uint32_t worm);

// ---- drive_samples.c: for net_drive

// Takes the room for samples of links from the arena, if the setup samples and the kind can.
void net_samples_layout(struct net_drive *drive);

// The first interval is that in which a tick lies.
void net_samples_open(struct net_drive *drive, int64_t ticks);

// Gives the intervals that end at or before a tick, before anything of it happens.
void net_samples_until(struct net_drive *drive, int64_t ticks);

// Gives what is left; a rule close may have done so. was_cut: nothing of the last tick has
// happened.
void net_samples_close(struct net_drive *drive, int64_t end_ticks, bool was_cut);

#endif
