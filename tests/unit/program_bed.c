// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric_bed.h"
#include "program_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void set_up(struct program_bed *bed, struct tr_source *source)
{
	*bed = (struct program_bed){.myrinet = myr_params_yates, .engine = "reference"};
	bed->params = (struct program_params){.overhead_byte = {0, 1},
					      .gap_byte = {0, 1},
					      .eager_bytes = 65535,
					      .mtu_bytes = 8192,
					      .empty_bytes = 40,
					      .window_worms = 999,
					      .ns_ticks = BED_NS,
					      .keeps_path = true,
					      .keeps_waits = true};
	bed->ideal.latency_s = (struct num_ratio){1000, 1000000000};
	if (goal_read(&bed->goal, source, NULL, &bed->err) != TR_OK)
		fail_msg("%s", bed->err.text);
	tr_source_close(source);
}

void program_bed_open(struct program_bed *bed, const char *text)
{
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t", &err), TR_OK);
	set_up(bed, source);
}

bool program_bed_open_file(struct program_bed *bed, const char *path)
{
	struct tr_source *source;
	struct tr_error err;

	if (access(path, R_OK) != 0)
		return false;
	assert_int_equal(tr_source_open(&source, path, &err), TR_OK);
	set_up(bed, source);
	return true;
}

void program_bed_set(struct program_bed *bed, int64_t o, int64_t g, int64_t O, int64_t G)
{
	bed->params.overhead_ticks = o * BED_NS;
	bed->params.gap_ticks = g * BED_NS;
	bed->params.overhead_byte = (struct sim_pace){O * BED_NS, 1};
	bed->params.gap_byte = (struct sim_pace){G * BED_NS, 1};
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct program_bed *bed = context;

	(void)worm;
	(void)err;
	if (bed->delivery_count < BED_RECORDS)
		bed->deliveries[bed->delivery_count] = *delivery;
	bed->delivery_count++;
	return TR_OK;
}

static enum tr_status message(void *context, const struct tr_message *record, struct tr_error *err)
{
	struct program_bed *bed = context;

	(void)err;
	if (bed->message_count < BED_RECORDS)
		bed->messages[bed->message_count] = *record;
	bed->message_count++;
	return TR_OK;
}

static enum tr_status lossy_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct program_bed *bed = context;
	const enum tr_status status = bed->traffic.next(bed->traffic.context, offer, err);

	if (status != TR_OK || offer->wake)
		return status;
	if (!bed->asked || bed->asked_id != offer->packet.id ||
	    bed->asked_ticks != offer->packet.time_ticks)
		bed->lost = bed->loses(bed->loses_context, offer);
	bed->asked = true;
	bed->asked_id = offer->packet.id;
	bed->asked_ticks = offer->packet.time_ticks;
	if (bed->lost)
		offer->refused = TR_DROP_ERROR;
	return status;
}

static void lossy_give_back(void *context, const struct net_offer *offer)
{
	const struct program_bed *bed = context;

	bed->traffic.give_back(bed->traffic.context, offer);
}

static enum tr_status run_on(struct program_bed *bed, const char *engine,
			     const struct net_topology *topology, const struct net_routes *routes,
			     const void *params)
{
	const struct program_listener listener = {.done = done, .message = message, .context = bed};
	struct net_setup setup = {.topology = topology,
				  .routes = routes,
				  .params = params,
				  .ticks_per_s = BED_NS * UINT64_C(1000000000)};
	enum tr_status status;

	if (program_open(&bed->program, &bed->goal, &bed->params, topology->hosts, bed->host_of,
			 &listener, &bed->err) != TR_OK)
		return TR_ERROR;
	setup.traffic = program_traffic(bed->program);
	setup.results = program_results(bed->program);
	if (bed->loses) {
		bed->traffic = setup.traffic;
		setup.traffic.next = lossy_next;
		setup.traffic.give_back = lossy_give_back;
		setup.traffic.context = bed;
		setup.traffic.name = NULL;
	}
	status = engine_called(engine)->run(&setup, &bed->net, &bed->err);
	program_totals(bed->program, &bed->totals);
	return status;
}

enum tr_status program_bed_run(struct program_bed *bed, const char *topology)
{
	struct net_topology made = {.hosts = bed->goal.ranks};
	struct net_routes routes = {0};
	enum tr_status status;

	program_close(bed->program);
	bed->program = NULL;
	bed->delivery_count = 0;
	bed->message_count = 0;
	if (!topology)
		return run_on(bed, "ideal", &made, &routes, &bed->ideal);
	if (net_topology_make(&made, topology, &bed->err) != TR_OK ||
	    net_routes_shortest(&routes, &made, &bed->err) != TR_OK)
		fail_msg("%s", bed->err.text);
	status = run_on(bed, bed->engine, &made, &routes, &bed->myrinet);
	net_routes_clear(&routes);
	net_topology_clear(&made);
	return status;
}

int64_t program_bed_finish(const struct program_bed *bed, uint32_t rank)
{
	int64_t ticks = program_rank(bed->program, rank)->finish_ticks;

	assert_int_equal(ticks % BED_NS, 0);
	return ticks / BED_NS;
}

void program_bed_close(struct program_bed *bed)
{
	program_close(bed->program);
	goal_clear(&bed->goal);
	bed->program = NULL;
}
