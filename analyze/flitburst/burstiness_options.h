// SPDX-License-Identifier: GPL-3.0-or-later
// What flitburst is asked for, and what that is in ticks of a trace.
#ifndef ANALYZE_BURSTINESS_OPTIONS_H
#define ANALYZE_BURSTINESS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "burstiness_keys.h"
#include "stat/burstiness.h"
#include "trace/num.h"
#include "trace/opt.h"
#include "trace/status.h"
#include "trace/table.h"

enum size_of { SIZE_WIRE, SIZE_PAYLOAD };

struct burst_options {
	struct num_ratio threshold; // seconds; 0: by the valley
	int by;			    // enum key_kind
	int size;		    // enum size_of
	struct opt_list widths, gaps, lags, roles;
	struct num_ratio finest; // seconds; 0: a microsecond or so
	struct num_ratio every;	 // seconds; 0: one report at the end
	const char *origin;
	int level_percent;
	uint64_t max_keys;
	bool points;
	struct table_style style;
};

// Makes the settings for a trace with this header, which must outlive them. TR_ERROR says what is wrong: a list, or a time that is not whole.
enum tr_status burst_settings(const struct burst_options *o, const struct tr_header *header,
			      struct burstiness_settings *settings, struct tr_error *err);

#endif
