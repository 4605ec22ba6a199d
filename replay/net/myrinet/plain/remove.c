// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/plain/plain.h"

#include "net/myrinet/hosts/loss.h"

static void remove_from_buffer(struct plain_ring *ring, uint32_t worm)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < ring->count; i++) {
		if (plain_at(ring, i)->worm == worm)
			continue;
		*plain_at(ring, kept) = *plain_at(ring, i);
		*plain_ticks(ring, kept++) = *plain_ticks(ring, i);
	}
	ring->count = kept;
}

static void remove_from_link(struct myr_run *run, uint32_t number, uint32_t worm)
{
	struct plain_link *link = plain_link(run, number);

	for (uint32_t i = 0; i < link->flight.count; i++)
		if (plain_at(&link->flight, i)->worm == worm)
			plain_at(&link->flight, i)->kind = MYR_VOID;
	if (link->worm == worm) {
		plain_release(run, number);
		plain_touch(run, number);
	}
	remove_from_buffer(&link->buffer, worm);
	if (link->state != PLAIN_IDLE && link->head == worm) {
		if (link->state == PLAIN_ASKS && !myr_run_is_host(run, run->ways[number].to))
			link->meter.port_ticks += run->now_ticks - link->asked_ticks;
		else if (link->state == PLAIN_ASKS && run->hosts[run->ways[number].to].asking == worm)
			link->meter.memory_ticks += run->now_ticks - run->hosts[run->ways[number].to].asked_ticks;
		link->state = PLAIN_IDLE;
		link->output = UINT32_MAX;
		link->head = NET_NO_WORM;
	}
	plain_touch(run, number);
}

void plain_remove(struct myr_run *run, uint32_t worm)
{
	for (uint32_t i = 0; i < run->link_count; i++)
		if (plain_link(run, i)->worm == worm)
			plain_count_stop(run, i, run->now_ticks + 1);
	for (uint32_t i = 0; i < run->link_count; i++) {
		const struct plain_link *link = plain_link(run, i);
		bool has = link->worm == worm || (link->state != PLAIN_IDLE && link->head == worm);

		for (uint32_t k = 0; !has && k < link->flight.count; k++)
			has = plain_at(&link->flight, k)->worm == worm;
		for (uint32_t k = 0; !has && k < link->buffer.count; k++)
			has = plain_at(&link->buffer, k)->worm == worm;
		if (has)
			remove_from_link(run, i, worm);
	}
}

static void lose_ring(struct myr_run *run, const struct plain_ring *ring)
{
	for (uint32_t i = 0; i < ring->count; i++)
		if (plain_at(ring, i)->kind != MYR_VOID)
			myr_lose(run, plain_at(ring, i)->worm, TR_DROP_DEAD);
}

static void lose_begun(struct myr_run *run, const struct plain_link *link)
{
	if (link->worm != NET_NO_WORM && link->begun)
		myr_lose(run, link->worm, TR_DROP_DEAD);
}

void plain_signal(struct myr_run *run, uint32_t number, enum myr_signal what)
{
	struct plain_link *link = plain_link(run, number);

	plain_touch(run, number);
	switch (what) {
	case MYR_SIGNAL_RESET: link->reset_due = true; break;
	case MYR_SIGNAL_BEAT: link->beat_due = true; break;
	case MYR_SIGNAL_LOST:
		if (link->worm != NET_NO_WORM)
			myr_lose(run, link->worm, TR_DROP_DEAD);
		break;
	case MYR_SIGNAL_DIES:
		lose_begun(run, link);
		lose_ring(run, &link->flight);
		plain_count_stop(run, number, run->now_ticks + 1);
		link->stopped = false;
		link->reset_due = link->beat_due = false;
		link->flight.count = 0;
		link->waiting.count = 0;
		link->coming.count = 0;
		break;
	case MYR_SIGNAL_RETURNS:
		lose_begun(run, link);
		link->stopped = link->told_stop;
		link->stopped_ticks = run->now_ticks + 1;
		break;
	case MYR_SIGNAL_EMPTIES:
		lose_ring(run, &link->buffer);
		if (link->state != PLAIN_IDLE)
			myr_lose(run, link->head, TR_DROP_DEAD);
		break;
	}
}
