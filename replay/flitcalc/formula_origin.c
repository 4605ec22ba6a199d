// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <stdio.h>
#include <string.h>

#include "stream/provenance.h"
#include "stream/reader.h"

static size_t depth_of(const char *line)
{
	return strspn(line, " ");
}

static const char *formula_origin_next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

// The simulation in a history: its line; NULL.
static const char *find_simulation(const char *history)
{
	for (; *history != '\0'; history = formula_origin_next_line(history))
		if (strncmp(history + depth_of(history), "flitsim ", 8) == 0)
			return history;
	return NULL;
}

// The value of an option of the program at a line, into out; usual if it was not given.
static void find_option(const char *program, const char *option, const char *usual, char out[256])
{
	const size_t depth = depth_of(program), length = strlen(option);

	(void)snprintf(out, 256, "%s", usual);
	for (const char *line = formula_origin_next_line(program);
	     *line != '\0' && depth_of(line) > depth; line = formula_origin_next_line(line)) {
		const char *text = line + depth_of(line);

		if (depth_of(line) == depth + 2 && strncmp(text, option, length) == 0)
			(void)snprintf(out, 256, "%.*s", (int)strcspn(text + length, "\n"),
				       text + length);
	}
}

static void warn_where_other(struct tool *tool, const struct tr_reader *in, const char *option,
			     const char *was, const char *is)
{
	if (strcmp(tr_provenance_base(was), tr_provenance_base(is)) != 0)
		tool_warn(tool,
			  "%s: delivered with %s%s, compared with %s%s: if these differ, so do the "
			  "formulas",
			  tr_reader_name(in), option, was, option, is);
}

void formula_origin_check(struct tool *tool, const struct tr_reader *in, const char *network,
			  const char *routes)
{
	const char *simulation = find_simulation(tr_reader_provenance(in));
	char was[256];

	if (!simulation)
		return;
	find_option(simulation, "option --net=", FORMULA_NETWORK, was);
	warn_where_other(tool, in, "--net=", was, network);
	find_option(simulation, "option --routes=", FORMULA_ROUTES, was);
	warn_where_other(tool, in, "--routes=", was, routes);
}
