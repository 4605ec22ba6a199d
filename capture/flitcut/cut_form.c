// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcut.h"

#include <string.h>

#include "table/table.h"
#include "value/escape.h"

enum tr_status cut_list_fields(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("fields", "Fields of each kind of records");
	const struct tr_kind_info *kind;

	table_columns(table, "kind field meaning");
	table_words_are(table, "{field}");
	for (unsigned number = 1; (kind = tr_kind_find(number)) != NULL; number++)
		for (unsigned i = 0; i < kind->field_count; i++) {
			table_text(table, kind->name);
			table_text(table, kind->fields[i].name);
			table_text(table, kind->fields[i].what);
		}
	return tables_finish(&table, 1, style, "flitcut", out, err);
}

static void refuse_field(struct cut_output *output, const char *word, size_t length)
{
	const struct tr_kind_info *kind = output->context.kind;
	char names[256];
	size_t used = 0;

	for (unsigned i = 0; i < kind->field_count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s",
					 kind->fields[i].name);
	tool_error(output->tool, "%s records have no field '%.*s', but%s", kind->name, (int)length,
		   word, names);
}

bool cut_choose_fields(struct cut_output *output, bool by_name)
{
	const struct tr_kind_info *kind = output->context.kind;
	const char *at = output->field_list;
	char name[32];

	for (unsigned i = 0; !at && i < kind->field_count && i < TR_TEXT_FIELDS_MAX; i++)
		if (!tr_field_is_rare(&kind->fields[i]))
			output->fields[output->field_count++] = &kind->fields[i];
	while (at) {
		size_t length = strcspn(at, ",");
		const struct tr_field *field = NULL;

		if (length < sizeof(name)) {
			memcpy(name, at, length);
			name[length] = '\0';
			field = tr_field_find(&output->context, name);
		}
		if (!field || (by_name && strcmp(field->name, name) != 0)) {
			refuse_field(output, at, length);
			return false;
		}
		if (output->field_count == TR_TEXT_FIELDS_MAX) {
			tool_error(output->tool, "--fields lists more than %u", TR_TEXT_FIELDS_MAX);
			return false;
		}
		output->fields[output->field_count++] = field;
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

static bool cut_form_open_file(struct cut_output *output)
{
	output->file = tool_printable_output(output->tool, output->path);
	if (output->file && output->writing.flush_each)
		(void)setvbuf(output->file, NULL, _IOLBF, 0);
	if (!output->file || !cut_choose_fields(output, false))
		return false;
	for (size_t i = 0; i < output->field_count; i++)
		tr_field_heading(&output->context, output->fields[i], output->headings[i],
				 sizeof(output->headings[i]));
	return true;
}

// ---- stream

static bool stream_open(struct cut_output *output)
{
	if (output->field_list) {
		tool_error(output->tool, "a stream contains all fields; --fields requires --format "
					 "text, csv, ndjson or npy");
		return false;
	}
	output->writer = tool_output(output->tool, output->path, &output->header, &output->writing);
	return output->writer;
}

static void stream_name(struct cut_output *output, const struct tr_name *name)
{
	(void)tr_put_name(output->writer, name); // the writer remembers its failure
}

static bool stream_record(struct cut_output *output, const union tr_record *record)
{
	return tr_put(output->writer, record) == TR_OK;
}

static const struct cut_form stream = {"stream",    true,	   stream_open,
				       stream_name, stream_record, NULL};

// ---- text

static bool text_open(struct cut_output *output)
{
	struct tr_error err;

	if (!cut_form_open_file(output))
		return false;
	if (tr_text_writer_open(&output->text, output->file, &output->header,
				tool_provenance(output->tool), output->fields,
				output->field_list ? output->field_count : 0, output->context.index,
				&err) == TR_OK)
		return true;
	tool_error(output->tool, "%s", err.text);
	return false;
}

static void text_name(struct cut_output *output, const struct tr_name *name)
{
	tr_text_put_name(output->text, name);
}

static bool text_record(struct cut_output *output, const union tr_record *record)
{
	tr_text_put(output->text, record);
	return !ferror(output->file);
}

static void text_close(struct cut_output *output, const struct tr_trailer *trailer)
{
	tr_text_writer_close(output->text, trailer);
}

static const struct cut_form text = {"text", true, text_open, text_name, text_record, text_close};

// ---- CSV

static bool csv_open(struct cut_output *output)
{
	if (!cut_form_open_file(output))
		return false;
	for (size_t i = 0; i < output->field_count; i++)
		(void)fprintf(output->file, "%s%s", i ? "," : "", output->headings[i]);
	(void)putc('\n', output->file);
	return true;
}

// The field's text, NULL if it has no value.
static const char *value_text(const struct cut_output *output, size_t column,
			      const union tr_record *record, char *out, size_t out_bytes)
{
	tr_field_format(&output->context, output->fields[column], record, out, out_bytes);
	return strcmp(out, "-") ? out : NULL;
}

static bool csv_record(struct cut_output *output, const union tr_record *record)
{
	char value[TR_FIELD_TEXT_BYTES];

	for (size_t i = 0; i < output->field_count; i++) {
		const char *shown = value_text(output, i, record, value, sizeof(value));

		if (i)
			(void)putc(',', output->file);
		if (shown)
			csv_write_text(output->file, shown);
	}
	(void)putc('\n', output->file);
	return !ferror(output->file);
}

static const struct cut_form csv = {"csv", false, csv_open, NULL, csv_record, NULL};

// ---- NDJSON: one JSON object a line

static bool ndjson_record(struct cut_output *output, const union tr_record *record)
{
	char value[TR_FIELD_TEXT_BYTES];

	for (size_t i = 0; i < output->field_count; i++) {
		const char *shown = value_text(output, i, record, value, sizeof(value));

		(void)fputs(i ? ", \"" : "{\"", output->file);
		(void)fputs(output->headings[i], output->file);
		(void)fputs("\": ", output->file);
		if (!shown)
			(void)fputs("null", output->file);
		else if (tr_field_is_number(output->fields[i]))
			(void)fputs(shown, output->file);
		else
			json_write_text(output->file, shown);
	}
	(void)fputs("}\n", output->file);
	return !ferror(output->file);
}

static const struct cut_form ndjson = {"ndjson", false,		cut_form_open_file,
				       NULL,	 ndjson_record, NULL};

const struct cut_form *const cut_forms[] = {
	&stream, &text, &csv, &ndjson, &cut_form_pcap, &cut_form_pcapng, &cut_form_npy};

const struct opt_choice cut_form_words[] = {
	{"stream", 0, "a trace stream"},
	{"text", 1, "a text with all names and fields, which --from text reads"},
	{"csv", 2, "fields between commas"},
	{"ndjson", 3, "a JSON object in each line"},
	{"pcap", 4, "a pcap capture with synthetic headers"},
	{"pcapng", 5, "a pcapng capture with synthetic headers"},
	{"npy", 6, "a NumPy array of records, with the names after it"},
	{NULL, 0},
};

int cut_form_of_name(const char *path)
{
	static const struct opt_choice endings[] = {
		{".flt", 0},	{".csv", 2}, {".ndjson", 3}, {".pcap", 4},
		{".pcapng", 5}, {".npy", 6}, {NULL, 0},
	};
	size_t bytes = path ? strlen(path) : 0;

	if (bytes > 4 && strcmp(path + bytes - 4, ".zst") == 0)
		bytes -= 4;
	for (const struct opt_choice *ending = endings; ending->word; ending++) {
		const size_t ending_bytes = strlen(ending->word);

		if (bytes > ending_bytes &&
		    memcmp(path + bytes - ending_bytes, ending->word, ending_bytes) == 0)
			return ending->value;
	}
	return -1;
}
