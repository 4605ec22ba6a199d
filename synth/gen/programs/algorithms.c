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
	if (kind->take(state, &args, &shape, err) != TR_OK || program_args_end(&args) != TR_OK)
		return TR_ERROR;
	sequence_start(&sequence, out, &args, &shape.cost, shape.ranks);
	sequence.watch = watch;
	for (uint32_t rank = 0; rank < shape.ranks && !sequence_stopped(&sequence); rank++) {
		sequence_rank(&sequence);
		kind->rank(state, &sequence, rank);
	}
	return sequence_end(&sequence, err);
}
