// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/archive_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct folder_kind {
	const char *ending, *what;
	const char *options, *files; // of the command; files NULL: the file itself
} kinds[] = {
	{".otf2", "an OTF2 archive", "", NULL},
	{".meta", "a DUMPI trace", "", NULL},
	{".et", "Chakra execution traces", "-T goal ", "*.et"},
};

static const struct folder_kind *folder_kind_of(const char *name)
{
	const size_t bytes = strlen(name);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const size_t ending_bytes = strlen(kinds[i].ending);

		if (bytes > ending_bytes &&
		    strcmp(name + bytes - ending_bytes, kinds[i].ending) == 0)
			return &kinds[i];
	}
	return NULL;
}

static int is_anchor(const struct dirent *entry)
{
	return folder_kind_of(entry->d_name) != NULL;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

const char *tr_folder_hint(const char *path, char *out, size_t out_bytes)
{
	struct dirent **found = NULL;
	const int count = scandir(path, &found, is_anchor, by_name);
	const size_t bytes = strlen(path);

	*out = '\0';
	for (int i = 0; i < count; i++) {
		const struct folder_kind *kind = folder_kind_of(found[i]->d_name);

		if (i == 0)
			(void)snprintf(out, out_bytes,
				       ": it is the folder of %s (flitread %s%.200s%s%s reads it)",
				       kind->what, kind->options, path,
				       bytes > 0 && path[bytes - 1] == '/' ? "" : "/",
				       kind->files ? kind->files : found[i]->d_name);
		free(found[i]);
	}
	free(found);
	return out;
}
