// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_collective.h"
#include "gen/families/program/program_library.h"
#include "value/order.h"

#define TOGETHER \
	0.05 // messages within this part of an iteration may be sent together, of several phases
#define VARIATIONS 3.0 // sizes that vary: that differ by so many standard deviations

// A pattern and its options.
struct program_phases_candidate {
	uint32_t pattern; // index in program_patterns
	unsigned options;
};

struct program_phases_matching {
	struct program_fold *fold;
	const char *library;
	const struct program_allowed *allowed; // by phase; NULL: all
	uint32_t nodes, patterns;	       // patterns: without the explicit list
	uint32_t *taken; // slots of the last match, in the order of its messages
	uint32_t *best;
	bool *used; // by slot, in the present match
};

static bool is_free(const struct program_phases_matching *matching, uint32_t slot)
{
	return matching->fold->slots[slot].phase == UINT32_MAX && !matching->used[slot];
}

// Whether messages of two slots may be of one phase: sizes that vary with the iterations also vary
// with the ranks.
static bool program_phases_alike(const struct program_fold *fold, double a_B, double b_B)
{
	return program_sizes_equal(a_B, b_B) ||
	       fabs(a_B - b_B) <= fmin(VARIATIONS * fold->variation, 0.5) * fmin(a_B, b_B);
}

// The first free slot from src to dst, if its messages are as large; else the number of slots.
static uint32_t find_slot(const struct program_phases_matching *matching,
			  const struct program_message *message, double bytes)
{
	const struct program_fold *fold = matching->fold;

	for (uint32_t i = 0; i < fold->slot_count; i++)
		if (is_free(matching, i) && fold->slots[i].src == message->src &&
		    fold->slots[i].dst == message->dst)
			return program_phases_alike(fold, fold->slots[i].bytes, bytes)
				       ? i
				       : fold->slot_count;
	return fold->slot_count;
}

// No sender has another message to send before, but for what it sends at about the same time, nor a
// collective operation; and what goes twice between two ranks goes together. Of two ranks, an
// exchange is not an answer to what came first in the iteration: that is a scatter and a gather.
static bool is_coherent(const struct program_phases_matching *matching,
			const struct program_list *list)
{
	const struct program_fold *fold = matching->fold;
	const double span = (double)(fold->slots[fold->slot_count - 1].offset_ticks -
				     fold->slots[0].offset_ticks);

	for (uint32_t m = 0; m < list->count; m++) {
		const struct program_slot *slot = &fold->slots[matching->taken[m]];

		for (uint32_t i = 0; i < matching->taken[m]; i++)
			if (is_free(matching, i) && fold->slots[i].src == slot->src &&
			    (fold->slots[i].operation ||
			     (double)(slot->offset_ticks - fold->slots[i].offset_ticks) >
				     TOGETHER * span))
				return false;
		for (uint32_t n = 0; matching->nodes == 2 && n < list->count; n++)
			if (list->messages[n].turn == list->messages[m].turn &&
			    list->messages[n].src == slot->dst &&
			    list->messages[n].dst == slot->src &&
			    !program_slots_involve(fold, slot->dst) &&
			    program_slots_depend(fold, matching->taken[m], matching->taken[n]))
				return false;
		for (uint32_t n = m + 1; n < list->count; n++)
			if (list->messages[n].src == slot->src &&
			    list->messages[n].dst == slot->dst &&
			    program_slots_apart(fold, matching->taken[m], matching->taken[n],
						TOGETHER * span))
				return false;
	}
	return true;
}

// How many sends of a rank that follow one another in turns do so in time.
static uint32_t count_ordered(const struct program_phases_matching *matching,
			      const struct program_list *list)
{
	const struct program_fold *fold = matching->fold;
	uint32_t ordered = 0;

	for (uint32_t m = 0; m < list->count; m++)
		for (uint32_t n = m + 1; n < list->count; n++)
			if (list->messages[n].src == list->messages[m].src) {
				ordered += fold->slots[matching->taken[m]].offset_ticks <=
					   fold->slots[matching->taken[n]].offset_ticks;
				break;
			}
	return ordered;
}

// Tries the candidate on the free slots, of which the first must be among its messages. The number
// of messages, 0 without a match, whose slots are in taken then.
static enum tr_status program_phases_try(struct program_phases_matching *matching,
					 const struct program_phases_candidate *candidate,
					 uint32_t first, uint32_t *count, uint32_t *ordered,
					 struct tr_error *err)
{
	struct program_phase phase = {
		.name = "", .rounds = 1, .pattern = program_patterns[candidate->pattern]};
	const uint32_t slots = matching->fold->slot_count;
	struct program_list list = {.messages = NULL};
	struct tr_error why;
	bool whole = true, met = false;

	*count = 0;
	program_phase_set_options(&phase, candidate->options);
	memset(matching->used, 0, slots * sizeof(*matching->used));
	if (program_phase_list(&list, &phase, matching->nodes, &why) != TR_OK)
		list.count = why.breakdown ? UINT32_MAX : 0;
	if (list.count == UINT32_MAX) {
		program_list_clear(&list);
		return tr_no_memory(err, "%u messages", slots);
	}
	whole = list.count > 0 && list.count <= slots;
	for (uint32_t m = 0; whole && m < list.count; m++) {
		const uint32_t slot = find_slot(matching, &list.messages[m],
						matching->fold->slots[first].bytes);

		whole = slot < slots;
		if (whole) {
			matching->used[slot] = true;
			matching->taken[m] = slot;
			met = met || slot == first;
		}
	}
	if (whole && met && is_coherent(matching, &list) &&
	    (phase.pattern != &program_patterns_sweep || matching->nodes == 2 ||
	     program_slots_follow(matching->fold, &list, matching->taken))) {
		*count = list.count;
		*ordered = count_ordered(matching, &list);
	}
	program_list_clear(&list);
	return TR_OK;
}

// The slots of the best match become the phase.
static void assign(struct program_phases_matching *matching, uint32_t phase, uint32_t round,
		   const struct program_list *list)
{
	const uint32_t turns = list->messages[list->count - 1].turn + 1;

	for (uint32_t m = 0; m < list->count; m++) {
		struct program_slot *slot = &matching->fold->slots[matching->best[m]];

		slot->phase = phase;
		slot->turn = round * turns + list->messages[m].turn;
	}
}

static enum tr_status assign_pattern(struct program_phases_matching *matching,
				     const struct program_phase *shape, uint32_t phase,
				     uint32_t round, struct tr_error *err)
{
	struct program_list list = {.messages = NULL};
	struct program_phase once = *shape;
	enum tr_status status;

	once.rounds = 1;
	once.rounds_by = PROGRAM_ROUNDS;
	once.name = "";
	status = program_phase_list(&list, &once, matching->nodes, err);
	if (status == TR_OK)
		assign(matching, phase, round, &list);
	program_list_clear(&list);
	return status;
}

static bool program_phases_has_grid(uint32_t nodes)
{
	uint32_t rows, columns;

	program_grid_of(&(struct program_phase){.rounds = 1}, nodes, &rows, &columns);
	return rows > 1;
}

// The pattern with most messages that has the first free slot; of those with as many, the one that
// is most in order; before all a sweep, in which each rank sends after what it received. In one
// row that is a chain, and on two nodes it may be any message: a sweep if it is one on more nodes.
static enum tr_status best_pattern(struct program_phases_matching *matching, uint32_t phase,
				   uint32_t first, struct program_seen *seen, struct tr_error *err)
{
	uint32_t most = 0, most_ordered = 0;

	for (uint32_t i = 0; i < PROGRAM_OPTIONS * matching->patterns; i++) {
		const struct program_phases_candidate candidate = {i / PROGRAM_OPTIONS,
								   i % PROGRAM_OPTIONS};
		const bool sweep = program_patterns[candidate.pattern] == &program_patterns_sweep;
		uint32_t count, ordered = 0;

		if (sweep && (candidate.options > 3 ||
			      (!matching->allowed && !program_phases_has_grid(matching->nodes))))
			continue;
		if (matching->allowed &&
		    !(matching->allowed[phase].patterns >> candidate.pattern & 1 &&
		      matching->allowed[phase].options >> candidate.options & 1))
			continue;
		if (program_phases_try(matching, &candidate, first, &count, &ordered, err) != TR_OK)
			return TR_ERROR;
		if (count == 0 || (count < most && !sweep))
			continue;
		if (count > most || sweep)
			seen->patterns = 0;
		if (!(seen->patterns >> candidate.pattern & 1))
			seen->options[candidate.pattern] = (uint8_t)candidate.options;
		seen->patterns |= UINT32_C(1) << candidate.pattern;
		if (count > most || ordered > most_ordered || sweep) {
			most_ordered = ordered;
			seen->shape.pattern = program_patterns[candidate.pattern];
			program_phase_set_options(&seen->shape, candidate.options);
			memcpy(matching->best, matching->taken, count * sizeof(*matching->best));
		}
		if (sweep)
			break;
		most = count;
	}
	return TR_OK;
}

// Rounds of a ring or a sweep after the first one.
static enum tr_status add_rounds(struct program_phases_matching *matching, uint32_t phase,
				 struct program_seen *seen, struct tr_error *err)
{
	const struct program_fold *fold = matching->fold;

	for (uint32_t round = 1;; round++) {
		uint32_t first = 0, count, ordered, index = 0;

		while (first < fold->slot_count && fold->slots[first].phase != UINT32_MAX)
			first++;
		while (program_patterns[index] != seen->shape.pattern)
			index++;
		if (first == fold->slot_count || fold->slots[first].operation ||
		    !program_phases_alike(fold, fold->slots[first].bytes, seen->bytes))
			return TR_OK;
		if (program_phases_try(matching,
				       &(struct program_phases_candidate){
					       index, program_phase_options(&seen->shape)},
				       first, &count, &ordered, err) != TR_OK)
			return TR_ERROR;
		if (count == 0)
			return TR_OK;
		memcpy(matching->best, matching->taken, count * sizeof(*matching->best));
		if (assign_pattern(matching, &seen->shape, phase, round, err) != TR_OK)
			return TR_ERROR;
		seen->shape.rounds = round + 1;
	}
}

// No pattern has the slot: it and those after it, as far as they are as large, are listed.
static enum tr_status list_pairs(struct program_phases_matching *matching, uint32_t phase,
				 uint32_t first, struct program_seen *seen, struct tr_error *err)
{
	struct program_fold *fold = matching->fold;

	seen->shape.pattern = program_patterns[matching->patterns];
	seen->patterns = UINT32_C(1) << matching->patterns;
	seen->shape.pairs = calloc(fold->slot_count, sizeof(*seen->shape.pairs));
	if (!seen->shape.pairs)
		return tr_no_memory(err, "%u messages", fold->slot_count);
	for (uint32_t i = first; i < fold->slot_count; i++) {
		struct program_slot *slot = &fold->slots[i];

		if (slot->phase != UINT32_MAX)
			continue;
		if (slot->operation ||
		    !program_phases_alike(fold, slot->bytes, fold->slots[first].bytes))
			break;
		slot->phase = phase;
		slot->turn = seen->shape.pair_count;
		seen->shape.pairs[seen->shape.pair_count++] = (struct program_pair){slot->src,
										    slot->dst};
	}
	return TR_OK;
}

// The usual size of a phase's messages, and whether most of them are granted.
static enum tr_status program_phases_sum_up(const struct program_fold *fold, uint32_t phase,
					    struct program_seen *seen, struct tr_error *err)
{
	double *bytes = calloc(fold->slot_count, sizeof(*bytes));
	uint32_t count = 0, granted = 0;

	if (!bytes)
		return tr_no_memory(err, "%u messages", fold->slot_count);
	for (uint32_t i = 0; i < fold->slot_count; i++)
		if (fold->slots[i].phase == phase) {
			bytes[count++] = fold->slots[i].bytes;
			granted += fold->slots[i].granted;
		}
	qsort(bytes, count, sizeof(*bytes), order_double);
	seen->bytes = fold->variation > PROGRAM_VARIES ? 0 : bytes[count / 2];
	for (uint32_t i = 0; fold->variation > PROGRAM_VARIES && i < count; i++)
		seen->bytes += bytes[i] / count;
	seen->granted = 2 * granted > count;
	free(bytes);
	return TR_OK;
}

// ---- Collective operations

// The rank's part in the operation of a slot: the first free slot of its kind and root. Their
// number: there is none.
static uint32_t program_phases_part_of(const struct program_fold *fold, uint32_t rank,
				       const struct program_slot *of)
{
	for (uint32_t i = 0; i < fold->slot_count; i++)
		if (fold->slots[i].phase == UINT32_MAX && fold->slots[i].src == rank &&
		    fold->slots[i].operation == of->operation && fold->slots[i].root == of->root)
			return i;
	return fold->slot_count;
}

// What some rank has to do before its part in the operation of a slot; the slot itself if nothing.
static uint32_t before_parts(const struct program_phases_matching *matching, uint32_t first)
{
	const struct program_fold *fold = matching->fold;

	for (uint32_t rank = 0; rank < matching->nodes; rank++) {
		const uint32_t part = program_phases_part_of(fold, rank, &fold->slots[first]);

		for (uint32_t i = 0; i < part; i++)
			if (i != first && fold->slots[i].phase == UINT32_MAX &&
			    fold->slots[i].src == rank)
				return i;
	}
	return first;
}

// The operation's size as its kind counts it, of what each rank gives; the mean where that differs.
static double program_phases_collective_bytes(const struct program_phases_matching *matching,
					      const struct program_collective_record *record,
					      uint32_t phase)
{
	const struct program_fold *fold = matching->fold;
	double sum = 0;

	for (uint32_t i = 0; i < fold->slot_count; i++)
		sum += fold->slots[i].phase == phase ? fold->slots[i].bytes : 0;
	if (!record->by_root)
		sum /= matching->nodes;
	return record->from_blocks ? sum / matching->nodes : sum;
}

static enum tr_status program_phases_add_collective(struct program_phases_matching *matching,
						    uint32_t phase, uint32_t first,
						    struct program_seen *seen, struct tr_error *err)
{
	struct program_fold *fold = matching->fold;
	const struct program_slot of = fold->slots[first];
	const struct program_collective_record *record = program_collective_record(of.operation);
	char way[PROGRAM_WAY_BYTES], root[24] = "";

	for (uint32_t rank = 0; rank < matching->nodes; rank++) {
		const uint32_t part = program_phases_part_of(fold, rank, &of);

		if (part == fold->slot_count) {
			(void)tr_fail(
				err,
				"%s: rank %u takes no part in an iteration, where rank %u does",
				record->kind->name, rank, of.src);
			return TR_END;
		}
		fold->slots[part].phase = phase;
		fold->slots[part].turn = 0;
	}
	seen->bytes = program_phases_collective_bytes(matching, record, phase);
	program_library_way(record->kind, matching->library, seen->bytes, matching->nodes, way);
	if (record->rooted)
		(void)snprintf(root, sizeof(root), ",root=%u", of.root);
	seen->shape.pattern = &program_collective_pattern;
	seen->shape.order = PROGRAM_IN_TURN;
	if (asprintf(&seen->shape.collective, "%s:by=%s%s", record->kind->name, way, root) < 0) {
		seen->shape.collective = NULL;
		return tr_no_memory(err, "%u messages", fold->slot_count);
	}
	return TR_OK;
}

static enum tr_status add_phase(struct program_phases *out,
				struct program_phases_matching *matching, uint32_t first,
				struct tr_error *err)
{
	const uint32_t phase = out->count++;
	struct program_seen *seen = &out->seen[phase];
	enum tr_status status;

	*seen = (struct program_seen){.shape = {.rounds = 1},
				      .bytes = matching->fold->slots[first].bytes};
	if (matching->fold->slots[first].operation)
		return program_phases_add_collective(matching, phase, first, seen, err);
	status = best_pattern(matching, phase, first, seen, err);
	if (status == TR_OK && !seen->shape.pattern)
		status = list_pairs(matching, phase, first, seen, err);
	else if (status == TR_OK)
		status = assign_pattern(matching, &seen->shape, phase, 0, err);
	if (status == TR_OK &&
	    (seen->shape.pattern == &program_patterns_sweep ||
	     strcmp(seen->shape.pattern->name, "ring") == 0) &&
	    !(matching->allowed && matching->allowed[phase].once))
		status = add_rounds(matching, phase, seen, err);
	if (status != TR_OK)
		return status;
	seen->shape.order = seen->shape.pattern->order;
	return program_phases_sum_up(matching->fold, phase, seen, err);
}

static enum tr_status find_program_phases(struct program_phases *out,
					  struct program_phases_matching *matching,
					  struct tr_error *err)
{
	const uint32_t slots = matching->fold->slot_count;

	if (!matching->taken || !matching->best || !matching->used || !out->seen)
		return tr_no_memory(err, "%u messages", slots);
	for (uint32_t i = 0; i < slots;) {
		enum tr_status status;
		uint32_t first = i, last = slots;

		if (matching->fold->slots[i].phase != UINT32_MAX) {
			i++;
			continue;
		}
		if (out->count == PROGRAM_PHASES_MAX)
			return tr_fail(err, "more than %u phases", PROGRAM_PHASES_MAX);
		for (uint32_t n = 0;
		     matching->fold->slots[first].operation && first != last && n < slots; n++) {
			last = first;
			first = before_parts(matching, first);
		}
		status = add_phase(out, matching, first, err);
		if (status != TR_OK)
			return status;
	}
	return TR_OK;
}

enum tr_status program_phases_find(struct program_phases *out, struct program_fold *fold,
				   uint32_t nodes, const char *library,
				   const struct program_allowed *allowed, struct tr_error *err)
{
	struct program_phases_matching matching = {
		.fold = fold,
		.library = library,
		.allowed = allowed,
		.nodes = nodes,
		.taken = calloc(fold->slot_count, sizeof(*matching.taken)),
		.best = calloc(fold->slot_count, sizeof(*matching.best)),
		.used = calloc(fold->slot_count, sizeof(*matching.used))};
	enum tr_status status;

	while (program_patterns[matching.patterns + 1])
		matching.patterns++;
	*out = (struct program_phases){.seen = calloc(PROGRAM_PHASES_MAX, sizeof(*out->seen))};
	for (uint32_t i = 0; i < fold->slot_count; i++)
		fold->slots[i].phase = UINT32_MAX;
	status = find_program_phases(out, &matching, err);
	free(matching.taken);
	free(matching.best);
	free(matching.used);
	return status;
}

void program_phases_clear(struct program_phases *phases)
{
	for (uint32_t i = 0; i < phases->count; i++) {
		free(phases->seen[i].shape.pairs);
		free(phases->seen[i].shape.collective);
		free(phases->seen[i].computes.ticks);
		free(phases->seen[i].betweens.ticks);
	}
	free(phases->seen);
	free(phases->turns.ticks);
	free(phases->looks.ticks);
	free(phases->takes.ticks);
	*phases = (struct program_phases){.seen = NULL};
}
