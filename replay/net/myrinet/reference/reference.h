// SPDX-License-Identifier: GPL-3.0-or-later
// The reference medium: moves every character, tick by tick. A literal implementation of the rules
// in man/flitline-models.7, and the reference for any faster one.
#ifndef NET_MYRINET_REFERENCE_REFERENCE_H
#define NET_MYRINET_REFERENCE_REFERENCE_H

#include "net/myrinet/characters.h"
#include "net/myrinet/hosts/run.h"

#define REFERENCE_CONTROLS 32u // capacity: waiting or under way in one direction of a cable

// Characters in order, each with its arrival tick.
struct reference_ring {
	struct myr_character *characters;
	int64_t *ticks;
	uint32_t mask;
	uint32_t first;
	uint32_t count;
};

// Control characters in order, each with the tick in which it became due, or arrives.
struct reference_controls {
	int64_t ticks[REFERENCE_CONTROLS];
	uint8_t kinds[REFERENCE_CONTROLS];
	uint32_t first;
	uint32_t count;
};

enum reference_input { REFERENCE_IDLE, REFERENCE_ASKS, REFERENCE_FLOWS };

struct reference_meter {
	int64_t since_ticks; // end of the area counted so far
	int64_t stop_ticks;
	int64_t port_ticks;
	int64_t memory_ticks;
	int64_t over_ticks; // of the last character, beyond the last sample
	uint64_t area;
	uint64_t characters;
	uint64_t sampled; // of characters, before the current interval
	uint32_t count;	  // in the buffer, at the end of the tick since_ticks
	uint32_t peak;	  // since the last sample
	uint32_t highest;
};

// What a watch has seen of a worm on a link.
struct reference_view {
	uint32_t worm;
	uint32_t kind;
	uint32_t index;	 // of the last character among those of its kind
	uint32_t routes; // characters
};

struct reference_sender {
	int64_t free_ticks;    // end of the last character
	int64_t last_ticks;    // arrival of the last one that was no BEAT
	int64_t stopped_ticks; // since when it is stopped, as far as counted
	int64_t ready_ticks;   // grant; at a host, when the next character is made
	int64_t quiet_ticks;   // start of the last character of a worm
	uint32_t worm;	       // NET_NO_WORM: none
	uint32_t input; // link from whose buffer it comes; UINT32_MAX: a host sends, or it is held
	uint32_t pointer;  // in the service order, after the last winner
	uint32_t position; // of the host's next character
	uint32_t length;   // of the host's worm
	uint32_t passed;   // characters of the worm that can be damaged, and have been sent
	bool stopped;
	bool begun; // part of the worm has been sent
	bool held;  // its last character has left the buffer
	struct myr_character last;
};

// What comes to the far end: a switch or a host.
struct reference_far {
	enum reference_input state;
	uint32_t head;	 // worm that requests an output or flows there
	uint32_t output; // link that it requests, or has; UINT32_MAX: a host, or none
	uint32_t branch; // first of the copies of it that want other outputs; NET_NO_WORM
	uint32_t hop;	 // of their routes here
	uint32_t routes; // route characters that have passed since
	int64_t asked_ticks;
	int64_t taken_ticks; // earliest time for a host to take another character
	uint32_t received;   // characters after the route
	uint32_t size_bytes; // data of the worm
	uint8_t residue;
	bool told_stop; // the buffer's last signal
};

// One direction of a cable: its sender, the characters under way, and the buffer at its far end
// with its consumer.
struct reference_link {
	struct reference_controls waiting; // at the near end
	struct reference_controls coming;  // to the far end, whose sender they are for
	struct reference_ring flight;
	struct reference_ring buffer;
	struct reference_sender sender;
	struct reference_far far;
	bool touched;
	bool idle; // only BEATs wait to start
	bool beat_due;
	bool reset_due;
	uint64_t sent;	     // by a host with an outgoing buffer: characters of all worms,
	int64_t *left_ticks; // and when each of the latest left
	struct reference_meter meter;
	struct reference_view view;
};

struct reference {
	struct reference_link *links;
	uint32_t *touched;
	uint32_t count;
};

// The engine's state.
static inline struct reference *reference_of(const struct myr_run *run)
{
	return run->medium_state;
}

// A link of the engine.
static inline struct reference_link *reference_link(const struct myr_run *run, uint32_t link)
{
	return &reference_of(run)->links[link];
}

// The link must be processed in this tick.
static inline void reference_touch(struct myr_run *run, uint32_t link)
{
	struct reference *reference = reference_of(run);

	if (link == UINT32_MAX || reference->links[link].touched)
		return;
	reference->links[link].touched = true;
	reference->touched[reference->count++] = link;
}

// A character in the ring, counted from its first one.
static inline struct myr_character *reference_at(const struct reference_ring *ring, uint32_t place)
{
	return &ring->characters[(ring->first + place) & ring->mask];
}

// The time of a character in the ring.
static inline int64_t *reference_ticks(const struct reference_ring *ring, uint32_t place)
{
	return &ring->ticks[(ring->first + place) & ring->mask];
}

// Appends a character; takes the first one.
void reference_append(struct reference_ring *ring, struct myr_character character, int64_t ticks);
struct myr_character reference_take(struct reference_ring *ring);

// --- reference_link.c

// Puts a character of a worm on the link now.
void reference_put(struct myr_run *run, uint32_t link, struct myr_character character);

// Handles arrivals at the link's far end in this tick.
void reference_arrive(struct myr_run *run, uint32_t link);

// Starts a character, if possible: a waiting control character, otherwise the worm's next.
void reference_start(struct myr_run *run, uint32_t link);

// Compares the buffer at the far end with its lines.
void reference_compare(struct myr_run *run, uint32_t link);

// Queues the RESET and the BEAT that became due in this tick.
void reference_wait(struct myr_run *run, uint32_t link);

// Adds up to the tick how long a STOP blocked the sender.
void reference_count_stop(struct myr_run *run, uint32_t link, int64_t ticks);

// When the worm's next character can start; SIM_NEVER: it is not known.
int64_t reference_next_start(const struct myr_run *run, const struct reference_link *link);

// --- crossbar.c

// The worms that leave the input at the link's far end: its head, and its copies. The next one,
// NET_NO_WORM after the last; and the output that it wants.
static inline uint32_t reference_next_branch(const struct myr_run *run,
					     const struct reference_link *link, uint32_t worm)
{
	return worm == link->far.head ? link->far.branch : run->lives[worm].sibling;
}

// The output that a worm at a link's far end asks for.
static inline uint32_t reference_wanted(const struct myr_run *run, uint32_t number, uint32_t worm)
{
	const struct reference_link *link = reference_link(run, number);

	return worm == link->far.head ? link->far.output
				      : myr_run_port(run, run->ways[number].to,
						     myr_run_worm(run, worm)->route[link->far.hop]);
}

// The input at the link's far end requests an output if it can.
void reference_ask(struct myr_run *run, uint32_t link);

// The output at the link's near end chooses if it can.
void reference_choose(struct myr_run *run, uint32_t link);

// The output has sent the last character of its worm, or the worm is removed.
void reference_release(struct myr_run *run, uint32_t link);

// --- reference_ends.c

// Makes the next character of the host at the link's near end.
struct myr_character reference_made(const struct myr_run *run, uint32_t link);

// That character has started.
void reference_made_next(struct myr_run *run, uint32_t link);

// The host may send a worm.
void reference_send(struct myr_run *run, uint32_t host);

// The host at the link's far end takes what it can.
void reference_drain(struct myr_run *run, uint32_t link);
void reference_admit(struct myr_run *run, uint32_t host);

// --- watch.c

// Reports the character that goes out on the link now.
void reference_watch(struct myr_run *run, uint32_t link, struct myr_character character);

#endif
