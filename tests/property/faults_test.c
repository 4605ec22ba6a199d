// SPDX-License-Identifier: GPL-3.0-or-later
// Cables, hosts and switches that die and recover, cables that lose packets, and timeouts, in every
// kind of network that has links, on random networks and traffic: what was offered is delivered,
// lost with the reason dead, error or timeout, or under way; all engines of a kind agree, in any
// order within a phase; and when all has recovered nothing of the losses is left: packets that come
// then pass one by one as if there had been none. Timeouts resolve a deadlock. Where packets are
// watched on links, each that begins there ends there or is lost, and all engines see the same.
// FLIT_LONG=1 tries many more, FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "faults_case.h"
#include "setting.h"

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct fault_case *c = context;

	(void)err;
	if (c->next == CROWD + LATE)
		return TR_END;
	*offer = c->offers[c->next++];
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct fault_case *c = context;

	(void)err;
	c->fates[c->told++] = (struct fault_fate){.id = worm->packet.id,
						  .created_ticks = worm->created_ticks,
						  .time_ticks = delivery->packet.time_ticks,
						  .injected_ticks = worm->injected_ticks,
						  .head_ticks = worm->head_ticks,
						  .status = delivery->status,
						  .reason = delivery->reason};
	return TR_OK;
}

static enum tr_status see(void *context, const struct net_character *character,
			  struct tr_error *err)
{
	struct fault_case *c = context;
	const uint64_t what = character->packet * 1000 + character->link * 8 +
			      (uint64_t)character->kind[0];
	const uint64_t before = c->begun + c->ended + c->cut_off;

	(void)err;
	assert_true(character->time_ticks >= c->seen_ticks);
	c->seen_ticks = character->time_ticks;
	c->begun += strcmp(character->kind, "begin") == 0;
	c->ended += strcmp(character->kind, "end") == 0;
	c->cut_off += strcmp(character->kind, "lost") == 0;
	if (c->begun + c->ended + c->cut_off > before)
		c->seen = (c->seen ^ (what + (uint64_t)character->time_ticks)) *
			  UINT64_C(1099511628211);
	else // a single character: those of a tick have no order
		c->seen += (what ^ (uint64_t)character->time_ticks) * UINT64_C(1099511628211);
	return TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct fault_case *c = context;
	const uint64_t values[] = {(uint64_t)link->start_ticks,
				   (uint64_t)link->width_ticks,
				   link->link,
				   (uint64_t)link->busy_ticks,
				   (uint64_t)link->blocked_stop_ticks,
				   (uint64_t)link->blocked_port_ticks,
				   link->characters,
				   link->occupancy_area,
				   link->occupancy_peak};

	(void)err;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		c->sampled = (c->sampled ^ values[i]) * UINT64_C(1099511628211);
	if (getenv("FLIT_PRINT")) {
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
			print_message("%lld ", (long long)values[i]);
		print_message("\n");
	}
	return TR_OK;
}

static void run(struct fault_case *c, const struct net_engine *engine, uint64_t shuffle)
{
	const struct net_watch watch = {
		.see = see, .context = c, .from_ticks = INT64_MIN, .to_ticks = INT64_MAX};
	struct net_setup setup = {.topology = &c->topology,
				  .routes = &c->routes,
				  .params = c->fabric.params,
				  .ticks_per_s = c->ticks_per_s,
				  .traffic = {.next = next, .context = c},
				  .results = {.done = done, .sample = sample, .context = c},
				  .shuffle = shuffle,
				  .finite_sources = fabric_has_finite_sources(&c->fabric),
				  .timeout_ticks = c->timeout_ticks,
				  .faults = c->faults,
				  .fault_count = c->fault_count};
	struct reroutes reroutes = {0};
	struct tr_error err = {""};

	c->rerouted = c->delay_ticks >= 0 &&
		      reroutes_open(&reroutes, &setup, c->rule, c->delay_ticks, &err) == TR_OK;
	if (c->rerouted) {
		setup.reroutes = reroutes.list;
		setup.reroute_count = reroutes.count;
	}
	setup.watch = &watch;
	c->watched = !engine->supports || engine->supports(&setup, &err) == TR_OK;
	if (!c->watched)
		setup.watch = NULL;
	setup.sampling.width_ticks = c->width_ticks;
	c->samples = !engine->supports || engine->supports(&setup, &err) == TR_OK;
	if (!c->samples)
		setup.sampling.width_ticks = 0;
	c->next = c->told = 0;
	c->sampled = 0;
	c->seen_ticks = INT64_MIN;
	c->seen = c->begun = c->ended = c->cut_off = 0;
	memset(c->fates, 0, sizeof(c->fates));
	if (engine->run(&setup, &c->totals, &err) != TR_OK)
		fail_msg("%s, %s: %s", c->fabric.text, engine->name, err.text);
	reroutes_close(&reroutes);
}

static void expect_same(uint64_t number, const struct fault_case *c,
			const struct net_engine *engine, const struct fault_fate *expected)
{
	for (uint32_t i = 0; i < c->told; i++) {
		const struct fault_fate *a = &expected[i], *b = &c->fates[i];

		if (memcmp(a, b, sizeof(*a)) != 0)
			fail_msg("case %llu, %s, %s: result %u: packet %llu %llu, at %lld %lld, "
				 "injected %lld %lld, head %lld %lld, "
				 "status %u %u",
				 (unsigned long long)number, c->fabric.text, engine->name, i,
				 (unsigned long long)a->id, (unsigned long long)b->id,
				 (long long)a->time_ticks, (long long)b->time_ticks,
				 (long long)a->injected_ticks, (long long)b->injected_ticks,
				 (long long)a->head_ticks, (long long)b->head_ticks, a->status,
				 b->status);
	}
}

static bool is_loss(const struct fault_case *c, const struct fault_fate *fate)
{
	if (fate->reason == TR_DROP_TIMEOUT)
		return c->timeout_ticks > 0 &&
		       fate->time_ticks - fate->created_ticks >= c->timeout_ticks;
	return fate->id < CROWD && (fate->reason == TR_DROP_DEAD || fate->reason == TR_DROP_ERROR ||
				    (fate->reason == TR_DROP_NO_ROUTE && c->rerouted) ||
				    fate->reason == TR_DROP_DEADLOCK);
}

// Returns how many were lost.
static uint64_t check_books(uint64_t number, const struct fault_case *c,
			    const struct net_engine *engine)
{
	const struct net_totals *totals = &c->totals;
	uint64_t lost = 0;

	for (uint32_t i = 0; i < c->told; i++) {
		lost += c->fates[i].status == TR_DROPPED;
		if (c->fates[i].status == TR_DROPPED && !is_loss(c, &c->fates[i]))
			fail_msg("case %llu: packet %llu dropped at %lld, for the reason %u",
				 (unsigned long long)number, (unsigned long long)c->fates[i].id,
				 (long long)c->fates[i].time_ticks, c->fates[i].reason);
		if (c->timeout_ticks > 0 && c->fates[i].status == TR_DELIVERED &&
		    c->fates[i].time_ticks - c->fates[i].created_ticks > c->timeout_ticks)
			fail_msg("case %llu: packet %llu delivered after its time",
				 (unsigned long long)number, (unsigned long long)c->fates[i].id);
	}
	if (totals->in_flight != 0 || totals->deadlocked || totals->offered != CROWD + LATE ||
	    totals->dropped != lost || totals->offered != totals->delivered + totals->dropped ||
	    c->told != CROWD + LATE)
		fail_msg("case %llu, %s, %s: offered %llu, delivered %llu, dropped %llu, in flight "
			 "%llu, told %u",
			 (unsigned long long)number, c->fabric.text, engine->name,
			 (unsigned long long)totals->offered, (unsigned long long)totals->delivered,
			 (unsigned long long)totals->dropped, (unsigned long long)totals->in_flight,
			 c->told);
	if (c->begun != c->ended + (c->fabric.kind->drops ? 0 : c->cut_off))
		fail_msg(
			"case %llu, %s, %s: of %llu packets on links %llu ended and %llu were lost",
			(unsigned long long)number, c->fabric.text, engine->name,
			(unsigned long long)c->begun, (unsigned long long)c->ended,
			(unsigned long long)c->cut_off);
	return lost;
}

// -1: it has not come.
static int64_t age_at(const struct fault_fate *fate, int64_t ticks)
{
	return ticks < 0 ? -1 : ticks - fate->created_ticks;
}

static bool is_as_late(const struct fault_fate *a, const struct fault_fate *b)
{
	return a->id == b->id && a->status == b->status &&
	       age_at(a, a->time_ticks) == age_at(b, b->time_ticks) &&
	       age_at(a, a->injected_ticks) == age_at(b, b->injected_ticks) &&
	       age_at(a, a->head_ticks) == age_at(b, b->head_ticks);
}

// Those that come one by one when all has recovered take the time that they take without faults.
static void check_late(uint64_t number, struct fault_case *c, const struct net_engine *engine,
		       const struct fault_fate *faulty)
{
	c->fault_count = 0;
	run(c, engine, 0);
	for (uint32_t i = CROWD; i < CROWD + LATE; i++)
		if (!is_as_late(&faulty[i], &c->fates[i]))
			fail_msg("case %llu, %s: packet %llu ends at %lld, and without faults "
				 "packet %llu at %lld",
				 (unsigned long long)number, c->fabric.text,
				 (unsigned long long)faulty[i].id, (long long)faulty[i].time_ticks,
				 (unsigned long long)c->fates[i].id,
				 (long long)c->fates[i].time_ticks);
}

// A finite source thinks for as long between two packets that are generated as the traffic has
// between them, or longer.
static void check_thinking(uint64_t number, const struct fault_case *c)
{
	int64_t created_ticks[CROWD + LATE];

	for (uint32_t i = 0; i < c->told; i++)
		created_ticks[c->fates[i].id] = c->fates[i].created_ticks;
	for (uint32_t i = 0; i < CROWD + LATE; i++)
		for (uint32_t k = i; k-- > 0;)
			if (c->offers[k].source == c->offers[i].source) {
				const int64_t gap_ticks = c->offers[i].packet.time_ticks -
							  c->offers[k].packet.time_ticks;

				if (created_ticks[k] >= 0 && created_ticks[i] >= 0 &&
				    created_ticks[i] - created_ticks[k] < gap_ticks)
					fail_msg("case %llu: packets %u and %u are too near",
						 (unsigned long long)number, k, i);
				break;
			}
}

// How many of a kind of cases end in a deadlock where there are neither faults nor timeouts.
static uint32_t count_deadlock(struct fault_case *c, const struct net_engine *engine)
{
	c->fault_count = 0;
	c->timeout_ticks = 0;
	run(c, engine, 0);
	return c->totals.deadlocked;
}

static uint64_t check(uint64_t number, uint32_t *deadlocks)
{
	const struct fault_kind *kind = &fault_kinds[number % fault_kind_count];
	struct fault_fate expected[CROWD + LATE];
	uint64_t own[NET_OWN_MAX];
	const struct net_engine *const *engine;
	const struct net_engine *reference;
	uint64_t lost, seen, sampled;
	struct fault_case c;
	struct tr_error err;

	if (!fabric_find(kind->fabric))
		return 0; // it is not part of this build
	fault_case_draw(&c, number, kind);
	reference = fabric_engine(&c.fabric, NULL, &err);
	run(&c, reference, 0);
	lost = check_books(number, &c, reference);
	memcpy(expected, c.fates, sizeof(expected));
	seen = c.seen;
	memcpy(own, c.totals.own, sizeof(own));
	sampled = c.sampled;
	for (engine = c.fabric.kind->engines; *engine; engine++) {
		const struct net_setup asked = {
			.params = c.fabric.params, .routes = &c.routes, .fault_count = 1};

		if ((*engine)->supports && (*engine)->supports(&asked, &err) != TR_OK)
			continue;
		for (uint64_t shuffle = 0; shuffle <= number + 1; shuffle += number + 1) {
			run(&c, *engine, shuffle);
			check_books(number, &c, *engine);
			expect_same(number, &c, *engine, expected);
			assert_memory_equal(c.totals.own, own, sizeof(own));
			if (c.samples && c.sampled != sampled)
				fail_msg("case %llu, %s, %s: other samples of links",
					 (unsigned long long)number, c.fabric.text,
					 (*engine)->name);
			if (c.watched && c.seen != seen)
				fail_msg("case %llu, %s, %s: other packets were seen on links",
					 (unsigned long long)number, c.fabric.text,
					 (*engine)->name);
		}
	}
	if (fabric_has_finite_sources(&c.fabric))
		check_thinking(number, &c);
	check_late(number, &c, reference, expected);
	if (kind->deadlocks)
		*deadlocks += count_deadlock(&c, reference);
	fault_case_close(&c);
	return lost;
}

static void test_faults(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0),
		       cases = setting("FLIT_CASES",
				       getenv("FLIT_LONG") ? 8000 : 8 * fault_kind_count);
	uint64_t lost = 0;
	uint32_t deadlocks = 0;

	(void)state;
	for (uint64_t i = first; i < first + cases; i++)
		lost += check(i, &deadlocks);
	print_message("%llu cases, %llu of %llu packets lost, %u deadlocks resolved\n",
		      (unsigned long long)cases, (unsigned long long)lost,
		      (unsigned long long)(cases * CROWD), deadlocks);
	if (cases < fault_kind_count)
		return;
	assert_in_range(lost, cases, cases * CROWD * 3 / 4);
	assert_true(deadlocks > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
