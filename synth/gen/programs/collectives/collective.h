// SPDX-License-Identifier: GPL-3.0-or-later
// What the collective operations share: the ranks, their data in parts, and the messages that carry some
// of the parts. The algorithms are those of MPI libraries (Thakur, Rabenseifner, Gropp: Optimization of
// Collective Communication Operations in MPICH, IJHPCA 19, 2005).
//
// They speak of places: place 0 is the root, place v is rank (root + v) modulo the ranks.
#ifndef GEN_PROGRAMS_COLLECTIVES_COLLECTIVE_H
#define GEN_PROGRAMS_COLLECTIVES_COLLECTIVE_H

#include "gen/programs/algorithms.h"

#define COLLECTIVE_BYTES_MAX (UINT64_C(1) << 40)

struct stage;

// One algorithm: what the rank of this place does.
typedef void collective_way(struct stage *stage, uint32_t place);

struct collective {
	uint32_t ranks;
	uint32_t root;
	uint32_t parts;
	uint32_t repeats;
	uint64_t bytes; // of all parts
	collective_way *way;
	struct num_ratio combine_s; // of a byte received and combined with one's own
	struct num_ratio compute_s; // before each repeat
	struct message_cost cost;
};

// A rank in the midst of it.
struct stage {
	const struct collective *collective;
	struct sequence *sequence;
	uint32_t place;
	uint32_t tag_base; // of the repeat
	uint32_t round;	   // numbers the messages' tags from tag_base on
	enum carry carry;  // what receivers do; CARRY_PUT at first
};

// What the keys say of a kind of collectives.
struct collective_keys {
	collective_way *const *ways; // in the order of the words of "by"
	bool rooted;		     // has the key root
	bool combines;		     // has the key combine
	bool per_rank;		     // bytes are those of one rank's block: a part for each rank
};

// Takes ranks, by, bytes, [root, combine], repeats, compute, message, byte. parts is the number of ranks;
// the kind may set it anew where it is not per rank. Returns the number of the way.
enum tr_status collective_take(struct collective *collective, const struct collective_keys *keys, struct program_args *args,
			       struct program_shape *shape, unsigned *by, struct tr_error *err);

// struct program_kind's rank for a struct collective.
void collective_rank(const void *state, struct sequence *sequence, uint32_t rank);

uint32_t stage_ranks(const struct stage *stage);

// All parts; count of them from first on, going round.
struct blocks stage_all(const struct stage *stage);
struct blocks stage_some(const struct stage *stage, uint64_t first, uint64_t count);

// The place distance places further on, or back, going round.
uint32_t stage_ahead(const struct stage *stage, uint32_t distance);
uint32_t stage_behind(const struct stage *stage, uint32_t distance);

// Messages of the present round. What is combined also takes its time.
void stage_send(struct stage *stage, uint32_t to_place, struct blocks blocks);
void stage_recv(struct stage *stage, uint32_t from_place, struct blocks blocks);
void stage_swap(struct stage *stage, uint32_t to_place, struct blocks to, uint32_t from_place, struct blocks from);

// Several messages at once: each begins with stage_branch.
void stage_together(struct stage *stage);
void stage_branch(struct stage *stage);
void stage_meet(struct stage *stage);

// ---- Exchanges along the dimensions of a hypercube, of log2 rounds: recursive doubling and halving. Where the
// places are p = 2^k + r, r < 2^k, the 2r first are folded in pairs: the odd ones give what they have to the
// even ones before them, and get the result in the end. The 2^k that remain are the corners; corner c is place
// 2c where c < r, and place c + r elsewhere.

struct cube {
	uint32_t corners; // 2^k
	uint32_t folded;  // r
	uint32_t corner;  // of this place
	bool odd;	  // this place is no corner
};

struct cube cube_of(const struct stage *stage);

// Odd places give blocks to their even ones (none where not folded); and they get them.
void cube_fold(struct stage *stage, const struct cube *cube, struct blocks blocks);
void cube_unfold(struct stage *stage, const struct cube *cube, struct blocks blocks);

// All of it for all places: folded, combined, and given back.
void cube_combine_all(struct stage *stage);

// Each corner has all parts; it ends with its own of them, combined over all corners: a half goes to the
// neighbour in the highest dimension, then a quarter ... Corner c's own are part c where there are as many
// parts as corners; where there are as many as places, the parts from its place up to the next corner's.
void cube_halve(struct stage *stage, const struct cube *cube);

// From each corner's own parts to all parts at all corners, the other way round.
void cube_double(struct stage *stage, const struct cube *cube);

// From each corner's own parts to all parts at corner 0, along a binomial tree.
void cube_collect(struct stage *stage, const struct cube *cube);

// ---- Blocks that go round all places, each place hearing from the one behind it: p - 1 rounds.

// Block v, of place v, comes to all.
void ring_spread(struct stage *stage);

// All places have all blocks; block v of them all, combined, comes to place v.
void ring_combine(struct stage *stage);

// ---- What place 0 does with all others by itself.

// The blocks come from place 0 to each, one after the other.
void star_spread(struct stage *stage, struct blocks blocks);

// The blocks come from each to place 0, in whatever order, and are combined with its own.
void star_combine(struct stage *stage, struct blocks blocks);

// Block v, of place 0, comes to place v, one after the other; and block v, of place v, to place 0, in
// whatever order.
void star_scatter(struct stage *stage);
void star_gather(struct stage *stage);

// ---- Binomial trees over the places of a collective operation, of ceil(log2 p) rounds.
//
// In the first, whose steps double, place v hears from v less its highest bit: the whole of the data can go
// down or up it (broadcast and reduction of Open MPI and of LogGOPSim's schedgen). In the second, whose
// steps halve, v hears from v less its lowest bit, and below it stand the places v .. v + lowest bit - 1:
// so blocks go along it together with their neighbours (scatter and gather of MPICH).

// The blocks come down from place 0 to all.
void tree_spread(struct stage *stage, struct blocks blocks);

// The blocks go up to place 0, each place combining what it hears with its own.
void tree_combine(struct stage *stage, struct blocks blocks);

// Block v, of place 0, comes to place v; and block v, of place v, to place 0.
void tree_scatter(struct stage *stage);
void tree_gather(struct stage *stage);

#endif
