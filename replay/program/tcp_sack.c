// SPDX-License-Identifier: GPL-3.0-or-later
// TCP's recovery with selective acknowledgements (Mathis, Mahdavi, Floyd and Romanow, RFC 2018), as
// Linux has it: a packet is lost if one sent later has arrived and it has had time to (RACK), and a
// probe makes the receiver acknowledge when the last ones are lost (TLP): Cheng, Cardwell,
// Dukkipati and Jha, RFC 8985. What may leave is counted by packets in flight, neither arrived nor
// lost (Blanton and others, RFC 6675), and the window shrinks in proportion to what arrives:
// Mathis, Dukkipati and Cheng, RFC 6937, with the slow start bound. Differences to these texts,
// beside the counting of packets:
//
// - The sender hears of all packets that had arrived when the acknowledgement left, where an option
//   has room for three or four blocks: each acknowledgement repeats what was lost on the way
//   anyway. An acknowledgement says how many packets had come by then, and the receiver keeps the
//   order in which they came.
// - Which of two packets was sent later is known by the turn in which they left, not by their
//   times.
// - There is no DSACK: the reordering window stays a quarter of the least round trip, and a probe
//   that was in vain is recognised by an acknowledgement of nothing new (RFC 8985, 7.4.2, case
//   3).
// - As in Linux, timers other than that of the timeout run 2 ms longer, the budget for a delayed
//   acknowledgement of a single packet is the least timeout, since the sender does not know that of
//   the receiver, and retransmissions that are lost in fast recovery do not shrink the window
//   again. After a timeout they do. There is no undoing of either.
#include "program/tcp.h"

#define NO_PACKET UINT64_MAX
#define LEAST_TIMER_NS 2000000

// What an acknowledgement brings.
struct news {
	uint32_t packets; // have arrived
	uint64_t turn;	  // of the latest of them that was sent once; 0: none
	int64_t ticks;	  // since
	bool in_order;	  // the first packet is among them
};

static struct score *tcp_sack_at(const struct tcp *tcp, uint64_t number)
{
	return &tcp->scores[number & tcp->mask];
}

static uint32_t out(const struct tcp *tcp)
{
	return (uint32_t)(tcp->next - tcp->first);
}

void tcp_sack_start(struct tcp *tcp)
{
	tcp->sack = (struct sack){
		.oldest = NO_PACKET, .newest = NO_PACKET, .least_ticks = INT64_MAX};
	for (int i = 0; i < SACK_TIMERS; i++)
		tcp->sack.due_ticks[i] = SIM_STOPPED;
}

static void tcp_sack_came(struct tcp *tcp, uint64_t number)
{
	tcp_sack_at(tcp, tcp->said++)->came = number;
}

static bool tcp_sack_has_window(const struct program *program, uint32_t flow)
{
	const struct tcp *tcp = &program->mpi.tcp[flow];

	return tcp->sack.flight < tcp->window + (tcp->sack.probe == PROBE_NEW);
}

// The packet has left, and is in flight, the newest.
static void enter_flight(struct program *program, struct tcp *tcp, uint64_t number)
{
	struct sack *sack = &tcp->sack;
	struct score *score = tcp_sack_at(tcp, number);

	score->left_ticks = program->now_ticks;
	score->turn = ++sack->turns;
	score->place = SCORE_FLIGHT;
	score->older = sack->newest;
	score->newer = NO_PACKET;
	if (sack->newest == NO_PACKET)
		sack->oldest = number;
	else
		tcp_sack_at(tcp, sack->newest)->newer = number;
	sack->newest = number;
	sack->flight++;
}

static void leave_flight(struct tcp *tcp, uint64_t number)
{
	struct sack *sack = &tcp->sack;
	const struct score *score = tcp_sack_at(tcp, number);

	if (score->older == NO_PACKET)
		sack->oldest = score->newer;
	else
		tcp_sack_at(tcp, score->older)->newer = score->newer;
	if (score->newer == NO_PACKET)
		sack->newest = score->older;
	else
		tcp_sack_at(tcp, score->newer)->older = score->older;
	sack->flight--;
}

static void lose(struct tcp *tcp, uint64_t number)
{
	leave_flight(tcp, number);
	tcp_sack_at(tcp, number)->place = SCORE_LOST;
	if (tcp->sack.lost++ == 0 || number < tcp->again)
		tcp->again = number;
}

// What is to be sent again, and may be, becomes due: the probe, or the first packet that is lost.
static void tcp_sack_note_again(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const struct sack *sack = &tcp->sack;

	program->mpi.flows[flow].notes[NOTE_RESEND] = 0;
	if (sack->probe != PROBE_LAST) {
		if (tcp->again < tcp->first)
			tcp->again = tcp->first;
		while (sack->lost > 0 && tcp_sack_at(tcp, tcp->again)->place != SCORE_LOST)
			tcp->again++;
	}
	if (sack->probe == PROBE_LAST || (sack->lost > 0 && sack->flight < tcp->window))
		flow_note(program, flow, NOTE_RESEND);
}

// --- Timers: the flow has one, for what is due first.

static void set_due(struct program *program, struct tcp *tcp, enum sack_timer timer, int64_t ticks)
{
	tcp->sack.due_ticks[timer] = ticks == SIM_STOPPED
					     ? SIM_STOPPED
					     : later(program, program->now_ticks, ticks);
}

static void set_timeout(struct program *program, struct tcp *tcp)
{
	set_due(program, tcp, SACK_TIMEOUT,
		out(tcp) > 0 ? tcp_timeout_ticks(program, tcp) : SIM_STOPPED);
}

static int64_t least_timer_ticks(const struct program *program)
{
	return LEAST_TIMER_NS * program->params.ns_ticks;
}

// The probe is due where all that is out is in flight and no loss is being repaired (RFC 8985,
// 7.2), at the timeout at the latest.
static void set_probe(struct program *program, struct tcp *tcp)
{
	const struct sack *sack = &tcp->sack;
	const bool waits = out(tcp) > 0 && sack->flight == out(tcp) && tcp->first >= tcp->recover &&
			   sack->probe == PROBE_NONE && sack->probe_end == 0;
	int64_t ticks = NS_PER_S * program->params.ns_ticks;

	if (tcp->measured)
		ticks = tcp->mean8_ticks / 4 + (out(tcp) == 1 ? program->params.mpi.rto_least_ticks
							      : least_timer_ticks(program));
	set_due(program, tcp, SACK_PROBE, waits ? ticks : SIM_STOPPED);
	if (waits && sack->due_ticks[SACK_PROBE] > sack->due_ticks[SACK_TIMEOUT])
		tcp->sack.due_ticks[SACK_PROBE] = sack->due_ticks[SACK_TIMEOUT];
}

static void tcp_sack_set_timer(struct program *program, uint32_t flow)
{
	const int64_t *due_ticks = program->mpi.tcp[flow].sack.due_ticks;
	int64_t ticks = due_ticks[0];

	for (int i = 1; i < SACK_TIMERS; i++)
		if (due_ticks[i] < ticks)
			ticks = due_ticks[i];
	sim_timers_set(&program->mpi.timers, flow, ticks);
}

// --- Sending.

static void begin_probe(struct tcp *tcp, bool again)
{
	struct sack *sack = &tcp->sack;

	sack->probe = PROBE_NONE;
	sack->probe_end = tcp->next;
	sack->probe_out = out(tcp);
	sack->probe_again = again;
}

static void tcp_sack_sent(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];

	enter_flight(program, tcp, tcp->next - 1);
	tcp->sack.reduced.sent++;
	if (tcp->sack.probe == PROBE_NEW)
		begin_probe(tcp, false);
	if (out(tcp) == 1)
		set_timeout(program, tcp);
	set_probe(program, tcp);
	tcp_sack_set_timer(program, flow);
}

// Linux starts the timeout anew when it sends the first packet again.
static void tcp_sack_sent_again(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const uint64_t number = tcp->again;

	if (tcp->sack.probe == PROBE_LAST) {
		leave_flight(tcp, number);
		begin_probe(tcp, true);
	} else {
		tcp->sack.lost--;
	}
	enter_flight(program, tcp, number);
	tcp->sack.reduced.sent++;
	if (number == tcp->first)
		set_timeout(program, tcp);
	tcp_sack_note_again(program, flow);
	tcp_sack_set_timer(program, flow);
}

// --- Fast recovery.

static void enter_recovery(struct tcp *tcp)
{
	tcp_set_aim(tcp, out(tcp));
	tcp->recovering = true;
	tcp->sack.reduced = (struct sack_reduced){.out = out(tcp)};
	tcp->sack.probe = PROBE_NONE;
	tcp->sack.probe_end = 0;
}

// The window after so many packets have arrived (RFC 6937, section 3.1); better: the first among
// them, and nothing else is lost.
static void reduce(struct tcp *tcp, uint32_t packets, bool better)
{
	struct sack_reduced *reduced = &tcp->sack.reduced;
	const int64_t room = (int64_t)tcp->slow_below - tcp->sack.flight;
	int64_t more;

	reduced->arrived += packets;
	if (room < 0) {
		more = (int64_t)(((uint64_t)tcp->slow_below * reduced->arrived + reduced->out - 1) /
				 reduced->out);
		more -= reduced->sent;
	} else {
		more = (int64_t)reduced->arrived - reduced->sent;
		more = (more > packets ? more : packets) + better;
		more = more < room ? more : room;
	}
	if (more < (reduced->sent == 0))
		more = reduced->sent == 0;
	tcp->window = (uint32_t)(tcp->sack.flight + more);
}

// By how much a packet may be late (RFC 8985, 6.2, step 4).
static int64_t reordering_ticks(const struct tcp *tcp)
{
	const struct sack *sack = &tcp->sack;

	if (!sack->reorders &&
	    (tcp->first < tcp->recover || out(tcp) - sack->flight - sack->lost >= TCP_DUPLICATES))
		return 0;
	return sack->least_ticks / 4 < tcp->mean8_ticks / 8 ? sack->least_ticks / 4
							    : tcp->mean8_ticks / 8;
}

// Packets that should have arrived before the latest that has are lost (RFC 8985, 6.2, step 5).
// Returns how many.
static uint32_t find_losses(struct program *program, struct tcp *tcp)
{
	const struct sack *sack = &tcp->sack;
	const int64_t wait_ticks = sack->rtt_ticks + reordering_ticks(tcp);
	const uint32_t lost = sack->lost;
	int64_t ticks = SIM_STOPPED;
	bool again = false;

	for (uint64_t i = sack->oldest, newer;
	     i != NO_PACKET && tcp_sack_at(tcp, i)->turn < sack->latest; i = newer) {
		const int64_t left_ticks = tcp_sack_at(tcp, i)->left_ticks + wait_ticks -
					   program->now_ticks;

		newer = tcp_sack_at(tcp, i)->newer;
		if (left_ticks > 0) {
			ticks = left_ticks + least_timer_ticks(program);
			continue;
		}
		again = again || tcp_at(tcp, i)->again;
		lose(tcp, i);
	}
	set_due(program, tcp, SACK_REORDER, ticks);
	if (sack->lost > lost && !tcp->recovering && (tcp->first >= tcp->recover || again))
		enter_recovery(tcp);
	return sack->lost - lost;
}

// --- Acknowledgements.

// The latest packet that has arrived, in the order in which they left; of one that was sent again
// an earlier copy, if it came too soon (RFC 8985, 6.2, step 2).
static void tcp_sack_advance(struct sack *sack, const struct score *score, int64_t ticks,
			     bool again)
{
	if (score->turn < sack->latest || (again && ticks < sack->least_ticks))
		return;
	sack->latest = score->turn;
	sack->rtt_ticks = ticks;
}

static void tcp_sack_learn(struct program *program, struct tcp *tcp, uint64_t number,
			   struct news *news)
{
	struct sack *sack = &tcp->sack;
	struct score *score = tcp_sack_at(tcp, number);
	const bool again = tcp_at(tcp, number)->again;
	const int64_t ticks = program->now_ticks - score->left_ticks;

	if (score->place == SCORE_FLIGHT)
		leave_flight(tcp, number);
	else
		sack->lost--;
	score->place = SCORE_CAME;
	tcp_sack_advance(sack, score, ticks, again);
	if (number < sack->highest && !again)
		sack->reorders = true;
	if (number > sack->highest)
		sack->highest = number;
	if (!again && score->turn > news->turn) {
		news->turn = score->turn;
		news->ticks = ticks;
	}
	news->packets++;
}

static struct news read_news(struct program *program, struct tcp *tcp, uint64_t said)
{
	struct news news = {.packets = 0};
	const uint64_t first = tcp->first;

	for (; tcp->told < said; tcp->told++)
		tcp_sack_learn(program, tcp, tcp_sack_at(tcp, tcp->told)->came, &news);
	while (tcp->first < tcp->next && tcp_sack_at(tcp, tcp->first)->place == SCORE_CAME)
		tcp->first++;
	news.in_order = tcp->first > first;
	if (news.turn > 0) {
		tcp_measure(tcp, news.ticks);
		if (news.ticks < tcp->sack.least_ticks)
			tcp->sack.least_ticks = news.ticks;
	}
	return news;
}

// The acknowledgement may tell what became of the probe (RFC 8985, 7.4.2): if it repaired a loss,
// that counts.
static void judge_probe(struct tcp *tcp, bool repeats)
{
	struct sack *sack = &tcp->sack;

	if (sack->probe_end == 0 || tcp->first < sack->probe_end)
		return;
	if (sack->probe_again && tcp->first > sack->probe_end)
		tcp->window = tcp->slow_below = tcp_half(sack->probe_out);
	if (!sack->probe_again || tcp->first > sack->probe_end || repeats)
		sack->probe_end = 0;
}

// The window after news.
static void tcp_sack_set_window(struct program *program, struct tcp *tcp, const struct news *news)
{
	uint32_t lost;

	if (tcp->recovering && tcp->first >= tcp->recover) {
		tcp->recovering = false;
		tcp->window = tcp->slow_below;
	}
	lost = find_losses(program, tcp);
	if (tcp->recovering)
		reduce(tcp, news->packets, news->in_order && lost == 0);
	else if (news->in_order)
		tcp_widen(program, tcp, news->packets);
}

static void tcp_sack_hear(struct program *program, uint32_t flow, uint64_t said, bool bare)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const uint64_t first = tcp->first;
	const struct news news = read_news(program, tcp, said);

	if (news.packets == 0) {
		if (bare)
			judge_probe(tcp, true);
		return;
	}
	tcp->sack.probe = PROBE_NONE;
	if (news.in_order) {
		tcp->backoff = 0;
		set_timeout(program, tcp);
	}
	judge_probe(tcp, false);
	tcp_sack_set_window(program, tcp, &news);
	tcp_sack_note_again(program, flow);
	set_probe(program, tcp);
	tcp_sack_set_timer(program, flow);
	acknowledge_take(program, flow, (uint32_t)(tcp->first - first));
}

// --- What the timer does.

// New data, if there is any, and otherwise the last packet again (RFC 8985, 7.3).
static void send_probe(struct program *program, uint32_t flow)
{
	const struct flow *of = &program->mpi.flows[flow];
	struct tcp *tcp = &program->mpi.tcp[flow];

	tcp->sack.due_ticks[SACK_PROBE] = SIM_STOPPED;
	set_timeout(program, tcp);
	if (of->messages.first != NOTHING && of->out < program->params.mpi.window_packets) {
		tcp->sack.probe = PROBE_NEW;
	} else {
		tcp->sack.probe = PROBE_LAST;
		tcp->again = tcp->next - 1;
	}
}

// The first packet is lost, and all that have had time to arrive (RFC 8985, 6.3).
static void time_out(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	struct sack *sack = &tcp->sack;
	const int64_t wait_ticks = sack->rtt_ticks + reordering_ticks(tcp);

	tcp_back_off(program, flow);
	for (uint64_t i = sack->oldest, newer; i != NO_PACKET; i = newer) {
		newer = tcp_sack_at(tcp, i)->newer;
		if (i == tcp->first ||
		    tcp_sack_at(tcp, i)->left_ticks + wait_ticks <= program->now_ticks)
			lose(tcp, i);
	}
	sack->probe = PROBE_NONE;
	sack->probe_end = 0;
	tcp->window = sack->flight + 1;
	sack->due_ticks[SACK_REORDER] = sack->due_ticks[SACK_PROBE] = SIM_STOPPED;
	set_timeout(program, tcp);
}

static void end_reordering(struct program *program, struct tcp *tcp)
{
	const bool recovering = tcp->recovering;

	(void)find_losses(program, tcp);
	if (tcp->recovering && !recovering)
		reduce(tcp, 1, false);
}

static void tcp_sack_run_off(struct program *program, uint32_t flow)
{
	struct tcp *tcp = &program->mpi.tcp[flow];
	const struct sack *sack = &tcp->sack;

	if (sack->due_ticks[SACK_REORDER] <= program->now_ticks)
		end_reordering(program, tcp);
	else if (sack->due_ticks[SACK_PROBE] <= program->now_ticks)
		send_probe(program, flow);
	else
		time_out(program, flow);
	tcp_sack_note_again(program, flow);
	tcp_sack_set_timer(program, flow);
	flow_resume(program, flow);
}

const struct tcp_recovery tcp_sack = {tcp_sack_came,	    tcp_sack_has_window, tcp_sack_sent,
				      tcp_sack_sent_again,  tcp_sack_hear,	 tcp_sack_run_off,
				      .arrive = tcp_receive};
