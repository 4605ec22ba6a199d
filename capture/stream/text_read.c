// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/lines.h"
#include "stream/names.h"
#include "stream/provenance.h"
#include "stream/words.h"
#include "value/num.h"
#include "value/ticks.h"

struct tr_text_reader {
	struct tr_lines lines;
	struct tr_header header;
	struct tr_field_context context;
	struct tr_names names;
	struct tr_name_index index;
	struct tr_provenance provenance;
	const struct tr_field *fields[TR_TEXT_FIELDS_MAX];
	size_t field_count;
	struct tr_trailer trailer;
	bool ended;
	char *held; // the line after the header lines; NULL: taken
	struct tr_name name;
	union tr_record record;
};

// The parts of a line between tabs.
struct text_read_parts {
	char *part[TR_TEXT_FIELDS_MAX + 1];
	size_t count;
};

// Splits line at its tabs, at most at the first max - 1; false if there are more parts than fit.
static bool text_read_split(char *line, size_t max, struct text_read_parts *parts)
{
	parts->count = 0;
	for (;;) {
		char *tab = strchr(line, '\t');

		parts->part[parts->count++] = line;
		if (!tab || parts->count == max)
			return !tab;
		*tab = '\0';
		line = tab + 1;
	}
}

static enum tr_status parse_u32(const char *text, uint32_t *out, struct tr_error *err)
{
	uint64_t value = 0;
	enum tr_status status = num_parse_count(text, 0, UINT32_MAX, &value, err);

	*out = (uint32_t)value;
	return status;
}

// Begins reader->name.
static void name_text(struct tr_text_reader *reader, enum tr_name_kind kind, const char *text)
{
	reader->name = (struct tr_name){.kind = kind, .text = text, .text_bytes = strlen(text)};
}

// ---- the first lines

static enum tr_status take_kind(struct tr_text_reader *reader, const struct text_read_parts *parts,
				struct tr_error *err)
{
	for (unsigned kind = 1; tr_kind_find(kind); kind++)
		if (!strcmp(tr_kind_find(kind)->name, parts->part[1])) {
			reader->header.kind = kind;
			reader->context.kind = tr_kind_find(kind);
			return TR_OK;
		}
	return tr_fail(err, "unknown kind of records '%.60s'", parts->part[1]);
}

static enum tr_status take_ticks(struct tr_text_reader *reader, const struct text_read_parts *parts,
				 struct tr_error *err)
{
	enum tr_status status = num_parse_count(parts->part[1], 1, TR_TICKS_PER_S_MAX,
						&reader->header.ticks_per_s, err);

	reader->context.ticks_per_s = reader->header.ticks_per_s;
	return status;
}

static enum tr_status take_origin(struct tr_text_reader *reader,
				  const struct text_read_parts *parts, struct tr_error *err)
{
	uint64_t ns = 0;

	if (num_parse_signed(parts->part[1], INT64_MIN, INT64_MAX, &reader->header.origin_s, err) !=
		    TR_OK ||
	    num_parse_count(parts->part[2], 0, 999999999, &ns, err) != TR_OK)
		return TR_ERROR;
	reader->header.origin_ns = (uint32_t)ns;
	return TR_OK;
}

static enum tr_status take_unsorted(struct tr_text_reader *reader,
				    const struct text_read_parts *parts, struct tr_error *err)
{
	(void)parts;
	(void)err;
	reader->header.unsorted = true;
	return TR_OK;
}

static enum tr_status take_made(struct tr_text_reader *reader, const struct text_read_parts *parts,
				struct tr_error *err)
{
	name_text(reader, TR_NAME_NOTE, parts->part[1]);
	if (reader->name.text_bytes <= TR_NOTE_TEXT_MAX &&
	    tr_name_check(&reader->name, err) != TR_OK)
		return TR_ERROR;
	tr_provenance_nest(&reader->provenance, 0, parts->part[1]);
	return reader->provenance.failed ? tr_no_memory(err, "the provenance") : TR_OK;
}

// ---- names

// Enters reader->name, which is complete.
static enum tr_status text_read_enter(struct tr_text_reader *reader, struct tr_error *err)
{
	if (tr_name_check(&reader->name, err) != TR_OK ||
	    tr_names_set(&reader->names, &reader->name, err) != TR_OK)
		return TR_ERROR;
	if (reader->name.kind == TR_NAME_COUNTER || reader->name.kind == TR_NAME_NOTE)
		return TR_OK;
	return tr_name_index_add(&reader->index, &reader->name, err);
}

static enum tr_status text_read_parse_role(const char *text, uint8_t *role, struct tr_error *err)
{
	uint64_t number = 0;

	for (unsigned known = 0; known <= TR_ROLE_WORKER; known++)
		if (!strcmp(text, tr_role_name((enum tr_role)known))) {
			*role = (uint8_t)known;
			return TR_OK;
		}
	if (num_parse_count(text, 0, UINT8_MAX, &number, err) != TR_OK)
		return tr_fail(err, "unknown role '%.60s'", text);
	*role = (uint8_t)number;
	return TR_OK;
}

static enum tr_status text_read_take_node(struct tr_text_reader *reader,
					  const struct text_read_parts *parts, struct tr_error *err)
{
	name_text(reader, TR_NAME_NODE, parts->part[3]);
	if (parse_u32(parts->part[1], &reader->name.id, err) != TR_OK ||
	    text_read_parse_role(parts->part[2], &reader->name.role, err) != TR_OK)
		return TR_ERROR;
	return text_read_enter(reader, err);
}

static enum tr_status text_read_take_flow(struct tr_text_reader *reader,
					  const struct text_read_parts *parts, struct tr_error *err)
{
	char *const *part = parts->part;
	uint64_t src_port = 0;
	uint64_t dst_port = 0;

	name_text(reader, TR_NAME_FLOW, "");
	if (parse_u32(part[1], &reader->name.id, err) != TR_OK ||
	    num_parse_count(part[5], 0, UINT32_MAX, &src_port, err) != TR_OK ||
	    num_parse_count(part[6], 0, UINT32_MAX, &dst_port, err) != TR_OK)
		return TR_ERROR;
	if (!tr_node_parse(&reader->index, part[2], &reader->name.src) ||
	    !tr_node_parse(&reader->index, part[3], &reader->name.dst))
		return tr_fail(err, "a flow between nodes without a line before it");
	if (!tr_protocol_parse(part[4], &reader->name.protocol))
		return tr_fail(err, "unknown protocol '%.60s'", part[4]);
	reader->name.src_port = (uint32_t)src_port;
	reader->name.dst_port = (uint32_t)dst_port;
	return text_read_enter(reader, err);
}

static enum tr_status text_read_take_link(struct tr_text_reader *reader,
					  const struct text_read_parts *parts, struct tr_error *err)
{
	name_text(reader, TR_NAME_LINK, parts->part[2]);
	if (parse_u32(parts->part[1], &reader->name.id, err) != TR_OK)
		return TR_ERROR;
	return text_read_enter(reader, err);
}

static enum tr_status text_read_take_counter(struct tr_text_reader *reader,
					     const struct text_read_parts *parts,
					     struct tr_error *err)
{
	name_text(reader, TR_NAME_COUNTER, parts->part[2]);
	if (num_parse_count(parts->part[1], 0, UINT64_MAX, &reader->name.value, err) != TR_OK)
		return TR_ERROR;
	return text_read_enter(reader, err);
}

// Takes a line of a note, restoring its newline.
static enum tr_status text_read_take_note(struct tr_text_reader *reader,
					  const struct text_read_parts *parts, struct tr_error *err)
{
	char *line = parts->part[1];
	size_t length = strlen(line);

	name_text(reader, TR_NAME_NOTE, line);
	line[length] = '\n'; // the line's buffer has room for one more
	reader->name.text_bytes = length + 1;
	return text_read_enter(reader, err);
}

// ---- the rest

static enum tr_status take_fields(struct tr_text_reader *reader,
				  const struct text_read_parts *parts, struct tr_error *err)
{
	reader->field_count = 0;
	for (size_t i = 1; i < parts->count; i++) {
		const struct tr_field *field = tr_field_find(&reader->context, parts->part[i]);

		if (!field)
			return tr_fail(err, "%s records have no field '%.60s'",
				       reader->context.kind->name, parts->part[i]);
		reader->fields[reader->field_count++] = field;
	}
	return TR_OK;
}

static enum tr_status take_lost(struct tr_text_reader *reader, const struct text_read_parts *parts,
				struct tr_error *err)
{
	reader->trailer.lost_known = true;
	return num_parse_count(parts->part[1], 0, UINT64_MAX, &reader->trailer.lost, err);
}

static enum tr_status take_damaged(struct tr_text_reader *reader,
				   const struct text_read_parts *parts, struct tr_error *err)
{
	(void)parts;
	(void)err;
	reader->trailer.damaged = true;
	return TR_OK;
}

static enum tr_status text_read_take_end(struct tr_text_reader *reader,
					 const struct text_read_parts *parts, struct tr_error *err)
{
	uint64_t records = 0;

	reader->ended = true;
	if (num_parse_count(parts->part[1], 0, UINT64_MAX, &records, err) != TR_OK)
		return TR_ERROR;
	if (records != reader->trailer.records)
		return tr_fail(err, "the end counts %" PRIu64 " records, the text had %" PRIu64,
			       records, reader->trailer.records);
	return TR_OK;
}

enum text_read_place { FIRST, NAME, LATER };

static const struct line_type {
	const char *word;
	size_t parts; // including the word; the last one takes the rest of the line. 0: any number
	enum text_read_place place;
	enum tr_status (*take)(struct tr_text_reader *reader, const struct text_read_parts *parts,
			       struct tr_error *err);
} line_types[] = {
	{"!kind", 2, FIRST, take_kind},
	{"!ticks_per_s", 2, FIRST, take_ticks},
	{"!origin", 3, FIRST, take_origin},
	{"!unsorted", 1, FIRST, take_unsorted},
	{"!made", 2, FIRST, take_made},
	{"!node", 4, NAME, text_read_take_node},
	{"!flow", 7, NAME, text_read_take_flow},
	{"!link", 3, NAME, text_read_take_link},
	{"!counter", 3, NAME, text_read_take_counter},
	{"!note", 2, NAME, text_read_take_note},
	{"!fields", 0, LATER, take_fields},
	{"!lost", 2, LATER, take_lost},
	{"!damaged", 1, LATER, take_damaged},
	{"!end", 2, LATER, text_read_take_end},
};

static const struct line_type *text_read_type_of(const char *line)
{
	size_t length = strcspn(line, "\t");

	for (size_t i = 0; i < sizeof(line_types) / sizeof(line_types[0]); i++)
		if (strlen(line_types[i].word) == length &&
		    !memcmp(line_types[i].word, line, length))
			return &line_types[i];
	return NULL;
}

static enum tr_status text_read_take_line(struct tr_text_reader *reader,
					  const struct line_type *type, char *line,
					  struct tr_error *err)
{
	struct text_read_parts parts;
	bool whole = text_read_split(line, type->parts ? type->parts : TR_TEXT_FIELDS_MAX + 1,
				     &parts);

	if (parts.count < type->parts || (!whole && type->parts < 2))
		return tr_fail(err, "%s with %zu values; expected %zu", type->word, parts.count - 1,
			       type->parts ? type->parts - 1 : TR_TEXT_FIELDS_MAX);
	return type->take(reader, &parts, err);
}

// The next line that is neither empty nor a comment.
static enum tr_status text_read_next_line(struct tr_text_reader *reader, char **line,
					  struct tr_error *err)
{
	enum tr_status status = TR_OK;

	*line = reader->held;
	reader->held = NULL;
	while (status == TR_OK && (!*line || !**line || **line == '#'))
		status = tr_lines_next(&reader->lines, line, err);
	return status;
}

static enum tr_status read_first_lines(struct tr_text_reader *reader, struct tr_error *err)
{
	const struct line_type *type;
	struct tr_error why;
	char *line;
	enum tr_status status = tr_lines_next(&reader->lines, &line, err);

	if (status == TR_END)
		return tr_fail(err, "%s: empty input; expected the text form of a trace stream",
			       tr_source_name(reader->lines.source));
	if (status != TR_OK)
		return TR_ERROR;
	if (strcmp(line, TR_TEXT_MAGIC "\t" TR_TEXT_VERSION) != 0)
		return tr_lines_fail(&reader->lines, err,
				     "not the text form of a trace stream, or of another version");
	while ((status = text_read_next_line(reader, &line, err)) == TR_OK) {
		type = text_read_type_of(line);
		if (!type || type->place != FIRST)
			break;
		if (text_read_take_line(reader, type, line, &why) != TR_OK)
			return tr_lines_fail(&reader->lines, err, "%s", why.text);
	}
	if (status == TR_ERROR)
		return TR_ERROR;
	reader->held = status == TR_OK ? line : NULL;
	if (!reader->header.kind || !reader->header.ticks_per_s)
		return tr_lines_fail(&reader->lines, err,
				     "the first lines lack !kind or !ticks_per_s");
	return TR_OK;
}

enum tr_status tr_text_reader_open(struct tr_text_reader **out, struct tr_source *source,
				   struct tr_error *err)
{
	struct tr_text_reader *reader = calloc(1, sizeof(*reader));

	*out = NULL;
	if (!reader)
		return tr_no_memory(err, "the reader");
	reader->lines.source = source;
	reader->index.names = &reader->names;
	reader->context.index = &reader->index;
	if (read_first_lines(reader, err) != TR_OK) {
		tr_text_reader_close(reader);
		return TR_ERROR;
	}
	*out = reader;
	return TR_OK;
}

// Sets the defaults of a record: nobody's, no flow, later times not reached.
static void clear_record(struct tr_text_reader *reader)
{
	const struct tr_kind_info *kind = reader->context.kind;

	memset(&reader->record, 0, sizeof(reader->record));
	for (unsigned i = 0; i < kind->field_count; i++) {
		const struct tr_field *field = &kind->fields[i];

		if (field->meaning == TR_NODE_ID || field->meaning == TR_FLOW_ID ||
		    field->meaning == TR_RANK)
			(void)tr_field_set(&reader->record, field, UINT32_MAX);
		else if (field->meaning == TR_TIME && field->offset_bytes &&
			 kind->kind == TR_DELIVERY)
			(void)tr_field_set(&reader->record, field, -1);
	}
}

static enum tr_status text_read_take_record(struct tr_text_reader *reader, char *line,
					    struct tr_error *err)
{
	struct text_read_parts parts;
	char heading[32];

	if (!reader->field_count)
		return tr_fail(err, "a record before a !fields line");
	if (!text_read_split(line, TR_TEXT_FIELDS_MAX, &parts) || parts.count > reader->field_count)
		return tr_fail(err, "more than %zu fields", reader->field_count);
	if (parts.count < reader->field_count)
		return tr_fail(err, "%zu fields; expected %zu", parts.count, reader->field_count);
	clear_record(reader);
	for (size_t i = 0; i < parts.count; i++)
		if (tr_field_parse(&reader->context, reader->fields[i], parts.part[i],
				   &reader->record, err) != TR_OK)
			return tr_fail_in(err, "%s",
					  tr_field_heading(&reader->context, reader->fields[i],
							   heading, sizeof(heading)));
	reader->trailer.records++;
	return TR_OK;
}

// Takes a line after the first ones, which may be a name or a record.
static enum tr_status text_read_take_item(struct tr_text_reader *reader, char *line,
					  struct tr_text_item *item, struct tr_error *err)
{
	const struct line_type *type = text_read_type_of(line);

	if (*line != '!') {
		item->record = &reader->record;
		return text_read_take_record(reader, line, err);
	}
	if (!type)
		return tr_fail(err, "unknown line '%.60s'", line);
	if (type->place == FIRST)
		return tr_fail(err, "%s after the first lines", type->word);
	if (type->place == NAME)
		item->name = &reader->name;
	return text_read_take_line(reader, type, line, err);
}

enum tr_status tr_text_next(struct tr_text_reader *reader, struct tr_text_item *item,
			    struct tr_error *err)
{
	struct tr_error why;
	char *line;
	enum tr_status status;

	*item = (struct tr_text_item){NULL, NULL};
	while ((status = text_read_next_line(reader, &line, err)) == TR_OK) {
		if (reader->ended)
			return tr_lines_fail(&reader->lines, err, "a line after the end");
		if (text_read_take_item(reader, line, item, &why) != TR_OK)
			return tr_lines_fail(&reader->lines, err, "%s", why.text);
		if (item->name || item->record)
			return TR_OK;
	}
	if (status == TR_END && !reader->ended)
		return tr_fail(err, "%s: cut after line %" PRIu64 ": no !end line",
			       tr_source_name(reader->lines.source), reader->lines.number);
	return status;
}

const struct tr_header *tr_text_header(const struct tr_text_reader *reader)
{
	return &reader->header;
}

const char *tr_text_provenance(const struct tr_text_reader *reader)
{
	return reader->provenance.text ? reader->provenance.text : "";
}

const struct tr_trailer *tr_text_trailer(const struct tr_text_reader *reader)
{
	return &reader->trailer;
}

void tr_text_reader_close(struct tr_text_reader *reader)
{
	if (!reader)
		return;
	tr_lines_clear(&reader->lines);
	tr_name_index_clear(&reader->index);
	tr_names_clear(&reader->names);
	tr_provenance_clear(&reader->provenance);
	free(reader);
}
