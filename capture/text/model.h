// SPDX-License-Identifier: GPL-3.0-or-later
// The model text, in which people describe the traffic to generate (man/flit-model.5). This file
// knows lines, sections and keys; their meaning is in each generator's table (model_field.h).
#ifndef TEXT_MODEL_H
#define TEXT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "file/source.h"
#include "stream/names.h"
#include "value/status.h"

#define MODEL_FIRST_LINE "flitline-model 1"
#define MODEL_TEXT_MAX ((size_t)16 << 20) // bytes of one model
#define MODEL_LINE_MAX 1023u		  // bytes of one line, without its end
#define MODEL_SECTIONS_MAX 16384u
#define MODEL_NODES_MAX TR_NODES_MAX // of a family that has no bound of its own

enum model_line { MODEL_BLANK, MODEL_COMMENT, MODEL_SECTION, MODEL_KEY };

// One line after the first. Texts are zero-terminated and owned by the model.
struct model_entry {
	enum model_line kind;
	unsigned line;	     // in its file; 0 if made here
	const char *section; // its section, "" before the first
	char *key;	     // of a key; of a section its name; else NULL
	char *value;	     // of a key, words joined by single blanks; else NULL
	char *comment;	     // after "#", or NULL
};

// Zero is a valid empty one. A failed addition (no memory, a text that does not fit in one line) is
// remembered in failed and reported by model_write.
struct model {
	char *name; // for messages: the file's; NULL for a model made here
	struct model_entry *entries;
	size_t count, capacity;
	const char *section; // where the next key goes
	size_t *section_at;  // the sections' entries, by name
	unsigned sections;
	bool failed;
};

// Reads the rest of source, which stays the caller's. TR_ERROR: err has "file:line:" with what was
// expected and found; *out is empty then. Keys must be [a-z0-9-]+, sections "[words]", each once.
enum tr_status model_read(struct model *out, struct tr_source *source, struct tr_error *err);

// Writes the text. model_read gives the same model back, which writes the same bytes.
enum tr_status model_write(const struct model *model, FILE *out, struct tr_error *err);

// Add a line at the end. comment may be NULL. Texts are copied; each line of a comment becomes a
// line.
void model_blank(struct model *model);
void model_comment(struct model *model, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void model_section(struct model *model, const char *name, const char *comment);
void model_key(struct model *model, const char *key, const char *value, const char *comment);

// Adds copies of all lines of other; those before its first section go into the model's current
// one.
void model_append(struct model *model, const struct model *other);

// Gives a key before the first section another value, or adds it there where it is absent. Texts
// are copied.
void model_set(struct model *model, const char *key, const char *value);

// The section's next entry with that key (NULL: any key) after the entry after, or its first one if
// after is NULL. NULL at the section's end, and if there is no such section.
const struct model_entry *model_next(const struct model *model, const char *section,
				     const char *key, const struct model_entry *after);

// The key's first entry in the section, NULL if absent.
const struct model_entry *model_find(const struct model *model, const char *section,
				     const char *key);

// How often the key occurs in the section.
unsigned model_count(const struct model *model, const char *section, const char *key);

// The section's own entry, NULL if absent.
const struct model_entry *model_find_section(const struct model *model, const char *section);

// The model's name for messages.
const char *model_name(const struct model *model);

// Writes the place in the model, what is wrong there (may be empty) and why; why's breakdown is
// kept. Returns TR_ERROR.
enum tr_status model_fail_for(const struct model *model, const struct model_entry *entry,
			      struct tr_error *err, const struct tr_error *why, const char *what);

// Out of memory. Returns TR_ERROR.
enum tr_status model_no_memory(const struct model *model, struct tr_error *err);

// "name:line: " and the rest, for an entry of the model (line 0: the name alone). Returns TR_ERROR.
enum tr_status model_fail(const struct model *model, const struct model_entry *entry,
			  struct tr_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

// Frees what the model holds; it is empty afterwards.
void model_clear(struct model *model);

#endif
