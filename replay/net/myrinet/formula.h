// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a lone worm as a sum: the fixed-cost model of Yates, AFIT/GCS/ENG/97D-20 (1997), with
// the fixed part put together from its parameters (flitline-models(7)),
//   T(S) = software + S/dma_in + S flit + F + S/dma_out,
//   F = 3 flit + (k + 1) link + k (assignment + path + conversion)  for k switches.
// and, where a GAP ends a packet and its CRC completes it, the formula of George and VanLoon
// (eq. 3: 8 (1 + 3 + P + 1) / R + 2 L / V with one switch that takes no time).
// Known values with the SBus adapter: 8192 B over one switch 23.356 MB/s (printed: 23.355 for worms
// of nearly that size), over a direct link 23.366; with PCI adapters 33.26 and 44.32 as printed.
#ifndef NET_MYRINET_FORMULA_H
#define NET_MYRINET_FORMULA_H

#include <stdint.h>

#include "net/myrinet/params.h"

enum myr_term {
	MYR_TERM_SOFTWARE,
	MYR_TERM_DMA_IN,
	MYR_TERM_DATA,	// S characters made
	MYR_TERM_SLOTS, // the other characters: GAP, final, trailer
	MYR_TERM_LINKS,
	MYR_TERM_ASSIGNMENT,
	MYR_TERM_PATH,
	MYR_TERM_CONVERSION,
	MYR_TERM_DMA_OUT,
	MYR_TERMS
};

struct myr_formula {
	int64_t ticks[MYR_TERMS];
	int64_t sum_ticks;
};

// The terms for a worm of size_bytes over so many switches, all cables having delay_ticks.
void myr_formula(const struct myr_times *times, int64_t delay_ticks, uint32_t switches, uint32_t size_bytes,
		 struct myr_formula *out);

// What the terms are called; ends with NULL.
extern const char *const myr_term_names[];

#endif
