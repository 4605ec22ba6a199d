// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_phases.h"
#include "value/grow.h"
#include "value/order.h"

#include <math.h>
#include <stdlib.h>

#define STEADY 0.02 // a variation below is of a constant
#define FAR 50.0    // medians
#define DIGITS 4

enum tr_status program_values_add(struct program_values *values, double ticks, struct tr_error *err)
{
	if (!GROW(values->ticks, values->capacity, values->count))
		return tr_no_memory(err, "%zu times", values->count);
	values->ticks[values->count++] = ticks;
	return TR_OK;
}

struct program_moments program_values_moments(const struct program_values *values)
{
	struct program_moments out = {0, 0};
	double squares = 0;

	for (size_t i = 0; i < values->count; i++)
		out.mean += values->ticks[i] / (double)values->count;
	for (size_t i = 0; i < values->count; i++)
		squares += (values->ticks[i] - out.mean) * (values->ticks[i] - out.mean);
	if (out.mean > 0 && values->count > 1)
		out.variation = squares / (double)(values->count - 1) / (out.mean * out.mean);
	return out;
}

struct program_moments program_values_usual(struct program_values *values)
{
	struct program_values usual = *values;

	if (values->count > 0)
		qsort(values->ticks, values->count, sizeof(*values->ticks), order_double);
	while (usual.count > 0 &&
	       usual.ticks[usual.count - 1] > FAR * values->ticks[values->count / 2])
		usual.count--;
	return program_values_moments(&usual);
}

void program_law_set(struct law *law, double variation)
{
	law->name = LAW_CONSTANT;
	if (variation <= STEADY * STEADY)
		return;
	law->name = variation <= 1 ? LAW_GAMMA : LAW_LOGNORMAL;
	law->shape = model_settle(MODEL_REAL,
				  variation <= 1 ? 1 / variation : sqrt(log1p(variation)), DIGITS);
}
