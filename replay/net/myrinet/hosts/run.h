// SPDX-License-Identifier: GPL-3.0-or-later
// One run of the Myrinet model: the hosts (in this folder) and the medium between them, one of two
// (reference: character by character; local: by regimes). A tick has phases, each of which reads
// the results of earlier ones; man/flitline-models.7 has the rules.
#ifndef NET_MYRINET_HOSTS_RUN_H
#define NET_MYRINET_HOSTS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/myrinet/characters.h"
#include "net/myrinet/params.h"
#include "sim/calendar.h"
#include "value/random.h"
#include "value/ticks.h"

struct myr_run;

// A link's two ends, its times and the state of its cable.
struct myr_way {
	uint32_t from; // host, or switch + hosts
	uint32_t to;
	uint32_t to_port;
	bool was_dead; // before the faults of this tick
	int64_t character_ticks;
	int64_t delay_ticks;
	int64_t conversion_ticks;
};

// The BEATs of a link.
struct myr_beat {
	int64_t heard_ticks; // arrival of the last BEAT but one
	int64_t hears_ticks; // arrival of the last, perhaps in the future
	int64_t lost_ticks;  // when the near end declared the cable lost; -1: never
};

// A medium's report on a link at the end of a tick.
struct myr_look {
	uint32_t
		blocked; // worm whose head waits at the link's far end, and since when; NET_NO_WORM
	int64_t blocked_ticks;
	uint32_t silent; // worm that has the port at the near end, and the start of its last
			 // character
	int64_t silent_ticks;
	int64_t last_ticks;  // arrival of the last character, except BEATs; INT64_MIN: none
	uint64_t characters; // sent
	uint32_t peak;	     // of the buffer at the far end
	bool waits;	     // a character is still to be sent, perhaps without a pending event
	bool moves; // a character, not a BEAT, is still to start, to arrive or to be taken, after
		    // the tick
	struct tr_link sample; // since the last reset, without start, width and number
};

// The bits that a link inverts, numbered through all characters of its worms.
struct myr_noise {
	struct tr_random random;
	uint64_t next_bit;  // next to be inverted
	uint64_t first_bit; // of the current worm
	uint64_t end_bit;   // after it
};

// What stands at the two ends of a link when nothing moves any more.
struct myr_stand {
	uint32_t worm; // has the near end; NET_NO_WORM: none
	uint32_t
		input; // link from whose buffer it comes; NET_NOBODY: a host's, or it has left that
	uint32_t head; // worm at the far end, a switch, that requests an output or has one;
		       // NET_NO_WORM
	uint32_t output; // link that it requests, or has
	uint32_t branch; // first of the copies of it that want other outputs; NET_NO_WORM
	uint32_t hop;	 // of their routes here
	bool stopped;	 // the near end
	bool flows;	 // the head has all outputs that it requested
};

enum myr_signal {
	MYR_SIGNAL_RESET, // send it, after what is waiting
	MYR_SIGNAL_BEAT,
	MYR_SIGNAL_LOST,    // myr_lose the worm that has the port, and those that ask for it
	MYR_SIGNAL_DIES,    // the link lost its characters: myr_lose each worm on it
	MYR_SIGNAL_RETURNS, // myr_lose the worm of which a part was sent
	MYR_SIGNAL_EMPTIES, // the node at its far end has died: myr_lose each worm in its buffer
};

// The operations of a medium. In a tick: move; then hosts; then remove; then settle.
struct myr_medium {
	// Allocates its state, run->medium_state, from the run's arena; called twice (sim/arena.h).
	void (*layout)(struct myr_run *run);
	// Hosts and ways are made: initialises it as idle.
	void (*open)(struct myr_run *run);
	// Characters arrive at the ends of links, and others start.
	void (*move)(struct myr_run *run);
	// Heads request outputs, outputs choose, buffers are compared with their lines, and the
	// next events enter the calendar.
	void (*settle)(struct myr_run *run);
	// Sends host->sending, from this tick on.
	void (*send)(struct myr_run *run, uint32_t host);
	// The worm waiting at the host for memory gets it: its next character is taken now.
	void (*admit)(struct myr_run *run, uint32_t host);
	// Removes all of the worm.
	void (*remove)(struct myr_run *run, uint32_t worm);
	void (*signal)(struct myr_run *run, uint32_t link, enum myr_signal what);
	// Reports the state at the end of the tick, which is the current or the previous one. Also
	// sets the worms' head_ticks. resets: the sample starts anew.
	void (*look)(struct myr_run *run, uint32_t link, int64_t ticks, bool resets,
		     struct myr_look *out);
	// After a last look at each link, far behind the last event.
	struct myr_stand (*stand)(const struct myr_run *run, uint32_t link);
	// After a look at each link up to the tick before: whether nothing is at the link's two
	// ends, or on its way between them. *pointer becomes what the near end remembers of its
	// last choice. NULL: the medium cannot tell.
	bool (*rests)(const struct myr_run *run, uint32_t link, uint32_t *pointer);
	// Regions (net/drive/regions.h): takes what one has of its own; what another one said has
	// come; gives it back to the whole. NULL: none.
	void (*layout_region)(struct myr_run *run, struct sim_arena *arena, uint32_t links);
	void (*come)(struct myr_run *run, const struct net_crossing *crossing);
	void (*unite)(struct myr_run *whole, struct myr_run *region);
	bool (*carries)(const struct net_crossing *crossing); // a worm's head
	// Settles what a host has sent up to a tick.
	void (*sent)(struct myr_run *run, uint32_t host, int64_t ticks);
	uint32_t components;	  // calendar entries per link and
	uint32_t host_components; // per host
};

enum myr_place {
	MYR_AT_NOTHING,
	MYR_AT_PARENT,	// a copy, to be made where its parent arrives
	MYR_AT_OUTSIDE, // waits for room in its source's queue
	MYR_AT_QUEUE,	// in main memory
	MYR_AT_FETCH,	// being transferred to the adapter
	MYR_AT_ADAPTER, // in the adapter, not yet sent
	MYR_AT_NETWORK, // being sent, or sent
	MYR_AT_HOST,	// whole in its destination's adapter
	MYR_AT_STORE,	// being transferred to main memory
};

// What a worm is: data of the traffic, or a message of the hosts' messaging layer.
enum myr_control {
	MYR_CONTROL_NONE,
	MYR_CONTROL_REPLY,   // returns the credit of the worm that it answers
	MYR_CONTROL_REQUEST, // of a credit, to the manager
	MYR_CONTROL_GRANT,   // of one, from the manager
};

// The state of the messaging layer.
struct myr_layer {
	uint32_t *used;	   // credits, by source and destination
	uint32_t *waiting; // hosts that asked the manager: a ring
	uint32_t first, count;
	uint64_t pool; // credits that the manager has
};

// A link of the tree that the routes of a group form.
struct myr_mark {
	uint64_t group;	 // its number
	uint32_t before; // the link before it; UINT32_MAX: none
};

// The copies of one packet that have entered in this tick, each a worm. If adapters copy, a copy is
// at the place of a tree with the source at 0 and the children of place p at p fan_out + 1 and on;
// its worm goes from its parent's host. If switches copy, all others wait at the first to be split
// off.
struct myr_group {
	struct net_offer like; // source, time and size; route NULL
	int64_t ticks;	       // of the entry; INT64_MIN: it is closed
	uint64_t number;       // counts groups
	uint32_t *members;     // worm at each place, from 1; NET_NO_WORM: dropped
	uint32_t count;
	struct myr_mark *marks; // of each link, if switches copy
	uint16_t *ports;	// room for a route, likewise
};

// The model's state of a worm, besides struct net_worm.
struct myr_life {
	struct net_worm_list copies; // to be made where it arrives, or where their routes part
	uint64_t data;	     // id of the packet whose data it has: that of its group's first
	uint32_t sibling;    // next branch of the switch that made it; NET_NO_WORM
	int64_t born_ticks;  // start of its age
	int64_t moved_ticks; // end of its transfer
	uint32_t older;	     // neighbours in the list of ages
	uint32_t younger;
	enum myr_place place;
	enum myr_control control;
	enum tr_drop_reason doom; // reason for removal, in this tick or when it is fetched
	bool listed;		  // for removal in this tick
	bool aging;		  // in the list of ages
	bool admitted;		  // it has memory at its destination
	bool tail_out;		  // whole, and its last character is in the network
	bool damaged;		  // one of its bits was inverted
	bool astray;		  // it has left its route
	bool credited;		  // it has a credit
	bool left;		  // its source, which was told so
	uint8_t residue;	  // CRC error
	uint32_t hops;		  // switches that its head has reached
};

struct myr_host {
	struct net_worm_list waiting; // for room in the queue
	struct net_worm_list queue;
	struct net_worm_list control; // in main memory, too; goes first
	struct net_worm_list fetching;
	struct net_worm_list ready; // in the adapter, to be sent
	struct net_worm_list whole; // in the adapter, to be stored
	struct net_worm_list storing;
	uint64_t memory_B; // in use; memory released in this tick still counts
	uint64_t given_back_B;
	int64_t given_back_ticks;
	int64_t silent_ticks; // resets are on their way to it: until then it sends nothing
	int64_t asked_ticks;
	uint32_t out; // links
	uint32_t in;
	uint32_t sending;   // NET_NO_WORM: none
	uint32_t sending_B; // its size: it may have been delivered except for its last character
	uint32_t asking;    // worm that waits at the end of its link for memory
	uint32_t came;	    // worm that became whole in this tick
	uint32_t drawn;	    // times of the operating system
	bool was_dead;	    // before the faults of this tick
	bool requested;	    // a credit
	bool granted;	    // it has one
	bool looks;	    // for memory: some was released since it found none
	bool active;	    // its state changes in this tick
};

// Where many events fall into the time of a character, they lie in few of its ticks: one begins as
// another ends, or a tick later.
#define MYR_CROWD 32

struct myr_clock {
	struct sim_calendar calendar; // components of the medium, then hosts, then timers of links
	uint32_t first_host;	      // in the calendar
	uint32_t first_timer;
	uint32_t timers; // number of links with a timer
};

struct myr_removal {
	uint32_t *dooms;  // worms to be removed in this tick
	uint32_t *doomed; // the same in order of entry
	uint32_t doom_count;
};

// The list of worms by age.
struct myr_ages {
	uint32_t oldest; // of the worms in the list of ages
	uint32_t youngest;
};

// When nothing has to be done.
struct myr_still {
	struct myr_beat *beats; // of each link; NULL: none are sent
	int64_t beat_ticks;	// when they are due; SIM_NEVER: not
	int64_t calm_ticks;	// before then neither BEATs, faults, samples nor the cut are due
	bool waits;		// a link has a character to send, at the last sample
	bool rests;		// links are idle until the next tick, and need no samples before
};

struct myr_run {
	struct net_drive net;
	const struct myr_params *params;
	const struct myr_medium *medium;
	void *medium_state;
	struct myr_times times;
	struct myr_clock clock;
	struct myr_removal removal;
	struct myr_ages ages;
	struct myr_still still;
	struct myr_layer layer;
	struct myr_group group;
	struct myr_life *lives; // of each worm
	struct myr_host *hosts;
	struct myr_way *ways;	  // links
	uint16_t *order;	  // service order of each switch, indexed like the graph's peers
	struct myr_noise *noises; // of each link, where there are bit errors
	uint32_t *active;	  // hosts
	uint32_t active_count;
	uint64_t waiting;   // worms outside full queues
	uint64_t counted;   // characters that are in the totals
	uint64_t fruitless; // resends since the last delivery
	int64_t fruitless_ticks;
	bool moving;		  // the tick is in progress: worms may still be removed in it
	struct tr_random shuffle; // if the setup shuffles
};

// Runs the setup over the medium; the engines are built on this.
enum tr_status myr_run(const struct net_setup *setup, const struct myr_medium *medium,
		       struct net_totals *totals, struct tr_error *err);

// --- rest.c

// Brings the totals of characters and buffers up to the end of a tick.
void myr_count_characters(struct myr_run *run, int64_t seen_ticks);

// Whether anything can still happen at the tick or later in what this process moves; else sets
// last_ticks. Nothing is due before it.
bool myr_goes_on(void *run, int64_t ticks);

// The rule state of the kind.
void myr_state(void *run, struct net_view *view);

// The engines: the run over either medium.
extern const struct net_engine myr_reference, myr_local;

// --- run_regions.c

// Nothing is due in what this process moves.
void myr_make_idle(struct myr_run *run);

// The times of a cable. TR_ERROR where they are out of range or not whole.
enum tr_status myr_way_times(const struct myr_run *run, size_t cable, struct myr_way *way);

// Events within a phase may run in any order: permutes them if the setup says so.
static inline void myr_run_shuffle(struct myr_run *run, uint32_t *items, uint32_t count)
{
	if (run->net.setup->shuffle != 0)
		tr_random_shuffle(&run->shuffle, items, count);
}

// The earlier of two times.
static inline int64_t myr_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

// A worm of the pool.
static inline struct net_worm *myr_run_worm(const struct myr_run *run, uint32_t worm)
{
	return &run->net.pool.worms[worm];
}

// The link behind a port, by its place among the graph's peers; UINT32_MAX where there is no cable.
static inline uint32_t myr_run_out(const struct myr_run *run, size_t place)
{
	const struct net_peer *peer = &run->net.graph.peers[place];

	return peer->node == NET_NOBODY ? UINT32_MAX : peer->link;
}

// The link behind a switch's port; UINT32_MAX where there is no cable.
static inline uint32_t myr_run_port(const struct myr_run *run, uint32_t node, uint32_t port)
{
	const struct net_graph *graph = &run->net.graph;

	return port < net_graph_ports(graph, node) ? myr_run_out(run, graph->first[node] + port)
						   : UINT32_MAX;
}

// Whether a node is a host.
static inline bool myr_run_is_host(const struct myr_run *run, uint32_t node)
{
	return node < run->net.graph.hosts;
}

#endif
