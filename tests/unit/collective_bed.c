// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void note_slots(struct bed_message *message, const struct blocks *blocks, uint32_t parts)
{
	if (blocks->bit) {
		for (uint32_t slot = 0; slot < parts; slot++)
			if (slot & blocks->bit)
				message->slots[message->slot_count++] = slot;
		return;
	}
	for (uint32_t i = 0; i < blocks->count; i++)
		message->slots[message->slot_count++] = (blocks->first + i) % parts;
}

static void on_message(void *context, const struct sequence_message *told)
{
	struct collective_bed *bed = context;
	struct bed_message *message;

	if (bed->count == bed->room) {
		bed->room = bed->room ? 2 * bed->room : 64;
		bed->messages = realloc(bed->messages, bed->room * sizeof(*bed->messages));
		assert_non_null(bed->messages);
	}
	assert_true(told->rank < BED_RANKS && bed->parts <= BED_PARTS);
	message = &bed->messages[bed->count++];
	*message = (struct bed_message){.rank = told->rank,
					.step = told->step,
					.peer = told->op->peer,
					.tag = told->op->tag,
					.bytes = told->op->size,
					.carry = told->carry,
					.kind = (enum goal_kind)told->op->kind};
	note_slots(message, told->blocks, bed->parts);
}

void collective_bed_open(struct collective_bed *bed, const char *program, uint32_t parts)
{
	const struct sequence_watch watch = {.message = on_message, .context = bed};
	struct tr_error err;
	FILE *out;

	*bed = (struct collective_bed){.parts = parts};
	out = open_memstream(&bed->text, &bed->text_bytes);
	assert_non_null(out);
	if (program_write(program, out, &watch, &err) != TR_OK)
		fail_msg("%s: %s", program, err.text);
	assert_int_equal(fclose(out), 0);
}

static void send_out(struct collective_bed *bed, struct bed_message *message)
{
	for (uint32_t i = 0; i < message->slot_count; i++) {
		message->data[i] = bed->data[message->rank][message->slots[i]];
		bed->sent_nothing = bed->sent_nothing || message->data[i] == 0;
	}
	message->done = true;
}

// The first message of the pair and tag that was sent and not received.
static struct bed_message *coming(struct collective_bed *bed, const struct bed_message *receive,
				  const bool *taken)
{
	for (size_t i = 0; i < bed->count; i++) {
		struct bed_message *message = &bed->messages[i];

		if (message->kind == GOAL_SEND && message->done && !taken[i] &&
		    message->rank == receive->peer && message->peer == receive->rank &&
		    message->tag == receive->tag)
			return message;
	}
	return NULL;
}

static void take_in(struct collective_bed *bed, const struct bed_message *receive,
		    const struct bed_message *message)
{
	assert_int_equal(receive->bytes, message->bytes);
	assert_int_equal(receive->slot_count, message->slot_count);
	for (uint32_t i = 0; i < receive->slot_count; i++) {
		uint64_t *place = receive->carry == CARRY_APART
					  ? &bed->apart[receive->rank][message->rank]
					  : &bed->data[receive->rank][receive->slots[i]];

		if (receive->carry == CARRY_ADD) {
			bed->added_twice = bed->added_twice || (*place & message->data[i]);
			*place |= message->data[i];
		} else {
			*place = message->data[i];
		}
	}
}

// Takes in all of the step's messages, or none where one is not there yet.
static bool receive_step(struct collective_bed *bed, size_t begin, size_t end, bool *taken)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = begin; i < end; i++) {
			struct bed_message *receive = &bed->messages[i];
			struct bed_message *message;

			if (receive->kind != GOAL_RECV)
				continue;
			message = coming(bed, receive, taken);
			if (!message)
				return false;
			if (pass == 0)
				continue;
			taken[message - bed->messages] = true;
			take_in(bed, receive, message);
			receive->done = true;
		}
	return true;
}

static size_t end_of_step(const struct collective_bed *bed, size_t begin)
{
	size_t end = begin;

	while (end < bed->count && bed->messages[end].rank == bed->messages[begin].rank &&
	       bed->messages[end].step == bed->messages[begin].step)
		end++;
	return end;
}

// One more step of the rank whose next message this is; the place where the rank is then.
static size_t do_step(struct collective_bed *bed, size_t begin, bool *taken)
{
	size_t end = end_of_step(bed, begin);

	for (size_t i = begin; i < end; i++)
		if (bed->messages[i].kind == GOAL_SEND && !bed->messages[i].done)
			send_out(bed, &bed->messages[i]);
	return receive_step(bed, begin, end, taken) ? end : begin;
}

void collective_bed_move(struct collective_bed *bed)
{
	bool *taken = calloc(bed->count + 1, sizeof(*taken));
	size_t at[BED_RANKS];
	bool moved = true;

	assert_non_null(taken);
	for (size_t i = bed->count; i-- > 0;)
		at[bed->messages[i].rank] = i;
	while (moved) {
		moved = false;
		for (size_t i = 0; i < bed->count; i++) {
			uint32_t rank = bed->messages[i].rank;
			size_t before = at[rank];

			if (before != i)
				continue;
			at[rank] = do_step(bed, before, taken);
			moved = moved || at[rank] != before;
		}
	}
	for (size_t i = 0; i < bed->count; i++)
		if (!bed->messages[i].done || (bed->messages[i].kind == GOAL_SEND && !taken[i]))
			fail_msg(
				"rank %u: the message with %u, tag %u, does not meet its other end",
				bed->messages[i].rank, bed->messages[i].peer, bed->messages[i].tag);
	free(taken);
}

uint64_t collective_bed_sent_messages(const struct collective_bed *bed)
{
	uint64_t count = 0;

	for (size_t i = 0; i < bed->count; i++)
		count += bed->messages[i].kind == GOAL_SEND;
	return count;
}

uint64_t collective_bed_sent_bytes(const struct collective_bed *bed)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < bed->count; i++)
		bytes += bed->messages[i].kind == GOAL_SEND ? bed->messages[i].bytes : 0;
	return bytes;
}

void collective_bed_close(struct collective_bed *bed)
{
	free(bed->messages);
	free(bed->text);
}
