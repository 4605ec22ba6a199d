// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/provenance.h"

#include <stdlib.h>
#include <string.h>

static void provenance_append(struct tr_provenance *provenance, const char *text, size_t bytes)
{
	char *larger = realloc(provenance->text, provenance->bytes + bytes + 1);

	if (!larger) {
		provenance->failed = true;
		return;
	}
	memcpy(larger + provenance->bytes, text, bytes);
	provenance->text = larger;
	provenance->bytes += bytes;
	larger[provenance->bytes] = '\0';
}

// A line must stay one line, whatever a file is called.
static void append_plain(struct tr_provenance *provenance, const char *text)
{
	size_t begin = provenance->bytes;

	provenance_append(provenance, text, strlen(text));
	for (size_t i = begin; i < provenance->bytes; i++)
		if ((unsigned char)provenance->text[i] < 0x20 || provenance->text[i] == 0x7f)
			provenance->text[i] = '?';
}

static void indent(struct tr_provenance *provenance, unsigned depth)
{
	while (depth-- > 0)
		provenance_append(provenance, "  ", 2);
}

void tr_provenance_line(struct tr_provenance *provenance, unsigned depth, const char *word,
			const char *rest)
{
	indent(provenance, depth);
	provenance_append(provenance, word, strlen(word));
	provenance_append(provenance, " ", 1);
	append_plain(provenance, rest);
	provenance_append(provenance, "\n", 1);
}

void tr_provenance_nest(struct tr_provenance *provenance, unsigned depth, const char *text)
{
	while (*text) {
		size_t line_bytes = strcspn(text, "\n");

		indent(provenance, depth);
		provenance_append(provenance, text, line_bytes);
		provenance_append(provenance, "\n", 1);
		text += line_bytes + (text[line_bytes] == '\n');
	}
}

void tr_provenance_input(struct tr_provenance *provenance, unsigned depth, const char *path,
			 const char *history)
{
	tr_provenance_line(provenance, depth, "input", tr_provenance_base(path));
	tr_provenance_nest(provenance, depth + 1, history);
}

const char *tr_provenance_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void tr_provenance_clear(struct tr_provenance *provenance)
{
	free(provenance->text);
	*provenance = (struct tr_provenance){.text = NULL};
}
