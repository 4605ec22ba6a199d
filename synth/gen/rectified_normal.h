// SPDX-License-Identifier: GPL-3.0-or-later
// A normal law whose values below 0 become 0 (Tobin, Estimation of relationships for limited dependent variables,
// Econometrica 26 (1958) 24-36), found by the mean and deviation that are left. Known value: of a standard normal they are
// 1/sqrt(2 pi) and sqrt(1/2 - 1/(2 pi)).
#ifndef GEN_RECTIFIED_NORMAL_H
#define GEN_RECTIFIED_NORMAL_H

struct rectified_normal {
	double mean, deviation; // of the normal law, before its values below 0 become 0
	double zero;		// share of its values below 0
};

// The law of which mean (above 0) and deviation (0 or more) are left. Where the deviation is more than 5e7 times the mean, the
// one nearest to that.
struct rectified_normal rectified_normal_of(double mean, double deviation);

#endif
