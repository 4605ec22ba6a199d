// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitstat share: the traffic of a trace and the settings of its tables.
#ifndef FLITSTAT_FLITSTAT_H
#define FLITSTAT_FLITSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stat/traffic.h"
#include "trace/names.h"
#include "trace/status.h"
#include "trace/table.h"

enum window_basis { WINDOW_GIVEN, WINDOW_FOUND, WINDOW_NO_PLATEAU };

struct traffic_view {
	const struct traffic *traffic;
	const struct tr_names *names;
	uint64_t ticks_per_s;
	uint8_t *roles; // by node, for the nodes of traffic
	struct role_finding finding;
	const struct window_curve *curve;
	size_t window; // number of the window of the tables
	enum window_basis window_basis;
	double level;		 // of the intervals
	double accuracy_percent; // for the number of samples needed
	bool show_curve;
};

// Prints the tables. TR_ERROR if out of memory.
enum tr_status traffic_report(const struct traffic_view *view, struct table_style style, FILE *out, struct tr_error *err);

#endif
