// SPDX-License-Identifier: GPL-3.0-or-later
// The registry of record kinds: its rows cover every byte of a record once, and store what is put
// into them.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stream/record.h"

#define LARGEST 80

static void test_kinds(void **state)
{
	const char *const names[] = {"packet", "delivery", "message", "series", "link"};

	(void)state;
	assert_null(tr_kind_find(0));
	assert_null(tr_kind_find(6));
	assert_null(tr_kind_find(65535));
	for (unsigned kind = 1; kind <= 5; kind++) {
		const struct tr_kind_info *info = tr_kind_find(kind);

		assert_non_null(info);
		assert_int_equal(info->kind, kind);
		assert_string_equal(info->name, names[kind - 1]);
		assert_int_equal(tr_kind_has_packet(kind), kind <= 2);
		assert_true(info->size_bytes <= LARGEST);
		assert_int_equal(info->size_bytes % 8, 0);
		assert_string_equal(info->fields[0].name, "time");
		assert_int_equal(info->fields[0].offset_bytes, 0);
		assert_int_equal(info->fields[0].type, TR_I64);
	}
}

static void test_fields_cover_the_record(void **state)
{
	(void)state;
	for (unsigned kind = 1; kind <= 5; kind++) {
		const struct tr_kind_info *info = tr_kind_find(kind);
		uint8_t covered[LARGEST] = {0};

		for (unsigned f = 0; f < info->field_count; f++) {
			const struct tr_field *field = &info->fields[f];
			unsigned size = tr_field_size(field->type);

			assert_int_equal(field->offset_bytes % size, 0);
			for (unsigned b = 0; b < size; b++)
				covered[field->offset_bytes + b]++;
			for (unsigned other = 0; other < f; other++)
				assert_string_not_equal(field->name, info->fields[other].name);
		}
		for (unsigned b = 0; b < info->size_bytes; b++)
			assert_int_equal(covered[b], 1);
	}
}

struct range {
	int64_t min, max;
};

static struct range range_of(enum tr_field_type type)
{
	static const struct range ranges[] = {
		[TR_I64] = {INT64_MIN, INT64_MAX}, [TR_U64] = {INT64_MIN, INT64_MAX},
		[TR_U32] = {0, UINT32_MAX},	   [TR_I32] = {INT32_MIN, INT32_MAX},
		[TR_U16] = {0, UINT16_MAX},	   [TR_U8] = {0, UINT8_MAX},
	};

	return ranges[type];
}

// Both ends of a field's range fit, one more does not, and no other byte changes.
static void check_field(const struct tr_kind_info *info, const struct tr_field *field)
{
	struct range range = range_of(field->type);
	const int64_t fit[] = {range.min, range.max, 1};
	_Alignas(8) uint8_t record[LARGEST], before[LARGEST];
	unsigned size = tr_field_size(field->type);

	memset(record, 0x5a, sizeof(record));
	memcpy(before, record, sizeof(record));
	for (size_t i = 0; i < 3; i++) {
		assert_true(tr_field_set(record, field, fit[i]));
		assert_int_equal(tr_field_get(record, field), fit[i]);
	}
	if (size < 8) {
		assert_false(tr_field_set(record, field, range.min - 1));
		assert_false(tr_field_set(record, field, range.max + 1));
	}
	assert_int_equal(tr_field_get(record, field), 1);
	memcpy(before + field->offset_bytes, record + field->offset_bytes, size);
	assert_memory_equal(record, before, info->size_bytes);
}

static void test_field_ranges(void **state)
{
	(void)state;
	for (unsigned kind = 1; kind <= 5; kind++) {
		const struct tr_kind_info *info = tr_kind_find(kind);

		for (unsigned f = 0; f < info->field_count; f++)
			check_field(info, &info->fields[f]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_fields_cover_the_record),
		cmocka_unit_test(test_field_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
