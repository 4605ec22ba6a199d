// SPDX-License-Identifier: GPL-3.0-or-later
// Poisson, batch Poisson and renewal processes fitted to their own output: the law is recognised,
// and the intervals have the stated coverage, within 3 binomial standard deviations. FLIT_LONG=1:
// 200 seeds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals_bed.h"
#include "gen/model_field.h"

#define TICKS_PER_S 1e9
#define LEVEL 0.95
#define PACKETS 4200 // whole batches of 3

static const struct {
	const struct family *family;
	const char *keys;
	const char *says;	 // the method of the fit
	enum model_type type[2]; // of the first two fields, MODEL_END where no interval is promised
	double truth[2];
} cases[] = {
	{&poisson_process_family,
	 "gap 3 ms\n",
	 "by likelihood",
	 {MODEL_TIME, MODEL_END},
	 {3e-3, 0}},
	{&batch_poisson_family,
	 "gap 3 ms\nbatch 2.5\n",
	 "geometric",
	 {MODEL_TIME, MODEL_REAL},
	 {3e-3, 2.5}},
	{&batch_poisson_family,
	 "gap 3 ms\nbatch 4\nbatch-law uniform\n",
	 "uniform",
	 {MODEL_TIME, MODEL_REAL},
	 {3e-3, 4}},
	{&batch_poisson_family,
	 "gap 3 ms\nbatch 3\nbatch-law constant\n",
	 "constant",
	 {MODEL_TIME, MODEL_END},
	 {3e-3, 0}},
	{&batch_poisson_family,
	 "gap 3 ms\nbatch 3\nbatch-law empirical\nbatch-bin 5 x 1\nbatch-bin 3 x 7\n",
	 "empirical",
	 {MODEL_TIME, MODEL_REAL},
	 {3e-3, 3.25}},
	{&renewal_family, "gap 5 ms\n", "exponential", {MODEL_TIME, MODEL_END}, {5e-3, 0}},
	{&renewal_family,
	 "gap 5 ms\ngap-law constant\n",
	 "constant",
	 {MODEL_TIME, MODEL_END},
	 {5e-3, 0}},
	{&renewal_family,
	 "gap 5 ms\ngap-law pareto 3\n",
	 "Pareto",
	 {MODEL_TIME, MODEL_REAL},
	 {5e-3, 3}},
	{&renewal_family,
	 "gap 5 ms\ngap-law lomax 3\n",
	 "Lomax",
	 {MODEL_TIME, MODEL_REAL},
	 {5e-3, 3}},
	{&renewal_family,
	 "gap 5 ms\ngap-law lomax 1.7\n",
	 "Lomax",
	 {MODEL_END, MODEL_REAL},
	 {5e-3, 1.7}},
	{&renewal_family,
	 "gap 5 ms\ngap-law lognormal 0.8\n",
	 "lognormal",
	 {MODEL_TIME, MODEL_REAL},
	 {5e-3, 0.8}},
	{&renewal_family,
	 "gap 5 ms\ngap-law weibull 0.6\n",
	 "Weibull",
	 {MODEL_TIME, MODEL_REAL},
	 {5e-3, 0.6}},
	{&renewal_family,
	 "gap 5 ms\ngap-law gamma 3\n",
	 "gamma",
	 {MODEL_TIME, MODEL_REAL},
	 {5e-3, 3}},
	{&renewal_family,
	 "gap 5 ms\ngap-law gamma 0.4\n",
	 "gamma",
	 {MODEL_TIME, MODEL_REAL},
	 {5e-3, 0.4}},
	{&renewal_family,
	 "gap 5 ms\ngap-law uniform\n",
	 "uniform",
	 {MODEL_TIME, MODEL_END},
	 {5e-3, 0}},
};
#define CASES (sizeof(cases) / sizeof(*cases))

static double log_likelihood_of(const struct family *family, const void *parameters,
				const struct arrival_sample *sample)
{
	double out = 0;

	assert_int_equal(family->arrival_fit->log_likelihood(parameters, sample, &out, NULL),
			 TR_OK);
	return out;
}

static unsigned seeds(void)
{
	return getenv("FLIT_LONG") ? 200 : 20;
}

// Whether the interval "low .. high at 95 %" holds the truth.
static bool holds(const char *note, enum model_type type, double truth)
{
	char text[ARRIVAL_NOTE_BYTES];
	double low, high;

	(void)snprintf(text, sizeof(text), "%s", note);
	char *middle = strstr(text, " .. "), *end = strstr(text, " at 95 %");

	if (!middle || !end)
		return false;
	*middle = *end = '\0';
	assert_int_equal(model_value(type, text, &low, NULL), TR_OK);
	assert_int_equal(model_value(type, middle + 4, &high, NULL), TR_OK);
	return low <= truth && truth <= high;
}

// Also: the fit is at least as likely as the truth, but for the steps to the ends of bins and
// ranges.
static void fit_once(size_t which, unsigned seed, unsigned held[2], unsigned *recognised)
{
	const struct family *family = cases[which].family;
	void *truth = arrivals_bed_open(family, cases[which].keys),
	     *found = calloc(1, family->arrivals->parameter_bytes);
	struct arrival_times times = arrivals_bed_times(family, truth, seed, TICKS_PER_S, 1e18,
							PACKETS);
	const struct arrival_sample sample = {&times, 1, TICKS_PER_S, LEVEL};
	struct arrival_notes notes = {0};
	struct tr_error err = {""};

	assert_non_null(found);
	if (family->arrival_fit->fit(found, &sample, &notes, &err) != TR_OK)
		fail_msg("%s", err.text);
	*recognised += strstr(notes.method, cases[which].says) != NULL;
	for (int i = 0; i < 2; i++)
		if (cases[which].type[i] != MODEL_END)
			held[i] += holds(notes.field[i], cases[which].type[i],
					 cases[which].truth[i]);
	if (!strstr(notes.method, "empirical"))
		assert_true(log_likelihood_of(family, found, &sample) >
			    log_likelihood_of(family, truth, &sample) - 5);
	free((void *)times.ticks);
	arrivals_bed_close(family, truth);
	arrivals_bed_close(family, found);
}

static void intervals_hold_the_truth(void **state)
{
	const double n = seeds(), least = LEVEL * n - 3 * sqrt(n * LEVEL * (1 - LEVEL));
	unsigned bad = 0;

	(void)state;
	for (size_t which = 0; which < CASES; which++) {
		unsigned held[2] = {0, 0}, recognised = 0;
		bool good;

		for (unsigned seed = 1; seed <= seeds(); seed++)
			fit_once(which, seed, held, &recognised);
		good = recognised >= 0.98 * n - 1;
		for (int i = 0; i < 2; i++)
			good = good && (cases[which].type[i] == MODEL_END || held[i] >= least);
		if (!good || getenv("FLIT_LONG"))
			print_message("%s %s: recognised %u, held %u and %u of %.0f\n",
				      cases[which].family->name, cases[which].says, recognised,
				      held[0], held[1], n);
		bad += !good;
	}
	assert_int_equal(bad, 0);
}

// Text and number are the same thing: what the fit writes is as likely when it is read again.
static void texts_are_as_likely(void **state)
{
	(void)state;
	for (size_t which = 0; which < CASES; which++) {
		const struct family *family = cases[which].family;
		void *truth = arrivals_bed_open(family, cases[which].keys),
		     *found = calloc(1, family->arrivals->parameter_bytes), *again;
		struct arrival_times times = arrivals_bed_times(family, truth, 3, TICKS_PER_S, 1e18,
								PACKETS);
		const struct arrival_sample sample = {&times, 1, TICKS_PER_S, LEVEL};
		struct arrival_notes notes = {0};
		struct tr_error err = {""};
		char *text;

		assert_non_null(found);
		assert_int_equal(family->arrival_fit->fit(found, &sample, &notes, &err), TR_OK);
		text = arrivals_bed_text(family, found);
		again = arrivals_bed_open(family, text);
		assert_true(fabs(log_likelihood_of(family, found, &sample) -
				 log_likelihood_of(family, again, &sample)) < 1);
		assert_true(fabs(family->arrivals->rate(found) / family->arrivals->rate(truth) -
				 1) < 0.15);
		free(text);
		free((void *)times.ticks);
		arrivals_bed_close(family, truth);
		arrivals_bed_close(family, found);
		arrivals_bed_close(family, again);
	}
}

// A law of bins gives back times that no other law has, and its rate.
static void two_kinds_of_gaps_are_bins(void **state)
{
	static const char keys[] = "gap 4 ms\ngap-law empirical\ngap-bin 3 x 1 ms .. 2 ms\ngap-bin "
				   "1 x 10 ms .. 14 ms\n";
	void *truth = arrivals_bed_open(&renewal_family, keys),
	     *found = calloc(1, renewal_family.arrivals->parameter_bytes);
	struct arrival_times times = arrivals_bed_times(&renewal_family, truth, 1, TICKS_PER_S,
							1e18, 20000);
	const struct arrival_sample sample = {&times, 1, TICKS_PER_S, LEVEL};
	struct arrival_notes notes = {0};
	struct tr_error err = {""};

	(void)state;
	assert_non_null(found);
	assert_int_equal(renewal_family.arrival_fit->fit(found, &sample, &notes, &err), TR_OK);
	assert_non_null(strstr(notes.method, "empirical"));
	assert_true(
		fabs(renewal_family.arrivals->rate(found) / renewal_family.arrivals->rate(truth) -
		     1) < 0.02);
	free((void *)times.ticks);
	arrivals_bed_close(&renewal_family, truth);
	arrivals_bed_close(&renewal_family, found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_truth),
		cmocka_unit_test(texts_are_as_likely),
		cmocka_unit_test(two_kinds_of_gaps_are_bins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
