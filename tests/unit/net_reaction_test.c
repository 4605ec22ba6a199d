// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic that reacts to deliveries and drops: when it is asked, the effect of an offer given back,
// and that packets enter at exactly their tick.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "replay_bed.h"

static const char *engine; // all tests are done with each

#define PLACES 64

// Offers that are to come; and what to do when the packet with a number is delivered or dropped.
struct play {
	struct net_offer open[PLACES];
	size_t open_count;
	struct reaction {
		uint64_t to; // packet
		int64_t delay_ticks;
		struct net_offer offer;
		bool withdraw; // the offer in hand, instead
		bool done;
	} reactions[PLACES];
	size_t reaction_count;
	struct tr_delivery results[PLACES];
	size_t result_count;
	int asked;
	int given_back;
	bool withdrawing;  // what is given back next is not offered again
	bool newest_first; // whatever its time
	struct bed bed;
};

static struct net_offer packet(uint64_t id, int64_t time_ticks, uint32_t source,
			       uint32_t destination, uint32_t size_bytes)
{
	return (struct net_offer){.packet = {.time_ticks = time_ticks,
					     .id = id,
					     .flow = TR_FLOW_NONE,
					     .src = source,
					     .dst = destination,
					     .payload_bytes = size_bytes},
				  .source = source,
				  .destination = destination,
				  .size_bytes = size_bytes};
}

static struct net_offer wake(int64_t time_ticks)
{
	return (struct net_offer){.packet.time_ticks = time_ticks, .wake = true};
}

static void plan(struct play *play, struct net_offer offer)
{
	assert_true(play->open_count < PLACES);
	play->open[play->open_count++] = offer;
}

static void react(struct play *play, uint64_t to, int64_t delay_ticks, struct net_offer offer)
{
	assert_true(play->reaction_count < PLACES);
	play->reactions[play->reaction_count++] = (struct reaction){
		.to = to, .delay_ticks = delay_ticks, .offer = offer};
}

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct play *play = context;
	size_t best = 0;

	(void)err;
	play->asked++;
	if (play->open_count == 0)
		return TR_END;
	for (size_t i = 1; i < play->open_count; i++)
		if (play->newest_first ||
		    play->open[i].packet.time_ticks < play->open[best].packet.time_ticks)
			best = i;
	*offer = play->open[best];
	memmove(play->open + best, play->open + best + 1,
		(--play->open_count - best) * sizeof(*play->open));
	return TR_OK;
}

static void give_back(void *context, const struct net_offer *offer)
{
	struct play *play = context;

	play->given_back++;
	if (!play->withdrawing) {
		plan(play, *offer); // and before all others
		memmove(play->open + 1, play->open, (play->open_count - 1) * sizeof(*play->open));
		play->open[0] = *offer;
	}
	play->withdrawing = false;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct play *play = context;

	(void)worm;
	(void)err;
	play->results[play->result_count++] = *delivery;
	for (size_t i = 0; i < play->reaction_count; i++) {
		struct reaction *reaction = &play->reactions[i];

		if (reaction->done || reaction->to != delivery->packet.id)
			continue;
		reaction->done = true;
		if (reaction->withdraw) {
			play->withdrawing = true;
			continue;
		}
		reaction->offer.packet.time_ticks = delivery->packet.time_ticks +
						    reaction->delay_ticks;
		plan(play, reaction->offer);
	}
	return TR_OK;
}

static enum tr_status run(struct play *play)
{
	struct bed *bed = &play->bed;
	const struct net_setup setup = {
		.topology = &bed->topology,
		.routes = &bed->routes,
		.params = &bed->params,
		.ticks_per_s = bed->ticks_per_s,
		.traffic = {next, play, give_back},
		.results = {.done = done, .context = play},
	};

	return engine_called(engine)->run(&setup, &bed->totals, &bed->err);
}

static int setup(void **state)
{
	static struct play play;

	play = (struct play){0};
	bed_open(&play.bed, "switch:8");
	*state = &play;
	return 0;
}

static int teardown(void **state)
{
	struct play *play = *state;

	bed_close(&play->bed);
	return 0;
}

static const struct tr_delivery *result(const struct play *play, uint64_t id)
{
	for (size_t i = 0; i < play->result_count; i++)
		if (play->results[i].packet.id == id)
			return &play->results[i];
	fail_msg("nothing was told of packet %llu", (unsigned long long)id);
	return NULL;
}

// Latency of a worm on an idle network, from a run of its own without reactions.
static int64_t alone(uint32_t size_bytes)
{
	struct bed bed;
	int64_t ticks;

	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 1, size_bytes);
	assert_int_equal(bed_run(&bed, engine), TR_OK);
	ticks = bed_latency(&bed, 0);
	bed_close(&bed);
	return ticks;
}

static void a_ball_goes_to_and_fro(void **state)
{
	struct play *play = *state;

	plan(play, packet(0, 0, 0, 1, 500));
	for (uint64_t i = 1; i < 20; i++)
		react(play, i - 1, 0, packet(i, 0, i % 2, 1 - i % 2, 500));
	assert_int_equal(run(play), TR_OK);
	assert_int_equal(play->bed.totals.offered, 20);
	assert_int_equal(play->bed.totals.delivered, 20);
	assert_int_equal(result(play, 19)->packet.time_ticks, 20 * alone(500));
	assert_int_equal(play->given_back, 0);
}

// A packet of a later time is known from the start, others come up before it, and all enter when
// they should: none of the looks at what was given back lets one in early or late.
static void an_offer_in_hand_gives_way_to_earlier_ones(void **state)
{
	struct play *play = *state;
	const int64_t late = 10 * alone(500);

	plan(play, packet(0, 0, 0, 1, 500));
	plan(play, packet(99, late, 4, 5, 500));
	for (uint64_t i = 1; i < 6; i++)
		react(play, i - 1, (int64_t)i, packet(i, 0, i % 2, 1 - i % 2, 500));
	assert_int_equal(run(play), TR_OK);
	for (uint64_t i = 1; i < 6; i++)
		assert_int_equal(result(play, i)->created_ticks,
				 result(play, i - 1)->packet.time_ticks + (int64_t)i);
	assert_int_equal(result(play, 99)->created_ticks, late);
	assert_true(play->given_back >= 5);
	assert_int_equal(play->bed.totals.delivered, 7);
}

static void an_offer_in_hand_may_be_withdrawn(void **state)
{
	struct play *play = *state;
	const int64_t ticks = alone(500);

	plan(play, packet(0, 0, 0, 1, 500));
	plan(play, packet(98, 2 * ticks, 4, 5, 500));
	react(play, 0, 0, packet(0, 0, 0, 0, 0));
	play->reactions[0].withdraw = true;
	react(play, 0, 3 * ticks, packet(1, 0, 1, 0, 500));
	assert_int_equal(run(play), TR_OK);
	assert_int_equal(play->bed.totals.offered, 2);
	assert_int_equal(result(play, 1)->created_ticks, 4 * ticks);
}

// A wake is no packet; what the traffic has at that tick enters in that tick.
static void a_wake_asks_again_at_its_time(void **state)
{
	struct play *play = *state;

	plan(play, wake(1000));
	plan(play, packet(0, 1000, 0, 1, 500));
	plan(play, wake(1500));
	plan(play, packet(1, 2000, 2, 3, 500));
	assert_int_equal(run(play), TR_OK);
	assert_int_equal(play->asked, 5 + 2);
	assert_int_equal(play->bed.totals.offered, 2);
	assert_int_equal(play->result_count, 2);
	assert_int_equal(result(play, 0)->created_ticks, 1000);
	assert_int_equal(result(play, 1)->created_ticks, 2000);
}

static void a_drop_is_reacted_to_in_its_tick(void **state)
{
	struct play *play = *state;

	play->bed.params.adapter.when_full = MYR_FULL_DROPS;
	play->bed.params.adapter.queue_worms = 1;
	play->bed.params.adapter.sram_B = 1000;
	for (uint64_t i = 0; i < 3; i++)
		plan(play, packet(i, 0, 0, 1, 900));
	react(play, 2, 0, packet(3, 0, 4, 5, 500));
	assert_int_equal(run(play), TR_OK);
	assert_int_equal(result(play, 2)->status, TR_DROPPED);
	assert_int_equal(result(play, 3)->created_ticks, 0);
	assert_int_equal(play->bed.totals.dropped, 2);
	assert_int_equal(play->bed.totals.delivered, 2);
}

// Three first asks; one more for both deliveries together.
static void it_is_asked_once_for_all_deliveries_of_a_tick(void **state)
{
	struct play *play = *state;

	plan(play, packet(0, 0, 0, 1, 500));
	plan(play, packet(1, 0, 2, 3, 500));
	assert_int_equal(run(play), TR_OK);
	assert_int_equal(result(play, 0)->packet.time_ticks, result(play, 1)->packet.time_ticks);
	assert_int_equal(play->asked, 4);
}

// Where the offer waits for room in its source's queue, a delivery lets another source go first.
static void a_packet_that_waits_for_room_gives_way(void **state)
{
	struct play *play = *state;

	play->bed.params.adapter.queue_worms = 1;
	play->bed.params.adapter.sram_B = 1000;
	play->newest_first = true;
	for (uint64_t i = 0; i < 4; i++)
		plan(play, packet(3 - i, 0, 0, 1, 900));
	react(play, 0, 0, packet(9, 0, 4, 5, 500));
	assert_int_equal(run(play), TR_OK);
	assert_int_equal(play->bed.totals.delivered, 5);
	assert_true(result(play, 2)->created_ticks > 0);
	assert_int_equal(result(play, 9)->created_ticks, result(play, 0)->packet.time_ticks);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_ball_goes_to_and_fro),
		TEST(an_offer_in_hand_gives_way_to_earlier_ones),
		TEST(an_offer_in_hand_may_be_withdrawn),
		TEST(a_wake_asks_again_at_its_time),
		TEST(a_drop_is_reacted_to_in_its_tick),
		TEST(it_is_asked_once_for_all_deliveries_of_a_tick),
		TEST(a_packet_that_waits_for_room_gives_way),
	};

	int failed;

	engine = "reference";
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	engine = "local";
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
