// SPDX-License-Identifier: GPL-3.0-or-later
#include "warmup.h"

#include <errno.h>
#include <string.h>

#include "trace/record.h"

static enum tr_status fail(struct tr_error *err)
{
	return tr_fail(err, "the temporary file of --warmup auto: %s", strerror(errno));
}

enum tr_status warmup_open(struct warmup *warmup, struct tr_error *err)
{
	if (!warmup->automatic)
		return TR_OK;
	warmup->kept = tmpfile();
	return warmup->kept ? TR_OK : fail(err);
}

enum tr_status warmup_take(struct warmup *warmup, const struct outcome *outcome, bool *measured, struct tr_error *err)
{
	*measured = false;
	if (outcome->status != TR_DELIVERED)
		return TR_OK;
	if (warmup->automatic) {
		run_mean_add(&warmup->mean, outcome);
		return fwrite(outcome, sizeof(*outcome), 1, warmup->kept) == 1 ? TR_OK : fail(err);
	}
	*measured = !warmup->given || outcome->time_ticks >= warmup->begin_ticks;
	warmup->left_out += !*measured;
	return TR_OK;
}

// Whether the worm is before the begin, of which skip samples of the series are still to come.
static bool before(struct warmup *warmup, const struct outcome *outcome, uint64_t *skip)
{
	const uint8_t class = warmup->mean.class;

	if (*skip == 0)
		return false;
	if (class == RUN_MEAN_ALL || class == outcome->class)
		--*skip;
	warmup->left_out++;
	warmup->begin_ticks = outcome->time_ticks + 1;
	warmup->given = true;
	return true;
}

enum tr_status warmup_finish(struct warmup *warmup, void (*add)(void *context, const struct outcome *outcome), void *context,
			     struct tr_error *err)
{
	uint64_t skip;
	struct outcome outcome;

	if (!warmup->automatic)
		return TR_OK;
	skip = steady_begin(&warmup->mean.samples, &warmup->settled);
	if (skip > 0 && warmup->mean.kind == RUN_MEAN_CARRIED)
		skip++; // its first sample begins with the first delivery
	if (fseek(warmup->kept, 0, SEEK_SET) != 0)
		return fail(err);
	while (fread(&outcome, sizeof(outcome), 1, warmup->kept) == 1)
		if (!before(warmup, &outcome, &skip))
			add(context, &outcome);
	return ferror(warmup->kept) ? fail(err) : TR_OK;
}

void warmup_close(struct warmup *warmup)
{
	if (warmup->kept)
		fclose(warmup->kept);
	warmup->kept = NULL;
}
