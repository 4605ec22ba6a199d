// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8, as RFC 3629 has it.
#ifndef TRACE_UTF8_H
#define TRACE_UTF8_H

#include <stdint.h>

// Bytes of the character at text, which ends with a zero byte, 1 .. 4; 0 where it is malformed: not the shortest form, a
// surrogate, or above U+10FFFF.
int tr_utf8_length(const unsigned char *text);

// The character of a well-formed text of so many bytes.
uint32_t tr_utf8_decode(const unsigned char *text, int bytes);

#endif
