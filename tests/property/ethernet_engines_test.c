// SPDX-License-Identifier: GPL-3.0-or-later
// The engines of Ethernet against each other, the fast one also in random regions that threads or
// ranks move, on random networks, cables, buffers and traffic, with
// samples of links, finite sources, traffic that reacts to deliveries, and runs that are cut or
// fail: what they report, in its order, how many packets they have taken at each report, why they
// fail, and the totals are equal. FLIT_LONG=1 tries 10^5 cases, FLIT_CASES so many from FLIT_FIRST
// on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/routings/routing.h"
#include "net/ethernet/ethernet_params.h"
#include "ranks_apart.h"
#include "setting.h"
#include "value/random.h"

#define PACKETS_MAX 400u
#define REPORTS_MAX 60000u
#define LINKS_MAX 64u

enum packet_state { PACKET_WAITS, PACKET_OFFERED, PACKET_TAKEN };

struct random_packet {
	int64_t time_ticks;
	uint32_t source, destination, size_bytes;
	bool refused;
	enum packet_state state;
};

// What was reported: the end of a worm, or a sample.
struct report {
	struct tr_delivery end;
	struct tr_link sample;
	int64_t received_ticks;
	uint64_t serial; // of the packet
	uint32_t taken;	 // packets before it
};

struct outcome {
	struct report reports[REPORTS_MAX];
	uint32_t count;
	uint64_t drops[LINKS_MAX];
	struct net_totals totals;
	struct tr_error err; // no text: none
};

struct engines_bed {
	struct net_topology topology;
	struct net_routes routes;
	struct ethernet_params params;
	struct net_setup setup;
	struct random_packet drawn[PACKETS_MAX], packets[PACKETS_MAX];
	uint32_t drawn_count, count, most;
	uint32_t enough; // reports of ends after which the results want no more; 0: all
	uint32_t ends;
	uint32_t readable; // packets that are offered before the traffic fails
	uint32_t read, taken;
	bool reacts, waits, must_wait;	   // the traffic, and it now
	int64_t offered_ticks, told_ticks; // of the last offer; all before are to be told
	int64_t stop_ticks;
	struct outcome frames, departures, regions;
	struct outcome *outcome;
	uint32_t ranks;	       // that move the network; 0: one process
	uint64_t regions_seen; // of all cases
	uint64_t ranks_seen;
};

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

// ---- traffic and results

static enum tr_status next(void *context, struct net_offer *out, struct tr_error *err)
{
	struct engines_bed *bed = context;
	struct random_packet *first = NULL;

	if (bed->must_wait)
		bed->told_ticks = bed->offered_ticks;
	if (bed->read++ == bed->readable)
		return tr_fail(err, "%u packets", bed->readable);
	for (uint32_t i = 0; i < bed->count; i++) {
		struct random_packet *packet = &bed->packets[i];

		if (packet->state == PACKET_OFFERED)
			packet->state = PACKET_TAKEN;
		if (packet->state == PACKET_WAITS &&
		    (!first || packet->time_ticks < first->time_ticks))
			first = packet;
	}
	if (!first)
		return TR_END;
	first->state = PACKET_OFFERED;
	bed->must_wait = bed->waits && bed->read % 3 != 0;
	bed->offered_ticks = first->time_ticks;
	*out = (struct net_offer){
		.packet = {.time_ticks = first->time_ticks, .id = (uint64_t)(first - bed->packets)},
		.source = first->source,
		.destination = first->destination,
		.size_bytes = first->size_bytes,
		.refused = first->refused ? TR_DROP_DEAD : TR_DROP_NONE};
	return TR_OK;
}

static enum tr_status engines_taken(void *context, struct tr_error *err)
{
	(void)err;
	((struct engines_bed *)context)->taken++;
	return TR_OK;
}

static void give_back(void *context, const struct net_offer *offer)
{
	((struct engines_bed *)context)->packets[offer->packet.id].state = PACKET_WAITS;
}

// The answer to a packet, or the next of its flow.
static void react(struct engines_bed *bed, const struct random_packet *packet, int64_t ticks)
{
	const bool answers = bed->count % 3 == 0;
	struct random_packet *more = &bed->packets[bed->count];

	if (bed->count == bed->most)
		return;
	*more = *packet;
	more->state = PACKET_WAITS;
	more->time_ticks = ticks + (bed->count % 4 == 0 ? 0 : bed->count % 700);
	if (answers) {
		more->source = packet->destination;
		more->destination = packet->source;
		more->size_bytes = 40;
	}
	bed->count++;
}

static struct report *add_report(struct engines_bed *bed)
{
	struct report *report = &bed->outcome->reports[bed->outcome->count++];

	assert_true(bed->outcome->count < REPORTS_MAX);
	memset(report, 0, sizeof(*report));
	report->taken = bed->taken;
	return report;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct engines_bed *bed = context;
	struct report *report = add_report(bed);

	(void)err;
	assert_true(delivery->packet.time_ticks >= bed->told_ticks);
	report->end = *delivery;
	report->received_ticks = worm->received_ticks;
	report->serial = worm->packet.id;
	if (bed->reacts && delivery->status != TR_IN_FLIGHT)
		react(bed, &bed->packets[worm->packet.id], delivery->packet.time_ticks);
	return ++bed->ends == bed->enough ? TR_END : TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	(void)err;
	add_report(context)->sample = *link;
	return TR_OK;
}

// ---- cases

// Lengths and rates differ from cable to cable, or not.
static void draw_cables(struct engines_bed *bed, struct tr_random *random)
{
	const uint32_t byte_ticks = 1 + below(random, 3);
	const uint32_t propagation_ticks = below(random, 3) == 0 ? 0 : below(random, 3000);
	const bool differ = below(random, 3) == 0;

	bed->params.cables.rate_bps = (struct num_ratio){8000000000, byte_ticks};
	bed->params.cables.propagation_s = (struct num_ratio){propagation_ticks, 1000000000};
	for (size_t i = 0; differ && i < bed->topology.cable_count; i++) {
		if (below(random, 2))
			bed->topology.cables[i].rate_bps = (struct num_ratio){8000000000,
									      1 + below(random, 4)};
		if (below(random, 2))
			bed->topology.cables[i].length_m = (struct num_ratio){below(random, 2000),
									      5};
	}
}

static void draw_params(struct engines_bed *bed, struct tr_random *random)
{
	static const struct num_ratio alphas[] = {{1, 2}, {1, 1}, {2, 1}, {3, 7}};

	bed->params = ethernet_params_usual;
	bed->params.buffer_B = below(random, 5) == 0 ? 0 : 64 + below(random, 12000);
	bed->params.share = (enum ethernet_share)below(random, 3);
	bed->params.alpha = alphas[below(random, 4)];
	bed->params.latency_s = (struct num_ratio){below(random, 3) == 0 ? 0 : below(random, 900),
						   1000000000};
}

static void draw_packets(struct engines_bed *bed, struct tr_random *random)
{
	const uint32_t bursts = 1 + below(random, 20), grain = 1 + below(random, 200);
	const uint32_t span = 1 + below(random, 3000), hosts = bed->topology.hosts;
	const uint32_t sizes = 1 + below(random, 1500), refusals = 2 + below(random, 100);
	int64_t time = 0;

	bed->most = 20 + below(random, PACKETS_MAX - 20);
	bed->reacts = below(random, 3) == 0;
	bed->drawn_count = bed->reacts ? 1 + below(random, 20) : bed->most;
	for (uint32_t i = 0; i < bed->drawn_count; i++) {
		const bool again = i > 0 && below(random, bursts) > 0; // of the same message

		if (!again)
			time += below(random, span) / grain * grain;
		bed->drawn[i] = (struct random_packet){
			.time_ticks = time,
			.source = again && below(random, 4) ? bed->drawn[i - 1].source
							    : below(random, hosts),
			.destination = again && below(random, 4) ? bed->drawn[i - 1].destination
								 : below(random, hosts),
			.size_bytes = below(random, 3) ? sizes : 1 + below(random, 1500),
			.refused = !bed->reacts && below(random, refusals) == 0};
		if (bed->topology.switches == 0) // no way back
			bed->drawn[i].destination = 1 - bed->drawn[i].source;
	}
}

// Some packets of about one time are too large, or no more can be read.
static void draw_failure(struct engines_bed *bed, struct tr_random *random)
{
	const uint32_t at = below(random, bed->drawn_count);

	bed->readable = below(random, 10) == 0 && !bed->reacts ? at : UINT32_MAX;
	if (below(random, 10) == 0)
		for (uint32_t i = at; i < at + 4 && i < bed->drawn_count; i++)
			bed->drawn[i].size_bytes = 9000 + i;
}

static void draw_setup(struct engines_bed *bed, struct tr_random *random)
{
	bed->enough = below(random, 6) == 0 ? 1 + below(random, bed->most) : 0;
	bed->stop_ticks = 1 + below(random, 60000);
	bed->setup = (struct net_setup){
		.topology = &bed->topology,
		.routes = &bed->routes,
		.params = &bed->params,
		.ticks_per_s = 1000000000,
		.traffic = {.next = next,
			    .taken = engines_taken,
			    .waits = &bed->must_wait,
			    .context = bed,
			    .give_back = bed->reacts ? give_back : NULL},
		.results = {.done = done, .sample = sample, .context = bed},
		.stop_ticks = below(random, 4) == 0 ? &bed->stop_ticks : NULL,
		.finite_sources = !bed->reacts && below(random, 4) == 0,
	};
	if (below(random, 2))
		bed->setup.sampling = (struct net_sampling){4000 + below(random, 40000),
							    below(random, 1000)};
}

// ---- runs

static void run_engine(struct engines_bed *bed, const struct net_engine *engine,
		       struct outcome *outcome)
{
	outcome->count = 0;
	memset(outcome->drops, 0, sizeof(outcome->drops));
	bed->outcome = outcome;
	bed->ends = bed->read = bed->taken = 0;
	bed->told_ticks = INT64_MIN;
	bed->must_wait = false;
	bed->count = bed->drawn_count;
	memcpy(bed->packets, bed->drawn, sizeof(bed->packets));
	bed->setup.results.link_drops = outcome->drops;
	outcome->err.text[0] = '\0';
	if (bed->ranks > 1)
		(void)ranks_apart_run(engine, &bed->setup, bed->ranks, &outcome->totals,
				      &outcome->err);
	else
		(void)engine->run(&bed->setup, &outcome->totals, &outcome->err);
	bed->regions_seen += outcome->totals.regions;
	outcome->totals.regions = 0;
	outcome->totals.events = outcome->totals.memory_bytes = 0; // the engines' own
}

static void expect_equal(const struct engines_bed *bed, const struct outcome *b, uint64_t number)
{
	const struct outcome *a = &bed->frames;

	for (uint32_t i = 0; i < a->count && i < b->count; i++)
		if (memcmp(&a->reports[i], &b->reports[i], sizeof(a->reports[i])) != 0)
			fail_msg("case %llu: report %u: packet %llu ends at %lld and %llu at %lld, "
				 "link %u at %lld and %u at %lld",
				 (unsigned long long)number, i,
				 (unsigned long long)a->reports[i].serial,
				 (long long)a->reports[i].end.packet.time_ticks,
				 (unsigned long long)b->reports[i].serial,
				 (long long)b->reports[i].end.packet.time_ticks,
				 a->reports[i].sample.link,
				 (long long)a->reports[i].sample.start_ticks,
				 b->reports[i].sample.link,
				 (long long)b->reports[i].sample.start_ticks);
	if (strcmp(a->err.text, b->err.text) != 0)
		fail_msg("case %llu: fails by \"%s\" and \"%s\"", (unsigned long long)number,
			 a->err.text, b->err.text);
	if (a->count != b->count)
		fail_msg("case %llu: %u and %u reports", (unsigned long long)number, a->count,
			 b->count);
	if (a->err.text[0] != '\0')
		return;
	if (memcmp(a->drops, b->drops, sizeof(a->drops)) != 0 ||
	    memcmp(&a->totals, &b->totals, sizeof(a->totals)) != 0)
		fail_msg("case %llu: totals or the links of drops differ, ends %lld and "
			 "%lld",
			 (unsigned long long)number, (long long)a->totals.end_ticks,
			 (long long)b->totals.end_ticks);
}

// Where a random cut gives each rank a region.
static void try_ranks(struct engines_bed *bed, struct tr_random *random, uint64_t number)
{
	bed->ranks = 2 + below(random, 3);
	bed->setup.regions = bed->ranks + below(random, 4);
	run_engine(bed, &ethernet_departures, &bed->regions);
	if (!strstr(bed->regions.err.text, "ranks of MPI")) {
		bed->ranks_seen++;
		expect_equal(bed, &bed->regions, number);
	}
	bed->ranks = 0;
}

static void try_case(struct engines_bed *bed, uint64_t number)
{
	static const char *const networks[] = {"switch:4",	"line:3,hosts=2",    "ring:4",
					       "direct",	"fattree:8,arity=2", "mesh:2x3",
					       "line:2,hosts=7"};
	static const char *const rules[] = {"shortest:tie=lowest", "shortest:tie=flow",
					    "shortest:tie=packet"};
	struct tr_random random;

	tr_random_open(&random, number, "engines");
	bed->waits = false;
	bed->topology = (struct net_topology){0};
	bed->routes = (struct net_routes){0};
	assert_int_equal(net_topology_make(&bed->topology, networks[below(&random, 7)], NULL),
			 TR_OK);
	assert_int_equal(net_routing_make(&bed->routes, &bed->topology, rules[number % 3], NULL),
			 TR_OK);
	draw_params(bed, &random);
	draw_cables(bed, &random);
	draw_packets(bed, &random);
	draw_failure(bed, &random);
	draw_setup(bed, &random);
	run_engine(bed, &ethernet_frames, &bed->frames);
	run_engine(bed, &ethernet_departures, &bed->departures);
	expect_equal(bed, &bed->departures, number);
	if (!bed->enough) { // a run that its results end is one whole
		bed->setup.shuffle = 1 + number;
		bed->setup.regions = 1 + below(&random, 8);
		bed->setup.threads = 1 + below(&random, 4);
		bed->waits = !bed->reacts && !bed->setup.finite_sources && below(&random, 2);
		run_engine(bed, &ethernet_departures, &bed->regions);
		expect_equal(bed, &bed->regions, number);
		if (number % 4 == 0)
			try_ranks(bed, &random, number);
	}
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
}

static void test_engines(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0);
	const uint64_t cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 100000 : 2000);
	struct engines_bed *bed = calloc(1, sizeof(*bed));
	uint64_t dropped = 0, cut = 0;

	(void)state;
	assert_non_null(bed);
	for (uint64_t i = first; i < first + cases; i++) {
		try_case(bed, i);
		dropped += bed->frames.totals.dropped;
		cut += bed->frames.totals.in_flight;
	}
	assert_true(cases < 100 || (dropped > 10 * cases && cut > cases &&
				    bed->regions_seen > cases && 40 * bed->ranks_seen > cases));
	free(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
