// SPDX-License-Identifier: GPL-3.0-or-later
#include "info_tally.h"

#include <string.h>

#include "trace/words.h"

// Which fields count what, by kind.
static const struct {
	enum tr_kind kind;
	const char *field;
	const char *summed[INFO_SUMS];
} rows[] = {
	{TR_PACKET, "class", {"payload", "wire", NULL}},    {TR_DELIVERY, "class", {"payload", "wire", NULL}},
	{TR_DELIVERY, "status", {"payload", "wire", NULL}}, {TR_DELIVERY, "reason", {"payload", "wire", NULL}},
	{TR_MESSAGE, "operation", {"size", NULL, NULL}},    {TR_SERIES, "class", {"bytes", NULL, "count"}},
};

static const struct tr_field *find(const struct tr_kind_info *kind, const char *name)
{
	for (unsigned i = 0; name && i < kind->field_count; i++)
		if (!strcmp(kind->fields[i].name, name))
			return &kind->fields[i];
	return NULL;
}

void info_tally_begin(struct info_tally *tally, const struct tr_kind_info *kind)
{
	*tally = (struct info_tally){.kind = kind, .first_ticks = INT64_MAX, .last_ticks = INT64_MIN};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct info_group *group = &tally->groups[tally->group_count];

		if (rows[i].kind != kind->kind)
			continue;
		group->field = find(kind, rows[i].field);
		for (size_t sum = 0; sum < INFO_SUMS; sum++)
			group->summed[sum] = find(kind, rows[i].summed[sum]);
		tally->group_count++;
	}
}

static void add_to_group(struct info_group *group, const void *record)
{
	uint64_t code = (uint64_t)tr_field_get(record, group->field);
	struct info_sums *sums = &group->codes[code < INFO_CODES ? code : INFO_CODES - 1];

	sums->records++;
	for (size_t i = 0; i < INFO_SUMS; i++)
		if (group->summed[i] &&
		    __builtin_add_overflow(sums->totals[i], (uint64_t)tr_field_get(record, group->summed[i]), &sums->totals[i]))
			sums->totals[i] = UINT64_MAX;
}

void info_tally_add(struct info_tally *tally, const void *records, size_t stride_bytes, size_t count)
{
	const uint8_t *at = records;

	tally->records += count;
	for (; count; count--, at += stride_bytes) {
		int64_t time_ticks;

		memcpy(&time_ticks, at, sizeof(time_ticks));
		if (time_ticks < tally->first_ticks)
			tally->first_ticks = time_ticks;
		if (time_ticks > tally->last_ticks)
			tally->last_ticks = time_ticks;
		for (size_t g = 0; g < tally->group_count; g++)
			add_to_group(&tally->groups[g], at);
	}
}

const char *info_code_word(const struct info_group *group, size_t code)
{
	const char *word = tr_word((enum tr_field_meaning)group->field->meaning, (int64_t)code);

	return word ? word : "unknown code";
}
