// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/formula.h"

#include <math.h>

#include "net/myrinet/characters.h"

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// Characters of the packet other than route and data.
static int64_t others(const struct myr_format_params *format)
{
	return (format->no_final ? 0 : 1) + (int64_t)format->type_characters +
	       (format->crc ? 1 : 0);
}

// With a GAP first: the GAP, then the other characters and the trailer; the assignment covers a
// route character.
static void announced(const struct myr_times *times, int64_t switches, int64_t step, int64_t *ticks)
{
	ticks[MYR_TERM_SLOTS] = times->flit_ticks + (others(&times->format) + 1) * step;
	ticks[MYR_TERM_ASSIGNMENT] = switches * times->assignment_ticks;
	ticks[MYR_TERM_CONVERSION] = switches * times->conversion_ticks;
}

// With a GAP after the packet: the first character, then all others; the packet is complete without
// the GAP. An assignment only costs the time that the next character would not have waited anyway.
static void ended_by_gap(const struct myr_times *times, int64_t switches, int64_t step,
			 int64_t *ticks)
{
	int64_t route_step = larger(times->route_flit_ticks, times->character_ticks);

	ticks[MYR_TERM_SLOTS] = others(&times->format) * step;
	if (switches > 0)
		ticks[MYR_TERM_SLOTS] += times->route_flit_ticks + (switches - 1) * route_step;
	else
		ticks[MYR_TERM_SLOTS] += times->flit_ticks - step;
	ticks[MYR_TERM_ASSIGNMENT] = switches *
				     larger(times->assignment_ticks - step - times->path_ticks, 0);
	ticks[MYR_TERM_CONVERSION] = 0;
}

void myr_formula(const struct myr_times *times, int64_t delay_ticks, uint32_t switches,
		 uint32_t size_bytes, struct myr_formula *out)
{
	int64_t step = larger(times->flit_ticks, times->character_ticks);
	int64_t *ticks = out->ticks;

	ticks[MYR_TERM_SOFTWARE] = times->software_ticks;
	ticks[MYR_TERM_DMA_IN] = sim_pace_ticks(&times->dma_in, size_bytes);
	ticks[MYR_TERM_DATA] = size_bytes * step;
	ticks[MYR_TERM_LINKS] = (switches + INT64_C(1)) * delay_ticks;
	ticks[MYR_TERM_PATH] = switches * times->path_ticks;
	ticks[MYR_TERM_DMA_OUT] = sim_pace_ticks(&times->dma_out, size_bytes);
	if (times->format.gap_after)
		ended_by_gap(times, switches, step, ticks);
	else
		announced(times, switches, step, ticks);
	out->sum_ticks = 0;
	for (int i = 0; i < MYR_TERMS; i++)
		out->sum_ticks += ticks[i];
}

const char *const myr_term_names[] = {
	[MYR_TERM_SOFTWARE] = "software",
	[MYR_TERM_DMA_IN] = "DMA in",
	[MYR_TERM_DATA] = "data characters",
	[MYR_TERM_SLOTS] = "other characters",
	[MYR_TERM_LINKS] = "links",
	[MYR_TERM_ASSIGNMENT] = "assignment",
	[MYR_TERM_PATH] = "path",
	[MYR_TERM_CONVERSION] = "conversion",
	[MYR_TERM_DMA_OUT] = "DMA out",
	[MYR_TERMS] = NULL,
};

static double character_s(const struct myr_params *params, double occupancy)
{
	return 8 / (num_value(params->link.rate_bps) * occupancy);
}

double myr_occupancy(uint32_t senders)
{
	return 1 - pow(1 - 1.0 / senders, senders);
}

double myr_occupancy_peak_bps(const struct myr_params *params, double occupancy, uint32_t switches,
			      uint32_t size_bytes)
{
	uint32_t all = myr_format_length(&params->format, switches, size_bytes);

	return 8.0 * size_bytes / (all * character_s(params, occupancy));
}

double myr_occupancy_one_way_s(const struct myr_params *params, double occupancy, uint32_t switches,
			       uint32_t size_bytes)
{
	// All but the route characters, and without a GAP after the packet.
	uint32_t characters = myr_format_length(&params->format, 0, size_bytes) -
			      (params->format.gap_after ? 1 : 0);
	double delay_s = num_value(params->link.length_m) / num_value(params->link.speed_mps);

	return characters * character_s(params, occupancy) + (switches + 1.0) * delay_s;
}
