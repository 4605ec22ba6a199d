// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/map.h"

#define RATE_MAX 1e12 // 1/s
#define SUM_OFF 1e-9  // how far a row's sum may be from 0, of its diagonal
#define COMPUTED "-"  // stands for the diagonal

static const char form[] = "expected such as d0 - 30 5 /s, one rate for each state and - on the diagonal";

// The rates of one row; the diagonal of d0 is NAN where it is to be computed.
static enum tr_status get_row(const struct model *model, const struct model_entry *entry, unsigned n, unsigned row, double *out,
			      struct tr_error *err)
{
	const bool silent = strcmp(entry->key, "d0") == 0;
	char text[MODEL_LINE_MAX + 1], *left = text;
	struct tr_error why = {""};

	(void)snprintf(text, sizeof(text), "%s", entry->value);
	for (unsigned j = 0; j < n; j++) {
		const char *word = strsep(&left, " ");
		const bool diagonal = silent && j == row;

		out[j] = NAN;
		if (word && diagonal && strcmp(word, COMPUTED) == 0)
			continue;
		if (!word || !left)
			return model_fail(model, entry, err, "%s: a row of %u states has %u rates; %s", entry->key, n, n, form);
		if (model_value(MODEL_REAL, word, &out[j], &why) != TR_OK)
			return model_fail(model, entry, err, "%s: %s; %s", entry->key, why.text, form);
		if (!(diagonal ? out[j] <= 0 : out[j] >= 0) || fabs(out[j]) > RATE_MAX)
			return model_fail(model, entry, err, "%s: the rate %s is outside %s", entry->key, word,
					  diagonal ? "-1e12 .. 0" : "0 .. 1e12");
	}
	if (!left || strcmp(left, "/s") != 0)
		return model_fail(model, entry, err, "%s: a row of %u states has %u rates and ends in /s; %s", entry->key, n, n,
				  form);
	return TR_OK;
}

static enum tr_status get_matrix(const struct model *model, const char *section, const char *key, unsigned n, double *out,
				 struct tr_error *err)
{
	const struct model_entry *entry = NULL;

	for (unsigned row = 0; (entry = model_next(model, section, key, entry)); row++)
		if (get_row(model, entry, n, row, out + row * n, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Sets the diagonal, or checks the one that was given.
static enum tr_status balance(struct chain *chain, struct tr_error *err)
{
	const unsigned n = chain->states;
	double given[CHAIN_STATES_MAX];

	for (unsigned i = 0; i < n; i++)
		given[i] = chain->d0[i * n + i];
	chain_balance(chain);
	for (unsigned i = 0; i < n; i++) {
		const double sum = given[i] - chain->d0[i * n + i];

		if (!isnan(given[i]) && fabs(sum) > SUM_OFF * fabs(chain->d0[i * n + i]))
			return tr_fail(err, "row %u of d0 and d1 sums to %.9g/s, not 0", i + 1, sum);
	}
	return chain_check(chain, err);
}

enum tr_status map_get(void *parameters, const struct model *model, const char *section, struct tr_error *err)
{
	const unsigned n = model_count(model, section, "d0");
	const struct model_entry *first = model_find(model, section, "d0");
	struct map *map = parameters;
	struct tr_error why = {""};

	if (n < 1 || n > CHAIN_STATES_MAX || model_count(model, section, "d1") != n)
		return model_fail(model, first, err, "d0 and d1 have as many rows as there are states, 1 to %u; here %u and %u",
				  CHAIN_STATES_MAX, n, model_count(model, section, "d1"));
	if (chain_new(&map->chain, n, err) != TR_OK || get_matrix(model, section, "d0", n, map->chain.d0, err) != TR_OK ||
	    get_matrix(model, section, "d1", n, map->chain.d1, err) != TR_OK) {
		map_clear(map);
		return TR_ERROR;
	}
	if (balance(&map->chain, &why) != TR_OK || map_ready(map, &why) != TR_OK) {
		map_clear(map);
		return model_fail_for(model, first, err, &why, "d0");
	}
	return TR_OK;
}

// The intervals of a row as a comment; NULL where none is known.
static const char *note_row(const struct map *map, const double (*intervals)[2], char *out, size_t bytes)
{
	char range[MODEL_INTERVAL_BYTES];
	size_t used = 0;
	bool known = false;

	for (unsigned j = 0; j < map->chain.states && intervals && used < bytes; j++) {
		known = known || intervals[j][1] > 0;
		if (intervals[j][1] > 0)
			used += (size_t)snprintf(out + used, bytes - used, "%s%s", used ? ", " : "",
						 model_range(MODEL_REAL, intervals[j][0], intervals[j][1], range));
	}
	if (!known || used >= bytes)
		return NULL;
	(void)snprintf(out + used, bytes - used, " at %g %%", 100 * map->level);
	return out;
}

static void put_matrix(const struct map *map, const char *key, const double *matrix, struct model *model)
{
	const unsigned n = map->chain.states;
	char text[2 * MODEL_LINE_MAX], note[256], rate[MODEL_NUMBER_BYTES];

	for (unsigned i = 0; i < n; i++) {
		const size_t at = (size_t)(matrix - map->chain.d0) + i * n;
		size_t used = 0;

		for (unsigned j = 0; j < n && used < MODEL_LINE_MAX; j++) {
			const bool diagonal = matrix == map->chain.d0 && j == i;

			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s ",
						 diagonal ? COMPUTED : model_format(MODEL_REAL, matrix[i * n + j], rate));
		}
		(void)snprintf(text + used, sizeof(text) - used, "/s");
		model_key(model, key, text,
			  note_row(map, map->intervals ? (const double(*)[2])map->intervals + at : NULL, note, sizeof(note)));
	}
}

void map_put(const void *parameters, struct model *model)
{
	const struct map *map = parameters;

	put_matrix(map, "d0", map->chain.d0, model);
	put_matrix(map, "d1", map->chain.d1, model);
}
