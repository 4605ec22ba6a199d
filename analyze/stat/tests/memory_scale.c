// SPDX-License-Identifier: GPL-3.0-or-later
// The trimming: Iacone, Local Whittle estimation of the memory parameter in presence of
// deterministic components, Journal of Time Series Analysis 31 (2010) 37-49. Power G l^(1 - 2H)
// near 0 is that of fractional Gaussian noise of the variance 2 pi G / (Gamma(2H + 1) sin(pi H))
// (Beran, Statistics for Long-Memory Processes, 1994, section 2.3).
#include "stat/tests/memory_scale.h"

#include <math.h>
#include <stdbool.h>

#include "stat/hurst/power_law.h"
#include "stat/spectra/spectrum.h"

#define FIRST_POWER 0.5
#define LAST_POWER 0.8
#define ROUNDING 1e-20
#define LOW_POWER 0.65
#define FREQUENCIES_MIN 32
#define LOW_FREQUENCIES_MIN 16

size_t memory_scale_workspace(size_t n)
{
	return spectrum_workspace(n) + 2 * (n / 2 + 1);
}

#define H_MIN 0.5
#define H_MAX 0.99

// Nodes and weights of Gauss and Hermite for the standard normal law.
static const double node_at[MEMORY_SCALE_NODES] = {-2.856970013872806, -1.355626179974266, 0,
						   1.355626179974266, 2.856970013872806};
static const double node_weight[MEMORY_SCALE_NODES] = {0.011257411327720691, 0.2220759220056126,
						       0.5333333333333333, 0.2220759220056126,
						       0.011257411327720691};

static void choose_band(size_t n, double onset, struct memory_scale *out)
{
	const double points = (double)n;
	const double last = fmin(pow(points, LAST_POWER), onset > 0 ? 2 * points / onset : points);

	out->last = (size_t)fmax(FREQUENCIES_MIN, floor(last));
	out->first = (size_t)fmax(1, floor(fmin(pow(points, FIRST_POWER), (double)out->last / 8)));
}

struct memory_scale memory_scale_at(const struct memory_scale *scale, double h)
{
	struct memory_scale out = *scale;
	double power; // G of G l^(1 - 2h)

	out.h = fmin(H_MAX, fmax(H_MIN, h));
	power = exp(scale->level + (2 * out.h - 1) * scale->log_middle);
	out.deviation = sqrt(2 * M_PI * power / (tgamma(2 * out.h + 1) * sin(M_PI * out.h)));
	return out;
}

void memory_scale_spread(const struct memory_scale *scale,
			 struct memory_scale nodes[MEMORY_SCALE_NODES],
			 double weights[MEMORY_SCALE_NODES])
{
	for (size_t i = 0; i < MEMORY_SCALE_NODES; i++) {
		nodes[i] = memory_scale_at(scale, scale->h + node_at[i] * scale->se);
		weights[i] = node_weight[i];
	}
}

// Whether these frequencies have more power than rounding errors.
static bool has_power(const struct spectrum *spectrum, size_t first, size_t last)
{
	double greatest = 0, sum = 0;

	for (size_t j = 1; j <= spectrum->count; j++)
		greatest = fmax(greatest, spectrum->power[j]);
	for (size_t j = first; j <= last; j++)
		sum += spectrum->power[j];
	return sum > ROUNDING * greatest;
}

// From frequencies out->first to out->last.
static enum tr_status memory_scale_estimate(const double *x, size_t n, double *workspace,
					    struct memory_scale *out, struct tr_error *err)
{
	double *log_frequency = workspace + spectrum_workspace(n),
	       *room = log_frequency + n / 2 + 1;
	struct spectrum spectrum;
	struct power_law law;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	if (!has_power(&spectrum, out->first, out->last))
		return tr_fail(err, "the series has no power at low frequencies: it alternates or "
				    "has a period");
	law = power_law_fit_band(&spectrum, (struct band){out->first, out->last}, log_frequency,
				 room);
	out->log_middle = law.centre;
	out->se = 1 / sqrt(law.information);
	out->level = log(law.level) - 2 * law.d * out->log_middle;
	*out = memory_scale_at(out, law.d + 0.5);
	return TR_OK;
}

enum tr_status memory_scale_make(const double *x, size_t n, double onset, double *workspace,
				 struct memory_scale *out, struct tr_error *err)
{
	choose_band(n, onset, out);
	return memory_scale_estimate(x, n, workspace, out, err);
}

enum tr_status memory_scale_low(const double *x, size_t n, double onset, double *workspace,
				struct memory_scale *out, struct tr_error *err)
{
	const double last = fmin(pow((double)n, LOW_POWER),
				 onset > 0 ? (double)n / onset : (double)n);

	out->first = 1;
	out->last = (size_t)fmax(LOW_FREQUENCIES_MIN, floor(last));
	return memory_scale_estimate(x, n, workspace, out, err);
}

enum tr_status memory_scale_lowest(const double *x, size_t n, double *workspace,
				   struct memory_scale *out, struct tr_error *err)
{
	out->first = 1;
	out->last = (size_t)fmax(LOW_FREQUENCIES_MIN, floor(sqrt((double)n)));
	return memory_scale_estimate(x, n, workspace, out, err);
}
