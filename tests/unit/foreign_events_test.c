// SPDX-License-Identifier: GPL-3.0-or-later
// Events of ranks: their communicators, which receive got which message, and that programs made of
// them can match no others. Expectations follow from the rules of MPI.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "foreign/event_goal.h"
#include "foreign/match.h"
#include "foreign/rank_events.h"
#include "value/memstream.h"

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

// ---- the tags of programs

// Starts an operation of a communicator that a rank need not be done with to go on.
static void start_broadcast(struct events *events, uint32_t rank, uint32_t communicator,
			    uint64_t bytes, uint64_t request)
{
	const struct event event = {.kind = EVENT_COLLECTIVE,
				    .collective = COLLECTIVE_BCAST,
				    .communicator = communicator,
				    .bytes = bytes,
				    .pending = true};

	add(events, rank, event, request);
}

static void read_program(const struct events *events, const struct event_goal_ways *ways,
			 struct goal_program *program)
{
	struct event_goal_counts counts;
	struct tr_error err = {""};
	struct tr_source *source;
	size_t bytes;
	char *text;
	FILE *out = tr_memstream_open(&text, &bytes);

	assert_non_null(out);
	if (event_goal_write(events, ways, out, &counts, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(counts.tags_again, 0);
	assert_true(tr_memstream_close(out));
	assert_int_equal(tr_source_open_memory(&source, text, bytes, "goal", &err), TR_OK);
	assert_int_equal(goal_read(program, source, NULL, &err), TR_OK);
	tr_source_close(source);
	free(text);
}

// Whether the second operation is a receive that a message of the first one fits.
static bool fits(const struct goal_program *program, uint32_t send, uint32_t recv)
{
	const struct goal_op *from = &program->ops[send], *to = &program->ops[recv];

	return from->kind == GOAL_SEND && to->kind == GOAL_RECV && from->tag == to->tag &&
	       from->peer == goal_rank_of(program, recv) && to->peer == goal_rank_of(program, send);
}

// Each receive of rank 1 has one message that fits it, and it is of its size.
static void each_receive_has_its_message(const struct goal_program *program, uint32_t expected)
{
	uint32_t receives = 0;

	for (uint32_t recv = program->first[1]; recv < program->first[2]; recv++) {
		unsigned found = 0;

		if (program->ops[recv].kind != GOAL_RECV)
			continue;
		receives++;
		for (uint32_t send = 0; send < program->first[1]; send++)
			if (fits(program, send, recv)) {
				found++;
				assert_int_equal(program->ops[send].size, program->ops[recv].size);
			}
		assert_int_equal(found, 1);
	}
	assert_int_equal(receives, expected);
}

// Numbered by (2 ranks + 128) tags an operation, the 132nd of a world of 3 ranks has the tags of
// the 134th of 2 ranks.
#define OPERATIONS 134u

// Broadcasts in the world of 3 ranks, and in two communicators of its first two, which one of them
// starts in the other order: as MPI permits.
static void operations_under_way_together_have_other_tags(void **state)
{
	static const uint32_t pair[] = {0, 1};
	const struct event_goal_ways ways = {0};
	struct goal_program program;
	struct match_counts counts;
	struct events events;
	struct tr_error err;
	uint32_t own[2];

	(void)state;
	assert_int_equal(events_open(&events, 3, 1000000000, &err), TR_OK);
	for (uint32_t rank = 0; rank < 3; rank++) {
		for (unsigned i = 0; i < 2 && rank < 2; i++)
			assert_int_equal(events_communicator(&events, rank, pair, 2, &own[i], &err),
					 TR_OK);
		for (uint64_t k = 0; k < OPERATIONS; k++) {
			const unsigned first = rank == 0 ? 0 : 1;

			if (rank < 2) {
				start_broadcast(&events, rank, own[first], 1000 + first, 3 * k);
				start_broadcast(&events, rank, own[1 - first], 1001 - first,
						3 * k + 1);
			}
			start_broadcast(&events, rank, EVENT_WORLD, 8, 3 * k + 2);
		}
	}
	finish(&events);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	read_program(&events, &ways, &program);
	each_receive_has_its_message(&program, 3 * OPERATIONS);
	goal_clear(&program);
	events_clear(&events);
}

// As many segments as a tag each needs more than an operation without.
static void segments_have_other_tags(void **state)
{
	static const char *const texts[] = {"broadcast:by=ring,segments=400",
					    "broadcast:by=double-tree,segments=200"};
	struct match_counts counts;
	struct events events;
	struct tr_error err;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct event_goal_ways ways = {0};
		struct goal_program program;

		assert_int_equal(event_goal_way(&ways, texts[i], &err), TR_OK);
		assert_int_equal(events_open(&events, 2, 1000000000, &err), TR_OK);
		for (uint32_t rank = 0; rank < 2; rank++)
			for (uint64_t k = 0; k < 3; k++)
				start_broadcast(&events, rank, EVENT_WORLD, 4000 * (k + 1), k);
		finish(&events);
		assert_int_equal(events_match(&events, &counts, &err), TR_OK);
		read_program(&events, &ways, &program);
		each_receive_has_its_message(&program, 1200);
		goal_clear(&program);
		events_clear(&events);
	}
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
		cmocka_unit_test(operations_under_way_together_have_other_tags),
		cmocka_unit_test(segments_have_other_tags),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
