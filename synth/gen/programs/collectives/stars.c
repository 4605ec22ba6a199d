// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/collectives/stars.h"

void star_spread(struct stage *stage, struct blocks blocks)
{
	if (stage->place > 0)
		stage_recv(stage, 0, blocks);
	for (uint32_t to = 1; stage->place == 0 && to < stage_ranks(stage); to++)
		stage_send(stage, to, blocks);
	stage->round++;
}

void star_combine(struct stage *stage, struct blocks blocks)
{
	if (stage->place > 0) {
		stage_send(stage, 0, blocks);
	} else {
		stage->carry = CARRY_ADD;
		stage_together(stage);
		for (uint32_t from = 1; from < stage_ranks(stage); from++) {
			stage_branch(stage);
			stage_recv(stage, from, blocks);
		}
		stage_meet(stage);
		stage->carry = CARRY_PUT;
	}
	stage->round++;
}

void star_scatter(struct stage *stage)
{
	if (stage->place > 0)
		stage_recv(stage, 0, stage_some(stage, stage->place, 1));
	for (uint32_t to = 1; stage->place == 0 && to < stage_ranks(stage); to++)
		stage_send(stage, to, stage_some(stage, to, 1));
	stage->round++;
}

void star_gather(struct stage *stage)
{
	if (stage->place > 0) {
		stage_send(stage, 0, stage_some(stage, stage->place, 1));
	} else {
		stage_together(stage);
		for (uint32_t from = 1; from < stage_ranks(stage); from++) {
			stage_branch(stage);
			stage_recv(stage, from, stage_some(stage, from, 1));
		}
		stage_meet(stage);
	}
	stage->round++;
}
