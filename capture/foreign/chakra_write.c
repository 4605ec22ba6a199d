// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/chakra_write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/foreign_folder.h"
#include "foreign/chakra.h"

#define VERSION "0.0.4" // of the schema, as MLCommons' converters say it
#define NS_PER_US 1000u
#define CPU_MAX 1u // of computing

// Fields of the schema's messages.
enum { METADATA_VERSION = 1, METADATA_ATTRIBUTE = 2 };
enum { NODE_ID = 1, NODE_NAME = 2, NODE_TYPE = 3, NODE_NEEDS = 5, NODE_MICROS = 7, NODE_ATTR = 10 };
enum { ATTR_NAME = 1, ATTR_INT32 = 7, ATTR_INT64 = 9, ATTR_BOOL = 27, ATTR_BYTES = 31 };

struct chakra_output {
	const struct goal_program *program;
	FILE *out;
	struct protobuf_out message, part; // being written, and a part of it
	uint32_t *firsts;		   // by operation of the rank: where its needs begin
	uint32_t *needs;
	uint32_t next_need; // of the program
};

// ---- what the format does not have

static enum tr_status chakra_write_check(const struct goal_program *program,
					 const struct goal_op *op, struct tr_error *err)
{
	const char *why = NULL;

	if (op->kind == GOAL_CALC && op->cpu > CPU_MAX)
		why = "cpu: Chakra has computing on cpu 0 and, as is_cpu_op, 1; write one of them";
	else if (op->nic > 0)
		why = "nic: Chakra has no network interfaces; leave it out";
	else if (op->kind != GOAL_CALC && (op->peer == GOAL_ANY || op->tag == GOAL_ANY))
		why = "-1: a receive of Chakra has a source and a tag; name them";
	else if (op->kind != GOAL_CALC && op->tag > CHAKRA_TAG_MAX)
		why = "tag: one of Chakra is below 2147483648; number the tags anew";
	return why ? tr_fail(err, "%s:%" PRIu32 ": %s", program->name, op->line, why) : TR_OK;
}

static enum tr_status chakra_write_check_all(const struct goal_program *program, uint64_t *rounded,
					     struct tr_error *err)
{
	*rounded = 0;
	for (uint32_t i = 0; i < program->op_count; i++) {
		const struct goal_op *op = &program->ops[i];

		if (chakra_write_check(program, op, err) != TR_OK)
			return TR_ERROR;
		*rounded += op->kind == GOAL_CALC && op->size % NS_PER_US != 0;
	}
	for (uint32_t i = 0; i < program->need_count; i++)
		if (program->needs[i].started)
			return tr_fail(err,
				       "%s:%" PRIu32
				       ": irequires: an operation of Chakra waits for the end of "
				       "others, not for their begin; write requires, or run the "
				       "program itself (flitsim --program)",
				       program->name, program->ops[program->needs[i].op].line);
	return TR_OK;
}

// ---- messages of the file

// Its length, and the message, which is empty then.
static void chakra_write_message(struct chakra_output *output)
{
	output->part.bytes = 0;
	protobuf_put_varint(&output->part, output->message.bytes);
	if (output->part.failed || output->message.failed)
		return;
	fwrite_unlocked(output->part.data, 1, output->part.bytes, output->out);
	fwrite_unlocked(output->message.data, 1, output->message.bytes, output->out);
	output->message.bytes = 0;
}

static void chakra_write_attribute(struct chakra_output *output, uint32_t field, const char *name,
				   uint32_t form, uint64_t value)
{
	output->part.bytes = 0;
	protobuf_put_bytes(&output->part, ATTR_NAME, name, strlen(name));
	protobuf_put_number(&output->part, form, value);
	protobuf_put_bytes(&output->message, field, output->part.data, output->part.bytes);
}

// made is bytes: a text of protobuf is UTF-8, which the names of files need not be.
static void chakra_write_metadata(struct chakra_output *output, const char *made)
{
	protobuf_put_bytes(&output->message, METADATA_VERSION, VERSION, strlen(VERSION));
	chakra_write_attribute(output, METADATA_ATTRIBUTE, CHAKRA_NUM_RANKS, ATTR_INT64,
			       output->program->ranks);
	output->part.bytes = 0;
	protobuf_put_bytes(&output->part, ATTR_NAME, "made", strlen("made"));
	protobuf_put_bytes(&output->part, ATTR_BYTES, made, strlen(made));
	protobuf_put_bytes(&output->message, METADATA_ATTRIBUTE, output->part.data,
			   output->part.bytes);
	chakra_write_message(output);
}

static void chakra_write_needs(struct chakra_output *output, uint32_t number)
{
	output->part.bytes = 0;
	for (uint32_t i = output->firsts[number]; i < output->firsts[number + 1]; i++)
		protobuf_put_varint(&output->part, (uint64_t)output->needs[i] + 1);
	if (output->part.bytes > 0)
		protobuf_put_bytes(&output->message, NODE_NEEDS, output->part.data,
				   output->part.bytes);
}

static void chakra_write_node(struct chakra_output *output, const struct goal_op *op,
			      uint32_t number)
{
	static const uint64_t types[] = {[GOAL_SEND] = CHAKRA_NODE_COMM_SEND,
					 [GOAL_RECV] = CHAKRA_NODE_COMM_RECV,
					 [GOAL_CALC] = CHAKRA_NODE_COMP};
	const char *peer = op->kind == GOAL_SEND ? "comm_dst" : "comm_src";
	char name[16];

	(void)snprintf(name, sizeof(name), "l%" PRIu64, (uint64_t)number + 1);
	protobuf_put_number(&output->message, NODE_ID, (uint64_t)number + 1);
	protobuf_put_bytes(&output->message, NODE_NAME, name, strlen(name));
	protobuf_put_number(&output->message, NODE_TYPE, types[op->kind]);
	chakra_write_needs(output, number);
	if (op->kind == GOAL_CALC) {
		const uint64_t us = (op->size + NS_PER_US / 2) / NS_PER_US;

		if (us > 0)
			protobuf_put_number(&output->message, NODE_MICROS, us);
		if (op->size % NS_PER_US != 0)
			chakra_write_attribute(output, NODE_ATTR, CHAKRA_DURATION_NANOS, ATTR_INT64,
					       op->size);
		if (op->cpu > 0)
			chakra_write_attribute(output, NODE_ATTR, "is_cpu_op", ATTR_BOOL, 1);
	} else {
		chakra_write_attribute(output, NODE_ATTR, "comm_size", ATTR_INT64, op->size);
		chakra_write_attribute(output, NODE_ATTR, peer, ATTR_INT32, op->peer);
		chakra_write_attribute(output, NODE_ATTR, "comm_tag", ATTR_INT32, op->tag);
		if (op->cpu > 0)
			chakra_write_attribute(output, NODE_ATTR, CHAKRA_COMM_CPU, ATTR_INT32,
					       op->cpu);
	}
	chakra_write_message(output);
}

// ---- ranks

// Sorts the needs of a rank by operation, else as in the program. False: out of memory.
static bool chakra_write_sort(struct chakra_output *output, uint32_t first, uint32_t end)
{
	const struct goal_program *program = output->program;
	const uint32_t begin = output->next_need, count = end - first;
	uint32_t last = begin;

	while (last < program->need_count && program->needs[last].op < end)
		last++;
	free(output->firsts);
	free(output->needs);
	output->firsts = calloc((size_t)count + 2, sizeof(*output->firsts));
	output->needs = calloc((size_t)(last - begin) + 1, sizeof(*output->needs));
	output->next_need = last;
	if (!output->firsts || !output->needs)
		return false;
	for (uint32_t i = begin; i < last; i++)
		output->firsts[program->needs[i].op - first + 2]++;
	for (uint32_t i = 2; i < count + 2; i++)
		output->firsts[i] += output->firsts[i - 1];
	for (uint32_t i = begin; i < last; i++)
		output->needs[output->firsts[program->needs[i].op - first + 1]++] =
			program->needs[i].after - first;
	return true;
}

// A file takes its name when it is whole.
static enum tr_status chakra_write_rank(struct chakra_output *output, int folder, uint32_t rank,
					const char *made, struct tr_error *err)
{
	const struct goal_program *program = output->program;
	const uint32_t first = program->first[rank], end = program->first[rank + 1];
	char name[32], part[40];
	int file;

	(void)snprintf(name, sizeof(name), "rank.%" PRIu32 ".et", rank);
	(void)snprintf(part, sizeof(part), ".%s.part", name);
	if (!chakra_write_sort(output, first, end))
		return tr_no_memory(err, "rank %" PRIu32, rank);
	file = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	output->out = file < 0 ? NULL : fdopen(file, "w");
	if (!output->out) {
		(void)tr_fail(err, "%s: %s", name, strerror(errno));
		if (file >= 0)
			(void)close(file);
		return TR_ERROR;
	}
	chakra_write_metadata(output, made);
	for (uint32_t i = first; i < end && !ferror(output->out); i++)
		chakra_write_node(output, &program->ops[i], i - first);
	if ((ferror(output->out) | fclose(output->out)) == 0 && !output->message.failed &&
	    !output->part.failed && renameat(folder, part, folder, name) == 0)
		return TR_OK;
	if (output->message.failed || output->part.failed)
		(void)tr_no_memory(err, "a node");
	else
		(void)tr_fail(err, "%s: %s", name, strerror(errno));
	(void)unlinkat(folder, part, 0);
	return TR_ERROR;
}

enum tr_status chakra_write(const struct goal_program *program, const char *folder,
			    const char *made, uint64_t *rounded, struct tr_error *err)
{
	struct chakra_output output = {.program = program};
	struct tr_error why = {""};
	enum tr_status status = chakra_write_check_all(program, rounded, err);
	int into = -1;

	if (status == TR_OK)
		status = tr_folder_make(folder, &into, err);
	if (status == TR_END)
		status = tr_fail(err, "%s: expected a new folder: %s", folder, strerror(EEXIST));
	for (uint32_t rank = 0; rank < program->ranks && status == TR_OK; rank++)
		if (chakra_write_rank(&output, into, rank, made, &why) != TR_OK)
			status = tr_fail_for(err, &why, "%s/%s", folder, why.text);
	if (into >= 0)
		(void)close(into);
	free(output.message.data);
	free(output.part.data);
	free(output.firsts);
	free(output.needs);
	return status;
}
