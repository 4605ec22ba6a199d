// SPDX-License-Identifier: GPL-3.0-or-later
// Regions that processes share: the windows of net/drive/regions.c between ranks.
//
// Rank 0 leads: it reads the traffic, numbers the packets, decides when a window begins and ends,
// and reports. It tells the others of a window what enters in their regions; each moves its own;
// then each sends to each what crosses between their regions, with the packets that go along, and
// to rank 0 what is to be reported and when its regions go on. So a rank has in memory what it
// moves, and a window costs two rounds of letters. The order of what crosses and of what is
// reported is that of one process.
//
// Numbers of packets in letters are rank 0's; each of the others has numbers of its own
// (regions_ranks_numbers.c). One that has left a rank never comes to it again under the same
// number, unless rank 0 has given the number to another packet, or by a way that leads back.
#include "net/drive/regions_ranks.h"
#include "net/drive/region.h"
#include "value/grow.h"

struct ranks_window {
	int64_t past_ticks;
	int64_t end_ticks;
	uint64_t entries;
};

struct ranks_entry {
	struct tr_packet packet;
	uint64_t serial;
	uint32_t worm;
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
};

// What rank 0 is told of a region behind a window; the text of an error follows if it failed, then
// reports.
struct ranks_region {
	int64_t next_ticks;
	int64_t sent_ticks;
	int64_t now_ticks;
	uint64_t place;
	uint64_t events;
	uint32_t failed;
	uint32_t reports;
};

// ---- packets here

static void ranks_note(struct net_regions *regions, uint32_t worm, bool here)
{
	const uint64_t bit = (uint64_t)1 << worm % 64;

	if (regions->own.here && here)
		regions->own.here[worm / 64] |= bit;
	else if (regions->own.here)
		regions->own.here[worm / 64] &= ~bit;
}

static bool ranks_ends(const struct net_report *report)
{
	return report->what == NET_ENDED || report->what == NET_KEPT;
}

// ---- a window begins

static void ranks_put_entries(struct net_drive *drive, uint32_t to)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;

	for (uint32_t i = regions->own.ends[to - 1]; i < regions->own.ends[to]; i++)
		while (regions->all[i].coming.count > 0) {
			const uint32_t number = net_worm_first(&drive->pool,
							       &regions->all[i].coming);
			const struct net_worm *worm = &drive->pool.worms[number];

			sim_ranks_put(ranks, to,
				      &(struct ranks_entry){.packet = worm->packet,
							    .serial = drive->serials[number],
							    .worm = number,
							    .source = worm->source,
							    .destination = worm->destination,
							    .size_bytes = worm->size_bytes},
				      sizeof(struct ranks_entry));
		}
}

void net_ranks_start(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	struct ranks_window window = {.past_ticks = regions->past_ticks,
				      .end_ticks = regions->end_ticks};

	if (!ranks)
		return;
	sim_ranks_order(ranks, SIM_ORDER_WINDOW);
	net_ranks_put_ended(drive);
	for (uint32_t to = 1; to < ranks->post.count; to++) {
		window.entries = 0;
		for (uint32_t i = regions->own.ends[to - 1]; i < regions->own.ends[to]; i++)
			window.entries += regions->all[i].coming.count;
		sim_ranks_put(ranks, to, &window, sizeof(window));
		ranks_put_entries(drive, to);
	}
	if (!sim_ranks_send_order(ranks))
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for what enters in other ranks");
}

static void ranks_take_entry(struct net_drive *drive, const struct ranks_entry *entry)
{
	struct net_regions *regions = drive->cut.regions;
	const uint32_t number = net_ranks_here(drive, entry->worm);
	struct net_worm *worm = &drive->pool.worms[number];

	*worm = net_worm_none;
	worm->packet = entry->packet;
	worm->source = entry->source;
	worm->destination = entry->destination;
	worm->size_bytes = entry->size_bytes;
	drive->serials[number] = entry->serial;
	ranks_note(regions, number, true);
	net_worm_append(&drive->pool, &regions->all[net_region_of(regions, entry->source)].coming,
			number);
}

// ---- a window ends

static void ranks_put_region(struct net_drive *drive, struct net_region *region)
{
	struct net_regions *regions = drive->cut.regions;
	struct net_reports *reports = &region->reports[regions->turn];
	struct sim_ranks *ranks = drive->setup->ranks;
	struct ranks_region said = {.next_ticks = region->next_ticks,
				    .sent_ticks = region->sent_ticks,
				    .now_ticks = region->drive->now_ticks,
				    .place = region->place,
				    .events = region->totals.events,
				    .failed = region->drive->status != TR_OK,
				    .reports = reports->count};

	if (region->coming.count > 0) {
		const int64_t entry_ticks =
			drive->pool.worms[region->coming.first].packet.time_ticks;

		if (entry_ticks < said.next_ticks)
			said.next_ticks = entry_ticks;
	}
	sim_ranks_put(ranks, 0, &said, sizeof(said));
	if (said.failed)
		sim_ranks_put(ranks, 0, &region->err, sizeof(region->err));
	for (uint32_t i = 0; i < reports->count; i++) {
		const struct net_report *report = &reports->items[i];
		struct net_report put = *report;

		put.worm = net_ranks_there(drive, report->worm);
		sim_ranks_put(ranks, 0, &put, sizeof(put));
		if (!ranks_ends(report))
			continue;
		net_ranks_put_worm(drive, 0, report->worm, false);
		ranks_note(regions, report->worm, false);
	}
	reports->count = 0;
}

static bool ranks_take_region(struct net_drive *drive, struct net_region *region, uint32_t from)
{
	struct net_reports *reports = &region->reports[drive->cut.regions->turn];
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_region *said = sim_ranks_get(ranks, from, sizeof(*said));
	const struct tr_error *err = said && said->failed ? sim_ranks_get(ranks, from, sizeof(*err))
							  : NULL;
	uint32_t count = said ? said->reports : 0;

	if (!said || !GROW_TO(reports->items, reports->room, reports->count + count))
		return false;
	region->next_ticks = said->next_ticks;
	region->sent_ticks = said->sent_ticks;
	region->drive->now_ticks = said->now_ticks;
	region->place = said->place;
	region->totals.events = said->events;
	if (err) {
		region->err = *err;
		region->drive->status = TR_ERROR;
	}
	for (; count > 0; count--) {
		const struct net_report *report = sim_ranks_get(ranks, from, sizeof(*report));

		if (!report)
			return false;
		reports->items[reports->count++] = *report;
		if (ranks_ends(report) && !net_ranks_get_worm(drive, from, false))
			return false;
	}
	return true;
}

static void ranks_leave(struct net_drive *drive, uint32_t worm)
{
	const struct net_regions *regions = drive->cut.regions;
	const uint32_t source = drive->pool.worms[worm].source;

	if (drive->rules->regions->ranks->leaves && net_drive_moves(drive, source))
		drive->rules->regions->ranks->leaves(
			regions->all[net_region_of(regions, source)].drive, worm,
			regions->end_ticks - 1);
}

// Whether a packet goes with what crosses.
static bool ranks_carries(const struct net_drive *drive, const struct net_crossing *crossing)
{
	const struct net_rank_rules *rules = drive->rules->regions->ranks;

	return !rules->carries || rules->carries(drive, crossing);
}

static void ranks_put_crossings(struct net_drive *drive, uint32_t to)
{
	struct net_regions *regions = drive->cut.regions;
	const uint32_t first = to == 0 ? 0 : regions->own.ends[to - 1];

	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		for (uint32_t k = first; k < regions->own.ends[to]; k++) {
			struct net_crossings *sent = &regions->all[i].sent[regions->turn][k];

			for (uint32_t n = 0; n < sent->count; n++) {
				const uint32_t worm = sent->items[n].worm;
				struct net_crossing crossing = sent->items[n];
				const bool carries = ranks_carries(drive, &crossing);

				crossing.link = net_graph_link(&drive->graph, crossing.link);
				if (carries)
					crossing.worm = net_ranks_there(drive, worm);
				sim_ranks_put(drive->setup->ranks, to, &crossing, sizeof(crossing));
				if (!carries)
					continue;
				ranks_leave(drive, worm);
				net_ranks_put_worm(drive, to, worm, true);
				ranks_note(regions, worm, false);
			}
			sent->count = 0;
		}
}

static bool ranks_take_crossing(struct net_drive *drive, uint32_t from,
				const struct net_crossing *crossing)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_cable *cable = &drive->setup->topology->cables[crossing->link / 2];
	const uint32_t side = crossing->link % 2;
	struct net_region *region = &regions->all[net_region_of(regions, cable->ends[side].node)];
	const uint32_t to = net_region_of(regions, cable->ends[1 - side].node);
	struct net_crossings *sent = &region->sent[regions->turn][to];
	struct net_crossing *put;

	if (!GROW(sent->items, sent->room, sent->count))
		return false;
	put = &sent->items[sent->count++];
	*put = *crossing;
	put->link = net_graph_find(&drive->graph, drive->setup->topology, crossing->link);
	region->sent_to |= (uint64_t)1 << to % 64;
	if (!ranks_carries(drive, crossing))
		return true;
	put->worm = net_ranks_here(drive, crossing->worm);
	ranks_note(regions, put->worm, true);
	return net_ranks_get_worm(drive, from, true);
}

// Takes in the letter of a rank. False: it, or memory, ended too early.
static bool ranks_take_letter(struct net_drive *drive, uint32_t from)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint32_t begin = from == 0 ? 0 : regions->own.ends[from - 1];
	const struct net_crossing *crossing;

	if (!sim_ranks_receive(ranks, from))
		return ranks->post.rank != 0 && !ranks->broken; // rank 0 has got an empty one, too
	if (!sim_ranks_get(ranks, from, sizeof(uint64_t)))
		return false;
	for (uint32_t i = begin; i < regions->own.ends[from]; i++) {
		regions->all[i].sent_to = 0;
		if (ranks->post.rank == 0 && !ranks_take_region(drive, &regions->all[i], from))
			return false;
	}
	while (!sim_ranks_read(ranks, from))
		if ((crossing = sim_ranks_get(ranks, from, sizeof(*crossing))) == NULL ||
		    !ranks_take_crossing(drive, from, crossing))
			return false;
	return true;
}

void net_ranks_end(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint64_t mark = 0; // no letter is empty

	if (!ranks || (ranks->over && ranks->post.rank == 0))
		return;
	sim_ranks_settle(ranks);
	for (uint32_t to = 0; to < ranks->post.count; to++) {
		if (to == ranks->post.rank)
			continue;
		sim_ranks_put(ranks, to, &mark, sizeof(mark));
		for (uint32_t i = regions->own.begin; to == 0 && i < regions->own.end; i++)
			ranks_put_region(drive, &regions->all[i]);
		ranks_put_crossings(drive, to);
	}
	sim_ranks_send_all(ranks);
	for (uint32_t from = 0; from < ranks->post.count; from++) {
		if (from == ranks->post.rank || ranks_take_letter(drive, from))
			continue;
		ranks->broken = true;
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for the letters of rank %u", from);
	}
	sim_ranks_settle(ranks);
}

void net_ranks_over(struct net_drive *drive)
{
	const struct net_region_rules *rules = drive->rules->regions;
	const struct net_offer *offer = &drive->intake.offer;
	uint32_t under_way = 0;

	if (!drive->setup->ranks || drive->status != TR_OK)
		return;
	if (rules->takes && offer->refused == TR_DROP_NONE)
		under_way = drive->cut.regions->under_way[offer->source];
	if (!rules->takes || offer->refused != TR_DROP_NONE ||
	    rules->takes(drive, offer, under_way))
		net_drive_fail(drive, "more packets are due at one time than there are numbers "
				      "for: flitsim without mpirun");
	else if (!rules->takes(drive, offer, 0))
		net_drive_fail(drive, "a worm of %u bytes never fits into the adapter memory",
			       offer->size_bytes);
	else
		net_drive_fail(drive,
			       "host %u may have no room for a packet (%u of its own are under "
			       "way), for which all traffic waits, as ranks of MPI cannot: a "
			       "longer queue (--fabric), or flitsim without mpirun",
			       offer->source, under_way);
}

// ---- a rank above 0

static void ranks_move_window(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_window *window;
	uint64_t entries;

	net_ranks_take_ended(drive);
	window = sim_ranks_get(ranks, 0, sizeof(*window));
	entries = window ? window->entries : 0;
	if (window) {
		regions->past_ticks = window->past_ticks;
		regions->end_ticks = window->end_ticks;
	}
	for (; entries > 0; entries--) {
		const struct ranks_entry *entry = sim_ranks_get(ranks, 0, sizeof(*entry));

		if (entry)
			ranks_take_entry(drive, entry);
	}
	sim_crew_start(regions->crew);
	sim_crew_finish(regions->crew);
	net_ranks_end(drive);
	regions->sent_to = 0;
	for (uint32_t i = 0; i < regions->count; i++)
		regions->sent_to |= regions->all[i].sent_to;
	regions->turn = 1 - regions->turn;
}

void net_ranks_serve(struct net_drive *drive)
{
	for (;;)
		switch (sim_ranks_hear(drive->setup->ranks)) {
		case SIM_ORDER_WINDOW: ranks_move_window(drive); break;
		case SIM_ORDER_SAMPLE: net_ranks_give_samples(drive); break;
		case SIM_ORDER_REST: net_ranks_give_rest(drive); break;
		case SIM_ORDER_CLOSE: net_ranks_give_end(drive); break;
		default: return;
		}
}
