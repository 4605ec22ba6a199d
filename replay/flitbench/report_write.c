// SPDX-License-Identifier: GPL-3.0-or-later
// The four reports of scibench and mpibench. The header names as many repeats as there are, and all
// rates have one unit.
#include <math.h>

#include "bench.h"
#include "report_titles.h"

static double report_write_value_at(const struct bench_results *results, size_t at, bool rates)
{
	const double latency = results->latency_us[at];

	return rates ? bench_rate_MBps(results->bytes[at / results->repeats], latency) : latency;
}

static void report_write_write_title(const char *title, FILE *out)
{
	(void)fprintf(out, "%s\n%s\n%s\n", REPORT_RULE, title, REPORT_RULE);
}

static void write_raw(const struct bench_results *results, bool rates, FILE *out)
{
	report_write_write_title(report_titles[rates], out);
	(void)fputs(REPORT_SIZE, out);
	for (size_t i = 1; i <= results->repeats; i++)
		(void)fprintf(out, ",Rep%zu", i);
	for (size_t i = 0; i < results->sizes; i++) {
		(void)fprintf(out, "\n%10.6f, ", (double)results->bytes[i]);
		for (size_t j = 0; j < results->repeats; j++)
			(void)fprintf(
				out, "%10.6f, ",
				report_write_value_at(results, i * results->repeats + j, rates));
	}
	(void)fputs("\n\n", out);
}

static void write_summary(const struct bench_results *results, bool rates, double accuracy,
			  FILE *out)
{
	double values[BENCH_REPEATS_MAX];

	report_write_write_title(report_titles[2 + rates], out);
	(void)fputs("Size,Max,Min,Avg,Max-Min,((Max-Min)/Min)\n", out);
	for (size_t i = 0; i < results->sizes; i++) {
		struct bench_summary summary;

		for (size_t j = 0; j < results->repeats; j++)
			values[j] = report_write_value_at(results, i * results->repeats + j, rates);
		summary = bench_summarize(values, results->repeats, accuracy);
		(void)fprintf(out, "%llu,%10.6f,%10.6f,%10.6f, %10.6f, %10.6f, %s\n",
			      (unsigned long long)results->bytes[i], summary.max, summary.min,
			      summary.mean, summary.max - summary.min, summary.spread,
			      summary.accurate ? "" : REPORT_FLAG);
	}
	(void)fputc('\n', out);
}

void bench_report_write(const struct bench_results *results, double accuracy, FILE *out)
{
	write_raw(results, false, out);
	write_raw(results, true, out);
	write_summary(results, false, accuracy, out);
	write_summary(results, true, accuracy, out);
}
