// SPDX-License-Identifier: GPL-3.0-or-later
// The batch (compound) Poisson process: batches at exponential gaps, each of a number of packets at
// once (Daley and Vere-Jones, An introduction to the theory of point processes, 2nd ed. 2003).
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/families/family.h"
#include "gen/law.h"
#include "value/order.h"

struct batch_poisson {
	double gap_s;	// mean, between batches
	double batch;	// mean number of packets
	struct law law; // of the batch; its mean is batch
};

struct batch_state {
	const struct draw_tables *tables;
	struct law_count count;
	double gap_ticks;
	uint64_t left; // in the current batch
};

static const struct model_field fields[] = {
	{"gap", MODEL_TIME, offsetof(struct batch_poisson, gap_s), true, 1e-12, 1e9, NULL},
	{"batch", MODEL_REAL, offsetof(struct batch_poisson, batch), true, 1, 1e12, NULL},
	LAW_FIELDS("batch"),
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

static void batch_defaults(void *parameters)
{
	((struct batch_poisson *)parameters)->law.name = LAW_GEOMETRIC;
}

static enum tr_status batch_poisson_plan(const struct batch_poisson *batches, struct law_count *out,
					 struct tr_error *err)
{
	struct law law = batches->law;

	law.mean = batches->batch;
	return law_count_make(out, &law, err);
}

static enum tr_status batch_get(void *parameters, const struct model *model, const char *section,
				struct tr_error *err)
{
	struct batch_poisson *batches = parameters;
	struct tr_error why = {""};
	struct law_count count;

	if (law_get(model, section, "batch", LAW_NUMBERS, &batches->law, err) != TR_OK)
		return TR_ERROR;
	if (batch_poisson_plan(batches, &count, &why) != TR_OK)
		return model_fail_for(model, model_find(model, section, "batch"), err, &why,
				      "batch");
	law_count_clear(&count);
	return TR_OK;
}

static void batch_put(const void *parameters, struct model *model)
{
	law_put(model, "batch", LAW_NUMBERS, &((const struct batch_poisson *)parameters)->law,
		LAW_GEOMETRIC);
}

static void batch_clear(void *parameters)
{
	law_clear(&((struct batch_poisson *)parameters)->law);
}

static double batch_rate(const void *parameters)
{
	const struct batch_poisson *batches = parameters;
	struct law_count count;
	double rate = NAN;

	if (batch_poisson_plan(batches, &count, NULL) == TR_OK)
		rate = count.mean / batches->gap_s;
	law_count_clear(&count);
	return rate;
}

// E B^2 / E B.
static double batch_dispersion(const void *parameters)
{
	struct law_count count;
	double dispersion = NAN;

	if (batch_poisson_plan(parameters, &count, NULL) == TR_OK)
		dispersion = count.mean + law_count_variance(&count) / count.mean;
	law_count_clear(&count);
	return dispersion;
}

static void batch_explain(const void *parameters, FILE *out)
{
	const struct batch_poisson *batches = parameters;
	char gap[MODEL_NUMBER_BYTES], law[LAW_DESCRIPTION_BYTES];

	fprintf(out,
		"Batches come at exponential gaps with mean %s; a batch has %.6g packets on "
		"average (%s).\n",
		model_format(MODEL_TIME, batches->gap_s, gap),
		batch_rate(parameters) * batches->gap_s, law_describe(&batches->law, law));
}

static enum tr_status batch_start(void *state, const void *parameters,
				  const struct arrival_settings *settings, struct tr_random *random,
				  struct tr_error *err)
{
	const struct batch_poisson *batches = parameters;
	struct batch_state *at = state;

	(void)random;
	at->tables = settings->tables;
	at->gap_ticks = batches->gap_s * settings->ticks_per_s;
	return batch_poisson_plan(batches, &at->count, err);
}

static double batch_next(void *state, struct tr_random *random)
{
	struct batch_state *at = state;

	if (at->left > 0) {
		at->left--;
		return 0;
	}
	at->left = law_count_draw(&at->count, at->tables, random) - 1;
	return at->gap_ticks * draw_exponential(at->tables, random);
}

static void batch_stop(void *state)
{
	law_count_clear(&((struct batch_state *)state)->count);
}

// The number of packets of the batch that begins at packet k.
static size_t batch_at(const struct arrival_times *times, size_t k)
{
	size_t end = k + 1;

	while (end < times->count && times->ticks[end] == times->ticks[k])
		end++;
	return end - k;
}

// The sizes of all batches in ascending order, to be freed; NULL if out of memory.
static uint64_t *sizes_of(const struct arrival_sample *sample, size_t *count)
{
	uint64_t *sizes = malloc(((size_t)arrival_total_of(sample).packets + 1) * sizeof(*sizes));

	*count = 0;
	for (size_t i = 0; sizes && i < sample->count; i++)
		for (size_t k = 0; k < sample->each[i].count; k += sizes[*count - 1])
			sizes[(*count)++] = batch_at(&sample->each[i], k);
	if (sizes)
		qsort(sizes, *count, sizeof(*sizes), order_u64);
	return sizes;
}

// A bin for each value that occurs. false if out of memory.
static bool take_bins(const uint64_t *rising, size_t count, struct law *law)
{
	*law = (struct law){.name = LAW_EMPIRICAL, .bins = calloc(count, sizeof(*law->bins))};
	for (size_t i = 0; law->bins && i < count; i++) {
		const double size = (double)rising[i];

		if (law->bin_count == 0 || law->bins[law->bin_count - 1].low != size)
			law->bins[law->bin_count++] = (struct law_bin){size, size, 0};
		law->bins[law->bin_count - 1].count++;
	}
	return law->bins;
}

static unsigned sizes_freedom(const struct law *law)
{
	if (law->name == LAW_EMPIRICAL)
		return law->bin_count > 1 ? (unsigned)law->bin_count - 1 : 1;
	return law_kinds[law->name].shape_max > 0 ? 2 : 1;
}

static double sizes_likelihood(const struct law *law, const uint64_t *rising, size_t count)
{
	struct law_count plan;
	double sum = 0;

	if (law_count_make(&plan, law, NULL) != TR_OK)
		return -INFINITY;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && rising[end] == rising[i];)
			end++;
		sum += (double)(end - i) * law_count_log_probability(&plan, rising[i]);
	}
	law_count_clear(&plan);
	return sum;
}

// Constant, uniform, geometric or empirical, by Schwarz' criterion (law.h).
static bool choose_law(const uint64_t *rising, size_t count, double mean, struct law *out)
{
	struct law candidates[] = {
		{.name = LAW_GEOMETRIC, .mean = mean},
		{.name = LAW_CONSTANT, .mean = mean},
		{.name = LAW_UNIFORM, .mean = ((double)rising[count - 1] + 1) / 2},
		{.name = LAW_EMPIRICAL}};
	const size_t last = sizeof(candidates) / sizeof(*candidates) - 1;
	double best = -INFINITY;

	if (!take_bins(rising, count, &candidates[last]))
		return false;
	*out = candidates[last];
	for (size_t i = 0; i <= last; i++) {
		double score = sizes_likelihood(&candidates[i], rising, count) -
			       0.5 * sizes_freedom(&candidates[i]) * log((double)count);

		if (score > best) {
			best = score;
			*out = candidates[i];
		}
	}
	if (out->name != LAW_EMPIRICAL)
		law_clear(&candidates[last]);
	else
		out->mean = mean;
	return true;
}

static void say_batch(const struct law *law, const uint64_t *rising, size_t count, double level,
		      char *note)
{
	const double n = (double)count, most = (double)rising[count - 1];
	double squares = 0, half;

	if (law->name == LAW_CONSTANT || law->mean == 1) // known exactly
		return;
	if (law->name == LAW_UNIFORM) { // the probability that all are below the largest is known
		(void)model_interval(MODEL_REAL, law->mean, (most * pow(1 - level, -1 / n) + 1) / 2,
				     level, note);
		return;
	}
	for (size_t i = 0; i < count; i++)
		squares += ((double)rising[i] - law->mean) * ((double)rising[i] - law->mean);
	half = gsl_cdf_ugaussian_Pinv(0.5 + level / 2) *
	       sqrt(law->name == LAW_GEOMETRIC ? law->mean * (law->mean - 1) / n : squares / n / n);
	// symmetric in the logarithm of the part beyond 1
	half = law->mean > 1 ? half / (law->mean - 1) : 0;
	(void)model_interval(MODEL_REAL, 1 + (law->mean - 1) * exp(-half),
			     1 + (law->mean - 1) * exp(half), level, note);
}

static enum tr_status batch_fit(void *parameters, const struct arrival_sample *sample,
				struct arrival_notes *notes, struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	struct batch_poisson *batches = parameters;
	size_t count;
	uint64_t *rising = sizes_of(sample, &count);
	double low, high;

	if (!rising || count == 0) {
		free(rising);
		return rising ? tr_fail(err, "the trace has no packet")
			      : tr_no_memory(err, "the batches");
	}
	if (!choose_law(rising, count, total.packets / (double)count, &batches->law)) {
		free(rising);
		return tr_no_memory(err, "the sizes of batches");
	}
	batches->batch = batches->law.mean;
	batches->gap_s = total.ticks / (double)count / sample->ticks_per_s;
	arrival_poisson_interval((double)count, total.ticks / sample->ticks_per_s, sample->level,
				 &low, &high);
	(void)model_interval(MODEL_TIME, low, high, sample->level, notes->field[0]);
	say_batch(&batches->law, rising, count, sample->level, notes->field[1]);
	(void)snprintf(notes->method, sizeof(notes->method),
		       "by likelihood; %zu batches of packets with the same tick, their sizes %s "
		       "by the Bayesian information criterion",
		       count, law_kinds[batches->law.name].word);
	free(rising);
	return TR_OK;
}

static enum tr_status batch_log_likelihood(const void *parameters,
					   const struct arrival_sample *sample, double *out,
					   struct tr_error *err)
{
	const struct batch_poisson *batches = parameters;
	const double gap_ticks = batches->gap_s * sample->ticks_per_s;
	struct law law = batches->law;
	size_t count;
	uint64_t *rising = sizes_of(sample, &count);

	if (!rising)
		return tr_no_memory(err, "the batches");
	law.mean = batches->batch;
	*out = sizes_likelihood(&law, rising, count) - (double)count * log(gap_ticks) -
	       arrival_total_of(sample).ticks / gap_ticks;
	free(rising);
	return TR_OK;
}

static unsigned batch_freedom(const void *parameters)
{
	return 1 + sizes_freedom(&((const struct batch_poisson *)parameters)->law);
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct batch_poisson),
	.defaults = batch_defaults,
	.get = batch_get,
	.put = batch_put,
	.clear = batch_clear,
	.rate = batch_rate,
	.dispersion = batch_dispersion,
	.explain = batch_explain,
	.state_bytes = sizeof(struct batch_state),
	.start = batch_start,
	.next = batch_next,
	.stop = batch_stop,
};

static const struct arrival_fit fitting = {
	.fit = batch_fit,
	.log_likelihood = batch_log_likelihood,
	.freedom = batch_freedom,
};

const struct family batch_poisson_family = {
	.name = "batch-poisson",
	.summary = "batches of packets at the times of a Poisson process",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
