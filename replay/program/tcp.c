// SPDX-License-Identifier: GPL-3.0-or-later
// TCP where packets can be lost: it sends them again, and has a congestion window. Slow start and congestion avoidance: Allman,
// Paxson and Blanton, RFC 5681, counting acknowledged packets, at most two for an acknowledgement (Allman, RFC 3465); the
// initial window: Chu and others, RFC 6928; fast recovery without SACK: Henderson, Floyd, Gurtov and Nishida (NewReno),
// RFC 6582; the timer: Paxson, Allman, Chu and Sargent, RFC 6298, with the least variance of Linux. All is counted in packets.
//
// A flow's packets that are acknowledged have numbers from 0 in the order in which they left. The receiver takes them in that
// order; its state is kept with the sender's.
#include <stdlib.h>

#include "program/mpi_flows.h"

#define RING_FIRST 16u
#define RING_MOST (1u << 26)
#define WINDOW_MOST (1u << 24)
#define BACKOFF_MOST 15u // as Linux gives up
#define NS_PER_S INT64_C(1000000000)
#define RTO_MOST_S 120
#define DUPLICATES 3u
#define NO_NAME UINT64_MAX

struct sent {
	int64_t sent_ticks; // first
	uint64_t acks[2];   // what it acknowledges of the flow back: as it was sent first, and last again
	uint64_t name;	    // of the worm; NO_NAME: as it comes
	uint32_t message;   // NOTHING: a note
	uint32_t bytes;
	uint32_t payload_bytes;
	uint8_t kind; // enum note
	bool arrived;
	bool again; // it was sent again
};

struct tcp {
	struct sent *ring; // by number, at mask + 1 places
	uint32_t mask;
	uint64_t first; // not acknowledged
	uint64_t next;	// to be sent
	uint64_t due;	// to the receiver: it has all below
	uint32_t early; // arrived behind it
	uint64_t again; // to be sent again, up to
	uint64_t again_end;
	uint64_t recover;   // next, when the last loss was noticed
	uint64_t timed_out; // the packet for which the timer ran off last, and 1; 0: none
	uint32_t window;
	uint32_t slow_below; // slow start
	uint32_t grown;	     // packets acknowledged towards the next growth
	uint32_t duplicates;
	uint32_t backoff;
	bool recovering; // fast recovery
	bool partly;	 // and not its first partial acknowledgement
	bool measured;
	int64_t mean8_ticks;	 // 8 x the smoothed time of a round trip
	int64_t variance4_ticks; // 4 x its mean deviation
	int64_t last_ticks;	 // of the last new packet
};

enum tr_status tcp_open(struct program *program, struct tr_error *err)
{
	const struct program_mpi *mpi = &program->params.mpi;

	if (!mpi->resends)
		return TR_OK;
	program->tcp = calloc((size_t)program->flow_count + 1, sizeof(*program->tcp));
	if (!program->tcp)
		return tr_no_memory(err, "%u flows of TCP", program->flow_count);
	for (uint32_t i = 0; i < program->flow_count; i++)
		program->tcp[i] = (struct tcp){.window = mpi->initial_packets, .slow_below = UINT32_MAX};
	return TR_OK;
}

void tcp_close(struct program *program)
{
	for (uint32_t i = 0; program->tcp && i < program->flow_count; i++)
		free(program->tcp[i].ring);
	free(program->tcp);
}

static struct sent *at(const struct tcp *tcp, uint64_t number)
{
	return &tcp->ring[number & tcp->mask];
}

// Room for one more packet. Returns false, and the run fails, where memory ends.
static bool grow(struct program *program, struct tcp *tcp)
{
	const uint64_t places = tcp->ring ? 2 * ((uint64_t)tcp->mask + 1) : RING_FIRST;
	struct sent *ring;

	if (tcp->ring && tcp->next - tcp->first <= tcp->mask)
		return true;
	ring = places <= RING_MOST ? calloc(places, sizeof(*ring)) : NULL;
	if (!ring) {
		program->status = tr_no_memory(program->err, "the packets of a flow");
		return false;
	}
	for (uint64_t i = tcp->first; i < tcp->next; i++)
		ring[i & (places - 1)] = *at(tcp, i);
	free(tcp->ring);
	tcp->ring = ring;
	tcp->mask = (uint32_t)places - 1;
	return true;
}

uint64_t tcp_number(const struct program *program, uint32_t flow, enum note kind, uint32_t acknowledged)
{
	const struct tcp *tcp = &program->tcp[flow];
	const struct flow *of = &program->flows[flow];
	const uint64_t heard = program->tcp[of->back].due;

	switch (kind) {
	case NOTE_RESEND: return tcp->again;
	case NOTE_AT_ONCE: return heard;
	case NOTE_ACK: return program->params.mpi.asks || of->heard < acknowledged ? heard : heard - (of->heard - acknowledged);
	default: return tcp->next;
	}
}

bool tcp_has_window(const struct program *program, uint32_t flow)
{
	const uint32_t limit = program->params.mpi.window_packets;
	const uint32_t window = program->tcp ? program->tcp[flow].window : limit;

	return program->flows[flow].out < (window < limit ? window : limit);
}

static int64_t timeout_ticks(const struct program *program, const struct tcp *tcp)
{
	const int64_t s_ticks = NS_PER_S * program->params.ns_ticks;
	const int64_t least = program->params.mpi.rto_least_ticks;
	int64_t ticks = s_ticks;

	if (tcp->measured)
		ticks = tcp->mean8_ticks / 8 + (tcp->variance4_ticks > least ? tcp->variance4_ticks : least);
	for (uint32_t i = 0; i < tcp->backoff && ticks < RTO_MOST_S * s_ticks; i++)
		ticks *= 2;
	return ticks < RTO_MOST_S * s_ticks ? ticks : RTO_MOST_S * s_ticks;
}

// Starts the timer anew if something is out, and stops it otherwise.
static void set_timer(struct program *program, uint32_t flow)
{
	const bool waits = program->flows[flow].out > 0;

	sim_calendar_set(&program->timers, flow,
			 waits ? later(program, program->now_ticks, timeout_ticks(program, &program->tcp[flow])) : SIM_NEVER);
}

// What is to be sent again, and may be, becomes due.
static void note_again(struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->tcp[flow];
	uint32_t *notes = &program->flows[flow].notes[NOTE_RESEND];

	*notes = 0;
	if (tcp->again < tcp->again_end && tcp->again - tcp->first < tcp->window)
		flow_note(program, flow, NOTE_RESEND);
}

void tcp_sent(struct program *program, uint32_t flow, uint64_t id, const struct tcp_packet *packet)
{
	struct tcp *tcp = &program->tcp[flow];
	const struct flow *of = &program->flows[flow];
	const uint64_t heard = of->carried > 0 && of->carrier == id ? program->tcp[of->back].due : 0;

	if (!grow(program, tcp))
		return;
	*at(tcp, tcp->next++) = (struct sent){.sent_ticks = program->now_ticks,
					      .acks = {heard, 0},
					      .name = packet->message == NOTHING ? NO_NAME : packet->name,
					      .message = packet->message,
					      .bytes = packet->bytes,
					      .payload_bytes = packet->payload_bytes,
					      .kind = (uint8_t)packet->kind};
	tcp->last_ticks = program->now_ticks;
	if (of->out == 1)
		set_timer(program, flow);
}

void tcp_rest(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->tcp[flow];
	const uint32_t initial = program->params.mpi.initial_packets;

	if (program->flows[flow].out == 0 && tcp->next > 0 && tcp->window > initial &&
	    program->now_ticks - tcp->last_ticks > timeout_ticks(program, tcp))
		tcp->window = initial;
}

void tcp_again_packet(const struct program *program, uint32_t flow, struct tcp_packet *packet)
{
	const struct sent *sent = at(&program->tcp[flow], program->tcp[flow].again);

	*packet = (struct tcp_packet){.bytes = sent->bytes, .payload_bytes = sent->payload_bytes};
}

void tcp_sent_again(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->tcp[flow];
	struct sent *sent = at(tcp, tcp->again++);

	sent->again = true;
	sent->acks[1] = program->tcp[program->flows[flow].back].due;
	note_again(program, flow);
}

// The time from sending a packet, once, to its acknowledgement (RFC 6298, section 2).
static void measure(struct tcp *tcp, int64_t ticks)
{
	const int64_t off = ticks - tcp->mean8_ticks / 8;

	if (!tcp->measured) {
		tcp->measured = true;
		tcp->mean8_ticks = 8 * ticks;
		tcp->variance4_ticks = 2 * ticks;
		return;
	}
	tcp->variance4_ticks += (off < 0 ? -off : off) - tcp->variance4_ticks / 4;
	tcp->mean8_ticks += off;
}

static uint32_t least_of(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

// A loss was noticed: half of what is out is the aim.
static void set_aim(struct tcp *tcp, uint32_t out)
{
	tcp->slow_below = out / 2 > 2 ? out / 2 : 2;
	tcp->recover = tcp->next;
	tcp->grown = 0;
}

static void send_again(struct program *program, uint32_t flow, uint64_t end)
{
	struct tcp *tcp = &program->tcp[flow];

	tcp->again = tcp->first;
	tcp->again_end = end;
	note_again(program, flow);
}

// The window after an acknowledgement of something new, outside fast recovery.
static void widen(struct program *program, struct tcp *tcp, uint32_t packets)
{
	const uint32_t most = least_of(program->params.mpi.window_packets, WINDOW_MOST);

	if (tcp->window >= most)
		return;
	if (tcp->window < tcp->slow_below) {
		tcp->window = least_of(tcp->window + least_of(packets, 2), most);
		return;
	}
	tcp->grown += packets;
	if (tcp->grown < tcp->window)
		return;
	tcp->grown -= tcp->window++;
}

// So many packets are acknowledged during fast recovery (RFC 6582, section 3.2).
static void recover(struct program *program, uint32_t flow, uint32_t packets)
{
	struct tcp *tcp = &program->tcp[flow];
	const uint32_t out = (uint32_t)(tcp->next - tcp->first);

	if (tcp->first >= tcp->recover) {
		tcp->window = least_of(tcp->slow_below, (out > 1 ? out : 1) + UINT64_C(1));
		tcp->recovering = false;
		return;
	}
	tcp->window = tcp->window > packets ? tcp->window - packets + 1 : 1;
	send_again(program, flow, tcp->first + 1);
}

static void take_new(struct program *program, uint32_t flow, uint64_t heard)
{
	struct tcp *tcp = &program->tcp[flow];
	const struct sent *last = at(tcp, heard - 1);
	const uint32_t packets = (uint32_t)(heard - tcp->first);
	const bool partly = tcp->recovering && tcp->partly;

	if (!last->again)
		measure(tcp, program->now_ticks - last->sent_ticks);
	tcp->first = heard;
	tcp->backoff = 0;
	tcp->duplicates = 0;
	if (tcp->again < heard)
		tcp->again = heard;
	note_again(program, flow);
	if (tcp->recovering) {
		recover(program, flow, packets);
		tcp->partly = true;
	} else {
		widen(program, tcp, packets);
	}
	acknowledge_take(program, flow, packets);
	if (!partly || !tcp->recovering || program->flows[flow].out == 0)
		set_timer(program, flow);
}

// An acknowledgement that says nothing new.
static void take_duplicate(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->tcp[flow];

	tcp->duplicates++;
	if (tcp->recovering) {
		tcp->window += tcp->window < WINDOW_MOST;
		note_again(program, flow);
		flow_resume(program, flow);
	} else if (tcp->duplicates == DUPLICATES && tcp->first >= tcp->recover) {
		set_aim(tcp, program->flows[flow].out);
		tcp->window = tcp->slow_below + DUPLICATES;
		tcp->recovering = true;
		tcp->partly = false;
		send_again(program, flow, tcp->first + 1);
		flow_resume(program, flow);
	}
}

// The flow's sender hears of an acknowledgement up to here; bare: of no data.
static void take_ack(struct program *program, uint32_t flow, uint64_t heard, bool bare)
{
	const struct tcp *tcp = &program->tcp[flow];

	if (heard > tcp->first)
		take_new(program, flow, heard);
	else if (heard == tcp->first && bare && program->flows[flow].out > 0)
		take_duplicate(program, flow);
}

void tcp_timeout(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->tcp[flow];

	if (tcp->timed_out != tcp->first + 1)
		set_aim(tcp, program->flows[flow].out);
	tcp->timed_out = tcp->first + 1;
	tcp->recover = tcp->next;
	tcp->window = 1;
	tcp->recovering = false;
	tcp->duplicates = 0;
	if (tcp->backoff++ == BACKOFF_MOST && program->status == TR_OK)
		program->status = tr_fail(program->err, "%s: rank %u gives up: a packet to rank %u was sent %u times in vain",
					  program->goal->name, program->flows[flow].from, program->flows[flow].to,
					  BACKOFF_MOST + 1);
	send_again(program, flow, tcp->next);
	set_timer(program, flow);
}

// The number with these low bits that is nearest to one that is known.
static uint64_t near(uint64_t known, uint64_t low, unsigned bits)
{
	const uint64_t apart = (low - known) & ((UINT64_C(1) << bits) - 1);

	return apart >> (bits - 1) ? known - ((UINT64_C(1) << bits) - apart) : known + apart;
}

void tcp_acknowledged(struct program *program, uint32_t flow, uint64_t low, unsigned bits)
{
	take_ack(program, flow, near(program->tcp[flow].first, low, bits), true);
}

// The receiver takes all that is there in order.
static void take_in_order(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->tcp[flow];

	while (tcp->due < tcp->next && at(tcp, tcp->due)->arrived) {
		const struct sent sent = *at(tcp, tcp->due);

		tcp->due++;
		acknowledge_count(program, flow);
		if (sent.message != NOTHING)
			outbox_arrive(program, sent.message);
		else
			note_effect(program, flow, (enum note)sent.kind);
	}
}

void tcp_arrive(struct program *program, uint32_t flow, uint64_t low, unsigned bits, bool again)
{
	struct tcp *tcp = &program->tcp[flow];
	const uint32_t back = program->flows[flow].back;
	const uint64_t number = near(tcp->due, low, bits);
	struct sent *sent = number >= tcp->first ? at(tcp, number) : NULL;
	bool wanted;

	if (sent)
		take_ack(program, back, sent->acks[again], false);
	wanted = sent && number >= tcp->due && !sent->arrived;
	if (wanted) {
		sent->arrived = true;
		tcp->early += number > tcp->due;
	}
	if (wanted && number == tcp->due) {
		const uint64_t before = tcp->due;
		const uint32_t early = tcp->early;

		take_in_order(program, flow);
		tcp->early -= (uint32_t)(tcp->due - before - 1);
		wanted = early == 0;
	} else {
		wanted = false;
	}
	if (!wanted)
		flow_note(program, back, NOTE_AT_ONCE);
}

bool tcp_name(const struct program *program, uint32_t flow, uint64_t low, unsigned bits, uint64_t *name)
{
	const struct tcp *tcp = &program->tcp[flow];
	const uint64_t number = near(tcp->due, low, bits);

	if (number < tcp->first || number >= tcp->next || at(tcp, number)->name == NO_NAME)
		return false;
	*name = at(tcp, number)->name;
	return true;
}
