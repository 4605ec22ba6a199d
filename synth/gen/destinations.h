// SPDX-License-Identifier: GPL-3.0-or-later
// Where a node's packets go: the usual traffic patterns of network simulation (Dally and Towles,
// Principles and Practices of Interconnection Networks, 2004; Duato, Yalamanchili and Ni,
// Interconnection Networks, 2003), as keys of a model (man/flit-model.5). A new one is a function
// and a line of the table in destinations.c.
#ifndef GEN_DESTINATIONS_H
#define GEN_DESTINATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/alias.h"
#include "gen/model_field.h"
#include "text/model.h"
#include "value/num.h"
#include "value/random.h"
#include "value/status.h"

// ---- Nodes on the switches of a mesh or torus, numbered like the hosts of flitnet's networks of
// the same name (man/flit-topology.5): all nodes of one switch, then of the next; the lowest digit
// of a switch's number is its position in the first dimension. The distance of switches is the
// number of cables on a shortest path.

#define NODE_GRID_DIMENSIONS_MAX 8u
#define NODE_GRID_SIZE_MAX 1000000u
#define NODE_GRID_STEPS_MAX 511u
#define NODE_GRID_TEXT_BYTES 96u

// Zero is none.
struct node_grid {
	uint32_t sizes[NODE_GRID_DIMENSIONS_MAX];
	unsigned dimensions;
	uint32_t hosts; // nodes on each switch
	bool closed;	// each line is a ring: a torus
};

// Reads "4x4", "mesh:4x4", "torus:3x3,hosts=4", "line:8", "ring:8". TR_ERROR: err says what was
// expected.
enum tr_status node_grid_parse(const char *text, struct node_grid *out, struct tr_error *err);

// The shortest text that parses to the same grid. Returns out.
const char *node_grid_format(const struct node_grid *grid, char out[NODE_GRID_TEXT_BYTES]);

// Number of nodes; above UINT32_MAX where a uint32_t cannot hold it.
uint64_t node_grid_nodes(const struct node_grid *grid);

// Distance up to which every switch has another one: the farthest switch from a middle one.
uint64_t node_grid_reach(const struct node_grid *grid);

// Draws, uniformly, a node whose switch is steps (0 .. NODE_GRID_STEPS_MAX, at which node self has
// one) from that of node self; self, at 0 steps, only if sender. One draw of tr_random_below.
uint32_t node_grid_draw(const struct node_grid *grid, uint32_t self, uint32_t steps, bool sender,
			struct tr_random *random);

// ---- Destinations.

struct destination_pattern;

// The destination keys of a model. Zero is empty; destinations_model_clear frees it.
struct destinations_model {
	const struct destination_pattern *pattern;
	uint64_t hot_node;
	double hot_share;
	uint64_t shift;
	struct node_grid shape; // no dimensions: not given, all nodes in one
	uint32_t *to;		// of a permutation; NULL: drawn
	size_t to_count;
	struct num_ratio *distances; // share of the packets to nodes at each number of steps, from
				     // 0 on; they sum to 1
	size_t distance_count;
	int sender;   // not 0: a node may send to itself
	bool by_role; // the text says by-role, which the family implements; the pattern is uniform
};

// The words of the key sender.
extern const struct opt_choice destinations_senders[];

// Defaults: uniform without the sender, hot node 0 for all packets, a shift of 1.
struct destinations_model destinations_default(void);

// Rows of a table of model fields for the keys; at is the offset of a struct destinations_model.
#define DESTINATIONS_FIELDS(at) \
	{"destinations", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
		{"hot-node", MODEL_COUNT, (at) + offsetof(struct destinations_model, hot_node), \
		 false,	     0,		  999999, \
		 NULL}, \
		{"hot-share", MODEL_SHARE, (at) + offsetof(struct destinations_model, hot_share), \
		 false,	      0,	   1, \
		 NULL}, \
		{"shift", MODEL_COUNT, (at) + offsetof(struct destinations_model, shift), \
		 false,	  1,	       NODE_GRID_SIZE_MAX, \
		 NULL}, \
		{"shape", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
		{"to", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
		{"distances", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
	{ \
		"sender", MODEL_WORD, (at) + offsetof(struct destinations_model, sender), false, \
			0, 0, destinations_senders \
	}

// Reads the keys destinations, shape, to and distances before the first section; model_get has read
// the others. roles: the family distinguishes controller and workers, so that by-role is allowed.
// TR_ERROR with file and line; *out must be cleared in any case.
enum tr_status destinations_get(const struct model *model, bool roles,
				struct destinations_model *out, struct tr_error *err);

// Adds the keys to the text: destinations, and those that differ from destinations_default.
void destinations_put(struct model *text, const struct destinations_model *destinations);

// Frees what it holds; it is empty then.
void destinations_model_clear(struct destinations_model *destinations);

// A pattern for a number of nodes. Made by destinations_open, then read-only; freed by
// destinations_clear. Zero is empty.
struct destinations {
	const struct destination_pattern *pattern;
	uint32_t nodes;
	uint32_t hot_node;
	double hot_share;
	uint32_t shift;
	uint32_t side; // of the square of nodes
	unsigned bits; // of a node's number
	struct node_grid shape;
	uint32_t *to; // by node
	struct alias distances;
	bool sender; // a node may send to itself
};

// model, for messages, is the one that in was read from. A permutation is drawn from the seed's
// stream "permutation". TR_ERROR with file and line where the pattern does not fit this number of
// nodes; *out is empty then.
enum tr_status destinations_open(struct destinations *out, const struct destinations_model *in,
				 uint32_t nodes, uint64_t seed, const struct model *model,
				 struct tr_error *err);

// Destination of the next packet of node self; self if the pattern has none: such a node sends
// nothing, unless a sender may be its own destination.
uint32_t destinations_draw(const struct destinations *destinations, uint32_t self,
			   struct tr_random *random);

// Draws count destinations, the same as count calls of destinations_draw.
void destinations_draw_many(const struct destinations *destinations, uint32_t self,
			    struct tr_random *random, uint32_t *out, size_t count);

// Whether the node's packets have a destination.
bool destinations_lead(const struct destinations *destinations, uint32_t self);

// Writes the pattern as the end of the sentence "packets go to ...".
void destinations_explain(const struct destinations_model *destinations, FILE *out);

// Frees what it holds; it is empty then.
void destinations_clear(struct destinations *destinations);

// The pattern of this name, or NULL; its name; all names, separated by commas.
const struct destination_pattern *destination_pattern_find(const char *name);
const char *destination_pattern_name(const struct destination_pattern *pattern);
void destination_pattern_names(char *out, size_t bytes);

#endif
