// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest Path (Qu 2001, section 5.2): a message arrives after its hops times a delay, independent
// of its length and of other messages.
#include "net/studies/cppe/technique.h"

static void cppe_path_start(struct cppe_run *cppe, uint32_t number)
{
	const int64_t there_ticks = cppe->net.now_ticks + cppe_hops(cppe) * cppe->times.hop_ticks;

	cppe_send(cppe, number, there_ticks, there_ticks);
}

const struct cppe_technique cppe_path = {.start = cppe_path_start};
