// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of two distributions, and their significance.
#include "stat/counts/distance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/ranks.h"
#include "value/random.h"

// ---- distances
// Anderson-Darling: Scholz and Stephens, K-sample Anderson-Darling tests, J. Am. Statist. Ass. 82
// (1987) 918-924, for two samples, which allows for ties: with n and m values, N = n + m, l_j of
// them equal to the j-th different one, B_j up to it, and d_j the difference of the shares up to
// it, it is n m times the sum over all but the last of l_j d_j^2 / (B_j (N - B_j)).

// Values in different units are equal if they differ only by rounding.
#define ROUNDING (1 + 1e-12)

// Compares two distributions, given value by value.
struct distance_walk {
	double n, m; // values of each
	double x;    // the last one given
	double below_a, below_b;
	struct distance sum;
};

// Starts with n and m values to come, both above 0.
static struct distance_walk distance_walk_start(double n, double m)
{
	return (struct distance_walk){.n = n, .m = m};
}

// Takes a value, larger than the previous ones, and its number in each.
static void distance_walk_add(struct distance_walk *walk, double x, double a, double b)
{
	const double before = fabs(walk->below_a / walk->n - walk->below_b / walk->m);
	double apart, upto;

	if (walk->below_a + walk->below_b > 0)
		walk->sum.emd += before * (x - walk->x);
	walk->x = x;
	walk->below_a += a;
	walk->below_b += b;
	upto = walk->below_a + walk->below_b;
	apart = fabs(walk->below_a / walk->n - walk->below_b / walk->m);
	walk->sum.ks = fmax(walk->sum.ks, apart);
	if (upto < walk->n + walk->m)
		walk->sum.ad += walk->n * walk->m * (a + b) * apart * apart /
				(upto * (walk->n + walk->m - upto));
}

// One histogram, value by value.
struct cursor {
	struct quantile_walk walk;
	double unit;
	double x;     // the next value; INFINITY after the last
	double times; // its number
	double upto;  // values up to it
};

static void step(struct cursor *cursor)
{
	const double n = (double)cursor->walk.of->n, before = cursor->upto;
	double share;

	cursor->times = 0;
	cursor->x = INFINITY;
	if (before >= n)
		return;
	cursor->x = cursor->unit *
		    (double)quantile_walk_to(&cursor->walk, (before + 0.5) / n, &share);
	cursor->upto = (double)cursor->walk.below;
	cursor->times = cursor->upto - before;
}

// The number of a value; the cursor then moves on.
static double distance_take(struct cursor *cursor, double x)
{
	const double times = cursor->times;

	if (!(cursor->x <= x * ROUNDING))
		return 0;
	step(cursor);
	return times;
}

struct distance distance_between(const struct quantile *a, double a_unit, const struct quantile *b,
				 double b_unit)
{
	struct cursor one = {.walk = {.of = a}, .unit = a_unit},
		      two = {.walk = {.of = b}, .unit = b_unit};
	struct distance_walk walk = distance_walk_start((double)a->n, (double)b->n);

	if (a->n == 0 || b->n == 0)
		return (struct distance){NAN, NAN, NAN};
	step(&one);
	step(&two);
	while (isfinite(one.x) || isfinite(two.x)) {
		const double x = fmin(one.x, two.x), times = distance_take(&one, x);

		distance_walk_add(&walk, x, times, distance_take(&two, x));
	}
	return walk.sum;
}

// ---- blocks of a series

static enum tr_status distance_double_width(struct block_sample *sample, struct tr_error *err)
{
	struct value_counts *blocks = sample->blocks;

	for (unsigned i = 0; i < BLOCK_SAMPLE_BLOCKS; i += 2) {
		struct value_counts joined = blocks[i];

		blocks[i] = (struct value_counts){.n = 0};
		if (value_counts_merge(&joined, &blocks[i + 1], err) != TR_OK) {
			value_counts_clear(&joined);
			return TR_ERROR;
		}
		value_counts_clear(&blocks[i + 1]);
		blocks[i / 2] = joined;
	}
	sample->count = BLOCK_SAMPLE_BLOCKS / 2;
	sample->width *= 2;
	return TR_OK;
}

enum tr_status block_sample_add(struct block_sample *sample, uint64_t value, uint64_t times,
				struct tr_error *err)
{
	if (sample->width == 0)
		sample->width = 1;
	if (value_counts_add(&sample->all, value, times, err) != TR_OK)
		return TR_ERROR;
	while (times > 0) {
		const uint64_t room = sample->width - sample->open,
			       taken = times < room ? times : room;
		struct value_counts *block = &sample->blocks[sample->count];

		block->log2_max = BLOCK_SAMPLE_LOG2;
		if (value_counts_add(block, value, taken, err) != TR_OK)
			return TR_ERROR;
		times -= taken;
		sample->open += taken;
		if (sample->open < sample->width)
			continue;
		sample->open = 0;
		if (++sample->count == BLOCK_SAMPLE_BLOCKS &&
		    distance_double_width(sample, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

void block_sample_clear(struct block_sample *sample)
{
	for (unsigned i = 0; i < BLOCK_SAMPLE_BLOCKS; i++)
		value_counts_clear(&sample->blocks[i]);
	value_counts_clear(&sample->all);
	memset(sample, 0, sizeof(*sample));
}

// ---- the test
// A bootstrap of the two empirical distribution functions by blocks: Buehlmann, Blockwise
// bootstrapped empirical process for stationary sequences, Annals of Statistics 22 (1994) 995-1012,
// with the multipliers of Buecher and Kojadinovic, A dependent multiplier bootstrap for the
// sequential empirical copula process under strong mixing, Bernoulli 22 (2016) 927-968. Each
// block's distribution function less the mean of all blocks is multiplied by a normal number, the
// same for all values; the sums over the blocks of one side less those of the other are as the
// difference of the two empirical functions around its mean. From many of these sums come the
// probabilities, and the width around the distances: by the triangle inequality a distance is no
// farther from that of the laws than the sum's own. Differences to them: the blocks do not overlap,
// a divisor k - 1 and Student's distribution allow for few of them, and where neighbouring blocks
// correlate, the sums are made as much larger as fractional noise with that correlation would make
// them: the mean of k blocks varies by k^(2H - 1) / (1 - k^(2H - 2)) times what independent blocks
// of their sample variance would give. Known values, and how often it errs, in
// tests/property/distance_test_test.c.

#define REPLICATES 999u
#define SUPPORT_MAX 4096u
#define H_MAX 0.99

// The distinct values of both sides, their numbers, and the deviations of each side's blocks from
// their mean.
struct distance_process {
	size_t count;
	double *x;
	double *times[2];
	float *deviations[2]; // [block * count + value]
	unsigned blocks[2];
	double n[2];
	double widened[2];
};

static void process_close(struct distance_process *process)
{
	free(process->x);
	for (int side = 0; side < 2; side++) {
		free(process->times[side]);
		free(process->deviations[side]);
	}
}

// The values of both sides, with that many bits dropped.
static enum tr_status set_values(struct distance_process *process,
				 const struct block_sample *const *samples, unsigned dropped,
				 struct tr_error *err)
{
	struct value_count *list[2];
	size_t n[2], at[2] = {0, 0};

	list[0] = value_counts_list(&samples[0]->all, dropped, &n[0], err);
	list[1] = value_counts_list(&samples[1]->all, dropped, &n[1], err);
	process->count = 0;
	process->x = calloc(n[0] + n[1] + 1, sizeof(*process->x));
	process->times[0] = calloc(n[0] + n[1] + 1, sizeof(**process->times));
	process->times[1] = calloc(n[0] + n[1] + 1, sizeof(**process->times));
	if (!list[0] || !list[1] || !process->x || !process->times[0] || !process->times[1]) {
		free(list[0]);
		free(list[1]);
		return tr_no_memory(err, "the values of two samples");
	}
	while (at[0] < n[0] || at[1] < n[1]) {
		const uint64_t one = at[0] < n[0] ? list[0][at[0]].value : UINT64_MAX;
		const uint64_t two = at[1] < n[1] ? list[1][at[1]].value : UINT64_MAX;
		const uint64_t value = one < two ? one : two;

		for (int side = 0; side < 2; side++)
			if (at[side] < n[side] && list[side][at[side]].value == value)
				process->times[side][process->count] =
					(double)list[side][at[side]++].times;
		process->x[process->count++] = (double)value_counts_middle(value, dropped);
	}
	free(list[0]);
	free(list[1]);
	return TR_OK;
}

static struct distance apart(const struct distance_process *process)
{
	struct distance_walk walk = distance_walk_start(process->n[0], process->n[1]);

	for (size_t i = 0; i < process->count; i++)
		distance_walk_add(&walk, process->x[i], process->times[0][i], process->times[1][i]);
	return walk.sum;
}

// The distribution function of a block at all values, into row.
static enum tr_status set_row(const struct distance_process *process,
			      const struct value_counts *block, unsigned dropped, float *row,
			      struct tr_error *err)
{
	struct value_count *list;
	size_t n, at = 0;
	double below = 0;

	list = value_counts_list(block, dropped, &n, err);
	if (!list)
		return TR_ERROR;
	for (size_t i = 0; i < process->count; i++) {
		while (at < n &&
		       (double)value_counts_middle(list[at].value, dropped) <= process->x[i])
			below += (double)list[at++].times;
		row[i] = (float)(below / (double)block->n);
	}
	free(list);
	return TR_OK;
}

static enum tr_status set_deviations(struct distance_process *process, int side,
				     const struct block_sample *sample, unsigned dropped,
				     struct tr_error *err)
{
	const size_t count = process->count, blocks = sample->count;
	float *rows = calloc(blocks * count + 1, sizeof(*rows));

	process->blocks[side] = sample->count;
	process->deviations[side] = rows;
	if (!rows)
		return tr_no_memory(err, "%zu blocks of %zu values", blocks, count);
	for (size_t i = 0; i < blocks; i++)
		if (set_row(process, &sample->blocks[i], dropped, &rows[i * count], err) != TR_OK)
			return TR_ERROR;
	for (size_t k = 0; k < count; k++) {
		double sum = 0;

		for (size_t i = 0; i < blocks; i++)
			sum += (double)rows[i * count + k];
		for (size_t i = 0; i < blocks; i++)
			rows[i * count + k] -= (float)(sum / (double)blocks);
	}
	return TR_OK;
}

// Expected correlation of neighbours among k blocks of fractional noise after removing their own
// mean.
static double expected_correlation(double h, double k)
{
	const double mean = pow(k, 2 * h - 2);

	return (exp2(2 * h - 1) - 1 - mean) / (1 - mean);
}

// By what factor the mean of the blocks varies more than that of independent ones.
static double widening(const struct distance_process *process, int side)
{
	const size_t count = process->count, blocks = process->blocks[side];
	const float *rows = process->deviations[side];
	const double k = (double)blocks;
	double squares = 0, products = 0, lo = 0.5, hi = H_MAX;

	for (size_t i = 0; i < blocks; i++)
		for (size_t s = 0; s < count; s++) {
			const double at = (double)rows[i * count + s],
				     weight = process->times[0][s] + process->times[1][s];

			squares += weight * at * at;
			products += i + 1 < blocks ? weight * at * (double)rows[(i + 1) * count + s]
						   : 0;
		}
	if (!(squares > 0) || products / squares <= expected_correlation(lo, k))
		return 1;
	for (int step = 0; step < 40; step++) {
		const double h = (lo + hi) / 2;

		if (expected_correlation(h, k) < products / squares)
			lo = h;
		else
			hi = h;
	}
	return sqrt(pow(k, 2 * lo - 1) / (1 - pow(k, 2 * lo - 2)) * (1 - 1 / k));
}

// A common factor that makes the normal multipliers of one replicate Student's: from a chi square
// over its degrees of freedom.
static double student_factor(struct tr_random *random, unsigned freedom)
{
	double sum = 0;

	for (unsigned i = 0; i + 1 < freedom; i += 2)
		sum -= 2 * log(tr_random_unit(random));
	if (freedom % 2) {
		const double z = gsl_cdf_ugaussian_Pinv(tr_random_unit(random));

		sum += z * z;
	}
	return sqrt((double)freedom / sum);
}

// Fills z with a random replicate of the difference of the two empirical functions around its mean.
static void replicate(const struct distance_process *process, struct tr_random *random, float *z)
{
	const unsigned least = process->blocks[0] < process->blocks[1] ? process->blocks[0]
								       : process->blocks[1];
	const double factor = student_factor(random, least - 1);

	memset(z, 0, process->count * sizeof(*z));
	for (int side = 0; side < 2; side++) {
		const double k = (double)process->blocks[side];
		const double scale = factor * process->widened[side] / sqrt(k * (k - 1));

		for (size_t i = 0; i < process->blocks[side]; i++) {
			const float by = (float)(scale *
						 gsl_cdf_ugaussian_Pinv(tr_random_unit(random)));
			const float *row = &process->deviations[side][i * process->count];

			for (size_t s = 0; s < process->count; s++)
				z[s] += by * row[s];
		}
	}
}

static struct distance distance_size_of(const struct distance_process *process, const float *z)
{
	const double both = process->n[0] + process->n[1];
	struct distance out = {0, 0, 0};
	double below = 0;

	for (size_t s = 0; s + 1 < process->count; s++) {
		const double apart = fabs((double)z[s]),
			     times = process->times[0][s] + process->times[1][s];

		below += times;
		out.ks = fmax(out.ks, apart);
		out.emd += apart * (process->x[s + 1] - process->x[s]);
		out.ad += process->n[0] * process->n[1] * times * apart * apart /
			  (below * (both - below));
	}
	return out;
}

static struct interval around(double found, double *replicates, double level)
{
	double half;

	rising_sort(replicates, REPLICATES);
	half = replicates[(size_t)fmin(REPLICATES - 1, ceil(level * (REPLICATES + 1)) - 1)];
	return (struct interval){fmax(0, found - half), found + half};
}

static enum tr_status distance_draw(const struct distance_process *process, double level,
				    struct distance_test *out, struct tr_error *err)
{
	const struct distance found = apart(process);
	double ks[REPLICATES], emd[REPLICATES];
	unsigned ks_above = 1, ad_above = 1;
	float *z = malloc((process->count + 1) * sizeof(*z));
	struct tr_random random;

	if (!z)
		return tr_no_memory(err, "%zu values", process->count);
	tr_random_open(&random, 1, "distances");
	for (size_t i = 0; i < REPLICATES; i++) {
		struct distance made;

		replicate(process, &random, z);
		made = distance_size_of(process, z);
		ks[i] = made.ks;
		emd[i] = made.emd;
		ks_above += made.ks >= found.ks;
		ad_above += made.ad >= found.ad;
	}
	free(z);
	out->ks_p = (double)ks_above / (REPLICATES + 1);
	out->ad_p = (double)ad_above / (REPLICATES + 1);
	out->ks = around(out->apart.ks, ks, level);
	out->ks.hi = fmin(1, out->ks.hi);
	out->emd = around(out->apart.emd, emd, level);
	out->widened_a = process->widened[0];
	out->widened_b = process->widened[1];
	return TR_OK;
}

// Most bits dropped by all or a whole block of either side.
static unsigned most_dropped(const struct block_sample *const *samples, bool blocks)
{
	unsigned most = 0;

	for (int side = 0; side < 2; side++) {
		most = samples[side]->all.dropped > most ? samples[side]->all.dropped : most;
		for (unsigned i = 0; blocks && i < samples[side]->count; i++)
			most = samples[side]->blocks[i].dropped > most
				       ? samples[side]->blocks[i].dropped
				       : most;
	}
	return most;
}

// The values at which the process is evaluated, at most SUPPORT_MAX.
static enum tr_status open_process(struct distance_process *process,
				   const struct block_sample *const *samples, struct tr_error *err)
{
	unsigned dropped = most_dropped(samples, true);

	for (;; dropped = dropped ? dropped + 1 : 40) {
		*process = (struct distance_process){
			.n = {(double)samples[0]->all.n, (double)samples[1]->all.n}};
		if (set_values(process, samples, dropped, err) != TR_OK)
			return TR_ERROR;
		if (process->count <= SUPPORT_MAX)
			break;
		process_close(process);
	}
	for (int side = 0; side < 2; side++) {
		if (set_deviations(process, side, samples[side], dropped, err) != TR_OK)
			return TR_ERROR;
		process->widened[side] = widening(process, side);
	}
	return TR_OK;
}

enum tr_status distance_test_make(const struct block_sample *a, const struct block_sample *b,
				  double level, struct distance_test *out, struct tr_error *err)
{
	const struct block_sample *const samples[] = {a, b};
	struct distance_process process = {.n = {(double)a->all.n, (double)b->all.n}};
	enum tr_status status = TR_OK;

	*out = (struct distance_test){{NAN, NAN, NAN}, {NAN, NAN}, {NAN, NAN}, NAN, NAN, NAN, NAN};
	if (a->all.n == 0 || b->all.n == 0)
		return TR_OK;
	status = set_values(&process, samples, most_dropped(samples, false), err);
	if (status == TR_OK)
		out->apart = apart(&process);
	process_close(&process);
	if (status != TR_OK || a->count < DISTANCE_TEST_BLOCKS || b->count < DISTANCE_TEST_BLOCKS)
		return status;
	status = open_process(&process, samples, err);
	if (status == TR_OK)
		status = distance_draw(&process, level, out, err);
	process_close(&process);
	return status;
}
