// SPDX-License-Identifier: GPL-3.0-or-later
// What processes waited for, and the steps of their critical path. A step is what a process
// executes without a wait or another process's turn in between.
#include "program/values/values_state.h"

#include <stdlib.h>

#include "value/grow.h"
#include "value/order.h"
#include "value/ticks.h"

static void causes_fail_memory(struct values *values)
{
	if (values->status == TR_OK)
		values->status = tr_no_memory(values->err, "the waits and steps of %s",
					      values->program->name);
}

// ---- waits

static int compare_waits(const void *left, const void *right)
{
	const struct values_wait_sum *a = left, *b = right;

	ORDER_BY(a->process, b->process);
	ORDER_BY(a->wait, b->wait);
	ORDER_BY(a->cell, b->cell);
	return ORDER(a->source, b->source);
}

// Adds up those of one process, cell and source.
static void causes_merge(struct causes *causes)
{
	uint32_t kept = 0;

	if (causes->wait_count == 0)
		return;
	qsort(causes->waits, causes->wait_count, sizeof(*causes->waits), compare_waits);
	for (uint32_t i = 1; i < causes->wait_count; i++) {
		struct values_wait_sum *sum = &causes->waits[kept];
		const struct values_wait_sum *wait = &causes->waits[i];

		if (compare_waits(sum, wait) != 0) {
			causes->waits[++kept] = *wait;
			continue;
		}
		sum->count += wait->count;
		sum->sender_ticks += wait->sender_ticks;
		sum->network_ticks += wait->network_ticks;
		sum->quantum_ticks += wait->quantum_ticks;
	}
	causes->wait_count = kept + 1;
}

void causes_wait(struct values *values, uint32_t number, const struct wake *wake)
{
	const struct process *process = &values->processes[number];
	struct causes *causes = &values->causes;
	const int64_t from = process->waits_ticks;
	const int64_t sent = ticks_later(from, wake->sent_ticks);
	const int64_t came = ticks_later(sent, wake->ticks);

	if (causes->wait_count == causes->wait_room)
		causes_merge(causes);
	if (causes->wait_count > causes->wait_room / 2 || causes->wait_room == 0)
		if (!GROW(causes->waits, causes->wait_room, causes->wait_room)) {
			causes_fail_memory(values);
			return;
		}
	causes->waits[causes->wait_count++] = (struct values_wait_sum){
		.process = number,
		.source = wake->source,
		.wait = (enum values_wait)process->wait,
		.cell = process->wait == VALUES_RECEIVES ? process->cell : NOTHING,
		.count = 1,
		.sender_ticks = sent - from,
		.network_ticks = came - sent,
		.quantum_ticks = process->since * values->quantum_ticks - came};
}

static int causes_compare_times(const void *left, const void *right)
{
	const struct values_wait_sum *a = left, *b = right;
	const int64_t time_a = a->sender_ticks + a->network_ticks + a->quantum_ticks;
	const int64_t time_b = b->sender_ticks + b->network_ticks + b->quantum_ticks;

	ORDER_BY(time_b, time_a);
	return compare_waits(a, b);
}

uint32_t values_waits(struct values *values, const struct values_wait_sum **waits)
{
	struct causes *causes = &values->causes;

	causes_merge(causes);
	if (causes->wait_count > 0)
		qsort(causes->waits, causes->wait_count, sizeof(*causes->waits),
		      causes_compare_times);
	*waits = causes->waits;
	return causes->wait_count;
}

// ---- steps

// What the process, which has not executed just before, waited for last.
static struct values_step causes_find(const struct process *process, int64_t ready_ticks,
				      const struct values_step *last, uint32_t last_number,
				      int64_t begin_ticks)
{
	const struct wake *wake = &process->wake;

	if (process->woken && (!last || ready_ticks >= begin_ticks))
		return (struct values_step){
			.since = wake->since,
			.cause = wake->step,
			.since_ticks = wake->sent_ticks,
			.came_ticks = ticks_later(wake->ticks, wake->sent_ticks)};
	return (struct values_step){.since = VALUES_SINCE_TURN,
				    .cause = last_number,
				    .since_ticks = last ? last->end_ticks : 0,
				    .came_ticks = last ? last->end_ticks : 0};
}

void causes_step(struct values *values, uint32_t number, uint32_t line, int64_t begin_ticks)
{
	struct process *process = &values->processes[number];
	struct processor *processor =
		&values->processors[values->machine.processes[number].processor];
	struct causes *causes = &values->causes;
	struct values_step *last, step;

	last = processor->step == NOTHING ? NULL : &causes->steps[processor->step];
	if (last && !process->woken && last->process == number && last->end_ticks == begin_ticks) {
		last->end_ticks = slices_done_ticks(values, processor);
		return;
	}
	step = causes_find(process, process->since * values->quantum_ticks, last, processor->step,
			   begin_ticks);
	step.process = number;
	step.line = line;
	step.begin_ticks = begin_ticks;
	step.end_ticks = slices_done_ticks(values, processor);
	process->woken = false;
	if (causes->step_count == NOTHING ||
	    !GROW(causes->steps, causes->step_room, causes->step_count)) {
		causes_fail_memory(values);
		return;
	}
	processor->step = causes->step_count++;
	causes->steps[processor->step] = step;
}

void causes_end(struct values *values, uint32_t number, int64_t ticks)
{
	if (values->params.keeps_path &&
	    (values->causes.last == NOTHING ||
	     ticks > values->causes.steps[values->causes.last].end_ticks))
		values->causes.last =
			values->processors[values->machine.processes[number].processor].step;
}

uint32_t values_last_step(const struct values *values)
{
	return values->causes.last;
}

struct values_step values_step(const struct values *values, uint32_t step)
{
	return values->causes.steps[step];
}
