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
#include "stat/intervals/batches.h"
#include "stream/record.h"

// Few samples: one a batch. Their interval is wider than Student's, 5 +- 1.787, as they may depend
// on one another.
static void few_samples_have_a_wide_interval(void **state)
{
	static const int64_t values[] = {4, 5, 2, 9, 4, 5, 7, 4};
	struct batches batches = {0};
	struct interval interval;

	(void)state;
	assert_true(isnan(batches_mean(&batches)));
	for (size_t i = 0; i < 8; i++)
		batches_add(&batches, values[i] * 1000);
	interval = batches_known(&batches, .95).interval;
	assert_true(fabs(batches_mean(&batches) - 5000) < 1e-9);
	assert_true(interval.lo > 0 && interval.lo < 5000 - 1787 && interval.hi > 5000 + 1787 &&
		    interval.hi < 20000);
}

static void batches_stay_between_256_and_511(void **state)
{
	struct batches batches = {0};

	(void)state;
	for (int64_t n = 1; n <= 100000; n++) {
		batches_add(&batches, n);
		if (n >= 512)
			assert_true(batches.count >= 256 && batches.count < 512);
		assert_int_equal(batches.n, n);
		assert_int_equal((uint64_t)batches.count * batches.width + batches.open,
				 (uint64_t)n);
	}
	assert_true(batches_mean(&batches) == 50000.5);
	assert_false(batches_known(&batches, .95).error.known); // a ramp is no stationary series
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
	assert_int_equal(open_map(&map, "10.0.0.3 0\n# none\n\t10.0.0.1\t3 # controller\n", &err),
			 TR_OK);
	for (uint32_t id = 0; id < 3; id++) {
		const struct tr_name name = {
			.kind = TR_NAME_NODE, .id = id, .text = addresses[id], .text_bytes = 8};

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
	assert_int_equal(node_map_open(&map, "ids", &(struct net_topology){.hosts = 4}, NULL),
			 TR_OK);
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
		cmocka_unit_test(few_samples_have_a_wide_interval),
		cmocka_unit_test(batches_stay_between_256_and_511),
		cmocka_unit_test(a_map_finds_hosts_by_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
