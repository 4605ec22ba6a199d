// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks more or less: intervals of shares that did not change hold no change, and changes are found, for sessions of many
// lengths; nodes are matched by name, by role or by traffic.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/talkers.h"
#include "trace/random.h"

#define HOSTS 4u
#define PACKETS 20000u

// Packets of sessions: a pair, drawn in proportion to its weight, sends for a geometric number of packets.
static void fill_talkers(struct talkers *talkers, struct tr_random *random, double session, double weight)
{
	struct tr_packet packet = {.time_ticks = 0, .src = 1};
	struct tr_error err;

	assert_int_equal(talkers_open(talkers, &err), TR_OK);
	for (uint32_t i = 0; i < PACKETS; i++) {
		packet.time_ticks += 1 + (int64_t)tr_random_below(random, 1000);
		packet.payload_bytes = 100 + (uint32_t)tr_random_below(random, 1000);
		if (i == 0 || (double)tr_random_below(random, 1u << 30) < (1u << 30) / session) {
			const bool first = (double)tr_random_below(random, 1u << 30) < weight * (1u << 30);

			packet.src = first ? 0 : 1 + (uint32_t)tr_random_below(random, HOSTS - 1);
			packet.dst = (packet.src + 1) % HOSTS;
		}
		assert_int_equal(talkers_add(talkers, &packet, &err), TR_OK);
	}
	assert_int_equal(talkers_finish(talkers, NULL, NULL, 0, &err), TR_OK);
}

struct counts {
	unsigned given, held, excluded;
};

// Nodes of traces without names would be matched by traffic.
static void name_four_hosts(struct tr_names *names)
{
	struct tr_error err;

	for (uint32_t i = 0; i < HOSTS; i++) {
		char text[16];
		const int bytes = snprintf(text, sizeof(text), "10.0.0.%u", i + 1);
		const struct tr_name name = {.kind = TR_NAME_NODE, .id = i, .text = text, .text_bytes = (size_t)bytes};

		assert_int_equal(tr_names_set(names, &name, &err), TR_OK);
	}
}

// Counts whether the interval of the change of 10.0.0.1's pair is given, holds the truth and excludes 0.
static void compare_once(struct tr_random *random, double session, double before, double after, struct counts *counts)
{
	struct talkers a = {.role_count = 0}, b = {.role_count = 0};
	struct talker_changes changes;
	struct tr_error err;

	fill_talkers(&a, random, session, before);
	fill_talkers(&b, random, session, after);
	name_four_hosts(&a.names);
	name_four_hosts(&b.names);
	assert_int_equal(talkers_compare(&a, &b, .95, &changes, &err), TR_OK);
	assert_int_equal(changes.basis, NODES_BY_NAME);
	for (size_t i = 0; i < changes.pair_count; i++) {
		const struct talker_change *change = &changes.pairs[i];
		const double truth = after - before;

		if (strcmp(joint_nodes_label(&changes.nodes, change->src), "10.0.0.1") != 0 || isnan(change->difference.lo))
			continue;
		counts->given++;
		counts->held += change->difference.lo <= truth && truth <= change->difference.hi;
		counts->excluded += change->difference.lo > 0 || change->difference.hi < 0;
	}
	talker_changes_clear(&changes);
	talkers_close(&a);
	talkers_close(&b);
}

static void intervals_hold(void **state)
{
	static const double sessions[] = {1, 30, 400};
	const unsigned rounds = getenv("FLIT_LONG") ? 400 : 25;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 7, "talkers");
	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++) {
		struct counts same = {0}, moved = {0};

		for (unsigned round = 0; round < rounds; round++) {
			compare_once(&random, sessions[i], .3, .3, &same);
			compare_once(&random, sessions[i], .3, .6, &moved);
		}
		printf("sessions of %g packets: a share that stays: %u intervals of %u, %.3f hold; one that doubles: %u, %.3f hold, %.3f exclude 0\n",
		       sessions[i], same.given, rounds, same.held / (double)same.given, moved.given,
		       moved.held / (double)moved.given, moved.excluded / (double)rounds);
		// .93 less three standard deviations of so many
		assert_true(same.held >= .93 * same.given - 3 * sqrt(.93 * .07 * same.given));
		assert_true(moved.held >= .93 * moved.given - 3 * sqrt(.93 * .07 * moved.given));
		if (sessions[i] <= 30) // fifty sessions are too few for most
			assert_true(same.given >= .8 * rounds && moved.excluded >= .8 * rounds);
	}
}

// A star of count nodes: the k-th of the others sends 100 k to the hub.
static void draw_star(struct matrix *matrix, uint8_t *roles, uint32_t count, uint32_t hub)
{
	struct tr_error err;

	for (uint32_t i = 0, k = 1; i < count; i++) {
		assert_int_equal(matrix_reserve(matrix, &err), TR_OK);
		roles[i] = i == hub ? TR_ROLE_CONTROLLER : TR_ROLE_WORKER;
		if (i != hub)
			matrix_add(matrix, i, hub, 1, 100 * k++);
	}
}

static void nodes_are_matched_by_role(void **state)
{
	struct joint_nodes joint = {.count = 0};
	struct matrix a = {.pairs = 0}, b = {.pairs = 0}, first = {.pairs = 0}, second = {.pairs = 0};
	uint8_t roles_a[5], roles_b[5];
	const struct node_side side_a = {&a, NULL, roles_a, 5}, side_b = {&b, NULL, roles_b, 5};
	enum node_basis basis;
	struct tr_error err;

	(void)state;
	draw_star(&a, roles_a, 5, 0);
	draw_star(&b, roles_b, 5, 3);
	assert_int_equal(joint_nodes_add(&joint, &side_a, &first, &basis, &err), TR_OK);
	assert_int_equal(joint_nodes_add(&joint, &side_b, &second, &basis, &err), TR_OK);
	assert_int_equal(basis, NODES_BY_ROLE);
	assert_int_equal(joint.count, 5);
	assert_int_equal(first.pairs, 4);
	for (size_t i = 0; i < first.pairs; i++) {
		const struct matrix_cell *own = &first.cells[i], *other = matrix_find(&second, own->src, own->dst);

		assert_non_null(other);
		assert_int_equal(other->size_bytes, own->size_bytes);
	}
	joint_nodes_clear(&joint);
	matrix_clear(&a);
	matrix_clear(&b);
	matrix_clear(&first);
	matrix_clear(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold),
		cmocka_unit_test(nodes_are_matched_by_role),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
