// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit --scale: a model for more nodes from others, by one of the rules of gen/scale_rules.h:
// the named one, or the one with the least error on the largest model.
#include <stdlib.h>
#include <string.h>

#include "flitfit.h"
#include "gen/scale_rules.h"
#include "table/table_rows.h"

#define RULES_MAX 32u

// The models to scale, and the rules, the best first.
struct scaling {
	struct pulse_model *models;
	size_t count;
	struct scale_verdict verdicts[RULES_MAX];
	size_t rules;
};

void fit_write_model(struct tool *tool, const char *path, const struct model *text)
{
	FILE *out = tool_ok(tool) ? tool_printable_output(tool, path) : NULL;
	struct tr_error err;

	if (out && model_write(text, out, &err) != TR_OK &&
	    !ferror(out)) // a failed output is reported at its close
		tool_error(tool, "%s", err.text);
}

static enum tr_status get_pulse_train(const struct model *text, struct pulse_model *out,
				      struct tr_error *err)
{
	const struct model_entry *family = model_find(text, "", "family");

	if (family && strcmp(family->value, pulse_train_family.name) != 0)
		return model_fail(text, family, err,
				  "only pulse trains can be scaled, not the family %.40s",
				  family->value);
	return pulse_model_get(text, out, err);
}

static enum tr_status scale_models_read_text(struct tool *tool, struct tr_source *source,
					     struct pulse_model *out)
{
	struct model text = {.name = NULL};
	struct tr_error err;
	enum tr_status status = model_read(&text, source, &err);

	tr_source_close(source);
	if (status == TR_OK)
		status = get_pulse_train(&text, out, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	model_clear(&text);
	return status;
}

// Fits a pulse train to the trace in source.
static enum tr_status fit_source(struct tool *tool, struct fit_request *request,
				 struct tr_source *source, struct pulse_model *out)
{
	struct tr_reader *in = tool_open_reader(tool, source);
	enum tr_status status = TR_ERROR;
	struct pulse_fitted fitted;
	struct tr_error err;

	if (!in)
		return TR_ERROR;
	if (fit_settle(in, request, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		status = fit_pulse_read(tool, request, in, &fitted);
	tool_close_input(tool, in);
	if (status == TR_OK)
		*out = fitted.model;
	return status;
}

// Reads the operands, recognised by their magic: models, or traces to fit.
static enum tr_status read_operands(struct tool *tool, struct fit_request *request,
				    struct scaling *scaling)
{
	struct tr_source *source;

	scaling->models = calloc(tool_operand_count(tool) + 1, sizeof(*scaling->models));
	if (!scaling->models) {
		tool_no_memory(tool, "%zu models", tool_operand_count(tool));
		return TR_ERROR;
	}
	while (tool_ok(tool) && tool_next_source(tool, &source) == TR_OK) {
		struct pulse_model *model = &scaling->models[scaling->count];
		enum tr_status status = tr_source_begins(source, TR_MAGIC, 1)
						? fit_source(tool, request, source, model)
						: scale_models_read_text(tool, source, model);

		scaling->count += status == TR_OK;
	}
	return tool_ok(tool) ? TR_OK : TR_ERROR;
}

static enum tr_status judge_rules(const struct scale_task *task, const struct opt_list *words,
				  struct scaling *scaling, struct tr_error *err)
{
	static const char *const always[] = {"published", "regression", "constant"};

	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
		if (scale_decide(task, always[i], &scaling->verdicts[scaling->rules++], err) !=
		    TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < words->count; i++) {
		bool known = false;

		for (size_t k = 0; k < scaling->rules; k++)
			known = known || strcmp(scaling->verdicts[k].word, words->words[i]) == 0;
		if (!known && scaling->rules == RULES_MAX)
			return tr_fail(err, "more than %u rules", RULES_MAX);
		if (!known && scale_decide(task, words->words[i],
					   &scaling->verdicts[scaling->rules++], err) != TR_OK)
			return TR_ERROR;
	}
	scale_rank(scaling->verdicts, scaling->rules);
	return TR_OK;
}

static bool scale_models_is_named(const struct opt_list *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->words[i], word) == 0)
			return true;
	return false;
}

// The first rule that applies, of those named or of all. If fewer than two were judged the ranking
// says nothing: then the published rule for models of 2 and 4 nodes, otherwise the first of the
// table.
static const struct scale_verdict *scale_models_choose(const struct scaling *scaling,
						       const struct opt_list *words)
{
	const struct scale_verdict *first = NULL;
	size_t judged = 0;

	for (size_t i = 0; i < scaling->rules; i++) {
		const struct scale_verdict *verdict = &scaling->verdicts[i];

		if (words->count > 0 && !scale_models_is_named(words, verdict->word))
			continue;
		judged += verdict->held_out > 0;
		if (!first || (judged < 2 && verdict->applies && verdict->rule < first->rule))
			first = verdict;
	}
	return first;
}

TABLE_ROW(rules, (some, rank), (text, rule), (real, error_oct, 3), (real, statistics_oct, 3),
	  (real, rates_oct, 3), (some, judged_on), (real, packets_per_s, 6),
	  (real, wire_b_per_s, 6), (yes, chosen), (text, assumes), (text, note));

static struct table *rules_table(const struct scaling *scaling, uint64_t nodes,
				 const struct scale_verdict *chosen)
{
	struct table *table = table_of("rules", NULL, rules_fields);

	table_note(table,
		   "rates: predicted for %llu nodes; errors: of the model that the rule builds for "
		   "judged_on nodes from the smaller models",
		   (unsigned long long)nodes);
	for (size_t i = 0; i < scaling->rules; i++) {
		const struct scale_verdict *verdict = &scaling->verdicts[i];
		const bool judged = verdict->held_out > 0;

		TABLE_PUT(
			table, rules, .rank = judged ? (int64_t)i + 1 : -1, .rule = verdict->word,
			.error_oct = verdict->error_oct, .statistics_oct = verdict->statistics_oct,
			.rates_oct = verdict->rates_oct,
			.judged_on = judged ? (int64_t)verdict->held_out : -1,
			.packets_per_s = verdict->packets_per_s, .wire_b_per_s = verdict->wire_bps,
			.chosen = verdict == chosen, .assumes = verdict->rule->assumes,
			.note = *verdict->why ? verdict->why : "-");
	}
	return table;
}

static void print_rules(struct tool *tool, const struct fit_request *request,
			const struct scaling *scaling, const struct scale_verdict *chosen)
{
	struct table *table = rules_table(scaling, request->scale, chosen);
	struct tr_error err;

	if (tables_finish(&table, 1, request->style, "flitfit", tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}

// Adds what the rule assumes and its error, next to the others.
static void scale_models_describe(const struct scaling *scaling, const struct scale_verdict *chosen,
				  uint64_t nodes, struct model *text)
{
	model_comment(text, "%s assumes: %s.", chosen->word, chosen->rule->assumes);
	for (size_t i = 0; i < scaling->rules; i++) {
		const struct scale_verdict *verdict = &scaling->verdicts[i];

		if (verdict->held_out > 0)
			model_comment(text,
				      "  %s: %.5g packets/s for %llu nodes; error %.3g octaves on "
				      "%llu nodes, held out",
				      verdict->word, verdict->packets_per_s,
				      (unsigned long long)nodes, verdict->error_oct,
				      (unsigned long long)verdict->held_out);
		else if (verdict->applies)
			model_comment(text, "  %s: %.5g packets/s for %llu nodes; %s",
				      verdict->word, verdict->packets_per_s,
				      (unsigned long long)nodes, verdict->why);
	}
}

static void write_scaled(struct tool *tool, const struct fit_request *request,
			 const struct scale_task *task, const struct scaling *scaling,
			 const struct scale_verdict *chosen)
{
	struct scaled scaled = {.model = {.nodes = 0}};
	struct model text = {.name = NULL};
	struct tr_error err;

	if (chosen->rule->scale(task, chosen->word, &scaled, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else {
		chosen->rule->describe(task, chosen->word, &text);
		scale_models_describe(scaling, chosen, task->nodes, &text);
		model_comment(&text, "%s", tool_provenance(tool));
		pulse_model_put(&text, &scaled.model, scaled.notes);
		fit_write_model(tool, request->output, &text);
	}
	model_clear(&text);
	pulse_model_clear(&scaled.model);
}

// Reports a choice made by the program, with the alternatives.
static void tell_choice(struct tool *tool, const struct scale_verdict *chosen)
{
	if (chosen->held_out > 0)
		tool_warn(tool,
			  "scaled by the rule %s (%s), with an error of %.3g octaves on %llu "
			  "nodes; --rank compares the rules",
			  chosen->word, chosen->rule->assumes, chosen->error_oct,
			  (unsigned long long)chosen->held_out);
	else
		tool_warn(tool, "scaled by the rule %s (%s), %s; --rank compares the rules",
			  chosen->word, chosen->rule->assumes, chosen->why);
}

// Models of one size do not determine other sizes: only a named rule applies.
static bool one_size(const struct scaling *scaling)
{
	for (size_t i = 1; i < scaling->count; i++)
		if (scaling->models[i].nodes != scaling->models[0].nodes)
			return false;
	return true;
}

void fit_scale(struct tool *tool, struct fit_request *request)
{
	struct scaling scaling = {.models = NULL};
	struct tr_error err;

	if (read_operands(tool, request, &scaling) == TR_OK) {
		const struct scale_task task = {scaling.models, scaling.count, request->scale,
						request->fit.pulse.level};

		if (request->rules.count == 0 && !request->rank && one_size(&scaling))
			tool_error(tool, "models of a single number of nodes need --rule constant, "
					 "rc:WIDTH or vr:WIDTH");
		else if (judge_rules(&task, &request->rules, &scaling, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		else {
			const struct scale_verdict *chosen = scale_models_choose(&scaling,
										 &request->rules);

			if (request->rank)
				print_rules(tool, request, &scaling, chosen);
			if (request->output || !request->rank)
				write_scaled(tool, request, &task, &scaling, chosen);
			if (request->rules.count != 1 && !request->rank && tool_ok(tool))
				tell_choice(tool, chosen);
		}
	}
	for (size_t i = 0; i < scaling.count; i++)
		pulse_model_clear(&scaling.models[i]);
	free(scaling.models);
}
