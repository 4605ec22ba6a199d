// SPDX-License-Identifier: GPL-3.0-or-later
// A replayed trace has its arrivals, destinations, lengths and sources exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/arbitrary.h"
#include "stream/writer.h"
#include "value/random.h"

#define N 5000

static struct tr_packet packets[N];
static char path[] = "/tmp/flit-arbitrary-XXXXXX";

static int write_trace(void **state)
{
	struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000000};
	struct tr_trailer trailer = {0};
	struct tr_random random;
	struct tr_writer *out;
	int64_t ticks = -700;

	(void)state;
	close(mkstemp(path));
	tr_random_open(&random, 1, "packets");
	assert_int_equal(tr_writer_open(&out, path, &header, NULL, NULL, NULL), TR_OK);
	for (uint32_t id = 0; id < 4; id++) {
		char name[] = {(char)('a' + id), '\0'};

		tr_put_node(out, id, name, id ? TR_ROLE_WORKER : TR_ROLE_CONTROLLER);
	}
	for (int i = 0; i < N; i++) {
		ticks += (int64_t)tr_random_below(&random, 1000);
		packets[i] = (struct tr_packet){.time_ticks = ticks,
						.id = 1000 + (uint64_t)i,
						.flow = TR_FLOW_NONE,
						.src = (uint32_t)i % 4,
						.dst = (uint32_t)i % 3 == 0 ? TR_NODE_OTHER : 2,
						.payload_bytes = tr_random_u32(&random) >> 18,
						.wire_bytes = 99,
						.flags = TR_FLAG_SETUP,
						.class = TR_CLASS_DATA};
		assert_int_equal(tr_put(out, &packets[i]), TR_OK);
	}
	return tr_writer_close(out, &trailer, NULL) == TR_OK ? 0 : -1;
}

static int remove_trace(void **state)
{
	(void)state;
	return unlink(path);
}

// All that the generator gives, to be freed.
static struct tr_packet *replay(const struct arbitrary_settings *settings, size_t *count)
{
	struct tr_packet *out = calloc(N, sizeof(*out));
	struct generator generator;
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error err;
	size_t got;

	assert_int_equal(tr_source_open(&source, path, &err), TR_OK);
	assert_int_equal(tr_reader_open(&in, source, NULL, NULL, &err), TR_OK);
	assert_int_equal(arbitrary_open(&generator, in, settings, &err), TR_OK);
	for (*count = 0; generator_next(&generator, out + *count, 97, &got, &err) == TR_OK;
	     *count += got)
		assert_true(*count + got <= N);
	generator_close(&generator);
	tr_reader_close(in);
	return out;
}

static struct arbitrary_settings all(void)
{
	return (struct arbitrary_settings){
		.from_ticks = INT64_MIN, .to_ticks = INT64_MAX, .stretch = {1, 1}};
}

static void as_it_is(void **state)
{
	struct arbitrary_settings settings = all();
	size_t count;
	struct tr_packet *out = replay(&settings, &count);

	(void)state;
	assert_int_equal(count, N);
	assert_memory_equal(out, packets, sizeof(packets));
	free(out);
}

static void cut_stretched_and_shifted(void **state)
{
	struct arbitrary_settings settings = all();
	size_t count, first = 0, at = 0;

	(void)state;
	settings.from_ticks = packets[100].time_ticks;
	settings.to_ticks = packets[4000].time_ticks;
	settings.stretch = (struct num_ratio){7, 3};
	settings.shift_ticks = -5000;
	struct tr_packet *out = replay(&settings, &count);

	while (packets[first].time_ticks < settings.from_ticks)
		first++;
	for (size_t i = first; packets[i].time_ticks < settings.to_ticks; i++, at++) {
		int64_t stretched = packets[i].time_ticks * 7;

		stretched = stretched >= 0 ? stretched / 3 : -((-stretched + 2) / 3);
		assert_int_equal(out[at].time_ticks, stretched - 5000);
		assert_int_equal(out[at].id, packets[i].id);
		assert_int_equal(out[at].payload_bytes, packets[i].payload_bytes);
	}
	assert_int_equal(at, count);
	free(out);
}

static void nodes_are_renumbered(void **state)
{
	struct arbitrary_pair pairs[4];
	struct arbitrary_settings settings = all();
	struct tr_error err;
	size_t count;

	(void)state;
	assert_int_equal(
		arbitrary_parse_map("2=9,9=9,0=1,1=0", pairs, 4, &settings.pair_count, &err),
		TR_OK);
	settings.pairs = pairs;
	settings.renumber = true;
	settings.first_id = 7;
	struct tr_packet *out = replay(&settings, &count);

	for (size_t i = 0; i < count; i++) {
		static const uint32_t to[] = {1, 0, 9, 3};

		assert_int_equal(out[i].src, to[packets[i].src]);
		assert_int_equal(out[i].dst, packets[i].dst == 2 ? 9 : TR_NODE_OTHER);
		assert_int_equal(out[i].id, 7 + i);
	}
	free(out);
}

// Node 3 is in the trace, node 9 is not.
static void two_nodes_do_not_become_one_unasked(void **state)
{
	struct arbitrary_pair pairs[] = {{0, 9}};
	struct arbitrary_settings settings = all();
	size_t count;

	(void)state;
	settings.pairs = pairs;
	settings.pair_count = 1;
	free(replay(&settings, &count));
	assert_int_equal(count, N);
	pairs[0].to = 3;
	free(replay(&settings, &count));
	assert_true(count < N);
}

static void wrong_maps_are_refused(void **state)
{
	static const char *const bad[] = {"",
					  "0",
					  "0=",
					  "=0",
					  "0=0,0=0",
					  "0=x",
					  "a=0",
					  "0=0,",
					  "0=0,1=1,2=2,3=3,4=4",
					  "0=4294967295"};
	struct arbitrary_pair pairs[4];
	size_t count;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (arbitrary_parse_map(bad[i], pairs, 4, &count, NULL) != TR_ERROR)
			fail_msg("taken: %s", bad[i]);
}

static void too_long_a_stretch_fails(void **state)
{
	struct arbitrary_settings settings = all();
	struct generator generator;
	struct tr_packet out[16];
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error err = {""};
	size_t count;

	(void)state;
	settings.stretch.num = INT64_MAX;
	assert_int_equal(tr_source_open(&source, path, &err), TR_OK);
	assert_int_equal(tr_reader_open(&in, source, NULL, NULL, &err), TR_OK);
	assert_int_equal(arbitrary_open(&generator, in, &settings, &err), TR_OK);
	assert_int_equal(generator_next(&generator, out, 16, &count, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "exceeds the range"));
	generator_close(&generator);
	tr_reader_close(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_it_is),
		cmocka_unit_test(cut_stretched_and_shifted),
		cmocka_unit_test(nodes_are_renumbered),
		cmocka_unit_test(two_nodes_do_not_become_one_unasked),
		cmocka_unit_test(wrong_maps_are_refused),
		cmocka_unit_test(too_long_a_stretch_fails),
	};

	return cmocka_run_group_tests(tests, write_trace, remove_trace);
}
