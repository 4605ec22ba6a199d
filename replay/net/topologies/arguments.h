// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind the colon of a network's name: values in their order, then options, all with
// commas between them ("4x4x4,hosts=2"). A generator takes what it knows; what is left over then is an
// error. The first error sticks, so that a generator asks for all and looks once, in net_args_end.
#ifndef NET_TOPOLOGIES_ARGUMENTS_H
#define NET_TOPOLOGIES_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

#define NET_ARGS_MAX 8u
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

// Cuts text, which is copied, into words; NULL has none.
void net_args_open(struct net_args *args, const char *text);

// How many values there are before the options.
size_t net_args_values(const struct net_args *args);

// The value at index as a whole number min..max; name stands in messages. min where it is not there or
// no such number, which is an error.
uint32_t net_args_count(struct net_args *args, size_t index, const char *name, uint32_t min, uint32_t max);

// The value at index as sizes of dimensions.
struct net_dimensions net_args_dimensions(struct net_args *args, size_t index);

// The option name=N, or usual where it is not there.
uint32_t net_args_option(struct net_args *args, const char *name, uint32_t min, uint32_t max, uint32_t usual);

// TR_ERROR where something was wrong or was not taken.
enum tr_status net_args_end(struct net_args *args, struct tr_error *err);

void net_args_clear(struct net_args *args);

#endif
