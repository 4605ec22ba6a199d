// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of algorithms: the bytes sent match the published formulas, each message has its
// receive, and the arguments are strict.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/programs/algorithms.h"
#include "stat/intervals/workload.h"

static struct goal_program made(const char *text)
{
	struct goal_program program;
	struct tr_source *source;
	struct tr_error err;
	size_t bytes;
	char *goal;
	FILE *out = open_memstream(&goal, &bytes);

	assert_non_null(out);
	if (program_write(text, out, NULL, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(tr_source_open_memory(&source, goal, bytes, "t", &err), TR_OK);
	if (goal_read(&program, source, NULL, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
	free(goal);
	return program;
}

static uint64_t sum(const struct goal_program *program, enum goal_kind kind)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < program->op_count; i++)
		bytes += program->ops[i].kind == kind ? program->ops[i].size : 0;
	return bytes;
}

// Messages of each pair, size and tag that are sent less those that are received.
static void all_meet(const struct goal_program *program)
{
	for (uint32_t i = 0; i < program->op_count; i++) {
		const struct goal_op *one = &program->ops[i];
		uint32_t rank = goal_rank_of(program, i);
		int balance = 0;

		if (one->kind != GOAL_SEND)
			continue;
		for (uint32_t k = program->first[rank]; k < program->first[rank + 1]; k++)
			balance += program->ops[k].kind == GOAL_SEND &&
				   program->ops[k].peer == one->peer &&
				   program->ops[k].tag == one->tag &&
				   program->ops[k].size == one->size;
		for (uint32_t k = program->first[one->peer]; k < program->first[one->peer + 1]; k++)
			balance -= program->ops[k].kind == GOAL_RECV &&
				   program->ops[k].peer == rank &&
				   program->ops[k].tag == one->tag &&
				   program->ops[k].size == one->size;
		assert_int_equal(balance, 0);
	}
}

// Figure 3-2 by equations 3.4 and 3.5, p = 2 .. 128, as the formulas that the loads of models use.
static void ffts_send_what_the_formulas_say(void **state)
{
	static const char *const forms[][3] = {
		{"fft-rc", "at-once", "rc:256"},
		{"fft-rc", "in-turn", "rc:256"},
		{"fft-rc", "all-to-all,order=auto", "rc:256"},
		{"fft-rc", "in-turn,order=next", "rc:256"},
		{"fft-rc", "at-once,order=previous,point=16B", "rc:256"},
		{"fft-rc", "all-to-all,order=xor", "rc:256"},
		{"fft-vr", "in-turn,order=down", "vr:256"},
		{"fft-vr", "at-once", "vr:256"},
		{"fft-vr", "in-turn", "vr:256"}};
	struct tr_error err;

	(void)state;
	for (size_t form = 0; form < sizeof(forms) / sizeof(forms[0]); form++)
		for (uint32_t ranks = 2; ranks <= 128; ranks *= 2) {
			struct goal_program program;
			uint64_t bytes;
			uint64_t point = strstr(forms[form][1], "point=16B") ? 16 : 8;
			char text[120];

			snprintf(text, sizeof(text), "%s:N=256,ranks=%u,by=%s,repeats=3",
				 forms[form][0], ranks, forms[form][1]);
			program = made(text);
			assert_int_equal(workload_bytes(forms[form][2], ranks, &bytes, &err),
					 TR_OK);
			assert_int_equal(sum(&program, GOAL_SEND), 3 * bytes / 8 * point);
			assert_int_equal(sum(&program, GOAL_RECV), 3 * bytes / 8 * point);
			all_meet(&program);
			goal_clear(&program);
		}
}

// The ranks to which this one sends the messages of this many bytes, in the order of the text.
static void sends_to(const char *text, uint32_t rank, uint64_t bytes, const char *want)
{
	struct goal_program program = made(text);
	char got[40] = "";

	for (uint32_t i = program.first[rank]; i < program.first[rank + 1]; i++)
		if (program.ops[i].kind == GOAL_SEND && program.ops[i].size == bytes)
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "%u ",
				 program.ops[i].peer);
	assert_string_equal(got, want);
	goal_clear(&program);
}

// Rank 1 of four, blocks of 4 x 4 points; of eight, a quarter of an eighth of 16 x 16.
static void exchanges_have_an_order(void **state)
{
	(void)state;
	sends_to("fft-rc:N=16,ranks=4", 1, 128, "2 3 0 ");
	sends_to("fft-rc:N=16,ranks=4,by=in-turn", 1, 128, "0 3 2 ");
	sends_to("fft-rc:N=16,ranks=4,by=all-to-all", 1, 128, "0 3 2 ");
	sends_to("fft-rc:N=16,ranks=4,by=in-turn,order=next,point=16B", 1, 256, "2 3 0 ");
	sends_to("fft-rc:N=16,ranks=4,by=in-turn,order=previous", 2, 128, "1 0 3 ");
	sends_to("fft-rc:N=16,ranks=4,by=all-to-all,order=xor", 2, 128, "3 0 1 ");
	sends_to("fft-vr:N=16,ranks=8", 1, 128, "0 3 5 ");
	sends_to("fft-vr:N=16,ranks=8,order=down,point=2B", 1, 32, "5 3 0 ");
}

// 128 ranks of 256 x 256: 1,560,576 and 2,875,392 bytes, as the thesis' table has them.
static void the_last_row_of_the_table_comes_out(void **state)
{
	struct goal_program rc = made("fft-rc:ranks=128");
	struct goal_program vr = made("fft-vr:ranks=128");

	(void)state;
	assert_int_equal(sum(&rc, GOAL_SEND), 1560576);
	assert_int_equal(sum(&vr, GOAL_SEND), 2875392);
	goal_clear(&rc);
	goal_clear(&vr);
}

// Rows of A and C once each but the master's, B to all others; N^3 multiply-adds.
static void a_product_deals_rows_and_sends_b_to_all(void **state)
{
	(void)state;
	for (uint32_t ranks = 1; ranks <= 16; ranks++) {
		struct goal_program program;
		uint64_t masters_rows = 48 / ranks + (48 % ranks > 0);
		char text[80];

		snprintf(text, sizeof(text),
			 "matmul:N=48,ranks=%u,element=4B,multiply-add=100ns,message=0ns", ranks);
		program = made(text);
		assert_int_equal(program.ranks, ranks);
		assert_int_equal(sum(&program, GOAL_SEND),
				 2 * (48 - masters_rows) * 48 * 4 + (ranks - 1) * 48 * 48 * 4);
		assert_int_equal(sum(&program, GOAL_CALC), 48 * 48 * 48 * 100);
		all_meet(&program);
		goal_clear(&program);
	}
}

// Each message comes to all ranks but its root, once.
static void a_multicast_reaches_all(void **state)
{
	(void)state;
	for (uint32_t fanout = 1; fanout <= 7; fanout++)
		for (uint32_t roots = 1; roots <= 8; roots += 7) {
			struct goal_program program;
			char text[80];

			snprintf(text, sizeof(text),
				 "multicast:ranks=8,fan-out=%u,roots=%u,bytes=10B", fanout, roots);
			program = made(text);
			assert_int_equal(sum(&program, GOAL_SEND), 7 * 10 * roots);
			all_meet(&program);
			goal_clear(&program);
		}
}

static void messages_cost_the_processor_at_both_ends(void **state)
{
	struct goal_program program = made(
		"matmul:N=2,ranks=2,multiply-add=0ns,message=3us,byte=1.5ns");

	(void)state;
	// 3 messages of 8, 16 and 8 bytes.
	assert_int_equal(sum(&program, GOAL_CALC), 2 * (3 * 3000 + 12 + 24 + 12));
	goal_clear(&program);
}

static void refused(const char *text, const char *why)
{
	struct tr_error err;
	size_t bytes;
	char *goal;
	FILE *out = open_memstream(&goal, &bytes);

	assert_int_equal(program_write(text, out, NULL, &err), TR_ERROR);
	assert_string_equal(err.text, why);
	fclose(out);
	assert_int_equal(bytes, 0);
	free(goal);
}

static void wrong_arguments_are_named(void **state)
{
	(void)state;
	refused("sort",
		"unknown program \"sort\", no file and none of allgather allreduce alltoall "
		"barrier broadcast cannon fft-1d fft-3d fft-rc "
		"fft-vr gather halo matmul multicast random reduce reduce-scatter scatter sweep "
		"training");
	refused("multicast:ranks=2,roots=3", "program multicast: 3 roots exceed 2 ranks");
	refused("multicast:bytes=0B",
		"program multicast: bytes: expected 1 to 1099511627776 whole bytes");
	refused("matmul:M=3", "program matmul: unknown key M; its keys are "
			      "N=64,ranks=8,element=4B,multiply-add=242ns,message=1us,byte=0s");
	refused("matmul:N", "program matmul: \"N\" is not KEY=VALUE");
	refused("matmul:", "program matmul: \"\" is not KEY=VALUE");
	refused("matmul:N=3,N=4", "program matmul: the key N is given twice");
	refused("matmul:element=4.000000000000000000000000000000000000000000000000000000000000001B",
		"program matmul: element: 4.000000000000000000... is longer than 63 characters");
	refused("barrier:by=tree", "program barrier: by: \"tree\" is none of "
				   "dissemination|recursive-doubling|binomial|linear");
	refused("scatter:ranks=4,root=4", "program scatter: root 4 is not one of 4 ranks");
	refused("broadcast:by=scatter-ring,segments=2",
		"program broadcast: segments need by=binomial, linear, ring or double-tree");
	refused("halo:grid=2x2,cells=4",
		"program halo: grid and cells must have the same number of sides");
	refused("halo:grid=2x2x2x2", "program halo: grid: 2x2x2x2 has more than 3 sides");
	refused("halo:grid=4x0",
		"program halo: grid: '0' is not a whole number from 1 to 4294967295");
	refused("halo:grid=1024x1025", "program halo: grid: 1024x1025 is more than 1048576 in all");
	refused("sweep:grid=4", "program sweep: grid has two sides, cells have three");
	refused("cannon:ranks=8", "program cannon: ranks must be a square whose side divides N");
	refused("fft-1d:N=64,ranks=16",
		"program fft-1d: N must be at least the square of the ranks");
	refused("fft-3d:grid=3x4", "program fft-3d: the sides of the grid must divide N");
	refused("fft-rc:pieces=3", "program fft-rc: pieces must be a power of two, no more than "
				   "N/ranks");
	refused("matmul:N=2,ranks=3", "program matmul: 3 ranks exceed 2 rows");
	refused("matmul:element=0B", "program matmul: element: expected 1 to 1024 whole bytes");
	refused("matmul:byte=-1ns", "program matmul: byte: -1ns is below 0");
	refused("fft-rc:by=in-turn,pieces=2", "program fft-rc: pieces need by=at-once");
	refused("fft-rc:by=all-to-all,pieces=2", "program fft-rc: pieces need by=at-once");
	refused("fft-vr:by=all-to-all",
		"program fft-vr: by: \"all-to-all\" is none of at-once|in-turn");
	refused("fft-vr:point=0B", "program fft-vr: point: expected 1 to 1024 whole bytes");
	refused("fft-rc:ranks=3",
		"program fft-rc: N and ranks must be powers of two, ranks no more than N");
	refused("fft-vr:N=4,ranks=8",
		"program fft-vr: N and ranks must be powers of two, ranks no more than N");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ffts_send_what_the_formulas_say),
		cmocka_unit_test(exchanges_have_an_order),
		cmocka_unit_test(the_last_row_of_the_table_comes_out),
		cmocka_unit_test(a_multicast_reaches_all),
		cmocka_unit_test(a_product_deals_rows_and_sends_b_to_all),
		cmocka_unit_test(messages_cost_the_processor_at_both_ends),
		cmocka_unit_test(wrong_arguments_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
