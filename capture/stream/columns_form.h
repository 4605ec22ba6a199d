// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns of a plain table are which fields, and how to split its lines into cells.
#ifndef STREAM_COLUMNS_FORM_H
#define STREAM_COLUMNS_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "table/opt.h"
#include "value/num.h"
#include "value/status.h"

#define COLUMN_FIELDS_MAX 8u
#define COLUMN_ANY '\0'	  // detected in the first line
#define COLUMN_BLANKS ' ' // runs of blanks and tabs
#define COLUMN_NAME_BYTES 128u

// What a description has besides columns, for options.
extern const struct opt_choice column_form_settings[];

struct column_choice {
	bool wanted;
	size_t place; // of the column, from 0; set by column_form_head if it has a name
	char name[COLUMN_NAME_BYTES]; // in the first line; "" if the place was given
};

// The words of the fields, at most COLUMN_FIELDS_MAX, in their order. Lent.
struct column_form {
	const struct opt_choice *words;
	struct column_choice columns[COLUMN_FIELDS_MAX];
	struct num_ratio unit_s; // of times that have none
	char separator;
	bool guessed;	    // the separator was not given
	bool decimal_comma; // numbers have a comma where others have a point
	bool named;	    // the first line must hold names
	bool decimal_given; // by dec=
};

// Reads "time=Stamp:ms,src,dst,bytes=4,sep=tab,dec=comma", where words are the fields; the unit of
// the field time is that of all times. Of a form of one field "4" or a name is its column. TR_ERROR
// names the item.
enum tr_status column_form_parse(struct column_form *form, const struct opt_choice *words,
				 const char *description, struct tr_error *err);

// Detects the separator, unless it was given: the first of tab, semicolon, comma (if it is not the
// decimal sign) and bar found outside quotes in both head, a line of names, and line; else in line;
// else blanks. The two may be the same.
void column_form_separate(struct column_form *form, const char *head, const char *line);

// Splits line in place into at most max cells, *count of them, without surrounding blanks and
// quotes. TR_ERROR for an unterminated quote, and for text after one.
enum tr_status column_form_split(const struct column_form *form, char *line, char **cells,
				 size_t max, size_t *count, struct tr_error *err);

// Finds the named columns among the names, the first of which is that of column first, from 0.
// TR_ERROR names one that is missing or duplicate.
enum tr_status column_form_head(struct column_form *form, char *const *names, size_t count,
				size_t first, struct tr_error *err);

#endif
