// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/designs/blocks.h"

#include <stdlib.h>

#include "net/topology/topology_build.h"

// Ports of each place's switch, counted from the first for cables: to the object after, and to the
// one before.
struct ports {
	uint32_t *on;
	uint32_t *back;
	uint32_t *used; // of a switch
	uint32_t most;
};

static void ports_close(struct ports *ports)
{
	free(ports->on);
	free(ports->back);
	free(ports->used);
}

static uint32_t longest_block(const struct net_blocks *blocks)
{
	uint32_t longest = 0;

	for (uint32_t block = 0; block < blocks->count; block++)
		if (blocks->first[block + 1] - blocks->first[block] > longest)
			longest = blocks->first[block + 1] - blocks->first[block];
	return longest;
}

// Gives the objects at an index of the blocks of a part their ports.
static void blocks_lay_number(struct ports *ports, const struct net_blocks *blocks, uint32_t first,
			      uint32_t index)
{
	for (uint32_t block = first; block < first + blocks->switches && block < blocks->count;
	     block++) {
		const uint32_t place = blocks->first[block] + index;
		uint32_t *used;

		if (place >= blocks->first[block + 1])
			continue;
		used = &ports->used[blocks->objects[place]];
		if (index > 0)
			ports->back[place] = (*used)++;
		if (place + 1 < blocks->first[block + 1])
			ports->on[place] = (*used)++;
		if (*used > ports->most)
			ports->most = *used;
	}
}

static enum tr_status ports_open(struct ports *ports, const struct net_blocks *blocks,
				 struct tr_error *err)
{
	const size_t places = blocks->first[blocks->count];
	const uint32_t longest = longest_block(blocks);

	*ports = (struct ports){
		.on = calloc(places + 1, sizeof(uint32_t)),
		.back = calloc(places + 1, sizeof(uint32_t)),
		.used = calloc((size_t)blocks->switches + 1, sizeof(uint32_t)),
	};
	if (!ports->on || !ports->back || !ports->used)
		return tr_no_memory(err, "the ports of a design");
	for (uint32_t first = 0; first < blocks->count; first += blocks->switches)
		for (uint32_t index = 0; index < longest; index++)
			blocks_lay_number(ports, blocks, first, index);
	return TR_OK;
}

static enum tr_status blocks_lay_build(const struct net_blocks *blocks, const struct ports *ports,
				       const uint32_t *trail, struct net_topology *topology,
				       const uint32_t wanted[2], struct tr_error *err)
{
	const uint32_t s = blocks->switches;
	const uint32_t hosts = wanted[0];
	const uint32_t most_hosts = (uint32_t)(((uint64_t)hosts + s - 1) / s);
	const uint64_t needed = (uint64_t)most_hosts + ports->most;
	const struct net_size size = {.hosts = hosts,
				      .switches = s,
				      .ports = wanted[1] > 0 ? wanted[1] : needed,
				      .cables = (uint64_t)hosts + net_blocks_cables(blocks)};
	struct net_builder builder;

	if (wanted[1] > 0 && wanted[1] < needed)
		return tr_fail(err, "%u hosts and %u cables of a switch need %llu ports, not %u",
			       most_hosts, ports->most, (unsigned long long)needed, wanted[1]);
	if (net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < s; i++) {
		const uint32_t first = (uint32_t)((uint64_t)i * hosts / s);

		net_build_hosts(&builder, first, (uint32_t)(((uint64_t)i + 1) * hosts / s) - first,
				i);
	}
	for (uint32_t i = 0; i < net_blocks_cables(blocks); i++) {
		const uint32_t place = trail[i];

		net_build_cable(&builder, blocks->objects[place], most_hosts + ports->on[place],
				blocks->objects[place + 1], most_hosts + ports->back[place + 1]);
	}
	return TR_OK;
}

enum tr_status net_blocks_lay(const struct net_blocks *blocks, uint32_t hosts,
			      uint32_t ports_wanted, struct net_topology *topology,
			      struct tr_error *err)
{
	const uint32_t wanted[2] = {hosts, ports_wanted};
	uint32_t *trail = net_blocks_trail(blocks, err);
	struct ports ports = {.on = NULL};
	enum tr_status status = TR_ERROR;

	*topology = (struct net_topology){0};
	if (trail && ports_open(&ports, blocks, err) == TR_OK)
		status = blocks_lay_build(blocks, &ports, trail, topology, wanted, err);
	ports_close(&ports);
	free(trail);
	return status;
}
