// SPDX-License-Identifier: GPL-3.0-or-later
// Generators of topologies: their form, the list of all, and the reading of their arguments.
#ifndef NET_TOPOLOGIES_TOPOLOGIES_H
#define NET_TOPOLOGIES_TOPOLOGIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/studies/studies.h"
#include "net/topology/topology.h"
#include "net/topology/topology_build.h"
#include "value/status.h"

struct net_args;

// make reads its arguments (ending with net_args_end) and builds into an empty topology, which the
// caller clears, also after TR_ERROR.
struct net_generator {
	const char *name;
	const char *arguments; // "X[xY...][,hosts=H]"; "" for none
	const char *summary;
	enum tr_status (*make)(struct net_topology *topology, struct net_args *args,
			       struct tr_error *err);
};

// The generators in the order of a list: net_NAME, defined in its file.
// clang-format off
#define NET_GENERATORS(GENERATOR) \
	GENERATOR(direct) \
	GENERATOR(switch) \
	GENERATOR(line) \
	GENERATOR(ring) \
	GENERATOR(ringlets) \
	GENERATOR(mesh) \
	GENERATOR(torus) \
	GENERATOR(hypercube) \
	GENERATOR(full) \
	GENERATOR(fattree) \
	GENERATOR(clos) \
	GENERATOR(leaf_spine) \
	GENERATOR(rails) \
	GENERATOR(xgft) \
	GENERATOR(hyperx) \
	GENERATOR(flattened_butterfly) \
	GENERATOR(dragonfly) \
	GENERATOR(dragonfly_plus) \
	GENERATOR(slimfly) \
	STUDY_GENERATORS(GENERATOR) \
	GENERATOR(all) \
	GENERATOR(random_regular) \
	GENERATOR(random_irregular) \
	GENERATOR(jellyfish) \
	GENERATOR(triangle16) \
	GENERATOR(triangle18) \
	GENERATOR(george96) \
	GENERATOR(yates16a) \
	GENERATOR(yates16b) \
	GENERATOR(yates16) \
	GENERATOR(yates32x6) \
	GENERATOR(yates32) \
	GENERATOR(yates64) \
	GENERATOR(yates128)
// clang-format on

#define DECLARE(name) extern const struct net_generator net_##name;
NET_GENERATORS(DECLARE)
#undef DECLARE

// All of them; ends with NULL.
extern const struct net_generator *const net_generators[];

// The generator named before the colon in text ("torus:4x4"); NULL if there is none. Static.
const struct net_generator *net_generator_find(const char *text);

// Makes a network of hosts with one port, without names, one of so many copies of its switches and
// cables, 2 or more, in each of which a host has a port: port p in copy p, whose switches are
// numbered behind those of copy p - 1. TR_ERROR, with an unchanged or an empty topology, where it
// is another, has too many nodes or memory runs out.
enum tr_status net_planes_make(struct net_topology *topology, uint32_t planes,
			       struct tr_error *err);

// The arguments after the colon of a network's name: values in order, then options, separated by
// commas ("4x4x4,hosts=2"). A generator takes those it knows; any left over is an error. The first
// error sticks, so that a generator reads all and checks once, in net_args_end.

#define NET_ARGS_MAX 12u
#define NET_DIMENSIONS_MAX 8u

// The caller owns it and clears it with net_args_clear.
struct net_args {
	char *text; // a copy, cut into words
	char *words[NET_ARGS_MAX];
	bool taken[NET_ARGS_MAX];
	size_t count;
	enum tr_status status;
	struct tr_error err; // where status is TR_ERROR
};

// Sizes of a mesh's dimensions ("4x4x2"), each 1 or more.
struct net_dimensions {
	uint32_t sizes[NET_DIMENSIONS_MAX];
	uint32_t count;
};

// Switches of a grid; above NET_NODES_MAX where there are too many.
uint64_t net_dimensions_switches(const struct net_dimensions *dimensions);

// Sets where a drawing has switch x + X (y + Y z): even dimensions run to the right, odd ones down;
// a third and later one repeats the sheet.
void net_dimensions_place(struct net_builder *builder, const struct net_dimensions *dimensions,
			  uint32_t index);

// Cuts text, which is copied, into words; NULL gives none.
void net_args_open(struct net_args *args, const char *text);

// Number of values before the options.
size_t net_args_values(const struct net_args *args);

// The value at index as a whole number min..max; name is for messages. If it is missing or invalid,
// an error, and min.
uint32_t net_args_count(struct net_args *args, size_t index, const char *name, uint32_t min,
			uint32_t max);

// The value at index as text, lent; NULL, and an error, where it is not there.
const char *net_args_text(struct net_args *args, size_t index, const char *name);

// Reads this many characters of text as a whole number min..max; name is for messages. Anything
// else is an error and returns min.
uint32_t net_args_parse(struct net_args *args, const char *name, const char *text, size_t bytes,
			uint32_t min, uint32_t max);

// The value at index as sizes of dimensions.
struct net_dimensions net_args_dimensions(struct net_args *args, size_t index);

// The option name=AxB... as count numbers, each 1 or more; all 1 if it is absent.
struct net_dimensions net_args_option_dimensions(struct net_args *args, const char *name,
						 uint32_t count);

// The option name=N, or usual if it is absent.
uint32_t net_args_option(struct net_args *args, const char *name, uint32_t min, uint32_t max,
			 uint32_t usual);

// The text of the option name=TEXT, lent; NULL where it is not there.
const char *net_args_option_text(struct net_args *args, const char *name);

// The place of the option's value among words, which end with NULL; usual where it is not there.
uint32_t net_args_option_word(struct net_args *args, const char *name, const char *const words[],
			      uint32_t usual);

// An error of the caller's.
void net_args_fail(struct net_args *args, const char *text);

// TR_ERROR where something was wrong or was not taken.
enum tr_status net_args_end(struct net_args *args, struct tr_error *err);

// Frees what it holds; it is empty then.
void net_args_clear(struct net_args *args);

#endif
