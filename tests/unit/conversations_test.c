// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations of pairs of nodes: messages of several pairs at a time, what a first pass tells the
// rule, and the bound on pairs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "messages/conversations.h"

#define FULL_B 1000u
#define MESSAGES_MAX 16u

struct found {
	struct conversation_message list[MESSAGES_MAX];
	size_t count;
};

static struct conversation *of(struct conversations *conversations, uint32_t src, uint32_t dst)
{
	struct conversation *conversation = NULL;
	struct tr_error err;

	assert_int_equal(conversations_find(conversations, src, dst, &conversation, &err), TR_OK);
	return conversation;
}

static void keep(struct found *found, const struct conversation_message *ended, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_true(found->count < MESSAGES_MAX);
		found->list[found->count++] = ended[i];
	}
}

static void take(struct conversations *conversations, struct found *found, int64_t ticks,
		 uint32_t src, uint32_t dst, uint32_t payload_B)
{
	struct conversation_message ended[RULE_ENDED_MAX];

	keep(found, ended,
	     conversation_add(of(conversations, src, dst), ticks, src, payload_B, ended));
}

static void finish(struct conversations *conversations, struct found *found)
{
	struct conversation_message ended[RULE_ENDED_MAX];

	for (uint32_t i = 0; i < conversations->count; i++)
		keep(found, ended, conversation_finish(conversations->pairs[i], ended));
	conversations_clear(conversations);
}

// 7 sends to 2 while 2 sends to 7 and 7 to 9: each message is whole and has its nodes.
static void pairs_do_not_mix(void **state)
{
	struct conversations conversations;
	struct found found = {.count = 0};

	(void)state;
	conversations_open(&conversations, 2, 1e6);
	for (int64_t i = 0; i < 4; i++) {
		take(&conversations, &found, 100 * i, 7, 2, i < 3 ? FULL_B : 300);
		take(&conversations, &found, 100 * i + 10, 2, 7, i < 3 ? FULL_B : 400);
		take(&conversations, &found, 100 * i + 20, 7, 9, i < 3 ? FULL_B : 500);
	}
	assert_ptr_equal(of(&conversations, 7, 2), of(&conversations, 2, 7));
	finish(&conversations, &found);
	assert_int_equal(found.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct conversation_message *one = &found.list[i];
		const uint64_t rest_B = one->of.payload_B - 3 * FULL_B;

		assert_int_equal(one->of.segments, 4);
		assert_int_equal(one->src, rest_B == 400 ? 2 : 7);
		assert_int_equal(one->dst, rest_B == 300 ? 2 : rest_B == 400 ? 7 : 9);
	}
}

// Segments 5 s apart are one message only if a first pass has shown that this is their usual gap.
static void first_pass(void **state)
{
	for (int looks = 0; looks < 2; looks++) {
		struct conversations conversations;
		struct found found = {.count = 0};
		struct tr_error err;

		(void)state;
		conversations_open(&conversations, 1, 1e6);
		for (int64_t i = 0; looks && i < 3; i++)
			assert_int_equal(conversation_look(of(&conversations, 0, 1), 5000000 * i, 0,
							   i < 2 ? FULL_B : 300, &err),
					 TR_OK);
		for (int64_t i = 0; i < 3; i++)
			take(&conversations, &found, 5000000 * i, 0, 1, i < 2 ? FULL_B : 300);
		assert_int_equal(of(&conversations, 0, 1)->gap_ticks, looks ? 5000000 : 101);
		assert_int_equal(of(&conversations, 0, 1)->rule.largest_B, FULL_B);
		finish(&conversations, &found);
		assert_int_equal(found.count, looks ? 1 : 3);
	}
}

// Gaps are those after the largest segments: a larger one makes those before it none.
static void gaps_of_the_largest(void **state)
{
	struct conversations conversations;
	struct conversation *conversation;
	struct found found = {.count = 0};
	struct tr_error err;
	int64_t ticks = 0;

	(void)state;
	conversations_open(&conversations, 1, 1e6);
	conversation = of(&conversations, 0, 1);
	for (unsigned i = 0; i < 3 * LOOK_GAPS; i++)
		assert_int_equal(conversation_look(conversation, ticks += 7, 0, FULL_B / 2, &err),
				 TR_OK);
	assert_int_equal(conversation->gap_count, LOOK_GAPS);
	for (unsigned i = 0; i < 9; i++)
		assert_int_equal(conversation_look(conversation, ticks += 40, 0, FULL_B, &err),
				 TR_OK);
	assert_int_equal(conversation->gap_count, 8);
	take(&conversations, &found, 0, 0, 1, FULL_B);
	assert_int_equal(conversation->gap_ticks, 40);
	conversations_clear(&conversations);
}

static void bound(void **state)
{
	struct conversations conversations;
	struct conversation *conversation;
	struct tr_error err;

	(void)state;
	conversations_open(&conversations, 1000, 1e9);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(of(&conversations, i, i + 1)->index, i);
	assert_int_equal(conversations_find(&conversations, 5, 900, &conversation, &err), TR_END);
	assert_int_equal(of(&conversations, 501, 500)->index, 500);
	conversations_clear(&conversations);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_do_not_mix),
		cmocka_unit_test(first_pass),
		cmocka_unit_test(gaps_of_the_largest),
		cmocka_unit_test(bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
