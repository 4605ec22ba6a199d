// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that speak RDMA (RoCE): a flow is a reliable connection of two queue pairs, InfiniBand
// Architecture Specification, volume 1, chapter 9. Its packets are numbered, the receiver takes
// them in order alone, and answers the first that is not the expected one with a NAK; the sender
// goes back to that one and sends all again from there (go-back-N), likewise after a time without
// an acknowledgement. A host's queue pairs send a packet each in turn, one when the one before has
// left. With DCQCN (dcqcn.h) each has a rate; without, it sends as fast as the host's cable.
//
// The rate is that of a fluid: a packet may leave when the packets before it, with what is around
// them on the cable, have run out at the rates that there were meanwhile.
#include "program/tcp.h"

#define RDMA_RETRIES 7u // the most that InfiniBand's counter allows

static bool rdma_has_rate(const struct program *program)
{
	return program->params.mpi.rdma.dcqcn.on;
}

// Lets time run out up to now.
static void rdma_advance(const struct program *program, struct rdma *rdma)
{
	const struct dcqcn_params *params = &program->params.mpi.rdma.dcqcn;

	while (rdma->left > 0 && rdma->since_ticks < program->now_ticks) {
		const int64_t change_ticks = rdma->rate.increase_ticks;
		const int64_t to_ticks = change_ticks < program->now_ticks ? change_ticks
									   : program->now_ticks;
		const __int128 gone = (__int128)rdma->rate.rate_bps *
				      (to_ticks - rdma->since_ticks);

		rdma->left = rdma->left > gone ? rdma->left - gone : 0;
		rdma->since_ticks = to_ticks;
		dcqcn_until(&rdma->rate, params, to_ticks);
	}
	rdma->since_ticks = program->now_ticks;
	dcqcn_until(&rdma->rate, params, program->now_ticks);
}

// When the flow's next packet may leave by its rate, or the rate changes before.
static int64_t rdma_due_ticks(const struct program *program, uint32_t flow)
{
	struct rdma *rdma = &program->mpi.rdma[flow];
	__int128 wait;

	if (!rdma_has_rate(program))
		return program->now_ticks;
	rdma_advance(program, rdma);
	if (rdma->left == 0)
		return program->now_ticks;
	wait = (rdma->left + rdma->rate.rate_bps - 1) / rdma->rate.rate_bps;
	return rdma->rate.increase_ticks - program->now_ticks < wait
		       ? rdma->rate.increase_ticks
		       : program->now_ticks + (int64_t)wait;
}

static void rdma_set_timer(struct program *program, uint32_t flow)
{
	const int64_t *due = program->mpi.rdma[flow].due_ticks;

	sim_timers_set(&program->mpi.timers, flow,
		       due[RDMA_PACE] < due[RDMA_TIMEOUT] ? due[RDMA_PACE] : due[RDMA_TIMEOUT]);
}

// What is to be sent again becomes due, or new packets may leave, now or when the timer says.
static void rdma_go_on(struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];
	struct flow *of = &program->mpi.flows[flow];
	int64_t due_ticks = rdma_due_ticks(program, flow);

	if (tcp->again == tcp->next)
		of->notes[NOTE_RESEND] = 0;
	else if (program->ranks[of->from].due_ticks > due_ticks)
		due_ticks = program->ranks[of->from].due_ticks;
	program->mpi.rdma[flow].due_ticks[RDMA_PACE] = due_ticks > program->now_ticks ? due_ticks
										      : SIM_STOPPED;
	rdma_set_timer(program, flow);
	if (due_ticks > program->now_ticks)
		return;
	if (tcp->again == tcp->next)
		flow_resume(program, flow);
	else if (of->notes[NOTE_RESEND] == 0)
		flow_note(program, flow, NOTE_RESEND);
}

// The time of an acknowledgement begins anew where one is expected.
static void rdma_expect(struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];

	program->mpi.rdma[flow].due_ticks[RDMA_TIMEOUT] =
		tcp->first == tcp->next ? SIM_STOPPED
					: later(program, program->now_ticks,
						program->params.mpi.rdma.timeout_ticks);
}

// A packet of the flow leaves now.
static void rdma_spend(struct program *program, uint32_t flow, uint64_t number)
{
	const struct program_rdma *params = &program->params.mpi.rdma;
	struct rdma *rdma = &program->mpi.rdma[flow];
	uint32_t wire_B;

	if (rdma->due_ticks[RDMA_TIMEOUT] == SIM_STOPPED)
		rdma_expect(program, flow);
	if (rdma_has_rate(program)) {
		wire_B = net_wire_B(&params->wires[program->mpi.flows[flow].from],
				    tcp_at(&program->mpi.tcp[flow], number)->bytes);
		rdma_advance(program, rdma);
		dcqcn_sent(&rdma->rate, &params->dcqcn, wire_B);
		rdma->left = dcqcn_limits(&rdma->rate) ? (__int128)wire_B * 8 * params->ticks_per_s
						       : 0;
	}
	rdma_go_on(program, flow);
}

static bool rdma_has_window(const struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];

	return tcp->again == tcp->next && rdma_due_ticks(program, flow) <= program->now_ticks;
}

static void rdma_sent(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	if (tcp->again == tcp->next - 1) // else a note has passed those to be sent again
		tcp->again = tcp->next;
	rdma_spend(program, flow, tcp->next - 1);
}

static void rdma_sent_again(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	program->mpi.rdma[flow].counts.again++;
	rdma_spend(program, flow, tcp->again++);
}

static void rdma_hear(struct program *program, uint32_t flow, uint64_t said, bool bare)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const uint32_t packets = (uint32_t)(said - tcp->first);

	(void)bare;
	if (said <= tcp->first)
		return;
	tcp->first = tcp->told = said;
	if (tcp->again < said)
		tcp->again = said;
	program->mpi.rdma[flow].tries = 0;
	rdma_expect(program, flow);
	acknowledge_take(program, flow, packets);
	rdma_go_on(program, flow);
}

static void rdma_go_back(struct program *program, uint32_t flow)
{
	program->mpi.tcp[flow].again = program->mpi.tcp[flow].first;
	rdma_expect(program, flow);
	rdma_go_on(program, flow);
}

static void rdma_refused(struct program *program, uint32_t flow, uint64_t said)
{
	rdma_hear(program, flow, said, true);
	if (said != program->mpi.tcp[flow].first || said == program->mpi.tcp[flow].next)
		return;
	program->mpi.rdma[flow].counts.refused++;
	rdma_go_back(program, flow);
}

static void rdma_noticed(struct program *program, uint32_t flow)
{
	struct rdma *rdma = &program->mpi.rdma[flow];

	rdma->counts.notices++;
	rdma_advance(program, rdma);
	dcqcn_cut(&rdma->rate, &program->params.mpi.rdma.dcqcn, program->now_ticks);
	if (rdma->rate.rate_bps < rdma->counts.least_bps)
		rdma->counts.least_bps = rdma->rate.rate_bps;
	rdma_go_on(program, flow);
}

static void rdma_run_off(struct program *program, uint32_t flow)
{
	struct rdma *rdma = &program->mpi.rdma[flow];
	const struct flow *of = &program->mpi.flows[flow];

	if (rdma->due_ticks[RDMA_TIMEOUT] > program->now_ticks) {
		rdma_go_on(program, flow);
		return;
	}
	rdma->counts.timeouts++;
	if (rdma->tries++ == RDMA_RETRIES && program->status == TR_OK)
		program->status = tr_fail(
			program->err,
			"%s: rank %u gives up: a packet to rank %u was not acknowledged after %u "
			"retries; where full switches drop packets, pauses prevent it: --fabric "
			"ethernet:pfc=all",
			goal_name_of(program->goal, of->from), of->from, of->to, RDMA_RETRIES);
	rdma_go_back(program, flow);
}

// ---- the receiver

static void rdma_arrive(struct program *program, uint32_t flow, uint64_t number,
			const struct tcp_arrival *arrival)
{
	const struct program_rdma *params = &program->params.mpi.rdma;
	struct tcp *tcp = &program->mpi.tcp[flow];
	struct rdma *rdma = &program->mpi.rdma[flow];
	const uint32_t back = program->mpi.flows[flow].back;

	if (program->mpi.flows[back].stage == FLOW_OPENING) // its last word was lost
		note_effect(program, flow, NOTE_JOINED);
	if (arrival->marked && params->dcqcn.on && program->now_ticks >= rdma->notice_ticks) {
		rdma->notice_ticks = later(program, program->now_ticks, params->dcqcn.notice_ticks);
		flow_note(program, back, NOTE_NOTICE);
	}
	if (number > tcp->due) {
		if (!rdma->refused)
			flow_note(program, back, NOTE_REFUSE);
		rdma->refused = true;
	} else if (number < tcp->due) {
		flow_note(program, back, NOTE_AT_ONCE);
	} else if (number < tcp->next) {
		rdma->refused = false;
		tcp_at(tcp, number)->arrived = true;
		if (tcp_take_in_order(program, flow)) {
			program->mpi.flows[back].notes[NOTE_ACK] = 0;
			flow_note(program, back, NOTE_AT_ONCE);
		}
		tcp->said = tcp->due;
	}
}

void rdma_open(struct program *program, uint32_t flow)
{
	const struct program_rdma *params = &program->params.mpi.rdma;
	struct rdma *rdma = &program->mpi.rdma[flow];

	*rdma = (struct rdma){.due_ticks = {SIM_STOPPED, SIM_STOPPED}, .notice_ticks = INT64_MIN};
	if (params->wires)
		dcqcn_start(
			&rdma->rate,
			8 * params->ticks_per_s /
				(uint64_t)params->wires[program->mpi.flows[flow].from].byte_ticks);
	rdma->counts.least_bps = rdma->rate.line_bps;
}

uint32_t program_next_pair(const struct program *program, uint32_t number, struct program_pair *out)
{
	for (; program->mpi.rdma && number < program->mpi.flow_count; number++) {
		const struct rdma *rdma = &program->mpi.rdma[number];
		const struct rdma_counts *counts = &rdma->counts;

		*out = (struct program_pair){.from = program->mpi.flows[number].from,
					     .to = program->mpi.flows[number].to,
					     .packets = program->mpi.tcp[number].next,
					     .again = counts->again,
					     .refused = counts->refused,
					     .timeouts = counts->timeouts,
					     .notices = counts->notices,
					     .least_bps = counts->least_bps,
					     .last_bps = rdma->rate.rate_bps};
		if (counts->refused + counts->timeouts + counts->notices > 0)
			return number + 1;
	}
	return 0;
}

const struct tcp_recovery tcp_rdma = {.has_window = rdma_has_window,
				      .sent = rdma_sent,
				      .sent_again = rdma_sent_again,
				      .hear = rdma_hear,
				      .refused = rdma_refused,
				      .noticed = rdma_noticed,
				      .run_off = rdma_run_off,
				      .arrive = rdma_arrive};
