// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a design, the closed trail that joins them, and the routes inside them (W. Qiao,
// Network Routing and Planning in Switch-Based Networks, 1997, section 5.3). A planner may reorder
// the objects of single blocks: nothing here asks the blocks to be shifts of one another.
#ifndef NET_DESIGNS_BLOCKS_H
#define NET_DESIGNS_BLOCKS_H

#include <stdio.h>

#include "file/source.h"
#include "net/studies/designs/base_blocks.h"
#include "net/topology/topology.h"
#include "value/status.h"

#define NET_BLOCKS_MAGIC "flitline-blocks"
#define NET_BLOCKS_VERSION "1"
#define NET_BLOCKS_OBJECTS_MAX 4194304u // in all blocks, as there are at most so many cables

// Blocks are paths of switches. A place is an index into objects; the cable of place p joins
// objects[p] and objects[p + 1], which must be in the same block: the last place of a block has
// none. Zero is a valid empty one.
struct net_blocks {
	uint32_t switches;
	uint32_t count;	   // of blocks
	uint32_t *first;   // of a block: its first place; count + 1 of them
	uint32_t *objects; // switches; those of a block all differ
};

// Makes the s blocks of each part: block part * s + i is the part's base block + i modulo s. The
// caller closes it, also after TR_ERROR (no memory).
enum tr_status net_blocks_develop(struct net_blocks *blocks, const struct net_base *base,
				  struct tr_error *err);

// Reads the text of flit-topology(5), BLOCKS, from source, which is lent. The caller closes the
// blocks. TR_ERROR, and empty ones, where it is damaged (the error names file and line).
enum tr_status net_blocks_read(struct net_blocks *blocks, struct tr_source *source,
			       struct tr_error *err);

// Writes the same text after comments (lines; NULL: none). Failures to write stay in out (ferror).
void net_blocks_write(const struct net_blocks *blocks, const char *comments, FILE *out);

// Frees what it holds; it is empty then.
void net_blocks_close(struct net_blocks *blocks);

// Cables of all blocks.
static inline uint32_t net_blocks_cables(const struct net_blocks *blocks)
{
	return blocks->count > 0 ? blocks->first[blocks->count] - blocks->count : 0;
}

// --- blocks_trail.c

// The closed trail over the cables of all blocks, for the caller to free: the place of each cable,
// of net_blocks_cables, all from objects[p] to objects[p + 1]. A block is followed by the lowest
// block left that begins where it ends; where none does and blocks are left, these make another
// trail, which is put in where the trail first meets a switch of it. NULL where a block ends where
// none begins, the cables do not join all switches of blocks, or memory runs out.
uint32_t *net_blocks_trail(const struct net_blocks *blocks, struct tr_error *err);

// --- blocks_legs.c

#define NET_BLOCKS_LEGS_MAX 8192u // switches

// The way inside one block from place from to place to, up or down, cable by cable.
struct net_leg {
	uint32_t from;
	uint32_t to;
};

// The first leg from each switch to each other: [from * switches + to]. Of blocks with both, it is
// inside the one with the fewest cables between them, of several that where the first switch has
// the lowest index, then the last switch, then the lowest block, so that cyclic designs have even
// loads. For switches without a common block it leads to a switch from which further legs go on:
// the way with the fewest blocks, of these that with the fewest cables, of these by the lowest
// switch; the thesis walks the trail. A leg has from == to where a switch is to reach itself, or
// cannot reach the other.
struct net_legs {
	const struct net_blocks *blocks; // lent
	struct net_leg *legs;
	uint16_t *cables; // of the whole way
	uint32_t longest; // of these
	uint32_t broken;  // pairs of switches (ordered) whose way has several legs
	uint32_t apart;	  // pairs that have none
};

// The caller closes it, also after TR_ERROR: memory runs out, or more than NET_BLOCKS_LEGS_MAX
// switches.
enum tr_status net_legs_open(struct net_legs *legs, const struct net_blocks *blocks,
			     struct tr_error *err);
void net_legs_close(struct net_legs *legs);

// The way from a switch to another one.
static inline const struct net_leg *net_legs_at(const struct net_legs *legs, uint32_t from,
						uint32_t to)
{
	return &legs->legs[(size_t)from * legs->blocks->switches + to];
}

// --- blocks_lay.c

// The network of the blocks: hosts in all are spread as evenly as they can be, switch i having
// those from floor(i hosts / s) on, on its lowest ports. Then come the ports for cables, after the
// most hosts of a switch, for each place of the switch in the order of (block / s, index in the
// block, block): one for the cable to the object before, one to the object after. So in a cyclic
// design port h + 2 j leads on by the j-th step of the base block and port h + 2 j + 1 back. Cables
// of hosts come first, then those of the blocks in the order of the trail. ports: of each switch,
// 0: as many as needed. The caller clears it, also after TR_ERROR: too few ports, no trail, beyond
// the bounds of net/topology/topology.h.
enum tr_status net_blocks_lay(const struct net_blocks *blocks, uint32_t hosts, uint32_t ports,
			      struct net_topology *topology, struct tr_error *err);

#endif
