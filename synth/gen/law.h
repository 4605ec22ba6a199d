// SPDX-License-Identifier: GPL-3.0-or-later
// The law of a positive quantity by its mean and its shape: times of silence, of being on, gaps. Each is drawn whole, and as
// what is left of it at a random time (Cox, Renewal theory, 1962, section 5.1).
#ifndef GEN_LAW_H
#define GEN_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/alias.h"
#include "gen/draw.h"
#include "trace/status.h"

enum law_name {
	LAW_EXPONENTIAL,
	LAW_CONSTANT,
	LAW_UNIFORM,   // 0 to twice the mean, all alike
	LAW_PARETO,    // shape: the tail's index, above 1
	LAW_LOGNORMAL, // shape: standard deviation of the logarithm
	LAW_WEIBULL,   // shape: the exponent
	LAW_GAMMA,     // shape: mean^2 / variance
	LAW_EMPIRICAL, // bins, stretched so that the mean is the law's
	LAW_GEOMETRIC, // of whole numbers only (gen/law_count.h)
	LAWS,	       // how many there are
};

// count values low .. high, all alike.
struct law_bin {
	double low, high;
	double count;
};

// What a model says. Zero is an exponential law without a mean.
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
	const char *word;		       // of the text
	const char *what;		       // for people, with %g for the shape
	double shape_min, shape_max;	       // 0, 0: it has no shape
	void (*settle)(struct law_plan *plan); // finds what the draws need
	double (*draw)(const struct law_plan *plan, const struct draw_tables *tables, struct tr_random *random);
	// What is left of one at a random time.
	double (*draw_rest)(const struct law_plan *plan, const struct draw_tables *tables, struct tr_random *random);
	double (*variation)(const struct law_plan *plan); // variance over mean^2; INFINITY
	double (*log_density)(const struct law_plan *plan,
			      double x);			   // a point's is that of two units, or 1e-5 of it to each side
	double (*survival)(const struct law_plan *plan, double x); // P(X > x)
	double (*excess)(const struct law_plan *plan, double x);   // as law_excess; NULL: by the survival
};

// A law in a unit, ready for draws; read only once it is made; freed by law_plan_clear.
struct law_plan {
	const struct law_kind *kind;
	double mean, shape;
	double scale, other;  // as each law needs it
	struct law_bin *bins; // stretched
	size_t bin_count;
	struct alias choice, met; // of a bin; and by count x mean
};

extern const struct law_kind law_kinds[LAWS];

// mean and bins are multiplied by unit (ticks per second). TR_ERROR: no memory, or bins without a mean.
enum tr_status law_plan_make(struct law_plan *out, const struct law *law, double unit, struct tr_error *err);

void law_plan_clear(struct law_plan *plan);

static inline double law_draw(const struct law_plan *plan, const struct draw_tables *tables, struct tr_random *random)
{
	return plan->kind->draw(plan, tables, random);
}

static inline double law_rest(const struct law_plan *plan, const struct draw_tables *tables, struct tr_random *random)
{
	return plan->kind->draw_rest(plan, tables, random);
}

// Variance over mean^2; INFINITY where there is none.
double law_variation(const struct law_plan *plan);

// Mean of what a value has beyond x >= 0 (0 where it is less): the integral of the survival from x on, to about 1e-9 of the
// mean.
double law_excess(const struct law_plan *plan, double x);

// Gives a law that shares another's bins bins of its own. TR_ERROR without memory; it has none then.
enum tr_status law_own(struct law *law, struct tr_error *err);

void law_clear(struct law *law);

#endif
