// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/nodes/discovery.h"
#include "value/grow.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define IN_ASIDE 1u
#define IN_KEPT 2u
#define KNOWN 4u
#define IS_DISCOVERY 8u
#define ICMP6 58u

static bool is_ethernet_group(const char *address)
{
	for (size_t i = 0; i < 17; i++)
		if (i % 3 == 2 ? address[i] != ':' : !isxdigit((unsigned char)address[i]))
			return false;
	return address[17] == '\0' && strchr("13579bdfBDF", address[1]) != NULL;
}

bool discovery_address(const char *address)
{
	unsigned char bytes[sizeof(struct in6_addr)];

	if (inet_pton(AF_INET, address, bytes) == 1)
		return (bytes[0] >= 224 && bytes[0] <= 239) || memcmp(bytes, "\0\0\0\0", 4) == 0 ||
		       memcmp(bytes, "\xff\xff\xff\xff", 4) == 0;
	if (inet_pton(AF_INET6, address, bytes) == 1)
		return bytes[0] == 0xff || strcmp(address, "::") == 0;
	return is_ethernet_group(address);
}

// DHCP, DHCPv6, mDNS, LLMNR, SSDP, WS-Discovery, NetBIOS.
static bool is_discovery_port(uint32_t port)
{
	static const uint32_t ports[] = {67, 68, 546, 547, 5353, 5355, 1900, 3702, 137, 138};

	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++)
		if (ports[i] == port)
			return true;
	return false;
}

static bool is_link_local(const char *address)
{
	return strncasecmp(address, "fe80:", 5) == 0;
}

static bool is_discovery_flow(const struct tr_names *names, uint32_t id)
{
	const struct tr_flow *flow = tr_names_find_flow(names, id);

	if (!flow || flow->src == TR_NODE_OTHER)
		return false;
	if (flow->protocol == IPPROTO_IGMP)
		return true;
	if (flow->protocol == ICMP6)
		return is_link_local(tr_names_node(names, flow->src)) ||
		       is_link_local(tr_names_node(names, flow->dst));
	return flow->protocol == IPPROTO_UDP && is_discovery_port(flow->src_port) &&
	       is_discovery_port(flow->dst_port);
}

static enum tr_status discovery_reserve(struct discovery *discovery, uint32_t count,
					struct tr_error *err)
{
	return count == 0 || GROW_ZEROED(discovery->nodes, discovery->count, count - 1)
		       ? TR_OK
		       : tr_no_memory(err, "%u nodes", count);
}

static bool is_discovery_node(struct discovery *discovery, const struct tr_names *names,
			      uint32_t id)
{
	const struct tr_node *node = tr_names_find_node(names, id);

	if (!node)
		return false;
	if (!(discovery->nodes[id] & KNOWN))
		discovery->nodes[id] |=
			(uint8_t)(KNOWN | (discovery_address(node->address) ? IS_DISCOVERY : 0));
	return discovery->nodes[id] & IS_DISCOVERY;
}

enum tr_status discovery_add(struct discovery *discovery, const struct tr_packet *packet,
			     const struct tr_names *names, bool *aside, struct tr_error *err)
{
	const uint32_t ends[] = {packet->src, packet->dst};

	if (discovery_reserve(discovery, names->node_count, err) != TR_OK)
		return TR_ERROR;
	*aside = is_discovery_node(discovery, names, packet->src) ||
		 is_discovery_node(discovery, names, packet->dst) ||
		 is_discovery_flow(names, packet->flow);
	*(*aside ? &discovery->packets : &discovery->kept) += 1;
	for (size_t i = 0; i < 2; i++)
		if (ends[i] < names->node_count)
			discovery->nodes[ends[i]] |= *aside ? IN_ASIDE : IN_KEPT;
	return TR_OK;
}

uint32_t discovery_nodes(const struct discovery *discovery)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < discovery->count; i++)
		nodes += (discovery->nodes[i] & (IN_ASIDE | IN_KEPT)) == IN_ASIDE;
	return nodes;
}

void discovery_clear(struct discovery *discovery)
{
	free(discovery->nodes);
	*discovery = (struct discovery){0};
}

// Bytes of each node that is a discovery_address.
static void sum_groups(const struct matrix *matrix, const struct tr_names *names, uint64_t *bytes,
		       uint64_t *all)
{
	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		*all += cell->size_bytes;
		if (cell->src < names->node_count)
			bytes[cell->src] += cell->size_bytes;
		if (cell->dst < names->node_count && cell->dst != cell->src)
			bytes[cell->dst] += cell->size_bytes;
	}
}

// Sets small[node] for what is to be joined; returns how many.
static uint32_t mark_small(const struct matrix *matrix, const struct tr_names *names, bool *small,
			   uint64_t *bytes)
{
	uint64_t all = matrix->rest.size_bytes;
	uint32_t count = 0;

	sum_groups(matrix, names, bytes, &all);
	for (size_t i = 0; i < matrix->pairs; i++) {
		const uint32_t ends[] = {matrix->cells[i].src, matrix->cells[i].dst};

		for (size_t k = 0; k < 2; k++) {
			if (ends[k] >= names->node_count || small[ends[k]] ||
			    (double)bytes[ends[k]] >= DISCOVERY_SHARE * (double)all ||
			    !discovery_address(tr_names_node(names, ends[k])))
				continue;
			small[ends[k]] = true;
			count++;
		}
	}
	return count;
}

static uint32_t joined_node(uint32_t node, const bool *small, uint32_t count)
{
	return node < count && small[node] ? DISCOVERY_NODE : node;
}

static enum tr_status join_small(struct matrix *matrix, const bool *small, uint32_t count,
				 struct tr_error *err)
{
	struct matrix out = {.rest = matrix->rest};

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		if (matrix_reserve(&out, err) != TR_OK) {
			matrix_clear(&out);
			return TR_ERROR;
		}
		matrix_add(&out, joined_node(cell->src, small, count),
			   joined_node(cell->dst, small, count), cell->packets, cell->size_bytes);
	}
	out.max_pairs = matrix->max_pairs;
	matrix_clear(matrix);
	*matrix = out;
	return TR_OK;
}

enum tr_status discovery_join(struct matrix *matrix, const struct tr_names *names, uint32_t *joined,
			      struct tr_error *err)
{
	bool *small = calloc(names->node_count + 1, sizeof(*small));
	uint64_t *bytes = calloc(names->node_count + 1, sizeof(*bytes));
	enum tr_status status = small && bytes ? TR_OK
					       : tr_no_memory(err, "%u nodes", names->node_count);
	uint32_t count = 0;

	*joined = 0;
	if (status == TR_OK && (count = mark_small(matrix, names, small, bytes)) > 1)
		status = join_small(matrix, small, names->node_count, err);
	if (status == TR_OK && count > 1)
		*joined = count;
	free(small);
	free(bytes);
	return status;
}

const char *discovery_node_name(const struct tr_names *names, uint32_t node)
{
	return node == DISCOVERY_NODE ? "multicast" : tr_names_node(names, node);
}
