// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of RDMA whose packets are all in the capture are found as they were sent, each once, and
// no other is said to be whole: whatever the network and the capture lose, duplicate and put out of
// order, and however the queue pairs send again. FLIT_LONG: 100,000 messages.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "verbs_world.h"

#define MESSAGES 40u // of each side

struct results {
	struct tr_message *found;
	size_t count, partly, capacity;
};

static void take(void *context, const struct tr_message *message)
{
	struct results *results = context;

	if (message->flags & TR_MESSAGE_PARTLY) {
		results->partly++;
		return;
	}
	if (results->count == results->capacity) {
		results->capacity = results->capacity * 2 + 256;
		results->found = realloc(results->found,
					 results->capacity * sizeof(*results->found));
		assert_non_null(results->found);
	}
	results->found[results->count++] = *message;
}

static int by_all(const void *a, const void *b)
{
	const struct tr_message *x = a, *y = b;

	return (x->begin_ticks > y->begin_ticks) - (x->begin_ticks < y->begin_ticks);
}

static bool same(const struct tr_message *a, const struct tr_message *b)
{
	return a->begin_ticks == b->begin_ticks && a->end_ticks == b->end_ticks &&
	       a->size_bytes == b->size_bytes && a->src == b->src && a->dst == b->dst &&
	       a->operation == b->operation && a->tag == b->tag;
}

static struct pk_verbs_counts find(const struct world *world, struct results *results)
{
	struct pk_verbs *verbs = pk_verbs_new(take, results, SIZE_MAX);
	uint32_t words[WORLD_SIDES_MAX] = {0};
	struct pk_verbs_counts counts;

	assert_non_null(verbs);
	for (size_t i = 0; i < world->event_count; i++) {
		const struct world_event *event = &world->events[i];
		const struct tr_packet record = {.time_ticks = event->time_ns,
						 .flow = event->side,
						 .src = event->side % 2,
						 .dst = !(event->side % 2)};

		assert_non_null(pk_verbs_take(verbs, &words[event->side], &event->packet, &record));
	}
	pk_verbs_finish(verbs);
	assert_false(pk_verbs_failed(verbs));
	counts = pk_verbs_counts(verbs);
	pk_verbs_free(verbs);
	if (results->count)
		qsort(results->found, results->count, sizeof(*results->found), by_all);
	return counts;
}

struct sums {
	uint64_t whole, missed, wrong, doubtful, unsettled, partly, resent, ambiguous;
};

// Whether a message is one whose request was captured only when it was sent again.
static bool is_doubtful(const struct world *world, const struct tr_message *found)
{
	for (size_t i = 0; i < world->message_count; i++) {
		const struct world_message *message = &world->messages[i];
		struct tr_message record = message->record;

		record.begin_ticks = found->begin_ticks;
		record.end_ticks = found->end_ticks;
		if (message->doubtful && same(&record, found))
			return true;
	}
	return false;
}

// Counts a message that was not found.
static void miss(const struct world *world, const struct tr_message *whole, struct sums *sums)
{
	for (size_t i = 0; i < world->message_count; i++)
		if (world->messages[i].seen && same(&world->messages[i].record, whole)) {
			sums->unsettled += world->messages[i].unsettled;
			sums->missed += !world->messages[i].unsettled;
		}
}

// Compares what is whole; both are in order of begins, which are unique.
static void compare(struct world *world, const struct results *results, struct sums *sums)
{
	struct tr_message *whole = calloc(world->message_count, sizeof(*whole));
	size_t count = 0, at = 0;

	assert_non_null(whole);
	for (size_t i = 0; i < world->message_count; i++) {
		const struct world_message *message = &world->messages[i];
		const bool asked = message->record.operation == TR_OP_READ ||
				   message->record.operation == TR_OP_ATOMIC;

		sums->doubtful += message->doubtful;
		if (message->seen == message->numbers + asked && !message->doubtful)
			whole[count++] = message->record;
	}
	qsort(whole, count, sizeof(*whole), by_all);
	for (size_t i = 0; i < results->count; i++) {
		while (at < count && whole[at].begin_ticks < results->found[i].begin_ticks) {
			miss(world, &whole[at++], sums);
		}
		if (at < count && same(&whole[at], &results->found[i]))
			at++;
		else
			sums->wrong += !is_doubtful(world, &results->found[i]);
	}
	while (at < count)
		miss(world, &whole[at++], sums);
	sums->whole += count;
	free(whole);
}

static struct sums run(struct world_setting setting, const char *name, uint64_t least)
{
	const uint64_t most = getenv("FLIT_LONG") ? 100000 : least;
	struct sums sums = {0};

	for (uint64_t round = 0; sums.whole < most; round++) {
		struct results results = {0};
		struct pk_verbs_counts counts;
		struct tr_random random;
		struct world world;

		tr_random_open(&random, round, name);
		setting.sides = 2 * (unsigned)(1 + tr_random_below(&random, 8));
		setting.messages = MESSAGES;
		world_make(&world, &setting, &random);
		counts = find(&world, &results);
		compare(&world, &results, &sums);
		sums.partly += results.partly;
		sums.resent += counts.resent;
		sums.ambiguous += counts.ambiguous;
		world_free(&world);
		free(results.found);
	}
	print_message("%s: %llu whole, %llu missed, %llu unsettled, %llu wrong, %llu partly\n",
		      name, (unsigned long long)sums.whole, (unsigned long long)sums.missed,
		      (unsigned long long)sums.unsettled, (unsigned long long)sums.wrong,
		      (unsigned long long)sums.partly);
	return sums;
}

static void test_quiet(void **state)
{
	const struct sums sums = run((struct world_setting){0}, "quiet", 3000);

	(void)state;
	assert_int_equal(sums.missed + sums.wrong + sums.partly, 0);
	assert_int_equal(sums.resent, 0);
}

static void test_network(void **state)
{
	const struct sums sums = run((struct world_setting){.dropped = 0.01, .twice = 0.02},
				     "network", 6000);

	(void)state;
	assert_int_equal(sums.missed + sums.wrong, 0);
	assert_true(sums.resent > 0);
}

static void test_capture(void **state)
{
	const struct sums sums = run(
		(struct world_setting){.dropped = 0.01, .uncaptured = 0.005, .twice = 0.01},
		"capture", 6000);

	(void)state;
	assert_int_equal(sums.missed + sums.wrong, 0);
	assert_true(sums.unsettled * 5000 < sums.whole);
	assert_true(sums.partly > 0);
	assert_true(sums.doubtful * 1000 < sums.whole);
}

static void test_overtaken(void **state)
{
	const struct sums sums = run((struct world_setting){.dropped = 0.01, .overtaken = 0.03},
				     "overtaken", 6000);

	(void)state;
	assert_int_equal(sums.missed + sums.unsettled + sums.wrong, 0);
}

static void test_losses(void **state)
{
	const struct sums sums = run(
		(struct world_setting){.dropped = 0.1, .uncaptured = 0.05, .twice = 0.05}, "losses",
		6000);

	(void)state;
	assert_int_equal(sums.wrong, 0);
	assert_true((sums.missed + sums.unsettled) * 2000 < sums.whole); // in doubt
}

// A read of which the capture only has a request for the rest is said to be partly unseen, and so
// are those that may be.
static void test_late(void **state)
{
	const struct sums sums = run((struct world_setting){.dropped = 0.02, .first_step = 500},
				     "late", 6000);

	(void)state;
	assert_int_equal(sums.wrong, 0);
	assert_true(sums.missed * 400 < sums.whole);
	assert_true(sums.unsettled * 400 < sums.whole);
}

// Responses that may be of several queue pairs are counted, and never make a message whole.
static void test_alike(void **state)
{
	const struct sums sums = run((struct world_setting){.dropped = 0.01, .same_psn = true},
				     "alike", 6000);

	(void)state;
	assert_int_equal(sums.wrong, 0);
	assert_true(sums.ambiguous > 0);
	assert_true(sums.missed * 200 < sums.whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet),	cmocka_unit_test(test_network),
		cmocka_unit_test(test_capture), cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_losses),	cmocka_unit_test(test_late),
		cmocka_unit_test(test_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
