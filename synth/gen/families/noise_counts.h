// SPDX-License-Identifier: GPL-3.0-or-later
// Counts with long-range dependence: packets per bin of the whole network follow fractional noise (Davies and Harte 1987, see
// fractional_noise.h). The parameters of the family "fractional-noise" (man/flit-model.5).
#ifndef GEN_FAMILIES_NOISE_COUNTS_H
#define GEN_FAMILIES_NOISE_COUNTS_H

#include <stdio.h>

#include "gen/families/arrivals.h"
#include "gen/forecast.h"
#include "gen/fractional_noise.h"
#include "gen/size_bins.h"
#include "trace/model.h"

#define NOISE_NODES_MAX 1000000u

// Zero is empty; noise_model_clear frees it.
struct noise_model {
	uint64_t nodes;
	double duration_s;
	double bin_s;
	double packets;	   // mean a bin
	double dispersion; // variance over mean of a bin's count
	double hurst;
	int law;	 // enum fractional_law
	double header_B; // bytes on the wire beside the payload
	struct size_bin *bins;
	size_t bin_count;
};

// Adds the model's text. Comments of the mean and of H may be NULL.
void noise_model_put(struct model *model, const struct noise_model *noise, const char *of_packets, const char *of_hurst);

void noise_model_clear(struct noise_model *noise);

// ---- A normal law whose values below 0 become 0 (Tobin, Estimation of relationships for limited dependent variables,
// Econometrica 26 (1958) 24-36), found by the mean and deviation that are left. Known value: of a standard normal they are
// 1/sqrt(2 pi) and sqrt(1/2 - 1/(2 pi)).

struct rectified_normal {
	double mean, deviation; // of the normal law, before its values below 0 become 0
	double zero;		// share of its values below 0
};

// The law of which mean (above 0) and deviation (0 or more) are left. Where the deviation is more than 5e7 times the mean, the
// one nearest to that.
struct rectified_normal rectified_normal_of(double mean, double deviation);

// ---- Fractional noise fitted to the times of packets.

// Bounds of H.
#define NOISE_FIT_HURST_LEAST 0.01
#define NOISE_FIT_HURST_MOST 0.99

struct noise_fitted {
	double packets[2]; // interval of the mean of a bin, at the level asked for
	double hurst[2];
	double suits; // probability of a worse fit where the counts are such noise (Beran 1992)
};

// Sets bin_s, packets, dispersion, hurst and law; the rest is the caller's. The bins' width is the least of 1, 2 and 5 times
// powers of ten of a second, with 8 packets or more in a bin on average and 256 bins or more (2^20 at most), at which fractional
// Gaussian noise is not refused at 5 %, or else the one where it is refused least; H is Whittle's estimate. Bins begin at
// multiples of their width from tick 0. The dispersion is
// freed of the bias that long memory gives a sample's variance. TR_ERROR: too few packets, all bins alike, or no memory.
enum tr_status noise_fit(struct noise_model *out, const struct arrival_times *times, double ticks_per_s, double level,
			 struct noise_fitted *found, struct tr_error *err);

extern const struct family_fit noise_family_fit; // of noise_fit.c

#endif
