// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "switched": input-buffered crossbars (Qiao, Network Routing and Planning in Switch-Based
// Networks, Michigan State University, 1997).
// Moves: a byte, at multiples of a cycle; the engine local moves runs of bytes.
// Rule: the packet at the head of an input gets one output and has it until its last byte has left;
// a byte starts only if the buffer at the far end has room for it.
// Shared: an output, by packets, one after the other; an input's buffer, by packets in their order;
// a pool, by a switch's inputs.
#include <stddef.h>

#include "net/fabric.h"
#include "net/switched/switched_loads.h"
#include "net/switched/switched_params.h"
#include "net/switched/switched_run.h"

#define AT(member) offsetof(struct switched_params, member)

static const struct key keys[] = {
	{"switching", KEY_WORD, AT(switching), "store|cut-through|wormhole", NULL,
	 "what an input holds of a packet before it asks for an output: all, or the header"},
	{"rate", KEY_RATE, AT(rate_bps), NULL, NULL,
	 "rate of a cable without its own, in each direction"},
	{"header", KEY_BYTES, AT(header_B), NULL, NULL,
	 "bytes of a packet that must be in before its route is looked up"},
	{"buffer", KEY_BYTES, AT(buffer_B), NULL, NULL, "buffer of each input"},
	{"pool", KEY_BYTES, AT(pool_B), NULL, "switching=store",
	 "buffer that a switch's inputs share; 0: none"},
	{"arbitration", KEY_FLAG, AT(first_come), "round-robin|first-come", NULL,
	 "how an output chooses the next packet"},
	NET_KEY_SOURCE(AT(finite), NULL),
	NET_KEY_TIMEOUT(AT(timeout_s), NULL),
	NET_KEYS_PORTS(AT(ports)),
	NET_KEYS_HELD(AT(hold)),
	{"grant", KEY_WORD, AT(grant), "routes|empty|packet|room", NULL,
	 "when an input's buffer is given to the next packet"},
	{.type = KEY_END},
};

struct switched_times {
	int64_t byte_ticks; // on the first cable
	uint64_t header_B;
	bool stores;
};

static enum tr_status switched_prepare(void *state, const struct net_setup *setup,
				       struct tr_error *err)
{
	const struct switched_params *params = setup->params;
	struct switched_times *times = state;

	times->header_B = params->header_B;
	times->stores = params->switching == SWITCHED_STORE;
	if (setup->topology->cable_count == 0)
		return tr_fail(err, "the network has no cable");
	return switched_byte_ticks(params, &setup->topology->cables[0], setup->ticks_per_s,
				   &times->byte_ticks, err);
}

static void switched_terms_ticks(const void *state, uint32_t switches, uint32_t size_bytes,
				 int64_t *terms)
{
	const struct switched_times *times = state;
	const bool all = times->stores || size_bytes < times->header_B;

	terms[0] = size_bytes * times->byte_ticks;
	terms[1] = (int64_t)switches * (all ? size_bytes : (int64_t)times->header_B) *
		   times->byte_ticks;
}

static const char *const terms[] = {"transmission", "switches", NULL};
static const struct net_formula formula = {
	.terms = terms,
	.state_bytes = sizeof(struct switched_times),
	.prepare = switched_prepare,
	.terms_ticks = switched_terms_ticks,
	.note = "sum: the packet's bytes once, and at each switch those that must be in before it "
		"is sent on",
};

static struct num_ratio switched_host_rate(const void *params)
{
	return ((const struct switched_params *)params)->rate_bps;
}

static const char *risk(const void *params, const struct net_routes *routes)
{
	struct switched_params by_routes = *(const struct switched_params *)params;
	const enum switched_grant granted = switched_granted(params, routes);
	enum switched_grant needed;

	by_routes.grant = SWITCHED_GRANT_ROUTES;
	needed = switched_granted(&by_routes, routes);
	if (granted == needed || granted == SWITCHED_GRANT_EMPTY || needed == SWITCHED_GRANT_ROOM)
		return NULL;
	return needed == SWITCHED_GRANT_EMPTY
		       ? "these routes are free of deadlock only if a buffer is given when it is "
			 "empty: grant=routes or grant=empty"
		       : "these routes are free of deadlock only if a buffer is given to whole "
			 "packets: grant=routes, "
			 "grant=packet or grant=empty";
}

static const struct net_column columns[] = {[SWITCHED_BYTE_HOPS] = {"byte_hops", false},
					    {NULL, false}};
static const struct net_engine *const engines[] = {&switched_local, &switched_reference, NULL};

const struct net_fabric net_fabric_switched = {
	.name = "switched",
	.summary = "input-buffered switches: store-and-forward, cut-through or wormhole, adaptive "
		   "routes",
	.keys = keys,
	.params_bytes = sizeof(struct switched_params),
	.usual = &switched_params_usual,
	.engines = engines,
	.clock = switched_clock,
	.formula = &formula,
	.columns = columns,
	.load_terms = switched_load_terms,
	.host_rate = switched_host_rate,
	.risk = risk,
	.linked = true,
};
