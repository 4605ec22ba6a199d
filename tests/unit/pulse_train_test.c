// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "gen/families/pulse_train/pulse_train.h"
#include "ks.h"
#include "model_run.h"

#define MODEL_HEAD MODEL_FIRST_LINE "\nfamily pulse-train\nnodes 4\nduration 2000 s\n"
#define PART \
	"silence 1 s\npulses 8\ninter-pulse 10 ms\nsize-mean 4000 B\nsize-variance 1000000 B^2\n"

static const char two_roles[] = MODEL_HEAD
	"[controller data]\n" PART "[worker data]\n" PART
	"[worker overhead]\nsilence 500 ms\npulses 20\ninter-pulse 5 ms\n"
	"size-mean 60 B\nsize-variance 36453.3 B^2\n";

static struct model_run generate(const char *text, uint64_t seed, uint32_t nodes, size_t batch)
{
	const struct generator_settings settings = {
		.seed = seed, .ticks_per_s = 1000000000, .nodes = nodes};

	return model_run(text, &settings, batch, 1u << 20);
}

static void packets_are_in_order(void **state)
{
	struct model_run run = generate(two_roles, 1, 0, 7);

	(void)state;
	assert_int_equal(run.nodes, 4);
	assert_true(run.count > 100000);
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		assert_true(i == 0 || p->time_ticks >= p[-1].time_ticks);
		assert_true(p->time_ticks < 2000000000000);
		assert_true(p->src < 4 && p->dst < 4 && p->src != p->dst);
		assert_true(p->src != 0 || p->class == TR_CLASS_DATA);
	}
	free(run.packets);
}

static void same_seed_same_packets_in_any_batch(void **state)
{
	struct model_run a = generate(two_roles, 7, 0, 512), b = generate(two_roles, 7, 0, 1);
	struct model_run c = generate(two_roles, 8, 0, 512);

	(void)state;
	assert_int_equal(a.count, b.count);
	assert_memory_equal(a.packets, b.packets, a.count * sizeof(*a.packets));
	assert_true(a.packets[0].time_ticks != c.packets[0].time_ticks);
	free(a.packets);
	free(b.packets);
	free(c.packets);
}

// Times, sizes and classes of the first four nodes are the same among nine.
static void a_new_node_changes_no_other(void **state)
{
	struct model_run few = generate(two_roles, 3, 4, 512),
			 many = generate(two_roles, 3, 9, 512);
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < many.count; i++) {
		const struct tr_packet *p = &many.packets[i];

		if (p->src >= 4)
			continue;
		assert_true(at < few.count);
		assert_int_equal(p->time_ticks, few.packets[at].time_ticks);
		assert_int_equal(p->src, few.packets[at].src);
		assert_int_equal(p->payload_bytes, few.packets[at].payload_bytes);
		assert_int_equal(p->class, few.packets[at].class);
		at++;
	}
	assert_int_equal(at, few.count);
	free(few.packets);
	free(many.packets);
}

static double mixture_cdf(double gap_s)
{
	return 1 - exp(-gap_s) / 8 - 7 * exp(-gap_s / 0.01) / 8;
}

// Bursty pulse train: gaps of one source are silences (1 of 8) and inter-pulse times, independent
// of one another.
static void gaps_are_the_mixture(void **state)
{
	struct model_run run = generate(two_roles, 21, 0, 512);
	double *gaps = malloc(run.count * sizeof(*gaps)), sum = 0, products = 0, squares = 0;
	int64_t last = -1;
	size_t n = 0;

	(void)state;
	assert_non_null(gaps);
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		if (p->src != 2 || p->class != TR_CLASS_DATA)
			continue;
		if (last >= 0)
			gaps[n++] = (double)(p->time_ticks - last) * 1e-9;
		last = p->time_ticks;
	}
	double mean = (1 + 7 * 0.01) / 8, variance = 2 * (1 + 7 * 1e-4) / 8 - mean * mean;

	for (size_t i = 0; i < n; i++) {
		sum += gaps[i];
		squares += (gaps[i] - mean) * (gaps[i] - mean);
		if (i > 0)
			products += (gaps[i] - mean) * (gaps[i - 1] - mean);
	}
	assert_true(n > 10000);
	assert_true(fabs(sum / (double)n - mean) < 3.3 * sqrt(variance / (double)n));
	assert_true(fabs(products / squares) < 3.3 / sqrt((double)n)); // first autocorrelation
	assert_true(ks_scaled(gaps, n, mixture_cdf) < KS_ONE_IN_1000);
	free(gaps);
	free(run.packets);
}

static double uniform_cdf(double gap_s)
{
	return fmin(gap_s / 0.02, 1);
}

static double lognormal_cdf(double gap_s)
{
	return 0.5 * erfc(-(log(gap_s) + 0.32) / (0.8 * M_SQRT2)); // of mean 1 and shape .8
}

// Bursts of exactly three packets a uniform time apart, after lognormal silences.
static void parts_have_laws_of_their_own(void **state)
{
	struct model_run run = generate(
		MODEL_HEAD "[worker data]\nsilence 1 s\nsilence-law lognormal 0.8\npulses 3\n"
			   "pulses-law constant\ninter-pulse 10 ms\ninter-pulse-law uniform\n"
			   "size-mean 4000 B\nsize-variance 1000000 B^2\n",
		5, 0, 64);
	double *silences = malloc(run.count * sizeof(*silences)),
	       *between = malloc(run.count * sizeof(*between));
	size_t seen = 0, n = 0, m = 0;
	int64_t last = 0;

	(void)state;
	assert_true(silences && between && run.count > 10000);
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		if (p->src != 1)
			continue;
		if (seen++ % 3 == 0)
			silences[n++] = (double)(p->time_ticks - last) * 1e-9;
		else
			between[m++] = (double)(p->time_ticks - last) * 1e-9;
		last = p->time_ticks;
	}
	assert_true(ks_scaled(silences, n, lognormal_cdf) < KS_ONE_IN_1000);
	assert_true(ks_scaled(between, m, uniform_cdf) < KS_ONE_IN_1000);
	free(silences);
	free(between);
	free(run.packets);
}

// Chi-square over the eight destinations of a node among nine: 7 degrees of freedom, 24.32 in 1 of
// 1000.
static void destinations_are_uniform(void **state)
{
	struct model_run run = generate(two_roles, 4, 9, 512);

	(void)state;
	assert_true(model_run_chi_square(&run, 5) < 24.32);
	free(run.packets);
}

static void destinations_by_role(void **state)
{
	struct model_run run = generate(MODEL_HEAD "destinations by-role\n[controller data]\n" PART
						   "[worker data]\n" PART "to-controller 25 %\n",
					4, 6, 512);
	double to_controller = 0, n = 0;

	(void)state;
	for (size_t i = 0; i < run.count; i++) {
		assert_true(run.packets[i].dst != run.packets[i].src);
		if (run.packets[i].src == 0)
			continue;
		n++;
		to_controller += run.packets[i].dst == 0;
	}
	assert_true(fabs(to_controller - n / 4) < 3.3 * sqrt(n * 3 / 16));
	free(run.packets);
}

// With silence from the burst's start, bursts of constant silence begin a mean silence apart where
// they are short.
static void silence_from_the_start_shortens_the_cycle(void **state)
{
	static const char head[] = MODEL_HEAD "silence-from burst-start\n[worker data]\n" PART;
	struct model_run run = generate(head, 9, 2, 512);
	double starts = 0;
	int64_t last = -1000000000;

	(void)state;
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		if (p->src == 0 && p->time_ticks - last > 100000000)
			starts++;
		if (p->src == 0)
			last = p->time_ticks;
	}
	// A cycle is about 1 s + what bursts (70 ms) overrun their silence by: 1.005 s; gaps over
	// 100 ms are 85 % .. 91 % of them. From the last packet the cycle would be 1.07 s.
	double cycles = (double)run.count / 2 / 8;

	assert_true(cycles > 2000 / 1.04 && cycles < 2000 / 0.97);
	assert_true(starts > 0.8 * cycles && starts < 0.95 * cycles);
	free(run.packets);
}

static void silent_roles_send_nothing(void **state)
{
	struct model_run run = generate(MODEL_HEAD "[controller data]\n" PART, 4, 3, 512);

	(void)state;
	assert_true(run.count > 1000);
	for (size_t i = 0; i < run.count; i++)
		assert_int_equal(run.packets[i].src, 0);
	free(run.packets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_in_order),
		cmocka_unit_test(same_seed_same_packets_in_any_batch),
		cmocka_unit_test(a_new_node_changes_no_other),
		cmocka_unit_test(gaps_are_the_mixture),
		cmocka_unit_test(parts_have_laws_of_their_own),
		cmocka_unit_test(destinations_are_uniform),
		cmocka_unit_test(destinations_by_role),
		cmocka_unit_test(silence_from_the_start_shortens_the_cycle),
		cmocka_unit_test(silent_roles_send_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
