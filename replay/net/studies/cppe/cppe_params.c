// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/cppe/cppe_params.h"

#include <stddef.h>

#include "value/ticks.h"

#define PACKET_MOST (UINT64_C(1) << 24)
#define HELD_MOST (UINT32_MAX / 2)
#define TICKS_MOST (INT64_MAX >> 24) // of one time; 15 s at 36 GHz

// A packet takes as long as a hop: 64 B at 51.2 Mb/s.
const struct cppe_params cppe_params_usual = {
	.technique = CPPE_PATH,
	.delay_s = {1, 100000},
	.local_s = {0, 1},
	.rate_bps = {51200000, 1},
	.packet_B = 64,
	.header_B = 4,
	.startup_message_s = {0, 1},
	.startup_packet_s = {0, 1},
	.timeout_s = {0, 1},
	.quantum_s = {1, 100000},
	.held_max = 1u << 22,
};

// A time of the parameters: its key, and where it is in ticks.
struct cppe_params_time_row {
	const char *key;
	size_t seconds, ticks;
	unsigned techniques; // bits of those that use it
	bool above_zero;
};

#define ROW(key, member, ticks, techniques, above_zero) \
	{ \
		key, offsetof(struct cppe_params, member), offsetof(struct cppe_times, ticks), \
			techniques, above_zero \
	}

#define BIT(technique) (1u << (technique))

static const struct cppe_params_time_row rows[] = {
	ROW("delay", delay_s, hop_ticks, BIT(CPPE_PATH) | BIT(CPPE_PACKET), true),
	ROW("local", local_s, local_ticks, BIT(CPPE_PATH) | BIT(CPPE_PACKET) | BIT(CPPE_STORE),
	    false),
	ROW("startup-message", startup_message_s, message_ticks, BIT(CPPE_STORE), false),
	ROW("startup-packet", startup_packet_s, startup_packet_ticks, BIT(CPPE_STORE), false),
	ROW("quantum", quantum_s, quantum_ticks, BIT(CPPE_STORE), true),
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static struct num_ratio seconds_of(const struct cppe_params *params,
				   const struct cppe_params_time_row *row)
{
	return *(const struct num_ratio *)((const char *)params + row->seconds);
}

static bool cppe_params_is_used(const struct cppe_params *params,
				const struct cppe_params_time_row *row)
{
	return (row->techniques >> params->technique & 1u) != 0;
}

static enum tr_status cppe_params_check(const struct cppe_params *params, struct tr_error *err)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].above_zero && cppe_params_is_used(params, &rows[i]) &&
		    seconds_of(params, &rows[i]).num <= 0)
			return tr_fail(err, "cppe: %s: expected a time above zero", rows[i].key);
	if (params->held_max == 0 || params->held_max > HELD_MOST)
		return tr_fail(err, "cppe: held: expected 1 to %u", HELD_MOST);
	if (params->technique != CPPE_STORE)
		return TR_OK;
	if (params->rate_bps.num <= 0)
		return tr_fail(err, "cppe: rate: expected a rate above zero");
	if (params->packet_B == 0 || params->packet_B > PACKET_MOST)
		return tr_fail(err, "cppe: packet: expected 1 B to 16 MiB");
	if (params->header_B >= params->packet_B)
		return tr_fail(err, "cppe: header: expected less than the packet's %llu B",
			       (unsigned long long)params->packet_B);
	return TR_OK;
}

// Seconds of a packet on a cable; false where they do not fit.
static bool packet_seconds(const struct cppe_params *params, const struct net_cable *cable,
			   struct num_ratio *seconds)
{
	const struct num_ratio rate = cable->rate_bps.den != 0 ? cable->rate_bps : params->rate_bps;

	return rate.num > 0 && num_ratio_make((__int128)8 * (int64_t)params->packet_B * rate.den,
					      rate.num, seconds);
}

enum tr_status cppe_clock(const void *context, const struct net_topology *topology,
			  uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err)
{
	const struct cppe_params *params = context;
	struct num_ratio seconds;

	*ticks_per_s = base_ticks_per_s;
	if (cppe_params_check(params, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < ROWS; i++)
		if (cppe_params_is_used(params, &rows[i]) &&
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)seconds_of(params, &rows[i]).den,
				  ticks_per_s))
			return tr_fail(err, "cppe: %s: no clock has whole ticks for it",
				       rows[i].key);
	for (size_t i = 0; params->technique == CPPE_STORE && i < topology->cable_count; i++)
		if (!packet_seconds(params, &topology->cables[i], &seconds) ||
		    !tr_ticks_lcm(*ticks_per_s, (uint64_t)seconds.den, ticks_per_s))
			return tr_fail(
				err,
				"cppe: rate: no clock has whole ticks for a packet on cable %zu",
				i);
	return TR_OK;
}

static enum tr_status find_ticks(const char *key, struct num_ratio seconds, uint64_t ticks_per_s,
				 int64_t *ticks, struct tr_error *err)
{
	struct tr_error why;

	if (tr_ticks_exact(seconds, ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(err, "cppe: %s: %s", key, why.text);
	if (*ticks > TICKS_MOST)
		return tr_fail(err, "cppe: %s: lasts more than %lld ticks", key,
			       (long long)TICKS_MOST);
	return TR_OK;
}

enum tr_status cppe_times_find(struct cppe_times *times, const struct cppe_params *params,
			       uint64_t ticks_per_s, struct tr_error *err)
{
	*times = (struct cppe_times){.data_B = 1};
	if (cppe_params_check(params, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < ROWS; i++)
		if (cppe_params_is_used(params, &rows[i]) &&
		    find_ticks(rows[i].key, seconds_of(params, &rows[i]), ticks_per_s,
			       (int64_t *)((char *)times + rows[i].ticks), err) != TR_OK)
			return TR_ERROR;
	if (params->technique == CPPE_STORE)
		times->data_B = (uint32_t)(params->packet_B - params->header_B);
	return TR_OK;
}

enum tr_status cppe_packet_ticks(const struct cppe_params *params, const struct net_cable *cable,
				 uint64_t ticks_per_s, int64_t *ticks, struct tr_error *err)
{
	struct num_ratio seconds;

	if (!packet_seconds(params, cable, &seconds))
		return tr_fail(err, "cppe: rate: out of range");
	return find_ticks("rate", seconds, ticks_per_s, ticks, err);
}
