// SPDX-License-Identifier: GPL-3.0-or-later
// The filter: from a file, or the operands joined by blanks.
#include "flitcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILTER_BYTES_MAX 65536u

static char *from_operands(const struct tool *tool)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; i < tool_operand_count(tool); i++)
		(void)fprintf(out, "%s%s", i ? " " : "", tool_operand(tool, i));
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

// The whole file; NULL after a failure, which is reported.
static char *from_file(struct cap *cap, const char *path)
{
	struct tr_source *source = tool_open_source(cap->tool, path);
	const uint8_t *data;
	size_t got_bytes;
	struct tr_error err;
	char *text = NULL;

	if (!source)
		return NULL;
	if (tr_source_peek(source, FILTER_BYTES_MAX, &data, &got_bytes, &err) == TR_ERROR)
		tool_error(cap->tool, "%s", err.text);
	else if (got_bytes >= FILTER_BYTES_MAX || memchr(data, '\0', got_bytes))
		tool_error(cap->tool, "%s: a filter is text of less than %u bytes", path,
			   FILTER_BYTES_MAX);
	else if (!(text = strndup((const char *)data, got_bytes)))
		tool_error(cap->tool, "out of memory");
	tr_source_close(source);
	return text;
}

bool cap_read_filter(struct cap *cap)
{
	const char *path = cap->options->filter_file;

	if (!path && !tool_operand_count(cap->tool))
		return true;
	if (path && tool_operand_count(cap->tool)) {
		tool_error(cap->tool, "a filter from -F and another from the operands");
		return false;
	}
	cap->filter_text = path ? from_file(cap, path) : from_operands(cap->tool);
	if (!cap->filter_text && !path)
		tool_error(cap->tool, "out of memory");
	return cap->filter_text != NULL;
}
