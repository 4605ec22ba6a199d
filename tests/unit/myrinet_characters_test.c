// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of switch and buffers, observed in the characters on links (Yates, AFIT/GCS/ENG/97D-20,
// chapters 2 and 3), and the bytes of a packet with its CRC-8. 225 ticks are 6.25 ns, 1200 a 6 m
// cable, 3600 the conversion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/myrinet/characters.h"
#include "replay_bed.h"

#define LINK 1200
#define STEP 225
#define CONVERSION 3600
#define SHOWN_MAX 200000u

static struct net_character shown[SHOWN_MAX];
static size_t shown_count;

static enum tr_status see(void *context, const struct net_character *character,
			  struct tr_error *err)
{
	(void)context;
	(void)err;
	assert_true(shown_count < SHOWN_MAX);
	shown[shown_count++] = *character;
	return TR_OK;
}

static struct net_watch everything = {.see = see, .from_ticks = INT64_MIN, .to_ticks = INT64_MAX};

static void run(struct bed *bed)
{
	shown_count = 0;
	bed->watch = &everything;
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_int_equal(bed->totals.delivered, bed->offer_count);
	assert_int_equal(bed->totals.own[MYR_CHARACTERS], shown_count);
}

static bool is(const struct net_character *character, uint32_t link, const char *kind)
{
	return character->link == link && strcmp(character->kind, kind) == 0;
}

// On a switch:8, host i has the links 2i to the switch and 2i + 1 from it.
static void open_switch(struct bed *bed)
{
	bed_open(bed, "switch:8");
	bed->params.adapter.dma_in_bps = (struct num_ratio){0, 1};
	bed->params.adapter.dma_out_bps = (struct num_ratio){0, 1};
}

// Round robin string: eight inputs ask for one output at once and always again: the GAPs on it are
// those of hosts 6, 5, 7, 4, 3, 0, 2, 1 in turn, each as often.
static void gaps_come_in_the_given_order(void **state)
{
	static const uint32_t order[] = {6, 5, 7, 4, 3, 0, 2, 1};
	struct bed bed;
	size_t gaps = 0;

	(void)state;
	open_switch(&bed);
	for (int i = 0; i < 12; i++)
		for (uint32_t host = 0; host < 8; host++)
			bed_offer(&bed, 0, host, 3, 400);
	run(&bed);
	for (size_t i = 0; i < shown_count; i++)
		if (is(&shown[i], 7, "GAP"))
			assert_int_equal(bed.offers[shown[i].packet].source, order[gaps++ % 8]);
	assert_int_equal(gaps, 96);
	bed_close(&bed);
}

// Start of the one character of this kind of this packet on the link.
static int64_t start_of(uint32_t link, const char *kind, uint64_t packet)
{
	int64_t found = -1;

	for (size_t i = 0; i < shown_count; i++) {
		if (!is(&shown[i], link, kind) || shown[i].packet != packet)
			continue;
		assert_int_equal(found, -1);
		found = shown[i].time_ticks;
	}
	assert_true(found >= 0);
	return found;
}

// Conversion latency: the trailer, which could leave a path after its arrival, is held for the
// conversion; an assignment after it has started, the next worm's GAP starts. The input whose
// trailer it was takes its next GAP at once: that worm's GAP starts on another output while the
// trailer is held.
static void a_port_is_busy_until_the_held_trailer_has_left(void **state)
{
	struct bed bed;
	int64_t trailer;

	(void)state;
	open_switch(&bed);
	bed_offer(&bed, 0, 0, 3, 500);
	bed_offer(&bed, 0, 0, 4, 500);
	bed_offer(&bed, 0, 1, 3, 500);
	run(&bed);
	trailer = start_of(7, "trailer", 0);
	assert_int_equal(trailer, start_of(0, "trailer", 0) + LINK + STEP + CONVERSION);
	assert_int_equal(start_of(7, "GAP", 2), trailer + STEP);
	assert_true(start_of(9, "GAP", 1) < trailer);
	// GAP, and the route character behind it: a path is not asked of them, the assignment is
	assert_int_equal(start_of(9, "GAP", 1), start_of(0, "route", 1) + LINK + STEP);
	bed_close(&bed);
}

// Characters of worms in the buffer at the end of link 2 at a tick, after all that happens in it:
// those that have come, less GAP and route which are taken at once, less those that went out on
// link 7.
static int64_t occupancy(int64_t tick)
{
	int64_t count = 0;

	for (size_t i = 0; i < shown_count; i++) {
		const struct net_character *character = &shown[i];

		if (!character->of_packet || character->packet != 1)
			continue;
		if (character->link == 2 && character->time_ticks + LINK <= tick)
			count++;
		if (is(character, 2, "route"))
			count--;
		if (character->link == 7 && character->time_ticks <= tick)
			count--;
	}
	return count;
}

// STOP and GO: worm 1 is blocked by worm 0. STOP starts on link 3 in the tick after that in which
// the 48th character is in, GO in that after which 32 are left; there are never more than 80; all
// goes on to the host.
static void stop_at_48_and_go_at_32(void **state)
{
	struct bed bed;
	size_t stops = 0;
	size_t gos = 0;
	size_t in = 0;
	size_t out = 0;

	(void)state;
	open_switch(&bed);
	bed_offer(&bed, 0, 0, 3, 4000);
	bed_offer(&bed, 0, 1, 3, 4000);
	run(&bed);
	for (size_t i = 0; i < shown_count; i++) {
		if (is(&shown[i], 3, "STOP")) {
			stops++;
			assert_int_equal(occupancy(shown[i].time_ticks - 1), 48);
			assert_int_equal(occupancy(shown[i].time_ticks - 2), 47);
		} else if (is(&shown[i], 3, "GO")) {
			gos++;
			assert_int_equal(occupancy(shown[i].time_ticks - 1), 32);
			assert_int_equal(occupancy(shown[i].time_ticks - 2), 33);
		}
		if (shown[i].link == 2 && i % 50 == 0)
			assert_true(occupancy(shown[i].time_ticks) <= 80);
		in += shown[i].of_packet && shown[i].packet == 1 && shown[i].link == 2;
		out += shown[i].of_packet && shown[i].packet == 1 && shown[i].link == 7;
	}
	assert_int_equal(stops, 1);
	assert_int_equal(gos, 1);
	assert_int_equal(in, 4000 + 4);
	assert_int_equal(out, 4000 + 3);
	assert_true(bed.totals.own[MYR_SLACK_PEAK] <= 80);
	bed_close(&bed);
}

static uint8_t crc_of(const char *text)
{
	uint8_t crc = 0;

	for (; *text != '\0'; text++)
		crc = myr_crc8(crc, (uint8_t)*text);
	return crc;
}

// The check value of the polynomial; and of the bytes on each link, the CRC is the register behind
// all before it, though each switch takes a route character away.
static void the_crc_is_that_of_the_bytes_on_the_link(void **state)
{
	uint8_t crc[12] = {0};
	uint32_t checked = 0;
	struct bed bed;

	(void)state;
	assert_int_equal(crc_of("123456789"), 0xF4);
	bed_open(&bed, "mesh:3x3");
	bed.params = preset_called("george");
	bed.params.link.length_m = (struct num_ratio){6, 1};
	bed_offer(&bed, 0, 0, bed.topology.hosts - 1, 300);
	run(&bed);
	for (size_t i = 0; i < shown_count; i++) {
		const struct net_character *character = &shown[i];
		uint8_t *sum = &crc[character->link % 12];

		if (strcmp(character->kind, "CRC") == 0) {
			assert_int_equal(character->byte, *sum);
			checked++;
		} else if (character->has_byte) {
			*sum = myr_crc8(*sum, character->byte);
		}
	}
	assert_int_equal(checked, bed_delivery(&bed, 0)->hops + 1);
	assert_true(checked >= 3);
	bed_close(&bed);
}

// A window in time and links shows what of the whole is in it, and changes nothing.
static void a_window_shows_its_part(void **state)
{
	struct net_watch window = everything;
	bool links[16] = {[7] = true};
	size_t expected = 0;
	struct bed bed;
	int64_t latency;

	(void)state;
	open_switch(&bed);
	bed_offer(&bed, 0, 0, 3, 500);
	run(&bed);
	latency = bed_latency(&bed, 0);
	window.from_ticks = 20000;
	window.to_ticks = 40000;
	window.links = links;
	for (size_t i = 0; i < shown_count; i++)
		expected += shown[i].link == 7 && shown[i].time_ticks >= 20000 &&
			    shown[i].time_ticks < 40000;
	bed.watch = &window;
	shown_count = 0;
	assert_int_equal(bed_run(&bed, "reference"), TR_OK);
	assert_int_equal(shown_count, expected);
	assert_true(expected > 10);
	assert_int_equal(bed_latency(&bed, 0), latency);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_come_in_the_given_order),
		cmocka_unit_test(a_port_is_busy_until_the_held_trailer_has_left),
		cmocka_unit_test(stop_at_48_and_go_at_32),
		cmocka_unit_test(the_crc_is_that_of_the_bytes_on_the_link),
		cmocka_unit_test(a_window_shows_its_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
