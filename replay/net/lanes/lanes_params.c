// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/lanes/lanes_params.h"

#include "net/priorities.h"
#include "value/ticks.h"

#define BUFFER_MOST 65535u
#define SENDS_MOST 64u
#define FLIT_MOST 65536u

const struct lanes_params lanes_params_usual = {
	.hold = NET_HOLD_USUAL,
	.switching = LANES_WORMHOLE,
	.lanes = 1,
	.buffer_flits = 8,
	.flit_B = 1,
	.rate_bps = {8000000, 1},
	.timeout_s = {0, 1},
	.pipeline = {.allocation = 1, .header = 1, .traversal = 1, .link = 2, .credit = 3},
	.lane_order = LANES_ROUND_ROBIN,
	.link_order = LANES_ISLIP,
	.iterations = 1,
	.input_speedup = 1,
	.output_speedup = 1,
	.sends = 1,
	.classes = 1,
	.search = 1024,
};

static enum tr_status check_counts(const struct lanes_params *params, struct tr_error *err)
{
	const struct lanes_pipeline *pipeline = &params->pipeline;
	const struct {
		const char *key;
		uint64_t value, least, most;
	} rows[] = {
		{"lanes", params->lanes, 1, LANES_MOST},
		{"buffer", params->buffer_flits, 1, BUFFER_MOST},
		{"flit", params->flit_B, 1, FLIT_MOST},
		{"sends", params->sends, 1, SENDS_MOST},
		{"input-speedup", params->input_speedup, 1, LANES_MOST},
		{"output-speedup", params->output_speedup, 1, LANES_MOST},
		{"classes", params->classes, 1, NET_PRIORITIES},
		{"iterations", params->iterations, 0, UINT32_MAX},
		{"search", params->search, 1, UINT32_MAX / 2},
		{"routing", pipeline->routing, 0, LANES_CYCLES_MOST},
		{"allocation", pipeline->allocation, 0, LANES_CYCLES_MOST},
		{"header", pipeline->header, 1, LANES_CYCLES_MOST},
		{"arbitration", pipeline->arbitration, 0, LANES_CYCLES_MOST},
		{"traversal", pipeline->traversal, 0, LANES_CYCLES_MOST},
		{"link", pipeline->link, 1, LANES_CYCLES_MOST},
		{"credit", pipeline->credit, 1, LANES_CYCLES_MOST},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].value < rows[i].least || rows[i].value > rows[i].most)
			return tr_fail(err, "lanes: %s: expected %llu to %llu", rows[i].key,
				       (unsigned long long)rows[i].least,
				       (unsigned long long)rows[i].most);
	return TR_OK;
}

static enum tr_status lanes_params_check(const struct lanes_params *params, struct tr_error *err)
{
	const struct lanes_pipeline *pipeline = &params->pipeline;

	if (check_counts(params, err) != TR_OK)
		return TR_ERROR;
	if ((params->input_speedup & (params->input_speedup - 1)) != 0)
		return tr_fail(err, "lanes: input-speedup: expected a power of 2");
	if (params->rate_bps.num <= 0)
		return tr_fail(err, "lanes: rate: expected a rate above zero");
	if (params->is.shared && !params->is.empty)
		return tr_fail(err,
			       "lanes: share: a lane that both directions share needs reuse=empty");
	if (params->search <= pipeline->arbitration + pipeline->traversal + pipeline->link ||
	    params->search <= pipeline->credit)
		return tr_fail(
			err,
			"lanes: search: expected more cycles than a flit or a credit is under way");
	if (params->switching == LANES_CIRCUIT &&
	    (params->lanes != 1 || !params->is.inside || params->is.quick))
		return tr_fail(
			err,
			"lanes: switching: circuits need lanes=1, hosts=switch and ejection=cycle");
	if (params->link_order == LANES_INPUTS &&
	    (params->queues != LANES_FIFO || params->is.shared || params->is.from_lane))
		return tr_fail(err, "lanes: link-order: inputs needs queues=fifo, share=no and "
				    "crossbar=port; type link-order=islip");
	if (params->output_speedup > 1 && (params->queues != LANES_FIFO ||
					   params->switching == LANES_CIRCUIT || params->is.shared))
		return tr_fail(err, "lanes: output-speedup: expected 1 with queues=virtual or "
				    "output, switching=circuit or share=yes");
	if (params->queues != LANES_FIFO &&
	    (params->switching == LANES_CIRCUIT || params->is.shared))
		return tr_fail(err,
			       "lanes: queues: expected fifo with switching=circuit or share=yes");
	return TR_OK;
}

// Seconds of a cycle; false where they do not fit.
static bool cycle_seconds(const struct lanes_params *params, struct num_ratio *seconds)
{
	return num_ratio_make((__int128)8 * (int64_t)params->flit_B * params->rate_bps.den,
			      params->rate_bps.num, seconds);
}

enum tr_status lanes_clock(const void *context, const struct net_topology *topology,
			   uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err)
{
	const struct lanes_params *params = context;
	struct net_priorities priorities;
	struct num_ratio seconds;

	*ticks_per_s = base_ticks_per_s;
	if (lanes_params_check(params, err) != TR_OK ||
	    net_priorities_read(&priorities, "lanes", params->priority, topology, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < topology->cable_count; i++)
		if (topology->cables[i].rate_bps.den != 0)
			return tr_fail(err,
				       "lanes: cable %zu has a rate of its own; a cycle is a "
				       "flit's time on every cable",
				       i);
	if (!cycle_seconds(params, &seconds) ||
	    !tr_ticks_lcm(base_ticks_per_s, (uint64_t)seconds.den, ticks_per_s))
		return tr_fail(err, "lanes: rate: no clock has whole ticks for a flit");
	return TR_OK;
}

enum tr_status lanes_cycle_ticks(const struct lanes_params *params, uint64_t ticks_per_s,
				 int64_t *ticks, struct tr_error *err)
{
	struct num_ratio seconds;

	if (!cycle_seconds(params, &seconds))
		return tr_fail(err, "lanes: rate: out of range");
	return tr_ticks_exact(seconds, ticks_per_s, ticks, err);
}
