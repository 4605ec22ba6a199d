// SPDX-License-Identifier: GPL-3.0-or-later
// The one way a program prints numbers for people and for other programs: named tables as aligned text,
// TSV, CSV or JSON.
#ifndef TRACE_TABLE_H
#define TRACE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/opt.h"
#include "trace/status.h"

struct table;

enum table_format { TABLE_AUTO, TABLE_TEXT, TABLE_TSV, TABLE_CSV, TABLE_JSON };

// What the two options below fill in. Zero is valid: automatic.
struct table_style {
	int format; // enum table_format; AUTO: aligned text on a terminal, else TSV
	bool json;  // --json: the same as --format json
};

extern const struct opt_choice table_format_words[];

// TSV, CSV and JSON have texts as they are (in TSV tabs and ends of lines become blanks); aligned text escapes what a terminal
// would obey (trace/printable.h).

// The two rows for a program's option table.
#define TABLE_OPTIONS(style) \
	OPT_FLAG(0, "json", &(style)->json, "print one JSON object"), \
	OPT_CHOICE(0, "format", &(style)->format, table_format_words, "form of the tables")

// An empty table. name is its key in JSON ("sizes"), title what people read above it (NULL: none).
// Never NULL: where memory ends the table remembers it and tables_print fails.
struct table *table_new(const char *name, const char *title);

// Adds a column before the first cell. key is its JSON key and its heading; it carries the unit
// ("mean_B", "latency_us").
void table_column(struct table *table, const char *key);

// Adds the next cell, going to a new row when the last was full. A real is printed to digits significant
// digits in text (1..17; JSON has all 17); NaN and infinities are "-" and null.
void table_text(struct table *table, const char *text);
void table_count(struct table *table, uint64_t value);
void table_signed(struct table *table, int64_t value);
void table_real(struct table *table, double value, int digits);
// A number in decimal digits that no double holds exactly, such as a time; text is copied and must be a JSON number.
void table_decimal(struct table *table, const char *text);
void table_none(struct table *table); // no value: "-" and null

// Rows so far, a begun one included; 1 at least where memory ended, so that the table is printed, which tells.
size_t table_rows(const struct table *table);

// A line of words under the table in text and TSV ("# ..."), "notes" in JSON. Text is copied.
void table_note(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints the tables in order: JSON is one object {"program", "version", "<name>": [rows...], ...}, a table with
// title NULL and one row being an object instead of a list. TR_ERROR where a table ran out of
// memory. A failed write is left to who closes out.
enum tr_status tables_print(struct table *const *tables, size_t count, struct table_style style,
			    const char *program, FILE *out, struct tr_error *err);

void table_free(struct table *table);

#endif
