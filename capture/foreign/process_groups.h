// SPDX-License-Identifier: GPL-3.0-or-later
// Process groups of PyTorch as JSON and text say them: names with lists of ranks.
#ifndef FOREIGN_PROCESS_GROUPS_H
#define FOREIGN_PROCESS_GROUPS_H

#include "foreign/json.h"

#define PROCESS_GROUP_BYTES 64u // of a name, with its NUL
#define RANK_LIST_MAX (UINT64_C(1) << 44)

// Zero is a valid empty one; the caller frees items.
struct rank_list {
	uint64_t *items; // ranks, or other numbers below RANK_LIST_MAX
	uint32_t count, room;
	bool cut; // "[0, 1, ...]"
};

// Adds a number to a list. TR_ERROR: too many, or out of memory.
enum tr_status rank_list_push(struct rank_list *list, uint64_t item, struct tr_error *err);

// Reads "[0, 1, ...]", or ranges as in Python, "0:8,16:32:2".
enum tr_status rank_list_read(struct rank_list *list, const char *text, struct tr_error *err);

struct process_group_reader {
	// Takes a group; an empty list is as the text has it. TR_ERROR: err says what is wrong.
	enum tr_status (*take)(void *context, const char *name, const struct rank_list *ranks,
			       struct tr_error *err);
	void *context;
	struct rank_list ranks; // freed by the caller
	char name[PROCESS_GROUP_BYTES];
	bool has_ranks; // of the object that is read
};

// Takes values of objects with the members pg_name and ranks (a list, or text), and others, which
// lie at this depth.
enum tr_status process_groups_take(struct process_group_reader *reader,
				   const struct json_value *value, uint32_t depth,
				   struct tr_error *err);

// Takes values of {"NAME": [RANK, ...], ...}: a json_take.
enum tr_status process_groups_take_named(void *reader, const struct json_value *value,
					 struct tr_error *err);

#endif
