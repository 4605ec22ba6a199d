// SPDX-License-Identifier: GPL-3.0-or-later
// The logscale diagram of the counts by Haar's wavelet (Abry and Veitch, Wavelet analysis of
// long-range-dependent traffic, IEEE Trans. Inf. Theory 44(1) (1998) 2-15): root mean square of the
// differences in octaves, each octave weighted by its precision: the variance of log2 of a mean of
// n squared normal details is 2/(n ln^2 2), and a tenth of an octave is negligible.
//
// Known value: Poisson traffic has the same energy, its rate, at all octaves.
#include <math.h>
#include <stdio.h>

#include "stat/judge/criterion.h"

#define NO_MATTER 0.1 // octaves
#define FLOOR 1e-3    // energy per mean count

// Octaves: details between neighbours of level + 1, 2^level of them.
static size_t wavelet_energies_length(const struct judge_scales *scales)
{
	return scales->levels - JUDGE_COARSEST;
}

static double energy(const struct judge_view *view, unsigned level)
{
	size_t details = (size_t)1 << level;
	double sum = 0;

	for (size_t i = 0; i < details; i++) {
		double left = (double)judge_sum(view->scales, view->counts, level + 1, 2 * i);
		double right = (double)judge_sum(view->scales, view->counts, level + 1, 2 * i + 1);

		sum += (left - right) * (left - right) / 2;
	}
	return sum / (double)details;
}

static enum tr_status wavelet_energies_measure(const struct judge_view *view, double *curve,
					       struct tr_error *err)
{
	(void)err;
	for (size_t i = 0; i < wavelet_energies_length(view->scales); i++) {
		unsigned level = JUDGE_COARSEST + (unsigned)i;

		curve[i] = energy(view, level) * ldexp(1, (int)level + 1) / view->scales->packets;
	}
	return TR_OK;
}

static double weight(unsigned level)
{
	return 1 / (ldexp(2 / (M_LN2 * M_LN2), -(int)level) + NO_MATTER * NO_MATTER);
}

static struct judge_distance wavelet_energies_distance(const struct judge_scales *scales,
						       const double *of_data,
						       const double *of_model)
{
	struct judge_distance out = judge_same();
	double all = 0;

	for (size_t i = 0; i < wavelet_energies_length(scales); i++) {
		unsigned level = JUDGE_COARSEST + (unsigned)i;
		double octaves = judge_octaves(of_data[i], of_model[i], FLOOR),
		       part = weight(level) * octaves * octaves;

		out.value += part;
		all += weight(level);
		judge_keep_most(&out, judge_width(scales, level + 1), copysign(part, octaves));
	}
	out.value = sqrt(out.value / all);
	return out;
}

static void wavelet_energies_tell(const struct judge_distance *distance,
				  char out[JUDGE_WORDS_BYTES])
{
	char time[24];

	(void)snprintf(out, JUDGE_WORDS_BYTES, "too %s change between bins of %s",
		       distance->above ? "much" : "little", judge_time(distance->at, time));
}

static bool wavelet_energies_draw(const struct judge_scales *scales, const double *curve,
				  unsigned number, struct judge_plot *out)
{
	*out = (struct judge_plot){.title = "Logscale diagram",
				   .x_label = "bin width",
				   .y_label = "energy of details / mean",
				   .x_log = true,
				   .y_log = true,
				   .x_times = true};
	for (size_t i = 0; i < wavelet_energies_length(scales); i++)
		judge_plot_add(out, judge_width(scales, JUDGE_COARSEST + (unsigned)i + 1),
			       curve[i]);
	return number == 0;
}

const struct judge_criterion judge_logscale = {
	.name = "logscale_oct",
	.title = "logscale diagram",
	.least = 0.1,
	.length = wavelet_energies_length,
	.measure = wavelet_energies_measure,
	.distance = wavelet_energies_distance,
	.tell = wavelet_energies_tell,
	.draw = wavelet_energies_draw,
};
