// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/scale_rules.h"

#include <math.h>
#include <string.h>

static const struct pulse_model *of_nodes(const struct scale_task *task, uint64_t nodes)
{
	for (size_t i = 0; i < task->count; i++)
		if (task->models[i].nodes == nodes)
			return &task->models[i];
	return NULL;
}

// The model whose number of nodes is nearest to the wanted one, by ratio; NULL if there are none.
static const struct pulse_model *scale_rules_nearest(const struct scale_task *task)
{
	const struct pulse_model *best = task->count > 0 ? &task->models[0] : NULL;

	for (size_t i = 1; i < task->count; i++)
		if (fabs(log((double)task->models[i].nodes / (double)task->nodes)) <
		    fabs(log((double)best->nodes / (double)task->nodes)))
			best = &task->models[i];
	return best;
}

// TR_ERROR where two models have this number of nodes: the choice is ambiguous.
static enum tr_status check_one(const struct scale_task *task, uint64_t nodes, const char *word,
				struct tr_error *err)
{
	unsigned count = 0;

	for (size_t i = 0; i < task->count; i++)
		count += task->models[i].nodes == nodes;
	return count <= 1
		       ? TR_OK
		       : tr_fail(err,
				 "%s needs one model for each number of nodes; %u have %llu nodes",
				 word, count, (unsigned long long)nodes);
}

static enum tr_status scale_published(const struct scale_task *task, const char *word,
				      struct scaled *out, struct tr_error *err)
{
	const struct pulse_model *at_2 = of_nodes(task, 2), *at_4 = of_nodes(task, 4);

	if (!at_2 || !at_4)
		return tr_fail(err, "%s needs models of 2 and 4 nodes", word);
	if (check_one(task, 2, word, err) != TR_OK || check_one(task, 4, word, err) != TR_OK)
		return TR_ERROR;
	return scale_model(at_2, at_4, task->nodes, &out->model, err);
}

static void describe_published(const struct scale_task *task, const char *word, struct model *text)
{
	(void)word;
	model_comment(text,
		      "A bursty pulse train for %llu nodes, scaled from models of 2 and 4 by the "
		      "rule of Yates 1997.",
		      (unsigned long long)task->nodes);
	if (task->nodes > 128)
		model_comment(text, "Beyond 128 nodes, which the rule does not cover, each step to "
				    "2n divides the change by n.");
}

static enum tr_status scale_formula(const struct scale_task *task, const char *word,
				    struct scaled *out, struct tr_error *err)
{
	const struct pulse_model *at = scale_rules_nearest(task);
	struct fft_workload workload;

	if (fft_workload_get(word, &workload, err) != TR_OK)
		return TR_ERROR;
	if (!at)
		return tr_fail(err, "%s needs a model", word);
	if (check_one(task, at->nodes, word, err) != TR_OK)
		return TR_ERROR;
	return scale_by_formula(at, &workload, task->nodes, &out->model, err);
}

static void describe_formula(const struct scale_task *task, const char *word, struct model *text)
{
	model_comment(text,
		      "A bursty pulse train for %llu nodes, scaled from one of %llu by what the "
		      "algorithm %s sends "
		      "(equation %s of Yates 1997).",
		      (unsigned long long)task->nodes,
		      (unsigned long long)scale_rules_nearest(task)->nodes, word,
		      strncmp(word, "rc", 2) == 0 ? "3.4" : "3.5");
	model_comment(text, "Data sizes are those of its messages; pulses change with the packets "
			    "of a phase; times and overhead sizes are as fitted.");
}

static enum tr_status scale_regression(const struct scale_task *task, const char *word,
				       struct scaled *out, struct tr_error *err)
{
	if (task->count < 2)
		return tr_fail(err, "%s needs two models or more", word);
	return scale_by_regression(task->models, task->count, task->nodes, task->level, &out->model,
				   out->notes, err);
}

static void describe_regression(const struct scale_task *task, const char *word, struct model *text)
{
	char counts[200] = "";

	(void)word;
	for (size_t i = 0; i < task->count; i++) {
		const size_t used = strlen(counts);

		(void)snprintf(counts + used, sizeof(counts) - used, "%s%llu", i ? ", " : "",
			       (unsigned long long)task->models[i].nodes);
	}
	model_comment(text,
		      "A bursty pulse train for %llu nodes, scaled by regression over models of "
		      "%s: each statistic as a "
		      "power of the number of nodes.",
		      (unsigned long long)task->nodes, counts);
}

static enum tr_status scale_constant(const struct scale_task *task, const char *word,
				     struct scaled *out, struct tr_error *err)
{
	const struct pulse_model *at = scale_rules_nearest(task);

	if (!at)
		return tr_fail(err, "%s needs a model", word);
	if (check_one(task, at->nodes, word, err) != TR_OK)
		return TR_ERROR;
	if (task->nodes < 2 || task->nodes > PULSE_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", PULSE_NODES_MAX);
	enum tr_status status = TR_OK;

	out->model = *at;
	out->model.nodes = task->nodes;
	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES;
	     p++) { // all of them, so that nothing is shared with the other model
		struct tr_error why;

		if (pulse_part_own(&out->model.part[p / PULSE_CLASSES][p % PULSE_CLASSES], &why) !=
		    TR_OK)
			status = tr_fail_for(err, &why, "%s", why.text);
	}
	if (status != TR_OK)
		pulse_model_clear(&out->model);
	return status;
}

static void describe_constant(const struct scale_task *task, const char *word, struct model *text)
{
	(void)word;
	model_comment(text,
		      "A bursty pulse train for %llu nodes, each of which sends as in the model of "
		      "%llu nodes.",
		      (unsigned long long)task->nodes,
		      (unsigned long long)scale_rules_nearest(task)->nodes);
}

const struct scale_rule scale_rules[] = {
	{"published",
	 "the change from 2 to 4 nodes continues in ever smaller steps (Yates 1997, for FFTs)",
	 scale_published, describe_published},
	{"regression", "each statistic of a node is proportional to a power of the number of nodes",
	 scale_regression, describe_regression},
	{"constant", "each node sends the same for any number of nodes, as with flitgen -n",
	 scale_constant, describe_constant},
	{"rc:", "a row-column FFT of this width: messages by equation 3.4, times unchanged",
	 scale_formula, describe_formula},
	{"vr:", "a vector-radix FFT of this width: messages by equation 3.5, times unchanged",
	 scale_formula, describe_formula},
	{.name = NULL}};

// The rule of this word, or NULL.
static const struct scale_rule *scale_rule_find(const char *word)
{
	for (const struct scale_rule *rule = scale_rules; rule->name; rule++) {
		const size_t bytes = strlen(rule->name);

		if (rule->name[bytes - 1] == ':' ? strncmp(word, rule->name, bytes) == 0
						 : strcmp(word, rule->name) == 0)
			return rule;
	}
	return NULL;
}

// Sum of squared log2 ratios of values that are both above 0.
struct misses {
	double squares;
	unsigned count;
};

static void miss(struct misses *misses, double is, double should)
{
	if (!(is > 0 && should > 0))
		return;
	misses->squares += pow(log2(is / should), 2);
	misses->count++;
}

static double mean_miss(const struct misses *misses)
{
	return misses->count > 0 ? sqrt(misses->squares / misses->count) : NAN;
}

static double statistics_apart(const struct pulse_model *is, const struct pulse_model *should)
{
	struct misses misses = {0};

	for (unsigned p = 0; p < PULSE_ROLES * PULSE_CLASSES; p++) {
		const char *a = (const char *)&is->part[p / PULSE_CLASSES][p % PULSE_CLASSES];
		const char *b = (const char *)&should->part[p / PULSE_CLASSES][p % PULSE_CLASSES];

		for (int i = 0;
		     i < PULSE_SCALED && is->part[p / PULSE_CLASSES][p % PULSE_CLASSES].present;
		     i++) {
			double x, y;

			memcpy(&x, a + pulse_part_fields[i].offset, sizeof(x));
			memcpy(&y, b + pulse_part_fields[i].offset, sizeof(y));
			miss(&misses, x, y);
		}
	}
	return mean_miss(&misses);
}

static enum tr_status find_rates(const struct pulse_model *model, struct forecast_total *out,
				 struct tr_error *err)
{
	struct model text = {.name = NULL};
	struct forecast forecast = {.senders = NULL};
	enum tr_status status;

	pulse_model_put(&text, model, NULL);
	status = pulse_forecast(&text, &forecast, err);
	if (status == TR_OK)
		*out = forecast_total(&forecast);
	forecast_clear(&forecast);
	model_clear(&text);
	return status;
}

static enum tr_status scale_rules_compare(const struct pulse_model *is,
					  const struct pulse_model *should,
					  struct scale_verdict *out, struct tr_error *err)
{
	struct forecast_total of_is, of_should;
	struct misses rates = {0};

	if (find_rates(is, &of_is, err) != TR_OK || find_rates(should, &of_should, err) != TR_OK)
		return TR_ERROR;
	miss(&rates, of_is.packets_per_s, of_should.packets_per_s);
	miss(&rates, of_is.wire_bps, of_should.wire_bps);
	out->statistics_oct = statistics_apart(is, should);
	out->rates_oct = mean_miss(&rates);
	out->error_oct = sqrt((pow(out->statistics_oct, 2) + pow(out->rates_oct, 2)) / 2);
	return TR_OK;
}

// Judges on the largest model, from the smaller ones.
static enum tr_status scale_rules_decide(const struct scale_task *task, struct scale_verdict *out,
					 struct tr_error *err)
{
	struct pulse_model smaller[SCALE_MODELS_MAX];
	struct scale_task held = {.models = smaller, .level = task->level};
	struct scaled scaled = {.model = {.nodes = 0}};
	const struct pulse_model *largest = NULL;
	enum tr_status status;

	for (size_t i = 0; i < task->count; i++)
		if (!largest || task->models[i].nodes > largest->nodes)
			largest = &task->models[i];
	for (size_t i = 0; i < task->count && held.count < SCALE_MODELS_MAX; i++)
		if (task->models[i].nodes < largest->nodes)
			smaller[held.count++] = task->models[i];
	held.nodes = largest ? largest->nodes : 0;
	if (held.count == 0)
		return tr_fail(err, "there is no larger model to test it on");

	status = out->rule->scale(&held, out->word, &scaled, err);
	if (status != TR_OK)
		(void)tr_fail_in(err, "with the models below %llu nodes",
				 (unsigned long long)held.nodes);
	if (status == TR_OK)
		status = scale_rules_compare(&scaled.model, largest, out, err);
	if (status == TR_OK)
		out->held_out = held.nodes;
	pulse_model_clear(&scaled.model);
	return status;
}

enum tr_status scale_decide(const struct scale_task *task, const char *word,
			    struct scale_verdict *out, struct tr_error *err)
{
	struct scaled scaled = {.model = {.nodes = 0}};
	struct forecast_total total = {.packets_per_s = NAN, .wire_bps = NAN};
	struct tr_error why = {""};

	*out = (struct scale_verdict){.rule = scale_rule_find(word),
				      .word = word,
				      .statistics_oct = NAN,
				      .rates_oct = NAN,
				      .error_oct = NAN};
	if (!out->rule)
		return tr_fail(err,
			       "unknown rule \"%.40s\"; expected published, regression, constant, "
			       "rc:WIDTH or vr:WIDTH",
			       word);
	out->applies = out->rule->scale(task, word, &scaled, &why) == TR_OK &&
		       find_rates(&scaled.model, &total, &why) == TR_OK;
	if (out->applies && scale_rules_decide(task, out, &why) != TR_OK)
		(void)snprintf(out->why, sizeof(out->why), "not tested: %.180s", why.text);
	else if (!out->applies)
		(void)snprintf(out->why, sizeof(out->why), "%.190s", why.text);
	out->packets_per_s = total.packets_per_s;
	out->wire_bps = total.wire_bps;
	pulse_model_clear(&scaled.model);
	return why.breakdown ? tr_fail_for(err, &why, "%s", why.text) : TR_OK;
}

static bool scale_rules_before(const struct scale_verdict *a, const struct scale_verdict *b)
{
	if (a->applies != b->applies)
		return a->applies;
	if ((a->held_out > 0) != (b->held_out > 0))
		return a->held_out > 0;
	return a->error_oct < b->error_oct;
}

void scale_rank(struct scale_verdict *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const struct scale_verdict one = list[i];
		size_t at = i;

		for (; at > 0 && scale_rules_before(&one, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = one;
	}
}
