// SPDX-License-Identifier: GPL-3.0-or-later
// A stream that gathers text in memory, as open_memstream(3), whose failures are seen: that one forgets where memory ended.
#ifndef TRACE_MEMSTREAM_H
#define TRACE_MEMSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// *text, zero-terminated, and *bytes are what was written once it is closed; the caller frees *text in any case. Both must
// live until then. NULL: out of memory, *text is NULL.
FILE *tr_memstream_open(char **text, size_t *bytes);

// false where *text is not all that was written.
bool tr_memstream_close(FILE *stream);

#endif
