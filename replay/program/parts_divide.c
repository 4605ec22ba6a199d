// SPDX-License-Identifier: GPL-3.0-or-later
// A program is divided into parts (divided.h).
#include "program/divided.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_OF_ASKING 3u // at either end of a rendezvous message

// What a part has room for.
struct part_size {
	uint64_t most_matches; // messages and receives
	uint64_t ops;
	uint64_t messages; // that its ranks send
	uint64_t comes;	   // that come to them
	uint64_t steps;
	uint32_t ranks;
	uint32_t first_message; // its numbers begin there
	uint32_t first_step;
};

static const struct chain no_chain = {NOTHING, NOTHING};

static uint64_t parts_worms(const struct program *program, const struct goal_op *send)
{
	return send->size > 0 ? (send->size - 1) / program->params.mtu_bytes + 1 : 1;
}

// Whether the program sends at least so many worms.
static bool parts_send(const struct program *program, uint64_t least)
{
	uint64_t worms = 0;

	for (uint32_t i = 0; worms < least && i < program->goal->op_count; i++)
		if (program->goal->ops[i].kind == GOAL_SEND)
			worms += parts_worms(program, &program->goal->ops[i]);
	return worms >= least;
}

// Whether no host has two ranks that wait for the same room.
static bool parts_have_room(const struct program *program)
{
	const uint32_t ranks = program->goal->ranks;
	bool alone = true, *taken;
	uint32_t hosts = 0;

	if (program->params.window_worms >= NET_WORMS_MOST || !program->host_of)
		return true;
	for (uint32_t rank = 0; rank < ranks; rank++)
		hosts = program->host_of[rank] < hosts ? hosts : program->host_of[rank] + 1;
	taken = calloc(hosts, sizeof(*taken));
	for (uint32_t rank = 0; taken && rank < ranks; rank++) {
		alone = alone && !taken[program->host_of[rank]];
		taken[program->host_of[rank]] = true;
	}
	free(taken);
	return taken && alone;
}

// With MPI, what is acknowledged, and by what, is known at once at both ends.
static bool parts_allowed(const void *context, uint64_t packets)
{
	const struct program *program = context;

	return !program->params.mpi.on && !program->repeat && !program->due.jobs &&
	       !program->parts && program->status == TR_OK && parts_send(program, packets) &&
	       parts_have_room(program);
}

// ---- sizes

static void part_measure_rank(const struct program *program, struct part_size *sizes, uint32_t rank)
{
	const struct goal_program *goal = program->goal;
	const uint16_t *of_ranks = program->parts->of_ranks;
	struct part_size *own = &sizes[of_ranks[rank]];

	own->ranks++;
	own->ops += goal->first[rank + 1] - goal->first[rank];
	for (uint32_t i = goal->first[rank]; i < goal->first[rank + 1]; i++) {
		const struct goal_op *op = &goal->ops[i];
		const uint32_t steps = op->kind != GOAL_SEND			? 1
				       : op->size > program->params.eager_bytes ? STEPS_OF_ASKING
										: 1;

		own->steps += steps;
		own->most_matches += op->kind == GOAL_RECV;
		if (op->kind != GOAL_SEND)
			continue;
		own->messages++;
		sizes[of_ranks[op->peer]].comes++;
		sizes[of_ranks[op->peer]].most_matches++;
		sizes[of_ranks[op->peer]].steps += steps;
	}
}

static void parts_measure(const struct program *program, struct part_size *sizes)
{
	uint32_t message = program->pool.fresh_message, step = program->path.count;

	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		part_measure_rank(program, sizes, rank);
	// What has happened was counted, too.
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		sizes[program->parts->of_ranks[rank]].messages -= program->ranks[rank].sums.sent;
	for (uint32_t i = 0; i < program->path.count; i++)
		sizes[program->parts->of_ranks[program->path.steps[i].rank]].steps--;
	for (uint32_t i = 0; i < program->parts->count; i++) {
		sizes[i].first_message = message;
		sizes[i].first_step = step;
		message += (uint32_t)sizes[i].messages;
		step += (uint32_t)sizes[i].steps;
	}
}

// ---- memory

static void part_layout(struct program *part, const struct part_size *size, struct sim_arena *arena)
{
	matching_layout_part(part, arena, size->most_matches);
	agenda_layout(&part->due.agenda, arena,
		      (size_t)size->ranks * (part->processors.queues_per_rank + 1) + size->ops +
			      size->messages + size->comes);
}

static void parts_layout(struct program *program, const struct part_size *sizes)
{
	struct parts *parts = program->parts;
	struct sim_arena *arena = &parts->arena;

	for (uint32_t i = 0; i < parts->count; i++)
		part_layout(&parts->all[i].program, &sizes[i], arena);
	agenda_layout(&parts->heads, arena, parts->count);
	parts->names = sim_arena_take(arena, program->pool.message_capacity, sizeof(*parts->names));
	parts->ended = sim_arena_take(arena, program->goal->ranks, sizeof(*parts->ended));
	parts->known = sim_arena_take(arena, program->goal->ranks, sizeof(*parts->known));
	if (!program->path.steps)
		return;
	parts->places = sim_arena_take(arena, program->path.room, sizeof(*parts->places));
	parts->numbers = sim_arena_take(arena, program->path.room, sizeof(*parts->numbers));
}

static void part_copy(struct program *program, uint32_t number, const struct part_size *size)
{
	struct part *part = &program->parts->all[number];
	struct program *copy = &part->program;

	*copy = *program;
	copy->arena = (struct sim_arena){0};
	copy->due = (struct program_due){.sending = no_chain,
					 .posts = no_chain,
					 .hands = {NOTHING, NOTHING},
					 .arrivals = {NOTHING, NOTHING},
					 .orders = PART_ORDER | (uint64_t)number << PART_SHIFT};
	for (int turn = 0; turn < PROGRAM_TURNS; turn++)
		copy->due.batch[turn] = no_chain;
	copy->pool.fresh_message = size->first_message;
	copy->pool.fresh_end = size->first_message + (uint32_t)size->messages;
	copy->pool.free_message = NOTHING;
	copy->path.count = size->first_step;
	copy->path.last = copy->path.before = (struct path_end){-1, PROGRAM_NO_STEP};
	copy->totals = (struct program_totals){0};
	copy->log = &part->log;
	part->log.first_order = copy->due.orders;
	part->first_message = size->first_message;
	part->next_step = size->first_step;
}

// ---- what is due goes to the parts

// The rank whose turn it is with a message that is to be handed over, or arrives.
static uint32_t parts_at_rank(const struct message *message, bool arrives)
{
	return (message->stage == STAGE_REPLY) == arrives ? message->source : message->destination;
}

static uint32_t parts_rank_of(const struct program *program, const struct entry *entry)
{
	switch ((enum what)entry->what) {
	case WHAT_QUEUE: return entry->about / program->processors.queues_per_rank;
	case WHAT_HAND: return parts_at_rank(&program->pool.messages[entry->about], false);
	case WHAT_ARRIVE: return parts_at_rank(&program->pool.messages[entry->about], true);
	case WHAT_BEGIN: return entry->about;
	default: return rank_of(program, entry->about);
	}
}

static void parts_divide_lineup(struct program *program, struct lineup *lineup, bool arrives)
{
	while (lineup->first != NOTHING) {
		const uint32_t message = lineup_take(program, lineup);
		struct program *part = part_of_rank(
			program, parts_at_rank(&program->pool.messages[message], arrives));

		message_due(part, message, arrives ? &part->due.arrivals : &part->due.hands,
			    arrives ? WHAT_ARRIVE : WHAT_HAND);
	}
}

static void parts_divide_sending(struct program *program)
{
	uint64_t place = 0;

	while (program->due.sending.first != NOTHING) {
		const uint32_t number = program->due.sending.first;
		struct rank *rank = &program->ranks[number];

		program->due.sending.first = rank->next_sending;
		rank->sending = false;
		outbox_join(part_of_rank(program, number), number);
		rank->joined = place++;
	}
}

static void parts_divide_due(struct program *program)
{
	const struct agenda *agenda = &program->due.agenda;

	for (size_t i = 0; i < agenda->count; i++) {
		const struct entry *entry = &agenda->entries[i];

		agenda_push(&part_of_rank(program, parts_rank_of(program, entry))->due.agenda,
			    entry);
	}
	program->due.agenda.count = 0;
	parts_divide_lineup(program, &program->due.hands, false);
	parts_divide_lineup(program, &program->due.arrivals, true);
	parts_divide_sending(program);
	matching_divide(program);
}

// ---- for the drive

static enum tr_status parts_make(struct program *program, const uint16_t *of_hosts, uint32_t count,
				 struct part_size *sizes, struct tr_error *err)
{
	struct parts *parts = program->parts;

	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		parts->of_ranks[rank] = of_hosts[outbox_host(program, rank)];
	memset(parts->all, 0, count * sizeof(*parts->all));
	parts->orders = program->due.orders;
	parts_measure(program, sizes);
	for (uint32_t i = 0; i < count; i++)
		part_copy(program, i, &sizes[i]);
	parts_layout(program, sizes);
	if (sim_arena_open(&parts->arena, err) != TR_OK)
		return TR_ERROR;
	parts_layout(program, sizes);
	for (uint32_t i = 0; i < program->pool.fresh_message; i++)
		parts->names[i] = program->pool.messages[i].first_id;
	for (uint32_t i = 0; i < program->path.count; i++)
		parts->places[i] = i;
	parts_divide_due(program);
	return TR_OK;
}

static enum tr_status parts_divide(void *context, const uint16_t *of_hosts, uint32_t count,
				   struct net_traffic *out, struct tr_error *err)
{
	struct program *program = context;
	struct parts *parts = calloc(1, sizeof(*parts));
	struct part_size *sizes = calloc(count, sizeof(*sizes));
	enum tr_status status = TR_ERROR;

	program->parts = parts;
	if (parts) {
		parts->count = count;
		parts->all = aligned_alloc(64, count * sizeof(*parts->all));
		parts->of_ranks = calloc(program->goal->ranks, sizeof(*parts->of_ranks));
	}
	if (parts && sizes && parts->all && parts->of_ranks)
		status = parts_make(program, of_hosts, count, sizes, err);
	else
		tr_no_memory(err, "parts of the program");
	for (uint32_t i = 0; status == TR_OK && i < count; i++)
		out[i] = program_traffic_part(&parts->all[i].program);
	free(sizes);
	return status;
}

static void parts_come(void *context, const struct net_worm *worm, int64_t ticks)
{
	struct program *part = context;

	part_refresh(part);
	if (ticks > part->now_ticks)
		part->now_ticks = ticks;
	outbox_come(part, worm->packet.id);
}

static void parts_ended(void *context, const struct net_worm *worm, int64_t ticks)
{
	struct program *part = context;
	struct parts *parts = part->parts;
	struct rank *rank;
	bool sending;

	if (!worm) {
		for (uint32_t i = 0; i < part->goal->ranks; i++)
			if (part_of_rank(part, i) == part)
				parts->known[i] = parts->ended[i];
		part->log->exact = true;
		return;
	}
	if (ticks > part->now_ticks)
		part->now_ticks = ticks;
	rank = &part->ranks[worm->packet.src];
	sending = rank->sending;
	parts->known[worm->packet.src]++;
	outbox_join(part, worm->packet.src);
	if (!sending && rank->sending)
		rank->joined = PART_CREDIT | parts->credits++;
}

enum tr_status parts_done(struct program *program, const struct net_worm *worm,
			  const struct tr_delivery *delivery, struct tr_error *err)
{
	struct tr_delivery told = *delivery;

	told.packet.id = parts_name(program, delivery->packet.id);
	program->parts->ended[delivery->packet.src]++;
	if (delivery->status == TR_DROPPED) {
		program->pool.messages[(uint32_t)delivery->packet.id].lost = true;
		program->totals.lost_worms++;
	}
	return program->listener.done(program->listener.context, worm, &told, err);
}

const struct net_division program_division = {
	.allows = parts_allowed,
	.divide = parts_divide,
	.come = parts_come,
	.ended = parts_ended,
	.settle = parts_settle,
	.pass = parts_pass,
	.unite = parts_unite,
};
