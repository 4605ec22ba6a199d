// SPDX-License-Identifier: GPL-3.0-or-later
// Fractional noise fitted to the times of packets.
#ifndef GEN_NOISE_FIT_H
#define GEN_NOISE_FIT_H

#include "gen/families/arrivals.h"
#include "gen/noise_model.h"

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

#endif
