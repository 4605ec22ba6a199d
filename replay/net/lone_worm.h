// SPDX-License-Identifier: GPL-3.0-or-later
// The time of one worm in an empty network: simulated, and by the formula of the network's kind.
#ifndef NET_LONE_WORM_H
#define NET_LONE_WORM_H

#include "net/engine.h"
#include "net/fabric.h"

// One worm in an empty network.

// Sends one worm of size_bytes from host 0 to host destination of setup's network (ignoring its
// traffic, results and samples). *ticks: from the start of its transfer to its delivery; *switches:
// how many it passed. TR_ERROR where the run fails or the worm is lost.
enum tr_status lone_worm_send(const struct net_setup *setup, const struct net_engine *engine,
			      uint32_t destination, uint32_t size_bytes, int64_t *ticks,
			      uint32_t *switches, struct tr_error *err);

// A kind's formula, prepared for a network.

// Zero is a valid closed one.
struct fabric_formula {
	const struct net_formula *of;
	void *state;
	int64_t *terms_ticks; // of the last worm, in the order of of->terms
};

// Prepares the formula of kind for setup. TR_ERROR where the kind has none, or a parameter is out
// of range. Close it in any case.
enum tr_status fabric_formula_open(struct fabric_formula *formula, const struct net_fabric *kind,
				   const struct net_setup *setup, struct tr_error *err);

// The time of one worm in an empty network: sets the terms and returns their sum.
int64_t fabric_formula_ticks(struct fabric_formula *formula, uint32_t switches,
			     uint32_t size_bytes);

// Frees what it holds; it is empty then.
void fabric_formula_close(struct fabric_formula *formula);

#endif
