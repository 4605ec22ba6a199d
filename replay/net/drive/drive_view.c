// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/drive.h"

static void drive_view_write(struct net_view *view)
{
	struct net_drive *drive = view->run;

	view->now_ticks = drive->now_ticks;
	view->busy = false;
	drive->rules->state(view->run, view);
}

void net_view_open(struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	struct net_view *view = setup->traffic.view;

	view->run = drive;
	view->totals = drive->totals;
	view->peaks = drive->rules->peaks;
	view->alive = drive->rules->state_at_rest ? &drive->pool.alive : NULL;
	// How many packets a source has sent, which ways of packets follow from, never comes again.
	view->write = drive->rules->state && setup->fault_count == 0 && setup->timeout_ticks == 0 &&
				      setup->sampling.width_ticks == 0 && !setup->watch &&
				      !setup->finite_sources &&
				      (!drive->rules->routed ||
				       setup->routes->spread != NET_SPREAD_PACKET)
			      ? drive_view_write
			      : NULL;
}

void net_view_worm(struct net_view *view, const struct net_drive *drive, uint32_t number)
{
	const struct net_worm *worm = &drive->pool.worms[number];

	net_view_put(view, view->name(view->context, worm->packet.id));
	net_view_put(view, (uint64_t)worm->source << 32 | worm->destination);
	net_view_put(view, worm->size_bytes);
	net_view_put(view, drive->entered - drive->serials[number]);
	net_view_stamp(view, worm->packet.time_ticks);
	net_view_stamp(view, worm->created_ticks);
	net_view_stamp(view, worm->started_ticks);
	net_view_stamp(view, worm->injected_ticks);
	net_view_stamp(view, worm->head_ticks);
}
