// SPDX-License-Identifier: GPL-3.0-or-later
// What a crossbar under saturation can carry and how long a worm then takes: the analytical model of
// George and VanLoon (their eqs. 1 to 3, the first after Bhandarkar), with the numbers of
// characters taken from the packet format, so that eq. 2's P + 7 and eq. 3's 1 + 3 + P + 1 come out
// of their format over one switch.
// Known values at 1.28 Gb/s over one switch with cables of 10 m: 8192 B give 1278.9 Mb/s and 51.34 us
// for one sender, 844 Mb/s and 77.7 us for seven; 4 B give 167.4 ns and 196.3 ns.
#ifndef NET_MYRINET_OCCUPANCY_H
#define NET_MYRINET_OCCUPANCY_H

#include <stdint.h>

#include "net/myrinet/params.h"

// (1) Share of the outputs that are busy when each of so many senders (at least 1) chooses any of as
// many: 1 - (1 - 1/N)^N.
double myr_occupancy(uint32_t senders);

// (2) Mean b/s of data into one host: rate x occupancy x P / (all characters of the packet).
double myr_occupancy_peak_bps(const struct myr_params *params, double occupancy, uint32_t switches, uint32_t size_bytes);

// (3) Seconds from the first character to the last that the host needs: the first one's time, those
// behind it that no switch takes away, and the cables' delays; switches take no time.
double myr_occupancy_one_way_s(const struct myr_params *params, double occupancy, uint32_t switches, uint32_t size_bytes);

#endif
