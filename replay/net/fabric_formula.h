// SPDX-License-Identifier: GPL-3.0-or-later
// A kind's formula, prepared for a network.
#ifndef NET_FABRIC_FORMULA_H
#define NET_FABRIC_FORMULA_H

#include "net/fabric.h"

// Zero is a valid closed one.
struct fabric_formula {
	const struct net_formula *of;
	void *state;
	int64_t *terms_ticks; // of the worm asked for last, in the order of of->terms
};

// Prepares the formula of kind for setup. TR_ERROR where the kind has none, or a parameter is out of range. Close it in any
// case.
enum tr_status fabric_formula_open(struct fabric_formula *formula, const struct net_fabric *kind, const struct net_setup *setup,
				   struct tr_error *err);

// The time of one worm in an empty network: the sum of the terms, which it sets.
int64_t fabric_formula_ticks(struct fabric_formula *formula, uint32_t switches, uint32_t size_bytes);

void fabric_formula_close(struct fabric_formula *formula);

#endif
