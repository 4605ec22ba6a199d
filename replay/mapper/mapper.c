// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper/mapper.h"

#include <stdlib.h>

#include "mapper/mapping.h"

static enum tr_status look_ahead(struct mapper *mapper)
{
	enum tr_status status = TR_OK;

	if (mapper->has_other || mapper->no_more)
		return TR_OK;
	status = mapper->traffic.next(mapper->traffic.context, &mapper->other, mapper->err);
	mapper->has_other = status == TR_OK;
	mapper->no_more = status == TR_END;
	if (mapper->has_other && (mapper->other.packet.id & ID_MAPPER) != 0)
		return tr_fail(mapper->err,
			       "a packet's number is one of those that the mapper needs");
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}

// When the mapper itself must be asked again, INT64_MAX for never.
static int64_t alarm(const struct mapper *mapper)
{
	if (mapper->explore)
		return mapper->question.deadline_ticks;
	if (!mapper_is_first(mapper) && mapper->no_more)
		return INT64_MAX;
	return mapper->taken_over ? mapper->now_ticks : mapper->next_ticks;
}

// The engine has taken the offer.
static void mapper_settle(struct mapper *mapper)
{
	const struct net_offer *offer = &mapper->offer;
	struct question *question = &mapper->question;

	if (mapper->offered == WHAT_NOTHING)
		return;
	if (offer->packet.time_ticks > mapper->now_ticks)
		mapper->now_ticks = offer->packet.time_ticks;
	mapper->totals.mapper_bytes += mapper->offered <= WHAT_ROUTES_END ? offer->size_bytes : 0;
	switch (mapper->offered) {
	case WHAT_SCOUT:
		question->asked = true;
		question->deadline_ticks = mapper->now_ticks + mapper->params.timeout_ticks;
		mapper->totals.scouts++;
		break;
	case WHAT_ANSWER:
		question->heard = false;
		mapper->totals.answers++;
		break;
	case WHAT_ROUTES:
		mapper->told_bytes += offer->size_bytes;
		mapper->totals.route_worms++;
		break;
	case WHAT_ROUTES_END:
		mapper->told_bytes = 0;
		mapper->next_told++;
		mapper->totals.route_worms++;
		break;
	case WHAT_OTHER:
		mapper->has_other = false;
		mapper->totals.unroutable += offer->refused == TR_DROP_ROUTE;
		mapper->totals.other_worms += offer->refused == TR_DROP_NONE;
		mapper->totals.other_bytes += offer->refused == TR_DROP_NONE ? offer->size_bytes
									     : 0;
		break;
	case WHAT_WAKE:
	case WHAT_NOTHING: break;
	}
	mapper->offered = WHAT_NOTHING;
}

// Chooses the next offer; TR_END for none.
static enum tr_status mapper_choose(struct mapper *mapper)
{
	const struct question *question = &mapper->question;
	int64_t at = alarm(mapper);

	if (mapper->explore && question->open && question->heard) {
		packet_answer(mapper);
	} else if (mapper->explore && question->open && !question->asked) {
		packet_scout(mapper);
	} else if (packet_has_routes(mapper)) {
		packet_routes(mapper);
	} else if (mapper->has_other && mapper->other.packet.time_ticks <= at) {
		packet_other(mapper);
	} else if (at != INT64_MAX) {
		mapper->offered = WHAT_WAKE;
		mapper->offer = (struct net_offer){.packet.time_ticks = at, .wake = true};
	} else {
		return TR_END;
	}
	return TR_OK;
}

static enum tr_status mapper_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct mapper *mapper = context;
	enum tr_status status;

	mapper->err = err;
	mapper_settle(mapper);
	if (look_ahead(mapper) != TR_OK)
		return TR_ERROR;
	if (!mapper->started) {
		mapper->started = true;
		mapper->now_ticks = mapper->has_other ? mapper->other.packet.time_ticks : 0;
		mapper->start_ticks = mapper->next_ticks = mapper->now_ticks;
	}
	if (question_advance(mapper) != TR_OK)
		return TR_ERROR;
	status = mapper_choose(mapper);
	*offer = mapper->offer;
	return status;
}

static void mapper_give_back(void *context, const struct net_offer *offer)
{
	struct mapper *mapper = context;

	(void)offer;
	mapper->offered = WHAT_NOTHING;
}

static enum tr_status mapper_done(void *context, const struct net_worm *worm,
				  const struct tr_delivery *delivery, struct tr_error *err)
{
	struct mapper *mapper = context;

	mapper->err = err;
	if (mapper->offered != WHAT_NOTHING && mapper->offered != WHAT_WAKE &&
	    mapper->offer.packet.id == delivery->packet.id)
		mapper_settle(mapper);
	if (delivery->packet.time_ticks > mapper->now_ticks)
		mapper->now_ticks = delivery->packet.time_ticks;
	if ((delivery->packet.id & ID_MAPPER) != 0)
		return question_take_in(mapper, worm, delivery);
	return mapper->results.done(mapper->results.context, worm, delivery, err);
}

static enum tr_status mapper_sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	const struct mapper *mapper = context;

	return mapper->results.sample(mapper->results.context, link, err);
}

static uint32_t most_ports(const struct net_topology *topology)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < topology->switches; i++)
		if (topology->ports[i] > most)
			most = topology->ports[i];
	return most;
}

enum tr_status mapper_open(struct mapper **out, const struct mapper_params *params,
			   struct net_setup *setup, struct tr_error *err)
{
	struct mapper *mapper = *out = calloc(1, sizeof(*mapper));

	if (!mapper)
		return tr_no_memory(err, "the mapper");
	mapper->params = *params;
	mapper->totals.first_ticks = -1;
	mapper->totals.changed_ticks = -1;
	mapper->traffic = setup->traffic;
	mapper->results = setup->results;
	mapper->offered = WHAT_NOTHING;
	mapper->self = setup->topology->hosts - 1;
	mapper->most_ports = most_ports(setup->topology);
	mapper->atlas.hosts = setup->topology->hosts;
	mapper->map_of = calloc(setup->topology->hosts, sizeof(*mapper->map_of));
	if (!mapper->map_of)
		return tr_no_memory(err, "the mapper");
	for (uint32_t i = 0; i < setup->topology->hosts; i++)
		mapper->map_of[i] = ATLAS_NO_MAP;
	if (net_graph_open(&mapper->graph, setup->topology, err) != TR_OK)
		return TR_ERROR;
	setup->longest_route = EXPLORE_ROUTE_MAX;
	setup->traffic = (struct net_traffic){
		.next = mapper_next, .context = mapper, .give_back = mapper_give_back};
	setup->results = (struct net_results){.done = mapper_done,
					      .sample = mapper->results.sample ? mapper_sample
									       : NULL,
					      .context = mapper};
	return TR_OK;
}

const struct mapper_totals *mapper_totals(const struct mapper *mapper)
{
	return &mapper->totals;
}

void mapper_close(struct mapper *mapper)
{
	if (!mapper)
		return;
	explore_close(mapper->explore);
	atlas_close(&mapper->atlas);
	net_graph_close(&mapper->graph);
	free(mapper->map_of);
	free(mapper);
}
