// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of routes, described in flit-routes(5).
#include <stdlib.h>
#include <string.h>

#include "net/routes/routes_forms.h"
#include "net/routes/routes_reading.h"
#include "value/num.h"

// What the lines have said so far. A file has lists or choices; which, its first line of either
// kind says.
struct text_reading {
	struct net_routes_reading *in;
	bool newest; // version 2
	bool has_hosts;
	uint32_t lanes; // 0: not said
	bool has_lists;
	bool needs_empty;
	struct net_choices *choices;
	bool ended;
};

static enum tr_status routes_text_read_first(struct text_reading *text, struct tr_error *err)
{
	char *line;
	char *rest;
	const char *version;

	if (net_reading_line(text->in, &line, err) != TR_OK)
		return TR_ERROR;
	rest = line + strlen(NET_ROUTES_MAGIC);
	version = net_reading_word(&rest);
	text->newest = version && strcmp(version, NET_ROUTES_VERSION) == 0;
	if (!version || (!text->newest && strcmp(version, "1") != 0))
		return net_reading_fail(text->in, err, "expected version 1 or %s, found \"%.40s\"",
					NET_ROUTES_VERSION, version ? version : "");
	if (net_reading_word(&rest))
		return net_reading_fail(text->in, err, "expected nothing after the version");
	return TR_OK;
}

static enum tr_status routes_text_read_hosts(struct text_reading *text, char *rest,
					     struct tr_error *err)
{
	const char *word = net_reading_word(&rest);
	uint64_t hosts;

	if (text->has_hosts || !word || net_reading_word(&rest) ||
	    num_parse_count(word, 1, UINT32_MAX, &hosts, NULL) != TR_OK)
		return net_reading_fail(text->in, err, "expected \"hosts N\", once");
	if (hosts != text->in->topology->hosts)
		return net_reading_fail(text->in, err, "routes for %llu hosts; the network has %u",
					(unsigned long long)hosts, text->in->topology->hosts);
	text->has_hosts = true;
	return TR_OK;
}

static enum tr_status read_lanes(struct text_reading *text, char *rest, struct tr_error *err)
{
	const char *word = net_reading_word(&rest);
	uint64_t lanes;

	if (text->lanes > 0 || text->has_lists || text->choices || !word ||
	    net_reading_word(&rest) ||
	    num_parse_count(word, 1, NET_LANES_MAX, &lanes, NULL) != TR_OK)
		return net_reading_fail(
			text->in, err,
			"expected \"lanes N\", N up to %u, once, before routes and choices",
			NET_LANES_MAX);
	text->lanes = (uint32_t)lanes;
	return TR_OK;
}

static enum tr_status begin_lists(struct text_reading *text, struct tr_error *err)
{
	struct tr_error why;

	if (text->has_lists)
		return TR_OK;
	if (text->choices)
		return net_reading_fail(text->in, err, "a route in a file of choices");
	text->has_lists = true;
	if (net_route_table_open(text->in->routes, text->in->topology->hosts, &why) != TR_OK)
		return net_reading_fail(text->in, err, "%s", why.text);
	text->in->routes->lanes = text->lanes;
	return TR_OK;
}

static enum tr_status begin_choices(struct text_reading *text, struct tr_error *err)
{
	struct tr_error why;

	if (text->choices)
		return TR_OK;
	if (text->has_lists)
		return net_reading_fail(text->in, err, "a choice in a file of lists");
	text->choices = net_choices_open(&text->in->graph, text->lanes > 0 ? text->lanes : 1, &why);
	return text->choices ? TR_OK : net_reading_fail(text->in, err, "%s", why.text);
}

static enum tr_status read_buffers(struct text_reading *text, char *rest, struct tr_error *err)
{
	const char *word = net_reading_word(&rest);
	const bool empty = word && strcmp(word, "empty") == 0;

	if (text->choices || !word || (!empty && strcmp(word, "any") != 0) ||
	    net_reading_word(&rest))
		return net_reading_fail(
			text->in, err,
			"expected \"buffers empty\" or \"buffers any\", once, before choices");
	text->needs_empty = empty;
	return begin_choices(text, err);
}

static enum tr_status read_choice(struct text_reading *text, char *rest, struct tr_error *err)
{
	return begin_choices(text, err) == TR_OK
		       ? net_choice_read(text->in, text->choices, rest, err)
		       : TR_ERROR;
}

// "lane N" at the end of a route: the lane of all its steps.
static enum tr_status read_lane(const struct text_reading *text, char *rest, struct tr_error *err)
{
	const uint32_t lanes = text->lanes > 0 ? text->lanes : 1;
	const char *word = net_reading_word(&rest);
	uint64_t lane;

	if (!word || net_reading_word(&rest) ||
	    num_parse_count(word, 0, lanes - 1, &lane, NULL) != TR_OK)
		return net_reading_fail(text->in, err,
					"expected \"lane N\" at the end, N below %u, that of lanes",
					lanes);
	for (uint32_t i = 0; i < text->in->count; i++) {
		if (net_step_lane(text->in->ports[i]) != 0)
			return net_reading_fail(text->in, err,
						"lanes of single ports and of the whole route");
		text->in->ports[i] = net_step(text->in->ports[i], (uint32_t)lane);
	}
	return TR_OK;
}

// A port, or in version 2 also PORT.LANE.
static enum tr_status routes_text_read_step(const struct text_reading *text, char *word,
					    uint16_t *step, struct tr_error *err)
{
	const uint32_t lanes = text->lanes > 0 ? text->lanes : 1;
	char *dot = text->newest ? strchr(word, '.') : NULL;
	struct tr_error why;
	uint64_t port, lane = 0;

	if (dot) {
		*dot = '\0';
		if (num_parse_count(dot + 1, 0, lanes - 1, &lane, &why) != TR_OK)
			return net_reading_fail(text->in, err, "lane: %s", why.text);
	}
	if (num_parse_count(word, 0, NET_PORTS_MAX - 1, &port, &why) != TR_OK)
		return net_reading_fail(text->in, err, "port: %s", why.text);
	*step = net_step((uint32_t)port, (uint32_t)lane);
	return TR_OK;
}

static enum tr_status routes_text_read_route(struct text_reading *text, char *rest,
					     struct tr_error *err)
{
	struct net_routes_reading *reading = text->in;
	const char *from = net_reading_word(&rest);
	const char *to = net_reading_word(&rest);
	char *word;
	uint32_t source;
	uint32_t destination;

	if (!to)
		return net_reading_fail(reading, err, "expected \"route HOST HOST PORT...\"");
	if (begin_lists(text, err) != TR_OK ||
	    net_reading_host(reading, from, &source, err) != TR_OK ||
	    net_reading_host(reading, to, &destination, err) != TR_OK)
		return TR_ERROR;
	for (reading->count = 0; (word = net_reading_word(&rest)) != NULL; reading->count++) {
		if (text->newest && strcmp(word, "lane") == 0) {
			if (read_lane(text, rest, err) != TR_OK)
				return TR_ERROR;
			break;
		}
		if (reading->count == NET_ROUTE_TEXT_MAX)
			return net_reading_fail(reading, err, "more than %u ports",
						NET_ROUTE_TEXT_MAX);
		if (routes_text_read_step(text, word, &reading->ports[reading->count], err) !=
		    TR_OK)
			return TR_ERROR;
	}
	return net_reading_put(reading, source, destination, err);
}

static enum tr_status routes_text_read_line(struct text_reading *text, const char *word, char *rest,
					    struct tr_error *err)
{
	static const struct {
		const char *word;
		enum tr_status (*read)(struct text_reading *text, char *rest, struct tr_error *err);
	} lines[] = {{"route", routes_text_read_route},
		     {"lanes", read_lanes},
		     {"buffers", read_buffers},
		     {"choice", read_choice}};

	if (text->ended)
		return net_reading_fail(text->in, err, "expected nothing after \"end\"");
	if (strcmp(word, "end") == 0 && !net_reading_word(&rest)) {
		text->ended = true;
		return TR_OK;
	}
	if (strcmp(word, "hosts") == 0)
		return routes_text_read_hosts(text, rest, err);
	if (!text->has_hosts)
		return net_reading_fail(text->in, err, "expected hosts, found \"%.40s\"", word);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines) && (i == 0 || text->newest); i++)
		if (strcmp(lines[i].word, word) == 0)
			return lines[i].read(text, rest, err);
	return net_reading_fail(
		text->in, err, "expected %s, found \"%.40s\"",
		text->newest ? "route, lanes, buffers, choice or end" : "route or end", word);
}

static enum tr_status routes_text_read_lines(struct text_reading *text, struct tr_error *err)
{
	enum tr_status status = routes_text_read_first(text, err);
	char *line;

	while (status == TR_OK && (status = net_reading_line(text->in, &line, err)) == TR_OK) {
		const char *word;

		line[strcspn(line, "#")] = '\0';
		word = net_reading_word(&line);
		if (word)
			status = routes_text_read_line(text, word, line, err);
	}
	if (status == TR_END && !text->ended)
		return net_reading_fail(text->in, err, "the file ends before its \"end\"");
	return status == TR_END ? TR_OK : status;
}

enum tr_status net_routes_read_text(struct net_routes_reading *reading, struct tr_error *err)
{
	struct text_reading text = {.in = reading};
	struct tr_error why;
	enum tr_status status = routes_text_read_lines(&text, err);

	if (status != TR_OK) {
		net_choices_close(text.choices);
		return TR_ERROR;
	}
	if (!text.choices)
		return begin_lists(&text, err);
	net_choices_need_empty(text.choices, text.needs_empty);
	if (net_choices_routes(reading->routes, text.choices, &why) == TR_OK)
		return TR_OK;
	return tr_fail(err, "%s: %s", tr_source_name(reading->lines.source), why.text);
}

static void routes_text_write_comments(FILE *out, const char *comments)
{
	while (comments && *comments != '\0') {
		size_t bytes = strcspn(comments, "\n");

		fprintf(out, "# %.*s\n", (int)bytes, comments);
		comments += bytes + (comments[bytes] == '\n');
	}
}

// The steps of a route: ports, and the lane behind them if it is the same on all, else with each.
static void routes_text_put_steps(struct net_line *line, const uint16_t *steps, uint32_t count)
{
	const uint32_t lane = count > 0 ? net_step_lane(steps[0]) : 0;
	bool same = true;

	for (uint32_t i = 1; i < count; i++)
		same &= net_step_lane(steps[i]) == lane;
	for (uint32_t i = 0; i < count; i++) {
		net_line_number(line, ' ', net_step_port(steps[i]));
		if (!same && net_step_lane(steps[i]) > 0)
			net_line_number(line, '.', net_step_lane(steps[i]));
	}
	if (same && lane > 0) {
		net_line_put(line, " lane");
		net_line_number(line, ' ', lane);
	}
}

static void write_lists(struct net_routes_writing *writing, struct net_line *line)
{
	const struct net_routes *routes = writing->routes;
	char source[NET_NAME_MAX + 1];
	char destination[NET_NAME_MAX + 1];

	for (uint32_t from = 0; from < routes->hosts; from++) {
		net_topology_name(writing->topology, from, source, sizeof(source));
		for (uint32_t to = 0; to < routes->hosts; to++) {
			const uint32_t count = net_routes_get(routes, from, to, writing->ports);

			if (count == NET_NO_ROUTE)
				continue;
			net_line_put(line, "route ");
			net_line_put(line, source);
			net_line_put(line, " ");
			net_line_put(line, net_topology_name(writing->topology, to, destination,
							     sizeof(destination)));
			routes_text_put_steps(line, writing->ports, count);
			net_line_end(line, writing->out);
		}
	}
}

enum tr_status net_routes_write_text(struct net_routes_writing *writing, struct tr_error *err)
{
	const struct net_routes *routes = writing->routes;
	const bool newest = routes->choices || routes->lanes > 1;
	struct net_line line = {.text = malloc(TR_LINE_MAX + 8 * (size_t)routes->longest)};
	enum tr_status status = TR_OK;

	if (!line.text)
		return tr_no_memory(err, "routes");
	fprintf(writing->out, "%s %s\n", NET_ROUTES_MAGIC, newest ? NET_ROUTES_VERSION : "1");
	routes_text_write_comments(writing->out, writing->comments);
	fprintf(writing->out, "hosts %u\n", routes->hosts);
	if (routes->lanes > 1)
		fprintf(writing->out, "lanes %u\n", routes->lanes);
	if (routes->choices)
		status = net_choices_write(writing, &line, err);
	else
		write_lists(writing, &line);
	fputs("end\n", writing->out);
	free(line.text);
	return status;
}
