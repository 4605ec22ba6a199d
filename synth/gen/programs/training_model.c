// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters are those of the published models to the last one; operations are those of Narayanan
// et al. (Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, SC 2021,
// appendix): 2 for each parameter of a matrix and token, 4 s h for a token's attention to s, also
// where other matrices than GPT's are meant (own generalisation).
#include "gen/programs/training.h"

#define OPERATIONS_MAX ((__int128)1 << 61)

// GPT-3: Brown et al. 2020, table 2.1. Llama 2: Touvron et al. 2023, and the published
// configurations. Mixtral: Jiang et al. 2024, table 1. In the order of the words of "model".
static const struct training_model training_models[] = {
	{96, 12288, 96, 96, 49152, 2048, 50257, 1, 1, .gated = false},
	{32, 4096, 32, 32, 11008, 4096, 32000, 1, 1, .gated = true},
	{80, 8192, 64, 8, 28672, 4096, 32000, 1, 1, .gated = true},
	{32, 4096, 32, 8, 14336, 32768, 32000, 8, 2, .gated = true},
};

static uint64_t model_share(uint64_t whole, uint32_t ranks)
{
	return (whole + ranks - 1) / ranks;
}

uint64_t training_parameters(const struct training_model *model, uint32_t layer,
			     enum training_part part)
{
	const uint64_t h = model->hidden, f = model->ffn, t = model->tensor;
	const uint64_t keys = 2 * (h / model->heads) * model->kv_heads; // and values
	const uint64_t words = model_share(model->vocabulary, model->tensor) * h;
	const bool mixed = model->experts > 1;
	uint64_t mlp = (model->gated ? 3 : 2) * h * f / t, count;

	if (!model->gated) // biases
		mlp += f / t + h;
	if (part == TRAINING_EXPERT)
		return mixed ? mlp * (model->experts / model->expert) : 0;
	count = (2 * h + keys) * h / t + (mixed ? h * model->experts : mlp) + 2 * h;
	if (!model->gated) // biases of query, key, value; of what follows; of norms
		count += (h + keys) / t + 3 * h;
	if (layer == 0)
		count += words + (model->gated ? 0 : h * model->sequence);
	if (layer + 1 == model->layers)
		count += (model->gated || model->apart ? words : 0) + (model->gated ? h : 2 * h);
	return count;
}

// TR_ERROR where a microbatch has OPERATIONS_MAX or more.
static enum tr_status model_take_operations(struct training_model *model, struct tr_error *err)
{
	const __int128 h = model->hidden, tokens = (__int128)model->micro * model->sequence;
	const __int128 attention = tokens * (4 * h * h + 4 * h * model->sequence +
					     4 * h * (h / model->heads) * model->kv_heads);
	const __int128 mlp = tokens * model->top_k * (model->gated ? 6 : 4) * h * model->ffn;
	const __int128 router = model->experts > 1 ? tokens * 2 * h * model->experts : 0;
	const __int128 output = tokens * 2 * h * model->vocabulary;

	if ((attention + mlp + router) * model->layers + output >= OPERATIONS_MAX)
		return tr_fail(err, "program training: 2^61 operations or more in a microbatch");
	model->attention = (uint64_t)(attention / model->tensor);
	model->mlp = (uint64_t)(mlp / model->tensor + router);
	model->output = (uint64_t)(output / model->tensor);
	return TR_OK;
}

static enum tr_status training_model_check(const struct training_model *model,
					   struct program_args *args, struct tr_error *err)
{
	const struct {
		const char *what, *by;
		uint32_t number, divisor;
	} rules[] = {{"hidden", "heads", model->hidden, model->heads},
		     {"heads", "kv-heads", model->heads, model->kv_heads},
		     {"kv-heads", "tensor", model->kv_heads, model->tensor},
		     {"hidden", "tensor", model->hidden, model->tensor},
		     {"ffn", "tensor", model->ffn, model->tensor},
		     {"experts", "expert", model->experts, model->expert}};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].number % rules[i].divisor > 0)
			return tr_fail(err, "program %s: %s %u is not a multiple of %s %u",
				       args->name, rules[i].what, rules[i].number, rules[i].by,
				       rules[i].divisor);
	if (model->top_k > model->experts)
		return tr_fail(err, "program %s: top-k %u of %u experts", args->name, model->top_k,
			       model->experts);
	return TR_OK;
}

// A number of the model, or the one that it has.
static void model_replace(struct program_args *args, const char *key, uint32_t max, uint32_t *own)
{
	const uint32_t given = (uint32_t)program_args_count(args, key, 0, max);

	if (given > 0)
		*own = given;
}

enum tr_status training_model_take(struct training_model *model, struct program_args *args,
				   struct tr_error *err)
{
	*model = training_models[program_args_word(args, "model")];
	model_replace(args, "layers", 65536, &model->layers);
	model_replace(args, "hidden", 1048576, &model->hidden);
	model_replace(args, "heads", 65536, &model->heads);
	model->kv_heads = model->gated ? model->kv_heads : model->heads;
	model_replace(args, "kv-heads", 65536, &model->kv_heads);
	model->ffn = model->gated ? model->ffn : 4 * model->hidden;
	model_replace(args, "ffn", 4194304, &model->ffn);
	model_replace(args, "sequence", 16777216, &model->sequence);
	model_replace(args, "vocabulary", 16777216, &model->vocabulary);
	model_replace(args, "experts", 65536, &model->experts);
	model->top_k = model->experts > 1 ? model->top_k : 1;
	model_replace(args, "top-k", 65536, &model->top_k);
	model->tensor = (uint32_t)program_args_count(args, "tensor", 1, 65536);
	model->expert = (uint32_t)program_args_count(args, "expert", 1, 65536);
	model->micro = (uint32_t)program_args_count(args, "micro", 1, 65536);
	if (args->failed)
		return TR_ERROR;
	return training_model_check(model, args, err) == TR_OK ? model_take_operations(model, err)
							       : TR_ERROR;
}
