// SPDX-License-Identifier: GPL-3.0-or-later
// What the collective operations share: the ranks, their data in parts, and the messages that carry
// some of the parts. The algorithms are those of MPI libraries (Thakur, Rabenseifner, Gropp:
// Optimization of Collective Communication Operations in MPICH, IJHPCA 19, 2005).
//
// Ranks are numbered by place: place 0 is the root, place v is rank (root + v) modulo the ranks.
#ifndef COLLECTIVES_COLLECTIVE_H
#define COLLECTIVES_COLLECTIVE_H

#include "collectives/sequence.h"

#define COLLECTIVE_BYTES_MAX (UINT64_C(1) << 40)
#define SEGMENTS_MAX 65536u

struct stage;

// One algorithm: the operations of the rank at the stage's place.
typedef void collective_way(struct stage *stage);

struct collective {
	uint32_t ranks;
	uint32_t root;
	uint32_t parts;
	uint32_t node;		// ranks of a node, of algorithms with two levels
	uint32_t first, stride; // its rank i is first + i stride of the program; 0 and 1 at first
	uint32_t repeats;
	uint64_t bytes; // of all parts
	collective_way *way;
	struct num_ratio combine_s; // per byte received and combined with the own data
	struct num_ratio compute_s; // before each repeat
	struct message_cost cost;
};

// A rank while its operations are written.
struct stage {
	const struct collective *collective;
	struct sequence *sequence;
	uint32_t place;
	uint32_t tag_base; // of the repeat
	uint32_t round;	   // numbers the messages' tags from tag_base on
	enum carry carry;  // what receivers do with the data; CARRY_PUT at first
};

// Reads ranks, bytes (per_rank: those of one rank's block), repeats, compute, message, byte and,
// where the usual arguments have them, root and combine. way, parts and node are the kind's.
enum tr_status collective_take(struct collective *collective, bool per_rank,
			       struct program_args *args, struct program_shape *shape,
			       struct tr_error *err);

// Tags that one repeat of a struct collective takes, from its first on: more than rounds where
// messages go in segments.
uint64_t collective_tags(const void *state);

// struct program_kind's rank for a struct collective.
void collective_rank(const void *state, struct sequence *sequence, uint32_t rank);

// Ranks that take part.
uint32_t stage_ranks(const struct stage *stage);

// All parts; count of them from first on, wrapping around.
struct blocks stage_all(const struct stage *stage);
struct blocks stage_some(const struct stage *stage, uint64_t first, uint64_t count);

// The place distance places ahead, or behind, wrapping around.
uint32_t stage_ahead(const struct stage *stage, uint32_t distance);
uint32_t stage_behind(const struct stage *stage, uint32_t distance);

// Messages of the current round. Combining also takes its time.
void stage_send(struct stage *stage, uint32_t to_place, struct blocks blocks);
void stage_recv(struct stage *stage, uint32_t from_place, struct blocks blocks);
void stage_swap(struct stage *stage, uint32_t to_place, struct blocks to, uint32_t from_place,
		struct blocks from);

// ---- Exchanges along the dimensions of a hypercube, in log2 rounds: recursive doubling and
// halving. For p = 2^k + r places, r < 2^k, the first 2r are folded in pairs: the odd ones give
// their data to the even ones before them, and get the result at the end. The remaining 2^k are the
// corners; corner c is place 2c where c < r, otherwise place c + r.

struct cube {
	uint32_t corners; // 2^k
	uint32_t folded;  // r
	uint32_t corner;  // of this place
	bool odd;	  // this place is not a corner
	bool near;	  // corners are numbered with the lowest dimension as highest
};

// Where this place stands in the hypercube.
struct cube cube_of(const struct stage *stage);

// Likewise, with corners that are numbered the other way about.
struct cube cube_near(const struct stage *stage);

// Odd places send blocks to their even partners (nothing if not folded), or get them back.
void cube_fold(struct stage *stage, const struct cube *cube, struct blocks blocks, bool back);

// All-to-all combination: fold, combine and unfold.
void cube_combine_all(struct stage *stage);

// Each corner has all parts and ends with its own, combined over all corners: half goes to the
// neighbour in the highest dimension, then a quarter ... Corner c's own is part c if there are as
// many parts as corners; if there are as many as places, the parts from its place up to the next
// corner's.
void cube_halve(struct stage *stage, const struct cube *cube);

// From each corner's own parts to all parts at all corners: the reverse.
void cube_double(struct stage *stage, const struct cube *cube);

// From each corner's own parts to all parts at corner 0, along a binomial tree.
void cube_collect(struct stage *stage, const struct cube *cube);

// ---- Blocks that go around a ring of places, each receiving from the one behind it: a round less
// than places.

struct ring {
	uint32_t first, stride; // its place i is first + i stride
	uint32_t places;
	uint32_t own;	      // of these, this one
	uint32_t part, width; // block i is the parts from part + i width on, width of them
};

// Block i, of the ring's place i, reaches all of them.
void ring_spread(struct stage *stage, const struct ring *ring);

// All have all blocks; the combination of all blocks i reaches the ring's place i.
void ring_combine(struct stage *stage, const struct ring *ring);

// ---- Place 0 communicates directly with all others.

// Place 0 sends the blocks to each, one after the other.
void star_spread(struct stage *stage, struct blocks blocks);

// Each sends its blocks to place 0, which combines them with its own, in any order.
void star_combine(struct stage *stage, struct blocks blocks);

// Place 0 sends block v to place v, one after the other; place v sends block v to place 0, in any
// order.
void star_scatter(struct stage *stage);
void star_gather(struct stage *stage);

// ---- Binomial trees over the places of a collective operation, of ceil(log2 p) rounds.
//
// In the first, whose steps double, the parent of place v is v less its highest bit: all data can
// go down or up it (broadcast and reduction of Open MPI and of LogGOPSim's schedgen). In the
// second, whose steps halve, the parent of v is v less its lowest bit, and its subtree is the
// places v .. v + lowest bit - 1, so that blocks travel with their neighbours (scatter and gather
// of MPICH).

// The blocks go down from place 0 to all.
void tree_spread(struct stage *stage, struct blocks blocks);

// The blocks go up to place 0; each place combines those it receives with its own.
void tree_combine(struct stage *stage, struct blocks blocks);

// Block v goes from place 0 to place v; and from place v to place 0.
void tree_scatter(struct stage *stage);
void tree_gather(struct stage *stage);

// ---- Double binary trees, half of the parts along each: a place is an inner node of one of them
// at most, so that all send and receive at full rate (Sanders, Speck, Traeff: Two-tree algorithms
// for full bandwidth broadcast, reduction and scan, Parallel Computing 35, 2009). Trees, directions
// and parts wait for each other only where the data do.

// The combination of all reaches place 0; the data of place 0 reach all; both, between trees with
// roots of their own, as NCCL 2.4 has them.
void double_tree_combine(struct stage *stage);
void double_tree_spread(struct stage *stage);
void double_tree_combine_all(struct stage *stage);

#endif
