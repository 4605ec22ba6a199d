// SPDX-License-Identifier: GPL-3.0-or-later
// Fits of packets in memory: selects the families, and writes one fit.
#include "flitfit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gen/fit/counted_sample.h"
#include "value/memstream.h"

// ---- The path by which a model refers to its trace: relative to the model's folder, so that both
// can be moved together and be used from any folder.

// The real path of the file's folder.
static char *fit_families_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";

	if (slash == path)
		return strdup("/");
	if (slash && (size_t)(slash - path) < sizeof(folder)) {
		memcpy(folder, path, (size_t)(slash - path));
		folder[slash - path] = '\0';
	}
	return realpath(folder, NULL);
}

// Length of the folders that both paths begin with, without the "/" after them. Only the root ends
// in "/".
static size_t common_bytes(const char *folder, const char *file)
{
	size_t common = 0;

	for (size_t i = 0;; i++) {
		const bool end = folder[i] == '\0' || folder[i] == '/';

		if (end && file[i] == '/')
			common = i;
		if (folder[i] == '\0' || folder[i] != file[i])
			return common;
	}
}

static char *relative(const char *folder, const char *file)
{
	const char *from = strcmp(folder, "/") == 0 ? "" : folder;
	const size_t common = common_bytes(from, file);
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	for (const char *at = from + common; *at; at++)
		if (*at == '/')
			fputs("../", out);
	fputs(file + common + 1, out);
	if (tr_memstream_close(out))
		return text;
	free(text);
	return NULL;
}

// The trace (a path relative to the current folder) relative to the folder of the file at path;
// NULL if out of memory or where one of them cannot be found. To be freed.
static char *fit_trace_from(const char *trace, const char *path)
{
	char *folder = fit_families_folder_of(path), *file = realpath(trace, NULL), *out = NULL;

	if (folder && file)
		out = relative(folder, file);
	free(folder);
	free(file);
	return out;
}

static enum tr_status fit_families_read_bins(struct tool *tool, const struct fit_request *request,
					     struct tr_reader *in, struct packet_sample *sample)
{
	const union tr_record *record;
	enum tr_status status = TR_OK;
	struct tr_random random;
	struct tr_error err;

	tr_random_open(&random, request->seed, "counts");
	while ((status = tr_next(in, &record)) == TR_OK)
		if (counted_sample_add(sample, &record->series, &random, &err) != TR_OK) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return TR_ERROR;
		}
	return status == TR_END || tool_keep_going(tool) ? TR_OK : TR_ERROR;
}

// Counts: two nodes without roles send alternately.
static enum tr_status take_counts(struct tool *tool, struct fit_request *request,
				  struct tr_reader *in, struct packet_sample *sample)
{
	const enum tr_role roles[2] = {TR_ROLE_UNKNOWN, TR_ROLE_UNKNOWN};
	struct tr_error err;

	*sample = (struct packet_sample){.most = request->max_packets,
					 .ticks_per_s = (double)tr_reader_header(in)->ticks_per_s};
	if (fit_families_read_bins(tool, request, in, sample) != TR_OK)
		return TR_ERROR;
	if (packet_sample_settle(sample, roles, 2, &err) == TR_OK)
		return TR_OK;
	tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	return TR_ERROR;
}

// Reads the sample with its nodes and roles.
static enum tr_status fit_families_take_packets(struct tool *tool, struct fit_request *request,
						struct tr_reader *in, struct packet_sample *sample)
{
	struct tr_error err;
	enum tr_status status;
	enum tr_role *roles;

	*sample = (struct packet_sample){.most = request->max_packets,
					 .ticks_per_s = (double)request->fit.pulse.ticks_per_s};
	roles = fit_read_packets(tool, request, in, sample, &request->fit.aside);
	if (!roles)
		return TR_ERROR;
	status = packet_sample_settle(sample, roles, tr_reader_names(in)->node_count, &err);
	free(roles);
	if (status != TR_OK)
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	if (status == TR_OK && sample->people.lone)
		fit_warn_lone(tool);
	if (status == TR_OK && sample->unclassed)
		tool_warn(tool,
			  "%llu packets have no class: those up to %u bytes count as overhead",
			  (unsigned long long)sample->unclassed, PACKET_SAMPLE_OVERHEAD_MAX);
	return status;
}

static void refuse_family(struct tool *tool, const char *word, const struct family *const *known,
			  size_t count)
{
	char names[400] = "";

	for (size_t i = 0; i < count; i++) {
		strncat(names, " ", sizeof(names) - strlen(names) - 1);
		strncat(names, known[i]->name, sizeof(names) - strlen(names) - 1);
	}
	tool_error(tool, "unknown family \"%.40s\"; expected all or one of%s", word, names);
}

// The families that the options name, each once, in the order of the table; none after reporting an
// error. No word: all.
static size_t choose_families(struct tool *tool, const struct opt_list *words,
			      const struct family *out[FAMILIES_MAX])
{
	const struct family *known[FAMILIES_MAX];
	size_t count = families_fitted(known), chosen = 0;
	bool wanted[FAMILIES_MAX] = {false};

	for (size_t w = 0; w < words->count; w++) {
		size_t i = 0;

		while (i < count && strcmp(known[i]->name, words->words[w]) != 0)
			i++;
		if (i < count)
			wanted[i] = true;
		else if (strcmp(words->words[w], "all") != 0) {
			refuse_family(tool, words->words[w], known, count);
			return 0;
		} else
			memset(wanted, true, sizeof(wanted));
	}
	for (size_t i = 0; i < count; i++)
		if (wanted[i] || words->count == 0)
			out[chosen++] = known[i];
	return chosen;
}

enum tr_status fit_family_text(const struct fit_source *source, const struct family *family,
			       enum fit_by by, const char *path, struct model *text,
			       struct fit_notes *out, struct tr_error *err)
{
	const struct fit_request *request = source->request;
	const struct packet_sample *sample = source->sample;
	struct fit_options options = request->fit;
	char *trace = path && options.trace ? fit_trace_from(options.trace, path) : NULL;
	struct fit_notes notes = {.freedom = 0};
	struct model fitted = {.name = NULL};
	enum tr_status status = TR_ERROR;

	options.by = by;
	options.trace = trace ? trace : options.trace;
	options.digest = tr_reader_digest(source->in);
	if ((family->fit->by >> by & 1) == 0)
		status = fit_by_refuse(family, err);
	else
		status = family->fit->fit(family, sample, &options, &fitted, &notes, err);
	if (status == TR_OK && !family->fit->copies) {
		const struct fit_doubt doubt = fit_doubt_of(&fitted, &notes, sample);

		status = fit_trust(source, &doubt, text, err);
	}
	if (status == TR_OK) {
		model_comment(text, "%s: %s. Fitted to %zu packets of %u nodes%s%s.", family->name,
			      family->summary, sample->count, sample->people.senders,
			      *notes.method ? ", " : "", notes.method);
		if (sample->bin_ticks)
			model_comment(text,
				      "Fitted to counts in bins of %.6g s, with each packet at a "
				      "random time in its bin: times below the bin width, nodes "
				      "and sizes (other than their means) are not known.",
				      (double)sample->bin_ticks / sample->ticks_per_s);
		fit_describe_source(source->tool, source->in, text);
		model_append(text, &fitted);
	}
	if (out)
		*out = notes;
	model_clear(&fitted);
	free(trace);
	return status;
}

// Says why this one family is not written, and what to type instead.
static void refuse_fit(const struct fit_source *source, const struct family *family,
		       enum tr_status status, const struct tr_error *err)
{
	const char *trace = tr_reader_name(source->in);
	const bool suits = family->fit->by >> source->request->fit.by & 1; // else err says all
	char *advice = err->breakdown || !suits
			       ? NULL
			       : fit_advice_other(source->request, trace, source->sample->count,
						  source->sample);

	if (status == TR_END)
		tool_verdict(source->tool,
			     "%s: %s is not written: %s; %s; --force writes it anyway", trace,
			     family->name, err->text, advice ? advice : "");
	else
		tool_error(source->tool, "%s: %s: %s%s%s", trace, family->name, err->text,
			   advice ? "; " : "", advice ? advice : "");
	free(advice);
}

static void fit_one(const struct fit_source *source, const struct family *family)
{
	struct tool *tool = source->tool;
	const char *output = source->request->output, *name = tr_reader_name(source->in);
	struct model text = {.name = NULL};
	struct tr_error err;
	enum tr_status status;

	tool_stage(tool, "%s: %s", name, family->name);
	status = fit_family_text(source, family, (enum fit_by)source->request->fit.by, output,
				 &text, NULL, &err);
	if (status == TR_OK)
		fit_write_model(tool, output, &text);
	else
		refuse_fit(source, family, status, &err);
	model_clear(&text);
}

// Of counts no ranks are known.
static bool take_ranks(struct tool *tool, const struct tr_reader *in,
		       const struct packet_sample *sample, uint32_t **ranks)
{
	uint32_t nodes;

	*ranks = NULL;
	if (fit_counts(in))
		return true;
	*ranks = fit_ranks(tool, tr_reader_names(in), sample, sample->people.roles, &nodes);
	return *ranks;
}

void fit_families_run(struct tool *tool, const struct fit_request *request, struct tr_reader *in)
{
	const struct family *chosen[FAMILIES_MAX];
	const bool ranked = request->rank || request->write_all || request->every;
	struct packet_sample sample = {.ticks = NULL};
	struct fit_request own = *request;
	const struct fit_source source = {tool, &own, in, &sample};
	size_t count = choose_families(tool, &request->families, chosen);
	uint32_t *ranks = NULL;

	if (count == 0)
		return;
	if (count == 1 && !ranked && chosen[0] == &pulse_train_family &&
	    request->fit.by == FIT_BY_ROLE) {
		fit_pulse_train(tool, request, in);
		return;
	}
	if ((fit_counts(in) ? take_counts : fit_families_take_packets)(tool, &own, in, &sample) ==
		    TR_OK &&
	    take_ranks(tool, in, &sample, &ranks)) {
		own.fit.ranks = ranks;
		// A ranking looks at where packets go.
		if ((count > 1 || ranked) && sample.people.controllers > 0 &&
		    !tool_option_given(tool, "destinations"))
			own.fit.pulse.destinations = PULSE_BY_ROLE;
		if (count == 1 && !ranked)
			fit_one(&source, chosen[0]);
		else
			fit_rank(&source, chosen, count);
	}
	free(ranks);
	packet_sample_clear(&sample);
}
