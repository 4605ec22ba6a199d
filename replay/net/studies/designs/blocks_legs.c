// SPDX-License-Identifier: GPL-3.0-or-later
// Routes inside blocks. Those of one block cannot wait for one another in a cycle: on the way up a
// worm holds a cable and asks for the next one of the block, on the way down for the one before,
// and no two blocks share a cable. Ways over several blocks can.
#include "net/studies/designs/blocks.h"

#include <stdlib.h>
#include <string.h>

#define FAR UINT16_MAX

struct blocks_legs_work {
	struct net_legs *legs;
	uint32_t *indices;  // of each pair, first and last switch: where the leg's block has them,
			    // in one number
	uint16_t *crossed;  // blocks on the way; FAR: no way yet
	uint32_t *partners; // of each switch those with which it shares a block
	size_t *first;	    // of a switch: its first partner
};

static void work_close(struct blocks_legs_work *work)
{
	free(work->indices);
	free(work->crossed);
	free(work->partners);
	free(work->first);
}

static enum tr_status work_open(struct blocks_legs_work *work, struct net_legs *legs,
				struct tr_error *err)
{
	const size_t s = legs->blocks->switches;

	*work = (struct blocks_legs_work){.legs = legs};
	legs->legs = calloc(s * s + 1, sizeof(*legs->legs));
	legs->cables = calloc(s * s + 1, sizeof(*legs->cables));
	work->indices = calloc(s * s + 1, sizeof(*work->indices));
	work->crossed = malloc((s * s + 1) * sizeof(*work->crossed));
	work->first = calloc(s + 1, sizeof(*work->first));
	if (!legs->legs || !legs->cables || !work->indices || !work->crossed || !work->first)
		return tr_no_memory(err, "the routes inside blocks");
	memset(work->crossed, 0xff, (s * s + 1) * sizeof(*work->crossed));
	return TR_OK;
}

// Takes the way between two places of a block, at these indices in it, where it is better than what
// there is.
static void blocks_legs_take(struct blocks_legs_work *work, uint32_t begin, uint32_t i, uint32_t j)
{
	const struct net_blocks *blocks = work->legs->blocks;
	const size_t pair = (size_t)blocks->objects[begin + i] * blocks->switches +
			    blocks->objects[begin + j];
	const uint16_t cables = (uint16_t)(i < j ? j - i : i - j);
	const uint32_t index = i << 16 | j;

	if (work->crossed[pair] == 1 &&
	    (cables > work->legs->cables[pair] ||
	     (cables == work->legs->cables[pair] && index >= work->indices[pair])))
		return;
	work->crossed[pair] = 1;
	work->indices[pair] = index;
	work->legs->cables[pair] = cables;
	work->legs->legs[pair] = (struct net_leg){begin + i, begin + j};
}

static void blocks_legs_take_blocks(struct blocks_legs_work *work)
{
	const struct net_blocks *blocks = work->legs->blocks;

	for (uint32_t block = 0; block < blocks->count; block++) {
		const uint32_t begin = blocks->first[block];
		const uint32_t length = blocks->first[block + 1] - begin;

		for (uint32_t i = 0; i < length; i++)
			for (uint32_t j = 0; j < length; j++)
				if (i != j)
					blocks_legs_take(work, begin, i, j);
	}
}

static enum tr_status list_partners(struct blocks_legs_work *work, struct tr_error *err)
{
	const uint32_t s = work->legs->blocks->switches;
	size_t count = 0;

	for (size_t pair = 0; pair < (size_t)s * s; pair++)
		count += work->crossed[pair] == 1;
	work->partners = calloc(count + 1, sizeof(*work->partners));
	if (!work->partners)
		return tr_no_memory(err, "the routes inside blocks");
	count = 0;
	for (uint32_t from = 0; from < s; from++) {
		work->first[from] = count;
		for (uint32_t to = 0; to < s; to++)
			if (work->crossed[(size_t)from * s + to] == 1)
				work->partners[count++] = to;
	}
	work->first[s] = count;
	return TR_OK;
}

// The best way from a switch to another over one partner, and on by so many blocks. Returns whether
// there is any.
static bool blocks_legs_go_on(struct blocks_legs_work *work, uint32_t from, uint32_t to,
			      uint16_t crossed)
{
	struct net_legs *legs = work->legs;
	const size_t s = legs->blocks->switches;
	const size_t pair = from * s + to;
	uint32_t best = UINT32_MAX;

	for (size_t i = work->first[from]; i < work->first[from + 1]; i++) {
		const uint32_t by = work->partners[i];
		const uint32_t cables = (uint32_t)legs->cables[from * s + by] +
					legs->cables[by * s + to];

		if (work->crossed[by * s + to] != crossed || cables >= best || cables >= FAR)
			continue;
		best = cables;
		legs->legs[pair] = legs->legs[from * s + by];
		legs->cables[pair] = (uint16_t)cables;
	}
	if (best != UINT32_MAX)
		work->crossed[pair] = crossed + 1;
	return best != UINT32_MAX;
}

// Ways over two blocks, then three, and so on.
static void blocks_legs_cross(struct blocks_legs_work *work)
{
	const uint32_t s = work->legs->blocks->switches;
	bool going = true;

	for (uint16_t crossed = 1; going && crossed < FAR - 1; crossed++) {
		going = false;
		for (uint32_t from = 0; from < s; from++)
			for (uint32_t to = 0; to < s; to++)
				if (from != to && work->crossed[(size_t)from * s + to] == FAR &&
				    blocks_legs_go_on(work, from, to, crossed))
					going = true;
	}
}

static void blocks_legs_count(struct blocks_legs_work *work)
{
	struct net_legs *legs = work->legs;
	const size_t s = legs->blocks->switches;

	for (size_t pair = 0; pair < s * s; pair++) {
		if (pair % (s + 1) == 0)
			continue;
		legs->apart += work->crossed[pair] == FAR;
		legs->broken += work->crossed[pair] != FAR && work->crossed[pair] > 1;
		if (legs->cables[pair] > legs->longest)
			legs->longest = legs->cables[pair];
	}
}

enum tr_status net_legs_open(struct net_legs *legs, const struct net_blocks *blocks,
			     struct tr_error *err)
{
	struct blocks_legs_work work;
	enum tr_status status;

	*legs = (struct net_legs){.blocks = blocks};
	if (blocks->switches > NET_BLOCKS_LEGS_MAX)
		return tr_fail(err, "routes inside blocks of %u switches; at most %u",
			       blocks->switches, NET_BLOCKS_LEGS_MAX);
	status = work_open(&work, legs, err);
	if (status == TR_OK) {
		blocks_legs_take_blocks(&work);
		status = list_partners(&work, err);
	}
	if (status == TR_OK) {
		blocks_legs_cross(&work);
		blocks_legs_count(&work);
	}
	work_close(&work);
	return status;
}

void net_legs_close(struct net_legs *legs)
{
	free(legs->legs);
	free(legs->cables);
	*legs = (struct net_legs){.blocks = NULL};
}
