// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of one rank of a GOAL text, and the operation that each stands for.
#ifndef TRACE_GOAL_LABELS_H
#define TRACE_GOAL_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/hash.h"

#define GOAL_NO_OP UINT32_MAX

// Zero is a valid empty one.
struct goal_labels {
	struct goal_label {
		uint32_t op;
		uint32_t text; // offset
	} * labels;
	uint32_t count, room;
	struct tr_hash places; // in labels
	char *text;
	size_t text_bytes;
	size_t text_room;
};

// Forgets all labels and keeps the memory.
void goal_labels_forget(struct goal_labels *labels);

// The operation of a label, GOAL_NO_OP where there is none.
uint32_t goal_labels_find(const struct goal_labels *labels, const char *label);

// Enters a label that is not there; false where memory ends.
bool goal_labels_add(struct goal_labels *labels, const char *label, uint32_t op);

void goal_labels_clear(struct goal_labels *labels);

#endif
