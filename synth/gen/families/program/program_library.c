// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// On fewer ranks (only a power of two of them), of fewer bytes: the first row that holds. Bytes are
// those of the kind: of an alltoall, gather or scatter a block, of a reduce-scatter all blocks, of
// an allgather a block or all (struct library).
struct program_library_choice {
	const struct program_kind *kind;
	uint32_t ranks;
	double below_B;
	const char *way;
	bool power_of_two;
	double rank_B, power_B; // more bytes for each rank, and for each of the largest power of
				// two of them
};

#define ANY_RANKS UINT32_MAX
#define ANY_B ((double)INFINITY)

// Libraries compare numbers of elements with ranks; records have bytes. An element counts as a
// double.
#define ELEMENT_B 8

// MPICH 4.0.2, maint/tuning/coll/mpir/generic.json, the same in 3.4 to 4.0.3, and in 4.1 to 4.3.2
// but for the name of the dissemination: operations that are the library's own, a rank a host. Its
// scattered alltoall is linear, 32 at a time.
static const struct program_library_choice mpich_choices[] = {
	{&program_allgather, ANY_RANKS, 524288, "recursive-doubling", .power_of_two = true},
	{&program_allgather, ANY_RANKS, ANY_B, "ring", .power_of_two = true},
	{&program_allgather, ANY_RANKS, 81920, "bruck"},
	{&program_allgather, ANY_RANKS, ANY_B, "ring"},
	{&program_allreduce, ANY_RANKS, 9, "recursive-doubling"},
	{&program_allreduce, ANY_RANKS, 0, "recursive-doubling",
	 .power_B = ELEMENT_B}, // fewer elements than ranks
	{&program_allreduce, ANY_RANKS, ANY_B, "rabenseifner"},
	{&program_alltoall, 8, 32769, "linear"},
	{&program_alltoall, 8, ANY_B, "pairwise"},
	{&program_alltoall, ANY_RANKS, 257, "bruck"},
	{&program_alltoall, ANY_RANKS, 32769, "linear"},
	{&program_alltoall, ANY_RANKS, ANY_B, "pairwise"},
	{&program_barrier, ANY_RANKS, ANY_B, "dissemination"},
	{&program_broadcast, 8, ANY_B, "binomial"},
	{&program_broadcast, ANY_RANKS, 12289, "binomial"},
	{&program_broadcast, ANY_RANKS, 524289, "scatter-doubling", .power_of_two = true},
	{&program_broadcast, ANY_RANKS, ANY_B, "scatter-ring"},
	{&program_gather, ANY_RANKS, ANY_B, "binomial"},
	{&program_reduce, ANY_RANKS, 2049, "binomial"},
	{&program_reduce, ANY_RANKS, 0, "binomial", .power_B = ELEMENT_B},
	{&program_reduce, ANY_RANKS, ANY_B, "rabenseifner"},
	{&program_reduce_scatter, ANY_RANKS, 524288, "recursive-halving"},
	{&program_reduce_scatter, ANY_RANKS, ANY_B, "pairwise"},
	{&program_scatter, ANY_RANKS, ANY_B, "binomial"},
};

// MPICH 3.3.2, src/mpi/coll/KIND/KIND.c: what it has otherwise.
static const struct program_library_choice mpich_3_3_choices[] = {
	{&program_allreduce, ANY_RANKS, 2049, "recursive-doubling"},
	{&program_broadcast, 8, ANY_B, "binomial"},
	{&program_broadcast, ANY_RANKS, 12288, "binomial"},
	{&program_broadcast, ANY_RANKS, 524288, "scatter-doubling", .power_of_two = true},
	{&program_broadcast, ANY_RANKS, ANY_B, "scatter-ring"},
};

// Open MPI 4.0.7, ompi/mca/coll/tuned/coll_tuned_decision_fixed.c. Nearest: its neighbour exchange
// is ring, its split binary trees are binomial, its pipelines of a broadcast ring, and all its
// trees and pipelines of a reduce binomial; a reduce followed by a broadcast is binomial, a
// synchronised linear gather linear. Its segments are left out.
static const struct program_library_choice openmpi_4_0_choices[] = {
	{&program_allgather, 3, ANY_B, "recursive-doubling"},
	{&program_allgather, ANY_RANKS, 50000, "recursive-doubling", .power_of_two = true},
	{&program_allgather, ANY_RANKS, 50000, "bruck"},
	{&program_allgather, ANY_RANKS, ANY_B, "ring"},
	{&program_allreduce, ANY_RANKS, 10000, "recursive-doubling"},
	{&program_allreduce, ANY_RANKS, ELEMENT_B, "binomial",
	 .rank_B = ELEMENT_B}, // no more elements than ranks
	{&program_allreduce, ANY_RANKS, ANY_B, "ring"},
	{&program_alltoall, 3, ANY_B, "pairwise"},
	{&program_alltoall, 13, 3000, "linear"},
	{&program_alltoall, ANY_RANKS, 200, "bruck"},
	{&program_alltoall, ANY_RANKS, 3000, "linear"},
	{&program_alltoall, ANY_RANKS, ANY_B, "pairwise"},
	{&program_barrier, ANY_RANKS, ANY_B, "recursive-doubling", .power_of_two = true},
	{&program_barrier, ANY_RANKS, ANY_B, "dissemination"},
	{&program_broadcast, ANY_RANKS, 370728, "binomial"},
	{&program_broadcast, 13, -2.1102 / 1.6134e-6, "binomial", .rank_B = 1 / 1.6134e-6},
	{&program_broadcast, ANY_RANKS, ANY_B, "ring"},
	{&program_gather, 11, ANY_B, "linear"},
	{&program_gather, 61, 1024, "binomial"},
	{&program_gather, 61, ANY_B, "linear"},
	{&program_gather, ANY_RANKS, 6001, "binomial"},
	{&program_gather, ANY_RANKS, ANY_B, "linear"},
	{&program_reduce, 8, 512, "linear"},
	{&program_reduce, ANY_RANKS, ANY_B, "binomial"},
	{&program_reduce_scatter, ANY_RANKS, 12289, "recursive-halving"},
	{&program_reduce_scatter, ANY_RANKS, 262145, "recursive-halving", .power_of_two = true},
	{&program_reduce_scatter, ANY_RANKS, -8 / 0.0012, "recursive-halving",
	 .rank_B = 1 / 0.0012},
	{&program_reduce_scatter, ANY_RANKS, ANY_B, "ring"},
	{&program_scatter, 11, ANY_B, "linear"},
	{&program_scatter, ANY_RANKS, 300, "binomial"},
	{&program_scatter, ANY_RANKS, ANY_B, "linear"},
};

// Open MPI 4.1.4, the same file and the same in 4.1.0 and 5.0.9, for operations that commute; with
// what its algorithms in ompi/mca/coll/base take instead: bruck for recursive doubling on other
// than a power of two, recursive doubling for rings and linear for Rabenseifner's of fewer elements
// than ranks. Nearest: as above; butterflies and a reduce followed by a scatter are
// recursive-halving, k-nomial and binary trees binomial, chains of a reduce binomial.
static const struct program_library_choice openmpi_choices[] = {
	{&program_allgather, 3, ANY_B, "recursive-doubling"},
	{&program_allgather, 32, ANY_B, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 32, ANY_B, "bruck"},
	{&program_allgather, 64, 1024, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 64, 1024, "bruck"},
	{&program_allgather, 64, ANY_B, "ring"},
	{&program_allgather, 256, 512, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 256, 512, "bruck"},
	{&program_allgather, 256, ANY_B, "ring"},
	{&program_allgather, 512, 32, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 512, 128, "bruck"},
	{&program_allgather, 512, 1024, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 512, 1024, "bruck"},
	{&program_allgather, 512, ANY_B, "ring"},
	{&program_allgather, 1024, 64, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 1024, 256, "bruck"},
	{&program_allgather, 1024, 2048, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 1024, 2048, "bruck"},
	{&program_allgather, 1024, ANY_B, "ring"},
	{&program_allgather, 2048, 4, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 2048, 8, "bruck"},
	{&program_allgather, 2048, 16, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 2048, 32, "bruck"},
	{&program_allgather, 2048, 256, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 2048, 512, "bruck"},
	{&program_allgather, 2048, 4096, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 2048, 4096, "bruck"},
	{&program_allgather, 2048, ANY_B, "ring"},
	{&program_allgather, 4096, 32, "bruck"},
	{&program_allgather, 4096, 128, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 4096, 512, "bruck"},
	{&program_allgather, 4096, 4096, "recursive-doubling", .power_of_two = true},
	{&program_allgather, 4096, 4096, "bruck"},
	{&program_allgather, 4096, ANY_B, "ring"},
	{&program_allgather, ANY_RANKS, 2, "recursive-doubling", .power_of_two = true},
	{&program_allgather, ANY_RANKS, 8, "bruck"},
	{&program_allgather, ANY_RANKS, 16, "recursive-doubling", .power_of_two = true},
	{&program_allgather, ANY_RANKS, 512, "bruck"},
	{&program_allgather, ANY_RANKS, 4096, "recursive-doubling", .power_of_two = true},
	{&program_allgather, ANY_RANKS, 4096, "bruck"},
	{&program_allgather, ANY_RANKS, ANY_B, "ring"},
	{&program_allreduce, 4, 4096, "recursive-doubling"},
	{&program_allreduce, 4, 8192, "ring"},
	{&program_allreduce, 4, 16384, "recursive-doubling"},
	{&program_allreduce, 4, 262144, "ring"},
	{&program_allreduce, 4, ANY_B, "rabenseifner"},
	{&program_allreduce, 16, 8192, "recursive-doubling"},
	{&program_allreduce, 16, ANY_B, "rabenseifner"},
	{&program_allreduce, 32, 4096, "recursive-doubling"},
	{&program_allreduce, 32, ANY_B, "rabenseifner"},
	{&program_allreduce, 64, 128, "recursive-doubling"},
	{&program_allreduce, 64, 256, "linear"},
	{&program_allreduce, 64, ANY_B, "rabenseifner"},
	{&program_allreduce, 128, 262144, "recursive-doubling"},
	{&program_allreduce, 128, ANY_B, "rabenseifner"},
	{&program_allreduce, 256, 131072, "binomial"},
	{&program_allreduce, 256, 262144, "recursive-doubling"},
	{&program_allreduce, 256, ANY_B, "rabenseifner"},
	{&program_allreduce, 512, 4096, "binomial"},
	{&program_allreduce, 512, ANY_B, "rabenseifner"},
	{&program_allreduce, 4096, 2048, "binomial"},
	{&program_allreduce, 4096, 16384, "recursive-doubling"},
	{&program_allreduce, 4096, ANY_B, "rabenseifner"},
	{&program_allreduce, ANY_RANKS, 2048, "binomial"},
	{&program_allreduce, ANY_RANKS, 32768, "recursive-doubling"},
	{&program_allreduce, ANY_RANKS, ANY_B, "rabenseifner"},
	{&program_alltoall, 3, 32768, "pairwise"},
	{&program_alltoall, 3, 262144, "linear"},
	{&program_alltoall, 3, ANY_B, "pairwise"},
	{&program_alltoall, 8, 524288, "linear"},
	{&program_alltoall, 8, 1048576, "pairwise"},
	{&program_alltoall, 8, ANY_B, "linear"},
	{&program_alltoall, 16, ANY_B, "linear"},
	{&program_alltoall, 32, 4, "linear"},
	{&program_alltoall, 32, 512, "bruck"},
	{&program_alltoall, 32, ANY_B, "linear"},
	{&program_alltoall, 64, 512, "bruck"},
	{&program_alltoall, 64, ANY_B, "linear"},
	{&program_alltoall, 256, 1024, "bruck"},
	{&program_alltoall, 256, 262144, "linear"},
	{&program_alltoall, 256, ANY_B, "pairwise"},
	{&program_alltoall, 512, 1024, "bruck"},
	{&program_alltoall, 512, 32768, "linear"},
	{&program_alltoall, 512, ANY_B, "pairwise"},
	{&program_alltoall, 1024, 512, "bruck"},
	{&program_alltoall, 1024, 262144, "linear"},
	{&program_alltoall, 1024, ANY_B, "pairwise"},
	{&program_alltoall, 2048, 512, "bruck"},
	{&program_alltoall, 2048, ANY_B, "linear"},
	{&program_alltoall, 4096, 1024, "bruck"},
	{&program_alltoall, 4096, ANY_B, "linear"},
	{&program_alltoall, ANY_RANKS, 2048, "bruck"},
	{&program_alltoall, ANY_RANKS, ANY_B, "linear"},
	{&program_barrier, 4, ANY_B, "recursive-doubling"},
	{&program_barrier, 8, ANY_B, "linear"},
	{&program_barrier, 64, ANY_B, "recursive-doubling"},
	{&program_barrier, 256, ANY_B, "dissemination"},
	{&program_barrier, 512, ANY_B, "binomial"},
	{&program_barrier, 1024, ANY_B, "dissemination"},
	{&program_barrier, 4096, ANY_B, "binomial"},
	{&program_barrier, ANY_RANKS, ANY_B, "dissemination"},
	{&program_broadcast, 4, 32, "ring"},
	{&program_broadcast, 4, 256, "binomial"},
	{&program_broadcast, 4, 512, "ring"},
	{&program_broadcast, 4, 1024, "binomial"},
	{&program_broadcast, 4, 32768, "linear"},
	{&program_broadcast, 4, 131072, "binomial"},
	{&program_broadcast, 4, 262144, "ring"},
	{&program_broadcast, 4, 524288, "linear"},
	{&program_broadcast, 4, ANY_B, "binomial"},
	{&program_broadcast, 8, 8192, "binomial"},
	{&program_broadcast, 8, 1048576, "linear"},
	{&program_broadcast, 8, ANY_B, "ring"},
	{&program_broadcast, 16, 32768, "binomial"},
	{&program_broadcast, 16, ANY_B, "linear"},
	{&program_broadcast, 32, 1048576, "binomial"},
	{&program_broadcast, 32, ANY_B, "scatter-doubling"},
	{&program_broadcast, 128, ANY_B, "binomial"},
	{&program_broadcast, 256, 16384, "binomial"},
	{&program_broadcast, 256, 32768, "linear"},
	{&program_broadcast, 256, ANY_B, "binomial"},
	{&program_broadcast, 1024, ANY_B, "binomial"},
	{&program_broadcast, 2048, 524288, "binomial"},
	{&program_broadcast, 2048, ANY_B, "scatter-doubling"},
	{&program_broadcast, ANY_RANKS, 262144, "binomial"},
	{&program_broadcast, ANY_RANKS, ANY_B, "scatter-doubling"},
	{&program_gather, 4, 4, "linear"},
	{&program_gather, 4, 32768, "binomial"},
	{&program_gather, 4, 65536, "linear"},
	{&program_gather, 4, 131072, "binomial"},
	{&program_gather, 4, ANY_B, "linear"},
	{&program_gather, 8, 1024, "binomial"},
	{&program_gather, 8, 8192, "linear"},
	{&program_gather, 8, 32768, "binomial"},
	{&program_gather, 8, ANY_B, "linear"},
	{&program_gather, 256, ANY_B, "binomial"},
	{&program_gather, 512, 2048, "binomial"},
	{&program_gather, 512, 8192, "linear"},
	{&program_gather, 512, ANY_B, "binomial"},
	{&program_gather, ANY_RANKS, ANY_B, "binomial"},
	{&program_reduce, 4, 8, "linear"},
	{&program_reduce, 4, 32, "binomial"},
	{&program_reduce, 4, 262144, "linear"},
	{&program_reduce, 4, ANY_B, "binomial"},
	{&program_reduce, 8, 262144, "binomial"},
	{&program_reduce, 8, 524288, "linear"},
	{&program_reduce, 8, 1048576, "binomial"},
	{&program_reduce, 8, ANY_B, "linear"},
	{&program_reduce, ANY_RANKS, ANY_B, "binomial"},
	{&program_reduce_scatter, 4, 65536, "ring"},
	{&program_reduce_scatter, 4, 131072, "recursive-halving"},
	{&program_reduce_scatter, 4, ANY_B, "ring"},
	{&program_reduce_scatter, 32, 262144, "recursive-halving"},
	{&program_reduce_scatter, 32, ANY_B, "ring"},
	{&program_reduce_scatter, 64, 524288, "recursive-halving"},
	{&program_reduce_scatter, 64, ANY_B, "ring"},
	{&program_reduce_scatter, ANY_RANKS, ANY_B, "recursive-halving"},
	{&program_scatter, 4, ANY_B, "linear"},
	{&program_scatter, 8, 2048, "binomial"},
	{&program_scatter, 8, 4096, "linear"},
	{&program_scatter, 8, 8192, "binomial"},
	{&program_scatter, 8, ANY_B, "linear"},
	{&program_scatter, 32, 16384, "binomial"},
	{&program_scatter, 32, ANY_B, "linear"},
	{&program_scatter, 64, 512, "binomial"},
	{&program_scatter, 64, 8192, "linear"},
	{&program_scatter, 64, 16384, "binomial"},
	{&program_scatter, 64, ANY_B, "linear"},
	{&program_scatter, ANY_RANKS, 512, "binomial"},
	{&program_scatter, ANY_RANKS, ANY_B, "linear"},
};

#define CHOICES(table) table, sizeof(table) / sizeof(*(table))

// Of a version all rows that its libraries have, in this order.
static const struct library {
	const char *begins;    // its name for itself
	unsigned since, until; // 100 major + minor, the last not included
	bool all_blocks;       // an allgather is chosen by what all get
	const struct program_library_choice *choices;
	size_t count;
	const char *rules;
} libraries[] = {
	{"Open MPI", 0, 401, true, CHOICES(openmpi_4_0_choices), "Open MPI before 4.1"},
	{"Open MPI", 401, UINT32_MAX, false, CHOICES(openmpi_choices), "Open MPI from 4.1 on"},
	{"MPICH", 0, 304, true, CHOICES(mpich_3_3_choices), "MPICH before 3.4"},
	{"MPICH", 0, UINT32_MAX, true, CHOICES(mpich_choices), "MPICH from 3.4 on"},
};
#define LIBRARIES (sizeof(libraries) / sizeof(*libraries))

// The version in "Open MPI v4.1.4, package: ..." and "MPICH Version: 4.0.2", after the name.
static bool library_version(const char *text, unsigned *version)
{
	char *end;
	unsigned long major, minor;

	text += strcspn(text, "0123456789");
	major = strtoul(text, &end, 10);
	if (end == text || *end != '.' || end[1] < '0' || end[1] > '9')
		return false;
	minor = strtoul(end + 1, NULL, 10);
	*version = (unsigned)(100 * (major < 1000 ? major : 1000) + (minor < 100 ? minor : 99));
	return true;
}

static bool library_is(const struct library *library, const char *text)
{
	const size_t length = strlen(library->begins);
	unsigned version;

	return text && strncmp(text, library->begins, length) == 0 &&
	       library_version(text + length, &version) && version >= library->since &&
	       version < library->until;
}

const char *program_library_rules(const char *library)
{
	for (size_t i = 0; i < LIBRARIES; i++)
		if (library_is(&libraries[i], library))
			return libraries[i].rules;
	return NULL;
}

static bool choice_holds(const struct program_library_choice *choice, double bytes, uint32_t ranks)
{
	const uint32_t power = ranks ? UINT32_C(1) << (31 - __builtin_clz(ranks)) : 0;

	return ranks < choice->ranks && (ranks == power || !choice->power_of_two) &&
	       bytes < choice->below_B + choice->rank_B * ranks + choice->power_B * power;
}

void program_library_way(const struct program_kind *kind, const char *library, double bytes,
			 uint32_t ranks, char out[PROGRAM_WAY_BYTES])
{
	const char *first = strstr(kind->keys, "by=") +
			    3; // every kind has ways, and its first one is the usual

	(void)snprintf(out, PROGRAM_WAY_BYTES, "%.*s", (int)strcspn(first, "|,"), first);
	for (size_t i = 0; i < LIBRARIES; i++) {
		const double chosen_by = kind == &program_allgather && libraries[i].all_blocks
						 ? bytes * ranks
						 : bytes;

		for (size_t j = 0; library_is(&libraries[i], library) && j < libraries[i].count;
		     j++) {
			const struct program_library_choice *choice = &libraries[i].choices[j];

			if (choice->kind == kind && choice_holds(choice, chosen_by, ranks)) {
				(void)snprintf(out, PROGRAM_WAY_BYTES, "%s", choice->way);
				return;
			}
		}
	}
}
