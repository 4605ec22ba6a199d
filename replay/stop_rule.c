// SPDX-License-Identifier: GPL-3.0-or-later
#include "stop_rule.h"

#include <math.h>

#include "trace/record.h"

void stop_rule_start(struct stop_rule *rule)
{
	*rule = (struct stop_rule){.worms_left = UINT64_MAX,
				   .bytes_left = UINT64_MAX,
				   .next_look = STOP_LEAST_SAMPLES,
				   .level = .95};
}

static bool known(const struct stop_rule *rule)
{
	const struct steady *samples = &rule->mean.samples;
	bool settled = true;
	uint64_t skip = rule->settles ? steady_begin(samples, &settled) : 0;
	const struct steady_mean now = run_mean_get(&rule->mean, skip, rule->level);
	double half = (now.interval.hi - now.interval.lo) / 2;

	return settled && !now.correlated &&
	       half * 100 <= rule->mean.percent * fabs(now.mean); // false for NaN
}

static bool enough_of_mean(struct stop_rule *rule, const struct outcome *outcome)
{
	uint64_t n;

	if (rule->mean.percent == 0 || !run_mean_add(&rule->mean, outcome))
		return false;
	n = rule->mean.samples.n;
	if (n < rule->next_look)
		return false;
	rule->next_look = n + n / 10;
	return known(rule);
}

static void take(uint64_t *left, uint64_t amount)
{
	if (*left != UINT64_MAX)
		*left = *left > amount ? *left - amount : 0;
}

enum tr_status stop_rule_add(struct stop_rule *rule, const struct outcome *outcome, bool measured)
{
	if (rule->cause != STOP_NONE)
		return TR_END;
	if (outcome->status != TR_DELIVERED)
		return TR_OK;
	take(&rule->worms_left, 1);
	if (outcome->class != TR_CLASS_OVERHEAD)
		take(&rule->bytes_left, outcome->size_bytes);
	if (rule->worms_left == 0)
		rule->cause = STOP_WORMS;
	else if (rule->bytes_left == 0)
		rule->cause = STOP_BYTES;
	else if (measured && enough_of_mean(rule, outcome))
		rule->cause = STOP_MEAN;
	return rule->cause != STOP_NONE ? TR_END : TR_OK;
}
