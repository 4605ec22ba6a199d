// SPDX-License-Identifier: GPL-3.0-or-later
// Prints numbers, for people and for other programs: named tables as aligned text, TSV, CSV or JSON
// by the programs, and as text, HTML and LaTeX in a report.
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "table/opt.h"
#include "table/opt_rows.h"
#include "value/status.h"

struct table;

// WORDS has a word of the table and its meaning a line, with a tab between, for the completion of a
// shell; no option says so. A program's other formats come after it.
enum table_format { TABLE_AUTO, TABLE_TEXT, TABLE_TSV, TABLE_CSV, TABLE_JSON, TABLE_WORDS };

// Set by the options below. Zero is valid: automatic, all tables.
struct table_style {
	int format;	      // enum table_format; AUTO: aligned text on a terminal, else TSV
	bool json;	      // --json: the same as --format json
	struct opt_list only; // --table: names of the tables to print, or list; empty: all
	const char *odd; // anomalies of the input, a line each, which JSON has before the tables;
			 // lent; NULL: nothing
};

extern const struct opt_choice table_format_words[];
#define TABLE_FORMAT_WORDS \
	{"auto", TABLE_AUTO, "text on a terminal, else tsv"}, \
		{"text", TABLE_TEXT, "aligned columns"}, \
		{"tsv", TABLE_TSV, "a tab between columns"}, \
		{"csv", TABLE_CSV, "commas between columns"}, \
	{ \
		"json", TABLE_JSON, "one JSON object" \
	}

// TSV, CSV and JSON have texts unchanged (in TSV tabs and newlines become blanks); aligned text
// escapes what a terminal would obey (value/printable.h).

// The rows for a program's option table; of a program that has other formats, too, with its own
// words.
#define TABLE_OPTIONS(style) TABLE_OPTIONS_WITH(style, table_format_words)
#define TABLE_OPTIONS_WITH(style, words) \
	OPT_FLAG(0, "json", &(style)->json, "short for --format json"), \
		OPT_FORMAT(&(style)->format, words), \
		OPT_LIST(0, "table", "TABLE", &(style)->only, \
			 "print only this table (list: their names)")

// An empty table. name is its key in JSON ("sizes"), title the line above it (NULL: none).
// Never NULL: if memory runs out, the table remembers it and tables_print fails.
struct table *table_new(const char *name, const char *title);

// Adds a column before the first cell. key is its JSON key and its heading; it carries the unit
// ("mean_B", "latency_us").
void table_column(struct table *table, const char *key);

// The same for several keys separated by blanks.
void table_columns(struct table *table, const char *keys);

// A column with fixed alignment, whatever its cells: words to the left, numbers to the right.
void table_words(struct table *table, const char *heading);
void table_numbers(struct table *table, const char *heading);

// From now on text, HTML and LaTeX show numbers in the style of value/number.h, "12,300", and
// missing cells empty. TSV has reals to 9 digits.
void table_set_for_people(struct table *table);

// Prints it only where --table names it: what it is of did not happen.
void table_set_by_name(struct table *table);

// Adds the next cell, starting a new row when the last is full. A real is printed to digits
// significant digits in text (1..17; JSON has all 17); NaN and infinities are "-" and null.
void table_text(struct table *table, const char *text); // NULL: no value
void table_count(struct table *table, uint64_t value);
void table_signed(struct table *table, int64_t value);
void table_real(struct table *table, double value, int digits);
// A number in decimal digits that no double holds exactly, such as a time; text is copied and must
// be a JSON number.
void table_decimal(struct table *table, const char *text);
void table_seconds(struct table *table, int64_t ticks,
		   uint64_t ticks_per_s); // exact (tr_ticks_format)
void table_none(struct table *table);	  // no value: "-" and null

// An interval with its bounds to digits significant digits.
void table_range(struct table *table, double lo, double hi, int digits);

// A value, or the interval itself, rounded by its interval (number_error).
void table_error(struct table *table, double value, double lo, double hi);
void table_error_range(struct table *table, double lo, double hi);

// A variance of n values, rounded by two standard errors of one of independent normal values
// (table_rows.h).
void table_variance(struct table *table, double variance, uint64_t n);

// The form of the words that a table lists, "{kind}:{key}=", with cells under these headings; by
// default the first cell. Their meaning is the cell under meaning, else the last. form is lent.
void table_words_are(struct table *table, const char *form);

// Rows so far, with an incomplete one; at least 1 if memory ran out, so that the table is printed
// and fails.
size_t table_rows(const struct table *table);

// A line under the table in text and TSV ("# ..."), in "notes" in JSON. Text is copied.
void table_note(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints the tables in order: JSON is one object {"program", "version", "odd": [lines...],
// "<name>": [rows...], ...}, a table with title NULL and one row being an object instead of a list.
// With style.only it prints those tables, in the same order, or for the word list the names of all.
// TR_ERROR if a table ran out of memory or a name is unknown. A failed write shows when the caller
// closes out.
enum tr_status tables_print(struct table *const *tables, size_t count, struct table_style style,
			    const char *program, FILE *out, struct tr_error *err);

// The same, and frees the tables.
enum tr_status tables_finish(struct table *const *tables, size_t count, struct table_style style,
			     const char *program, FILE *out, struct tr_error *err);

// Prints the rows so far of a table whose rows come over time, a line each, after the title and
// headings if headed; JSON is an object a line. In aligned text columns are as wide as their
// headings, at least 12. TR_ERROR if the table ran out of memory.
enum tr_status table_print_lines(const struct table *table, bool headed, struct table_style style,
				 FILE *out, struct tr_error *err);

// The title, NULL for none; a note by its index, NULL after the last; whether memory ran out.
const char *table_title(const struct table *table);
const char *table_note_at(const struct table *table, size_t index);
bool table_failed(const struct table *table);

// The headings and rows without title and notes: as lines of text, a <table>; an object as lines or
// a <dl>.
// As TSV with title and notes. TR_ERROR if out of memory.
enum tr_status table_write_text(const struct table *table, FILE *out);
void table_write_html(const struct table *table, FILE *out);
void table_write_tsv(const struct table *table, FILE *out);

// The words of the table and what they mean (TABLE_WORDS).
void table_write_words(const struct table *table, FILE *out);

// Marks the table as out of memory, as if one of its own additions had failed.
void table_fail(struct table *table);

// A table that has lost its content: additions are dropped, table_failed is true.
struct table *table_lost(void);

// Frees it; NULL does nothing.
void table_free(struct table *table);

#endif
