// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/hurst_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/number.h"

// Intervals contradict one another where they do not meet though each is made so much wider, and not for one estimator alone:
// of the hundred pairs of a report some at 95 % are disjoint by chance, and a single method may fail.
#define CONTRADICT 2.0

// What the intervals of several estimators have in common.
struct intervals {
	size_t count;
	double least, most; // estimates
	double lo, hi;      // of any interval
	double lows[2], highs[2]; // of the widened ones: the two latest, the two earliest, the extreme one first
	bool all_hold_half, all_exclude_half;
};

static void say(char *text, size_t bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void say(char *text, size_t bytes, const char *format, ...)
{
	const size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text + used, bytes - used, format, args);
	va_end(args);
}

static void widest_apart(struct intervals *all, double lo, double hi)
{
	all->lows[1] = fmax(all->lows[1], fmin(lo, all->lows[0]));
	all->lows[0] = fmax(all->lows[0], lo);
	all->highs[1] = fmin(all->highs[1], fmax(hi, all->highs[0]));
	all->highs[0] = fmin(all->highs[0], hi);
}

// Only estimates with an interval say how well they are known.
static struct intervals intervals_of(const struct hurst *hurst)
{
	struct intervals all = {.least = INFINITY, .most = -INFINITY, .lo = INFINITY, .hi = -INFINITY,
				.lows = {-INFINITY, -INFINITY}, .highs = {INFINITY, INFINITY},
				.all_hold_half = true, .all_exclude_half = true};

	for (size_t i = 0; i < hurst->count; i++) {
		const struct estimate *estimate = &hurst->estimates[i].estimate;
		const double h = hurst_best(estimate), lo = estimate->lo, hi = estimate->hi;

		if (!isfinite(h) || !isfinite(lo) || !isfinite(hi))
			continue;
		all.count++;
		all.least = fmin(all.least, h);
		all.most = fmax(all.most, h);
		all.lo = fmin(all.lo, lo);
		all.hi = fmax(all.hi, hi);
		widest_apart(&all, h - CONTRADICT * fmax(h - lo, 0), h + CONTRADICT * fmax(hi - h, 0));
		all.all_hold_half = all.all_hold_half && lo <= 0.5 && hi >= 0.5;
		all.all_exclude_half = all.all_exclude_half && lo > 0.5;
	}
	return all;
}

static void say_slope(const struct hurst *hurst, char *text, size_t bytes)
{
	const struct variance_slope *slope = &hurst->slope;

	if (!isfinite(slope->slope))
		return;
	say(text, bytes, "From 0.1 to 100 ms the variance-time plot falls with a slope of %s (", number_real(slope->slope, 2).text);
	if (isfinite(slope->lo))
		say(text, bytes, "%g %% interval %s; ", hurst->level * 100, number_range(slope->lo, slope->hi, 2).text);
	say(text, bytes, "Poisson traffic has -1%s).", isfinite(slope->lo) ? "" : "; the trace is too short for an interval");
	if (slope->curved)
		say(text, bytes, " It is curved: no one slope, and no H, describes it.");
}

static void say_estimators(const struct hurst *hurst, char *text, size_t bytes)
{
	const struct intervals all = intervals_of(hurst);

	if (all.count < 2)
		return;
	say(text, bytes, "%sOf bins of %s the estimators of the Hurst parameter give %s, with intervals from %s.", *text ? " " : "",
	    number_time(hurst->width_s, 3).text, number_range(all.least, all.most, 2).text, number_range(all.lo, all.hi, 2).text);
	if (all.lows[1] > all.highs[1])
		say(text, bytes, " They contradict one another by more than their intervals allow: no one H describes the traffic.");
	else if (all.all_hold_half)
		say(text, bytes, " All the intervals hold 0.5, which stands for no long-range dependence.");
	else if (all.all_exclude_half)
		say(text, bytes, " All the intervals lie above 0.5, which stands for no long-range dependence.");
}

size_t hurst_say(const struct hurst *hurst, char *text, size_t bytes)
{
	*text = '\0';
	say_slope(hurst, text, bytes);
	say_estimators(hurst, text, bytes);
	return strlen(text);
}
