// SPDX-License-Identifier: GPL-3.0-or-later
// A stream that gathers text in memory, as open_memstream(3), but reports running out of memory,
// which that one does not.
#ifndef VALUE_MEMSTREAM_H
#define VALUE_MEMSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Once closed, *text (zero-terminated) and *bytes are what was written; both variables must live
// until then. The caller frees *text in any case. NULL: out of memory, *text is NULL.
FILE *tr_memstream_open(char **text, size_t *bytes);

// false if *text lacks a part of what was written.
bool tr_memstream_close(FILE *stream);

#endif
