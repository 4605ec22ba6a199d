// SPDX-License-Identifier: GPL-3.0-or-later
// Where a node's packets go: the patterns that simulators of networks are tried with (Dally and Towles, Principles and
// Practices of Interconnection Networks, 2004; Duato, Yalamanchili and Ni, Interconnection Networks, 2003), as keys of a model
// (man/flit-model.5). A new one is a function and a line of the table in destinations.c.
#ifndef GEN_DESTINATIONS_H
#define GEN_DESTINATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/alias.h"
#include "gen/model_field.h"
#include "trace/model.h"
#include "trace/num.h"
#include "trace/random.h"
#include "trace/status.h"

// ---- Nodes on the switches of a mesh or torus, numbered as the hosts of flitnet's networks of the same name
// (man/flit-topology.5): those of a switch one after the other, a switch's number having its place in the first dimension as
// the lowest digit. Switches are as many steps apart as cables between them on a shortest way.

#define NODE_GRID_DIMENSIONS_MAX 8u
#define NODE_GRID_SIZE_MAX 1000000u
#define NODE_GRID_STEPS_MAX 511u
#define NODE_GRID_TEXT_BYTES 96u

// Zero is none.
struct node_grid {
	uint32_t sizes[NODE_GRID_DIMENSIONS_MAX];
	unsigned dimensions;
	uint32_t hosts; // nodes on each switch
	bool closed;	// each line is a ring
};

// Reads "4x4", "mesh:4x4", "torus:3x3,hosts=4", "line:8", "ring:8". TR_ERROR: what was expected.
enum tr_status node_grid_parse(const char *text, struct node_grid *out, struct tr_error *err);

// The shortest text that is read back as the same grid. Returns out.
const char *node_grid_format(const struct node_grid *grid, char out[NODE_GRID_TEXT_BYTES]);

// All nodes; some number above UINT32_MAX where they are more than that.
uint64_t node_grid_nodes(const struct node_grid *grid);

// The most steps that each switch has another one away; a middle one has none further.
uint64_t node_grid_reach(const struct node_grid *grid);

// Draws one of the nodes whose switch is so many steps (0 .. NODE_GRID_STEPS_MAX, of which node self has one) from that of
// node self, all alike; with no steps self only where sender says so. One draw of tr_random_below.
uint32_t node_grid_draw(const struct node_grid *grid, uint32_t self, uint32_t steps, bool sender, struct tr_random *random);

// ---- Destinations.

struct destination_pattern;

// What the keys of a model say. Zero is empty; destinations_model_clear frees it.
struct destinations_model {
	const struct destination_pattern *pattern;
	uint64_t hot_node;
	double hot_share;
	uint64_t shift;
	struct node_grid shape; // no dimensions: not said, all nodes in one
	uint32_t *to;		// of a permutation; NULL: drawn
	size_t to_count;
	struct num_ratio *distances; // share of the packets to nodes so many steps away, from 0 on; 1 together
	size_t distance_count;
	int sender;   // not 0: a node may send to itself
	bool by_role; // the text says by-role, which is the family's to do; the pattern is uniform
};

// The words of the key sender.
extern const struct opt_choice destinations_senders[];

// What stands where the text is silent: uniform without the sender, hot node 0 for all, a shift of 1.
struct destinations_model destinations_default(void);

// Rows of a table of model fields for the keys, where at is the offset of a struct destinations_model.
#define DESTINATIONS_FIELDS(at) \
	{"destinations", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
		{"hot-node", MODEL_COUNT, (at) + offsetof(struct destinations_model, hot_node), false, 0, 999999, NULL}, \
		{"hot-share", MODEL_SHARE, (at) + offsetof(struct destinations_model, hot_share), false, 0, 1, NULL}, \
		{"shift", MODEL_COUNT, (at) + offsetof(struct destinations_model, shift), false, 1, 1000000, NULL}, \
		{"shape", MODEL_REPEATED, 0, false, 0, 0, NULL}, {"to", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
		{"distances", MODEL_REPEATED, 0, false, 0, 0, NULL}, \
	{ \
		"sender", MODEL_WORD, (at) + offsetof(struct destinations_model, sender), false, 0, 0, destinations_senders \
	}

// Reads the keys destinations, shape, to and distances of the lines before the first section; the others have been read
// by model_get. roles: the family tells a controller from workers, so that by-role can be said too. TR_ERROR with file and line;
// *out is to be cleared in any case.
enum tr_status destinations_get(const struct model *model, bool roles, struct destinations_model *out, struct tr_error *err);

// Adds the keys to the text, so that they are read back: destinations, and what differs from destinations_default.
void destinations_put(struct model *text, const struct destinations_model *destinations);

void destinations_model_clear(struct destinations_model *destinations);

// The pattern at work among so many nodes. Made by destinations_open, read only after; freed by destinations_clear.
// Zero is empty.
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

// model, for messages, is the one that in came from. A permutation is drawn from the seed's stream "permutation".
// TR_ERROR with file and line where the pattern does not fit so many nodes; *out is empty then.
enum tr_status destinations_open(struct destinations *out, const struct destinations_model *in, uint32_t nodes, uint64_t seed,
				 const struct model *model, struct tr_error *err);

// Where the next packet of node self goes; self where the pattern has no other place for it: such a node sends
// nothing, unless the sender may be its own destination.
uint32_t destinations_draw(const struct destinations *destinations, uint32_t self, struct tr_random *random);

// count of them, as so many calls of destinations_draw give them.
void destinations_draw_many(const struct destinations *destinations, uint32_t self, struct tr_random *random, uint32_t *out,
			    size_t count);

// Whether the node's packets have a destination.
bool destinations_lead(const struct destinations *destinations, uint32_t self);

// The pattern as the end of "packets go to ...".
void destinations_explain(const struct destinations_model *destinations, FILE *out);

void destinations_clear(struct destinations *destinations);

// The pattern of this name, NULL where there is none; its name; the names one after the other, commas between.
const struct destination_pattern *destination_pattern_find(const char *name);
const char *destination_pattern_name(const struct destination_pattern *pattern);
void destination_pattern_names(char *out, size_t bytes);

#endif
