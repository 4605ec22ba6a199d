// SPDX-License-Identifier: GPL-3.0-or-later
// Which algorithm an MPI library takes: points read by hand from the sources of Open MPI 4.0.7 and
// 4.1.4 (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, ompi/mca/coll/base) and of MPICH 3.3.2
// and 4.0.2 (src/mpi/coll, maint/tuning/coll/mpir/generic.json), beside their switch points.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "gen/families/program/program_library.h"

#define OPEN_MPI_4_0 \
	"Open MPI v4.0.3, package: Open MPI x@y Distribution, ident: 4.0.3, repo rev: v4.0.3, " \
	"Mar 03, 2020"
#define OPEN_MPI_4_1 \
	"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"
#define MPICH_3_3 "MPICH Version:\t3.3.2"
#define MPICH_4_0 "MPICH Version:\t4.0.2"

static const struct point {
	const char *library;
	const struct program_kind *kind;
	uint32_t ranks;
	double bytes;
	const char *way;
} points[] = {
	{OPEN_MPI_4_1, &program_allreduce, 4, 8,
	 "recursive-doubling"}, // its ring, of an element for four ranks
	{OPEN_MPI_4_1, &program_allreduce, 4, 8191, "recursive-doubling"},
	{OPEN_MPI_4_1, &program_allreduce, 4, 8192, "rabenseifner"},
	{OPEN_MPI_4_1, &program_allreduce, 3, 4096, "ring"},
	{OPEN_MPI_4_1, &program_allreduce, 64, 262143, "recursive-doubling"},
	{OPEN_MPI_4_1, &program_allreduce, 63, 262143, "rabenseifner"},
	{OPEN_MPI_4_1, &program_allreduce, 200, 1000, "binomial"}, // a reduce and a broadcast
	{OPEN_MPI_4_1, &program_alltoall, 16, 511, "bruck"},
	{OPEN_MPI_4_1, &program_alltoall, 16, 512, "linear"},
	{OPEN_MPI_4_1, &program_alltoall, 15, 511, "linear"},
	{OPEN_MPI_4_1, &program_alltoall, 128, 262144, "pairwise"},
	{OPEN_MPI_4_1, &program_allgather, 16, 1048576, "recursive-doubling"},
	{OPEN_MPI_4_1, &program_allgather, 12, 1048576, "bruck"},
	{OPEN_MPI_4_1, &program_allgather, 32, 1023,
	 "recursive-doubling"},				      // of a block, not of all
	{OPEN_MPI_4_1, &program_allgather, 32, 1024, "ring"}, // the exchange with neighbours
	{OPEN_MPI_4_1, &program_broadcast, 4, 1048575, "linear"},
	{OPEN_MPI_4_1, &program_broadcast, 4, 1048576, "ring"},
	{OPEN_MPI_4_1, &program_broadcast, 16, 1048576, "scatter-doubling"},
	{OPEN_MPI_4_1, &program_barrier, 5, 0, "linear"},
	{OPEN_MPI_4_1, &program_barrier, 100, 0, "dissemination"},
	{OPEN_MPI_4_1, &program_barrier, 300, 0, "binomial"},
	{OPEN_MPI_4_1, &program_gather, 300, 2048, "linear"},
	{OPEN_MPI_4_1, &program_gather, 300, 8192, "binomial"},
	{OPEN_MPI_4_1, &program_scatter, 20, 16383, "binomial"},
	{OPEN_MPI_4_1, &program_scatter, 20, 16384, "linear"},
	{OPEN_MPI_4_1, &program_reduce, 7, 262144, "linear"},
	{OPEN_MPI_4_1, &program_reduce, 8, 262144, "binomial"},
	{OPEN_MPI_4_1, &program_reduce_scatter, 8, 262143, "recursive-halving"},
	{OPEN_MPI_4_1, &program_reduce_scatter, 8, 262144, "ring"},
	{OPEN_MPI_4_0, &program_allreduce, 4, 9999, "recursive-doubling"},
	{OPEN_MPI_4_0, &program_allreduce, 4, 10000, "ring"},
	{OPEN_MPI_4_0, &program_allreduce, 1250, 10000,
	 "binomial"}, // 1250 elements on as many ranks
	{OPEN_MPI_4_0, &program_alltoall, 12, 199, "linear"},
	{OPEN_MPI_4_0, &program_alltoall, 13, 199, "bruck"},
	{OPEN_MPI_4_0, &program_alltoall, 13, 3000, "pairwise"},
	{OPEN_MPI_4_0, &program_allgather, 16, 3124, "recursive-doubling"}, // 49984 B in all
	{OPEN_MPI_4_0, &program_allgather, 16, 3125, "ring"},
	{OPEN_MPI_4_0, &program_broadcast, 4, 1000000,
	 "binomial"}, // 4 > 1.6134e-6 1000000 + 2.1102
	{OPEN_MPI_4_0, &program_broadcast, 4, 1200000, "ring"},
	{OPEN_MPI_4_0, &program_gather, 11, 1023, "binomial"},
	{OPEN_MPI_4_0, &program_gather, 11, 1024, "linear"},
	{OPEN_MPI_4_0, &program_gather, 61, 6000, "binomial"},
	{OPEN_MPI_4_0, &program_gather, 61, 6001, "linear"},
	{OPEN_MPI_4_0, &program_reduce_scatter, 16, 262144, "recursive-halving"},
	{OPEN_MPI_4_0, &program_reduce_scatter, 16, 262145, "ring"},
	{OPEN_MPI_4_0, &program_reduce_scatter, 101, 77000,
	 "recursive-halving"}, // 101 > 0.0012 77000 + 8
	{OPEN_MPI_4_0, &program_reduce_scatter, 101, 78000, "ring"},
	{MPICH_4_0, &program_allreduce, 4, 8, "recursive-doubling"},
	{MPICH_4_0, &program_allreduce, 16, 127, "recursive-doubling"},
	{MPICH_4_0, &program_allreduce, 16, 128, "rabenseifner"},
	{MPICH_4_0, &program_allreduce, 31, 128,
	 "rabenseifner"}, // 16 elements, and 16 is the largest power of two
	{MPICH_3_3, &program_allreduce, 16, 2048, "recursive-doubling"},
	{MPICH_3_3, &program_allreduce, 16, 2049, "rabenseifner"},
	{MPICH_4_0, &program_alltoall, 8, 256, "bruck"},
	{MPICH_4_0, &program_alltoall, 7, 256, "linear"},
	{MPICH_4_0, &program_alltoall, 8, 32769, "pairwise"},
	{MPICH_4_0, &program_broadcast, 8, 12288, "binomial"},
	{MPICH_3_3, &program_broadcast, 8, 12288, "scatter-doubling"},
	{MPICH_4_0, &program_broadcast, 9, 12289, "scatter-ring"},
	{MPICH_4_0, &program_broadcast, 7, 1048576, "binomial"},
	{MPICH_4_0, &program_reduce, 4, 2048, "binomial"},
	{MPICH_4_0, &program_reduce, 4, 2049, "rabenseifner"},
	{MPICH_4_0, &program_reduce, 512, 2049, "binomial"},
	{MPICH_4_0, &program_allgather, 9, 9102, "bruck"}, // 81918 B in all
	{MPICH_4_0, &program_allgather, 9, 9103, "ring"},
	{MPICH_3_3, &program_reduce_scatter, 4, 524287, "recursive-halving"},
	{MPICH_4_0, &program_reduce_scatter, 4, 524288, "pairwise"},
	{MPICH_4_0, &program_barrier, 8, 0, "dissemination"},
	{"MPICH", &program_alltoall, 8, 8, "pairwise"}, // of which version is not known
	{"Intel(R) MPI Library 2021.8 for Linux* OS", &program_alltoall, 8, 8, "pairwise"},
	{NULL, &program_allgather, 4, 8, "ring"},
};

static void libraries_choose(void **state)
{
	char way[PROGRAM_WAY_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		const struct point *point = &points[i];

		program_library_way(point->kind, point->library, point->bytes, point->ranks, way);
		if (strcmp(way, point->way) != 0)
			fail_msg("%s, %s of %.0f B on %u ranks: expected %s, found %s",
				 point->library ? point->library : "none", point->kind->name,
				 point->bytes, point->ranks, point->way, way);
	}
}

static void rules_are_named(void **state)
{
	(void)state;
	assert_string_equal(program_library_rules(OPEN_MPI_4_0), "Open MPI before 4.1");
	assert_string_equal(program_library_rules(OPEN_MPI_4_1), "Open MPI from 4.1 on");
	assert_string_equal(program_library_rules("Open MPI v5.0.9, package: x"),
			    "Open MPI from 4.1 on");
	assert_string_equal(program_library_rules("Open MPI v4.10.0"), "Open MPI from 4.1 on");
	assert_string_equal(program_library_rules(MPICH_3_3), "MPICH before 3.4");
	assert_string_equal(program_library_rules(MPICH_4_0), "MPICH from 3.4 on");
	assert_null(program_library_rules("MPICH"));
	assert_null(program_library_rules("Open MPI v4"));
	assert_null(program_library_rules("MVAPICH 4.0"));
	assert_null(program_library_rules(NULL));
}

// Each word is one of the kind's: a model of it is taken.
static void words_exist(void **state)
{
	static const char *const names[] = {OPEN_MPI_4_0, OPEN_MPI_4_1, MPICH_3_3, MPICH_4_0};
	static const struct program_kind *const kinds[] = {
		&program_allgather, &program_allreduce,	     &program_alltoall,
		&program_barrier,   &program_broadcast,	     &program_gather,
		&program_reduce,    &program_reduce_scatter, &program_scatter};
	char way[PROGRAM_WAY_BYTES];

	(void)state;
	for (size_t l = 0; l < 4; l++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
			for (uint32_t ranks = 2; ranks < 10000; ranks += 1 + ranks / 3)
				for (double bytes = 1; bytes < 1e7; bytes *= 2) {
					const char *at;

					program_library_way(kinds[k], names[l], bytes, ranks, way);
					at = strstr(kinds[k]->keys, way);
					if (!at || !strchr("=|", at[-1]) ||
					    !strchr("|,", at[strlen(way)]))
						fail_msg("%s has no by=%s", kinds[k]->name, way);
				}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(libraries_choose),
					   cmocka_unit_test(rules_are_named),
					   cmocka_unit_test(words_exist)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
