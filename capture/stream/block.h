// SPDX-License-Identifier: GPL-3.0-or-later
// The checks on a block of records, for readers and writers alike.
#ifndef STREAM_BLOCK_H
#define STREAM_BLOCK_H

#include "stream/names.h"
#include "stream/record.h"
#include "value/status.h"

// Tests count records, record_bytes apart, of the host's byte order: times from *time_ticks on
// (unless unsorted) and ids that names holds. On TR_OK *time_ticks is the last record's time; on
// TR_ERROR *bad is the index of the first record that fails and err says why.
enum tr_status tr_block_check(const struct tr_kind_info *kind, const void *records,
			      size_t record_bytes, size_t count, bool unsorted,
			      const struct tr_names *names, int64_t *time_ticks, size_t *bad,
			      struct tr_error *err);

#endif
