// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet_feed.h"

#include "value/ticks.h"

#include <stdio.h>

#include "stream/words.h"

static enum tr_status packet_feed_fail_at(const struct packet_feed *feed, struct tr_error *err,
					  const char *what)
{
	return tr_fail(err, "%s: record %llu, before offset %llu: %s", tr_reader_name(feed->in),
		       (unsigned long long)tr_reader_records(feed->in),
		       (unsigned long long)tr_reader_offset(feed->in), what);
}

static void packet_feed_set_size(const struct packet_feed *feed, struct net_offer *offer)
{
	const struct tr_packet *packet = &offer->packet;

	offer->size_bytes = feed->options->size == TR_SIZE_WIRE ? packet->wire_bytes
								: packet->payload_bytes;
	if (offer->size_bytes == 0)
		offer->size_bytes = (uint32_t)feed->options->empty_B.num;
	packet_cut_unframe(&feed->cut, offer);
}

static enum tr_status set_hosts(struct packet_feed *feed, struct net_offer *offer,
				struct tr_error *err)
{
	const struct tr_names *names = tr_reader_names(feed->in);

	if (node_map_find(&feed->map, offer->packet.src, names, feed->hosts, &offer->source, err) !=
	    TR_OK)
		return TR_ERROR;
	return node_map_find(&feed->map, offer->packet.dst, names, feed->hosts, &offer->destination,
			     err);
}

// Whether a packet uses the network: between two hosts, or, unless such packets are to be dropped,
// from a host to itself via its switch.
static bool has_way(const struct packet_feed *feed, const struct net_offer *offer)
{
	if (offer->source >= feed->hosts || offer->destination >= feed->hosts)
		return false;
	return offer->source != offer->destination || !feed->options->ignore_unmapped;
}

// Leaves out a packet that does not.
static void packet_feed_leave_out(struct packet_feed *feed, struct net_offer *offer)
{
	uint32_t node = offer->source == NODE_UNMAPPED ? offer->packet.src : offer->packet.dst;

	offer->refused = TR_DROP_UNMAPPED;
	if (offer->source == NODE_LEFT_OUT || offer->destination == NODE_LEFT_OUT)
		return;
	if (feed->unmapped++ == 0)
		snprintf(feed->unmapped_node, sizeof(feed->unmapped_node), "%s",
			 tr_names_node(tr_reader_names(feed->in), node));
}

// More nodes than hosts, by their ids: the error suggests what has room.
static enum tr_status fail_crowded(const struct packet_feed *feed, uint32_t nodes,
				   struct tr_error *err)
{
	const struct tr_names *names = tr_reader_names(feed->in);
	uint32_t with_role = 0;
	char roles[100] = "";

	if (feed->room < feed->hosts)
		return tr_fail(err,
			       "%s: the trace has %u nodes, and %u hosts of %u are left for it",
			       tr_reader_name(feed->in), nodes, feed->room, feed->hosts);
	for (uint32_t node = 0; node < names->node_count; node++)
		with_role += tr_names_role(names, node) != TR_ROLE_UNKNOWN;
	if (!feed->map.only_roles && with_role > 0 && with_role <= feed->hosts)
		snprintf(roles, sizeof(roles), ", and --map roles leaves out the %u without a role",
			 nodes - with_role);
	return tr_fail(err,
		       "%s: the trace has %u nodes%s, the network %u host%s; -N %s:%u has room%s",
		       tr_reader_name(feed->in), nodes, feed->map.only_roles ? " with a role" : "",
		       feed->hosts, feed->hosts == 1 ? "" : "s",
		       nodes <= NET_PORTS_MAX ? "switch" : "fattree", nodes, roles);
}

static enum tr_status packet_feed_finish(struct packet_feed *feed, struct tr_error *err)
{
	const struct tr_names *names = tr_reader_names(feed->in);
	uint32_t nodes = names->node_count;
	uint32_t number;

	if (feed->map.only_roles && feed->map.hosts == 0 && tr_reader_records(feed->in) > 0)
		return tr_fail(err,
			       "%s: no node has a role; see flitstat(1) and --nodes of flitcap(1)",
			       tr_reader_name(feed->in));
	if (feed->unmapped == 0 || feed->options->ignore_unmapped)
		return TR_END;
	for (uint32_t node = 0; feed->map.only_roles && node < names->node_count; node++)
		nodes -= tr_names_role(names, node) == TR_ROLE_UNKNOWN;
	if (!feed->map.by_address && nodes > feed->room)
		return fail_crowded(feed, nodes, err);
	if (!feed->map.by_address &&
	    node_map_number(&feed->map.names, feed->unmapped_node, &number) && number >= feed->room)
		return tr_fail(err,
			       "%s: %s is host %u by its name, the hosts of the network%s are 0 to "
			       "%u; give a larger network, or "
			       "--map FILE with a line \"NODE HOST\" for each node",
			       tr_reader_name(feed->in), feed->unmapped_node, number,
			       feed->room < feed->hosts ? " that are left for it" : "",
			       feed->room - 1);
	return tr_fail(
		err,
		"%s: %llu of %llu packets do not go from one host of the network to another, "
		"the first from or to %s; see --map and --ignore-unmapped",
		tr_reader_name(feed->in), (unsigned long long)feed->unmapped,
		(unsigned long long)tr_reader_records(feed->in), feed->unmapped_node);
}

// The next packet of the trace, as it is there.
static enum tr_status packet_feed_read_packet(struct packet_feed *feed, struct net_offer *offer,
					      struct tr_error *err)
{
	const union tr_record *record;
	enum tr_status status;

	while ((status = tr_next(feed->in, &record)) == TR_OK) {
		*offer = (struct net_offer){.packet = record->packet};
		if (__builtin_mul_overflow(record->packet.time_ticks, feed->factor,
					   &offer->packet.time_ticks) ||
		    offer->packet.time_ticks > INT64_MAX / 2 ||
		    offer->packet.time_ticks < INT64_MIN / 2)
			return packet_feed_fail_at(feed, err,
						   "its time does not fit the simulation's clock");
		if (set_hosts(feed, offer, err) != TR_OK)
			return TR_ERROR;
		if (!has_way(feed, offer))
			packet_feed_leave_out(feed, offer);
		else {
			packet_feed_set_size(feed, offer);
			offered_add(&feed->offered, offer);
			if (feed->ports && feed->ports->rule.choice != NET_PORT_PACKET)
				net_host_ports_choose(feed->ports, offer);
		}
		if (feed->unmapped == 0 || feed->options->ignore_unmapped)
			return TR_OK;
	}
	if (status == TR_ERROR && !feed->keep_going)
		return tr_fail(err, "%s", tr_reader_error(feed->in));
	return packet_feed_finish(feed, err);
}

// The next packet or segment.
static enum tr_status packet_feed_take(struct packet_feed *feed, struct net_offer *offer,
				       struct tr_error *err)
{
	bool kept = false;
	struct tr_error why;

	for (;;) {
		if (!feed->holds && !feed->ended) {
			const enum tr_status status = packet_feed_read_packet(feed, &feed->held,
									      err);

			if (status == TR_ERROR)
				return TR_ERROR;
			feed->holds = status == TR_OK;
			feed->ended = status == TR_END;
			feed->waits = tr_reader_is_live(feed->in) && !tr_reader_has_next(feed->in);
		}
		if (packet_cut_take(&feed->cut, feed->holds ? &feed->held.packet.time_ticks : NULL,
				    offer))
			return TR_OK;
		if (!feed->holds)
			return TR_END;
		feed->holds = false;
		if (feed->held.refused == TR_DROP_NONE &&
		    packet_cut_put(&feed->cut, &feed->held, &kept, &why) != TR_OK)
			return why.breakdown
				       ? tr_no_memory(err, "segments of packets above the MTU")
				       : packet_feed_fail_at(feed, err, why.text);
		if (feed->held.refused != TR_DROP_NONE || !kept)
			break;
	}
	*offer = feed->held;
	return TR_OK;
}

enum tr_status packet_feed_open(struct packet_feed *feed, const struct sim_options *options,
				const struct fabric *fabric, const struct net_setup *setup,
				const struct net_host_ports *cut_ports, struct tr_error *err)
{
	feed->options = &options->traffic;
	if (packet_cut_open(&feed->cut, options, fabric, setup, cut_ports, err) != TR_OK)
		return TR_ERROR;
	return offered_open(&feed->offered, feed->hosts, err);
}

void packet_feed_tell(const struct packet_feed *feed, struct tool *tool, const char *trace,
		      const struct net_topology *hosts, uint64_t ticks_per_s)
{
	packet_cut_tell(&feed->cut, tool, trace);
	offered_tell(&feed->offered, tool, trace, hosts, ticks_per_s, feed->cut.rate_bps);
}

void packet_feed_close(struct packet_feed *feed)
{
	packet_cut_close(&feed->cut);
	offered_close(&feed->offered);
	node_map_close(&feed->map);
}

enum tr_status packet_feed_check(const struct packet_feed *feed, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(feed->in);

	if (header->kind != TR_PACKET)
		return tr_fail(err, "%s: contains %s records, expected packets",
			       tr_reader_name(feed->in), tr_kind_find(header->kind)->name);
	if (header->unsorted)
		return tr_fail(err, "%s: is not sorted by time; see flitcat",
			       tr_reader_name(feed->in));
	return TR_OK;
}

enum tr_status packet_feed_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct packet_feed *feed = context;
	enum tr_status status;

	if (!feed->ports || feed->ports->rule.choice != NET_PORT_PACKET)
		return packet_feed_take(feed, offer, err);
	status = packet_feed_take(feed, offer, err);
	if (status == TR_OK && offer->refused == TR_DROP_NONE)
		net_host_ports_choose(feed->ports, offer);
	return status;
}

enum tr_status packet_feed_join_clocks(struct packet_feed *feed, uint64_t *ticks_per_s,
				       struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(feed->in);

	if (!tr_ticks_lcm(*ticks_per_s, header->ticks_per_s, ticks_per_s))
		return tr_fail(
			err, "%s: no clock counts its %llu ticks/s together with the model's times",
			tr_reader_name(feed->in), (unsigned long long)header->ticks_per_s);
	feed->factor = (int64_t)(*ticks_per_s / header->ticks_per_s);
	return TR_OK;
}
