// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on a series of counts: self-similar, not, or not decided. By the likelihoods of
// memory_models.h (Whittle 1953) and of a power law plus noise (Frederiksen, Nielsen and Nielsen
// 2012).
#ifndef STAT_SELF_SIMILARITY_H
#define STAT_SELF_SIMILARITY_H

#include <stddef.h>

#include "stat/intervals/verdict.h"
#include "stat/spectra/memory_exclusion.h"
#include "stat/spectra/memory_models.h"
#include "stat/spectra/periods.h"
#include "value/status.h"

#define SELF_SIMILARITY_POINTS_MIN 256
#define SELF_SIMILARITY_POWER_MIN 0.8 // of no

struct self_similarity {
	enum verdict answer; // VERDICT_UNKNOWN: not decided
	double h, lo, hi;    // Hurst parameter and its interval; NaN unless the answer is yes
	// In points: from where the power law dominates the spectrum to an eighth of the series;
	// NaN unless yes.
	double scale_min, scale_max;
	// Probability of the answer where it is right: of no for such a series without long memory,
	// else of yes for such a series with H of .8. NaN without models.
	double power;
	struct periods periods;		   // whose lines were left out
	struct memory_models models;	   // of a series long enough for them
	struct memory_exclusion exclusion; // unless the answer is yes
	char sentence[VERDICT_SENTENCE];   // why
};

// "yes", "no", "not decided".
const char *self_similarity_word(enum verdict answer);

// Natural logarithm of the odds behind the answer: of the accepted explanation against the rejected
// one; if undecided, of long memory against short. NaN without models.
double self_similarity_log_odds(const struct self_similarity *verdict);

// Judges x[n], counts or any stationary series, by its spectrum; n is at least
// SELF_SIMILARITY_POINTS_MIN. level: of the interval of H, in (0, 1). periods: of x, NULL if
// unknown. TR_ERROR if out of memory.
enum tr_status self_similarity_decide(const double *x, const struct spectrum *spectrum,
				      const struct periods *periods, double level,
				      struct self_similarity *out, struct tr_error *err);

// The same from the series alone. A series too short or constant is not decided.
enum tr_status self_similarity_decide_series(const double *x, size_t n,
					     const struct periods *periods, double level,
					     struct self_similarity *out, struct tr_error *err);

#endif
