// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations: every rank ends with the right data, each contribution once; messages,
// bytes and rounds match the closed forms (Thakur, Rabenseifner, Gropp 2005; Bruck et al. 1997),
// the rounds by running the text on a network where a host's messages leave one latency apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collective_bed.h"
#include "program_bed.h"

// p ranks: 2^k of them and r that are folded in pairs; block bytes, of which each rank's data have
// p.
struct shape {
	uint32_t p, two_k, k, r;
	uint64_t block;
	uint64_t all;	    // p blocks
	uint64_t rounds_up; // ceil(log2 p)
};

static struct shape shape_of(uint32_t p)
{
	struct shape s = {.p = p, .two_k = 1};

	for (; 2 * s.two_k <= p; s.two_k *= 2)
		s.k++;
	s.r = p - s.two_k;
	s.rounds_up = s.k + (s.r > 0);
	s.block =
		4 *
		s.two_k; // so that the whole has equal parts, as many as there are ranks or corners
	s.all = s.block * p;
	return s;
}

#define ROUNDS_UNSAID UINT64_MAX

// Messages, bytes and rounds.
struct cost {
	uint64_t messages, bytes, rounds;
};

// Sum over the places below p of the bits in them: blocks that a halving tree carries.
static uint64_t bits_below(uint32_t p)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p; i++)
		sum += (uint64_t)__builtin_popcount(i);
	return sum;
}

static uint64_t folds(const struct shape *s)
{
	return s->r > 0;
}

static struct cost tree_whole(const struct shape *s)
{
	return (struct cost){s->p - 1, (s->p - 1) * s->all, s->rounds_up};
}

static struct cost one_whole(const struct shape *s)
{
	return (struct cost){s->p - 1, (s->p - 1) * s->all, s->p - 1};
}

static struct cost tree_blocks(const struct shape *s)
{
	return (struct cost){s->p - 1, bits_below(s->p) * s->block, s->rounds_up};
}

static struct cost one_blocks(const struct shape *s)
{
	return (struct cost){s->p - 1, (s->p - 1) * s->block, s->p - 1};
}

static struct cost each_to_each(const struct shape *s)
{
	return (struct cost){(uint64_t)s->p * (s->p - 1), (s->p - 1) * s->all, s->p - 1};
}

static struct cost bruck_gather(const struct shape *s)
{
	return (struct cost){s->p * s->rounds_up, (s->p - 1) * s->all, s->rounds_up};
}

static struct cost bruck_alltoall(const struct shape *s)
{
	return (struct cost){s->p * s->rounds_up, bits_below(s->p) * s->all, s->rounds_up};
}

static struct cost gather_doubling(const struct shape *s)
{
	return (struct cost){2 * s->r + s->two_k * s->k,
			     s->r * s->block + (s->two_k - 1) * s->all + s->r * s->all,
			     s->k + 2 * folds(s)};
}

static struct cost sum(struct cost a, struct cost b)
{
	return (struct cost){a.messages + b.messages, a.bytes + b.bytes, a.rounds + b.rounds};
}

static struct cost scatter_ring(const struct shape *s)
{
	return sum(tree_blocks(s), each_to_each(s));
}

// Where places are folded, what is folded and what is doubled come to place 0 in the same round:
// one more at most, which no closed form has.
static struct cost scatter_doubling(const struct shape *s)
{
	struct cost cost = sum(tree_blocks(s), gather_doubling(s));

	if (folds(s))
		cost.rounds = ROUNDS_UNSAID;
	return cost;
}

static struct cost reduce_rabenseifner(const struct shape *s)
{
	return (struct cost){s->r + s->two_k * s->k + s->two_k - 1,
			     s->r * s->all + (s->two_k - 1) * s->all + s->k * s->all / 2,
			     2 * s->k + folds(s)};
}

static struct cost halving(const struct shape *s)
{
	return (struct cost){2 * s->r + s->two_k * s->k,
			     s->r * s->all + (s->two_k - 1) * s->all + s->r * s->block,
			     s->k + 2 * folds(s)};
}

static struct cost doubling_whole(const struct shape *s)
{
	return (struct cost){2 * s->r + s->two_k * s->k, (2 * s->r + s->two_k * s->k) * s->all,
			     s->k + 2 * folds(s)};
}

static struct cost allreduce_rabenseifner(const struct shape *s)
{
	return (struct cost){2 * s->r + 2 * s->two_k * s->k,
			     2 * s->r * s->all + 2 * (s->two_k - 1) * s->all,
			     2 * s->k + 2 * folds(s)};
}

static struct cost ring_twice(const struct shape *s)
{
	return sum(each_to_each(s), each_to_each(s));
}

static struct cost tree_twice(const struct shape *s)
{
	return sum(tree_whole(s), tree_whole(s));
}

static struct cost one_twice(const struct shape *s)
{
	return sum(one_whole(s), one_whole(s));
}

static struct cost dissemination(const struct shape *s)
{
	return (struct cost){s->p * s->rounds_up, s->p * s->rounds_up * s->all, s->rounds_up};
}

// m nodes of 3 ranks: twice, a ring inside of 2 rounds of n/3, and one between of m - 1 of n/p.
static struct cost on_nodes_of_3(const struct shape *s)
{
	return (struct cost){2 * s->p * (s->p / 3 + 1), 2 * (s->p - 1) * s->all,
			     2 * (s->p / 3 + 1)};
}

// Both trees are in turn at each place; their rounds have a test of their own.
static struct cost two_trees(const struct shape *s)
{
	return (struct cost){2 * (s->p - 1), (s->p - 1) * s->all, ROUNDS_UNSAID};
}

static struct cost two_trees_twice(const struct shape *s)
{
	return (struct cost){4 * (s->p - 1), 2 * (s->p - 1) * s->all, ROUNDS_UNSAID};
}

enum parts { ONE, TWO, RANKS, CORNERS };

static const struct form {
	const char *kind;
	const char *by;
	enum parts parts;
	bool per_rank; // the key bytes is a block
	bool rooted;
	struct cost (*cost)(const struct shape *shape);
	uint32_t node; // the ranks must be a multiple
} forms[] = {
	{"broadcast", "binomial", ONE, false, true, tree_whole},
	{"broadcast", "linear", ONE, false, true, one_whole},
	{"broadcast", "ring", ONE, false, true, one_whole},
	{"broadcast", "scatter-ring", RANKS, false, true, scatter_ring},
	{"broadcast", "scatter-doubling", RANKS, false, true, scatter_doubling},
	{"broadcast", "double-tree", TWO, false, true, two_trees},
	{"scatter", "binomial", RANKS, true, true, tree_blocks},
	{"scatter", "linear", RANKS, true, true, one_blocks},
	{"gather", "binomial", RANKS, true, true, tree_blocks},
	{"gather", "linear", RANKS, true, true, one_blocks},
	{"allgather", "ring", RANKS, true, false, each_to_each},
	{"allgather", "recursive-doubling", RANKS, true, false, gather_doubling},
	{"allgather", "bruck", RANKS, true, false, bruck_gather},
	{"allgather", "linear", RANKS, true, false, each_to_each},
	{"alltoall", "pairwise", RANKS, true, false, each_to_each},
	{"alltoall", "linear", RANKS, true, false, each_to_each},
	{"alltoall", "bruck", RANKS, true, false, bruck_alltoall},
	{"reduce", "binomial", ONE, false, true, tree_whole},
	{"reduce", "linear", ONE, false, true, one_whole},
	{"reduce", "rabenseifner", CORNERS, false, true, reduce_rabenseifner},
	{"reduce", "double-tree", TWO, false, true, two_trees},
	{"reduce-scatter", "recursive-halving", RANKS, false, false, halving},
	{"reduce-scatter", "pairwise", RANKS, false, false, each_to_each},
	{"reduce-scatter", "ring", RANKS, false, false, each_to_each},
	{"allreduce", "recursive-doubling", ONE, false, false, doubling_whole},
	{"allreduce", "rabenseifner", CORNERS, false, false, allreduce_rabenseifner},
	{"allreduce", "rabenseifner-near", CORNERS, false, false, allreduce_rabenseifner},
	{"allreduce", "ring", RANKS, false, false, ring_twice},
	{"allreduce", "binomial", ONE, false, false, tree_twice},
	{"allreduce", "linear", ONE, false, false, one_twice},
	{"allreduce", "double-tree", TWO, false, false, two_trees_twice},
	{"allreduce", "hierarchical,node=3", RANKS, false, false, on_nodes_of_3, 3},
	{"barrier", "dissemination", ONE, false, false, dissemination},
	{"barrier", "recursive-doubling", ONE, false, false, doubling_whole},
	{"barrier", "binomial", ONE, false, false, tree_twice},
	{"barrier", "linear", ONE, false, false, one_twice},
};

#define FORMS (sizeof(forms) / sizeof(*forms))

static struct program_bed run_bed;

static bool is(const struct form *form, const char *kind)
{
	return strcmp(form->kind, kind) == 0;
}

static uint64_t one(uint32_t rank)
{
	return UINT64_C(1) << rank;
}

static uint64_t pair(uint32_t from, uint32_t to)
{
	return 1 + from * (uint64_t)BED_RANKS + to;
}

// The rank of a place: blocks are numbered by places.
static uint32_t rank_at(const struct shape *s, uint32_t root, uint32_t place)
{
	return (root + place) % s->p;
}

// What a rank has before.
static uint64_t before(const struct form *form, const struct shape *s, uint32_t root, uint32_t rank,
		       uint32_t part)
{
	if (is(form, "broadcast"))
		return rank == root ? one(part) : 0;
	if (is(form, "scatter"))
		return rank == root ? one(rank_at(s, root, part)) : 0;
	if (is(form, "gather") || is(form, "allgather"))
		return rank_at(s, root, part) == rank ? one(rank) : 0;
	if (is(form, "alltoall") && strcmp(form->by, "bruck") == 0)
		return pair(rank, (rank + part) % s->p);
	if (is(form, "alltoall"))
		return pair(rank, part);
	return one(rank);
}

static uint64_t everyone(const struct shape *s)
{
	return (UINT64_C(1) << s->p) - 1;
}

// Whether it has what was promised after.
static bool kept(const struct form *form, const struct shape *s, uint32_t root, uint32_t rank,
		 uint32_t part, const struct collective_bed *bed)
{
	uint64_t has = bed->data[rank][part];

	if (is(form, "broadcast"))
		return has == one(part);
	if (is(form, "scatter"))
		return rank_at(s, root, part) != rank || has == one(rank);
	if (is(form, "gather"))
		return rank != root || has == one(rank_at(s, root, part));
	if (is(form, "allgather"))
		return has == one(part);
	if (is(form, "alltoall") && strcmp(form->by, "bruck") == 0)
		return has == pair((rank + s->p - part) % s->p, rank);
	if (is(form, "alltoall"))
		return part == rank || bed->apart[rank][part] == pair(part, rank);
	if (is(form, "reduce"))
		return rank != root || has == everyone(s);
	if (is(form, "reduce-scatter"))
		return rank != part || has == everyone(s);
	return has == everyone(s);
}

static uint32_t parts_of(const struct form *form, const struct shape *s)
{
	return form->parts == ONE     ? 1
	       : form->parts == TWO   ? 2
	       : form->parts == RANKS ? s->p
				      : s->two_k;
}

static void name(char *text, size_t bytes, const struct form *form, const struct shape *s,
		 uint32_t root)
{
	char rooted[40] = "";

	if (form->rooted)
		snprintf(rooted, sizeof(rooted), ",root=%u", root);
	snprintf(text, bytes, "%s:by=%s,ranks=%u,bytes=%lluB%s", form->kind, form->by, s->p,
		 (unsigned long long)(form->per_rank ? s->block : s->all), rooted);
}

static void check_data(const struct form *form, const struct shape *s, uint32_t root)
{
	struct collective_bed *bed;
	struct cost cost = form->cost(s);
	char text[120];

	if (form->node > 0 && s->p % form->node > 0)
		return;
	bed = calloc(1, sizeof(*bed));
	assert_non_null(bed);
	name(text, sizeof(text), form, s, root);
	collective_bed_open(bed, text, parts_of(form, s));
	for (uint32_t rank = 0; rank < s->p; rank++)
		for (uint32_t part = 0; part < bed->parts; part++)
			bed->data[rank][part] = before(form, s, root, rank, part);
	collective_bed_move(bed);
	for (uint32_t rank = 0; rank < s->p; rank++)
		for (uint32_t part = 0; part < bed->parts; part++)
			if (!kept(form, s, root, rank, part, bed))
				fail_msg("%s: rank %u ends with %llx in block %u", text, rank,
					 (unsigned long long)bed->data[rank][part], part);
	if (bed->sent_nothing)
		fail_msg("%s: sends what it does not have", text);
	if (bed->added_twice && !is(form, "barrier"))
		fail_msg("%s: a contribution counts twice", text);
	if (collective_bed_sent_messages(bed) != cost.messages ||
	    (s->all % s->block == 0 && collective_bed_sent_bytes(bed) != cost.bytes))
		fail_msg("%s: %llu messages of %llu bytes", text,
			 (unsigned long long)collective_bed_sent_messages(bed),
			 (unsigned long long)collective_bed_sent_bytes(bed));
	collective_bed_close(bed);
	free(bed);
}

// Both ends of a message know its size also where the parts are not equal.
static void uneven_parts_arrive(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORMS; i++)
		for (uint32_t p = 2; p <= 17 && !forms[i].per_rank; p++) {
			struct shape s = shape_of(p);

			s.all += 3;
			check_data(&forms[i], &s, 0);
			s.all = 1;
			check_data(&forms[i], &s, 0);
		}
}

static void data_arrive(void **state)
{
	static const uint32_t more[] = {24, 31, 32, 33};

	(void)state;
	for (size_t i = 0; i < FORMS; i++) {
		for (uint32_t p = 1; p <= 17 + sizeof(more) / sizeof(*more); p++) {
			struct shape s = shape_of(p <= 17 ? p : more[p - 18]);

			check_data(&forms[i], &s, 0);
			if (forms[i].rooted && s.p > 1) {
				check_data(&forms[i], &s, 1);
				check_data(&forms[i], &s, s.p - 1);
			}
		}
	}
}

// Runs the text; messages leave a host 1 us apart and take 1 us: a round is 1 us.
static void check_rounds(const struct form *form, const struct shape *s)
{
	struct collective_bed *bed = calloc(1, sizeof(*bed));
	struct cost cost = form->cost(s);
	char text[120];

	assert_non_null(bed);
	name(text, sizeof(text), form, s, 0);
	collective_bed_open(bed, text, parts_of(form, s));
	program_bed_open(&run_bed, bed->text);
	program_bed_set(&run_bed, 0, 1000, 0, 0);
	if (program_bed_run(&run_bed, NULL) != TR_OK)
		fail_msg("%s: %s", text, run_bed.err.text);
	assert_int_equal(run_bed.totals.ended, run_bed.totals.operations);
	assert_int_equal(run_bed.totals.sent, cost.messages);
	assert_int_equal(run_bed.totals.message_bytes, cost.bytes);
	if (cost.rounds != ROUNDS_UNSAID &&
	    run_bed.totals.finish_ticks != (int64_t)cost.rounds * 1000 * BED_NS)
		fail_msg("%s: %lld ns, not %llu rounds", text,
			 (long long)run_bed.totals.finish_ticks / BED_NS,
			 (unsigned long long)cost.rounds);
	program_bed_close(&run_bed);
	collective_bed_close(bed);
	free(bed);
}

static void rounds_are_those_of_the_closed_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORMS; i++)
		for (uint32_t p = 1; p <= 17; p++) {
			struct shape s = shape_of(p);

			if (forms[i].node == 0 || p % forms[i].node == 0)
				check_rounds(&forms[i], &s);
		}
}

// In s segments a chain of p takes p - 2 + s rounds.
static void a_chain_in_segments_is_a_pipeline(void **state)
{
	(void)state;
	for (uint32_t segments = 1; segments <= 9; segments += 4) {
		struct collective_bed *bed = calloc(1, sizeof(*bed));
		char text[80];

		assert_non_null(bed);
		snprintf(text, sizeof(text), "broadcast:by=ring,ranks=6,bytes=1000B,segments=%u",
			 segments);
		collective_bed_open(bed, text, segments);
		for (uint32_t part = 0; part < segments; part++)
			bed->data[0][part] = one(part);
		collective_bed_move(bed);
		for (uint32_t part = 0; part < segments; part++)
			assert_int_equal(bed->data[5][part], one(part));
		assert_int_equal(collective_bed_sent_bytes(bed), 5 * 1000);
		program_bed_open(&run_bed, bed->text);
		program_bed_set(&run_bed, 0, 1000, 0, 0);
		assert_int_equal(program_bed_run(&run_bed, NULL), TR_OK);
		assert_int_equal(run_bed.totals.finish_ticks / BED_NS, (6 - 2 + segments) * 1000);
		program_bed_close(&run_bed);
		collective_bed_close(bed);
		free(bed);
	}
}

// 1000 bytes among 7 ranks: blocks of 142 and 143 bytes, and nothing is lost. 3 repeats after 5 us
// each.
static void uneven_blocks_and_repeats(void **state)
{
	struct collective_bed *bed = calloc(1, sizeof(*bed));

	(void)state;
	assert_non_null(bed);
	collective_bed_open(
		bed, "allreduce:by=ring,ranks=7,bytes=1000B,repeats=3,compute=5us,combine=1ns", 7);
	assert_int_equal(collective_bed_sent_bytes(bed), 3 * 12 * 1000);
	program_bed_open(&run_bed, bed->text);
	assert_int_equal(program_bed_run(&run_bed, NULL), TR_OK);
	assert_int_equal(run_bed.totals.ended, run_bed.totals.operations);
	for (uint32_t rank = 0; rank < 7; rank++)
		assert_in_range(program_rank(run_bed.program, rank)->compute_ticks / BED_NS,
				3 * (5000 + 6 * 142), 3 * (5000 + 6 * 143));
	program_bed_close(&run_bed);
	collective_bed_close(bed);
	free(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_arrive),
		cmocka_unit_test(uneven_parts_arrive),
		cmocka_unit_test(rounds_are_those_of_the_closed_forms),
		cmocka_unit_test(a_chain_in_segments_is_a_pipeline),
		cmocka_unit_test(uneven_blocks_and_repeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
