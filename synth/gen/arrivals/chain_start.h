// SPDX-License-Identifier: GPL-3.0-or-later
// Where a fit of a Markov-modulated Poisson process begins: windows of the sample, sorted into levels of their counts.
#ifndef GEN_ARRIVALS_CHAIN_START_H
#define GEN_ARRIVALS_CHAIN_START_H

#include "gen/arrivals/chain.h"
#include "gen/families/arrivals.h"

// Sets out (of two states or more, d1 to be diagonal) from counts in windows of the width: one state for each level, as the
// means of k groups have them (Lloyd's algorithm, on the square roots of counts), with the moves from window to window.
// TR_END: too few windows, or too few different counts. TR_ERROR without memory.
enum tr_status chain_start(struct chain *out, const struct arrival_sample *sample, double window_ticks, struct tr_error *err);

#endif
