// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a flitline-program text that send and receive.
#include "processes/proc_code.h"

static const struct proc_array *take_channel(struct proc_text *text, uint32_t *number)
{
	const struct proc_program *program = text->program;

	*number = text->words.token == PROC_NAME
			  ? proc_find_array(program->channels, program->channel_count,
					    text->words.word)
			  : PROC_NOBODY;
	if (*number == PROC_NOBODY) {
		proc_words_expected(&text->words, "the name of a channel");
		return NULL;
	}
	proc_words_next(&text->words);
	return &program->channels[*number];
}

bool proc_mailbox(struct proc_text *text)
{
	uint32_t number;
	const struct proc_array *channel = take_channel(text, &number);

	if (!channel || !proc_indices(text, channel))
		return false;
	proc_emit(text, DO_MAILBOX, number, channel->side_count, 1);
	return !text->words.failed;
}

// Mailboxes of an array: the number of the first one comes onto the stack.
static bool parse_mailboxes(struct proc_text *text, uint32_t *cells)
{
	uint32_t number, at;
	const struct proc_array *channel = take_channel(text, &number);
	uint8_t left_out;

	if (!channel || !proc_some_indices(text, channel, &left_out, cells))
		return false;
	at = proc_emit(text, DO_MAILBOX, number, channel->side_count - left_out, 1);
	if (!text->words.failed)
		text->program->code[at].count = left_out;
	return !text->words.failed;
}

// The parts of a message, each a value or variables of an array.
struct message_items {
	uint32_t wheres[PROC_ITEMS_MAX]; // shared variables, 0: a value; of a receive a variable
	uint8_t locals[PROC_ITEMS_MAX];	 // 1: it goes to the variable
	uint8_t count;
	uint32_t values;
	uint32_t blocks;
};

static bool message_add_item(struct proc_text *text, struct message_items *items, uint32_t where,
			     bool local, uint32_t values)
{
	if (values > PROC_MESSAGE_MAX - items->values)
		return proc_words_wrong(&text->words, "a message of more than %u values",
					PROC_MESSAGE_MAX);
	items->wheres[items->count] = where;
	items->locals[items->count++] = local;
	items->values += values;
	if (items->values > text->program->message_values)
		text->program->message_values = items->values;
	return true;
}

static bool has_item_room(struct proc_text *text, const struct message_items *items)
{
	return items->count < PROC_ITEMS_MAX ||
	       proc_words_wrong(&text->words, "a message of more than %u parts", PROC_ITEMS_MAX);
}

// The instruction, and its items after it unless it has but one value.
static bool emit_message(struct proc_text *text, enum proc_what what, uint32_t where,
			 const struct message_items *items, uint32_t pops)
{
	const uint32_t at = proc_emit(text, what, where, pops, 0);

	if (text->words.failed)
		return false;
	text->program->code[at].count = items->count;
	for (uint8_t i = 0; i < items->count && !text->words.failed; i++) {
		const uint32_t item = proc_emit(text, DO_ITEM, items->wheres[i], 0, 0);

		if (!text->words.failed)
			text->program->code[item].count = items->locals[i];
	}
	return !text->words.failed;
}

static bool parse_values(struct proc_text *text, struct message_items *items)
{
	do {
		bool fine;

		text->composite = true;
		text->cells = 0;
		fine = has_item_room(text, items) && proc_expression(text);
		text->composite = false;
		if (!fine)
			return false;
		if (text->cells > 0 && text->cells_at != text->program->code_count)
			return proc_words_wrong(&text->words, "an array is no value: it has to "
							      "stand alone between commas");
		if (!message_add_item(text, items, text->cells, false,
				      text->cells > 0 ? text->cells : 1))
			return false;
	} while (proc_words_take(&text->words, ","));
	return proc_take(text, "to");
}

static bool parse_sent(struct proc_text *text, enum proc_what what)
{
	struct message_items items = {.count = 0};
	uint32_t cells = 0, pops;

	if (!parse_values(text, &items) ||
	    !(what == DO_SEND ? proc_mailbox(text) : parse_mailboxes(text, &cells)))
		return false;
	pops = items.count + 1u;
	if (items.count == 1 && items.wheres[0] == 0)
		items.count = 0;
	return emit_message(text, what, cells, &items, pops);
}

bool proc_send(struct proc_text *text)
{
	return parse_sent(text, DO_SEND);
}

bool proc_broadcast(struct proc_text *text)
{
	return parse_sent(text, DO_BROADCAST);
}

// Where a part of a received message goes; indices of an array are compiled.
static bool parse_part(struct proc_text *text, struct proc_target *target, uint8_t *left_out,
		       uint32_t *cells)
{
	const struct proc_program *program = text->program;

	*target = (struct proc_target){PROC_NOBODY, PROC_NOBODY};
	*left_out = 0;
	*cells = 1;
	if (text->words.token != PROC_NAME)
		return proc_words_expected(&text->words, "a variable");
	if (proc_find_variable(text, text->words.word) == PROC_NOBODY)
		target->array = proc_find_array(program->shared, program->shared_count,
						text->words.word);
	if (target->array == PROC_NOBODY) {
		target->slot = proc_take_variable(text);
		return target->slot != PROC_NOBODY;
	}
	proc_words_next(&text->words);
	return proc_some_indices(text, &program->shared[target->array], left_out, cells);
}

static bool message_add_part(struct proc_text *text, struct message_items *items,
			     const struct proc_target *target, uint8_t left_out, uint32_t cells)
{
	uint32_t at;

	if (target->array == PROC_NOBODY) {
		if (proc_is_reference(text->kind, target->slot))
			return proc_words_wrong(&text->words,
						"a reference cannot take part of a message");
		return message_add_item(text, items, target->slot, true, 1);
	}
	at = proc_emit(text, DO_ADDRESS, target->array,
		       text->program->shared[target->array].side_count - left_out, 1);
	if (!text->words.failed)
		text->program->code[at].count = left_out;
	items->blocks++;
	return message_add_item(text, items, cells, false, cells);
}

bool proc_receive(struct proc_text *text)
{
	struct message_items items = {.count = 0};
	struct proc_target target;
	uint8_t left_out;
	uint32_t cells;

	do {
		if (!has_item_room(text, &items) || !parse_part(text, &target, &left_out, &cells))
			return false;
		if (items.count == 0 && left_out == 0 && proc_words_take(&text->words, "from")) {
			if (!proc_mailbox(text))
				return false;
			proc_emit(text, DO_RECEIVE, 0, 1, 1);
			return proc_put_target(text, &target);
		}
		if (!message_add_part(text, &items, &target, left_out, cells))
			return false;
	} while (proc_words_take(&text->words, ","));
	return proc_take(text, "from") && proc_mailbox(text) &&
	       emit_message(text, DO_RECEIVE, 0, &items, items.blocks + 1);
}
