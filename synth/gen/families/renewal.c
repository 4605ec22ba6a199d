// SPDX-License-Identifier: GPL-3.0-or-later
// The renewal process: independent gaps of any law; the first is a residual one (Cox, Renewal
// theory, 1962: the equilibrium process).
#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/families/family.h"
#include "gen/law.h"

struct renewal {
	double gap_s;	// mean
	struct law law; // of the gap; its mean is gap_s
};

struct renewal_state {
	const struct draw_tables *tables;
	struct law_plan gap;
	bool under_way;
};

static const struct model_field fields[] = {
	{"gap", MODEL_TIME, offsetof(struct renewal, gap_s), true, 1e-12, 1e9, NULL},
	LAW_FIELDS("gap"),
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

static enum tr_status renewal_get(void *parameters, const struct model *model, const char *section,
				  struct tr_error *err)
{
	return law_get(model, section, "gap", LAW_TIMES, &((struct renewal *)parameters)->law, err);
}

static void renewal_put(const void *parameters, struct model *model)
{
	law_put(model, "gap", LAW_TIMES, &((const struct renewal *)parameters)->law,
		LAW_EXPONENTIAL);
}

static void renewal_clear(void *parameters)
{
	law_clear(&((struct renewal *)parameters)->law);
}

static double renewal_rate(const void *parameters)
{
	return 1 / ((const struct renewal *)parameters)->gap_s;
}

static enum tr_status renewal_plan(const struct renewal *renewal, double ticks_per_s,
				   struct law_plan *out, struct tr_error *err)
{
	struct law law = renewal->law;

	law.mean = renewal->gap_s;
	return law_plan_make(out, &law, ticks_per_s, err);
}

// The variance of the gaps over their squared mean (Cox).
static double renewal_dispersion(const void *parameters)
{
	double dispersion = NAN;
	struct law_plan gap;

	if (renewal_plan(parameters, 1, &gap, NULL) == TR_OK)
		dispersion = law_variation(&gap);
	law_plan_clear(&gap);
	return dispersion;
}

// For gaps with a tail of index a in (1, 2): (3 - a)/2 (Daley, The Hurst index of long-range
// dependent renewal processes, Annals of Probability 27, 1999).
static double renewal_hurst(const void *parameters)
{
	const double tail = law_tail(&((const struct renewal *)parameters)->law);

	return tail < 2 ? (3 - tail) / 2 : 0;
}

static void renewal_explain(const void *parameters, FILE *out)
{
	const struct renewal *renewal = parameters;
	char gap[MODEL_NUMBER_BYTES], law[LAW_DESCRIPTION_BYTES];
	const double dispersion = renewal_dispersion(parameters);

	fprintf(out, "Gaps are independent, with mean %s (%s)",
		model_format(MODEL_TIME, renewal->gap_s, gap), law_describe(&renewal->law, law));
	if (isinf(dispersion))
		fprintf(out, "; their variance is infinite");
	else
		fprintf(out, "; variance over squared mean %.4g", dispersion);
	fprintf(out, ".\n");
}

static enum tr_status renewal_start(void *state, const void *parameters,
				    const struct arrival_settings *settings,
				    struct tr_random *random, struct tr_error *err)
{
	struct renewal_state *at = state;

	(void)random;
	at->tables = settings->tables;
	return renewal_plan(parameters, settings->ticks_per_s, &at->gap, err);
}

static double renewal_next(void *state, struct tr_random *random)
{
	struct renewal_state *at = state;

	if (at->under_way)
		return law_draw(&at->gap, at->tables, random);
	at->under_way = true;
	return law_rest(&at->gap, at->tables, random);
}

static void renewal_stop(void *state)
{
	law_plan_clear(&((struct renewal_state *)state)->gap);
}

static enum tr_status renewal_fit(void *parameters, const struct arrival_sample *sample,
				  struct arrival_notes *notes, struct tr_error *err)
{
	const double tick_s = 1 / sample->ticks_per_s;
	struct renewal *renewal = parameters;
	struct law_fit fit;
	size_t count;
	double *gaps = arrival_gaps_of(sample, &count);
	enum tr_status status;
	char law[LAW_DESCRIPTION_BYTES];

	if (!gaps)
		return tr_no_memory(err, "the gaps");
	for (size_t i = 0; i < count; i++)
		gaps[i] = gaps[i] > 0 ? gaps[i] : 0.5; // within one tick
	status = law_fit_choose(gaps, count, sample->level, &fit, err);
	free(gaps);
	if (status != TR_OK)
		return TR_ERROR;
	renewal->law = fit.law;
	renewal->gap_s = fit.law.mean * tick_s;
	for (size_t i = 0; i < renewal->law.bin_count; i++) {
		renewal->law.bins[i].low *= tick_s;
		renewal->law.bins[i].high *= tick_s;
	}
	(void)model_interval(MODEL_TIME, fit.mean_low * tick_s, fit.mean_high * tick_s,
			     sample->level, notes->field[0]);
	(void)model_interval(MODEL_REAL, fit.shape_low, fit.shape_high, sample->level,
			     notes->field[1]);
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by likelihood of %zu gaps; %s by the Bayesian information criterion%s%.80s",
		       count, law_describe(&renewal->law, law),
		       *notes->field[1] ? "; its shape within " : "", notes->field[1]);
	return TR_OK;
}

static double times_likelihood(const struct law_plan *gap, const struct arrival_times *times)
{
	const size_t n = times->count;
	double sum;

	if (n == 0)
		return log(law_excess(gap, (double)(times->end_ticks - times->begin_ticks)) /
			   gap->mean);
	sum = log(gap->kind->survival(gap, (double)(times->ticks[0] - times->begin_ticks)) /
		  gap->mean) +
	      log(gap->kind->survival(gap, (double)(times->end_ticks - times->ticks[n - 1])));
	for (size_t i = 1; i < n; i++) {
		const double length = (double)(times->ticks[i] - times->ticks[i - 1]);

		sum += gap->kind->log_density(gap, length > 0 ? length : 0.5);
	}
	return sum;
}

static enum tr_status renewal_log_likelihood(const void *parameters,
					     const struct arrival_sample *sample, double *out,
					     struct tr_error *err)
{
	struct law_plan gap;

	if (renewal_plan(parameters, sample->ticks_per_s, &gap, err) != TR_OK)
		return TR_ERROR;
	*out = 0;
	for (size_t i = 0; i < sample->count; i++)
		*out += times_likelihood(&gap, &sample->each[i]);
	law_plan_clear(&gap);
	return TR_OK;
}

static unsigned renewal_freedom(const void *parameters)
{
	return law_freedom(&((const struct renewal *)parameters)->law);
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct renewal),
	.get = renewal_get,
	.put = renewal_put,
	.clear = renewal_clear,
	.rate = renewal_rate,
	.dispersion = renewal_dispersion,
	.hurst = renewal_hurst,
	.explain = renewal_explain,
	.state_bytes = sizeof(struct renewal_state),
	.start = renewal_start,
	.next = renewal_next,
	.stop = renewal_stop,
};

static const struct arrival_fit fitting = {
	.fit = renewal_fit,
	.log_likelihood = renewal_log_likelihood,
	.freedom = renewal_freedom,
};

const struct family renewal_family = {
	.name = "renewal",
	.summary = "independent gaps of any distribution",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
