// SPDX-License-Identifier: GPL-3.0-or-later
// Questions and their answers.
#include "mapper/mapping.h"

// No questions are left: keeps the map and sends its routes to hosts that lack them. If nothing was
// found, another host takes over.
static void end_mapping(struct mapper *mapper)
{
	struct mapper_totals *totals = &mapper->totals;
	const bool takeover = explore_is_empty(mapper->explore) && mapper->self > 0;
	const struct net_topology *topology;
	struct tr_error why;
	bool changed = false;

	if (takeover) {
		totals->takeovers++;
	} else if (atlas_add(&mapper->atlas, mapper->explore, &changed, &why) != TR_OK) {
		totals->failed++;
	} else {
		topology = &mapper->atlas.maps[mapper->atlas.count - 1]->topology;
		if (totals->maps++ == 0)
			totals->first_ticks = mapper->now_ticks - mapper->start_ticks;
		totals->hosts = topology->hosts;
		totals->switches = topology->switches;
		totals->cables = (uint32_t)topology->cable_count;
		mapper->next_told = 0;
		mapper->told_bytes = 0;
	}
	totals->changes += changed;
	if (changed)
		totals->changed_ticks = mapper->now_ticks;
	explore_close(mapper->explore);
	mapper->explore = NULL;
	mapper->taken_over = takeover;
}

// Takes the next question from the exploration, or ends the mapping.
static enum tr_status next_question(struct mapper *mapper)
{
	struct question *question = &mapper->question;

	question->open = explore_next(mapper->explore, &question->scout);
	if (question->open) {
		question->number++;
		question->asked = false;
		question->heard = false;
		question->tries = mapper->params.tries;
		return TR_OK;
	}
	end_mapping(mapper);
	return TR_OK;
}

static enum tr_status questions_answer(struct mapper *mapper, bool answered, uint32_t host)
{
	mapper->question.open = false;
	explore_answer(mapper->explore, answered, host);
	return next_question(mapper);
}

static enum tr_status questions_begin(struct mapper *mapper)
{
	mapper->self = mapper->taken_over ? mapper->self - 1 : mapper->graph.hosts - 1;
	if (!mapper->taken_over)
		mapper->next_ticks = mapper->now_ticks + mapper->params.period_ticks;
	mapper->explore = explore_open(mapper->self, mapper->graph.hosts, mapper->most_ports);
	if (!mapper->explore)
		return tr_no_memory(mapper->err, "the mapper");
	return next_question(mapper);
}

enum tr_status question_advance(struct mapper *mapper)
{
	struct question *question = &mapper->question;

	if (!mapper->explore && (mapper->taken_over || mapper->now_ticks >= mapper->next_ticks) &&
	    (mapper_is_first(mapper) || !mapper->no_more))
		return questions_begin(mapper);
	if (!mapper->explore || !question->open || !question->asked ||
	    mapper->now_ticks < question->deadline_ticks)
		return TR_OK;
	if (--question->tries == 0)
		return questions_answer(mapper, false, 0);
	question->asked = false;
	question->heard = false;
	question->number++;
	return TR_OK;
}

static enum tr_status scout_came(struct mapper *mapper, const struct net_worm *worm,
				 uint64_t number)
{
	struct question *question = &mapper->question;

	if (!mapper->explore || !question->open || question->number != number) {
		mapper->totals.late++;
		return TR_OK;
	}
	if (question->scout.ask == EXPLORE_RETURN)
		return questions_answer(mapper, true, mapper->self);
	if (worm->destination == mapper->self)
		return questions_answer(mapper, true, mapper->self);
	question->heard = true;
	question->hearer = worm->destination;
	return TR_OK;
}

static enum tr_status answer_came(struct mapper *mapper, const struct net_worm *worm,
				  uint64_t number)
{
	if (!mapper->explore || !mapper->question.open || mapper->question.number != number) {
		mapper->totals.late++;
		return TR_OK;
	}
	return questions_answer(mapper, true, worm->source);
}

enum tr_status question_take_in(struct mapper *mapper, const struct net_worm *worm,
				const struct tr_delivery *delivery)
{
	const uint64_t id = delivery->packet.id;
	const uint64_t number = id & ((UINT64_C(1) << ID_WHAT_SHIFT) - 1);

	if (delivery->status == TR_IN_FLIGHT) {
		mapper->totals.in_flight++;
		return TR_OK;
	}
	if (delivery->status == TR_DROPPED) {
		mapper->totals.dropped++;
		mapper->totals.scouts_lost += mapper_what(id) == WHAT_SCOUT;
		return TR_OK;
	}
	mapper->totals.delivered++;
	switch (mapper_what(id)) {
	case WHAT_SCOUT: return scout_came(mapper, worm, number);
	case WHAT_ANSWER: return answer_came(mapper, worm, number);
	case WHAT_ROUTES_END: mapper->map_of[worm->destination] = (uint32_t)number; break;
	default: break;
	}
	return TR_OK;
}
