// SPDX-License-Identifier: GPL-3.0-or-later
// The quick decoder agrees with the full one, on frames of every kind, damaged and cut, including
// ids.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "captures/frame.h"
#include "packet/decode.h"
#include "packet/nodes.h"
#include "packet/quick.h"

static unsigned frames_wanted(void)
{
	return getenv("FLIT_LONG") ? 20000000 : 500000;
}

static void damage(struct cm_frame *frame, struct tr_random *random)
{
	for (uint64_t times = tr_random_below(random, 4); times > 0; times--)
		frame->bytes.data[tr_random_below(random, frame->bytes.size)] ^=
			(uint8_t)(1u << tr_random_below(random, 8));
	if (tr_random_below(random, 4) == 0)
		frame->captured_bytes = (uint32_t)tr_random_below(random, frame->bytes.size + 1);
}

static void assert_packets_equal(const struct pk_packet *a, const struct pk_packet *b)
{
	assert_memory_equal(&a->flow, &b->flow, sizeof(a->flow));
	assert_int_equal(a->payload_bytes, b->payload_bytes);
	assert_int_equal(a->wire_bytes, b->wire_bytes);
	assert_int_equal(a->lost_bytes, b->lost_bytes);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->tunnels, b->tunnels);
	assert_int_equal(a->opcode, b->opcode);
	assert_int_equal(a->sequence, b->sequence);
	assert_int_equal(a->ip_id, b->ip_id);
	assert_int_equal(a->ip_part, b->ip_part);
	assert_int_equal(a->hops, b->hops);
	assert_ptr_equal(a->ip, b->ip);
	assert_ptr_equal(a->content.at, b->content.at);
	assert_int_equal(a->content.left, b->content.left);
	assert_ptr_equal(a->tcp, b->tcp);
	assert_int_equal(a->tcp_bytes, b->tcp_bytes);
	assert_int_equal(a->has_macs, b->has_macs);
	assert_memory_equal(a->macs, b->macs, sizeof(a->macs));
}

static void compare(const struct pk_frame *frame, struct pk_flows *flows, unsigned *quick_ones)
{
	struct pk_packet packet, filled;
	struct pk_quick quick;
	struct pk_ipv4_key key;
	struct pk_ids whole, fast;
	const uint32_t why = pk_decode(frame, false, &packet);

	if (!pk_quick_decode(frame, &quick))
		return;
	++*quick_ones;
	assert_int_equal(why, PK_DECODED);
	assert_int_equal(quick.payload_bytes, packet.payload_bytes);
	assert_int_equal(quick.flags, packet.flags);
	pk_quick_packet(frame, &quick, &filled);
	assert_packets_equal(&filled, &packet);
	// In either order, so that each makes new flows.
	if (*quick_ones % 2)
		whole = pk_flows_find(flows, &packet.flow);
	key = pk_ipv4_key_of(frame->data + PK_QUICK_IP);
	fast = pk_flows_find_ipv4(flows, &key, pk_flows_expect_ipv4(flows, &key));
	if (*quick_ones % 2 == 0)
		whole = pk_flows_find(flows, &packet.flow);
	assert_memory_equal(&whole, &fast, sizeof(whole));
}

static void test_equal(void **state)
{
	const struct pk_link link = pk_link_of(PK_LINK_ETHERNET, false);
	struct pk_nodes *nodes = pk_nodes_new(1000, PK_NODES_BY_ADDRESS);
	struct pk_flows *flows = pk_flows_new(2000, nodes);
	struct cm_frame made = {.time_ns = 0};
	const unsigned wanted = frames_wanted();
	unsigned quick_ones = 0;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "quick");
	for (unsigned i = 0; i < wanted; i++) {
		cm_frame_make(&made, &random, 1, 0, 40);
		damage(&made, &random);
		// Exactly the captured bytes, so that a sanitizer sees one too many.
		uint8_t *copy = malloc(made.captured_bytes + 1);
		const struct pk_frame frame = {
			.data = copy,
			.captured_bytes = made.captured_bytes,
			.wire_bytes = (uint32_t)made.bytes.size,
			.link = &link,
		};

		assert_non_null(copy);
		memcpy(copy, made.bytes.data, made.captured_bytes);
		compare(&frame, flows, &quick_ones);
		free(copy);
	}
	assert_true(quick_ones > wanted / 10 && quick_ones < wanted / 2);
	pk_flows_free(flows);
	pk_nodes_free(nodes);
	cm_clear(&made.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
