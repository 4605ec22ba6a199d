// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/fit/counted_sample.h"
#include "gen/judge/ranking.h"
#include "stat/nodes/packet_sample.h"
#include "text/model.h"

#define BATCH 512
#define SPARE 1000u

static enum tr_status judged_take(struct generator *generator, size_t most,
				  struct packet_sample *out, struct tr_error *err)
{
	struct tr_packet packets[BATCH];
	enum tr_status status;
	size_t count;

	while ((status = generator_next(generator, packets, BATCH, &count, err)) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			if (out->count >= most)
				return tr_fail(err,
					       "generates more than %zu packets for a trace of %zu",
					       most, (most - SPARE) / JUDGE_REPLICATE_FACTOR);
			if (packet_sample_add(out, &packets[i], err) != TR_OK)
				return TR_ERROR;
		}
	return status == TR_END ? TR_OK : TR_ERROR;
}

enum tr_status judge_replicate(const struct model *text, const struct packet_sample *like,
			       uint64_t seed, struct packet_sample *out, struct tr_error *err)
{
	size_t most = JUDGE_REPLICATE_FACTOR * like->count + SPARE;
	struct generator_settings settings = {
		.seed = seed,
		.ticks_per_s = (uint64_t)like->ticks_per_s,
		.end_ticks = like->end_ticks - like->begin_ticks,
	};
	struct generator generator;
	enum tr_status status;

	*out = (struct packet_sample){.ticks_per_s = like->ticks_per_s, .most = most + 1};
	if (generator_open(&generator, text, &settings, err) != TR_OK)
		return TR_ERROR;
	status = judged_take(&generator, most, out, err);
	generator_close(&generator);
	out->begin_ticks = 0;
	out->end_ticks = settings.end_ticks;
	if (status == TR_OK && like->bin_ticks)
		counted_sample_blur(out, like->bin_ticks, seed);
	return status;
}

// ---- One family fitted to the first half and compared with the second.

static enum tr_status make_runs(const struct judge_request *request, const struct judged *of,
				struct judge_runs *runs, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (unsigned r = 0; r < request->replicates && status == TR_OK; r++) {
		struct packet_sample packets;

		if (request->progress)
			request->progress(request->context, of->family, r);
		status = judge_replicate(&of->text, request->held_out, request->seed + r, &packets,
					 err);
		if (status == TR_OK)
			status = judge_runs_add(runs, &packets, err);
		packet_sample_clear(&packets);
	}
	return status;
}

static enum tr_status judge_replicates(const struct judge_request *request,
				       struct judge_panel *panel, struct judged *out,
				       struct tr_error *err)
{
	struct judge_runs runs;
	enum tr_status status = judge_runs_open(&runs, panel, request->replicates, err);

	if (status == TR_OK)
		status = make_runs(request, out, &runs, err);
	if (status == TR_OK)
		status = judge_runs_result(&runs, request->options->pulse.level, &out->result, err);
	judge_runs_close(&runs);
	return status == TR_OK && !isfinite(out->result.score)
		       ? tr_fail(err, "its runs cannot be compared with the trace")
		       : status;
}

// The logarithm of the density per second of the sample's times.
static enum tr_status log_density(const struct judge_request *request,
				  const struct packet_sample *sample, const struct judged *of,
				  double *out, struct tr_error *err)
{
	*out = NAN;
	if (!of->family->fit->log_likelihood)
		return TR_OK;
	if (of->family->fit->log_likelihood(of->family, &of->text, sample, request->options, out,
					    err) != TR_OK)
		return TR_ERROR;
	*out += (double)sample->count * log(sample->ticks_per_s);
	return TR_OK;
}

static enum tr_status judge_likelihood(const struct judge_request *request, struct judged *out,
				       struct tr_error *err)
{
	double fitted, held_out;

	if (log_density(request, request->fitted, out, &fitted, err) != TR_OK ||
	    log_density(request, request->held_out, out, &held_out, err) != TR_OK)
		return TR_ERROR;
	out->log_likelihood = held_out / (double)request->held_out->count;
	out->aic = 2.0 * out->notes.freedom - 2 * fitted;
	out->bic = log((double)request->fitted->count) * out->notes.freedom - 2 * fitted;
	return TR_OK;
}

// Of a parallel program: writes the reason if it does not predict the iterations of the half that
// was held out.
static enum tr_status judge_held_out(const struct judge_request *request, const struct judged *of,
				     char reason[FIT_DOUBT_BYTES], struct tr_error *err)
{
	struct model own = {.name = NULL}, predicting = {.name = NULL};
	struct fit_notes notes = {.freedom = 0};
	struct tr_error why = {""};
	char iterations[24];
	enum tr_status status = of->family->fit->fit(of->family, request->held_out,
						     request->options, &own, &notes, &why);

	if (status == TR_OK) {
		const struct packet_sample part = packet_sample_part(request->held_out,
								     notes.iterations.begin_ticks,
								     request->held_out->end_ticks);
		struct fit_doubt doubt;

		(void)snprintf(iterations, sizeof(iterations), "%u", notes.iterations.count);
		model_append(&predicting, &of->text);
		model_set(&predicting, "iterations", iterations);
		doubt = fit_doubt_of(&predicting, &notes, &part);
		doubt.held_out = true;
		status = fit_doubt_find(&doubt, reason, err);
	} else if (!why.breakdown) {
		(void)snprintf(reason, FIT_DOUBT_BYTES, "%s", why.text);
		status = TR_OK;
	} else {
		*err = why;
	}
	model_clear(&own);
	model_clear(&predicting);
	return status;
}

// Writes the reason if the model is not to be trusted.
static enum tr_status judge_trust(const struct judge_request *request, struct judged *out,
				  struct tr_error *err)
{
	const struct fit_doubt doubt = fit_doubt_of(&out->text, &out->notes, request->fitted);
	char reason[FIT_DOUBT_BYTES];

	if (out->family->fit->copies)
		return TR_OK;
	if (fit_doubt_find(&doubt, reason, err) != TR_OK)
		return TR_ERROR;
	out->doubtful = *reason;
	if (out->doubtful)
		(void)snprintf(out->reason, sizeof(out->reason), "cannot be trusted: %s", reason);
	if (out->doubtful || out->notes.iterations.count == 0)
		return TR_OK;
	if (judge_held_out(request, out, reason, err) != TR_OK)
		return TR_ERROR;
	out->doubtful = *reason;
	if (out->doubtful)
		(void)snprintf(out->reason, sizeof(out->reason), "misses the second half: %s",
			       reason);
	return TR_OK;
}

enum tr_status judge_family(const struct judge_request *all, struct judge_panel *panel,
			    const struct family *family, enum fit_by by, struct judged *out,
			    struct tr_error *err)
{
	struct fit_options options = *all->options, without_intervals;
	struct judge_request one = *all, *request = &one;
	struct tr_error why = {""};

	options.by = by;
	without_intervals = options;
	without_intervals.pulse.level = 0; // they would be comments in a text that is not shown
	one.options = &options;
	*out = (struct judged){.family = family,
			       .by = by,
			       .result = {.score = NAN, .low = NAN, .high = NAN},
			       .log_likelihood = NAN,
			       .aic = NAN,
			       .bic = NAN};
	if ((family->fit->by >> by & 1) == 0)
		(void)fit_by_refuse(family, &why);
	else if (family->fit->fit(family, request->fitted, &without_intervals, &out->text,
				  &out->notes, &why) == TR_OK &&
		 judge_likelihood(request, out, &why) == TR_OK &&
		 judge_trust(request, out, &why) == TR_OK &&
		 judge_replicates(request, panel, out, &why) == TR_OK)
		return TR_OK;
	out->failed = true;
	if (why.breakdown) {
		*err = why;
		return TR_ERROR;
	}
	if (!out->doubtful)
		(void)snprintf(out->reason, sizeof(out->reason), "%.200s", why.text);
	return out->text.failed ? tr_no_memory(err, "the model of %s", family->name) : TR_OK;
}

const char *judged_name(const struct judged *judged, char out[JUDGED_NAME_BYTES])
{
	if (judged->by == FIT_BY_ROLE)
		(void)snprintf(out, JUDGED_NAME_BYTES, "%.40s", judged->family->name);
	else
		(void)snprintf(out, JUDGED_NAME_BYTES, "%.40s by %s", judged->family->name,
			       fit_by_names[judged->by]);
	return out;
}

bool judged_scales(const struct judged *judged)
{
	return !judged->family->fit->copies && !judged->notes.names_nodes &&
	       (judged->family->fit->always ||
		(judged->by != FIT_BY_NODE && judged->by != FIT_BY_PAIR));
}

void judged_clear(struct judged *judged)
{
	model_clear(&judged->text);
	*judged = (struct judged){.family = NULL};
}
