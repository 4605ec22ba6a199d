// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_params.h"

#include "net/routes/choices.h"
#include "value/ticks.h"

#define BUFFER_MOST (UINT64_C(1) << 24)

const struct switched_params switched_params_usual = {
	.hold = NET_HOLD_USUAL,
	.switching = SWITCHED_CUT_THROUGH,
	.rate_bps = {8000000, 1},
	.timeout_s = {0, 1},
	.header_B = 3,
	.buffer_B = 2000,
};

struct num_ratio switched_cable_rate(const struct switched_params *params,
				     const struct net_cable *cable)
{
	return cable->rate_bps.den != 0 ? cable->rate_bps : params->rate_bps;
}

static enum tr_status switched_params_check(const struct switched_params *params,
					    struct tr_error *err)
{
	if (params->rate_bps.num <= 0)
		return tr_fail(err, "switched: rate: expected a rate above zero");
	if (params->header_B == 0 || params->header_B > BUFFER_MOST)
		return tr_fail(err, "switched: header: expected 1 B to 16 MiB");
	if (params->buffer_B < params->header_B || params->buffer_B > BUFFER_MOST)
		return tr_fail(err, "switched: buffer: expected the header's %llu B to 16 MiB",
			       (unsigned long long)params->header_B);
	if (params->pool_B > UINT32_MAX / 2)
		return tr_fail(err, "switched: pool: expected less than 2 GiB");
	if (params->pool_B > 0 && params->switching != SWITCHED_STORE)
		return tr_fail(err, "switched: pool: only with switching=store, where a packet is "
				    "whole before it is sent on");
	return TR_OK;
}

// Seconds of a byte; false where they do not fit.
static bool byte_seconds(const struct switched_params *params, const struct net_cable *cable,
			 struct num_ratio *seconds)
{
	const struct num_ratio rate = switched_cable_rate(params, cable);

	return rate.num > 0 && num_ratio_make((__int128)8 * rate.den, rate.num, seconds);
}

enum tr_status switched_clock(const void *context, const struct net_topology *topology,
			      uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
			      struct tr_error *err)
{
	const struct switched_params *params = context;
	struct num_ratio seconds;

	*ticks_per_s = base_ticks_per_s;
	if (switched_params_check(params, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < topology->cable_count; i++)
		if (!byte_seconds(params, &topology->cables[i], &seconds) ||
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)seconds.den, ticks_per_s))
			return tr_fail(
				err,
				"switched: rate: no clock has whole ticks for a byte on cable %zu",
				i);
	return TR_OK;
}

enum tr_status switched_byte_ticks(const struct switched_params *params,
				   const struct net_cable *cable, uint64_t ticks_per_s,
				   int64_t *ticks, struct tr_error *err)
{
	struct num_ratio seconds;

	if (!byte_seconds(params, cable, &seconds))
		return tr_fail(err, "switched: rate: out of range");
	return tr_ticks_exact(seconds, ticks_per_s, ticks, err);
}

enum switched_grant switched_granted(const struct switched_params *params,
				     const struct net_routes *routes)
{
	if (params->grant != SWITCHED_GRANT_ROUTES)
		return params->grant;
	if (!routes->choices || !net_choices_empty_needed(routes->choices))
		return SWITCHED_GRANT_ROOM;
	return params->switching == SWITCHED_WORMHOLE ? SWITCHED_GRANT_EMPTY
						      : SWITCHED_GRANT_PACKET;
}
