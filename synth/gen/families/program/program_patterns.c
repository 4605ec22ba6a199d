// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends to whom in the patterns of messages that parallel programs are made of, for any number
// of nodes: names and orders as by Thakur, Rabenseifner, Gropp (Optimization of collective
// communication operations in MPICH, IJHPCA 19 (2005) 49-66).
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_model.h"
#include "value/grow.h"

enum tr_status program_list_add(struct program_list *list, uint32_t src, uint32_t dst,
				uint32_t turn, struct tr_error *err)
{
	if (src == dst)
		return TR_OK;
	if (list->count == PROGRAM_MESSAGES_MAX)
		return tr_fail(err, "more than %u messages in an iteration", PROGRAM_MESSAGES_MAX);
	if (!GROW(list->messages, list->capacity, list->count))
		return tr_no_memory(err, "%u messages", list->count);
	list->messages[list->count++] = (struct program_message){
		.src = src, .dst = dst, .phase = list->phase, .turn = turn, .parts = 1};
	return TR_OK;
}

void program_list_clear(struct program_list *list)
{
	free(list->messages);
	*list = (struct program_list){.messages = NULL};
}

static enum tr_status add_scatter(struct program_list *list, const struct program_phase *phase,
				  uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	(void)phase;
	for (uint32_t i = 1; status == TR_OK && i < nodes; i++)
		status = program_list_add(list, 0, i, i - 1, err);
	return status;
}

static enum tr_status add_gather(struct program_list *list, const struct program_phase *phase,
				 uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	(void)phase;
	for (uint32_t i = 1; status == TR_OK && i < nodes; i++)
		status = program_list_add(list, i, 0, i - 1, err);
	return status;
}

static uint32_t program_patterns_above(uint32_t nodes) // least power of two that is no less
{
	uint32_t power = 1;

	while (power < nodes)
		power *= 2;
	return power;
}

// A binomial tree: in each turn who has the data sends it half as far as in the turn before.
static enum tr_status add_broadcast(struct program_list *list, const struct program_phase *phase,
				    uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	uint32_t turn = 0;

	(void)phase;
	for (uint32_t far = program_patterns_above(nodes) / 2; far > 0; far /= 2, turn++)
		for (uint32_t r = 0; status == TR_OK && r + far < nodes; r += 2 * far)
			status = program_list_add(list, r, r + far, turn, err);
	return status;
}

// The same tree, backwards.
static enum tr_status add_reduce(struct program_list *list, const struct program_phase *phase,
				 uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	uint32_t turn = 0;

	(void)phase;
	for (uint32_t far = 1; far < nodes; far *= 2, turn++)
		for (uint32_t r = 0; status == TR_OK && r + far < nodes; r += 2 * far)
			status = program_list_add(list, r + far, r, turn, err);
	return status;
}

static enum tr_status add_pairwise(struct program_list *list, const struct program_phase *phase,
				   uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t turn = 0; turn + 1 < nodes; turn++)
		for (uint32_t r = 0; status == TR_OK && r < nodes; r++)
			status = program_list_add(list, r,
						  r ^ (phase->down ? nodes - 1 - turn : turn + 1),
						  turn, err);
	return status;
}

static enum tr_status add_linear(struct program_list *list, const struct program_phase *phase,
				 uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t turn = 0; turn + 1 < nodes; turn++) {
		const uint64_t step = phase->down ? nodes - 1 - turn : turn + 1;

		for (uint32_t r = 0; status == TR_OK && r < nodes; r++)
			status = program_list_add(list, r, (uint32_t)((r + step) % nodes), turn,
						  err);
	}
	return status;
}

static enum tr_status add_butterfly(struct program_list *list, const struct program_phase *phase,
				    uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	uint32_t turn = 0;

	for (uint32_t bit = 1; bit < nodes; bit *= 2, turn++)
		for (uint32_t r = 0; status == TR_OK && r < nodes; r++)
			status = program_list_add(
				list, r, r ^ (phase->down ? nodes / 2 / bit : bit), turn, err);
	return status;
}

// With open edges a chain, in which each rank but the first has received before.
static enum tr_status add_ring(struct program_list *list, const struct program_phase *phase,
			       uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t i = 0; status == TR_OK && i + phase->open < nodes; i++) {
		const uint32_t r = phase->open && phase->down ? nodes - 1 - i : i;

		status = program_list_add(list, r, (r + (phase->down ? nodes - 1 : 1)) % nodes,
					  phase->open ? i : 0, err);
	}
	return status;
}

// The neighbours of a grid of one row.
static enum tr_status add_line(struct program_list *list, const struct program_phase *phase,
			       uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t turn = 0; turn < 2; turn++) {
		const bool on = phase->down ? turn == 0 : turn == 1;

		for (uint32_t r = 0; status == TR_OK && r < nodes; r++)
			if (!phase->open || (on ? r + 1 < nodes : r > 0))
				status = program_list_add(
					list, r, (r + (on ? 1 : nodes - 1)) % nodes, turn, err);
	}
	return status;
}

void program_grid_of(const struct program_phase *phase, uint32_t nodes, uint32_t *rows,
		     uint32_t *columns)
{
	*rows = phase->grid[0];
	*columns = phase->grid[1];
	if (*rows > 0)
		return;
	for (uint32_t side = 1; (uint64_t)side * side <= nodes; side++)
		if (nodes % side == 0)
			*rows = side;
	*columns = nodes / *rows;
}

// The number one step along a side of that length, UINT32_MAX beyond an open edge.
static uint32_t program_patterns_step(uint32_t at, uint32_t side, bool on, bool open)
{
	if (open && (on ? at + 1 == side : at == 0))
		return UINT32_MAX;
	return (at + (on ? 1 : side - 1)) % side;
}

// Each rank sends to its neighbours: those before and after it in its row, then those in its
// column.
static enum tr_status add_halo(struct program_list *list, const struct program_phase *phase,
			       uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	uint32_t rows, columns;

	program_grid_of(phase, nodes, &rows, &columns);
	if ((uint64_t)rows * columns != nodes)
		return tr_fail(err, "a grid of %ux%u has not %u nodes", rows, columns, nodes);
	for (uint32_t turn = 0; turn < 4; turn++) {
		if (phase->along == (turn < 2 ? PROGRAM_ALONG_COLUMNS : PROGRAM_ALONG_ROWS))
			continue;
		for (uint32_t r = 0; status == TR_OK && r < nodes; r++) {
			const uint32_t row = r / columns, column = r % columns;
			const uint32_t to = turn < 2 ? program_patterns_step(column, columns,
									     turn == 1, phase->open)
						     : program_patterns_step(row, rows, turn == 3,
									     phase->open);

			if (to != UINT32_MAX)
				status = program_list_add(list, r,
							  turn < 2 ? row * columns + to
								   : to * columns + column,
							  turn, err);
		}
	}
	return status;
}

// From a corner of the grid to the opposite one: each rank sends to the next in its row and to the
// next in its column, in the turn of its distance from the corner.
static enum tr_status add_sweep(struct program_list *list, const struct program_phase *phase,
				uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	const bool up = phase->down == phase->turned; // in columns
	uint32_t rows, columns;

	program_grid_of(phase, nodes, &rows, &columns);
	if ((uint64_t)rows * columns != nodes)
		return tr_fail(err, "a grid of %ux%u has not %u nodes", rows, columns, nodes);
	for (uint32_t turn = 0; turn < rows + columns; turn++)
		for (uint32_t r = 0; status == TR_OK && r < nodes; r++) {
			const uint32_t row = r / columns, column = r % columns;
			const uint32_t next = program_patterns_step(column, columns, !phase->down,
								    true),
				       below = program_patterns_step(row, rows, up, true);
			const uint32_t from = list->count;

			if ((phase->down ? columns - 1 - column : column) +
				    (up ? row : rows - 1 - row) !=
			    turn)
				continue;
			if (next != UINT32_MAX)
				status = program_list_add(list, r, row * columns + next, turn, err);
			if (status == TR_OK && phase->split && list->count > from)
				list->messages[from].parts = rows;
			if (status == TR_OK && below != UINT32_MAX) {
				status = program_list_add(list, r, below * columns + column, turn,
							  err);
				if (status == TR_OK && phase->split)
					list->messages[list->count - 1].parts = columns;
			}
		}
	return status;
}

static enum tr_status program_patterns_add_pairs(struct program_list *list,
						 const struct program_phase *phase, uint32_t nodes,
						 struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t i = 0; status == TR_OK && i < phase->pair_count; i++) {
		const struct program_pair *pair = &phase->pairs[i];

		if (pair->src >= nodes || pair->dst >= nodes)
			return tr_fail(err, "the pair %u %u needs more than %u nodes", pair->src,
				       pair->dst, nodes);
		status = program_list_add(list, pair->src, pair->dst, i, err);
	}
	return status;
}

static const struct program_pattern scatter = {"scatter",
					       "the controller sends to each other rank, in order",
					       false, PROGRAM_IN_SEQUENCE, add_scatter};
static const struct program_pattern gather = {
	"gather", "each rank sends to the controller, which takes them in order", false,
	PROGRAM_IN_SEQUENCE, add_gather};
static const struct program_pattern broadcast = {"broadcast", "a binomial tree from the controller",
						 false, PROGRAM_IN_TURN, add_broadcast};
static const struct program_pattern reduce = {"reduce", "a binomial tree to the controller", false,
					      PROGRAM_IN_TURN, add_reduce};
static const struct program_pattern pairwise = {
	"pairwise", "each rank exchanges with each other, rank xor 1, 2, 3 ...", true,
	PROGRAM_IN_TURN, add_pairwise};
static const struct program_pattern linear = {"linear",
					      "each rank sends to each other, from the next on",
					      false, PROGRAM_AT_ONCE, add_linear};
static const struct program_pattern butterfly = {"butterfly",
						 "each rank exchanges with rank xor 1, 2, 4 ...",
						 true, PROGRAM_IN_TURN, add_butterfly};
static const struct program_pattern ring = {"ring",
					    "each rank sends to the next; with open edges in turns",
					    false, PROGRAM_IN_TURN, add_ring};
static const struct program_pattern halo = {"halo", "each rank sends to its neighbours in a grid",
					    false, PROGRAM_AT_ONCE, add_halo};
static const struct program_pattern line = {"line",
					    "each rank sends to the one before and the one after",
					    false, PROGRAM_AT_ONCE, add_line};
const struct program_pattern program_patterns_sweep = {
	"sweep", "from a corner of a grid each rank sends to the next ones, after it has received",
	false, PROGRAM_IN_TURN, add_sweep};
static const struct program_pattern pairs = {"pairs", "listed pairs", false, PROGRAM_IN_SEQUENCE,
					     program_patterns_add_pairs};

const struct program_pattern *const program_patterns[] = {&scatter,
							  &gather,
							  &broadcast,
							  &reduce,
							  &pairwise,
							  &linear,
							  &butterfly,
							  &ring,
							  &halo,
							  &line,
							  &program_patterns_sweep,
							  &pairs,
							  NULL};

uint64_t program_rounds_at(uint32_t number, int by, uint32_t nodes)
{
	const bool others = by == PROGRAM_ROUNDS_OTHERS || by == PROGRAM_ROUNDS_PARTS_OTHERS,
		   parts = by >= PROGRAM_ROUNDS_PARTS_OTHERS;
	const uint64_t all = (uint64_t)number * (others ? nodes - 1 : 1);

	return parts ? (all + nodes - 1) / nodes : all;
}

uint64_t program_phase_rounds(const struct program_phase *phase, uint32_t nodes)
{
	return program_rounds_at(phase->rounds, phase->rounds_by, nodes);
}

uint64_t program_phase_window(const struct program_phase *phase, uint32_t nodes)
{
	return program_rounds_at(phase->window, phase->window_by, nodes);
}

enum tr_status program_phase_list(struct program_list *list, const struct program_phase *phase,
				  uint32_t nodes, struct tr_error *err)
{
	const uint64_t rounds = program_phase_rounds(phase, nodes);
	uint32_t turn = 0;

	if (phase->pattern->power_of_two && (nodes & (nodes - 1)) != 0)
		return tr_fail(err, "[%s]: the pattern %s needs a power of two of nodes, not %u",
			       phase->name, phase->pattern->name, nodes);
	for (uint64_t round = 0; round < rounds; round++) {
		const uint32_t first = list->count;
		uint32_t last = turn;

		if (phase->pattern->add(list, phase, nodes, err) != TR_OK)
			return tr_fail_in(err, "[%s]", phase->name);
		for (uint32_t i = first; i < list->count; i++) {
			list->messages[i].turn += turn;
			last = list->messages[i].turn + 1;
		}
		turn = last;
	}
	return TR_OK;
}

enum tr_status program_list_make(struct program_list *list, const struct program_model *model,
				 uint32_t nodes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	*list = (struct program_list){.messages = NULL, .problem = model->problem};
	for (uint32_t i = 0; status == TR_OK && i < model->phase_count; i++) {
		list->phase = i;
		status = program_phase_list(list, &model->phases[i], nodes, err);
	}
	return status;
}

void program_model_clear(struct program_model *model)
{
	for (uint32_t i = 0; i < model->phase_count; i++) {
		free(model->phases[i].name);
		free(model->phases[i].collective);
		free(model->phases[i].pairs);
		law_clear(&model->phases[i].compute.law);
		law_clear(&model->phases[i].between.law);
	}
	free(model->phases);
	law_clear(&model->silence);
	law_clear(&model->flow.turn);
	*model = (struct program_model){.phases = NULL};
}
