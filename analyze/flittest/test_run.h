// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of flittest: one row each in the table; adding one changes nothing else.
#ifndef ANALYZE_TEST_RUN_H
#define ANALYZE_TEST_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/shuffled_control.h"
#include "stat/verdict.h"
#include "test_input.h"
#include "test_report.h"
#include "trace/status.h"

struct test_settings {
	double share;  // of the values that are the tail, 0 .. 1
	double level;  // of the tail's intervals
	size_t blocks; // of the constancy of H; 0: its own
	size_t lags;   // of long-run variances; 0: each method's own
	struct shuffled_options shuffled;
};

struct test_kind {
	const char *name;
	// What it needs of the input.
	bool arrivals, counts, tails, times;
	// Tests the input and reports. TR_ERROR without memory.
	enum tr_status (*run)(const struct test_input *input, const struct test_settings *settings, const char *name,
			      struct test_report *report, struct tr_error *err);
};

// test_periods.c
enum tr_status test_periods_run(const struct test_input *input, const struct test_settings *settings, const char *name,
				struct test_report *report, struct tr_error *err);

// All of them, ended by a row without a name.
extern const struct test_kind test_kinds[];

#endif
