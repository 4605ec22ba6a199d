// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_params.h"

#include "value/ticks.h"

#define MTU_MOST (1u << 24)
#define TIME_MOST (INT64_MAX >> 32) // of a byte, in ticks: a frame's time fits

// A gigabit switch; the buffer, its share and the times are ours.
const struct ethernet_params ethernet_params_usual = {
	.rate_bps = {1000000000, 1},
	.propagation_s = {25, 1000000000},
	.speed_mps = {200000000, 1},
	.latency_s = {1, 1000000},
	.buffer_B = 524288,
	.alpha = {1, 1},
	.mtu_B = 1500,
	.timeout_s = {0, 1},
};

struct num_ratio ethernet_cable_rate(const struct ethernet_params *params,
				     const struct net_cable *cable)
{
	return cable->rate_bps.den != 0 ? cable->rate_bps : params->rate_bps;
}

static enum tr_status ethernet_params_check(const struct ethernet_params *params,
					    struct tr_error *err)
{
	if (params->rate_bps.num <= 0)
		return tr_fail(err, "ethernet: rate: expected a rate above zero");
	if (params->speed_mps.num <= 0)
		return tr_fail(err, "ethernet: speed: expected a speed above zero");
	if (params->alpha.num <= 0)
		return tr_fail(err, "ethernet: alpha: expected a number above zero");
	if (params->buffer_B > UINT32_MAX)
		return tr_fail(
			err,
			"ethernet: buffer: expected less than 4 GiB, or 0 for one without bound");
	if (params->mtu_B == 0 || params->mtu_B > MTU_MOST)
		return tr_fail(err, "ethernet: mtu: expected 1 B to 16 MiB");
	return TR_OK;
}

// Seconds of a byte and of the propagation on a cable; false where they do not fit.
static bool cable_seconds(const struct ethernet_params *params, const struct net_cable *cable,
			  struct num_ratio *byte_s, struct num_ratio *propagation_s)
{
	const struct num_ratio rate = ethernet_cable_rate(params, cable), speed = params->speed_mps,
			       length = cable->length_m;

	*propagation_s = params->propagation_s;
	if (rate.num <= 0 || !num_ratio_make((__int128)8 * rate.den, rate.num, byte_s))
		return false;
	return length.den == 0 || num_ratio_make((__int128)length.num * speed.den,
						 (__int128)length.den * speed.num, propagation_s);
}

enum tr_status ethernet_clock(const struct ethernet_params *params,
			      const struct net_topology *topology, uint64_t base_ticks_per_s,
			      uint64_t *ticks_per_s, struct tr_error *err)
{
	struct num_ratio byte_s, propagation_s;

	if (ethernet_params_check(params, err) != TR_OK)
		return TR_ERROR;
	if (!tr_ticks_lcm(base_ticks_per_s, (uint64_t)params->latency_s.den, ticks_per_s))
		return tr_fail(err, "ethernet: latency: no clock has whole ticks for it");
	for (size_t i = 0; i < topology->cable_count; i++)
		if (!cable_seconds(params, &topology->cables[i], &byte_s, &propagation_s) ||
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)byte_s.den, ticks_per_s) ||
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)propagation_s.den, ticks_per_s))
			return tr_fail(err,
				       "ethernet: no clock has whole ticks for a byte and the "
				       "propagation on cable %zu",
				       i);
	return TR_OK;
}

enum tr_status ethernet_times(const struct ethernet_params *params, const struct net_cable *cable,
			      uint64_t ticks_per_s, struct ethernet_cable *times,
			      int64_t *latency_ticks, struct tr_error *err)
{
	struct num_ratio byte_s, propagation_s;

	if (ethernet_params_check(params, err) != TR_OK)
		return TR_ERROR;
	if (!cable_seconds(params, cable, &byte_s, &propagation_s))
		return tr_fail(err, "ethernet: a cable's rate or length is out of range");
	if (tr_ticks_exact(byte_s, ticks_per_s, &times->byte_ticks, err) != TR_OK ||
	    tr_ticks_exact(propagation_s, ticks_per_s, &times->propagation_ticks, err) != TR_OK ||
	    tr_ticks_exact(params->latency_s, ticks_per_s, latency_ticks, err) != TR_OK)
		return TR_ERROR;
	if (times->byte_ticks > TIME_MOST || times->propagation_ticks > INT64_MAX / 8 ||
	    *latency_ticks > INT64_MAX / 8)
		return tr_fail(err, "ethernet: a time is too long for the clock");
	return TR_OK;
}
