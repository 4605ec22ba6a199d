// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MOST 1000000u // of a system, and rows of the table

// One number of nodes, or FROM..TO.
static enum tr_status read_span(char *text, struct net_span *span, struct tr_error *err)
{
	char *dots = strstr(text, "..");

	if (dots)
		*dots = '\0';
	if (num_parse_count(text, 2, NODES_MOST, &span->from, NULL) == TR_OK &&
	    num_parse_count(dots ? dots + 2 : text, span->from, NODES_MOST, &span->to, NULL) ==
		    TR_OK)
		return TR_OK;
	if (dots)
		*dots = '.';
	return tr_fail(err, "--nodes %.60s: expected a number of nodes from 2 to %u, or FROM..TO",
		       text, NODES_MOST);
}

struct spans {
	struct own_request *own;
	uint64_t rows;
};

static enum tr_status formula_own_add_span(void *context, char *item, struct tr_error *err)
{
	struct spans *spans = context;
	struct own_request *own = spans->own;
	struct net_span *span = &own->spans[own->span_count];

	if (own->span_count == OWN_SPANS_MAX)
		return tr_fail(err, "--nodes: more than %u items", OWN_SPANS_MAX);
	if (read_span(item, span, err) != TR_OK)
		return TR_ERROR;
	own->span_count++;
	spans->rows += span->to - span->from + 1;
	if (spans->rows > NODES_MOST)
		return tr_fail(err, "--nodes: more than %u numbers of nodes", NODES_MOST);
	return TR_OK;
}

enum tr_status own_request_read(struct own_request *own, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	struct spans spans = {own, 0};

	for (size_t i = 0; status == TR_OK && i < own->nodes.count; i++)
		status = opt_each_item(own->nodes.words[i], formula_own_add_span, &spans, err);
	return status;
}

bool own_tables(struct tool *tool, const struct own_request *own,
		const struct formula_request *formula, struct table **tables, size_t *count)
{
	struct tr_source **measured = calloc(own->measured.count + 1, sizeof(*measured));
	const struct net_tables_request request = {.setup = &formula->setup,
						   .sizes_B = formula->sizes_B,
						   .size_count = formula->size_count,
						   .spans = own->spans,
						   .span_count = own->span_count,
						   .measured = measured,
						   .measured_count = (uint32_t)own->measured.count};
	struct tr_error err = {""};
	bool opened = measured != NULL;

	*count = 0;
	for (size_t i = 0; opened && i < own->measured.count; i++)
		opened = (measured[i] = tool_open_source(tool, own->measured.words[i])) != NULL;
	if (!measured)
		(void)tr_no_memory(&err, "the tables");
	else if (opened)
		(void)formula->fabric->kind->tables(&request, tables, count, &err);
	if (*err.text != '\0')
		tool_error(tool, "%s", err.text);
	for (size_t i = 0; measured && i < own->measured.count; i++)
		tr_source_close(measured[i]);
	free(measured);
	return *count > 0;
}
