// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/hurst/dyadic.h"

#include <math.h>

#include "stat/hurst/estimators.h"
#include "stat/hurst/logscale.h"
#include "stat/spectra/wavelet.h"

// Roughan, Veitch and Abry, Real-time estimation of the parameters of long-range dependence,
// IEEE/ACM Transactions on Networking 8 (2000) 467-478, section IV: the pyramid as a running filter
// bank. For Haar's wavelet all arithmetic is in integers.

// At each level the window with the open bin is whole once time has moved to another one, and those
// in between are empty; windows with the first bin, which was cut, are left out.
static void dyadic_complete(struct dyadic *dyadic, int64_t index)
{
	int64_t from = dyadic->open.index, to = index, cut = dyadic->cut;
	int64_t sum = (int64_t)(dyadic->of_bytes ? dyadic->open.size_bytes : dyadic->open.count);

	for (unsigned j = 0; from != to && j < DYADIC_LEVELS;
	     j++, from >>= 1, to >>= 1, cut >>= 1) {
		struct dyadic_level *level = &dyadic->level[j];
		const uint64_t empty = (uint64_t)(to - from - 1);
		const bool is_right = (from & 1) != 0,
			   is_pair = from - is_right > cut && (is_right || empty > 0);
		const int64_t left = is_right ? level->left : sum, right = is_right ? sum : 0,
			      detail = left - right;

		if (from > cut)
			moments_add(&level->windows, sum);
		if (empty > 0)
			moments_add_zeros(&level->windows, empty);
		if (dyadic->levels <= j && level->windows.n > 0)
			dyadic->levels = j + 1;
		// No branch: whether there is a pair is unpredictable.
		level->details += (unsigned __int128)((__int128)detail * detail) &
				  -(unsigned __int128)is_pair;
		level->left = empty > 0 ? 0 : sum;
		sum = left + right;
	}
}

// Keeps the total small enough for squares of windows.
static enum tr_status add_to_total(struct dyadic *dyadic, const struct bin_run *run,
				   struct tr_error *err)
{
	const uint64_t more = dyadic->of_bytes ? run->size_bytes : run->count;

	if (more > DYADIC_TOTAL_MAX - dyadic->total)
		return tr_fail(err, "bin %lld: the total of %s exceeds 2^62", (long long)run->index,
			       dyadic->of_bytes ? "bytes" : "packets");
	dyadic->total += more;
	return TR_OK;
}

enum tr_status dyadic_take(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct dyadic *dyadic = context;

	if (add_to_total(dyadic, run, err) != TR_OK)
		return TR_ERROR;
	if (dyadic->started && run->index == dyadic->open.index) {
		dyadic->open.count += run->count;
		dyadic->open.size_bytes += run->size_bytes;
		return TR_OK;
	}
	if (dyadic->started && run->index < dyadic->open.index)
		return tr_fail(err, "bin %lld follows bin %lld: the packets are not in time order",
			       (long long)run->index, (long long)dyadic->open.index);
	if (dyadic->started)
		dyadic_complete(dyadic, run->index);
	else
		dyadic->cut = run->index;
	dyadic->started = true;
	dyadic->open = *run;
	return TR_OK;
}

void dyadic_pass(struct dyadic *dyadic, int64_t index)
{
	if (!dyadic->started || index <= dyadic->open.index)
		return;
	dyadic_complete(dyadic, index);
	dyadic->open = (struct bin_run){.index = index};
}

uint64_t dyadic_pairs(const struct dyadic *dyadic, unsigned level)
{
	return level + 1 < DYADIC_LEVELS ? dyadic->level[level + 1].windows.n : 0;
}

// ---- estimates
// Haar: Veitch and Abry 1999, see stat/hurst/logscale.c. Aggregated variance: Taqqu, Teverovsky and
// Willinger 1995, see stat/hurst/block_means.c. Known values: those of the two on a series whose
// first point lies on a multiple of its length, in tests/property/stat_dyadic_test.c.

static enum tr_status haar(const struct dyadic *dyadic, const struct estimate_options *options,
			   struct estimate *out, struct tr_error *err)
{
	double energy[WAVELET_OCTAVES_MAX];
	size_t details[WAVELET_OCTAVES_MAX], octaves = 0;

	for (unsigned j = 0; octaves < WAVELET_OCTAVES_MAX && dyadic_pairs(dyadic, j) > 0; j++) {
		const double pairs = (double)dyadic_pairs(dyadic, j);

		energy[octaves] = ldexp((double)dyadic->level[j].details / pairs, -(int)j - 1);
		details[octaves++] = (size_t)dyadic_pairs(dyadic, j);
	}
	return logscale_fit(energy, details, octaves, (size_t)dyadic->level[0].windows.n,
			    LOGSCALE_HAAR_FIRST, options, out, err);
}

static enum tr_status aggvar(const struct dyadic *dyadic, const struct estimate_options *options,
			     struct estimate *out, struct tr_error *err)
{
	const uint64_t n = dyadic->level[0].windows.n;
	double min, max;

	block_means_range(options, (size_t)n, &min, &max);
	estimate_clear(out);
	for (unsigned j = 0; j < dyadic->levels && dyadic->level[j].windows.n >= 2; j++) {
		const struct moments *windows = &dyadic->level[j].windows;
		struct estimate_point *point = &out->points[out->point_count++];

		point->scale = ldexp(1, (int)j);
		point->blocks = (size_t)windows->n;
		point->x = log10(point->scale);
		point->y = log10(moments_deviations(windows) / (double)windows->n) - 2 * point->x;
		point->fitted = point->scale >= min && point->scale <= max && isfinite(point->y);
	}
	if (estimate_fit(out, (size_t)n, err) != TR_OK)
		return TR_ERROR;
	out->h = 1 + out->slope / 2;
	out->interval = "none: not simulated for powers of two";
	return TR_OK;
}

const struct dyadic_estimator dyadic_estimators[DYADIC_ESTIMATORS] = {
	{&aggregated_variance, aggvar},
	{&logscale_haar, haar},
};

const struct dyadic_estimator *dyadic_estimator_find(const struct estimator *like)
{
	for (size_t i = 0; i < DYADIC_ESTIMATORS; i++)
		if (dyadic_estimators[i].like == like)
			return &dyadic_estimators[i];
	return NULL;
}

double dyadic_dispersion(const struct dyadic *dyadic, unsigned level)
{
	const struct moments *windows = &dyadic->level[level].windows;

	return windows->sum > 0 ? moments_variance(windows) / moments_mean(windows) : NAN;
}
