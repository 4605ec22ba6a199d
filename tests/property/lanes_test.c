// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of networks with lanes against a second one that goes through everything in each cycle, on random cases: every
// time of every packet, in two orders of the components. FLIT_LONG=1 tries many more, FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lanes_case.h"
#include "net/choices.h"
#include "net/lanes/lanes_run.h"
#include "trace/num.h"

static uint64_t setting(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	uint64_t value;

	if (!text)
		return usual;
	assert_int_equal(num_parse_count(text, 0, UINT64_MAX, &value, NULL), TR_OK);
	return value;
}

static uint64_t cases(void)
{
	return setting("FLIT_CASES", getenv("FLIT_LONG") ? 10000 : 300);
}

static void print_case(uint64_t number, const struct lanes_case *c)
{
	const struct lanes_params *p = &c->params;

	print_message("case %llu: %s, %s, %u packets, switching %d, %llu lanes of %llu, flit %llu B, orders %d %d, iterations %llu, "
		      "sends %llu\n",
		      (unsigned long long)number, c->network, c->rule[0] ? c->rule : "choices", c->count, p->switching,
		      (unsigned long long)p->lanes, (unsigned long long)p->buffer_flits, (unsigned long long)p->flit_B,
		      p->lane_order, p->link_order, (unsigned long long)p->iterations, (unsigned long long)p->sends);
	print_message("routing %d, allocation %d, header %d, arbitration %d, traversal %d, link %d, credit %d%s%s%s%s%s%s\n",
		      (int)p->pipeline.routing, (int)p->pipeline.allocation, (int)p->pipeline.header, (int)p->pipeline.arbitration,
		      (int)p->pipeline.traversal, (int)p->pipeline.link, (int)p->pipeline.credit, p->is.direct ? ", direct" : "",
		      p->is.empty ? ", empty" : "", p->is.shared ? ", shared" : "", p->is.inside ? ", inside" : "",
		      p->is.quick ? ", quick" : "", p->is.from_lane ? ", from lane" : "");
}

static void expect_same(uint64_t number, const struct lanes_case *c, const struct lanes_fates *expected,
			const struct lanes_fates *found)
{
	if (memcmp(expected, found, sizeof(*expected)) == 0)
		return;
	print_case(number, c);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct lanes_fate *a = &expected->packets[i], *b = &found->packets[i];

		if (memcmp(a, b, sizeof(*a)) != 0)
			print_message("packet %u (%u > %u, %u B, at %lld): injected %lld %lld, head %lld %lld, received %lld %lld, "
				      "hops %u %u, turn %u %u\n",
				      i, c->packets[i].source, c->packets[i].destination, c->packets[i].size_bytes,
				      (long long)c->packets[i].time_ticks, (long long)a->injected_ticks,
				      (long long)b->injected_ticks, (long long)a->head_ticks, (long long)b->head_ticks,
				      (long long)a->received_ticks, (long long)b->received_ticks, a->hops, b->hops, a->turn,
				      b->turn);
	}
	fail_msg("case %llu differs: flit-hops %llu %llu, deadlocked %d %d", (unsigned long long)number,
		 (unsigned long long)expected->flit_hops, (unsigned long long)found->flit_hops, expected->deadlocked,
		 found->deadlocked);
}

// Whether the routes of the case exclude a deadlock: lanes of one direction each, and a rule that has no cycle.
static bool is_free(const struct lanes_case *c)
{
	static const char *const rules[] = {"updown", "lash", "dfsssp", "escape"};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!c->params.is.shared && strcmp(c->rule, rules[i]) == 0)
			return true;
	return false;
}

static void count_circle(void *context, const struct net_circle *circle)
{
	assert_in_range(circle->count, 1, CASE_PACKETS);
	assert_true(circle->ejected && circle->youngest < circle->count);
	++*(uint64_t *)context;
}

// With recover=eject every packet is delivered or dropped, in any order of the components the same.
static void check_recovery(uint64_t number, struct lanes_case *c, const struct lanes_fates *found, bool deadlocked)
{
	struct lanes_fates fates[2];
	uint64_t circles = 0;

	c->circles = (struct net_circles){count_circle, &circles};
	c->params.is.eject = true;
	for (uint32_t i = 0; i < 2; i++) {
		struct net_totals totals;

		circles = 0;
		assert_true(lanes_case_run(c, i * (number + 1), &fates[i], &totals));
		if (totals.deadlocked)
			print_case(number, c);
		assert_false(totals.deadlocked);
		assert_int_equal(totals.in_flight, 0);
		assert_int_equal(totals.dropped, circles);
		assert_int_equal(circles > 0, deadlocked);
	}
	expect_same(number, c, &fates[0], &fates[1]);
	if (!deadlocked)
		expect_same(number, c, found, &fates[0]);
}

static void test_naive(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0);
	uint64_t deadlocked = 0, adaptive = 0;

	(void)state;
	for (uint64_t i = first; i < first + cases(); i++) {
		struct lanes_fates expected, found, shuffled;
		struct lanes_case c;
		struct net_totals totals;

		lanes_case_draw(&c, i);
		lanes_naive(&c, &expected);
		if (!lanes_case_run(&c, 0, &found, &totals)) {
			print_case(i, &c);
			fail_msg("case %llu", (unsigned long long)i);
		}
		expect_same(i, &c, &expected, &found);
		assert_true(totals.offered == totals.delivered + totals.dropped + totals.in_flight);
		assert_true(lanes_case_run(&c, i + 1, &shuffled, &totals));
		expect_same(i, &c, &found, &shuffled);
		assert_false(found.deadlocked && is_free(&c));
		check_recovery(i, &c, &found, found.deadlocked);
		deadlocked += found.deadlocked;
		adaptive += c.routes.choices != NULL;
		lanes_case_close(&c);
	}
	if (cases() >= 300) {
		assert_in_range(deadlocked, cases() / 100, cases() / 2);
		assert_in_range(adaptive, cases() / 4, cases() * 3 / 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_naive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
