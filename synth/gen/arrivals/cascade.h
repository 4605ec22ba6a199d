// SPDX-License-Identifier: GPL-3.0-or-later
// Multifractal wavelet model (Riedi, Crouse, Ribeiro and Baraniuk, A multifractal wavelet model with application to network
// traffic, IEEE Trans. Inf. Theory 45 (1999) 992-1018, section V): the traffic of a segment of time is split in halves, these
// in halves, and so on, by symmetric beta multipliers whose spread each octave has for itself; which is Haar's transform with
// multipliers of the scaling coefficients. The packets of a finest bin are Poisson with its share as their mean. Family
// "cascade".
//
// Segments follow one another from time 0, independent of one another: nothing is remembered longer than one lasts. All bins
// have the same law; how much two of them have in common depends on where they lie in their segment.
#ifndef GEN_ARRIVALS_CASCADE_H
#define GEN_ARRIVALS_CASCADE_H

#include "gen/families/arrivals.h"

#define CASCADE_OCTAVES_MAX 32u

struct cascade {
	double finest_s;		     // width of a finest bin
	double packets;			     // mean number in it
	double spread;			     // variance over mean^2 of a segment's traffic
	unsigned octaves;		     // a segment has 2^octaves bins
	double shape[CASCADE_OCTAVES_MAX];   // of the beta law by which each octave is split, the coarsest first
	double ends[CASCADE_OCTAVES_MAX][2]; // of their intervals; 0 and 0 where not known
	double level;			     // of the intervals
};

// Variance over mean of the packets in 2^octave finest bins that are one node of the tree; octave at most octaves.
double cascade_dispersion(const struct cascade *cascade, unsigned octave);

// As fit of struct arrival_fit (cascade_fit.c): by the variances of Haar's coefficients of counts in each octave, from which
// those of Poisson counts are taken. The finest bin is a power of ten of a second. Intervals
// are from replicas (replicas.h).
enum tr_status cascade_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			   struct tr_error *err);

#endif
