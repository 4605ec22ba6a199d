// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitrun.h"

#include <limits.h>
#include <stdlib.h>

#define TAG 1

// A rank's part before its operations.
struct head {
	uint64_t first, ops, needs, most_sent, most_received;
};

enum tr_status portion_check(const struct goal_program *program, int processes,
			     struct tr_error *err)
{
	const int *bound;
	int known;

	if (program->ranks != (uint32_t)processes)
		return tr_fail(err,
			       "%s: expected %u processes for its ranks, found %d (mpirun -n %u "
			       "flitrun FILE)",
			       program->name, program->ranks, processes, program->ranks);
	(void)MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&bound, &known);
	for (uint32_t i = 0; i < program->op_count; i++) {
		const struct goal_op *op = &program->ops[i];

		if (op->kind == GOAL_CALC)
			continue;
		if (op->size > INT_MAX)
			return tr_fail(err, "%s:%u: %llu bytes, MPI takes at most %d in a message",
				       program->name, op->line, (unsigned long long)op->size,
				       INT_MAX);
		if (known && op->tag != GOAL_ANY && op->tag > (uint32_t)*bound)
			return tr_fail(err, "%s:%u: tag %u, this MPI takes at most %d",
				       program->name, op->line, op->tag, *bound);
	}
	return TR_OK;
}

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

// The heads of all ranks; NULL if out of memory.
static struct head *make_heads(const struct goal_program *program)
{
	struct head *heads = calloc(program->ranks, sizeof(*heads));

	if (!heads)
		return NULL;
	for (uint32_t rank = 0; rank < program->ranks; rank++) {
		heads[rank].first = program->first[rank];
		heads[rank].ops = program->first[rank + 1] - program->first[rank];
		for (uint32_t i = program->first[rank]; i < program->first[rank + 1]; i++) {
			const struct goal_op *op = &program->ops[i];

			if (op->kind == GOAL_SEND) {
				raise_to(&heads[rank].most_sent, op->size);
				raise_to(&heads[op->peer].most_received, op->size);
			}
		}
	}
	for (uint32_t i = 0; i < program->need_count; i++)
		heads[goal_rank_of(program, program->needs[i].op)].needs++;
	return heads;
}

static enum tr_status portion_make_room(struct portion *portion, const struct head *head,
					struct tr_error *err)
{
	portion->op_count = (uint32_t)head->ops;
	portion->need_count = (uint32_t)head->needs;
	portion->most_sent = head->most_sent;
	portion->most_received = head->most_received;
	portion->ops = calloc(head->ops + 1, sizeof(*portion->ops));
	portion->needs = calloc(head->needs + 1, sizeof(*portion->needs));
	return portion->ops && portion->needs
		       ? TR_OK
		       : tr_no_memory(err, "the operations of rank %u", portion->rank);
}

// A type of so many bytes, so that counts are of records.
static MPI_Datatype record_type(size_t bytes)
{
	MPI_Datatype type;

	(void)MPI_Type_contiguous((int)bytes, MPI_BYTE, &type);
	(void)MPI_Type_commit(&type);
	return type;
}

// Every process learns whether one of them failed.
static bool portion_all_well(bool well)
{
	int mine = well, all;

	(void)MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

static void send_parts(const struct goal_program *program, const struct head *heads,
		       MPI_Datatype op_type, MPI_Datatype need_type)
{
	uint64_t needs = heads[0].needs;

	for (uint32_t rank = 1; rank < program->ranks; rank++) {
		(void)MPI_Send(&program->ops[program->first[rank]], (int)heads[rank].ops, op_type,
			       (int)rank, TAG, MPI_COMM_WORLD);
		(void)MPI_Send(&program->needs[needs], (int)heads[rank].needs, need_type, (int)rank,
			       TAG, MPI_COMM_WORLD);
		needs += heads[rank].needs;
	}
}

static void portion_take_part(struct portion *portion, const struct goal_program *program,
			      MPI_Datatype op_type, MPI_Datatype need_type)
{
	if (program) {
		for (uint32_t i = 0; i < portion->op_count; i++)
			portion->ops[i] = program->ops[i];
		for (uint32_t i = 0; i < portion->need_count; i++)
			portion->needs[i] = program->needs[i];
		return;
	}
	(void)MPI_Recv(portion->ops, (int)portion->op_count, op_type, 0, TAG, MPI_COMM_WORLD,
		       MPI_STATUS_IGNORE);
	(void)MPI_Recv(portion->needs, (int)portion->need_count, need_type, 0, TAG, MPI_COMM_WORLD,
		       MPI_STATUS_IGNORE);
}

enum tr_status portion_give(struct portion *portion, const struct goal_program *program,
			    struct tr_error *err)
{
	struct head *heads = program ? make_heads(program) : NULL, head;
	MPI_Datatype op_type, need_type;
	int rank, ranks;
	enum tr_status status;

	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	*portion = (struct portion){.rank = (uint32_t)rank, .ranks = (uint32_t)ranks};
	if (!portion_all_well(heads || rank > 0))
		return tr_no_memory(err, "the parts of %d ranks", ranks);
	(void)MPI_Scatter(heads, (int)sizeof(head), MPI_BYTE, &head, (int)sizeof(head), MPI_BYTE, 0,
			  MPI_COMM_WORLD);
	status = portion_make_room(portion, &head, err);
	if (!portion_all_well(status == TR_OK)) {
		free(heads);
		return status == TR_OK ? tr_no_memory(err, "the operations of another rank")
				       : status;
	}
	op_type = record_type(sizeof(struct goal_op));
	need_type = record_type(sizeof(struct goal_need));
	if (program)
		send_parts(program, heads, op_type, need_type);
	portion_take_part(portion, program, op_type, need_type);
	(void)MPI_Type_free(&op_type);
	(void)MPI_Type_free(&need_type);
	for (uint32_t i = 0; i < portion->need_count; i++) {
		portion->needs[i].op -= (uint32_t)head.first;
		portion->needs[i].after -= (uint32_t)head.first;
	}
	free(heads);
	return TR_OK;
}

void portion_clear(struct portion *portion)
{
	free(portion->ops);
	free(portion->needs);
	*portion = (struct portion){0};
}
