// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/yates_leaves.h"

void yates_lay_group(struct net_builder *builder, uint32_t group)
{
	static const uint32_t hosts[YATES_LEAVES] = {5, 6, 5};
	uint32_t first = YATES_GROUP * group;

	for (uint32_t i = 0; i < YATES_LEAVES; i++) {
		net_build_hosts(builder, first, hosts[i], YATES_LEAVES * group + i);
		first += hosts[i];
	}
}
