// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/engine.h"
#include "net/topology/adapters.h"

uint32_t net_topology_ports(const struct net_topology *topology, uint32_t node)
{
	return node < topology->hosts ? 1 : topology->ports[node - topology->hosts];
}

static void topology_name_adapter(const struct net_topology *topology, uint32_t adapter, char *out,
				  size_t out_bytes)
{
	const uint32_t host = net_host_of(topology, adapter);
	const size_t used = strlen(net_host_name(topology, host, out, out_bytes));

	if (net_host_ports(topology, host) > 1)
		snprintf(out + used, out_bytes - used, ".%u",
			 adapter - net_host_first(topology, host));
}

const char *net_topology_name(const struct net_topology *topology, uint32_t node, char *out,
			      size_t out_bytes)
{
	if (net_has_adapters(topology) && node < topology->hosts)
		topology_name_adapter(topology, node, out, out_bytes);
	else if (topology->names && topology->names[node])
		snprintf(out, out_bytes, "%s", topology->names[node]);
	else if (node < topology->hosts)
		snprintf(out, out_bytes, "host%u", node);
	else
		snprintf(out, out_bytes, "switch%u", node - topology->hosts);
	return out;
}

static enum tr_status topology_check_end(const struct net_topology *topology, const size_t *first,
					 unsigned char *used, struct net_end end,
					 struct tr_error *err)
{
	if (end.node >= topology->hosts + topology->switches)
		return tr_fail(err, "a cable ends at unknown node %u", end.node);
	if (end.port >= net_topology_ports(topology, end.node))
		return tr_fail(err, "node %u has no port %u", end.node, end.port);
	if (used[first[end.node] + end.port]++ != 0)
		return tr_fail(err, "two cables on port %u of node %u", end.port, end.node);
	return TR_OK;
}

static enum tr_status check_ends(const struct net_topology *topology, const size_t *first,
				 unsigned char *used, struct tr_error *err)
{
	for (size_t i = 0; i < 2 * topology->cable_count; i++)
		if (topology_check_end(topology, first, used, topology->cables[i / 2].ends[i % 2],
				       err) != TR_OK)
			return TR_ERROR;
	for (uint32_t host = 0; host < topology->hosts; host++)
		if (!used[first[host]])
			return tr_fail(err, "host %u has no cable", host);
	return TR_OK;
}

enum tr_status net_topology_check(const struct net_topology *topology, struct tr_error *err)
{
	size_t nodes = (size_t)topology->hosts + topology->switches;
	size_t *first = calloc(nodes + 1, sizeof(*first));
	unsigned char *used = NULL;
	enum tr_status status = TR_ERROR;

	for (uint32_t node = 0; first && node < nodes; node++)
		first[node + 1] = first[node] + net_topology_ports(topology, node);
	if (first)
		used = calloc(first[nodes] + 1, 1);
	if (!used)
		tr_no_memory(err, "the check of the topology");
	else
		status = check_ends(topology, first, used, err);
	free(first);
	free(used);
	return status;
}

void net_topology_clear(struct net_topology *topology)
{
	for (uint32_t i = 0; topology->names && i < topology->hosts + topology->switches; i++)
		free(topology->names[i]);
	free(topology->names);
	free(topology->places);
	free(topology->ports);
	free(topology->cables);
	free(topology->adapters.first);
	free(topology->adapters.host);
	*topology = (struct net_topology){0};
}

bool net_name_is_usual(const char *text, bool *is_host, uint32_t *number)
{
	const size_t prefix = strncmp(text, "host", 4) == 0	? 4
			      : strncmp(text, "switch", 6) == 0 ? 6
								: 0;
	uint64_t value;

	if (prefix == 0 || (text[prefix] == '0' && text[prefix + 1] != '\0') ||
	    num_parse_count(text + prefix, 0, UINT32_MAX, &value, NULL) != TR_OK)
		return false;
	*is_host = prefix == 4;
	*number = (uint32_t)value;
	return true;
}

enum tr_status net_name_check(const char *text, struct tr_error *err)
{
	const size_t bytes = strlen(text);
	bool is_host;
	uint32_t number;

	if (bytes < 1 || bytes > NET_NAME_MAX)
		return tr_fail(err, "a name has 1 to %u bytes, not %zu", NET_NAME_MAX, bytes);
	for (const char *c = text; *c != '\0'; c++)
		if ((unsigned char)*c <= ' ' || *c == 127 || *c == '#')
			return tr_fail(err,
				       "a name must not contain a blank, control character or '#'");
	if (net_name_is_usual(text, &is_host, &number))
		return tr_fail(err, "the name %s is reserved for %s number %u", text,
			       is_host ? "host" : "switch", number);
	return TR_OK;
}

static int topology_compare(const void *one, const void *other, void *context)
{
	char **names = context;

	return strcmp(names[*(const uint32_t *)one], names[*(const uint32_t *)other]);
}

enum tr_status net_names_open(struct net_names *names, const struct net_topology *topology,
			      struct tr_error *err)
{
	const uint32_t nodes = topology->hosts + topology->switches;

	*names = (struct net_names){.topology = topology};
	if (!topology->names)
		return TR_OK;
	names->nodes = calloc((size_t)nodes + 1, sizeof(*names->nodes));
	if (!names->nodes)
		return tr_no_memory(err, "the names of %u nodes", nodes);
	for (uint32_t i = 0; i < nodes; i++)
		if (topology->names[i])
			names->nodes[names->count++] = i;
	qsort_r(names->nodes, names->count, sizeof(*names->nodes), topology_compare,
		topology->names);
	for (size_t i = 1; i < names->count; i++)
		if (topology_compare(&names->nodes[i - 1], &names->nodes[i], topology->names) == 0)
			return tr_fail(err, "duplicate name %s", topology->names[names->nodes[i]]);
	return TR_OK;
}

static bool find_own(const struct net_names *names, const char *text, uint32_t *node)
{
	size_t low = 0;
	size_t high = names->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = strcmp(text, names->topology->names[names->nodes[middle]]);

		if (order == 0) {
			*node = names->nodes[middle];
			return true;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

bool net_names_find_whole(const struct net_names *names, const char *text, bool *is_host,
			  uint32_t *number)
{
	const struct net_topology *topology = names->topology;
	uint32_t node;

	if (find_own(names, text, &node)) {
		*is_host = node < topology->hosts;
		*number = *is_host ? net_host_of(topology, node) : node - topology->hosts;
		return true;
	}
	if (!net_name_is_usual(text, is_host, number) ||
	    *number >= (*is_host ? net_host_count(topology) : topology->switches))
		return false;
	node = *is_host ? net_host_first(topology, *number) : topology->hosts + *number;
	return !topology->names || !topology->names[node];
}

// The port of a host with several.
static bool topology_find_adapter(const struct net_names *names, const char *text, uint32_t *node)
{
	const struct net_topology *topology = names->topology;
	const char *dot = strrchr(text, '.');
	char name[NET_NAME_MAX + 1];
	uint64_t port;
	uint32_t host;
	bool is_host;

	if (!dot || (size_t)(dot - text) >= sizeof(name))
		return false;
	memcpy(name, text, (size_t)(dot - text));
	name[dot - text] = '\0';
	if (!net_names_find_whole(names, name, &is_host, &host) || !is_host ||
	    net_host_ports(topology, host) == 1 ||
	    num_parse_count(dot + 1, 0, net_host_ports(topology, host) - 1, &port, NULL) != TR_OK)
		return false;
	*node = net_host_first(topology, host) + (uint32_t)port;
	return true;
}

bool net_names_find(const struct net_names *names, const char *text, uint32_t *node)
{
	const struct net_topology *topology = names->topology;
	uint32_t number;
	bool is_host;

	if (!net_names_find_whole(names, text, &is_host, &number))
		return net_has_adapters(topology) && topology_find_adapter(names, text, node);
	*node = is_host ? net_host_first(topology, number) : topology->hosts + number;
	return !is_host || net_host_ports(topology, number) == 1;
}

void net_names_close(struct net_names *names)
{
	free(names->nodes);
	*names = (struct net_names){0};
}

static void end_name(const struct net_topology *topology, struct net_end end, char *out,
		     size_t bytes)
{
	size_t used = strlen(net_topology_name(topology, end.node, out, bytes));

	if (end.node >= topology->hosts)
		snprintf(out + used, bytes - used, ".%u", end.port);
}

const char *net_link_name(const struct net_topology *topology, uint32_t link, char *out,
			  size_t out_bytes)
{
	const struct net_cable *cable = &topology->cables[link / 2];
	char from[NET_NAME_MAX + 16];
	char to[NET_NAME_MAX + 16];

	end_name(topology, cable->ends[link % 2], from, sizeof(from));
	end_name(topology, cable->ends[1 - link % 2], to, sizeof(to));
	snprintf(out, out_bytes, "%s>%s", from, to);
	return out;
}
