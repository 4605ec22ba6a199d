// SPDX-License-Identifier: GPL-3.0-or-later
// TCP's fast recovery without selective acknowledgements: Henderson, Floyd, Gurtov and Nishida
// (NewReno), RFC 6582. An acknowledgement says the number up to which all has arrived.
#include "program/tcp.h"

static void tcp_newreno_came(struct tcp *tcp, uint64_t number)
{
	(void)number;
	tcp->said = tcp->due;
}

static bool tcp_newreno_has_window(const struct program *program, uint32_t flow)
{
	return program->mpi.flows[flow].out < program->mpi.tcp[flow].window;
}

// Starts the timer anew if something is out, and stops it otherwise.
static void tcp_newreno_set_timer(struct program *program, uint32_t flow)
{
	const bool waits = program->mpi.flows[flow].out > 0;

	sim_timers_set(&program->mpi.timers, flow,
		       waits ? later(program, program->now_ticks,
				     tcp_timeout_ticks(program, &program->mpi.tcp[flow]))
			     : SIM_STOPPED);
}

// What is to be sent again, and may be, becomes due.
static void tcp_newreno_note_again(struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];
	uint32_t *notes = &program->mpi.flows[flow].notes[NOTE_RESEND];

	*notes = 0;
	if (tcp->again < tcp->newreno.again_end && tcp->again - tcp->first < tcp->window)
		flow_note(program, flow, NOTE_RESEND);
}

static void tcp_newreno_sent(struct program *program, uint32_t flow)
{
	if (program->mpi.flows[flow].out == 1)
		tcp_newreno_set_timer(program, flow);
}

static void tcp_newreno_sent_again(struct program *program, uint32_t flow)
{
	program->mpi.tcp[flow].again++;
	tcp_newreno_note_again(program, flow);
}

static void send_again(struct program *program, uint32_t flow, uint64_t end)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	tcp->again = tcp->first;
	tcp->newreno.again_end = end;
	tcp_newreno_note_again(program, flow);
}

// So many packets are acknowledged during fast recovery (RFC 6582, section 3.2).
static void recover(struct program *program, uint32_t flow, uint32_t packets)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const uint32_t out = (uint32_t)(tcp->next - tcp->first);

	if (tcp->first >= tcp->recover) {
		tcp->window = tcp_least(tcp->slow_below, (out > 1 ? out : 1) + UINT64_C(1));
		tcp->recovering = false;
		return;
	}
	tcp->window = tcp->window > packets ? tcp->window - packets + 1 : 1;
	send_again(program, flow, tcp->first + 1);
}

static void take_new(struct program *program, uint32_t flow, uint64_t heard)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const struct sent *last = tcp_at(tcp, heard - 1);
	const uint32_t packets = (uint32_t)(heard - tcp->first);
	const bool partly = tcp->recovering && tcp->newreno.partly;

	if (!last->again)
		tcp_measure(tcp, program->now_ticks - last->sent_ticks);
	tcp->first = tcp->told = heard;
	tcp->backoff = 0;
	tcp->newreno.duplicates = 0;
	if (tcp->again < heard)
		tcp->again = heard;
	tcp_newreno_note_again(program, flow);
	if (tcp->recovering) {
		recover(program, flow, packets);
		tcp->newreno.partly = true;
	} else {
		tcp_widen(program, tcp, packets);
	}
	acknowledge_take(program, flow, packets);
	if (!partly || !tcp->recovering || program->mpi.flows[flow].out == 0)
		tcp_newreno_set_timer(program, flow);
}

// An acknowledgement that says nothing new.
static void take_duplicate(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	tcp->newreno.duplicates++;
	if (tcp->recovering) {
		tcp->window += tcp->window < TCP_WINDOW_MOST;
		tcp_newreno_note_again(program, flow);
		flow_resume(program, flow);
	} else if (tcp->newreno.duplicates == TCP_DUPLICATES && tcp->first >= tcp->recover) {
		tcp_set_aim(tcp, program->mpi.flows[flow].out);
		tcp->window = tcp->slow_below + TCP_DUPLICATES;
		tcp->recovering = true;
		tcp->newreno.partly = false;
		send_again(program, flow, tcp->first + 1);
		flow_resume(program, flow);
	}
}

static void tcp_newreno_hear(struct program *program, uint32_t flow, uint64_t said, bool bare)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];

	if (said > tcp->first)
		take_new(program, flow, said);
	else if (said == tcp->first && bare && program->mpi.flows[flow].out > 0)
		take_duplicate(program, flow);
}

static void tcp_newreno_run_off(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	tcp_back_off(program, flow);
	tcp->window = 1;
	tcp->newreno.duplicates = 0;
	send_again(program, flow, tcp->next);
	tcp_newreno_set_timer(program, flow);
}

const struct tcp_recovery tcp_newreno = {
	tcp_newreno_came, tcp_newreno_has_window, tcp_newreno_sent,	tcp_newreno_sent_again,
	tcp_newreno_hear, tcp_newreno_run_off,	  .arrive = tcp_receive};
