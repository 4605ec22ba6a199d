// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of networks with lanes against a second one that goes through everything in each
// cycle, on random cases: the bytes of all deliveries and cycles, in two orders of the components,
// in one of them, where the case allows it, in random regions that threads move.
// FLIT_LONG=1 tries many more, FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lanes_case.h"
#include "net/lanes/lanes_run.h"
#include "net/routes/choices.h"
#include "setting.h"

static uint64_t cases(void)
{
	return setting("FLIT_CASES", getenv("FLIT_LONG") ? 10000 : 300);
}

static void print_case(uint64_t number, const struct lanes_case *c)
{
	const struct lanes_params *p = &c->params;

	print_message("case %llu: %s, %s, %u packets, switching %d, %llu lanes of %llu, flit %llu "
		      "B, orders %d %d, iterations %llu, "
		      "sends %llu, queues %d\n",
		      (unsigned long long)number, c->network, c->rule[0] ? c->rule : "choices",
		      c->count, p->switching, (unsigned long long)p->lanes,
		      (unsigned long long)p->buffer_flits, (unsigned long long)p->flit_B,
		      p->lane_order, p->link_order, (unsigned long long)p->iterations,
		      (unsigned long long)p->sends, p->queues);
	print_message("routing %d, allocation %d, header %d, arbitration %d, traversal %d, link "
		      "%d, credit %d%s%s%s%s%s%s\n",
		      (int)p->pipeline.routing, (int)p->pipeline.allocation,
		      (int)p->pipeline.header, (int)p->pipeline.arbitration,
		      (int)p->pipeline.traversal, (int)p->pipeline.link, (int)p->pipeline.credit,
		      p->is.direct ? ", direct" : "", p->is.empty ? ", empty" : "",
		      p->is.shared ? ", shared" : "", p->is.inside ? ", inside" : "",
		      p->is.quick ? ", quick" : "", p->is.from_lane ? ", from lane" : "");
}

static void print_delivery(const struct lanes_story *story, size_t at)
{
	struct tr_delivery d;

	if (at + sizeof(d) > story->size)
		return;
	memcpy(&d, story->bytes + at, sizeof(d));
	print_message("packet %llu: status %u, started %lld, injected %lld, head %lld, at %lld, "
		      "hops %u\n",
		      (unsigned long long)d.packet.id, d.status, (long long)d.started_ticks,
		      (long long)d.injected_ticks, (long long)d.head_ticks,
		      (long long)d.packet.time_ticks, d.hops);
}

static void expect_same(uint64_t number, const struct lanes_case *c, const struct lanes_story *a,
			const struct lanes_story *b)
{
	const struct net_totals *t = &a->totals, *u = &b->totals;
	size_t at = 0;

	if (a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0 &&
	    t->deadlocked == u->deadlocked && t->offered == u->offered &&
	    t->delivered == u->delivered && t->dropped == u->dropped &&
	    t->in_flight == u->in_flight && t->own[LANES_FLIT_HOPS] == u->own[LANES_FLIT_HOPS])
		return;
	print_case(number, c);
	while (at < a->size && at < b->size && a->bytes[at] == b->bytes[at])
		at++;
	print_delivery(a, at - at % sizeof(struct tr_delivery));
	print_delivery(b, at - at % sizeof(struct tr_delivery));
	fail_msg("case %llu differs at byte %zu of %zu, %zu: delivered %llu %llu, dropped %llu "
		 "%llu, cycles %llu %llu, flit-hops "
		 "%llu %llu",
		 (unsigned long long)number, at, a->size, b->size, (unsigned long long)t->delivered,
		 (unsigned long long)u->delivered, (unsigned long long)t->dropped,
		 (unsigned long long)u->dropped, (unsigned long long)a->cycles,
		 (unsigned long long)b->cycles, (unsigned long long)t->own[LANES_FLIT_HOPS],
		 (unsigned long long)u->own[LANES_FLIT_HOPS]);
}

// Whether the routes of the case exclude a deadlock: lanes of one direction each, and a rule that
// has no cycle.
static bool is_free(const struct lanes_case *c)
{
	static const char *const rules[] = {"updown", "lash",	  "dfsssp",
					    "escape", "dateline", "dateline:adaptive=yes"};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!c->params.is.shared && strcmp(c->rule, rules[i]) == 0)
			return true;
	return false;
}

// What random cases were.
struct tally {
	uint64_t cycles, ended, free, adaptive, circuits, longest, cut, divided, chosen, queued,
		wide;
};

static void check(uint64_t number, struct tally *tally)
{
	struct lanes_story expected, found, shuffled;
	struct lanes_case c;

	lanes_case_draw(&c, number);
	lanes_case_run(&c, &lanes_naive, 0, &expected);
	lanes_case_run(&c, &lanes_engine, 0, &found);
	expect_same(number, &c, &expected, &found);
	lanes_case_run(&c, &lanes_engine, number + 1, &shuffled);
	expect_same(number, &c, &found, &shuffled);
	assert_true(found.totals.offered ==
		    found.totals.delivered + found.totals.dropped + found.totals.in_flight);
	assert_int_equal(found.totals.deadlocked, found.cycles > 0 && !c.params.is.eject);
	assert_int_equal(found.totals.dropped, c.params.is.eject ? found.cycles : 0);
	assert_false(found.cycles > 0 && is_free(&c));
	assert_false(found.cycles > 0 && c.routes.acyclic && !c.params.is.shared);
	tally->cycles += found.cycles > 0;
	tally->ended += found.totals.deadlocked;
	tally->free += is_free(&c);
	tally->adaptive += c.routes.choices != NULL;
	tally->circuits += c.params.switching == LANES_CIRCUIT;
	tally->chosen += c.routes.chooser != NULL;
	tally->queued += c.routes.chooser && c.params.queues != LANES_FIFO;
	tally->cut += shuffled.totals.regions > 1;
	tally->divided += c.params.queues != LANES_FIFO;
	tally->wide += c.params.output_speedup > 1;
	tally->longest = found.longest > tally->longest ? found.longest : tally->longest;
	lanes_story_clear(&expected);
	lanes_story_clear(&found);
	lanes_story_clear(&shuffled);
	lanes_case_close(&c);
}

static void test_naive(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0);
	struct tally tally = {0}, apart = {0};

	(void)state;
	check(7806, &apart); // chooses by what stands behind the first packets of queues by output
	for (uint64_t i = first; i < first + cases(); i++)
		check(i, &tally);
	print_message("%llu cases, %llu with routes free of deadlock, %llu with a cycle, %llu in "
		      "regions\n",
		      (unsigned long long)cases(), (unsigned long long)tally.free,
		      (unsigned long long)tally.cycles, (unsigned long long)tally.cut);
	if (cases() < 300)
		return;
	assert_in_range(tally.cycles, cases() / 50, cases() / 2);
	assert_in_range(tally.ended, tally.cycles / 4, tally.cycles * 3 / 4);
	assert_in_range(tally.free, cases() / 4, cases() * 3 / 4);
	assert_in_range(tally.adaptive, cases() / 4, cases() * 3 / 4);
	assert_in_range(tally.circuits, cases() / 50, cases() / 4);
	assert_true(tally.longest >= 4);
	assert_true(tally.chosen > cases() / 20);
	assert_true(tally.queued > cases() / 60);
	assert_true(tally.cut > cases() / 20);
	assert_in_range(tally.divided, cases() / 5, cases() / 2);
	assert_in_range(tally.wide, cases() / 20, cases() / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_naive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
