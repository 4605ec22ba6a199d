// SPDX-License-Identifier: GPL-3.0-or-later
// Random cases: connected networks of 1 to 6 switches of 2 to 16 ports, or a direct link; parallel
// cables, cables with their own length, even too long; parameters of all sizes; traffic from sparse
// to overload; timeouts, BEATs, faults, bit errors, wrong routes, reactive traffic.
#ifndef TESTS_ENGINES_DRAW_H
#define TESTS_ENGINES_DRAW_H

#include "engines_case.h"

// The case with this number of the experiment's seed.
void engines_draw(struct engines_case *item, uint64_t seed, uint64_t number);

#endif
