// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines_draw.h"
#include "fabric_bed.h"

#include <string.h>

#include "engines_drawing.h"
#include "net/myrinet/params.h"

#define PACKETS_MAX 2000u

// The length with this delay in ticks at the default velocity of 1.8e8 m/s.
static struct num_ratio length(int64_t ticks)
{
	return ratio(ticks, 200);
}

// The rate at which a character lasts so many ticks.
static struct num_ratio rate(int64_t character_ticks)
{
	return ratio(8 * (int64_t)ENGINES_TICKS_PER_S, character_ticks);
}

// The shortest time of a character on any cable.
static int64_t fastest(const struct draw *draw)
{
	return draw->own_rates ? (draw->character_ticks + 1) / 2 : draw->character_ticks;
}

// The cable's own length and rate, or the usual ones.
static void cable(struct draw *draw, struct net_end a, struct net_end b)
{
	struct net_cable *made = engines_case_cable(draw->item, a, b);

	if (one_in(draw, 3))
		made->length_m = length(1 + (int64_t)below(draw, (uint64_t)draw->delay_ticks));
	if (draw->own_rates && one_in(draw, 2))
		made->rate_bps = rate(fastest(draw) +
				      (int64_t)below(draw, 4) * draw->character_ticks / 2);
	if (draw->own_rates && one_in(draw, 4))
		made->conversion_s = seconds((int64_t)below(draw, 6000));
}

static struct net_end free_port(struct draw *draw, uint32_t place)
{
	return (struct net_end){draw->item->topology.hosts + place, draw->used[place]++};
}

static bool full(const struct draw *draw, uint32_t place)
{
	return draw->used[place] == draw->item->topology.ports[place];
}

// A switch below count that has a free port, SWITCHES_MAX where there is none.
static uint32_t any_open(struct draw *draw, uint32_t count)
{
	uint32_t start = (uint32_t)below(draw, count);

	for (uint32_t i = 0; i < count; i++)
		if (!full(draw, (start + i) % count))
			return (start + i) % count;
	return SWITCHES_MAX;
}

// Joins each switch to one before it; what finds no port is left without cables.
static void join_switches(struct draw *draw)
{
	uint32_t count = draw->item->topology.switches;
	uint64_t more = below(draw, 2 * count);

	for (uint32_t i = 1; i < count; i++) {
		uint32_t other = any_open(draw, i);

		if (other == SWITCHES_MAX)
			draw->used[i] = draw->item->topology.ports[i];
		else
			cable(draw, free_port(draw, i), free_port(draw, other));
	}
	for (uint64_t i = 0; count > 1 && i < more; i++) {
		uint32_t a = any_open(draw, count);
		uint32_t b;

		if (a == SWITCHES_MAX)
			return;
		draw->used[a]++;
		b = any_open(draw, count);
		draw->used[a]--;
		if (b != SWITCHES_MAX && (a != b || one_in(draw, 4)))
			cable(draw, free_port(draw, a), free_port(draw, b));
	}
}

static uint32_t open_ports(const struct draw *draw)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < draw->item->topology.switches; i++)
		sum += draw->item->topology.ports[i] - draw->used[i];
	return sum;
}

// Hosts on ports that are left; false where there are not two. Switches are nodes from 0 on until
// it is known how many hosts come before them.
static bool add_hosts(struct draw *draw)
{
	struct net_topology *topology = &draw->item->topology;
	uint32_t hosts = 2 + (uint32_t)below(draw, 14);

	if (hosts > open_ports(draw))
		hosts = open_ports(draw);
	topology->hosts = hosts;
	for (size_t i = 0; i < 2 * topology->cable_count; i++)
		topology->cables[i / 2].ends[i % 2].node += hosts;
	for (uint32_t i = 0; i < hosts; i++)
		cable(draw, (struct net_end){i, 0},
		      free_port(draw, any_open(draw, topology->switches)));
	return hosts >= 2;
}

static bool draw_network(struct draw *draw)
{
	uint32_t count = 1 + (uint32_t)below(draw, SWITCHES_MAX);
	bool equal = one_in(draw, 3);
	uint32_t ports = 2 + (uint32_t)below(draw, PORTS_MAX - 1);

	memset(draw->used, 0, sizeof(draw->used));
	for (uint32_t i = 0; i < count; i++)
		engines_case_switch(draw->item,
				    equal ? ports : 2 + (uint32_t)below(draw, PORTS_MAX - 1));
	join_switches(draw);
	return add_hosts(draw);
}

static bool draw_direct(struct draw *draw)
{
	draw->item->topology.hosts = 2;
	cable(draw, (struct net_end){0, 0}, (struct net_end){1, 0});
	return true;
}

static void draw_links(struct draw *draw)
{
	static const int64_t characters[] = {225, 225, 450, 144, 1, 36, 300, 1800};
	struct myr_link_params *link = &draw->item->params.link;
	int64_t need;

	draw->character_ticks = characters[below(draw, 8)];
	draw->delay_ticks = one_in(draw, 4) ? 1200 : magnitude(draw, 14);
	if (draw->delay_ticks > 100 * draw->character_ticks)
		draw->delay_ticks = 1 + (int64_t)below(draw, 100 * (uint64_t)draw->character_ticks);
	draw->own_rates = one_in(draw, 4);
	link->rate_bps = rate(draw->character_ticks);
	link->length_m = length(draw->delay_ticks);
	link->below_go_B = one_in(draw, 3) ? 32 : below(draw, one_in(draw, 2) ? 4 : 80);
	link->hysteresis_B = one_in(draw, 3) ? 16 : 2 + below(draw, one_in(draw, 2) ? 4 : 80);
	need = myr_slack_need(fastest(draw) + 2 * draw->character_ticks, draw->delay_ticks,
			      fastest(draw));
	link->above_stop_B = (uint64_t)need + below(draw, 40);
	if (one_in(draw, 2))
		link->above_stop_B = (uint64_t)myr_slack_need(fastest(draw), draw->delay_ticks,
							      fastest(draw)) +
				     below(draw, 4);
	if (one_in(draw, 20))
		link->above_stop_B = below(draw, (uint64_t)need + 1);
}

static void draw_crossbars(struct draw *draw)
{
	struct myr_switch_params *crossbar = &draw->item->params.crossbar;
	uint64_t character = (uint64_t)draw->character_ticks;

	if (!one_in(draw, 3))
		crossbar->assignment_s = seconds((int64_t)below(draw, 4 * character));
	if (!one_in(draw, 3))
		crossbar->path_s = seconds(
			(int64_t)below(draw, (one_in(draw, 4) ? 30 : 3) * character));
	if (!one_in(draw, 3))
		crossbar->conversion_s = seconds(one_in(draw, 2) ? 0 : magnitude(draw, 14));
	crossbar->first_come = one_in(draw, 2);
}

// A rate between a quarter of and sixteen times the link's.
static struct num_ratio dma(struct draw *draw)
{
	int64_t link = 8 * (int64_t)ENGINES_TICKS_PER_S / draw->character_ticks;

	return ratio(link / 4 + (int64_t)below(draw, (uint64_t)link * (one_in(draw, 2) ? 1 : 16)),
		     1);
}

static struct num_ratio flit(struct draw *draw)
{
	uint64_t character = (uint64_t)draw->character_ticks;

	switch (below(draw, 5)) {
	case 0: return seconds((int64_t)below(draw, character));
	case 1: return seconds((int64_t)character);
	case 2: return seconds((int64_t)(character + below(draw, character / 8 + 2)));
	case 3: return seconds((int64_t)(character + below(draw, 4 * character)));
	default: return myr_params_yates.adapter.flit_s;
	}
}

static void draw_adapters(struct draw *draw)
{
	static const char *const presets[] = {"sbus", "pci33", "pci66"};
	struct myr_adapter_params *adapter = &draw->item->params.adapter;
	uint64_t least;

	set_preset(&draw->item->params, presets[below(draw, 3)]);
	if (!one_in(draw, 4)) {
		adapter->flit_s = flit(draw);
		adapter->route_flit_s = one_in(draw, 2) ? adapter->flit_s : flit(draw);
		adapter->dma_in_bps = dma(draw);
		adapter->dma_out_bps = dma(draw);
	}
	if (one_in(draw, 8))
		adapter->dma_in_bps = adapter->dma_out_bps = (struct num_ratio){0, 1};
	if (one_in(draw, 4)) {
		adapter->out_buffer_B = below(draw, 100);
		if (!one_in(draw, 8)) // or the local engine refuses
			adapter->flit_s = adapter->route_flit_s = (struct num_ratio){0, 1};
	}
	adapter->receive_one = one_in(draw, 4);
	adapter->header_B = one_in(draw, 2) ? 82 : below(draw, 200);
	adapter->receive_reserve_B = one_in(draw, 2) ? 0 : below(draw, 2 * draw->largest);
	least = draw->largest + adapter->header_B + adapter->receive_reserve_B;
	if (!one_in(draw, 3))
		adapter->sram_B = least + below(draw, 3 * least);
	if (one_in(draw, 2))
		adapter->poll_s = seconds(magnitude(draw, 22));
	if (one_in(draw, 6))
		adapter->software_s = seconds(magnitude(draw, 20));
	adapter->queue_worms = one_in(draw, 2) ? 999 : 1 + below(draw, 30);
	adapter->when_full = (enum myr_full)below(draw, 3);
	if (one_in(draw, 20))
		adapter->waiting_worms = below(draw, 100);
}

static void draw_format(struct draw *draw)
{
	struct myr_format_params *format = &draw->item->params.format;

	if (one_in(draw, 2))
		return;
	format->gap_after = one_in(draw, 2);
	format->no_final = one_in(draw, 2);
	format->crc = one_in(draw, 2);
	format->type_characters = below(draw, 6);
}

// A random order of service, where all switches have the same number of ports.
static void draw_order(struct draw *draw)
{
	const struct net_topology *topology = &draw->item->topology;
	uint32_t ports = topology->switches > 0 ? topology->ports[0] : 0;
	uint32_t order[PORTS_MAX];
	char *at = draw->item->order;

	for (uint32_t i = 0; i < topology->switches; i++)
		if (topology->ports[i] != ports)
			return;
	if (ports < 2 || one_in(draw, 2))
		return;
	for (uint32_t i = 0; i < ports; i++) {
		uint32_t k = (uint32_t)below(draw, i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (uint32_t i = 0; i < ports; i++)
		at += snprintf(at, 8, "%s%u", i > 0 ? "-" : "", order[i]);
}

enum pattern { ANY, HOT, PARTNER, NEXT, FROM_ONE, PATTERNS };

static uint32_t destination_of(struct draw *draw, enum pattern pattern, uint32_t source)
{
	uint32_t hosts = draw->item->topology.hosts;

	if (one_in(draw, 8))
		pattern = ANY;
	if (pattern == HOT && source != 0)
		return 0;
	if (pattern == PARTNER && (source ^ 1) < hosts)
		return source ^ 1;
	if (pattern == NEXT)
		return (source + 1) % hosts;
	return (source + 1 + (uint32_t)below(draw, hosts - 1)) % hosts;
}

static uint32_t size_of(struct draw *draw, bool fixed)
{
	uint32_t most = one_in(draw, 4) ? 1 + draw->largest / 16 : draw->largest;

	return fixed ? draw->largest : 1 + (uint32_t)below(draw, most);
}

static void draw_traffic(struct draw *draw)
{
	uint32_t hosts = draw->item->topology.hosts;
	enum pattern pattern = (enum pattern)below(draw, PATTERNS);
	int64_t left = 200 + magnitude(draw, one_in(draw, 8) ? 19 : 15); // many cases, some long
	unsigned gap_bits = 1 + (unsigned)below(draw, 20);
	bool fixed = one_in(draw, 3);
	int64_t time = magnitude(draw, 40);

	for (unsigned i = 0; i < PACKETS_MAX && left > 0; i++) {
		uint32_t source = pattern == FROM_ONE ? 1 : (uint32_t)below(draw, hosts);
		struct engines_packet packet = {
			.time_ticks = time,
			.source = source,
			.destination = destination_of(draw, pattern, source),
			.size_bytes = size_of(draw, fixed),
			.route_count = ENGINES_USUAL_ROUTE};

		if (one_in(draw, 60))
			packet.size_bytes = 0;
		else if (one_in(draw, 40) && draw->item->topology.switches > 0)
			packet.destination = source;
		engines_case_packet(draw->item, packet);
		left -= packet.size_bytes + 10;
		if (!one_in(draw, 3))
			time += (int64_t)below(draw, UINT64_C(1) << gap_bits);
	}
}

// Intervals that make some hundred samples at most where the run takes as long as its traffic.
static void draw_sampling(struct draw *draw)
{
	const struct engines_case *item = draw->item;
	int64_t span = item->packets[item->packet_count - 1].time_ticks -
		       item->packets[0].time_ticks;

	if (one_in(draw, 2))
		return;
	for (size_t i = 0; i < item->packet_count; i++)
		span += item->packets[i].size_bytes * draw->character_ticks;
	draw->item->sampling.width_ticks = 1 + span / 100 +
					   (int64_t)below(draw, (uint64_t)span + 1);
	draw->item->sampling.start_ticks = (int64_t)below(draw, (uint64_t)span + 1);
}

// Some runs are cut at a tick, some after a number of results.
static void draw_end(struct draw *draw)
{
	struct engines_case *item = draw->item;
	int64_t start = item->packets[0].time_ticks;
	int64_t span = item->packets[item->packet_count - 1].time_ticks - start;

	if (one_in(draw, 8))
		item->cut_ticks = start + (int64_t)below(draw, (uint64_t)span + 1000000);
	if (item->cut_ticks % 8 == 1)
		item->cut_ticks = 1 + start / 2; // before the first packet
	if (one_in(draw, 8))
		item->enough = 1 + below(draw, item->packet_count);
	item->shuffle = one_in(draw, 2) ? 0 : 1 + below(draw, 1000000);
}

// A messaging layer: mostly few credits, so that hosts wait for them.
static void draw_layer(struct draw *draw)
{
	struct myr_layer_params *layer = &draw->item->params.layer;

	if (!one_in(draw, 4))
		return;
	layer->credits = 1 + below(draw, one_in(draw, 2) ? 3 : 20);
	layer->reply_B = 1 + below(draw, one_in(draw, 2) ? 16 : draw->largest);
	layer->replies_queued = one_in(draw, 4);
	layer->managed = one_in(draw, 3);
	layer->manager = layer->managed ? below(draw, draw->item->topology.hosts) : 0;
}

// Groups of packets of one source, time and size, which adapters forward. The engines refuse it
// together with losses.
static void draw_multicast(struct draw *draw)
{
	struct engines_case *item = draw->item;
	const struct myr_loss_params *loss = &item->params.loss;

	if (!one_in(draw, 6) || loss->timeout_s.num != 0 || loss->bit_errors.num != 0 ||
	    loss->beat_s.num != 0 || loss->drop_misrouted || item->fault_count > 0)
		return;
	item->params.multicast.fan_out = 1 + below(draw, 3);
	item->params.multicast.drops = one_in(draw, 2);
	for (size_t i = 1; i < item->packet_count; i++) {
		struct engines_packet *packet = &item->packets[i];
		const struct engines_packet *before = packet - 1;

		if (one_in(draw, 3) || packet->size_bytes == 0 || before->size_bytes == 0 ||
		    packet->destination == before->source)
			continue;
		packet->time_ticks = before->time_ticks;
		packet->source = before->source;
		packet->size_bytes = before->size_bytes;
	}
}

// Sources that send one packet after the other; the engines refuse it with a multicast, or where
// the traffic reacts.
static void draw_sources(struct draw *draw)
{
	if (!one_in(draw, 4) || (draw->item->reaction.rounds > 0 && !one_in(draw, 20)) ||
	    (draw->item->params.multicast.fan_out > 0 && !one_in(draw, 4)))
		return;
	draw->item->params.finite = true;
}

void engines_draw(struct engines_case *item, uint64_t seed, uint64_t number)
{
	static const uint32_t largest[] = {1, 8, 60, 200, 300, 1500, 1500, 5000};
	struct draw draw = {.item = item};
	char name[32];

	snprintf(name, sizeof(name), "case%llu", (unsigned long long)number);
	tr_random_open(&draw.random, seed, name);
	engines_case_open(item);
	draw.largest = largest[below(&draw, 8)];
	draw_links(&draw);
	while (!(one_in(&draw, 10) ? draw_direct(&draw) : draw_network(&draw)))
		net_topology_clear(&item->topology);
	draw_format(&draw);
	draw_crossbars(&draw);
	draw_adapters(&draw);
	draw_order(&draw);
	draw_traffic(&draw);
	draw_sampling(&draw);
	draw_end(&draw);
	item->params.adapter.dma_overlaps = one_in(&draw, 4);
	engines_draw_losses(&draw);
	draw_layer(&draw);
	draw_multicast(&draw);
	draw_sources(&draw);
}
