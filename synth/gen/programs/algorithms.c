// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdalign.h>
#include <string.h>

#include "gen/programs/algorithms.h"

const struct program_kind *const program_kinds[] = {
	&program_allgather, &program_allreduce,	     &program_alltoall,
	&program_barrier,   &program_broadcast,	     &program_cannon,
	&program_fft_1d,    &program_fft_3d,	     &program_fft_rc,
	&program_fft_vr,    &program_gather,	     &program_halo,
	&program_matmul,    &program_multicast,	     &program_random,
	&program_reduce,    &program_reduce_scatter, &program_scatter,
	&program_sweep,	    &program_training,	     NULL,
};

static const struct program_kind *algorithms_find(const char *name)
{
	for (const struct program_kind *const *kind = program_kinds; *kind; kind++)
		if (strcmp((*kind)->name, name) == 0)
			return *kind;
	return NULL;
}

static enum tr_status unknown(const char *name, struct tr_error *err)
{
	char names[360] = "";
	size_t used = 0;

	for (const struct program_kind *const *kind = program_kinds; *kind && used < sizeof(names);
	     kind++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", (*kind)->name);
	return tr_fail(err, "unknown program \"%.40s\", no file and none of%s", name, names);
}

static void program_ranks(const struct program_kind *kind, const void *state,
			  struct sequence *sequence, uint32_t ranks)
{
	while (sequence->ranks_begun < ranks && !sequence_stopped(sequence)) {
		sequence_rank(sequence);
		kind->rank(state, sequence, sequence->rank);
	}
}

static enum tr_status program_too_long(const struct program_kind *kind, double operations,
				       struct tr_error *err)
{
	static const char *const keys[] = {"steps",	   "repeats",  "rounds",
					   "microbatches", "segments", "pieces",
					   "layers",	   "ranks",    "data"};
	char fewer[120] = "";

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *at = strstr(kind->keys, keys[i]);
		const size_t used = strlen(fewer), length = strlen(keys[i]);

		if (at && (at == kind->keys || at[-1] == ',') && at[length] == '=')
			(void)snprintf(fewer + used, sizeof(fewer) - used, " %s", keys[i]);
	}
	return tr_fail(err,
		       "program %s: about %.2g operations, and a program has at most %u (with %u "
		       "dependencies): lower one of%s",
		       kind->name, operations, GOAL_OPS_MAX, GOAL_NEEDS_MAX, fewer);
}

// TR_ERROR for more operations than a program may have (flit-goal(5)). Some ranks tell whether it
// has far fewer, or far more; between, all are counted.
static enum tr_status program_check_length(const struct program_kind *kind, const void *state,
					   const struct program_shape *shape, struct tr_error *err)
{
	const uint32_t some = shape->ranks < 256 ? 1 : 16;
	uint64_t least = UINT64_MAX;
	uint32_t tried = 0;
	struct sequence count;
	double all;

	sequence_start(&count, NULL, NULL, &shape->cost, shape->ranks);
	for (; tried < some && !sequence_stopped(&count); tried++) {
		count.ranks_begun = // no multiples of one power of two
			(uint32_t)((uint64_t)(tried * 0x9e3779b1u) * shape->ranks >> 32);
		program_ranks(kind, state, &count, count.ranks_begun + 1);
		least = count.writer.ops < least ? count.writer.ops : least;
	}
	all = ((double)count.writer.before + count.writer.ops) / tried * shape->ranks;
	if (count.overflow ||
	    all + (double)count.writer.needs / tried * shape->ranks < GOAL_OPS_MAX / 16)
		return TR_OK;
	if (sequence_stopped(&count) ||
	    (some > 1 && (double)least * shape->ranks > 4.0 * GOAL_OPS_MAX))
		return program_too_long(kind, all, err);
	sequence_start(&count, NULL, NULL, &shape->cost, shape->ranks);
	program_ranks(kind, state, &count, shape->ranks);
	if (count.overflow || !sequence_stopped(&count))
		return TR_OK;
	all = ((double)count.writer.before + count.writer.ops) / count.ranks_begun * shape->ranks;
	return program_too_long(kind, all, err);
}

enum tr_status program_write(const char *text, FILE *out, const struct sequence_watch *watch,
			     struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	struct program_shape shape = {0};
	const struct program_kind *kind;
	struct sequence sequence;
	struct program_args args;

	if (program_args_parse(&args, text, err) != TR_OK)
		return TR_ERROR;
	kind = algorithms_find(args.name);
	if (!kind)
		return unknown(args.name, err);
	args.usual = kind->keys;
	if (kind->state_bytes > sizeof(state))
		return tr_fail(err, "program %s needs %zu bytes", kind->name, kind->state_bytes);
	if (kind->take(state, &args, &shape, err) != TR_OK || program_args_end(&args) != TR_OK ||
	    program_check_length(kind, state, &shape, err) != TR_OK)
		return TR_ERROR;
	sequence_start(&sequence, out, &args, &shape.cost, shape.ranks);
	sequence.watch = watch;
	program_ranks(kind, state, &sequence, shape.ranks);
	return sequence_end(&sequence, err);
}
