// SPDX-License-Identifier: GPL-3.0-or-later
// Faults and timeouts. A packet is lost on a link that is dead when its head starts on it or until
// that has come; where its tail is still on the link then, the rest goes on as a packet, whose
// message is lost. A host takes and gives nothing while its cable is dead. A message one of whose
// packets is lost is reported when none of them is left. Idle symbols and their go bits are not
// lost. What waits of a message whose time is over is lost; what is on a ring goes to its end. A
// switch that dies loses what waits there for a ring.
#include "net/studies/sci/sci_run.h"

bool sci_is_lost(struct sci_run *run, uint32_t number, struct sci_packet *packet)
{
	struct sci_output *output = &run->outputs[number];

	if (!run->net.faults.cables)
		return false;
	if (net_drive_link_lost(&run->net, run->rings.lines[number].link_in, packet->mark)) {
		sci_packet_ended(run, packet, true);
		return true;
	}
	output->arriving = sci_counts(run, packet) ? packet->message : NET_NO_WORM;
	output->arriving_ticks = run->net.now_ticks + (packet->symbols - 1) * run->times.symbol;
	return false;
}

void sci_damage(struct sci_run *run, uint32_t output, struct sci_packet *packet)
{
	const uint64_t key = (uint64_t)packet->from << 32 | packet->to;

	if (!run->net.faults.losses.of_link ||
	    !net_losses_damage(&run->net, run->rings.lines[output].link, key, 2u * packet->symbols))
		return;
	packet->mark = UINT32_MAX; // no link's while it is alive
	if (sci_counts(run, packet))
		run->net.faults.dooms[packet->message] = TR_DROP_ERROR;
}

// So many packets of a message are not under way any more.
static void sci_message_less(struct sci_run *run, uint32_t number, uint32_t packets, bool lost)
{
	struct sci_message *message = &run->messages[number];

	message->lost = message->lost || lost;
	message->left -= packets;
	if (message->left > 0)
		return;
	run->complete[run->complete_count++] = number;
	if (message->read)
		net_drive_left(&run->net, run->net.pool.worms[number].source, run->net.now_ticks);
}

void sci_packet_ended(struct sci_run *run, const struct sci_packet *packet, bool lost)
{
	const bool last = packet->kind == SCI_RESPONSE ||
			  !(run->params->transactions || packet->read);

	if (sci_counts(run, packet) && (lost || last))
		sci_message_less(run, packet->message, 1, lost);
}

bool sci_is_late(const struct sci_run *run, const struct sci_packet *packet)
{
	return sci_counts(run, packet) && net_drive_is_late(&run->net, packet->message);
}

void sci_packet_lose(struct sci_run *run, uint32_t number)
{
	const struct sci_packet *packet = &run->packets[number];

	if (packet->origin == run->rings.homes[packet->from])
		sci_hosts_left(run, packet, run->net.now_ticks);
	sci_packet_ended(run, packet, true);
	sci_packet_free(run, number);
}

// Packets that wait for a ring are lost: all, or those of late messages.
static void empty_transmit(struct sci_run *run, struct sci_queue *queue, bool all)
{
	for (uint32_t i = queue->count; i > 0; i--) {
		const uint32_t packet = sci_first(run, queue);

		if (all || sci_is_late(run, &run->packets[packet]))
			sci_packet_lose(run, packet);
		else
			sci_append(run, queue, packet);
	}
}

// Likewise at every output on the way of a message, or back.
static void empty_way(struct sci_run *run, uint32_t message, enum sci_packet_kind kind)
{
	const struct net_worm *worm = &run->net.pool.worms[message];
	const bool forth = (kind == SCI_REQUEST) != run->messages[message].read;
	const struct sci_packet packet = {.from = forth ? worm->source : worm->destination,
					  .to = forth ? worm->destination : worm->source,
					  .kind = (uint8_t)kind};
	uint32_t output, node = run->rings.homes[packet.from];

	while ((output = sci_output_of(run, &packet, node, &node)) != SCI_NONE)
		empty_transmit(run, &run->outputs[output].transmit, false);
}

void sci_expire(void *context, const uint32_t *worms, uint32_t count)
{
	struct sci_run *run = context;

	for (uint32_t i = 0; i < count; i++) {
		const struct net_worm *worm = &run->net.pool.worms[worms[i]];

		if (worm->started_ticks >= 0) {
			empty_way(run, worms[i], SCI_REQUEST);
			empty_way(run, worms[i], SCI_RESPONSE);
		} else {
			net_worm_remove(&run->net.pool,
					&run->hosts[sci_initiator(run, worms[i])].queue, worms[i]);
			sci_message_less(run, worms[i], run->messages[worms[i]].packets, true);
			if (!run->messages[worms[i]].read)
				net_drive_left(&run->net, worm->source, run->net.now_ticks);
		}
	}
	sci_deliver(run);
}

void sci_hand_none(struct sci_run *run, uint32_t number)
{
	struct sci_host *host = &run->hosts[number];
	const uint32_t message = host->message;

	host->message = NET_NO_WORM;
	host->died = false;
	if (!run->messages[message].read)
		net_drive_left(&run->net, number, run->net.now_ticks);
	sci_message_less(run, message, run->messages[message].packets - host->index, true);
}

uint32_t sci_host_link(const struct sci_run *run, uint32_t host)
{
	return net_graph_peer(&run->net.graph, host, 0)->link;
}

static void sci_faults_empty_host(struct sci_run *run, uint32_t number)
{
	struct sci_host *host = &run->hosts[number];

	host->died = host->message != NET_NO_WORM;
	while (host->queue.count > 0) {
		const uint32_t message = net_worm_first(&run->net.pool, &host->queue),
			       source = run->net.pool.worms[message].source;

		net_drive_drop(&run->net, message, TR_DROP_DEAD);
		net_drive_left(&run->net, source, run->net.now_ticks);
	}
}

void sci_fault(void *context, uint32_t cable)
{
	struct sci_run *run = context;

	if (run->net.faults.cables[cable] == 0)
		return;
	for (uint32_t i = 0; i < run->rings.outputs; i++) {
		const struct sci_output *output = &run->outputs[i];

		if (run->rings.lines[i].link_in / 2 == cable &&
		    output->arriving_ticks > run->net.now_ticks && output->arriving != NET_NO_WORM)
			run->messages[output->arriving].lost = true;
	}
	for (uint32_t i = 0; i < run->rings.hosts; i++)
		if (sci_host_link(run, i) / 2 == cable && net_drive_host_is_dead(&run->net, i))
			sci_faults_empty_host(run, i);
}

void sci_die(void *context, uint32_t at)
{
	struct sci_run *run = context;

	for (uint32_t i = run->rings.first[at]; i < run->rings.first[at + 1]; i++)
		empty_transmit(run, &run->outputs[i].transmit, true);
	sci_deliver(run);
}
