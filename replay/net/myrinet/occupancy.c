// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/occupancy.h"

#include <math.h>

#include "net/myrinet/format.h"

static double character_s(const struct myr_params *params, double occupancy)
{
	return 8 / (num_value(params->link.rate_bps) * occupancy);
}

double myr_occupancy(uint32_t senders)
{
	return 1 - pow(1 - 1.0 / senders, senders);
}

double myr_occupancy_peak_bps(const struct myr_params *params, double occupancy, uint32_t switches, uint32_t size_bytes)
{
	uint32_t all = myr_format_length(&params->format, switches, size_bytes);

	return 8.0 * size_bytes / (all * character_s(params, occupancy));
}

double myr_occupancy_one_way_s(const struct myr_params *params, double occupancy, uint32_t switches, uint32_t size_bytes)
{
	// All but the route characters, and but a GAP that only follows the packet.
	uint32_t characters = myr_format_length(&params->format, 0, size_bytes) - (params->format.gap_after ? 1 : 0);
	double delay_s = num_value(params->link.length_m) / num_value(params->link.speed_mps);

	return characters * character_s(params, occupancy) + (switches + 1.0) * delay_s;
}
