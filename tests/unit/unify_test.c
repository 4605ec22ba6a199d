// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stream/unify.h"

static const struct tr_header packets = {.kind = TR_PACKET, .ticks_per_s = 1000};

// The output's names and the forwarded records, as text.
struct bed {
	struct tr_unify *unify;
	struct tr_unify_input *input[3];
	struct tr_names names;
	char said[1024];
};

static enum tr_status take(void *context, const struct tr_name *name, struct tr_error *err)
{
	struct bed *bed = context;
	size_t used = strlen(bed->said);

	(void)snprintf(bed->said + used, sizeof(bed->said) - used, "%d:%u:%.*s;", (int)name->kind,
		       name->id, (int)name->text_bytes, name->text);
	return tr_names_set(&bed->names, name, err);
}

static int set_up(void **state)
{
	static struct bed bed;

	bed = (struct bed){.unify = NULL};
	assert_int_equal(
		tr_unify_open(&bed.unify, &packets, (struct tr_name_sink){take, &bed}, NULL),
		TR_OK);
	for (int i = 0; i < 3; i++)
		assert_int_equal(tr_unify_add(bed.unify, &packets, false, &bed.input[i], NULL),
				 TR_OK);
	*state = &bed;
	return 0;
}

static int tear_down(void **state)
{
	struct bed *bed = *state;

	tr_unify_close(bed->unify);
	tr_names_clear(&bed->names);
	return 0;
}

static void say_node(struct bed *bed, int input, uint32_t id, const char *address,
		     enum tr_role role)
{
	struct tr_name name = {.kind = TR_NAME_NODE,
			       .id = id,
			       .role = (uint8_t)role,
			       .text = address,
			       .text_bytes = strlen(address)};

	assert_int_equal(tr_unify_name(bed->input[input], &name, NULL), TR_OK);
}

static void say_flow(struct bed *bed, int input, uint32_t id, uint32_t src, uint32_t dst,
		     uint16_t port)
{
	struct tr_name name = {.kind = TR_NAME_FLOW,
			       .id = id,
			       .src = src,
			       .dst = dst,
			       .protocol = 6,
			       .src_port = port,
			       .text = ""};

	assert_int_equal(tr_unify_name(bed->input[input], &name, NULL), TR_OK);
}

static void say_counter(struct bed *bed, int input, const char *key, uint64_t value)
{
	struct tr_name name = {
		.kind = TR_NAME_COUNTER, .value = value, .text = key, .text_bytes = strlen(key)};

	assert_int_equal(tr_unify_name(bed->input[input], &name, NULL), TR_OK);
}

// What an input's packet from src to dst of flow becomes.
static struct tr_packet mapped(struct bed *bed, int input, uint32_t src, uint32_t dst,
			       uint32_t flow)
{
	union tr_record record = {.packet = {.src = src, .dst = dst, .flow = flow}};
	const union tr_record *out;

	assert_int_equal(tr_unify_record(bed->input[input], &record, &out, NULL), TR_OK);
	return out->packet;
}

static void one_input_goes_through(void **state)
{
	struct bed *bed = *state;
	union tr_record record = {.packet = {.src = 5, .dst = 2, .flow = TR_FLOW_NONE}};
	const union tr_record *out;

	say_node(bed, 0, 5, "a", TR_ROLE_UNKNOWN);
	say_node(bed, 0, 2, "a", TR_ROLE_WORKER); // another node of the same address
	assert_string_equal(bed->said, "1:5:a;1:2:a;");
	assert_int_equal(tr_unify_record(bed->input[0], &record, &out, NULL), TR_OK);
	assert_ptr_equal(out, &record); // not even copied
	say_node(bed, 0, 5, "b", TR_ROLE_CONTROLLER);
	assert_string_equal(tr_names_node(&bed->names, 5), "b");
	assert_int_equal(mapped(bed, 0, 5, 2, TR_FLOW_NONE).src, 5);
}

static void nodes_are_one_by_address(void **state)
{
	struct bed *bed = *state;
	struct tr_packet packet;

	say_node(bed, 0, 0, "a", TR_ROLE_CONTROLLER);
	say_node(bed, 0, 1, "b", TR_ROLE_UNKNOWN);
	say_node(bed, 1, 0, "b", TR_ROLE_UNKNOWN);
	say_node(bed, 1, 1, "c", TR_ROLE_UNKNOWN);
	say_node(bed, 1, 2, "a", TR_ROLE_UNKNOWN);
	packet = mapped(bed, 1, 0, 1, TR_FLOW_NONE);
	assert_int_equal(packet.src, 1);
	assert_int_equal(packet.dst, 2); // 1 was taken
	assert_int_equal(mapped(bed, 1, 2, TR_NODE_OTHER, TR_FLOW_NONE).src, 0);
	assert_int_equal(mapped(bed, 1, 2, TR_NODE_OTHER, TR_FLOW_NONE).dst, TR_NODE_OTHER);
	assert_int_equal(tr_names_role(&bed->names, 0), TR_ROLE_CONTROLLER); // not made unknown
	assert_int_equal(bed->names.node_count, 3);
}

static void flows_are_one_by_ends_and_ports(void **state)
{
	struct bed *bed = *state;

	say_node(bed, 0, 0, "a", TR_ROLE_UNKNOWN);
	say_node(bed, 0, 1, "b", TR_ROLE_UNKNOWN);
	say_flow(bed, 0, 0, 0, 1, 7);
	say_node(bed, 1, 0, "b", TR_ROLE_UNKNOWN);
	say_node(bed, 1, 1, "a", TR_ROLE_UNKNOWN);
	say_flow(bed, 1, 0, 1, 0, 7);
	say_flow(bed, 1, 1, 0, 1, 7);
	say_flow(bed, 1, 2, 1, TR_NODE_OTHER, 7);
	assert_int_equal(mapped(bed, 1, 0, 0, 0).flow, 0);
	assert_int_equal(mapped(bed, 1, 0, 0, 1).flow, 1);
	assert_int_equal(tr_names_flow(&bed->names, 1)->src, 1);
	assert_int_equal(mapped(bed, 1, 0, 0, 2).flow, 2);
	assert_int_equal(tr_names_flow(&bed->names, 2)->dst, TR_NODE_OTHER);
	assert_int_equal(mapped(bed, 1, 0, 0, TR_FLOW_NONE).flow, TR_FLOW_NONE);
}

static void a_renamed_node_leaves_the_others_theirs(void **state)
{
	struct bed *bed = *state;
	struct tr_packet packet;

	say_node(bed, 0, 0, "a", TR_ROLE_UNKNOWN);
	say_flow(bed, 0, 0, 0, 0, 7);
	say_node(bed, 1, 0, "a", TR_ROLE_UNKNOWN);
	say_flow(bed, 1, 0, 0, 0, 7);
	say_node(bed, 1, 0, "host", TR_ROLE_UNKNOWN);
	packet = mapped(bed, 1, 0, 0, 0);
	assert_string_equal(tr_names_node(&bed->names, packet.src), "host");
	assert_int_equal(tr_names_flow(&bed->names, packet.flow)->src, packet.src);
	packet = mapped(bed, 0, 0, 0, 0);
	assert_string_equal(tr_names_node(&bed->names, packet.src), "a");
	assert_int_equal(tr_names_flow(&bed->names, packet.flow)->src, packet.src);
}

static void counters_join(void **state)
{
	struct bed *bed = *state;

	say_counter(bed, 0, "frames", 5);
	say_counter(bed, 1, "frames", 7);
	say_counter(bed, 0, "frames", 6); // the last word of this input
	assert_int_equal(tr_names_counter(&bed->names, "frames"), 13);
	say_counter(bed, 0, "first_ns", 5);
	say_counter(bed, 1, "first_ns", 3);
	say_counter(bed, 2, "first_ns", 4);
	assert_int_equal(tr_names_counter(&bed->names, "first_ns"), 3);
	say_counter(bed, 0, "last_ns", 5);
	say_counter(bed, 1, "last_ns", 3);
	assert_int_equal(tr_names_counter(&bed->names, "last_ns"), 5);
}

static void notes_go_deeper(void **state)
{
	struct bed *bed = *state;
	struct tr_name note = {.kind = TR_NAME_NOTE, .text = "  a\n  b\n", .text_bytes = 8};

	assert_int_equal(tr_unify_name(bed->input[0], &note, NULL), TR_OK);
	assert_string_equal(bed->said, "5:0:      a\n      b\n;");
}

static void many_ids_stay_distinct(void **state)
{
	struct bed *bed = *state;
	char address[16];

	for (uint32_t input = 0; input < 3; input++)
		for (uint32_t id = 0; id < 1000; id++) {
			(void)snprintf(address, sizeof(address), "n%u",
				       (id * 7 + input * 500) % 2000);
			bed->said[0] = '\0';
			say_node(bed, (int)input, id, address, TR_ROLE_UNKNOWN);
		}
	for (uint32_t input = 0; input < 3; input++)
		for (uint32_t id = 0; id < 1000; id++) {
			uint32_t node = mapped(bed, (int)input, id, id, TR_FLOW_NONE).src;

			(void)snprintf(address, sizeof(address), "n%u",
				       (id * 7 + input * 500) % 2000);
			assert_string_equal(tr_names_node(&bed->names, node), address);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_input_goes_through, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nodes_are_one_by_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(flows_are_one_by_ends_and_ports, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_renamed_node_leaves_the_others_theirs, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(counters_join, set_up, tear_down),
		cmocka_unit_test_setup_teardown(notes_go_deeper, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_ids_stay_distinct, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
