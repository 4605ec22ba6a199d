// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/intake.h"

void net_intake_start(struct net_intake *intake, const struct net_traffic *traffic)
{
	*intake = (struct net_intake){.traffic = traffic, .taken_ticks = INT64_MIN};
}

void net_intake_layout(struct net_intake *intake, struct sim_arena *arena)
{
	intake->looks_max = intake->traffic->open_offers + 2;
	intake->looks_ticks = sim_arena_take(arena, intake->looks_max, sizeof(*intake->looks_ticks));
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

enum tr_status net_intake_check(const struct net_intake *intake, uint32_t hosts, struct tr_error *err)
{
	const struct net_offer *offer = &intake->offer;

	if (offer->packet.time_ticks < intake->taken_ticks && !intake->traffic->give_back)
		return tr_fail(err, "the traffic steps back in time");
	if (offer->refused != TR_DROP_NONE || offer->wake)
		return TR_OK;
	if (offer->source >= hosts || offer->destination >= hosts)
		return tr_fail(err, "a packet from host %u to host %u in a network of %u", offer->source, offer->destination,
			       hosts);
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

static bool add_look(struct net_intake *intake, int64_t at_ticks)
{
	if (intake->looks > 0 && intake->looks_ticks[intake->looks - 1] <= at_ticks)
		return false;
	if (intake->looks == intake->looks_max) {
		intake->crowded = true;
		return false;
	}
	intake->looks_ticks[intake->looks++] = at_ticks;
	return true;
}

bool net_intake_expect(struct net_intake *intake, int64_t now_ticks, int64_t *at_ticks)
{
	*at_ticks = intake->offer.packet.time_ticks;
	if (*at_ticks < now_ticks)
		*at_ticks = now_ticks;
	return intake->offered && add_look(intake, *at_ticks);
}

bool net_intake_tell(struct net_intake *intake, int64_t now_ticks)
{
	if (!intake->traffic->give_back)
		return false;
	intake->told = true;
	return add_look(intake, now_ticks);
}

enum tr_status net_intake_report(struct net_intake *intake, const struct net_results *results, const struct net_worm *worm,
				 const struct tr_delivery *delivery, bool *enough, struct tr_error *err)
{
	const enum tr_status told = results->done(results->context, worm, delivery, err);

	intake->told = true;
	*enough = *enough || told == TR_END;
	return told == TR_ERROR ? TR_ERROR : TR_OK;
}

bool net_intake_look(struct net_intake *intake, int64_t now_ticks)
{
	while (intake->looks > 0 && intake->looks_ticks[intake->looks - 1] <= now_ticks)
		intake->looks--;
	return intake->told;
}
