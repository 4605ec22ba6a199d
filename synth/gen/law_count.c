// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/law.h"

#include <math.h>

#define MOST 0x1p53
#define STEPS 32 // of Simpson's rule over one number

enum tr_status law_count_make(struct law_count *out, const struct law *law, struct tr_error *err)
{
	struct law beyond = *law;

	*out = (struct law_count){.name = law->name, .mean = law->mean};
	if (law->name == LAW_GEOMETRIC || law->name == LAW_CONSTANT || law->name == LAW_UNIFORM)
		return law->mean >= 1 ? TR_OK : tr_fail(err, "a mean of %g is below 1", law->mean);
	if (law->name == LAW_EMPIRICAL) {
		double count = 0, sum = 0;

		for (size_t i = 0; i < law->bin_count; i++) {
			count += law->bins[i].count;
			sum += law->bins[i].count * (law->bins[i].low + law->bins[i].high) / 2;
		}
		if (!(sum >= count && count > 0))
			return tr_fail(
				err, "the bins of the empirical distribution are empty or below 1");
		out->mean = beyond.mean = sum / count;
		return law_plan_make(&out->beyond, &beyond, 1, err);
	}
	beyond.mean -= 1;
	if (!(beyond.mean > 0))
		return tr_fail(err, "a mean of %g is not above 1", law->mean);
	return law_plan_make(&out->beyond, &beyond, 1, err);
}

void law_count_clear(struct law_count *count)
{
	law_plan_clear(&count->beyond);
	*count = (struct law_count){.mean = 0};
}

// Rounds x up or down at random, with mean x.
static uint64_t round_at_random(double x, struct tr_random *random)
{
	const double whole = floor(x);

	if (x == whole)
		return (uint64_t)x;
	return (uint64_t)(whole + (tr_random_unit(random) < x - whole));
}

static uint64_t law_count_draw_bin(const struct law_plan *plan, struct tr_random *random)
{
	const struct law_bin *bin = &plan->bins[alias_draw(&plan->choice, random)];
	const double low = round(bin->low), high = round(bin->high);

	return (uint64_t)low +
	       (low == high ? 0 : tr_random_below(random, (uint64_t)(high - low) + 1));
}

uint64_t law_count_draw(const struct law_count *count, const struct draw_tables *tables,
			struct tr_random *random)
{
	switch (count->name) {
	case LAW_GEOMETRIC: return draw_geometric(count->mean, random);
	case LAW_CONSTANT: return round_at_random(count->mean, random);
	case LAW_UNIFORM:
		return 1 + tr_random_below(random, round_at_random(2 * count->mean - 1, random));
	case LAW_EMPIRICAL: return law_count_draw_bin(&count->beyond, random);
	default:
		return 1 + round_at_random(fmin(law_draw(&count->beyond, tables, random), MOST - 1),
					   random);
	}
}

// Uniform on 1 .. m or 1 .. m + 1, with 2 mean - 1 between m and m + 1.
static double uniform_variance(double mean)
{
	const double top = 2 * mean - 1, least = floor(top), share = top - least;
	const double squares = (1 - share) * (least + 1) * (2 * least + 1) / 6 +
			       share * (least + 2) * (2 * least + 3) / 6;

	return squares - mean * mean;
}

static double bins_variance(const struct law_plan *plan)
{
	double squares = 0;

	for (size_t i = 0; i < plan->bin_count; i++) {
		const struct law_bin *bin = &plan->bins[i];
		const double middle = (bin->low + bin->high) / 2, width = bin->high - bin->low + 1;

		squares += bin->count * (middle * middle + (width * width - 1) / 12);
	}
	return squares - plan->mean * plan->mean;
}

double law_count_variance(const struct law_count *count)
{
	const double mean = count->mean, above = mean - floor(mean), beyond = mean - 1;

	switch (count->name) {
	case LAW_GEOMETRIC: return mean * (mean - 1);
	case LAW_CONSTANT: return above * (1 - above);
	case LAW_UNIFORM: return uniform_variance(mean);
	case LAW_EMPIRICAL: return bins_variance(&count->beyond);
	default: return beyond * beyond * law_variation(&count->beyond) + 1.0 / 6;
	}
}

// Integral of P(beyond > x) from low to low + 1; 1 where low < 0.
static double survival_over(const struct law_plan *beyond, double low)
{
	double sum = 0;

	if (low < 0)
		return 1;
	for (int i = 0; i <= STEPS; i++) {
		const double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;

		sum += weight * beyond->kind->survival(beyond, low + (double)i / STEPS);
	}
	return sum / (3 * STEPS);
}

// Uniform on 1 .. m or on 1 .. m + 1, with 2 mean - 1 between m and m + 1.
static double uniform_probability(double mean, double n)
{
	const double top = 2 * mean - 1, least = floor(top), share = top - least;

	return (n <= least ? (1 - share) / least : 0) + (n <= least + 1 ? share / (least + 1) : 0);
}

static double empirical_probability(const struct law_plan *plan, double n)
{
	double sum = 0;

	for (size_t i = 0; i < plan->bin_count; i++) {
		const double low = round(plan->bins[i].low), high = round(plan->bins[i].high);

		sum += n >= low && n <= high ? plan->bins[i].count / (high - low + 1) : 0;
	}
	return sum;
}

double law_count_log_probability(const struct law_count *count, uint64_t number)
{
	const double n = (double)number, mean = count->mean;

	switch (count->name) {
	case LAW_GEOMETRIC:
		return mean > 1	     ? (n - 1) * log1p(-1 / mean) - log(mean)
		       : number == 1 ? 0
				     : -INFINITY;
	case LAW_CONSTANT: return fabs(n - mean) < 1 ? log(1 - fabs(n - mean)) : -INFINITY;
	case LAW_UNIFORM: return log(uniform_probability(mean, n));
	case LAW_EMPIRICAL: return log(empirical_probability(&count->beyond, n));
	default: // at least n: the integral of the survival over (n - 2, n - 1)
		return log(survival_over(&count->beyond, n - 2) -
			   survival_over(&count->beyond, n - 1));
	}
}
