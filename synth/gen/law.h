// SPDX-License-Identifier: GPL-3.0-or-later
// The law of a positive quantity (silences, on times, gaps) by its mean and shape. Each can be
// drawn whole, or as the residual at a random time (Cox, Renewal theory, 1962).
#ifndef GEN_LAW_H
#define GEN_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/alias.h"
#include "gen/draw.h"
#include "gen/model_field.h"
#include "text/model.h"
#include "value/status.h"

enum law_name {
	LAW_EXPONENTIAL,
	LAW_CONSTANT,
	LAW_UNIFORM,   // uniform on 0 .. twice the mean
	LAW_PARETO,    // shape: the tail's index, above 1
	LAW_LOGNORMAL, // shape: standard deviation of the logarithm
	LAW_WEIBULL,   // shape: the exponent
	LAW_GAMMA,     // shape: mean^2 / variance
	LAW_LOMAX,     // Pareto's law moved to begin at 0; shape: the tail's index, above 1
	LAW_EMPIRICAL, // bins, stretched to the law's mean
	LAW_GEOMETRIC, // of whole numbers only (gen/law.h)
	LAWS,	       // how many there are
};

// count values, uniform on low .. high.
struct law_bin {
	double low, high;
	double count;
};

// A model's law. Zero is an exponential law without a mean.
struct law {
	enum law_name name;
	double mean;
	double shape;
	struct law_bin *bins; // of an empirical law; owned, freed by law_clear
	size_t bin_count;
};

struct law_plan;

// A law's functions. x >= 0 is in the plan's unit.
struct law_kind {
	const char *word;		       // in the text
	const char *what;		       // description, with %g for the shape
	double shape_min, shape_max;	       // 0, 0: no shape
	void (*settle)(struct law_plan *plan); // precomputes constants of the draws
	double (*draw)(const struct law_plan *plan, const struct draw_tables *tables,
		       struct tr_random *random);
	// Draws the residual of one at a random time.
	double (*draw_rest)(const struct law_plan *plan, const struct draw_tables *tables,
			    struct tr_random *random);
	double (*variation)(const struct law_plan *plan); // variance over mean^2; INFINITY
	double (*log_density)(const struct law_plan *plan,
			      double x); // a point's: over two units, or 1e-5 of it, to each side
	double (*survival)(const struct law_plan *plan, double x); // P(X > x)
	double (*excess)(const struct law_plan *plan,
			 double x); // as law_excess; NULL: by the survival
};

// A law in a given unit, ready to draw; then read-only; freed by law_plan_clear.
struct law_plan {
	const struct law_kind *kind;
	double mean, shape;
	double scale, other;  // used by each law in its own way
	struct law_bin *bins; // stretched
	size_t bin_count;
	struct alias choice, met; // of a bin, by count; by count x mean
};

extern const struct law_kind law_kinds[LAWS];

// Multiplies mean and bins by unit (ticks per second). TR_ERROR: no memory, or bins without a mean.
enum tr_status law_plan_make(struct law_plan *out, const struct law *law, double unit,
			     struct tr_error *err);

// Frees what it holds; it is empty then.
void law_plan_clear(struct law_plan *plan);

// Draws a value, in the plan's unit.
static inline double law_draw(const struct law_plan *plan, const struct draw_tables *tables,
			      struct tr_random *random)
{
	return plan->kind->draw(plan, tables, random);
}

// Draws the rest of an interval at a random time: of the stationary distribution.
static inline double law_rest(const struct law_plan *plan, const struct draw_tables *tables,
			      struct tr_random *random)
{
	return plan->kind->draw_rest(plan, tables, random);
}

// Variance over mean^2; INFINITY where there is none.
double law_variation(const struct law_plan *plan);

// The index of a law's tail; INFINITY if it is not a power law.
double law_tail(const struct law *law);

// Mean excess of a value over x >= 0 (0 where it is less): the integral of the survival from x on,
// to about 1e-9 of the mean.
double law_excess(const struct law_plan *plan, double x);

// Gives a law its own copy of shared bins. TR_ERROR if out of memory; it has no bins then.
enum tr_status law_own(struct law *law, struct tr_error *err);

// Frees what it holds; it is empty then.
void law_clear(struct law *law);

// ---- A law as keys of a model next to its mean: "silence 70 ms", "silence-law lognormal 0.8", and
// for an empirical one "silence-bin 12 x 1 ms .. 2 ms".

// Rows of a field table for the quantity called name.
#define LAW_FIELDS(name) \
	{name "-law", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
	{ \
		name "-bin", MODEL_REPEATED, 0, false, 0, 0, NULL \
	}

// Which laws a quantity may follow.
enum law_sort {
	LAW_TIMES,   // all but the geometric one; bins are times
	LAW_NUMBERS, // whole numbers from 1: also the geometric one; bins are numbers
};

// Reads the law of the quantity; the mean stays unchanged, and so does the law if the text omits
// it. TR_ERROR with file and line: an unknown law, a shape that is malformed, missing, superfluous
// or out of range, bins without an empirical law or without a mean. law may own bins then.
enum tr_status law_get(const struct model *model, const char *section, const char *name,
		       enum law_sort sort, struct law *law, struct tr_error *err);

// Adds the law as lines, none if it is the usual one.
void law_put(struct model *model, const char *name, enum law_sort sort, const struct law *law,
	     enum law_name usual);

// "lognormal of shape 0.8". Returns out.
#define LAW_DESCRIPTION_BYTES 64
const char *law_describe(const struct law *law, char out[LAW_DESCRIPTION_BYTES]);

// ---- Laws of whole numbers from 1, by their mean: packets in a burst or a batch. Geometric on 1,
// 2, ...; constant (that number, or the two nearest to keep the mean); uniform on 1 .. 2 mean - 1
// (likewise); empirical (bins unchanged; they set the mean); for other laws of gen/law.h the number
// beyond the first is rounded up or down at random to keep the mean.

// Ready to draw; then read-only; freed by law_count_clear.
struct law_count {
	enum law_name name;
	double mean;
	struct law_plan beyond; // of the first; of an empirical law its bins
};

// TR_ERROR: a mean below 1, no memory, empty bins.
enum tr_status law_count_make(struct law_count *out, const struct law *law, struct tr_error *err);

// Frees what it holds; it is empty then.
void law_count_clear(struct law_count *count);

// At most 2^53.
uint64_t law_count_draw(const struct law_count *count, const struct draw_tables *tables,
			struct tr_random *random);

// INFINITY where there is none. Within 1/4 for the laws of gen/law.h: the effect of rounding is
// that on a smooth law.
double law_count_variance(const struct law_count *count);

// Logarithm of the probability of n >= 1.
double law_count_log_probability(const struct law_count *count, uint64_t n);

// ---- Maximum likelihood fits of laws to values, and the choice among them.

// A sample, lent. rising: values > 0 in ascending order; logs: their logarithms.
struct law_sample {
	const double *rising, *logs;
	size_t count;
	double mean, mean_log;
};

// Zero is none. The law may own bins.
struct law_fit {
	struct law law;
	double log_likelihood;
	unsigned freedom;
	double mean_low, mean_high;   // interval of the mean; NaN where none is known
	double shape_low, shape_high; // and of the shape
};

// Number of free parameters of a law: its mean, its shape; for an empirical one three per bin,
// without those filled into holes (see law_fit.c).
unsigned law_freedom(const struct law *law);

// The law with the largest likelihood less half the logarithm of the sample's size per free
// parameter (Schwarz, Estimating the dimension of a model, Annals of Statistics 6 (1978) 461-464).
// values > 0, at least two; they are sorted in place. TR_ERROR: fewer, or no memory.
enum tr_status law_fit_choose(double *values, size_t count, double level, struct law_fit *out,
			      struct tr_error *err);

#endif
