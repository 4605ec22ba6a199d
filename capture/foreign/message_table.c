// SPDX-License-Identifier: GPL-3.0-or-later
// Messages from a table of text: one a line, whole, with the names of its ends. Flows that nfdump
// prints as CSV are such a table.
#include "foreign/foreign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/column_cell.h"
#include "stream/column_table.h"
#include "stream/name_index.h"
#include "stream/names.h"
#include "value/grow.h"

#define TICKS_PER_S 1000000000
#define NODES_MAX 65536u

enum field { FIELD_TIME, FIELD_END, FIELD_DURATION, FIELD_SRC, FIELD_DST, FIELD_BYTES, FIELD_TAG };

const struct opt_choice message_table_words[] = {
	{"time", 0, "time at which a message begins; time=NAME:UNIT for other units than s"},
	{"end", 0, "time at which it ends"},
	{"duration", 0, "time that it takes, in the place of its end"},
	{"src", 0, "sender"},
	{"dst", 0, "receiver"},
	{"bytes", 0, "size"},
	{"tag", 0, "tag"},
	{NULL, 0},
};

struct message_table_row {
	int64_t begin_ns, end_ns;
	uint64_t bytes;
	uint32_t src, dst; // names
	int32_t tag;
	size_t order; // in the table
};

struct message_table {
	struct column_table text;
	struct tr_names names;
	struct tr_name_index index;
	struct message_table_row *rows;
	size_t count, capacity;
};

// ---- cells

static enum tr_status message_table_take_time(const struct message_table *table, const char *text,
					      int64_t *ns, struct tr_error *err)
{
	return column_cell_time(&table->text.form, text, true, ns, err);
}

static enum tr_status message_table_take_node(struct message_table *table, enum field field,
					      uint32_t *node, struct tr_error *err)
{
	struct tr_name name = {.kind = TR_NAME_NODE, .id = table->names.node_count};

	if (column_table_cell(&table->text, field, &name.text, err) != TR_OK)
		return TR_ERROR;
	name.text_bytes = strlen(name.text);
	if (name.text_bytes == 0 || name.text_bytes > TR_NAME_TEXT_MAX)
		return tr_fail(err, "expected a %s of up to %u bytes, found %zu",
			       message_table_words[field].word, TR_NAME_TEXT_MAX, name.text_bytes);
	*node = tr_name_index_find(&table->index, &name);
	if (*node != TR_ID_NONE)
		return TR_OK;
	if (name.id >= NODES_MAX)
		return tr_fail(err, "more than %u different nodes", NODES_MAX);
	*node = name.id;
	if (tr_name_check(&name, err) != TR_OK || tr_names_set(&table->names, &name, err) != TR_OK)
		return TR_ERROR;
	return tr_name_index_add(&table->index, &name, err);
}

static enum tr_status take_bytes(const struct message_table *table, uint64_t *bytes,
				 struct tr_error *err)
{
	const char *cell;

	if (column_table_cell(&table->text, FIELD_BYTES, &cell, err) != TR_OK)
		return TR_ERROR;
	return column_cell_count(&table->text.form, cell, INT64_MAX / 2, bytes, err);
}

static enum tr_status message_table_take_end(const struct message_table *table,
					     struct message_table_row *row, struct tr_error *err)
{
	const char *end, *duration;
	int64_t ns;

	row->end_ns = row->begin_ns;
	if (column_table_cell(&table->text, FIELD_END, &end, err) != TR_OK ||
	    column_table_cell(&table->text, FIELD_DURATION, &duration, err) != TR_OK)
		return TR_ERROR;
	if (end)
		return message_table_take_time(table, end, &row->end_ns, err);
	if (!duration)
		return TR_OK;
	if (message_table_take_time(table, duration, &ns, err) != TR_OK)
		return TR_ERROR;
	return __builtin_add_overflow(row->begin_ns, ns, &row->end_ns)
		       ? tr_fail(err, "a time beyond the year 2262")
		       : TR_OK;
}

static enum tr_status take_row(struct message_table *table, struct tr_error *err)
{
	struct message_table_row row = {.order = table->count};
	const char *cell;
	int64_t tag = 0;

	if (column_table_cell(&table->text, FIELD_TIME, &cell, err) != TR_OK ||
	    message_table_take_time(table, cell, &row.begin_ns, err) != TR_OK ||
	    message_table_take_end(table, &row, err) != TR_OK ||
	    message_table_take_node(table, FIELD_SRC, &row.src, err) != TR_OK ||
	    message_table_take_node(table, FIELD_DST, &row.dst, err) != TR_OK ||
	    take_bytes(table, &row.bytes, err) != TR_OK ||
	    column_table_cell(&table->text, FIELD_TAG, &cell, err) != TR_OK)
		return TR_ERROR;
	if (cell && num_parse_signed(cell, INT32_MIN + 1, INT32_MAX, &tag, NULL) != TR_OK)
		return tr_fail(err, "expected a tag, found \"%.40s\"", cell);
	row.tag = (int32_t)tag;
	if (!GROW(table->rows, table->capacity, table->count))
		return tr_no_memory(err, "%zu messages", table->count);
	table->rows[table->count++] = row;
	return TR_OK;
}

// ---- lines

// Two descriptions of nfdump's flows, by what its first line is in versions 1.6 and 1.7.
static const char *const nfdump_columns[] = {
	"time=ts,end=te,src=sa,dst=da,bytes=ibyt,sep=comma",
	"time=firstSeen,duration=duration,src=srcAddr,dst=dstAddr,bytes=bytes,sep=comma",
	NULL,
};

static const char *nfdump_description(struct tr_source *source)
{
	return tr_source_begins(source, "ts,te,", 6)	    ? nfdump_columns[0]
	       : tr_source_begins(source, "firstSeen,", 10) ? nfdump_columns[1]
							    : NULL;
}

// Prepares the reading of the table's source by a description of its columns; NULL: nfdump's.
static enum tr_status message_table_begin(struct message_table *table, const char *columns,
					  struct tr_error *err)
{
	const struct column_choice *fields = table->text.form.columns;
	struct tr_source *source = table->text.lines.source;

	if (!columns) {
		table->text.uneven = true;
		table->text.end = "Summary";
		columns = nfdump_description(source);
		if (!columns)
			return tr_fail(err,
				       "%s:1: expected the names of nfdump's columns, ts,te,... or "
				       "firstSeen,...",
				       tr_source_name(source));
	}
	if (column_form_parse(&table->text.form, message_table_words, columns, err) != TR_OK)
		return tr_fail_in(err, "--columns");
	if (fields[FIELD_TIME].wanted && fields[FIELD_SRC].wanted && fields[FIELD_DST].wanted &&
	    fields[FIELD_BYTES].wanted)
		return TR_OK;
	return tr_fail(err, "--columns: expected at least time, src, dst and bytes");
}

static enum tr_status read_lines(struct message_table *table, const char *columns,
				 struct tr_error *err)
{
	enum tr_status status = message_table_begin(table, columns, err);
	struct tr_error why;

	while (status == TR_OK && (status = column_table_next(&table->text, err)) == TR_OK)
		if (take_row(table, &why) != TR_OK)
			return tr_fail_for(err, &why, "%s:%" PRIu64 ": %s",
					   tr_source_name(table->text.lines.source),
					   table->text.lines.number, why.text);
	return status == TR_END ? TR_OK : status;
}

// ---- events

// Names that are all whole numbers are ranks. TR_OK: *ranks of them, numbers has the rank of each
// name; TR_END: they are not.
static enum tr_status number_names(const struct message_table *table, uint32_t *numbers,
				   uint32_t *ranks)
{
	uint64_t number;

	*ranks = 0;
	for (uint32_t i = 0; i < table->names.node_count; i++) {
		if (num_parse_count(tr_names_node(&table->names, i), 0, EVENTS_RANKS_MAX - 1,
				    &number, NULL) != TR_OK)
			return TR_END;
		numbers[i] = (uint32_t)number;
		*ranks = number >= *ranks ? (uint32_t)number + 1 : *ranks;
	}
	return TR_OK;
}

static int message_table_in_time(const void *a, const void *b)
{
	const struct message_table_row *x = a, *y = b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static enum tr_status message_table_add_rows(const struct message_table *table,
					     const uint32_t *numbers, struct events *events,
					     struct tr_error *err)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct message_table_row *row = &table->rows[i];
		const struct event event = {.kind = EVENT_MESSAGE,
					    .begin_ticks = row->begin_ns,
					    .end_ticks = row->end_ns,
					    .bytes = row->bytes,
					    .peer = numbers[row->dst],
					    .tag = row->tag};

		if (events_add(events, numbers[row->src], &event, 0, err) != TR_OK)
			return TR_ERROR;
	}
	events_rebase(events);
	return events_finish(events, err);
}

static enum tr_status make_events(const struct message_table *table, struct events *events,
				  struct tr_error *err)
{
	uint32_t ranks = table->names.node_count;
	uint32_t *numbers = reallocarray(NULL, (size_t)ranks + 1, sizeof(*numbers));
	enum tr_status status = numbers ? number_names(table, numbers, &ranks)
					: tr_no_memory(err, "names");
	bool named = status == TR_END;

	for (uint32_t i = 0; named && i < table->names.node_count; i++)
		numbers[i] = i;
	if (named)
		ranks = table->names.node_count;
	if (numbers)
		status = events_open(events, ranks, TICKS_PER_S, err);
	for (uint32_t i = 0; named && status == TR_OK && i < ranks; i++)
		status = events_name(events, i, tr_names_node(&table->names, i), err);
	if (status == TR_OK) {
		if (table->count > 0)
			qsort(table->rows, table->count, sizeof(*table->rows),
			      message_table_in_time);
		status = message_table_add_rows(table, numbers, events, err);
	}
	free(numbers);
	return status;
}

static enum tr_status message_table_read_tables(const struct foreign_input *input,
						const char *columns, struct events *events,
						struct tr_error *err)
{
	struct message_table *table = calloc(1, sizeof(*table));
	enum tr_status status = table ? TR_OK : tr_no_memory(err, "a table");

	memset(events, 0, sizeof(*events));
	if (!table)
		return status;
	table->index.names = &table->names;
	table->names.limits.nodes = NODES_MAX;
	for (size_t i = 0; status == TR_OK && i < input->count; i++) {
		struct tr_source *source;

		status = input->open(input->context, NULL, input->paths[i], &source, err);
		if (status != TR_OK)
			break;
		table->text = (struct column_table){.lines.source = source};
		status = read_lines(table, columns, err);
		if (status == TR_OK && i + 1 == input->count)
			status = make_events(table, events, err);
		if (status == TR_OK && *table->text.note && columns)
			input->tell(input->context, tr_source_name(source), table->text.note);
		column_table_clear(&table->text);
		tr_source_close(source);
	}
	tr_name_index_clear(&table->index);
	tr_names_clear(&table->names);
	free(table->rows);
	free(table);
	return status;
}

static enum tr_status read_csv(const struct foreign_input *input, struct events *events,
			       struct tr_error *err)
{
	memset(events, 0, sizeof(*events));
	if (!input->columns)
		return tr_fail(err, "a table needs a description of its columns: --columns "
				    "time=...,src=...,dst=...,bytes=...");
	return message_table_read_tables(input, input->columns, events, err);
}

static enum tr_status read_nfdump(const struct foreign_input *input, struct events *events,
				  struct tr_error *err)
{
	return message_table_read_tables(input, NULL, events, err);
}

static bool claims_nfdump(struct tr_source *source)
{
	return tr_source_begins(source, "ts,te,td,", 9) ||
	       tr_source_begins(source, "firstSeen,", 10);
}

const struct foreign_format foreign_csv = {"csv", "tables of messages, one a line, with --columns",
					   NULL, read_csv};
const struct foreign_format foreign_nfdump = {
	"nfdump", "flows of NetFlow or IPFIX, as nfdump -o csv prints them", claims_nfdump,
	read_nfdump};
