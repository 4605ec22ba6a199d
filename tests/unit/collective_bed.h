// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of programs that carry known data: their messages, and the data after sending them. A
// block is a word of 64 bits; 0: missing.
#ifndef TESTS_COLLECTIVE_BED_H
#define TESTS_COLLECTIVE_BED_H

#include <stdint.h>

#include "gen/programs/algorithms.h"

#define BED_RANKS 40
#define BED_PARTS 80

struct bed_message {
	uint32_t rank, step, peer, tag;
	uint64_t bytes;
	uint32_t slots[BED_PARTS]; // in the order of the message
	uint32_t slot_count;
	enum goal_kind kind;
	enum carry carry;
	bool done;
	uint64_t data[BED_PARTS]; // of a send, once it is done
};

struct collective_bed {
	char *text; // GOAL
	size_t text_bytes;
	uint32_t parts;
	struct bed_message *messages;
	size_t count;
	size_t room;
	bool added_twice;  // a contribution was combined twice
	bool sent_nothing; // a block was sent that its sender lacks
	uint64_t data[BED_RANKS][BED_PARTS];
	uint64_t apart[BED_RANKS][BED_PARTS];
};

// Writes the program; its data have this number of parts. Fails the test if it is refused.
void collective_bed_open(struct collective_bed *bed, const char *program, uint32_t parts);

// Sends and receives everything, step by step of each rank, with the data from before the step;
// fails the test if a receive has no message, or one of another size.
void collective_bed_move(struct collective_bed *bed);

uint64_t collective_bed_sent_messages(const struct collective_bed *bed);
uint64_t collective_bed_sent_bytes(const struct collective_bed *bed);

void collective_bed_close(struct collective_bed *bed);

#endif
