// SPDX-License-Identifier: GPL-3.0-or-later
// Destination patterns compared with permutations worked out by hand from Dally and Towles' table
// 3.1, with their defining identities, and their rejections.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "destinations_bed.h"

#define NODES_MAX 4096

// Where each node's packets go, by a pattern that draws nothing.
static void map_nodes(const char *keys, uint32_t nodes, uint64_t seed, uint32_t to[NODES_MAX])
{
	struct tr_random none = {.key = {0, 0}};
	struct destinations d;
	struct tr_error err = {""};
	char text[4000];

	(void)snprintf(text, sizeof(text), DESTINATIONS_HEAD "%s", keys);
	if (destinations_bed_open(&d, text, nodes, seed, &err) != TR_OK)
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < nodes; i++)
		to[i] = destinations_draw(&d, i, &none);
	assert_int_equal(none.counter, 0);
	destinations_clear(&d);
}

#define CHECK(keys, ...) \
	do { \
		const uint32_t expected[] = {__VA_ARGS__}; \
		const uint32_t count = sizeof(expected) / sizeof(*expected); \
		uint32_t to[NODES_MAX]; \
\
		map_nodes(keys, count, 1, to); \
		for (uint32_t node_ = 0; node_ < count; node_++) \
			assert_int_equal(to[node_], expected[node_]); \
	} while (0)

static void bit_patterns(void **state)
{
	(void)state;
	CHECK("destinations bit-reversal\n", 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
	CHECK("destinations shuffle\n", 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
	CHECK("destinations bit-rotation\n", 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
	CHECK("destinations butterfly\n", 0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15);
	CHECK("destinations complement\n", 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	CHECK("destinations transpose\n", 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	CHECK("destinations bit-reversal\n", 0, 1);
	CHECK("destinations shuffle\n", 0, 1);
}

// Digits of 4x3: node 5 is column 1 of row 1.
static void digit_patterns(void **state)
{
	(void)state;
	CHECK("destinations neighbour\n", 1, 2, 3, 4, 0);
	CHECK("destinations neighbour\nshape 4x3\n", 5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0);
	CHECK("destinations neighbour\nshape 2x2x2\n", 7, 6, 5, 4, 3, 2, 1, 0);
	CHECK("destinations tornado\n", 3, 4, 5, 6, 7, 0, 1, 2);
	CHECK("destinations tornado\n", 3, 4, 5, 6, 0, 1, 2);
	CHECK("destinations tornado\nshape 5x2\n", 2, 3, 4, 0, 1, 7, 8, 9, 5, 6);
	CHECK("destinations shift\n", 1, 2, 0);
}

// Between switches, to the same place there: switch 0 of five has nodes 0 and 1.
static void digits_are_those_of_switches(void **state)
{
	(void)state;
	CHECK("destinations neighbour\nshape ring:5,hosts=2\n", 2, 3, 4, 5, 6, 7, 8, 9, 0, 1);
	CHECK("destinations tornado\nshape line:5,hosts=2\n", 4, 5, 6, 7, 8, 9, 0, 1, 2, 3);
	CHECK("destinations neighbour\nshape 2x2,hosts=2\n", 6, 7, 4, 5, 2, 3, 0, 1);
}

static void a_given_permutation(void **state)
{
	(void)state;
	CHECK("destinations permutation\nto 3 0 1\nto 2 4\n", 3, 0, 1, 2, 4);
}

static void check_is_permutation(const uint32_t *to, uint32_t nodes)
{
	bool met[NODES_MAX] = {false};

	for (uint32_t i = 0; i < nodes; i++) {
		assert_true(to[i] < nodes && !met[to[i]]);
		met[to[i]] = true;
	}
}

// What the definitions imply for any size: reversal, butterfly, complement and transposition undo
// themselves; rotation undoes the shuffle; b shuffles are none.
static void identities(void **state)
{
	static const char *const self_inverse[] = {
		"destinations bit-reversal\n", "destinations butterfly\n",
		"destinations complement\n", "destinations transpose\n"};
	uint32_t a[NODES_MAX], b[NODES_MAX];

	(void)state;
	for (uint32_t bits = 2; bits <= 12; bits += 2) {
		const uint32_t nodes = 1u << bits;

		for (size_t i = 0; i < 4; i++) {
			map_nodes(self_inverse[i], nodes, 1, a);
			check_is_permutation(a, nodes);
			for (uint32_t node = 0; node < nodes; node++)
				assert_int_equal(a[a[node]], node);
		}
		map_nodes("destinations shuffle\n", nodes, 1, a);
		map_nodes("destinations bit-rotation\n", nodes, 1, b);
		for (uint32_t node = 0; node < nodes; node++) {
			uint32_t at = node;

			assert_int_equal(b[a[node]], node);
			for (uint32_t k = 0; k < bits; k++)
				at = a[at];
			assert_int_equal(at, node);
		}
	}
}

// The table's transposition, destination bit i is source bit i + b/2, is that of the square for
// powers of four.
static void transposition_is_that_of_bits(void **state)
{
	uint32_t to[NODES_MAX];

	(void)state;
	map_nodes("destinations transpose\n", 1024, 1, to);
	for (uint32_t node = 0; node < 1024; node++)
		assert_int_equal(to[node], (node >> 5 | node << 5) & 1023);
}

// A drawn permutation of 5: each of the 120 of 12,000 seeds alike; chi-square above 174 (119
// degrees of freedom) in one of a thousand.
static void permutations_are_drawn_alike(void **state)
{
	unsigned count[120] = {0};
	double chi = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 12000; seed++) {
		uint32_t to[NODES_MAX];
		unsigned rank = 0;

		map_nodes("destinations permutation\n", 5, seed, to);
		check_is_permutation(to, 5);
		for (unsigned i = 0; i < 5; i++) {
			unsigned below = 0;

			for (unsigned k = i + 1; k < 5; k++)
				below += to[k] < to[i];
			rank = rank * (5 - i) + below;
		}
		count[rank]++;
	}
	for (unsigned i = 0; i < 120; i++)
		chi += pow((double)count[i] - 100, 2) / 100;
	assert_true(chi < 174);
}

// Node 5 of 4x3 has neighbours 1, 4, 6 and 9; node 0 has 1 and 4; of a row of 12, node 11 has 10.
static void the_nearest_are_drawn_alike(void **state)
{
	struct tr_random random;
	struct tr_error err = {""};
	struct destinations d;
	unsigned count[12] = {0};

	(void)state;
	tr_random_open(&random, 7, "to");
	assert_int_equal(
		destinations_bed_open(&d, DESTINATIONS_HEAD "destinations nearest\nshape 4x3\n", 12,
				      1, &err),
		TR_OK);
	for (int i = 0; i < 40000; i++)
		count[destinations_draw(&d, 5, &random)]++;
	for (unsigned i = 0; i < 12; i++)
		if (i == 1 || i == 4 || i == 6 || i == 9)
			assert_true(fabs((double)count[i] - 10000) < 4 * sqrt(40000 * .25 * .75));
		else
			assert_int_equal(count[i], 0);
	for (int i = 0; i < 100; i++) {
		uint32_t node = destinations_draw(&d, 0, &random);

		assert_true(node == 1 || node == 4);
	}
	destinations_clear(&d);
	assert_int_equal(
		destinations_bed_open(&d, DESTINATIONS_HEAD "destinations nearest\n", 12, 1, &err),
		TR_OK);
	assert_int_equal(destinations_draw(&d, 11, &random), 10);
	destinations_clear(&d);
}

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations bit-reversal\n", 12,
		"t.model:2: destinations bit-reversal: 12 nodes are not a power of two");
	destinations_bed_refused(DESTINATIONS_HEAD "# x\ndestinations shuffle\n", 3,
				 "t.model:3: destinations shuffle: 3 nodes are not a power of two");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations transpose\n", 8,
				 "t.model:2: destinations transpose: 8 nodes are not a square");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations tornado\nshape 4x4\n", 15,
				 "t.model:2: destinations tornado: the shape has 16 nodes, not 15");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations nearest\nshape 1000000x1000000x1000000x1000000\n",
		15, "t.model:2: destinations nearest: the shape has 1000000000000 nodes, not 15");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations permutation\nto 0 2 1\n", 4,
		"t.model:2: destinations permutation: the permutation has 3 nodes, not 4");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations permutation\nto 0 1 1\n", 3,
		"t.model:3: to: node 1 is given twice: this is not a permutation of 3 nodes");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations permutation\nto 0 3 1\n", 3,
		"t.model:3: to: node 3 is too large: this is not a permutation of 3 nodes");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations permutation\nto 0 b\n", 3,
				 "t.model:3: to: expected numbers of nodes: 'b' is not a whole "
				 "number from 0 to 999999");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations nearest\nshape 4*4\n", 16,
				 "t.model:3: shape: expected sizes such as 4x4: '4*4' is not a "
				 "whole number from 1 to 1000000");
	destinations_bed_refused(DESTINATIONS_HEAD
				 "destinations nearest\nshape 1x1x1x1x1x1x1x1x1\n",
				 16, "t.model:3: shape: more than 8 dimensions");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations shift\ndestinations shift\n", 16,
				 "t.model:3: destinations is given twice");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations home\n", 16,
		"t.model:2: destinations: unknown pattern \"home\"; expected one of uniform, "
		"hot-spot, shift, complement, transpose, bit-reversal, shuffle, bit-rotation, "
		"butterfly, neighbour, nearest, tornado, permutation, by-distance, by-role");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bit_patterns),
		cmocka_unit_test(digit_patterns),
		cmocka_unit_test(digits_are_those_of_switches),
		cmocka_unit_test(a_given_permutation),
		cmocka_unit_test(identities),
		cmocka_unit_test(transposition_is_that_of_bits),
		cmocka_unit_test(permutations_are_drawn_alike),
		cmocka_unit_test(the_nearest_are_drawn_alike),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
