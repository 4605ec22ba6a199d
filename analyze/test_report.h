// SPDX-License-Identifier: GPL-3.0-or-later
// What flittest prints: the answers, a row a method, and tables of details.
#ifndef ANALYZE_TEST_REPORT_H
#define ANALYZE_TEST_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "stat/verdict.h"
#include "trace/status.h"
#include "trace/table.h"

enum test_table {
	TEST_TABLE_ANSWERS, TEST_TABLE_METHODS, TEST_TABLE_POISSON, TEST_TABLE_TAILS, TEST_TABLE_FITS,
	TEST_TABLE_BLOCKS, TEST_TABLE_CONTROLS, TEST_TABLE_INTERVALS, TEST_TABLE_POINTS, TEST_TABLE_LAGS,
	TEST_TABLE_PERIODS,
	TEST_TABLES,
};

struct test_report {
	struct table *tables[TEST_TABLES];
	bool intervals, points; // whether these are wanted
};

// What is tested, and by which test.
struct test_subject {
	const char *input;
	const char *of;
	const char *test;
};

void test_report_open(struct test_report *report, bool intervals, bool points);

void test_report_answer(struct test_report *report, const struct test_subject *subject, enum verdict verdict,
			const char *sentence);

// answer: the words of what was answered, for a method that says nothing of its own.
void test_report_method(struct test_report *report, const struct test_subject *subject,
			const struct method_result *result, const char *answer);

// Prints the answers, the methods, and the other tables that have rows.
enum tr_status test_report_print(const struct test_report *report, struct table_style style, FILE *out,
				 struct tr_error *err);

// Frees the tables.
void test_report_close(struct test_report *report);

#endif
