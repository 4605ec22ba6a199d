// SPDX-License-Identifier: GPL-3.0-or-later
// Periodic senders (periodic.h): their text and their times.
#include <math.h>

#include "gen/families/family.h"
#include "gen/families/periodic/periodic.h"

#define PACKETS_MOST 1000000

struct periodic_state {
	const struct draw_tables *tables;
	double period, jitter, most, gap; // ticks; most: of the jitter to either side
	double phase;			  // of period 0
	double begin;			  // of the current burst
	double last;			  // packet given
	double number;			  // of the next period
	uint64_t packets, left;		  // of a burst; of the current one
};

#define AT(member) offsetof(struct periodic, member)
static const struct model_field fields[] = {
	{"period", MODEL_TIME, AT(period_s), true, 1e-9, 1e9, NULL},
	{"jitter", MODEL_TIME, AT(jitter_s), false, 0, 1e9, NULL},
	{"packets", MODEL_COUNT, AT(packets), false, 1, PACKETS_MOST, NULL},
	{"inter-packet", MODEL_TIME, AT(gap_s), false, 0, 1e9, NULL},
	{"phase", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

static void periodic_defaults(void *parameters)
{
	*(struct periodic *)parameters = (struct periodic){.packets = 1, .phase_s = NAN};
}

static double burst_s(const struct periodic *periodic)
{
	return (double)(periodic->packets - 1) * periodic->gap_s;
}

static enum tr_status periodic_get(void *parameters, const struct model *model, const char *section,
				   struct tr_error *err)
{
	struct periodic *periodic = parameters;
	const struct model_entry *phase = model_find(model, section, "phase");
	struct tr_error why = {""};

	if (!(burst_s(periodic) < periodic->period_s))
		return model_fail(model, model_find(model, section, "inter-packet"), err,
				  "%llu packets take longer than the period",
				  (unsigned long long)periodic->packets);
	if (!phase)
		return TR_OK;
	if (model_value(MODEL_TIME, phase->value, &periodic->phase_s, &why) != TR_OK)
		return model_fail_for(model, phase, err, &why, "phase");
	return periodic->phase_s >= 0 && periodic->phase_s < periodic->period_s
		       ? TR_OK
		       : model_fail(model, phase, err,
				    "phase: expected 0 or more, and less than the period");
}

static void periodic_put(const void *parameters, struct model *model)
{
	const struct periodic *periodic = parameters;
	char number[MODEL_NUMBER_BYTES];

	if (isfinite(periodic->phase_s))
		model_key(model, "phase", model_format(MODEL_TIME, periodic->phase_s, number),
			  NULL);
}

static double periodic_rate(const void *parameters)
{
	const struct periodic *periodic = parameters;

	return (double)periodic->packets / periodic->period_s;
}

static double periodic_dispersion(const void *parameters)
{
	(void)parameters;
	return 0;
}

static void periodic_explain(const void *parameters, FILE *out)
{
	const struct periodic *periodic = parameters;
	char period[MODEL_NUMBER_BYTES], text[MODEL_NUMBER_BYTES];

	(void)model_format(MODEL_TIME, periodic->period_s, period);
	if (periodic->packets == 1)
		fprintf(out, "A packet comes every %s", period);
	else
		fprintf(out, "%llu packets, %s apart, come every %s",
			(unsigned long long)periodic->packets,
			model_format(MODEL_TIME, periodic->gap_s, text), period);
	if (periodic->jitter_s > 0)
		fprintf(out, ", early or late by %s (standard deviation)",
			model_format(MODEL_TIME, periodic->jitter_s, text));
	if (isfinite(periodic->phase_s))
		fprintf(out, ", first at %s.\n", model_format(MODEL_TIME, periodic->phase_s, text));
	else
		fprintf(out, ", first at a random time.\n");
}

// Within the limits by drawing again; a jitter near them is nearly uniform.
static double draw_jitter(const struct periodic_state *at, struct tr_random *random)
{
	double jitter = 0;

	if (at->jitter == 0 || at->most == 0)
		return 0;
	do
		jitter = at->jitter * draw_normal(at->tables, random);
	while (fabs(jitter) > at->most);
	return jitter;
}

static void periodic_begin_burst(struct periodic_state *at, struct tr_random *random)
{
	at->begin = at->phase + at->number++ * at->period + draw_jitter(at, random);
	at->left = at->packets;
}

// From the period before the first, whose burst may last into it.
static enum tr_status periodic_start(void *state, const void *parameters,
				     const struct arrival_settings *settings,
				     struct tr_random *random, struct tr_error *err)
{
	const struct periodic *periodic = parameters;
	const double ticks_per_s = settings->ticks_per_s;
	struct periodic_state *at = state;

	(void)err;
	*at = (struct periodic_state){
		.tables = settings->tables,
		.period = periodic->period_s * ticks_per_s,
		.jitter = fmin(periodic->jitter_s, periodic->period_s) * ticks_per_s,
		.most = (periodic->period_s - burst_s(periodic)) / 2 * ticks_per_s,
		.gap = periodic->gap_s * ticks_per_s,
		.phase = periodic->phase_s * ticks_per_s,
		.number = -1,
		.packets = periodic->packets,
	};
	if (!isfinite(periodic->phase_s))
		at->phase = at->period * tr_random_unit(random);
	periodic_begin_burst(at, random);
	return TR_OK;
}

static double periodic_next(void *state, struct tr_random *random)
{
	struct periodic_state *at = state;
	double time, passed;

	do {
		if (at->left == 0)
			periodic_begin_burst(at, random);
		time = at->begin + (double)(at->packets - at->left--) * at->gap;
	} while (time < 0);
	passed = fmax(time - at->last, 0);
	at->last = fmax(time, at->last);
	return passed;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct periodic),
	.defaults = periodic_defaults,
	.get = periodic_get,
	.put = periodic_put,
	.rate = periodic_rate,
	.dispersion = periodic_dispersion,
	.explain = periodic_explain,
	.state_bytes = sizeof(struct periodic_state),
	.start = periodic_start,
	.next = periodic_next,
};

const struct family periodic_family = {
	.name = "periodic",
	.summary = "packets or bursts at a fixed period, with jitter",
	.generator = &streams_generator,
	.fit = &periodic_family_fit,
	.arrivals = &process,
	.arrival_fit = &periodic_arrival_fit,
};
