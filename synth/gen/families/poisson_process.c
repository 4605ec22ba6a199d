// SPDX-License-Identifier: GPL-3.0-or-later
// The Poisson process: exponential gaps, independent of one another (Kingman, Poisson processes,
// 1993).
#include <math.h>

#include "gen/arrivals/arrival_sample.h"
#include "gen/families/family.h"

struct poisson_process_poisson {
	double gap_s; // mean
};

struct poisson_state {
	const struct draw_tables *tables;
	double gap_ticks;
};

static const struct model_field fields[] = {{"gap", MODEL_TIME,
					     offsetof(struct poisson_process_poisson, gap_s), true,
					     1e-12, 1e9, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

static double poisson_rate(const void *parameters)
{
	return 1 / ((const struct poisson_process_poisson *)parameters)->gap_s;
}

static double poisson_dispersion(const void *parameters)
{
	(void)parameters;
	return 1;
}

static void poisson_explain(const void *parameters, FILE *out)
{
	char gap[MODEL_NUMBER_BYTES];

	fprintf(out, "Gaps are exponential with mean %s.\n",
		model_format(MODEL_TIME,
			     ((const struct poisson_process_poisson *)parameters)->gap_s, gap));
}

static enum tr_status poisson_start(void *state, const void *parameters,
				    const struct arrival_settings *settings,
				    struct tr_random *random, struct tr_error *err)
{
	const struct poisson_process_poisson *poisson = parameters;

	(void)random;
	(void)err;
	*(struct poisson_state *)state = (struct poisson_state){
		settings->tables, poisson->gap_s * settings->ticks_per_s};
	return TR_OK;
}

static double poisson_next(void *state, struct tr_random *random)
{
	const struct poisson_state *poisson = state;

	return poisson->gap_ticks * draw_exponential(poisson->tables, random);
}

static void poisson_next_many(void *state, struct tr_random *random, double *out, size_t count)
{
	const struct poisson_state *poisson = state;

	draw_exponentials(poisson->tables, random, out, count);
	for (size_t i = 0; i < count; i++)
		out[i] *= poisson->gap_ticks;
}

static enum tr_status poisson_fit(void *parameters, const struct arrival_sample *sample,
				  struct arrival_notes *notes, struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	struct poisson_process_poisson *poisson = parameters;
	double low, high;

	if (!(total.packets > 0 && total.ticks > 0))
		return tr_fail(err, "the trace has no packet");
	poisson->gap_s = total.ticks / total.packets / sample->ticks_per_s;
	arrival_poisson_interval(total.packets, total.ticks / sample->ticks_per_s, sample->level,
				 &low, &high);
	(void)model_interval(MODEL_TIME, low, high, sample->level, notes->field[0]);
	(void)snprintf(notes->method, sizeof(notes->method), "by likelihood");
	return TR_OK;
}

static enum tr_status poisson_log_likelihood(const void *parameters,
					     const struct arrival_sample *sample, double *out,
					     struct tr_error *err)
{
	const struct arrival_total total = arrival_total_of(sample);
	const double gap_ticks = ((const struct poisson_process_poisson *)parameters)->gap_s *
				 sample->ticks_per_s;

	(void)err;
	*out = -total.packets * log(gap_ticks) - total.ticks / gap_ticks;
	return TR_OK;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct poisson_process_poisson),
	.rate = poisson_rate,
	.dispersion = poisson_dispersion,
	.explain = poisson_explain,
	.state_bytes = sizeof(struct poisson_state),
	.start = poisson_start,
	.next = poisson_next,
	.next_many = poisson_next_many,
};

static const struct arrival_fit fitting = {
	.fit = poisson_fit,
	.log_likelihood = poisson_log_likelihood,
};

const struct family poisson_process_family = {
	.name = "poisson",
	.summary = "Poisson process",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
