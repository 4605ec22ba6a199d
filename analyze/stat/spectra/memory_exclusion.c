// SPDX-License-Identifier: GPL-3.0-or-later
// A sum of relaxations of all times with any weights is the spectrum of any covariance that is
// completely monotone: of rates of any number of states, sessions, sources that fade. Its weights
// are found by steps that each raise the likelihood (Fevotte, Bertin and Durrieu 2009). With
// weights t^(2 H - 2) from a time on it is a power law below the frequency that belongs to it, l^(1
// - 2 H), as sums of sources that each fade have it (Granger 1980).
#include "stat/spectra/memory_exclusion.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/spectra/memory_spectra.h"

#define COLUMNS_MAX 40
#define TIME_FIRST 0.5
#define TIME_STEP 1.7782794100389228 // 10^(1/4)
#define CYCLES_MAX 200
#define ENOUGH 0.001 // of a cycle's gain
#define WEIGHT_BEGIN 1e-4
#define BEGIN_STEP 8
#define LAW_BEYOND 1000
#define FALLING_NEEDED 3.0
#define DISPERSION_ERRORS 4.0 // over the root of the bands: 2.8 standard errors
#define LONGEST 4096.0

static const double exponents[] = {0.65, 0.75, 0.9}; // of power laws that are to be excluded
static const double strengths[] = {0.7, 0.5, 0.35, 0.25, 0.15, 0.1};

#define EXPONENTS (sizeof(exponents) / sizeof(*exponents))
#define STRENGTHS (sizeof(strengths) / sizeof(*strengths))

// The parts of a mixture at the bands: white noise, and the relaxations of a rate's means over
// bins, ascending in time.
struct memory_exclusion_mixture {
	const struct banded_spectrum *bands;
	size_t turn; // the band at which a power law's strength is set
	size_t columns;
	double at[COLUMNS_MAX][BANDS_MAX];
};

// Adds the spectrum of the means over a point of a rate of variance share and covariance e^(-lag /
// time): covariances g at lag 0 and a p^(k-1) at lag k. Returns its sum.
static double add_means(const struct banded_spectrum *bands, double time, double share, double *out)
{
	const double p = exp(-1 / time), q = -expm1(-1 / time),
		     g = 2 * time * time * (1 / time - q), a = time * time * q * q;
	double sum = 0;

	for (size_t b = 0; b < bands->count; b++) {
		const double cosine = bands->cosine[b];
		const double own = share *
				   (g + 2 * a * (cosine - p) / (q * q + 2 * p * (1 - cosine)));

		out[b] += own;
		sum += own;
	}
	return sum;
}

static void memory_exclusion_fill_means(const struct banded_spectrum *bands, double time,
					double *out)
{
	double sum;

	memset(out, 0, bands->count * sizeof(*out));
	sum = add_means(bands, time, 1, out);
	for (size_t b = 0; b < bands->count; b++)
		out[b] *= (double)bands->count / sum;
}

// With all time constants below longest.
static void open_mixture(struct memory_exclusion_mixture *mixture,
			 const struct banded_spectrum *bands, double longest)
{
	const double turn = 2 * M_PI * MEMORY_SHARE_PERIODS / (double)bands->n;

	mixture->bands = bands;
	mixture->turn = 0;
	while (mixture->turn + 1 < bands->count && bands->frequency[mixture->turn] < 0.999 * turn)
		mixture->turn++;
	for (size_t b = 0; b < bands->count; b++)
		mixture->at[0][b] = 1;
	mixture->columns = 1;
	for (double time = TIME_FIRST; time < longest && mixture->columns < COLUMNS_MAX;
	     time *= TIME_STEP)
		memory_exclusion_fill_means(bands, time, mixture->at[mixture->columns++]);
}

// A power law beside a mixture: 1 at the turn, and its strength over all else there; at NULL: none.
struct beside {
	const double *at;
	double strength;
};

// Fills values with the spectrum. Returns the log-likelihood.
static double memory_exclusion_evaluate(const struct memory_exclusion_mixture *mixture,
					struct beside law, const double *weights, double *values)
{
	const size_t count = mixture->bands->count;
	double there;

	memset(values, 0, count * sizeof(*values));
	for (size_t c = 0; c < mixture->columns; c++)
		for (size_t b = 0; b < count; b++)
			values[b] += weights[c] * mixture->at[c][b];
	there = law.strength * values[mixture->turn];
	for (size_t b = 0; b < count && law.at; b++)
		values[b] += there * law.at[b];
	return spectral_likelihood(mixture->bands, values);
}

// A step that raises the likelihood, from weights whose spectrum is values.
static void memory_exclusion_step_up(const struct memory_exclusion_mixture *mixture,
				     struct beside law, const double *values, const double *weights,
				     double *out)
{
	const struct banded_spectrum *bands = mixture->bands;
	double raise[BANDS_MAX], weigh[BANDS_MAX], law_raise = 0, law_weigh = 0;

	for (size_t b = 0; b < bands->count; b++) {
		weigh[b] = bands->ordinates[b] / values[b];
		raise[b] = weigh[b] * bands->power[b] / values[b];
	}
	if (law.at) {
		law_raise = law.strength * memory_product(raise, law.at, bands->count);
		law_weigh = law.strength * memory_product(weigh, law.at, bands->count);
	}
	for (size_t c = 0; c < mixture->columns; c++) {
		const double *at = mixture->at[c], turn = at[mixture->turn];

		out[c] = weights[c] *
			 sqrt((memory_product(raise, at, bands->count) + turn * law_raise) /
			      (memory_product(weigh, at, bands->count) + turn * law_weigh));
	}
}

// Two steps on, and from there as far as they point (Varadhan and Roland 2008, their third step
// length), no weight below a tenth of what the steps leave it.
static void extrapolate(size_t columns, const double *from, const double *one, const double *two,
			double *out)
{
	double first = 0, second = 0, far;

	for (size_t c = 0; c < columns; c++) {
		first += pow(one[c] - from[c], 2);
		second += pow(two[c] - 2 * one[c] + from[c], 2);
	}
	far = second > 0 ? fmax(1, sqrt(first / second)) : 1;
	for (size_t c = 0; c < columns; c++)
		out[c] = fmax(0.1 * two[c], from[c] + 2 * far * (one[c] - from[c]) +
						    far * far * (two[c] - 2 * one[c] + from[c]));
}

// Raises the likelihood over the weights, which begin above 0. Fills values with the spectrum.
// Returns the log-likelihood.
static double memory_exclusion_fit(const struct memory_exclusion_mixture *mixture,
				   struct beside law, double *weights, double *values)
{
	const size_t bytes = mixture->columns * sizeof(*weights);
	double now = memory_exclusion_evaluate(mixture, law, weights, values), gain = INFINITY;

	for (int i = 0; i < CYCLES_MAX && gain >= ENOUGH; i++) {
		double one[COLUMNS_MAX], two[COLUMNS_MAX], far[COLUMNS_MAX], likelihood;

		memory_exclusion_step_up(mixture, law, values, weights, one);
		likelihood = memory_exclusion_evaluate(mixture, law, one, values);
		memory_exclusion_step_up(mixture, law, values, one, two);
		extrapolate(mixture->columns, weights, one, two, far);
		gain = memory_exclusion_evaluate(mixture, law, far, values) - now;
		memcpy(weights, far, bytes);
		if (!(gain >= likelihood - now)) {
			gain = memory_exclusion_evaluate(mixture, law, two, values) - now;
			memcpy(weights, two, bytes);
		}
		now += gain;
	}
	return now;
}

static double fit_mixture(const struct memory_exclusion_mixture *mixture, double *weights,
			  double *values)
{
	for (size_t c = 0; c < mixture->columns; c++)
		weights[c] = 1 / (double)mixture->columns;
	return memory_exclusion_fit(mixture, (struct beside){NULL, 0}, weights, values);
}

static double latest_begin(const struct banded_spectrum *bands)
{
	return (double)bands->n / (2 * M_PI * MEMORY_BEGIN_PERIODS);
}

double memory_mixture_likelihood(const struct banded_spectrum *bands)
{
	double weights[COLUMNS_MAX], values[BANDS_MAX];
	struct memory_exclusion_mixture mixture;

	open_mixture(&mixture, bands, latest_begin(bands));
	return fit_mixture(&mixture, weights, values);
}

// The power law from the time begin on, as far above the series as it needs to be one in it.
static void make_law(const struct memory_exclusion_mixture *mixture, double h, double begin,
		     double *law)
{
	const struct banded_spectrum *bands = mixture->bands;
	double turn;

	memset(law, 0, bands->count * sizeof(*law));
	for (double time = begin; time < LAW_BEYOND * (double)bands->n; time *= TIME_STEP)
		(void)add_means(bands, time, pow(time, 2 * h - 2), law);
	turn = law[mixture->turn];
	for (size_t b = 0; b < bands->count; b++)
		law[b] /= turn;
}

// What the mixture or the falling spectrum explains without a power law.
struct plain_fit {
	struct memory_exclusion_mixture mixture;
	double weights[COLUMNS_MAX], values[BANDS_MAX];
	double likelihood, dispersion;
};

// Goes through the power laws that are to be excluded: from the latest begin to Nyquist's
// frequency, of each H.
struct law_walk {
	double begin; // TIME_FIRST: as near to Nyquist's frequency as it goes
	size_t exponent;
	bool over;
};

static struct law_walk first_law(const struct memory_exclusion_mixture *mixture)
{
	return (struct law_walk){.begin = latest_begin(mixture->bands)};
}

static void next_law(struct law_walk *walk)
{
	walk->exponent = (walk->exponent + 1) % EXPONENTS;
	if (walk->exponent > 0)
		return;
	walk->over = walk->begin <= TIME_FIRST;
	walk->begin = fmax(TIME_FIRST, walk->begin / BEGIN_STEP);
}

// The loss of likelihood with this power law of this strength. values gets the best spectrum with
// it.
static double loss_with(const struct plain_fit *plain, const struct law_walk *walk, double strength,
			double *values)
{
	double own[COLUMNS_MAX], law[BANDS_MAX];

	for (size_t c = 0; c < plain->mixture.columns; c++)
		own[c] = plain->weights[c] + WEIGHT_BEGIN;
	make_law(&plain->mixture, exponents[walk->exponent], walk->begin, law);
	return plain->likelihood -
	       memory_exclusion_fit(&plain->mixture, (struct beside){law, strength}, own, values);
}

// The least loss; the first below enough.
static double find_loss(const struct plain_fit *plain, double strength, double enough)
{
	double least = INFINITY, values[BANDS_MAX];

	for (struct law_walk walk = first_law(&plain->mixture); !walk.over && least >= enough;
	     next_law(&walk))
		least = fmin(least, loss_with(plain, &walk, strength, values));
	return least;
}

static void fit_plain(struct plain_fit *plain, const struct banded_spectrum *bands,
		      const double *falling)
{
	size_t used = 0;

	open_mixture(&plain->mixture, bands, 4 * (double)bands->n);
	plain->likelihood = fit_mixture(&plain->mixture, plain->weights, plain->values);
	for (size_t c = 0; c < plain->mixture.columns; c++)
		used += plain->weights[c] > 1e-3;
	if (falling && spectral_likelihood(bands, falling) > plain->likelihood + FALLING_NEEDED) {
		memcpy(plain->values, falling, bands->count * sizeof(*falling));
		plain->likelihood = spectral_likelihood(bands, falling);
		used = 2;
	}
	plain->dispersion = fmax(1, spectral_dispersion(bands, plain->values, used));
}

// The probability of MEMORY_EXCLUDED where the spectrum is this one, for the power law that is
// hardest to exclude: an ordinate of mean f is exponential, so that with the spectrum g the loss
// has the mean of the sum of log(g / f) + f / g - 1 and the variance of that of (f / g - 1)^2.
static double memory_exclusion_power_of(const struct plain_fit *truth, double dispersion)
{
	const struct banded_spectrum *bands = truth->mixture.bands;
	double least = INFINITY, values[BANDS_MAX];

	for (struct law_walk walk = first_law(&truth->mixture); !walk.over; next_law(&walk)) {
		const double loss = loss_with(truth, &walk, 1, values) / dispersion;
		double variance = 1e-9;

		for (size_t b = 0; b < bands->count; b++)
			variance += bands->ordinates[b] * pow(truth->values[b] / values[b] - 1, 2) /
				    dispersion;
		least = fmin(least, (loss - MEMORY_EXCLUDED) / sqrt(variance));
	}
	return gsl_cdf_ugaussian_P(least);
}

// The spectrum of plain in a series times as long: at its frequencies, white above those that were
// seen.
static bool lengthen(const struct plain_fit *plain, double times, struct banded_spectrum *bands)
{
	const struct banded_spectrum *own = plain->mixture.bands;
	double last = 0;

	for (size_t b = 0; b < own->count; b++)
		last += own->ordinates[b];
	if (!banded_spectrum_lay(bands, (double)own->n * times, last * times))
		return false;
	for (size_t b = 0, from = 0; b < bands->count; b++) {
		while (from + 1 < own->count && own->frequency[from + 1] < bands->frequency[b])
			from++;
		bands->power[b] = plain->values[from];
	}
	return true;
}

// The power, and the length for what is wanted. truth: room.
static void find_power(const struct plain_fit *plain, struct plain_fit *truth, double wanted,
		       struct memory_exclusion *out)
{
	struct banded_spectrum longer = *plain->mixture.bands;

	memcpy(longer.power, plain->values, sizeof(longer.power));
	for (out->longer = 1; out->longer <= LONGEST; out->longer *= 2) {
		double power;

		if (out->longer > 1 && !lengthen(plain, out->longer, &longer))
			break;
		open_mixture(&truth->mixture, &longer, 4 * (double)longer.n);
		(void)fit_mixture(&truth->mixture, truth->weights, truth->values);
		memcpy(truth->values, longer.power, sizeof(truth->values));
		truth->likelihood = spectral_likelihood(&longer, longer.power);
		power = memory_exclusion_power_of(truth, plain->dispersion);
		if (out->longer == 1)
			out->power = power;
		if (power >= wanted)
			return;
	}
	out->longer = INFINITY;
}

static double find_share(const struct plain_fit *plain)
{
	const double enough = MEMORY_EXCLUDED * plain->dispersion;
	double excluded = 1;

	for (size_t i = 0; i < STRENGTHS && find_loss(plain, strengths[i], enough) >= enough; i++)
		excluded = strengths[i];
	return excluded / (1 + excluded);
}

enum tr_status memory_exclusion_find(const struct banded_spectrum *bands, const double *falling,
				     double power_wanted, bool power_always,
				     struct memory_exclusion *out, struct tr_error *err)
{
	struct plain_fit *plain = malloc(2 * sizeof(*plain));

	*out = (struct memory_exclusion){.loss = NAN, .share = NAN, .power = NAN, .longer = NAN};
	if (!plain)
		return tr_no_memory(err, "a mixture of %zu bands", bands->count);
	fit_plain(plain, bands, falling);
	out->dispersion = plain->dispersion;
	if (plain->dispersion <= 1 + DISPERSION_ERRORS / sqrt((double)bands->count))
		out->loss = find_loss(plain, 1, MEMORY_EXCLUDED * plain->dispersion) /
			    plain->dispersion;
	if (out->loss >= MEMORY_EXCLUDED || (power_always && !isnan(out->loss)))
		find_power(plain, plain + 1, power_wanted, out);
	if (out->loss >= MEMORY_EXCLUDED && out->power >= power_wanted)
		out->share = find_share(plain);
	free(plain);
	return TR_OK;
}
