// SPDX-License-Identifier: GPL-3.0-or-later
// The closed trail over all blocks. Blocks are chained end to start; in a cyclic design each step
// goes on by b_(r-1) - b_0, so that one chain takes them all if and only if that has no factor in
// common with s, and else as many closed trails as the common factor says are spliced at switches
// that they share. Known value: figure 5.1 of the thesis.
#include "net/studies/designs/blocks.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct joining {
	const struct net_blocks *blocks;
	uint32_t *next;	     // of a block: the next higher one that begins with the same switch
	uint32_t *lowest;    // of a switch: the lowest block left that begins with it
	unsigned char *used; // of a block
	uint32_t *after;     // of a place: the place that follows it in its trail
	uint32_t *before; // of a switch: a place of the whole trail whose cable ends there; NONE:
			  // it is not on the trail
};

static void joining_close(struct joining *joining)
{
	free(joining->next);
	free(joining->lowest);
	free(joining->used);
	free(joining->after);
	free(joining->before);
}

static bool joining_open(struct joining *joining, const struct net_blocks *blocks)
{
	const size_t places = blocks->first[blocks->count];

	*joining = (struct joining){
		.blocks = blocks,
		.next = calloc((size_t)blocks->count + 1, sizeof(uint32_t)),
		.lowest = malloc(((size_t)blocks->switches + 1) * sizeof(uint32_t)),
		.used = calloc((size_t)blocks->count + 1, 1),
		.after = calloc(places + 1, sizeof(uint32_t)),
		.before = malloc(((size_t)blocks->switches + 1) * sizeof(uint32_t)),
	};
	if (!joining->next || !joining->lowest || !joining->used || !joining->after ||
	    !joining->before)
		return false;
	memset(joining->lowest, 0xff, (size_t)blocks->switches * sizeof(uint32_t));
	memset(joining->before, 0xff, (size_t)blocks->switches * sizeof(uint32_t));
	for (uint32_t block = blocks->count; block-- > 0;) {
		const uint32_t start = blocks->objects[blocks->first[block]];

		joining->next[block] = joining->lowest[start];
		joining->lowest[start] = block;
	}
	return true;
}

// Chains the cables of a block; returns its last switch.
static uint32_t chain_block(struct joining *joining, uint32_t block)
{
	const struct net_blocks *blocks = joining->blocks;
	const uint32_t last = blocks->first[block + 1] - 1;

	joining->used[block] = 1;
	joining->lowest[blocks->objects[blocks->first[block]]] = joining->next[block];
	for (uint32_t place = blocks->first[block]; place + 1 < last; place++)
		joining->after[place] = place + 1;
	return blocks->objects[last];
}

// Chains blocks from this one on until the trail is closed. TR_ERROR where a block ends where none
// begins.
static enum tr_status blocks_trail_chain(struct joining *joining, uint32_t block,
					 struct tr_error *err)
{
	const struct net_blocks *blocks = joining->blocks;
	const uint32_t start = block;

	for (;;) {
		const uint32_t end = chain_block(joining, block);
		const uint32_t last = blocks->first[block + 1] - 2; // place of its last cable

		if (joining->lowest[end] == NONE && end != blocks->objects[blocks->first[start]])
			return tr_fail(
				err,
				"block %u ends at switch %u, where no block begins that is left",
				block, end);
		if (joining->lowest[end] == NONE) {
			joining->after[last] = blocks->first[start];
			return TR_OK;
		}
		block = joining->lowest[end];
		joining->after[last] = blocks->first[block];
	}
}

// Notes where switches are met from place on, all round its trail.
static void blocks_trail_note(struct joining *joining, uint32_t place)
{
	const uint32_t start = place;

	do {
		uint32_t *before = &joining->before[joining->blocks->objects[place + 1]];

		if (*before == NONE)
			*before = place;
		place = joining->after[place];
	} while (place != start);
}

// Splices the closed trail through place into the whole one at the first switch that they share:
// two closed trails become one when they change over at a switch. Returns false where they share
// none.
static bool splice(struct joining *joining, uint32_t place)
{
	const uint32_t *objects = joining->blocks->objects;
	const uint32_t start = place;
	uint32_t kept;

	while (joining->before[objects[place + 1]] == NONE) {
		place = joining->after[place];
		if (place == start)
			return false;
	}
	kept = joining->after[place];
	joining->after[place] = joining->after[joining->before[objects[place + 1]]];
	joining->after[joining->before[objects[place + 1]]] = kept;
	blocks_trail_note(joining, kept);
	return true;
}

// Chains all blocks to closed trails and notes where each begins; returns how many, 0 where a chain
// does not close.
static uint32_t chain_all(struct joining *joining, uint32_t *starts, struct tr_error *err)
{
	const struct net_blocks *blocks = joining->blocks;
	uint32_t count = 0;

	for (uint32_t block = 0; block < blocks->count; block++) {
		if (joining->used[block])
			continue;
		starts[count++] = blocks->first[block];
		if (blocks_trail_chain(joining, block, err) != TR_OK)
			return 0;
	}
	return count;
}

static enum tr_status blocks_trail_check_joined(const struct joining *joining, struct tr_error *err)
{
	for (uint32_t i = 0; i < joining->blocks->switches; i++)
		if (joining->before[i] == NONE)
			return tr_fail(err, "the blocks do not join switches %u and %u",
				       joining->blocks->objects[0], i);
	return TR_OK;
}

static enum tr_status blocks_trail_join(struct joining *joining, struct tr_error *err)
{
	uint32_t *starts = calloc((size_t)joining->blocks->count + 1, sizeof(*starts));
	uint32_t count;
	bool going = true;

	if (!starts)
		return tr_no_memory(err, "the trail of the blocks");
	count = chain_all(joining, starts, err);
	if (count > 0)
		blocks_trail_note(joining, 0);
	while (count > 1 && going) {
		going = false;
		for (uint32_t i = 1; i < count; i++)
			if (splice(joining, starts[i])) {
				going = true;
				starts[i--] = starts[--count];
			}
	}
	free(starts);
	return count > 0 ? blocks_trail_check_joined(joining, err) : TR_ERROR;
}

uint32_t *net_blocks_trail(const struct net_blocks *blocks, struct tr_error *err)
{
	const uint32_t cables = net_blocks_cables(blocks);
	struct joining joining = {.blocks = NULL};
	uint32_t *trail = calloc((size_t)cables + 1, sizeof(*trail));
	enum tr_status status = TR_ERROR;

	if (cables == 0)
		(void)tr_fail(err, "no blocks");
	else if (!trail || !joining_open(&joining, blocks))
		(void)tr_no_memory(err, "the trail of the blocks");
	else
		status = blocks_trail_join(&joining, err);
	for (uint32_t i = 0, place = 0; status == TR_OK && i < cables;
	     i++, place = joining.after[place])
		trail[i] = place;
	joining_close(&joining);
	if (status == TR_OK)
		return trail;
	free(trail);
	return NULL;
}
