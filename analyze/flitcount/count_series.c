// SPDX-License-Identifier: GPL-3.0-or-later
// Bins as series records: every bin of every width, empty ones between the first and the last
// included.
#include "flitcount.h"

static enum tr_status count_series_write(const struct count_series *series, size_t scale,
					 const struct bin_run *bin, struct tr_error *err)
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

// Writes the empty bins before index.
static enum tr_status count_series_put_empty(struct count_series *series, size_t scale,
					     int64_t index, struct tr_error *err)
{
	struct bin_run empty = {.index = series->next[scale]};

	if (index > empty.index && (uint64_t)(index - empty.index) > series->max_bins)
		return tr_fail(err, "a silence of %lld bins is longer than the bins of --memory",
			       (long long)(index - empty.index));
	for (; empty.index < index; empty.index++)
		if (count_series_write(series, scale, &empty, err) != TR_OK)
			return TR_ERROR;
	series->next[scale] = empty.index;
	return TR_OK;
}

enum tr_status count_series_put(void *context, size_t scale, const struct bin_run *bin,
				struct tr_error *err)
{
	struct count_series *series = context;

	if (!series->begun[scale])
		series->next[scale] = bin->index;
	series->begun[scale] = true;
	if (count_series_put_empty(series, scale, bin->index, err) != TR_OK)
		return TR_ERROR;
	series->next[scale] = bin->index + 1;
	return count_series_write(series, scale, bin, err);
}

enum tr_status count_series_pass(struct count_series *series, int64_t finest_index,
				 struct tr_error *err)
{
	for (size_t i = 0; i < series->scales->count; i++) {
		const int64_t factor = series->scales->scales[i].factor;
		const int64_t index = num_floor_div(finest_index, factor);

		if (series->begun[i] && count_series_put_empty(series, i, index, err) != TR_OK)
			return TR_ERROR;
		if (series->scales->count == 1) // else the stream is not in order
			series->promised_ticks = bin_grid_start(&series->finest, index * factor);
	}
	return TR_OK;
}
