// SPDX-License-Identifier: GPL-3.0-or-later
// Routes in layers: from each switch one next channel for each destination, and one lane for each
// pair.
#ifndef NET_ROUTINGS_LAYERS_H
#define NET_ROUTINGS_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/routes.h"
#include "net/routings/channels.h"
#include "net/topology/topology.h"
#include "value/status.h"

#define NET_LAYERS_NONE UINT16_MAX // no channel: at the destination, or no way

// A column of the tables is a destination: a host, or a switch with hosts. 3 bytes for each switch
// and column.
struct net_layers {
	struct net_channels channels;
	uint32_t columns;
	uint32_t *column_of; // of a host; NET_NOBODY where it hangs on no switch
	uint32_t *target;    // of a column: its switch
	uint16_t *next;	     // [at * columns + column]: which of the channels that leave a switch
	uint8_t *lane;	     // [at * columns + column]: of routes from hosts at a switch
	uint64_t *loads;     // of a channel: routes between hosts over it, as the trees are laid
	uint16_t *distance;  // of a switch, and
	uint32_t *order;     // switches, nearest first, by the last net_layers_look
	uint32_t looked;     // to that switch
	uint32_t met;	     // so many
};

// Columns for hosts or for switches with hosts. TR_ERROR where the topology is broken, two hosts
// are not joined or memory runs out. Close it in any case.
enum tr_status net_layers_open(struct net_layers *layers, const struct net_topology *topology,
			       bool by_host, struct tr_error *err);
void net_layers_close(struct net_layers *layers);

// The place of a switch and a column in the tables.
static inline size_t net_layers_entry(const struct net_layers *layers, uint32_t at, uint32_t column)
{
	return (size_t)at * layers->columns + column;
}

// The channel by which worms to a column leave a switch; NET_NOBODY for none.
static inline uint32_t net_layers_next(const struct net_layers *layers, uint32_t at,
				       uint32_t column)
{
	const uint16_t slot = layers->next[net_layers_entry(layers, at, column)];

	return slot == NET_LAYERS_NONE ? NET_NOBODY : layers->channels.first[at] + slot;
}

// Works out the distances to a switch.
void net_layers_look(struct net_layers *layers, uint32_t to);

// Lays shortest trees, column after column. spread: of the channels to nearer switches each takes
// that from which fewest routes are laid so far on the rest of the way (balanced, after Hoefler,
// Schneider and Lumsdaine 2009); otherwise the lowest port. scratch has room for all switches.
void net_layers_lay(struct net_layers *layers, bool spread, uint64_t *scratch);

// Adds the routes of a tree to the loads. order: the switches that have a way, each behind the next
// on its way; scratch has room for all switches.
void net_layers_load(struct net_layers *layers, uint32_t column, const uint32_t *order,
		     uint32_t count, uint64_t *scratch);

// The channels of a way in their order; way has room for all switches. Returns how many.
uint32_t net_layers_way(const struct net_layers *layers, uint32_t at, uint32_t column,
			uint32_t *way);

// Turns layers into routes with so many lanes, to which they belong afterwards, whatever is
// returned. The caller clears *routes.
enum tr_status net_layers_routes(struct net_routes *routes, struct net_layers *layers,
				 uint32_t lanes, struct tr_error *err);

#endif
