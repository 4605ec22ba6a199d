// SPDX-License-Identifier: GPL-3.0-or-later
// Minimises a failing case: removes packets, hosts, switches and cables, halves sizes and times,
// sets parameters to their defaults, as long as the fault persists. After Zeller and Hildebrandt,
// Simplifying and isolating failure-inducing input, IEEE TSE 28 (2002).
#ifndef TESTS_ENGINES_SHRINK_H
#define TESTS_ENGINES_SHRINK_H

#include "engines_case.h"

// Whether a case still has the fault. Called for any case, even an invalid one.
struct engines_fault {
	bool (*has)(void *context, const struct engines_case *item);
	void *context;
	unsigned tries; // remaining
};

// Minimises the case, which has the fault.
void engines_shrink(struct engines_case *item, struct engines_fault *fault);

#endif
