// SPDX-License-Identifier: GPL-3.0-or-later
// Packets above the MTU, as a kernel hands them to an interface that cuts them (TSO), or joins
// those that arrived (GRO): captures of such hosts hold packets of up to 64 KiB. They are cut into
// segments of the MTU, each with the packet's headers, which leave one after the other at the rate
// of the host's link; what the host sends meanwhile leaves after them.
//
// A size on the wire is of a frame: the MTU is of the packet in it, so that a frame is above the
// MTU only if it is so by more than the header of a link has.
#include "packet_feed.h"

#include <stdlib.h>

#include "net/topology/adapters.h"
#include "stream/words.h"
#include "value/grow.h"
#include "value/heap.h"
#include "value/ticks.h"

#define LINK_HEADER_MOST_B 26u // Ethernet's with two tags and its check sequence

// What is left of a packet, in a heap by the time of its next segment.
struct packet_train {
	struct net_offer next; // of all that is left
	uint64_t order;
	uint32_t header_bytes;
	bool first;
	bool whole; // not to be cut
};

static bool leaves_before(const struct packet_train *one, const struct packet_train *other)
{
	const int64_t a = one->next.packet.time_ticks, b = other->next.packet.time_ticks;

	return a != b ? a < b : one->order < other->order;
}

HEAP(train, struct packet_train, leaves_before);

// The host of an offer, which may have its port already.
static uint32_t packet_cut_host(const struct packet_cut *cut, uint32_t source)
{
	return cut->ports && cut->ports->rule.choice != NET_PORT_PACKET
		       ? net_host_of(cut->ports->topology, source)
		       : source;
}

static enum tr_status packet_cut_push(struct packet_cut *cut, const struct packet_train *train,
				      struct tr_error *err)
{
	if (cut->count >= cut->most)
		return tr_fail(err,
			       "at host %u it is behind %zu packets, of %zu B each, that wait for "
			       "segments to leave: the trace offers more than the hosts' links "
			       "carry; --mtu none sends packets whole, and a larger --memory holds "
			       "more",
			       packet_cut_host(cut, train->next.source), cut->count,
			       sizeof(*train));
	if (!GROW(cut->trains, cut->room, cut->count))
		return tr_no_memory(err, "segments of packets above the MTU");
	train_put(cut->trains, cut->count++, *train);
	return TR_OK;
}

struct num_ratio packet_cut_line_rate(const struct fabric *fabric,
				      const struct net_topology *topology)
{
	const struct net_fabric *kind = fabric->kind;
	struct net_load_terms terms = {.rates_Bps = NULL};
	struct num_ratio rate_bps = {0, 1};
	struct tr_error err;

	if (kind->host_rate)
		return kind->host_rate(fabric->params);
	if (kind->link_rate)
		return kind->link_rate(fabric->params);
	if (kind->load_terms &&
	    (terms.rates_Bps = calloc(2 * topology->cable_count + 1, sizeof(double))) != NULL &&
	    kind->load_terms(fabric->params, topology, &terms, &err) == TR_OK)
		rate_bps.num = (int64_t)(8 * terms.usual_Bps);
	free(terms.rates_Bps);
	return rate_bps;
}

enum tr_status packet_cut_open(struct packet_cut *cut, const struct sim_options *options,
			       const struct fabric *fabric, const struct net_setup *setup,
			       const struct net_host_ports *ports, struct tr_error *err)
{
	const uint32_t hosts = setup->topology->hosts;

	*cut = (struct packet_cut){
		.mtu_bytes = (uint32_t)options->traffic.mtu_B.num,
		.framing_bytes = options->traffic.size == TR_SIZE_WIRE ? LINK_HEADER_MOST_B : 0,
		.frames_itself = fabric->kind->mtu_bytes,
		.rate_bps = packet_cut_line_rate(fabric, setup->topology),
		.ports = ports,
		.ticks_per_s = setup->ticks_per_s,
		.most = sim_memory_part(options, SIM_MEMORY_TRAFFIC) / sizeof(struct packet_train),
		.free_ticks = calloc((size_t)hosts + 1, sizeof(*cut->free_ticks))};
	if (!cut->free_ticks)
		return tr_no_memory(err, "%u hosts", hosts);
	for (uint32_t host = 0; host < hosts; host++)
		cut->free_ticks[host] = INT64_MIN;
	return TR_OK;
}

// The links on which the segments of a host's packet leave: those of all its ports, if these take
// turns packet by packet.
static uint32_t packet_cut_links(const struct packet_cut *cut, uint32_t source)
{
	return cut->ports && cut->ports->rule.choice == NET_PORT_PACKET
		       ? net_host_ports(cut->ports->topology, source)
		       : 1;
}

// The time of so many bytes on the host's links, rounded up.
static int64_t line_ticks(const struct packet_cut *cut, uint32_t source, uint64_t bytes)
{
	const struct num_ratio rate = cut->rate_bps;
	const __int128 part = (__int128)bytes * 8 * rate.den;
	const __int128 links_num = (__int128)rate.num * packet_cut_links(cut, source);

	return rate.num == 0
		       ? 0
		       : (int64_t)((part * (int64_t)cut->ticks_per_s + links_num - 1) / links_num);
}

static bool is_above(const struct packet_cut *cut, const struct net_offer *offer)
{
	return offer->size_bytes > cut->mtu_bytes + cut->framing_bytes;
}

void packet_cut_unframe(const struct packet_cut *cut, struct net_offer *offer)
{
	if (cut->frames_itself && offer->size_bytes > cut->mtu_bytes && !is_above(cut, offer))
		offer->size_bytes = cut->mtu_bytes;
}

enum tr_status packet_cut_put(struct packet_cut *cut, const struct net_offer *offer, bool *kept,
			      struct tr_error *err)
{
	const struct tr_packet *packet = &offer->packet;
	const uint32_t header_bytes = offer->size_bytes > packet->payload_bytes
					      ? offer->size_bytes - packet->payload_bytes
					      : 0;
	int64_t *free_ticks = &cut->free_ticks[offer->source];
	const bool above = is_above(cut, offer);
	struct packet_train train = {.next = *offer,
				     .order = cut->order++,
				     .header_bytes = header_bytes,
				     .first = true,
				     .whole = !above};
	uint64_t segments = 1;

	*kept = above || *free_ticks > packet->time_ticks;
	if (!*kept)
		return TR_OK;
	if (above) {
		if (header_bytes >= cut->mtu_bytes || packet->payload_bytes == 0)
			return tr_fail(
				err,
				"its headers of %u bytes leave no room for data in the MTU of %u",
				header_bytes, cut->mtu_bytes);
		segments = 1 + (packet->payload_bytes - 1) / (cut->mtu_bytes - header_bytes);
		cut->packets++;
		cut->segments += segments;
	}
	if (train.next.packet.time_ticks < *free_ticks)
		train.next.packet.time_ticks = *free_ticks;
	*free_ticks = train.next.packet.time_ticks +
		      line_ticks(cut, offer->source,
				 offer->size_bytes + (segments - 1) * header_bytes);
	return packet_cut_push(cut, &train, err);
}

bool packet_cut_take(struct packet_cut *cut, const int64_t *until_ticks, struct net_offer *offer)
{
	struct packet_train *train = cut->trains;
	uint32_t room;

	if (cut->count == 0 || (until_ticks && train->next.packet.time_ticks > *until_ticks))
		return false;
	*offer = train->next;
	room = cut->mtu_bytes - train->header_bytes;
	offer->continues = !train->first;
	if (!train->first)
		offer->packet.flags &= (uint16_t)~TR_FLAG_SETUP;
	if (train->whole || offer->size_bytes <= cut->mtu_bytes) {
		*train = cut->trains[--cut->count];
	} else {
		offer->packet.flags &= (uint16_t)~TR_FLAG_CLOSE;
		offer->packet.payload_bytes = room;
		offer->packet.wire_bytes -= train->next.packet.payload_bytes - room;
		offer->size_bytes = cut->mtu_bytes;
		train->next.packet.payload_bytes -= room;
		train->next.packet.wire_bytes -= room;
		train->next.size_bytes -= room;
		train->next.packet.time_ticks += line_ticks(cut, offer->source, cut->mtu_bytes);
		train->first = false;
	}
	train_sink(cut->trains, cut->count);
	return true;
}

void packet_cut_tell(const struct packet_cut *cut, struct tool *tool, const char *trace)
{
	if (cut->packets > 0)
		tool_warn(tool,
			  "%s: %llu packet%s above the MTU of %u B (TSO, GRO or jumbo frames) cut "
			  "into %llu segments; "
			  "--mtu SIZE takes another MTU, --mtu none sends them whole",
			  trace, (unsigned long long)cut->packets,
			  cut->packets == 1 ? " is" : "s are", cut->mtu_bytes,
			  (unsigned long long)cut->segments);
}

void packet_cut_close(struct packet_cut *cut)
{
	free(cut->trains);
	free(cut->free_ticks);
	*cut = (struct packet_cut){.count = 0};
}
