// SPDX-License-Identifier: GPL-3.0-or-later
// Closed loops in regions: traffic that reacts to what comes to a host, such as a parallel program,
// is divided among the regions as the hosts are, if it can be (struct net_division).
//
// A worm is delivered in the region of its destination, whose part of the traffic learns of it at
// once; what the part then sends enters at hosts of the same region. So nothing passes between
// parts but by packets, within no window, and a part needs no other one's. The traffic notes what
// its parts do, and which packet enters before which: it gives them the order of the whole at the
// end of a window, and the caller reports in that order.
#include <stdlib.h>

#include "net/drive/region.h"
#include "value/grow.h"

#define NUMBERS_AT_ONCE 128u // of worms, for a region

bool net_loops_allowed(const struct net_drive *drive)
{
	const struct net_traffic *traffic = &drive->setup->traffic;
	const uint32_t a_link = drive->rules->regions->loop_packets;
	const uint64_t packets = drive->setup->regions > 0 ? 0
							   : (uint64_t)a_link * drive->graph.links;

	return traffic->division && a_link > 0 &&
	       (drive->setup->threads > 1 || drive->setup->regions > 0) &&
	       traffic->division->allows(traffic->context, packets);
}

static enum tr_status loops_divide(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct net_traffic *parts = calloc(regions->count, sizeof(*parts));
	enum tr_status status;

	if (!parts)
		return tr_no_memory(drive->err, "parts of the traffic");
	status = regions->loops.division->divide(drive->setup->traffic.context, regions->of_nodes,
						 regions->count, parts, drive->err);
	for (uint32_t i = 0; status == TR_OK && i < regions->count; i++)
		regions->all[i].traffic = parts[i];
	free(parts);
	return status;
}

enum tr_status net_loops_open(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_traffic *traffic = &drive->setup->traffic;

	regions->loops.division = traffic->division;
	regions->loops.numbers = &drive->pool;
	pthread_mutex_init(&regions->loops.lock, NULL);
	if (drive->intake.offered)
		traffic->give_back(traffic->context, &drive->intake.offer);
	drive->intake.offered = false;
	drive->intake.due_ticks = INT64_MAX;
	if (loops_divide(drive) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		region->drive->pool.fresh = region->drive->pool.capacity = 0;
		net_intake_start(&region->drive->intake, &region->traffic);
		net_drive_ask(region->drive);
		region->next_ticks = region->drive->intake.due_ticks;
		if (region->drive->status != TR_OK)
			*drive->err = region->err;
		if (region->drive->status != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// All numbers of worms that a region has.
static void loops_take_back(struct net_drive *drive, struct net_region *region)
{
	struct net_worm_pool *pool = &region->drive->pool;

	net_loops_hand_out(&drive->cut.regions->loops, region);
	while (pool->spare.count > 0)
		net_worm_reuse(&drive->pool, net_worm_first(pool, &pool->spare));
	while (pool->fresh < pool->capacity)
		net_worm_reuse(&drive->pool, pool->fresh++);
}

void net_loops_close(struct net_drive *drive, bool goes_on)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_traffic *traffic = &drive->setup->traffic;

	for (uint32_t i = 0; i < regions->count; i++)
		loops_take_back(drive, &regions->all[i]);
	pthread_mutex_destroy(&regions->loops.lock);
	traffic->division->unite(traffic->context, goes_on && drive->status == TR_OK);
}

// ---- numbers of worms

void net_loops_reuse(struct net_drive *drive, uint32_t worm)
{
	struct net_regions *regions = drive->cut.regions;
	const uint32_t host = drive->pool.worms[worm].source;

	net_worm_append(&drive->pool, &regions->all[net_region_of(regions, host)].freed, worm);
}

// A region keeps few, as its processor may still have them; others may need the rest.
void net_loops_hand_out(struct net_loops *loops, struct net_region *region)
{
	struct net_worm_pool *pool = &region->drive->pool;
	struct net_worm_list *freed = &region->freed, *to = &pool->spare;

	if (freed->count == 0)
		return;
	if (to->count + freed->count > NUMBERS_AT_ONCE)
		to = &loops->numbers->spare;
	if (to->count > 0)
		pool->worms[freed->last].next = to->first;
	to->first = freed->first;
	to->count += freed->count;
	*freed = (struct net_worm_list){0};
}

static void loops_take_numbers(struct net_loops *loops, struct net_worm_pool *pool)
{
	struct net_worm_pool *from = loops->numbers;

	pthread_mutex_lock(&loops->lock);
	while (from->spare.count > 0 && pool->spare.count < NUMBERS_AT_ONCE)
		net_worm_reuse(pool, net_worm_first(from, &from->spare));
	if (pool->spare.count == 0) {
		pool->fresh = from->fresh;
		from->fresh += from->capacity - from->fresh < NUMBERS_AT_ONCE
				       ? from->capacity - from->fresh
				       : NUMBERS_AT_ONCE;
		pool->capacity = from->fresh;
	}
	pthread_mutex_unlock(&loops->lock);
}

// A worm for the offer, as long as there are numbers that no region has.
static uint32_t loops_worm(struct net_drive *drive)
{
	struct net_worm_pool *pool = &drive->pool;

	if (pool->spare.count == 0 && pool->fresh == pool->capacity)
		loops_take_numbers(&drive->cut.regions->loops, pool);
	return net_intake_worm(&drive->intake, pool);
}

// ---- in a region

// Whether there surely is room for the offer; if not, the region stops before it.
static bool loops_stop(struct net_region *region)
{
	struct net_drive *drive = region->drive;
	const struct net_region_rules *rules = drive->rules->regions;
	const struct net_offer *offer = &drive->intake.offer;
	const uint32_t *under_way = drive->cut.regions->under_way;

	region->stopped = under_way && !region->exact &&
			  drive->cut.regions->loops.division->ended &&
			  !rules->takes(drive, offer, under_way[offer->source]) &&
			  rules->takes(drive, offer, 0);
	return region->stopped;
}

// What has ended in this window, or the one before, has its number still.
static void loops_fail_full(struct net_drive *drive)
{
	net_drive_fail(drive,
		       "more than %u packets, of %zu B each, are under way or have ended just "
		       "now: a larger --memory holds more, and --threads 1 needs fewer",
		       drive->cut.regions->loops.numbers->capacity, drive->pool.worm_bytes);
}

static void loops_take_in(struct net_drive *drive)
{
	struct net_offer *offer = &drive->intake.offer;
	uint32_t worm;

	if (drive->rules->fits && !drive->rules->fits(drive, offer)) {
		net_drive_fail(drive, "host %u has no room for a packet", offer->source);
		return;
	}
	worm = loops_worm(drive);
	if (worm == NET_NO_WORM) {
		loops_fail_full(drive);
		return;
	}
	if (drive->cut.regions->under_way)
		drive->cut.regions->under_way[offer->source]++;
	net_region_report(drive, (struct net_report){.worm = worm, .what = NET_ENTERED});
	drive->pool.worms[worm].created_ticks = drive->now_ticks;
	if (net_drive_take_route(drive, worm, offer) && net_drive_route(drive, worm))
		drive->rules->enter(drive, worm);
}

void net_loops_enter(struct net_region *region)
{
	struct net_drive *drive = region->drive;
	struct net_intake *intake = &drive->intake;

	region->place = PLACE_ENTER;
	if (intake->told)
		net_drive_ask(drive);
	while (intake->due_ticks <= drive->now_ticks && drive->status == TR_OK) {
		if (!intake->offer.wake && loops_stop(region))
			return;
		if (!intake->offer.wake)
			loops_take_in(drive);
		net_intake_take(intake);
		net_drive_ask(drive);
	}
}

int64_t net_loops_next_ticks(const struct net_drive *drive)
{
	const struct net_intake *intake = &drive->intake;

	return intake->told && drive->now_ticks < intake->due_ticks ? drive->now_ticks + 1
								    : intake->due_ticks;
}

void net_loops_come(struct net_drive *drive, uint32_t worm)
{
	const struct net_traffic *part = &drive->cut.region->traffic;

	drive->setup->traffic.division->come(part->context, &drive->pool.worms[worm],
					     drive->now_ticks);
	drive->intake.told = true;
}

void net_loops_end(struct net_drive *drive, uint32_t worm)
{
	struct net_regions *regions = drive->cut.regions;

	if (!regions->under_way)
		return;
	if (GROW(regions->loops.gone, regions->loops.gone_room, regions->loops.gone_count))
		regions->loops.gone[regions->loops.gone_count++] = drive->pool.worms[worm].source;
	else
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for what is under way");
}

void net_loops_forget(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;

	for (uint32_t i = 0; i < regions->loops.gone_count; i++)
		regions->under_way[regions->loops.gone[i]]--;
	regions->loops.gone_count = 0;
}

// ---- reports

static const struct net_report *loops_next(const struct net_reports *reports)
{
	return reports->given < reports->count ? &reports->items[reports->given] : NULL;
}

static bool loops_enters(const struct net_report *report)
{
	return report->place >= PLACE_ENTER && report->place < PLACE_MOVE;
}

// The reports of the region whose next one is the first of all; NULL: there is none.
static struct net_reports *loops_first(struct net_regions *regions, unsigned turn)
{
	struct net_reports *first = NULL;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_reports *reports = &regions->all[i].reports[turn];
		const struct net_report *next = loops_next(reports);

		if (next && (!first || net_report_is_before(next, loops_next(first))))
			first = reports;
	}
	return first;
}

// A packet of the region enters; it may end at once.
static void loops_give_entry(struct net_drive *drive, struct net_reports *reports)
{
	const struct net_report *next = loops_next(reports);

	if (!next || next->what != NET_ENTERED) {
		net_drive_fail(drive, "a packet did not enter where its traffic says so");
		return;
	}
	drive->serials[next->worm] = drive->entered++;
	drive->pool.alive++;
	do {
		reports->given++;
		net_regions_give(drive, next);
		next = loops_next(reports);
	} while (next && loops_enters(next) && next->what != NET_ENTERED);
}

// All that the traffic did, and its packets that entered, at or before a tick.
static void loops_pass(struct net_drive *drive, unsigned turn, int64_t ticks)
{
	struct net_regions *regions = drive->cut.regions;
	void *context = drive->setup->traffic.context;
	enum tr_status status = TR_OK;
	uint32_t part;

	while (drive->status == TR_OK &&
	       (status = regions->loops.division->pass(context, ticks, &part, drive->err)) == TR_OK)
		loops_give_entry(drive, &regions->all[part].reports[turn]);
	if (status == TR_ERROR && drive->status == TR_OK)
		drive->status = TR_ERROR;
}

void net_loops_report(struct net_drive *drive, unsigned turn, const struct net_report *last)
{
	struct net_regions *regions = drive->cut.regions;

	while (drive->status == TR_OK) {
		struct net_reports *reports = loops_first(regions, turn);
		const struct net_report *next = reports ? loops_next(reports) : NULL;
		const struct net_report *until;

		if (next && net_report_is_before(last, next))
			next = NULL;
		until = next ? next : last;
		loops_pass(drive, turn, until->ticks - (until->place < PLACE_ENTER));
		if (!next)
			return;
		if (loops_enters(next))
			continue;
		reports->given++;
		if (drive->status == TR_OK)
			net_regions_give(drive, next);
	}
}
