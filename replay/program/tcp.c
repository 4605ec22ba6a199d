// SPDX-License-Identifier: GPL-3.0-or-later
// TCP where packets can be lost: it sends them again, and has a congestion window. Slow start and
// congestion avoidance: Allman, Paxson and Blanton, RFC 5681, counting acknowledged packets, at
// most two for an acknowledgement (Allman, RFC 3465); the initial window: Chu and others, RFC 6928;
// the timer: Paxson, Allman, Chu and Sargent, RFC 6298, with the least variance of Linux. All is
// counted in packets.
//
// A flow's packets that are acknowledged have numbers from 0 in the order in which they left. The
// receiver takes them in that order; its state is kept with the sender's.
#include "program/tcp.h"
#include "value/cache.h"

#include <stdlib.h>

#define RING_FIRST 4u
#define RING_MOST (1u << 26)
#define BACKOFF_MOST 15u // as Linux gives up
#define RTO_MOST_S 120
#define CONTROLS_MOST 127u // a second apart: six tries of Linux, which double
#define LINE_BYTES 64u	   // of the cache
#define NO_NAME UINT64_MAX

void tcp_layout(struct program *program, size_t count)
{
	struct mpi_state *mpi = &program->mpi;

	mpi->tcp = sim_arena_fill(&mpi->arena, count, sizeof(*mpi->tcp));
	mpi->first_rings = sim_arena_fill(&mpi->arena, count, RING_FIRST * sizeof(struct sent));
	if (program->params.mpi.rdma.on)
		mpi->rdma = sim_arena_fill(&mpi->arena, count, sizeof(*mpi->rdma));
	if (program->params.mpi.sacks)
		mpi->first_scores = sim_arena_fill(&mpi->arena, count,
						   RING_FIRST * sizeof(struct score));
}

void tcp_open(struct program *program)
{
	const struct program_mpi *mpi = &program->params.mpi;

	if (!mpi->resends)
		return;
	program->mpi.recovery = mpi->rdma.on ? &tcp_rdma : mpi->sacks ? &tcp_sack : &tcp_newreno;
	for (uint32_t i = 0; i < program->mpi.flow_count; i++) {
		struct tcp *tcp = &program->mpi.tcp[i];

		*tcp = (struct tcp){.ring = &program->mpi.first_rings[(size_t)i * RING_FIRST],
				    .mask = RING_FIRST - 1,
				    .window = mpi->initial_packets,
				    .slow_below = UINT32_MAX};
		if (mpi->rdma.on)
			rdma_open(program, i);
		if (!mpi->sacks)
			continue;
		tcp->scores = &program->mpi.first_scores[(size_t)i * RING_FIRST];
		tcp_sack_start(tcp);
	}
}

// Those that a flow begins with are the arena's.
static void tcp_free_places(struct tcp *tcp)
{
	if (tcp->mask < RING_FIRST)
		return;
	free(tcp->ring);
	free(tcp->scores);
}

void tcp_close(struct program *program)
{
	for (uint32_t i = 0; program->mpi.tcp && i < program->mpi.flow_count; i++)
		tcp_free_places(&program->mpi.tcp[i]);
}

// Takes over the ring and the scores at so many places, a power of two.
static void tcp_move(struct tcp *tcp, struct sent *ring, struct score *scores, uint64_t places)
{
	for (uint64_t i = tcp->first; i < tcp->next; i++)
		ring[i & (places - 1)] = *tcp_at(tcp, i);
	for (uint64_t i = tcp->first; scores && i < tcp->next; i++)
		scores[i & (places - 1)] = tcp->scores[i & tcp->mask];
	for (uint64_t i = tcp->told; scores && i < tcp->said; i++)
		scores[i & (places - 1)].came = tcp->scores[i & tcp->mask].came;
	tcp_free_places(tcp);
	tcp->ring = ring;
	tcp->scores = scores;
	tcp->mask = (uint32_t)places - 1;
}

// Room for one more packet. Returns false, and the run fails, where memory runs out.
static bool tcp_grow(struct program *program, struct tcp *tcp)
{
	const uint64_t places = 2 * ((uint64_t)tcp->mask + 1);
	const bool sacks = program->params.mpi.sacks;
	struct sent *ring;
	struct score *scores;

	if (tcp->next - tcp->first <= tcp->mask)
		return true;
	ring = places <= RING_MOST ? calloc(places, sizeof(*ring)) : NULL;
	scores = ring && sacks ? calloc(places, sizeof(*scores)) : NULL;
	if (ring && (scores || !sacks)) {
		tcp_move(tcp, ring, scores, places);
		return true;
	}
	free(ring);
	program->status = tr_no_memory(program->err, "the packets of a flow");
	return false;
}

uint64_t tcp_number(const struct program *program, uint32_t flow, enum note kind,
		    uint32_t acknowledged)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];
	const struct flow *of = &program->mpi.flows[flow];
	const uint64_t heard = program->mpi.tcp[of->back].said;

	switch (kind) {
	case NOTE_RESEND: return tcp->again;
	case NOTE_AT_ONCE:
	case NOTE_REFUSE: return heard;
	case NOTE_ACK:
		return program->params.mpi.asks || of->heard < acknowledged
			       ? heard
			       : heard - (of->heard - acknowledged);
	default: return tcp->next;
	}
}

bool tcp_has_window(const struct program *program, uint32_t flow)
{
	return program->mpi.flows[flow].out < program->params.mpi.window_packets &&
	       (!program->mpi.tcp || program->mpi.recovery->has_window(program, flow));
}

int64_t tcp_timeout_ticks(const struct program *program, const struct tcp *tcp)
{
	const int64_t s_ticks = NS_PER_S * program->params.ns_ticks;
	const int64_t least = program->params.mpi.rto_least_ticks;
	int64_t ticks = s_ticks;

	if (tcp->measured)
		ticks = tcp->mean8_ticks / 8 +
			(tcp->variance4_ticks > least ? tcp->variance4_ticks : least);
	for (uint32_t i = 0; i < tcp->backoff && ticks < RTO_MOST_S * s_ticks; i++)
		ticks *= 2;
	return ticks < RTO_MOST_S * s_ticks ? ticks : RTO_MOST_S * s_ticks;
}

void tcp_sent(struct program *program, uint32_t flow, uint64_t id, const struct tcp_packet *packet)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const struct flow *of = &program->mpi.flows[flow];
	const uint64_t heard = of->carried > 0 && of->carrier == id
				       ? program->mpi.tcp[of->back].said
				       : 0;

	if (!tcp_grow(program, tcp))
		return;
	*tcp_at(tcp, tcp->next++) = (struct sent){.sent_ticks = program->now_ticks,
						  .acks = {heard, 0},
						  .name = packet->message == NOTHING ? NO_NAME
										     : packet->name,
						  .message = packet->message,
						  .bytes = packet->bytes,
						  .payload_bytes = packet->payload_bytes,
						  .kind = (uint8_t)packet->kind};
	tcp->last_ticks = program->now_ticks;
	program->mpi.recovery->sent(program, flow);
}

void tcp_rest(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const uint32_t initial = program->params.mpi.initial_packets;

	if (program->mpi.flows[flow].out == 0 && tcp->next > 0 && tcp->window > initial &&
	    program->now_ticks - tcp->last_ticks > tcp_timeout_ticks(program, tcp))
		tcp->window = initial;
}

void tcp_again_packet(const struct program *program, uint32_t flow, struct tcp_packet *packet)
{
	const struct sent *sent = tcp_at(&program->mpi.tcp[flow], program->mpi.tcp[flow].again);

	*packet = (struct tcp_packet){.bytes = sent->bytes, .payload_bytes = sent->payload_bytes};
}

void tcp_sent_again(struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];
	struct sent *sent = tcp_at(tcp, tcp->again);

	sent->again = true;
	sent->acks[1] = program->mpi.tcp[program->mpi.flows[flow].back].said;
	program->mpi.recovery->sent_again(program, flow);
}

void tcp_measure(struct tcp *tcp, int64_t ticks)
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

void tcp_set_aim(struct tcp *tcp, uint32_t out)
{
	tcp->slow_below = tcp_half(out);
	tcp->recover = tcp->next;
	tcp->grown = 0;
}

void tcp_widen(struct program *program, struct tcp *tcp, uint32_t packets)
{
	const uint32_t most = tcp_least(program->params.mpi.window_packets, TCP_WINDOW_MOST);

	if (tcp->window >= most)
		return;
	if (tcp->window < tcp->slow_below) {
		tcp->window = tcp_least(tcp->window + tcp_least(packets, 2), most);
		return;
	}
	tcp->grown += packets;
	if (tcp->grown < tcp->window)
		return;
	tcp->grown -= tcp->window++;
}

static void tcp_give_up(struct program *program, uint32_t flow, uint32_t times)
{
	if (program->status != TR_OK)
		return;
	program->status = tr_fail(program->err,
				  "%s: rank %u gives up: a packet to rank %u was sent %u "
				  "times without an answer",
				  goal_name_of(program->goal, program->mpi.flows[flow].from),
				  program->mpi.flows[flow].from, program->mpi.flows[flow].to,
				  times);
}

void tcp_back_off(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	if (tcp->timed_out != tcp->first + 1)
		tcp_set_aim(tcp, program->mpi.flows[flow].out);
	tcp->timed_out = tcp->first + 1;
	tcp->recover = tcp->next;
	tcp->recovering = false;
	if (tcp->backoff++ == BACKOFF_MOST)
		tcp_give_up(program, flow, BACKOFF_MOST + 1);
}

void tcp_control_lost(struct program *program, uint32_t flow)
{
	if (++program->mpi.tcp[flow].lost == CONTROLS_MOST)
		tcp_give_up(program, flow, CONTROLS_MOST);
}

void tcp_control_came(struct program *program, uint32_t flow)
{
	program->mpi.tcp[flow].lost = 0;
}

void tcp_fetch(const struct program *program, uint32_t number)
{
	const char *flow = (const char *)&program->mpi.flows[number];
	const char *tcp = (const char *)&program->mpi.tcp[number];

	for (size_t i = 0; i < sizeof(struct flow); i += LINE_BYTES)
		cache_fetch(flow + i);
	for (size_t i = 0; i < offsetof(struct tcp, sack); i += LINE_BYTES)
		cache_fetch(tcp + i);
	cache_fetch(&program->mpi.timers.timers[number]);
}

void tcp_run_off(struct program *program, uint32_t flow)
{
	program->mpi.recovery->run_off(program, flow);
}

// The number with these low bits that is nearest to one that is known.
static uint64_t near(uint64_t known, uint64_t low, unsigned bits)
{
	const uint64_t apart = (low - known) & ((UINT64_C(1) << bits) - 1);

	return apart >> (bits - 1) ? known - ((UINT64_C(1) << bits) - apart) : known + apart;
}

void tcp_acknowledged(struct program *program, uint32_t flow, uint64_t low, unsigned bits)
{
	program->mpi.recovery->hear(program, flow, near(program->mpi.tcp[flow].told, low, bits),
				    true);
}

void tcp_refused(struct program *program, uint32_t flow, uint64_t low, unsigned bits)
{
	program->mpi.recovery->refused(program, flow, near(program->mpi.tcp[flow].told, low, bits));
}

void tcp_noticed(struct program *program, uint32_t flow)
{
	program->mpi.recovery->noticed(program, flow);
}

bool tcp_take_in_order(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	bool whole = false;

	while (tcp->due < tcp->next && tcp_at(tcp, tcp->due)->arrived) {
		const struct sent sent = *tcp_at(tcp, tcp->due);

		tcp->due++;
		acknowledge_count(program, flow);
		whole |= sent.message == NOTHING ||
			 program->pool.messages[sent.message].worms_due == 1;
		if (sent.message != NOTHING)
			outbox_arrive(program, sent.message);
		else
			note_effect(program, flow, (enum note)sent.kind);
	}
	return whole;
}

void tcp_arrive(struct program *program, uint32_t flow, uint64_t low, unsigned bits,
		const struct tcp_arrival *arrival)
{
	program->mpi.recovery->arrive(program, flow, near(program->mpi.tcp[flow].due, low, bits),
				      arrival);
}

void tcp_receive(struct program *program, uint32_t flow, uint64_t number,
		 const struct tcp_arrival *arrival)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const uint32_t back = program->mpi.flows[flow].back;
	struct sent *sent = number >= tcp->first ? tcp_at(tcp, number) : NULL;
	bool wanted, in_order = false;

	tcp_fetch(program, back);
	if (sent)
		program->mpi.recovery->hear(program, back, sent->acks[arrival->again], false);
	wanted = sent && number >= tcp->due && !sent->arrived;
	if (wanted) {
		sent->arrived = true;
		tcp->early += number > tcp->due;
	}
	if (wanted && number == tcp->due) {
		const uint64_t before = tcp->due;
		const uint32_t early = tcp->early;

		(void)tcp_take_in_order(program, flow);
		tcp->early -= (uint32_t)(tcp->due - before - 1);
		in_order = early == 0;
	}
	if (wanted)
		program->mpi.recovery->came(tcp, number);
	if (!in_order)
		flow_note(program, back, NOTE_AT_ONCE);
}

bool tcp_name(const struct program *program, uint32_t flow, uint64_t low, unsigned bits,
	      uint64_t *name)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];
	const uint64_t number = near(tcp->due, low, bits);

	if (number < tcp->first || number >= tcp->next || tcp_at(tcp, number)->name == NO_NAME)
		return false;
	*name = tcp_at(tcp, number)->name;
	return true;
}
