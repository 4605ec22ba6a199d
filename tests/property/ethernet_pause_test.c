// SPDX-License-Identifier: GPL-3.0-or-later
// Flow control by priority of the engine frames against another simulation that goes through every
// tick: each packet ends at the same tick. With the headroom that the engine works out nothing is
// dropped, with less it is, and is counted. A deadlock is found if and only if the other
// simulation, run on, comes to stand with packets in it, and each step of the cycle that is named
// is one of packets that stand there; never with routes that pass the proof of flitroute.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ethernet_naive.h"
#include "net/ethernet/ethernet_pause.h"
#include "net/routes/deadlock.h"
#include "net/routings/routing.h"
#include "value/random.h"

#define LINKS_MAX 64u
#define STEPS_MAX 64u

// A case in which links are searched that would be stuck, but for pause frames under way that end
// their pauses; it goes on.
#define CASE_RESUMED 1030u

struct pause_bed {
	struct naive_case naive;
	struct naive_packet packets[NAIVE_PACKETS_MAX];
	uint32_t next;
	int64_t end_ticks[NAIVE_PACKETS_MAX];
	struct net_link_pauses pauses[LINKS_MAX * NET_PAUSE_PRIORITIES];
	struct net_wait_step steps[STEPS_MAX];
	uint32_t step_count;
	int64_t from_ticks;
	bool acyclic; // the routes
};

static enum tr_status pause_bed_next(void *context, struct net_offer *out, struct tr_error *err)
{
	struct pause_bed *bed = context;
	const struct naive_packet *packet = &bed->packets[bed->next];

	(void)err;
	if (bed->next == bed->naive.count)
		return TR_END;
	*out = (struct net_offer){.packet = {.time_ticks = packet->time_ticks, .id = bed->next++},
				  .source = packet->source,
				  .destination = packet->destination,
				  .size_bytes = packet->size_bytes};
	return TR_OK;
}

static enum tr_status pause_bed_done(void *context, const struct net_worm *worm,
				     const struct tr_delivery *delivery, struct tr_error *err)
{
	struct pause_bed *bed = context;

	(void)err;
	bed->end_ticks[worm->packet.id] = delivery->status == TR_IN_FLIGHT
						  ? -1
						  : delivery->packet.time_ticks;
	return TR_OK;
}

static void pause_bed_found(void *context, const struct net_wait_cycle *cycle)
{
	struct pause_bed *bed = context;

	assert_true(cycle->pauses && cycle->count > 1 && cycle->count <= STEPS_MAX);
	memcpy(bed->steps, cycle->steps, cycle->count * sizeof(*cycle->steps));
	bed->step_count = cycle->count;
	bed->from_ticks = cycle->from_ticks;
}

static uint32_t pause_below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

// Sizes in a key, and what they come to by the formula of the manual.
static void pause_bed_limits(struct pause_bed *bed, struct tr_random *random, bool enough)
{
	struct naive_case *naive = &bed->naive;
	struct ethernet_pause_params *keys = &naive->params.pause;
	const int64_t frame_B = (int64_t)naive->params.mtu_B + 18;
	const int64_t quanta = pause_below(random, 20);
	const int64_t needs_B = 3 * frame_B + 100 + 64 * quanta +
				(2 * naive->propagation_ticks + naive->byte_ticks - 1) /
					naive->byte_ticks;

	naive->pauses = (struct naive_pauses){
		.on = true,
		.xoff_B = pause_below(random, 2500),
		.headroom_B = enough ? needs_B : pause_below(random, (uint32_t)(needs_B * 3 / 4)),
		.response_ticks = 64 * quanta * naive->byte_ticks};
	naive->pauses.xon_B = pause_below(random, (uint32_t)naive->pauses.xoff_B + 1);
	keys->quanta = (uint64_t)(2 * (frame_B + 20) + 63) / 64 + pause_below(random, 100);
	naive->pauses.quanta_ticks = (int64_t)keys->quanta * 64 * naive->byte_ticks;
	strcpy(keys->of, "all");
	snprintf(keys->xoff, sizeof(keys->xoff), "%lld", (long long)naive->pauses.xoff_B);
	snprintf(keys->xon, sizeof(keys->xon), "%lld", (long long)naive->pauses.xon_B);
	snprintf(keys->response, sizeof(keys->response), "%lld", (long long)quanta);
	if (!enough)
		snprintf(keys->headroom, sizeof(keys->headroom), "%lld",
			 (long long)naive->pauses.headroom_B);
}

static void pause_bed_make(struct pause_bed *bed, struct tr_random *random, bool enough)
{
	struct naive_case *naive = &bed->naive;
	const uint32_t hosts = naive->topology->hosts, span = 100 + pause_below(random, 8000);
	const bool classes = pause_below(random, 2);
	int64_t time = 0;

	naive->params = ethernet_params_usual;
	naive->params.buffer_B = 0;
	naive->params.mtu_B = 46 + pause_below(random, 800);
	naive->byte_ticks = 1 + pause_below(random, 2);
	naive->propagation_ticks = pause_below(random, 3) == 0 ? 0 : pause_below(random, 4000);
	naive->params.cut_B = enough && pause_below(random, 2) ? 14 + pause_below(random, 200) : 0;
	naive->latency_ticks = pause_below(random, 3) == 0 ? 0 : pause_below(random, 900);
	naive->params.cables.rate_bps = (struct num_ratio){8000000000 / naive->byte_ticks, 1};
	naive->params.cables.propagation_s = (struct num_ratio){naive->propagation_ticks,
								1000000000};
	naive->params.latency_s = (struct num_ratio){naive->latency_ticks, 1000000000};
	if (classes)
		strcpy(naive->params.priority.of, "host0-1:5/host2:7");
	naive->count = 100 + pause_below(random, 150);
	naive->packets = bed->packets;
	pause_bed_limits(bed, random, enough);
	for (uint32_t i = 0; i < naive->count; i++) {
		const uint32_t source = pause_below(random, hosts);
		const uint32_t ahead = pause_below(random, 3) == 0
					       ? 1 + pause_below(random, hosts - 1)
					       : 2;

		time += pause_below(random, 2 * span / naive->count + 1);
		bed->packets[i] = (struct naive_packet){
			.time_ticks = time,
			.source = source,
			.destination = (source + ahead) % hosts,
			.size_bytes = pause_below(random, 2)
					      ? 1 + pause_below(random,
								(uint32_t)naive->params.mtu_B)
					      : (uint32_t)naive->params.mtu_B,
			.priority = !classes	  ? 0
				    : source < 2  ? 5
				    : source == 2 ? 7
						  : 0};
	}
}

static void pause_bed_run(struct pause_bed *bed, struct net_totals *totals)
{
	const struct net_setup setup = {
		.topology = bed->naive.topology,
		.routes = bed->naive.routes,
		.params = &bed->naive.params,
		.ticks_per_s = 1000000000,
		.traffic = {.next = pause_bed_next, .context = bed},
		.results = {.done = pause_bed_done, .link_pauses = bed->pauses, .context = bed},
		.cycles = {pause_bed_found, bed},
	};
	struct tr_error err = {.text = ""};

	bed->next = bed->step_count = 0;
	memset(bed->end_ticks, 0xff, sizeof(bed->end_ticks));
	memset(bed->pauses, 0, sizeof(bed->pauses));
	if (ethernet_frames.run(&setup, totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(totals->offered, totals->delivered + totals->dropped + totals->in_flight);
}

// Each step's link holds packets, of which some wait for the next step's.
static void pause_bed_check_cycle(const struct pause_bed *bed)
{
	for (uint32_t i = 0; i < bed->step_count; i++) {
		const struct net_wait_step *step = &bed->steps[i];
		const uint32_t next = bed->steps[(i + 1) % bed->step_count].link;
		int64_t came_B = 0;
		bool waits = false;

		for (uint32_t k = 0; k < bed->naive.count; k++) {
			const struct naive_packet *packet = &bed->packets[k];

			if (packet->came_by != (int64_t)step->link ||
			    packet->priority != step->lane)
				continue;
			came_B += packet->size_bytes + 18 > 64 ? packet->size_bytes + 18 : 64;
			waits = waits || packet->stuck_on == (int64_t)next;
		}
		assert_true(waits);
		assert_true(came_B > bed->naive.pauses.xon_B);
		assert_true((int64_t)step->bytes <= came_B);
	}
}

// Returns whether it was a deadlock.
static bool pause_bed_compare(struct pause_bed *bed, const struct net_totals *totals,
			      uint64_t number)
{
	uint64_t dropped = 0, left = 0, counted = 0;

	naive_run_on(&bed->naive, totals->end_ticks + 1, 60000);
	for (uint32_t i = 0; i < bed->naive.count; i++) {
		const struct naive_packet *packet = &bed->packets[i];

		left += packet->end_ticks < 0;
		dropped += packet->dropped_on >= 0;
		if (bed->end_ticks[i] !=
		    (packet->end_ticks <= totals->end_ticks ? packet->end_ticks : -1))
			fail_msg("case %llu: packet %u ends at %lld, expected %lld",
				 (unsigned long long)number, i, (long long)bed->end_ticks[i],
				 (long long)packet->end_ticks);
	}
	for (uint32_t i = 0; i < LINKS_MAX * NET_PAUSE_PRIORITIES; i++)
		counted += bed->pauses[i].drops;
	if (!totals->deadlocked)
		assert_int_equal(dropped, counted);
	assert_int_equal(totals->dropped, counted);
	if ((left > 0) != totals->deadlocked)
		fail_msg("case %llu: %llu packets stand for ever, deadlock %d",
			 (unsigned long long)number, (unsigned long long)left, totals->deadlocked);
	assert_int_equal(totals->deadlocked, bed->step_count > 0);
	if (totals->deadlocked) {
		assert_true(bed->from_ticks <= totals->end_ticks);
		assert_false(bed->acyclic);
		pause_bed_check_cycle(bed);
	}
	return totals->deadlocked;
}

static void pause_bed_open(struct pause_bed *bed, struct net_topology *topology,
			   struct net_routes *routes, const char *const *network)
{
	struct net_graph graph = {0};
	struct net_cycle cycle = {0};

	assert_int_equal(net_topology_make(topology, network[0], NULL), TR_OK);
	assert_int_equal(net_routing_make(routes, topology, network[1], NULL), TR_OK);
	assert_int_equal(net_graph_open(&graph, topology, NULL), TR_OK);
	assert_int_equal(net_deadlock_find(&cycle, &graph, routes, NULL), TR_OK);
	bed->acyclic = cycle.count == 0;
	bed->naive.topology = topology;
	bed->naive.routes = routes;
	net_cycle_clear(&cycle);
	net_graph_close(&graph);
}

static void test_pauses_against_naive(void **state)
{
	static const char *const networks[][2] = {
		{"switch:4", "updown"},	 {"ring:4", "dimension"}, {"line:3,hosts=2", "updown"},
		{"ring:5", "dimension"}, {"ring:4", "updown"},	  {"ring:3,hosts=2", "updown"},
		{"ring:4", "dimension"}};
	const uint64_t first = getenv("FLIT_FIRST") ? strtoull(getenv("FLIT_FIRST"), NULL, 10) : 0;
	const uint64_t cases = getenv("FLIT_LONG") ? 210 : 14;
	struct pause_bed *bed = calloc(1, sizeof(*bed));
	uint64_t dropped = 0, deadlocks = 0, paused = 0;

	(void)state;
	assert_non_null(bed);
	for (uint64_t k = first; k <= first + cases; k++) {
		const uint64_t i = k < first + cases ? k : CASE_RESUMED;
		struct net_topology topology = {0};
		struct net_routes routes = {0};
		struct net_totals totals;
		struct tr_random random;
		const bool enough = i / 7 % 2 == 0;

		tr_random_open(&random, i, "ethernet pauses");
		pause_bed_open(bed, &topology, &routes, networks[i % 7]);
		pause_bed_make(bed, &random, enough);
		pause_bed_run(bed, &totals);
		deadlocks += pause_bed_compare(bed, &totals, i);
		if (enough)
			assert_int_equal(totals.dropped, 0);
		dropped += totals.dropped;
		for (uint32_t link = 0; link < LINKS_MAX * NET_PAUSE_PRIORITIES; link++)
			paused += bed->pauses[link].pauses;
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
	print_message("%llu dropped, %llu pauses, %llu deadlocks\n", (unsigned long long)dropped,
		      (unsigned long long)paused, (unsigned long long)deadlocks);
	assert_true(dropped > cases && paused > 10 * cases && deadlocks > cases / 20);
	free(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pauses_against_naive)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
