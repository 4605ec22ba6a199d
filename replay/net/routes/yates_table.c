// SPDX-License-Identifier: GPL-3.0-or-later
// Route tables as in Yates (1997), AFIT/GCS/ENG/97D-20, figures C-1 to C-3: one row of integers for
// each destination, one column for each node that a worm may be at, hosts first, then switches. An
// entry is
//   -99  the node itself, and every row of a switch
//     0  the destination is attached here
//     e  the worm goes on to node e / 10, to leave it by port e % 10
// so a switch has one next switch for each destination, and ports 0 to 9.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "net/routes/routes_reading.h"
#include "value/num.h"

#define SELF (-99)
#define ATTACHED 0
#define UNSET INT64_MIN
#define PORTS 10
#define NODES_MAX 16384u

// entries[row * nodes + column]
struct yates_table_matrix {
	int64_t *entries;
	uint64_t *lines; // of each row: its line in the input
	uint32_t nodes;
};

static int64_t *entry(const struct yates_table_matrix *matrix, uint32_t row, uint32_t column)
{
	return &matrix->entries[(size_t)row * matrix->nodes + column];
}

static enum tr_status yates_table_open_matrix(struct yates_table_matrix *matrix,
					      const struct net_graph *graph, struct tr_error *err)
{
	*matrix = (struct yates_table_matrix){.nodes = graph->nodes};
	if (graph->nodes > NODES_MAX)
		return tr_fail(err, "a Yates table has at most %u nodes, not %u", NODES_MAX,
			       graph->nodes);
	matrix->entries = calloc((size_t)graph->nodes * graph->nodes, sizeof(*matrix->entries));
	matrix->lines = calloc(graph->nodes, sizeof(*matrix->lines));
	return matrix->entries && matrix->lines ? TR_OK : tr_no_memory(err, "the table");
}

static void close_matrix(struct yates_table_matrix *matrix)
{
	free(matrix->entries);
	free(matrix->lines);
}

static enum tr_status yates_table_read_row(const struct net_routes_reading *reading,
					   const struct yates_table_matrix *matrix, uint32_t row,
					   char *line, struct tr_error *err)
{
	struct tr_error why;
	uint32_t column = 0;
	char *word;

	while ((word = strsep(&line, " \t")) != NULL) {
		if (*word == '\0')
			continue;
		if (column == matrix->nodes)
			return net_reading_fail(reading, err, "more than %u columns",
						matrix->nodes);
		if (num_parse_signed(word, SELF, (int64_t)PORTS * matrix->nodes - 1,
				     entry(matrix, row, column++), &why) != TR_OK)
			return net_reading_fail(reading, err, "column %u: %s", column - 1,
						why.text);
	}
	if (column < matrix->nodes)
		return net_reading_fail(reading, err, "%u columns, %u hosts and switches", column,
					matrix->nodes);
	return TR_OK;
}

static enum tr_status yates_table_read_rows(struct net_routes_reading *reading,
					    const struct yates_table_matrix *matrix,
					    struct tr_error *err)
{
	enum tr_status status;
	uint32_t row = 0;
	char *line;

	while ((status = net_reading_line(reading, &line, err)) == TR_OK) {
		if (line[strspn(line, " \t")] == '\0')
			continue;
		if (row == matrix->nodes)
			return net_reading_fail(reading, err, "more than %u rows", matrix->nodes);
		matrix->lines[row] = reading->lines.number;
		if (yates_table_read_row(reading, matrix, row++, line, err) != TR_OK)
			return TR_ERROR;
	}
	if (status == TR_END && row < matrix->nodes)
		return net_reading_fail(reading, err, "%u rows, %u hosts and switches", row,
					matrix->nodes);
	return status == TR_END ? TR_OK : status;
}

// Takes the step of an entry. *at is the next node.
static enum tr_status yates_table_step(struct net_routes_reading *reading,
				       const struct yates_table_matrix *matrix,
				       uint32_t destination, struct net_peer *at, uint32_t column,
				       struct tr_error *err)
{
	int64_t said = *entry(matrix, destination, column);
	uint32_t next = (uint32_t)(said / PORTS);
	uint32_t port = (uint32_t)(said % PORTS);

	if (said < 0 || !net_graph_is_switch(&reading->graph, next))
		return net_reading_fail(reading, err, "column %u: %" PRId64 " names no switch",
					column, said);
	if (at->node != next)
		return net_reading_fail(reading, err,
					"column %u: %" PRId64 ", but the worm comes to node %u",
					column, said, at->node);
	if (port >= net_graph_ports(&reading->graph, next) ||
	    net_graph_peer(&reading->graph, next, port)->node == NET_NOBODY)
		return net_reading_fail(reading, err, "column %u: node %u has no cable on port %u",
					column, next, port);
	if (reading->count == matrix->nodes || reading->count == NET_ROUTE_TEXT_MAX)
		return net_reading_fail(reading, err, "the route of host %u is an endless loop",
					reading->path.node);
	reading->ports[reading->count++] = (uint16_t)port;
	*at = *net_graph_peer(&reading->graph, next, port);
	return TR_OK;
}

static enum tr_status yates_table_follow(struct net_routes_reading *reading,
					 const struct yates_table_matrix *matrix, uint32_t source,
					 uint32_t destination, struct tr_error *err)
{
	struct net_peer at = *net_graph_peer(&reading->graph, source, 0);
	uint32_t column = source;

	reading->count = 0;
	reading->path.node = source;
	while (*entry(matrix, destination, column) != ATTACHED) {
		uint32_t next = at.node;

		if (yates_table_step(reading, matrix, destination, &at, column, err) != TR_OK)
			return TR_ERROR;
		column = next;
	}
	return net_reading_put(reading, source, destination, err);
}

static enum tr_status check_row(const struct net_routes_reading *reading,
				const struct yates_table_matrix *matrix, uint32_t row,
				struct tr_error *err)
{
	bool is_switch = row >= reading->graph.hosts;

	for (uint32_t column = 0; column < matrix->nodes; column++)
		if ((is_switch || column == row) && *entry(matrix, row, column) != SELF)
			return net_reading_fail(reading, err,
						"column %u: expected %d, found %" PRId64, column,
						SELF, *entry(matrix, row, column));
	return TR_OK;
}

enum tr_status net_yates_table_read(struct net_routes_reading *reading, struct tr_error *err)
{
	struct yates_table_matrix matrix;
	enum tr_status status = yates_table_open_matrix(&matrix, &reading->graph, err);

	if (status == TR_OK)
		status = yates_table_read_rows(reading, &matrix, err);
	for (uint32_t row = 0; row < matrix.nodes && status == TR_OK; row++) {
		reading->lines.number = matrix.lines[row];
		status = check_row(reading, &matrix, row, err);
		for (uint32_t from = 0;
		     row < reading->graph.hosts && from < reading->graph.hosts && status == TR_OK;
		     from++)
			if (from != row)
				status = yates_table_follow(reading, &matrix, from, row, err);
	}
	close_matrix(&matrix);
	return status;
}

// Writes the entry for a route; it must be free or equal.
static enum tr_status yates_table_say(const struct yates_table_matrix *matrix, uint32_t row,
				      uint32_t column, int64_t value, struct tr_error *err)
{
	int64_t *there = entry(matrix, row, column);

	if (*there != UNSET && *there != value)
		return tr_fail(err,
			       "worms to host %u leave node %u in two ways (entries %" PRId64
			       " and %" PRId64 "); a Yates table has one",
			       row, column, *there, value);
	*there = value;
	return TR_OK;
}

static enum tr_status say_route(const struct net_routes_writing *writing,
				const struct yates_table_matrix *matrix, uint32_t source,
				uint32_t destination, struct tr_error *err)
{
	uint32_t count = net_routes_get(writing->routes, source, destination, writing->ports);
	const struct net_peer *at = net_graph_peer(&writing->graph, source, 0);
	uint32_t column = source;

	if (count == NET_NO_ROUTE)
		return tr_fail(err, "host %u has no route to host %u; a Yates table needs all",
			       source, destination);
	for (uint32_t i = 0; i < count; i++) {
		if (writing->ports[i] >= PORTS)
			return tr_fail(err, "a Yates table supports ports 0 to 9, not %u",
				       writing->ports[i]);
		if (yates_table_say(matrix, destination, column,
				    (int64_t)PORTS * at->node + writing->ports[i], err) != TR_OK)
			return TR_ERROR;
		column = at->node;
		at = net_graph_peer(&writing->graph, at->node, writing->ports[i]);
	}
	return yates_table_say(matrix, destination, column, ATTACHED, err);
}

static enum tr_status yates_table_fill(const struct net_routes_writing *writing,
				       const struct yates_table_matrix *matrix,
				       struct tr_error *err)
{
	for (size_t i = 0; i < (size_t)matrix->nodes * matrix->nodes; i++)
		matrix->entries[i] = i / matrix->nodes < writing->graph.hosts ? UNSET : SELF;
	for (uint32_t to = 0; to < writing->graph.hosts; to++) {
		*entry(matrix, to, to) = SELF;
		for (uint32_t from = 0; from < writing->graph.hosts; from++)
			if (from != to && say_route(writing, matrix, from, to, err) != TR_OK)
				return TR_ERROR;
	}
	return TR_OK;
}

// Columns that no worm of a row reaches get -99.
enum tr_status net_yates_table_write(struct net_routes_writing *writing, struct tr_error *err)
{
	struct yates_table_matrix matrix;
	enum tr_status status = yates_table_open_matrix(&matrix, &writing->graph, err);

	if (status == TR_OK)
		status = yates_table_fill(writing, &matrix, err);
	for (uint32_t row = 0; row < matrix.nodes && status == TR_OK; row++)
		for (uint32_t column = 0; column < matrix.nodes; column++) {
			int64_t value = *entry(&matrix, row, column);

			fprintf(writing->out, "%" PRId64 "%c", value == UNSET ? SELF : value,
				column + 1 < matrix.nodes ? ' ' : '\n');
		}
	close_matrix(&matrix);
	return status;
}
