// SPDX-License-Identifier: GPL-3.0-or-later
// Chakra traces, written here field by field: random graphs are read back equal, whatever form
// numbers have; a file that is cut anywhere or changed is refused, or ends in a program that GOAL's
// reader takes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "foreign/chakra.h"
#include "protobuf_writer.h"
#include "value/memstream.h"

#define NODES 40u
#define NEEDS 4u
#define RANKS 4u

static uint64_t seed = 1;

static uint64_t draw(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

// ---- nodes

// The value in one of the ways that the schema has for a number of 0 or more below 2^31.
static void put_attribute(struct bytes *node, const char *name, uint64_t value)
{
	static const unsigned plain[] = {7, 9, 11, 13};
	static struct bytes attribute;
	const double real = (double)value;
	uint64_t bits;

	attribute.count = 0;
	put_text(&attribute, 1, name);
	switch (draw(6)) {
	case 0: put_number(&attribute, 15 + 2 * (unsigned)draw(2), 2 * value); break;
	case 1: put_fixed(&attribute, 19 + 4 * (unsigned)draw(2), 4, value); break;
	case 2: put_fixed(&attribute, 21 + 4 * (unsigned)draw(2), 8, value); break;
	case 3:
		memcpy(&bits, &real, sizeof(bits));
		put_fixed(&attribute, 3, 8, bits);
		break;
	default: put_number(&attribute, plain[draw(4)], value);
	}
	if (draw(4) == 0)
		put_text(&attribute, 2, "said");
	put_bytes(node, 10, attribute.data, attribute.count);
}

static void put_group(struct bytes *node, const char *name)
{
	static struct bytes attribute;

	attribute.count = 0;
	put_text(&attribute, 1, "pg_name");
	put_text(&attribute, 29, name);
	put_bytes(node, 10, attribute.data, attribute.count);
}

// Begins a file anew, with the metadata.
static void put_metadata(struct bytes *file)
{
	static struct bytes metadata;

	file->count = metadata.count = 0;
	put_text(&metadata, 1, "0.0.4");
	put_message(file, &metadata);
}

// ---- files in memory

struct trace {
	struct bytes files[RANKS];
	unsigned told;
};

static enum tr_status open_rank(void *context, const char *beside, const char *path,
				struct tr_source **out, struct tr_error *err)
{
	const struct bytes *file = &((struct trace *)context)->files[path[2] - '0'];

	(void)beside;
	return tr_source_open_memory(out, file->data, file->count, path, err);
}

static void count_told(void *context, const char *path, const char *text)
{
	assert_true(*path && *text);
	((struct trace *)context)->told++;
}

// The program of the trace's first files. TR_ERROR: err says why.
static enum tr_status program_of(struct trace *trace, size_t ranks, struct goal_program *program,
				 struct tr_error *err)
{
	static const char *const paths[RANKS] = {"c.0.et", "c.1.et", "c.2.et", "c.3.et"};
	const struct foreign_input input = {.paths = paths,
					    .count = ranks,
					    .open = open_rank,
					    .tell = count_told,
					    .context = trace,
					    .flops_per_s = {2000000000, 1}};
	const struct event_goal_ways ways = {0};
	struct tr_source *source;
	char *text;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	enum tr_status status;

	assert_non_null(out);
	err->text[0] = '\0';
	status = foreign_chakra.write(&input, &ways, out, err);
	assert_true(tr_memstream_close(out));
	if (status == TR_OK) {
		assert_int_equal(tr_source_open_memory(&source, text, bytes, "goal", err), TR_OK);
		if (goal_read(program, source, NULL, err) != TR_OK)
			fail_msg("%s", err->text);
		tr_source_close(source);
	}
	free(text);
	return status;
}

// ---- random graphs

struct node {
	uint64_t id;
	uint32_t needs[NEEDS], need_count; // earlier nodes, each once
	struct goal_op op;
};

static void draw_node(struct node *nodes, uint32_t i)
{
	struct node *node = &nodes[i];

	node->id = i == 0 ? draw(UINT64_C(1) << 31) << 33 : nodes[i - 1].id + 1 + draw(3);
	node->need_count = 0;
	for (uint32_t k = 0; k < i && node->need_count < NEEDS; k++)
		if (draw(i) < 2)
			node->needs[node->need_count++] = k;
	node->op = (struct goal_op){.kind = (uint8_t)draw(3), .size = draw(100000)};
	if (node->op.kind != GOAL_CALC) {
		node->op.peer = (uint32_t)draw(RANKS);
		node->op.tag = (uint32_t)draw(5);
	}
}

// In any form, some twice; the node then has them in the order of their first.
static void put_needs(struct bytes *message, const struct node *nodes, struct node *node)
{
	static struct bytes packed;
	uint32_t last[NEEDS], singles = 0, count = 0;

	packed.count = 0;
	for (uint32_t k = 0; k < node->need_count; k++) {
		const uint64_t id = nodes[node->needs[k]].id, form = draw(3);

		if (form > 0)
			put_number(message, 5, id);
		if (form < 2) // some twice
			put_varint(&packed, id);
		if (form > 0)
			node->needs[singles++] = node->needs[k];
		else
			last[count++] = node->needs[k];
	}
	for (uint32_t k = 0; k < count; k++)
		node->needs[singles + k] = last[k];
	if (packed.count > 0)
		put_bytes(message, 5, packed.data, packed.count);
}

static void put_node(struct bytes *file, const struct node *nodes, struct node *node)
{
	static const unsigned types[] = {[GOAL_SEND] = 5, [GOAL_RECV] = 6, [GOAL_CALC] = 4};
	static struct bytes message;

	message.count = 0;
	put_needs(&message, nodes, node);
	put_text(&message, 2, "a node");
	put_number(&message, 3, types[node->op.kind]);
	put_number(&message, draw(2) ? 4 : 6, 77); // by control, or of another version
	if (node->op.kind != GOAL_CALC) {
		put_attribute(&message, "comm_size", node->op.size);
		put_attribute(&message, node->op.kind == GOAL_SEND ? "comm_dst" : "comm_src",
			      node->op.peer);
		if (node->op.tag > 0 || draw(2))
			put_attribute(&message, "comm_tag", node->op.tag);
	} else if (draw(2)) {
		put_number(&message, 7, node->op.size);
	} else {
		put_attribute(&message, "num_ops", 2000 * node->op.size); // at 2 GHz
	}
	put_fixed(&message, 2000, 4, 5); // of another version
	if (node->id > 0)
		put_number(&message, 1, node->id);
	put_message(file, &message);
}

static void equal_rank(const struct goal_program *program, uint32_t rank, const struct node *nodes,
		       uint32_t *need)
{
	const uint32_t first = program->first[rank];

	assert_int_equal(program->first[rank + 1] - first, NODES);
	for (uint32_t i = 0; i < NODES; i++) {
		const struct goal_op *op = &program->ops[first + i];
		const struct node *node = &nodes[i];

		assert_int_equal(op->kind, node->op.kind);
		assert_int_equal(op->size,
				 op->kind == GOAL_CALC ? 1000 * node->op.size : node->op.size);
		assert_int_equal(op->peer, node->op.peer);
		assert_int_equal(op->tag, node->op.tag);
		for (uint32_t k = 0; k < node->need_count; k++, ++*need) {
			assert_int_equal(program->needs[*need].op, first + i);
			assert_int_equal(program->needs[*need].after, first + node->needs[k]);
			assert_false(program->needs[*need].started);
		}
	}
}

// Nodes and what each needs are in the order of the file.
static void graphs_are_read_back(void **state)
{
	static struct node nodes[RANKS][NODES];
	static struct trace trace;

	(void)state;
	for (unsigned trial = 0; trial < 300; trial++) {
		struct goal_program program;
		struct tr_error err;
		uint32_t need = 0;

		for (uint32_t rank = 0; rank < RANKS; rank++) {
			put_metadata(&trace.files[rank]);
			for (uint32_t i = 0; i < NODES; i++)
				draw_node(nodes[rank], i);
			for (uint32_t i = 0; i < NODES; i++)
				put_node(&trace.files[rank], nodes[rank], &nodes[rank][i]);
		}
		if (program_of(&trace, RANKS, &program, &err) != TR_OK)
			fail_msg("%s", err.text);
		assert_int_equal(program.ranks, RANKS);
		for (uint32_t rank = 0; rank < RANKS; rank++)
			equal_rank(&program, rank, nodes[rank], &need);
		assert_int_equal(program.need_count, need);
		goal_clear(&program);
	}
}

// The same nodes backwards: the operations too, and each need after the later of its two.
static void nodes_may_come_in_any_order(void **state)
{
	static struct node nodes[NODES];
	static struct trace trace;

	(void)state;
	for (unsigned trial = 0; trial < 100; trial++) {
		struct goal_program program;
		struct tr_error err;
		uint32_t needs = 0;

		put_metadata(&trace.files[0]);
		for (uint32_t i = 0; i < NODES; i++) {
			draw_node(nodes, i);
			nodes[i].op = (struct goal_op){.kind = GOAL_CALC, .size = 1 + i};
			needs += nodes[i].need_count;
		}
		for (uint32_t i = NODES; i-- > 0;)
			put_node(&trace.files[0], nodes, &nodes[i]);
		assert_int_equal(program_of(&trace, 1, &program, &err), TR_OK);
		assert_int_equal(program.op_count, NODES);
		assert_int_equal(program.need_count, needs);
		for (uint32_t i = 0; i < needs; i++) {
			const struct goal_need *need = &program.needs[i];
			const uint64_t op = program.ops[need->op].size / 1000 - 1;
			const uint64_t after = program.ops[need->after].size / 1000 - 1;
			bool found = false;

			assert_true(need->op < need->after);
			assert_true(i == 0 || need[-1].after < need->after ||
				    (need[-1].after == need->after && need[-1].op < need->op));
			assert_int_equal(op, NODES - 1 - need->op);
			for (uint32_t k = 0; k < nodes[op].need_count; k++)
				found |= nodes[op].needs[k] == after;
			assert_true(found);
		}
		goal_clear(&program);
	}
}

// ---- damaged files

static void damage_is_refused_or_read(void **state)
{
	static struct node nodes[NODES];
	static struct trace trace, damaged;
	struct tr_error err;

	(void)state;
	put_metadata(&trace.files[0]);
	for (uint32_t i = 0; i < NODES; i++) {
		draw_node(nodes, i);
		nodes[i].op.peer = 0;
		put_node(&trace.files[0], nodes, &nodes[i]);
	}
	for (size_t cut = 0; cut < trace.files[0].count; cut++) {
		struct goal_program program = {0};

		damaged = trace;
		damaged.files[0].count = cut;
		if (program_of(&damaged, 1, &program, &err) != TR_OK) {
			assert_non_null(strstr(err.text, "c.0.et: "));
		} else { // between two nodes
			assert_true(program.op_count < NODES);
			goal_clear(&program);
		}
	}
	for (unsigned trial = 0; trial < 20000; trial++) {
		struct goal_program program = {0};

		damaged = trace;
		for (uint64_t changes = 1 + draw(3); changes > 0; changes--)
			damaged.files[0].data[draw(trace.files[0].count)] = (uint8_t)draw(256);
		if (program_of(&damaged, 1, &program, &err) == TR_OK)
			goal_clear(&program);
		else
			assert_true(*err.text);
	}
}

// ---- collective operations

static void put_collective(struct bytes *file, uint64_t id, unsigned type, uint64_t bytes,
			   const char *group)
{
	static struct bytes message;

	message.count = 0;
	put_number(&message, 1, id);
	put_number(&message, 3, 7);
	put_attribute(&message, "comm_type", type);
	put_attribute(&message, "comm_size", bytes);
	if (group)
		put_group(&message, group);
	put_message(file, &message);
}

// What PyTorch writes: a list of one text of JSON.
static void put_groups(struct bytes *file, uint64_t id, const char *text)
{
	static struct bytes message, inputs;

	message.count = inputs.count = 0;
	put_number(&message, 1, id);
	put_number(&message, 3, 1);
	put_text(&inputs, 1, text);
	put_bytes(&message, 8, inputs.data, inputs.count);
	put_message(file, &message);
}

#ifdef FLIT_YAJL
static uint64_t sent_by(const struct goal_program *program, uint32_t rank)
{
	uint64_t bytes = 0;

	for (uint32_t op = program->first[rank]; op < program->first[rank + 1]; op++)
		bytes += program->ops[op].kind == GOAL_SEND ? program->ops[op].size : 0;
	return bytes;
}

// Two groups that PyTorch names; an all-gather of 100 B in the even one, an all-to-all of 30 B
// together in the odd one, then a reduce-scatter of all.
static void groups_are_those_of_their_members(void **state)
{
	static const char *const named =
		"['[{\"pg_name\": \"0\", \"ranks\": []}, {\"ranks\": [0, 2], "
		"\"pg_desc\": \"x\\\"}\", \"pg_name\": \"even\"}, "
		"{\"pg_name\": \"odd\", \"ranks\": [3, 1]}]']";
	static struct trace trace;
	struct goal_program program;
	struct tr_error err;

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		struct bytes *file = &trace.files[rank];

		put_metadata(file);
		put_groups(file, 1, named);
		put_collective(file, 2, rank % 2 ? 6 : 2, rank % 2 ? 30 : 100,
			       rank % 2 ? "odd" : "even");
		put_collective(file, 3, 7, 400, rank % 2 ? NULL : "");
	}
	assert_int_equal(program_of(&trace, RANKS, &program, &err), TR_OK);
	assert_int_equal(trace.told, 0);
	// 3 of 4 blocks of 100 B leave each rank; 100 or 15 B go to the other member.
	for (uint32_t rank = 0; rank < RANKS; rank++)
		assert_int_equal(sent_by(&program, rank), 300 + (rank % 2 ? 15 : 100));
	goal_clear(&program);
	trace.files[3].count -= 3;
	assert_int_equal(program_of(&trace, RANKS, &program, &err), TR_ERROR);
}

#endif

static void expect(struct trace *trace, size_t ranks, const char *what)
{
	struct goal_program program;
	struct tr_error err;

	assert_int_equal(program_of(trace, ranks, &program, &err), TR_ERROR);
	if (!strstr(err.text, what))
		fail_msg("expected %s, found %s", what, err.text);
}

static void what_does_not_fit_is_refused(void **state)
{
	static struct trace trace;
	struct node nodes[3] = {{.id = 5, .op = {.kind = GOAL_CALC}},
				{.id = 6, .needs = {2}, .need_count = 1, .op.kind = GOAL_CALC},
				{.id = 9, .needs = {1}, .need_count = 1, .op.kind = GOAL_CALC}};

	(void)state;
	put_node(&trace.files[0], nodes, &nodes[0]);
	expect(&trace, 1, "c.0.et: offset 0: expected GlobalMetadata");
	trace.files[0].count = 0;
	expect(&trace, 1, "empty file");
	put_metadata(&trace.files[0]);
	for (uint32_t i = 0; i < 3; i++)
		put_node(&trace.files[0], nodes, &nodes[i]);
	expect(&trace, 1, "depends on itself");
	put_metadata(&trace.files[0]);
	put_node(&trace.files[0], nodes, &nodes[1]);
	expect(&trace, 1, "c.0.et: offset 8: node 6 depends on node 9, which is not there");
	put_node(&trace.files[0], nodes, &nodes[0]);
	put_node(&trace.files[0], nodes, &nodes[0]);
	expect(&trace, 1, "node 5 is there twice");
	nodes[0].op = (struct goal_op){.kind = GOAL_SEND, .peer = 1};
	put_metadata(&trace.files[0]);
	put_node(&trace.files[0], nodes, &nodes[0]);
	expect(&trace, 1, "expected a rank of which there is a file as comm_dst, found 1");
	for (unsigned rank = 0; rank < 2; rank++) {
		put_metadata(&trace.files[rank]);
		put_collective(&trace.files[rank], 1, 0, 8 + rank, NULL);
	}
	expect(&trace, 2,
	       "expected allreduce of 8 B as at ranks before it, found allreduce of 9 B: Chakra "
	       "has "
	       "no sizes by rank");
	trace.files[1].count = 8;
	expect(&trace, 2, "1 of 2 members take part");
	trace.files[0].count = 8;
	put_collective(&trace.files[0], 1, 0, 8, "tp");
	expect(&trace, 2, "the members of process group \"tp\" are not known");
	trace.files[0].count = 8;
	put_groups(&trace.files[0], 1, "[{\"pg_name\": \"tp\", \"ranks\": [1]}]");
	put_collective(&trace.files[0], 2, 0, 8, "tp");
#ifdef FLIT_YAJL
	expect(&trace, 2, "rank 0 is not in its process group \"tp\"");
#else
	expect(&trace, 2, "process groups: JSON, and flitread was built without libyajl");
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_are_read_back),
		cmocka_unit_test(nodes_may_come_in_any_order),
#ifdef FLIT_YAJL
		cmocka_unit_test(groups_are_those_of_their_members),
#endif
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(damage_is_refused_or_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
