// SPDX-License-Identifier: GPL-3.0-or-later
// Uses the machine's wider registers if it has them. A summing loop keeps LANES separate sums and
// adds them up at the end, so that its result does not depend on the width.
#ifndef STAT_WIDEST_H
#define STAT_WIDEST_H

#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif

#define LANES 8

// The sum of the lanes, in an order that does not depend on how many of them a processor adds at
// once.
static inline double lanes_sum(const double lanes[LANES])
{
	return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
	       ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

#endif
