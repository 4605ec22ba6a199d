// SPDX-License-Identifier: GPL-3.0-or-later
// What messages wait for. A program that computes for about as long in each iteration sends at a
// nearly constant time after what it waits for, and at varying times after all else: of the
// candidates, the cause is that with the least variance over the iterations among those that the
// message always follows. It is the idea of causal path analysis by delays (Aguilera, Mogul,
// Wiener, Reynolds, Muthitacharoen: Performance debugging for distributed systems of black boxes,
// SOSP 2003), with the candidates that a message-passing program leaves.
#include <math.h>
#include <stdlib.h>

#include "gen/families/program/program_parts.h"
#include "gen/families/program/program_phases.h"
#include "value/order.h"
#include "value/ticks.h"

#define FOLLOWS 0.9 // a cause comes first in so many cases, but for a slack
#define USUAL_FOLLOWS \
	0.5 // the same of the usual candidate, as some requests are others' small packets
#define CLEARLY \
	0.5 // the usual candidate is left only for one with less than this part of its variance
#define APART 4.0 // times that a message takes
#define ALWAYS 0.99
#define HELD 0.8 // a window leaves less than this part of the variance
#define NEVER INT64_MIN

// Times from a candidate to the messages.
struct delays {
	double sum, squares; // of the present slot
	uint32_t count;
	double variance; // of all slots before, in sum
	uint32_t cases, follows;
};

struct timing {
	const struct program_fold *fold;
	uint32_t iteration;
	bool port;	   // what a rank sent counts until it has left its port, as packets show
	int64_t lag_ticks; // that a message counts longer at its receiver
};

static const struct program_found *found(const struct timing *timing, uint32_t slot)
{
	return timing->fold->at[(size_t)timing->iteration * timing->fold->slot_count + slot];
}

// The latest end of the slots of a slot's sender for which the function holds; NEVER. What it sent
// without a grant it had handed over when that began.
static int64_t last_end(const struct timing *timing, uint32_t slot,
			bool (*counts)(const struct program_slot *of,
				       const struct program_slot *other))
{
	const struct program_slot *slots = timing->fold->slots;
	int64_t end = NEVER;

	for (uint32_t i = 0; i < timing->fold->slot_count; i++)
		if (counts(&slots[slot], &slots[i])) {
			const struct program_found *message = found(timing, i);
			const bool sent = slots[i].src == slots[slot].src,
				   handed = sent && !message->granted &&
					    (!timing->port || message->packets == 0) &&
					    slots[i].operation == 0;

			end = ticks_later(end, handed ? message->begin_ticks
					       : sent ? message->end_ticks
						      : message->end_ticks + slots[i].work_ticks +
								timing->lag_ticks);
		}
	return end;
}

static bool program_causes_is_of(const struct program_slot *of, const struct program_slot *other)
{
	return other->src == of->src || other->dst == of->src;
}

static bool is_before(const struct program_slot *of, const struct program_slot *other)
{
	return other->phase < of->phase && program_causes_is_of(of, other);
}

static bool is_from_peer(const struct program_slot *of, const struct program_slot *other)
{
	return other->phase < of->phase && other->dst == of->src && other->src == of->dst;
}

static bool is_sent_before(const struct program_slot *of, const struct program_slot *other)
{
	return other->phase < of->phase && other->src == of->src;
}

static bool is_of_earlier_turn(const struct program_slot *of, const struct program_slot *other)
{
	return other->phase == of->phase && other->turn < of->turn &&
	       program_causes_is_of(of, other);
}

static bool is_sent_in_earlier_turn(const struct program_slot *of, const struct program_slot *other)
{
	return other->phase == of->phase && other->turn < of->turn && other->src == of->src;
}

static bool is_in_sequence(const struct program_slot *of, const struct program_slot *other)
{
	return is_sent_in_earlier_turn(of, other) ||
	       (of->window > 0 && other->phase == of->phase && other->dst == of->src &&
		other->turn + of->window <= of->turn);
}

// Of the receiver, before its grant: all of earlier phases, and what it takes before in the phase.
static bool is_of_receiver_before(const struct program_slot *of, const struct program_slot *other)
{
	return other->phase == of->phase && other->turn < of->turn && other->dst == of->dst;
}

static int64_t begin_of_iteration(const struct timing *timing)
{
	int64_t begin = INT64_MAX;

	for (uint32_t i = 0; i < timing->fold->slot_count; i++)
		if (found(timing, i)->begin_ticks < begin)
			begin = found(timing, i)->begin_ticks;
	return begin;
}

// What the rank did last in the iteration before.
static int64_t end_before(const struct timing *timing, uint32_t slot)
{
	const struct timing earlier = {timing->fold, timing->iteration - 1, timing->port,
				       timing->lag_ticks};

	return timing->iteration > 0 ? last_end(&earlier, slot, program_causes_is_of) : NEVER;
}

static int64_t cause_of_first(const struct timing *timing, uint32_t slot, int after)
{
	int64_t cause = NEVER;

	switch ((enum program_after)after) {
	case PROGRAM_AFTER_BEGIN: return begin_of_iteration(timing);
	case PROGRAM_AFTER_PEER: return last_end(timing, slot, is_from_peer);
	case PROGRAM_AFTER_SEND: return last_end(timing, slot, is_sent_before);
	case PROGRAM_AFTER_ALL: cause = last_end(timing, slot, is_before); break;
	}
	if (cause != NEVER)
		return cause;
	return timing->fold->silent ? begin_of_iteration(timing) : end_before(timing, slot);
}

// The first message that the rank sends in the phase; NEVER for that message itself.
static int64_t first_begin(const struct timing *timing, uint32_t slot)
{
	const struct program_slot *slots = timing->fold->slots;
	uint32_t first = slot;

	for (uint32_t i = 0; i < timing->fold->slot_count; i++)
		if (slots[i].phase == slots[slot].phase && slots[i].src == slots[slot].src &&
		    slots[i].turn < slots[first].turn)
			first = i;
	return first == slot ? NEVER : found(timing, first)->begin_ticks;
}

static int64_t cause_of_later(const struct timing *timing, uint32_t slot, int order)
{
	switch ((enum program_order)order) {
	case PROGRAM_IN_TURN: return last_end(timing, slot, is_of_earlier_turn);
	case PROGRAM_IN_SEQUENCE: return last_end(timing, slot, is_in_sequence);
	case PROGRAM_AT_ONCE: break;
	}
	return first_begin(timing, slot);
}

typedef int64_t cause_function(const struct timing *timing, uint32_t slot, int candidate);

static bool is_first(const struct program_fold *fold, uint32_t slot)
{
	for (uint32_t i = 0; i < fold->slot_count; i++)
		if (is_sent_in_earlier_turn(&fold->slots[slot], &fold->slots[i]))
			return false;
	return !fold->slots[slot].answers;
}

// The first iteration whose times count: in the very first one connections are opened.
static uint32_t first_iteration(const struct program_fold *fold)
{
	return fold->iterations > PROGRAM_ITERATIONS_MIN;
}

// The delays of the phase's first, or later, messages after a candidate; values (NULL: none) gets
// them, of later messages from when their port is free, unless of a sweep, and after lag_ticks.
static enum tr_status program_causes_measure(const struct program_fold *fold, uint32_t phase,
					     bool first, cause_function *cause, int candidate,
					     struct delays *out, struct program_values *values,
					     double slack, int64_t lag_ticks, struct tr_error *err)
{
	*out = (struct delays){.count = 0};
	for (uint32_t slot = 0; slot < fold->slot_count; slot++) {
		if (fold->slots[slot].phase != phase || is_first(fold, slot) != first)
			continue;
		out->sum = out->squares = 0;
		out->count = 0;
		for (uint32_t i = first_iteration(fold); i < fold->iterations; i++) {
			const struct timing timing = {fold, i, false, 0},
					    port = {fold, i, !first && !fold->slots[slot].swept,
						    lag_ticks};
			const int64_t from = cause(&timing, slot, candidate),
				      begin = found(&timing, slot)->begin_ticks;
			double delay;

			if (from == NEVER)
				continue;
			delay = (double)(begin - from);
			out->sum += delay;
			out->squares += delay * delay;
			out->count++;
			out->cases++;
			out->follows += delay >= -slack;
			if (values &&
			    program_values_add(
				    values,
				    fmax(0, (double)(begin - cause(&port, slot, candidate))),
				    err) != TR_OK)
				return TR_ERROR;
		}
		if (out->count > 1)
			out->variance += (out->squares - out->sum * out->sum / out->count) /
					 (out->count - 1);
	}
	return TR_OK;
}

// The candidate that explains the messages best, of first messages without the begin of the
// iteration, after which their senders did something else; usual unless another is clearly better.
static enum tr_status program_causes_choose(const struct program_fold *fold, uint32_t phase,
					    bool first, cause_function *cause, int usual,
					    int candidates, double slack, int *out,
					    struct tr_error *err)
{
	struct delays best = {.cases = 0};

	*out = usual;
	if (program_causes_measure(fold, phase, first, cause, usual, &best, NULL, slack, 0, err) !=
	    TR_OK)
		return TR_ERROR;
	for (int candidate = 0; candidate < candidates; candidate++) {
		const bool follows = best.follows >=
				     (*out == usual ? USUAL_FOLLOWS : FOLLOWS) * best.cases;
		struct delays delays;

		if (candidate == *out || (first && candidate == PROGRAM_AFTER_BEGIN))
			continue;
		if (program_causes_measure(fold, phase, first, cause, candidate, &delays, NULL,
					   slack, 0, err) != TR_OK)
			return TR_ERROR;
		if (delays.cases < best.cases || delays.cases == 0 ||
		    delays.follows < FOLLOWS * delays.cases)
			continue;
		if (!follows || delays.variance < CLEARLY * best.variance) {
			best = delays;
			*out = candidate;
		}
	}
	return TR_OK;
}

// Whether no rank that sends in the phase has sent or received anything before in the iteration.
static bool program_causes_begins(const struct program_fold *fold, uint32_t phase)
{
	for (uint32_t slot = 0; slot < fold->slot_count; slot++)
		for (uint32_t i = 0; fold->slots[slot].phase == phase && i < fold->slot_count; i++)
			if (is_before(&fold->slots[slot], &fold->slots[i]))
				return false;
	return true;
}

// So many turns are before the message of the slot, of which its sender had received no other one
// of the phase when it sent it.
static uint32_t turns_ahead(const struct timing *timing, uint32_t slot)
{
	const struct program_slot *slots = timing->fold->slots, *of = &slots[slot];
	uint32_t first = of->turn;

	for (uint32_t i = 0; i < timing->fold->slot_count; i++)
		if (slots[i].phase == of->phase && slots[i].dst == of->src &&
		    slots[i].turn < first &&
		    found(timing, i)->end_ticks > found(timing, slot)->begin_ticks)
			first = slots[i].turn;
	return of->turn - first + 1;
}

// The variance of the phase's later messages in sequence with this window, which its slots get.
static enum tr_status try_window(const struct program_fold *fold, uint32_t phase, uint32_t window,
				 double *variance, struct tr_error *err)
{
	struct delays delays;

	for (uint32_t i = 0; i < fold->slot_count; i++)
		if (fold->slots[i].phase == phase)
			fold->slots[i].window = window;
	if (program_causes_measure(fold, phase, false, cause_of_later, PROGRAM_IN_SEQUENCE, &delays,
				   NULL, 0, 0, err) != TR_OK)
		return TR_ERROR;
	*variance = delays.variance;
	return TR_OK;
}

// The window of a phase, were it in sequence: the least number of turns by which what a rank
// received is before what it sends, in all but few cases, if it tells better when it sends than
// what it sent before alone. Of one turn it is a phase in turns.
static enum tr_status find_window(struct program_seen *seen, const struct program_fold *fold,
				  uint32_t phase, struct tr_error *err)
{
	struct program_values turns = {.ticks = NULL};
	double without, with;
	enum tr_status status = TR_OK;

	for (uint32_t slot = 0; slot < fold->slot_count && status == TR_OK; slot++)
		for (uint32_t i = first_iteration(fold);
		     i < fold->iterations && fold->slots[slot].phase == phase && status == TR_OK;
		     i++)
			status = program_values_add(
				&turns,
				turns_ahead(&(struct timing){.fold = fold, .iteration = i}, slot),
				err);
	seen->ahead = 1;
	if (status == TR_OK && turns.count > 0) {
		qsort(turns.ticks, turns.count, sizeof(*turns.ticks), order_double);
		seen->ahead = (uint32_t)turns.ticks[(size_t)(ALWAYS * (double)(turns.count - 1))];
	}
	free(turns.ticks);
	seen->shape.window = seen->ahead > 1 ? seen->ahead : 0;
	if (status != TR_OK || try_window(fold, phase, 0, &without, err) != TR_OK ||
	    try_window(fold, phase, seen->shape.window, &with, err) != TR_OK)
		return TR_ERROR;
	if (!(with < HELD * without))
		seen->shape.window = 0;
	return try_window(fold, phase, seen->shape.window, &with, err);
}

// What later messages of the phase wait for, unless that is known, and the times after it.
static enum tr_status time_later(struct program_phases *phases, const struct program_fold *fold,
				 uint32_t phase, bool known, double slack, int64_t lag_ticks,
				 struct tr_error *err)
{
	struct program_seen *seen = &phases->seen[phase];
	struct delays delays;
	double variance;

	seen->betweens.count = 0;
	if (!known &&
	    (find_window(seen, fold, phase, err) != TR_OK ||
	     program_causes_choose(fold, phase, false, cause_of_later,
				   seen->shape.window > 0 ? PROGRAM_IN_SEQUENCE : seen->shape.order,
				   PROGRAM_AT_ONCE + 1, slack, &seen->shape.order, err) != TR_OK))
		return TR_ERROR;
	if (seen->shape.order == PROGRAM_AT_ONCE)
		return TR_OK;
	if (known && try_window(fold, phase, seen->shape.window, &variance, err) != TR_OK)
		return TR_ERROR;
	return program_causes_measure(fold, phase, false, cause_of_later, seen->shape.order,
				      &delays, &seen->betweens, slack, lag_ticks, err);
}

// The same of first messages. In a sweep ranks compute with all that they receive, also where
// nothing that they send in it shows how long.
static enum tr_status time_first(struct program_phases *phases, const struct program_fold *fold,
				 uint32_t phase, bool known, double slack, int64_t lag_ticks,
				 struct tr_error *err)
{
	struct program_seen *seen = &phases->seen[phase];
	struct delays delays;

	seen->computes.count = 0;
	if (!known && fold->silent && program_causes_begins(fold, phase))
		seen->shape.after = PROGRAM_AFTER_BEGIN;
	else if (!known &&
		 (seen->shape.collective || seen->shape.pattern == &program_patterns_sweep ||
		  program_causes_begins(fold, phase)))
		seen->shape.after = PROGRAM_AFTER_ALL;
	else if (!known && program_causes_choose(fold, phase, true, cause_of_first,
						 PROGRAM_AFTER_ALL, PROGRAM_AFTER_SEND + 1, slack,
						 &seen->shape.after, err) != TR_OK)
		return TR_ERROR;
	return program_causes_measure(fold, phase, true, cause_of_first, seen->shape.after, &delays,
				      &seen->computes, slack, lag_ticks, err);
}

// Adds the times in which grants are answered, and requests where their receiver has nothing else
// to do; and those in which it grants one after the message before in sequence.
static enum tr_status time_turns(struct program_phases *phases, const struct program_fold *fold,
				 struct tr_error *err)
{
	for (uint32_t slot = 0; slot < fold->slot_count; slot++)
		for (uint32_t i = first_iteration(fold); i < fold->iterations; i++) {
			const struct timing timing = {fold, i, false, 0};
			const struct program_found *message = found(&timing, slot);
			const int64_t ready = last_end(&timing, slot, is_of_receiver_before);
			const struct program_seen *seen = &phases->seen[fold->slots[slot].phase];
			const bool waits = seen->shape.order == PROGRAM_IN_SEQUENCE &&
					   ready != NEVER && ready >= message->begin_ticks;

			if (!message->granted || message->first_ticks == message->begin_ticks ||
			    message->grant_ticks == message->first_ticks)
				continue; // its packets or its grant are not known
			if (waits && program_values_add(&phases->takes,
							(double)(message->grant_ticks - ready),
							err) != TR_OK)
				return TR_ERROR;
			if (program_values_add(
				    &phases->turns,
				    (double)(message->first_ticks - message->grant_ticks),
				    err) != TR_OK)
				return TR_ERROR;
			if (seen->shape.after == PROGRAM_AFTER_BEGIN && ready == NEVER &&
			    program_values_add(
				    &phases->turns,
				    (double)(message->grant_ticks - message->begin_ticks),
				    err) != TR_OK)
				return TR_ERROR;
		}
	return TR_OK;
}

bool program_slots_involve(const struct program_fold *fold, uint32_t rank)
{
	for (uint32_t i = 0; i < fold->slot_count; i++)
		if (fold->slots[i].phase != UINT32_MAX &&
		    (fold->slots[i].src == rank || fold->slots[i].dst == rank))
			return true;
	return false;
}

bool program_slots_apart(const struct program_fold *fold, uint32_t before, uint32_t after,
			 double least_ticks)
{
	double gap = 0, takes = 0;

	for (uint32_t i = 0; i < fold->iterations; i++) {
		const struct timing timing = {fold, i, false, 0};
		const struct program_found *message = found(&timing, before);

		gap += (double)(found(&timing, after)->begin_ticks - message->end_ticks);
		takes += (double)(message->end_ticks - message->begin_ticks);
	}
	return gap > APART * takes && gap > least_ticks * fold->iterations;
}

// In a phase in turns what a rank sends after it has received is no first message of it.
static void find_answers(const struct program_phases *phases, struct program_fold *fold)
{
	for (uint32_t i = 0; i < fold->slot_count; i++) {
		struct program_slot *slot = &fold->slots[i];

		slot->answers = false;
		slot->swept = phases->seen[slot->phase].shape.pattern == &program_patterns_sweep;
		for (uint32_t k = 0; k < fold->slot_count && !slot->answers; k++)
			slot->answers = phases->seen[slot->phase].shape.order == PROGRAM_IN_TURN &&
					fold->slots[k].phase == slot->phase &&
					fold->slots[k].turn < slot->turn &&
					fold->slots[k].dst == slot->src;
	}
}

static enum tr_status time_phases(struct program_phases *phases, struct program_fold *fold,
				  bool known, double slack, int64_t lag_ticks, struct tr_error *err)
{
	for (uint32_t i = 0; i < fold->slot_count; i++)
		fold->slots[i].work_ticks = 0;
	for (uint32_t phase = 0; phase < phases->count; phase++)
		if (time_later(phases, fold, phase, known, slack, lag_ticks, err) != TR_OK)
			return TR_ERROR;
	for (uint32_t i = 0; i < fold->slot_count; i++) {
		struct program_slot *slot = &fold->slots[i];
		const struct program_seen *seen = &phases->seen[slot->phase];

		if (slot->swept)
			slot->work_ticks = (int64_t)program_values_moments(&seen->betweens).mean;
	}
	for (uint32_t phase = 0; phase < phases->count; phase++)
		if (time_first(phases, fold, phase, known, slack, lag_ticks, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status program_phases_time(struct program_phases *phases, struct program_fold *fold,
				   double slack, struct tr_error *err)
{
	find_answers(phases, fold);
	if (time_phases(phases, fold, false, slack, 0, err) != TR_OK)
		return TR_ERROR;
	return time_turns(phases, fold, err);
}

enum tr_status program_phases_lag(struct program_phases *phases, struct program_fold *fold,
				  int64_t lag_ticks, struct tr_error *err)
{
	return time_phases(phases, fold, true, 0, lag_ticks, err);
}
