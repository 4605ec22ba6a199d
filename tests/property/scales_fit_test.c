// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions and cascades fitted to their own output reproduce its dispersion at all scales and
// recover the parameters. FLIT_LONG=1: 50 seeds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals_bed.h"
#include "gen/families/processes.h"

#define TICKS_PER_S 1e9

static unsigned seeds(void)
{
	return getenv("FLIT_LONG") ? 50 : 6;
}

// The caller frees what it gives.
static void *refit(const struct family *family, const void *truth, unsigned seed, size_t packets,
		   double level, struct arrival_notes *notes)
{
	struct arrival_times times = arrivals_bed_times(family, truth, seed, TICKS_PER_S, 1e18,
							packets);
	const struct arrival_sample sample = {&times, 1, TICKS_PER_S, level};
	void *found = calloc(1, family->arrivals->parameter_bytes);
	struct tr_error err = {""};

	assert_non_null(found);
	*notes = (struct arrival_notes){.method = ""};
	if (family->arrival_fit->fit(found, &sample, notes, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_true(strlen(notes->method) > 0);
	free((void *)times.ticks);
	return found;
}

#define SCALES 4
static const double scales_s[SCALES] = {0.002, 0.02, 0.2, 2};

// Mean over the seeds of the logarithm of fitted over true dispersion at each scale, its deviation,
// and the laws that were told right. Some 7,500 sessions each.
static void check_sessions(const char *keys, double bias, double scatter, double law_share,
			   double shape_off)
{
	struct m_g_infinity *truth = arrivals_bed_open(&m_g_infinity_family, keys);
	double sums[SCALES] = {0}, squares[SCALES] = {0}, shapes = 0;
	struct arrival_notes notes;
	unsigned right = 0;

	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct m_g_infinity *found = refit(&m_g_infinity_family, truth, seed, 300000, 0,
						   &notes);

		for (int i = 0; i < SCALES; i++) {
			const double off = log(m_g_infinity_dispersion(found, scales_s[i]) /
					       m_g_infinity_dispersion(truth, scales_s[i]));

			sums[i] += off;
			squares[i] += off * off;
		}
		right += found->session.name == truth->session.name;
		shapes += found->session.name == truth->session.name ? found->session.shape : 0;
		arrivals_bed_close(&m_g_infinity_family, found);
	}
	for (int i = 0; i < SCALES; i++) {
		print_message("%g s: off by %.3f on average, %.3f in square mean\n", scales_s[i],
			      sums[i] / seeds(), sqrt(squares[i] / seeds()));
		assert_true(fabs(sums[i] / seeds()) < bias + 2 * scatter / sqrt(seeds()));
		assert_true(sqrt(squares[i] / seeds()) < scatter);
	}
	print_message("law right %u of %u, mean shape %.3f\n", right, seeds(), shapes / right);
	assert_true(right >= law_share * seeds());
	assert_true(fabs(shapes / right - truth->session.shape) < shape_off);
	arrivals_bed_close(&m_g_infinity_family, truth);
}

static void test_sessions(void **unused)
{
	(void)unused;
	check_sessions("session-gap 50 ms\nsession 200 ms\ninter-packet 5 ms\n", 0.15, 0.3, 0.6,
		       1e-9);
	check_sessions(
		"session-gap 50 ms\nsession 200 ms\ninter-packet 5 ms\nsession-law pareto 1.5\n",
		0.15, 0.4, 0.5, 0.25);
}

// 1,500 segments; each octave's shape errs by some hundredths of itself, the coarsest by a tenth.
static void test_cascade(void **unused)
{
	struct cascade *truth = arrivals_bed_open(
		&cascade_family, "finest 1 ms\npackets 2\nspread 0.1\nsplit 5\nsplit 4\nsplit 3\n"
				 "split 2.5\nsplit 2\nsplit 1\n");

	struct arrival_notes notes;

	(void)unused;
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct cascade *found = refit(&cascade_family, truth, seed, 192000, 0, &notes);

		assert_true(found->finest_s == truth->finest_s && found->octaves >= truth->octaves);
		assert_true(fabs(found->packets - 2) < 0.1);
		for (unsigned i = 0; i < truth->octaves; i++) {
			const double shape = found->shape[found->octaves - truth->octaves + i];

			if (!(fabs(log(shape / truth->shape[i])) < 0.35))
				fail_msg("octave %u: %g is not %g", i, shape, truth->shape[i]);
		}
		for (unsigned i = 0; i <= truth->octaves; i++)
			assert_true(fabs(log(cascade_dispersion(found, i) /
					     cascade_dispersion(truth, i))) < 0.2);
		arrivals_bed_close(&cascade_family, found);
	}
	arrivals_bed_close(&cascade_family, truth);
}

// Whether "12 ms .. 15 ms at 95 %" holds the value.
static bool holds(const char *note, enum model_type type, double value)
{
	char text[ARRIVAL_NOTE_BYTES];
	double low, high;

	(void)snprintf(text, sizeof(text), "%s", note);
	char *middle = strstr(text, " .. "), *end = strstr(text, " at 95 %");

	assert_true(middle && end);
	*middle = *end = '\0';
	assert_int_equal(model_value(type, text, &low, NULL), TR_OK);
	assert_int_equal(model_value(type, middle + 4, &high, NULL), TR_OK);
	return low <= value && value <= high;
}

// Intervals of 95 %, from 20 replicas: within 4 binomial standard deviations.
static void check_held(const char *what, unsigned held)
{
	const double n = seeds();

	print_message("%s held %u of %u\n", what, held, seeds());
	assert_true(held >= 0.95 * n - 4 * sqrt(n * 0.95 * 0.05));
}

static void test_session_intervals(void **unused)
{
	struct m_g_infinity *truth = arrivals_bed_open(
		&m_g_infinity_family, "session-gap 50 ms\nsession 200 ms\ninter-packet 5 ms\n");
	unsigned held[3] = {0};

	(void)unused;
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct arrival_notes notes;
		void *found = refit(&m_g_infinity_family, truth, seed, 40000, 0.95, &notes);

		held[0] += holds(notes.field[0], MODEL_TIME, truth->session_gap_s);
		held[1] += holds(notes.field[1], MODEL_TIME, truth->session.mean);
		held[2] += holds(notes.field[4], MODEL_TIME, truth->packet_gap_s);
		arrivals_bed_close(&m_g_infinity_family, found);
	}
	check_held("session-gap", held[0]);
	check_held("session", held[1]);
	check_held("inter-packet", held[2]);
	arrivals_bed_close(&m_g_infinity_family, truth);
}

static void test_cascade_intervals(void **unused)
{
	struct cascade *truth = arrivals_bed_open(
		&cascade_family,
		"finest 1 ms\npackets 2\nspread 0.1\nsplit 5\nsplit 4\nsplit 3\nsplit 2\n");
	unsigned held[5] = {0};

	(void)unused;
	for (unsigned seed = 1; seed <= seeds(); seed++) {
		struct arrival_notes notes;
		struct cascade *found = refit(&cascade_family, truth, seed, 40000, 0.95, &notes);
		const unsigned more = found->octaves - truth->octaves;

		held[4] += holds(notes.field[1], MODEL_REAL, truth->packets);
		for (unsigned i = 0; i < 4; i++)
			held[i] += found->ends[more + i][0] <= truth->shape[i] &&
				   truth->shape[i] <= found->ends[more + i][1];
		arrivals_bed_close(&cascade_family, found);
	}
	check_held("packets", held[4]);
	for (int i = 0; i < 4; i++)
		check_held("split", held[i]);
	arrivals_bed_close(&cascade_family, truth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions), cmocka_unit_test(test_cascade),
		cmocka_unit_test(test_session_intervals), cmocka_unit_test(test_cascade_intervals)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
