// SPDX-License-Identifier: GPL-3.0-or-later
// The Markovian arrival process (Lucantoni, Meier-Hellstern and Neuts 1990, see chain.h): its text,
// its packets and its fit.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_fit.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"

static const struct model_field fields[] = {{"d0", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"d1", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

enum tr_status map_ready(struct map *map, struct tr_error *err)
{
	return chain_moves_make(&map->moves, &map->chain, err);
}

void map_clear(void *parameters)
{
	struct map *map = parameters;

	chain_clear(&map->chain);
	chain_moves_clear(&map->moves);
	free(map->intervals);
	*map = (struct map){0};
}

double map_rate(const void *parameters)
{
	return chain_rate(&((const struct map *)parameters)->chain);
}

double map_dispersion(const void *parameters)
{
	const double forever = INFINITY;
	double dispersion;

	if (chain_dispersion(&((const struct map *)parameters)->chain, &forever, 1, &dispersion,
			     NULL) != TR_OK)
		return NAN;
	return dispersion;
}

static void map_explain(const void *parameters, FILE *out)
{
	const struct map *map = parameters;
	double share[CHAIN_STATES_MAX];

	chain_stationary(&map->chain, share);
	fprintf(out, "A Markov chain of %u state%s, some of whose transitions send a packet:\n",
		map->chain.states, map->chain.states == 1 ? "" : "s");
	for (unsigned i = 0; i < map->chain.states; i++)
		fprintf(out, "    state %u: exit rate %.6g/s, %.3g %% of the time\n", i + 1,
			-map->chain.d0[i * map->chain.states + i], 100 * share[i]);
	chain_explain(&map->chain, out);
}

enum tr_status map_start(void *state, const void *parameters,
			 const struct arrival_settings *settings, struct tr_random *random,
			 struct tr_error *err)
{
	(void)err;
	chain_walk_start(state, &((const struct map *)parameters)->moves, settings, random);
	return TR_OK;
}

double map_next(void *state, struct tr_random *random)
{
	return chain_walk_next(state, random);
}

enum tr_status map_log_likelihood(const void *parameters, const struct arrival_sample *sample,
				  double *out, struct tr_error *err)
{
	return chain_log_likelihood(&((const struct map *)parameters)->chain, sample, out, err);
}

// A process of n states has n^2 parameters, despite its 2 n^2 - n rates (Telek and Horvath, A
// minimal representation of Markov arrival processes and a moments matching method, Performance
// Evaluation 64 (2007) 1153-1168).
unsigned map_freedom(const void *parameters)
{
	const struct chain *chain = &((const struct map *)parameters)->chain;
	const unsigned cells = chain_free_cells(chain, NULL), most = chain->states * chain->states;

	return cells < most ? cells : most;
}

#define RATE_MAX 1e12 // 1/s
#define SUM_OFF 1e-9  // tolerance of a row's sum, relative to its diagonal
#define COMPUTED "-"  // stands for the diagonal

static const char form[] =
	"expected such as d0 - 30 5 /s, one rate for each state and - on the diagonal";

// The words of a row, without the unit at its end.
static unsigned count_rates(const char *text)
{
	unsigned count = 0;

	for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
		const size_t bytes = strcspn(text, " ");

		count += !(bytes == 2 && strncmp(text, "/s", 2) == 0);
		text += bytes;
	}
	return count;
}

// Reads the rates of one row; the diagonal of d0 is NAN if it is to be computed.
static enum tr_status get_row(const struct model *model, const struct model_entry *entry,
			      unsigned n, unsigned row, double *out, struct tr_error *err)
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
			return model_fail(model, entry, err,
					  "%s: expected %u rates in a row, found %u; %s",
					  entry->key, n, count_rates(entry->value), form);
		if (model_value(MODEL_REAL, word, &out[j], &why) != TR_OK)
			return model_fail(model, entry, err, "%s: %s; %s", entry->key, why.text,
					  form);
		if (!(diagonal ? out[j] <= 0 : out[j] >= 0) || fabs(out[j]) > RATE_MAX)
			return model_fail(model, entry, err, "%s: the rate %s is outside %s",
					  entry->key, word, diagonal ? "-1e12 .. 0" : "0 .. 1e12");
	}
	if (!left || strcmp(left, "/s") != 0)
		return model_fail(model, entry, err,
				  "%s: expected %u rates in a row, found %u, and /s at its end; %s",
				  entry->key, n, count_rates(entry->value), form);
	return TR_OK;
}

static enum tr_status get_matrix(const struct model *model, const char *section, const char *key,
				 unsigned n, double *out, struct tr_error *err)
{
	const struct model_entry *entry = NULL;

	for (unsigned row = 0; (entry = model_next(model, section, key, entry)); row++)
		if (get_row(model, entry, n, row, out + row * n, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Sets the diagonal, or checks a given one.
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
			return tr_fail(err, "row %u of d0 and d1 sums to %.9g/s, not 0", i + 1,
				       sum);
	}
	return chain_check(chain, err);
}

static enum tr_status map_get(void *parameters, const struct model *model, const char *section,
			      struct tr_error *err)
{
	const unsigned n = model_count(model, section, "d0");
	const struct model_entry *first = model_find(model, section, "d0");
	struct map *map = parameters;
	struct tr_error why = {""};

	if (n < 1 || n > CHAIN_STATES_MAX || model_count(model, section, "d1") != n)
		return model_fail(model, first, err,
				  "expected as many rows of d0 as of d1, 1 to %u; found %u and %u",
				  CHAIN_STATES_MAX, n, model_count(model, section, "d1"));
	if (chain_new(&map->chain, n, err) != TR_OK ||
	    get_matrix(model, section, "d0", n, map->chain.d0, err) != TR_OK ||
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

// The intervals of a row as a comment; NULL if none is known.
static const char *note_row(const struct map *map, const double (*intervals)[2], char *out,
			    size_t bytes)
{
	char range[MODEL_INTERVAL_BYTES];
	size_t used = 0;
	bool known = false;

	for (unsigned j = 0; j < map->chain.states && intervals && used < bytes; j++) {
		known = known || intervals[j][1] > 0;
		if (intervals[j][1] > 0)
			used += (size_t)snprintf(
				out + used, bytes - used, "%s%s", used ? ", " : "",
				model_range(MODEL_REAL, intervals[j][0], intervals[j][1], range));
	}
	if (!known || used >= bytes)
		return NULL;
	(void)snprintf(out + used, bytes - used, " at %g %%", 100 * map->level);
	return out;
}

static void put_matrix(const struct map *map, const char *key, const double *matrix,
		       struct model *model)
{
	const unsigned n = map->chain.states;
	char text[2 * MODEL_LINE_MAX], note[256], rate[MODEL_NUMBER_BYTES];

	for (unsigned i = 0; i < n; i++) {
		const size_t at = (size_t)(matrix - map->chain.d0) + i * n;
		size_t used = 0;

		for (unsigned j = 0; j < n && used < MODEL_LINE_MAX; j++) {
			const bool diagonal = matrix == map->chain.d0 && j == i;

			used += (size_t)snprintf(
				text + used, sizeof(text) - used, "%s ",
				diagonal ? COMPUTED
					 : model_format(MODEL_REAL, matrix[i * n + j], rate));
		}
		(void)snprintf(text + used, sizeof(text) - used, "/s");
		model_key(model, key, text,
			  note_row(map,
				   map->intervals ? (const double(*)[2])map->intervals + at : NULL,
				   note, sizeof(note)));
	}
}

static void map_put(const void *parameters, struct model *model)
{
	const struct map *map = parameters;

	put_matrix(map, "d0", map->chain.d0, model);
	put_matrix(map, "d1", map->chain.d1, model);
}

#define DIGITS 6
#define WINDOWS 4u

// The two canonical forms of two states: rates l1 and l2 (relative to the mean rate), and the
// probabilities a and b of the next state. In the first the gaps' correlations decay as (a b)^k, in
// the second as (-a b)^k.
struct canonical_start {
	int form;
	double l1, l2, a, b;
};

static const struct canonical_start canonical[] = {{1, 0.2, 5, 0.9, 0.9},  {1, 0.2, 5, 0.99, 0.99},
						   {1, 0.5, 2, 0.5, 0.5},  {1, 0.05, 3, 0.5, 0.99},
						   {1, 0.1, 50, 0.5, 0.9}, {1, 1, 2, 0.1, 0.1},
						   {2, 0.2, 5, 0.5, 0.5},  {2, 1, 3, 0.9, 0.9},
						   {2, 1.5, 3, 0.2, 0.2},  {2, 0.5, 20, 0.2, 0.8}};

static void set_canonical(struct chain *out, const struct canonical_start *start, double rate)
{
	const double l1 = start->l1 * rate, l2 = start->l2 * rate;

	for (unsigned i = 0; i < 8; i++)
		out->d0[i] = 0;
	out->d0[1] = (1 - start->a) * l1;
	out->d1[start->form == 1 ? 0 : 1] = start->a * l1;
	out->d1[start->form == 1 ? 2 : 3] = (1 - start->b) * l2;
	out->d1[start->form == 1 ? 3 : 2] = start->b * l2;
	chain_balance(out);
}

// Stages in series, the last of which sends: gaps less variable than a Poisson process'. All other
// transitions have a small share.
static void set_stages(struct chain *out, double rate)
{
	const unsigned n = out->states;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			const double some = 0.02 * (1 + (i + 2 * j) % 3) * rate;

			out->d0[i * n + j] = some + (j == i + 1 ? n * rate : 0);
			out->d1[i * n + j] = some + (i == n - 1 && j == 0 ? n * rate : 0);
		}
	chain_balance(out);
}

// Levels of the counts in windows, with a small share for all other transitions.
static enum tr_status set_levels(struct chain *out, const struct arrival_sample *sample,
				 double window_ticks, struct tr_error *err)
{
	const unsigned n = out->states;
	enum tr_status status = chain_start(out, sample, window_ticks, err);

	for (unsigned i = 0; i < n && status == TR_OK; i++)
		for (unsigned j = 0; j < n; j++)
			if (i != j)
				out->d1[i * n + j] = 0.02 * (1 + (i + 2 * j) % 3) *
						     out->d1[i * n + i];
	chain_balance(out);
	return status;
}

static enum tr_status start_map(struct chain *out, const struct arrival_sample *sample,
				double gap_ticks, unsigned which, struct tr_error *err)
{
	const double rate = sample->ticks_per_s / gap_ticks;

	if (out->states == 2) {
		set_canonical(out, &canonical[which], rate);
		return TR_OK;
	}
	if (which > WINDOWS)
		return TR_END;
	if (which < WINDOWS)
		return set_levels(out, sample, gap_ticks * (double)(4u << 3 * which), err);
	set_stages(out, rate);
	return TR_OK;
}

#define MAP_FITTED_STATES 3u

static const struct chain_family family = {MAP_FITTED_STATES,
					   sizeof(canonical) / sizeof(*canonical), start_map};

static void map_settle(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < 2 * n * n; i++)
		chain->d0[i] = model_settle(MODEL_REAL, chain->d0[i], DIGITS);
	chain_balance(chain);
}

// Fits by likelihood. Two states are fitted in the canonical forms of Bodrog, Heindl, Horvath and
// Telek (A Markovian canonical form of second-order matrix-exponential processes, Eur. J. Oper.
// Res. 190 (2008) 459-477), whose four rates are identifiable; those of three states are not, and
// have no intervals.
static enum tr_status map_fit(void *parameters, const struct arrival_sample *sample,
			      struct arrival_notes *notes, struct tr_error *err)
{
	struct map *map = parameters;
	enum tr_status status = TR_OK;

	*map = (struct map){.level = sample->level};
	if (chain_seek(&family, sample, &map->chain, err) != TR_OK)
		return TR_ERROR;
	map_settle(&map->chain);
	if (sample->level > 0 && map->chain.states <= 2) {
		map->intervals = calloc(2 * (size_t)map->chain.states * map->chain.states,
					sizeof(*map->intervals));
		status = map->intervals
				 ? chain_intervals(&map->chain, sample, map->intervals, NULL, err)
				 : tr_no_memory(err, "the intervals");
	}
	if (status != TR_OK || map_ready(map, err) != TR_OK) {
		map_clear(map);
		return TR_ERROR;
	}
	chain_seek_note(&map->chain, sample, notes->method);
	return TR_OK;
}

const struct arrival_process map_process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct map),
	.get = map_get,
	.put = map_put,
	.clear = map_clear,
	.rate = map_rate,
	.dispersion = map_dispersion,
	.explain = map_explain,
	.state_bytes = sizeof(struct chain_walk),
	.start = map_start,
	.next = map_next,
};

static const struct arrival_fit fitting = {map_fit, map_log_likelihood, map_freedom};

const struct family map_family = {
	.name = "map",
	.summary = "Markovian arrival process",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &map_process,
	.arrival_fit = &fitting,
};
