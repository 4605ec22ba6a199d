// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/fabric_formula.h"

#include <stdlib.h>

enum tr_status fabric_formula_open(struct fabric_formula *formula, const struct net_fabric *kind, const struct net_setup *setup,
				   struct tr_error *err)
{
	size_t terms = 0;

	*formula = (struct fabric_formula){.of = kind->formula};
	if (!formula->of)
		return tr_fail(err, "a network of the kind %s has no formula", kind->name);
	while (formula->of->terms[terms])
		terms++;
	formula->state = malloc(formula->of->state_bytes);
	formula->terms_ticks = calloc(terms, sizeof(*formula->terms_ticks));
	if (!formula->state || !formula->terms_ticks)
		return tr_no_memory(err, "the formula");
	return formula->of->prepare(formula->state, setup, err);
}

int64_t fabric_formula_ticks(struct fabric_formula *formula, uint32_t switches, uint32_t size_bytes)
{
	int64_t sum_ticks = 0;

	formula->of->terms_ticks(formula->state, switches, size_bytes, formula->terms_ticks);
	for (size_t i = 0; formula->of->terms[i]; i++)
		sum_ticks += formula->terms_ticks[i];
	return sum_ticks;
}

void fabric_formula_close(struct fabric_formula *formula)
{
	free(formula->state);
	free(formula->terms_ticks);
	*formula = (struct fabric_formula){0};
}
