// SPDX-License-Identifier: GPL-3.0-or-later
// The one-pass statistics of flitburst compared with two plain passes, on random packets.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/bursts/burstiness.h"
#include "stream/record.h"
#include "value/random.h"

#include "parts.h"

#define PACKETS_MAX 400
#define LEVELS 44

struct sample {
	size_t count;
	int64_t time[PACKETS_MAX];
	uint32_t size[PACKETS_MAX];
};

static size_t rounds(void)
{
	return getenv("FLIT_LONG") ? 6000 : 120;
}

// Gaps of very different lengths, some of them 0.
static void draw(struct tr_random *random, struct sample *s)
{
	const unsigned range = 1 + (unsigned)tr_random_below(random, 30);
	int64_t now = (int64_t)tr_random_below(random, 4000) - 2000;

	s->count = 1 + tr_random_below(random, PACKETS_MAX);
	for (size_t i = 0; i < s->count; i++) {
		const unsigned bits = (unsigned)tr_random_below(random, range + 1);

		now += (int64_t)tr_random_below(random, UINT64_C(1) << bits);
		s->time[i] = now;
		s->size[i] = tr_random_u32(random) >> tr_random_below(random, 32);
	}
}

// ---- windows

struct plain_window {
	uint64_t x;
	uint64_t y;
};

static struct plain_window plain_window(const struct sample *s, unsigned level, int64_t number)
{
	struct plain_window window = {0, 0};

	for (size_t i = 0; i < s->count; i++)
		if (s->time[i] >> level == number) {
			window.x++;
			window.y += s->size[i];
		}
	return window;
}

// Each part holds the windows that follow those of the part before.
static void check_parts(const struct sample *s, const struct nested_sums *sums, unsigned level,
			int64_t from, int64_t to)
{
	struct nested_part parts[NESTED_SEGMENTS_MAX];
	const size_t count = nested_sums_parts(sums, level, parts);
	int64_t number = from;

	assert_true(count <= sums->segment_count);
	for (size_t i = 0; i < count; i++) {
		struct moments x = {0}, y = {0};

		assert_true(parts[i].x.n > 0 && parts[i].x.n <= (uint64_t)(to - number));
		for (uint64_t n = 0; n < parts[i].x.n; n++, number++) {
			const struct plain_window window = plain_window(s, level, number);

			moments_add(&x, (int64_t)window.x);
			moments_add(&y, (int64_t)window.y);
		}
		assert_true(parts[i].x.sum == x.sum && parts[i].x.sum_squares == x.sum_squares);
		assert_true(parts[i].y.sum == y.sum && parts[i].y.sum_squares == y.sum_squares);
	}
	assert_true(number == (from < to ? to : from));
}

static void check_level(const struct sample *s, const struct nested_sums *sums, unsigned level)
{
	const int64_t first = s->time[0] + (sums->cut_head ? 1 : 0);
	const int64_t end = s->time[s->count - 1] + (sums->cut_tail ? 0 : 1);
	const struct nested_values peak = nested_sums_peak(sums, level);
	int64_t from = s->time[0] >> level, to = (s->time[s->count - 1] >> level) + 1;
	uint64_t x = 0, y = 0;

	for (int64_t number = from; number < to; number++) {
		const struct plain_window window = plain_window(s, level, number);

		x = window.x > x ? window.x : x;
		y = window.y > y ? window.y : y;
	}
	assert_int_equal(peak.x, x);
	assert_int_equal(peak.y, y);
	while (from * (INT64_C(1) << level) < first)
		from++;
	while (to * (INT64_C(1) << level) > end)
		to--;
	check_parts(s, sums, level, from, to);
}

static void windows_of_all_levels_are_those_of_a_plain_count(void **state)
{
	struct tr_random random;
	struct sample s;

	(void)state;
	tr_random_open(&random, 11, "nested sums");
	for (size_t round = 0; round < rounds(); round++) {
		struct nested_sums sums;
		unsigned level = 0;

		draw(&random, &s);
		assert_int_equal(nested_sums_open(&sums, (size_t)8 << round % 4, NULL), TR_OK);
		sums.cut_head = round & 1;
		sums.cut_tail = round & 2;
		sums.dense = round & 16;
		for (size_t i = 0; i < s.count; i++)
			nested_sums_add(&sums, s.time[i], 1, s.size[i]);
		nested_sums_finish(&sums);
		while ((s.time[s.count - 1] - s.time[0]) >> level > 3000)
			level++;
		for (; level < LEVELS; level++)
			check_level(&s, &sums, level);
		nested_sums_close(&sums);
	}
}

static void windows_of_parts_are_those_of_the_whole(void **state)
{
	struct tr_random random;
	struct sample s;

	(void)state;
	tr_random_open(&random, 14, "parts of sums");
	for (size_t round = 0; round < rounds(); round++) {
		struct nested_sums sums[4];
		size_t ends[4], parts, at = 0;
		unsigned level = 0;

		draw(&random, &s);
		parts = cut(&random, s.count, ends);
		for (size_t p = 0; p < parts; p++) {
			assert_int_equal(nested_sums_open(&sums[p], (size_t)8 << round % 4, NULL),
					 TR_OK);
			sums[p].cut_head = round & 1;
			sums[p].cut_tail = round & 2;
			for (; at < ends[p]; at++)
				nested_sums_add(&sums[p], s.time[at], 1, s.size[at]);
			nested_sums_finish(&sums[p]);
		}
		for (; parts > 1; parts--) {
			const size_t left = tr_random_below(&random, parts - 1);

			nested_sums_join(&sums[left], &sums[left + 1]);
			nested_sums_close(&sums[left + 1]);
			memmove(sums + left + 1, sums + left + 2,
				(parts - left - 2) * sizeof(*sums));
		}
		while ((s.time[s.count - 1] - s.time[0]) >> level > 3000)
			level++;
		for (; level < LEVELS; level++)
			check_level(&s, &sums[0], level);
		nested_sums_close(&sums[0]);
	}
}

// ---- bursts

struct plain_bursts {
	struct moments of[BURST_QUANTITIES];
	struct moments off;
	struct log_histogram histograms[BURST_QUANTITIES];
	struct log_histogram off_histogram;
};

static void plain_add(struct plain_bursts *plain, const uint64_t value[BURST_QUANTITIES])
{
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		moments_add(&plain->of[q], (int64_t)value[q]);
		plain->histograms[q].count[log_histogram_bucket(value[q])]++;
	}
}

static void plain_bursts(const struct sample *s, int64_t threshold, struct plain_bursts *plain)
{
	size_t first = 0;

	memset(plain, 0, sizeof(*plain));
	for (size_t i = 1; i <= s->count; i++) {
		uint64_t value[BURST_QUANTITIES] = {(uint64_t)(s->time[i - 1] - s->time[first]),
						    i - first, 0};

		if (i < s->count && s->time[i] - s->time[i - 1] <= threshold)
			continue;
		for (size_t j = first; j < i; j++)
			value[BURST_BYTES] += s->size[j];
		plain_add(plain, value);
		if (i < s->count) {
			const int64_t off = s->time[i] - s->time[i - 1];

			moments_add(&plain->off, off);
			plain->off_histogram.count[log_histogram_bucket((uint64_t)off - 1)]++;
		}
		first = i;
	}
}

static void check_threshold(const struct sample *s, const struct nested_bursts *bursts, size_t k)
{
	static struct plain_bursts plain; // too large for a stack
	static struct log_histogram histogram;
	const struct bursts_by by = nested_bursts_get(bursts, k);

	plain_bursts(s, bursts->thresholds->ticks[k], &plain);
	assert_int_equal(by.off.n, plain.off.n);
	assert_true(by.off.sum == plain.off.sum && by.off.sum_squares == plain.off.sum_squares);
	assert_int_equal(by.off_max_ticks, plain.off.max);
	for (int q = 0; q < BURST_QUANTITIES; q++) {
		assert_int_equal(by.of[q].n, plain.of[q].n);
		assert_true(by.of[q].sum == plain.of[q].sum);
		assert_true(by.of[q].sum_squares == plain.of[q].sum_squares);
		assert_int_equal(by.max.of[q], plain.of[q].max);
		if (!nested_bursts_has(bursts, k))
			continue;
		nested_bursts_histogram(bursts, k, (enum burst_quantity)q, &histogram);
		assert_memory_equal(&histogram, &plain.histograms[q], sizeof(histogram));
	}
	if (bursts->thresholds->shown == BURST_GAPS_MAX || k == bursts->thresholds->shown) {
		nested_bursts_off_histogram(bursts, k, &histogram);
		assert_memory_equal(&histogram, &plain.off_histogram, sizeof(histogram));
	}
}

static struct burst_gaps powers(void)
{
	const struct burst_gap_rule found = {.by = BURST_GAP_FOUND};
	struct burst_gaps thresholds;

	assert_int_equal(burst_gaps_set(&thresholds, &found, 0, 1, NULL), TR_OK);
	return thresholds;
}

static struct burst_gaps draw_thresholds(struct tr_random *random)
{
	struct burst_gaps thresholds = {.count = 1 + tr_random_below(random, 8)};
	int64_t ticks = 0;

	for (size_t k = 0; k < thresholds.count; k++) {
		ticks += (int64_t)tr_random_below(random, UINT64_C(1)
								  << tr_random_below(random, 25));
		thresholds.ticks[k] = ticks;
	}
	thresholds.shown = tr_random_below(random, thresholds.count + 1);
	if (thresholds.shown == thresholds.count)
		thresholds.shown = BURST_GAPS_MAX;
	return thresholds;
}

static void bursts_by_all_thresholds_are_those_of_a_plain_cut(void **state)
{
	struct tr_random random;
	struct sample s;

	(void)state;
	tr_random_open(&random, 12, "nested bursts");
	for (size_t round = 0; round < rounds() / 4; round++) {
		const struct burst_gaps thresholds = round % 2 ? powers()
							       : draw_thresholds(&random);
		struct nested_bursts bursts;

		draw(&random, &s);
		assert_int_equal(nested_bursts_open(&bursts, &thresholds, round % 8 > 1, NULL),
				 TR_OK);
		for (size_t i = 0; i < s.count; i++)
			nested_bursts_add(&bursts, s.time[i], s.size[i]);
		nested_bursts_finish(&bursts);
		for (size_t k = 0; k < thresholds.count && k < 36; k++)
			check_threshold(&s, &bursts, k);
		nested_bursts_close(&bursts);
	}
}

static void bursts_of_parts_are_those_of_the_whole(void **state)
{
	struct tr_random random;
	struct sample s;

	(void)state;
	tr_random_open(&random, 15, "parts of bursts");
	for (size_t round = 0; round < rounds() / 4; round++) {
		const struct burst_gaps thresholds = round % 2 ? powers()
							       : draw_thresholds(&random);
		struct nested_bursts *bursts[4];
		size_t ends[4], parts, at = 0;

		draw(&random, &s);
		parts = cut(&random, s.count, ends);
		for (size_t p = 0; p < parts; p++) {
			bursts[p] = calloc(1, sizeof(*bursts[p]));
			assert_non_null(bursts[p]);
			assert_int_equal(
				nested_bursts_open(bursts[p], &thresholds, round % 8 > 1, NULL),
				TR_OK);
			for (; at < ends[p]; at++)
				nested_bursts_add(bursts[p], s.time[at] - (int64_t)p, s.size[at]);
			nested_bursts_finish(bursts[p]);
			nested_bursts_shift(bursts[p], (int64_t)p);
		}
		for (; parts > 1; parts--) {
			const size_t left = tr_random_below(&random, parts - 1);

			nested_bursts_join(bursts[left], bursts[left + 1]);
			nested_bursts_close(bursts[left + 1]);
			free(bursts[left + 1]);
			memmove(bursts + left + 1, bursts + left + 2,
				(parts - left - 2) * sizeof(*bursts));
		}
		for (size_t k = 0; k < thresholds.count && k < 36; k++)
			check_threshold(&s, bursts[0], k);
		nested_bursts_close(bursts[0]);
		free(bursts[0]);
	}
}

// ---- all of it

static struct burstiness_settings settings(bool given, bool from_first, int64_t width)
{
	static const struct tr_header header = {
		.kind = TR_PACKET, .ticks_per_s = 1000, .origin_s = -1};
	struct burstiness_settings out = {.header = &header,
					  .width_ticks = width,
					  .from_first = from_first,
					  .segments = 8,
					  .histograms = true,
					  .lags = {2, {1, 2}},
					  .thresholds = powers()};

	for (int k = 0; given && k < 20; k++) {
		out.windows.factor[out.windows.count++] = INT64_C(1) << k;
		out.blocks.factor[out.blocks.count++] = INT64_C(1) << k;
	}
	return out;
}

static void gather(struct burstiness *b, const struct burstiness_settings *settings,
		   const struct sample *s)
{
	assert_int_equal(burstiness_open(b, settings, NULL), TR_OK);
	for (size_t i = 0; i < s->count; i++)
		assert_int_equal(burstiness_add(b, s->time[i], s->size[i], NULL), TR_OK);
	assert_int_equal(burstiness_finish(b, NULL), TR_OK);
}

static void check_same(const struct dispersion *a, const struct dispersion *b)
{
	assert_int_equal(a->n, b->n);
	if (a->n == 0)
		return;
	assert_true(a->mean == b->mean);
	assert_true(a->index == b->index || (isnan(a->index) && isnan(b->index)));
}

// Widths and numbers of gaps that are given as powers of 2 are the powers of 2.
static void given_scales_are_those_found(void **state)
{
	struct tr_random random;
	struct sample s;

	(void)state;
	tr_random_open(&random, 14, "burstiness");
	for (size_t round = 0; round < rounds() / 4; round++) {
		const int64_t width = 1 + (int64_t)tr_random_below(&random, 50);
		const struct burstiness_settings nested = settings(false, round & 1, width);
		const struct burstiness_settings given = settings(true, round & 1, width);
		struct burstiness a, b;

		draw(&random, &s);
		gather(&a, &nested, &s);
		gather(&b, &given, &s);
		for (size_t i = 0; i < 20; i++) {
			const struct window_counts x = burstiness_window(&a, i, 0.95);
			const struct window_counts y = burstiness_window(&b, i, 0.95);
			const struct gap_blocks p = burstiness_block(&a, i, 0.95);
			const struct gap_blocks q = burstiness_block(&b, i, 0.95);

			assert_int_equal(x.factor, y.factor);
			assert_int_equal(x.packets_peak, y.packets_peak);
			assert_int_equal(x.bytes_peak, y.bytes_peak);
			check_same(&x.packets, &y.packets);
			check_same(&x.bytes, &y.bytes);
			check_same(&p.gaps, &q.gaps);
		}
		burstiness_close(&a);
		burstiness_close(&b);
	}
}

// ---- intervals

struct coverage {
	int series;
	int given; // intervals; a doubtful one is withheld
	int held;
};

static void judge(struct coverage *coverage, struct dispersion d)
{
	if (d.n < 30)
		return;
	coverage->series++;
	coverage->given += !isnan(d.lo);
	coverage->held += d.lo < 1 && 1 < d.hi;
}

// At least nine of ten intervals are given, and .95 of these hold 1 within three binomial
// deviations, where enough series had the scale.
static void check_coverage(const struct coverage *coverage, int series)
{
	const double n = coverage->given;

	if (coverage->series < series)
		return;
	if (n < 0.9 * series || coverage->held < n * 0.95 - 3 * sqrt(n * 0.95 * 0.05))
		fail_msg("%d of %d intervals hold 1, of %d series", coverage->held, coverage->given,
			 coverage->series);
}

// Of Poisson arrivals both indices are 1 at every scale.
static void intervals_of_poisson_arrivals_hold_one(void **state)
{
	struct coverage windows[40] = {{0}}, blocks[40] = {{0}};
	struct burstiness_settings of = settings(false, false, 1000);
	const int series = getenv("FLIT_LONG") ? 1000 : 100;
	struct tr_random random;

	(void)state;
	of.segments = 64;
	tr_random_open(&random, 15, "poisson");
	for (int i = 0; i < series; i++) {
		struct burstiness b;
		double time_ticks = 0;

		assert_int_equal(burstiness_open(&b, &of, NULL), TR_OK);
		for (int k = 0; k < 10000; k++) {
			time_ticks -= 50000 * log((tr_random_u32(&random) + 0.5) / 4294967296.0);
			assert_int_equal(burstiness_add(&b, (int64_t)time_ticks, 64, NULL), TR_OK);
		}
		assert_int_equal(burstiness_finish(&b, NULL), TR_OK);
		for (size_t j = 0; j < burstiness_window_count(&b); j++)
			judge(&windows[j], burstiness_window(&b, j, 0.95).packets);
		for (size_t j = 0; j < burstiness_block_count(&b); j++)
			judge(&blocks[j], burstiness_block(&b, j, 0.95).gaps);
		burstiness_close(&b);
	}
	for (size_t j = 0; j < 40; j++) {
		check_coverage(&windows[j], series);
		check_coverage(&blocks[j], series);
	}
	assert_int_equal(windows[10].series, series);
	assert_int_equal(blocks[8].series, series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_of_all_levels_are_those_of_a_plain_count),
		cmocka_unit_test(windows_of_parts_are_those_of_the_whole),
		cmocka_unit_test(bursts_of_parts_are_those_of_the_whole),
		cmocka_unit_test(bursts_by_all_thresholds_are_those_of_a_plain_cut),
		cmocka_unit_test(given_scales_are_those_found),
		cmocka_unit_test(intervals_of_poisson_arrivals_hold_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
