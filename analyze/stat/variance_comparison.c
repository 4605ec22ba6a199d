// SPDX-License-Identifier: GPL-3.0-or-later
// Teverovsky and Taqqu, Testing for long-range dependence in the presence of shifting means or a slowly declining
// trend, using a variance-type estimator, Journal of Time Series Analysis 18 (1997) 279-304, section 5. The error is
// that of two estimates that do not depend on one another, each as stat/hurst_bias.h has it.
#include "stat/variance_comparison.h"

#include <math.h>

#include "stat/aggregated_variance.h"
#include "stat/differenced_variance.h"
#include "stat/normal.h"

size_t variance_comparison_workspace(size_t n)
{
	return aggregated_variance.workspace(n);
}

enum tr_status variance_comparison_test(const double *x, size_t n, double *workspace,
					struct variance_comparison *out, struct tr_error *err)
{
	const struct estimate_options options = {.level = 0.95};
	struct estimate plain, differenced;

	if (aggregated_variance.run(x, n, &options, workspace, &plain, err) != TR_OK ||
	    differenced_variance.run(x, n, &options, workspace, &differenced, err) != TR_OK)
		return TR_ERROR;
	out->aggregated = plain.h_corrected;
	out->differenced = differenced.h_corrected;
	out->statistic = (out->aggregated - out->differenced) / hypot(plain.se, differenced.se);
	out->p = normal_cdf(-out->statistic);
	return TR_OK;
}
