// SPDX-License-Identifier: GPL-3.0-or-later
// Block designs on random sizes against second algorithms, the bounds of table 5.8 of Qiao (1997),
// and bisections against plain enumeration. FLIT_LONG=1 tries many more, and all of the table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flitnet/flitnet.h"
#include "net/studies/designs/blocks.h"
#include "net/routes/deadlock.h"
#include "net/routings/routing.h"
#include "net/topology/cut.h"
#include "value/random.h"

static unsigned rounds(unsigned few, unsigned many)
{
	return getenv("FLIT_LONG") ? many : few;
}

static uint32_t below(struct tr_random *random, uint64_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

// Random base blocks of one to three parts over 3 to 40 switches.
static struct net_base draw_base(struct tr_random *random)
{
	struct net_base base = {.switches = 3 + below(random, 38), .parts = 1 + below(random, 3)};
	uint32_t *objects = base.objects;

	for (uint32_t part = 0; part < base.parts; objects += base.lengths[part++]) {
		uint32_t all[40];

		base.lengths[part] = 2 + below(random, base.switches < 8 ? base.switches - 1 : 7);
		for (uint32_t i = 0; i < base.switches; i++)
			all[i] = i;
		for (uint32_t i = 0; i < base.lengths[part]; i++) {
			const uint32_t j = i + below(random, base.switches - i);

			objects[i] = all[j];
			all[j] = all[i];
		}
	}
	return base;
}

// Lemma 7: every pair is in a block if and only if the base blocks yield all differences.
static bool has_all_pairs(const struct net_blocks *blocks)
{
	bool met[40][40] = {{false}};

	for (uint32_t block = 0; block < blocks->count; block++)
		for (uint32_t p = blocks->first[block]; p < blocks->first[block + 1]; p++)
			for (uint32_t q = blocks->first[block]; q < blocks->first[block + 1]; q++)
				met[blocks->objects[p]][blocks->objects[q]] = true;
	for (uint32_t i = 0; i < blocks->switches; i++)
		for (uint32_t j = 0; j < i; j++)
			if (!met[i][j])
				return false;
	return true;
}

// Whether all switches can be reached from switch 0, by spreading until nothing changes.
static bool is_joined(const struct net_blocks *blocks)
{
	bool met[40] = {true};
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t block = 0; block < blocks->count; block++)
			for (uint32_t p = blocks->first[block]; p + 1 < blocks->first[block + 1];
			     p++) {
				const uint32_t a = blocks->objects[p];
				const uint32_t b = blocks->objects[p + 1];

				more = more || met[a] != met[b];
				met[a] = met[b] = met[a] || met[b];
			}
	}
	for (uint32_t i = 0; i < blocks->switches; i++)
		if (!met[i])
			return false;
	return true;
}

static void check_trail(const struct net_blocks *blocks)
{
	const uint32_t cables = net_blocks_cables(blocks);
	struct tr_error err;
	uint32_t *trail = net_blocks_trail(blocks, &err);
	unsigned char *used = calloc(blocks->first[blocks->count], 1);

	assert_int_equal(trail != NULL, is_joined(blocks));
	for (uint32_t i = 0; trail && i < cables; i++) {
		assert_int_equal(used[trail[i]]++, 0);
		assert_int_equal(blocks->objects[trail[i] + 1],
				 blocks->objects[trail[(i + 1) % cables]]);
	}
	for (uint32_t block = 0; trail && block < blocks->count; block++)
		for (uint32_t p = blocks->first[block]; p < blocks->first[block + 1]; p++)
			assert_int_equal(used[p], p + 1 < blocks->first[block + 1]);
	free(used);
	free(trail);
}

// Fewest blocks, then fewest cables, between all switches, by Floyd and Warshall over pairs of
// both.
static void plain_distances(const struct net_blocks *blocks, uint64_t *cost)
{
	const uint32_t s = blocks->switches;

	for (uint32_t i = 0; i < s * s; i++)
		cost[i] = i % (s + 1) == 0 ? 0 : UINT32_MAX;
	for (uint32_t block = 0; block < blocks->count; block++)
		for (uint32_t p = blocks->first[block]; p < blocks->first[block + 1]; p++)
			for (uint32_t q = blocks->first[block]; q < blocks->first[block + 1]; q++) {
				uint64_t *old = &cost[blocks->objects[p] * s + blocks->objects[q]];
				const uint64_t way = 65536 + (p < q ? q - p : p - q);

				if (p != q && way < *old)
					*old = way;
			}
	for (uint32_t k = 0; k < s; k++)
		for (uint32_t i = 0; i < s; i++)
			for (uint32_t j = 0; j < s; j++)
				if (cost[i * s + k] + cost[k * s + j] < cost[i * s + j])
					cost[i * s + j] = cost[i * s + k] + cost[k * s + j];
}

// The leg of two switches that share a block, by the order of what stands in the header: cables,
// then the two indices, then the block.
static void check_choice(const struct net_blocks *blocks, const struct net_leg *leg, uint32_t from,
			 uint32_t to)
{
	uint64_t best = UINT64_MAX;
	struct net_leg expected = {0, 0};

	for (uint32_t block = 0; block < blocks->count; block++)
		for (uint32_t p = blocks->first[block]; p < blocks->first[block + 1]; p++)
			for (uint32_t q = blocks->first[block]; q < blocks->first[block + 1]; q++) {
				const uint64_t i = p - blocks->first[block];
				const uint64_t j = q - blocks->first[block];
				const uint64_t rank = (p < q ? q - p : p - q) << 16 | i << 8 | j;

				if (blocks->objects[p] != from || blocks->objects[q] != to ||
				    rank >= best)
					continue;
				best = rank;
				expected = (struct net_leg){p, q};
			}
	assert_true(best == UINT64_MAX || (leg->from == expected.from && leg->to == expected.to));
}

static void check_legs(const struct net_blocks *blocks)
{
	const uint32_t s = blocks->switches;
	static uint64_t cost[40 * 40];
	struct net_legs legs;
	struct tr_error err;

	plain_distances(blocks, cost);
	assert_int_equal(net_legs_open(&legs, blocks, &err), TR_OK);
	for (uint32_t from = 0; from < s; from++)
		for (uint32_t to = 0; to < s; to++) {
			uint64_t way = 0;
			uint32_t at = from;

			if (from != to)
				check_choice(blocks, net_legs_at(&legs, from, to), from, to);
			while (at != to &&
			       net_legs_at(&legs, at, to)->from != net_legs_at(&legs, at, to)->to) {
				const struct net_leg *leg = net_legs_at(&legs, at, to);

				assert_int_equal(blocks->objects[leg->from], at);
				way += 65536 + (leg->from < leg->to ? leg->to - leg->from
								    : leg->from - leg->to);
				at = blocks->objects[leg->to];
			}
			assert_true(at == to ? way == cost[from * s + to]
					     : cost[from * s + to] == UINT32_MAX);
			if (at == to)
				assert_int_equal(legs.cables[from * s + to], way % 65536);
		}
	net_legs_close(&legs);
}

static void check_text(const struct net_blocks *blocks)
{
	char *text[2] = {NULL, NULL};
	size_t bytes[2];
	struct net_blocks again = *blocks;
	struct tr_source *source;
	struct tr_error err;

	for (int i = 0; i < 2; i++) {
		FILE *out = open_memstream(&text[i], &bytes[i]);

		assert_non_null(out);
		net_blocks_write(&again, "a\nb", out);
		assert_int_equal(fclose(out), 0);
		if (i == 1)
			net_blocks_close(&again);
		else {
			assert_int_equal(
				tr_source_open_memory(&source, text[0], bytes[0], "memory", &err),
				TR_OK);
			assert_int_equal(net_blocks_read(&again, source, &err), TR_OK);
			tr_source_close(source);
		}
	}
	assert_string_equal(text[0], text[1]);
	free(text[0]);
	free(text[1]);
}

// Routes of the rule lead where they should, and do not wait in a cycle where every pair has its
// block.
static void check_routes(const struct net_base *base, const struct net_blocks *blocks)
{
	char text[NET_BASE_TEXT_BYTES + 20] = "blocks:base=";
	struct net_topology topology;
	struct net_routes routes;
	struct net_cycle cycle;
	struct net_graph graph;
	struct tr_error err;

	if (!is_joined(blocks))
		return;
	net_base_format(base, text + strlen(text), NET_BASE_TEXT_BYTES);
	assert_int_equal(net_blocks_lay(blocks, blocks->switches + 3, 0, &topology, &err), TR_OK);
	assert_int_equal(net_topology_check(&topology, &err), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, text, &err), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, &err), TR_OK);
	assert_int_equal(net_deadlock_find(&cycle, &graph, &routes, &err), TR_OK);
	if (has_all_pairs(blocks))
		assert_int_equal(cycle.count, 0);
	net_cycle_clear(&cycle);
	net_graph_close(&graph);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

static void random_designs_are_what_they_should_be(void **state)
{
	struct tr_random random;
	unsigned whole = 0;

	(void)state;
	tr_random_open(&random, 1, "designs");
	for (unsigned i = 0; i < rounds(60, 1000); i++) {
		const struct net_base base = draw_base(&random);
		struct net_blocks blocks;
		struct net_base sorted = base;
		struct tr_error err;
		bool all;

		assert_int_equal(net_blocks_develop(&blocks, &base, &err), TR_OK);
		all = net_base_differences(&base) == base.switches - 1;
		whole += all;
		assert_int_equal(has_all_pairs(&blocks), all);
		check_trail(&blocks);
		check_legs(&blocks);
		check_text(&blocks);
		check_routes(&base, &blocks);
		net_blocks_close(&blocks);
		net_base_arrange(&sorted);
		assert_int_equal(net_base_differences(&sorted), net_base_differences(&base));
		assert_true(net_base_order_of(&sorted).doubled <= net_base_order_of(&base).doubled);
	}
	assert_true(whole > 10 && whole < rounds(60, 1000) - 10);
}

// The most differences that any objects yield, by trying all sets.
static uint32_t plain_best(uint32_t switches, uint32_t objects)
{
	uint32_t best = 0;

	for (uint32_t set = 1; set < UINT32_C(1) << switches; set += 2) {
		uint32_t differences = 0;
		uint32_t count;

		if (__builtin_popcount(set) != (int)objects)
			continue;
		for (uint32_t d = 1; d < switches; d++)
			if ((set & (set << d | set >> (switches - d))) != 0)
				differences |= UINT32_C(1) << d;
		count = (uint32_t)__builtin_popcount(differences);
		if (count > best)
			best = count;
	}
	return best;
}

static void the_exhaustive_search_is_optimal(void **state)
{
	const struct net_base_search search = {.restarts = 1, .exhaustive = true, .seed = 1};
	const uint32_t most = rounds(14, 20);

	(void)state;
	for (uint32_t s = 3; s <= most; s++)
		for (uint32_t r = 2; r <= s && r <= 7; r++) {
			struct net_base base = {.switches = s, .parts = 1, .lengths = {r}};
			struct tr_error err;

			assert_int_equal(net_base_find(&base, &search, &err), TR_OK);
			assert_int_equal(net_base_differences(&base), plain_best(s, r));
		}
	// Perfect difference sets, which the heuristic does not find in a pass.
	for (uint32_t r = 5; r <= rounds(5, 6); r++) {
		struct net_base base = {.switches = r * r - r + 1, .parts = 1, .lengths = {r}};
		struct tr_error err;

		assert_int_equal(net_base_find(&base, &search, &err), TR_OK);
		assert_int_equal(net_base_differences(&base), r * r - r);
	}
}

// Random ties find what the lowest do not, other seeds find other blocks, and the same seed the
// same.
static void restarts_pay(void **state)
{
	struct net_base_search search = {.restarts = 100, .seed = 1};
	unsigned better = 0;
	unsigned other = 0;

	(void)state;
	for (uint32_t s = 20; s < 60; s++) {
		struct net_base base[4];
		struct tr_error err;

		for (unsigned i = 0; i < 4; i++) {
			base[i] = (struct net_base){.switches = s, .parts = 1, .lengths = {7}};
			search.restarts = i == 0 ? 1 : 100;
			search.seed = i == 3 ? 2 : 1;
			assert_int_equal(net_base_find(&base[i], &search, &err), TR_OK);
		}
		assert_true(net_base_differences(&base[1]) >= net_base_differences(&base[0]));
		assert_memory_equal(&base[1], &base[2], sizeof(base[1]));
		better += net_base_differences(&base[1]) > net_base_differences(&base[0]);
		other += memcmp(&base[1], &base[3], sizeof(base[1])) != 0;
	}
	assert_true(better > 10);
	assert_true(other > 10);
}

// Table 5.8: with so many objects more than the root of s, rounded up, the heuristic yields all
// differences, and with one more at least 85 %.
static void the_bounds_of_table_5_8_hold(void **state)
{
	const struct net_base_search search = {.restarts = 100, .seed = 1};
	const uint32_t step = rounds(37, 1);
	uint32_t root = 2;

	(void)state;
	for (uint32_t s = 3; s <= 400; s += step) {
		const uint32_t excess = s <= 100 ? 2 : s <= 200 ? 4 : s <= 300 ? 5 : 7;
		struct net_base base = {.switches = s, .parts = 1};
		struct tr_error err;

		while (root * root < s)
			root++;
		base.lengths[0] = root + excess < s ? root + excess : s;
		assert_int_equal(net_base_find(&base, &search, &err), TR_OK);
		if (net_base_differences(&base) != s - 1)
			fail_msg("%u objects of %u switches yield %u", root + excess, s,
				 net_base_differences(&base));
		base.lengths[0] = root + 1;
		assert_int_equal(net_base_find(&base, &search, &err), TR_OK);
		if (100 * net_base_differences(&base) < 85 * (s - 1))
			fail_msg("%u objects of %u switches yield %u", root + 1, s,
				 net_base_differences(&base));
	}
}

// Both bisections by looking at every choice of sides of every cable's ends.
static void plain_bisections(const struct net_topology *topology, struct bisection *found)
{
	const uint32_t s = topology->switches;
	const uint32_t hosts = topology->hosts;

	*found = (struct bisection){.hosts = UINT64_MAX, .switches = UINT64_MAX};
	for (uint32_t mask = 0; mask < UINT32_C(1) << s; mask++) {
		const uint32_t ones = (uint32_t)__builtin_popcount(mask);
		uint64_t cut = 0;
		uint32_t near = 0; // hosts on side 1

		for (size_t i = 0; i < topology->cable_count; i++) {
			const uint32_t a = topology->cables[i].ends[0].node;
			const uint32_t b = topology->cables[i].ends[1].node;

			if (a < hosts || b < hosts)
				near += mask >> ((a < hosts ? b : a) - hosts) & 1u;
			else
				cut += (mask >> (a - hosts) & 1u) != (mask >> (b - hosts) & 1u);
		}
		if ((ones == s / 2 || ones == (s + 1) / 2) && cut < found->switches)
			found->switches = cut;
		// Hosts change sides one by one until there are as many, or one more.
		while (2 * near > hosts + 1 || 2 * near + 1 < hosts) {
			near += 2 * near > hosts ? -1u : 1u;
			cut++;
		}
		if (cut < found->hosts)
			found->hosts = cut;
	}
}

// No bisection is below what uniform traffic says that it has at least.
static void assert_least_holds(const struct net_topology *topology, const struct bisection *plain)
{
	struct bisection least = {0};
	struct net_graph graph;
	struct net_cut cut;

	assert_int_equal(net_graph_open(&graph, topology, NULL), TR_OK);
	assert_int_equal(net_cut_open(&cut, &graph, NULL), TR_OK);
	assert_int_equal(bisection_find_least(&cut, topology->hosts, &least, NULL), TR_OK);
	assert_true(least.least_hosts <= plain->hosts);
	assert_true(least.least_switches <= plain->switches);
	net_cut_close(&cut);
	net_graph_close(&graph);
}

static void exact_bisections_are_the_least(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 2, "designs");
	for (unsigned i = 0; i < rounds(60, 2000); i++) {
		struct net_topology topology;
		struct bisection found, plain;
		struct tr_error err;
		char text[100];

		(void)snprintf(text, sizeof(text), "random-irregular:%u,ports=8,hosts=%u,seed=%u",
			       1 + below(&random, 9), 1 + below(&random, 5), i);
		if (net_topology_make(&topology, text, &err) != TR_OK)
			continue;
		for (uint32_t moved = below(&random, 4); moved-- > 0 && topology.switches > 1;) {
			struct net_end *end =
				&topology.cables[below(&random, topology.hosts)].ends[1];

			end->node = topology.hosts +
				    below(&random, topology.switches); // on a port of its own
			end->port = topology.ports[end->node - topology.hosts]++;
		}
		assert_int_equal(net_topology_check(&topology, &err), TR_OK);
		assert_int_equal(bisection_find(&topology, &found, &err), TR_OK);
		plain_bisections(&topology, &plain);
		assert_int_equal(found.hosts, plain.hosts);
		assert_int_equal(found.switches, plain.switches);
		assert_least_holds(&topology, &plain);
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_designs_are_what_they_should_be),
		cmocka_unit_test(the_exhaustive_search_is_optimal),
		cmocka_unit_test(restarts_pay),
		cmocka_unit_test(the_bounds_of_table_5_8_hold),
		cmocka_unit_test(exact_bisections_are_the_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
