// SPDX-License-Identifier: GPL-3.0-or-later
// If LogGOPSim's schedule generator has the same pattern, our programs end when its schedules do,
// rank by rank.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/programs/algorithms.h"
#include "program_bed.h"

static struct program_bed run_bed;

// Finishing times of our text and of another's, rank by rank, under LogGOPSim's two sets of
// parameters.
static void compare_times(struct program_bed *ours, const char *program, const char *path)
{
	static const int64_t o_g_G_L_S[2][5] = {{1500, 1000, 6, 2500, 65535},
						{300, 0, 6, 300, 8192}};
	struct program_bed *theirs = calloc(1, sizeof(*theirs));

	assert_non_null(theirs);
	if (!program_bed_open_file(theirs, path))
		fail_msg("%s is not there", path);
	for (int set = 0; set < 2; set++) {
		const int64_t *is = o_g_G_L_S[set];
		struct program_bed *beds[] = {ours, theirs};

		for (int i = 0; i < 2; i++) {
			program_bed_set(beds[i], is[0], is[1], 0, is[2]);
			beds[i]->ideal.latency_s = (struct num_ratio){is[3], 1000000000};
			beds[i]->params.eager_bytes = (uint64_t)is[4];
			assert_int_equal(program_bed_run(beds[i], NULL), TR_OK);
		}
		assert_int_equal(ours->goal.ranks, theirs->goal.ranks);
		assert_int_equal(ours->totals.sent, theirs->totals.sent);
		for (uint32_t rank = 0; rank < ours->goal.ranks; rank++)
			if (program_bed_finish(ours, rank) != program_bed_finish(theirs, rank))
				fail_msg("%s: rank %u ends at another time than in %s", program,
					 rank, path);
	}
	program_bed_close(theirs);
	free(theirs);
}

static void schedules_are_those_of_loggopsims_generator(void **state)
{
	static const char *const pairs[][2] = {
		{"broadcast:by=binomial,ranks=16,bytes=1KiB", "binomialtreebcast-p16-s1024"},
		{"broadcast:by=binomial,ranks=32,bytes=1B", "binary_tree_32"},
		{"barrier:by=dissemination,ranks=16,bytes=8B", "dissemination-p16-s8"},
		{"barrier:by=linear,ranks=16,bytes=1B", "linbarrier-p16-s1"},
		{"alltoall:by=linear,ranks=8,bytes=1KiB", "linear_alltoall-p8-s1024"},
		{"alltoall:by=linear,ranks=64,bytes=1KiB", "linear_alltoall-p64-s1024"},
		{"scatter:by=linear,ranks=16,bytes=1KiB", "scatter-p16-s1024"},
	};
	FILE *there = fopen("../shared/data/goal/README.md", "r");

	(void)state;
	if (!there)
		skip();
	fclose(there);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char path[120], *text;
		struct tr_error err;
		size_t bytes;
		FILE *out = open_memstream(&text, &bytes);

		assert_non_null(out);
		assert_int_equal(program_write(pairs[i][0], out, NULL, &err), TR_OK);
		fclose(out);
		program_bed_open(&run_bed, text);
		snprintf(path, sizeof(path), "../shared/data/goal/%s.goal", pairs[i][1]);
		compare_times(&run_bed, pairs[i][0], path);
		program_bed_close(&run_bed);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedules_are_those_of_loggopsims_generator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
