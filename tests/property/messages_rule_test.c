// SPDX-License-Identifier: GPL-3.0-or-later
// The rule on random conversations whose messages are known: protocols with other sizes of
// segments, headers, requests and limits, links of other speeds, delays and windows.
#include "messages/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "value/random.h"

#define CONVERSATIONS 300u
#define MESSAGES_EACH 60u
#define SEGMENTS_MAX 400000u
#define KINDS 3u

struct segment {
	int64_t ticks;
	unsigned direction;
	uint32_t payload_B;
};

struct known {
	uint64_t size_B; // with what the protocol adds
	unsigned direction;
	bool found;
};

struct conversation {
	struct tr_random random;
	struct segment *segments;
	size_t count;
	struct known known[MESSAGES_EACH];
	int64_t now;
	uint32_t segment_B, header_B, request_B, answer_B, end_B, eager_B, window;
	int64_t gap_ticks;
	uint64_t sizes_B[KINDS];
};

static uint32_t draw(struct conversation *of, uint32_t from, uint32_t to)
{
	return from + (uint32_t)tr_random_below(&of->random, to - from + 1);
}

static void put(struct conversation *of, int64_t after_ticks, unsigned direction,
		uint32_t payload_B)
{
	of->now += after_ticks;
	assert_true(of->count < SEGMENTS_MAX);
	of->segments[of->count++] = (struct segment){of->now, direction, payload_B};
}

// Bytes as segments: the gaps vary about the usual one, some are short, every second segment is
// acknowledged, and the window, if there is one, cuts every so many.
static void put_train(struct conversation *of, unsigned direction, uint64_t size_B, uint32_t window)
{
	for (uint32_t i = 0; size_B > 0; i++) {
		const bool cut = window > 0 && i % window == window - 1 && size_B > of->segment_B;
		const uint32_t full_B = cut ? of->segment_B - of->request_B : of->segment_B;
		const uint32_t payload_B = size_B < full_B ? (uint32_t)size_B : full_B;
		const int64_t gap_ticks = i > 0 && draw(of, 0, 3) == 0
						  ? of->gap_ticks / 30
						  : of->gap_ticks / 2 +
							    draw(of, 0, (uint32_t)of->gap_ticks);

		put(of, gap_ticks, direction, payload_B);
		size_B -= payload_B;
		if (cut) {
			put(of, of->gap_ticks / 30, direction, of->request_B);
			size_B -= of->request_B;
		}
		if (i % 2 == 1)
			put(of, of->gap_ticks / 20, !direction, 0);
	}
}

// Large messages are requested, and end with a small segment or the next bytes; others have a
// header.
static void put_message(struct conversation *of, struct known *known)
{
	const uint64_t size_B = of->sizes_B[draw(of, 0, KINDS - 1)];

	known->direction = draw(of, 0, 1);
	of->now += of->gap_ticks * draw(of, 20, 3000);
	if (size_B <= of->eager_B) {
		known->size_B = size_B + of->header_B;
	} else {
		put(of, 0, known->direction, of->request_B);
		put(of, of->gap_ticks * draw(of, 1, 500), !known->direction, of->answer_B);
		of->now += of->gap_ticks;
		known->size_B = size_B + of->end_B;
	}
	put_train(of, known->direction, known->size_B, size_B <= of->eager_B ? 0 : of->window);
}

static void make(struct conversation *of, uint64_t seed)
{
	static const uint32_t segments_B[] = {536, 1448, 1460, 4096, 8192, 8948, 16384};

	tr_random_open(&of->random, seed, "conversation");
	of->count = 0;
	of->now = 1;
	of->segment_B = segments_B[draw(of, 0, sizeof(segments_B) / sizeof(*segments_B) - 1)];
	of->header_B = draw(of, 8, 64);
	of->request_B = draw(of, 24, 120);
	of->answer_B = of->request_B + draw(of, 1, 60);
	of->end_B = draw(of, 0, 1) * draw(of, 24, 80);
	of->eager_B = draw(of, 4000, 70000);
	of->window = draw(of, 0, 1) * draw(of, 4, 20);
	of->gap_ticks = draw(of, 500, 500000);
	for (unsigned i = 0; i < KINDS; i++)
		of->sizes_B[i] = of->segment_B + draw(of, 1, 150000);
	for (unsigned i = 0; i < MESSAGES_EACH; i++)
		put_message(of, &of->known[i]);
}

// What the rule found: counts, and bytes by direction of all messages.
struct tally {
	size_t found, right;
	uint64_t bytes[2];
	int64_t last_end[2];
};

static void count(struct conversation *of, const struct rule_message *messages, size_t n,
		  struct tally *tally)
{
	for (size_t i = 0; i < n; i++) {
		const struct rule_message *message = &messages[i];

		assert_true(message->begin_ticks <= message->first_ticks &&
			    message->first_ticks <= message->end_ticks);
		assert_true(message->segments > 0 && message->payload_B > 0);
		tally->bytes[message->direction] += message->payload_B;
		tally->bytes[message->direction] += message->requested ? message->request_B : 0;
		tally->bytes[!message->direction] += message->requested ? message->answer_B : 0;
		if (message->small)
			continue;
		assert_true(message->end_ticks >= tally->last_end[message->direction]);
		tally->last_end[message->direction] = message->end_ticks;
		tally->found++;
		for (unsigned k = 0; k < MESSAGES_EACH; k++)
			if (!of->known[k].found && of->known[k].direction == message->direction &&
			    of->known[k].size_B == message->payload_B) {
				of->known[k].found = true;
				tally->right++;
				break;
			}
	}
}

static struct tally find(struct conversation *of, uint32_t largest_B, int64_t times, bool turned)
{
	struct rule_message out[RULE_ENDED_MAX];
	struct tally tally = {.found = 0};
	struct rule_known known = {.votes = 0};
	struct rule rule;

	for (unsigned k = 0; k < MESSAGES_EACH; k++) {
		of->known[k].found = false;
		of->known[k].direction ^= turned;
	}
	rule_open(&rule, &known, largest_B, of->gap_ticks * times);
	for (size_t i = 0; i < of->count; i++) {
		const size_t n = rule_add(&rule, of->segments[i].ticks * times,
					  of->segments[i].direction ^ turned,
					  of->segments[i].payload_B, out);

		assert_true(n <= RULE_ENDED_MAX);
		count(of, out, n, &tally);
	}
	count(of, out, rule_finish(&rule, out), &tally);
	for (unsigned k = 0; k < MESSAGES_EACH; k++)
		of->known[k].direction ^= turned;
	return tally;
}

// At least 97 % of what is found is right, and of what was sent is found, over all conversations;
// no byte is lost; and neither the unit of time nor which direction is called 0 changes anything.
static void messages_are_found(void **state)
{
	struct conversation *of = calloc(1, sizeof(*of));
	size_t sent = 0, found = 0, right = 0, learnt = 0;

	(void)state;
	assert_non_null(of);
	of->segments = calloc(SEGMENTS_MAX, sizeof(*of->segments));
	assert_non_null(of->segments);
	for (uint64_t seed = 1; seed <= CONVERSATIONS; seed++) {
		uint64_t bytes[2] = {0, 0};
		struct tally tally, other;

		make(of, seed);
		tally = find(of, of->segment_B, 1, false);
		for (size_t i = 0; i < of->count; i++)
			bytes[of->segments[i].direction] += of->segments[i].payload_B;
		assert_int_equal(tally.bytes[0], bytes[0]);
		assert_int_equal(tally.bytes[1], bytes[1]);
		sent += MESSAGES_EACH;
		found += tally.found;
		right += tally.right;
		other = find(of, of->segment_B, 1, true);
		assert_true(other.found == tally.found && other.right == tally.right &&
			    other.bytes[0] == tally.bytes[1]);
		other = find(of, of->segment_B, 8, false);
		assert_true(other.found == tally.found && other.right == tally.right);
		other = find(of, 0, 1, false); // the largest segment is learnt
		learnt += other.right;
	}
	print_message("%zu sent, %zu found, %zu right, %zu with what is learnt\n", sent, found,
		      right, learnt);
	assert_true((double)right >= 0.97 * (double)sent);
	assert_true((double)right >= 0.97 * (double)found);
	assert_true((double)learnt >= 0.97 * (double)sent);
	free(of->segments);
	free(of);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_found)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
