// SPDX-License-Identifier: GPL-3.0-or-later
// The kind cppe against a second program that goes through everything in each tick, on random
// cases; that the order of sources within a tick cannot matter, the sums of a run, the formula;
// intervals entered out of order; and that the forwarding rule of the packet switch starves as
// printed (Qu 2001, section 5.4.3). FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cppe_naive.h"
#include "net/studies/cppe/busy.h"
#include "net/fabric.h"
#include "net/lone_worm.h"
#include "net/routings/routing.h"
#include "value/random.h"

#define TICKS_PER_S UINT64_C(1000000)
#define LIMIT_TICKS 100000

struct fate {
	int64_t delivered_ticks; // CPPE_NEVER: in flight
	int64_t injected_ticks, head_ticks;
	uint64_t hops;
};

struct traffic {
	const struct cppe_case *c;
	const uint32_t *order; // of the messages
	uint32_t next;
	struct fate *fates;
};

static enum tr_status next_offer(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct traffic *traffic = context;
	const struct cppe_message_case *message;

	(void)err;
	if (traffic->next == traffic->c->count)
		return TR_END;
	message = &traffic->c->messages[traffic->order[traffic->next]];
	*offer = (struct net_offer){
		.packet = {.id = traffic->order[traffic->next], .time_ticks = message->time_ticks},
		.source = message->source,
		.destination = message->destination,
		.size_bytes = message->size_bytes};
	traffic->next++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct traffic *traffic = context;

	(void)err;
	traffic->fates[delivery->packet.id] = (struct fate){
		.delivered_ticks = delivery->status == TR_DELIVERED ? delivery->packet.time_ticks
								    : CPPE_NEVER,
		.injected_ticks = delivery->injected_ticks,
		.head_ticks = delivery->head_ticks,
		.hops = worm->route_count};
	return TR_OK;
}

static void run(const struct cppe_case *c, const uint32_t *order, const int64_t *stop_ticks,
		struct net_totals *totals, struct fate fates[CPPE_MESSAGES_MAX])
{
	struct traffic traffic = {.c = c, .order = order, .fates = fates};
	const struct net_setup setup = {.topology = &c->topology,
					.routes = &c->routes,
					.params = &c->params,
					.ticks_per_s = c->ticks_per_s,
					.traffic = {.next = next_offer, .context = &traffic},
					.results = {.done = done, .context = &traffic},
					.stop_ticks = stop_ticks};
	struct tr_error err = {""};

	memset(fates, 0, CPPE_MESSAGES_MAX * sizeof(*fates));
	if (net_fabric_cppe.engines[0]->run(&setup, totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(totals->offered, totals->delivered + totals->in_flight);
}

static struct num_ratio ticks(uint64_t count)
{
	struct num_ratio ratio;

	assert_true(num_ratio_make((__int128)count, TICKS_PER_S, &ratio));
	return ratio;
}

static void draw_params(struct cppe_params *params, struct tr_random *random)
{
	const uint64_t packet = 1 + tr_random_below(random, 12);

	*params = cppe_params_usual;
	params->technique = (enum cppe_technique_word)tr_random_below(random, 3);
	params->delay_s = ticks(1 + tr_random_below(random, 12));
	params->local_s = ticks(tr_random_below(random, 4));
	params->packet_B = 8;
	params->header_B = tr_random_below(random, 8);
	assert_true(num_ratio_make((__int128)64 * TICKS_PER_S, packet, &params->rate_bps));
	params->startup_message_s = ticks(tr_random_below(random, 6));
	params->startup_packet_s = ticks(tr_random_below(random, 3));
	params->each = tr_random_below(random, 2) != 0;
	params->rounds = tr_random_below(random, 2) != 0;
	params->quantum_s = ticks(1 + tr_random_below(random, 15));
	params->held_max = 10000;
}

static int by_time(const void *one, const void *other)
{
	const struct cppe_message_case *a = one, *b = other;

	if (a->time_ticks != b->time_ticks)
		return a->time_ticks < b->time_ticks ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return a->destination < b->destination ? -1 : a->destination > b->destination;
}

static void open_network(struct cppe_case *c, const char *network, const char *rule)
{
	struct tr_error err = {""};

	*c = (struct cppe_case){.ticks_per_s = TICKS_PER_S, .params = cppe_params_usual};
	if (net_topology_make(&c->topology, network, &err) != TR_OK ||
	    net_routing_make(&c->routes, &c->topology, rule, &err) != TR_OK)
		fail_msg("%s, %s: %s", network, rule, err.text);
}

static void close_case(struct cppe_case *c)
{
	net_routes_clear(&c->routes);
	net_topology_clear(&c->topology);
}

static void draw_case(struct cppe_case *c, uint64_t number)
{
	static const char *const networks[][2] = {{"line:6", "dimension"},
						  {"ring:7", "dimension"},
						  {"mesh:3x4", "dimension"},
						  {"torus:4x3", "dimension"},
						  {"hypercube:3", "dimension"},
						  {"full:5", "shortest"},
						  {"switch:4", "shortest"},
						  {"line:3,hosts=2", "shortest"},
						  {"random-regular:10,3,hosts=1", "updown"},
						  {"ring:2,twice=yes", "dimension"}};
	const char *const *network;
	struct tr_random random;
	int64_t span;

	tr_random_open(&random, number, "cppe");
	network = networks[tr_random_below(&random, sizeof(networks) / sizeof(*networks))];
	open_network(c, network[0], network[1]);
	draw_params(&c->params, &random);
	c->count = 1 + (uint32_t)tr_random_below(&random, 24);
	span = 1 + (int64_t)tr_random_below(&random, 80);
	for (uint32_t i = 0; i < c->count; i++)
		c->messages[i] = (struct cppe_message_case){
			.time_ticks = (int64_t)tr_random_below(&random, (uint64_t)span),
			.source = (uint32_t)tr_random_below(&random, c->topology.hosts),
			.destination = (uint32_t)tr_random_below(&random, c->topology.hosts),
			.size_bytes = 1 + (uint32_t)tr_random_below(&random, 20),
		};
	qsort(c->messages, c->count, sizeof(*c->messages), by_time);
}

// The messages as they are; *other: the sources of each tick in falling order, and within a source
// as they are.
static void find_orders(const struct cppe_case *c, uint32_t plain[CPPE_MESSAGES_MAX],
			uint32_t other[CPPE_MESSAGES_MAX])
{
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t place = i;

		plain[i] = i;
		for (; place > 0 &&
		       c->messages[other[place - 1]].time_ticks == c->messages[i].time_ticks &&
		       c->messages[other[place - 1]].source < c->messages[i].source;
		     place--)
			other[place] = other[place - 1];
		other[place] = i;
	}
}

static void check_case(uint64_t number)
{
	uint32_t plain[CPPE_MESSAGES_MAX], other[CPPE_MESSAGES_MAX];
	struct fate fates[CPPE_MESSAGES_MAX], shuffled[CPPE_MESSAGES_MAX];
	int64_t expected[CPPE_MESSAGES_MAX];
	struct net_totals totals;
	struct cppe_case c;

	draw_case(&c, number);
	find_orders(&c, plain, other);
	cppe_naive(&c, false, LIMIT_TICKS, expected);
	run(&c, plain, NULL, &totals, fates);
	assert_int_equal(totals.delivered, c.count);
	for (uint32_t i = 0; i < c.count; i++)
		if (fates[i].delivered_ticks != expected[i])
			fail_msg("case %llu: message %u of %u: expected at %lld, found at %lld "
				 "(technique %d, rounds %d)",
				 (unsigned long long)number, i, c.count, (long long)expected[i],
				 (long long)fates[i].delivered_ticks, c.params.technique,
				 c.params.rounds);
	run(&c, other, NULL, &totals, shuffled);
	assert_memory_equal(fates, shuffled, sizeof(fates));
	close_case(&c);
}

static void random_cases_agree_with_the_plain_program(void **state)
{
	const uint64_t cases = getenv("FLIT_LONG") ? 100000 : 3000;

	(void)state;
	for (uint64_t number = 0; number < cases; number++)
		check_case(number);
}

// A run that is cut reports what happened before, and no time from then on.
static void cut_runs_are_beginnings(void **state)
{
	uint32_t plain[CPPE_MESSAGES_MAX], other[CPPE_MESSAGES_MAX];
	struct fate whole[CPPE_MESSAGES_MAX], part[CPPE_MESSAGES_MAX];
	struct net_totals totals;
	struct cppe_case c;

	(void)state;
	for (uint64_t number = 0; number < 300; number++) {
		int64_t stop_ticks = 5 + (int64_t)(number % 60);

		draw_case(&c, number);
		find_orders(&c, plain, other);
		run(&c, plain, NULL, &totals, whole);
		run(&c, plain, &stop_ticks, &totals, part);
		for (uint32_t i = 0; i < c.count && c.messages[i].time_ticks < stop_ticks; i++) {
			assert_true(part[i].delivered_ticks == whole[i].delivered_ticks ||
				    (part[i].delivered_ticks == CPPE_NEVER &&
				     whole[i].delivered_ticks >= stop_ticks));
			assert_true(part[i].injected_ticks < stop_ticks);
			assert_true(part[i].head_ticks < stop_ticks);
		}
		close_case(&c);
	}
}

// Zero load: the formula of every technique, for all distances and sizes.
static void formulas_give_the_time_of_one_message(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "formulas");
	for (uint32_t i = 0; i < 300; i++) {
		struct fabric_formula formula;
		struct tr_error err;
		struct cppe_case c;
		int64_t simulated;
		uint32_t switches;

		open_network(&c, "line:9", "dimension");
		draw_params(&c.params, &random);
		c.params.rounds = false;
		const struct net_setup setup = {.topology = &c.topology,
						.routes = &c.routes,
						.params = &c.params,
						.ticks_per_s = c.ticks_per_s};
		assert_int_equal(fabric_formula_open(&formula, &net_fabric_cppe, &setup, &err),
				 TR_OK);
		assert_int_equal(lone_worm_send(&setup, net_fabric_cppe.engines[0], 1 + i % 8,
						1 + i % 37, &simulated, &switches, &err),
				 TR_OK);
		assert_int_equal(switches, 2 + i % 8);
		assert_int_equal(fabric_formula_ticks(&formula, switches, 1 + i % 37), simulated);
		fabric_formula_close(&formula);
		close_case(&c);
	}
}

static void set_switch(struct cppe_case *c)
{
	open_network(c, "line:8", "dimension");
	c->params.technique = CPPE_STORE;
	c->params.rounds = true;
	c->params.held_max = 1000;
}

// Four packets over three hops: as printed the first arrives at 30 and the others never; repaired
// 30 40 50 60. Two packets that come to a free link at 100: as printed both leave then; repaired
// the second at 110.
static void the_printed_rule_starves_and_books_twice(void **state)
{
	static const uint32_t order[CPPE_MESSAGES_MAX] = {0, 1};
	struct fate fates[CPPE_MESSAGES_MAX];
	int64_t printed[CPPE_MESSAGES_MAX];
	struct net_totals totals;
	struct cppe_case c;

	(void)state;
	set_switch(&c);
	c.messages[0] = (struct cppe_message_case){0, 0, 3, 60};
	c.count = 1;
	cppe_naive(&c, true, LIMIT_TICKS, printed);
	assert_int_equal(printed[0], 30);
	c.messages[0].size_bytes = 240;
	cppe_naive(&c, true, LIMIT_TICKS, printed);
	assert_true(printed[0] == CPPE_NEVER);
	run(&c, order, NULL, &totals, fates);
	assert_int_equal(fates[0].delivered_ticks, 60);
	assert_int_equal(fates[0].head_ticks, 30);
	c.messages[0] = c.messages[1] = (struct cppe_message_case){100, 0, 1, 4};
	c.count = 2;
	cppe_naive(&c, true, LIMIT_TICKS, printed);
	assert_true(printed[0] == 110 && printed[1] == 110);
	run(&c, order, NULL, &totals, fates);
	assert_int_equal(fates[0].delivered_ticks, 110);
	assert_int_equal(fates[1].delivered_ticks, 120);
	close_case(&c);
}

static void open_busy(struct cppe_busy *busy, struct sim_arena *arena, uint32_t room)
{
	struct tr_error err;

	*arena = (struct sim_arena){0};
	cppe_busy_layout(busy, arena, 2, room);
	assert_int_equal(sim_arena_open(arena, &err), TR_OK);
	cppe_busy_layout(busy, arena, 2, room);
}

// A later call may ask for an earlier time: 0 -> 1 at 20, then 2 -> 1 at 0, arrive at 30 and 10. A
// single time from which the processor is free would make the second wait until 40.
static void intervals_may_come_out_of_order(void **state)
{
	struct sim_arena arena;
	struct cppe_busy busy;

	(void)state;
	open_busy(&busy, &arena, 3);
	assert_int_equal(cppe_busy_take(&busy, 1, 0, 20, 10), 20);
	assert_int_equal(cppe_busy_take(&busy, 1, 0, 0, 10), 0);
	assert_int_equal(cppe_busy_take(&busy, 1, 0, 5, 10),
			 10); // fills the gap: one interval from 0 to 30
	assert_int_equal(cppe_busy_take(&busy, 1, 0, 0, 10), 30);
	assert_int_equal(cppe_busy_take(&busy, 0, 0, 0, 10), 0); // another processor
	assert_int_equal(cppe_busy_take(&busy, 1, 0, 60, 10), 60);
	assert_true(cppe_busy_take(&busy, 1, 0, 90, 10) == CPPE_BUSY_FULL);
	assert_int_equal(cppe_busy_take(&busy, 1, 40, 90, 10), 90); // what had ended is forgotten
	sim_arena_close(&arena);
}

// Any calls: no two intervals overlap, and none could have been earlier.
static void intervals_are_the_earliest_free_ones(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "intervals");
	for (int i = 0; i < 500; i++) {
		struct sim_arena arena;
		struct cppe_busy busy;
		bool taken[1024] = {false};

		open_busy(&busy, &arena, 64);
		for (int k = 0; k < 40; k++) {
			const int64_t ready = (int64_t)tr_random_below(&random, 200);
			const int64_t length = 1 + (int64_t)tr_random_below(&random, 9);
			int64_t start = ready;

			for (int64_t t = start; t < start + length; t++)
				if (taken[t]) {
					start = t + 1;
					t = start - 1;
				}
			assert_int_equal(cppe_busy_take(&busy, 1, 0, ready, length), start);
			for (int64_t t = start; t < start + length; t++)
				taken[t] = true;
		}
		sim_arena_close(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_cases_agree_with_the_plain_program),
		cmocka_unit_test(cut_runs_are_beginnings),
		cmocka_unit_test(formulas_give_the_time_of_one_message),
		cmocka_unit_test(the_printed_rule_starves_and_books_twice),
		cmocka_unit_test(intervals_may_come_out_of_order),
		cmocka_unit_test(intervals_are_the_earliest_free_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
