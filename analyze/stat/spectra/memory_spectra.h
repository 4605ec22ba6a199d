// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of memory that fades and of memory that lasts, as sums of parts: white noise,
// relaxations, and a power law that begins somewhere; and their fits by Whittle's likelihood
// (Whittle 1953).
#ifndef STAT_MEMORY_SPECTRA_H
#define STAT_MEMORY_SPECTRA_H

#include "stat/spectra/banded_spectrum.h"

// A relaxation is the spectrum of an AR(1) process of time t in points (Box and Jenkins 1976), (1 -
// p^2) / (1 - 2 p cos l + p^2) with p = exp(-1 / t): of a rate that jumps between two values, of
// exponential sessions, and, for t beyond the series, of a level shift or a trend. Its moving
// average, in [0, 2 - sqrt 3], is what a mean over a bin makes of it.
// The power law is the spectrum of fractional Gaussian noise (Sinai 1976) or of fractionally
// integrated noise (Granger and Joyeux 1980), u^(1 - 2 H) at low frequencies u = 2 sin(l / 2),
// times (1 + (u t)^2)^(H - 3/2): above the frequency 1 / t it falls as the power of sessions
// shorter than all that there are, u^-2. With Pareto sessions or on-off times t is about the
// shortest of them.

// Indices of the parameters: logarithms of levels and times, the moving average, and H.
enum memory_parameter {
	MEMORY_WHITE,
	MEMORY_LEVEL,
	MEMORY_TIME,
	MEMORY_TURN,
	MEMORY_LEVEL_2,
	MEMORY_TIME_2,
	MEMORY_LEVEL_3,
	MEMORY_TIME_3,
	MEMORY_PARAMETERS,
	MEMORY_LAW = MEMORY_LEVEL_2, // of the spectrum with a power law
	MEMORY_BEGIN = MEMORY_TIME_2,
	MEMORY_HURST = MEMORY_LEVEL_3
};

#define MEMORY_LOWEST (-14.0) // of a level's logarithm, for a part that is left out
#define MEMORY_SHARE_PERIODS \
	16 // its strength is what it has of the power at the frequency with so many periods in the
	   // series
#define MEMORY_BEGIN_PERIODS \
	8 // the power law begins where there are at least as many periods in the series

// One relaxation, for any frequency.
struct relaxation {
	double level; // of the numerator
	double q_squared, twice_p;
	double moving, moving_slope; // of the moving average, over the cosine
};

// The relaxation with this level and time, both as logarithms, and this turn of its moving average.
struct relaxation relaxation_of(double log_level, double log_time, double turn);

// Its power at a frequency of which this is the cosine.
static inline double relaxation_at(const struct relaxation *r, double cosine)
{
	return r->level * (r->moving + r->moving_slope * cosine) /
	       (r->q_squared + r->twice_p * (1 - cosine));
}

// The sum of x[i] y[i], in two sums so that it does not wait for itself.
static inline double memory_product(const double *x, const double *y, size_t n)
{
	double even = 0, odd = 0;
	size_t i = 0;

	for (; i + 1 < n; i += 2) {
		even += x[i] * y[i];
		odd += x[i + 1] * y[i + 1];
	}
	return i < n ? even + odd + x[i] * y[i] : even + odd;
}

enum memory_law { MEMORY_FGN, MEMORY_FARIMA, MEMORY_LAWS };

// The power law at the bands, from Nyquist's frequency on, 1 at the frequency reference.
void memory_law_fill(enum memory_law law, double h, double reference,
		     const struct banded_spectrum *bands, double *out);

// The factor of the power law if it begins at the time exp(log_begin).
double memory_law_begun(double log_begin, double h, double cosine);

// The power law at the bands that a shape is for, computed again only if h changes: most of a
// spectrum's derivatives keep it.
struct memory_law_values {
	double h, at[BANDS_MAX]; // h 0: none yet
};

struct memory_shape {
	enum memory_law law;
	double reference; // frequency where the power law is 1
	struct memory_law_values *values;
};

struct memory_fit {
	double likelihood; // logarithm
	int relaxations;   // of a fit without a power law
	double parameters[MEMORY_PARAMETERS];
};

// White noise and so many relaxations, 0 to 3.
void memory_fit_short(const struct banded_spectrum *bands, int relaxations, struct memory_fit *out);

// White noise, a relaxation and a power law. shape is lent.
void memory_fit_long(const struct memory_shape *shape, const struct banded_spectrum *bands,
		     struct memory_fit *out);

// Fits them again from parameters, with the H given.
void memory_fit_long_of(const struct memory_shape *shape, const struct banded_spectrum *bands,
			double h, struct memory_fit *fit);

// The standard error of H at the maximum, before the dispersion.
double memory_hurst_error(const struct memory_shape *shape, const struct banded_spectrum *bands,
			  const struct memory_fit *fit);

// Fills out[bands->count] with the spectrum of a fit: of short memory, or of long memory with these
// parameters.
void memory_spectrum_short(const struct memory_fit *fit, const struct banded_spectrum *bands,
			   double *out);
void memory_spectrum_long(const struct memory_shape *shape, const double *parameters,
			  const struct banded_spectrum *bands, double *out);

#endif
