// SPDX-License-Identifier: GPL-3.0-or-later
// After Karagiannis, Molle and Faloutsos, Long-range dependence: ten years of Internet traffic
// modeling, IEEE Internet Computing 8 (2004) 57-64: no single estimator can be relied on. Known
// answers: autoregressive, Markov-modulated and shifted series in
// tests/property/stat_agreement_test.c.
#include "stat/hurst/agreement.h"

#include <math.h>
#include <stdbool.h>

#include "stat/hurst/estimators.h"

// Standard errors between two estimates that are rarely exceeded without a cause.
#define FAR 3.5
#define FIT_MIN 0.001
// The same for any two of many estimates.
#define FAR_APART 6

void agreement_open(struct agreement *agreement)
{
	*agreement = (struct agreement){
		.whittle_fit = NAN, .aggvar = NAN, .gph = NAN, .lw = NAN, .wavelet = NAN};
}

static void agreement_keep(double *h, double *se, const struct estimate *estimate)
{
	*h = isnan(estimate->h_corrected) ? estimate->h : estimate->h_corrected;
	*se = estimate->se;
}

void agreement_add(struct agreement *agreement, const struct estimator *estimator,
		   const struct estimate *estimate)
{
	if (estimator != &whittle_fgn && estimator != &whittle_farima && isfinite(estimate->se) &&
	    agreement->count < AGREEMENT_ESTIMATES_MAX) {
		agreement_keep(&agreement->h[agreement->count], &agreement->se[agreement->count],
			       estimate);
		agreement->count++;
	}
	if (estimator == &whittle_fgn)
		agreement->whittle_fit = estimate->fit;
	else if (estimator == &aggregated_variance)
		agreement_keep(&agreement->aggvar, &agreement->aggvar_se, estimate);
	else if (estimator == &geweke_porter_hudak)
		agreement_keep(&agreement->gph, &agreement->gph_se, estimate);
	else if (estimator == &local_whittle)
		agreement_keep(&agreement->lw, &agreement->lw_se, estimate);
	else if (estimator == &logscale_daubechies)
		agreement_keep(&agreement->wavelet, &agreement->wavelet_se, estimate);
}

// Whether a is significantly above b; false if one is unknown.
static bool above(double a, double a_se, double b, double b_se)
{
	return a - b > FAR * hypot(a_se, b_se);
}

static bool any_far_apart(const struct agreement *a)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < i; j++)
			if (fabs(a->h[i] - a->h[j]) > FAR_APART * hypot(a->se[i], a->se[j]))
				return true;
	return false;
}

size_t agreement_findings(const struct agreement *agreement,
			  const char *findings[AGREEMENT_FINDINGS_MAX])
{
	const struct agreement *a = agreement;
	size_t count = 0;

	if (a->whittle_fit < FIT_MIN)
		findings[count++] = "the spectrum is not that of fractional Gaussian noise: ignore "
				    "Whittle's H and its interval";
	if (above(a->lw, a->lw_se, a->gph, a->gph_se) ||
	    above(a->wavelet, a->wavelet_se, a->gph, a->gph_se))
		findings[count++] = "H falls towards the lowest frequencies: at shorter scales, "
				    "short-range dependence looks like long-range dependence";
	else if (above(a->aggvar, a->aggvar_se, a->wavelet, a->wavelet_se))
		findings[count++] =
			"methods sensitive to trends and level shifts give a higher H than the "
			"wavelet, which is not: the series may not be stationary";
	else if (any_far_apart(a))
		findings[count++] = "estimates differ by far more than their errors: short-range "
				    "dependence, a period, a moving level, or infinite variance; "
				    "no single H describes all scales";
	return count;
}
