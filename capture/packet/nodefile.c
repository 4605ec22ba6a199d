// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/nodes.h"

#include <string.h>

#define FIELDS 3u

static bool parse_role(const char *word, enum tr_role *role)
{
	for (int i = TR_ROLE_UNKNOWN; i <= TR_ROLE_WORKER; i++)
		if (strcmp(word, tr_role_name((enum tr_role)i)) == 0) {
			*role = (enum tr_role)i;
			return true;
		}
	return false;
}

// Parts the line at its tabs; false where there are too many.
static bool part(char *line, char *fields[FIELDS])
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

static enum tr_status read_line(char *line, struct pk_nodes *nodes, struct tr_error *err)
{
	char *fields[FIELDS];
	struct pk_address address;
	enum tr_role role = TR_ROLE_UNKNOWN;

	if (*line == '\0' || *line == '#')
		return TR_OK;
	if (!part(line, fields))
		return tr_fail(err, "more than the fields address, name and role");
	if (!pk_address_parse(fields[0], &address))
		return tr_fail(err, "an IPv4 or IPv6 address was expected, found \"%.60s\"", fields[0]);
	if (given(fields[1]) && strlen(fields[1]) > TR_NAME_TEXT_MAX)
		return tr_fail(err, "a name longer than %u bytes", TR_NAME_TEXT_MAX);
	if (given(fields[2]) && !parse_role(fields[2], &role))
		return tr_fail(err, "controller, worker or unknown was expected, found \"%.60s\"", fields[2]);
	return pk_nodes_name(nodes, &address, given(fields[1]) ? fields[1] : "", role, err);
}

// The next line, without its end, into line. TR_END: none.
static enum tr_status take_line(struct tr_source *source, char line[PK_NODEFILE_LINE_MAX], struct tr_error *err)
{
	const uint8_t *data, *newline;
	size_t got_bytes;

	if (tr_source_peek(source, PK_NODEFILE_LINE_MAX, &data, &got_bytes, err) == TR_ERROR)
		return TR_ERROR;
	if (!got_bytes)
		return TR_END;
	newline = memchr(data, '\n', got_bytes);
	if (newline)
		got_bytes = (size_t)(newline - data);
	if (got_bytes >= PK_NODEFILE_LINE_MAX)
		return tr_fail(err, "longer than %u bytes", PK_NODEFILE_LINE_MAX - 1);
	memcpy(line, data, got_bytes);
	line[got_bytes] = '\0';
	if (memchr(line, '\0', got_bytes))
		return tr_fail(err, "a zero byte");
	if (got_bytes && line[got_bytes - 1] == '\r')
		line[got_bytes - 1] = '\0';
	tr_source_skip(source, got_bytes + (newline != NULL));
	return TR_OK;
}

enum tr_status pk_nodefile_read(struct tr_source *source, struct pk_nodes *nodes, struct tr_error *err)
{
	char line[PK_NODEFILE_LINE_MAX];
	struct tr_error why = {""};
	enum tr_status status;
	unsigned long number = 0;

	do {
		number++;
		status = take_line(source, line, &why);
		if (status == TR_OK)
			status = read_line(line, nodes, &why);
	} while (status == TR_OK);
	if (status == TR_END)
		return TR_OK;
	return tr_fail(err, "%s: line %lu: %.300s", tr_source_name(source), number, why.text);
}
