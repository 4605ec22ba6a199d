// SPDX-License-Identifier: GPL-3.0-or-later
// One table of options per program: it drives parsing, --help, the completion scripts and the
// options in the provenance. The value of a row's variable before parsing is its default.
#ifndef TABLE_OPT_H
#define TABLE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "value/num.h"
#include "value/status.h"

struct table_style;

enum opt_type {
	OPT_TYPE_END,
	OPT_TYPE_FLAG,
	OPT_TYPE_COUNT,
	OPT_TYPE_REAL,
	OPT_TYPE_STRING,
	OPT_TYPE_QUANTITY,
	OPT_TYPE_CHOICE,
	OPT_TYPE_LIST,
	OPT_TYPE_ONLY_WITH,
	OPT_TYPE_NOT_WITH,
	OPT_TYPE_GROUP,
};

// A word, its code and what it is, in a line; a table ends with a NULL word.
struct opt_choice {
	const char *word;
	int value;
	const char *what;
};

extern const struct opt_choice opt_levels[]; // 90, 95 and 99

// Values of a repeatable option, in order. words are lent from argv, the array
// belongs to the option set.
struct opt_list {
	const char **words;
	size_t count;
};

#define OPT_SILENT 1u	   // does not affect the result: not recorded in the provenance
#define OPT_PATH 2u	   // names a file: recorded without its directories, completed as a file
#define OPT_SIGNED 4u	   // a quantity that may be below zero
#define OPT_WRITTEN 8u	   // names a file to write; any other OPT_PATH names one to read
#define OPT_OPTIONAL 32u   // of a list: the value is optional, "" by default
#define OPT_ABOVE_ZERO 64u // a count above zero
#define OPT_OPEN \
	128u // other values than the words of the table are taken, too: the program refuses them
#define OPT_WORD 16u // may be a word of the program instead of a path; only opening it tells

struct opt {
	enum opt_type type;
	int letter; // 0 for none
	const char *name;
	const char *metavar;
	const char *help;
	void *value;
	enum num_dimension dimension;
	const struct opt_choice *choices;
	unsigned flags;
	uint64_t max; // of a count; 0 for no bound
	// Prints the words where no table has them. NULL: those of choices.
	enum tr_status (*list)(struct table_style style, FILE *out, struct tr_error *err);
};

#define OPT_FLAG(l, n, v, h) \
	{ \
		OPT_TYPE_FLAG, l, n, NULL, h, (bool *){v}, NUM_PLAIN, NULL, 0, 0 \
	}
#define OPT_COUNT(l, n, v, h) \
	{ \
		OPT_TYPE_COUNT, l, n, "N", h, (uint64_t *){v}, NUM_PLAIN, NULL, 0, 0 \
	}
// A count of at least 1, and at most most (0: no bound): where 0, its default, stands for an option
// that was not given.
#define OPT_NUMBER(l, n, v, most, h) \
	{ \
		OPT_TYPE_COUNT, l, n, "N", h, (uint64_t *){v}, NUM_PLAIN, NULL, OPT_ABOVE_ZERO, \
			most \
	}
// The same; not recorded.
#define OPT_SILENT_NUMBER(l, n, v, most, h) \
	{ \
		OPT_TYPE_COUNT, l, n, "N", h, (uint64_t *){v}, NUM_PLAIN, NULL, \
			OPT_ABOVE_ZERO | OPT_SILENT, most \
	}
#define OPT_REAL(l, n, v, h) \
	{ \
		OPT_TYPE_REAL, l, n, "X", h, (double *){v}, NUM_PLAIN, NULL, 0, 0 \
	}
#define OPT_STRING(l, n, m, v, h) \
	{ \
		OPT_TYPE_STRING, l, n, m, h, (const char **){v}, NUM_PLAIN, NULL, 0, 0 \
	}
// A list whose words are those of a table.
#define OPT_WORDS(l, n, m, v, c, h) \
	{ \
		OPT_TYPE_LIST, l, n, m, h, (struct opt_list *){v}, NUM_PLAIN, c, 0, 0 \
	}
// A string, and a list, whose values are words of a table, begin with one, or are something else,
// which the program tells.
#define OPT_STRING_OR_WORD(l, n, m, v, c, h) \
	{ \
		OPT_TYPE_STRING, l, n, m, h, (const char **){v}, NUM_PLAIN, c, OPT_OPEN, 0 \
	}
#define OPT_LIST_OR_WORDS(l, n, m, v, c, h) \
	{ \
		OPT_TYPE_LIST, l, n, m, h, (struct opt_list *){v}, NUM_PLAIN, c, OPT_OPEN, 0 \
	}
// The same whose words a function prints.
#define OPT_STRING_LISTED(l, n, m, v, f, h) \
	{ \
		OPT_TYPE_STRING, l, n, m, h, (const char **){v}, NUM_PLAIN, NULL, OPT_OPEN, 0, f \
	}
#define OPT_LIST_LISTED(l, n, m, v, f, h) \
	{ \
		OPT_TYPE_LIST, l, n, m, h, (struct opt_list *){v}, NUM_PLAIN, NULL, OPT_OPEN, 0, f \
	}
// Exact quantities: the variable is a struct num_ratio in s, B, b/s, m or m/s.
#define OPT_QUANTITY(l, n, m, d, v, h) \
	{ \
		OPT_TYPE_QUANTITY, l, n, m, h, (struct num_ratio *){v}, d, NULL, 0, 0 \
	}
#define OPT_TIME(l, n, v, h) OPT_QUANTITY(l, n, "TIME", NUM_TIME, v, h)
#define OPT_SIZE(l, n, v, h) OPT_QUANTITY(l, n, "SIZE", NUM_SIZE, v, h)
#define OPT_RATE(l, n, v, h) OPT_QUANTITY(l, n, "RATE", NUM_RATE, v, h)
#define OPT_CHOICE(l, n, v, c, h) \
	{ \
		OPT_TYPE_CHOICE, l, n, NULL, h, (int *){v}, NUM_PLAIN, c, 0, 0 \
	}
#define OPT_LIST(l, n, m, v, h) \
	{ \
		OPT_TYPE_LIST, l, n, m, h, (struct opt_list *){v}, NUM_PLAIN, NULL, 0, 0 \
	}
#define OPT_SILENT_FLAG(l, n, v, h) \
	{ \
		OPT_TYPE_FLAG, l, n, NULL, h, (bool *){v}, NUM_PLAIN, NULL, OPT_SILENT, 0 \
	}
#define OPT_SILENT_STRING(l, n, m, v, h) \
	{ \
		OPT_TYPE_STRING, l, n, m, h, (const char **){v}, NUM_PLAIN, NULL, OPT_SILENT, 0 \
	}
#define OPT_FILE(l, n, v, h) \
	{ \
		OPT_TYPE_STRING, l, n, "FILE", h, (const char **){v}, NUM_PLAIN, NULL, OPT_PATH, 0 \
	}
// A list of files to read.
#define OPT_FILES(l, n, v, h) \
	{ \
		OPT_TYPE_LIST, l, n, "FILE", h, (struct opt_list *){v}, NUM_PLAIN, NULL, OPT_PATH, \
			0 \
	}
// A file to write; not recorded, since where results go does not change them.
#define OPT_SILENT_FILE(l, n, v, h) \
	{ \
		OPT_TYPE_STRING, l, n, "FILE", h, (const char **){v}, NUM_PLAIN, NULL, \
			OPT_PATH | OPT_SILENT | OPT_WRITTEN, 0 \
	}
// A file to read, or a word of a table.
#define OPT_FILE_OR_WORD(l, n, v, c, h) \
	{ \
		OPT_TYPE_STRING, l, n, "FILE", h, (const char **){v}, NUM_PLAIN, c, \
			OPT_PATH | OPT_WORD | OPT_OPEN, 0 \
	}
// Rules between rows, anywhere in the table: each of the options (long names, separated by commas)
// has an effect only if one of the conditions holds, or only if none does. A condition is a long
// name, true if that option was given, or NAME=WORD, true if it has this value, given or by
// default; a list must contain the word or be empty.
#define OPT_ONLY_WITH(options, conditions) \
	{ \
		OPT_TYPE_ONLY_WITH, 0, options, conditions, NULL, NULL, NUM_PLAIN, NULL, 0, 0 \
	}
#define OPT_NOT_WITH(options, conditions) \
	{ \
		OPT_TYPE_NOT_WITH, 0, options, conditions, NULL, NULL, NUM_PLAIN, NULL, 0, 0 \
	}
// The heading of the following rows in the help.
#define OPT_GROUP(heading) \
	{ \
		OPT_TYPE_GROUP, 0, heading, NULL, NULL, NULL, NUM_PLAIN, NULL, 0, 0 \
	}
#define OPT_END \
	{ \
		OPT_TYPE_END, 0, NULL, NULL, NULL, NULL, NUM_PLAIN, NULL, 0, 0 \
	}

#define OPT_ROWS_MAX 128u
#define OPT_RULES_MAX 32u

// What a row's variable held before parsing.
union opt_value {
	bool flag;
	uint64_t count;
	double real;
	const char *string;
	struct num_ratio quantity;
	int choice;
};

// The rows of a program while it runs. The caller owns it; opt_set_clear frees the lists' arrays.
struct opt_set {
	const struct opt *rows[OPT_ROWS_MAX];
	union opt_value defaults[OPT_ROWS_MAX];
	bool given[OPT_ROWS_MAX];
	const char *texts[OPT_ROWS_MAX];    // the value as it was given, lent from argv
	const char *headings[OPT_ROWS_MAX]; // above the row in the help; NULL: none
	size_t count;
	const struct opt *rules[OPT_RULES_MAX];
	size_t rule_count;
	bool operands; // have words, which --completion=operands prints
	const struct opt
		*listed; // the option whose words were asked for, by the value list; NULL: none
	bool command;	 // the operands are a program and its arguments: options end before them
	// What to write instead of an unknown long option: into out, which is returned; NULL if
	// unknown.
	const char *(*hint)(const char *name, char *out, size_t out_bytes); // NULL: no hints
};

// Makes a set of the rows of own, then of common (each ends with OPT_END; NULL: none), keeping the
// variables' values as the defaults. More than OPT_ROWS_MAX rows or OPT_RULES_MAX rules fail an
// assertion.
void opt_set_make(struct opt_set *set, const struct opt *own, const struct opt *common);

// Reads argv by getopt_long(3) into the rows' variables; options and operands may be mixed, "--"
// ends the options. *operand is the index of the first operand; argv is permuted. A flag may be
// given several times, and a list collects its words; any other option that is given twice is an
// error. The value list of an option with words, where it is none of them, sets listed; no rule is
// checked then. TR_ERROR with the reason; the options before it are then set. Not thread-safe
// (getopt's state).
enum tr_status opt_parse(struct opt_set *set, int argc, char **argv, int *operand,
			 struct tr_error *err);

// Checks the given options against the rules of the table. TR_ERROR: err names an option without
// effect, and why.
enum tr_status opt_check_rules(const struct opt_set *set, struct tr_error *err);

// Calls each(context, path, written, err) for every file that the options name (rows with OPT_PATH
// and without OPT_WORD, in order, a list word by word) until a call does not return TR_OK; returns
// the last status.
enum tr_status opt_each_file(const struct opt_set *set,
			     enum tr_status (*each)(void *context, const char *path, bool written,
						    struct tr_error *err),
			     void *context, struct tr_error *err);

// Calls each(context, item, err) for the items of a word, which commas separate, in order, until
// one does not return TR_OK; returns its status. It may change the item.
enum tr_status opt_each_item(const char *word,
			     enum tr_status (*each)(void *context, char *item,
						    struct tr_error *err),
			     void *context, struct tr_error *err);

// Writes the words of a table with blanks between them, as many as have room, for messages. Returns
// out.
const char *opt_words(const struct opt_choice *choices, char *out, size_t out_bytes);

// Whether the row with this long name was given.
bool opt_given(const struct opt_set *set, const char *name);

// Whether the row's variable differs from its default.
bool opt_changed(const struct opt_set *set, size_t row);

// The value of a row's variable in the form that its option takes ("6.25ns"); "" for a flag, a list
// or no value. Returns out.
const char *opt_value_text(const struct opt_set *set, size_t row, char *out, size_t out_bytes);

// Writes a line "--name=value" for each row that was given or changed and is not OPT_SILENT, in the
// order of the rows; a list has one line a word, a flag no value. Control characters become '?'.
void opt_record(const struct opt_set *set, FILE *out);

// Frees the lists' arrays and empties the lists.
void opt_set_clear(struct opt_set *set);

// Writes "usage: name synopsis", the summary and the rows with their help and defaults, at most 80
// columns wide.
void opt_help(const struct opt_set *set, const char *name, const char *synopsis,
	      const char *summary, FILE *out);

// Whether the value list prints words for this row.
bool opt_has_words(const struct opt *row);

// The row with this long name that has words; NULL if there is none.
const struct opt *opt_find_words(const struct opt_set *set, const char *name);

// Writes the completion script of a shell, "bash", "zsh" or "fish". TR_ERROR for any other shell.
// The script asks the program for the words of an option, or "operands", by --completion=NAME,
// which prints a line WORD<TAB>MEANING for each.
enum tr_status opt_completion(const struct opt_set *set, const char *name, const char *shell,
			      FILE *out, struct tr_error *err);

#endif
