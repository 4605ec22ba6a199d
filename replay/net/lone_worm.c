// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/lone_worm.h"

#include <stdlib.h>

struct lone_worm_lone {
	struct net_offer offer;
	bool sent;
	bool delivered;
	int64_t ticks;
	uint32_t switches;
};

static enum tr_status send_once(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct lone_worm_lone *lone = context;

	(void)err;
	if (lone->sent)
		return TR_END;
	lone->sent = true;
	*offer = lone->offer;
	return TR_OK;
}

static enum tr_status lone_worm_take_time(void *context, const struct net_worm *worm,
					  const struct tr_delivery *delivery, struct tr_error *err)
{
	struct lone_worm_lone *lone = context;

	(void)err;
	lone->delivered = delivery->status == TR_DELIVERED;
	lone->switches = worm->route_count;
	lone->ticks = delivery->packet.time_ticks - worm->started_ticks;
	return TR_OK;
}

enum tr_status lone_worm_send(const struct net_setup *setup, const struct net_engine *engine,
			      uint32_t destination, uint32_t size_bytes, int64_t *ticks,
			      uint32_t *switches, struct tr_error *err)
{
	struct lone_worm_lone lone = {
		.offer = {.destination = destination, .size_bytes = size_bytes}};
	struct net_setup alone = *setup;
	struct net_totals totals;

	alone.traffic = (struct net_traffic){.next = send_once, .context = &lone};
	alone.results = (struct net_results){.done = lone_worm_take_time, .context = &lone};
	alone.sampling = (struct net_sampling){0};
	if (engine->run(&alone, &totals, err) != TR_OK)
		return TR_ERROR;
	if (!lone.delivered)
		return tr_fail(err, "the worm is lost on its way");
	*ticks = lone.ticks;
	*switches = lone.switches;
	return TR_OK;
}

enum tr_status fabric_formula_open(struct fabric_formula *formula, const struct net_fabric *kind,
				   const struct net_setup *setup, struct tr_error *err)
{
	size_t terms = 0;

	*formula = (struct fabric_formula){.of = kind->formula};
	if (!formula->of)
		return tr_fail(err, "the kind %s has no formula", kind->name);
	while (formula->of->terms[terms])
		terms++;
	formula->state = malloc(formula->of->state_bytes);
	formula->terms_ticks = calloc(terms, sizeof(*formula->terms_ticks));
	if (!formula->state || !formula->terms_ticks)
		return tr_no_memory(err, "the formula");
	return formula->of->prepare(formula->state, setup, err);
}

int64_t fabric_formula_ticks(struct fabric_formula *formula, uint32_t switches, uint32_t size_bytes)
{
	int64_t sum_ticks = 0;

	formula->of->terms_ticks(formula->state, switches, size_bytes, formula->terms_ticks);
	for (size_t i = 0; formula->of->terms[i]; i++)
		sum_ticks += formula->terms_ticks[i];
	return sum_ticks;
}

void fabric_formula_close(struct fabric_formula *formula)
{
	free(formula->state);
	free(formula->terms_ticks);
	*formula = (struct fabric_formula){0};
}
