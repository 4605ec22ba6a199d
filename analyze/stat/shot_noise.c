// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/shot_noise.h"

#include <math.h>

enum tr_status shot_noise_mean(const struct series_parts *series, const struct estimate_options *options, double *mean,
			       struct tr_error *err)
{
	double sum = 0;

	if (options->of_bytes)
		return tr_fail(err, "bytes are no counts: the level of their noise is not known");
	for (size_t i = 0; i < series->n; i++) {
		if (!(series->x[i] >= 0) || series->x[i] != floor(series->x[i]))
			return tr_fail(err, "point %zu is %g: no count, so the level of Poisson noise is not known", i + 1,
				       series->x[i]);
		sum += series->x[i];
	}
	if (!(sum > 0))
		return tr_fail(err, "nothing was counted");
	*mean = sum / (double)series->n;
	return TR_OK;
}
