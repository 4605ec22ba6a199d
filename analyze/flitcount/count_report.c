// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of flitcount: widths, percentiles of rates, variance-time slopes.
#include "flitcount.h"

#include <math.h>

#include "stat/counts/variance_slope.h"
#include "table/table_rows.h"

#define DIGITS 7

// A peak may be in a bin at the edge; mean and variance are those of the complete bins.
static void add_measure(struct table *table, const struct moments *complete,
			const struct moments *edges)
{
	const double mean = moments_mean(complete), variance = moments_variance(complete);
	struct moments all = *complete;

	moments_merge(&all, edges);
	table_real(table, mean, DIGITS);
	table_real(table, variance, DIGITS);
	table_count(table, all.n ? (uint64_t)all.max : 0);
	table_real(table, (double)all.max / mean, DIGITS);
	table_real(table, variance / mean, DIGITS);
}

static struct table *widths_table(const struct scales *scales, const struct widths *widths,
				  bool wire)
{
	struct table *table = table_new("widths",
					wire ? "Packets and bytes per bin (bytes on the wire)"
					     : "Packets and bytes per bin (bytes of the payload)");

	table_columns(table, "width_s bins packets bytes complete_bins packets_mean "
			     "packets_variance packets_peak "
			     "packets_peak_to_mean packets_dispersion bytes_mean bytes_variance "
			     "bytes_peak bytes_peak_to_mean "
			     "bytes_dispersion_B");
	for (size_t i = 0; i < widths->count; i++) {
		const struct scale_moments complete = scales_get(scales, i);
		const struct scale_moments edges = scales_edges(scales, i);

		table_real(table, num_value(widths->seconds[i]), 10);
		table_count(table, complete.count.n + edges.count.n);
		table_count(table, (uint64_t)(complete.count.sum + edges.count.sum));
		table_count(table, (uint64_t)(complete.size_bytes.sum + edges.size_bytes.sum));
		table_count(table, complete.count.n);
		add_measure(table, &complete.count, &edges.count);
		add_measure(table, &complete.size_bytes, &edges.size_bytes);
	}
	return table;
}

static const unsigned percentiles[] = {500, 900, 950, 990, 999}; // in thousandths

#define PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

TABLE_ROW(count_rates, (real, width_s, 10), (text, of), (count, complete_bins), (real, p50, DIGITS),
	  (real, p90, DIGITS), (real, p95, DIGITS), (real, p99, DIGITS),
	  (real, p99_9, DIGITS, "p99.9"), (real, max, DIGITS));

// A row of rates: a value of 1 in a bin is per a second. complete and edges are the bins' moments.
static enum tr_status add_rates(struct table *table, double width_s, const char *of,
				struct value_counts *values, const struct moments *complete,
				const struct moments *edges, double per, struct tr_error *err)
{
	uint64_t found[PERCENTILES];
	const double value = complete->n > 0 ? per : NAN;
	struct moments all = *complete;

	if (value_counts_add(values, 0, complete->n - values->n, err) != TR_OK ||
	    value_counts_percentiles(values, percentiles, PERCENTILES, found, err) != TR_OK)
		return TR_ERROR;
	moments_merge(&all, edges);
	TABLE_PUT(table, count_rates, .width_s = width_s, .of = of, .complete_bins = complete->n,
		  .p50 = value * (double)found[0], .p90 = value * (double)found[1],
		  .p95 = value * (double)found[2], .p99 = value * (double)found[3],
		  .p99_9 = value * (double)found[4], .max = all.n ? per * (double)all.max : NAN);
	return TR_OK;
}

// NULL if out of memory.
static struct table *rates_table(const struct scales *scales, const struct widths *widths,
				 bool wire, struct tr_error *err)
{
	struct table *table = table_of("rates",
				       wire ? "Rate percentiles (b/s on the wire)"
					    : "Rate percentiles (b/s of the payload)",
				       count_rates_fields);
	enum tr_status status = TR_OK;
	double error = 0;

	for (size_t i = 0; i < widths->count && status == TR_OK; i++) {
		struct bin_value_counts *values = &scales->values->widths[i];
		const struct scale_moments complete = scales_get(scales, i),
					   edges = scales_edges(scales, i);
		const double width_s = num_value(widths->seconds[i]), per_s = 1 / width_s;

		status = add_rates(table, width_s, "packets/s", &values->count, &complete.count,
				   &edges.count, per_s, err);
		if (status == TR_OK)
			status = add_rates(table, width_s, "b/s", &values->size_bytes,
					   &complete.size_bytes, &edges.size_bytes, 8 * per_s, err);
		error = fmax(error, fmax(value_counts_error(&values->count),
					 value_counts_error(&values->size_bytes)));
	}
	if (error > 0)
		table_note(table,
			   "the bins of a width have more than %u different values: its "
			   "percentiles are exact to %.2g %%",
			   VALUE_COUNTS_MAX, 100 * error);
	if (status == TR_OK)
		return table;
	table_free(table);
	return NULL;
}

TABLE_ROW(count_slope, (text, of), (count, widths), (real, slope, DIGITS), (real, slope_lo, DIGITS),
	  (real, slope_hi, DIGITS), (count, segments));

static void count_report_add_slope(struct table *table, const char *of,
				   const struct variance_slope *slope)
{
	TABLE_PUT(table, count_slope, .of = of, .widths = slope->widths, .slope = slope->slope,
		  .slope_lo = slope->lo, .slope_hi = slope->hi, .segments = slope->segments);
}

static struct table *slope_table(const struct scales *scales, double level, bool wire)
{
	const struct variance_slope count = variance_slope(scales, SCALE_COUNT, level);
	const struct variance_slope bytes = variance_slope(scales, SCALE_BYTES, level);
	struct table *table = table_of("variance_time",
				       wire ? "Variance-time slope (bytes on the wire)"
					    : "Variance-time slope (bytes of the payload)",
				       count_slope_fields);

	count_report_add_slope(table, "packets", &count);
	count_report_add_slope(table, "bytes", &bytes);
	table_note(table,
		   "fitted to widths with at least %d bins; %g %% confidence interval by a "
		   "jackknife over time segments",
		   VARIANCE_SLOPE_BINS, 100 * level);
	if (isnan(count.se))
		table_note(table, "no interval: fewer than two widths, or too few segments");
	return table;
}

enum tr_status count_report(const struct scales *scales, const struct widths *widths, double level,
			    bool wire, struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[] = {widths_table(scales, widths, wire),
				  rates_table(scales, widths, wire, err),
				  slope_table(scales, level, wire)};
	const size_t count = sizeof(tables) / sizeof(tables[0]);
	const enum tr_status status = tables[1] ? tables_print(tables, count, style, "flitcount",
							       out, err)
						: TR_ERROR;

	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}
