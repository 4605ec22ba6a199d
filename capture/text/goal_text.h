// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a GOAL text, one at a time.
#ifndef TEXT_GOAL_TEXT_H
#define TEXT_GOAL_TEXT_H

#include "text/goal.h"

enum goal_token {
	GOAL_WORD,   // a letter, then letters, digits and "_"
	GOAL_NUMBER, // digits
	GOAL_MINUS_ONE,
	GOAL_SIGN, // ":", "{" or "}"
	GOAL_LINE, // the end of a line
	GOAL_END,  // of the text
	GOAL_BAD,  // anything else, or a failure of the source
};

// The last token read, and the position after it.
struct goal_text {
	struct tr_source *source;
	struct tr_error *err;
	const uint8_t *data;
	size_t at;
	size_t bytes;
	unsigned long long line; // of the token
	enum goal_token token;
	unsigned long long number;     // of a number; ULLONG_MAX for one that does not fit
	char word[GOAL_LABEL_MAX + 1]; // as written, also of a number; cut if longer
	size_t word_bytes;	       // before cutting
	bool line_ended;	       // the next token is on the next line
	bool failed;		       // the source failed, or a message was written
};

// Begins before the first token of source. source and err are lent.
void goal_text_start(struct goal_text *text, struct tr_source *source, struct tr_error *err);

// Reads the next token. Skips blanks and comments ("//" to the end of the line, "/*" to "*/").
void goal_text_next(struct goal_text *text);

// Writes "name:line: expected what, found ..." unless there is a message already; returns false.
bool goal_text_expected(struct goal_text *text, const char *what);

// Writes "name:line: what" unless there is a message already; returns false.
bool goal_text_wrong(struct goal_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Whether the token is this word or sign.
bool goal_text_is(const struct goal_text *text, const char *word);

#endif
