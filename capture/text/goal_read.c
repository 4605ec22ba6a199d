// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/goal_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "stream/recognise.h"
#include "value/grow.h"
#include "value/hash.h"

#define GOAL_NO_OP UINT32_MAX
#define FIRST_ROOM 1024u

// ---- the labels of one rank, and their operations

// Zero is a valid empty one.
struct goal_labels {
	struct goal_label {
		uint32_t op;
		uint32_t text; // offset
	} * labels;
	uint32_t count, room;
	struct tr_hash places; // in labels
	char *text;
	size_t text_bytes;
	size_t text_room;
};

// Removes all labels but keeps the memory.
static void labels_forget(struct goal_labels *labels)
{
	labels->count = 0;
	labels->text_bytes = 0;
	tr_hash_forget(&labels->places);
}

static uint64_t goal_read_hash_of(const struct goal_labels *labels, const char *label)
{
	return XXH3_64bits_withSeed(label, strlen(label), labels->places.seed);
}

// The operation of a label, GOAL_NO_OP where there is none.
static uint32_t labels_find(const struct goal_labels *labels, const char *label)
{
	const uint64_t value = goal_read_hash_of(labels, label);
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&labels->places, value, &at)) != TR_HASH_NONE)
		if (strcmp(labels->text + labels->labels[place].text, label) == 0)
			return labels->labels[place].op;
	return GOAL_NO_OP;
}

static bool grow_labels(struct goal_labels *labels)
{
	return GROW(labels->labels, labels->room, labels->count);
}

static bool grow_text(struct goal_labels *labels, size_t bytes)
{
	return labels->text_bytes + bytes <= UINT32_MAX &&
	       GROW_TO(labels->text, labels->text_room, labels->text_bytes + bytes);
}

// Adds a new label; false if out of memory.
static bool labels_add(struct goal_labels *labels, const char *label, uint32_t op)
{
	size_t bytes = strlen(label) + 1;

	if (!grow_labels(labels) || !grow_text(labels, bytes) || !tr_hash_reserve(&labels->places))
		return false;
	tr_hash_add(&labels->places, goal_read_hash_of(labels, label), labels->count);
	labels->labels[labels->count++] = (struct goal_label){.op = op,
							      .text = (uint32_t)labels->text_bytes};
	memcpy(labels->text + labels->text_bytes, label, bytes);
	labels->text_bytes += bytes;
	return true;
}

static void labels_clear(struct goal_labels *labels)
{
	free(labels->labels);
	free(labels->text);
	tr_hash_clear(&labels->places);
	*labels = (struct goal_labels){0};
}

// ---- a program

struct goal_read_parse {
	struct goal_text text;
	struct goal_program program;
	struct goal_labels labels;
	const struct goal_bound *bound; // NULL: none
	uint64_t bytes;			// of what was read, by the bound
	uint32_t rank;			// ended so far
	uint32_t op_room;
	uint32_t need_room;
};

// Whether the bound has room for an operation or a need of so many bytes; false after reporting an
// error.
static bool goal_read_is_within(struct goal_read_parse *p, uint32_t bytes)
{
	p->bytes += bytes;
	if (p->bytes <= p->bound->memory_bytes)
		return true;
	return goal_text_wrong(&p->text,
			       "the program has more operations, of %u B each and %u B more for "
			       "each end of a message, and requirements, of %u B, than --memory "
			       "has room for: increase it",
			       p->bound->op_bytes, p->bound->message_bytes, p->bound->need_bytes);
}

// Makes room for one more item; false after reporting an error.
static bool goal_read_make_room(struct goal_read_parse *p, void **items, uint32_t count,
				uint32_t *room, uint32_t max, size_t each, const char *what)
{
	uint32_t bigger = *room > 0 ? *room : FIRST_ROOM / 2;
	void *grown;

	if (count < *room)
		return true;
	if (count >= max)
		return goal_text_wrong(&p->text, "more than %u %s", max, what);
	bigger = bigger > max / 2 ? max : 2 * bigger;
	grown = realloc(*items, bigger * each);
	if (!grown)
		return goal_text_wrong(&p->text, TR_OUT_OF_MEMORY);
	*items = grown;
	*room = bigger;
	return true;
}

static bool this_number(struct goal_read_parse *p, unsigned long long max, const char *what,
			unsigned long long *out)
{
	if (p->text.token != GOAL_NUMBER)
		return goal_text_expected(&p->text, what);
	if (p->text.number > max)
		return goal_text_wrong(&p->text, "expected %s of 0 to %llu, found %s%s", what, max,
				       p->text.word,
				       p->text.word_bytes > GOAL_LABEL_MAX ? "..." : "");
	*out = p->text.number;
	return true;
}

static bool goal_read_next_number(struct goal_read_parse *p, unsigned long long max,
				  const char *what, unsigned long long *out)
{
	goal_text_next(&p->text);
	return this_number(p, max, what, out);
}

static bool next_sign(struct goal_read_parse *p, const char *sign)
{
	char what[16];

	goal_text_next(&p->text);
	if (goal_text_is(&p->text, sign))
		return true;
	snprintf(what, sizeof(what), "\"%s\"", sign);
	return goal_text_expected(&p->text, what);
}

// A rank or tag; -1, where allowed, is GOAL_ANY.
static bool next_place(struct goal_read_parse *p, bool any, unsigned long long max,
		       const char *what, uint32_t *out)
{
	unsigned long long number = 0;

	goal_text_next(&p->text);
	if (p->text.token == GOAL_MINUS_ONE && any) {
		*out = GOAL_ANY;
		return true;
	}
	if (!this_number(p, max, what, &number))
		return false;
	*out = (uint32_t)number;
	return true;
}

// "tag T", "cpu C", "nic N", each optional, in this order; reads up to the token after them.
static bool parse_places(struct goal_read_parse *p, struct goal_op *op)
{
	unsigned long long number = 0;

	goal_text_next(&p->text);
	if (op->kind != GOAL_CALC && goal_text_is(&p->text, "tag")) {
		if (!next_place(p, op->kind == GOAL_RECV, GOAL_ANY - 1, "a tag", &op->tag))
			return false;
		goal_text_next(&p->text);
	}
	if (goal_text_is(&p->text, "cpu")) {
		if (!goal_read_next_number(p, UINT8_MAX, "a cpu", &number))
			return false;
		op->cpu = (uint8_t)number;
		goal_text_next(&p->text);
	}
	if (op->kind != GOAL_CALC && goal_text_is(&p->text, "nic")) {
		if (!goal_read_next_number(p, UINT8_MAX, "a nic", &number))
			return false;
		op->nic = (uint8_t)number;
		goal_text_next(&p->text);
	}
	return true;
}

// After "send" or "recv".
static bool parse_message(struct goal_read_parse *p, struct goal_op *op)
{
	const char *way = op->kind == GOAL_SEND ? "to" : "from";
	unsigned long long size = 0;

	if (!goal_read_next_number(p, GOAL_SIZE_MAX, "a size", &size) || !next_sign(p, "b") ||
	    !next_sign(p, way))
		return false;
	op->size = size;
	return next_place(p, op->kind == GOAL_RECV, p->program.ranks - 1, "a rank", &op->peer);
}

static bool add_op(struct goal_read_parse *p, const struct goal_op *op)
{
	struct goal_program *program = &p->program;

	if (!goal_read_is_within(p,
				 p->bound->op_bytes +
					 (op->kind == GOAL_CALC ? 0 : p->bound->message_bytes)) ||
	    !goal_read_make_room(p, (void **)&program->ops, program->op_count, &p->op_room,
				 GOAL_OPS_MAX, sizeof(*program->ops), "operations"))
		return false;
	program->ops[program->op_count++] = *op;
	if (op->cpu >= program->cpus)
		program->cpus = op->cpu + 1u;
	if (op->nic >= program->nics)
		program->nics = op->nic + 1u;
	return true;
}

static bool is_op(const struct goal_text *text)
{
	return goal_text_is(text, "send") || goal_text_is(text, "recv") ||
	       goal_text_is(text, "calc");
}

// At "send", "recv" or "calc"; reads up to the token after the operation.
static bool parse_op(struct goal_read_parse *p)
{
	struct goal_op op = {.line = (uint32_t)p->text.line};
	unsigned long long time_ns = 0;

	if (p->text.line > UINT32_MAX)
		return goal_text_wrong(&p->text, "too many lines");
	if (goal_text_is(&p->text, "calc")) {
		op.kind = GOAL_CALC;
		if (!goal_read_next_number(p, GOAL_SIZE_MAX, "a time", &time_ns))
			return false;
		op.size = time_ns;
	} else {
		op.kind = goal_text_is(&p->text, "send") ? GOAL_SEND : GOAL_RECV;
		if (!parse_message(p, &op))
			return false;
	}
	return parse_places(p, &op) && add_op(p, &op);
}

// Finds the operation of the label at the token.
static bool find_label(struct goal_read_parse *p, uint32_t *op)
{
	*op = GOAL_NO_OP;
	if (p->text.token == GOAL_WORD && p->text.word_bytes <= GOAL_LABEL_MAX)
		*op = labels_find(&p->labels, p->text.word);
	else if (p->text.token != GOAL_WORD)
		return goal_text_expected(&p->text, "a label");
	return *op != GOAL_NO_OP ||
	       goal_text_wrong(&p->text, "label %s is not defined before", p->text.word);
}

// At "requires" or "irequires"; reads up to the token after the second label.
static bool parse_need(struct goal_read_parse *p, uint32_t op)
{
	struct goal_program *program = &p->program;
	struct goal_need need = {.op = op, .started = goal_text_is(&p->text, "irequires")};

	goal_text_next(&p->text);
	if (!find_label(p, &need.after) || !goal_read_is_within(p, p->bound->need_bytes) ||
	    !goal_read_make_room(p, (void **)&program->needs, program->need_count, &p->need_room,
				 GOAL_NEEDS_MAX, sizeof(*program->needs), "dependencies"))
		return false;
	program->needs[program->need_count++] = need;
	goal_text_next(&p->text);
	return true;
}

// After a label: an operation or a dependency.
static bool parse_labelled(struct goal_read_parse *p, const char *label, size_t label_bytes)
{
	uint32_t op;

	goal_text_next(&p->text);
	if (goal_text_is(&p->text, ":")) {
		if (label_bytes > GOAL_LABEL_MAX)
			return goal_text_wrong(&p->text, "a label of more than %u characters",
					       GOAL_LABEL_MAX);
		if (labels_find(&p->labels, label) != GOAL_NO_OP)
			return goal_text_wrong(&p->text, "label %s is defined twice", label);
		if (!labels_add(&p->labels, label, p->program.op_count))
			return goal_text_wrong(&p->text, TR_OUT_OF_MEMORY);
		goal_text_next(&p->text);
		return is_op(&p->text) ? parse_op(p)
				       : goal_text_expected(&p->text, "send, recv or calc");
	}
	if (!goal_text_is(&p->text, "requires") && !goal_text_is(&p->text, "irequires"))
		return goal_text_expected(&p->text, "\":\", requires or irequires");
	op = labels_find(&p->labels, label);
	if (op == GOAL_NO_OP)
		return goal_text_wrong(&p->text, "label %s is not defined before", label);
	return parse_need(p, op);
}

static bool goal_read_parse_statement(struct goal_read_parse *p)
{
	char label[GOAL_LABEL_MAX + 1];

	if (is_op(&p->text))
		return parse_op(p);
	if (p->text.token != GOAL_WORD)
		return goal_text_expected(&p->text, "an operation, a label or \"}\"");
	memcpy(label, p->text.word, sizeof(label));
	return parse_labelled(p, label, p->text.word_bytes);
}

// After "rank R {", up to "}".
static bool parse_rank(struct goal_read_parse *p)
{
	for (goal_text_next(&p->text); !goal_text_is(&p->text, "}"); goal_text_next(&p->text)) {
		if (p->text.token == GOAL_LINE)
			continue;
		if (!goal_read_parse_statement(p))
			return false;
		if (p->text.token != GOAL_LINE)
			return goal_text_expected(&p->text, "the end of the line");
	}
	labels_forget(&p->labels);
	p->program.first[++p->rank] = p->program.op_count;
	return true;
}

// Skips empty lines.
static void next_filled(struct goal_read_parse *p)
{
	do
		goal_text_next(&p->text);
	while (p->text.token == GOAL_LINE);
}

static bool parse_header(struct goal_read_parse *p)
{
	unsigned long long ranks = 0;

	next_filled(p);
	if (!goal_text_is(&p->text, "num_ranks"))
		return goal_text_expected(&p->text, "num_ranks");
	if (!goal_read_next_number(p, GOAL_RANKS_MAX, "a number of ranks", &ranks))
		return false;
	if (ranks == 0)
		return goal_text_wrong(&p->text, "a program needs at least one rank");
	p->program.ranks = (uint32_t)ranks;
	p->program.first = calloc((size_t)ranks + 1, sizeof(*p->program.first));
	return p->program.first || goal_text_wrong(&p->text, TR_OUT_OF_MEMORY);
}

static bool parse_program(struct goal_read_parse *p)
{
	unsigned long long rank = 0;

	if (!parse_header(p))
		return false;
	for (next_filled(p); goal_text_is(&p->text, "rank"); next_filled(p)) {
		if (!goal_read_next_number(p, p->program.ranks - 1, "a rank", &rank))
			return false;
		if (rank != p->rank)
			return goal_text_wrong(&p->text,
					       "ranks must be in order: expected %u, found %llu",
					       p->rank, rank);
		if (!next_sign(p, "{") || !parse_rank(p))
			return false;
	}
	if (p->rank < p->program.ranks) {
		char what[32];

		snprintf(what, sizeof(what), "rank %u", p->rank);
		return goal_text_expected(&p->text, what);
	}
	return p->text.token == GOAL_END || goal_text_expected(&p->text, "the end of the text");
}

enum tr_status goal_read(struct goal_program *out, struct tr_source *source,
			 const struct goal_bound *bound, struct tr_error *err)
{
	static const struct goal_bound unbounded = {.memory_bytes = UINT64_MAX};
	struct goal_read_parse p = {.program = {.cpus = 1, .nics = 1},
				    .bound = bound ? bound : &unbounded};
	char hint[TR_RECOGNISE_HINT_BYTES];
	bool read;

	*out = (struct goal_program){0};
	if (*tr_recognise_source(source, hint, sizeof(hint)) &&
	    !tr_source_begins(source, "num_ranks", 9))
		return tr_fail(err, "%s: not a GOAL program%s", tr_source_name(source), hint);
	goal_text_start(&p.text, source, err);
	p.program.name = strdup(tr_source_name(source));
	read = p.program.name ? parse_program(&p) : goal_text_wrong(&p.text, TR_OUT_OF_MEMORY);
	labels_clear(&p.labels);
	if (!read) {
		goal_clear(&p.program);
		return TR_ERROR;
	}
	*out = p.program;
	return TR_OK;
}

void goal_clear(struct goal_program *program)
{
	for (uint32_t i = 0; i < program->job_count; i++)
		free(program->jobs[i].name);
	free(program->jobs);
	free(program->name);
	free(program->first);
	free(program->ops);
	free(program->needs);
	*program = (struct goal_program){0};
}
