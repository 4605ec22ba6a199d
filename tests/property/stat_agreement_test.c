// SPDX-License-Identifier: GPL-3.0-or-later
// The joint result of the estimators on noise with long-range dependence, and on series that fool
// some of them. 12 series each, 150, of all estimators, if FLIT_LONG is set.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hurst_rows.h"
#include "stat/hurst/agreement.h"

#define LENGTH 0 // of hurst_lengths

struct shares {
	double any, parametric, short_range, shifted, apart;
};

static int rounds(void)
{
	return getenv("FLIT_LONG") ? 150 : 12;
}

static void add(struct shares *shares, const struct estimate *estimates, int count)
{
	const char *findings[AGREEMENT_FINDINGS_MAX];
	struct agreement agreement;
	size_t n;

	agreement_open(&agreement);
	for (size_t e = 0; estimators[e]; e++)
		agreement_add(&agreement, estimators[e], &estimates[e]);
	n = agreement_findings(&agreement, findings);
	shares->any += (n > 0 ? 1.0 : 0) / count;
	for (size_t i = 0; i < n; i++) {
		shares->parametric += (findings[i][0] == 't' ? 1.0 : 0) / count;
		shares->short_range += (findings[i][0] == 'H' ? 1.0 : 0) / count;
		shares->apart += (findings[i][0] == 'e' ? 1.0 : 0) / count;
		shares->shifted += (findings[i][0] == 'm' ? 1.0 : 0) / count;
	}
}

struct told {
	struct shares *shares;
	int count;
};

static void tell(void *context, const struct estimate *estimates)
{
	const struct told *told = context;

	add(told->shares, estimates, told->count);
}

static struct shares shares_of(size_t model)
{
	struct shares shares = {0};
	struct told told = {&shares, rounds()};

	hurst_each(model, LENGTH, rounds(), getenv("FLIT_LONG"), tell, &told);
	return shares;
}

static void noise_with_long_range_dependence_is_let_be(void **state)
{
	(void)state;
	for (size_t model = 0; model < 5; model++) {
		const struct shares shares = shares_of(model);

		if (shares.any > 0.02 + 2.0 / rounds())
			fail_msg("%s: %g have a finding", hurst_models[model].name, shares.any);
	}
}

static void expect(size_t model, const char *what, double share, double least, double most)
{
	if (share < least - 1e-9 || share > most + 1e-9)
		fail_msg("%s: %g are found %s, expected %g to %g", hurst_models[model].name, share,
			 what, least, most);
}

static void what_fools_estimators_is_found(void **state)
{
	static const struct {
		size_t model;
		double parametric_least, short_least, short_most, shift_least, shift_most,
			cause_least;
	} expected[] = {
		{HURST_FARIMA, 0, 0, 0.1, 0, 0.1,
		 0}, // too like the noise to be told apart at this length
		{HURST_AR1_STRONG, 0.95, 0.25, 1, 0, 0.1, 0.95},
		{HURST_MMPP, 0.95, 0.9, 1, 0, 0.1, 0.95},
		{HURST_SHIFT, 0.95, 0, 0.1, 0.8, 1, 0.95},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		const struct shares shares = shares_of(expected[i].model);

		expect(expected[i].model, "not to be such noise", shares.parametric,
		       expected[i].parametric_least, 1);
		expect(expected[i].model, "short-range", shares.short_range,
		       expected[i].short_least, expected[i].short_most);
		expect(expected[i].model, "short-range, shifted or far apart",
		       shares.short_range + shares.shifted + shares.apart, expected[i].cause_least,
		       1);
		expect(expected[i].model, "shifted", shares.shifted, expected[i].shift_least,
		       expected[i].shift_most);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_with_long_range_dependence_is_let_be),
		cmocka_unit_test(what_fools_estimators_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
