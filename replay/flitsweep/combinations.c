// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/lines.h"
#include "value/grow.h"
#include "value/num.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_-"

static enum tr_status combinations_add_value(struct sweep_parameter *parameter, const char *text,
					     struct tr_error *err)
{
	const size_t count = parameter->count;

	if (count == SWEEP_RUNS_MAX)
		return tr_fail(err, "more than %u runs", SWEEP_RUNS_MAX);
	if (!GROW_BY_COUNT(parameter->values, count))
		return tr_no_memory(err, "the values of an option");
	parameter->values[count] = strdup(text);
	if (!parameter->values[count])
		return tr_no_memory(err, "the values of an option");
	parameter->count++;
	return TR_OK;
}

// "1..10"; dots points to the two dots.
static enum tr_status combinations_add_range(struct sweep_parameter *parameter, char *text,
					     char *dots, struct tr_error *err)
{
	int64_t first, last;
	char number[32];

	*dots = '\0';
	if (num_parse_signed(text, INT32_MIN, INT32_MAX, &first, err) != TR_OK ||
	    num_parse_signed(dots + 2, INT32_MIN, INT32_MAX, &last, err) != TR_OK)
		return TR_ERROR;
	if (last < first || last - first >= SWEEP_RUNS_MAX)
		return tr_fail(err, "%s: %s..%s is not a range", parameter->name, text, dots + 2);
	for (; first <= last; first++) {
		snprintf(number, sizeof(number), "%lld", (long long)first);
		if (combinations_add_value(parameter, number, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// values is modified.
static enum tr_status add_values(struct sweep_parameter *parameter, char *values,
				 struct tr_error *err)
{
	enum tr_status status = TR_OK;
	char *word;

	while (status == TR_OK && (word = strsep(&values, ",")) != NULL) {
		char *dots = strstr(word, "..");

		if (*word == '\0' || strpbrk(word, "\t\n"))
			return tr_fail(err, "%s: a value is empty or has a tab or newline in it",
				       parameter->name);
		status = dots ? combinations_add_range(parameter, word, dots, err)
			      : combinations_add_value(parameter, word, err);
	}
	return status;
}

static bool combinations_is_name(const char *text)
{
	return *text >= 'a' && *text <= 'z' && text[strspn(text, NAME_CHARACTERS)] == '\0';
}

// Adds a parameter without values; a second one of this name is refused.
static enum tr_status add_parameter(struct sweep_grid *grid, const char *name, bool along,
				    struct tr_error *err)
{
	if (!GROW_BY_COUNT(grid->parameters, grid->count))
		return tr_no_memory(err, "the options");
	if (!combinations_is_name(name))
		return tr_fail(
			err,
			"\"%s\": a name consists of a-z, 0-9, _ and -, and begins with a letter",
			name);
	if (sweep_grid_find(grid, name, strlen(name)) < grid->count)
		return tr_fail(err, "%s is given twice", name);
	grid->parameters[grid->count] = (struct sweep_parameter){.name = strdup(name),
								 .along = along};
	if (!grid->parameters[grid->count].name)
		return tr_no_memory(err, "the options");
	grid->count++;
	return TR_OK;
}

static enum tr_status check_runs(const struct sweep_grid *grid, struct tr_error *err)
{
	return sweep_grid_runs(grid) <= SWEEP_RUNS_MAX
		       ? TR_OK
		       : tr_fail(err, "more than %u runs", SWEEP_RUNS_MAX);
}

enum tr_status sweep_grid_add(struct sweep_grid *grid, const char *text, struct tr_error *err)
{
	char *name = strdup(text), *sign = name ? strchr(name, '=') : NULL;
	enum tr_status status;

	if (!name)
		return tr_no_memory(err, "the options");
	if (!sign) {
		free(name);
		return tr_fail(
			err,
			"expected a parameter such as load=0.1,0.3 or seed=1..10, found \"%s\"",
			text);
	}
	*sign = '\0';
	status = add_parameter(grid, name, false, err);
	if (status == TR_OK)
		status = add_values(&grid->parameters[grid->count - 1], sign + 1, err);
	free(name);
	return status == TR_OK ? check_runs(grid, err) : status;
}

// The columns of a list, from its first line: "# load<TAB>size", else one.
static enum tr_status combinations_add_columns(struct sweep_grid *grid, char *line,
					       struct tr_error *err)
{
	enum tr_status status = TR_OK;
	const size_t first = grid->count;
	char *name;

	if (*line != '#')
		return add_parameter(grid, "line", false, err);
	line += 1 + strspn(line + 1, " ");
	while (status == TR_OK && (name = strsep(&line, "\t")) != NULL)
		status = add_parameter(grid, name, grid->count > first, err);
	return status;
}

// The values of one run, one for each parameter from first on.
static enum tr_status combinations_add_row(struct sweep_grid *grid, size_t first, char *line,
					   struct tr_error *err)
{
	size_t column = first;
	char *value;

	while ((value = strsep(&line, "\t")) != NULL) {
		if (column == grid->count || *value == '\0')
			break;
		if (combinations_add_value(&grid->parameters[column++], value, err) != TR_OK)
			return TR_ERROR;
	}
	if (value || column < grid->count)
		return tr_fail(err,
			       "expected %zu, found another number of values; the first line names "
			       "them: # name<TAB>name",
			       grid->count - first);
	return TR_OK;
}

enum tr_status sweep_grid_read(struct sweep_grid *grid, struct tr_source *source,
			       struct tr_error *err)
{
	struct tr_lines lines = {.source = source};
	const size_t first = grid->count;
	struct tr_error why;
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK) {
		const bool values = *line != '#' && *line != '\0';

		if ((grid->count == first && *line != '\0' &&
		     combinations_add_columns(grid, line, &why) != TR_OK) ||
		    (values && combinations_add_row(grid, first, line, &why) != TR_OK)) {
			status = tr_lines_fail(&lines, err, "%s", why.text);
			break;
		}
	}
	if (status == TR_END && (grid->count == first || grid->parameters[first].count == 0))
		status = tr_lines_fail(&lines, err, "the list has no runs");
	tr_lines_clear(&lines);
	return status == TR_END ? check_runs(grid, err) : status;
}

size_t sweep_grid_runs(const struct sweep_grid *grid)
{
	size_t runs = 1;

	for (size_t i = 0; i < grid->count; i++)
		if (!grid->parameters[i].along &&
		    __builtin_mul_overflow(runs, grid->parameters[i].count, &runs))
			return SIZE_MAX;
	return runs;
}

const char *sweep_grid_value(const struct sweep_grid *grid, size_t run, size_t parameter)
{
	for (size_t i = grid->count - 1; i > parameter; i--)
		if (!grid->parameters[i].along)
			run /= grid->parameters[i].count;
	return grid->parameters[parameter].values[run % grid->parameters[parameter].count];
}

size_t sweep_grid_find(const struct sweep_grid *grid, const char *name, size_t bytes)
{
	size_t i = 0;

	while (i < grid->count && (strlen(grid->parameters[i].name) != bytes ||
				   memcmp(grid->parameters[i].name, name, bytes) != 0))
		i++;
	return i;
}

const char *sweep_grid_name(const struct sweep_grid *grid, size_t run, char *out, size_t out_bytes)
{
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < grid->count && used < out_bytes; i++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s=%s", i > 0 ? " " : "",
					 grid->parameters[i].name, sweep_grid_value(grid, run, i));
	return out;
}

void sweep_grid_clear(struct sweep_grid *grid)
{
	for (size_t i = 0; i < grid->count; i++) {
		for (size_t k = 0; k < grid->parameters[i].count; k++)
			free(grid->parameters[i].values[k]);
		free(grid->parameters[i].values);
		free(grid->parameters[i].name);
	}
	free(grid->parameters);
	*grid = (struct sweep_grid){0};
}
