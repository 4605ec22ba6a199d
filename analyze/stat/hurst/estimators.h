// SPDX-License-Identifier: GPL-3.0-or-later
// The estimators of long-range dependence that the table in estimator.c lists: what each measures,
// its own choice of scales or frequencies, and its paper. The text above each in its .c file says
// what differs from the paper, and known values.
#ifndef STAT_ESTIMATORS_H
#define STAT_ESTIMATORS_H

#include "stat/hurst/estimator.h"

// ---- Means of blocks: block_means.c

// The variance of the means of blocks of m points falls as m^(2H - 2); H = 1 + slope / 2 of log
// variance on log m: the variance-time plot. Taqqu, Teverovsky and Willinger 1995.
extern const struct estimator aggregated_variance;

// The mean absolute deviation of the means falls as m^(H - 1); H = 1 + slope. It exists even if the
// variance does not. Taqqu, Teverovsky and Willinger 1995.
extern const struct estimator absolute_moments;

// A level shift adds the same to the variance of block means of every length, so nothing to the
// differences between neighbouring lengths, which fall as m^(2H - 2); H = 1 + slope / 2. Noisy, and
// biased upwards. Teverovsky and Taqqu 1997.
extern const struct estimator differenced_variance;

// Shortest and longest block that the three fit to n points, unless options choose others: 10 and n
// / 128; below 16,384 points 10 and 128, below 2,048 n / 205 and n / 16.
void block_means_range(const struct estimate_options *options, size_t n, double *min, double *max);

// ---- The profile: higuchi.c, detrended.c, rescaled_range.c

// The length of the profile's curve, measured with steps of k points, falls as k^(H - 2); H = 2 +
// slope. All k starts are used. 40 steps, evenly spaced in log k, from 1 to n / 10. Biased
// downwards for high H. Higuchi 1988.
extern const struct estimator higuchi;

// The variance of the residuals of the profile's blocks of m points, around a straight line each,
// grows as m^(2H); H = slope / 2. Uses the median of the blocks' variances: the mean would be
// dominated by a few violent blocks. 30 lengths, evenly spaced in log m, from 16 (below 1,600
// points n / 100, at least 10) to n / 10. Taqqu, Teverovsky and Willinger 1995; Taqqu and
// Teverovsky 1998.
extern const struct estimator residuals;

// Detrended fluctuation analysis: the root of the mean squared residual of the profile's blocks,
// around a polynomial of order 1, 2 or 3 each, grows as m^H; H = slope. Order p removes a trend of
// order p - 1 in the series. Blocks are counted from both ends. Lengths as for residuals. Peng,
// Buldyrev, Havlin, Simons, Stanley and Goldberger 1994; Kantelhardt, Koscielny-Bunde, Rego, Havlin
// and Bunde 2001.
extern const struct estimator detrended_fluctuation_1;
extern const struct estimator detrended_fluctuation_2;
extern const struct estimator detrended_fluctuation_3;

// Rescaled adjusted range: in a block of m points the range of the sums of deviations from the
// block's mean, over the block's standard deviation (divisor m); its mean over the blocks grows as
// m^H. Blocks do not overlap; one in which all points are equal does not count. 25 lengths, evenly
// spaced in log m, from n / 256 (at least 8, at most 64) to n / 10. Mandelbrot and Wallis 1969;
// Taqqu, Teverovsky and Willinger 1995.
extern const struct estimator rescaled_range;

// ---- The lowest frequencies: periodogram.c, power_law.c, exact_local_whittle.c,
// local_whittle_noise.c

// The periodogram falls as l^(1 - 2H) towards frequency 0; H = (1 - slope) / 2 of log power on log
// frequency, over the lowest tenth of the n Fourier frequencies. Dependence over short times bends
// it. Taqqu, Teverovsky and Willinger 1995.
extern const struct estimator periodogram;

// The power below frequency l, F(l), grows as l^(2 - 2H); H = 1 - log2(F(l_m) / F(l_(m/2))) / 2
// with m = n^0.65. The plot shows the whole curve. Robinson 1994.
extern const struct estimator averaged_periodogram;

// Log power on -2 log(2 sin(l / 2)) over the lowest m frequencies has the slope d = H - 1/2; m =
// n^0.5, so that the bias from short-range dependence is small against the error. Geweke and
// Porter-Hudak 1983.
extern const struct estimator geweke_porter_hudak;

// Whittle's likelihood of power ~ l^(1 - 2H) over the lowest m = n^0.65 frequencies. The best of
// those that assume nothing about the higher frequencies; a strong period biases it. Robinson 1995.
extern const struct estimator local_whittle;

// The d that makes the lowest m = n^0.65 frequencies of (1 - B)^d x whitest; H = d + 1/2. As the
// local Whittle estimator, but also for series that are not stationary (H of 1 and above). The
// unknown level is the mean for d below 1/2, the first point from 3/4 on, and a mixture between.
// Shimotsu and Phillips 2005; Shimotsu 2010.
extern const struct estimator exact_local_whittle;

// A power law above white noise of any level, bent by short dependence: local_whittle_noise.h. m =
// n^0.75; 0.5 <= H < 1.49. Frederiksen, Nielsen and Nielsen 2012; Hurvich, Moulines and Soulier
// 2005.
extern const struct estimator local_whittle_noise;

// ---- All frequencies: fgn_spectrum.c, power_law.c, farima.c, fexp.c

// Whittle's likelihood of fractional Gaussian noise. The most precise if the series is such noise,
// and wrong if it is not, which Beran's test shows. Beran 1994.
extern const struct estimator whittle_fgn;

// Whittle's likelihood of FARIMA(0, d, 0), whose power is (2 sin(l / 2))^(-2d) up to a factor, d =
// H - 1/2. As precise if the model is right, and as wrong if not. Fox and Taqqu 1986.
extern const struct estimator whittle_farima;

// Whittle's likelihood of FARIMA(p, d, q), p and q up to 2 by the Bayesian information criterion;
// 0.01 <= H < 1.49. Hosking 1981; Beran, Bhansali and Ocker 1998.
extern const struct estimator farima;

// Regression of log power on -2 log|1 - e^il| and cosines, the fractional exponential model; the
// order is that of Mallows' criterion, up to 12, plus 4 (n / 8192)^(1/4). Moulines and Soulier
// 1999; Beran 1993.
extern const struct estimator fexp;

// ---- Wavelets: logscale.c

// The logscale diagram: the mean squared detail of octave j grows as 2^(j alpha), alpha = 2H - 1; a
// weighted line through its logarithm, freed of bias, from octave j1 to j2, and the probability of
// a worse fit. j2 is the last octave with 8 details; j1 the first, of those that leave 5 octaves,
// from which on that probability is above .01 (else the one where it is highest, with a warning).
// scale_min and scale_max are in points, and rounded to octaves.
//
// Haar's wavelet has no bias on fractional Gaussian noise at any octave, but is disturbed by a
// linear trend; j1 is at least 2, as the details of octave 1 depend on one another too much for the
// interval. Daubechies' with 3 vanishing moments (or options->vanishing) removes a trend of degree
// 2, but sampling of the series disturbs the lower octaves: j1 is at least 4, from 2^18 points on
// 5, from 2^22 on 6. Veitch and Abry 1999.
extern const struct estimator logscale_haar;
extern const struct estimator logscale_daubechies;

// As logscale_daubechies, but onset_of_scaling chooses j1, from wavelet_first_octave on, and
// estimate.density is set. Veitch and Abry 1999; Veitch, Abry and Taqqu 2003.
extern const struct estimator logscale_joint;

// ---- The rate behind counts, above the noise of counting: local_whittle_noise.c, shot_noise.c

// All three take counts only, and know the level of the noise: given the rate, counts of a Poisson
// process are independent with variance equal to mean, so their spectrum is that of the rate and
// mean / 2 pi (Cox and Lewis 1966), and the mean squared detail of a wavelet is that of the rate
// and the mean, at every octave. 0.5 <= H < 1.49.

// As local_whittle_noise, with m = n^0.7 and no level to estimate. Frederiksen, Nielsen and Nielsen
// 2012.
extern const struct estimator shot_local_whittle;

// All frequencies: the rate has the spectrum of a fractional exponential model of order up to 8.
// Beran 1993.
extern const struct estimator shot_fexp;

// Daubechies' wavelet with 3 vanishing moments, or options->vanishing. The mean squared detail of
// octave j is the mean count (the noise) plus c 2^(j (2H - 1)) (the rate). Octaves as
// logscale_joint. Veitch and Abry 1999.
extern const struct estimator shot_wavelet;

// The mean of a series of counts. TR_ERROR if options say bytes, a count is negative or not whole,
// or all are 0.
enum tr_status shot_noise_mean(const struct series_parts *series,
			       const struct estimate_options *options, double *mean,
			       struct tr_error *err);

#endif
