// SPDX-License-Identifier: GPL-3.0-or-later
// The kind "cppe" (J. Qu, The Communication Network Simulator for Concordia Parallel Programming
// Environment, Concordia University, 2001): its keys, engine and formula.
// Moves: a message, whole; with technique=store a packet of one size.
// Rule: a message takes a delay for each hop between processors, which are switches with their
// hosts; a packet is stored at each processor and leaves when its link is free.
// Shared: with path nothing; with packet the processors, each by one message at a time; with store
// the links, by one packet.
#include <stddef.h>

#include "net/studies/cppe/cppe_params.h"
#include "net/studies/cppe/technique.h"
#include "net/fabric.h"

#define AT(member) offsetof(struct cppe_params, member)
#define STORE "technique=store"

static const struct key keys[] = {
	{"technique", KEY_WORD, AT(technique), "path|packet|store", NULL,
	 "shortest path, busy processors, or a packet switch that stores and forwards"},
	{"delay", KEY_TIME, AT(delay_s), NULL, "technique=path|packet",
	 "time of a message from processor to processor"},
	{"local", KEY_TIME, AT(local_s), NULL, NULL, "time of a message to its own host"},
	{"rate", KEY_RATE, AT(rate_bps), NULL, STORE, "rate of a cable without its own"},
	{"packet", KEY_BYTES, AT(packet_B), NULL, STORE, "size of every packet, with its header"},
	{"header", KEY_BYTES, AT(header_B), NULL, STORE, "header of a packet"},
	{"startup-message", KEY_TIME, AT(startup_message_s), NULL, STORE,
	 "start-up time of a message"},
	{"startup-packet", KEY_TIME, AT(startup_packet_s), NULL, STORE,
	 "the same for each of its packets"},
	{"links", KEY_FLAG, AT(each), "shared|each", STORE,
	 "both ways of a cable share a link, or each has its own"},
	{"rounds", KEY_FLAG, AT(rounds), "no|yes", STORE,
	 "a processor sends at most one packet at each quantum"},
	{"quantum", KEY_TIME, AT(quantum_s), NULL, "rounds=yes", "time from round to round"},
	NET_KEY_SOURCE(AT(finite), "technique=packet|store"),
	NET_KEY_TIMEOUT(AT(timeout_s), "technique=packet|store"),
	{"held", KEY_COUNT, AT(held_max), NULL, "technique=packet|store",
	 "maximum number of packets between processors, or of busy intervals"},
	{.type = KEY_END},
};

// The state of the formula.
struct cppe_lone {
	struct cppe_times times;
	int64_t packet_ticks; // on the first cable
	bool stores;
};

static enum tr_status cppe_prepare(void *state, const struct net_setup *setup, struct tr_error *err)
{
	const struct cppe_params *params = setup->params;
	struct cppe_lone *lone = state;

	*lone = (struct cppe_lone){.stores = params->technique == CPPE_STORE};
	if (cppe_times_find(&lone->times, params, setup->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (!lone->stores)
		return TR_OK;
	if (setup->topology->cable_count == 0)
		return tr_fail(err, "the network has no cable");
	return cppe_packet_ticks(params, &setup->topology->cables[0], setup->ticks_per_s,
				 &lone->packet_ticks, err);
}

static void cppe_terms_ticks(const void *state, uint32_t switches, uint32_t size_bytes,
			     int64_t *terms)
{
	const struct cppe_lone *lone = state;
	const uint32_t hops = switches > 0 ? switches - 1 : 0;
	const uint32_t packets = lone->stores ? cppe_packets(&lone->times, size_bytes) : 1;

	terms[0] = cppe_startup_ticks(&lone->times, packets);
	terms[1] = hops * (lone->stores ? lone->packet_ticks : lone->times.hop_ticks);
	terms[2] = hops > 0 ? (packets - 1) * lone->packet_ticks : 0;
}

static const char *const terms[] = {"start-up", "hops", "further packets", NULL};
static const struct net_formula formula = {
	.terms = terms,
	.state_bytes = sizeof(struct cppe_lone),
	.prepare = cppe_prepare,
	.terms_ticks = cppe_terms_ticks,
	.note = "sum: the start-up of a message, one packet over all cables between switches, and "
		"those behind it",
};

static enum tr_status cppe_supports(const struct net_setup *setup, struct tr_error *err)
{
	return net_setup_needs_no_samples(setup, err) == TR_OK
		       ? net_setup_needs_lists(setup, "cppe", err)
		       : TR_ERROR;
}

static const struct net_engine engine = {
	.name = "cppe",
	.summary = "events of packets at processors and the packet switch",
	.supports = cppe_supports,
	.run = cppe_run};
static const struct net_engine *const engines[] = {&engine, NULL};

const struct net_fabric net_fabric_cppe = {
	.name = "cppe",
	.summary = "hops times a delay, without or with busy processors, or a packet switch (Qu's "
		   "CPPE)",
	.keys = keys,
	.params_bytes = sizeof(struct cppe_params),
	.usual = &cppe_params_usual,
	.engines = engines,
	.clock = cppe_clock,
	.formula = &formula,
	.no.links = "computed",
	.no.cycles = "unbounded",
	.linked = true,
};
