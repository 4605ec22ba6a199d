// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric_bed.h"
#include "ranks_apart.h"
#include "replay_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INTERVALS_MAX 10000u // of samples that a run is remembered with

void bed_open(struct bed *bed, const char *network)
{
	*bed = (struct bed){.params = myr_params_yates, .ticks_per_s = BED_TICKS_PER_S};
	if (net_topology_make(&bed->topology, network, &bed->err) != TR_OK ||
	    net_routes_shortest(&bed->routes, &bed->topology, &bed->err) != TR_OK)
		fail_msg("%s", bed->err.text);
}

// Makes room for one more of *items.
static void *grow(void *items, size_t count, size_t *capacity, size_t each)
{
	if (count < *capacity)
		return items;
	*capacity = *capacity > 0 ? 2 * *capacity : 64;
	items = realloc(items, *capacity * each);
	assert_non_null(items);
	return items;
}

void bed_offer(struct bed *bed, int64_t time_ticks, uint32_t source, uint32_t destination,
	       uint32_t size_bytes)
{
	bed->offers = grow(bed->offers, bed->offer_count, &bed->offer_capacity,
			   sizeof(*bed->offers));
	bed->offers[bed->offer_count] = (struct net_offer){.packet = {.time_ticks = time_ticks,
								      .id = bed->offer_count,
								      .flow = TR_FLOW_NONE,
								      .src = source,
								      .dst = destination,
								      .payload_bytes = size_bytes},
							   .source = source,
							   .destination = destination,
							   .size_bytes = size_bytes};
	bed->offer_count++;
}

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	if (bed->next == bed->pending_count)
		return TR_END;
	*offer = bed->pending[bed->next++];
	return TR_OK;
}

// Puts it before the first that is to come later than before_ticks.
static void insert(struct bed *bed, const struct net_offer *offer, int64_t before_ticks)
{
	size_t place = bed->next;

	bed->pending = grow(bed->pending, bed->pending_count, &bed->pending_capacity,
			    sizeof(*bed->pending));
	while (place < bed->pending_count && bed->pending[place].packet.time_ticks <= before_ticks)
		place++;
	memmove(bed->pending + place + 1, bed->pending + place,
		(bed->pending_count++ - place) * sizeof(*bed->pending));
	bed->pending[place] = *offer;
}

void bed_then(struct bed *bed, const struct net_offer *offer)
{
	insert(bed, offer, offer->packet.time_ticks);
}

// It was the first of its time.
static void give_back(void *context, const struct net_offer *offer)
{
	insert(context, offer, offer->packet.time_ticks - 1);
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)worm;
	(void)err;
	bed->deliveries = grow(bed->deliveries, bed->delivery_count, &bed->delivery_capacity,
			       sizeof(*bed->deliveries));
	bed->deliveries[bed->delivery_count++] = *delivery;
	if (bed->react && delivery->status != TR_IN_FLIGHT)
		bed->react(bed, delivery);
	return bed->enough > 0 && bed->delivery_count >= bed->enough ? TR_END : TR_OK;
}

// A long silence is more intervals than there is room for: the rest of the run's is left out.
static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct bed *bed = context;
	const int64_t width = bed->sampling.width_ticks;
	const size_t links = 2 * bed->topology.cable_count;
	const int64_t begin = bed->sample_count > 0 ? bed->samples[0].start_ticks
						    : link->start_ticks;
	const size_t before = (size_t)((link->start_ticks - begin) / width);
	size_t intervals = (size_t)(link->width_ticks / width), first;

	(void)err;
	if (before >= INTERVALS_MAX)
		return TR_OK;
	intervals = intervals < INTERVALS_MAX - before ? intervals : INTERVALS_MAX - before;
	first = bed->sample_count - (link->link > 0 ? (intervals - 1) * links : 0);
	// Of a silence there is one for several intervals: each link's come in turn, interval by
	// interval.
	for (size_t k = 0; link->link == 0 && k < (intervals - 1) * links; k++) {
		bed->samples = grow(bed->samples, bed->sample_count, &bed->sample_capacity,
				    sizeof(*bed->samples));
		bed->sample_count++;
	}
	bed->samples = grow(bed->samples, bed->sample_count, &bed->sample_capacity,
			    sizeof(*bed->samples));
	bed->sample_count++;
	for (size_t k = 0; k < intervals; k++) {
		struct tr_link *one = &bed->samples[first + k * links];

		*one = *link;
		one->start_ticks += (int64_t)k * width;
		one->width_ticks = width;
	}
	return TR_OK;
}

static void found(void *context, const struct net_wait_cycle *cycle)
{
	struct bed *bed = context;

	assert_int_equal(bed->step_count, 0);
	for (uint32_t i = 0; i < cycle->count; i++) {
		bed->steps = grow(bed->steps, bed->step_count, &bed->step_capacity,
				  sizeof(*bed->steps));
		bed->steps[bed->step_count++] = cycle->steps[i];
	}
}

enum tr_status bed_run(struct bed *bed, const char *engine)
{
	const struct net_engine *run = engine_called(engine);
	const struct net_setup setup = {
		.topology = &bed->topology,
		.routes = &bed->routes,
		.params = &bed->params,
		.longest_route = bed->longest_route,
		.ticks_per_s = bed->ticks_per_s,
		.traffic = {next, bed, bed->react ? give_back : NULL},
		.results = {done, sample, bed},
		.sampling = bed->sampling,
		.shuffle = bed->shuffle,
		.regions = bed->regions,
		.threads = bed->threads,
		.watch = bed->watch,
		.faults = bed->faults,
		.fault_count = bed->fault_count,
		.stop_ticks = bed->stop_ticks,
		.cycles = {found, bed},
		.finite_sources = bed->params.finite,
	};

	assert_non_null(run);
	bed->next = 0;
	bed->pending_count = 0;
	for (size_t i = 0; i < bed->offer_count; i++) {
		bed->pending = grow(bed->pending, i, &bed->pending_capacity, sizeof(*bed->pending));
		bed->pending[bed->pending_count++] = bed->offers[i];
	}
	bed->delivery_count = 0;
	bed->sample_count = 0;
	bed->step_count = 0;
	return bed->ranks > 1 ? ranks_apart_run(run, &setup, bed->ranks, &bed->totals, &bed->err)
			      : run->run(&setup, &bed->totals, &bed->err);
}

const struct tr_delivery *bed_delivery(const struct bed *bed, uint64_t id)
{
	const struct tr_delivery *found = NULL;

	for (size_t i = 0; i < bed->delivery_count; i++) {
		if (bed->deliveries[i].packet.id != id)
			continue;
		assert_null(found);
		found = &bed->deliveries[i];
	}
	assert_non_null(found);
	return found;
}

int64_t bed_latency(const struct bed *bed, uint64_t id)
{
	const struct tr_delivery *delivery = bed_delivery(bed, id);

	return delivery->packet.time_ticks - delivery->created_ticks;
}

void bed_close(struct bed *bed)
{
	net_topology_clear(&bed->topology);
	net_routes_clear(&bed->routes);
	free(bed->offers);
	free(bed->pending);
	free(bed->deliveries);
	free(bed->samples);
	free(bed->steps);
}
