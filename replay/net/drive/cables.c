// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/cables.h"

#include "value/ticks.h"

#define TIME_MOST (INT64_MAX >> 32) // of a byte, in ticks

static enum tr_status cables_check(const struct net_cables *cables, const char *kind,
				   struct tr_error *err)
{
	if (cables->rate_bps.num <= 0)
		return tr_fail(err, "%s: rate: expected a rate above zero", kind);
	if (cables->speed_mps.num <= 0)
		return tr_fail(err, "%s: speed: expected a speed above zero", kind);
	return TR_OK;
}

// Seconds of a byte and of the propagation on a cable; false where they do not fit.
static bool cables_seconds(const struct net_cables *cables, const struct net_cable *cable,
			   struct num_ratio *byte_s, struct num_ratio *propagation_s)
{
	const struct num_ratio rate = cable->rate_bps.den != 0 ? cable->rate_bps : cables->rate_bps;
	const struct num_ratio speed = cables->speed_mps, length = cable->length_m;

	*propagation_s = cables->propagation_s;
	if (rate.num <= 0 || !num_ratio_make((__int128)8 * rate.den, rate.num, byte_s))
		return false;
	return length.den == 0 || num_ratio_make((__int128)length.num * speed.den,
						 (__int128)length.den * speed.num, propagation_s);
}

enum tr_status net_cables_clock(const struct net_cables *cables, const char *kind,
				const struct net_topology *topology, uint64_t base_ticks_per_s,
				uint64_t *ticks_per_s, struct tr_error *err)
{
	struct num_ratio byte_s, propagation_s;

	*ticks_per_s = base_ticks_per_s;
	if (cables_check(cables, kind, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < topology->cable_count; i++)
		if (!cables_seconds(cables, &topology->cables[i], &byte_s, &propagation_s) ||
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)byte_s.den, ticks_per_s) ||
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)propagation_s.den, ticks_per_s))
			return tr_fail(err,
				       "%s: no clock has whole ticks for a byte and the "
				       "propagation on cable %zu",
				       kind, i);
	return TR_OK;
}

enum tr_status net_cables_times(const struct net_cables *cables, const char *kind,
				const struct net_cable *cable, uint64_t ticks_per_s,
				struct net_cable_times *times, struct tr_error *err)
{
	struct num_ratio byte_s, propagation_s;

	if (cables_check(cables, kind, err) != TR_OK)
		return TR_ERROR;
	if (!cables_seconds(cables, cable, &byte_s, &propagation_s))
		return tr_fail(err, "%s: a cable's rate or length is out of range", kind);
	if (tr_ticks_exact(byte_s, ticks_per_s, &times->byte_ticks, err) != TR_OK ||
	    tr_ticks_exact(propagation_s, ticks_per_s, &times->propagation_ticks, err) != TR_OK)
		return TR_ERROR;
	if (times->byte_ticks > TIME_MOST || times->propagation_ticks > INT64_MAX / 8)
		return tr_fail(err, "%s: a time is too long for the clock", kind);
	return TR_OK;
}
