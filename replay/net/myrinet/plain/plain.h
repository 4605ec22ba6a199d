// SPDX-License-Identifier: GPL-3.0-or-later
// The plain medium: every character is moved, tick by tick. It is the rules of
// man/flitline-models.7 read aloud, and the measure of any faster one.
#ifndef NET_MYRINET_PLAIN_PLAIN_H
#define NET_MYRINET_PLAIN_PLAIN_H

#include "net/myrinet/characters.h"
#include "net/myrinet/hosts/run.h"

#define PLAIN_CONTROLS 32u // that wait or travel in one direction of a cable

// Characters in their order, each with the tick of its coming.
struct plain_ring {
	struct myr_character *characters;
	int64_t *ticks;
	uint32_t mask;
	uint32_t first;
	uint32_t count;
};

// Control characters in their order, each with the tick in which it became due, or will come.
struct plain_controls {
	int64_t ticks[PLAIN_CONTROLS];
	uint8_t kinds[PLAIN_CONTROLS];
	uint32_t first;
	uint32_t count;
};

enum plain_input { PLAIN_IDLE, PLAIN_ASKS, PLAIN_FLOWS };

struct plain_meter {
	int64_t since_ticks; // up to which the area is counted
	int64_t stop_ticks;
	int64_t port_ticks;
	int64_t memory_ticks;
	int64_t over_ticks; // of the last character, beyond the last sample
	uint64_t area;
	uint64_t characters;
	uint64_t sampled; // of characters, before the present interval
	uint32_t count;	  // in the buffer, at the end of the tick since_ticks
	uint32_t peak;	  // since the last sample
	uint32_t highest;
};

// What a watch has shown of a worm on a link.
struct plain_view {
	uint32_t worm;
	uint32_t kind;
	uint32_t index;	 // of the last character among those of its kind
	uint32_t routes; // characters
};

// One direction of a cable: its sender, what is under way, and the buffer at its far end with what
// takes from it.
struct plain_link {
	struct plain_controls waiting; // at the near end
	struct plain_controls coming;  // to the far end, whose sender they are for
	struct plain_ring flight;
	struct plain_ring buffer;
	// The sender.
	int64_t free_ticks;    // the last character's end
	int64_t last_ticks;    // when the last one that was no BEAT comes
	int64_t stopped_ticks; // since when it is stopped, as far as is counted
	int64_t ready_ticks;   // grant; at a host, when the next character is made
	int64_t quiet_ticks;   // start of the last character of a worm
	uint32_t worm;	       // NET_NO_WORM: none
	uint32_t input;	       // link from whose buffer it comes; UINT32_MAX: a host sends, or it is held
	uint32_t pointer;      // in the order of service, behind the last winner
	uint32_t position;     // of the host's next character,
	uint32_t length;       // of so many
	uint32_t passed;       // characters of the worm that can be damaged, and have gone
	bool stopped;
	bool begun; // something of the worm has gone
	bool held;  // its last character has left the buffer
	struct myr_character last;
	// The far end.
	enum plain_input state;
	uint32_t head;	 // worm that asks or flows there
	uint32_t output; // link that it asks for, or has; UINT32_MAX: a host, or none
	int64_t asked_ticks;
	int64_t taken_ticks; // from then on a host can take another character
	uint32_t received;   // characters behind the route,
	uint32_t size_bytes; // of a worm of so many data
	uint8_t residue;
	bool told_stop; // what the buffer has last said
	bool touched;
	bool idle; // only BEATs wait to start
	bool beat_due;
	bool reset_due;
	uint64_t sent;	     // by a host with an outgoing buffer: characters of all worms
	int64_t *left_ticks; // and when each of the last left
	struct plain_meter meter;
	struct plain_view view;
};

struct plain {
	struct plain_link *links;
	uint32_t *touched;
	uint32_t count;
};

static inline struct plain *plain_of(const struct myr_run *run)
{
	return run->medium_state;
}

static inline struct plain_link *plain_link(const struct myr_run *run, uint32_t link)
{
	return &plain_of(run)->links[link];
}

// The link has to be looked at in this tick.
static inline void plain_touch(struct myr_run *run, uint32_t link)
{
	struct plain *plain = plain_of(run);

	if (link == UINT32_MAX || plain->links[link].touched)
		return;
	plain->links[link].touched = true;
	plain->touched[plain->count++] = link;
}

static inline struct myr_character *plain_at(const struct plain_ring *ring, uint32_t place)
{
	return &ring->characters[(ring->first + place) & ring->mask];
}

static inline int64_t *plain_ticks(const struct plain_ring *ring, uint32_t place)
{
	return &ring->ticks[(ring->first + place) & ring->mask];
}

void plain_append(struct plain_ring *ring, struct myr_character character, int64_t ticks);
struct myr_character plain_take(struct plain_ring *ring);

// --- plain_link.c

// Puts a character of a worm on the link now.
void plain_put(struct myr_run *run, uint32_t link, struct myr_character character);

// What comes to the link's far end in this tick.
void plain_arrive(struct myr_run *run, uint32_t link);

// A character starts, if one may: what waits of control, else the worm's next.
void plain_start(struct myr_run *run, uint32_t link);

// The buffer at the far end is compared with the lines.
void plain_compare(struct myr_run *run, uint32_t link);

// The RESET and the BEAT that became due in this tick wait for their turn.
void plain_wait(struct myr_run *run, uint32_t link);

// Counts up to the tick for how long the sender was blocked by a STOP.
void plain_count_stop(struct myr_run *run, uint32_t link, int64_t ticks);

// When the worm's next character is ready to start; SIM_NEVER: it is not known.
int64_t plain_ready(const struct myr_run *run, const struct plain_link *link);

// --- crossbar.c

// The input at the link's far end asks for an output if it can.
void plain_ask(struct myr_run *run, uint32_t link);

// The output at the link's near end chooses if it can.
void plain_choose(struct myr_run *run, uint32_t link);

// The output has sent the last character of its worm, or the worm is removed.
void plain_release(struct myr_run *run, uint32_t link);

// --- plain_ends.c

// The next character that the host at the link's near end is to send; it is made.
struct myr_character plain_made(const struct myr_run *run, uint32_t link);

// It has started.
void plain_made_next(struct myr_run *run, uint32_t link);

// The host's turn for a worm has come.
void plain_send(struct myr_run *run, uint32_t host);

// The host at the link's far end takes what it can.
void plain_drain(struct myr_run *run, uint32_t link);
void plain_admit(struct myr_run *run, uint32_t host);

// --- watch.c

// Shows the character that goes out on the link now.
void plain_watch(struct myr_run *run, uint32_t link, struct myr_character character);

#endif
