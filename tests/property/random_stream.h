// SPDX-License-Identifier: GPL-3.0-or-later
// Random trace streams for the property tests: any kind, any bytes in the records, any names.
#ifndef RANDOM_STREAM_H
#define RANDOM_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/header.h"
#include "trace/names.h"
#include "trace/random.h"
#include "trace/record.h"
#include "trace/writer.h"

// What a stream says, in order: names and records.
struct stream_item {
	bool is_name;
	struct tr_name name; // text owned by the stream
	union tr_record record;
};

struct stream {
	struct tr_header header;
	struct stream_item *items;
	size_t count;
	size_t records;
	struct tr_trailer trailer;
};

// How wild a stream is.
struct stream_wishes {
	unsigned kind;
	size_t items;	      // about so many
	uint64_t ticks_per_s; // 0: any
	int64_t span_ticks;   // the times lie in so many; 0: any
	bool unnamed;	      // records may use ids that no name was said for, below those that have one
	bool plain;	      // no renaming, no two ids with one meaning, no reserved bits, no strange text
};

// Fills *stream; freed with stream_clear.
void stream_make(struct stream *stream, struct tr_random *random, const struct stream_wishes *wishes);

// Puts all of it into a writer, with flushes here and there. false where the writer refused.
bool stream_write(const struct stream *stream, struct tr_writer *writer, struct tr_random *random);

// Writes it to a file with random options; aborts the test on failure.
void stream_write_file(const struct stream *stream, const char *path, struct tr_random *random);

void stream_clear(struct stream *stream);

// Number of random cases: few, or many where FLIT_LONG is in the environment.
size_t cases(size_t few, size_t many);

#endif
