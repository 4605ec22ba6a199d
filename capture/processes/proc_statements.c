// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a process in a flitline-program text.
#include <stdio.h>
#include <string.h>

#include "processes/proc_code.h"

#define RANGES_MAX 8u // of one for

bool proc_take(struct proc_text *text, const char *word)
{
	char what[PROC_NAME_MAX + 3];

	if (proc_words_take(&text->words, word))
		return true;
	(void)snprintf(what, sizeof(what), "\"%s\"", word);
	return proc_words_expected(&text->words, what);
}

static bool proc_statements_take_line(struct proc_text *text)
{
	if (text->words.token != PROC_LINE)
		return proc_words_expected(&text->words, "the end of the line");
	proc_words_next(&text->words);
	return !text->words.failed;
}

uint32_t proc_new_variable(struct proc_text *text, const char *name)
{
	const uint32_t slot = text->kind->slots;

	if (slot >= PROC_SLOTS_MAX) {
		proc_words_wrong(&text->words, "more than %u variables", PROC_SLOTS_MAX);
		return PROC_NOBODY;
	}
	(void)snprintf(text->variables[slot], sizeof(text->variables[slot]), "%s", name);
	text->kind->slots++;
	return slot;
}

uint32_t proc_take_variable(struct proc_text *text)
{
	uint32_t slot;

	if (text->words.token != PROC_NAME) {
		proc_words_expected(&text->words, "the name of a variable");
		return PROC_NOBODY;
	}
	slot = proc_find_variable(text, text->words.word);
	if (slot == PROC_NOBODY && proc_new_name(text))
		slot = proc_new_variable(text, text->words.word);
	proc_words_next(&text->words);
	return text->words.failed ? PROC_NOBODY : slot;
}

static bool parse_target(struct proc_text *text, struct proc_target *target)
{
	*target = (struct proc_target){PROC_NOBODY, PROC_NOBODY};
	if (proc_find_variable(text, text->words.word) == PROC_NOBODY)
		target->array = proc_find_array(text->program->shared, text->program->shared_count,
						text->words.word);
	if (target->array == PROC_NOBODY) {
		target->slot = proc_take_variable(text);
		return target->slot != PROC_NOBODY;
	}
	proc_words_next(&text->words);
	return proc_indices(text, &text->program->shared[target->array]);
}

bool proc_put_target(struct proc_text *text, const struct proc_target *target)
{
	if (target->array != PROC_NOBODY)
		proc_emit(text, DO_SET_ELEMENT, target->array,
			  text->program->shared[target->array].side_count + 1, 0);
	else if (proc_is_reference(text->kind, target->slot))
		proc_emit(text, DO_WRITE, target->slot, 1, 0);
	else
		proc_emit(text, DO_SET, target->slot, 1, 0);
	return !text->words.failed;
}

static bool parse_assignment(struct proc_text *text)
{
	struct proc_target target;

	return parse_target(text, &target) && proc_take(text, "=") && proc_expression(text) &&
	       proc_put_target(text, &target);
}

// A shared variable, for a parameter that is a reference.
static bool proc_statements_parse_address(struct proc_text *text)
{
	const struct proc_program *program = text->program;
	const uint32_t array = text->words.token == PROC_NAME
				       ? proc_find_array(program->shared, program->shared_count,
							 text->words.word)
				       : PROC_NOBODY;

	if (array == PROC_NOBODY)
		return proc_words_expected(&text->words, "a shared variable to refer to");
	proc_words_next(&text->words);
	if (!proc_indices(text, &program->shared[array]))
		return false;
	proc_emit(text, DO_ADDRESS, array, program->shared[array].side_count, 1);
	return !text->words.failed;
}

static bool parse_arguments(struct proc_text *text, const struct proc_kind *kind)
{
	if (!proc_take(text, "("))
		return false;
	for (uint32_t i = 0; i < kind->parameters; i++) {
		if (i > 0 && !proc_take(text, ","))
			return false;
		if (!(proc_is_reference(kind, i) ? proc_statements_parse_address(text)
						 : proc_expression(text)))
			return false;
	}
	return proc_take(text, ")");
}

static bool parse_owned(struct proc_text *text, uint8_t *count)
{
	*count = 0;
	if (!proc_words_take(&text->words, "owns"))
		return true;
	do {
		if (*count >= PROC_OWNED_MAX)
			return proc_words_wrong(&text->words, "more than %u mailboxes",
						PROC_OWNED_MAX);
		if (!proc_mailbox(text))
			return false;
		++*count;
	} while (proc_words_take(&text->words, ","));
	return true;
}

// create NAME(arguments) on PROCESSOR owns MAILBOX, ... The stack has the arguments, the processor,
// the mailboxes.
static bool parse_create(struct proc_text *text)
{
	struct proc_program *program = text->program;
	uint32_t number = 0;
	uint32_t at;
	uint8_t owned;

	while (number < program->kind_count &&
	       strcmp(program->kinds[number].name, text->words.word) != 0)
		number++;
	if (text->words.token != PROC_NAME || number == program->kind_count ||
	    number == program->main)
		return proc_words_expected(&text->words, "the name of a process above");
	proc_words_next(&text->words);
	if (!parse_arguments(text, &program->kinds[number]) || !proc_take(text, "on") ||
	    !proc_sum(text) || !parse_owned(text, &owned))
		return false;
	at = proc_emit(text, DO_CREATE, number, program->kinds[number].parameters + 1 + owned, 0);
	if (!text->words.failed)
		program->code[at].count = owned;
	return !text->words.failed;
}

static bool parse_join(struct proc_text *text)
{
	proc_emit(text, DO_JOIN, 0, 0, 0);
	return !text->words.failed;
}

static bool parse_barrier(struct proc_text *text)
{
	if (!proc_expression(text))
		return false;
	proc_emit(text, DO_MEET, 0, 1, 0);
	return !text->words.failed;
}

static bool parse_compute(struct proc_text *text)
{
	if (!proc_expression(text))
		return false;
	proc_emit(text, DO_COMPUTE, 0, 1, 0);
	return !text->words.failed;
}

static bool proc_statements_parse_time(struct proc_text *text)
{
	const bool on = proc_words_is(&text->words, "on");

	if (!on && !proc_words_is(&text->words, "off"))
		return proc_words_expected(&text->words, "on or off");
	proc_words_next(&text->words);
	proc_emit(text, on ? DO_ON : DO_OFF, 0, 0, 0);
	return !text->words.failed;
}

// check FOUND == EXPECTED within TOLERANCE
static bool parse_check(struct proc_text *text)
{
	if (!proc_sum(text) || !proc_take(text, "==") || !proc_sum(text))
		return false;
	if (!proc_words_take(&text->words, "within"))
		proc_emit(text, DO_CONSTANT, 0, 0, 1);
	else if (!proc_sum(text))
		return false;
	proc_emit(text, DO_CHECK, 0, 3, 0);
	return !text->words.failed;
}

// Lets the jump at an instruction lead here.
static void land(const struct proc_text *text, uint32_t jump)
{
	if (!text->words.failed)
		text->program->code[jump].where = text->program->code_count;
}

static bool parse_block(struct proc_text *text);

struct proc_statements_range {
	uint32_t variable;
	uint32_t head; // instruction
	uint32_t leave;
};

// NAME = FIRST to LAST: the head of a loop.
static bool parse_range(struct proc_text *text, struct proc_statements_range *range)
{
	uint32_t last;

	range->variable = proc_take_variable(text);
	if (range->variable == PROC_NOBODY || !proc_take(text, "=") || !proc_sum(text))
		return false;
	if (proc_is_reference(text->kind, range->variable))
		return proc_words_wrong(&text->words, "a reference cannot count");
	proc_emit(text, DO_SET, range->variable, 1, 0);
	last = proc_take(text, "to") && proc_sum(text) ? proc_new_variable(text, "") : PROC_NOBODY;
	if (last == PROC_NOBODY)
		return false;
	proc_emit(text, DO_SET, last, 1, 0);
	range->head = proc_emit(text, DO_LOCAL, range->variable, 0, 1);
	proc_emit(text, DO_LOCAL, last, 0, 1);
	proc_emit(text, DO_LESS_EQUAL, 0, 2, 1);
	range->leave = proc_emit(text, DO_JUMP_UNLESS, 0, 1, 0);
	return !text->words.failed;
}

static void close_range(struct proc_text *text, const struct proc_statements_range *range)
{
	uint32_t one;

	proc_emit(text, DO_LOCAL, range->variable, 0, 1);
	one = proc_emit(text, DO_CONSTANT, 0, 0, 1);
	if (!text->words.failed)
		text->program->code[one].number = 1;
	proc_emit(text, DO_ADD, 0, 2, 1);
	proc_emit(text, DO_SET, range->variable, 1, 0);
	proc_emit(text, DO_JUMP, range->head, 0, 0);
	land(text, range->leave);
}

static bool parse_for(struct proc_text *text)
{
	struct proc_statements_range ranges[RANGES_MAX];
	uint32_t count = 0;

	do {
		if (count == RANGES_MAX)
			return proc_words_wrong(&text->words, "more than %u ranges", RANGES_MAX);
		if (!parse_range(text, &ranges[count++]))
			return false;
	} while (proc_words_take(&text->words, ","));
	if (!proc_statements_take_line(text) || !parse_block(text) || !proc_take(text, "end"))
		return false;
	while (count-- > 0)
		close_range(text, &ranges[count]);
	return !text->words.failed;
}

static bool parse_forall(struct proc_text *text)
{
	return parse_for(text) && parse_join(text);
}

static bool parse_while(struct proc_text *text)
{
	const uint32_t head = text->program->code_count;
	uint32_t leave;

	if (!proc_expression(text) || !proc_statements_take_line(text))
		return false;
	leave = proc_emit(text, DO_JUMP_UNLESS, 0, 1, 0);
	if (!parse_block(text) || !proc_take(text, "end"))
		return false;
	proc_emit(text, DO_JUMP, head, 0, 0);
	land(text, leave);
	return !text->words.failed;
}

static bool parse_if(struct proc_text *text)
{
	uint32_t leave;

	if (!proc_expression(text) || !proc_statements_take_line(text))
		return false;
	leave = proc_emit(text, DO_JUMP_UNLESS, 0, 1, 0);
	if (!parse_block(text))
		return false;
	if (proc_words_take(&text->words, "else")) {
		const uint32_t jump = proc_emit(text, DO_JUMP, 0, 0, 0);

		if (!proc_statements_take_line(text))
			return false;
		land(text, leave);
		leave = jump;
		if (!parse_block(text))
			return false;
	}
	land(text, leave);
	return proc_take(text, "end");
}

static bool proc_statements_parse_statement(struct proc_text *text)
{
	static const struct statement {
		const char *name;
		bool (*parse)(struct proc_text *text);
	} statements[] = {
		{"for", parse_for},	    {"forall", parse_forall},
		{"while", parse_while},	    {"if", parse_if},
		{"send", proc_send},	    {"broadcast", proc_broadcast},
		{"receive", proc_receive},  {"create", parse_create},
		{"join", parse_join},	    {"barrier", parse_barrier},
		{"compute", parse_compute}, {"time", proc_statements_parse_time},
		{"check", parse_check},
	};

	if (text->words.token != PROC_NAME)
		return proc_words_expected(&text->words, "a statement");
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (proc_words_take(&text->words, statements[i].name))
			return statements[i].parse(text);
	return parse_assignment(text);
}

// Statements up to "end" or "else".
static bool parse_block(struct proc_text *text)
{
	bool fine = true;

	if (text->nesting >= PROC_NESTING_MAX)
		return proc_words_wrong(&text->words, "blocks nested more than %u deep",
					PROC_NESTING_MAX);
	text->nesting++;
	while (fine && !proc_words_is(&text->words, "end") && !proc_words_is(&text->words, "else"))
		fine = proc_statements_parse_statement(text) && proc_statements_take_line(text);
	text->nesting--;
	return fine;
}

bool proc_body(struct proc_text *text)
{
	struct proc_kind *kind = text->kind;

	if (!proc_statements_take_line(text) || !parse_block(text))
		return false;
	proc_emit(text, DO_END, 0, 0, 0);
	if (!proc_take(text, "end"))
		return false;
	if (kind->slots + kind->stack > PROC_SLOTS_MAX)
		return proc_words_wrong(&text->words,
					"%s has more than %u variables and intermediate values",
					kind->name, PROC_SLOTS_MAX);
	return true;
}
