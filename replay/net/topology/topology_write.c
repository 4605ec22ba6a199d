// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "net/topology/topology.h"
#include "net/topology/topology_text.h"

#define END_MAX (NET_NAME_MAX + 16)

static const char *own_name(const struct net_topology *topology, uint32_t node)
{
	return topology->names ? topology->names[node] : NULL;
}

static enum tr_status topology_write_check_names(const struct net_topology *topology,
						 struct tr_error *err)
{
	struct net_names names;
	enum tr_status status = net_names_open(&names, topology, err);

	net_names_close(&names);
	for (uint32_t i = 0; status == TR_OK && i < topology->hosts + topology->switches; i++)
		if (own_name(topology, i))
			status = net_name_check(own_name(topology, i), err);
	return status;
}

static void topology_write_write_comments(const char *comments, FILE *out)
{
	while (comments && *comments != '\0') {
		const size_t bytes = strcspn(comments, "\n");

		(void)fprintf(out, "# %.*s\n", (int)bytes, comments);
		comments += bytes + (comments[bytes] == '\n');
	}
}

static void write_host_ports(uint32_t ports, FILE *out)
{
	if (ports > 1)
		(void)fprintf(out, " ports %" PRIu32, ports);
	(void)fputc('\n', out);
}

static void write_hosts(const struct net_topology *topology, FILE *out)
{
	const uint32_t hosts = net_host_count(topology);

	for (uint32_t i = 0; i < hosts;) {
		const uint32_t first = i, ports = net_host_ports(topology, i);

		while (i < hosts && !own_name(topology, net_host_first(topology, i)) &&
		       net_host_ports(topology, i) == ports)
			i++;
		if (i > first)
			(void)fprintf(out, "hosts %" PRIu32, i - first);
		else
			(void)fprintf(out, "host %s",
				      own_name(topology, net_host_first(topology, i++)));
		write_host_ports(ports, out);
	}
}

// Whether a switch needs its own line.
static bool is_special(const struct net_topology *topology, uint32_t index)
{
	return topology->places || own_name(topology, topology->hosts + index);
}

static void topology_write_write_switch(const struct net_topology *topology, uint32_t index,
					FILE *out)
{
	char name[END_MAX];

	net_topology_name(topology, topology->hosts + index, name, sizeof(name));
	(void)fprintf(out, "switch %s ports %" PRIu32, name, topology->ports[index]);
	if (topology->places)
		(void)fprintf(out, " at %" PRId32 ",%" PRId32, topology->places[index].column,
			      topology->places[index].row);
	(void)fputc('\n', out);
}

static void write_switches(const struct net_topology *topology, FILE *out)
{
	for (uint32_t i = 0; i < topology->switches;) {
		const uint32_t first = i;

		while (i < topology->switches && !is_special(topology, i) &&
		       topology->ports[i] == topology->ports[first])
			i++;
		if (i > first)
			(void)fprintf(out, "switches %" PRIu32 " ports %" PRIu32 "\n", i - first,
				      topology->ports[first]);
		else
			topology_write_write_switch(topology, i++, out);
	}
}

static void write_end(const struct net_topology *topology, struct net_end end, FILE *out)
{
	char name[END_MAX];

	net_topology_name(topology, end.node, name, sizeof(name));
	(void)fprintf(out, " %s", name);
	if (end.node >= topology->hosts)
		(void)fprintf(out, ".%" PRIu32, end.port);
}

static void write_quantity(const char *word, struct num_ratio value, enum num_dimension dimension,
			   FILE *out)
{
	char text[64];

	if (value.den != 0)
		(void)fprintf(out, " %s %s", word,
			      num_format_exact(value, dimension, text, sizeof(text)));
}

enum tr_status net_topology_write(const struct net_topology *topology, const char *comments,
				  FILE *out, struct tr_error *err)
{
	if (topology_write_check_names(topology, err) != TR_OK)
		return TR_ERROR;
	(void)fprintf(out, "%s %s\n", NET_TOPOLOGY_MAGIC, NET_TOPOLOGY_VERSION);
	topology_write_write_comments(comments, out);
	write_hosts(topology, out);
	write_switches(topology, out);
	if (topology->group > 0)
		(void)fprintf(out, "group %" PRIu32 "\n", topology->group);
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];

		(void)fputs("cable", out);
		write_end(topology, cable->ends[0], out);
		write_end(topology, cable->ends[1], out);
		write_quantity("length", cable->length_m, NUM_LENGTH, out);
		write_quantity("rate", cable->rate_bps, NUM_RATE, out);
		write_quantity("conversion", cable->conversion_s, NUM_TIME, out);
		(void)fputc('\n', out);
	}
	(void)fputs("end\n", out);
	return TR_OK;
}
