// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of flittest that show what lies behind an answer.
#ifndef ANALYZE_TEST_DETAILS_H
#define ANALYZE_TEST_DETAILS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/change_points.h"
#include "stat/constancy.h"
#include "stat/heavy_tail.h"
#include "stat/poisson.h"
#include "stat/shuffled_control.h"
#include "test_report.h"

void test_details_poisson(struct test_report *report, const char *input, const struct poisson *poisson,
			  const struct poisson_verdict *verdict, uint64_t ticks_per_s);

// level is that of the intervals in the points, as of those in tail.
void test_details_tail(struct test_report *report, const struct test_subject *subject, const struct heavy_tail *tail,
		       double level);

void test_details_shifts(struct test_report *report, const struct test_subject *subject, const struct change_points *shifts);

void test_details_constancy(struct test_report *report, const struct test_subject *subject, const struct constancy *constancy);

// The statistics of x[n] by lags, where points are wanted.
void test_details_memory(struct test_report *report, const struct test_subject *subject, const double *x, size_t n);

void test_details_shuffled(struct test_report *report, const struct test_subject *subject,
			   const struct shuffled_control *control);

#endif
