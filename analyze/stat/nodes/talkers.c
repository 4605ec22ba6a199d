// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/nodes/talkers.h"

#include <stdlib.h>
#include <string.h>

enum tr_status talkers_open(struct talkers *talkers, uint64_t ticks_per_s, struct tr_error *err)
{
	talkers->ticks_per_s = ticks_per_s;
	talkers->pairs.max_pairs = TALKERS_MOST;
	return time_rows_open(&talkers->over_time, 1 + TALKERS_PAIRS, err);
}

// Times as numbers that are in the same order.
static uint64_t unsigned_ticks(int64_t ticks)
{
	return (uint64_t)ticks ^ (uint64_t)1 << 63;
}

enum tr_status talkers_add_over_time(struct talkers *talkers, size_t pair,
				     const struct tr_packet *packet, struct tr_error *err)
{
	const size_t row = pair < TALKERS_PAIRS ? 1 + pair : 0;

	if (time_rows_reserve(&talkers->over_time, row, err) != TR_OK)
		return TR_ERROR;
	if (talkers->over_time.used == 0)
		talkers->first_ticks = talkers->last_ticks = packet->time_ticks;
	talkers->first_ticks = packet->time_ticks < talkers->first_ticks ? packet->time_ticks
									 : talkers->first_ticks;
	talkers->last_ticks = packet->time_ticks > talkers->last_ticks ? packet->time_ticks
								       : talkers->last_ticks;
	time_rows_add(&talkers->over_time, row, unsigned_ticks(packet->time_ticks), 1,
		      packet->payload_bytes);
	return TR_OK;
}

enum tr_status talkers_add(struct talkers *talkers, const struct tr_packet *packet,
			   struct tr_error *err)
{
	size_t pair;

	if (matrix_reserve(&talkers->pairs, err) != TR_OK)
		return TR_ERROR;
	pair = matrix_add(&talkers->pairs, packet->src, packet->dst, 1, packet->payload_bytes);
	return talkers_add_over_time(talkers, pair, packet, err);
}

static enum tr_status copy_name(struct talkers *talkers, const struct tr_names *names,
				uint32_t node, struct tr_error *err)
{
	struct tr_name name = {.kind = TR_NAME_NODE, .id = node};

	const struct tr_node *found = names ? tr_names_find_node(names, node) : NULL;

	if (!found)
		return TR_OK;
	talkers->names.limits = names->limits;
	name.role = found->role;
	name.text = found->address;
	name.text_bytes = strlen(name.text);
	return tr_names_set(&talkers->names, &name, err);
}

enum tr_status talkers_finish(struct talkers *talkers, const struct tr_names *names,
			      const uint8_t *roles, size_t role_count, struct tr_error *err)
{
	const size_t count = roles ? role_count : names ? names->node_count : 0;

	for (size_t i = 0; i < talkers->pairs.pairs; i++)
		if (copy_name(talkers, names, talkers->pairs.cells[i].src, err) != TR_OK ||
		    copy_name(talkers, names, talkers->pairs.cells[i].dst, err) != TR_OK)
			return TR_ERROR;
	talkers->roles = calloc(count + 1, 1);
	if (!talkers->roles)
		return tr_no_memory(err, "the roles of %zu nodes", count);
	for (uint32_t i = 0; i < count; i++)
		talkers->roles[i] = roles ? roles[i] : (uint8_t)tr_names_role(names, i);
	talkers->role_count = count;
	return TR_OK;
}

double talkers_seconds(const struct talkers *talkers)
{
	return (double)((uint64_t)talkers->last_ticks - (uint64_t)talkers->first_ticks) /
	       (double)talkers->ticks_per_s;
}

bool talkers_pair_over_time(const struct talkers *talkers, size_t pair, double bytes[TIME_BINS])
{
	if (pair >= TALKERS_PAIRS)
		return false;
	for (size_t bin = 0; bin < talkers->over_time.used; bin++)
		bytes[bin] += (double)time_rows_sum(&talkers->over_time, 1 + pair, bin);
	return true;
}

bool talkers_node_over_time(const struct talkers *talkers, uint32_t node, double bytes[TIME_BINS])
{
	bool whole = talkers->pairs.rest.packets == 0;

	memset(bytes, 0, TIME_BINS * sizeof(*bytes));
	for (size_t i = 0; i < talkers->pairs.pairs; i++)
		if (talkers->pairs.cells[i].src == node || talkers->pairs.cells[i].dst == node)
			whole = talkers_pair_over_time(talkers, i, bytes) && whole;
	return whole;
}

int64_t talkers_bin_begin(const struct talkers *talkers, size_t bin)
{
	return (int64_t)unsigned_ticks(
		(int64_t)((talkers->over_time.first + bin) << talkers->over_time.shift));
}

void talkers_close(struct talkers *talkers)
{
	matrix_clear(&talkers->pairs);
	time_rows_close(&talkers->over_time);
	tr_names_clear(&talkers->names);
	free(talkers->roles);
	*talkers = (struct talkers){.role_count = 0};
}
