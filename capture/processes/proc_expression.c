// SPDX-License-Identifier: GPL-3.0-or-later
// Names and expressions of a flitline-program text; expressions by recursive descent.
#include <math.h>
#include <string.h>

#include "processes/proc_code.h"
#include "value/grow.h"

#define WHOLE_MAX 0x1p53

uint32_t proc_find_variable(const struct proc_text *text, const char *name)
{
	for (uint32_t i = 0; text->kind && i < text->kind->slots; i++)
		if (strcmp(text->variables[i], name) == 0)
			return i;
	return PROC_NOBODY;
}

uint32_t proc_find_array(const struct proc_array *arrays, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(arrays[i].name, name) == 0)
			return i;
	return PROC_NOBODY;
}

const struct proc_param *proc_find_param(const struct proc_program *program, const char *name)
{
	for (uint32_t i = 0; i < program->param_count; i++)
		if (strcmp(program->params[i].name, name) == 0)
			return &program->params[i];
	return NULL;
}

bool proc_new_name(struct proc_text *text)
{
	static const char *const words[] = {
		"param",     "costs",  "speed", "shared",  "channel", "process", "main",  "after",
		"end",	     "else",   "for",	"forall",  "while",   "if",	 "send",  "receive",
		"broadcast", "create", "join",	"barrier", "compute", "time",	 "check", "to",
		"from",	     "on",     "owns",	"within",  "not",     "and",	 "or",	  "min",
		"max",	     "floor",  "abs",	"random",  "ref"};
	const struct proc_program *program = text->program;
	const char *name = text->words.word;

	if (text->words.token != PROC_NAME)
		return proc_words_expected(&text->words, "a name");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(name, words[i]) == 0)
			return proc_words_wrong(&text->words,
						"%s is a word of the language and cannot be a name",
						name);
	if (proc_find_param(program, name) ||
	    proc_find_array(program->shared, program->shared_count, name) != PROC_NOBODY ||
	    proc_find_array(program->channels, program->channel_count, name) != PROC_NOBODY)
		return proc_words_wrong(&text->words, "the name %s is used above", name);
	for (uint32_t i = 0; i < program->kind_count; i++)
		if (strcmp(program->kinds[i].name, name) == 0)
			return proc_words_wrong(&text->words, "the name %s is used above", name);
	return true;
}

static enum proc_cost proc_expression_cost_of(enum proc_what what)
{
	static const uint8_t costs[] = {
		[DO_CONSTANT] = PROC_LOAD,
		[DO_LOCAL] = PROC_LOAD,
		[DO_SET] = PROC_STORE,
		[DO_ELEMENT] = PROC_INDEX,
		[DO_SET_ELEMENT] = PROC_INDEX,
		[DO_ADDRESS] = PROC_INDEX,
		[DO_MAILBOX] = PROC_INDEX,
		[DO_JUMP] = PROC_BRANCH,
		[DO_JUMP_UNLESS] = PROC_BRANCH,
		[DO_SEND] = PROC_SEND,
		[DO_BROADCAST] = PROC_BROADCAST,
		[DO_ITEM] = PROC_FREE,
		[DO_RECEIVE] = PROC_RECEIVE,
		[DO_WRITE] = PROC_WRITE,
		[DO_CREATE] = PROC_CREATE,
		[DO_JOIN] = PROC_JOIN,
		[DO_MEET] = PROC_BARRIER,
		[DO_COMPUTE] = PROC_FREE,
		[DO_OFF] = PROC_FREE,
		[DO_ON] = PROC_FREE,
		[DO_CHECK] = PROC_FREE,
		[DO_END] = PROC_END,
	};

	return what >= DO_ADD && what <= DO_RANDOM ? PROC_ARITHMETIC : (enum proc_cost)costs[what];
}

// Makes room for one more instruction; false after reporting an error.
static bool proc_expression_make_room(struct proc_text *text)
{
	struct proc_program *program = text->program;

	if (program->code_count == PROC_CODE_MAX)
		return proc_words_wrong(&text->words, "more than %u instructions", PROC_CODE_MAX);
	return GROW(program->code, program->code_room, program->code_count) ||
	       proc_words_wrong(&text->words, TR_OUT_OF_MEMORY);
}

uint32_t proc_emit(struct proc_text *text, enum proc_what what, uint32_t where, uint32_t pops,
		   uint32_t pushes)
{
	struct proc_program *program = text->program;

	if (text->words.failed || !proc_expression_make_room(text))
		return 0;
	program->code[program->code_count] = (struct proc_instruction){
		.where = where,
		.line = (uint32_t)text->words.lines.number,
		.what = (uint8_t)what,
		.cost = (uint8_t)proc_expression_cost_of(what)};
	text->stack += pushes - pops;
	if (text->kind && text->stack > text->kind->stack)
		text->kind->stack = text->stack;
	return program->code_count++;
}

static void emit_constant(struct proc_text *text, double number)
{
	const uint32_t at = proc_emit(text, DO_CONSTANT, 0, 0, 1);

	if (!text->words.failed)
		text->program->code[at].number = number;
}

// Compiles as many of the sides' indices as there are; *sides is their number.
static bool parse_indices(struct proc_text *text, uint32_t most, uint32_t *sides)
{
	const bool composite = text->composite;
	bool fine = true;

	*sides = 0;
	if (most == 0 || !proc_words_take(&text->words, "["))
		return true;
	text->composite = false;
	do
		fine = proc_sum(text);
	while (fine && ++*sides < most && proc_words_take(&text->words, ","));
	text->composite = composite;
	return fine;
}

bool proc_indices(struct proc_text *text, const struct proc_array *array)
{
	uint32_t sides;

	if (!parse_indices(text, array->side_count, &sides))
		return false;
	if (sides < array->side_count)
		return proc_words_expected(&text->words,
					   sides == 0 ? "\"[\"" : "\",\" and one more index");
	return sides == 0 || proc_words_take(&text->words, "]") ||
	       proc_words_expected(&text->words, "\"]\"");
}

bool proc_some_indices(struct proc_text *text, const struct proc_array *array, uint8_t *left_out,
		       uint32_t *cells)
{
	uint32_t sides;

	if (!parse_indices(text, array->side_count, &sides))
		return false;
	if (sides > 0 && !proc_words_take(&text->words, "]"))
		return proc_words_expected(&text->words, "\"]\"");
	*left_out = (uint8_t)(array->side_count - sides);
	*cells = 1;
	while (sides < array->side_count)
		*cells *= array->sides[sides++];
	return true;
}

// After the name of a function.
static bool parse_call(struct proc_text *text, enum proc_what what, uint32_t arguments)
{
	if (!proc_words_take(&text->words, "("))
		return proc_words_expected(&text->words, "\"(\"");
	for (uint32_t i = 0; i < arguments; i++) {
		if (i > 0 && !proc_words_take(&text->words, ","))
			return proc_words_expected(&text->words, "\",\" and one more argument");
		if (!proc_expression(text))
			return false;
	}
	if (!proc_words_take(&text->words, ")"))
		return proc_words_expected(&text->words, "\")\"");
	if (text->constant && what == DO_RANDOM)
		return proc_words_wrong(&text->words, "random() is not a constant");
	proc_emit(text, what, 0, arguments, 1);
	return !text->words.failed;
}

static bool proc_expression_parse_array(struct proc_text *text, uint32_t number)
{
	const struct proc_array *array = &text->program->shared[number];
	uint8_t left_out = 0;
	uint32_t cells, at;

	if (!(text->composite ? proc_some_indices(text, array, &left_out, &cells)
			      : proc_indices(text, array)))
		return false;
	at = proc_emit(text, left_out > 0 ? DO_ADDRESS : DO_ELEMENT, number,
		       array->side_count - left_out, 1);
	if (text->words.failed || left_out == 0)
		return !text->words.failed;
	text->program->code[at].count = left_out;
	text->cells = cells;
	text->cells_at = at + 1;
	return true;
}

static bool parse_name(struct proc_text *text)
{
	static const struct function {
		const char *name;
		enum proc_what what;
		uint32_t arguments;
	} functions[] = {{"min", DO_MIN, 2},
			 {"max", DO_MAX, 2},
			 {"floor", DO_FLOOR, 1},
			 {"abs", DO_ABS, 1},
			 {"random", DO_RANDOM, 0}};
	const struct proc_param *param = proc_find_param(text->program, text->words.word);
	const uint32_t variable = proc_find_variable(text, text->words.word);
	const uint32_t array = proc_find_array(text->program->shared, text->program->shared_count,
					       text->words.word);

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (proc_words_take(&text->words, functions[i].name))
			return parse_call(text, functions[i].what, functions[i].arguments);
	if (param) {
		emit_constant(text, param->value);
	} else if (text->constant) {
		return proc_words_expected(&text->words,
					   "a number or the name of a parameter above");
	} else if (variable != PROC_NOBODY) {
		if (proc_is_reference(text->kind, variable))
			return proc_words_wrong(&text->words,
						"%s is a reference: it can be written, not read",
						text->words.word);
		proc_emit(text, DO_LOCAL, variable, 0, 1);
	} else if (array != PROC_NOBODY) {
		proc_words_next(&text->words);
		return proc_expression_parse_array(text, array);
	} else {
		return proc_words_wrong(&text->words, "no variable or parameter is called %s here",
					text->words.word);
	}
	proc_words_next(&text->words);
	return !text->words.failed;
}

static bool parse_primary(struct proc_text *text)
{
	bool fine;

	if (text->words.token == PROC_NUMBER) {
		emit_constant(text, text->words.number);
		proc_words_next(&text->words);
		return !text->words.failed;
	}
	if (text->words.token == PROC_NAME)
		return parse_name(text);
	if (!proc_words_take(&text->words, "("))
		return proc_words_expected(&text->words, "a value");
	fine = proc_expression(text);
	return fine &&
	       (proc_words_take(&text->words, ")") || proc_words_expected(&text->words, "\")\""));
}

static bool parse_unary(struct proc_text *text)
{
	bool fine;

	if (text->nesting >= PROC_NESTING_MAX)
		return proc_words_wrong(&text->words, "an expression nested more than %u deep",
					PROC_NESTING_MAX);
	text->nesting++;
	if (proc_words_take(&text->words, "-")) {
		fine = parse_unary(text);
		proc_emit(text, DO_NEGATE, 0, 1, 1);
	} else {
		fine = parse_primary(text);
	}
	text->nesting--;
	return fine && !text->words.failed;
}

struct operator
{
	const char *sign;
	enum proc_what what;
};

// Operands joined by the operators from the left; with at most one operator unless many.
static bool parse_chain(struct proc_text *text, bool (*operand)(struct proc_text *text),
			const struct operator* operators, bool many)
{
	bool fine = operand(text);

	for (const struct operator* o = operators; fine && o->sign;) {
		if (!proc_words_take(&text->words, o->sign)) {
			o++;
			continue;
		}
		fine = operand(text);
		proc_emit(text, o->what, 0, 2, 1);
		if (!many)
			break;
		o = operators;
	}
	return fine && !text->words.failed;
}

static bool parse_product(struct proc_text *text)
{
	static const struct operator operators[] = {
		{"*", DO_MULTIPLY}, {"/", DO_DIVIDE}, {"%", DO_MODULO}, {NULL, DO_END}};

	return parse_chain(text, parse_unary, operators, true);
}

bool proc_sum(struct proc_text *text)
{
	static const struct operator operators[] = {
		{"+", DO_ADD}, {"-", DO_SUBTRACT}, {NULL, DO_END}};

	return parse_chain(text, parse_product, operators, true);
}

static bool parse_comparison(struct proc_text *text)
{
	static const struct operator operators[] = {{"==", DO_EQUAL},	   {"!=", DO_UNEQUAL},
						    {"<=", DO_LESS_EQUAL}, {">=", DO_GREATER_EQUAL},
						    {"<", DO_LESS},	   {">", DO_GREATER},
						    {NULL, DO_END}};

	if (!proc_words_take(&text->words, "not"))
		return parse_chain(text, proc_sum, operators, false);
	if (!parse_chain(text, proc_sum, operators, false))
		return false;
	proc_emit(text, DO_NOT, 0, 1, 1);
	return !text->words.failed;
}

static bool parse_both(struct proc_text *text)
{
	static const struct operator operators[] = {{"and", DO_AND}, {NULL, DO_END}};

	return parse_chain(text, parse_comparison, operators, true);
}

bool proc_expression(struct proc_text *text)
{
	static const struct operator operators[] = {{"or", DO_OR}, {NULL, DO_END}};

	return parse_chain(text, parse_both, operators, true);
}

double proc_arithmetic(enum proc_what what, double a, double b, const char **why)
{
	*why = NULL;
	switch (what) {
	case DO_ADD: return a + b;
	case DO_SUBTRACT: return a - b;
	case DO_MULTIPLY: return a * b;
	case DO_DIVIDE:
		if (b == 0)
			*why = "a division by 0";
		return *why ? 0 : a / b;
	case DO_MODULO:
		if (!(b > 0) || b > WHOLE_MAX || fabs(a) > WHOLE_MAX || floor(a) != a ||
		    floor(b) != b)
			*why = "% takes whole numbers, the second above 0";
		return *why ? 0 : a - b * floor(a / b);
	case DO_EQUAL: return a == b;
	case DO_UNEQUAL: return a != b;
	case DO_LESS: return a < b;
	case DO_LESS_EQUAL: return a <= b;
	case DO_GREATER: return a > b;
	case DO_GREATER_EQUAL: return a >= b;
	case DO_AND: return a != 0 && b != 0;
	case DO_OR: return a != 0 || b != 0;
	case DO_MIN: return a < b ? a : b;
	case DO_MAX: return a > b ? a : b;
	case DO_NEGATE: return -a;
	case DO_NOT: return a == 0;
	case DO_FLOOR: return floor(a);
	default: return fabs(a); // DO_ABS
	}
}

// The value of the instructions from first on, which are constants and arithmetic.
static double proc_expression_fold(const struct proc_text *text, uint32_t first, const char **why)
{
	double stack[PROC_SLOTS_MAX];
	uint32_t count = 0;

	*why = NULL;
	for (uint32_t i = first; i < text->program->code_count && !*why; i++) {
		const struct proc_instruction *instruction = &text->program->code[i];
		const enum proc_what what = (enum proc_what)instruction->what;

		if (what == DO_CONSTANT) {
			stack[count++] = instruction->number;
		} else if (what < DO_NEGATE) {
			count--;
			stack[count - 1] = proc_arithmetic(what, stack[count - 1], stack[count],
							   why);
		} else {
			stack[count - 1] = proc_arithmetic(what, stack[count - 1], 0, why);
		}
	}
	return stack[0];
}

bool proc_constant(struct proc_text *text, double *value)
{
	struct proc_kind scratch = {.stack = 0};
	struct proc_kind *kind = text->kind;
	const uint32_t first = text->program->code_count;
	const char *why = NULL;
	bool fine;

	text->kind = &scratch;
	text->constant = true;
	text->stack = 0;
	fine = proc_sum(text);
	if (fine && scratch.stack > PROC_SLOTS_MAX)
		fine = proc_words_wrong(&text->words, "the expression is too long");
	if (fine)
		*value = proc_expression_fold(text, first, &why);
	text->program->code_count = first;
	text->kind = kind;
	text->constant = false;
	text->stack = 0;
	return fine && (!why || proc_words_wrong(&text->words, "%s", why));
}

bool proc_whole(struct proc_text *text, double min, double max, const char *what, uint32_t *value)
{
	double number;

	if (!proc_constant(text, &number))
		return false;
	if (!(number >= min && number <= max) || floor(number) != number)
		return proc_words_wrong(&text->words, "expected %s of %.0f to %.0f, found %.10g",
					what, min, max, number);
	*value = (uint32_t)number;
	return true;
}
