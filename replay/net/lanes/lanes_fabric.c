// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "lanes": switches with virtual channels (Dally, IEEE TPDS 3, 1992).
// Moves: a flit, in cycles of one flit on a link.
// Rule: the header of a packet gets a lane, which is the packet's until its last flit has left; a
// flit goes on if its link and crossbar are given to its lane in this cycle, and the buffer at the
// far end has room by the credits that came back.
// Shared: the link and the crossbar, by the lanes, cycle by cycle; the lanes, by packets; with
// share=yes a cable, by its two ways.
#include <stddef.h>

#include "net/fabric.h"
#include "net/lanes/lanes_params.h"
#include "net/lanes/lanes_run.h"

#define AT(member) offsetof(struct lanes_params, member)

static const struct key keys[] = {
	{"switching", KEY_WORD, AT(switching), "wormhole|cut-through|store|circuit", NULL,
	 "what a switch waits for before it passes a packet on"},
	{"queues", KEY_WORD, AT(queues), "fifo|virtual|output", NULL,
	 "behind whom a packet waits: all of its lane, those of its output, or in the output"},
	{"lanes", KEY_COUNT, AT(lanes), NULL, NULL, "lanes (virtual channels) of a link, 1 to 32"},
	{"buffer", KEY_COUNT, AT(buffer_flits), NULL, NULL, "flits of the buffer behind each lane"},
	{"flit", KEY_BYTES, AT(flit_B), NULL, NULL, "size of a flit"},
	{"rate", KEY_RATE, AT(rate_bps), NULL, NULL,
	 "rate of a link; a cycle is the time of a flit"},
	{"share", KEY_FLAG, AT(is.shared), "no|yes", "reuse=empty",
	 "whether a lane serves both directions of its cable"},
	{"reuse", KEY_FLAG, AT(is.empty), "sent|empty", NULL,
	 "when a lane is free again: its packet's tail was sent, or has left the buffer"},
	{"hosts", KEY_FLAG, AT(is.inside), "cable|switch", NULL,
	 "whether hosts are at the end of a cable or at their switch"},
	{"ejection", KEY_FLAG, AT(is.quick), "cycle|none", "hosts=switch",
	 "how long a host takes for a flit, of each lane"},
	{"sends", KEY_COUNT, AT(sends), NULL, NULL, "packets that a host sends at once, 1 to 64"},
	NET_KEY_SOURCE(AT(is.finite), NULL),
	NET_KEY_TIMEOUT(AT(timeout_s), NULL),
	NET_KEYS_PORTS(AT(ports)),
	NET_KEYS_HELD(AT(hold)),
	{"flow", KEY_FLAG, AT(is.direct), "credit|direct", NULL,
	 "how the room in a buffer is known"},
	{"credit", KEY_COUNT, AT(pipeline.credit), NULL, "flow=credit",
	 "cycles until the sender knows of room"},
	{"routing", KEY_COUNT, AT(pipeline.routing), NULL, NULL,
	 "cycles before a header asks for a lane"},
	{"allocation", KEY_COUNT, AT(pipeline.allocation), NULL, NULL,
	 "cycles from then until it may ask for the link"},
	{"header", KEY_COUNT, AT(pipeline.header), NULL, NULL,
	 "cycles of a header's hop where a flit's is one"},
	{"arbitration", KEY_COUNT, AT(pipeline.arbitration), NULL, NULL,
	 "cycles from the link's grant to the crossbar"},
	{"traversal", KEY_COUNT, AT(pipeline.traversal), NULL, NULL, "cycles through the crossbar"},
	{"link", KEY_COUNT, AT(pipeline.link), NULL, NULL, "cycles over a cable"},
	{"lane-order", KEY_WORD, AT(lane_order), "round-robin|first-come|age|priority", NULL,
	 "whose header gets a lane first"},
	{"link-order", KEY_WORD, AT(link_order), "round-robin|first-come|age|priority|islip|inputs",
	 NULL, "whose flit gets the link first"},
	{"priority", KEY_TEXT, AT(priority), NULL, NULL,
	 "priorities of packets: WHAT:PRIORITY/..., of data, overhead, unclassed, hostN, hostN-M"},
	{"classes", KEY_COUNT, AT(classes), NULL, "priority",
	 "classes of messages with lanes of their own, by priority"},
	{"crossbar", KEY_FLAG, AT(is.from_lane), "port|lane", NULL,
	 "what has an input of the crossbar: a port, or each lane"},
	{"input-speedup", KEY_COUNT, AT(input_speedup), NULL, "crossbar=port",
	 "inputs of the crossbar for a port, a power of 2 up to 32"},
	{"output-speedup", KEY_COUNT, AT(output_speedup), NULL, "queues=fifo",
	 "flits that an output takes from the crossbar in a cycle, and can hold, up to 32"},
	{"iterations", KEY_COUNT, AT(iterations), NULL, NULL,
	 "rounds of the links' choices in a cycle; 0: until nothing moves"},
	{"recover", KEY_FLAG, AT(is.eject), "no|eject", NULL,
	 "what a deadlock leads to: the end of the run, or the drop of one packet"},
	{"search", KEY_COUNT, AT(search), NULL, NULL,
	 "cycles from one search for a deadlock to the next"},
	{.type = KEY_END},
};

struct lanes_fabric_times {
	const struct lanes_params *params;
	int64_t cycle_ticks;
};

static enum tr_status lanes_fabric_prepare(void *state, const struct net_setup *setup,
					   struct tr_error *err)
{
	struct lanes_fabric_times *times = state;

	times->params = setup->params;
	return lanes_cycle_ticks(setup->params, setup->ticks_per_s, &times->cycle_ticks, err);
}

static void lanes_fabric_terms_ticks(const void *state, uint32_t switches, uint32_t size_bytes,
				     int64_t *terms)
{
	const struct lanes_fabric_times *times = state;
	const struct lanes_params *params = times->params;
	const uint32_t flits = lanes_flits(params, size_bytes);
	const uint32_t hops = params->is.inside && switches > 0 ? switches - 1 : switches;
	const bool ejects = params->is.inside && !params->is.quick;

	terms[0] = (int64_t)(ejects ? flits : flits - 1) * times->cycle_ticks;
	terms[1] = (int64_t)hops * lanes_hop_cycles(&params->pipeline) * times->cycle_ticks;
	terms[2] = params->is.inside ? 0 : (int64_t)params->pipeline.link * times->cycle_ticks;
	terms[3] = lanes_kinds[params->switching].whole
			   ? (int64_t)(params->is.inside && hops > 0 ? hops - 1 : hops) *
				     (flits - 1) * times->cycle_ticks
			   : 0;
}

static const char *const terms[] = {"flits", "switches", "source", "stored", NULL};
static const struct net_formula formula = {
	.terms = terms,
	.state_bytes = sizeof(struct lanes_fabric_times),
	.prepare = lanes_fabric_prepare,
	.terms_ticks = lanes_fabric_terms_ticks,
	.note = "sum: the packet's flits, the header through the switches, the source's cable, and "
		"the rest of the packet where it "
		"is stored",
};

static struct num_ratio lanes_fabric_host_rate(const void *params)
{
	return ((const struct lanes_params *)params)->rate_bps;
}

static const char *lanes_fabric_way_out(const void *params, unsigned causes)
{
	const struct lanes_params *lanes = params;

	(void)causes;
	if (lanes->is.shared)
		return "lanes that both directions share can deadlock by any routes: --fabric "
		       "lanes:share=no, or recover=eject";
	if (lanes->lanes > 1)
		return NET_ROUTES_WAY_OUT ", nor has --routes dateline in rings and tori or "
					  "minimal in others, such as dragonflies";
	return NET_ROUTES_WAY_OUT
		", nor has, with --fabric lanes:lanes=2, --routes dateline in rings and tori or "
		"minimal in dragonflies";
}

static const struct net_column columns[] = {[LANES_FLIT_HOPS] = {"flit_hops", false},
					    {NULL, false}};
static const struct net_engine *const engines[] = {&lanes_engine, NULL};

const struct net_fabric net_fabric_lanes = {
	.name = "lanes",
	.summary = "switches with virtual channels, flit by flit: wormhole, cut-through, "
		   "store-and-forward, circuit",
	.keys = keys,
	.params_bytes = sizeof(struct lanes_params),
	.usual = &lanes_params_usual,
	.engines = engines,
	.clock = lanes_clock,
	.formula = &formula,
	.columns = columns,
	.host_rate = lanes_fabric_host_rate,
	.way_out = lanes_fabric_way_out,
	.linked = true,
};
