// SPDX-License-Identifier: GPL-3.0-or-later
// The program as a network's traffic and as the receiver of its results.
#include "program/flows.h"

// The engine has what was offered.
static void settle(struct program *program)
{
	if (!program->offered)
		return;
	program->offered = false;
	if (program->offer.packet.time_ticks > program->now_ticks)
		program->now_ticks = program->offer.packet.time_ticks;
	if (!program->offer.wake)
		outbox_take(program, &program->offer);
}

static void handle(struct program *program, const struct entry *entry)
{
	switch ((enum what)entry->what) {
	case WHAT_LANE: lane_wake(program, entry->about); break;
	case WHAT_POST: operation_post(program, entry->about); break;
	case WHAT_READY: lane_add_op(program, entry->about); break;
	case WHAT_HAND: message_hand(program, entry->about); break;
	case WHAT_ARRIVE: message_arrive(program, entry->about); break;
	case WHAT_FINISH: flows_finish(program, entry->about); break;
	case WHAT_ACK: acknowledge_late(program, entry->about); break;
	}
}

// Whether something on the agenda comes before the first of the receives to be posted now.
static bool agenda_first(const struct program *program)
{
	const struct entry *entry = program->agenda.entries;

	return program->agenda.count > 0 && entry->time_ticks <= program->now_ticks &&
	       (program->posts.first == NOTHING ||
		entry->order < program->ops.order[program->posts.first]);
}

// Does all that is to be done up to now.
static void advance(struct program *program)
{
	struct entry entry;

	for (;;) {
		uint32_t op = program->posts.first;

		if (agenda_first(program)) {
			agenda_pop(&program->agenda, &entry);
			handle(program, &entry);
		} else if (op != NOTHING) {
			program->posts.first = program->ops.next[op];
			operation_post(program, op);
		} else {
			return;
		}
		operations_release(program);
	}
}

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct program *program = context;

	program->err = err;
	settle(program);
	advance(program);
	if (program->overflow)
		return tr_fail(err, "%s: the program's times do not fit the simulation's clock",
			       program->goal->name);
	if (program->status != TR_OK)
		return program->status;
	if (!outbox_next(program, &program->offer)) {
		if (program->agenda.count == 0)
			return TR_END;
		program->offer = (struct net_offer){
			.packet.time_ticks = program->agenda.entries[0].time_ticks, .wake = true};
	}
	program->offered = true;
	*offer = program->offer;
	return TR_OK;
}

static void give_back(void *context, const struct net_offer *offer)
{
	struct program *program = context;

	(void)offer;
	program->offered = false;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct program *program = context;
	struct tr_delivery told = *delivery;

	if (program->offered && !program->offer.wake &&
	    program->offer.packet.id == delivery->packet.id)
		settle(program);
	if (delivery->packet.time_ticks > program->now_ticks)
		program->now_ticks = delivery->packet.time_ticks;
	if (delivery->status == TR_IN_FLIGHT)
		outbox_name(program, &told.packet.id);
	else
		outbox_done(program, &told.packet.id, delivery->status == TR_DELIVERED);
	return program->listener.done(program->listener.context, worm, &told, err);
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	const struct program *program = context;

	return program->listener.sample(program->listener.context, link, err);
}

struct net_traffic program_traffic(struct program *program)
{
	uint64_t looks = (uint64_t)program->goal->ranks *
			 (program->lanes_per_rank + 4 * program->goal->cpus + program->params.mpi.on) +
			 program->flow_count;

	return (struct net_traffic){.next = next, .context = program, .give_back = give_back,
				    .open_offers = (uint32_t)(looks < UINT32_MAX / 4 ?
								      looks : UINT32_MAX / 4)};
}

struct net_results program_results(struct program *program)
{
	return (struct net_results){.done = done,
				    .sample = program->listener.sample != NULL ? sample : NULL,
				    .context = program};
}
