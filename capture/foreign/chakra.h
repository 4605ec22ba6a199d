// SPDX-License-Identifier: GPL-3.0-or-later
// Chakra execution traces of MLCommons: for each rank a graph of nodes that compute, send, receive
// or take part in collective operations, each after those it depends on. Learned from
// mlcommons/chakra 6dc63e1, schema/protobuf/et_def.proto; what attributes mean, from what its
// converters write and astra-sim reads.
#ifndef FOREIGN_CHAKRA_H
#define FOREIGN_CHAKRA_H

#include "foreign/event_goal.h"
#include "foreign/foreign.h"

#define CHAKRA_TAGS (UINT32_C(1) << 30) // those of messages; collective operations have the rest
#define CHAKRA_WORLD 0u			// the group of all ranks
#define CHAKRA_NAME_BYTES 64u

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
	uint32_t ranks;
	uint32_t rank;		       // whose file is read
	uint64_t tag_next, tags_again; // operations whose tags others have too
};

// Begins with the group of all ranks. TR_ERROR: out of memory.
enum tr_status chakra_groups_start(struct chakra_groups *groups, uint32_t ranks,
				   const struct event_goal_ways *ways, struct tr_error *err);

// The file of this rank comes next.
void chakra_groups_rank(struct chakra_groups *groups, uint32_t rank);

// Reads groups from a text of JSON: {"NAME": [RANK, ...], ...}, which all ranks know; of_node: what
// PyTorch puts into a metadata node, objects with the members pg_name and ranks, and others, which
// the current rank knows. An empty list is all ranks. TR_ERROR: err says what is wrong, and at
// which byte.
enum tr_status chakra_groups_take(struct chakra_groups *groups, const char *text, size_t bytes,
				  bool of_node, struct tr_error *err);

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
	bool after_send; // begins when a large send has ended, or computing that does
};

// What was said otherwise than here, or not at all.
struct chakra_counts {
	uint64_t controlled; // nodes with dependencies by control, which are not waited for
	uint64_t untimed;    // computing of num_ops without a rate: 0 s
	uint64_t host_calls; // collective operations' calls at the host: computing
	uint64_t memory;     // loads, stores and other nodes of which only the duration counts
	uint64_t rootless;   // collective operations from or to the group's first member
	uint64_t rounded;    // blocks rounded up to bytes
	uint64_t after_send; // receives that begin when a large send has ended
	uint64_t send_bytes; // of the largest send
};

// Zero is a valid empty one. Dependencies are indices of nodes once the graph is whole; nodes in
// order begin after what they depend on, and otherwise as in the file.
struct chakra_graph {
	struct chakra_node *nodes;
	uint32_t count, room;
	uint64_t *needs;
	uint32_t need_count, need_room;
	uint32_t *order;
};

// Reads a file of the groups' current rank. Memory: 56 B a node and 8 B a dependency. TR_ERROR with
// the file and the offset; chakra_graph_clear in any case.
enum tr_status chakra_graph_read(struct chakra_graph *graph, struct tr_source *source,
				 struct chakra_groups *groups, struct num_ratio flops_per_s,
				 struct chakra_counts *counts, struct tr_error *err);

// Replaces ids by indices, and finds the order. TR_ERROR: an id twice, a dependency on none, or a
// cycle; err says at which offset.
enum tr_status chakra_graph_order(struct chakra_graph *graph, struct tr_error *err);

// Frees what it holds.
void chakra_graph_clear(struct chakra_graph *graph);

#endif
