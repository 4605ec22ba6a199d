// SPDX-License-Identifier: GPL-3.0-or-later
// Maps the nodes of a trace to the hosts of a network.
#ifndef REPLAY_NODE_MAP_H
#define REPLAY_NODE_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "net/topology/topology.h"
#include "stream/names.h"
#include "table/opt.h"
#include "value/status.h"

#define NODE_UNMAPPED UINT32_MAX
#define NODE_LEFT_OUT (UINT32_MAX - 2)

// What a map by numbers has seen of the nodes: a name that says another number than the node has,
// and a node without such a name.
struct node_numbers {
	bool moved, unnamed;
	uint32_t moved_node, moved_place, moved_number, unnamed_node;
	uint32_t *of_host; // the node that took a number; NULL: none yet
};

// Zero is valid: a map by numbers, for a network whose hosts have no names of their own.
struct node_map {
	struct node_map_line {
		char *address;
		char *group; // NULL: none
		uint32_t host;
	} * lines;
	uint32_t line_count;
	bool by_address;
	bool only_roles; // nodes without a role are left out, the others become hosts in the order
			 // of ids
	uint32_t placed; // nodes that only_roles has examined
	uint32_t hosts;	 // hosts that it has assigned
	bool by_name;	 // the hosts' names are the addresses
	struct net_names names; // of the network
	struct node_numbers numbers;
	uint32_t *of_id; // host of each node id below of_id_count, which map then has no other of;
			 // NULL: none
	uint32_t of_id_count;
	uint32_t *host_of; // by node id, filled when a node first occurs
	uint32_t met;
};

// What random is, in a line.
#define NODE_MAP_RANDOM \
	"random[:seed=N,by=switch|group]: hosts, or switches with theirs, in random order"

// The words that are maps, for options.
extern const struct opt_choice node_map_words[];

// Reads a map: "ids", where a node is the host of its number (node_map_number), else of its id;
// "roles", the same without the nodes that have no role; "names", where a node is the host whose
// name is its address; "random[:seed=N,by=host|switch|group]", where the numbers of "ids" have
// hosts in random order, or the hosts of one switch or group after the other, which are in random
// order; or a file with lines "ADDRESS HOST [GROUP]", blank lines and comments after #. The
// topology is lent. TR_ERROR, naming the file and line, where it is not such a file or a host or
// address occurs twice, and for "least" and "round-robin", which input/map_input.h reads.
enum tr_status node_map_open(struct node_map *map, const char *text,
			     const struct net_topology *topology, struct tr_error *err);

// Whether text is word, alone or with keys after a colon.
bool node_map_is_word(const char *text, const char *word);

// Whether text is a file, not one of the words.
bool node_map_is_file(const char *text);

// The number that a node's name says: that of the network's host of this name, else that in hostN,
// nodeN, rankN or N. Returns false if it says none.
bool node_map_number(const struct net_names *names, const char *name, uint32_t *number);

// Reads a map from the lines of an open file; name is for messages. A host is its number or its
// name in the topology, which is lent.
enum tr_status node_map_read(struct node_map *map, FILE *file, const char *name,
			     const struct net_topology *topology, struct tr_error *err);

// Host of a node, NODE_UNMAPPED if it is not in the network, NODE_LEFT_OUT if only_roles leaves it
// out; names has its address. TR_ERROR where a map by numbers has two nodes of one number, or some
// nodes only whose names say numbers, which are not their ids; and for memory.
enum tr_status node_map_find(struct node_map *map, uint32_t node, const struct tr_names *names,
			     uint32_t hosts, uint32_t *host, struct tr_error *err);

// The group that a file gives to a host; NULL for none. Lent.
const char *node_map_group(const struct node_map *map, uint32_t host);

// Frees what it holds; it is empty then.
void node_map_close(struct node_map *map);

#endif
