// SPDX-License-Identifier: GPL-3.0-or-later
// The density of Frederiksen, Nielsen and Nielsen, Local polynomial Whittle estimation of perturbed fractional processes, Journal
// of Econometrics 167 (2012) 426-447, with a polynomial of one term for the signal and none for the noise, as R's LongMemoryTS
// has it (LPWN, R_short = 1, R_noise = 0). Without the polynomial it is that of Hurvich, Moulines and Soulier, Estimating long
// memory in volatility, Econometrica 73 (2005) 1283-1328.
#include "stat/noisy_power_law.h"

#include <math.h>

#define D_MAX 0.99
#define BEND_MAX 8
#define BELOW 12 // e to this is how far the level may be from the mean power
#define SHARE 3
#define SHARE_MIN (-1)

static void evaluate(const void *context, const struct spectral_cells *cells, const double *theta, double *log_density,
		     double *slopes)
{
	const struct noisy_power_law *law = context;
	const size_t count = cells->count;
	const double w = theta[SHARE], least = w < 0 && theta[2] < 0 ? exp(theta[2]) : 1;

	for (size_t i = 0; i < count; i++) {
		const double log_x = law->log_x[i], square = law->square[i];
		const double power = exp(theta[2] * square - 2 * theta[0] * log_x), mixed = (1 - w) * power + w * least;
		const double signal = exp(theta[1]) * mixed, density = signal + law->floor, share = signal / density;

		log_density[i] = log(density);
		slopes[i] = -2 * log_x * share * (1 - w) * power / mixed;
		slopes[count + i] = share;
		slopes[2 * count + i] = share * (square * (1 - w) * power + (least < 1 ? w * least : 0)) / mixed;
		slopes[SHARE * count + i] = share * (least - power) / mixed;
	}
}

void noisy_power_law_make(struct noisy_power_law *law, const struct spectral_cells *cells, double floor, double bend,
			  struct spectral_model *model)
{
	const double bend_max = fmin(bend, BEND_MAX);
	double sum = 0, shape = 0, log_mean;

	for (size_t i = 0; i < cells->count; i++) {
		sum += cells->sum[i];
		shape += cells->shape[i];
	}
	log_mean = log(sum / shape);
	law->log_top = log(cells->x[cells->count - 1]);
	law->floor = floor;
	for (size_t i = 0; i < cells->count; i++) {
		law->log_x[i] = log(cells->x[i]) - law->log_top;
		law->square[i] = exp(2 * law->log_x[i]);
	}
	*model = (struct spectral_model){
		.parameters = 4,
		.low = {0, log_mean - BELOW, -bend_max, SHARE_MIN},
		.high = {D_MAX, log_mean + BELOW, bend_max, 1},
		.starts = 2,
		.start = {{0, log_mean - 1, 0, 0}, {0, log_mean - 0.1, 0, 0.9}},
		.evaluate = evaluate,
		.context = law,
	};
}
