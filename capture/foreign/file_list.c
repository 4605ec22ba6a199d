// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/file_list.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

bool file_list_add(struct file_list *list, const char *path)
{
	if (!GROW(list->paths, list->capacity, list->count))
		return false;
	list->paths[list->count] = strdup(path);
	return list->paths[list->count++];
}

bool file_list_has(const struct file_list *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->paths[i], path) == 0)
			return true;
	return false;
}

void file_list_clear(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct file_list){0};
}
