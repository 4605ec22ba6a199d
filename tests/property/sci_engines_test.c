// SPDX-License-Identifier: GPL-3.0-or-later
// The engines of SCI networks. A message that is alone takes what the closed forms say, to the nanosecond, for every pair of rings
// and tori of up to four dimensions. On random rings, tori and traffic the engine of packets does what the one of symbols does,
// in any order within a phase. FLIT_LONG=1 tries many more; FLIT_CASES so many from FLIT_FIRST on.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/fabric.h"
#include "net/sci/formulas.h"
#include "net/sci/sci_run.h"
#include "trace/num.h"
#include "trace/random.h"

#define MESSAGES 8192u
#define NS INT64_C(1000000000)

struct message {
	int64_t time_ticks;
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
};

struct fate {
	int64_t ticks; // delivered, or in flight at the end
	int64_t created_ticks;
	int64_t started_ticks;
	int64_t injected_ticks;
	int64_t head_ticks;
	int64_t received_ticks;
	uint32_t hops;
	uint32_t turn; // in the order of results, from 1
	uint8_t status;
};

struct bed {
	struct net_topology topology;
	struct sci_rings rings;
	struct sci_params params;
	uint64_t ticks_per_s;
	struct message *messages;
	uint32_t count;
	uint32_t taken;
	struct fate *fates;
	uint32_t told;
	int64_t stop_ticks; // INT64_MAX: not cut
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

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;
	const struct message *message = &bed->messages[bed->taken];

	(void)err;
	if (bed->taken == bed->count)
		return TR_END;
	*offer = (struct net_offer){.packet = {.time_ticks = message->time_ticks, .id = bed->taken},
				    .source = message->source,
				    .destination = message->destination,
				    .size_bytes = message->size_bytes};
	bed->taken++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm, const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->fates[worm->packet.id] = (struct fate){.ticks = delivery->packet.time_ticks,
						    .created_ticks = worm->created_ticks,
						    .started_ticks = worm->started_ticks,
						    .injected_ticks = worm->injected_ticks,
						    .head_ticks = worm->head_ticks,
						    .received_ticks = worm->received_ticks,
						    .hops = worm->route_count,
						    .turn = ++bed->told,
						    .status = delivery->status};
	return TR_OK;
}

static void bed_open(struct bed *bed, const char *network)
{
	struct tr_error err = {""};

	*bed = (struct bed){.params = sci_params_usual, .stop_ticks = INT64_MAX};
	bed->params.worms_max = MESSAGES;
	bed->params.packets_max = 16 * MESSAGES;
	assert_int_equal(net_topology_make(&bed->topology, network, &err), TR_OK);
	assert_int_equal(sci_rings_open(&bed->rings, &bed->topology, &err), TR_OK);
	bed->messages = calloc(MESSAGES, sizeof(*bed->messages));
	bed->fates = calloc(MESSAGES, sizeof(*bed->fates));
	assert_true(bed->messages && bed->fates);
}

static void bed_close(struct bed *bed)
{
	net_topology_clear(&bed->topology);
	free(bed->messages);
	free(bed->fates);
}

static struct net_totals bed_run(struct bed *bed, const struct net_engine *engine, uint64_t shuffle)
{
	const struct net_setup setup = {.topology = &bed->topology,
					.params = &bed->params,
					.ticks_per_s = bed->ticks_per_s,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done, .context = bed},
					.shuffle = shuffle,
					.stop_ticks = &bed->stop_ticks};
	struct net_totals totals;
	struct tr_error err = {""};

	bed->taken = bed->told = 0;
	memset(bed->fates, 0, MESSAGES * sizeof(*bed->fates));
	if (engine->run(&setup, &totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_true(totals.offered == totals.delivered + totals.dropped + totals.in_flight);
	return totals;
}

static const struct net_engine *const engines[] = {&sci_fast, &sci_plain};

// --- alone

// Of one message, by the closed forms; transaction: with the response, which is of one packet.
static double closed_ns(const struct bed *bed, const struct message *message, bool transaction)
{
	const struct sci_costs costs = sci_costs_of(&bed->params, message->size_bytes);
	const struct sci_costs answer = sci_costs_of(&bed->params, 0);
	uint32_t hops[NET_DIMENSIONS_MAX];
	double ns;

	for (uint32_t d = 0; d < bed->rings.dimensions; d++)
		hops[d] = sci_rings_hops(&bed->rings, message->source, message->destination, d);
	ns = sci_latency_ns(&costs, sci_request(hops, bed->rings.dimensions));
	if (transaction)
		ns += sci_latency_ns(&answer, sci_response(hops, bed->rings.sizes, bed->rings.dimensions));
	return ns;
}

// All pairs, or those of some sources, 100 us apart.
static void fill_pairs(struct bed *bed, uint32_t sources, uint32_t size_bytes)
{
	bed->count = 0;
	for (uint32_t i = 0; i < sources; i++)
		for (uint32_t to = 0; to < bed->rings.nodes; to++) {
			const uint32_t from = (uint32_t)((uint64_t)i * bed->rings.nodes / sources);

			if (from == to)
				continue;
			assert_true(bed->count < MESSAGES);
			bed->messages[bed->count] = (struct message){bed->count * (int64_t)(bed->ticks_per_s / 10000), from, to,
								     size_bytes};
			bed->count++;
		}
}

static void check_alone(struct bed *bed, bool transaction)
{
	for (uint32_t i = 0; i < bed->count; i++) {
		const struct fate *fate = &bed->fates[i];
		const int64_t ticks_per_ns = (int64_t)bed->ticks_per_s / NS;
		const double ns = closed_ns(bed, &bed->messages[i], transaction);

		assert_int_equal(fate->status, TR_DELIVERED);
		// Times are whole tenths of a nanosecond, and the ticks hold them exactly.
		assert_true((fate->ticks - fate->created_ticks) * 10 == (int64_t)round(ns * 10) * ticks_per_ns);
	}
}

static void alone(const char *network, uint32_t sources, bool cut_through, bool transaction)
{
	struct bed bed;
	struct tr_error err = {""};

	bed_open(&bed, network);
	bed.params.cut_through = cut_through;
	bed.params.transactions = transaction;
	assert_int_equal(sci_clock(&bed.params, NS, &bed.ticks_per_s, &err), TR_OK);
	fill_pairs(&bed, sources, 64);
	for (int i = 0; i < 2; i++) {
		bed_run(&bed, engines[i], 0);
		check_alone(&bed, transaction);
	}
	bed_close(&bed);
}

static void alone_it_takes_what_the_closed_forms_say(void **state)
{
	const bool all = getenv("FLIT_LONG") != NULL;

	(void)state;
	for (int transaction = 0; transaction < 2; transaction++) {
		alone("ring:2", 2, false, transaction);
		alone("ring:9", 9, false, transaction);
		alone("torus:3x3", 9, true, transaction);
		alone("torus:2x5", 10, false, transaction);
		alone("torus:4x4x4", all ? 64 : 8, false, transaction);
		alone("torus:2x3x2x4", all ? 48 : 6, true, transaction);
		alone("torus:3x3x3x3", all ? 81 : 3, false, transaction);
	}
}

// A message of several packets takes as long, unless an echo or a response of its own gets in the way of a packet: that costs
// each packet an echo and its idle symbol, or a response's, at most at each node.
static void alone_it_takes_little_more_in_packets(void **state)
{
	static const uint32_t sizes[] = {1, 16, 17, 64, 65, 80, 128, 1000};
	struct bed bed;
	struct tr_error err = {""};

	(void)state;
	bed_open(&bed, "torus:3x4");
	assert_int_equal(sci_clock(&bed.params, NS, &bed.ticks_per_s, &err), TR_OK);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		fill_pairs(&bed, 12, sizes[k]);
		for (int i = 0; i < 2; i++) {
			bed_run(&bed, engines[i], 0);
			for (uint32_t m = 0; m < bed.count; m++) {
				const double ns = (double)(bed.fates[m].ticks - bed.fates[m].created_ticks) * NS /
						  (double)bed.ticks_per_s;
				const double least_ns = closed_ns(&bed, &bed.messages[m], false);

				assert_true(ns >= least_ns - 1e-6 && ns <= least_ns + (sizes[k] > 64 ? 45 * 5 : 1e-6));
			}
		}
	}
	bed_close(&bed);
}

// Agents that store wait for the last symbol where switching is faster than that; those that cut through do not.
static void agents_store_whole_packets(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "torus:2x2");
	bed.ticks_per_s = NS;
	bed.params.overhead_B_s = (struct num_ratio){0, 1};
	bed.params.switching_s = (struct num_ratio){50, NS};
	bed.messages[0] = (struct message){0, 0, 3, 64};
	bed.count = 1;
	for (int cut_through = 0; cut_through < 2; cut_through++)
		for (int i = 0; i < 2; i++) {
			bed.params.cut_through = cut_through;
			bed_run(&bed, engines[i], 0);
			assert_int_equal(bed.fates[0].ticks, 2 * 2085 + 2 * 7 + (cut_through ? 50 : 200));
		}
	bed_close(&bed);
}

// By hand on a ring of three, no overheads, a symbol a nanosecond, links and nodes of 10 ns. Node 0 sends to 2 and node 1 to 2, at
// 20 ns, as the head of the other is at its output: what passes goes first, and 41 symbols later node 1 has its turn. Had it come
// a nanosecond earlier, the other would have waited in the bypass buffer.
static void what_passes_goes_first(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "ring:3");
	bed.ticks_per_s = NS;
	bed.params.overhead_s = bed.params.overhead_B_s = (struct num_ratio){0, 1};
	bed.params.propagation_s = bed.params.forwarding_s = (struct num_ratio){10, NS};
	bed.params.symbol_s = (struct num_ratio){1, NS};
	bed.messages[0] = (struct message){0, 0, 2, 64};
	bed.messages[1] = (struct message){20, 1, 2, 64};
	bed.count = 2;
	for (int i = 0; i < 2; i++) {
		bed.messages[1].time_ticks = 20;
		bed_run(&bed, engines[i], 0);
		assert_int_equal(bed.fates[0].ticks, 20 + 10 + 40);
		assert_int_equal(bed.fates[1].injected_ticks, 20 + 41);
		assert_int_equal(bed.fates[1].ticks, 20 + 41 + 10 + 40);
		bed.messages[1].time_ticks = 19;
		bed_run(&bed, engines[i], 0);
		assert_int_equal(bed.fates[1].ticks, 19 + 10 + 40);
		assert_int_equal(bed.fates[0].ticks, 19 + 41 + 10 + 40);
	}
	bed_close(&bed);
}

// --- random cases

static const char *const networks[] = {"ring:2",    "ring:3",	 "ring:5",	"ring:12",     "torus:2x2",
				       "torus:3x3", "torus:4x3", "torus:2x2x2", "torus:3x2x4", "torus:2x2x2x2"};

static struct num_ratio nanoseconds(struct tr_random *random, uint64_t least, uint64_t most)
{
	return (struct num_ratio){(int64_t)(least + tr_random_below(random, most - least + 1)), NS};
}

static void draw_messages(struct bed *bed, struct tr_random *random)
{
	static const uint64_t spans[] = {1, 400, 5000, 50000};
	static const uint32_t sizes[] = {1, 16, 17, 64, 65, 80, 128, 300};
	const uint64_t span = spans[tr_random_below(random, 4)];
	const bool hot = tr_random_below(random, 4) == 0;

	bed->count = 1 + (uint32_t)tr_random_below(random, 120);
	for (uint32_t i = 0; i < bed->count; i++) {
		struct message *message = &bed->messages[i];

		*message = (struct message){
			(int64_t)tr_random_below(random, span), (uint32_t)tr_random_below(random, bed->rings.nodes),
			hot ? 0 : (uint32_t)tr_random_below(random, bed->rings.nodes), sizes[tr_random_below(random, 8)]};
		for (uint32_t k = i; k > 0 && bed->messages[k].time_ticks < bed->messages[k - 1].time_ticks; k--) {
			const struct message swapped = bed->messages[k];

			bed->messages[k] = bed->messages[k - 1];
			bed->messages[k - 1] = swapped;
		}
	}
}

static void draw(struct bed *bed, uint64_t number)
{
	struct tr_random random;

	tr_random_open(&random, number, "sci");
	bed_open(bed, networks[tr_random_below(&random, sizeof(networks) / sizeof(*networks))]);
	bed->ticks_per_s = NS;
	bed->params.propagation_s = nanoseconds(&random, 1, 30);
	bed->params.forwarding_s = nanoseconds(&random, 0, 100);
	bed->params.switching_s = nanoseconds(&random, 0, tr_random_below(&random, 2) ? 700 : 60);
	bed->params.overhead_s = nanoseconds(&random, 0, tr_random_below(&random, 2) ? 300 : 0);
	bed->params.overhead_B_s = nanoseconds(&random, 0, 3);
	bed->params.symbol_s = nanoseconds(&random, 1, 7);
	bed->params.cut_through = tr_random_below(&random, 2);
	bed->params.transactions = tr_random_below(&random, 2);
	draw_messages(bed, &random);
	if (tr_random_below(&random, 4) == 0)
		bed->stop_ticks = (int64_t)tr_random_below(&random, 10000);
}

static void expect_same(uint64_t number, const struct bed *bed, const struct fate *expected)
{
	for (uint32_t i = 0; i < bed->count; i++) {
		const struct fate *a = &expected[i], *b = &bed->fates[i];

		if (memcmp(a, b, sizeof(*a)) != 0)
			fail_msg(
				"case %llu, message %u (%u > %u, %u B at %lld): status %u %u, at %lld %lld, injected %lld %lld, "
				"head %lld %lld, received %lld %lld, turn %u %u",
				(unsigned long long)number, i, bed->messages[i].source, bed->messages[i].destination,
				bed->messages[i].size_bytes, (long long)bed->messages[i].time_ticks, a->status, b->status,
				(long long)a->ticks, (long long)b->ticks, (long long)a->injected_ticks,
				(long long)b->injected_ticks, (long long)a->head_ticks, (long long)b->head_ticks,
				(long long)a->received_ticks, (long long)b->received_ticks, a->turn, b->turn);
	}
}

// Each request goes once round each of its rings with its echo, each response likewise: hops of all that was sent, once all of it
// has been. Where a run ends some is on its way.
static void check_hops(const struct bed *bed, const struct net_totals *totals)
{
	uint64_t sends = 0;

	for (uint32_t i = 0; i < bed->count; i++) {
		const struct message *message = &bed->messages[i];

		for (uint32_t d = 0; d < bed->rings.dimensions; d++)
			if (sci_rings_hops(&bed->rings, message->source, message->destination, d) > 0)
				sends += ((message->size_bytes - 1) / SCI_PACKET_B + 1) * (uint64_t)bed->rings.sizes[d];
	}
	assert_true(totals->own[SCI_SEND_HOPS] <= sends && totals->own[SCI_ECHO_HOPS] <= sends);
	if (bed->params.transactions && totals->delivered == bed->count)
		assert_int_equal(totals->own[SCI_SEND_HOPS], sends);
}

static void packets_do_what_symbols_do(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 1), cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 20000 : 300);
	struct fate *expected = calloc(MESSAGES, sizeof(*expected));
	uint64_t waited = 0, cut = 0;

	(void)state;
	assert_non_null(expected);
	for (uint64_t number = first; number < first + cases; number++) {
		struct net_totals plain, fast;
		struct bed bed;

		draw(&bed, number);
		plain = bed_run(&bed, &sci_plain, 0);
		memcpy(expected, bed.fates, MESSAGES * sizeof(*expected));
		check_hops(&bed, &plain);
		for (uint64_t shuffle = 0; shuffle <= number; shuffle += number) {
			fast = bed_run(&bed, &sci_fast, shuffle);
			expect_same(number, &bed, expected);
			assert_int_equal(plain.end_ticks, fast.end_ticks);
			assert_memory_equal(plain.own, fast.own, sizeof(plain.own));
		}
		bed_run(&bed, &sci_plain, number);
		expect_same(number, &bed, expected);
		cut += plain.in_flight > 0;
		for (uint32_t i = 0; i < bed.count; i++)
			waited += expected[i].status == TR_DELIVERED && bed.messages[i].source != bed.messages[i].destination &&
				  (double)(expected[i].ticks - expected[i].created_ticks) >
					  closed_ns(&bed, &bed.messages[i], bed.params.transactions) + 45;
		bed_close(&bed);
	}
	if (cases >= 300)
		assert_true(waited > 10 * cases && cut > cases / 20);
	free(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone_it_takes_what_the_closed_forms_say),
		cmocka_unit_test(alone_it_takes_little_more_in_packets),
		cmocka_unit_test(agents_store_whole_packets),
		cmocka_unit_test(what_passes_goes_first),
		cmocka_unit_test(packets_do_what_symbols_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
