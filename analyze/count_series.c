// SPDX-License-Identifier: GPL-3.0-or-later
#include "count_series.h"

static enum tr_status put(const struct count_series *series, size_t scale, const struct bin_run *bin, struct tr_error *err)
{
	const int64_t factor = series->scales->scales[scale].factor;
	const struct tr_series record = {
		.start_ticks = bin_grid_start(&series->finest, bin->index * factor),
		.width_ticks = factor * series->finest.width_ticks,
		.count = bin->count,
		.size_bytes = bin->size_bytes,
		.node = TR_NODE_OTHER,
		.class = TR_CLASS_NONE,
	};

	if (tr_put(series->writer, &record) != TR_OK)
		return tr_fail(err, "%s", tr_writer_error(series->writer));
	return TR_OK;
}

enum tr_status count_series_put(void *context, size_t scale, const struct bin_run *bin, struct tr_error *err)
{
	struct count_series *series = context;
	struct bin_run empty = {bin->index, 0, 0};

	if (!series->begun[scale])
		series->next[scale] = bin->index;
	series->begun[scale] = true;
	if ((uint64_t)(bin->index - series->next[scale]) > series->max_bins)
		return tr_fail(err, "a silence of %lld bins is longer than --max-bins allows",
			       (long long)(bin->index - series->next[scale]));
	for (empty.index = series->next[scale]; empty.index < bin->index; empty.index++)
		if (put(series, scale, &empty, err) != TR_OK)
			return TR_ERROR;
	series->next[scale] = bin->index + 1;
	return put(series, scale, bin, err);
}
