// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/goal_labels.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#define FIRST_ROOM 512u

void goal_labels_forget(struct goal_labels *labels)
{
	labels->count = 0;
	labels->text_bytes = 0;
	tr_hash_forget(&labels->places);
}

static uint64_t hash_of(const struct goal_labels *labels, const char *label)
{
	return XXH3_64bits_withSeed(label, strlen(label), labels->places.seed);
}

uint32_t goal_labels_find(const struct goal_labels *labels, const char *label)
{
	const uint64_t value = hash_of(labels, label);
	uint32_t at = tr_hash_first(value), place;

	while ((place = tr_hash_next(&labels->places, value, &at)) != TR_HASH_NONE)
		if (strcmp(labels->text + labels->labels[place].text, label) == 0)
			return labels->labels[place].op;
	return GOAL_NO_OP;
}

static bool grow_labels(struct goal_labels *labels)
{
	const uint32_t room = labels->room > 0 ? 2 * labels->room : FIRST_ROOM;
	struct goal_label *bigger;

	if (labels->count < labels->room)
		return true;
	bigger = reallocarray(labels->labels, room, sizeof(*bigger));
	if (!bigger)
		return false;
	labels->labels = bigger;
	labels->room = room;
	return true;
}

static bool grow_text(struct goal_labels *labels, size_t bytes)
{
	size_t room = labels->text_room > 0 ? labels->text_room : 4096;
	char *text;

	while (room < labels->text_bytes + bytes)
		room *= 2;
	if (room > UINT32_MAX)
		return false;
	if (room == labels->text_room)
		return true;
	text = realloc(labels->text, room);
	if (!text)
		return false;
	labels->text = text;
	labels->text_room = room;
	return true;
}

bool goal_labels_add(struct goal_labels *labels, const char *label, uint32_t op)
{
	size_t bytes = strlen(label) + 1;

	if (!grow_labels(labels) || !grow_text(labels, bytes) || !tr_hash_reserve(&labels->places))
		return false;
	tr_hash_add(&labels->places, hash_of(labels, label), labels->count);
	labels->labels[labels->count++] = (struct goal_label){.op = op, .text = (uint32_t)labels->text_bytes};
	memcpy(labels->text + labels->text_bytes, label, bytes);
	labels->text_bytes += bytes;
	return true;
}

void goal_labels_clear(struct goal_labels *labels)
{
	free(labels->labels);
	free(labels->text);
	tr_hash_clear(&labels->places);
	*labels = (struct goal_labels){0};
}
