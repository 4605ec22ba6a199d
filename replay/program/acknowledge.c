// SPDX-License-Identifier: GPL-3.0-or-later
// What acknowledges a packet of MPI's. Where MPI asks, a request follows each packet and is answered. Else it is
// TCP that acknowledges each n-th packet at once, fewer with the next packet that goes the other way, or after a
// delay (Braden, RFC 1122, 4.2.3.2).
#include "program/flows.h"

// The packet that goes on this flow acknowledges what was heard, unless one under way already does.
static void carry(struct flow *flow, uint64_t id)
{
	if (flow->heard == 0 || flow->carried > 0)
		return;
	flow->carried = flow->heard;
	flow->carrier = id;
	flow->heard = 0;
	flow->notes[NOTE_ACK] = 0;
}

void acknowledge_sent(struct program *program, uint32_t number, uint64_t id)
{
	struct flow *flow = &program->flows[number];

	flow->out++;
	if (program->params.mpi.asks)
		flow_note(program, number, NOTE_ASK);
	else
		carry(flow, id);
}

void acknowledge_take(struct program *program, uint32_t number, uint32_t packets)
{
	program->flows[number].out -= packets;
	flow_resume(program, number);
}

// Packets heard for which no acknowledgement is due yet.
static uint32_t not_due(const struct program *program, const struct flow *flow)
{
	uint32_t due = flow->notes[NOTE_ACK] * program->params.mpi.ack_every;

	return flow->heard > due ? flow->heard - due : 0;
}

static void start_timer(struct program *program, uint32_t number)
{
	struct flow *flow = &program->flows[number];

	flow->ack_ticks = later(program, program->now_ticks, program->params.mpi.ack_delay_ticks);
	if (flow->timer)
		return;
	flow->timer = true;
	remind(program, flow->ack_ticks, program->orders++, WHAT_ACK, number);
}

void acknowledge_heard(struct program *program, uint32_t number, uint64_t id)
{
	struct flow *came = &program->flows[number];
	struct flow *back = &program->flows[came->back];

	if (program->params.mpi.asks)
		return;
	if (came->carried > 0 && came->carrier == id) {
		uint32_t carried = came->carried;

		came->carried = 0;
		acknowledge_take(program, came->back, carried);
	}
	back->heard++;
	if (not_due(program, back) == 1)
		start_timer(program, came->back);
	if (not_due(program, back) == program->params.mpi.ack_every)
		flow_note(program, came->back, NOTE_ACK);
}

void acknowledge_late(struct program *program, uint32_t number)
{
	struct flow *flow = &program->flows[number];

	flow->timer = false;
	if (flow->heard == 0 || not_due(program, flow) == 0)
		return;
	if (flow->ack_ticks <= program->now_ticks) {
		flow_note(program, number, NOTE_ACK);
		return;
	}
	flow->timer = true;
	remind(program, flow->ack_ticks, program->orders++, WHAT_ACK, number);
}
