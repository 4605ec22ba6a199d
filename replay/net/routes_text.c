// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of routes, described in flit-routes(5).
#include <string.h>

#include "net/routes_forms.h"
#include "net/routes_reading.h"
#include "trace/num.h"

#define BLANKS " \t"

// The next word of a line, NULL after the last.
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, BLANKS);
	size_t bytes = strcspn(word, BLANKS);

	*rest = word + bytes + (word[bytes] != '\0');
	word[bytes] = '\0';
	return bytes > 0 ? word : NULL;
}

static enum tr_status read_first(struct net_routes_reading *reading, struct tr_error *err)
{
	char *line;
	char *rest;
	const char *version;

	if (net_reading_line(reading, &line, err) != TR_OK)
		return TR_ERROR;
	rest = line + strlen(NET_ROUTES_MAGIC);
	version = next_word(&rest);
	if (!version || strcmp(version, NET_ROUTES_VERSION) != 0)
		return net_reading_fail(reading, err, "expected version %s, found \"%.40s\"", NET_ROUTES_VERSION,
					version ? version : "");
	if (next_word(&rest))
		return net_reading_fail(reading, err, "expected nothing after the version");
	return TR_OK;
}

static enum tr_status read_hosts(struct net_routes_reading *reading, char *rest, bool *known, struct tr_error *err)
{
	const char *word = next_word(&rest);
	uint64_t hosts;

	if (*known || !word || next_word(&rest) || num_parse_count(word, 1, UINT32_MAX, &hosts, NULL) != TR_OK)
		return net_reading_fail(reading, err, "expected \"hosts N\", once");
	if (hosts != reading->topology->hosts)
		return net_reading_fail(reading, err, "routes for %llu hosts; the network has %u", (unsigned long long)hosts,
					reading->topology->hosts);
	*known = true;
	return TR_OK;
}

static enum tr_status read_route(struct net_routes_reading *reading, char *rest, struct tr_error *err)
{
	const char *from = next_word(&rest);
	const char *to = next_word(&rest);
	const char *word;
	struct tr_error why;
	uint32_t source;
	uint32_t destination;

	if (!to)
		return net_reading_fail(reading, err, "expected \"route HOST HOST PORT...\"");
	if (net_reading_host(reading, from, &source, err) != TR_OK || net_reading_host(reading, to, &destination, err) != TR_OK)
		return TR_ERROR;
	for (reading->count = 0; (word = next_word(&rest)) != NULL; reading->count++) {
		uint64_t port;

		if (reading->count == NET_ROUTE_TEXT_MAX)
			return net_reading_fail(reading, err, "more than %u ports", NET_ROUTE_TEXT_MAX);
		if (num_parse_count(word, 0, NET_PORTS_MAX - 1, &port, &why) != TR_OK)
			return net_reading_fail(reading, err, "port: %s", why.text);
		reading->ports[reading->count] = (uint16_t)port;
	}
	return net_reading_put(reading, source, destination, err);
}

enum tr_status net_routes_read_text(struct net_routes_reading *reading, struct tr_error *err)
{
	enum tr_status status = read_first(reading, err);
	bool ended = false;
	bool known = false;
	char *line;

	while (status == TR_OK && (status = net_reading_line(reading, &line, err)) == TR_OK) {
		const char *word;

		line[strcspn(line, "#")] = '\0';
		word = next_word(&line);
		if (!word)
			continue;
		if (ended)
			status = net_reading_fail(reading, err, "expected nothing after \"end\"");
		else if (strcmp(word, "end") == 0 && !next_word(&line))
			ended = true;
		else if (strcmp(word, "hosts") == 0)
			status = read_hosts(reading, line, &known, err);
		else if (strcmp(word, "route") == 0 && known)
			status = read_route(reading, line, err);
		else
			status = net_reading_fail(reading, err, "expected %s, found \"%.40s\"",
						  known ? "route or end" : "hosts", word);
	}
	if (status == TR_END && !ended)
		return net_reading_fail(reading, err, "the file ends before its \"end\"");
	return status == TR_END ? TR_OK : status;
}

static void write_comments(FILE *out, const char *comments)
{
	while (comments && *comments != '\0') {
		size_t bytes = strcspn(comments, "\n");

		fprintf(out, "# %.*s\n", (int)bytes, comments);
		comments += bytes + (comments[bytes] == '\n');
	}
}

enum tr_status net_routes_write_text(struct net_routes_writing *writing, struct tr_error *err)
{
	const struct net_routes *routes = writing->routes;
	char source[NET_NAME_MAX + 1];
	char destination[NET_NAME_MAX + 1];

	(void)err;
	fprintf(writing->out, "%s %s\n", NET_ROUTES_MAGIC, NET_ROUTES_VERSION);
	write_comments(writing->out, writing->comments);
	fprintf(writing->out, "hosts %u\n", routes->hosts);
	for (uint32_t from = 0; from < routes->hosts; from++) {
		net_topology_name(writing->topology, from, source, sizeof(source));
		for (uint32_t to = 0; to < routes->hosts; to++) {
			uint32_t count = net_routes_get(routes, from, to, writing->ports);

			if (count == NET_NO_ROUTE)
				continue;
			net_topology_name(writing->topology, to, destination, sizeof(destination));
			fprintf(writing->out, "route %s %s", source, destination);
			for (uint32_t i = 0; i < count; i++)
				fprintf(writing->out, " %u", writing->ports[i]);
			fputc('\n', writing->out);
		}
	}
	fputs("end\n", writing->out);
	return TR_OK;
}
