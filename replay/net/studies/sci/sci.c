// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "sci": rings, tori and ringlets of the Scalable Coherent Interface (Gonzalez,
// Performance Modeling and Evaluation of Topologies for Low-Latency SCI Systems, University of
// Florida, 2000).
// Moves: a symbol of two bytes; the engine packets moves whole packets.
// Rule: what passes a node goes first, from its bypass buffer; only when that is empty does the
// node begin a packet of its own, and sends it whole. Its target takes it off the ring and returns
// an echo in its place.
// Shared: a link of a ring, by the packets that pass and those of the node; with go bits by turns.
#include <stddef.h>

#include "net/fabric.h"
#include "net/studies/sci/sci_params.h"
#include "net/studies/sci/sci_run.h"
#include "net/studies/sci/sci_tables.h"
#include "net/studies/sci/sci_ways.h"

#define AT(member) offsetof(struct sci_params, member)

static const struct key keys[] = {
	{"propagation", KEY_TIME, AT(propagation_s), NULL, NULL, "time of a symbol on a link"},
	{"forwarding", KEY_TIME, AT(forwarding_s), NULL, NULL,
	 "through a node to the next link of the same ring"},
	{"switching", KEY_TIME, AT(switching_s), NULL, NULL, "through a node to another ring"},
	{"overhead", KEY_TIME, AT(overhead_s), NULL, NULL,
	 "of a host at either end of a message of up to 64 B"},
	{"overhead-byte", KEY_TIME, AT(overhead_B_s), NULL, NULL, "more for each byte beyond 64 B"},
	{"symbol", KEY_TIME, AT(symbol_s), NULL, NULL, "of two bytes on a link"},
	{"pci", KEY_RATE, AT(pci_bps), NULL, NULL,
	 "of a host's bus, which data cross; 0: they need no time"},
	{"blink", KEY_RATE, AT(blink_bps), NULL, NULL,
	 "of a node's bus between its rings and its host; 0: packets need no time"},
	{"directions", KEY_FLAG, AT(both), "one|both", NULL,
	 "whether each cable carries one ring, or one each way"},
	{"agents", KEY_FLAG, AT(cut_through), "store|cut-through", NULL,
	 "what changes a packet's ring: it whole, or its head"},
	{"delivered", KEY_FLAG, AT(transactions), "request|transaction", NULL,
	 "when a message counts as delivered"},
	{"fairness", KEY_FLAG, AT(go_bits), "none|go", NULL,
	 "whether nodes share a ring by go bits of idle symbols"},
	{"reads", KEY_COUNT, AT(reads), NULL, NULL,
	 "percent of messages that their destinations read"},
	NET_KEY_SOURCE(AT(finite), NULL),
	NET_KEY_TIMEOUT(AT(timeout_s), NULL),
	{"packets", KEY_COUNT, AT(packets_max), NULL, NULL,
	 "maximum number of packets under way, with echoes"},
	{.type = KEY_END},
};

static enum tr_status sci_find_clock(const void *params, const struct net_topology *topology,
				     uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
				     struct tr_error *err)
{
	(void)topology;
	return sci_clock(params, base_ticks_per_s, ticks_per_s, err);
}

// Of two bytes a symbol.
static struct num_ratio sci_host_rate(const void *params)
{
	const struct num_ratio symbol_s = ((const struct sci_params *)params)->symbol_s;
	struct num_ratio rate = {0, 1};

	num_ratio_make((__int128)16 * symbol_s.den, symbol_s.num, &rate);
	return rate;
}

static const struct net_column columns[] = {[SCI_SEND_HOPS] = {"send_hops", false},
					    [SCI_ECHO_HOPS] = {"echo_hops", false},
					    {NULL, false}};
static const struct net_engine *const engines[] = {&sci_fast, &sci_reference, NULL};

const struct net_fabric net_fabric_sci = {
	.name = "sci",
	.summary = "rings, tori and ringlets with insertion buffers (SCI)",
	.keys = keys,
	.params_bytes = sizeof(struct sci_params),
	.usual = &sci_params_usual,
	.engines = engines,
	.clock = sci_find_clock,
	.tables = sci_tables,
	.columns = columns,
	.host_rate = sci_host_rate,
	.no.cycles = "unbounded",
	.wired = true,
	.ways = sci_ways,
};
