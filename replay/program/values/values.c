// SPDX-License-Identifier: GPL-3.0-or-later
// A program of processes as a network's traffic and as the receiver of its results.
#include "program/values/values.h"

#include <stdio.h>
#include <stdlib.h>

#include "program/values/values_state.h"

#define WORM_SHIFT \
	32 // inside the run a packet's id is the message's number and, from here on, that of the
	   // worm in it
#define LINE_BYTES 256u

// Executes everything that is due now.
static void values_advance(struct values *values)
{
	struct entry entry;

	while (values->status == TR_OK) {
		if (values->locals.count > 0 &&
		    values->locals.entries->time_ticks <= values->now_ticks) {
			agenda_pop(&values->locals, &entry);
			exchange_arrive(values, entry.about);
		} else if (values->slices.count > 0 &&
			   values->slices.entries->time_ticks <= values->now_ticks) {
			agenda_pop(&values->slices, &entry);
			slices_run(values, entry.about);
		} else {
			return;
		}
	}
}

static uint32_t host_of(const struct values *values, uint32_t processor)
{
	return values->host_of ? values->host_of[processor] : processor;
}

static void values_offer_worm(struct values *values, const struct entry *entry)
{
	const struct message *message = &values->messages[entry->about];
	const uint32_t mtu = values->params.mtu_bytes;
	const uint32_t bytes = message->left_bytes < mtu ? message->left_bytes : mtu;
	const int64_t ticks = entry->time_ticks > values->now_ticks ? entry->time_ticks
								    : values->now_ticks;

	values->offer = (struct net_offer){
		.packet = {.time_ticks = ticks,
			   .id = entry->about | (uint64_t)message->worms_made << WORM_SHIFT,
			   .flow = TR_FLOW_NONE,
			   .src = message->source,
			   .dst = message->destination,
			   .payload_bytes = bytes,
			   .wire_bytes = bytes,
			   .class = TR_CLASS_DATA},
		.source = host_of(values, message->source),
		.destination = host_of(values, message->destination),
		.size_bytes = bytes};
}

// Puts the message on the agenda of those that have worms to send.
static void plan_worm(struct values *values, uint32_t number, int64_t ticks)
{
	agenda_push(&values->sends, &(struct entry){.time_ticks = ticks,
						    .order = values->messages[number].order,
						    .about = number});
}

// Sets messages aside whose host has too many worms under way.
static void park(struct values *values)
{
	struct entry entry;

	while (values->sends.count > 0) {
		const uint32_t number = values->sends.entries->about;
		struct processor *processor = &values->processors[values->messages[number].source];

		if (processor->under_way < values->params.window_worms)
			return;
		agenda_pop(&values->sends, &entry);
		values->messages[number].next = NOTHING;
		CHAIN_APPEND(&processor->parked, values->messages, next, number);
	}
}

static void unpark(struct values *values, struct processor *processor)
{
	const uint32_t number = processor->parked.first;

	if (number == NOTHING)
		return;
	processor->parked.first = values->messages[number].next;
	plan_worm(values, number, values->now_ticks);
}

static int64_t values_first_ticks(const struct agenda *agenda)
{
	return agenda->count > 0 ? agenda->entries->time_ticks : INT64_MAX;
}

// Offers the next worm, or a wake when something is due earlier; false if there is nothing.
static bool values_choose(struct values *values)
{
	const int64_t slice_ticks = values_first_ticks(&values->slices);
	const int64_t local_ticks = values_first_ticks(&values->locals);
	const int64_t wake_ticks = slice_ticks < local_ticks ? slice_ticks : local_ticks;
	struct entry entry;

	park(values);
	if (values_first_ticks(&values->sends) < wake_ticks) {
		agenda_pop(&values->sends, &entry);
		values_offer_worm(values, &entry);
		return true;
	}
	values->offer = (struct net_offer){.packet.time_ticks = wake_ticks, .wake = true};
	return wake_ticks != INT64_MAX;
}

// The engine has taken the offer.
static void values_settle(struct values *values)
{
	const struct net_offer *offer = &values->offer;
	const uint32_t number = (uint32_t)offer->packet.id;
	struct message *message = &values->messages[number];

	if (!values->offered)
		return;
	values->offered = false;
	if (offer->packet.time_ticks > values->now_ticks)
		values->now_ticks = offer->packet.time_ticks;
	if (offer->wake)
		return;
	message->left_bytes -= offer->size_bytes;
	message->worms_made++;
	message->worms_left++;
	values->processors[message->source].under_way++;
	if (message->left_bytes > 0)
		plan_worm(values, number, values->now_ticks);
}

static enum tr_status values_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct values *values = context;

	values->err = err;
	values_settle(values);
	values_advance(values);
	if (values->status != TR_OK)
		return values->status;
	if (!values_choose(values))
		return TR_END;
	values->offered = true;
	*offer = values->offer;
	return TR_OK;
}

static void values_give_back(void *context, const struct net_offer *offer)
{
	struct values *values = context;

	if (!offer->wake)
		plan_worm(values, (uint32_t)offer->packet.id, offer->packet.time_ticks);
	values->offered = false;
}

// A worm has its message's first id, plus its number in the message.
static bool values_name(const void *context, uint64_t offered, uint64_t *id)
{
	const struct values *values = context;

	*id = values->messages[(uint32_t)offered].first_id + (offered >> WORM_SHIFT);
	return true;
}

static void values_worm_done(struct values *values, uint32_t number, bool arrived)
{
	struct message *message = &values->messages[number];
	struct processor *processor = &values->processors[message->source];

	message->worms_left--;
	processor->under_way--;
	if (!arrived)
		message->lost = true;
	values->totals.lost_worms += !arrived;
	unpark(values, processor);
	if (message->left_bytes == 0 && message->worms_left == 0 && !message->lost)
		exchange_arrive(values, number);
}

static enum tr_status values_done(void *context, const struct net_worm *worm,
				  const struct tr_delivery *delivery, struct tr_error *err)
{
	struct values *values = context;
	struct tr_delivery told = *delivery;
	const uint32_t number = (uint32_t)delivery->packet.id;

	values->err = err;
	if (values->offered && !values->offer.wake &&
	    values->offer.packet.id == delivery->packet.id)
		values_settle(values);
	if (delivery->packet.time_ticks > values->now_ticks)
		values->now_ticks = delivery->packet.time_ticks;
	values_name(values, delivery->packet.id, &told.packet.id);
	if (delivery->status != TR_IN_FLIGHT)
		values_worm_done(values, number, delivery->status == TR_DELIVERED);
	if (values->status != TR_OK)
		return values->status;
	return values->listener.done(values->listener.context, worm, &told, err);
}

static enum tr_status values_sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	const struct values *values = context;

	return values->listener.sample(values->listener.context, link, err);
}

struct net_traffic values_traffic(struct values *values)
{
	return (struct net_traffic){.next = values_next,
				    .context = values,
				    .give_back = values_give_back,
				    .name = values_name};
}

struct net_results values_results(struct values *values)
{
	return (struct net_results){.done = values_done,
				    .sample = values->listener.sample ? values_sample : NULL,
				    .context = values};
}

static void values_layout(struct values *values)
{
	const struct proc_settings *settings = &values->program->settings;
	struct sim_arena *arena = &values->arena;

	values->processes = sim_arena_take(arena, (size_t)settings->processes + 1,
					   sizeof(*values->processes));
	values->processors = sim_arena_take(arena, settings->processors,
					    sizeof(*values->processors));
	values->mailboxes = sim_arena_take(arena, values->program->channel_cells,
					   sizeof(*values->mailboxes));
	values->messages = sim_arena_take(arena, settings->messages, sizeof(*values->messages));
	values->taken = sim_arena_take(arena, values->program->message_values + 1,
				       sizeof(*values->taken));
	agenda_layout(&values->slices, arena, settings->processors);
	agenda_layout(&values->sends, arena, settings->messages);
	agenda_layout(&values->locals, arena, settings->messages);
}

static void values_fill(struct values *values)
{
	const struct proc_program *program = values->program;
	const struct chain none = {NOTHING, NOTHING};

	for (uint32_t i = 0; i < program->settings.processors; i++)
		values->processors[i] = (struct processor){
			.capacity = (int64_t)program->settings.quantum *
				    (program->speeds ? program->speeds[i] : 1000),
			.first = NOTHING,
			.last = NOTHING,
			.parked.first = NOTHING,
			.step = NOTHING};
	for (uint32_t i = 0; i < program->channel_cells; i++)
		values->mailboxes[i] = (struct mailbox){none, none, none};
	values->free_message = NOTHING;
	values->meet_first = NOTHING;
	values->processes[0].sums.end_ticks = -1;
	values->causes.last = NOTHING;
	slices_wake(values, 0, &(struct wake){.source = NOTHING, .step = NOTHING});
}

static enum tr_status values_check(const struct values *values, uint32_t hosts,
				   struct tr_error *err)
{
	const struct proc_program *program = values->program;
	const int64_t most_ticks = INT64_MAX / 4 / values->params.unit_ticks;

	if (program->settings.processors > hosts)
		return tr_fail(err, "%s: %u processors, and the network has %u hosts",
			       program->name, program->settings.processors, hosts);
	if (program->settings.quantum > most_ticks || program->costs[PROC_LOCAL] > most_ticks)
		return tr_fail(
			err,
			"%s: the quantum or the cost local does not fit the simulation's clock",
			program->name);
	return TR_OK;
}

enum tr_status values_open(struct values **out, const struct proc_program *program,
			   const struct values_params *params, uint32_t hosts,
			   const uint32_t *host_of, const struct program_listener *listener,
			   struct tr_error *err)
{
	struct values *values = calloc(1, sizeof(*values));

	*out = NULL;
	if (!values)
		return tr_no_memory(err, "the program");
	values->program = program;
	values->params = *params;
	values->listener = *listener;
	values->host_of = host_of;
	values_layout(values);
	if (values_check(values, hosts, err) != TR_OK ||
	    proc_machine_open(&values->machine, program, err) != TR_OK ||
	    sim_arena_open(&values->arena, err) != TR_OK) {
		values_close(values);
		return TR_ERROR;
	}
	values_layout(values);
	values->quantum_ticks = program->settings.quantum * params->unit_ticks;
	values_fill(values);
	*out = values;
	return TR_OK;
}

void values_totals(const struct values *values, struct values_totals *out)
{
	const int64_t over = values->totals.parallel_ticks % values->quantum_ticks;

	*out = values->totals;
	out->processes = values->machine.process_count;
	if (over > 0)
		out->parallel_ticks += values->quantum_ticks - over;
}

const struct values_process *values_process(const struct values *values, uint32_t process)
{
	return &values->processes[process].sums;
}

struct proc_machine *values_machine(struct values *values)
{
	return &values->machine;
}

static void describe_wait(const struct values *values, uint32_t number, char *out, size_t out_bytes)
{
	const struct process *process = &values->processes[number];
	char name[64];

	if (process->state == PROCESS_UNBORN)
		(void)snprintf(out, out_bytes, "has not begun: its birth has not arrived");
	else if (process->state == PROCESS_READY)
		(void)snprintf(out, out_bytes, "was running");
	else if (process->wait == VALUES_RECEIVES)
		(void)snprintf(out, out_bytes, "waits for a value in %s",
			       proc_cell_name(values->program, process->cell, name, sizeof(name)));
	else if (process->wait == VALUES_MEETS)
		(void)snprintf(out, out_bytes, "waits at a barrier of %u, where %u wait",
			       values->meet_number, values->meet_count);
	else
		(void)snprintf(out, out_bytes,
			       "waits until %u processes that it created have ended",
			       values->machine.processes[number].children);
}

size_t values_leftovers(const struct values *values, void (*tell)(void *context, const char *line),
			void *context)
{
	size_t count = 0;

	for (uint32_t number = 0; number < values->machine.process_count; number++) {
		const struct process *process = &values->processes[number];
		const struct proc_kind *kind =
			&values->program->kinds[values->machine.processes[number].kind];
		char line[2 * LINE_BYTES], wait[LINE_BYTES / 2];

		if (process->state == PROCESS_ENDED || count++ >= PROGRAM_VERDICT_LINES)
			continue;
		describe_wait(values, number, wait, sizeof(wait));
		(void)snprintf(line, sizeof(line), "%.60s:%u: process %u (%s) on processor %u %s",
			       values->program->name,
			       process->state == PROCESS_WAITS ? process->line : kind->line, number,
			       kind->name, values->machine.processes[number].processor, wait);
		tell(context, line);
	}
	return count;
}

void values_close(struct values *values)
{
	if (!values)
		return;
	proc_machine_close(&values->machine);
	sim_arena_close(&values->arena);
	free(values->causes.waits);
	free(values->causes.steps);
	free(values);
}
