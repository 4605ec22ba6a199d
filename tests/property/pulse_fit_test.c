// SPDX-License-Identifier: GPL-3.0-or-later
// Fits to generated traces recover the parameters within their intervals: coverage over seeds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/families/pulse_train/pulse_train.h"

#define TICKS_PER_S 1000000000u

static void read_model(const char *name, struct model *text, struct pulse_model *pulse)
{
	struct tr_source *source;
	struct tr_error err = {""};
	char path[512];

	snprintf(path, sizeof(path), "%s/models/%s.model", getenv("DATA"), name);
	assert_int_equal(tr_source_open(&source, path, &err), TR_OK);
	assert_int_equal(model_read(text, source, &err), TR_OK);
	assert_int_equal(pulse_model_get(text, pulse, &err), TR_OK);
	tr_source_close(source);
}

static void fit_generated(const struct model *text, uint64_t seed, int64_t seconds,
			  const struct pulse_fit_options *options, struct pulse_fitted *out)
{
	struct generator_settings settings = {
		.seed = seed, .ticks_per_s = TICKS_PER_S, .end_ticks = seconds * TICKS_PER_S};
	enum tr_role roles[128] = {TR_ROLE_CONTROLLER};
	struct tr_packet packets[512];
	struct generator generator;
	struct pulse_fit *fit;
	struct tr_error err = {""};
	size_t count;

	assert_int_equal(generator_open(&generator, text, &settings, &err), TR_OK);
	assert_int_equal(pulse_fit_open(&fit, options, &err), TR_OK);
	while (generator_next(&generator, packets, 512, &count, &err) == TR_OK)
		for (size_t i = 0; i < count; i++)
			assert_int_equal(pulse_fit_add(fit, &packets[i], &err), TR_OK);
	if (pulse_fit_finish(fit, roles, 128, out, &err) != TR_OK)
		fail_msg("%s", err.text);
	pulse_fit_close(fit);
	generator_close(&generator);
}

// Whether the interval that stands beside the statistic holds the truth.
static bool covers(const struct pulse_fitted *fitted, unsigned part, int which, double truth)
{
	enum model_type type = pulse_part_fields[which].type;
	char text[PULSE_NOTE_BYTES];
	double low, high;

	snprintf(text, sizeof(text), "%s", fitted->notes[part / 2][part % 2].statistic[which]);
	char *middle = strstr(text, " .. "), *end = strstr(text, " at 99 %");

	if (!middle || !end)
		return false;
	*middle = *end = '\0';
	assert_int_equal(model_value(type, text, &low, NULL), TR_OK);
	assert_int_equal(model_value(type, middle + 4, &high, NULL), TR_OK);
	return low <= truth && truth <= high;
}

static double statistic(const struct pulse_part *part, int which)
{
	double value;

	memcpy(&value, (const char *)part + pulse_part_fields[which].offset, sizeof(value));
	return value;
}

// Misses of the 99 % intervals over the seeds, by statistic.
static void count_misses(const char *name, int seeds, int64_t seconds,
			 unsigned misses[4][PULSE_SCALED])
{
	struct pulse_fit_options options = {.level = 0.99, .ticks_per_s = TICKS_PER_S};
	struct model text;
	struct pulse_model truth;

	memset(misses, 0, sizeof(unsigned[4][PULSE_SCALED]));
	read_model(name, &text, &truth);
	for (int seed = 1; seed <= seeds; seed++) {
		struct pulse_fitted fitted;

		fit_generated(&text, (uint64_t)seed, seconds, &options, &fitted);
		for (unsigned p = 0; p < 4; p++)
			for (int i = 0; i < PULSE_SCALED; i++)
				misses[p][i] += !covers(&fitted, p, i,
							statistic(&truth.part[p / 2][p % 2], i));
		pulse_model_clear(&fitted.model);
	}
	pulse_model_clear(&truth);
	model_clear(&text);
}

static void report(const char *name, int seeds, unsigned misses[4][PULSE_SCALED])
{
	for (unsigned p = 0; p < 4; p++) {
		print_message("%s, %d seeds, misses in [%s]:", name, seeds,
			      pulse_section[p / 2][p % 2]);
		for (int i = 0; i < PULSE_SCALED; i++)
			print_message(" %s %u", pulse_part_fields[i].key, misses[p][i]);
		print_message("\n");
	}
}

// Misses are binomial(seeds, 1 %). Of 200 seeds at most 8 (more: 1 in 1000 statistics), of 10 at
// most 2.
static void intervals_cover_the_truth(void **state)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} cases[] = {{"yates-rc1-2", 2000},
		     {"yates-rc1-8", 2000},
		     {"yates-vr2-64", 500},
		     {"yates-vrb-4", 8000}};
	bool full = getenv("FLIT_LONG");
	int seeds = full ? 200 : 10;

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		unsigned misses[4][PULSE_SCALED];
		bool good = true;

		count_misses(cases[c].name, seeds, cases[c].seconds, misses);
		for (unsigned p = 0; p < 4; p++)
			for (int i = 0; i < PULSE_SCALED; i++)
				good = good && misses[p][i] <= (full ? 8 : 2);
		if (!good || full)
			report(cases[c].name, seeds, misses);
		assert_true(good);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_cover_the_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
