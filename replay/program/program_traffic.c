// SPDX-License-Identifier: GPL-3.0-or-later
// The program as a network's traffic and as the receiver of its results.
#include "program/mpi_flows.h"
#include "program/divided.h"
#include "program/program_jobs.h"
#include "program/repeat.h"

// The engine has taken the offer.
static void program_traffic_settle(struct program *program)
{
	if (!program->offered)
		return;
	program->offered = false;
	if (program->offer.packet.time_ticks > program->now_ticks)
		program->now_ticks = program->offer.packet.time_ticks;
	if (!program->offer.wake)
		outbox_take(program, &program->offer);
	if (program->params.mpi.on)
		operations_release(program);
}

static void handle(struct program *program, const struct entry *entry)
{
	if (program->due.jobs)
		job_moves(program, entry);
	switch ((enum what)entry->what) {
	case WHAT_QUEUE: queue_wake(program, entry->about); break;
	case WHAT_POST: operation_post(program, entry->about); break;
	case WHAT_READY: queue_add_op(program, entry->about); break;
	case WHAT_HAND: message_hand(program, entry->about); break;
	case WHAT_ARRIVE: message_arrive(program, entry->about); break;
	case WHAT_FINISH: flows_finish(program, entry->about); break;
	case WHAT_ACK: acknowledge_late(program, entry->about); break;
	case WHAT_PACE: flow_pace(program, entry->about); break;
	case WHAT_ANSWER: acknowledge_answer(program, entry->about); break;
	case WHAT_NOTE: note_remind(program, entry->about); break;
	case WHAT_BEGIN: operations_start(program, entry->about); break;
	case WHAT_AGAIN: job_again(program, entry->about); break;
	}
}

// The queue to serve next.
enum turn { TURN_NONE, TURN_AGENDA, TURN_POST, TURN_HAND, TURN_ARRIVAL, TURN_TIMER };

// The earliest entry so far that is due by ticks.
struct program_traffic_choice {
	enum turn turn;
	int64_t due_ticks;
	uint64_t order;
};

static void program_traffic_choose(struct program_traffic_choice *choice, enum turn turn,
				   int64_t due_ticks, uint64_t order)
{
	if (due_ticks < choice->due_ticks || (due_ticks == choice->due_ticks &&
					      (choice->turn == TURN_NONE || order < choice->order)))
		*choice = (struct program_traffic_choice){turn, due_ticks, order};
}

static void choose_timer(struct program *program, struct program_traffic_choice *choice)
{
	const int64_t ticks = sim_timers_next(&program->mpi.timers, choice->due_ticks);

	if (ticks != SIM_STOPPED)
		program_traffic_choose(choice, TURN_TIMER, ticks, UINT64_MAX);
}

// The first of a lineup, if there is one.
static inline void choose_message(const struct program *program,
				  struct program_traffic_choice *choice, enum turn turn,
				  uint32_t number)
{
	const struct message *message = &program->pool.messages[number];

	if (number != NOTHING)
		program_traffic_choose(choice, turn, message->due_ticks,
				       order_now(program, message->order));
}

// The next queue to serve until ticks. Receives to be posted are those of the current tick.
static struct program_traffic_choice program_traffic_turn(struct program *program, int64_t ticks)
{
	const struct entry *entry = program->due.agenda.entries;
	struct program_traffic_choice choice = {TURN_NONE, ticks, 0};

	if (program->due.agenda.count > 0)
		program_traffic_choose(&choice, TURN_AGENDA, entry->time_ticks, entry->order);
	if (program->due.posts.first != NOTHING)
		program_traffic_choose(
			&choice, TURN_POST, program->now_ticks,
			order_now(program, program->ops.all[program->due.posts.first].order));
	choose_message(program, &choice, TURN_HAND, program->due.hands.first);
	choose_message(program, &choice, TURN_ARRIVAL, program->due.arrivals.first);
	if (program->mpi.tcp)
		choose_timer(program, &choice);
	return choice;
}

static void post_first(struct program *program)
{
	uint32_t op = program->due.posts.first;

	program->due.posts.first = program->ops.all[op].next;
	operation_post(program, op);
}

// The timers of flows that run off first, in the order of the flows; those that are set to the same
// tick again run off once more behind them.
static void program_traffic_run_off(struct program *program, int64_t ticks)
{
	struct sim_timers *timers = &program->mpi.timers;
	uint32_t count;

	while ((count = sim_timers_take(timers, ticks)) > 0)
		for (uint32_t i = 0; i < count; i++)
			tcp_run_off(program, timers->taken[i]);
}

// Processes everything due up to now.
static void program_traffic_advance(struct program *program)
{
	struct entry entry;

	for (;;) {
		const struct program_traffic_choice choice = program_traffic_turn(
			program, program->now_ticks);

		if (program->log && choice.turn != TURN_NONE)
			part_log_begin(program, choice.order);
		switch (choice.turn) {
		case TURN_NONE: return;
		case TURN_AGENDA:
			agenda_pop(&program->due.agenda, &entry);
			handle(program, &entry);
			break;
		case TURN_POST: post_first(program); break;
		case TURN_HAND:
			message_hand(program, lineup_take(program, &program->due.hands));
			break;
		case TURN_TIMER: program_traffic_run_off(program, choice.due_ticks); break;
		case TURN_ARRIVAL:
			message_arrive(program, lineup_take(program, &program->due.arrivals));
			break;
		}
		operations_release(program);
		if (program->log)
			part_log_end(program);
	}
}

static enum tr_status program_traffic_next(void *context, struct net_offer *offer,
					   struct tr_error *err)
{
	struct program *program = context;

	program->err = err;
	if (program->log)
		part_refresh(program);
	program_traffic_settle(program);
	if (program->repeat && program->repeat->stage != REPEAT_ENDED && program->status == TR_OK)
		program->status = repeat_look(program);
	program_traffic_advance(program);
	if (program->overflow)
		return tr_fail(err, "%s: the program's times do not fit the simulation's clock",
			       program->goal->name);
	if (program->status != TR_OK)
		return program->status;
	if (!outbox_next(program, &program->offer)) {
		const struct program_traffic_choice choice = program_traffic_turn(program,
										  INT64_MAX);

		if (choice.turn == TURN_NONE)
			return TR_END;
		program->offer = (struct net_offer){.packet.time_ticks = choice.due_ticks,
						    .wake = true};
	}
	program->offered = true;
	*offer = program->offer;
	return TR_OK;
}

static void program_traffic_give_back(void *context, const struct net_offer *offer)
{
	struct program *program = context;

	(void)offer;
	program->offered = false;
}

static bool program_traffic_name(const void *context, uint64_t offered, uint64_t *id)
{
	*id = offered;
	return outbox_find_name(context, id);
}

// What is reported is later by what was left out.
static void program_traffic_delay(const struct program *program, struct net_worm *worm,
				  struct tr_delivery *told)
{
	int64_t *const times[] = {
		&worm->packet.time_ticks, &worm->created_ticks, &worm->started_ticks,
		&worm->injected_ticks,	  &worm->head_ticks,	&worm->received_ticks,
		&told->packet.time_ticks, &told->created_ticks, &told->started_ticks,
		&told->injected_ticks,	  &told->head_ticks};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (*times[i] >= 0)
			*times[i] += program->skipped_ticks;
}

static enum tr_status program_traffic_done(void *context, const struct net_worm *worm,
					   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct program *program = context;
	struct tr_delivery told = *delivery;

	if (program->parts && !program->parts->united)
		return parts_done(program, worm, delivery, err);
	if (program->mpi.tcp)
		note_fetch(program, told.packet.id);
	if (program->offered && !program->offer.wake &&
	    program->offer.packet.id == delivery->packet.id)
		program_traffic_settle(program);
	if (delivery->packet.time_ticks > program->now_ticks)
		program->now_ticks = delivery->packet.time_ticks;
	if (delivery->status == TR_IN_FLIGHT)
		outbox_name(program, &told.packet.id);
	else
		outbox_done(program, &told.packet.id, delivery->status == TR_DELIVERED,
			    (delivery->packet.flags & TR_FLAG_MARKED) != 0);
	if (program->skipped_ticks > 0) {
		struct net_worm late = *worm;

		program_traffic_delay(program, &late, &told);
		return program->listener.done(program->listener.context, &late, &told, err);
	}
	return program->listener.done(program->listener.context, worm, &told, err);
}

static enum tr_status program_traffic_sample(void *context, const struct tr_link *link,
					     struct tr_error *err)
{
	const struct program *program = context;

	return program->listener.sample(program->listener.context, link, err);
}

struct net_traffic program_traffic_part(struct program *part)
{
	return (struct net_traffic){.next = program_traffic_next,
				    .context = part,
				    .give_back = program_traffic_give_back};
}

struct net_traffic program_traffic(struct program *program)
{
	return (struct net_traffic){.next = program_traffic_next,
				    .context = program,
				    .give_back = program_traffic_give_back,
				    .name = program_traffic_name,
				    .division = &program_division,
				    .view = program->repeat ? &program->repeat->view : NULL};
}

struct net_results program_results(struct program *program)
{
	return (struct net_results){.done = program_traffic_done,
				    .sample = program->listener.sample ? program_traffic_sample
								       : NULL,
				    .context = program};
}
