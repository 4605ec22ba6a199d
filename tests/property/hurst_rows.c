// SPDX-License-Identifier: GPL-3.0-or-later
#include "hurst_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/hurst/estimation.h"

const size_t hurst_lengths[HURST_LENGTHS] = {10000, 1 << 16, 1 << 20};

#define ESTIMATORS_MAX 64

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
		.sd = sqrt(fmax(0, sums->squares / sums->n - mean * mean) * sums->n /
			   (sums->n - 1)),
		.rmse = sqrt(sums->errors / sums->n),
		.held = sums->intervals > 0 ? sums->held / sums->intervals : NAN,
	};
}

static double *room_of(size_t n)
{
	double *room = malloc(n * sizeof(*room));

	if (!room)
		abort();
	return room;
}

// For the slower estimators, which are robust beyond exact noise, and for models with their own
// noise.
#define FEW_ESTIMATORS 18
#define FEW_SERIES 100

bool hurst_slow(const struct estimator *estimator)
{
	size_t place = 0;

	while (estimators[place] != estimator)
		place++;
	return place >= FEW_ESTIMATORS;
}

int hurst_series(const struct estimator *estimator, size_t model, size_t length)
{
	static const int all[HURST_LENGTHS] = {1000, 200, 24};

	if (hurst_models[model].series > 0)
		return length == 0 ? hurst_models[model].series : 0;
	return !hurst_slow(estimator) ? all[length] : length == 0 ? FEW_SERIES : 0;
}

void hurst_each(size_t model, size_t length, int count, bool slow,
		void (*tell)(void *context, const struct estimate *estimates), void *context)
{
	static struct estimate estimates[ESTIMATORS_MAX];
	static struct estimation estimations[ESTIMATORS_MAX];
	const struct estimate_options options = {.level = 0.95};
	const size_t n = hurst_lengths[length];
	size_t used = 0;
	struct hurst_source *source = hurst_source_open(&hurst_models[model], n);
	double *x = room_of(n);
	struct tr_random random;

	for (int r = 0; r < count; r++) {
		char name[80];

		(void)snprintf(name, sizeof(name), "%s/%zu/%d", hurst_models[model].name, n, r);
		tr_random_open(&random, 1, name);
		hurst_source_draw(source, &random, x);
		used = 0;
		for (size_t e = 0; estimators[e]; e++)
			if ((slow || !hurst_slow(estimators[e])) &&
			    r * hurst_series(estimators[0], model, length) <
				    count * hurst_series(estimators[e], model, length))
				estimations[used++].estimator = estimators[e];
		if (estimations_make(x, n, NULL, &options, estimations, used, NULL, NULL, NULL) !=
		    TR_OK)
			abort();
		for (size_t e = 0, made = 0; estimators[e]; e++) {
			const struct estimation *own = made < used && estimations[made].estimator ==
									       estimators[e]
							       ? &estimations[made++]
							       : NULL;

			if (own && own->made)
				estimates[e] = own->estimate;
			else
				estimate_clear(&estimates[e]);
		}
		tell(context, estimates);
	}
	hurst_source_close(source);
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

size_t hurst_rows(size_t model, size_t length, int count, bool slow, struct hurst_row *rows)
{
	struct tally tally = {.truth = hurst_models[model].truth};
	size_t made = 0;

	hurst_each(model, length, count, slow, take, &tally);
	for (size_t e = 0; estimators[e]; e++)
		rows[made++] = row_of(estimators[e], &tally.sums[e]);
	return made;
}
