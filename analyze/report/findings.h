// SPDX-License-Identifier: GPL-3.0-or-later
// The analyses of a counted stream: estimates of H, spectrum and periods, and the questions of
// flittest(1).
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "report/stream_counts.h"
#include "stat/counts/poisson_test.h"
#include "stat/counts/variance_slope.h"
#include "stat/hurst/estimator.h"
#include "stat/intervals/verdict.h"
#include "stat/tests/self_similarity.h"
#include "stat/tests/tail.h"
#include "value/random.h"
#include "value/status.h"

// ---- all estimates of the Hurst parameter of one stream's packet counts

struct hurst_estimate {
	const struct estimator *estimator;
	struct estimate estimate;
};

struct hurst {
	struct variance_slope slope;	  // over the 13 widths
	double level;			  // of all intervals
	double width_s;			  // of the bins of the estimators' series
	size_t n;			  // points of it; 0: no series
	size_t count;			  // estimators that succeeded
	struct hurst_estimate *estimates; // of those
};

// Runs every estimator on finished counts. Leaves out those for which the series is too short or
// that give no estimate. TR_ERROR if out of memory.
enum tr_status hurst_make(struct hurst *out, const struct counts *counts, double level,
			  struct tr_error *err);

// Frees what it holds.
void hurst_close(struct hurst *hurst);

// The estimate's H, corrected for the method's bias if that is known.
double hurst_best(const struct estimate *estimate);

// ---- the spectrum of one stream's packet counts, its self-similarity and its periods

#define PERIODICITY_POINTS 200

// A group of neighbouring frequencies.
struct periodicity_point {
	double period_s;   // of the middle
	double mean, peak; // power relative to the overall mean
};

struct periodicity {
	size_t n;		       // bins; 0: no series, or a constant one
	double width_s;		       // of a bin
	struct self_similarity judged; // scales in bins; unknown, without a sentence, if n is 0
	size_t count;
	struct periodicity_point points[PERIODICITY_POINTS]; // from the longest period on
};

// Judges finished counts, with intervals of the level. TR_ERROR if out of memory.
enum tr_status periodicity_make(struct periodicity *out, const struct counts *counts, double level,
				struct tr_error *err);

// Appends a sentence: no period stands out, and how strong a detectable one is. own has a series
// and no period.
void periodicity_say_none(const struct periodicity *own, char *text, size_t bytes);

// ---- gaps between packets drawn at random from a stream of any length

#define GAP_SAMPLE_MAX 65536u

// 8 bytes a gap kept.
struct gap_sample {
	struct tr_random random;
	uint64_t seen;
	double *gaps; // the sample, at most GAP_SAMPLE_MAX, in ticks
	size_t capacity;
};

// ---- the questions of flittest(1), of one stream of a report

#define VERDICTS 6
#define VERDICT_SHUFFLED_MAX \
	((size_t)1 << 16) // points that are shuffled: the first ones of a longer series

// One question and its answer.
struct verdict_row {
	const char *question; // static
	const char *on;	      // the data it was asked of; static
	size_t n;	      // values or points of these data
	enum verdict answer;  // jointly with the other rows (stat/holm.h)
	double p;	      // of this row alone; NaN if unknown
	char sentence[VERDICT_SENTENCE];
};

// The longest gaps: their number and that of all, their threshold in ticks, and Hill's index; NaN
// if there are too few.
struct gap_tail {
	double share, threshold_ticks;
	struct tail_index hill;
};

struct verdicts {
	struct poisson poisson;
	struct gap_sample gaps;
	struct verdict_row rows[VERDICTS]; // after verdicts_finish
	size_t count;
	struct gap_tail gap_tail; // likewise
};

// Starts one. Intervals of the Poisson test are a second long, or one tick if ticks are longer.
void verdicts_open(struct verdicts *verdicts, uint64_t ticks_per_s);

// Adds an arrival; gap_ticks is the time since the one before, negative for the first. TR_ERROR if
// out of memory.
enum tr_status verdicts_add(struct verdicts *verdicts, int64_t time_ticks, int64_t gap_ticks,
			    struct tr_error *err);

// Runs the tests on the arrivals, the sample of the gaps, and the counts' series, whose verdict
// spectral has. TR_ERROR if out of memory.
enum tr_status verdicts_finish(struct verdicts *verdicts, const struct counts *counts,
			       const struct periodicity *spectral, double level,
			       struct tr_error *err);

// Frees what it holds.
void verdicts_close(struct verdicts *verdicts);

#endif
