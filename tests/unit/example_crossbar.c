// SPDX-License-Identifier: GPL-3.0-or-later
// An example of adding a kind of network whose packets move whole over links, see flit-fabric(5):
// crossbars with virtual output queues and iSLIP (McKeown, "The iSLIP Scheduling Algorithm for
// Input-Queued Switches", IEEE/ACM Transactions on Networking 7(2), 1999).
// Moves: a packet over a link; in a slot a cell of it from a matched input to its output.
// Rule: outputs grant, inputs accept; a packet goes on when all its cells have crossed.
// Shared: the inputs and outputs of a crossbar; a link, by the packets of its queue.
#include "example_crossbar.h"

#include "net/drive/drive.h"

#define AT(member) offsetof(struct crossbar_params, member)

struct crossbar_params {
	struct net_cables cables;
	uint64_t cell_B, iterations;
	bool finite;
	struct num_ratio timeout_s;
};

// A link: the output at its near end, and the input at its far end.
struct crossbar_side {
	uint32_t grant, accept;		 // pointers of iSLIP: ports
	uint32_t offer;			 // granted to the input: an output's port + 1; 0: none
	int64_t in_matched, out_matched; // until the end of this slot
};

struct crossbar_run {
	struct net_drive net;
	const struct crossbar_params *params;
	int64_t end_ticks;	      // of the last slot, the time of a cell on the first cable
	uint64_t *crossed_B;	      // of each packet
	struct crossbar_side *sides;  // by link
	struct net_worm_list *queues; // of each link, by output
	uint32_t width;		      // ports of the largest switch
};

static void crossbar_layout(void *context)
{
	struct crossbar_run *run = context;
	const struct net_graph *graph = &run->net.graph;
	struct sim_arena *arena = &run->net.arena;

	for (uint32_t i = 0; i < graph->nodes; i++)
		if (net_graph_ports(graph, i) > run->width)
			run->width = net_graph_ports(graph, i);
	run->crossed_B = sim_arena_take(arena, run->net.pool.capacity, sizeof(*run->crossed_B));
	run->sides = sim_arena_take(arena, graph->links, sizeof(*run->sides));
	run->queues = sim_arena_take(arena, (size_t)graph->links * run->width,
				     sizeof(*run->queues));
}

static struct net_worm_list *crossbar_queue(struct crossbar_run *run, uint32_t in, uint32_t port)
{
	return &run->queues[(size_t)in * run->width + port];
}

static void crossbar_store(void *context, uint32_t worm, uint32_t in, uint32_t out)
{
	struct crossbar_run *run = context;
	const uint32_t port = run->net.links.links[out].from.port;

	run->crossed_B[worm] = 0;
	net_links_hold(&run->net, out, worm, crossbar_queue(run, in, port));
}

// The output grants to the first unmatched input from its pointer on that has a cell for it; of
// the grants of several outputs an input keeps the first from its own.
static void crossbar_grant(struct crossbar_run *run, uint32_t number)
{
	const struct net_end *from = &run->net.links.links[number].from;
	const struct crossbar_side *out = &run->sides[number];
	const uint32_t ports = net_graph_ports(&run->net.graph, from->node);

	for (uint32_t i = 0; i < ports && out->out_matched != run->end_ticks; i++) {
		const struct net_peer *peer = net_graph_peer(&run->net.graph, from->node,
							     (out->grant + i) % ports);
		struct crossbar_side *in = &run->sides[peer->link ^ 1];

		if (peer->node == NET_NOBODY || in->in_matched == run->end_ticks ||
		    crossbar_queue(run, peer->link ^ 1, from->port)->count == 0)
			continue;
		if (in->offer == 0 || (from->port + ports - in->accept) % ports <
					      (in->offer - 1 + ports - in->accept) % ports)
			in->offer = from->port + 1;
		return;
	}
}

// The input accepts, and a cell crosses; pointers move in the first iteration of a slot alone.
static void crossbar_accept(struct crossbar_run *run, uint32_t number, bool first)
{
	const struct net_end *to = &run->net.links.links[number].to;
	struct crossbar_side *in = &run->sides[number];
	const uint32_t port = in->offer - 1;
	struct net_worm_list *queue;
	uint32_t out;

	if (in->offer == 0)
		return;
	queue = crossbar_queue(run, number, port);
	out = net_graph_peer(&run->net.graph, to->node, port)->link;
	in->offer = 0;
	in->in_matched = run->sides[out].out_matched = run->end_ticks;
	if (first) {
		run->sides[out].grant = to->port + 1;
		in->accept = port + 1;
	}
	run->crossed_B[queue->first] += run->params->cell_B;
	if (run->crossed_B[queue->first] >= run->net.pool.worms[queue->first].size_bytes)
		net_links_release(&run->net, out, queue);
}

static void crossbar_move(void *context)
{
	struct crossbar_run *run = context;

	if (run->net.links.held > 0 && run->end_ticks <= run->net.now_ticks) {
		run->end_ticks = run->net.now_ticks + run->net.links.links[0].times.byte_ticks *
							      (int64_t)run->params->cell_B;
		for (uint64_t i = 0; i < run->params->iterations; i++) {
			for (uint32_t link = 0; link < run->net.graph.links; link++)
				crossbar_grant(run, link);
			for (uint32_t link = 0; link < run->net.graph.links; link++)
				crossbar_accept(run, link, i == 0);
		}
	}
	net_links_move(run);
}

static int64_t crossbar_next_ticks(void *context)
{
	const struct crossbar_run *run = context;
	const int64_t next_ticks = net_links_next_ticks(context);

	return run->net.links.held > 0 && run->end_ticks < next_ticks ? run->end_ticks : next_ticks;
}

static const struct net_link_rules links = {.cables = AT(cables), .store = crossbar_store};
static const struct net_rules rules = {.name = "crossbar",
				       .linked = true,
				       .routed = true,
				       .links = &links,
				       .layout = crossbar_layout,
				       .move = crossbar_move,
				       .next_ticks = crossbar_next_ticks};

static enum tr_status crossbar_clock(const void *context, const struct net_topology *topology,
				     uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
				     struct tr_error *err)
{
	const struct crossbar_params *params = context;

	if (params->cell_B == 0 || params->cell_B > 65536 || params->iterations == 0)
		return tr_fail(err, "crossbar: expected a cell of 1 B to 64 KiB, and iterations");
	return net_cables_clock(&params->cables, "crossbar", topology, base_ticks_per_s,
				ticks_per_s, err);
}

static enum tr_status crossbar_supports(const struct net_setup *setup, struct tr_error *err)
{
	return net_setup_needs_lists(setup, "crossbar", err);
}

static enum tr_status run_crossbar(const struct net_setup *setup, struct net_totals *totals,
				   struct tr_error *err)
{
	struct crossbar_run run = {.params = setup->params};

	return net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
}

static const struct net_engine engine = {.name = "slots",
					 .supports = crossbar_supports,
					 .run = run_crossbar};
static const struct net_engine *const engines[] = {&engine, NULL};
static const struct crossbar_params usual = {.cables = {{10000000000, 1}, {0, 1}, {200000000, 1}},
					     .cell_B = 64,
					     .iterations = 1,
					     .timeout_s = {0, 1}};
static const struct key keys[] = {
	NET_KEYS_CABLES(AT(cables)),
	{"cell", KEY_BYTES, AT(cell_B), NULL, NULL, "into which switches cut packets"},
	{"iterations", KEY_COUNT, AT(iterations), NULL, NULL, "of iSLIP in each slot"},
	NET_KEY_SOURCE(AT(finite), NULL),
	NET_KEY_TIMEOUT(AT(timeout_s), NULL),
	{.type = KEY_END},
};

const struct net_fabric net_fabric_crossbar = {
	.name = "crossbar",
	.summary = "crossbars with virtual output queues at their inputs, scheduled by iSLIP",
	.keys = keys,
	.params_bytes = sizeof(struct crossbar_params),
	.usual = &usual,
	.engines = engines,
	.clock = crossbar_clock,
	.linked = true,
	.no.cycles = "unbounded",
};
