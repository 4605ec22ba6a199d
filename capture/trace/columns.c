// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/columns_form.h"
#include "trace/lines.h"
#include "trace/names.h"
#include "trace/name_index.h"
#include "trace/ticks.h"
#include "trace/words.h"

#define EPOCH_S_MIN INT64_C(100000000) // times from here on count from 1970, smaller ones from the start of a measurement

enum column_field { COLUMN_TIME, COLUMN_SRC, COLUMN_DST, COLUMN_BYTES, COLUMN_WIRE, COLUMN_CLASS };

static const char *const column_words[] = {"time", "src", "dst", "bytes", "wire", "class", NULL};

struct tr_columns {
	struct column_form form;
	struct tr_lines lines;
	struct tr_header header;
	struct tr_names names;
	struct tr_name_index index;
	struct tr_name fresh[2]; // names that the packet needs, not yet returned
	unsigned fresh_count, fresh_given;
	char *cells[TR_COLUMNS_MAX];
	size_t cell_count;
	union tr_record record;
	uint64_t packets;
	bool round, held; // held: record was read but not yet returned
};

// The cell of a field; NULL if the line has fewer.
static const char *cell_of(const struct tr_columns *columns, enum column_field field)
{
	const size_t place = columns->form.columns[field].place;

	return place < columns->cell_count ? columns->cells[place] : NULL;
}

// The time of the line in seconds.
static enum tr_status parse_time(const struct tr_columns *columns, struct num_ratio *seconds, struct tr_error *err)
{
	const struct num_ratio unit = columns->form.unit_s;
	const char *text = cell_of(columns, COLUMN_TIME);
	struct num_ratio number;

	if (!text)
		return tr_fail(err, "no time: the line has %zu columns", columns->cell_count);
	if (num_parse(text, unit.den == 1 ? NUM_TIME : NUM_PLAIN, &number, err) != TR_OK)
		return TR_ERROR;
	if (!num_ratio_make((__int128)number.num * unit.num, (__int128)number.den * unit.den, seconds))
		return tr_fail(err, "'%.60s' does not fit", text);
	return TR_OK;
}

static enum tr_status set_time(struct tr_columns *columns, struct tr_error *err)
{
	struct num_ratio seconds;
	struct num_ratio since;

	if (parse_time(columns, &seconds, err) != TR_OK)
		return TR_ERROR;
	if (columns->packets == 0 && seconds.num / seconds.den >= EPOCH_S_MIN)
		columns->header.origin_s = seconds.num / seconds.den;
	if (!num_ratio_make((__int128)seconds.num - (__int128)columns->header.origin_s * seconds.den, seconds.den, &since))
		return tr_fail(err, "the time is out of range");
	if (columns->round)
		return tr_ticks_round(since, TR_COLUMNS_TICKS_PER_S, &columns->record.time_ticks, err);
	if (tr_ticks_exact(since, TR_COLUMNS_TICKS_PER_S, &columns->record.time_ticks, err) == TR_OK)
		return TR_OK;
	return tr_fail(err, "'%.60s' is not a whole number of nanoseconds, or does not fit (--round takes the nearest)",
		       cell_of(columns, COLUMN_TIME));
}

static enum tr_status set_node(struct tr_columns *columns, enum column_field field, uint32_t *node, struct tr_error *err)
{
	const char *text = cell_of(columns, field);
	struct tr_name name = {.kind = TR_NAME_NODE, .id = columns->names.node_count};

	*node = TR_NODE_OTHER;
	if (!columns->form.columns[field].wanted)
		return TR_OK;
	if (!text || !*text)
		return tr_fail(err, "no %s", column_words[field]);
	name.text = text;
	name.text_bytes = strlen(text);
	if (name.text_bytes > TR_NAME_TEXT_MAX)
		return tr_fail(err, "a %s of more than %u bytes", column_words[field], TR_NAME_TEXT_MAX);
	*node = tr_name_index_find(&columns->index, &name);
	if (*node != TR_ID_NONE)
		return TR_OK;
	*node = TR_NODE_OTHER;
	if (tr_name_check(&name, err) != TR_OK)
		return TR_ERROR;
	if (columns->names.node_count >= columns->names.limits.nodes)
		return TR_OK;
	if (tr_names_set(&columns->names, &name, err) != TR_OK || tr_name_index_add(&columns->index, &name, err) != TR_OK)
		return TR_ERROR;
	*node = name.id;
	name.text = columns->names.nodes[name.id].address;
	columns->fresh[columns->fresh_count++] = name;
	return TR_OK;
}

static enum tr_status set_size(const struct tr_columns *columns, enum column_field field, uint32_t *bytes, struct tr_error *err)
{
	const char *text = cell_of(columns, field);
	uint64_t count;

	if (!columns->form.columns[field].wanted)
		return TR_OK;
	if (!text)
		return tr_fail(err, "no %s: the line has %zu columns", column_words[field], columns->cell_count);
	if (num_parse_count(text, 0, UINT32_MAX, &count, err) != TR_OK)
		return TR_ERROR;
	*bytes = (uint32_t)count;
	return TR_OK;
}

static enum tr_status set_class(struct tr_columns *columns, struct tr_error *err)
{
	const char *text = cell_of(columns, COLUMN_CLASS);
	int64_t code;

	if (!columns->form.columns[COLUMN_CLASS].wanted)
		return TR_OK;
	if (!text || !tr_word_find(TR_CLASS_CODE, text, &code))
		return tr_fail(err, "'%.40s' is not a class: expected none, data or overhead", text ? text : "");
	columns->record.packet.class = (uint8_t)code;
	return TR_OK;
}

static enum tr_status take_cells(struct tr_columns *columns, struct tr_error *err)
{
	struct tr_packet *packet = &columns->record.packet;

	*packet = (struct tr_packet){.id = columns->packets, .flow = TR_FLOW_NONE};
	columns->fresh_count = columns->fresh_given = 0;
	if (set_time(columns, err) != TR_OK || set_node(columns, COLUMN_SRC, &packet->src, err) != TR_OK ||
	    set_node(columns, COLUMN_DST, &packet->dst, err) != TR_OK ||
	    set_size(columns, COLUMN_BYTES, &packet->payload_bytes, err) != TR_OK)
		return TR_ERROR;
	packet->wire_bytes = packet->payload_bytes;
	if (set_size(columns, COLUMN_WIRE, &packet->wire_bytes, err) != TR_OK || set_class(columns, err) != TR_OK)
		return TR_ERROR;
	columns->packets++;
	columns->held = true;
	return TR_OK;
}

// The cells of the next line that is neither empty nor a comment.
static enum tr_status next_cells(struct tr_columns *columns, struct tr_error *err)
{
	struct tr_error why;
	enum tr_status status;
	char *line;

	do
		status = tr_lines_next(&columns->lines, &line, err);
	while (status == TR_OK && (line[strspn(line, " \t")] == '\0' || *line == '#'));
	if (status != TR_OK)
		return status;
	column_form_separate(&columns->form, line);
	if (column_form_split(&columns->form, line, columns->cells, TR_COLUMNS_MAX, &columns->cell_count, &why) != TR_OK)
		return tr_lines_fail(&columns->lines, err, "%s", why.text);
	return TR_OK;
}

static enum tr_status next_packet(struct tr_columns *columns, struct tr_error *err)
{
	struct tr_error why;
	const enum tr_status status = next_cells(columns, err);

	if (status == TR_OK && take_cells(columns, &why) != TR_OK)
		return tr_lines_fail(&columns->lines, err, "%s", why.text);
	return status;
}

// Whether the cell begins like a number, which a heading does not, so that a first line with an unreadable time (a date,
// a decimal comma) is an error and not skipped as a heading.
static bool begins_as_number(const char *cell)
{
	cell += *cell == '+' || *cell == '-';
	cell += *cell == '.';
	return *cell >= '0' && *cell <= '9';
}

// Reads the line of names, if any, and the first packet.
static enum tr_status begin(struct tr_columns *columns, struct tr_error *err)
{
	struct tr_error why;
	enum tr_status status = next_cells(columns, err);

	if (status == TR_END)
		return tr_fail(err, "%s: empty input; expected a table of packets", tr_source_name(columns->lines.source));
	if (status != TR_OK)
		return TR_ERROR;
	if (columns->form.named && column_form_head(&columns->form, columns->cells, columns->cell_count, &why) != TR_OK)
		return tr_lines_fail(&columns->lines, err, "%s", why.text);
	if (columns->form.named || (cell_of(columns, COLUMN_TIME) && !begins_as_number(cell_of(columns, COLUMN_TIME))))
		return next_packet(columns, err) == TR_ERROR ? TR_ERROR : TR_OK;
	return take_cells(columns, &why) == TR_OK ? TR_OK : tr_lines_fail(&columns->lines, err, "%s", why.text);
}

enum tr_status tr_columns_open(struct tr_columns **out, struct tr_source *source, const char *description, bool round,
			       struct tr_error *err)
{
	struct tr_columns *columns = calloc(1, sizeof(*columns));
	struct tr_error why;

	*out = NULL;
	if (!columns)
		return tr_no_memory(err, "the columns");
	columns->header = (struct tr_header){.kind = TR_PACKET, .ticks_per_s = TR_COLUMNS_TICKS_PER_S};
	columns->lines.source = source;
	columns->index.names = &columns->names;
	columns->names.limits.nodes = TR_COLUMNS_NODES_MAX;
	columns->round = round;
	if (column_form_parse(&columns->form, column_words, description, &why) != TR_OK)
		(void)tr_fail(err, "--columns: %s", why.text);
	else if (!columns->form.columns[COLUMN_TIME].wanted || !columns->form.columns[COLUMN_SRC].wanted)
		(void)tr_fail(err, "--columns: expected at least a time and a source: time,src,...");
	else if (begin(columns, err) == TR_OK)
		*out = columns;
	if (!*out)
		tr_columns_close(columns);
	return *out ? TR_OK : TR_ERROR;
}

const struct tr_header *tr_columns_header(const struct tr_columns *columns)
{
	return &columns->header;
}

enum tr_status tr_columns_next(struct tr_columns *columns, struct tr_text_item *item, struct tr_error *err)
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

uint64_t tr_columns_line(const struct tr_columns *columns)
{
	return columns->lines.number;
}

void tr_columns_close(struct tr_columns *columns)
{
	if (!columns)
		return;
	tr_lines_clear(&columns->lines);
	tr_name_index_clear(&columns->index);
	tr_names_clear(&columns->names);
	free(columns);
}
