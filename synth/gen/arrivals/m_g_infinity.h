// SPDX-License-Identifier: GPL-3.0-or-later
// M/G/infinity: sessions begin as a Poisson process, last for a time of any law, and send packets as a Poisson process while
// they last; how many there are at a time is Poisson. With Pareto's law of shape a in (1, 2) the packets are long-range
// dependent with H = (3 - a)/2 (Cox, Long-range dependence: a review, 1984; Parulekar and Makowski, M/G/infinity input
// processes, INFOCOM 1997). Family "m-g-infinity".
#ifndef GEN_ARRIVALS_M_G_INFINITY_H
#define GEN_ARRIVALS_M_G_INFINITY_H

#include "gen/families/arrivals.h"
#include "gen/law.h"

#define M_G_INFINITY_SESSIONS_MAX 1e6 // at a time, on average

struct m_g_infinity {
	double session_gap_s; // mean time between the begins of sessions
	double packet_gap_s;  // mean time between the packets of a session
	struct law session;   // its length, s
};

// Index of dispersion for counts, variance over mean of the packets within t_s > 0, in closed form; NAN for other laws than the
// exponential, Pareto's and the lognormal one.
double m_g_infinity_dispersion(const struct m_g_infinity *parameters, double t_s);

// As fit of struct arrival_fit (m_g_infinity_fit.c): the rate by the count, all else by least squares of the logarithm of the
// dispersion over dyadic times, for the three laws above, the best of which is taken. Intervals are from replicas (replicas.h).
enum tr_status m_g_infinity_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
				struct tr_error *err);

#endif
