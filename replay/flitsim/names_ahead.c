// SPDX-License-Identifier: GPL-3.0-or-later
#include "names_ahead.h"

#include <stdlib.h>

#include "value/grow.h"

enum tr_status names_ahead_put(void *context, const struct tr_name *name, struct tr_error *err)
{
	struct names_ahead *names = context;
	struct name_ahead *last;

	if (names->read <= names->taken)
		return names->put(names->context, name, err);
	if (!GROW(names->items, names->room, names->count))
		return tr_no_memory(err, "names");
	last = &names->items[names->count];
	*last = (struct name_ahead){.name = *name, .after = names->read};
	last->text = calloc(1, name->text_bytes + 1);
	if (!last->text)
		return tr_no_memory(err, "names");
	for (size_t i = 0; i < name->text_bytes; i++)
		last->text[i] = name->text[i];
	last->name.text = last->text;
	names->count++;
	return TR_OK;
}

enum tr_status names_ahead_taken(struct names_ahead *names, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	names->taken++;
	while (status == TR_OK && names->given < names->count &&
	       names->items[names->given].after <= names->taken) {
		struct name_ahead *next = &names->items[names->given++];

		status = names->put(names->context, &next->name, err);
		free(next->text);
		next->text = NULL;
	}
	if (names->given == names->count)
		names->given = names->count = 0;
	return status;
}

void names_ahead_close(struct names_ahead *names)
{
	for (uint32_t i = names->given; i < names->count; i++)
		free(names->items[i].text);
	free(names->items);
	*names = (struct names_ahead){0};
}
