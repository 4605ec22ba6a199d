// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/chain_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/dense.h"

#define TABLE_CELLS 4096u // per digit, about
#define DIGIT_BITS_MAX 8u
#define SHORT 0.5 // largest expected number of transitions in the time of the series
#define TERMS 20

static unsigned bits_of(uint64_t value)
{
	return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

static unsigned doublings(const struct chain_powers *powers)
{
	return powers->digit_bits * powers->digits;
}

enum tr_status chain_powers_new(struct chain_powers *out, unsigned states, int64_t longest_ticks,
				struct tr_error *err)
{
	const size_t cells = (size_t)states * states;
	unsigned bits = 1;

	while (bits < DIGIT_BITS_MAX && (cells << (bits + 1)) <= TABLE_CELLS)
		bits++;
	*out = (struct chain_powers){.states = states, .digit_bits = bits};
	out->digits = (bits_of((uint64_t)longest_ticks) + bits - 1) / bits;
	const size_t single = doublings(out) + CHAIN_BELOW_MAX,
		     values = (size_t)out->digits << bits;

	out->doubled = calloc((single + values) * (cells + 2), sizeof(*out->doubled));
	if (!out->doubled)
		return tr_no_memory(err, "%u states", states);
	out->scale = out->doubled + single * cells;
	out->joined = out->scale + single;
	out->table = out->joined + single;
	out->log_scale = out->table + values * cells;
	out->factor = out->log_scale + values;
	return TR_OK;
}

void chain_powers_clear(struct chain_powers *powers)
{
	free(powers->doubled);
	*powers = (struct chain_powers){0};
}

// Divides by the largest entry and returns it.
static double normalise(double *a, size_t cells)
{
	double most = 0;

	for (size_t i = 0; i < cells; i++)
		most = fmax(most, a[i]);
	for (size_t i = 0; i < cells; i++)
		a[i] /= most;
	return most;
}

static void set_doubled(struct chain_powers *powers, const struct chain *chain, double tick_s,
			double *work)
{
	const unsigned n = powers->states;
	const size_t cells = (size_t)n * n;
	const double fastest = dense_fastest(n, chain->d0);

	for (unsigned j = 0; j < doublings(powers) + powers->below; j++) {
		const double t_s = ldexp(tick_s, (int)j - (int)powers->below);
		double *here = powers->doubled + j * cells;

		powers->scale[j] = 0;
		powers->joined[j] = 1;
		if (j == 0 || fastest * t_s <= SHORT) {
			dense_exponential(n, chain->d0, t_s, here, work);
			continue;
		}
		dense_multiply(n, here - cells, here - cells, here);
		powers->joined[j] = normalise(here, cells);
		powers->scale[j] = 2 * powers->scale[j - 1] + log(powers->joined[j]);
	}
}

static void set_digit(struct chain_powers *powers, unsigned digit)
{
	const size_t cells = (size_t)powers->states * powers->states;
	const unsigned first = powers->below + digit * powers->digit_bits;
	const size_t base = (size_t)digit << powers->digit_bits;

	for (size_t v = 1; v < (size_t)1 << powers->digit_bits; v++) {
		const unsigned top = bits_of(v) - 1;
		const size_t rest = v - ((size_t)1 << top);
		const double *doubled = powers->doubled + (first + top) * cells;
		double *here = powers->table + (base + v) * cells;

		powers->log_scale[base + v] = powers->scale[first + top];
		powers->factor[base + v] = 1;
		if (rest == 0) {
			memcpy(here, doubled, cells * sizeof(*here));
			continue;
		}
		dense_multiply(powers->states, doubled, powers->table + (base + rest) * cells,
			       here);
		powers->factor[base + v] = normalise(here, cells);
		powers->log_scale[base + v] += powers->log_scale[base + rest] +
					       log(powers->factor[base + v]);
	}
}

enum tr_status chain_powers_set(struct chain_powers *powers, const struct chain *chain,
				double ticks_per_s, double *work, struct tr_error *err)
{
	const double moves = dense_fastest(powers->states, chain->d0) / ticks_per_s; // per tick

	powers->below = 0;
	while (powers->below < CHAIN_BELOW_MAX && ldexp(moves, -(int)powers->below) > SHORT)
		powers->below++;
	if (!(ldexp(moves, -(int)powers->below) <= SHORT))
		return tr_fail(err, "rates of %g in a tick are too fast", moves);
	set_doubled(powers, chain, 1 / ticks_per_s, work);
	for (unsigned digit = 0; digit < powers->digits; digit++)
		set_digit(powers, digit);
	return TR_OK;
}

unsigned chain_powers_split(const struct chain_powers *powers, int64_t ticks,
			    chain_segment out[CHAIN_SEGMENTS_MAX])
{
	const uint64_t mask = (UINT64_C(1) << powers->digit_bits) - 1;
	unsigned count = 0;
	uint64_t left = (uint64_t)ticks;

	for (unsigned digit = 0; left; digit++, left >>= powers->digit_bits)
		if (left & mask)
			out[count++] = (chain_segment)(digit << powers->digit_bits | (left & mask));
	return count;
}

// to += (a b) / by, product being scratch.
static void add_product(unsigned n, const double *a, const double *b, double by, double *to,
			double *product)
{
	dense_multiply(n, a, b, product);
	for (unsigned i = 0; i < n * n; i++)
		to[i] += product[i] / by;
}

// Splits a digit's values: the part for value v is passed to its top bit's and to the rest's, as
// the integral over two consecutive times is exp(second) (integral over first) + (integral over
// second) exp(first). The matrices for single bits end in their own places.
static void split_values(const struct chain_powers *powers, unsigned digit, double *b, double *work)
{
	const unsigned n = powers->states, first = powers->below + digit * powers->digit_bits;
	const size_t cells = (size_t)n * n, base = (size_t)digit << powers->digit_bits;

	for (size_t v = ((size_t)1 << powers->digit_bits) - 1; v > 1; v--) {
		const unsigned top = bits_of(v) - 1;
		const size_t bit = (size_t)1 << top, rest = v - bit;
		const double *here = b + (base + v) * cells;
		const double factor = powers->factor[base + v];

		if (rest == 0)
			continue;
		add_product(n, powers->table + (base + rest) * cells, here, factor,
			    b + (base + bit) * cells, work);
		add_product(n, here, powers->doubled + (first + top) * cells, factor,
			    b + (base + rest) * cells, work);
	}
}

// The integral over the shortest time t_s: by the series of d0 + fastest, terms T(k) = a T(k - 1) +
// b a^k over (k + 1)!.
static void integrate_shortest(unsigned n, const double *d0, double t_s, const double *b,
			       double *out, double *work)
{
	const size_t cells = (size_t)n * n;
	const double fastest = dense_fastest(n, d0), stay = exp(-fastest * t_s);
	double *a = work, *right = a + cells, *term = right + cells, *next = term + cells;
	double over = t_s;

	for (size_t i = 0; i < cells; i++) {
		a[i] = d0[i] + (i % (n + 1) == 0 ? fastest : 0);
		right[i] = term[i] = b[i];
		out[i] = b[i] * over * stay;
	}
	for (int k = 1; k <= TERMS; k++) {
		over *= t_s / (k + 1);
		dense_multiply(n, right, a, next);
		memcpy(right, next, cells * sizeof(*next));
		dense_multiply(n, a, term, next);
		for (size_t i = 0; i < cells; i++) {
			term[i] = next[i] + right[i];
			out[i] += term[i] * over * stay;
		}
	}
}

void chain_powers_integrate(const struct chain_powers *powers, const struct chain *chain,
			    double ticks_per_s, double *b, double *out, double *work)
{
	const unsigned n = powers->states, bits = doublings(powers) + powers->below;
	const size_t cells = (size_t)n * n;
	double *carried = work + 3 * cells,
	       *product = work; // the series needs all of work, after the last carry

	for (unsigned digit = 0; digit < powers->digits; digit++)
		split_values(powers, digit, b, work);
	memset(carried, 0, cells * sizeof(*carried));
	for (unsigned j = bits; j-- > 0;) {
		const double *half = powers->doubled + (j - (j > 0)) * cells;

		if (j >= powers->below) {
			const unsigned bit = j - powers->below, digit = bit / powers->digit_bits;
			const size_t at = (size_t)digit << powers->digit_bits |
					  (size_t)1 << bit % powers->digit_bits;

			for (size_t i = 0; i < cells; i++)
				carried[i] += b[at * cells + i];
		}
		if (j == 0)
			break;
		memset(out, 0, cells * sizeof(*out));
		add_product(n, half, carried, powers->joined[j], out, product);
		add_product(n, carried, half, powers->joined[j], out, product);
		memcpy(carried, out, cells * sizeof(*out));
	}
	memcpy(b, carried, cells * sizeof(*b)); // value 0 of digit 0 is free
	integrate_shortest(n, chain->d0, ldexp(1 / ticks_per_s, -(int)powers->below), b, out, work);
}
