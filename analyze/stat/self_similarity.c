// SPDX-License-Identifier: GPL-3.0-or-later
// The decision rule. tests/golden/verdict-table.tsv has its error rates.
//   yes          the long spectrum of memory_models is e^2 times as likely as the short one, its H lies above .5 and below .99
//                with twice its standard error to spare below, and that of the noisy local Whittle likelihood, which is the
//                one given, below .99 and with its interval above .5
//   no           not that, and a power law as strong as all else at a sixteenth of the series is e^3.5 times less likely
//                than the short spectrum, or than a power that falls towards low frequencies where that is likelier;
//                and it would be that in 8 of 10 such series that have the short spectrum, judged by no more frequencies than the
//                series has events
//   not decided  else
// of as many low frequencies as one of these spectra describes.
#include "stat/self_similarity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/banded_spectrum.h"
#include "stat/local_whittle_noise.h"
#include "stat/periods.h"

#define H_MAX 0.99 // a power law at the bound is a wandering level
#define SCALE_SHARE 8
#define DISPERSION_MAX 2.0 // more shows that the feet of lines remain; then only frequencies below the lines are used
#define BELOW_LINES 0.7
#define BESIDE_LINES 0.5

// The part of a spectrum that is judged: the frequencies 1 to last without the marked ones.
struct look {
	const struct spectrum *spectrum;
	const bool *skip;
	size_t last;
	double events; // that make up the series
	struct banded_spectrum bands;
};

static const struct self_similarity not_decided =
	{.answer = VERDICT_UNKNOWN, .h = NAN, .lo = NAN, .hi = NAN, .scale_min = NAN, .scale_max = NAN, .power = NAN};

const char *self_similarity_word(enum verdict answer)
{
	return answer == VERDICT_UNKNOWN ? "not decided" : verdict_word(answer);
}

double self_similarity_log_odds(const struct self_similarity *verdict)
{
	if (isnan(verdict->power))
		return NAN;
	return verdict->answer == VERDICT_NO ? verdict->models.hidden : verdict->models.evidence;
}

static void say(struct self_similarity *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct self_similarity *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(out->sentence, sizeof(out->sentence), format, arguments);
	va_end(arguments);
}

// The components of the short spectrum, in words.
static void name_short(const struct memory_models *models, size_t n, char *text, size_t size)
{
	const double first = models->times[0], second = models->times[1], wandering = (double)n / 2;

	if (models->falls)
		(void)snprintf(text, size, "the power falls towards low frequencies");
	else if (models->relaxations == 0)
		(void)snprintf(text, size, "independent counts explain the spectrum");
	else if (first > wandering)
		(void)snprintf(text, size, "a level shift or a trend explains the spectrum");
	else if (models->relaxations == 1)
		(void)snprintf(text, size, "short memory of %.3g bins explains the spectrum", first);
	else if (second > wandering)
		(void)snprintf(text, size, "short memory of %.3g bins with a level shift or a trend explains the spectrum",
			       first);
	else
		(void)snprintf(text, size, "short memory of %.3g and %.3g bins explains the spectrum", first, second);
}

// The highest frequency well below the first line of each period; all if there are none.
static size_t below_all_lines(const struct periods *periods, size_t all)
{
	double last = (double)all;

	for (size_t i = 0; i < periods->count; i++)
		last = fmin(last, BELOW_LINES * periods->found[i].comb.frequency);
	return (size_t)last;
}

// Whether a power law extends to the lowest frequencies: law then has its H and the interval. work: SPECTRAL_FIT_WORKSPACE.
static bool is_lasting(const struct memory_models *models, const struct look *look, double level, double *work,
		       struct spectral_fit *law)
{
	return models->evidence >= MEMORY_EVIDENCE && models->h < H_MAX && models->h - 2 * models->h_se > 0.5 &&
	       local_whittle_noise_fit(look->spectrum, look->last, look->skip, level, work, law) && law->lo > 0 &&
	       0.5 + law->theta[0] < H_MAX;
}

// Whether long memory is excluded, by a series that could exclude it.
static bool is_excluded(const struct self_similarity *out, const struct look *look, struct memory_exclusion *exclusion)
{
	if (out->models.hidden < MEMORY_EXCLUDED)
		return false;
	memory_exclusion_find(&look->bands, &out->models, fmin((double)look->last, look->events), SELF_SIMILARITY_POWER_MIN,
			      exclusion);
	return exclusion->power >= SELF_SIMILARITY_POWER_MIN;
}

static void say_too_short(struct self_similarity *out, const struct look *look, const struct memory_exclusion *exclusion)
{
	const double n = (double)look->spectrum->n;
	char needed[80] = "no length would do";

	if (isfinite(exclusion->longer))
		(void)snprintf(needed, sizeof(needed), "about %.0f bins of such traffic are needed", n * exclusion->longer);
	say(out,
	    "too few data to exclude long memory (%.0f bins%s): only %.0f in 100 such series without it would be told no; %s",
	    n, look->events < n / 2 ? ", most of them empty" : "", 100 * exclusion->power, needed);
}

static void decide(struct self_similarity *out, const struct look *look, double level, double *work)
{
	const struct memory_models *models = &out->models;
	struct memory_exclusion exclusion;
	struct spectral_fit law;
	const double shortest = (double)look->spectrum->n / (double)look->last;
	char why[SELF_SIMILARITY_SENTENCE / 2], from[64] = "";

	out->power = models->power;
	if (look->last < look->spectrum->count)
		(void)snprintf(from, sizeof(from), "at periods above %.3g bins, ", shortest);
	if (is_lasting(models, look, level, work, &law)) {
		out->answer = VERDICT_YES;
		out->h = 0.5 + law.theta[0];
		out->lo = 0.5 + law.lo;
		out->hi = fmin(1, 0.5 + law.hi);
		out->scale_min = fmax(models->crossover, shortest);
		out->scale_max = (double)look->spectrum->n / SCALE_SHARE;
		say(out, "the spectrum is a power law at periods above %.3g bins; short memory is %s times less likely",
		    out->scale_min, verdict_odds(models->evidence).text);
	} else if (is_excluded(out, look, &exclusion)) {
		out->answer = VERDICT_NO;
		out->power = exclusion.power;
		name_short(models, look->spectrum->n, why, sizeof(why));
		say(out, "%s%s; long memory as strong as everything else at 1/16 of the series is %s times less likely", from,
		    why, verdict_odds(models->hidden).text);
	} else if (models->hidden >= MEMORY_EXCLUDED) {
		say_too_short(out, look, &exclusion);
	} else if (models->dispersion > DISPERSION_MAX) {
		say(out, "neither short nor long memory describes the spectrum (dispersion %.1f)", models->dispersion);
	} else {
		say(out,
		    "%sshort and long memory explain the spectrum equally well (odds of long memory: %s to 1); with H = .8, %.0f in 100 such series would be decided",
		    from, verdict_odds(models->evidence).text, 100 * out->power);
	}
}

// Finds the periods if unknown, and marks their lines.
static enum tr_status mark_periods(const double *x, const struct spectrum *spectrum, const struct periods *periods,
				   double level, double *work, struct self_similarity *out, bool *skip, struct tr_error *err)
{
	if (periods)
		out->periods = *periods;
	else if (periods_find(x, spectrum, level, work, &out->periods, err) != TR_OK)
		return TR_ERROR;
	return seasonal_mark(x, spectrum, &out->periods, work, skip, err);
}

// A period that multiplies a rate copies the power law to both sides of its line, as far as the law is high against its own value
// there: over a part of the line's frequency, whatever the length of the series. H is taken without that part.
static void mark_beside_lines(const struct periods *periods, size_t all, bool *skip)
{
	for (size_t i = 0; i < periods->count; i++) {
		const double line = periods->found[i].comb.frequency;
		const double last = fmin((double)all, (1 + BESIDE_LINES) * line);

		for (size_t j = (size_t)ceil((1 - BESIDE_LINES) * line); (double)j <= last; j++)
			skip[j] = true;
	}
}

// Fits both models to as wide a band of low frequencies as one of them describes: all of them but the lines, those below all
// lines, and halves of that. Of all of them also where they exclude long memory, or where no band is described. False where
// too few are left between the lines.
static bool fit_described(struct look *look, struct self_similarity *out)
{
	const size_t all = look->spectrum->count;
	struct memory_models models;
	struct banded_spectrum bands;
	size_t last = below_all_lines(&out->periods, all);

	look->last = all;
	if (!banded_spectrum_make(&bands, look->spectrum, 1, all, look->skip))
		return false;
	memory_models_fit(&bands, &out->models);
	look->bands = bands;
	if (last == all)
		last /= 2;
	models = out->models;
	if (models.hidden >= MEMORY_EXCLUDED)
		return true;
	for (; models.dispersion > DISPERSION_MAX && banded_spectrum_make(&bands, look->spectrum, 1, last, NULL); last /= 2) {
		memory_models_fit(&bands, &models);
		if (models.dispersion <= DISPERSION_MAX) {
			out->models = models;
			look->bands = bands;
			look->last = last;
			look->skip = NULL;
		}
	}
	return true;
}

// How many equal events would vary as much: packets, where bins are so narrow that they hold one or none; the bins, where all
// hold about the same. All of x if it is no series of counts.
static double count_events(const double *x, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		if (x[i] < 0)
			return (double)n;
		sum += x[i];
		squares += x[i] * x[i];
	}
	return squares > 0 ? sum * sum / squares : 0;
}

enum tr_status self_similarity_judge(const double *x, const struct spectrum *spectrum, const struct periods *periods,
				     double level, struct self_similarity *out, struct tr_error *err)
{
	const size_t n = spectrum->n, found = periods_workspace(n), marked = seasonal_workspace(n);
	const size_t most = found > marked ? found : marked;
	double *work = malloc((most > SPECTRAL_FIT_WORKSPACE ? most : SPECTRAL_FIT_WORKSPACE) * sizeof(*work));
	bool *skip = malloc((spectrum->count + 1) * sizeof(*skip));
	struct look look = {.spectrum = spectrum, .skip = skip, .events = count_events(x, n)};
	enum tr_status status = TR_OK;

	*out = not_decided;
	if (!work || !skip)
		status = tr_no_memory(err, "a search for periods of %zu points", n);
	else if (mark_periods(x, spectrum, periods, level, work, out, skip, err) != TR_OK)
		status = TR_ERROR;
	else if (fit_described(&look, out)) {
		mark_beside_lines(&out->periods, spectrum->count, skip);
		decide(out, &look, level, work);
	} else
		say(out, "too little of the spectrum remains between the lines of periods");
	free(work);
	free(skip);
	return status;
}

enum tr_status self_similarity_judge_series(const double *x, size_t n, const struct periods *periods, double level,
					    struct self_similarity *out, struct tr_error *err)
{
	struct spectrum *spectrum;
	enum tr_status status;

	*out = not_decided;
	if (n < SELF_SIMILARITY_POINTS_MIN) {
		say(out, "%zu bins are too few; at least %d are needed", n, SELF_SIMILARITY_POINTS_MIN);
		return TR_OK;
	}
	if (series_is_constant(x, n)) {
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
