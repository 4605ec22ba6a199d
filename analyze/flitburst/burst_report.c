// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of flitburst: first the numbers to quote, then those that depend on the scale.
#include "flitburst.h"

#include <math.h>

#include "stat/bursts/burst_gap.h"
#include "stat/counts/dispersion.h"
#include "value/ticks.h"

#define DIGITS 6

// ---- bursts

// Listed gaps to either side of the burst gap.
#define SENSITIVITY 3

static double duty(const struct bursts_by *by)
{
	const double on = (double)by->of[BURST_ON].sum;

	return on / (on + (double)by->off.sum);
}

struct burst_report_unit {
	const char *name;
	double size;
};

// p50, p90, p99, or none if unknown.
static void add_quantiles(struct table *table, const struct log_histogram *histogram, uint64_t less,
			  uint64_t max, double unit)
{
	static const double shares[] = {0.5, 0.9, 0.99};

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		table_real(table,
			   histogram ? unit * (double)(less + log_histogram_quantile(histogram,
										     shares[i],
										     max - less))
				     : NAN,
			   4);
}

// The non-empty buckets, each with the share of the values beyond it.
static void add_distribution(struct table *table, const char *name, const char *quantity,
			     const struct log_histogram *histogram, uint64_t less, double unit)
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

static void add_quantity(struct table *table, const char *name, const char *quantity,
			 const struct moments *moments)
{
	table_text(table, name);
	table_text(table, quantity);
	table_count(table, moments->n);
}

static void add_on_off(struct burstiness_report *report, const char *name,
		       const struct burstiness *b, const struct bursts_by *by, size_t k)
{
	const double second = 1 / (double)report->ticks_per_s;
	const struct burst_report_unit units[] = {{"on_s", second}, {"packets", 1}, {"bytes", 1}};
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
		table_real(table, (double)by->max.of[q] * units[q].size,
			   q == BURST_ON ? DIGITS : 17);
		if (has && report->points)
			add_distribution(report->tables[TABLE_DISTRIBUTION], name, units[q].name,
					 &histogram, 0, units[q].size);
	}
	nested_bursts_off_histogram(&b->bursts, k, &histogram);
	add_quantity(table, name, "off_s", &by->off);
	table_real(table, moments_mean(&by->off) * second, DIGITS);
	table_real(table, moments_sd(&by->off) / moments_mean(&by->off), DIGITS);
	add_quantiles(table, by->off.n > 0 ? &histogram : NULL, 1, (uint64_t)by->off_max_ticks,
		      second);
	table_real(table, by->off.n > 0 ? (double)by->off_max_ticks * second : NAN, DIGITS);
	if (report->points)
		add_distribution(report->tables[TABLE_DISTRIBUTION], name, "off_s", &histogram, 1,
				 second);
}

static void add_threshold(struct burstiness_report *report, const char *name,
			  const struct burstiness *b, size_t k, const struct burst_gap *gap)
{
	const double second = 1 / (double)report->ticks_per_s,
		     ticks = (double)b->bursts.thresholds->ticks[k];
	const struct bursts_by by = nested_bursts_get(&b->bursts, k);
	struct table *table = report->tables[TABLE_THRESHOLDS];

	table_text(table, name);
	table_real(table, ticks * second, DIGITS);
	table_real(table, gap->ticks > 0 ? ticks / (double)gap->ticks : NAN, DIGITS);
	table_count(table, by.of[BURST_PACKETS].n);
	table_real(table, moments_mean(&by.of[BURST_PACKETS]), DIGITS);
	table_real(table, moments_mean(&by.of[BURST_BYTES]), DIGITS);
	table_real(table, moments_mean(&by.of[BURST_ON]) * second, DIGITS);
	table_real(table, moments_mean(&by.off) * second, DIGITS);
	table_real(table, duty(&by), DIGITS);
}

// Gaps by which there are other bursts than by the next shorter one, or near the burst gap.
static bool is_shown(const struct burstiness_report *report, const struct burstiness *b, size_t k,
		     const struct burst_gap *gap)
{
	const size_t apart = k > gap->index ? k - gap->index : gap->index - k;

	return (gap->ticks > 0 && apart <= SENSITIVITY) ||
	       (report->points && b->bursts.gaps[k].n > 0);
}

static void add_histogram(struct burstiness_report *report, const char *name,
			  const struct burstiness *b)
{
	const double second = 1 / (double)report->ticks_per_s;
	const struct burst_gaps *thresholds = b->bursts.thresholds;
	struct table *table = report->tables[TABLE_HISTOGRAM];

	for (size_t i = 0; i <= thresholds->count; i++) {
		if (b->bursts.gaps[i].n == 0)
			continue;
		table_text(table, name);
		table_real(table, i > 0 ? (double)thresholds->ticks[i - 1] * second : 0, DIGITS);
		table_real(table,
			   i < thresholds->count ? (double)thresholds->ticks[i] * second : NAN,
			   DIGITS);
		table_count(table, b->bursts.gaps[i].n);
	}
}

// The burst gap, the depth of its valley, the bursts, and the share of the time that they take;
// none without bursts.
static void add_burst_gap(struct table *table, const struct burstiness *b,
			  const struct burst_gap *gap, uint64_t ticks_per_s)
{
	const struct bursts_by by = nested_bursts_get(&b->bursts, gap->index);

	table_real(table, gap->ticks > 0 ? tr_ticks_seconds(gap->ticks, ticks_per_s) : NAN, DIGITS);
	table_text(table, burst_gap_basis(gap));
	table_real(table, gap->depth, 4);
	table_count(table, gap->bursts);
	table_real(table, gap->ticks > 0 ? duty(&by) : NAN, DIGITS);
}

static void burst_rows(struct burstiness_report *report, const char *name,
		       const struct burstiness *b)
{
	const struct burst_gap gap = nested_bursts_choose(&b->bursts, b->settings->burst_by);
	struct table *table = report->tables[TABLE_BURSTS];
	char text[BURST_GAP_TEXT];

	table_text(table, name);
	add_burst_gap(table, b, &gap, report->ticks_per_s);
	if (gap.basis == BURST_BASIS_NONE) {
		table_note(table, "%s: %s", name, burst_gap_say(&gap, report->ticks_per_s, text));
	} else {
		const struct bursts_by by = nested_bursts_get(&b->bursts, gap.index);

		add_on_off(report, name, b, &by, gap.index);
	}
	for (size_t k = 0; report->scales && k < b->bursts.thresholds->count; k++)
		if (is_shown(report, b, k, &gap))
			add_threshold(report, name, b, k, &gap);
	if (report->points)
		add_histogram(report, name, b);
}

// ---- windows of time, numbers of gaps and lags

// By default, powers of 2 are shown that have at least this many windows or sums, and packets a
// window.
#define SHOWN_VALUES_MIN 30
#define SHOWN_MEAN_MIN 0.125

static void add_index(struct table *table, const struct dispersion *dispersion)
{
	table_real(table, dispersion->index, DIGITS);
	table_real(table, dispersion->lo, DIGITS);
	table_real(table, dispersion->hi, DIGITS);
}

static void add_window(struct burstiness_report *report, const char *name,
		       const struct burstiness *b, const struct window_counts *window)
{
	const double width_s = (double)window->factor * (double)b->settings->width_ticks /
			       (double)report->ticks_per_s;
	struct table *table = report->tables[TABLE_WINDOWS];

	table_text(table, name);
	table_real(table, width_s, 10);
	table_count(table, window->packets.n);
	table_real(table, window->packets.mean, DIGITS);
	add_index(table, &window->packets);
	table_real(table, (double)window->packets_peak / window->packets.mean, DIGITS);
	add_index(table, &window->bytes);
	table_real(table, (double)window->bytes_peak / window->bytes.mean, DIGITS);
}

static void add_windows(struct burstiness_report *report, const char *name,
			const struct burstiness *b)
{
	const bool given = b->settings->windows.count > 0;

	for (size_t i = 0, count = burstiness_window_count(b); i < count; i++) {
		const struct window_counts window = burstiness_window(b, i, report->level);

		if (given || (report->points && window.packets.n > 0) ||
		    (window.packets.n >= SHOWN_VALUES_MIN && window.packets.mean >= SHOWN_MEAN_MIN))
			add_window(report, name, b, &window);
	}
}

static void add_blocks(struct burstiness_report *report, const char *name,
		       const struct burstiness *b)
{
	const bool given = b->settings->blocks.count > 0;
	struct table *table = report->tables[TABLE_GAPS];

	for (size_t i = 0, count = burstiness_block_count(b); i < count; i++) {
		const struct gap_blocks blocks = burstiness_block(b, i, report->level);

		if (!given && blocks.gaps.n < (report->points ? 1 : SHOWN_VALUES_MIN))
			continue;
		table_text(table, name);
		table_count(table, (uint64_t)blocks.factor);
		table_count(table, blocks.gaps.n);
		add_index(table, &blocks.gaps);
	}
}

static void add_lags(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	const struct lags *lags = &b->settings->lags;
	struct table *table = report->tables[TABLE_AUTOCORRELATION];

	for (size_t i = 0; i < lags->count; i++) {
		table_text(table, name);
		table_count(table, lags->lag[i]);
		table_real(table, lagged_autocorrelation(&b->gaps, i), DIGITS);
		table_real(table, lagged_autocorrelation(&b->sizes, i), DIGITS);
	}
	if (b->gaps.moments.n > 1)
		table_note(table,
			   "%s: for independent gaps, 95 %% of the values lie within %.3g of 0",
			   name, 1.96 / sqrt((double)b->gaps.moments.n));
}

static void scale_rows(struct burstiness_report *report, const char *name,
		       const struct burstiness *b)
{
	add_windows(report, name, b);
	add_blocks(report, name, b);
	add_lags(report, name, b);
}

// ---- the report

struct burst_report_form {
	const char *name;
	const char *title;
	const char *columns; // after "of", the stream
	bool bytes;	     // some of them, or of its rows, are of bytes
};

static const struct burst_report_form forms[BURSTINESS_TABLES] = {
	[TABLE_BURSTINESS] =
		{"burstiness", "Gaps and sizes",
		 "packets bytes duration_s gap_mean_s gap_cv B B_finite memory size_mean_B size_cv",
		 true},
	[TABLE_BURSTS] = {"bursts", "Bursts", "burst_gap_s basis depth bursts duty"},
	[TABLE_ON_OFF] = {"on_off", "Bursts (ON) and silences (OFF)",
			  "quantity n mean cv p50 p90 p99 max", true},
	[TABLE_THRESHOLDS] =
		{"burst_gaps", "Bursts by other gaps",
		 "burst_gap_s factor bursts packets_mean bytes_mean on_mean_s off_mean_s duty",
		 true},
	[TABLE_WINDOWS] = {"windows", "Dispersion and peak-to-mean ratio of counts by window",
			   "width_s windows packets_mean packets_idc packets_idc_lo packets_idc_hi "
			   "packets_peak_to_mean "
			   "bytes_idc_B bytes_idc_lo_B bytes_idc_hi_B bytes_peak_to_mean",
			   true},
	[TABLE_GAPS] = {"gaps", "Dispersion of sums of gaps", "gaps sums idi idi_lo idi_hi"},
	[TABLE_AUTOCORRELATION] = {"autocorrelation", "Autocorrelation", "lag gaps sizes"},
	[TABLE_HISTOGRAM] = {"gap_histogram", "Histogram of gaps", "from_s to_s gaps"},
	[TABLE_DISTRIBUTION] = {"distributions", "Distributions of bursts and silences",
				"quantity up_to n share_above", true},
};

static bool is_wanted(const struct burstiness_report *report, enum burstiness_table which)
{
	if (which >= TABLE_HISTOGRAM)
		return report->points;
	return report->scales || which <= TABLE_ON_OFF;
}

void burstiness_report_open(struct burstiness_report *report)
{
	char title[128];

	for (int i = 0; i < BURSTINESS_TABLES; i++) {
		report->tables[i] = NULL;
		if (!is_wanted(report, (enum burstiness_table)i))
			continue;
		(void)snprintf(title, sizeof(title), "%s%s", forms[i].title,
			       !forms[i].bytes ? ""
			       : report->wire  ? ", bytes on the wire"
					       : ", bytes of the payload");
		report->tables[i] = table_new(forms[i].name, title);
		table_column(report->tables[i], "of");
		table_columns(report->tables[i], forms[i].columns);
	}
	table_note(report->tables[TABLE_ON_OFF],
		   "quantiles have a relative error of at most 3.2 %%; ON is the time from the "
		   "first to the last packet of a burst");
	if (report->scales) {
		table_note(report->tables[TABLE_WINDOWS],
			   "%g %% confidence intervals by a jackknife over time segments, "
			   "dependent or not (flitline-intervals(7))",
			   100 * report->level);
		table_note(report->tables[TABLE_GAPS],
			   "%g %% confidence intervals by a jackknife over runs of gaps, dependent "
			   "or not",
			   100 * report->level);
	}
}

static void add_summary(struct burstiness_report *report, const char *name,
			const struct burstiness *b)
{
	struct table *table = report->tables[TABLE_BURSTINESS];
	const struct moments *gaps = &b->gaps.moments, *sizes = &b->sizes.moments;

	table_text(table, name);
	table_count(table, b->packets);
	table_count(table, b->size_bytes);
	table_real(table, tr_ticks_seconds(b->last_ticks - b->first_ticks, report->ticks_per_s),
		   12);
	table_real(table, moments_mean(gaps) / (double)report->ticks_per_s, DIGITS + 1);
	table_real(table, moments_sd(gaps) / moments_mean(gaps), DIGITS);
	table_real(table, goh_barabasi(gaps), DIGITS);
	table_real(table, goh_barabasi_finite(gaps), DIGITS);
	table_real(table, lagged_memory(&b->gaps), DIGITS);
	table_real(table, moments_mean(sizes), DIGITS);
	table_real(table, moments_sd(sizes) / moments_mean(sizes), DIGITS);
}

void burstiness_report_add(struct burstiness_report *report, const char *name,
			   const struct burstiness *b)
{
	add_summary(report, name, b);
	burst_rows(report, name, b);
	if (report->scales)
		scale_rows(report, name, b);
}

enum tr_status burstiness_report_print(const struct burstiness_report *report,
				       struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[BURSTINESS_TABLES];
	size_t count = 0;

	for (int i = 0; i < BURSTINESS_TABLES; i++)
		if (report->tables[i])
			tables[count++] = report->tables[i];
	return tables_print(tables, count, style, "flitburst", out, err);
}

void burstiness_report_close(struct burstiness_report *report)
{
	for (int i = 0; i < BURSTINESS_TABLES; i++)
		table_free(report->tables[i]);
}

// ---- a line while packets arrive

struct table *burstiness_line_table(bool wire)
{
	struct table *table = table_new("every", "Burstiness of all packets so far");

	table_columns(table, "time_s packets");
	table_column(table, wire ? "wire_B" : "payload_B");
	table_columns(table, "gap_cv B memory burst_gap_s basis depth bursts duty of");
	return table;
}

void burstiness_line(struct table *table, const char *time_s, const char *name,
		     const struct burstiness *b, uint64_t ticks_per_s)
{
	const struct moments *gaps = &b->gaps.moments;
	const struct burst_gap gap = nested_bursts_choose(&b->bursts, b->settings->burst_by);

	table_decimal(table, time_s);
	table_count(table, b->packets);
	table_count(table, b->size_bytes);
	table_real(table, moments_sd(gaps) / moments_mean(gaps), DIGITS);
	table_real(table, goh_barabasi(gaps), DIGITS);
	table_real(table, lagged_memory(&b->gaps), DIGITS);
	add_burst_gap(table, b, &gap, ticks_per_s);
	table_text(table, name);
}
