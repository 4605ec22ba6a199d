// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_collective.h"
#include "collectives/schedule.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum tr_status program_collective_check(const char *text, struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	const char *key = strchr(text, ':');

	if (!schedule_kind(text))
		return tr_fail(err,
			       "\"%.40s\" is none; expected one such as allreduce:by=ring (flitgen "
			       "--program list)",
			       text);
	for (; key; key = strchr(key, ',')) {
		key++;
		if (strncmp(key, "by=", 3) != 0 && strncmp(key, "root=", 5) != 0)
			return tr_fail(
				err,
				"\"%.40s\": expected by=WORD or root=RANK; all else is the model's",
				key);
	}
	return schedule_state(text, PROGRAM_NODES_MAX, 0, state, err);
}

static enum tr_status program_collective_add_collective(struct program_list *list,
							const struct program_phase *phase,
							uint32_t nodes, struct tr_error *err)
{
	const double bytes = program_power_of(&phase->bytes, nodes, list->problem);
	struct schedule schedule;
	enum tr_status status;

	if (!(bytes < 0x1p40))
		return tr_fail(err, "a collective operation of %.4g B", bytes);
	status = schedule_make(&schedule, phase->collective, nodes, (uint64_t)(bytes + 0.5),
			       PROGRAM_MESSAGES_MAX, err);
	if (status == TR_END)
		status = tr_fail(err, "more than %u messages in an iteration",
				 PROGRAM_MESSAGES_MAX);
	for (size_t i = 0; i < schedule.count && status == TR_OK; i++) {
		const struct schedule_message *message = &schedule.list[i];

		status = program_list_add(list, message->src, message->dst, message->turn, err);
		if (status == TR_OK)
			list->messages[list->count - 1].bytes = message->bytes;
	}
	schedule_clear(&schedule);
	return status;
}

const struct program_pattern program_collective_pattern = {"collective", "a collective operation",
							   false, PROGRAM_IN_TURN,
							   program_collective_add_collective};

// ---- Records of operations

const struct program_collective_record *program_collective_record(uint16_t operation)
{
	static const struct program_collective_record records[TR_OP_EXSCAN + 1] = {
		[TR_OP_BARRIER] = {&program_barrier, false, false, false},
		[TR_OP_BCAST] = {&program_broadcast, true, true, false},
		[TR_OP_REDUCE] = {&program_reduce, true, false, false},
		[TR_OP_ALLREDUCE] = {&program_allreduce, false, false, false},
		[TR_OP_GATHER] = {&program_gather, true, false, false},
		[TR_OP_ALLGATHER] = {&program_allgather, false, false, false},
		[TR_OP_SCATTER] = {&program_scatter, true, true, true},
		[TR_OP_ALLTOALL] = {&program_alltoall, false, false, true},
		[TR_OP_REDUCE_SCATTER] = {&program_reduce_scatter, false, false, false},
	};

	return operation <= TR_OP_EXSCAN && records[operation].kind ? &records[operation] : NULL;
}
