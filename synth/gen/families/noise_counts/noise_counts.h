// SPDX-License-Identifier: GPL-3.0-or-later
// Counts with long-range dependence: packets per bin of the whole network follow fractional noise
// (Davies and Harte 1987, see fractional_noise.h). The parameters of the family "fractional-noise"
// (man/flit-model.5).
#ifndef GEN_FAMILIES_NOISE_COUNTS_H
#define GEN_FAMILIES_NOISE_COUNTS_H

#include <stdio.h>

#include "gen/families/arrivals.h"
#include "gen/forecast.h"
#include "gen/fractional_noise.h"
#include "gen/size_bins.h"
#include "text/model.h"

// Zero is empty; noise_model_clear frees it.
struct noise_model {
	uint64_t nodes;
	double duration_s;
	double bin_s;
	double packets;	   // mean per bin
	double dispersion; // variance over mean of a bin's count
	double hurst;
	int law;	 // enum fractional_law
	double header_B; // bytes on the wire beside the payload
	struct size_bin *bins;
	size_t bin_count;
};

// Adds the model's text. The comments on the mean and on H may be NULL.
void noise_model_put(struct model *model, const struct noise_model *noise, const char *of_packets,
		     const char *of_hurst);

// Frees what it holds; it is empty then.
void noise_model_clear(struct noise_model *noise);

// ---- A normal law whose values below 0 become 0 (Tobin, Estimation of relationships for limited
// dependent variables, Econometrica 26 (1958) 24-36), by its resulting mean and deviation. Known
// value: for a standard normal they are 1/sqrt(2 pi) and sqrt(1/2 - 1/(2 pi)).

struct rectified_normal {
	double mean, deviation; // of the normal law, before its values below 0 become 0
	double zero;		// share of its values below 0
};

// The law with this resulting mean (above 0) and deviation (0 or more); the nearest to it where the
// deviation exceeds 5e7 times the mean.
struct rectified_normal rectified_normal_of(double mean, double deviation);

// ---- Fractional noise fitted to the times of packets.

// Bounds of H.
#define NOISE_FIT_HURST_LEAST 0.01
#define NOISE_FIT_HURST_MOST 0.99

struct noise_fitted {
	double packets[2]; // interval of a bin's mean, at the requested level
	double hurst[2];
	double suits; // p-value of the goodness-of-fit test (Beran 1992)
};

// Sets bin_s, packets, dispersion, hurst and law; the caller sets the rest. The bin width is the
// least of 1, 2 and 5 times powers of ten of a second, with 8 packets or more in a bin on average
// and 256 bins or more (2^20 at most), at which fractional Gaussian noise is not rejected at 5 %,
// otherwise the one with the largest p-value; H is Whittle's estimate. Bins begin at multiples of
// their width from tick 0. The dispersion is corrected for the bias of a sample variance under long
// memory. TR_ERROR: too few packets, all bins equal, or no memory.
enum tr_status noise_fit(struct noise_model *out, const struct arrival_times *times,
			 double ticks_per_s, double level, struct noise_fitted *found,
			 struct tr_error *err);

extern const struct family_fit noise_family_fit; // of noise_fit.c

#endif
