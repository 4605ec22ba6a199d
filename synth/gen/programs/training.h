// SPDX-License-Identifier: GPL-3.0-or-later
// What steps of training consist of: the model's shape, and what follows from it by published
// formulas, its parameters and operations (of a layer those of one rank of a tensor group); how
// ranks divide the work.
#ifndef GEN_PROGRAMS_TRAINING_H
#define GEN_PROGRAMS_TRAINING_H

#include "collectives/collective.h"
#include "gen/law.h"
#include "gen/programs/algorithms.h"

// Parameters that all data-parallel ranks hold, and those that an expert group divides.
enum training_part { TRAINING_DENSE, TRAINING_EXPERT, TRAINING_PARTS };

struct training_model {
	uint32_t layers, hidden, heads, kv_heads, ffn, sequence, vocabulary, experts, top_k;
	bool gated; // Llama's: three matrices in the MLP, no biases or positions, own output matrix
	uint32_t tensor;		 // ranks that divide each matrix
	bool apart;			 // the first and last layer are on different ranks
	uint32_t expert;		 // ranks that divide the experts
	uint32_t micro;			 // sequences of a microbatch
	uint64_t attention, mlp, output; // operations (FLOP) of a microbatch forward, a layer's
};

// Reads the keys of the model and tensor, expert and micro. TR_ERROR where a number is not divided
// by what divides it, or a microbatch has 2^61 operations or more.
enum tr_status training_model_take(struct training_model *model, struct program_args *args,
				   struct tr_error *err);

// Parameters of the layer, from 0, that a rank holds; the first has the embeddings, the last the
// output matrix and the last norm.
uint64_t training_parameters(const struct training_model *model, uint32_t layer,
			     enum training_part part);

// ---- a step and its ranks

// What a rank does with others: groups, and what they do; tags keep them apart.
enum training_talk {
	TALK_TENSOR, // all-reduce
	TALK_EXPERT, // all-to-all
	TALK_REDUCE, // all-reduce or reduce-scatter of gradients, two parts
	TALK_GATHER = TALK_REDUCE + TRAINING_PARTS, // all-gather of parameters, two parts
	TALKS = TALK_GATHER + TRAINING_PARTS,
	TALK_STAGES = TALKS
};
struct training {
	struct training_model model;
	struct collective talks[TALKS];
	uint32_t data, stages, chunks, microbatches, steps;
	uint32_t chunk_layers, node;
	unsigned zero;
	bool gpipe, overlap, recompute;
	uint64_t ranks, precision_bytes, bucket_bytes, activation_bytes;
	struct num_ratio flop_s, slow_flop_s;
	struct law_plan law; // of a factor of mean 1 on each computing time
	uint32_t slow;	     // ranks
	uint64_t seed;
	struct permutation order; // of ranks; the first are slow
};

// struct program_kind's take: all keys.
enum tr_status training_take(void *state, struct program_args *args, struct program_shape *shape,
			     struct tr_error *err);

#endif
