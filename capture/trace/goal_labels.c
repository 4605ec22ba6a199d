// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/goal_labels.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 1024u

void goal_labels_forget(struct goal_labels *labels)
{
	labels->count = 0;
	labels->text_bytes = 0;
	if (++labels->round > 0 || labels->places == NULL)
		return;
	memset(labels->places, 0, ((size_t)labels->mask + 1) * sizeof *labels->places);
	labels->round = 1;
}

// FNV-1a.
static uint32_t hash_of(const char *label)
{
	uint32_t hash = 2166136261u;

	for (; *label; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619u;
	return hash ^ hash >> 15;
}

// The place of the label, or the free one where it would stand.
static struct goal_label *place_of(const struct goal_labels *labels, const char *label,
				   uint32_t hash)
{
	for (uint32_t i = hash & labels->mask;; i = (i + 1) & labels->mask) {
		struct goal_label *place = &labels->places[i];

		if (place->round != labels->round ||
		    (place->hash == hash && strcmp(labels->text + place->text, label) == 0))
			return place;
	}
}

uint32_t goal_labels_find(const struct goal_labels *labels, const char *label)
{
	const struct goal_label *place;

	if (labels->count == 0)
		return GOAL_NO_OP;
	place = place_of(labels, label, hash_of(label));
	return place->round == labels->round ? place->op : GOAL_NO_OP;
}

static bool grow_places(struct goal_labels *labels)
{
	uint32_t places = labels->places == NULL ? FIRST_PLACES : 2 * (labels->mask + 1);
	struct goal_labels bigger = *labels;

	bigger.places = calloc(places, sizeof *bigger.places);
	if (bigger.places == NULL)
		return false;
	bigger.mask = places - 1;
	for (uint32_t i = 0; labels->places != NULL && i <= labels->mask; i++) {
		const struct goal_label *old = &labels->places[i];

		if (old->round == labels->round)
			*place_of(&bigger, labels->text + old->text, old->hash) = *old;
	}
	free(labels->places);
	*labels = bigger;
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
	if (text == NULL)
		return false;
	labels->text = text;
	labels->text_room = room;
	return true;
}

bool goal_labels_add(struct goal_labels *labels, const char *label, uint32_t op)
{
	size_t bytes = strlen(label) + 1;
	uint32_t hash = hash_of(label);

	if (labels->round == 0)
		labels->round = 1;
	if ((labels->places == NULL || labels->count > labels->mask / 2) && !grow_places(labels))
		return false;
	if (!grow_text(labels, bytes))
		return false;
	*place_of(labels, label, hash) = (struct goal_label){
		.round = labels->round, .op = op, .hash = hash,
		.text = (uint32_t)labels->text_bytes};
	memcpy(labels->text + labels->text_bytes, label, bytes);
	labels->text_bytes += bytes;
	labels->count++;
	return true;
}

void goal_labels_clear(struct goal_labels *labels)
{
	free(labels->places);
	free(labels->text);
	*labels = (struct goal_labels){0};
}
