// SPDX-License-Identifier: GPL-3.0-or-later
// Prints analyze/stat/hurst/hurst_bias_table.c: mean and standard deviation of the estimators'
// answers on exact fractional Gaussian noise, by length and H. Takes about a quarter of an hour.
// hurst_bias_table SHARE makes SHARE (0..1) of the series only; hurst_bias_table SHARE TABLE prints
// that table alone, for the end of the file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fgn.h"
#include "stat/hurst/estimation.h"
#include "stat/hurst/estimators.h"
#include "stat/hurst/hurst_bias.h"
#include "stat/hurst/rescaled_range.h"
#include "value/num.h"

#define METHODS 11

static const struct {
	const struct estimator *estimator;
	const char *table;
} methods[METHODS] = {
	{&absolute_moments, "absolute_moments_bias"},
	{&aggregated_variance, "aggregated_variance_bias"},
	{&averaged_periodogram, "averaged_periodogram_bias"},
	{&detrended_fluctuation_1, "detrended_fluctuation_1_bias"},
	{&detrended_fluctuation_2, "detrended_fluctuation_2_bias"},
	{&detrended_fluctuation_3, "detrended_fluctuation_3_bias"},
	{&differenced_variance, "differenced_variance_bias"},
	{&higuchi, "higuchi_bias"},
	{&periodogram, "periodogram_bias"},
	{&rescaled_range, "rescaled_range_bias"},
	{&residuals, "residuals_bias"},
};
static const int series[HURST_BIAS_N] = {8000, 8000, 6000, 4000, 4000, 3000, 2000, 600, 200, 100};

struct sums {
	double count, sum, squares;
};

static void simulate(int i, int j, int rounds, struct sums *sums)
{
	const size_t n = (size_t)1 << hurst_bias_log2_n[i];
	const struct estimate_options options = {.level = 0.95};
	struct fgn *fgn = fgn_open(n, hurst_bias_h[j]);
	double *x = malloc(n * sizeof(*x));
	struct tr_random random;
	static struct estimation estimations[METHODS];
	char name[64];

	for (int m = 0; m < METHODS; m++)
		estimations[m].estimator = methods[m].estimator;
	(void)snprintf(name, sizeof(name), "bias/%d/%g", hurst_bias_log2_n[i], hurst_bias_h[j]);
	tr_random_open(&random, 1, name);
	for (int r = 0; r < rounds; r++) {
		fgn_draw(fgn, &random, x);
		if (estimations_make(x, n, NULL, &options, estimations, METHODS, NULL, NULL,
				     NULL) != TR_OK)
			abort();
		for (int m = 0; m < METHODS; m++) {
			const double h = estimations[m].estimate.h;

			if (!estimations[m].made)
				abort();
			sums[m].count++;
			sums[m].sum += h;
			sums[m].squares += h * h;
		}
	}
	free(x);
	fgn_close(fgn);
}

static struct sums result[METHODS][HURST_BIAS_N][HURST_BIAS_H];

static void print_head(void)
{
	printf("// SPDX-License-Identifier: GPL-3.0-or-later\n"
	       "// Made by tests/property/hurst_bias_table.c; rows are lengths, columns H.\n"
	       "#include \"stat/hurst/hurst_bias.h\"\n\n"
	       "const int hurst_bias_log2_n[HURST_BIAS_N] = {8, 9, 10, 11, 12, 13, 14, 16, 18, "
	       "20};\n"
	       "const double hurst_bias_h[HURST_BIAS_H] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, "
	       "0.85, 0.9, "
	       "0.95,\n\t0.99};\n");
}

static void print_table(int method)
{
	printf("\nconst struct hurst_bias %s = {{\n", methods[method].table);
	for (int i = 0; i < HURST_BIAS_N; i++) {
		printf("\t{");
		for (int j = 0; j < HURST_BIAS_H; j++) {
			const struct sums *s = &result[method][i][j];
			const double mean = s->sum / s->count;
			const double variance = (s->squares - s->count * mean * mean) /
						(s->count - 1);

			printf("%s{%.4f, %.4f}",
			       j == 0	    ? ""
			       : j % 5 == 0 ? ",\n\t "
					    : ", ",
			       mean, sqrt(variance));
		}
		printf("},\n");
	}
	printf("}};\n");
}

int main(int argc, char **argv)
{
	double share = 1;

	if (argc > 1 && num_parse_real(argv[1], &share, NULL) != TR_OK)
		return 2;
	for (int i = 0; i < HURST_BIAS_N; i++)
		for (int j = 0; j < HURST_BIAS_H; j++) {
			struct sums sums[METHODS] = {0};

			simulate(i, j, (int)fmax(2, share * series[i]), sums);
			for (int m = 0; m < METHODS; m++)
				result[m][i][j] = sums[m];
		}
	if (argc <= 2)
		print_head();
	for (int m = 0; m < METHODS; m++)
		if (argc <= 2 || strcmp(argv[2], methods[m].table) == 0)
			print_table(m);
	return fflush(stdout) == 0 ? 0 : 2;
}
