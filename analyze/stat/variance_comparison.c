// SPDX-License-Identifier: GPL-3.0-or-later
// Teverovsky and Taqqu, Testing for long-range dependence in the presence of shifting means or a slowly declining
// trend, using a variance-type estimator, Journal of Time Series Analysis 18 (1997) 279-304, section 5. The error is
// that of two estimates that do not depend on one another, each as stat/hurst_bias.h has it.
#include "stat/variance_comparison.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stat/aggregated_variance.h"
#include "stat/differenced_variance.h"
#include "stat/estimation.h"

enum tr_status variance_comparison_test(const double *x, size_t n, struct variance_comparison *out, struct tr_error *err)
{
	const struct estimate_options options = {.level = 0.95};
	struct estimation by[2] = {{.estimator = &aggregated_variance}, {.estimator = &differenced_variance}};

	if (estimations_make(x, n, NULL, &options, by, 2, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	for (int i = 0; i < 2; i++)
		if (!by[i].made)
			return tr_fail(err, "%s", by[i].why.text);
	out->aggregated = by[0].estimate.h_corrected;
	out->differenced = by[1].estimate.h_corrected;
	out->statistic = (out->aggregated - out->differenced) / hypot(by[0].estimate.se, by[1].estimate.se);
	out->p = gsl_cdf_ugaussian_P(-out->statistic);
	return TR_OK;
}
