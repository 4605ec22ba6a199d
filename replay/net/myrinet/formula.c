// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/formula.h"

#define SLOTS 3

void myr_formula(const struct myr_times *times, int64_t delay_ticks, uint32_t switches,
		 uint32_t size_bytes, struct myr_formula *out)
{
	int64_t *ticks = out->ticks;

	ticks[MYR_TERM_DMA_IN] = sim_pace_ticks(&times->dma_in, size_bytes);
	ticks[MYR_TERM_DATA] = size_bytes * times->flit_ticks;
	ticks[MYR_TERM_SLOTS] = SLOTS * times->flit_ticks;
	ticks[MYR_TERM_LINKS] = (switches + INT64_C(1)) * delay_ticks;
	ticks[MYR_TERM_ASSIGNMENT] = switches * times->assignment_ticks;
	ticks[MYR_TERM_PATH] = switches * times->path_ticks;
	ticks[MYR_TERM_CONVERSION] = switches * times->conversion_ticks;
	ticks[MYR_TERM_DMA_OUT] = sim_pace_ticks(&times->dma_out, size_bytes);
	out->sum_ticks = 0;
	for (int i = 0; i < MYR_TERMS; i++)
		out->sum_ticks += ticks[i];
}

const char *myr_term_name(enum myr_term term)
{
	static const char *const names[MYR_TERMS] = {
		"DMA in", "data characters", "GAP, final, trailer", "links", "assignment", "path",
		"conversion", "DMA out",
	};

	return names[term];
}
