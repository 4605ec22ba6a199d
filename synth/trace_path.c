// SPDX-License-Identifier: GPL-3.0-or-later
// The path by which a model refers to its trace: from the model's own folder, so that both can be moved together and be used
// from any other.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "flitfit.h"
#include "trace/memstream.h"

// The real path of the folder that the file is in.
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";

	if (slash == path)
		return strdup("/");
	if (slash && (size_t)(slash - path) < sizeof(folder)) {
		memcpy(folder, path, (size_t)(slash - path));
		folder[slash - path] = '\0';
	}
	return realpath(folder, NULL);
}

// The bytes of the folders that both paths begin with, the "/" behind them not counted. folder ends in no "/" but the root's.
static size_t common_bytes(const char *folder, const char *file)
{
	size_t common = 0;

	for (size_t i = 0;; i++) {
		const bool end = folder[i] == '\0' || folder[i] == '/';

		if (end && file[i] == '/')
			common = i;
		if (folder[i] == '\0' || folder[i] != file[i])
			return common;
	}
}

static char *relative(const char *folder, const char *file)
{
	const char *from = strcmp(folder, "/") == 0 ? "" : folder;
	const size_t common = common_bytes(from, file);
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	for (const char *at = from + common; *at; at++)
		if (*at == '/')
			fputs("../", out);
	fputs(file + common + 1, out);
	if (tr_memstream_close(out))
		return text;
	free(text);
	return NULL;
}

char *fit_trace_from(const char *trace, const char *path)
{
	char *folder = folder_of(path), *file = realpath(trace, NULL), *out = NULL;

	if (folder && file)
		out = relative(folder, file);
	free(folder);
	free(file);
	return out;
}
