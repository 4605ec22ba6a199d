// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/talkers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tr_status talkers_open(struct talkers *talkers, struct tr_error *err)
{
	talkers->pairs.max_pairs = TALKERS_MOST;
	return time_rows_open(&talkers->over_time, 1 + TALKERS_PAIRS, err);
}

// Times as numbers that are in the same order.
static uint64_t unsigned_ticks(int64_t ticks)
{
	return (uint64_t)ticks ^ (uint64_t)1 << 63;
}

enum tr_status talkers_add_over_time(struct talkers *talkers, size_t pair, const struct tr_packet *packet, struct tr_error *err)
{
	const size_t row = pair < TALKERS_PAIRS ? 1 + pair : 0;

	if (time_rows_reserve(&talkers->over_time, row, err) != TR_OK)
		return TR_ERROR;
	time_rows_add(&talkers->over_time, row, unsigned_ticks(packet->time_ticks), 1, packet->payload_bytes);
	return TR_OK;
}

enum tr_status talkers_add(struct talkers *talkers, const struct tr_packet *packet, struct tr_error *err)
{
	size_t pair;

	if (matrix_reserve(&talkers->pairs, err) != TR_OK)
		return TR_ERROR;
	pair = matrix_add(&talkers->pairs, packet->src, packet->dst, 1, packet->payload_bytes);
	return talkers_add_over_time(talkers, pair, packet, err);
}

static enum tr_status copy_name(struct talkers *talkers, const struct tr_names *names, uint32_t node, struct tr_error *err)
{
	struct tr_name name = {.kind = TR_NAME_NODE, .id = node};

	if (!names || node >= names->node_count || !names->nodes[node].address)
		return TR_OK;
	talkers->names.limits = names->limits;
	name.role = names->nodes[node].role;
	name.text = names->nodes[node].address;
	name.text_bytes = strlen(name.text);
	return tr_names_set(&talkers->names, &name, err);
}

enum tr_status talkers_finish(struct talkers *talkers, const struct tr_names *names, const uint8_t *roles, size_t role_count,
			      struct tr_error *err)
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

// Adds the bytes of the pair at index pair over time; false if they were not kept.
static bool add_pair_over_time(const struct talkers *talkers, size_t pair, double bytes[TIME_BINS])
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
			whole = add_pair_over_time(talkers, i, bytes) && whole;
	return whole;
}

int64_t talkers_bin_begin(const struct talkers *talkers, size_t bin)
{
	return (int64_t)unsigned_ticks((int64_t)((talkers->over_time.first + bin) << talkers->over_time.shift));
}

void talkers_close(struct talkers *talkers)
{
	matrix_clear(&talkers->pairs);
	time_rows_close(&talkers->over_time);
	tr_names_clear(&talkers->names);
	free(talkers->roles);
	*talkers = (struct talkers){.role_count = 0};
}

// ---- changes

// One of the two traces, with the numbers of the joint nodes.
struct renamed {
	const struct talkers *talkers;
	struct matrix pairs;
	double all; // bytes
	double over_time[TIME_BINS];
};

static bool belongs_to_change(const struct matrix_cell *cell, const struct talker_change *change)
{
	if (change->dst == TALKER_HOST)
		return cell->src == change->src || cell->dst == change->src;
	return cell->src == change->src && cell->dst == change->dst;
}

// The bytes of a host or pair over time; false if some of them were not kept.
static bool sum_over_time(const struct renamed *renamed, const struct talker_change *change, double bytes[TIME_BINS])
{
	memset(bytes, 0, TIME_BINS * sizeof(*bytes));
	for (size_t i = 0; i < renamed->pairs.pairs; i++) {
		if (!belongs_to_change(&renamed->pairs.cells[i], change))
			continue;
		if (renamed->pairs.pairs != renamed->talkers->pairs.pairs || !add_pair_over_time(renamed->talkers, i, bytes))
			return false;
	}
	return true;
}

// How well the share of a trace is known.
static struct mean_error share_error(const struct renamed *renamed, const struct talker_change *change, double share,
				     double level)
{
	double over[TIME_BINS];

	if (!sum_over_time(renamed, change, over))
		return (struct mean_error){.known = false};
	return ratio_error_find(over, renamed->over_time, renamed->talkers->over_time.used, share, level);
}

static void find_difference(const struct renamed sides[2], struct talker_change *change, double level)
{
	struct mean_error errors[2];
	struct sample samples[2];

	change->difference = (struct interval){NAN, NAN};
	for (size_t i = 0; i < 2; i++)
		if (change->shares[i] > 0)
			errors[i] = share_error(&sides[i], change, change->shares[i], level);
	for (size_t i = 0; i < 2; i++)
		if (!(change->shares[i] > 0))
			errors[i] = (struct mean_error){.known = true, .freedom = errors[1 - i].freedom};
	if (!errors[0].known || !errors[1].known)
		return;
	for (size_t i = 0; i < 2; i++)
		samples[i] = mean_error_sample(change->shares[i], &errors[i]);
	if (samples[0].n < 2 || samples[1].n < 2)
		return;
	change->difference = sample_compare(&samples[1], &samples[0], level).interval;
}

static double shift_of(const struct talker_change *change)
{
	return fabs(change->shares[1] - change->shares[0]);
}

// Keeps a change among the largest; equal ones stay in order of their numbers.
static void keep_change(struct talker_change list[TALKERS_CHANGED], size_t *count, const struct talker_change *change)
{
	size_t at;

	if (shift_of(change) == 0 || (*count == TALKERS_CHANGED && shift_of(change) <= shift_of(&list[*count - 1])))
		return;
	*count += *count < TALKERS_CHANGED;
	for (at = *count - 1; at > 0 && shift_of(change) > shift_of(&list[at - 1]); at--)
		list[at] = list[at - 1];
	list[at] = *change;
}

static double share_of_pair(const struct renamed *side, uint32_t src, uint32_t dst)
{
	const struct matrix_cell *cell = matrix_find(&side->pairs, src, dst);

	return cell && side->all > 0 ? (double)cell->size_bytes / side->all : 0;
}

static void find_pairs(const struct renamed sides[2], struct talker_changes *out)
{
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sides[k].pairs.pairs; i++) {
			const struct matrix_cell *cell = &sides[k].pairs.cells[i];
			const struct talker_change change = {
				.src = cell->src,
				.dst = cell->dst,
				.shares = {share_of_pair(&sides[0], cell->src, cell->dst),
					   share_of_pair(&sides[1], cell->src, cell->dst)},
			};

			if (k == 0 || !matrix_find(&sides[0].pairs, cell->src, cell->dst))
				keep_change(out->pairs, &out->pair_count, &change);
		}
}

// Adds the bytes of each host to bytes[number][side].
static void sum_hosts(const struct renamed sides[2], double (*bytes)[2])
{
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sides[k].pairs.pairs; i++) {
			const struct matrix_cell *cell = &sides[k].pairs.cells[i];

			bytes[cell->src][k] += (double)cell->size_bytes;
			if (cell->dst != cell->src)
				bytes[cell->dst][k] += (double)cell->size_bytes;
		}
}

static enum tr_status find_hosts(const struct renamed sides[2], struct talker_changes *out, struct tr_error *err)
{
	double(*bytes)[2] = calloc(out->nodes.count + 1, sizeof(*bytes));

	if (!bytes)
		return tr_no_memory(err, "%zu nodes", out->nodes.count);
	sum_hosts(sides, bytes);
	for (uint32_t i = 0; i < out->nodes.count; i++) {
		struct talker_change change = {.src = i, .dst = TALKER_HOST};

		for (size_t k = 0; k < 2; k++)
			change.shares[k] = sides[k].all > 0 ? bytes[i][k] / sides[k].all : 0;
		keep_change(out->hosts, &out->host_count, &change);
	}
	free(bytes);
	return TR_OK;
}

static enum tr_status rename_side(const struct talkers *talkers, struct talker_changes *out, struct renamed *side,
				  struct tr_error *err)
{
	const struct node_side nodes = {&talkers->pairs, talkers->names.node_count ? &talkers->names : NULL, talkers->roles,
					talkers->role_count};

	*side = (struct renamed){.talkers = talkers, .all = (double)talkers->pairs.rest.size_bytes};
	for (size_t row = 0; row < talkers->over_time.row_count; row++)
		for (size_t bin = 0; talkers->over_time.rows[row].count > 0 && bin < talkers->over_time.used; bin++)
			side->over_time[bin] += (double)time_rows_sum(&talkers->over_time, row, bin);
	for (size_t i = 0; i < talkers->pairs.pairs; i++)
		side->all += (double)talkers->pairs.cells[i].size_bytes;
	return joint_nodes_add(&out->nodes, &nodes, &side->pairs, &out->basis, err);
}

enum tr_status talkers_compare(const struct talkers *before, const struct talkers *after, double level,
			       struct talker_changes *out, struct tr_error *err)
{
	struct renamed sides[2] = {{.talkers = NULL}, {.talkers = NULL}};
	enum tr_status status = TR_ERROR;

	*out = (struct talker_changes){.host_count = 0};
	if (rename_side(before, out, &sides[0], err) == TR_OK && rename_side(after, out, &sides[1], err) == TR_OK)
		status = find_hosts(sides, out, err);
	if (status == TR_OK)
		find_pairs(sides, out);
	for (size_t i = 0; i < out->host_count; i++)
		find_difference(sides, &out->hosts[i], level);
	for (size_t i = 0; i < out->pair_count; i++)
		find_difference(sides, &out->pairs[i], level);
	matrix_clear(&sides[0].pairs);
	matrix_clear(&sides[1].pairs);
	if (status != TR_OK)
		talker_changes_clear(out);
	return status;
}

const char *talker_change_word(const struct talker_change *change)
{
	if (change->shares[0] == 0)
		return "appeared";
	if (change->shares[1] == 0)
		return "vanished";
	if (isnan(change->difference.lo))
		return NULL;
	return change->difference.lo > 0 ? "more" : change->difference.hi < 0 ? "less" : "same";
}

void talker_changes_clear(struct talker_changes *changes)
{
	joint_nodes_clear(&changes->nodes);
	*changes = (struct talker_changes){.host_count = 0};
}
