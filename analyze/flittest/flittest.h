// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flittest share: the data from an input, the tests, and the tables.
#ifndef FLITTEST_FLITTEST_H
#define FLITTEST_FLITTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "series/series.h"
#include "stat/bursts/burst_gap.h"
#include "stat/counts/poisson_test.h"
#include "stat/intervals/verdict.h"
#include "stat/spectra/periods.h"
#include "stat/tests/constancy.h"
#include "stat/tests/heavy_tail.h"
#include "stat/tests/level_shift.h"
#include "stat/tests/shuffled_control.h"
#include "stream/reader.h"
#include "table/table.h"
#include "value/num.h"
#include "value/status.h"

// ---- test_input.c
// The data that flittest reads from one input, in one pass: arrivals, a series, and the values
// whose tails are tested.

enum test_of {
	TEST_OF_PACKETS,
	TEST_OF_BYTES,
	TEST_OF_GAPS,
	TEST_OF_SIZES,
	TEST_OF_BURSTS,
	TEST_OF_VALUES
};

// "packets", "bytes", "gaps", "sizes", "bursts", "value".
const char *test_of_name(enum test_of of);

struct test_wishes {
	struct series_settings series; // of_bytes is set by of
	struct num_ratio interval;     // of the Poisson test; > 0
	uint64_t seed;		       // of the random positions of its arrivals within clock ticks
	struct burst_gap_rule burst_rule;
	bool poisson, counts, tails; // the tests wanted
	bool times;		     // arrivals, unless another value is tested
	bool of_given;		     // of chooses the values of the series and the tails
	enum test_of of;
};

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
	struct test_values counts; // the series; n is 0 if not wanted
	struct spectrum *spectrum; // of that series; NULL if unknown
	struct periods periods;	   // of that series
	struct series arrivals;	   // seconds since the first, if wanted
	bool has_bursts;	   // they were wanted
	struct burst_gap burst_gap;
	uint64_t whole_bursts; // neither first nor last, nor next to a loss: the values of
			       // TEST_OF_BURSTS
	struct test_values tails[TEST_TAILS_MAX];
	size_t tail_count;
};

// Reads packets, successful deliveries, or the bins of a series stream. TR_ERROR with err (without
// the input's name), also if the reader fails and keep_going is not set.
enum tr_status test_input_trace(struct test_input *input, struct tr_reader *in,
				const struct test_wishes *wishes, bool keep_going,
				struct tr_error *err);

// Reads a text: a column of numbers, or lines with an arrival's time and bytes. TR_ERROR names the
// file and the line.
enum tr_status test_input_text(struct test_input *input, struct tr_source *source,
			       const struct test_wishes *wishes, struct tr_error *err);
enum tr_status test_input_arrivals(struct test_input *input, struct tr_source *source,
				   const struct test_wishes *wishes, struct tr_error *err);

// Frees what it holds; it is empty then.
void test_input_clear(struct test_input *input);

// ---- test_report.c
// The tables that flittest prints: the answers, a row per method, and details.

enum test_table {
	TEST_TABLE_ANSWERS,
	TEST_TABLE_METHODS,
	TEST_TABLE_VERDICT,
	TEST_TABLE_POISSON,
	TEST_TABLE_SHIFTS,
	TEST_TABLE_BURSTS,
	TEST_TABLE_TAILS,
	TEST_TABLE_FITS,
	TEST_TABLE_BLOCKS,
	TEST_TABLE_CONTROLS,
	TEST_TABLE_INTERVALS,
	TEST_TABLE_POINTS,
	TEST_TABLE_LAGS,
	TEST_TABLE_PERIODS,
	TEST_TABLES,
};

// What is tested, and by which test.
struct test_subject {
	const char *input;
	const char *of;
	const char *test;
};

// An answer, kept until those of all tests of its input are there.
struct test_answer {
	struct test_subject subject;
	enum verdict verdict;
	double p; // of the data under the hypothesis that the test rejects; NaN if unknown
	char sentence[VERDICT_SENTENCE];
};

#define TEST_ANSWERS_MAX 11 // of one input: eight questions, tails of three things, periods of two

struct test_report {
	struct table *tables[TEST_TABLES];
	bool intervals, points; // the tables wanted
	struct test_answer answers[TEST_ANSWERS_MAX];
	size_t answer_count;
};

// Starts the tables; intervals and points: whether these are wanted. test_report_close frees them.
void test_report_open(struct test_report *report, bool intervals, bool points);

// Keeps an answer, and the strings of its subject, until test_report_join.
void test_report_answer(struct test_report *report, const struct test_subject *subject,
			enum verdict verdict, double p, const char *sentence);

// Adds the answers of one input to their table, with joint probabilities; a rejection that does not
// hold jointly with the others becomes unknown. Returns whether an answer is no.
bool test_report_join(struct test_report *report);

// Adds a method's row. answer: the test's sentence, used if the method has none.
void test_report_method(struct test_report *report, const struct test_subject *subject,
			const struct method_result *result, const char *answer);

// Prints the answers, the methods, and the detail tables that have rows.
enum tr_status test_report_print(const struct test_report *report, struct table_style style,
				 FILE *out, struct tr_error *err);

// Frees the tables.
void test_report_close(struct test_report *report);

// Tables of details, after an answer.
void test_details_poisson(struct test_report *report, const char *input,
			  const struct poisson *poisson, const struct poisson_verdict *verdict,
			  uint64_t ticks_per_s);

// level is that of the intervals, in the points and in tail.
void test_details_tail(struct test_report *report, const struct test_subject *subject,
		       const struct heavy_tail *tail, double level);

// The gap that ends a burst of the input, whose bursts were wanted.
void test_details_bursts(struct test_report *report, const char *name,
			 const struct test_input *input);

// A row for each shift of the mean that was found.
void test_details_shifts(struct test_report *report, const struct test_subject *subject,
			 const struct change_points *shifts);

// A row for each block, with the H estimated in it.
void test_details_constancy(struct test_report *report, const struct test_subject *subject,
			    const struct constancy *constancy);

// The statistics of x[n] by lag, if points are wanted.
void test_details_memory(struct test_report *report, const struct test_subject *subject,
			 const double *x, size_t n);

// The estimates of H of the series itself, and their mean and range for each kind of shuffling.
// Nothing where the control gave no answer.
void test_details_shuffled(struct test_report *report, const struct test_subject *subject,
			   const struct shuffled_control *control);

// ---- test_run.c
// The tests of flittest: one row each in the table; a new test is a new row.

struct test_settings {
	double share;  // of the values taken as the tail, 0 .. 1
	double level;  // of the tail's intervals
	size_t blocks; // for the constancy of H; 0: its default
	size_t lags;   // of long-run variances; 0: each method's default
	struct shuffled_options shuffled;
};

struct test_kind {
	const char *name;
	const char *summary;
	// The input data that it needs.
	bool arrivals, counts, tails, times;
	// Tests the input and reports. TR_ERROR if out of memory.
	enum tr_status (*run)(const struct test_input *input, const struct test_settings *settings,
			      const char *name, struct test_report *report, struct tr_error *err);
};

// All tests, ended by a row without a name.
extern const struct test_kind test_kinds[];

#endif
