// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/size_law.h"

#include <math.h>

#define RARE 1e-4 // too few values reach the least size
#define FIRST 256 // the first piece of an integral is this share of the mean
#define STEPS 32  // of Simpson's rule on a piece

const struct size_law_kind size_laws[SIZE_LAWS] = {
	[SIZE_ALIKE] = {NULL, LAW_UNIFORM},
	[SIZE_NORMAL] = {"normal", LAW_UNIFORM},
	[SIZE_EXPONENTIAL] = {"exponential", LAW_EXPONENTIAL},
	[SIZE_PARETO] = {"pareto", LAW_PARETO},
	[SIZE_LOGNORMAL] = {"lognormal", LAW_LOGNORMAL},
	[SIZE_WEIBULL] = {"weibull", LAW_WEIBULL},
	[SIZE_GAMMA] = {"gamma", LAW_GAMMA},
};

// P(size > x), >= x of a single size, before anything is drawn again or cut.
static double survival(const struct size_bin *bin, const struct law_plan *plan, double x)
{
	if (bin->law != SIZE_NORMAL)
		return plan->kind->survival(plan, x);
	if (bin->shape == 0)
		return x <= bin->mean_B;
	return 0.5 * erfc((x - bin->mean_B) / (bin->shape * M_SQRT2));
}

enum tr_status size_law_plan(const struct size_bin *bin, struct law_plan *out, struct tr_error *err)
{
	const struct law law = {.name = size_laws[bin->law].name, .mean = bin->mean_B, .shape = bin->shape};

	*out = (struct law_plan){.kind = NULL};
	if (bin->low_B > bin->high_B)
		return tr_fail(err, "sizes begin at %u B and end at %u B", bin->low_B, bin->high_B);
	if (bin->law == SIZE_ALIKE)
		return TR_OK;
	if (bin->law != SIZE_NORMAL && law_plan_make(out, &law, 1, err) != TR_OK)
		return TR_ERROR;
	if (survival(bin, out, bin->low_B) >= RARE)
		return TR_OK;
	law_plan_clear(out);
	return tr_fail(err, "sizes of mean %.9g B hardly reach the %u B below which they are drawn again", bin->mean_B,
		       bin->low_B);
}

uint32_t size_law_draw(const struct size_bin *bin, const struct law_plan *plan, const struct draw_tables *tables,
		       struct tr_random *random)
{
	double size;

	if (bin->low_B == bin->high_B)
		return bin->low_B;
	if (bin->law == SIZE_ALIKE)
		return (uint32_t)(bin->low_B + tr_random_below(random, (uint64_t)bin->high_B - bin->low_B + 1));
	do
		size = bin->law == SIZE_NORMAL ? bin->mean_B + bin->shape * draw_normal(tables, random)
					       : law_draw(plan, tables, random);
	while (size < bin->low_B);
	return (uint32_t)(fmin(size, bin->high_B) + 0.5);
}

// Integrals of P(size > x) and of 2 (x - low) P(size > x) from low to high, on pieces that grow with the distance: E(size - low)
// and E(size - low)^2 of sizes cut at high, where none is below low.
static void integrate(const struct size_bin *bin, const struct law_plan *plan, double *first, double *second)
{
	const double low = bin->low_B, high = bin->high_B;
	double width = fmax(fabs(bin->mean_B), 1) / FIRST;

	*first = *second = 0;
	for (double from = low; from < high; from += width, width = fmax(width, (from - low) / 8)) {
		const double step = fmin(width, high - from) / STEPS;

		for (int i = 0; i <= STEPS; i++) {
			const double x = from + i * step, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
			const double above = survival(bin, plan, x) * weight * step / 3;

			*first += above;
			*second += 2 * (x - low) * above;
		}
	}
}

static void moments(const struct size_bin *bin, double *mean, double *variance)
{
	const double width = (double)bin->high_B - (double)bin->low_B + 1;
	double reach, first, second;
	struct law_plan plan;

	*mean = ((double)bin->low_B + (double)bin->high_B) / 2;
	*variance = (width * width - 1) / 12;
	if (bin->law == SIZE_ALIKE || size_law_plan(bin, &plan, NULL) != TR_OK)
		return;
	if (bin->law == SIZE_NORMAL && bin->shape == 0) {
		*mean = fmin(bin->mean_B, bin->high_B);
		*variance = 0;
		return;
	}
	integrate(bin, &plan, &first, &second);
	reach = survival(bin, &plan, bin->low_B);
	*mean = bin->low_B + (reach > 0 ? first / reach : 0);
	*variance = reach > 0 ? second / reach - first / reach * (first / reach) : 0;
	law_plan_clear(&plan);
}

double size_bins_mean_B(const struct size_bin *bins, size_t count)
{
	double packets = 0, bytes = 0, mean, variance;

	for (size_t i = 0; i < count; i++) {
		moments(&bins[i], &mean, &variance);
		packets += (double)bins[i].count;
		bytes += (double)bins[i].count * mean;
	}
	return packets > 0 ? bytes / packets : 0;
}

double size_bins_variance_B2(const struct size_bin *bins, size_t count)
{
	const double all = size_bins_mean_B(bins, count);
	double packets = 0, sum = 0, mean, variance;

	for (size_t i = 0; i < count; i++) {
		moments(&bins[i], &mean, &variance);
		packets += (double)bins[i].count;
		sum += (double)bins[i].count * ((mean - all) * (mean - all) + variance);
	}
	return packets > 0 ? sum / packets : 0;
}
