// SPDX-License-Identifier: GPL-3.0-or-later
// The table of flows when it is full: which are given up, and what becomes of the others.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "packet/nodes.h"
#include "stream/record.h"

#define MOST 800u
#define GIVEN_UP (MOST / 8 + 1)
#define FULL (MOST - PK_FLOWS_STEP + 1)

// The first 24 bytes of an IPv4 packet of TCP from this port.
static struct pk_ids find_ipv4(struct pk_flows *flows, uint16_t port)
{
	const uint8_t header[24] = {[0] = 0x45,
				    [9] = 6,
				    [12] = 10,
				    [15] = 1,
				    [16] = 10,
				    [19] = 2,
				    [20] = (uint8_t)(port >> 8),
				    [21] = (uint8_t)port,
				    [23] = 80};

	const struct pk_ipv4_key key = pk_ipv4_key_of(header);

	return pk_flows_find_ipv4(flows, &key, pk_flows_expect_ipv4(flows, &key));
}

// The same flow by its key.
static struct pk_ids find(struct pk_flows *flows, uint16_t port)
{
	const struct pk_flow_key key = {.src = {10, 0, 0, 1},
					.dst = {10, 0, 0, 2},
					.src_port = port,
					.dst_port = 80,
					.protocol = 6,
					.family = 4};

	return pk_flows_find(flows, &key);
}

static bool is_held(const struct pk_flows *flows, uint32_t flow)
{
	return pk_flows_next(flows, flow) == flow;
}

// Flows 0 and 2 have packets after all others, by either search, and 4 is kept: the oldest of the
// rest go, and come back as others.
static void test_oldest_go(void **state)
{
	struct pk_nodes *nodes = pk_nodes_new(10, PK_NODES_BY_ADDRESS);
	struct pk_flows *flows = pk_flows_new(MOST, nodes);
	uint32_t *words;

	(void)state;
	assert_non_null(flows);
	for (uint16_t i = 0; i < FULL; i++) {
		assert_false(pk_flows_are_due(flows));
		assert_int_equal(find_ipv4(flows, i).flow, i);
	}
	assert_true(pk_flows_are_due(flows));
	words = pk_flows_words(flows, 2);
	words[0] = 7;
	assert_int_equal(find_ipv4(flows, 0).flow, 0);
	assert_int_equal(find(flows, 2).flow, 2);
	pk_flows_keep(flows, 4);
	pk_flows_keep(flows, TR_FLOW_NONE);
	assert_true(pk_flows_give_up(flows));
	assert_int_equal(pk_flows_given_up(flows), GIVEN_UP);
	for (uint32_t i = 0; i < FULL; i++)
		assert_int_equal(is_held(flows, i),
				 i == 0 || i == 2 || i == 4 || i >= GIVEN_UP + 3);
	assert_int_equal(pk_flows_next(flows, 5), GIVEN_UP + 3);
	assert_int_equal(pk_flows_words(flows, 2)[0], 7);
	assert_null(pk_flows_words(flows, 3));
	assert_int_equal(pk_flows_key(flows, 600)->src_port, 600);
	assert_int_equal(find_ipv4(flows, 600).flow, 600);
	assert_int_equal(find_ipv4(flows, 2).flow, 2);
	assert_int_equal(find_ipv4(flows, 3).flow, FULL);
	assert_int_equal(find(flows, 3).flow, FULL);
	assert_int_equal(pk_flows_words(flows, FULL)[0], 0);
	pk_flows_free(flows);
	pk_nodes_free(nodes);
}

// Where all are kept none goes, and beyond the bound there is no flow.
static void test_all_kept(void **state)
{
	struct pk_nodes *nodes = pk_nodes_new(10, PK_NODES_BY_ADDRESS);
	struct pk_flows *flows = pk_flows_new(MOST, nodes);

	(void)state;
	assert_non_null(flows);
	for (uint16_t i = 0; i < MOST; i++)
		pk_flows_keep(flows, find_ipv4(flows, i).flow);
	assert_false(pk_flows_give_up(flows));
	assert_int_equal(pk_flows_given_up(flows), 0);
	assert_int_equal(find_ipv4(flows, MOST).flow, TR_FLOW_NONE);
	assert_int_equal(find_ipv4(flows, MOST).src, 0);
	assert_true(pk_flows_give_up(flows)); // they were kept once
	assert_int_equal(find_ipv4(flows, MOST).flow, MOST);
	pk_flows_free(flows);
	pk_nodes_free(nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_oldest_go),
					   cmocka_unit_test(test_all_kept)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
