// SPDX-License-Identifier: GPL-3.0-or-later
// The Markov-modulated Poisson process (Fischer and Meier-Hellstern 1993, see processes.h): its
// text, its packets and its fit.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_fit.h"
#include "gen/families/family.h"
#include "gen/families/processes.h"
#include "value/num.h"

static const struct model_field fields[] = {{"state", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"jump", MODEL_REPEATED, 0, false, 0, 0, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};

static void mmpp_explain(const void *parameters, FILE *out)
{
	const struct map *mmpp = parameters;
	const unsigned n = mmpp->chain.states;
	double share[CHAIN_STATES_MAX];
	char stay[MODEL_NUMBER_BYTES];

	chain_stationary(&mmpp->chain, share);
	fprintf(out, "A Poisson process with %u rate%s:\n", n, n == 1 ? "" : "s");
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "    %.6g packets/s", mmpp->chain.d1[i * n + i]);
		if (n > 1)
			fprintf(out, " for %s on average, %.3g %% of the time",
				model_format(
					MODEL_TIME,
					model_settle(MODEL_TIME, chain_stay(&mmpp->chain, i), 4),
					stay),
				100 * share[i]);
		fprintf(out, "\n");
	}
	chain_explain(&mmpp->chain, out);
}

static unsigned mmpp_freedom(const void *parameters)
{
	const struct chain *chain = &((const struct map *)parameters)->chain;

	return chain_free_cells(chain, NULL);
}

#define RATE_MAX 1e12 // 1/s
#define STAY_MAX_S 1e9
#define SHARES_OFF 1e-5 // tolerance of the sum of shares, 100 %

// A value of the state: the text up to the word, which is cut off. NULL if the word is missing.
static char *cut_at(char *text, const char *word)
{
	char *at = strstr(text, word);

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(word);
}

static enum tr_status get_state(const struct model *model, const struct model_entry *entry,
				struct chain *chain, unsigned state, struct tr_error *err)
{
	static const char form[] = "expected such as state 1200 packets/s for 20 ms";
	const unsigned n = chain->states;
	struct tr_error why = {""};
	char text[MODEL_LINE_MAX + 1];
	double rate, stay_s = INFINITY;

	(void)snprintf(text, sizeof(text), "%s", entry->value);
	char *stay = cut_at(text, " for "), *end = cut_at(text, " packets/s");

	if (!end || *end || (!stay && n > 1))
		return model_fail(model, entry, err, "state: %s", form);
	if (model_value(MODEL_REAL, text, &rate, &why) != TR_OK ||
	    (stay && model_value(MODEL_TIME, stay, &stay_s, &why) != TR_OK))
		return model_fail(model, entry, err, "state: %s; %s", why.text, form);
	if (!(rate >= 0 && rate <= RATE_MAX))
		return model_fail(model, entry, err, "state: %s packets/s are outside 0 .. %g",
				  text, RATE_MAX);
	if (stay && !(stay_s >= 1e-9 && stay_s <= STAY_MAX_S))
		return model_fail(model, entry, err, "state: %s is outside 1 ns .. %g s", stay,
				  STAY_MAX_S);
	chain->d1[state * n + state] = rate;
	chain->d0[state * n + state] = 1 / stay_s; // temporarily: the rate of leaving
	return TR_OK;
}

// A state's number, 1 and up.
static enum tr_status mmpp_get_number(const char *text, unsigned states, unsigned *out,
				      struct tr_error *err)
{
	uint64_t number;

	if (num_parse_count(text, 1, states, &number, err) != TR_OK)
		return TR_ERROR;
	*out = (unsigned)number - 1;
	return TR_OK;
}

static enum tr_status get_jump(const struct model *model, const struct model_entry *entry,
			       struct chain *chain, struct tr_error *err)
{
	const unsigned n = chain->states;
	struct tr_error why = {"expected such as jump 1 to 3 70 %"};
	char text[MODEL_LINE_MAX + 1];
	unsigned from, to;
	double share;

	(void)snprintf(text, sizeof(text), "%s", entry->value);
	char *target = cut_at(text, " to "), *given = target ? cut_at(target, " ") : NULL;

	if (!given || mmpp_get_number(text, n, &from, &why) != TR_OK ||
	    mmpp_get_number(target, n, &to, &why) != TR_OK ||
	    model_value(MODEL_SHARE, given, &share, &why) != TR_OK)
		return model_fail(model, entry, err, "jump: %s", why.text);
	if (from == to || !(share > 0 && share <= 1))
		return model_fail(
			model, entry, err,
			"jump: expected another state and a share above 0 %% and up to 100 %%");
	if (chain->d0[from * n + to] > 0)
		return model_fail(model, entry, err, "jump: from %u to %u is given twice", from + 1,
				  to + 1);
	chain->d0[from * n + to] = share;
	return TR_OK;
}

// Converts shares, and rates of leaving on the diagonal, to rates. A state without shares goes to
// all others equally.
static enum tr_status mmpp_spread(const struct model *model, const char *section,
				  struct chain *chain, struct tr_error *err)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n && n > 1; i++) {
		const double leaves = chain->d0[i * n + i];
		double sum = 0;

		for (unsigned j = 0; j < n; j++)
			sum += j != i ? chain->d0[i * n + j] : 0;
		if (sum > 0 && fabs(sum - 1) > SHARES_OFF)
			return model_fail(
				model, model_find(model, section, "jump"), err,
				"jump: the shares from state %u sum to %.7g %%, not 100 %%", i + 1,
				100 * sum);
		for (unsigned j = 0; j < n; j++)
			chain->d0[i * n + j] = leaves * (sum > 0 ? chain->d0[i * n + j] / sum
								 : 1.0 / (n - 1));
		chain->d0[i * n + i] = 0;
	}
	chain_balance(chain);
	return TR_OK;
}

static enum tr_status get_chain(struct chain *chain, const struct model *model, const char *section,
				struct tr_error *err)
{
	const struct model_entry *entry = NULL;
	enum tr_status status = TR_OK;
	unsigned state = 0;

	while (status == TR_OK && (entry = model_next(model, section, "state", entry)))
		status = get_state(model, entry, chain, state++, err);
	while (status == TR_OK && (entry = model_next(model, section, "jump", entry)))
		status = get_jump(model, entry, chain, err);
	return status == TR_OK ? mmpp_spread(model, section, chain, err) : status;
}

static enum tr_status mmpp_get(void *parameters, const struct model *model, const char *section,
			       struct tr_error *err)
{
	const struct model_entry *first = model_find(model, section, "state");
	struct map *mmpp = parameters;
	struct tr_error why = {""};
	const unsigned states = model_count(model, section, "state");

	if (states < 1 || states > CHAIN_STATES_MAX)
		return model_fail(model, first, err, "expected 1 to %u states, found %u",
				  CHAIN_STATES_MAX, states);
	if (chain_new(&mmpp->chain, states, err) != TR_OK ||
	    get_chain(&mmpp->chain, model, section, err) != TR_OK) {
		map_clear(mmpp);
		return TR_ERROR;
	}
	if (chain_check(&mmpp->chain, &why) != TR_OK || map_ready(mmpp, &why) != TR_OK) {
		map_clear(mmpp);
		return model_fail_for(model, first, err, &why, "state");
	}
	return TR_OK;
}

// Writes the known intervals (a rate of 0 has none); false if there are none.
static bool note_state(const double (*found)[2], double level, char *out, size_t bytes)
{
	const bool rate = found[0][1] > 0, stay = found[1][1] > 0;
	char rates[MODEL_INTERVAL_BYTES] = "", stays[MODEL_INTERVAL_BYTES] = "";

	if (rate)
		(void)model_range(MODEL_REAL, found[0][0], found[0][1], rates);
	if (stay)
		(void)model_range(MODEL_TIME, found[1][0], found[1][1], stays);
	(void)snprintf(out, bytes, "%s%s%s%s at %g %%", rates, rate ? " packets/s" : "",
		       rate && stay ? ", " : "", stays, 100 * level);
	return rate || stay;
}

static void put_state(const struct map *mmpp, unsigned i, struct model *model)
{
	const unsigned n = mmpp->chain.states;
	const double(*found)[2] = mmpp->intervals ? (const double(*)[2])mmpp->intervals + 2 * i
						  : NULL;
	char rate[MODEL_NUMBER_BYTES], stay[MODEL_NUMBER_BYTES];
	char text[4 * MODEL_NUMBER_BYTES], note[3 * MODEL_INTERVAL_BYTES];

	model_format(MODEL_REAL, mmpp->chain.d1[i * n + i], rate);
	if (n > 1)
		(void)snprintf(
			text, sizeof(text), "%s packets/s for %s", rate,
			model_format(MODEL_TIME,
				     model_settle(MODEL_TIME, chain_stay(&mmpp->chain, i), 12),
				     stay));
	else
		(void)snprintf(text, sizeof(text), "%s packets/s", rate);
	if (found && note_state(found, mmpp->level, note, sizeof(note)))
		model_key(model, "state", text, note);
	else
		model_key(model, "state", text, NULL);
}

static void mmpp_put(const void *parameters, struct model *model)
{
	const struct map *mmpp = parameters;
	const unsigned n = mmpp->chain.states;
	char share[MODEL_NUMBER_BYTES], text[MODEL_NUMBER_BYTES + 32];

	for (unsigned i = 0; i < n; i++)
		put_state(mmpp, i, model);
	for (unsigned i = 0; i < n && n > 2; i++)
		for (unsigned j = 0; j < n; j++) {
			const double rate = mmpp->chain.d0[i * n + j];

			if (j == i || rate == 0)
				continue;
			model_format(
				MODEL_SHARE,
				model_settle(MODEL_SHARE, rate * chain_stay(&mmpp->chain, i), 9),
				share);
			(void)snprintf(text, sizeof(text), "%u to %u %s", i + 1, j + 1, share);
			model_key(model, "jump", text, NULL);
		}
}

#define DIGITS 6

static const double windows[] = {4, 16, 64, 256, 1024, 4096}; // mean gaps

static enum tr_status start_mmpp(struct chain *out, const struct arrival_sample *sample,
				 double gap_ticks, unsigned which, struct tr_error *err)
{
	return chain_start(out, sample, windows[which] * gap_ticks, err);
}

#define MMPP_FITTED_STATES 4u

static const struct chain_family family = {MMPP_FITTED_STATES, sizeof(windows) / sizeof(*windows),
					   start_mmpp};

// Sorts the states by descending rate.
static void sort_states(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i + 1 < n; i++) {
		unsigned most = i;

		for (unsigned j = i + 1; j < n; j++)
			if (chain->d1[j * n + j] > chain->d1[most * n + most])
				most = j;
		for (unsigned k = 0; k < 2 * n && most != i; k++) { // rows of d0 and d1
			double *row = chain->d0 + k * n, kept = row[i];

			row[i] = row[most];
			row[most] = kept;
		}
		for (unsigned k = 0; k < 2 * n && most != i; k++) {
			double *column = (k < n ? chain->d0 : chain->d1) + k % n,
			       kept = column[i * n];

			column[i * n] = column[most * n];
			column[most * n] = kept;
		}
	}
}

// Rounds rates, stays and shares to few digits, so that the text equals the fit.
static void mmpp_settle(struct chain *chain)
{
	const unsigned n = chain->states;

	for (unsigned i = 0; i < n; i++) {
		const double stay_s = n > 1 ? chain_stay(chain, i) : 0;

		chain->d1[i * n + i] = model_settle(MODEL_REAL, chain->d1[i * n + i], DIGITS);
		for (unsigned j = 0; j < n; j++)
			if (j != i && n > 1)
				chain->d0[i * n + j] *= stay_s /
							model_settle(MODEL_TIME, stay_s, DIGITS);
	}
	chain_balance(chain);
}

static enum tr_status mmpp_find_intervals(struct map *mmpp, const struct arrival_sample *sample,
					  struct tr_error *err)
{
	const unsigned n = mmpp->chain.states;
	double(*rates)[2] = calloc(2 * (size_t)n * n, sizeof(*rates)),
	(*stays_s)[2] = calloc(n, sizeof(*stays_s));
	enum tr_status status;

	mmpp->intervals = calloc(2 * (size_t)n, sizeof(*mmpp->intervals));
	if (rates && stays_s && mmpp->intervals)
		status = chain_intervals(&mmpp->chain, sample, rates, stays_s, err);
	else
		status = tr_no_memory(err, "the intervals of %u states", n);
	for (unsigned i = 0; i < n && status == TR_OK; i++)
		for (int end = 0; end < 2; end++) {
			mmpp->intervals[2 * i][end] = rates[n * n + i * n + i][end];
			mmpp->intervals[2 * i + 1][end] = stays_s[i][end];
		}
	free(rates);
	free(stays_s);
	return status;
}

// Fits by likelihood, with the number of states (1 to MMPP_FITTED_STATES) that minimises the
// Bayesian information criterion (chain_fit.h). The states are sorted by descending rate.
static enum tr_status mmpp_fit(void *parameters, const struct arrival_sample *sample,
			       struct arrival_notes *notes, struct tr_error *err)
{
	struct map *mmpp = parameters;

	*mmpp = (struct map){.level = sample->level};
	if (chain_seek(&family, sample, &mmpp->chain, err) != TR_OK)
		return TR_ERROR;
	sort_states(&mmpp->chain);
	mmpp_settle(&mmpp->chain);
	if ((sample->level > 0 && mmpp_find_intervals(mmpp, sample, err) != TR_OK) ||
	    map_ready(mmpp, err) != TR_OK) {
		map_clear(mmpp);
		return TR_ERROR;
	}
	chain_seek_note(&mmpp->chain, sample, notes->method);
	return TR_OK;
}

static const struct arrival_process process = {
	.fields = fields,
	.parameter_bytes = sizeof(struct map),
	.get = mmpp_get,
	.put = mmpp_put,
	.clear = map_clear,
	.rate = map_rate,
	.dispersion = map_dispersion,
	.explain = mmpp_explain,
	.state_bytes = sizeof(struct chain_walk),
	.start = map_start,
	.next = map_next,
};

static const struct arrival_fit fitting = {
	.fit = mmpp_fit,
	.log_likelihood = map_log_likelihood,
	.freedom = mmpp_freedom,
};

const struct family mmpp_family = {
	.name = "mmpp",
	.summary = "Markov-modulated Poisson process",
	.generator = &streams_generator,
	.fit = &streams_fit,
	.arrivals = &process,
	.arrival_fit = &fitting,
};
