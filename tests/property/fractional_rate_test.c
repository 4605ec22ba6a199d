// SPDX-License-Identifier: GPL-3.0-or-later
// Poisson packets at a rate with long memory: generated traffic has the closed-form dispersion;
// independent traffic (fgn.h, and a Poisson number of packets in each bin) is recovered by the fit,
// and intervals have the stated coverage. FLIT_LONG=1: 16 seeds, and 100 Poisson processes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals_bed.h"
#include "fgn.h"
#include "gen/families/processes.h"
#include "value/random.h"

#define TICKS_PER_S 1e9
#define PACKETS_MAX 400000

static unsigned seeds(void)
{
	return getenv("FLIT_LONG") ? 16 : 4;
}

// Of the seeds, those whose fits have intervals.
static unsigned with_intervals(void)
{
	return getenv("FLIT_LONG") ? 16 : 2;
}

// What a share of them holds, less 3 binomial standard deviations.
static double held_least(double share)
{
	const double n = with_intervals();

	return share * n - 3 * sqrt(n * share * (1 - share));
}

static void near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", value, expected, tolerance);
}

// Of counts in windows of so many bins.
static double dispersion(const struct fractional_rate *rate, unsigned bins)
{
	double sum = fractional_rate_covariance(rate, 0);

	for (unsigned k = 1; k < bins; k++)
		sum += 2 * (1 - (double)k / bins) * fractional_rate_covariance(rate, k);
	return 1 + rate->bin_s / rate->gap_s * sum;
}

static void test_made(void **unused)
{
	struct fractional_rate *truth = arrivals_bed_open(
		&fractional_rate_family, "gap 1 ms\nrate-every 10 ms\nhurst 0.7\nsigma 0.4\n");

	(void)unused;
	near(fractional_rate_covariance(truth, 0), exp(0.16) - 1, 1e-12);
	near(fractional_rate_covariance(truth, 1), exp(0.16 * (pow(2, 0.4) - 1)) - 1, 1e-12);
	for (unsigned bins = 1; bins <= 64; bins *= 8) {
		double sum = 0;

		for (unsigned seed = 1; seed <= 5; seed++) {
			struct arrival_times times = arrivals_bed_times(&fractional_rate_family,
									truth, seed, TICKS_PER_S,
									300e9, PACKETS_MAX);

			sum += arrivals_bed_dispersion(&times, bins * 10e6) / 5;
			free((void *)times.ticks);
		}
		near(sum, dispersion(truth, bins), 0.12 * dispersion(truth, bins));
	}
	arrivals_bed_close(&fractional_rate_family, truth);
}

static void test_refused(void **unused)
{
	(void)unused;
	assert_non_null(strstr(
		arrivals_bed_refuses(&fractional_rate_family, "gap 1 ms\nhurst 0.7\nsigma 1\n"),
		"rate-every is missing"));
	assert_non_null(
		strstr(arrivals_bed_refuses(&fractional_rate_family,
					    "gap 1 ms\nrate-every 1 ms\nhurst 1\nsigma 1\n"),
		       "t:4: hurst: 1 is outside"));
	assert_non_null(
		strstr(arrivals_bed_refuses(&fractional_rate_family,
					    "gap 1 ms\nrate-every 1 ms\nhurst 0.8\nsigma 5\n"),
		       "t:5: sigma: 5 is outside"));
}

static int by_time(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

// By Knuth's product of uniform numbers.
static unsigned draw_poisson(double mean, struct tr_random *random)
{
	unsigned count = 0;

	for (double product = tr_random_unit(random); product > exp(-mean);
	     product *= tr_random_unit(random))
		count++;
	return count;
}

static size_t make(struct fgn *fgn, size_t bins, double bin_ticks, double mean, double sigma,
		   unsigned seed, int64_t *ticks)
{
	double *noise = calloc(bins, sizeof(*noise));
	struct tr_random random;
	size_t all = 0;

	assert_non_null(noise);
	tr_random_open(&random, seed, "rates of a test");
	fgn_draw(fgn, &random, noise);
	for (size_t i = 0; i < bins; i++)
		for (unsigned left = draw_poisson(mean * exp(sigma * noise[i] - sigma * sigma / 2),
						  &random);
		     left > 0 && all < PACKETS_MAX; left--)
			ticks[all++] = (int64_t)(((double)i + tr_random_unit(&random)) * bin_ticks);
	qsort(ticks, all, sizeof(*ticks), by_time);
	free(noise);
	return all;
}

static bool holds(const char *note, double value)
{
	double low, high;

	return sscanf(note, "%lf .. %lf", &low, &high) == 2 && low <= value && value <= high;
}

// 10,000 bins of 20 ms with so many packets on average.
static void check_found(double hurst, double mean, double sigma)
{
	const size_t bins = 10000;
	int64_t *ticks = calloc(PACKETS_MAX, sizeof(*ticks));
	struct fgn *fgn = fgn_open(bins, hurst);
	unsigned of_hurst = 0, of_sigma = 0, of_bin = 0;
	double sum = 0;

	assert_non_null(ticks);
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		const struct arrival_times times = {ticks,
						    make(fgn, bins, 20e6, mean, sigma, seed, ticks),
						    0, (int64_t)(20e6 * (double)bins), 0};
		const struct arrival_sample sample = {&times, 1, TICKS_PER_S,
						      seed <= with_intervals() ? 0.95 : 0};
		struct arrival_notes notes = {.method = ""};
		struct fractional_rate found;
		struct tr_error err = {""};

		if (fractional_rate_family.arrival_fit->fit(&found, &sample, &notes, &err) != TR_OK)
			fail_msg("%s", err.text);
		sum += found.hurst;
		of_hurst += holds(notes.field[2], hurst);
		of_sigma += holds(notes.field[3], sigma);
		of_bin += found.bin_s > 0.0139 && found.bin_s < 0.0281;
	}
	print_message("H %g, %g packets, sigma %g: mean H %.4f; bin found %u of %u; of %u H held "
		      "%u, sigma %u\n",
		      hurst, mean, sigma, sum / seeds(), of_bin, seeds(), with_intervals(),
		      of_hurst, of_sigma);
	near(sum / seeds(), hurst, 0.03);
	assert_true(of_hurst >= held_least(0.91) && of_sigma >= held_least(0.83));
	fgn_close(fgn);
	free(ticks);
}

static void test_found(void **unused)
{
	(void)unused;
	check_found(0.6, 10, 0.5);
	check_found(0.8, 5, 0.5);
	check_found(0.9, 5, 0.4);
}

// Poisson packets have no such rate: what is said is that, of 19 in 20 at least.
static void test_poisson(void **unused)
{
	const unsigned processes = getenv("FLIT_LONG") ? 100 : 4;
	unsigned refused = 0;
	void *truth = arrivals_bed_open(&poisson_process_family, "gap 2 ms\n");

	(void)unused;
	for (unsigned seed = 1; seed <= processes; seed++) {
		struct arrival_times times = arrivals_bed_times(
			&poisson_process_family, truth, seed, TICKS_PER_S, 100e9, PACKETS_MAX);
		const struct arrival_sample sample = {&times, 1, TICKS_PER_S, 0};
		struct arrival_notes notes = {.method = ""};
		struct fractional_rate found;
		struct tr_error err = {""};

		refused += fractional_rate_family.arrival_fit->fit(&found, &sample, &notes, &err) !=
			   TR_OK;
		free((void *)times.ticks);
	}
	print_message("of %u Poisson processes %u have no rate that changes\n", processes, refused);
	assert_true(refused >= 0.95 * processes);
	arrivals_bed_close(&poisson_process_family, truth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_made), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_found), cmocka_unit_test(test_poisson)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
