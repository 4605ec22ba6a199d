// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/drive.h"
#include "net/drive/regions_ranks.h"

#include <stdarg.h>
#include <stdlib.h>

#define FEW 16u // worms that are sorted by insertion

// A kind's run begins with its drive.
static void *drive_kind_of(struct net_drive *drive)
{
	return drive;
}

void net_drive_fail(struct net_drive *drive, const char *format, ...)
{
	va_list args;

	if (drive->status != TR_OK)
		return;
	va_start(args, format);
	drive->status = tr_fail_with(drive->err, format, args);
	va_end(args);
}

// ---- packets enter

void net_drive_report(struct net_drive *drive, const struct net_worm *worm,
		      enum tr_delivery_status status, enum tr_drop_reason reason)
{
	struct tr_delivery delivery;

	net_worm_delivery(worm, status, reason, drive->now_ticks, &delivery);
	if (drive->status == TR_OK)
		drive->status = net_intake_report(&drive->intake, &drive->setup->results, worm,
						  &delivery, &drive->enough, drive->err);
}

void net_drive_ask(struct net_drive *drive)
{
	struct net_intake *intake = &drive->intake;

	intake->due_ticks = INT64_MAX;
	if (drive->status == TR_OK && net_intake_ask(intake, drive->err) == TR_ERROR)
		drive->status = TR_ERROR;
	if (drive->status != TR_OK || !intake->offered)
		return;
	intake->due_ticks = intake->offer.packet.time_ticks;
	drive->status = net_intake_check(intake, drive->setup->topology->hosts, drive->err);
}

// The packet never becomes a worm of the kind.
static void drive_refuse(struct net_drive *drive, const struct tr_packet *packet,
			 enum tr_drop_reason reason)
{
	struct net_worm worm = net_worm_none;

	worm.packet = *packet;
	worm.tag = drive->intake.offer.tag;
	drive->totals->offered++;
	drive->totals->dropped++;
	drive->last_ticks = drive->now_ticks;
	net_drive_report(drive, &worm, TR_DROPPED, reason);
}

static void drive_generate(struct net_drive *drive, uint32_t worm)
{
	drive->totals->offered++;
	drive->last_ticks = drive->now_ticks;
	drive->pool.worms[worm].created_ticks = drive->now_ticks;
	drive->pool.worms[worm].tag = drive->intake.offer.tag; // without finite sources
	drive->serials[worm] = drive->entered++;
	net_drive_renew(drive, worm);
	if (drive->timeouts.ages)
		net_timeouts_begin(drive, worm);
	drive->rules->enter(drive_kind_of(drive), worm);
}

void net_drive_fail_full(struct net_drive *drive)
{
	net_drive_fail(drive,
		       "more than %u packets under way, of %zu B each: a larger --memory holds "
		       "more, but none is enough where the network carries less than it is offered",
		       drive->pool.most, drive->pool.worm_bytes);
}

static void drive_take_in(struct net_drive *drive, const struct net_offer *offer)
{
	const uint32_t worm = net_intake_worm(&drive->intake, &drive->pool);

	if (worm == NET_NO_WORM)
		net_drive_fail_full(drive);
	else if (!net_drive_take_route(drive, worm, offer) ||
		 (!(drive->sources.hosts && drive->setup->reroute_count > 0) &&
		  !net_drive_route(drive, worm)))
		return;
	else if (drive->sources.hosts)
		net_sources_read(drive, worm);
	else
		drive_generate(drive, worm);
}

// Whether the offer is taken now: refused, or as a worm. A finite source's is judged when it is
// generated.
static bool drive_fits(struct net_drive *drive, struct net_offer *offer)
{
	if (offer->refused != TR_DROP_NONE || offer->wake)
		return true;
	if (!drive->sources.hosts && net_drive_host_is_dead(drive, offer->source))
		offer->refused = TR_DROP_DEAD;
	else if (!drive->sources.hosts && !offer->route &&
		 net_drive_lacks_route(drive, offer->source, offer->destination))
		offer->refused = TR_DROP_NO_ROUTE;
	return offer->refused != TR_DROP_NONE || !drive->rules->fits ||
	       drive->rules->fits(drive_kind_of(drive), offer);
}

// When the next offer is read; INT64_MAX: not before something else happens.
static int64_t drive_next_offer(const struct net_drive *drive)
{
	return !drive->sources.hosts || drive->sources.needy > 0 ? drive->intake.due_ticks
								 : INT64_MAX;
}

static void read_offers(struct net_drive *drive)
{
	struct net_offer *offer = &drive->intake.offer;

	while (drive_next_offer(drive) <= drive->now_ticks && drive->status == TR_OK) {
		if (!drive_fits(drive, offer)) {
			drive->intake.due_ticks = INT64_MAX;
			return;
		}
		if (offer->refused != TR_DROP_NONE)
			drive_refuse(drive, &offer->packet, offer->refused);
		else if (!offer->wake)
			drive_take_in(drive, offer);
		net_intake_take(&drive->intake);
		if (drive->status == TR_OK)
			drive->status = net_intake_tell_taken(&drive->intake, drive->err);
		net_drive_ask(drive);
	}
}

// The source of a dead host goes on, and what it generates is dropped.
static void generate_due(struct net_drive *drive)
{
	uint32_t worm;

	while (drive->status == TR_OK && (worm = net_sources_take(drive)) != NET_NO_WORM) {
		const struct net_worm *born = &drive->pool.worms[worm];

		if (net_drive_host_is_dead(drive, born->source)) {
			drive_refuse(drive, &born->packet, TR_DROP_DEAD);
			net_sources_drop(drive, worm);
		} else if (net_drive_lacks_route(drive, born->source, born->destination)) {
			drive_refuse(drive, &born->packet, TR_DROP_NO_ROUTE);
			net_sources_drop(drive, worm);
		} else if (drive->setup->reroute_count == 0 || net_drive_route(drive, worm)) {
			drive_generate(drive, worm);
		}
		read_offers(drive);
	}
}

static inline void drive_enter(struct net_drive *drive)
{
	if (drive->intake.told)
		net_drive_ask(drive);
	if (drive->intake.due_ticks <= drive->now_ticks)
		read_offers(drive);
	if (drive->sources.hosts)
		generate_due(drive);
}

// ---- worms come to their ends

static void drive_tell_end(struct net_drive *drive, uint32_t worm, enum tr_delivery_status status,
			   enum tr_drop_reason reason)
{
	if (drive->rules->end)
		drive->rules->end(drive_kind_of(drive), worm);
	if (drive->cut.region)
		net_regions_end(drive, worm, status, reason);
	else
		net_drive_report(drive, &drive->pool.worms[worm], status, reason);
}

// What would have come at or after a tick has not happened.
static void drive_forget(struct net_worm *worm, int64_t ticks)
{
	worm->received_ticks = -1;
	if (worm->injected_ticks >= ticks)
		worm->injected_ticks = -1;
	if (worm->head_ticks >= ticks)
		worm->head_ticks = -1;
}

void net_drive_end(struct net_drive *drive, uint32_t worm, enum tr_delivery_status status,
		   enum tr_drop_reason reason)
{
	if (status == TR_DELIVERED && drive->pool.worms[worm].received_ticks < 0)
		drive->pool.worms[worm].received_ticks = drive->now_ticks;
	if (status == TR_DROPPED)
		drive_forget(&drive->pool.worms[worm], drive->now_ticks + 1);
	drive->totals->delivered += status == TR_DELIVERED;
	drive->totals->dropped += status == TR_DROPPED;
	drive->last_ticks = drive->now_ticks;
	drive_tell_end(drive, worm, status, reason);
	if (drive->timeouts.ages)
		net_timeouts_end(drive, worm);
	if (!drive->cut.region)
		net_worm_end(&drive->pool, worm);
}

void net_drive_reuse(struct net_drive *drive, uint32_t worm)
{
	if (drive->cut.region)
		net_regions_free(drive, worm);
	else
		net_worm_reuse(&drive->pool, worm);
}

void net_drive_deliver(struct net_drive *drive, uint32_t worm)
{
	if (net_drive_is_late(drive, worm)) {
		net_drive_drop(drive, worm, TR_DROP_TIMEOUT);
		return;
	}
	if (net_drive_doom(drive, worm) != TR_DROP_NONE) {
		net_drive_drop(drive, worm, net_drive_doom(drive, worm));
		return;
	}
	net_drive_end(drive, worm, TR_DELIVERED, TR_DROP_NONE);
	net_drive_reuse(drive, worm);
}

void net_drive_drop(struct net_drive *drive, uint32_t worm, enum tr_drop_reason reason)
{
	net_drive_end(drive, worm, TR_DROPPED, reason);
	net_drive_reuse(drive, worm);
}

uint32_t net_drive_own_worm(struct net_drive *drive)
{
	const uint32_t worm = net_worm_take(&drive->pool);

	if (worm == NET_NO_WORM)
		net_drive_fail_full(drive);
	else
		drive->serials[worm] = drive->entered++;
	if (worm != NET_NO_WORM)
		net_drive_renew(drive, worm);
	return worm;
}

static int by_serial(const void *a, const void *b, void *context)
{
	const uint64_t *serials = context;
	const uint64_t left = serials[*(const uint32_t *)a], right = serials[*(const uint32_t *)b];

	return left < right ? -1 : left > right;
}

static void insert_by_serial(const struct net_drive *drive, uint32_t *worms, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t worm = worms[i];
		uint32_t place = i;

		for (; place > 0 && drive->serials[worms[place - 1]] > drive->serials[worm];
		     place--)
			worms[place] = worms[place - 1];
		worms[place] = worm;
	}
}

void net_drive_sort(const struct net_drive *drive, uint32_t *worms, uint32_t count)
{
	if (count <= FEW)
		insert_by_serial(drive, worms, count);
	else
		qsort_r(worms, count, sizeof(*worms), by_serial, drive->serials);
}

// Reports the worms that are under way, in the order of entry.
static void report_in_flight(struct net_drive *drive, bool was_cut)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < drive->pool.fresh; i++)
		if (drive->pool.worms[i].size_bytes > 0 && drive->serials[i] != NET_UNBORN)
			drive->pool.chosen[count++] = i;
	net_drive_sort(drive, drive->pool.chosen, count);
	drive->totals->in_flight = count;
	for (uint32_t i = 0; i < count; i++) {
		drive_forget(&drive->pool.worms[drive->pool.chosen[i]],
			     drive->now_ticks + !was_cut);
		drive_tell_end(drive, drive->pool.chosen[i], TR_IN_FLIGHT, TR_DROP_NONE);
	}
}

// ---- time

bool net_drive_expects(const struct net_drive *drive)
{
	return drive_next_offer(drive) != INT64_MAX || drive->sources.thinking.count > 0 ||
	       drive->intake.told;
}

void net_drive_room(struct net_drive *drive, uint32_t host)
{
	if (drive->intake.offered && drive->intake.due_ticks == INT64_MAX &&
	    drive->intake.offer.source == host)
		drive->intake.due_ticks = drive->now_ticks + 1;
}

static inline int64_t drive_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

// When a finite source generates its next packet, or its next one is read; what left in this tick
// left after packets entered.
static int64_t drive_next_thought(const struct net_drive *drive)
{
	const int64_t due = drive_earlier(net_sources_next(drive), drive_next_offer(drive));

	return due > drive->now_ticks ? due : drive->now_ticks + 1;
}

// The next fault or timeout, if it is before a tick. Faults count as long as packets are under way
// or to come.
static int64_t drive_next_loss(const struct net_drive *drive, int64_t ticks)
{
	if (drive->faults.next_ticks < ticks && (drive->pool.alive > 0 || drive->intake.offered))
		ticks = drive->faults.next_ticks;
	return drive_earlier(ticks, drive->timeouts.next_ticks);
}

// Traffic that reacts is asked again after a result that came behind the entries of a tick.
static inline int64_t drive_next_ticks(struct net_drive *drive)
{
	int64_t next = drive->rules->next_ticks(drive_kind_of(drive));

	next = drive_earlier(next, drive->sources.hosts ? drive_next_thought(drive)
							: drive->intake.due_ticks);
	if (drive->intake.told)
		next = drive_earlier(next, drive->now_ticks + 1);
	return drive->timeouts.loss_ticks < next ? drive_next_loss(drive, next) : next;
}

static void drive_lose_until(struct net_drive *drive, int64_t ticks)
{
	if (drive->faults.next_ticks <= ticks && drive->status == TR_OK)
		net_faults_until(drive, ticks);
	if (drive->timeouts.next_ticks <= ticks && drive->status == TR_OK)
		net_timeouts_until(drive, ticks);
}

static inline void run_tick(struct net_drive *drive, int64_t ticks)
{
	const struct net_rules *rules = drive->rules;

	if (ticks > drive->now_ticks)
		drive->now_ticks = ticks;
	if (drive->faults.reroute_ticks < ticks)
		net_reroutes_until(drive, ticks);
	if (drive->samples.links)
		net_samples_until(drive, ticks);
	if (rules->arrive)
		rules->arrive(drive_kind_of(drive));
	drive_enter(drive);
	if (drive->status != TR_OK)
		return;
	if (rules->move)
		rules->move(drive_kind_of(drive));
	if (drive->timeouts.loss_ticks <= drive->now_ticks)
		drive_lose_until(drive, drive->now_ticks);
	if (drive->watching.packets)
		net_watch_until(drive, drive->now_ticks);
}

// Whether the run is cut, before anything of its last tick has happened.
static bool drive_run_ticks(struct net_drive *drive)
{
	while (drive->status == TR_OK && !drive->stands) {
		const int64_t next = drive_next_ticks(drive);

		if (drive->enough && next > drive->now_ticks)
			return false;
		if (next >= drive->stop_ticks) {
			if (next == INT64_MAX)
				return false;
			drive->now_ticks = drive->stop_ticks;
			return true;
		}
		run_tick(drive, next);
	}
	return false;
}

static void drive_finish(struct net_drive *drive, bool was_cut)
{
	if (drive->now_ticks == INT64_MIN)
		drive->now_ticks = 0;
	drive->totals->deadlocked = drive->status == TR_OK && !was_cut && !drive->enough &&
				    drive->pool.alive > drive->sources.unborn;
	if (drive->cut.regions)
		net_regions_finish(drive, was_cut);
	else if (drive->rules->close)
		drive->rules->close(drive_kind_of(drive), was_cut);
	drive->totals->end_ticks = drive->now_ticks;
	net_samples_close(drive, drive->now_ticks, was_cut || drive->enough);
	// What has left a link is seen at its end, though it was lost before.
	net_watch_until(drive, was_cut || drive->enough ? drive->now_ticks - was_cut : INT64_MAX);
	report_in_flight(drive, was_cut);
}

// ---- a run

// What was dead before the first packet; samples begin with it.
static void drive_begin(struct net_drive *drive)
{
	net_samples_open(drive, drive->start_ticks);
	drive->now_ticks = drive->start_ticks - 1;
	if (drive->intake.offered)
		net_faults_until(drive, drive->now_ticks);
	drive->now_ticks = INT64_MIN;
	drive->last_ticks = drive->start_ticks;
}

// Makes the network, all idle. The arena and the graph are to be closed in any case.
static enum tr_status drive_open_run(struct net_drive *drive, uint32_t worms)
{
	drive->start_ticks = drive->intake.offered ? drive->intake.offer.packet.time_ticks : 0;
	if (drive->rules->linked &&
	    net_graph_open(&drive->graph, drive->setup->topology, drive->err) != TR_OK)
		return TR_ERROR;
	if (net_regions_open(drive) != TR_OK || net_memory_open(drive, worms) != TR_OK)
		return TR_ERROR;
	if (drive->rules->links && net_links_open(drive) != TR_OK)
		return TR_ERROR;
	net_sources_open(drive);
	if (net_faults_open(drive) != TR_OK)
		return TR_ERROR;
	if (drive->rules->open && drive->rules->open(drive_kind_of(drive)) != TR_OK)
		return TR_ERROR;
	net_regions_layout(drive);
	return net_ranks_ready(drive);
}

enum tr_status net_drive_go(void *run, const struct net_setup *setup, const struct net_rules *rules,
			    uint64_t worms_max, struct net_totals *totals, struct tr_error *err)
{
	struct net_drive *drive = run;
	struct net_rules complete = *rules;
	bool was_cut;

	*totals = (struct net_totals){0};
	if (setup->finite_sources && setup->traffic.give_back)
		return tr_fail(err, "source=finite applies to traces: this traffic already waits "
				    "for deliveries");
	if (rules->links && net_links_complete(&complete, setup, err) != TR_OK)
		return TR_ERROR;
	*drive = (struct net_drive){.setup = setup,
				    .rules = &complete,
				    .totals = totals,
				    .now_ticks = INT64_MIN,
				    .stop_ticks = setup->stop_ticks ? *setup->stop_ticks
								    : INT64_MAX,
				    .faults.routes = setup->routes,
				    .err = err};
	net_reroutes_until(drive, INT64_MIN);
	if (setup->traffic.view)
		net_view_open(drive);
	net_intake_start(&drive->intake, &setup->traffic);
	if (net_ranks_follows(drive))
		drive->intake.due_ticks = INT64_MAX;
	else
		net_drive_ask(drive);
	if (drive->status == TR_OK)
		drive->status = drive_open_run(drive, (uint32_t)worms_max);
	totals->memory_bytes = drive->arena.size_bytes;
	if (drive->status == TR_OK && net_ranks_follows(drive)) {
		net_ranks_serve(drive);
	} else if (drive->status == TR_OK) {
		drive_begin(drive);
		was_cut = drive->cut.regions && net_regions_run(drive);
		if (!drive->cut.regions)
			was_cut = drive_run_ticks(drive);
		drive_finish(drive, was_cut);
	}
	net_regions_close(drive);
	sim_arena_close(&drive->arena);
	net_graph_close(&drive->graph);
	return drive->status;
}
