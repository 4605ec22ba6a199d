// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/pulse_bursts.h"

#include <stdlib.h>

#include "stat/window_search.h"
#include "trace/ticks.h"

#define STEP_PER_S 40 // windows are 1/40 s apart
#define FIRST_STEP 2
#define LAST_STEP 200

void pulse_bursts_set(struct pulse_bursts *bursts, int64_t window_ticks, uint64_t ticks_per_s)
{
	struct burst_windows *list = &bursts->windows;

	list->count = 0;
	if (window_ticks > 0)
		list->ticks[list->count++] = window_ticks;
	for (uint64_t step = FIRST_STEP; window_ticks == 0 && step <= LAST_STEP; step++) {
		int64_t ticks = tr_mul_div_floor((int64_t)step, ticks_per_s, STEP_PER_S);

		if (ticks > (list->count ? list->ticks[list->count - 1] : 0))
			list->ticks[list->count++] = ticks;
		if (step == STEP_PER_S)
			bursts->chosen = list->count - 1;
	}
}

static enum tr_status reserve(struct pulse_bursts *bursts, uint32_t node, struct tr_error *err)
{
	size_t count = bursts->count ? bursts->count : 16;

	if (node < bursts->count)
		return TR_OK;
	while (count <= node)
		count *= 2;
	struct burst(*more)[PULSE_CLASSES] = reallocarray(bursts->nodes, count, sizeof(*bursts->nodes));

	if (!more)
		return tr_no_memory(err, "the bursts of %zu nodes", count);
	for (size_t i = bursts->count; i < count; i++)
		more[i][PULSE_DATA] = more[i][PULSE_OVERHEAD] = (struct burst){.packets = 0};
	bursts->nodes = more;
	bursts->count = count;
	return TR_OK;
}

enum tr_status pulse_bursts_add(struct pulse_bursts *bursts, uint32_t node, enum pulse_class class, int64_t ticks,
				uint64_t size_bytes, struct tr_error *err)
{
	if (reserve(bursts, node, err) != TR_OK)
		return TR_ERROR;
	struct burst *burst = &bursts->nodes[node][class];

	if (!burst->list && burst_open(burst, &bursts->windows, err) != TR_OK)
		return TR_ERROR;
	burst_add(burst, ticks, size_bytes);
	return TR_OK;
}

void pulse_bursts_choose(struct pulse_bursts *bursts)
{
	struct window_curve curve = {.streams = 0};

	if (bursts->windows.count < 2)
		return;
	for (size_t i = 0; i < bursts->count; i++)
		for (int class = 0; class < PULSE_CLASSES; class ++)
			if (bursts->nodes[i][class].list)
				window_curve_add(&curve, &bursts->nodes[i][class]);
	bursts->no_plateau = !window_search(&curve, &bursts->windows, &bursts->chosen);
}

void pulse_bursts_pool(const struct pulse_bursts *bursts, uint32_t node, enum pulse_class class, struct burst_statistics *into)
{
	struct burst_statistics own;

	if (node >= bursts->count || !bursts->nodes[node][class].list)
		return;
	own = burst_get(&bursts->nodes[node][class], bursts->chosen);
	burst_statistics_merge(into, &own);
}

void pulse_bursts_clear(struct pulse_bursts *bursts)
{
	for (size_t i = 0; i < bursts->count; i++)
		for (int class = 0; class < PULSE_CLASSES; class ++)
			if (bursts->nodes[i][class].list)
				burst_close(&bursts->nodes[i][class]);
	free(bursts->nodes);
	*bursts = (struct pulse_bursts){.count = 0};
}
