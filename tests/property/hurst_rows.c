// SPDX-License-Identifier: GPL-3.0-or-later
#include "hurst_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fgn.h"
#include "stat/estimation.h"
#include "stat/poisson_draw.h"

const size_t hurst_lengths[HURST_LENGTHS] = {10000, 1 << 16, 1 << 20};

const char *const hurst_model_names[HURST_MODELS] = {
	"fgn .5", "fgn .6", "fgn .7", "fgn .8", "fgn .9", "farima d .3", "ar1 .5", "ar1 .9", "mmpp", "shift"};
const double hurst_model_truth[HURST_MODELS] = {.5, .6, .7, .8, .9, .8, .5, .5, .5, .5};

#define ESTIMATORS_MAX 64

enum family { FGN, FARIMA, AR1, MMPP, SHIFT };

static const struct {
	enum family family;
	double parameter;
} models[HURST_MODELS] = {{FGN, .5}, {FGN, .6}, {FGN, .7}, {FGN, .8}, {FGN, .9},
			  {FARIMA, .3}, {AR1, .5}, {AR1, .9}, {MMPP, 0}, {SHIFT, 0}};

// Beran 1994, equation 2.45, with variance 1.
static double farima_covariance(double d, double k)
{
	return exp(lgamma(k + d) - lgamma(k + 1 - d) + lgamma(1 - d) - lgamma(d));
}

static double ar1_covariance(double phi, double k)
{
	return pow(phi, k);
}

// Counts of Poisson traffic whose rate is 2 or 20 a bin, for 50 bins on average.
static void draw_mmpp(struct tr_random *random, double *x, size_t n)
{
	static const double rates[] = {2, 20};
	int state = 0;

	for (size_t i = 0; i < n; i++) {
		state ^= tr_random_unit(random) < 0.02;
		poisson_draw(rates[state], random, &x[i], 1);
	}
}

static struct fgn *open_noise(size_t model, size_t n)
{
	switch (models[model].family) {
	case FGN: return fgn_open(n, models[model].parameter);
	case FARIMA: return fgn_open_by(n, farima_covariance, models[model].parameter);
	case AR1: return fgn_open_by(n, ar1_covariance, models[model].parameter);
	default: return fgn_open(n, 0.5);
	}
}

static void draw(size_t model, struct fgn *noise, struct tr_random *random, double *x, size_t n)
{
	if (models[model].family == MMPP) {
		draw_mmpp(random, x, n);
		return;
	}
	fgn_draw(noise, random, x);
	// One standard deviation, in the middle.
	for (size_t i = n / 2; i < n && models[model].family == SHIFT; i++)
		x[i] += 1;
}

struct sums {
	double n, sum, squares, errors, intervals, held;
};

static void add(struct sums *sums, const struct estimate *estimate, double truth)
{
	const double h = isnan(estimate->h_corrected) ? estimate->h : estimate->h_corrected;

	sums->n++;
	sums->sum += h;
	sums->squares += h * h;
	sums->errors += (h - truth) * (h - truth);
	sums->intervals += isfinite(estimate->lo);
	sums->held += estimate->lo <= truth && truth <= estimate->hi;
}

static struct hurst_row row_of(const struct estimator *estimator, const struct sums *sums)
{
	const double mean = sums->sum / sums->n;

	return (struct hurst_row){
		.estimator = estimator,
		.series = (int)sums->n,
		.mean = mean,
		.sd = sqrt(fmax(0, sums->squares / sums->n - mean * mean) * sums->n / (sums->n - 1)),
		.rmse = sqrt(sums->errors / sums->n),
		.held = sums->intervals > 0 ? sums->held / sums->intervals : NAN,
	};
}

static double *room_of(size_t n)
{
	double *room = malloc(n * sizeof *room);

	if (!room)
		abort();
	return room;
}

void hurst_each(size_t model, size_t length, int count,
		void (*tell)(void *context, const struct estimate *estimates), void *context)
{
	static struct estimate estimates[ESTIMATORS_MAX];
	static struct estimation estimations[ESTIMATORS_MAX];
	const struct estimate_options options = {.level = 0.95};
	const size_t n = hurst_lengths[length];
	size_t used = 0;
	struct fgn *noise = open_noise(model, n);
	double *x = room_of(n);
	struct tr_random random;

	for (; estimators[used]; used++)
		estimations[used].estimator = estimators[used];
	for (int r = 0; r < count; r++) {
		char name[80];

		(void)snprintf(name, sizeof name, "%s/%zu/%d", hurst_model_names[model], n, r);
		tr_random_open(&random, 1, name);
		draw(model, noise, &random, x, n);
		if (estimations_make(x, n, &options, estimations, used, NULL, NULL, NULL) != TR_OK)
			abort();
		for (size_t e = 0; e < used; e++)
			if (estimations[e].made)
				estimates[e] = estimations[e].estimate;
			else
				estimate_clear(&estimates[e]);
		tell(context, estimates);
	}
	fgn_close(noise);
	free(x);
}

struct tally {
	struct sums sums[ESTIMATORS_MAX];
	double truth;
};

static void take(void *context, const struct estimate *estimates)
{
	struct tally *tally = context;

	for (size_t e = 0; estimators[e]; e++)
		if (!isnan(estimates[e].h))
			add(&tally->sums[e], &estimates[e], tally->truth);
}

size_t hurst_rows(size_t model, size_t length, int count, struct hurst_row *rows)
{
	struct tally tally = {.truth = hurst_model_truth[model]};
	size_t made = 0;

	hurst_each(model, length, count, take, &tally);
	for (size_t e = 0; estimators[e]; e++)
		rows[made++] = row_of(estimators[e], &tally.sums[e]);
	return made;
}
