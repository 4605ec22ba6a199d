// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/dcqcn.h"

static uint64_t dcqcn_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

// value * factor / 2^32
static uint64_t dcqcn_part(uint64_t value, uint64_t factor)
{
	return (uint64_t)((unsigned __int128)value * factor >> 32);
}

void dcqcn_start(struct dcqcn *rate, uint64_t line_bps)
{
	*rate = (struct dcqcn){.line_bps = line_bps,
			       .rate_bps = line_bps,
			       .target_bps = line_bps,
			       .alpha = DCQCN_ONE,
			       .alpha_ticks = INT64_MAX,
			       .increase_ticks = INT64_MAX};
}

// Half the way to the target, which first rises: in fast recovery not, behind it by a step, and by
// more and more where both the timer and the byte counter are behind it.
static void dcqcn_increase(struct dcqcn *rate, const struct dcqcn_params *params)
{
	const uint32_t more = rate->timed > rate->counted ? rate->timed : rate->counted;
	const uint32_t less = rate->timed < rate->counted ? rate->timed : rate->counted;

	if (less > DCQCN_ROUNDS)
		rate->target_bps += (less - DCQCN_ROUNDS) * params->fast_step_bps;
	else if (more >= DCQCN_ROUNDS)
		rate->target_bps += params->step_bps;
	rate->target_bps = dcqcn_least(rate->target_bps, rate->line_bps);
	rate->rate_bps = (rate->rate_bps + rate->target_bps + 1) / 2;
	if (!dcqcn_limits(rate))
		rate->increase_ticks = INT64_MAX;
}

void dcqcn_until(struct dcqcn *rate, const struct dcqcn_params *params, int64_t ticks)
{
	for (; rate->alpha_ticks <= ticks; rate->alpha_ticks += params->alpha_ticks) {
		const uint64_t loss = dcqcn_part(rate->alpha, params->gain);

		rate->alpha -= loss;
		if (loss == 0) { // and later ones neither
			rate->alpha_ticks = INT64_MAX;
			break;
		}
	}
	while (rate->increase_ticks <= ticks) {
		rate->increase_ticks += params->increase_ticks;
		rate->timed++;
		dcqcn_increase(rate, params);
	}
}

void dcqcn_cut(struct dcqcn *rate, const struct dcqcn_params *params, int64_t now_ticks)
{
	rate->target_bps = rate->rate_bps;
	rate->rate_bps -= dcqcn_part(rate->rate_bps, rate->alpha) / 2;
	if (rate->rate_bps < params->least_bps)
		rate->rate_bps = dcqcn_least(params->least_bps, rate->line_bps);
	rate->alpha += params->gain - dcqcn_part(rate->alpha, params->gain);
	rate->alpha_ticks = now_ticks + params->alpha_ticks;
	rate->increase_ticks = now_ticks + params->increase_ticks;
	rate->bytes = 0;
	rate->timed = rate->counted = 0;
}

void dcqcn_sent(struct dcqcn *rate, const struct dcqcn_params *params, uint32_t bytes)
{
	if (!dcqcn_limits(rate))
		return;
	rate->bytes += bytes;
	for (; rate->bytes >= params->increase_bytes && dcqcn_limits(rate);
	     rate->bytes -= params->increase_bytes) {
		rate->counted++;
		dcqcn_increase(rate, params);
	}
}
