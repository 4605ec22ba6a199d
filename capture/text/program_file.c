// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/program_file.h"

#include <string.h>

enum tr_status program_file_split(const char *text, char *out, size_t out_bytes,
				  const char **overrides, struct tr_error *err)
{
	const char *colon = strrchr(text, ':');
	size_t length = strlen(text);

	*overrides = NULL;
	if (colon && strchr(colon, '=')) {
		*overrides = colon + 1;
		length = (size_t)(colon - text);
	}
	if (length >= out_bytes)
		return tr_fail(err, "--program: a name of more than %zu characters", out_bytes - 1);
	memcpy(out, text, length);
	out[length] = '\0';
	return TR_OK;
}
