// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/side_by_side.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// ---- counts in bins of one width

#define BINS_MIN 100u
#define EDGES 2u // bins at the ends, which are not complete

static bool all_fit(const struct counts *const *list, size_t count, size_t number, size_t bins)
{
	for (size_t i = 0; i < count; i++) {
		const struct counts_series *series = &list[i]->series[number];

		if (!list[i]->open || series->full || series->count < bins + EDGES)
			return false;
	}
	return count > 0;
}

static size_t find_series(const struct counts *const *list, size_t count)
{
	static const size_t bins[] = {BINS_MIN, 1};

	for (size_t i = 0; i < sizeof(bins) / sizeof(*bins); i++)
		for (size_t number = COUNTS_SERIES; number-- > 0;)
			if (all_fit(list, count, number, bins[i]))
				return number;
	return COUNTS_SERIES;
}

struct common_width common_width_of(const struct counts *const *list, size_t count)
{
	struct common_width width = {.series = find_series(list, count)};

	if (width.series == COUNTS_SERIES)
		return width;
	for (size_t i = 0; i < count; i++)
		if (list[i]->series[width.series].shift > width.shift)
			width.shift = list[i]->series[width.series].shift;
	width.seconds = num_value(list[0]->widths.seconds[list[0]->series[width.series].scale]) *
			(double)((uint64_t)1 << width.shift);
	return width;
}

void common_counts_add(const struct common_width *width, const struct counts *counts,
		       struct batches *batches, struct quantile *quantile)
{
	const struct counts_series *series = &counts->series[width->series];
	const unsigned shift = width->shift - series->shift;
	const int64_t each = (int64_t)1 << shift;
	double sum = 0;

	// Without the bins at the ends, which may be observed only in part, and those in the same
	// joined bin.
	for (int64_t i = 1; i + 1 < (int64_t)series->count; i++) {
		const int64_t bin = series->first + i;

		sum = (bin & (each - 1)) == 0 ? series->values[i] : sum + series->values[i];
		if ((bin & (each - 1)) == each - 1 && i >= each) {
			batches_add(batches, (int64_t)sum);
			quantile_add(quantile, (uint64_t)sum);
		}
	}
}

// ---- the inputs

static const struct {
	const char *name, *unit;
	double per_base; // of the unit in a second, B or packet
} quantities[COMPARED_QUANTITIES] = {
	[COMPARED_COUNTS] = {"packets per bin", "", 1},
	[COMPARED_SIZES] = {"payload of packets", "B", 1},
	[COMPARED_GAPS] = {"gaps between packets", "µs", 1e6},
	[COMPARED_LATENCY] = {"latency", "µs", 1e6},
};

const char *compared_name(enum compared_quantity quantity)
{
	return quantities[quantity].name;
}

const char *compared_unit(enum compared_quantity quantity)
{
	return quantities[quantity].unit;
}

// Keeps a quantity: its histogram and mean. base: a value's unit in packets, B or s.
static void side_by_side_keep(struct side *side, enum compared_quantity which,
			      const struct quantile *of, const struct batches *batches, double base,
			      double level)
{
	const struct known_mean known = batches_known(batches, level);
	const double unit = base * quantities[which].per_base;

	if (of->n == 0)
		return;
	side->of[which] = of;
	side->unit[which] = unit;
	side->means[which] = mean_error_sample(known.mean, &known.error);
	side->means[which].mean *= unit;
	side->means[which].sd *= unit;
}

static void fill(struct side *side, const struct common_width *width, const struct input *input,
		 double level)
{
	const struct stream *stream = input->stream;
	const struct traffic_kind *all = &stream->traffic.kinds[STREAM_ALL];
	const struct carried_class *carried = input->carried ? &input->carried->classes[STREAM_ALL]
							     : NULL;
	struct batches counts = {.n = 0};

	side->input = input;
	if (width->series < COUNTS_SERIES) {
		common_counts_add(width, &stream->counts, &counts, &side->counts);
		side_by_side_keep(side, COMPARED_COUNTS, &side->counts, &counts, 1, level);
	}
	side_by_side_keep(side, COMPARED_SIZES, &all->sizes, &stream->size_batches, 1, level);
	side_by_side_keep(side, COMPARED_GAPS, &all->gaps, &stream->gap_batches,
			  1 / (double)stream->ticks_per_s, level);
	if (carried)
		side_by_side_keep(side, COMPARED_LATENCY, &carried->latency,
				  &carried->latency_ticks, 1 / (double)input->carried->ticks_per_s,
				  level);
}

static void side_by_side_measure(struct side *side, const struct side *first)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < COMPARED_QUANTITIES; i++) {
		side->apart[i] = (struct distance){NAN, NAN, NAN};
		if (!side->of[i] || !first->of[i])
			continue;
		side->apart[i] = distance_between(first->of[i], first->unit[i], side->of[i],
						  side->unit[i]);
		sum += side->apart[i].ks;
		n++;
	}
	side->score = n ? sum / n : INFINITY;
}

// Nearest first, then in the given order.
static int side_by_side_by_score(const void *left, const void *right)
{
	const struct side *a = left, *b = right;

	if (a->score != b->score)
		return a->score < b->score ? -1 : 1;
	return (a->input > b->input) - (a->input < b->input);
}

enum tr_status side_by_side_open(struct side_by_side *out, const struct report *report,
				 struct tr_error *err)
{
	const struct counts **all = calloc(report->count, sizeof(*all));
	size_t count = 0;

	*out = (struct side_by_side){.sides = calloc(report->count, sizeof(*out->sides))};
	for (size_t i = 0; all && i < report->count; i++)
		if (report->inputs[i].stream)
			all[count++] = &report->inputs[i].stream->counts;
	if (all)
		out->width = common_width_of(all, count);
	free(all);
	if (!all || !out->sides) {
		free(out->sides);
		return tr_no_memory(err, "the comparison of %zu inputs", report->count);
	}
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].stream)
			fill(&out->sides[out->count++], &out->width, &report->inputs[i],
			     report->level);
	for (size_t i = 0; i < out->count; i++)
		side_by_side_measure(&out->sides[i], &out->sides[0]);
	if (out->count > 1)
		qsort(out->sides + 1, out->count - 1, sizeof(*out->sides), side_by_side_by_score);
	for (size_t i = 0; i < out->count; i++)
		if (out->sides[i].of[COMPARED_COUNTS])
			out->sides[i].of[COMPARED_COUNTS] = &out->sides[i].counts;
	return TR_OK;
}

void side_by_side_close(struct side_by_side *all)
{
	free(all->sides);
	*all = (struct side_by_side){.count = 0};
}
