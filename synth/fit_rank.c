// SPDX-License-Identifier: GPL-3.0-or-later
// The choice among families: each is fitted to the first half of the trace and held against the second; the best is fitted
// again, to the whole.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "flitfit.h"

#define GROUPINGS 3u // of --by every

static void show_progress(void *tool, const struct fit_family *family, unsigned replicate)
{
	tool_progress(tool, "%s: replicate %u", family->name, replicate + 1);
}

static void add_columns(struct table *table)
{
	static const char *const before[] = {"rank", "family", "by", "score", "low", "high"};
	static const char *const after[] = {"log_likelihood", "aic", "bic", "free", "reason"};

	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		table_column(table, before[i]);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_column(table, judge_criteria[c]->name);
	for (size_t i = 0; i < sizeof after / sizeof *after; i++)
		table_column(table, after[i]);
}

static void add_row(struct table *table, const struct judged *judged, size_t place)
{
	const double likelihoods[] = {judged->log_likelihood, judged->aic, judged->bic};

	if (judged->failed)
		table_none(table);
	else
		table_count(table, place + 1);
	table_text(table, judged->family->name);
	table_text(table, fit_by_word(judged->family, judged->by));
	table_real(table, judged->result.score, 3);
	table_real(table, judged->result.low, 3);
	table_real(table, judged->result.high, 3);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++) {
		if (judged->failed)
			table_none(table);
		else
			table_real(table, judged->result.energy[c].value, 3);
	}
	for (size_t i = 0; i < 3; i++)
		table_real(table, likelihoods[i], i == 0 ? 5 : 7);
	if (judged->failed)
		table_none(table);
	else
		table_count(table, judged->notes.freedom);
	table_text(table, judged->reason);
}

// How far the halves of the trace are from each other.
static void add_yardstick(struct table *table, const struct judge_panel *panel)
{
	table_none(table);
	table_text(table, "yardstick");
	table_none(table);
	table_real(table, 1, 3);
	table_none(table);
	table_none(table);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_real(table, panel->yardstick[c], 3);
	for (unsigned i = 0; i < 4; i++)
		table_none(table);
	table_text(table, "how far the halves of the trace are from each other");
}

static void print_ranking(struct tool *tool, const struct fit_request *request, const struct judge_panel *panel,
			  const struct judged *list, size_t count)
{
	struct table *table = table_new("ranking", "Families, the best first");
	struct tr_error err;

	add_columns(table);
	for (size_t i = 0; i < count; i++)
		add_row(table, &list[i], i);
	add_yardstick(table, panel);
	if (tables_print(&table, 1, request->style, "flitfit", stdout, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	table_free(table);
}

// The ranking as comments of the model that was chosen.
static void describe_choice(struct model *text, const struct fit_request *request, const struct judged *list, size_t count)
{
	char name[JUDGED_NAME_BYTES];

	model_comment(text, "Chosen among %zu fits to the first half that were held against the second by %llu replicates:",
		      count, (unsigned long long)request->replicates);
	for (size_t i = 0; i < count; i++) {
		if (list[i].failed)
			model_comment(text, "  %s: %s", judged_name(&list[i], name), list[i].reason);
		else
			model_comment(text, "  %s: score %.3g (%.3g .. %.3g), %s", judged_name(&list[i], name), list[i].result.score,
				      list[i].result.low, list[i].result.high, list[i].reason);
	}
}

static void write_best(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
		       const struct packet_sample *sample, const struct judged *list, size_t count)
{
	struct model text = {.name = NULL};
	char name[JUDGED_NAME_BYTES];
	struct tr_error err;

	describe_choice(&text, request, list, count);
	if (fit_family_text(tool, request, in, sample, list[0].family, list[0].by, &text, &err) != TR_OK)
		tool_error(tool, "%s: %s: %s", tr_reader_name(in), judged_name(&list[0], name), err.text);
	else
		fit_write_model(tool, request->output, &text);
	model_clear(&text);
}

static enum tr_status write_file(const char *folder, const struct judged *judged, bool every, const struct model *text,
				 struct tr_error *err)
{
	char path[PATH_MAX];
	enum tr_status status;
	int length = snprintf(path, sizeof path, "%s/%s%s%s.model", folder, judged->family->name, every ? "-" : "",
			      every ? fit_by_word(judged->family, judged->by) : "");
	FILE *out = length > 0 && (size_t)length < sizeof path ? fopen(path, "w") : NULL;

	if (!out)
		return tr_fail(err, "%s: %s", path, strerror(errno));
	status = model_write(text, out, err);
	if (fclose(out) != 0 && status == TR_OK)
		status = tr_fail(err, "%s: %s", path, strerror(errno));
	return status;
}

// Each fit, made again to the whole, to a file of its own.
static void write_all(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
		      const struct packet_sample *sample, const struct judged *list, size_t count)
{
	char name[JUDGED_NAME_BYTES];
	struct tr_error err;

	if (mkdir(request->write_all, 0777) != 0 && errno != EEXIST) {
		tool_error(tool, "%s: %s", request->write_all, strerror(errno));
		return;
	}
	for (size_t i = 0; i < count && tool_ok(tool); i++) {
		struct model text = {.name = NULL};

		if (list[i].failed)
			tool_warn(tool, "%s is not written: %s", judged_name(&list[i], name), list[i].reason);
		else if (fit_family_text(tool, request, in, sample, list[i].family, list[i].by, &text, &err) != TR_OK)
			tool_warn(tool, "%s is not written: %s", judged_name(&list[i], name), err.text);
		else if (write_file(request->write_all, &list[i], request->every, &text, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		model_clear(&text);
	}
}

static void write_results(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
			  const struct packet_sample *sample, const struct judge_panel *panel, const struct judged *list,
			  size_t count)
{
	if (request->rank)
		print_ranking(tool, request, panel, list, count);
	if (list[0].failed)
		tool_error(tool, "%s: no family fits; %s: %s", tr_reader_name(in), list[0].family->name, list[0].reason);
	if (request->write_all && tool_ok(tool))
		write_all(tool, request, in, sample, list, count);
	if ((request->output || (!request->rank && !request->write_all)) && tool_ok(tool))
		write_best(tool, request, in, sample, list, count);
}

// Judges each family by the groups of the options; with --by every, processes by role, by node and as one of the network. Returns
// how many were judged.
static size_t judge_all(const struct judge_request *judge, bool every, struct judge_panel *panel,
			const struct fit_family *families, size_t count, struct judged *list, enum tr_status *status,
			struct tr_error *err)
{
	const enum fit_by groups[GROUPINGS] = {every ? FIT_BY_ROLE : (enum fit_by)judge->options->by, FIT_BY_NODE,
					       FIT_BY_NETWORK};
	size_t judged = 0;

	*status = judge_panel_open(panel, judge->held_out, judge->fitted, err);
	for (size_t i = 0; i < count; i++)
		for (size_t g = 0; g < (every && families[i].kind ? GROUPINGS : 1) && *status == TR_OK; g++)
			*status = judge_family(judge, panel, &families[i], groups[g], &list[judged++], err);
	if (*status == TR_OK)
		judge_rank(panel, list, judged);
	return judged;
}

void fit_rank(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
	      const struct packet_sample *sample, const struct fit_family *families, size_t count)
{
	int64_t middle = packet_sample_middle(sample);
	const struct packet_sample fitted = packet_sample_part(sample, sample->begin_ticks, middle);
	const struct packet_sample held_out = packet_sample_part(sample, middle, sample->end_ticks);
	const struct judge_request judge = {&fitted,	   &held_out,	  &request->fit, (unsigned)request->replicates,
					    request->seed, show_progress, tool};
	struct judged *list = calloc(count * GROUPINGS, sizeof *list);
	struct judge_panel panel = {.counts = NULL};
	struct tr_error err = {"no memory for the ranking"};
	enum tr_status status = TR_ERROR;
	size_t judged = list ? judge_all(&judge, request->every, &panel, families, count, list, &status, &err) : 0;

	if (status != TR_OK)
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	else
		write_results(tool, request, in, sample, &panel, list, judged);
	for (size_t i = 0; i < judged; i++)
		judged_clear(&list[i]);
	free(list);
	judge_panel_clear(&panel);
}
