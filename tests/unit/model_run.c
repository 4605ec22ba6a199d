// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model_run.h"

void model_of_text(struct model *out, const char *text)
{
	struct tr_source *source;
	struct tr_error err = {""};

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t.model", &err),
			 TR_OK);
	if (model_read(out, source, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
}

struct model_run model_run(const char *text, const struct generator_settings *settings,
			   size_t batch, size_t max)
{
	struct model_run run = {.packets = malloc(max * sizeof(*run.packets))};
	struct generator generator;
	struct tr_error err = {""};
	struct model model;
	size_t count;

	assert_non_null(run.packets);
	model_of_text(&model, text);
	if (generator_open(&generator, &model, settings, &err) != TR_OK)
		fail_msg("%s", err.text);
	while (run.count + batch <= max &&
	       generator_next(&generator, run.packets + run.count, batch, &count, &err) == TR_OK)
		run.count += count;
	run.nodes = generator.kind->nodes(generator.state);
	generator_close(&generator);
	model_clear(&model);
	return run;
}

void model_run_refused(const char *text, const char *message)
{
	const struct generator_settings settings = {.seed = 1, .ticks_per_s = 1000000000};
	struct generator generator;
	struct tr_error err = {""};
	struct model model;

	model_of_text(&model, text);
	assert_int_equal(generator_open(&generator, &model, &settings, &err), TR_ERROR);
	assert_string_equal(err.text, message);
	model_clear(&model);
}

double model_run_chi_square(const struct model_run *run, uint32_t node)
{
	double *seen = calloc(run->nodes, sizeof(*seen)), all = 0, chi_square = 0;

	assert_non_null(seen);
	for (size_t i = 0; i < run->count; i++)
		if (run->packets[i].src == node) {
			seen[run->packets[i].dst]++;
			all++;
		}
	assert_true(all >= 1000 && seen[node] == 0);
	for (uint32_t to = 0; to < run->nodes; to++) {
		const double apart = seen[to] - all / (run->nodes - 1);

		if (to != node)
			chi_square += apart * apart / (all / (run->nodes - 1));
	}
	free(seen);
	return chi_square;
}
