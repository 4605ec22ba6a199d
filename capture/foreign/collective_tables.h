// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of collective operations: how long each took, by communicator, operation, bytes and
// kernel, and by rank.
#ifndef FOREIGN_COLLECTIVE_TABLES_H
#define FOREIGN_COLLECTIVE_TABLES_H

#include <stdio.h>

#include "foreign/rank_events.h"
#include "table/table.h"

// A rank's part in an operation. Texts are lent until the tables are printed.
struct collective_part {
	const char *communicator; // its name; NULL: the trace does not name it
	const char *operation;
	const char *kernel; // NULL: not said
	uint64_t number;    // of the communicator
	uint64_t instance;  // of the communicator's operations
	uint64_t bytes;
	int64_t ticks;
	uint32_t ranks; // members
	uint32_t rank;
	bool shortest; // of the parts of its operation, alone
};

// Zero is a valid empty one.
struct collective_parts {
	struct collective_part *items;
	size_t count, room;
	char **texts;
	size_t text_count, text_room;
};

// False: out of memory.
bool collective_parts_add(struct collective_parts *parts, const struct collective_part *part);

// The copy of a text that the parts keep, the same for the same text; NULL: out of memory.
const char *collective_text(struct collective_parts *parts, const char *text);

// The parts of events, after events_finish, each with the most bytes that a member of its operation
// gives; texts are those of events. TR_ERROR: members did different operations in the same place,
// or out of memory.
enum tr_status collective_parts_of(struct collective_parts *parts, const struct events *events,
				   uint64_t *ticks_per_s, struct tr_error *err);

// Prints the tables, which sorts the parts.
enum tr_status collective_tables_print(struct collective_parts *parts, uint64_t ticks_per_s,
				       struct table_style style, FILE *out, struct tr_error *err);

// Frees what it holds.
void collective_parts_clear(struct collective_parts *parts);

#endif
