// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a lone worm as a sum: Yates, AFIT/GCS/ENG/97D-20 (1997), the fixed-cost model (our spec's 10.2),
//   T(S) = S/dma_in + S flit + F + S/dma_out,
//   F = 3 flit + (k + 1) link + k (assignment + path + conversion)  for k switches.
// Known values with the SBus adapter and one switch: 8192 B 23.356 MB/s, 1024 B 23.26, 40 B 20.93; direct link 8192 B 23.366.
#ifndef NET_MYRINET_FORMULA_H
#define NET_MYRINET_FORMULA_H

#include <stdint.h>

#include "net/myrinet/params.h"

enum myr_term {
	MYR_TERM_DMA_IN,
	MYR_TERM_DATA,       // S characters made
	MYR_TERM_SLOTS,      // three more of them
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
void myr_formula(const struct myr_times *times, int64_t delay_ticks, uint32_t switches,
		 uint32_t size_bytes, struct myr_formula *out);

// What a term is called. Static.
const char *myr_term_name(enum myr_term term);

#endif
