// SPDX-License-Identifier: GPL-3.0-or-later
// Options whose value is keys, or a file of these.
#ifndef REPLAY_KEYS_INPUT_H
#define REPLAY_KEYS_INPUT_H

#include "trace/keys.h"
#include "trace/opt.h"
#include "trace/table.h"
#include "trace/tool.h"

// The row of an option whose words keys_input_read takes; OPT_ON_KEYS: of one that may be given without a value, so that all
// keys have their usual ones.
#define OPT_KEYS_ROW(name, words, help, flags) \
	{ \
		OPT_TYPE_LIST, 0, name, "KEYS", help, (struct opt_list *){words}, NUM_PLAIN, NULL, \
			OPT_PATH | OPT_WORD | OPT_SILENT | (flags), 0 \
	}
#define OPT_KEYS(name, words, help) OPT_KEYS_ROW(name, words, help, 0)
#define OPT_ON_KEYS(name, words, help) OPT_KEYS_ROW(name, words, help, OPT_OPTIONAL)

// Reads words one after the other into params: each is keys, or a file of them ("-": standard input), which is added to the
// provenance, as is what then differs from the usual. Returns false after reporting an error.
bool keys_input_read(struct tool *tool, const struct key_kind *kind, const struct opt_list *words, void *params);

// Whether the last word is "list". The keys and presets are then printed; an error is reported.
bool keys_input_list(struct tool *tool, const struct key_kind *kind, const struct opt_list *words, struct table_style style);

// The text of a file, zero-terminated, for the caller to free. NULL with err, which is empty where it was reported.
char *keys_input_text(struct tool *tool, const char *path, struct tr_error *err);

// Tables of keys and of presets, to which rows are added kind by kind; for the caller to free.
struct table *keys_table(const char *title);
void keys_table_add(struct table *table, const struct key_kind *kind);
struct table *presets_table(const char *title);
void presets_table_add(struct table *table, const struct key_kind *kind);

#endif
