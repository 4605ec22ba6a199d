// SPDX-License-Identifier: GPL-3.0-or-later
// The judging of traffic: each criterion against its known value, the yardstick, and the order of
// families.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/draw.h"
#include "gen/judge/ranking.h"
#include "stat/judge/panel.h"

#define TICKS_PER_S 1e9

static void add(struct packet_sample *sample, int64_t ticks, uint32_t payload)
{
	const struct tr_packet packet = {.time_ticks = ticks,
					 .dst = 1,
					 .payload_bytes = payload,
					 .wire_bytes = payload,
					 .class = TR_CLASS_DATA};
	struct tr_error err = {""};

	assert_int_equal(packet_sample_add(sample, &packet, &err), TR_OK);
}

static struct packet_sample begin(void)
{
	return (struct packet_sample){.ticks_per_s = TICKS_PER_S};
}

// Packets of 1,000 B at exponential gaps of 1,000 ticks on average.
static struct packet_sample poisson(uint64_t seed, size_t count)
{
	static struct draw_tables tables;
	struct packet_sample sample = begin();
	struct tr_random random;
	double ticks = 0;

	draw_tables_make(&tables);
	tr_random_open(&random, seed, "gap");
	for (size_t i = 0; i < count; i++) {
		ticks += 1000 * draw_exponential(&tables, &random);
		add(&sample, (int64_t)ticks, 1000);
	}
	sample.begin_ticks = 0;
	return sample;
}

// The criterion's curve, to be freed.
static double *curve_of(const struct judge_criterion *criterion, const struct packet_sample *sample,
			const struct judge_scales *scales)
{
	uint32_t *counts = calloc((size_t)1 << scales->levels, sizeof(*counts));
	double *curve = calloc(criterion->length(scales), sizeof(*curve));
	const struct judge_view view = {scales, sample, counts};
	struct tr_error err = {""};

	assert_true(counts && curve);
	judge_count(scales, sample, counts);
	assert_int_equal(criterion->measure(&view, curve, &err), TR_OK);
	free(counts);
	return curve;
}

static struct judge_scales scales_of(const struct packet_sample *sample)
{
	struct judge_scales scales;
	struct tr_error err = {""};

	assert_int_equal(judge_scales_of(sample, &scales, &err), TR_OK);
	return scales;
}

static double distance(const struct judge_criterion *criterion, const struct packet_sample *a,
		       const struct packet_sample *b)
{
	struct judge_scales scales = scales_of(a);
	double *of_a = curve_of(criterion, a, &scales), *of_b = curve_of(criterion, b, &scales);
	double value = criterion->distance(&scales, of_a, of_b).value;

	free(of_a);
	free(of_b);
	return value;
}

// 64 packets: one in each of 64 bins, or two in every other.
static void counts_2_0_and_1_1_are_1_apart(void **state)
{
	struct packet_sample even = begin(), odd = begin();

	(void)state;
	for (int i = 0; i < 64; i++) {
		add(&even, 1000 * i + 500, 100);
		add(&odd, 2000 * (i / 2) + 500 + i % 2, 100);
	}
	even.begin_ticks = odd.begin_ticks = 0;
	even.end_ticks = odd.end_ticks = 64000;
	assert_true(fabs(distance(&judge_marginals, &even, &odd) - 1) < 1e-12);
	assert_true(distance(&judge_marginals, &even, &even) == 0);
	packet_sample_clear(&even);
	packet_sample_clear(&odd);
}

// The narrower half of the widths, of which there are many bins: an index of 1 to 5 standard
// deviations, sqrt(2/bins) each.
static void poisson_has_dispersion_and_energy_1(void **state)
{
	struct packet_sample sample = poisson(1, 200000);
	struct judge_scales scales = scales_of(&sample);
	double *index = curve_of(&judge_dispersion, &sample, &scales),
	       *energy = curve_of(&judge_logscale, &sample, &scales);

	(void)state;
	assert_int_equal(scales.levels, 17);
	for (unsigned i = 6; i < judge_logscale.length(&scales); i++) {
		double bins = ldexp(1, (int)(JUDGE_COARSEST + i));

		assert_true(fabs(index[i] - 1) < 5 * sqrt(2 / bins) + 5 / sqrt(200000));
		assert_true(fabs(energy[i] - 1) < 5 * sqrt(3 / bins) + 5 / sqrt(200000));
	}
	free(index);
	free(energy);
	packet_sample_clear(&sample);
}

// Two packets in every other of 2^10 pairs of bins, which is the finest width of the correlation.
static void counts_that_take_turns_correlate(void **state)
{
	struct packet_sample sample = begin();
	struct judge_scales scales;
	double *curve;

	(void)state;
	for (int i = 0; i < 2048; i++)
		add(&sample, 2000 * (i / 2) + i % 2, 100);
	sample.end_ticks = 2048000 / 2 * 2;
	scales = scales_of(&sample);
	sample.end_ticks = (int64_t)1000 << scales.levels;
	scales.levels = 11;
	curve = curve_of(&judge_autocorrelation, &sample, &scales);
	// The width is 2 finest bins of 1000 ticks: 2 packets each, so constant; its variance is 0
	// and so is the correlation.
	assert_true(curve[0] == 0);
	free(curve);
	for (size_t i = 0; i < sample.count; i++)
		sample.ticks[i] = 4000 * (int64_t)(i / 4);
	curve = curve_of(&judge_autocorrelation, &sample, &scales);
	assert_true(fabs(curve[0] + 1) < 2e-3 && fabs(curve[1] - 1) < 3e-3);
	free(curve);
	packet_sample_clear(&sample);
}

static void gaps_twice_as_long_are_an_octave_apart(void **state)
{
	struct packet_sample sample = poisson(3, 5000), slow = poisson(3, 5000);

	(void)state;
	for (size_t i = 0; i < slow.count; i++)
		slow.ticks[i] *= 2;
	slow.end_ticks *= 2;
	// Gaps below a thousandth of the mean count as that long: 1 in 1000 is.
	assert_true(fabs(distance(&judge_gaps, &sample, &slow) - 1) < 3e-3);
	packet_sample_clear(&sample);
	packet_sample_clear(&slow);
}

static void sizes_are_apart_by_their_difference(void **state)
{
	struct packet_sample small = begin(), large = begin();

	(void)state;
	for (int i = 0; i < 100; i++) {
		add(&small, i, 1000);
		add(&large, i, i < 50 ? 1000 : 1500);
	}
	assert_true(fabs(distance(&judge_sizes, &small, &large) - 0.25) < 1e-3);
	packet_sample_clear(&small);
	packet_sample_clear(&large);
}

// Equal packets of Poisson arrivals wait r/(2 (1 - r)) times of service. A million of them: to
// about 1, 2 and 8 %.
static void waits_are_pollaczeks(void **state)
{
	static const double busy[] = {0.3, 0.6, 0.9}, near[] = {0.01, 0.02, 0.08};
	struct packet_sample sample = poisson(2, 1000000);
	struct judge_scales scales = scales_of(&sample);
	double *curve = curve_of(&judge_queue, &sample, &scales);

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(fabs(curve[2 * i] / (busy[i] / 2 / (1 - busy[i])) - 1) < near[i]);
	free(curve);
	packet_sample_clear(&sample);
}

// n nodes that send in turn; each sends runs of this many packets to one of the others, which it
// goes through.
static struct packet_sample in_runs(uint32_t n, uint32_t run, size_t count)
{
	struct packet_sample sample = begin();
	struct tr_error err = {""};

	for (size_t i = 0; i < count; i++) {
		const uint32_t src = (uint32_t)(i % n), turn = (uint32_t)(i / n / run);
		const struct tr_packet packet = {.time_ticks = (int64_t)(1000 * i),
						 .src = src,
						 .dst = (src + 1 + turn % (n - 1)) % n,
						 .payload_bytes = 100,
						 .wire_bytes = 100};

		assert_int_equal(packet_sample_add(&sample, &packet, &err), TR_OK);
	}
	sample.begin_ticks = 0;
	sample.end_ticks = (int64_t)(1000 * count);
	return sample;
}

// Runs of four: of packets k < 4 apart 1 - k/4 go to one node, of those four apart none, and of
// those twelve (the cycle of three destinations) all, so of 8 and 16 none. All nodes take as much,
// so any two packets of a wide bin meet with 1/4.
static void destinations_follow_and_meet(void **state)
{
	struct packet_sample runs = in_runs(4, 4, 48000), one = in_runs(4, 48000, 48000),
			     twos = in_runs(4, 2, 48000);
	struct judge_scales scales = scales_of(&runs);
	double *curve = curve_of(&judge_destinations, &runs, &scales);
	const double known[] = {0.75, 0.5, 0, 0, 0};

	(void)state;
	for (int k = 0; k < 5; k++)
		assert_true(fabs(curve[k] - known[k]) < 1e-3);
	assert_true(fabs(curve[5] - 0.25) < 1e-3);
	free(curve);
	scales = scales_of(&one);
	curve = curve_of(&judge_destinations, &one, &scales);
	for (int k = 0; k < 5; k++)
		assert_true(curve[k] == 1);
	free(curve);
	assert_true(distance(&judge_destinations, &runs, &runs) == 0);
	// Other runs: by lags .25, .5, 0, 0, 0 further apart.
	assert_true(distance(&judge_destinations, &runs, &twos) >
		    sqrt((0.25 * 0.25 + 0.5 * 0.5) / 10) - 1e-3);
	packet_sample_clear(&runs);
	packet_sample_clear(&one);
	packet_sample_clear(&twos);
}

// Poisson packets to one receiver wait as in a queue; to two by turns, less (gaps of two
// exponential ones).
static void receivers_have_queues(void **state)
{
	struct packet_sample sample = poisson(2, 1000000);
	struct judge_scales scales = scales_of(&sample);
	double *one = curve_of(&judge_queue, &sample, &scales),
	       *to_one = curve_of(&judge_receivers, &sample, &scales), *to_two;

	(void)state;
	for (int i = 0; i < 6; i++)
		assert_true(one[i] == to_one[i]);
	for (size_t i = 0; i < sample.count; i++)
		sample.dst[i] = i % 2;
	scales = scales_of(&sample);
	to_two = curve_of(&judge_receivers, &sample, &scales);
	for (int i = 0; i < 6; i++)
		assert_true(to_two[i] < to_one[i]);
	free(one);
	free(to_one);
	free(to_two);
	packet_sample_clear(&sample);
}

static void a_panel_measures_by_its_yardstick(void **state)
{
	struct packet_sample data = poisson(5, 20000), half = poisson(6, 20000),
			     other = poisson(7, 20000);
	struct judge_distance marks[JUDGE_CRITERIA];
	struct judge_panel panel;
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(judge_panel_open(&panel, &data, &half, &err), TR_OK);
	assert_int_equal(judge_panel_mark(&panel, &data, marks, &err), TR_OK);
	assert_true(judge_panel_score(&panel, marks) == 0);
	assert_true(fabs(judge_panel_points(&panel, 1, panel.yardstick[1]) - 1) < 1e-12);
	assert_int_equal(judge_panel_mark(&panel, &other, marks, &err), TR_OK);
	assert_true(judge_panel_score(&panel, marks) < 2);
	for (size_t i = 0; i < other.count; i++) // all at once
		other.ticks[i] /= 16;
	assert_int_equal(judge_panel_mark(&panel, &other, marks, &err), TR_OK);
	assert_true(judge_panel_score(&panel, marks) > 2);
	judge_panel_clear(&panel);
	packet_sample_clear(&data);
	packet_sample_clear(&half);
	packet_sample_clear(&other);
}

static struct judged make(const struct family *family, double score, double error, unsigned freedom,
			  double bic)
{
	return (struct judged){.family = family,
			       .notes = {.freedom = freedom},
			       .bic = bic,
			       .result = {.score = score,
					  .error = error,
					  .low = score - 3 * error,
					  .high = score + 3 * error}};
}

static const struct family_fit parametric;

static const struct family candidates[] = {
	{.name = "a", .fit = &parametric}, {.name = "b", .fit = &parametric},
	{.name = "c", .fit = &parametric}, {.name = "d", .fit = &parametric},
	{.name = "e", .fit = &parametric}, {.name = "f", .fit = &parametric}};

static void ranks(struct judged *list, size_t count, const char *order)
{
	struct judge_panel panel = {.scales = {.packets = 1000}, .criteria = JUDGE_CRITERIA};

	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		panel.yardstick[c] = 1;
	for (size_t i = 0; i < count; i++)
		list[i].result.energy[1].value = 5 - (double)i;
	judge_rank(&panel, list, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(list[i].family->name[0], order[i]);
}

// a has the least score, but is a copy of the trace; c is likelier than b; d has no likelihood and
// as many parameters; e is far off and f has failed.
static void the_likeliest_of_equals_is_first(void **state)
{
	struct judged list[] = {
		make(&candidates[5], NAN, NAN, 0, NAN),	 make(&candidates[4], 2, 0.1, 1, 0),
		make(&candidates[3], 0.75, 0.1, 6, NAN), make(&candidates[2], 0.8, 0.1, 6, -110),
		make(&candidates[1], 0.7, 0.1, 4, -100), make(&candidates[0], 0.6, 0.1, 500, NAN),
	};

	(void)state;
	list[0].failed = true;
	ranks(list, 6, "cbdaef");
	assert_true(list[3].equal && !list[4].equal);
	assert_non_null(strstr(list[1].reason, "10 less likely by BIC"));
	assert_non_null(strstr(list[3].reason, "500 free parameters against 6"));
	assert_non_null(strstr(list[4].reason, "loses by dispersion of counts"));
}

// d and e, whose likelihood is not known, have fewer parameters than the likely ones, b and c, and
// d is nearer than e; a is nearer still, and has more.
static void the_nearest_of_fewer_parameters_is_first(void **state)
{
	struct judged list[] = {
		make(&candidates[4], 0.72, 0.1, 2, NAN), make(&candidates[3], 0.7, 0.1, 4, NAN),
		make(&candidates[2], 0.8, 0.1, 6, -110), make(&candidates[1], 0.75, 0.1, 9, -100),
		make(&candidates[0], 0.6, 0.1, 7, NAN),
	};

	(void)state;
	ranks(list, 5, "daebc");
}

// The only likely one, c, is equal but not within two errors of the difference from the least.
static void the_nearest_is_first_where_none_is_likely(void **state)
{
	struct judged list[] = {make(&candidates[2], 0.89, 0.1, 1, -100),
				make(&candidates[1], 0.7, 0.1, 3, NAN),
				make(&candidates[0], 0.6, 0.1, 9, NAN)};

	(void)state;
	ranks(list, 3, "abc");
}

// Runs that are of one law with the data are half as far by the energy score as by the distance; a
// run that is the data's own twin, twice, is at no distance.
static void energy_is_half_the_distance_of_the_true_law(void **state)
{
	struct packet_sample data = poisson(11, 4000), half = poisson(12, 4000);
	struct judge_result result;
	struct judge_panel panel;
	struct judge_runs runs;
	struct tr_error err = {""};
	double mean = 0;

	(void)state;
	assert_int_equal(judge_panel_open(&panel, &data, &half, &err), TR_OK);
	assert_int_equal(judge_runs_open(&runs, &panel, 40, &err), TR_OK);
	for (unsigned r = 0; r < 40; r++) {
		struct packet_sample run = poisson(100 + r, 4000);

		assert_int_equal(judge_runs_add(&runs, &run, &err), TR_OK);
		mean += runs.from_data[r][1].value / 40;
		packet_sample_clear(&run);
	}
	assert_int_equal(judge_runs_result(&runs, 0.99, &result, &err), TR_OK);
	// The dispersion's distances of 40 runs from one another are known to a few percent; their
	// distance from one sample of data differs from that by its own chance.
	assert_true(result.energy[1].value > 0.1 * mean && result.energy[1].value < 0.9 * mean);
	assert_true(result.low < result.score && result.score < result.high);
	judge_runs_close(&runs);
	assert_int_equal(judge_runs_open(&runs, &panel, 2, &err), TR_OK);
	for (unsigned r = 0; r < 2; r++)
		assert_int_equal(judge_runs_add(&runs, &data, &err), TR_OK);
	assert_int_equal(judge_runs_result(&runs, 0.99, &result, &err), TR_OK);
	assert_true(result.score == 0 && result.error == 0);
	judge_runs_close(&runs);
	judge_panel_clear(&panel);
	packet_sample_clear(&data);
	packet_sample_clear(&half);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_2_0_and_1_1_are_1_apart),
		cmocka_unit_test(poisson_has_dispersion_and_energy_1),
		cmocka_unit_test(counts_that_take_turns_correlate),
		cmocka_unit_test(gaps_twice_as_long_are_an_octave_apart),
		cmocka_unit_test(sizes_are_apart_by_their_difference),
		cmocka_unit_test(waits_are_pollaczeks),
		cmocka_unit_test(destinations_follow_and_meet),
		cmocka_unit_test(receivers_have_queues),
		cmocka_unit_test(a_panel_measures_by_its_yardstick),
		cmocka_unit_test(the_likeliest_of_equals_is_first),
		cmocka_unit_test(the_nearest_of_fewer_parameters_is_first),
		cmocka_unit_test(the_nearest_is_first_where_none_is_likely),
		cmocka_unit_test(energy_is_half_the_distance_of_the_true_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
