// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_collective.h"

static uint32_t program_settle_index_of(const struct program_pattern *pattern)
{
	uint32_t i = 0;

	while (program_patterns[i] && program_patterns[i] != pattern)
		i++;
	return i;
}

void program_phase_set_options(struct program_phase *phase, unsigned options)
{
	phase->open = (options & 1) != 0 && phase->pattern != &program_patterns_sweep;
	phase->turned = (options & 1) != 0 && phase->pattern == &program_patterns_sweep;
	phase->down = (options & 2) != 0;
	phase->along = (int)(options / 4);
}

unsigned program_phase_options(const struct program_phase *phase)
{
	return 4u * (unsigned)phase->along + 2u * phase->down + (phase->open || phase->turned);
}

struct program_allowed program_phase_allowed(const struct program_seen *seen)
{
	const struct program_phase *shape = &seen->shape;
	struct program_allowed out = {.once = shape->rounds == 1};
	uint32_t index = 0;

	if (shape->collective)
		return (struct program_allowed){UINT32_MAX, UINT32_MAX, false};
	while (program_patterns[index] != shape->pattern)
		index++;
	out.patterns = UINT32_C(1) << index;
	out.options = UINT32_C(1) << program_phase_options(shape);
	return out;
}

uint32_t program_common_patterns(const struct fitting *fitting, uint32_t phase)
{
	uint32_t common = UINT32_MAX;

	for (size_t i = 0; i < fitting->count; i++)
		common &= phase < fitting->each[i].phases.count
				  ? fitting->each[i].phases.seen[phase].patterns
				  : 0;
	return common;
}

static const char *program_settle_what_is(const struct folded *each, uint32_t phase)
{
	const struct program_phase *shape = &each->phases.seen[phase].shape;

	return shape->collective ? schedule_kind(shape->collective)->name : shape->pattern->name;
}

static enum tr_status refuse_phase(const struct fitting *fitting, uint32_t phase, size_t other,
				   struct tr_error *err)
{
	(void)tr_fail(err, "phase %u is %s in %s and %s in %s", phase + 1,
		      program_settle_what_is(program_last(fitting), phase),
		      program_last(fitting)->capture->trace.name,
		      program_settle_what_is(&fitting->each[other], phase),
		      fitting->each[other].capture->trace.name);
	return TR_END;
}

static enum tr_status refuse_pairs(const struct fitting *fitting, uint32_t phase,
				   struct tr_error *err)
{
	(void)tr_fail(err,
		      "the messages of phase %u of %s are in no known pattern, so what they are on "
		      "other numbers of nodes is not known",
		      phase + 1, program_last(fitting)->capture->trace.name);
	return TR_END;
}

// Whether a capture may show what the last one does in a phase; a collective operation's algorithm
// is that of the last.
static bool program_settle_is_same(const struct fitting *fitting, uint32_t phase, size_t other)
{
	const struct program_seen *a = &program_last(fitting)->phases.seen[phase],
				  *b = &fitting->each[other].phases.seen[phase];

	if (a->shape.collective || b->shape.collective)
		return a->shape.collective && b->shape.collective &&
		       schedule_kind(a->shape.collective) == schedule_kind(b->shape.collective);
	return b->patterns >> program_settle_index_of(a->shape.pattern) & 1;
}

uint32_t program_settle_parts(const struct fitting *fitting, uint32_t phase, size_t capture)
{
	const struct program_phase *of = &fitting->model.phases[phase];
	uint32_t rows = 1, columns;

	if (of->split)
		program_grid_of(of, fitting->each[capture].capture->trace.nodes, &rows, &columns);
	return rows;
}

// A sweep's messages have the parts of the grid's sides if these are as large in all captures, and
// in other numbers of parts.
static void settle_split(struct fitting *fitting, uint32_t phase)
{
	struct program_phase *sweep = &fitting->model.phases[phase];
	double side_B = 0;

	sweep->split = sweep->pattern == &program_patterns_sweep;
	for (size_t i = 0; i < fitting->count && sweep->split; i++) {
		const double own_B = fitting->each[i].phases.seen[phase].bytes *
				     program_settle_parts(fitting, phase, i);

		side_B = i == 0 ? own_B : side_B;
		sweep->split = program_sizes_equal(own_B, side_B);
	}
	sweep->split = sweep->split &&
		       program_settle_parts(fitting, phase, 0) !=
			       program_settle_parts(fitting, phase, fitting->count - 1);
}

// Whether a number by this law of the nodes is so many for each capture's, by what it has seen.
typedef bool agrees_function(const struct program_seen *seen, uint32_t number);

static bool has_rounds(const struct program_seen *seen, uint32_t rounds)
{
	return seen->shape.rounds == rounds;
}

// 0: it shows none.
static uint32_t window_seen(const struct program_seen *seen)
{
	return seen->shape.order == PROGRAM_IN_TURN ? 1 : seen->shape.window;
}

static bool allows_window(const struct program_seen *seen, uint32_t window)
{
	return window >= seen->ahead && (window_seen(seen) == 0 || window_seen(seen) == window);
}

// The first law of a number of a phase that all captures agree on, which is so many on the nodes of
// one of them; 1 is that always. False: there is none.
static bool settle_number(const struct fitting *fitting, uint32_t phase, agrees_function *agrees,
			  uint32_t number, uint32_t nodes, uint32_t *out, int *by)
{
	static const int laws[PROGRAM_ROUNDS_LAWS] = {PROGRAM_ROUNDS_OTHERS, PROGRAM_ROUNDS,
						      PROGRAM_ROUNDS_PARTS_OTHERS,
						      PROGRAM_ROUNDS_PARTS};
	const uint32_t unit = nodes * (nodes - 1);

	for (size_t law = number > 1 ? 0 : 1; law < PROGRAM_ROUNDS_LAWS; law++) {
		bool all;

		*by = laws[law];
		*out = (uint32_t)((uint64_t)number * unit / program_rounds_at(unit, *by, nodes));
		all = *out > 0;
		for (size_t i = 0; all && i < fitting->count; i++)
			all = agrees(&fitting->each[i].phases.seen[phase],
				     (uint32_t)program_rounds_at(
					     *out, *by, fitting->each[i].capture->trace.nodes));
		if (all)
			return true;
	}
	return false;
}

static enum tr_status refuse_number(const char *what, uint32_t phase, struct tr_error *err)
{
	(void)tr_fail(err,
		      "the %s of phase %u: neither constant, nor as p-1, (p-1)/p or 1/p of the p "
		      "nodes",
		      what, phase + 1);
	return TR_END;
}

// A phase has a window if a capture shows one of several turns; it is then in sequence in all.
static enum tr_status settle_window(const struct fitting *fitting, uint32_t number,
				    struct program_phase *phase, struct tr_error *err)
{
	const struct program_seen *last = NULL;
	uint32_t most = 0, nodes = 0;

	for (size_t i = 0; i < fitting->count; i++) {
		const struct program_seen *seen = &fitting->each[i].phases.seen[number];

		if (seen->shape.order == PROGRAM_AT_ONCE || window_seen(seen) == 0)
			continue;
		last = seen;
		nodes = fitting->each[i].capture->trace.nodes;
		most = window_seen(seen) > most ? window_seen(seen) : most;
	}
	phase->window = 0;
	if (most < 2)
		return TR_OK;
	if (!settle_number(fitting, number, allows_window, window_seen(last), nodes, &phase->window,
			   &phase->window_by))
		return refuse_number("window", number, err);
	phase->order = PROGRAM_IN_SEQUENCE;
	for (size_t i = 0; i < fitting->count; i++) {
		struct program_phase *shape = &fitting->each[i].phases.seen[number].shape;

		shape->order = phase->order;
		shape->window = (uint32_t)program_phase_window(
			phase, fitting->each[i].capture->trace.nodes);
	}
	return TR_OK;
}

enum tr_status program_settle_shapes(struct fitting *fitting, struct tr_error *err)
{
	const struct program_phases *phases = &program_last(fitting)->phases;

	for (size_t i = 0; i < fitting->count; i++)
		if (fitting->each[i].phases.count != phases->count) {
			(void)tr_fail(err, "%s has %u phases and %s has %u",
				      fitting->each[i].capture->trace.name,
				      fitting->each[i].phases.count,
				      program_last(fitting)->capture->trace.name, phases->count);
			return TR_END;
		}
	fitting->model.phases = calloc(phases->count, sizeof(*fitting->model.phases));
	fitting->notes = calloc(phases->count, sizeof(*fitting->notes));
	if (!fitting->model.phases || !fitting->notes)
		return tr_no_memory(err, "%u phases", phases->count);
	for (uint32_t p = 0; p < phases->count; p++) {
		struct program_phase *phase = &fitting->model.phases[fitting->model.phase_count++];
		const struct program_phase *shape = &phases->seen[p].shape;
		enum tr_status status;
		char name[64];

		*phase = *shape;
		phase->pairs = calloc(shape->pair_count + 1, sizeof(*phase->pairs));
		phase->collective = shape->collective ? strdup(shape->collective) : NULL;
		(void)snprintf(name, sizeof(name), "%u %s", p + 1,
			       program_settle_what_is(program_last(fitting), p));
		phase->name = strdup(name);
		fitting->notes[p] = calloc(1, PROGRAM_NOTE_BYTES);
		if (!phase->pairs || !phase->name || !fitting->notes[p] ||
		    (shape->collective && !phase->collective))
			return tr_no_memory(err, "%u phases", phases->count);
		for (uint32_t i = 0; i < shape->pair_count; i++)
			phase->pairs[i] = shape->pairs[i];
		for (size_t i = 0; i < fitting->count; i++)
			if (!program_settle_is_same(fitting, p, i))
				return refuse_phase(fitting, p, i, err);
		if (shape->pair_count > 0 &&
		    fitting->log_nodes[0] != fitting->log_nodes[fitting->count - 1])
			return refuse_pairs(fitting, p, err);
		settle_split(fitting, p);
		if (!settle_number(fitting, p, has_rounds, shape->rounds,
				   program_last(fitting)->capture->trace.nodes, &phase->rounds,
				   &phase->rounds_by))
			return refuse_number("rounds", p, err);
		status = settle_window(fitting, p, phase, err);
		if (status != TR_OK)
			return status;
	}
	return TR_OK;
}

// ---- lag

#define LAG_MOST 0.5
#define LAG_DIGITS 4

// The time until a receiver goes on after a message is that until it grants the next one in
// sequence, but at most this part of the shortest mean time in which a rank sends after what it
// received.
static double most_lag(const struct program_phases *phases)
{
	double most_ticks = INFINITY;

	for (uint32_t p = 0; p < phases->count; p++) {
		const struct program_seen *seen = &phases->seen[p];

		if (seen->computes.count > 0 && (seen->shape.after == PROGRAM_AFTER_ALL ||
						 seen->shape.after == PROGRAM_AFTER_PEER))
			most_ticks = fmin(most_ticks, program_values_moments(&seen->computes).mean);
		if (seen->betweens.count > 0 && seen->shape.order == PROGRAM_IN_TURN)
			most_ticks = fmin(most_ticks, program_values_moments(&seen->betweens).mean);
	}
	return LAG_MOST * most_ticks;
}

enum tr_status program_settle_lag(struct fitting *fitting, struct tr_error *err)
{
	struct folded *last = &fitting->each[fitting->count - 1];
	const double take_ticks = fmax(0, program_values_usual(&last->phases.takes).mean),
		     ticks_per_s = last->capture->trace.ticks_per_s,
		     lag_ticks = fmin(take_ticks, most_lag(&last->phases));
	struct program_flow *flow = &fitting->model.flow;
	bool again;

	flow->take_s = model_settle(MODEL_TIME, take_ticks / ticks_per_s, LAG_DIGITS);
	flow->lag_s = model_settle(MODEL_TIME, lag_ticks / ticks_per_s, LAG_DIGITS);
	again = flow->lag_s > 0;
	for (uint32_t p = 0; p < fitting->model.phase_count; p++)
		again = again || fitting->model.phases[p].window > 0;
	for (size_t i = 0; i < fitting->count && again; i++) {
		struct folded *each = &fitting->each[i];

		if (program_phases_lag(&each->phases, &each->fold,
				       (int64_t)(flow->lag_s * each->capture->trace.ticks_per_s),
				       err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Pace, burst and stalls are those of the last capture whose packets show the pace; of recorded
// messages those of the one whose packets go fastest: a gap may be the time between two calls of
// their sender, or that of another message at its port.
void program_settle_pace(const struct fitting *fitting, struct program_flow *flow)
{
	const struct program_flow *from = NULL;
	bool recorded = false;

	for (size_t i = fitting->count; i-- > 0;) {
		const struct program_trace *trace = &fitting->each[i].capture->trace;

		if (trace->pace_known != PROGRAM_PACE_SHOWN ||
		    (from && (!recorded || trace->flow.pace_s >= from->pace_s)))
			continue;
		from = &trace->flow;
		recorded = !trace->shows_packets;
	}
	from = from ? from : &program_last(fitting)->capture->trace.flow;
	flow->pace_s = from->pace_s;
	flow->burst_B = from->burst_B;
	flow->pairs = from->pairs;
	flow->pair_gap_s = from->pair_gap_s;
	flow->stalls = from->stalls;
	flow->stall_s = from->stall_s;
	flow->stall_after_B = from->stall_after_B;
}

// Ranks look for messages as those of the last capture whose packets are known.
enum tr_status program_settle_looks(struct fitting *fitting, struct tr_error *err)
{
	struct program_flow *flow = &fitting->model.flow;

	flow->look.name = LAW_CONSTANT;
	for (size_t i = 0; i < fitting->count; i++) {
		struct folded *each = &fitting->each[i];
		const struct program_trace *trace = &each->capture->trace;
		struct program_flow own = trace->flow;
		struct program_moments look;

		if (trace->shows_packets || !each->capture->packets)
			continue;
		program_settle_pace(fitting, &own);
		if (program_looks_measure(&each->phases.looks, trace, &own, err) != TR_OK)
			return TR_ERROR;
		look = program_values_usual(&each->phases.looks);
		flow->look_s = model_settle(MODEL_TIME, look.mean / trace->ticks_per_s, LAG_DIGITS);
		program_law_set(&flow->look, look.variation);
	}
	return TR_OK;
}

// ---- doubt

static int by_ranks(const void *a, const void *b)
{
	const struct program_message *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

// The messages of a phase by their ranks; none without memory, or where the pattern has none on so
// many nodes.
static void list_by_ranks(struct program_list *list, const struct program_phase *phase,
			  uint32_t nodes)
{
	struct tr_error err;

	if (program_phase_list(list, phase, nodes, &err) != TR_OK)
		list->count = 0;
	if (list->count > 0)
		qsort(list->messages, list->count, sizeof(*list->messages), by_ranks);
}

bool program_settle_differ(const struct program_phase *phase, uint32_t pattern, unsigned options,
			   uint32_t nodes)
{
	struct program_phase other = {
		.name = "", .rounds = 1, .pattern = program_patterns[pattern]};
	struct program_phase once = *phase;
	struct program_list a = {.messages = NULL}, b = {.messages = NULL};
	bool differ;

	once.rounds = 1;
	once.rounds_by = PROGRAM_ROUNDS;
	program_phase_set_options(&other, options);
	list_by_ranks(&a, &once, nodes);
	list_by_ranks(&b, &other, nodes);
	differ = a.count != b.count;
	for (uint32_t i = 0; !differ && i < a.count; i++)
		differ = by_ranks(&a.messages[i], &b.messages[i]) != 0;
	program_list_clear(&a);
	program_list_clear(&b);
	return differ;
}

void program_describe_doubt(const struct fitting *fitting, uint32_t phase, struct model *text)
{
	const struct program_phase *chosen = &fitting->model.phases[phase];
	const uint32_t patterns = program_common_patterns(fitting, phase),
		       nodes = program_last(fitting)->capture->trace.nodes;
	char others[120] = "";

	if (chosen->collective)
		return;
	for (uint32_t i = 0; program_patterns[i]; i++)
		if (patterns >> i & 1 && program_patterns[i] != chosen->pattern &&
		    program_settle_differ(chosen, i,
					  program_last(fitting)->phases.seen[phase].options[i],
					  2 * nodes))
			(void)snprintf(others + strlen(others), sizeof(others) - strlen(others),
				       "%s%s", *others ? ", " : "", program_patterns[i]->name);
	if (*others)
		model_comment(text,
			      "Phase %u: on %u nodes these may also be the messages of %s; a trace "
			      "of more nodes can tell.",
			      phase + 1, nodes, others);
}
