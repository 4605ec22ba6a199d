// SPDX-License-Identifier: GPL-3.0-or-later
// Random traffic over random parameters: invariants of every run of the Myrinet model. FLIT_LONG=1
// tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/myrinet/characters.h"
#include "net/myrinet/formula.h"
#include "net/myrinet/params.h"
#include "replay_bed.h"
#include "value/random.h"
#include "value/ticks.h"

#define HOSTS_MAX 8u
#define CABLES_MAX 11u

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 600 : 60;
}

static uint64_t below(struct tr_random *random, uint64_t n)
{
	return tr_random_below(random, n);
}

static void draw_params(struct bed *bed, struct tr_random *random)
{
	static const char *const presets[] = {"sbus", "pci33", "pci66"};
	struct myr_params *params = &bed->params;

	set_preset(params, presets[below(random, 3)]);
	params->link.length_m.num = 1 + (int64_t)below(random, 20);
	params->link.below_go_B = 1 + below(random,
					    59); // at 0 a GAP alone would hold its sender for ever
	params->link.hysteresis_B = 2 + below(random, 40);
	params->adapter.sram_B = below(random, 2) ? 262144 : 6000;
	params->adapter.receive_reserve_B = 3000;
	params->adapter.queue_worms = 1 + below(random, 50);
	params->adapter.poll_s = (struct num_ratio){(int64_t)below(random, 2), 100000};
	params->adapter.when_full = below(random, 2) ? MYR_FULL_STALLS
						     : (enum myr_full)below(random, 3);
	params->crossbar.first_come = below(random, 2);
	params->crossbar.conversion_s.num = below(random, 3) ? 100 : 0;
	if (below(random, 3) == 0)
		params->crossbar.assignment_s.num = 0;
}

// The format, the source's buffer and the cables' rates.
static void draw_packets(struct bed *bed, struct tr_random *random)
{
	struct myr_params *params = &bed->params;

	params->format.gap_after = below(random, 2);
	params->format.no_final = below(random, 2);
	params->format.crc = below(random, 2);
	params->format.type_characters = below(random, 3) ? 0 : 4;
	params->adapter.out_buffer_B = below(random, 2) ? 1 + below(random, 100) : 0;
	params->adapter.receive_one = below(random, 2);
	params->adapter.dma_overlaps = below(random, 2);
	if (below(random, 3) == 0)
		params->adapter.flit_s = params->adapter.route_flit_s = (struct num_ratio){0, 1};
	if (below(random, 3) == 0)
		params->adapter.dma_in_bps = params->adapter.dma_out_bps = (struct num_ratio){0, 1};
	for (size_t i = 0; i < bed->topology.cable_count; i++) {
		if (below(random, 4) == 0)
			bed->topology.cables[i].conversion_s = (struct num_ratio){
				3600 + (int64_t)below(random, 9000), 36000000000};
		if (below(random, 4) == 0)
			bed->topology.cables[i].rate_bps = (struct num_ratio){
				1280000000, 1 + (int64_t)below(random, 3)};
	}
}

// Timeouts of all kinds, from such as break everything to such as break little.
static void draw_timeout(struct bed *bed, struct tr_random *random)
{
	struct myr_loss_params *loss = &bed->params.loss;

	int64_t ticks = 1 + (int64_t)below(random, UINT64_C(1) << (3 + below(random, 20)));

	loss->timeout_from = (enum myr_timeout_from)below(random, 3);
	loss->resend = loss->timeout_from != MYR_TIMEOUT_AGE && below(random, 2);
	loss->reset_travels = below(random, 2);
	// a port that is reset while it is stopped for no longer than any worm is never gets one
	// through
	if (loss->timeout_from == MYR_TIMEOUT_SILENT)
		ticks += 3600000;
	loss->timeout_s = (struct num_ratio){ticks, 36000000000};
}

// Bit errors, BEATs, cables and hosts that die and return.
static void draw_losses(struct bed *bed, struct tr_random *random)
{
	struct myr_loss_params *loss = &bed->params.loss;

	if (below(random, 2))
		loss->bit_errors = (struct num_ratio){1, INT64_C(1) << (4 + below(random, 20))};
	// a worm that has left its route can wait for itself: only a timeout ends that
	if (loss->bit_errors.num > 0 && bed->topology.switches > 1 && loss->timeout_s.num == 0) {
		loss->timeout_s = (struct num_ratio){1, 10000};
		loss->timeout_from = MYR_TIMEOUT_BLOCKED;
	}
	if (below(random, 2)) {
		loss->beat_s = (struct num_ratio){3600 + (int64_t)below(random, 1000000),
						  36000000000};
		loss->beat_misses = below(random, 4);
	}
	bed->fault_count = (uint32_t)below(random, 6);
	for (uint32_t i = 0; i < bed->fault_count; i++) {
		struct net_fault *fault = &bed->faults[i];
		bool host = below(random, 3) == 0;

		*fault = (struct net_fault){
			.kind = host ? NET_FAULT_HOST : NET_FAULT_CABLE,
			.number = (uint32_t)below(random, bed->topology.cable_count),
			.from_ticks = (int64_t)below(random, UINT64_C(1)
								     << (10 + below(random, 20))),
			.to_ticks = INT64_MAX,
		};
		if (host)
			fault->number %= bed->topology.hosts;
		if (below(random, 4))
			fault->to_ticks = fault->from_ticks + 1 +
					  (int64_t)below(random, UINT64_C(1) << below(random, 24));
	}
}

static bool loses(const struct bed *bed)
{
	const struct myr_loss_params *loss = &bed->params.loss;

	return loss->timeout_s.num > 0 || loss->bit_errors.num > 0 || loss->beat_s.num > 0 ||
	       bed->fault_count > 0;
}

// No more room above the STOP line than the rule says that a cable of the usual rate needs: a
// buffer must not overflow.
static void fit_slack(struct bed *bed)
{
	struct num_ratio delay;
	struct myr_times times;
	int64_t delay_ticks;

	assert_int_equal(myr_times_make(&times, &bed->params, bed->ticks_per_s, NULL), TR_OK);
	assert_true(myr_cable_delay(&bed->params.link, &bed->topology.cables[0], &delay));
	assert_int_equal(tr_ticks_exact(delay, bed->ticks_per_s, &delay_ticks, NULL), TR_OK);
	bed->params.link.above_stop_B = (uint64_t)myr_slack_need(
		3 * times.character_ticks + 1, delay_ticks, times.character_ticks);
}

// From sparse to far too much; bursts in one tick; a hot spot in some.
static void draw_traffic(struct bed *bed, struct tr_random *random)
{
	const uint32_t hosts = bed->topology.hosts;
	const uint64_t gap = (uint64_t)1 << below(random, 23);
	const uint32_t size = 1 + (uint32_t)below(random, below(random, 2) ? 2900 : 60);
	const bool hot = below(random, 2);
	const size_t count = 20 + below(random, 180);
	int64_t time = (int64_t)below(random, 100000);

	for (size_t i = 0; i < count; i++) {
		uint32_t source = (uint32_t)below(random, hosts);
		uint32_t destination = (source + 1 + (uint32_t)below(random, hosts - 1)) % hosts;

		if (hot && source != 0)
			destination = 0;
		if (below(random, 3))
			time += (int64_t)below(random, gap);
		bed_offer(bed, time, source, destination, 1 + (uint32_t)below(random, size));
	}
}

static void open_random(struct bed *bed, struct tr_random *random, unsigned round)
{
	char name[32];

	snprintf(name, sizeof(name), "case%u", round);
	tr_random_open(random, 1997, name);
	if (below(random, 5) == 0)
		snprintf(name, sizeof(name), "direct");
	else if (below(random, 3) == 0)
		snprintf(name, sizeof(name), "line:%u,hosts=2", 2 + (unsigned)below(random, 3));
	else
		snprintf(name, sizeof(name), "switch:%u",
			 2 + (unsigned)below(random, HOSTS_MAX - 1));
	bed_open(bed, name);
	draw_params(bed, random);
	if (below(random, 2))
		draw_packets(bed, random);
	if (below(random, 3) == 0)
		draw_timeout(bed, random);
	if (below(random, 3) == 0)
		draw_losses(bed, random);
	draw_traffic(bed, random);
	if (below(random, 2))
		bed->sampling.width_ticks = 1000 + (int64_t)below(random, 3600000);
	if (myr_clock(&bed->params, &bed->topology, BED_TICKS_PER_S, &bed->ticks_per_s,
		      &bed->err) != TR_OK)
		fail_msg("%s", bed->err.text);
	fit_slack(bed);
}

static void run(struct bed *bed, unsigned round)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("case %u: %s", round, bed->err.text);
}

// Every packet once; its stations in their order; nothing faster than alone; pairs in order.
static void check_deliveries(const struct bed *bed)
{
	int64_t last[HOSTS_MAX][HOSTS_MAX];
	struct myr_formula formula;
	struct num_ratio delay;
	struct myr_times times;
	int64_t delay_ticks;

	memset(last, 0xff, sizeof(last));
	assert_int_equal(myr_times_make(&times, &bed->params, bed->ticks_per_s, NULL), TR_OK);
	assert_true(myr_cable_delay(&bed->params.link, &bed->topology.cables[0], &delay));
	assert_int_equal(tr_ticks_exact(delay, bed->ticks_per_s, &delay_ticks, NULL), TR_OK);
	for (uint64_t id = 0; id < bed->offer_count; id++) {
		const struct tr_delivery *delivery = bed_delivery(bed, id);
		const struct net_offer *offer = &bed->offers[id];
		int64_t *before = &last[offer->source][offer->destination];

		if (delivery->status == TR_DROPPED)
			continue;
		assert_int_equal(delivery->status, TR_DELIVERED);
		assert_true(delivery->created_ticks >= offer->packet.time_ticks);
		assert_true(delivery->started_ticks >= delivery->created_ticks);
		assert_true(delivery->injected_ticks >= delivery->started_ticks);
		assert_true(delivery->head_ticks > delivery->injected_ticks);
		assert_true(delivery->packet.time_ticks >= delivery->head_ticks);
		assert_true(delivery->packet.time_ticks > *before || bed->params.loss.resend ||
			    bed->params.adapter.dma_overlaps);
		*before = delivery->packet.time_ticks;
		myr_formula(&times, delay_ticks, delivery->hops, offer->size_bytes, &formula);
		assert_true(delivery->packet.time_ticks - delivery->started_ticks >=
			    formula.sum_ticks - formula.ticks[MYR_TERM_ASSIGNMENT]);
	}
}

// Characters of worms on all links; what is beyond them are STOP and GO, as many of one as of the
// other.
static void check_books(const struct bed *bed)
{
	uint64_t characters = 0;

	for (size_t i = 0; i < bed->delivery_count; i++) {
		const struct tr_delivery *delivery = &bed->deliveries[i];
		uint64_t hops = delivery->hops;

		// as it leaves its source, less a route character at each switch
		if (delivery->status == TR_DELIVERED)
			characters += (hops + 1) *
					      myr_format_length(&bed->params.format, delivery->hops,
								delivery->packet.payload_bytes) -
				      hops * (hops + 1) / 2;
	}
	assert_int_equal(bed->totals.offered, bed->offer_count);
	assert_int_equal(bed->totals.offered, bed->totals.delivered + bed->totals.dropped);
	assert_int_equal(bed->totals.in_flight, 0);
	assert_false(bed->totals.deadlocked);
	assert_true(bed->totals.own[MYR_CHARACTERS] >= characters);
	if (!loses(bed)) // else those of worms that were lost, and BEATs
		assert_int_equal((bed->totals.own[MYR_CHARACTERS] - characters) % 2, 0);
	assert_true(bed->totals.own[MYR_SLACK_PEAK] <= bed->params.link.below_go_B +
							       bed->params.link.hysteresis_B +
							       bed->params.link.above_stop_B);
}

static void check_samples(const struct bed *bed)
{
	uint64_t characters = 0;

	for (size_t i = 0; i < bed->sample_count; i++) {
		const struct tr_link *sample = &bed->samples[i];

		assert_true(sample->busy_ticks >= 0 && sample->busy_ticks <= sample->width_ticks);
		assert_true(sample->blocked_stop_ticks >= 0 &&
			    sample->blocked_stop_ticks <= sample->width_ticks);
		assert_true(sample->blocked_port_ticks >= 0 &&
			    sample->blocked_port_ticks <= sample->width_ticks);
		assert_true(sample->blocked_memory_ticks >= 0 &&
			    sample->blocked_memory_ticks <= sample->width_ticks);
		characters += sample->characters;
	}
	if (bed->sampling.width_ticks > 0)
		assert_int_equal(characters, bed->totals.own[MYR_CHARACTERS]);
}

static void every_run_keeps_the_rules(void **state)
{
	struct tr_random random;
	struct bed bed;

	(void)state;
	for (unsigned round = 0; round < rounds(); round++) {
		open_random(&bed, &random, round);
		run(&bed, round);
		check_deliveries(&bed);
		check_books(&bed);
		check_samples(&bed);
		bed_close(&bed);
	}
}

// The same bytes whatever the order of what happens in a phase of a tick, and at every run.
static void no_order_in_a_tick_changes_a_byte(void **state)
{
	struct tr_random random;
	struct tr_delivery *deliveries;
	struct tr_link *samples;
	struct bed bed;

	(void)state;
	for (unsigned round = 0; round < rounds(); round++) {
		open_random(&bed, &random, round);
		run(&bed, round);
		deliveries = malloc(bed.delivery_count * sizeof(*deliveries) + 1);
		samples = malloc(bed.sample_count * sizeof(*samples) + 1);
		assert_true(deliveries != NULL && samples != NULL);
		memcpy(deliveries, bed.deliveries, bed.delivery_count * sizeof(*deliveries));
		if (bed.sample_count > 0)
			memcpy(samples, bed.samples, bed.sample_count * sizeof(*samples));
		for (int again = 0; again < 2; again++) {
			struct net_totals totals = bed.totals;
			size_t delivery_count = bed.delivery_count;
			size_t sample_count = bed.sample_count;

			bed.shuffle = again == 0 ? 1 + below(&random, 1000) : 0;
			run(&bed, round);
			assert_int_equal(bed.delivery_count, delivery_count);
			assert_memory_equal(bed.deliveries, deliveries,
					    delivery_count * sizeof(*deliveries));
			assert_int_equal(bed.sample_count, sample_count);
			if (sample_count > 0)
				assert_memory_equal(bed.samples, samples,
						    sample_count * sizeof(*samples));
			assert_memory_equal(&bed.totals, &totals, sizeof(totals));
		}
		free(deliveries);
		free(samples);
		bed_close(&bed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_keeps_the_rules),
		cmocka_unit_test(no_order_in_a_tick_changes_a_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
