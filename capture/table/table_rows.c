// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/table_rows.h"

#include <math.h>

#include "table/table_cells.h"
#include "value/ticks.h"

static void table_head(struct table *table, const struct table_field *field)
{
	const char *heading = field->heading ? field->heading : field->member;

	if (!table->for_people)
		table_column(table, heading);
	else if (field->kind <= TABLE_KIND_yes)
		table_words(table, heading);
	else
		table_numbers(table, heading);
	if (field->kind == TABLE_KIND_known)
		table_numbers(table, "interval");
}

void table_set_clock(struct table *table, uint64_t ticks_per_s)
{
	if (!table->failed)
		table->ticks_per_s = ticks_per_s;
}

void table_heads(struct table *table, const struct table_field *fields)
{
	for (; fields->member; fields++)
		table_head(table, fields);
}

struct table *table_of(const char *name, const char *title, const struct table_field *fields)
{
	struct table *table = table_new(name, title);

	table_heads(table, fields);
	return table;
}

static uint64_t table_member_count(const void *member, uint8_t bytes)
{
	switch (bytes) {
	case 1: return *(const uint8_t *)member;
	case 2: return *(const uint16_t *)member;
	case 4: return *(const uint32_t *)member;
	default: return *(const uint64_t *)member;
	}
}

static void table_ticks_cell(struct table *table, const struct table_field *field, int64_t ticks)
{
	if (field->kind == TABLE_KIND_us)
		table_real(table,
			   ticks < 0 ? NAN : 1e6 * tr_ticks_seconds(ticks, table->ticks_per_s),
			   field->digits);
	else if (ticks == TABLE_NO_TIME)
		table_none(table);
	else
		table_seconds(table, ticks, table->ticks_per_s);
}

static void table_cell_of(struct table *table, const struct table_field *field, const void *member)
{
	const struct table_interval *interval = member;
	const struct number *number = member;

	switch ((enum table_kind)field->kind) {
	case TABLE_KIND_text: table_text(table, *(const char *const *)member); break;
	case TABLE_KIND_yes: table_text(table, *(const bool *)member ? "yes" : "no"); break;
	case TABLE_KIND_count: table_count(table, table_member_count(member, field->bytes)); break;
	case TABLE_KIND_some:
		if (*(const int64_t *)member >= 0)
			table_count(table, *(const uint64_t *)member);
		else
			table_none(table);
		break;
	case TABLE_KIND_whole: table_signed(table, *(const int64_t *)member); break;
	case TABLE_KIND_us:
	case TABLE_KIND_seconds: table_ticks_cell(table, field, *(const int64_t *)member); break;
	case TABLE_KIND_real: table_real(table, *(const double *)member, field->digits); break;
	case TABLE_KIND_number: table_text(table, number->text[0] ? number->text : NULL); break;
	case TABLE_KIND_error:
		table_error(table, interval->value, interval->lo, interval->hi);
		break;
	case TABLE_KIND_known:
		table_error(table, interval->value, interval->lo, interval->hi);
		table_error_range(table, interval->lo, interval->hi);
		break;
	case TABLE_KIND_range: table_error_range(table, interval->lo, interval->hi); break;
	}
}

void table_row(struct table *table, const struct table_field *fields, const void *row)
{
	if (table->failed) // without memory it has no clock either
		return;
	for (; fields->member; fields++)
		table_cell_of(table, fields, (const char *)row + fields->offset_bytes);
}

void table_list(struct table *table, const struct table_field *fields, const void *rows,
		size_t count, size_t stride_bytes)
{
	for (size_t i = 0; i < count; i++)
		table_row(table, fields, (const char *)rows + i * stride_bytes);
}

struct table_interval table_interval_of_variance(double variance, uint64_t n)
{
	const double half = n > 1 ? sqrt(8 / (double)(n - 1)) * variance : NAN;

	return (struct table_interval){variance, variance - half, variance + half};
}

void table_variance(struct table *table, double variance, uint64_t n)
{
	const struct table_interval known = table_interval_of_variance(variance, n);

	table_error(table, known.value, known.lo, known.hi);
}
