// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/keys_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_rows.h"
#include "value/memstream.h"

#define TEXT_MAX 65536u // bytes of a file

static char *keys_input_copy_text(struct tr_source *source, struct tr_error *err)
{
	const uint8_t *data;
	size_t bytes;
	char *text;

	switch (tr_source_peek(source, TEXT_MAX + 1, &data, &bytes, err)) {
	case TR_ERROR: return NULL;
	case TR_OK:
		(void)tr_fail(err, "%s: longer than %u bytes: no keys", tr_source_name(source),
			      TEXT_MAX);
		return NULL;
	default: break;
	}
	if (memchr(data, '\0', bytes)) {
		(void)tr_fail(err, "%s: has a zero byte at offset %zu: no text",
			      tr_source_name(source),
			      (size_t)((const uint8_t *)memchr(data, '\0', bytes) - data));
		return NULL;
	}
	text = strndup((const char *)data, bytes);
	tr_source_skip(source, bytes);
	if (!text)
		(void)tr_no_memory(err, "keys");
	return text;
}

char *keys_input_text(struct tool *tool, const char *path, struct tr_error *err)
{
	struct tr_source *source = tool_open_source(tool, path);
	char *text;

	*err->text = '\0';
	if (!source)
		return NULL;
	text = keys_input_copy_text(source, err);
	tr_source_close(source);
	return text;
}

static enum tr_status keys_input_read_file(struct tool *tool, const struct key_kind *kind,
					   const char *path, void *params, struct keys_given *given,
					   struct tr_error *err)
{
	char *text = keys_input_text(tool, path, err);
	const char *name = text ? keys_skip_comments(text) : NULL;
	enum tr_status status = TR_ERROR;

	if (!text)
		return TR_ERROR;
	if (keys_name_bytes(name) != strlen(kind->name) ||
	    memcmp(name, kind->name, strlen(kind->name)) != 0)
		(void)tr_fail(err, "%s: expected %s: and its keys", path, kind->name);
	else if ((status = keys_read(kind, keys_behind_name(name), params, given, err)) != TR_OK)
		(void)tr_fail_in(err, "%s", path);
	free(text);
	return status;
}

// Adds the option to the provenance, with the keys that differ from their defaults.
static enum tr_status keys_input_record(struct tool *tool, const struct key_kind *kind,
					const void *params, struct tr_error *err)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole = false;

	if (out) {
		keys_describe(kind, params, '\0', out);
		whole = tr_memstream_close(out);
	}
	if (whole)
		tool_record_option(tool, kind->name, text);
	free(text);
	return whole ? TR_OK : tr_no_memory(err, "keys");
}

bool keys_input_read(struct tool *tool, const struct key_kind *kind, const struct opt_list *words,
		     void *params)
{
	enum tr_status status = TR_OK;
	struct keys_given given = {0};
	struct tr_error err = {""};

	for (size_t i = 0; status == TR_OK && i < words->count; i++) {
		given.typing = *words->words[i] == '\0' || strchr(words->words[i], '=');
		if (given.typing)
			status = keys_read(kind, words->words[i], params, &given, &err);
		else
			status = keys_input_read_file(tool, kind, words->words[i], params, &given,
						      &err);
	}
	if (status == TR_OK)
		status = keys_check_effect(kind->keys, params, given.text, &err);
	if (status == TR_OK && words->count > 0)
		status = keys_input_record(tool, kind, params, &err);
	if (status != TR_OK && *err.text != '\0')
		tool_error(tool, "--%s: %s", kind->name, err.text);
	return status == TR_OK;
}

TABLE_ROW(listed_key, (text, kind), (text, key), (text, takes), (text, usual, 0, "default"),
	  (text, needs), (text, meaning));

struct table *keys_table(const char *title)
{
	struct table *table = table_of("keys", title, listed_key_fields);

	table_words_are(table, "{kind}:{key}=");
	return table;
}

void keys_table_add(struct table *table, const struct key_kind *kind)
{
	char value[KEY_TEXT_BYTES];

	for (const struct key *key = kind->keys; key->type != KEY_END; key++)
		TABLE_PUT(table, listed_key, .kind = kind->name, .key = key->name,
			  .takes = keys_takes(key),
			  .usual = keys_value(key, kind->usual, value, sizeof(value)),
			  .needs = key->needs, .meaning = key->meaning);
}

struct table *presets_table(const char *title)
{
	struct table *table = table_new("presets", title);

	table_columns(table, "kind preset meaning keys");
	table_words_are(table, "{kind}:preset={preset}");
	return table;
}

// The items of a preset's text, separated by commas.
static void put_items(struct table *table, const char *text)
{
	char line[2048] = "";
	struct key_item item;
	struct tr_error err;
	size_t used = 0;

	while (keys_next(&text, &item, &err) == TR_OK && used < sizeof(line))
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%.*s=%s",
					 used > 0 ? "," : "", (int)item.name_bytes, item.name,
					 item.value);
	table_text(table, line);
}

void presets_table_add(struct table *table, const struct key_kind *kind)
{
	for (const struct key_preset *preset = kind->presets; preset->kind; preset++) {
		char meaning[256];

		if (strcmp(preset->kind, kind->name) != 0)
			continue;
		snprintf(meaning, sizeof(meaning), "%.*s", (int)strcspn(preset->text, "\n"),
			 preset->text);
		table_text(table, preset->kind);
		table_text(table, preset->name);
		table_text(table, meaning + strspn(meaning, "# "));
		put_items(table, keys_behind_name(preset->text));
	}
}

enum tr_status keys_input_list(const struct key_kind *kind, struct table_style style, FILE *out,
			       struct tr_error *err)
{
	struct table *tables[2];

	tables[0] = keys_table("Keys: KEY=VALUE,KEY=VALUE");
	table_words_are(tables[0], "{key}=");
	keys_table_add(tables[0], kind);
	tables[1] = presets_table("Presets: preset=NAME,KEY=VALUE");
	table_words_are(tables[1], "preset={preset}");
	presets_table_add(tables[1], kind);
	return tables_finish(tables, 2, style, kind->name, out, err);
}
