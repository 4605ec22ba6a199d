// SPDX-License-Identifier: GPL-3.0-or-later
// Decompressed input equals the original bytes, for any sequence of reads; and an input can be
// closed at any time.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "captures/buffer.h"
#include "packet/capture_input.h"
#include "packet_pack.h"
#include "value/random.h"

#define DATA_BYTES 6000000u
#define NEED_MAX 700000u // beyond one buffer of the ring

// Runs of one byte and runs of any: neither small nor incompressible.
static struct cm_buffer make_data(void)
{
	struct cm_buffer data = {NULL, 0, 0};
	struct tr_random random;

	tr_random_open(&random, 1, "data");
	while (data.size < DATA_BYTES) {
		cm_fill(&data, (uint8_t)tr_random_u32(&random), tr_random_below(&random, 3000));
		for (uint64_t run = tr_random_below(&random, 500); run > 0; run--)
			cm_u32(&data, true, tr_random_u32(&random));
	}
	return data;
}

static struct pk_input *open_memory(const struct cm_buffer *bytes)
{
	struct tr_source *source;
	struct pk_input *in = NULL;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, bytes->data, bytes->size, "memory", &err),
			 TR_OK);
	assert_int_equal(pk_input_open(&in, source, &err), TR_OK);
	return in;
}

// Needs, steps over and passes random numbers of bytes to the end, comparing what is shown.
static void walk(struct pk_input *in, const struct cm_buffer *data, uint64_t seed)
{
	struct tr_random random;
	struct tr_error err;

	tr_random_open(&random, seed, "walk");
	for (;;) {
		const bool far = tr_random_below(&random, 20) == 0;
		const size_t need = 1 + tr_random_below(&random, far ? NEED_MAX : 3000);
		const enum tr_status status = pk_input_need(in, need, &err);
		const size_t at = in->offset_bytes;

		assert_int_equal(status, data->size - at >= need ? TR_OK : TR_END);
		assert_true(status == TR_OK ? in->left >= need : in->left == data->size - at);
		assert_memory_equal(in->at, data->data + at, in->left < need ? in->left : need);
		if (status == TR_END)
			break;
		if (far && data->size - at > 2 * NEED_MAX)
			assert_int_equal(
				pk_input_pass(in, tr_random_below(&random, NEED_MAX), &err), TR_OK);
		else
			pk_input_skip(in, need);
	}
}

static void test_walk(void **state)
{
	struct cm_buffer data = make_data(), packed = {NULL, 0, 0};

	(void)state;
	for (unsigned way = 0; way <= PACK_WAYS; way++) {
		struct pk_input *in;

		packed.size = 0;
		if (way == PACK_WAYS)
			cm_bytes(&packed, data.data, data.size);
		else if (!pack(&packed, &data, (enum pack_way)way))
			continue;
		for (uint64_t seed = 0; seed < 6; seed++) {
			in = open_memory(&packed);
			walk(in, &data, seed);
			pk_input_close(in);
		}
	}
	cm_clear(&data);
	cm_clear(&packed);
}

// Closed before anything, in the middle, while the thread waits for room, and after the end.
static void test_close_anywhere(void **state)
{
	struct cm_buffer data = make_data(), packed = {NULL, 0, 0};
	struct tr_random random;
	struct tr_error err;

	(void)state;
	tr_random_open(&random, 1, "close");
	pack(&packed, &data, PACK_ZSTD);
	for (int i = 0; i < 100; i++) {
		struct pk_input *in = open_memory(&packed);

		if (i > 0)
			(void)pk_input_pass(in, tr_random_below(&random, DATA_BYTES + NEED_MAX),
					    &err);
		if (i % 10 == 9)
			(void)usleep(2000);
		pk_input_close(in);
	}
	cm_clear(&data);
	cm_clear(&packed);
}

// Closed while the thread waits for a pipe that gives nothing and does not end.
static void test_close_waiting(void **state)
{
	struct cm_buffer data = {NULL, 0, 0}, packed = {NULL, 0, 0};
	struct tr_source *source;
	struct pk_input *in;
	struct tr_error err;
	char path[32];
	int ends[2];

	(void)state;
	cm_fill(&data, 7, 100000);
	pack(&packed, &data, PACK_ZSTD);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], packed.data, packed.size - 1), packed.size - 1);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(tr_source_open(&source, path, &err), TR_OK);
	assert_int_equal(pk_input_open(&in, source, &err), TR_OK);
	assert_int_equal(pk_input_need(in, 1000, &err), TR_OK);
	pk_input_close(in); // hangs where it is wrong
	(void)close(ends[0]);
	(void)close(ends[1]);
	cm_clear(&data);
	cm_clear(&packed);
}

static void count_call(void *context)
{
	++*(unsigned *)context;
}

static void test_idle(void **state)
{
	struct cm_buffer data = make_data(), packed = {NULL, 0, 0};
	struct pk_input *in;
	struct tr_error err;
	unsigned calls = 0;

	(void)state;
	pack(&packed, &data, PACK_GZIP);
	in = open_memory(&packed);
	pk_input_set_idle(in, count_call, &calls);
	assert_int_equal(pk_input_pass(in, DATA_BYTES, &err), TR_OK);
	assert_true(calls >= DATA_BYTES / (256 << 10));
	pk_input_close(in);
	cm_clear(&data);
	cm_clear(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_close_anywhere),
		cmocka_unit_test(test_close_waiting),
		cmocka_unit_test(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
