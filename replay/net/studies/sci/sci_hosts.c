// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts and agents: messages become packets, packets change their ring, responses answer requests.
#include "net/studies/sci/sci_run.h"

#include "value/philox.h"
#include "value/ticks.h"

#define ECHO_SYMBOLS 4u
#define SYMBOL_B 2u
#define SMALL_B 16u // the other payload

static uint32_t new_packet(struct sci_run *run, struct sci_packet packet)
{
	uint32_t number;

	if (run->spare.count > 0)
		number = sci_first(run, &run->spare);
	else if (run->fresh < run->packet_capacity)
		number = run->fresh++;
	else
		number = SCI_NONE;
	if (number == SCI_NONE)
		net_drive_fail(&run->net,
			       "more packets under way than the key packets of sci allows");
	else
		run->packets[number] = packet;
	return number;
}

void sci_packet_free(struct sci_run *run, uint32_t packet)
{
	sci_append(run, &run->spare, packet);
}

void sci_append(struct sci_run *run, struct sci_queue *queue, uint32_t packet)
{
	if (queue->count++ == 0)
		queue->first = packet;
	else
		run->packets[queue->last].next = packet;
	queue->last = packet;
}

uint32_t sci_first(struct sci_run *run, struct sci_queue *queue)
{
	const uint32_t first = queue->first;

	queue->first = run->packets[first].next;
	queue->count--;
	return first;
}

// The overhead of a host at either end of so many bytes.
static int64_t overhead_ticks(const struct sci_run *run, uint32_t bytes)
{
	return run->times.overhead +
	       (bytes > SCI_PACKET_B ? (bytes - SCI_PACKET_B) * run->times.overhead_B : 0);
}

// Bytes of a message up to the end of a packet.
static uint32_t bytes_until(uint32_t size_bytes, uint32_t index)
{
	const uint32_t rest = size_bytes - index * SCI_PACKET_B;

	return rest <= SCI_PACKET_B ? size_bytes : (index + 1) * SCI_PACKET_B;
}

static uint16_t data_symbols(uint32_t size_bytes, uint32_t index)
{
	const uint32_t payload_B = size_bytes - index * SCI_PACKET_B <= SMALL_B ? SMALL_B
										: SCI_PACKET_B;

	return (uint16_t)(SCI_HEADER_SYMBOLS + payload_B / SYMBOL_B);
}

// The overhead of a host at either end of a packet: with data, of all bytes of its message until
// its end.
static int64_t sci_hosts_overhead(const struct sci_run *run, const struct sci_packet *packet)
{
	return overhead_ticks(run,
			      sci_has_data(packet)
				      ? bytes_until(run->net.pool.worms[packet->message].size_bytes,
						    packet->index)
				      : 0);
}

static uint16_t sci_hosts_symbols(const struct sci_run *run, const struct sci_packet *packet)
{
	return sci_has_data(packet) ? data_symbols(run->net.pool.worms[packet->message].size_bytes,
						   packet->index)
				    : SCI_HEADER_SYMBOLS;
}

// The host hands over a request, whose overhead ends at due_ticks: before that, by its time on the
// buses.
static void sci_hosts_hand(struct sci_run *run, uint32_t number, const struct sci_packet *packet,
			   int64_t due_ticks)
{
	run->hosts[number].due_ticks = due_ticks;
	sci_event(run, ticks_later(run->net.now_ticks, due_ticks - sci_buses_ticks(run, packet)),
		  SCI_HANDED, number, SCI_NONE, 0);
}

static void sci_hosts_start_message(struct sci_run *run, uint32_t number)
{
	struct sci_host *host = &run->hosts[number];
	struct sci_packet first = {.kind = SCI_REQUEST};
	struct net_worm *worm;

	if (host->message != NET_NO_WORM || host->queue.count == 0)
		return;
	host->message = net_worm_first(&run->net.pool, &host->queue);
	host->index = 0;
	worm = &run->net.pool.worms[host->message];
	worm->started_ticks = ticks_later(run->net.now_ticks, host->due_ticks);
	first.message = host->message;
	first.read = run->messages[host->message].read;
	first.symbols = sci_hosts_symbols(run, &first);
	sci_hosts_hand(run, number, &first, worm->started_ticks + sci_hosts_overhead(run, &first));
}

// A message is a read by a number that is drawn from its own, whatever else is under way.
static bool sci_hosts_is_read(const struct sci_run *run, uint64_t id)
{
	static const uint32_t key[2] = {0x736369, 0x72656164};
	const uint32_t counter[4] = {(uint32_t)id, (uint32_t)(id >> 32), 0, 0};
	uint32_t drawn[4];

	if (run->params->reads == 0)
		return false;
	philox_block(counter, key, drawn);
	return (uint64_t)drawn[0] * 100 >> 32 < run->params->reads;
}

void sci_host_enter(void *context, uint32_t number)
{
	struct sci_run *run = context;
	struct net_worm *worm = &run->net.pool.worms[number];
	const uint32_t packets = (worm->size_bytes - 1) / SCI_PACKET_B + 1;

	run->messages[number] = (struct sci_message){packets, packets, false,
						     sci_hosts_is_read(run, worm->packet.id)};
	worm->route_count = sci_ringlets_links(&run->rings, worm->source, worm->destination,
					       run->messages[number].read);
	net_worm_append(&run->net.pool, &run->hosts[sci_initiator(run, number)].queue, number);
	sci_hosts_start_message(run, sci_initiator(run, number));
}

uint32_t sci_output_of(const struct sci_run *run, const struct sci_packet *packet, uint32_t node,
		       uint32_t *target)
{
	return sci_ringlets_output(&run->rings, node, packet->from, packet->to,
				   packet->kind == SCI_RESPONSE, target);
}

// A new packet crosses its buses from cross_ticks on, if there are any; from ready_ticks on
// something happens to it at a place.
static void sci_hosts_cross(struct sci_run *run, struct sci_packet packet, int64_t cross_ticks,
			    int64_t ready_ticks, enum sci_event_kind kind, uint32_t place)
{
	const uint32_t number = new_packet(run, packet);

	if (!run->buses.free_ticks)
		sci_event(run, ready_ticks, kind, place, number, 0);
	else if (number != SCI_NONE)
		sci_cross(run, number, cross_ticks, ready_ticks);
}

// The head is at the packet's end at head_ticks; the host has taken it when its overhead is spent
// and the tail is in.
static void sci_hosts_reach_host(struct sci_run *run, const struct sci_packet *packet,
				 int64_t head_ticks)
{
	const int64_t spent_ticks = head_ticks + sci_hosts_overhead(run, packet);
	const int64_t whole_ticks = head_ticks + packet->symbols * run->times.symbol;
	struct net_worm *worm = &run->net.pool.worms[packet->message];
	struct sci_packet taken = *packet;

	if (sci_has_data(packet)) {
		if (worm->head_ticks < 0 || head_ticks < worm->head_ticks)
			worm->head_ticks = head_ticks;
		worm->received_ticks = ticks_later(worm->received_ticks, whole_ticks);
	}
	taken.mark = net_drive_link_mark(&run->net, sci_host_link(run, packet->to));
	taken.ends = true;
	taken.stage = packet->from == packet->to ? SCI_CROSSED : SCI_BLINK;
	sci_hosts_cross(run, taken, whole_ticks, ticks_later(spent_ticks, whole_ticks), SCI_TAKEN,
			0);
}

void sci_hosts_left(struct sci_run *run, const struct sci_packet *packet, int64_t ticks)
{
	if (packet->kind == SCI_REQUEST && !packet->read &&
	    packet->index + 1 == run->messages[packet->message].packets)
		net_drive_left(&run->net, packet->from, ticks);
}

// Puts a packet on its next ring at an output, to leave it at target, from ready_ticks on; it
// crosses its buses from cross_ticks on.
static void enter_ring(struct sci_run *run, struct sci_packet packet, uint32_t output,
		       uint32_t target, int64_t cross_ticks, int64_t ready_ticks)
{
	packet.origin = run->rings.lines[output].node;
	packet.target = target;
	packet.echo = SCI_NONE;
	sci_hosts_cross(run, packet, cross_ticks, ready_ticks, SCI_READY, output);
}

// A new packet at its first node, now or later.
static void sci_hosts_send(struct sci_run *run, const struct sci_packet *packet,
			   int64_t ready_ticks)
{
	uint32_t target;
	const uint32_t output = sci_output_of(run, packet, run->rings.homes[packet->from], &target);

	if (output == SCI_NONE) {
		// To its own host: no ring.
		if (sci_has_data(packet) && packet->index == 0)
			run->net.pool.worms[packet->message].injected_ticks = ready_ticks;
		sci_hosts_left(run, packet, ready_ticks);
		sci_hosts_reach_host(run, packet, ready_ticks);
	} else {
		enter_ring(
			run, *packet, output, target,
			ticks_later(run->net.now_ticks, ready_ticks - sci_buses_ticks(run, packet)),
			ready_ticks);
	}
}

void sci_leave_ring(struct sci_run *run, const struct sci_packet *packet)
{
	const int64_t whole_ticks = run->net.now_ticks + packet->symbols * run->times.symbol;
	const int64_t ready_ticks = run->net.now_ticks + run->times.switching;
	struct sci_packet next = *packet;
	uint32_t target;
	const uint32_t output = sci_output_of(run, packet, packet->target, &target);

	if (output == SCI_NONE) {
		sci_hosts_reach_host(run, packet, run->net.now_ticks);
		return;
	}
	next.stage = SCI_BLINK;
	enter_ring(run, next, output, target,
		   run->params->cut_through ? run->net.now_ticks : whole_ticks,
		   run->params->cut_through ? ready_ticks : ticks_later(ready_ticks, whole_ticks));
}

void sci_host_handed(struct sci_run *run, uint32_t number)
{
	struct sci_host *host = &run->hosts[number];
	const struct net_worm *worm = &run->net.pool.worms[host->message];
	const struct sci_message *message = &run->messages[host->message];
	struct sci_packet packet = {.serial = run->net.serials[host->message],
				    .id = worm->packet.id,
				    .message = host->message,
				    .index = host->index,
				    .from = number,
				    .to = message->read ? worm->source : worm->destination,
				    .kind = SCI_REQUEST,
				    .read = message->read};
	const int64_t before_ticks = sci_hosts_overhead(run, &packet);

	if (host->died || net_drive_host_is_dead(&run->net, number) ||
	    net_drive_is_late(&run->net, host->message)) {
		sci_hand_none(run, number);
		sci_hosts_start_message(run, number);
		return;
	}
	packet.symbols = sci_hosts_symbols(run, &packet);
	sci_hosts_send(run, &packet, host->due_ticks);
	packet.index++;
	if (++host->index == message->packets) {
		host->message = NET_NO_WORM;
		sci_hosts_start_message(run, number);
		return;
	}
	packet.symbols = sci_hosts_symbols(run, &packet);
	sci_hosts_hand(run, number, &packet,
		       host->due_ticks + sci_hosts_overhead(run, &packet) - before_ticks);
}

static void sci_hosts_answer(struct sci_run *run, const struct sci_packet *request)
{
	struct sci_packet response = *request;

	response.kind = SCI_RESPONSE;
	response.stage = SCI_PCI_OUT;
	response.ends = false;
	response.from = request->to;
	response.to = request->from;
	response.symbols = sci_hosts_symbols(run, &response);
	sci_hosts_send(run, &response, run->net.now_ticks + sci_hosts_overhead(run, &response));
}

void sci_host_taken(struct sci_run *run, uint32_t number)
{
	const struct sci_packet packet = run->packets[number];
	const bool lost = net_drive_link_lost(&run->net, sci_host_link(run, packet.to),
					      packet.mark);

	sci_packet_free(run, number);
	if (packet.kind == SCI_REQUEST && !lost)
		sci_hosts_answer(run, &packet);
	sci_packet_ended(run, &packet, lost);
}

void sci_join(struct sci_run *run, uint32_t output, uint32_t number)
{
	const struct sci_packet *packet = &run->packets[number];

	if (sci_is_late(run, packet) ||
	    (packet->origin == run->rings.homes[packet->from] &&
	     net_drive_link_is_dead(&run->net, sci_host_link(run, packet->from)))) {
		sci_packet_lose(run, number);
		return;
	}
	run->joining[run->joining_count++] = (struct sci_joining){packet->serial, packet->index,
								  output, number, packet->kind};
}

uint32_t sci_echo_new(struct sci_run *run, const struct sci_packet *packet)
{
	struct sci_packet echo = *packet;

	echo.kind = SCI_ECHO;
	echo.symbols = ECHO_SYMBOLS;
	echo.origin = packet->target;
	echo.target = packet->origin;
	return new_packet(run, echo);
}

void sci_count_start(struct sci_run *run, uint32_t output, struct sci_packet *packet)
{
	packet->mark = net_drive_link_mark(&run->net, run->rings.lines[output].link);
	sci_damage(run, output, packet);
	sci_meter_start(run, output, packet->symbols);
	run->net.totals->own[packet->kind == SCI_ECHO ? SCI_ECHO_HOPS : SCI_SEND_HOPS]++;
	if (packet->kind == SCI_ECHO)
		return;
	if (run->rings.lines[output].node == run->rings.homes[packet->from])
		sci_hosts_left(run, packet,
			       run->net.now_ticks + packet->symbols * run->times.symbol);
	if (sci_has_data(packet) && packet->index == 0 &&
	    run->net.pool.worms[packet->message].injected_ticks < 0)
		run->net.pool.worms[packet->message].injected_ticks = run->net.now_ticks;
}
