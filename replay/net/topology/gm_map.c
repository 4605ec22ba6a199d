// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/topology_text.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology_build.h"
#include "stream/lines.h"
#include "value/grow.h"
#include "value/num.h"

#define BLANKS " \t"
#define ONLY_NAMED (UINT64_MAX / 2)

// A node as far as known.
struct map_node {
	char *name;
	bool is_switch;
	uint32_t ports;	 // of a switch
	uint64_t line;	 // where its part begins; ONLY_NAMED or more if it was only named
	uint32_t number; // in the topology
};

// One port as listed in a node's part.
struct map_cable {
	struct map_node *from;
	uint32_t port;
	struct map_node *to;
	uint32_t to_port;
	uint64_t line;
};

struct map_reading {
	struct tr_lines lines;
	void *tree;		 // of nodes by name
	struct map_node **nodes; // in the order of their parts, followed by those only named
	size_t count, room;
	struct map_cable *cables;
	size_t cable_count, cable_room;
	uint64_t hosts, switches; // from the first line
};

static enum tr_status gm_map_fail_at(const struct map_reading *reading, uint64_t line,
				     struct tr_error *err, const char *text)
{
	return tr_fail(err, "%s:%llu: %s", tr_source_name(reading->lines.source),
		       (unsigned long long)(line > 0 ? line : 1), text);
}

static enum tr_status gm_map_fail(const struct map_reading *reading, struct tr_error *err,
				  const char *text)
{
	return gm_map_fail_at(reading, reading->lines.number, err, text);
}

// The next word of a line; quoted text is one word, without its quotes. NULL after the last, and
// for an unclosed quote.
static char *gm_map_next_word(char **rest, bool *quoted)
{
	char *word = *rest + strspn(*rest, BLANKS);
	size_t bytes;

	*quoted = *word == '"';
	word += *quoted;
	bytes = strcspn(word, *quoted ? "\"" : BLANKS);
	if (*quoted ? word[bytes] == '\0' : bytes == 0)
		return NULL;
	*rest = word + bytes + (word[bytes] != '\0');
	word[bytes] = '\0';
	return word;
}

static int gm_map_by_name(const void *a, const void *b)
{
	return strcmp(((const struct map_node *)a)->name, ((const struct map_node *)b)->name);
}

static struct map_node *gm_map_add_node(struct map_reading *reading, const char *name)
{
	struct map_node *node = calloc(1, sizeof(*node));

	if (!node || (node->name = strdup(name)) == NULL ||
	    !GROW(reading->nodes, reading->room, reading->count) ||
	    !tsearch(node, &reading->tree, gm_map_by_name)) {
		if (node)
			free(node->name);
		free(node);
		return NULL;
	}
	node->line = ONLY_NAMED + reading->count;
	reading->nodes[reading->count++] = node;
	return node;
}

// Reads KIND PORTS "NAME" and finds or adds the node.
static enum tr_status gm_map_read_node(struct map_reading *reading, char **rest,
				       struct map_node **node, struct tr_error *err)
{
	bool quoted;
	const char *kind = gm_map_next_word(rest, &quoted);
	const char *ports = kind && !quoted ? gm_map_next_word(rest, &quoted) : NULL;
	char *name = ports && !quoted ? gm_map_next_word(rest, &quoted) : NULL;
	bool is_switch = kind && strcmp(kind, "s") == 0;
	struct map_node **found;
	uint64_t count = 1;

	if (!name || !quoted ||
	    (!is_switch && (strcmp(kind, "h") != 0 || strcmp(ports, "-") != 0)) ||
	    (is_switch && num_parse_count(ports, 1, NET_PORTS_MAX, &count, NULL) != TR_OK))
		return gm_map_fail(reading, err, "expected s PORTS \"NAME\" or h - \"NAME\"");
	found = tfind(&(struct map_node){.name = name}, &reading->tree, gm_map_by_name);
	if (found && ((*found)->is_switch != is_switch || (*found)->ports != count))
		return gm_map_fail(reading, err, "the node has different properties than before");
	*node = found ? *found : gm_map_add_node(reading, name);
	if (!*node)
		return tr_no_memory(err, "the map");
	(*node)->is_switch = is_switch;
	(*node)->ports = (uint32_t)count;
	return TR_OK;
}

// The next line that is not blank; TR_END after the last.
static enum tr_status gm_map_next_line(struct map_reading *reading, char **line,
				       struct tr_error *err)
{
	enum tr_status status;

	do
		status = tr_lines_next(&reading->lines, line, err);
	while (status == TR_OK && (*line)[strspn(*line, BLANKS)] == '\0');
	return status;
}

// The next line; its absence is an error.
static enum tr_status must_have_line(struct map_reading *reading, char **line, struct tr_error *err)
{
	enum tr_status status = gm_map_next_line(reading, line, err);

	return status == TR_END ? gm_map_fail(reading, err, "the file ends within a node") : status;
}

static enum tr_status gm_map_read_port(struct map_reading *reading, const char *word,
				       uint32_t ports, uint32_t *port, struct tr_error *err)
{
	uint64_t value;

	if (!word || num_parse_count(word, 0, ports - 1, &value, NULL) != TR_OK)
		return gm_map_fail(reading, err, "expected a port of the node");
	*port = (uint32_t)value;
	return TR_OK;
}

static enum tr_status gm_map_read_cable(struct map_reading *reading, struct map_node *from,
					struct tr_error *err)
{
	struct map_cable cable = {.from = from};
	bool quoted;
	char *line;

	if (must_have_line(reading, &line, err) != TR_OK ||
	    gm_map_read_port(reading, gm_map_next_word(&line, &quoted), from->ports, &cable.port,
			     err) != TR_OK ||
	    gm_map_read_node(reading, &line, &cable.to, err) != TR_OK ||
	    gm_map_read_port(reading, gm_map_next_word(&line, &quoted), cable.to->ports,
			     &cable.to_port, err) != TR_OK)
		return TR_ERROR;
	if (gm_map_next_word(&line, &quoted))
		return gm_map_fail(reading, err, "expected nothing after the far port");
	if (!GROW(reading->cables, reading->cable_room, reading->cable_count))
		return tr_no_memory(err, "the map");
	cable.line = reading->lines.number;
	reading->cables[reading->cable_count++] = cable;
	return TR_OK;
}

// Reads a node's part after its first line.
static enum tr_status read_part(struct map_reading *reading, struct map_node *node,
				struct tr_error *err)
{
	uint64_t cables;
	bool quoted;
	char *line;
	const char *word;

	if (node->line < ONLY_NAMED)
		return gm_map_fail(reading, err, "duplicate node");
	node->line = reading->lines.number;
	if (must_have_line(reading, &line, err) != TR_OK)
		return TR_ERROR;
	word = gm_map_next_word(&line, &quoted);
	if (!word || num_parse_count(word, 0, node->ports, &cables, NULL) != TR_OK)
		return gm_map_fail(reading, err,
				   "expected the number of cables, at most one a port");
	for (uint64_t i = 0; i < cables; i++)
		if (gm_map_read_cable(reading, node, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Lines such as label "..." and other notes of tools on a node: a word of two letters or more.
static bool gm_map_is_note(const char *line)
{
	return strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") >= 2;
}

static enum tr_status gm_map_read_first(struct map_reading *reading, struct tr_error *err)
{
	bool quoted;
	char *line;
	const char *hosts, *switches;
	enum tr_status status = gm_map_next_line(reading, &line, err);

	if (status == TR_ERROR)
		return TR_ERROR;
	hosts = status == TR_OK ? gm_map_next_word(&line, &quoted) : NULL;
	switches = hosts ? gm_map_next_word(&line, &quoted) : NULL;
	if (!switches || num_parse_count(hosts, 1, NET_NODES_MAX, &reading->hosts, NULL) != TR_OK ||
	    num_parse_count(switches, 0, NET_NODES_MAX - reading->hosts, &reading->switches,
			    NULL) != TR_OK)
		return gm_map_fail(reading, err, "expected \"HOSTS SWITCHES\"");
	return TR_OK;
}

static enum tr_status read_parts(struct map_reading *reading, struct tr_error *err)
{
	enum tr_status status;
	char *line;

	while ((status = gm_map_next_line(reading, &line, err)) == TR_OK) {
		struct map_node *node;

		if (gm_map_is_note(line))
			continue;
		if (gm_map_read_node(reading, &line, &node, err) != TR_OK ||
		    read_part(reading, node, err) != TR_OK)
			return TR_ERROR;
	}
	return status == TR_END ? TR_OK : status;
}

// Compares by the order of their parts.
static int by_part(const void *a, const void *b)
{
	const struct map_node *one = *(struct map_node *const *)a;
	const struct map_node *other = *(struct map_node *const *)b;

	return one->line < other->line ? -1 : one->line > other->line;
}

// Numbers the nodes, and checks their announced count.
static enum tr_status gm_map_number_nodes(struct map_reading *reading, struct tr_error *err)
{
	uint32_t hosts = 0;
	uint32_t switches = 0;

	if (reading->count > 0)
		qsort(reading->nodes, reading->count, sizeof(*reading->nodes), by_part);
	for (size_t i = 0; i < reading->count; i++) {
		struct map_node *node = reading->nodes[i];

		if (node->is_switch && node->line >= ONLY_NAMED)
			return gm_map_fail(reading, err, "a switch has no part of its own");
		node->number = node->is_switch ? switches++ : hosts++;
	}
	if (hosts != reading->hosts || switches != reading->switches)
		return gm_map_fail_at(reading, 1, err, "wrong number of hosts or switches");
	return TR_OK;
}

static enum tr_status name_node(struct net_topology *topology, const struct map_node *node,
				struct tr_error *err)
{
	uint32_t index = node->number + (node->is_switch ? topology->hosts : 0);
	uint32_t number;
	bool says_host;

	if (net_name_is_usual(node->name, &says_host, &number) && says_host == !node->is_switch &&
	    number == node->number)
		return TR_OK;
	if (net_name_check(node->name, err) != TR_OK)
		return TR_ERROR;
	topology->names[index] = strdup(node->name);
	return topology->names[index] ? TR_OK : tr_no_memory(err, "a name");
}

static enum tr_status build_nodes(const struct map_reading *reading, struct net_topology *topology,
				  struct tr_error *err)
{
	struct tr_error why;
	uint64_t ports = 0;

	topology->hosts = (uint32_t)reading->hosts;
	topology->switches = (uint32_t)reading->switches;
	topology->ports = calloc(reading->switches + 1, sizeof(*topology->ports));
	topology->names = calloc(reading->count + 1, sizeof(*topology->names));
	topology->cables = calloc(1, sizeof(*topology->cables));
	if (!topology->ports || !topology->names || !topology->cables)
		return tr_no_memory(err, "the map");
	for (size_t i = 0; i < reading->count; i++) {
		const struct map_node *node = reading->nodes[i];

		ports += node->ports;
		if (node->is_switch)
			topology->ports[node->number] = node->ports;
		if (name_node(topology, node, &why) != TR_OK)
			return gm_map_fail_at(reading, node->line < ONLY_NAMED ? node->line : 1,
					      err, why.text);
	}
	return ports <= NET_ALL_PORTS_MAX ? TR_OK : gm_map_fail(reading, err, "too many ports");
}

static int gm_map_by_port(const void *a, const void *b)
{
	const struct map_cable *one = a;
	const struct map_cable *other = b;

	if (one->from != other->from)
		return one->from->line < other->from->line ? -1 : 1;
	return one->port < other->port ? -1 : one->port > other->port;
}

// The entry of this cable in the far end's part; NULL if there is none.
static const struct map_cable *far_end(const struct map_reading *reading,
				       const struct map_cable *cable)
{
	const struct map_cable key = {.from = cable->to, .port = cable->to_port};

	return bsearch(&key, reading->cables, reading->cable_count, sizeof(key), gm_map_by_port);
}

static struct net_end gm_map_end_of(const struct net_topology *topology,
				    const struct map_node *node, uint32_t port)
{
	return (struct net_end){node->number + (node->is_switch ? topology->hosts : 0), port};
}

// Lays a cable at its first end, or its only one. far is the entry at its other end.
static enum tr_status gm_map_lay(const struct map_reading *reading, struct net_cabling *cabling,
				 const struct map_cable *cable, const struct map_cable *far,
				 struct tr_error *err)
{
	const struct net_cable laid = {
		.ends = {gm_map_end_of(cabling->topology, cable->from, cable->port),
			 gm_map_end_of(cabling->topology, cable->to, cable->to_port)}};
	struct tr_error why;

	if (far && (far->to != cable->from || far->to_port != cable->port))
		return gm_map_fail_at(reading, cable->line, err,
				      "the cable's other end contradicts this");
	if (!far && cable->to->line < ONLY_NAMED)
		return gm_map_fail_at(reading, cable->line, err,
				      "the cable is missing at its other end");
	if (far == cable)
		return gm_map_fail_at(reading, cable->line, err, "a cable from a port to itself");
	if (far && far < cable)
		return TR_OK;
	if (net_cabling_lay(cabling, &laid, &why) != TR_OK)
		return gm_map_fail_at(reading, cable->line, err, why.text);
	return TR_OK;
}

static enum tr_status lay_cables(struct map_reading *reading, struct net_topology *topology,
				 struct tr_error *err)
{
	struct net_cabling cabling;
	struct tr_error why;
	enum tr_status status = TR_OK;

	if (reading->cable_count > 0)
		qsort(reading->cables, reading->cable_count, sizeof(*reading->cables),
		      gm_map_by_port);
	for (size_t i = 1; i < reading->cable_count; i++)
		if (gm_map_by_port(&reading->cables[i - 1], &reading->cables[i]) == 0)
			return gm_map_fail_at(reading, reading->cables[i].line, err,
					      "the port has another cable too");
	if (net_cabling_open(&cabling, topology, &why) != TR_OK)
		status = gm_map_fail(reading, err, why.text);
	for (size_t i = 0; i < reading->cable_count && status == TR_OK; i++)
		status = gm_map_lay(reading, &cabling, &reading->cables[i],
				    far_end(reading, &reading->cables[i]), err);
	if (status == TR_OK && net_cabling_end(&cabling, &why) != TR_OK)
		status = gm_map_fail(reading, err, why.text);
	net_cabling_close(&cabling);
	return status;
}

static void gm_map_keep(void *node)
{
	(void)node;
}

static void gm_map_close_reading(struct map_reading *reading)
{
	tdestroy(reading->tree, gm_map_keep);
	for (size_t i = 0; i < reading->count; i++) {
		free(reading->nodes[i]->name);
		free(reading->nodes[i]);
	}
	free(reading->nodes);
	free(reading->cables);
	tr_lines_clear(&reading->lines);
}

bool net_gm_map_is(const char *head)
{
	const char *at = head + strspn(head, "0123456789 \t\r");

	return at != head && *at == '\n' &&
	       (at[strspn(at, " \t\r\n")] == 's' || at[strspn(at, " \t\r\n")] == 'h');
}

enum tr_status net_gm_map_read(struct net_topology *topology, struct tr_source *source,
			       struct tr_error *err)
{
	struct map_reading reading = {.lines = {.source = source}};
	enum tr_status status = gm_map_read_first(&reading, err);

	*topology = (struct net_topology){0};
	if (status == TR_OK)
		status = read_parts(&reading, err);
	if (status == TR_OK)
		status = gm_map_number_nodes(&reading, err);
	if (status == TR_OK)
		status = build_nodes(&reading, topology, err);
	if (status == TR_OK)
		status = lay_cables(&reading, topology, err);
	if (status != TR_OK)
		net_topology_clear(topology);
	gm_map_close_reading(&reading);
	return status;
}
