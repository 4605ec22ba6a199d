// SPDX-License-Identifier: GPL-3.0-or-later
// One hash for the content of a stream, independent of its blocks, compression and provenance.
#ifndef STREAM_BODY_HASH_H
#define STREAM_BODY_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "stream/header.h"
#include "stream/names.h"
#include "value/status.h"

// XXH3-64 (seed 0) over, all little-endian: kind, ticks per second, origin seconds and nanoseconds,
// 8 bytes each; every record in order, as many bytes as flit-trace(5) gives its kind; and the final
// tables: nodes, flows, links, counters, each in order of id (counters: of their first word) as the
// entry that flit-trace(5) draws, ids without a name left out.
struct tr_body_hash;

// TR_ERROR: out of memory.
enum tr_status tr_body_hash_open(struct tr_body_hash **out, const struct tr_header *header,
				 struct tr_error *err);

// Adds count records, stride_bytes apart, in the host's byte order.
void tr_body_hash_add(struct tr_body_hash *hash, const void *records, size_t stride_bytes,
		      size_t count);

// Adds the tables and returns the hash; nothing may be added afterwards.
uint64_t tr_body_hash_end(struct tr_body_hash *hash, const struct tr_names *names);

// NULL is accepted.
void tr_body_hash_close(struct tr_body_hash *hash);

#endif
