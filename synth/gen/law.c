// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/law.h"

#include <math.h>
#include <stdlib.h>

#define OCTAVES 50
#define STEPS 64 // of Simpson's rule in each

static enum tr_status stretch_bins(struct law_plan *plan, const struct law *law, double unit, struct tr_error *err)
{
	double count = 0, sum = 0, *weights = calloc(law->bin_count ? law->bin_count : 1, sizeof(*weights));
	enum tr_status status = TR_ERROR;

	plan->bin_count = law->bin_count;
	plan->bins = calloc(law->bin_count ? law->bin_count : 1, sizeof(*plan->bins));
	if (!weights || !plan->bins) {
		free(weights);
		return tr_no_memory(err, "%zu bins", law->bin_count);
	}
	for (size_t i = 0; i < law->bin_count; i++) {
		count += weights[i] = law->bins[i].count;
		sum += weights[i] * (law->bins[i].low + law->bins[i].high) / 2;
	}
	if (!(sum > 0))
		(void)tr_fail(err, "the bins of the empirical law are empty, or all at zero");
	else if (alias_make(&plan->choice, weights, law->bin_count, err) == TR_OK) {
		const double stretch = law->mean * unit * count / sum;

		for (size_t i = 0; i < law->bin_count; i++) {
			const struct law_bin *bin = &law->bins[i];

			plan->bins[i] = (struct law_bin){bin->low * stretch, bin->high * stretch, bin->count / count};
			weights[i] *= (bin->low + bin->high) / sum;
		}
		status = alias_make(&plan->met, weights, law->bin_count, err);
	}
	free(weights);
	return status;
}

enum tr_status law_plan_make(struct law_plan *out, const struct law *law, double unit, struct tr_error *err)
{
	*out = (struct law_plan){
		.kind = &law_kinds[law->name],
		.mean = law->mean * unit,
		.shape = law->shape,
	};
	if (law->name == LAW_EMPIRICAL && stretch_bins(out, law, unit, err) != TR_OK) {
		law_plan_clear(out);
		return TR_ERROR;
	}
	if (out->kind->settle)
		out->kind->settle(out);
	return TR_OK;
}

void law_plan_clear(struct law_plan *plan)
{
	free(plan->bins);
	alias_clear(&plan->choice);
	alias_clear(&plan->met);
	*plan = (struct law_plan){.kind = NULL};
}

double law_variation(const struct law_plan *plan)
{
	return plan->kind->variation(plan);
}

// Simpson's rule on pieces that double from next to 0 on.
static double survived_until(const struct law_plan *plan, double x)
{
	double sum = 0;

	for (int octave = 0; octave <= OCTAVES; octave++) {
		const double to = ldexp(x, octave - OCTAVES), from = octave ? to / 2 : 0, step = (to - from) / STEPS;

		for (int i = 0; i <= STEPS; i++)
			sum += (i == 0 || i == STEPS ? 1
				: i % 2		     ? 4
						     : 2) *
			       plan->kind->survival(plan, from + i * step) * step / 3;
	}
	return sum;
}

double law_excess(const struct law_plan *plan, double x)
{
	return plan->kind->excess ? plan->kind->excess(plan, x) : fmax(0, plan->mean - survived_until(plan, x));
}

enum tr_status law_own(struct law *law, struct tr_error *err)
{
	const struct law_bin *from = law->bins;
	const size_t count = law->bin_count;

	law->bins = NULL;
	law->bin_count = 0;
	if (count == 0)
		return TR_OK;
	law->bins = calloc(count, sizeof(*law->bins));
	if (!law->bins)
		return tr_no_memory(err, "%zu bins", count);
	for (size_t i = 0; i < count; i++)
		law->bins[i] = from[i];
	law->bin_count = count;
	return TR_OK;
}

void law_clear(struct law *law)
{
	free(law->bins);
	*law = (struct law){.bins = NULL};
}
