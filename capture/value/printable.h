// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes text from inputs for a terminal: whatever moves the cursor, changes the terminal or
// reverses the direction of writing, so that names show as they are: C0, DEL and C1 control
// characters, direction marks, line and paragraph separators, and bytes that are not UTF-8.
#ifndef VALUE_PRINTABLE_H
#define VALUE_PRINTABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Whether a Unicode character is one of those.
bool tr_is_unprintable(uint32_t character);

// Writes text, escaping such a byte or a character below U+0100 as "\x9b", others as "\u202e". out
// may be NULL. Returns the width in columns, one for each unescaped character.
int tr_print_text(FILE *out, const char *text);

// A stream for tables and lines: passes text to out line by line, escaped except for tabs and
// newlines. To be closed before out, which stays open. NULL if out of memory.
FILE *tr_printable_stream(FILE *out);

// As tr_print_text, into out[out_bytes], out_bytes >= 1; cuts what does not fit at a whole
// character.
void tr_format_text(char *out, size_t out_bytes, const char *text);

// ---- UTF-8 (RFC 3629)

// Bytes of the character at text (zero-terminated), 1 .. 4; 0 if malformed: overlong, a surrogate,
// or above U+10FFFF.
int tr_utf8_length(const unsigned char *text);

// Decodes a well-formed character of that many bytes.
uint32_t tr_utf8_decode(const unsigned char *text, int bytes);

#endif
