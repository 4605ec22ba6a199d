// SPDX-License-Identifier: GPL-3.0-or-later
// Text from inputs on its way to a terminal. What moves the cursor, changes the terminal or turns the direction of writing is
// escaped, so that a name is seen for what it is: C0, DEL and C1 control characters,
// direction marks, line and paragraph separators, and bytes that are no UTF-8.
#ifndef TRACE_PRINTABLE_H
#define TRACE_PRINTABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Whether a character of Unicode is one of those.
bool tr_is_unprintable(uint32_t character);

// Writes text with "\x9b" for such a byte or a character below U+0100, "\u202e" for another. out may be NULL. Returns the
// columns that it takes, each other character one.
int tr_print_text(FILE *out, const char *text);

// A stream for tables and lines: what is written to it reaches out so escaped but for tabs and the ends of lines, each line as it
// ends. To be closed before out, which stays open. NULL without memory.
FILE *tr_printable_stream(FILE *out);

// The same as tr_print_text into out[out_bytes], at least 1; what does not fit is left out, a character as a whole.
void tr_format_text(char *out, size_t out_bytes, const char *text);

// ---- UTF-8, as RFC 3629 has it

// Bytes of the character at text, which ends with a zero byte, 1 .. 4; 0 where it is malformed: not the shortest form, a
// surrogate, or above U+10FFFF.
int tr_utf8_length(const unsigned char *text);

// The character of a well-formed text of so many bytes.
uint32_t tr_utf8_decode(const unsigned char *text, int bytes);

#endif
