// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a program note, and how it is put into the order of the whole
// (divided.h).
#include "program/divided.h"

#include "value/grow.h"

// In the order of merging packets come behind events, of ranks that an event made send behind
// others.
#define ENTERS ((uint64_t)1 << 62)
#define BY_EVENT ((uint64_t)1 << 61)

// ---- in a part

static const struct part *part_whose(const struct program *program, uint64_t order)
{
	return &program->parts->all[(order & ~PART_ORDER) >> PART_SHIFT];
}

uint64_t parts_order(const struct program *program, uint64_t order)
{
	const struct part *part = part_whose(program, order);
	const uint64_t index = order - part->log.first_order;

	return index < part->order_count ? part->orders[index] : order;
}

void part_refresh(struct program *part)
{
	struct agenda *agenda = &part->due.agenda;

	if (!part->log->stale)
		return;
	part->log->stale = false;
	// The order among them stays.
	for (size_t i = 0; i < agenda->count; i++)
		agenda->entries[i].order = order_now(part, agenda->entries[i].order);
}

static void part_note_counts(const struct program *part, struct part_item *item)
{
	item->orders = (uint32_t)part->due.orders;
	item->steps = part->path.count;
	item->ended = (uint32_t)part->totals.ended;
}

void part_log_begin(struct program *part, uint64_t order)
{
	struct part_log *log = part->log;

	if (log->item.ticks != part->now_ticks || order > log->high)
		log->high = order;
	log->item = (struct part_item){.ticks = part->now_ticks, .order = log->high};
	part_note_counts(part, &log->before);
}

static void part_no_room(struct program *part)
{
	if (part->status == TR_OK)
		part->status = tr_no_memory(part->err, "what a part of the program does");
}

static struct part_notes *part_notes_now(struct program *part)
{
	return &part->log->notes[part->parts->turn];
}

static void part_note(struct program *part, const struct part_item *item)
{
	struct part_items *items = &part_notes_now(part)->items;

	if (GROW(items->items, items->room, items->count))
		items->items[items->count++] = *item;
	else
		part_no_room(part);
}

void part_log_end(struct program *part)
{
	struct part_item *item = &part->log->item;
	const struct part_item *before = &part->log->before;

	part_note_counts(part, item);
	item->orders -= before->orders;
	item->steps -= before->steps;
	item->ended -= before->ended;
	if (item->orders > 0 || item->steps > 0 || item->ended > 0 || item->worms > 0 ||
	    item->message)
		part_note(part, item);
}

void part_log_worms(struct program *part, uint32_t message)
{
	part->log->item.number = message;
	part->log->item.worms = part->pool.messages[message].worms_due;
}

void part_log_message(struct program *part, const struct tr_message *message)
{
	struct part_messages *messages = &part_notes_now(part)->messages;

	part->log->item.message = true;
	if (!part->listener.message)
		return;
	if (GROW(messages->items, messages->room, messages->count))
		messages->items[messages->count++] = *message;
	else
		part_no_room(part);
}

void part_log_last(struct program *part)
{
	part->log->last = part->log->item;
}

void part_log_entry(struct program *part, uint64_t joined)
{
	const struct part_items *items = &part_notes_now(part)->items;
	struct part_item *last = items->count > 0 ? &items->items[items->count - 1] : NULL;

	if (last && last->enters && last->ticks == part->now_ticks && last->order == joined)
		last->worms++;
	else
		part_note(part, &(struct part_item){.ticks = part->now_ticks,
						    .order = joined,
						    .worms = 1,
						    .enters = true});
}

// ---- of the whole

static struct part_notes *parts_window(const struct parts *parts, uint32_t number, unsigned turn)
{
	return &parts->all[number].log.notes[turn];
}

static uint64_t parts_merge_order(const struct program *part, const struct part_item *item)
{
	const uint64_t order = order_now(part, item->order);

	if (!item->enters)
		return order;
	return (order & PART_CREDIT) != 0 ? ENTERS | (order & ~PART_CREDIT)
					  : ENTERS | BY_EVENT | order;
}

// Puts a part into the agenda at its next note, if it has one.
static void parts_put_head(struct parts *parts, uint32_t number)
{
	const struct part_items *items = &parts_window(parts, number, parts->turn)->items;
	const struct part_item *item = &items->items[items->merged];

	if (items->merged < items->count)
		agenda_push(&parts->heads,
			    &(struct entry){
				    .time_ticks = item->ticks,
				    .order = parts_merge_order(&parts->all[number].program, item),
				    .about = number});
}

static bool parts_merge_item(struct parts *parts, uint32_t number)
{
	struct part *part = &parts->all[number];
	struct part_items *items = &part->log.notes[parts->turn].items;
	const struct part_item *item = &items->items[items->merged++];

	for (uint32_t i = 0; i < item->orders; i++) {
		if (!GROW(part->orders, part->order_room, part->order_count))
			return false;
		part->orders[part->order_count++] = parts->orders++;
		part->log.stale = true;
	}
	if (!GROW(parts->sequence, parts->sequence_room, parts->sequence_count))
		return false;
	parts->sequence[parts->sequence_count++] = (uint16_t)number;
	return true;
}

static void parts_forget(struct part_notes *notes)
{
	notes->items.count = notes->items.merged = notes->items.passed = 0;
	notes->messages.count = notes->messages.passed = 0;
}

enum tr_status parts_settle(void *context, struct tr_error *err)
{
	struct parts *parts = ((struct program *)context)->parts;
	struct entry head;

	parts->sequence_count = parts->passed = 0;
	for (uint32_t i = 0; i < parts->count; i++)
		parts_put_head(parts, i);
	while (parts->heads.count > 0) {
		agenda_pop(&parts->heads, &head);
		if (!parts_merge_item(parts, head.about))
			return tr_no_memory(err, "the order of what parts of a program do");
		parts_put_head(parts, head.about);
	}
	parts->turn = 1 - parts->turn;
	for (uint32_t i = 0; i < parts->count; i++)
		parts_forget(parts_window(parts, i, parts->turn));
	return TR_OK;
}

static enum tr_status parts_pass_message(struct program *program, struct part_messages *messages,
					 struct tr_error *err)
{
	const uint64_t id = program->totals.messages++;
	struct tr_message *message;

	if (!program->listener.message)
		return TR_OK;
	message = &messages->items[messages->passed++];
	message->id = id;
	return program->listener.message(program->listener.context, message, err);
}

static enum tr_status parts_pass_item(struct program *program, struct part *part,
				      struct part_notes *notes, struct tr_error *err)
{
	struct parts *parts = program->parts;
	const struct part_item *item = &notes->items.items[notes->items.passed++];

	program->totals.ended += item->ended;
	for (uint32_t i = 0; i < item->steps; i++)
		parts->places[program->path.count++] = part->next_step++;
	if (item->worms > 0) {
		parts->names[item->number] = program->totals.worms;
		program->totals.worms += item->worms;
	}
	return item->message ? parts_pass_message(program, &notes->messages, err) : TR_OK;
}

enum tr_status parts_pass(void *context, int64_t ticks, uint32_t *number, struct tr_error *err)
{
	struct program *program = context;
	struct parts *parts = program->parts;

	while (parts->passed < parts->sequence_count) {
		struct part *part = &parts->all[parts->sequence[parts->passed]];
		struct part_notes *notes = &part->log.notes[1 - parts->turn];
		struct part_item *item = &notes->items.items[notes->items.passed];

		if (item->ticks > ticks)
			return TR_END;
		*number = parts->sequence[parts->passed];
		if (item->enters && item->worms-- > 1)
			return TR_OK;
		parts->passed++;
		if (item->enters) {
			notes->items.passed++;
			return TR_OK;
		}
		if (parts_pass_item(program, part, notes, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_END;
}

uint64_t parts_name(const struct program *program, uint64_t id)
{
	return program->parts->names[(uint32_t)id] + (id >> 32);
}
