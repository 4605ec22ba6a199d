// SPDX-License-Identifier: GPL-3.0-or-later
// The packets that each link's queue had no room for.
#include <stdlib.h>

#include "flitsim.h"

static size_t links_of(const struct net_topology *topology)
{
	return 2 * topology->cable_count;
}

bool link_drops_open(uint64_t **drops, const struct fabric *fabric,
		     const struct net_topology *topology)
{
	if (!fabric->kind->drops)
		return true;
	*drops = calloc(links_of(topology) + 1, sizeof(**drops));
	return *drops != NULL;
}

struct table *link_drops_table(const uint64_t *drops, const struct net_topology *topology)
{
	struct table *table = NULL;
	char name[NET_LINK_NAME_MAX];

	for (uint32_t link = 0; drops && link < links_of(topology); link++) {
		if (drops[link] == 0)
			continue;
		if (!table) {
			table = table_new("drops", "Packets for which a link's queue had no room");
			table_column(table, "link");
			table_column(table, "packets");
		}
		table_text(table, net_link_name(topology, link, name, sizeof(name)));
		table_count(table, drops[link]);
	}
	return table;
}
