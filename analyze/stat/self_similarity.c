// SPDX-License-Identifier: GPL-3.0-or-later
// The rule, all of it. With how many errors it is right stands in tests/golden/verdict-table.tsv.
//   yes          the long spectrum of memory_models is e^2 times as likely as the short one, and its H lies above .5 and
//                below .99 with twice its standard error to spare below
//   no           not that, and a power law as strong as all else at a sixteenth of the series is e^3.5 times less likely
//                than the short spectrum
//   not decided  else
#include "stat/self_similarity.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/banded_spectrum.h"
#include "stat/seasonal.h"

#define H_MAX 0.99 // a power law at the bound is a level that wanders
#define EXCLUDED 3.5
#define SCALE_SHARE 8
#define DISPERSION_MAX 2.0 // lines whose feet stay in show as this; then only what is below them is looked at
#define BELOW_LINES 0.7

static const struct self_similarity not_decided = {.answer = VERDICT_UNKNOWN, .h = NAN, .lo = NAN, .hi = NAN,
						   .scale_min = NAN, .scale_max = NAN, .power = NAN};

const char *self_similarity_word(enum verdict answer)
{
	return answer == VERDICT_UNKNOWN ? "not decided" : verdict_word(answer);
}

static void say(struct self_similarity *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct self_similarity *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(out->sentence, sizeof out->sentence, format, arguments);
	va_end(arguments);
}

// What the short spectrum is made of, in words.
static void name_short(const struct memory_models *models, size_t n, char *text, size_t size)
{
	const double first = models->times[0], second = models->times[1], wandering = (double)n / 2;

	if (models->relaxations == 0)
		(void)snprintf(text, size, "independent counts explain it");
	else if (first > wandering)
		(void)snprintf(text, size, "a shift or trend of the level explains it");
	else if (models->relaxations == 1)
		(void)snprintf(text, size, "memory that fades within %.3g bins explains it", first);
	else if (second > wandering)
		(void)snprintf(text, size, "memory that fades within %.3g bins, and a shift or trend of the level, explain it", first);
	else
		(void)snprintf(text, size, "memory that fades within %.3g and %.3g bins explains it", first, second);
}

static void decide(struct self_similarity *out, size_t n, double level)
{
	const struct memory_models *models = &out->models;
	const double half = gsl_cdf_ugaussian_Pinv(0.5 + level / 2) * models->h_se;
	char why[SELF_SIMILARITY_SENTENCE / 2];

	out->power = models->power;
	if (models->evidence >= MEMORY_EVIDENCE && models->h < H_MAX && models->h - 2 * models->h_se > 0.5) {
		out->answer = VERDICT_YES;
		out->h = models->h;
		out->lo = fmax(0.5, out->h - half);
		out->hi = fmin(1, out->h + half);
		out->scale_min = models->crossover;
		out->scale_max = (double)n / SCALE_SHARE;
		say(out, "the spectrum is a power law at periods above %.3g bins; memory that fades is %s times less likely",
		    models->crossover, verdict_odds(models->evidence).text);
	} else if (models->hidden >= EXCLUDED) {
		out->answer = VERDICT_NO;
		name_short(models, n, why, sizeof why);
		say(out, "%s; long memory as strong as all else at 1/16 of the series is %s times less likely", why,
		    verdict_odds(models->hidden).text);
	} else if (models->dispersion > DISPERSION_MAX) {
		say(out, "neither memory that fades nor memory that lasts describes the spectrum (it is off by %.1f times what chance explains)",
		    models->dispersion);
	} else {
		say(out, "memory that fades and memory that lasts explain the spectrum alike (odds of the latter: %s to 1); were H .8, %.0f in 100 such series would be decided",
		    verdict_odds(models->evidence).text, 100 * out->power);
	}
}

// Finds the periods where they are not known, and the bands without them. *enough: enough of the spectrum is left.
static enum tr_status leave_periods_out(const double *x, const struct spectrum *spectrum, const struct periods *periods,
					double level, struct self_similarity *out, struct banded_spectrum *bands, bool *enough,
					struct tr_error *err)
{
	const size_t n = spectrum->n, found = periods_workspace(n), marked = seasonal_workspace(n);
	double *work = malloc((found > marked ? found : marked) * sizeof *work);
	bool *skip = malloc((spectrum->count + 1) * sizeof *skip);
	enum tr_status status = TR_OK;

	if (periods)
		out->periods = *periods;
	if (!work || !skip)
		status = tr_no_memory(err, "a search for periods of %zu points", n);
	else if ((!periods && periods_find(x, spectrum, level, work, &out->periods, err) != TR_OK) ||
		 seasonal_mark(x, spectrum, &out->periods, work, skip, err) != TR_OK)
		status = TR_ERROR;
	else
		*enough = banded_spectrum_make(bands, spectrum, 1, spectrum->count, skip);
	free(work);
	free(skip);
	return status;
}

// The highest frequency well below the first line of each period.
static size_t below_all_lines(const struct periods *periods)
{
	double first = INFINITY;

	for (size_t i = 0; i < periods->count; i++)
		first = fmin(first, periods->found[i].comb.frequency);
	return (size_t)(BELOW_LINES * first);
}

enum tr_status self_similarity_judge(const double *x, const struct spectrum *spectrum, const struct periods *periods,
				     double level, struct self_similarity *out, struct tr_error *err)
{
	struct banded_spectrum bands;
	bool enough = false;

	*out = not_decided;
	if (leave_periods_out(x, spectrum, periods, level, out, &bands, &enough, err) != TR_OK)
		return TR_ERROR;
	if (!enough) {
		say(out, "too little of the spectrum is left between the lines of its periods");
		return TR_OK;
	}
	memory_models_fit(&bands, &out->models);
	if (out->models.dispersion > DISPERSION_MAX && out->periods.count > 0 &&
	    banded_spectrum_make(&bands, spectrum, 1, below_all_lines(&out->periods), NULL))
		memory_models_fit(&bands, &out->models);
	decide(out, spectrum->n, level);
	return TR_OK;
}

static bool is_constant(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[0])
			return false;
	return true;
}

enum tr_status self_similarity_judge_series(const double *x, size_t n, const struct periods *periods, double level,
					    struct self_similarity *out, struct tr_error *err)
{
	struct spectrum *spectrum;
	enum tr_status status;

	*out = not_decided;
	if (n < SELF_SIMILARITY_POINTS_MIN) {
		say(out, "%zu bins are too few; %d are needed", n, SELF_SIMILARITY_POINTS_MIN);
		return TR_OK;
	}
	if (is_constant(x, n)) {
		say(out, "the series is constant");
		return TR_OK;
	}
	spectrum = spectrum_open(x, n, 0, err);
	if (!spectrum)
		return TR_ERROR;
	status = self_similarity_judge(x, spectrum, periods, level, out, err);
	spectrum_close(spectrum);
	return status;
}
