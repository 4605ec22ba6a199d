// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/num.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_-"

static enum tr_status add_value(struct sweep_parameter *parameter, const char *text, struct tr_error *err)
{
	const size_t count = parameter->count;

	if (count == SWEEP_RUNS_MAX)
		return tr_fail(err, "more than %u runs", SWEEP_RUNS_MAX);
	if ((count & (count - 1)) == 0) { // room for the next power of two
		char **more = reallocarray(parameter->values, count > 0 ? 2 * count : 1, sizeof(*more));

		if (!more)
			return tr_no_memory(err, "the values of an option");
		parameter->values = more;
	}
	parameter->values[count] = strdup(text);
	if (!parameter->values[count])
		return tr_no_memory(err, "the values of an option");
	parameter->count++;
	return TR_OK;
}

// "1..10"; dots points to the two dots.
static enum tr_status add_range(struct sweep_parameter *parameter, char *text, char *dots, struct tr_error *err)
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
		if (add_value(parameter, number, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// values is modified.
static enum tr_status add_values(struct sweep_parameter *parameter, char *values, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	char *word;

	while (status == TR_OK && (word = strsep(&values, ",")) != NULL) {
		char *dots = strstr(word, "..");

		if (*word == '\0' || strpbrk(word, "\t\n"))
			return tr_fail(err, "%s: a value is empty or has a tab or newline in it", parameter->name);
		status = dots ? add_range(parameter, word, dots, err) : add_value(parameter, word, err);
	}
	return status;
}

static bool is_name(const char *text)
{
	return *text >= 'a' && *text <= 'z' && text[strspn(text, NAME_CHARACTERS)] == '\0';
}

enum tr_status sweep_grid_add(struct sweep_grid *grid, const char *text, struct tr_error *err)
{
	struct sweep_parameter *more = reallocarray(grid->parameters, grid->count + 1, sizeof(*more));
	struct sweep_parameter *parameter;
	char *sign;

	if (!more)
		return tr_no_memory(err, "the options");
	grid->parameters = more;
	parameter = &more[grid->count];
	*parameter = (struct sweep_parameter){.name = strdup(text)};
	if (!parameter->name)
		return tr_no_memory(err, "the options");
	grid->count++;
	sign = strchr(parameter->name, '=');
	if (!sign)
		return tr_fail(err, "expected a parameter such as load=0.1,0.3 or seed=1..10, found \"%s\"", text);
	*sign = '\0';
	if (!is_name(parameter->name))
		return tr_fail(err, "\"%s\": a name consists of a-z, 0-9, _ and -, and begins with a letter", text);
	if (sweep_grid_find(grid, parameter->name, strlen(parameter->name)) < grid->count - 1)
		return tr_fail(err, "%s is given twice", parameter->name);
	if (add_values(parameter, sign + 1, err) != TR_OK)
		return TR_ERROR;
	if (sweep_grid_runs(grid) > SWEEP_RUNS_MAX)
		return tr_fail(err, "more than %u runs", SWEEP_RUNS_MAX);
	return TR_OK;
}

size_t sweep_grid_runs(const struct sweep_grid *grid)
{
	size_t runs = 1;

	for (size_t i = 0; i < grid->count; i++)
		if (__builtin_mul_overflow(runs, grid->parameters[i].count, &runs))
			return SIZE_MAX;
	return runs;
}

const char *sweep_grid_value(const struct sweep_grid *grid, size_t run, size_t parameter)
{
	for (size_t i = grid->count - 1; i > parameter; i--)
		run /= grid->parameters[i].count;
	return grid->parameters[parameter].values[run % grid->parameters[parameter].count];
}

size_t sweep_grid_find(const struct sweep_grid *grid, const char *name, size_t bytes)
{
	size_t i = 0;

	while (i < grid->count &&
	       (strlen(grid->parameters[i].name) != bytes || memcmp(grid->parameters[i].name, name, bytes) != 0))
		i++;
	return i;
}

const char *sweep_grid_name(const struct sweep_grid *grid, size_t run, char *out, size_t out_bytes)
{
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < grid->count && used < out_bytes; i++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s=%s", i > 0 ? " " : "", grid->parameters[i].name,
					 sweep_grid_value(grid, run, i));
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
