// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of several rings in one order: what holds a frame back, for how long, what is late, and
// what a clock that is set does.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/fanout_merge.h"
#include "value/random.h"

#define HOLD_NS 40000000
#define START_NS ((int64_t)1700000000 * 1000000000)
#define MS ((int64_t)1000000)

static const struct pk_link ethernet = {.number = PK_LINK_ETHERNET};

// A frame whose bytes are its time.
static void put(struct pk_chunk *chunk, const int64_t *time_ns)
{
	const struct pk_frame frame = {
		.time_ns = *time_ns,
		.data = (const uint8_t *)time_ns,
		.link = &ethernet,
		.captured_bytes = sizeof(*time_ns),
	};

	assert_true(pk_chunk_put(chunk, &frame));
}

// The ring gives frames of times START_NS + ms, until a negative one, and is then empty, at now_ms
// of the steady clock; the wall clock is wall_ms ahead of that.
static bool give(struct pk_fanout_merge *merge, unsigned ring, const int *ms, int now_ms,
		 int wall_ms)
{
	struct pk_chunk *chunk = pk_fanout_merge_room(merge, ring);
	const struct pk_fanout_now now = {START_NS + (now_ms + wall_ms) * MS, now_ms * MS};

	assert_non_null(chunk);
	for (; *ms >= 0; ms++) {
		const int64_t time_ns = START_NS + *ms * MS;

		put(chunk, &time_ns);
	}
	return pk_fanout_merge_give(merge, ring, chunk, true, now_ms * MS, now);
}

#define GIVE(merge, ring, now_ms, wall_ms, ...) \
	give(merge, ring, (const int[]){__VA_ARGS__}, now_ms, wall_ms)

// Expects frames of these times, until a negative one, and then none.
static void expect(struct pk_fanout_merge *merge, const int *ms)
{
	struct pk_frame frames[PK_FRAMES_MAX];
	size_t count;

	while ((count = pk_fanout_merge_take(merge, frames, PK_FRAMES_MAX)))
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(frames[i].time_ns, START_NS + *ms++ * MS);
			assert_memory_equal(frames[i].data, &frames[i].time_ns,
					    sizeof(frames[i].time_ns));
		}
	assert_int_equal(*ms, -1);
}

#define EXPECT(merge, ...) expect(merge, (const int[]){__VA_ARGS__})

static struct pk_fanout_merge *open_two(void)
{
	struct pk_fanout_merge *merge = pk_fanout_merge_new(2, 8, pk_chunk_bytes(256), HOLD_NS);

	assert_non_null(merge);
	return merge;
}

static void test_order(void **state)
{
	struct pk_fanout_merge *merge = open_two();

	(void)state;
	EXPECT(merge, -1);
	assert_true(GIVE(merge, 0, 10, 0, 1, 4, 5, 9, -1));
	EXPECT(merge, -1); // the other ring may have an earlier one
	assert_int_equal(pk_fanout_merge_emptied(merge), INT64_MIN);
	assert_true(GIVE(merge, 1, 10, 0, 2, 5, 6, -1));
	EXPECT(merge, 1, 2, 4, 5, 5, 6, -1);
	assert_int_equal(pk_fanout_merge_late(merge), 0);
	pk_fanout_merge_free(merge);
}

// An empty ring holds the others for as long as its block may take, and no longer.
static void test_hold(void **state)
{
	struct pk_fanout_merge *merge = open_two();

	(void)state;
	EXPECT(merge, -1);
	(void)GIVE(merge, 0, 100, 0, 60, 70, 99, -1);
	(void)GIVE(merge, 1, 100, 0, -1);
	EXPECT(merge, -1);
	assert_true(GIVE(merge, 1, 105, 0, -1));
	EXPECT(merge, 60, -1);
	assert_true(GIVE(merge, 1, 115, 0, -1));
	EXPECT(merge, 70, -1);
	assert_true(GIVE(merge, 1, 139, 0, -1));
	EXPECT(merge, -1);
	assert_true(GIVE(merge, 1, 140, 0, -1));
	EXPECT(merge, 99, -1);
	assert_int_equal(pk_fanout_merge_emptied(merge), 100 * MS);
	// Nothing is held, and nothing comes: there is nothing to wake for.
	assert_false(GIVE(merge, 1, 150, 0, -1));
	pk_fanout_merge_free(merge);
}

static void test_late(void **state)
{
	struct pk_fanout_merge *merge = open_two();

	(void)state;
	(void)GIVE(merge, 0, 100, 0, 99, -1);
	(void)GIVE(merge, 1, 150, 0, -1);
	EXPECT(merge, 99, -1);
	(void)GIVE(merge, 1, 160, 0, 97, 98, 120, -1);
	(void)GIVE(merge, 0, 159, 0, -1);
	EXPECT(merge, 97, 98, -1);
	assert_int_equal(pk_fanout_merge_late(merge), 2);
	(void)GIVE(merge, 0, 170, 0, 121, -1);
	EXPECT(merge, 120, -1);
	assert_int_equal(pk_fanout_merge_late(merge), 2);
	assert_int_equal(pk_fanout_merge_given(merge, 0), 1);
	assert_int_equal(pk_fanout_merge_given(merge, 1), 3);
	pk_fanout_merge_free(merge);
}

// The clock is set back by 5 s at 6000 ms: frames from before do not wait for it to catch up.
static void test_set_back(void **state)
{
	struct pk_fanout_merge *merge = open_two();

	(void)state;
	(void)GIVE(merge, 0, 6000, 0, 5995, 5999, -1);
	(void)GIVE(merge, 1, 6000, 0, 5990, -1);
	EXPECT(merge, 5990, -1);
	(void)GIVE(merge, 1, 6010, -5000, 5998, 1005, -1); // the first is from before
	EXPECT(merge, 5995, 5999, -1);
	(void)GIVE(merge, 0, 6011, -5000, 1003, 1011, -1);
	(void)GIVE(merge, 1, 6060, -5000, -1);
	EXPECT(merge, 1003, 5998, 1005, 1011, -1);
	assert_int_equal(pk_fanout_merge_emptied(merge), 6011 * MS);
	pk_fanout_merge_free(merge);
}

// It is set ahead by a minute.
static void test_set_ahead(void **state)
{
	struct pk_fanout_merge *merge = open_two();

	(void)state;
	(void)GIVE(merge, 0, 6000, 0, 5999, -1);
	(void)GIVE(merge, 1, 6010, 60000, 5998, 66005, -1);
	(void)GIVE(merge, 0, 6012, 60000, 66007, -1);
	EXPECT(merge, 5998, 5999, 66005, -1);
	(void)GIVE(merge, 1, 6060, 60000, -1);
	EXPECT(merge, 66007, -1);
	assert_int_equal(pk_fanout_merge_late(merge), 0);
	pk_fanout_merge_free(merge);
}

// ---- threads

#define RINGS 3u
#define FRAMES 200000u

struct filler {
	struct pk_fanout_merge *merge;
	unsigned ring;
	const int64_t *times_ns;
	const uint8_t *ring_of;
};

// Gives the frames of its ring in chunks of random sizes, the last with the news that no more come.
static void *fill(void *context)
{
	const struct filler *filler = context;
	struct pk_chunk *chunk = NULL;
	struct tr_random random;
	uint64_t left = 0;

	tr_random_open(&random, filler->ring, "chunks");
	for (size_t i = 0; i <= FRAMES; i++) {
		const bool end = i == FRAMES;

		if (!end && filler->ring_of[i] != filler->ring)
			continue;
		if (chunk && (!left-- || end)) {
			(void)pk_fanout_merge_give(filler->merge, filler->ring, chunk, false, 0,
						   pk_fanout_clocks());
			chunk = NULL;
		}
		if (!chunk) {
			chunk = pk_fanout_merge_room(filler->merge, filler->ring);
			left = tr_random_below(&random, 64);
		}
		if (!end)
			put(chunk, &filler->times_ns[i]);
	}
	(void)pk_fanout_merge_give(filler->merge, filler->ring, chunk, true, INT64_MAX / 2,
				   pk_fanout_clocks());
	return NULL;
}

static void test_threads(void **state)
{
	struct pk_fanout_merge *merge = pk_fanout_merge_new(RINGS, 4, pk_chunk_bytes(256), HOLD_NS);
	struct tr_random random;
	int64_t *times_ns = malloc(FRAMES * sizeof(*times_ns));
	uint8_t *ring_of = malloc(FRAMES);
	struct filler fillers[RINGS];
	pthread_t threads[RINGS];
	size_t got = 0;

	(void)state;
	tr_random_open(&random, 1, "frames");
	for (size_t i = 0; i < FRAMES; i++) {
		times_ns[i] = START_NS + (int64_t)i;
		ring_of[i] = (uint8_t)tr_random_below(&random, RINGS);
	}
	for (unsigned i = 0; i < RINGS; i++) {
		fillers[i] = (struct filler){merge, i, times_ns, ring_of};
		assert_int_equal(pthread_create(&threads[i], NULL, fill, &fillers[i]), 0);
	}
	while (got < FRAMES) {
		struct pk_frame frames[PK_FRAMES_MAX];
		const size_t count = pk_fanout_merge_take(merge, frames, PK_FRAMES_MAX);

		for (size_t i = 0; i < count; i++)
			assert_int_equal(frames[i].time_ns, times_ns[got++]);
	}
	for (unsigned i = 0; i < RINGS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(pk_fanout_merge_late(merge), 0);
	pk_fanout_merge_free(merge);
	free(times_ns);
	free(ring_of);
}

// Decoded frames and others in one chunk: each is where its type may be, and what it was.
static void test_decoded(void **state)
{
	struct pk_fanout_merge *merge = pk_fanout_merge_new(1, 4, pk_chunk_bytes(256), HOLD_NS);
	struct pk_chunk *chunk = pk_fanout_merge_room(merge, 0);
	struct pk_frame frames[PK_FRAMES_MAX];
	uint8_t bytes[PK_FRAMES_MAX];
	size_t put = 0;

	(void)state;
	memset(bytes, 7, sizeof(bytes));
	for (uint32_t i = 0; i < PK_FRAMES_MAX; i++) {
		const struct pk_frame frame = {.time_ns = START_NS + i,
					       .data = bytes,
					       .link = &ethernet,
					       .captured_bytes = i};
		const struct pk_quick quick = {.payload_bytes = i, .key = {.rest = i}};

		put += i % 3 ? pk_chunk_put_decoded(chunk, &frame, &quick)
			     : pk_chunk_put(chunk, &frame);
	}
	assert_int_equal(put, PK_FRAMES_MAX);
	(void)pk_fanout_merge_give(merge, 0, chunk, true, 0, pk_fanout_clocks());
	for (size_t i = 0, count; i < PK_FRAMES_MAX; i += count) {
		count = pk_fanout_merge_take(merge, frames, PK_FRAMES_MAX - i);
		assert_true(count > 0);
		for (size_t k = 0; k < count; k++) {
			const struct pk_quick *quick = (const void *)frames[k].data;

			assert_int_equal(frames[k].captured_bytes, i + k);
			assert_int_equal(frames[k].decoded, (i + k) % 3 != 0);
			if (!frames[k].decoded) {
				assert_memory_equal(frames[k].data, bytes, i + k);
				continue;
			}
			assert_int_equal((uintptr_t)quick % _Alignof(struct pk_quick), 0);
			assert_int_equal(quick->payload_bytes, i + k);
			assert_int_equal(quick->key.rest, i + k);
		}
	}
	pk_fanout_merge_free(merge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	  cmocka_unit_test(test_hold),
		cmocka_unit_test(test_late),	  cmocka_unit_test(test_set_back),
		cmocka_unit_test(test_set_ahead), cmocka_unit_test(test_threads),
		cmocka_unit_test(test_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
