// SPDX-License-Identifier: GPL-3.0-or-later
// Regions of a network, moved by threads at the same time.
//
// What happens in a region acts on another one only over a cable between them, and at least so many
// ticks later as the cable and what stands before it take (ahead_ticks). So all that happens before
// the earliest event of all regions plus the least of these times, the window, is known in each
// region at its beginning: it can be carried out without the others, and nothing of it is ever
// taken back (K. M. Chandy and J. Misra, "Distributed simulation: a case study in design and
// verification of distributed programs", IEEE Transactions on Software Engineering 5(5), 1979, with
// windows instead of null messages).
//
// The results are those of one loop over the whole network, to the byte, whatever the regions: in a
// tick the rules of a kind do not depend on the order of places; packets are numbered as the
// traffic is read, before any region has them; and what is reported is put into the order of ticks,
// rules and places before it is.
//
// While the threads are in a window, the caller reports what came to its end in the one before and
// reads the packets of the next, then takes regions itself.
#include <string.h>

#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"
#include "value/grow.h"

// ---- the traffic

static void regions_ask(struct net_drive *drive)
{
	net_drive_ask(drive);
	if (drive->status == TR_OK)
		return;
	drive->status = TR_OK;
	drive->cut.regions->unread_ticks = drive->intake.taken_ticks;
}

// Whether the offer can be read ahead, which is noted: regions may be united.
static bool regions_keep_offer(struct net_drive *drive)
{
	const struct net_region_rules *rules = drive->rules->regions;
	struct net_regions *regions = drive->cut.regions;
	const struct net_offer *offer = &drive->intake.offer;
	struct net_offers *ahead = &regions->ahead;

	if (ahead->first > ahead->count / 2) {
		ahead->count -= ahead->first;
		memmove(ahead->items, ahead->items + ahead->first,
			ahead->count * sizeof(*ahead->items));
		ahead->first = 0;
	}
	if (!GROW(ahead->items, ahead->room, ahead->count)) {
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for packets that are read ahead");
		return false;
	}
	regions->over = offer->refused == TR_DROP_NONE && rules->takes &&
			!rules->takes(drive, offer, regions->under_way[offer->source]);
	if (!regions->over)
		ahead->items[ahead->count] = *offer;
	return !regions->over;
}

// False: out of numbers of worms, or of memory.
static bool regions_take_offer(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_offer *offer = &drive->intake.offer;
	const uint32_t worm = net_intake_worm(&drive->intake, &drive->pool);
	struct net_reports *refused = &regions->refused;

	if (worm == NET_NO_WORM)
		return false;
	regions->ahead.count++;
	if (offer->refused == TR_DROP_NONE) {
		if (regions->under_way)
			regions->under_way[offer->source]++;
		drive->serials[worm] = drive->entered++;
		net_drive_take_route(drive, worm, offer);
		net_worm_append(&drive->pool,
				&regions->all[net_region_of(regions, offer->source)].read, worm);
		return true;
	}
	// As one that never becomes a worm.
	drive->pool.worms[worm] = net_worm_none;
	drive->pool.worms[worm].packet = offer->packet;
	if (!GROW(refused->items, refused->room, refused->count)) {
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for packets that are refused");
		return false;
	}
	refused->items[refused->count++] = (struct net_report){.ticks = offer->packet.time_ticks,
							       .place = PLACE_ENTER |
									drive->entered,
							       .worm = worm,
							       .what = NET_REFUSED,
							       .status = TR_DROPPED,
							       .reason = (uint8_t)offer->refused};
	return true;
}

// Reads the packets before a tick, or as many as there are numbers for, or as can be had now: then
// the next one is due at the tick of the last, or later.
static void regions_read(struct net_drive *drive, int64_t until_ticks)
{
	struct net_regions *regions = drive->cut.regions;
	const bool *waits = drive->setup->traffic.waits;

	while (drive->status == TR_OK && drive->intake.due_ticks < until_ticks &&
	       !regions->unasked && regions_keep_offer(drive) && regions_take_offer(drive)) {
		net_intake_take(&drive->intake);
		regions->unasked = waits && *waits;
		if (!regions->unasked)
			regions_ask(drive);
	}
}

// What was read goes to its regions.
static void regions_hand_out(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		net_loops_hand_out(&regions->loops, region);
		if (region->read.count == 0)
			continue;
		if (region->coming.count == 0)
			region->coming.first = region->read.first;
		else
			drive->pool.worms[region->coming.last].next = region->read.first;
		region->coming.last = region->read.last;
		region->coming.count += region->read.count;
		region->read = (struct net_worm_list){0};
	}
}

// ---- reports

bool net_report_is_before(const struct net_report *a, const struct net_report *b)
{
	return a->ticks < b->ticks || (a->ticks == b->ticks && a->place < b->place);
}

// The first report that is not given, up to *last; NULL.
static const struct net_report *regions_next_report(struct net_regions *regions, unsigned turn,
						    const struct net_report *last)
{
	struct net_reports *of = &regions->refused;
	const struct net_report *first = of->given < of->count ? &of->items[of->given] : NULL;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_reports *reports = &regions->all[i].reports[turn];
		const struct net_report *next = &reports->items[reports->given];

		if (reports->given < reports->count &&
		    (!first || net_report_is_before(next, first))) {
			first = next;
			of = reports;
		}
	}
	if (!first || net_report_is_before(last, first))
		return NULL;
	of->given++;
	return first;
}

// The traffic is told of a packet behind all that was reported as it entered.
static void regions_tell_taken(struct net_drive *drive)
{
	if (drive->cut.regions->owed.owes && drive->status == TR_OK)
		drive->status = net_intake_tell_taken(&drive->intake, drive->err);
	drive->cut.regions->owed.owes = false;
}

static void regions_reuse(struct net_drive *drive, uint32_t worm)
{
	if (drive->cut.regions->loops.division)
		net_loops_reuse(drive, worm);
	else
		net_worm_reuse(&drive->pool, worm);
	net_ranks_reuse(drive, worm);
}

void net_regions_give(struct net_drive *drive, const struct net_report *report)
{
	struct net_regions *regions = drive->cut.regions;
	const bool taken = report->what == NET_ENTERED || report->what == NET_REFUSED;
	const bool ends = report->what == NET_ENDED || report->what == NET_KEPT;

	if (regions->owed.owes && (taken || net_report_is_before(&regions->owed.report, report)))
		regions_tell_taken(drive);
	if (report->what == NET_FREED) {
		regions_reuse(drive, report->worm);
		return;
	}
	if (taken) {
		regions->owed.owes = true;
		regions->owed.report = *report;
		regions->ahead.first++;
	}
	drive->now_ticks = drive->last_ticks = report->ticks;
	drive->totals->offered += taken;
	if (report->what == NET_ENTERED) {
		if (++regions->alive > drive->pool.most)
			net_drive_fail_full(drive);
		return;
	}
	regions->alive -= ends;
	if (ends && regions->loops.division)
		net_loops_end(drive, report->worm);
	else if (ends && regions->under_way)
		regions->under_way[drive->pool.worms[report->worm].source]--;
	drive->totals->delivered += report->status == TR_DELIVERED;
	drive->totals->dropped += report->status == TR_DROPPED;
	net_drive_report(drive, &drive->pool.worms[report->worm], report->status, report->reason);
	net_worm_end(&drive->pool, report->worm);
	if (report->what != NET_KEPT)
		regions_reuse(drive, report->worm);
}

static void regions_forget_given(struct net_reports *reports)
{
	if (reports->given == 0)
		return;
	reports->count -= reports->given;
	memmove(reports->items, reports->items + reports->given,
		reports->count * sizeof(*reports->items));
	reports->given = 0;
}

// Reports what happened in a window, up to *last.
static void regions_report(struct net_drive *drive, unsigned turn, const struct net_report *last)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_report *report;

	if (regions->loops.division)
		net_loops_report(drive, turn, last);
	while (drive->status == TR_OK &&
	       (report = regions_next_report(regions, turn, last)) != NULL)
		net_regions_give(drive, report);
	if (drive->enough)
		net_drive_fail(drive, "results end a run whose network is in regions");
	regions_tell_taken(drive);
	for (uint32_t i = 0; i < regions->count; i++)
		regions->all[i].reports[turn].count = regions->all[i].reports[turn].given = 0;
	regions_forget_given(&regions->refused);
}

// ---- windows

static int64_t regions_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t regions_entry_ticks(const struct net_drive *drive, const struct net_worm_list *list)
{
	return list->count > 0 ? drive->pool.worms[list->first].packet.time_ticks : INT64_MAX;
}

static int64_t regions_next_ticks(const struct net_drive *drive)
{
	const struct net_regions *regions = drive->cut.regions;
	const struct net_reports *refused = &regions->refused;
	int64_t next = drive->intake.due_ticks;

	if (refused->given < refused->count)
		next = regions_earlier(next, refused->items[refused->given].ticks);
	for (uint32_t i = 0; i < regions->count; i++) {
		const struct net_region *region = &regions->all[i];

		next = regions_earlier(next, region->next_ticks);
		next = regions_earlier(next, region->sent_ticks);
		next = regions_earlier(next, regions_entry_ticks(drive, &region->coming));
		next = regions_earlier(next, regions_entry_ticks(drive, &region->read));
	}
	return next;
}

// The last that can happen in a window: nothing behind the entry at which the traffic failed.
static struct net_report regions_last(const struct net_drive *drive, int64_t end_ticks)
{
	const int64_t unread_ticks = drive->cut.regions->unread_ticks;

	if (unread_ticks < end_ticks)
		return (struct net_report){.ticks = unread_ticks,
					   .place = PLACE_ENTER | drive->entered};
	return (struct net_report){.ticks = end_ticks - 1, .place = UINT64_MAX};
}

// Reports all of the window that has ended, unless that was done.
static void regions_report_window(struct net_drive *drive, int64_t end_ticks)
{
	const struct net_report last = regions_last(drive, end_ticks);

	regions_report(drive, 1 - drive->cut.regions->turn, &last);
}

// The first failure of a window, in the order of what is reported, is that of the run.
static void regions_fail(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_report last = regions_last(drive, regions->end_ticks);
	const struct net_region *failed = NULL;
	struct net_report first = {0};

	for (uint32_t i = 0; i < regions->count; i++) {
		const struct net_region *region = &regions->all[i];
		const struct net_report at = {.ticks = region->drive->now_ticks,
					      .place = region->place};

		if (region->drive->status == TR_OK ||
		    (failed && !net_report_is_before(&at, &first)))
			continue;
		failed = region;
		first = at;
	}
	if (!failed || drive->status != TR_OK || net_report_is_before(&last, &first))
		return;
	regions_report(drive, 1 - regions->turn, &first);
	if (drive->status == TR_OK) {
		*drive->err = failed->err;
		drive->status = failed->drive->status;
	}
}

// When the window that begins with an event ends.
static int64_t regions_window_end(const struct net_drive *drive, int64_t ticks)
{
	const struct net_regions *regions = drive->cut.regions;
	int64_t end = ticks < INT64_MAX - regions->ahead_ticks ? ticks + regions->ahead_ticks
							       : INT64_MAX;

	end = regions_earlier(end, drive->stop_ticks);
	if (drive->samples.links)
		end = regions_earlier(end, drive->samples.begin_ticks +
						   drive->setup->sampling.width_ticks);
	return end;
}

// Reads what enters in a window. It ends earlier where the traffic is to be waited for, for which
// all before must have happened, and where numbers of worms run out: the regions are united before
// the packet that has none, if they are to be anyway or it is one of the first tick.
static int64_t regions_read_window(struct net_drive *drive, int64_t ticks, int64_t end_ticks)
{
	struct net_regions *regions = drive->cut.regions;

	for (regions_read(drive, end_ticks); regions->unasked; regions_read(drive, end_ticks)) {
		if (drive->intake.due_ticks > ticks)
			return regions_earlier(end_ticks, drive->intake.due_ticks);
		regions_report_window(drive, regions->end_ticks);
		regions->unasked = false;
		regions_ask(drive);
	}
	if (drive->intake.due_ticks >= end_ticks)
		return end_ticks;
	regions_report_window(drive, regions->end_ticks);
	regions_read(drive, end_ticks);
	if (drive->intake.due_ticks < end_ticks &&
	    (net_regions_end_whole(drive) || drive->intake.due_ticks <= ticks))
		regions->over = true;
	return regions_earlier(end_ticks, drive->intake.due_ticks);
}

// Windows in which little happens are not worth that others wake.
static void regions_look(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	uint64_t events = 0;

	regions->sent_to = 0;
	for (uint32_t i = 0; i < regions->count; i++) {
		events += regions->all[i].totals.events;
		regions->sent_to |= regions->all[i].sent_to;
	}
	regions->busy = drive->setup->regions > 0 ||
			events - regions->events >= drive->rules->regions->busy_events;
	net_regions_note_sparse(drive, events - regions->events);
	regions->events = events;
}

static void regions_run_alone(struct net_regions *regions)
{
	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		net_region_run(regions, i);
}

static void regions_run_window(struct net_drive *drive, int64_t ticks)
{
	struct net_regions *regions = drive->cut.regions;
	const int64_t past_ticks = regions->end_ticks;
	const int64_t end_ticks = regions_read_window(drive, ticks,
						      regions_window_end(drive, ticks));

	if (drive->status != TR_OK || end_ticks <= ticks)
		return;
	regions_hand_out(drive);
	net_loops_forget(drive);
	regions->past_ticks = past_ticks;
	regions->end_ticks = end_ticks;
	net_ranks_start(drive);
	if (regions->busy)
		sim_crew_start(regions->crew);
	regions_report_window(drive, past_ticks);
	regions_read(drive, regions_window_end(drive, end_ticks));
	if (regions->busy)
		sim_crew_finish(regions->crew);
	else
		regions_run_alone(regions);
	if (regions->loops.division && drive->status == TR_OK)
		net_loops_catch_up(drive);
	net_ranks_end(drive);
	regions_look(drive);
	regions->turn = 1 - regions->turn;
	if (regions->loops.division && drive->status == TR_OK)
		drive->status = regions->loops.division->settle(drive->setup->traffic.context,
								drive->err);
	regions_fail(drive);
}

// What was read and has not entered was never in the network. Now is the last tick of all.
static void regions_stop(struct net_drive *drive, bool was_cut)
{
	struct net_regions *regions = drive->cut.regions;

	regions_hand_out(drive);
	for (uint32_t i = regions->refused.given; i < regions->refused.count; i++)
		net_worm_give_back(&drive->pool, regions->refused.items[i].worm);
	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		while (region->coming.count > 0)
			net_worm_give_back(&drive->pool,
					   net_worm_first(&drive->pool, &region->coming));
		if (region->drive->now_ticks > drive->now_ticks)
			drive->now_ticks = region->drive->now_ticks;
	}
	if (was_cut)
		drive->now_ticks = drive->stop_ticks;
}

bool net_regions_run(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	bool was_cut = false, unites;

	regions->crew = net_regions_crew(drive);
	if (drive->status == TR_OK && drive->setup->traffic.give_back &&
	    net_loops_open(drive) != TR_OK)
		drive->status = TR_ERROR;
	regions->end_ticks = drive->start_ticks;
	if (drive->samples.links)
		net_regions_sample_until(drive, drive->start_ticks);
	while (drive->status == TR_OK && !was_cut) {
		const int64_t next = regions_next_ticks(drive);

		if (next == INT64_MAX || next > regions->unread_ticks || regions->windows.sparse)
			break;
		if (drive->samples.links &&
		    next >= drive->samples.begin_ticks + drive->setup->sampling.width_ticks) {
			regions_report_window(drive, regions->end_ticks);
			if (drive->status == TR_OK)
				net_regions_sample_until(drive,
							 regions_earlier(next, drive->stop_ticks));
		}
		if (regions->over && (regions->loops.division || next >= drive->intake.due_ticks)) {
			net_ranks_over(drive);
			break;
		}
		was_cut = next >= drive->stop_ticks;
		if (!was_cut && drive->status == TR_OK)
			regions_run_window(drive, next);
	}
	regions_report_window(drive, regions->end_ticks);
	if (!was_cut && regions->unread_ticks != INT64_MAX)
		drive->status = TR_ERROR;
	unites = net_regions_end_whole(drive) ||
		 (!was_cut && (regions->windows.sparse || regions->over));
	if (regions->loops.division)
		net_loops_close(drive, unites);
	regions_stop(drive, was_cut && !net_regions_end_whole(drive));
	if (drive->setup->ranks && net_regions_end_whole(drive) && drive->status == TR_OK)
		return net_ranks_rest(drive);
	if (unites && drive->status == TR_OK)
		net_regions_unite(drive);
	return was_cut;
}
