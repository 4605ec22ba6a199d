// SPDX-License-Identifier: GPL-3.0-or-later
// (1 - B)^d of a series, starting at its first point.
#ifndef TESTS_FRACTIONAL_DIFFERENCE_H
#define TESTS_FRACTIONAL_DIFFERENCE_H

#include <stddef.h>

#include "value/status.h"

struct fractional_difference;

// Doubles of workspace for n points.
size_t fractional_difference_workspace(size_t n);

// Prepares x[n], less level from each point, in workspace, which must stay. TR_ERROR without
// memory.
enum tr_status fractional_difference_open(struct fractional_difference **out, const double *x,
					  size_t n, double level, double *workspace,
					  struct tr_error *err);

// Fills y[n]: the sum over k from 0 to t of c_k (x_(t-k) - level + shift), where c_k are the
// coefficients of (1 - B)^d. By two transforms.
void fractional_difference_make(const struct fractional_difference *difference, double d,
				double shift, double *y);

void fractional_difference_close(struct fractional_difference *difference);

#endif
