// SPDX-License-Identifier: GPL-3.0-or-later
// A rate that is not a whole number of ticks per unit: the k-th unit ends floor(k p / q) ticks
// after the start. All engines use this, so that all round alike.
#ifndef SIM_PACE_H
#define SIM_PACE_H

#include <stdint.h>

#include "value/num.h"
#include "value/status.h"

// p/q ticks per unit, q > 0.
struct sim_pace {
	int64_t p;
	uint64_t q;
};

// One byte at rate_bps (b/s, above 0) on a clock of ticks_per_s. TR_ERROR where the fraction does
// not fit.
enum tr_status sim_pace_byte(struct sim_pace *pace, struct num_ratio rate_bps, uint64_t ticks_per_s,
			     struct tr_error *err);

// Ticks from the start to the end of the k-th unit, k >= 0. The result must fit an int64_t.
int64_t sim_pace_ticks(const struct sim_pace *pace, int64_t k);

#endif
