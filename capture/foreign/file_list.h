// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the files of a trace.
#ifndef FOREIGN_FILE_LIST_H
#define FOREIGN_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>

// Zero is an empty one.
struct file_list {
	char **paths;
	size_t count, capacity;
};

// Adds a copy of path; false if out of memory.
bool file_list_add(struct file_list *list, const char *path);

// Whether path is in it.
bool file_list_has(const struct file_list *list, const char *path);

// Frees what it holds; it is empty then.
void file_list_clear(struct file_list *list);

#endif
