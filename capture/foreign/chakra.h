// SPDX-License-Identifier: GPL-3.0-or-later
// Chakra execution traces of MLCommons: for each rank a graph of nodes that compute, send, receive
// or take part in collective operations, each after those it depends on. Learned from
// mlcommons/chakra 6dc63e1, schema/protobuf/et_def.proto; what attributes mean, from what its
// converters write and astra-sim reads.
#ifndef FOREIGN_CHAKRA_H
#define FOREIGN_CHAKRA_H

#include <string.h>

#include "foreign/event_goal.h"
#include "foreign/foreign.h"
#include "foreign/process_groups.h"
#include "foreign/protobuf.h"

#define CHAKRA_TAGS (UINT32_C(1) << 30) // from here on, as many are those of collective operations
#define CHAKRA_TAG_MAX INT32_MAX	// of messages
#define CHAKRA_WORLD 0u			// the group of all ranks
#define CHAKRA_NAME_BYTES PROCESS_GROUP_BYTES

// Attributes of our own, which astra-sim's and MLCommons' feeders leave aside.
#define CHAKRA_DURATION_NANOS "duration_nanos" // of computing, where duration_micros is rounded
#define CHAKRA_COMM_CPU "comm_cpu"	       // of a message: the processor that it takes time of
#define CHAKRA_NUM_RANKS "num_ranks"	       // of the metadata: there is a file for each

// enum NodeType of the schema.
enum {
	CHAKRA_NODE_METADATA = 1,
	CHAKRA_NODE_MEM_LOAD,
	CHAKRA_NODE_MEM_STORE,
	CHAKRA_NODE_COMP,
	CHAKRA_NODE_COMM_SEND,
	CHAKRA_NODE_COMM_RECV,
	CHAKRA_NODE_COMM_COLL,
	CHAKRA_NODE_STORAGE,
	CHAKRA_NODE_BATCH,
	CHAKRA_NODE_CHECKPOINT,
};

// ---- Attributes.

// The name of an attribute and the field of its value; empty where it has none. False: malformed.
bool chakra_attribute_split(struct protobuf attribute, struct protobuf *name,
			    struct protobuf_field *value);

// Whether a name is this word.
static inline bool chakra_is_called(const struct protobuf *name, const char *word)
{
	return name->bytes == strlen(word) && memcmp(name->data, word, name->bytes) == 0;
}

// The value as a number; false: it is none.
bool chakra_attribute_number(const struct protobuf_field *field, int64_t *out);

// Whether one of a list of bools is false. False: malformed.
bool chakra_leaves_out(struct protobuf list, bool *out);

// ---- Process groups, and what their members do together.

// A collective operation of a group, as the first member that was read has it.
struct chakra_instance {
	uint64_t bytes; // comm_size
	uint32_t tag_first;
	uint32_t seen; // members that took part
	uint8_t collective;
};

struct chakra_group {
	char name[CHAKRA_NAME_BYTES];
	uint32_t *members; // ranks, by place
	uint32_t count;
	uint32_t known_to; // the last rank whose file defines it; UINT32_MAX: it is known to all
	struct chakra_instance *instances;
	uint32_t instance_count, instance_room;
	uint32_t done; // instances that the current rank took part in
};

// Zero is a valid empty one.
struct chakra_groups {
	const struct event_goal_ways *ways; // lent
	struct chakra_group *items;
	uint32_t count, room;
	uint32_t *marks; // of each rank: the last list of members that has it
	uint32_t read;	 // such lists
	uint32_t ranks;
	uint32_t rank;		       // whose file is read
	uint32_t known_to;	       // of the groups that are read, as chakra_group's
	uint64_t tag_next, tags_again; // operations whose tags others have too
	bool has_operations;	       // some node is one
	bool has_their_tags;	       // some message's tag is one of theirs
};

// Begins with the group of all ranks. TR_ERROR: out of memory.
enum tr_status chakra_groups_start(struct chakra_groups *groups, uint32_t ranks,
				   const struct event_goal_ways *ways, struct tr_error *err);

// The file of this rank comes next.
void chakra_groups_rank(struct chakra_groups *groups, uint32_t rank);

// Reads groups from a file of JSON, {"NAME": [RANK, ...], ...}, which all ranks know. An empty list
// is all ranks. TR_ERROR: err says what is wrong, and where.
enum tr_status chakra_groups_take(struct chakra_groups *groups, const struct foreign_input *input,
				  const char *path, struct tr_error *err);

// Reads those that PyTorch puts into a metadata node, which the current rank knows: a list of
// objects with the members pg_name and ranks, and others, in other text, if it is there.
enum tr_status chakra_groups_take_metadata(struct chakra_groups *groups, struct protobuf text,
					   struct tr_error *err);

// The group of this name ("": all ranks) that the current rank knows and is in. TR_ERROR: none.
enum tr_status chakra_groups_find(const struct chakra_groups *groups, const char *name,
				  uint32_t *out, struct tr_error *err);

// The current rank's place in a group.
uint32_t chakra_groups_place(const struct chakra_groups *groups, uint32_t group);

// The current rank takes part in the next operation of a group; *number is its own in the group.
// TR_ERROR: members before it did another one there, or out of memory.
enum tr_status chakra_groups_join(struct chakra_groups *groups, uint32_t group, uint8_t collective,
				  uint64_t bytes, uint32_t *number, struct tr_error *err);

// TR_ERROR: an operation lacks a member.
enum tr_status chakra_groups_finish(const struct chakra_groups *groups, struct tr_error *err);

// Frees what it holds.
void chakra_groups_clear(struct chakra_groups *groups);

// ---- The nodes of one rank.

enum chakra_kind { CHAKRA_COMPUTE, CHAKRA_SEND, CHAKRA_RECV, CHAKRA_COLLECTIVE };

struct chakra_node {
	uint64_t id;
	uint64_t offset; // in the file
	uint64_t size;	 // bytes; of computing ns
	uint32_t peer;	 // rank; of a collective operation its group
	uint32_t tag;	 // of a collective operation its number in the group
	uint32_t need_first, need_count;
	uint8_t kind; // enum chakra_kind
	uint8_t cpu;
	bool after_send; // begins when a large send has ended, or computing that does; once
			 // finished
};

// What was said otherwise than here, or not at all, and is counted.
#define CHAKRA_DOUBTS(ROW) \
	ROW(CHAKRA_CONTROLLED, "nodes have dependencies by control, which are not waited for, as " \
			       "by Chakra's feeders: a trace of PyTorch has an operation's " \
			       "caller in them") \
	ROW(CHAKRA_UNTIMED, "nodes compute in 0 s: the trace has their operations, no time, and " \
			    "--flops gives the operations per second") \
	ROW(CHAKRA_HOST_CALLS, "nodes are a host's call of a collective operation, without " \
			       "comm_type: they only take the time that the trace says") \
	ROW(CHAKRA_MEMORY, "nodes of memory or storage only take the time that the trace says") \
	ROW(CHAKRA_ROOTLESS, "collective operations go from or to the first member of their " \
			     "group: the trace names no root") \
	ROW(CHAKRA_ROUNDED, "collective operations whose bytes are no multiple of their members: " \
			    "blocks are rounded up")

#define CHAKRA_WORD(word, text) word,
enum chakra_doubt { CHAKRA_DOUBTS(CHAKRA_WORD) CHAKRA_DOUBT_COUNT };

// Zero is a valid empty one. Nodes are in the order of the file; dependencies are ids, and indices
// of nodes once the graph is finished, each once in the order of the file.
struct chakra_graph {
	struct chakra_node *nodes;
	uint32_t count, room;
	uint64_t *needs;
	uint32_t need_count, need_room;
};

// Reads a file of the groups' current rank; counts are by enum chakra_doubt. Memory: 56 B a node
// and 8 B a dependency. TR_ERROR with the file and the offset; chakra_graph_clear in any case.
enum tr_status chakra_graph_read(struct chakra_graph *graph, struct tr_source *source,
				 struct chakra_groups *groups, struct num_ratio flops_per_s,
				 uint64_t *counts, struct tr_error *err);

// Replaces ids by indices, and finds out after_send. TR_ERROR: an id twice, a dependency on none,
// or a cycle; err says at which offset.
enum tr_status chakra_graph_finish(struct chakra_graph *graph, struct tr_error *err);

// Frees what it holds.
void chakra_graph_clear(struct chakra_graph *graph);

#endif
