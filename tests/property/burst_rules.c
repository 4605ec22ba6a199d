// SPDX-License-Identifier: GPL-3.0-or-later
#include "burst_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/bursts/burst_gap.h"

#define NS_PER_S UINT64_C(1000000000)

// ---- the program's own

static double program_gap(const struct train_gaps *gaps, enum burst_gap_by by)
{
	const struct burst_gap_rule rule = {.by = by};
	struct burst_gap_counts counts = {.trains = 1, .packets = gaps->count + 1};
	struct burst_gaps list;
	struct burst_gap gap;

	if (burst_gaps_set(&list, &rule, 0, NS_PER_S, NULL) != TR_OK)
		abort();
	for (size_t i = 0; i < gaps->count; i++)
		counts.counts[burst_gaps_below(&list, (int64_t)gaps->in_order[i])]++;
	gap = burst_gap_choose(&list, by, &counts);
	return gap.basis == BURST_BASIS_NONE ? INFINITY : (double)gap.ticks;
}

static double outermost_valley(const struct train_gaps *gaps)
{
	return program_gap(gaps, BURST_GAP_FOUND);
}

static double thesis(const struct train_gaps *gaps)
{
	return program_gap(gaps, BURST_GAP_THESIS);
}

// As flitstat had it.
static double thesis_or_second(const struct train_gaps *gaps)
{
	const double gap = thesis(gaps);

	return isinf(gap) ? (double)NS_PER_S : gap;
}

// ---- others

static double mean_of(const struct train_gaps *gaps)
{
	double sum = 0;

	for (size_t i = 0; i < gaps->count; i++)
		sum += gaps->in_order[i];
	return sum / (double)gaps->count;
}

#define OCTAVES 64

// As flitburst had it: the deepest valley of the histogram by octaves, at least 0.7 deep, else the
// mean gap, up to a power of 2.
static double deepest_valley(const struct train_gaps *gaps)
{
	const double mean = mean_of(gaps);
	double counts[OCTAVES] = {0}, best = -INFINITY;
	int at = 0, last = 0;

	for (size_t i = 0; i < gaps->count; i++)
		counts[gaps->in_order[i] > 1 ? (int)ceil(log2(gaps->in_order[i])) : 0]++;
	counts[0] = 0;
	for (int i = 0; i + 1 < OCTAVES; i++) {
		double left = 0, right = 0, depth;

		for (int k = 0; k < OCTAVES; k++)
			*(k <= i ? &left : &right) = fmax(counts[k], k <= i ? left : right);
		depth = fmin(left, right) < fmax(10, 1e-4 * (double)gaps->count)
				? -INFINITY
				: 1 - (counts[i] + counts[i + 1]) / 2 / fmin(left, right);
		if (depth > best) {
			best = depth;
			at = last = i;
		} else if (depth == best && i == last + 1 && isfinite(depth)) {
			last = i;
		}
	}
	return best >= 0.7 ? ldexp(1, at + (last - at) / 2)
			   : ldexp(1, mean > 1 ? (int)ceil(log2(mean)) : 0);
}

// As flittest had it.
static double ten_medians(const struct train_gaps *gaps)
{
	return 10 * gaps->rising[gaps->count / 2];
}

// As flitfit has it for periodic senders: the largest jump of at least threefold in the upper part
// of the sorted gaps.
static double largest_jump(const struct train_gaps *gaps)
{
	double ratio = 3, gap = INFINITY;

	for (size_t i = (size_t)(.45 * (double)gaps->count); i + 1 < gaps->count; i++)
		if (gaps->rising[i + 1] > ratio * fmax(gaps->rising[i], 1)) {
			ratio = gaps->rising[i + 1] / fmax(gaps->rising[i], 1);
			gap = fmax(gaps->rising[i], 1);
		}
	return gap;
}

#define EM_STEPS 300
#define EM_GAIN 3 // of the logarithm of the likelihood, about 20 times as likely

// As flitfit fits its pulse train: two exponential laws of gaps; where a gap is as likely by one as
// by the other.
static double two_exponentials(const struct train_gaps *gaps)
{
	const double n = (double)gaps->count, mean = mean_of(gaps);
	double share = .1, within = gaps->rising[gaps->count / 2] + 1,
	       silence = fmax(5 * mean, 10 * within);
	double gain = 0, crossing;

	for (int step = 0; step < EM_STEPS; step++) {
		double silences = 0, of_silences = 0, of_others = 0;

		gain = n * (log(mean) + 1);
		for (size_t i = 0; i < gaps->count; i++) {
			const double x = fmax(gaps->in_order[i], .5),
				     a = share / silence * exp(-x / silence);
			const double b = (1 - share) / within * exp(-x / within),
				     p = a + b > 1e-300 ? a / (a + b) : 1;

			gain += log(a + b + 1e-300);
			silences += p;
			of_silences += p * x;
			of_others += (1 - p) * x;
		}
		if (silences < 1e-9 || n - silences < 1e-9)
			return INFINITY;
		silence = of_silences / silences;
		within = of_others / (n - silences);
		if (fabs(silences / n - share) < 1e-7)
			break;
		share = silences / n;
	}
	if (gain < EM_GAIN || silence < within)
		return INFINITY;
	crossing = log((1 - share) / share * silence / within) / (1 / within - 1 / silence);
	return crossing > 0 ? crossing : INFINITY;
}

// Otsu 1979 on the logarithm: the cut with the largest variance between its sides.
static double otsu(const struct train_gaps *gaps)
{
	double all = 0, low = 0, best = -1, gap = INFINITY;

	for (size_t i = 0; i < gaps->count; i++)
		all += log(fmax(gaps->rising[i], 1));
	for (size_t i = 0; i + 1 < gaps->count; i++) {
		const double n = (double)(i + 1), m = (double)(gaps->count - i - 1);
		double apart;

		low += log(fmax(gaps->rising[i], 1));
		apart = low / n - (all - low) / m;
		if (n * m * apart * apart > best && gaps->rising[i + 1] > gaps->rising[i]) {
			best = n * m * apart * apart;
			gap = sqrt(fmax(gaps->rising[i], 1) * gaps->rising[i + 1]);
		}
	}
	return gap;
}

#define STABLE_LEAST 10
#define STABLE_KEPT 0.7 // of the silences
#define STABLE_FACTOR 8 // by which the gap may grow

// The outermost stretch of gaps, at least eightfold, over which no more than three in ten of the
// silences are lost.
static double stable_count(const struct train_gaps *gaps)
{
	double gap = INFINITY;

	for (size_t i = STABLE_LEAST; i + STABLE_LEAST < gaps->count; i++) {
		const double low = fmax(gaps->rising[i - 1], 1);
		const double high =
			gaps->rising[gaps->count -
				     (size_t)ceil(STABLE_KEPT * (double)(gaps->count - i))];

		if (high >= STABLE_FACTOR * low)
			gap = sqrt(low * high);
	}
	return gap;
}

#define STATES_APART 8 // of the rate in bursts to the mean rate

// Two states of Kleinberg, Data Mining and Knowledge Discovery 7 (2003) 373-397: exponential gaps
// at the mean rate and at eight times it, a way up costs ln n. A burst is a run of the higher
// state, and other packets are alone.
static void two_states(const struct train_gaps *gaps, bool *ends)
{
	const double slow = 1 / mean_of(gaps), fast = STATES_APART * slow,
		     up = log((double)gaps->count);
	unsigned char *from = malloc(2 * gaps->count);
	double low = 0, high = up;
	int state;

	if (!from)
		abort();
	for (size_t i = 0; i < gaps->count; i++) {
		const double x = gaps->in_order[i], to_low = fmin(low, high),
			     to_high = fmin(high, low + up);

		from[2 * i] = high < low;
		from[2 * i + 1] = high <= low + up;
		low = to_low - log(slow) + slow * x;
		high = to_high - log(fast) + fast * x;
	}
	state = high < low;
	for (size_t i = gaps->count; i-- > 0;) {
		ends[i] = state == 0;
		state = from[2 * i + (size_t)state];
	}
	free(from);
}

struct marked_gap {
	double ns;
	bool ends;
};

static int by_gap(const void *a, const void *b)
{
	const struct marked_gap *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

// The gap with the fewest missed and false ends: what no rule by a gap can better.
static double best_gap(const struct train_gaps *gaps)
{
	struct marked_gap *list = malloc(gaps->count * sizeof(*list));
	double best = 1, gap = INFINITY; // no bursts: all are missed
	size_t ends = 0, below = 0;

	if (!list)
		abort();
	for (size_t i = 0; i < gaps->count; i++) {
		list[i] = (struct marked_gap){gaps->in_order[i], gaps->train->ends[i]};
		ends += list[i].ends;
	}
	qsort(list, gaps->count, sizeof(*list), by_gap);
	for (size_t i = 0; i + 1 < gaps->count; i++) {
		const double found = (double)(gaps->count - i - 1),
			     right = (double)(ends - (below += list[i].ends));

		if (ends == 0 || list[i].ns == list[i + 1].ns ||
		    2 - right / (double)ends - right / found >= best)
			continue;
		best = 2 - right / (double)ends - right / found;
		gap = list[i].ns;
	}
	free(list);
	return gap;
}

const struct train_rule train_rules[] = {
	{"outermost valley", outermost_valley, NULL},
	{"plateau (thesis)", thesis, NULL},
	{"plateau, or 1 s", thesis_or_second, NULL},
	{"deepest valley, or the mean", deepest_valley, NULL},
	{"ten medians", ten_medians, NULL},
	{"two exponentials", two_exponentials, NULL},
	{"largest jump", largest_jump, NULL},
	{"stable count", stable_count, NULL},
	{"Otsu", otsu, NULL},
	{"Kleinberg, two states", NULL, two_states},
	{"best gap of each", best_gap, NULL},
};
const size_t train_rule_count = sizeof(train_rules) / sizeof(*train_rules);

// ---- errors

#define FACTOR_MOST 1000 // a length of 0 is off by this

static double off_by(double found, double truth)
{
	const double ratio = truth > 0 ? found / truth : found > 0 ? FACTOR_MOST : 1;

	return fabs(log(fmin(FACTOR_MOST, fmax(ratio, 1. / FACTOR_MOST))));
}

// Adds those of a train, the factors as logarithms.
static void add_errors(const struct burst_train *train, const bool *ends,
		       struct train_errors *errors)
{
	size_t found = 0, truth = 0, both = 0;
	double length = 0;
	int64_t begin = 0;

	for (size_t i = 0; i + 1 < train->count; i++) {
		found += ends[i];
		truth += train->ends[i];
		both += ends[i] && train->ends[i];
		if (!ends[i])
			continue;
		length += (double)(train->ticks[i] - begin);
		begin = train->ticks[i + 1];
	}
	length += (double)(train->ticks[train->count - 1] - begin);
	errors->found += found > 0;
	errors->missed += truth > 0 ? 1 - (double)both / (double)truth : 0;
	errors->false_ends += found > 0 ? 1 - (double)both / (double)found : 0;
	errors->count_factor += off_by((double)found + 1, (double)truth + 1);
	errors->length_factor += off_by(length / ((double)found + 1), train->burst_ns);
}

static int rising(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void judge_train(const struct train_rule *rule, const struct burst_train *train,
			struct train_errors *errors)
{
	const size_t n = train->count - 1;
	double *in_order = malloc(n * sizeof(*in_order)), *sorted = malloc(n * sizeof(*sorted)),
	       gap;
	const struct train_gaps gaps = {n, in_order, sorted, train};
	bool *ends = malloc(n * sizeof(*ends));

	if (!in_order || !sorted || !ends)
		abort();
	for (size_t i = 0; i < n; i++)
		sorted[i] = in_order[i] = (double)(train->ticks[i + 1] - train->ticks[i]);
	qsort(sorted, n, sizeof(*sorted), rising);
	gap = rule->gap ? rule->gap(&gaps) : 0;
	for (size_t i = 0; i < n && rule->gap; i++)
		ends[i] = in_order[i] > gap;
	if (rule->mark)
		rule->mark(&gaps, ends);
	add_errors(train, ends, errors);
	free(in_order);
	free(sorted);
	free(ends);
}

struct train_errors train_rule_errors(const struct train_rule *rule, const struct burst_kind *kind,
				      unsigned count)
{
	struct train_errors errors = {.found = 0};

	for (unsigned i = 0; i < count; i++) {
		struct burst_train *train = burst_train_new(kind, i);

		if (!train)
			abort();
		judge_train(rule, train, &errors);
		free(train);
	}
	errors.found /= count;
	errors.missed /= count;
	errors.false_ends /= count;
	errors.count_factor = exp(errors.count_factor / count);
	errors.length_factor = exp(errors.length_factor / count);
	return errors;
}
