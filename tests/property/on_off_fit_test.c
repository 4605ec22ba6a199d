// SPDX-License-Identifier: GPL-3.0-or-later
// Fits recover the laws of on/off sources, and the intervals have the stated coverage. FLIT_LONG=1:
// 72 seeds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/families/on_off/on_off.h"
#include "gen/interval_law.h"
#include "model_run.h"

#define TICKS_PER_S UINT64_C(1000000)
#define NODES 4
#define PACKETS_MAX 200000
#define DURATION_S 60

static unsigned seeds(void)
{
	return getenv("FLIT_LONG") ? 72 : 6;
}

// Times of each node, and destinations; ticks and to have room for all. to: NULL for none.
static void make(const char *text, uint64_t seed, int64_t *ticks, uint32_t *to,
		 struct arrival_times each[NODES])
{
	const struct generator_settings settings = {.seed = seed, .ticks_per_s = TICKS_PER_S};
	struct tr_packet packets[512];
	struct generator generator;
	struct tr_error err = {""};
	struct model model;
	size_t count;

	for (int n = 0; n < NODES; n++)
		each[n] = (struct arrival_times){.ticks = ticks + n * PACKETS_MAX,
						 .end_ticks = DURATION_S * TICKS_PER_S,
						 .to = to ? to + n * PACKETS_MAX : NULL};
	model_of_text(&model, text);
	if (generator_open(&generator, &model, &settings, &err) != TR_OK)
		fail_msg("%s", err.text);
	while (generator_next(&generator, packets, 512, &count, &err) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			const uint32_t node = packets[i].src;

			assert_true(each[node].count < PACKETS_MAX);
			if (to)
				to[node * PACKETS_MAX + each[node].count] = packets[i].dst;
			ticks[node * PACKETS_MAX + each[node].count++] = packets[i].time_ticks;
		}
	generator_close(&generator);
	model_clear(&model);
}

static bool holds(const double ends[2], double truth)
{
	return ends[0] <= truth && truth <= ends[1];
}

// Fits the packets of that text and seed, which sample lists as each has them.
static void fit(const char *text, unsigned seed, int64_t *ticks, uint32_t *to,
		struct arrival_times *each, const struct arrival_sample *sample,
		struct on_off_model *model, struct on_off_fitted *found)
{
	struct tr_error err = {""};

	*model = (struct on_off_model){.nodes = NODES};
	make(text, seed, ticks, to, each);
	if (on_off_fit(model, sample, found, &err) != TR_OK)
		fail_msg("%s", err.text);
}

static void check(double on_s, double on_shape, double off_s, double off_shape, unsigned wrong_most)
{
	int64_t *ticks = calloc((size_t)NODES * PACKETS_MAX, sizeof(*ticks));
	struct arrival_times each[NODES];
	const struct arrival_sample sample = {each, NODES, (double)TICKS_PER_S, 0.95};
	unsigned held[4] = {0}, right = 0;
	char text[300], shapes[100] = "";

	assert_non_null(ticks);
	if (on_shape > 0)
		(void)snprintf(shapes, sizeof(shapes), "on-shape %g\noff-shape %g\n", on_shape,
			       off_shape);
	(void)snprintf(text, sizeof(text),
		       MODEL_FIRST_LINE "\nfamily on-off\nnodes 4\nduration %d s\non %g s\noff %g "
					"s\n%sinter-packet 1 ms\nsize 64 B\n",
		       DURATION_S, on_s, off_s, shapes);
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct on_off_model model;
		struct on_off_fitted found;

		fit(text, seed, ticks, NULL, each, &sample, &model, &found);
		assert_true(fabs(model.gap_s - 0.001) < 1e-6);
		right += (model.on_shape > 0) == (on_shape > 0) &&
			 (model.off_shape > 0) == (off_shape > 0);
		held[0] += holds(found.on_s, on_s);
		held[1] += holds(found.off_s, off_s);
		held[2] += on_shape == 0 || holds(found.on_shape, on_shape);
		held[3] += off_shape == 0 || holds(found.off_shape, off_shape);
	}
	print_message("laws right %u; held: on %u, off %u, shapes %u and %u of %u\n", right,
		      held[0], held[1], held[2], held[3], seeds());
	assert_true(right + wrong_most >= seeds());
	for (int i = 0; i < 4; i++) // within 4 binomial standard deviations
		assert_true(held[i] >= 0.95 * seeds() - 4 * sqrt(seeds() * 0.95 * 0.05));
	free(ticks);
}

static void test_exponential(void **unused)
{
	(void)unused;
	check(0.01, 0, 0.05, 0, seeds() / 12);
}

static void test_pareto(void **unused)
{
	(void)unused;
	check(0.02, 1.5, 0.1, 1.7, seeds() / 12);
}

#define TEN_SOURCES \
	MODEL_FIRST_LINE \
	"\nfamily on-off\nnodes 4\nduration 60 s\nsources 10\non 100 ms\noff 400 ms\n" \
	"inter-packet 3 ms\nsize 64 B\n"

// Ten sources at each node that nothing tells apart but their beat. The number has an interval
// where their times off are exponential.
static void check_ten_sources(bool pareto)
{
	const char *text = pareto ? TEN_SOURCES "on-shape 1.5\noff-shape 1.3\n" : TEN_SOURCES;
	int64_t *ticks = calloc((size_t)NODES * PACKETS_MAX, sizeof(*ticks));
	struct arrival_times each[NODES];
	const struct arrival_sample sample = {each, NODES, (double)TICKS_PER_S, 0.99};
	unsigned held = 0, shapes = 0, counted = 0;
	double sum = 0;

	assert_non_null(ticks);
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct on_off_model model;
		struct on_off_fitted found;

		fit(text, seed, ticks, NULL, each, &sample, &model, &found);
		assert_true(fabs(model.gap_s - 0.003) < 1e-6);
		counted += model.sources >= 7 && model.sources <= 14;
		sum += (double)model.sources / seeds();
		held += holds(found.sources, 10);
		shapes += pareto ? fabs(model.on_shape - 1.5) < 0.1 &&
					   fabs(model.off_shape - 1.3) < 0.2
				 : model.on_shape == 0 && model.off_shape == 0;
	}
	print_message("ten sources: mean %.2f, %u near; held %u, shapes near %u of %u\n", sum,
		      counted, held, shapes, seeds());
	assert_true(counted >= 0.95 * seeds());
	assert_true(fabs(sum - 10) < (pareto ? 1.5 : 0.7));
	assert_true(pareto || held >= 0.9 * seeds());
	assert_true(shapes >= 0.9 * seeds());
	free(ticks);
}

static void test_ten_sources(void **unused)
{
	(void)unused;
	check_ten_sources(false);
	check_ten_sources(true);
}

// How long sources keep a destination, one at each node and ten.
static void check_stay(const char *text)
{
	int64_t *ticks = calloc((size_t)NODES * PACKETS_MAX, sizeof(*ticks));
	uint32_t *to = calloc((size_t)NODES * PACKETS_MAX, sizeof(*to));
	struct arrival_times each[NODES];
	const struct arrival_sample sample = {each, NODES, (double)TICKS_PER_S, 0.99};
	unsigned held = 0;

	assert_true(ticks && to);
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct on_off_model model;
		struct on_off_fitted found;

		fit(text, seed, ticks, to, each, &sample, &model, &found);
		assert_true(fabs(model.stay - 0.6) < 0.03);
		held += holds(found.stay, 0.6);
		fit(text, seed, ticks, NULL, each, &sample, &model, &found);
		assert_true(model.stay == 1); // no destinations: as without the key
	}
	print_message("stay: held %u of %u\n", held, seeds());
	assert_true(held >= 0.9 * seeds() - 1);
	free(ticks);
	free(to);
}

static void test_stay(void **unused)
{
	(void)unused;
	check_stay(
		MODEL_FIRST_LINE
		"\nfamily on-off\nnodes 4\nduration 60 s\non 20 ms\noff 100 ms\ninter-packet 1 ms\n"
		"stay 60 %\nsize 64 B\n");
	check_stay(TEN_SOURCES "stay 60 %\n");
}

// Values known closely, and one of which only a bound is: a mean of exponential ones is their sum
// over the number of those that have ended, with a relative error of one over the root of that.
static void test_known_value(void **unused)
{
	struct interval_value values[200];
	struct interval_law law;
	double sum = 0;

	(void)unused;
	for (int i = 0; i < 200; i++) {
		const double value = -log(1 - (i + 0.5) / 200);

		values[i] = (struct interval_value){value - 1e-5, value + 1e-5, 1};
		sum += value;
	}
	values[199].high = INFINITY;
	interval_law_fit(values, 200, 0.95, &law);
	assert_true(law.shape == 0);
	assert_true(fabs(law.mean / (sum / 199) - 1) < 1e-4);
	assert_true(fabs(log(law.mean_ends[1] / law.mean_ends[0]) / 2 - 1.96 / sqrt(199)) < 5e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_value), cmocka_unit_test(test_exponential),
		cmocka_unit_test(test_pareto), cmocka_unit_test(test_ten_sources),
		cmocka_unit_test(test_stay)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
