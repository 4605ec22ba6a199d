// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_pause.h"

#define QUANTUM_B 64u
#define NO_NOTE UINT32_MAX
#define NOTES_MAX ((uint64_t)UINT32_MAX - 1)

_Static_assert(ETHERNET_PRIORITIES == NET_PAUSE_PRIORITIES, "of links and of results");

static struct ethernet_gate *ethernet_gate_of(const struct ethernet_pause *pause, uint32_t link,
					      uint32_t priority)
{
	return &pause->gates[link * ETHERNET_PRIORITIES + priority];
}

// What is counted of a priority of a link; NULL: nothing.
static struct net_link_pauses *ethernet_pause_sums(const struct ethernet_pause *pause,
						   uint32_t link, uint32_t priority)
{
	struct net_link_pauses *sums = pause->drive->setup->results.link_pauses;

	return sums ? &sums[link * ETHERNET_PRIORITIES + priority] : NULL;
}

// ---- memory

// The times and limits of a cable.
static enum tr_status ethernet_pause_cable(const struct ethernet_pause *pause,
					   const struct ethernet_params *params, uint32_t cable,
					   struct net_cable_times *times,
					   struct ethernet_pause_limits *limits,
					   struct tr_error *err)
{
	const struct net_setup *setup = pause->drive->setup;

	if (net_cables_times(&params->cables, "ethernet", &setup->topology->cables[cable],
			     setup->ticks_per_s, times, err) != TR_OK)
		return TR_ERROR;
	return ethernet_pause_limit(&pause->keys, params->mtu_B, times, setup->ticks_per_s, limits,
				    err);
}

// How many pause frames can be on their way to take effect: one after the other on each link.
static uint64_t ethernet_pause_count_notes(const struct ethernet_pause *pause,
					   const struct ethernet_params *params)
{
	const uint32_t each_B = ETHERNET_PREAMBLE_B + ETHERNET_PAUSE_B + ETHERNET_GAP_B;
	uint64_t count = 0;

	for (uint32_t i = 0; i < pause->drive->graph.links; i++) {
		struct ethernet_pause_limits limits;
		struct net_cable_times times;

		if (ethernet_pause_cable(pause, params, i / 2, &times, &limits, NULL) == TR_OK)
			count += ((uint64_t)(times.propagation_ticks / times.byte_ticks) +
				  limits.response_B) /
					 each_B +
				 3;
	}
	return count;
}

void ethernet_pause_layout(struct ethernet_pause *pause, struct net_drive *drive,
			   const struct ethernet_params *params)
{
	struct ethernet_priorities priorities;
	struct sim_arena *arena = &drive->arena;
	const uint32_t links = drive->graph.links;
	const size_t gates = (size_t)links * ETHERNET_PRIORITIES;

	pause->drive = drive;
	if (!ethernet_has_pauses(params) ||
	    ethernet_priorities_read(&priorities, &params->priority, drive->setup->topology,
				     NULL) != TR_OK ||
	    ethernet_pause_read(&pause->keys, params, priorities.used, NULL) != TR_OK)
		return;
	pause->note_count = ethernet_pause_count_notes(pause, params);
	pause->ports = sim_arena_take(arena, links, sizeof(*pause->ports));
	pause->gates = sim_arena_take(arena, gates, sizeof(*pause->gates));
	pause->stuck_B = sim_arena_take(arena, gates, sizeof(*pause->stuck_B));
	pause->steps = sim_arena_take(arena, gates, sizeof(*pause->steps));
	pause->came_by = sim_arena_take(arena, drive->pool.capacity, sizeof(*pause->came_by));
	pause->lossless_B = sim_arena_take(arena, net_graph_switches(&drive->graph),
					   sizeof(*pause->lossless_B));
	pause->notes = sim_arena_take(arena, pause->note_count, sizeof(*pause->notes));
	sim_timers_layout(&pause->timers, arena, 2 * links);
}

// What a switch needs of its buffer for the priorities with flow control.
static enum tr_status ethernet_pause_reserve(struct ethernet_pause *pause,
					     const struct ethernet_params *params, uint32_t at,
					     struct ethernet_buffer *buffer)
{
	const struct net_graph *graph = &pause->drive->graph;
	const uint32_t node = graph->hosts + at;
	uint64_t needs_B = 0;
	uint32_t cables = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(graph, node, port);

		if (peer->node == NET_NOBODY)
			continue;
		needs_B += pause->ports[peer->link].limits.xoff_B +
			   pause->ports[peer->link].limits.headroom_B;
		cables++;
	}
	needs_B *= (uint64_t)__builtin_popcount(pause->keys.priorities);
	if (params->buffer_B != 0 && needs_B > params->buffer_B)
		return tr_fail(pause->drive->err,
			       "ethernet: pfc: xoff and headroom of the ports of a switch take "
			       "%llu B, and its buffer has %llu; see the keys buffer, xoff and "
			       "headroom",
			       (unsigned long long)needs_B, (unsigned long long)params->buffer_B);
	if (params->buffer_B == 0 || cables == 0)
		return TR_OK;
	buffer->reserved_B = (uint32_t)needs_B;
	buffer->port_B = (uint32_t)((params->buffer_B - needs_B) / cables);
	return TR_OK;
}

enum tr_status ethernet_pause_open(struct ethernet_pause *pause,
				   const struct ethernet_params *params,
				   struct ethernet_buffer *buffers)
{
	const struct net_graph *graph = &pause->drive->graph;

	if (!pause->ports)
		return TR_OK;
	if (pause->note_count > NOTES_MAX)
		return tr_fail(pause->drive->err,
			       "ethernet: pfc: the cables are too long for their rates");
	pause->spare = NO_NOTE;
	for (uint32_t i = 0; i < graph->links; i++) {
		struct ethernet_pause_port *port = &pause->ports[i];
		struct net_cable_times times;

		*port = (struct ethernet_pause_port){.first = NO_NOTE, .last = NO_NOTE};
		if (ethernet_pause_cable(pause, params, i / 2, &times, &port->limits,
					 pause->drive->err) != TR_OK)
			return TR_ERROR;
		port->quanta_ticks = (int64_t)(params->pause.quanta * QUANTUM_B) * times.byte_ticks;
		port->delay_ticks = (int64_t)(ETHERNET_PREAMBLE_B + ETHERNET_PAUSE_B +
					      port->limits.response_B) *
					    times.byte_ticks +
				    times.propagation_ticks;
	}
	for (uint32_t i = 0; i < net_graph_switches(graph); i++)
		if (ethernet_pause_reserve(pause, params, i, &buffers[i]) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// ---- the far end of a link: it asks for pauses

// Says something of a priority of a link, by the other direction of its cable.
static void ethernet_pause_tell(struct ethernet_pause *pause, uint32_t link, unsigned priorities)
{
	pause->ports[link].due |= (uint8_t)priorities;
	net_links_control(pause->drive, link ^ 1);
}

static void ethernet_pause_ask(struct ethernet_pause *pause, uint32_t link, uint32_t priority)
{
	struct ethernet_pause_port *port = &pause->ports[link];
	const unsigned bit = 1u << priority;

	if ((port->asked & bit) != 0 ||
	    ethernet_gate_of(pause, link, priority)->held_B <= port->limits.xoff_B)
		return;
	port->asked |= (uint8_t)bit;
	ethernet_pause_tell(pause, link, bit);
}

bool ethernet_pause_take(struct ethernet_pause *pause, uint32_t worm, uint32_t in, uint32_t frame_B)
{
	const uint8_t priority = pause->drive->links.lives[worm].priority;
	const struct ethernet_pause_limits *limits = &pause->ports[in].limits;
	struct ethernet_gate *gate = ethernet_gate_of(pause, in, priority);
	struct net_link_pauses *sums = ethernet_pause_sums(pause, in, priority);

	if (gate->held_B + frame_B > limits->xoff_B + limits->headroom_B) {
		if (sums)
			sums->drops++;
		return false;
	}
	gate->held_B += frame_B;
	pause->came_by[worm] = in;
	ethernet_pause_ask(pause, in, priority);
	return true;
}

// A frame that cuts through may have come to the next switch before.
void ethernet_pause_leave(struct ethernet_pause *pause, uint32_t worm, uint32_t out,
			  uint32_t frame_B)
{
	const uint8_t priority = pause->drive->links.lives[worm].priority;
	const uint32_t in = pause->drive->links.cut_B != 0
				    ? net_links_before(pause->drive, worm, out)
				    : pause->came_by[worm];
	struct ethernet_pause_port *port = &pause->ports[in];
	struct ethernet_gate *gate = ethernet_gate_of(pause, in, priority);
	const unsigned bit = 1u << priority;

	gate->held_B -= frame_B;
	if ((port->asked & bit) == 0 || gate->held_B > port->limits.xon_B)
		return;
	port->asked &= (uint8_t)~bit;
	ethernet_pause_tell(pause, in, bit);
}

static uint32_t ethernet_pause_take_note(struct ethernet_pause *pause)
{
	const uint32_t note = pause->spare != NO_NOTE ? pause->spare : pause->fresh++;

	if (note == pause->spare)
		pause->spare = pause->notes[note].next;
	return note;
}

bool ethernet_pause_begin(struct ethernet_pause *pause, uint32_t by)
{
	const uint32_t link = by ^ 1, links = pause->drive->graph.links;
	const int64_t now_ticks = pause->drive->now_ticks;
	struct ethernet_pause_port *port = &pause->ports[link];
	uint32_t number;
	struct ethernet_pause_note *note;

	if (port->due == 0)
		return false;
	number = ethernet_pause_take_note(pause);
	note = &pause->notes[number];
	*note = (struct ethernet_pause_note){.effect_ticks = now_ticks + port->delay_ticks,
					     .next = NO_NOTE,
					     .told = port->due | port->asked,
					     .on = port->asked};
	if (port->first == NO_NOTE) {
		port->first = number;
		sim_timers_set(&pause->timers, link, note->effect_ticks);
	} else {
		pause->notes[port->last].next = number;
	}
	port->last = number;
	port->due = 0;
	sim_timers_set(&pause->timers, links + link,
		       port->asked != 0 ? now_ticks + port->quanta_ticks / 2 : SIM_STOPPED);
	for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++) {
		struct net_link_pauses *sums = ethernet_pause_sums(pause, link, i);

		if (sums)
			sums->frames += note->told >> i & 1;
	}
	return true;
}

// ---- the near end of a link: it pauses

// The pause of a priority has ended, at a tick.
static void ethernet_pause_count(struct ethernet_pause *pause, uint32_t link, uint32_t priority,
				 int64_t end_ticks)
{
	struct net_link_pauses *sums = ethernet_pause_sums(pause, link, priority);
	const int64_t held_ticks = net_link_queue(&pause->drive->links, link, priority)->held_ticks;

	if (held_ticks < end_ticks)
		end_ticks = held_ticks;
	pause->ports[link].paused &= (uint8_t) ~(1u << priority);
	if (sums)
		sums->paused_ticks += end_ticks -
				      ethernet_gate_of(pause, link, priority)->since_ticks;
}

// A priority of a link is told to pause, or to go on.
static void ethernet_pause_set(struct ethernet_pause *pause, uint32_t link, uint32_t priority,
			       bool on)
{
	const int64_t now_ticks = pause->drive->now_ticks;
	struct ethernet_pause_port *port = &pause->ports[link];
	const unsigned bit = 1u << priority;
	struct net_link_pauses *sums = ethernet_pause_sums(pause, link, priority);

	if ((port->paused & bit) != 0 &&
	    (!on || net_link_queue(&pause->drive->links, link, priority)->held_ticks < now_ticks))
		ethernet_pause_count(pause, link, priority, now_ticks);
	if (on && (port->paused & bit) == 0) {
		port->paused |= (uint8_t)bit;
		ethernet_gate_of(pause, link, priority)->since_ticks = now_ticks;
		if (sums)
			sums->pauses++;
	}
	net_links_stop(pause->drive, link, priority,
		       on ? now_ticks + port->quanta_ticks : now_ticks);
}

// Takes the first note of a link from those on their way.
static struct ethernet_pause_note ethernet_pause_first_note(struct ethernet_pause *pause,
							    uint32_t link)
{
	struct ethernet_pause_port *port = &pause->ports[link];
	const uint32_t number = port->first;
	const struct ethernet_pause_note note = pause->notes[number];

	port->first = note.next;
	pause->notes[number].next = pause->spare;
	pause->spare = number;
	sim_timers_set(&pause->timers, link,
		       port->first != NO_NOTE ? pause->notes[port->first].effect_ticks
					      : SIM_STOPPED);
	return note;
}

static void ethernet_pause_happen(struct ethernet_pause *pause, uint32_t timer)
{
	const uint32_t links = pause->drive->graph.links;
	struct ethernet_pause_note note;

	if (timer >= links) {
		ethernet_pause_tell(pause, timer - links, pause->ports[timer - links].asked);
		pause->search = true;
		return;
	}
	note = ethernet_pause_first_note(pause, timer);
	for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++)
		if ((note.told >> i & 1) != 0)
			ethernet_pause_set(pause, timer, i, (note.on >> i & 1) != 0);
}

void ethernet_pause_until(struct ethernet_pause *pause)
{
	const int64_t now_ticks = pause->drive->now_ticks;

	while (sim_timers_next(&pause->timers, now_ticks) <= now_ticks) {
		const uint32_t count = sim_timers_take(&pause->timers, now_ticks);

		pause->drive->totals->events += count;
		for (uint32_t i = 0; i < count; i++)
			ethernet_pause_happen(pause, pause->timers.taken[i]);
	}
}

int64_t ethernet_pause_next(struct ethernet_pause *pause, int64_t ticks)
{
	const int64_t next = sim_timers_next(&pause->timers, ticks);

	return next < ticks ? next : ticks;
}

// ---- faults and the end

// Both ends of a dead link forget what they have said.
static void ethernet_pause_forget(struct ethernet_pause *pause, uint32_t link)
{
	struct ethernet_pause_port *port = &pause->ports[link];

	port->asked = port->due = 0;
	sim_timers_set(&pause->timers, pause->drive->graph.links + link, SIM_STOPPED);
	while (port->first != NO_NOTE)
		(void)ethernet_pause_first_note(pause, link);
	for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++)
		if ((port->paused >> i & 1) != 0)
			ethernet_pause_set(pause, link, i, false);
}

void ethernet_pause_fault(struct ethernet_pause *pause, uint32_t cable)
{
	const bool dead = pause->drive->faults.cables[cable] > 0;

	for (uint32_t link = 2 * cable; link < 2 * cable + 2; link++) {
		if (dead)
			ethernet_pause_forget(pause, link);
		for (uint32_t i = 0; i < ETHERNET_PRIORITIES && !dead; i++)
			ethernet_pause_ask(pause, link, i);
	}
}

void ethernet_pause_close(struct ethernet_pause *pause)
{
	for (uint32_t link = 0; link < pause->drive->graph.links; link++)
		for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++)
			if ((pause->ports[link].paused >> i & 1) != 0)
				ethernet_pause_count(pause, link, i, pause->drive->now_ticks);
}
