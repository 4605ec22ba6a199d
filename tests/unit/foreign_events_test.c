// SPDX-License-Identifier: GPL-3.0-or-later
// Events of ranks: their communicators, and which receive got which message. Expectations follow
// from the rules of MPI.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "foreign/match.h"
#include "foreign/rank_events.h"

static void add(struct events *events, uint32_t rank, struct event event, uint64_t request)
{
	struct tr_error err = {""};

	if (events_add(events, rank, &event, request, &err) != TR_OK)
		fail_msg("%s", err.text);
}

static void finish(struct events *events)
{
	struct tr_error err = {""};

	if (events_finish(events, &err) != TR_OK)
		fail_msg("%s", err.text);
}

static struct event call(enum event_kind kind, uint32_t peer, int32_t tag, int64_t at)
{
	return (struct event){.kind = (uint8_t)kind,
			      .peer = peer,
			      .tag = tag,
			      .begin_ticks = at,
			      .end_ticks = at + 1,
			      .bytes = 8};
}

static void splits_are_the_same_at_all_members(void **state)
{
	struct events events;
	struct tr_error err;
	uint32_t number[4], dup[4], count;
	const uint32_t *members;

	(void)state;
	assert_int_equal(events_open(&events, 4, 1000000000, &err), TR_OK);
	// Even and odd ranks, the higher key first; then a duplicate of the halves, and one of the
	// world by rank 0 alone out of order.
	for (uint32_t rank = 0; rank < 4; rank++) {
		assert_int_equal(events_split(&events, rank, EVENT_WORLD, (int32_t)(rank % 2),
					      -(int32_t)rank, &number[rank], &err),
				 TR_OK);
		assert_int_equal(events_split(&events, rank, number[rank], 0, 0, &dup[rank], &err),
				 TR_OK);
		add(&events, rank,
		    (struct event){.kind = EVENT_COLLECTIVE, .peer = 1, .communicator = dup[rank]},
		    0);
		add(&events, rank,
		    (struct event){.kind = EVENT_COLLECTIVE, .peer = 1, .communicator = dup[rank]},
		    0);
	}
	add(&events, 3, (struct event){.kind = EVENT_SEND, .peer = 1, .communicator = number[3]},
	    0);
	finish(&events);
	members = events_members(&events, 2, dup[2], &count);
	assert_int_equal(count, 2);
	assert_int_equal(members[0], 2);
	assert_int_equal(members[1], 0);
	assert_int_equal(events.communicators, 5);
	assert_int_equal(events.by_rank[0].communicators[dup[0]].id,
			 events.by_rank[2].communicators[dup[2]].id);
	assert_int_not_equal(events.by_rank[0].communicators[dup[0]].id,
			     events.by_rank[1].communicators[dup[1]].id);
	assert_int_equal(events.by_rank[3].events[1].tag,
			 1); // its second collective operation there
	assert_int_equal(events.by_rank[3].events[2].peer, 1); // place 1 among 3, 1
	events_clear(&events);
}

static void same_members_differ_by_their_order(void **state)
{
	static const uint32_t pair[] = {2, 0};
	struct events events;
	struct tr_error err;
	uint32_t first, second, other;

	(void)state;
	assert_int_equal(events_open(&events, 3, 1000000000, &err), TR_OK);
	assert_int_equal(events_communicator(&events, 0, pair, 2, &first, &err), TR_OK);
	assert_int_equal(events_communicator(&events, 0, pair, 2, &second, &err), TR_OK);
	assert_int_equal(events_communicator(&events, 2, pair, 2, &other, &err), TR_OK);
	assert_int_equal(events_communicator(&events, 1, pair, 2, &other, &err), TR_ERROR);
	finish(&events);
	assert_int_equal(events.by_rank[0].communicators[first].id,
			 events.by_rank[2].communicators[1].id);
	assert_int_not_equal(events.by_rank[0].communicators[second].id,
			     events.by_rank[2].communicators[1].id);
	events_clear(&events);
}

// Two messages of a tag, received in the order of their posts though the second wait comes first.
static void receives_get_messages_in_order(void **state)
{
	struct events events;
	struct match_counts counts;
	struct tr_error err;
	struct event wait = {
		.kind = EVENT_WAIT, .peer = EVENT_ANY, .tag = EVENT_ANY_TAG, .bytes = UINT64_MAX};

	(void)state;
	assert_int_equal(events_open(&events, 2, 1000000000, &err), TR_OK);
	add(&events, 0, call(EVENT_SEND, 1, 5, 10), 0);
	add(&events, 0, call(EVENT_SEND, 1, 6, 20), 0);
	add(&events, 0, call(EVENT_SEND, 1, 5, 30), 0);
	add(&events, 1, call(EVENT_IRECV, 0, 5, 0), 77);
	add(&events, 1, call(EVENT_IRECV, EVENT_ANY, EVENT_ANY_TAG, 1), 78);
	add(&events, 1, call(EVENT_RECV, 0, 6, 2), 0);
	wait.peer = 0;
	wait.tag = 5;
	wait.bytes = 3;
	wait.end_ticks = 50;
	add(&events, 1, wait, 78);
	wait.end_ticks = 60;
	add(&events, 1, wait, 77);
	add(&events, 1, wait, 79);
	finish(&events);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	assert_int_equal(counts.messages, 3);
	assert_int_equal(counts.guessed + counts.unreceived + counts.unsent, 0);
	assert_int_equal(events.by_rank[1].events[0].link, 0);
	assert_int_equal(events.by_rank[1].events[1].link, 2);
	assert_int_equal(events.by_rank[1].events[1].bytes, 3);
	assert_int_equal(events.by_rank[1].events[2].link, 1);
	assert_int_equal(events.unknown_waits, 1);
	events_clear(&events);
}

// Without a status the earliest message that was sent before the receive had ended is the likely
// one.
static void unknown_sources_are_guessed(void **state)
{
	struct events events;
	struct match_counts counts;
	struct tr_error err;
	struct event wait = {.kind = EVENT_WAIT,
			     .peer = EVENT_ANY,
			     .tag = EVENT_ANY_TAG,
			     .bytes = UINT64_MAX,
			     .end_ticks = 40};

	(void)state;
	assert_int_equal(events_open(&events, 3, 1000000000, &err), TR_OK);
	add(&events, 1, call(EVENT_SEND, 0, 1, 30), 0);
	add(&events, 2, call(EVENT_SEND, 0, 1, 10), 0);
	add(&events, 2, call(EVENT_SEND, 0, 2, 5), 0);
	add(&events, 2, call(EVENT_SEND, 0, 1, 90), 0);
	add(&events, 0, call(EVENT_IRECV, EVENT_ANY, 1, 0), 1);
	add(&events, 0, call(EVENT_RECV, EVENT_ANY, 1, 20), 0);
	add(&events, 0, wait, 1);
	add(&events, 0, call(EVENT_RECV, EVENT_ANY, 7, 20), 0);
	finish(&events);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	assert_int_equal(counts.messages, 2);
	assert_int_equal(counts.guessed, 2);
	assert_int_equal(counts.unreceived, 2);
	assert_int_equal(counts.unsent, 1);
	assert_int_equal(events.by_rank[0].events[0].peer, 2);
	assert_int_equal(events.by_rank[0].events[0].link, 0);
	assert_int_equal(events.by_rank[0].events[1].peer, 1);
	assert_true(events.by_rank[0].events[0].guessed);
	assert_true(events.by_rank[1].events[0].guessed);
	assert_int_equal(events.by_rank[2].events[2].link, EVENT_NOBODY);
	events_clear(&events);
}

static void what_does_not_fit_is_refused(void **state)
{
	struct events events;
	struct tr_error err = {""};
	struct event event = call(EVENT_SEND, 2, 1, 30);

	(void)state;
	assert_int_equal(events_open(&events, EVENTS_RANKS_MAX + 1, 1, &err), TR_ERROR);
	events_clear(&events);
	assert_int_equal(events_open(&events, 2, 1, &err), TR_OK);
	assert_int_equal(events_add(&events, 2, &event, 0, &err), TR_ERROR);
	event.communicator = 1;
	assert_int_equal(events_add(&events, 0, &event, 0, &err), TR_ERROR);
	event.communicator = 0;
	assert_int_equal(events_add(&events, 0, &event, 0, &err), TR_OK);
	assert_int_equal(events_finish(&events, &err), TR_ERROR);
	assert_string_equal(err.text, "rank 0: expected a rank of a communicator of 2, found 2");
	events_clear(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_are_the_same_at_all_members),
		cmocka_unit_test(same_members_differ_by_their_order),
		cmocka_unit_test(receives_get_messages_in_order),
		cmocka_unit_test(unknown_sources_are_guessed),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
