// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/alias.h"

#include <stdlib.h>

// Vose's two stacks in one array: underfull cells grow from the front, overfull ones from the back.
static void pair_cells(struct alias *alias, const double *weights, double total, uint32_t *stack)
{
	size_t n = alias->count, little = 0, much = n;

	for (size_t i = 0; i < n; i++) {
		alias->other[i] = (uint32_t)i;
		alias->stay[i] = weights[i] / total * (double)n;
		if (alias->stay[i] < 1)
			stack[little++] = (uint32_t)i;
		else
			stack[--much] = (uint32_t)i;
	}
	while (little > 0 && much < n) {
		uint32_t poor = stack[--little], rich = stack[much];

		alias->other[poor] = rich;
		alias->stay[rich] -= 1 - alias->stay[poor];
		if (alias->stay[rich] < 1) {
			much++;
			stack[little++] = rich;
		}
	}
	while (little > 0) // the rest is 1 up to rounding
		alias->stay[stack[--little]] = 1;
	while (much < n)
		alias->stay[stack[much++]] = 1;
}

enum tr_status alias_make(struct alias *out, const double *weights, size_t count,
			  struct tr_error *err)
{
	double total = 0;
	uint32_t *stack;

	*out = (struct alias){0};
	for (size_t i = 0; i < count; i++)
		total += weights[i];
	if (!(total > 0) || count > UINT32_MAX)
		return tr_fail(err, "the weights are all zero");
	stack = calloc(count, sizeof(*stack));
	out->count = count;
	out->stay = calloc(count, sizeof(*out->stay));
	out->other = calloc(count, sizeof(*out->other));
	if (stack && out->stay && out->other) {
		pair_cells(out, weights, total, stack);
		free(stack);
		return TR_OK;
	}
	free(stack);
	alias_clear(out);
	return tr_no_memory(err, "%zu weights", count);
}

void alias_clear(struct alias *alias)
{
	free(alias->stay);
	free(alias->other);
	*alias = (struct alias){0};
}
