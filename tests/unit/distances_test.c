// SPDX-License-Identifier: GPL-3.0-or-later
// Destinations by distance compared with individually counted cables and probabilities worked out
// by hand; senders that may send to themselves; the text of both.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "destinations_bed.h"
#include "model_run.h"

// A network to count distances on, as man/flit-topology.5 has it.
struct grid {
	const char *shape;
	uint32_t sizes[3], hosts;
	bool closed;
};

static bool are_joined(const struct grid *grid, uint32_t a, uint32_t b)
{
	unsigned differ = 0, steps = 0;

	for (unsigned x = 0; x < 3; x++) {
		const uint32_t size = grid->sizes[x], from = a % size, to = b % size;

		if (from != to) {
			differ++;
			steps += from + 1 == to || to + 1 == from ||
				 (grid->closed && (from + to == size - 1) &&
				  (from == 0 || to == 0));
		}
		a /= size;
		b /= size;
	}
	return differ == 1 && steps == 1;
}

// Cables on a shortest way between the switch and each other one.
static void count_cables(const struct grid *grid, uint32_t from, uint32_t away[100])
{
	const uint32_t all = grid->sizes[0] * grid->sizes[1] * grid->sizes[2];
	uint32_t queue[100], met = 1;

	for (uint32_t i = 0; i < all; i++)
		away[i] = UINT32_MAX;
	queue[0] = from;
	away[from] = 0;
	for (uint32_t i = 0; i < met; i++)
		for (uint32_t to = 0; to < all; to++)
			if (away[to] == UINT32_MAX && are_joined(grid, queue[i], to)) {
				away[to] = away[queue[i]] + 1;
				queue[met++] = to;
			}
	assert_int_equal(met, all);
}

// Chi-square of 100 draws for each node at this distance, which are all that are drawn; *freedom
// has their number less one added.
static double draw_at(const struct grid *grid, const struct destinations *d, uint32_t self,
		      uint32_t steps, double *freedom)
{
	uint32_t away[100], count[400] = {0}, there = 0;
	struct tr_random random;
	double chi = 0;

	count_cables(grid, self / grid->hosts, away);
	for (uint32_t node = 0; node < d->nodes; node++)
		there += away[node / grid->hosts] == steps && node != self;
	tr_random_open(&random, 100 * self + steps, grid->shape);
	for (uint32_t i = 0; i < 100 * there; i++)
		count[destinations_draw(d, self, &random)]++;
	for (uint32_t node = 0; node < d->nodes; node++)
		if (away[node / grid->hosts] == steps && node != self)
			chi += pow((double)count[node] - 100, 2) / 100;
		else
			assert_int_equal(count[node], 0);
	*freedom += there - 1;
	return chi;
}

// From each node of each network, at each distance that all nodes have: those that are that far by
// counting, all alike. The sum of chi-squares has the mean of their freedom and twice that as its
// variance.
static void distances_are_those_of_cables(void **state)
{
	static const struct grid grids[] = {{"torus:3x3,hosts=4", {3, 3, 1}, 4, true},
					    {"mesh:3x3,hosts=2", {3, 3, 1}, 2, false},
					    {"torus:4x5x2,hosts=2", {4, 5, 2}, 2, true},
					    {"4x3x2", {4, 3, 2}, 1, false},
					    {"ring:7", {7, 1, 1}, 1, true},
					    {"ring:8,hosts=3", {8, 1, 1}, 3, true},
					    {"line:9,hosts=2", {9, 1, 1}, 2, false},
					    {"torus:2x2x2", {2, 2, 2}, 1, true},
					    {"mesh:2x1x5,hosts=2", {2, 1, 5}, 2, false}};
	struct tr_error err = {""};

	(void)state;
	for (size_t g = 0; g < sizeof(grids) / sizeof(*grids); g++) {
		const struct grid *grid = &grids[g];
		const uint32_t switches = grid->sizes[0] * grid->sizes[1] * grid->sizes[2];
		const uint32_t reach = grid->sizes[0] / 2 + grid->sizes[1] / 2 + grid->sizes[2] / 2;
		double chi = 0, freedom = 0;

		for (uint32_t steps = grid->hosts == 1; steps <= reach; steps++) {
			struct destinations d;
			char text[200];

			(void)snprintf(text, sizeof(text),
				       DESTINATIONS_HEAD
				       "destinations by-distance\nshape %s\ndistances %.*s1\n",
				       grid->shape, (int)(2 * steps), "0 0 0 0 0 0 0 0 0 ");
			if (destinations_bed_open(&d, text, switches * grid->hosts, 1, &err) !=
			    TR_OK)
				fail_msg("%s", err.text);
			for (uint32_t self = 0; self < d.nodes; self++)
				chi += draw_at(grid, &d, self, steps, &freedom);
			destinations_clear(&d);
		}
		assert_true(fabs(chi - freedom) < 4 * sqrt(2 * freedom));
	}
}

// Draws of a node against probabilities worked out by hand: chi-square below the bound.
static void drawn_as(const char *keys, uint32_t nodes, uint32_t self, const double *probability,
		     double bound)
{
	struct tr_random random;
	struct tr_error err = {""};
	struct destinations d;
	unsigned count[100] = {0};
	double chi = 0;

	tr_random_open(&random, 7, keys);
	if (destinations_bed_open(&d, keys, nodes, 1, &err) != TR_OK)
		fail_msg("%s", err.text);
	for (int i = 0; i < 60000; i++)
		count[destinations_draw(&d, self, &random)]++;
	for (uint32_t i = 0; i < nodes; i++)
		if (probability[i] > 0)
			chi += pow((double)count[i] - 60000 * probability[i], 2) /
			       (60000 * probability[i]);
		else
			assert_int_equal(count[i], 0);
	assert_true(chi < bound);
	destinations_clear(&d);
}

// Of a ring of four switches with two nodes each: node 2's own switch has node 3 beside it,
// switches 0 and 2 are a cable away, switch 3 (nodes 6 and 7) two. Chi-square has 6 degrees of
// freedom, with node 2 itself 7: above 22.5 and 24.3 in one of a thousand.
static void shares_are_of_distances(void **state)
{
	const double without[] = {.05, .05, 0, .5, .05, .05, .15, .15},
		     with[] = {.05, .05, .25, .25, .05, .05, .15, .15};
	const double none[] = {0, 0, 0, 0, 0, 0, .5, .5};

	(void)state;
	drawn_as(DESTINATIONS_HEAD
		 "destinations by-distance\nshape ring:4,hosts=2\ndistances 1/2 20% 0.3\n",
		 8, 2, without, 22.5);
	drawn_as(DESTINATIONS_HEAD "destinations by-distance\nshape ring:4,hosts=2\ndistances 1/2 "
				   "20% 0.3\nsender included\n",
		 8, 2, with, 24.3);
	drawn_as(DESTINATIONS_HEAD
		 "destinations by-distance\nshape ring:4,hosts=2\ndistances 0 0 1\n",
		 8, 2, none, 10.8);
}

// All five alike with the sender; the hot node, too, has half and a fifth of the other half. A
// pattern's nodes that lead to themselves send.
static void the_sender_may_be_one(void **state)
{
	const double alike[] = {.2, .2, .2, .2, .2}, hot[] = {.1, .6, .1, .1, .1};
	const double own[] = {1, 0, 0, 0};

	(void)state;
	drawn_as(DESTINATIONS_HEAD "sender included\n", 5, 3, alike, 18.5);
	drawn_as(DESTINATIONS_HEAD
		 "destinations hot-spot\nhot-node 1\nhot-share 50 %\nsender included\n",
		 5, 1, hot, 18.5);
	drawn_as(DESTINATIONS_HEAD
		 "destinations hot-spot\nhot-node 1\nhot-share 50 %\nsender included\n",
		 5, 4, hot, 18.5);
	drawn_as(DESTINATIONS_HEAD "destinations uniform\nsender excluded\n", 2, 0,
		 (const double[]){0, 1}, 1);
	drawn_as(DESTINATIONS_HEAD "destinations transpose\nsender included\n", 4, 0, own, 1);
	drawn_as(DESTINATIONS_HEAD
		 "destinations by-distance\nshape 4\ndistances 1\nsender included\n",
		 4, 0, own, 1);
}

static bool leads(const char *keys, uint32_t nodes, uint32_t self)
{
	struct tr_error err = {""};
	struct destinations d;
	bool leads;

	assert_int_equal(destinations_bed_open(&d, keys, nodes, 1, &err), TR_OK);
	leads = destinations_lead(&d, self);
	destinations_clear(&d);
	return leads;
}

static void a_node_without_another_sends_where_it_may_to_itself(void **state)
{
	(void)state;
	assert_false(leads(DESTINATIONS_HEAD "destinations transpose\n", 4, 3));
	assert_true(leads(DESTINATIONS_HEAD "destinations transpose\nsender included\n", 4, 3));
	assert_true(leads(DESTINATIONS_HEAD "sender included\n", 2, 0));
	assert_true(leads(
		DESTINATIONS_HEAD "destinations by-distance\nshape line:3\ndistances 0 1\n", 3, 0));
}

// Many at once are those that are drawn one by one.
static void many_are_as_one_by_one(void **state)
{
	static const char *const keys[] = {
		DESTINATIONS_HEAD "sender included\n", DESTINATIONS_HEAD "sender excluded\n",
		DESTINATIONS_HEAD
		"destinations by-distance\nshape torus:3x3\ndistances 0 1/2 1/2\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct tr_random one, many;
		struct tr_error err = {""};
		struct destinations d;
		uint32_t to[100];

		assert_int_equal(destinations_bed_open(&d, keys[i], 9, 1, &err), TR_OK);
		tr_random_open(&one, 3, "to");
		many = one;
		destinations_draw_many(&d, 4, &many, to, 100);
		for (size_t k = 0; k < 100; k++)
			assert_int_equal(to[k], destinations_draw(&d, 4, &one));
		destinations_clear(&d);
	}
}

// Keys are written as they are read, numbers and networks in their shortest form.
static void keys_come_back(void **state)
{
	static const struct {
		const char *keys, *written;
	} texts[] = {
		{"destinations by-distance\nshape torus:3x3,hosts=4\ndistances 1/3 1/3 1/3\nsender "
		 "included\n",
		 NULL},
		{"destinations nearest\nshape 4x4,hosts=2\n", NULL},
		{"destinations by-distance\nshape mesh:2x2\ndistances 0 100% 0\nsender excluded\n",
		 "destinations by-distance\nshape 2x2\ndistances 0 1 0\n"},
		{"destinations neighbour\nshape ring:5,hosts=1\n",
		 "destinations neighbour\nshape torus:5\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct destinations_model parameters;
		struct model in, out = {.name = NULL};
		struct tr_error err = {""};
		char text[400], expected[400], *written = NULL;
		size_t bytes;
		FILE *file = open_memstream(&written, &bytes);

		(void)snprintf(text, sizeof(text), DESTINATIONS_HEAD "%s", texts[i].keys);
		(void)snprintf(expected, sizeof(expected), DESTINATIONS_HEAD "%s",
			       texts[i].written ? texts[i].written : texts[i].keys);
		model_of_text(&in, text);
		assert_int_equal(destinations_bed_get(&in, &parameters, &err), TR_OK);
		destinations_put(&out, &parameters);
		assert_int_equal(model_write(&out, file, &err), TR_OK);
		assert_int_equal(fclose(file), 0);
		assert_string_equal(written, expected);
		free(written);
		destinations_model_clear(&parameters);
		model_clear(&in);
		model_clear(&out);
	}
}

static void networks_that_are_none_are_refused(void **state)
{
	(void)state;
	destinations_bed_refused(
		DESTINATIONS_HEAD "shape cube:4x4\n", 16,
		"t.model:2: shape: expected mesh, torus, line or ring, found \"cube\"");
	destinations_bed_refused(DESTINATIONS_HEAD "shape ring:4x4\n", 16,
				 "t.model:2: shape: more than 1 dimension");
	destinations_bed_refused(DESTINATIONS_HEAD "shape torus:\n", 16,
				 "t.model:2: shape: expected sizes such as 4x4: '' is not a whole "
				 "number from 1 to 1000000");
	destinations_bed_refused(DESTINATIONS_HEAD "shape 4x4,ports=8\n", 16,
				 "t.model:2: shape: expected hosts=, not \"ports=8\"");
	destinations_bed_refused(
		DESTINATIONS_HEAD "shape 4x4,hosts=0\n", 16,
		"t.model:2: shape: hosts: '0' is not a whole number from 1 to 1000000");
	destinations_bed_refused(
		DESTINATIONS_HEAD "shape 4x4,hosts=2,hosts=2\n", 16,
		"t.model:2: shape: hosts: '2,hosts=2' is not a whole number from 1 to 1000000");
	destinations_bed_refused(DESTINATIONS_HEAD "shape 4x4\nshape 4x4\n", 16,
				 "t.model:3: shape is given twice");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations nearest\nshape line:1,hosts=16\n",
				 16,
				 "t.model:2: destinations nearest: the shape has only one switch");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations tornado\nshape torus:4x4,hosts=4\n", 16,
		"t.model:2: destinations tornado: the shape has 64 nodes, not 16");
}

// In a line of four switches the middle ones have none three away; two of the same switch are none
// away.
static void shares_that_cannot_be_are_refused(void **state)
{
#define BY DESTINATIONS_HEAD "destinations by-distance\nshape line:4,hosts=2\n"
#define EXPECTED "t.model:4: distances: expected shares such as 1/3 1/3 1/3: "
	(void)state;
	destinations_bed_refused(
		BY, 8, "t.model:2: destinations by-distance: the key distances is missing");
	destinations_bed_refused(BY "distances 1/4 1/4 1/4 1/4\n", 8,
				 "t.model:2: destinations by-distance: distance 3: some nodes have "
				 "no other node at this distance; all have one up to distance 2");
	destinations_bed_refused(
		BY "distances 1/3 1/3 1/3\n", 4,
		"t.model:2: destinations by-distance: the shape has 8 nodes, not 4");
	destinations_bed_refused(BY "distances .33 .33 .33\n", 8,
				 EXPECTED "the shares sum to less than 1");
	destinations_bed_refused(BY "distances 1/2 .500000001\n", 8,
				 EXPECTED "the shares sum to more than 1");
	destinations_bed_refused(BY "distances 3/2\n", 8, EXPECTED "share 1 is outside 0 .. 1");
	destinations_bed_refused(BY "distances 1/2 -1/2 1\n", 8,
				 EXPECTED "share 2 is outside 0 .. 1");
	destinations_bed_refused(BY "distances 1/999999999989 1/999999999961\n", 8,
				 EXPECTED "the sum of the shares has too many digits");
	destinations_bed_refused(BY "distances near\n", 8,
				 EXPECTED "'near' is not a number, with % if it is a percentage");
	destinations_bed_refused(BY "distances 1\ndistances 1\n", 8,
				 "t.model:5: distances is given twice");
	destinations_bed_refused(
		DESTINATIONS_HEAD "destinations by-distance\nshape 4\ndistances 1/2 1/2\n", 4,
		"t.model:2: destinations by-distance: distance 0: each node is alone on its switch "
		"and does not send to itself");
	destinations_bed_refused(DESTINATIONS_HEAD "distances 1\n", 4,
				 "t.model:2: distances: only with destinations by-distance");
	destinations_bed_refused(DESTINATIONS_HEAD "sender there\n", 4,
				 "t.model:2: sender: \"there\" is none of excluded, included");
	destinations_bed_refused(DESTINATIONS_HEAD "destinations by-role\nsender included\n", 4,
				 "t.model:3: sender: not with destinations by-role");
#undef BY
#undef EXPECTED
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_cables),
		cmocka_unit_test(shares_are_of_distances),
		cmocka_unit_test(the_sender_may_be_one),
		cmocka_unit_test(a_node_without_another_sends_where_it_may_to_itself),
		cmocka_unit_test(many_are_as_one_by_one),
		cmocka_unit_test(keys_come_back),
		cmocka_unit_test(networks_that_are_none_are_refused),
		cmocka_unit_test(shares_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
