// SPDX-License-Identifier: GPL-3.0-or-later
// Chakra execution traces as GOAL, rank by rank: a node is an operation, or those of its part of a
// collective operation, and requires what it depends on.
#include "foreign/chakra.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/protobuf.h"
#include "value/grow.h"
#include "value/order.h"

#define CLAIM_BYTES 512u

struct chakra_writing {
	const struct event_goal_ways *ways;
	struct chakra_groups groups;
	struct chakra_graph graph;
	uint64_t counts[CHAKRA_DOUBT_COUNT];
	uint64_t after_send; // receives that begin when a large send has ended
	uint64_t send_bytes; // of the largest send
	struct sequence sequence;
	uint32_t *begins, *ends; // of nodes: the operations in which each begins and ends
	uint64_t *later;	 // needs of nodes before them in the file: need << 32 | node
	uint32_t later_count, later_room;
};

// ---- the nodes of a rank as operations

// Adds an operation that requires those in which the node's needs end, as far as these are there.
static uint32_t chakra_put(struct chakra_writing *writing, const struct chakra_node *node,
			   const struct goal_op *op)
{
	struct goal_writer *writer = &writing->sequence.writer;
	const uint32_t number = goal_write_op(writer, op);

	for (uint32_t i = 0; i < node->need_count; i++) {
		const uint64_t need = writing->graph.needs[node->need_first + i];

		if (need < (uint64_t)(node - writing->graph.nodes))
			goal_write_need(writer, number, writing->ends[need], false);
	}
	return number;
}

static enum tr_status chakra_put_collective(struct chakra_writing *writing,
					    const struct chakra_node *node, uint32_t number,
					    struct tr_error *err)
{
	const struct chakra_group *group = &writing->groups.items[node->peer];
	const struct chakra_instance *instance = &group->instances[node->tag];
	struct event_goal_part part = {.collective = instance->collective,
				       .place = chakra_groups_place(&writing->groups, node->peer),
				       .ranks = group->count,
				       .bytes = instance->bytes};
	const struct goal_op gate = {.kind = GOAL_CALC};
	struct sequence *sequence = &writing->sequence;
	struct sequence_point here = {.count = 1};

	if (part.collective == COLLECTIVE_ALLTOALL || part.collective == COLLECTIVE_SCATTER) {
		writing->counts[CHAKRA_ROUNDED] += part.place == 0 && part.bytes % part.ranks != 0;
		part.bytes = part.bytes / part.ranks + (part.bytes % part.ranks != 0);
	}
	writing->begins[number] = here.ops[0] = chakra_put(writing, node, &gate);
	sequence_from(sequence, &here);
	sequence->members = group->members;
	sequence->tag_first = CHAKRA_TAGS + instance->tag_first;
	if (event_goal_unroll(writing->ways, sequence, &part, err) != TR_OK)
		return tr_fail_in(err, "offset %" PRIu64, node->offset);
	sequence_join(sequence);
	writing->ends[number] = sequence_here(sequence).ops[0];
	return TR_OK;
}

static enum tr_status chakra_put_node(struct chakra_writing *writing, uint32_t number,
				      struct tr_error *err)
{
	const struct chakra_node *node = &writing->graph.nodes[number];
	static const enum goal_kind kinds[] = {
		[CHAKRA_COMPUTE] = GOAL_CALC, [CHAKRA_SEND] = GOAL_SEND, [CHAKRA_RECV] = GOAL_RECV};
	struct goal_op op = {.size = node->size, .cpu = node->cpu};

	if (node->kind == CHAKRA_COLLECTIVE)
		return chakra_put_collective(writing, node, number, err);
	op.kind = (uint8_t)kinds[node->kind];
	if (node->kind != CHAKRA_COMPUTE) {
		op.peer = node->peer;
		op.tag = node->tag;
	}
	writing->after_send += node->kind == CHAKRA_RECV && node->after_send;
	if (node->kind == CHAKRA_SEND && node->size > writing->send_bytes)
		writing->send_bytes = node->size;
	writing->begins[number] = writing->ends[number] = chakra_put(writing, node, &op);
	return TR_OK;
}

// Gathers the needs of nodes that come before them in the file, in the order of the needs.
static bool chakra_find_later(struct chakra_writing *writing)
{
	const struct chakra_graph *graph = &writing->graph;

	writing->later_count = 0;
	for (uint32_t i = 0; i < graph->count; i++)
		for (uint32_t k = 0; k < graph->nodes[i].need_count; k++) {
			const uint64_t need = graph->needs[graph->nodes[i].need_first + k];

			if (need < i)
				continue;
			if (!GROW(writing->later, writing->later_room, writing->later_count))
				return false;
			writing->later[writing->later_count++] = need << 32 | i;
		}
	if (writing->later_count > 0)
		qsort(writing->later, writing->later_count, sizeof(*writing->later), order_u64);
	return true;
}

// The nodes in the order of the file; a need is said as soon as both of its nodes are there.
static enum tr_status chakra_put_rank(struct chakra_writing *writing, struct tr_error *err)
{
	const uint32_t count = writing->graph.count;
	enum tr_status status = TR_OK;
	uint32_t next = 0; // of later

	writing->begins = calloc(2 * ((size_t)count + 1), sizeof(*writing->begins));
	if (!writing->begins || !chakra_find_later(writing)) {
		free(writing->begins);
		return tr_no_memory(err, "the program");
	}
	writing->ends = writing->begins + count + 1;
	sequence_rank(&writing->sequence);
	for (uint32_t i = 0; i < count && status == TR_OK; i++) {
		if (sequence_stopped(&writing->sequence))
			break;
		status = chakra_put_node(writing, i, err);
		for (; next < writing->later_count && writing->later[next] >> 32 == i; next++)
			goal_write_need(&writing->sequence.writer,
					writing->begins[writing->later[next] & UINT32_MAX],
					writing->ends[i], false);
	}
	free(writing->begins);
	return status;
}

// ---- files

static bool chakra_is_json(const char *path)
{
	const size_t length = strlen(path);

	return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

// The rank that a name says, NAME.RANK.et: UINT64_MAX if it says none.
static uint64_t chakra_rank_of(const char *path)
{
	const char *end = NULL, *begin;
	char *rest;
	uint64_t rank;

	for (const char *at = path; (at = strstr(at, ".et")) != NULL; at++)
		end = at[3] == '\0' || at[3] == '.' ? at : end;
	for (begin = end; end && begin > path && begin[-1] >= '0' && begin[-1] <= '9';)
		begin--;
	if (!end || begin == end || begin == path || begin[-1] != '.' || end - begin > 10)
		return UINT64_MAX;
	rank = strtoull(begin, &rest, 10);
	return rest == end ? rank : UINT64_MAX;
}

// Puts the paths of ranks in order: by their names if these have ranks, else as they are.
static enum tr_status chakra_sort_paths(const char **paths, uint32_t ranks, struct tr_error *err)
{
	const char **sorted = calloc((size_t)ranks + 1, sizeof(*sorted));
	enum tr_status status = sorted ? TR_OK : tr_no_memory(err, "names of files");
	bool named = false;

	for (uint32_t i = 0; i < ranks; i++)
		named |= chakra_rank_of(paths[i]) != UINT64_MAX;
	for (uint32_t i = 0; i < ranks && named && status == TR_OK; i++) {
		const uint64_t rank = chakra_rank_of(paths[i]);

		if (rank == UINT64_MAX)
			status = tr_fail(err,
					 "%s: expected a name that ends in .RANK.et, as others",
					 paths[i]);
		else if (rank >= ranks)
			status = tr_fail(err,
					 "%s: a file of rank %" PRIu64 ", but %" PRIu32
					 " files: expected one of each rank from 0",
					 paths[i], rank, ranks);
		else if (sorted[rank])
			status = tr_fail(err, "%s: rank %" PRIu64 " is there twice, first as %s",
					 paths[i], rank, sorted[rank]);
		else
			sorted[rank] = paths[i];
	}
	if (named && status == TR_OK)
		memcpy(paths, sorted, ranks * sizeof(*paths));
	free(sorted);
	return status;
}

static enum tr_status chakra_write_file(const struct foreign_input *input, const char *path,
					struct chakra_writing *writing, struct tr_error *err)
{
	struct tr_source *source;
	struct tr_error why = {""};
	enum tr_status status = input->open(input->context, NULL, path, &source, err);

	if (status != TR_OK)
		return status;
	status = chakra_graph_read(&writing->graph, source, &writing->groups, input->flops_per_s,
				   writing->counts, err);
	tr_source_close(source);
	if (status == TR_OK && (chakra_graph_finish(&writing->graph, &why) != TR_OK ||
				chakra_put_rank(writing, &why) != TR_OK))
		status = tr_fail_for(err, &why, "%s: %s", path, why.text);
	chakra_graph_clear(&writing->graph);
	return status;
}

// What the program has otherwise than the trace, or may not expect.
static void chakra_tell(const struct foreign_input *input, const struct chakra_writing *writing)
{
#define CHAKRA_TEXT(word, text) text,
	static const char *const texts[] = {CHAKRA_DOUBTS(CHAKRA_TEXT)};
	char text[300];

	for (size_t i = 0; i < CHAKRA_DOUBT_COUNT; i++)
		foreign_tell(input, writing->counts[i], texts[i]);
	(void)snprintf(text, sizeof(text),
		       "receives begin when a send of their rank has ended: if that waits for "
		       "its receive (rendezvous) all may wait for each other; set flitsim "
		       "--loggops S=%" PRIu64 "B or more",
		       writing->send_bytes);
	foreign_tell(input, writing->after_send, text);
	foreign_tell(input, writing->groups.tags_again, EVENT_GOAL_TAGS_AGAIN);
}

static enum tr_status chakra_write_program(const struct foreign_input *input,
					   const struct event_goal_ways *ways, FILE *out,
					   struct tr_error *err)
{
	struct chakra_writing writing = {.ways = ways};
	const char **paths = calloc(input->count + 1, sizeof(*paths)); // groups come last
	enum tr_status status = TR_OK;
	size_t ranks = 0, groups = input->count;

	for (size_t i = 0; paths && i < input->count; i++)
		paths[chakra_is_json(input->paths[i]) ? --groups : ranks++] = input->paths[i];
	if (!paths)
		status = tr_no_memory(err, "names of files");
	else if (ranks == 0 || ranks > GOAL_RANKS_MAX)
		status = tr_fail(err, "expected a file of each of 1 to %u ranks", GOAL_RANKS_MAX);
	if (status == TR_OK)
		status = chakra_sort_paths(paths, (uint32_t)ranks, err);
	if (status == TR_OK)
		status = chakra_groups_start(&writing.groups, (uint32_t)ranks, ways, err);
	for (size_t i = input->count; i > groups && status == TR_OK; i--)
		status = chakra_groups_take(&writing.groups, input, paths[i - 1], err);
	if (status == TR_OK)
		event_goal_start(ways, &writing.sequence, (uint32_t)ranks, out);
	for (uint32_t rank = 0; rank < ranks && status == TR_OK; rank++) {
		chakra_groups_rank(&writing.groups, rank);
		status = chakra_write_file(input, paths[rank], &writing, err);
	}
	if (status == TR_OK)
		status = chakra_groups_finish(&writing.groups, err);
	if (status == TR_OK)
		status = sequence_end(&writing.sequence, err);
	if (status == TR_OK)
		chakra_tell(input, &writing);
	chakra_groups_clear(&writing.groups);
	free(writing.later);
	free(paths);
	return status;
}

// ---- recognition

// The length of the metadata, and in it a version or an attribute that begins with its name.
static bool chakra_claims(struct tr_source *source)
{
	struct protobuf in = {0};
	uint64_t bytes, inside;

	if (tr_source_peek(source, CLAIM_BYTES, &in.data, &in.bytes, NULL) == TR_ERROR ||
	    !protobuf_varint(&in, &bytes) || bytes < 2 || bytes > TR_SOURCE_PEEK_MAX ||
	    in.bytes - in.at < 3)
		return false;
	if (in.data[in.at] == 0x12) {
		in.at++;
		return protobuf_varint(&in, &inside) && inside < bytes && in.at < in.bytes &&
		       in.data[in.at] == 0x0a;
	}
	if (in.data[in.at++] != 0x0a || !protobuf_varint(&in, &inside) || inside + 2 > bytes ||
	    inside > in.bytes - in.at)
		return false;
	for (uint64_t i = 0; i < inside; i++)
		if (in.data[in.at + i] < ' ' || in.data[in.at + i] > '~')
			return false;
	return inside + 2 == bytes || in.at + inside == in.bytes || in.data[in.at + inside] == 0x12;
}

const struct foreign_format foreign_chakra = {
	"chakra",
	"Chakra execution traces: the files of the ranks, NAME.RANK.et or in their order, and of "
	"process groups as JSON",
	chakra_claims, NULL, chakra_write_program};
