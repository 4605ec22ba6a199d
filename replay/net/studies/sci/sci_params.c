// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/sci_params.h"

#include <stddef.h>

#include "value/ticks.h"

#define MOST_PER_S 1000 // no time is above a thousandth of a second
#define COUNT_MOST (1u << 28)

const struct sci_params sci_params_usual = {
	.propagation_s = {7, 1000000000},
	.forwarding_s = {60, 1000000000},
	.switching_s = {670, 1000000000},
	.overhead_s = {2085, 1000000000},
	.overhead_B_s = {116, INT64_C(10000000000)},
	.symbol_s = {5, 1000000000},
	.pci_bps = {0, 1},
	.blink_bps = {0, 1},
	.timeout_s = {0, 1},
	.packets_max = 1u << 22,
};

#define ROW(key, name, above_zero) \
	{ \
		key, offsetof(struct sci_params, name##_s), offsetof(struct sci_times, name), \
			above_zero, false \
	}
#define RATE(name) \
	{ \
#name, offsetof(struct sci_params, name##_bps), \
			offsetof(struct sci_times, name##_B), false, true \
	}

// The times: the keys, their place in both structs, whether 0 is out of range, and whether the key
// is a rate of b/s, whose time is that of a byte.
static const struct {
	const char *key;
	size_t param_bytes;
	size_t time_bytes;
	bool above_zero;
	bool is_rate;
} rows[] = {
	ROW("propagation", propagation, true),
	ROW("forwarding", forwarding, false),
	ROW("switching", switching, false),
	ROW("overhead", overhead, false),
	ROW("overhead-byte", overhead_B, false),
	ROW("symbol", symbol, true),
	RATE(pci),
	RATE(blink),
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static struct num_ratio sci_params_time_of(const struct sci_params *params, size_t row)
{
	const struct num_ratio value = *(
		const struct num_ratio *)(const void *)((const char *)params +
							rows[row].param_bytes);
	struct num_ratio byte_s = {0, 1};

	if (!rows[row].is_rate)
		return value;
	if (value.num > 0)
		num_ratio_make((__int128)8 * value.den, value.num, &byte_s);
	return byte_s;
}

static enum tr_status sci_params_check(const struct sci_params *params, struct tr_error *err)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct num_ratio time_s = sci_params_time_of(params, i);

		if (rows[i].above_zero && time_s.num <= 0)
			return tr_fail(err, "sci: %s: expected a time above zero", rows[i].key);
		if ((__int128)time_s.num * MOST_PER_S > time_s.den)
			return tr_fail(err,
				       rows[i].is_rate ? "sci: %s: expected 0 or at least 8 kb/s"
						       : "sci: %s: expected at most 1 ms",
				       rows[i].key);
	}
	if (params->packets_max == 0 || params->packets_max > COUNT_MOST)
		return tr_fail(err, "sci: packets: expected 1 to %u", COUNT_MOST);
	return params->reads <= 100 ? TR_OK : tr_fail(err, "sci: reads: expected 0 to 100");
}

enum tr_status sci_clock(const struct sci_params *params, uint64_t base_ticks_per_s,
			 uint64_t *ticks_per_s, struct tr_error *err)
{
	*ticks_per_s = base_ticks_per_s;
	if (sci_params_check(params, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < ROWS; i++)
		if (!tr_ticks_lcm(*ticks_per_s, (uint64_t)sci_params_time_of(params, i).den,
				  ticks_per_s))
			return tr_fail(err, "sci: %s: no clock has whole ticks for it",
				       rows[i].key);
	return TR_OK;
}

enum tr_status sci_times_find(const struct sci_params *params, uint64_t ticks_per_s,
			      struct sci_times *times, struct tr_error *err)
{
	struct tr_error why;

	if (sci_params_check(params, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < ROWS; i++) {
		int64_t *ticks = (int64_t *)(void *)((char *)times + rows[i].time_bytes);

		if (tr_ticks_exact(sci_params_time_of(params, i), ticks_per_s, ticks, &why) !=
		    TR_OK)
			return tr_fail(err, "sci: %s: %s", rows[i].key, why.text);
	}
	return TR_OK;
}
