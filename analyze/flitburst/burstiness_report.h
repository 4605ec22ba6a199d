// SPDX-License-Identifier: GPL-3.0-or-later
// What flitburst prints: first what can be quoted, then what depends on the scale.
#ifndef ANALYZE_BURSTINESS_REPORT_H
#define ANALYZE_BURSTINESS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stat/burstiness.h"
#include "trace/status.h"
#include "trace/table.h"

enum burstiness_table {
	TABLE_NOW,
	TABLE_BURSTINESS,
	TABLE_BURSTS,
	TABLE_ON_OFF,
	TABLE_THRESHOLDS,
	TABLE_WINDOWS,
	TABLE_GAPS,
	TABLE_AUTOCORRELATION,
	TABLE_HISTOGRAM,
	TABLE_DISTRIBUTION,
	BURSTINESS_TABLES,
};

struct burstiness_report {
	struct table *tables[BURSTINESS_TABLES];
	uint64_t ticks_per_s;
	double level; // of the intervals
	bool scales;  // with the tables over scales
	bool points;  // all scales, and distributions
	bool now;     // with the time up to which it tells
};

// Makes the tables, as the fields from ticks_per_s on say.
void burstiness_report_open(struct burstiness_report *report);

// Says up to when it tells: seconds of the Unix epoch as text, and packets so far.
void burstiness_report_now(struct burstiness_report *report, const char *time_s, uint64_t packets);

// Adds the rows of a stream, which is finished, under its name.
void burstiness_report_add(struct burstiness_report *report, const char *name, const struct burstiness *b);

// Prints the tables. TR_ERROR where memory ended.
enum tr_status burstiness_report_print(const struct burstiness_report *report, struct table_style style, FILE *out,
				       struct tr_error *err);

// Frees the tables.
void burstiness_report_close(struct burstiness_report *report);

// Rows of one stream, for burstiness_report_add: those of its bursts (burst_rows.c) and those over
// scales (scale_rows.c).
void burst_rows(struct burstiness_report *report, const char *name, const struct burstiness *b);
void scale_rows(struct burstiness_report *report, const char *name, const struct burstiness *b);

#endif
