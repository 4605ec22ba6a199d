// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling exponents of all orders, by the details of wavelets and by their leaders.
#include "stat/hurst/multifractal.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "stat/spectra/wavelet.h"

// ---- multiscale diagram
// Abry, Flandrin, Taqqu and Veitch, Wavelets for the analysis, estimation and synthesis of scaling
// data, in: Self-similar network traffic and performance evaluation (2000); wavelet coefficients,
// so orders above 0 only. Known values: fractional Gaussian noise has h = H at every order, a
// binomial cascade -log2(p^q + (1 - p)^q) in tests/property/stat_multiscale_test.c.

#define DETAILS_MIN 32
#define OCTAVES_MIN 3 // of either

static const double multiscale_orders[MULTISCALE_ORDERS] = {0.5, 1, 1.5, 2, 2.5, 3, 4, 5};

// log2 of the mean of |detail|^q of an octave, and the variance of that.
struct moment {
	double y, variance;
};

struct multiscale_octave {
	double j;
	struct moment moments[MULTISCALE_ORDERS];
};

static struct moment moment_of(const double *details, size_t count, double q)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		const double power = pow(fabs(details[i]), q);

		sum += power;
		squares += power * power;
	}
	sum /= (double)count;
	squares = squares / (double)count - sum * sum;
	return (struct moment){log2(sum), squares / ((double)count * sum * sum * M_LN2 * M_LN2)};
}

// Slope of y on j with weights 1 / variance, and its variance.
static void multiscale_fit(const struct multiscale_octave *octaves, size_t count, size_t order,
			   double *slope, double *variance)
{
	double s0 = 0, s1 = 0, s2 = 0, y0 = 0, y1 = 0;

	for (size_t i = 0; i < count; i++) {
		const struct moment *moment = &octaves[i].moments[order];
		const double weight = 1 / moment->variance;

		s0 += weight;
		s1 += weight * octaves[i].j;
		s2 += weight * octaves[i].j * octaves[i].j;
		y0 += weight * moment->y;
		y1 += weight * moment->y * octaves[i].j;
	}
	*slope = (s0 * y1 - s1 * y0) / (s0 * s2 - s1 * s1);
	*variance = s0 / (s0 * s2 - s1 * s1);
}

static void set_orders(struct multiscale *out, const struct multiscale_octave *octaves,
		       size_t count, double level)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level);

	for (size_t i = 0; i < MULTISCALE_ORDERS; i++) {
		struct multiscale_order *order = &out->orders[i];
		double slope, variance;

		multiscale_fit(octaves, count, i, &slope, &variance);
		order->q = multiscale_orders[i];
		order->zeta = slope + order->q / 2;
		order->zeta_se = sqrt(variance);
		order->h = order->zeta / order->q;
		order->lo = order->h - z * order->zeta_se / order->q;
		order->hi = order->h + z * order->zeta_se / order->q;
	}
}

// Fills the octaves of the fit; returns how many.
static size_t multiscale_measure(const struct wavelet *wavelet,
				 const struct multiscale_options *options, size_t n,
				 double *approximation, double *details,
				 struct multiscale_octave *octaves)
{
	const size_t j1 = options->j1 > 0 ? options->j1 : wavelet_undisturbed_octave(n);
	size_t used = 0;

	for (size_t j = 1; n >= wavelet->taps && (options->j2 == 0 || j <= options->j2); j++) {
		n = wavelet_step(wavelet, approximation, n, details);
		if (n < DETAILS_MIN)
			break;
		if (j < j1)
			continue;
		octaves[used].j = (double)j;
		for (size_t q = 0; q < MULTISCALE_ORDERS; q++)
			octaves[used].moments[q] = moment_of(details, n, multiscale_orders[q]);
		used++;
	}
	return used;
}

enum tr_status multiscale_make(const double *x, size_t n, const struct multiscale_options *options,
			       double *work, struct multiscale *out, struct tr_error *err)
{
	struct multiscale_octave octaves[WAVELET_OCTAVES_MAX];
	struct wavelet wavelet;
	size_t used;

	if (wavelet_start(&wavelet, options->vanishing, x, n, work, err) != TR_OK)
		return TR_ERROR;
	used = multiscale_measure(&wavelet, options, n, work, work + n, octaves);
	if (used < OCTAVES_MIN)
		return tr_fail(err, "a multiscale diagram needs %d octaves with %d details",
			       OCTAVES_MIN, DETAILS_MIN);
	for (size_t i = 0; i < used; i++)
		if (!isfinite(octaves[i].moments[0].y) || !(octaves[i].moments[0].variance > 0))
			return tr_fail(err, "octave %g has no spread of details", octaves[i].j);
	out->j1 = (size_t)octaves[0].j;
	out->j2 = (size_t)octaves[used - 1].j;
	set_orders(out, octaves, used, options->level);
	return TR_OK;
}

// ---- wavelet leaders
// Jaffard, Lashermes and Abry, Wavelet leaders in multifractal analysis, in: Wavelet analysis and
// applications (2006) 201-246; Wendt, Abry and Jaffard, Bootstrap for empirical multifractal
// analysis, IEEE Signal Processing Magazine 24 (2007) 38-48. The leader of a dyadic interval is the
// largest |coefficient| of its own, its two neighbours' and all finer ones within these three;
// structure functions are means of its powers, and log-cumulants the growth of mean and variance of
// its logarithm with the octave. Differences to them: leaders need a process that is continuous, so
// the coefficients of the increments are multiplied by 2^j, which stands for their integral
// (pseudo-fractional integration of order 1, Wendt, Roux, Jaffard and Abry, Wavelet leaders and
// bootstrap for multifractal analysis of images, Signal Processing 89 (2009) 1100-1114); and the
// intervals are Student's from a jackknife over segments of time, as a block bootstrap would need
// random numbers. Known values: fractional Gaussian noise has c1 = H and c2 = 0, a multifractal
// random walk c1 = 1/2 + l^2 and c2 = -l^2, a log-normal cascade c1 = 1 + s^2 / (2 ln 2) and c2 =
// -s^2 / ln 2, in tests/property/stat_leaders_test.c.

#define LEADERS_MIN 64
#define SEGMENTS 16
#define ROUNDING 1e-10 // of an octave's largest detail: below it a detail is 0 up to rounding
#define STATISTICS (2 + LEADERS_ORDERS)

static const double leaders_orders[LEADERS_ORDERS] = {-2, -1, 0.5, 1, 1.5, 2, 3, 4};

// Sums over the nonzero leaders of one segment of time.
struct multifractal_sums {
	double n, log, log_squared, powers[LEADERS_ORDERS];
};

struct leaders_octave {
	double j, all, zeros;
	struct multifractal_sums segments[SEGMENTS];
};

// The estimates: c1, c2, then zeta of the orders.
struct estimates {
	double values[STATISTICS];
};

static void multifractal_add_sums(struct multifractal_sums *into,
				  const struct multifractal_sums *from)
{
	into->n += from->n;
	into->log += from->log;
	into->log_squared += from->log_squared;
	for (size_t i = 0; i < LEADERS_ORDERS; i++)
		into->powers[i] += from->powers[i];
}

// Largest |detail| of each interval of an octave and of all finer ones in it, into inner, which
// holds that of the octave below (empty below the first). The intervals under k are those whose
// coefficients stand in its middle: 2 k and 2 k + 1, moved by half the filter's length. Multiplied
// by 2^(j/2), the details are those of the integral in the norm of L1.
static void rise(const double *details, size_t count, size_t j, size_t taps, double *inner)
{
	const double factor = exp2((double)j / 2);
	double largest = 0;

	for (size_t k = 0; k < count; k++)
		largest = fmax(largest, fabs(details[k]));
	for (size_t k = 0; k < count; k++) {
		const double size = fabs(details[k]),
			     own = size > ROUNDING * largest ? factor * size : 0;
		const size_t below = 2 * k + taps / 2 - 1;

		inner[k] = j == 1 ? own : fmax(own, fmax(inner[below], inner[below + 1]));
	}
}

// level: a logarithm near those of all leaders, so that no power of them overflows.
static void measure_octave(struct leaders_octave *octave, const double *inner, size_t count,
			   double level)
{
	*octave = (struct leaders_octave){.j = octave->j};
	for (size_t k = 1; k + 1 < count; k++) {
		const double leader = fmax(inner[k], fmax(inner[k - 1], inner[k + 1]));
		struct multifractal_sums *sums = &octave->segments[k * SEGMENTS / count];
		double log_leader;

		octave->all++;
		if (!(leader > 0)) {
			octave->zeros++;
			continue;
		}
		log_leader = log(leader) - level;
		sums->n++;
		sums->log += log_leader;
		sums->log_squared += log_leader * log_leader;
		for (size_t i = 0; i < LEADERS_ORDERS; i++)
			sums->powers[i] += exp(leaders_orders[i] * log_leader);
	}
}

// Fits all statistics over the octaves by least squares weighted with the number of leaders,
// without a segment (SEGMENTS: with all).
static struct estimates leaders_fit(const struct leaders_octave *octaves, size_t count,
				    size_t without)
{
	double s0 = 0, s1 = 0, s2 = 0, y0[STATISTICS] = {0}, y1[STATISTICS] = {0};
	struct estimates out;

	for (size_t o = 0; o < count; o++) {
		struct multifractal_sums all = {0};
		double y[STATISTICS], mean;

		for (size_t i = 0; i < SEGMENTS; i++)
			if (i != without)
				multifractal_add_sums(&all, &octaves[o].segments[i]);
		mean = all.log / all.n;
		y[0] = mean / M_LN2;
		y[1] = (all.log_squared / all.n - mean * mean) * all.n / (all.n - 1) / M_LN2;
		for (size_t i = 0; i < LEADERS_ORDERS; i++)
			y[2 + i] = log2(all.powers[i] / all.n);
		s0 += all.n;
		s1 += all.n * octaves[o].j;
		s2 += all.n * octaves[o].j * octaves[o].j;
		for (size_t i = 0; i < STATISTICS; i++) {
			y0[i] += all.n * y[i];
			y1[i] += all.n * octaves[o].j * y[i];
		}
	}
	for (size_t i = 0; i < STATISTICS; i++)
		out.values[i] = (s0 * y1[i] - s1 * y0[i]) / (s0 * s2 - s1 * s1);
	return out;
}

// Student's interval over the jackknife that leaves one segment out.
static void set_intervals(const struct leaders_octave *octaves, size_t count, double level,
			  const struct estimates *all, struct interval intervals[STATISTICS])
{
	const double t = gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, SEGMENTS - 1);
	struct estimates left[SEGMENTS];

	for (size_t i = 0; i < SEGMENTS; i++)
		left[i] = leaders_fit(octaves, count, i);
	for (size_t s = 0; s < STATISTICS; s++) {
		double mean = 0, squares = 0, half;

		for (size_t i = 0; i < SEGMENTS; i++)
			mean += left[i].values[s] / SEGMENTS;
		for (size_t i = 0; i < SEGMENTS; i++)
			squares += (left[i].values[s] - mean) * (left[i].values[s] - mean);
		half = t * sqrt(squares * (SEGMENTS - 1) / SEGMENTS);
		intervals[s] = (struct interval){all->values[s] - half, all->values[s] + half};
	}
}

static void multifractal_set(struct leaders *out, const struct leaders_octave *octaves,
			     size_t count, double level)
{
	const struct estimates all = leaders_fit(octaves, count, SEGMENTS);
	struct interval intervals[STATISTICS];
	double leaders = 0, zeros = 0;

	set_intervals(octaves, count, level, &all, intervals);
	for (size_t i = 0; i < count; i++) {
		leaders += octaves[i].all;
		zeros += octaves[i].zeros;
	}
	*out = (struct leaders){
		.j1 = (size_t)octaves[0].j,
		.j2 = (size_t)octaves[count - 1].j,
		.zeros = zeros / leaders,
		.c1 = all.values[0],
		.c2 = all.values[1],
		.c1_interval = intervals[0],
		.c2_interval = intervals[1],
	};
	for (size_t i = 0; i < LEADERS_ORDERS; i++)
		out->orders[i] = (struct leaders_order){leaders_orders[i], all.values[2 + i],
							intervals[2 + i]};
}

// Whether each segment has nonzero leaders, and all together enough.
static bool enough(const struct leaders_octave *octave)
{
	for (size_t i = 0; i < SEGMENTS; i++)
		if (octave->segments[i].n < 1)
			return false;
	return octave->all - octave->zeros >= LEADERS_MIN;
}

// Fills the octaves of the fit; returns their number. work: the approximation, details, and the
// largest ones inside.
static size_t leaders_measure(const struct wavelet *wavelet, size_t j1, size_t n, double *work,
			      struct leaders_octave *octaves)
{
	double *const details = work + n, *const inner = details + n / 2;
	double level = 0;
	size_t used = 0;

	for (size_t j = 1; n >= wavelet->taps && used < WAVELET_OCTAVES_MAX; j++) {
		n = wavelet_step(wavelet, work, n, details);
		rise(details, n, j, wavelet->taps, inner);
		if (j < j1)
			continue;
		if (used == 0)
			for (size_t k = 0; k < n; k++)
				level = inner[k] > 0 ? fmax(level, log(inner[k])) : level;
		octaves[used].j = (double)j;
		measure_octave(&octaves[used], inner, n, level);
		if (!enough(&octaves[used]))
			break;
		used++;
	}
	return used;
}

enum tr_status leaders_make(const double *x, size_t n, const struct leaders_options *options,
			    double *work, struct leaders *out, struct tr_error *err)
{
	struct leaders_octave octaves[WAVELET_OCTAVES_MAX];
	struct wavelet wavelet;
	size_t used;

	if (wavelet_start(&wavelet, options->vanishing, x, n, work, err) != TR_OK)
		return TR_ERROR;
	// One above that of the multiscale diagram: a leader needs some finer octaves.
	used = leaders_measure(&wavelet,
			       options->j1 > 0 ? options->j1 : wavelet_undisturbed_octave(n) + 1, n,
			       work, octaves);
	if (used < OCTAVES_MIN)
		return tr_fail(err,
			       "wavelet leaders need %d octaves with %d nonzero leaders, some in "
			       "each sixteenth of the series",
			       OCTAVES_MIN, LEADERS_MIN);
	multifractal_set(out, octaves, used, options->level);
	return TR_OK;
}
