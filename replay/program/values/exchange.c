// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between processes, and the mailboxes.
#include "program/values/values_state.h"

static void exchange_append(struct values *values, struct chain *chain, uint32_t message)
{
	values->messages[message].next = NOTHING;
	CHAIN_APPEND(chain, values->messages, next, message);
}

static uint32_t exchange_take_first(const struct values *values, struct chain *chain)
{
	const uint32_t first = chain->first;

	chain->first = values->messages[first].next;
	return first;
}

static uint32_t exchange_take_message(struct values *values)
{
	uint32_t number = values->free_message;

	if (number != NOTHING)
		values->free_message = values->messages[number].next;
	else if (values->fresh_message < values->program->settings.messages)
		number = values->fresh_message++;
	else if (values->status == TR_OK)
		values->status = tr_fail(
			values->err,
			"%s: more than %u messages under way or unread; messages=N allows more",
			values->program->name, values->program->settings.messages);
	return number;
}

static void free_message(struct values *values, uint32_t number)
{
	for (uint32_t more; number != NOTHING; number = more) {
		more = values->messages[number].more;
		values->messages[number].next = values->free_message;
		values->free_message = number;
	}
}

// The message is on the way to its mailbox.
static void exchange_expect(struct values *values, uint32_t number)
{
	struct chain *coming = &values->mailboxes[values->messages[number].about].coming;

	values->messages[number].later = NOTHING;
	CHAIN_APPEND(coming, values->messages, later, number);
}

// The message, whose destination is known, leaves.
static void exchange_leave(struct values *values, uint32_t number, int64_t ticks)
{
	struct message *message = &values->messages[number];
	const int64_t local_ticks = values->program->costs[PROC_LOCAL] * values->params.unit_ticks;

	if (message->type == VALUES_SEND)
		exchange_expect(values, number);
	if (message->source == message->destination) {
		values->totals.local++;
		agenda_push(&values->locals, &(struct entry){.time_ticks = ticks + local_ticks,
							     .order = message->order,
							     .about = number});
		return;
	}
	message->left_bytes = message->bytes;
	message->first_id = values->totals.worms;
	values->totals.worms += (message->bytes - 1) / values->params.mtu_bytes + 1;
	agenda_push(&values->sends,
		    &(struct entry){.time_ticks = ticks, .order = message->order, .about = number});
}

// The living owner of the message's mailbox; PROC_NOBODY if it has none.
static uint32_t owner_of(const struct values *values, uint32_t cell)
{
	const uint32_t owner = values->machine.owners[cell];

	return owner != PROC_NOBODY && !values->machine.processes[owner].ended ? owner
									       : PROC_NOBODY;
}

// A new message with these values, of which each after the first is one of its own; NOTHING after
// a failure.
static uint32_t exchange_make(struct values *values, const struct message *sent,
			      const struct proc_value *numbers, uint32_t count)
{
	const uint32_t number = exchange_take_message(values);
	uint32_t last = number;

	for (uint32_t i = 0; i < count && last != NOTHING; i++) {
		if (i > 0) {
			values->messages[last].more = exchange_take_message(values);
			last = values->messages[last].more;
			if (last == NOTHING)
				return NOTHING;
		} else {
			values->messages[last] = *sent;
		}
		values->messages[last].value = numbers[i];
		values->messages[last].more = NOTHING;
	}
	return last == NOTHING ? NOTHING : number;
}

void exchange_send(struct values *values, const struct message *sent, int64_t ticks)
{
	static const struct proc_value nothing = {0, false};

	exchange_send_values(values, sent, &(struct proc_act){.values = &nothing, .value_count = 1},
			     ticks);
}

void exchange_send_values(struct values *values, const struct message *sent,
			  const struct proc_act *act, int64_t ticks)
{
	const uint32_t number = exchange_make(values, sent, act->values, act->value_count);
	uint32_t owner;

	if (number == NOTHING)
		return;
	values->messages[number].begun_ticks = ticks;
	values->messages[number].step = values->processors[sent->source].step;
	values->messages[number].order = values->orders++;
	values->totals.messages[sent->type]++;
	values->totals.bytes += sent->bytes;
	if (sent->type == VALUES_SEND) {
		owner = owner_of(values, sent->about);
		if (owner == PROC_NOBODY) {
			exchange_append(values, &values->mailboxes[sent->about].held, number);
			values->totals.unread++;
			return;
		}
		values->messages[number].destination = values->machine.processes[owner].processor;
	}
	exchange_leave(values, number, ticks);
}

void exchange_release(struct values *values, const uint32_t *cells, uint32_t count, int64_t ticks)
{
	for (uint32_t i = 0; i < count; i++) {
		struct chain *held = &values->mailboxes[cells[i]].held;
		const uint32_t owner = values->machine.owners[cells[i]];

		while (held->first != NOTHING) {
			const uint32_t number = exchange_take_first(values, held);
			struct message *message = &values->messages[number];

			values->totals.unread--;
			message->destination = values->machine.processes[owner].processor;
			exchange_leave(values, number,
				       message->begun_ticks > ticks ? message->begun_ticks : ticks);
		}
	}
}

uint32_t exchange_take(struct values *values, uint32_t cell)
{
	struct chain *chain = &values->mailboxes[cell].values;
	uint32_t number, count = 0;

	if (chain->first == NOTHING)
		return 0;
	number = exchange_take_first(values, chain);
	for (uint32_t i = number; i != NOTHING; i = values->messages[i].more)
		values->taken[count++] = values->messages[i].value;
	values->totals.unread--;
	free_message(values, number);
	return count;
}

// Whether a comes before b in a mailbox.
static bool exchange_is_before(const struct message *a, const struct message *b)
{
	return a->arrived_ticks != b->arrived_ticks ? a->arrived_ticks < b->arrived_ticks
						    : a->order < b->order;
}

// A value comes into its mailbox, behind those that were there before; those of one tick are in the
// order of sending.
static void exchange_keep(struct values *values, uint32_t number)
{
	struct message *messages = values->messages;
	const uint32_t cell = messages[number].about;
	struct chain *chain = &values->mailboxes[cell].values;
	const uint32_t owner = owner_of(values, cell);
	uint32_t *place = &chain->first;

	values->totals.unread++;
	if (chain->first == NOTHING ||
	    exchange_is_before(&messages[chain->last], &messages[number])) {
		exchange_append(values, chain, number);
	} else {
		while (exchange_is_before(&messages[*place], &messages[number]))
			place = &messages[*place].next;
		messages[number].next = *place;
		*place = number;
	}
	if (owner != PROC_NOBODY && values->processes[owner].state == PROCESS_WAITS &&
	    values->processes[owner].wait == VALUES_RECEIVES &&
	    values->processes[owner].cell == cell)
		slices_wake(values, owner,
			    &(struct wake){values->now_ticks, messages[number].begun_ticks,
					   messages[number].sender, messages[number].step,
					   VALUES_SINCE_VALUE});
}

// A message has arrived at its mailbox. Values of one sender stay in their order, though the
// network may deliver a later one first: that one waits, marked as early, and comes in behind.
static void exchange_come(struct values *values, uint32_t number)
{
	struct message *messages = values->messages;
	struct chain *coming = &values->mailboxes[messages[number].about].coming;
	const uint32_t sender = messages[number].sender;
	uint32_t before = NOTHING;
	uint32_t place = coming->first;

	messages[number].early = true;
	while (place != NOTHING && (messages[place].sender != sender || messages[place].early)) {
		const uint32_t later = messages[place].later;

		if (messages[place].sender != sender) {
			before = place;
		} else {
			if (before == NOTHING)
				coming->first = later;
			else
				messages[before].later = later;
			if (coming->last == place)
				coming->last = before;
			messages[place].arrived_ticks = values->now_ticks;
			exchange_keep(values, place);
		}
		place = later;
	}
}

static void child_ended(struct values *values, uint32_t parent, const struct wake *wake)
{
	const struct process *process = &values->processes[parent];

	if (--values->machine.processes[parent].children == 0 && process->state == PROCESS_WAITS &&
	    process->wait == VALUES_JOINS)
		slices_wake(values, parent, wake);
}

static void exchange_record(struct values *values, const struct message *message)
{
	static const uint16_t operations[] = {TR_OP_SEND, TR_OP_IGNORE_ME, TR_OP_BIRTH,
					      TR_OP_DEATH};
	const struct tr_message out = {.begin_ticks = message->begun_ticks,
				       .end_ticks = message->arrived_ticks,
				       .id = message->order,
				       .size_bytes = message->bytes,
				       .src = message->source,
				       .dst = message->destination,
				       .tag = (int32_t)message->about,
				       .operation = operations[message->type],
				       .flags = TR_MESSAGE_EAGER,
				       .src_rank = message->source,
				       .dst_rank = message->destination};

	if (values->listener.message && values->status == TR_OK)
		values->status = values->listener.message(values->listener.context, &out,
							  values->err);
}

void exchange_arrive(struct values *values, uint32_t number)
{
	struct message *message = &values->messages[number];
	const uint32_t about = message->about;
	const enum values_type type = (enum values_type)message->type;
	const struct wake wake = {values->now_ticks, message->begun_ticks, message->sender,
				  message->step,
				  type == VALUES_BIRTH ? VALUES_SINCE_BIRTH : VALUES_SINCE_DEATH};

	message->arrived_ticks = values->now_ticks;
	exchange_record(values, message);
	if (type == VALUES_SEND) {
		exchange_come(values, number);
		return;
	}
	if (type == VALUES_WRITE)
		values->machine.shared[about] = message->value;
	free_message(values, number);
	if (type == VALUES_BIRTH)
		slices_wake(values, about, &wake);
	else if (type == VALUES_DEATH)
		child_ended(values, about, &wake);
}
