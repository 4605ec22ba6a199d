// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/network.h"

#include "net/myrinet/crossbar.h"
#include "net/myrinet/dma.h"
#include "net/myrinet/slack.h"
#include "trace/ticks.h"

// Events of a link that are not characters under way: GRANT, CONTROL, SEND, ARBITRATE,
// TIMEOUT, BEAT_DUE; of a host:
// FETCHED, STORED, POLL, DRAIN; of the run: SAMPLE, TIMEOUT, SOURCE for room in a queue and for
// each look at the traffic.
#define LINK_EVENTS 6u
#define HOST_EVENTS 2u // beside transfers
#define RUN_EVENTS 3u
#define OPEN_LOOP_LOOKS 2u
#define FAULT_EVENTS 4u // its begin and end, and the two transfers that it leaves behind
#define LEAST_WORM_CHARACTERS 2u

static uint32_t power_of_two(uint32_t at_least)
{
	uint32_t places = 1;

	while (places < at_least)
		places *= 2;
	return places;
}

// A cable's times.
struct pace {
	int64_t delay_ticks;
	int64_t character_ticks;
	int64_t conversion_ticks;
	uint32_t flying_places; // of characters under way in one direction
};

static enum tr_status whole(const struct myr_network *net, size_t cable, const char *what,
			    bool fits, struct num_ratio seconds, int64_t *ticks)
{
	struct tr_error why;

	if (!fits)
		return tr_fail(net->err, "the %s of cable %zu is out of range", what, cable);
	if (tr_ticks_exact(seconds, net->times.ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(net->err, "cable %zu: %s", cable, why.text);
	return TR_OK;
}

static enum tr_status cable_pace(const struct myr_network *net, size_t number, struct pace *pace)
{
	const struct net_cable *cable = &net->setup->topology->cables[number];
	const struct myr_link_params *link = &net->params->link;
	struct num_ratio seconds = {0, 1};
	bool fits = myr_cable_delay(link, cable, &seconds);
	uint64_t flying;

	if (whole(net, number, "delay", fits, seconds, &pace->delay_ticks) != TR_OK)
		return TR_ERROR;
	fits = myr_cable_character(link, cable, &seconds);
	if (whole(net, number, "character time", fits, seconds, &pace->character_ticks) != TR_OK ||
	    whole(net, number, "conversion", true,
		  myr_cable_conversion(&net->params->crossbar, cable), &pace->conversion_ticks) !=
		    TR_OK)
		return TR_ERROR;
	if (pace->delay_ticks < 1 || pace->character_ticks < 1)
		return tr_fail(net->err, "the %s of cable %zu is below one tick",
			       pace->delay_ticks < 1 ? "delay" : "character time", number);
	flying = (uint64_t)(pace->delay_ticks / pace->character_ticks) + 2;
	if (flying > UINT32_MAX / 4)
		return tr_fail(net->err, "cable %zu holds too many characters", number);
	pace->flying_places = power_of_two((uint32_t)flying);
	return TR_OK;
}

// Places for the characters that can be under way on all links at once, both kinds.
static enum tr_status count_flying(const struct myr_network *net, uint64_t *flying)
{
	*flying = 0;
	for (size_t i = 0; i < net->setup->topology->cable_count; i++) {
		struct pace pace;

		if (cable_pace(net, i, &pace) != TR_OK)
			return TR_ERROR;
		*flying += 2 * (uint64_t)pace.flying_places;
	}
	return TR_OK;
}

// The most worms that can be alive: in queues, in adapter memory, in slack buffers and on links.
static uint64_t most_worms(const struct myr_network *net, uint64_t flying)
{
	const struct myr_adapter_params *adapter = &net->params->adapter;
	uint64_t at_host = adapter->queue_worms + adapter->sram_B / (adapter->header_B + 1);
	uint64_t characters = (uint64_t)net->parts.link_count * net->times.slack_size + flying;
	uint64_t outside = adapter->when_full == MYR_FULL_WAITS ? adapter->waiting_worms : 0;

	return net->setup->topology->hosts * at_host + outside +
	       characters / LEAST_WORM_CHARACTERS + 1;
}

static void layout(struct myr_network *net, uint32_t events, uint32_t worms, int64_t start_ticks)
{
	const struct net_topology *topology = net->setup->topology;
	struct myr_parts *parts = &net->parts;
	struct sim_arena *arena = &parts->arena;
	size_t places = (size_t)parts->link_count * parts->slack_places;

	sim_events_layout(&net->events, arena, events, start_ticks);
	net_worm_pool_layout(&net->pool, arena, worms,
			     net->setup->longest_route > net->setup->routes->longest ?
				     net->setup->longest_route :
				     net->setup->routes->longest);
	net_intake_layout(&net->intake, arena);
	parts->hosts = sim_arena_take(arena, topology->hosts, sizeof(*parts->hosts));
	parts->links = sim_arena_take(arena, parts->link_count, sizeof(*parts->links));
	parts->host_of = sim_arena_take(arena, topology->hosts, sizeof(*parts->host_of));
	parts->link_of = sim_arena_take(arena, parts->link_count, sizeof(*parts->link_of));
	parts->switches = sim_arena_take(arena, topology->switches, sizeof(*parts->switches));
	parts->ports = sim_arena_take(arena, 2 * (size_t)parts->port_count, sizeof(*parts->ports));
	parts->order = sim_arena_take(arena, parts->port_count, sizeof(*parts->order));
	parts->characters = sim_arena_take(arena, places, sizeof(*parts->characters));
	parts->arrived_ticks = sim_arena_take(arena, places, sizeof(*parts->arrived_ticks));
	parts->flying = sim_arena_take(arena, parts->flying_places, sizeof(*parts->flying));
	parts->lives = sim_arena_take(arena, worms, sizeof(*parts->lives));
	parts->views = sim_arena_take(arena, net->setup->watch != NULL ? parts->link_count : 0,
				      sizeof(*parts->views));
	parts->noises = sim_arena_take(
		arena, net->params->loss.bit_errors.num != 0 ? parts->link_count : 0,
		sizeof(*parts->noises));
	parts->left_ticks =
		sim_arena_take(arena, topology->hosts * net->params->adapter.out_buffer_B,
			       sizeof(*parts->left_ticks));
}

static enum tr_status make_switches(struct myr_network *net)
{
	const struct net_topology *topology = net->setup->topology;
	uint32_t first = 0;

	for (uint32_t i = 0; i < topology->switches; i++) {
		uint32_t ports = topology->ports[i];

		net->parts.switches[i] = (struct myr_switch){
			.ports = ports,
			.in = net->parts.ports + 2 * (size_t)first,
			.out = net->parts.ports + 2 * (size_t)first + ports,
			.order = net->parts.order + first,
		};
		if (myr_order_make(net->parts.order + first, ports, net->params->crossbar.order,
				   net->err) != TR_OK)
			return TR_ERROR;
		first += ports;
	}
	return TR_OK;
}

static void make_hosts(struct myr_network *net)
{
	const uint32_t *placement = net->setup->placement;

	for (uint32_t i = 0; i < net->setup->topology->hosts; i++) {
		struct myr_host *host = &net->parts.hosts[placement != NULL ? placement[i] : i];

		*host = (struct myr_host){.number = i, .sender.worm = NET_NO_WORM};
		host->sender.left_ticks =
			net->parts.left_ticks + i * net->params->adapter.out_buffer_B;
		net->parts.host_of[i] = host;
	}
}

static void leave_end(struct myr_network *net, struct myr_link *link, struct net_end end)
{
	uint32_t hosts = net->setup->topology->hosts;

	if (end.node < hosts) {
		link->from = net->parts.host_of[end.node];
		link->from->out = link;
	} else {
		link->output.crossbar = &net->parts.switches[end.node - hosts];
		link->output.crossbar->out[end.port] = link;
	}
}

static void reach_end(struct myr_network *net, struct myr_link *link, struct net_end end)
{
	uint32_t hosts = net->setup->topology->hosts;

	if (end.node < hosts) {
		link->to = net->parts.host_of[end.node];
		link->to->in = link;
	} else {
		link->input.crossbar = &net->parts.switches[end.node - hosts];
		link->input.crossbar->in[end.port] = link;
	}
}

// Whether the buffer at the link's end takes all that can come after a STOP is due.
static enum tr_status check_slack(const struct myr_network *net, const struct myr_link *link)
{
	bool paced = link->from != NULL && net->params->adapter.out_buffer_B == 0 &&
		     net->times.flit_ticks > link->character_ticks;
	int64_t spacing = paced ? net->times.flit_ticks : link->character_ticks;
	int64_t need = myr_slack_need(link->character_ticks, link->delay_ticks, spacing);
	int64_t room = net->times.slack_size - net->times.stop_line;
	char name[NET_LINK_NAME_MAX];

	if (need <= room)
		return TR_OK;
	net_link_name(net->setup->topology, link->number, name, sizeof(name));
	return tr_fail(net->err, "the slack buffer of link %s has room for %lld characters above "
		       "its STOP line, and %lld can come after a STOP is due", name,
		       (long long)room, (long long)need);
}

// Link number i, idle, its buffers being the next of parts'; *flying counts the places given out.
static enum tr_status make_link(struct myr_network *net, uint32_t i, int64_t start_ticks,
				uint64_t *flying)
{
	const struct net_cable *cable = &net->setup->topology->cables[i / 2];
	struct myr_parts *parts = &net->parts;
	struct myr_link *link = parts->link_of[i];
	struct pace pace;

	if (cable_pace(net, i / 2, &pace) != TR_OK)
		return TR_ERROR;
	*link = (struct myr_link){.number = i,
				  .free_ticks = start_ticks,
				  .delay_ticks = pace.delay_ticks,
				  .character_ticks = pace.character_ticks,
				  .conversion_ticks = pace.conversion_ticks};
	link->reverse = parts->link_of[i ^ 1];
	link->slack.mask = parts->slack_places - 1;
	link->slack.characters = parts->characters + (size_t)i * parts->slack_places;
	link->slack.arrived_ticks = parts->arrived_ticks + (size_t)i * parts->slack_places;
	link->flight.mask = pace.flying_places - 1;
	link->flight.characters = parts->flying + *flying;
	*flying += pace.flying_places;
	leave_end(net, link, cable->ends[i % 2]);
	reach_end(net, link, cable->ends[1 - i % 2]);
	return check_slack(net, link);
}

static enum tr_status make_links(struct myr_network *net, int64_t start_ticks)
{
	const uint32_t hosts = net->setup->topology->hosts;
	const uint32_t *placement = net->setup->placement;
	struct myr_parts *parts = &net->parts;
	uint64_t flying = 0;

	for (uint32_t i = 0; i < parts->link_count; i++)
		parts->link_of[i] = &parts->links[placement != NULL ? placement[hosts + i] : i];
	for (uint32_t i = 0; i < parts->link_count; i++)
		if (make_link(net, i, start_ticks, &flying) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status myr_network_open(struct myr_network *net, int64_t start_ticks)
{
	const struct net_topology *topology = net->setup->topology;
	struct myr_parts *parts = &net->parts;
	uint64_t flying;
	uint64_t events;
	uint64_t worms;

	if (net_topology_check(topology, net->err) != TR_OK || count_flying(net, &flying) != TR_OK)
		return TR_ERROR;
	*parts = (struct myr_parts){.link_count = (uint32_t)(2 * topology->cable_count),
				    .flying_places = flying,
				    .slack_places = power_of_two(net->times.slack_size)};
	for (uint32_t i = 0; i < topology->switches; i++)
		parts->port_count += topology->ports[i];
	events = flying + LINK_EVENTS * parts->link_count +
		 (HOST_EVENTS + myr_dma_most(net->params)) * topology->hosts +
		 RUN_EVENTS + OPEN_LOOP_LOOKS + FAULT_EVENTS * (uint64_t)net->setup->fault_count + net->setup->traffic.open_offers;
	worms = most_worms(net, flying);
	if (events > UINT32_MAX / 2 || worms >= NET_NO_WORM ||
	    topology->cable_count > SIM_COMPONENTS_MAX / 2)
		return tr_fail(net->err,
			       "the network is too large: %llu events, %llu worms at most",
			       (unsigned long long)events, (unsigned long long)worms);
	layout(net, (uint32_t)events, (uint32_t)worms, start_ticks);
	if (sim_arena_open(&parts->arena, net->err) != TR_OK)
		return TR_ERROR;
	layout(net, (uint32_t)events, (uint32_t)worms, start_ticks);
	make_hosts(net);
	return make_switches(net) == TR_OK ? make_links(net, start_ticks) : TR_ERROR;
}

void myr_network_close(struct myr_network *net)
{
	sim_arena_close(&net->parts.arena);
}
