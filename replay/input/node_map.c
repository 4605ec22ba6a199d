// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/node_map.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "stream/record.h"
#include "table/keys.h"
#include "value/grow.h"
#include "value/num.h"
#include "value/random.h"

#define UNKNOWN (UINT32_MAX - 1)
#define BLANKS " \t\r\n"

static enum tr_status node_map_add(struct node_map *map, const char *address, uint32_t host,
				   const char *group, struct tr_error *err)
{
	struct node_map_line *lines;

	if (!GROW_BY_COUNT(map->lines, map->line_count))
		return tr_no_memory(err, "the map");
	lines = map->lines;
	for (uint32_t i = 0; i < map->line_count; i++) {
		if (strcmp(lines[i].address, address) == 0)
			return tr_fail(err, "%s is given twice", address);
		if (lines[i].host == host)
			return tr_fail(err, "host %u is given twice", host);
	}
	lines[map->line_count].host = host;
	lines[map->line_count].address = strdup(address);
	lines[map->line_count].group = group ? strdup(group) : NULL;
	if (!lines[map->line_count++].address || (group && !lines[map->line_count - 1].group))
		return tr_no_memory(err, "the map");
	return TR_OK;
}

static enum tr_status node_map_find_host(const struct node_map *map, const char *word,
					 uint32_t *host, struct tr_error *err)
{
	const uint32_t hosts = map->names.topology->hosts;
	uint64_t number;

	if (num_parse_count(word, 0, hosts - 1, &number, NULL) == TR_OK)
		*host = (uint32_t)number;
	else if (!net_names_find(&map->names, word, host) || *host >= hosts)
		return tr_fail(err,
			       "expected a host's name or a number from 0 to %u, found \"%.100s\"",
			       hosts - 1, word);
	return TR_OK;
}

static enum tr_status node_map_read_line(struct node_map *map, char *line, struct tr_error *err)
{
	char *rest = NULL;
	const char *address, *name, *group;
	uint32_t host;

	line[strcspn(line, "#")] = '\0';
	address = strtok_r(line, BLANKS, &rest);
	if (!address)
		return TR_OK;
	name = strtok_r(NULL, BLANKS, &rest);
	group = name ? strtok_r(NULL, BLANKS, &rest) : NULL;
	if (!name || (group && strtok_r(NULL, BLANKS, &rest)))
		return tr_fail(err, "expected an address, a host and, if any, its group");
	if (node_map_find_host(map, name, &host, err) != TR_OK)
		return TR_ERROR;
	return node_map_add(map, address, host, group, err);
}

enum tr_status node_map_read(struct node_map *map, FILE *file, const char *name,
			     const struct net_topology *topology, struct tr_error *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t bytes;
	unsigned number = 0;
	enum tr_status status;

	*map = (struct node_map){.by_address = true};
	status = net_names_open(&map->names, topology, err);
	errno = 0;
	while (status == TR_OK && (bytes = getline(&line, &room, file)) >= 0) {
		number++;
		if (strlen(line) != (size_t)bytes)
			status = tr_fail(err, "%s: line %u: a zero byte", name, number);
		else if (node_map_read_line(map, line, err) != TR_OK)
			status = tr_fail_in(err, "%s: line %u", name, number);
	}
	if (status == TR_OK && ferror(file))
		status = tr_fail(err, "%s: %s", name, strerror(errno));
	free(line);
	return status;
}

const struct opt_choice node_map_words[] = {
	{"ids", 0, "by the number in a node's name (host7, 7), else by the node's own number"},
	{"roles", 0, "the same, without the nodes that have no role"},
	{"names", 0, "a node is the host whose name is its address"},
	{"random", 0, NODE_MAP_RANDOM},
	{NULL, 0},
};

bool node_map_is_word(const char *text, const char *word)
{
	const size_t length = strlen(word);

	return strncmp(text, word, length) == 0 && (text[length] == '\0' || text[length] == ':');
}

bool node_map_is_file(const char *text)
{
	return strcmp(text, "ids") != 0 && strcmp(text, "roles") != 0 &&
	       strcmp(text, "names") != 0 && strcmp(text, "round-robin") != 0 &&
	       !node_map_is_word(text, "random") && !node_map_is_word(text, "least");
}

struct random_map {
	uint64_t seed;
	enum random_unit { RANDOM_HOSTS, RANDOM_SWITCHES, RANDOM_GROUPS } by;
};

static enum tr_status read_random(const char *text, struct random_map *params, struct tr_error *err)
{
	static const struct key rows[] = {
		{"seed", KEY_COUNT, offsetof(struct random_map, seed), NULL, NULL,
		 "seed of the order"},
		{"by", KEY_WORD, offsetof(struct random_map, by), "host|switch|group", NULL,
		 "what is in random order: hosts, or switches or groups with their hosts"},
		{.type = KEY_END}};
	static const struct key_preset none[] = {{NULL, NULL, NULL}};
	static const struct random_map usual = {.by = RANDOM_HOSTS};
	const struct key_kind kind = {"random", "flitsim(1)", rows, none, &usual};
	struct keys_given given = {0};

	*params = usual;
	if (keys_read(&kind, keys_behind_name(text), params, &given, err) != TR_OK)
		return tr_fail_in(err, "%s", text);
	return TR_OK;
}

// The unit of a host, of hosts in all and then switches or groups of them: that of its last cable.
static void node_map_units(const struct net_topology *topology, uint32_t group, uint32_t *at)
{
	const uint32_t hosts = topology->hosts;

	for (uint32_t i = 0; i < hosts; i++)
		at[i] = i;
	for (size_t i = topology->cable_count; i-- > 0;)
		for (int k = 0; k < 2; k++) {
			const uint32_t host = topology->cables[i].ends[k].node,
				       peer = topology->cables[i].ends[1 - k].node;

			if (host < hosts)
				at[host] = peer < hosts ? peer : hosts + (peer - hosts) / group;
		}
}

// Puts the hosts of each switch, or of so many switches, where these are in a random order of all
// nodes: ends[place] is where those of this place end.
static bool draw_switches(uint32_t *of_id, const struct net_topology *topology, uint32_t group,
			  struct tr_random *random)
{
	const uint32_t hosts = topology->hosts,
		       nodes = hosts + (topology->switches + group - 1) / group;
	uint32_t *places = calloc((size_t)nodes + 1, sizeof(*places));
	uint32_t *ends = calloc((size_t)nodes + 1, sizeof(*ends));
	uint32_t *at = calloc((size_t)hosts + 1, sizeof(*at));
	const bool room = places && ends && at;

	for (uint32_t i = 0; room && i < nodes; i++)
		places[i] = i;
	if (room)
		tr_random_shuffle(random, places, nodes);
	if (room)
		node_map_units(topology, group, at);
	for (uint32_t i = 0; room && i < hosts; i++)
		ends[places[at[i]]]++;
	for (uint32_t i = 1; room && i < nodes; i++)
		ends[i] += ends[i - 1];
	for (uint32_t i = hosts; room && i-- > 0;)
		of_id[--ends[places[at[i]]]] = i;
	free(places);
	free(ends);
	free(at);
	return room;
}

static enum tr_status draw_order(struct node_map *map, const char *text,
				 const struct net_topology *topology, struct tr_error *err)
{
	const uint32_t hosts = topology->hosts;
	struct random_map params;
	struct tr_random random;

	if (read_random(text, &params, err) != TR_OK)
		return TR_ERROR;
	if (params.by == RANDOM_GROUPS && topology->group == 0)
		return tr_fail(err,
			       "%s: the network has no groups of switches; by=switch keeps the "
			       "hosts of a switch together",
			       text);
	map->of_id = calloc((size_t)hosts + 1, sizeof(*map->of_id));
	if (!map->of_id)
		return tr_no_memory(err, "the map");
	map->of_id_count = hosts;
	for (uint32_t i = 0; i < hosts; i++)
		map->of_id[i] = i;
	tr_random_open(&random, params.seed, "map/random");
	if (params.by == RANDOM_HOSTS)
		tr_random_shuffle(&random, map->of_id, hosts);
	else if (!draw_switches(map->of_id, topology,
				params.by == RANDOM_GROUPS ? topology->group : 1, &random))
		return tr_no_memory(err, "the map");
	return TR_OK;
}

enum tr_status node_map_open(struct node_map *map, const char *text,
			     const struct net_topology *topology, struct tr_error *err)
{
	enum tr_status status;
	char words[64];
	FILE *file;

	*map = (struct node_map){0};
	if (!node_map_is_file(text) && net_names_open(&map->names, topology, err) != TR_OK)
		return TR_ERROR;
	map->only_roles = strcmp(text, "roles") == 0;
	map->by_address = map->by_name = strcmp(text, "names") == 0;
	if (map->only_roles || map->by_name || strcmp(text, "ids") == 0)
		return TR_OK;
	if (node_map_is_word(text, "random"))
		return draw_order(map, text, topology, err);
	if (node_map_is_word(text, "least") || strcmp(text, "round-robin") == 0)
		return tr_fail(err,
			       "the map %.*s is one of flitsim's; this program takes ids, roles, "
			       "names, random or a file",
			       (int)strcspn(text, ":"), text);
	file = fopen(text, "r");
	if (!file && errno == ENOENT)
		return tr_fail(err, "map \"%s\": neither one of %s nor a file", text,
			       opt_words(node_map_words, words, sizeof(words)));
	if (!file)
		return tr_fail(err, "%s: %s", text, strerror(errno));
	status = node_map_read(map, file, text, topology, err);
	fclose(file);
	return status;
}

static uint32_t node_map_look_up(const struct node_map *map, uint32_t node,
				 const struct tr_names *names)
{
	const char *address = tr_names_node(names, node);
	uint32_t host;

	if (map->by_name)
		return net_names_find(&map->names, address, &host) &&
				       host < map->names.topology->hosts
			       ? host
			       : NODE_UNMAPPED;
	for (uint32_t i = 0; i < map->line_count; i++)
		if (strcmp(map->lines[i].address, address) == 0)
			return map->lines[i].host;
	return NODE_UNMAPPED;
}

static enum tr_status node_map_make_room(struct node_map *map, uint32_t node, struct tr_error *err)
{
	const uint32_t before = map->met;

	if (!GROW(map->host_of, map->met, node))
		return tr_no_memory(err, "the map");
	for (uint32_t i = before; i < map->met; i++)
		map->host_of[i] = UNKNOWN;
	return TR_OK;
}

bool node_map_number(const struct net_names *names, const char *name, uint32_t *number)
{
	size_t word_bytes;
	uint32_t place;

	if (!names->topology || !net_names_find(names, name, &place))
		return tr_name_number(name, &word_bytes, number);
	*number = place;
	return place < names->topology->hosts;
}

// A number belongs to one node.
static enum tr_status node_map_take_number(struct node_map *map, uint32_t number, uint32_t node,
					   const struct tr_names *names, uint32_t hosts,
					   struct tr_error *err)
{
	uint32_t *of_host = map->numbers.of_host;

	if (number >= hosts)
		return TR_OK;
	if (!of_host) {
		of_host = map->numbers.of_host = malloc(hosts * sizeof(*of_host));
		if (!of_host)
			return tr_no_memory(err, "the map");
		for (uint32_t i = 0; i < hosts; i++)
			of_host[i] = UNKNOWN;
	}
	if (of_host[number] != UNKNOWN && of_host[number] != node)
		return tr_fail(err,
			       "%.100s and %.100s are both host %u; give --map FILE with a line "
			       "\"NODE HOST\" for each node",
			       tr_names_node(names, of_host[number]), tr_names_node(names, node),
			       number);
	of_host[number] = node;
	return TR_OK;
}

// The number in the node's name, else its place. Where some names move nodes from their places, no
// node may count on its place.
static enum tr_status find_number(struct node_map *map, uint32_t node, const struct tr_names *names,
				  uint32_t place, uint32_t hosts, uint32_t *number,
				  struct tr_error *err)
{
	struct node_numbers *numbers = &map->numbers;
	const bool named = node_map_number(&map->names, tr_names_node(names, node), number);

	if (named && *number != place && !numbers->moved) {
		numbers->moved = true;
		numbers->moved_node = node;
		numbers->moved_place = place;
		numbers->moved_number = *number;
	} else if (!named && !numbers->unnamed) {
		numbers->unnamed = true;
		numbers->unnamed_node = node;
	}
	if (!named)
		*number = place;
	if (!numbers->moved || !numbers->unnamed)
		return node_map_take_number(map, *number, node, names, hosts, err);
	return tr_fail(err,
		       "%.100s has number %u by its name and %u by its place among the nodes%s, "
		       "%.100s has one by its place "
		       "alone; give --map FILE with a line \"NODE HOST\" for each node",
		       tr_names_node(names, numbers->moved_node), numbers->moved_number,
		       numbers->moved_place, map->only_roles ? " with a role" : "",
		       tr_names_node(names, numbers->unnamed_node));
}

// Assigns the nodes up to this one, if they have roles.
static enum tr_status place_roles(struct node_map *map, uint32_t node, const struct tr_names *names,
				  uint32_t hosts, struct tr_error *err)
{
	for (; map->placed <= node; map->placed++) {
		uint32_t number;

		map->host_of[map->placed] = NODE_LEFT_OUT;
		if (tr_names_role(names, map->placed) == TR_ROLE_UNKNOWN)
			continue;
		if (find_number(map, map->placed, names, map->hosts++, hosts, &number, err) !=
		    TR_OK)
			return TR_ERROR;
		map->host_of[map->placed] = number < hosts ? number : NODE_UNMAPPED;
	}
	return TR_OK;
}

static enum tr_status place_number(struct node_map *map, uint32_t node,
				   const struct tr_names *names, uint32_t hosts,
				   struct tr_error *err)
{
	const uint32_t numbers = map->of_id && map->of_id_count < hosts ? map->of_id_count : hosts;
	uint32_t number;

	if (find_number(map, node, names, node, hosts, &number, err) != TR_OK)
		return TR_ERROR;
	map->host_of[node] = number >= numbers ? NODE_UNMAPPED
			     : map->of_id      ? map->of_id[number]
					       : number;
	return TR_OK;
}

enum tr_status node_map_find(struct node_map *map, uint32_t node, const struct tr_names *names,
			     uint32_t hosts, uint32_t *host, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	*host = NODE_UNMAPPED;
	if (node == TR_NODE_OTHER)
		return TR_OK;
	if (node_map_make_room(map, node, err) != TR_OK)
		return TR_ERROR;
	if (map->host_of[node] == UNKNOWN) {
		if (map->only_roles)
			status = place_roles(map, node, names, hosts, err);
		else if (map->by_address)
			map->host_of[node] = node_map_look_up(map, node, names);
		else
			status = place_number(map, node, names, hosts, err);
	}
	*host = map->host_of[node];
	return status;
}

const char *node_map_group(const struct node_map *map, uint32_t host)
{
	for (uint32_t i = 0; i < map->line_count; i++)
		if (map->lines[i].host == host)
			return map->lines[i].group;
	return NULL;
}

void node_map_close(struct node_map *map)
{
	for (uint32_t i = 0; i < map->line_count; i++) {
		free(map->lines[i].address);
		free(map->lines[i].group);
	}
	free(map->lines);
	free(map->of_id);
	free(map->host_of);
	free(map->numbers.of_host);
	net_names_close(&map->names);
	*map = (struct node_map){0};
}
