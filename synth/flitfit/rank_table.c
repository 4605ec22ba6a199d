// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a ranking of families.
#include <math.h>

#include "flitfit.h"
#include "stat/judge/criterion.h"
#include "table/table_rows.h"

TABLE_ROW(rank_family, (some, rank), (text, family), (text, by));
TABLE_ROW(rank_score, (real, score, 3), (real, low, 3), (real, high, 3));
TABLE_ROW(rank_rest, (real, log_likelihood, 5), (real, aic, 7), (real, bic, 7), (some, free),
	  (text, scales), (text, reason));

static void fit_rank_add_columns(struct table *table, bool network)
{
	table_heads(table, rank_family_fields);
	if (network)
		fit_net_columns(table);
	table_heads(table, rank_score_fields);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_column(table, judge_criteria[c]->name);
	table_heads(table, rank_rest_fields);
}

static void fit_rank_add_row(struct table *table, const struct fit_choice *choice, size_t i)
{
	const struct judged *judged = &choice->list[i];
	const struct fit_latency *latency = fit_choice_latency(choice, i);
	const bool ranked = fit_choice_is_ranked(choice, i);

	TABLE_PUT(table, rank_family, .rank = ranked ? (int64_t)i + 1 : -1,
		  .family = judged->family->name, .by = fit_by_word(judged->family, judged->by));
	if (latency)
		fit_net_cells(table, latency);
	TABLE_PUT(table, rank_score, .score = judged->result.score, .low = judged->result.low,
		  .high = judged->result.high);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_real(table, judged->failed ? NAN : judged->result.energy[c].value, 3);
	TABLE_PUT(table, rank_rest, .log_likelihood = judged->log_likelihood, .aic = judged->aic,
		  .bic = judged->bic,
		  .free = ranked ? (int64_t)(latency ? latency->freedom : judged->notes.freedom)
				 : -1,
		  .scales = !ranked			   ? NULL
			    : fit_choice_scales(choice, i) ? "yes"
							   : "no",
		  .reason = fit_choice_reason(choice, i));
}

// Adds what is no family: the trace over the network, and the distance between its halves.
static void add_yardsticks(struct table *table, const struct fit_choice *choice,
			   const struct judge_panel *panel)
{
	const struct rank_score_row none = {NAN, NAN, NAN}, halves = {1, NAN, NAN};
	struct rank_rest_row rest = {NAN, NAN,	NAN,
				     -1,  NULL, "the trace itself, carried over the network"};

	if (choice->net) {
		TABLE_PUT(table, rank_family, .rank = -1, .family = "trace");
		fit_net_cells(table, &choice->net->trace);
		table_row(table, rank_score_fields, &none);
		for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
			table_none(table);
		table_row(table, rank_rest_fields, &rest);
	}
	TABLE_PUT(table, rank_family, .rank = -1, .family = "yardstick");
	for (unsigned i = 0; choice->net && i < FIT_NET_COLUMN_COUNT; i++)
		table_none(table);
	table_row(table, rank_score_fields, &halves);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_real(table, panel->yardstick[c], 3);
	rest.reason = "distance between the halves of the trace";
	table_row(table, rank_rest_fields, &rest);
}

void fit_choice_print(const struct fit_choice *choice, const struct judge_panel *panel)
{
	struct tool *tool = choice->source.tool;
	const struct fit_request *request = choice->source.request;
	struct table *table = table_new("ranking", "Ranking of families");
	struct tr_error err;

	fit_rank_add_columns(table, choice->net);
	for (size_t i = 0; i < choice->count; i++)
		fit_rank_add_row(table, choice, i);
	add_yardsticks(table, choice, panel);
	if (choice->net)
		fit_net_notes(table, choice->source.request, choice->net,
			      fit_choice_poisson_carries(choice));
	if (tables_finish(&table, 1, request->style, "flitfit", tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}
