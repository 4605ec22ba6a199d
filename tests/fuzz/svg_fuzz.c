// SPDX-License-Identifier: GPL-3.0-or-later
// Any text instead of gnuplot's picture: rejected, or made into one picture with closed tags,
// without scripts and with only its own ids.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page/gnuplot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static size_t occurrences(const char *text, const char *word)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		count++;
	return count;
}

// How often a tag has an attribute whose name begins so, with a blank before it.
static size_t attributes(const char *text, const char *name)
{
	bool tag = false, quoted = false;
	size_t count = 0;

	for (; *text; text++) {
		quoted = tag && *text == '"' ? !quoted : quoted;
		tag = quoted || *text == '<' || (tag && *text != '>');
		count += tag && !quoted && strncmp(text, name, strlen(name)) == 0;
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct svg_names names = {"f1", "title", "about"};
	char *text = strndup((const char *)data, size), *made = NULL;
	const char *rest = text;
	struct tr_error err = {""};
	size_t bytes;
	FILE *out = open_memstream(&made, &bytes);
	enum tr_status status;

	promise(text && out);
	status = svg_write(out, &rest, &names, &err);
	promise(fclose(out) == 0);
	promise(status == TR_OK || (status == TR_ERROR && *err.text));
	if (status == TR_OK) {
		promise(rest > text && rest <= text + strlen(text));
		promise(!strstr(made, "<script") && attributes(made, " on") == 0);
		promise(attributes(made, " id=") == 2);
		promise(occurrences(made, "<svg") == 1 && occurrences(made, "</svg>") == 1);
	}
	free(text);
	free(made);
	return 0;
}
