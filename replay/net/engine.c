// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/engine.h"

#include <stdio.h>
#include <string.h>

static void end_name(const struct net_topology *topology, struct net_end end, char *out, size_t bytes)
{
	size_t used = strlen(net_topology_name(topology, end.node, out, bytes));

	if (end.node >= topology->hosts)
		snprintf(out + used, bytes - used, ".%u", end.port);
}

const char *net_link_name(const struct net_topology *topology, uint32_t link, char *out, size_t out_bytes)
{
	const struct net_cable *cable = &topology->cables[link / 2];
	char from[NET_NAME_MAX + 16];
	char to[NET_NAME_MAX + 16];

	end_name(topology, cable->ends[link % 2], from, sizeof(from));
	end_name(topology, cable->ends[1 - link % 2], to, sizeof(to));
	snprintf(out, out_bytes, "%s>%s", from, to);
	return out;
}
