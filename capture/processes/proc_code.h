// SPDX-License-Identifier: GPL-3.0-or-later
// What the compiler of a flitline-program text and the machine share: the instructions.
#ifndef PROCESSES_PROC_CODE_H
#define PROCESSES_PROC_CODE_H

#include <stdbool.h>

#include "stream/lines.h"
#include "processes/proc.h"

// ---- proc_words.c
// The words of a flitline-program text, line by line.

enum proc_token {
	PROC_NAME,   // a letter, then letters, digits and "_"
	PROC_NUMBER, // a decimal number
	PROC_SIGN,   // one of + - * / % ( ) [ ] , = == != < <= > >=
	PROC_LINE,   // the end of a line
	PROC_END_OF_TEXT,
	PROC_BAD, // anything else, or a failure
};

// The last token read.
struct proc_words {
	struct tr_lines lines;
	struct tr_error *err;
	const char *at; // of the line; NULL: the next line is to be read
	enum proc_token token;
	double number;
	char word[PROC_NAME_MAX + 1];
	bool failed;
};

// Begins before the first token of source. source and err are lent.
void proc_words_start(struct proc_words *words, struct tr_source *source, struct tr_error *err);

// Reads the next token; "#" begins a comment to the end of the line, lines of blanks and comments
// are left out.
void proc_words_next(struct proc_words *words);

// Whether the token is this name or sign; proc_words_take also reads the next one then.
bool proc_words_is(const struct proc_words *words, const char *word);
bool proc_words_take(struct proc_words *words, const char *word);

// The rest of the line as one text without the blanks around it; the token is then the end of the
// line. Lent until the next line.
const char *proc_words_rest(struct proc_words *words);

// Each writes "name:line: ..." unless there is a message already; returns false.
bool proc_words_expected(struct proc_words *words, const char *what);
bool proc_words_wrong(struct proc_words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// ---- proc code

#define PROC_NESTING_MAX 32u // of blocks, and of brackets in an expression

// Instructions take their operands from the stack, the last one on top.
enum proc_what {
	DO_CONSTANT,	// number
	DO_LOCAL,	// variable in the slot where
	DO_SET,		// ... = the value
	DO_ELEMENT,	// indices: shared variable of the array where
	DO_SET_ELEMENT, // indices, value
	DO_ADDRESS,	// indices: number of the shared variable
	DO_MAILBOX,	// indices: number of the mailbox
	DO_ADD,		// the binary ones
	DO_SUBTRACT,
	DO_MULTIPLY,
	DO_DIVIDE,
	DO_MODULO,
	DO_EQUAL,
	DO_UNEQUAL,
	DO_LESS,
	DO_LESS_EQUAL,
	DO_GREATER,
	DO_GREATER_EQUAL,
	DO_AND,
	DO_OR,
	DO_MIN,
	DO_MAX,
	DO_NEGATE, // the unary ones
	DO_NOT,
	DO_FLOOR,
	DO_ABS,
	DO_RANDOM,
	DO_JUMP,	// to the instruction where
	DO_JUMP_UNLESS, // the value is not 0
	DO_COMPUTE,	// value: cost units
	DO_SEND,	// value, mailbox; or items, mailbox
	DO_BROADCAST,	// as DO_SEND, to each mailbox of where with the indices given
	DO_RECEIVE,	// mailbox: value; or addresses of items, mailbox
	DO_ITEM,	// of a send: where shared variables, 0: a value; of a receive the variable
			// where if count is 1, else where shared variables
	DO_WRITE,	// value: to the shared variable that the slot where refers to
	DO_CREATE,	// arguments, mailboxes, processor
	DO_JOIN,
	DO_MEET, // number of processes
	DO_OFF,
	DO_ON,
	DO_CHECK, // found, expected, tolerance
	DO_END,
};

// Whether the slot is a parameter that refers to a shared variable.
static inline bool proc_is_reference(const struct proc_kind *kind, uint32_t slot)
{
	return slot < kind->parameters && (kind->references >> slot & 1);
}

// The value of a binary or unary operation (b is not used), NULL in *why; where it has none, the
// reason.
double proc_arithmetic(enum proc_what what, double a, double b, const char **why);

// ---- the compiler

struct proc_override {
	char name[PROC_NAME_MAX + 1];
	char value[256];
	bool used;
};

struct proc_text {
	struct proc_words words;
	struct proc_program *program;
	struct proc_kind *kind; // being compiled; NULL outside
	char variables[PROC_SLOTS_MAX][PROC_NAME_MAX + 1];
	uint32_t stack;	   // values on it here
	unsigned nesting;  // of brackets or blocks
	bool constant;	   // only parameters and numbers may be used
	bool composite;	   // an array with fewer indices than sides is allowed
	uint32_t cells;	   // of the one that the last expression is; 0: it is a value
	uint32_t cells_at; // instruction after it
	struct proc_override overrides[PROC_PARAMS_MAX];
	uint32_t override_count;
	const struct proc_opener *opener; // lent
};

// Appends an instruction, which takes pops values from the stack and leaves pushes; returns its
// number. After a failure nothing is appended.
uint32_t proc_emit(struct proc_text *text, enum proc_what what, uint32_t where, uint32_t pops,
		   uint32_t pushes);

// Compiles what follows up to the first token that does not belong to it; false after a failure. A
// sum has no comparisons.
bool proc_expression(struct proc_text *text);
bool proc_sum(struct proc_text *text);

// "[expression, ...]" for the array, or nothing for a single cell. The second allows fewer indices
// than sides: it writes how many sides have none, and the cells that this makes.
bool proc_indices(struct proc_text *text, const struct proc_array *array);
bool proc_some_indices(struct proc_text *text, const struct proc_array *array, uint8_t *left_out,
		       uint32_t *cells);

// The value of an expression of constants.
bool proc_constant(struct proc_text *text, double *value);

// As proc_constant, a whole number min .. max.
bool proc_whole(struct proc_text *text, double min, double max, const char *what, uint32_t *value);

// The place of a name, PROC_NOBODY if there is none.
uint32_t proc_find_variable(const struct proc_text *text, const char *name);
uint32_t proc_find_array(const struct proc_array *arrays, uint32_t count, const char *name);
const struct proc_param *proc_find_param(const struct proc_program *program, const char *name);

// Reads "NAME=VALUE,..." (NULL: nothing) into the overrides. False where it is malformed.
bool proc_read_overrides(struct proc_text *text, const char *items, struct tr_error *err);

// The value given for a name; *given says whether there is one. False after reporting that it is no
// number.
bool proc_override_of(struct proc_text *text, const char *name, bool *given, double *value);

// At "costs": reads the table that the line names, a file beside the text, unless another was
// given.
bool proc_parse_costs(struct proc_text *text);
bool proc_open_costs(struct proc_text *text, const char *path);

// Takes the word; false after reporting that there is another.
bool proc_take(struct proc_text *text, const char *word);

// The variable at the token, made where there is none; takes the token. PROC_NOBODY after a
// failure.
uint32_t proc_take_variable(struct proc_text *text);

// Where a value goes: its indices, if any, are compiled before it.
struct proc_target {
	uint32_t array; // PROC_NOBODY: a variable
	uint32_t slot;
};

// Compiles the storing of a value.
bool proc_put_target(struct proc_text *text, const struct proc_target *target);

// ---- proc_messages.c: what comes after the first word of these statements; after "owns" a
// mailbox, whose number is left on the stack
bool proc_send(struct proc_text *text);
bool proc_broadcast(struct proc_text *text);
bool proc_receive(struct proc_text *text);
bool proc_mailbox(struct proc_text *text);

// Compiles the statements of a process up to its "end".
bool proc_body(struct proc_text *text);

// A new variable of the process, which has no such name; PROC_NOBODY after a failure.
uint32_t proc_new_variable(struct proc_text *text, const char *name);

// Whether the token is a name that is free for a new param, array, process or variable; false after
// reporting that it is not.
bool proc_new_name(struct proc_text *text);

#endif
