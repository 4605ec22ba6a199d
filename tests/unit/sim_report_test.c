// SPDX-License-Identifier: GPL-3.0-or-later
// Results of flitsim for single worms: batch means; and its map of nodes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "input/node_map.h"
#include "stat/batches.h"
#include "trace/random.h"
#include "trace/record.h"

static int64_t normal(struct tr_random *random)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += tr_random_unit(random);
	return (int64_t)((sum - 6) * 1e6);
}

// Few samples: one a batch, so the interval is Student's of the samples. 2, 4, 4, 4, 5, 5, 7, 9
// have mean 5 and deviation sqrt(32/7); t(.975; 7) = 2.364624 (any table).
static void few_samples_have_the_usual_interval(void **state)
{
	static const int64_t values[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct batches batches = {0};
	struct interval interval;

	(void)state;
	assert_true(isnan(batches_mean(&batches)));
	for (size_t i = 0; i < 8; i++)
		batches_add(&batches, values[i] * 1000);
	interval = batches_interval(&batches, .95);
	assert_true(fabs(batches_mean(&batches) - 5000) < 1e-9);
	assert_true(fabs(interval.hi - (5000 + 2.364624 * 1000 * sqrt(32. / 7) / sqrt(8))) < .01);
}

static void batches_stay_between_32_and_63(void **state)
{
	struct batches batches = {0};

	(void)state;
	for (int64_t n = 1; n <= 100000; n++) {
		batches_add(&batches, n);
		if (n >= 64)
			assert_true(batches.count >= 32 && batches.count < 64);
		assert_int_equal(batches.n, n);
		assert_int_equal((uint64_t)batches.count * batches.width + batches.open, (uint64_t)n);
	}
	assert_true(batches_mean(&batches) == 50000.5);
	assert_true(batches_correlate(&batches)); // a ramp is no stationary series
}

// How many of 400 intervals at 95 % hold the mean of a first-order autoregressive series with
// coefficient .9; with Student's interval of the samples themselves beside it.
static unsigned count_covered(int samples, unsigned *naive, unsigned *told)
{
	struct tr_random random;
	unsigned covered = 0;

	tr_random_open(&random, 3, "batches");
	for (int round = 0; round < 400; round++) {
		struct batches batches = {0};
		struct moments moments = {0};
		struct interval interval;
		double x = (double)normal(&random) / sqrt(1 - .81);

		for (int i = 0; i < samples; i++) {
			x = .9 * x + (double)normal(&random);
			batches_add(&batches, (int64_t)x);
			moments_add(&moments, (int64_t)x);
		}
		interval = batches_interval(&batches, .95);
		covered += interval.lo <= 0 && interval.hi >= 0;
		*told += batches_correlate(&batches);
		interval = mean_interval(&moments, .95);
		*naive += interval.lo <= 0 && interval.hi >= 0;
	}
	return covered;
}

// Samples taken for independent give an interval sqrt(19) too narrow, which holds the mean in 35 %
// of the cases. Of 400 intervals that hold it with probability .95, 380 do, give or take four
// deviations of the binomial, 17.
static void correlated_samples_are_covered(void **state)
{
	unsigned naive = 0, told = 0;

	(void)state;
	assert_true(count_covered(20000, &naive, &told) >= 363);
	assert_true(naive < 200);
	assert_true(told < 20);
	assert_true(count_covered(1500, &naive, &told) >= 350); // 30 to 60 batches would be too short
}

static enum tr_status open_map(struct node_map *map, const char *text, struct tr_error *err)
{
	char path[] = "/tmp/flit-map-XXXXXX";
	const struct net_topology topology = {.hosts = 4};
	int file = mkstemp(path);
	enum tr_status status;

	assert_true(file >= 0);
	assert_int_equal(dprintf(file, "%s", text) < 0, 0);
	close(file);
	status = node_map_open(map, path, &topology, err);
	unlink(path);
	return status;
}

static void a_map_finds_hosts_by_address(void **state)
{
	static const char *const addresses[] = {"10.0.0.1", "10.0.0.2", "10.0.0.3"};
	static const uint32_t want[] = {3, NODE_UNMAPPED, 0};
	struct tr_names names = {0};
	struct node_map map;
	struct tr_error err;
	uint32_t host;

	(void)state;
	assert_int_equal(open_map(&map, "10.0.0.3 0\n# none\n\t10.0.0.1\t3 # controller\n", &err), TR_OK);
	for (uint32_t id = 0; id < 3; id++) {
		const struct tr_name name = {.kind = TR_NAME_NODE, .id = id, .text = addresses[id], .text_bytes = 8};

		assert_int_equal(tr_names_set(&names, &name, NULL), TR_OK);
	}
	for (int again = 0; again < 2; again++)
		for (uint32_t id = 0; id < 3; id++) {
			assert_int_equal(node_map_find(&map, id, &names, 4, &host, NULL), TR_OK);
			assert_int_equal(host, want[id]);
		}
	assert_int_equal(node_map_find(&map, TR_NODE_OTHER, &names, 4, &host, NULL), TR_OK);
	assert_int_equal(host, NODE_UNMAPPED);
	node_map_close(&map);
	assert_int_equal(node_map_open(&map, "ids", &(struct net_topology){.hosts = 4}, NULL), TR_OK);
	assert_int_equal(node_map_find(&map, 3, &names, 4, &host, NULL), TR_OK);
	assert_int_equal(host, 3);
	assert_int_equal(node_map_find(&map, 4, &names, 4, &host, NULL), TR_OK);
	assert_int_equal(host, NODE_UNMAPPED);
	node_map_close(&map);
	tr_names_clear(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_samples_have_the_usual_interval),
		cmocka_unit_test(batches_stay_between_32_and_63),
		cmocka_unit_test(correlated_samples_are_covered),
		cmocka_unit_test(a_map_finds_hosts_by_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
