// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet_feed.h"

#include <stdio.h>

static enum tr_status fail_at(const struct packet_feed *feed, struct tr_error *err,
			      const char *what)
{
	return tr_fail(err, "%s: record %llu: %s", tr_reader_name(feed->in),
		       (unsigned long long)tr_reader_records(feed->in), what);
}

static enum tr_status set_size(const struct packet_feed *feed, struct net_offer *offer,
			       struct tr_error *err)
{
	const struct tr_packet *packet = &offer->packet;

	offer->size_bytes = feed->options->size == SIM_SIZE_WIRE ? packet->wire_bytes :
								   packet->payload_bytes;
	if (offer->size_bytes == 0)
		offer->size_bytes = (uint32_t)feed->options->empty_B.num;
	if (offer->size_bytes <= feed->options->mtu_B.num)
		return TR_OK;
	return tr_fail(
		err,
		"%s: record %llu: a packet of %u bytes is larger than the MTU of %lld; see --mtu",
		tr_reader_name(feed->in), (unsigned long long)tr_reader_records(feed->in),
		offer->size_bytes, (long long)feed->options->mtu_B.num);
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

// A packet whose ends are not two hosts of the network.
static void leave_out(struct packet_feed *feed, struct net_offer *offer)
{
	uint32_t node = offer->source == NODE_UNMAPPED ? offer->packet.src : offer->packet.dst;

	if (feed->unmapped++ == 0)
		snprintf(feed->unmapped_node, sizeof(feed->unmapped_node), "%s",
			 tr_names_node(tr_reader_names(feed->in), node));
	offer->refused = TR_DROP_UNMAPPED;
}

static enum tr_status finish(struct packet_feed *feed, struct tr_error *err)
{
	if (feed->unmapped == 0 || feed->options->ignore_unmapped)
		return TR_END;
	return tr_fail(
		err,
		"%s: %llu of %llu packets do not go from one host of the network to another, "
		"first one of %s; see --map and --ignore-unmapped",
		tr_reader_name(feed->in), (unsigned long long)feed->unmapped,
		(unsigned long long)tr_reader_records(feed->in), feed->unmapped_node);
}

enum tr_status packet_feed_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct packet_feed *feed = context;
	const union tr_record *record;
	enum tr_status status;

	while ((status = tr_next(feed->in, &record)) == TR_OK) {
		*offer = (struct net_offer){.packet = record->packet};
		if (__builtin_mul_overflow(record->packet.time_ticks, feed->factor,
					   &offer->packet.time_ticks) ||
		    offer->packet.time_ticks > INT64_MAX / 2 ||
		    offer->packet.time_ticks < INT64_MIN / 2)
			return fail_at(feed, err, "its time does not fit the simulation's clock");
		if (set_hosts(feed, offer, err) != TR_OK)
			return TR_ERROR;
		if (offer->source == NODE_UNMAPPED || offer->destination == NODE_UNMAPPED ||
		    offer->source == offer->destination)
			leave_out(feed, offer);
		else if (set_size(feed, offer, err) != TR_OK)
			return TR_ERROR;
		if (feed->unmapped == 0 || feed->options->ignore_unmapped)
			return TR_OK;
	}
	if (status == TR_ERROR && !feed->keep_going)
		return tr_fail(err, "%s", tr_reader_error(feed->in));
	return finish(feed, err);
}
