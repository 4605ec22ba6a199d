// SPDX-License-Identifier: GPL-3.0-or-later
// flitinfo: the kind, history and contents of a trace stream, and whether it is whole.
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "stream/body_hash.h"
#include "stream/odd_times.h"
#include "stream/record.h"
#include "stream/stream_tables.h"
#include "stream/words.h"
#include "table/table.h"
#include "tool/tool.h"
#include "value/ticks.h"

#define INFO_CODES 256u // codes from 255 on share the last place

enum { INFO_SIZE, INFO_WIRE, INFO_COUNT, INFO_SUMS };

#define INFO_GROUPS_MAX 3u

struct info_sums {
	uint64_t records;
	uint64_t totals[INFO_SUMS]; // saturate at 2^64 - 1
};

// Records by the value of one field, with the totals of others.
struct info_group {
	const struct tr_field *field;
	const struct tr_field *summed[INFO_SUMS]; // NULL: none
	struct info_sums codes[INFO_CODES];
};

struct info_tally {
	const struct tr_kind_info *kind;
	uint64_t records;
	struct tr_times times;
	struct info_group groups[INFO_GROUPS_MAX];
	size_t group_count;
};

// The fields that are counted, by kind.
static const struct {
	enum tr_kind kind;
	const char *field;
	const char *summed[INFO_SUMS];
} rows[] = {
	{TR_PACKET, "class", {"payload", "wire", NULL}},
	{TR_DELIVERY, "class", {"payload", "wire", NULL}},
	{TR_DELIVERY, "status", {"payload", "wire", NULL}},
	{TR_DELIVERY, "reason", {"payload", "wire", NULL}},
	{TR_MESSAGE, "operation", {"size", NULL, NULL}},
	{TR_SERIES, "class", {"bytes", NULL, "count"}},
};

static const struct tr_field *flitinfo_find(const struct tr_kind_info *kind, const char *name)
{
	for (unsigned i = 0; name && i < kind->field_count; i++)
		if (!strcmp(kind->fields[i].name, name))
			return &kind->fields[i];
	return NULL;
}

// Starts an empty tally for records of a kind.
static void tally_begin(struct info_tally *tally, const struct tr_kind_info *kind)
{
	*tally = (struct info_tally){.kind = kind};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct info_group *group = &tally->groups[tally->group_count];

		if (rows[i].kind != kind->kind)
			continue;
		group->field = flitinfo_find(kind, rows[i].field);
		for (size_t sum = 0; sum < INFO_SUMS; sum++)
			group->summed[sum] = flitinfo_find(kind, rows[i].summed[sum]);
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
		    __builtin_add_overflow(sums->totals[i],
					   (uint64_t)tr_field_get(record, group->summed[i]),
					   &sums->totals[i]))
			sums->totals[i] = UINT64_MAX;
}

// Adds count records, stride_bytes apart.
static void tally_add(struct info_tally *tally, const void *records, size_t stride_bytes,
		      size_t count)
{
	const uint8_t *at = records;

	tally->records += count;
	for (; count; count--, at += stride_bytes) {
		int64_t time_ticks;

		memcpy(&time_ticks, at, sizeof(time_ticks));
		tr_times_add(&tally->times, time_ticks);
		for (size_t g = 0; g < tally->group_count; g++)
			add_to_group(&tally->groups[g], at);
	}
}

// The word for a code of a group, "unknown code" if none. Static.
static const char *info_code_word(const struct info_group *group, size_t code)
{
	const char *word = tr_word((enum tr_field_meaning)group->field->meaning, (int64_t)code);

	return word ? word : "unknown code";
}

enum { STREAM, TALLY, NAMES, TABLES = NAMES + TR_STREAM_TABLES };

struct info {
	struct tool *tool;
	struct table_style style;
	bool names;
	bool many; // several inputs: all tables but the first have the input's name first
	struct table *tables[TABLES];
};

static void tables_make(struct info *info)
{
	info->tables[STREAM] = table_new("stream", NULL);
	table_columns(info->tables[STREAM], "file kind records sorted begin first_s last_s "
					    "duration_s origin_s ticks_per_s nodes flows "
					    "links lost stream_B end body_hash digest");
	info->tables[TALLY] = table_new("counts", "Counts");
	if (info->many)
		table_column(info->tables[TALLY], "file");
	table_columns(info->tables[TALLY], "field value records size_B wire_B count");
	tr_stream_tables_make(&info->tables[NAMES], info->many);
}

static void add_ticks(struct table *table, bool known, int64_t ticks, uint64_t ticks_per_s)
{
	if (known)
		table_seconds(table, ticks, ticks_per_s);
	else
		table_none(table);
}

static void flitinfo_add_times(struct table *table, const struct tr_header *header,
			       const struct info_tally *tally)
{
	bool any = tally->records;
	int64_t span_ticks = 0;
	bool spans = any && !__builtin_sub_overflow(tally->times.last_ticks,
						    tally->times.first_ticks, &span_ticks);
	char text[48];

	table_text(table,
		   any ? tr_ticks_utc(tally->times.first_ticks, header->ticks_per_s,
				      header->origin_s, header->origin_ns, text, sizeof(text))
		       : "-");
	add_ticks(table, any, tally->times.first_ticks, header->ticks_per_s);
	add_ticks(table, any, tally->times.last_ticks, header->ticks_per_s);
	add_ticks(table, spans, span_ticks, header->ticks_per_s);
	tr_stream_tables_origin(table, header);
	table_count(table, header->ticks_per_s);
}

static void add_hash(struct table *table, bool known, uint64_t hash)
{
	char text[20];

	(void)snprintf(text, sizeof(text), "%016" PRIx64, hash);
	table_text(table, known ? text : NULL);
}

static void flitinfo_add_stream(struct info *info, struct tr_reader *in,
				const struct info_tally *tally, bool whole, uint64_t hash)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct tr_trailer *trailer = tr_reader_trailer(in);
	const struct tr_names *names = tr_reader_names(in);
	struct table *table = info->tables[STREAM];

	table_text(table, tr_reader_name(in));
	table_text(table, tr_kind_find(header->kind)->name);
	table_count(table, tally->records);
	table_text(table, header->unsorted ? "no" : "yes");
	flitinfo_add_times(table, header, tally);
	table_count(table, names->node_count);
	table_count(table, names->flow_count);
	table_count(table, names->link_count);
	if (whole && trailer->lost_known)
		table_count(table, trailer->lost);
	else
		table_none(table);
	table_count(table, tr_reader_offset(in));
	table_text(table, !whole	     ? "broken"
			  : trailer->damaged ? "clean, of a damaged input"
					     : "clean");
	add_hash(table, whole, hash);
	add_hash(table, whole, tr_reader_digest(in));
}

static void add_tally(struct info *info, const struct tr_reader *in, const struct info_tally *tally)
{
	for (size_t g = 0; g < tally->group_count; g++) {
		const struct info_group *group = &tally->groups[g];

		for (size_t code = 0; code < INFO_CODES; code++) {
			const struct info_sums *sums = &group->codes[code];
			struct table *table;

			if (!sums->records)
				continue;
			table = info->tables[TALLY];
			if (info->many)
				table_text(table, tr_reader_name(in));
			table_text(table, group->field->name);
			table_text(table, info_code_word(group, code));
			table_count(table, sums->records);
			for (size_t i = 0; i < INFO_SUMS; i++)
				if (group->summed[i])
					table_count(table, sums->totals[i]);
				else
					table_none(table);
		}
	}
}

static void flitinfo_read_input(struct info *info, struct tr_reader *in)
{
	struct info_tally tally;
	struct tr_body_hash *hash;
	struct tr_error err;
	const void *records;
	size_t count;
	enum tr_status status;

	if (tr_body_hash_open(&hash, tr_reader_header(in), &err) != TR_OK) {
		tool_error(info->tool, "%s", err.text);
		return;
	}
	tr_reader_pauses(in)->keep = true;
	tally_begin(&tally, tr_kind_find(tr_reader_header(in)->kind));
	while ((status = tr_next_block(in, &records, &count)) == TR_OK) {
		tally_add(&tally, records, tr_reader_stride(in), count);
		tr_body_hash_add(hash, records, tr_reader_stride(in), count);
	}
	flitinfo_add_stream(info, in, &tally, status == TR_END,
			    tr_body_hash_end(hash, tr_reader_names(in)));
	tr_body_hash_close(hash);
	add_tally(info, in, &tally);
	tr_stream_tables_add(&info->tables[NAMES], info->many ? tr_reader_name(in) : NULL,
			     tr_reader_names(in), tr_reader_provenance(in), info->names);
}

// Prints the tables that have rows, and tables of names that were asked for even without.
static void flitinfo_print(struct info *info, bool any)
{
	struct table *shown[TABLES];
	struct tr_error err;
	size_t count = 0;

	for (int i = 0; i < TABLES; i++)
		if (table_rows(info->tables[i]) ||
		    (info->style.json && i != NAMES + TR_TABLE_FLOWS &&
		     i != NAMES + TR_TABLE_LINKS))
			shown[count++] = info->tables[i];
	if (any && tables_print(shown, count, info->style, "flitinfo", tool_stdout(info->tool),
				&err) != TR_OK)
		tool_error(info->tool, "%s", err.text);
	for (int i = 0; i < TABLES; i++)
		table_free(info->tables[i]);
}

int main(int argc, char **argv)
{
	struct info info = {.names = false};
	const struct opt opts[] = {
		OPT_FLAG(0, "names", &info.names, "also list flows and links"),
		TABLE_OPTIONS(&info.style),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitinfo",
		"[--names] [--json] [file ...]",
		"Shows the contents and history of trace streams and checks that they are "
		"complete.",
		opts,
	};
	struct tr_reader *in;
	bool any = false;

	info.tool = tool_start(argc, argv, &spec);
	tool_watch_times(info.tool, &info.style);
	info.many = tool_operand_count(info.tool) > 1;
	tables_make(&info);
	while (tool_next_input(info.tool, &in) == TR_OK) {
		flitinfo_read_input(&info, in);
		any = true;
	}
	flitinfo_print(&info, any);
	return tool_finish(info.tool, TOOL_OK);
}
