// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded part of a long sample, for fits whose work grows with it.
#ifndef GEN_ARRIVALS_STRETCHES_H
#define GEN_ARRIVALS_STRETCHES_H

#include "gen/families/arrivals.h"

// Packets of all realisations.
size_t stretches_packets(const struct arrival_sample *sample);

// A sample of at most about so many packets: all of them, or stretches of each realisation, alike long and spread
// evenly, each as a realisation of its own that begins with a packet's time. The times are lent; the caller frees
// out->each. TR_ERROR without memory.
enum tr_status stretches_take(struct arrival_sample *out, const struct arrival_sample *sample, size_t packets,
			      struct tr_error *err);

#endif
