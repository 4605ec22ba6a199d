// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/scale_rules.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/line.h"

#define DIGITS 9 // of a scaled value

static double scale_regression_mean_of(const double *x, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += x[i];
	return sum / (double)count;
}

// Half the width of the interval on the log scale; NaN for two models.
static double half_width(const double *x, const double *y, size_t count, const struct line *line,
			 double at, double level)
{
	double mean = scale_regression_mean_of(x, count), spread = 0, residues = 0,
	       freedom = (double)count - 2;

	if (count < 3)
		return NAN;
	for (size_t i = 0; i < count; i++) {
		double apart = y[i] - line->intercept - line->slope * x[i];

		spread += (x[i] - mean) * (x[i] - mean);
		residues += apart * apart;
	}
	return gsl_cdf_tdist_Pinv(0.5 + level / 2, freedom) * sqrt(residues / freedom) *
	       sqrt(1 + 1 / (double)count + (at - mean) * (at - mean) / spread);
}

struct scale_prediction scale_predict(const double *nodes, const double *values, size_t count,
				      double at_nodes, double level)
{
	double x[SCALE_MODELS_MAX] = {0}, y[SCALE_MODELS_MAX] = {0}, middle, half;
	struct line line;

	for (size_t i = 0; i < count; i++) {
		x[i] = log(nodes[i]);
		y[i] = values[i] > 0 ? log(values[i]) : NAN;
	}
	line = line_fit(x, y, count);
	middle = line.intercept + line.slope * log(at_nodes);
	half = half_width(x, y, count, &line, log(at_nodes), level);
	return (struct scale_prediction){exp(middle), exp(middle - half), exp(middle + half),
					 line.slope};
}

static double *statistic_at(struct pulse_part *part, int which)
{
	return (double *)(void *)((char *)part + pulse_part_fields[which].offset);
}

static double statistic(const struct pulse_part *part, int which)
{
	double value;

	memcpy(&value, (const char *)part + pulse_part_fields[which].offset, sizeof(value));
	return value;
}

static void scale_regression_say(const struct scale_prediction *predicted, size_t count,
				 double level, char *note)
{
	int used = snprintf(note, PULSE_NOTE_BYTES, "proportional to nodes^%.3g, from %zu models",
			    predicted->power, count);

	if (isfinite(predicted->low) && used > 0)
		(void)snprintf(note + used, PULSE_NOTE_BYTES - (size_t)used,
			       "; within a factor of %.4g at %g %%",
			       predicted->high / predicted->value, 100 * level);
}

static void scale_statistic_of(const struct pulse_model *models, size_t count, unsigned p,
			       int which, double level, struct pulse_model *out,
			       struct pulse_notes *notes)
{
	const struct model_field *field = &pulse_part_fields[which];
	double nodes[SCALE_MODELS_MAX], values[SCALE_MODELS_MAX];
	struct scale_prediction predicted;

	for (size_t i = 0; i < count; i++) {
		nodes[i] = (double)models[i].nodes;
		values[i] = statistic(&models[i].part[p / PULSE_CLASSES][p % PULSE_CLASSES], which);
	}
	predicted = scale_predict(nodes, values, count, (double)out->nodes, level);
	if (!isfinite(predicted.value))
		return;
	*statistic_at(&out->part[p / PULSE_CLASSES][p % PULSE_CLASSES], which) = model_settle(
		field->type, fmin(fmax(predicted.value, field->min), field->max), DIGITS);
	scale_regression_say(&predicted, count, level, notes->statistic[which]);
}

static enum tr_status scale_regression_check(const struct pulse_model *models, size_t count,
					     uint64_t nodes, struct tr_error *err)
{
	bool differ = false;

	if (count > SCALE_MODELS_MAX)
		return tr_fail(err, "more than %u models", SCALE_MODELS_MAX);
	if (nodes < 2 || nodes > PULSE_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", PULSE_NODES_MAX);
	for (size_t i = 1; i < count; i++)
		differ = differ || models[i].nodes != models[0].nodes;
	if (!differ)
		return tr_fail(err, "regression needs models of at least two numbers of nodes");
	for (size_t i = 1; i < count; i++)
		for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++)
			if (models[i].part[p / 2][p % 2].present !=
			    models[0].part[p / 2][p % 2].present)
				return tr_fail(err, "only some of the models have [%s]",
					       pulse_section[p / 2][p % 2]);
	return TR_OK;
}

static const struct pulse_model *scale_regression_nearest(const struct pulse_model *models,
							  size_t count, uint64_t nodes)
{
	const struct pulse_model *best = &models[0];

	for (size_t i = 1; i < count; i++)
		if (fabs(log((double)models[i].nodes / (double)nodes)) <
		    fabs(log((double)best->nodes / (double)nodes)))
			best = &models[i];
	return best;
}

enum tr_status scale_by_regression(const struct pulse_model *models, size_t count, uint64_t nodes,
				   double level, struct pulse_model *out,
				   struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES],
				   struct tr_error *err)
{
	enum tr_status status = scale_regression_check(models, count, nodes, err);

	*out = (struct pulse_model){.nodes = 0};
	if (status != TR_OK)
		return status;
	*out = *scale_regression_nearest(models, count, nodes);
	out->nodes = nodes;
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		struct pulse_part *part = &out->part[p / PULSE_CLASSES][p % PULSE_CLASSES];

		struct tr_error why;

		if (pulse_part_own(part, &why) != TR_OK)
			status = tr_fail_for(err, &why, "%s", why.text);
		for (int i = 0; part->present && i < PULSE_SCALED; i++)
			if (!(part->sizes == PULSE_EMPIRICAL && i >= PULSE_SIZE_MEAN))
				scale_statistic_of(models, count, p, i, level, out,
						   &notes[p / PULSE_CLASSES][p % PULSE_CLASSES]);
	}
	if (status != TR_OK)
		pulse_model_clear(out);
	return status;
}
