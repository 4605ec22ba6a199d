// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/picture.h"

#include <string.h>

#include "net/topology/adapters.h"
#include "value/escape.h"

#define NAME_ROOM (NET_NAME_MAX + 16)
#define POINTS_A_COLUMN 120
#define POINTS_A_ROW 120

// The name of a switch, or of the host of an adapter.
static void dot_write_name(const struct net_topology *topology, uint32_t node, FILE *out)
{
	char name[NAME_ROOM];

	text_write_dot(out, node < topology->hosts
				    ? net_host_name(topology, net_host_of(topology, node), name,
						    sizeof(name))
				    : net_topology_name(topology, node, name, sizeof(name)));
}

static void write_comments(const char *comments, FILE *out)
{
	while (comments && *comments != '\0') {
		const size_t bytes = strcspn(comments, "\n");

		(void)fprintf(out, "// %.*s\n", (int)bytes, comments);
		comments += bytes + (comments[bytes] == '\n');
	}
}

static void write_switch(const struct net_topology *topology, uint32_t index, FILE *out)
{
	(void)fputc('\t', out);
	dot_write_name(topology, topology->hosts + index, out);
	if (topology->places)
		(void)fprintf(out, " [pos=\"%lld,%lld\"]",
			      POINTS_A_COLUMN * (long long)topology->places[index].column,
			      -POINTS_A_ROW * (long long)topology->places[index].row);
	(void)fputs(";\n", out);
}

// The port of an end that has a label; false: a host with one port has none.
static bool dot_find_port(const struct net_topology *topology, struct net_end end, uint32_t *port)
{
	const bool is_host = end.node < topology->hosts;
	const uint32_t host = is_host ? net_host_of(topology, end.node) : 0;

	*port = is_host ? end.node - net_host_first(topology, host) : end.port;
	return !is_host || net_host_ports(topology, host) > 1;
}

static void write_cable(const struct net_topology *topology, const struct net_cable *cable,
			FILE *out)
{
	static const char *const labels[] = {"taillabel", "headlabel"};
	const char *before = " [";
	uint32_t port;

	(void)fputc('\t', out);
	dot_write_name(topology, cable->ends[0].node, out);
	(void)fputs(" -- ", out);
	dot_write_name(topology, cable->ends[1].node, out);
	for (size_t i = 0; i < 2; i++) {
		if (!dot_find_port(topology, cable->ends[i], &port))
			continue;
		(void)fprintf(out, "%s%s=\"%u\"", before, labels[i], port);
		before = ", ";
	}
	(void)fprintf(out, "%s;\n", *before == ',' ? "]" : "");
}

void draw_dot(const struct net_topology *topology, const char *title, const char *comments,
	      FILE *out)
{
	write_comments(comments, out);
	(void)fputs("graph ", out);
	text_write_dot(out, title);
	(void)fputs(" {\n\tgraph [overlap=false, splines=true];\n"
		    "\tedge [fontname=\"monospace\", fontsize=8];\n"
		    "\tnode [fontname=\"monospace\", fontsize=10, shape=ellipse];\n",
		    out);
	for (uint32_t i = 0; i < net_host_count(topology); i++) {
		(void)fputc('\t', out);
		dot_write_name(topology, net_host_first(topology, i), out);
		(void)fputs(";\n", out);
	}
	(void)fputs("\tnode [shape=box];\n", out);
	for (uint32_t i = 0; i < topology->switches; i++)
		write_switch(topology, i, out);
	for (size_t i = 0; i < topology->cable_count; i++)
		write_cable(topology, &topology->cables[i], out);
	(void)fputs("}\n", out);
}
