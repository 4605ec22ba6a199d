// SPDX-License-Identifier: GPL-3.0-or-later
// hurst_table [SHARE]: prints tests/golden/hurst-table.tsv, with SHARE (0..1, default 1) of its
// series.
#include <math.h>
#include <stdio.h>

#include "hurst_rows.h"
#include "value/num.h"

int main(int argc, char **argv)
{
	double share = 1;

	if (argc > 1 && num_parse_real(argv[1], &share, NULL) != TR_OK)
		return 2;
	puts("model\tH\tpoints\tmethod\tseries\tmean\tbias\tsd\trmse\theld");
	for (size_t length = 0; length < HURST_LENGTHS; length++)
		for (size_t model = 0; model < HURST_MODELS; model++) {
			struct hurst_row rows[64];
			const int count = hurst_series(estimators[0], model, length);
			const size_t n = count > 0 ? hurst_rows(model, length,
								(int)fmax(2, share * count), true,
								rows)
						   : 0;

			for (size_t i = 0; i < n; i++)
				if (rows[i].series > 0)
					printf("%s\t%g\t%zu\t%s\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%."
					       "3f\n",
					       hurst_models[model].name, hurst_models[model].truth,
					       hurst_lengths[length], rows[i].estimator->name,
					       rows[i].series, rows[i].mean,
					       rows[i].mean - hurst_models[model].truth, rows[i].sd,
					       rows[i].rmse, rows[i].held);
			(void)fflush(stdout);
		}
	return 0;
}
