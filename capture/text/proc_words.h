// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a flitline-program text, line by line.
#ifndef TEXT_PROC_WORDS_H
#define TEXT_PROC_WORDS_H

#include <stdbool.h>

#include "stream/lines.h"
#include "text/proc.h"

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

void proc_words_start(struct proc_words *words, struct tr_source *source, struct tr_error *err);

// Reads the next token; "#" begins a comment to the end of the line, lines of blanks and comments are left out.
void proc_words_next(struct proc_words *words);

// Whether the token is this name or sign; proc_words_take also reads the next one then.
bool proc_words_is(const struct proc_words *words, const char *word);
bool proc_words_take(struct proc_words *words, const char *word);

// The rest of the line as one text without the blanks around it; the token is then the end of the line. Lent until the next
// line.
const char *proc_words_rest(struct proc_words *words);

// Each writes "name:line: ..." unless there is a message already; returns false.
bool proc_words_expected(struct proc_words *words, const char *what);
bool proc_words_wrong(struct proc_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
