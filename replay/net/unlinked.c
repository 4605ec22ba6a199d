// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/unlinked.h"

#include <stdarg.h>

static void tell(struct net_run *run, const struct net_worm *worm, enum tr_delivery_status status, enum tr_drop_reason reason)
{
	struct tr_delivery delivery;

	net_worm_delivery(worm, status, reason, run->now_ticks, &delivery);
	if (run->status == TR_OK)
		run->status = net_intake_report(&run->intake, &run->setup->results, worm, &delivery, &run->enough, run->err);
}

// Whether worm a comes before worm b.
static bool before(const struct net_run *run, uint32_t a, uint32_t b)
{
	const int64_t a_ticks = run->pool.worms[a].received_ticks;
	const int64_t b_ticks = run->pool.worms[b].received_ticks;

	return a_ticks != b_ticks ? a_ticks < b_ticks : run->turns[a] < run->turns[b];
}

void net_run_send(struct net_run *run, uint32_t number, int64_t head_ticks, int64_t received_ticks)
{
	struct net_worm *worm = &run->pool.worms[number];
	uint32_t place = run->coming_count++;

	if (worm->started_ticks < 0)
		worm->started_ticks = run->now_ticks;
	if (worm->injected_ticks < 0)
		worm->injected_ticks = run->now_ticks;
	worm->head_ticks = head_ticks;
	worm->received_ticks = received_ticks;
	run->turns[number] = run->sent++;
	for (; place > 0 && before(run, number, run->coming[(place - 1) / 2]); place = (place - 1) / 2)
		run->coming[place] = run->coming[(place - 1) / 2];
	run->coming[place] = number;
}

// Removes the first worm from the heap.
static uint32_t take_coming(struct net_run *run)
{
	const uint32_t first = run->coming[0];
	const uint32_t last = run->coming[--run->coming_count];
	uint32_t place = 0;
	uint32_t child;

	while ((child = 2 * place + 1) < run->coming_count) {
		if (child + 1 < run->coming_count && before(run, run->coming[child + 1], run->coming[child]))
			child++;
		if (!before(run, run->coming[child], last))
			break;
		run->coming[place] = run->coming[child];
		place = child;
	}
	run->coming[place] = last;
	return first;
}

static int64_t arrival(const struct net_run *run)
{
	return run->coming_count > 0 ? run->pool.worms[run->coming[0]].received_ticks : INT64_MAX;
}

static void deliver(struct net_run *run)
{
	while (run->status == TR_OK && arrival(run) <= run->now_ticks) {
		const uint32_t worm = take_coming(run);

		run->totals->delivered++;
		tell(run, &run->pool.worms[worm], TR_DELIVERED, TR_DROP_NONE);
		net_worm_give_back(&run->pool, worm);
	}
}

static void ask(struct net_run *run)
{
	if (run->status == TR_OK && net_intake_ask(&run->intake, run->err) == TR_ERROR)
		run->status = TR_ERROR;
	if (run->status == TR_OK && run->intake.offered)
		run->status = net_intake_check(&run->intake, run->setup->topology->hosts, run->err);
}

static void refuse(struct net_run *run)
{
	struct net_worm worm = net_worm_none;

	worm.packet = run->intake.offer.packet;
	run->totals->dropped++;
	tell(run, &worm, TR_DROPPED, run->intake.offer.refused);
}

void net_run_fail(struct net_run *run, const char *format, ...)
{
	va_list arguments;

	if (run->status != TR_OK)
		return;
	va_start(arguments, format);
	run->status = tr_fail_with(run->err, format, arguments);
	va_end(arguments);
}

static bool route(struct net_run *run, uint32_t number, const struct net_offer *offer)
{
	if (offer->source == offer->destination)
		return true;
	if (offer->route)
		return net_worm_set_route(&run->pool, number, offer->route, offer->route_count);
	return net_worm_route(&run->pool, number, run->setup->routes);
}

static void enter(struct net_run *run, const struct net_rules *rules, void *network)
{
	const struct net_offer *offer = &run->intake.offer;
	const uint32_t number = net_intake_worm(&run->intake, &run->pool);
	struct net_worm *worm;

	if (number == NET_NO_WORM) {
		net_run_fail(run, "%s", rules->too_many);
		return;
	}
	worm = &run->pool.worms[number];
	worm->created_ticks = run->now_ticks;
	if (rules->routed && !route(run, number, offer))
		net_run_fail(run, "host %u has no route to host %u", offer->source, offer->destination);
	else
		rules->enter(network, run, number);
}

// Takes an offer whose time has come.
static void take(struct net_run *run, const struct net_rules *rules, void *network)
{
	const struct net_offer *offer = &run->intake.offer;

	run->totals->offered += !offer->wake;
	if (offer->refused != TR_DROP_NONE)
		refuse(run);
	else if (!offer->wake)
		enter(run, rules, network);
	net_intake_take(&run->intake);
	ask(run);
}

// First deliveries of this tick, so that reactive traffic sees them, then entries, then begins.
static void run_tick(struct net_run *run, const struct net_rules *rules, void *network)
{
	run->totals->events++;
	deliver(run);
	if (run->intake.told && run->setup->traffic.give_back)
		ask(run);
	while (run->status == TR_OK && net_intake_ready(&run->intake, run->now_ticks))
		take(run, rules, network);
	if (run->status == TR_OK && rules->begin)
		rules->begin(network, run);
}

static int64_t next_ticks(const struct net_run *run, const struct net_rules *rules, const void *network)
{
	int64_t next = arrival(run);

	if (run->intake.offered && run->intake.offer.packet.time_ticks < next)
		next = run->intake.offer.packet.time_ticks;
	if (rules->next_ticks && rules->next_ticks(network) < next)
		next = rules->next_ticks(network);
	return next;
}

// Returns the tick before which the run is cut; INT64_MAX: not cut.
static int64_t run_ticks(struct net_run *run, const struct net_rules *rules, void *network, int64_t stop_ticks)
{
	while (run->status == TR_OK) {
		const int64_t next = next_ticks(run, rules, network);

		if (next == INT64_MAX || (run->enough && next > run->now_ticks))
			break;
		if (next >= stop_ticks) {
			run->now_ticks = stop_ticks;
			return stop_ticks;
		}
		if (next > run->now_ticks)
			run->now_ticks = next;
		run_tick(run, rules, network);
	}
	return INT64_MAX;
}

static void tell_in_flight(struct net_run *run, struct net_worm *worm, int64_t cut_ticks)
{
	worm->received_ticks = -1;
	if (worm->injected_ticks >= cut_ticks)
		worm->injected_ticks = -1;
	if (worm->head_ticks >= cut_ticks)
		worm->head_ticks = -1;
	tell(run, worm, TR_IN_FLIGHT, TR_DROP_NONE);
}

// Reports the worms in flight: those sent, then those waiting.
static void finish(struct net_run *run, const struct net_rules *rules, void *network, int64_t cut_ticks)
{
	uint32_t number;

	if (run->now_ticks == INT64_MIN)
		run->now_ticks = 0;
	if (cut_ticks == INT64_MAX)
		cut_ticks = run->now_ticks + 1;
	run->totals->end_ticks = run->now_ticks;
	run->totals->in_flight = run->pool.alive;
	while (run->coming_count > 0)
		tell_in_flight(run, &run->pool.worms[take_coming(run)], cut_ticks);
	while (rules->take_left && (number = rules->take_left(network, run)) != NET_NO_WORM)
		tell_in_flight(run, &run->pool.worms[number], cut_ticks);
}

enum tr_status net_run_supports(const struct net_setup *setup, struct tr_error *err)
{
	if (setup->sampling.width_ticks != 0 || setup->watch || setup->fault_count != 0)
		return tr_fail(err, "this kind of network has no links that can be sampled, watched or dead");
	return TR_OK;
}

static uint32_t longest_route(const struct net_setup *setup, const struct net_rules *rules)
{
	if (!rules->routed)
		return 0;
	return setup->longest_route > setup->routes->longest ? setup->longest_route : setup->routes->longest;
}

static void layout(struct net_run *run, struct sim_arena *arena, uint32_t worms_max, uint32_t longest)
{
	net_worm_pool_layout(&run->pool, arena, worms_max, longest);
	run->coming = sim_arena_take(arena, worms_max, sizeof(*run->coming));
	run->turns = sim_arena_take(arena, worms_max, sizeof(*run->turns));
}

enum tr_status net_run(const struct net_setup *setup, const struct net_rules *rules, void *network, uint32_t worms_max,
		       struct net_totals *totals, struct tr_error *err)
{
	struct net_run run = {.setup = setup, .totals = totals, .err = err, .now_ticks = INT64_MIN};
	struct sim_arena arena = {0};
	int64_t cut_ticks;

	*totals = (struct net_totals){0};
	if (net_run_supports(setup, err) != TR_OK)
		return TR_ERROR;
	layout(&run, &arena, worms_max, longest_route(setup, rules));
	if (sim_arena_open(&arena, err) != TR_OK)
		return TR_ERROR;
	layout(&run, &arena, worms_max, longest_route(setup, rules));
	totals->memory_bytes = arena.size_bytes;
	net_intake_start(&run.intake, &setup->traffic);
	ask(&run);
	cut_ticks = run_ticks(&run, rules, network, setup->stop_ticks ? *setup->stop_ticks : INT64_MAX);
	finish(&run, rules, network, cut_ticks);
	sim_arena_close(&arena);
	return run.status;
}
