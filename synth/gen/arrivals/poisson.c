// SPDX-License-Identifier: GPL-3.0-or-later
// The Poisson process: exponential gaps, independent of one another.
#include <math.h>

#include "gen/arrivals/kind.h"
#include "stat/normal.h"

struct poisson {
	double gap_s; // mean
};

struct poisson_state {
	const struct draw_tables *tables;
	double gap_ticks;
};

static const struct model_field fields[] = {
	{"gap", MODEL_TIME, offsetof(struct poisson, gap_s), true, 1e-12, 1e9, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};

static double poisson_rate(const void *parameters)
{
	return 1 / ((const struct poisson *)parameters)->gap_s;
}

static void poisson_explain(const void *parameters, FILE *out)
{
	char gap[MODEL_NUMBER_BYTES];

	fprintf(out, "Gaps are exponential with a mean of %s: the process has no memory.\n",
		model_format(MODEL_TIME, ((const struct poisson *)parameters)->gap_s, gap));
}

static enum tr_status poisson_start(void *state, const void *parameters, const struct arrival_settings *settings,
				    struct tr_random *random, struct tr_error *err)
{
	const struct poisson *poisson = parameters;

	(void)random;
	(void)err;
	*(struct poisson_state *)state = (struct poisson_state){settings->tables, poisson->gap_s * settings->ticks_per_s};
	return TR_OK;
}

static double poisson_next(void *state, struct tr_random *random)
{
	const struct poisson_state *poisson = state;

	return poisson->gap_ticks * draw_exponential(poisson->tables, random);
}

// Packets, and seconds in which there could have been some.
static double count_packets(const struct arrival_sample *sample, double *seconds)
{
	double packets = 0;

	*seconds = 0;
	for (size_t i = 0; i < sample->count; i++) {
		packets += (double)sample->each[i].count;
		*seconds += (double)(sample->each[i].end_ticks - sample->each[i].begin_ticks) / sample->ticks_per_s;
	}
	return packets;
}

// The mean gap is the time by the number of packets; the interval is the normal one of the logarithm of a Poisson count.
static enum tr_status poisson_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
				  struct tr_error *err)
{
	struct poisson *poisson = parameters;
	char low[MODEL_NUMBER_BYTES], high[MODEL_NUMBER_BYTES];
	double seconds, packets = count_packets(sample, &seconds);
	double factor = exp(normal_quantile(0.5 + sample->level / 2) / sqrt(packets));

	poisson->gap_s = 0;
	if (!(packets > 0) || !(seconds > 0))
		return tr_fail(err, "%.0f packets in %g s say nothing of a rate", packets, seconds);
	poisson->gap_s = seconds / packets;
	(void)snprintf(notes->method, sizeof notes->method, "by likelihood");
	(void)snprintf(notes->field[0], sizeof notes->field[0], "%s .. %s at %g %%",
		       model_format(MODEL_TIME, model_settle(MODEL_TIME, poisson->gap_s / factor, 4), low),
		       model_format(MODEL_TIME, model_settle(MODEL_TIME, poisson->gap_s * factor, 4), high),
		       100 * sample->level);
	return TR_OK;
}

static double poisson_log_likelihood(const void *parameters, const struct arrival_sample *sample)
{
	double gap_s = ((const struct poisson *)parameters)->gap_s, seconds, packets = count_packets(sample, &seconds);

	return -packets * log(gap_s * sample->ticks_per_s) - seconds / gap_s;
}

const struct arrival_kind poisson_arrivals = {
	.family = "poisson",
	.summary = "a Poisson process",
	.fields = fields,
	.parameter_bytes = sizeof(struct poisson),
	.rate = poisson_rate,
	.explain = poisson_explain,
	.state_bytes = sizeof(struct poisson_state),
	.start = poisson_start,
	.next = poisson_next,
	.fit = poisson_fit,
	.log_likelihood = poisson_log_likelihood,
};
