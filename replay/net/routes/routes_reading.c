// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/routes_reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum tr_status net_reading_line(struct net_routes_reading *reading, char **line,
				struct tr_error *err)
{
	return tr_lines_next(&reading->lines, line, err);
}

enum tr_status net_reading_fail(const struct net_routes_reading *reading, struct tr_error *err,
				const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return tr_fail(err, "%s:%llu: %s", tr_source_name(reading->lines.source),
		       (unsigned long long)(reading->lines.number > 0 ? reading->lines.number : 1),
		       text);
}

enum tr_status net_reading_host(const struct net_routes_reading *reading, const char *name,
				uint32_t *host, struct tr_error *err)
{
	if (net_names_find(&reading->names, name, host) && *host < reading->topology->hosts)
		return TR_OK;
	return net_reading_fail(reading, err, "the network has no host \"%.100s\"", name);
}

enum tr_status net_reading_switch(const struct net_routes_reading *reading, const char *name,
				  uint32_t *number, struct tr_error *err)
{
	uint32_t node;

	if (!net_names_find(&reading->names, name, &node) || node < reading->topology->hosts)
		return net_reading_fail(reading, err, "the network has no switch \"%.100s\"", name);
	*number = node - reading->topology->hosts;
	return TR_OK;
}

char *net_reading_word(char **rest)
{
	static const char blanks[] = " \t";
	char *word = *rest + strspn(*rest, blanks);
	size_t bytes = strcspn(word, blanks);

	*rest = word + bytes + (word[bytes] != '\0');
	word[bytes] = '\0';
	return bytes > 0 ? word : NULL;
}

enum tr_status net_reading_put(struct net_routes_reading *reading, uint32_t source,
			       uint32_t destination, struct tr_error *err)
{
	struct tr_error why;
	char text[120];

	if (net_route_table_has(reading->routes, source, destination))
		return net_reading_fail(reading, err, "a second route from host %u to host %u",
					source, destination);
	if (!net_path_follow(&reading->path, &reading->graph, source, destination, reading->ports,
			     reading->count))
		return net_reading_fail(
			reading, err, "host %u to host %u: %s", source, destination,
			net_path_fault_text(&reading->path, &reading->graph, text, sizeof(text)));
	if (net_route_table_put(reading->routes, source, destination, reading->ports,
				reading->count, &why) != TR_OK)
		return net_reading_fail(reading, err, "%s", why.text);
	return TR_OK;
}

void net_line_put(struct net_line *line, const char *text)
{
	const size_t bytes = strlen(text);

	memcpy(line->text + line->used, text, bytes);
	line->used += bytes;
}

void net_line_number(struct net_line *line, char before, uint32_t number)
{
	char digits[10];
	size_t count = 0;

	line->text[line->used++] = before;
	do
		digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (count > 0)
		line->text[line->used++] = digits[--count];
}

void net_line_end(struct net_line *line, FILE *out)
{
	line->text[line->used++] = '\n';
	fwrite(line->text, 1, line->used, out);
	line->used = 0;
}
