// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ideal.h"

#include "net/intake.h"

struct ideal {
	const struct net_setup *setup;
	const struct net_ideal *params;
	struct net_worm_pool pool;
	struct net_worm_list flying; // in the order of their coming, which is that of their going
	struct net_intake intake;
	struct net_totals *totals;
	int64_t stop_ticks;
	int64_t now_ticks;
	bool enough; // the listener has said so
	struct tr_error *err;
};

static enum tr_status tell(struct ideal *net, const struct net_worm *worm,
			   enum tr_delivery_status status, enum tr_drop_reason reason)
{
	const struct net_results *results = &net->setup->results;
	struct tr_delivery delivery;
	enum tr_status told;

	net_worm_delivery(worm, status, reason, net->now_ticks, &delivery);
	told = results->done(results->context, worm, &delivery, net->err);
	net->enough = net->enough || told == TR_END;
	return told == TR_ERROR ? TR_ERROR : TR_OK;
}

static enum tr_status ask(struct ideal *net)
{
	const struct net_offer *offer = &net->intake.offer;
	uint32_t hosts = net->setup->topology->hosts;
	enum tr_status status = net_intake_ask(&net->intake, net->err);

	if (status != TR_OK)
		return status == TR_END ? TR_OK : status;
	if (offer->wake || offer->refused != TR_DROP_NONE)
		return TR_OK;
	if (offer->source >= hosts || offer->destination >= hosts)
		return tr_fail(net->err, "a packet from host %u to host %u in a network of %u",
			       offer->source, offer->destination, hosts);
	return TR_OK;
}

static enum tr_status enter(struct ideal *net)
{
	const struct net_offer *offer = &net->intake.offer;
	uint32_t number = net_worm_take(&net->pool);
	struct net_worm *worm;

	if (number == NET_NO_WORM)
		return tr_fail(net->err, "more than %u worms under way", net->pool.capacity);
	worm = &net->pool.worms[number];
	worm->packet = offer->packet;
	worm->source = offer->source;
	worm->destination = offer->destination;
	worm->size_bytes = offer->size_bytes;
	worm->created_ticks = net->now_ticks;
	worm->started_ticks = net->now_ticks;
	worm->injected_ticks = net->now_ticks;
	net_worm_append(&net->pool, &net->flying, number);
	net->totals->characters += offer->size_bytes;
	return TR_OK;
}

// The offer's time has come.
static enum tr_status take(struct ideal *net)
{
	const struct net_offer *offer = &net->intake.offer;
	enum tr_status status = TR_OK;

	if (offer->refused != TR_DROP_NONE) {
		const struct net_worm worm = {.packet = offer->packet, .created_ticks = -1,
					      .started_ticks = -1, .injected_ticks = -1,
					      .head_ticks = -1, .received_ticks = -1};

		net->totals->dropped++;
		status = tell(net, &worm, TR_DROPPED, offer->refused);
	} else if (!offer->wake) {
		status = enter(net);
	}
	net->totals->offered += !offer->wake;
	net_intake_take(&net->intake);
	return status == TR_OK ? ask(net) : status;
}

static int64_t arrival(const struct ideal *net)
{
	if (net->flying.count == 0)
		return INT64_MAX;
	return net->pool.worms[net->flying.first].created_ticks + net->params->latency_ticks;
}

// Delivers all that is there now, and asks traffic that reacts.
static enum tr_status deliver(struct ideal *net)
{
	while (arrival(net) <= net->now_ticks) {
		uint32_t number = net_worm_first(&net->pool, &net->flying);
		struct net_worm *worm = &net->pool.worms[number];

		worm->head_ticks = net->now_ticks;
		worm->received_ticks = net->now_ticks;
		net->totals->delivered++;
		if (tell(net, worm, TR_DELIVERED, TR_DROP_NONE) != TR_OK)
			return TR_ERROR;
		net_worm_give_back(&net->pool, number);
	}
	return net->setup->traffic.give_back != NULL ? ask(net) : TR_OK;
}

// Arrivals of a tick come before what enters in it.
static enum tr_status run_events(struct ideal *net)
{
	for (;;) {
		const struct net_offer *offer = &net->intake.offer;
		int64_t next = net->intake.offered ? offer->packet.time_ticks : INT64_MAX;
		int64_t there = arrival(net);
		int64_t ticks = there < next ? there : next;
		enum tr_status status;

		if (ticks == INT64_MAX && !net->enough)
			return TR_OK;
		if (ticks >= net->stop_ticks || (net->enough && ticks > net->now_ticks)) {
			if (net->stop_ticks > net->now_ticks && !net->enough)
				net->now_ticks = net->stop_ticks;
			return TR_OK;
		}
		net->now_ticks = ticks > net->now_ticks ? ticks : net->now_ticks;
		net->totals->events++;
		status = there <= next ? deliver(net) : take(net);
		if (status != TR_OK)
			return status;
	}
}

static enum tr_status finish(struct ideal *net)
{
	net->totals->end_ticks = net->now_ticks;
	net->totals->in_flight = net->pool.alive;
	while (net->flying.count > 0) {
		uint32_t number = net_worm_first(&net->pool, &net->flying);

		if (tell(net, &net->pool.worms[number], TR_IN_FLIGHT, TR_DROP_NONE) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status run(const struct net_setup *setup, struct net_totals *totals,
			  struct tr_error *err)
{
	const struct net_ideal *params = setup->params;
	struct ideal net = {.setup = setup, .params = params, .totals = totals, .err = err,
			    .now_ticks = INT64_MIN,
			    .stop_ticks = setup->stop_ticks != NULL ? *setup->stop_ticks : INT64_MAX};
	struct sim_arena arena = {0};
	enum tr_status status;

	*totals = (struct net_totals){0};
	net_intake_start(&net.intake, &setup->traffic);
	net_worm_pool_layout(&net.pool, &arena, params->worms_max, 0);
	if (sim_arena_open(&arena, err) != TR_OK)
		return TR_ERROR;
	net_worm_pool_layout(&net.pool, &arena, params->worms_max, 0);
	totals->memory_bytes = arena.size_bytes;
	status = ask(&net);
	if (net.intake.offered)
		net.now_ticks = net.intake.offer.packet.time_ticks;
	else
		net.now_ticks = 0;
	if (net.now_ticks >= net.stop_ticks && net.intake.offered)
		net.now_ticks = net.stop_ticks; // cut before the first offer
	else if (status == TR_OK)
		status = run_events(&net);
	if (status == TR_OK)
		status = finish(&net);
	sim_arena_close(&arena);
	return status;
}

const struct net_engine net_ideal_engine = {.name = "ideal", .run = run};
