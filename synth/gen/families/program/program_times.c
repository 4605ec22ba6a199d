// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value/heap.h"
#include "value/ticks.h"

#define PROGRAM_TICKS_MAX (INT64_MAX / 4) // a program ends before
#define STREAM_MAX (INT64_C(1) << 60)	  // bytes and ticks that no other message joins

// A message that is ready, or that is the next one of its sender's busy port, or that has come to a
// receiver that looks for it.
struct ready {
	int64_t ticks;
	uint32_t message;
	bool next, come;
};

// Where a rank is.
struct program_rank {
	int64_t carry;		   // it had done all of the iteration before
	int64_t out_free, in_free; // last packet of its ports, of the sending one at its pace
	int64_t busy, look; // last time at which it sends or begins to wait, as far as known; when
			    // it looks for messages, or last did
	bool taken;	    // its sending port has a next message,
	uint32_t queue_first, queue_last; // and these after that; PROGRAM_NONE
};

// Nodes of the graph: gates; messages, done when they are out of their sender's hands; messages
// again, done when they have arrived. Gates and messages of the first kind wait for others.
struct program_run {
	int64_t *done;		// by node
	uint32_t *needs, *left; // by node that waits: how many it waits for; of them not done yet
	uint32_t *first, *next; // edges of node n: next[first[n]] .. next[first[n + 1] - 1]
	uint32_t *reached;	// nodes that all has been done for, not yet dealt with
	uint32_t reached_count;
	struct program_rank *ranks;
	uint32_t *queue_next; // by message, in the queue of a port
	struct ready *heap;
	uint32_t heap_count;
	uint64_t iterations; // so far
	int64_t begin_ticks; // of the iteration
};

static uint32_t handed(const struct program_times *times, uint32_t m)
{
	return times->plan.gate_count + m;
}

static uint32_t arrived(const struct program_times *times, uint32_t m)
{
	return times->plan.gate_count + times->plan.list.count + m;
}

// The node that stands for a number of struct program_waits, as the rank sees it.
static uint32_t program_times_node_of(const struct program_times *times, uint32_t wait,
				      uint32_t rank)
{
	const uint32_t m = wait - times->plan.gate_count;

	if (wait < times->plan.gate_count)
		return wait;
	return times->plan.list.messages[m].src == rank ? handed(times, m) : arrived(times, m);
}

// Calls edge for each pair of nodes of which the second waits for the first.
static void program_times_walk(const struct program_times *times,
			       void (*edge)(struct program_run *run, uint32_t from, uint32_t to))
{
	const struct program_plan *plan = &times->plan;
	struct program_run *run = times->run;

	for (uint32_t g = 0; g < plan->gate_count; g++) {
		const struct program_gate *gate = &plan->gates[g];

		if (gate->first == gate->end)
			continue; // a rank's last one
		edge(run, g, g + 1);
		for (uint32_t i = gate->first; i < gate->end; i++)
			edge(run,
			     program_times_node_of(times, plan->gate_count + plan->ops[i].message,
						   gate->rank),
			     g + 1);
	}
	for (uint32_t m = 0; m < plan->list.count; m++) {
		const struct program_message *message = &plan->list.messages[m];
		const struct program_waits *waits = &plan->waits[m];

		edge(run, program_times_node_of(times, waits->send, message->src),
		     handed(times, m));
		if (waits->behind != PROGRAM_NONE)
			edge(run, program_times_node_of(times, waits->behind, message->src),
			     handed(times, m));
		if (waits->receive != PROGRAM_NONE)
			edge(run, program_times_node_of(times, waits->receive, message->dst),
			     handed(times, m));
	}
}

static void count_edge(struct program_run *run, uint32_t from, uint32_t to)
{
	run->first[from + 1]++;
	run->needs[to]++;
}

static void program_times_put_edge(struct program_run *run, uint32_t from, uint32_t to)
{
	run->next[run->first[from]++] = to;
}

static enum tr_status make_graph(struct program_times *times, struct tr_error *err)
{
	const size_t messages = times->plan.list.count, gates = times->plan.gate_count,
		     ranks = times->plan.nodes;
	const size_t count = gates + 2 * messages;
	struct program_run *run = calloc(1, sizeof(*run));

	times->run = run;
	if (!run)
		return tr_no_memory(err, "the program");
	run->done = calloc(count, sizeof(*run->done));
	run->needs = calloc(gates + messages, sizeof(*run->needs));
	run->left = calloc(gates + messages, sizeof(*run->left));
	run->first = calloc(count + 2, sizeof(*run->first));
	run->next = calloc(5 * messages + gates + 1, sizeof(*run->next));
	run->reached = calloc(gates + messages, sizeof(*run->reached));
	run->ranks = calloc(ranks, sizeof(*run->ranks));
	run->queue_next = calloc(messages, sizeof(*run->queue_next));
	run->heap = calloc(messages, sizeof(*run->heap));
	if (!run->done || !run->needs || !run->left || !run->first || !run->next || !run->reached ||
	    !run->ranks || !run->queue_next || !run->heap)
		return tr_no_memory(err, "%zu messages", messages);
	for (size_t r = 0; r < ranks; r++)
		run->ranks[r] = (struct program_rank){.out_free = INT64_MIN / 2,
						      .in_free = INT64_MIN / 2,
						      .look = INT64_MIN / 2,
						      .queue_first = PROGRAM_NONE,
						      .queue_last = PROGRAM_NONE};
	program_times_walk(times, count_edge);
	for (size_t n = 0; n < count; n++)
		run->first[n + 1] += run->first[n];
	program_times_walk(times, program_times_put_edge);
	memmove(run->first + 1, run->first, (count + 1) * sizeof(*run->first));
	run->first[0] = 0;
	return TR_OK;
}

enum tr_status program_times_open(struct program_times *times, const struct program_model *model,
				  uint32_t nodes, double ticks_per_s, uint64_t seed,
				  struct tr_error *err)
{
	*times = (struct program_times){.run = NULL};
	if (program_plan_make(&times->plan, model, nodes, ticks_per_s, seed, err) != TR_OK)
		return TR_ERROR;
	times->sent = calloc(times->plan.list.count, sizeof(*times->sent));
	return times->sent ? make_graph(times, err)
			   : tr_no_memory(err, "%u messages", times->plan.list.count);
}

void program_times_close(struct program_times *times)
{
	struct program_run *run = times->run;

	if (run) {
		free(run->done);
		free(run->needs);
		free(run->left);
		free(run->first);
		free(run->next);
		free(run->reached);
		free(run->ranks);
		free(run->queue_next);
		free(run->heap);
	}
	free(run);
	free(times->sent);
	program_plan_clear(&times->plan);
	*times = (struct program_times){.run = NULL};
}

static bool program_times_before(const struct ready *a, const struct ready *b)
{
	return a->ticks < b->ticks || (a->ticks == b->ticks && a->message < b->message);
}

HEAP(ready, struct ready, program_times_before);

// A node is done: tells those that wait for it.
static void program_times_finish(struct program_times *times, uint32_t node)
{
	struct program_run *run = times->run;

	for (uint32_t i = run->first[node]; i < run->first[node + 1]; i++) {
		const uint32_t next = run->next[i];

		if (next < times->plan.gate_count)
			run->done[next] = ticks_later(run->done[next], run->done[node]);
		if (--run->left[next] == 0)
			run->reached[run->reached_count++] = next;
	}
}

// A rank reaches a gate.
static void program_times_pass(struct program_times *times, uint32_t g)
{
	const struct program_gate *gate = &times->plan.gates[g];
	struct program_run *run = times->run;

	if (gate->begins)
		run->done[g] = ticks_later(run->done[g], run->begin_ticks);
	run->done[g] += gate->compute_ticks;
	run->ranks[gate->rank].busy = ticks_later(run->ranks[gate->rank].busy, run->done[g]);
	program_times_finish(times, g);
}

// When a rank had what it waits for; long ago if that is PROGRAM_NONE.
static int64_t done_at(const struct program_times *times, uint32_t wait, uint32_t rank)
{
	return wait == PROGRAM_NONE ? INT64_MIN / 2
				    : times->run->done[program_times_node_of(times, wait, rank)];
}

// A message has nothing to wait for but its ports.
static void be_ready(struct program_times *times, uint32_t m)
{
	const struct program_waits *waits = &times->plan.waits[m];
	const struct program_message *message = &times->plan.list.messages[m];
	struct program_run *run = times->run;
	int64_t ticks = ticks_later(done_at(times, waits->send, message->src),
				    done_at(times, waits->behind, message->src)) +
			(waits->computes ? waits->compute_ticks : 0);

	if (waits->receive != PROGRAM_NONE) {
		const bool behind = waits->receive >= times->plan.gate_count; // another message
		const int64_t receive = done_at(times, waits->receive, message->dst);

		times->sent[m].request_ticks = ticks;
		ticks = behind && times->plan.take_ticks > 0
				? ticks_later(ticks + waits->grant_ticks,
					      receive - times->plan.lag_ticks +
						      times->plan.take_ticks)
				: ticks_later(ticks, receive) + waits->grant_ticks;
		times->sent[m].grant_ticks = ticks;
		ticks += waits->begin_ticks;
	} else { // the port has it, and the rank goes on
		run->done[handed(times, m)] = ticks;
		run->ranks[message->src].busy = ticks_later(run->ranks[message->src].busy, ticks);
		program_times_finish(times, handed(times, m));
	}
	ready_put(run->heap, run->heap_count++, (struct ready){.ticks = ticks, .message = m});
}

static void program_times_go_on(struct program_times *times)
{
	struct program_run *run = times->run;

	while (run->reached_count > 0) {
		const uint32_t node = run->reached[--run->reached_count];

		if (node < times->plan.gate_count)
			program_times_pass(times, node);
		else
			be_ready(times, node - times->plan.gate_count);
	}
}

// When a packet passes that would at this time after the first one by the pace of its port, with as
// many packets before it, if these may be ahead by so much.
static int64_t program_times_paced(const struct program_plan *plan, int64_t ticks, uint64_t packets,
				   int64_t credit_ticks)
{
	return plan->pace.burst_ticks == 0
		       ? ticks
		       : ticks_later(ticks - credit_ticks, (int64_t)packets * plan->pace.gap_ticks);
}

int64_t program_times_packet(const struct program_plan *plan, const struct program_sent *sent,
			     struct program_late *late, uint64_t i)
{
	if (i + 1 == sent->packets)
		return sent->end_ticks;
	return sent->begin_ticks + program_late_at(late, &plan->stall, i) +
	       program_times_paced(plan, (int64_t)((double)i * plan->pace.full), i,
				   sent->credit_ticks);
}

// When the message's sender may send its first packet, which counts from the pace of its port: by
// the generic cell rate algorithm (ITU-T I.371), with the burst as its tolerance.
static int64_t port_ticks(const struct program_times *times, uint32_t m)
{
	const struct program_message *message = &times->plan.list.messages[m];

	return times->run->ranks[message->src].out_free +
	       times->plan.trains[message->train].first_ticks - times->plan.pace.burst_ticks;
}

// The message becomes the next one of its sender's port.
static void take_port(struct program_times *times, uint32_t m, int64_t ticks)
{
	const uint32_t rank = times->plan.list.messages[m].src;

	times->run->ranks[rank].taken = true;
	ready_put(times->run->heap, times->run->heap_count++,
		  (struct ready){.ticks = ticks_later(ticks, port_ticks(times, m)),
				 .message = m,
				 .next = true});
}

// The message's train, with the messages at the head of its port's queue that join it, which leave
// the queue.
static struct program_train join_queued(struct program_times *times, uint32_t m)
{
	const struct program_plan *plan = &times->plan;
	const struct program_message *message = &plan->list.messages[m];
	struct program_train train = plan->trains[message->train];
	uint32_t *next = &times->run->ranks[message->src].queue_first;
	uint64_t stream_B = train.stream_B;
	int64_t ticks = train.span_ticks;

	while (plan->model->flow.joins && !train.granted && *next != PROGRAM_NONE &&
	       plan->list.messages[*next].dst == message->dst && ticks < STREAM_MAX &&
	       stream_B < STREAM_MAX) {
		const struct program_train *own = &plan->trains[plan->list.messages[*next].train];

		if (own->granted)
			break;
		stream_B += own->stream_B;
		ticks += own->first_ticks + own->span_ticks;
		times->sent[*next] = (struct program_sent){.packets = 0};
		*next = times->run->queue_next[*next];
	}
	if (stream_B > train.stream_B)
		program_plan_pack(plan, &train, stream_B);
	return train;
}

// A message has come: its receiver goes on with it, if it need not look for it.
static void program_times_take(struct program_times *times, uint32_t m, int64_t ticks)
{
	times->run->done[arrived(times, m)] = ticks;
	program_times_finish(times, arrived(times, m));
}

// A message has come to a receiver that looks for it: that sees it with all that come before it
// looks next. It looks some time after the first one has come, or after it has sent and computed.
static void program_times_look(struct program_times *times, const struct ready *ready)
{
	struct program_run *run = times->run;
	const uint32_t rank = times->plan.list.messages[ready->message].dst;

	if (ready->ticks > run->ranks[rank].look)
		run->ranks[rank].look = ticks_later(ready->ticks, run->ranks[rank].busy) +
					program_plan_look(&times->plan, rank);
	program_times_take(times, ready->message, run->ranks[rank].look);
}

// The messages of a train arrive, of which joined is the second one and end the first one that is
// not of it: each with the packet that has its last byte.
static void program_times_arrive(struct program_times *times, uint32_t m, uint32_t joined,
				 uint32_t end)
{
	const struct program_plan *plan = &times->plan;
	const struct program_sent *sent = &times->sent[m];
	struct program_late late = {.seed = plan->waits[m].stall_seed};
	double stream_B = 0;

	for (;; joined = times->run->queue_next[joined]) {
		const struct program_train *train = &plan->trains[plan->list.messages[m].train];
		int64_t ticks;

		stream_B += (double)train->stream_B;
		ticks = plan->lag_ticks +
			program_times_packet(
				plan, sent, &late,
				(uint64_t)(ceil(stream_B / plan->model->flow.segment_B) - 1));
		if (plan->look.kind && !train->granted)
			ready_put(times->run->heap, times->run->heap_count++,
				  (struct ready){.ticks = ticks, .message = m, .come = true});
		else
			program_times_take(times, m, ticks);
		if (joined == end)
			break;
		m = joined;
	}
}

static void program_times_send(struct program_times *times, const struct ready *ready)
{
	const struct program_message *message = &times->plan.list.messages[ready->message];
	struct program_sent *sent = &times->sent[ready->message];
	struct program_run *run = times->run;
	const uint32_t joined = run->ranks[message->src].queue_first;
	const struct program_train train = join_queued(times, ready->message);
	const uint32_t next = run->ranks[message->src].queue_first;
	const int64_t late_ticks = program_late_at(
		&(struct program_late){.seed = times->plan.waits[ready->message].stall_seed},
		&times->plan.stall, train.packets - 1);
	int64_t paced_ticks; // when it would begin without a burst

	sent->begin_ticks = ticks_later(ready->ticks,
					run->ranks[message->dst].in_free + train.first_ticks);
	paced_ticks = ticks_later(sent->begin_ticks,
				  run->ranks[message->src].out_free + train.first_ticks);
	sent->credit_ticks = times->plan.pace.burst_ticks - (paced_ticks - sent->begin_ticks);
	sent->end_ticks = sent->begin_ticks + late_ticks +
			  program_times_paced(&times->plan, train.span_ticks, train.packets - 1,
					      sent->credit_ticks);
	sent->packets = train.packets;
	sent->stream_B = train.stream_B;
	run->ranks[message->src].out_free = paced_ticks + train.span_ticks + late_ticks;
	run->ranks[message->dst].in_free = sent->end_ticks;
	run->ranks[message->src].taken = false;
	if (next != PROGRAM_NONE) {
		run->ranks[message->src].queue_first = run->queue_next[next];
		take_port(times, next, ready->ticks);
	}
	program_times_arrive(times, ready->message, joined, next);
	if (train.granted) {
		run->done[handed(times, ready->message)] = sent->end_ticks;
		program_times_finish(times, handed(times, ready->message));
	}
}

// A message comes to its sender's port: it is sent, becomes the next one, or is queued, in the
// order of coming.
static void come(struct program_times *times, const struct ready *ready)
{
	const uint32_t m = ready->message, rank = times->plan.list.messages[m].src;
	struct program_run *run = times->run;

	if (ready->next || (!run->ranks[rank].taken && ready->ticks >= port_ticks(times, m))) {
		program_times_send(times, ready);
	} else if (!run->ranks[rank].taken) {
		take_port(times, m, ready->ticks);
	} else {
		run->queue_next[m] = PROGRAM_NONE;
		if (run->ranks[rank].queue_first == PROGRAM_NONE)
			run->ranks[rank].queue_first = m;
		else
			run->queue_next[run->ranks[rank].queue_last] = m;
		run->ranks[rank].queue_last = m;
	}
}

static void program_times_begin(struct program_times *times)
{
	struct program_run *run = times->run;
	const int64_t silence_ticks = run->iterations++ > 0 ? program_plan_silence(&times->plan)
							    : 0;

	memcpy(run->left, run->needs,
	       ((size_t)times->plan.gate_count + times->plan.list.count) * sizeof(*run->left));
	memset(run->done, 0, times->plan.gate_count * sizeof(*run->done));
	run->begin_ticks = 0;
	for (uint32_t r = 0; r < times->plan.nodes; r++) {
		const uint32_t first = times->plan.first_gate[r];

		program_plan_draw(&times->plan, r);
		run->begin_ticks = ticks_later(run->begin_ticks, run->ranks[r].carry);
		run->done[first] = run->ranks[r].carry;
		run->reached[run->reached_count++] = first;
	}
	run->begin_ticks += silence_ticks;
}

enum tr_status program_times_next(struct program_times *times)
{
	struct program_run *run = times->run;

	program_times_begin(times);
	program_times_go_on(times);
	times->least_ticks = INT64_MAX;
	while (run->heap_count >
	       0) { // no message waits for one of its own turn or a later one: all become ready
		const struct ready ready = ready_take(run->heap, --run->heap_count);

		if (ready.ticks > PROGRAM_TICKS_MAX)
			return TR_END;
		if (ready.come)
			program_times_look(times, &ready);
		else
			come(times, &ready);
		program_times_go_on(times);
	}
	for (uint32_t r = 0; r < times->plan.nodes; r++) {
		const uint32_t last = times->plan.first_gate[r + 1] - 1;

		run->ranks[r].carry = run->done[last];
		if (last > times->plan.first_gate[r])
			times->least_ticks = run->ranks[r].carry < times->least_ticks
						     ? run->ranks[r].carry
						     : times->least_ticks;
	}
	return TR_OK;
}
