// SPDX-License-Identifier: GPL-3.0-or-later
// From which octave on a series scales, by how well each choice fits.
#ifndef STAT_ONSET_OF_SCALING_H
#define STAT_ONSET_OF_SCALING_H

#include <stddef.h>

// probability[i] is the chance of a worse fit where the fit begins at the i-th octave allowed, count > 0. Returns the i to begin
// with.
size_t onset_of_scaling(const double *probability, size_t count);

#endif
