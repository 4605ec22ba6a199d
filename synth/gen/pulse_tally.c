// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/pulse_tally.h"

#define GAP_BITS 7   // bins of at most 1/128 of their value
#define SIZE_BITS 15 // exact below 64 KiB
#define NODE_BITS 20 // exact below 2^21

struct pulse_tally pulse_tally_make(void)
{
	return (struct pulse_tally){.gaps = {.bits = GAP_BITS},
				    .open = {.bits = GAP_BITS},
				    .sizes = {.bits = SIZE_BITS},
				    .to = {.bits = NODE_BITS}};
}

void pulse_tally_add(struct pulse_tally *tally, const struct tr_packet *packet)
{
	if (tally->packets > 0)
		tally_add_one(&tally->gaps, (uint64_t)(packet->time_ticks - tally->last_ticks));
	tally->last_ticks = packet->time_ticks;
	tally->packets++;
	tally_add_one(&tally->sizes, packet->payload_bytes);
	tally_add_one(&tally->to, packet->dst);
	if (packet->wire_bytes > packet->payload_bytes)
		tally->header_bytes += packet->wire_bytes - packet->payload_bytes;
}

void pulse_tally_end(struct pulse_tally *tally, int64_t end_ticks)
{
	if (tally->packets > 0 && end_ticks > tally->last_ticks)
		tally_add(&tally->open, (uint64_t)(end_ticks - tally->last_ticks), 1);
}

void pulse_tally_merge(struct pulse_tally *into, const struct pulse_tally *from)
{
	tally_merge(&into->gaps, &from->gaps);
	tally_merge(&into->open, &from->open);
	tally_merge(&into->sizes, &from->sizes);
	tally_merge(&into->to, &from->to);
	into->packets += from->packets;
	into->header_bytes += from->header_bytes;
}

bool pulse_tally_failed(const struct pulse_tally *tally)
{
	return tally->gaps.failed || tally->open.failed || tally->sizes.failed || tally->to.failed;
}

void pulse_tally_clear(struct pulse_tally *tally)
{
	tally_clear(&tally->gaps);
	tally_clear(&tally->open);
	tally_clear(&tally->sizes);
	tally_clear(&tally->to);
	*tally = pulse_tally_make();
}
