// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of flitburst that tell of bursts: by the threshold that was given, by the valley of the
// histogram of gaps, or by the mean gap where there is none.
#include <math.h>

#include "burstiness_report.h"
#include "stat/valley.h"
#include "trace/ticks.h"

#define DIGITS 6
// Octaves to either side of the threshold.
#define SENSITIVITY 3

struct choice {
	size_t threshold;
	const char *basis;
	double depth; // of the valley; NaN where none was looked for
};

// The first power of 2 that is not below the mean gap.
static size_t above_mean(const struct burstiness *b)
{
	const struct thresholds *thresholds = b->bursts.thresholds;
	const double mean = moments_mean(&b->gaps.moments);
	size_t k = 0;

	while (k + 1 < thresholds->count && (double)thresholds->ticks[k] < mean)
		k++;
	return k;
}

// Gaps of one tick and less, which no clock tells apart, take no part in the search.
static struct choice choose(const struct burstiness *b)
{
	const struct thresholds *thresholds = b->bursts.thresholds;
	uint64_t counts[THRESHOLDS_MAX + 1] = {0};
	struct valley valley;

	if (!thresholds->powers)
		return (struct choice){thresholds->shown, "given", NAN};
	for (size_t i = 1; i <= thresholds->count; i++)
		counts[i] = b->bursts.gaps[i].n;
	valley = valley_find(counts, thresholds->count + 1);
	if (valley.found && valley.boundary < thresholds->count)
		return (struct choice){valley.boundary, "valley", valley.depth};
	return (struct choice){above_mean(b), b->gaps.moments.n > 0 ? "mean gap" : "none", valley.depth};
}

static double duty(const struct bursts_by *by)
{
	const double on = (double)by->of[BURST_ON].sum;

	return on / (on + (double)by->off.sum);
}

struct unit {
	const char *name;
	double size;
};

// p50, p90, p99, or none where they are not known.
static void add_quantiles(struct table *table, const struct log_histogram *histogram, uint64_t less, uint64_t max, double unit)
{
	static const double shares[] = {0.5, 0.9, 0.99};

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		if (histogram)
			table_real(table, unit * (double)(less + log_histogram_quantile(histogram, shares[i], max - less)), 4);
		else
			table_none(table);
}

// The buckets that are not empty, each with the share of the values beyond it.
static void add_distribution(struct table *table, const char *name, const char *quantity, const struct log_histogram *histogram,
			     uint64_t less, double unit)
{
	int64_t all = 0, above;

	for (unsigned i = 0; i < LOG_HISTOGRAM_BUCKETS; i++)
		all += histogram->count[i];
	above = all;
	for (unsigned i = 0; i < LOG_HISTOGRAM_BUCKETS; i++) {
		if (histogram->count[i] == 0)
			continue;
		above -= histogram->count[i];
		table_text(table, name);
		table_text(table, quantity);
		table_real(table, unit * (double)(less + log_histogram_upper(i)), DIGITS);
		table_count(table, (uint64_t)histogram->count[i]);
		table_real(table, (double)above / (double)all, DIGITS);
	}
}

static void add_quantity(struct table *table, const char *name, const char *quantity, const struct moments *moments)
{
	table_text(table, name);
	table_text(table, quantity);
	table_count(table, moments->n);
}

static void add_on_off(struct burstiness_report *report, const char *name, const struct burstiness *b,
		       const struct bursts_by *by, size_t k)
{
	const double second = 1 / (double)report->ticks_per_s;
	const struct unit units[] = {{"on_s", second}, {"packets", 1}, {"bytes", 1}};
	const bool has = nested_bursts_has(&b->bursts, k);
	struct table *table = report->tables[TABLE_ON_OFF];
	struct log_histogram histogram;

	for (int q = 0; q < BURST_QUANTITIES; q++) {
		const struct moments *moments = &by->of[q];
		const double mean = moments_mean(moments);

		if (has)
			nested_bursts_histogram(&b->bursts, k, (enum burst_quantity)q, &histogram);
		add_quantity(table, name, units[q].name, moments);
		table_real(table, mean * units[q].size, DIGITS);
		table_real(table, moments_sd(moments) / mean, DIGITS);
		add_quantiles(table, has ? &histogram : NULL, 0, by->max.of[q], units[q].size);
		table_real(table, (double)by->max.of[q] * units[q].size, q == BURST_ON ? DIGITS : 17);
		if (has && report->points)
			add_distribution(report->tables[TABLE_DISTRIBUTION], name, units[q].name, &histogram, 0, units[q].size);
	}
	nested_bursts_off_histogram(&b->bursts, k, &histogram);
	add_quantity(table, name, "off_s", &by->off);
	table_real(table, moments_mean(&by->off) * second, DIGITS);
	table_real(table, moments_sd(&by->off) / moments_mean(&by->off), DIGITS);
	add_quantiles(table, by->off.n > 0 ? &histogram : NULL, 1, (uint64_t)by->off_max_ticks, second);
	table_real(table, by->off.n > 0 ? (double)by->off_max_ticks * second : NAN, DIGITS);
	if (report->points)
		add_distribution(report->tables[TABLE_DISTRIBUTION], name, "off_s", &histogram, 1, second);
}

static void add_threshold(struct burstiness_report *report, const char *name, const struct burstiness *b, size_t k,
			  const struct choice *choice)
{
	const double second = 1 / (double)report->ticks_per_s;
	const struct bursts_by by = nested_bursts_get(&b->bursts, k);
	struct table *table = report->tables[TABLE_THRESHOLDS];

	table_text(table, name);
	table_real(table, (double)b->bursts.thresholds->ticks[k] * second, DIGITS);
	table_real(table, ldexp(1, (int)k - (int)choice->threshold), DIGITS);
	table_count(table, by.of[BURST_PACKETS].n);
	table_real(table, moments_mean(&by.of[BURST_PACKETS]), DIGITS);
	table_real(table, moments_mean(&by.of[BURST_BYTES]), DIGITS);
	table_real(table, moments_mean(&by.of[BURST_ON]) * second, DIGITS);
	table_real(table, moments_mean(&by.off) * second, DIGITS);
	table_real(table, duty(&by), DIGITS);
}

// Thresholds by which there are other bursts than by the next shorter one, or near the chosen one.
static bool is_shown(const struct burstiness_report *report, const struct burstiness *b, size_t k, const struct choice *choice)
{
	const size_t apart = k > choice->threshold ? k - choice->threshold : choice->threshold - k;

	return apart <= SENSITIVITY || (report->points && b->bursts.gaps[k].n > 0);
}

static void add_histogram(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	const double second = 1 / (double)report->ticks_per_s;
	const struct thresholds *thresholds = b->bursts.thresholds;
	struct table *table = report->tables[TABLE_HISTOGRAM];

	for (size_t i = 0; i <= thresholds->count; i++) {
		if (b->bursts.gaps[i].n == 0)
			continue;
		table_text(table, name);
		table_real(table, i > 0 ? (double)thresholds->ticks[i - 1] * second : 0, DIGITS);
		table_real(table, i < thresholds->count ? (double)thresholds->ticks[i] * second : NAN, DIGITS);
		table_count(table, b->bursts.gaps[i].n);
	}
}

void burst_rows(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	const struct choice choice = choose(b);
	const struct bursts_by by = nested_bursts_get(&b->bursts, choice.threshold);
	struct table *table = report->tables[TABLE_BURSTS];

	table_text(table, name);
	table_real(table, tr_ticks_seconds(b->bursts.thresholds->ticks[choice.threshold], report->ticks_per_s), DIGITS);
	table_text(table, choice.basis);
	table_real(table, choice.depth, 4);
	table_count(table, by.of[BURST_PACKETS].n);
	table_real(table, duty(&by), DIGITS);
	add_on_off(report, name, b, &by, choice.threshold);
	for (size_t k = 0; report->scales && k < b->bursts.thresholds->count; k++)
		if (is_shown(report, b, k, &choice))
			add_threshold(report, name, b, k, &choice);
	if (report->points)
		add_histogram(report, name, b);
}
