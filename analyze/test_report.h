// SPDX-License-Identifier: GPL-3.0-or-later
// What flittest prints: a row an input, and one an interval.
#ifndef ANALYZE_TEST_REPORT_H
#define ANALYZE_TEST_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "stat/poisson.h"
#include "trace/status.h"
#include "trace/table.h"

struct test_report {
	struct table *verdicts;
	struct table *intervals; // NULL where they are not wanted
};

void test_report_open(struct test_report *report, bool with_intervals);

// Adds an input under its name.
void test_report_add(struct test_report *report, const char *name, const struct poisson *poisson,
		     const struct poisson_verdict *verdict, uint64_t ticks_per_s);

enum tr_status test_report_print(const struct test_report *report, struct table_style style, FILE *out,
				 struct tr_error *err);

// Frees the tables.
void test_report_close(struct test_report *report);

#endif
