// SPDX-License-Identifier: GPL-3.0-or-later
// bench_net ENGINE NETWORK ROUTES BUFFER LOAD FLITS PACKETS [rate=PERCENT] [meters=CYCLES]
// [lanes=N] [traffic=PATTERN] [from=CYCLES] [keys=KEY=VALUE,...] [loose]: traffic over a network as
// in BookSim2, uniform from each host to any, including itself, or to where PATTERN says, of
// tornado (of 8 in a dimension), transpose, bitcomp, hotspot, bad_dragon: one lane, a flit per
// cycle, cables of one cycle, one cycle each for routing and crossing, worms of FLITS flits of
// which the last is the tail. BUFFER is 8 flits, with GO at 4 and STOP at 6, or 80 as in Myrinet,
// with 32 and 48. LOAD is in flits per host and cycle. The run is cut when about PACKETS packets
// were offered; full queues of 16 drop. One line:
//    engine buffer load accepted flits packets seconds Mflit-hop/s Mpacket-hop/s us/worm
//    B/host of the run's arena, and of the whole process where they were touched
//    seconds including drawing the traffic; mean latency in cycles; mean switches of a packet
// flit-hops: FLITS times the switches passed, of delivered packets, without route characters.
// seconds: processor time of the run alone. With the engine lanes the network is
// lanes:preset=booksim with N lanes of BUFFER flits, whose queues drop nothing. rate: of the cable
// of host 1, in per cent of the others'. meters: sample all links every CYCLES cycles.
// from: of packets before that the latency is not counted, nor what is accepted. keys: of the
// fabric, after those. loose: hosts begin at moments of their own in a cycle, so that few events
// share a tick, as in most runs of flitsim.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "fabric_bed.h"
#include "net/engine.h"
#include "net/fabric.h"
#include "net/lanes/lanes_run.h"
#include "net/myrinet/params.h"
#include "net/routings/routing.h"
#include "value/num.h"
#include "value/random.h"

#define TICKS_PER_S UINT64_C(36000000000)
#define CYCLE_TICKS 225 // of a character at 1.28 Gb/s

struct wishes {
	const struct net_engine *engine;
	const char *network;
	const char *routes;
	uint64_t buffer_flits;
	double load;
	uint64_t flits;
	uint64_t packets;
	uint64_t percent;
	uint64_t meter_cycles; // 0: no samples
	uint64_t lanes;
	uint64_t from_cycles;
	const char *keys;
	const struct pattern *pattern;
	bool loose;
};

// Where a host sends, of so many; random: drawn for each packet. They are BookSim2's.
struct pattern {
	const char *name;
	uint32_t (*to)(uint32_t host, uint32_t hosts, struct tr_random *random);
};

static uint32_t to_any(uint32_t host, uint32_t hosts, struct tr_random *random)
{
	(void)host;
	return (uint32_t)tr_random_below(random, hosts);
}

static uint32_t to_tornado(uint32_t host, uint32_t hosts, struct tr_random *random)
{
	uint32_t to = 0;

	(void)random;
	for (uint32_t step = 1; step < hosts; step *= 8)
		to += step * ((host / step % 8 + 3) % 8);
	return to;
}

static uint32_t to_transposed(uint32_t host, uint32_t hosts, struct tr_random *random)
{
	const uint32_t half = (uint32_t)__builtin_ctz(hosts) / 2, mask = (1u << half) - 1;

	(void)random;
	return (host >> half & mask) | (host << half & mask << half);
}

static uint32_t to_complement(uint32_t host, uint32_t hosts, struct tr_random *random)
{
	(void)random;
	return hosts - 1 - host;
}

// Two hosts in equal parts.
static uint32_t to_hot(uint32_t host, uint32_t hosts, struct tr_random *random)
{
	static const uint32_t hot[] = {9, 54};

	(void)host;
	(void)hosts;
	return hot[tr_random_below(random, 2)];
}

// Any host of the next group of a dragonfly of 8 hosts a group.
static uint32_t to_next_group(uint32_t host, uint32_t hosts, struct tr_random *random)
{
	return ((host / 8 + 1) * 8 + (uint32_t)tr_random_below(random, 8)) % hosts;
}

static const struct pattern patterns[] = {
	{"uniform", to_any},	    {"tornado", to_tornado}, {"transpose", to_transposed},
	{"bitcomp", to_complement}, {"hotspot", to_hot},     {"bad_dragon", to_next_group}};

struct bench {
	struct wishes wishes;
	struct net_topology topology;
	struct net_routes routes;
	struct net_offer *offers;
	size_t offered;
	uint64_t delivered;
	uint64_t packet_hops;
	uint64_t timed;
	int64_t latency_ticks; // of these packets
	int64_t busy_ticks;
	double seconds;
	double draw_seconds;
	struct net_totals totals;
};

// Adapters that are never the limit.
static struct myr_params params_for(const struct bench *bench)
{
	const struct num_ratio cycle_s = {1, 160000000};
	uint64_t flits = bench->wishes.flits;
	struct myr_params params = myr_params_yates;

	params.format.gap_after = true;
	params.format.no_final = true;
	params.link.length_m = (struct num_ratio){9, 8};
	if (bench->wishes.buffer_flits == 8) {
		params.link.below_go_B = 4;
		params.link.hysteresis_B = 2;
		params.link.above_stop_B = 2;
	}
	params.crossbar.assignment_s = cycle_s;
	params.crossbar.path_s = cycle_s;
	params.crossbar.conversion_s.num = 0;
	params.adapter.flit_s = cycle_s;
	params.adapter.route_flit_s = cycle_s;
	params.adapter.dma_in_bps.num = 0;
	params.adapter.dma_out_bps.num = 0;
	params.adapter.sram_B = 16 * flits;
	params.adapter.receive_reserve_B = 8 * flits;
	params.adapter.header_B = flits < 65536 ? flits : 65536;
	params.adapter.queue_worms = 16;
	params.adapter.when_full = MYR_FULL_DROPS;
	return params;
}

// Whether the engine is of networks with lanes.
static bool has_lanes(const struct bench *bench)
{
	return bench->wishes.engine == &lanes_engine;
}

static enum tr_status open_lanes(const struct bench *bench, struct fabric *fabric,
				 struct tr_error *err)
{
	char text[300];

	snprintf(text, sizeof(text),
		 "lanes:preset=booksim,rate=1.28Gb/s,lanes=%llu,buffer=%llu%s%s",
		 (unsigned long long)bench->wishes.lanes,
		 (unsigned long long)bench->wishes.buffer_flits, bench->wishes.keys ? "," : "",
		 bench->wishes.keys ? bench->wishes.keys : "");
	return fabric_read(fabric, text, err);
}

// Puts the offers, which are drawn host by host, in the order of their cycles: how many there are
// up to each, then a copy.
static bool sort_by_cycle(struct bench *bench, int64_t last_cycle)
{
	size_t *behind = calloc((size_t)last_cycle + 2, sizeof(*behind));
	struct net_offer *sorted = malloc(bench->offered * sizeof(*sorted));

	for (size_t i = 0; behind && sorted && i < bench->offered; i++)
		behind[bench->offers[i].packet.time_ticks / CYCLE_TICKS + 1]++;
	for (int64_t cycle = 1; behind && sorted && cycle <= last_cycle; cycle++)
		behind[cycle] += behind[cycle - 1];
	for (size_t i = 0; behind && sorted && i < bench->offered; i++)
		sorted[behind[bench->offers[i].packet.time_ticks / CYCLE_TICKS]++] =
			bench->offers[i];
	free(behind);
	if (!behind || !sorted) {
		free(sorted);
		return false;
	}
	free(bench->offers);
	bench->offers = sorted;
	return true;
}

// Each host begins a packet in a cycle with probability LOAD / FLITS, as a Bernoulli source does.
static bool draw_offers(struct bench *bench)
{
	const struct wishes *wishes = &bench->wishes;
	uint32_t hosts = bench->topology.hosts;
	const double none = log1p(-wishes->load / (double)wishes->flits); // log of its probability
	uint64_t each = wishes->packets / hosts + 1;
	int64_t last_cycle = 0;

	bench->offers = calloc(each * hosts, sizeof(*bench->offers));
	if (!bench->offers)
		return false;
	for (uint32_t host = 0; host < hosts; host++) {
		struct tr_random random;
		char name[32];
		const int64_t phase_ticks = wishes->loose ? (int64_t)host * CYCLE_TICKS / hosts : 0;
		int64_t cycle = 0;

		snprintf(name, sizeof(name), "host%u", host);
		tr_random_open(&random, 1, name);
		for (uint64_t i = 0; i < each; i++) {
			struct net_offer *offer = &bench->offers[bench->offered++];

			cycle += 1 + (int64_t)(log(tr_random_unit(&random)) / none);
			offer->packet.time_ticks = cycle * CYCLE_TICKS + phase_ticks;
			offer->source = host;
			offer->size_bytes = (uint32_t)wishes->flits - !has_lanes(bench);
			offer->destination = wishes->pattern->to(host, hosts, &random);
		}
		last_cycle = cycle > last_cycle ? cycle : last_cycle;
	}
	return sort_by_cycle(bench, last_cycle);
}

struct feed {
	const struct bench *bench;
	size_t next;
};

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct feed *feed = context;

	(void)err;
	if (feed->next == feed->bench->offered)
		return TR_END;
	*offer = feed->bench->offers[feed->next++];
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bench *bench = context;
	const int64_t from_ticks = (int64_t)bench->wishes.from_cycles * CYCLE_TICKS;

	(void)worm;
	(void)err;
	if (delivery->status != TR_DELIVERED)
		return TR_OK;
	if (delivery->packet.time_ticks >= from_ticks) {
		bench->delivered++;
		bench->packet_hops += delivery->hops;
	}
	if (delivery->created_ticks >= from_ticks) {
		bench->timed++;
		bench->latency_ticks += delivery->packet.time_ticks - delivery->created_ticks;
	}
	return TR_OK;
}

static enum tr_status sampled(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct bench *bench = context;

	(void)err;
	bench->busy_ticks += link->busy_ticks;
	return TR_OK;
}

static double processor_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum tr_status run(struct bench *bench, struct tr_error *err)
{
	const struct myr_params myrinet = params_for(bench);
	const int64_t stop = (int64_t)((double)bench->wishes.packets * (double)bench->wishes.flits /
				       bench->wishes.load / bench->topology.hosts) *
			     CYCLE_TICKS;
	struct feed feed = {bench, 0};
	struct fabric fabric = {0};
	struct net_setup setup = {
		.topology = &bench->topology,
		.routes = &bench->routes,
		.params = &myrinet,
		.ticks_per_s = TICKS_PER_S,
		.traffic = {.next = next, .context = &feed},
		.results = {done, sampled, bench},
		.stop_ticks = &stop,
		.sampling.width_ticks = (int64_t)bench->wishes.meter_cycles * CYCLE_TICKS,
	};
	double begin;
	enum tr_status status = TR_OK;

	if (has_lanes(bench)) {
		status = open_lanes(bench, &fabric, err);
		setup.params = fabric.params;
	}
	begin = processor_s();
	if (status == TR_OK)
		status = bench->wishes.engine->run(&setup, &bench->totals, err);
	bench->seconds = processor_s() - begin;
	fabric_close(&fabric);
	return status;
}

static void print(const struct bench *bench)
{
	const struct wishes *wishes = &bench->wishes;
	double cycles = (double)bench->totals.end_ticks / CYCLE_TICKS - (double)wishes->from_cycles;
	double hops = (double)bench->packet_hops;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("%s\t%llu\t%g\t%.4f\t%llu\t%llu\t%.3f\t%.2f\t%.3f\t%.3f\t%.0f\t%.0f\t%.3f\t%.2f\t%."
	       "4f\n",
	       wishes->engine->name, (unsigned long long)wishes->buffer_flits, wishes->load,
	       (double)bench->delivered * (double)wishes->flits / cycles / bench->topology.hosts,
	       (unsigned long long)wishes->flits, (unsigned long long)bench->delivered,
	       bench->seconds, hops * (double)wishes->flits / bench->seconds / 1e6,
	       hops / bench->seconds / 1e6, bench->seconds / (double)bench->delivered * 1e6,
	       (double)bench->totals.memory_bytes / bench->topology.hosts,
	       (double)usage.ru_maxrss * 1024 / bench->topology.hosts,
	       bench->seconds + bench->draw_seconds,
	       (double)bench->latency_ticks / CYCLE_TICKS / (double)bench->timed,
	       hops / (double)bench->delivered);
}

static void slow_host(struct bench *bench)
{
	for (size_t i = 0; i < bench->topology.cable_count; i++) {
		struct net_cable *cable = &bench->topology.cables[i];

		if (cable->ends[0].node == 1 || cable->ends[1].node == 1)
			cable->rate_bps = (struct num_ratio){
				(int64_t)bench->wishes.percent * 12800000, 1};
	}
}

static int measure(struct bench *bench)
{
	struct tr_error err = {{0}};
	bool good = net_topology_make(&bench->topology, bench->wishes.network, &err) == TR_OK &&
		    net_routing_make(&bench->routes, &bench->topology, bench->wishes.routes,
				     &err) == TR_OK;
	const double begin = processor_s();

	good = good && draw_offers(bench);
	bench->draw_seconds = processor_s() - begin;
	if (good && bench->wishes.percent != 100)
		slow_host(bench);
	good = good && run(bench, &err) == TR_OK;
	if (good)
		print(bench);
	else
		fprintf(stderr, "bench_net: %s\n", err.text);
	free(bench->offers);
	net_routes_clear(&bench->routes);
	net_topology_clear(&bench->topology);
	return good ? 0 : 2;
}

static bool read_word(struct wishes *wishes, const char *word)
{
	if (strncmp(word, "rate=", 5) == 0)
		return num_parse_count(word + 5, 1, 100, &wishes->percent, NULL) == TR_OK;
	if (strncmp(word, "meters=", 7) == 0)
		return num_parse_count(word + 7, 1, 100000000, &wishes->meter_cycles, NULL) ==
		       TR_OK;
	if (strncmp(word, "from=", 5) == 0)
		return num_parse_count(word + 5, 0, 100000000, &wishes->from_cycles, NULL) == TR_OK;
	if (strncmp(word, "keys=", 5) == 0)
		return (wishes->keys = word + 5) != NULL;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (strncmp(word, "traffic=", 8) == 0 && strcmp(word + 8, patterns[i].name) == 0)
			return (wishes->pattern = &patterns[i]) != NULL;
	if (strcmp(word, "loose") == 0)
		return wishes->loose = true;
	if (strncmp(word, "lanes=", 6) == 0)
		return num_parse_count(word + 6, 1, LANES_MOST, &wishes->lanes, NULL) == TR_OK;
	return false;
}

static bool read_wishes(struct wishes *wishes, int argc, char **argv)
{
	if (argc < 8)
		return false;
	*wishes = (struct wishes){.engine = engine_called(argv[1]),
				  .network = argv[2],
				  .routes = argv[3],
				  .percent = 100,
				  .pattern = patterns,
				  .lanes = 1};
	for (int i = 8; i < argc; i++)
		if (!read_word(wishes, argv[i]))
			return false;
	return num_parse_count(argv[4], 8, 80, &wishes->buffer_flits, NULL) == TR_OK &&
	       num_parse_real(argv[5], &wishes->load, NULL) == TR_OK && wishes->load > 0 &&
	       num_parse_count(argv[6], 2, 16777216, &wishes->flits, NULL) == TR_OK &&
	       num_parse_count(argv[7], 1, 100000000, &wishes->packets, NULL) == TR_OK;
}

int main(int argc, char **argv)
{
	struct bench bench = {0};

	if (!read_wishes(&bench.wishes, argc, argv)) {
		fprintf(stderr,
			"usage: bench_net ENGINE NETWORK ROUTES 8|80 LOAD FLITS PACKETS "
			"[rate=PERCENT] [meters=CYCLES] "
			"[lanes=N] [traffic=PATTERN] [from=CYCLES] [keys=KEY=VALUE,...] [loose]\n");
		return 2;
	}
	if (bench.wishes.engine)
		return measure(&bench);
	fprintf(stderr, "bench_net: there is no engine %s\n", argv[1]);
	return 2;
}
