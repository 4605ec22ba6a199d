// SPDX-License-Identifier: GPL-3.0-or-later
// Results from the samples: latency, rate, and whether the repeats agree.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "table/table_rows.h"
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
		    : tr_fail(err,
			      "--path %.60s: expected ring,HOPS or torus,HOPS,SWITCHES, with fewer "
			      "switches than hops",
			      text);
}

enum tr_status bench_results_open(struct bench_results *results, size_t sizes, size_t repeats,
				  bool timed, struct tr_error *err)
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

static struct bench_summary bench_results_latency_of(const struct bench_results *results,
						     size_t size, double accuracy)
{
	return bench_summarize(&results->latency_us[size * results->repeats], results->repeats,
			       accuracy);
}

bool bench_all_accurate(const struct bench_results *results, double accuracy)
{
	for (size_t i = 0; i < results->sizes; i++)
		if (!bench_results_latency_of(results, i, accuracy).accurate)
			return false;
	return true;
}

TABLE_ROW(bench_size, (text, test), (text, over), (count, size_B), (count, repeats),
	  (real, latency_us, DIGITS), (real, max_us, DIGITS), (real, mean_us, DIGITS),
	  (real, spread, 4), (yes, accurate), (real, rate_MBps, DIGITS));
// What flitcalc takes components from.
TABLE_ROW(bench_way, (text, network), (count, hops), (count, switches), (real, pp_ns, DIGITS));

struct table *bench_latency_table(const struct bench_results *results, double accuracy)
{
	struct table *table = table_of("latency", "Latency by size of message", bench_size_fields);
	const struct bench_path *path = &results->path;

	if (path->network)
		table_heads(table, bench_way_fields);
	for (size_t i = 0; i < results->sizes; i++) {
		const struct bench_summary summary = bench_results_latency_of(results, i, accuracy);

		TABLE_PUT(table, bench_size, .test = results->test, .over = results->over,
			  .size_B = results->bytes[i], .repeats = results->repeats,
			  .latency_us = summary.min, .max_us = summary.max, .mean_us = summary.mean,
			  .spread = summary.spread, .accurate = summary.accurate,
			  .rate_MBps = bench_rate_MBps(results->bytes[i], summary.min));
		if (path->network)
			TABLE_PUT(table, bench_way, .network = path->network, .hops = path->hops,
				  .switches = path->switches, .pp_ns = 1000 * summary.min);
	}
	for (size_t i = 0; i < sizeof(results->remarks) / sizeof(results->remarks[0]); i++)
		if (results->remarks[i][0] != '\0')
			table_note(table, "%s", results->remarks[i]);
	return table;
}

TABLE_ROW(bench_sample, (count, size_B), (count, repeat), (some, exchanges), (some, elapsed_ns),
	  (real, latency_us, DIGITS));

struct table *bench_samples_table(const struct bench_results *results)
{
	struct table *table = table_of("samples", "Samples", bench_sample_fields);

	for (size_t i = 0; i < results->sizes * results->repeats; i++)
		TABLE_PUT(table, bench_sample, .size_B = results->bytes[i / results->repeats],
			  .repeat = i % results->repeats + 1,
			  .exchanges = results->samples ? (int64_t)results->samples[i].exchanges
							: -1,
			  .elapsed_ns = results->samples ? results->samples[i].elapsed_ns : -1,
			  .latency_us = results->latency_us[i]);
	return table;
}
