// SPDX-License-Identifier: GPL-3.0-or-later
// Cables and hosts that die and recover, in every kind of network that has links, on random
// networks and traffic: what was offered is delivered, lost with the reason dead, or under way; all
// engines of a kind agree, in any order within a phase; and when all has recovered nothing of the
// faults is left: packets that come then pass one by one as if there had been none. Where packets
// are watched on links, each that begins there ends there or is lost, and all engines see the same.
// FLIT_LONG=1 tries many more, FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/fabric.h"
#include "net/routings/routing.h"
#include "net/topologies/topologies.h"
#include "value/num.h"
#include "value/random.h"

#define CROWD 80u // packets while there are faults
#define LATE 10u  // packets behind them, one by one
#define FAULTS 6u
#define LATE_US 20000 // from one of these to the next: longer than any of the crowd stays

// Of a kind: keys, and networks and rules of routes that exclude a deadlock, separated by blanks.
// {}: a rule without lists.
static const struct kind {
	const char *fabric;
	const char *networks;
	const char *rule;
	uint32_t largest_B;
	uint32_t span_us; // of the crowd and the faults
} kinds[] = {
	{"switched:buffer=300", "switch:4 line:4 mesh:3x3 ring:4", "updown", 250, 4000},
	{"switched:switching=wormhole,buffer=20", "line:4 mesh:3x3 ring:4", "updown", 250, 4000},
	{"switched:switching=store,buffer=300,pool=700", "line:4 mesh:3x3", "updown", 250, 4000},
	{"switched:buffer=300,arbitration=first-come", "line:4 mesh:3x3", "updown:adaptive=yes",
	 250, 4000},
	{"switched:switching=wormhole,buffer=9,source=finite", "line:4 mesh:3x3 ring:4", "updown",
	 100, 4000},
	{"lanes", "switch:4 line:4 mesh:3x3 ring:4", "updown", 250, 4000},
	{"lanes:lanes=3,buffer=3,crossbar=lane", "line:4 mesh:3x3 ring:4", "updown:adaptive=yes",
	 200, 4000},
	{"lanes:switching=cut-through,buffer=300,lanes=2,link-order=age", "line:4 mesh:3x3",
	 "updown", 250, 4000},
	{"lanes:switching=store,buffer=300,sends=3", "line:4 mesh:3x3", "updown", 250, 4000},
	{"lanes:switching=circuit,hosts=switch", "line:4 mesh:3x3", "updown", 100, 4000},
	{"lanes:hosts=switch,ejection=none,flow=direct,iterations=0", "line:4 mesh:3x3", "updown",
	 250, 4000},
	{"lanes:reuse=empty,buffer=4,lanes=2,lane-order=first-come", "line:4 ring:4", "dateline",
	 100, 4000},
	{"lanes:share=yes,reuse=empty,recover=eject,search=64,lanes=2", "line:4 mesh:3x3", "updown",
	 100, 4000},
	{"sci", "ring:4 torus:3x3 torus:2x3x2", NULL, 400, 60},
	{"sci:fairness=go,overhead=0s,overhead-byte=0s", "ring:5 torus:3x3", NULL, 400, 60},
	{"sci:delivered=transaction,agents=cut-through", "ring:5 torus:3x3", NULL, 400, 60},
	{"ethernet:buffer=0,rate=100Mb/s", "switch:4 line:4 mesh:3x3 ring:4", "updown", 1500, 3000},
	{"cppe:technique=store", "line:4 mesh:3x3", "updown", 1000, 4000},
	{"lanes:source=finite,lanes=2,buffer=3", "line:4 mesh:3x3", "updown", 100, 4000},
	{"sci:source=finite,overhead=0s", "ring:4 torus:3x3", NULL, 400, 60},
	{"ethernet:source=finite,buffer=0,rate=100Mb/s", "switch:4 line:4", "updown", 1500, 3000},
	{"cppe:technique=store,source=finite,links=each", "line:4 mesh:3x3", "updown", 1000, 4000},
	{"cppe:technique=packet,source=finite", "line:4 mesh:3x3", "updown", 1000, 4000},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct fault_fate {
	uint64_t id;
	int64_t created_ticks;
	int64_t time_ticks;
	int64_t injected_ticks;
	int64_t head_ticks;
	uint8_t status;
	uint8_t reason;
};

struct fault_case {
	struct fabric fabric;
	struct net_topology topology;
	struct net_routes routes;
	uint64_t ticks_per_s;
	struct net_offer offers[CROWD + LATE];
	uint32_t next;
	struct net_fault faults[FAULTS];
	uint32_t fault_count;
	struct fault_fate fates[CROWD + LATE]; // in the order of their ends
	uint32_t told;
	struct net_totals totals;
	bool watched;
	int64_t seen_ticks;  // last
	uint64_t seen;	     // a sum of all that was
	int64_t width_ticks; // of samples
	uint64_t sampled;    // a sum of these
	bool samples;
	uint64_t begun;
	uint64_t ended;
	uint64_t cut_off; // lost
};

static uint64_t setting(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	uint64_t value;

	if (!text)
		return usual;
	assert_int_equal(num_parse_count(text, 0, UINT64_MAX, &value, NULL), TR_OK);
	return value;
}

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

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

	(void)err;
	assert_true(character->time_ticks >= c->seen_ticks);
	c->seen_ticks = character->time_ticks;
	c->seen = (c->seen ^ (what + (uint64_t)character->time_ticks)) * UINT64_C(1099511628211);
	c->begun += strcmp(character->kind, "begin") == 0;
	c->ended += strcmp(character->kind, "end") == 0;
	c->cut_off += strcmp(character->kind, "lost") == 0;
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

// One of the words of a list.
static void draw_word(struct tr_random *random, const char *list, char *out, size_t out_bytes)
{
	uint32_t words = 1;

	for (const char *at = list; (at = strchr(at, ' ')) != NULL; at++)
		words++;
	for (uint32_t skip = below(random, words); skip > 0; skip--)
		list = strchr(list, ' ') + 1;
	snprintf(out, out_bytes, "%.*s", (int)strcspn(list, " "), list);
}

static void draw_packets(struct fault_case *c, struct tr_random *random, const struct kind *kind)
{
	const int64_t us = (int64_t)c->ticks_per_s / 1000000;
	const uint32_t crowd = 1 + below(random, 4);
	int64_t time_ticks = 0;

	for (uint32_t i = 0; i < CROWD + LATE; i++) {
		if (i >= CROWD)
			time_ticks = (kind->span_us + LATE_US * (int64_t)(5 + i - CROWD)) * us;
		else if (below(random, crowd) == 0)
			time_ticks += (int64_t)below(random,
						     (uint32_t)(2 * kind->span_us * us / CROWD));
		c->offers[i] = (struct net_offer){.packet = {.time_ticks = time_ticks, .id = i},
						  .source = below(random, c->topology.hosts),
						  .destination = below(random, c->topology.hosts),
						  .size_bytes = 1 + below(random, kind->largest_B)};
	}
}

static void draw_faults(struct fault_case *c, struct tr_random *random, uint32_t span_us)
{
	const int64_t us = (int64_t)c->ticks_per_s / 1000000;

	c->fault_count = 1 + below(random, FAULTS);
	for (uint32_t i = 0; i < c->fault_count; i++) {
		const bool host = below(random, 3) == 0;
		const int64_t from_ticks = (int64_t)below(random, (uint32_t)(span_us * us));

		c->faults[i] = (struct net_fault){
			.kind = host ? NET_FAULT_HOST : NET_FAULT_CABLE,
			.number = below(random, (uint32_t)(host ? c->topology.hosts
								: c->topology.cable_count)),
			.from_ticks = from_ticks,
			.to_ticks = from_ticks + 1 +
				    (int64_t)below(random, (uint32_t)(span_us * us)),
		};
	}
}

static void draw(struct fault_case *c, uint64_t number, const struct kind *kind)
{
	struct tr_error err = {""};
	struct tr_random random;
	char network[64];

	*c = (struct fault_case){.told = 0};
	tr_random_open(&random, number, "faults");
	draw_word(&random, kind->networks, network, sizeof(network));
	if (fabric_read(&c->fabric, kind->fabric, &err) != TR_OK ||
	    fabric_set(&c->fabric, "worms", "1000", &err) != TR_OK ||
	    fabric_settle(&c->fabric, &err) != TR_OK ||
	    net_topology_make(&c->topology, network, &err) != TR_OK ||
	    (kind->rule && net_routing_make(&c->routes, &c->topology, kind->rule, &err) != TR_OK) ||
	    c->fabric.kind->clock(c->fabric.params, &c->topology, 1000000, &c->ticks_per_s, &err) !=
		    TR_OK)
		fail_msg("case %llu: %s", (unsigned long long)number, err.text);
	draw_packets(c, &random, kind);
	draw_faults(c, &random, kind->span_us);
	c->width_ticks = (int64_t)c->ticks_per_s / 1000000 *
				 (1 + (int64_t)below(&random, kind->span_us / 3)) +
			 below(&random, 2);
}

static void close_case(struct fault_case *c)
{
	fabric_close(&c->fabric);
	net_routes_clear(&c->routes);
	net_topology_clear(&c->topology);
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
				  .faults = c->faults,
				  .fault_count = c->fault_count};
	struct tr_error err = {""};

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

// Returns how many were lost.
static uint64_t check_books(uint64_t number, const struct fault_case *c,
			    const struct net_engine *engine)
{
	const struct net_totals *totals = &c->totals;
	uint64_t lost = 0;

	for (uint32_t i = 0; i < c->told; i++) {
		lost += c->fates[i].status == TR_DROPPED;
		if (c->fates[i].status == TR_DROPPED && c->fates[i].reason != TR_DROP_DEAD &&
		    c->fates[i].reason != TR_DROP_DEADLOCK)
			fail_msg("case %llu: packet dropped for another reason",
				 (unsigned long long)number);
		if (c->fates[i].status == TR_DROPPED && c->fates[i].id >= CROWD)
			fail_msg("case %llu: packet %llu lost after the last fault",
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

static bool is_as_late(const struct fault_fate *a, const struct fault_fate *b)
{
	return a->id == b->id && a->status == b->status &&
	       a->time_ticks - a->created_ticks == b->time_ticks - b->created_ticks &&
	       a->injected_ticks - a->created_ticks == b->injected_ticks - b->created_ticks &&
	       a->head_ticks - a->created_ticks == b->head_ticks - b->created_ticks;
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

static uint64_t check(uint64_t number)
{
	struct fault_fate expected[CROWD + LATE];
	uint64_t own[NET_OWN_MAX];
	const struct net_engine *const *engine;
	const struct net_engine *reference;
	uint64_t lost, seen, sampled;
	struct fault_case c;
	struct tr_error err;

	if (!fabric_find(kinds[number % KINDS].fabric))
		return 0; // it is not part of this build
	draw(&c, number, &kinds[number % KINDS]);
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
	close_case(&c);
	return lost;
}

static void test_faults(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0),
		       cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 8000 : 8 * KINDS);
	uint64_t lost = 0;

	(void)state;
	for (uint64_t i = first; i < first + cases; i++)
		lost += check(i);
	print_message("%llu cases, %llu of %llu packets lost\n", (unsigned long long)cases,
		      (unsigned long long)lost, (unsigned long long)(cases * CROWD));
	if (cases >= KINDS)
		assert_in_range(lost, cases, cases * CROWD / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
