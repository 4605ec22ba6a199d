// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of flitburst over windows of time, numbers of gaps and lags.
#include <math.h>

#include "burstiness_report.h"

#define DIGITS 6
// Powers of 2 that are shown without being asked for: as many windows or sums, and packets a window.
#define SHOWN_VALUES_MIN 30
#define SHOWN_MEAN_MIN 0.125

static void add_index(struct table *table, const struct dispersion *dispersion)
{
	table_real(table, dispersion->index, DIGITS);
	table_real(table, dispersion->lo, DIGITS);
	table_real(table, dispersion->hi, DIGITS);
}

static void add_window(struct burstiness_report *report, const char *name, const struct burstiness *b,
		       const struct window_counts *window)
{
	const double width_s = (double)window->factor * (double)b->settings->width_ticks / (double)report->ticks_per_s;
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

static void add_windows(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	const bool given = b->settings->windows.count > 0;

	for (size_t i = 0, count = burstiness_window_count(b); i < count; i++) {
		const struct window_counts window = burstiness_window(b, i, report->level);

		if (given || (report->points && window.packets.n > 0) ||
		    (window.packets.n >= SHOWN_VALUES_MIN && window.packets.mean >= SHOWN_MEAN_MIN))
			add_window(report, name, b, &window);
	}
}

static void add_blocks(struct burstiness_report *report, const char *name, const struct burstiness *b)
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
		table_note(table, "%s: of independent gaps 95 %% are within %.3g of 0", name,
			   1.96 / sqrt((double)b->gaps.moments.n));
}

void scale_rows(struct burstiness_report *report, const char *name, const struct burstiness *b)
{
	add_windows(report, name, b);
	add_blocks(report, name, b);
	add_lags(report, name, b);
}
