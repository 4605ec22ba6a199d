// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that may fit a tail: Pareto's (Johnson, Kotz and Balakrishnan 1994), the generalised Pareto law (Grimshaw 1993), the
// lognormal (Cohen 1950), Weibull's (Malevergne, Pisarenko and Sornette 2005) and the exponential law beyond a threshold; and
// which of two is nearer to a tail (Vuong 1989).
#ifndef STAT_TAIL_LAW_H
#define STAT_TAIL_LAW_H

#include <stdbool.h>
#include <stddef.h>

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
	// Maximises the likelihood of y[k], k >= 2, not all 1. False if the maximum is at the edge of the parameter
	// space: the fit is then as close to it as numbers allow.
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

// Whether values at the threshold, as counts have, make the likelihood of this fit grow without end: its numbers mean nothing.
bool tail_fit_unbounded(const struct tail_fit *fit);

// A parameter for x = threshold y; NaN if meaningless.
double tail_fit_parameter(const struct tail_fit *fit, size_t i, double threshold);
double tail_fit_se(const struct tail_fit *fit, size_t i, double threshold);

// ---- Which of two fitted laws is nearer to the truth (Vuong 1989).

struct vuong {
	double z; // standard normal if both are equally near; > 0 for the first. NaN if both are the same
	double p; // two-sided
};

// Compares two fits to y[k] by the sum of the differences of their log densities, less the difference of their numbers of
// parameters (Akaike's correction), over its deviation. If one law contains the other as a limit (Weibull's and the
// lognormal contain Pareto's) and that is the truth, the statistic is not normal.
struct vuong vuong_compare(const struct tail_fit *first, const struct tail_fit *second, const double *y, size_t k);

#endif
