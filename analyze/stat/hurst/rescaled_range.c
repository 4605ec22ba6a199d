// SPDX-License-Identifier: GPL-3.0-or-later
// Mandelbrot and Wallis, Robustness of the rescaled range R/S, Water Resources Research 5 (1969)
// 967-988; Taqqu, Teverovsky and Willinger, Fractals 3 (1995) 785-798. Known values:
// the table in tests/property/stat_hurst_test.c, where it is high at H = .5 and low at H = .9 (it
// tends to .72).
#include "stat/hurst/rescaled_range.h"

#include <math.h>

#include "stat/hurst/hurst_bias.h"

#define SCALES 25
#define BLOCKS_MIN 2

// A block variance below this share of the series' is computed from its points, not from sums.
#define SHARE_MIN 1e-6
#define STRETCH 65536u

#define STEP 16

// Sums of deviations from the mean of the series, and of their squares: of the first STEP i points.
struct rescaled_range_sums {
	const double *plain;
	const double *squares;
	double variance; // of the series
};

static size_t rescaled_range_workspace(size_t n)
{
	return n / STEP + 1;
}

// Of the points begin to end - 1.
static double squares_from(const double *profile, size_t begin, size_t end)
{
	double sum = 0;

	for (size_t i = begin; i < end; i++) {
		const double deviation = profile[i + 1] - profile[i];

		sum += deviation * deviation;
	}
	return sum;
}

static double squares_to(const struct rescaled_range_sums *sums, size_t end)
{
	return sums->squares[end / STEP] + squares_from(sums->plain, end - end % STEP, end);
}

// Fills squares[n / STEP + 1].
static struct rescaled_range_sums make_sums(const double *profile, size_t n, double *squares)
{
	struct rescaled_range_sums sums = {profile, squares, 0};

	squares[0] = 0;
	for (size_t i = 0; i < n / STEP; i++)
		squares[i + 1] = squares[i] + squares_from(profile, i * STEP, (i + 1) * STEP);
	sums.variance = squares_to(&sums, n) / (double)n;
	return sums;
}

double rescaled_range_ratio(const double *x, size_t m)
{
	double mean = 0, squares = 0, sum = 0, lowest = 0, highest = 0;

	for (size_t i = 0; i < m; i++)
		mean += x[i];
	mean /= (double)m;
	for (size_t i = 0; i < m; i++) {
		const double deviation = x[i] - mean;

		squares += deviation * deviation;
		sum += deviation;
		lowest = fmin(lowest, sum);
		highest = fmax(highest, sum);
	}
	return squares > 0 ? (highest - lowest) / sqrt(squares / (double)m) : NAN;
}

// rescaled_range_ratio of the block that begins at from.
static double block_ratio(const double *x, const struct rescaled_range_sums *sums, size_t from,
			  size_t m)
{
	const double slope = (sums->plain[from + m] - sums->plain[from]) / (double)m;
	const double variance = (squares_to(sums, from + m) - squares_to(sums, from)) / (double)m -
				slope * slope;

	if (!(variance > SHARE_MIN * sums->variance))
		return rescaled_range_ratio(x + from, m);
	return sloped_range(sums->plain + from, (int32_t)m, slope) / sqrt(variance);
}

// The progress of one block length.
struct rescaled_range_tally {
	size_t m;
	size_t next; // point with which its next block begins
	size_t blocks;
	double sum; // of R/S
};

// Takes the blocks that end before point upto.
static void advance(struct rescaled_range_tally *tally, const double *x,
		    const struct rescaled_range_sums *sums, size_t upto)
{
	for (; tally->next + tally->m <= upto; tally->next += tally->m) {
		const double ratio = block_ratio(x, sums, tally->next, tally->m);

		if (isnan(ratio))
			continue;
		tally->sum += ratio;
		tally->blocks++;
	}
}

// All lengths go through the series together, so that their data are in the cache.
static void advance_all(struct rescaled_range_tally *tallies, size_t count, const double *x,
			const struct rescaled_range_sums *sums, size_t n)
{
	for (size_t upto = 0; upto < n;) {
		upto = upto + STRETCH < n ? upto + STRETCH : n;
		for (size_t i = 0; i < count; i++)
			advance(&tallies[i], x, sums, upto);
	}
}

static void rescaled_range_add_point(const struct rescaled_range_tally *tally, struct estimate *out)
{
	struct estimate_point *point = &out->points[out->point_count++];

	point->scale = (double)tally->m;
	point->blocks = tally->blocks;
	point->x = log10(point->scale);
	point->y = log10(tally->sum / (double)tally->blocks);
	point->fitted = tally->blocks >= BLOCKS_MIN;
}

static enum tr_status rescaled_range_run(const struct series_parts *series,
					 const struct estimate_options *options, double *room,
					 struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	const double points = (double)n;
	const double max = options->scale_max > 0 ? options->scale_max : points / 10;
	const double min = options->scale_min > 0 ? options->scale_min
						  : fmin(64, fmax(8, points / 256));
	const struct rescaled_range_sums sums = make_sums(series->profile, n, room);
	struct rescaled_range_tally tallies[ESTIMATE_POINTS_MAX];
	size_t scales[ESTIMATE_POINTS_MAX], count, used = 0;

	estimate_clear(out);
	count = estimate_scales(min, max, options->scales ? options->scales : SCALES, scales);
	for (size_t i = 0; i < count && scales[i] <= n; i++)
		tallies[used++] = (struct rescaled_range_tally){.m = scales[i]};
	advance_all(tallies, used, series->x, &sums, n);
	for (size_t i = 0; i < used; i++)
		rescaled_range_add_point(&tallies[i], out);
	if (out->point_count > 0 && out->points[out->point_count - 1].blocks == 0)
		return tr_fail(err, "the series is constant");
	return hurst_bias_fit(out, 0, 1, &rescaled_range_bias, n, options, err);
}

const struct estimator rescaled_range = {
	.name = "rs",
	.title = "rescaled range",
	.paper = "Mandelbrot, Wallis 1969; Taqqu, Teverovsky, Willinger 1995",
	.equation = "R/S = (max Y - min Y)/sd X in blocks of m ~ m^H",
	.x_label = "log10 block length",
	.y_label = "log10 mean R/S",
	.n_min = 256,
	.needs = PART_PROFILE,
	.workspace = rescaled_range_workspace,
	.run = rescaled_range_run,
};
