// SPDX-License-Identifier: GPL-3.0-or-later
// Links between two regions. What a sender publishes acts in the buffer at the far end as its
// characters arrive, so it is told there at the beginning of the next window; the buffer's STOPs
// and GOs likewise to the sender. The two ends share no field that one of them writes.
#include "net/myrinet/local/local.h"

enum local_crossing { CROSSING_WORM, CROSSING_CLAIM, CROSSING_SHUT, CROSSING_STOP, CROSSING_GO };

void local_cross_worm(struct myr_run *run, const struct local_link *sender, uint32_t worm,
		      uint32_t length)
{
	net_drive_cross(&run->net,
			&(struct net_crossing){.ticks = INT64_MAX,
					       .link = local_index(local_of(run), sender),
					       .worm = worm,
					       .what = CROSSING_WORM,
					       .number = length});
}

// When the character that starts next arrives at the far end.
static int64_t crossing_arrives(const struct local_link *sender)
{
	return sender->sender.next_ticks + sender->sender.delay_ticks;
}

void local_cross_claim(struct myr_run *run, const struct local_link *sender, uint32_t end_number)
{
	net_drive_cross(&run->net,
			&(struct net_crossing){.ticks = crossing_arrives(sender),
					       .link = local_index(local_of(run), sender),
					       .what = CROSSING_CLAIM,
					       .number = sender->sender.number,
					       .end = end_number,
					       .more = sender->sender.period_ticks});
}

void local_cross_shut(struct myr_run *run, const struct local_link *sender)
{
	net_drive_cross(&run->net,
			&(struct net_crossing){.ticks = crossing_arrives(sender),
					       .link = local_index(local_of(run), sender),
					       .what = CROSSING_SHUT,
					       .number = sender->sender.number});
}

// It goes over the reverse link.
void local_cross_control(struct myr_run *run, uint32_t number, bool stop, int64_t ticks)
{
	net_drive_cross(&run->net,
			&(struct net_crossing){.ticks = ticks,
					       .link = number ^ 1,
					       .what = stop ? CROSSING_STOP : CROSSING_GO});
}

void local_come(struct myr_run *run, const struct net_crossing *crossing)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[crossing->link];

	switch ((enum local_crossing)crossing->what) {
	case CROSSING_WORM: local_list_worm(local, link, crossing->worm, crossing->number); break;
	case CROSSING_CLAIM:
		local_publish(run, link,
			      (struct local_run){crossing->ticks, crossing->number, crossing->more},
			      crossing->end);
		break;
	case CROSSING_SHUT: local_withdraw(run, link, crossing->number, crossing->ticks); break;
	case CROSSING_STOP:
	case CROSSING_GO:
		local_control_put(run, crossing->link ^ 1, crossing->what == CROSSING_STOP,
				  crossing->ticks);
		break;
	}
	local_plan(run);
	local->work.touched_count = 0;
}

bool local_carries(const struct net_crossing *crossing)
{
	return crossing->what == CROSSING_WORM;
}

void local_sent(struct myr_run *run, uint32_t host, int64_t ticks)
{
	local_advance(run, &local_of(run)->links[run->hosts[host].out], ticks);
}

// ---- memory

void local_layout_region(struct myr_run *run, struct sim_arena *arena, uint32_t own_links)
{
	const size_t links = run->net.graph.links;
	struct local *whole = local_of(run), *local = sim_arena_take(arena, 1, sizeof(*local));
	struct local_work work = {.moved = sim_arena_take(arena, 4 * links, sizeof(*work.moved)),
				  .touched = sim_arena_take(arena, links, sizeof(*work.touched)),
				  .marked = sim_arena_take(arena, links, sizeof(*work.marked)),
				  .due = sim_arena_take(arena, links, sizeof(*work.due))};

	run->medium_state = local;
	if (!local)
		return;
	*local = *whole;
	local->work = work;
	local->large = own_links >= LOCAL_LARGE || run->net.setup->shuffle != 0;
}

// Another rank's end of a link stays apart.
void local_unite(struct myr_run *whole, struct myr_run *region)
{
	struct local *local = local_of(whole);

	if (local_of(region)->highest > local->highest)
		local->highest = local_of(region)->highest;
	for (uint32_t i = 0; local->cut && i < local->link_count; i++) {
		local->links[i].buffer.crosses = false;
		local->links[i].sender.crosses = local->links[i].sender.crosses &&
						 !(net_drive_moves(&whole->net,
								   whole->ways[i].from) &&
						   net_drive_moves(&whole->net, whole->ways[i].to));
	}
	local->cut = false;
}
