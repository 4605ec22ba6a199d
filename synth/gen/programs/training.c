// SPDX-License-Identifier: GPL-3.0-or-later
// Training steps of a transformer: data, tensor, pipeline and expert parallelism and their
// products. Rank = tensor + T (data + D stage); the ranks of an expert group are data ranks that
// follow one another. Collectives of gradients and parameters (ZeRO: Rajbhandari et al., SC 2020)
// run beside the computing, on a processor of their own, one after the other; those of tensor and
// expert groups (Shoeybi et al., Megatron-LM, 2019; Lepikhin et al., GShard, 2021) between the
// computing that needs them. Pipelines: GPipe (Huang et al. 2019), 1F1B and interleaved (Narayanan
// et al., SC 2021).
#include <math.h>
#include <stdio.h>

#include "gen/programs/algorithms.h"
#include "gen/programs/training.h"
#include "value/random.h"

#define ASIDE_CPU 1

#define TAGS_OF_A_TALK ((uint32_t)1 << 28)

// A rank while its steps are written.
struct trainee {
	const struct training *training;
	struct sequence *sequence;
	uint32_t tensor, data, stage;
	bool slow;
	uint64_t pending;	     // operations, computed before the next message
	struct sequence_point aside; // where collectives beside the computing are
	uint32_t talked[TALKS];
	uint64_t gradients[TRAINING_PARTS]; // parameters whose gradients are in no bucket yet
	struct tr_random random;
	struct draw_tables tables; // for a law other than the constant one
};

static bool training_is_drawn(const struct training *training)
{
	return training->law.kind != &law_kinds[LAW_CONSTANT];
}

// The place of a microbatch in a pipeline.
struct pass {
	uint32_t chunk, micro, step;
	bool back;
};

// Computes what is pending, as one operation.
static void trainee_compute(struct trainee *rank)
{
	const struct training *training = rank->training;
	uint64_t count = rank->pending;

	rank->pending = 0;
	if (count > 0 && training_is_drawn(training)) {
		const double drawn = (double)count *
				     law_draw(&training->law, &rank->tables, &rank->random);

		count = drawn < 0x1p62 ? (uint64_t)llround(drawn) : UINT64_C(1) << 62;
	}
	if (count > 0)
		sequence_compute(rank->sequence, count,
				 rank->slow ? training->slow_flop_s : training->flop_s);
}

// The rank's part in a collective operation of so many bytes, of all parts.
static void trainee_talk(struct trainee *rank, unsigned talk, uint64_t bytes)
{
	const struct training_model *model = &rank->training->model;
	struct collective collective = rank->training->talks[talk];
	const uint64_t tags = 2 * (uint64_t)collective.ranks + 4 * (uint64_t)collective.parts + 128;
	const uint32_t group = rank->tensor + model->tensor * rank->training->data * rank->stage;
	uint32_t place = rank->data;

	if (collective.ranks == 1 || bytes == 0)
		return;
	trainee_compute(rank);
	collective.first = group;
	if (talk == TALK_TENSOR) {
		collective.first = group - rank->tensor + model->tensor * rank->data;
		place = rank->tensor;
	} else if (talk == TALK_EXPERT) {
		place = rank->data % model->expert;
		collective.first = group + (rank->data - place) * model->tensor;
	} else if (collective.ranks < rank->training->data) { // of one expert
		place = rank->data / model->expert;
		collective.first = group + rank->data % model->expert * model->tensor;
	}
	collective.bytes = bytes;
	rank->sequence->tag_first = talk * TAGS_OF_A_TALK + (uint32_t)(rank->talked[talk]++ * tags %
								       (TAGS_OF_A_TALK - tags));
	collective_rank(&collective, rank->sequence, place);
	rank->sequence->tag_first = 0;
}

// The same beside the computing, which it waits for, after others there.
static void trainee_talk_aside(struct trainee *rank, unsigned talk, uint64_t bytes)
{
	struct sequence *sequence = rank->sequence;
	struct sequence_point here;

	if (rank->training->talks[talk].ranks == 1 || bytes == 0)
		return;
	trainee_compute(rank);
	here = sequence_here(sequence);
	if (rank->training->overlap) {
		sequence->cpu = ASIDE_CPU;
		sequence_from(sequence, &rank->aside);
		sequence_wait(sequence, &here);
	}
	trainee_talk(rank, talk, bytes);
	rank->aside = sequence_here(sequence);
	if (rank->training->overlap) {
		sequence->cpu = 0;
		sequence_from(sequence, &here);
	}
}

static void trainee_await(struct trainee *rank, const struct sequence_point *aside)
{
	trainee_compute(rank);
	if (rank->training->overlap)
		sequence_wait(rank->sequence, aside);
}

// Each of b s tokens goes to top-k experts, evenly over the ranks of the group.
static void trainee_exchange(struct trainee *rank)
{
	const struct training *training = rank->training;

	if (training->model.experts > 1)
		trainee_talk(rank, TALK_EXPERT, training->activation_bytes * training->model.top_k);
}

// The MLP of a layer, times as many operations as forward.
static void trainee_mlp(struct trainee *rank, unsigned times)
{
	trainee_exchange(rank);
	rank->pending += times * rank->training->model.mlp;
	trainee_exchange(rank);
	trainee_talk(rank, TALK_TENSOR, rank->training->activation_bytes);
}

static void trainee_attention(struct trainee *rank, unsigned times)
{
	rank->pending += times * rank->training->model.attention;
	trainee_talk(rank, TALK_TENSOR, rank->training->activation_bytes);
}

// Backward has twice the operations of forward, and with recomputation forward once more.
static void trainee_layer(struct trainee *rank, bool back)
{
	if (!back || rank->training->recompute) {
		trainee_attention(rank, 1);
		trainee_mlp(rank, 1);
	}
	if (back) {
		trainee_mlp(rank, 2);
		trainee_attention(rank, 2);
	}
}

// Gradients of at least so many bytes are combined as a bucket.
static void trainee_reduce(struct trainee *rank, uint64_t least_bytes)
{
	for (unsigned part = 0; part < TRAINING_PARTS; part++) {
		const uint64_t bytes = rank->gradients[part] * rank->training->precision_bytes;

		if (bytes < least_bytes)
			continue;
		trainee_talk_aside(rank, TALK_REDUCE + part, bytes);
		rank->gradients[part] = 0;
	}
}

// Returns when it is done.
static struct sequence_point trainee_gather(struct trainee *rank, uint32_t layer)
{
	for (unsigned part = 0; part < TRAINING_PARTS; part++)
		trainee_talk_aside(rank, TALK_GATHER + part,
				   training_parameters(&rank->training->model, layer, part) *
					   rank->training->precision_bytes);
	return rank->aside;
}

// The layers of a chunk in the order of the pass. In stage 3 a layer's parameters are gathered
// while the layer before it computes.
static void trainee_layers(struct trainee *rank, const struct pass *pass, uint32_t first)
{
	const struct training *training = rank->training;
	const uint32_t count = training->chunk_layers;
	const bool reduces = pass->back &&
			     (training->zero >= 2 || pass->micro + 1 == training->microbatches);
	struct sequence_point next = {.count = 0}; // where the next layer is gathered

	for (uint32_t i = 0; i < count && !sequence_stopped(rank->sequence); i++) {
		const uint32_t layer = first + (pass->back ? count - 1 - i : i);
		const bool last = layer + 1 == training->model.layers;

		if (training->zero == 3) {
			const struct sequence_point gathered = i == 0 ? trainee_gather(rank, layer)
								      : next;

			if (i + 1 < count)
				next = trainee_gather(rank, pass->back ? layer - 1 : layer + 1);
			trainee_await(rank, &gathered);
		}
		if (last && pass->back)
			rank->pending += 2 * training->model.output;
		trainee_layer(rank, pass->back);
		if (last && !pass->back)
			rank->pending += training->model.output;
		for (unsigned part = 0; part < TRAINING_PARTS && reduces; part++)
			rank->gradients[part] += training_parameters(&training->model, layer, part);
		if (reduces)
			trainee_reduce(rank, training->bucket_bytes);
	}
}

// Activations or their gradients, to (by = 1) or from the stage before or after in the pass. A send
// is waited for by nothing.
static void trainee_pass_on(struct trainee *rank, const struct pass *pass, uint32_t place, int by)
{
	const struct training *training = rank->training;
	const bool ahead = (by > 0) != pass->back;
	const uint32_t places = training->stages * training->chunks;
	const uint32_t there = (rank->stage + (ahead ? 1 : training->stages - 1)) %
			       training->stages;
	const uint32_t peer = rank->tensor +
			      training->model.tensor * (rank->data + training->data * there);
	const uint32_t link = ahead ? place : place - 1; // the lower of its places
	const uint64_t number = ((uint64_t)pass->step * training->microbatches + pass->micro) *
					places +
				link;
	const uint32_t tag = TALK_STAGES * TAGS_OF_A_TALK +
			     (uint32_t)((2 * number + pass->back) % TAGS_OF_A_TALK);
	struct sequence_point here;

	if (ahead ? place + 1 == places : place == 0)
		return;
	trainee_compute(rank);
	if (by < 0) {
		sequence_recv(rank->sequence, peer, training->activation_bytes, tag);
		return;
	}
	here = sequence_here(rank->sequence);
	rank->sequence->cpu = ASIDE_CPU;
	sequence_send(rank->sequence, peer, training->activation_bytes, tag);
	rank->sequence->cpu = 0;
	sequence_from(rank->sequence, &here);
}

static void trainee_pass(struct trainee *rank, const struct pass *pass)
{
	const struct training *training = rank->training;
	const uint32_t place = pass->chunk * training->stages + rank->stage;

	trainee_pass_on(rank, pass, place, -1);
	trainee_layers(rank, pass, place * training->chunk_layers);
	trainee_pass_on(rank, pass, place, 1);
	if (pass->back)
		trainee_reduce(rank, 1);
	trainee_compute(rank);
}

// Pass number i of a step, forward or back.
static struct pass training_pass(const struct training *training, uint32_t step, uint32_t i,
				 bool back)
{
	const uint32_t p = training->stages, v = training->chunks;
	const uint32_t chunk = v == 1 ? 0 : i / p % v;

	return (struct pass){.chunk = back ? v - 1 - chunk : chunk,
			     .micro = v == 1 ? i : i / (p * v) * p + i % p,
			     .step = step,
			     .back = back};
}

// Passes forward before the first one back.
static uint32_t training_warm_up(const struct training *training, uint32_t stage, uint32_t passes)
{
	const uint32_t after = training->stages - 1 - stage;
	uint32_t count = after;

	if (training->chunks > 1)
		count = 2 * after + (training->chunks - 1) * training->stages;
	return training->gpipe || count > passes ? passes : count;
}

static void trainee_step(struct trainee *rank, uint32_t step)
{
	const struct training *training = rank->training;
	const uint32_t passes = training->microbatches * training->chunks;
	const uint32_t ahead = training_warm_up(training, rank->stage, passes);

	for (uint32_t i = 0; i < passes + ahead && !sequence_stopped(rank->sequence); i++) {
		struct pass pass;

		if (i < passes) {
			pass = training_pass(training, step, i, false);
			trainee_pass(rank, &pass);
		}
		if (i >= ahead) {
			pass = training_pass(training, step, i - ahead, true);
			trainee_pass(rank, &pass);
		}
	}
	for (uint32_t layer = 0; layer < training->model.layers; layer++)
		if ((training->zero == 1 || training->zero == 2) &&
		    layer / training->chunk_layers % training->stages == rank->stage)
			(void)trainee_gather(rank, layer);
	trainee_await(rank, &rank->aside);
}

static void training_rank(const void *state, struct sequence *sequence, uint32_t number)
{
	const struct training *training = state;
	const uint32_t in_stage = training->model.tensor * training->data;
	const struct sequence_watch *watch = sequence->watch;
	struct trainee rank = {.training = training,
			       .sequence = sequence,
			       .tensor = number % training->model.tensor,
			       .data = number % in_stage / training->model.tensor,
			       .stage = number / in_stage};
	char name[32];

	rank.slow = training->slow > 0 &&
		    permutation_of(&training->order, 0, number) < training->slow;
	if (training_is_drawn(training))
		draw_tables_make(&rank.tables);
	snprintf(name, sizeof(name), "rank%u/compute", number);
	tr_random_open(&rank.random, training->seed, name);
	sequence->watch = NULL; // blocks are those of groups
	for (uint32_t step = 0; step < training->steps && !sequence_stopped(sequence); step++)
		trainee_step(&rank, step);
	sequence->watch = watch;
}

const struct program_kind program_training = {
	"training",
	"model=gpt3-175b|llama2-7b|llama2-70b|mixtral-8x7b,layers=0,hidden=0,heads=0,kv-heads=0,"
	"ffn=0,sequence=0,vocabulary=0,experts=0,top-k=0,tensor=1,expert=1,micro=1,data=8,"
	"pipeline=1,interleave=1,zero=0|1|2|3,schedule=1f1b|gpipe,microbatches=1,steps=1,"
	"precision=2B,bucket=25MiB,overlap=yes|no,recompute=no|yes,message=0s,byte=0s,"
	"allreduce=ring|double-tree|rabenseifner|recursive-doubling|hierarchical,segments=1,node=1,"
	"flops=312000000000000,efficiency=0.5,slow=0,slow-by=2,seed=1,"
	"law=constant|exponential|uniform|pareto|lognormal|weibull|gamma|lomax,shape=0",
	"steps of training a transformer in parallel",
	sizeof(struct training),
	training_take,
	training_rank};
