// SPDX-License-Identifier: GPL-3.0-or-later
// Runs arrival processes directly: parameters from text, times from parameters.
#ifndef ARRIVALS_BED_H
#define ARRIVALS_BED_H

#include <stddef.h>

#include "gen/families/family.h"

// Parameters of the kind from the keys of its section, each line ended by a newline. Fails the test
// if they cannot be read; arrivals_bed_close frees them.
void *arrivals_bed_open(const struct family *family, const char *keys);

void arrivals_bed_close(const struct family *family, void *parameters);

// The error of reading, "" if there is none. Lent until the next call.
const char *arrivals_bed_refuses(const struct family *family, const char *keys);

// The text that the parameters write. The caller frees it.
char *arrivals_bed_text(const struct family *family, const void *parameters);

// Generates the times of one source from 0 to before end_ticks; at most max packets, the end is
// then just after the last. The caller frees times.ticks.
struct arrival_times arrivals_bed_times(const struct family *family, const void *parameters,
					unsigned long long seed, double ticks_per_s,
					double end_ticks, size_t max);

// Variance over mean of counts in windows of this width.
double arrivals_bed_dispersion(const struct arrival_times *times, double window_ticks);

// Correlation of gaps at this lag.
double arrivals_bed_correlation(const struct arrival_times *times, size_t lag);

#endif
