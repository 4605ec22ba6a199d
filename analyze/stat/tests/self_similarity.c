// SPDX-License-Identifier: GPL-3.0-or-later
// The decision rule. tests/golden/verdict-table.tsv has its error rates.
//   yes          at some width of the band of low frequencies the long spectrum of memory_models is
//                e^2 times as likely as the short one and no less than e^.5 times as the ladder,
//                its H lies two standard errors above .5 and 2.25 below 1, relaxations within the
//                scales are not too much more likely, there and in each wider band that is
//                described, and the H of the noisy local Whittle likelihood where the power law
//                dominates, which is the one given, lies below .99 and its interval above .5
//   no           not that, and any power law as strong as all else at a sixteenth of the series is
//                e^3.5 times less likely than none, see memory_exclusion.h; and it would be that in
//                8 of 10 such series without one, judged by no more frequencies than the series has
//                events
//   not decided  else
#include "stat/tests/self_similarity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat/hurst/local_whittle_noise.h"
#include "stat/spectra/banded_spectrum.h"
#include "stat/spectra/periods.h"

#define H_MAX 0.99 // a power law at the bound is a wandering level
#define SCALE_SHARE 8
#define DISPERSION_MAX \
	2.0 // more shows that the feet of lines remain, or a shape that none of the models has
#define BELOW_LINES 0.7
#define BESIDE_LINES 0.5
#define WIDTH_STEP 4
#define WIDTH_MIN 200		    // frequencies
#define AS_LIKELY 2.995732273553991 // logarithm of the odds: 20 to 1
#define MOVING_NEEDED 1.0
#define BELOW_ONE 2.25 // standard errors
#define DESCRIBED 4.0  // a spectrum: dispersion less 1, times the root of the bands

// The part of a spectrum that is judged: the frequencies 1 to last without the marked ones.
struct look {
	const struct spectrum *spectrum;
	const bool *skip;
	size_t last;
	struct banded_spectrum bands;
};

static const struct self_similarity not_decided = {.answer = VERDICT_UNKNOWN,
						   .h = NAN,
						   .lo = NAN,
						   .hi = NAN,
						   .scale_min = NAN,
						   .scale_max = NAN,
						   .power = NAN};

const char *self_similarity_word(enum verdict answer)
{
	return answer == VERDICT_UNKNOWN ? "not decided" : verdict_word(answer);
}

double self_similarity_log_odds(const struct self_similarity *verdict)
{
	if (isnan(verdict->power))
		return NAN;
	return verdict->answer == VERDICT_NO ? verdict->exclusion.loss : verdict->models.evidence;
}

static void self_similarity_say(struct self_similarity *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void self_similarity_say(struct self_similarity *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(out->sentence, sizeof(out->sentence), format, arguments);
	va_end(arguments);
}

// The time constants in words: "2.1, 20 and 200". Leaves out, from the longest on, those of a level
// shift or a trend in n points. Returns how many are named.
static size_t name_times(const struct memory_models *models, size_t n, char *text, size_t size)
{
	size_t count = models->relaxations, used = 0;

	while (count > 0 && models->times[count - 1] > (double)n / 2)
		count--;
	text[0] = '\0';
	for (size_t i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used,
					 i == 0		  ? "%.3g"
					 : i + 1 == count ? " and %.3g"
							  : ", %.3g",
					 models->times[i]);
	return count;
}

// The components of the spectrum of memory that fades, in words.
static void name_short(const struct memory_models *models, size_t n, char *text, size_t size)
{
	char times[64];
	const size_t count = name_times(models, n, times, sizeof(times));

	if (models->falls)
		(void)snprintf(text, size, "the power falls towards low frequencies");
	else if (models->relaxations == 0)
		(void)snprintf(text, size, "independent counts explain the spectrum");
	else if (count == 0)
		(void)snprintf(text, size, "a level shift or a trend explains the spectrum");
	else
		(void)snprintf(text, size, "short memory of %s bins%s explains the spectrum", times,
			       count < models->relaxations ? " with a level shift or a trend" : "");
}

// The highest frequency well below the first line of each period; all if there are none.
static size_t below_all_lines(const struct periods *periods, size_t all)
{
	double last = (double)all;

	for (size_t i = 0; i < periods->count; i++)
		last = fmin(last, BELOW_LINES * periods->found[i].comb.frequency);
	return (size_t)last;
}

// Looks at the frequencies up to last. False where too few are left.
static bool look_at(struct look *look, size_t last, const bool *skip)
{
	look->last = last;
	look->skip = skip;
	return banded_spectrum_make(&look->bands, look->spectrum, 1, last, skip);
}

// ---- yes

static bool looks_lasting(const struct memory_models *models)
{
	return models->dispersion <= DISPERSION_MAX && models->evidence >= MEMORY_EVIDENCE &&
	       models->h < H_MAX && models->h - 2 * models->h_se > 0.5;
}

// Whether relaxations with free weights are more likely than a power law by more than these weights
// explain.
static bool is_mixed(const struct memory_models *models, size_t n)
{
	return models->mixture < -sqrt((double)n) / MEMORY_MIXTURE_SHARE;
}

// Time constants that are spread evenly over the scales make a power law of H 1 between them.
static bool is_below_one(const struct memory_models *models)
{
	return models->h + BELOW_ONE * models->h_se < 1;
}

// Fits the power law between two frequencies, without those beside a line. marks: of the spectrum's
// count.
static bool fit_law_alone(const struct look *look, double first, double end, const bool *beside,
			  bool moves, double level, bool *marks, double *work,
			  struct spectral_fit *law)
{
	const double step = 2 * M_PI / (double)look->spectrum->n;
	size_t last = look->last;

	if (isnan(first))
		return false;
	if ((double)last * step > end)
		last = (size_t)(end / step * (1 + 1e-9));
	for (size_t j = 1; j <= last; j++)
		marks[j] = beside[j] || (look->skip && look->skip[j]) ||
			   (double)j * step < first * (1 - 1e-9);
	return (moves ? local_whittle_moving_fit
		      : local_whittle_noise_fit)(look->spectrum, last, marks, level, work, law);
}

// Whether a power law extends to the lowest frequencies: law then has its H and the interval. It is
// that of the frequencies at which it is alone, unless a moving level beside it makes more of them
// e times as likely. work: SPECTRAL_FIT_WORKSPACE.
static bool is_lasting(const struct memory_models *models, const struct look *look,
		       const bool *beside, double level, bool *marks, double *work,
		       struct spectral_fit *law, bool *moves)
{
	const double first = models->moving_first, last = models->moving_last;
	struct spectral_fit still;

	if (!looks_lasting(models) || models->ladder < MEMORY_LADDER || !is_below_one(models) ||
	    !fit_law_alone(look, first, last, beside, true, level, marks, work, law) ||
	    !fit_law_alone(look, first, last, beside, false, level, marks, work, &still))
		return false;
	*moves = still.misfit - law->misfit >= MOVING_NEEDED;
	if (!*moves && first == models->law_first && last == models->law_last)
		*law = still;
	else if (!*moves && !fit_law_alone(look, models->law_first, models->law_last, beside, false,
					   level, marks, work, law))
		return false;
	return law->lo > 0 && 0.5 + law->theta[0] < H_MAX;
}

static void say_yes(struct self_similarity *out, const struct look *look,
		    const struct spectral_fit *law, bool moves)
{
	const struct memory_models *models = &out->models;
	char times[64], beyond[VERDICT_SENTENCE] = "";

	if (models->ladder < AS_LIKELY &&
	    name_times(models, look->spectrum->n, times, sizeof(times)) > 0)
		(void)snprintf(beyond, sizeof(beyond),
			       "; time constants of %s bins explain it as well (odds of long "
			       "memory: %s to 1), and of periods above %.0f bins nothing is known",
			       times, verdict_odds(models->ladder).text,
			       (double)look->spectrum->n / SCALE_SHARE);
	out->answer = VERDICT_YES;
	out->h = 0.5 + law->theta[0];
	out->lo = 0.5 + law->lo;
	out->hi = fmin(1, 0.5 + law->hi);
	out->power = memory_models_power(&look->bands, models);
	out->scale_min = fmax(models->crossover, (double)look->spectrum->n / (double)look->last);
	out->scale_max = (double)look->spectrum->n / SCALE_SHARE;
	self_similarity_say(out,
			    "the spectrum is a power law at periods above %.3g bins%s; short "
			    "memory is %s times less likely%s",
			    out->scale_min,
			    moves ? ", beside a level that shifts or drifts, which is left out of H"
				  : "",
			    verdict_odds(models->evidence).text, beyond);
}

// Fits the models at each width, all frequencies but the lines, those below all lines, and
// quarters, until one says yes. Else keeps the first that one of the models describes, or the
// first. False where too little is left between the lines.
static bool judge_widths(struct look *look, const bool *lines, const bool *beside, double level,
			 bool *marks, double *work, struct self_similarity *out)
{
	const size_t all = look->spectrum->count, below = below_all_lines(&out->periods, all);
	bool kept = false, described = false, mixed = false;
	struct look first = *look;

	for (size_t last = all; last == all || last >= WIDTH_MIN;
	     last = last > below ? below : last / WIDTH_STEP) {
		struct memory_models models;
		struct spectral_fit law;
		bool moves;

		if (!look_at(look, last, last > below ? lines : NULL))
			continue;
		memory_models_fit(&look->bands, &models);
		if (!kept || (!described && models.dispersion <= DISPERSION_MAX)) {
			out->models = models;
			first = *look;
		}
		kept = true;
		described = described || models.dispersion <= DISPERSION_MAX;
		if (!mixed && !is_mixed(&models, look->spectrum->n) &&
		    is_lasting(&models, look, beside, level, marks, work, &law, &moves)) {
			out->models = models;
			say_yes(out, look, &law, moves);
			return true;
		}
		mixed = mixed ||
			(is_mixed(&models, look->spectrum->n) &&
			 models.dispersion <= 1 + DESCRIBED / sqrt((double)look->bands.count));
	}
	*look = first;
	return kept;
}

// ---- no

// What long memory the widest band of low frequencies that a mixture describes leaves room for;
// NaNs where none is described.
static enum tr_status find_room(const struct look *judged, const bool *lines,
				const struct periods *periods, double events, bool is_independent,
				struct memory_exclusion *out, struct tr_error *err)
{
	const size_t below = below_all_lines(periods, judged->spectrum->count);
	struct look look = *judged;
	double falling[BANDS_MAX];

	*out = (struct memory_exclusion){.loss = NAN, .power = NAN};
	for (size_t last = (size_t)fmin((double)look.spectrum->count, events);
	     last > 0 && isnan(out->loss); last = last > below ? below : last / 2) {
		if (!look_at(&look, last, last > below ? lines : NULL))
			continue;
		(void)memory_falling_fit(&look.bands, falling);
		if (memory_exclusion_find(&look.bands, falling, SELF_SIMILARITY_POWER_MIN,
					  is_independent, out, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static void say_no(struct self_similarity *out, size_t n)
{
	char why[VERDICT_SENTENCE / 2];

	out->answer = VERDICT_NO;
	out->power = out->exclusion.power;
	name_short(&out->models, n, why, sizeof(why));
	self_similarity_say(out,
			    "%s; long memory carries at most %.0f %% of the power at periods of "
			    "%.0f bins (as strong as all else, it is %s times less likely)",
			    why, 100 * out->exclusion.share, (double)n / MEMORY_SHARE_PERIODS,
			    verdict_odds(out->exclusion.loss).text);
}

static void say_too_short(struct self_similarity *out, size_t n, double events)
{
	char needed[80] = "no length suffices";

	if (isfinite(out->exclusion.longer))
		(void)snprintf(needed, sizeof(needed), "about %.0f bins of such traffic are needed",
			       (double)n * out->exclusion.longer);
	self_similarity_say(out,
			    "too few data to exclude long memory (%zu bins%s): only %.0f in 100 "
			    "such series without it would be told no; %s",
			    n, events < (double)n / 2 ? ", most of them empty" : "",
			    100 * out->exclusion.power, needed);
}

// ---- not decided

// Where the law does not last, why, and over which scales there is one.
static void say_scales(struct self_similarity *out, const struct look *look)
{
	const struct memory_models *models = &out->models;
	const double n = (double)look->spectrum->n, odds = fmin(models->ladder, models->mixture);
	char times[64], law[120];

	(void)snprintf(law, sizeof(law),
		       "it looks self-similar (H %.2f) at periods of %.3g to %.0f bins", models->h,
		       fmax(models->crossover, 2), n / SCALE_SHARE);
	if (models->ladder < MEMORY_LADDER && models->relaxations > 1 &&
	    name_times(models, look->spectrum->n, times, sizeof(times)) > 0)
		self_similarity_say(out,
				    "%s, but time constants of %s bins explain that %s, and of "
				    "longer periods nothing is known",
				    law, times, models->ladder < -AS_LIKELY ? "better" : "as well");
	else if (models->ladder < MEMORY_LADDER || is_mixed(models, look->spectrum->n))
		self_similarity_say(out,
				    "%s, but time constants within these scales explain that %s, "
				    "and of longer periods nothing is known",
				    law, odds < -AS_LIKELY ? "better" : "as well");
	else
		self_similarity_say(
			out,
			"%s, but its H reaches 1, as that of time constants that are spread evenly "
			"over these scales, and of longer periods nothing is known",
			law);
}

static void say_undecided(struct self_similarity *out, const struct look *look)
{
	const struct memory_models *models = &out->models;
	const size_t n = look->spectrum->n;
	char why[VERDICT_SENTENCE / 2], from[64] = "";

	if (look->last < look->spectrum->count)
		(void)snprintf(from, sizeof(from), "at periods above %.3g bins, ",
			       (double)n / (double)look->last);
	name_short(models, n, why, sizeof(why));
	if (models->dispersion > DISPERSION_MAX)
		self_similarity_say(
			out,
			"neither short nor long memory describes the spectrum (dispersion %.1f)",
			models->dispersion);
	else if (models->evidence > AS_LIKELY)
		self_similarity_say(out,
				    "%slong memory is %s times as likely as short memory, but its "
				    "H (%.2f) is too uncertain to tell",
				    from, verdict_odds(models->evidence).text, models->h);
	else if (models->falls || models->evidence < -AS_LIKELY)
		self_similarity_say(out,
				    "%s%s, but long memory as strong as everything else at periods "
				    "of %.0f bins and more is not excluded beneath it; with H = "
				    ".8, %.0f in 100 such series would be decided",
				    from, why, (double)n / MEMORY_SHARE_PERIODS, 100 * out->power);
	else
		self_similarity_say(
			out,
			"%sshort and long memory explain the spectrum equally well (odds of long "
			"memory: %s to 1); with H = .8, %.0f in 100 such series would be decided",
			from, verdict_odds(models->evidence).text, 100 * out->power);
}

static enum tr_status decide_unless_yes(struct self_similarity *out, const struct look *look,
					const bool *lines, double events, struct tr_error *err)
{
	const struct memory_exclusion *room = &out->exclusion;

	if (find_room(look, lines, &out->periods, events, out->models.relaxations == 0,
		      &out->exclusion, err) != TR_OK)
		return TR_ERROR;
	out->power = memory_models_power(&look->bands, &out->models);
	if (room->loss >= MEMORY_EXCLUDED && room->power >= SELF_SIMILARITY_POWER_MIN)
		say_no(out, look->spectrum->n);
	else if (room->power < SELF_SIMILARITY_POWER_MIN)
		say_too_short(out, look->spectrum->n, events);
	else if (looks_lasting(&out->models) &&
		 (out->models.ladder < MEMORY_LADDER || !is_below_one(&out->models) ||
		  is_mixed(&out->models, look->spectrum->n)))
		say_scales(out, look);
	else
		say_undecided(out, look);
	return TR_OK;
}

// Finds the periods if unknown, and marks their lines.
static enum tr_status mark_periods(const double *x, const struct spectrum *spectrum,
				   const struct periods *periods, double level, double *work,
				   struct self_similarity *out, bool *skip, struct tr_error *err)
{
	if (periods)
		out->periods = *periods;
	else if (periods_find(x, spectrum, level, work, &out->periods, err) != TR_OK)
		return TR_ERROR;
	return seasonal_mark(x, spectrum, &out->periods, work, skip, err);
}

// A period that multiplies a rate copies the power law to both sides of its line, as far as the law
// is high against its own value there: over a part of the line's frequency, whatever the length of
// the series. H is taken without that part.
static void mark_beside_lines(const struct periods *periods, size_t all, bool *skip)
{
	for (size_t i = 0; i < periods->count; i++) {
		const double line = periods->found[i].comb.frequency;
		const double last = fmin((double)all, (1 + BESIDE_LINES) * line);

		for (size_t j = (size_t)ceil((1 - BESIDE_LINES) * line); (double)j <= last; j++)
			skip[j] = true;
	}
}

// How many equal events would vary as much: packets, where bins are so narrow that they hold one or
// none; the bins, where all hold about the same. All of x if it is no series of counts.
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

enum tr_status self_similarity_decide(const double *x, const struct spectrum *spectrum,
				      const struct periods *periods, double level,
				      struct self_similarity *out, struct tr_error *err)
{
	const size_t n = spectrum->n, found = periods_workspace(n), marked = seasonal_workspace(n),
		     count = spectrum->count + 1;
	const size_t most = found > marked ? found : marked;
	double *work = malloc((most > SPECTRAL_FIT_WORKSPACE ? most : SPECTRAL_FIT_WORKSPACE) *
			      sizeof(*work));
	bool *lines = calloc(3 * count, sizeof(*lines)), *beside = lines ? lines + count : NULL;
	struct look look = {.spectrum = spectrum};
	enum tr_status status = TR_OK;

	*out = not_decided;
	if (!work || !lines) {
		status = tr_no_memory(err, "a search for periods of %zu points", n);
	} else if (mark_periods(x, spectrum, periods, level, work, out, lines, err) != TR_OK) {
		status = TR_ERROR;
	} else {
		mark_beside_lines(&out->periods, spectrum->count, beside);
		if (!judge_widths(&look, lines, beside, level, beside + count, work, out))
			self_similarity_say(
				out,
				"too little of the spectrum remains between the lines of periods");
		else if (out->answer != VERDICT_YES)
			status = decide_unless_yes(out, &look, lines, count_events(x, n), err);
	}
	free(work);
	free(lines);
	return status;
}

enum tr_status self_similarity_decide_series(const double *x, size_t n,
					     const struct periods *periods, double level,
					     struct self_similarity *out, struct tr_error *err)
{
	struct spectrum *spectrum;
	enum tr_status status;

	*out = not_decided;
	if (n < SELF_SIMILARITY_POINTS_MIN) {
		self_similarity_say(out, "%zu bins are too few; at least %d are needed", n,
				    SELF_SIMILARITY_POINTS_MIN);
		return TR_OK;
	}
	if (series_is_constant(x, n)) {
		self_similarity_say(out, "the series is constant");
		return TR_OK;
	}
	spectrum = spectrum_open(x, n, 0, err);
	if (!spectrum)
		return TR_ERROR;
	status = self_similarity_decide(x, spectrum, periods, level, out, err);
	spectrum_close(spectrum);
	return status;
}
