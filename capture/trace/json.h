// SPDX-License-Identifier: GPL-3.0-or-later
// Single JSON values, written straight to a stream; reading JSON is jansson's work.
#ifndef TRACE_JSON_H
#define TRACE_JSON_H

#include <stdio.h>

// Writes text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD; what
// tr_is_unprintable() names is written as \u and four digits.
void json_write_text(FILE *out, const char *text);

// Writes value with the fewest digits that give it back; null where it is not finite.
void json_write_real(FILE *out, double value);

#endif
