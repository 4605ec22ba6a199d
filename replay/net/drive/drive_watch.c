// SPDX-License-Identifier: GPL-3.0-or-later
// What passes on links, in kinds that move no characters: the begin and the end of each packet.
// What is seen may lie ahead, and comes in any order within a tick; it is given by its time, then
// by link: ends, begins, and last what is lost, which is so at the end of a tick.
#include "net/drive/drive.h"

#define SEEN_OF_LINK 72u // at once: of each of 32 lanes a loss and an end, and a begin

static const char *const kinds[] =
	{[NET_SEEN_END] = "end", [NET_SEEN_LOST] = "lost", [NET_SEEN_BEGIN] = "begin"};

void net_watch_layout(struct net_drive *drive)
{
	struct net_watching *watching = &drive->watching;
	const size_t room = (size_t)drive->graph.links * SEEN_OF_LINK;

	if (!drive->setup->watch)
		return;
	agenda_layout(&watching->seen, &drive->arena, room);
	watching->packets = sim_arena_take(&drive->arena, room, sizeof(*watching->packets));
	watching->spare = sim_arena_take(&drive->arena, room, sizeof(*watching->spare));
}

void net_drive_see(struct net_drive *drive, int64_t ticks, enum net_seen kind, uint32_t link,
		   uint32_t number)
{
	const struct net_watch *watch = drive->setup->watch;
	struct net_watching *watching = &drive->watching;
	const struct net_worm *worm = &drive->pool.worms[number];
	uint32_t place;

	if (!watch || (watch->links && !watch->links[link]) || ticks < watch->from_ticks ||
	    ticks >= watch->to_ticks)
		return;
	if (watching->seen.count == watching->seen.capacity) {
		net_drive_fail(drive, "more packets begin and end on links at once than expected");
		return;
	}
	place = watching->spare_count > 0 ? watching->spare[--watching->spare_count]
					  : watching->used++;
	watching->packets[place] = (struct net_seen_packet){worm->packet.id, link,
							    worm->size_bytes};
	agenda_push(&watching->seen,
		    &(struct entry){.time_ticks = ticks,
				    .order = (uint64_t)link << 40 | (uint64_t)kind << 38 |
					     (drive->serials[number] & ((UINT64_C(1) << 38) - 1)),
				    .what = kind,
				    .about = place});
}

void net_watch_until(struct net_drive *drive, int64_t ticks)
{
	const struct net_watch *watch = drive->setup->watch;
	struct net_watching *watching = &drive->watching;
	struct entry entry;

	while (watching->seen.count > 0 && watching->seen.entries[0].time_ticks <= ticks &&
	       drive->status == TR_OK) {
		struct net_character out = {.of_packet = true, .has_value = true};

		agenda_pop(&watching->seen, &entry);
		out.time_ticks = entry.time_ticks;
		out.kind = kinds[entry.what];
		out.packet = watching->packets[entry.about].id;
		out.link = watching->packets[entry.about].link;
		out.value = watching->packets[entry.about].size_bytes;
		watching->spare[watching->spare_count++] = entry.about;
		drive->status = watch->see(watch->context, &out, drive->err);
	}
}
