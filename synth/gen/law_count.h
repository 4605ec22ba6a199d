// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of whole numbers from 1, by their mean: of packets in a burst or a batch. Geometric on 1, 2, ...; constant (that number,
// or the two next to it, so that the mean is kept); uniform on 1 .. 2 mean - 1 (likewise); empirical (its bins as they are, which
// then say the mean); and of the laws of gen/law.h the number beyond the first, rounded up or down at random so that the mean is
// kept.
#ifndef GEN_LAW_COUNT_H
#define GEN_LAW_COUNT_H

#include "gen/law.h"

// Ready for draws; read only once it is made; freed by law_count_clear.
struct law_count {
	enum law_name name;
	double mean;
	struct law_plan beyond; // of the first; of an empirical law its bins
};

// TR_ERROR: a mean below 1, no memory, empty bins.
enum tr_status law_count_make(struct law_count *out, const struct law *law, struct tr_error *err);

void law_count_clear(struct law_count *count);

// At most 2^53.
uint64_t law_count_draw(const struct law_count *count, const struct draw_tables *tables, struct tr_random *random);

// INFINITY where there is none. Of the laws of gen/law.h to within 1/4: what rounding adds is taken to be that of a smooth law.
double law_count_variance(const struct law_count *count);

// Logarithm of the probability of n >= 1.
double law_count_log_probability(const struct law_count *count, uint64_t n);

#endif
