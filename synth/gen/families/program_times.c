// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program_times.h"

#include <stdlib.h>
#include <string.h>

#define PROGRAM_TICKS_MAX (INT64_MAX / 4) // a program ends before

// A message that is ready.
struct ready {
	int64_t ticks;
	uint32_t message;
};

struct program_run {
	int64_t *done;		     // by node of the graph: gates, then messages
	int64_t *handed;	     // by message: when its sender has done with it
	uint32_t *needs, *left;	     // by node: how many it waits for; of them not done yet
	uint32_t *first, *next;	     // edges of node n: next[first[n]] .. next[first[n + 1] - 1]
	int64_t *carry;		     // by rank: when it had done all of the iteration before
	int64_t *out_free, *in_free; // by rank: last packet of its ports
	struct ready *heap;	     // messages that are ready
	uint32_t *passed;	     // gates that all have reached, not yet told to those that wait for them
	uint32_t heap_count, passed_count;
	uint64_t iterations; // so far
	int64_t begin_ticks; // of the iteration
};

// Calls edge for each pair of nodes of the graph of which the second waits for the first.
static void walk(const struct program_times *times, void (*edge)(struct program_run *run, uint32_t from, uint32_t to))
{
	struct program_run *run = times->run;

	for (uint32_t g = 0; g < times->plan.gate_count; g++) {
		const struct program_gate *gate = &times->plan.gates[g];

		if (gate->first == gate->end)
			continue; // a rank's last one
		edge(run, g, g + 1);
		for (uint32_t i = gate->first; i < gate->end; i++)
			edge(run, times->plan.gate_count + times->plan.ops[i].message, g + 1);
	}
	for (uint32_t m = 0; m < times->plan.list.count; m++) {
		edge(run, times->plan.waits[m].send, times->plan.gate_count + m);
		if (times->plan.waits[m].receive != PROGRAM_NONE)
			edge(run, times->plan.waits[m].receive, times->plan.gate_count + m);
	}
}

static void count_edge(struct program_run *run, uint32_t from, uint32_t to)
{
	run->first[from + 1]++;
	run->needs[to]++;
}

static void put_edge(struct program_run *run, uint32_t from, uint32_t to)
{
	run->next[run->first[from]++] = to;
}

static enum tr_status make_graph(struct program_times *times, struct tr_error *err)
{
	const size_t count = (size_t)times->plan.gate_count + times->plan.list.count, nodes = times->plan.nodes;
	struct program_run *run = calloc(1, sizeof(*run));

	times->run = run;
	if (!run)
		return tr_no_memory(err, "the program");
	run->done = calloc(count, sizeof(*run->done));
	run->handed = calloc((size_t)times->plan.list.count + 1, sizeof(*run->handed));
	run->needs = calloc(count, sizeof(*run->needs));
	run->left = calloc(count, sizeof(*run->left));
	run->first = calloc(count + 2, sizeof(*run->first));
	run->next = calloc(4 * (size_t)times->plan.list.count + times->plan.gate_count + 1, sizeof(*run->next));
	run->carry = calloc(nodes, sizeof(*run->carry));
	run->out_free = calloc(nodes, sizeof(*run->out_free));
	run->in_free = calloc(nodes, sizeof(*run->in_free));
	run->heap = calloc((size_t)times->plan.list.count + 1, sizeof(*run->heap));
	run->passed = calloc(times->plan.gate_count, sizeof(*run->passed));
	if (!run->done || !run->handed || !run->needs || !run->left || !run->first || !run->next || !run->carry ||
	    !run->out_free || !run->in_free || !run->heap || !run->passed)
		return tr_no_memory(err, "%u messages", times->plan.list.count);
	for (size_t r = 0; r < nodes; r++)
		run->out_free[r] = run->in_free[r] = INT64_MIN / 2;
	walk(times, count_edge);
	for (size_t n = 0; n < count; n++)
		run->first[n + 1] += run->first[n];
	walk(times, put_edge);
	memmove(run->first + 1, run->first, (count + 1) * sizeof(*run->first));
	run->first[0] = 0;
	return TR_OK;
}

enum tr_status program_times_open(struct program_times *times, const struct program_model *model, uint32_t nodes,
				  double ticks_per_s, uint64_t seed, struct tr_error *err)
{
	*times = (struct program_times){.run = NULL};
	if (program_plan_make(&times->plan, model, nodes, ticks_per_s, seed, err) != TR_OK)
		return TR_ERROR;
	times->sent = calloc(times->plan.list.count, sizeof(*times->sent));
	return times->sent ? make_graph(times, err) : tr_no_memory(err, "%u messages", times->plan.list.count);
}

void program_times_close(struct program_times *times)
{
	struct program_run *run = times->run;

	if (run) {
		free(run->done);
		free(run->handed);
		free(run->needs);
		free(run->left);
		free(run->first);
		free(run->next);
		free(run->carry);
		free(run->out_free);
		free(run->in_free);
		free(run->heap);
		free(run->passed);
	}
	free(run);
	free(times->sent);
	program_plan_clear(&times->plan);
	*times = (struct program_times){.run = NULL};
}

static bool before(const struct ready *a, const struct ready *b)
{
	return a->ticks < b->ticks || (a->ticks == b->ticks && a->message < b->message);
}

static void heap_put(struct program_run *run, struct ready ready)
{
	uint32_t at = run->heap_count++;

	for (; at > 0 && before(&ready, &run->heap[(at - 1) / 2]); at = (at - 1) / 2)
		run->heap[at] = run->heap[(at - 1) / 2];
	run->heap[at] = ready;
}

static struct ready heap_take(struct program_run *run)
{
	const struct ready top = run->heap[0], last = run->heap[--run->heap_count];
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < run->heap_count) {
		if (child + 1 < run->heap_count && before(&run->heap[child + 1], &run->heap[child]))
			child++;
		if (!before(&run->heap[child], &last))
			break;
		run->heap[at] = run->heap[child];
		at = child;
	}
	run->heap[at] = last;
	return top;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// When the rank has done with a node of the graph: its own message that needs no grant is in the hands of its port at once.
static int64_t done_for(const struct program_times *times, uint32_t node, uint32_t rank)
{
	const uint32_t gates = times->plan.gate_count;

	return node >= gates && times->plan.list.messages[node - gates].src == rank ? times->run->handed[node - gates]
										    : times->run->done[node];
}

// A message whose waits are done.
static void be_ready(struct program_times *times, uint32_t m)
{
	const struct program_waits *waits = &times->plan.waits[m];
	struct program_run *run = times->run;
	int64_t ticks = done_for(times, waits->send, times->plan.list.messages[m].src) +
			(waits->computes ? waits->compute_ticks : 0);

	if (waits->receive != PROGRAM_NONE) {
		times->sent[m].request_ticks = ticks;
		ticks = later(ticks, run->done[waits->receive]) + waits->grant_ticks;
		times->sent[m].grant_ticks = ticks;
		ticks += waits->begin_ticks;
	}
	heap_put(run, (struct ready){ticks, m});
}

// A node of the graph is done: tells those that wait for it.
static void finish(struct program_times *times, uint32_t node)
{
	struct program_run *run = times->run;

	for (uint32_t i = run->first[node]; i < run->first[node + 1]; i++) {
		const uint32_t next = run->next[i];

		if (next < times->plan.gate_count)
			run->done[next] = later(run->done[next], done_for(times, node, times->plan.gates[next].rank));
		if (--run->left[next] > 0)
			continue;
		if (next >= times->plan.gate_count)
			be_ready(times, next - times->plan.gate_count);
		else
			run->passed[run->passed_count++] = next;
	}
}

// Passes all gates that can be passed.
static void pass(struct program_times *times)
{
	struct program_run *run = times->run;

	while (run->passed_count > 0) {
		const uint32_t g = run->passed[--run->passed_count];
		const struct program_gate *gate = &times->plan.gates[g];

		if (gate->begins)
			run->done[g] = later(run->done[g], run->begin_ticks);
		if (gate->computes)
			run->done[g] += gate->compute_ticks;
		finish(times, g);
	}
}

static void send(struct program_times *times, const struct ready *ready)
{
	const struct program_message *message = &times->plan.list.messages[ready->message];
	const struct program_train *train = &times->plan.trains[message->phase];
	struct program_sent *sent = &times->sent[ready->message];
	struct program_run *run = times->run;
	const int64_t free_ticks = later(run->out_free[message->src], run->in_free[message->dst]);

	sent->begin_ticks = later(ready->ticks, free_ticks + train->first_ticks);
	sent->end_ticks = sent->begin_ticks + train->span_ticks;
	run->out_free[message->src] = run->in_free[message->dst] = sent->end_ticks;
	run->done[times->plan.gate_count + ready->message] = sent->end_ticks;
	run->handed[ready->message] = train->granted ? sent->end_ticks : ready->ticks;
	finish(times, times->plan.gate_count + ready->message);
}

static void begin(struct program_times *times)
{
	struct program_run *run = times->run;
	const int64_t silence_ticks = run->iterations++ > 0 ? program_plan_silence(&times->plan) : 0;

	memcpy(run->left, run->needs, ((size_t)times->plan.gate_count + times->plan.list.count) * sizeof(*run->left));
	for (uint32_t g = 0; g < times->plan.gate_count; g++)
		run->done[g] = 0;
	run->begin_ticks = 0;
	for (uint32_t r = 0; r < times->plan.nodes; r++) {
		const uint32_t first = times->plan.first_gate[r];

		program_plan_draw(&times->plan, r);
		run->begin_ticks = later(run->begin_ticks, run->carry[r]);
		run->done[first] = run->carry[r];
		run->passed[run->passed_count++] = first;
	}
	run->begin_ticks += silence_ticks;
}

// The first message that waits for ever; every phase is a cycle of its own, since none waits for a later one.
static enum tr_status tell_circle(const struct program_times *times, struct tr_error *err)
{
	uint32_t m = 0;

	while (m + 1 < times->plan.list.count && times->run->left[times->plan.gate_count + m] == 0)
		m++;
	return tr_fail(err, "[%s]: the messages wait for one another, as that from rank %u to rank %u",
		       times->plan.model->phases[times->plan.list.messages[m].phase].name, times->plan.list.messages[m].src,
		       times->plan.list.messages[m].dst);
}

enum tr_status program_times_next(struct program_times *times, struct tr_error *err)
{
	struct program_run *run = times->run;
	uint32_t sent = 0;

	begin(times);
	pass(times);
	times->least_ticks = INT64_MAX;
	for (; run->heap_count > 0; sent++) {
		const struct ready ready = heap_take(run);

		if (ready.ticks > PROGRAM_TICKS_MAX)
			return TR_END;
		send(times, &ready);
		pass(times);
	}
	if (sent < times->plan.list.count)
		return tell_circle(times, err);
	for (uint32_t r = 0; r < times->plan.nodes; r++) {
		const uint32_t last = times->plan.first_gate[r + 1] - 1;

		run->carry[r] = run->done[last];
		if (last > times->plan.first_gate[r])
			times->least_ticks = run->carry[r] < times->least_ticks ? run->carry[r] : times->least_ticks;
	}
	return TR_OK;
}
