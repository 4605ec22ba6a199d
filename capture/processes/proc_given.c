// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of a flitline-program: parameters with its name, and a table of costs.
#include <stdio.h>
#include <string.h>

#include "processes/proc_code.h"
#include "value/num.h"

const char *const proc_cost_names[PROC_COSTS] = {
	"load",	   "store", "index",  "arithmetic", "branch",  "send", "broadcast",
	"receive", "write", "create", "join",	    "barrier", "end",  "local"};

// ---- parameters given with the name

static bool read_override(struct proc_text *text, const char *item, size_t length,
			  struct tr_error *err)
{
	struct proc_override *override = &text->overrides[text->override_count];
	const char *sign = memchr(item, '=', length);
	const size_t name = sign ? (size_t)(sign - item) : 0;

	if (text->override_count == PROC_PARAMS_MAX) {
		tr_fail(err, "--program: more than %u parameters", PROC_PARAMS_MAX);
		return false;
	}
	if (name == 0 || name > PROC_NAME_MAX || length - name - 1 >= sizeof(override->value)) {
		tr_fail(err, "--program: expected NAME=VALUE, found \"%.*s\"",
			(int)(length < 100 ? length : 100), item);
		return false;
	}
	memcpy(override->name, item, name);
	memcpy(override->value, sign + 1, length - name - 1);
	for (uint32_t i = 0; i < text->override_count; i++)
		if (strcmp(text->overrides[i].name, override->name) == 0) {
			tr_fail(err, "--program: %s is given twice", override->name);
			return false;
		}
	text->override_count++;
	return true;
}

bool proc_read_overrides(struct proc_text *text, const char *items, struct tr_error *err)
{
	while (items && *items) {
		const size_t length = strcspn(items, ",");

		if (!read_override(text, items, length, err))
			return false;
		items += length + (items[length] == ',');
	}
	return true;
}

bool proc_override_of(struct proc_text *text, const char *name, bool *given, double *value)
{
	struct tr_error why;

	*given = false;
	for (uint32_t i = 0; i < text->override_count; i++) {
		struct proc_override *override = &text->overrides[i];

		if (strcmp(override->name, name) != 0)
			continue;
		override->used = *given = true;
		if (num_parse_real(override->value, value, &why) == TR_OK)
			return true;
		text->words.failed = true;
		tr_fail(text->words.err, "--program: %s: %s", name, why.text);
		return false;
	}
	return true;
}

// ---- the table of costs

static enum tr_status read_cost(uint32_t costs[PROC_COSTS], const struct tr_lines *lines,
				char *line, struct tr_error *err)
{
	char *name = line + strspn(line, " \t");
	char *number;
	uint64_t cost;
	struct tr_error why;

	name[strcspn(name, "#")] = '\0';
	if (*name == '\0')
		return TR_OK;
	number = name + strcspn(name, " \t");
	if (*number != '\0')
		*number++ = '\0';
	number += strspn(number, " \t");
	number[strcspn(number, " \t")] = '\0';
	for (int i = 0; i < PROC_COSTS; i++) {
		if (strcmp(name, proc_cost_names[i]) != 0)
			continue;
		if (num_parse_count(number, 0, PROC_COST_MAX, &cost, &why) != TR_OK)
			return tr_lines_fail(lines, err, "%s: %s", name, why.text);
		costs[i] = (uint32_t)cost;
		return TR_OK;
	}
	return tr_lines_fail(lines, err,
			     "no cost is called \"%.40s\"; expected load, store, index, "
			     "arithmetic, branch, send, receive, write, "
			     "create, join, barrier, end or local",
			     name);
}

enum tr_status proc_costs_read(uint32_t costs[PROC_COSTS], struct tr_source *source,
			       struct tr_error *err)
{
	struct tr_lines lines = {.source = source};
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK)
		if (read_cost(costs, &lines, line, err) != TR_OK) {
			status = TR_ERROR;
			break;
		}
	tr_lines_clear(&lines);
	return status == TR_END ? TR_OK : TR_ERROR;
}

bool proc_open_costs(struct proc_text *text, const char *path)
{
	struct tr_source *source = text->opener ? text->opener->open(text->opener->context, path)
						: NULL;
	enum tr_status status;
	struct tr_error why;

	if (!source)
		return proc_words_wrong(&text->words, "the table of costs %s cannot be read", path);
	status = proc_costs_read(text->program->costs, source, &why);
	tr_source_close(source);
	if (status == TR_OK)
		return true;
	text->words.failed = true;
	*text->words.err = why;
	return false;
}

bool proc_parse_costs(struct proc_text *text)
{
	const char *own = tr_source_name(text->words.lines.source);
	const char *slash = strrchr(own, '/');
	const char *name = proc_words_rest(&text->words);
	char path[4096];

	if (*name == '\0')
		return proc_words_expected(&text->words, "the name of a file");
	if (*name == '-')
		return proc_words_wrong(&text->words, "the table of costs must be a file");
	for (uint32_t i = 0; i < text->override_count; i++)
		if (strcmp(text->overrides[i].name, "costs") == 0)
			return true;
	if (snprintf(path, sizeof(path), "%.*s%s",
		     *name != '/' && slash ? (int)(slash + 1 - own) : 0, own,
		     name) >= (int)sizeof(path))
		return proc_words_wrong(&text->words, "the name of the table of costs is too long");
	return proc_open_costs(text, path);
}
