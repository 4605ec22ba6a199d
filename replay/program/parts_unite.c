// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a program become one again (divided.h).
#include "program/divided.h"

#include <stdlib.h>

static void parts_unite_totals(struct program *program, const struct program_totals *part)
{
	struct program_totals *totals = &program->totals;

	totals->sent += part->sent;
	totals->message_bytes += part->message_bytes;
	totals->controls += part->controls;
	for (int i = 0; i < PROGRAM_PARTS; i++) {
		totals->parts[i].packets += part->parts[i].packets;
		totals->parts[i].bytes += part->parts[i].bytes;
	}
}

// Whether a part's last end of an operation is that of all so far: later, or the first of those at
// one time.
static bool parts_ends_last(const struct part *part, const struct part *last, int64_t last_ticks)
{
	const struct part_item *a = &part->log.last, *b = last ? &last->log.last : NULL;

	if (part->program.path.last.ticks != last_ticks || !last)
		return part->program.path.last.ticks > last_ticks;
	if (a->ticks != b->ticks)
		return a->ticks < b->ticks;
	return order_now(&part->program, a->order) < order_now(&last->program, b->order);
}

static void parts_unite_path(struct program *program)
{
	const struct parts *parts = program->parts;
	struct path *path = &program->path;
	const struct part *last = NULL;

	if (!path->steps)
		return;
	for (uint32_t i = 0; i < parts->count; i++)
		if (parts_ends_last(&parts->all[i], last, path->last.ticks)) {
			last = &parts->all[i];
			path->last = last->program.path.last;
		}
	path_unite(program, parts->places, parts->numbers);
}

static void parts_unite_lineup(struct program *program, struct program *part, struct lineup *lineup,
			       bool arrives)
{
	while (lineup->first != NOTHING)
		message_due(program, lineup_take(part, lineup),
			    arrives ? &program->due.arrivals : &program->due.hands,
			    arrives ? WHAT_ARRIVE : WHAT_HAND);
}

// What is due in a part, at the end of a window: nothing waits to be sent.
static void parts_unite_due(struct program *program, struct program *part)
{
	for (size_t i = 0; i < part->due.agenda.count; i++) {
		struct entry entry = part->due.agenda.entries[i];

		entry.order = order_now(program, entry.order);
		agenda_push(&program->due.agenda, &entry);
	}
	parts_unite_lineup(program, part, &part->due.hands, false);
	parts_unite_lineup(program, part, &part->due.arrivals, true);
}

// The numbers of its messages that are free.
static void parts_unite_free(struct program *program, const struct program *part)
{
	uint32_t number = part->pool.free_message;

	while (number != NOTHING) {
		const uint32_t next = program->pool.messages[number].next;

		program->pool.messages[number].next = program->pool.free_message;
		program->pool.free_message = number;
		number = next;
	}
}

static void parts_unite_names(struct program *program, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		program->pool.messages[i].first_id = program->parts->names[i];
}

// The parts hold nothing any more, but the numbers that no message had.
static void parts_join(struct program *program)
{
	struct parts *parts = program->parts;

	program->due.orders = parts->orders;
	program->pool.free_message = NOTHING;
	for (uint32_t i = 0; i < parts->count; i++) {
		parts_unite_due(program, &parts->all[i].program);
		parts_unite_free(program, &parts->all[i].program);
	}
	matching_unite(program);
	parts->numbers_of = 0;
	program->pool.fresh_message = parts->all[0].program.pool.fresh_message;
	program->pool.fresh_end = parts->all[0].program.pool.fresh_end;
}

void parts_unite(void *context, bool goes_on)
{
	struct program *program = context;
	struct parts *parts = program->parts;

	parts->apart = !goes_on;
	parts_unite_names(program, 0, parts->all[0].first_message);
	for (uint32_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->all[i];

		parts_unite_totals(program, &part->program.totals);
		if (part->program.now_ticks > program->now_ticks)
			program->now_ticks = part->program.now_ticks;
		parts_unite_names(program, part->first_message, part->program.pool.fresh_message);
	}
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		program->ranks[rank].window_used -= parts->ended[rank];
	parts_unite_path(program);
	if (goes_on)
		parts_join(program);
	parts->united = true;
}

void parts_next_numbers(struct program *program)
{
	struct parts *parts = program->parts;

	while (program->pool.fresh_message == program->pool.fresh_end) {
		const struct message_pool *pool = &parts->all[++parts->numbers_of].program.pool;

		program->pool.fresh_message = pool->fresh_message;
		program->pool.fresh_end = pool->fresh_end;
	}
}

uint32_t parts_numbers_end(const struct program *program, uint32_t number)
{
	const struct parts *parts = program->parts;
	const struct message_pool *pool = &parts->all[number].program.pool;

	if (parts->apart || number > parts->numbers_of)
		return pool->fresh_message;
	return number < parts->numbers_of ? pool->fresh_end : program->pool.fresh_message;
}

void parts_close(struct program *program)
{
	struct parts *parts = program->parts;

	for (uint32_t i = 0; parts && parts->all && i < parts->count; i++) {
		struct part *part = &parts->all[i];

		for (unsigned turn = 0; turn < 2; turn++) {
			free(part->log.notes[turn].items.items);
			free(part->log.notes[turn].messages.items);
		}
		free(part->orders);
	}
	if (!parts)
		return;
	sim_arena_close(&parts->arena);
	free(parts->all);
	free(parts->of_ranks);
	free(parts->sequence);
	free(parts);
	program->parts = NULL;
}
