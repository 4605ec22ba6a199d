// SPDX-License-Identifier: GPL-3.0-or-later
// What the samples say: latency, rate, and whether the repeats agree.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "value/num.h"

#define DIGITS 7
#define HOPS_MOST 65535u
#define PATH_WORDS 3u

enum tr_status bench_path_parse(const char *text, struct bench_path *path, struct tr_error *err)
{
	char copy[32] = "", *rest = copy, *words[PATH_WORDS] = {copy, copy, "0"};
	uint64_t hops = 0, switches = 0;
	size_t count = 0;
	bool good = strlen(text) < sizeof(copy), turns;

	memcpy(copy, text, good ? strlen(text) : 0);
	while (rest && count < PATH_WORDS)
		words[count++] = strsep(&rest, ",");
	turns = strcmp(words[0], "torus") == 0;
	good = good && !rest && count >= 2 && (turns || strcmp(words[0], "ring") == 0) &&
	       num_parse_count(words[1], 1, HOPS_MOST, &hops, NULL) == TR_OK &&
	       num_parse_count(words[2], 0, turns ? hops - 1 : 0, &switches, NULL) == TR_OK;
	*path = (struct bench_path){turns ? "torus" : "ring", (uint32_t)hops, (uint32_t)switches};
	return good ? TR_OK
		    : tr_fail(err, "--path %.60s: expected ring,HOPS or torus,HOPS,SWITCHES, with fewer switches than hops",
			      text);
}

enum tr_status bench_results_open(struct bench_results *results, size_t sizes, size_t repeats, bool timed, struct tr_error *err)
{
	results->sizes = sizes;
	results->repeats = repeats;
	results->bytes = calloc(sizes, sizeof(*results->bytes));
	results->latency_us = calloc(sizes * repeats, sizeof(*results->latency_us));
	if (timed)
		results->samples = calloc(sizes * repeats, sizeof(*results->samples));
	if (!results->bytes || !results->latency_us || (timed && !results->samples))
		return tr_no_memory(err, "%zu samples", sizes * repeats);
	return TR_OK;
}

void bench_results_clear(struct bench_results *results)
{
	free(results->bytes);
	free(results->latency_us);
	free(results->samples);
	*results = (struct bench_results){0};
}

double bench_latency_us(const struct bench_test *test, const struct bench_sample *sample)
{
	return (double)sample->elapsed_ns / ((double)sample->exchanges * test->trips) / 1000;
}

double bench_rate_MBps(uint64_t bytes, double latency_us)
{
	return latency_us > 0 ? (double)bytes / latency_us : NAN;
}

struct bench_summary bench_summarize(const double *values, size_t count, double accuracy)
{
	struct bench_summary summary = {.max = values[0], .min = values[0]};
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		summary.max = fmax(summary.max, values[i]);
		summary.min = fmin(summary.min, values[i]);
		sum += values[i];
	}
	summary.mean = sum / (double)count;
	summary.spread = summary.max > summary.min ? (summary.max - summary.min) / summary.min : 0;
	summary.accurate = !(summary.max - summary.min > accuracy * summary.min);
	return summary;
}

static struct bench_summary bench_results_latency_of(const struct bench_results *results, size_t size, double accuracy)
{
	return bench_summarize(&results->latency_us[size * results->repeats], results->repeats, accuracy);
}

bool bench_all_accurate(const struct bench_results *results, double accuracy)
{
	for (size_t i = 0; i < results->sizes; i++)
		if (!bench_results_latency_of(results, i, accuracy).accurate)
			return false;
	return true;
}

// What flitcalc takes components from.
static void put_path(struct table *table, const struct bench_path *path, double latency_us)
{
	table_text(table, path->network);
	table_count(table, path->hops);
	table_count(table, path->switches);
	table_real(table, 1000 * latency_us, DIGITS);
}

struct table *bench_latency_table(const struct bench_results *results, double accuracy)
{
	struct table *table = table_new("latency", "Latency by size of message");

	table_columns(table, "test over size_B repeats latency_us max_us mean_us spread accurate rate_MBps");
	if (results->path.network)
		table_columns(table, "network hops switches pp_ns");
	for (size_t i = 0; i < results->sizes; i++) {
		const struct bench_summary summary = bench_results_latency_of(results, i, accuracy);

		table_text(table, results->test);
		table_text(table, results->over);
		table_count(table, results->bytes[i]);
		table_count(table, results->repeats);
		table_real(table, summary.min, DIGITS);
		table_real(table, summary.max, DIGITS);
		table_real(table, summary.mean, DIGITS);
		table_real(table, summary.spread, 4);
		table_text(table, summary.accurate ? "yes" : "no");
		table_real(table, bench_rate_MBps(results->bytes[i], summary.min), DIGITS);
		if (results->path.network)
			put_path(table, &results->path, summary.min);
	}
	for (size_t i = 0; i < sizeof(results->remarks) / sizeof(results->remarks[0]); i++)
		if (results->remarks[i][0] != '\0')
			table_note(table, "%s", results->remarks[i]);
	return table;
}

struct table *bench_samples_table(const struct bench_results *results)
{
	struct table *table = table_new("samples", "Samples");

	table_columns(table, "size_B repeat exchanges elapsed_ns latency_us");
	for (size_t i = 0; i < results->sizes * results->repeats; i++) {
		table_count(table, results->bytes[i / results->repeats]);
		table_count(table, i % results->repeats + 1);
		if (results->samples) {
			table_count(table, results->samples[i].exchanges);
			table_signed(table, results->samples[i].elapsed_ns);
		} else {
			table_none(table);
			table_none(table);
		}
		table_real(table, results->latency_us[i], DIGITS);
	}
	return table;
}
