// SPDX-License-Identifier: GPL-3.0-or-later
// The choice among families: each is fitted to the first half of the trace and compared with the second; the best is refitted
// to the whole.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "flitfit.h"
#include "trace/outfile.h"

#define GROUPINGS 3u // of --by every

static void show_progress(void *tool, const struct family *family, unsigned replicate)
{
	tool_progress(tool, "%s: replicate %u", family->name, replicate + 1);
}

static void add_columns(struct table *table)
{
	static const char *const before[] = {"rank", "family", "by", "score", "low", "high"};
	static const char *const after[] = {"log_likelihood", "aic", "bic", "free", "scales", "reason"};

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		table_column(table, before[i]);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		table_column(table, judge_criteria[c]->name);
	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++)
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
	if (judged->failed)
		table_none(table);
	else
		table_text(table, judged_scales(judged) ? "yes" : "no");
	table_text(table, judged->reason);
}

// Adds the distance between the halves of the trace.
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
	for (unsigned i = 0; i < 5; i++)
		table_none(table);
	table_text(table, "distance between the halves of the trace");
}

static void print_ranking(struct tool *tool, const struct fit_request *request, const struct judge_panel *panel,
			  const struct judged *list, size_t count)
{
	struct table *table = table_new("ranking", "Ranking of families");
	struct tr_error err;

	add_columns(table);
	for (size_t i = 0; i < count; i++)
		add_row(table, &list[i], i);
	add_yardstick(table, panel);
	if (tables_print(&table, 1, request->style, "flitfit", tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	table_free(table);
}

// Adds the ranking as comments of the chosen model.
static void describe_choice(struct model *text, const struct fit_request *request, const struct judged *list, size_t count)
{
	char name[JUDGED_NAME_BYTES];

	model_comment(text, "Best of %zu fits to the first half, compared with the second half by %llu replicates each:", count,
		      (unsigned long long)request->replicates);
	for (size_t i = 0; i < count; i++) {
		if (list[i].failed)
			model_comment(text, "  %s: %s", judged_name(&list[i], name), list[i].reason);
		else
			model_comment(text, "  %s: score %.3g (%.3g .. %.3g), %s", judged_name(&list[i], name),
				      list[i].result.score, list[i].result.low, list[i].result.high, list[i].reason);
	}
}

static enum tr_status write_file(const struct tr_files *files, const char *path, const struct model *text, struct tr_error *err)
{
	const struct tr_outfile_options options = {.files = files, .another = true};
	struct tr_outfile *file;
	enum tr_status status;
	FILE *out;

	if (tr_outfile_open(&file, path, &options, err) != TR_OK)
		return TR_ERROR;
	out = tr_outfile_stream(file);
	status = out ? model_write(text, out, err) : tr_no_memory(err, "%s", path);
	if (status == TR_OK)
		return tr_outfile_close(file, true, err);
	(void)tr_outfile_close(file, false, NULL);
	return TR_ERROR;
}

// Data for writing a choice.
struct choice {
	struct tool *tool;
	const struct fit_request *request;
	const struct tr_reader *in;
	const struct packet_sample *sample;
	const struct judged *list;
	size_t count;
};

// Refits one of the ranking to the whole trace, for a file at path. TR_END: not to be trusted; TR_ERROR: failed; both after a
// message.
static enum tr_status fit_again(const struct choice *choice, const struct judged *judged, const char *path, struct model *text)
{
	char name[JUDGED_NAME_BYTES];
	struct tr_error err;
	enum tr_status status = fit_family_text(choice->tool, choice->request, choice->in, choice->sample, judged->family,
						judged->by, path, text, &err);

	if (status == TR_END)
		tool_warn(choice->tool, "%s: %s is not written: %s", tr_reader_name(choice->in), judged_name(judged, name),
			  err.text);
	else if (status != TR_OK)
		tool_error(choice->tool, "%s: %s: %s", tr_reader_name(choice->in), judged_name(judged, name), err.text);
	return status;
}

// "best.scalable.model" from "best.model".
static void name_scalable(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
	const size_t stem = dot && dot > base ? (size_t)(dot - path) : strlen(path);

	(void)snprintf(out, PATH_MAX, "%.*s.scalable%s", (int)stem, path, path + stem);
}

// The best of the ranking that scales and is to be trusted; NULL if there is none.
static const struct judged *find_scalable(const struct judged *list, size_t count)
{
	for (size_t i = 0; i < count && !list[i].failed && !list[i].doubtful; i++)
		if (judged_scales(&list[i]))
			return &list[i];
	return NULL;
}

// Used if the chosen family only suits the trace's nodes: says so, and writes the best that scales to a file next to it.
static void write_scalable(const struct choice *choice, const struct judged *chosen)
{
	const struct judged *scalable = find_scalable(choice->list, choice->count);
	const char *output = choice->request->output;
	const unsigned nodes = choice->sample->people.senders;
	char path[PATH_MAX], name[JUDGED_NAME_BYTES], chosen_name[JUDGED_NAME_BYTES];
	struct model text = {.name = NULL};
	struct tr_error err;

	(void)judged_name(chosen, chosen_name);
	if (!scalable) {
		tool_warn(choice->tool, "%s generates traffic for %u nodes only, and no fitted family scales", chosen_name,
			  nodes);
		return;
	}
	(void)judged_name(scalable, name);
	if (!output || strcmp(output, "-") == 0) {
		tool_warn(choice->tool, "%s generates traffic for %u nodes only; the best family that scales is %s",
			  chosen_name, nodes, name);
		return;
	}
	name_scalable(output, path);
	model_comment(
		&text,
		"The best family that scales to any number of nodes; %s is closer, but generates traffic for %u nodes only.",
		chosen_name, nodes);
	if (fit_again(choice, scalable, path, &text) == TR_OK) {
		if (write_file(tool_files(choice->tool), path, &text, &err) != TR_OK)
			tool_error(choice->tool, "%s", err.text);
		else
			tool_warn(choice->tool,
				  "%s generates traffic for %u nodes only; the best family that scales, %s, is in %s",
				  chosen_name, nodes, name, path);
	}
	model_clear(&text);
}

// Writes the best one that is to be trusted, and the best one that scales if that is another.
static void write_best(const struct choice *choice)
{
	for (size_t i = 0; i < choice->count && !choice->list[i].failed; i++) {
		const struct judged *chosen = &choice->list[i];
		struct model text = {.name = NULL};
		enum tr_status status;

		describe_choice(&text, choice->request, choice->list, choice->count);
		if (!judged_scales(chosen))
			model_comment(&text, "It generates traffic for %u nodes only.", choice->sample->people.senders);
		status = fit_again(choice, chosen, choice->request->output, &text);
		if (status == TR_OK)
			fit_write_model(choice->tool, choice->request->output, &text);
		model_clear(&text);
		if (status == TR_OK && !judged_scales(chosen))
			write_scalable(choice, chosen);
		if (status != TR_END)
			return;
	}
	tool_verdict(choice->tool, "%s: no family can be trusted (--force writes the first)", tr_reader_name(choice->in));
}

static void name_in_folder(const struct choice *choice, const struct judged *judged, char path[PATH_MAX])
{
	const bool every = choice->request->every;

	(void)snprintf(path, PATH_MAX, "%s/%s%s%s.model", choice->request->write_all, judged->family->name, every ? "-" : "",
		       every ? fit_by_word(judged->family, judged->by) : "");
}

// Refits each family to the whole trace and writes it to its own file.
static void write_all(const struct choice *choice)
{
	const char *folder = choice->request->write_all;
	char name[JUDGED_NAME_BYTES], path[PATH_MAX];
	struct tr_error err;

	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		tool_error(choice->tool, "%s: %s", folder, strerror(errno));
		return;
	}
	for (size_t i = 0; i < choice->count && tool_ok(choice->tool); i++) {
		const struct judged *judged = &choice->list[i];
		struct model text = {.name = NULL};

		name_in_folder(choice, judged, path);
		if (judged->failed)
			tool_warn(choice->tool, "%s is not written: %s", judged_name(judged, name), judged->reason);
		else if (fit_family_text(choice->tool, choice->request, choice->in, choice->sample, judged->family, judged->by,
					 path, &text, &err) != TR_OK)
			tool_warn(choice->tool, "%s is not written: %s", judged_name(judged, name), err.text);
		else if (write_file(tool_files(choice->tool), path, &text, &err) != TR_OK)
			tool_error(choice->tool, "%s", err.text);
		model_clear(&text);
	}
}

static void write_results(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
			  const struct packet_sample *sample, const struct judge_panel *panel, const struct judged *list,
			  size_t count)
{
	const struct choice choice = {tool, request, in, sample, list, count};

	if (request->rank)
		print_ranking(tool, request, panel, list, count);
	if (list[0].failed && list[0].doubtful)
		tool_verdict(tool, "%s: no family fits; %s %s", tr_reader_name(in), list[0].family->name, list[0].reason);
	else if (list[0].failed)
		tool_error(tool, "%s: no family fits; %s: %s", tr_reader_name(in), list[0].family->name, list[0].reason);
	if (request->write_all && tool_ok(tool))
		write_all(&choice);
	if ((request->output || (!request->rank && !request->write_all)) && tool_ok(tool) && !list[0].failed)
		write_best(&choice);
}

// Judges each family with the requested grouping; with --by every, those that group by role, by node and the whole network.
// Returns how many were judged.
static size_t judge_all(const struct judge_request *judge, bool every, struct judge_panel *panel,
			const struct family *const *families, size_t count, struct judged *list, enum tr_status *status,
			struct tr_error *err)
{
	const enum fit_by groups[GROUPINGS] = {every ? FIT_BY_ROLE : (enum fit_by)judge->options->by, FIT_BY_NODE,
					       FIT_BY_NETWORK};
	size_t judged = 0;

	*status = judge_panel_open(panel, judge->held_out, judge->fitted, err);
	for (size_t i = 0; i < count; i++)
		for (size_t g = 0; g < (every && families[i]->arrivals ? GROUPINGS : 1) && *status == TR_OK; g++)
			*status = judge_family(judge, panel, families[i], groups[g], &list[judged++], err);
	if (*status == TR_OK)
		judge_rank(panel, list, judged);
	return judged;
}

void fit_rank(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
	      const struct packet_sample *sample, const struct family *const *families, size_t count)
{
	int64_t middle = packet_sample_middle(sample);
	const struct packet_sample fitted = packet_sample_part(sample, sample->begin_ticks, middle);
	const struct packet_sample held_out = packet_sample_part(sample, middle, sample->end_ticks);
	const struct judge_request judge = {&fitted,	   &held_out,	  &request->fit, (unsigned)request->replicates,
					    request->seed, show_progress, tool};
	struct judged *list = calloc(count * GROUPINGS, sizeof(*list));
	struct judge_panel panel = {.counts = NULL};
	struct tr_error err;
	enum tr_status status = list ? TR_ERROR : tr_no_memory(&err, "the ranking");
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
