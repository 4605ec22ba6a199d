// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles, traffic matrix and the search for the controller.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/intervals/quantile.h"
#include "stat/nodes/matrix.h"
#include "stat/nodes/role.h"
#include "value/random.h"

#define VALUES 2000

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static struct quantile parts[3];

// Against sorting, over all magnitudes; and merged parts equal the whole.
static void quantiles_are_within_their_error(void **state)
{
	static const double shares[] = {0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.9999, 1};
	uint64_t value[VALUES];
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "quantile");
	memset(parts, 0, sizeof(parts));
	for (int i = 0; i < VALUES; i++) {
		value[i] = tr_random_u64(&random) >> tr_random_below(&random, 64);
		quantile_add(&parts[0], value[i]);
		quantile_add(&parts[1 + i % 2], value[i]);
	}
	quantile_merge(&parts[1], &parts[2]);
	assert_memory_equal(&parts[0], &parts[1], sizeof(parts[0]));
	qsort(value, VALUES, sizeof(value[0]), compare);
	for (size_t k = 0; k < sizeof(shares) / sizeof(shares[0]); k++) {
		const size_t rank = (size_t)fmax(1, ceil(shares[k] * VALUES));
		const double exact = (double)value[rank - 1];
		const double found = (double)quantile_get(&parts[0], shares[k]);

		assert_true(fabs(found - exact) <= exact / 256);
		if (exact < 128)
			assert_true(found == exact);
	}
	assert_int_equal(quantile_get(&parts[0], 1), value[VALUES - 1]);
}

static void edges_of_the_histogram(void **state)
{
	struct quantile *q = &parts[0];

	(void)state;
	memset(q, 0, sizeof(*q));
	assert_int_equal(quantile_get(q, 0.5), 0);
	quantile_add(q, UINT64_MAX);
	assert_true(quantile_get(q, 0.5) == UINT64_MAX);
	quantile_add(q, 0);
	assert_int_equal(quantile_get(q, 0.5), 0);
}

static void matrix_equals_plain_sums(void **state)
{
	uint64_t packets[40][40] = {{0}}, bytes[40][40] = {{0}};
	struct matrix whole = {0}, part = {0};
	struct tr_random random;
	size_t pairs = 0;

	(void)state;
	tr_random_open(&random, 2, "matrix");
	for (int i = 0; i < 5000; i++) {
		const uint32_t src = (uint32_t)tr_random_below(&random, 40);
		const uint32_t dst = (uint32_t)tr_random_below(&random, 1 + src);
		struct matrix *into = i % 3 ? &whole : &part;

		assert_int_equal(matrix_reserve(into, NULL), TR_OK);
		matrix_add(into, src, dst, 1, src + 1);
		packets[src][dst]++;
		bytes[src][dst] += src + 1;
	}
	assert_int_equal(matrix_merge(&whole, &part, NULL), TR_OK);
	for (uint32_t src = 0; src < 40; src++)
		for (uint32_t dst = 0; dst < 40; dst++) {
			const struct matrix_cell *cell = matrix_find(&whole, src, dst);

			pairs += packets[src][dst] > 0;
			assert_int_equal(cell ? cell->packets : 0, packets[src][dst]);
			assert_int_equal(cell ? cell->size_bytes : 0, bytes[src][dst]);
		}
	assert_int_equal(whole.pairs, pairs);
	matrix_sort(&whole);
	for (size_t i = 1; i < whole.pairs; i++)
		assert_true(matrix_is_before(&whole.cells[i - 1], &whole.cells[i]) &&
			    whole.cells[i - 1].size_bytes >= whole.cells[i].size_bytes);
	matrix_clear(&whole);
	matrix_clear(&part);
}

static void the_matrix_keeps_its_bound(void **state)
{
	struct matrix matrix = {.max_pairs = 2};

	(void)state;
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(matrix_reserve(&matrix, NULL), TR_OK);
		matrix_add(&matrix, i % 3, UINT32_MAX, 1, 10);
	}
	assert_int_equal(matrix.pairs, 2);
	assert_int_equal(matrix.rest.packets, 1);
	assert_int_equal(matrix.rest.size_bytes, 10);
	assert_int_equal(matrix_find(&matrix, 0, UINT32_MAX)->packets, 2);
	assert_null(matrix_find(&matrix, 2, UINT32_MAX));
	matrix_clear(&matrix);
}

static void reserve_roles(struct role_finder *finder, uint32_t nodes)
{
	for (uint32_t node = 0; node < nodes; node++)
		assert_int_equal(role_reserve(finder, node, NULL), TR_OK);
}

// One row-column transform of 384 packets a chunk on p nodes, node c the controller (Yates 1997).
static void row_column(struct role_finder *finder, uint32_t p, uint32_t c, int64_t *now)
{
	const uint32_t chunk = 384;

	for (uint32_t v = 0; v < p; v++)
		for (uint32_t k = 0; k < chunk && v != c; k++)
			role_add(finder, *now, c, v, 1448);
	for (uint32_t step = 1; step < p; step++)
		for (uint32_t k = 0; k < chunk / p; k++)
			for (uint32_t v = 0; v < p; v++)
				role_add(finder, *now, v, (v + step) % p, 1448);
	for (uint32_t v = 0; v < p; v++)
		for (uint32_t k = 0; k < chunk && v != c; k++)
			role_add(finder, *now, v, c, 1448);
	*now += 100;
}

static void the_controller_of_a_transform_is_found(void **state)
{
	(void)state;
	for (uint32_t p = 4; p <= 32; p *= 2)
		for (uint32_t c = 0; c < p; c += 3) {
			struct role_finder finder = {.silence_ticks = 10};
			struct role_finding found;
			int64_t now = 0;

			reserve_roles(&finder, p);
			for (int round = 0; round < 5; round++)
				row_column(&finder, p, c, &now);
			found = role_find(&finder);
			assert_int_equal(found.basis, ROLE_BY_SHARE);
			assert_int_equal(found.node, c);
			assert_int_equal(found.nodes, p);
			assert_true(fabs(found.share - (2 + 2.0 / p) / 3) < 1e-9);
			assert_true(fabs(found.next_share - (2.0 / (p - 1) + 2.0 / p) / 3) < 1e-9);
			assert_true(found.chance < 1e-6);
			assert_true(found.order > 0.9);
			role_clear(&finder);
		}
}

static void of_two_nodes_the_order_tells(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 2; c++)
		for (int rounds = 1; rounds < 200; rounds *= 7) {
			struct role_finder finder = {.silence_ticks = 10};
			struct role_finding found;
			int64_t now = 0;

			reserve_roles(&finder, 2);
			for (int round = 0; round < rounds; round++)
				row_column(&finder, 2, c, &now);
			found = role_find(&finder);
			assert_int_equal(found.basis, ROLE_BY_ORDER);
			assert_int_equal(found.node, c);
			assert_true(found.share == 1);
			assert_int_equal(found.ahead, rounds);
			assert_int_equal(found.behind, 0);
			role_clear(&finder);
		}
}

// Among equals a controller must be named no more often than the chance that is claimed.
static void equals_have_no_controller(void **state)
{
	const int runs = getenv("FLIT_LONG") ? 2000 : 200;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "equals");
	for (uint32_t p = 2; p <= 9; p += 7) {
		int named = 0;

		for (int run = 0; run < runs; run++) {
			// Silences cut it in ten episodes, or in none.
			struct role_finder finder = {.silence_ticks = run % 2 ? 0 : 300};

			reserve_roles(&finder, p);
			for (int i = 0; i < 3000; i++)
				role_add(&finder, i / 300 * 300,
					 (uint32_t)tr_random_below(&random, p),
					 (uint32_t)tr_random_below(&random, p), 1000);
			named += role_find(&finder).basis != ROLE_NOT_FOUND;
			role_clear(&finder);
		}
		assert_true(named <= runs * ROLE_CHANCE + 4 * sqrt(runs * ROLE_CHANCE));
	}
}

// A single packet, and a stream that goes one way, show nobody who scatters and gathers.
static void one_way_has_no_controller(void **state)
{
	(void)state;
	for (int packets = 1; packets <= 10000; packets *= 100) {
		struct role_finder finder = {0};

		reserve_roles(&finder, 2);
		for (int i = 0; i < packets; i++)
			role_add(&finder, i, 0, 1, 1448);
		assert_int_equal(role_find(&finder).basis, ROLE_NOT_FOUND);
		role_clear(&finder);
	}
}

static void silence_has_no_controller(void **state)
{
	struct role_finder finder = {0};

	(void)state;
	assert_int_equal(role_find(&finder).basis, ROLE_NOT_FOUND);
	reserve_roles(&finder, 3);
	role_add(&finder, 0, 0, UINT32_MAX, 100);
	role_add(&finder, 0, 1, 1, 100);
	assert_int_equal(role_find(&finder).nodes, 0);
	role_clear(&finder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_within_their_error),
		cmocka_unit_test(edges_of_the_histogram),
		cmocka_unit_test(matrix_equals_plain_sums),
		cmocka_unit_test(the_matrix_keeps_its_bound),
		cmocka_unit_test(the_controller_of_a_transform_is_found),
		cmocka_unit_test(of_two_nodes_the_order_tells),
		cmocka_unit_test(equals_have_no_controller),
		cmocka_unit_test(one_way_has_no_controller),
		cmocka_unit_test(silence_has_no_controller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
