// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest case of a fault: packets, hosts, switches and cables are taken away, sizes and times
// halved, parameters set to their defaults as long as the fault is still there.
// After Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28 (2002).
#ifndef TESTS_ENGINES_SHRINK_H
#define TESTS_ENGINES_SHRINK_H

#include "engines_case.h"

// Whether a case still has the fault. Any case may be asked about, also one that is broken.
struct engines_fault {
	bool (*has)(void *context, const struct engines_case *item);
	void *context;
	unsigned tries; // that are left
};

// Makes the case, which has the fault, as small as it gets.
void engines_shrink(struct engines_case *item, struct engines_fault *fault);

#endif
