// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/rings.h"

#include "net/studies/sci/ringlets.h"

// Whether the rings of each node go on to its neighbours, dimension by dimension.
static bool rings_are_grid(const struct sci_rings *rings, const struct sci_ringlets *ringlets)
{
	for (uint32_t node = 0; node < ringlets->nodes; node++) {
		uint32_t d = 0;

		for (uint32_t i = ringlets->first[node]; i < ringlets->first[node + 1]; i++) {
			const struct sci_line *line = &ringlets->lines[i];

			if (line->back)
				continue;
			if (d == rings->dimensions ||
			    ringlets->lines[line->next].node != sci_rings_next(rings, node, d++))
				return false;
		}
		if (d != rings->dimensions)
			return false;
	}
	return true;
}

bool sci_rings_find(struct sci_rings *rings, const struct sci_ringlets *ringlets)
{
	uint64_t nodes = 1;

	*rings = (struct sci_rings){.nodes = ringlets->nodes};
	for (uint32_t host = 0; host < ringlets->hosts; host++)
		if (ringlets->homes[host] != host)
			return false;
	for (uint32_t i = 0; ringlets->nodes > 0 && i < ringlets->first[1]; i++) {
		if (ringlets->lines[i].back)
			continue;
		if (rings->dimensions == NET_DIMENSIONS_MAX || nodes > ringlets->nodes)
			return false;
		rings->strides[rings->dimensions] = (uint32_t)nodes;
		rings->sizes[rings->dimensions] = ringlets->sizes[ringlets->lines[i].ring];
		nodes *= rings->sizes[rings->dimensions++];
	}
	return ringlets->hosts == ringlets->nodes && nodes == ringlets->nodes &&
	       rings_are_grid(rings, ringlets);
}

enum tr_status sci_rings_open(struct sci_rings *rings, const struct net_topology *topology,
			      struct tr_error *err)
{
	struct sci_ringlets ringlets;
	enum tr_status status = sci_ringlets_open(&ringlets, topology, false, err);

	*rings = ringlets.torus;
	if (status == TR_OK && !ringlets.is_torus)
		status = tr_fail(err, "sci: the formulas are of a ring or torus with one host on "
				      "each switch (ring:8, torus:4x4)");
	sci_ringlets_close(&ringlets);
	return status;
}
