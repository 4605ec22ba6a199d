// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_report.h"

#define DIGITS 4
#define COARSE 0.01

static void add_columns(struct table *table, const char *const *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_column(table, columns[i]);
}

void test_report_open(struct test_report *report, bool with_intervals)
{
	static const char *const verdicts[] = {
		"input", "intervals", "tested", "exponential", "p_exponential", "independent",
		"p_independent", "positive_lag1", "p_sign", "poisson",
	};
	static const char *const intervals[] = {"input", "start_s", "gaps", "mean_gap_s", "A2", "lag1",
						"exponential", "independent"};

	report->verdicts = table_new("poisson", "Poisson arrivals");
	add_columns(report->verdicts, verdicts, sizeof verdicts / sizeof *verdicts);
	table_note(report->verdicts, "intervals with %d gaps and more are tested, each at 5 %%", POISSON_GAPS_MIN);
	report->intervals = with_intervals ? table_new("intervals", "intervals") : NULL;
	if (with_intervals)
		add_columns(report->intervals, intervals, sizeof intervals / sizeof *intervals);
}

static void add_intervals(struct table *table, const char *name, const struct poisson *poisson,
			  double ticks_per_s)
{
	for (size_t i = 0; i < poisson->count; i++) {
		const struct poisson_interval *interval = &poisson->intervals[i];

		table_text(table, name);
		table_real(table, (double)interval->start_ticks / ticks_per_s, 10);
		table_count(table, interval->gaps);
		table_real(table, interval->mean_ticks / ticks_per_s, DIGITS);
		table_real(table, interval->statistic, DIGITS);
		table_real(table, interval->lag1, DIGITS);
		if (interval->gaps < POISSON_GAPS_MIN) {
			table_none(table);
			table_none(table);
			continue;
		}
		table_text(table, interval->exponential ? "yes" : "no");
		table_text(table, interval->independent ? "yes" : "no");
	}
}

void test_report_add(struct test_report *report, const char *name, const struct poisson *poisson,
		     const struct poisson_verdict *verdict, uint64_t ticks_per_s)
{
	table_text(report->verdicts, name);
	table_count(report->verdicts, verdict->intervals);
	table_count(report->verdicts, verdict->tested);
	table_count(report->verdicts, verdict->exponential);
	table_real(report->verdicts, verdict->p_exponential, DIGITS);
	table_count(report->verdicts, verdict->independent);
	table_real(report->verdicts, verdict->p_independent, DIGITS);
	table_count(report->verdicts, verdict->positive);
	table_real(report->verdicts, verdict->p_sign, DIGITS);
	table_text(report->verdicts, verdict->tested == 0 ? "unknown" : verdict->poisson ? "yes" : "no");
	if (verdict->tested == 0)
		table_note(report->verdicts, "%s: no interval has %d gaps: a longer one is needed", name,
			   POISSON_GAPS_MIN);
	if ((double)verdict->zeros > COARSE * (double)verdict->gaps)
		table_note(report->verdicts, "%s: %.3g %% of the gaps are 0: the clock is too coarse for the test, or "
			   "packets come together", name, 100 * (double)verdict->zeros / (double)verdict->gaps);
	if (report->intervals)
		add_intervals(report->intervals, name, poisson, (double)ticks_per_s);
}

enum tr_status test_report_print(const struct test_report *report, struct table_style style, FILE *out,
				 struct tr_error *err)
{
	struct table *tables[] = {report->verdicts, report->intervals};

	return tables_print(tables, report->intervals ? 2 : 1, style, "flittest", out, err);
}

void test_report_close(struct test_report *report)
{
	table_free(report->verdicts);
	table_free(report->intervals);
}
