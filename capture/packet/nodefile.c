// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/nodes.h"

#include <string.h>

#include "stream/lines.h"

#define FIELDS 3u

static bool nodefile_parse_role(const char *word, enum tr_role *role)
{
	for (int i = TR_ROLE_UNKNOWN; i <= TR_ROLE_WORKER; i++)
		if (strcmp(word, tr_role_name((enum tr_role)i)) == 0) {
			*role = (enum tr_role)i;
			return true;
		}
	return false;
}

// Splits the line at its tabs; false if there are too many.
static bool nodefile_part(char *line, char *fields[FIELDS])
{
	for (unsigned i = 0; i < FIELDS; i++) {
		fields[i] = line;
		line = line ? strchr(line, '\t') : NULL;
		if (line)
			*line++ = '\0';
	}
	return !line;
}

static bool given(const char *field)
{
	return field && *field && strcmp(field, "-") != 0;
}

static enum tr_status nodefile_read_line(char *line, struct pk_nodes *nodes, struct tr_error *err)
{
	char *fields[FIELDS];
	struct pk_address address;
	enum tr_role role = TR_ROLE_UNKNOWN;

	if (*line == '\0' || *line == '#')
		return TR_OK;
	if (!nodefile_part(line, fields))
		return tr_fail(err, "more than the fields address, name and role");
	if (!pk_address_parse(fields[0], &address))
		return tr_fail(err, "expected an IPv4 or IPv6 address, found \"%.60s\"", fields[0]);
	if (given(fields[1]) && strlen(fields[1]) > TR_NAME_TEXT_MAX)
		return tr_fail(err, "a name longer than %u bytes", TR_NAME_TEXT_MAX);
	if (given(fields[2]) && !nodefile_parse_role(fields[2], &role))
		return tr_fail(err, "expected controller, worker or unknown, found \"%.60s\"",
			       fields[2]);
	return pk_nodes_name(nodes, &address, given(fields[1]) ? fields[1] : "", role, err);
}

enum tr_status pk_nodefile_read(struct tr_source *source, struct pk_nodes *nodes,
				struct tr_error *err)
{
	struct tr_lines lines = {.source = source};
	struct tr_error why;
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK)
		if (nodefile_read_line(line, nodes, &why) != TR_OK) {
			status = tr_lines_fail(&lines, err, "%s", why.text);
			break;
		}
	tr_lines_clear(&lines);
	return status == TR_END ? TR_OK : status;
}
