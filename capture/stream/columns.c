// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/column_cell.h"
#include "stream/column_table.h"
#include "stream/name_index.h"
#include "stream/names.h"
#include "stream/words.h"
#include "value/ticks.h"

#define EPOCH_S_MIN \
	INT64_C(100000000) // times from here on count from 1970, smaller ones from the start of a
			   // measurement

enum column_field { COLUMN_TIME, COLUMN_SRC, COLUMN_DST, COLUMN_BYTES, COLUMN_WIRE, COLUMN_CLASS };

const struct opt_choice tr_columns_words[] = {
	{"time", 0, "time of the packet; time=NAME:UNIT for other units than s"},
	{"src", 0, "sender"},
	{"dst", 0, "receiver"},
	{"bytes", 0, "payload"},
	{"wire", 0, "bytes on the wire"},
	{"class", 0, "none, data or overhead"},
	{NULL, 0},
};

struct tr_columns {
	struct column_table table;
	struct tr_header header;
	struct tr_names names;
	struct tr_name_index index;
	struct tr_name fresh[2]; // names that the packet needs, not yet returned
	unsigned fresh_count, fresh_given;
	union tr_record record;
	uint64_t packets;
	bool round, held; // held: record was read but not yet returned
};

static enum tr_status set_time(struct tr_columns *columns, struct tr_error *err)
{
	const char *cell;
	int64_t ns;

	if (column_table_cell(&columns->table, COLUMN_TIME, &cell, err) != TR_OK ||
	    column_cell_time(&columns->table.form, cell, columns->round, &ns, err) != TR_OK)
		return TR_ERROR;
	if (columns->packets == 0 && ns / TR_NS_PER_S >= EPOCH_S_MIN)
		columns->header.origin_s = ns / TR_NS_PER_S;
	if (__builtin_sub_overflow(ns, columns->header.origin_s * TR_NS_PER_S,
				   &columns->record.time_ticks))
		return tr_fail(err, "the time is out of range");
	return TR_OK;
}

static bool has_nodes(const struct tr_columns *columns)
{
	const struct column_form *form = &columns->table.form;

	return form->columns[COLUMN_SRC].wanted || form->columns[COLUMN_DST].wanted;
}

// The node of a column; one that the table lacks is unknown, or, where it has neither, a node of
// this name.
static enum tr_status columns_set_node(struct tr_columns *columns, enum column_field field,
				       const char *lacking, uint32_t *node, struct tr_error *err)
{
	const char *text;
	struct tr_name name = {.kind = TR_NAME_NODE, .id = columns->names.node_count};

	*node = TR_NODE_OTHER;
	if (column_table_cell(&columns->table, field, &text, err) != TR_OK)
		return TR_ERROR;
	if (!text && has_nodes(columns))
		return TR_OK;
	if (!text)
		text = lacking;
	if (!*text)
		return tr_fail(err, "no %s", tr_columns_words[field].word);
	name.text = text;
	name.text_bytes = strlen(text);
	if (name.text_bytes > TR_NAME_TEXT_MAX)
		return tr_fail(err, "a %s of more than %u bytes", tr_columns_words[field].word,
			       TR_NAME_TEXT_MAX);
	*node = tr_name_index_find(&columns->index, &name);
	if (*node != TR_ID_NONE)
		return TR_OK;
	*node = TR_NODE_OTHER;
	if (tr_name_check(&name, err) != TR_OK)
		return TR_ERROR;
	if (columns->names.node_count >= columns->names.limits.nodes)
		return TR_OK;
	if (tr_names_set(&columns->names, &name, err) != TR_OK ||
	    tr_name_index_add(&columns->index, &name, err) != TR_OK)
		return TR_ERROR;
	*node = name.id;
	name.text = tr_names_node(&columns->names, name.id);
	columns->fresh[columns->fresh_count++] = name;
	return TR_OK;
}

static enum tr_status set_size(const struct tr_columns *columns, enum column_field field,
			       uint32_t *bytes, struct tr_error *err)
{
	const char *text;
	uint64_t count;

	if (column_table_cell(&columns->table, field, &text, err) != TR_OK)
		return TR_ERROR;
	if (!text)
		return TR_OK;
	if (column_cell_count(&columns->table.form, text, UINT32_MAX, &count, err) != TR_OK)
		return TR_ERROR;
	*bytes = (uint32_t)count;
	return TR_OK;
}

static enum tr_status set_class(struct tr_columns *columns, struct tr_error *err)
{
	const char *text;
	int64_t code;

	if (column_table_cell(&columns->table, COLUMN_CLASS, &text, err) != TR_OK)
		return TR_ERROR;
	if (!text)
		return TR_OK;
	if (!tr_word_find(TR_CLASS_CODE, text, &code))
		return tr_fail(err, "'%.40s' is not a class: expected none, data or overhead",
			       text);
	columns->record.packet.class = (uint8_t)code;
	return TR_OK;
}

static enum tr_status take_cells(struct tr_columns *columns, struct tr_error *err)
{
	struct tr_packet *packet = &columns->record.packet;

	*packet = (struct tr_packet){.id = columns->packets, .flow = TR_FLOW_NONE};
	columns->fresh_count = columns->fresh_given = 0;
	if (set_time(columns, err) != TR_OK ||
	    columns_set_node(columns, COLUMN_SRC, "sender", &packet->src, err) != TR_OK ||
	    columns_set_node(columns, COLUMN_DST, "receiver", &packet->dst, err) != TR_OK ||
	    set_size(columns, COLUMN_BYTES, &packet->payload_bytes, err) != TR_OK)
		return TR_ERROR;
	packet->wire_bytes = packet->payload_bytes;
	if (set_size(columns, COLUMN_WIRE, &packet->wire_bytes, err) != TR_OK ||
	    set_class(columns, err) != TR_OK)
		return TR_ERROR;
	columns->packets++;
	columns->held = true;
	return TR_OK;
}

static enum tr_status next_packet(struct tr_columns *columns, struct tr_error *err)
{
	struct tr_error why;
	const enum tr_status status = column_table_next(&columns->table, err);

	if (status == TR_OK && take_cells(columns, &why) != TR_OK)
		return tr_lines_fail(&columns->table.lines, err, "%s", why.text);
	return status;
}

enum tr_status tr_columns_open(struct tr_columns **out, struct tr_source *source,
			       const char *description, bool round, struct tr_error *err)
{
	struct tr_columns *columns = calloc(1, sizeof(*columns));
	enum tr_status status;

	*out = NULL;
	if (!columns)
		return tr_no_memory(err, "the columns");
	columns->header = (struct tr_header){.kind = TR_PACKET,
					     .ticks_per_s = TR_COLUMNS_TICKS_PER_S};
	columns->table.lines.source = source;
	columns->index.names = &columns->names;
	columns->names.limits.nodes = TR_NODES_MAX; // further ones are "other"
	columns->round = round;
	if (column_form_parse(&columns->table.form, tr_columns_words, description, err) != TR_OK)
		(void)tr_fail_in(err, "--columns");
	else if (!columns->table.form.columns[COLUMN_TIME].wanted)
		(void)tr_fail(err, "--columns: expected at least a time: time,src,dst,bytes");
	else if (columns->table.form.columns[COLUMN_DST].wanted &&
		 !columns->table.form.columns[COLUMN_SRC].wanted)
		(void)tr_fail(err,
			      "--columns: expected a source beside the destination: time,src,dst");
	else if ((status = next_packet(columns, err)) == TR_END && columns->table.lines.number == 0)
		(void)tr_fail(err, "%s: empty input; expected a table of packets",
			      tr_source_name(source));
	else if (status != TR_ERROR)
		*out = columns;
	if (!*out)
		tr_columns_close(columns);
	return *out ? TR_OK : TR_ERROR;
}

const struct tr_header *tr_columns_header(const struct tr_columns *columns)
{
	return &columns->header;
}

const char *tr_columns_note(const struct tr_columns *columns)
{
	return columns->table.note;
}

enum tr_status tr_columns_next(struct tr_columns *columns, struct tr_text_item *item,
			       struct tr_error *err)
{
	enum tr_status status = columns->held ? TR_OK : next_packet(columns, err);

	*item = (struct tr_text_item){NULL, NULL};
	if (status != TR_OK)
		return status;
	if (columns->fresh_given < columns->fresh_count) {
		item->name = &columns->fresh[columns->fresh_given++];
		return TR_OK;
	}
	columns->held = false;
	item->record = &columns->record;
	return TR_OK;
}

bool tr_columns_has_nodes(const struct tr_columns *columns)
{
	return has_nodes(columns);
}

uint64_t tr_columns_line(const struct tr_columns *columns)
{
	return columns->table.lines.number;
}

void tr_columns_close(struct tr_columns *columns)
{
	if (!columns)
		return;
	column_table_clear(&columns->table);
	tr_name_index_clear(&columns->index);
	tr_names_clear(&columns->names);
	free(columns);
}
