// SPDX-License-Identifier: GPL-3.0-or-later
// The intervals in which a kind of network samples its links: each link's sample is given for each interval; intervals in which
// no link did anything are given as one where the one before is such, too.
#ifndef NET_INTERVALS_H
#define NET_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"

struct net_intervals {
	const struct net_setup *setup; // lent
	uint32_t links;
	int64_t begin_ticks;  // of the present one
	int64_t silent_ticks; // from then on no link did anything, and that was not given; INT64_MAX
};

// The sample of a link in the present interval; its start, width and link are not read.
typedef const struct tr_link *net_interval_sample(const void *context, uint32_t link);

// The first interval is that in which a tick lies; there are samples.
void net_intervals_open(struct net_intervals *intervals, const struct net_setup *setup, uint32_t links, int64_t ticks);

// The present interval ends; silent: no link did anything in it. TR_ERROR where the results fail.
enum tr_status net_intervals_end(struct net_intervals *intervals, bool silent, net_interval_sample *sample, const void *context,
				 struct tr_error *err);

// No link does anything before a tick, nor did in the last interval: goes to the one in which it lies. Returns false, without
// effect, where the last was not silent.
bool net_intervals_skip(struct net_intervals *intervals, int64_t ticks);

// After the last: gives those that were held back. TR_ERROR where the results fail.
enum tr_status net_intervals_close(struct net_intervals *intervals, struct tr_error *err);

#endif
