// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the arrival processes that several files or a test read. Each process, its text and
// its fit are in the file of its name.
#ifndef GEN_FAMILIES_PROCESSES_H
#define GEN_FAMILIES_PROCESSES_H

#include "gen/arrivals/chain.h"
#include "gen/families/arrivals.h"
#include "gen/law.h"

// ---- Markovian arrival process with any matrices (gen/arrivals/chain.h). Family "map". And that
// whose d1 is diagonal, the Markov-modulated Poisson process: packets at a rate set by a hidden
// Markov chain (Fischer and Meier-Hellstern, The Markov-modulated Poisson process (MMPP) cookbook,
// Performance Evaluation 18 (1993) 149-171). Family "mmpp".

// Zero is empty; the process' clear frees it.
struct map {
	struct chain chain;
	struct chain_moves moves;
	double (*intervals)[2]; // of the rates, 1/s, in the chain's order; of an MMPP of each
				// state's rate, and of its stay in s. NULL, or 0 and 0, where not
				// known
	double level;		// of the intervals
};

extern const struct arrival_process map_process;

// Builds the walk's tables of a checked chain. TR_ERROR if out of memory.
enum tr_status map_ready(struct map *map, struct tr_error *err);

// Frees what a struct map holds; it is empty then.
void map_clear(void *parameters);

// As in struct arrival_process, for either family.
double map_rate(const void *parameters);
double map_dispersion(const void *parameters);
enum tr_status map_start(void *state, const void *parameters,
			 const struct arrival_settings *settings, struct tr_random *random,
			 struct tr_error *err);
double map_next(void *state, struct tr_random *random);

// As in struct arrival_fit, for either way of fitting the process.
enum tr_status map_log_likelihood(const void *parameters, const struct arrival_sample *sample,
				  double *out, struct tr_error *err);
unsigned map_freedom(const void *parameters);

// Log likelihood per tick of count gaps, in ticks, under the likeliest such process found with 1 to
// 3 branches of these orders, shorter gaps first. NAN if out of memory.
double phases_reach(const double *ticks, size_t count, const unsigned *order, unsigned branches);

// ---- M/G/infinity: sessions begin as a Poisson process, have a duration of any law, and meanwhile
// send packets as a Poisson process; the number of sessions at a time is Poisson. With Pareto's law
// of shape a in (1, 2) the packets are long-range dependent with H = (3 - a)/2 (Cox, Long-range
// dependence: a review, 1984; Parulekar and Makowski, M/G/infinity input processes, INFOCOM 1997).
// Family "m-g-infinity".

#define M_G_INFINITY_SESSIONS_MAX 1e6 // at a time, on average

struct m_g_infinity {
	double session_gap_s; // mean time between the begins of sessions
	double packet_gap_s;  // mean time between the packets of a session
	struct law session;   // its length, s
};

// Index of dispersion for counts, variance over mean of the packets within t_s > 0, in closed form;
// NAN for laws other than the exponential, Pareto's and the lognormal.
double m_g_infinity_dispersion(const struct m_g_infinity *parameters, double t_s);

extern const struct arrival_fit m_g_infinity_fitting; // of m_g_infinity_fit.c

// ---- Multifractal wavelet model (Riedi, Crouse, Ribeiro and Baraniuk, A multifractal wavelet
// model with application to network traffic, IEEE Trans. Inf. Theory 45 (1999) 992-1018): the
// traffic of a segment of time is split in halves, these in halves, and so on, by symmetric beta
// multipliers, each octave with its own spread; that is Haar's transform with multipliers of the
// scaling coefficients. The packets of a finest bin are Poisson with its share as their mean.
// Family "cascade".
//
// Segments follow one another from time 0 and are independent: there is no memory beyond a segment.
// All bins have the same law; the correlation of two of them depends on where they lie in their
// segment.

#define CASCADE_OCTAVES_MAX 32u

struct cascade {
	double finest_s;		     // width of a finest bin
	double packets;			     // mean number in it
	double spread;			     // variance over mean^2 of a segment's traffic
	unsigned octaves;		     // a segment has 2^octaves bins
	double shape[CASCADE_OCTAVES_MAX];   // of the beta law by which each octave is split, the
					     // coarsest first
	double ends[CASCADE_OCTAVES_MAX][2]; // of their intervals; 0 and 0 where not known
	double level;			     // of the intervals
};

// Variance over mean of the packets in the 2^octave finest bins below one node of the tree; octave
// at most octaves.
double cascade_dispersion(const struct cascade *cascade, unsigned octave);

// ---- Packets of a Poisson process whose rate is long-range dependent: in bins that begin at time
// 0 the rate is exp(sigma z - sigma^2/2)/gap, where z is fractional Gaussian noise of variance 1. A
// log-Gaussian Cox process (Moller, Syversveen and Waagepetersen, Log Gaussian Cox processes,
// Scand. J. Stat. 25 (1998) 451-482). Family "fractional-rate".

#define FRACTIONAL_RATE_BINS_MAX ((size_t)1 << 22) // of a source

struct fractional_rate {
	double gap_s; // mean, between packets
	double bin_s; // duration of a rate
	double hurst; // of the logarithm of the rates and thus of the packets, 0.5 or more
	double sigma; // standard deviation of that logarithm
};

// Covariance over squared mean of the rates at this lag in bins.
double fractional_rate_covariance(const struct fractional_rate *rate, double bins);

extern const struct arrival_fit fractional_rate_fitting; // of fractional_rate_fit.c

#endif
