// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/routes_forms.h"

#include <stdlib.h>
#include <string.h>

#include "net/studies/designs/blocks.h"
#include "net/routes/routes.h"
#include "net/routes/routes_reading.h"
#include "stream/recognise.h"

#define HEAD_BYTES 4096u

static bool routes_forms_is_text(const char *head)
{
	return strncmp(head, NET_ROUTES_MAGIC, strlen(NET_ROUTES_MAGIC)) == 0;
}

// Two numbers, then a quoted name on the next nonblank line.
static bool is_gm(const char *head)
{
	size_t numbers = strspn(head, "0123456789 \t\r");

	return numbers > 0 && head[numbers] == '\n' &&
	       head[numbers + strspn(head + numbers, "\r\n")] == '"';
}

// Row 0 begins with the diagonal.
static bool is_yates(const char *head)
{
	return strncmp(head + strspn(head, " \t\r\n"), "-99", 3) == 0;
}

#ifdef FLIT_STUDIES
static bool is_blocks(const char *head)
{
	return strncmp(head, NET_BLOCKS_MAGIC, strlen(NET_BLOCKS_MAGIC)) == 0;
}
#endif

static const struct routes_forms_form {
	bool (*is)(const char *head);
	enum tr_status (*read)(struct net_routes_reading *reading, struct tr_error *err);
	bool table; // of lists, which is opened for read
} forms[] = {
	{routes_forms_is_text, net_routes_read_text, false},
	{is_gm, net_gm_routes_read, true},
	{is_yates, net_yates_table_read, true},
#ifdef FLIT_STUDIES
	{is_blocks, net_blocks_routes_read, false},
#endif
};

static const struct routes_forms_form *routes_forms_find_form(struct tr_source *source,
							      struct tr_error *err)
{
	char hint[TR_RECOGNISE_HINT_BYTES];
	char head[HEAD_BYTES + 1] = "";
	const uint8_t *data;
	size_t got;

	if (tr_source_peek(source, HEAD_BYTES, &data, &got, err) == TR_ERROR)
		return NULL;
	memcpy(head, data, got < HEAD_BYTES ? got : HEAD_BYTES);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].is(head))
			return &forms[i];
	tr_fail(err,
		"%s:1: expected routes (\"%s %s\", a GM route file, a Yates table or blocks)%s",
		tr_source_name(source), NET_ROUTES_MAGIC, NET_ROUTES_VERSION,
		tr_recognise_source(source, hint, sizeof(hint)));
	return NULL;
}

static enum tr_status open_reading(struct net_routes_reading *reading, struct net_routes *routes,
				   const struct net_topology *topology, struct tr_source *source,
				   struct tr_error *err)
{
	*reading = (struct net_routes_reading){
		.topology = topology, .lines = {.source = source}, .routes = routes};
	reading->ports = calloc(NET_ROUTE_TEXT_MAX, sizeof(*reading->ports));
	reading->path.links = calloc(NET_ROUTE_TEXT_MAX + 1, sizeof(*reading->path.links));
	if (!reading->ports || !reading->path.links)
		return tr_no_memory(err, "routes");
	if (net_graph_open(&reading->graph, topology, err) != TR_OK ||
	    net_names_open(&reading->names, topology, err) != TR_OK)
		return TR_ERROR;
	return TR_OK;
}

static void routes_forms_close_reading(struct net_routes_reading *reading)
{
	net_graph_close(&reading->graph);
	net_names_close(&reading->names);
	tr_lines_clear(&reading->lines);
	free(reading->ports);
	free(reading->path.links);
}

enum tr_status net_routes_read(struct net_routes *routes, const struct net_topology *topology,
			       struct tr_source *source, struct tr_error *err)
{
	const struct routes_forms_form *form = routes_forms_find_form(source, err);
	struct net_routes_reading reading;
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (!form)
		return TR_ERROR;
	status = open_reading(&reading, routes, topology, source, err);
	if (status == TR_OK && form->table)
		status = net_route_table_open(routes, topology->hosts, err);
	if (status == TR_OK)
		status = form->read(&reading, err);
	if (status != TR_OK)
		net_routes_clear(routes);
	routes_forms_close_reading(&reading);
	return status;
}

enum tr_status net_routes_write(const struct net_routes *routes,
				const struct net_topology *topology, enum net_routes_form_name form,
				const char *comments, FILE *out, struct tr_error *err)
{
	static enum tr_status (*const writers[])(struct net_routes_writing * writing,
						 struct tr_error * err) = {
		[NET_ROUTES_TEXT] = net_routes_write_text,
		[NET_ROUTES_GM] = net_gm_routes_write,
		[NET_ROUTES_YATES] = net_yates_table_write,
	};
	struct net_routes_writing writing = {
		.routes = routes, .topology = topology, .comments = comments, .out = out};
	enum tr_status status = TR_OK;

	if (net_routes_need_one(routes, "a file of routes has", err) != TR_OK)
		return TR_ERROR;
	if (form != NET_ROUTES_TEXT && (routes->choices || routes->lanes > 1))
		return tr_fail(err, "%s has no %s",
			       form == NET_ROUTES_GM ? "a GM route file" : "a Yates table",
			       routes->choices ? "routes with a choice" : "lanes");
	writing.ports = calloc((size_t)routes->longest + 1, sizeof(*writing.ports));
	if (!writing.ports)
		return tr_no_memory(err, "routes");
	status = net_graph_open(&writing.graph, topology, err);
	if (status == TR_OK)
		status = writers[form](&writing, err);
	net_graph_close(&writing.graph);
	free(writing.ports);
	return status;
}
