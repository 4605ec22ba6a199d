// SPDX-License-Identifier: GPL-3.0-or-later
// Packets without data, and their effects on arrival. An id encodes the packet: its top bit, then
// the kind, how many packets it acknowledges, the flow, and a serial number.
#include "program/mpi_flows.h"

#define SERIAL_BITS 27
#define FLOW_BITS 26
#define COUNT_BITS 6
#define COUNT_MAX ((1u << COUNT_BITS) - 1)

_Static_assert(PROGRAM_ACKS_MAX <= COUNT_MAX, "an acknowledgement says for how many it is");

struct note_row {
	uint8_t part;	   // enum program_part
	bool enveloped;	   // of MPI, otherwise of TCP alone
	bool acknowledged; // like messages
};

static const struct note_row rows[NOTES] = {
	[NOTE_SYN] = {PROGRAM_CONNECT, false, false},
	[NOTE_SYN_ACK] = {PROGRAM_CONNECT, false, false},
	[NOTE_JOINED] = {PROGRAM_CONNECT, false, false},
	[NOTE_NOTICE] = {PROGRAM_NOTICE, false, false},
	[NOTE_RESEND] = {PROGRAM_RESENT, false, false},
	[NOTE_ASK] = {PROGRAM_ASK, true, false},
	[NOTE_ACK] = {PROGRAM_ACK, false, false},
	[NOTE_AT_ONCE] = {PROGRAM_ACK, false, false},
	[NOTE_REFUSE] = {PROGRAM_REFUSAL, false, false},
	[NOTE_GREETING] = {PROGRAM_GREETING, true, true},
	[NOTE_ENVELOPE] = {PROGRAM_ENVELOPE, true, true},
	[NOTE_CLOSE] = {PROGRAM_CLOSE, true, true},
	[NOTE_FIN_ACK] = {PROGRAM_CLOSE, false, false},
	[NOTE_FIN] = {PROGRAM_CLOSE, false, false},
	[NOTE_SEGMENT] = {PROGRAM_DATA, false, false},
};

static uint64_t field(uint64_t id, unsigned shift, unsigned bits)
{
	return id >> shift & (((uint64_t)1 << bits) - 1);
}

static enum note notes_kind_of(uint64_t id)
{
	return (enum note)field(id, SERIAL_BITS + FLOW_BITS + COUNT_BITS, 4);
}

static uint32_t notes_flow_of(uint64_t id)
{
	return (uint32_t)field(id, SERIAL_BITS, FLOW_BITS);
}

static uint32_t notes_count_of(uint64_t id)
{
	return (uint32_t)field(id, SERIAL_BITS + FLOW_BITS, COUNT_BITS);
}

static uint64_t make_id(const struct program *program, enum note kind, uint32_t number)
{
	uint32_t heard = program->mpi.flows[number].heard;
	uint32_t every = program->params.mpi.ack_every;
	uint32_t count = kind != NOTE_ACK || program->params.mpi.asks ? 1
			 : heard < every			      ? heard
								      : every;
	uint64_t serial = program->mpi.tcp ? tcp_number(program, number, kind, count)
					   : program->mpi.notes;

	return (uint64_t)1 << 63 | (uint64_t)kind << (SERIAL_BITS + FLOW_BITS + COUNT_BITS) |
	       (uint64_t)count << (SERIAL_BITS + FLOW_BITS) | (uint64_t)number << SERIAL_BITS |
	       field(serial, 0, SERIAL_BITS);
}

static uint64_t serial_of(uint64_t id)
{
	return field(id, 0, SERIAL_BITS);
}

uint64_t note_segment_id(const struct program *program, uint32_t flow)
{
	return make_id(program, NOTE_SEGMENT, flow);
}

bool note_is_segment(uint64_t id)
{
	return is_note(id) && notes_kind_of(id) == NOTE_SEGMENT;
}

void note_fetch(const struct program *program, uint64_t id)
{
	if (is_note(id))
		tcp_fetch(program, notes_flow_of(id));
}

bool note_name(const struct program *program, uint64_t id, uint64_t *name)
{
	return note_is_segment(id) &&
	       tcp_name(program, notes_flow_of(id), serial_of(id), SERIAL_BITS, name);
}

// Of RDMA, behind the base transport header: an extended one in acknowledgements, and what is
// reserved in notices of congestion.
#define ACK_EXTENDED_B 4u
#define NOTICE_RESERVED_B 16u

static uint32_t notes_extended_B(enum note kind)
{
	switch (kind) {
	case NOTE_ACK:
	case NOTE_AT_ONCE:
	case NOTE_REFUSE: return ACK_EXTENDED_B;
	case NOTE_NOTICE: return NOTICE_RESERVED_B;
	default: return 0;
	}
}

// MPI's acknowledgements are packets of MPI's.
static uint32_t notes_bytes_of(const struct program *program, enum note kind)
{
	const struct program_mpi *mpi = &program->params.mpi;
	bool enveloped = rows[kind].enveloped || (kind == NOTE_ACK && mpi->asks);

	return mpi->header_bytes + (enveloped ? mpi->envelope_bytes : 0) +
	       (mpi->rdma.on ? notes_extended_B(kind) : 0);
}

// The first note that may be sent now, NOTES if there is none.
static enum note first_note(const struct flow *flow)
{
	int end = flow->stage == FLOW_OPEN ? NOTES : NOTE_JOINED + 1;

	for (int kind = 0; kind < end; kind++)
		if (flow->notes[kind] > 0)
			return (enum note)kind;
	return NOTES;
}

static void queue(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];
	struct chain *noting = &program->ranks[flow->from].noting;

	if (flow->noting || first_note(flow) == NOTES)
		return;
	flow->noting = true;
	flow->next_noting = NOTHING;
	CHAIN_APPEND(noting, program->mpi.flows, next_noting, number);
	outbox_join(program, flow->from);
}

void flow_note(struct program *program, uint32_t number, enum note kind)
{
	program->mpi.flows[number].notes[kind]++;
	queue(program, number);
}

uint32_t note_rank(const struct program *program, uint64_t id)
{
	return program->mpi.flows[notes_flow_of(id)].from;
}

// Removes flows whose notes a packet has meanwhile made unnecessary.
static void pass_needless(struct program *program, uint32_t rank)
{
	struct chain *noting = &program->ranks[rank].noting;

	while (noting->first != NOTHING &&
	       first_note(&program->mpi.flows[noting->first]) == NOTES) {
		program->mpi.flows[noting->first].noting = false;
		noting->first = program->mpi.flows[noting->first].next_noting;
	}
}

bool note_next(struct program *program, uint32_t rank, struct net_offer *offer)
{
	struct tcp_packet packet;
	const struct flow *flow;
	enum note kind;
	uint32_t number;

	pass_needless(program, rank);
	number = program->ranks[rank].noting.first;
	if (number == NOTHING)
		return false;
	flow = &program->mpi.flows[number];
	kind = first_note(flow);
	packet.bytes = notes_bytes_of(program, kind);
	packet.payload_bytes = packet.bytes - program->params.mpi.header_bytes;
	if (kind == NOTE_RESEND)
		tcp_again_packet(program, number, &packet);
	*offer = (struct net_offer){.packet = {.time_ticks = program->now_ticks,
					       .id = make_id(program, kind, number),
					       .flow = TR_FLOW_NONE,
					       .src = flow->from,
					       .dst = flow->to,
					       .payload_bytes = packet.payload_bytes,
					       .wire_bytes = packet.bytes,
					       .class = TR_CLASS_OVERHEAD},
				    .source = outbox_host(program, flow->from),
				    .destination = outbox_host(program, flow->to),
				    .size_bytes = packet.bytes};
	return true;
}

void note_take(struct program *program, const struct net_offer *offer)
{
	uint32_t number = notes_flow_of(offer->packet.id);
	struct flow *flow = &program->mpi.flows[number];
	enum note kind = notes_kind_of(offer->packet.id);

	program->mpi.notes++;
	program->totals.parts[rows[kind].part].packets++;
	program->totals.parts[rows[kind].part].bytes += offer->size_bytes;
	flow->notes[kind]--;
	if (kind == NOTE_ACK && !program->params.mpi.asks)
		flow->heard -= notes_count_of(offer->packet.id);
	program->ranks[flow->from].noting.first = flow->next_noting;
	flow->noting = false;
	if (program->params.mpi.rdma.on)
		flow_occupy(program, flow->from, offer->size_bytes);
	if (kind == NOTE_AT_ONCE || kind == NOTE_REFUSE)
		flow->heard = flow->notes[NOTE_ACK] = 0;
	if (kind == NOTE_RESEND)
		tcp_sent_again(program, number);
	if (rows[kind].acknowledged) {
		const struct tcp_packet packet = {.message = NOTHING,
						  .bytes = offer->size_bytes,
						  .payload_bytes = offer->packet.payload_bytes,
						  .kind = kind};

		acknowledge_sent(program, number, offer->packet.id);
		if (program->mpi.tcp)
			tcp_sent(program, number, offer->packet.id, &packet);
	}
	queue(program, number);
}

static void open_flow(struct program *program, uint32_t number)
{
	program->mpi.flows[number].stage = FLOW_OPEN;
	flow_note(program, number, NOTE_GREETING);
	flow_resume(program, number);
}

// Both goodbyes have arrived: the rank with the lower number ends the connection.
static void hear_close(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];

	flow->closed = true;
	if (program->mpi.flows[flow->back].closed)
		flow_note(program, flow->from < flow->to ? number : flow->back, NOTE_FIN);
}

static void hear_fin(struct program *program, const struct flow *flow)
{
	flow_note(program, flow->back, NOTE_FIN_ACK);
	if (flow->from < flow->to)
		flow_note(program, flow->back, NOTE_FIN);
}

void note_effect(struct program *program, uint32_t number, enum note kind)
{
	const struct flow *flow = &program->mpi.flows[number];

	switch (kind) {
	case NOTE_SYN: flow_note(program, flow->back, NOTE_SYN_ACK); break;
	case NOTE_SYN_ACK:
		flow_note(program, flow->back, NOTE_JOINED);
		open_flow(program, flow->back);
		break;
	case NOTE_JOINED:
		if (program->mpi.flows[flow->back].stage != FLOW_OPEN)
			open_flow(program, flow->back);
		break;
	case NOTE_ASK: flow_note(program, flow->back, NOTE_ACK); break;
	case NOTE_GREETING: operations_greet(program, flow->to); break;
	case NOTE_CLOSE: hear_close(program, number); break;
	case NOTE_FIN: hear_fin(program, flow); break;
	case NOTE_NOTICE: tcp_noticed(program, flow->back); break;
	default: break;
	}
}

// Where packets are sent again.
static void arrive_at_tcp(struct program *program, uint64_t id, bool marked)
{
	const struct tcp_arrival arrival = {.again = notes_kind_of(id) == NOTE_RESEND,
					    .marked = marked};
	const uint32_t number = notes_flow_of(id);
	const enum note kind = notes_kind_of(id);
	struct flow *flow = &program->mpi.flows[number];

	if (flow->carried > 0 && flow->carrier == id)
		flow->carried = 0;
	if (kind == NOTE_ACK || kind == NOTE_AT_ONCE)
		tcp_acknowledged(program, flow->back, serial_of(id), SERIAL_BITS);
	else if (kind == NOTE_REFUSE)
		tcp_refused(program, flow->back, serial_of(id), SERIAL_BITS);
	else if (rows[kind].acknowledged || kind == NOTE_SEGMENT || kind == NOTE_RESEND)
		tcp_arrive(program, number, serial_of(id), SERIAL_BITS, &arrival);
	else {
		tcp_control_came(program, number);
		note_effect(program, number, kind);
	}
}

void note_arrive(struct program *program, uint64_t id, bool marked)
{
	uint32_t number = notes_flow_of(id);
	enum note kind = notes_kind_of(id);

	if (program->mpi.tcp) {
		arrive_at_tcp(program, id, marked);
		return;
	}
	if (rows[kind].acknowledged)
		acknowledge_heard(program, number, id);
	if (kind == NOTE_ACK)
		acknowledge_take(program, program->mpi.flows[number].back, notes_count_of(id));
	else
		note_effect(program, number, kind);
}

// A second after its loss, the first timeout of RFC 6298, a packet of the connection's begin or end
// is due again.
void note_lost(struct program *program, uint64_t id)
{
	const uint32_t number = notes_flow_of(id);
	const enum note kind = notes_kind_of(id);
	struct flow *flow = &program->mpi.flows[number];

	if (!program->mpi.tcp)
		return;
	if (flow->carried > 0 && flow->carrier == id)
		flow->carried = 0;
	if (rows[kind].part != PROGRAM_CONNECT && kind != NOTE_FIN && kind != NOTE_FIN_ACK)
		return;
	tcp_control_lost(program, number);
	remind(program, later(program, program->now_ticks, 1000000000 * program->params.ns_ticks),
	       program->due.orders++, WHAT_NOTE, number | (uint32_t)kind << FLOW_BITS);
}

void note_remind(struct program *program, uint32_t about)
{
	flow_note(program, about & ((1u << FLOW_BITS) - 1), (enum note)(about >> FLOW_BITS));
}
