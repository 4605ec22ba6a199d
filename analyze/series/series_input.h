// SPDX-License-Identifier: GPL-3.0-or-later
// A series of numbers from whatever an input holds: counts or bytes per bin of a trace, the bins of
// a series stream, or a column of text.
#ifndef ANALYZE_SERIES_INPUT_H
#define ANALYZE_SERIES_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/num.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/status.h"

struct series_settings {
	struct num_ratio bin; // seconds; num 0 where none was given
	bool of_bytes;	      // bytes per bin, not packets
	bool wire;	      // bytes are those of the frames, not of the payload
	uint64_t column;      // of text, from 1
	uint64_t max_points;
};

// Zero is a valid empty one; the caller owns x.
struct series {
	double *x;
	size_t n;
	size_t capacity;
	struct num_ratio bin; // seconds from point to point; num 0 where that is not known
};

// Bins of a trace: the complete ones between the first packet and the last. Of a series
// stream the same of its bins of all nodes and classes, of the width asked for or of its only width. TR_ERROR with err (without the input's name), also where the reader fails
// and keep_going is not set.
enum tr_status series_from_trace(struct series *series, struct tr_reader *in, const struct series_settings *settings,
				 bool keep_going, struct tr_error *err);

// The same of lines of arrivals; see bin_feed.h.
enum tr_status series_from_arrivals(struct series *series, struct tr_source *source, const struct series_settings *settings,
				    struct tr_error *err);

// Numbers in a column of lines; words are separated by blanks, tabs or commas. Empty lines and what
// follows a # are skipped. TR_ERROR names the line, also of a number beyond 1e100; and where all are closer to 0 than
// 1e-100 and not all 0.
enum tr_status series_from_text(struct series *series, struct tr_source *source, const struct series_settings *settings,
				struct tr_error *err);

// Makes room for count points in all. TR_ERROR beyond most, or without memory.
enum tr_status series_reserve(struct series *series, uint64_t count, uint64_t most, struct tr_error *err);

void series_clear(struct series *series);

#endif
