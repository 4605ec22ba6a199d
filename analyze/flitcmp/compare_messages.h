// SPDX-License-Identifier: GPL-3.0-or-later
// Two streams of messages, such as one that flitrun measured and one that flitsim predicted,
// message by message.
//
// Messages match if they have the same source, destination and tag, and the same place among those
// of a repetition, by their begins. The messages of a communicator are a repetition; its time 0 is
// the begin of its first message.
#ifndef FLITCMP_COMPARE_MESSAGES_H
#define FLITCMP_COMPARE_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/reader.h"
#include "table/table.h"

#define COMPARE_FILES 2u

struct compare_message {
	uint32_t source, destination, tag,
		communicator; // source and destination are ranks, or nodes where no ranks are known
	uint64_t id;	      // place in the stream
	uint64_t size_bytes;
	int64_t begin_ticks, end_ticks;
	uint32_t repetition, number; // set by the comparison
};

struct compare_message_file {
	char *name;
	uint64_t ticks_per_s;
	struct compare_message *list;
	size_t count, room;
	uint32_t repetitions;
	int64_t *starts_ticks; // of each repetition
};

// Zero is a valid empty one; compare_messages_clear frees it. Memory: 64 B a message, 32 B a rank
// and repetition.
struct compare_messages {
	struct compare_message_file files[COMPARE_FILES];
	size_t count;
};

// Reads one file. TR_ERROR if it is the third, or the reader fails and keep_going is not set, or
// memory ran out.
enum tr_status compare_messages_read(struct compare_messages *messages, struct tr_reader *in,
				     const char *name, bool keep_going, struct tr_error *err);

// ---- for the tables

// Below, at or above 0 by source, destination, tag and number.
int compare_message_keys(const struct compare_message *x, const struct compare_message *y);

// Numbers the repetitions and the messages of each, finds when these began, and sorts by key, then
// repetition. TR_ERROR if out of memory.
enum tr_status compare_messages_number(struct compare_message_file *file, struct tr_error *err);

// ----

// Prints the tables; each: also a row for each message. *differ: a message has no partner, or the
// interval of the difference of the finish or of the mean duration excludes 0 (where there is no
// interval: the difference is not 0). TR_ERROR if there are not two files with messages, or memory
// ran out.
enum tr_status compare_messages_print(struct compare_messages *messages, int level_percent,
				      bool each, struct table_style style, FILE *out, bool *differ,
				      struct tr_error *err);

// Frees what it holds; it is empty then.
void compare_messages_clear(struct compare_messages *messages);

#endif
