// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of periodic senders (periodic.h). Bursts are told from the gaps between them, their
// begins are numbered by periods, and period and phase are those of the straight line through them
// by least squares; what is left is the jitter. If that wanders, the gaps vary by themselves, as in
// a renewal process, and there is no period.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/families/family.h"
#include "gen/families/periodic/periodic.h"
#include "gen/fit/streams_fit.h"
#include "stat/intervals/ranks.h"

#define PERIODS_LEAST 10u
#define BURST_RATIO 3.0	  // of the shortest gap between bursts to the longest within
#define WITHIN_LEAST 0.45 // share of the gaps that are within bursts, if there are bursts
#define JITTER_MOST 0.25  // of a period
#define MISSING_MOST 0.02 // of the periods
#define WHOLE 0.9	  // share of the bursts that have the usual number of packets
#define WANDERS \
	1.0 // of von Neumann's ratio (Ann. Math. Stat. 12 (1941) 367-395), 2 for jitter that is
	    // independent
#define ROUNDING 0.5	// ticks: a smaller jitter is the clock's
#define SHOWN 5e-5	// of a period: a narrower interval has ends that look alike
#define DIGITS_OFF 5e-7 // of a period: six digits
#define ALIKE 5.0	// standard errors within which senders have one period and phase

// What one source shows, in ticks.
struct periodic_fit_line {
	double period, phase, jitter;
	double gap, gap_sd; // within bursts
	double period_error, phase_error;
	double periods; // with a burst
	uint64_t packets;
};

// The longest gap within bursts: the one before the largest jump of the sorted gaps in their upper
// part; 0 if all are alike.
static double gap_within(const double *rising, size_t count)
{
	double ratio = BURST_RATIO, within = 0;

	for (size_t i = (size_t)(WITHIN_LEAST * (double)count); i + 1 < count; i++)
		if (rising[i + 1] > ratio * fmax(rising[i], 1)) {
			ratio = rising[i + 1] / fmax(rising[i], 1);
			within = fmax(rising[i], 1);
		}
	return within;
}

// The begins of the bursts, relative to the sample's; the first is left out unless its begin was
// seen. Counts the bursts of the same number of packets as the second, and the sum of the gaps
// within.
static size_t take_begins(const struct arrival_times *times, double within, double *begins,
			  struct periodic_fit_line *line, double *whole)
{
	size_t count = 0, here = 0, inside = 0;
	double gaps = 0, squares = 0;

	*whole = 0;
	line->packets = 0;
	for (size_t i = 0; i <= times->count; i++) {
		const double gap = i == 0 || i == times->count
					   ? INFINITY
					   : (double)(times->ticks[i] - times->ticks[i - 1]);

		if (gap <= within) {
			here++;
			inside++;
			gaps += gap;
			squares += gap * gap;
			continue;
		}
		if (count == 2)
			line->packets = here;
		*whole += count > 1 && here == line->packets;
		here = 1;
		if (i < times->count)
			begins[count++] = (double)(times->ticks[i] - times->begin_ticks);
	}
	line->gap = inside ? gaps / (double)inside : 0;
	line->gap_sd = inside ? sqrt(fmax(squares / (double)inside - line->gap * line->gap, 0)) : 0;
	return count;
}

// The mean of the gaps within a half of the median: others have a period without packets.
static double periodic_fit_usual_gap(const double *begins, size_t count, double *room)
{
	double sum = 0, usual = 0, median;

	for (size_t i = 1; i < count; i++)
		room[i - 1] = begins[i] - begins[i - 1];
	rising_sort(room, count - 1);
	median = room[(count - 1) / 2];
	for (size_t i = 0; i + 1 < count; i++)
		if (room[i] > 0.5 * median && room[i] < 1.5 * median) {
			sum += room[i];
			usual++;
		}
	return usual > 0 ? sum / usual : median;
}

// The line through the begins, numbered by the line so far; number has room for them.
static void fit_period_line(const double *begins, size_t count, double *number,
			    struct periodic_fit_line *line)
{
	double middle = 0, mean = 0, squares = 0, product = 0, left = 0;
	const double n = (double)count;

	for (size_t i = 0; i < count; i++) {
		number[i] = round((begins[i] - line->phase) / line->period);
		middle += number[i] / n;
		mean += begins[i] / n;
	}
	for (size_t i = 0; i < count; i++) {
		squares += (number[i] - middle) * (number[i] - middle);
		product += (number[i] - middle) * (begins[i] - mean);
	}
	line->period = product / squares;
	line->phase = mean - line->period * middle;
	for (size_t i = 0; i < count; i++) {
		const double rest = begins[i] - line->phase - line->period * number[i];

		left += rest * rest;
	}
	line->jitter = sqrt(left / (n - 2));
	line->period_error = hypot(line->jitter, ROUNDING) / sqrt(squares);
	line->phase_error = hypot(line->jitter, ROUNDING) * 2 / sqrt(n);
}

// Von Neumann's ratio of what the line leaves.
static double wandering(const double *begins, size_t count, const double *number,
			const struct periodic_fit_line *line)
{
	double steps = 0, left = 0, last = 0;

	for (size_t i = 0; i < count; i++) {
		const double rest = begins[i] - line->phase - line->period * number[i];

		steps += i > 0 ? (rest - last) * (rest - last) : 0;
		left += rest * rest;
		last = rest;
	}
	return steps / left;
}

static enum tr_status judge_line(const double *begins, size_t count, const double *number,
				 double whole, struct periodic_fit_line *line, struct tr_error *err)
{
	const double numbers = number[count - 1] - number[0] + 1;

	if (whole < WHOLE * (double)(count - 1))
		return tr_fail(err, "the bursts have different numbers of packets");
	if (!(line->jitter < JITTER_MOST * line->period) || numbers < (double)count)
		return tr_fail(err, "no period: the begins are off by a quarter of it");
	if (numbers - (double)count > MISSING_MOST * numbers)
		return tr_fail(err, "no period: of %.0f periods %.0f have no packet", numbers,
			       numbers - (double)count);
	if (line->jitter > ROUNDING && wandering(begins, count, number, line) < WANDERS)
		return tr_fail(err,
			       "no period: what is left of it adds up, as in a renewal process");
	line->jitter = line->jitter > ROUNDING ? line->jitter : 0;
	line->periods = (double)count;
	line->phase = fmod(line->phase, line->period);
	line->phase += line->phase < -ROUNDING ? line->period : 0;
	line->phase = fmax(line->phase, 0);
	return TR_OK;
}

// TR_ERROR: not periodic, too short, or without memory.
static enum tr_status find_period_line(const struct arrival_times *times,
				       struct periodic_fit_line *line, struct tr_error *err)
{
	double *begins = calloc(2 * times->count + 2, sizeof(*begins)),
	       *room = begins + times->count + 1, whole;
	enum tr_status status;
	size_t count;

	if (!begins)
		return tr_no_memory(err, "%zu packets", times->count);
	for (size_t i = 1; i < times->count; i++)
		room[i - 1] = (double)(times->ticks[i] - times->ticks[i - 1]);
	if (times->count > 1)
		rising_sort(room, times->count - 1);
	*line = (struct periodic_fit_line){.period = 0};
	count = take_begins(times, times->count > 1 ? gap_within(room, times->count - 1) : 0,
			    begins, line, &whole);
	if (count < PERIODS_LEAST) {
		free(begins);
		return tr_fail(err, "%zu periods are too few: %u are needed", count, PERIODS_LEAST);
	}
	// The usual gap is near the period; a few periods tell it closer, all of them closely.
	line->period = fmax(periodic_fit_usual_gap(begins, count, room), 1);
	line->phase = begins[0];
	for (size_t some = PERIODS_LEAST; some < count; some += some / 4)
		fit_period_line(begins, some, room, line);
	fit_period_line(begins, count, room, line);
	fit_period_line(begins, count, room, line);
	status = judge_line(begins, count, room, whole, line, err);
	free(begins);
	return status;
}

static bool periods_alike(const struct periodic_fit_line *a, const struct periodic_fit_line *b)
{
	const double shift = fabs(a->phase - b->phase),
		     round = fmin(shift, fabs(a->period - shift));

	return a->packets == b->packets &&
	       fabs(a->period - b->period) <= ALIKE * hypot(a->period_error, b->period_error) &&
	       round <= ALIKE * hypot(a->phase_error, b->phase_error);
}

// The one line of all realisations: the mean, weighted by their periods.
static enum tr_status join_period_lines(const struct arrival_sample *sample,
					struct periodic_fit_line *out, struct tr_error *err)
{
	struct periodic_fit_line line;

	*out = (struct periodic_fit_line){.periods = 0};
	for (size_t i = 0; i < sample->count; i++) {
		const double all = out->periods;
		double share;

		if (sample->each[i].bin_ticks)
			return tr_fail(err, "counts do not show periods");
		if (find_period_line(&sample->each[i], &line, err) != TR_OK)
			return TR_ERROR;
		if (i == 0) {
			*out = line;
			continue;
		}
		if (!periods_alike(out, &line))
			return tr_fail(err, "the senders differ in period or phase: --by node or "
					    "pair keeps these");
		share = line.periods / (all + line.periods);
		out->period += share * (line.period - out->period);
		out->jitter = sqrt(out->jitter * out->jitter * (1 - share) +
				   line.jitter * line.jitter * share);
		out->gap += share * (line.gap - out->gap);
		out->period_error *= sqrt(1 - share);
		out->periods += line.periods;
	}
	return out->periods > 0 ? TR_OK : tr_fail(err, "the trace has no packet");
}

static enum tr_status periodic_fit(void *parameters, const struct arrival_sample *sample,
				   struct arrival_notes *notes, struct tr_error *err)
{
	struct periodic *periodic = parameters;
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + sample->level / 2),
		     ticks_per_s = sample->ticks_per_s;
	struct periodic_fit_line line;
	double half;

	if (join_period_lines(sample, &line, err) != TR_OK)
		return TR_ERROR;
	*periodic = (struct periodic){
		.period_s = line.period / ticks_per_s,
		.jitter_s = line.jitter / ticks_per_s,
		.packets = line.packets,
		.gap_s = line.gap / ticks_per_s,
		.phase_s = model_settle(MODEL_TIME, fmin(line.phase, line.period) / ticks_per_s,
					6)};
	if (!(periodic->phase_s < model_settle(MODEL_TIME, periodic->period_s, 6)))
		periodic->phase_s = 0;
	half = z * line.period_error;
	if (half > SHOWN * line.period)
		(void)model_interval(MODEL_TIME, (line.period - half) / ticks_per_s,
				     (line.period + half) / ticks_per_s, sample->level,
				     notes->field[0]);
	if (line.jitter > 0) {
		const double low = sqrt(line.periods /
					gsl_cdf_chisq_Pinv(0.5 + sample->level / 2, line.periods));
		const double high = sqrt(line.periods /
					 gsl_cdf_chisq_Pinv(0.5 - sample->level / 2, line.periods));

		(void)model_interval(MODEL_TIME, periodic->jitter_s * low,
				     periodic->jitter_s * high, sample->level, notes->field[1]);
	}
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by least squares of the begins of %.0f periods", line.periods);
	return TR_OK;
}

static double log_normal(double count, double squares, double sd)
{
	return -count * log(sd * sqrt(2 * M_PI)) - squares / (2 * sd * sd);
}

// Of the begins about a line of the model's period, whose phase is the sample's, and of the gaps
// within bursts, as they are in the sample. A text's period has six digits.
static enum tr_status periodic_log_likelihood(const void *parameters,
					      const struct arrival_sample *sample, double *out,
					      struct tr_error *err)
{
	const struct periodic *periodic = parameters;
	const double period = periodic->period_s * sample->ticks_per_s,
		     jitter = periodic->jitter_s * sample->ticks_per_s;

	*out = 0;
	for (size_t i = 0; i < sample->count; i++) {
		struct tr_error why = {""};
		struct periodic_fit_line line;

		if (find_period_line(&sample->each[i], &line, &why) != TR_OK) {
			*err = why;
			*out = -INFINITY;
			return why.breakdown ? TR_ERROR : TR_OK;
		}
		const double n = line.periods, spread = n / sqrt(12),
			     drift = (line.period - period) * spread;
		const double sd = hypot(hypot(jitter, ROUNDING), DIGITS_OFF * period * spread);

		*out += log_normal(n, n * (line.jitter * line.jitter + drift * drift), sd);
		if (line.packets > 1)
			*out += log_normal((double)sample->each[i].count - n, 0,
					   hypot(line.gap_sd, ROUNDING));
		if (line.packets != periodic->packets)
			*out = -INFINITY;
	}
	return TR_OK;
}

static unsigned periodic_freedom(const void *parameters)
{
	const struct periodic *periodic = parameters;

	return 2u + (periodic->jitter_s > 0) + 2u * (periodic->packets > 1);
}

const struct arrival_fit periodic_arrival_fit = {
	.fit = periodic_fit,
	.log_likelihood = periodic_log_likelihood,
	.freedom = periodic_freedom,
};

// ---- The family: where senders of one group differ each has its own section; where each sends to
// one node each pair has, so that the destinations are kept as well.

static bool have_one_destination(const struct packet_sample *sample)
{
	uint32_t *to = malloc((size_t)sample->people.count * sizeof(*to));
	bool one = to != NULL;

	for (uint32_t n = 0; to && n < sample->people.count; n++)
		to[n] = UINT32_MAX;
	for (size_t i = 0; one && i < sample->count; i++) {
		const uint32_t from = sample->src[i], at = sample->dst[i];

		if (from >= sample->people.count || at >= sample->people.count ||
		    sample->people.number[at] == UINT32_MAX)
			one = false;
		else if (to[from] == UINT32_MAX)
			to[from] = at;
		else
			one = to[from] == at;
	}
	free(to);
	return one;
}

static enum tr_status fit_periodic(const struct family *family, const struct packet_sample *sample,
				   const struct fit_options *options, struct model *text,
				   struct fit_notes *notes, struct tr_error *err)
{
	const bool groups = options->by == FIT_BY_ROLE || options->by == FIT_BY_ALL ||
			    options->by == FIT_BY_CLASS;
	const bool one = groups && have_one_destination(sample);
	struct fit_options finer = *options;
	struct tr_error why;

	if (!groups)
		return streams_fit.fit(family, sample, options, text, notes, err);
	if (!one && streams_fit.fit(family, sample, options, text, notes, &why) == TR_OK)
		return TR_OK;
	finer.by = one ? FIT_BY_PAIR : FIT_BY_NODE;
	notes->names_nodes = true;
	return streams_fit.fit(family, sample, &finer, text, notes, err);
}

// With the sections of the text.
static enum tr_status family_log_likelihood(const struct family *family, const struct model *text,
					    const struct packet_sample *sample,
					    const struct fit_options *options, double *out,
					    struct tr_error *err)
{
	struct fit_options as = *options;
	struct streams_model model;

	if (streams_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	if (model.count > 0 && model.sections[0].who == STREAMS_PAIR)
		as.by = FIT_BY_PAIR;
	if (model.count > 0 && model.sections[0].who == STREAMS_NODE)
		as.by = FIT_BY_NODE;
	streams_model_clear(&model);
	return streams_fit.log_likelihood(family, text, sample, &as, out, err);
}

const struct family_fit periodic_family_fit = {
	.by = FIT_BY_ANY,
	.fit = fit_periodic,
	.log_likelihood = family_log_likelihood,
};
