// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/file_list.h"

#include <stdlib.h>
#include <string.h>

bool file_list_add(struct file_list *list, const char *path)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity * 2 + 16;
		char **more = reallocarray(list->paths, capacity, sizeof(*more));

		if (!more)
			return false;
		list->paths = more;
		list->capacity = capacity;
	}
	list->paths[list->count] = strdup(path);
	return list->paths[list->count++];
}

void file_list_clear(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct file_list){0};
}
