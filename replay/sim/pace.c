// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/pace.h"

#include "value/ticks.h"

enum tr_status sim_pace_byte(struct sim_pace *pace, struct num_ratio rate_bps, uint64_t ticks_per_s,
			     struct tr_error *err)
{
	struct num_ratio ticks;

	if (rate_bps.num <= 0)
		return tr_fail(err, "a rate must be above zero");
	if (!num_ratio_make((__int128)8 * rate_bps.den * (__int128)ticks_per_s, rate_bps.num,
			    &ticks))
		return tr_fail(err, "a rate of %lld/%lld b/s does not fit a clock of %llu ticks/s",
			       (long long)rate_bps.num, (long long)rate_bps.den,
			       (unsigned long long)ticks_per_s);
	*pace = (struct sim_pace){.p = ticks.num, .q = (uint64_t)ticks.den};
	return TR_OK;
}

int64_t sim_pace_ticks(const struct sim_pace *pace, int64_t k)
{
	return pace->p == 0 ? 0 : tr_mul_div_floor(k, (uint64_t)pace->p, pace->q);
}
