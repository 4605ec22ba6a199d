// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/printable.h"

#define PLACE_BYTES 448

// The next free entry, zeroed except for its section; NULL (and failed) if out of memory.
static struct model_entry *append_model(struct model *model, enum model_line kind)
{
	if (!GROW(model->entries, model->capacity, model->count)) {
		model->failed = true;
		return NULL;
	}
	struct model_entry *entry = &model->entries[model->count++];

	*entry = (struct model_entry){.kind = kind,
				      .section = model->section ? model->section : ""};
	return entry;
}

static char *model_copy(struct model *model, const char *text)
{
	char *made = strdup(text);

	if (!made)
		model->failed = true;
	return made;
}

// Removes the last entry if memory ran out while filling it, so that all entries are complete.
static bool drop_half(struct model *model, const struct model_entry *entry, bool whole)
{
	if (whole)
		return false;
	free(entry->key);
	free(entry->value);
	free(entry->comment);
	model->count--;
	return true;
}

void model_blank(struct model *model)
{
	append_model(model, MODEL_BLANK);
}

// The line escaped for a terminal, since it comes from a stranger's file. Tabs stay.
static char *show_line(const char *text, size_t bytes)
{
	char line[MODEL_LINE_MAX], shown[MODEL_LINE_MAX];
	size_t used = 0;
	char *piece = line, *tab;

	(void)snprintf(line, sizeof(line), "%.*s", (int)bytes, text);
	do {
		tab = strchr(piece, '\t');
		if (tab)
			*tab = '\0';
		tr_format_text(shown + used, sizeof(shown) - 3 - used, piece);
		used += strlen(shown + used);
		if (tab && used < sizeof(shown) - 4u)
			shown[used++] = '\t';
		piece = tab ? tab + 1 : NULL;
	} while (tab);
	while (used > 0 &&
	       (shown[used - 1] == ' ' || shown[used - 1] == '\t')) // if the rest did not fit
		used--;
	shown[used] = '\0';
	return strdup(shown);
}

static void comment_line(struct model *model, const char *text, size_t bytes)
{
	struct model_entry *entry = append_model(model, MODEL_COMMENT);

	while (bytes > 0 && (text[bytes - 1] == ' ' || text[bytes - 1] == '\t'))
		bytes--;
	if (!entry)
		return;
	entry->comment = show_line(text, bytes < MODEL_LINE_MAX - 2 ? bytes : MODEL_LINE_MAX - 2);
	if (!entry->comment)
		model->failed = true;
}

void model_comment(struct model *model, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	int bytes = vasprintf(&text, format, args);
	va_end(args);
	if (bytes < 0) {
		model->failed = true;
		return;
	}
	const char *line = text;

	for (;;) {
		size_t length = strcspn(line, "\n");

		comment_line(model, line, length);
		if (line[length] == '\0' || line[length + 1] == '\0')
			break;
		line += length + 1;
	}
	free(text);
}

// The index of the section among the names, or where it would be.
static unsigned model_place_of(const struct model *model, const char *section)
{
	unsigned low = 0, high = model->sections;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (strcmp(model->entries[model->section_at[middle]].key, section) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Indexes the last entry, a section. If out of memory it cannot be found, and the model has failed.
static void index_section(struct model *model)
{
	unsigned place = model_place_of(model, model->section);
	size_t *more;

	if (!GROW_BY_COUNT(model->section_at, model->sections)) {
		model->failed = true;
		return;
	}
	more = model->section_at;
	memmove(&more[place + 1], &more[place], (model->sections - place) * sizeof(*more));
	more[place] = model->count - 1;
	model->sections++;
}

void model_section(struct model *model, const char *name, const char *comment)
{
	struct model_entry *entry = append_model(model, MODEL_SECTION);

	if (!entry)
		return;
	entry->key = model_copy(model, name);
	model->section = entry->key;
	entry->section = entry->key ? entry->key : "";
	if (comment)
		entry->comment = model_copy(model, comment);
	if (!drop_half(model, entry, entry->key))
		index_section(model);
}

void model_key(struct model *model, const char *key, const char *value, const char *comment)
{
	struct model_entry *entry = append_model(model, MODEL_KEY);
	size_t bytes = strlen(key) + strlen(value) + (comment ? strlen(comment) + 4 : 0) + 1;

	if (bytes > MODEL_LINE_MAX)
		model->failed = true;
	if (!entry)
		return;
	entry->key = model_copy(model, key);
	entry->value = model_copy(model, value);
	if (comment)
		entry->comment = model_copy(model, comment);
	(void)drop_half(model, entry, entry->key && entry->value);
}

void model_append(struct model *model, const struct model *other)
{
	model->failed = model->failed || other->failed;
	for (size_t i = 0; i < other->count; i++) {
		const struct model_entry *entry = &other->entries[i];

		if (entry->kind == MODEL_BLANK)
			model_blank(model);
		else if (entry->kind == MODEL_COMMENT)
			model_comment(model, "%s", entry->comment ? entry->comment : "");
		else if (entry->kind == MODEL_SECTION)
			model_section(model, entry->key, entry->comment);
		else
			model_key(model, entry->key, entry->value, entry->comment);
	}
}

// Moves the last entry to the end of those before the first section.
static void move_to_front(struct model *model)
{
	struct model_entry entry = model->entries[model->count - 1];
	size_t at = 0;

	while (at + 1 < model->count && model->entries[at].kind != MODEL_SECTION)
		at++;
	memmove(&model->entries[at + 1], &model->entries[at],
		(model->count - 1 - at) * sizeof(*model->entries));
	entry.section = "";
	model->entries[at] = entry;
	for (unsigned i = 0; i < model->sections; i++)
		model->section_at[i]++;
}

void model_set(struct model *model, const char *key, const char *value)
{
	size_t at = 0;

	while (at < model->count && model->entries[at].kind != MODEL_SECTION &&
	       (model->entries[at].kind != MODEL_KEY || strcmp(model->entries[at].key, key) != 0))
		at++;
	if (at == model->count || model->entries[at].kind == MODEL_SECTION) {
		size_t before = model->count;

		model_key(model, key, value, NULL);
		if (model->count > before)
			move_to_front(model);
		return;
	}
	free(model->entries[at].value);
	model->entries[at].value = model_copy(model, value);
	model->entries[at].line = 0;
}

const struct model_entry *model_find_section(const struct model *model, const char *section)
{
	unsigned place = model_place_of(model, section);

	if (place == model->sections ||
	    strcmp(model->entries[model->section_at[place]].key, section) != 0)
		return NULL;
	return &model->entries[model->section_at[place]];
}

const struct model_entry *model_next(const struct model *model, const char *section,
				     const char *key, const struct model_entry *after)
{
	const struct model_entry *before = after || !*section ? after
							      : model_find_section(model, section);
	size_t i = before ? (size_t)(before - model->entries) + 1 : 0;

	if (*section && !before)
		return NULL;
	for (; i < model->count && model->entries[i].kind != MODEL_SECTION; i++)
		if (model->entries[i].kind == MODEL_KEY &&
		    (!key || strcmp(model->entries[i].key, key) == 0))
			return &model->entries[i];
	return NULL;
}

const struct model_entry *model_find(const struct model *model, const char *section,
				     const char *key)
{
	return model_next(model, section, key, NULL);
}

unsigned model_count(const struct model *model, const char *section, const char *key)
{
	const struct model_entry *entry = NULL;
	unsigned count = 0;

	while ((entry = model_next(model, section, key, entry)))
		count++;
	return count;
}

const char *model_name(const struct model *model)
{
	return model->name ? model->name : "model";
}

// "name:line: " of an entry, without the line if it has none.
static void name_place(const struct model *model, const struct model_entry *entry,
		       char out[PLACE_BYTES])
{
	if (entry && entry->line)
		(void)snprintf(out, PLACE_BYTES, "%.400s:%u", model_name(model), entry->line);
	else
		(void)snprintf(out, PLACE_BYTES, "%.400s", model_name(model));
}

enum tr_status model_fail(const struct model *model, const struct model_entry *entry,
			  struct tr_error *err, const char *format, ...)
{
	char text[400], place[PLACE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	name_place(model, entry, place);
	return tr_fail(err, "%s: %s", place, text);
}

enum tr_status model_fail_for(const struct model *model, const struct model_entry *entry,
			      struct tr_error *err, const struct tr_error *why, const char *what)
{
	char place[PLACE_BYTES];

	name_place(model, entry, place);
	return tr_fail_for(err, why, "%s: %s%s%.400s", place, what, *what ? ": " : "", why->text);
}

enum tr_status model_no_memory(const struct model *model, struct tr_error *err)
{
	return tr_no_memory(err, "the model %s", model_name(model));
}

void model_clear(struct model *model)
{
	for (size_t i = 0; i < model->count; i++) {
		free(model->entries[i].key);
		free(model->entries[i].value);
		free(model->entries[i].comment);
	}
	free(model->entries);
	free(model->section_at);
	free(model->name);
	*model = (struct model){0};
}

static bool write_entry(const struct model_entry *entry, FILE *out)
{
	switch (entry->kind) {
	case MODEL_BLANK: return putc('\n', out) != EOF;
	case MODEL_COMMENT:
		return fprintf(out, "#%s%s\n", *entry->comment ? " " : "", entry->comment) >= 0;
	case MODEL_SECTION:
		if (entry->comment)
			return fprintf(out, "[%s]  # %s\n", entry->key, entry->comment) >= 0;
		return fprintf(out, "[%s]\n", entry->key) >= 0;
	case MODEL_KEY:
		if (entry->comment)
			return fprintf(out, "%s %s  # %s\n", entry->key, entry->value,
				       entry->comment) >= 0;
		return fprintf(out, "%s %s\n", entry->key, entry->value) >= 0;
	}
	return false;
}

enum tr_status model_write(const struct model *model, FILE *out, struct tr_error *err)
{
	if (model->failed)
		return model_fail(model, NULL, err,
				  TR_OUT_OF_MEMORY ", or a line longer than %u bytes",
				  MODEL_LINE_MAX);
	bool good = fprintf(out, "%s\n", MODEL_FIRST_LINE) >= 0;

	for (size_t i = 0; good && i < model->count; i++)
		good = write_entry(&model->entries[i], out);
	return good ? TR_OK : tr_fail(err, "cannot write the model");
}
