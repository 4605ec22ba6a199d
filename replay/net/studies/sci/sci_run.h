// SPDX-License-Identifier: GPL-3.0-or-later
// One run of an SCI network. What moves packets on the rings is one of two media; hosts, agents,
// traffic and results are common to both (man/flit-fabric.5 has the rules).
//
// A tick has phases; order within a phase must not affect results: events happen (packets and
// symbols arrive, hosts hand over and take packets); messages that are complete are delivered, by
// their order of entry; messages enter; packets that have become ready join transmit queues, by
// output, message and packet; outputs start what they send.
#ifndef NET_SCI_SCI_RUN_H
#define NET_SCI_SCI_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/studies/sci/ringlets.h"
#include "net/studies/sci/sci_params.h"
#include "sim/arena.h"
#include "value/random.h"

// ---- events.c
// What is to happen in a run of an SCI network, by tick: a heap. Events of one tick come in no
// order.

enum sci_event_kind {
	SCI_HANDED, // place: host; it hands its adapter the next packet
	SCI_BUS,    // place: bus; packet asks for it
	SCI_READY,  // place: output; packet joins the transmit queue
	SCI_TAKEN,  // the host at the packet's end has taken it
	SCI_IN,	    // place: output's node; packet, or a symbol of it, arrives on the link into it
	SCI_PASSED, // place: output; what has gone through the node may leave
	SCI_FREE,   // place: output; it may start something
	SCI_IDLE,   // place: output; idle symbols that say go (symbol: 1) or stop (0) come in at it
	SCI_WAKE,   // place: output; its idle symbol that says go is over
};

struct sci_event {
	int64_t ticks;
	uint32_t packet;
	uint32_t place;
	uint16_t symbol;
	uint8_t kind;
};

struct sci_events {
	struct sci_event *heap;
	uint32_t count;
	uint32_t capacity;
};

// Takes the room for so many events from the arena.
void sci_events_layout(struct sci_events *events, struct sim_arena *arena, uint32_t capacity);

// False where there is no room.
bool sci_events_push(struct sci_events *events, struct sci_event event);

// Removes the first; there must be one.
struct sci_event sci_events_pop(struct sci_events *events);

// The earliest tick; INT64_MAX if there is none.
static inline int64_t sci_events_next(const struct sci_events *events)
{
	return events->count > 0 ? events->heap[0].ticks : INT64_MAX;
}

// ---- sci_run.c

#define SCI_NONE UINT32_MAX
#define SCI_HEADER_SYMBOLS 8u

enum sci_packet_kind { SCI_REQUEST, SCI_RESPONSE, SCI_ECHO };

// What a packet crosses between rings and host.
enum sci_stage { SCI_PCI_OUT, SCI_BLINK, SCI_PCI_IN, SCI_CROSSED };

// A packet on one ring; on the next ring it is another.
struct sci_packet {
	uint64_t serial;  // of its message, by order of entry
	uint64_t id;	  // of its message in the traffic
	uint32_t message; // worm; of a response only where a transaction is to be complete
	uint32_t index;	  // of the packet in its message
	uint32_t from;	  // hosts: of its whole way
	uint32_t to;
	uint32_t origin; // the node where it was put on this ring, to which its echo goes
	uint32_t target; // the node where it leaves this ring
	uint32_t next;	 // in its queue; after it a spare one
	uint32_t echo;	 // which the target makes of it; SCI_NONE: not yet
	uint32_t mark;	 // of the link that it is on, or of the cable of the host that takes it
			 // (net_drive_link_mark)
	uint16_t symbols;
	uint8_t kind;
	bool read;     // of a message that is one: its response has the data
	bool ends;     // it goes to its host, not to a ring
	uint8_t stage; // of its buses, the next
};

// A queue of packets, or of spare ones.
struct sci_queue {
	uint32_t first;
	uint32_t last;
	uint32_t count;
};

// What an output knows of go bits (sci_go.c).
struct sci_go {
	bool in;	    // the last idle symbol that came in said go
	bool out;	    // the idle symbol that it sends says go
	bool saved;	    // one came in and was not passed on
	bool recovers;	    // it sends a packet of its own, or what has waited for one
	bool wakes;	    // an event SCI_WAKE is due at from_ticks
	int64_t from_ticks; // its first idle symbol that says go is over
};

// A node's link on one ring, numbered as sci_ringlets.lines.
struct sci_output {
	struct sci_queue transmit; // packets of the node's host, and from its other rings
	struct sci_queue bypass;   // packets of the ring that wait (the fast medium)
	int64_t free_ticks;	   // it may start something from then on
	bool wakes;		   // an event SCI_FREE is due at free_ticks
	bool touched;		   // it is in run->touched
	bool idles; // at free_ticks an idle symbol is next (the fast medium, with go bits)
	struct sci_go go;
	uint32_t arriving; // message of the request or response that came last by the link into
			   // this output's node
	int64_t arriving_ticks; // its last symbol does
};

struct sci_host {
	struct net_worm_list queue;
	uint32_t message;  // that it hands over; NET_NO_WORM
	uint32_t index;	   // of the packet that it hands over next
	bool died;	   // since it began to
	int64_t due_ticks; // its overhead ends for what it handed over last, or is to next
};

struct sci_message {
	uint32_t packets;
	uint32_t left; // neither taken nor lost
	bool lost;     // one of them was
	bool read;     // its destination fetches it
};

// A packet that joins a transmit queue, or asks for a bus, in this tick.
struct sci_joining {
	uint64_t serial;
	uint32_t index;
	uint32_t place; // output or bus
	uint32_t packet;
	uint8_t kind;
};

// The buses of hosts, then of nodes.
struct sci_buses {
	int64_t *free_ticks;	    // when each is; NULL: none takes time
	int64_t *ready;		    // by packet that crosses some: when it is ready at the earliest
	struct sci_joining *asking; // in this tick
	uint32_t asking_count;
};

// Of a link, for samples: what it has been busy with.
struct sci_meter {
	int64_t start_ticks;  // of its last packet
	int64_t packet_ticks; // of that packet's symbols
	int64_t before_ticks; // of all packets before
	int64_t given_ticks;  // of all symbols in samples that were given
	bool is_of_ring;      // others carry nothing and have no samples
};

// The kind's counters, in net_totals.own.
enum sci_own {
	SCI_SEND_HOPS, // requests and responses put on links
	SCI_ECHO_HOPS,
};

struct sci_run;

struct sci_medium {
	// How many events can be pending beside one of each packet, host and output. Then the
	// layout of memory of its own, as in sim/arena.h.
	uint32_t (*events)(const struct sci_run *run);
	void (*layout)(struct sci_run *run); // NULL: none
	// SCI_IN and SCI_PASSED.
	void (*in)(struct sci_run *run, const struct sci_event *event);
	void (*passed)(struct sci_run *run, const struct sci_event *event);
	// The output is free: starts what it sends now, sets free_ticks and, if more is to follow,
	// touches the output.
	void (*start)(struct sci_run *run, uint32_t output);
};

struct sci_run {
	struct net_drive net;
	const struct sci_medium *medium;
	void *medium_state;
	const struct sci_params *params;
	struct sci_ringlets rings;
	struct sci_times times; // ticks
	struct sci_events events;
	struct sci_packet *packets;
	uint32_t packet_capacity;
	uint32_t fresh; // packets from here on were never used
	struct sci_queue spare;
	struct sci_output *outputs;
	struct sci_host *hosts;
	struct sci_message *messages;
	uint32_t *complete; // messages of which nothing is left, in this tick
	uint32_t complete_count;
	struct sci_joining *joining;
	uint32_t joining_count;
	struct sci_buses buses;
	uint32_t *touched; // outputs
	uint32_t touched_count;
	struct sci_event *due;	  // events of this tick
	struct sci_meter *meters; // of links, for samples
	struct tr_random shuffle;
};

// --- sci_run.c

extern const struct net_engine sci_fast;
extern const struct net_engine sci_reference;

// Schedules an event, now or later.
void sci_event(struct sci_run *run, int64_t ticks, enum sci_event_kind kind, uint32_t place,
	       uint32_t packet, uint32_t symbol);

// Reports the messages that are complete.
void sci_deliver(struct sci_run *run);

// At most: on all links and on their way through nodes, with the one that starts at each end and
// each output's next.
uint32_t sci_symbols_under_way(const struct sci_run *run);

// Something may start at the output, now or when it is free.
void sci_touch(struct sci_run *run, uint32_t output);

// --- sci_hosts.c

// A message enters at its source.
void sci_host_enter(void *run, uint32_t message);

// SCI_HANDED, SCI_TAKEN and SCI_READY.
void sci_host_handed(struct sci_run *run, uint32_t host);
void sci_host_taken(struct sci_run *run, uint32_t packet);
void sci_join(struct sci_run *run, uint32_t output, uint32_t packet);

// Whether it has the data of its message: a request of a write, a response of a read.
static inline bool sci_has_data(const struct sci_packet *packet)
{
	return packet->kind != SCI_ECHO && (packet->kind == SCI_REQUEST) != packet->read;
}

// The head of a request or response arrives now where it leaves the ring: it goes to the host
// there, or on to its next ring as another packet.
void sci_leave_ring(struct sci_run *run, const struct sci_packet *packet);

// The echo that the target makes of a packet; SCI_NONE after a failure.
uint32_t sci_echo_new(struct sci_run *run, const struct sci_packet *packet);

// A packet starts on an output's link.
void sci_count_start(struct sci_run *run, uint32_t output, struct sci_packet *packet);

// What joins, in an order that is that of the messages.
void sci_joining_sort(struct sci_joining *joining, uint32_t count);

// --- sci_buses.c

// The time of all buses that a packet is still to cross.
int64_t sci_buses_ticks(const struct sci_run *run, const struct sci_packet *packet);

// From a tick on a packet crosses the rest of its buses. Then, but not before ready_ticks, it is
// taken, or ready at its output.
void sci_cross(struct sci_run *run, uint32_t packet, int64_t ticks, int64_t ready_ticks);

// SCI_BUS; and what asked in this tick gets its bus, by message and packet.
void sci_bus_ask(struct sci_run *run, const struct sci_event *event);
void sci_buses_grant(struct sci_run *run);

// --- sci_faults.c

// The head of a packet comes by the link into an output's node. Returns whether the packet was lost
// on it, with all its symbols.
bool sci_is_lost(struct sci_run *run, uint32_t output, struct sci_packet *packet);

// A packet starts on an output's link now, which it may damage: it is lost there, as on a dead one.
void sci_damage(struct sci_run *run, uint32_t output, struct sci_packet *packet);

// A packet is not under way any more: what is left of its message, if it counts for that.
void sci_packet_ended(struct sci_run *run, const struct sci_packet *packet, bool lost);

// Whether the time of its message is over, which waits for it.
bool sci_is_late(const struct sci_run *run, const struct sci_packet *packet);

// A packet is lost before it is put on a ring.
void sci_packet_lose(struct sci_run *run, uint32_t packet);

// A packet leaves its host, wholly at a tick or not at all.
void sci_hosts_left(struct sci_run *run, const struct sci_packet *packet, int64_t ticks);

// The output by which a packet at node goes on, and the node where it leaves that ring. SCI_NONE at
// its end.
uint32_t sci_output_of(const struct sci_run *run, const struct sci_packet *packet, uint32_t node,
		       uint32_t *target);

// The message that a dead host hands over, and the others that wait there, are lost.
void sci_hand_none(struct sci_run *run, uint32_t host);

// Whether its message is not over before the packet has come to its end.
static inline bool sci_counts(const struct sci_run *run, const struct sci_packet *packet)
{
	return packet->kind == SCI_REQUEST ||
	       (packet->kind == SCI_RESPONSE && (run->params->transactions || packet->read));
}

// The host that sends the requests of a message.
static inline uint32_t sci_initiator(const struct sci_run *run, uint32_t message)
{
	const struct net_worm *worm = &run->net.pool.worms[message];

	return run->messages[message].read ? worm->destination : worm->source;
}

// The link from a host to its switch.
uint32_t sci_host_link(const struct sci_run *run, uint32_t host);

// The rules fault and expire of the kind.
void sci_fault(void *run, uint32_t cable);
void sci_die(void *run, uint32_t at);
void sci_expire(void *run, const uint32_t *worms, uint32_t count);

// Gives a packet's place back; appends a packet to a queue; takes the first one of a queue, which
// must not be empty.
void sci_packet_free(struct sci_run *run, uint32_t packet);
void sci_append(struct sci_run *run, struct sci_queue *queue, uint32_t packet);
uint32_t sci_first(struct sci_run *run, struct sci_queue *queue);

// --- sci_go.c

// SCI_IDLE and SCI_WAKE.
void sci_go_come(struct sci_run *run, const struct sci_event *event);
void sci_go_wake(struct sci_run *run, uint32_t output);

// The idle symbol behind a packet starts now; waiting: something is in the bypass buffer.
void sci_go_behind(struct sci_run *run, uint32_t output, bool waiting);

// Whether the output, which is free, begins a packet of its own now; else it begins what is waiting
// in the bypass buffer, if anything.
bool sci_go_own(struct sci_run *run, uint32_t output, bool waiting);

// --- sci_meter.c: nothing where no samples or traces are wanted

// An output starts so many symbols.
void sci_meter_start(struct sci_run *run, uint32_t output, uint32_t symbols);

// The rule sample of the kind.
bool sci_sample(void *run, uint32_t link, int64_t ticks, struct tr_link *out);

// A symbol starts on the output's link: the one of this index in its packet, or an idle one (NULL).
void sci_watch(struct sci_run *run, uint32_t output, const char *kind,
	       const struct sci_packet *packet, uint32_t index);

// --- the media

extern const struct sci_medium sci_by_packets; // sci_packets.c
extern const struct sci_medium sci_by_symbols; // sci_symbols.c

// The output of the next node of the ring.
static inline uint32_t sci_next_output(const struct sci_run *run, uint32_t output)
{
	return run->rings.lines[output].next;
}

#endif
