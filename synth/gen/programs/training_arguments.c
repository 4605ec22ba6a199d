// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gen/programs/training.h"

// A group's operation, by these keys. Of an all-reduce's ranks, a stride apart, so many lie in a
// node, whose ranks have consecutive numbers; TR_ERROR where that differs from node to node.
static enum tr_status training_talk_take(struct training *training, unsigned talk,
					 const struct program_kind *kind, const char *keys,
					 uint32_t ranks, uint32_t stride, struct tr_error *err)
{
	const uint64_t span = (uint64_t)ranks * stride;
	const uint32_t node = kind == &program_allreduce ? training->node : 1;
	uint32_t inside = stride < node ? node / stride : 1;
	char text[160];

	if (ranks > 1 && stride < node && node < training->ranks &&
	    (node % stride > 0 || (node % span > 0 && span % node > 0)))
		return tr_fail(err,
			       "program training: node %u: a group of %u ranks, %u apart, needs a "
			       "multiple of %u that divides %llu or is a multiple of it",
			       node, ranks, stride, stride, (unsigned long long)span);
	if (inside > ranks)
		inside = ranks;
	(void)snprintf(text, sizeof(text), "%s:%s,ranks=%u,bytes=0B", kind->name, keys, ranks);
	if (program_kind_take(kind, text, &training->talks[talk], err) != TR_OK)
		return TR_ERROR;
	if (kind == &program_allreduce)
		training->talks[talk].node = inside;
	training->talks[talk].stride = stride;
	return TR_OK;
}

static enum tr_status training_take_talks(struct training *training, struct program_args *args,
					  struct tr_error *err)
{
	static const char *const ways[] = {"ring", "double-tree", "rabenseifner",
					   "recursive-doubling", "hierarchical"};
	const struct training_model *model = &training->model;
	const char *way = ways[program_args_word(args, "allreduce")];
	const unsigned segments = (unsigned)program_args_count(args, "segments", 1, SEGMENTS_MAX);
	const uint32_t t = model->tensor, e = model->expert;
	char all[80];

	training->node = (uint32_t)program_args_count(args, "node", 1, GOAL_RANKS_MAX);
	if (args->failed)
		return TR_ERROR;
	if (training->node > 1 && strcmp(way, "hierarchical") != 0)
		return tr_fail(err, "program %s: node needs allreduce=hierarchical", args->name);
	if (segments > 1 && strcmp(way, "double-tree") != 0)
		return tr_fail(err, "program %s: segments need allreduce=double-tree", args->name);
	if (strcmp(way, ways[0]) != 0 && t == 1 && (training->data == 1 || training->zero > 0))
		return tr_fail(
			err,
			"program %s: allreduce=%s has no effect with tensor=1, data=%u and "
			"zero=%u: leave it out, or type tensor=2, or zero=0 with data=2 or more",
			args->name, way, training->data, training->zero);
	(void)snprintf(all, sizeof(all), "by=%s,segments=%u", way, segments);
	if (training_talk_take(training, TALK_TENSOR, &program_allreduce, all, t, 1, err) !=
		    TR_OK ||
	    training_talk_take(training, TALK_EXPERT, &program_alltoall, "by=linear", e, t, err) !=
		    TR_OK)
		return TR_ERROR;
	for (unsigned part = 0; part < TRAINING_PARTS; part++) {
		const uint32_t stride = part == TRAINING_EXPERT ? t * e : t;
		const uint32_t ranks = training->data * t / stride;
		const bool whole = training->zero == 0;

		if (training_talk_take(training, TALK_REDUCE + part,
				       whole ? &program_allreduce : &program_reduce_scatter,
				       whole ? all : "by=ring", ranks, stride, err) != TR_OK ||
		    training_talk_take(training, TALK_GATHER + part, &program_allgather, "by=ring",
				       ranks, stride, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Of a factor whose mean is 1.
static enum tr_status training_take_law(struct training *training, struct program_args *args,
					struct tr_error *err)
{
	const unsigned word = program_args_word(args, "law");
	const double shape = num_value(program_args_quantity(args, "shape", NUM_PLAIN));
	struct law law = {.name = word == 0   ? LAW_CONSTANT
				  : word == 1 ? LAW_EXPONENTIAL
					      : (enum law_name)word,
			  .mean = 1,
			  .shape = shape};
	const struct law_kind *kind = &law_kinds[law.name];

	if (args->failed)
		return TR_ERROR;
	if (shape < kind->shape_min || shape > kind->shape_max)
		return kind->shape_max == 0
			       ? tr_fail(err, "program %s: law=%s has no shape", args->name,
					 kind->word)
			       : tr_fail(err, "program %s: law=%s: shape from %g to %g", args->name,
					 kind->word, kind->shape_min, kind->shape_max);
	return law_plan_make(&training->law, &law, 1, err);
}

static enum tr_status training_take_rate(struct training *training, struct program_args *args,
					 struct tr_error *err)
{
	const struct num_ratio flops = program_args_quantity(args, "flops", NUM_PLAIN);
	const struct num_ratio efficiency = program_args_quantity(args, "efficiency", NUM_PLAIN);
	const struct num_ratio slow = program_args_quantity(args, "slow", NUM_PLAIN);
	const struct num_ratio slow_by = program_args_quantity(args, "slow-by", NUM_PLAIN);
	const __int128 per_s = (__int128)flops.num * efficiency.num;
	const __int128 den = (__int128)flops.den * efficiency.den;

	training->seed = program_args_count(args, "seed", 0, UINT64_MAX);
	if (training_take_law(training, args, err) != TR_OK)
		return TR_ERROR;
	if (per_s == 0 || efficiency.num > efficiency.den || slow.num > slow.den ||
	    slow_by.num < slow_by.den)
		return tr_fail(err,
			       "program %s: flops above 0, efficiency above 0 up to 1, slow up to "
			       "1, slow-by from 1",
			       args->name);
	if (!num_ratio_make(den, per_s, &training->flop_s) ||
	    !num_ratio_make((__int128)training->flop_s.num * slow_by.num,
			    (__int128)training->flop_s.den * slow_by.den, &training->slow_flop_s))
		return tr_fail(err,
			       "program %s: flops, efficiency and slow-by have too many digits",
			       args->name);
	training->slow = (uint32_t)llround((double)training->ranks * num_value(slow));
	if (slow.num > 0 && training->slow == 0)
		return tr_fail(err, "program %s: slow: so small a share of %llu ranks is none",
			       args->name, (unsigned long long)training->ranks);
	training->order = permutation_make(training->seed, (uint32_t)training->ranks);
	return TR_OK;
}

static enum tr_status training_check(const struct training *training, struct tr_error *err)
{
	const struct training_model *model = &training->model;
	const uint64_t places = (uint64_t)training->stages * training->chunks;

	if (training->ranks > GOAL_RANKS_MAX)
		return tr_fail(err, "program training: %llu ranks, more than %u",
			       (unsigned long long)training->ranks, GOAL_RANKS_MAX);
	if (model->layers % places > 0)
		return tr_fail(err,
			       "program training: %u layers are not a multiple of pipeline %u x "
			       "interleave %u",
			       model->layers, training->stages, training->chunks);
	if (training->chunks > 1 && (training->stages == 1 || training->gpipe ||
				     training->microbatches % training->stages > 0))
		return tr_fail(err, "program training: interleave needs a pipeline, schedule=1f1b, "
				    "and microbatches that are a multiple of pipeline");
	if (training->zero >= 2 && training->stages > 1)
		return tr_fail(err,
			       "program training: zero=%u does not go with a pipeline; zero=1 "
			       "does",
			       training->zero);
	if (training->data % model->expert > 0)
		return tr_fail(err, "program training: data %u is not a multiple of expert %u",
			       training->data, model->expert);
	return TR_OK;
}

enum tr_status training_take(void *state, struct program_args *args, struct program_shape *shape,
			     struct tr_error *err)
{
	struct training *training = state;

	if (training_model_take(&training->model, args, err) != TR_OK)
		return TR_ERROR;
	training->data = (uint32_t)program_args_count(args, "data", 1, GOAL_RANKS_MAX);
	training->stages = (uint32_t)program_args_count(args, "pipeline", 1, 65536);
	training->chunks = (uint32_t)program_args_count(args, "interleave", 1, 65536);
	training->zero = program_args_word(args, "zero");
	training->gpipe = program_args_word(args, "schedule") == 1;
	training->microbatches = (uint32_t)program_args_count(args, "microbatches", 1, 65536);
	training->steps = (uint32_t)program_args_count(args, "steps", 1, 1000000);
	training->precision_bytes = program_args_bytes(args, "precision", 1, 8);
	training->bucket_bytes = program_args_bytes(args, "bucket", 1, COLLECTIVE_BYTES_MAX);
	training->overlap = program_args_word(args, "overlap") == 0;
	training->recompute = program_args_word(args, "recompute") == 1;
	message_cost_take(&shape->cost, args);
	if (args->failed)
		return TR_ERROR;
	training->model.apart = training->stages > 1;
	training->chunk_layers = training->model.layers / training->stages / training->chunks;
	training->activation_bytes = (uint64_t)training->model.micro * training->model.sequence *
				     training->model.hidden * training->precision_bytes;
	training->ranks = (uint64_t)training->model.tensor * training->data * training->stages;
	if (training_check(training, err) != TR_OK ||
	    training_take_talks(training, args, err) != TR_OK)
		return TR_ERROR;
	shape->ranks = (uint32_t)training->ranks;
	return training_take_rate(training, args, err);
}
