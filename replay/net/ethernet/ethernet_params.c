// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_params.h"

#include "net/ethernet/ethernet_pause.h"
#include "value/ticks.h"

#define MTU_MOST (1u << 24)

// A gigabit switch; the buffer, its share and the times are ours.
const struct ethernet_params ethernet_params_usual = {
	.hold = NET_HOLD_USUAL,
	.cables = {.rate_bps = {1000000000, 1},
		   .propagation_s = {25, 1000000000},
		   .speed_mps = {200000000, 1}},
	.latency_s = {1, 1000000},
	.buffer_B = 524288,
	.alpha = {1, 1},
	.marks = {.from_B = 5000, .to_B = 200000, .most = {1, 100}, .seed = 1},
	.pause = {.xoff = "auto",
		  .xon = "auto",
		  .headroom = "auto",
		  .response = "auto",
		  .quanta = 65535},
	.mtu_B = 1500,
	.timeout_s = {0, 1},
};

static enum tr_status ethernet_params_check(const struct ethernet_params *params,
					    struct tr_error *err)
{
	if (params->alpha.num <= 0)
		return tr_fail(err, "ethernet: alpha: expected a number above zero");
	if (params->buffer_B > UINT32_MAX)
		return tr_fail(
			err,
			"ethernet: buffer: expected less than 4 GiB, or 0 for one without bound");
	if (params->marks.to_B < params->marks.from_B || params->marks.to_B > UINT32_MAX)
		return tr_fail(err, "ethernet: kmax: expected kmin to 4 GiB");
	if (params->marks.most.num < 0 || params->marks.most.num > params->marks.most.den ||
	    params->marks.most.den > INT32_MAX)
		return tr_fail(err, "ethernet: pmax: expected 0 to 1");
	if (params->cut_B > 0 && params->cut_B < ETHERNET_HEADER_B)
		return tr_fail(
			err, "ethernet: cut-through: expected 0, or the 14 B of a header or more");
	if (params->mtu_B == 0 || params->mtu_B > MTU_MOST)
		return tr_fail(err, "ethernet: mtu: expected 1 B to 16 MiB");
	return TR_OK;
}

enum tr_status ethernet_clock(const void *context, const struct net_topology *topology,
			      uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
			      struct tr_error *err)
{
	const struct ethernet_params *params = context;
	struct ethernet_priorities priorities;
	struct ethernet_pause_keys pauses;

	if (ethernet_params_check(params, err) != TR_OK ||
	    ethernet_priorities_read(&priorities, &params->priority, topology, err) != TR_OK ||
	    ethernet_pause_read(&pauses, params, priorities.used, err) != TR_OK)
		return TR_ERROR;
	if (!tr_ticks_lcm(base_ticks_per_s, (uint64_t)params->latency_s.den, ticks_per_s))
		return tr_fail(err, "ethernet: latency: no clock has whole ticks for it");
	return net_cables_clock(&params->cables, "ethernet", topology, *ticks_per_s, ticks_per_s,
				err);
}

enum tr_status ethernet_latency(const struct ethernet_params *params, uint64_t ticks_per_s,
				int64_t *latency_ticks, struct tr_error *err)
{
	if (ethernet_params_check(params, err) != TR_OK ||
	    tr_ticks_exact(params->latency_s, ticks_per_s, latency_ticks, err) != TR_OK)
		return TR_ERROR;
	if (*latency_ticks > INT64_MAX / 8)
		return tr_fail(err, "ethernet: a time is too long for the clock");
	return TR_OK;
}
