// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/collectives/rings.h"

// In each round the block of the place so far behind is sent on, and that of the one behind it received.
static void pass(struct stage *stage, uint32_t behind)
{
	stage_swap(stage, stage_ahead(stage, 1), stage_some(stage, stage_behind(stage, behind), 1), stage_behind(stage, 1),
		   stage_some(stage, stage_behind(stage, behind + 1), 1));
	stage->round++;
}

void ring_spread(struct stage *stage)
{
	for (uint32_t round = 0; round + 1 < stage_ranks(stage); round++)
		pass(stage, round);
}

void ring_combine(struct stage *stage)
{
	stage->carry = CARRY_ADD;
	for (uint32_t round = 0; round + 1 < stage_ranks(stage); round++)
		pass(stage, round + 1);
	stage->carry = CARRY_PUT;
}
