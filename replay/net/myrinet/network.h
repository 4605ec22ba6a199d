// SPDX-License-Identifier: GPL-3.0-or-later
// The reference engine's state: links with the slack buffers at their far ends, switches, hosts,
// and the run that owns them. Events name links and hosts by number; storage order
// must not affect results.
#ifndef NET_MYRINET_NETWORK_H
#define NET_MYRINET_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "net/intake.h"
#include "net/myrinet/character.h"
#include "net/myrinet/params.h"
#include "net/worm.h"
#include "sim/arena.h"
#include "sim/events.h"
#include "trace/random.h"

// What happens within one tick, in this order. The component is a link's number (its output, for
// the switch's events) or a host's.
enum myr_phase {
	MYR_SAMPLE,    // 0: an interval of link samples has ended
	MYR_FAULT,     // the fault's number: it begins, or ends
	MYR_ARRIVE,    // link: a character reaches the far end
	MYR_GRANT,     // link: an output's assignment is done
	MYR_FETCHED,   // host: a worm is in adapter memory
	MYR_STORED,    // host: a worm is in the destination's main memory
	MYR_RETURNED,  // host: the reset of a worm that it sends comes back
	MYR_POLL,      // host: look again for adapter memory
	MYR_SOURCE,    // 0: the next packet of the traffic
	MYR_BEAT_DUE,  // link: a BEAT is to be sent
	MYR_CONTROL,   // link: STOP or GO goes out
	MYR_SEND,      // link: the next character of a worm goes out
	MYR_DRAIN,     // host: the adapter takes a character from its slack buffer
	MYR_ARBITRATE, // link: an idle output chooses among the requests of this tick and before
	MYR_TIMEOUT,   // link, or 0 where ages count: a worm's time may be over
	MYR_PHASES
};

// Characters in the order of their coming, with the tick of each.
struct myr_slack {
	struct myr_character *characters;
	int64_t *arrived_ticks;
	uint32_t mask;
	uint32_t first;
	uint32_t count;
	uint32_t peak;
	bool stop_due;  // what the other end ought to know
	bool stop_told; // what it was told
};

// Characters under way on a link, the first to arrive first.
struct myr_flight {
	struct myr_character *characters;
	uint32_t mask;
	uint32_t first;
	uint32_t count;
};

// Sums since the last sample. An open interval has its start in *_since, else -1.
struct myr_meter {
	int64_t blocked_stop_ticks;
	int64_t blocked_port_ticks;
	int64_t blocked_memory_ticks;
	int64_t stop_since;
	int64_t port_since;
	int64_t memory_since;
	int64_t area_since;
	uint64_t area;
	uint64_t characters;
	int64_t busy_over_ticks; // of the last character, beyond the last sample
	uint32_t peak;
};

enum myr_input_state {
	MYR_INPUT_IDLE,  // between worms
	MYR_INPUT_HEAD,  // the GAP was taken, the route character is next
	MYR_INPUT_WAITS, // has asked for an output
	MYR_INPUT_FLOWS, // its cross point is closed
};

struct myr_switch;

// The receiving side of a switch's port.
struct myr_input {
	struct myr_switch *crossbar;
	struct myr_output *output; // asked for or joined to
	enum myr_input_state state;
	uint32_t worm;
	int64_t asked_ticks;
};

enum myr_output_state {
	MYR_OUTPUT_FREE,
	MYR_OUTPUT_ASSIGNS, // a winner is chosen, the grant to come
	MYR_OUTPUT_FLOWS,
};

// The sending side.
struct myr_output {
	struct myr_switch *crossbar;
	struct myr_link *input; // the link whose far end is joined to this output
	enum myr_output_state state;
	bool begun;          // something of the worm was sent
	bool gap_due;        // the new GAP has not gone out yet
	bool trailer_held;   // for the conversion, until trailer_ticks
	bool arbitrating;    // an event for it is pending
	uint32_t worm;       // the one that flows
	uint32_t pointer;    // place in the order after the last winner
	uint32_t waiting;    // inputs that ask for it
	int64_t trailer_ticks;
};

struct myr_switch {
	uint32_t ports;
	struct myr_link **in; // of each port; NULL where there is no cable
	struct myr_link **out;
	const uint16_t *order; // ports in the order of service, ports of them
};

// One direction of a cable. Each end is a host's (from, to) or a switch's port (output, input).
struct myr_link {
	uint32_t number;
	bool stopped;         // the far end has said STOP
	bool sending;         // a SEND event is pending
	bool control_pending; // a CONTROL event is pending
	bool reset_due;
	bool beat_due;
	bool lost;            // the near end takes the cable for lost
	uint32_t dead;        // faults that have it now
	int64_t heard_ticks;  // the last BEAT came over it
	bool timed;           // a TIMEOUT event is pending
	int64_t quiet_ticks;  // a character of a worm was sent, or its port got one, last
	int64_t character_ticks;
	int64_t delay_ticks;
	int64_t conversion_ticks;
	int64_t free_ticks; // the last character's end
	struct myr_link *reverse;
	struct myr_flight flight;
	struct myr_slack slack; // at the far end
	struct myr_host *from;
	struct myr_host *to;
	struct myr_output output;
	struct myr_input input;
	struct myr_meter meter;
};

// The worm that an adapter is sending, character by character.
struct myr_sender {
	uint32_t worm;        // NET_NO_WORM between worms
	uint32_t position;    // of the next character
	uint32_t length;      // characters of the worm; it may be delivered before its GAP has left
	uint32_t size_bytes;
	int64_t ready_ticks;  // when it is made
	int64_t *left_ticks;  // of the last characters, as many as the outgoing buffer holds
	uint64_t sent;        // characters of all worms
};

enum myr_receiver_state {
	MYR_RECEIVER_IDLE,
	MYR_RECEIVER_HEAD,   // the GAP was taken
	MYR_RECEIVER_WAITS,  // for adapter memory
	MYR_RECEIVER_FLOWS,
};

struct myr_receiver {
	enum myr_receiver_state state;
	bool draining; // a DRAIN event is pending
	bool polling;  // a POLL event is pending
	uint32_t worm;
	uint32_t received; // characters behind the route
	uint8_t residue;   // CRC register over their damage
	int64_t free_ticks; // when the next character can be taken
	int64_t asked_ticks;
};

struct myr_host {
	uint32_t number;
	struct myr_link *out;
	struct myr_link *in;
	uint64_t memory_used_B;
	struct net_worm_list waiting; // for room in the queue
	struct net_worm_list queue; // in main memory
	struct net_worm_list ready; // in adapter memory, to be sent
	struct net_worm_list whole; // in adapter memory, to be stored
	struct net_worm_list fetching; // between the two, on the way in: one, or any number
	struct net_worm_list storing;  // on the way out
	struct myr_sender sender;
	struct myr_receiver receiver;
	uint32_t returning; // resets that are on their way back: until then it sends nothing
	uint32_t dead;  // faults that have it now
	uint32_t epoch; // times that it died: transfers of earlier ones end nowhere
};

enum myr_place {
	MYR_AT_SOURCE,  // in the queue in main memory
	MYR_AT_DMA,     // being fetched
	MYR_AT_ADAPTER, // in the source's adapter memory, not begun
	MYR_AT_NETWORK, // being sent, or sent
	MYR_AT_HOST,    // whole in the destination's adapter memory, or beyond
};

// What the model keeps of a worm beside what every model does.
struct myr_life {
	int64_t fetched_ticks; // in the source's adapter
	int64_t moved_ticks;   // its transfer ends
	int64_t born_ticks;    // its age counts from here
	uint32_t older;        // neighbours in the list of ages
	uint32_t younger;
	enum myr_place place;
	uint8_t doomed; // why it is removed when it is fetched, else TR_DROP_NONE
	bool aging;     // it is in that list
	uint8_t residue;  // of the CRC, by damaged route characters that were taken away
	bool damaged;     // a bit of it was inverted
	bool astray;      // it has left its route
	uint32_t hops;    // switches that its head has come to
	bool tail_out;  // its last character has not been taken by the destination
};

// Worms whose age counts, in the order of their birth.
struct myr_ages {
	uint32_t oldest; // NET_NO_WORM: none
	uint32_t youngest;
	bool timed; // a TIMEOUT event is pending
};

// Bit errors of a link.
struct myr_noise {
	struct tr_random random;
	uint64_t left_bits; // before the next error
};

// What a watched link has shown of a worm.
struct myr_view {
	uint32_t worm;
	uint32_t kind;
	uint32_t index;  // of the last character among those of its kind
	uint32_t routes; // characters
};

// Everything in the arena. Hosts and links stand by place; host_of and link_of find them by number.
struct myr_parts {
	struct sim_arena arena;
	struct myr_host *hosts;
	struct myr_link *links;
	struct myr_host **host_of;
	struct myr_link **link_of;
	struct myr_switch *switches;
	struct myr_link **ports; // of all switches: in, then out
	uint16_t *order;         // for the switch with the most ports
	struct myr_character *characters; // of all slack buffers
	int64_t *arrived_ticks;
	struct myr_character *flying; // of all links
	int64_t *left_ticks;          // of all outgoing buffers
	struct myr_life *lives;       // of each worm
	struct myr_noise *noises;     // of each link, where there are bit errors
	struct myr_view *views;       // of each link, where somebody watches
	uint64_t flying_places;
	uint32_t slack_places; // of one buffer, a power of two
	uint32_t link_count;
	uint32_t port_count;
};

struct myr_network;

// How an engine moves the characters of worms; NULL in the reference engine, which moves each.
struct myr_motion {
	// The sending half is between worms, or one has come for it: begins one if it can.
	void (*begin)(struct myr_network *net, struct myr_host *host);
	// The worm that was waiting for adapter memory has it.
	void (*resume)(struct myr_network *net, struct myr_host *host);
	// Of a worm that is removed: the link, its buffer and its ends have nothing of it any more;
	// and when that is so of all links, what stood behind it goes on.
	void (*forget)(struct myr_network *net, struct myr_link *link, uint32_t worm);
	void (*go_on)(struct myr_network *net, struct myr_link *link);
	void (*reset)(struct myr_network *net, struct myr_link *link); // myr_link_reset
	// Since when the worm at the link's far end is blocked, or the one at its near end silent,
	// and which it is; -1 for none.
	int64_t (*blocked_since)(struct myr_network *net, const struct myr_link *link,
				 uint32_t *worm);
	int64_t (*silent_since)(struct myr_network *net, const struct myr_link *link,
				uint32_t *worm);
};

// One run.
struct myr_network {
	const struct myr_motion *motion;
	const struct net_setup *setup;
	const struct myr_params *params;
	struct myr_times times;
	struct sim_events events;
	struct net_worm_pool pool;
	struct myr_parts parts;
	struct net_intake intake; // the traffic's next packet
	bool stalled;             // it waits for room in its source's queue
	uint64_t waiting;         // worms of all hosts that wait outside their queues
	int64_t stop_ticks;       // the run is cut before it
	int64_t sample_ticks;     // when the present interval began
	bool sampling_rests;      // nothing can happen before the next event
	struct myr_ages ages;
	uint64_t fruitless;      // times that a worm was sent again and none delivered
	int64_t fruitless_ticks; // of the first of these
	uint32_t timers;     // TIMEOUT events that are pending
	uint32_t background; // pending events without which nothing would happen any more
	enum tr_status status;
	struct net_totals totals;
	struct tr_error *err;
};

// Builds the network of net->setup, params and times, all idle, in memory of its own; the clock
// starts at start_ticks. TR_ERROR where the setup is broken or memory is short. Close it in any
// case.
enum tr_status myr_network_open(struct myr_network *net, int64_t start_ticks);
void myr_network_close(struct myr_network *net);

// Remembers that the run is broken and why; the event loop then ends.
void myr_fail(struct myr_network *net, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static inline struct myr_life *myr_life(const struct myr_network *net, uint32_t worm)
{
	return &net->parts.lives[worm];
}

static inline struct net_worm *myr_worm(const struct myr_network *net, uint32_t worm)
{
	return &net->pool.worms[worm];
}

// Whether the run, whose clock starts with the first offer, is cut before that offer is taken.
static inline bool myr_cut_at_start(const struct myr_network *net)
{
	return net->intake.offered && net->stop_ticks <= net->intake.offer.packet.time_ticks;
}

// Whether nothing can happen any more.
static inline bool myr_over(const struct myr_network *net)
{
	return net->events.pending == net->background &&
	       (net->timers == 0 || net->pool.alive == 0);
}

static inline void myr_push(struct myr_network *net, int64_t time_ticks, enum myr_phase phase,
			    uint32_t component, uint32_t aux)
{
	sim_events_push(&net->events, time_ticks, SIM_KEY(phase, component), aux);
}

#endif
