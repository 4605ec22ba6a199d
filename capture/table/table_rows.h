// SPDX-License-Identifier: GPL-3.0-or-later
// A table of results is declared once: its columns, each by kind, member of a row, digits and
// heading. Headings and cells follow from it.
//
//	TABLE_ROW(lengths, (count, switches), (count, pairs), (real, share, 6));
//
//	struct table *table = table_of("lengths", "Route lengths", lengths_fields);
//
//	TABLE_PUT(table, lengths, .switches = i, .pairs = pairs, .share = pairs / all);
//
// TABLE_ROW declares struct lengths_row and lengths_fields. TABLE_VIEW declares the fields alone,
// of a struct that there is.
#ifndef TABLE_TABLE_ROWS_H
#define TABLE_TABLE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/table.h"
#include "value/number.h"

// A value with its interval.
struct table_interval {
	double value, lo, hi;
};

// A variance of n values, with two standard errors of one of independent normal values: sqrt(8 / (n
// - 1)) of it.
struct table_interval table_interval_of_variance(double variance, uint64_t n);

// The kinds of columns, and the type of the member of each.
enum table_kind {
	TABLE_KIND_text,    // const char *; NULL: no value
	TABLE_KIND_yes,	    // bool: yes or no
	TABLE_KIND_count,   // uint64_t; of a view any unsigned type
	TABLE_KIND_some,    // int64_t: a count; below 0: no value
	TABLE_KIND_whole,   // int64_t
	TABLE_KIND_us,	    // int64_t: ticks of the table's clock, to the digits; below 0: no value
	TABLE_KIND_seconds, // int64_t: ticks of the table's clock, exact (table_seconds);
			    // TABLE_NO_TIME: no value
	TABLE_KIND_real,    // double, to the digits; not finite: no value
	TABLE_KIND_number,  // struct number, to the right; empty: no value
	TABLE_KIND_error, // struct table_interval: the value, rounded by its interval (table_error)
	TABLE_KIND_range, // struct table_interval: the interval (table_error_range)
	TABLE_KIND_known, // struct table_interval: two columns, the value and its interval
};

#define TABLE_NO_TIME INT64_MIN

#define TABLE_TYPE_text const char *
#define TABLE_TYPE_yes bool
#define TABLE_TYPE_count uint64_t
#define TABLE_TYPE_some int64_t
#define TABLE_TYPE_whole int64_t
#define TABLE_TYPE_us int64_t
#define TABLE_TYPE_seconds int64_t
#define TABLE_TYPE_real double
#define TABLE_TYPE_number struct number
#define TABLE_TYPE_error struct table_interval
#define TABLE_TYPE_range struct table_interval
#define TABLE_TYPE_known struct table_interval

// A column. A list of them ends with one of zeros.
struct table_field {
	const char *member;
	size_t offset_bytes;
	uint8_t bytes; // of the member
	uint8_t kind;  // enum table_kind
	uint8_t digits;
	const char *heading; // NULL: the member's name
};

// name, title: as in table_new. In a table for people words are to the left, numbers to the right.
struct table *table_of(const char *name, const char *title, const struct table_field *fields);

// What the kinds us and seconds count in.
void table_set_clock(struct table *table, uint64_t ticks_per_s);

// Adds the columns of the fields, and their cells of one row, after those that the table has.
void table_heads(struct table *table, const struct table_field *fields);
void table_row(struct table *table, const struct table_field *fields, const void *row);

// Adds count rows that are stride_bytes apart.
void table_list(struct table *table, const struct table_field *fields, const void *rows,
		size_t count, size_t stride_bytes);

// Each column is (kind, member), (kind, member, digits) or (kind, member, digits, heading); at most
// 24.
#define TABLE_ROW(name, ...) \
	struct name##_row { \
		TABLE_EACH(TABLE_MEMBER, , __VA_ARGS__) \
	}; \
	TABLE_VIEW(name, struct name##_row, __VA_ARGS__)
#define TABLE_VIEW(name, type, ...) \
	static const struct table_field name##_fields[] = { \
		TABLE_EACH(TABLE_FIELD, type, __VA_ARGS__){.member = NULL}}

// Adds a row of a TABLE_ROW; what is left out is zero, NULL or no.
#define TABLE_PUT(table, name, ...) \
	table_row(table, name##_fields, &(const struct name##_row){__VA_ARGS__})

// ---- what these are made of

#define TABLE_FIRST(first, ...) first
#define TABLE_OPENED(...) __VA_ARGS__
#define TABLE_MEMBER(type, column) TABLE_MEMBER_OF column;
#define TABLE_MEMBER_OF(kind, ...) TABLE_TYPE_##kind TABLE_FIRST(__VA_ARGS__, )
#define TABLE_FIELD(type, column) TABLE_FIELD_OPENED(type, TABLE_OPENED column, )
#define TABLE_FIELD_OPENED(...) TABLE_FIELD_OF(__VA_ARGS__)
#define TABLE_FIELD_OF(type, kind, member, ...) \
	{#member, offsetof(type, member), TABLE_BYTES_##kind(((type *)NULL)->member), \
	 TABLE_KIND_##kind, __VA_ARGS__},

// Does not compile for a member of another type.
#define TABLE_BYTES_text(x) _Generic((x), const char * : sizeof(x))
#define TABLE_BYTES_yes(x) _Generic((x), bool : sizeof(x))
#define TABLE_BYTES_count(x) _Generic((x), uint8_t : 1, uint16_t : 2, uint32_t : 4, uint64_t : 8)
#define TABLE_BYTES_some(x) _Generic((x), int64_t : sizeof(x))
#define TABLE_BYTES_whole(x) _Generic((x), int64_t : sizeof(x))
#define TABLE_BYTES_us(x) _Generic((x), int64_t : sizeof(x))
#define TABLE_BYTES_seconds(x) _Generic((x), int64_t : sizeof(x))
#define TABLE_BYTES_real(x) _Generic((x), double : sizeof(x))
#define TABLE_BYTES_number(x) _Generic((x), struct number : sizeof(x))
#define TABLE_BYTES_error(x) _Generic((x), struct table_interval : sizeof(x))
#define TABLE_BYTES_range(x) _Generic((x), struct table_interval : sizeof(x))
#define TABLE_BYTES_known(x) _Generic((x), struct table_interval : sizeof(x))

// Calls each(type, column) for the columns.
#define TABLE_EACH(each, type, ...) \
	TABLE_CHOSEN(__VA_ARGS__, TABLE_EACH_24, TABLE_EACH_23, TABLE_EACH_22, TABLE_EACH_21, \
		     TABLE_EACH_20, TABLE_EACH_19, TABLE_EACH_18, TABLE_EACH_17, TABLE_EACH_16, \
		     TABLE_EACH_15, TABLE_EACH_14, TABLE_EACH_13, TABLE_EACH_12, TABLE_EACH_11, \
		     TABLE_EACH_10, TABLE_EACH_9, TABLE_EACH_8, TABLE_EACH_7, TABLE_EACH_6, \
		     TABLE_EACH_5, TABLE_EACH_4, TABLE_EACH_3, TABLE_EACH_2, TABLE_EACH_1, 0) \
	(each, type, __VA_ARGS__)
#define TABLE_CHOSEN(c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, \
		     c18, c19, c20, c21, c22, c23, c24, chosen, ...) \
	chosen
#define TABLE_EACH_1(each, type, column) each(type, column)
#define TABLE_EACH_2(each, type, column, ...) \
	each(type, column) TABLE_EACH_1(each, type, __VA_ARGS__)
#define TABLE_EACH_3(each, type, column, ...) \
	each(type, column) TABLE_EACH_2(each, type, __VA_ARGS__)
#define TABLE_EACH_4(each, type, column, ...) \
	each(type, column) TABLE_EACH_3(each, type, __VA_ARGS__)
#define TABLE_EACH_5(each, type, column, ...) \
	each(type, column) TABLE_EACH_4(each, type, __VA_ARGS__)
#define TABLE_EACH_6(each, type, column, ...) \
	each(type, column) TABLE_EACH_5(each, type, __VA_ARGS__)
#define TABLE_EACH_7(each, type, column, ...) \
	each(type, column) TABLE_EACH_6(each, type, __VA_ARGS__)
#define TABLE_EACH_8(each, type, column, ...) \
	each(type, column) TABLE_EACH_7(each, type, __VA_ARGS__)
#define TABLE_EACH_9(each, type, column, ...) \
	each(type, column) TABLE_EACH_8(each, type, __VA_ARGS__)
#define TABLE_EACH_10(each, type, column, ...) \
	each(type, column) TABLE_EACH_9(each, type, __VA_ARGS__)
#define TABLE_EACH_11(each, type, column, ...) \
	each(type, column) TABLE_EACH_10(each, type, __VA_ARGS__)
#define TABLE_EACH_12(each, type, column, ...) \
	each(type, column) TABLE_EACH_11(each, type, __VA_ARGS__)
#define TABLE_EACH_13(each, type, column, ...) \
	each(type, column) TABLE_EACH_12(each, type, __VA_ARGS__)
#define TABLE_EACH_14(each, type, column, ...) \
	each(type, column) TABLE_EACH_13(each, type, __VA_ARGS__)
#define TABLE_EACH_15(each, type, column, ...) \
	each(type, column) TABLE_EACH_14(each, type, __VA_ARGS__)
#define TABLE_EACH_16(each, type, column, ...) \
	each(type, column) TABLE_EACH_15(each, type, __VA_ARGS__)
#define TABLE_EACH_17(each, type, column, ...) \
	each(type, column) TABLE_EACH_16(each, type, __VA_ARGS__)
#define TABLE_EACH_18(each, type, column, ...) \
	each(type, column) TABLE_EACH_17(each, type, __VA_ARGS__)
#define TABLE_EACH_19(each, type, column, ...) \
	each(type, column) TABLE_EACH_18(each, type, __VA_ARGS__)
#define TABLE_EACH_20(each, type, column, ...) \
	each(type, column) TABLE_EACH_19(each, type, __VA_ARGS__)
#define TABLE_EACH_21(each, type, column, ...) \
	each(type, column) TABLE_EACH_20(each, type, __VA_ARGS__)
#define TABLE_EACH_22(each, type, column, ...) \
	each(type, column) TABLE_EACH_21(each, type, __VA_ARGS__)
#define TABLE_EACH_23(each, type, column, ...) \
	each(type, column) TABLE_EACH_22(each, type, __VA_ARGS__)
#define TABLE_EACH_24(each, type, column, ...) \
	each(type, column) TABLE_EACH_23(each, type, __VA_ARGS__)

#endif
