// SPDX-License-Identifier: GPL-3.0-or-later
// What captures leave open of a program on more nodes. On few nodes several patterns have the same
// messages, and two numbers of nodes fit more than one law of growth: each such model is as good as
// the fitted one, and may predict other traffic.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_fitting.h"

#define NEARLY 1e-6 // exponents this near to a whole number are it

void program_others_clear(struct program_others *others)
{
	for (size_t i = 0; i < others->count; i++)
		model_clear(&others->each[i].text);
	*others = (struct program_others){.count = 0};
}

// Adds the model as it is now.
static void add_other(const struct fitting *fitting, struct program_others *others, uint32_t phase,
		      const char *what)
{
	struct program_other *other;

	if (others->count == PROGRAM_OTHERS_MAX) {
		others->beyond++;
		return;
	}
	other = &others->each[others->count++];
	if (phase < fitting->model.phase_count)
		(void)snprintf(other->what, sizeof(other->what), "phase %u as %s", phase + 1, what);
	else
		(void)snprintf(other->what, sizeof(other->what), "%s", what);
	program_model_put(&other->text, &fitting->model, NULL);
}

static void add_patterns(struct fitting *fitting, struct program_others *others, uint32_t p)
{
	struct program_phase *phase = &fitting->model.phases[p];
	const struct program_phase chosen = *phase;
	const uint32_t patterns = program_common_patterns(fitting, p);

	for (uint32_t i = 0; program_patterns[i]; i++) {
		const unsigned options = program_last(fitting)->phases.seen[p].options[i];

		if (!(patterns >> i & 1) || program_patterns[i] == chosen.pattern ||
		    !program_settle_differ(&chosen, i, options, others->nodes))
			continue;
		phase->pattern = program_patterns[i];
		program_phase_set_options(phase, options);
		add_other(fitting, others, p, program_patterns[i]->name);
		*phase = chosen;
	}
}

// On 2 by 2 nodes a butterfly has the messages of exchanges among all of a row, then of a column.
// On 4 by 2, such a row of four exchanges three messages of half the size in place of two.
static void add_grid(struct fitting *fitting, struct program_others *others, uint32_t p)
{
	struct program_power *bytes = &fitting->model.phases[p].bytes;
	const double a = bytes->a;

	if (others->nodes != 8 || strcmp(fitting->model.phases[p].pattern->name, "butterfly") != 0)
		return;
	bytes->a *= 2.5 / 3;
	add_other(fitting, others, p, "exchanges in the rows and columns of a grid");
	bytes->a = a;
}

// On 2 by 2 nodes a halo with edges that wrap around has the messages of a butterfly, twice.
static void add_twice(struct fitting *fitting, struct program_others *others, uint32_t p)
{
	struct program_phase *phase = &fitting->model.phases[p];
	const struct program_phase chosen = *phase;

	if (others->nodes != 8 || strcmp(phase->pattern->name, "halo") != 0 || phase->open ||
	    phase->along != PROGRAM_ALONG_BOTH)
		return;
	for (uint32_t i = 0; program_patterns[i]; i++)
		if (strcmp(program_patterns[i]->name, "butterfly") == 0)
			phase->pattern = program_patterns[i];
	phase->rounds = 2;
	phase->order = PROGRAM_IN_TURN;
	add_other(fitting, others, p, "a butterfly, twice");
	*phase = chosen;
}

// Of nodes: the least, and whether there are just two numbers of them and one problem.
static bool has_two_sizes(const struct fitting *fitting, double *least)
{
	const size_t last = fitting->count - 1;

	*least = fitting->each[0].capture->trace.nodes;
	for (size_t i = 0; i < fitting->count; i++)
		if ((fitting->log_nodes[i] != fitting->log_nodes[0] &&
		     fitting->log_nodes[i] != fitting->log_nodes[last]) ||
		    fitting->log_problems[i] != fitting->log_problems[0])
			return false;
	return fitting->log_nodes[0] != fitting->log_nodes[last];
}

// p^e through two numbers of nodes; through the same two values also goes p^k (x + y/p), with k the
// next whole number. Its value at the nodes, as a constant.
static void bend(struct program_power *power, double first, double last, double nodes)
{
	const double k = ceil(power->p_exponent - NEARLY),
		     from = power->a * pow(first, power->p_exponent - k),
		     to = power->a * pow(last, power->p_exponent - k),
		     y = (from - to) / (1 / first - 1 / last);

	power->a = pow(nodes, k) * (to - y / last + y / nodes);
	power->p_exponent = 0;
}

// Growth as a sum of two powers in place of one; sizes that go by a half or whole power do so by
// the pattern.
static void add_growth(struct fitting *fitting, struct program_others *others)
{
	struct program_phase *phases = fitting->model.phases;
	const uint32_t count = fitting->model.phase_count;
	const double last = program_last(fitting)->capture->trace.nodes;
	double first;

	if (!has_two_sizes(fitting, &first))
		return;
	for (uint32_t p = 0; p < count; p++) {
		if (fmod(2 * phases[p].bytes.p_exponent, 1) != 0)
			bend(&phases[p].bytes, first, last, others->nodes);
		bend(&phases[p].compute.mean_s, first, last, others->nodes);
		bend(&phases[p].between.mean_s, first, last, others->nodes);
	}
	add_other(fitting, others, count, "growth as the sum of two powers of the nodes");
}

// Variance over mean^2 of a time of some length.
static double variation_of(const struct program_time *time)
{
	struct law_plan plan;
	struct law law = time->law; // none of a fit is empirical
	double variation = 0;

	law.mean = 1;
	if (time->mean_s.a > 0 && law_plan_make(&plan, &law, 1, NULL) == TR_OK) {
		variation = law_variation(&plan);
		law_plan_clear(&plan);
	}
	return variation;
}

// All computing times as scattered as the most scattered ones: on more nodes any rank may be late.
static void add_scattered(struct fitting *fitting, struct program_others *others)
{
	struct program_phase *phases = fitting->model.phases;
	const uint32_t count = fitting->model.phase_count;
	struct law most = {.name = LAW_CONSTANT};
	double variation = 0;

	for (uint32_t p = 0; p < 2 * count; p++) {
		const struct program_time *time = p % 2 == 0 ? &phases[p / 2].compute
							     : &phases[p / 2].between;

		if (variation_of(time) > variation) {
			variation = variation_of(time);
			most = time->law;
		}
	}
	if (variation == 0 || others->count == PROGRAM_OTHERS_MAX)
		return;
	for (uint32_t p = 0; p < count; p++)
		phases[p].compute.law = phases[p].between.law = most;
	add_other(fitting, others, count,
		  "all computing times as scattered as the most scattered ones");
	others->each[others->count - 1].scattered = true;
}

enum tr_status program_others_find(struct fitting *fitting, struct program_others *others,
				   struct tr_error *err)
{
	const uint64_t nodes = fitting->model.nodes;
	const size_t bytes = fitting->model.phase_count * sizeof(*fitting->model.phases);
	struct program_phase *kept;

	if (fitting->log_nodes[0] == fitting->log_nodes[fitting->count - 1])
		return TR_OK;
	kept = malloc(bytes);
	if (!kept)
		return tr_no_memory(err, "%u phases", fitting->model.phase_count);
	memcpy(kept, fitting->model.phases, bytes);
	others->nodes = 2 * (uint32_t)nodes;
	fitting->model.nodes = others->nodes;
	add_other(fitting, others, fitting->model.phase_count, "the model");
	add_growth(fitting, others);
	memcpy(fitting->model.phases, kept, bytes);
	add_scattered(fitting, others);
	memcpy(fitting->model.phases, kept, bytes);
	free(kept);
	for (uint32_t p = 0; p < fitting->model.phase_count; p++) {
		if (fitting->model.phases[p].collective)
			continue;
		add_patterns(fitting, others, p);
		add_grid(fitting, others, p);
		add_twice(fitting, others, p);
	}
	fitting->model.nodes = nodes;
	return TR_OK;
}
