// SPDX-License-Identifier: GPL-3.0-or-later
// Exact fractional Gaussian noise for tests.
#ifndef TESTS_FGN_H
#define TESTS_FGN_H

#include <stddef.h>
#include <stdint.h>

#include "value/random.h"

struct fgn;

// Makes series of n points with Hurst parameter h and variance 1. Without memory the program ends.
struct fgn *fgn_open(size_t n, double h);

// The same for any Gaussian series, by its autocovariance at lag k >= 0; its circulant embedding
// must not be negative.
struct fgn *fgn_open_by(size_t n, double (*covariance)(double parameter, double k),
			double parameter);

// Fills x[n] with the next series of a stream of random numbers.
void fgn_draw(struct fgn *fgn, struct tr_random *random, double *x);

// Autocovariance at lag k.
double fgn_covariance(double h, double k);

void fgn_close(struct fgn *fgn);

#endif
