// SPDX-License-Identifier: GPL-3.0-or-later
#include "sci_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/studies/sci/formulas.h"

const struct net_engine *const sci_engines[2] = {&sci_fast, &sci_reference};

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;
	const struct message *message = &bed->messages[bed->taken];

	(void)err;
	if (bed->taken == bed->count)
		return TR_END;
	*offer = (struct net_offer){.packet = {.time_ticks = message->time_ticks, .id = bed->taken},
				    .source = message->source,
				    .destination = message->destination,
				    .size_bytes = message->size_bytes};
	bed->taken++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->fates[worm->packet.id] = (struct fate){.ticks = delivery->packet.time_ticks,
						    .created_ticks = worm->created_ticks,
						    .started_ticks = worm->started_ticks,
						    .injected_ticks = worm->injected_ticks,
						    .head_ticks = worm->head_ticks,
						    .received_ticks = worm->received_ticks,
						    .hops = worm->route_count,
						    .turn = ++bed->told,
						    .status = delivery->status};
	return TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	assert_true(bed->sample_count < SAMPLES);
	bed->samples[bed->sample_count++] = *link;
	return TR_OK;
}

void sci_bed_open(struct bed *bed, const char *network)
{
	struct tr_error err = {""};

	*bed = (struct bed){.params = sci_params_usual, .stop_ticks = INT64_MAX};
	bed->params.packets_max = 16 * MESSAGES;
	assert_int_equal(net_topology_make(&bed->topology, network, &err), TR_OK);
	assert_int_equal(sci_rings_open(&bed->rings, &bed->topology, &err), TR_OK);
	bed->messages = calloc(MESSAGES, sizeof(*bed->messages));
	bed->fates = calloc(MESSAGES, sizeof(*bed->fates));
	bed->samples = malloc(SAMPLES * sizeof(*bed->samples));
	assert_true(bed->messages && bed->fates && bed->samples);
}

void sci_bed_close(struct bed *bed)
{
	net_topology_clear(&bed->topology);
	free(bed->messages);
	free(bed->fates);
	free(bed->samples);
}

struct net_totals sci_bed_run(struct bed *bed, const struct net_engine *engine, uint64_t shuffle)
{
	const struct net_setup setup = {.topology = &bed->topology,
					.params = &bed->params,
					.ticks_per_s = bed->ticks_per_s,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done, .sample = sample, .context = bed},
					.sampling = {.width_ticks = bed->width_ticks},
					.shuffle = shuffle,
					.stop_ticks = &bed->stop_ticks};
	struct net_totals totals;
	struct tr_error err = {""};

	bed->taken = bed->told = bed->sample_count = 0;
	memset(bed->fates, 0, MESSAGES * sizeof(*bed->fates));
	if (engine->run(&setup, &totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_true(totals.offered == totals.delivered + totals.dropped + totals.in_flight);
	return totals;
}

double sci_bed_closed_ns(const struct bed *bed, const struct message *message, bool transaction)
{
	const struct sci_costs costs = sci_costs_of(&bed->params, message->size_bytes);
	const struct sci_costs answer = sci_costs_of(&bed->params, 0);
	uint32_t hops[NET_DIMENSIONS_MAX], sizes[NET_DIMENSIONS_MAX];
	double ns;

	for (uint32_t d = 0; d < bed->rings.dimensions; d++) {
		hops[d] = sci_rings_hops(&bed->rings, message->source, message->destination, d);
		sizes[d] = bed->rings.sizes[d];
		// The shorter way, and the same back.
		if (bed->params.both && sizes[d] > 2) {
			hops[d] = 2 * hops[d] > sizes[d] ? sizes[d] - hops[d] : hops[d];
			sizes[d] = 2 * hops[d];
		}
	}
	ns = sci_latency_ns(&costs, sci_request(hops, bed->rings.dimensions));
	if (transaction)
		ns += sci_latency_ns(&answer, sci_response(hops, sizes, bed->rings.dimensions));
	return ns;
}
