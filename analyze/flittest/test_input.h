// SPDX-License-Identifier: GPL-3.0-or-later
// What flittest takes from one input, in one pass: arrivals, a series, and the values whose tails are judged.
#ifndef ANALYZE_TEST_INPUT_H
#define ANALYZE_TEST_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "series/series_input.h"
#include "stat/periods.h"
#include "stat/poisson.h"
#include "trace/num.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/status.h"

enum test_of { TEST_OF_PACKETS, TEST_OF_BYTES, TEST_OF_GAPS, TEST_OF_SIZES, TEST_OF_BURSTS, TEST_OF_VALUES };

// "packets", "bytes", "gaps", "sizes", "bursts", "value".
const char *test_of_name(enum test_of of);

struct test_wishes {
	struct series_settings series; // of_bytes is set by of
	struct num_ratio interval;     // of the Poisson test; > 0
	uint64_t seed;		       // of the places of its arrivals within ticks of the clock
	struct num_ratio burst_gap;    // a longer gap ends a burst; num 0: TEST_BURST_GAPS times the median gap
	bool poisson, counts, tails;   // what is wanted
	bool times;		       // arrivals, but where another value is tested
	bool of_given;		       // of chooses what the series and the tails are
	enum test_of of;
};

#define TEST_BURST_GAPS 10

struct test_values {
	enum test_of of;
	struct series series; // seconds, bytes, packets or the text's numbers
};

#define TEST_TAILS_MAX 3

// Zero is a valid empty one. Freed with test_input_clear.
struct test_input {
	bool has_arrivals;    // poisson was filled
	uint64_t ticks_per_s; // of the arrivals
	struct poisson poisson;
	struct test_values counts; // the series; its n is 0 where it is not wanted
	struct spectrum *spectrum; // of that series; NULL where it is not known
	struct periods periods;	   // of that series
	struct series arrivals;	   // seconds since the first, where they are wanted
	struct test_values tails[TEST_TAILS_MAX];
	size_t tail_count;
};

// Packets, deliveries that were delivered, or the bins of a series stream. TR_ERROR with err (without the input's name),
// also where the reader fails and keep_going is not set.
enum tr_status test_input_trace(struct test_input *input, struct tr_reader *in, const struct test_wishes *wishes,
				bool keep_going, struct tr_error *err);

// A text: a column of numbers, or lines of an arrival's time and bytes. TR_ERROR names the line.
enum tr_status test_input_text(struct test_input *input, struct tr_source *source, const struct test_wishes *wishes,
			       struct tr_error *err);
enum tr_status test_input_arrivals(struct test_input *input, struct tr_source *source, const struct test_wishes *wishes,
				   struct tr_error *err);

void test_input_clear(struct test_input *input);

#endif
