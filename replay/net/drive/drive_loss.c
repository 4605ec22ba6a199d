// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/drive_loss.h"

#include <math.h>
#include <stdio.h>

#include "net/drive/drive.h"
#include "value/philox.h"

#define BITS_OF_BYTE 8.0
#define LENGTH_MOST 1e18
#define FORGOTTEN 64.0 // times e^-1, after which nothing is left of a state

void net_losses_layout(struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	struct net_losses *losses = &drive->faults.losses;
	uint32_t count = 0;

	for (uint32_t i = 0; i < setup->fault_count; i++)
		count += setup->faults[i].kind == NET_FAULT_LOSS;
	if (count == 0)
		return;
	losses->all = sim_arena_take(&drive->arena, 2 * (size_t)count, sizeof(*losses->all));
	losses->of_link = sim_arena_take(&drive->arena, drive->graph.links,
					 sizeof(*losses->of_link));
	losses->of_fault = sim_arena_take(&drive->arena, setup->fault_count,
					  sizeof(*losses->of_fault));
}

// Of a mean length, one of whole ticks, from 1: memoryless.
static int64_t draw_length(struct net_lossy *lossy)
{
	const double mean = lossy->bad ? lossy->bad_ticks : lossy->good_ticks;
	const double drawn = floor(log(tr_random_unit(&lossy->bursts)) / log1p(-1 / mean));

	return 1 + (int64_t)(drawn < LENGTH_MOST ? drawn : LENGTH_MOST);
}

// A state of the stationary distribution begins.
static void draw_state(struct net_lossy *lossy, int64_t ticks)
{
	lossy->bad = tr_random_unit(&lossy->bursts) * (lossy->good_ticks + lossy->bad_ticks) <
		     lossy->bad_ticks;
	lossy->until_ticks = ticks + draw_length(lossy);
}

static void open_lossy(struct net_drive *drive, uint32_t number, const struct net_fault *fault,
		       uint32_t link)
{
	struct net_lossy *lossy = &drive->faults.losses.all[number];
	char name[NET_LINK_NAME_MAX], stream[NET_LINK_NAME_MAX + 32];
	struct tr_random packets;
	uint32_t before = 0;

	for (uint32_t i = drive->faults.losses.of_link[link]; i != NET_NOBODY;
	     i = drive->faults.losses.all[i].next)
		before++;
	net_link_name(drive->setup->topology, link, name, sizeof(name));
	snprintf(stream, sizeof(stream), "loss %u %s", before, name);
	tr_random_open(&packets, fault->loss.seed, stream);
	*lossy = (struct net_lossy){.key = {packets.key[0], packets.key[1]},
				    .next = drive->faults.losses.of_link[link],
				    .packet_log = log1p(-fault->loss.packets),
				    .bit_log = log1p(-fault->loss.bits),
				    .good_ticks = (double)fault->loss.good_ticks,
				    .bad_ticks = (double)fault->loss.bad_ticks};
	snprintf(stream, sizeof(stream), "bursts %u %s", before, name);
	tr_random_open(&lossy->bursts, fault->loss.seed, stream);
	drive->faults.losses.of_link[link] = number;
}

void net_losses_open(struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	struct net_losses *losses = &drive->faults.losses;
	uint32_t count = 0;

	if (!losses->of_link)
		return;
	for (uint32_t i = 0; i < drive->graph.links; i++)
		losses->of_link[i] = NET_NOBODY;
	for (uint32_t i = 0; i < setup->fault_count; i++) {
		losses->of_fault[i] = count;
		for (uint32_t end = 0; setup->faults[i].kind == NET_FAULT_LOSS && end < 2; end++)
			open_lossy(drive, count++, &setup->faults[i],
				   2 * setup->faults[i].number + end);
	}
}

void net_losses_change(struct net_drive *drive, uint32_t fault, bool begins)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct net_lossy *lossy =
			&drive->faults.losses.all[drive->faults.losses.of_fault[fault] + i];

		lossy->active = begins;
		if (begins && lossy->bad_ticks > 0)
			draw_state(lossy, drive->now_ticks);
	}
}

// Whether it loses packets now.
static bool loses_now(struct net_lossy *lossy, int64_t ticks)
{
	if (!lossy->active || lossy->bad_ticks == 0)
		return lossy->active;
	if ((double)(ticks - lossy->until_ticks) * (1 / lossy->good_ticks + 1 / lossy->bad_ticks) >
	    FORGOTTEN)
		draw_state(lossy, ticks);
	while (lossy->until_ticks <= ticks) {
		lossy->bad = !lossy->bad;
		lossy->until_ticks += draw_length(lossy);
	}
	return lossy->bad;
}

bool net_losses_damage(struct net_drive *drive, uint32_t link, uint64_t key, uint32_t bytes)
{
	const uint64_t now = (uint64_t)drive->now_ticks;
	const uint32_t counter[4] = {(uint32_t)key, (uint32_t)(key >> 32), (uint32_t)now,
				     (uint32_t)(now >> 32)};
	bool damaged = false;
	uint32_t block[4];

	if (net_drive_link_is_dead(drive, link))
		return false;
	for (uint32_t i = drive->faults.losses.of_link[link]; i != NET_NOBODY;
	     i = drive->faults.losses.all[i].next) {
		struct net_lossy *lossy = &drive->faults.losses.all[i];

		if (!loses_now(lossy, drive->now_ticks))
			continue;
		philox_block(counter, lossy->key, block);
		damaged = damaged ||
			  tr_random_unit_of(block[0] | (uint64_t)block[1] << 32) <
				  -expm1(lossy->packet_log + BITS_OF_BYTE * bytes * lossy->bit_log);
	}
	return damaged;
}

void net_losses_begin(struct net_drive *drive, uint32_t link, uint32_t worm)
{
	const struct net_link_rules *rules = drive->rules->links;
	const struct net_worm *of = &drive->pool.worms[worm];
	uint32_t bytes = of->size_bytes;

	if (rules)
		bytes = (bytes > rules->payload_min_B ? bytes : rules->payload_min_B) +
			rules->around_B;
	if (net_losses_damage(drive, link, (uint64_t)of->source << 32 | of->destination, bytes))
		drive->faults.dooms[worm] = TR_DROP_ERROR;
}
