// SPDX-License-Identifier: GPL-3.0-or-later
// The body hash compared with its definition in flitinfo(1), computed here by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "stream/body_hash.h"
#include "stream/record.h"
#include "value/xxh3.h"

static const struct tr_header header = {.kind = TR_SERIES,
					.ticks_per_s = 1000,
					.origin_s = -2,
					.origin_ns = 7};

static const struct tr_series record =
	{.start_ticks = 1, .width_ticks = 2, .count = 3, .size_bytes = 4, .node = 0, .class = 1};

// Kind 4, 1000 ticks, -2 s, 7 ns; the record; node 0 "ab" as controller; counter "k" of 258.
static const uint8_t by_hand[] = {
	4,    0,    0,	  0,	0,    0, 0, 0, 0xe8, 3,	  0,   0,   0, 0, 0, 0, 0xfe, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 7, 0, 0, 0,    0,	  0,   0,   0, 1, 0, 0, 0,    0,    0,
	0,    0,    2,	  0,	0,    0, 0, 0, 0,    0,	  3,   0,   0, 0, 0, 0, 0,    0,    4,
	0,    0,    0,	  0,	0,    0, 0, 0, 0,    0,	  0,   1,   0, 0, 0, 1, 1,    2,    0,
	0,    0,    0,	  0,	0,    0, 0, 0, 0,    0,	  0,   0,   0, 0, 0, 0, 0,    0,    0,
	0,    0,    0,	  0,	0,    0, 0, 0, 0,    'a', 'b', 0,   0, 0, 0, 0, 0,    4,    0,
	1,    0,    0,	  0,	0,    0, 0, 0, 0,    0,	  0,   0,   0, 0, 0, 0, 0,    0,    0,
	0,    0,    0,	  2,	1,    0, 0, 0, 0,    0,	  0,   'k', 0, 0, 0, 0, 0,    0,    0,
};

static void set(struct tr_names *names, enum tr_name_kind kind, const char *text, uint64_t value)
{
	struct tr_name name = {
		.kind = kind, .text = text, .text_bytes = strlen(text), .value = value};

	if (kind == TR_NAME_NODE)
		name.role = TR_ROLE_CONTROLLER;
	assert_int_equal(tr_names_set(names, &name, NULL), TR_OK);
}

static uint64_t hash_of(const void *records, size_t stride_bytes, size_t count,
			const struct tr_names *names)
{
	struct tr_body_hash *hash;
	uint64_t value;

	assert_int_equal(tr_body_hash_open(&hash, &header, NULL), TR_OK);
	tr_body_hash_add(hash, records, stride_bytes, count);
	value = tr_body_hash_end(hash, names);
	tr_body_hash_close(hash);
	return value;
}

static void is_what_the_page_says(void **state)
{
	struct tr_names names = {.node_count = 0};

	(void)state;
	set(&names, TR_NAME_COUNTER, "k", 258);
	set(&names, TR_NAME_NODE, "ab", 0);
	assert_true(hash_of(&record, sizeof(record), 1, &names) ==
		    XXH3_64bits(by_hand, sizeof(by_hand)));
	tr_names_clear(&names);
}

// Bytes behind the record that a later minor version may have do not count.
static void ignores_longer_records(void **state)
{
	struct {
		struct tr_series record;
		uint64_t later;
	} longer[2] = {{record, 1}, {record, 2}};
	struct tr_series plain[2] = {record, record};
	struct tr_names names = {.node_count = 0};

	(void)state;
	assert_true(hash_of(longer, sizeof(longer[0]), 2, &names) ==
		    hash_of(plain, sizeof(plain[0]), 2, &names));
	assert_true(hash_of(plain, sizeof(plain[0]), 1, &names) !=
		    hash_of(plain, sizeof(plain[0]), 2, &names));
}

#ifdef __x86_64__
// Whether the upper halves of the registers of AVX are in use: XGETBV tells where CPUID (0xd, 1)
// has bit 2 (Intel's manual, volume 1, 13.2). Elsewhere never.
__attribute__((target("xsave"))) static bool upper_halves_in_use(void)
{
	unsigned a, b, c, d;

	return __builtin_cpu_supports("avx") && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) &&
	       (a & 4) && (_xgetbv(1) & 4);
}

// Code for SSE that follows would be slow.
static void leaves_no_upper_halves_in_use(void **state)
{
	static const uint8_t bytes[65536];
	XXH3_state_t *hash = XXH3_createState();

	(void)state;
	(void)XXH3_64bits(bytes, sizeof(bytes));
	assert_false(upper_halves_in_use());
	(void)XXH3_64bits_withSeed(bytes, sizeof(bytes), 1);
	assert_false(upper_halves_in_use());
	(void)XXH3_64bits_reset(hash);
	(void)XXH3_64bits_update(hash, bytes, sizeof(bytes));
	assert_false(upper_halves_in_use());
	(void)XXH3_64bits_digest(hash);
	assert_false(upper_halves_in_use());
	(void)XXH3_freeState(hash);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __x86_64__
		cmocka_unit_test(leaves_no_upper_halves_in_use),
#endif
		cmocka_unit_test(is_what_the_page_says),
		cmocka_unit_test(ignores_longer_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
