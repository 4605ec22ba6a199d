// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of one entry of a names chunk, as flit-trace(5) draws them.
#ifndef TRACE_NAME_ENTRY_H
#define TRACE_NAME_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "trace/names.h"

#define TR_NAME_ENTRY_BYTES 32u // before the text
#define TR_NAME_ENTRY_MAX (TR_NAME_ENTRY_BYTES + TR_NOTE_TEXT_MAX)

// Writes the entry (text padded to 8 bytes) to out, which has room for TR_NAME_ENTRY_MAX bytes;
// returns its size. TR_ERROR is not possible: what could fail is tr_name_check's.
size_t tr_name_encode(const struct tr_name *name, uint8_t *out);

// Reads the entry at in, of which got_bytes are there; text is lent from in. *used_bytes is its size.
// TR_ERROR with the reason where it does not fit, has an unknown kind or a bad text.
enum tr_status tr_name_decode(const uint8_t *in, size_t got_bytes, struct tr_name *name, size_t *used_bytes,
			      struct tr_error *err);

// Whether a stream may carry the entry: text within its bound, without control characters (a note may
// have newlines).
enum tr_status tr_name_check(const struct tr_name *name, struct tr_error *err);

#endif
