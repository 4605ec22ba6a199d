// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/memory_spectra.h"

#include <math.h>
#include <string.h>

#include "stat/hurst/fgn_spectrum.h"

#define LOG_LOWEST (-14.0)
#define LOG_HIGHEST 14.0
#define TIME_MIN 0.3
#define BEGIN_MIN 0.1
#define TURN_MAX 0.2679491924311227 // 2 - sqrt 3
#define TURN_BEGIN 0.05
#define TIMES 8
#define BEGINS 5
#define PARTS 4
#define SCREEN_STEPS 30
#define CLIMBS 3

struct relaxation relaxation_of(double log_level, double log_time, double turn)
{
	const double rate = exp(-log_time), p = exp(-rate), q = -expm1(-rate),
		     whole = (1 + turn) * (1 + turn);

	return (struct relaxation){exp(log_level) * q * (1 + p), q * q, 2 * p,
				   (1 + turn * turn) / whole, 2 * turn / whole};
}

void memory_law_fill(enum memory_law law, double h, double reference,
		     const struct banded_spectrum *bands, double *out)
{
	struct fgn_spectrum fgn;
	double at;

	if (law == MEMORY_FARIMA) {
		for (size_t b = 0; b < bands->count; b++)
			out[b] = exp((0.5 - h) *
				     log((1 - bands->cosine[b]) / (1 - cos(reference))));
		return;
	}
	fgn_spectrum_make(&fgn, h);
	at = (1 - cos(reference)) * fgn_spectrum_tail(&fgn, reference, log(reference));
	for (size_t b = 0; b < bands->count; b++)
		out[b] = (1 - bands->cosine[b]) *
			 fgn_spectrum_tail(&fgn, bands->frequency[b], bands->logarithm[b]) / at;
}

double memory_law_begun(double log_begin, double h, double cosine)
{
	return exp((h - 1.5) * log1p(2 * (1 - cosine) * exp(2 * log_begin)));
}

static const double *law_of(const struct memory_shape *shape, double h,
			    const struct banded_spectrum *bands)
{
	if (shape->values->h != h)
		memory_law_fill(shape->law, h, shape->reference, bands, shape->values->at);
	shape->values->h = h;
	return shape->values->at;
}

void memory_spectrum_long(const struct memory_shape *shape, const double *v,
			  const struct banded_spectrum *bands, double *out)
{
	const struct relaxation first = relaxation_of(v[MEMORY_LEVEL], v[MEMORY_TIME],
						      v[MEMORY_TURN]);
	const double white = exp(v[MEMORY_WHITE]), level = exp(v[MEMORY_LAW]), h = v[MEMORY_HURST];
	const double *law = law_of(shape, h, bands);

	for (size_t b = 0; b < bands->count; b++)
		out[b] = white + relaxation_at(&first, bands->cosine[b]) +
			 level * law[b] * memory_law_begun(v[MEMORY_BEGIN], h, bands->cosine[b]);
}

// The first count relaxations.
static void fill_short(const double *v, int count, const struct banded_spectrum *bands, double *out)
{
	static const struct {
		enum memory_parameter level, time;
	} places[] = {{MEMORY_LEVEL, MEMORY_TIME},
		      {MEMORY_LEVEL_2, MEMORY_TIME_2},
		      {MEMORY_LEVEL_3, MEMORY_TIME_3}};

	for (size_t b = 0; b < bands->count; b++)
		out[b] = exp(v[MEMORY_WHITE]);
	for (int i = 0; i < count; i++) {
		const struct relaxation own = relaxation_of(v[places[i].level], v[places[i].time],
							    v[MEMORY_TURN]);

		for (size_t b = 0; b < bands->count; b++)
			out[b] += relaxation_at(&own, bands->cosine[b]);
	}
}

void memory_spectrum_short(const struct memory_fit *fit, const struct banded_spectrum *bands,
			   double *out)
{
	fill_short(fit->parameters, fit->relaxations, bands, out);
}

// ---- the models, with bounds

static void bind_part(struct banded_model *model, enum memory_parameter level,
		      enum memory_parameter time)
{
	model->low[level] = LOG_LOWEST;
	model->high[level] = LOG_HIGHEST;
	model->low[time] = log(TIME_MIN);
	model->high[time] = model->high[MEMORY_TIME];
}

static void bind(struct banded_model *model, size_t n)
{
	model->low[MEMORY_WHITE] = LOG_LOWEST;
	model->high[MEMORY_WHITE] = LOG_HIGHEST;
	model->high[MEMORY_TIME] = log(4 * (double)n);
	model->low[MEMORY_TURN] = 0;
	model->high[MEMORY_TURN] = TURN_MAX;
}

static void short_spectrum(const void *context, const double *v,
			   const struct banded_spectrum *bands, double *out)
{
	fill_short(v, *(const int *)context, bands, out);
}

static void long_spectrum(const void *context, const double *v, const struct banded_spectrum *bands,
			  double *out)
{
	memory_spectrum_long(context, v, bands, out);
}

static struct banded_model short_model(const int *relaxations, size_t n)
{
	static const size_t parameters[] = {MEMORY_LEVEL_2, MEMORY_LEVEL_2, MEMORY_LEVEL_3,
					    MEMORY_PARAMETERS};
	struct banded_model model = {.parameters = parameters[*relaxations],
				     .spectrum = short_spectrum,
				     .context = relaxations};

	bind(&model, n);
	bind_part(&model, MEMORY_LEVEL, MEMORY_TIME);
	bind_part(&model, MEMORY_LEVEL_2, MEMORY_TIME_2);
	bind_part(&model, MEMORY_LEVEL_3, MEMORY_TIME_3);
	return model;
}

static double last_begin(size_t n)
{
	return log((double)n / (2 * M_PI * MEMORY_BEGIN_PERIODS));
}

static struct banded_model long_model(const struct memory_shape *shape, size_t n)
{
	struct banded_model model = {
		.parameters = MEMORY_HURST + 1, .spectrum = long_spectrum, .context = shape};

	bind(&model, n);
	bind_part(&model, MEMORY_LEVEL, MEMORY_TIME);
	model.low[MEMORY_LAW] = LOG_LOWEST;
	model.high[MEMORY_LAW] = LOG_HIGHEST;
	model.low[MEMORY_BEGIN] = log(BEGIN_MIN);
	model.high[MEMORY_BEGIN] = last_begin(n);
	model.low[MEMORY_HURST] = 0.5;
	model.high[MEMORY_HURST] = 0.999;
	return model;
}

// ---- fits: levels on a grid of times, and climbs from the best

struct screen {
	const struct banded_spectrum *bands;
	int parts;
	double at[PARTS][BANDS_MAX];
	double levels[PARTS];
	int climbs;
	struct memory_fit best[CLIMBS]; // the best so many, best first
};

// Levels for given parts, by steps that each raise the likelihood (Fevotte, Bertin and Durrieu
// 2009, with the exponent that makes it monotone). Returns the log-likelihood.
static double find_levels(struct screen *screen)
{
	const struct banded_spectrum *bands = screen->bands;
	double values[BANDS_MAX], raise[BANDS_MAX], weigh[BANDS_MAX];

	for (int i = 0; i < screen->parts; i++) {
		double mean = 0;

		for (size_t b = 0; b < bands->count; b++)
			mean += screen->at[i][b] / (double)bands->count;
		screen->levels[i] = 1 / mean;
	}
	for (int step = 0;; step++) {
		memset(values, 0, sizeof(values));
		for (int i = 0; i < screen->parts; i++)
			for (size_t b = 0; b < bands->count; b++)
				values[b] += screen->levels[i] * screen->at[i][b];
		if (step == SCREEN_STEPS)
			break;
		for (size_t b = 0; b < bands->count; b++) {
			weigh[b] = bands->ordinates[b] / values[b];
			raise[b] = weigh[b] * bands->power[b] / values[b];
		}
		for (int i = 0; i < screen->parts; i++)
			screen->levels[i] *= sqrt(
				memory_product(raise, screen->at[i], bands->count) /
				memory_product(weigh, screen->at[i], bands->count));
	}
	return spectral_likelihood(bands, values);
}

// Tries the parts at their best levels; begin has the other parameters.
static void try_parts(struct screen *screen, struct memory_fit begin)
{
	static const enum memory_parameter of_parts[] = {MEMORY_WHITE, MEMORY_LEVEL, MEMORY_LEVEL_2,
							 MEMORY_LEVEL_3};

	begin.likelihood = find_levels(screen);
	begin.parameters[MEMORY_TURN] = TURN_BEGIN;
	for (int i = 0; i < screen->parts; i++)
		begin.parameters[of_parts[i]] = fmin(fmax(log(screen->levels[i]), LOG_LOWEST + 2),
						     LOG_HIGHEST - 1);
	for (int i = 0; i < screen->climbs; i++) {
		if (!(begin.likelihood > screen->best[i].likelihood))
			continue;
		memmove(&screen->best[i + 1], &screen->best[i],
			(size_t)(screen->climbs - 1 - i) * sizeof(begin));
		screen->best[i] = begin;
		return;
	}
}

// Climbs from the best that were tried; out gets the best result.
static void climb(const struct banded_model *model, struct screen *screen, struct memory_fit *out)
{
	out->likelihood = -INFINITY;
	for (int i = 0; i < screen->climbs; i++) {
		struct memory_fit *one = &screen->best[i];

		if (one->likelihood == -INFINITY)
			continue;
		one->likelihood = spectral_climb(model, screen->bands, one->parameters, NULL);
		if (one->likelihood > out->likelihood)
			*out = *one;
	}
}

static double time_at(const struct banded_spectrum *bands, int i)
{
	return i * log(2 * (double)bands->n) / (TIMES - 1);
}

static void fill_relaxation(struct screen *screen, int part, double log_time)
{
	const struct relaxation own = relaxation_of(0, log_time, 0);

	for (size_t b = 0; b < screen->bands->count; b++)
		screen->at[part][b] = relaxation_at(&own, screen->bands->cosine[b]);
}

static void open_screen(struct screen *screen, const struct banded_spectrum *bands, int parts,
			int climbs)
{
	screen->bands = bands;
	screen->parts = parts;
	screen->climbs = climbs;
	for (int i = 0; i < CLIMBS; i++)
		screen->best[i].likelihood = -INFINITY;
	for (size_t b = 0; b < bands->count; b++)
		screen->at[0][b] = 1;
}

// Tries all ascending times of the parts from part on.
static void try_times(struct screen *screen, int part, int first, struct memory_fit *begin)
{
	static const enum memory_parameter of_parts[] = {MEMORY_WHITE, MEMORY_TIME, MEMORY_TIME_2,
							 MEMORY_TIME_3};

	if (part == screen->parts) {
		try_parts(screen, *begin);
		return;
	}
	for (int i = first; i < TIMES; i++) {
		begin->parameters[of_parts[part]] = time_at(screen->bands, i);
		fill_relaxation(screen, part, time_at(screen->bands, i));
		try_times(screen, part + 1, i + 1, begin);
	}
}

void memory_fit_short(const struct banded_spectrum *bands, int relaxations, struct memory_fit *out)
{
	const struct banded_model model = short_model(&relaxations, bands->n);
	struct memory_fit begin = {.relaxations = relaxations};
	struct screen screen;

	open_screen(&screen, bands, 1 + relaxations, CLIMBS);
	try_times(&screen, 1, 0, &begin);
	climb(&model, &screen, out);
}

// Climbs from the best for each time at which the power law may begin: the likelihood has a hill
// for each.
void memory_fit_long(const struct memory_shape *shape, const struct banded_spectrum *bands,
		     struct memory_fit *out)
{
	static const double exponents[] = {0.6, 0.75, 0.9};
	const struct banded_model model = long_model(shape, bands->n);
	const double first = model.low[MEMORY_BEGIN],
		     step = (model.high[MEMORY_BEGIN] - first) / (BEGINS - 1);
	struct screen screen;

	out->likelihood = -INFINITY;
	for (int k = 0; k < BEGINS; k++) {
		struct memory_fit begin = {.parameters = {[MEMORY_BEGIN] = first + k * step}}, own;

		open_screen(&screen, bands, 3, 1);
		for (size_t j = 0; j < sizeof(exponents) / sizeof(*exponents); j++) {
			begin.parameters[MEMORY_HURST] = exponents[j];
			memory_law_fill(shape->law, exponents[j], shape->reference, bands,
					screen.at[2]);
			for (size_t b = 0; b < bands->count; b++)
				screen.at[2][b] *= memory_law_begun(first + k * step, exponents[j],
								    bands->cosine[b]);
			for (int i = 0; i < TIMES; i++) {
				begin.parameters[MEMORY_TIME] = time_at(bands, i);
				fill_relaxation(&screen, 1, time_at(bands, i));
				try_parts(&screen, begin);
			}
		}
		climb(&model, &screen, &own);
		if (own.likelihood > out->likelihood)
			*out = own;
	}
}

void memory_fit_long_of(const struct memory_shape *shape, const struct banded_spectrum *bands,
			double h, struct memory_fit *fit)
{
	struct banded_model model = long_model(shape, bands->n);

	fit->parameters[MEMORY_HURST] = model.low[MEMORY_HURST] = model.high[MEMORY_HURST] = h;
	fit->likelihood = spectral_climb(&model, bands, fit->parameters, NULL);
}

double memory_hurst_error(const struct memory_shape *shape, const struct banded_spectrum *bands,
			  const struct memory_fit *fit)
{
	const struct banded_model model = long_model(shape, bands->n);
	double information[(MEMORY_HURST + 1) * (MEMORY_HURST + 1)], v[MEMORY_PARAMETERS];

	memcpy(v, fit->parameters, sizeof(v));
	(void)spectral_climb(&model, bands, v, information);
	return sqrt(spectral_last_variance(&model, v, information));
}
