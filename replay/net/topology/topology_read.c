// SPDX-License-Identifier: GPL-3.0-or-later
// The strict reader of the topology text. Hosts come first, then switches, then cables, so that a
// node's number is known when it is read.
#include "net/topology/topology_text.h"

#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "net/topology/topology_build.h"
#include "stream/lines.h"
#include "stream/recognise.h"
#include "value/grow.h"

#define WORDS_MAX 9u // of a cable
#define PLACE_MAX 1000000

enum topology_read_stage { STAGE_HOSTS, STAGE_SWITCHES, STAGE_CABLES, STAGE_END };

struct topology_read_reading {
	struct net_topology *topology;
	enum topology_read_stage stage;
	size_t name_room; // of the topology's arrays
	size_t switch_room;
	size_t place_room;
	uint64_t all_ports;
	uint32_t placed;	    // switches that have a place
	struct net_cabling cabling; // from the first cable on
	char *words[WORDS_MAX];
	size_t word_count;
};

static uint32_t nodes(const struct topology_read_reading *reading)
{
	return reading->topology->hosts + reading->topology->switches;
}

// Enters a stage, which must not precede the current one.
static enum tr_status topology_read_enter(struct topology_read_reading *reading,
					  enum topology_read_stage stage, struct tr_error *err)
{
	if (stage < reading->stage)
		return tr_fail(err, "%s",
			       stage == STAGE_HOSTS ? "hosts must come first"
						    : "switches must precede cables");
	reading->stage = stage;
	return TR_OK;
}

static enum tr_status topology_read_check_nodes(const struct topology_read_reading *reading,
						uint64_t more, struct tr_error *err)
{
	if (more > NET_NODES_MAX - nodes(reading))
		return tr_fail(err, "more than %u hosts and switches", NET_NODES_MAX);
	return TR_OK;
}

// Names the next node, host or switch.
static enum tr_status topology_read_take_name(struct topology_read_reading *reading,
					      const char *name, struct tr_error *err)
{
	struct net_topology *topology = reading->topology;
	const bool is_host = reading->stage == STAGE_HOSTS;
	const uint32_t node = nodes(reading);
	uint32_t number;
	bool says_host;

	if (net_name_is_usual(name, &says_host, &number) && says_host == is_host &&
	    number == (is_host ? net_host_count(topology) : topology->switches))
		return TR_OK;
	if (net_name_check(name, err) != TR_OK)
		return TR_ERROR;
	if (!GROW_ZEROED(topology->names, reading->name_room, node))
		return tr_no_memory(err, "%u nodes", nodes(reading));
	topology->names[node] = strdup(name);
	return topology->names[node] ? TR_OK : tr_no_memory(err, "a name");
}

static enum tr_status topology_read_read_count(const char *word, uint64_t max, uint64_t *count,
					       struct tr_error *err)
{
	return num_parse_count(word, 1, max, count, err);
}

static bool word_is(const struct topology_read_reading *reading, size_t index, const char *word)
{
	return index < reading->word_count && strcmp(reading->words[index], word) == 0;
}

// Whether two words are there, or four of which these two are "ports N", read into *ports.
static enum tr_status topology_read_host_ports(const struct topology_read_reading *reading,
					       uint64_t *ports, struct tr_error *err)
{
	*ports = 1;
	if (reading->word_count == 2)
		return TR_OK;
	if (reading->word_count != 4 || !word_is(reading, 2, "ports"))
		return tr_fail(err, "expected \"%s [ports N]\"",
			       word_is(reading, 0, "host") ? "host NAME" : "hosts N");
	return topology_read_read_count(reading->words[3], NET_PORTS_MAX, ports, err);
}

static enum tr_status read_host(struct topology_read_reading *reading, struct tr_error *err)
{
	uint64_t ports;

	if (topology_read_host_ports(reading, &ports, err) != TR_OK ||
	    topology_read_enter(reading, STAGE_HOSTS, err) != TR_OK ||
	    topology_read_check_nodes(reading, ports, err) != TR_OK ||
	    topology_read_take_name(reading, reading->words[1], err) != TR_OK)
		return TR_ERROR;
	if (ports > 1 && strlen(reading->words[1]) > NET_HOST_NAME_MAX)
		return tr_fail(err, "a host with several ports: a name has 1 to %u bytes, not %zu",
			       NET_HOST_NAME_MAX, strlen(reading->words[1]));
	return net_adapters_add(reading->topology, 1, (uint32_t)ports, err);
}

static enum tr_status topology_read_read_hosts(struct topology_read_reading *reading,
					       struct tr_error *err)
{
	uint64_t count, ports;

	if (topology_read_host_ports(reading, &ports, err) != TR_OK ||
	    topology_read_enter(reading, STAGE_HOSTS, err) != TR_OK ||
	    topology_read_read_count(reading->words[1], NET_NODES_MAX, &count, err) != TR_OK ||
	    topology_read_check_nodes(reading, count * ports, err) != TR_OK)
		return TR_ERROR;
	return net_adapters_add(reading->topology, (uint32_t)count, (uint32_t)ports, err);
}

static enum tr_status topology_read_add_switches(struct topology_read_reading *reading,
						 uint64_t count, const char *word,
						 struct tr_error *err)
{
	struct net_topology *topology = reading->topology;
	uint64_t ports;

	if (topology_read_check_nodes(reading, count, err) != TR_OK ||
	    topology_read_read_count(word, NET_PORTS_MAX, &ports, err) != TR_OK)
		return TR_ERROR;
	reading->all_ports += count * ports;
	if (reading->all_ports > NET_ALL_PORTS_MAX)
		return tr_fail(err, "more than %u ports", NET_ALL_PORTS_MAX);
	if (!GROW_ZEROED(topology->ports, reading->switch_room, topology->switches + count))
		return tr_no_memory(err, "%u nodes", nodes(reading));
	for (uint64_t i = 0; i < count; i++)
		topology->ports[topology->switches++] = (uint32_t)ports;
	return TR_OK;
}

// The position of the last switch read.
static enum tr_status read_place(struct topology_read_reading *reading, char *word,
				 struct tr_error *err)
{
	struct net_topology *topology = reading->topology;
	const char *column_word = strsep(&word, ",");
	int64_t column;
	int64_t row;

	if (!word || num_parse_signed(column_word, -PLACE_MAX, PLACE_MAX, &column, NULL) != TR_OK ||
	    num_parse_signed(word, -PLACE_MAX, PLACE_MAX, &row, NULL) != TR_OK)
		return tr_fail(err, "expected a position COLUMN,ROW, each from -%d to %d",
			       PLACE_MAX, PLACE_MAX);
	if (!GROW_ZEROED(topology->places, reading->place_room, topology->switches))
		return tr_no_memory(err, "%u nodes", nodes(reading));
	topology->places[topology->switches - 1] = (struct net_place){.column = (int32_t)column,
								      .row = (int32_t)row};
	reading->placed++;
	return TR_OK;
}

static enum tr_status read_switch(struct topology_read_reading *reading, struct tr_error *err)
{
	const bool placed = word_is(reading, 4, "at");

	if (reading->word_count != (placed ? 6 : 4) || !word_is(reading, 2, "ports"))
		return tr_fail(err, "expected \"switch NAME ports N [at COLUMN,ROW]\"");
	if (topology_read_enter(reading, STAGE_SWITCHES, err) != TR_OK ||
	    topology_read_check_nodes(reading, 1, err) != TR_OK ||
	    topology_read_take_name(reading, reading->words[1], err) != TR_OK ||
	    topology_read_add_switches(reading, 1, reading->words[3], err) != TR_OK)
		return TR_ERROR;
	return placed ? read_place(reading, reading->words[5], err) : TR_OK;
}

static enum tr_status topology_read_read_switches(struct topology_read_reading *reading,
						  struct tr_error *err)
{
	uint64_t count;

	if (reading->word_count != 4 || !word_is(reading, 2, "ports"))
		return tr_fail(err, "expected \"switches N ports N\"");
	if (topology_read_enter(reading, STAGE_SWITCHES, err) != TR_OK ||
	    topology_read_read_count(reading->words[1], NET_NODES_MAX, &count, err) != TR_OK)
		return TR_ERROR;
	return topology_read_add_switches(reading, count, reading->words[3], err);
}

// All nodes are known: sizes the arrays by node.
static enum tr_status begin_cables(struct topology_read_reading *reading, struct tr_error *err)
{
	struct net_topology *topology = reading->topology;

	if (reading->stage == STAGE_CABLES)
		return TR_OK;
	if (topology_read_enter(reading, STAGE_CABLES, err) != TR_OK)
		return TR_ERROR;
	if (reading->placed != 0 && reading->placed != topology->switches)
		return tr_fail(err, "%u of %u switches have a position; expected all or none",
			       reading->placed, topology->switches);
	if (topology->names && !GROW_ZEROED(topology->names, reading->name_room, nodes(reading)))
		return tr_no_memory(err, "%u nodes", nodes(reading));
	return net_cabling_open(&reading->cabling, topology, err);
}

static enum tr_status topology_read_read_group(struct topology_read_reading *reading,
					       struct tr_error *err)
{
	struct net_topology *topology = reading->topology;
	uint64_t group;

	if (reading->word_count != 2 || topology->group > 0)
		return tr_fail(err, "expected \"group N\", once");
	if (begin_cables(reading, err) != TR_OK ||
	    topology_read_read_count(reading->words[1], NET_NODES_MAX, &group, err) != TR_OK)
		return TR_ERROR;
	if (group == 0 || topology->switches % group != 0)
		return tr_fail(err, "group %llu: expected a divisor of the %u switches",
			       (unsigned long long)group, topology->switches);
	topology->group = (uint32_t)group;
	return TR_OK;
}

static enum tr_status read_option(const char *name, const char *word, struct net_cable *cable,
				  struct tr_error *err)
{
	const struct {
		const char *name;
		enum num_dimension dimension;
		struct num_ratio *value;
		bool may_be_0;
	} options[] = {{"length", NUM_LENGTH, &cable->length_m, true},
		       {"rate", NUM_RATE, &cable->rate_bps, false},
		       {"conversion", NUM_TIME, &cable->conversion_s, true}};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		struct num_ratio *value = options[i].value;

		if (strcmp(name, options[i].name) != 0)
			continue;
		if (value->den != 0)
			return tr_fail(err, "a second %s", name);
		if (num_parse(word, options[i].dimension, value, err) != TR_OK)
			return TR_ERROR;
		if (value->num < 0 || (!options[i].may_be_0 && value->num == 0))
			return tr_fail(err, "a %s of %s", name, word);
		return TR_OK;
	}
	return tr_fail(err, "expected \"length\", \"rate\" or \"conversion\", found \"%.*s\"",
		       (int)NET_NAME_MAX, name);
}

static enum tr_status topology_read_read_cable(struct topology_read_reading *reading,
					       struct tr_error *err)
{
	struct net_cable cable = {.ends = {{0, 0}, {0, 0}}};

	if (begin_cables(reading, err) != TR_OK)
		return TR_ERROR;
	if (reading->word_count < 3 || reading->word_count % 2 == 0)
		return tr_fail(err, "expected \"cable END END [length LENGTH] [rate RATE] "
				    "[conversion TIME]\"");
	for (size_t i = 0; i < 2; i++)
		if (net_cabling_parse_end(&reading->cabling, reading->words[1 + i], &cable.ends[i],
					  err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 3; i < reading->word_count; i += 2)
		if (read_option(reading->words[i], reading->words[i + 1], &cable, err) != TR_OK)
			return TR_ERROR;
	return net_cabling_lay(&reading->cabling, &cable, err);
}

static enum tr_status read_end(struct topology_read_reading *reading, struct tr_error *err)
{
	if (reading->word_count != 1)
		return tr_fail(err, "expected \"end\"");
	if (begin_cables(reading, err) != TR_OK ||
	    topology_read_enter(reading, STAGE_END, err) != TR_OK)
		return TR_ERROR;
	if (reading->topology->hosts == 0)
		return tr_fail(err, "a network without hosts");
	return net_cabling_end(&reading->cabling, err);
}

static const struct line_kind {
	const char *word;
	enum tr_status (*read)(struct topology_read_reading *reading, struct tr_error *err);
} kinds[] = {
	{"host", read_host},
	{"hosts", topology_read_read_hosts},
	{"switch", read_switch},
	{"switches", topology_read_read_switches},
	{"group", topology_read_read_group},
	{"cable", topology_read_read_cable},
	{"end", read_end},
};

// Cuts a line into words and drops a comment.
static enum tr_status topology_read_cut(struct topology_read_reading *reading, char *line,
					struct tr_error *err)
{
	char *word;

	line[strcspn(line, "#")] = '\0';
	reading->word_count = 0;
	while ((word = strsep(&line, " \t")) != NULL) {
		if (*word == '\0')
			continue;
		if (reading->word_count == WORDS_MAX)
			return tr_fail(err, "more than %u words", WORDS_MAX);
		reading->words[reading->word_count++] = word;
	}
	return TR_OK;
}

static enum tr_status topology_read_read_line(struct topology_read_reading *reading, char *line,
					      struct tr_error *err)
{
	if (topology_read_cut(reading, line, err) != TR_OK)
		return TR_ERROR;
	if (reading->word_count == 0)
		return TR_OK;
	if (reading->stage == STAGE_END)
		return tr_fail(err, "expected nothing after \"end\"");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (word_is(reading, 0, kinds[i].word))
			return kinds[i].read(reading, err);
	return tr_fail(
		err, "expected host, hosts, switch, switches, group, cable or end, found \"%.*s\"",
		(int)NET_NAME_MAX, reading->words[0]);
}

static enum tr_status topology_read_read_magic(const char *line, struct tr_error *err)
{
	const size_t length = strlen(NET_TOPOLOGY_MAGIC);

	if (strncmp(line, NET_TOPOLOGY_MAGIC, length) != 0 || line[length] != ' ')
		return tr_fail(err, "expected \"%s %s\"", NET_TOPOLOGY_MAGIC, NET_TOPOLOGY_VERSION);
	if (strcmp(line + length + 1, NET_TOPOLOGY_VERSION) != 0)
		return tr_fail(err, "topology of version %.20s, expected %s", line + length + 1,
			       NET_TOPOLOGY_VERSION);
	return TR_OK;
}

static enum tr_status topology_read_read_lines(struct topology_read_reading *reading,
					       struct tr_lines *lines, struct tr_error *err)
{
	enum tr_status status;
	struct tr_error why;
	char *line;

	while ((status = tr_lines_next(lines, &line, err)) == TR_OK)
		if ((lines->number == 1 ? topology_read_read_magic(line, &why)
					: topology_read_read_line(reading, line, &why)) != TR_OK)
			return tr_fail(err, "%s:%llu: %s", tr_source_name(lines->source),
				       (unsigned long long)lines->number, why.text);
	if (status == TR_END && reading->stage != STAGE_END)
		return tr_fail(err, "%s:%llu: truncated: the line \"end\" is missing",
			       tr_source_name(lines->source), (unsigned long long)lines->number);
	return status == TR_END ? TR_OK : TR_ERROR;
}

// Clears a topology whose array of names may be shorter than its nodes.
static void topology_read_drop(struct topology_read_reading *reading)
{
	struct net_topology *topology = reading->topology;

	for (size_t i = 0; i < reading->name_room; i++)
		free(topology->names[i]);
	free(topology->names);
	topology->names = NULL;
	net_topology_clear(topology);
}

enum tr_status net_topology_read_text(struct net_topology *topology, struct tr_source *source,
				      struct tr_error *err)
{
	struct topology_read_reading reading = {.topology = topology};
	struct tr_lines lines = {.source = source};
	enum tr_status status;

	*topology = (struct net_topology){0};
	status = topology_read_read_lines(&reading, &lines, err);
	net_cabling_close(&reading.cabling);
	tr_lines_clear(&lines);
	if (status != TR_OK)
		topology_read_drop(&reading);
	return status;
}

// The formats of topologies, each recognised by its first bytes.

#define HEAD_BYTES 64u

static bool topology_read_is_text(const char *head)
{
	return strncmp(head, NET_TOPOLOGY_MAGIC, strlen(NET_TOPOLOGY_MAGIC)) == 0;
}

static const struct topology_read_form {
	bool (*is)(const char *head);
	enum tr_status (*read)(struct net_topology *topology, struct tr_source *source,
			       struct tr_error *err);
} forms[] = {
	{topology_read_is_text, net_topology_read_text},
	{net_gm_map_is, net_gm_map_read},
};

enum tr_status net_topology_read(struct net_topology *topology, struct tr_source *source,
				 struct tr_error *err)
{
	char hint[TR_RECOGNISE_HINT_BYTES];
	char head[HEAD_BYTES + 1] = "";
	const uint8_t *data;
	size_t got;

	*topology = (struct net_topology){0};
	if (tr_source_peek(source, HEAD_BYTES, &data, &got, err) == TR_ERROR)
		return TR_ERROR;
	memcpy(head, data, got < HEAD_BYTES ? got : HEAD_BYTES);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].is(head))
			return forms[i].read(topology, source, err);
	return tr_fail(err, "%s:1: expected a topology (\"%s %s\") or a GM map%s",
		       tr_source_name(source), NET_TOPOLOGY_MAGIC, NET_TOPOLOGY_VERSION,
		       tr_recognise_source(source, hint, sizeof(hint)));
}
