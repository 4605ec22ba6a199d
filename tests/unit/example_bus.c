// SPDX-License-Identifier: GPL-3.0-or-later
// An example of adding a kind of network, see flit-fabric(5): its name in net/fabric.h would add it
// to flitsim. One wire shared by the hosts, like a segment of early Ethernet without its
// collisions: first come, first served.
#include "example_bus.h"

#include "net/drive/coming.h"
#include "sim/pace.h"
#include "value/ticks.h"

struct bus_params {
	struct num_ratio rate_bps;
	struct num_ratio delay_s;
	uint64_t overhead_bytes;
};

struct bus_times {
	struct sim_pace byte;
	int64_t overhead_bytes;
	int64_t delay_ticks;
};

struct bus {
	struct net_drive net;
	struct net_coming coming;
	struct bus_times times;
	struct net_worm_list fresh;   // became ready in this tick
	struct net_worm_list waiting; // in the order of service
	int64_t free_ticks;	      // the wire is, from then on
};

static int64_t bus_hold_ticks(const struct bus_times *times, uint32_t size_bytes)
{
	return sim_pace_ticks(&times->byte, times->overhead_bytes + size_bytes);
}

static enum tr_status bus_find_times(struct bus_times *times, const struct bus_params *params,
				     uint64_t ticks_per_s, struct tr_error *err)
{
	if (params->rate_bps.num <= 0 || params->overhead_bytes > UINT32_MAX)
		return tr_fail(err, "bus: expected a rate above 0 and an overhead below 4 GiB");
	if (sim_pace_byte(&times->byte, params->rate_bps, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if ((uint64_t)times->byte.p < times->byte.q ||
	    times->byte.p / (int64_t)times->byte.q > INT64_MAX >> 36)
		return tr_fail(
			err,
			"bus: rate: a byte lasts less than a tick, or the longest packet too many");
	times->overhead_bytes = (int64_t)params->overhead_bytes;
	return tr_ticks_exact(params->delay_s, ticks_per_s, &times->delay_ticks, err);
}

static void bus_layout(void *context)
{
	struct bus *bus = context;

	net_coming_layout(&bus->coming, &bus->net);
}

static int64_t bus_next_ticks(void *context)
{
	const struct bus *bus = context;
	const int64_t arrival = net_coming_ticks(&bus->coming);

	return bus->waiting.count > 0 && bus->free_ticks < arrival ? bus->free_ticks : arrival;
}

static void bus_enter(void *context, uint32_t worm)
{
	struct bus *bus = context;

	net_worm_append(&bus->net.pool, &bus->fresh, worm);
}

static void bus_arrive(void *context)
{
	struct bus *bus = context;

	net_coming_deliver(&bus->coming, &bus->net);
}

// The packets that became ready in this tick wait in the order of their hosts, and the first that
// waits has its turn.
static void bus_move(void *context)
{
	struct bus *bus = context;
	struct net_worm *worms = bus->net.pool.worms;
	const int64_t now_ticks = bus->net.now_ticks;

	while (bus->fresh.count > 0) {
		uint32_t best = bus->fresh.first;

		for (uint32_t left = bus->fresh.count, worm = best; left > 0;
		     left--, worm = worms[worm].next)
			best = worms[worm].source < worms[best].source ? worm : best;
		net_worm_remove(&bus->net.pool, &bus->fresh, best);
		net_worm_append(&bus->net.pool, &bus->waiting, best);
	}
	if (bus->waiting.count > 0 && bus->free_ticks <= now_ticks) {
		const uint32_t first = net_worm_first(&bus->net.pool, &bus->waiting);

		bus->free_ticks = now_ticks + bus_hold_ticks(&bus->times, worms[first].size_bytes);
		net_coming_send(&bus->coming, &bus->net, first, now_ticks + bus->times.delay_ticks,
				bus->free_ticks + bus->times.delay_ticks);
	}
}

static const struct net_rules rules = {.name = "bus",
				       .layout = bus_layout,
				       .enter = bus_enter,
				       .arrive = bus_arrive,
				       .move = bus_move,
				       .next_ticks = bus_next_ticks};

static enum tr_status bus_run(const struct net_setup *setup, struct net_totals *totals,
			      struct tr_error *err)
{
	struct bus bus = {.free_ticks = INT64_MIN};

	*totals = (struct net_totals){0};
	if (bus_find_times(&bus.times, setup->params, setup->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	return net_drive(&bus, setup, &rules, NET_WORMS_MOST, totals, err);
}

static enum tr_status bus_find_clock(const void *params, const struct net_topology *topology,
				     uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
				     struct tr_error *err)
{
	const struct bus_params *bus = params;
	struct bus_times times;

	(void)topology;
	if (!tr_ticks_lcm(base_ticks_per_s, (uint64_t)bus->delay_s.den, ticks_per_s))
		return tr_fail(err, "bus: delay: no clock counts it");
	return bus_find_times(&times, params, *ticks_per_s, err);
}

static enum tr_status bus_prepare(void *state, const struct net_setup *setup, struct tr_error *err)
{
	return bus_find_times(state, setup->params, setup->ticks_per_s, err);
}

static void bus_terms_ticks(const void *state, uint32_t switches, uint32_t size_bytes,
			    int64_t *terms)
{
	const struct bus_times *times = state;

	(void)switches;
	terms[0] = bus_hold_ticks(times, size_bytes);
	terms[1] = times->delay_ticks;
}

static const char *const terms[] = {"transmission", "delay", NULL};
static const struct net_formula formula = {.terms = terms,
					   .state_bytes = sizeof(struct bus_times),
					   .prepare = bus_prepare,
					   .terms_ticks = bus_terms_ticks,
					   .note = "sum: transmission and delay"};
static const struct net_engine engine = {.name = "bus",
					 .supports = net_setup_needs_no_links,
					 .run = bus_run};
static const struct net_engine *const engines[] = {&engine, NULL};
static const struct bus_params usual = {.rate_bps = {10000000, 1},
					.overhead_bytes = 38,
					.delay_s = {1, 500000}};
static const struct key keys[] = {
	{"rate", KEY_RATE, offsetof(struct bus_params, rate_bps), NULL, NULL, "of the wire"},
	{"overhead", KEY_BYTES, offsetof(struct bus_params, overhead_bytes), NULL, NULL,
	 "sent beside each packet's data"},
	{"delay", KEY_TIME, offsetof(struct bus_params, delay_s), NULL, NULL,
	 "of a signal from host to host"},
	{.type = KEY_END},
};

const struct net_fabric net_fabric_bus = {
	.name = "bus",
	.summary = "hosts take turns on one wire, in the order in which packets become ready",
	.keys = keys,
	.params_bytes = sizeof(struct bus_params),
	.usual = &usual,
	.engines = engines,
	.clock = bus_find_clock,
	.formula = &formula,
};
