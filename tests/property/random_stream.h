// SPDX-License-Identifier: GPL-3.0-or-later
// Random trace streams for the property tests: any kind, any bytes in the records, any names.
#ifndef RANDOM_STREAM_H
#define RANDOM_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/header.h"
#include "stream/names.h"
#include "stream/record.h"
#include "stream/writer.h"
#include "value/random.h"

// The contents of a stream, in order: names and records.
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

// Properties of a random stream.
struct stream_wishes {
	unsigned kind;
	size_t items;	      // approximate number
	uint64_t ticks_per_s; // 0: any
	int64_t span_ticks;   // range of the times; 0: any
	bool unnamed;	      // records may use unnamed ids, below the named ones
	bool plain; // no renaming, no two ids with one meaning, no reserved bits, no unusual text
};

// Fills *stream; freed with stream_clear.
void stream_make(struct stream *stream, struct tr_random *random,
		 const struct stream_wishes *wishes);

// Puts all of it into a writer, with occasional flushes. false if the writer refused.
bool stream_write(const struct stream *stream, struct tr_writer *writer, struct tr_random *random);

// Writes it to a file with random options; aborts the test on failure.
void stream_write_file(const struct stream *stream, const char *path, struct tr_random *random);

void stream_clear(struct stream *stream);

// Number of random cases: few, or many if FLIT_LONG is in the environment.
size_t cases(size_t few, size_t many);

#endif
