// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 65536u // bytes of a file

// The text of an open file, zero-terminated, for the caller to free. NULL with err.
static char *read_text(struct tr_source *source, struct tr_error *err)
{
	const uint8_t *data;
	size_t bytes;
	char *text;

	switch (tr_source_peek(source, TEXT_MAX + 1, &data, &bytes, err)) {
	case TR_ERROR: return NULL;
	case TR_OK:
		(void)tr_fail(err, "%s: longer than %u bytes: no kind of network", tr_source_name(source), TEXT_MAX);
		return NULL;
	default: break;
	}
	if (memchr(data, '\0', bytes) != NULL) {
		(void)tr_fail(err, "%s: has a zero byte at offset %zu: no text", tr_source_name(source),
			      (size_t)((const uint8_t *)memchr(data, '\0', bytes) - data));
		return NULL;
	}
	text = strndup((const char *)data, bytes);
	tr_source_skip(source, bytes);
	if (text == NULL)
		(void)tr_fail(err, "out of memory");
	return text;
}

static enum tr_status read_file(struct tool *tool, const char *path, struct fabric *fabric, struct tr_error *err)
{
	struct tr_source *source = tool_open_source(tool, path);
	enum tr_status status = TR_ERROR;
	struct tr_error why;
	char *text;

	if (source == NULL)
		return TR_ERROR;
	text = read_text(source, err);
	if (text != NULL && (status = fabric_read(fabric, text, &why)) != TR_OK)
		(void)tr_fail(err, "%s: %s", path, why.text);
	free(text);
	tr_source_close(source);
	return status;
}

static enum tr_status read_word(struct tool *tool, const char *word, struct fabric *fabric, struct tr_error *err)
{
	if (fabric_find(word) == NULL && (strcmp(word, "-") == 0 || access(word, F_OK) == 0))
		return read_file(tool, word, fabric, err);
	return fabric_read(fabric, word, err);
}

bool fabric_input_open(struct tool *tool, const struct opt_list *words, struct fabric *fabric)
{
	struct tr_error err = {""};
	enum tr_status status = TR_OK;

	*fabric = (struct fabric){0};
	if (words->count == 0)
		status = fabric_read(fabric, net_fabrics[0]->name, &err);
	for (size_t i = 0; status == TR_OK && i < words->count; i++)
		status = read_word(tool, words->words[i], fabric, &err);
	if (status == TR_OK)
		status = fabric_settle(fabric, &err);
	if (*err.text != '\0')
		tool_error(tool, "--fabric: %s", err.text);
	if (status == TR_OK && words->count > 0)
		tool_record_option(tool, "fabric", fabric->text);
	return status == TR_OK;
}

static struct table *kinds_table(void)
{
	struct table *table = table_new("kinds", "Kinds of networks");

	table_column(table, "kind");
	table_column(table, "engines");
	table_column(table, "meaning");
	for (size_t i = 0; net_fabrics[i] != NULL; i++) {
		char engines[128] = "";

		for (size_t k = 0; net_fabrics[i]->engines[k] != NULL; k++)
			snprintf(engines + strlen(engines), sizeof(engines) - strlen(engines), "%s%s", k > 0 ? "|" : "",
				 net_fabrics[i]->engines[k]->name);
		table_text(table, net_fabrics[i]->name);
		table_text(table, engines);
		table_text(table, net_fabrics[i]->summary);
	}
	return table;
}

static struct table *keys_table(void)
{
	static const char *const columns[] = {"kind", "key", "takes", "usual", "needs", "meaning"};
	struct table *table = table_new("keys", "Keys: --fabric KIND:KEY=VALUE,KEY=VALUE");
	char value[KEY_TEXT_BYTES];

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(table, columns[i]);
	for (size_t i = 0; net_fabrics[i] != NULL; i++)
		for (const struct key *key = net_fabrics[i]->keys; key->type != KEY_END; key++) {
			table_text(table, net_fabrics[i]->name);
			table_text(table, key->name);
			table_text(table, keys_takes(key));
			table_text(table, keys_value(key, net_fabrics[i]->usual, value, sizeof(value)));
			if (key->needs != NULL)
				table_text(table, key->needs);
			else
				table_none(table);
			table_text(table, key->meaning);
		}
	return table;
}

// The items of a preset's text, with commas.
static void put_items(struct table *table, const char *text)
{
	char line[2048] = "";
	struct key_item item;
	struct tr_error err;
	size_t used = 0;

	while (keys_next(&text, &item, &err) == TR_OK && used < sizeof(line))
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%.*s=%s", used > 0 ? "," : "",
					 (int)item.name_bytes, item.name, item.value);
	table_text(table, line);
}

static struct table *presets_table(void)
{
	struct table *table = table_new("presets", "Presets: --fabric KIND:preset=NAME,KEY=VALUE");

	table_column(table, "kind");
	table_column(table, "preset");
	table_column(table, "meaning");
	table_column(table, "keys");
	for (const struct net_preset *preset = net_presets; preset->kind != NULL; preset++) {
		const size_t length = strcspn(preset->text, "\n");
		char meaning[256];

		snprintf(meaning, sizeof(meaning), "%.*s", (int)length, preset->text);
		table_text(table, preset->kind);
		table_text(table, preset->name);
		table_text(table, meaning + strspn(meaning, "# "));
		put_items(table, fabric_keys(preset->text));
	}
	return table;
}

bool fabric_input_list(struct tool *tool, const struct opt_list *words, struct table_style style)
{
	struct table *tables[] = {kinds_table(), keys_table(), presets_table()};
	struct tr_error err;
	bool listed = words->count > 0 && strcmp(words->words[words->count - 1], "list") == 0;

	if (listed && tables_print(tables, 3, style, "fabric", tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	for (size_t i = 0; i < 3; i++)
		table_free(tables[i]);
	return listed;
}

// Old options whose keys have another name.
static const char *const renamed[][2] = {{"adapter", "--fabric myrinet:preset=NAME"},
					 {"preset", "--fabric myrinet:preset=NAME"},
					 {"ideal", "--fabric ideal:latency=TIME"}};

const char *fabric_input_hint(const char *name, char *out, size_t out_bytes)
{
	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (strcmp(renamed[i][0], name) == 0)
			return renamed[i][1];
	for (size_t i = 0; net_fabrics[i] != NULL; i++) {
		const struct key *key = keys_find(net_fabrics[i]->keys, name, strlen(name));

		if (key == NULL)
			continue;
		snprintf(out, out_bytes, "--fabric %s:%s=%s", net_fabrics[i]->name, key->name, keys_takes(key));
		return out;
	}
	return NULL;
}
