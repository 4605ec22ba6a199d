// SPDX-License-Identifier: GPL-3.0-or-later
// Shared state of the formats of route files: first readers, then writers.
#ifndef NET_ROUTES_READING_H
#define NET_ROUTES_READING_H

#include <stdio.h>

#include "net/routes/choices.h"
#include "net/routes/route_path.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "stream/lines.h"

// State of the readers.

struct net_routes_reading {
	const struct net_topology *topology;
	struct net_graph graph;
	struct net_names names;
	struct tr_lines lines;
	struct net_routes *routes; // a table; in the text form once the first route is met
	uint16_t *ports;	   // of the route at work, room for NET_ROUTE_TEXT_MAX
	struct net_path path;	   // room for that too
	uint32_t count;
};

#define NET_ROUTE_TEXT_MAX 32768u // switches on one route of a file

// The next line, of any kind; TR_END after the last.
enum tr_status net_reading_line(struct net_routes_reading *reading, char **line,
				struct tr_error *err);

// Writes "file:line: " and the message, and returns TR_ERROR.
enum tr_status net_reading_fail(const struct net_routes_reading *reading, struct tr_error *err,
				const char *format, ...) __attribute__((format(printf, 3, 4)));

// The host of this name; TR_ERROR where there is none.
enum tr_status net_reading_host(const struct net_routes_reading *reading, const char *name,
				uint32_t *host, struct tr_error *err);

// The switch (from 0) of this name; TR_ERROR where there is none.
enum tr_status net_reading_switch(const struct net_routes_reading *reading, const char *name,
				  uint32_t *number, struct tr_error *err);

// The next word of a line between blanks, NULL after the last; *rest points after it.
char *net_reading_word(char **rest);

// Puts reading->ports[0 .. count - 1] into the table as the route of a pair. TR_ERROR where the
// pair has one or the ports do not lead there.
enum tr_status net_reading_put(struct net_routes_reading *reading, uint32_t source,
			       uint32_t destination, struct tr_error *err);

// The formats. Each reads to the end of its source.
enum tr_status net_routes_read_text(struct net_routes_reading *reading, struct tr_error *err);
enum tr_status net_gm_routes_read(struct net_routes_reading *reading, struct tr_error *err);
enum tr_status net_yates_table_read(struct net_routes_reading *reading, struct tr_error *err);
enum tr_status net_blocks_routes_read(struct net_routes_reading *reading,
				      struct tr_error *err); // in place of the table

// Of the text form: reads the rest of a line "choice" into choices, which belong to the reading's
// graph.
enum tr_status net_choice_read(const struct net_routes_reading *reading,
			       struct net_choices *choices, char *rest, struct tr_error *err);

// State of the writers.

struct net_routes_writing {
	const struct net_routes *routes;
	const struct net_topology *topology;
	struct net_graph graph;
	const char *comments;
	FILE *out;
	uint16_t *ports; // room for a route
};

// A line at work; zero is a valid empty one, whose owner frees the text.
struct net_line {
	char *text; // room for the longest line of the routes
	size_t used;
};

// Appends a text; or a character and a number after it; net_line_end writes the line, and begins
// the next.
void net_line_put(struct net_line *line, const char *text);
void net_line_number(struct net_line *line, char before, uint32_t number);
void net_line_end(struct net_line *line, FILE *out); // writes it, and begins the next

// Each writes the routes in a form: choices, lists, GM route files, tables of Yates (1997).
// TR_ERROR if out of memory, or where the form cannot have them; for write failures check out.
enum tr_status net_choices_write(struct net_routes_writing *writing, struct net_line *line,
				 struct tr_error *err);
enum tr_status net_routes_write_text(struct net_routes_writing *writing, struct tr_error *err);
enum tr_status net_gm_routes_write(struct net_routes_writing *writing, struct tr_error *err);
enum tr_status net_yates_table_write(struct net_routes_writing *writing, struct tr_error *err);

#endif
