// SPDX-License-Identifier: GPL-3.0-or-later
// What flittest prints: the answers, a row a method, and tables of details.
#ifndef ANALYZE_TEST_REPORT_H
#define ANALYZE_TEST_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stat/verdict.h"
#include "trace/status.h"
#include "trace/table.h"

enum test_table {
	TEST_TABLE_ANSWERS,
	TEST_TABLE_METHODS,
	TEST_TABLE_VERDICT,
	TEST_TABLE_POISSON,
	TEST_TABLE_SHIFTS,
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

// An answer that waits for the others of its input.
struct test_answer {
	struct test_subject subject;
	enum verdict verdict;
	double p; // of the data where what the test rejects holds; NaN where that is not known
	char sentence[VERDICT_SENTENCE];
};

#define TEST_ANSWERS_MAX 11 // of one input: eight questions, tails of three things, periods of two

struct test_report {
	struct table *tables[TEST_TABLES];
	bool intervals, points; // whether these are wanted
	struct test_answer answers[TEST_ANSWERS_MAX];
	size_t answer_count;
};

void test_report_open(struct test_report *report, bool intervals, bool points);

// Keeps an answer, and the strings of its subject, until test_report_join.
void test_report_answer(struct test_report *report, const struct test_subject *subject, enum verdict verdict, double p,
			const char *sentence);

// Adds the answers of one input to their table, with probabilities that are joint; an answer that rejects, but not jointly
// with the others, becomes unknown. Returns whether one is no.
bool test_report_join(struct test_report *report);

// answer: the words of what was answered, for a method that says nothing of its own.
void test_report_method(struct test_report *report, const struct test_subject *subject, const struct method_result *result,
			const char *answer);

// Prints the answers, the methods, and the other tables that have rows.
enum tr_status test_report_print(const struct test_report *report, struct table_style style, FILE *out, struct tr_error *err);

// Frees the tables.
void test_report_close(struct test_report *report);

#endif
