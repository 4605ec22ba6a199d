// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology_names.h"

#include <stdlib.h>
#include <string.h>

bool net_name_is_usual(const char *text, bool *is_host, uint32_t *number)
{
	const size_t prefix = strncmp(text, "host", 4) == 0 ? 4 : strncmp(text, "switch", 6) == 0 ? 6 : 0;
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
			return tr_fail(err, "a name has no blank, control character or '#'");
	if (net_name_is_usual(text, &is_host, &number))
		return tr_fail(err, "the name %s is kept for %s number %u", text, is_host ? "host" : "switch", number);
	return TR_OK;
}

static int compare(const void *one, const void *other, void *context)
{
	char **names = context;

	return strcmp(names[*(const uint32_t *)one], names[*(const uint32_t *)other]);
}

enum tr_status net_names_open(struct net_names *names, const struct net_topology *topology, struct tr_error *err)
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
	qsort_r(names->nodes, names->count, sizeof(*names->nodes), compare, topology->names);
	for (size_t i = 1; i < names->count; i++)
		if (compare(&names->nodes[i - 1], &names->nodes[i], topology->names) == 0)
			return tr_fail(err, "two nodes are called %s", topology->names[names->nodes[i]]);
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

bool net_names_find(const struct net_names *names, const char *text, uint32_t *node)
{
	const struct net_topology *topology = names->topology;
	uint32_t number;
	bool is_host;

	if (find_own(names, text, node))
		return true;
	if (!net_name_is_usual(text, &is_host, &number) || number >= (is_host ? topology->hosts : topology->switches))
		return false;
	*node = is_host ? number : topology->hosts + number;
	return !topology->names || !topology->names[*node];
}

void net_names_close(struct net_names *names)
{
	free(names->nodes);
	*names = (struct net_names){0};
}
