// SPDX-License-Identifier: GPL-3.0-or-later
// The GOAL text of a collective operation has the messages and dependencies that its data need: the
// same messages in the same order, and each of a step waits, directly or indirectly, for all of the
// step before; in a double tree only for those of its own parts.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collective_bed.h"

static struct goal_program read_text(const struct collective_bed *bed)
{
	struct goal_program program;
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, bed->text, bed->text_bytes, "t", &err),
			 TR_OK);
	if (goal_read(&program, source, NULL, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
	return program;
}

// Marks all that op waits for. An operation may wait for one that stands behind it, so this goes on
// until nothing is new.
static void mark_before(const struct goal_program *program, uint32_t op, bool *before)
{
	bool more = true;

	memset(before, 0, program->op_count * sizeof(*before));
	before[op] = true;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < program->need_count; i++) {
			const struct goal_need *need = &program->needs[i];

			if (before[need->op] && !before[need->after] && !need->started)
				more = before[need->after] = true;
		}
	}
}

// The operation of each message that was told, in order.
static uint32_t *ops_of(const struct collective_bed *bed, const struct goal_program *program)
{
	uint32_t *ops = calloc(bed->count + 1, sizeof(*ops));
	size_t told = 0;

	assert_non_null(ops);
	for (uint32_t i = 0; i < program->op_count; i++) {
		const struct goal_op *op = &program->ops[i];
		const struct bed_message *message = &bed->messages[told];

		if (op->kind == GOAL_CALC)
			continue;
		assert_true(told < bed->count);
		assert_int_equal(message->rank, goal_rank_of(program, i));
		assert_true(message->kind == op->kind && message->bytes == op->size &&
			    message->peer == op->peer && message->tag == op->tag);
		ops[told++] = i;
	}
	assert_int_equal(told, bed->count);
	return ops;
}

static bool share_slots(const struct bed_message *one, const struct bed_message *other)
{
	for (uint32_t i = 0; i < one->slot_count; i++)
		for (uint32_t j = 0; j < other->slot_count; j++)
			if (one->slots[i] == other->slots[j])
				return true;
	return false;
}

static void check_steps(const char *text, const struct collective_bed *bed,
			const struct goal_program *program)
{
	bool *before = calloc(program->op_count + 1, sizeof(*before));
	uint32_t *ops = ops_of(bed, program);
	const bool parts_apart = strstr(text, "double-tree") != NULL;

	assert_non_null(before);
	for (size_t later = 0; later < bed->count; later++) {
		const struct bed_message *message = &bed->messages[later];

		mark_before(program, ops[later], before);
		for (size_t i = later; i-- > 0 && bed->messages[i].rank == message->rank;)
			if (bed->messages[i].step < message->step && !before[ops[i]] &&
			    (!parts_apart || share_slots(&bed->messages[i], message)))
				fail_msg("%s: line %u does not wait for line %u", text,
					 program->ops[ops[later]].line, program->ops[ops[i]].line);
	}
	free(before);
	free(ops);
}

static void check(const char *text)
{
	struct collective_bed *bed = calloc(1, sizeof(*bed));
	struct goal_program program;

	assert_non_null(bed);
	collective_bed_open(bed, text, BED_PARTS);
	program = read_text(bed);
	check_steps(text, bed, &program);
	goal_clear(&program);
	collective_bed_close(bed);
	free(bed);
}

// With and without times between the messages.
static void check_way(const char *kind, const char *way, size_t length)
{
	static const char *const times[] = {"", ",message=1us,compute=1ms"};
	char text[160];

	for (uint32_t p = 1; p <= 9; p++)
		for (int i = 0; i < 2; i++) {
			snprintf(text, sizeof(text), "%s:by=%.*s,ranks=%u,repeats=2%s", kind,
				 (int)length, way, p, times[i]);
			check(text);
		}
}

// The kinds whose first key is "by" are the collective operations.
static void the_text_waits_for_what_the_data_need(void **state)
{
	unsigned kinds = 0;

	(void)state;
	for (const struct program_kind *const *kind = program_kinds; *kind; kind++) {
		const char *way = (*kind)->keys + strlen("by=");
		size_t length;

		if (strncmp((*kind)->keys, "by=", strlen("by=")) != 0)
			continue;
		kinds++;
		for (; way[-1] != ','; way += length + 1) {
			length = strcspn(way, "|,");
			check_way((*kind)->name, way, length);
		}
	}
	assert_int_equal(kinds, 9);
	check("cannon:N=6,ranks=9,operands=plain");
	check("halo:grid=2x3,cells=3x4,periodic=yes,steps=3");
}

// Four sends at once, and one that came after none of them: what comes next waits for all five.
static void a_wait_for_more_operations_than_a_point_has(void **state)
{
	const struct sequence_point start = {.count = 0};
	const struct program_args args = {.used = "five"};
	const struct message_cost cost = {{0, 1}, {0, 1}};
	struct sequence_point four = start, one;
	struct sequence sequence;
	struct tr_error err;
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	assert_non_null(out);
	sequence_start(&sequence, out, &args, &cost, 1);
	sequence_rank(&sequence);
	for (uint32_t tag = 0; tag < 4; tag++) {
		sequence_from(&sequence, &start);
		sequence_send(&sequence, 0, 1, tag);
		one = sequence_here(&sequence);
		sequence_from(&sequence, &four);
		sequence_wait(&sequence, &one);
		four = sequence_here(&sequence);
	}
	sequence_from(&sequence, &start);
	sequence_send(&sequence, 0, 1, 4);
	sequence_wait(&sequence, &four);
	sequence_send(&sequence, 0, 1, 5);
	assert_int_equal(sequence_end(&sequence, &err), TR_OK);
	assert_int_equal(fclose(out), 0);
	for (unsigned op = 1; op <= 5; op++) {
		char need[24];
		const char *by;

		snprintf(need, sizeof(need), " requires l%u\n", op);
		by = strstr(text, need);
		if (!by || !(strncmp(by - 2, "l6", 2) == 0 || strncmp(by - 2, "l7", 2) == 0))
			fail_msg("nothing waits for l%u:\n%s", op, text);
	}
	assert_non_null(strstr(text, "l7 requires l6\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_waits_for_what_the_data_need),
		cmocka_unit_test(a_wait_for_more_operations_than_a_point_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
