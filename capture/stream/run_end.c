// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/run_end.h"

#include <string.h>

static const char *const standing[] = {"deadlock", "livelock", "unfinished"};

struct tr_run_end tr_run_end_of(const char *ended_by, const char *saturated)
{
	for (size_t i = 0; ended_by && i < sizeof(standing) / sizeof(*standing); i++)
		if (strcmp(ended_by, standing[i]) == 0)
			return (struct tr_run_end){TR_STOOD, standing[i]};
	if (saturated && strcmp(saturated, "yes") == 0)
		return (struct tr_run_end){TR_GREW, TR_SATURATED};
	return (struct tr_run_end){TR_ENDED, NULL};
}

struct tr_run_end tr_run_end_worse(struct tr_run_end a, struct tr_run_end b)
{
	return b.ending > a.ending ? b : a;
}

struct tr_run_end tr_run_end_of_stream(const struct tr_names *names)
{
	struct tr_run_end worst = {TR_ENDED, NULL};

	for (uint32_t i = 0; i < names->counter_count; i++) {
		const struct tr_counter *counter = &names->counters[i];

		if (counter->value == 0)
			continue;
		if (strncmp(counter->key, TR_ENDED_BY " ", strlen(TR_ENDED_BY " ")) == 0)
			worst = tr_run_end_worse(
				worst, tr_run_end_of(counter->key + strlen(TR_ENDED_BY " "), NULL));
		else if (strcmp(counter->key, TR_SATURATED) == 0)
			worst = tr_run_end_worse(worst, tr_run_end_of(NULL, "yes"));
	}
	return worst;
}

bool tr_run_end_counts(const struct tr_name *name)
{
	static const char *const keys[] = {TR_ENDED_BY " ", TR_SATURATED};

	for (size_t i = 0; name->kind == TR_NAME_COUNTER && i < sizeof(keys) / sizeof(*keys); i++)
		if (name->text_bytes >= strlen(keys[i]) &&
		    memcmp(name->text, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}
