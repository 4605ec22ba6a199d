// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/dense.h"

static int64_t longest_gap(const struct arrival_sample *sample)
{
	int64_t longest = 1;

	for (size_t r = 0; r < sample->count; r++) {
		const struct arrival_times *times = &sample->each[r];
		int64_t before = times->begin_ticks;

		for (size_t i = 0; i < times->count; i++) {
			longest = times->ticks[i] - before > longest ? times->ticks[i] - before
								     : longest;
			before = times->ticks[i];
		}
		longest = times->end_ticks - before > longest ? times->end_ticks - before : longest;
	}
	return longest;
}

static size_t longest_count(const struct arrival_sample *sample)
{
	size_t longest = 0;

	for (size_t r = 0; r < sample->count; r++)
		longest = sample->each[r].count > longest ? sample->each[r].count : longest;
	return longest;
}

// The silence before packet i, or after the last.
static int64_t gap(const struct arrival_times *times, size_t i)
{
	return (i < times->count ? times->ticks[i] : times->end_ticks) -
	       (i > 0 ? times->ticks[i - 1] : times->begin_ticks);
}

// The following is compiled once for each of 2, 3 and 4 states, and once for all other numbers.

// Normalises to sum 1 and returns the old sum.
DENSE_FEW double share_out(unsigned n, double *row)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += row[i];
	const double scale = 1 / sum;

	for (unsigned i = 0; i < n; i++)
		row[i] *= scale;
	return sum;
}

DENSE_FEW void copy_to(unsigned n, double *to, const double *from)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = from[i];
}

// to[i][j] += a[i] b[j] / by
DENSE_FEW void add_outer(unsigned n, const double *a, const double *b, double by, double *to)
{
	const double scale = 1 / by;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			to[i * n + j] += a[i] * scale * b[j];
}

// A product; its logarithm is taken before it leaves the range of doubles.
struct long_product {
	double factor, logarithm;
};

DENSE_FEW void multiply_by(struct long_product *product, double factor)
{
	product->factor *= factor;
	if (product->factor < 1e-100 || product->factor > 1e100) {
		product->logarithm += log(product->factor);
		product->factor = 1;
	}
}

// Propagates the row of probabilities through a gap; before, unless NULL, gets the row before each
// segment.
DENSE_FEW void go_through(unsigned n, const struct chain_powers *powers,
			  const chain_segment *segments, unsigned count, double *row,
			  double *before, struct long_product *product)
{
	double scratch[CHAIN_STATES_MAX];

	for (unsigned s = 0; s < count; s++) {
		if (before)
			copy_to(n, before + s * n, row);
		dense_row(n, row, powers->table + (size_t)segments[s] * n * n, scratch);
		product->logarithm += powers->log_scale[segments[s]];
		multiply_by(product, share_out(n, row));
	}
}

DENSE_FEW double forward_of(unsigned n, const struct chain_powers *powers,
			    const struct chain *chain, const struct arrival_times *times,
			    double *forward)
{
	struct long_product product = {1, 0};
	chain_segment segments[CHAIN_SEGMENTS_MAX];
	double row[CHAIN_STATES_MAX], scratch[CHAIN_STATES_MAX];

	chain_stationary(chain, row);
	for (size_t i = 0; i <= times->count; i++) {
		if (forward)
			copy_to(n, forward + i * n, row);
		go_through(n, powers, segments, chain_powers_split(powers, gap(times, i), segments),
			   row, NULL, &product);
		if (i == times->count)
			break;
		dense_row(n, row, chain->d1, scratch);
		multiply_by(&product, share_out(n, row));
	}
	return product.logarithm + log(product.factor);
}

// Forward pass through a realisation: returns the logarithm of its density per s; forward, unless
// NULL, gets the row at the begin of each gap.
static double chain_expectation_go_forward(const struct chain_powers *powers,
					   const struct chain *chain,
					   const struct arrival_times *times, double *forward)
{
	switch (chain->states) {
	case 2: return forward_of(2, powers, chain, times, forward);
	case 3: return forward_of(3, powers, chain, times, forward);
	case 4: return forward_of(4, powers, chain, times, forward);
	default: return forward_of(chain->states, powers, chain, times, forward);
	}
}

// Backward pass through the segments of a gap: column goes from its end to its begin.
DENSE_FEW void go_back(unsigned n, struct chain_pass *pass, const chain_segment *segments,
		       unsigned count, const double *before, double *column)
{
	double after[CHAIN_STATES_MAX], scratch[CHAIN_STATES_MAX];

	for (unsigned s = count; s-- > 0;) {
		const size_t at = (size_t)segments[s] * n * n;

		copy_to(n, after, column);
		dense_column(n, pass->powers.table + at, column, scratch);
		add_outer(n, after, before + s * n, dense_dot(n, before + s * n, column),
			  pass->collected + at);
		share_out(n, column);
	}
}

DENSE_FEW void backward_of(unsigned n, struct chain_pass *pass, const struct chain *chain,
			   const struct arrival_times *times)
{
	struct long_product unused = {1, 0};
	chain_segment segments[CHAIN_SEGMENTS_MAX];
	double before[CHAIN_SEGMENTS_MAX * CHAIN_STATES_MAX];
	double row[CHAIN_STATES_MAX], column[CHAIN_STATES_MAX], after[CHAIN_STATES_MAX],
		scratch[CHAIN_STATES_MAX];

	for (unsigned i = 0; i < n; i++)
		column[i] = 1;
	for (size_t i = times->count + 1; i-- > 0;) {
		const unsigned count = chain_powers_split(&pass->powers, gap(times, i), segments);

		copy_to(n, row, pass->forward + i * n);
		go_through(n, &pass->powers, segments, count, row, before, &unused);
		if (i < times->count) { // the packet at the gap's end
			copy_to(n, after, column);
			dense_column(n, chain->d1, column, scratch);
			add_outer(n, row, after, dense_dot(n, row, column), pass->sends);
			share_out(n, column);
		}
		go_back(n, pass, segments, count, before, column);
	}
}

static void chain_expectation_go_backward(struct chain_pass *pass, const struct chain *chain,
					  const struct arrival_times *times)
{
	switch (chain->states) {
	case 2: backward_of(2, pass, chain, times); return;
	case 3: backward_of(3, pass, chain, times); return;
	case 4: backward_of(4, pass, chain, times); return;
	default: backward_of(chain->states, pass, chain, times);
	}
}

enum tr_status chain_pass_new(struct chain_pass *out, unsigned states,
			      const struct arrival_sample *sample, struct tr_error *err)
{
	const size_t cells = (size_t)states * states;

	*out = (struct chain_pass){.sample = sample};
	if (chain_powers_new(&out->powers, states, longest_gap(sample), err) != TR_OK)
		return TR_ERROR;
	const size_t table = ((size_t)out->powers.digits << out->powers.digit_bits) * cells;

	out->forward = calloc((longest_count(sample) + 1) * states + table + 6 * cells + states,
			      sizeof(*out->forward));
	if (!out->forward) {
		chain_pass_clear(out);
		return tr_no_memory(err, "%zu packets and %u states", longest_count(sample),
				    states);
	}
	out->collected = out->forward + (longest_count(sample) + 1) * states;
	out->work = out->collected + table;
	out->silent = out->work + 4 * cells;
	out->sends = out->silent + cells;
	out->time_s = out->sends + cells;
	return TR_OK;
}

void chain_pass_clear(struct chain_pass *pass)
{
	chain_powers_clear(&pass->powers);
	free(pass->forward);
	*pass = (struct chain_pass){0};
}

enum tr_status chain_pass_run(struct chain_pass *pass, const struct chain *chain,
			      struct tr_error *err)
{
	const unsigned n = chain->states;
	const size_t cells = (size_t)n * n;
	const struct arrival_sample *sample = pass->sample;

	if (chain_powers_set(&pass->powers, chain, sample->ticks_per_s, pass->work, err) != TR_OK)
		return TR_ERROR;
	memset(pass->collected, 0,
	       (size_t)(pass->work - pass->collected) * sizeof(*pass->collected));
	memset(pass->sends, 0, cells * sizeof(*pass->sends));
	pass->log_likelihood = 0;
	for (size_t r = 0; r < sample->count; r++) {
		pass->log_likelihood += chain_expectation_go_forward(&pass->powers, chain,
								     &sample->each[r],
								     pass->forward) -
					(double)sample->each[r].count * log(sample->ticks_per_s);
		chain_expectation_go_backward(pass, chain, &sample->each[r]);
	}
	chain_powers_integrate(&pass->powers, chain, sample->ticks_per_s, pass->collected,
			       pass->silent, pass->work);
	// The integral of (end) (begin) has the transition from i to j at j, i.
	memcpy(pass->work, pass->silent, cells * sizeof(*pass->work));
	for (unsigned i = 0; i < n; i++) {
		pass->time_s[i] = pass->work[i * n + i];
		for (unsigned j = 0; j < n; j++) {
			pass->silent[i * n + j] = i == j ? 0
							 : chain->d0[i * n + j] *
								   pass->work[j * n + i];
			pass->sends[i * n + j] *= chain->d1[i * n + j];
		}
	}
	return TR_OK;
}

enum tr_status chain_log_likelihood(const struct chain *chain, const struct arrival_sample *sample,
				    double *out, struct tr_error *err)
{
	double *work = malloc(2 * sizeof(*work) * chain->states * chain->states), sum = 0;
	struct chain_powers powers = {0};
	enum tr_status status = work ? TR_OK : tr_no_memory(err, "%u states", chain->states);
	struct tr_error why;

	if (status == TR_OK &&
	    (chain_powers_new(&powers, chain->states, longest_gap(sample), &why) != TR_OK ||
	     chain_powers_set(&powers, chain, sample->ticks_per_s, work, &why) != TR_OK)) {
		sum = NAN;
		if (why.breakdown)
			status = tr_fail_for(err, &why, "%s", why.text);
	}
	for (size_t r = 0; status == TR_OK && r < sample->count && sum == sum; r++)
		sum += chain_expectation_go_forward(&powers, chain, &sample->each[r], NULL) -
		       (double)sample->each[r].count * log(sample->ticks_per_s);
	chain_powers_clear(&powers);
	free(work);
	*out = sum;
	return status;
}
