// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks more or less: intervals of shares that did not change hold no change, and changes are
// found, for sessions of many lengths; nodes are matched by name, by role or by traffic.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/nodes/talker_changes.h"
#include "value/random.h"

#define HOSTS 4u
#define PACKETS 20000u

// Packets of sessions: a pair, drawn in proportion to its weight, sends for a geometric number of
// packets.
static void fill_talkers(struct talkers *talkers, struct tr_random *random, double session,
			 double weight)
{
	struct tr_packet packet = {.time_ticks = 0, .src = 1};
	struct tr_error err;

	assert_int_equal(talkers_open(talkers, 1000000, &err), TR_OK);
	for (uint32_t i = 0; i < PACKETS; i++) {
		packet.time_ticks += 1 + (int64_t)tr_random_below(random, 1000);
		packet.payload_bytes = 100 + (uint32_t)tr_random_below(random, 1000);
		if (i == 0 || (double)tr_random_below(random, 1u << 30) < (1u << 30) / session) {
			const bool first = (double)tr_random_below(random, 1u << 30) <
					   weight * (1u << 30);

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
		const struct tr_name name = {
			.kind = TR_NAME_NODE, .id = i, .text = text, .text_bytes = (size_t)bytes};

		assert_int_equal(tr_names_set(names, &name, &err), TR_OK);
	}
}

// Counts whether the interval of the change of 10.0.0.1's pair is given, holds the truth and
// excludes 0.
static void compare_once(struct tr_random *random, double session, double before, double after,
			 struct counts *counts)
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

		if (strcmp(joint_nodes_label(&changes.nodes, change->src), "10.0.0.1") != 0 ||
		    isnan(change->share.interval.lo))
			continue;
		counts->given++;
		counts->held += change->share.interval.lo <= truth &&
				truth <= change->share.interval.hi;
		counts->excluded += change->share.interval.lo > 0 || change->share.interval.hi < 0;
	}
	talker_changes_clear(&changes);
	talkers_close(&a);
	talkers_close(&b);
}

static void intervals_hold(void **state)
{
	static const double sessions[] = {1, 30, 400};
	const unsigned rounds = getenv("FLIT_LONG") ? 400 : 12;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 7, "talkers");
	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++) {
		struct counts same = {0}, moved = {0};

		for (unsigned round = 0; round < rounds; round++) {
			compare_once(&random, sessions[i], .3, .3, &same);
			compare_once(&random, sessions[i], .3, .6, &moved);
		}
		printf("sessions of %g packets: a share that stays: %u intervals of %u, %.3f hold; "
		       "one that doubles: %u, %.3f hold, %.3f exclude 0\n",
		       sessions[i], same.given, rounds, same.held / (double)same.given, moved.given,
		       moved.held / (double)moved.given, moved.excluded / (double)rounds);
		// .93 less three standard deviations of so many
		assert_true(same.held >= .93 * same.given - 3 * sqrt(.93 * .07 * same.given));
		assert_true(moved.held >= .93 * moved.given - 3 * sqrt(.93 * .07 * moved.given));
		if (sessions[i] <= 30) // fifty sessions are too few for most
			assert_true(same.given >= .8 * rounds && moved.excluded >= .8 * rounds);
	}
}

// ---- rates: a pair of a known law over time beside on-off traffic of the others, which moves its
// share

#define US 1000000.0

struct rate_law {
	const char *name;
	void (*draw)(struct talkers *talkers, struct tr_random *random, const struct rate_law *law,
		     double factor, double seconds);
	double a, b;	   // of the law
	double seconds[2]; // of the traces
	double given;	   // at least so many intervals, as a share
	double found;	   // at least so many of the falls by a third
};

static double draw_wait(struct tr_random *random)
{
	return -log(((double)tr_random_below(random, 1u << 30) + .5) / (1u << 30));
}

static void send_payload(struct talkers *talkers, double seconds, uint32_t src, uint32_t dst,
			 uint32_t payload)
{
	const struct tr_packet packet = {.time_ticks = llround(seconds * US),
					 .src = src,
					 .dst = dst,
					 .payload_bytes = payload};
	struct tr_error err;

	assert_int_equal(talkers_add(talkers, &packet, &err), TR_OK);
}

// a packets a second, 1/a s apart, from a random phase.
static void send_constant(struct talkers *talkers, struct tr_random *random,
			  const struct rate_law *law, double factor, double seconds)
{
	const double gap = 1 / law->a / factor,
		     phase = gap * (double)tr_random_below(random, 1000) / 1000;

	for (double at = phase; at < seconds; at += gap)
		send_payload(talkers, at, 0, 1, 1000);
}

static void send_poisson(struct talkers *talkers, struct tr_random *random,
			 const struct rate_law *law, double factor, double seconds)
{
	for (double at = draw_wait(random) / law->a / factor; at < seconds;
	     at += draw_wait(random) / law->a / factor)
		send_payload(talkers, at, 0, 1, 1000);
}

// On, at 1000 packets a second, for a s in the mean, and off for b s.
static void send_on_off_pair(struct talkers *talkers, struct tr_random *random, double a, double b,
			     double factor, double seconds, uint32_t src, uint32_t dst)
{
	bool on = (double)tr_random_below(random, 1u << 30) < a / (a + b) * (1u << 30);

	for (double at = 0; at < seconds; on = !on) {
		const double end = at + draw_wait(random) * (on ? a : b);

		for (double t = at; on && t < end && t < seconds; t += .001 / factor)
			send_payload(talkers, t, src, dst, 1000);
		at = end;
	}
}

static void send_on_off(struct talkers *talkers, struct tr_random *random,
			const struct rate_law *law, double factor, double seconds)
{
	send_on_off_pair(talkers, random, law->a, law->b, factor, seconds, 0, 1);
}

static void fill_by_law(struct talkers *talkers, struct tr_random *random,
			const struct rate_law *law, double factor, double seconds)
{
	struct tr_error err;

	assert_int_equal(talkers_open(talkers, (uint64_t)US, &err), TR_OK);
	law->draw(talkers, random, law, factor, seconds);
	send_on_off_pair(talkers, random, .5, 1, 1, seconds, 2, 1);
	assert_int_equal(talkers_finish(talkers, NULL, NULL, 0, &err), TR_OK);
	name_four_hosts(&talkers->names);
}

struct rate_counts {
	unsigned given, held, apart, shares_apart;
	unsigned facts, facts_of_pair; // that hold for all hosts and pairs together
};

// Two traces, the second at factor of the first's rate.
static void compare_rates(struct tr_random *random, const struct rate_law *law, double factor,
			  double truth, struct rate_counts *counts)
{
	struct talkers a = {.role_count = 0}, b = {.role_count = 0};
	const struct talker_change *facts[TALKER_FACTS];
	struct talker_changes changes;
	struct tr_error err;
	size_t more;

	fill_by_law(&a, random, law, 1, law->seconds[0]);
	fill_by_law(&b, random, law, factor, law->seconds[1]);
	assert_int_equal(talkers_compare(&a, &b, .95, &changes, &err), TR_OK);
	for (size_t i = 0; i < changes.pair_count; i++) {
		const struct talker_change *change = &changes.pairs[i];

		if (strcmp(joint_nodes_label(&changes.nodes, change->src), "10.0.0.1") != 0)
			continue;
		counts->shares_apart += change->share.interval.lo > 0 ||
					change->share.interval.hi < 0;
		if (isnan(change->rate.interval.lo))
			continue;
		assert_true(change->rate.interval.hi > change->rate.interval.lo);
		counts->given++;
		counts->held += change->rate.interval.lo <= truth &&
				truth <= change->rate.interval.hi;
		counts->apart += change->rate.interval.lo > 0 || change->rate.interval.hi < 0;
	}
	for (size_t i = 0, count = talker_facts(&changes, facts, &more); i < count; i++) {
		counts->facts++;
		counts->facts_of_pair += facts[i]->dst != TALKER_HOST &&
					 strcmp(joint_nodes_label(&changes.nodes, facts[i]->src),
						"10.0.0.1") == 0;
	}
	talker_changes_clear(&changes);
	talkers_close(&a);
	talkers_close(&b);
}

static void rates_hold(void **state)
{
	static const struct rate_law laws[] = {
		{"constant", send_constant, 300, 0, {20, 20}, .8, .9},
		{"constant, 20 s and 7 s", send_constant, 300, 0, {20, 7}, .8, .9},
		{"constant, few", send_constant, 3, 0, {20, 13}, .8, .9},
		{"Poisson", send_poisson, 300, 0, {20, 20}, .8, .8},
		{"Poisson, 20 s and 7 s", send_poisson, 300, 0, {20, 7}, .8, .8},
		{"on-off .1 s, .2 s", send_on_off, .1, .2, {20, 20}, .8, .2},
		{"on-off .1 s, .2 s; 40 s and 10 s", send_on_off, .1, .2, {40, 10}, .8, 0},
		{"on-off 2 s, 4 s", send_on_off, 2, 4, {20, 20}, 0, 0},
	};
	const unsigned rounds = getenv("FLIT_LONG") ? 400 : 8;
	const size_t every = getenv("FLIT_LONG") ? 1 : 2; // of the laws, the second first
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 11, "rates");
	for (size_t i = every - 1; i < sizeof(laws) / sizeof(*laws); i += every) {
		const struct rate_law *law = &laws[i];
		const double rate = 1000 *
				    (law->b > 0 ? 1000 * law->a / (law->a + law->b) : law->a);
		struct rate_counts same = {0}, moved = {0};

		for (unsigned round = 0; round < rounds; round++) {
			compare_rates(&random, law, 1, 0, &same);
			compare_rates(&random, law, 2. / 3, -rate / 3, &moved);
		}
		printf("%s: a rate that stays: %u intervals of %u, %u hold; one that falls by a "
		       "third: %u, %u hold, %u exclude 0 (shares %u); told for all together: %u of "
		       "what stays, %u of what falls, %u of these its pair\n",
		       law->name, same.given, rounds, same.held, moved.given, moved.held,
		       moved.apart, moved.shares_apart, same.facts, moved.facts,
		       moved.facts_of_pair);
		assert_true(same.held >= .93 * same.given - 3 * sqrt(.93 * .07 * same.given));
		assert_true(moved.held >= .93 * moved.given - 3 * sqrt(.93 * .07 * moved.given));
		assert_true(same.facts <= .05 * rounds + 3 * sqrt(.05 * .95 * rounds));
		assert_true(moved.facts - moved.facts_of_pair <=
			    .05 * rounds + 3 * sqrt(.05 * .95 * rounds));
		assert_true(same.given >= law->given * rounds &&
			    moved.apart >= law->found * rounds);
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
	struct matrix a = {.pairs = 0}, b = {.pairs = 0}, first = {.pairs = 0},
		      second = {.pairs = 0};
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
		const struct matrix_cell *own = &first.cells[i],
					 *other = matrix_find(&second, own->src, own->dst);

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
		cmocka_unit_test(rates_hold),
		cmocka_unit_test(nodes_are_matched_by_role),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
