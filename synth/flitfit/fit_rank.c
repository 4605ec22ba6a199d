// SPDX-License-Identifier: GPL-3.0-or-later
// The choice among families: each is fitted to the first half of the trace and compared with the
// second; the best is refitted to the whole.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "file/foreign_folder.h"
#include "file/outfile.h"
#include "flitfit.h"

#define GROUPINGS 3u // of --by every

struct rank_progress {
	struct tool *tool;
	size_t before, families; // judged, of all
	unsigned replicates;
};

static void fit_rank_show_progress(void *context, const struct family *family, unsigned replicate)
{
	const struct rank_progress *progress = context;
	const double of_family = (double)replicate / progress->replicates;

	tool_progress_part(
		progress->tool, ((double)progress->before + of_family) / (double)progress->families,
		"%s: replicate %u of %u", family->name, replicate + 1, progress->replicates);
}

const struct fit_latency *fit_choice_latency(const struct fit_choice *choice, size_t i)
{
	return choice->net ? &choice->net->each[choice->list[i].place] : NULL;
}

bool fit_choice_is_ranked(const struct fit_choice *choice, size_t i)
{
	return choice->net ? fit_choice_latency(choice, i)->carried : !choice->list[i].failed;
}

const char *fit_choice_reason(const struct fit_choice *choice, size_t i)
{
	return choice->net ? fit_choice_latency(choice, i)->reason : choice->list[i].reason;
}

bool fit_choice_poisson_carries(const struct fit_choice *choice)
{
	return choice->net->poisson == FIT_CARRIES_ALL;
}

// Of those that carry the latency, the first is this.
static const char *first_is(const struct fit_choice *choice)
{
	const enum fit_carries carries = fit_choice_latency(choice, 0)->carries;

	return choice->net->poisson != carries ? "smallest"
	       : carries == FIT_CARRIES_ALL    ? "closest by distances"
					       : "closest at more load";
}

bool fit_choice_scales(const struct fit_choice *choice, size_t i)
{
	return choice->net ? fit_choice_latency(choice, i)->scales
			   : judged_scales(&choice->list[i]);
}

// Adds the ranking as comments of the chosen model.
static void describe_choice(struct model *text, const struct fit_choice *choice)
{
	const struct fit_request *request = choice->source.request;
	const unsigned long long runs = request->replicates;
	char name[JUDGED_NAME_BYTES];

	if (choice->net)
		model_comment(text,
			      "Of %zu fits, the %s within 10 %% of the latency of the trace over "
			      "%s, in the mean of %llu runs:",
			      choice->count, first_is(choice), request->network, runs);
	else
		model_comment(text,
			      "Best of %zu fits to the first half, compared with the second half "
			      "by %llu replicates each:",
			      choice->count, runs);
	for (size_t i = 0; i < choice->count; i++) {
		const struct judged *judged = &choice->list[i];

		(void)judged_name(judged, name);
		if (!fit_choice_is_ranked(choice, i))
			model_comment(text, "  %s: %s", name, fit_choice_reason(choice, i));
		else if (choice->net)
			model_comment(text,
				      "  %s: mean off by %.3g %%, 99th percentile by %.3g %%, %u "
				      "free parameters",
				      name, fit_choice_latency(choice, i)->at[0].off,
				      fit_choice_latency(choice, i)->at[0].p99_off,
				      fit_choice_latency(choice, i)->freedom);
		else
			model_comment(text, "  %s: score %.3g (%.3g .. %.3g), %s", name,
				      judged->result.score, judged->result.low, judged->result.high,
				      judged->reason);
	}
}

static enum tr_status write_file(const struct tr_files *files, const char *path,
				 const struct model *text, struct tr_error *err)
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

// Refits one of the ranking to the whole trace, for a file at path. TR_END: not to be trusted;
// TR_ERROR: failed; both after a message.
static enum tr_status fit_again(const struct fit_choice *choice, const struct judged *judged,
				const char *path, struct model *text)
{
	const struct fit_source *source = &choice->source;
	const char *trace = tr_reader_name(source->in);
	char name[JUDGED_NAME_BYTES];
	struct tr_error err;
	enum tr_status status = fit_family_text(source, judged->family, judged->by, path, text,
						NULL, &err);

	if (status == TR_END)
		tool_warn(source->tool, "%s: %s is not written: %s", trace,
			  judged_name(judged, name), err.text);
	else if (status != TR_OK)
		tool_error(source->tool, "%s: %s: %s", trace, judged_name(judged, name), err.text);
	return status;
}

// The best from place *at on of the ranking that scales and is to be trusted; NULL if there is
// none. *at: the place after it.
static const struct judged *find_scalable(const struct fit_choice *choice, size_t *at)
{
	while (*at < choice->count) {
		const size_t i = (*at)++;

		if (choice->net ? fit_choice_latency(choice, i)->carries
				: !choice->list[i].failed && !choice->list[i].doubtful)
			if (fit_choice_scales(choice, i))
				return &choice->list[i];
	}
	return NULL;
}

// Fits the best that scales, of those that can be trusted when fitted to the whole, into text. NULL
// if none can.
static const struct judged *fit_scalable(const struct fit_choice *choice, const char *chosen,
					 const char *path, struct model *text)
{
	const unsigned nodes = choice->source.sample->people.senders;
	const struct judged *scalable;
	size_t at = 0;

	while ((scalable = find_scalable(choice, &at)) != NULL) {
		enum tr_status status;

		model_comment(text,
			      "The best family that scales to any number of nodes; %s is %s, but "
			      "generates traffic for %u nodes only.",
			      chosen,
			      !choice->net || fit_choice_poisson_carries(choice) ? "closer"
										 : "smaller",
			      nodes);
		status = fit_again(choice, scalable, path, text);
		if (status == TR_OK)
			return scalable;
		model_clear(text);
		*text = (struct model){.name = NULL};
		if (status == TR_ERROR)
			return NULL;
	}
	return NULL;
}

// Used if the chosen family only suits the trace's nodes: says so, and writes the best that scales
// to a file next to it.
static void write_scalable(const struct fit_choice *choice, const struct judged *chosen)
{
	struct tool *tool = choice->source.tool;
	size_t at = 0;
	const struct judged *first = find_scalable(choice, &at), *scalable = first;
	const char *output = choice->source.request->output;
	const unsigned nodes = choice->source.sample->people.senders;
	char path[PATH_MAX], name[JUDGED_NAME_BYTES], chosen_name[JUDGED_NAME_BYTES];
	struct model text = {.name = NULL};
	struct tr_error err;

	(void)judged_name(chosen, chosen_name);
	if (!scalable) {
		tool_warn(tool, "%s generates traffic for %u nodes only, and no %s scales",
			  chosen_name, nodes,
			  choice->net ? "other family that carries the latency" : "fitted family");
		return;
	}
	(void)judged_name(scalable, name);
	if (!output || strcmp(output, "-") == 0) {
		tool_warn(
			tool,
			"%s generates traffic for %u nodes only; the best family that scales is %s",
			chosen_name, nodes, name);
		return;
	}
	family_scalable_path(output, path);
	scalable = fit_scalable(choice, chosen_name, path, &text);
	if (!scalable)
		tool_warn(tool,
			  "%s generates traffic for %u nodes only, and no family that scales can "
			  "be trusted (-f %s --force writes one)",
			  chosen_name, nodes, first->family->name);
	else if (write_file(tool_files(tool), path, &text, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		tool_warn(tool,
			  "%s generates traffic for %u nodes only; the best family that scales, "
			  "%s, is in %s",
			  chosen_name, nodes, judged_name(scalable, name), path);
	model_clear(&text);
}

// Whether this one of the list may be written; with a network those that carry the latency, and
// with --force the first.
static bool is_eligible(const struct fit_choice *choice, size_t i)
{
	return fit_choice_is_ranked(choice, i) &&
	       (!choice->net || fit_choice_latency(choice, i)->carries ||
		(i == 0 && choice->source.request->force));
}

// Writes the best one that is to be trusted, and the best one that scales if that is another.
static void write_best(const struct fit_choice *choice)
{
	const struct fit_source *source = &choice->source;

	for (size_t i = 0; i < choice->count && is_eligible(choice, i); i++) {
		const struct judged *chosen = &choice->list[i];
		struct model text = {.name = NULL};
		enum tr_status status;

		describe_choice(&text, choice);
		if (!fit_choice_scales(choice, i))
			model_comment(&text, "It generates traffic for %u nodes only.",
				      source->sample->people.senders);
		status = fit_again(choice, chosen, source->request->output, &text);
		if (status == TR_OK)
			fit_write_model(source->tool, source->request->output, &text);
		model_clear(&text);
		if (status == TR_OK && !fit_choice_scales(choice, i))
			write_scalable(choice, chosen);
		if (status != TR_END)
			return;
	}
	if (!choice->net)
		tool_verdict(source->tool,
			     "%s: no family can be trusted (a filter of flitcap or flitcut takes a "
			     "part of the trace; --force writes the first)",
			     tr_reader_name(source->in));
}

static void name_in_folder(const struct fit_choice *choice, const struct judged *judged,
			   char path[PATH_MAX])
{
	const struct fit_request *request = choice->source.request;
	const bool every = request->every;

	(void)snprintf(path, PATH_MAX, "%s/%s%s%s.model", request->write_all, judged->family->name,
		       every ? "-" : "", every ? fit_by_word(judged->family, judged->by) : "");
}

// Refits each family to the whole trace and writes it to its own file.
static void fit_rank_write_all(const struct fit_choice *choice)
{
	struct tool *tool = choice->source.tool;
	const char *folder = choice->source.request->write_all;
	char name[JUDGED_NAME_BYTES], path[PATH_MAX];
	struct tr_error err;

	if (tr_folder_make(folder, NULL, &err) == TR_ERROR) {
		tool_error(tool, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < choice->count && tool_ok(tool); i++) {
		const struct judged *judged = &choice->list[i];
		struct model text = {.name = NULL};

		name_in_folder(choice, judged, path);
		if (!fit_choice_is_ranked(choice, i))
			tool_warn(tool, "%s is not written: %s", judged_name(judged, name),
				  fit_choice_reason(choice, i));
		else if (fit_family_text(&choice->source, judged->family, judged->by, path, &text,
					 NULL, &err) != TR_OK)
			tool_warn(tool, "%s is not written: %s", judged_name(judged, name),
				  err.text);
		else if (write_file(tool_files(tool), path, &text, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		model_clear(&text);
	}
}

// Says why the first of the list is not the choice, if it is none.
static void tell_first(const struct fit_choice *choice)
{
	struct tool *tool = choice->source.tool;
	const char *trace = tr_reader_name(choice->source.in),
		   *reason = fit_choice_reason(choice, 0);
	const struct fit_latency *latency = fit_choice_latency(choice, 0);
	const struct judged *first = &choice->list[0];
	char name[JUDGED_NAME_BYTES];

	if (latency && latency->carried && !latency->carries)
		tool_verdict(tool,
			     "%s: no family carries the latency over %s; %s is %s; --force -o FILE "
			     "writes it",
			     trace, choice->source.request->network, judged_name(first, name),
			     reason);
	else if (!fit_choice_is_ranked(choice, 0) && first->doubtful)
		tool_verdict(tool, "%s: no family fits; %s %s", trace, first->family->name, reason);
	else if (!fit_choice_is_ranked(choice, 0)) {
		const struct fit_request *request = choice->source.request;
		char *advice = fit_advice_part(request, trace, choice->source.sample);

		advice = advice ? advice : fit_advice_family(request, trace, "poisson");
		tool_error(tool, "%s: no family fits; %s: %s%s%s", trace, first->family->name,
			   reason, advice ? "; " : "", advice ? advice : "");
		free(advice);
	}
}

static void write_results(const struct fit_choice *choice, const struct judge_panel *panel)
{
	const struct fit_request *request = choice->source.request;
	struct tool *tool = choice->source.tool;

	if (request->rank)
		fit_choice_print(choice, panel);
	tell_first(choice);
	if (request->write_all && tool_ok(tool))
		fit_rank_write_all(choice);
	if ((request->output || (!request->rank && !request->write_all)) && tool_ok(tool) &&
	    fit_choice_is_ranked(choice, 0))
		write_best(choice);
}

// Judges each family with the requested grouping; with --by every, those that group by role, by
// node and the whole network. Returns how many were judged.
static size_t judge_all(const struct judge_request *judge, bool every, struct judge_panel *panel,
			const struct family *const *families, size_t count, struct judged *list,
			enum tr_status *status, struct tr_error *err)
{
	struct rank_progress *progress = judge->context;
	const enum fit_by groups[GROUPINGS] = {
		every ? FIT_BY_ROLE : (enum fit_by)judge->options->by, FIT_BY_NODE, FIT_BY_NETWORK};
	size_t judged = 0;

	*status = judge_panel_open(panel, judge->held_out, judge->fitted, err);
	for (size_t i = 0; i < count; progress->before = ++i)
		for (size_t g = 0;
		     g < (every && families[i]->arrivals ? GROUPINGS : 1) && *status == TR_OK; g++)
			*status = judge_family(judge, panel, families[i], groups[g],
					       &list[judged++], err);
	if (*status == TR_OK)
		judge_rank(panel, list, judged);
	return judged;
}

// The time that parts the trace for the comparison.
static int64_t part_ticks(const struct fit_source *source)
{
	const struct packet_sample *sample = source->sample;
	const int64_t middle = packet_sample_middle(sample), ticks = fit_middle(sample);
	const size_t first = packet_sample_part(sample, sample->begin_ticks, middle).count;

	if (ticks != middle)
		tool_warn(source->tool,
			  "%s: the halves of its time have %zu and %zu packets: comparing the "
			  "first and second half of the packets",
			  tr_reader_name(source->in), first, sample->count - first);
	return ticks;
}

// Reports that the halves cannot be compared.
static void refuse_rank(const struct fit_source *source, const struct tr_error *err)
{
	const struct packet_sample *sample = source->sample;
	char *advice = err->breakdown || fit_comparable(sample->count)
			       ? NULL
			       : fit_advice_other(source->request, tr_reader_name(source->in),
						  sample->count, sample);

	tool_error(source->tool, "%s: %s%s%s", tr_reader_name(source->in), err->text,
		   advice ? "; " : "", advice ? advice : "");
	free(advice);
}

void fit_rank(const struct fit_source *source, const struct family *const *families, size_t count)
{
	const struct packet_sample *sample = source->sample;
	const struct fit_request *request = source->request;
	const int64_t middle = part_ticks(source);
	const struct packet_sample fitted = packet_sample_part(sample, sample->begin_ticks, middle);
	const struct packet_sample held_out = packet_sample_part(sample, middle, sample->end_ticks);
	struct rank_progress progress = {source->tool, 0, count, (unsigned)request->replicates};
	const struct judge_request judge = {&fitted,	   &held_out,
					    &request->fit, (unsigned)request->replicates,
					    request->seed, fit_rank_show_progress,
					    &progress};
	struct judged *list = calloc(count * GROUPINGS, sizeof(*list));
	struct judge_panel panel = {.counts = NULL};
	struct fit_net net = {.each = NULL};
	struct tr_error err;
	enum tr_status status = list ? TR_ERROR : tr_no_memory(&err, "the ranking");
	size_t judged = list ? judge_all(&judge, request->every, &panel, families, count, list,
					 &status, &err)
			     : 0;
	const struct fit_choice choice = {*source, list, judged, request->network ? &net : NULL};

	if (status != TR_OK)
		refuse_rank(source, &err);
	else if (!choice.net || fit_net_carry(source, list, judged, &net))
		write_results(&choice, &panel);
	for (size_t i = 0; i < judged; i++)
		judged_clear(&list[i]);
	free(list);
	free(net.each);
	judge_panel_clear(&panel);
}
