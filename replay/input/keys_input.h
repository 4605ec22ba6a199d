// SPDX-License-Identifier: GPL-3.0-or-later
// Options whose value is keys, or a file of keys.
#ifndef REPLAY_KEYS_INPUT_H
#define REPLAY_KEYS_INPUT_H

#include "table/keys.h"
#include "table/opt.h"
#include "table/table.h"
#include "tool/tool.h"

// The row of an option whose words keys_input_read reads, and whose list prints what
// keys_input_list does; OPT_ON_KEYS: its value is optional, and without one all keys have their
// defaults.
#define OPT_KEYS_ROW(name, words, list, help, flags) \
	{ \
		OPT_TYPE_LIST, 0, name, "KEYS", help, (struct opt_list *){words}, NUM_PLAIN, NULL, \
			OPT_PATH | OPT_WORD | OPT_SILENT | OPT_OPEN | (flags), 0, list \
	}
#define OPT_KEYS(name, words, list, help) OPT_KEYS_ROW(name, words, list, help, 0)
#define OPT_ON_KEYS(name, words, list, help) OPT_KEYS_ROW(name, words, list, help, OPT_OPTIONAL)

// Reads words in order into params: each is keys, or a file of keys ("-": standard input). The file
// is added to the provenance, as are keys that differ from the defaults. Returns false after
// reporting an error.
bool keys_input_read(struct tool *tool, const struct key_kind *kind, const struct opt_list *words,
		     void *params);

// Prints the keys and presets, for the value list of such an option.
enum tr_status keys_input_list(const struct key_kind *kind, struct table_style style, FILE *out,
			       struct tr_error *err);

// The text of a file, zero-terminated, freed by the caller. NULL with err, which is empty if the
// error was reported.
char *keys_input_text(struct tool *tool, const char *path, struct tr_error *err);

// Tables of keys and of presets, extended kind by kind; the caller frees them.
struct table *keys_table(const char *title);
void keys_table_add(struct table *table, const struct key_kind *kind);
struct table *presets_table(const char *title);
void presets_table_add(struct table *table, const struct key_kind *kind);

#endif
