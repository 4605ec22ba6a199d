// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals_bed.h"

static enum tr_status read_keys(const struct family *family, const char *keys, void *out,
				struct tr_error *err)
{
	const size_t bytes = strlen(keys) + 64;
	char *text = malloc(bytes);
	struct tr_source *source;
	struct model model;

	assert_non_null(text);
	(void)snprintf(text, bytes, "%s\n%s", MODEL_FIRST_LINE, keys);
	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t", err), TR_OK);
	enum tr_status status = model_read(&model, source, err);

	tr_source_close(source);
	if (family->arrivals->defaults)
		family->arrivals->defaults(out);
	if (status == TR_OK && family->arrivals->fields)
		status = model_get(&model, "", family->arrivals->fields, out, err);
	if (status == TR_OK && family->arrivals->get)
		status = family->arrivals->get(out, &model, "", err);
	model_clear(&model);
	free(text);
	return status;
}

void *arrivals_bed_open(const struct family *family, const char *keys)
{
	void *parameters = calloc(1, family->arrivals->parameter_bytes);
	struct tr_error err = {""};

	assert_non_null(parameters);
	if (read_keys(family, keys, parameters, &err) != TR_OK)
		fail_msg("%s", err.text);
	return parameters;
}

void arrivals_bed_close(const struct family *family, void *parameters)
{
	if (family->arrivals->clear)
		family->arrivals->clear(parameters);
	free(parameters);
}

const char *arrivals_bed_refuses(const struct family *family, const char *keys)
{
	static struct tr_error err;
	void *parameters = calloc(1, family->arrivals->parameter_bytes);

	assert_non_null(parameters);
	err.text[0] = '\0';
	read_keys(family, keys, parameters, &err);
	arrivals_bed_close(family, parameters);
	return err.text;
}

char *arrivals_bed_text(const struct family *family, const void *parameters)
{
	struct model model = {0};
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	model_put(&model, family->arrivals->fields, parameters, NULL);
	if (family->arrivals->put)
		family->arrivals->put(parameters, &model);
	assert_int_equal(model_write(&model, out, NULL), TR_OK);
	assert_int_equal(fclose(out), 0);
	model_clear(&model);
	memmove(text, text + strlen(MODEL_FIRST_LINE) + 1, bytes - strlen(MODEL_FIRST_LINE));
	return text;
}

struct arrival_times arrivals_bed_times(const struct family *family, const void *parameters,
					unsigned long long seed, double ticks_per_s,
					double end_ticks, size_t max)
{
	struct draw_tables tables;
	const struct arrival_settings settings = {&tables, ticks_per_s, (int64_t)end_ticks};
	int64_t *ticks = calloc(max, sizeof(*ticks));
	struct arrival_times times = {.ticks = ticks, .end_ticks = (int64_t)end_ticks};
	void *state = calloc(1, family->arrivals->state_bytes);
	struct tr_random random;
	struct tr_error err = {""};
	double now = 0;

	assert_true(ticks && state);
	draw_tables_make(&tables);
	tr_random_open(&random, seed, "node0/data/gap");
	if (family->arrivals->start(state, parameters, &settings, &random, &err) != TR_OK)
		fail_msg("%s", err.text);
	while (times.count < max && (now += family->arrivals->next(state, &random)) < end_ticks)
		ticks[times.count++] = (int64_t)now;
	if (times.count == max)
		times.end_ticks = ticks[max - 1] + 1;
	if (family->arrivals->stop)
		family->arrivals->stop(state);
	free(state);
	return times;
}

double arrivals_bed_dispersion(const struct arrival_times *times, double window_ticks)
{
	const size_t windows = (size_t)((double)times->end_ticks / window_ticks);
	double sum = 0, squares = 0;
	size_t next = 0;

	for (size_t w = 0; w < windows; w++) {
		double count = 0;

		for (; next < times->count &&
		       (double)times->ticks[next] < (double)(w + 1) * window_ticks;
		     next++)
			count++;
		sum += count;
		squares += count * count;
	}
	const double mean = sum / (double)windows;

	return (squares / (double)windows - mean * mean) / mean;
}

double arrivals_bed_correlation(const struct arrival_times *times, size_t lag)
{
	double sum = 0, squares = 0, products = 0;
	const size_t n = times->count - 1 - lag;

	for (size_t i = 1; i <= n; i++) {
		const double gap = (double)(times->ticks[i] - times->ticks[i - 1]);

		sum += gap;
		squares += gap * gap;
		products += gap * (double)(times->ticks[i + lag] - times->ticks[i + lag - 1]);
	}
	const double mean = sum / (double)n;

	return (products / (double)n - mean * mean) / (squares / (double)n - mean * mean);
}
