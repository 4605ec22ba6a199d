// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the programs match the cost formulas of Thakur, Rabenseifner and Gropp (IJHPCA 19, 2005,
// sections 3 and 4) to the nanosecond: rounds x alpha + bytes x beta + combined bytes x gamma on
// the last rank's path, p a power of two. A message of n bytes takes L + (n - 1) G here, so alpha
// is L - G and beta is G. Not covered: broadcasts that scatter first, whose root runs ahead and
// keeps the processors of the others busy.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gen/programs/algorithms.h"
#include "program_bed.h"

#define L_NS 1000
#define G_NS 10
#define GAMMA_NS 3
#define BLOCK_B 60u

static struct program_bed run_bed;

// Numbers of alpha, of beta blocks, of gamma blocks; the whole is p blocks, and lg is log2 p.
struct formula {
	uint64_t rounds, blocks, combined;
};

static struct formula tree(uint64_t p, uint64_t lg)
{
	return (struct formula){lg, lg * p, 0};
}

static struct formula tree_combined(uint64_t p, uint64_t lg)
{
	return (struct formula){lg, lg * p, lg * p};
}

static struct formula tree_of_blocks(uint64_t p, uint64_t lg)
{
	return (struct formula){lg, p - 1, 0};
}

static struct formula around(uint64_t p, uint64_t lg)
{
	(void)lg;
	return (struct formula){p - 1, p - 1, 0};
}

static struct formula doubling(uint64_t p, uint64_t lg)
{
	return (struct formula){lg, p - 1, 0};
}

static struct formula bruck_alltoall(uint64_t p, uint64_t lg)
{
	return (struct formula){lg, lg * p / 2, 0};
}

static struct formula halving(uint64_t p, uint64_t lg)
{
	return (struct formula){lg, p - 1, p - 1};
}

static struct formula around_combined(uint64_t p, uint64_t lg)
{
	(void)lg;
	return (struct formula){p - 1, p - 1, p - 1};
}

static struct formula rabenseifner(uint64_t p, uint64_t lg)
{
	return (struct formula){2 * lg, 2 * (p - 1), p - 1};
}

static struct formula around_twice(uint64_t p, uint64_t lg)
{
	(void)lg;
	return (struct formula){2 * (p - 1), 2 * (p - 1), p - 1};
}

static const struct cost {
	const char *program;
	bool per_rank; // the key bytes is a block
	bool combines;
	struct formula (*formula)(uint64_t p, uint64_t lg);
} costs[] = {
	{"broadcast:by=binomial", false, false, tree},
	{"scatter:by=binomial", true, false, tree_of_blocks},
	{"gather:by=binomial", true, false, tree_of_blocks},
	{"allgather:by=ring", true, false, around},
	{"allgather:by=recursive-doubling", true, false, doubling},
	{"allgather:by=bruck", true, false, doubling},
	{"alltoall:by=pairwise", true, false, around},
	{"alltoall:by=bruck", true, false, bruck_alltoall},
	{"reduce:by=binomial", false, true, tree_combined},
	{"reduce:by=rabenseifner", false, true, rabenseifner},
	{"reduce-scatter:by=recursive-halving", false, true, halving},
	{"reduce-scatter:by=pairwise", false, true, around_combined},
	{"reduce-scatter:by=ring", false, true, around_combined},
	{"allreduce:by=recursive-doubling", false, true, tree_combined},
	{"allreduce:by=rabenseifner", false, true, rabenseifner},
	{"allreduce:by=rabenseifner-near", false, true, rabenseifner},
	{"allreduce:by=ring", false, true, around_twice},
};

static void run(const char *program, int64_t latency_ns)
{
	struct tr_error err;
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	if (program_write(program, out, NULL, &err) != TR_OK)
		fail_msg("%s: %s", program, err.text);
	assert_int_equal(fclose(out), 0);
	program_bed_open(&run_bed, text);
	program_bed_set(&run_bed, 0, 0, 0, G_NS);
	run_bed.ideal.latency_s = (struct num_ratio){latency_ns, 1000000000};
	assert_int_equal(program_bed_run(&run_bed, NULL), TR_OK);
	free(text);
}

static void check(const struct cost *cost, uint64_t lg)
{
	uint64_t p = UINT64_C(1) << lg;
	struct formula is = cost->formula(p, lg);
	int64_t ns = (int64_t)(is.rounds * (L_NS - G_NS) + is.blocks * BLOCK_B * G_NS +
			       is.combined * BLOCK_B * GAMMA_NS);
	char text[120], combine[24] = "";

	if (cost->combines)
		snprintf(combine, sizeof(combine), ",combine=%dns", GAMMA_NS);
	snprintf(text, sizeof(text), "%s,ranks=%llu,bytes=%lluB%s", cost->program,
		 (unsigned long long)p,
		 (unsigned long long)(cost->per_rank ? BLOCK_B : p * BLOCK_B), combine);
	run(text, L_NS);
	if (run_bed.totals.finish_ticks != ns * BED_NS)
		fail_msg("%s: %lld ns, the formula has %lld", text,
			 (long long)run_bed.totals.finish_ticks / BED_NS, (long long)ns);
	program_bed_close(&run_bed);
}

static void costs_are_those_of_the_formulas(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++)
		for (uint64_t lg = 0; lg <= 6; lg++)
			check(&costs[i], lg);
}

// The parts of double trees go at the full rate of a host, but for a quarter and a few times the
// trees' height: along one binary tree, which sends each of them twice, they would take twice the
// time at least (Sanders, Speck, Traeff 2009). All-reduces have both directions at once. The
// latency is a byte's, because a processor that takes a message in cannot begin to send another.
static void double_trees_use_the_full_rate(void **state)
{
	static const struct {
		const char *kind;
		int64_t times, slack_percent;
	} kinds[] = {{"broadcast", 1, 25}, {"reduce", 1, 25}, {"allreduce", 2, 25}};
	const int64_t parts = 400;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (unsigned p = 3; p <= 65; p += p < 9 ? 1 : 7) {
			const int64_t lg = 32 - __builtin_clz(p - 1);
			const int64_t all_ns = parts * BLOCK_B * G_NS * kinds[i].times;
			const int64_t most_ns = all_ns * (100 + kinds[i].slack_percent) / 100 +
						8 * lg * BLOCK_B * G_NS * kinds[i].times;
			char text[120];

			snprintf(text, sizeof(text),
				 "%s:by=double-tree,ranks=%u,bytes=%lldB,segments=%lld",
				 kinds[i].kind, p, (long long)(parts * BLOCK_B),
				 (long long)(parts / 2));
			run(text, G_NS);
			if (run_bed.totals.finish_ticks > most_ns * BED_NS ||
			    run_bed.totals.finish_ticks < all_ns * 2 / 3 * BED_NS)
				fail_msg("%s: %lld ns, bound %lld, all %lld", text,
					 (long long)run_bed.totals.finish_ticks / BED_NS,
					 (long long)most_ns, (long long)all_ns);
			program_bed_close(&run_bed);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs_are_those_of_the_formulas),
		cmocka_unit_test(double_trees_use_the_full_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
