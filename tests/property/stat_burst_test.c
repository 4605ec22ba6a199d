// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts compared with plain splitting, and the window search on traffic with a known answer.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/bursts/burst.h"
#include "stat/intervals/interval.h"
#include "value/random.h"

#define PACKETS_MAX 300
#define SECOND INT64_C(1000000000)

struct sample {
	size_t count;
	int64_t time[PACKETS_MAX];
	uint64_t size[PACKETS_MAX];
};

static size_t rounds(void)
{
	return getenv("FLIT_LONG") ? 20000 : 400;
}

static struct sample make_sample(struct tr_random *random)
{
	struct sample s = {.count = tr_random_below(random, PACKETS_MAX)};
	int64_t now = (int64_t)tr_random_below(random, 100);

	for (size_t i = 0; i < s.count; i++) {
		now += (int64_t)tr_random_below(random, tr_random_below(random, 5) ? 8 : 60);
		s.time[i] = now;
		s.size[i] = tr_random_below(random, 9000);
	}
	return s;
}

static const struct burst_gaps windows = {.count = 5, .ticks = {3, 7, 12, 20, 50}};

// Bursts by walking over the packets once for each window.
static struct burst_statistics plain(const struct sample *s, int64_t window)
{
	struct burst_statistics out = {0};
	size_t start = 0;

	for (size_t i = 0; i < s->count; i++) {
		const int64_t gap = i ? s->time[i] - s->time[i - 1] : 0;

		moments_add(&out.size_bytes, (int64_t)s->size[i]);
		if (i > 0)
			moments_add(gap > window ? &out.silence : &out.delay, gap);
		if (i > 0 && gap > window) {
			moments_add(&out.pulses, (int64_t)(i - start));
			moments_add(&out.interarrival, s->time[i] - s->time[start]);
			start = i;
		}
	}
	if (s->count > 0)
		moments_add(&out.pulses, (int64_t)(s->count - start));
	return out;
}

static void check_sums(const struct moments *a, const struct moments *b)
{
	assert_int_equal(a->n, b->n);
	assert_true(a->sum == b->sum);
	assert_true(a->sum_squares == b->sum_squares);
}

static void check_equal(const struct moments *a, const struct moments *b)
{
	check_sums(a, b);
	assert_int_equal(a->min, b->min);
	assert_int_equal(a->max, b->max);
}

static void check(const struct burst *burst, const struct sample *s)
{
	for (size_t i = 0; i < windows.count; i++) {
		const struct burst_statistics found = burst_get(burst, i);
		const struct burst_statistics expected = plain(s, windows.ticks[i]);

		check_sums(&found.pulses, &expected.pulses);
		check_sums(&found.interarrival, &expected.interarrival);
		check_equal(&found.delay, &expected.delay);
		check_equal(&found.silence, &expected.silence);
		check_equal(&found.size_bytes, &expected.size_bytes);
		assert_int_equal(burst_splits(burst, i), expected.silence.n);
	}
}

// Looked at on the way and at the end.
static void bursts_are_those_of_the_plain_walk(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "burst");
	for (size_t round = 0; round < rounds(); round++) {
		const struct sample s = make_sample(&random);
		struct sample begin = {.count = 0};
		const size_t look = tr_random_below(&random, s.count + 1);
		struct burst burst;

		assert_int_equal(burst_open(&burst, &windows, NULL), TR_OK);
		for (size_t i = 0; i < s.count; i++) {
			if (i == look)
				check(&burst, &begin);
			burst_add(&burst, s.time[i], s.size[i]);
			begin.time[begin.count] = s.time[i];
			begin.size[begin.count++] = s.size[i];
		}
		check(&burst, &s);
		burst_close(&burst);
	}
}

static void through_a_file(struct burst *burst)
{
	struct tr_source *source;
	struct partial *partial;
	struct tr_error err;
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	assert_int_equal(partial_create(&partial, out, "test 1", "--none", &err), TR_OK);
	burst_exchange(burst, partial);
	assert_int_equal(partial_finish(partial, &err), TR_OK);
	partial_close(partial);
	assert_int_equal(fclose(out), 0);
	burst_close(burst);
	assert_int_equal(burst_open(burst, &windows, NULL), TR_OK);
	assert_int_equal(tr_source_open_memory(&source, bytes, size, "memory", &err), TR_OK);
	assert_int_equal(partial_open(&partial, source, NULL, "test 1", "--none", &err), TR_OK);
	burst_exchange(burst, partial);
	if (partial_finish(partial, &err) != TR_OK)
		fail_msg("%s", err.text);
	partial_close(partial);
	tr_source_close(source);
	free(bytes);
}

// A stream in up to 8 parts, each with a clock of its own, joined in any order of neighbours, some
// of them through a file.
static void parts_are_the_whole(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "parts");
	for (size_t round = 0; round < rounds(); round++) {
		const struct sample s = make_sample(&random);
		size_t parts = 1 + tr_random_below(&random, 8), at = 0;
		struct burst burst[8];

		for (size_t p = 0; p < parts; p++) {
			const size_t end = p + 1 == parts ? s.count
							  : at + tr_random_below(&random,
										 s.count - at + 1);
			const int64_t shift = (int64_t)tr_random_below(&random, 1000);

			assert_int_equal(burst_open(&burst[p], &windows, NULL), TR_OK);
			for (; at < end; at++)
				burst_add(&burst[p], s.time[at] - shift, s.size[at]);
			burst_shift(&burst[p], shift);
			if (tr_random_below(&random, 2))
				through_a_file(&burst[p]);
		}
		while (parts > 1) {
			const size_t left = tr_random_below(&random, parts - 1);

			burst_join(&burst[left], &burst[left + 1]);
			burst_close(&burst[left + 1]);
			memmove(burst + left + 1, burst + left + 2,
				(parts - left - 2) * sizeof(*burst));
			parts--;
		}
		check(&burst[0], &s);
		burst_close(&burst[0]);
	}
}

static double exponential(struct tr_random *random, double mean)
{
	return -mean * log(tr_random_unit(random));
}

// The windows of Yates: .05 to 5 s by .025.
static struct burst_gaps yates_windows(void)
{
	const struct burst_gap_rule thesis = {.by = BURST_GAP_THESIS};
	struct burst_gaps list;

	assert_int_equal(burst_gaps_set(&list, &thesis, 0, (uint64_t)SECOND, NULL), TR_OK);
	assert_int_equal(list.count, 199);
	for (size_t i = 0; i < list.count; i++)
		assert_int_equal(list.ticks[i], SECOND / 20 + (int64_t)i * (SECOND / 40));
	return list;
}

static bool search(const struct burst *burst, size_t *chosen)
{
	struct burst_gap_counts gaps = {.trains = 0};
	struct burst_gap gap;

	burst_count_gaps(burst, &gaps);
	gap = burst_gap_choose(burst->list, BURST_GAP_THESIS, &gaps);

	*chosen = gap.index;
	return gap.basis == BURST_BASIS_THESIS;
}

// Gaps of up to 1 s inside the bursts, at least 5 s between them.
static void bursts_of_one_second_give_one_second(void **state)
{
	const struct burst_gaps list = yates_windows();
	struct tr_random random;
	struct burst burst;
	int64_t now = 0;
	size_t chosen;

	(void)state;
	tr_random_open(&random, 2, "one-second");
	assert_int_equal(burst_open(&burst, &list, NULL), TR_OK);
	for (int i = 0; i < 500; i++) {
		for (uint64_t pulses = 5 + tr_random_below(&random, 30); pulses > 0; pulses--) {
			burst_add(&burst, now, 100);
			now += (int64_t)(tr_random_unit(&random) * (double)SECOND);
		}
		now += 5 * SECOND + (int64_t)(exponential(&random, 1) * (double)SECOND);
	}
	assert_true(search(&burst, &chosen));
	assert_int_equal(list.ticks[chosen], SECOND);
	assert_int_equal(burst_get(&burst, chosen).pulses.n, 500);
	burst_close(&burst);
}

// Poisson traffic of any rate has no plateau.
static void poisson_has_no_plateau(void **state)
{
	const struct burst_gaps list = yates_windows();
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "poisson");
	for (double rate = 0.02; rate < 3000; rate *= 1.7) {
		struct burst burst;
		size_t chosen;
		double now = 0;

		assert_int_equal(burst_open(&burst, &list, NULL), TR_OK);
		for (int i = 0; i < 20000; i++) {
			now += exponential(&random, 1 / rate);
			burst_add(&burst, (int64_t)(now * (double)SECOND), 100);
		}
		if (search(&burst, &chosen))
			fail_msg("rate %g: plateau at %g s", rate,
				 (double)list.ticks[chosen] / 1e9);
		burst_close(&burst);
	}
}

// Controller data of RC1 on 4 nodes (Yates, figure A-10): 10.5 pulses, .07 s apart, mean size
// 8094.12. Silences of 1 s and more, pulses closer than 1 s: the window of 1 s tells bursts and
// pulses apart, and the intervals hold the parameters.
static void generated_parameters_come_back(void **state)
{
	const struct burst_gaps list = {.count = 1, .ticks = {SECOND}};
	struct burst_statistics found;
	struct tr_random random;
	struct burst burst;
	double now = 0;

	(void)state;
	tr_random_open(&random, 4, "figure A-10");
	assert_int_equal(burst_open(&burst, &list, NULL), TR_OK);
	for (int i = 0; i < 4000; i++) {
		do {
			burst_add(&burst, (int64_t)(now * (double)SECOND),
				  8000 + tr_random_below(&random, 190));
			now += fmin(0.999, exponential(&random, 0.07));
		} while (tr_random_unit(&random) > 1 / 10.5);
		now += 1 + exponential(&random, 1);
	}
	found = burst_get(&burst, 0);
	assert_int_equal(found.pulses.n, 4000);
	assert_true(mean_interval(&found.pulses, 0.99).lo < 10.5);
	assert_true(mean_interval(&found.pulses, 0.99).hi > 10.5);
	assert_true(mean_interval(&found.delay, 0.99).lo < 0.07 * (double)SECOND);
	assert_true(mean_interval(&found.delay, 0.99).hi > 0.07 * (double)SECOND);
	assert_true(mean_interval(&found.size_bytes, 0.99).lo < 8094.5);
	assert_true(mean_interval(&found.size_bytes, 0.99).hi > 8094.5);
	assert_true(samples_needed(moments_mean(&found.size_bytes), moments_sd(&found.size_bytes),
				   2.576, 1) < 10);
	assert_true(samples_needed(moments_mean(&found.pulses), moments_sd(&found.pulses), 2.576,
				   1) > 50000);
	burst_close(&burst);
}

static void nothing_has_no_bursts(void **state)
{
	const struct burst_gaps list = yates_windows();
	struct burst burst;
	size_t chosen;

	(void)state;
	assert_int_equal(burst_open(&burst, &list, NULL), TR_OK);
	assert_int_equal(burst_get(&burst, 0).pulses.n, 0);
	assert_false(search(&burst, &chosen));
	burst_add(&burst, 5, 1);
	assert_int_equal(burst_get(&burst, 198).pulses.n, 1);
	assert_false(search(&burst, &chosen));
	burst_close(&burst);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bursts_are_those_of_the_plain_walk),
		cmocka_unit_test(parts_are_the_whole),
		cmocka_unit_test(bursts_of_one_second_give_one_second),
		cmocka_unit_test(poisson_has_no_plateau),
		cmocka_unit_test(generated_parameters_come_back),
		cmocka_unit_test(nothing_has_no_bursts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
