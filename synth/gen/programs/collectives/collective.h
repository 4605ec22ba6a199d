// SPDX-License-Identifier: GPL-3.0-or-later
// What the collective operations share: the ranks, their data in parts, and the messages that carry some
// of the parts. The algorithms are those of MPI libraries (Thakur, Rabenseifner, Gropp: Optimization of
// Collective Communication Operations in MPICH, IJHPCA 19, 2005).
//
// They speak of places: place 0 is the root, place v is rank (root + v) modulo the ranks.
#ifndef GEN_PROGRAMS_COLLECTIVES_COLLECTIVE_H
#define GEN_PROGRAMS_COLLECTIVES_COLLECTIVE_H

#include "gen/programs/kind.h"

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

#endif
