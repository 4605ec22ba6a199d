// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_mean.h"

#include <stdio.h>
#include <string.h>

#include "trace/num.h"
#include "trace/record.h"

#define BLANKS " \t"

static const char *const kind_names[] =
	{[RUN_MEAN_LATENCY] = "latency", [RUN_MEAN_THROUGHPUT] = "throughput", [RUN_MEAN_CARRIED] = "carried"};

static bool parse_class(struct run_mean *mean, const char *word)
{
	if (strcmp(word, "data") == 0)
		mean->class = TR_CLASS_DATA;
	else if (strcmp(word, "overhead") == 0)
		mean->class = TR_CLASS_OVERHEAD;
	else
		return strcmp(word, "all") == 0;
	return true;
}

static bool parse_kind(struct run_mean *mean, const char *word)
{
	for (size_t i = 0; i < sizeof(kind_names) / sizeof(*kind_names); i++)
		if (word && strcmp(word, kind_names[i]) == 0) {
			mean->kind = (enum run_mean_kind)i;
			return true;
		}
	return false;
}

enum tr_status run_mean_parse(struct run_mean *mean, const char *text, struct tr_error *err)
{
	char copy[80];
	char *rest = NULL;
	const char *word;
	struct num_ratio percent;

	*mean = (struct run_mean){.class = RUN_MEAN_ALL};
	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return tr_fail(err, "\"%.40s...\" is too long", text);
	word = strtok_r(copy, BLANKS, &rest);
	if (word && parse_class(mean, word))
		word = strtok_r(NULL, BLANKS, &rest);
	if (!parse_kind(mean, word))
		return tr_fail(err, "\"%s\" is not like 'latency 1%%' or 'data throughput 0.5%%'", text);
	word = strtok_r(NULL, BLANKS, &rest);
	if (!word || strtok_r(NULL, BLANKS, &rest))
		return tr_fail(err, "\"%s\": expected one share after %s, such as 1%%", text, kind_names[mean->kind]);
	if (num_parse(word, NUM_PLAIN, &percent, err) != TR_OK)
		return TR_ERROR;
	mean->percent = 100 * num_value(percent);
	if (!(mean->percent > 0 && mean->percent < 100))
		return tr_fail(err, "\"%s\": expected above 0 and below 100 %%", text);
	return TR_OK;
}

const char *run_mean_name(const struct run_mean *mean, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%s%s",
		 mean->class == TR_CLASS_DATA	    ? "data "
		 : mean->class == TR_CLASS_OVERHEAD ? "overhead "
						    : "",
		 kind_names[mean->kind]);
	return out;
}

// The time up to the first delivery belongs to nobody.
static void add_carried(struct run_mean *mean, const struct outcome *outcome)
{
	if (mean->begun) {
		steady_add(&mean->samples, outcome->time_ticks - mean->last_ticks);
		steady_add(&mean->sizes_mB, (int64_t)outcome->size_bytes * 1000);
	}
	mean->last_ticks = outcome->time_ticks;
	mean->begun = true;
}

bool run_mean_add(struct run_mean *mean, const struct outcome *outcome)
{
	if (outcome->status != TR_DELIVERED || (mean->class != RUN_MEAN_ALL && mean->class != outcome->class))
		return false;
	switch (mean->kind) {
	case RUN_MEAN_LATENCY: steady_add(&mean->samples, outcome->time_ticks - outcome->created_ticks); break;
	case RUN_MEAN_THROUGHPUT: steady_add(&mean->samples, outcome_worm_mBps(outcome, mean->ticks_per_s)); break;
	case RUN_MEAN_CARRIED: add_carried(mean, outcome); break;
	}
	return true;
}

struct steady_mean run_mean_get(const struct run_mean *mean, uint64_t skip, double level)
{
	if (mean->kind == RUN_MEAN_CARRIED)
		return steady_ratio(&mean->sizes_mB, &mean->samples, skip, level);
	return steady_mean(&mean->samples, skip, level);
}
