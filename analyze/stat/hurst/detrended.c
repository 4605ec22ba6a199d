// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators from the residuals of a profile's blocks around their fitted polynomials.
#include "stat/hurst/detrended.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "stat/counts/widest.h"
#include "stat/hurst/estimators.h"
#include "stat/hurst/hurst_bias.h"

// The polynomials are Gram's, by their powers: order 3 has 1, s, s^2 - m2 / m and s^3 - s m4 / m2,
// where mk is the sum of s^k over the block and s counts from its middle.

// Pieces are of 64 points and more. Blocks below DIRECT points are summed point by point.
#define PIECE_SHIFT 6
#define LEVELS 42
#define SCALES 30
#define DIRECT 512

// Sums over a piece, with s from its middle: of (y - reference) s^k, and of (y - reference)^2; the
// reference is its first point. The sums of a block use the block's.
struct detrended_piece {
	double by_power[DETRENDED_ORDER_MAX + 1];
	double squares;
};

struct detrended {
	const double *y;
	struct detrended_piece *pieces;
	unsigned levels;
	size_t level[LEVELS]; // where the pieces of 2^(PIECE_SHIFT + i) points begin
};

// Block lengths of a fit: those in options, at least shortest, or 30, evenly spaced in log m, from
// 16 (below 1,600 points n / 100, at least 10) to n / 10. Fills scales[] with those up to n / 2;
// returns their number.
static size_t detrended_scales(const struct estimate_options *options, size_t n, double shortest,
			       size_t scales[ESTIMATE_POINTS_MAX])
{
	const double min = options->scale_min > 0 ? options->scale_min
						  : fmin(16, fmax(10, (double)n / 100));
	const double max = options->scale_max > 0 ? options->scale_max : (double)n / 10;
	size_t count = estimate_scales(fmax(shortest, min), max,
				       options->scales ? options->scales : SCALES, scales);

	while (count > 0 && scales[count - 1] > n / 2)
		count--;
	return count;
}

// Sum of s^2 over m points around their middle.
static double second_moment(double m)
{
	return m * (m * m - 1) / 12;
}

// order is a compile-time constant in each call.
static inline __attribute__((always_inline)) struct detrended_piece sum_points(const double *y,
									       size_t m,
									       unsigned order)
{
	const double middle = ((double)m - 1) / 2, reference = y[0];
	double lanes[DETRENDED_ORDER_MAX + 2][LANES] = {{0}};
	const size_t whole = m - m % LANES;
	struct detrended_piece piece = {0};

	for (size_t i = 0; i < whole; i += LANES)
		for (int l = 0; l < LANES; l++) {
			const double v = y[i + (size_t)l] - reference,
				     s = (double)((int64_t)i + l) - middle;

			lanes[0][l] += v;
			lanes[1][l] += v * s;
			if (order >= 2)
				lanes[2][l] += v * s * s;
			if (order >= 3)
				lanes[3][l] += v * s * s * s;
			lanes[4][l] += v * v;
		}
	for (int l = 0; whole + (size_t)l < m; l++) {
		const double v = y[whole + (size_t)l] - reference,
			     s = (double)((int64_t)whole + l) - middle;

		lanes[0][l] += v;
		lanes[1][l] += v * s;
		lanes[2][l] += v * s * s;
		lanes[3][l] += v * s * s * s;
		lanes[4][l] += v * v;
	}
	for (unsigned k = 0; k <= order; k++)
		piece.by_power[k] = lanes_sum(lanes[k]);
	piece.squares = lanes_sum(lanes[4]);
	return piece;
}

WIDEST static void sum_1(const double *y, size_t m, struct detrended_piece *out)
{
	*out = sum_points(y, m, 1);
}

WIDEST static void sum_2(const double *y, size_t m, struct detrended_piece *out)
{
	*out = sum_points(y, m, 2);
}

WIDEST static void sum_3(const double *y, size_t m, struct detrended_piece *out)
{
	*out = sum_points(y, m, 3);
}

// Adds a piece of c points whose reference is lift above the block's, and whose middle is off after
// the block's.
static void add_piece(struct detrended_piece *block, const struct detrended_piece *piece, double c,
		      double lift, double off)
{
	const double *own = piece->by_power;
	const double none = own[0] + lift * c, one = own[1], two = own[2] + lift * second_moment(c),
		     three = own[3];

	block->by_power[0] += none;
	block->by_power[1] += one + off * none;
	block->by_power[2] += two + off * (2 * one + off * none);
	block->by_power[3] += three + off * (3 * two + off * (3 * one + off * none));
	block->squares += piece->squares + lift * (2 * own[0] + lift * c);
}

static void make_pieces(struct detrended *own, size_t n)
{
	for (size_t i = 0; i < n >> PIECE_SHIFT; i++)
		sum_3(own->y + (i << PIECE_SHIFT), (size_t)1 << PIECE_SHIFT, &own->pieces[i]);
	for (unsigned level = 1; level < own->levels; level++) {
		const size_t points = (size_t)1 << (PIECE_SHIFT + level), half = points / 2;
		const struct detrended_piece *from = own->pieces + own->level[level - 1];
		struct detrended_piece *to = own->pieces + own->level[level];

		for (size_t i = 0; i < n / points; i++) {
			const double lift = own->y[i * points + half] - own->y[i * points];

			to[i] = (struct detrended_piece){0};
			add_piece(&to[i], &from[2 * i], (double)half, 0, -0.5 * (double)half);
			add_piece(&to[i], &from[2 * i + 1], (double)half, lift, 0.5 * (double)half);
		}
	}
}

struct detrended *detrended_open(const double *y, size_t n, struct tr_error *err)
{
	struct detrended *own = calloc(1, sizeof(*own));
	size_t count = 0;

	if (!own) {
		(void)tr_no_memory(err, "blocks without trend");
		return NULL;
	}
	own->y = y;
	for (; n >> (PIECE_SHIFT + own->levels) > 0; own->levels++) {
		own->level[own->levels] = count;
		count += n >> (PIECE_SHIFT + own->levels);
	}
	own->pieces = malloc((count + 1) * sizeof(*own->pieces));
	if (!own->pieces) {
		(void)tr_no_memory(err, "moments of %zu points", n);
		free(own);
		return NULL;
	}
	make_pieces(own, n);
	return own;
}

// The longest piece that begins at a multiple of the shortest and ends by end: its level.
static unsigned level_at(const struct detrended *own, size_t at, size_t end)
{
	unsigned level = 0;

	while (level + 1 < own->levels && (at >> PIECE_SHIFT) % ((size_t)2 << level) == 0 &&
	       at + ((size_t)2 << (PIECE_SHIFT + level)) <= end)
		level++;
	return level;
}

static struct detrended_piece detrended_gather(const struct detrended *own, size_t begin, size_t m)
{
	const size_t least = (size_t)1 << PIECE_SHIFT, end = begin + m;
	const double middle = (double)begin + ((double)m - 1) / 2;
	struct detrended_piece block = {0};
	size_t points;

	for (size_t at = begin; at < end; at += points) {
		const size_t aligned = (at + least - 1) / least * least;
		const struct detrended_piece *piece;
		struct detrended_piece edge;

		if (at < aligned || end - at < least) {
			points = (at < aligned && aligned < end ? aligned : end) - at;
			sum_3(own->y + at, points, &edge);
			piece = &edge;
		} else {
			const unsigned level = level_at(own, at, end);

			points = least << level;
			piece = own->pieces + own->level[level] + at / points;
		}
		add_piece(&block, piece, (double)points, own->y[at] - own->y[begin],
			  (double)at + ((double)points - 1) / 2 - middle);
	}
	return block;
}

// The squares minus those of the projections on each polynomial.
static double rest_of(const struct detrended_piece *block, double m, unsigned order)
{
	const double m2 = second_moment(m), m4 = m2 * (3 * m * m - 7) / 20;
	const double m6 = m2 * (3 * m * m * m * m - 18 * m * m + 31) / 112;
	const double *sums = block->by_power;
	double rest = block->squares - sums[0] * sums[0] / m - sums[1] * sums[1] / m2;

	if (order >= 2) {
		const double part = sums[2] - sums[0] * m2 / m;

		rest -= part * part / (m4 - m2 * m2 / m);
	}
	if (order >= 3) {
		const double part = sums[3] - sums[1] * m4 / m2;

		rest -= part * part / (m6 - m4 * m4 / m2);
	}
	return fmax(0, rest);
}

double detrended_residual(const struct detrended *own, size_t begin, size_t m, unsigned order)
{
	struct detrended_piece block;

	if (m >= DIRECT)
		block = detrended_gather(own, begin, m);
	else if (order < 2)
		sum_1(own->y + begin, m, &block);
	else if (order < 3)
		sum_2(own->y + begin, m, &block);
	else
		sum_3(own->y + begin, m, &block);
	return rest_of(&block, (double)m, order) / (double)m;
}

void detrended_close(struct detrended *detrended)
{
	if (!detrended)
		return;
	free(detrended->pieces);
	free(detrended);
}

// ---- detrended fluctuation analysis
// Peng, Buldyrev, Havlin, Simons, Stanley and Goldberger, Mosaic organization of DNA nucleotides,
// Physical Review E 49 (1994) 1685-1689; orders and both ends: Kantelhardt, Koscielny-Bunde, Rego,
// Havlin and Bunde, Physica A 295 (2001) 441-454. Known values: the table in
// tests/property/stat_hurst_test.c, where it is within .003 of H from .5 to .9.

// Mean squared residual over the blocks from the beginning, and from the end if those differ.
static double fluctuation(const struct detrended *profile, size_t n, size_t m, unsigned order)
{
	const size_t blocks = n / m, rest = n % m;
	double sum = 0;

	for (size_t i = 0; i < blocks; i++)
		sum += detrended_residual(profile, i * m, m, order);
	if (rest == 0)
		return sum / (double)blocks;
	for (size_t i = 0; i < blocks; i++)
		sum += detrended_residual(profile, rest + i * m, m, order);
	return sum / (double)(2 * blocks);
}

static const struct hurst_bias *const biases[] = {NULL, &detrended_fluctuation_1_bias,
						  &detrended_fluctuation_2_bias,
						  &detrended_fluctuation_3_bias};

static enum tr_status fluctuation_run(const struct series_parts *series,
				      const struct estimate_options *options, unsigned order,
				      struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	size_t scales[ESTIMATE_POINTS_MAX];
	const size_t count = detrended_scales(options, n, 0, scales);

	estimate_clear(out);
	for (size_t i = 0; i < count; i++) {
		struct estimate_point *point = &out->points[out->point_count++];
		const double residual = scales[i] > order + 1 ? fluctuation(series->detrended, n,
									    scales[i], order)
							      : 0;

		point->scale = (double)scales[i];
		point->blocks = n / scales[i];
		point->x = log10(point->scale);
		point->y = 0.5 * log10(residual);
		point->fitted = residual > 0;
	}
	return hurst_bias_fit(out, 0, 1, biases[order], n, options, err);
}

static enum tr_status run_1(const struct series_parts *series,
			    const struct estimate_options *options, double *workspace,
			    struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	return fluctuation_run(series, options, 1, out, err);
}

static enum tr_status run_2(const struct series_parts *series,
			    const struct estimate_options *options, double *workspace,
			    struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	return fluctuation_run(series, options, 2, out, err);
}

static enum tr_status run_3(const struct series_parts *series,
			    const struct estimate_options *options, double *workspace,
			    struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	return fluctuation_run(series, options, 3, out, err);
}

#define DETRENDED_FLUCTUATION(order, trend) \
	.name = "dfa" #order, .title = "detrended fluctuation analysis, order " #order, \
	.paper = "Peng et al. 1994; Kantelhardt et al. 2001", \
	.equation = "F(m)^2 = mean over blocks of (Y - its " trend ")^2, F(m) ~ m^H", \
	.x_label = "log10 block length", .y_label = "log10 root mean squared residual", \
	.n_min = 256, .needs = PART_DETRENDED, .run = run_##order

const struct estimator detrended_fluctuation_1 = {DETRENDED_FLUCTUATION(1, "line")};
const struct estimator detrended_fluctuation_2 = {DETRENDED_FLUCTUATION(2, "parabola")};
const struct estimator detrended_fluctuation_3 = {DETRENDED_FLUCTUATION(3, "cubic")};

// ---- residuals of regression
// Taqqu, Teverovsky and Willinger, Fractals 3 (1995) 785-798 (after Peng et al. 1994);
// the median: Taqqu and Teverovsky, On estimating the intensity of long-range dependence in finite
// and infinite variance time series, in Adler, Feldman and Taqqu, A Practical Guide to Heavy Tails,
// Birkhauser 1998, 177-217. Known values: as detrended fluctuation analysis of order 1, with a
// deviation a fifth larger.

#define BLOCKS_MIN 10

static size_t detrended_workspace(size_t n)
{
	return n / 3 + 1;
}

static void detrended_add_point(const struct detrended *profile, size_t n, size_t m,
				double *variances, struct estimate *out)
{
	struct estimate_point *point = &out->points[out->point_count++];
	double middle;

	point->scale = (double)m;
	point->blocks = n / m;
	for (size_t i = 0; i < point->blocks; i++)
		variances[i] = detrended_residual(profile, i * m, m, 1);
	middle = gsl_stats_median(variances, 1, point->blocks);
	point->x = log10(point->scale);
	point->y = log10(middle);
	point->fitted = middle > 0 && point->blocks >= BLOCKS_MIN;
}

static enum tr_status residuals_run(const struct series_parts *series,
				    const struct estimate_options *options, double *room,
				    struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	size_t scales[ESTIMATE_POINTS_MAX];
	const size_t count = detrended_scales(options, n, 3, scales);

	estimate_clear(out);
	for (size_t i = 0; i < count; i++)
		detrended_add_point(series->detrended, n, scales[i], room, out);
	return hurst_bias_fit(out, 0, 0.5, &residuals_bias, n, options, err);
}

const struct estimator residuals = {
	.name = "residuals",
	.title = "residuals of regression",
	.paper = "Taqqu, Teverovsky, Willinger 1995; Taqqu, Teverovsky 1998",
	.equation = "median over blocks of Var(Y - its line) ~ m^(2H)",
	.x_label = "log10 block length",
	.y_label = "log10 median variance of residuals",
	.n_min = 256,
	.needs = PART_DETRENDED,
	.workspace = detrended_workspace,
	.run = residuals_run,
};
