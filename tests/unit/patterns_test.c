// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms, products, halos, sweeps and random rounds: destinations and volumes, and that each
// program ends, with eager and rendezvous messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collective_bed.h"
#include "gen/programs/algorithms.h"
#include "program_bed.h"

static struct program_bed run_bed;

// Runs the program with no times but its computations; messages larger than eager_bytes ask first.
static void run(const char *text, uint64_t eager_bytes)
{
	struct tr_error err;
	size_t bytes;
	char *goal;
	FILE *out = open_memstream(&goal, &bytes);

	assert_non_null(out);
	if (program_write(text, out, NULL, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(fclose(out), 0);
	program_bed_close(&run_bed);
	program_bed_open(&run_bed, goal);
	run_bed.ideal.latency_s = (struct num_ratio){0, 1000000000};
	run_bed.params.eager_bytes = eager_bytes;
	if (strncmp(text, "training", strlen("training")) == 0) // of gigabytes
		run_bed.params.mtu_bytes = 1u << 26;
	if (program_bed_run(&run_bed, NULL) != TR_OK)
		fail_msg("%s: %s", text, run_bed.err.text);
	if (run_bed.totals.ended != run_bed.totals.operations ||
	    run_bed.totals.sent != run_bed.totals.messages)
		fail_msg("%s: does not end", text);
	free(goal);
}

static void expect(const char *text, uint64_t messages, uint64_t bytes)
{
	run(text, UINT64_MAX);
	if (run_bed.totals.sent != messages || run_bed.totals.message_bytes != bytes)
		fail_msg("%s: %llu messages of %llu bytes, not %llu of %llu", text,
			 (unsigned long long)run_bed.totals.sent,
			 (unsigned long long)run_bed.totals.message_bytes,
			 (unsigned long long)messages, (unsigned long long)bytes);
}

static int64_t computed_ns(void)
{
	int64_t ticks = 0;

	for (uint32_t rank = 0; rank < run_bed.goal.ranks; rank++)
		ticks += program_rank(run_bed.program, rank)->compute_ticks;
	return ticks / BED_NS;
}

// Calls try with each "name:key=word" of the kind.
static void with_each_word(const struct program_kind *kind, void (*try)(const char *text))
{
	const char *at = kind->keys;

	try(kind->name);
	while (*at) {
		size_t item = strcspn(at, ",");
		size_t key = strcspn(at, "=");

		for (size_t from = key + 1; from < item;) {
			size_t word = strcspn(at + from, "|,");
			char text[200];

			snprintf(text, sizeof(text), "%s:%.*s%.*s", kind->name, (int)key + 1, at,
				 (int)word, at + from);
			try(text);
			from += word + 1;
		}
		at += item + (at[item] == ',');
	}
}

static void run_both_ways(const char *text)
{
	if (strstr(text, ":law=")) // most have no shape of their own
		return;
	run(text, 0);
	run(text, UINT64_MAX);
}

static void every_program_ends(void **state)
{
	(void)state;
	for (const struct program_kind *const *kind = program_kinds; *kind; kind++)
		with_each_word(*kind, run_both_ways);
	run_both_ways("halo:grid=2x1x3,cells=4x5x6,periodic=yes,steps=3");
	run_both_ways("halo:grid=2x2,cells=4x5,periodic=yes,steps=3");
	run_both_ways("sweep:grid=1x5,cells=1x2x7,planes=3");
	run_both_ways("fft-rc:ranks=16,pieces=16");
	run_both_ways("fft-vr:ranks=16,pieces=16");
	run_both_ways("fft-rc:ranks=16,by=in-turn,repeats=3,compute=1ms");
	run_both_ways("fft-vr:ranks=16,by=in-turn,repeats=3,compute=1ms");
	run_both_ways("random:ranks=1");
	run_both_ways("random:ranks=2,rounds=40");
	run_both_ways("cannon:ranks=1,N=3");
	run_both_ways("cannon:ranks=4,N=4,operands=plain");
}

// Equations 3.4 and 3.5 of the Yates thesis hold in pieces too; there are as many computations.
static void pieces_change_no_total(void **state)
{
	(void)state;
	for (uint64_t p = 2; p <= 32; p *= 2)
		for (uint64_t pieces = 1; pieces <= 8; pieces *= 2) {
			uint64_t chunk = 8 * 256 * 256 / p;
			uint64_t log2p = (uint64_t)__builtin_ctzll(p);
			char text[100];

			snprintf(text, sizeof(text), "fft-rc:ranks=%llu,pieces=%llu,message=0s",
				 (unsigned long long)p, (unsigned long long)pieces);
			expect(text, (p - 1) * (1 + (p + 1) * pieces), 3 * (p - 1) * chunk);
			assert_int_equal(computed_ns(), 256 * 256 * 16 * 250);
			snprintf(text, sizeof(text), "fft-vr:ranks=%llu,pieces=%llu,message=0s",
				 (unsigned long long)p, (unsigned long long)pieces);
			expect(text, (p - 1) * (1 + pieces) + p * log2p * pieces,
			       chunk * (p * log2p / 2 + 2 * (p - 1)));
			assert_int_equal(computed_ns(), 256 * 256 * 16 * 250);
		}
}

// What is on its way over a network while the next piece is computed is there sooner.
static void pieces_hide_the_network(void **state)
{
	int64_t basic, overlapped;

	(void)state;
	run("fft-rc:ranks=8,message=0s,step=20ns", UINT64_MAX);
	assert_int_equal(program_bed_run(&run_bed, "switch:8"), TR_OK);
	basic = run_bed.totals.finish_ticks;
	run("fft-rc:ranks=8,message=0s,step=20ns,pieces=8", UINT64_MAX);
	assert_int_equal(program_bed_run(&run_bed, "switch:8"), TR_OK);
	overlapped = run_bed.totals.finish_ticks;
	assert_true(overlapped < basic);
}

// Grama et al., chapter 13: t transpositions of N/p^2 points a pair, or log2 p exchanges of N/p
// points a rank; N log2 N steps in all.
static void lines_are_transposed_or_exchanged(void **state)
{
	(void)state;
	for (uint64_t p = 2; p <= 64; p *= 2) {
		uint64_t n = 4096;
		char text[100];

		for (uint64_t t = 1; t <= 3; t++) {
			snprintf(text, sizeof(text), "fft-1d:N=4096,ranks=%llu,transposes=%llu",
				 (unsigned long long)p, (unsigned long long)t);
			expect(text, t * p * (p - 1), t * p * (p - 1) * (n / p / p) * 16);
			assert_int_equal(computed_ns(), n * 12 * 10);
		}
		snprintf(text, sizeof(text), "fft-1d:N=4096,ranks=%llu,by=exchange",
			 (unsigned long long)p);
		expect(text, p * (uint64_t)__builtin_ctzll(p),
		       n * (uint64_t)__builtin_ctzll(p) * 16);
		assert_int_equal(computed_ns(), n * 12 * 10);
	}
}

// Slabs: each pair N^3/p^2 points. Pencils: of a rank's N^3/p points all but 1/c go along its row
// of the grid, all but 1/r along its column. 3 N^3 log2 N steps.
static void cubes_are_cut_in_slabs_or_pencils(void **state)
{
	const uint64_t points = 32 * 32 * 32;

	(void)state;
	for (uint64_t r = 1; r <= 8; r *= 2)
		for (uint64_t c = 1; c <= 8; c *= 2) {
			char text[100];

			snprintf(text, sizeof(text), "fft-3d:N=32,grid=%llux%llu",
				 (unsigned long long)r, (unsigned long long)c);
			expect(text, r * c * (c - 1 + r - 1),
			       16 * (points / c * (c - 1) + points / r * (r - 1)));
			assert_int_equal(computed_ns(), 3 * points * 5 * 10);
		}
	for (uint64_t p = 1; p <= 32; p *= 2) {
		char text[100];

		snprintf(text, sizeof(text), "fft-3d:N=32,grid=%llu,repeats=2",
			 (unsigned long long)p);
		expect(text, 2 * p * (p - 1), 2 * 16 * (points / p * (p - 1)));
		assert_int_equal(computed_ns(), 2 * 3 * points * 5 * 10);
	}
}

// A block by its operand, row and column.
static uint64_t block(uint64_t operand, uint64_t row, uint64_t column)
{
	return 1 + (operand << 40 | row << 20 | column);
}

// After t shifts of the skewed operands rank (i, j) has block (i, i + j + t) of A and (i + j + t,
// j) of B.
static void cannons_blocks_are_where_they_belong(void **state)
{
	(void)state;
	for (uint32_t q = 1; q <= 6; q++)
		for (int plain = 0; plain <= 1; plain++)
			for (uint32_t shifts = q - 1; shifts <= q; shifts++) {
				struct collective_bed *bed = calloc(1, sizeof(*bed));
				char text[120];

				assert_non_null(bed);
				snprintf(text, sizeof(text),
					 "cannon:N=%u,ranks=%u,operands=%s,last-shift=%s", q, q * q,
					 plain ? "plain" : "skewed", shifts == q ? "yes" : "no");
				collective_bed_open(bed, text, 2);
				for (uint32_t i = 0; i < q; i++)
					for (uint32_t j = 0; j < q; j++) {
						uint32_t k = (i + j) % q;

						bed->data[i * q + j][0] = block(0, i,
										plain ? j : k);
						bed->data[i * q + j][1] = block(1, plain ? i : k,
										j);
					}
				collective_bed_move(bed);
				for (uint32_t i = 0; i < q; i++)
					for (uint32_t j = 0; j < q; j++) {
						uint32_t k = (i + j + shifts) % q;

						assert_true(bed->data[i * q + j][0] ==
							    block(0, i, k));
						assert_true(bed->data[i * q + j][1] ==
							    block(1, k, j));
					}
				collective_bed_close(bed);
				free(bed);
			}
}

// Qu (2001), D11: 64 workers x 8 iterations x 2 messages of one float; N^3 multiply-adds.
static void qus_product_sends_1024_floats(void **state)
{
	(void)state;
	expect("cannon:N=8,ranks=64", 1024, 4 * 1024);
	assert_int_equal(computed_ns(), 8 * 8 * 8 * 242);
	expect("cannon:N=48,ranks=16", 16 * 4 * 2, UINT64_C(16) * 4 * 2 * 144 * 4);
	assert_int_equal(computed_ns(), 48 * 48 * 48 * 242);
}

// Where the neighbour of rank is by the plain arithmetic of coordinates; 0 for none.
static uint64_t neighbour(const uint32_t sides[3], uint32_t rank, unsigned side, int step,
			  bool periodic)
{
	int place[3] = {(int)(rank / sides[2] / sides[1]), (int)(rank / sides[2] % sides[1]),
			(int)(rank % sides[2])};
	int length = (int)sides[side];

	place[side] += step;
	if (!periodic && (place[side] < 0 || place[side] >= length))
		return 0;
	place[side] = (place[side] + length) % length;
	return 1 + (uint64_t)(((uint32_t)place[0] * sides[1] + (uint32_t)place[1]) * sides[2] +
			      (uint32_t)place[2]);
}

static void check_halo(uint32_t a, uint32_t b, uint32_t c, bool periodic)
{
	const uint32_t sides[3] = {a, b, c};
	struct collective_bed *bed = calloc(1, sizeof(*bed));
	char text[120];

	assert_non_null(bed);
	snprintf(text, sizeof(text), "halo:grid=%ux%ux%u,cells=2x3x5,periodic=%s,steps=2", a, b, c,
		 periodic ? "yes" : "no");
	collective_bed_open(bed, text, 7);
	for (uint32_t rank = 0; rank < a * b * c; rank++)
		bed->data[rank][0] = 1 + rank;
	collective_bed_move(bed);
	for (uint32_t rank = 0; rank < a * b * c; rank++)
		for (unsigned side = 0; side < 3; side++)
			for (unsigned high = 0; high < 2; high++) {
				uint64_t who = neighbour(sides, rank, side, high ? 1 : -1,
							 periodic);

				if (who == 1 + rank)
					who = 0; // itself: nothing is sent
				assert_int_equal(bed->data[rank][1 + 2 * side + high], who);
			}
	collective_bed_close(bed);
	free(bed);
}

static void halos_come_from_the_neighbours(void **state)
{
	(void)state;
	for (int periodic = 0; periodic <= 1; periodic++) {
		check_halo(1, 1, 1, periodic);
		check_halo(2, 2, 2, periodic);
		check_halo(3, 4, 3, periodic);
		check_halo(1, 2, 5, periodic);
	}
	// 2 x (faces of inner boundaries) of 6, 10 and 15 cells, 2 wide, of 8 bytes; then around.
	expect("halo:grid=3x2x2,cells=5x3x2,width=2,steps=1", 2 * (2 * 4 + 6 + 6),
	       2 * 16 * (2 * 4 * 6 + 6 * 10 + 6 * 15));
	expect("halo:grid=3x2x2,cells=5x3x2,width=2,steps=1,periodic=yes", 12 * 6,
	       2 * 16 * 12 * (6 + 10 + 15));
	expect("halo:grid=7,cells=100,steps=3", 3 * 12, 3 * 12 * 8);
}

// Hoisie, Lubeck, Wasserman: where messages take no time, one sweep takes as many times of a block
// as there are blocks, and one for each rank on the way to the far corner.
static void a_sweep_is_a_pipeline(void **state)
{
	(void)state;
	run("sweep:grid=3x5,cells=4x2x60,planes=10,angles=1,sweeps=1,update=1ns", UINT64_MAX);
	assert_int_equal(run_bed.totals.finish_ticks / BED_NS, (6 + 2 + 4) * 80);
	// Each of 8 sweeps of 7 blocks (the last has 1 plane of 10): across 2 x 5 and 3 x 4
	// boundaries, faces of 2 and 4 cells a plane.
	expect("sweep:grid=3x5,cells=4x2x61,planes=10,angles=3", 8 * 7 * (2 * 5 + 3 * 4),
	       UINT64_C(8) * 61 * 3 * 8 * (2 * 5 * 2 + 3 * 4 * 4));
}

static void permutations_are_told_apart_and_undone(void **state)
{
	uint32_t together = 0, fixed = 0;

	(void)state;
	for (uint32_t n = 1; n <= 130; n++) {
		struct permutation permutation = permutation_make(7, n);

		for (uint32_t number = 0; number < 20; number++) {
			bool taken[130] = {false};

			for (uint32_t i = 0; i < n; i++) {
				uint32_t to = permutation_of(&permutation, number, i);

				assert_true(to < n && !taken[to]);
				taken[to] = true;
				assert_int_equal(permutation_back(&permutation, number, to), i);
				together += to == permutation_of(&permutation, number + 1, i);
				fixed += to == i;
			}
		}
	}
	// A random one has one fixed number on the average, and agrees with another in one: 2600
	// each, +- 51.
	assert_in_range(fixed, 2600 - 4 * 51, 2600 + 4 * 51);
	assert_in_range(together, 2600 - 4 * 51, 2600 + 4 * 51);
}

// The pairs of numbers that are next to each other come to all distances alike: 10 bins, 99.9 % of
// chi-squared with 9 degrees of freedom.
static void permutations_are_uniform(void **state)
{
	struct permutation permutation = permutation_make(3, 1000);
	double chi = 0;
	int bins[10] = {0};

	(void)state;
	for (uint32_t number = 0; number < 10; number++)
		for (uint32_t i = 0; i < 1000; i += 2) {
			uint32_t one = permutation_of(&permutation, number, i);
			uint32_t two = permutation_of(&permutation, number, i + 1);

			bins[(one + 1000 - two) % 1000 / 100]++;
		}
	for (int bin = 0; bin < 10; bin++) {
		double expected = 5000 * (bin == 0 ? 99 : 100) / 999.0;

		chi += (bins[bin] - expected) * (bins[bin] - expected) / expected;
	}
	assert_true(chi < 27.9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_program_ends),
		cmocka_unit_test(pieces_change_no_total),
		cmocka_unit_test(pieces_hide_the_network),
		cmocka_unit_test(lines_are_transposed_or_exchanged),
		cmocka_unit_test(cubes_are_cut_in_slabs_or_pencils),
		cmocka_unit_test(cannons_blocks_are_where_they_belong),
		cmocka_unit_test(qus_product_sends_1024_floats),
		cmocka_unit_test(halos_come_from_the_neighbours),
		cmocka_unit_test(a_sweep_is_a_pipeline),
		cmocka_unit_test(permutations_are_told_apart_and_undone),
		cmocka_unit_test(permutations_are_uniform),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
