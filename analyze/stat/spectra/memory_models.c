// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/memory_models.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "stat/spectra/memory_exclusion.h"
#include "stat/spectra/memory_spectra.h"

#define NEEDED 3.0
#define FALL_MAX 0.99 // of .5 - H
#define FALLS 33
#define BESIDE 0.25 // of the relaxation over the power law, where H is estimated
#define BEGUN 0.85  // of what the power law has left there

static void fill_falling(const struct banded_spectrum *bands, double h, double level, double *out)
{
	memory_law_fill(MEMORY_FARIMA, h, M_PI / 2, bands, out);
	for (size_t b = 0; b < bands->count; b++)
		out[b] *= level;
}

double memory_falling_fit(const struct banded_spectrum *bands, double *out)
{
	double best = -INFINITY, best_h = 0, best_level = 1, ordinates = 0;

	for (size_t b = 0; b < bands->count; b++)
		ordinates += bands->ordinates[b];
	for (int step = 1; step <= FALLS; step++) {
		const double h = 0.5 - FALL_MAX * step / FALLS;
		double level = 0, likelihood;

		fill_falling(bands, h, 1, out);
		for (size_t b = 0; b < bands->count; b++)
			level += bands->ordinates[b] * bands->power[b] / out[b] / ordinates;
		fill_falling(bands, h, level, out);
		likelihood = spectral_likelihood(bands, out);
		if (likelihood > best) {
			best = likelihood;
			best_h = h;
			best_level = level;
		}
	}
	fill_falling(bands, best_h, best_level, out);
	return best;
}

// The probability of an evidence above the least one that decides, if it has this mean and twice
// that as variance.
static double memory_models_power_of(double mean, double least)
{
	return gsl_cdf_ugaussian_Q((least - mean) / sqrt(2 * fmax(0, mean) + 1e-9));
}

// The probability of finding long memory where expected is the true spectrum, and the long model's:
// fits the others to the spectrum itself.
static double power_where(const struct banded_spectrum *bands, const double *expected,
			  double dispersion)
{
	struct banded_spectrum truth = *bands;
	struct memory_fit brief, ladder;
	double own;

	memcpy(truth.power, expected, sizeof(truth.power));
	own = spectral_likelihood(&truth, truth.power);
	memory_fit_short(&truth, 2, &brief);
	memory_fit_short(&truth, 3, &ladder);
	return fmin(memory_models_power_of((own - brief.likelihood) / dispersion, MEMORY_EVIDENCE),
		    memory_models_power_of((own - ladder.likelihood) / dispersion, MEMORY_LADDER));
}

static struct memory_shape memory_shape_of(const struct banded_spectrum *bands,
					   enum memory_law kind, struct memory_law_values *values)
{
	return (struct memory_shape){kind, bands->frequency[bands->count / 3], values};
}

double memory_models_power(const struct banded_spectrum *bands, const struct memory_models *fitted)
{
	const double n = (double)bands->n, turn = 2 * M_PI * MEMORY_SHARE_PERIODS / n,
		     latest = n / (2 * M_PI * MEMORY_BEGIN_PERIODS);
	struct memory_law_values values = {0};
	const struct memory_shape shape = memory_shape_of(bands, fitted->kind, &values);
	struct memory_fit fit = fitted->lasting;
	double expected[BANDS_MAX], law[BANDS_MAX], allowed, there = 0, at = 1, first = 0;

	memory_fit_long_of(&shape, bands, 0.8, &fit);
	memory_spectrum_long(&shape, fit.parameters, bands, expected);
	allowed = power_where(bands, expected, fitted->dispersion);
	for (size_t i = 0; i < fitted->relaxations; i++)
		first = fitted->times[i] < latest ? fitted->times[i] : first;
	memory_spectrum_short(&fitted->brief, bands, expected);
	memory_law_fill(MEMORY_FGN, 0.8, turn, bands, law);
	for (size_t b = 0; b < bands->count; b++) {
		law[b] *= first > 0 ? memory_law_begun(log(first), 0.8, bands->cosine[b]) : 1;
		if (b > 0 && bands->frequency[b] > 1.001 * turn)
			continue;
		there = expected[b];
		at = law[b];
	}
	for (size_t b = 0; b < bands->count; b++)
		expected[b] += there * law[b] / at;
	return fmax(allowed, power_where(bands, expected, fitted->dispersion));
}

// Fills the ends of the widest range of those bands, by the ratio of its ends.
static void widest_range(const struct banded_spectrum *bands, const bool *holds, double *first,
			 double *last)
{
	double begin = NAN;

	*first = *last = NAN;
	for (size_t b = 0; b < bands->count; b++) {
		if (b == 0 || !holds[b - 1])
			begin = bands->frequency[b];
		if (!holds[b] || bands->frequency[b] / begin <= *last / *first)
			continue;
		*first = begin;
		*last = bands->frequency[b];
	}
}

// Where the power law becomes the largest part, and where it can be measured.
static void describe_long(const struct banded_spectrum *bands, const struct memory_shape *shape,
			  const double *v, struct memory_models *out)
{
	const struct relaxation first = relaxation_of(v[MEMORY_LEVEL], v[MEMORY_TIME],
						      v[MEMORY_TURN]);
	const bool is_slow = v[MEMORY_TIME] > log((double)bands->n / (2 * M_PI));
	bool alone[BANDS_MAX], beside_moving[BANDS_MAX];
	double law[BANDS_MAX];

	memory_law_fill(shape->law, v[MEMORY_HURST], shape->reference, bands, law);
	out->crossover = NAN;
	for (size_t b = 0; b < bands->count; b++) {
		const double begun = memory_law_begun(v[MEMORY_BEGIN], v[MEMORY_HURST],
						      bands->cosine[b]);
		const double own = exp(v[MEMORY_LAW]) * law[b] * begun;
		const double relaxation = relaxation_at(&first, bands->cosine[b]),
			     white = exp(v[MEMORY_WHITE]);

		if (own > relaxation + white)
			out->crossover = 2 * M_PI / bands->frequency[b];
		alone[b] = begun >= BEGUN && relaxation <= BESIDE * own;
		beside_moving[b] = begun >= BEGUN && (is_slow || relaxation <= BESIDE * own);
	}
	widest_range(bands, alone, &out->law_first, &out->law_last);
	widest_range(bands, beside_moving, &out->moving_first, &out->moving_last);
}

static void sort_times(double *times, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && times[j] < times[j - 1]; j--) {
			const double later = times[j - 1];

			times[j - 1] = times[j];
			times[j] = later;
		}
}

// As few relaxations as the series needs.
static void describe_short(const struct banded_spectrum *bands, const struct memory_fit *brief,
			   const struct memory_fit *ladder, struct memory_models *out)
{
	const double enough = ladder->likelihood - NEEDED * out->dispersion;
	struct memory_fit none, one;
	const struct memory_fit *fits[] = {&none, &one, brief, ladder};

	memory_fit_short(bands, 0, &none);
	memory_fit_short(bands, 1, &one);
	while (out->relaxations < MEMORY_TIMES && fits[out->relaxations]->likelihood < enough)
		out->relaxations++;
	for (size_t i = 0; i < MEMORY_TIMES; i++)
		out->times[i] =
			i < out->relaxations
				? exp(fits[out->relaxations]->parameters[i == 0	  ? MEMORY_TIME
									 : i == 1 ? MEMORY_TIME_2
										  : MEMORY_TIME_3])
				: NAN;
	sort_times(out->times, out->relaxations);
}

void memory_models_fit(const struct banded_spectrum *bands, struct memory_models *out)
{
	struct memory_law_values laws[MEMORY_LAWS] = {{0}};
	struct memory_shape shapes[MEMORY_LAWS];
	struct memory_fit brief, ladder, fitted[MEMORY_LAWS];
	double values[BANDS_MAX], best, falling;
	enum memory_law law = MEMORY_FGN;

	*out = (struct memory_models){.dispersion = 1};
	memory_fit_short(bands, 2, &brief);
	memory_fit_short(bands, 3, &ladder);
	falling = memory_falling_fit(bands, values);
	for (enum memory_law i = MEMORY_FGN; i < MEMORY_LAWS; i++) {
		shapes[i] = memory_shape_of(bands, i, &laws[i]);
		memory_fit_long(&shapes[i], bands, &fitted[i]);
		if (fitted[i].likelihood > fitted[law].likelihood)
			law = i;
	}
	best = fmax(ladder.likelihood, fitted[law].likelihood);
	if (falling <= best && fitted[law].likelihood == best)
		memory_spectrum_long(&shapes[law], fitted[law].parameters, bands, values);
	else if (falling <= best)
		memory_spectrum_short(&ladder, bands, values);
	out->dispersion = fmax(1, spectral_dispersion(bands, values, MEMORY_HURST + 1));
	out->falls = (falling - best) / out->dispersion >= NEEDED;
	out->evidence = (fitted[law].likelihood - brief.likelihood) / out->dispersion;
	out->ladder = (fitted[law].likelihood - ladder.likelihood) / out->dispersion;
	out->mixture = (fitted[law].likelihood - memory_mixture_likelihood(bands)) /
		       out->dispersion;
	out->h = fitted[law].parameters[MEMORY_HURST];
	out->h_se = sqrt(out->dispersion) * memory_hurst_error(&shapes[law], bands, &fitted[law]);
	describe_long(bands, &shapes[law], fitted[law].parameters, out);
	describe_short(bands, &brief, &ladder, out);
	out->brief = brief;
	out->lasting = fitted[law];
	out->kind = law;
}
