// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the tail of a sample is a power law.
#ifndef STAT_HEAVY_TAIL_H
#define STAT_HEAVY_TAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/intervals/verdict.h"
#include "stat/tests/tail.h"

// ---- tail_law.c
// Laws that may fit a tail: Pareto's (Johnson, Kotz and Balakrishnan 1994), the generalised Pareto
// law (Grimshaw 1993), the lognormal (Cohen 1950), Weibull's (Malevergne, Pisarenko and Sornette
// 2005) and the exponential law beyond a threshold; and which of two is nearer to a tail (Vuong
// 1989).

// ---- The shape of a law: one row each of tail_laws.

#define TAIL_LAW_PARAMETERS_MAX 2

// How a parameter changes if all values are multiplied by u.
enum tail_unit { TAIL_UNIT_NONE, TAIL_UNIT_VALUE, TAIL_UNIT_LOG }; // stays; times u; plus log u

// Laws of y = x / threshold, given y >= 1.
struct tail_law {
	const char *name;
	bool heavy; // a power law far out
	size_t parameters;
	const char *parameter_names[TAIL_LAW_PARAMETERS_MAX];
	enum tail_unit units[TAIL_LAW_PARAMETERS_MAX];
	// Maximises the likelihood of y[k], k >= 2, not all 1. False if the maximum is at the edge
	// of the parameter space: the fit is then as close to it as numbers allow.
	bool (*fit)(const double *y, size_t k, double *parameters);
	// At the edge it is another law, with meaningless parameters: tail_fit_parameter gives NaN.
	bool another_at_edge;
	double (*log_density)(double y, const double *parameters);
};

extern const struct tail_law tail_pareto;
extern const struct tail_law tail_generalised_pareto;
extern const struct tail_law tail_lognormal;
extern const struct tail_law tail_weibull;
extern const struct tail_law tail_exponential;

// All of them, Pareto first, ended by NULL.
extern const struct tail_law *const tail_laws[];

struct tail_fit {
	const struct tail_law *law;
	double parameters[TAIL_LAW_PARAMETERS_MAX]; // of y
	double se[TAIL_LAW_PARAMETERS_MAX];	    // by the observed information; NaN at the edge
	double log_likelihood;			    // of y; that of x is less by k log(threshold)
	double aic;				    // of y
	bool inside;				    // the maximum is not at the edge
};

// Fits one law to y[k].
struct tail_fit tail_fit_make(const struct tail_law *law, const double *y, size_t k);

// Whether values at the threshold, as counts have, make the likelihood of this fit grow without
// end: its numbers mean nothing.
bool tail_fit_unbounded(const struct tail_fit *fit);

// A parameter for x = threshold y; NaN if meaningless.
double tail_fit_parameter(const struct tail_fit *fit, size_t i, double threshold);
double tail_fit_se(const struct tail_fit *fit, size_t i, double threshold);

// ---- Which of two fitted laws is nearer to the truth (Vuong 1989).

struct vuong {
	double z; // standard normal if both are equally near; > 0 for the first. NaN if both are
		  // the same
	double p; // two-sided
};

// Compares two fits to y[k] by the sum of the differences of their log densities, less the
// difference of their numbers of parameters (Akaike's correction), over its deviation. If one law
// contains the other as a limit (Weibull's and the lognormal contain Pareto's) and that is the
// truth, the statistic is not normal.
struct vuong vuong_compare(const struct tail_fit *first, const struct tail_fit *second,
			   const double *y, size_t k);

// ---- Whether a lognormal tail passes for a power law (Malevergne, Pisarenko and Sornette 2011;
// del Castillo and Puig 1999).

struct log_variation {
	double coefficient; // standard deviation of log y over its mean: 1 for Pareto's law, less
			    // for the lognormal
	double p;	    // of a coefficient as small if the law is Pareto's
};

// For y[k] = x / threshold, each >= 1: the uniformly most powerful unbiased test of Pareto's law
// against the lognormal one beyond the threshold, with its normal limit. NaN if all are 1.
struct log_variation pareto_against_lognormal(const double *y, size_t k);

// ---- Whether the tail of a sample is a power law: indices (Hill 1975, and tail.h), fits of five
// laws (above), Vuong's test of two (Vuong 1989), and their joint answer.

#define HEAVY_TAIL_LAWS 5
#define HEAVY_TAIL_METHODS 4

struct heavy_tail {
	struct tail tail;
	double threshold;
	double ties; // share of the tail's values that equal a neighbour
	struct tail_index log_log, hill, moment;
	struct hill_stability stability;
	struct hill_stability
		bent; // of the values that the fitted generalised Pareto law maps to a power law
	struct tail_fit fits[HEAVY_TAIL_LAWS]; // in the order of tail_laws
	struct vuong against_pareto[HEAVY_TAIL_LAWS];
	size_t best;		  // of fits, by AIC
	struct vuong heavy_light; // the best power law against the best of the others
	struct method_result methods[HEAVY_TAIL_METHODS]; // hill, lognormal, bent, laws
	double p; // the lesser of the two tests of Pareto's law, which an answer no must reject
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// Doubles of workspace for n values.
size_t heavy_tail_workspace(size_t n);

// Judges the largest share (0 < share < 1) of the values above 0 of rising[n], which must outlive
// out; intervals at level. Two laws end in a power: Pareto's is rejected if Hill's index is not
// constant over the tail, or the logs vary less than an exponential law's (as a lognormal law's
// do); the generalised Pareto law, which bends near the threshold, is rejected if the index is not
// constant after removing the bend, or not significantly above 0. The answer is yes if Pareto's is
// not rejected at the joint level and nearer than the exponential law by Vuong's test, or the
// generalised one is not and is nearer to the tail than the lognormal, Weibull's and the
// exponential law by Vuong's test;
// no if both are rejected, or one of those three laws is nearer than both; unknown otherwise, below
// 200 values or 30 different ones, and if the tail's values are all equal (the numbers are then
// NaN).
void heavy_tail_decide(struct heavy_tail *out, const double *rising, size_t n, double share,
		       double level, double *workspace);

#endif
