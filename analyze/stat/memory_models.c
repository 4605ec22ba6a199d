// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes: AR(1), Box and Jenkins; counts of a rate with exponential correlation are an ARMA(1, 1) whose moving
// average is within 0 and 2 - sqrt 3 (the mean of a process over a bin), which both models share; fractional Gaussian
// noise, Sinai 1976, and fractionally integrated noise, Granger and Joyeux 1980.
#include "stat/memory_models.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "stat/banded_spectrum.h"
#include "stat/fgn_spectrum.h"

#define PARAMETERS 6
#define LOG_SMALL (-14.0)
#define LOG_LARGE 14.0
#define TURN_MAX 0.2679491924311227 // 2 - sqrt 3
#define TIMES 8
#define SCREEN_STEPS 30
#define CLIMBS 3
#define NEEDED 3.0
#define FALL_MAX 0.99 // of .5 - H
#define FALLS 33
#define EXCLUSION_LONGEST 1048576.0
#define HIDDEN_PERIOD 16 // the power law's share is set at the frequency with this many periods in the series

// Indices of the parameters: logs of the levels and times, the moving average, and H.
enum { WHITE, LEVEL, TIME, TURN, LEVEL_2, TIME_2, LAW = LEVEL_2, HURST = TIME_2 };

enum law { FGN, FARIMA, LAWS };

// The power law at the bands that a shape is for, computed again only if h changes: most of a spectrum's derivatives keep it.
struct law_values {
	double h, at[BANDS_MAX]; // h 0: none yet
};

struct shape {
	enum law law;
	double reference, hidden_h; // frequency where the power law is 1; H of the power law added to short, 0: none
	struct law_values *values;
};

// One relaxation, for any frequency.
struct relaxation {
	double level; // of the numerator
	double q_squared, twice_p;
	double moving, moving_slope; // of the moving average, over the cosine
};

static struct relaxation relaxation_of(double log_level, double log_time, double turn)
{
	const double rate = exp(-log_time), p = exp(-rate), q = -expm1(-rate), whole = (1 + turn) * (1 + turn);

	return (struct relaxation){exp(log_level) * q * (1 + p), q * q, 2 * p, (1 + turn * turn) / whole, 2 * turn / whole};
}

static double relaxation_at(const struct relaxation *r, double cosine)
{
	return r->level * (r->moving + r->moving_slope * cosine) / (r->q_squared + r->twice_p * (1 - cosine));
}

static void power_law(enum law law, double h, double reference, const struct banded_spectrum *bands, double *out)
{
	struct fgn_spectrum fgn;
	double at;

	if (law == FARIMA) {
		for (size_t b = 0; b < bands->count; b++)
			out[b] = exp((0.5 - h) * log((1 - bands->cosine[b]) / (1 - cos(reference))));
		return;
	}
	fgn_spectrum_make(&fgn, h);
	at = (1 - cos(reference)) * fgn_spectrum_tail(&fgn, reference, log(reference));
	for (size_t b = 0; b < bands->count; b++)
		out[b] = (1 - bands->cosine[b]) * fgn_spectrum_tail(&fgn, bands->frequency[b], bands->logarithm[b]) / at;
}

static const double *law_of(const struct shape *shape, double h, const struct banded_spectrum *bands)
{
	if (shape->values->h != h)
		power_law(shape->law, h, shape->reference, bands, shape->values->at);
	shape->values->h = h;
	return shape->values->at;
}

static void long_spectrum(const void *context, const double *v, const struct banded_spectrum *bands, double *out)
{
	const struct shape *shape = context;
	const struct relaxation first = relaxation_of(v[LEVEL], v[TIME], v[TURN]);
	const double white = exp(v[WHITE]), level = exp(v[LAW]), *law = law_of(shape, v[HURST], bands);

	for (size_t b = 0; b < bands->count; b++)
		out[b] = white + relaxation_at(&first, bands->cosine[b]) + level * law[b];
}

static void short_spectrum(const void *context, const double *v, const struct banded_spectrum *bands, double *out)
{
	const struct shape *shape = context;
	const struct relaxation first = relaxation_of(v[LEVEL], v[TIME], v[TURN]);
	const struct relaxation second = relaxation_of(v[LEVEL_2], v[TIME_2], v[TURN]);
	const double white = exp(v[WHITE]), turn = cos(shape->reference);
	const double all = white + relaxation_at(&first, turn) + relaxation_at(&second, turn);
	const double *hidden = shape->hidden_h > 0 ? law_of(shape, shape->hidden_h, bands) : NULL;

	for (size_t b = 0; b < bands->count; b++)
		out[b] = white + relaxation_at(&first, bands->cosine[b]) + relaxation_at(&second, bands->cosine[b]) +
			 (hidden ? all * hidden[b] : 0);
}

static void set_bounds(struct banded_model *model, size_t n)
{
	static const int levels[] = {WHITE, LEVEL, LEVEL_2}, times[] = {TIME, TIME_2};

	for (size_t i = 0; i < 3; i++) {
		model->low[levels[i]] = LOG_SMALL;
		model->high[levels[i]] = LOG_LARGE;
	}
	for (size_t i = 0; i < 2; i++) {
		model->low[times[i]] = log(0.3);
		model->high[times[i]] = log(4 * (double)n);
	}
	model->low[TURN] = 0;
	model->high[TURN] = TURN_MAX;
}

static struct banded_model short_model(const struct shape *shape, size_t n)
{
	struct banded_model model = {.parameters = PARAMETERS, .spectrum = short_spectrum, .context = shape};

	set_bounds(&model, n);
	return model;
}

static struct banded_model long_model(const struct shape *shape, size_t n)
{
	struct banded_model model = {.parameters = PARAMETERS, .spectrum = long_spectrum, .context = shape};

	set_bounds(&model, n);
	model.low[HURST] = 0.5;
	model.high[HURST] = 0.999;
	return model;
}

// Levels for three given parts, by steps that each raise the likelihood (Fevotte, Bertin and Durrieu 2009, with the
// exponent that makes it monotone). Returns the log-likelihood.
static double screen(const struct banded_spectrum *bands, double parts[3][BANDS_MAX], double levels[3])
{
	double values[BANDS_MAX];

	for (int i = 0; i < 3; i++) {
		double mean = 0;

		for (size_t b = 0; b < bands->count; b++)
			mean += parts[i][b] / (double)bands->count;
		levels[i] = 1 / mean;
	}
	for (int step = 0; step <= SCREEN_STEPS; step++) {
		for (size_t b = 0; b < bands->count; b++)
			values[b] = levels[0] * parts[0][b] + levels[1] * parts[1][b] + levels[2] * parts[2][b];
		for (int i = 0; i < 3 && step < SCREEN_STEPS; i++) {
			double up = 0, down = 0;

			for (size_t b = 0; b < bands->count; b++) {
				const double weight = bands->ordinates[b] * parts[i][b] / values[b];

				up += weight * bands->power[b] / values[b];
				down += weight;
			}
			levels[i] *= sqrt(up / down);
		}
	}
	return spectral_likelihood(bands, values);
}

struct candidate {
	double likelihood;
	double parameters[PARAMETERS];
};

// Keeps the CLIMBS best, best first.
static void keep(struct candidate best[CLIMBS], const struct candidate *one)
{
	for (int i = 0; i < CLIMBS; i++) {
		if (!(one->likelihood > best[i].likelihood))
			continue;
		memmove(&best[i + 1], &best[i], (size_t)(CLIMBS - 1 - i) * sizeof(*best));
		best[i] = *one;
		return;
	}
}

static double clamp_log(double level)
{
	return fmin(fmax(log(level), LOG_SMALL + 2), LOG_LARGE - 1);
}

static double time_at(const struct banded_spectrum *bands, int i)
{
	return i * log(2 * (double)bands->n) / (TIMES - 1);
}

// Climbs from the best of begin[]; out gets the best result.
static void climb(const struct banded_model *model, const struct banded_spectrum *bands, struct candidate begin[CLIMBS],
		  struct candidate *out)
{
	out->likelihood = -INFINITY;
	for (int i = 0; i < CLIMBS; i++) {
		if (begin[i].likelihood == -INFINITY)
			continue;
		begin[i].likelihood = spectral_climb(model, bands, begin[i].parameters, NULL);
		if (begin[i].likelihood > out->likelihood)
			*out = begin[i];
	}
}

static void fill(const struct banded_spectrum *bands, double log_time, double *part)
{
	const struct relaxation own = relaxation_of(0, log_time, 0);

	for (size_t b = 0; b < bands->count; b++)
		part[b] = log_time < 0 ? 1 : relaxation_at(&own, bands->cosine[b]);
}

// Tries parts with these times, or a power law's H, at their best levels.
static void try_parts(const struct banded_spectrum *bands, double parts[3][BANDS_MAX], double log_time, double last,
		      struct candidate best[CLIMBS])
{
	double levels[3];
	struct candidate one = {.likelihood = screen(bands, parts, levels)};

	one.parameters[WHITE] = clamp_log(levels[0]);
	one.parameters[LEVEL] = clamp_log(levels[1]);
	one.parameters[TIME] = log_time;
	one.parameters[TURN] = 0.05;
	one.parameters[LEVEL_2] = clamp_log(levels[2]); // or that of the law
	one.parameters[TIME_2] = last;
	keep(best, &one);
}

static void fit_short(const struct banded_spectrum *bands, struct candidate *out)
{
	const struct shape shape = {0};
	const struct banded_model model = short_model(&shape, bands->n);
	struct candidate best[CLIMBS] = {{-INFINITY}, {-INFINITY}, {-INFINITY}};
	double parts[3][BANDS_MAX];

	fill(bands, -1, parts[0]);
	for (int i = 0; i < TIMES; i++)
		for (int j = i + 1; j < TIMES; j++) {
			fill(bands, time_at(bands, i), parts[1]);
			fill(bands, time_at(bands, j), parts[2]);
			try_parts(bands, parts, time_at(bands, i), time_at(bands, j), best);
		}
	climb(&model, bands, best, out);
}

// The best fit with one relaxation; the model keeps the second one at 0.
static void fit_one(const struct banded_spectrum *bands, const struct banded_model *model, struct candidate *out)
{
	for (int i = 0; i < TIMES; i++) {
		struct candidate one = {.parameters = {[TIME] = time_at(bands, i), [TURN] = 0.05, [LEVEL_2] = LOG_SMALL}};

		one.likelihood = spectral_climb(model, bands, one.parameters, NULL);
		if (one.likelihood > out->likelihood)
			*out = one;
	}
}

static void fit_long(const struct shape *shape, const struct banded_spectrum *bands, struct candidate *out)
{
	static const double begins[] = {0.6, 0.75, 0.9};
	const struct banded_model model = long_model(shape, bands->n);
	struct candidate best[CLIMBS] = {{-INFINITY}, {-INFINITY}, {-INFINITY}};
	double parts[3][BANDS_MAX];

	fill(bands, -1, parts[0]);
	for (int i = 0; i < TIMES; i++)
		for (size_t j = 0; j < sizeof(begins) / sizeof(*begins); j++) {
			fill(bands, time_at(bands, i), parts[1]);
			power_law(shape->law, begins[j], shape->reference, bands, parts[2]);
			try_parts(bands, parts, time_at(bands, i), begins[j], best);
		}
	climb(&model, bands, best, out);
}

static struct shape hidden_shape(const struct banded_spectrum *bands, double h, struct law_values *values)
{
	return (struct shape){FGN, 2 * M_PI * HIDDEN_PERIOD / (double)bands->n, h, values};
}

// The largest likelihood of short plus a power law, starting from short's best fit.
static double fit_hidden(const struct banded_spectrum *bands, const struct candidate *begin)
{
	static const double exponents[] = {0.6, 0.7, 0.8, 0.9};
	double best = -INFINITY;

	for (size_t i = 0; i < sizeof(exponents) / sizeof(*exponents); i++) {
		struct law_values values = {0};
		const struct shape shape = hidden_shape(bands, exponents[i], &values);
		const struct banded_model model = short_model(&shape, bands->n);
		struct candidate one = *begin;

		best = fmax(best, spectral_climb(&model, bands, one.parameters, NULL));
	}
	return best;
}

struct fall {
	double h, level;
};

static void fall_spectrum(const struct fall *fall, const struct banded_spectrum *bands, double *out)
{
	power_law(FARIMA, fall->h, M_PI / 2, bands, out);
	for (size_t b = 0; b < bands->count; b++)
		out[b] *= fall->level;
}

// The largest likelihood of a spectrum that only falls towards low frequencies.
static double fit_falling(const struct banded_spectrum *bands, struct fall *out)
{
	double best = -INFINITY, ordinates = 0, tried[BANDS_MAX];

	for (size_t b = 0; b < bands->count; b++)
		ordinates += bands->ordinates[b];
	for (int step = 1; step <= FALLS; step++) {
		struct fall fall = {0.5 - FALL_MAX * step / FALLS, 1};
		double level = 0, likelihood;

		fall_spectrum(&fall, bands, tried);
		for (size_t b = 0; b < bands->count; b++)
			level += bands->ordinates[b] * bands->power[b] / tried[b] / ordinates;
		fall.level = level;
		fall_spectrum(&fall, bands, tried);
		likelihood = spectral_likelihood(bands, tried);
		if (likelihood > best) {
			best = likelihood;
			*out = fall;
		}
	}
	return best;
}

// The probability that evidence exceeds MEMORY_EVIDENCE if expected is the true spectrum, and the long model's: fits the
// best short one to the spectrum itself.
static double power_where(const struct banded_spectrum *bands, const double *expected, double dispersion)
{
	struct banded_spectrum truth = *bands;
	struct candidate brief;
	double evidence;

	memcpy(truth.power, expected, sizeof(truth.power));
	fit_short(&truth, &brief);
	evidence = fmax(0, spectral_likelihood(&truth, truth.power) - brief.likelihood) / dispersion;
	return gsl_cdf_ugaussian_Q((MEMORY_EVIDENCE - evidence) / sqrt(2 * evidence + 1e-9));
}

// With H of .8, the power law either as strong as the series allows, or as strong as all else at a sixteenth of it.
static double power_for_memory(const struct banded_spectrum *bands, const struct shape *shape, const double *begin,
			       const double *brief, double dispersion)
{
	struct law_values values = {0};
	const struct shape beside = hidden_shape(bands, 0.8, &values);
	struct banded_model model = long_model(shape, bands->n);
	double expected[BANDS_MAX], v[PARAMETERS], allowed;

	memcpy(v, begin, sizeof(v));
	v[HURST] = model.low[HURST] = model.high[HURST] = 0.8;
	(void)spectral_climb(&model, bands, v, NULL);
	long_spectrum(shape, v, bands, expected);
	allowed = power_where(bands, expected, dispersion);
	short_spectrum(&beside, brief, bands, expected);
	return fmax(allowed, power_where(bands, expected, dispersion));
}

// ---- the power to exclude long memory

// The probability of MEMORY_EXCLUDED in a series of n points that has the spectrum of brief, or of fall unless it is NULL, by the
// frequencies up to last.
static double power_to_exclude(const struct candidate *brief, const struct fall *fall, double dispersion, double n, double last)
{
	struct banded_spectrum truth;
	double loss;

	if (!banded_spectrum_lay(&truth, n, last))
		return 0;
	if (fall)
		fall_spectrum(fall, &truth, truth.power);
	else
		short_spectrum(&(struct shape){0}, brief->parameters, &truth, truth.power);
	loss = (spectral_likelihood(&truth, truth.power) - fit_hidden(&truth, brief)) / dispersion;
	return loss > 0 ? gsl_cdf_ugaussian_P((loss - MEMORY_EXCLUDED) / sqrt(2 * loss)) : 0;
}

void memory_exclusion_find(const struct banded_spectrum *bands, const struct memory_models *fitted, double last,
			   double power_wanted, struct memory_exclusion *out)
{
	const double n = (double)bands->n;
	struct candidate brief;
	struct fall fall;

	fit_short(bands, &brief);
	(void)fit_falling(bands, &fall);
	for (out->longer = 1; out->longer <= EXCLUSION_LONGEST; out->longer *= 2) {
		const double power = power_to_exclude(&brief, fitted->falls ? &fall : NULL, fitted->dispersion, n * out->longer,
						      last * out->longer);

		if (out->longer == 1)
			out->power = power;
		if (power >= power_wanted)
			return;
	}
	out->longer = INFINITY;
}

// Shares of the variance, and where the power law becomes the largest part.
static void describe_long(const struct banded_spectrum *bands, const struct shape *shape, const double *v,
			  struct memory_models *out)
{
	const struct relaxation first = relaxation_of(v[LEVEL], v[TIME], v[TURN]);
	double law[BANDS_MAX], all = 0, noise = 0, laws = 0;

	power_law(shape->law, v[HURST], shape->reference, bands, law);
	out->crossover = NAN;
	for (size_t b = 0; b < bands->count; b++) {
		const double own = exp(v[LAW]) * law[b];
		const double rest = exp(v[WHITE]) + relaxation_at(&first, bands->cosine[b]);

		all += bands->ordinates[b] * (own + rest);
		laws += bands->ordinates[b] * own;
		noise += bands->ordinates[b] * exp(v[WHITE]);
		if (own > rest)
			out->crossover = 2 * M_PI / bands->frequency[b];
	}
	out->noise = noise / all;
	out->law = laws / all;
}

// As few relaxations as the series needs.
static void describe_short(const struct banded_spectrum *bands, const struct candidate *both, struct memory_models *out)
{
	const struct shape shape = {0};
	struct banded_model model = short_model(&shape, bands->n);
	struct candidate one = {.likelihood = -INFINITY}, none = {.parameters = {[LEVEL] = LOG_SMALL, [LEVEL_2] = LOG_SMALL}};
	const double enough = both->likelihood - NEEDED * out->dispersion, *v = both->parameters;

	model.high[LEVEL_2] = LOG_SMALL;
	fit_one(bands, &model, &one);
	out->times[0] = out->times[1] = NAN;
	none.parameters[TIME] = one.parameters[TIME];
	model.high[LEVEL] = LOG_SMALL;
	if (spectral_climb(&model, bands, none.parameters, NULL) >= enough) {
		out->relaxations = 0;
	} else if (one.likelihood >= enough) {
		out->relaxations = 1;
		out->times[0] = exp(one.parameters[TIME]);
	} else {
		out->relaxations = 2;
		out->times[0] = exp(fmin(v[TIME], v[TIME_2]));
		out->times[1] = exp(fmax(v[TIME], v[TIME_2]));
	}
}

void memory_models_fit(const struct banded_spectrum *bands, struct memory_models *out)
{
	struct law_values laws[LAWS] = {{0}};
	struct shape shapes[LAWS];
	struct candidate brief, fitted[LAWS];
	struct banded_model model;
	struct fall fall;
	double values[BANDS_MAX], information[PARAMETERS * PARAMETERS], best, falling;
	enum law law = FGN;

	fit_short(bands, &brief);
	falling = fit_falling(bands, &fall);
	for (enum law i = FGN; i < LAWS; i++) {
		shapes[i] = (struct shape){.law = i, .reference = bands->frequency[bands->count / 3], .values = &laws[i]};
		fit_long(&shapes[i], bands, &fitted[i]);
		if (fitted[i].likelihood > fitted[law].likelihood)
			law = i;
	}
	model = long_model(&shapes[law], bands->n);
	(void)spectral_climb(&model, bands, fitted[law].parameters, information);
	best = fmax(brief.likelihood, fitted[law].likelihood);
	if (falling > best)
		fall_spectrum(&fall, bands, values);
	else if (fitted[law].likelihood == best)
		long_spectrum(&shapes[law], fitted[law].parameters, bands, values);
	else
		short_spectrum(&(struct shape){0}, brief.parameters, bands, values);
	out->dispersion = fmax(1, spectral_dispersion(bands, values, PARAMETERS));
	out->falls = (falling - best) / out->dispersion >= NEEDED;
	out->evidence = (fitted[law].likelihood - brief.likelihood) / out->dispersion;
	out->hidden = ((out->falls ? falling : brief.likelihood) - fit_hidden(bands, &brief)) / out->dispersion;
	out->h = fitted[law].parameters[HURST];
	out->h_se = sqrt(out->dispersion * spectral_last_variance(&model, fitted[law].parameters, information));
	out->power = power_for_memory(bands, &shapes[law], fitted[law].parameters, brief.parameters, out->dispersion);
	describe_long(bands, &shapes[law], fitted[law].parameters, out);
	describe_short(bands, &brief, out);
}
