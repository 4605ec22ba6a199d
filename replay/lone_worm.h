// SPDX-License-Identifier: GPL-3.0-or-later
// One worm in an empty network.
#ifndef REPLAY_LONE_WORM_H
#define REPLAY_LONE_WORM_H

#include "net/engine.h"

// Sends one worm of size_bytes from host 0 to host destination of setup's network (its traffic, results
// and samples are not used). *ticks: from the start of its transfer to its delivery; *switches: that
// it passed. TR_ERROR where the run fails or the worm is lost.
enum tr_status lone_worm_send(const struct net_setup *setup, const struct net_engine *engine, uint32_t destination,
			      uint32_t size_bytes, int64_t *ticks, uint32_t *switches, struct tr_error *err);

#endif
