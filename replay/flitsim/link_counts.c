// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that are counted by link: those for which its queue had no room, those that it marked.
#include <stdlib.h>

#include "flitsim.h"

static size_t links_of(const struct net_topology *topology)
{
	return 2 * topology->cable_count;
}

bool link_counts_open(uint64_t **counts, const struct fabric *fabric,
		      const struct net_topology *topology)
{
	if (!fabric->kind->drops)
		return true;
	*counts = calloc(links_of(topology) + 1, sizeof(**counts));
	return *counts != NULL;
}

struct table *link_counts_table(const uint64_t *counts, const struct net_topology *topology,
				const char *name, const char *title)
{
	struct table *table = NULL;
	char link_name[NET_LINK_NAME_MAX];

	for (uint32_t link = 0; counts && link < links_of(topology); link++) {
		if (counts[link] == 0)
			continue;
		if (!table) {
			table = table_new(name, title);
			table_column(table, "link");
			table_column(table, "packets");
		}
		table_text(table, net_link_name(topology, link, link_name, sizeof(link_name)));
		table_count(table, counts[link]);
	}
	return table;
}
