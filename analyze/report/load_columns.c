// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/load_columns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/palette.h"
#include "value/escape.h"

static size_t find_either_heading(const struct printed_table *table, const char *name,
				  const char *other)
{
	const size_t first = printed_column(table, name);

	return first != SIZE_MAX ? first : printed_column(table, other);
}

bool load_columns_wants(const struct load_columns *c, size_t row)
{
	return !c->class_all || strcmp(printed_cell(c->table, row, c->class), "all") == 0;
}

static void find_measures(struct load_columns *c)
{
	const struct printed_table *table = c->table;

	c->load = find_either_heading(table, "load", "offered");
	c->class = printed_column(table, "class");
	c->seed = printed_column(table, "seed");
	c->lo = printed_column(table, "latency_lo_us");
	c->hi = printed_column(table, "latency_hi_us");
	c->half = printed_column(table, "latency_half_us");
	c->ended_by = printed_column(table, TR_ENDED_BY);
	c->saturated = printed_column(table, TR_SATURATED);
	c->of[LOAD_LATENCY_US] = printed_column(table, "latency_us");
	c->of[LOAD_P99_US] = printed_column(table, "p99_us");
	c->of[LOAD_THROUGHPUT_MBPS] = find_either_heading(table, "carried_MBps", "throughput_MBps");
	c->of[LOAD_CARRIED_PERCENT] = printed_column(table, "carried_percent");
	c->parameters = c->class;
	for (unsigned q = 0; q < LOAD_QUANTITIES && c->class == SIZE_MAX; q++)
		c->parameters = c->of[q] < c->parameters ? c->of[q] : c->parameters;
	for (size_t row = 0; row < table->rows; row++)
		c->class_all = c->class_all ||
			       strcmp(printed_cell(c->table, row, c->class), "all") == 0;
}

// ---- roles

// The first wanted row with the same cell: alike[column * rows + row]; of rows that are not wanted,
// themselves.
static void find_alike(const struct load_columns *c, size_t column, size_t *alike)
{
	const size_t rows = c->table->rows;

	for (size_t row = 0; row < rows; row++) {
		size_t first = 0;

		while (first < row && !(alike[first] == first && load_columns_wants(c, first) &&
					strcmp(printed_cell(c->table, first, column),
					       printed_cell(c->table, row, column)) == 0))
			first++;
		alike[row] = load_columns_wants(c, row) ? first : row;
	}
}

static size_t count_values(const struct load_columns *c, const size_t *alike)
{
	size_t values = 0;

	for (size_t row = 0; row < c->table->rows; row++)
		values += load_columns_wants(c, row) && alike[row] == row;
	return values;
}

// Whether each value of the first column has one of the second.
static bool determines(const struct load_columns *c, const size_t *first, const size_t *second)
{
	for (size_t row = 0; row < c->table->rows; row++)
		if (load_columns_wants(c, row) && second[row] != second[first[row]])
			return false;
	return true;
}

// Columns that another one determines; of two that determine each other, the later one.
static void find_followers(struct load_columns *c, const size_t *alike)
{
	const size_t rows = c->table->rows;

	for (size_t i = c->parameters; i-- > 0;)
		for (size_t k = 0; k < c->parameters && c->role[i] == LOAD_CONFIGURES; k++)
			if (k != i && c->role[k] == LOAD_CONFIGURES &&
			    determines(c, alike + k * rows, alike + i * rows) &&
			    (k < i || !determines(c, alike + i * rows, alike + k * rows)))
				c->role[i] = LOAD_FOLLOWS;
}

static bool same_in(const struct load_columns *c, const size_t *alike, size_t a, size_t b,
		    size_t without)
{
	const size_t rows = c->table->rows;

	for (size_t i = 0; i < c->parameters; i++)
		if (i != without && c->role[i] == LOAD_CONFIGURES &&
		    alike[i * rows + a] != alike[i * rows + b])
			return false;
	return true;
}

// How many rows differ in the configuring columns, all of them or without one.
static size_t count_tuples(const struct load_columns *c, const size_t *alike, size_t without)
{
	size_t tuples = 0;

	for (size_t row = 0; row < c->table->rows; row++) {
		size_t first = 0;

		if (!load_columns_wants(c, row))
			continue;
		while (first < row &&
		       !(load_columns_wants(c, first) && same_in(c, alike, first, row, without)))
			first++;
		tuples += first == row;
	}
	return tuples;
}

static size_t count_role(const struct load_columns *c, enum load_role role)
{
	size_t count = 0;

	for (size_t i = 0; i < c->parameters; i++)
		count += c->role[i] == role;
	return count;
}

// Where the simulator begins in the command of a sweep; NULL if there is none, or no program before
// it.
static const char *find_simulator(const char *command)
{
	static const char name[] = "flitsim";

	for (const char *at = command; at && (at = strstr(at, " | ")) != NULL; at += 3) {
		const char *word = at + 3;
		const size_t bytes = strcspn(word, " ");

		if (bytes >= sizeof(name) - 1 &&
		    strncmp(word + bytes - (sizeof(name) - 1), name, sizeof(name) - 1) == 0)
			return word;
	}
	return NULL;
}

static bool names_traffic(const char *heading)
{
	static const char *const words[] = {"pattern", "destinations", "traffic", "workload"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(heading, words[i]) == 0)
			return true;
	return false;
}

// The columns that the command gives to the programs before the simulator and not to it.
static void take_generator_arguments(struct load_columns *c, const char *simulator)
{
	for (size_t i = 0; i < c->parameters; i++) {
		char argument[80];
		const char *found;

		(void)snprintf(argument, sizeof(argument), "{%s}", c->table->headings[i]);
		found = strstr(c->table->command, argument);
		if (c->role[i] == LOAD_CONFIGURES && found && found < simulator &&
		    !strstr(simulator, argument))
			c->role[i] = LOAD_TRAFFIC;
	}
}

// The column with the fewest values of those that occur with all configurations of the others.
static void take_crossing_column(struct load_columns *c, const size_t *alike)
{
	const size_t all = count_tuples(c, alike, SIZE_MAX);
	size_t fewest = SIZE_MAX, best = SIZE_MAX;

	for (size_t i = 0; i < c->parameters; i++) {
		const size_t values = c->role[i] == LOAD_CONFIGURES
					      ? count_values(c, alike + i * c->table->rows)
					      : 0;

		if (values == 0 || values * count_tuples(c, alike, i) != all)
			continue;
		if (names_traffic(c->table->headings[i])) {
			c->role[i] = LOAD_TRAFFIC;
		} else if (values <= fewest) {
			fewest = values;
			best = i;
		}
	}
	if (count_role(c, LOAD_TRAFFIC) == 0 && best != SIZE_MAX && all > PALETTE_CURVES - 1)
		c->role[best] = LOAD_TRAFFIC;
}

static void find_traffic(struct load_columns *c, const size_t *alike)
{
	const char *simulator = find_simulator(c->table->command);

	if (count_role(c, LOAD_CONFIGURES) < 2)
		return;
	if (simulator)
		take_generator_arguments(c, simulator);
	else
		take_crossing_column(c, alike);
	if (count_role(c, LOAD_CONFIGURES) > 0)
		return;
	for (size_t i = 0; i < c->parameters; i++)
		if (c->role[i] == LOAD_TRAFFIC)
			c->role[i] = LOAD_CONFIGURES;
}

enum tr_status load_columns_find(struct load_columns *c, const struct printed_table *table,
				 struct tr_error *err)
{
	const size_t rows = table->rows;
	size_t *alike;

	*c = (struct load_columns){.table = table};
	find_measures(c);
	if (c->parameters == SIZE_MAX)
		c->parameters = 0;
	alike = calloc(c->parameters * rows + 1, sizeof(*alike));
	if (!alike)
		return tr_no_memory(err, "the parameters of %zu rows", rows);
	for (size_t i = 0; i < c->parameters; i++) {
		if (i == c->load || i == c->seed)
			continue;
		find_alike(c, i, alike + i * rows);
		c->role[i] = count_values(c, alike + i * rows) > 1 ? LOAD_CONFIGURES : LOAD_SHARED;
	}
	find_followers(c, alike);
	find_traffic(c, alike);
	free(alike);
	return TR_OK;
}

// ---- names

void load_columns_name(const struct load_columns *c, size_t row, enum load_role role,
		       char name[LOAD_NAME_BYTES])
{
	const bool alone = role != LOAD_SHARED && count_role(c, role) == 1;

	*name = '\0';
	for (size_t i = 0; i < c->parameters; i++) {
		if (c->role[i] != role)
			continue;
		if (alone)
			text_append(name, LOAD_NAME_BYTES, "%s", printed_cell(c->table, row, i));
		else
			text_append(name, LOAD_NAME_BYTES, "%s%s=%s", *name ? " " : "",
				    c->table->headings[i], printed_cell(c->table, row, i));
	}
}

void load_columns_headings(const struct load_columns *c, enum load_role role, char *text,
			   size_t text_bytes)
{
	*text = '\0';
	for (size_t i = 0; i < c->parameters; i++)
		if (c->role[i] == role)
			text_append(text, text_bytes, "%s%s", *text ? ", " : "",
				    c->table->headings[i]);
}
