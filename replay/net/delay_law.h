// SPDX-License-Identifier: GPL-3.0-or-later
// A law of times by its quantiles: each as likely as the others. As text "5us:5us:110us".
#ifndef NET_DELAY_LAW_H
#define NET_DELAY_LAW_H

#include <stdint.h>

#include "value/random.h"
#include "value/status.h"

#define NET_LAW_TIMES 128u

// Ticks, 0 or more; no times: 0 always.
struct net_law {
	unsigned count;
	int64_t ticks[NET_LAW_TIMES];
};

// Reads times with colons between them, each rounded to the nearest tick. TR_ERROR, which begins
// with what, where one is none, below 0 or out of range, or there are too many.
enum tr_status net_law_read(struct net_law *law, const char *what, const char *text,
			    uint64_t ticks_per_s, struct tr_error *err);

// The draw from block number counter of the stream, so that the order of draws does not matter.
int64_t net_law_draw(const struct net_law *law, const struct tr_random *stream, uint64_t counter);

#endif
