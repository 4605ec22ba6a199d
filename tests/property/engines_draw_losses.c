// SPDX-License-Identifier: GPL-3.0-or-later
// Causes of lost worms, and their consequences.
#include "engines_drawing.h"

// A run whose worms may be sent again and again is cut in any case.
static void cut_soon(struct draw *draw)
{
	struct engines_case *item = draw->item;
	int64_t start = item->packets[0].time_ticks;
	int64_t end = item->packets[item->packet_count - 1].time_ticks;
	int64_t most = start + 100000 * draw->character_ticks;

	item->cut_ticks = (end < most ? end : most) +
			  (int64_t)below(draw, 20000 * (uint64_t)draw->character_ticks);
}

// Longer, but seldom, than the run refuses: no cable is slower than 2.5 of these characters.
static void draw_beats(struct draw *draw)
{
	struct myr_loss_params *loss = &draw->item->params.loss;
	const int64_t least = draw->own_rates ? 10 : 4;

	loss->beat_s = seconds(draw->delay_ticks +
			       (least + magnitude(draw, 12)) * draw->character_ticks);
	loss->beat_misses = below(draw, 4);
	if (one_in(draw, 10))
		loss->beat_s = seconds(draw->delay_ticks + 3 * draw->character_ticks);
	else
		draw->item->params.link.above_stop_B += 5;
}

// A timeout of from a few characters' time to that of some worms.
static void draw_timeouts(struct draw *draw)
{
	struct myr_loss_params *loss = &draw->item->params.loss;

	if (!one_in(draw, 3))
		return;
	loss->timeout_s = seconds(8 * draw->character_ticks +
				  (int64_t)below(draw, (UINT64_C(16) << below(draw, 14)) *
							       (uint64_t)draw->character_ticks));
	loss->timeout_from = (enum myr_timeout_from)below(draw, 3);
	loss->resend = one_in(draw, 2);
	loss->reset_travels = one_in(draw, 4);
	if (one_in(draw, 3)) {
		draw_beats(draw);
	}
	// A run goes on to the end of an interval, and at each end BEATs may be under way.
	if (loss->resend || (loss->beat_s.num > 0 && draw->item->sampling.width_ticks > 0))
		cut_soon(draw);
}

// A fault in the traffic's time, before or behind it, or about when another ends.
static void draw_fault(struct draw *draw)
{
	struct engines_case *item = draw->item;
	const int64_t start = item->packets[0].time_ticks;
	const int64_t span = item->packets[item->packet_count - 1].time_ticks - start +
			     magnitude(draw, 14) * draw->character_ticks;
	const uint32_t others = item->fault_count;
	struct net_fault *fault = &item->faults[item->fault_count++];

	fault->kind = one_in(draw, 2) ? NET_FAULT_HOST : NET_FAULT_CABLE;
	fault->number = (uint32_t)below(draw, fault->kind == NET_FAULT_HOST
						      ? item->topology.hosts
						      : item->topology.cable_count);
	fault->from_ticks = start + (int64_t)below(draw, (uint64_t)span);
	if (one_in(draw, 12))
		fault->from_ticks = (int64_t)below(draw, (uint64_t)start + 1);
	else if (one_in(draw, 12))
		fault->from_ticks = start + span + magnitude(draw, 30);
	if (others > 0 && one_in(draw, 3)) {
		const struct net_fault *other = &item->faults[below(draw, others)];

		if (other->to_ticks != INT64_MAX)
			fault->from_ticks = other->to_ticks - 1 + (int64_t)below(draw, 3);
		if (!one_in(draw, 3)) {
			fault->kind = other->kind;
			fault->number = other->number;
		}
	}
	fault->to_ticks = fault->from_ticks +
			  (one_in(draw, 6) ? 1 + (int64_t)below(draw, 3) : magnitude(draw, 22));
	if (one_in(draw, 6))
		fault->to_ticks = INT64_MAX;
}

static void draw_faults(struct draw *draw)
{
	struct engines_case *item = draw->item;
	uint64_t count = 1 + below(draw, one_in(draw, 2) ? 2 : ENGINES_FAULTS);

	if (!one_in(draw, 3))
		return;
	while (count-- > 0)
		draw_fault(draw);
	if (item->params.loss.beat_s.num == 0 && one_in(draw, 2))
		draw_beats(draw);
	if (item->params.loss.beat_s.num > 0)
		cut_soon(draw);
}

static void draw_noise(struct draw *draw)
{
	struct myr_loss_params *loss = &draw->item->params.loss;
	int64_t least = 100;

	if (!one_in(draw, 4))
		return;
	for (uint64_t i = below(draw, 5); i > 0; i--)
		least *= 10;
	loss->bit_errors = one_in(draw, 30) ? ratio(1, 1)
					    : ratio(1 + (int64_t)below(draw, 9), 10 * least);
	if (one_in(draw, 20))
		loss->bit_errors = ratio(1, 100);
	loss->seed = below(draw, 1000);
	draw->item->params.format.crc = one_in(draw, 2);
	draw->item->params.format.no_final = one_in(draw, 2);
}

// A cable at the node, and the node at its other end; the port at this one.
static uint16_t any_way(struct draw *draw, uint32_t *node)
{
	const struct net_topology *topology = &draw->item->topology;
	uint32_t next = *node;
	uint16_t port = 0;
	uint64_t seen = 0;

	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		const struct net_end *ends = topology->cables[i / 2].ends;

		if (ends[i % 2].node != *node || !one_in(draw, ++seen))
			continue;
		port = (uint16_t)ends[i % 2].port;
		next = ends[1 - i % 2].node;
	}
	*node = next;
	return port;
}

// A random walk, which may come by the same place again; it ends at a host, or anywhere.
static uint32_t wander(struct draw *draw, uint32_t source, uint16_t *ports)
{
	const uint64_t most = below(draw, ENGINES_ROUTE + 1);
	uint32_t node = source;
	uint32_t count = 0;

	any_way(draw, &node);
	while (count < most && node >= draw->item->topology.hosts)
		ports[count++] = any_way(draw, &node);
	return count;
}

// Another route than this one: too short, too long, of other ports, of another pair; or this one.
static void draw_route(struct draw *draw, struct engines_packet *packet,
		       const struct net_routes *routes)
{
	const uint32_t hosts = draw->item->topology.hosts;
	uint16_t ports[ENGINES_ROUTE];
	uint32_t count = net_routes_get(routes, packet->source, packet->destination, ports);
	uint64_t what = below(draw, 8);

	if (what == 0)
		count = net_routes_get(routes, packet->source, (uint32_t)below(draw, hosts), ports);
	if (count == NET_NO_ROUTE || count > SWITCHES_MAX)
		return;
	if (what == 1 && count > 0)
		count--;
	else if (what == 2)
		ports[count++] = (uint16_t)below(draw, PORTS_MAX + 2);
	else if (what == 3 && count > 0)
		ports[below(draw, count)] = (uint16_t)below(draw, PORTS_MAX + 2);
	else if (what == 4)
		count = (uint32_t)below(draw, SWITCHES_MAX);
	else if (what >= 6)
		count = wander(draw, packet->source, ports);
	for (uint32_t i = 0; what == 4 && i < count; i++)
		ports[i] = (uint16_t)below(draw, PORTS_MAX);
	packet->route_count = (uint8_t)count;
	for (uint32_t i = 0; i < count; i++)
		packet->route[i] = ports[i];
}

static void draw_routes(struct draw *draw)
{
	struct engines_case *item = draw->item;
	const uint64_t each = 1 + below(draw, 40);
	struct net_routes routes;
	struct tr_error err;

	if (!one_in(draw, 5) || net_routes_shortest(&routes, &item->topology, &err) != TR_OK)
		return;
	if (routes.longest <= SWITCHES_MAX)
		for (size_t i = 0; i < item->packet_count; i++)
			if (item->packets[i].size_bytes > 0 && one_in(draw, each))
				draw_route(draw, &item->packets[i], &routes);
	net_routes_clear(&routes);
	item->params.loss.drop_misrouted = !one_in(draw, 4);
}

static void draw_reaction(struct draw *draw)
{
	struct engines_reaction *reaction = &draw->item->reaction;

	if (!one_in(draw, 4))
		return;
	reaction->seed = below(draw, 1000);
	reaction->rounds = 1 + (uint32_t)below(draw, draw->item->packet_count < 50 ? 20 : 3);
	reaction->think_ticks = one_in(draw, 4) ? 0 : magnitude(draw, 20);
}

void engines_draw_losses(struct draw *draw)
{
	draw_timeouts(draw);
	draw_faults(draw);
	draw_noise(draw);
	draw_routes(draw);
	draw_reaction(draw);
}
