// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the local medium: of each link and the buffer at its end, of hosts, of the run
// (operations: local.h).
#ifndef NET_MYRINET_LOCAL_REGIME_H
#define NET_MYRINET_LOCAL_REGIME_H

#include <stdbool.h>
#include <stdint.h>

#include "net/myrinet/hosts/run.h"

#define LOCAL_FEW 4u	  // runs, and worms, stored in their link; more go to a reserve
#define LOCAL_LARGE 4096u // so many links take more than what is near a processor
#define LOCAL_NONE UINT32_MAX
#define LOCAL_HOST (UINT32_MAX - 1) // feeds a host's link

// Equally spaced characters.
struct local_run {
	int64_t first_ticks;
	uint32_t number; // of its first
	uint32_t period_ticks;
};

// A worm that is in a buffer or announced to it: length characters of its link.
struct local_worm {
	uint32_t worm;
	uint32_t length;
};

enum local_state {
	LOCAL_IDLE,   // between worms
	LOCAL_ASKS,   // the head waits for an output or for memory
	LOCAL_JOINED, // to an output
};

// The near end of a link. Its regime: characters from number on; the next starts at next_ticks,
// later than all settled ones.
struct local_sender {
	int64_t next_ticks;
	int64_t free_ticks;  // the link is free
	int64_t ready_ticks; // earliest start in the worm: a grant; or when it is made
	uint32_t number;
	uint32_t end_number; // one past the worm's last
	uint32_t shift;	     // number in the feeding buffer - number
	uint32_t period_ticks;
	uint32_t input; // link in whose far buffer the worm is; LOCAL_HOST; LOCAL_NONE: no worm
	uint32_t worm;
	uint32_t character_ticks;
	uint32_t delay_ticks;
	uint32_t first_asker; // link
	bool on;
	bool stopped;
	bool held : 1;	    // the last character has left the buffer
	bool publishes : 1; // what it sends comes to a buffer
	bool converts : 1;  // the last character is held for some time
	bool host : 1;	    // it is a host's, and makes characters,
	bool sink : 1;	    // or takes them
	bool listed : 1;    // its worm is last in the list of the far end
	bool crosses : 1;   // that is in another region
};

// A regime that begins: up to end_number.
struct local_start {
	int64_t ticks;
	uint32_t period_ticks;
	uint32_t end_number;
};

// The far end.
struct local_buffer {
	struct local_run *runs; // of arrivals, the last one up to known_number
	struct local_worm *worms;
	int64_t fails_ticks; // end of the regime of the output that it feeds
	int64_t asked_ticks;
	uint32_t leaves_number; // the next to leave; if joined, the output knows it exactly
	uint32_t known_number;	// one past the last that has arrived or is claimed
	uint32_t output;
	uint32_t next_asker;
	uint16_t run_count;
	uint16_t run_places;
	uint16_t first_run; // lower bound for the next to leave
	uint16_t first_worm;
	uint16_t worm_count;
	uint16_t worm_places;
	uint8_t state;
	bool told_stop : 1;
	bool to_host : 1; // it is a host's
	bool crosses : 1; // the near end is in another region
	bool moved;	  // compare it in this tick,
	bool touched;	  // and find its next event
};

// What the near end has sent, what a switch knows of the two ends, and what the far one has
// received.
struct local_ports {
	uint64_t sent;	     // characters of worms up to a number
	int64_t quiet_ticks; // start of the worm's last character
	uint32_t sent_number;
	uint32_t first;	  // of the switch at the far end, among the graph's peers
	uint16_t count;	  // of its ports
	uint16_t rank;	  // of the far end's port in the service order
	uint16_t pointer; // of the near end's output: the rank after the last winner
	bool marked;	  // the output chooses in this tick
	bool whole;	  // the worm that a host receives was reported as whole
};
_Static_assert(NET_PORTS_MAX <= UINT16_MAX, "a rank is one of a switch's ports");

// One direction of a cable, a cache line for each end, one for the first runs of arrivals and one
// for the rest; after the links, for each host, what takes from its link.
struct local_link {
	struct local_sender sender;
	struct local_buffer buffer __attribute__((aligned(64)));
	struct local_run runs[LOCAL_FEW] __attribute__((aligned(64)));
	struct local_worm worms[LOCAL_FEW];
	struct local_ports ports;
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct local_link) == 256, "a link is four cache lines");

// Rarely used state of a link, zero until the first control character on it or to its sender.
struct local_side {
	int64_t control_ticks; // start of the last control character,
	int64_t waiting_ticks; // and of the first of those that waited with it, back to back
	uint64_t controls;     // 0: the two are not known
	uint32_t coming_first; // STOPs and GOs on their way to the sender: a ring
	uint32_t coming_count;
	bool coming_stop; // whether the first is a STOP; they alternate
	bool reset_due;
	bool beat_due;
	bool beaten; // a BEAT was sent
};

// What it has besides where there are BEATs or faults.
struct local_beat {
	int64_t beat_ticks;	 // end of the last BEAT
	int64_t last_ticks;	 // start of the last character except BEATs, if a BEAT followed it
	int64_t bare_ticks;	 // when the first that waited was committed, the link was to be
	int64_t bare_last_ticks; // free, and the start of the last character but BEATs was
};

// The raw sums for samples of a link; unused without sampling.
struct local_meter {
	// Sums over all time, modulo 2^64, of arrivals in and departures from the buffer, so that
	// the area under the occupancy is a difference.
	uint64_t came, came_ticks;
	uint64_t left, left_ticks;
	uint64_t area;	  // before the current interval
	uint64_t sampled; // characters before it
	int64_t over_ticks;
	int64_t stop_ticks, port_ticks, memory_ticks;
	int64_t stopped_ticks; // since when, as far as counted
	uint32_t peak;	       // of the interval
};

struct local_source {
	uint32_t start_number; // of the worm's first character
	uint32_t routes;
	uint32_t rest_number; // end of the regime
};

// The reserve of each link for runs of characters and worms.
struct local_store {
	struct local_run *far_runs;
	struct local_worm *far_worms;
	uint32_t far_places; // of one
};

// Links to be looked at in this tick.
struct local_work {
	uint32_t *moved;
	uint32_t *touched;
	uint32_t *marked;
	uint32_t *due; // links on which a RESET or BEAT is due
	uint32_t moved_count;
	uint32_t touched_count;
	uint32_t marked_count;
	uint32_t due_count;
};

struct local {
	struct local_link *links;
	struct local_side *sides;
	struct local_beat *beats;
	struct local_meter *meters;
	struct local_store store;
	struct local_work work;
	struct local_source *sources;
	int64_t *coming_ticks; // by place in the rings, then by link: most have one entry at most
	uint8_t *flips; // of each worm's route and final characters, where there are bit errors
	uint32_t link_count;
	uint32_t stop, go;
	uint32_t gap;		// characters that announce a worm
	uint32_t coming_places; // of a link: a power of two
	uint32_t flip_places;
	int64_t path_ticks;
	uint32_t highest; // of all peaks
	bool cut;	  // links may cross between regions
	bool large;	  // more than is cached; also in tests that shuffle
	bool metered;
	bool silent;	 // timeouts count from the last character
	bool noted;	 // either: each start is noted
	bool late_tails; // nothing can be lost: a worm's end is processed when another waits for it
};

#endif
