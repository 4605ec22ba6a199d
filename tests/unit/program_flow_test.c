// SPDX-License-Identifier: GPL-3.0-or-later
// How messages of the family program flow: stalls at their gaps and after the window, and where
// rendezvous begins.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_eager.h"
#include "gen/families/program/program_stalls.h"
#include "model_run.h"
#include "value/memstream.h"

#define MESSAGES 20000u
#define PACKETS 20u
#define WINDOW 6u
#define SHARE 0.2
#define MEAN_TICKS 1000000

static const struct program_flow stalling = {.segment_B = 1000,
					     .stalls = SHARE,
					     .stall_s = 0.001,
					     .stall_after_B = 1000.0 * WINDOW};

// Six packets follow one another without a stall, then each gap has one as often and as long as the
// model says. Five standard errors: about 180,000 gaps with a stall in one of five, 36,000 uniform
// lengths.
static void stalls_come_after_the_window(void **state)
{
	const struct program_stalls stalls = program_stalls_make(&stalling, 1e9);
	uint64_t count = 0, gaps = 0;
	double sum = 0, most = 0;

	(void)state;
	for (uint64_t m = 0; m < MESSAGES; m++) {
		struct program_late late = {.seed = m * UINT64_C(0xd1342543de82ef95)},
				    at_once = late;
		uint64_t since = 0;
		int64_t before = 0;

		for (uint64_t i = 1; i < PACKETS; i++) {
			const int64_t ticks = program_late_at(&late, &stalls, i);
			const bool stall = ticks > before;

			since++;
			assert_true(ticks >= before);
			assert_false(stall && since < WINDOW);
			gaps += since >= WINDOW;
			count += stall;
			sum += (double)(ticks - before);
			most = fmax(most, (double)(ticks - before));
			since = stall ? 0 : since;
			before = ticks;
		}
		assert_int_equal(program_late_at(&at_once, &stalls, PACKETS - 1), before);
	}
	assert_true(fabs((double)count / (double)gaps - SHARE) <
		    5 * sqrt(SHARE * (1 - SHARE) / (double)gaps));
	assert_true(fabs(sum / (double)count - MEAN_TICKS) <
		    5 * MEAN_TICKS / sqrt(3 * (double)count));
	assert_true(most <= 2 * MEAN_TICKS && most > 1.9 * MEAN_TICKS);
}

// What is generated is found again.
static void stalls_are_found_again(void **state)
{
	const struct program_stalls stalls = program_stalls_make(&stalling, 1e9);
	struct program_stall_counts counts = {.gaps = {0}};
	struct program_flow found = {.segment_B = 1000};

	(void)state;
	for (uint64_t m = 0; m < MESSAGES / 100; m++) {
		struct program_late late = {.seed = m * UINT64_C(0xd1342543de82ef95)};
		uint64_t since = 0;
		int64_t before = 0;

		for (uint64_t i = 1; i < PACKETS; i++) {
			const int64_t ticks = program_late_at(&late, &stalls, i);

			program_stall_note(&counts, ++since, ticks > before);
			since = ticks > before ? 0 : since;
			before = ticks;
		}
	}
	program_stalls_fit(&found, &counts);
	assert_true(found.stall_after_B == 1000.0 * WINDOW);
	assert_true(fabs(found.stalls - SHARE) < 0.05); // five standard errors of 1,800 gaps
}

// Stalls with the same chance everywhere show no window; without gaps there are none.
static void without_a_window(void **state)
{
	const struct program_flow flow = {.segment_B = 1000, .stalls = SHARE, .stall_s = 0.001};
	const struct program_stalls stalls = program_stalls_make(&flow, 1e9);
	struct program_stall_counts counts = {.gaps = {0}};
	struct program_flow found = {.segment_B = 1000};
	int64_t before = 0;

	(void)state;
	program_stalls_fit(&found, &counts);
	assert_true(found.stalls == 0 && found.stall_after_B == 0);
	for (uint64_t m = 0; m < MESSAGES / 100; m++, before = 0) {
		struct program_late late = {.seed = m * UINT64_C(0xd1342543de82ef95)};
		uint64_t since = 0;

		for (uint64_t i = 1; i < 2 * PROGRAM_PLACES; i++) {
			const int64_t ticks = program_late_at(&late, &stalls, i);

			program_stall_note(&counts, ++since, ticks > before);
			since = ticks > before ? 0 : since;
			before = ticks;
		}
	}
	program_stalls_fit(&found, &counts);
	assert_true(found.stall_after_B == 0);
	assert_true(fabs(found.stalls - SHARE) < 0.02);
}

// The limit for messages of eager_B without a request and granted_B with one. Their comments hold
// the words.
static void check_limit(double request_B, double grant_B, double eager_B, double granted_B,
			double limit_B, const char *words)
{
	struct program_model model;
	struct model from = {.name = NULL}, text = {.name = NULL};
	struct tr_error err = {""};
	char *written;
	size_t bytes;
	FILE *out = tr_memstream_open(&written, &bytes);

	model_of_text(&from,
		      MODEL_FIRST_LINE "\nfamily program\nnodes 4\niterations 1\npace 10 us\n"
				       "[blocks]\npattern linear\nbytes 1048576 B p^-2\n");
	if (program_model_get(&from, &model, &err) != TR_OK)
		fail_msg("%s", err.text);
	model.flow.request_B = request_B;
	model.flow.grant_B = grant_B;
	program_eager_fit(&model, eager_B, granted_B, &text);
	assert_true(model.flow.eager_B == limit_B);
	assert_non_null(out);
	assert_int_equal(model_write(&text, out, &err), TR_OK);
	assert_true(tr_memstream_close(out));
	if (!strstr(written, words))
		fail_msg("expected %s, found %s", words, written);
	free(written);
	program_model_clear(&model);
	model_clear(&from);
	model_clear(&text);
}

static void limits(void **state)
{
	(void)state;
	check_limit(40, 64, 0, 65600, 65536, "those of Open MPI");
	check_limit(40, 64, 0, 30000, 16384,
		    "Not known for 8 to 1024 nodes: whether messages of [blocks]"); // set below its
										    // default
	check_limit(40, 64, 70000, 140000, 131072, "Messages of 140000 B");	    // set above it
	check_limit(56, 55, 0, 65536, 20480, "those of UCX");
	check_limit(56, 55, 30000, 65600, 32768, "Messages of 65600 B");
	check_limit(1, 2, 1000, 66000, 8192,
		    "Not known for 4 to 32 nodes: whether"); // 65536 B on 4 nodes, 16384 on 8, 1024
							     // on 32
	check_limit(1, 2, 9000, 16000, 12000, "");	     // no power of two in between
	check_limit(1, 2, 10000, 20000, 16384, "Not known for 8 nodes: whether");
	check_limit(0, 0, 500, INFINITY, INFINITY, "No message is sent after a request");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stalls_come_after_the_window),
		cmocka_unit_test(stalls_are_found_again),
		cmocka_unit_test(without_a_window),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
