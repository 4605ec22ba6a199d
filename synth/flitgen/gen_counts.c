// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen --counts: the packets as bins of a series, like flitcount's.
#include "flitgen.h"

#include <stddef.h>

#include "value/ticks.h"

// Longest run of empty bins, as in flitcount.
#define SILENCE_MAX ((int64_t)1 << 26)

static enum tr_status gen_counts_put(const struct gen_counts *counts, const struct bin_run *bin,
				     struct tr_error *err)
{
	const struct tr_series record = {
		.start_ticks = bin_grid_start(&counts->binner.grid, bin->index),
		.width_ticks = counts->binner.grid.width_ticks,
		.count = bin->count,
		.size_bytes = bin->size_bytes,
		.node = TR_NODE_OTHER,
		.class = TR_CLASS_NONE,
	};

	if (tr_put(counts->writer, &record) != TR_OK)
		return tr_fail(err, "%s", tr_writer_error(counts->writer));
	return TR_OK;
}

// A bin_sink: writes the bin, after the empty ones since the last.
static enum tr_status gen_counts_take(void *context, const struct bin_run *bin,
				      struct tr_error *err)
{
	struct gen_counts *counts = context;
	struct bin_run empty = {.index = counts->begun ? counts->next : bin->index};

	if (bin->index - empty.index > SILENCE_MAX)
		return tr_fail(err, "a silence of %lld bins is too long: use a larger --counts",
			       (long long)(bin->index - empty.index));
	for (; empty.index < bin->index; empty.index++)
		if (gen_counts_put(counts, &empty, err) != TR_OK)
			return TR_ERROR;
	counts->begun = true;
	counts->next = bin->index + 1;
	return gen_counts_put(counts, bin, err);
}

enum tr_status gen_counts_set(struct gen_counts *counts, struct num_ratio width,
			      const struct tr_header *header, struct tr_error *err)
{
	struct bin_grid grid;
	int64_t width_ticks;

	*counts = (struct gen_counts){.writer = NULL};
	if (width.num <= 0)
		return tr_fail(err, "--counts: the width must be above 0");
	if (tr_ticks_exact(width, header->ticks_per_s, &width_ticks, err) != TR_OK ||
	    bin_grid_set(&grid, width_ticks, header, 0, err) != TR_OK)
		return TR_ERROR;
	binner_open(&counts->binner, &grid, gen_counts_take, counts);
	return TR_OK;
}

enum tr_status gen_counts_add(struct gen_counts *counts, const struct tr_packet *packets,
			      size_t count, struct tr_error *err)
{
	return binner_add(&counts->binner, packets, sizeof(*packets),
			  offsetof(struct tr_packet, wire_bytes), count, err);
}

enum tr_status gen_counts_end(struct gen_counts *counts, struct tr_error *err)
{
	return binner_flush(&counts->binner, err);
}
