// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <string.h>

#include "foreign/chakra.h"
#include "foreign/protobuf.h"
#include "value/grow.h"

#define NS_PER_US 1000u
#define NS_PER_S 1000000000

enum chakra_attribute {
	COMM_SIZE,
	COMM_SRC,
	COMM_DST,
	COMM_TAG,
	COMM_TYPE,
	NUM_OPS,
	RUNTIME,
	IS_CPU_OP,
	DURATION_NANOS,
	COMM_CPU,
	ATTRIBUTES
};

static const char *const attribute_names[ATTRIBUTES] = {
	"comm_size",	       "comm_src",     "comm_dst", "comm_tag",
	"comm_type",	       "num_ops",      "runtime",  "is_cpu_op",
	CHAKRA_DURATION_NANOS, CHAKRA_COMM_CPU};

// enum CollectiveCommType.
static const uint8_t chakra_collectives[] = {COLLECTIVE_ALLREDUCE,	COLLECTIVE_REDUCE,
					     COLLECTIVE_ALLGATHER,	COLLECTIVE_GATHER,
					     COLLECTIVE_SCATTER,	COLLECTIVE_BCAST,
					     COLLECTIVE_ALLTOALL,	COLLECTIVE_REDUCE_SCATTER,
					     COLLECTIVE_REDUCE_SCATTER, COLLECTIVE_BARRIER};

// A message as it is read.
struct chakra_reading {
	struct chakra_graph *graph;
	struct chakra_groups *groups;
	struct num_ratio flops_per_s;
	uint64_t *counts; // by enum chakra_doubt
	struct chakra_node node;
	uint64_t type;
	uint64_t duration_us;
	struct protobuf values; // of the inputs
	bool has[ATTRIBUTES];
	int64_t numbers[ATTRIBUTES];
	char group[CHAKRA_NAME_BYTES];
	bool has_group;
	bool part;	 // involved_dim leaves a dimension out
	bool controlled; // depends on others by control
	struct tr_error *err;
};

static enum tr_status chakra_malformed(struct chakra_reading *reading, const char *what)
{
	return tr_fail(reading->err, "expected a field of protobuf in %s, found none", what);
}

// ---- attributes

static enum tr_status chakra_take_group(struct chakra_reading *reading,
					const struct protobuf_field *value)
{
	int64_t number;

	if (value->number == 29 && value->wire == PROTOBUF_BYTES &&
	    value->inside.bytes < sizeof(reading->group) &&
	    !memchr(value->inside.data, '\0', value->inside.bytes))
		snprintf(reading->group, sizeof(reading->group), "%.*s", (int)value->inside.bytes,
			 (const char *)value->inside.data);
	else if (chakra_attribute_number(value, &number))
		snprintf(reading->group, sizeof(reading->group), "%" PRId64, number);
	else
		return tr_fail(reading->err, "expected a name of at most %zu bytes as pg_name",
			       sizeof(reading->group) - 1);
	reading->has_group = *reading->group;
	return TR_OK;
}

static enum tr_status chakra_take_attribute(struct chakra_reading *reading,
					    struct protobuf attribute)
{
	struct protobuf_field value;
	struct protobuf name;

	if (!chakra_attribute_split(attribute, &name, &value))
		return chakra_malformed(reading, "an attribute");
	if (chakra_is_called(&name, "pg_name"))
		return chakra_take_group(reading, &value);
	if (chakra_is_called(&name, "involved_dim")) {
		if (value.number == 28 && value.wire == PROTOBUF_BYTES &&
		    chakra_leaves_out(value.inside, &reading->part))
			return TR_OK;
		return tr_fail(reading->err, "expected a list of bools as involved_dim");
	}
	for (unsigned i = 0; i < ATTRIBUTES; i++) {
		if (!chakra_is_called(&name, attribute_names[i]))
			continue;
		if (!chakra_attribute_number(&value, &reading->numbers[i]))
			return tr_fail(reading->err, "expected a number as %s", attribute_names[i]);
		if (reading->numbers[i] < 0)
			return tr_fail(reading->err, "expected a number of 0 or more as %s",
				       attribute_names[i]);
		reading->has[i] = true;
		break;
	}
	return TR_OK;
}

// ---- fields of a node

static enum tr_status chakra_add_need(struct chakra_reading *reading, uint64_t id)
{
	struct chakra_graph *graph = reading->graph;

	if (graph->need_count == GOAL_NEEDS_MAX)
		return tr_fail(reading->err, "more than %u dependencies", GOAL_NEEDS_MAX);
	if (!GROW(graph->needs, graph->need_room, graph->need_count))
		return tr_no_memory(reading->err, "dependencies");
	graph->needs[graph->need_count++] = id;
	reading->node.need_count++;
	return TR_OK;
}

static enum tr_status chakra_take_needs(struct chakra_reading *reading,
					struct protobuf_field *field)
{
	enum tr_status status;
	uint64_t id;

	while ((status = protobuf_number(field, &id)) == TR_OK)
		if (chakra_add_need(reading, id) != TR_OK)
			return TR_ERROR;
	return status == TR_END ? TR_OK : chakra_malformed(reading, "dependencies");
}

static enum tr_status chakra_take_inputs(struct chakra_reading *reading, struct protobuf inputs)
{
	struct protobuf_field field;
	enum tr_status status;

	while ((status = protobuf_next(&inputs, &field)) == TR_OK)
		if (field.number == 1 && field.wire == PROTOBUF_BYTES)
			reading->values = field.inside;
	return status == TR_END ? TR_OK : chakra_malformed(reading, "inputs");
}

static enum tr_status chakra_take_field(struct chakra_reading *reading,
					struct protobuf_field *field)
{
	const uint32_t number = field->number;
	const enum protobuf_wire wire = number < 8 ? PROTOBUF_VARINT : PROTOBUF_BYTES;

	reading->controlled |= number == 4;
	if (number == 5)
		return chakra_take_needs(reading, field);
	if (number != 1 && number != 3 && number != 7 && number != 8 && number != 10)
		return TR_OK;
	if (field->wire != wire)
		return tr_fail(reading->err,
			       "expected field %" PRIu32 " of a node as wire type %u, found %u",
			       number, wire, field->wire);
	switch (number) {
	case 1: reading->node.id = field->value; return TR_OK;
	case 3: reading->type = field->value; return TR_OK;
	case 7: reading->duration_us = field->value; return TR_OK;
	case 8: return chakra_take_inputs(reading, field->inside);
	default: return chakra_take_attribute(reading, field->inside);
	}
}

// ---- what a node does

// Leaves *out as it is where the attribute is missing but not required.
static enum tr_status chakra_need_attribute(struct chakra_reading *reading,
					    enum chakra_attribute which, bool required, int64_t max,
					    int64_t *out)
{
	if (!reading->has[which] && required)
		return tr_fail(reading->err, "expected the attribute %s, found none",
			       attribute_names[which]);
	if (reading->has[which])
		*out = reading->numbers[which];
	if (*out > max)
		return tr_fail(reading->err, "expected at most %" PRId64 " as %s, found %" PRId64,
			       max, attribute_names[which], *out);
	return TR_OK;
}

// ns of computing, of its operations where the trace has no time. False: too many.
static bool chakra_time_of(const struct chakra_reading *reading, __int128 *ns)
{
	const struct num_ratio rate = reading->flops_per_s;
	uint64_t us = reading->duration_us;

	if (us == 0 && reading->has[RUNTIME])
		us = (uint64_t)reading->numbers[RUNTIME];
	*ns = (__int128)us * NS_PER_US;
	if (us > 0 || reading->type != CHAKRA_NODE_COMP || !reading->has[NUM_OPS] ||
	    reading->numbers[NUM_OPS] == 0)
		return true;
	reading->counts[CHAKRA_UNTIMED] += rate.den == 0;
	if (rate.den == 0)
		return true;
	if (__builtin_mul_overflow((__int128)reading->numbers[NUM_OPS] * NS_PER_S,
				   (__int128)rate.den, ns))
		return false;
	*ns = *ns / rate.num + (*ns % rate.num >= (rate.num + 1) / 2);
	return true;
}

static enum tr_status chakra_take_time(struct chakra_reading *reading)
{
	const int64_t exact_ns = reading->numbers[DURATION_NANOS];
	__int128 ns;

	if (reading->has[DURATION_NANOS]) {
		ns = (__int128)reading->duration_us * NS_PER_US - exact_ns;
		if (ns <= -(__int128)NS_PER_US || ns >= NS_PER_US)
			return tr_fail(reading->err,
				       "duration_nanos %" PRId64 " is not duration_micros %" PRIu64
				       ": change or remove both",
				       exact_ns, reading->duration_us);
		reading->node.size = (uint64_t)exact_ns;
		return TR_OK;
	}
	if (!chakra_time_of(reading, &ns) || ns > (__int128)GOAL_SIZE_MAX)
		return tr_fail(reading->err, "a time of more than 146 years");
	reading->node.size = (uint64_t)ns;
	return TR_OK;
}

static enum tr_status chakra_take_message(struct chakra_reading *reading, bool sends)
{
	const enum chakra_attribute other = sends ? COMM_DST : COMM_SRC;
	const enum chakra_attribute self = sends ? COMM_SRC : COMM_DST;
	int64_t bytes = 0, peer = 0, tag = 0, cpu = 0;

	if (chakra_need_attribute(reading, COMM_SIZE, true, GOAL_SIZE_MAX, &bytes) != TR_OK ||
	    chakra_need_attribute(reading, other, true, INT64_MAX, &peer) != TR_OK)
		return TR_ERROR;
	if (peer >= reading->groups->ranks)
		return tr_fail(reading->err,
			       "expected a rank of which there is a file as %s, found %" PRId64
			       ": give the files of all ranks",
			       attribute_names[other], peer);
	if (chakra_need_attribute(reading, COMM_TAG, false, CHAKRA_TAG_MAX, &tag) != TR_OK ||
	    chakra_need_attribute(reading, COMM_CPU, false, UINT8_MAX, &cpu) != TR_OK)
		return TR_ERROR;
	reading->groups->has_their_tags |= tag >= CHAKRA_TAGS;
	if (reading->has[self] && reading->numbers[self] != reading->groups->rank)
		return tr_fail(reading->err,
			       "expected the rank of the file, %" PRIu32 ", as %s, found %" PRId64,
			       reading->groups->rank, attribute_names[self],
			       reading->numbers[self]);
	reading->node.kind = sends ? CHAKRA_SEND : CHAKRA_RECV;
	reading->node.size = (uint64_t)bytes;
	reading->node.peer = (uint32_t)peer;
	reading->node.tag = (uint32_t)tag;
	reading->node.cpu = (uint8_t)cpu;
	return TR_OK;
}

static enum tr_status chakra_take_collective(struct chakra_reading *reading)
{
	const int64_t types = sizeof(chakra_collectives) / sizeof(*chakra_collectives);
	struct chakra_node *node = &reading->node;
	int64_t type = 0, bytes = 0;
	uint8_t collective;

	if (chakra_need_attribute(reading, COMM_TYPE, true, types - 1, &type) != TR_OK)
		return TR_ERROR;
	collective = chakra_collectives[type];
	if (chakra_need_attribute(reading, COMM_SIZE, collective != COLLECTIVE_BARRIER,
				  GOAL_SIZE_MAX, &bytes) != TR_OK)
		return TR_ERROR;
	if (reading->part && !reading->has_group)
		return tr_fail(reading->err,
			       "involved_dim leaves out a dimension of a network that the trace "
			       "does not describe: name the members by a process group");
	reading->groups->has_operations = true;
	node->kind = CHAKRA_COLLECTIVE;
	node->size = (uint64_t)bytes;
	if (chakra_groups_find(reading->groups, reading->group, &node->peer, reading->err) != TR_OK)
		return TR_ERROR;
	if (chakra_groups_place(reading->groups, node->peer) == 0)
		reading->counts[CHAKRA_ROOTLESS] += event_collective_is_rooted(collective);
	return chakra_groups_join(reading->groups, node->peer, collective, node->size, &node->tag,
				  reading->err);
}

static enum tr_status chakra_take_type(struct chakra_reading *reading)
{
	switch (reading->type) {
	case CHAKRA_NODE_METADATA:
		return chakra_groups_take_metadata(reading->groups, reading->values, reading->err);
	case CHAKRA_NODE_MEM_LOAD:
	case CHAKRA_NODE_MEM_STORE:
	case CHAKRA_NODE_STORAGE:
	case CHAKRA_NODE_BATCH:
	case CHAKRA_NODE_CHECKPOINT:
		reading->counts[CHAKRA_MEMORY]++;
		return chakra_take_time(reading);
	case CHAKRA_NODE_COMP: return chakra_take_time(reading);
	case CHAKRA_NODE_COMM_SEND:
	case CHAKRA_NODE_COMM_RECV:
		return chakra_take_message(reading, reading->type == CHAKRA_NODE_COMM_SEND);
	case CHAKRA_NODE_COMM_COLL:
		// what the device does is a node of its own
		if (!reading->node.cpu || reading->has[COMM_TYPE])
			return chakra_take_collective(reading);
		reading->counts[CHAKRA_HOST_CALLS]++;
		return chakra_take_time(reading);
	default:
		return tr_fail(reading->err, "expected a type of node of 1 to 10, found %" PRIu64,
			       reading->type);
	}
}

static enum tr_status chakra_take_node(struct chakra_reading *reading, struct protobuf message)
{
	struct chakra_graph *graph = reading->graph;
	struct protobuf_field field;
	enum tr_status status;

	if (graph->count == GOAL_OPS_MAX)
		return tr_fail(reading->err, "more than %u nodes", GOAL_OPS_MAX);
	if (!GROW(graph->nodes, graph->room, graph->count))
		return tr_no_memory(reading->err, "nodes");
	while ((status = protobuf_next(&message, &field)) == TR_OK)
		if (chakra_take_field(reading, &field) != TR_OK)
			return TR_ERROR;
	if (status == TR_ERROR)
		return chakra_malformed(reading, "a node");
	reading->counts[CHAKRA_CONTROLLED] += reading->controlled;
	reading->node.cpu = reading->has[IS_CPU_OP] && reading->numbers[IS_CPU_OP] != 0;
	if (chakra_take_type(reading) != TR_OK)
		return TR_ERROR;
	if (reading->groups->has_operations && reading->groups->has_their_tags)
		return tr_fail(reading->err,
			       "the trace has collective operations, which take the tags from %u "
			       "on, and messages with such a comm_tag",
			       CHAKRA_TAGS);
	graph->nodes[graph->count++] = reading->node;
	return TR_OK;
}

// ---- the messages of a file

// A file begins with metadata: a version and attributes. A node in their place would be lost. With
// num_ranks they tell a trace of which files are missing.
static enum tr_status chakra_take_metadata(struct protobuf message, uint32_t ranks,
					   struct tr_error *err)
{
	struct protobuf_field field, value;
	struct protobuf name;
	enum tr_status status;
	int64_t number;

	while ((status = protobuf_next(&message, &field)) == TR_OK) {
		if (field.number <= 2 ? field.wire != PROTOBUF_BYTES : field.number == 3)
			break;
		if (field.number == 2 && chakra_attribute_split(field.inside, &name, &value) &&
		    chakra_is_called(&name, CHAKRA_NUM_RANKS) &&
		    chakra_attribute_number(&value, &number) && number != ranks)
			return tr_fail(err,
				       "a trace of %" PRId64 " ranks, but %" PRIu32
				       " files: expected one of each rank",
				       number, ranks);
	}
	return status == TR_END ? TR_OK : tr_fail(err, "expected GlobalMetadata, found others");
}

// The next message, lent: a length and so many bytes.
static enum tr_status chakra_next_message(struct tr_source *source, struct protobuf *out,
					  size_t *head, struct tr_error *err)
{
	struct protobuf in = {0};
	uint64_t bytes;
	enum tr_status status = tr_source_peek(source, 10, &in.data, &in.bytes, err);

	if (status == TR_ERROR || in.bytes == 0)
		return status;
	if (!protobuf_varint(&in, &bytes) || bytes > TR_SOURCE_PEEK_MAX - 10)
		return tr_fail(err, "expected the length of a message, of at most %zu bytes",
			       TR_SOURCE_PEEK_MAX - 10);
	*head = in.at;
	status = tr_source_peek(source, *head + (size_t)bytes, &in.data, &in.bytes, err);
	if (status == TR_END)
		return tr_fail(err,
			       "expected a message of %" PRIu64 " bytes, found %zu: the file "
			       "is truncated",
			       bytes, in.bytes - *head);
	*out = (struct protobuf){in.data + *head, (size_t)bytes, 0};
	return status;
}

enum tr_status chakra_graph_read(struct chakra_graph *graph, struct tr_source *source,
				 struct chakra_groups *groups, struct num_ratio flops_per_s,
				 uint64_t *counts, struct tr_error *err)
{
	struct tr_error why = {""};
	enum tr_status status;
	struct protobuf message;
	bool first = true;
	size_t head = 0;

	*graph = (struct chakra_graph){0};
	while ((status = chakra_next_message(source, &message, &head, &why)) == TR_OK) {
		struct chakra_reading reading = {.graph = graph,
						 .groups = groups,
						 .flops_per_s = flops_per_s,
						 .counts = counts,
						 .err = &why};

		reading.node.offset = tr_source_offset(source);
		reading.node.need_first = graph->need_count;
		if ((first ? chakra_take_metadata(message, groups->ranks, &why)
			   : chakra_take_node(&reading, message)) != TR_OK) {
			status = TR_ERROR;
			break;
		}
		tr_source_skip(source, head + message.bytes);
		first = false;
	}
	if (status == TR_END && first)
		return tr_fail(err, "%s: expected GlobalMetadata, found an empty file",
			       tr_source_name(source));
	if (status == TR_END)
		return TR_OK;
	return tr_fail_for(err, &why, "%s: offset %" PRIu64 ": %s", tr_source_name(source),
			   tr_source_offset(source), why.text);
}
