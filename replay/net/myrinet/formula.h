// SPDX-License-Identifier: GPL-3.0-or-later
// Theory of a worm's time: alone in the network, and under saturation.
#ifndef NET_MYRINET_FORMULA_H
#define NET_MYRINET_FORMULA_H

#include <stdint.h>

#include "net/myrinet/params.h"

// The time of a lone worm as a sum: the fixed-cost model of Yates, AFIT/GCS/ENG/97D-20 (1997), with
// the fixed part composed from its parameters (flitline-models(7)),
//   T(S) = software + S/dma_in + S flit + F + S/dma_out,
//   F = 3 flit + (k + 1) link + k (assignment + path + conversion)  for k switches.
// and, if a GAP ends a packet and its CRC completes it, the formula of George and VanLoon (eq. 3: 8
// (1 + 3 + P + 1) / R + 2 L / V with one switch that takes no time).
// Known values with the SBus adapter: 8192 B over one switch 23.356 MB/s (printed: 23.355 for worms
// of nearly that size), over a direct link 23.366; with PCI adapters 33.26 and 44.32 as printed.

enum myr_term {
	MYR_TERM_SOFTWARE,
	MYR_TERM_DMA_IN,
	MYR_TERM_DATA,	// S characters produced
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

// The terms for a worm of size_bytes through this number of switches, all cables having
// delay_ticks.
void myr_formula(const struct myr_times *times, int64_t delay_ticks, uint32_t switches,
		 uint32_t size_bytes, struct myr_formula *out);

// Names of the terms; ends with NULL.
extern const char *const myr_term_names[];

// Capacity of a crossbar under saturation and the time of a worm then: the analytical model of
// George and VanLoon (their eqs. 1 to 3, the first after Bhandarkar), with character counts from
// the packet format, so that their format over one switch gives eq. 2's P + 7 and eq. 3's 1 + 3 + P
// + 1.
// Known values at 1.28 Gb/s over one switch with cables of 10 m: 8192 B give 1278.9 Mb/s and 51.34
// us for one sender, 844 Mb/s and 77.7 us for seven; 4 B give 167.4 ns and 196.3 ns.

// (1) Expected fraction of busy outputs when each of N senders (at least 1) chooses any of N
// outputs: 1 - (1 - 1/N)^N.
double myr_occupancy(uint32_t senders);

// (2) Mean b/s of data into one host: rate x occupancy x P / (all characters of the packet).
double myr_occupancy_peak_bps(const struct myr_params *params, double occupancy, uint32_t switches,
			      uint32_t size_bytes);

// (3) Seconds from the first to the last character that the host needs: the first one's time, the
// following ones that no switch removes, and the cables' delays; switches take no time.
double myr_occupancy_one_way_s(const struct myr_params *params, double occupancy, uint32_t switches,
			       uint32_t size_bytes);

#endif
