// SPDX-License-Identifier: GPL-3.0-or-later
// Which tables of a program are printed: those that --table names.
#include "table/table_cells.h"

#include <string.h>

static bool names_table(const struct opt_list *only, const char *name)
{
	for (size_t i = 0; i < only->count; i++)
		if (strcmp(only->words[i], name) == 0)
			return true;
	return false;
}

bool table_only_lists(const struct opt_list *only)
{
	return names_table(only, "list");
}

struct table *table_only_names(struct table *const *tables, size_t count)
{
	struct table *names = table_new("names", NULL);

	table_columns(names, "table title");
	for (size_t i = 0; i < count; i++) {
		table_text(names, tables[i]->name);
		table_text(names, tables[i]->title);
	}
	return names;
}

// The word names none of the tables.
static enum tr_status refuse_name(const char *word, struct table *const *tables, size_t count,
				  struct tr_error *err)
{
	char list[400] = "";
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 tables[i]->name);
	return tr_fail(err, "--table %s: expected %s, or list", word, list);
}

enum tr_status table_only_choose(const struct opt_list *only, struct table *const *tables,
				 size_t count, struct table **chosen, size_t *chosen_count,
				 struct tr_error *err)
{
	*chosen_count = 0;
	for (size_t i = 0; i < only->count; i++) {
		bool known = false;

		for (size_t k = 0; k < count && !known; k++)
			known = strcmp(tables[k]->name, only->words[i]) == 0;
		if (!known)
			return refuse_name(only->words[i], tables, count, err);
	}
	for (size_t i = 0; i < count; i++)
		if (only->count == 0 ? !tables[i]->by_name : names_table(only, tables[i]->name))
			chosen[(*chosen_count)++] = tables[i];
	return TR_OK;
}
