// SPDX-License-Identifier: GPL-3.0-or-later
// On/off sources: the laws of their times, and stationary traffic from the start.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/families/family.h"
#include "gen/families/on_off/on_off.h"
#include "model_run.h"

#define HEAD MODEL_FIRST_LINE "\nfamily on-off\nnodes 2\nsize 64 B\n"
#define MICROSECONDS UINT64_C(1000000)
#define TIMES 20000

struct run {
	struct generator generator;
	struct model model;
};

static void open_run(struct run *run, const char *text, uint64_t seed)
{
	const struct generator_settings settings = {.seed = seed, .ticks_per_s = MICROSECONDS};
	struct tr_error err = {""};

	model_of_text(&run->model, text);
	if (generator_open(&run->generator, &run->model, &settings, &err) != TR_OK)
		fail_msg("%s", err.text);
}

static void close_run(struct run *run)
{
	generator_close(&run->generator);
	model_clear(&run->model);
}

// Times on and off of node 0, told by gaps longer than twice that between packets (100 us).
static size_t take_times(const char *text, double *on_s, double *off_s)
{
	struct tr_packet packets[500];
	int64_t begin = -1, last = -1;
	size_t count, times = 0;
	struct run run;

	open_run(&run, text, 7);
	while (times < TIMES && generator_next(&run.generator, packets, 500, &count, NULL) == TR_OK)
		for (size_t i = 0; i < count && times < TIMES; i++) {
			const int64_t now = packets[i].time_ticks;

			if (packets[i].src != 0)
				continue;
			if (last >= 0 && now - last > 200) {
				on_s[times] = (double)(last - begin) / MICROSECONDS;
				off_s[times] = (double)(now - last) / MICROSECONDS;
				times += begin > 0;
				begin = now;
			}
			last = now;
			if (begin < 0)
				begin = 0;
		}
	close_run(&run);
	return times;
}

static double share_above(const double *values, size_t n, double x)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += values[i] > x;
	return (double)above / (double)n;
}

// Five standard errors of a share of n; a time is known to within a gap, which at these lengths
// makes less than .005.
static void expect_share(double found, double known, size_t n)
{
	assert_true(fabs(found - known) < 5 * sqrt(known * (1 - known) / (double)n) + 0.005);
}

static void times_have_their_laws(void **state)
{
	static double on_s[TIMES], off_s[TIMES];
	const double least = 0.05 * 0.5 / 1.5; // of Pareto's law of mean 50 ms and shape 1.5
	size_t n;

	(void)state;
	n = take_times(
		HEAD "duration 10000 s\non 50 ms\non-shape 1.5\noff 200 ms\ninter-packet 100 us\n",
		on_s, off_s);
	assert_int_equal(n, TIMES);
	for (double x = 0.02; x < 1; x *= 2) {
		expect_share(share_above(on_s, n, x), pow(least / x, 1.5), n);
		expect_share(share_above(off_s, n, x), exp(-x / 0.2), n);
	}
}

static void hold_against(const double *values_s, size_t n, enum law_name name, double mean_s,
			 double shape)
{
	const struct law law = {.name = name, .mean = mean_s, .shape = shape};
	struct law_plan plan;

	assert_int_equal(law_plan_make(&plan, &law, 1, NULL), TR_OK);
	for (double x = 0.02; x < 1; x *= 2)
		expect_share(share_above(values_s, n, x), plan.kind->survival(&plan, x), n);
	law_plan_clear(&plan);
}

static void times_have_laws_of_any_kind(void **state)
{
	static double on_s[TIMES], off_s[TIMES];
	size_t n;

	(void)state;
	n = take_times(HEAD "duration 10000 s\non 50 ms\non-law lognormal 1.1\noff 200 ms\noff-law "
			    "weibull 0.7\n"
			    "inter-packet 100 us\n",
		       on_s, off_s);
	// Times off below two gaps are not told from gaps: a share of 1 - exp(-(.0002 / scale)^.7),
	// less than .012.
	hold_against(on_s, n, LAW_LOGNORMAL, 0.05, 1.1);
	n = take_times(HEAD
		       "duration 10000 s\non 50 ms\non-law gamma 3\noff 200 ms\noff-law uniform\n"
		       "inter-packet 100 us\n",
		       on_s, off_s);
	hold_against(on_s, n, LAW_GAMMA, 0.05, 3);
	hold_against(off_s, n, LAW_UNIFORM, 0.2, 0);
}

static void refuse(const char *lines, const char *why)
{
	struct on_off_model model;
	struct tr_error err = {""};
	struct model text;
	char whole[400];

	(void)snprintf(whole, sizeof(whole), "%son 1 s\noff 1 s\ninter-packet 1 ms\n%s", HEAD,
		       lines);
	model_of_text(&text, whole);
	assert_int_equal(on_off_model_get(&text, &model, &err), TR_ERROR);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
	model_clear(&text);
}

static void laws_are_checked(void **state)
{
	(void)state;
	refuse("on-law pareto 1.4\non-shape 1.4\n",
	       "t.model:8: on-law and on-shape cannot be combined");
	refuse("off-law geometric\n", "t.model:8: off-law: unknown distribution \"geometric\"; "
				      "expected one of exponential, constant, uniform, pareto, "
				      "lognormal, weibull, gamma, lomax, empirical");
	refuse("on-bin 3 x 1 s\n",
	       "t.model:8: \"on-law empirical\" needs lines of on-bin, and these need it");
	refuse("stay 101 %\n", "t.model:8: stay: 101 % is outside");
	refuse("on-shape 1\n", "t.model:8: on-shape: 1 is outside");
}

// Packets in each tenth of a second, over many seeds: no trend, and as many as the share of time on
// says.
static void traffic_is_stationary(void **state)
{
	static const char text[] = HEAD
		"sources 4\nduration 1 s\non 50 ms\non-shape 1.9\noff 150 ms\noff-shape 1.9\n"
		"inter-packet 1 ms\n";
	const int seeds = 3000;
	double mean[10] = {0}, squares[10] = {0};

	(void)state;
	for (int seed = 0; seed < seeds; seed++) {
		double counts[10] = {0};
		struct tr_packet packets[500];
		struct run run;
		size_t count;

		open_run(&run, text, (uint64_t)seed);
		while (generator_next(&run.generator, packets, 500, &count, NULL) == TR_OK)
			for (size_t i = 0; i < count; i++)
				counts[packets[i].time_ticks / 100000]++;
		close_run(&run);
		for (int i = 0; i < 10; i++) {
			mean[i] += counts[i] / seeds;
			squares[i] += counts[i] * counts[i] / seeds;
		}
	}
	// 8 sources, a quarter of the time on, 100 gaps in a tenth; a time on has half a packet
	// more than gaps, but one that was cut by the start has not: within that of the first
	// tenth.
	for (int i = 0; i < 10; i++) {
		const double error = sqrt((squares[i] - mean[i] * mean[i]) / seeds);

		assert_true(mean[i] > 200 - 5 * error &&
			    mean[i] < 200 * (1 + 0.5 / 50) + 5 * error);
	}
}

// Of node 0's successive packets of one on time the share with the same destination: stay, and one
// of three of those drawn anew.
static void destinations_stay(void **state)
{
	static const char text[] = MODEL_FIRST_LINE
		"\nfamily on-off\nnodes 4\nsize 64 B\nduration 1000 s\non 50 ms\noff 200 ms\n"
		"inter-packet 1 ms\nstay 70 %\n";
	struct tr_packet packets[500], last = {.src = 1};
	size_t count, all = 0, same = 0;
	struct run run;

	(void)state;
	open_run(&run, text, 7);
	while (generator_next(&run.generator, packets, 500, &count, NULL) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			if (packets[i].src != 0)
				continue;
			assert_true(packets[i].dst != 0 && packets[i].dst < 4);
			if (last.src == 0 && packets[i].time_ticks - last.time_ticks <= 1001) {
				all++;
				same += packets[i].dst == last.dst;
			}
			last = packets[i];
		}
	close_run(&run);
	assert_true(all > 100000);
	expect_share((double)same / (double)all, 0.7 + 0.3 / 3, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_their_laws),
		cmocka_unit_test(times_have_laws_of_any_kind),
		cmocka_unit_test(laws_are_checked),
		cmocka_unit_test(destinations_stay),
		cmocka_unit_test(traffic_is_stationary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
