// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stream/names.h"
#include "stream/record.h"
#include "value/random.h"

static enum tr_status set(struct tr_names *names, struct tr_name name, struct tr_error *err)
{
	if (!name.text)
		name.text = "";
	name.text_bytes = strlen(name.text);
	return tr_names_set(names, &name, err);
}

static void test_nodes(void **state)
{
	struct tr_names names = {.node_count = 0};

	(void)state;
	assert_string_equal(tr_names_node(&names, 0), "?");
	assert_string_equal(tr_names_node(&names, TR_NODE_OTHER), "other");
	assert_int_equal(tr_names_role(&names, 0), TR_ROLE_UNKNOWN);
	assert_int_equal(
		set(&names,
		    (struct tr_name){.kind = TR_NAME_NODE, .id = 40, .role = 2, .text = "far"},
		    NULL),
		TR_OK);
	assert_int_equal(names.node_count, 41);
	assert_string_equal(tr_names_node(&names, 40), "far");
	assert_string_equal(tr_names_node(&names, 39), "?");
	assert_int_equal(tr_names_role(&names, 40), TR_ROLE_WORKER);
	assert_int_equal(tr_names_role(&names, TR_NODE_OTHER), TR_ROLE_UNKNOWN);
	tr_names_clear(&names);
	assert_int_equal(names.node_count, 0);
	assert_null(names.nodes.pages);
}

static void test_roles(void **state)
{
	(void)state;
	assert_string_equal(tr_role_name(TR_ROLE_UNKNOWN), "unknown");
	assert_string_equal(tr_role_name(TR_ROLE_CONTROLLER), "controller");
	assert_string_equal(tr_role_name(TR_ROLE_WORKER), "worker");
	assert_string_equal(tr_role_name((enum tr_role)200), "unknown");
}

// A flow needs its ends; ids in between get ends without names.
static void test_flows(void **state)
{
	struct tr_names names = {.node_count = 0};
	struct tr_error err;

	(void)state;
	assert_int_equal(set(&names,
			     (struct tr_name){.kind = TR_NAME_FLOW, .src = 0, .dst = TR_NODE_OTHER},
			     &err),
			 TR_ERROR);
	assert_int_equal(names.flow_count, 0);
	assert_int_equal(
		set(&names, (struct tr_name){.kind = TR_NAME_NODE, .id = 1, .text = "b"}, NULL),
		TR_OK);
	assert_int_equal(
		set(&names, (struct tr_name){.kind = TR_NAME_FLOW, .src = 0, .dst = 1}, &err),
		TR_ERROR); // node 0 has no name although 1 has
	assert_int_equal(set(&names,
			     (struct tr_name){.kind = TR_NAME_FLOW,
					      .id = 2,
					      .src = 1,
					      .dst = TR_NODE_OTHER,
					      .protocol = 17},
			     NULL),
			 TR_OK);
	assert_int_equal(names.flow_count, 3);
	assert_int_equal(tr_names_flow(&names, 0)->src, TR_NODE_OTHER);
	assert_int_equal(tr_names_flow(&names, 2)->src, 1);
	assert_int_equal(tr_names_flow(&names, 2)->protocol, 17);
	tr_names_clear(&names);
}

static void test_counters(void **state)
{
	struct tr_names names = {.node_count = 0};
	const struct tr_name counter = {.kind = TR_NAME_COUNTER, .text = "a", .value = 1};

	(void)state;
	assert_int_equal(set(&names, counter, NULL), TR_OK);
	assert_int_equal(set(&names,
			     (struct tr_name){.kind = TR_NAME_COUNTER, .text = "ab", .value = 2},
			     NULL),
			 TR_OK);
	assert_int_equal(
		set(&names,
		    (struct tr_name){.kind = TR_NAME_COUNTER, .text = "a", .value = UINT64_MAX},
		    NULL),
		TR_OK);
	assert_int_equal(names.counter_count, 2);
	assert_true(tr_names_counter(&names, "a") == UINT64_MAX);
	assert_int_equal(tr_names_counter(&names, "ab"), 2);
	assert_int_equal(tr_names_counter(&names, ""), 0);
	tr_names_clear(&names);
}

static void test_limits_leave_the_table(void **state)
{
	struct tr_names names = {.limits = {.nodes = 3, .flows = 2, .links = 1}};
	struct tr_error err;

	(void)state;
	for (uint32_t id = 0; id < 3; id++)
		assert_int_equal(set(&names,
				     (struct tr_name){.kind = TR_NAME_NODE, .id = id, .text = "n"},
				     NULL),
				 TR_OK);
	assert_int_equal(
		set(&names, (struct tr_name){.kind = TR_NAME_NODE, .id = 3, .text = "n"}, &err),
		TR_ERROR);
	assert_int_equal(set(&names,
			     (struct tr_name){.kind = TR_NAME_NODE, .id = UINT32_MAX, .text = "n"},
			     &err),
			 TR_ERROR);
	assert_int_equal(names.node_count, 3);
	assert_int_equal(
		set(&names, (struct tr_name){.kind = TR_NAME_LINK, .id = 0, .text = "l"}, NULL),
		TR_OK);
	assert_int_equal(
		set(&names, (struct tr_name){.kind = TR_NAME_LINK, .id = 1, .text = "l"}, &err),
		TR_ERROR);
	assert_string_equal(err.text, "link id 1 exceeds the limit of 1");
	tr_names_clear(&names);
	assert_int_equal(names.limits.nodes, 3);
}

// Memory follows the names, whatever their ids: 33,554,431 is the last that a link may have.
static void test_high_ids_take_little(void **state)
{
	struct tr_names names = {.node_count = 0};
	size_t pages = 0;

	(void)state;
	for (uint32_t id = 33554431; id > 0; id /= 40)
		assert_int_equal(set(&names,
				     (struct tr_name){.kind = TR_NAME_LINK, .id = id, .text = "l"},
				     NULL),
				 TR_OK);
	assert_int_equal(names.link_count, 33554432);
	assert_string_equal(tr_names_link(&names, 33554431), "l");
	assert_null(tr_names_link(&names, 33554430));
	assert_null(tr_names_link(&names, 5000000));
	for (uint32_t i = 0; i < names.links.count; i++)
		pages += names.links.pages[i] != NULL;
	assert_int_equal(pages, 4);
	assert_true(names.links.count * sizeof(void *) <= 262144);
	assert_int_equal(tr_id_pages_next(&names.links, 1024), 20480); // of 20,971
	tr_names_clear(&names);
}

// What is encoded is decoded, for random entries of every kind.
static void test_entries_round_trip(void **state)
{
	uint8_t bytes[TR_NAME_ENTRY_MAX];
	struct tr_random random;
	char text[256];

	(void)state;
	tr_random_open(&random, 1, "entries");
	for (unsigned i = 0; i < 10000; i++) {
		struct tr_name put = {
			.kind = 1 + i % 5,
			.id = tr_random_u32(&random),
			.src = tr_random_u32(&random),
			.dst = tr_random_u32(&random),
			.src_port = (uint16_t)tr_random_u32(&random),
			.dst_port = (uint16_t)tr_random_u32(&random),
			.value = tr_random_u64(&random),
			.text = text,
			.text_bytes = tr_random_below(&random, sizeof(text)),
		};
		struct tr_name got;
		size_t used;

		*(put.kind == TR_NAME_FLOW ? &put.protocol
					   : &put.role) = (uint8_t)tr_random_u32(&random);
		for (size_t c = 0; c < put.text_bytes; c++)
			text[c] = (char)(0x80 + tr_random_below(&random, 0x80));
		size_t size = tr_name_encode(&put, bytes);

		assert_int_equal(tr_name_decode(bytes, size, &got, &used, NULL), TR_OK);
		assert_int_equal(used, size);
		assert_int_equal(got.kind, put.kind);
		assert_int_equal(got.role, put.role);
		assert_int_equal(got.protocol, put.protocol);
		assert_int_equal(got.id, put.id);
		assert_int_equal(got.src, put.src);
		assert_int_equal(got.dst, put.dst);
		assert_int_equal(got.src_port, put.src_port);
		assert_int_equal(got.dst_port, put.dst_port);
		assert_true(got.value == put.value);
		assert_int_equal(got.text_bytes, put.text_bytes);
		assert_memory_equal(got.text, put.text, put.text_bytes);
		assert_int_equal(tr_name_decode(bytes, size - 1, &got, &used, NULL), TR_ERROR);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_flows),
		cmocka_unit_test(test_high_ids_take_little),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_limits_leave_the_table),
		cmocka_unit_test(test_entries_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
