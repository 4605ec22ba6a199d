// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of switched networks against a second one that goes through everything in each cycle,
// on random cases: every time of every packet. Beside that what holds whatever the case: any order
// within a phase gives the same, no byte is lost, and routes with a choice of one are lists.
// FLIT_LONG=1 tries many more, FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/fabric.h"
#include "net/routes/choices.h"
#include "net/switched/switched_run.h"
#include "switched_case.h"
#include "setting.h"

static uint64_t first(void)
{
	return setting("FLIT_FIRST", 0);
}

static uint64_t cases(void)
{
	return setting("FLIT_CASES", getenv("FLIT_LONG") ? 6000 : 400);
}

static void print_case(uint64_t number, const struct switched_case *c)
{
	static const char *const switchings[] = {"store", "cut-through", "wormhole"};
	const struct switched_params *p = &c->params;

	print_message("case %llu: %u switches, %u hosts, %u packets, %s, header %llu, buffer %llu, "
		      "pool %llu, grant %d, %s, %s%s\n",
		      (unsigned long long)number, c->topology.switches, c->topology.hosts, c->count,
		      switchings[p->switching], (unsigned long long)p->header_B,
		      (unsigned long long)p->buffer_B, (unsigned long long)p->pool_B, p->grant,
		      c->routes.choices ? "choices" : "lists", p->finite ? "finite" : "open",
		      p->first_come ? ", first-come" : "");
}

static void expect_same(uint64_t number, const struct switched_case *c,
			const struct switched_fates *expected, const struct switched_fates *found)
{
	if (memcmp(expected, found, sizeof(*expected)) == 0)
		return;
	print_case(number, c);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct switched_fate *a = &expected->packets[i], *b = &found->packets[i];

		if (memcmp(a, b, sizeof(*a)) != 0)
			print_message("packet %u (%u > %u, %u B, at %lld): created %lld %lld, "
				      "injected %lld %lld, head %lld %lld, "
				      "received %lld %lld, hops %u %u, turn %u %u\n",
				      i, c->packets[i].source, c->packets[i].destination,
				      c->packets[i].size_bytes, (long long)c->packets[i].time_ticks,
				      (long long)a->created_ticks, (long long)b->created_ticks,
				      (long long)a->injected_ticks, (long long)b->injected_ticks,
				      (long long)a->head_ticks, (long long)b->head_ticks,
				      (long long)a->received_ticks, (long long)b->received_ticks,
				      a->hops, b->hops, a->turn, b->turn);
	}
	for (uint32_t i = 0; i < 2 * CASE_CABLES; i++) {
		const struct switched_work *a = &expected->work[i], *b = &found->work[i];

		if (memcmp(a, b, sizeof(*a)) != 0)
			print_message("link %u: busy %lld %lld, stopped %lld %lld, asks %lld %lld, "
				      "area %lld %lld, bytes %lld %lld, peak %lld %lld\n",
				      i, (long long)a->busy, (long long)b->busy,
				      (long long)a->stopped, (long long)b->stopped,
				      (long long)a->asks, (long long)b->asks, (long long)a->area,
				      (long long)b->area, (long long)a->bytes, (long long)b->bytes,
				      (long long)a->peak, (long long)b->peak);
	}
	fail_msg("case %llu differs: deadlocked %d %d", (unsigned long long)number,
		 expected->deadlocked, found->deadlocked);
}

static void check_books(const struct switched_case *c, const struct switched_fates *fates,
			const struct net_totals *totals)
{
	uint64_t bytes = 0;

	assert_true(totals->offered == totals->delivered + totals->dropped + totals->in_flight);
	assert_int_equal(totals->deadlocked, totals->in_flight > 0);
	for (uint32_t i = 0; i < c->count; i++)
		bytes += (uint64_t)c->packets[i].size_bytes * (fates->packets[i].hops + 1);
	if (totals->delivered == c->count)
		assert_int_equal(totals->own[SWITCHED_BYTE_HOPS], bytes);
}

// The local engine, in two orders, does what the plain one has done.
static void check_local(uint64_t number, const struct switched_case *c,
			const struct switched_fates *expected, const struct net_totals *plain)
{
	for (uint64_t shuffle = 0; shuffle <= number + 1; shuffle += number + 1) {
		struct switched_fates found;
		struct net_totals totals;

		assert_true(switched_case_run(c, &switched_local, shuffle, &found, &totals));
		expect_same(number, c, expected, &found);
		assert_int_equal(totals.end_ticks, plain->end_ticks);
		assert_memory_equal(totals.own, plain->own, sizeof(totals.own));
	}
}

static void test_naive(void **state)
{
	uint64_t deadlocked = 0, adaptive = 0, pooled = 0;

	(void)state;
	for (uint64_t i = first(); i < first() + cases(); i++) {
		struct switched_fates expected, found, shuffled;
		struct switched_case c;
		struct net_totals totals;

		switched_case_draw(&c, i);
		switched_naive(&c, &expected);
		if (!switched_case_run(&c, &switched_reference, 0, &found, &totals))
			fail_msg("case %llu", (unsigned long long)i);
		for (uint32_t k = 0; k < 2 * CASE_CABLES; k++)
			expected.work[k].peak = found.work[k].peak; // which the second one has not
		expect_same(i, &c, &expected, &found);
		check_books(&c, &found, &totals);
		assert_true(switched_case_run(&c, &switched_reference, i + 1, &shuffled, &totals));
		expect_same(i, &c, &found, &shuffled);
		if (c.params.pool_B == 0)
			check_local(i, &c, &found, &totals);
		deadlocked += found.deadlocked;
		adaptive += c.routes.choices != NULL;
		pooled += c.params.pool_B > 0;
		switched_case_close(&c);
	}
	if (cases() >= 400) {
		assert_in_range(deadlocked, cases() / 200, cases() / 4);
		assert_in_range(adaptive, cases() / 3, cases() * 2 / 3);
		assert_in_range(pooled, cases() / 10, cases() / 4);
	}
}

// The lists of the best options, without the choices.
static void make_lists(const struct net_routes *from, struct net_routes *lists)
{
	uint16_t ports[CASE_SWITCHES + 2];

	assert_int_equal(net_route_table_open(lists, from->hosts, NULL), TR_OK);
	for (uint32_t a = 0; a < from->hosts; a++)
		for (uint32_t b = 0; b < from->hosts; b++) {
			const uint32_t count = net_routes_get(from, a, b, ports);

			if (count != NET_NO_ROUTE)
				assert_int_equal(
					net_route_table_put(lists, a, b, ports, count, NULL),
					TR_OK);
		}
}

// Leaves each entry its best option.
static void thin(struct switched_case *c)
{
	const struct net_choices *all = c->routes.choices;
	struct net_choices *one = net_choices_open(&c->graph, 1, NULL);
	struct net_routes routes;

	assert_non_null(one);
	for (uint32_t input = 0; input < net_choices_inputs(all); input++)
		for (uint32_t to = 0; to < c->topology.switches; to++) {
			uint32_t count;
			const struct net_option *options = net_choices_get(all, input, to, &count);

			assert_int_equal(net_choices_put(one, input, to, options, count > 0, NULL),
					 TR_OK);
		}
	net_choices_need_empty(one, net_choices_empty_needed(all));
	assert_int_equal(net_choices_routes(&routes, one, NULL), TR_OK);
	net_routes_clear(&c->routes);
	c->routes = routes;
}

static void test_one_option(void **state)
{
	uint64_t tried = 0;

	(void)state;
	for (uint64_t i = first(); i < first() + cases(); i++) {
		struct switched_fates by_choice, by_list;
		struct switched_case c;
		struct net_totals totals;
		struct net_routes lists;

		switched_case_draw(&c, i);
		if (c.routes.choices) {
			thin(&c);
			assert_true(
				switched_case_run(&c, &switched_reference, 0, &by_choice, &totals));
			c.params.grant = switched_granted(&c.params, &c.routes);
			make_lists(&c.routes, &lists);
			net_routes_clear(&c.routes);
			c.routes = lists;
			assert_true(
				switched_case_run(&c, &switched_reference, 0, &by_list, &totals));
			expect_same(i, &c, &by_choice, &by_list);
			tried++;
		}
		switched_case_close(&c);
	}
	assert_true(tried > cases() / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_naive),
		cmocka_unit_test(test_one_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
