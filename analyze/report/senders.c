// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/senders.h"

#include <stdlib.h>
#include <string.h>

#include "trace/ticks.h"

#define WINDOWS 199u      // .05, .075, ..., 5 s
#define WINDOW_1_S 38u    // the one of 1 s

enum tr_status senders_open(struct senders *senders, uint64_t ticks_per_s, struct tr_error *err)
{
	memset(senders, 0, sizeof *senders);
	senders->windows.count = WINDOWS;
	senders->matrix.max_pairs = SENDERS_PAIRS;
	for (int64_t i = 0; i < (int64_t)WINDOWS; i++) {
		struct num_ratio seconds = {2 + i, 40};

		if (tr_ticks_round(seconds, ticks_per_s, &senders->windows.ticks[i], err) != TR_OK)
			return TR_ERROR;
		// Where ticks are coarse, windows must still rise.
		if (senders->windows.ticks[i] <= (i ? senders->windows.ticks[i - 1] : 0))
			senders->windows.ticks[i] = (i ? senders->windows.ticks[i - 1] : 0) + 1;
	}
	return TR_OK;
}

// Room for the node, where it is one of those that are kept.
static enum tr_status reserve(struct senders *senders, uint32_t node, struct tr_error *err)
{
	size_t count = senders->node_count ? 2 * senders->node_count : 16;
	struct sender *more;

	if (node < senders->node_count || node >= SENDERS_NODES)
		return TR_OK;
	while (count <= node)
		count *= 2;
	more = reallocarray(senders->nodes, count, sizeof *more);
	if (!more || role_reserve(&senders->finder, count, err) != TR_OK) {
		senders->nodes = more ? more : senders->nodes;
		return tr_fail(err, "no memory for %zu nodes", count);
	}
	memset(more + senders->node_count, 0, (count - senders->node_count) * sizeof *more);
	senders->nodes = more;
	senders->node_count = count;
	return TR_OK;
}

static enum tr_status add_burst(struct senders *senders, const struct tr_packet *packet,
				struct tr_error *err)
{
	unsigned class = packet->class < SENDERS_CLASSES ? packet->class : TR_CLASS_NONE;
	struct burst **burst;

	if (packet->src >= SENDERS_NODES) {
		senders->left_out++;
		return TR_OK;
	}
	burst = &senders->nodes[packet->src].bursts[class];
	if (!*burst) {
		*burst = calloc(1, sizeof **burst);
		if (!*burst || burst_open(*burst, &senders->windows, err) != TR_OK)
			return tr_fail(err, "no memory for the bursts of node %u", packet->src);
	}
	burst_add(*burst, packet->time_ticks, packet->payload_bytes);
	return TR_OK;
}

enum tr_status senders_add(struct senders *senders, const struct tr_packet *packet,
			   struct tr_error *err)
{
	if (reserve(senders, packet->src, err) != TR_OK || reserve(senders, packet->dst, err) != TR_OK ||
	    matrix_reserve(&senders->matrix, err) != TR_OK)
		return TR_ERROR;
	matrix_add(&senders->matrix, packet->src, packet->dst, 1, packet->payload_bytes);
	if (packet->class != TR_CLASS_OVERHEAD)
		role_add(&senders->finder, packet->src, packet->dst, packet->payload_bytes);
	return add_burst(senders, packet, err);
}

bool senders_window(const struct senders *senders, struct window_curve *curve, size_t *chosen)
{
	memset(curve, 0, sizeof *curve);
	for (size_t i = 0; i < senders->node_count; i++)
		for (unsigned class = 0; class < SENDERS_CLASSES; class++)
			if (senders->nodes[i].bursts[class])
				window_curve_add(curve, senders->nodes[i].bursts[class]);
	*chosen = WINDOW_1_S;
	return window_search(curve, &senders->windows, chosen);
}

struct burst_statistics senders_bursts(const struct senders *senders, const enum tr_role *roles,
				       enum tr_role role, unsigned class, size_t window,
				       size_t *streams)
{
	struct burst_statistics all = {0};

	*streams = 0;
	for (size_t i = 0; i < senders->node_count; i++) {
		const struct burst *burst = senders->nodes[i].bursts[class];
		struct burst_statistics own;

		if (!burst || roles[i] != role)
			continue;
		own = burst_get(burst, window);
		burst_statistics_merge(&all, &own);
		++*streams;
	}
	return all;
}

void senders_close(struct senders *senders)
{
	for (size_t i = 0; i < senders->node_count; i++)
		for (unsigned class = 0; class < SENDERS_CLASSES; class++) {
			struct burst *burst = senders->nodes[i].bursts[class];

			if (burst)
				burst_close(burst);
			free(burst);
		}
	free(senders->nodes);
	matrix_clear(&senders->matrix);
	role_clear(&senders->finder);
	senders->nodes = NULL;
	senders->node_count = 0;
}
