// SPDX-License-Identifier: GPL-3.0-or-later
// Identities, packets sent again, and the two-way minimum, by values worked out by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/identity.h"
#include "points/clocks.h"
#include "points/resent.h"
#include "points/two_way.h"

// ---- identities

// Ethernet, IPv4 with identification 7, TCP with 100 bytes from 1000 on.
static const uint8_t segment[66] = {
	2,    0,    0,	  0,	0, 2, 2,    0,	  0,  0, 0, 1, 8,    0, // Ethernet
	0x45, 0,    0,	  152,	0, 7, 0x40, 0,	  64, 6, 1, 1, 10,   0,
	0,    1,    10,	  0,	0, 2, // IPv4
	0x13, 0x89, 0x13, 0x8a, 0, 0, 3,    0xe8, 0,  0, 0, 1, 0x80, 0x10,
	1,    0,    9,	  9,	0, 0, // TCP
	1,    1,    8,	  10,	0, 0, 0,    5,	  0,  0, 0, 4,
};

static struct pk_packet decode(const uint8_t *bytes, size_t captured_bytes)
{
	const struct pk_link link = pk_link_of(PK_LINK_ETHERNET, false);
	const struct pk_frame frame = {.data = bytes,
				       .link = &link,
				       .captured_bytes = (uint32_t)captured_bytes,
				       .wire_bytes = 166};
	struct pk_packet packet;

	assert_int_equal(pk_decode(&frame, false, &packet), PK_DECODED);
	return packet;
}

static uint64_t identity_with(size_t at, uint8_t value)
{
	uint8_t bytes[sizeof(segment)];
	struct pk_packet packet;

	memcpy(bytes, segment, sizeof(bytes));
	bytes[at] = value;
	packet = decode(bytes, sizeof(bytes));
	return pk_identity(&packet);
}

static void what_changes_on_the_way_is_no_identity(void **state)
{
	static const size_t changed[] = {
		0, 11, 15, 22, 24, 25, 50, 51}; // addresses, class, hops, checksums of IP and TCP
	static const size_t kept[] = {19, 29, 33, 41,
				      45, 47}; // identification, addresses, sequence numbers, flags
	const uint64_t identity = identity_with(0, segment[0]);

	(void)state;
	for (size_t i = 0; i < sizeof(changed) / sizeof(*changed); i++)
		assert_true(identity_with(changed[i], segment[changed[i]] ^ 4) == identity);
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		assert_true(identity_with(kept[i], segment[kept[i]] ^ 4) != identity);
}

// TCP's timestamps are part of it only without an identification.
static void timestamps_tell_retransmissions_apart_without_identifications(void **state)
{
	uint8_t bytes[sizeof(segment)];
	struct pk_packet first, again;
	uint64_t identity;

	(void)state;
	assert_true(identity_with(61, 6) == identity_with(61, 5));
	memcpy(bytes, segment, sizeof(bytes));
	bytes[19] = 0;
	first = decode(bytes, sizeof(bytes));
	identity = pk_identity(&first);
	bytes[61]++;
	again = decode(bytes, sizeof(bytes));
	assert_true(pk_identity(&again) != identity);
}

// ---- packets sent again

static bool take(struct pt_resent *resent, uint32_t sequence, uint32_t bytes, uint8_t flags)
{
	const uint8_t tcp[20] = {0,
				 1,
				 0,
				 2,
				 (uint8_t)(sequence >> 24),
				 (uint8_t)(sequence >> 16),
				 (uint8_t)(sequence >> 8),
				 (uint8_t)sequence,
				 0,
				 0,
				 0,
				 0,
				 0x50,
				 flags};
	struct pk_packet packet = {.tcp = tcp, .payload_bytes = bytes};

	packet.flow.protocol = 6;
	packet.flags = flags & 2 ? TR_FLAG_SETUP : 0;
	return pt_resent_take(resent, 3, &packet);
}

static void segments_sent_again_are_told_from_new_ones(void **state)
{
	struct pt_resent resent = {.sent = NULL};

	(void)state;
	assert_false(take(&resent, UINT32_MAX - 149, 100, 16));
	assert_false(take(&resent, UINT32_MAX - 49, 100, 16)); // over the end of the numbers
	assert_true(take(&resent, UINT32_MAX - 49, 100, 16));
	assert_true(take(&resent, UINT32_MAX - 149, 100, 16));
	assert_false(take(&resent, 50, 0, 16)); // an acknowledgement
	assert_false(take(&resent, 50, 100, 16));
	assert_true(take(&resent, 100, 100, 16)); // the second half is new
	assert_true(take(&resent, 150, 50, 16));
	assert_false(take(&resent, 200, 0, 17)); // FIN
	assert_true(take(&resent, 200, 0, 17));
	assert_false(take(&resent, 5, 0, 2)); // a SYN with a number of its own
	assert_true(take(&resent, 5, 0, 2));
	assert_false(take(&resent, 6, 10, 16));
	pt_resent_clear(&resent);
}

// ---- the two-way minimum

#define PACKETS 2000
#define OFFSET_NS INT64_C(-3600000000000)

// Packets in turn there and back, a millisecond apart; the second clock is OFFSET_NS ahead and
// faster by ppm.
static size_t make_samples(struct two_way_sample *samples, double ppm, int64_t there_ns,
			   int64_t back_ns)
{
	for (int i = 0; i < PACKETS; i++) {
		const int64_t at_ns = i * INT64_C(1000000);
		const int64_t offset_ns = OFFSET_NS + llround((double)at_ns * ppm * 1e-6);
		const bool forward = i % 2 == 0;

		samples[i] = (struct two_way_sample){
			at_ns, offset_ns + (forward ? there_ns : -back_ns), 100, forward};
	}
	return PACKETS;
}

static void check_fit(double ppm, int64_t there_ns, int64_t back_ns, double shift_ns)
{
	static struct two_way_sample samples[PACKETS];
	const struct two_way_options options = {1, 1, 0, PACKETS * INT64_C(1000000)};
	struct two_way_line lines[TWO_WAY_LINES_MAX];
	struct tr_error err;
	size_t count;

	assert_int_equal(two_way_fit(samples, make_samples(samples, ppm, there_ns, back_ns),
				     &options, lines, &count, &err),
			 TR_OK);
	assert_int_equal(count, 1);
	assert_true(fabs(two_way_drift_ppm(&lines[0]) - ppm) < 2e-3);
	assert_true(fabs(lines[0].gap_ns - (double)(there_ns + back_ns)) < 2);
	assert_true(lines[0].error_ns < 4);
	assert_true(fabs(lines[0].bound_ns - (double)(there_ns + back_ns) / 2) < 20);
	for (int64_t at_ns = 0; at_ns <= options.end_ns; at_ns += options.end_ns / 4) {
		const double second_ns = (double)(at_ns + OFFSET_NS) + (double)at_ns * ppm * 1e-6 +
					 shift_ns;

		assert_true(fabs((double)two_way_to_second(&lines[0], at_ns) - second_ns) <=
			    lines[0].error_ns + 1);
		assert_true(
			llabs(two_way_to_first(lines, count, two_way_to_second(&lines[0], at_ns)) -
			      at_ns) <= 1);
	}
}

static void a_line_is_found_within_its_error(void **state)
{
	(void)state;
	check_fit(0, 5000, 5000, 0);
	check_fit(200, 5000, 5000, 0);
	check_fit(-200, 5000, 5000, 0);
}

// What cannot be seen: half the difference of the least delays.
static void an_asymmetric_way_shifts_the_clock_by_half(void **state)
{
	(void)state;
	check_fit(10, 8000, 4000, 2000);
}

static void packets_of_one_direction_are_not_enough(void **state)
{
	static struct two_way_sample samples[PACKETS];
	struct two_way_line lines[TWO_WAY_LINES_MAX];
	struct tr_error err;
	size_t count;

	(void)state;
	(void)make_samples(samples, 0, 5000, 5000);
	for (int i = 0; i < PACKETS; i++)
		samples[i].forward = 1;
	assert_int_equal(two_way_fit(samples, PACKETS, &(struct two_way_options){1, 1, 0, 0}, lines,
				     &count, &err),
			 TR_ERROR);
	assert_string_equal(
		err.text,
		"packets in both directions are needed, to tell an offset of clocks from a delay");
	assert_int_equal(
		two_way_fit(samples, 0, &(struct two_way_options){1, 1, 0, 0}, lines, &count, &err),
		TR_ERROR);
}

// A drift beyond 1000 ppm is no clock's.
static void clocks_that_are_none_are_refused(void **state)
{
	static struct two_way_sample samples[PACKETS];
	struct two_way_line lines[TWO_WAY_LINES_MAX];
	struct tr_error err;
	size_t count;

	(void)state;
	(void)make_samples(samples, 20000, 500, 500);
	assert_int_equal(two_way_fit(samples, PACKETS, &(struct two_way_options){1, 1, 0, 0}, lines,
				     &count, &err),
			 TR_ERROR);
	assert_string_equal(
		err.text,
		"their clocks do not follow lines whose rates differ by less than 1000 ppm");
}

// ---- stamps that are too coarse

// Stamps of 1 ms of two nodes that are 10 us apart and talk in turn; halfway the second one's clock
// is set. The packets on either side of that must not say which node is where.
static void coarse_stamps_are_refused(int64_t ahead_ns)
{
	static const char *const names[] = {"a", "b"};
	struct pt_clocks *clocks = pt_clocks_new(2, PT_SAMPLES_MAX);
	struct tr_error err = {.text = ""};

	assert_non_null(clocks);
	for (uint32_t point = 0; point < 2; point++)
		for (uint64_t i = 0; i < 4000; i++) {
			const uint32_t src = (uint32_t)(i % 2);
			const int64_t true_ns = (int64_t)i * 990007 + (src != point ? 10000 : 0);
			const int64_t clock_ns = true_ns + (point && i >= 2000 ? ahead_ns : 0);

			pt_clocks_add(clocks,
				      &(struct pt_sighting){
					      .identity = (i + 1) * 0x9e3779b97f4a7c15u,
					      .time_ns = 1000000000 + clock_ns - clock_ns % 1000000,
					      .src = src,
					      .dst = !src,
					      .wire_bytes = 100,
					      .point = point,
					      .number = i,
				      });
		}
	assert_int_equal(pt_clocks_settle(clocks, names, &err), TR_ERROR);
	if (!strstr(err.text, "finer stamps are needed"))
		fail_msg("%s", err.text);
	pt_clocks_free(clocks);
}

static void coarse_stamps_are_refused_with_steps(void **state)
{
	static const int64_t ahead_ns[] = {0, 500000000, -500000000, 20000000, -20000000};

	(void)state;
	for (size_t i = 0; i < sizeof(ahead_ns) / sizeof(*ahead_ns); i++)
		coarse_stamps_are_refused(ahead_ns[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changes_on_the_way_is_no_identity),
		cmocka_unit_test(timestamps_tell_retransmissions_apart_without_identifications),
		cmocka_unit_test(segments_sent_again_are_told_from_new_ones),
		cmocka_unit_test(a_line_is_found_within_its_error),
		cmocka_unit_test(an_asymmetric_way_shifts_the_clock_by_half),
		cmocka_unit_test(packets_of_one_direction_are_not_enough),
		cmocka_unit_test(clocks_that_are_none_are_refused),
		cmocka_unit_test(coarse_stamps_are_refused_with_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
