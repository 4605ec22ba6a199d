// SPDX-License-Identifier: GPL-3.0-or-later
// A network with lanes before its first cycle: nodes, links, the lanes of each, sources.
#include "net/lanes/lanes_run.h"

// The group of a lane among those of its link: with fewer groups than lanes, these are shared out
// in runs. A host's cable has one for each class of messages.
static uint32_t lanes_open_group_of(const struct lanes_run *run, uint32_t lane, bool between)
{
	if (between)
		return lane * run->sizes.groups / run->sizes.lanes;
	return lane * run->sizes.messages / run->sizes.lanes * run->sizes.classes;
}

// A slot's number in the routes' choices; 0 where they have none.
static uint32_t lanes_open_find_choice(const struct lanes_run *run, uint32_t link, uint32_t lane)
{
	const struct net_choices *choices = run->net.setup->routes->choices;
	const uint32_t hosts = run->net.graph.hosts;
	const struct lanes_link *way = &run->links[link];

	if (!choices || way->to < hosts)
		return 0;
	if (way->from < hosts)
		return net_choices_host_input(way->to - hosts);
	return net_choices_input(choices, link,
				 lanes_open_group_of(run, lane, true) % run->sizes.classes);
}

void lanes_make_slot(struct lanes_run *run, uint32_t number, uint32_t node)
{
	run->slots[number] = (struct lanes_slot){.worm = NET_NO_WORM,
						 .out = LANES_NONE,
						 .holder = LANES_NONE,
						 .room = (uint32_t)run->params->buffer_flits,
						 .node = node,
						 .turn = run->nodes[node].slots++};
}

static void lanes_open_make_link(struct lanes_run *run, uint32_t number)
{
	const struct net_cable *cable = &run->net.setup->topology->cables[number / 2];
	const struct lanes_pipeline *pipeline = &run->params->pipeline;
	struct lanes_link *link = &run->links[number];

	*link = (struct lanes_link){.from = cable->ends[number % 2].node,
				    .to = cable->ends[1 - number % 2].node,
				    .out_port = cable->ends[number % 2].port,
				    .crosses = net_drive_crosses(&run->net, number)};
	link->delay = (uint16_t)pipeline->link;
	if (!lanes_is_host(run, link->from))
		link->delay += (uint16_t)(pipeline->arbitration + pipeline->traversal);
	run->out_of[run->nodes[link->from].first_port + link->out_port] = number;
}

static void make_arbiter(struct lanes_run *run, uint32_t number)
{
	struct lanes_link *link =
		&run->links[lanes_link_of(run, number << run->sizes.arbiter_shift)];
	const uint64_t all = (UINT64_C(1) << run->sizes.lanes) - 1;
	const bool between = !lanes_is_host(run, link->from) && !lanes_is_host(run, link->to);
	const uint32_t slots = run->nodes[link->from].slots +
			       (run->params->is.shared ? run->nodes[link->to].slots : 0);

	run->arbiters[number] = (struct lanes_arbiter){
		.free = all,
		.last = run->queuing.organisation->divided ? slots - 1 : run->sizes.arbiter_mask,
		.clear = INT64_MIN / 2};
	link->served = (slots << (run->sizes.lane_shift - run->sizes.input_shift)) - 1;
	for (uint32_t i = 0; i < run->sizes.groups; i++)
		run->groups[number * run->sizes.groups + i] = (struct lanes_group){
			.first = LANES_NONE, .turn = slots - 1, .given = run->sizes.lanes - 1};
	for (uint32_t i = 0; i < 1u + run->params->is.shared; i++) {
		link[i].group = number * run->sizes.groups;
		link[i].classes = between ? UINT32_MAX : 0;
	}
	for (uint32_t lane = 0; lane < run->sizes.lanes; lane++)
		run->groups[number * run->sizes.groups + lanes_open_group_of(run, lane, between)]
			.lanes |= UINT64_C(1) << lane;
}

// Ports of the node at an input of its crossbar.
static uint32_t lanes_open_ports_at(const struct lanes_run *run, uint32_t input)
{
	const uint32_t link = lanes_link_of(run, input << run->sizes.input_shift);

	return run->nodes[run->links[link].to].ports;
}

// Nodes, links and the buffers behind their lanes, in the order of ports at each node.
static void lanes_open_make_nodes(struct lanes_run *run)
{
	uint32_t first = 0;

	for (uint32_t node = 0; node < run->net.graph.nodes; node++) {
		run->nodes[node] = (struct lanes_node){
			.first_port = first, .ports = net_graph_ports(&run->net.graph, node)};
		for (uint32_t port = 0; port < run->nodes[node].ports; port++)
			run->out_of[first++] = NET_NOBODY;
	}
	for (uint32_t link = 0; link < run->net.graph.links; link++)
		lanes_open_make_link(run, link);
	for (uint32_t i = 0; i < run->sizes.lane_count >> run->sizes.input_shift; i++)
		run->queuing.inputs[i] = (struct lanes_input){
			.winner = LANES_NONE,
			.accepted = lanes_open_ports_at(run, i) - 1,
			.turn = run->sizes.lanes - 1,
			.taken = INT64_MIN};
	for (uint32_t node = 0; node < run->net.graph.nodes; node++)
		for (uint32_t port = 0; port < run->nodes[node].ports; port++) {
			const uint32_t out = run->out_of[run->nodes[node].first_port + port];

			for (uint32_t lane = 0; lane < run->sizes.lanes && out != NET_NOBODY;
			     lane++) {
				lanes_make_slot(run, lanes_lane(run, out ^ 1, lane), node);
				run->asks[lanes_lane(run, out ^ 1, lane)].choice =
					lanes_open_find_choice(run, out ^ 1, lane);
				if (run->queuing.organisation->divided)
					lanes_queues_open(run, lanes_lane(run, out ^ 1, lane));
			}
		}
}

static enum tr_status lanes_open_make_sources(struct lanes_run *run)
{
	const uint32_t sends = lanes_places(run);

	for (uint32_t host = 0; host < run->net.graph.hosts; host++) {
		const uint32_t end = net_graph_peer(&run->net.graph, host, 0)->node;

		if (run->params->is.inside && end < run->net.graph.hosts)
			return tr_fail(run->net.err,
				       "lanes: hosts=switch: host %u has a cable to another host",
				       host);
		run->hosts[host].node = run->params->is.inside ? end : host;
		run->hosts[host].queues = run->queuing.sent + (size_t)host * run->sizes.messages;
		for (uint32_t i = 0; i < sends; i++) {
			const uint32_t slot = run->sizes.first_source + host * sends + i;

			lanes_make_slot(run, slot, run->hosts[host].node);
			if (run->params->is.inside && run->net.setup->routes->choices)
				run->asks[slot].choice = net_choices_host_input(
					end - run->net.graph.hosts);
		}
	}
	return TR_OK;
}

enum tr_status lanes_open(void *context)
{
	struct lanes_run *run = context;
	uint32_t *asking = run->asking;

	if (run->net.setup->shuffle != 0)
		tr_random_open(&run->shuffle, run->net.setup->shuffle, "order");
	if (net_priorities_read(&run->queuing.priorities, "lanes", run->params->priority,
				run->net.setup->topology, run->net.err) != TR_OK)
		return TR_ERROR;
	lanes_open_make_nodes(run);
	if (lanes_open_make_sources(run) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < run->net.graph.nodes; i++) {
		run->nodes[i].asking = asking;
		asking += run->nodes[i].slots;
	}
	for (uint32_t i = 0; i < run->sizes.lane_count >> run->sizes.arbiter_shift; i++)
		make_arbiter(run, i);
	return TR_OK;
}
