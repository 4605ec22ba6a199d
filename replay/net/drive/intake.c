// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/intake.h"

void net_intake_start(struct net_intake *intake, const struct net_traffic *traffic)
{
	*intake = (struct net_intake){.traffic = traffic, .taken_ticks = INT64_MIN};
}

enum tr_status net_intake_ask(struct net_intake *intake, struct tr_error *err)
{
	const struct net_traffic *traffic = intake->traffic;
	enum tr_status status;

	if (intake->offered && traffic->give_back)
		traffic->give_back(traffic->context, &intake->offer);
	intake->told = false;
	status = traffic->next(traffic->context, &intake->offer, err);
	intake->offered = status == TR_OK;
	return status;
}

enum tr_status net_intake_check(const struct net_intake *intake, uint32_t hosts,
				struct tr_error *err)
{
	const struct net_offer *offer = &intake->offer;

	if (offer->packet.time_ticks < intake->taken_ticks && !intake->traffic->give_back)
		return tr_fail(err, "the traffic steps back in time");
	if (offer->refused != TR_DROP_NONE || offer->wake)
		return TR_OK;
	if (offer->source >= hosts || offer->destination >= hosts)
		return tr_fail(err, "a packet from host %u to host %u in a network of %u",
			       offer->source, offer->destination, hosts);
	if (offer->size_bytes == 0)
		return tr_fail(err, "a worm of no characters");
	return TR_OK;
}

uint32_t net_intake_worm(const struct net_intake *intake, struct net_worm_pool *pool)
{
	const struct net_offer *offer = &intake->offer;
	const uint32_t number = net_worm_take(pool);
	struct net_worm *worm;

	if (number == NET_NO_WORM)
		return number;
	worm = &pool->worms[number];
	worm->packet = offer->packet;
	worm->source = offer->source;
	worm->destination = offer->destination;
	worm->size_bytes = offer->size_bytes;
	return number;
}

void net_intake_take(struct net_intake *intake)
{
	intake->offered = false;
	intake->taken_ticks = intake->offer.packet.time_ticks;
}

enum tr_status net_intake_tell_taken(const struct net_intake *intake, struct tr_error *err)
{
	const struct net_traffic *traffic = intake->traffic;

	return traffic->taken ? traffic->taken(traffic->context, err) : TR_OK;
}

enum tr_status net_intake_report(struct net_intake *intake, const struct net_results *results,
				 const struct net_worm *worm, const struct tr_delivery *delivery,
				 bool *enough, struct tr_error *err)
{
	const enum tr_status told = results->done(results->context, worm, delivery, err);

	intake->told = intake->traffic->give_back;
	*enough = *enough || told == TR_END;
	return told == TR_ERROR ? TR_ERROR : TR_OK;
}
