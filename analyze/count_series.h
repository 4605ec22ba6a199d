// SPDX-License-Identifier: GPL-3.0-or-later
// Bins as series records: every bin of every width, empty ones between the first and the last
// included.
#ifndef ANALYZE_COUNT_SERIES_H
#define ANALYZE_COUNT_SERIES_H

#include <stdint.h>

#include "stat/scales.h"
#include "trace/writer.h"

struct count_series {
	struct tr_writer *writer;
	const struct scales *scales;
	struct bin_grid finest;	  // on the output's time base
	uint64_t max_bins;	  // empty bins in a row at most
	int64_t next[SCALES_MAX]; // bin after the last written
	bool begun[SCALES_MAX];
};

// A scale_hook whose context is the struct count_series. TR_ERROR where writing failed or a silence
// is longer than max_bins.
enum tr_status count_series_put(void *series, size_t scale, const struct bin_run *bin, struct tr_error *err);

#endif
